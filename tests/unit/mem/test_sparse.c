/* Buffers that get their memory as they fill up. */
#include <sys/wait.h>
#include <unistd.h>

#include "mem/pool.h"
#include "pool_stats.h"
#include "tap.h"

enum { KB = 1 << 10, MB = 1 << 20, LEAST = 2 * TERN__SPARSE_LEAST_BYTES, MAX_BYTES = 32 * MB };

static uint64_t age = 1;

/* The pool keeps nothing afterwards. */
static void give_back_all(void) {
    for (int i = 0; i < 2; i++) tern__pool_age(age += TERN__POOL_AGE_NS);
    CHECK(!tern__pool_is_warm());
}

/* Memory comes before the bytes, at most as much again as is there, or 2 MB; all bytes hold. */
static void sparse__memory_follows_the_bytes(void) {
    const size_t size = 8 * MB + 12345;
    uint64_t before = committed_bytes();
    uint8_t *buf = tern__sparse_alloc(size, LEAST);
    CHECK(buf);
    CHECK_OK();
    CHECK_EQ(committed_bytes(), before + LEAST);
    for (size_t at = 0; at < size && !tap_failed;) {
        size_t end = at + 1000 < size ? at + 1000 : size, ahead = end < LEAST ? LEAST : end;
        if (ahead > TERN__SPARSE_AHEAD_BYTES) ahead = TERN__SPARSE_AHEAD_BYTES;
        size_t filled = tern__sparse_reach(buf, end, size);
        CHECK(filled >= end && filled <= size);
        CHECK(committed_bytes() - before <= end + ahead + 4 * KB);
        for (; at < end; at++) buf[at] = (uint8_t)(at * 7);
    }
    for (size_t i = 0; i < size; i += 333) CHECK(buf[i] == (uint8_t)(i * 7));
    tern_unref(buf);
}

/* Those below 2 MB, too, and a short one is an ordinary buffer. Its size is that of its memory. */
static void sparse__of_every_size(void) {
    for (size_t size = 1; size <= 64 * MB; size = size * 3 / 2 + 1) {
        uint8_t *buf = tern__sparse_alloc(size, LEAST);
        size_t bytes;
        CHECK(buf);
        size_t filled = tern__sparse_reach(buf, 1, size);
        CHECK(tern_recover(buf, &bytes) == buf && bytes >= filled);
        CHECK_EQ(tern__sparse_reach(buf, size, size), size);
        CHECK(tern_recover(buf + size - 1, &bytes) == buf && bytes >= size);
        buf[0] = buf[size - 1] = 1;
        tern_unref(buf);
    }
    CHECK(!tern__sparse_alloc(0, LEAST));
    CHECK(!tern__sparse_alloc((size_t)TERN_BUF_MAX_BYTES + 1, LEAST));
}

/* What a sparse buffer has is used again; who wants all of one gets all. */
static void sparse__whole_when_allocated_whole(void) {
    give_back_all();
    uint8_t *sparse = tern__sparse_alloc(32 * MB, LEAST);
    CHECK(sparse);
    CHECK_OK();
    tern_unref(sparse);
    tern__pool_traffic before = tern__pool_get_traffic();
    CHECK(tern__sparse_alloc(32 * MB, LEAST) == sparse);
    tern_unref(sparse);
    CHECK_EQ(tern__pool_get_traffic().populated_bytes, before.populated_bytes);
    uint8_t *whole = tern_alloc_private(32 * MB);
    CHECK(whole == sparse);
    CHECK_EQ(tern__pool_get_traffic().populated_bytes, before.populated_bytes + 32 * MB - LEAST);
    CHECK_EQ(tern__sparse_reach(whole, 1, 32 * MB), 32 * MB);
    tern_unref(whole);
}

/* Memory that is given back is all of the buffer's, and is counted. */
static void sparse__given_back_beyond_what_is_kept(void) {
    enum { N = 5 };
    void *bufs[N];
    uint64_t before = committed_bytes();
    for (int i = 0; i < N; i++) {
        bufs[i] = tern__sparse_alloc(128 * MB, LEAST);
        CHECK(bufs[i]);
        CHECK_OK();
        CHECK_EQ(tern__sparse_reach(bufs[i], 100 * MB, 100 * MB), 100 * MB);
    }
    CHECK_EQ(committed_bytes(), before + N * 100 * MB);
    for (int i = 0; i < N; i++) tern_unref(bufs[i]);
    CHECK(committed_bytes() <= before + 256 * MB);
    for (int i = 0; i < N; i++) CHECK((bufs[i] = tern_alloc_private(128 * MB)) != NULL);
    CHECK(committed_bytes() <= before + N * 128ull * MB); /* what other classes kept has gone */
    for (int i = 0; i < N; i++) memset(bufs[i], i, 128 * MB);
    for (int i = 0; i < N; i++) tern_unref(bufs[i]);
}

/* A class that is used in turn while another keeps all that may be kept: memory moves once at most. */
static void give__one_class_in_turn_while_another_is_full(void) {
    enum { N = 256, SIZE = 8 * MB };
    static void *bufs[N];
    for (int whole = 0; whole < 2; whole++) {
        for (int i = 0; i < N; i++) CHECK((bufs[i] = tern_alloc_private(2 * MB)) != NULL);
        for (int i = 0; i < N; i++) tern_unref(bufs[i]);
        tern_unref(tern_alloc_private(SIZE));
        tern__pool_traffic before = tern__pool_get_traffic();
        for (int i = 0; i < 100; i++) tern_unref(whole ? tern_alloc_private(SIZE) : tern__sparse_alloc(SIZE, LEAST));
        CHECK_EQ(tern__pool_get_traffic().populated_bytes, before.populated_bytes);
        CHECK_EQ(tern__pool_get_traffic().decommitted_bytes, before.decommitted_bytes);
    }
}

/* What is in use and nobody has asked for counts as kept: who takes little of what others have filled does not make the
 * pool keep as much again. */
static void give__counts_what_nobody_has_asked_for(void) {
    enum { N = 8, SIZE = 32 * MB };
    void *bufs[N], *sparse[N];
    give_back_all();
    uint64_t before = committed_bytes();
    for (int i = 0; i < N; i++) CHECK((bufs[i] = tern_alloc_private(SIZE)) != NULL);
    for (int i = 0; i < N; i++) tern_unref(bufs[i]);
    for (int i = 0; i < N; i++) CHECK((sparse[i] = tern__sparse_alloc(SIZE, LEAST)) != NULL);
    for (int i = 0; i < N; i++) CHECK((bufs[i] = tern_alloc_private(SIZE)) != NULL);
    for (int i = 0; i < N; i++) tern_unref(bufs[i]);
    CHECK(committed_bytes() <= before + N * (uint64_t)SIZE + 32 * MB);
    for (int i = 0; i < N; i++) CHECK_EQ(tern__sparse_reach(sparse[i], SIZE, SIZE), SIZE); /* all of it */
    for (int i = 0; i < N; i++) CHECK((bufs[i] = tern_alloc_private(SIZE)) != NULL);
    for (int i = 0; i < N; i++) tern_unref(bufs[i]);
    CHECK(committed_bytes() >= before + 2 * N * (uint64_t)SIZE - 32 * MB);
    for (int i = 0; i < N; i++) tern_unref(sparse[i]);
    CHECK(committed_bytes() <= before + N * (uint64_t)SIZE + 32 * MB);
}

/* What was not needed between two looks is given back; what was needed stays. */
static void age__gives_back_what_is_idle(void) {
    enum { N = 4, SIZE = 4 * MB };
    void *bufs[N];
    for (int kind = 0; kind < 2; kind++) {
        void *(*alloc)(size_t) = kind ? tern_alloc_private : tern_alloc;
        give_back_all();
        uint64_t before = committed_bytes();
        for (int i = 0; i < N; i++) CHECK((bufs[i] = alloc(SIZE)) != NULL);
        for (int i = 0; i < N; i++) tern_unref(bufs[i]);
        CHECK(tern__pool_is_warm());
        tern__pool_age(age += TERN__POOL_AGE_NS);
        CHECK_EQ(committed_bytes(), before + N * (uint64_t)SIZE);
        tern_unref(alloc(SIZE));
        tern__pool_age(age + TERN__POOL_AGE_NS - 1); /* too early */
        CHECK_EQ(committed_bytes(), before + N * (uint64_t)SIZE);
        tern__pool_age(age += TERN__POOL_AGE_NS);
        CHECK_EQ(committed_bytes(), before + SIZE);
        tern__pool_age(age += TERN__POOL_AGE_NS);
        CHECK_EQ(committed_bytes(), before);
        CHECK(!tern__pool_is_warm());
    }
}

#define CHILD_CHECK(cond)                                                                                              \
    if (!(cond)) _exit(__LINE__ % 256)

/* In a pool with a ceiling: what is ahead is left out first, then there is no more; what was there stays. */
static void sparse__at_the_ceiling(void) {
    int status;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        tern_mem_config config;
        tern_mem_config_init(&config);
        config.max_bytes = MAX_BYTES;
        CHILD_CHECK(tern_mem_init(&config) == 0);
        uint8_t *buf = tern__sparse_alloc(64 * MB, LEAST), *other = tern__sparse_alloc(64 * MB, LEAST);
        CHILD_CHECK(buf && other);
        size_t reach = MAX_BYTES - 256 * KB, filled = tern__sparse_reach(buf, reach, 64 * MB);
        CHILD_CHECK(filled >= reach && filled < MAX_BYTES);
        CHILD_CHECK(tern__sparse_reach(buf, MAX_BYTES, 64 * MB) == 0);
        CHILD_CHECK(tern__sparse_reach(other, MB, 64 * MB) == 0);
        memset(buf, 1, filled);
        CHILD_CHECK(committed_bytes() <= MAX_BYTES);
        tern_unref(buf);
        CHILD_CHECK(tern__sparse_reach(other, MB, 64 * MB) >= MB); /* what was kept gives way */
        CHILD_CHECK(committed_bytes() <= MAX_BYTES);
        tern_unref(other);
        _exit(0);
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK_EQ(WEXITSTATUS(status), 0);
}

TAP_MAIN(TEST(sparse__at_the_ceiling), TEST(give__one_class_in_turn_while_another_is_full),
         TEST(give__counts_what_nobody_has_asked_for), TEST(sparse__whole_when_allocated_whole),
         TEST(sparse__memory_follows_the_bytes), TEST(sparse__of_every_size),
         TEST(sparse__given_back_beyond_what_is_kept), TEST(age__gives_back_what_is_idle))
