/* The pool: reference counts and the threads' caches of free buffers, over the depot.
 *
 * Each thread keeps, per ordinary class, a magazine: an array of free buffers, last in first out, so that a
 * buffer still in the processor's cache is handed out next. An allocation or the last unref in the common case
 * touches the magazine and the buffer's count and executes no atomic read-modify-write. Magazines are filled
 * from and emptied into the depot by halves, under its lock.
 *
 * Invariant: a buffer is live iff its count is not 0. Only the holder of a reference changes a count other than
 * by compare-and-swap: from 0 to 1 when it takes the buffer out of its magazine, from 1 to 0 when nobody else
 * can have a reference. A stale tern_ref() can therefore never revive a free buffer. While the process has one
 * thread, a load and a store are as good as a compare-and-swap and take a fraction of its time. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/sized.h"
#include "mem/depot.h"
#include "mem/poison.h"
#include "mem/pool.h"
#include "mem/regions.h"

enum {
    MAGAZINE_BUFS = 64,               /* capacity of a magazine, and */
    MAGAZINE_BYTES = 256 << 10,       /* the bytes it may keep; all of a thread's together 4 MB */
    MAX_CACHED_BYTES = MAGAZINE_BYTES /* larger buffers are the depot's business */
};

/* A free buffer and where its count lies, so that handing it out needs no arithmetic. */
typedef struct free_entry {
    void *buf;
    uint32_t *count;
} free_entry;

typedef struct cache {
    tern__node all;  /* in pool.caches */
    uint64_t age_at; /* when the magazines are emptied next */
    struct {
        uint32_t n;   /* entries; atomic for readers of statistics, written by the owner only */
        uint32_t cap; /* 0 for giants */
    } heads[TERN__DEPOT_N_CLASSES];
    free_entry magazines[TERN__DEPOT_N_CLASSES][MAGAZINE_BUFS];
} cache;

static struct {
    bool forked;
    bool key_made;
    pthread_key_t key;
    uint64_t fail_countdown;
    uint64_t saturated_counts, bad_unrefs;
    uint64_t age_at; /* when the next look is due; atomic */
    tern__node caches;
} pool;

static bool pool_is_up; /* atomic */
static tern__depot depot;
static pthread_mutex_t pool_lock = PTHREAD_MUTEX_INITIALIZER; /* set-up and pool.caches */

/* One pointer, so that it fits the static TLS that is left to libraries loaded late; initial-exec makes it one load
 * instead of a call. */
static _Thread_local cache *thread_cache __attribute__((tls_model("initial-exec")));

/* ---- Set-up ------------------------------------------------------------------------------------- */

void tern_mem_config_init_sized(tern_mem_config *config, size_t size) {
    const tern_mem_config defaults = {.size = sizeof defaults, .huge_pages = !TERN__ON_VALGRIND};
    tern__sized_init(config, size, &defaults, sizeof defaults);
}

static uint32_t magazine_cap(unsigned cls) {
    if (tern__size_class(cls) >= TERN__MEM_N_CLASSES) return 0; /* no class */
    size_t fit = MAGAZINE_BYTES >> tern__class_shift(cls);
    return fit > MAGAZINE_BUFS ? MAGAZINE_BUFS : (uint32_t)fit;
}

static void set_n(cache *c, unsigned cls, uint32_t n) { __atomic_store_n(&c->heads[cls].n, n, __ATOMIC_RELAXED); }

/* Give the n coldest buffers of a magazine to the depot. */
static void magazine_flush(cache *c, unsigned cls, uint32_t n) {
    free_entry *entries = c->magazines[cls];
    void *bufs[MAGAZINE_BUFS];
    if (n == 0) return;
    for (uint32_t i = 0; i < n; i++) bufs[i] = entries[i].buf;
    tern__depot_give(&depot, cls, bufs, n);
    memmove(entries, entries + n, (c->heads[cls].n - n) * sizeof *entries);
    set_n(c, cls, c->heads[cls].n - n);
}

/* Give all free buffers of a thread to the depot. */
static void cache_flush(cache *c) {
    for (unsigned i = 0; i < TERN__DEPOT_N_CLASSES; i++) magazine_flush(c, i, c->heads[i].n);
}

static void cache_free(void *arg) {
    cache *c = arg;
    cache_flush(c);
    pthread_mutex_lock(&pool_lock);
    tern__list_remove(&c->all);
    pthread_mutex_unlock(&pool_lock);
    thread_cache = NULL;
    free(c);
}

/* This thread's cache, made on first use; NULL when it cannot be, and the depot then serves directly. */
static cache *cache_get(void) {
    if (thread_cache || !pool.key_made) return thread_cache;
    cache *c = calloc(1, sizeof *c);
    if (!c) return NULL;
    for (unsigned i = 0; i < TERN__DEPOT_N_CLASSES; i++) c->heads[i].cap = magazine_cap(i);
    if (pthread_setspecific(pool.key, c) != 0) {
        free(c);
        return NULL;
    }
    pthread_mutex_lock(&pool_lock);
    tern__list_append(&pool.caches, &c->all);
    pthread_mutex_unlock(&pool_lock);
    return thread_cache = c;
}

static void set_cached_bytes(uint32_t bytes) { __atomic_store_n(&tern__pool.cached_bytes, bytes, __ATOMIC_RELAXED); }

/* The child shares the buffers' memory with its parent but not the counts: it must not write into any. */
static void after_fork_in_child(void) {
    pool.forked = true;
    thread_cache = NULL;
    set_cached_bytes(0);
}

bool tern__pool_is_inherited(void) { return pool.forked; }

static int init_locked(const tern_mem_config *config) {
    if (pool_is_up) return TERN_ERR_EXISTS;
    if (!tern__map_init()) return TERN_ERR_NOMEM;
    tern__depot_init(&depot, config->huge_pages, config->max_bytes);
    tern__list_init(&pool.caches);
    pool.key_made = pthread_key_create(&pool.key, cache_free) == 0;
    pthread_atfork(NULL, NULL, after_fork_in_child);
    __atomic_store_n(&pool_is_up, true, __ATOMIC_RELEASE);
    if (__atomic_load_n(&pool.fail_countdown, __ATOMIC_RELAXED) == 0) set_cached_bytes(MAX_CACHED_BYTES);
    return 0;
}

int tern_mem_init(const tern_mem_config *config) {
    tern_mem_config full;
    tern_mem_config_init(&full);
    if (config && tern__sized_read(&full, sizeof full, config) != TERN__SIZED_FINE) return TERN_ERR_INVALID;
    pthread_mutex_lock(&pool_lock);
    int err = init_locked(&full);
    pthread_mutex_unlock(&pool_lock);
    return err;
}

static bool pool_is_set_up(void) { return __atomic_load_n(&pool_is_up, __ATOMIC_ACQUIRE); }

static bool pool_up(void) {
    if (pool_is_set_up()) return true;
    int err = tern_mem_init(NULL);
    return err == 0 || err == TERN_ERR_EXISTS;
}

/* ---- From a pointer to its buffer --------------------------------------------------------------- */

typedef struct buffer_place {
    uintptr_t start; /* of the buffer */
    uint32_t *count;
    unsigned cls; /* as the depot's */
} buffer_place;

static inline bool locate_in(const tern__extent *e, buffer_place *out) {
    if (!e->segment) return false;
    out->cls = (unsigned)__builtin_ctzl(e->bytes) - TERN__MEM_MIN_SHIFT;
    if (e->segment->kind & TERN__SEGMENT_PRIVATE) out->cls += TERN__DEPOT_PRIVATE;
    out->start = e->start;
    out->count = e->count;
    return true;
}

static __attribute__((noinline)) bool locate_listed(uintptr_t at, buffer_place *out) {
    tern__extent e = tern__extent_find(at, TERN__CODE_LISTED);
    return locate_in(&e, out);
}

/* The buffer lies alone in its segment. False also for registered memory. */
static inline bool locate_extent(uintptr_t at, unsigned code, buffer_place *out) {
    if (tern__code_is_number(code)) return locate_in(&tern__numbered[code - TERN__CODE_EXTENTS], out);
    return code == TERN__CODE_LISTED && locate_listed(at, out);
}

static inline __attribute__((always_inline)) bool locate(const void *ptr, buffer_place *out) {
    unsigned code = tern__code_of(ptr);
    uintptr_t at = (uintptr_t)ptr;
    if (!tern__code_is_buffers(code)) return locate_extent(at, code, out);
    unsigned shift = tern__code_shift(code);
    out->cls = tern__class_of_code(code);
    out->start = at >> shift << shift;
    out->count = tern__count_at(at, shift);
    return true;
}

bool tern__ref_locate_slow(const void *ptr, size_t len, uint32_t **counter) {
    buffer_place p;
    unsigned code = tern__code_of(ptr);
    if (code == 0) return false;
    if (!locate_extent((uintptr_t)ptr, code, &p)) return tern__region_locate(ptr, len, counter);
    if ((uintptr_t)ptr - p.start + len > tern__class_bytes(p.cls)) return false;
    *counter = p.count;
    return true;
}

bool tern_in_pool(const void *ptr) { return tern__is_known(ptr); }

tern__segment *tern__pool_shared_extent(uintptr_t at, unsigned code) {
    tern__segment *s = tern__code_is_number(code)  ? tern__numbered[code - TERN__CODE_EXTENTS].segment
                       : code == TERN__CODE_LISTED ? tern__extent_find(at, code).segment
                                                   : NULL;
    return s && !(s->kind & TERN__SEGMENT_PRIVATE) ? s : NULL;
}

/* ---- Allocation --------------------------------------------------------------------------------- */

static inline unsigned class_of(size_t bytes) {
    return 63U - (unsigned)__builtin_clzl((bytes - 1) | (TERN_BUF_MIN_BYTES - 1)) - (TERN__MEM_MIN_SHIFT - 1);
}

static inline free_entry free_entry_of(void *buf) {
    buffer_place p;
    return locate(buf, &p) ? (free_entry){buf, p.count} : (free_entry){0};
}

static inline void *hand_out_buffer(free_entry e, unsigned cls) {
    (void)cls;
    tern__unpoison(e.buf, tern__class_bytes(cls));
    __atomic_store_n(e.count, 1, __ATOMIC_RELAXED);
    return e.buf;
}

static bool magazine_fill(cache *c, unsigned cls, bool may_add_chunk) {
    void *bufs[MAGAZINE_BUFS];
    size_t n = tern__depot_take(&depot, cls, bufs, (c->heads[cls].cap + 1) / 2, may_add_chunk);
    /* The depot's first, the last one freed there, goes on top. */
    for (size_t i = 0; i < n; i++) c->magazines[cls][i] = free_entry_of(bufs[n - 1 - i]);
    set_n(c, cls, (uint32_t)n);
    return n > 0;
}

/* Whether this allocation is the one that is to fail. */
static bool injected_failure(void) {
    uint64_t left = __atomic_load_n(&pool.fail_countdown, __ATOMIC_RELAXED);
    do {
        if (left == 0) return false;
    } while (
        !__atomic_compare_exchange_n(&pool.fail_countdown, &left, left - 1, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    if (left == 1) set_cached_bytes(MAX_CACHED_BYTES);
    return left == 1;
}

bool tern__pool_refuses_now(void) { return pool.forked || injected_failure(); }

/* A buffer from the magazine, or from the depot where the thread has none of this size. */
static void *take_buffer(cache *c, unsigned cls, bool may_add_chunk) {
    void *buf;
    if (!c || c->heads[cls].cap == 0)
        return tern__depot_take(&depot, cls, &buf, 1, may_add_chunk) ? hand_out_buffer(free_entry_of(buf), cls) : NULL;
    if (c->heads[cls].n == 0 && !magazine_fill(c, cls, may_add_chunk)) return NULL;
    uint32_t n = c->heads[cls].n - 1;
    set_n(c, cls, n);
    return hand_out_buffer(c->magazines[cls][n], cls);
}

/* first_cls: 0, or TERN__DEPOT_PRIVATE for the private kind. A free buffer in a magazine keeps its chunk from other
 * sizes. So before the class gets another chunk, and when memory is out, the thread empties its magazines. */
static __attribute__((noinline)) void *alloc_slow(size_t bytes, unsigned first_cls) {
    if (bytes == 0 || bytes > TERN_BUF_MAX_BYTES || !pool_up() || pool.forked || injected_failure()) return NULL;
    unsigned cls = first_cls + class_of(bytes);
    cache *c = cache_get();
    void *buf = take_buffer(c, cls, false);
    if (buf) return buf;
    if (c) cache_flush(c);
    return take_buffer(c, cls, true);
}

static inline __attribute__((always_inline)) void *alloc_kind(size_t bytes, unsigned first_cls) {
    cache *c = thread_cache;
    /* One compare for: not 0, not large, pool up, no failure to inject. */
    if (bytes - 1 < __atomic_load_n(&tern__pool.cached_bytes, __ATOMIC_RELAXED) && c) {
        unsigned cls = first_cls + class_of(bytes);
        uint32_t n = c->heads[cls].n;
        if (n > 0) {
            set_n(c, cls, n - 1);
            return hand_out_buffer(c->magazines[cls][n - 1], cls);
        }
    }
    return alloc_slow(bytes, first_cls);
}

void *tern_alloc(size_t bytes) { return alloc_kind(bytes, 0); }
void *tern_alloc_private(size_t bytes) { return alloc_kind(bytes, TERN__DEPOT_PRIVATE); }

/* What is shorter than 2 MB takes the addresses of 2 MB, as memory follows in pages only there. Where the addresses are
 * used up it gets an ordinary buffer. */
static void *alloc_sparse(size_t bytes, size_t ready, unsigned first_cls) {
    if (bytes <= ready) return alloc_kind(bytes, first_cls);
    if (bytes > TERN_BUF_MAX_BYTES || !pool_up() || pool.forked || injected_failure()) return NULL;
    unsigned fit = class_of(bytes), cls = fit < TERN__DEPOT_GIANT_CLASS ? (unsigned)TERN__DEPOT_GIANT_CLASS : fit;
    void *buf;
    cls += first_cls;
    bool taken = tern__depot_take_sparse(&depot, cls, ready, &buf);
    if (!taken && thread_cache) {
        cache_flush(thread_cache);
        taken = tern__depot_take_sparse(&depot, cls, ready, &buf);
    }
    if (taken) return hand_out_buffer(free_entry_of(buf), cls);
    return fit < TERN__DEPOT_GIANT_CLASS ? alloc_kind(bytes, first_cls) : NULL;
}

void *tern__sparse_alloc(size_t bytes, size_t ready) { return alloc_sparse(bytes, ready, TERN__DEPOT_PRIVATE); }
void *tern__sparse_alloc_shared(size_t bytes, size_t ready) { return alloc_sparse(bytes, ready, 0); }

bool tern__is_sparse(const void *buf) {
    buffer_place p;
    return locate(buf, &p) && tern__class_is_giant(p.cls);
}

size_t tern__sparse_reach(void *buf, size_t reach, size_t bytes) {
    buffer_place p;
    if (!locate(buf, &p) || !tern__class_is_giant(p.cls)) return bytes;
    size_t filled = tern__depot_filled(p.cls, buf);
    if (filled >= reach && tern__depot_asked(p.cls, buf) >= reach) return filled < bytes ? filled : bytes;
    filled = tern__depot_fill(&depot, p.cls, buf, tern__sparse_bytes(reach, bytes));
    if (filled == 0) filled = tern__depot_fill(&depot, p.cls, buf, reach);
    return filled < bytes ? filled : bytes;
}

/* ---- References --------------------------------------------------------------------------------- */

static void count_event(uint64_t *counter) { __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED); }

int tern__ref_shared(uint32_t *counter, const void *ptr) {
    uint32_t count = __atomic_load_n(counter, __ATOMIC_RELAXED);
    if (count == TERN__REFS_FOREIGN) return tern__region_ref(ptr);
    do {
        if (count == 0) return TERN_ERR_INVALID;
        if (count >= TERN__REFS_SATURATED) return 0;
    } while (!__atomic_compare_exchange_n(counter, &count, count + 1, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    if (count + 1 == TERN__REFS_SATURATED) count_event(&pool.saturated_counts);
    return 0;
}

int tern_ref(const void *ptr) {
    unsigned code = tern__code_of(ptr);
    if (tern__code_is_buffers(code)) return tern__ref_take(tern__count_at((uintptr_t)ptr, tern__code_shift(code)), ptr);
    buffer_place p;
    return locate_extent((uintptr_t)ptr, code, &p) ? tern__ref_take(p.count, ptr) : tern__region_ref(ptr);
}

static __attribute__((noinline, cold)) void bad_unref(const void *ptr) {
    count_event(&pool.bad_unrefs);
#ifndef NDEBUG
    dprintf(STDERR_FILENO, "tern_unref(%p): the buffer is free already\n", (void *)(uintptr_t)ptr);
    abort();
#else
    (void)ptr;
#endif
}

static __attribute__((noinline)) void release_slow(void *buf, uint32_t *count, unsigned cls) {
    if (pool.forked) return;
    cache *c = cache_get();
    if (!c || c->heads[cls].cap == 0) {
        tern__depot_give(&depot, cls, &buf, 1);
        return;
    }
    if (c->heads[cls].n == c->heads[cls].cap) magazine_flush(c, cls, (c->heads[cls].cap + 1) / 2);
    uint32_t n = c->heads[cls].n;
    c->magazines[cls][n] = (free_entry){buf, count};
    set_n(c, cls, n + 1);
}

/* Make what is left of a free buffer useless to whoever still looks at it. */
static inline void spoil(void *buf, size_t bytes) {
    if (TERN__FILL_FREED && !pool.forked) {
        tern__unpoison(buf, bytes); /* its owner may have poisoned what is left of it */
        /* A giant may have no more memory than a sparse one begins with. */
        size_t most =
            bytes >= (size_t)1 << TERN__MEM_HUGE_SHIFT ? TERN__SPARSE_LEAST_BYTES : TERN__FREE_PATTERN_MAX_BYTES;
        memset(buf, TERN__FREE_PATTERN, bytes < most ? bytes : most);
    }
    tern__poison(buf, bytes);
}

/* The last reference is gone. Arguments by value, so that they stay in registers. */
static inline void release(void *buf, uint32_t *count, unsigned cls) {
    cache *c = thread_cache;
    __atomic_store_n(count, 0, __ATOMIC_RELAXED);
    spoil(buf, tern__class_bytes(cls));
    if (c) {
        uint32_t n = c->heads[cls].n;
        if (n < c->heads[cls].cap) {
            c->magazines[cls][n] = (free_entry){buf, count};
            set_n(c, cls, n + 1);
            return;
        }
    }
    release_slow(buf, count, cls);
}

/* For a count above 1 when it was read: the reference is probably not the last. */
static __attribute__((noinline)) void unref_shared(const void *ptr, uint32_t count) {
    buffer_place p;
    if (!locate(ptr, &p)) return;
    for (;;) {
        if (count == 0) {
            bad_unref(ptr);
            return;
        }
        if (count >= TERN__REFS_SATURATED) return;
        if (count == 1) {
            release((void *)p.start, p.count, p.cls);
            return;
        }
        if (__atomic_compare_exchange_n(p.count, &count, count - 1, true, __ATOMIC_RELEASE, __ATOMIC_ACQUIRE)) return;
    }
}

/* Acquire: what the former holders did to the buffer happens before its next use. A count of 1 is ours, and nobody may
 * take another reference without having one, so no atomic read-modify-write is needed. */
static inline __attribute__((always_inline)) void unref_at(const void *ptr, uint32_t *counter, uintptr_t start,
                                                           unsigned cls) {
    uint32_t count = __atomic_load_n(counter, __ATOMIC_ACQUIRE);
    if (count == 1)
        release((void *)start, counter, cls);
    else if (!tern__ref_drop_one(counter, count))
        unref_shared(ptr, count);
}

static __attribute__((noinline)) void unref_extent(const void *ptr, unsigned code) {
    buffer_place p;
    if (code == 0) return;
    if (locate_extent((uintptr_t)ptr, code, &p))
        unref_at(ptr, p.count, p.start, p.cls);
    else if (!tern__region_unref(ptr))
        bad_unref(ptr);
}

void tern_unref(const void *ptr) {
    unsigned code = tern__code_of(ptr);
    if (!tern__code_is_buffers(code)) {
        unref_extent(ptr, code);
        return;
    }
    unsigned shift = tern__code_shift(code);
    uintptr_t at = (uintptr_t)ptr;
    unref_at(ptr, tern__count_at(at, shift), at >> shift << shift, tern__class_of_code(code));
}

void tern__ref_drop_counter(uint32_t *counter) {
    uintptr_t segment = (uintptr_t)tern__segment_around((uintptr_t)counter), counts = (uintptr_t)counter - segment;
    uintptr_t chunk = (counts - TERN__COUNTS_AT) / TERN__COUNTS_BYTES;
    uintptr_t number = (counts - TERN__COUNTS_AT - chunk * TERN__COUNTS_BYTES) / sizeof *counter;
    uintptr_t start = segment + TERN__SEGMENT_HEAD_BYTES + (chunk << TERN__CHUNK_SHIFT);
    unsigned shift = tern__code_shift(tern__code_of((const void *)start));
    if (shift >= TERN__MEM_HUGE_SHIFT) start = segment; /* those are counted from there */
    tern_unref((const void *)(start + (number << shift)));
}

void *tern_recover(const void *ptr, size_t *bytes) {
    buffer_place p;
    if (!locate(ptr, &p) || __atomic_load_n(p.count, __ATOMIC_RELAXED) == 0) return NULL;
    bool giant = tern__class_is_giant(p.cls); /* and may have memory for a part of its addresses only */
    if (bytes) *bytes = giant ? tern__depot_filled(p.cls, (void *)p.start) : tern__class_bytes(p.cls);
    return (void *)p.start;
}

uint32_t tern_refcount(const void *ptr) {
    buffer_place p;
    return locate(ptr, &p) ? __atomic_load_n(p.count, __ATOMIC_ACQUIRE) : 0;
}

bool tern__pool_contains(const void *ptr, size_t len) {
    size_t size = 0;
    const char *start = tern_recover(ptr, &size);
    return start && len <= size - (size_t)((const char *)ptr - start);
}

/* ---- Memory that nobody needs any more ---------------------------------------------------------- */

bool tern__pool_is_warm(void) { return pool_is_set_up() && !pool.forked && tern__depot_is_warm(&depot); }

/* Free buffers in a magazine keep their chunks from being spent. A thread that goes on with them gets them back. */
static void age_magazines(uint64_t now) {
    cache *c = thread_cache;
    if (!c || now < c->age_at) return;
    c->age_at = now + TERN__POOL_AGE_NS;
    cache_flush(c);
}

void tern__pool_age(uint64_t now) {
    age_magazines(now);
    uint64_t at = __atomic_load_n(&pool.age_at, __ATOMIC_RELAXED);
    if (now < at || !tern__pool_is_warm()) return;
    if (__atomic_compare_exchange_n(&pool.age_at, &at, now + TERN__POOL_AGE_NS, false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED))
        tern__depot_age(&depot);
}

/* ---- Looking at the pool ------------------------------------------------------------------------ */

static uint64_t live_of(unsigned cls) {
    pthread_mutex_lock(&pool_lock);
    uint64_t n = tern__depot_outside(&depot, cls);
    for (tern__node *node = pool.caches.next; node != &pool.caches; node = node->next)
        n -= __atomic_load_n(&TERN__CONTAINER(node, cache, all)->heads[cls].n, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&pool_lock);
    return n;
}

uint64_t tern__pool_live(unsigned cls) {
    if (!pool_is_set_up() || cls >= TERN__MEM_N_CLASSES) return 0;
    return live_of(cls) + live_of(cls + TERN__DEPOT_PRIVATE);
}

uint64_t tern__pool_cached_bytes(void) {
    uint64_t bytes = 0;
    if (!pool_is_set_up()) return 0;
    pthread_mutex_lock(&pool_lock);
    for (tern__node *node = pool.caches.next; node != &pool.caches; node = node->next) {
        const cache *c = TERN__CONTAINER(node, cache, all);
        for (unsigned cls = 0; cls < TERN__DEPOT_N_CLASSES; cls++)
            bytes += (uint64_t)__atomic_load_n(&c->heads[cls].n, __ATOMIC_RELAXED) << tern__class_shift(cls);
    }
    pthread_mutex_unlock(&pool_lock);
    return bytes;
}

static void count_all(tern_mem_stats *stats) {
    if (!pool_is_set_up()) return;
    stats->reserved_bytes = tern__segment_reserved_bytes();
    stats->huge_bytes = __atomic_load_n(&depot.committed_bytes[1], __ATOMIC_RELAXED);
    stats->committed_bytes = stats->huge_bytes + __atomic_load_n(&depot.committed_bytes[0], __ATOMIC_RELAXED);
    stats->saturated_counts = __atomic_load_n(&pool.saturated_counts, __ATOMIC_RELAXED);
    stats->bad_unrefs = __atomic_load_n(&pool.bad_unrefs, __ATOMIC_RELAXED);
    for (unsigned cls = 0; cls < TERN__MEM_N_CLASSES; cls++) stats->live_buffers += tern__pool_live(cls);
}

void tern_mem_get_stats_sized(tern_mem_stats *stats, size_t size) {
    tern_mem_stats own = {0};
    count_all(&own);
    tern__sized_write(stats, size, &own, sizeof own);
}

tern__pool_traffic tern__pool_get_traffic(void) {
    return (tern__pool_traffic){__atomic_load_n(&depot.populated_bytes, __ATOMIC_RELAXED),
                                __atomic_load_n(&depot.decommitted_bytes, __ATOMIC_RELAXED)};
}

uint64_t tern__pool_fail_after(uint64_t n) {
    uint64_t left = __atomic_exchange_n(&pool.fail_countdown, n, __ATOMIC_RELAXED);
    set_cached_bytes(n == 0 && pool_is_set_up() && !pool.forked ? MAX_CACHED_BYTES : 0);
    return left;
}

static uint64_t report_buffers(uintptr_t start, size_t bytes, tern__pool_leak_fn *fn, void *user) {
    uint64_t n = 0;
    for (uintptr_t at = start; at < start + bytes;) {
        buffer_place p;
        if (!locate((const void *)at, &p)) {
            at += (uintptr_t)1 << TERN__CHUNK_SHIFT;
            continue;
        }
        uint32_t count = __atomic_load_n(p.count, __ATOMIC_RELAXED);
        if (count && fn) fn(user, (const void *)at, tern__class_bytes(p.cls), count);
        n += count != 0;
        at += tern__class_bytes(p.cls);
    }
    return n;
}

/* All places where buffers can be; the counts of those that never were are 0. */
uint64_t tern__pool_report_leaks(tern__pool_leak_fn *fn, void *user) {
    uint64_t n = 0;
    for (uint32_t i = 0; i < tern__segment_count(); i++) {
        const tern__segment *s = tern__segment_at(i);
        if (s) n += report_buffers(s->start, s->bytes, fn, user);
    }
    return n;
}

void tern__pool_set_count(const void *ptr, uint32_t count) {
    buffer_place p;
    if (locate(ptr, &p)) __atomic_store_n(p.count, count, __ATOMIC_RELAXED);
}

void tern__pool_flush_thread(void) {
    if (!thread_cache) return;
    pthread_setspecific(pool.key, NULL);
    cache_free(thread_cache);
}
