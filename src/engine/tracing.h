/* How the engine's files make events (trace.h): one call of an inline function per place, which is one branch while
 * nobody listens. Bodies are in tracing.c, out of the way.
 *
 * A received packet is noted once (tern__trace_received), so that whoever drops it later need not have it at hand. */
#ifndef TERN_ENGINE_TRACING_H
#define TERN_ENGINE_TRACING_H

#include "engine/stream_record.h"

void tern__trace_emit_packet(tern__engine *e, uint8_t kind, const tern__session *s, const tern__route *route,
                             const tern__pkt_header *h, uint32_t payload_bytes);
void tern__trace_emit_received(tern__engine *e, const tern__rx_packet *pkt, const tern__pkt_header *h,
                               uint32_t header_bytes);
void tern__trace_emit_dropped(tern__engine *e, uint8_t reason);
void tern__trace_emit_call(const tern__csession *cs, uint32_t i, uint8_t to, int status);
void tern__trace_emit_waiting(const tern__csession *cs, uint8_t from, uint8_t to, int status);
void tern__trace_emit_request(const tern__request *request, uint8_t to);
void tern__trace_emit_stream(tern__stream *st, uint8_t state);
void tern__trace_emit_loss(const tern__session *s, uint8_t kind, const tern__trace_loss *loss);
void tern__trace_emit_session(const tern__session *s, uint8_t to, uint8_t why);
void tern__trace_emit_rtt(const tern__session *s, tern_dur sample);
void tern__trace_emit_congestion(const tern__session *s, uint8_t phase, double window_bytes, double rate);

static inline tern__traced_stream tern__stream_state_of(const tern__stream *st) {
    if (st->states.call >= TERN__STREAM_CALL_LEAVING) return TERN__TRACED_STREAM_DONE;
    if (st->states.call <= TERN__STREAM_CALL_WAITING) return TERN__TRACED_STREAM_NONE;
    bool is_server = st->session->role == TERN__SERVER;
    bool sent = st->states.send > TERN__SEND_SEND, came = st->states.recv > TERN__RECV_RECV;
    bool all_came = st->states.recv == TERN__RECV_DATA_RECVD;
    bool ending = is_server ? sent : came, half = is_server ? all_came : sent;
    return ending ? TERN__TRACED_STREAM_ENDING : half ? TERN__TRACED_STREAM_HALF : TERN__TRACED_STREAM_OPEN;
}

static inline bool tern__is_traced(const tern__engine *e) { return e->config.trace != NULL; }

/* The session's state changes, and with it which of its ways are open. */
static inline void tern__session_set_state(tern__session *s, uint8_t state, tern__why why) {
    if (s->engine->config.trace) tern__trace_emit_session(s, state, (uint8_t)why);
    s->state = state;
    tern__session_set_ways(s);
}

/* A packet of `len` payload bytes went into the link. s: NULL for one of no session. */
static inline void tern__trace_sent(tern__engine *e, const tern__session *s, const tern__route *route,
                                    const tern__pkt_header *h, uint32_t len) {
    if (tern__is_traced(e)) tern__trace_emit_packet(e, TERN__TRACE_SENT, s, route, h, len);
}

/* It did not. Returns false, as those do who find the link full. */
static inline bool tern__trace_blocked(tern__engine *e, const tern__session *s, const tern__route *route,
                                       const tern__pkt_header *h, uint32_t len) {
    if (tern__is_traced(e)) tern__trace_emit_packet(e, TERN__TRACE_BLOCKED, s, route, h, len);
    return false;
}

/* h: NULL when the header cannot be read; no event is made then until the packet is dropped. */
static inline void tern__trace_received(tern__engine *e, const tern__rx_packet *pkt, const tern__pkt_header *h,
                                        uint32_t header_bytes) {
    if (tern__is_traced(e)) tern__trace_emit_received(e, pkt, h, header_bytes);
}

/* The packet received last is dropped, and counted as such. */
static inline void tern__drop(tern__engine *e, tern__drop_reason reason) {
    e->stats.rx_dropped++;
    if (tern__is_traced(e)) tern__trace_emit_dropped(e, (uint8_t)reason);
}

/* The call in slot i is about to change its state. status: of one that ends. */
static inline void tern__trace_call(const tern__csession *cs, uint32_t i, tern__call_state to, int status) {
    if (tern__is_traced(cs->s.engine)) tern__trace_emit_call(cs, i, (uint8_t)to, status);
}

/* A call enters the backlog, takes the next free slot from there, or ends there with `status`. */
static inline void tern__trace_waiting(const tern__csession *cs, tern__call_state from, tern__call_state to,
                                       int status) {
    if (tern__is_traced(cs->s.engine)) tern__trace_emit_waiting(cs, (uint8_t)from, (uint8_t)to, status);
}

/* The request is about to change its state. */
static inline void tern__trace_request(const tern__request *request, uint8_t to) {
    if (tern__is_traced(request->session->s.engine)) tern__trace_emit_request(request, to);
}

/* A stream may have changed its state. */
static inline void tern__trace_stream(tern__stream *st) {
    if (tern__is_traced(st->session->engine)) tern__trace_emit_stream(st, (uint8_t)tern__stream_state_of(st));
}

/* It ends, and still knows its call's number. */
static inline void tern__trace_stream_ends(tern__stream *st) {
    if (tern__is_traced(st->session->engine)) tern__trace_emit_stream(st, TERN__TRACED_STREAM_DONE);
}

/* kind: LOST, RETRANSMIT, TIMEOUT or TAIL_PROBE. */
static inline void tern__trace_recovery(const tern__session *s, tern__trace_kind kind, tern__trace_loss loss) {
    if (tern__is_traced(s->engine)) tern__trace_emit_loss(s, (uint8_t)kind, &loss);
}

/* A packet that was sent before has been sent again. */
static inline void tern__count_retransmit(const tern__session *s, uint32_t req, uint32_t pkt) {
    s->engine->stats.retransmits++;
    tern__trace_recovery(s, TERN__TRACE_RETRANSMIT, (tern__trace_loss){.req = req, .pkt = pkt, .n_pkts = 1});
}

/* The packets base + bit of `mask`, which is not 0. */
static inline tern__trace_loss tern__trace_lost(uint32_t req, uint32_t base, uint64_t mask) {
    return (tern__trace_loss){
        .req = req, .pkt = base + (uint32_t)__builtin_ctzll(mask), .n_pkts = (uint32_t)__builtin_popcountll(mask)};
}

/* sample: negative for none. */
static inline void tern__trace_rtt(const tern__session *s, tern_dur sample) {
    if (tern__is_traced(s->engine) && sample >= 0) tern__trace_emit_rtt(s, sample);
}

/* The round trip of a packet that was sent once; negative: none was measured. */
static inline void tern__client_sample_rtt(tern__csession *cs, tern_dur sample) {
    const tern__engine_config *c = &cs->s.engine->config;
    tern__rtt_sample(&cs->s.rtt, sample, tern__rto_min(&cs->s), c->rto_max);
    tern__trace_rtt(&cs->s, sample);
}

static inline void tern__trace_congestion(const tern__session *s, uint8_t phase, double window_bytes, double rate) {
    if (tern__is_traced(s->engine)) tern__trace_emit_congestion(s, phase, window_bytes, rate);
}

/* Why a RESP does not suit the slot that it names. */
tern__drop_reason tern__client_why_dropped(const tern__csession *cs, const tern__pkt_header *h);
/* Why a REQ does not suit its slot. sane: its format and its lengths can be. */
tern__drop_reason tern__server_why_dropped(const tern__ssession *ss, const tern__pkt_header *h, bool sane);

#endif
