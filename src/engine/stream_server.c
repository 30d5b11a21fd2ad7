/* Streaming calls at the server. Unlike anything else here they send unasked: what their handlers write leaves when the
 * client's reader has granted room, and on links that lose packets is kept, timed and sent again by the server itself,
 * with as many packets in flight as the session has credits.
 *
 * A call is RUNNING from its first packet until the LAST one of its response has left (has arrived, on links that lose
 * packets), also when the handler has long finished. There are no orphans: a newer number on the place, or word from
 * the client, ends the call.
 *
 * Streams have places of their own beside the slots, from the session's first stream on. A call that cannot be taken
 * leaves nothing but its status, which whatever comes of the call asks for again. */
#include "engine/stream_server.h"

#include "engine/account.h"
#include "engine/control.h"
#include "engine/pace.h"
#include "engine/server.h"
#include "engine/session.h"
#include "engine/stream_queue.h"
#include "engine/stream_wait.h"
#include "engine/tracing.h"

enum {
    MAX_STUCK_TIMEOUTS = 4, /* peer_timeouts in which nothing of what is in flight is acknowledged ... */
    MIN_VAIN = 8,           /* ... and timeouts: a server that was suspended itself has not tried often enough */
};

static tern__ssession *server_of(const tern__stream *st) { return (tern__ssession *)st->session; }

static tern__stream_places *own_places(const tern__ssession *ss) { return ss->s.scold->requests->places; }

static uint32_t place_of_number(const tern__ssession *ss, uint32_t req) { return req & (ss->s.cold->n_streams - 1u); }

/* The open stream of this number, or NULL. */
static tern__request *find_stream(const tern__ssession *ss, uint32_t req) {
    const tern__stream_places *places = own_places(ss);
    if (!places) return NULL;
    uint32_t place = place_of_number(ss, req);
    bool open = (places->open >> place & 1) && places->reqs[place] == req;
    return open ? places->streams[place] : NULL;
}

/* What a stream holds here at least, which counts as memory of the peer's requests: it can be had for a packet. */
static uint32_t record_bytes(const tern__ssession *ss) {
    uint32_t of_loss = ss->s.link->reliable ? 0 : sizeof(tern__stream_loss);
    return (uint32_t)sizeof(tern__request) + (uint32_t)sizeof(tern__stream) + of_loss;
}

/* Have places. False: no memory. */
static bool make_places(tern__ssession *ss) {
    if (own_places(ss)) return true;
    tern__stream_places *places = tern__slab_take(&ss->s.engine->kinds.stream_places);
    if (!places) return false;
    *places = (tern__stream_places){.open = 0};
    for (uint32_t i = 0; i < TERN__MAX_STREAMS; i++) places->reqs[i] = i - ss->s.cold->n_streams;
    ss->s.scold->requests->places = places;
    return true;
}

static void server_stream_free_places(tern__ssession *ss) {
    tern__slab_give(own_places(ss));
    ss->s.scold->requests->places = NULL;
}

/* The place is done with its stream, which the caller ends or drops. */
static tern__stream *leave(tern__request *request) {
    tern__ssession *ss = request->session;
    tern__stream *st = request->stream;
    tern__trace_stream_ends(st);
    request->stream = NULL;
    own_places(ss)->open &= ~(1u << request->slot);
    ss->n_streams--;
    tern__uncharge(&ss->s, record_bytes(ss));
    ss->s.scold->in_flight = (uint16_t)(ss->s.scold->in_flight - st->n_out);
    tern__request_set_state(request, TERN__REQUEST_DONE);
    tern__request_give_spare(ss, request);
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
    if (!st->n_vain && cap > tern__patience(&ss->s)) cap = tern__patience(&ss->s);
    return st->last_tx + (tern_time)(pause < cap ? pause : cap);
}

/* One packet. False: the link is full. *more: another could go. */
static bool send_one(tern__ssession *ss, tern__stream *st, bool *more, tern_time now) {
    uint32_t len;
    *more = false;
    bool may_send = tern__stream_sendable(st, &len);
    bool has_credit = !st->loss || ss->s.scold->in_flight < ss->s.scold->credits;
    if (!may_send || !has_credit) tern__stream_start_clock(st, now);
    if (!may_send || !has_credit || (st->loss && !tern__pace_may_stream(ss, st, now))) return true;
    if (!tern__stream_send_next(st, len, now)) {
        tern__stream_start_clock(st, now);
        return false;
    }
    st->last_tx = now;
    if (st->loss) {
        if (!st->n_out) {
            st->backoff = st->n_vain = 0;
            st->progress_at = now;
        }
        st->n_out++;
        ss->s.scold->in_flight++;
        tern__pace_charge(&ss->s, len, now);
        tern__timer_lower(&ss->s, resend_due(ss, st));
    }
    *more = tern__stream_sendable(st, &len);
    drop_if_complete(st);
    return true;
}

/* One packet of each stream in turn. */
static void send_all(tern__ssession *ss, tern_time now) {
    uint32_t ready = tern__open_streams(ss);
    while (ready) {
        uint32_t later = ready & (UINT32_MAX << ss->next_stream);
        uint32_t i = (uint32_t)__builtin_ctz(later ? later : ready);
        bool more;
        if (!send_one(ss, tern__stream_at(ss, i)->stream, &more, now)) {
            tern__session_stall(&ss->s);
            return;
        }
        if (!more) ready &= ~(1u << i);
        ss->next_stream = (uint8_t)((i + 1) % TERN__MAX_STREAMS);
    }
}

/* As a response whose packet `pkt` is empty and the last. False: the link is full. */
static bool send_rejection(tern__ssession *ss, uint32_t req, uint8_t status) {
    tern__pkt_header h = tern__session_header(&ss->s, TERN__PKT_RESP);
    h.flags |= TERN__PKT_STREAM | TERN__PKT_LAST;
    h.status = status;
    h.req = req;
    h.pkt = TERN__STREAM_NO_PKT;
    return tern__send_control(&ss->s, &h, NULL, 0);
}

/* The call of this place is not served, or no longer: its client is told. Where packets get lost, it asks again. */
static void reject_stream(tern__ssession *ss, uint32_t place) {
    tern__stream_places *places = own_places(ss);
    places->unsent &= ~(1u << place);
    if (send_rejection(ss, places->reqs[place], places->status[place]) || !ss->s.link->reliable) return;
    places->unsent |= 1u << place;
    tern__session_stall(&ss->s);
}

static void reject_all_unsent(tern__ssession *ss) {
    tern__stream_places *places = own_places(ss);
    for (uint32_t left = places ? places->unsent : 0; left; left &= left - 1)
        reject_stream(ss, (uint32_t)__builtin_ctz(left));
}

static void server_stream_kick(tern__stream *st, tern_time now) { send_all(server_of(st), now); }

static void server_stream_pump(tern__ssession *ss, tern_time now) {
    reject_all_unsent(ss);
    for (uint32_t left = tern__open_streams(ss); left; left &= left - 1) {
        tern__stream *st = tern__stream_at(ss, (uint32_t)__builtin_ctz(left))->stream;
        if (st->grant_pending) tern__stream_acknowledge(st, TERN__STREAM_NO_PKT);
    }
    send_all(ss, now);
    for (uint32_t left = tern__open_streams(ss); left; left &= left - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(left);
        bool is_open = tern__open_streams(ss) >> i & 1; /* those that are told may end others */
        if (is_open) tern__stream_tell_writable(tern__stream_at(ss, i)->stream);
    }
}

/* After a packet of one stream: on a link that loses none, nothing of another stream waits for that. */
static void pump_after(tern__ssession *ss, tern__stream *st, tern_time now) {
    uint32_t len;
    if (!ss->s.link->reliable || tern__stream_has_ended(st)) {
        server_stream_pump(ss, now);
        return;
    }
    if (st->grant_pending) tern__stream_acknowledge(st, TERN__STREAM_NO_PKT);
    if (tern__stream_sendable(st, &len)) send_all(ss, now);
    if (!tern__stream_has_ended(st)) tern__stream_tell_writable(st);
}

/* ---- Receiving ------------------------------------------------------------------------------------ */

static void rx_client_ack(tern__ssession *ss, tern__stream *st, const tern__pkt_header *h, tern_time now) {
    const tern__engine_config *c = &ss->s.engine->config;
    uint32_t n_news;
    tern_dur sample;
    uint64_t limit = st->tx_limit;
    if (!tern__stream_rx_ack(st, h, now, &n_news, &sample)) {
        tern__drop(ss->s.engine, TERN__DROP_OUT_OF_WINDOW);
        return;
    }
    if (n_news || st->tx_limit != limit) own_places(ss)->moved_at = now;
    st->n_out -= n_news;
    ss->s.scold->in_flight = (uint16_t)(ss->s.scold->in_flight - n_news);
    if (n_news) {
        st->progress_at = now;
        st->n_vain = 0;
        if (sample >= 0) st->backoff = 0; /* not by an answer to a transmission before the timeout (Karn) */
        st->last_tx = now;
        tern__rtt_sample(&ss->s.rtt, sample, tern__rto_min(&ss->s), c->rto_max);
        tern__trace_rtt(&ss->s, sample);
        tern__stream_recover(st, n_news, sample, now);
    }
    if (st->loss && h->pkt == TERN__STREAM_NO_PKT) tern__stream_acknowledge(st, TERN__STREAM_NO_PKT);
    drop_if_complete(st);
    server_stream_pump(ss, now);
}

/* Whether the call of this number is the last of its place, and rejected. */
static bool is_rejected(const tern__ssession *ss, uint32_t req) {
    const tern__stream_places *places = own_places(ss);
    uint32_t place = place_of_number(ss, req);
    return places && places->reqs[place] == req && (places->rejected >> place & 1);
}

static void reject(tern__ssession *ss, uint32_t place, int status) {
    own_places(ss)->rejected |= 1u << place;
    own_places(ss)->status[place] = (uint8_t)status;
    reject_stream(ss, place);
}

static void rx_rfr(tern__ssession *ss, const tern__pkt_header *h, tern_time now) {
    tern__request *request = find_stream(ss, h->req);
    if (!request && !(h->flags & TERN__PKT_LAST) && !ss->s.link->reliable && is_rejected(ss, h->req))
        reject_stream(ss, place_of_number(ss, h->req));
    else if (!request)
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
    uint32_t n_before = st->rx_pkt;
    if (!tern__stream_rx_data(st, pkt, h, header_bytes)) return;
    if (st->states.recv == TERN__RECV_REFUSED && tern__stream_has_user(st)) {
        tern__stream_give_up(st, st->rx_refusal, now);
        return;
    }
    if (st->rx_pkt != n_before) own_places(ss)->moved_at = now;
    tern__stream_ref(st); /* the call may end in on_finished */
    bool has_finished = st->states.recv == TERN__RECV_DATA_RECVD && before != TERN__RECV_DATA_RECVD;
    if (has_finished && tern__stream_has_user(st)) e->config.streams->on_finished(e->config.user, st);
    pump_after(ss, st, now);
    tern__stream_unref(st);
}

/* The place's numbers up to this one are over, or begin now. */
static void pass_to_stream(tern__ssession *ss, uint32_t req) {
    tern__stream_places *places = own_places(ss);
    uint32_t place = place_of_number(ss, req), bit = 1u << place;
    places->rejected &= ~bit;
    places->unsent &= ~bit;
    if (places->open & bit) server_stream_end(places->streams[place], TERN_STATUS_CANCELLED);
    places->reqs[place] = req;
}

/* A record and its stream. NULL: no memory, or nobody here takes streams. */
static tern__request *make_stream(tern__ssession *ss, tern__stream **stream) {
    tern__engine *e = ss->s.engine;
    if (!e->config.streams || !tern__charge(&ss->s, record_bytes(ss))) return NULL;
    /* Nothing more is granted before the handler may say how much that is. */
    static const tern__stream_opts unopened = {.window_bytes = TERN__STREAM_MIN_WINDOW};
    tern__request *request = tern__request_take_spare(ss);
    *stream = request ? tern__stream_new(&ss->s, &unopened, TERN__STREAM_CALL_OPENING) : NULL;
    if (*stream) return request;
    if (request) tern__request_give_spare(ss, request);
    tern__uncharge(&ss->s, record_bytes(ss));
    return NULL;
}

static void enter_place(tern__ssession *ss, tern__request *request, uint32_t req) {
    tern__stream_places *places = own_places(ss);
    request->slot = (uint8_t)place_of_number(ss, req);
    request->req = req;
    places->streams[request->slot] = request;
    places->open |= 1u << request->slot;
    ss->n_streams++;
}

/* The first packet to arrive of a call, which opens with packet 0, or once its metadata block is whole. */
static void rx_opening(tern__ssession *ss, const tern__rx_packet *pkt, const tern__pkt_header *h, uint32_t header_bytes,
                       tern_time now) {
    tern__engine *e = ss->s.engine;
    tern__stream *st;
    pass_to_stream(ss, h->req);
    tern__request *request = make_stream(ss, &st);
    if (!request) {
        reject(ss, place_of_number(ss, h->req),
               e->config.streams ? TERN_STATUS_RESOURCE_EXHAUSTED : TERN_STATUS_UNIMPLEMENTED);
        return;
    }
    enter_place(ss, request, h->req);
    request->method = h->method;
    request->n_pkts = request->base = 1;
    request->abandoned = request->cr_pending = request->orphan = false;
    request->deadline = tern__server_stated_deadline(h, now);
    st->request = request;
    st->format = tern__is_known_format(e, h->format) ? h->format : TERN_FORMAT_RAW;
    request->stream = st;
    request->user = NULL;
    tern__request_set_state(request, TERN__REQUEST_RUNNING);
    if (request->deadline != TERN__NEVER) tern__timer_lower(&ss->s, request->deadline);
    if (!ss->s.link->reliable) tern__timer_lower(&ss->s, now + (tern_time)tern__client_quiet(e));
    tern__stream_start_clock(st, now);
    rx_data(ss, st, pkt, h, header_bytes, now);
}

static tern__drop_reason why_stream_dropped(int32_t ahead, bool fits) {
    if (!fits) return TERN__DROP_MALFORMED;
    return ahead < 0 ? TERN__DROP_NO_SUCH_CALL : ahead == 0 ? TERN__DROP_DUPLICATE : TERN__DROP_OUT_OF_WINDOW;
}

static void rx_req(tern__ssession *ss, const tern__rx_packet *pkt, const tern__pkt_header *h, uint32_t header_bytes,
                   tern_time now) {
    uint32_t first = ss->s.link->reliable ? 0 : TERN__WIN_PKTS - 1; /* the last packet that may come first */
    bool fits = tern__payload_bytes(pkt, header_bytes) <= ss->s.payload_bytes;
    if (!ss->s.cold->n_streams) {
        tern__drop(ss->s.engine, TERN__DROP_NO_SUCH_CALL);
        return;
    }
    if (!make_places(ss)) {
        bool told = send_rejection(ss, h->req, TERN_STATUS_RESOURCE_EXHAUSTED);
        if (told || !ss->s.link->reliable) return;
        tern__session_say_goodbye(&ss->s); /* there is no memory for the number, until there is room */
        tern__server_drop(ss, TERN__WHY_NO_MEMORY);
        return;
    }
    uint32_t place = place_of_number(ss, h->req);
    tern__request *request = find_stream(ss, h->req);
    int32_t ahead = (int32_t)(h->req - own_places(ss)->reqs[place]);
    if (ahead > 0 && h->pkt <= first && fits)
        rx_opening(ss, pkt, h, header_bytes, now);
    else if (request)
        rx_data(ss, request->stream, pkt, h, header_bytes, now);
    else if (is_rejected(ss, h->req))
        reject_stream(ss, place); /* say so again */
    else
        tern__drop(ss->s.engine, why_stream_dropped(ahead, fits));
}

void tern__stream_server_rx(tern__ssession *ss, const tern__rx_packet *pkt, const tern__pkt_header *h,
                            uint32_t header_bytes, tern_time now) {
    if (h->type == TERN__PKT_REQ)
        rx_req(ss, pkt, h, header_bytes, now);
    else
        rx_rfr(ss, h, now);
}

/* ---- Turns ---------------------------------------------------------------------------------------- */

void tern__stream_put_off(tern__stream *st) {
    if (!st->request || st->request->state != TERN__REQUEST_RUNNING) return;
    st->request->arrived = st->session->engine->now;
    tern__request_set_state(st->request, TERN__REQUEST_WAITING);
    st->session->engine->stats.put_off++;
}

static void server_stream_take_turn(tern__request *request, tern_time now) {
    tern__ssession *ss = request->session;
    tern__engine *e = ss->s.engine;
    tern__stream *st = request->stream;
    tern__request_set_state(request, TERN__REQUEST_RUNNING);
    if (!tern__stream_has_user(st)) return; /* it has ended but for what is on its way */
    if (request->deadline <= now) {
        tern__stream_give_up(st, TERN_STATUS_DEADLINE_EXCEEDED, now);
        return;
    }
    tern__stream_ref(st);
    e->config.streams->on_turn(e->config.user, st);
    if (!tern__stream_has_ended(st)) tern__stream_grant(st); /* the window may be another one by now */
    pump_after(ss, st, now);
    tern__stream_unref(st);
}

/* ---- Timers --------------------------------------------------------------------------------------- */

/* The client may live: the stream ends here, as if the client were lost, or because it goes on with nothing. */
static void give_up_stream(tern__ssession *ss, tern__request *request, int status) {
    reject(ss, request->slot, status);
    server_stream_end(request, status);
}

/* The client has been waited for: for a grant, or for the rest of what the call opens with. */
static void end_waiting(tern__ssession *ss, tern__stream *st) {
    ss->s.engine->stats.evicted_requests++;
    give_up_stream(ss, st->request, TERN_STATUS_RESOURCE_EXHAUSTED);
}

/* What the stream has to send goes now, and its call ends: its client has not read it, and others need the room. This
 * may be inside any function of the engine. */
static void server_stream_starve(tern__stream *st) {
    tern__engine *e = st->session->engine;
    const tern__stream_callbacks *callbacks = e->config.streams;
    void (*tell)(void *, tern__stream *, int) = callbacks->on_starved ? callbacks->on_starved : callbacks->on_end;
    bool has_user = tern__stream_has_user(st), has_handler = has_user && !tern__stream_is_unopened(st);
    e->stats.evicted_requests++;
    tern__stream_ref(st);
    if (has_user)
        tern__stream_abort(st, TERN_STATUS_RESOURCE_EXHAUSTED, e->now);
    else
        server_stream_end(st->request, TERN_STATUS_RESOURCE_EXHAUSTED);
    if (!tern__stream_has_ended(st)) tern__stream_uncount_output(st);
    if (has_handler) tell(e->config.user, st, TERN_STATUS_RESOURCE_EXHAUSTED);
    tern__stream_unref(st);
}

static bool is_hopeless(const tern__ssession *ss, const tern__stream *st, tern_time now) {
    tern_dur patience = MAX_STUCK_TIMEOUTS * ss->s.engine->config.peer_timeout;
    return st->n_vain >= MIN_VAIN && now - st->progress_at >= (tern_time)patience;
}

/* No answer in time: the first time it is a tail probe. */
static void timeout(tern__ssession *ss, tern__stream *st, tern_time now) {
    if (is_hopeless(ss, st, now)) {
        give_up_stream(ss, st->request, TERN_STATUS_UNAVAILABLE);
        return;
    }
    if (st->n_vain < MIN_VAIN) st->n_vain++;
    tern__trace_recovery(&ss->s, st->backoff ? TERN__TRACE_TIMEOUT : TERN__TRACE_TAIL_PROBE,
                         (tern__trace_loss){.req = st->request->req, .n = st->backoff});
    if (!st->backoff)
        ss->s.engine->stats.tail_probes++;
    else
        tern__pace_timeout(&ss->s, st->backoff, now);
    if (st->backoff < TERN__MAX_BACKOFF) st->backoff++;
    st->last_tx = now;
    tern__stream_resend(st, tern__stream_missing(st), now);
}

static tern_time server_stream_timer(tern__ssession *ss, tern_time now) {
    tern_time due = TERN__NEVER;
    for (uint32_t i = 0; i < TERN__MAX_STREAMS; i++) { /* those that are told may end others */
        if (!(tern__open_streams(ss) >> i & 1)) continue;
        tern__stream *st = tern__stream_at(ss, i)->stream;
        if (resend_due(ss, st) <= now) timeout(ss, st, now);
        if (!(tern__open_streams(ss) >> i & 1)) continue;
        if (tern__stream_has_user(st) && tern__stream_at(ss, i)->deadline <= now)
            tern__stream_give_up(st, TERN_STATUS_DEADLINE_EXCEEDED, now);
        else if (tern__stream_clock_due(st, now) <= now)
            end_waiting(ss, st);
    }
    if (ss->s.scold->pace) send_all(ss, now); /* what is stuck from now on holds up nothing else */
    for (uint32_t left = tern__open_streams(ss); left; left &= left - 1) {
        const tern__request *request = tern__stream_at(ss, (uint32_t)__builtin_ctz(left));
        due = tern__min_time(due, resend_due(ss, request->stream));
        due = tern__min_time(due, tern__stream_clock_due(request->stream, now));
        if (tern__stream_has_user(request->stream)) due = tern__min_time(due, request->deadline);
    }
    return due;
}

/* A report may overtake packets of what it reports, too. */
static void server_stream_completed(tern__ssession *ss, const uint8_t *numbers) {
    if (!make_places(ss)) return; /* it comes again */
    for (uint32_t i = 0; i < ss->s.cold->n_streams; i++) {
        uint32_t req = tern__load32(numbers + 4 * (size_t)i);
        if (place_of_number(ss, req) == i && (int32_t)(req - own_places(ss)->reqs[i]) >= 0) pass_to_stream(ss, req);
    }
}

const tern__server_stream_ops tern__server_stream_calls = {
    .pump = server_stream_pump,
    .kick = server_stream_kick,
    .timer = server_stream_timer,
    .end = server_stream_end,
    .take_turn = server_stream_take_turn,
    .starve = server_stream_starve,
    .completed = server_stream_completed,
    .free_places = server_stream_free_places,
};
