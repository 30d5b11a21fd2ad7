/* The verifier, for the rest of the layer. */
#ifndef TERN_GRAPH_CHECK_H
#define TERN_GRAPH_CHECK_H

#include "graph/heap_record.h"

/* Whether each object has a header that makes sense, and ends before the next one. Reads nothing outside the memory of
 * regions, whatever the heap's memory holds. TERN_ERR_INVALID. */
int tern__check_headers(tern_heap *heap);

/* What is wrong besides; or-ed. */
enum {
    TERN__CHECK_CLOSED = 1,  /* pointers that lead out of the heap, but for indices of maps */
    TERN__CHECK_NO_INDEX = 2 /* indices of maps */
};

/* The rest of tern_heap_check(), for a heap whose headers are in order. TERN_ERR_INVALID, TERN_ERR_UTF8. */
int tern__check_objects(tern_heap *heap, unsigned flags);

#endif
