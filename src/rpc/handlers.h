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
} tern__handler;

typedef struct tern__handlers {
    tern__handler *slots;
    uint32_t n_slots; /* 0 or a power of two */
    uint32_t n_used;
} tern__handlers;

/* Returns 0, TERN_ERR_EXISTS or TERN_ERR_NOMEM. The entry is copied. */
int tern__handlers_add(tern__handlers *handlers, const tern__handler *entry);

/* The handler of this id, or NULL. Valid until the next add. */
static inline const tern__handler *tern__handlers_find(const tern__handlers *handlers, uint32_t id);

void tern__handlers_fini(tern__handlers *handlers);

/* Beyond the first place, or in an empty table. */
const tern__handler *tern__handlers_search(const tern__handlers *handlers, uint32_t id);

static inline const tern__handler *tern__handlers_find(const tern__handlers *handlers, uint32_t id) {
    if (handlers->n_slots) {
        const tern__handler *slot = &handlers->slots[id & (handlers->n_slots - 1)];
        if (slot->id == id && slot->thunk) return slot;
    }
    return tern__handlers_search(handlers, id);
}

#endif
