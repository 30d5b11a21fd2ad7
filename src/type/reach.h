/* The types that a type reaches, breadth first: the type itself, and what its fields refer to. The queue of types is
 * also the record of those already met, so that recursive types end. */
#ifndef TERN_TYPE_REACH_H
#define TERN_TYPE_REACH_H

#include "tern/type.h"

/* Of what a type can reach, this many types are looked at: the rest goes unchecked. The number bounds the memory on the
 * stack, and the work that an outline from a peer can cause. */
enum { REACH_MAX_TYPES = 512 };

typedef struct reach {
    const tern_type *types[REACH_MAX_TYPES];
    uint32_t n_types;
} reach;

static inline void reach_begin(reach *r, const tern_type *type) {
    r->types[0] = type;
    r->n_types = 1;
}

/* The type's place in the queue, which it gets now if it has none; REACH_MAX_TYPES when there is no more room. */
static inline uint32_t reach_place(reach *r, const tern_type *type) {
    for (uint32_t i = 0; i < r->n_types; i++)
        if (r->types[i] == type) return i;
    if (r->n_types == REACH_MAX_TYPES) return REACH_MAX_TYPES;
    r->types[r->n_types] = type;
    return r->n_types++;
}

#endif
