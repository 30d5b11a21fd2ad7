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

static const uint16_t ALL_CHUNKS = (uint16_t)~1u; /* but the head */

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
    depot->may_be_huge = huge;
    depot->max_bytes = max_bytes;
    pthread_mutex_init(&depot->segments_lock, NULL);
    for (unsigned c = 0; c < TERN__DEPOT_N_CLASSES; c++) pthread_mutex_init(&depot->classes[c].lock, NULL);
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

static unsigned kind_of(unsigned cls, unsigned half) {
    return (tern__class_is_private(cls) ? TERN__SEGMENT_PRIVATE : 0) | (half == HALF_HUGE ? TERN__SEGMENT_HUGE : 0);
}

/* A chunk for buffers of an ordinary class. */
static bool take_chunk(tern__depot *d, unsigned cls, unsigned half, bool needs_file, tern__depot_fresh *out) {
    unsigned kind = kind_of(cls, half);
    uint32_t n = (uint32_t)1 << (TERN__CHUNK_SHIFT - tern__class_shift(cls));
    bool taken = false;
    if (!make_stack_room(&d->classes[cls], n)) return false;
    pthread_mutex_lock(&d->segments_lock);
    tern__segment *s = d->with_chunks[kind];
    if (!s && (s = tern__segment_new(kind, TERN__SEGMENT_BODY_BYTES, needs_file))) {
        s->free_chunks = ALL_CHUNKS;
        d->with_chunks[kind] = s;
    }
    if (s) {
        unsigned chunk = (unsigned)__builtin_ctz(s->free_chunks);
        uintptr_t start = (uintptr_t)s + ((uintptr_t)chunk << TERN__CHUNK_SHIFT);
        tern__segment_divide(s, chunk, tern__class_shift(cls));
        taken = tern__map_set(start, 1, tern__code_of_class(cls));
        if (taken) s->free_chunks &= (uint16_t) ~(1u << chunk);
        if (s->free_chunks == 0) d->with_chunks[kind] = s->next;
        *out = (tern__depot_fresh){s, start, tern__depot_first(cls), n, 0};
    }
    pthread_mutex_unlock(&d->segments_lock);
    if (taken) d->classes[cls].n_all += n;
    return taken;
}

/* Give the chunk back, of which no buffer was handed out. */
static void untake_chunk(tern__depot *d, unsigned cls, tern__depot_fresh *fresh) {
    tern__segment *s = fresh->segment;
    d->classes[cls].n_all -= fresh->n;
    pthread_mutex_lock(&d->segments_lock);
    tern__map_set(fresh->start, 1, 0);
    if (s->free_chunks == 0) {
        s->next = d->with_chunks[s->kind];
        d->with_chunks[s->kind] = s;
    }
    s->free_chunks |= (uint16_t)(1u << (fresh->start >> TERN__CHUNK_SHIFT & (TERN__SEGMENT_CHUNKS - 1)));
    tern__segment **link = &d->with_chunks[s->kind];
    while (*link != s) link = &(*link)->next;
    if (s->free_chunks == ALL_CHUNKS) {
        *link = s->next;
        tern__segment_free(s);
    }
    pthread_mutex_unlock(&d->segments_lock);
    *fresh = (tern__depot_fresh){0};
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

static uint32_t *filled_of(unsigned cls, const void *buf) {
    tern__segment *s = segment_of(buf);
    return &s->filled[((uintptr_t)buf - (uintptr_t)s) >> tern__class_shift(cls)];
}

/* Giants: the bytes at the buffer's start that have memory. */
static size_t giant_filled_bytes(unsigned cls, const void *buf) { return (size_t)*filled_of(cls, buf) * PAGE_BYTES; }

/* What the giants of the class's kind keep. */
static uint64_t *warm_of(tern__depot *d, unsigned cls) { return &d->warm_bytes[tern__class_is_private(cls)]; }

static void give_up_filled(tern__depot *d, unsigned cls, const void *buf) {
    size_t filled = giant_filled_bytes(cls, buf);
    *filled_of(cls, buf) = 0;
    count_up(warm_of(d, cls), -(uint64_t)filled);
    count_up(&d->committed_bytes[HALF_NORMAL], -(uint64_t)filled);
    count_up(&d->decommitted_bytes, filled);
}

/* Take the buffers of a segment out of the stack, all of which are there, and give the segment back with their
 * memory. */
static void retire_segment(tern__depot *d, unsigned cls, tern__segment *s) {
    tern__depot_class *c = &d->classes[cls];
    uint32_t kept = 0, cold = 0;
    for (uint32_t i = 0; i < c->n_free; i++) {
        void *buf = buf_of(cls, c->stack[i]);
        if (segment_of(buf) == s) {
            give_up_filled(d, cls, buf);
            continue;
        }
        cold += i < c->n_cold;
        c->stack[kept++] = c->stack[i];
    }
    c->n_free = kept;
    c->n_cold = cold;
    if (c->n_idle > kept) c->n_idle = kept;
    give_segment(d, cls, s);
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
    for (uint32_t i = c->n_cold; i + n_spared < c->n_free; i++) {
        if (__atomic_load_n(warm_of(d, cls), __ATOMIC_RELAXED) <= keep_bytes) return;
        uint32_t entry = c->stack[i];
        void *buf = buf_of(cls, entry);
        tern__segment *s = segment_of(buf);
        if (is_huge(s)) continue;
        /* All of the buffer: its user may have touched what lies behind the filled part. */
        bool cold = tern__segment_decommit(s, (uintptr_t)buf, tern__class_bytes(cls));
        if (cold) {
            give_up_filled(d, cls, buf);
            c->stack[i] = c->stack[c->n_cold];
            c->stack[c->n_cold++] = entry;
        }
        if (!is_spent(s, !cold)) continue;
        retire_segment(d, cls, s);
        i = c->n_cold - 1; /* the stack has changed: from the first warm one on */
    }
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

/* Trim all giant classes but `locked`, whose lock the caller may hold; those of its kind only, if something is to be
 * kept. A class that another thread has locked is left out. */
static void reclaim(tern__depot *d, unsigned locked, uint64_t keep_bytes) {
    for (unsigned i = TERN__DEPOT_N_CLASSES; i-- > 0;) {
        if (!tern__class_is_giant(i) || i == locked) continue;
        if (keep_bytes && tern__class_is_private(i) != tern__class_is_private(locked)) continue;
        if (pthread_mutex_trylock(&d->classes[i].lock) != 0) continue;
        trim(d, i, keep_bytes, 0);
        pthread_mutex_unlock(&d->classes[i].lock);
    }
}

/* As charge_commit(), but at the ceiling the giant classes first give up the memory that they keep for reuse. `locked`
 * is the class whose lock the caller holds, or NO_CLASS. */
static bool charge_or_reclaim(tern__depot *d, unsigned half, size_t bytes, unsigned locked) {
    if (charge_commit(d, half, bytes)) return true;
    reclaim(d, locked, 0);
    return charge_commit(d, half, bytes);
}

typedef bool take_place_fn(tern__depot *d, unsigned cls, unsigned half, bool needs_file, tern__depot_fresh *out);

/* A new place for buffers. Where addresses or descriptors are out, giants give up what they keep for reuse. If there
 * still is no descriptor, the place has no file. Called with the lock held. */
static bool take_or_reclaim(tern__depot *d, take_place_fn *take, unsigned cls, unsigned half) {
    tern__depot_fresh *f = &d->classes[cls].fresh[half];
    if (take(d, cls, half, true, f)) return true;
    if (half == HALF_HUGE) return false;
    reclaim(d, cls, 0);
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
static bool grow_half(tern__depot *d, unsigned cls, unsigned half) {
    tern__depot_class *c = &d->classes[cls];
    tern__depot_fresh *f = &c->fresh[half];
    size_t size = tern__class_bytes(cls), step = c->grown_bytes[half];
    const size_t least = size < STEP_MIN_BYTES ? STEP_MIN_BYTES : size; /* every step is a multiple of it */
    bool is_new = !f->segment || f->committed == f->n;
    if (is_new && !take_or_reclaim(d, take_chunk, cls, half)) return false;
    if (step < least) step = least;
    if (step > STEP_MAX_BYTES || half == HALF_HUGE) step = STEP_MAX_BYTES;
    if (step > (f->n - f->committed) * size) step = (f->n - f->committed) * size;
    while (!commit(d, cls, f->segment, f->start + f->committed * size, step)) {
        if (half == HALF_HUGE || step == least) {
            if (is_new) untake_chunk(d, cls, f);
            return false;
        }
        step = step / 2 < least ? least : step / 2 / least * least; /* near the ceiling a smaller one will do */
    }
    f->committed += (uint32_t)(step / size);
    c->grown_bytes[half] += step;
    return true;
}

/* The half to take fresh buffers from, grown if need be; -1 when memory is out. */
static int fresh_half(tern__depot *d, unsigned cls, bool may_grow) {
    tern__depot_class *c = &d->classes[cls];
    for (int half = HALF_HUGE; half >= HALF_NORMAL; half--)
        if (c->fresh[half].next < c->fresh[half].committed) return half;
    if (!may_grow) return -1;
    if (huge_wanted(d) && grow_half(d, cls, HALF_HUGE)) return HALF_HUGE;
    return grow_half(d, cls, HALF_NORMAL) ? HALF_NORMAL : -1;
}

/* Any class: the next buffer of the place. */
static void *take_fresh(tern__depot *d, unsigned cls, unsigned half) {
    tern__depot_fresh *f = &d->classes[cls].fresh[half];
    d->classes[cls].n_made++;
    return (void *)(f->start + ((uintptr_t)f->next++ << tern__class_shift(cls)));
}

static size_t take_small(tern__depot *d, unsigned cls, void **out, size_t want) {
    tern__depot_class *c = &d->classes[cls];
    size_t n = 0;
    pthread_mutex_lock(&c->lock);
    while (n < want && c->n_free > 0) out[n++] = buf_of(cls, c->stack[--c->n_free]);
    while (n < want) {
        /* New memory is asked for only to serve the caller, not to fill the thread's cache. */
        int half = fresh_half(d, cls, n == 0);
        if (half < 0) break;
        out[n++] = take_fresh(d, cls, (unsigned)half);
    }
    pthread_mutex_unlock(&c->lock);
    return n;
}

/* ---- Giants --------------------------------------------------------------------------------------- */

/* Put memory behind the first `bytes` bytes of a giant that no other thread uses or can take. */
static bool fill_giant(tern__depot *d, unsigned cls, void *buf, size_t bytes) {
    size_t have = giant_filled_bytes(cls, buf), want = (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
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
        if (is_spent(s, false)) retire_segment(d, cls, s);
        return;
    }
    c->stack[c->n_free++] = entry;
    if (!is_huge(s)) count_up(warm_of(d, cls), filled);
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
    if (!fill_giant(depot, cls, buf, filled)) {
        pthread_mutex_lock(&c->lock);
        put_giant(depot, cls, buf);
        pthread_mutex_unlock(&c->lock);
        return false;
    }
    *out = buf;
    return true;
}

size_t tern__depot_filled(unsigned cls, const void *buf) { return giant_filled_bytes(cls, buf); }

size_t tern__depot_fill(tern__depot *depot, unsigned cls, void *buf, size_t bytes) {
    return fill_giant(depot, cls, buf, bytes) ? giant_filled_bytes(cls, buf) : 0;
}

size_t tern__depot_take(tern__depot *depot, unsigned cls, void **out, size_t want) {
    if (!tern__class_is_giant(cls)) return take_small(depot, cls, out, want);
    return tern__depot_take_sparse(depot, cls, tern__class_bytes(cls), out);
}

/* Keep no more than TERN__DEPOT_WARM_BYTES: first without the older buffers of this class, then without those of
 * others, and without the n_given that came last only if need be. Otherwise a class that is used now and then, while
 * others keep all that may be kept, would get its memory from the system each time. Called with the lock held. */
static void trim_surplus(tern__depot *d, unsigned cls, uint32_t n_given) {
    trim(d, cls, TERN__DEPOT_WARM_BYTES, tern__class_bytes(cls) > TERN__DEPOT_WARM_BYTES ? 0 : n_given);
    if (__atomic_load_n(warm_of(d, cls), __ATOMIC_RELAXED) <= TERN__DEPOT_WARM_BYTES) return;
    reclaim(d, cls, TERN__DEPOT_WARM_BYTES);
    trim(d, cls, TERN__DEPOT_WARM_BYTES, 0);
}

void tern__depot_give(tern__depot *depot, unsigned cls, void *const *bufs, size_t n) {
    tern__depot_class *c = &depot->classes[cls];
    bool giant = tern__class_is_giant(cls);
    pthread_mutex_lock(&c->lock);
    for (size_t i = 0; i < n; i++) {
        if (giant)
            put_giant(depot, cls, bufs[i]);
        else
            c->stack[c->n_free++] = depot_entry_of(cls, bufs[i]);
    }
    if (giant) trim_surplus(depot, cls, (uint32_t)n);
    pthread_mutex_unlock(&c->lock);
}

void tern__depot_age(tern__depot *d) {
    for (unsigned cls = 0; cls < TERN__DEPOT_N_CLASSES; cls++) {
        tern__depot_class *c = &d->classes[cls];
        if (!tern__class_is_giant(cls) || pthread_mutex_trylock(&c->lock) != 0) continue;
        trim(d, cls, 0, c->n_free - c->n_idle);
        c->n_idle = c->n_free;
        pthread_mutex_unlock(&c->lock);
    }
}

bool tern__depot_is_warm(const tern__depot *d) {
    return __atomic_load_n(&d->warm_bytes[0], __ATOMIC_RELAXED) || __atomic_load_n(&d->warm_bytes[1], __ATOMIC_RELAXED);
}

uint64_t tern__depot_outside(tern__depot *depot, unsigned cls) {
    tern__depot_class *c = &depot->classes[cls];
    pthread_mutex_lock(&c->lock);
    uint64_t n = c->n_made - c->n_free;
    pthread_mutex_unlock(&c->lock);
    return n;
}
