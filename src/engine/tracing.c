/* Making events (trace.h). Nothing here runs unless somebody traces; tracing.h has the branches. */
#include "engine/tracing.h"

#include "engine/places.h"

static tern__trace_event event_of(const tern__session *s, uint8_t kind) {
    return (tern__trace_event){
        .at = s->engine->now,
        .session = s->number,
        .kind = kind,
        .role = s->role == TERN__CLIENT ? TERN__ROLE_CLIENT : TERN__ROLE_SERVER,
    };
}

static void emit(const tern__engine *e, const tern__trace_event *event) {
    e->config.trace(e->config.trace_user, event);
}

/* ---- Packets -------------------------------------------------------------------------------------- */

void tern__trace_emit_packet(tern__engine *e, uint8_t kind, const tern__session *s, const tern__route *route,
                             const tern__pkt_header *h, uint32_t payload_bytes) {
    tern__trace_event event = {.at = e->now, .kind = kind, .role = TERN__ROLE_NONE};
    if (s) event = event_of(s, kind);
    event.packet = (tern__trace_packet){.header = *h, .payload_bytes = payload_bytes, .route = *route};
    emit(e, &event);
}

/* The session that a packet names, if it comes from that session's peer. A CONNECT names none. */
static const tern__session *session_named(const tern__engine *e, const tern__rx_packet *pkt,
                                          const tern__pkt_header *h) {
    const tern__session *s = h->type == TERN__PKT_CONNECT ? NULL : tern__session_find(e, h->session);
    return s && s->link == pkt->link && tern__route_eq(&s->route, &pkt->route) ? s : NULL;
}

void tern__trace_emit_received(tern__engine *e, const tern__rx_packet *pkt, const tern__pkt_header *h,
                               uint32_t header_bytes) {
    static const tern__pkt_header unreadable = {0};
    const tern__session *s = h ? session_named(e, pkt, h) : NULL;
    e->traced = (tern__trace_packet){.header = h ? *h : unreadable,
                                     .payload_bytes = (uint32_t)tern__payload_bytes(pkt, header_bytes),
                                     .route = pkt->route};
    e->traced_session = s ? s->number : 0;
    e->traced_role = s ? event_of(s, 0).role : TERN__ROLE_NONE;
    if (h) tern__trace_emit_packet(e, TERN__TRACE_RECEIVED, s, &pkt->route, h, e->traced.payload_bytes);
}

void tern__trace_emit_dropped(tern__engine *e, uint8_t reason) {
    tern__trace_event event = {.at = e->now,
                               .session = e->traced_session,
                               .kind = TERN__TRACE_DROPPED,
                               .role = e->traced_role,
                               .packet = e->traced};
    event.packet.reason = reason;
    emit(e, &event);
}

tern__drop_reason tern__client_why_dropped(const tern__csession *cs, const tern__pkt_header *h) {
    uint32_t i = h->req % TERN__N_SLOTS;
    if ((cs->free_slots >> i & 1) || cs->s.reqs[i] != h->req) return TERN__DROP_NO_SUCH_CALL;
    if (!tern__is_cut_right(&cs->s, h)) return TERN__DROP_MALFORMED;
    const tern__cslot *slot = &cs->slots[i];
    if (slot->phase != TERN__SLOT_RESP) return TERN__DROP_UNASKED;
    if (h->size != slot->in_size || h->cut != slot->win->cut) return TERN__DROP_INCONSISTENT;
    return h->pkt < slot->win->next ? TERN__DROP_DUPLICATE : TERN__DROP_OUT_OF_WINDOW;
}

tern__drop_reason tern__server_why_dropped(const tern__ssession *ss, const tern__pkt_header *h, bool sane) {
    int32_t ahead = (int32_t)(h->req - ss->s.reqs[h->req % TERN__N_SLOTS]);
    if (!sane) return TERN__DROP_MALFORMED;
    return ahead < 0 ? TERN__DROP_NO_SUCH_CALL : ahead == 0 ? TERN__DROP_DUPLICATE : TERN__DROP_OUT_OF_WINDOW;
}

/* ---- Transitions ---------------------------------------------------------------------------------- */

void tern__trace_emit_session(const tern__session *s, uint8_t to, uint8_t why) {
    tern__trace_event event = event_of(s, TERN__TRACE_SESSION);
    /* A server's session has no state before it is open. */
    uint8_t from = s->role == TERN__SERVER && to == TERN__STATE_OPEN ? TERN__STATE_DOWN : s->state;
    event.session_change.from = from;
    event.session_change.to = to;
    event.session_change.why = why;
    if (why == TERN__WHY_REFUSED || why == TERN__WHY_UNFIT) {
        event.session_change.code = s->cold->lost_code;
        event.session_change.detail = s->cold->lost_detail;
    }
    emit(s->engine, &event);
}

/* `unsent` has the slots with a packet that may leave now; a message of several packets may have to wait for room in
 * its window. */
static tern__call_state call_state(const tern__csession *cs, uint32_t i) {
    if (!(tern__calls_in_use(cs) >> i & 1)) return TERN__CALL_FREE;
    const tern__cslot *slot = tern__call_at(cs, i);
    switch (slot->phase) {
    case TERN__SLOT_WAIT: return TERN__CALL_WAIT;
    case TERN__SLOT_RESP: return TERN__CALL_RESP;
    case TERN__SLOT_STREAM: return TERN__CALL_STREAM;
    default: break;
    }
    bool unsent = (cs->unsent >> i & 1) || (slot->win && slot->win->next < slot->win->total);
    return unsent ? TERN__CALL_SENDING : TERN__CALL_SENT;
}

static void tell_call(const tern__session *s, uint8_t kind, uint32_t req, uint8_t from, uint8_t to, int status) {
    tern__trace_event event = event_of(s, kind);
    if (from == to) return;
    event.call.req = req;
    event.call.from = from;
    event.call.to = to;
    event.call.status = (uint8_t)status;
    emit(s->engine, &event);
}

/* A slot that is free takes its next request, and a place its next stream. */
static uint32_t req_of(const tern__csession *cs, uint32_t i) {
    bool in_use = tern__calls_in_use(cs) >> i & 1;
    if (i >= TERN__N_SLOTS) return in_use ? tern__call_at(cs, i)->req : tern__place_number(cs, i);
    return cs->s.reqs[i] + (in_use ? 0 : TERN__N_SLOTS);
}

void tern__trace_emit_call(const tern__csession *cs, uint32_t i, uint8_t to, int status) {
    tell_call(&cs->s, TERN__TRACE_CALL, req_of(cs, i), (uint8_t)call_state(cs, i), to, status);
}

void tern__trace_emit_waiting(const tern__csession *cs, uint8_t from, uint8_t to, int status) {
    bool starts = from == TERN__CALL_QUEUED && to != TERN__CALL_FREE;
    uint32_t i = !starts ? 0 : to == TERN__CALL_STREAM ? tern__place_next(cs) : (uint32_t)__builtin_ctz(cs->free_slots);
    uint32_t req = starts ? req_of(cs, i) : 0;
    tell_call(&cs->s, TERN__TRACE_CALL, req, from, to, status);
}

/* A record serves one request after another: what is done, and what has not begun, is the same to it. */
void tern__trace_emit_request(const tern__request *request, uint8_t to) {
    bool begins = to != TERN__REQUEST_NONE && to != TERN__REQUEST_DONE;
    uint8_t from = request->state;
    if (from == TERN__REQUEST_DONE && begins) from = TERN__REQUEST_NONE;
    if (from == TERN__REQUEST_NONE && !begins) return;
    if (to == TERN__REQUEST_NONE) to = TERN__REQUEST_DONE;
    tell_call(&request->session->s, TERN__TRACE_REQUEST, request->req, from, to,
              begins ? 0 : request->status & (uint8_t)~TERN__STATUS_NOT_RUN);
}

void tern__trace_emit_stream(tern__stream *st, uint8_t state) {
    uint8_t from = st->traced;
    st->traced = state;
    tell_call(st->session, TERN__TRACE_STREAM, tern__stream_req(st), from, state, 0);
}

/* ---- Loss and congestion -------------------------------------------------------------------------- */

void tern__trace_emit_loss(const tern__session *s, uint8_t kind, const tern__trace_loss *loss) {
    tern__trace_event event = event_of(s, kind);
    event.loss = *loss;
    emit(s->engine, &event);
}

void tern__trace_emit_rtt(const tern__session *s, tern_dur sample) {
    tern__trace_event event = event_of(s, TERN__TRACE_RTT);
    event.rtt.sample_ns = tern__rtt_ns(sample);
    event.rtt.srtt_ns = s->rtt.srtt;
    event.rtt.var_ns = s->rtt.var;
    event.rtt.min_ns = s->rtt.min;
    event.rtt.rto_ns = s->rtt.rto;
    emit(s->engine, &event);
}

void tern__trace_emit_congestion(const tern__session *s, uint8_t phase, double window_bytes, double rate) {
    tern__trace_event event = event_of(s, TERN__TRACE_CONGESTION);
    event.congestion.window_pkts = window_bytes / (s->payload_bytes + TERN__PKT_MAX_HEADER_BYTES);
    event.congestion.window_bytes = (uint64_t)window_bytes;
    event.congestion.rate_bps = (uint64_t)(8 * rate);
    event.congestion.phase = phase;
    emit(s->engine, &event);
}
