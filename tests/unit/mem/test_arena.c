/* The arena: alignment, growth, large values, the ceiling, injected failures, and that everything goes back. */
#include "mem/pool.h"
#include "pool_stats.h"
#include "tap.h"
#include "tern/mem.h"

static void init__takes_no_memory(void) {
    tern_arena arena;
    tern_arena_init(&arena, 0, 0);
    CHECK_EQ(arena.block_bytes, 4096);
    CHECK_EQ(arena.used_bytes, 0);
    tern_arena_reset(&arena);
    tern_arena_fini(&arena);
    CHECK_EQ(live_buffers(), 0);
}

static void zeroed__works(void) {
    tern_arena arena = {0};
    tern_arena_fini(&arena);
    void *ptr = tern_arena_alloc(&arena, 10);
    CHECK(ptr);
    CHECK_EQ(arena.used_bytes, 4096);
    tern_arena_fini(&arena);
    tern_arena_fini(&arena);
    CHECK_EQ(live_buffers(), 0);
}

/* Every allocation is aligned, registered, apart from every other, and keeps its contents. */
static void alloc__values_are_apart(void) {
    enum { N = 3000 };
    static uint8_t *ptrs[N];
    static size_t lens[N];
    tern_arena arena;
    tern_arena_init(&arena, 256, 0);
    uint32_t x = 1;
    for (int i = 0; i < N; i++) {
        x = x * 1664525 + 1013904223;
        lens[i] = (x >> 8) % (64u << (x >> 29));
        ptrs[i] = tern_arena_alloc(&arena, lens[i]);
        CHECK(ptrs[i]);
        CHECK_EQ((uintptr_t)ptrs[i] % 8, 0);
        CHECK(tern__pool_contains(ptrs[i], lens[i]));
        memset(ptrs[i], i & 255, lens[i]);
    }
    for (int i = 0; i < N; i++)
        for (size_t b = 0; b < lens[i]; b++) CHECK_EQ(ptrs[i][b], i & 255);
    CHECK_EQ(arena.block_bytes, 64 << 10);
    tern_arena_fini(&arena);
    CHECK_EQ(live_buffers(), 0);
}

static void alloc__empty_values_are_unique(void) {
    tern_arena arena;
    tern_arena_init(&arena, 64, 0);
    void *last = NULL;
    for (int i = 0; i < 100; i++) {
        void *ptr = tern_arena_alloc(&arena, 0);
        CHECK(ptr && ptr != last);
        last = ptr;
    }
    tern_arena_fini(&arena);
}

static void alloc__large_values_lie_alone(void) {
    tern_arena arena;
    tern_arena_init(&arena, 4096, 0);
    void *small = tern_arena_alloc(&arena, 16);
    void *large = tern_arena_alloc(&arena, 1 << 20);
    void *after = tern_arena_alloc(&arena, 16);
    size_t size = 0;
    CHECK(tern_recover(large, &size) == large);
    CHECK_EQ(size, 1 << 20);
    CHECK(tern_recover(small, NULL) == tern_recover(after, NULL)); /* the block goes on being used */
    CHECK_EQ(arena.used_bytes, 4096 + (1 << 20));
    tern_arena_fini(&arena);
    CHECK_EQ(live_buffers(), 0);
}

static void alloc__sizes_out_of_range(void) {
    tern_arena arena;
    tern_arena_init(&arena, 0, 0);
    CHECK(!tern_arena_alloc(&arena, SIZE_MAX));
    CHECK(!tern_arena_alloc(&arena, SIZE_MAX - 7));
    CHECK(!tern_arena_alloc(&arena, SIZE_MAX / 2));
    CHECK(!tern_arena_alloc(&arena, (size_t)TERN_BUF_MAX_BYTES + 1));
    CHECK(!tern_arena_zalloc(&arena, SIZE_MAX));
    CHECK(tern_arena_alloc(&arena, 8));
    tern_arena_fini(&arena);
}

static void zalloc__zeroes(void) {
    static const uint8_t zeros[512];
    tern_arena arena;
    tern_arena_init(&arena, 0, 0);
    for (int round = 0; round < 3; round++) {
        uint8_t *ptr = tern_arena_zalloc(&arena, 512);
        CHECK(ptr);
        CHECK_MEM(ptr, zeros, 512);
        memset(ptr, 0xff, 512);
        tern_arena_reset(&arena);
    }
    tern_arena_fini(&arena);
}

static void ceiling__holds(void) {
    for (size_t max = 0; max <= 20000; max += 500) {
        tern_arena arena;
        tern_arena_init(&arena, 1024, max ? max : 1);
        size_t got = 0;
        while (tern_arena_alloc(&arena, 40)) got += 40;
        CHECK(arena.used_bytes <= (max ? max : 1));
        CHECK(!tern_arena_alloc(&arena, 30000));
        CHECK(max < 1000 || got >= max / 2); /* blocks shrink near the ceiling */
        tern_arena_reset(&arena);
        CHECK(arena.used_bytes <= 1024); /* of the one block that is kept */
        CHECK((tern_arena_alloc(&arena, 40) != NULL) == (max >= 500));
        tern_arena_fini(&arena);
    }
    CHECK_EQ(live_buffers(), 0);
}

static void reset__keeps_one_block(void) {
    tern_arena arena;
    tern_arena_init(&arena, 0, 0);
    void *first = tern_arena_alloc(&arena, 100);
    for (int round = 0; round < 10; round++) {
        for (int i = 0; i < 1000; i++) CHECK(tern_arena_alloc(&arena, 100));
        tern_arena_reset(&arena);
        CHECK_EQ(live_buffers(), 1);
        CHECK_EQ(arena.used_bytes, 4096);
        CHECK(tern_arena_alloc(&arena, 100) == first);
    }
    tern_arena_fini(&arena);
    CHECK_EQ(live_buffers(), 0);
}

static void reset__held_values_stay(void) {
    tern_arena arena;
    tern_arena_init(&arena, 0, 0);
    char *kept = tern_arena_alloc(&arena, 32), *gone = tern_arena_alloc(&arena, 8192);
    CHECK(kept && gone);
    strcpy(kept, "kept");
    CHECK_EQ(tern_ref(kept), 0);
    tern_arena_reset(&arena);
    CHECK_EQ(live_buffers(), 1);
    CHECK(!tern_recover(gone, NULL));
    CHECK(strcmp(kept, "kept") == 0);
    CHECK(tern_arena_alloc(&arena, 32) != kept);
    tern_unref(kept);
    tern_arena_fini(&arena);
    CHECK_EQ(live_buffers(), 0);
}

static void fail_countdown__nth(void) {
    for (uint64_t n = 1; n <= 6; n++) {
        tern_arena arena;
        tern_arena_init(&arena, 0, 0);
        arena.fail_countdown = n;
        for (uint64_t i = 1; i <= 8; i++) CHECK_EQ(tern_arena_alloc(&arena, i == 3 ? 100000 : 8) == NULL, i == n);
        CHECK_EQ(arena.fail_countdown, 0);
        tern_arena_fini(&arena);
    }
}

/* The pool refuses its nth buffer, for every n of a scenario: the arena says NULL and stays usable. */
static void pool_failure__every_buffer(void) {
    for (uint64_t n = 1; n <= 8; n++) {
        tern_arena arena;
        unsigned n_failed = 0;
        tern_arena_init(&arena, 64, 0);
        tern__pool_fail_after(n);
        for (int i = 0; i < 20; i++) {
            uint8_t *ptr = tern_arena_alloc(&arena, (size_t)i * 50);
            if (ptr) memset(ptr, i, (size_t)i * 50);
            n_failed += ptr == NULL;
        }
        CHECK(n_failed <= 1); /* none when a smaller block stood in */
        CHECK_EQ(tern__pool_fail_after(0), 0);
        tern_arena_fini(&arena);
        CHECK_EQ(live_buffers(), 0);
    }
}

/* Blocks of both kinds, and large values' own buffers. */
static void private__never_in_a_segment_that_is_shown(void) {
    tern_arena arena, shared;
    tern_arena_init_private(&arena, 0, 0);
    tern_arena_init(&shared, 0, 0);
    for (size_t bytes = 8; bytes <= 1 << 20; bytes *= 4) {
        CHECK(!tern__pool_shared_segment(tern_arena_alloc(&arena, bytes)));
        CHECK(tern__pool_shared_segment(tern_arena_alloc(&shared, bytes)));
    }
    tern_arena_reset(&arena);
    CHECK(!tern__pool_shared_segment(tern_arena_alloc(&arena, 100000)));
    tern_arena_fini(&arena);
    CHECK(!tern__pool_shared_segment(tern_arena_alloc(&arena, 8)));
    tern_arena_fini(&arena);
    tern_arena_fini(&shared);
}

TAP_MAIN(TEST(private__never_in_a_segment_that_is_shown), TEST(init__takes_no_memory), TEST(zeroed__works),
         TEST(alloc__values_are_apart), TEST(alloc__empty_values_are_unique), TEST(alloc__large_values_lie_alone),
         TEST(alloc__sizes_out_of_range), TEST(zalloc__zeroes), TEST(ceiling__holds), TEST(reset__keeps_one_block),
         TEST(reset__held_values_stay), TEST(fail_countdown__nth), TEST(pool_failure__every_buffer))
