/* The shared store of free buffers; see depot.h. */
#include "mem/depot.h"

#include "mem/poison.h"

enum { STEP_MIN_BYTES = 64 << 10, STEP_MAX_BYTES = 2 << 20, PAGE_BYTES = 4096, HALF_NORMAL = 0, HALF_HUGE = 1 };

/* For a caller that holds no class's lock. */
enum { NO_CLASS = TERN__MEM_N_CLASSES };

static uint32_t *stack_of(const tern__depot *d, unsigned cls) { return tern__region_stack(&d->region, cls); }

static uint32_t depot_entry_of(const tern__depot *d, unsigned cls, const void *buf) {
    size_t offset = (uintptr_t)buf - d->region.base;
    size_t slot = offset >> d->region.share_shift;
    size_t inside = offset - (slot << d->region.share_shift);
    return (uint32_t)(slot / TERN__MEM_N_SLOTS) << 31 | (uint32_t)(inside >> (TERN__MEM_MIN_SHIFT + cls));
}

static void *buf_of(const tern__depot *d, unsigned cls, uint32_t entry) {
    return (void *)(d->region.base + tern__depot_offset(d, cls, entry));
}

static uint32_t class_limit(const tern__depot *d, unsigned cls) {
    unsigned shift = TERN__MEM_MIN_SHIFT + cls;
    return shift > d->region.share_shift ? 0 : (uint32_t)1 << (d->region.share_shift - shift);
}

/* Each class begins at a multiple of a large power of two, so that its first buffers, those in use as long as there are
 * few, would compete with the first of all others for the same few lines of a cache. The first buffer that a class
 * hands out therefore lies some lines further on than that of the class before: a tenth of a small call's time
 * (bench/rpc_rate). */
static uint32_t first_of(unsigned cls) {
    enum { STAGGER_BYTES = 11 * 64, PERIOD_BYTES = 4096 /* of the sets of a first-level cache */ };
    return (uint32_t)((cls + 1) * STAGGER_BYTES % PERIOD_BYTES / tern__class_bytes(cls));
}

static void count_up(uint64_t *counter, uint64_t n) { __atomic_fetch_add(counter, n, __ATOMIC_RELAXED); }

int tern__depot_init(tern__depot *depot, unsigned share_shift, bool huge, uint64_t max_bytes) {
    int err = tern__region_init(&depot->region, share_shift, huge);
    if (err) return err;
    depot->max_bytes = max_bytes;
    for (unsigned c = 0; c < TERN__MEM_N_CLASSES; c++) {
        pthread_mutex_init(&depot->classes[c].lock, NULL);
        depot->classes[c].fresh[HALF_NORMAL] = depot->classes[c].fresh[HALF_HUGE] = first_of(c);
    }
    return 0;
}

/* Whether a commit may ask for huge pages now. */
static bool huge_wanted(tern__depot *d) {
    if (d->region.n_halves < 2) return false;
    uint32_t left = __atomic_load_n(&d->huge_backoff, __ATOMIC_RELAXED);
    if (left == 0) return true;
    /* A race here asks once too often or too seldom, which is harmless. */
    __atomic_store_n(&d->huge_backoff, left - 1, __ATOMIC_RELAXED);
    return false;
}

/* Giants: the bytes at the buffer's start that have memory. */
static size_t giant_filled_bytes(const tern__depot *d, unsigned cls, uint32_t entry) {
    if (entry >> 31 == HALF_HUGE) return tern__class_bytes(cls);
    return (size_t)*tern__region_filled(&d->region, cls, entry) * PAGE_BYTES;
}

/* Give memory of the class back to the system until the giants keep no more than that, oldest first, and that of the
 * last n_spared buffers in no case. Huge pages stay: they were set aside for such use and are nobody else's. Called
 * with the lock held. */
static void trim(tern__depot *d, unsigned cls, uint64_t keep_bytes, uint32_t n_spared) {
    tern__depot_class *c = &d->classes[cls];
    uint32_t *stack = stack_of(d, cls);
    for (uint32_t i = c->n_cold; i + n_spared < c->n_free; i++) {
        if (__atomic_load_n(&d->warm_bytes, __ATOMIC_RELAXED) <= keep_bytes) return;
        uint32_t entry = stack[i];
        if (entry >> 31 == HALF_HUGE) continue;
        size_t filled = giant_filled_bytes(d, cls, entry);
        /* All of the buffer: its user may have touched what lies behind the filled part. */
        if (!tern__region_decommit(&d->region, tern__depot_offset(d, cls, entry), tern__class_bytes(cls))) return;
        *tern__region_filled(&d->region, cls, entry) = 0;
        stack[i] = stack[c->n_cold];
        stack[c->n_cold++] = entry;
        count_up(&d->warm_bytes, -(uint64_t)filled);
        count_up(&d->committed_bytes[HALF_NORMAL], -(uint64_t)filled);
        count_up(&d->decommitted_bytes, filled);
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

/* Trim all giant classes but `locked`, whose lock the caller may hold. A class that another thread has locked is left
 * out. */
static void reclaim(tern__depot *d, unsigned locked, uint64_t keep_bytes) {
    for (unsigned i = TERN__MEM_N_CLASSES; i-- > TERN__DEPOT_GIANT_CLASS;) {
        if (i == locked || pthread_mutex_trylock(&d->classes[i].lock) != 0) continue;
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

/* Put memory behind `bytes` bytes from this entry on. Called with the lock held. */
static bool commit(tern__depot *d, unsigned cls, uint32_t entry, size_t bytes) {
    unsigned half = entry >> 31;
    size_t offset = tern__depot_offset(d, cls, entry);
    if (!charge_or_reclaim(d, half, bytes, cls)) return false;
    if (!tern__region_commit(&d->region, offset, bytes)) {
        count_up(&d->committed_bytes[half], -(uint64_t)bytes);
        if (half == HALF_HUGE) __atomic_store_n(&d->huge_backoff, TERN__DEPOT_HUGE_BACKOFF, __ATOMIC_RELAXED);
        return false;
    }
    tern__poison((void *)(d->region.base + offset), bytes);
    return true;
}

/* Make more buffers of an ordinary class available in one half. */
static bool grow_half(tern__depot *d, unsigned cls, unsigned half) {
    tern__depot_class *c = &d->classes[cls];
    size_t size = tern__class_bytes(cls), share = (size_t)1 << d->region.share_shift;
    size_t have = c->committed[half] * size, step = have;
    const size_t least = size < STEP_MIN_BYTES ? STEP_MIN_BYTES : size; /* every step is a multiple of it */
    if (step < least) step = least;
    if (step > STEP_MAX_BYTES || half == HALF_HUGE) step = STEP_MAX_BYTES;
    if (have + step > share) return false;
    while (!commit(d, cls, half << 31 | c->committed[half], step)) {
        if (half == HALF_HUGE || step == least) return false;
        step = step / 2 < least ? least : step / 2 / least * least; /* near the ceiling a smaller one will do */
    }
    c->committed[half] += (uint32_t)(step / size);
    return true;
}

/* The half to take fresh buffers from, grown if need be; -1 when memory is out. */
static int fresh_half(tern__depot *d, unsigned cls, bool may_grow) {
    tern__depot_class *c = &d->classes[cls];
    for (int half = HALF_HUGE; half >= HALF_NORMAL; half--)
        if (c->fresh[half] < c->committed[half]) return half;
    if (!may_grow) return -1;
    if (huge_wanted(d) && grow_half(d, cls, HALF_HUGE)) return HALF_HUGE;
    return grow_half(d, cls, HALF_NORMAL) ? HALF_NORMAL : -1;
}

static size_t take_small(tern__depot *d, unsigned cls, void **out, size_t want) {
    tern__depot_class *c = &d->classes[cls];
    uint32_t *stack = stack_of(d, cls);
    size_t n = 0;
    pthread_mutex_lock(&c->lock);
    while (n < want && c->n_free > 0) out[n++] = buf_of(d, cls, stack[--c->n_free]);
    while (n < want) {
        /* New memory is asked for only to serve the caller, not to fill the thread's cache. */
        int half = fresh_half(d, cls, n == 0);
        if (half < 0) break;
        out[n++] = buf_of(d, cls, (uint32_t)half << 31 | c->fresh[half]++);
    }
    pthread_mutex_unlock(&c->lock);
    return n;
}

/* Put memory behind the first `bytes` bytes of a giant that no other thread uses or can take. */
static bool fill_giant(tern__depot *d, unsigned cls, uint32_t entry, size_t bytes) {
    size_t have = giant_filled_bytes(d, cls, entry), want = (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
    if (have >= want) return true;
    if (!charge_or_reclaim(d, HALF_NORMAL, want - have, NO_CLASS)) return false;
    if (!tern__region_populate(&d->region, tern__depot_offset(d, cls, entry) + have, want - have)) {
        count_up(&d->committed_bytes[HALF_NORMAL], -(uint64_t)(want - have));
        return false;
    }
    *tern__region_filled(&d->region, cls, entry) = (uint32_t)(want / PAGE_BYTES);
    count_up(&d->populated_bytes, want - have);
    return true;
}

/* A buffer that was never used: with memory on huge pages if these may be asked for and there are any, else without
 * memory. Huge pages are tried under the lock, so that a failure leaves the bump index as it was. */
static bool fresh_giant(tern__depot *d, unsigned cls, bool may_be_huge, uint32_t *entry) {
    tern__depot_class *c = &d->classes[cls];
    uint32_t limit = class_limit(d, cls);
    size_t size = tern__class_bytes(cls);
    if (may_be_huge && c->fresh[HALF_HUGE] < limit && huge_wanted(d)) {
        *entry = (uint32_t)HALF_HUGE << 31 | c->fresh[HALF_HUGE];
        if (commit(d, cls, *entry, size)) {
            c->fresh[HALF_HUGE]++;
            return true;
        }
    }
    if (c->fresh[HALF_NORMAL] >= limit) return false;
    *entry = c->fresh[HALF_NORMAL];
    if (!tern__region_admit(&d->region, tern__depot_offset(d, cls, *entry), size)) return false;
    c->fresh[HALF_NORMAL]++;
    tern__poison(buf_of(d, cls, *entry), size);
    return true;
}

/* Called with the lock held. */
static void put_giant(tern__depot *d, unsigned cls, uint32_t entry) {
    tern__depot_class *c = &d->classes[cls];
    uint32_t *stack = stack_of(d, cls);
    size_t filled = giant_filled_bytes(d, cls, entry);
    if (filled == 0) {
        stack[c->n_free++] = stack[c->n_cold];
        stack[c->n_cold++] = entry;
        return;
    }
    stack[c->n_free++] = entry;
    if (entry >> 31 == HALF_NORMAL) count_up(&d->warm_bytes, filled);
}

bool tern__depot_take_sparse(tern__depot *depot, unsigned cls, size_t filled, void **out) {
    tern__depot_class *c = &depot->classes[cls];
    uint32_t entry = 0;
    bool found = true;
    pthread_mutex_lock(&c->lock);
    if (c->n_free > 0) {
        entry = stack_of(depot, cls)[--c->n_free];
        if (c->n_free < c->n_cold)
            c->n_cold--;
        else if (entry >> 31 == HALF_NORMAL)
            count_up(&depot->warm_bytes, -(uint64_t)giant_filled_bytes(depot, cls, entry));
    } else {
        found = fresh_giant(depot, cls, filled == tern__class_bytes(cls), &entry);
    }
    pthread_mutex_unlock(&c->lock);
    if (!found) return false;
    if (!fill_giant(depot, cls, entry, filled)) {
        pthread_mutex_lock(&c->lock);
        put_giant(depot, cls, entry);
        pthread_mutex_unlock(&c->lock);
        return false;
    }
    *out = buf_of(depot, cls, entry);
    return true;
}

size_t tern__depot_filled(const tern__depot *depot, unsigned cls, const void *buf) {
    return giant_filled_bytes(depot, cls, depot_entry_of(depot, cls, buf));
}

size_t tern__depot_fill(tern__depot *depot, unsigned cls, void *buf, size_t bytes) {
    uint32_t entry = depot_entry_of(depot, cls, buf);
    return fill_giant(depot, cls, entry, bytes) ? giant_filled_bytes(depot, cls, entry) : 0;
}

size_t tern__depot_take(tern__depot *depot, unsigned cls, void **out, size_t want) {
    if (cls < TERN__DEPOT_GIANT_CLASS) return take_small(depot, cls, out, want);
    return tern__depot_take_sparse(depot, cls, tern__class_bytes(cls), out);
}

/* Keep no more than TERN__DEPOT_WARM_BYTES: first without the older buffers of this class, then without those of
 * others, and without the n_given that came last only if need be. Otherwise a class that is used now and then, while
 * others keep all that may be kept, would get its memory from the system each time. Called with the lock held. */
static void trim_surplus(tern__depot *d, unsigned cls, uint32_t n_given) {
    trim(d, cls, TERN__DEPOT_WARM_BYTES, tern__class_bytes(cls) > TERN__DEPOT_WARM_BYTES ? 0 : n_given);
    if (__atomic_load_n(&d->warm_bytes, __ATOMIC_RELAXED) <= TERN__DEPOT_WARM_BYTES) return;
    reclaim(d, cls, TERN__DEPOT_WARM_BYTES);
    trim(d, cls, TERN__DEPOT_WARM_BYTES, 0);
}

void tern__depot_give(tern__depot *depot, unsigned cls, void *const *bufs, size_t n) {
    tern__depot_class *c = &depot->classes[cls];
    uint32_t *stack = stack_of(depot, cls);
    bool giant = cls >= TERN__DEPOT_GIANT_CLASS;
    pthread_mutex_lock(&c->lock);
    for (size_t i = 0; i < n; i++) {
        uint32_t entry = depot_entry_of(depot, cls, bufs[i]);
        if (giant)
            put_giant(depot, cls, entry);
        else
            stack[c->n_free++] = entry;
    }
    if (giant) trim_surplus(depot, cls, (uint32_t)n);
    pthread_mutex_unlock(&c->lock);
}

uint64_t tern__depot_outside(tern__depot *depot, unsigned cls) {
    tern__depot_class *c = &depot->classes[cls];
    pthread_mutex_lock(&c->lock);
    uint64_t n = (uint64_t)c->fresh[0] + c->fresh[1] - 2 * first_of(cls) - c->n_free;
    pthread_mutex_unlock(&c->lock);
    return n;
}

int tern__depot_share(tern__depot *depot) {
    /* Every lock that guards a decommit, so that none runs while the seal is set. */
    for (unsigned c = 0; c < TERN__MEM_N_CLASSES; c++) pthread_mutex_lock(&depot->classes[c].lock);
    int err = tern__region_share(&depot->region);
    for (unsigned c = TERN__MEM_N_CLASSES; c-- > 0;) pthread_mutex_unlock(&depot->classes[c].lock);
    return err;
}
