/* Things of one kind, side by side. */
#include "mem/slab.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mem/poison.h"
#include "mem/pool.h"
#include "tap.h"

enum { N = 4000, FIRST_CLASS = 6, LAST_CLASS = 16 /* of blocks: 4 KB to 4 MB */ };

static uint64_t live_blocks(void) {
    uint64_t n = 0;
    for (unsigned cls = FIRST_CLASS; cls <= LAST_CLASS; cls++) n += tern__pool_live(cls);
    return n;
}

static uint64_t next_random(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

static size_t alignment_of(size_t bytes) { return bytes % 64 == 0 ? 64 : bytes > 8 ? 16 : 8; }

/* Of every size: aligned, apart from each other, as many as are asked for, and in little more memory than they need. */
static void slab__things_are_aligned_and_apart(void) {
    static uint8_t *things[N];
    uint64_t before = live_blocks();
    for (size_t bytes = 1; bytes <= 5000; bytes += bytes < 300 ? 1 : 479) {
        unsigned n = bytes < 500 ? N : 200;
        tern__slab slab;
        tern__slab_init(&slab, bytes);
        CHECK_EQ(slab.block_bytes, 0);
        for (unsigned i = 0; i < n; i++) {
            things[i] = tern__slab_take(&slab);
            CHECK(things[i] && (uintptr_t)things[i] % alignment_of(bytes) == 0);
            CHECK_OK();
            memset(things[i], (int)i, bytes);
        }
        for (unsigned i = 0; i < n; i++)
            for (size_t at = 0; at < bytes; at++) CHECK(things[i][at] == (uint8_t)i);
        CHECK_EQ(slab.n_used, n);
        CHECK(slab.block_bytes <= (uint64_t)n * slab.bytes * 5 / 4 + TERN__SLAB_MOST_BYTES);
        for (unsigned i = 0; i < n; i++) tern__slab_give(things[i]);
        CHECK_EQ(slab.n_used, 0);
        CHECK_EQ(slab.n_blocks, 1); /* one stays for the next thing */
        tern__slab_fini(&slab);
        CHECK_EQ(live_blocks(), before);
        CHECK_OK();
    }
}

/* Taken and given at random: what a thing holds is its own, and the memory follows the number. */
static void slab__random(void) {
    static uint64_t *things[N], values[N];
    uint64_t seed = 42, before = live_blocks();
    tern__slab slab;
    tern__slab_init(&slab, 104);
    unsigned n = 0;
    for (unsigned step = 0; step < 200000; step++) {
        unsigned wanted = step / 20000 % 2 ? N / 50 : N; /* tides */
        if (n < wanted && (n == 0 || next_random(&seed) % 8)) {
            uint64_t *thing = tern__slab_take(&slab);
            CHECK(thing);
            CHECK_OK();
            values[n] = next_random(&seed);
            for (unsigned i = 0; i < 13; i++) thing[i] = values[n] + i;
            things[n++] = thing;
        } else {
            unsigned victim = (unsigned)(next_random(&seed) % n);
            for (unsigned i = 0; i < 13; i++) CHECK_EQ(things[victim][i], values[victim] + i);
            tern__slab_give(things[victim]);
            things[victim] = things[--n];
            values[victim] = values[n];
        }
        CHECK_EQ(slab.n_used, n);
    }
    while (n) tern__slab_give(things[--n]);
    CHECK_EQ(slab.n_blocks, 1);
    tern__slab_fini(&slab);
    CHECK_EQ(live_blocks(), before);
}

/* What was given last is taken first: its lines are in the cache. */
static void slab__takes_the_last_given(void) {
    void *things[300];
    tern__slab slab;
    tern__slab_init(&slab, 160);
    for (unsigned i = 0; i < 300; i++) things[i] = tern__slab_take(&slab);
    for (unsigned i = 0; i < 300; i += 7) {
        tern__slab_give(things[i]);
        CHECK(tern__slab_take(&slab) == things[i]);
    }
    uint32_t blocks = slab.n_blocks;
    for (unsigned i = 0; i < 1000; i++) { /* at a block's edge none comes and goes */
        void *thing = tern__slab_take(&slab);
        CHECK(thing && slab.n_blocks <= blocks + 1);
        tern__slab_give(thing);
        if (i) CHECK_EQ(slab.n_blocks, blocks);
        blocks = slab.n_blocks;
    }
    for (unsigned i = 0; i < 300; i++) tern__slab_give(things[i]);
    tern__slab_give(NULL);
    tern__slab_fini(&slab);
}

/* Things outlive their slab; the last of a block takes the block along. */
static void slab__ends_before_its_things(void) {
    enum { KEPT = 1000 };
    static uint32_t *things[KEPT];
    uint64_t before = live_blocks();
    {
        tern__slab slab;
        tern__slab_init(&slab, 256);
        for (uint32_t i = 0; i < KEPT; i++) *(things[i] = tern__slab_take(&slab)) = i;
        for (uint32_t i = 0; i < KEPT; i += 2) tern__slab_give(things[i]);
        tern__slab_fini(&slab);
        memset(&slab, 0xee, sizeof slab);
    }
    CHECK(live_blocks() > before);
    for (uint32_t i = 1; i < KEPT; i += 2) {
        CHECK_EQ(*things[i], i);
        tern__slab_give(things[i]);
    }
    CHECK_EQ(live_blocks(), before);
    tern__slab slab;
    tern__slab_init(&slab, 256);
    for (uint32_t i = 0; i < KEPT; i++) CHECK(tern__slab_take(&slab));
    tern__slab_drop(&slab);
    CHECK_EQ(live_blocks(), before);
}

/* The nth allocation that fails may be a thing's or a block's; the slab is as before, and the next one succeeds. */
static void slab__memory_out(void) {
    static void *things[100];
    unsigned n = 0, n_failed = 0;
    tern__slab slab;
    tern__slab_init(&slab, 640);
    for (uint64_t nth = 1; n < TERN__COUNT(things); nth = nth % 3 + 1) {
        tern__pool_fail_after(nth);
        while (n < TERN__COUNT(things)) {
            void *thing = tern__slab_take(&slab);
            if (!thing) break;
            things[n++] = thing;
        }
        if (n == TERN__COUNT(things)) break;
        CHECK_EQ(tern__pool_fail_after(0), 0);
        CHECK_EQ(slab.n_used, n);
        n_failed++;
    }
    tern__pool_fail_after(0);
    CHECK(n_failed >= 30);
    while (n) tern__slab_give(things[--n]);
    tern__slab_fini(&slab);
}

/* In a child the parent's memory is the parent's: nothing is had from a slab, and nothing given back is changed. */
static void slab__forked_child(void) {
    tern__slab slab;
    tern__slab_init(&slab, 64);
    uint8_t *thing = tern__slab_take(&slab);
    CHECK(thing);
    CHECK_OK();
    memset(thing, 7, 64);
    pid_t child = fork();
    if (child == 0) {
        bool refused = !tern__slab_take(&slab);
        tern__slab_give(thing);
        for (unsigned i = 0; i < 64; i++) refused &= thing[i] == 7;
        tern__slab_fini(&slab);
        _exit(refused && slab.n_used == 1 ? 0 : 1);
    }
    int status = -1;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    for (unsigned i = 0; i < 64; i++) CHECK_EQ(thing[i], 7);
    tern__slab_give(thing);
    tern__slab_fini(&slab);
}

static bool is_spoiled(const uint8_t *byte) {
#ifdef TERN__ASAN
    return __asan_address_is_poisoned(byte);
#else
    return byte;
#endif
}

static bool is_usable(const uint8_t *bytes, size_t n) {
#ifdef TERN__ASAN
    return !__asan_region_is_poisoned((void *)(uintptr_t)bytes, n);
#else
    return bytes && n;
#endif
}

/* Under AddressSanitizer a thing that was given back, and what no thing was made of yet, are poisoned. */
static void slab__poison(void) {
    tern__slab slab;
    tern__slab_init(&slab, 100);
    uint8_t *first = tern__slab_take(&slab), *second = tern__slab_take(&slab);
    CHECK(is_usable(first, 100) && is_usable(second, 100) && is_spoiled(second + slab.bytes));
    tern__slab_give(first);
    CHECK(is_spoiled(first) && is_spoiled(first + 99) && is_usable(second, 100));
    tern__slab_fini(&slab);
    CHECK(is_usable(second, 100));
    tern__slab_give(second);
    CHECK(is_spoiled(second));
}

TAP_MAIN(TEST(slab__things_are_aligned_and_apart), TEST(slab__random), TEST(slab__takes_the_last_given),
         TEST(slab__ends_before_its_things), TEST(slab__memory_out), TEST(slab__forked_child), TEST(slab__poison))
