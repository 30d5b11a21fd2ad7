/* SipHash-2-4 against the vectors that its authors published: key 00 01 .. 0f, message 00 01 .. of each length. */
#include "base/siphash.h"

#include "tap.h"

static const uint64_t key[2] = {0x0706050403020100u, 0x0f0e0d0c0b0a0908u};

static uint64_t hash_of(size_t len) {
    uint8_t message[64];
    for (size_t i = 0; i < len; i++) message[i] = (uint8_t)i;
    return tern__siphash(key, message, len);
}

static void siphash__published_vectors(void) {
    static const struct {
        size_t len;
        uint64_t hash;
    } vectors[] = {{0, 0x726fdb47dd0e0e31u},  {1, 0x74f839c593dc67fdu}, {2, 0x0d6c8009d9a94f5au},
                   {3, 0x85676696d7fb7e2du},  {7, 0xab0200f58b01d137u}, {8, 0x93f5f5799a932462u},
                   {15, 0xa129ca6149be45e5u}, {63, 0x958a324ceb064572u}};
    for (size_t i = 0; i < TERN__COUNT(vectors); i++) CHECK(hash_of(vectors[i].len) == vectors[i].hash);
}

static void siphash__each_bit_counts(void) {
    uint8_t message[20] = {0};
    uint64_t none = tern__siphash(key, message, sizeof message);
    for (unsigned bit = 0; bit < 8 * sizeof message; bit++) {
        message[bit / 8] ^= (uint8_t)(1u << bit % 8);
        CHECK(tern__siphash(key, message, sizeof message) != none);
        message[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    uint64_t other[2] = {key[0], key[1] ^ 1};
    CHECK(tern__siphash(other, message, sizeof message) != none);
}

TAP_MAIN(TEST(siphash__published_vectors), TEST(siphash__each_bit_counts))
