/* What the engine does at a client (client.c, slots.c, report.c, cancel.c). */
#ifndef TERN_ENGINE_CLIENT_H
#define TERN_ENGINE_CLIENT_H

#include "engine/engine_record.h"

void tern__client_rx_cr(tern__csession *cs, const tern__pkt_header *h, tern_time now);
void tern__client_rx_resp(tern__csession *cs, const tern__rx_packet *pkt, const tern__pkt_header *h,
                          uint32_t header_bytes, tern_time now);
/* As tern__engine_request(), for messages of any kind. */
int tern__client_request(tern__csession *cs, uint32_t method, const tern__body *body, tern_time deadline, void *call,
                         tern_time now);
/* The number before the first request of slot i. */
static inline uint32_t tern__no_req(uint32_t i) { return i - TERN__N_SLOTS; }
/* Send what credits and link allow. */
void tern__client_pump(tern__csession *cs, tern_time now);
/* Do what is due and set the timer anew. */
void tern__client_timer(tern__csession *cs, tern_time now);
/* The round trip of a packet that was sent once. */
void tern__client_sample_rtt(tern__csession *cs, tern_dur sample);
/* Gives up the response that the slot puts together, if there is one. */
void tern__client_drop_response(tern__csession *cs, tern__cslot *slot);
/* The same, of the slot's request of one packet, which is still there. */
void tern__client_answered(tern__csession *cs, const tern__cslot *slot, tern_dur rtt, tern_time now);
/* The session's first report since the last one was answered is due after a while. */
void tern__client_schedule_report(tern__csession *cs, tern_time now);
/* The next report need not tell of the last request of slot i. */
static inline void tern__client_cut_report(tern__csession *cs, uint32_t i) {
    cs->unreported &= (uint8_t) ~(1u << i);
    cs->reporting &= (uint8_t) ~(1u << i);
}
/* Tell the server, once a second, of what has ended; forget what only calls need. */
void tern__client_report(tern__csession *cs, tern_time now);
/* The client's PING was answered. */
void tern__client_rx_pong(tern__csession *cs, const tern__pkt_header *h);
/* Have slots. False: no memory. */
static inline bool tern__client_wake(tern__csession *cs);
bool tern__client_take_slots(tern__csession *cs);
void tern__slots_free(tern__engine *engine, tern__slots *block);
/* Give the slots back if nothing is in flight. */
static inline void tern__client_give_slots(tern__csession *cs);
/* The same, but where sessions are few only some time later (tern__client_timer): another call may follow at once. */
static inline void tern__client_rest(tern__csession *cs);
void tern__client_free_spares(tern__engine *engine);
/* The timer of some slots is due. */
void tern__client_work(tern__engine *engine, tern__timer *timer, tern_time now);
/* On a reliable link: the server is told at once that the call of slot i, which is about to end, has. */
void tern__client_report_now(tern__csession *cs, uint32_t i, tern_time now);
/* End every pending call; the session must be neither OPEN nor CONNECTING by then. begun: of each slot the last request
 * that the server has begun, if that is known. */
void tern__client_fail_all(tern__csession *cs, int status, const uint32_t *begun);
/* Whether a packet of the slot's request has left. */
bool tern__client_has_left(const tern__csession *cs, uint32_t i);

/* The header of a packet of the slot's request; the caller says which one. */
tern__pkt_header tern__client_req_header(tern__csession *cs, const tern__cslot *slot, uint8_t format, tern_time now);
/* Put a request behind those that wait for a slot, and start those that need not wait. Returns 0, TERN_ERR_FULL. */
int tern__client_enqueue(tern__csession *cs, tern__out *out, tern_time now);
void tern__client_dequeue(tern__csession *cs, tern__out *out);
/* Send what is marked in cs->unsent, as far as credits and link allow. Runs no callback. */
void tern__client_send_unsent(tern__csession *cs, tern_time now);
/* Free slot i without a word to its user. */
void tern__client_abandon(tern__csession *cs, uint32_t i, tern_time now);
/* The call in slot i ends. */
void tern__client_complete(tern__csession *cs, uint32_t i, int status, const tern__arrived *msg, tern_time now);
/* The slot has packets in flight whose answers show what else got lost: it is probed once before its timeout. */
static inline bool tern__has_tail(const tern__cslot *slot) {
    return slot->win || (slot->phase == TERN__SLOT_STREAM && slot->n_out);
}

/* The longest pause between two probes: shorter once the server has been silent for a few, so that a living peer is not
 * given up on a lossy path. */
static inline tern_dur tern__client_longest_pause(const tern__csession *cs) {
    enum { N_QUICK_PROBES = 4 };
    return cs->s.engine->longest_pause[cs->s.probes >= N_QUICK_PROBES];
}

/* With thousands of sessions few have a call in flight at one time, and those use the same few blocks, which the
 * caches hold (bench/rpc_sessions); an idle session's memory is a fraction (bench/sim_scale). */
static inline bool tern__client_wake(tern__csession *cs) { return cs->slots || tern__client_take_slots(cs); }

static inline void tern__client_give_slots(tern__csession *cs) {
    tern__engine *e = cs->s.engine;
    tern__slots *block = tern__slots_of(cs);
    if (cs->free_slots != UINT8_MAX || !block || cs->late) return;
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
