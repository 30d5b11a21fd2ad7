/* The transitions of a call that are no part of the short way, and what they have in common with it (call.h). */
#include "engine/call.h"

#include "engine/account.h"
#include "engine/pace.h"
#include "engine/placement.h"
#include "engine/tracing.h"

void tern__client_drop_response(tern__csession *cs, tern__cslot *slot) {
    if (!slot->in) return;
    tern__placement_forget(cs->s.link, slot->in);
    tern__engine_uncharge(cs->s.engine, slot->in_size);
    tern_unref(slot->in);
    slot->in = NULL;
}

void tern__client_answered(tern__csession *cs, const tern__cslot *slot, tern_dur rtt, tern_time now) {
    tern__client_sample_rtt(cs, rtt);
    if (!tern__is_light(&cs->s, slot->out->size)) {
        tern__acked acked = {.rtt = rtt, .n_pkts = 1, .n_counted = slot->n_out};
        tern__pace_ack(&cs->s, &acked, now);
    }
}

bool tern__client_has_left(const tern__csession *cs, uint32_t i) {
    const tern__cslot *slot = &cs->slots[i];
    if (slot->phase != TERN__SLOT_REQ) return true;
    return slot->win ? slot->win->next > 0 : !(cs->unsent >> i & 1);
}
