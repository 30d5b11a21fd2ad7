/* The metadata of a fragment while it is being made: types that the peer has not heard of, and back pointers. */
#ifndef TERN_GRAPH_ANNOUNCE_H
#define TERN_GRAPH_ANNOUNCE_H

#include "graph/fragment.h"
#include "graph/shape.h"

/* The state of a shape: whether the peer knows its type. */
enum { TERN__TYPE_UNKNOWN, TERN__TYPE_PENDING, TERN__TYPE_TOLD };

typedef struct tern__announce {
    const tern__shapes *shapes;
    tern__fragment_back *backs;
    size_t n_backs, backs_cap;
    uint32_t *types; /* numbers of those that are pending */
    size_t n_types, types_cap;
    uint8_t *bytes; /* the metadata when it is made */
    size_t bytes_cap;
} tern__announce;

void tern__announce_fini(tern__announce *announce);

/* Nothing is said so far. Types that are pending are unknown again. */
void tern__announce_clear(tern__announce *announce);

/* The type goes into the metadata. TERN_ERR_NOMEM. */
int tern__announce_type(tern__announce *announce, const tern__shape *shape);

/* Makes the metadata; the head has the numbers of objects, references and bytes and the flags. From then on the types
 * are told. TERN_ERR_NOMEM; TERN_ERR_LIMIT when there is more than 4 GB of them. */
int tern__announce_finish(tern__announce *announce, tern__fragment_head *head);

/* Numbers below TERN__TYPE_FIRST mean the same to all. */
static inline int tern__announce_need(tern__announce *announce, const tern__shape *shape) {
    return shape->state == TERN__TYPE_UNKNOWN && shape->id >= TERN__TYPE_FIRST ? tern__announce_type(announce, shape)
                                                                               : 0;
}

int tern__announce_back(tern__announce *announce, uint32_t ref, uint32_t place);

#endif
