/* The shared store of free buffers; see depot.h.
 *
 * An entry of a stack names a buffer in 32 bits: the segment's index, the chunk that the buffer begins in, and its
 * number among those of its size that begin in the chunk. */
#include "mem/depot.h"

#include <string.h>
#include <sys/mman.h>

#include "mem/poison.h"

enum { STEP_MIN_BYTES = 64 << 10, STEP_MAX_BYTES = 2 << 20, PAGE_BYTES = 4096, HALF_NORMAL = 0, HALF_HUGE = 1 };

enum { ENTRY_INDEX_BITS = 16, ENTRY_CHUNK_BITS = 4 };
_Static_assert(1 << ENTRY_INDEX_BITS == 1 << (TERN__CHUNK_SHIFT - TERN__MEM_MIN_SHIFT), "each buffer of a chunk");
_Static_assert(1 << ENTRY_CHUNK_BITS == TERN__SEGMENT_CHUNKS, "each chunk of a segment");
_Static_assert(TERN__MEM_MAX_SEGMENTS == 1 << (32 - ENTRY_INDEX_BITS - ENTRY_CHUNK_BITS), "each segment");

/* For a caller that holds no class's lock. */
enum { NO_CLASS = TERN__DEPOT_N_CLASSES };

/* The segment of a buffer, by the buffer's start: no segment's buffers begin 64 MB or more behind its base. */
static tern__segment *segment_of(const void *buf) { return tern__segment_around((uintptr_t)buf); }

static uint32_t depot_entry_of(unsigned cls, const void *buf) {
    uintptr_t at = (uintptr_t)buf, offset = at & (((uintptr_t)1 << TERN__CHUNK_SHIFT) - 1);
    uint32_t chunk = at >> TERN__CHUNK_SHIFT & (TERN__SEGMENT_CHUNKS - 1);
    return segment_of(buf)->index << (ENTRY_INDEX_BITS + ENTRY_CHUNK_BITS) | chunk << ENTRY_INDEX_BITS |
           (uint32_t)(offset >> tern__class_shift(cls));
}

static void *buf_of(unsigned cls, uint32_t entry) {
    const tern__segment *s = tern__segment_at(entry >> (ENTRY_INDEX_BITS + ENTRY_CHUNK_BITS));
    uintptr_t chunk = entry >> ENTRY_INDEX_BITS & (TERN__SEGMENT_CHUNKS - 1);
    return (void *)((uintptr_t)s + (chunk << TERN__CHUNK_SHIFT) +
                    ((uintptr_t)(entry & ((1u << ENTRY_INDEX_BITS) - 1)) << tern__class_shift(cls)));
}

/* The chunk that an entry of an ordinary class lies in. */
static tern__chunk *chunk_of(uint32_t entry) {
    tern__segment *s = tern__segment_at(entry >> (ENTRY_INDEX_BITS + ENTRY_CHUNK_BITS));
    return &s->chunks[entry >> ENTRY_INDEX_BITS & (TERN__SEGMENT_CHUNKS - 1)];
}

static bool is_huge(const tern__segment *s) { return s->kind & TERN__SEGMENT_HUGE; }

/* Each place begins at a multiple of a large power of two, so that its first buffers, those in use as long as there are
 * few, would compete with the first of all others for the same few lines of a cache. The first buffer that a class
 * hands out therefore lies some lines further on than that of the class before: a tenth of a small call's time
 * (bench/rpc_rate). */
uint32_t tern__depot_first(unsigned cls) {
    enum { STAGGER_BYTES = 11 * 64, PERIOD_BYTES = 4096 /* of the sets of a first-level cache */ };
    return (uint32_t)((cls + 1) * STAGGER_BYTES % PERIOD_BYTES / tern__class_bytes(cls));
}

static void count_up(uint64_t *counter, uint64_t n) { __atomic_fetch_add(counter, n, __ATOMIC_RELAXED); }

void tern__depot_init(tern__depot *depot, bool huge, uint64_t max_bytes) {
    depot->may_be_huge = huge && tern__segment_can_populate();
    depot->max_bytes = max_bytes;
    tern__spare_init(&depot->spare);
    for (unsigned c = 0; c < TERN__DEPOT_N_CLASSES; c++) {
        pthread_mutex_init(&depot->classes[c].lock, NULL);
        tern__list_init(&depot->classes[c].spent);
    }
}

/* Whether a commit may ask for huge pages now. */
static bool huge_wanted(tern__depot *d) {
    if (!d->may_be_huge) return false;
    uint32_t left = __atomic_load_n(&d->huge_backoff, __ATOMIC_RELAXED);
    if (left == 0) return true;
    /* A race here asks once too often or too seldom, which is harmless. */
    __atomic_store_n(&d->huge_backoff, left - 1, __ATOMIC_RELAXED);
    return false;
}

static void found_no_huge(tern__depot *d) {
    __atomic_store_n(&d->huge_backoff, TERN__DEPOT_HUGE_BACKOFF, __ATOMIC_RELAXED);
}

/* ---- Places for buffers --------------------------------------------------------------------------
 * All called with the class's lock held. */

/* Room in the stack for n more buffers, so that giving one back never needs memory. */
static bool make_stack_room(tern__depot_class *c, uint32_t n) {
    if (n <= c->cap - c->n_all) return true;
    uint32_t cap = c->cap ? c->cap : PAGE_BYTES / sizeof *c->stack;
    while (cap - c->n_all < n) cap *= 2;
    void *p = c->stack ? mremap(c->stack, c->cap * sizeof *c->stack, cap * sizeof *c->stack, MREMAP_MAYMOVE)
                       : mmap(NULL, cap * sizeof *c->stack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) return false;
    c->stack = p;
    c->cap = cap;
    return true;
}

/* After the class has lost buffers. */
static void shrink_stack(tern__depot_class *c) {
    uint32_t cap = c->cap;
    while (cap / 4 >= c->n_all && cap > PAGE_BYTES / sizeof *c->stack) cap /= 2;
    if (cap < c->cap && mremap(c->stack, c->cap * sizeof *c->stack, cap * sizeof *c->stack, 0) != MAP_FAILED)
        c->cap = cap;
}

static unsigned kind_of(unsigned cls, unsigned half) {
    return (tern__class_is_private(cls) ? TERN__SEGMENT_PRIVATE : 0) | (half == HALF_HUGE ? TERN__SEGMENT_HUGE : 0);
}

/* ---- Chunks of ordinary classes ------------------------------------------------------------------
 * With the class's lock held, where nothing else is said. */

static tern__segment *segment_of_chunk(const tern__chunk *k) { return tern__segment_around((uintptr_t)k); }

static unsigned half_of(const tern__segment *s) { return is_huge(s) ? HALF_HUGE : HALF_NORMAL; }

static uint32_t buffers_per_chunk(unsigned cls) { return (uint32_t)1 << (TERN__CHUNK_SHIFT - tern__class_shift(cls)); }

static uint32_t *n_spent_of(tern__depot *d, unsigned cls) { return &d->n_spent[tern__class_is_private(cls)]; }

/* Whether the chunk is to leave once it has been idle. */
static bool has_much(const tern__chunk *k) {
    /* A segment that a peer may look at goes only when it has no chunk in use. */
    return k->filled_bytes > TERN__DEPOT_LEAST_BYTES ||
           __atomic_load_n(&segment_of_chunk(k)->is_sealed, __ATOMIC_RELAXED);
}

static void list_spent(tern__depot *d, unsigned cls, tern__chunk *k) {
    tern__list_append(&d->classes[cls].spent, &k->node);
    k->is_counted = has_much(k);
    if (k->is_counted) __atomic_fetch_add(n_spent_of(d, cls), 1, __ATOMIC_RELAXED);
}

static void unlist_spent(tern__depot *d, unsigned cls, tern__chunk *k) {
    tern__list_remove(&k->node);
    if (k->is_counted) __atomic_fetch_sub(n_spent_of(d, cls), 1, __ATOMIC_RELAXED);
    k->is_counted = false;
}

/* A buffer of the chunk is handed out. */
static void use_chunk(tern__depot *d, unsigned cls, tern__chunk *k) {
    if (k->n_out++ > 0) return;
    unlist_spent(d, cls, k);
    k->is_idle = false;
}

/* One comes back. True if the chunk is spent now. */
static bool unuse_chunk(tern__depot *d, unsigned cls, tern__chunk *k) {
    if (--k->n_out > 0) return false;
    list_spent(d, cls, k);
    return true;
}

/* Which spent chunks a sweep is for: those that were idle at the last look, too; those with much to give; all. The last
 * is done whatever it costs. */
typedef enum sweep_for { FOR_IDLE, FOR_MUCH, FOR_ALL } sweep_for;

static bool is_wanted(const tern__chunk *k, sweep_for which) {
    return which == FOR_ALL || (k->is_counted && (which == FOR_MUCH || k->is_idle));
}

/* Mark the chunks that a sweep is for, if it is worth its time. */
static bool mark_leaving(tern__depot *d, unsigned cls, sweep_for which) {
    tern__depot_class *c = &d->classes[cls];
    uint64_t n = 0;
    for (tern__node *node = c->spent.next; node != &c->spent; node = node->next)
        n += is_wanted(TERN__CONTAINER(node, tern__chunk, node), which);
    if (n == 0) return false;
    if (which != FOR_ALL && c->n_free > TERN__DEPOT_SWEEP_ENTRIES &&
        n * buffers_per_chunk(cls) < c->n_free / TERN__DEPOT_SWEEP_SHARE)
        return false;
    for (tern__node *node = c->spent.next; node != &c->spent; node = node->next) {
        tern__chunk *k = TERN__CONTAINER(node, tern__chunk, node);
        k->is_leaving = is_wanted(k, which);
    }
    return true;
}

/* The chunk, none of whose buffers is in the stack any more, is no longer the class's. */
static void forget_chunk(tern__depot *d, unsigned cls, tern__chunk *k) {
    tern__depot_class *c = &d->classes[cls];
    unsigned half = half_of(segment_of_chunk(k));
    tern__depot_fresh *f = &c->fresh[half];
    bool is_fresh = f->start == tern__chunk_start(k);
    uint32_t n = buffers_per_chunk(cls);
    unlist_spent(d, cls, k);
    c->n_all -= n;
    c->n_made -= (is_fresh ? f->next : n) - tern__depot_first(cls);
    c->grown_bytes[half] -= k->filled_bytes;
    if (is_fresh) *f = (tern__depot_fresh){0};
    k->is_leaving = false;
}

/* Move spent chunks out of the class, into a list. */
static void sweep(tern__depot *d, unsigned cls, sweep_for which, tern__node *out) {
    tern__depot_class *c = &d->classes[cls];
    uint32_t kept = 0;
    if (!mark_leaving(d, cls, which)) return;
    for (uint32_t i = 0; i < c->n_free; i++)
        if (!chunk_of(c->stack[i])->is_leaving) c->stack[kept++] = c->stack[i];
    c->n_free = kept;
    for (tern__node *node = c->spent.next, *next; node != &c->spent; node = next) {
        tern__chunk *k = TERN__CONTAINER(node, tern__chunk, node);
        next = node->next;
        if (!k->is_leaving) continue;
        forget_chunk(d, cls, k);
        tern__list_append(out, node);
    }
    shrink_stack(c);
}

/* Chunks that have left their class are spare ones from now on. Its lock is not needed. */
static void spare_all(tern__depot *d, tern__node *chunks) {
    while (!tern__list_empty(chunks)) {
        tern__node *node = chunks->next;
        tern__list_remove(node);
        tern__spare_give(&d->spare, TERN__CONTAINER(node, tern__chunk, node));
    }
}

/* Spent chunks of a class become spare ones. Called without the class's lock; nothing is done if another thread has
 * it. */
static void try_spare(tern__depot *d, unsigned cls, sweep_for which) {
    tern__node chunks;
    tern__list_init(&chunks);
    if (pthread_mutex_trylock(&d->classes[cls].lock) != 0) return;
    sweep(d, cls, which, &chunks);
    pthread_mutex_unlock(&d->classes[cls].lock);
    spare_all(d, &chunks);
}

/* A chunk with memory: a spare one, or one that is spent in another class, from that with the largest buffers on, where
 * a sweep is short. */
static tern__chunk *take_kept(tern__depot *d, unsigned cls, unsigned half) {
    unsigned kind = kind_of(cls, half), code = tern__code_of_class(cls);
    tern__chunk *k = tern__spare_take_kept(&d->spare, kind, code);
    for (unsigned size = TERN__DEPOT_GIANT_CLASS; size-- > 0 && !k;) {
        if (__atomic_load_n(n_spent_of(d, cls), __ATOMIC_RELAXED) == 0) break;
        if (size == tern__size_class(cls)) continue;
        try_spare(d, cls - tern__size_class(cls) + size, FOR_MUCH);
        k = tern__spare_take_kept(&d->spare, kind, code);
    }
    return k;
}

/* A chunk for buffers of an ordinary class. What it has memory for may be handed out. */
static bool take_chunk(tern__depot *d, unsigned cls, unsigned half, bool needs_file, tern__depot_fresh *out) {
    uint32_t n = buffers_per_chunk(cls);
    if (!make_stack_room(&d->classes[cls], n)) return false;
    tern__chunk *k = take_kept(d, cls, half);
    if (!k) k = tern__spare_take(&d->spare, kind_of(cls, half), tern__code_of_class(cls), needs_file);
    if (!k) return false;
    *out = (tern__depot_fresh){segment_of_chunk(k), tern__chunk_start(k), tern__depot_first(cls), n,
                               k->filled_bytes >> tern__class_shift(cls)};
    d->classes[cls].n_all += n;
    d->classes[cls].grown_bytes[half] += k->filled_bytes;
    list_spent(d, cls, k);
    return true;
}

/* Give the chunk back, of which no buffer was handed out. */
static void untake_chunk(tern__depot *d, unsigned cls, const tern__depot_fresh *fresh) {
    tern__chunk *k = tern__chunk_around(fresh->start);
    forget_chunk(d, cls, k);
    tern__spare_give(&d->spare, k);
}

/* A segment for buffers of a giant class, or for one. */
static bool take_segment(tern__depot *d, unsigned cls, unsigned half, bool needs_file, tern__depot_fresh *out) {
    size_t size = tern__class_bytes(cls);
    bool shares = size < TERN__SEGMENT_BODY_BYTES;
    uint32_t n =
        shares ? (uint32_t)(TERN__SEGMENT_BODY_BYTES / size) : 1; /* from the first multiple of their size on */
    if (!make_stack_room(&d->classes[cls], n)) return false;
    tern__segment *s = tern__segment_new(kind_of(cls, half), shares ? TERN__SEGMENT_BODY_BYTES : size, needs_file);
    if (!s) return false;
    tern__segment_divide(s, 0, tern__class_shift(cls));
    uintptr_t start = size > TERN__SEGMENT_HEAD_BYTES && shares ? (uintptr_t)s + size : s->start;
    bool found = shares ? tern__map_set(start, n * size, tern__code_of_class(cls))
                        : tern__extent_add(&(tern__extent){.start = s->start, .bytes = size, .segment = s}) == 0;
    if (!found) {
        tern__segment_free(s);
        return false;
    }
    *out = (tern__depot_fresh){s, start, 0, n, 0};
    d->classes[cls].n_all += n;
    return true;
}

/* All of its buffers are free, and none is in the stack any more. */
static void give_segment(tern__depot *d, unsigned cls, tern__segment *s) {
    tern__depot_class *c = &d->classes[cls];
    size_t size = tern__class_bytes(cls);
    c->n_all -= (uint32_t)(s->bytes / size);
    c->n_made -= s->n_made;
    for (unsigned half = 0; half < 2; half++)
        if (c->fresh[half].segment == s) c->fresh[half] = (tern__depot_fresh){0};
    tern__unpoison((void *)s->start, s->bytes);
    if (size < TERN__SEGMENT_BODY_BYTES)
        tern__map_set(s->start, s->bytes, 0);
    else
        tern__extent_remove(s->start);
    tern__segment_free(s);
}

/* ---- Memory for buffers -------------------------------------------------------------------------- */

static uint32_t giant_index(unsigned cls, const void *buf) {
    return (uint32_t)(((uintptr_t)buf - (uintptr_t)segment_of(buf)) >> tern__class_shift(cls));
}

static uint32_t *filled_of(unsigned cls, const void *buf) { return &segment_of(buf)->filled[giant_index(cls, buf)]; }
static uint32_t *asked_of(unsigned cls, const void *buf) { return &segment_of(buf)->asked[giant_index(cls, buf)]; }

/* Giants: the bytes at the buffer's start that have memory. */
static size_t giant_filled_bytes(unsigned cls, const void *buf) { return (size_t)*filled_of(cls, buf) * PAGE_BYTES; }

/* A giant in use: the bytes that have memory and nobody has asked for. They count as kept, or whoever asks for little
 * could have many giants keep what others have asked for. */
static size_t surplus_bytes(unsigned cls, const void *buf) {
    uint32_t filled = *filled_of(cls, buf), asked = *asked_of(cls, buf);
    return filled > asked && !is_huge(segment_of(buf)) ? (size_t)(filled - asked) * PAGE_BYTES : 0;
}

/* What the giants of the class's kind keep. */
static uint64_t *warm_of(tern__depot *d, unsigned cls) { return &d->warm_bytes[tern__class_is_private(cls)]; }

/* The memory of a free giant, whose filled pages are these, goes to the system. */
static void give_up_filled(tern__depot *d, unsigned cls, uint32_t *pages) {
    size_t filled = (size_t)*pages * PAGE_BYTES;
    *pages = 0;
    count_up(warm_of(d, cls), -(uint64_t)filled);
    count_up(&d->committed_bytes[HALF_NORMAL], -(uint64_t)filled);
    count_up(&d->decommitted_bytes, filled);
}

/* All buffers of the segment are in the stack. It will leave with their memory, which no longer counts. */
static void mark_segment(tern__depot *d, unsigned cls, tern__segment *s) {
    s->is_leaving = true;
    for (uint32_t i = 0; i < TERN__SEGMENT_MAX_GIANTS; i++) give_up_filled(d, cls, &s->filled[i]);
}

/* Take the buffers of marked segments out of the stack, and give each segment back with the last of them. */
static void retire_segments(tern__depot *d, unsigned cls) {
    tern__depot_class *c = &d->classes[cls];
    uint32_t kept = 0, cold = 0, idle = 0;
    for (uint32_t i = 0; i < c->n_free; i++) {
        tern__segment *s = segment_of(buf_of(cls, c->stack[i]));
        if (s->is_leaving) {
            if (--s->n_free == 0) give_segment(d, cls, s);
            continue;
        }
        cold += i < c->n_cold;
        idle += i < c->n_idle;
        c->stack[kept++] = c->stack[i];
    }
    c->n_free = kept;
    c->n_cold = cold;
    c->n_idle = idle;
    shrink_stack(c);
}

/* Whether the segment is better given back as a whole than kept: nothing of it is in use, and no buffer has memory that
 * could be kept or given back by itself. */
static bool is_spent(const tern__segment *s, bool sealed_too) {
    if (s->n_free != s->n_made || is_huge(s)) return false;
    if (sealed_too) return true;
    for (uint32_t i = 0; i < TERN__SEGMENT_MAX_GIANTS; i++)
        if (s->filled[i]) return false;
    return true;
}

/* Give memory of the class back to the system until the giants of its kind keep no more than that, oldest first, and
 * that of the last n_spared buffers in no case. Huge pages stay: they were set aside for such use and are nobody
 * else's. Called with the lock held. */
static void trim(tern__depot *d, unsigned cls, uint64_t keep_bytes, uint32_t n_spared) {
    tern__depot_class *c = &d->classes[cls];
    bool any_leaves = false;
    for (uint32_t i = c->n_cold; i + n_spared < c->n_free; i++) {
        if (__atomic_load_n(warm_of(d, cls), __ATOMIC_RELAXED) <= keep_bytes) break;
        uint32_t entry = c->stack[i];
        void *buf = buf_of(cls, entry);
        tern__segment *s = segment_of(buf);
        if (is_huge(s) || s->is_leaving) continue;
        /* All of the buffer: its user may have touched what lies behind the filled part. */
        bool cold = tern__segment_decommit(s, (uintptr_t)buf, tern__class_bytes(cls));
        if (cold) {
            give_up_filled(d, cls, filled_of(cls, buf));
            c->stack[i] = c->stack[c->n_cold];
            c->stack[c->n_cold++] = entry;
        }
        if (!is_spent(s, !cold)) continue;
        mark_segment(d, cls, s);
        any_leaves = true;
    }
    if (any_leaves) retire_segments(d, cls);
}

/* Count memory that is about to be committed. At the ceiling two threads may both be refused although there is room for
 * one. */
static bool charge_commit(tern__depot *d, unsigned half, size_t bytes) {
    count_up(&d->committed_bytes[half], bytes);
    if (d->max_bytes == 0) return true;
    uint64_t sum = __atomic_load_n(&d->committed_bytes[HALF_NORMAL], __ATOMIC_RELAXED) +
                   __atomic_load_n(&d->committed_bytes[HALF_HUGE], __ATOMIC_RELAXED);
    if (sum <= d->max_bytes) return true;
    count_up(&d->committed_bytes[half], -(uint64_t)bytes);
    return false;
}

/* Trim the giant classes of a kind but `locked`, whose lock the caller may hold. A class that another thread has locked
 * is left out. */
static void reclaim(tern__depot *d, bool is_private, unsigned locked, uint64_t keep_bytes) {
    unsigned first = is_private ? TERN__DEPOT_PRIVATE : 0;
    for (unsigned i = first + TERN__DEPOT_PRIVATE; i-- > first + TERN__DEPOT_GIANT_CLASS;) {
        if (i == locked || pthread_mutex_trylock(&d->classes[i].lock) != 0) continue;
        trim(d, i, keep_bytes, 0);
        pthread_mutex_unlock(&d->classes[i].lock);
    }
}

/* Give the memory of about n spare chunks of a kind to the system. Returns how much. */
static uint64_t release(tern__depot *d, bool is_private, uint32_t n, bool idle_only) {
    uint64_t bytes = tern__spare_release(&d->spare, is_private, n, idle_only);
    count_up(&d->committed_bytes[HALF_NORMAL], -bytes);
    return bytes;
}

/* Make spent chunks of all ordinary classes but `locked` spare ones. */
static void spare_spent(tern__depot *d, unsigned locked) {
    for (unsigned i = 0; i < TERN__DEPOT_N_CLASSES; i++)
        if (tern__size_class(i) < TERN__DEPOT_GIANT_CLASS && i != locked) try_spare(d, i, FOR_ALL);
}

/* As charge_commit(), but at the ceiling the giant classes first give up the memory that they keep for reuse, then the
 * others as much as it takes. `locked` is the class whose lock the caller holds, or NO_CLASS. */
static bool charge_or_reclaim(tern__depot *d, unsigned half, size_t bytes, unsigned locked) {
    enum { AT_ONCE = 4 };
    if (charge_commit(d, half, bytes)) return true;
    for (int is_private = 0; is_private < 2; is_private++) reclaim(d, is_private, locked, 0);
    if (charge_commit(d, half, bytes)) return true;
    spare_spent(d, locked);
    for (int is_private = 0; is_private < 2; is_private++)
        while (release(d, is_private, AT_ONCE, false))
            if (charge_commit(d, half, bytes)) return true;
    return charge_commit(d, half, bytes);
}

typedef bool take_place_fn(tern__depot *d, unsigned cls, unsigned half, bool needs_file, tern__depot_fresh *out);

/* A new place for buffers. Where addresses or descriptors are out, all that is kept for reuse is given up. If there
 * still is no descriptor, the place has no file. Called with the lock held. */
static bool take_or_reclaim(tern__depot *d, take_place_fn *take, unsigned cls, unsigned half) {
    tern__depot_fresh *f = &d->classes[cls].fresh[half];
    if (take(d, cls, half, true, f)) return true;
    if (half == HALF_HUGE) return false;
    spare_spent(d, cls);
    for (int is_private = 0; is_private < 2; is_private++) {
        reclaim(d, is_private, cls, 0);
        release(d, is_private, UINT32_MAX, false);
    }
    return take(d, cls, half, false, f);
}

/* Put memory behind `bytes` bytes from this buffer on. Called with the lock held. */
static bool commit(tern__depot *d, unsigned cls, const tern__segment *s, uintptr_t at, size_t bytes) {
    unsigned half = is_huge(s) ? HALF_HUGE : HALF_NORMAL;
    if (!charge_or_reclaim(d, half, bytes, cls)) return false;
    if (!tern__segment_admit(s, at, bytes, tern__class_shift(cls)) || !tern__segment_populate(s, at, bytes)) {
        count_up(&d->committed_bytes[half], -(uint64_t)bytes);
        if (half == HALF_HUGE) found_no_huge(d);
        return false;
    }
    tern__poison((void *)at, bytes);
    return true;
}

/* Make more buffers of an ordinary class available in one half. */
static bool grow_half(tern__depot *d, unsigned cls, unsigned half, bool may_add_chunk) {
    tern__depot_class *c = &d->classes[cls];
    tern__depot_fresh *f = &c->fresh[half];
    size_t size = tern__class_bytes(cls), step = c->grown_bytes[half];
    const size_t least = size < STEP_MIN_BYTES ? STEP_MIN_BYTES : size; /* every step is a multiple of it */
    bool is_new = !f->segment || f->committed == f->n;
    if (is_new && (!may_add_chunk || !take_or_reclaim(d, take_chunk, cls, half))) return false;
    if (is_new && f->committed > f->next) return true; /* the chunk came with memory */
    if (step < least) step = least;
    if (step > STEP_MAX_BYTES || half == HALF_HUGE) step = STEP_MAX_BYTES;
    if (step > (f->n - f->committed) * size) step = (f->n - f->committed) * size;
    tern__chunk *k = tern__chunk_around(f->start);
    /* Less than a buffer's bytes may be filled already. */
    size_t surplus = k->filled_bytes - f->committed * size;
    while (!commit(d, cls, f->segment, f->start + k->filled_bytes, step - surplus)) {
        if (half == HALF_HUGE || step == least) {
            if (is_new) untake_chunk(d, cls, f);
            return false;
        }
        step = step / 2 < least ? least : step / 2 / least * least; /* near the ceiling a smaller one will do */
    }
    f->committed += (uint32_t)(step / size);
    k->filled_bytes += (uint32_t)(step - surplus);
    c->grown_bytes[half] += step - surplus;
    return true;
}

/* The half to take fresh buffers from, grown if need be; -1 when memory is out. */
static int fresh_half(tern__depot *d, unsigned cls, bool may_grow, bool may_add_chunk) {
    tern__depot_class *c = &d->classes[cls];
    for (int half = HALF_HUGE; half >= HALF_NORMAL; half--)
        if (c->fresh[half].next < c->fresh[half].committed) return half;
    if (!may_grow) return -1;
    bool huge_kept = d->may_be_huge && tern__spare_is_kept(&d->spare, kind_of(cls, HALF_HUGE));
    if (huge_kept || huge_wanted(d)) {
        if (grow_half(d, cls, HALF_HUGE, may_add_chunk)) return HALF_HUGE;
        if (!may_add_chunk) return -1; /* a chunk of huge pages comes before what is left of the other */
    }
    return grow_half(d, cls, HALF_NORMAL, may_add_chunk) ? HALF_NORMAL : -1;
}

/* Any class: the next buffer of the place. */
static void *take_fresh(tern__depot *d, unsigned cls, unsigned half) {
    tern__depot_fresh *f = &d->classes[cls].fresh[half];
    d->classes[cls].n_made++;
    return (void *)(f->start + ((uintptr_t)f->next++ << tern__class_shift(cls)));
}

static size_t take_small(tern__depot *d, unsigned cls, void **out, size_t want, bool may_add_chunk) {
    tern__depot_class *c = &d->classes[cls];
    size_t n = 0;
    pthread_mutex_lock(&c->lock);
    while (n < want && c->n_free > 0) {
        uint32_t entry = c->stack[--c->n_free];
        use_chunk(d, cls, chunk_of(entry));
        out[n++] = buf_of(cls, entry);
    }
    while (n < want) {
        /* New memory is asked for only to serve the caller, not to fill the thread's cache. */
        int half = fresh_half(d, cls, n == 0, may_add_chunk);
        if (half < 0) break;
        out[n] = take_fresh(d, cls, (unsigned)half);
        use_chunk(d, cls, tern__chunk_around((uintptr_t)out[n++]));
    }
    pthread_mutex_unlock(&c->lock);
    return n;
}

/* ---- Giants --------------------------------------------------------------------------------------- */

static uint32_t pages_of(size_t bytes) { return (uint32_t)((bytes + PAGE_BYTES - 1) / PAGE_BYTES); }

/* Put memory behind the first `bytes` bytes of a giant that no other thread uses or can take. */
static bool fill_giant(tern__depot *d, unsigned cls, void *buf, size_t bytes) {
    size_t have = giant_filled_bytes(cls, buf), want = (size_t)pages_of(bytes) * PAGE_BYTES;
    if (have >= want) return true;
    if (!charge_or_reclaim(d, HALF_NORMAL, want - have, NO_CLASS)) return false;
    if (!tern__segment_populate(segment_of(buf), (uintptr_t)buf + have, want - have)) {
        count_up(&d->committed_bytes[HALF_NORMAL], -(uint64_t)(want - have));
        return false;
    }
    *filled_of(cls, buf) = (uint32_t)(want / PAGE_BYTES);
    count_up(&d->populated_bytes, want - have);
    return true;
}

static bool has_fresh(tern__depot *d, unsigned cls, unsigned half) {
    tern__depot_fresh *f = &d->classes[cls].fresh[half];
    return (f->segment && f->next < f->n) || take_or_reclaim(d, take_segment, cls, half);
}

/* A buffer that was never used on huge pages, with memory; NULL if there are none. Tried under the lock, so that a
 * failure leaves the place as it was. */
static void *fresh_huge_giant(tern__depot *d, unsigned cls) {
    tern__depot_class *c = &d->classes[cls];
    tern__depot_fresh *f = &c->fresh[HALF_HUGE];
    size_t size = tern__class_bytes(cls);
    if (!huge_wanted(d) || !has_fresh(d, cls, HALF_HUGE)) return NULL;
    if (commit(d, cls, f->segment, f->start + ((uintptr_t)f->next << tern__class_shift(cls)), size)) {
        void *buf = take_fresh(d, cls, HALF_HUGE);
        *filled_of(cls, buf) = (uint32_t)(size / PAGE_BYTES);
        segment_of(buf)->n_made++;
        return buf;
    }
    if (f->next == 0) give_segment(d, cls, f->segment);
    return NULL;
}

/* A buffer that was never used: with memory on huge pages if these may be asked for and there are any, else without
 * memory. */
static void *fresh_giant(tern__depot *d, unsigned cls, bool may_be_huge) {
    tern__depot_fresh *f = &d->classes[cls].fresh[HALF_NORMAL];
    size_t size = tern__class_bytes(cls);
    void *buf = may_be_huge ? fresh_huge_giant(d, cls) : NULL;
    if (buf) return buf;
    if (!has_fresh(d, cls, HALF_NORMAL)) return NULL;
    uintptr_t at = f->start + ((uintptr_t)f->next << tern__class_shift(cls));
    if (!tern__segment_admit(f->segment, at, size, tern__class_shift(cls))) return NULL;
    buf = take_fresh(d, cls, HALF_NORMAL);
    segment_of(buf)->n_made++;
    tern__poison(buf, size);
    return buf;
}

/* Called with the lock held. */
static void put_giant(tern__depot *d, unsigned cls, void *buf) {
    tern__depot_class *c = &d->classes[cls];
    tern__segment *s = segment_of(buf);
    uint32_t entry = depot_entry_of(cls, buf);
    size_t filled = giant_filled_bytes(cls, buf);
    s->n_free++;
    if (filled == 0) {
        c->stack[c->n_free++] = c->stack[c->n_cold];
        c->stack[c->n_cold++] = entry;
        if (!is_spent(s, false)) return;
        mark_segment(d, cls, s);
        retire_segments(d, cls);
        return;
    }
    c->stack[c->n_free++] = entry;
    if (!is_huge(s)) count_up(warm_of(d, cls), filled - surplus_bytes(cls, buf));
}

/* The last one given back, or NULL. Called with the lock held. */
static void *pop_giant(tern__depot *d, unsigned cls) {
    tern__depot_class *c = &d->classes[cls];
    if (c->n_free == 0) return NULL;
    void *buf = buf_of(cls, c->stack[--c->n_free]);
    tern__segment *s = segment_of(buf);
    if (c->n_idle > c->n_free) c->n_idle = c->n_free;
    s->n_free--;
    if (c->n_free < c->n_cold)
        c->n_cold--;
    else if (!is_huge(s))
        count_up(warm_of(d, cls), -(uint64_t)giant_filled_bytes(cls, buf));
    return buf;
}

bool tern__depot_take_sparse(tern__depot *depot, unsigned cls, size_t filled, void **out) {
    tern__depot_class *c = &depot->classes[cls];
    pthread_mutex_lock(&c->lock);
    void *buf = pop_giant(depot, cls);
    if (!buf) buf = fresh_giant(depot, cls, filled == tern__class_bytes(cls));
    pthread_mutex_unlock(&c->lock);
    if (!buf) return false;
    *asked_of(cls, buf) = pages_of(filled);
    if (!fill_giant(depot, cls, buf, filled)) {
        *asked_of(cls, buf) = UINT32_MAX; /* nothing of it has counted as surplus */
        pthread_mutex_lock(&c->lock);
        put_giant(depot, cls, buf);
        pthread_mutex_unlock(&c->lock);
        return false;
    }
    count_up(warm_of(depot, cls), surplus_bytes(cls, buf));
    *out = buf;
    return true;
}

size_t tern__depot_filled(unsigned cls, const void *buf) { return giant_filled_bytes(cls, buf); }

size_t tern__depot_asked(unsigned cls, const void *buf) { return (size_t)*asked_of(cls, buf) * PAGE_BYTES; }

size_t tern__depot_fill(tern__depot *depot, unsigned cls, void *buf, size_t bytes) {
    size_t before = surplus_bytes(cls, buf);
    if (pages_of(bytes) > *asked_of(cls, buf)) *asked_of(cls, buf) = pages_of(bytes);
    if (before) count_up(warm_of(depot, cls), surplus_bytes(cls, buf) - before);
    return fill_giant(depot, cls, buf, bytes) ? giant_filled_bytes(cls, buf) : 0;
}

size_t tern__depot_take(tern__depot *depot, unsigned cls, void **out, size_t want, bool may_add_chunk) {
    if (!tern__class_is_giant(cls)) return take_small(depot, cls, out, want, may_add_chunk);
    return tern__depot_take_sparse(depot, cls, tern__class_bytes(cls), out);
}

/* What may be kept, of which chunks and giants get half each if they need it. */
enum { WARM_CHUNKS = TERN__DEPOT_WARM_BYTES >> TERN__CHUNK_SHIFT };

static uint32_t n_idle_chunks(const tern__depot *d, bool is_private) {
    return __atomic_load_n(&d->n_spent[is_private], __ATOMIC_RELAXED) +
           __atomic_load_n(&d->spare.n_kept[is_private], __ATOMIC_RELAXED);
}

static uint64_t giants_may_keep(const tern__depot *d, bool is_private) {
    uint64_t n = n_idle_chunks(d, is_private);
    return TERN__DEPOT_WARM_BYTES - ((n < WARM_CHUNKS / 2 ? n : WARM_CHUNKS / 2) << TERN__CHUNK_SHIFT);
}

/* Keep no more giants than may be: first without the older buffers of this class, then without those of
 * others, and without the n_given that came last only if need be. Otherwise a class that is used now and then, while
 * others keep all that may be kept, would get its memory from the system each time. Called with the lock held. */
static void trim_surplus(tern__depot *d, unsigned cls, uint32_t n_given) {
    uint64_t keep_bytes = giants_may_keep(d, tern__class_is_private(cls));
    trim(d, cls, keep_bytes, tern__class_bytes(cls) > keep_bytes ? 0 : n_given);
    if (__atomic_load_n(warm_of(d, cls), __ATOMIC_RELAXED) <= keep_bytes) return;
    reclaim(d, tern__class_is_private(cls), cls, keep_bytes);
    trim(d, cls, keep_bytes, 0);
}

/* Something has come to be kept: keep no more chunks than may be. Where there are more a good part goes at once, first
 * of this class, so that sweeps are rare. Called without locks. */
static void bound_chunks(tern__depot *d, unsigned cls) {
    enum { AT_ONCE = WARM_CHUNKS / 8 };
    bool is_private = tern__class_is_private(cls);
    uint64_t warm = __atomic_load_n(warm_of(d, cls), __ATOMIC_RELAXED) >> TERN__CHUNK_SHIFT;
    uint32_t most = warm < WARM_CHUNKS / 2 ? WARM_CHUNKS - (uint32_t)warm : WARM_CHUNKS / 2;
    uint32_t n = n_idle_chunks(d, is_private);
    if (n <= most) return;
    for (unsigned i = 0; i <= TERN__DEPOT_GIANT_CLASS; i++) {
        unsigned size = i == 0 ? tern__size_class(cls) : TERN__DEPOT_GIANT_CLASS - i;
        if (__atomic_load_n(&d->spare.n_kept[is_private], __ATOMIC_RELAXED) >= n - most + AT_ONCE) break;
        if (size < TERN__DEPOT_GIANT_CLASS) try_spare(d, cls - tern__size_class(cls) + size, FOR_MUCH);
    }
    release(d, is_private, n - most + AT_ONCE, false);
}

static void give_giants(tern__depot *d, unsigned cls, void *const *bufs, size_t n) {
    pthread_mutex_lock(&d->classes[cls].lock);
    for (size_t i = 0; i < n; i++) put_giant(d, cls, bufs[i]);
    trim_surplus(d, cls, (uint32_t)n);
    pthread_mutex_unlock(&d->classes[cls].lock);
    bound_chunks(d, cls);
}

static void give_small(tern__depot *d, unsigned cls, void *const *bufs, size_t n) {
    tern__depot_class *c = &d->classes[cls];
    bool any_spent = false;
    pthread_mutex_lock(&c->lock);
    for (size_t i = 0; i < n; i++) {
        c->stack[c->n_free++] = depot_entry_of(cls, bufs[i]);
        any_spent |= unuse_chunk(d, cls, tern__chunk_around((uintptr_t)bufs[i]));
    }
    pthread_mutex_unlock(&c->lock);
    if (!any_spent) return;
    bound_chunks(d, cls);
    uint64_t keep_bytes = giants_may_keep(d, tern__class_is_private(cls));
    if (__atomic_load_n(warm_of(d, cls), __ATOMIC_RELAXED) > keep_bytes)
        reclaim(d, tern__class_is_private(cls), NO_CLASS, keep_bytes);
}

void tern__depot_give(tern__depot *depot, unsigned cls, void *const *bufs, size_t n) {
    if (tern__class_is_giant(cls))
        give_giants(depot, cls, bufs, n);
    else
        give_small(depot, cls, bufs, n);
}

static void age_giants(tern__depot *d, unsigned cls) {
    tern__depot_class *c = &d->classes[cls];
    trim(d, cls, 0, c->n_free - c->n_idle);
    c->n_idle = c->n_free;
}

/* What was spent at the last look, too, leaves the class. */
static void age_chunks(tern__depot *d, unsigned cls, tern__node *out) {
    tern__depot_class *c = &d->classes[cls];
    sweep(d, cls, FOR_IDLE, out);
    for (tern__node *node = c->spent.next; node != &c->spent; node = node->next)
        TERN__CONTAINER(node, tern__chunk, node)->is_idle = true;
}

void tern__depot_age(tern__depot *d) {
    for (unsigned cls = 0; cls < TERN__DEPOT_N_CLASSES; cls++) {
        tern__node chunks;
        tern__list_init(&chunks);
        if (pthread_mutex_trylock(&d->classes[cls].lock) != 0) continue;
        if (tern__class_is_giant(cls))
            age_giants(d, cls);
        else
            age_chunks(d, cls, &chunks);
        pthread_mutex_unlock(&d->classes[cls].lock);
        spare_all(d, &chunks);
    }
    for (int is_private = 0; is_private < 2; is_private++) release(d, is_private, UINT32_MAX, true);
}

bool tern__depot_is_warm(const tern__depot *d) {
    for (int is_private = 0; is_private < 2; is_private++)
        if (__atomic_load_n(&d->warm_bytes[is_private], __ATOMIC_RELAXED) || n_idle_chunks(d, is_private)) return true;
    return false;
}

uint64_t tern__depot_outside(tern__depot *depot, unsigned cls) {
    tern__depot_class *c = &depot->classes[cls];
    pthread_mutex_lock(&c->lock);
    uint64_t n = c->n_made - c->n_free;
    pthread_mutex_unlock(&c->lock);
    return n;
}
