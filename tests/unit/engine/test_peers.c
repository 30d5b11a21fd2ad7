/* Networks are spread over the buckets of their table, whatever their addresses have in common. */
#include "engine/peers.h"
#include "tap.h"

enum { N_BUCKETS = 1024 };

static uint32_t fullest(const uint32_t *n) {
    uint32_t most = 0;
    for (uint32_t i = 0; i < N_BUCKETS; i++)
        if (n[i] > most) most = n[i];
    return most;
}

/* 2^16 keys that differ in two bytes next to each other, as the /64 networks of one /48 do in the last two. */
static void network_hash__spreads_neighbours(void) {
    static const uint64_t seeds[] = {0, 1, 0x0123456789abcdefu, UINT64_MAX};
    for (unsigned s = 0; s < TERN__COUNT(seeds); s++)
        for (unsigned shift = 0; shift <= 48; shift += 8) {
            uint32_t n[N_BUCKETS] = {0};
            for (uint64_t i = 0; i < 1 << 16; i++)
                n[tern__network_hash(seeds[s], 0x00000000b80d0120u ^ i << shift) % N_BUCKETS]++;
            CHECK(fullest(n) < 2 * (1 << 16) / N_BUCKETS);
        }
}

/* Those of a bucket under one seed are not together under another. */
static void network_hash__depends_on_the_seed(void) {
    uint32_t n[N_BUCKETS] = {0}, n_keys = 0;
    for (uint64_t key = 0; n_keys < N_BUCKETS; key++) {
        if (tern__network_hash(7, key) % N_BUCKETS) continue;
        n[tern__network_hash(8, key) % N_BUCKETS]++;
        n_keys++;
    }
    CHECK(fullest(n) < 12);
}

TAP_MAIN(TEST(network_hash__spreads_neighbours), TEST(network_hash__depends_on_the_seed))
