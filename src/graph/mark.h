/* Which objects are kept: the search from the roots. */
#ifndef TERN_GRAPH_MARK_H
#define TERN_GRAPH_MARK_H

#include "graph/heap_record.h"

/* The memory that a search needs; the heap has it from its beginning, so that none can lack later. */
struct tern__mark_stack *tern__mark_new(void);
void tern__mark_free(struct tern__mark_stack *stack);

/* Sets the mark of each object that is kept, and the regions' live_bytes. Returns 0; TERN_ERR_INVALID, with *bad saying
 * which pointer is not legal, and nothing marked. */
int tern__mark(tern_heap *heap, tern__spot *bad);

/* Whether a pointer of a slot, which lies at `at` and counts, is legal, or leads out of the heap; *unit is the object
 * that it keeps then, SIZE_MAX when there is none. */
bool tern__mark_resolve(const tern_heap *heap, const tern__slot *slot, const uint8_t *at, size_t *unit);

/* For tests: the stack has this many places, at least 1 and at most those that it has anyway. 0: all. */
void tern__mark_limit(tern_heap *heap, size_t places);

#endif
