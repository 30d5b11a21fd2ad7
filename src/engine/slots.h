/* Slots, which are lent to sessions with calls in flight (slots.c). */
#ifndef TERN_ENGINE_SLOTS_H
#define TERN_ENGINE_SLOTS_H

#include "engine/engine_record.h"

/* Have slots. False: no memory. */
static inline bool tern__client_wake(tern__csession *cs);
bool tern__client_take_slots(tern__csession *cs);
void tern__slots_free(tern__engine *engine, tern__slots *block);
/* Give the slots back if nothing is in flight. */
static inline void tern__client_give_slots(tern__csession *cs);
/* The same, but where sessions are few only some time later (tern__client_timer): another call may follow at once. */
static inline void tern__client_rest(tern__csession *cs);
void tern__client_free_spares(tern__engine *engine);
/* The header of a packet of the slot's request; the caller says which one. */
void tern__client_req_header(tern__csession *cs, const tern__cslot *slot, uint8_t format, tern_time now,
                             tern__pkt_header *h);

/* With thousands of sessions few have a call in flight at one time, and those use the same few blocks, which the
 * caches hold (bench/rpc_sessions); an idle session's memory is a fraction (bench/sim_scale). */
static inline bool tern__client_wake(tern__csession *cs) { return cs->slots || tern__client_take_slots(cs); }

static inline void tern__client_give_slots(tern__csession *cs) {
    tern__engine *e = cs->s.engine;
    tern__slots *block = tern__slots_of(cs);
    if (cs->free_slots != UINT8_MAX || !block || cs->keeps_slots) return;
    cs->slots = NULL;
    block->cs = NULL;
    if (e->n_spare_slots >= TERN__MAX_SPARE_SLOTS || TERN__IS_OFF(REUSE)) {
        tern__slots_free(e, block);
        return;
    }
    block->next = e->spare_slots;
    e->spare_slots = block;
    e->n_spare_slots++;
}

static inline void tern__client_rest(tern__csession *cs) {
    if (cs->s.engine->n_live > TERN__FEW || TERN__IS_OFF(REUSE)) tern__client_give_slots(cs);
}

#endif
