/* The pool's range of addresses: reserving it, backing it with memfds, committing and giving back memory.
 *
 *   base + (slot << share_shift)          slot = half * 32 + class, half 0: normal pages, half 1: huge pages
 *
 * Each slot is an equal share of the range, and buffer i of a class lies at i << (6 + class) in its slot. Beside
 * the range lie two private arrays indexed by the same arithmetic: a reference count per buffer, and a stack of
 * free buffers per class with room for all of them, so that freeing never needs memory. The arrays are read-only
 * until buffers need them, so that the kernel never counts more of them than is used, also where it grants no more
 * memory than there is (vm.overcommit_memory=2). A third, small array says how much of each large buffer has memory.
 *
 * Invariant: memory of the range is touched only after tern__region_commit() or tern__region_populate() has succeeded
 * on it: the program never faults for lack of pages. Not thread-safe: callers hold the lock of the class. */
#ifndef TERN_MEM_REGION_H
#define TERN_MEM_REGION_H

#include "base/base.h"

enum {
    TERN__MEM_MIN_SHIFT = 6,  /* the smallest buffer is 64 B */
    TERN__MEM_N_CLASSES = 25, /* 64 B << 24 is 1 GB */
    TERN__MEM_MAX_SHIFT = TERN__MEM_MIN_SHIFT + TERN__MEM_N_CLASSES - 1,
    TERN__MEM_N_SLOTS = 32,         /* per half; a power of two, so that shifts find the class */
    TERN__MEM_MAX_SHARE_SHIFT = 35, /* 32 GB: the index of a buffer then fits 29 bits */
    TERN__MEM_MIN_SHARE_SHIFT = 22,
    TERN__MEM_HUGE_SHIFT = 21
};

typedef struct tern__region {
    uintptr_t base;
    size_t bytes;         /* of the range: one or two halves; 0 before it is set up */
    unsigned share_shift; /* log2 of the bytes per slot */
    unsigned n_halves;    /* 2 with huge pages, else 1 */
    uint32_t *counts;     /* one reference count per buffer; 0: free */
    uint32_t *stacks;     /* per class, room for the entries of all its buffers of both halves */
    uint32_t *filled;     /* of each buffer of 2 MB or more in the normal half, see tern__region_filled() */
    int fds[2];           /* the memfd behind each half */
    int shared_fds[2];    /* the same read-only, for peers; -1 until shared */
    bool sealed;          /* no writable mapping can be added, and no memory given back, any more */
} tern__region;

/* Reserve a region with shares of 1 << share_shift bytes, halved until it fits. huge is a wish. Returns 0 or
 * TERN_ERR_NOMEM; *region is untouched then. */
int tern__region_init(tern__region *region, unsigned share_shift, bool huge);

/* Make the counts and the places in the stack of the buffers in [offset, offset + len) of the range writable, and let
 * core dumps include these buffers. False when memory is out. */
bool tern__region_admit(const tern__region *region, size_t offset, size_t len);

/* Put memory behind [offset, offset + len), multiples of 4 KB (2 MB in the huge half) and of whole buffers, and admit
 * these. Returns false when there is none. Committing twice is harmless. */
bool tern__region_commit(const tern__region *region, size_t offset, size_t len);

/* Put memory behind [offset, offset + len), multiples of 4 KB, of a buffer that was admitted. Returns false when there
 * is none. */
bool tern__region_populate(const tern__region *region, size_t offset, size_t len);

/* Give the memory of a piece of the normal half back to the system; its contents are lost. False once the
 * region is sealed. */
bool tern__region_decommit(const tern__region *region, size_t offset, size_t len);

/* Seal both memfds against new writers and open them read-only. Returns 0 or TERN_ERR_IO. */
int tern__region_share(tern__region *region);

/* The stack of a class. Both halves' entries fit: it has room for twice the share / 64. */
static inline uint32_t *tern__region_stack(const tern__region *region, unsigned cls) {
    return region->stacks + ((size_t)cls << (region->share_shift - TERN__MEM_MIN_SHIFT + 1));
}

/* How many pages of 4 KB at the start of buffer i of a class of 2 MB or more have memory, in the normal half. A
 * class of n buffers, a power of two, has places n to 2 n - 1. */
static inline uint32_t *tern__region_filled(const tern__region *region, unsigned cls, uint32_t i) {
    return region->filled + ((size_t)1 << (region->share_shift - TERN__MEM_MIN_SHIFT - cls)) + i;
}

static inline size_t tern__region_half_bytes(const tern__region *region) {
    return (size_t)TERN__MEM_N_SLOTS << region->share_shift;
}

#endif
