/* The pool under threads: set-up by all at once, frees on other threads, shared counts, thread exit. Meant to run under
 * ThreadSanitizer too. */
#include <pthread.h>

#include "mem/pool.h"
#include "pool_stats.h"
#include "tap.h"

enum { N_THREADS = 4 };

/* What a thread function returns when something was wrong: the line. */
#define FAILED ((void *)(intptr_t)__LINE__)

/* Run fn on n threads with arguments 0..n-1; true when each returned NULL. */
static bool on_threads(int n, void *(*fn)(void *)) {
    pthread_t threads[N_THREADS];
    bool ok = true;
    for (int i = 0; i < n; i++) ok &= pthread_create(&threads[i], NULL, fn, (void *)(intptr_t)i) == 0;
    for (int i = 0; i < n; i++) {
        void *result = NULL;
        ok &= pthread_join(threads[i], &result) == 0 && result == NULL;
        if (result) printf("# thread %d failed at line %d\n", i, (int)(intptr_t)result);
    }
    return ok;
}

static pthread_barrier_t barrier;

static void *first_use(void *arg) {
    int x = 0;
    pthread_barrier_wait(&barrier);
    bool inside = tern_in_pool(&x);
    tern_unref(&x);
    void *buf = tern_alloc((size_t)64 << (intptr_t)arg);
    bool ok = buf && !inside && tern_in_pool(buf);
    tern_unref(buf);
    return ok ? NULL : FAILED;
}

static void alloc__first_on_all_threads(void) {
    pthread_barrier_init(&barrier, NULL, N_THREADS);
    CHECK(on_threads(N_THREADS, first_use));
    pthread_barrier_destroy(&barrier);
    CHECK_EQ(live_buffers(), 0);
}

/* A queue of buffers under a lock, so that what one thread allocates and writes another reads and frees. */
static struct {
    pthread_mutex_t lock;
    uint32_t *bufs[256];
    unsigned n;
} queue = {.lock = PTHREAD_MUTEX_INITIALIZER};

static uint32_t *exchange(uint32_t *in, unsigned pick) {
    pthread_mutex_lock(&queue.lock);
    uint32_t *out = NULL;
    if (queue.n < 256) {
        queue.bufs[queue.n++] = in;
    } else {
        out = queue.bufs[pick % 256];
        queue.bufs[pick % 256] = in;
    }
    pthread_mutex_unlock(&queue.lock);
    return out;
}

static bool check_and_free(uint32_t *buf) {
    bool ok = buf[0] == ~buf[15] && tern_refcount(buf) == 1;
    buf[0] = 0;
    tern_unref(buf);
    return ok;
}

static void *pass_on(void *arg) {
    uint32_t x = (uint32_t)(intptr_t)arg * 7919 + 1;
    for (int i = 0; i < 20000; i++) {
        x = x * 1664525 + 1013904223;
        uint32_t *buf = tern_alloc((size_t)64 << (x >> 28));
        if (!buf) return FAILED;
        buf[0] = x;
        buf[15] = ~x;
        uint32_t *other = exchange(buf, x >> 8);
        if (other && !check_and_free(other)) return FAILED;
    }
    return NULL;
}

static void unref__on_another_thread(void) {
    CHECK(on_threads(N_THREADS, pass_on));
    CHECK_EQ(live_buffers(), queue.n);
    while (queue.n > 0) CHECK(check_and_free(queue.bufs[--queue.n]));
    CHECK_EQ(live_buffers(), 0);
}

static uint32_t *shared_buf;

static void *ref_and_unref(void *arg) {
    (void)arg;
    for (int i = 0; i < 50000; i++) {
        if (tern_ref(shared_buf) != 0) return FAILED;
        if (tern_recover((char *)shared_buf + 99, NULL) != shared_buf) return FAILED;
        tern_unref(shared_buf);
    }
    tern_unref(shared_buf); /* the reference that the test made for this thread */
    return NULL;
}

static void ref__same_buffer_on_all_threads(void) {
    shared_buf = tern_alloc(100);
    CHECK(shared_buf);
    for (int i = 0; i < N_THREADS; i++) tern_ref(shared_buf);
    CHECK(on_threads(N_THREADS, ref_and_unref));
    CHECK_EQ(tern_refcount(shared_buf), 1);
    tern_unref(shared_buf);
    CHECK_EQ(live_buffers(), 0);
}

/* Each thread drops its reference; whoever is last frees, and all writes are seen by the next owner. */
static void *write_and_drop(void *arg) {
    shared_buf[(intptr_t)arg] = 7;
    tern_unref(shared_buf);
    return NULL;
}

static void unref__last_of_many(void) {
    for (int i = 0; i < 200; i++) {
        shared_buf = tern_alloc(64);
        for (int t = 1; t < N_THREADS; t++) tern_ref(shared_buf);
        CHECK(on_threads(N_THREADS, write_and_drop));
        CHECK_EQ(live_buffers(), 0);
    }
}

static void *fill_cache(void *arg) {
    void *bufs[32];
    (void)arg;
    for (int i = 0; i < 32; i++) bufs[i] = tern_alloc(4096);
    for (int i = 0; i < 32; i++) tern_unref(bufs[i]);
    return NULL;
}

/* A thread that ends gives its cache back: a thousand threads, one after the other, share the same few buffers. */
static void thread_exit__returns_the_cache(void) {
    tern_mem_stats before, after;
    CHECK(on_threads(1, fill_cache));
    tern_mem_get_stats(&before);
    for (int i = 0; i < 300; i++) CHECK(on_threads(1, fill_cache));
    tern_mem_get_stats(&after);
    CHECK_EQ(after.committed_bytes, before.committed_bytes);
    CHECK_EQ(after.live_buffers, 0);
}

static void *giants(void *arg) {
    for (int i = 0; i < 20; i++) {
        uint32_t *buf = tern_alloc((size_t)(2 << 20) << ((i + (int)(intptr_t)arg) % 3));
        if (!buf) return FAILED;
        buf[0] = buf[1] = 1;
        tern_unref(buf);
    }
    return NULL;
}

static void alloc__giants_on_all_threads(void) {
    CHECK(on_threads(N_THREADS, giants));
    CHECK_EQ(live_buffers(), 0);
}

TAP_MAIN(TEST(alloc__first_on_all_threads), TEST(unref__on_another_thread), TEST(ref__same_buffer_on_all_threads),
         TEST(unref__last_of_many), TEST(thread_exit__returns_the_cache), TEST(alloc__giants_on_all_threads))
