/* Streaming calls at the client: they wait in the backlog as any call, and take places of their own (places.c). On
 * links that lose packets each packet in flight holds a credit of the session, and what the server does not answer is
 * sent again; when nothing is in flight the client asks from time to time how far the server is, which shows that it
 * lives and repairs lost grants.
 *
 * A call that ends here before its response has come is ended at the server by RFR with STREAM and LAST. It is answered
 * by nothing; whoever goes on sending for an ended call is told again. */
#include "engine/stream_client.h"

#include "engine/client.h"
#include "engine/connect.h"
#include "engine/control.h"
#include "engine/pace.h"
#include "engine/places.h"
#include "engine/stream_meta.h"
#include "engine/tracing.h"

static tern__csession *client_of(const tern__stream *st) { return (tern__csession *)st->session; }

/* The streams, as places. */
static uint32_t taken_places(const tern__csession *cs) { return cs->has_places ? tern__places_of(cs)->taken : 0; }

static tern__stream *stream_at(const tern__csession *cs, uint32_t i) { return tern__call_at(cs, i)->call; }

/* ---- Beginning and ending ------------------------------------------------------------------------- */

int tern__stream_open(tern__csession *cs, uint32_t method, const tern__stream_opts *opts, void *stream_user,
                      tern_time now, tern__stream **result) {
    tern__session *s = &cs->s;
    s->engine->now = now;
    if (s->state == TERN__STATE_CLOSED || cs->draining) return TERN_ERR_CLOSED;
    if (!s->engine->config.streams) return TERN_ERR_UNSUPPORTED;
    if (s->state == TERN__STATE_OPEN && !s->cold->n_streams) return TERN_ERR_UNSUPPORTED;
    if (opts && !tern__is_known_format(s->engine, opts->format)) return TERN_ERR_INVALID;
    bool unreleased = opts && opts->unreleased;
    tern__stream *st = tern__stream_new(s, opts, unreleased ? TERN__STREAM_CALL_UNRELEASED : TERN__STREAM_CALL_WAITING);
    if (!st) return TERN_ERR_NOMEM;
    tern__out *out = tern__out_room(s->link, 0);
    int err = out ? 0 : TERN_ERR_NOMEM;
    if (!err) {
        out->stream = true;
        out->call = st;
        out->method = method;
        out->deadline = opts ? opts->deadline : 0;
        st->waiting = out;
        st->user = stream_user;
        if (opts) st->format = unreleased ? tern__formats_universal(s->engine->config.formats)->number : opts->format;
        err = opts ? tern__stream_put_block(st, opts->block) : 0;
        if (!err) err = tern__client_enqueue(cs, out, now);
    }
    if (err) {
        tern__out_release(s->engine, out);
        tern__stream_drop(st);
        return err;
    }
    if (s->state == TERN__STATE_DOWN) tern__session_connect(cs, now);
    s->engine->stats.calls_issued++;
    *result = st;
    return 0;
}

int tern__stream_release(tern__stream *st, tern__csession *cs, uint8_t format, tern_time now) {
    tern__csession *before = client_of(st);
    cs->s.engine->now = now;
    if (cs->s.state == TERN__STATE_CLOSED || cs->draining || before->s.link != cs->s.link) return TERN_ERR_CLOSED;
    if (cs != before && cs->n_backlog >= cs->s.engine->config.max_backlog) return TERN_ERR_FULL;
    tern__client_dequeue(before, st->waiting);
    st->session = &cs->s;
    st->format = format;
    tern__stream_step(st, TERN__EV_RELEASED);
    return tern__client_enqueue(cs, st->waiting, now); /* for which there is room */
}

static bool client_stream_start(tern__csession *cs, tern__out *out, tern_time now) {
    if (!tern__client_wake(cs)) return false;
    if (!tern__places_take(cs)) {
        tern__client_rest(cs);
        return false;
    }
    uint32_t i = tern__place_next(cs);
    tern__client_dequeue(cs, out);
    tern__trace_waiting(cs, TERN__CALL_QUEUED, TERN__CALL_STREAM, 0);
    tern__place_begin(cs, out, now);
    if (out->deadline) tern__work_lower(cs, out->deadline);
    if (!cs->s.link->reliable) tern__work_lower(cs, now + (tern_time)tern__call_first_pause(cs));
    tern__stream *st = out->call;
    uint32_t len;
    st->waiting = NULL;
    st->index = i;
    st->req = tern__call_at(cs, i)->req;
    tern__stream_step(st, TERN__EV_HAS_PLACE);
    tern__out_release(cs->s.engine, out);
    if (st->tx_flushed && tern__stream_sendable(st, &len)) tern__place_set_unsent(cs, i, true);
    /* What opens the call may carry the first bytes if they come before the next tick. */
    tern__session_send_soon(&cs->s);
    return true;
}

static tern__out *waiting_stream(const tern__csession *cs) {
    for (tern__node *node = cs->s.ccold->backlog.next; node != &cs->s.ccold->backlog; node = node->next) {
        tern__out *out = TERN__CONTAINER(node, tern__out, node);
        if (out->stream) return out;
    }
    return NULL;
}

static void client_stream_refuse(tern__csession *cs) {
    tern__engine *e = cs->s.engine;
    tern__out *out;
    while ((out = waiting_stream(cs)) != NULL) { /* those who are told may end others */
        tern__stream *st = out->call;
        tern__client_dequeue(cs, out);
        tern__trace_waiting(cs, TERN__CALL_QUEUED, TERN__CALL_FREE, TERN_STATUS_UNIMPLEMENTED);
        tern__out_release(e, out);
        tern__stream_ref(st);
        tern__call_tell(e, st, st, TERN_STATUS_UNIMPLEMENTED, NULL, false, (tern__ending){.not_run = true});
    }
    cs->streams_wait = false;
}

static bool send_end(tern__csession *cs, uint32_t req, uint32_t pkt) {
    tern__pkt_header h = tern__session_header(&cs->s, TERN__PKT_RFR);
    h.flags |= TERN__PKT_STREAM | TERN__PKT_LAST;
    h.req = req;
    h.pkt = pkt;
    return tern__send_control(&cs->s, &h, NULL, 0);
}

static tern__stream *client_stream_leave(tern__csession *cs, uint32_t i, tern_time now) {
    tern__stream *st = stream_at(cs, i);
    /* To the server, which has not ended the call. */
    bool known = st->states.call == TERN__STREAM_CALL_OPEN && st->states.recv != TERN__RECV_DATA_RECVD &&
                 cs->s.state == TERN__STATE_OPEN;
    if (known && !send_end(cs, st->req, TERN__STREAM_NO_PKT)) tern__client_report_now(cs, i, now);
    tern__stream_step(st, TERN__EV_LEFT_PLACE);
    tern__stream_ref(st);
    return st;
}

static void client_stream_cancel(tern__stream *st, tern_time now) {
    tern__csession *cs = client_of(st);
    if (st->states.call <= TERN__STREAM_CALL_WAITING) {
        tern__trace_waiting(cs, TERN__CALL_QUEUED, TERN__CALL_FREE, TERN_STATUS_CANCELLED);
        tern__client_dequeue(cs, st->waiting);
        tern__out_release(cs->s.engine, st->waiting);
        st->waiting = NULL;
        cs->s.engine->stats.calls_completed++;
    } else if (st->states.call != TERN__STREAM_CALL_LEAVING) {
        uint32_t i = st->index;
        tern__stream_unref(client_stream_leave(cs, i, now));
        tern__client_abandon(cs, i, now);
    }
    tern__stream_drop(st);
}

/* ---- Sending -------------------------------------------------------------------------------------- */

static bool client_stream_send(tern__csession *cs, uint32_t i, tern_time now) {
    tern__cslot *slot = tern__call_at(cs, i);
    tern__stream *st = slot->call;
    uint32_t len;
    if (tern__stream_sendable(st, &len)) {
        if (!tern__stream_send_next(st, len, now)) return false;
        slot->last_tx = now;
        if (st->loss) {
            if (!slot->n_out) slot->backoff = 0;
            slot->n_out++;
            cs->in_flight++;
            tern__pace_charge(&cs->s, len, now);
        }
    }
    if (!tern__stream_sendable(st, &len)) tern__place_set_unsent(cs, i, false);
    return true;
}

static void client_stream_kick(tern__stream *st, tern_time now) {
    tern__csession *cs = client_of(st);
    bool is_next = !st->loss && !cs->unsent && cs->in_flight < cs->credits; /* nobody else waits for a turn */
    uint32_t len;
    while (is_next && tern__stream_sendable(st, &len)) is_next = tern__stream_send_next(st, len, now);
    if (is_next) return;
    tern__place_set_unsent(cs, st->index, true);
    tern__client_send_unsent(cs, now);
}

static void client_stream_pump(tern__csession *cs) {
    for (uint32_t left = taken_places(cs); left; left &= left - 1) {
        uint32_t i = TERN__N_SLOTS + (uint32_t)__builtin_ctz(left), len;
        tern__stream *st = stream_at(cs, i);
        if (st->grant_pending) tern__stream_acknowledge(st, TERN__STREAM_NO_PKT);
        if (tern__stream_sendable(st, &len)) tern__place_set_unsent(cs, i, true);
    }
}

static void client_stream_tell(tern__csession *cs) {
    for (uint32_t left = taken_places(cs); left; left &= left - 1) {
        uint32_t place = (uint32_t)__builtin_ctz(left);
        bool is_taken = taken_places(cs) >> place & 1; /* those that are told may end others */
        if (is_taken) tern__stream_tell_writable(stream_at(cs, TERN__N_SLOTS + place));
    }
}

static void client_stream_timeout(tern__stream *st, tern_time now) {
    uint64_t missing = tern__stream_missing(st);
    if (!missing) {
        tern__stream_acknowledge(st, TERN__STREAM_NO_PKT);
        return;
    }
    tern__stream_resend(st, missing, now);
}

/* ---- Receiving ------------------------------------------------------------------------------------ */

static uint32_t place_of_req(const tern__csession *cs, uint32_t req) {
    uint32_t n = cs->s.cold->n_streams;
    return n ? req & (n - 1) : 0;
}

/* For no stream that we have. A response to a call that has ended: the server does not know yet. */
static void rx_stray(tern__csession *cs, const tern__pkt_header *h) {
    const tern__places *places = tern__places_of(cs);
    uint32_t place = place_of_req(cs, h->req);
    bool ended = places && (int32_t)(places->reqs[place] - h->req) >= (int32_t)(places->taken >> place & 1);
    tern__drop(cs->s.engine, TERN__DROP_NO_SUCH_CALL);
    if (h->type == TERN__PKT_RESP && ended && !cs->s.link->reliable) send_end(cs, h->req, h->pkt);
}

/* False: the acknowledgement makes no sense. */
static bool rx_server_ack(tern__csession *cs, uint32_t i, const tern__pkt_header *h, tern_time now) {
    tern__cslot *slot = tern__call_at(cs, i);
    tern__stream *st = slot->call;
    uint32_t n_news;
    tern_dur sample;
    if (!tern__stream_rx_ack(st, h, now, &n_news, &sample)) return false;
    if (!n_news) return true;
    slot->n_out = (uint8_t)(slot->n_out - n_news);
    cs->in_flight = (uint16_t)(cs->in_flight - n_news);
    if (sample >= 0) slot->backoff = 0; /* not by an answer to a transmission before the timeout (Karn) */
    slot->last_tx = now;
    tern__client_sample_rtt(cs, sample);
    tern__stream_recover(st, n_news, sample, now);
    return true;
}

/* The server does not serve the call, or no longer: the packet stands in no place, so whatever has come is no whole. */
static bool is_rejection(const tern__rx_packet *pkt, const tern__pkt_header *h, uint32_t header_bytes) {
    return h->pkt == TERN__STREAM_NO_PKT && h->flags & TERN__PKT_LAST && h->status != TERN_STATUS_OK &&
           !(h->flags & TERN__PKT_META) && tern__payload_bytes(pkt, header_bytes) == 0;
}

static int status_of(uint8_t said) { return said <= TERN_STATUS_UNAUTHENTICATED ? said : TERN_STATUS_UNKNOWN; }

/* Also says what the server has of the request. False: the call has ended. */
static bool rx_resp(tern__csession *cs, uint32_t i, const tern__rx_packet *pkt, const tern__pkt_header *h,
                    uint32_t header_bytes, tern_time now) {
    tern__cslot *slot = tern__call_at(cs, i);
    tern__stream *st = slot->call;
    tern__pkt_header ack = *h;
    ack.pkt = TERN__STREAM_NO_PKT;
    if (!rx_server_ack(cs, i, &ack, now)) {
        tern__drop(cs->s.engine, TERN__DROP_OUT_OF_WINDOW);
        return true;
    }
    if (!slot->n_out) {
        slot->backoff = 0;
        slot->last_tx = now;
    }
    if (is_rejection(pkt, h, header_bytes)) {
        tern__client_complete(cs, i, status_of(h->status), NULL, now);
        return false;
    }
    if (!tern__stream_rx_data(st, pkt, h, header_bytes)) return false;
    if (st->states.recv == TERN__RECV_REFUSED) {
        tern__client_complete(cs, i, st->rx_refusal, NULL, now);
        return false;
    }
    if (st->states.recv != TERN__RECV_DATA_RECVD) return true;
    if (st->loss) send_end(cs, h->req, h->pkt);
    tern__client_complete(cs, i, status_of(st->rx_status), NULL, now);
    return false;
}

void tern__stream_client_rx(tern__csession *cs, const tern__rx_packet *pkt, const tern__pkt_header *h,
                            uint32_t header_bytes, tern_time now) {
    uint32_t place = place_of_req(cs, h->req), i = TERN__N_SLOTS + place;
    if (!(taken_places(cs) >> place & 1) || tern__call_at(cs, i)->req != h->req) {
        rx_stray(cs, h);
        return;
    }
    if (h->type == TERN__PKT_RESP) {
        rx_resp(cs, i, pkt, h, header_bytes, now);
    } else if (!rx_server_ack(cs, i, h, now)) {
        tern__drop(cs->s.engine, TERN__DROP_OUT_OF_WINDOW);
        return;
    }
    tern__client_pump(cs, now);
}

const tern__client_stream_ops tern__client_stream_calls = {
    .start = client_stream_start,
    .refuse = client_stream_refuse,
    .send = client_stream_send,
    .timeout = client_stream_timeout,
    .pump = client_stream_pump,
    .tell = client_stream_tell,
    .kick = client_stream_kick,
    .cancel = client_stream_cancel,
    .leave = client_stream_leave,
};
