/* A pool with a ceiling for its memory, and one in a process that may not have much. What needs a pool of its own runs
 * in a child, before this process has one. */
#include <pthread.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/rng.h"
#include "mem/poison.h"
#include "mem/pool.h"
#include "pool_stats.h"
#include "tap.h"

enum { MAX_BYTES = 64 << 20, N_THREADS = 4, ROUNDS = 1000 };

/* The line where the child stopped, or 0. */
static int in_child(int (*run)(void)) {
    int status;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) _exit(run());
    if (child < 0 || waitpid(child, &status, 0) != child) return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

#define CHILD_CHECK(cond)                                                                                              \
    if (!(cond)) return __LINE__

/* A program that was compiled when the configuration ended before max_bytes. */
static int run_old_config(void) {
    tern_mem_config config;
    tern_mem_config_init(&config);
    CHILD_CHECK(config.max_bytes == 0);
    config.size = offsetof(tern_mem_config, max_bytes);
    config.max_bytes = 1;
    CHILD_CHECK(tern_mem_init(&config) == 0 && tern_alloc(100));
    return 0;
}

static void init__a_shorter_config_has_no_ceiling(void) { CHECK_EQ(in_child(run_old_config), 0); }

/* RLIMIT_DATA bounds private writable memory, reserved or not, as strict overcommit does for the whole machine. */
static int run_with_little_data(void) {
    tern_mem_config config;
    tern_mem_config_init(&config);
    CHILD_CHECK(setrlimit(RLIMIT_DATA, &(struct rlimit){64 << 20, 64 << 20}) == 0);
    CHILD_CHECK(tern_mem_init(&config) == 0);
    for (size_t bytes = 64; bytes <= 16 << 20; bytes *= 2) {
        void *bufs[200];
        size_t n = 0, n_max = bytes > 1 << 20 ? 4 : 200;
        for (; n < n_max && (bufs[n] = tern_alloc(bytes)); n++) memset(bufs[n], 1, 64);
        CHILD_CHECK(n == n_max);
        while (n > 0) tern_unref(bufs[--n]);
    }
    tern__pool_flush_thread();
    pid_t child = fork(); /* which inherits what is writable */
    if (child == 0) _exit(0);
    int status;
    CHILD_CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
    return 0;
}

/* Shared memory is without files then, and counts, too. */
static int run_with_little_data_and_no_files(void) {
    CHILD_CHECK(setrlimit(RLIMIT_FSIZE, &(struct rlimit){0, 0}) == 0);
    CHILD_CHECK(setrlimit(RLIMIT_DATA, &(struct rlimit){64 << 20, 64 << 20}) == 0);
    for (size_t bytes = 64; bytes <= 8 << 20; bytes *= 2) {
        void *buf = tern_alloc(bytes);
        CHILD_CHECK(buf);
        memset(buf, 1, bytes);
        tern_unref(buf);
    }
    return 0;
}

static void init__takes_no_more_private_memory_than_is_used(void) {
    if (TERN__SANITIZED || TERN__ON_VALGRIND) SKIP("the sanitizer's own memory is above any small limit");
    CHECK_EQ(in_child(run_with_little_data), 0);
    CHECK_EQ(in_child(run_with_little_data_and_no_files), 0);
}

static void init__with_a_ceiling(void) {
    tern_mem_config config;
    tern_mem_config_init(&config);
    config.huge_pages = false;
    config.max_bytes = MAX_BYTES;
    CHECK_EQ(tern_mem_init(&config), 0);
}

static void alloc__giants_up_to_the_ceiling(void) {
    CHECK(!tern_alloc(MAX_BYTES * 2));
    uint8_t *a = tern_alloc(32 << 20), *b = tern_alloc(32 << 20);
    CHECK(a && b);
    CHECK_EQ(committed_bytes(), MAX_BYTES);
    CHECK(!tern_alloc(32 << 20) && !tern_alloc(2 << 20) && !tern_alloc(64));
    CHECK_EQ(committed_bytes(), MAX_BYTES);
    a[0] = b[(32 << 20) - 1] = 1;
    tern_unref(a);
    CHECK_EQ(committed_bytes(), MAX_BYTES); /* kept for the next one */
    a = tern_alloc(20 << 20);
    CHECK(a);
    tern_unref(a);
    tern_unref(b);
}

/* What one class keeps for reuse gives way to another. */
static void alloc__other_classes_get_what_is_kept(void) {
    void *bufs[4];
    CHECK_EQ(committed_bytes(), MAX_BYTES);
    for (int i = 0; i < 4; i++) {
        bufs[i] = tern_alloc(16 << 20);
        CHECK(bufs[i]);
        CHECK(committed_bytes() <= MAX_BYTES);
    }
    CHECK(!tern_alloc(16 << 20) && !tern_alloc(4096));
    tern_unref(bufs[3]);
    void *small = tern_alloc(4096);
    CHECK(small);
    CHECK(committed_bytes() < MAX_BYTES);
    tern_unref(small);
    for (int i = 0; i < 3; i++) tern_unref(bufs[i]);
}

static void arena__fails_and_goes_on(void) {
    tern_arena arena;
    tern_arena_init(&arena, 0, 0);
    void *big = tern_alloc(32 << 20), *most = tern_alloc(16 << 20);
    CHECK(big && most);
    while (tern_arena_alloc(&arena, 1 << 20)) continue;
    CHECK(committed_bytes() <= MAX_BYTES);
    CHECK(arena.used_bytes > 8 << 20);
    tern_unref(big);
    CHECK(tern_arena_alloc(&arena, 1 << 20));
    tern_arena_fini(&arena);
    tern_unref(most);
    CHECK_EQ(live_buffers(), 0);
}

static uint64_t n_refused;

static void *churn(void *arg) {
    tern__rng rng;
    void *bufs[32] = {0};
    tern__rng_seed(&rng, (uintptr_t)arg);
    for (int i = 0; i < ROUNDS; i++) {
        size_t k = tern__rng_below(&rng, 32), bytes = (size_t)64 << tern__rng_below(&rng, 18);
        tern_unref(bufs[k]);
        bufs[k] = tern_alloc(bytes);
        if (bufs[k])
            memset(bufs[k], 1, 64);
        else
            __atomic_fetch_add(&n_refused, 1, __ATOMIC_RELAXED);
    }
    for (size_t k = 0; k < 32; k++) tern_unref(bufs[k]);
    return NULL;
}

static void threads__at_the_ceiling(void) {
    pthread_t threads[N_THREADS];
    for (uintptr_t i = 0; i < N_THREADS; i++) CHECK_EQ(pthread_create(&threads[i], NULL, churn, (void *)(i + 1)), 0);
    for (size_t i = 0; i < N_THREADS; i++) pthread_join(threads[i], NULL);
    printf("# %llu of %d allocations refused\n", (unsigned long long)n_refused, N_THREADS * ROUNDS);
    CHECK(n_refused < N_THREADS * ROUNDS / 2);
    CHECK(committed_bytes() <= MAX_BYTES);
    CHECK_EQ(live_buffers(), 0);
}

/* Last, since an ordinary class keeps what it has. Smaller steps near the ceiling use all of it. */
static void alloc__ordinary_buffers_up_to_the_ceiling(void) {
    enum { N = MAX_BYTES / (128 << 10) };
    static void *bufs[N + 1];
    size_t n = 0;
    while (n <= N && (bufs[n] = tern_alloc(128 << 10))) n++;
    CHECK(n <= N && committed_bytes() > MAX_BYTES - (128 << 10) && committed_bytes() <= MAX_BYTES);
    tern_unref(bufs[n / 2]);
    CHECK(tern_alloc(128 << 10) == bufs[n / 2]);
    for (size_t i = 0; i < n; i++) tern_unref(bufs[i]);
    CHECK_EQ(live_buffers(), 0);
    tern__pool_flush_thread();
    bufs[0] = tern_alloc(64);
    CHECK(bufs[0]);
    tern_unref(bufs[0]);
}

TAP_MAIN(TEST(init__a_shorter_config_has_no_ceiling), TEST(init__takes_no_more_private_memory_than_is_used),
         TEST(init__with_a_ceiling), TEST(alloc__giants_up_to_the_ceiling), TEST(alloc__other_classes_get_what_is_kept),
         TEST(arena__fails_and_goes_on), TEST(threads__at_the_ceiling), TEST(alloc__ordinary_buffers_up_to_the_ceiling))
