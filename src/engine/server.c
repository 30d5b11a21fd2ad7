/* The server's end: it answers packets and never sends on its own, pings to silent clients excepted
 * (eRPC 5). A slot runs each request number at most once: older numbers are dropped, a packet of the
 * current one is answered by a CR while its handler runs and by the response afterwards.
 *
 * A newer number on a slot says that the client waits for the older request no longer. If its handler still
 * runs it becomes an orphan: it keeps its request, its response will be dropped, and the slot goes on with
 * a fresh object. on_gone is called for an orphan as for any request, when the client dies. */
#include "engine/server.h"

#include "engine/admission.h"
#include "engine/cached_reply.h"
#include "engine/control.h"
#include "engine/drain.h"
#include "engine/ecn.h"
#include "engine/pace.h"
#include "engine/peers.h"
#include "engine/placement.h"
#include "engine/progress.h"
#include "engine/sealed_watch.h"
#include "engine/send.h"
#include "engine/session.h"
#include "engine/table.h"
#include "engine/tracing.h"
#include "mem/pool.h"

enum { N_PINGS = 32 /* unanswered: the client is dead */ };

/* ---- Sending -------------------------------------------------------------------------------------- */

static void stall(tern__ssession *ss, const tern__request *request) {
    ss->unsent |= (uint8_t)(1u << request->slot);
    tern__session_stall(&ss->s);
}

static bool send_cr(tern__ssession *ss, tern__request *request) {
    tern__pkt_header h = tern__session_header(&ss->s, TERN__PKT_CR);
    h.req = request->req;
    h.pkt = request->last_pkt;
    h.attempt = request->last_nth;
    h.received = request->base;
    tern__ecn_echo(&request->n_marked, &h);
    return tern__send_control(&ss->s, &h, NULL, 0);
}

static void credit_return(tern__ssession *ss, tern__request *request, uint32_t pkt, uint8_t nth) {
    request->last_pkt = pkt;
    request->last_nth = nth;
    if (send_cr(ss, request) || !ss->s.link->reliable) return;
    request->cr_pending = true;
    stall(ss, request);
}

void tern__server_ack_delayed(tern__engine *e) {
    tern__request *request = e->delayed_ack;
    e->delayed_ack = NULL;
    credit_return(request->session, request, request->last_pkt, request->last_nth);
}

/* Packets that came in order and in one run are answered together, by the answer to the last of them. */
static void delay_ack(tern__ssession *ss, tern__request *request, uint32_t pkt, uint8_t nth) {
    tern__engine *e = ss->s.engine;
    if (e->delayed_ack && e->delayed_ack != request) tern__server_ack_delayed(e);
    e->delayed_ack = request;
    e->stats.delayed++;
    request->last_pkt = pkt;
    request->last_nth = nth;
}

static tern__pkt_header resp_header(tern__ssession *ss, const tern__request *request, uint32_t pkt, uint8_t nth) {
    tern__pkt_header h = tern__session_header(&ss->s, TERN__PKT_RESP);
    h.status = request->status & (uint8_t)~TERN__STATUS_NOT_RUN;
    h.req = request->req;
    h.pkt = pkt;
    if (pkt)
        h.attempt = nth;
    else
        h.held_ns = request->held_ns;
    if (!pkt) h.admission = tern__admission_say(ss, request->status);
    return h;
}

/* Packet pkt of the response, for the first time or again; nth: of the RFR that asks for it. */
static bool send_resp(tern__ssession *ss, tern__request *request, uint32_t pkt, uint8_t nth) {
    tern__pkt_header h = resp_header(ss, request, pkt, nth);
    tern__ecn_echo(&request->n_marked, &h);
    if (!request->out) return tern__send_control(&ss->s, &h, NULL, 0);
    h.format = request->out->format;
    tern__pkt_of_message(&h, pkt, request->out->size, tern__out_cut(&ss->s, request->out));
    if (pkt == 0) tern__pkt_set_meta(&h, tern__out_meta_bytes(request->out));
    return tern__out_send(&ss->s, request->out, &h);
}

/* On a reliable link: response packets asked for and not yet sent, in order. The last of them ends the request. */
static void send_asked(tern__ssession *ss, tern__request *request) {
    uint32_t n_pkts = request->out ? tern__n_pkts(request->out->size, tern__out_cut(&ss->s, request->out)) : 1;
    for (; request->resp_next < request->resp_asked; request->resp_next++) {
        if (send_resp(ss, request, request->resp_next, 0)) continue;
        stall(ss, request);
        return;
    }
    if (request->resp_next == n_pkts) tern__request_finish(request, false, false);
}

/* An answer without a slot: no memory for one, or too many running requests that the client gave up on. On a link that
 * loses packets it may get lost: the client will ask again, and may find a slot then. So only on others the client is
 * told that the handler has not begun. */
static bool send_status(tern__ssession *ss, uint32_t req, tern_status status, uint8_t not_run) {
    tern__pkt_header h = tern__session_header(&ss->s, TERN__PKT_RESP);
    h.status = (uint8_t)status;
    h.admission = tern__admission_say(ss, h.status | not_run);
    h.req = req;
    return tern__send_control(&ss->s, &h, NULL, 0);
}

static void reject_stateless(tern__ssession *ss, uint32_t req) {
    uint8_t not_run = ss->s.link->reliable ? TERN__STATUS_NOT_RUN : 0;
    if (send_status(ss, req, TERN_STATUS_RESOURCE_EXHAUSTED, not_run) || !not_run) return;
    ss->rejects |= (uint8_t)(1u << req % TERN__N_SLOTS);
    ss->s.scold->requests->rejected[req % TERN__N_SLOTS] = req;
    tern__session_stall(&ss->s);
}

void tern__server_pump(tern__ssession *ss) {
    uint32_t unsent = ss->unsent, rejects = ss->rejects;
    ss->unsent = ss->rejects = 0;
    for (; rejects; rejects &= rejects - 1)
        reject_stateless(ss, ss->s.scold->requests->rejected[__builtin_ctz(rejects)]);
    for (; unsent; unsent &= unsent - 1) {
        tern__request *request = tern__request_at(ss, __builtin_ctz(unsent));
        if (!request) continue;
        if (request->cr_pending && (request->state == TERN__REQUEST_RECEIVING || tern__request_is_under_way(request))) {
            if (!send_cr(ss, request)) {
                stall(ss, request);
                continue;
            }
        }
        request->cr_pending = false;
        if (request->state == TERN__REQUEST_RESPONDED) send_asked(ss, request);
    }
    if (ss->s.scold->requests->places) ss->s.engine->server_streams->pump(ss, ss->s.engine->now);
}

/* Packet 0 of the response leaves. On a reliable link that may end the request. */
static void send_first(tern__ssession *ss, tern__request *request) {
    request->resp_next = 0;
    request->resp_asked = 1;
    if (ss->s.link->reliable)
        send_asked(ss, request);
    else
        send_resp(ss, request, 0, 0); /* if the link is full the client will ask again */
}

/* The response stands (in request->out, or a status alone): packet 0 leaves. On a reliable link that may end
 * the request. */
static void start_response(tern__ssession *ss, tern__request *request) {
    tern__request_respond(request->session->s.engine, request, false);
    send_first(ss, request);
}

static void reject(tern__ssession *ss, tern__request *request, uint8_t status) {
    request->status = status | TERN__STATUS_NOT_RUN;
    request->held_ns = 0;
    start_response(ss, request);
}

/* There is no room for it, or no longer. */
static __attribute__((noinline, cold)) void reject_for_room(tern__ssession *ss, tern__request *request) {
    ss->s.engine->stats.evicted_requests++;
    reject(ss, request, TERN_STATUS_RESOURCE_EXHAUSTED);
}

static void give_up(tern__request *request) {
    if (request->state == TERN__REQUEST_RESPONDED)
        tern__kept_evict(request);
    else
        reject_for_room(request->session, request);
}

/* ---- Receiving requests --------------------------------------------------------------------------- */

/* Nobody waits for the response: the handler is told, once, and may respond inside; it is never called if the request
 * waits for its turn. said: the status that the client's CANCEL stands for; OK where there was none. A client that did
 * not say why has most likely seen its deadline pass, before we do: we reckon from the arrival. */
static void abandon(tern__request *request, tern_status said) {
    tern__engine *e = request->session->s.engine;
    if (request->abandoned) return;
    if (request->state == TERN__REQUEST_WAITING) {
        reject(request->session, request, TERN_STATUS_DEADLINE_EXCEEDED);
        return;
    }
    request->abandoned = true;
    bool expired = request->deadline != TERN__NEVER;
    int why = said != TERN_STATUS_OK ? (int)said : expired ? TERN_STATUS_DEADLINE_EXCEEDED : TERN_STATUS_CANCELLED;
    if (e->config.callbacks.on_abandoned) e->config.callbacks.on_abandoned(e->config.user, request, why);
}

/* The client has gone on to a newer request. Returns what the slot uses from now on, or NULL. */
static tern__request *supersede(tern__ssession *ss, tern__request *request) {
    uint32_t i = request->slot;
    if (request->state == TERN__REQUEST_RUNNING) abandon(request, TERN_STATUS_OK);
    request = tern__request_at(ss, i); /* NULL: its handler has ended it */
    if (!request) return tern__server_take(ss, i);
    if (request->state != TERN__REQUEST_RUNNING) {
        tern__request_forget(request);
        return request;
    }
    if (ss->s.scold->n_orphans == TERN__MAX_ORPHANS) return NULL;
    tern__request *fresh = tern__server_take(ss, request->slot);
    if (!fresh) return NULL;
    ss->n_running--;
    request->orphan = true;
    tern__list_append(&ss->s.scold->orphans, &request->node);
    ss->s.scold->n_orphans++;
    return fresh;
}

static bool has_come(const tern__request *request, uint32_t pkt) {
    return pkt < request->base || request->mask >> (pkt - request->base) & 1;
}

/* When the client gives up, by what this packet says: too late by what the packet took on its way. */
tern_time tern__server_stated_deadline(const tern__pkt_header *h, tern_time now) {
    bool limited = h->deadline_us && h->deadline_us != UINT32_MAX;
    return limited ? now + h->deadline_us * (tern_time)1000 : TERN__NEVER;
}

/* The request is whole, in a loan. */
static __attribute__((noinline)) void run_lent(tern__ssession *ss, tern__request *request, tern_time now) {
    tern__lent lent = tern__loan_message((tern_loan *)(uintptr_t)request->buffer, request->format);
    if (tern__admission_enter(request))
        tern__request_run(ss->s.engine, ss, request, &lent.msg, false, true, ss->s.link->reliable, now);
    else
        reject(ss, request, TERN_STATUS_RESOURCE_EXHAUSTED);
}

/* The request, which is whole at `data`, runs. Its buffer is held by the first byte: behind a metadata block the body
 * may be empty, and begin where the buffer ends. */
static void run_now(tern__ssession *ss, tern__request *request, const uint8_t *data, tern_time now) {
    if (request->lent) {
        run_lent(ss, request, now);
        return;
    }
    tern__engine *e = ss->s.engine;
    tern__arrived msg = {.data = data, .len = request->size, .format = request->format};
    bool settles = !request->buffer && tern__method_defers(e, request->method);
    if (TERN__IS_OFF(IN_PLACE))
        msg.data = tern__request_copy(request, &msg);
    else if (settles && !(msg.data = tern__request_settle(request, &msg))) {
        reject_for_room(ss, request);
        return;
    }
    if (request->meta_bytes) {
        if (!request->buffer && !tern_ref(msg.data)) request->buffer = msg.data;
        msg.meta_bytes = request->meta_bytes;
        msg.data = (const uint8_t *)msg.data + msg.meta_bytes;
        msg.len -= msg.meta_bytes;
    }
    if (!tern__admission_enter(request)) {
        reject(ss, request, TERN_STATUS_RESOURCE_EXHAUSTED);
        return;
    }
    tern__request_run(e, ss, request, &msg, false, true, ss->s.link->reliable, now);
    if (settles) tern__request_settled(e, request->state == TERN__REQUEST_RUNNING);
}

/* The request, which is whole at `data`, waits for its client's turn. */
static __attribute__((noinline)) void put_off(tern__ssession *ss, tern__request *request, const uint8_t *data,
                                              tern_time now) {
    tern__arrived msg = {.data = data, .len = request->size, .format = request->format};
    if (!tern__request_keep(request, &msg)) {
        reject_for_room(ss, request);
        return;
    }
    request->arrived = now;
    tern__request_set_state(request, TERN__REQUEST_WAITING);
    ss->s.engine->stats.put_off++;
    if (request->deadline != TERN__NEVER) tern__timer_lower(&ss->s, request->deadline);
    if (!ss->s.link->reliable) tern__timer_lower(&ss->s, now + (tern_time)tern__client_quiet(ss->s.engine));
}

/* The request is whole, at `data`. */
static void run(tern__ssession *ss, tern__request *request, const uint8_t *data, tern_time now) {
    if (ss->s.engine->takes_turns)
        put_off(ss, request, data, now);
    else
        run_now(ss, request, data, now);
}

void tern__server_run_waiting(tern__request *request) {
    tern__engine *e = request->session->s.engine;
    if (request->deadline <= e->now)
        abandon(request, TERN_STATUS_OK);
    else
        run_now(request->session, request, request->buffer, request->arrived);
    bool defers = request->state == TERN__REQUEST_RUNNING && request->n_pkts == 1;
    if (defers) e->deferring_then |= 1ull << request->method % 64;
}

static void rx_part(tern__ssession *ss, tern__request *request, const tern__rx_packet *pkt, const tern__pkt_header *h,
                    uint32_t header_bytes, tern_time now) {
    tern__engine *e = ss->s.engine;
    if (h->size != request->size || h->cut != request->cut || h->method != request->method ||
        h->format != request->format || h->pkt >= request->base + TERN__WIN_PKTS) {
        tern__drop(e, h->size == request->size && h->cut == request->cut ? TERN__DROP_OUT_OF_WINDOW
                                                                         : TERN__DROP_INCONSISTENT);
        return;
    }
    if (!tern__request_may_put(request, pkt, h, header_bytes)) {
        tern__drop(e, TERN__DROP_NO_ROOM);
        return;
    }
    if (h->pkt == 0) request->meta_bytes = h->meta_bytes;
    request->deadline = tern__min_time(request->deadline, tern__server_stated_deadline(h, now));
    tern__ecn_count(&ss->s, &request->n_marked);
    if (has_come(request, h->pkt)) {
        tern__drop(e, TERN__DROP_DUPLICATE);
    } else if (!tern__request_put(request, pkt, h, header_bytes)) {
        reject_for_room(ss, request);
        return;
    }
    bool whole = request->base == request->n_pkts, last = h->pkt + 1 == request->n_pkts;
    bool in_order = !request->mask && request->base == h->pkt + 1;
    if (!whole && in_order && e->n_behind && !ss->s.link->reliable) {
        delay_ack(ss, request, h->pkt, h->attempt);
        return;
    }
    /* A response has no room for their number. */
    if (whole && last && e->delayed_ack == request && request->n_marked) tern__server_ack_delayed(e);
    bool was_delayed = e->delayed_ack == request && whole && last;
    if (e->delayed_ack == request) e->delayed_ack = NULL; /* this answer says it all */
    if (!whole || !last) credit_return(ss, request, h->pkt, h->attempt);
    if (!whole) return;
    run(ss, request, request->buffer, now);
    if (was_delayed && tern__request_is_under_way(request))
        credit_return(ss, request, request->last_pkt, request->last_nth); /* the response takes its time */
}

/* It is too long (and has no size here), or too many run, or there is no room for it. */
static __attribute__((noinline, cold)) void reject_new(tern__ssession *ss, tern__request *request) {
    if (request->size && !tern__admission_is_full(ss->s.engine))
        reject_for_room(ss, request);
    else
        reject(ss, request, TERN_STATUS_RESOURCE_EXHAUSTED);
}

/* The first packet to arrive of a request that is new to the slot. */
static void rx_new(tern__ssession *ss, tern__request *request, const tern__rx_packet *pkt, const tern__pkt_header *h,
                   uint32_t header_bytes, tern_time now) {
    tern__engine *e = ss->s.engine;
    uint32_t n_pkts = tern__pkt_count(h);
    bool fits = h->size <= e->config.max_message_bytes, whole = n_pkts == 1 && fits;
    tern__new_request start = {
        .req = h->req,
        .method = h->method,
        .size = fits ? (uint32_t)h->size : 0, /* else the request is rejected */
        .cut = h->cut,
        .n_pkts = n_pkts,
        .base = whole,
        .format = h->format,
        .meta_bytes = h->meta_bytes,
        .deadline = tern__server_stated_deadline(h, now),
    };
    tern__request_begin(ss, request, request->slot, &start, false);
    if (!tern__is_known_format(e, h->format)) {
        reject(ss, request, TERN_STATUS_UNIMPLEMENTED);
        return;
    }
    if (whole && pkt->spans_len && (tern__admission_is_full(e) || !tern__request_open(request, pkt, h, header_bytes))) {
        reject_new(ss, request);
        return;
    }
    if (whole) {
        tern__ecn_count(&ss->s, &request->n_marked);
        run(ss, request, pkt->spans_len ? request->buffer : pkt->head + header_bytes, now);
        return;
    }
    if (!fits || tern__admission_is_full(e) || !tern__request_open(request, pkt, h, header_bytes)) {
        reject_new(ss, request);
        return;
    }
    request->arrived = request->asked_at = now; /* the packet itself may be put off: it is far ahead */
    tern__request_set_state(request, TERN__REQUEST_RECEIVING);
    tern__timer_lower(&ss->s, now + (tern_time)TERN__STILL);
    if (!ss->s.link->reliable) tern__timer_lower(&ss->s, now + (tern_time)tern__client_quiet(e));
    rx_part(ss, request, pkt, h, header_bytes, now);
}

static bool has_cached_reply(const tern__ssession *ss, uint32_t req) {
    uint32_t i = req % TERN__N_SLOTS;
    return (ss->has_reply >> i & 1) && ss->s.reqs[i] == req;
}

/* The cached reply of a request leaves once more. */
static void resend_cached_reply(tern__ssession *ss, uint32_t req) {
    tern__drop(ss->s.engine, TERN__DROP_DUPLICATE);
    if (tern__cached_reply_send(ss, req % TERN__N_SLOTS)) tern__count_retransmit(&ss->s, req, 0);
}

/* A packet of the request that the slot has had in full. */
static void rx_again(tern__ssession *ss, tern__request *request, const tern__pkt_header *h) {
    tern__drop(ss->s.engine, TERN__DROP_DUPLICATE);
    if (ss->s.link->reliable) return;
    tern__ecn_count(&ss->s, &request->n_marked);
    if (tern__request_is_under_way(request))
        credit_return(ss, request, h->pkt, h->attempt);
    else if (request->state == TERN__REQUEST_RESPONDED && send_resp(ss, request, 0, 0))
        tern__count_retransmit(&ss->s, request->req, 0);
}

static bool is_sane(const tern__ssession *ss, const tern__pkt_header *h) { return tern__is_cut_right(&ss->s, h); }

tern__request *tern__server_slot(tern__ssession *ss, uint32_t req) {
    uint32_t i = req % TERN__N_SLOTS;
    ss->has_reply &= (uint8_t) ~(1u << i);
    tern__request *request = tern__request_at(ss, i);
    request = request ? supersede(ss, request) : tern__server_take(ss, i);
    if (!request) reject_stateless(ss, req);
    return request;
}

void tern__server_rx_req(tern__ssession *ss, const tern__rx_packet *pkt, const tern__pkt_header *h,
                         uint32_t header_bytes, tern_time now) {
    tern__engine *e = ss->s.engine;
    uint32_t i = h->req % TERN__N_SLOTS;
    tern__request *request = tern__request_at(ss, i);
    int32_t ahead = (int32_t)(h->req - ss->s.reqs[i]);
    uint32_t first = ss->s.link->reliable ? 0 : TERN__WIN_PKTS - 1; /* the last packet that may come first */
    bool sane = is_sane(ss, h);
    if (sane && has_cached_reply(ss, h->req)) {
        resend_cached_reply(ss, h->req);
        return;
    }
    if (!sane || ahead < 0 || (ahead > 0 && h->pkt > first) || (ahead == 0 && !request)) {
        tern__drop(e, tern__server_why_dropped(ss, h, sane));
        return;
    }
    if (ahead == 0 && request->state == TERN__REQUEST_RECEIVING) {
        rx_part(ss, request, pkt, h, header_bytes, now);
        return;
    }
    if (ahead == 0) {
        rx_again(ss, request, h);
        return;
    }
    request = tern__server_slot(ss, h->req);
    if (request) rx_new(ss, request, pkt, h, header_bytes, now);
}

/* Whether the request, whose slot keeps nothing, has been here and is over. Its client may ask in vain only where
 * packets get lost, or come late. */
static bool has_ended(const tern__ssession *ss, uint32_t req) {
    uint32_t i = req % TERN__N_SLOTS;
    return !ss->s.link->reliable && req == ss->s.reqs[i] && req != tern__no_req(i);
}

void tern__server_rx_rfr(tern__ssession *ss, const tern__pkt_header *h) {
    tern__engine *e = ss->s.engine;
    tern__request *request = tern__request_at(ss, h->req % TERN__N_SLOTS);
    if (has_cached_reply(ss, h->req) && h->pkt == 0) {
        if (tern__cached_reply_send(ss, h->req % TERN__N_SLOTS)) tern__count_retransmit(&ss->s, h->req, 0);
        return;
    }
    if (!request || request->req != h->req) {
        tern__drop(e, TERN__DROP_NO_SUCH_CALL);
        if (!request && has_ended(ss, h->req)) send_status(ss, h->req, TERN_STATUS_DATA_LOSS, 0);
        return;
    }
    tern__ecn_count(&ss->s, &request->n_marked);
    if (tern__request_is_under_way(request) && h->pkt == 0) {
        credit_return(ss, request, request->n_pkts - 1, 0);
        return;
    }
    uint32_t n_pkts = request->out ? tern__n_pkts(request->out->size, tern__out_cut(&ss->s, request->out)) : 1;
    if (request->state == TERN__REQUEST_RESPONDED && !request->out && h->pkt > 0) {
        send_first(ss, request); /* a status, although the client has had a part of the response: it was evicted */
        return;
    }
    if (request->state != TERN__REQUEST_RESPONDED || h->pkt >= n_pkts) {
        tern__drop(e, TERN__DROP_OUT_OF_WINDOW);
        return;
    }
    if (ss->s.link->reliable && h->pkt != request->resp_asked) {
        tern__drop(e, h->pkt < request->resp_asked ? TERN__DROP_DUPLICATE : TERN__DROP_OUT_OF_WINDOW);
        return;
    }
    /* To ask for the same again is no progress. */
    if (request->out && h->pkt >= request->resp_asked) tern__request_note_asked(request);
    if (!ss->s.link->reliable) {
        if (h->pkt >= request->resp_asked) request->resp_asked = h->pkt + 1;
        send_resp(ss, request, h->pkt, h->attempt);
        return;
    }
    request->resp_asked++;
    send_asked(ss, request);
}

/* The client has the response, or wants it no longer. */
static void let_go(tern__request *request, tern_status said) {
    if (request->state == TERN__REQUEST_RUNNING)
        abandon(request, said);
    else if (request->state != TERN__REQUEST_NONE && request->state != TERN__REQUEST_DONE)
        tern__request_finish(request, false, false);
}

/* A request that has not come, and what the slot has of older ones: the number is done, so that the request finds the
 * slot past it should it still come. */
static void pass_over(tern__ssession *ss, uint32_t req) {
    uint32_t i = req % TERN__N_SLOTS;
    tern__request *request = tern__request_at(ss, i);
    if (ss->has_reply >> i & 1) tern__cached_reply_drop(ss, i);
    if (request && !(request = supersede(ss, request))) return;
    ss->s.reqs[i] = req;
    if (request) tern__request_finish(request, false, false);
}

void tern__server_rx_cancel(tern__ssession *ss, const tern__pkt_header *h) {
    uint32_t i = h->req % TERN__N_SLOTS;
    tern__request *request = tern__request_at(ss, i);
    int32_t ahead = (int32_t)(h->req - ss->s.reqs[i]);
    tern_status said = tern__cancel_status((uint16_t)h->code);
    if (ahead < 0) {
        tern__drop(ss->s.engine, TERN__DROP_NO_SUCH_CALL);
    } else if (ahead == 0) {
        if (request)
            let_go(request, said);
        else
            tern__cached_reply_drop(ss, i);
    } else {
        pass_over(ss, h->req);
    }
}

/* A report may overtake packets of what it reports, too. */
void tern__server_completed(tern__ssession *ss, const uint8_t *numbers) {
    bool is_news = false;
    for (uint32_t i = 0; i < TERN__N_SLOTS; i++) {
        uint32_t req = tern__load32(numbers + 4 * i);
        int32_t ahead = (int32_t)(req - ss->s.reqs[i]);
        is_news |= ahead > 0 || (ahead == 0 && (tern__request_at(ss, i) || *tern__cached_reply_of(ss, i)));
        if (ahead > 0 && req % TERN__N_SLOTS == i)
            pass_over(ss, req);
        else if (ahead == 0 && tern__request_at(ss, i))
            let_go(tern__request_at(ss, i), TERN_STATUS_OK);
        if (ahead >= 0) tern__cached_reply_drop(ss, i);
    }
    if (!is_news) return; /* or one client, saying the same again and again, would cost others their spares */
    tern__spares_free(ss->s.engine); /* this client has no calls: the spares are likely to be too many */
    tern__server_trim_spares(ss->s.engine, TERN__KEPT_REQUESTS);
}

/* ---- Responding ----------------------------------------------------------------------------------- */

/* An orphan's response, or one for a session that is being dropped. */
static void discard(tern__request *request) {
    tern__trace_request(request, TERN__REQUEST_DONE);
    tern__ssession *ss = request->session;
    if (request->admitted) tern__admission_leave(request);
    tern__request_release(request);
    if (request->orphan) {
        tern__list_remove(&request->node);
        ss->s.scold->n_orphans--;
    } else {
        tern__server_vacate(ss, request->slot);
    }
    tern__slab_give(request);
}

static uint8_t status_of_error(int err) {
    return err == TERN_ERR_LIMIT || err == TERN_ERR_NOMEM ? TERN_STATUS_RESOURCE_EXHAUSTED : TERN_STATUS_INTERNAL;
}

/* A short response of a lossy link, all of it copied, is kept as the cached reply of the slot. 1: it is, and has
 * left (if the link was full the client will ask again); 0: it is another kind of response; negative: an error. */
static int respond_small(tern__ssession *ss, tern__request *request, const tern__plan *plan) {
    uint32_t i = request->slot;
    bool fits = plan->size <= TERN__MAX_CACHED_REPLY && tern__pkt_is_whole(plan->size, ss->s.payload_bytes);
    if (ss->s.link->reliable || plan->n_segs || !fits || request->n_marked) return 0;
    if (plan->meta_bytes || request->status != TERN_STATUS_OK) return 0;
    tern__cached_reply *reply = tern__cached_reply_room(ss, i, plan->size);
    if (!reply) return 0;
    int err = tern__plan_copy(ss->s.engine, plan, reply->data);
    if (err) return err;
    reply->held_ns = request->held_ns;
    reply->len = (uint8_t)plan->size;
    reply->format = plan->format;
    tern__request_keep_cached_reply(request, false, false);
    tern__cached_reply_send(ss, i);
    return 1;
}

/* 1: packet 0, which is all, has left and nothing is retained; 0: it could not; negative: an error. */
static int respond_unretained(tern__ssession *ss, tern__request *request, const tern__plan *plan) {
    if (!ss->s.link->reliable || !tern__pkt_is_whole(plan->size, tern__plan_cut(&ss->s, plan))) return 0;
    tern__pkt_header h = resp_header(ss, request, 0, 0);
    h.format = plan->format;
    h.size = plan->size;
    tern__pkt_set_meta(&h, plan->meta_bytes);
    return tern__plan_send(&ss->s, plan, &h);
}

static int respond_body(tern__ssession *ss, tern__request *request, const tern__body *body) {
    tern__engine *e = ss->s.engine;
    tern__plan plan;
    int err = tern__plan_make(e, ss->s.path, body, tern__session_format(&ss->s), ss->s.payload_bytes, &plan);
    if (err) return err;
    int kept = respond_small(ss, request, &plan);
    if (kept) return kept < 0 ? kept : 0;
    int sent = respond_unretained(ss, request, &plan);
    if (sent < 0) return sent;
    if (sent) {
        tern__request_finish(request, false, false);
        return 0;
    }
    err = tern__out_new(e, ss->s.link, &plan, &request->out);
    if (!err) start_response(ss, request);
    return err;
}

/* Whether anybody waits for the response of a request that runs; if not, the request has ended now. */
static bool is_wanted(tern__request *request, tern_time now) {
    tern__ssession *ss = request->session;
    if (request->is_transient) tern__server_attach(request);
    if (request->orphan || ss->s.state != TERN__STATE_OPEN) {
        discard(request);
        return false;
    }
    if (request->abandoned) {
        tern__request_finish(request, false, false);
        return false;
    }
    request->held_ns = tern__held_ns(request, now);
    request->status = TERN_STATUS_OK;
    return true;
}

int tern__server_respond_out(tern__request *request, int status, tern__out *out, tern_time now) {
    bool running = request->state == TERN__REQUEST_RUNNING;
    if (!running || !is_wanted(request, now)) {
        tern__out_free(out);
        return running ? 0 : TERN_ERR_STATE;
    }
    request->status = tern__status_to_send(status);
    request->out = out;
    start_response(request->session, request);
    return 0;
}

int tern__server_respond(tern__request *request, int status, const tern__body *body, tern_time now) {
    tern__ssession *ss = request->session;
    int err = 0;
    if (request->state != TERN__REQUEST_RUNNING) return TERN_ERR_STATE;
    if (!is_wanted(request, now)) return 0;
    request->status = tern__status_to_send(status);
    bool behind = body && body->format & TERN__BEHIND;
    if (status == TERN_STATUS_OK) {
        err = respond_body(ss, request, body);
        if (!err) return 0;
        request->status = status_of_error(err);
    } else if (behind) {
        tern__behind alone =
            tern__body_behind(NULL, ((const tern__behind *)body)->block, ((const tern__behind *)body)->block_bytes);
        err = respond_body(ss, request, &alone.body);
        if (!err) return 0;
    }
    start_response(ss, request);
    return err;
}

/* ---- The end -------------------------------------------------------------------------------------- */

/* A request that still runs, or a stream; or NULL. */
static tern__request *any_running(tern__ssession *ss) {
    uint32_t streams = tern__open_streams(ss);
    if (streams) return tern__stream_at(ss, (uint32_t)__builtin_ctz(streams));
    for (uint32_t i = 0; i < TERN__N_SLOTS; i++)
        if (tern__request_at(ss, i) && tern__request_at(ss, i)->state == TERN__REQUEST_RUNNING)
            return tern__request_at(ss, i);
    if (tern__list_empty(&ss->s.scold->orphans)) return NULL;
    return TERN__CONTAINER(ss->s.scold->orphans.next, tern__request, node);
}

/* What no handler has, or has any more: whoever is told of the others may need room, which nothing of the session is to
 * give, as that would be answered. */
static void forget_all_else(tern__ssession *ss) {
    for (uint32_t i = 0; i < TERN__N_SLOTS; i++) {
        tern__request *request = tern__request_at(ss, i);
        if (request && request->state != TERN__REQUEST_RUNNING) tern__request_forget(request);
    }
}

void tern__server_drop(tern__ssession *ss, tern__why why) {
    tern__engine *e = ss->s.engine;
    tern__peer *peer = ss->s.cold->peer;
    tern__request *request;
    tern__peer_keep(peer); /* until nothing of the session counts any more */
    tern__session_set_state(&ss->s, TERN__STATE_CLOSED, why);
    tern__session_tell_of_client(&ss->s, true, why);
    if (e->delayed_ack && e->delayed_ack->session == ss) e->delayed_ack = NULL;
    e->stats.sessions_open--;
    e->n_server_sessions--;
    tern__pace_drop(&ss->s);
    tern__session_leave(&ss->s);
    forget_all_else(ss);
    while ((request = any_running(ss)) != NULL) { /* on_gone may respond to others of this session */
        if (request->stream) {
            ss->s.engine->server_streams->end(request, TERN_STATUS_UNAVAILABLE);
            continue;
        }
        bool admitted = request->admitted;
        tern__request_set_state(request, TERN__REQUEST_DONE);
        request->admitted = admitted; /* for tern__request_hand_over() */
        if (request->orphan) {
            tern__list_remove(&request->node);
            ss->s.scold->n_orphans--;
        } else {
            tern__server_vacate(ss, request->slot);
        }
        e->config.callbacks.on_gone(e->config.user, request);
        request->admitted = false;
        tern__request_release(request);
        tern__slab_give(request);
    }
    for (uint32_t i = 0; i < TERN__N_SLOTS; i++) {
        tern__cached_reply_drop(ss, i);
        if (!tern__request_at(ss, i)) continue;
        tern__slab_give(tern__request_at(ss, i));
    }
    ss->s.engine->server_streams->free_places(ss);
    tern__peer_let_go(e, peer);
    tern__list_remove(&ss->s.cold->stalled); /* who was told of one stream's end may have written to others */
    tern__session_free(&ss->s);
}

/* A request whose client has given up by now and whose handler has not been told; if there is none, NULL and when there
 * will be. */
static tern__request *overdue(tern__ssession *ss, tern_time now, tern_time *next) {
    *next = TERN__NEVER;
    for (uint32_t i = 0; i < TERN__N_SLOTS; i++) {
        tern__request *request = tern__request_at(ss, i);
        if (!request || !tern__request_is_under_way(request) || request->abandoned) continue;
        if (request->deadline <= now) return request;
        *next = tern__min_time(*next, request->deadline);
    }
    return NULL;
}

/* When a silent client is to be asked whether it lives, or TERN__NEVER. False: it was asked often enough, and the
 * session is gone. */
static bool probe(tern__ssession *ss, tern_time now, tern_time *due) {
    tern__session *s = &ss->s;
    const tern__engine_config *c = &s->engine->config;
    *due = TERN__NEVER;
    if (s->link->reliable && !s->probes) return true; /* it is more than a CONNECT: from now on the port tells */
    bool urgent = ss->n_running || ss->s.scold->n_orphans || s->engine->draining;
    /* `probes` is not 0 before the first packet. */
    tern_dur patience = urgent ? tern__client_quiet(s->engine) : s->probes ? TERN__UNOPENED : TERN__SERVER_IDLE;
    *due = s->last_rx + (tern_time)patience;
    if (*due > now) return true;
    if (s->probes >= N_PINGS) {
        tern__session_lose_for(s, TERN__WHY_SILENT);
        return false;
    }
    tern__session_send_ping(s);
    s->probes++;
    *due = now + (tern_time)((urgent ? c->peer_timeout - patience : c->peer_timeout) / N_PINGS);
    return true;
}

void tern__server_timer(tern__ssession *ss, tern_time now) {
    tern__request *request;
    tern_time deadline, due;
    while ((request = overdue(ss, now, &deadline)) != NULL) abandon(request, TERN_STATUS_OK);
    const tern__engine *e = ss->s.engine;
    if (e->draining && e->drain_deadline <= now) {
        tern__session_say_goodbye(&ss->s);
        tern__server_drop(ss, TERN__WHY_DRAINED);
        return;
    }
    if (e->draining) deadline = tern__min_time(deadline, tern__server_drain(ss, now));
    deadline = tern__min_time(deadline, tern__progress_check(ss, now));
    if (ss->n_streams) deadline = tern__min_time(deadline, e->server_streams->timer(ss, now));
    if (ss->s.scold->pace) deadline = tern__min_time(deadline, tern__pace_rest(ss, now));
    if ((ss->s.sealed && !tern__sealed_watch(&ss->s, now)) || !probe(ss, now, &due)) return;
    if (ss->s.sealed) deadline = tern__min_time(deadline, tern__sealed_due(&ss->s));
    due = tern__min_time(due, deadline);
    tern__timer_set(&ss->s, due > now ? due : now + 1);
}

static void end_server(tern__session *s, const tern__loss *loss) { tern__server_drop((tern__ssession *)s, loss->why); }

static void pump_server(tern__session *s, tern_time now) {
    (void)now;
    tern__server_pump((tern__ssession *)s);
}

static void server_timer(tern__session *s, tern_time now) { tern__server_timer((tern__ssession *)s, now); }

const tern__role_ops tern__server_role = {
    .end = end_server, .pump = pump_server, .timer = server_timer, .send_response = send_first, .give_up = give_up};
