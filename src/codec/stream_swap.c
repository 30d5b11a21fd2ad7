/* Numbers copied and reversed in bulk: 32 bytes at a time where the processor can, the plain ways elsewhere. */
#include "tern/stream.h"

/* From so many bytes on glibc has the processor copy by `rep movsb`, which some processors do slowly, the more so the
 * worse source and destination lie to each other: Zen 4 takes 3 to 25 % longer for 4 to 16 KB than for the loop below.
 * At some size memory is what limits, and glibc knows how to go around the caches. */
enum { COPY_WIDE_MAX = 256 << 10 };

#ifdef __x86_64__
#include <immintrin.h>

enum { WIDE_BYTES = 32 };

static const uint8_t orders[3][16] = {
    {1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14},
    {3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12},
    {7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8},
};

/* Swap whole pieces of 32 bytes; returns how many bytes were swapped. */
__attribute__((target("avx2"))) static size_t swap_wide(uint8_t *to, const uint8_t *from, size_t n,
                                                        const uint8_t *order) {
    __m256i wide = _mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)order));
    size_t i = 0;
    for (; n - i >= 2 * WIDE_BYTES; i += 2 * WIDE_BYTES) {
        __m256i a = _mm256_loadu_si256((const void *)(from + i));
        __m256i b = _mm256_loadu_si256((const void *)(from + i + WIDE_BYTES));
        _mm256_storeu_si256((void *)(to + i), _mm256_shuffle_epi8(a, wide));
        _mm256_storeu_si256((void *)(to + i + WIDE_BYTES), _mm256_shuffle_epi8(b, wide));
    }
    if (n - i >= WIDE_BYTES) {
        __m256i a = _mm256_loadu_si256((const void *)(from + i));
        _mm256_storeu_si256((void *)(to + i), _mm256_shuffle_epi8(a, wide));
        i += WIDE_BYTES;
    }
    return i;
}

/* At least 160 bytes, most of them to addresses that are multiples of 32. The last 128 may overlap those before. */
__attribute__((target("avx2"))) static void copy_wide(uint8_t *to, const uint8_t *from, size_t n) {
    _mm256_storeu_si256((void *)to, _mm256_loadu_si256((const void *)from));
    size_t i = WIDE_BYTES - ((uintptr_t)to & (WIDE_BYTES - 1));
    while (i < n) {
        if (n - i < 4 * WIDE_BYTES) i = n - 4 * WIDE_BYTES;
        __m256i a = _mm256_loadu_si256((const void *)(from + i));
        __m256i b = _mm256_loadu_si256((const void *)(from + i + WIDE_BYTES));
        __m256i c = _mm256_loadu_si256((const void *)(from + i + 2 * WIDE_BYTES));
        __m256i d = _mm256_loadu_si256((const void *)(from + i + 3 * WIDE_BYTES));
        _mm256_storeu_si256((void *)(to + i), a);
        _mm256_storeu_si256((void *)(to + i + WIDE_BYTES), b);
        _mm256_storeu_si256((void *)(to + i + 2 * WIDE_BYTES), c);
        _mm256_storeu_si256((void *)(to + i + 3 * WIDE_BYTES), d);
        i += 4 * WIDE_BYTES;
    }
}

void tern__copy_bulk(void *to, const void *from, size_t n) {
    if (n <= COPY_WIDE_MAX && __builtin_cpu_supports("avx2"))
        copy_wide(to, from, n);
    else
        memcpy(to, from, n);
}

static size_t swap_most(void *to, const void *from, size_t n, size_t size) {
    if (n < WIDE_BYTES || !__builtin_cpu_supports("avx2")) return 0;
    return swap_wide(to, from, n, orders[size / 4]);
}
#else
void tern__copy_bulk(void *to, const void *from, size_t n) { memcpy(to, from, n); }

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
