/* Free buffers of each size, shared by all threads: what the threads' caches are filled from and emptied into.
 *
 * There are two kinds of every size: memory that may be shown to peers, and private memory. Per class and kind a lock,
 * a stack of free buffers, and per half (normal pages, huge pages) a place where buffers that were never used begin: a
 * chunk of a segment for ordinary classes, all of a segment for giant ones (2 MB and up).
 *
 * Giants. The stack is [cold... | warm...]: cold buffers have no memory. Only giants may be cold. A giant on normal
 * pages may have memory at its start only, as much as its users have needed so far. What it has beyond what its user
 * of now has asked for is surplus, and counts as kept. A segment of giants goes back to the system when nothing of it
 * is in use and it has no memory, or its memory cannot be given back otherwise, because a peer may look at it.
 *
 * Ordinary classes. A chunk is spent while all of its buffers that were ever handed out are in the stack. A spent chunk
 * may leave its class and become a spare one (spare.h): at once when another class of the kind needs a chunk, when
 * memory, addresses or descriptors are out, or when more is kept than may be; else when two looks have found it spent
 * and not used in between. Its entries are then dropped from the stack in a sweep, which looks at all of the stack.
 *
 * What is kept for reuse, giants and spent and spare chunks of a kind together, is TERN__DEPOT_WARM_BYTES at most, of
 * which giants and chunks may have half each whatever the others need.
 *
 * Invariant: every buffer that was ever handed out is live, in one thread's cache, or in the stack, exactly one of
 * these. Any thread. */
#ifndef TERN_MEM_DEPOT_H
#define TERN_MEM_DEPOT_H

#include <pthread.h>

#include "mem/segment.h"
#include "mem/spare.h"

enum {
    TERN__DEPOT_GIANT_CLASS = TERN__MEM_HUGE_SHIFT - TERN__MEM_MIN_SHIFT, /* 2 MB, a whole huge page */
    TERN__DEPOT_PRIVATE = 32,                                             /* see below */
    TERN__DEPOT_N_CLASSES = 2 * TERN__DEPOT_PRIVATE,
    TERN__DEPOT_WARM_BYTES = 256 << 20,
    TERN__DEPOT_LEAST_BYTES = 256 << 10, /* of a chunk that leaves for being idle, unless a peer was shown it */

    /* A sweep that may be put off looks at no more entries than this, or drops one of so many. */
    TERN__DEPOT_SWEEP_ENTRIES = 1 << 18,
    TERN__DEPOT_SWEEP_SHARE = 8,
    TERN__DEPOT_HUGE_BACKOFF = 64 /* commits that do not ask for huge pages after one that found none */
};

/* Where the next buffers that were never used come from. */
typedef struct tern__depot_fresh {
    tern__segment *segment; /* NULL: from a new place */
    uintptr_t start;        /* of the place: a chunk, or all of the segment */
    uint32_t next;          /* index of the next buffer in it */
    uint32_t n;             /* buffers there */
    uint32_t committed;     /* ordinary classes: buffers with memory */
} tern__depot_fresh;

typedef struct tern__depot_class {
    _Alignas(64) pthread_mutex_t lock;
    uint32_t n_free, n_cold;
    uint32_t n_idle;            /* giants: at the bottom of the stack, not taken since the last tern__depot_age() */
    uint32_t *stack;            /* room for all buffers of the class */
    uint32_t cap;               /* entries of it */
    uint32_t n_all;             /* buffers of all places */
    uint64_t n_made;            /* handed out at least once, of segments that are still there */
    uint64_t grown_bytes[2];    /* per half: memory of ordinary buffers */
    tern__node spent;           /* spent chunks, the longest spent first */
    tern__depot_fresh fresh[2]; /* per half */
} tern__depot_class;

typedef struct tern__depot {
    tern__depot_class classes[TERN__DEPOT_N_CLASSES];
    tern__spare spare;
    uint32_t n_spent[2];         /* per kind: spent chunks that leave when they are idle; atomics */
    uint64_t committed_bytes[2]; /* per half; atomics */
    uint64_t max_bytes;          /* ceiling for their sum; 0 for none */
    uint64_t warm_bytes[2];      /* per kind: of normal memory in the stacks of giant classes, and surplus; atomics */
    uint64_t populated_bytes, decommitted_bytes; /* of giants on normal pages, all that ever were; atomics */
    uint32_t huge_backoff;
    bool may_be_huge;
} tern__depot;

/* A class here is the size's class, and TERN__DEPOT_PRIVATE more for the private kind; some between are no class. */
static inline unsigned tern__size_class(unsigned cls) { return cls % TERN__DEPOT_PRIVATE; }
static inline bool tern__class_is_private(unsigned cls) { return cls & TERN__DEPOT_PRIVATE; }
static inline unsigned tern__class_shift(unsigned cls) { return TERN__MEM_MIN_SHIFT + tern__size_class(cls); }
static inline size_t tern__class_bytes(unsigned cls) { return (size_t)1 << tern__class_shift(cls); }
/* The code of chunks with its buffers, and back. */
static inline unsigned tern__code_of_class(unsigned cls) {
    return tern__class_shift(cls) | (tern__class_is_private(cls) ? (unsigned)TERN__CODE_PRIVATE : 0u);
}
static inline unsigned tern__class_of_code(unsigned code) {
    _Static_assert((int)TERN__DEPOT_PRIVATE * 2 == (int)TERN__CODE_PRIVATE, "a shift leads from one to the other");
    return tern__code_shift(code) - TERN__MEM_MIN_SHIFT + (code >> 1 & TERN__DEPOT_PRIVATE);
}
static inline bool tern__class_is_giant(unsigned cls) { return tern__size_class(cls) >= TERN__DEPOT_GIANT_CLASS; }

void tern__depot_init(tern__depot *depot, bool huge, uint64_t max_bytes);

/* Take up to `want` >= 1 buffers, committed and with count 0. Returns how many; 0 when memory is out, or when it would
 * take another chunk and may not. */
size_t tern__depot_take(tern__depot *depot, unsigned cls, void **out, size_t want, bool may_add_chunk);

/* Take one buffer of a giant class with memory behind its first `filled` bytes at least. False when memory is out. */
bool tern__depot_take_sparse(tern__depot *depot, unsigned cls, size_t filled, void **out);

/* How many bytes at the start of a live giant have memory. */
size_t tern__depot_filled(unsigned cls, const void *buf);
/* How many its user has asked for. */
size_t tern__depot_asked(unsigned cls, const void *buf);

/* Its user asks for the first `bytes` bytes of a live giant, which nobody else fills meanwhile. Returns how many bytes
 * at its start have memory; 0 when memory is out. */
size_t tern__depot_fill(tern__depot *depot, unsigned cls, void *buf, size_t bytes);

/* Give buffers back. Whoever calls holds no lock. */
void tern__depot_give(tern__depot *depot, unsigned cls, void *const *bufs, size_t n);

/* Give the memory of giants and chunks back to the system that have not been used since the last call; a class that
 * another thread uses right now is left out. */
void tern__depot_age(tern__depot *depot);

/* Whether free giants or chunks have memory that could be given back. */
bool tern__depot_is_warm(const tern__depot *depot);

/* Buffers that have been handed out and are not in the stack: live or in a thread's cache. */
uint64_t tern__depot_outside(tern__depot *depot, unsigned cls);

/* Index of the first buffer in each place of a class. */
uint32_t tern__depot_first(unsigned cls);

#endif
