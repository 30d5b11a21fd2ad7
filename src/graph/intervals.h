/* What a walk has met in its heap as a tree of intervals of addresses: the paper's way (Naos 3.1, Algorithm 1), beside
 * the tables of visited.h, for comparison.
 *
 * Objects that lie side by side and come one behind the other in the stream are one interval. The tree is a treap; the
 * interval that was added last and the one behind it in the order of addresses are at hand, so that objects in the
 * order of allocation need no search. The place of an object inside an interval is the interval's place plus its
 * distance from the interval's start (the paper's own program subtracts the other way round). */
#ifndef TERN_GRAPH_INTERVALS_H
#define TERN_GRAPH_INTERVALS_H

#include "base/base.h"
#include "base/rng.h"

typedef struct tern__interval {
    uintptr_t start, end;
    uint32_t place; /* of the start, in units of 8 bytes of the stream */
    uint32_t priority;
    uint32_t left, right; /* numbers of intervals, 0: none */
} tern__interval;

typedef struct tern__intervals {
    tern__interval *list; /* [0] is none */
    size_t n, cap;
    uint32_t root;
    uint32_t last;        /* the interval that was added or grew last */
    uintptr_t next_start; /* of the interval behind it; UINTPTR_MAX: none */
    tern__rng rng;
    uint64_t n_hot, n_warm, n_cold; /* visits that were settled by the last interval, beside it, by a search */
} tern__intervals;

void tern__intervals_clear(tern__intervals *tree);
void tern__intervals_fini(tern__intervals *tree);

/* Meets the object of so many bytes that starts at `start`. Returns 1 and its place if it was met before; else 0, and
 * it has *place from now on; TERN_ERR_NOMEM. */
int tern__intervals_meet(tern__intervals *tree, uintptr_t start, uint64_t bytes, uint32_t *place);

#endif
