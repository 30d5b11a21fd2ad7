/* A stream as both ends have it: what is written waits in a queue and is cut into packets, what arrives is put in order
 * and handed on (stream_record.h).
 *
 * A packet is cut when it leaves for the first time and stays as it is when it is sent again. It is full, or ends where
 * the flushed bytes end, where the metadata block begins or ends (stream_meta.h), or where the peer's grant ends. */
#include "engine/stream.h"

#include "engine/account.h"
#include "engine/control.h"
#include "engine/ecn.h"
#include "engine/message.h"
#include "engine/pace.h"
#include "engine/send.h"
#include "engine/slots.h"
#include "engine/stream_meta.h"
#include "engine/stream_queue.h"
#include "engine/stream_run.h"
#include "engine/tracing.h"
#include "mem/pool.h"

enum {
    EARLY_BYTES = TERN__WIN_PKTS * sizeof(tern__early),
    RUNT_BYTES = 16 << 10, /* a grant that ends sooner is not worth a packet of its own */
    REBASE_AT = 1 << 30,
};

/* ---- Making and ending ---------------------------------------------------------------------------- */

static uint32_t or_default(uint32_t value, uint32_t otherwise) { return value ? value : otherwise; }

void tern__stream_configure(tern__stream *st, const tern__stream_opts *opts) {
    uint32_t window = or_default(opts->window_bytes, TERN__STREAM_WINDOW);
    if (window < TERN__STREAM_MIN_WINDOW) window = TERN__STREAM_MIN_WINDOW;
    if (window > TERN__STREAM_MAX_WINDOW) window = TERN__STREAM_MAX_WINDOW;
    st->window_bytes = window;
    st->buffer_bytes = or_default(opts->buffer_bytes, TERN__STREAM_BUFFER);
    st->manual = opts->manual;
}

tern__stream *tern__stream_new(tern__session *s, const tern__stream_opts *opts, tern__stream_call_phase call) {
    static const tern__stream_opts defaults = {0};
    tern__stream *st = tern__slab_take(&s->engine->kinds.streams);
    if (!st) return NULL;
    *st = (tern__stream){.session = s,
                         .n_refs = 1,
                         .states = {call, TERN__SEND_SEND, TERN__RECV_RECV},
                         .tx_limit = TERN__STREAM_MIN_WINDOW,
                         .rx_limit = TERN__STREAM_MIN_WINDOW};
    tern__list_init(&st->queue);
    tern__list_init(&st->unread);
    tern__stream_configure(st, opts ? opts : &defaults);
    if (s->link->reliable) return st;
    st->loss = tern__slab_take(&s->engine->kinds.stream_losses);
    if (!st->loss) {
        tern__slab_give(st);
        return NULL;
    }
    memset(st->loss, 0, sizeof *st->loss);
    tern__win_init(&st->loss->win, 0, UINT32_MAX);
    return st;
}

void tern__stream_unref(tern__stream *st) {
    if (--st->n_refs == 0) tern__slab_give(st);
}

void tern__stream_step(tern__stream *st, tern__stream_event event) {
    tern__stream_states_step(&st->states, event);
    tern__trace_stream(st);
}

static void drop_early(tern__stream *st) {
    if (!st->loss->early) return;
    for (uint32_t i = 0; i < TERN__WIN_PKTS; i++) {
        if (st->loss->early[i].data) tern__uncharge(st->session, tern__buffer_bytes(st->loss->early[i].len));
        tern_unref(st->loss->early[i].data);
    }
    tern_unref(st->loss->early);
    tern__uncharge(st->session, EARLY_BYTES);
}

void tern__stream_drop(tern__stream *st) {
    if (tern__stream_has_ended(st)) return;
    tern__stream_step(st, TERN__EV_DROPPED);
    while (!tern__list_empty(&st->queue))
        tern__out_release(st->session->engine, TERN__CONTAINER(st->queue.next, tern__out, node));
    if (st->loss) {
        drop_early(st);
        tern__slab_give(st->loss);
        st->loss = NULL;
    }
    tern__uncharge(st->session, st->tx_charged + st->kept);
    st->tx_charged = st->kept = 0;
    tern__list_remove(&st->unread);
    tern__stream_block_free(st->session->engine, st->rx_meta);
    st->rx_meta = NULL;
    st->growing = st->cursor = st->waiting = NULL;
    st->request = NULL;
    tern__stream_unref(st);
}

void tern__stream_end(tern__stream *st, int status) {
    tern__engine *e = st->session->engine;
    if (tern__stream_has_ended(st)) return;
    bool has_user = st->states.call != TERN__STREAM_CALL_ENDING && !tern__stream_is_unopened(st);
    tern__stream_block *block = st->rx_meta; /* which is there for on_end */
    tern__stream_ref(st);
    st->rx_meta = NULL;
    tern__stream_drop(st);
    st->rx_meta = block;
    if (has_user) e->config.streams->on_end(e->config.user, st, status);
    tern__stream_block_free(e, st->rx_meta);
    st->rx_meta = NULL;
    tern__stream_unref(st);
}

bool tern__stream_debit(tern__stream *st, uint64_t bytes, tern__debit *debit) {
    return tern__charge_debit(st->session, bytes, debit);
}

bool tern__stream_keep(tern__stream *st, uint64_t bytes) {
    if (!tern__charge(st->session, bytes)) return false;
    tern__stream_enlist(st);
    if (!st->kept) st->kept_since = st->session->engine->now;
    st->kept += bytes;
    return true;
}

void tern__stream_unkeep(tern__stream *st, uint64_t bytes) {
    if (bytes > st->kept) bytes = st->kept;
    tern__uncharge(st->session, bytes);
    st->kept -= bytes;
    st->kept_since = st->session->engine->now;
}

void tern__stream_kept_moves(tern__stream *st, uint64_t bytes) {
    enum { LEAST_RATE = 16 << 10 };
    tern_time now = st->session->engine->now, moved = st->kept_since + bytes * (tern_time)TERN_SEC / LEAST_RATE;
    st->kept_since = moved < now ? moved : now;
}

void **tern__stream_user(tern__stream *st) { return &st->user; }

uint64_t tern__stream_waiting_bytes(const tern__stream *st) {
    return st->tx_end - st->tx_front - tern__stream_meta_waiting(st);
}

void tern__stream_set_manual(tern__stream *st, bool manual) { st->manual = manual; }
bool tern__stream_is_manual(const tern__stream *st) { return st->manual; }

bool tern__stream_has_room(const tern__stream *st) { return tern__stream_waiting_bytes(st) < st->buffer_bytes; }
bool tern__stream_is_refused(const tern__stream *st) { return st->want_write; }
bool tern__stream_is_writable(const tern__stream *st) { return st->states.send == TERN__SEND_SEND; }

bool tern__stream_is_answered(const tern__stream *st) { return st->states.recv == TERN__RECV_DATA_RECVD; }

bool tern__stream_is_reliable(const tern__stream *st) { return st->session->link->reliable; }

/* A writer was refused, and there is room again. */
static bool wants_to_be_told(const tern__stream *st) {
    return st->want_write && tern__stream_waiting_bytes(st) <= st->buffer_bytes / 2;
}

/* ---- Sending -------------------------------------------------------------------------------------- */

bool tern__stream_sendable(const tern__stream *st, uint32_t *len) {
    const tern__session *s = st->session;
    *len = 0;
    bool is_finished = st->states.send == TERN__SEND_SIZE_KNOWN;
    if (st->states.send > TERN__SEND_SIZE_KNOWN || !tern__stream_has_place(st) || s->state != TERN__STATE_OPEN)
        return false;
    if (st->loss && !tern__win_more(&st->loss->win)) return false;
    bool opening = st->states.call == TERN__STREAM_CALL_OPENING && !st->request;
    uint64_t ready = tern__stream_part_end(st) - st->tx_sent;
    if (!ready) return is_finished || opening;
    if (ready > s->payload_bytes)
        ready = s->payload_bytes;
    else if (ready < s->payload_bytes && st->tx_flushed <= st->tx_sent)
        return opening;
    uint64_t granted = tern__stream_granted(st);
    if (granted < ready) {
        if (granted < RUNT_BYTES && granted < s->payload_bytes) return opening;
        ready = granted;
    }
    *len = (uint32_t)ready;
    return true;
}

/* What the peer may send in all. */
static uint64_t grant_of(const tern__stream *st) { return st->rx_consumed + st->window_bytes; }

/* The grant has grown by so much that it is worth telling. */
static bool is_grant_due(const tern__stream *st) { return grant_of(st) - st->rx_limit >= st->window_bytes / 4; }

static void set_data_header(const tern__stream *st, uint32_t pkt, tern_time now, tern__pkt_header *h) {
    if (st->request) {
        tern__session_set_header(st->session, TERN__PKT_RESP, h);
        h->req = st->request->req;
        h->received = st->rx_pkt;
    } else {
        tern__csession *cs = (tern__csession *)st->session;
        tern__client_req_header(cs, tern__call_at(cs, st->index), st->format, now, h);
    }
    h->flags |= TERN__PKT_STREAM;
    h->pkt = pkt;
    bool may_open = st->loss || pkt == 0;
    if (!may_open && !is_grant_due(st)) { /* so that 32 bytes make one line over shm */
        h->deadline_us = 0;
        return;
    }
    h->flags |= TERN__PKT_GRANT;
    h->grant = grant_of(st);
}

/* Post up to len bytes from offset start on. Returns how many, fewer only where a packet takes no more pieces. */
static int64_t post(tern__stream *st, tern__tx *tx, uint64_t start, uint32_t len) {
    uint32_t budget = tern__tx_max_pieces(tx), posted = 0;
    bool from_cursor = st->cursor && st->cursor->start <= start;
    tern__node *node = from_cursor ? &st->cursor->node : st->queue.next;
    while (posted < len && budget) {
        tern__out *out = TERN__CONTAINER(node, tern__out, node);
        uint64_t skip = start + posted - out->start;
        if (skip >= out->size) {
            node = node->next;
            continue;
        }
        if (start == st->tx_sent) st->cursor = out;
        uint32_t n = out->size - (uint32_t)skip < len - posted ? out->size - (uint32_t)skip : len - posted;
        int64_t got = tern__out_post(tx, out, (uint32_t)skip, n, &budget);
        if (got < 0) return got;
        out->posted = true;
        posted += (uint32_t)got;
    }
    return posted;
}

/* Whether packet pkt, which ends where the stream ends, is the last one: the next packet to leave, or, when that has
 * left, the same packet again. A packet that left before the stream was finished is never the last; an empty packet
 * behind it is. */
static bool is_last(const tern__stream *st, uint32_t pkt) {
    if (st->states.send == TERN__SEND_SIZE_KNOWN) return pkt == st->tx_pkt;
    return st->states.send == TERN__SEND_DATA_SENT && pkt + 1 == st->tx_pkt;
}

/* Whether a packet that ends at `end` is the last, which its header says. */
static void set_last(const tern__stream *st, tern__pkt_header *h, uint64_t end, bool *last) {
    *last = end == st->tx_end && is_last(st, h->pkt);
    if (!*last) return;
    h->flags |= TERN__PKT_LAST;
    if (st->request) h->status = st->tx_status;
}

/* The header is written last, as only then it is known where the packet ends. */
static bool send_by_itself(tern__stream *st, tern__pkt_header *h, uint64_t start, uint32_t *len, bool *last) {
    tern__session *s = st->session;
    tern__tx tx;
    if (!tern__tx_begin(&tx, s, h, 0, *len, s->link->max_posts))
        return tern__trace_blocked(s->engine, s, &s->route, h, *len);
    int64_t posted = post(st, &tx, start, *len);
    if (posted < 0) {
        tern__tx_abort(&tx);
        return false;
    }
    if (posted < *len) {
        *len = (uint32_t)posted;
        *last = false;
        h->flags &= (uint8_t)~TERN__PKT_LAST;
        h->status = 0;
    }
    return tern__tx_end(&tx, h);
}

/* A packet of up to *len bytes from start on. */
static bool send_packet(tern__stream *st, uint32_t pkt, uint64_t start, uint32_t *len, bool *last, tern_time now) {
    tern__session *s = st->session;
    tern__pkt_header h;
    set_data_header(st, pkt, now, &h);
    if (tern__stream_is_meta(st, start)) tern__pkt_set_meta(&h, st->tx_meta_bytes);
    if (st->loss) h.attempt = tern__win_nth(&st->loss->win, pkt - st->loss->origin);
    set_last(st, &h, start + *len, last);
    if (!tern__stream_send_in_run(st, &h, start, *len) && !send_by_itself(st, &h, start, len, last)) return false;
    tern__trace_sent(s->engine, s, &s->route, &h, *len);
    if (h.flags & TERN__PKT_GRANT) st->rx_limit = h.grant;
    return true;
}

bool tern__stream_send_next(tern__stream *st, uint32_t len, tern_time now) {
    tern__stream_loss *loss = st->loss;
    uint32_t pkt = st->tx_pkt;
    bool last;
    if (!send_packet(st, pkt, st->tx_sent, &len, &last, now)) return false;
    if (loss) {
        loss->start[pkt % TERN__WIN_PKTS] = (uint32_t)st->tx_sent;
        loss->len[pkt % TERN__WIN_PKTS] = len;
        tern__win_sent(&loss->win, pkt - loss->origin, now);
    }
    st->tx_pkt++;
    st->tx_sent += len;
    if (st->states.call == TERN__STREAM_CALL_OPENING) tern__stream_step(st, TERN__EV_OPENED);
    if (last) tern__stream_step(st, TERN__EV_LAST_SENT);
    if (loss) return true;
    tern__stream_release_until(st, st->tx_sent);
    if (wants_to_be_told(st)) tern__session_send_soon(st->session); /* as no answer may come that would wake anybody */
    if (last) tern__stream_step(st, TERN__EV_ALL_RECEIVED);
    return true;
}

/* Of packet n of the window, which was sent. */
static uint64_t start_of(const tern__stream *st, uint32_t n) {
    return st->tx_sent - ((uint32_t)st->tx_sent - st->loss->start[n % TERN__WIN_PKTS]);
}

uint64_t tern__stream_missing(const tern__stream *st) {
    uint64_t missing = tern__win_missing(&st->loss->win), rest = missing;
    for (int i = 0; i < TERN__REORDER; i++) rest &= rest - 1;
    return missing & ~rest;
}

void tern__stream_resend(tern__stream *st, uint64_t mask, tern_time now) {
    tern__stream_loss *loss = st->loss;
    for (; mask; mask &= mask - 1) {
        uint32_t n = loss->win.base + (uint32_t)__builtin_ctzll(mask), i = n % TERN__WIN_PKTS;
        bool last;
        if (!send_packet(st, n + loss->origin, start_of(st, n), &loss->len[i], &last, now)) return;
        tern__win_sent(&loss->win, n, now);
        tern__count_retransmit(st->session, tern__stream_req(st), n + loss->origin);
    }
}

/* ---- Acknowledgements ----------------------------------------------------------------------------- */

static bool send_ack(tern__stream *st, uint32_t pkt) {
    tern__pkt_header h = tern__session_header(st->session, st->request ? TERN__PKT_CR : TERN__PKT_RFR);
    h.flags |= TERN__PKT_STREAM | TERN__PKT_GRANT;
    h.req = tern__stream_req(st);
    h.pkt = pkt;
    h.attempt = pkt == TERN__STREAM_NO_PKT ? 0 : st->rx_nth;
    h.received = st->rx_pkt;
    h.grant = grant_of(st);
    tern__ecn_echo(&st->rx_n_marked, &h);
    if (!tern__send_control(st->session, &h, NULL, 0)) return false;
    st->rx_limit = h.grant;
    return true;
}

void tern__stream_acknowledge(tern__stream *st, uint32_t pkt) {
    if (!tern__stream_has_place(st) || st->session->state != TERN__STATE_OPEN) return;
    st->grant_pending = !send_ack(st, pkt) && !st->loss;
    if (st->grant_pending) tern__session_stall(st->session);
}

void tern__stream_grant(tern__stream *st) {
    if (!tern__stream_has_user(st) || st->states.recv > TERN__RECV_SIZE_KNOWN || st->grant_pending || !st->rx_bytes)
        return;
    if (is_grant_due(st)) tern__stream_acknowledge(st, TERN__STREAM_NO_PKT);
}

/* The peer's grant: it never shrinks, whatever order packets come in. */
static void take_grant(tern__stream *st, uint64_t bytes) {
    if (bytes > st->tx_limit) st->tx_limit = bytes;
}

static void rebase(tern__stream_loss *loss) {
    if (loss->win.base < REBASE_AT) return;
    loss->win.base -= REBASE_AT;
    loss->win.next -= REBASE_AT;
    loss->origin += REBASE_AT;
}

bool tern__stream_rx_ack(tern__stream *st, const tern__pkt_header *h, tern_time now, uint32_t *n_news,
                         tern_dur *sample) {
    tern__stream_loss *loss = st->loss;
    *n_news = 0;
    *sample = -1;
    if (loss) {
        tern__win *win = &loss->win;
        uint32_t below = h->received - loss->origin, pkt = h->pkt - loss->origin;
        if ((int32_t)(below - win->next) > 0) return false;
        if (pkt >= win->next) pkt = win->next; /* answers no packet */
        if ((int32_t)(below - win->base) < 0) below = win->base;
        *n_news = tern__win_ack(win, pkt, h->attempt, below, now, sample);
        tern__stream_release_until(st, win->base == win->next ? st->tx_sent : start_of(st, win->base));
        if (win->base == win->next && st->states.send == TERN__SEND_DATA_SENT)
            tern__stream_step(st, TERN__EV_ALL_RECEIVED);
        rebase(loss);
    }
    take_grant(st, h->grant);
    return true;
}

void tern__stream_recover(tern__stream *st, uint32_t n_news, tern_dur sample, tern_time now) {
    tern__session *s = st->session;
    const tern__stream_loss *loss = st->loss;
    tern__pace_ack(s, &(tern__acked){.rtt = sample, .n_pkts = n_news}, now);
    uint64_t lost = tern__win_overtaken(&loss->win);
    if (!lost) return;
    tern__trace_recovery(s, TERN__TRACE_LOST,
                         tern__trace_lost(tern__stream_req(st), loss->win.base + loss->origin, lost));
    tern__pace_loss(s, now);
    tern__stream_resend(st, lost, now);
}

void tern__stream_tell_writable(tern__stream *st) {
    tern__engine *e = st->session->engine;
    if (!wants_to_be_told(st) || !tern__stream_has_user(st)) return;
    st->want_write = false;
    tern__stream_ref(st);
    e->config.streams->on_writable(e->config.user, st);
    tern__stream_unref(st);
}

/* ---- Receiving ------------------------------------------------------------------------------------ */

/* The payload in one piece in a pool buffer. *own: to be given back. NULL: no memory. */
static const uint8_t *payload_of(const tern__rx_packet *pkt, uint32_t header_bytes, uint32_t len, void **own) {
    *own = NULL;
    if (!pkt->n_spans || !len) return pkt->head + header_bytes;
    *own = tern_alloc_private(len);
    if (*own) tern__payload_copy(pkt, header_bytes, *own);
    return *own;
}

/* Every packet up to the LAST one has been handed over. A half whose peer sent a packet behind its LAST one, which came
 * first, is never over. */
static bool is_all_here(const tern__stream *st) {
    return st->rx_pkt == st->rx_last + 1 && !(st->loss && st->loss->early_mask & 1);
}

/* Server: on_open, which may end the call. */
static void open_call(tern__stream *st) {
    static const tern__stream_opts defaults = {0};
    tern__engine *e = st->session->engine;
    tern__stream_configure(st, &defaults);
    tern__stream_states_step(&st->states, TERN__EV_OPENED); /* which a trace does not tell from what was before */
    e->stats.calls_served++;
    e->config.streams->on_open(e->config.user, st, st->request->method);
}

/* The next packet in order. False: the call has ended, or no such packet may come next. */
static bool hand_to_user(tern__stream *st, const void *data, uint32_t len, bool is_meta) {
    tern__engine *e = st->session->engine;
    if (!tern__stream_meta_take(st, is_meta, data, len)) return false;
    if (tern__stream_is_unopened(st) && !tern__stream_meta_is_cut(st)) open_call(st);
    if (tern__stream_has_ended(st)) return false;
    st->rx_pkt++;
    bool has_user = tern__stream_has_user(st);
    if (is_meta) len = 0;
    st->rx_bytes += len;
    if (!st->manual || !has_user) st->rx_consumed += len;
    if (st->states.recv == TERN__RECV_SIZE_KNOWN && is_all_here(st)) {
        if (!tern__stream_meta_finish(st)) return false;
        tern__stream_step(st, TERN__EV_ALL_CAME);
    }
    if (len && has_user) e->config.streams->on_data(e->config.user, st, data, len);
    return !tern__stream_has_ended(st);
}

/* The packets that came early and whose turn it is now. */
static void hand_over_early(tern__stream *st) {
    bool alive = true;
    while (alive && st->loss->early_mask & 1) {
        uint32_t i = st->rx_pkt % TERN__WIN_PKTS, len = st->loss->early[i].len;
        uint8_t *data = st->loss->early[i].data;
        st->loss->early[i].data = NULL;
        st->loss->early_mask >>= 1;
        bool is_meta = st->loss->early[i].is_meta;
        if (!is_meta) st->loss->early_bytes -= len;
        tern__uncharge(st->session, tern__buffer_bytes(len));
        alive = hand_to_user(st, data, len, is_meta);
        tern_unref(data);
    }
}

static bool make_early(tern__stream *st) {
    if (st->loss->early) return true;
    if (!tern__charge(st->session, EARLY_BYTES)) return false;
    st->loss->early = tern_alloc_private(EARLY_BYTES);
    if (st->loss->early)
        memset(st->loss->early, 0, EARLY_BYTES);
    else
        tern__uncharge(st->session, EARLY_BYTES);
    return st->loss->early;
}

/* Keep a packet until its turn. False: it will have to come again. */
static bool keep_early(tern__stream *st, const tern__rx_packet *pkt, uint32_t header_bytes, uint32_t ahead,
                       uint32_t len, bool is_meta) {
    tern__stream_loss *loss = st->loss;
    uint32_t i = (st->rx_pkt + ahead) % TERN__WIN_PKTS;
    if (loss->early_mask >> ahead & 1) return true;
    bool is_granted = is_meta || st->rx_bytes + loss->early_bytes + len <= st->rx_limit;
    if (!is_granted || !make_early(st) || !tern__charge(st->session, tern__buffer_bytes(len))) return false;
    uint8_t *data = len ? tern_alloc_private(len) : NULL;
    if (len && !data) {
        tern__uncharge(st->session, tern__buffer_bytes(len));
        return false;
    }
    if (len) tern__payload_copy(pkt, header_bytes, data);
    loss->early[i].data = data;
    loss->early[i].len = len;
    loss->early[i].is_meta = is_meta;
    loss->early_mask |= 1ull << ahead;
    if (!is_meta) loss->early_bytes += len;
    return true;
}

/* The packet whose turn it is, and those behind it. False: the call has ended. *refused: it cannot be taken now. */
static bool take(tern__stream *st, const tern__rx_packet *pkt, uint32_t header_bytes, uint32_t len, bool is_meta,
                 bool *refused) {
    void *own;
    const uint8_t *data = payload_of(pkt, header_bytes, len, &own);
    uint64_t early = st->loss ? st->loss->early_bytes : 0;
    *refused = !data || (!is_meta && st->rx_bytes + early + len > st->rx_limit);
    if (!*refused) {
        if (st->loss) st->loss->early_mask >>= 1;
        if (hand_to_user(st, data, len, is_meta) && st->loss) hand_over_early(st);
    }
    tern_unref(own);
    return !tern__stream_has_ended(st);
}

static void note_last(tern__stream *st, const tern__pkt_header *h) {
    if (!(h->flags & TERN__PKT_LAST) || st->states.recv != TERN__RECV_RECV) return;
    tern__stream_step(st, TERN__EV_LAST_CAME);
    st->rx_last = h->pkt;
    st->rx_status = h->status;
}

/* Of a packet whose turn has passed, or has not come. */
static tern__drop_reason why_not_now(const tern__stream *st, uint32_t pkt) {
    return (int32_t)(pkt - st->rx_pkt) < 0 ? TERN__DROP_DUPLICATE : TERN__DROP_OUT_OF_WINDOW;
}

/* Each packet in order, once, and nothing is answered but what is granted. What cannot be taken will not come again. */
static bool rx_reliable(tern__stream *st, const tern__rx_packet *pkt, const tern__pkt_header *h, uint32_t header_bytes,
                        uint32_t len) {
    bool refused;
    if (st->states.recv > TERN__RECV_SIZE_KNOWN || h->pkt != st->rx_pkt) {
        tern__drop(st->session->engine, why_not_now(st, h->pkt));
        return true;
    }
    note_last(st, h);
    if (!take(st, pkt, header_bytes, len, h->flags & TERN__PKT_META, &refused)) return false;
    if (refused) tern__stream_refuse(st, TERN_STATUS_RESOURCE_EXHAUSTED);
    tern__stream_grant(st);
    return true;
}

static bool rx_lossy(tern__stream *st, const tern__rx_packet *pkt, const tern__pkt_header *h, uint32_t header_bytes,
                     uint32_t len) {
    uint32_t ahead = h->pkt - st->rx_pkt;
    bool is_over = st->states.recv > TERN__RECV_SIZE_KNOWN;
    bool refused = false, beyond = ahead < UINT32_MAX / 2 && (ahead >= TERN__WIN_PKTS || is_over);
    if (ahead == 0 && !beyond) {
        note_last(st, h);
        if (!take(st, pkt, header_bytes, len, h->flags & TERN__PKT_META, &refused)) return false;
    } else if (!beyond && ahead < TERN__WIN_PKTS) {
        note_last(st, h);
        refused = !keep_early(st, pkt, header_bytes, ahead, len, h->flags & TERN__PKT_META);
    } else {
        tern__drop(st->session->engine, why_not_now(st, h->pkt));
    }
    if (refused) tern__drop(st->session->engine, TERN__DROP_NO_ROOM);
    if (!refused && !beyond && tern__stream_has_user(st)) tern__stream_acknowledge(st, h->pkt);
    return true;
}

bool tern__stream_rx_data(tern__stream *st, const tern__rx_packet *pkt, const tern__pkt_header *h,
                          uint32_t header_bytes) {
    uint32_t len = (uint32_t)tern__payload_bytes(pkt, header_bytes);
    bool is_past_last = st->states.recv != TERN__RECV_RECV && (int32_t)(h->pkt - st->rx_last) > 0;
    if (len > st->session->payload_bytes || is_past_last) {
        tern__drop(st->session->engine, is_past_last ? TERN__DROP_INCONSISTENT : TERN__DROP_MALFORMED);
        return true;
    }
    take_grant(st, h->grant);
    if (h->flags & TERN__PKT_META && !tern__stream_meta_expect(st, h)) return true;
    st->rx_nth = h->attempt;
    tern__ecn_count(st->session, &st->rx_n_marked);
    tern__stream_ref(st);
    bool alive = st->loss ? rx_lossy(st, pkt, h, header_bytes, len) : rx_reliable(st, pkt, h, header_bytes, len);
    tern__stream_unref(st);
    return alive;
}

/* ---- The user's side ------------------------------------------------------------------------------ */

/* What may leave leaves. */
static void kick(tern__stream *st, tern_time now) {
    uint32_t len;
    st->session->engine->now = now;
    if (!tern__stream_sendable(st, &len)) return;
    tern__stream_ref(st); /* its last packet may leave */
    if (st->request)
        st->session->engine->server_streams->kick(st, now);
    else
        st->session->engine->client_streams->kick(st, now);
    tern__stream_unref(st);
}

/* Where the link takes all that a handler writes, the handler would have the thread for as long as it likes. Its turn
 * goes on in the next tick; when all streams together have written much, each gets less. */
static bool has_had_turn(tern__stream *st) {
    enum { TURN_BYTES = 256 << 10, MUCH = 1 << 20, SHORT_TURN_BYTES = 32 << 10 };
    tern__engine *e = st->session->engine;
    if (!st->request) return false;
    if (st->turn != e->n_ticks) st->turn_bytes = 0;
    st->turn = e->n_ticks;
    if (st->turn_bytes < (e->tick_bytes < MUCH ? TURN_BYTES : SHORT_TURN_BYTES)) return false;
    st->want_write = true;
    tern__session_send_soon(st->session);
    e->soon_at = e->now;
    return true;
}

/* TERN_ERR_FULL with an event to come. What fills the buffer is on its way, or it would wait for ever. */
static int check_room(tern__stream *st, tern_time now) {
    if (st->states.send != TERN__SEND_SEND)
        return st->states.send == TERN__SEND_RESET ? TERN_ERR_CLOSED : TERN_ERR_STATE;
    if (has_had_turn(st)) {
        tern__stream_flush(st, now);
        return TERN_ERR_FULL;
    }
    if (tern__stream_has_room(st)) return 0;
    tern__stream_flush(st, now);
    if (tern__stream_has_room(st)) return 0;
    st->want_write = true;
    return TERN_ERR_FULL;
}

/* What was written, from `before` on. A full packet need not wait for a flush. */
static int added(tern__stream *st, int err, uint64_t before, tern_time now) {
    st->turn_bytes += st->tx_end - before;
    st->session->engine->tick_bytes += st->tx_end - before;
    if (err == TERN_ERR_FULL) tern__stream_flush(st, now); /* or it would wait for ever */
    if (!err && st->tx_end - st->tx_sent >= st->session->payload_bytes) kick(st, now);
    return err;
}

int tern__stream_write(tern__stream *st, const tern__body *body, tern_time now) {
    int err = check_room(st, now);
    if (err) return err;
    uint64_t before = st->tx_end;
    err = body->type ? tern__stream_append_object(st, body) : tern__stream_append_raw(st, body->data, body->len);
    return added(st, err, before, now);
}

int tern__stream_write_copy(tern__stream *st, tern_bytes raw, tern_time now) {
    int err = check_room(st, now);
    if (err) return err;
    if (raw.len > TERN_BUF_MAX_BYTES) return TERN_ERR_LIMIT;
    if (!raw.len) return 0;
    uint64_t before = st->tx_end;
    err = tern__stream_count_output(st, raw.len);
    if (!err) err = tern__stream_append_copy(st, raw.data, (uint32_t)raw.len);
    return added(st, err, before, now);
}

void tern__stream_flush(tern__stream *st, tern_time now) {
    st->tx_flushed = st->tx_end;
    kick(st, now);
}

int tern__stream_send(tern__stream *st, tern_bytes raw, tern_time now) {
    int err = tern__stream_write(st, &(tern__body){.data = raw.data, .len = raw.len}, now);
    if (!err) tern__stream_flush(st, now);
    return err;
}

void tern__stream_finish(tern__stream *st, int status, tern_time now) {
    if (st->states.send != TERN__SEND_SEND) return;
    bool known = status >= TERN_STATUS_OK && status <= TERN_STATUS_UNAUTHENTICATED;
    tern__stream_step(st, TERN__EV_FINISHED);
    st->tx_status = st->request ? (known ? (uint8_t)status : TERN_STATUS_UNKNOWN) : 0;
    if (st->request) {
        tern__stream_unkeep(st, st->kept); /* nobody will take it */
        tern__stream_step(st, TERN__EV_CALL_FINISHED);
    }
    tern__stream_flush(st, now);
}

/* Forget what was never sent. */
static void drop_unsent(tern__stream *st) {
    while (!tern__list_empty(&st->queue)) {
        tern__out *out = TERN__CONTAINER(st->queue.prev, tern__out, node);
        if (out->start < st->tx_sent) {
            out->size = (uint32_t)(st->tx_sent - out->start); /* or it would reach into what is put behind */
            break;
        }
        tern__out_release(st->session->engine, out);
    }
    st->growing = st->cursor = NULL;
    st->tx_end = st->tx_sent;
}

void tern__stream_abort(tern__stream *st, int status, tern_time now) {
    if (tern__stream_has_ended(st)) return;
    st->session->engine->now = now;
    if (!st->request) {
        st->session->engine->client_streams->cancel(st, now);
    } else if (st->states.send == TERN__SEND_SEND) {
        tern__stream_finish_with(st, status, (tern_bytes){0}, true, now);
    }
}

int tern__stream_finish_with(tern__stream *st, int status, tern_bytes block, bool at_once, tern_time now) {
    if (st->states.send != TERN__SEND_SEND) return 0;
    if (at_once) drop_unsent(st);
    int err = tern__stream_put_block(st, block);
    tern__stream_finish(st, at_once && status == TERN_STATUS_OK ? TERN_STATUS_UNKNOWN : status, now);
    return err;
}

void tern__stream_give_up(tern__stream *st, int status, tern_time now) {
    tern__engine *e = st->session->engine;
    if (!tern__stream_has_user(st)) return;
    bool is_opened = !tern__stream_is_unopened(st);
    tern__stream_ref(st);
    tern__stream_abort(st, status, now);
    if (is_opened) e->config.streams->on_end(e->config.user, st, status);
    tern__stream_unref(st);
}

void tern__stream_consume(tern__stream *st, uint32_t bytes, tern_time now) {
    uint64_t delivered = st->rx_bytes - st->rx_consumed;
    if (!st->manual || tern__stream_has_ended(st)) return;
    st->session->engine->now = now;
    st->rx_consumed += bytes < delivered ? bytes : delivered;
    tern__stream_grant(st);
}

tern_time tern__stream_deadline(const tern__stream *st) { return st->request ? st->request->deadline : TERN__NEVER; }
