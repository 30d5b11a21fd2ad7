/* Method id to handler: a small open-addressing table, at most half full, never shrinking. */
#ifndef TERN_RPC_HANDLERS_H
#define TERN_RPC_HANDLERS_H

#include "tern/rpc.h"

typedef struct tern__handler {
    uint32_t id;
    const tern_method *method;  /* NULL: raw */
    tern__handler_thunk *thunk; /* NULL: the slot is free */
    tern__any_fn *handler;
    void *user;
    tern_handler_fn *raw; /* the handler, if it takes bytes as they are and the thunk would do nothing but call it */
    uint32_t flags;       /* TERN_METHOD_* of the method; 0 where there is no schema */
} tern__handler;

typedef struct tern__handlers {
    tern__handler *slots; /* a power of two of them; while none is used, a single one that is free for ever */
    uint32_t mask, n_used;
} tern__handlers;

void tern__handlers_init(tern__handlers *handlers);

/* Returns 0, TERN_ERR_EXISTS or TERN_ERR_NOMEM. The entry is copied. */
int tern__handlers_add(tern__handlers *handlers, const tern__handler *entry);

/* The handler of this id, or NULL. Valid until the next add. */
static inline const tern__handler *tern__handlers_find(const tern__handlers *handlers, uint32_t id);

void tern__handlers_fini(tern__handlers *handlers);

/* The slot where the search for this id begins; the slot may be free, or another id's. */
static inline const tern__handler *tern__handlers_at(const tern__handlers *handlers, uint32_t id) {
    return &handlers->slots[id & handlers->mask];
}

/* As tern__handlers_find(), in all slots. */
const tern__handler *tern__handlers_search(const tern__handlers *handlers, uint32_t id);

static inline const tern__handler *tern__handlers_find(const tern__handlers *handlers, uint32_t id) {
    const tern__handler *slot = tern__handlers_at(handlers, id);
    return slot->id == id && slot->thunk ? slot : tern__handlers_search(handlers, id);
}

#endif
