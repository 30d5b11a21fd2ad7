/* UTF-8 validation beyond ASCII. Invariant of the loop: everything before p is valid, and p is at the
 * start of a character. */
#include "codec/utf8.h"

static bool is_tail(uint8_t byte) { return (byte & 0xc0) == 0x80; }

/* The length of the character at p, 0 when it is none. The second byte's range is where overlong forms,
 * surrogates and too large code points are told apart. */
static size_t character_bytes(const uint8_t *p, size_t left) {
    uint8_t first = p[0];
    if (first < 0x80) return 1;
    if (first < 0xc2 || left < 2) return 0;
    if (first < 0xe0) return is_tail(p[1]) ? 2 : 0;
    if (first < 0xf0) {
        uint8_t low = first == 0xe0 ? 0xa0 : 0x80, high = first == 0xed ? 0x9f : 0xbf;
        return left >= 3 && p[1] >= low && p[1] <= high && is_tail(p[2]) ? 3 : 0;
    }
    if (first < 0xf5) {
        uint8_t low = first == 0xf0 ? 0x90 : 0x80, high = first == 0xf4 ? 0x8f : 0xbf;
        return left >= 4 && p[1] >= low && p[1] <= high && is_tail(p[2]) && is_tail(p[3]) ? 4 : 0;
    }
    return 0;
}

bool tern__utf8_valid_slow(const uint8_t *p, const uint8_t *end) {
    while (p < end) {
        if (end - p >= 8 && !(tern__load64(p) & 0x8080808080808080u)) {
            p += 8;
            continue;
        }
        size_t n = character_bytes(p, (size_t)(end - p));
        if (n == 0) return false;
        p += n;
    }
    return true;
}
