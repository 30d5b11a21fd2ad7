/* A pool with little address space: what happens when a class is used up, and how memory is given back. */
#include <unistd.h>

#include "mem/pool.h"
#include "tap.h"

enum { SHARE = 512 << 20 };

static uint64_t committed_bytes(void) {
    tern_mem_stats stats;
    tern_mem_get_stats(&stats);
    return stats.committed_bytes - stats.huge_bytes;
}

static void in_pool__before_set_up(void) {
    int x = 0;
    tern_mem_stats stats;
    CHECK(!tern_in_pool(&x));
    CHECK(!tern_in_pool(NULL));
    CHECK(!tern_recover(&x, NULL));
    tern_unref(&x);
    tern_mem_get_stats(&stats);
    CHECK_EQ(stats.reserved_bytes + stats.live_buffers, 0);
    CHECK_EQ(tern__pool_report_leaks(NULL, NULL), 0);
    tern__pool_flush_thread();
}

static void init__takes_the_configured_size(void) {
    tern_mem_config config;
    tern_mem_stats stats;
    tern_mem_config_init(&config);
    config.max_class_bytes = SHARE;
    config.huge_pages = false;
    CHECK_EQ(tern_mem_init(&config), 0);
    tern_mem_get_stats(&stats);
    CHECK_EQ(stats.reserved_bytes, (uint64_t)SHARE * 32);
    CHECK_EQ(stats.committed_bytes, 0);
}

static void alloc__class_above_the_share(void) {
    CHECK(!tern_alloc(SHARE + 1));
    CHECK(!tern_alloc((size_t)1 << 30));
}

/* All buffers of a class: then NULL, and after a free one more. 128 KB is an ordinary class, 64 MB a giant one. */
static void exhaust(size_t size) {
    enum { MAX = 4096 };
    static void *bufs[MAX + 1];
    size_t n = 0;
    while (n <= MAX && (bufs[n] = tern_alloc(size))) n++;
    CHECK_EQ(n, SHARE / size);
    tern_unref(bufs[n / 2]);
    void *again = tern_alloc(size);
    CHECK(again == bufs[n / 2]);
    CHECK(!tern_alloc(size));
    for (size_t i = 0; i < n; i++) tern_unref(bufs[i]);
    CHECK_EQ(tern__pool_report_leaks(NULL, NULL), 0);
}

static void alloc__class_used_up(void) { exhaust(128 << 10); }
static void alloc__giant_class_used_up(void) { exhaust(64 << 20); }

static void unref__giants_give_memory_back(void) {
    uint64_t before = committed_bytes();
    CHECK(before <= SHARE + (256u << 20) + (4u << 20));
    uint8_t *a = tern_alloc(512 << 20);
    CHECK(a);
    CHECK_EQ(committed_bytes(), before + (512u << 20));
    a[0] = 1, a[(512 << 20) - 1] = 2;
    tern_unref(a);
    CHECK_EQ(committed_bytes(), before);
    uint8_t *b = tern_alloc(512 << 20);
    CHECK(b == a);
    CHECK_EQ(b[0] + b[(512 << 20) - 1], 0); /* new pages: the old ones are really gone */
    tern_unref(b);
}

static void share__keeps_memory_from_then_on(void) {
    tern__pool_view view;
    CHECK_EQ(tern__pool_share(&view), 0);
    uint8_t *a = tern_alloc(512 << 20);
    CHECK(a);
    a[(512 << 20) - 1] = 1;
    uint64_t before = committed_bytes();
    tern_unref(a);
    CHECK_EQ(committed_bytes(), before);
    uint8_t *b = tern_alloc(512 << 20);
    CHECK(b == a);
    CHECK_EQ(committed_bytes(), before);
    CHECK_EQ(b[(512 << 20) - 1], 1);
    tern_unref(b);
}

TAP_MAIN(TEST(in_pool__before_set_up), TEST(init__takes_the_configured_size), TEST(alloc__class_above_the_share),
         TEST(alloc__class_used_up), TEST(alloc__giant_class_used_up), TEST(unref__giants_give_memory_back),
         TEST(share__keeps_memory_from_then_on))
