/* Free buffers of each size, shared by all threads: what the threads' caches are filled from and emptied into.
 *
 * Per class a lock, a stack of free buffers, and a bump index per half for buffers that were never used. The stack
 * is [cold... | warm...]: cold buffers have no memory. Only giant classes (2 MB and up) have cold ones; together they
 * keep at most TERN__DEPOT_WARM_BYTES of free memory, unless the region is sealed. A giant of the normal half may have
 * memory at its start only, as much as its users have needed so far.
 *
 * Invariant: every buffer below a bump index is live, in one thread's cache, or in the stack, exactly one of
 * these; except the few below which it began. Any thread. */
#ifndef TERN_MEM_DEPOT_H
#define TERN_MEM_DEPOT_H

#include <pthread.h>

#include "mem/region.h"

enum {
    TERN__DEPOT_GIANT_CLASS = TERN__MEM_HUGE_SHIFT - TERN__MEM_MIN_SHIFT, /* 2 MB, a whole huge page */
    TERN__DEPOT_WARM_BYTES = 256 << 20,
    TERN__DEPOT_HUGE_BACKOFF = 64 /* commits that do not ask for huge pages after one that found none */
};

typedef struct tern__depot_class {
    _Alignas(64) pthread_mutex_t lock;
    uint32_t n_free, n_cold;
    uint32_t fresh[2];     /* per half: the next buffer never handed out */
    uint32_t committed[2]; /* per half: buffers with memory; giants need none to be counted */
} tern__depot_class;

typedef struct tern__depot {
    tern__region region;
    tern__depot_class classes[TERN__MEM_N_CLASSES];
    uint64_t committed_bytes[2];                 /* atomics */
    uint64_t max_bytes;                          /* ceiling for their sum; 0 for none */
    uint64_t warm_bytes;                         /* of normal memory in the stacks of giant classes */
    uint64_t populated_bytes, decommitted_bytes; /* of giants in the normal half, all that ever were; atomics */
    uint32_t huge_backoff;
} tern__depot;

int tern__depot_init(tern__depot *depot, unsigned share_shift, bool huge, uint64_t max_bytes);

/* Take up to `want` >= 1 buffers, committed and with count 0. Returns how many; 0 when memory is out. */
size_t tern__depot_take(tern__depot *depot, unsigned cls, void **out, size_t want);

/* Take one buffer of a giant class with memory behind its first `filled` bytes at least. False when memory is out. */
bool tern__depot_take_sparse(tern__depot *depot, unsigned cls, size_t filled, void **out);

/* How many bytes at the start of a live giant have memory. */
size_t tern__depot_filled(const tern__depot *depot, unsigned cls, const void *buf);

/* Put memory behind the first `bytes` bytes of a live giant, which nobody else fills meanwhile. Returns how many bytes
 * at its start have memory; 0 when memory is out. */
size_t tern__depot_fill(tern__depot *depot, unsigned cls, void *buf, size_t bytes);

/* Give buffers back. */
void tern__depot_give(tern__depot *depot, unsigned cls, void *const *bufs, size_t n);

/* Buffers that have been handed out and are not in the stack: live or in a thread's cache. */
uint64_t tern__depot_outside(tern__depot *depot, unsigned cls);

/* Seal the region for sharing; 0 or TERN_ERR_IO. */
int tern__depot_share(tern__depot *depot);

static inline size_t tern__class_bytes(unsigned cls) { return (size_t)1 << (TERN__MEM_MIN_SHIFT + cls); }

/* Entry: half << 31 | index of the buffer in its slot. */
static inline size_t tern__depot_offset(const tern__depot *depot, unsigned cls, uint32_t entry) {
    size_t slot = (size_t)(entry >> 31) * TERN__MEM_N_SLOTS + cls;
    return (slot << depot->region.share_shift) + ((size_t)(entry & 0x7fffffffU) << (TERN__MEM_MIN_SHIFT + cls));
}

#endif
