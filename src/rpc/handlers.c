/* Method id to handler. Ids are hashes already, so their low bits choose the slot. */
#include <stdlib.h>

#include "rpc/handlers.h"

static tern__handler nobody; /* not written to: a table is made before anything goes into it */

void tern__handlers_init(tern__handlers *handlers) { *handlers = (tern__handlers){.slots = &nobody}; }

const tern__handler *tern__handlers_search(const tern__handlers *handlers, uint32_t id) {
    for (uint32_t i = id & handlers->mask;; i = (i + 1) & handlers->mask) {
        const tern__handler *slot = &handlers->slots[i];
        if (!slot->thunk) return NULL;
        if (slot->id == id) return slot;
    }
}

static void insert_handler(tern__handlers *handlers, const tern__handler *entry) {
    uint32_t i = entry->id & handlers->mask;
    while (handlers->slots[i].thunk) i = (i + 1) & handlers->mask;
    handlers->slots[i] = *entry;
}

static int grow_handlers(tern__handlers *handlers) {
    uint32_t n_slots = handlers->n_used ? 2 * (handlers->mask + 1) : 16;
    tern__handlers bigger = {calloc(n_slots, sizeof *bigger.slots), n_slots - 1, handlers->n_used};
    if (!bigger.slots) return TERN_ERR_NOMEM;
    for (uint32_t i = 0; i <= handlers->mask; i++)
        if (handlers->slots[i].thunk) insert_handler(&bigger, &handlers->slots[i]);
    tern__handlers_fini(handlers);
    *handlers = bigger;
    return 0;
}

int tern__handlers_add(tern__handlers *handlers, const tern__handler *entry) {
    if (tern__handlers_find(handlers, entry->id)) return TERN_ERR_EXISTS;
    if (2 * (handlers->n_used + 1) > handlers->mask + 1) {
        int err = grow_handlers(handlers);
        if (err) return err;
    }
    insert_handler(handlers, entry);
    handlers->n_used++;
    return 0;
}

void tern__handlers_fini(tern__handlers *handlers) {
    if (handlers->slots != &nobody) free(handlers->slots);
    tern__handlers_init(handlers);
}
