/* SipHash-2-4: two rounds per word of input, four at the end. */
#include "base/siphash.h"

static inline uint64_t rotate(uint64_t x, unsigned bits) { return x << bits | x >> (64 - bits); }

static inline void round_once(uint64_t v[4]) {
    v[0] += v[1];
    v[2] += v[3];
    v[1] = rotate(v[1], 13) ^ v[0];
    v[3] = rotate(v[3], 16) ^ v[2];
    v[0] = rotate(v[0], 32);
    v[2] += v[1];
    v[0] += v[3];
    v[1] = rotate(v[1], 17) ^ v[2];
    v[3] = rotate(v[3], 21) ^ v[0];
    v[2] = rotate(v[2], 32);
}

static inline void absorb(uint64_t v[4], uint64_t word) {
    v[3] ^= word;
    round_once(v);
    round_once(v);
    v[0] ^= word;
}

uint64_t tern__siphash(const uint64_t key[2], const void *data, size_t len) {
    const uint8_t *p = (const uint8_t *)data;
    /* "somepseudorandomlygeneratedbytes", as the paper initializes its state. */
    uint64_t v[4] = {key[0] ^ 0x736f6d6570736575u, key[1] ^ 0x646f72616e646f6du, key[0] ^ 0x6c7967656e657261u,
                     key[1] ^ 0x7465646279746573u};
    uint64_t last = (uint64_t)len << 56;
    size_t rest = len % 8;
    for (size_t i = 0; i + 8 <= len; i += 8) absorb(v, tern__load64(p + i));
    for (size_t i = 0; i < rest; i++) last |= (uint64_t)p[len - rest + i] << (8 * i);
    absorb(v, last);
    v[2] ^= 0xff;
    for (int i = 0; i < 4; i++) round_once(v);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}
