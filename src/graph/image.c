/* What readers and writers of files share. */
#include "graph/image.h"

/* Four sums side by side, so that a long table is limited by memory and not by the multiplications. */
uint64_t tern__image_checksum(const void *data, size_t len) {
    const uint64_t prime = 0x9e3779b97f4a7c15u;
    uint64_t sums[4] = {len, 1, 2, 3};
    const uint8_t *p = data;
    for (size_t i = 0; i < len / 8; i++, p += 8) {
        uint64_t sum = (sums[i & 3] ^ tern__load64(p)) * prime;
        sums[i & 3] = sum ^ sum >> 29;
    }
    for (size_t i = 1; i < 4; i++) sums[0] = (sums[0] ^ sums[i]) * prime;
    return sums[0];
}
