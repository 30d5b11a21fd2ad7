/* The pool seen by one thread: every size of both kinds, every kind of pointer, counts, failures, fork. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mem/pool.h"
#include "pool_stats.h"
#include "tap.h"

enum { N_CLASSES = 25 };

static void check_interior(const uint8_t *buf, size_t size) {
    const size_t at[] = {0, 1, size / 2, size - 1};
    for (size_t i = 0; i < 4; i++) {
        size_t found = 0;
        CHECK(tern_recover(buf + at[i], &found) == buf);
        CHECK_EQ(found, size);
        CHECK_EQ(tern_refcount(buf + at[i]), 1);
        CHECK(tern_in_pool(buf + at[i]));
        CHECK(tern__pool_contains(buf + at[i], size - at[i]));
        CHECK(!tern__pool_contains(buf + at[i], size - at[i] + 1));
        CHECK(!tern__pool_contains(buf + at[i], SIZE_MAX));
    }
}

typedef void *alloc_fn(size_t bytes);

static void check_every_class(alloc_fn *alloc, bool is_private) {
    uint64_t before = live_buffers();
    for (unsigned cls = 0; cls < N_CLASSES; cls++) {
        size_t size = (size_t)64 << cls;
        const size_t asked[] = {size, size - 1, size / 2 + 1, cls ? size / 2 + 1 : 1};
        for (size_t i = 0; i < (size <= 16 << 20 ? 4 : 1); i++) {
            uint8_t *buf = alloc(asked[i]);
            CHECK(buf);
            CHECK_EQ(!tern__pool_shared_segment(buf + size - 1), is_private);
            CHECK_EQ((uintptr_t)buf % (size < 4096 ? size : 4096), 0);
            CHECK_EQ(tern__pool_live(cls), 1);
            buf[0] = 1, buf[size - 1] = 2;
            check_interior(buf, size);
            CHECK_OK();
            tern_unref(buf + size - 1);
            CHECK(!tern_recover(buf, NULL));
            CHECK_EQ(tern_refcount(buf), 0);
            CHECK(!tern__pool_contains(buf, 1));
            CHECK_EQ(tern__pool_live(cls), 0);
        }
    }
    CHECK_EQ(live_buffers(), before);
}

static void alloc__every_class(void) { check_every_class(tern_alloc, false); }
static void alloc_private__every_class(void) { check_every_class(tern_alloc_private, true); }

/* A size has two kinds, which never hand out each other's buffers. */
static void alloc__kinds_stay_apart(void) {
    enum { N = 300 };
    for (size_t bytes = 64; bytes <= 4 << 20; bytes *= 16) {
        void *shared[N], *hidden[N];
        int n = bytes > 1 << 20 ? 3 : N;
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < n; i++) {
                shared[i] = tern_alloc(bytes);
                hidden[i] = tern_alloc_private(bytes);
                CHECK(tern__pool_shared_segment(shared[i]) && hidden[i] && !tern__pool_shared_segment(hidden[i]));
            }
            for (int i = 0; i < n; i++) {
                tern_unref(hidden[i]);
                tern_unref(shared[n - 1 - i]);
            }
        }
    }
    CHECK_EQ(live_buffers(), 0);
}

static void alloc__sizes_out_of_range(void) {
    CHECK(!tern_alloc_private(0) && !tern_alloc_private((size_t)TERN_BUF_MAX_BYTES + 1));
    CHECK(!tern_alloc(0));
    CHECK(!tern_alloc((size_t)TERN_BUF_MAX_BYTES + 1));
    CHECK(!tern_alloc(SIZE_MAX));
    CHECK(!tern_alloc(SIZE_MAX / 2 + 1));
    CHECK_EQ(live_buffers(), 0);
}

/* Neighbours of one class lie side by side: no pointer of one recovers the other, and writes stay apart. */
static void alloc__neighbours_are_apart(void) {
    enum { N = 1000 };
    static uint8_t *bufs[N];
    for (int i = 0; i < N; i++) {
        bufs[i] = tern_alloc(128);
        CHECK(bufs[i]);
        memset(bufs[i], i & 255, 128);
    }
    for (int i = 0; i < N; i++) {
        for (int b = 0; b < 128; b++) CHECK_EQ(bufs[i][b], i & 255);
        CHECK(tern_recover(bufs[i] + 127, NULL) == bufs[i]);
    }
    CHECK_EQ(tern__pool_live(1), N);
    for (int i = 0; i < N; i++) tern_unref(bufs[i]);
    CHECK_EQ(tern__pool_live(1), 0);
}

static void alloc__last_freed_comes_first(void) {
    void *a = tern_alloc(1000), *b = tern_alloc(1000);
    tern_unref(a);
    tern_unref(b);
    void *c = tern_alloc(1000), *d = tern_alloc(1000);
    CHECK(c == b && d == a);
    tern_unref(c);
    tern_unref(d);
}

static void recover__foreign_memory(void) {
    static int of_program;
    int on_stack = 0;
    void *of_heap = malloc(64);
    uint8_t *buf = tern_alloc(1);
    uintptr_t head = (uintptr_t)tern__pool_shared_segment(buf); /* private, and no buffer of the pool's */
    tern_unref(buf);
    const void *foreign[] = {NULL,
                             &of_program,
                             &on_stack,
                             of_heap,
                             (void *)1,
                             (void *)UINTPTR_MAX,
                             (void *)head,
                             (void *)(head + TERN__SEGMENT_HEAD_BYTES - 1),
                             (void *)((uintptr_t)1 << 47),
                             (void *)((uintptr_t)1 << TERN__ADDRESS_BITS)};
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        size_t size = 77;
        CHECK(!tern_in_pool(foreign[i]));
        CHECK(!tern_recover(foreign[i], &size));
        CHECK_EQ(size, 77);
        CHECK_EQ(tern_ref(foreign[i]), TERN_ERR_INVALID);
        CHECK_EQ(tern_refcount(foreign[i]), 0);
        CHECK(!tern__pool_contains(foreign[i], 0));
        tern_unref(foreign[i]);
    }
    free(of_heap);
}

/* Any address of a segment, whether it belongs to a class or not, is answered without touching the memory there. */
static void recover__anywhere_in_a_segment(void) {
    for (size_t bytes = 64; bytes <= TERN_BUF_MAX_BYTES; bytes *= 2) {
        uint8_t *buf = tern_alloc(bytes);
        const tern__segment *s = tern__pool_shared_segment(buf);
        CHECK(s && (uintptr_t)buf >= s->start && (uintptr_t)buf - s->start < s->bytes);
        uint64_t x = bytes;
        for (int i = 0; i < 2000; i++) {
            x = x * 6364136223846793005u + 1442695040888963407u;
            const uint8_t *ptr = (void *)(s->start + (x >> 8) % s->bytes);
            bool inside = ptr >= buf && ptr < buf + bytes;
            CHECK(!inside || tern_in_pool(ptr));
            CHECK(tern_recover(ptr, NULL) == (inside ? buf : NULL));
            CHECK_EQ(tern_refcount(ptr), inside);
        }
        CHECK_OK();
        tern_unref(buf);
    }
}

static void ref__counts(void) {
    char *buf = tern_alloc(300);
    CHECK_EQ(tern_ref(buf + 10), 0);
    CHECK_EQ(tern_ref(buf + 299), 0);
    CHECK_EQ(tern_refcount(buf), 3);
    tern_unref(buf + 1);
    tern_unref(buf + 511);
    CHECK_EQ(tern_refcount(buf), 1);
    tern_unref(buf);
    CHECK_EQ(tern_ref(buf), TERN_ERR_INVALID);
    CHECK_EQ(tern_refcount(buf), 0);
}

static void ref_find__range(void) {
    uint8_t *buf = tern_alloc(512);
    uint32_t *counter = tern__ref_find(buf, 1);
    CHECK(counter && *counter == 1);
    CHECK(tern__ref_find(buf, 512) == counter);
    CHECK(tern__ref_find(buf + 511, 1) == counter);
    CHECK(!tern__ref_find(buf, 513));
    CHECK(!tern__ref_find(buf + 1, 512));
    CHECK(!tern__ref_find(buf, UINT32_MAX));
    CHECK(!tern__ref_find(&counter, 1));
    uint32_t *located = NULL;
    CHECK(tern__ref_locate(buf + 300, 212, &located) && located == counter);
    CHECK(!tern__ref_locate(buf + 300, 213, &located));
    CHECK(!tern__ref_locate(&counter, 1, &located));
    tern_unref(buf);
    CHECK_EQ(tern__ref_take(counter, buf), TERN_ERR_INVALID);
    CHECK_EQ(*counter, 0);
}

static void ref_take__quick_and_drop_by_the_count(void) {
    uint64_t before = live_buffers();
    for (size_t bytes = 64; bytes <= (size_t)4 << 20; bytes *= 2) {
        uint8_t *bufs[3];
        uint32_t *counters[3];
        for (size_t i = 0; i < 3; i++) {
            bufs[i] = tern_alloc(bytes);
            CHECK(bufs[i]);
            CHECK(tern__ref_take_quick(bufs[i] + bytes / 2, bytes / 2, &counters[i]));
            CHECK(!tern__ref_take_quick(bufs[i] + bytes / 2, bytes / 2 + 1, &counters[i]));
            CHECK_EQ(tern_refcount(bufs[i]), 2);
        }
        for (size_t i = 0; i < 3; i++) {
            if (i != 1)
                tern__ref_drop_counter(counters[i]);
            else
                CHECK(tern__ref_drop_quick(counters[i]));
            CHECK_EQ(tern_refcount(bufs[i]), 1);
            CHECK(!tern__ref_drop_quick(counters[i]));
            CHECK_EQ(tern_refcount(bufs[i]), 1);
            tern__ref_drop_counter(counters[i]);
            CHECK_EQ(tern_refcount(bufs[i]), 0);
            CHECK(!tern__ref_take_quick(bufs[i], 1, &counters[i]));
        }
    }
    CHECK_EQ(live_buffers(), before);
}

static void ref_take__and_drop(void) {
    uint64_t before = live_buffers();
    uint8_t *buf = tern_alloc(4096);
    uint32_t *counter = tern__ref_find(buf, 4096);
    for (uint32_t i = 2; i < 300; i++) {
        CHECK_EQ(tern__ref_take(counter, buf), 0);
        CHECK_EQ(tern_refcount(buf + 4095), i);
    }
    for (uint32_t i = 299; i > 0; i--) {
        CHECK_EQ(tern_refcount(buf), i);
        tern__ref_drop(counter, buf + i);
    }
    CHECK_EQ(live_buffers(), before);
    const uint32_t near_ceiling[] = {TERN__REFS_SATURATED - 2, TERN__REFS_SATURATED - 1, TERN__REFS_SATURATED};
    buf = tern_alloc(4096);
    counter = tern__ref_find(buf, 4096);
    for (size_t i = 0; i < TERN__COUNT(near_ceiling); i++) {
        tern__pool_set_count(buf, near_ceiling[i]);
        CHECK_EQ(tern__ref_take(counter, buf), 0);
        CHECK_EQ(tern_refcount(buf), i == 0 ? TERN__REFS_SATURATED - 1 : TERN__REFS_SATURATED);
        tern__ref_drop(counter, buf);
        CHECK_EQ(tern_refcount(buf), i == 0 ? TERN__REFS_SATURATED - 2 : TERN__REFS_SATURATED);
    }
    tern__pool_set_count(buf, 1);
    tern_unref(buf);
}

static void ref__saturates(void) {
    tern_mem_stats before, after;
    tern_mem_get_stats(&before);
    char *buf = tern_alloc(64);
    tern__pool_set_count(buf, UINT32_MAX / 2);
    CHECK_EQ(tern_refcount(buf), 0x7fffffff);
    tern_unref(buf);
    CHECK_EQ(tern_refcount(buf), 0x7ffffffe);
    CHECK_EQ(tern_ref(buf), 0);
    CHECK_EQ(tern_ref(buf), 0);
    CHECK_EQ(tern_refcount(buf), 0x80000000u);
    CHECK_EQ(tern_ref(buf), 0);
    for (int i = 0; i < 5; i++) tern_unref(buf);
    CHECK_EQ(tern_refcount(buf), 0x80000000u);
    tern_mem_get_stats(&after);
    CHECK_EQ(after.saturated_counts - before.saturated_counts, 1);
    tern__pool_set_count(buf, 1);
    tern_unref(buf);
    CHECK_EQ(live_buffers(), 0);
}

static void unref__twice(void) {
    char *buf = tern_alloc(64), text[256] = "", expected[32];
    int pipe_fds[2], status;
    tern_unref(buf);
    CHECK_EQ(pipe(pipe_fds), 0);
    pid_t pid = fork();
    if (pid == 0) {
        dup2(pipe_fds[1], STDERR_FILENO);
        tern_unref(buf + 3);
        tern_mem_stats stats;
        tern_mem_get_stats(&stats);
        _exit(stats.bad_unrefs == 1 ? 42 : 1);
    }
    close(pipe_fds[1]);
    CHECK(read(pipe_fds[0], text, sizeof text - 1) >= 0);
    close(pipe_fds[0]);
    CHECK_EQ(waitpid(pid, &status, 0), pid);
#ifdef NDEBUG
    (void)expected;
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 42);
#else
    snprintf(expected, sizeof expected, "%p", (void *)(buf + 3));
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    CHECK(strstr(text, expected));
#endif
}

static void fail_after__nth(void) {
    for (uint64_t n = 1; n <= 5; n++) {
        void *bufs[8];
        tern__pool_fail_after(n);
        for (uint64_t i = 0; i < 8; i++) {
            bufs[i] = tern_alloc(i == 2 ? (size_t)4 << 20 : 64); /* giants are counted too */
            CHECK_EQ(bufs[i] == NULL, i + 1 == n);
        }
        for (int i = 0; i < 8; i++) tern_unref(bufs[i]);
    }
    CHECK_EQ(tern__pool_fail_after(3), 0);
    CHECK_EQ(tern__pool_fail_after(0), 3);
    void *buf = tern_alloc(64);
    CHECK(buf);
    tern_unref(buf);
    CHECK_EQ(live_buffers(), 0);
}

static void init__when_up(void) {
    tern_mem_config config;
    tern_mem_config_init(&config);
    CHECK_EQ(tern_mem_init(&config), TERN_ERR_EXISTS);
    CHECK_EQ(tern_mem_init(NULL), TERN_ERR_EXISTS);
    config.size = 0;
    CHECK_EQ(tern_mem_init(&config), TERN_ERR_INVALID);
}

static const void *leaked[4];
static unsigned n_leaked;

static void note_leak(void *user, const void *buffer, size_t bytes, uint32_t count) {
    CHECK_EQ(bytes, (size_t)64 << *(unsigned *)user);
    CHECK_EQ(count, 2);
    if (n_leaked < 4) leaked[n_leaked++] = buffer;
}

static void report_leaks__names_them(void) {
    unsigned cls = 7;
    CHECK_EQ(tern__pool_report_leaks(NULL, NULL), 0);
    char *a = tern_alloc(64 << cls), *b = tern_alloc(64 << cls);
    tern_ref(a);
    tern_unref(b);
    n_leaked = 0;
    CHECK_EQ(tern__pool_report_leaks(note_leak, &cls), 1);
    CHECK_OK();
    CHECK(n_leaked == 1 && leaked[0] == a);
    CHECK_EQ(tern__pool_live(cls), 1);
    tern_unref(a);
    tern_unref(a);
    CHECK_EQ(tern__pool_report_leaks(NULL, NULL), 0);
}

static void fork__child_cannot_harm_its_parent(void) {
    int status;
    char *buf = tern_alloc(64);
    strcpy(buf, "parent");
    pid_t pid = fork();
    if (pid == 0) {
        bool ok = strcmp(buf, "parent") == 0 && !tern_alloc(64);
        tern_unref(buf);
        _exit(ok && !tern_alloc(64) && !tern_alloc(8 << 20) ? 42 : 1);
    }
    CHECK_EQ(waitpid(pid, &status, 0), pid);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 42);
    CHECK_EQ(tern_refcount(buf), 1);
    CHECK(strcmp(buf, "parent") == 0);
    tern_unref(buf);
}

/* ---- A model: random operations, with a stamp in each buffer that nobody else may overwrite ------ */

typedef struct slot {
    uint8_t *buf;
    size_t bytes;
    uint32_t refs;
    uint64_t stamp;
} slot;

static uint64_t rng = 42;

static uint32_t below(uint32_t n) {
    rng = rng * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((rng >> 33) % n);
}

static void stamp(slot *s) {
    s->stamp = rng;
    memcpy(s->buf, &s->stamp, 8);
    memcpy(s->buf + s->bytes - 8, &s->stamp, 8);
}

static bool stamp_intact(const slot *s) {
    return memcmp(s->buf, &s->stamp, 8) == 0 && memcmp(s->buf + s->bytes - 8, &s->stamp, 8) == 0;
}

static void model_step(slot *s) {
    if (!s->buf) {
        s->bytes = 16 + below(64u << below(below(20) ? 12 : 17));
        s->buf = tern_alloc(s->bytes);
        CHECK(s->buf);
        s->refs = 1;
        stamp(s);
        return;
    }
    const uint8_t *inside = s->buf + below((uint32_t)s->bytes);
    size_t size = 0;
    CHECK(stamp_intact(s));
    CHECK(tern_recover(inside, &size) == s->buf);
    CHECK(size >= s->bytes && (size < 2 * s->bytes || size == 64));
    CHECK_EQ(tern_refcount(inside), s->refs);
    if (below(3) == 0) {
        CHECK_EQ(tern_ref(inside), 0);
        s->refs++;
    } else {
        tern_unref(inside);
        if (--s->refs == 0) s->buf = NULL;
    }
}

static void model__random_operations(void) {
    enum { N_SLOTS = 300, N_STEPS = 200000 };
    static slot slots[N_SLOTS];
    uint64_t n_live = 0;
    for (int i = 0; i < N_STEPS; i++) {
        slot *s = &slots[below(N_SLOTS)];
        n_live -= s->buf != NULL;
        model_step(s);
        CHECK_OK();
        n_live += s->buf != NULL;
        if (i % 5000 == 0) CHECK_EQ(live_buffers(), n_live);
        if (below(10000) == 0) tern__pool_flush_thread();
    }
    CHECK_EQ(tern__pool_report_leaks(NULL, NULL), n_live);
    for (int i = 0; i < N_SLOTS; i++)
        while (slots[i].buf && slots[i].refs--) tern_unref(slots[i].buf);
    CHECK_EQ(live_buffers(), 0);
}

TAP_MAIN(TEST(alloc__sizes_out_of_range), TEST(alloc__every_class), TEST(alloc_private__every_class),
         TEST(alloc__kinds_stay_apart), TEST(alloc__neighbours_are_apart), TEST(alloc__last_freed_comes_first),
         TEST(recover__foreign_memory), TEST(recover__anywhere_in_a_segment), TEST(ref__counts), TEST(ref__saturates),
         TEST(ref_find__range), TEST(ref_take__and_drop), TEST(ref_take__quick_and_drop_by_the_count),
         TEST(unref__twice), TEST(fail_after__nth), TEST(init__when_up), TEST(report_leaks__names_them),
         TEST(fork__child_cannot_harm_its_parent), TEST(model__random_operations))
