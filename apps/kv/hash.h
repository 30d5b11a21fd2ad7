/* SipHash-1-3: a keyed hash, so that a peer who chooses the keys cannot choose where they collide
 * (Aumasson and Bernstein, "SipHash: a fast short-input PRF"). One round per word, three to finish. */
#ifndef KV_HASH_H
#define KV_HASH_H

#include "base/base.h"

typedef struct hash_seed {
    uint64_t k0, k1;
} hash_seed;

typedef struct hash_state {
    uint64_t a, b, c, d;
} hash_state;

static inline uint64_t hash_rotl(uint64_t x, unsigned n) { return x << n | x >> (64 - n); }

static inline void hash_round(hash_state *s) {
    s->a += s->b;
    s->c += s->d;
    s->b = hash_rotl(s->b, 13) ^ s->a;
    s->d = hash_rotl(s->d, 16) ^ s->c;
    s->a = hash_rotl(s->a, 32);
    s->a += s->d;
    s->c += s->b;
    s->d = hash_rotl(s->d, 21) ^ s->a;
    s->b = hash_rotl(s->b, 17) ^ s->c;
    s->c = hash_rotl(s->c, 32);
}

static inline void hash_word(hash_state *s, uint64_t word) {
    s->d ^= word;
    hash_round(s);
    s->a ^= word;
}

static inline uint64_t hash_bytes(hash_seed seed, const void *data, size_t len) {
    hash_state s = {seed.k0 ^ 0x736f6d6570736575u, seed.k1 ^ 0x646f72616e646f6du, seed.k0 ^ 0x6c7967656e657261u,
                    seed.k1 ^ 0x7465646279746573u};
    const uint8_t *p = data;
    uint64_t tail = (uint64_t)len << 56;
    for (; len >= 8; p += 8, len -= 8) hash_word(&s, tern__load64(p));
    for (size_t i = 0; i < len; i++) tail |= (uint64_t)p[i] << (8 * i);
    hash_word(&s, tail);
    s.c ^= 0xff;
    for (int i = 0; i < 3; i++) hash_round(&s);
    return s.a ^ s.b ^ s.c ^ s.d;
}

#endif
