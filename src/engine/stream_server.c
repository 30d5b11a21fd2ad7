/* Streaming calls at the server. Unlike anything else here they send unasked: what their handlers write leaves when the
 * client's reader has granted room, and on links that lose packets is kept, timed and sent again by the server itself,
 * with as many packets in flight as the session has credits.
 *
 * A call is RUNNING from its first packet until the LAST one of its response has left (has arrived, on links that lose
 * packets), also when the handler has long finished. There are no orphans: a newer request on the slot, or word from
 * the client, ends the call. */
#include "engine/stream_server.h"

#include "engine/control.h"
#include "engine/pace.h"
#include "engine/server.h"
#include "engine/session.h"
#include "engine/tracing.h"

enum { MAX_BACKOFF = 20 };

static tern__ssession *server_of(const tern__stream *st) { return (tern__ssession *)st->session; }

/* The slot is done with its stream, which the caller ends or drops. */
static tern__stream *leave(tern__request *request) {
    tern__ssession *ss = request->session;
    tern__stream *st = request->stream;
    tern__trace_stream_ends(st);
    request->stream = NULL;
    ss->streams &= (uint8_t) ~(1u << request->slot);
    ss->s.scold->in_flight = (uint16_t)(ss->s.scold->in_flight - st->n_out);
    tern__request_set_state(request, TERN__REQUEST_DONE);
    tern__server_give(ss, request);
    return st;
}

static void server_stream_end(tern__request *request, int status) { tern__stream_end(leave(request), status); }

static void drop_if_complete(tern__stream *st) {
    if (!tern__stream_has_ended(st) && st->states.send == TERN__SEND_DATA_RECVD) tern__stream_drop(leave(st->request));
}

/* ---- Sending -------------------------------------------------------------------------------------- */

static tern_time resend_due(const tern__ssession *ss, const tern__stream *st) {
    const tern__engine_config *c = &ss->s.engine->config;
    if (!st->n_out) return TERN__NEVER;
    if (!st->backoff) return st->last_tx + (tern_time)tern__rtt_probe(&ss->s.rtt, ss->s.path->noise_ns);
    tern_dur pause = (tern_dur)ss->s.rtt.rto << (st->backoff - 1), cap = c->peer_timeout / 8;
    if (cap > c->rto_max) cap = c->rto_max;
    if (ss->s.last_rx > st->last_tx && cap > tern__patience(&ss->s)) cap = tern__patience(&ss->s);
    return st->last_tx + (tern_time)(pause < cap ? pause : cap);
}

/* One packet. False: the link is full. *more: another could go. */
static bool send_one(tern__ssession *ss, tern__stream *st, bool *more, tern_time now) {
    uint32_t len;
    *more = false;
    if (!tern__stream_sendable(st, &len)) return true;
    if (st->loss && (ss->s.scold->in_flight >= ss->s.scold->credits || !tern__pace_may_stream(ss, st, now)))
        return true;
    if (!tern__stream_send_next(st, len, now)) return false;
    st->last_tx = now;
    if (st->loss) {
        if (!st->n_out) st->backoff = 0;
        st->n_out++;
        ss->s.scold->in_flight++;
        tern__pace_charge(&ss->s, len + TERN__PKT_MAX_HEADER_BYTES, now);
        tern__timer_lower(&ss->s, resend_due(ss, st));
    }
    *more = tern__stream_sendable(st, &len);
    drop_if_complete(st);
    return true;
}

/* One packet of each stream in turn. */
static void send_all(tern__ssession *ss, tern_time now) {
    uint32_t ready = ss->streams;
    while (ready) {
        uint32_t later = ready & (UINT32_MAX << ss->next_stream);
        uint32_t i = (uint32_t)__builtin_ctz(later ? later : ready);
        bool more;
        if (!send_one(ss, tern__request_at(ss, i)->stream, &more, now)) {
            tern__session_stall(&ss->s);
            return;
        }
        if (!more) ready &= ~(1u << i);
        ss->next_stream = (uint8_t)((i + 1) % TERN__N_SLOTS);
    }
}

static void server_stream_kick(tern__stream *st, tern_time now) { send_all(server_of(st), now); }

static void server_stream_pump(tern__ssession *ss, tern_time now) {
    for (uint32_t left = ss->streams; left; left &= left - 1) {
        tern__stream *st = tern__request_at(ss, __builtin_ctz(left))->stream;
        if (st->grant_pending) tern__stream_acknowledge(st, TERN__STREAM_NO_PKT);
    }
    send_all(ss, now);
    for (uint32_t i = 0; i < TERN__N_SLOTS; i++)
        if (ss->streams >> i & 1) tern__stream_tell_writable(tern__request_at(ss, i)->stream);
}

/* ---- Receiving ------------------------------------------------------------------------------------ */

static void rx_client_ack(tern__ssession *ss, tern__stream *st, const tern__pkt_header *h, tern_time now) {
    const tern__engine_config *c = &ss->s.engine->config;
    uint32_t n_news;
    tern_dur sample;
    if (!tern__stream_rx_ack(st, h, now, &n_news, &sample)) {
        tern__drop(ss->s.engine, TERN__DROP_OUT_OF_WINDOW);
        return;
    }
    st->n_out -= n_news;
    ss->s.scold->in_flight = (uint16_t)(ss->s.scold->in_flight - n_news);
    if (n_news) {
        if (sample >= 0) st->backoff = 0; /* not by an answer to a transmission before the timeout (Karn) */
        st->last_tx = now;
        tern__rtt_sample(&ss->s.rtt, sample, tern__rto_min(&ss->s), c->rto_max);
        tern__trace_rtt(&ss->s, sample);
        tern__pace_ack(&ss->s, &(tern__acked){.rtt = sample, .n_pkts = n_news}, now);
        uint64_t lost = tern__win_overtaken(&st->loss->win);
        if (lost) {
            tern__trace_recovery(&ss->s, TERN__TRACE_LOST,
                                 tern__trace_lost(h->req, st->loss->win.base + st->loss->origin, lost));
            tern__pace_loss(&ss->s, now);
        }
        tern__stream_resend(st, lost, now);
    }
    if (st->loss && h->pkt == TERN__STREAM_NO_PKT) tern__stream_acknowledge(st, TERN__STREAM_NO_PKT);
    drop_if_complete(st);
    server_stream_pump(ss, now);
}

static void rx_rfr(tern__ssession *ss, const tern__pkt_header *h, tern_time now) {
    tern__request *request = tern__request_at(ss, h->req % TERN__N_SLOTS);
    if (!request || request->req != h->req || !request->stream)
        tern__drop(ss->s.engine, TERN__DROP_NO_SUCH_CALL);
    else if (h->flags & TERN__PKT_LAST)
        server_stream_end(request, TERN_STATUS_CANCELLED);
    else
        rx_client_ack(ss, request->stream, h, now);
}

static void rx_data(tern__ssession *ss, tern__stream *st, const tern__rx_packet *pkt, const tern__pkt_header *h,
                    uint32_t header_bytes, tern_time now) {
    tern__engine *e = ss->s.engine;
    tern__recv_state before = st->states.recv;
    if (!tern__stream_rx_data(st, pkt, h, header_bytes, now)) return;
    if (st->states.recv == TERN__RECV_REFUSED && tern__stream_has_user(st)) {
        tern__stream_give_up(st, TERN_STATUS_RESOURCE_EXHAUSTED, now);
        return;
    }
    bool has_finished = st->states.recv == TERN__RECV_DATA_RECVD && before != TERN__RECV_DATA_RECVD;
    if (has_finished && tern__stream_has_user(st)) e->config.streams->on_finished(e->config.user, st);
    server_stream_pump(ss, now);
}

/* The first packet to arrive of a call. */
static void rx_opening(tern__ssession *ss, const tern__rx_packet *pkt, const tern__pkt_header *h, uint32_t header_bytes,
                       tern_time now) {
    tern__engine *e = ss->s.engine;
    tern__request *request = tern__server_slot(ss, h->req);
    if (!request) return;
    ss->s.reqs[request->slot] = request->req = h->req;
    request->method = h->method;
    request->n_pkts = request->base = 1;
    request->abandoned = request->cr_pending = false;
    request->deadline = tern__server_stated_deadline(h, now);
    tern__stream *st = e->config.streams ? tern__stream_new(&ss->s, NULL, TERN__STREAM_CALL_OPEN) : NULL;
    if (!st) {
        tern__server_reject(request, e->config.streams ? TERN_STATUS_RESOURCE_EXHAUSTED : TERN_STATUS_UNIMPLEMENTED);
        return;
    }
    st->request = request;
    st->plain = h->format == TERN_FORMAT_PROTOBUF;
    request->stream = st;
    request->user = NULL;
    ss->streams |= (uint8_t)(1u << request->slot);
    tern__request_set_state(request, TERN__REQUEST_RUNNING);
    e->stats.calls_served++;
    if (request->deadline != TERN__NEVER) tern__timer_lower(&ss->s, request->deadline);
    if (!ss->s.link->reliable) tern__timer_lower(&ss->s, now + (tern_time)tern__client_quiet(e));
    tern__stream_ref(st);
    e->config.streams->on_open(e->config.user, st, h->method);
    if (!tern__stream_has_ended(st)) rx_data(ss, st, pkt, h, header_bytes, now);
    tern__stream_unref(st);
}

static void rx_req(tern__ssession *ss, const tern__rx_packet *pkt, const tern__pkt_header *h, uint32_t header_bytes,
                   tern_time now) {
    uint32_t i = h->req % TERN__N_SLOTS;
    tern__request *request = tern__request_at(ss, i);
    int32_t ahead = (int32_t)(h->req - ss->s.reqs[i]);
    uint32_t first = ss->s.link->reliable ? 0 : TERN__WIN_PKTS - 1; /* the last packet that may come first */
    tern__pkt_header again = {.req = h->req};
    bool fits = tern__payload_bytes(pkt, header_bytes) <= ss->s.payload_bytes;
    if (ahead > 0 && h->pkt <= first && fits)
        rx_opening(ss, pkt, h, header_bytes, now);
    else if (ahead == 0 && request && request->stream)
        rx_data(ss, request->stream, pkt, h, header_bytes, now);
    else if (ahead == 0 && request && request->state == TERN__REQUEST_RESPONDED)
        tern__server_rx_rfr(ss, &again); /* it was rejected: say so again */
    else
        tern__drop(ss->s.engine, tern__server_why_dropped(ss, h, fits));
}

void tern__stream_server_rx(tern__ssession *ss, const tern__rx_packet *pkt, const tern__pkt_header *h,
                            uint32_t header_bytes, tern_time now) {
    if (h->type == TERN__PKT_REQ)
        rx_req(ss, pkt, h, header_bytes, now);
    else
        rx_rfr(ss, h, now);
}

/* ---- Timers --------------------------------------------------------------------------------------- */

/* No answer in time: the first time it is a tail probe. */
static void timeout(tern__ssession *ss, tern__stream *st, tern_time now) {
    tern__trace_recovery(&ss->s, st->backoff ? TERN__TRACE_TIMEOUT : TERN__TRACE_TAIL_PROBE,
                         (tern__trace_loss){.req = st->request->req, .n = st->backoff});
    if (!st->backoff)
        ss->s.engine->stats.tail_probes++;
    else
        tern__pace_timeout(&ss->s, st->backoff, now);
    if (st->backoff < MAX_BACKOFF) st->backoff++;
    st->last_tx = now;
    tern__stream_resend(st, tern__stream_missing(st), now);
}

static tern_time server_stream_timer(tern__ssession *ss, tern_time now) {
    tern_time due = TERN__NEVER;
    for (uint32_t i = 0; i < TERN__N_SLOTS; i++) {
        if (!(ss->streams >> i & 1)) continue;
        tern__stream *st = tern__request_at(ss, i)->stream;
        if (resend_due(ss, st) <= now) timeout(ss, st, now);
        if (tern__stream_has_user(st) && tern__request_at(ss, i)->deadline <= now)
            tern__stream_give_up(st, TERN_STATUS_DEADLINE_EXCEEDED, now);
    }
    if (ss->s.scold->pace) send_all(ss, now); /* what is stuck from now on holds up nothing else */
    for (uint32_t left = ss->streams; left; left &= left - 1) {
        const tern__request *request = tern__request_at(ss, __builtin_ctz(left));
        due = tern__min_time(due, resend_due(ss, request->stream));
        if (tern__stream_has_user(request->stream)) due = tern__min_time(due, request->deadline);
    }
    return due;
}

const tern__server_stream_ops tern__server_stream_calls = {
    .pump = server_stream_pump,
    .kick = server_stream_kick,
    .timer = server_stream_timer,
    .end = server_stream_end,
};
