/* Memory of buffers of up to 1 MB serves other sizes, and goes back to the system. What needs a pool of its own runs in
 * a child, before this process has one. */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/rng.h"
#include "mem/observe.h"
#include "mem/poison.h"
#include "mem/pool.h"
#include "pool_stats.h"
#include "tap.h"

enum { KB = 1 << 10, MB = 1 << 20, CHUNK = 4 * MB, KEPT = 256 * MB, LOAD = 135 * MB, MAX_BUFS = LOAD / (4 * KB) };

typedef void *alloc_fn(size_t bytes);

static uint64_t age = 1;

static void look(void) { tern__pool_age(age += TERN__POOL_AGE_NS); }

/* Returns what is left: nothing but what a few buffers of each size take. */
static uint64_t give_back_all(void) {
    for (int i = 0; i < 2; i++) look();
    return tern__pool_is_warm() ? UINT64_MAX : committed_bytes();
}

#define CHILD_CHECK(cond)                                                                                              \
    if (!(cond)) return __LINE__

static bool in_child(int (*run)(void)) {
    int status;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        int line = run();
        if (line) printf("# the child failed at line %d\n", line);
        fflush(stdout);
        _exit(line != 0);
    }
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* The buffers of one load. */
static uint8_t *bufs[MAX_BUFS];

/* Values of so many bytes up to `total`. Returns how many there are. */
static size_t load(alloc_fn *alloc, size_t bytes, size_t total) {
    size_t n = 0;
    for (; n < total / bytes && (bufs[n] = alloc(bytes)); n++) bufs[n][0] = bufs[n][bytes - 1] = 1;
    return n;
}

/* Free them in an order that is that of no address. */
static void unload(size_t n) {
    tern__rng rng;
    tern__rng_seed(&rng, n);
    while (n > 0) {
        size_t k = tern__rng_below(&rng, n);
        tern_unref(bufs[k]);
        bufs[k] = bufs[--n];
    }
}

static int by_address(const void *a, const void *b) {
    uintptr_t x = (uintptr_t) * (uint8_t *const *)a, y = (uintptr_t) * (uint8_t *const *)b;
    return (x > y) - (x < y);
}

static const size_t values[] = {12 * KB, 25 * KB, 50 * KB, 12 * KB, 800 * KB, 3 * KB + 1};
enum { N_VALUES = sizeof values / sizeof *values };

/* 135 MB each, with room for one of them: without a look, and whatever sizes came before. */
static int run_in_turn_at_the_ceiling(void) {
    tern_mem_config config;
    tern_mem_config_init(&config);
    config.max_bytes = 200 * MB;
    CHILD_CHECK(tern_mem_init(&config) == 0);
    for (size_t i = 0; i < N_VALUES; i++) {
        alloc_fn *alloc = i % 4 == 3 ? tern_alloc_private : tern_alloc;
        size_t total = values[i] < 4 * KB ? LOAD / 2 : LOAD, n = load(alloc, values[i], total);
        CHILD_CHECK(n == total / values[i]);
        CHILD_CHECK(committed_bytes() <= config.max_bytes);
        unload(n);
    }
    /* And a large buffer, which takes the memory of small ones. */
    void *large = tern_alloc_private(128 * MB);
    CHILD_CHECK(large && committed_bytes() <= config.max_bytes);
    tern_unref(large);
    CHILD_CHECK(load(tern_alloc, 12 * KB, LOAD) == LOAD / (12 * KB));
    return 0;
}

static void ceiling__classes_in_turn(void) { CHECK(in_child(run_in_turn_at_the_ceiling)); }

/* Free buffers in a thread's magazine do not stand in the way of other sizes. */
static int run_magazines_give_way(void) {
    tern_mem_config config;
    tern_mem_config_init(&config);
    config.max_bytes = 64 * KB;
    CHILD_CHECK(tern_mem_init(&config) == 0);
    void *small = tern_alloc(4 * KB);
    CHILD_CHECK(small);
    CHILD_CHECK(!tern_alloc(64 * KB));
    tern_unref(small);
    void *other = tern_alloc(64 * KB);
    CHILD_CHECK(other && !tern_alloc(4 * KB) && !tern_alloc_private(64));
    tern_unref(other);
    void *sparse = tern__sparse_alloc(1 * MB, 8 * KB);
    CHILD_CHECK(sparse && tern__is_sparse(sparse));
    tern_unref(sparse);
    return 0;
}

static void ceiling__magazines_give_way(void) { CHECK(in_child(run_magazines_give_way)); }

static void init__without_huge_pages(void) {
    tern_mem_config config;
    tern_mem_config_init(&config);
    config.huge_pages = false;
    CHECK_EQ(tern_mem_init(&config), 0);
}

/* One size after another lives in the memory of the first. */
static void take__classes_in_turn(void) {
    for (int kind = 0; kind < 2; kind++) {
        alloc_fn *alloc = kind ? tern_alloc_private : tern_alloc;
        uint64_t before = give_back_all();
        for (size_t i = 0; i < 3; i++) {
            size_t n = load(alloc, values[i], LOAD);
            CHECK_EQ(n, LOAD / values[i]);
            CHECK(committed_bytes() <= before + LOAD * 4ull / 3 + 2 * (uint64_t)CHUNK);
            unload(n);
        }
        CHECK(give_back_all() <= before + MB);
    }
}

/* What was not used between two looks goes; what was stays. */
static void age__gives_back_what_is_idle(void) {
    for (int kind = 0; kind < 2; kind++) {
        alloc_fn *alloc = kind ? tern_alloc_private : tern_alloc;
        uint64_t before = give_back_all();
        for (int i = 0; i < 5; i++) {
            unload(load(alloc, 16 * KB, 40 * MB));
            look();
            CHECK(tern__pool_is_warm());
            CHECK(committed_bytes() >= before + 40 * MB);
        }
        uint64_t all = committed_bytes();
        size_t n = load(alloc, 16 * KB, 40 * MB);
        qsort(bufs, n, sizeof *bufs, by_address);
        while (n > 0) tern_unref(bufs[--n]);
        look();
        unload(load(alloc, 16 * KB, 8 * MB)); /* the last ones freed */
        look();
        CHECK(committed_bytes() >= before + 8 * MB && committed_bytes() < all);
        look();
        look();
        CHECK(!tern__pool_is_warm());
        CHECK(committed_bytes() <= before + MB);
    }
}

/* A small chunk is not worth its way there and back. */
static void age__keeps_what_is_little(void) {
    give_back_all();
    tern_unref(tern_alloc(200));
    uint64_t before = give_back_all();
    void *buf = tern_alloc(200);
    CHECK_EQ(committed_bytes(), before);
    tern_unref(buf);
    CHECK_EQ(give_back_all(), before);
}

/* The free buffers of a thread's magazine, each in another chunk, become everybody's at a look. */
static void age__empties_magazines(void) {
    enum { N = 12, PER_CHUNK = CHUNK / (16 * KB) };
    uint64_t before = give_back_all();
    size_t n = load(tern_alloc, 16 * KB, (N + 1) * CHUNK);
    for (size_t i = 0; i < n; i++)
        if (i % PER_CHUNK) tern_unref(bufs[i]);
    for (size_t i = 0; i < n; i += PER_CHUNK) tern_unref(bufs[i]); /* the last ones stay in the magazine */
    CHECK(give_back_all() <= before + MB);
}

static void give__keeps_no_more_than_may_be(void) {
    enum { BYTES = 64 * KB, TOTAL = 600 * MB };
    uint64_t before = give_back_all();
    size_t n = load(tern_alloc_private, BYTES, TOTAL);
    CHECK_EQ(n, TOTAL / BYTES);
    unload(n);
    tern__pool_flush_thread();
    CHECK(committed_bytes() <= before + KEPT);
    CHECK(committed_bytes() >= before + KEPT / 2);
    uint8_t *giants[40];
    for (int i = 0; i < 40; i++) CHECK((giants[i] = tern_alloc_private(8 * MB)) != NULL);
    for (int i = 0; i < 40; i++) tern_unref(giants[i]);
    CHECK(committed_bytes() <= before + KEPT); /* all together */
    give_back_all();
}

static bool is_in_one(const uint8_t *buf, const uintptr_t *chunks, size_t n) {
    for (size_t i = 0; i < n; i++)
        if ((uintptr_t)buf >> TERN__CHUNK_SHIFT == chunks[i]) return true;
    return false;
}

/* What observers were told, in sums. */
static struct {
    tern__observer observer; /* first */
    uint64_t committed, given_back, gone_bytes;
    unsigned n_gone;
} told;

static void on_committed(tern__observer *o, const tern__segment *s, uintptr_t at, size_t len) {
    CHECK(o == &told.observer && at >= s->start && at + len <= s->start + s->bytes);
    __atomic_fetch_add(&told.committed, len, __ATOMIC_RELAXED);
}
static void on_decommit(tern__observer *o, const tern__segment *s, uintptr_t at, size_t len) {
    CHECK(o == &told.observer && at >= s->start && at + len <= s->start + s->bytes);
    __atomic_fetch_add(&told.given_back, len, __ATOMIC_RELAXED);
}
static void on_gone(tern__observer *o, const tern__segment *s) {
    CHECK(o == &told.observer && tern__segment_generation(s->index) != s->generation);
    for (unsigned i = 1; i < TERN__SEGMENT_CHUNKS; i++)
        __atomic_fetch_add(&told.gone_bytes, s->chunks[i].filled_bytes, __ATOMIC_RELAXED);
    __atomic_fetch_add(&told.n_gone, 1, __ATOMIC_RELAXED);
}

static void observe(void) {
    memset(&told, 0, sizeof told);
    told.observer.committed = on_committed;
    told.observer.decommit = on_decommit;
    told.observer.gone = on_gone;
    tern__observe(&told.observer);
}

/* Another class gets the chunk with its memory: nobody hears of it, and nothing is asked of the system. */
static void take__chunk_of_another_class(void) {
    enum { N_CHUNKS = 3 };
    uintptr_t chunks[N_CHUNKS + 2];
    size_t n_chunks = 0;
    give_back_all();
    size_t n = load(tern_alloc, 32 * KB, N_CHUNKS * CHUNK);
    for (size_t i = 0; i < n; i++)
        if (!is_in_one(bufs[i], chunks, n_chunks)) chunks[n_chunks++] = (uintptr_t)bufs[i] >> TERN__CHUNK_SHIFT;
    unload(n);
    tern__pool_flush_thread();
    uint64_t before = committed_bytes();
    observe();
    void *buf = tern_alloc(100 * KB), *hidden = tern_alloc_private(100 * KB);
    CHECK(buf && is_in_one(buf, chunks, n_chunks));
    CHECK(hidden && !is_in_one(hidden, chunks, n_chunks)); /* the kinds stay apart */
    size_t bytes;
    CHECK(tern_recover((char *)buf + 128 * KB - 1, &bytes) == buf && bytes == 128 * KB);
    CHECK(committed_bytes() <= before + MB);
    CHECK_EQ(told.committed, committed_bytes() - before);
    CHECK_EQ(told.given_back + told.n_gone, 0);
    tern_unref(buf);
    tern_unref(hidden);
    CHECK_EQ(live_buffers(), 0);
    tern__unobserve(&told.observer);
    /* A smaller size, whose counts were never written: all are 0. */
    n = load(tern_alloc, 64, N_CHUNKS * CHUNK / 8);
    for (size_t i = 0; i < n; i++) CHECK_EQ(tern_refcount(bufs[i]), 1);
    unload(n);
    CHECK_EQ(live_buffers(), 0);
}

/* Observers hear of all that comes and goes. */
static void age__tells_observers(void) {
    for (int kind = 0; kind < 2; kind++) {
        alloc_fn *alloc = kind ? tern_alloc_private : tern_alloc;
        uint64_t before = give_back_all();
        observe();
        size_t n = load(alloc, 16 * KB, 100 * MB);
        uint64_t most = committed_bytes();
        CHECK_EQ(told.committed, most - before);
        void *last = bufs[--n]; /* one buffer keeps its segment */
        unload(n);
        uint64_t after = give_back_all();
        CHECK(after < most - 90 * MB);
        CHECK_EQ(told.given_back + told.gone_bytes, told.committed + before - after);
        tern__unobserve(&told.observer);
        tern_unref(last);
        CHECK(give_back_all() <= before + MB);
    }
}

/* A chunk stays for one buffer, whose bytes stay, too; the others go. */
static void age__a_live_buffer_keeps_its_chunk(void) {
    uint64_t before = give_back_all();
    size_t n = load(tern_alloc, 4 * KB, 10 * CHUNK);
    uint8_t *live = bufs[n / 2];
    memset(live, 0x5a, 4 * KB);
    n--;
    bufs[(n + 1) / 2] = bufs[n];
    unload(n);
    uint64_t after = give_back_all();
    CHECK(after >= before + CHUNK / 2 && after <= before + CHUNK + MB);
    for (size_t i = 0; i < 4 * KB; i++) CHECK_EQ(live[i], 0x5a);
    CHECK_EQ(tern_refcount(live), 1);
    CHECK_EQ(live_buffers(), 1);
    tern_unref(live);
    CHECK(give_back_all() <= before + MB);
}

/* Memory that a peer may look at stays with its chunk, for other classes, until all of the segment goes. */
static int run_with_a_shown_segment(void) {
    tern_mem_config config;
    tern_mem_config_init(&config);
    config.huge_pages = false;
    CHILD_CHECK(tern_mem_init(&config) == 0);
    uint8_t *other = tern_alloc(MB), *few = tern_alloc(64);
    tern__segment *s = tern__pool_shared_segment(other);
    size_t n = load(tern_alloc, 16 * KB, 3 * CHUNK);
    CHILD_CHECK(s && tern__pool_shared_segment(bufs[n - 1]) == s && tern__pool_shared_segment(few) == s);
    CHILD_CHECK(tern__segment_share(s) >= 0);
    uint32_t index = s->index, generation = s->generation;
    uint64_t all = committed_bytes();
    unload(n);
    CHILD_CHECK(give_back_all() == all && tern__segment_generation(index) == generation);
    observe();
    n = load(tern_alloc, 100 * KB, 2 * CHUNK); /* 128 KB each */
    CHILD_CHECK(committed_bytes() == all);
    for (size_t i = 0; i < n; i++) CHILD_CHECK(tern__pool_shared_segment(bufs[i]) == s);
    unload(n);
    tern_unref(other);
    tern_unref(few);
    CHILD_CHECK(told.committed == 0 && told.n_gone == 0);
    CHILD_CHECK(give_back_all() == 0 && tern__segment_generation(index) != generation);
    CHILD_CHECK(told.given_back == 0 && told.n_gone == 1 && told.gone_bytes == all);
    return 0;
}

static void age__shown_segments(void) { CHECK(in_child(run_with_a_shown_segment)); }

/* ---- A model: random operations, with a stamp in each buffer that nobody else may overwrite ------ */

typedef struct slot {
    uint8_t *buf;
    size_t bytes;
    uint64_t stamp;
} slot;

static void stamp(const slot *s) {
    memcpy(s->buf, &s->stamp, 8);
    memcpy(s->buf + s->bytes - 8, &s->stamp, 8);
}

static bool is_intact(const slot *s) {
    return memcmp(s->buf, &s->stamp, 8) == 0 && memcmp(s->buf + s->bytes - 8, &s->stamp, 8) == 0 &&
           tern_refcount(s->buf + s->bytes - 1) == 1;
}

enum { N_SLOTS = 1500 };

/* For a while most buffers have one of two sizes. Returns false when a buffer was not as it should be. */
static bool churn(slot *slots, tern__rng *rng, int n_steps, bool may_fail) {
    unsigned favourite = 0;
    for (int i = 0; i < n_steps; i++) {
        slot *s = &slots[tern__rng_below(rng, N_SLOTS)];
        if (i % 5000 == 0) favourite = (unsigned)tern__rng_below(rng, 14);
        if (s->buf) {
            if (!is_intact(s)) return false;
            tern_unref(s->buf);
            s->buf = NULL;
            if (tern__rng_below(rng, 2)) continue;
        }
        unsigned cls = tern__rng_below(rng, 8) ? favourite + (unsigned)tern__rng_below(rng, 2)
                                               : (unsigned)tern__rng_below(rng, 15);
        s->bytes = ((size_t)64 << cls) - tern__rng_below(rng, 32);
        s->buf = tern__rng_below(rng, 2) ? tern_alloc(s->bytes) : tern_alloc_private(s->bytes);
        s->stamp = tern__rng_next(rng);
        if (s->buf)
            stamp(s);
        else if (!may_fail)
            return false;
    }
    return true;
}

static bool empty_slots(slot *slots) {
    bool ok = true;
    for (size_t i = 0; i < N_SLOTS; i++) {
        ok &= !slots[i].buf || is_intact(&slots[i]);
        tern_unref(slots[i].buf);
        slots[i].buf = NULL;
    }
    return ok;
}

static void model__random_operations(void) {
    static slot slots[N_SLOTS];
    tern__rng rng;
    uint64_t before = give_back_all();
    tern__rng_seed(&rng, 7);
    for (int round = 0; round < 24; round++) {
        CHECK(churn(slots, &rng, 5000, false));
        CHECK_OK();
        if (tern__rng_below(&rng, 2)) look();
        if (tern__rng_below(&rng, 4) == 0) CHECK(empty_slots(slots));
    }
    uint64_t n_live = 0;
    for (size_t i = 0; i < N_SLOTS; i++) n_live += slots[i].buf != NULL;
    CHECK_EQ(live_buffers(), n_live);
    CHECK_EQ(tern__pool_report_leaks(NULL, NULL), n_live);
    CHECK(empty_slots(slots));
    CHECK_EQ(live_buffers(), 0);
    CHECK(give_back_all() <= before + 16 * MB);
}

/* Memory runs out at each place once; what is counted stays right. */
static void commit__nth_fails(void) {
    static slot slots[N_SLOTS];
    tern__rng rng;
    tern__rng_seed(&rng, 8);
    uint64_t before = give_back_all();
    for (uint64_t n = 1; n <= 20; n++) {
        observe();
        uint64_t at_first = committed_bytes();
        tern__segment_fail_after(n);
        CHECK(churn(slots, &rng, 2000, true));
        tern__segment_fail_after(0);
        CHECK(empty_slots(slots));
        look();
        CHECK_EQ(committed_bytes() + told.given_back + told.gone_bytes, at_first + told.committed);
        tern__unobserve(&told.observer);
        CHECK_EQ(live_buffers(), 0);
    }
    CHECK(give_back_all() <= before + 16 * MB);
}

/* ---- Threads -------------------------------------------------------------------------------------- */

static bool stop; /* atomic */

static void *churn_thread(void *arg) {
    slot *slots = calloc(N_SLOTS, sizeof *slots);
    tern__rng rng;
    tern__rng_seed(&rng, (uintptr_t)arg);
    bool ok = slots != NULL;
    for (int round = 0; ok && round < 4; round++) ok = churn(slots, &rng, 3000, false) && empty_slots(slots);
    free(slots);
    return ok ? NULL : arg;
}

static void *look_on(void *arg) {
    while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) look();
    return arg;
}

static void threads__while_memory_goes_back(void) {
    enum { N_THREADS = 4 };
    pthread_t threads[N_THREADS], looker;
    CHECK_EQ(pthread_create(&looker, NULL, look_on, NULL), 0);
    for (uintptr_t i = 0; i < N_THREADS; i++)
        CHECK_EQ(pthread_create(&threads[i], NULL, churn_thread, (void *)(i + 1)), 0);
    for (size_t i = 0; i < N_THREADS; i++) {
        void *failed;
        pthread_join(threads[i], &failed);
        CHECK(!failed);
    }
    __atomic_store_n(&stop, true, __ATOMIC_RELAXED);
    pthread_join(looker, NULL);
    CHECK_EQ(live_buffers(), 0);
    CHECK(give_back_all() <= 24 * MB);
}

/* Free buffers of each size and kind, more than a magazine can have. */
static void *fill_magazines(void *arg) {
    size_t n = 0;
    for (size_t bytes = 64; bytes <= MB; bytes *= 2)
        for (int i = 0; i < (bytes < 16 * KB ? 200 : 20); i++)
            for (int kind = 0; kind < 2; kind++) bufs[n++] = kind ? tern_alloc_private(bytes) : tern_alloc(bytes);
    while (n > 0) tern_unref(bufs[--n]);
    *(uint64_t *)arg = tern__pool_cached_bytes();
    return NULL;
}

static void thread__keeps_little(void) {
    uint64_t in_thread = 0;
    pthread_t thread;
    tern__pool_flush_thread();

    CHECK_EQ(tern__pool_cached_bytes(), 0);
    CHECK_EQ(pthread_create(&thread, NULL, fill_magazines, &in_thread), 0);
    pthread_join(thread, NULL);
    CHECK(in_thread > MB && in_thread <= 4 * MB);
    CHECK_EQ(tern__pool_cached_bytes(), 0);
    CHECK_EQ(live_buffers(), 0);
}

TAP_MAIN(TEST(ceiling__classes_in_turn), TEST(ceiling__magazines_give_way), TEST(age__shown_segments),
         TEST(init__without_huge_pages), TEST(take__classes_in_turn), TEST(age__gives_back_what_is_idle),
         TEST(age__keeps_what_is_little), TEST(age__empties_magazines), TEST(give__keeps_no_more_than_may_be),
         TEST(take__chunk_of_another_class), TEST(age__tells_observers), TEST(age__a_live_buffer_keeps_its_chunk),
         TEST(model__random_operations), TEST(commit__nth_fails), TEST(threads__while_memory_goes_back),
         TEST(thread__keeps_little))
