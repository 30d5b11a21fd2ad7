/* Numbers reversed in bulk: 32 bytes at a time where the processor can shuffle them, the plain loop elsewhere. */
#include "tern/stream.h"

#ifdef __x86_64__
#include <immintrin.h>

enum { WIDE_BYTES = 32 };

/* As many whole 32 bytes as there are; returns how many bytes that was. Four at a time, because one is stored before the
 * next could be loaded otherwise, for all the compiler knows. */
__attribute__((target("avx2"))) static size_t swap_wide(uint8_t *to, const uint8_t *from, size_t n, __m128i order) {
    __m256i wide = _mm256_broadcastsi128_si256(order);
    size_t i = 0;
    for (; n - i >= 4 * WIDE_BYTES; i += 4 * WIDE_BYTES) {
        __m256i v[4];
        for (int k = 0; k < 4; k++) v[k] = _mm256_loadu_si256((const void *)(from + i + k * WIDE_BYTES));
        for (int k = 0; k < 4; k++)
            _mm256_storeu_si256((void *)(to + i + k * WIDE_BYTES), _mm256_shuffle_epi8(v[k], wide));
    }
    for (; n - i >= WIDE_BYTES; i += WIDE_BYTES) {
        __m256i v = _mm256_loadu_si256((const void *)(from + i));
        _mm256_storeu_si256((void *)(to + i), _mm256_shuffle_epi8(v, wide));
    }
    return i;
}

static size_t swap_most(void *to, const void *from, size_t n, size_t size) {
    if (n < WIDE_BYTES || !__builtin_cpu_supports("avx2")) return 0;
    uint8_t order[16];
    for (size_t i = 0; i < sizeof order; i++) order[i] = (uint8_t)(i ^ (size - 1));
    return swap_wide(to, from, n, _mm_loadu_si128((const void *)order));
}
#else
static size_t swap_most(void *to, const void *from, size_t n, size_t size) {
    (void)to, (void)from, (void)n, (void)size;
    return 0;
}
#endif

#define SWAP(bits)                                                                                                     \
    void tern__swap##bits(void *to, const void *from, size_t n) {                                                      \
        const size_t size = bits / 8;                                                                                  \
        for (size_t i = swap_most(to, from, n * size, size) / size; i < n; i++) {                                      \
            uint##bits##_t x;                                                                                          \
            memcpy(&x, (const uint8_t *)from + i * size, size);                                                        \
            x = __builtin_bswap##bits(x);                                                                              \
            memcpy((uint8_t *)to + i * size, &x, size);                                                                \
        }                                                                                                              \
    }
SWAP(16)
SWAP(32)
SWAP(64)
