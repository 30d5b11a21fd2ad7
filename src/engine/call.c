/* The transitions of a call that are no part of the short way, and what they have in common with it (call.h). */
#include "engine/call.h"

#include "engine/account.h"
#include "engine/pace.h"
#include "engine/placement.h"
#include "engine/tracing.h"

void tern__client_answered(tern__csession *cs, const tern__cslot *slot, tern_dur rtt, tern_time now) {
    tern__client_sample_rtt(cs, rtt);
    tern_dur queued = rtt - cs->s.rtt.min;
    if (queued >= TERN__QUEUED) tern__link_queues(cs->s.link, (uint64_t)queued, now + (tern_time)TERN_MS);
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

static uint16_t late_number(uint32_t req) { return (uint16_t)(req / TERN__N_SLOTS); }

void tern__call_note_answer(tern__csession *cs, tern__cslot *slot, const tern__pkt_header *h, tern_time now) {
    if (!slot->resent) {
        const tern__engine *e = cs->s.engine;
        tern__call_answered(cs, slot, h->held_ns, e->rx_first || e->rx_n_echoed, now); /* a mark always counts */
        return;
    }
    tern_time elapsed = now - slot->last_tx + slot->late_ns;
    if (elapsed < h->held_ns) return;
    slot->late_req = late_number(slot->req);
    slot->n_late = slot->resent;
    cs->keeps_slots |= (uint16_t)(1u << slot->req % TERN__N_SLOTS);
    slot->late_ns = tern__short_time(elapsed - h->held_ns);
}

void tern__call_note_second_answer(tern__csession *cs, const tern__pkt_header *h) {
    const tern__engine_config *c = &cs->s.engine->config;
    uint32_t i = h->req % TERN__N_SLOTS;
    if (!(cs->keeps_slots >> i & 1)) return;
    tern__cslot *slot = &cs->slots[i];
    if (!slot->n_late || late_number(h->req) != slot->late_req || h->pkt != 0) return;
    cs->s.engine->stats.spurious++;
    if (--slot->n_late) return;
    tern__rtt_late(&cs->s.rtt, slot->late_ns, tern__rto_min(&cs->s), c->rto_max);
    cs->keeps_slots &= (uint16_t) ~(1u << i);
    tern__client_rest(cs);
}
