/* A seeded random generator for simulators and tests: xoshiro256**, its state filled by splitmix64. The
 * same seed gives the same numbers on every machine. Not for secrets. */
#ifndef TERN_BASE_RNG_H
#define TERN_BASE_RNG_H

#include <stdbool.h>
#include <stdint.h>

typedef struct tern__rng {
    uint64_t s[4];
} tern__rng;

/* A bijection of 64 bits that looks random: splitmix64's finalizer. */
static inline uint64_t tern__mix64(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static inline void tern__rng_seed(tern__rng *rng, uint64_t seed) {
    for (unsigned i = 0; i < 4; i++) rng->s[i] = tern__mix64(seed += 0x9e3779b97f4a7c15u);
}

static inline uint64_t tern__rng_next(tern__rng *rng) {
    uint64_t *s = rng->s;
    uint64_t five = s[1] * 5;
    uint64_t result = (five << 7 | five >> 57) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = s[3] << 45 | s[3] >> 19;
    return result;
}

/* Uniform in [0, n); 0 when n is 0. The bias, n / 2^64, is of no concern here. */
static inline uint64_t tern__rng_below(tern__rng *rng, uint64_t n) { return n ? tern__rng_next(rng) % n : 0; }

/* True with probability p. */
static inline bool tern__rng_chance(tern__rng *rng, double p) {
    return p > 0 && (double)(tern__rng_next(rng) >> 11) * 0x1p-53 < p;
}

#endif
