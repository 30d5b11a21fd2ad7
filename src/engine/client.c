/* The client's end: requests take slots, and streaming calls places (places.c), or wait in the backlog, go out packet
 * by packet within the credits, and collect their response by RFR. Each packet in flight (a REQ or RFR not yet
 * answered) holds one credit of the session and is counted in its slot, so nothing that a peer sends can make the count
 * drift.
 *
 * A slot whose deadline passes is free at once: its next request has a higher number, by which the server
 * drops late packets of the old one, and by which we drop a late response. */
#include "engine/client.h"

#include "engine/account.h"
#include "engine/admission.h"
#include "engine/connect.h"
#include "engine/control.h"
#include "engine/keepalive.h"
#include "engine/pace.h"
#include "engine/placement.h"
#include "engine/places.h"
#include "engine/response.h"
#include "engine/sealed_watch.h"
#include "engine/send.h"
#include "engine/session.h"
#include "engine/tracing.h"
#include "mem/pool.h"

enum { MIN_SILENT_PROBES = 3, MIN_WIDTH = 4 };

static bool is_active(const tern__csession *cs, uint32_t i) { return !(cs->free_slots >> i & 1); }

static void end_flight(tern__csession *cs, tern__cslot *slot) {
    cs->in_flight -= slot->n_out;
    slot->n_out = 0;
}

static bool is_stream(uint32_t i) { return i >= TERN__N_SLOTS; }

static void end_call(tern__csession *cs, uint32_t i) {
    if (is_stream(i))
        tern__place_end(cs, i);
    else
        tern__call_end(cs, i, false, cs->s.link->reliable);
}

static void note_end(tern__csession *cs, uint32_t i, tern_time now) {
    if (is_stream(i))
        tern__place_report(cs, i, now);
    else
        tern__call_report(cs, i, now);
}

static void tell_end_of_waiting(tern__engine *e, tern__out *out, int status) {
    void *call = out->call;
    tern__stream *stream = out->stream ? call : NULL;
    tern__out_release(e, out);
    if (stream) tern__stream_ref(stream);
    tern__call_tell(e, call, stream, status, NULL, false, (tern__ending){.not_run = true});
}

/* Calls of the backlog that were put on a list of their own. Those who are told may take others from it, as from the
 * backlog, so each counts until it is told. */
static void tell_end_of_all(tern__csession *cs, const tern__node *list, int status) {
    while (!tern__list_empty(list)) {
        cs->n_backlog--;
        tern__trace_waiting(cs, TERN__CALL_QUEUED, TERN__CALL_FREE, status);
        tell_end_of_waiting(cs->s.engine, TERN__CONTAINER(list->next, tern__out, node), status);
    }
}

static void complete_stream(tern__csession *cs, uint32_t i, int status, tern_time now) {
    tern__stream *stream = cs->s.engine->client_streams->leave(cs, i, now);
    tern__place_end(cs, i);
    tern__client_rest(cs);
    if (!cs->s.link->reliable) tern__place_report(cs, i, now);
    if (cs->n_backlog || cs->unsent) tern__client_pump(cs, now);
    tern__call_tell(cs->s.engine, stream, stream, status, NULL, false, (tern__ending){0});
}

/* Whether the server has said of call i that its handler has not begun, and will not. */
static bool is_told_not_run(const tern__csession *cs, uint32_t i) {
    return !is_stream(i) && tern__slots_of(cs)->not_run >> i & 1;
}

/* Call i ends, which may be a stream; that has no msg. */
static void complete(tern__csession *cs, uint32_t i, int status, const tern__arrived *msg, tern_time now) {
    tern__trace_call(cs, i, TERN__CALL_FREE, status);
    if (is_stream(i)) {
        complete_stream(cs, i, status, now);
        return;
    }
    tern__ending ending = {.not_run = !tern__client_has_left(cs, i)};
    if (is_told_not_run(cs, i)) ending = (tern__ending){true, tern__admission_retry_after(cs, now)};
    tern__call_complete(cs->s.engine, cs, i, status, msg, false, cs->s.link->reliable, ending, now);
}

void tern__client_complete(tern__csession *cs, uint32_t i, int status, const tern__arrived *msg, tern_time now) {
    complete(cs, i, status, msg, now);
}

/* ---- Sending -------------------------------------------------------------------------------------- */

/* What has a tail is probed once before its timeout: when nothing has come for two round trips. */
static bool awaits_probe(const tern__cslot *slot) { return tern__has_tail(slot) && slot->backoff == 0; }

static tern_time slot_due(const tern__csession *cs, const tern__cslot *slot) {
    bool quiet = slot->phase != TERN__SLOT_WAIT && slot->phase != TERN__SLOT_STREAM;
    if (cs->s.link->reliable || (!slot->n_out && quiet)) return TERN__NEVER;
    if (awaits_probe(slot)) return slot->last_tx + (tern_time)tern__rtt_probe(&cs->s.rtt, cs->s.path->noise_ns);
    tern_dur pause = (tern_dur)cs->s.rtt.rto << (slot->backoff - tern__has_tail(slot)),
             cap = tern__client_longest_pause(cs);
    bool heard = slot->n_out && cs->s.last_rx > slot->last_tx;
    if (heard && cap > tern__patience(&cs->s)) cap = tern__patience(&cs->s);
    return slot->last_tx + (tern_time)(pause < cap ? pause : cap);
}

/* Packet pkt of the slot's request, or up to n from there on, or the demand for packet pkt of its response. Returns how
 * many were sent. */
static uint32_t send_pkts(tern__csession *cs, tern__cslot *slot, uint32_t pkt, uint32_t n, tern_time now) {
    tern__pkt_header h;
    if (slot->phase == TERN__SLOT_REQ) {
        tern__client_req_header(cs, slot, slot->out->format, now, &h);
        tern__pkt_of_message(&h, pkt, slot->out->size, tern__out_cut(&cs->s, slot->out));
        if (pkt == 0) tern__pkt_set_meta(&h, tern__out_meta_bytes(slot->out));
        if (slot->win) h.attempt = tern__win_nth(slot->win, pkt);
        return n > 1 ? tern__out_send_several(&cs->s, slot->out, &h, n) : tern__out_send(&cs->s, slot->out, &h);
    }
    h = tern__session_header(&cs->s, TERN__PKT_RFR);
    h.req = slot->req;
    h.pkt = pkt;
    h.received = slot->win ? slot->win->base : 0;
    h.attempt = slot->win ? tern__win_nth(slot->win, pkt) : 0;
    return tern__send_control(&cs->s, &h, NULL, 0);
}

/* The call's next packet, or several, for the first time. False: the link is full. */
static bool send_next(tern__csession *cs, uint32_t i, tern_time now) {
    tern__cslot *slot = tern__call_at(cs, i);
    if (is_stream(i)) {
        bool sent = cs->s.engine->client_streams->send(cs, i, now);
        tern__work_lower(cs, slot_due(cs, slot));
        return sent;
    }
    tern__win *win = slot->win;
    uint32_t n = tern__pace_together(cs, i);
    n = send_pkts(cs, slot, win ? win->next : 0, n, now);
    if (!n) return false;
    for (uint32_t k = 0; win && k < n; k++) tern__win_sent(win, win->next, now);
    if (slot->phase == TERN__SLOT_REQ && (!win || win->next == win->total)) tern__trace_call(cs, i, TERN__CALL_SENT, 0);
    if (!win || !tern__win_more(win)) cs->unsent &= (uint16_t) ~(1u << i);
    if (cs->s.link->reliable && slot->phase == TERN__SLOT_REQ && (!win || win->next == win->total)) {
        tern__out_release(cs->s.engine, slot->out);
        slot->out = NULL;
    }
    slot->n_out = (uint8_t)(slot->n_out + n);
    cs->in_flight = (uint16_t)(cs->in_flight + n);
    slot->last_tx = now;
    /* It may have waited with nothing in flight, and no timer set. */
    tern__work_lower(cs, slot_due(cs, slot));
    return true;
}

/* One packet of each call in turn, so that a long message does not hold up short ones. */
void tern__client_send_unsent(tern__csession *cs, tern_time now) {
    while (cs->unsent && cs->in_flight < cs->credits) {
        uint64_t ready = cs->pace ? tern__pace_ready(cs, now) : tern__calls_unsent(cs);
        uint64_t later = ready & (UINT64_MAX << cs->next_slot);
        if (!ready) return;
        uint32_t i = (uint32_t)__builtin_ctzll(later ? later : ready);
        if (!send_next(cs, i, now)) {
            tern__session_stall(&cs->s);
            return;
        }
        if (cs->pace) tern__pace_sent(cs, i, now);
        if (tern__calls_unsent(cs) >> i & 1) cs->next_slot = (uint8_t)((i + 1) % TERN__N_CALLS);
    }
}

/* Of large packets fewer are on their way at a time: what a message has in flight stays in the caches, and fits the
 * sockets' buffers. */
static void init_window(const tern__csession *cs, tern__win *win, uint32_t first, uint32_t total) {
    uint32_t width = TERN__FLIGHT_BYTES / cs->s.payload_bytes;
    tern__win_init(win, first, total);
    win->width = width > TERN__WIN_PKTS ? TERN__WIN_PKTS : width > MIN_WIDTH ? width : MIN_WIDTH;
}

/* A window for a message of several packets. */
static int open_window(const tern__csession *cs, tern__cslot *slot, uint32_t first, uint32_t total) {
    slot->win = tern__slab_take(&cs->s.engine->kinds.wins);
    if (!slot->win) return TERN_ERR_NOMEM;
    init_window(cs, slot->win, first, total);
    return 0;
}

static void begin(tern__csession *cs, const tern__new_call *start, tern_time now) {
    if (cs->bounded) tern__admission_begun(cs, now);
    tern__call_begin(cs, tern__call_slot(cs), start, cs->s.link->reliable, now);
}

/* A free slot of those that the session may use is also the first free one (tern__call_slot()). */
static bool has_slot(const tern__csession *cs) { return cs->free_slots & cs->slot_mask; }

/* The oldest call of the backlog that may begin, or NULL: one that finds a slot, or a stream that finds a place. */
static tern__out *next_waiting(tern__csession *cs) {
    if (!cs->n_backlog) return NULL;
    bool calls = has_slot(cs) && (!cs->bounded || tern__admission_lets_wait_end(cs, cs->s.engine->now));
    bool streams = cs->streams_wait && tern__place_is_free(cs), any_stream = false;
    if (!calls && !streams) return NULL;
    for (tern__node *node = cs->s.ccold->backlog.next; node != &cs->s.ccold->backlog; node = node->next) {
        tern__out *out = TERN__CONTAINER(node, tern__out, node);
        any_stream |= out->stream;
        if (out->stream ? streams && tern__stream_is_released(out->call) : calls) return out;
    }
    cs->streams_wait = any_stream;
    return NULL;
}

/* A call of the backlog begins. False: no memory now. */
static bool start_waiting(tern__csession *cs, tern__out *out, tern_time now) {
    if (out->stream) return cs->s.engine->client_streams->start(cs, out, now);
    uint32_t n_pkts = tern__n_pkts(out->size, tern__out_cut(&cs->s, out));
    tern__win *win = n_pkts > 1 ? tern__slab_take(&cs->s.engine->kinds.wins) : NULL;
    if ((n_pkts > 1 && !win) || !tern__client_wake(cs)) {
        tern__slab_give(win);
        return false;
    }
    tern__client_dequeue(cs, out);
    if (cs->s.engine->config.queue_target) tern__admission_waited(cs, now);
    tern__trace_waiting(cs, TERN__CALL_QUEUED, TERN__CALL_SENDING, 0);
    if (win) init_window(cs, win, 0, n_pkts);
    begin(cs, &(tern__new_call){out->call, TERN__BEGIN_UNSENT, out->method, out->deadline, out, win}, now);
    return true;
}

static void start_all_waiting(tern__csession *cs, tern_time now) {
    tern__out *out;
    if (cs->s.state != TERN__STATE_OPEN) return;
    while (cs->in_flight < cs->credits && (out = next_waiting(cs)) != NULL) {
        if (!start_waiting(cs, out, now)) {
            tern__session_stall(&cs->s);
            break;
        }
    }
}

void tern__client_pump(tern__csession *cs, tern_time now) {
    if (cs->s.state != TERN__STATE_OPEN) return;
    if (cs->streams_wait && !cs->s.cold->n_streams) cs->s.engine->client_streams->refuse(cs);
    if (cs->s.state != TERN__STATE_OPEN) return; /* a callback has closed it */
    start_all_waiting(cs, now);
    if (cs->keeps_slots & TERN__STREAMS) cs->s.engine->client_streams->pump(cs);
    tern__client_send_unsent(cs, now);
    if (cs->keeps_slots & TERN__STREAMS) cs->s.engine->client_streams->tell(cs);
}

/* Behind the others in the backlog. Returns 0 or TERN_ERR_FULL. */
static int enqueue(tern__csession *cs, tern__out *out) {
    if (cs->n_backlog >= cs->s.engine->config.max_backlog) return TERN_ERR_FULL;
    tern__list_append(&cs->s.ccold->backlog, &out->node);
    cs->n_backlog++;
    if (out->stream) cs->streams_wait = true;
    tern__trace_waiting(cs, TERN__CALL_FREE, TERN__CALL_QUEUED, 0);
    if (out->deadline) {
        cs->s.ccold->backlog_deadline = tern__min_time(cs->s.ccold->backlog_deadline, out->deadline);
        tern__timer_lower(&cs->s, out->deadline);
    }
    return 0;
}

int tern__client_enqueue(tern__csession *cs, tern__out *out, tern_time now) {
    int err = enqueue(cs, out);
    if (!err) start_all_waiting(cs, now);
    return err;
}

void tern__client_dequeue(tern__csession *cs, tern__out *out) {
    tern__list_remove(&out->node);
    if (!--cs->n_backlog) cs->s.ccold->backlog_deadline = TERN__NEVER;
}

void tern__client_abandon(tern__csession *cs, uint32_t i, tern_time now) {
    tern__trace_call(cs, i, TERN__CALL_FREE, TERN_STATUS_CANCELLED);
    end_call(cs, i);
    tern__client_rest(cs);
    if (!cs->s.link->reliable) note_end(cs, i, now);
    cs->s.engine->stats.calls_completed++;
    start_all_waiting(cs, now);
    tern__client_send_unsent(cs, now);
}

static int request_later(tern__csession *cs, const tern__plan *plan, uint32_t method, tern_time deadline, void *call) {
    tern__out *out;
    if (cs->n_backlog >= cs->s.engine->config.max_backlog) return TERN_ERR_FULL;
    int err = tern__out_new(cs->s.engine, cs->s.link, plan, &out);
    if (err) return err;
    out->call = call;
    out->method = method;
    out->deadline = deadline;
    return enqueue(cs, out);
}

/* Straight into the link, nothing retained. 1: done; 0: the link is full; negative: an error. */
static int request_unretained(tern__csession *cs, const tern__plan *plan, uint32_t method, tern_time deadline,
                              void *call, tern_time now) {
    tern__cslot next; /* of which the header is made, and nothing else looked at */
    tern__pkt_header h;
    next.req = tern__call_number(cs, tern__call_slot(cs));
    next.method = method;
    next.deadline = deadline;
    tern__client_req_header(cs, &next, plan->format, now, &h);
    h.size = plan->size;
    tern__pkt_set_meta(&h, plan->meta_bytes);
    int sent = tern__plan_send(&cs->s, plan, &h);
    if (sent <= 0) return sent;
    tern__trace_call(cs, tern__call_slot(cs), TERN__CALL_SENT, 0);
    tern__new_call start;
    start.call = call;
    start.how = TERN__BEGIN_SENT;
    start.method = method;
    start.deadline = deadline;
    start.out = NULL;
    start.win = NULL;
    begin(cs, &start, now);
    return 1;
}

static int request_retained(tern__csession *cs, const tern__plan *plan, uint32_t method, tern_time deadline, void *call,
                            tern_time now) {
    tern__out *out;
    int err = tern__out_new(cs->s.engine, cs->s.link, plan, &out);
    if (err) return err;
    uint32_t n_pkts = tern__n_pkts(out->size, tern__out_cut(&cs->s, out));
    tern__win *win = n_pkts > 1 ? tern__slab_take(&cs->s.engine->kinds.wins) : NULL;
    if (n_pkts > 1 && !win) {
        tern__out_release(cs->s.engine, out);
        return TERN_ERR_NOMEM;
    }
    if (win) init_window(cs, win, 0, n_pkts);
    tern__trace_call(cs, tern__call_slot(cs), TERN__CALL_SENDING, 0);
    tern__new_call start = {call, TERN__BEGIN_UNSENT, method, deadline, out, win};
    begin(cs, &start, now);
    tern__client_send_unsent(cs, now);
    return 0;
}

/* There is a free slot, a credit, and nobody who may have it waits. */
static int request_at_once(tern__csession *cs, const tern__plan *plan, uint32_t method, tern_time deadline, void *call,
                           tern_time now) {
    int sent = 0;
    if (!tern__client_wake(cs)) return TERN_ERR_NOMEM;
    if (cs->s.link->reliable && tern__pkt_is_whole(plan->size, tern__plan_cut(&cs->s, plan)) && !cs->unsent)
        sent = request_unretained(cs, plan, method, deadline, call, now);
    int err = sent ? 0 : request_retained(cs, plan, method, deadline, call, now);
    if (sent < 0) err = sent;
    if (err) tern__client_rest(cs);
    return err;
}

int tern__client_request(tern__csession *cs, uint32_t method, const tern__body *body, tern_time deadline, void *call,
                         tern_time now) {
    tern__session *s = &cs->s;
    tern__engine *e = s->engine;
    tern__plan plan;
    if (s->state == TERN__STATE_CLOSED || cs->draining) return TERN_ERR_CLOSED;
    if (cs->bounded && tern__admission_refuses(cs, now)) return TERN__NOT_ADMITTED;
    if (cs->n_backlog && e->config.queue_target && tern__admission_would_wait(cs, deadline, now))
        return TERN__NOT_ADMITTED;
    bool open = s->state == TERN__STATE_OPEN;
    uint32_t payload_bytes = open ? s->payload_bytes : s->path->max_packet - TERN__PKT_MAX_HEADER_BYTES;
    int err = tern__plan_make(e, s->path, body, tern__session_format(s), payload_bytes, &plan);
    if (err) return err;
    if (open && has_slot(cs) && cs->in_flight < cs->credits && !next_waiting(cs)) {
        err = request_at_once(cs, &plan, method, deadline, call, now);
    } else {
        err = request_later(cs, &plan, method, deadline, call);
        if (!err && s->state == TERN__STATE_DOWN) tern__session_connect(cs, now);
    }
    if (!err) e->stats.calls_issued++;
    return err;
}

/* ---- Receiving ------------------------------------------------------------------------------------ */

/* Send the packets in the mask (bit i: window base + i) again. */
static void resend(tern__csession *cs, tern__cslot *slot, uint64_t mask, tern_time now) {
    for (; mask; mask &= mask - 1) {
        uint32_t pkt = slot->win->base + (uint32_t)__builtin_ctzll(mask);
        if (!send_pkts(cs, slot, pkt, 1, now)) return;
        tern__win_sent(slot->win, pkt, now);
        slot->resent = 1;
        tern__count_retransmit(&cs->s, slot->req, pkt);
    }
}

/* The nth transmission of packet pkt, and all below `below` of the slot's window, have been answered. */
static void acknowledge(tern__csession *cs, uint32_t i, uint32_t pkt, uint8_t nth, uint32_t below, tern_time now) {
    tern__cslot *slot = &cs->slots[i];
    tern_dur sample;
    uint32_t n = tern__win_ack(slot->win, pkt, nth, below, now, &sample);
    slot->n_out = (uint8_t)(slot->n_out - n);
    cs->in_flight = (uint16_t)(cs->in_flight - n);
    if (!n) return;
    tern__client_sample_rtt(cs, sample);
    if (sample >= 0) slot->backoff = 0; /* not by an answer to a transmission before the timeout (Karn) */
    slot->last_tx = now;
    if (tern__win_more(slot->win)) cs->unsent |= (uint16_t)(1u << i);
    if (cs->s.link->reliable) return;
    tern__pace_ack(&cs->s, &(tern__acked){.rtt = sample, .n_pkts = n}, now);
    uint64_t lost = tern__win_overtaken(slot->win);
    if (!lost) return;
    tern__trace_recovery(&cs->s, TERN__TRACE_LOST, tern__trace_lost(slot->req, slot->win->base, lost));
    tern__pace_loss(&cs->s, now);
    resend(cs, slot, lost, now);
}

/* The server has the whole request: nothing of it need be kept. */
static void enter_wait(tern__csession *cs, uint32_t i) {
    tern__trace_call(cs, i, TERN__CALL_WAIT, 0);
    tern__cslot *slot = &cs->slots[i];
    end_flight(cs, slot);
    tern__out_release(cs->s.engine, slot->out);
    tern__slab_give(slot->win);
    slot->out = NULL;
    slot->win = NULL;
    slot->phase = TERN__SLOT_WAIT;
}

void tern__client_rx_cr(tern__csession *cs, const tern__pkt_header *h, tern_time now) {
    uint32_t i = h->req % TERN__N_SLOTS;
    if (!is_active(cs, i) || cs->s.reqs[i] != h->req) {
        tern__drop(cs->s.engine, TERN__DROP_NO_SUCH_CALL);
        return;
    }
    tern__cslot *slot = &cs->slots[i];
    if (slot->phase != TERN__SLOT_REQ) return; /* it says that the server is alive, and that is noted */
    uint32_t n_sent = slot->win ? slot->win->next : !(cs->unsent >> i & 1);
    if (h->pkt >= n_sent || h->received > n_sent) {
        tern__drop(cs->s.engine, TERN__DROP_OUT_OF_WINDOW);
        return;
    }
    if (slot->win) acknowledge(cs, i, h->pkt, h->attempt, h->received, now);
    if (!slot->win || slot->win->base == slot->win->total) enter_wait(cs, i);
    tern__client_pump(cs, now);
}

/* Hand over a response, or an error with its metadata block, that is in one piece at `data`. */
static void hand_over(tern__csession *cs, uint32_t i, const uint8_t *data, uint32_t size, tern_time now) {
    const tern__cslot *slot = &cs->slots[i];
    uint32_t meta_bytes = slot->in_meta_bytes;
    tern__arrived msg = {
        .data = data + meta_bytes, .len = size - meta_bytes, .format = slot->format, .meta_bytes = meta_bytes};
    complete(cs, i, slot->in_status, &msg, now);
}

static void hand_over_lent(tern__csession *cs, uint32_t i, tern_loan *loan, tern_time now) {
    tern__lent lent = tern__loan_message(loan, cs->slots[i].format);
    complete(cs, i, cs->slots[i].in_status, &lent.msg, now);
    tern__loan_unref(loan);
}

/* All is in slot->in. */
static void respond_assembled(tern__csession *cs, uint32_t i, tern_time now) {
    uint32_t size = cs->slots[i].in_size;
    bool lent = tern__response_is_lent(cs, i);
    void *in = tern__response_take(cs, i);
    tern__uncharge(&cs->s, tern__slots_of(cs)->charged[i]); /* it is the caller's */
    if (lent) {
        hand_over_lent(cs, i, in, now);
    } else {
        hand_over(cs, i, in, size, now);
        tern_unref(in);
    }
}

/* The response cannot be received: the server need not keep it. */
static void refuse_response(tern__csession *cs, uint32_t i, tern_status status, tern_time now) {
    tern__client_report_now(cs, i, now);
    complete(cs, i, status, NULL, now);
}

/* What was left of a request of several packets has been answered by the response. */
static void note_last_packets(tern__csession *cs, const tern__cslot *slot, tern_time now) {
    tern__acked acked = {.rtt = -1, .n_pkts = slot->n_out, .n_counted = slot->n_out};
    tern__pace_ack(&cs->s, &acked, now);
}

/* The next packets of the response have a place, unless they stay where they are. */
static void expect_more(tern__csession *cs, uint32_t i, const tern__rx_packet *pkt, const tern__pkt_header *h,
                        uint32_t header_bytes) {
    tern__cslot *slot = &cs->slots[i];
    if (tern__response_is_lent(cs, i)) return;
    tern__placement_expect(&cs->s, pkt, h, header_bytes, &slot->in, slot->in_size, &tern__slots_of(cs)->charged[i]);
}

/* The first packet of a response: it acknowledges the whole request. */
static void rx_resp_first(tern__csession *cs, uint32_t i, const tern__rx_packet *pkt, const tern__pkt_header *h,
                          uint32_t header_bytes, tern_time now) {
    tern__cslot *slot = &cs->slots[i];
    uint32_t n_pkts = tern__pkt_count(h);
    if (!cs->s.link->reliable && !slot->win && slot->phase == TERN__SLOT_REQ) tern__call_note_answer(cs, slot, h, now);
    if (!cs->s.link->reliable && slot->win && slot->n_out) note_last_packets(cs, slot, now);
    slot->format = h->format & 7u;
    slot->in_status = h->status & 31u;
    slot->in_meta_bytes = h->meta_bytes;
    if (n_pkts == 1 && !pkt->spans_len) {
        hand_over(cs, i, pkt->head + header_bytes, (uint32_t)h->size, now);
        return;
    }
    enter_wait(cs, i);
    cs->unsent &= (uint16_t) ~(1u << i);
    if ((n_pkts > 1 && open_window(cs, slot, 1, n_pkts)) || !tern__response_open(cs, i, pkt, h, header_bytes)) {
        if (n_pkts > 1)
            refuse_response(cs, i, TERN_STATUS_RESOURCE_EXHAUSTED, now);
        else
            complete(cs, i, TERN_STATUS_RESOURCE_EXHAUSTED, NULL, now);
        return;
    }
    if (n_pkts == 1) {
        respond_assembled(cs, i, now);
        return;
    }
    slot->win->cut = h->cut;
    expect_more(cs, i, pkt, h, header_bytes);
    tern__trace_call(cs, i, TERN__CALL_RESP, 0);
    slot->phase = TERN__SLOT_RESP;
    slot->backoff = 0;
    slot->last_tx = now;
    cs->unsent |= (uint16_t)(1u << i);
    tern__client_pump(cs, now);
}

/* Whether the server says that it keeps the response no longer, of which some packets are here. */
static bool is_eviction(const tern__pkt_header *h) {
    return h->status != TERN_STATUS_OK && h->pkt == 0 && h->size == 0;
}

/* Whether a RESP makes sense in the state that its slot is in. */
static bool fits_slot(const tern__csession *cs, uint32_t i, const tern__pkt_header *h) {
    if (!is_active(cs, i) || cs->s.reqs[i] != h->req) return false;
    const tern__cslot *slot = &cs->slots[i];
    const tern__win *win = slot->win;
    if (!tern__is_cut_right(&cs->s, h)) return false;
    if (slot->phase == TERN__SLOT_RESP && !is_eviction(h)) {
        if (h->size != slot->in_size || h->cut != win->cut || h->status != slot->in_status) return false;
        return h->pkt >= win->base && h->pkt < win->next && !(win->acked >> (h->pkt - win->base) & 1);
    }
    if (h->pkt != 0 || h->status > TERN_STATUS_UNAUTHENTICATED) return false;
    bool begun = win ? win->next > 0 : !(cs->unsent >> i & 1);
    bool sent = win ? win->next == win->total : begun;
    if (h->status == TERN_STATUS_OK) return sent;
    /* An error that does not wait for the whole request fits one packet. */
    return h->size == h->meta_bytes && (sent || (begun && !(h->flags & TERN__PKT_MULTI)));
}

void tern__client_rx_resp(tern__csession *cs, const tern__rx_packet *pkt, const tern__pkt_header *h,
                          uint32_t header_bytes, tern_time now) {
    uint32_t i = h->req % TERN__N_SLOTS;
    if (!fits_slot(cs, i, h)) {
        tern__call_note_second_answer(cs, h);
        tern__drop(cs->s.engine, tern__client_why_dropped(cs, h));
        return;
    }
    tern__cslot *slot = &cs->slots[i];
    if (h->pkt == 0) tern__admission_hear(cs, i, h, now);
    if (slot->phase == TERN__SLOT_RESP && is_eviction(h)) {
        complete(cs, i, h->status, &(tern__arrived){0}, now); /* an error, of which nothing is here but the status */
        return;
    }
    if (slot->phase != TERN__SLOT_RESP && !tern__is_known_format(cs->s.engine, h->format)) {
        refuse_response(cs, i, TERN_STATUS_UNIMPLEMENTED, now);
        return;
    }
    if (slot->phase != TERN__SLOT_RESP) {
        rx_resp_first(cs, i, pkt, h, header_bytes, now);
        return;
    }
    if (!tern__response_put(cs, i, pkt, h->pkt, header_bytes)) {
        refuse_response(cs, i, TERN_STATUS_RESOURCE_EXHAUSTED, now);
        return;
    }
    acknowledge(cs, i, h->pkt, h->attempt, 0, now);
    if (!slot->win->acked && slot->win->base == h->pkt + 1)
        expect_more(cs, i, pkt, h, header_bytes);
    else
        tern__placement_forget(cs->s.link, slot->in);
    if (slot->win->base == slot->win->total)
        respond_assembled(cs, i, now);
    else
        tern__client_pump(cs, now);
}

/* ---- Timers --------------------------------------------------------------------------------------- */

static void note_timeout(tern__csession *cs, tern__cslot *slot, tern_time now) {
    slot->late_ns = tern__short_time((slot->resent ? slot->late_ns : 0) + (now - slot->last_tx));
    slot->n_late = 0;
    if (slot->resent < UINT8_MAX) slot->resent++;
    tern__rtt_timeout(&cs->s.rtt);
}

/* Three packets of what is missing: their answers show at once what else got lost; and if all is merely late, nothing
 * worse has happened than three packets. */
static void resend_some(tern__csession *cs, tern__cslot *slot, tern_time now) {
    uint64_t missing = tern__win_missing(slot->win), rest = missing;
    for (int i = 0; i < TERN__REORDER; i++) rest &= rest - 1;
    resend(cs, slot, missing & ~rest, now);
}

/* No answer in time: send again what is missing, or ask for the response. */
static void slot_timeout(tern__csession *cs, tern__cslot *slot, tern_time now) {
    bool probe = awaits_probe(slot);
    cs->s.probes++;
    if (slot->backoff < TERN__MAX_BACKOFF) slot->backoff++;
    if (slot->phase == TERN__SLOT_REQ && !probe) note_timeout(cs, slot, now);
    slot->last_tx = now;
    cs->s.engine->stats.tail_probes += probe;
    tern__trace_recovery(&cs->s, probe ? TERN__TRACE_TAIL_PROBE : TERN__TRACE_TIMEOUT,
                         (tern__trace_loss){.req = slot->req, .n = slot->backoff});
    if (tern__has_tail(slot) && !probe) tern__pace_timeout(&cs->s, slot->backoff - 1u, now);
    if (slot->phase == TERN__SLOT_STREAM) {
        cs->s.engine->client_streams->timeout(slot->call, now);
    } else if (slot->win) {
        resend_some(cs, slot, now);
    } else if (send_pkts(cs, slot, 0, 1, now)) {
        tern__count_retransmit(&cs->s, slot->req, 0);
    }
}

static void expire_backlog(tern__csession *cs, tern_time now) {
    tern__node expired, *next;
    tern__list_init(&expired);
    cs->s.ccold->backlog_deadline = TERN__NEVER;
    for (tern__node *node = cs->s.ccold->backlog.next; node != &cs->s.ccold->backlog; node = next) {
        tern__out *out = TERN__CONTAINER(node, tern__out, node);
        next = node->next;
        if (!out->deadline) continue;
        if (out->deadline > now) {
            cs->s.ccold->backlog_deadline = tern__min_time(cs->s.ccold->backlog_deadline, out->deadline);
            continue;
        }
        tern__list_remove(node);
        tern__list_append(&expired, node);
    }
    tell_end_of_all(cs, &expired, TERN_STATUS_DEADLINE_EXCEEDED);
}

static void expire_deadlines(tern__csession *cs, tern_time now) {
    if (cs->s.ccold->backlog_deadline <= now) expire_backlog(cs, now);
    for (uint32_t i = 0; i < (cs->has_places ? TERN__N_CALLS : TERN__N_SLOTS); i++) {
        if (!(tern__calls_in_use(cs) >> i & 1)) continue; /* a callback may have ended others */
        const tern__cslot *slot = tern__call_at(cs, i);
        if (!slot->deadline || slot->deadline > now) continue;
        if (!is_stream(i)) tern__client_report_now(cs, i, now); /* of a stream the server is told otherwise */
        complete(cs, i, TERN_STATUS_DEADLINE_EXCEEDED, NULL, now);
    }
}

static bool is_peer_dead(const tern__csession *cs, tern_time now) {
    if (tern__client_is_idle(cs) || cs->s.probes < MIN_SILENT_PROBES) return false;
    return now >= tern__client_silent_since(cs) + (tern_time)cs->s.engine->config.peer_timeout;
}

static bool is_report_due(const tern__csession *cs, tern_time now) {
    return cs->report_at <= now || tern__places_report_at(cs) <= now;
}

static void timer_open(tern__csession *cs, tern_time now) {
    if (cs->s.sealed && !tern__sealed_watch(&cs->s, now)) return;
    if (cs->keepalive && !tern__client_keepalive(cs, now)) return;
    if (cs->s.link->reliable) {
        if (tern__client_watch(cs, now) && is_report_due(cs, now)) tern__client_report(cs, now);
        return;
    }
    if (is_peer_dead(cs, now)) {
        tern__session_lose_for(&cs->s, TERN__WHY_SILENT);
        return;
    }
    for (uint64_t left = tern__calls_in_use(cs); left; left &= left - 1) {
        tern__cslot *slot = tern__call_at(cs, (uint32_t)__builtin_ctzll(left));
        if (slot_due(cs, slot) <= now) slot_timeout(cs, slot, now);
    }
    if (cs->pace) tern__client_pump(cs, now); /* what is stuck from now on holds up nothing else */
    if (is_report_due(cs, now)) tern__client_report(cs, now);
}

static void timer_connecting(tern__csession *cs, tern_time now) {
    if (now >= cs->s.ccold->connect_deadline) {
        tern__session_lose_for(&cs->s, TERN__WHY_UNANSWERED);
        return;
    }
    if (now < cs->s.ccold->connect_at) return;
    cs->connect_repeated = true;
    if (cs->s.link->reliable) {
        cs->s.ccold->connect_at = TERN__NEVER;
    } else {
        if (tern__connect_gap(cs->s.cold) < TERN__CONNECT_REPEAT) cs->s.cold->connect_shift++;
        cs->s.ccold->connect_at = now + (tern_time)tern__connect_gap(cs->s.cold);
    }
    tern__session_send_setup(&cs->s);
}

/* What its calls wait for. */
static tern_time work_due(const tern__csession *cs, tern_time now) {
    tern_time due = tern__client_watch_due(cs, now);
    for (uint64_t used = tern__calls_in_use(cs); used; used &= used - 1) {
        const tern__cslot *slot = tern__call_at(cs, (uint32_t)__builtin_ctzll(used));
        due = tern__min_time(due, slot_due(cs, slot));
        if (slot->n_out && slot->backoff) due = tern__min_time(due, now + (tern_time)tern__patience(&cs->s));
        if (slot->deadline) due = tern__min_time(due, slot->deadline);
    }
    return due;
}

/* What the session has to do besides. */
static tern_time session_due(const tern__csession *cs) {
    tern_time due = cs->s.ccold->backlog_deadline;
    if (cs->s.state == TERN__STATE_CONNECTING)
        return tern__min_time(due, tern__min_time(cs->s.ccold->connect_at, cs->s.ccold->connect_deadline));
    if (cs->s.state != TERN__STATE_OPEN) return TERN__NEVER;
    if (cs->keepalive) due = tern__min_time(due, cs->s.ccold->ping_at);
    due = tern__min_time(due, tern__places_report_at(cs));
    if (cs->bounded) due = tern__min_time(due, tern__admission_due(cs));
    if (cs->s.sealed) due = tern__min_time(due, tern__sealed_due(&cs->s));
    return cs->unreported ? tern__min_time(due, cs->report_at) : due;
}

static tern_time after(tern_time now, tern_time due) { return due > now ? due : now + 1; }

void tern__client_timer(tern__csession *cs, tern_time now) {
    expire_deadlines(cs, now);
    if (cs->s.state == TERN__STATE_OPEN)
        timer_open(cs, now);
    else if (cs->s.state == TERN__STATE_CONNECTING)
        timer_connecting(cs, now);
    if (cs->bounded && cs->n_backlog) tern__client_pump(cs, now);
    tern__timer_set(&cs->s, after(now, session_due(cs)));
    cs->report_set = cs->unreported != 0;
    tern__client_give_slots(cs);
    if (cs->slots) tern__work_set(cs, after(now, work_due(cs, now)));
}

/* ---- The end -------------------------------------------------------------------------------------- */

/* Whether the server cannot have begun call i. */
static bool slot_has_not_run(const tern__csession *cs, uint32_t i, const uint32_t *begun) {
    if (is_stream(i)) return !tern__stream_has_left(tern__call_at(cs, i)->call);
    return is_told_not_run(cs, i) || !tern__client_has_left(cs, i) ||
           (begun && (int32_t)(cs->s.reqs[i] - begun[i]) > 0);
}

void tern__client_fail_all(tern__csession *cs, int status, const uint32_t *begun) {
    tern__engine *e = cs->s.engine;
    void *calls[TERN__N_CALLS];
    tern__stream *streams[TERN__N_CALLS];
    uint32_t n_calls = 0;
    uint64_t not_run = 0;
    tern__node waiting;
    tern__list_init(&waiting);
    tern__pace_drop(&cs->s);
    for (uint64_t left = tern__calls_in_use(cs); left; left &= left - 1) {
        uint32_t i = (uint32_t)__builtin_ctzll(left);
        tern__trace_call(cs, i, TERN__CALL_FREE, status);
        not_run |= (uint64_t)slot_has_not_run(cs, i, begun) << n_calls;
        streams[n_calls] = is_stream(i) ? e->client_streams->leave(cs, i, e->now) : NULL;
        calls[n_calls++] = tern__call_at(cs, i)->call;
        end_call(cs, i);
    }
    tern__places_drop(cs);
    cs->keeps_slots = 0;
    tern__client_give_slots(cs);
    while (!tern__list_empty(&cs->s.ccold->backlog)) {
        tern__node *node = cs->s.ccold->backlog.next;
        tern__list_remove(node);
        tern__list_append(&waiting, node);
    }
    cs->s.ccold->backlog_deadline = cs->report_at = TERN__NEVER;
    cs->unreported = cs->reporting = 0;
    cs->streams_wait = false;
    cs->report_set = false;
    for (uint32_t i = 0; i < n_calls; i++) {
        tern__ending ending = {.not_run = not_run >> i & 1};
        tern__call_tell(e, calls[i], streams[i], status, NULL, false, ending);
    }
    tell_end_of_all(cs, &waiting, status);
}

static void end_client(tern__session *s, const tern__loss *loss) {
    tern__engine *e = s->engine;
    const tern__csession *outer = e->losing; /* one whose calls' ends are being told, and make this one end */
    e->losing = (tern__csession *)s;
    tern__client_fail_all((tern__csession *)s, loss->status, loss->begun);
    e->losing = outer;
}

static void pump_client(tern__session *s, tern_time now) { tern__client_pump((tern__csession *)s, now); }

static void client_timer(tern__session *s, tern_time now) { tern__client_timer((tern__csession *)s, now); }

const tern__role_ops tern__client_role = {.end = end_client, .pump = pump_client, .timer = client_timer};
