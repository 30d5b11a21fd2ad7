/* Method id to handler. Ids are hashes already, so their low bits choose the slot. */
#include <stdlib.h>

#include "rpc/handlers.h"

const tern__handler *tern__handlers_search(const tern__handlers *handlers, uint32_t id) {
    if (handlers->n_slots == 0) return NULL;
    for (uint32_t i = id & (handlers->n_slots - 1);; i = (i + 1) & (handlers->n_slots - 1)) {
        const tern__handler *slot = &handlers->slots[i];
        if (!slot->thunk) return NULL;
        if (slot->id == id) return slot;
    }
}

static void insert(tern__handlers *handlers, const tern__handler *entry) {
    uint32_t i = entry->id & (handlers->n_slots - 1);
    while (handlers->slots[i].thunk) i = (i + 1) & (handlers->n_slots - 1);
    handlers->slots[i] = *entry;
}

static int grow(tern__handlers *handlers) {
    tern__handlers bigger = {.n_slots = handlers->n_slots ? 2 * handlers->n_slots : 16, .n_used = handlers->n_used};
    bigger.slots = calloc(bigger.n_slots, sizeof *bigger.slots);
    if (!bigger.slots) return TERN_ERR_NOMEM;
    for (uint32_t i = 0; i < handlers->n_slots; i++)
        if (handlers->slots[i].thunk) insert(&bigger, &handlers->slots[i]);
    free(handlers->slots);
    *handlers = bigger;
    return 0;
}

int tern__handlers_add(tern__handlers *handlers, const tern__handler *entry) {
    if (tern__handlers_find(handlers, entry->id)) return TERN_ERR_EXISTS;
    if (2 * (handlers->n_used + 1) > handlers->n_slots) {
        int err = grow(handlers);
        if (err) return err;
    }
    insert(handlers, entry);
    handlers->n_used++;
    return 0;
}

void tern__handlers_fini(tern__handlers *handlers) {
    free(handlers->slots);
    *handlers = (tern__handlers){0};
}
