/* What the engine does at a server (server.c, answer.c, kept_responses.c, ready.c). */
#ifndef TERN_ENGINE_SERVER_H
#define TERN_ENGINE_SERVER_H

#include "engine/engine_record.h"

/* ---- answer.c: small responses that may have to be sent again ------------------------------------- */
/* Room for len bytes, at most TERN__MAX_ANSWER, as the answer of slot i. NULL: no memory. */
static inline tern__answer *tern__answer_room(tern__ssession *ss, uint32_t i, uint32_t len);
tern__answer *tern__answer_make(tern__ssession *ss, uint32_t i, uint32_t len);
/* Send the answer of slot i again. False: the link is full. */
bool tern__answer_send(tern__ssession *ss, uint32_t i);
/* Forget it, and give its memory back. */
void tern__answer_drop(tern__ssession *ss, uint32_t i);

/* ---- server.c ------------------------------------------------------------------------------------- */
void tern__server_rx_req(tern__ssession *ss, const tern__rx_packet *pkt, const tern__pkt_header *h,
                         uint32_t header_bytes, tern_time now);
/* As tern__engine_respond(), for messages of any kind. */
int tern__server_respond(tern__served *served, int status, const tern__body *body, tern_time now);
/* The same for a response, or the metadata block of an error, that has been encoded; it is the engine's afterwards. */
int tern__server_respond_out(tern__served *served, int status, tern__out *out, tern_time now);
/* Return the credits owed; there are some. */
void tern__server_pay(tern__engine *engine);
void tern__served_release_request(tern__served *served);
/* A request has a response that its client may ask for again: count it. Where there are too many, the oldest are given
 * up, or this one. */
uint64_t tern__out_retained_bytes(const tern__out *out);
void tern__kept_make_room(tern__engine *engine, tern__served *served);
/* The client has asked for the response: others are given up before this one. */
void tern__served_note_asked(tern__served *served);
/* Packet 0 of the response leaves. On a reliable link that may end the request. */
void tern__server_send_first(tern__ssession *ss, tern__served *served);
void tern__served_release_response(tern__served *served);
/* Its client has gone on, and its handler does not run: the record is NONE, for the next request. */
void tern__served_forget(tern__served *served);
/* The factor analysis (IN_PLACE) copies each request before its handler reads it. Returns the copy, which is `held`, or
 * the original. */
const void *tern__served_copy(tern__served *served, const tern__arrived *msg);
/* A request that is DONE, its memory released, gives its record back. It is not freed inside a callback. */
static inline void tern__server_give(tern__ssession *ss, tern__served *served);
/* A record for the next request of slot i, or NULL. */
static inline tern__served *tern__server_take(tern__ssession *ss, uint32_t i);
bool tern__server_make_served(tern__engine *engine);
/* A ready record becomes its slot's: whatever is not answered at once and the short way needs that. */
void tern__server_attach(tern__served *served);
/* Free the spare records beyond a number. */
void tern__server_trim_spares(tern__engine *engine, uint32_t n_kept);
void tern__served_set_state(tern__served *served, uint8_t state);
/* The record for a request of this number, which is new to its slot. NULL: it was rejected. */
tern__served *tern__server_slot(tern__ssession *ss, uint32_t req);
/* End a request that has not run with this status. */
void tern__server_reject(tern__served *served, uint8_t status);
/* When the client gives up, by what this packet says. */
tern_time tern__server_stated_deadline(const tern__pkt_header *h, tern_time now);
void tern__server_rx_rfr(tern__ssession *ss, const tern__pkt_header *h);
/* The client has had the responses up to these request numbers. */
void tern__server_completed(tern__ssession *ss, const uint8_t *numbers);
/* The client no longer waits for this request. */
void tern__server_rx_cancel(tern__ssession *ss, const tern__pkt_header *h);
void tern__server_pump(tern__ssession *ss);
/* Probe a silent client, forget a dead one (the session is gone then), or set the timer anew. */
void tern__server_timer(tern__ssession *ss, tern_time now);
/* on_gone for what runs, then forget the session. */
void tern__server_drop(tern__ssession *ss, tern__why why);

/* A client whose requests are served is asked after so much silence whether it lives, and has as long again to
 * answer. */
static inline tern_dur tern__client_quiet(const tern__engine *e) { return e->config.peer_timeout / 2; }

/* Where the answer to slot i's last request is, or room for it, or NULL. */
static inline tern__answer **tern__answer_of(tern__ssession *ss, uint32_t i) {
    return i < TERN__HOT_ANSWERS ? &ss->answers[i] : &ss->s.scold->answers[i - TERN__HOT_ANSWERS];
}

static inline tern__answer *tern__answer_room(tern__ssession *ss, uint32_t i, uint32_t len) {
    tern__answer *answer = *tern__answer_of(ss, i);
    return answer && answer->room >= len ? answer : tern__answer_make(ss, i, len);
}

static inline tern__served *tern__served_at(const tern__ssession *ss, uint32_t i) {
    return ss->s.scold->requests->slots[i];
}

static inline void tern__server_enter(tern__ssession *ss, uint32_t i, tern__served *served) {
    served->slot = (uint8_t)i;
    ss->s.scold->requests->slots[i] = served;
    ss->taken |= (uint8_t)(1u << i);
}

static inline void tern__server_vacate(tern__ssession *ss, uint32_t i) {
    ss->s.scold->requests->slots[i] = NULL;
    ss->taken &= (uint8_t) ~(1u << i);
}

/* The same for the server's records. */
static inline tern__served *tern__server_take(tern__ssession *ss, uint32_t i) {
    tern__engine *e = ss->s.engine;
    if (!e->spare_served && !tern__server_make_served(e)) return NULL;
    tern__served *served = e->spare_served;
    e->spare_served = served->user;
    served->session = ss;
    tern__server_enter(ss, i, served);
    return served;
}

static inline void tern__server_give(tern__ssession *ss, tern__served *served) {
    tern__engine *e = ss->s.engine;
    tern__server_vacate(ss, served->slot);
    served->user = e->spare_served;
    e->spare_served = served;
}

#endif
