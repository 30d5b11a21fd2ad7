/* The short way: small messages of one packet, raw or hybrid.
 *
 * Such a request or response needs a dozen fields of its slot, no plan, no window, and on a reliable link nothing is
 * retained. The functions here skip parsing and look-ups, and call the transitions of call.h and request.h, as the
 * general functions in client.c, server.c and engine.c do; or they change nothing, and the general function goes on.
 * They take a third of the instructions (bench/rpc_latency and rpc_rate tell the difference). shortest.h has what is
 * shorter still. What is retained on a link that loses packets is the same
 * tern__out, so that everything that can happen to it later is the general code's business. */
#include "engine/direct.h"

#include "engine/cached_reply.h"
#include "engine/client.h"
#include "engine/dispatch.h"
#include "engine/server.h"
#include "engine/session.h"
#include "engine/shortest.h"
#include "engine/tracing.h"

#define INLINE inline __attribute__((always_inline))

/* SCRATCH_BYTES: more than a small object takes, so that the codec, too, can take its own short way. */
enum {
    SMALL_BYTES = 192,
    SCRATCH_BYTES = 320,
    LARGE_STREAK = 15,
    TAGGED_BYTES = TERN__PKT_HEADER_BYTES + TERN__PKT_TAG_BYTES,
};

/* A message that leaves in one packet, all of it copied. */
typedef struct small {
    const void *data;
    uint32_t len;
    uint32_t copied_bytes; /* of values */
    uint8_t format;
} small;

/* Whether the message may go the short way. Both functions return false while the session is not open. */
static inline bool raw_is_small(const tern__session *s, const void *data, size_t len, small *out) {
    if (!s->tx_usual || len >= s->copy_below) return false;
    *out = (small){data, (uint32_t)len, (uint32_t)len, TERN_FORMAT_RAW};
    return true;
}

static int refuse_inplace(void *ctx, const tern_bytes *values, size_t n) {
    (void)ctx, (void)values, (void)n;
    return TERN_ERR_LIMIT;
}

/* Objects are encoded on the stack and copied from there: that is less work than to measure, begin a packet, encode
 * into it, and end it. Where one is too large, the next ones are expected to be. */
static bool object_is_small(tern__session *s, const tern__body *body, uint8_t *scratch, small *out) {
    tern_hybrid_emitted emitted;
    bool ours = body->format == TERN_FORMAT_RAW;
    bool hybrid = (ours ? s->format : body->format) == TERN_FORMAT_HYBRID;
    if (!s->tx_usual || !hybrid || s->payload_bytes < SMALL_BYTES) return false;
    if (s->large_objects) {
        s->large_objects--;
        return false;
    }
    if (tern_hybrid_emit(body->type, body->data, tern__threshold(&s->engine->config, s->path), scratch, SCRATCH_BYTES,
                         refuse_inplace, NULL, &emitted) ||
        emitted.head_bytes > SMALL_BYTES) {
        s->large_objects = LARGE_STREAK;
        return false;
    }
    *out = (small){scratch, emitted.head_bytes, emitted.head_bytes - emitted.header_bytes, TERN_FORMAT_HYBRID};
    return true;
}

/* Links that lose packets have tags, and keep what they sent. */
static inline bool is_tagged(const tern__session *s) { return s->tx_flags != 0; }

static INLINE uint32_t packet_bytes(const small *m, bool tagged) {
    return (tagged ? TAGGED_BYTES : TERN__PKT_HEADER_BYTES) + m->len;
}

/* The packet into its place. */
static INLINE void fill(tern__session *s, uint8_t *place, uint32_t req, uint32_t x, const small *m, bool tagged) {
    tern__store64(place, s->tx_usual | (uint32_t)m->format << 16);
    if (tagged) {
        tern__store64(place + 8, req | (uint64_t)++s->tx_number << 32); /* as tern__next_number() */
        tern__store64(place + 16, x);
        tern__store64(place + 24, s->tx_tag);
        tern__copy_short(place + TAGGED_BYTES, m->data, m->len);
    } else {
        tern__store64(place + 8, req);
        tern__store64(place + 16, x);
        tern__copy_short(place + TERN__PKT_HEADER_BYTES, m->data, m->len);
    }
}

/* The run has no place for it as it is. */
static bool send_elsewhere(tern__session *s, uint32_t req, uint32_t x, const small *m) {
    tern__link *link = s->link;
    tern__engine *e = s->engine;
    bool tagged = is_tagged(s);
    uint32_t bytes = packet_bytes(m, tagged);
    bool may_open = s->run->at || s->run->kind != TERN__RUN_LINES;
    uint8_t *place = may_open ? link->ops->tx_open(link, &s->route, bytes) : NULL;
    if (place) {
        fill(s, place, req, x, m, tagged);
        e->made_bytes += m->len - m->copied_bytes;
        return true;
    }
    place = tern__tx_one(link, &s->route, bytes, 0);
    if (!place) return false;
    fill(s, place, req, x, m, tagged);
    link->ops->tx_commit(link, 1);
    e->stats.tx_messages++;
    e->stats.copied_bytes += m->copied_bytes;
    return true;
}

/* The message in pieces, so that it need not be in memory for those who do not come here. */
static __attribute__((noinline)) bool send_otherwise(tern__session *s, uint64_t req_and_x, const void *data,
                                                     uint32_t len, uint32_t copied_bytes, uint8_t format) {
    small m = {data, len, copied_bytes, format};
    return send_elsewhere(s, (uint32_t)req_and_x, (uint32_t)(req_and_x >> 32), &m);
}

/* As a request without a deadline or a response with status OK, whichever the session's side sends. x: the request's
 * method, or how long the response was held. */
static INLINE bool send_small(tern__session *s, uint32_t req, uint32_t x, const small *m, bool tagged) {
    uint32_t bytes = packet_bytes(m, tagged);
    uint8_t *place = tagged ? tern__run_take_equal(s->run, &s->route, bytes) : tern__run_take_measured(s->run, bytes);
    if (!place) return send_otherwise(s, req | (uint64_t)x << 32, m->data, m->len, m->copied_bytes, m->format);
    fill(s, place, req, x, m, tagged);
    if (m->format != TERN_FORMAT_RAW) s->engine->made_bytes += m->len - m->copied_bytes;
    return true;
}

static __attribute__((noinline)) tern__out *keep_large(tern__session *s, const void *data, uint32_t len,
                                                       uint8_t format) {
    tern__out *out = tern__out_keep(s, data, len);
    if (out) out->format = format;
    return out;
}

/* On a link that loses packets, a copy to send again; *out is NULL on others. False: no memory. */
static INLINE bool keep(tern__session *s, const small *m, bool tagged, tern__out **out) {
    *out = NULL;
    if (!tagged) return true;
    if (m->len > TERN__SPARE_MESSAGE) return (*out = keep_large(s, m->data, m->len, m->format)) != NULL;
    tern__out *copy = *out = tern__spare_take(s->engine, TERN__SHORT_SPARE);
    if (!copy) return false;
    copy->link = s->link;
    copy->size = copy->head_len = m->len;
    copy->format = m->format;
    tern__copy_short(copy->segs, m->data, m->len);
    return true;
}

/* ---- Sending -------------------------------------------------------------------------------------- */

static INLINE bool request_on(tern__csession *cs, uint32_t method, const small *m, void *call, bool tagged,
                              tern_time now) {
    tern__session *s = &cs->s;
    tern__out *out;
    uint32_t i = tern__call_slot(cs);
    if (!tern__client_wake(cs)) return false;
    if (!keep(s, m, tagged, &out) || !send_small(s, tern__call_number(cs, i), method, m, tagged)) {
        tern_unref(out);
        tern__client_rest(cs);
        return false;
    }
    tern__new_call start = {.call = call, .how = TERN__BEGIN_SENT, .method = method, .out = out};
    tern__call_begin(cs, i, &start, !tagged, now);
    s->engine->stats.calls_issued++;
    return true;
}

static INLINE bool request(tern__csession *cs, uint32_t method, const small *m, void *call, tern_time now) {
    if (is_tagged(&cs->s)) return request_on(cs, method, m, call, true, now);
    return request_on(cs, method, m, call, false, now);
}

bool tern__engine_request_now(tern__csession *cs, uint32_t method, tern_bytes raw, void *call, tern_time now) {
    small m;
    if (!tern__is_clear(cs) || !raw_is_small(&cs->s, raw.data, raw.len, &m)) return false;
    if (cs->slots || !tern__client_wake(cs) || !tern__is_direct(cs, raw)) return request(cs, method, &m, call, now);
    tern__direct_request(cs, method, raw, call, now);
    return true;
}

int tern__engine_request(tern__csession *cs, uint32_t method, const tern__body *body, tern_time deadline, void *call,
                         tern_time now) {
    cs->s.engine->now = now;
    if (!deadline && tern__is_clear(cs) && body->type) {
        uint8_t scratch[SCRATCH_BYTES];
        small m;
        if (object_is_small(&cs->s, body, scratch, &m) && request(cs, method, &m, call, now)) return 0;
    }
    return tern__client_request(cs, method, body, deadline, call, now);
}

/* On a link that loses packets the answer is kept: a short one by itself, others with the request's record. */
static INLINE bool respond_kept(tern__request *request, const small *m, tern_time now) {
    tern__ssession *ss = request->session;
    uint32_t i = request->slot;
    if (request->n_marked) return false;
    tern__cached_reply *reply = tern__cached_reply_room(ss, i, m->len);
    if (!reply) return false;
    reply->held_ns = tern__held_ns(request, now);
    reply->len = (uint8_t)m->len;
    reply->format = m->format;
    tern__copy_short(reply->data, m->data, m->len);
    if (!send_small(&ss->s, request->req, reply->held_ns, m, true)) return false;
    tern__request_keep_cached_reply(request, true, request->is_transient);
    return true;
}

static INLINE bool respond(tern__request *request, const small *m, tern_time now) {
    tern__session *s = &request->session->s;
    tern__out *out;
    if (!is_tagged(s)) {
        if (!send_small(s, request->req, tern__held_ns(request, now), m, false)) return false;
        tern__request_finish(request, true, request->is_transient);
        return true;
    }
    if (m->len <= TERN__MAX_CACHED_REPLY) return respond_kept(request, m, now);
    if (request->n_marked || !keep(s, m, true, &out)) return false;
    if (!send_small(s, request->req, request->held_ns = tern__held_ns(request, now), m, true)) {
        tern_unref(out);
        return false;
    }
    if (request->is_transient) tern__server_attach(request);
    request->out = out;
    request->status = TERN_STATUS_OK;
    tern__request_respond(s->engine, request, true);
    return true;
}

static int respond_object(tern__request *request, const tern__body *body, tern_time now) {
    uint8_t scratch[SCRATCH_BYTES];
    small m;
    if (object_is_small(&request->session->s, body, scratch, &m) && respond(request, &m, now)) return 0;
    return tern__server_respond(request, TERN_STATUS_OK, body, now);
}

bool tern__engine_respond_now(tern__request *request, tern_bytes raw, tern_time now) {
    small m;
    return tern__is_usual(request) && raw_is_small(&request->session->s, raw.data, raw.len, &m) &&
           respond(request, &m, now);
}

int tern__engine_respond(tern__request *request, int status, const tern__body *body, tern_time now) {
    small m;
    request->session->s.engine->now = now;
    bool plain = status == TERN_STATUS_OK && body && tern__is_usual(request);
    if (plain && body->type) return respond_object(request, body, now);
    if (plain && raw_is_small(&request->session->s, body->data, body->len, &m) && respond(request, &m, now)) return 0;
    return tern__server_respond(request, status, body, now);
}

int tern__engine_respond_behind(tern__request *request, int status, const tern__behind *behind, tern_time now) {
    request->session->s.engine->now = now;
    return tern__server_respond(request, status, &behind->body, now);
}

/* ---- Receiving ------------------------------------------------------------------------------------ */

/* What the first bytes of a packet say when it carries a whole message and nothing unusual. */
typedef struct whole {
    const uint8_t *payload;
    uint32_t size, req;
    uint32_t x; /* of a request the method, of a response how long it was held */
    uint64_t format;
} whole;

static INLINE tern__arrived whole_message(const whole *w) {
    tern__arrived msg;
    msg.data = w->payload;
    msg.len = w->size;
    tern__arrived_set_format(&msg, w->format);
    return msg;
}

static __attribute__((noinline)) tern__request *make_ready(tern__engine *e, uint32_t turn) {
    if (!e->spare_requests && !tern__server_make_request(e)) return NULL;
    tern__request *request = e->transient[turn] = e->spare_requests;
    e->spare_requests = request->user;
    request->is_transient = true;
    request->n_pkts = request->base = 1;
    request->deadline = TERN__NEVER;
    return request;
}

/* The record for a request of slot i whose last one was answered, at length: the response goes. NULL: the slot has
 * something else. */
static __attribute__((noinline)) tern__request *take_over(tern__ssession *ss, uint32_t i) {
    tern__request *request = tern__request_at(ss, i);
    if (request->state != TERN__REQUEST_RESPONDED) return NULL;
    tern__request_let_go(ss->s.engine, request);
    request->n_pkts = request->base = 1;
    request->deadline = TERN__NEVER;
    return request;
}

/* The usual request is answered before its handler returns. */
static INLINE bool rx_request(tern__engine *e, tern__ssession *ss, const whole *w, bool reliable, tern_time now) {
    uint32_t req = w->req, i = req % TERN__N_SLOTS, bit = 1u << i;
    if ((int32_t)(req - ss->s.reqs[i]) <= 0 || tern__method_defers(e, w->x)) return false;
    tern__request *request;
    if (ss->taken & bit) {
        if (reliable || !(request = take_over(ss, i))) return false;
    } else {
        uint32_t turn = e->turn++ % TERN__N_TRANSIENT;
        request = e->transient[turn];
        if (!request && !(request = make_ready(e, turn))) return false;
    }
    tern__session_heard(&ss->s, now);
    if (!reliable) ss->has_reply &= (uint8_t)~bit;
    request->session = ss;
    tern__new_request start = {.req = req, .method = w->x, .size = w->size, .format = (uint8_t)w->format};
    tern__request_begin(ss, request, i, &start, true);
    tern__arrived msg = whole_message(w);
    if (TERN__IS_OFF(IN_PLACE)) {
        if (request->is_transient) tern__server_attach(request);
        msg.data = tern__request_copy(request, &msg);
    }
    tern__request_run(e, ss, request, &msg, true, false, reliable, now);
    return true;
}

static INLINE bool rx_response(tern__engine *e, tern__csession *cs, const whole *w, bool reliable, tern_time now) {
    uint32_t i = w->req % TERN__N_SLOTS;
    if (!cs->slots || !tern__slot_usual(&cs->slots[i], w->req)) return false;
    tern__arrived msg = whole_message(w);
    if (!reliable) tern__call_answered(cs, &cs->slots[i], w->x, cs->s.last_rx != now, now);
    tern__session_heard(&cs->s, now);
    tern__call_complete(e, cs, i, TERN_STATUS_OK, &msg, true, reliable, (tern__ending){0}, now);
    return true;
}

/* By the session's number alone; NULL for none. */
static inline tern__session *session_at(const tern__engine *e, uint64_t first) {
    return e->sessions[(first >> 32) & (e->n_table - 1)];
}

/* What differs between the first eight bytes of a packet and the session's usual ones (version, type, flags, status OK,
 * number; none when it is not open): the format alone, or it is more than any format. */
static inline uint64_t format_of(const tern__session *s, uint64_t first) {
    uint64_t differs = first ^ s->rx_usual;
    return differs >> 16 | differs << 48;
}

/* A header without extensions (but the tag) says nothing of the payload's length: the packet is the whole message, and
 * ends it. False: a request has a deadline, or a response says something of admission. */
static inline bool whole_read(whole *w, uint64_t format, const uint8_t *p, uint32_t header_bytes, uint64_t size) {
    enum { REQ_AT = 8, X_AT = 16, Y_AT = 20 };
    *w = (whole){p + header_bytes, (uint32_t)size, tern__load32(p + REQ_AT), tern__load32(p + X_AT), format};
    return tern__load32(p + Y_AT) == 0;
}

/* Whether a packet of a run comes from the session's peer. */
static INLINE bool speaks_for_peer(const tern__session *s, const tern__rx_packet *pkt, bool reliable) {
    if (reliable && pkt->back) return s->run == pkt->back;
    return s->link == pkt->link && tern__route_eq(&s->route, &pkt->route);
}

/* One packet of a run, nothing elsewhere: `size` bytes, no more than any session may be sent, behind a header that has
 * a tag unless the link is reliable. */
static INLINE bool rx(tern__engine *e, const tern__rx_packet *pkt, const uint8_t *p, uint64_t size, bool reliable,
                      tern_time now) {
    uint64_t first = tern__load64(p);
    tern__session *s = session_at(e, first);
    uint64_t format;
    if (!s || (format = format_of(s, first)) > TERN__LAST_COMMON_FORMAT || !speaks_for_peer(s, pkt, reliable))
        return false;
    if (!reliable && tern__load64(p + 24) != s->rx_tag) return false;
    whole w;
    if (!whole_read(&w, format, p, reliable ? TERN__PKT_HEADER_BYTES : TAGGED_BYTES, size)) return false;
    if (!reliable) s->link->heard++;
    if (s->role == TERN__SERVER) return rx_request(e, (tern__ssession *)s, &w, reliable, now);
    return rx_response(e, (tern__csession *)s, &w, reliable, now);
}

_Static_assert((int)TERN__RUN_MAX_PACKET < (int)TERN__MIN_PACKET_BYTES,
               "what comes in lines fits a packet of any session");
_Static_assert((int)TERN__RUN_LINE_LEAST == (int)TERN__PKT_HEADER_BYTES, "a packet of one line has a header");

/* The same for what came in a line: a session with the run that leads back is that peer's, has no tags, and takes
 * messages as long as that. A line has room for a header, whatever the peer has written as its length. one_each: the
 * port has seen that the length is one of a line's (tern__rx_packet). */
static INLINE bool rx_line(tern__engine *e, const tern__tx_run *back, const uint8_t *p, uint64_t len, bool one_each,
                           tern_time now) {
    uint64_t first = tern__load64(p);
    tern__session *s = session_at(e, first);
    uint64_t format;
    uint64_t size = len - TERN__PKT_HEADER_BYTES;
    whole w;
    if (!s || (format = format_of(s, first)) > TERN__LAST_COMMON_FORMAT || s->run != back) return false;
    if (!one_each && size > TERN__RUN_MAX_PACKET - TERN__PKT_HEADER_BYTES) return false;
    if (!whole_read(&w, format, p, TERN__PKT_HEADER_BYTES, size)) return false;
    if (s->role == TERN__SERVER) return rx_request(e, (tern__ssession *)s, &w, true, now);
    return rx_response(e, (tern__csession *)s, &w, true, now);
}

/* n_behind: packets of the run that come after this one. */
static __attribute__((noinline)) void rx_other(tern__engine *e, const tern__rx_packet *pkt, const uint8_t *p,
                                               uint32_t len, uint32_t n_behind, tern_time now) {
    tern__rx_packet one = *pkt;
    one.head = p;
    one.head_len = len;
    one.n = 1;
    e->n_behind = n_behind;
    tern__engine_rx_any(e, &one, now);
    e->n_behind = 0;
}

/* With thousands of sessions a packet's is in no near cache, and to wait for its three or four lines takes longer than
 * the rest of the call. So they are asked for some packets ahead, in three steps, each of which reads what the one
 * before asked for; not for all of a run at once, because a processor that waits for two dozen lines forgets what else
 * it is asked for. (A smaller lot of sessions stays in the caches by itself.) */
enum { TABLE_AHEAD = 20, SESSION_AHEAD = 14, REPLY_AHEAD = 6 };

/* All in line: gcc finds that calls of functions which only ask for memory do nothing, and leaves them out. */
static INLINE const uint8_t *packet_at(const tern__rx_packet *pkt, uint32_t k) {
    return pkt->head + (size_t)k * pkt->stride;
}

static INLINE void prefetch_entry(const tern__engine *e, const tern__rx_packet *pkt, uint32_t k) {
    __builtin_prefetch(&e->sessions[tern__load32(packet_at(pkt, k) + 4) & (e->n_table - 1)]);
}

static INLINE void prefetch_session(const tern__engine *e, const tern__rx_packet *pkt, uint32_t k) {
    const tern__session *s = session_at(e, tern__load64(packet_at(pkt, k)));
    if (s) tern__session_prefetch(s, !pkt->head_len);
}

static INLINE void prefetch_reply(const tern__engine *e, const tern__rx_packet *pkt, uint32_t k) {
    const uint8_t *p = packet_at(pkt, k);
    const tern__session *s = session_at(e, tern__load64(p));
    uint32_t i = tern__load32(p + 8) % TERN__N_SLOTS;
    if (s && s->role == TERN__SERVER && i < TERN__HOT_CACHED_REPLIES)
        __builtin_prefetch(((const tern__ssession *)s)->cached_replies[i], 1);
}

/* Before packet k of the run's n. */
static __attribute__((noinline)) void look_further(const tern__engine *e, const tern__rx_packet *pkt, uint32_t k,
                                                   uint32_t n) {
    if (k + TABLE_AHEAD < n) prefetch_entry(e, pkt, k + TABLE_AHEAD);
    if (k + SESSION_AHEAD < n) prefetch_session(e, pkt, k + SESSION_AHEAD);
    if (k + REPLY_AHEAD < n && pkt->head_len) prefetch_reply(e, pkt, k + REPLY_AHEAD);
    __asm__ volatile(""); /* an empty statement keeps gcc from dropping the call */
}

/* Before the first of n. */
static void look_first(const tern__engine *e, const tern__rx_packet *pkt, uint32_t n) {
    for (uint32_t k = -(uint32_t)TABLE_AHEAD; k; k++) look_further(e, pkt, k, n);
}

/* n_prefetch: the number of packets of the run; the constant 0 turns prefetching off. one_each: each packet has one
 * line. */
static INLINE void rx_lines(tern__engine *e, const tern__rx_packet *pkt, uint32_t n_prefetch, bool one_each) {
    const uint8_t *p = pkt->head, *end = p + (size_t)pkt->n * TERN__RUN_LINE_BYTES;
    for (uint32_t left = pkt->n; one_each ? p < end : left > 0; left--) {
        uint64_t len = tern__run_length(p);
        if (n_prefetch) look_further(e, pkt, n_prefetch - left, n_prefetch);
        if (TERN__IS_OFF(SHORT_WAY) || !rx_line(e, pkt->back, p, len, one_each, e->now))
            rx_other(e, pkt, p, (uint32_t)len, 0, e->now);
        p += one_each ? (uint64_t)TERN__RUN_LINE_BYTES : tern__run_lines_bytes(len);
    }
    e->stats.rx_bytes += pkt->lines_bytes;
}

/* Each by itself, so that what it uses fits the registers. */
static __attribute__((noinline)) void rx_few_lines(tern__engine *e, const tern__rx_packet *pkt) {
    rx_lines(e, pkt, 0, true);
}

static __attribute__((noinline)) void rx_long_lines(tern__engine *e, const tern__rx_packet *pkt) {
    rx_lines(e, pkt, 0, false);
}

/* All of one length. */
static INLINE void rx_equal(tern__engine *e, const tern__rx_packet *pkt, uint32_t n_prefetch, bool reliable) {
    const uint8_t *p = pkt->head;
    uint64_t size = (uint64_t)pkt->head_len - (reliable ? TERN__PKT_HEADER_BYTES : TAGGED_BYTES);
    uint32_t left = pkt->n;
    /* The general way takes packets that are too short for a header (`size` has wrapped), too long, or marked. */
    if (size > e->config.max_message_bytes || TERN__IS_OFF(SHORT_WAY) || pkt->ecn_ce)
        for (; left; left--, p += pkt->stride) rx_other(e, pkt, p, pkt->head_len, left - 1, e->now);
    else
        do {
            if (n_prefetch) look_further(e, pkt, n_prefetch - left, n_prefetch);
            if (!rx(e, pkt, p, size, reliable, e->now)) rx_other(e, pkt, p, pkt->head_len, left - 1, e->now);
            p += pkt->stride;
        } while (--left);
    if (e->delayed_ack) tern__server_ack_delayed(e);
}

static __attribute__((noinline)) void rx_few_tagged(tern__engine *e, const tern__rx_packet *pkt) {
    rx_equal(e, pkt, 0, false);
}

static __attribute__((noinline)) void rx_reliable(tern__engine *e, const tern__rx_packet *pkt) {
    rx_equal(e, pkt, 0, true);
}

static __attribute__((noinline)) void rx_crowd(tern__engine *e, const tern__rx_packet *pkt) {
    look_first(e, pkt, pkt->n);
    if (!pkt->head_len)
        rx_lines(e, pkt, pkt->n, true);
    else
        rx_equal(e, pkt, pkt->n, pkt->link->reliable);
}

/* Whether the packets lie in lines. (A packet without a byte does not.) */
static INLINE bool has_lines(const tern__rx_packet *pkt) { return !pkt->head_len && pkt->lines_bytes; }

/* In lines all packets have a header's room. */
static INLINE bool is_crowd(const tern__engine *e, const tern__rx_packet *pkt) {
    if (__builtin_expect(pkt->n == 1, true) || !pkt->stride || !tern__engine_is_crowded(e)) return false;
    return has_lines(pkt) || pkt->head_len >= TERN__PKT_HEADER_BYTES;
}

/* Each the general way. */
static __attribute__((noinline)) void rx_others(tern__engine *e, const tern__rx_packet *pkt) {
    const uint8_t *p = pkt->head;
    for (uint32_t k = 0; k < pkt->n; k++) {
        uint64_t len = has_lines(pkt) ? tern__run_length(p) : pkt->head_len;
        rx_other(e, pkt, p, (uint32_t)len, has_lines(pkt) ? 0 : pkt->n - 1 - k, e->now);
        p += has_lines(pkt) ? tern__run_lines_bytes(len) : pkt->stride;
    }
    e->stats.rx_bytes += has_lines(pkt) ? pkt->lines_bytes : (uint64_t)pkt->n * pkt->head_len;
}

static INLINE void rx_one(tern__engine *e, const tern__rx_packet *pkt) {
    e->stats.rx_packets += pkt->n;
    if (__builtin_expect(e->checks_waits, false) && !pkt->n_spans) {
        rx_others(e, pkt);
        return;
    }
    if (has_lines(pkt)) {
        if (is_crowd(e, pkt))
            rx_crowd(e, pkt);
        else if (pkt->stride)
            rx_few_lines(e, pkt);
        else
            rx_long_lines(e, pkt);
        return;
    }
    e->stats.rx_bytes += (uint64_t)pkt->n * pkt->head_len + pkt->spans_len;
    if (pkt->n_spans)
        tern__engine_rx_any(e, pkt, e->now);
    else if (is_crowd(e, pkt))
        rx_crowd(e, pkt);
    else if (pkt->link->reliable)
        rx_reliable(e, pkt);
    else
        rx_few_tagged(e, pkt);
}

/* The bytes of a run, from the first packet's head, or length, on. */
static size_t run_bytes(const tern__rx_packet *pkt) {
    if (!has_lines(pkt)) return (size_t)(pkt->n - 1) * pkt->stride + pkt->head_len;
    const uint8_t *p = pkt->head;
    for (uint32_t k = 0; k < pkt->n; k++) p += tern__run_lines_bytes(tern__run_length(p));
    return (size_t)(p - pkt->head);
}

/* A packet of which nothing is kept: it may be handled where it is. */
static bool is_passing(const uint8_t *p, uint64_t len) {
    uint8_t type = len ? p[0] & 15 : 0;
    return len >= TERN__PKT_HEADER_BYTES && type != TERN__PKT_REQ && type != TERN__PKT_RESP;
}

/* There is no memory for this packet. Where none may get lost its session ends, and the peer is told. */
static void give_up_packet(tern__engine *e, const tern__rx_packet *pkt, const uint8_t *p, uint64_t len) {
    tern__session *s = len >= TERN__PKT_HEADER_BYTES ? tern__session_find(e, tern__load32(p + 4)) : NULL;
    tern__drop(e, TERN__DROP_NO_ROOM);
    if (!s || !s->link->reliable || s->state != TERN__STATE_OPEN) return;
    if (s->link != pkt->link || !tern__route_eq(&s->route, &pkt->route)) return;
    tern__session_say_goodbye(s);
    tern__session_lose_for(s, TERN__WHY_NO_MEMORY);
}

/* The packets of a run for which there is no memory. */
static __attribute__((noinline)) void rx_without_memory(tern__engine *e, const tern__rx_packet *pkt) {
    const uint8_t *p = pkt->head;
    for (uint32_t k = 0; k < pkt->n; k++) {
        uint64_t len = has_lines(pkt) ? tern__run_length(p) : pkt->head_len;
        if (is_passing(p, len))
            rx_other(e, pkt, p, (uint32_t)len, 0, e->now);
        else
            give_up_packet(e, pkt, p, len);
        p += has_lines(pkt) ? tern__run_lines_bytes(len) : pkt->stride;
    }
}

/* Memory that is only lent is copied before anybody can want to keep it. */
static __attribute__((noinline)) void rx_fleeting(tern__engine *e, const tern__rx_packet *pkt) {
    size_t before = has_lines(pkt) ? TERN__RUN_LENGTH_BYTES : 0, bytes = run_bytes(pkt);
    if (bytes == 0) { /* nothing to keep: it is dropped for what it is */
        rx_one(e, pkt);
        return;
    }
    uint8_t *copy = tern_alloc_private(bytes);
    if (!copy) {
        rx_without_memory(e, pkt);
        return;
    }
    tern__rx_packet own = *pkt;
    memcpy(copy, pkt->head - before, bytes);
    own.head = copy + before;
    own.fleeting = false;
    rx_one(e, &own);
    tern_unref(copy);
}

static __attribute__((noinline)) void rx_several(tern__engine *e, const tern__rx_packet *pkts, uint32_t n) {
    for (const tern__rx_packet *end = pkts + n; pkts < end; pkts++) {
        if (pkts->fleeting)
            rx_fleeting(e, pkts);
        else
            rx_one(e, pkts);
    }
}

void tern__engine_rx(tern__engine *e, const tern__rx_packet *pkts, uint32_t n, tern_time now) {
    e->now = now;
    if (n == 1 && !pkts->fleeting)
        rx_one(e, pkts);
    else
        rx_several(e, pkts, n);
}
