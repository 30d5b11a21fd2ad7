/* The tree of intervals against a table. */
#include <stdlib.h>

#include "graph/intervals.h"
#include "tap.h"

enum { N = 4000, OBJECT_BYTES = 32 };

/* Each object is met in a random order, and again: the place is that of the first time. */
static void meet_all(const uint32_t *order, tern__intervals *tree, uint64_t *n_met) {
    static uint32_t places[N];
    uint32_t next = 1;
    memset(places, 0, sizeof places);
    *n_met = 0;
    for (uint32_t i = 0; i < 2 * N; i++) {
        uint32_t object = order[i], place = next;
        int met = tern__intervals_meet(tree, 0x10000 + (uintptr_t)object * OBJECT_BYTES, OBJECT_BYTES, &place);
        CHECK_EQ(met, places[object] != 0);
        if (met) CHECK_EQ(place, places[object]);
        places[object] = met ? places[object] : next;
        if (!met) next += OBJECT_BYTES / 8;
        *n_met += (uint64_t)met;
    }
}

static void intervals__any_order(void) {
    static uint32_t order[2 * N];
    tern__intervals tree = {0};
    tern__rng rng;
    uint64_t n_met;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        tern__rng_seed(&rng, seed);
        for (uint32_t i = 0; i < 2 * N; i++) { /* runs of neighbours, forwards, at random places */
            bool jumps = i == 0 || tern__rng_below(&rng, seed) == 0;
            order[i] = jumps ? (uint32_t)tern__rng_below(&rng, N) : (order[i - 1] + 1) % N;
        }
        tern__intervals_clear(&tree);
        meet_all(order, &tree, &n_met);
        CHECK_OK();
        CHECK(n_met > 0);
    }
    tern__intervals_fini(&tree);
}

/* In the order of allocation one interval grows, and no search is needed. An object in its middle has a place behind
 * that of the interval's start. */
static void intervals__in_order(void) {
    tern__intervals tree = {0};
    uint32_t place = 1;
    tern__intervals_clear(&tree);
    for (uint32_t i = 0; i < N; i++, place += 4)
        CHECK_EQ(tern__intervals_meet(&tree, 0x10000 + (uintptr_t)i * OBJECT_BYTES, OBJECT_BYTES, &place), 0);
    CHECK_EQ(tree.n_hot, N - 1);
    CHECK_EQ(tree.n_cold, 1);
    CHECK_EQ(tree.n, 2); /* number 0 is none */
    CHECK_EQ(tern__intervals_meet(&tree, 0x10000 + 7 * OBJECT_BYTES, OBJECT_BYTES, &place), 1);
    CHECK_EQ(place, 1 + 7 * 4);
    tern__intervals_fini(&tree);
}

/* Behind the last interval and before the next one nothing is searched. */
static void intervals__beside_the_last(void) {
    tern__intervals tree = {0};
    uint32_t place = 1;
    tern__intervals_clear(&tree);
    CHECK_EQ(tern__intervals_meet(&tree, 100000, 32, &place), 0);
    place = 5;
    CHECK_EQ(tern__intervals_meet(&tree, 1000, 32, &place), 0);
    uint64_t cold = tree.n_cold;
    for (uint32_t i = 1; i < 100; i++) {
        place += 4;
        CHECK_EQ(tern__intervals_meet(&tree, 1000 + i * 64, 32, &place), 0);
    }
    CHECK_EQ(tree.n_warm, 99);
    CHECK_EQ(tree.n_cold, cold);
    CHECK_EQ(tern__intervals_meet(&tree, 100000, 32, &place), 1);
    CHECK_EQ(place, 1);
    tern__intervals_fini(&tree);
}

TAP_MAIN(TEST(intervals__any_order), TEST(intervals__in_order), TEST(intervals__beside_the_last))
