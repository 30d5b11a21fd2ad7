/* Slots are lent to a client's session while it has calls in flight. An idle session is therefore small, and with
 * thousands of sessions those few that work use the same memory, which the caches hold (bench/rpc_sessions, sim_scale). What
 * is given back is clean (internal.h), and the next to come takes the last that was given. */
#include "engine/internal.h"

bool tern__client_take_slots(tern__csession *cs) {
    tern__engine *e = cs->s.engine;
    tern__slots *block = e->spare_slots;
    if (block) {
        e->spare_slots = block->next;
        e->n_spare_slots--;
    } else {
        block = tern_alloc(sizeof *block);
        if (!block) return false;
        *block = (tern__slots){0};
    }
    cs->slots = block->slot;
    return true;
}

void tern__client_give_slots(tern__csession *cs) {
    tern__engine *e = cs->s.engine;
    tern__slots *block = (tern__slots *)cs->slots;
    if (!block || cs->late) return;
    cs->slots = NULL;
    if (e->n_spare_slots >= TERN__MAX_SPARE_SLOTS || TERN__IS_OFF(REUSE)) {
        tern_unref(block);
        return;
    }
    block->next = e->spare_slots;
    e->spare_slots = block;
    e->n_spare_slots++;
}

void tern__client_free_spares(tern__engine *e) {
    while (e->spare_slots) {
        tern__slots *block = e->spare_slots;
        e->spare_slots = block->next;
        tern_unref(block);
    }
    e->n_spare_slots = 0;
}
