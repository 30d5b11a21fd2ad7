/* What an edge demands of the content of the object that it leads to: text, bools, pointers that are not NULL.
 *
 * An object that many references share is looked at once: when all of it is in order, a bit says so (arrival.h). Where
 * only a part is, each reference has its own part looked at, and all such work together is bounded by a multiple of
 * what has arrived. */
#ifndef TERN_GRAPH_CONTENT_H
#define TERN_GRAPH_CONTENT_H

#include "graph/arrival.h"
#include "graph/shape.h"

/* A part of an object that has arrived. */
typedef struct tern__part {
    const uint8_t *object; /* its first element */
    uint32_t count;        /* of its elements */
    uint64_t unit;         /* of the stream, of its header */
    uint64_t start, n;     /* elements of interest */
} tern__part;

/* Returns 0; TERN_ERR_UTF8; TERN_ERR_INVALID for a bool that is none or a pointer that is NULL; TERN_ERR_LIMIT when
 * more work was done than *work allows, from which the work is taken. `is_new`: it has just arrived, and its pointers
 * are still the sender's. */
int tern__content_check(tern__arrival *arrival, tern__content content, const tern__part *part, bool is_new,
                        uint64_t *work);

#endif
