/* The short way: small messages of one packet, raw or hybrid.
 *
 * Such a request or response needs a dozen fields of its slot, no plan, no window, and on a reliable link nothing is
 * retained. Each function here does what the general one in client.c, server.c or engine.c does for that case, in a
 * third of the instructions, or changes nothing, and then the general one does it (bench/rpc_latency and rpc_rate tell
 * the difference). What is retained on a link that loses packets is the same tern__out, so that
 * everything that can happen to it later is the general code's business. */
#include "engine/internal.h"

/* SCRATCH_BYTES: more than a small object takes, so that the codec, too, can take its own short way. */
enum { SMALL_BYTES = 192, SCRATCH_BYTES = 320, LARGE_STREAK = 15 };

/* A message that leaves in one packet, all of it copied. */
typedef struct small {
    const void *data;
    uint32_t len;
    uint32_t copied_bytes; /* of values */
    uint8_t format;
} small;

static inline bool raw_is_small(const tern__session *s, const void *data, size_t len, small *out) {
    if (len >= s->copy_below) return false;
    *out = (small){data, (uint32_t)len, (uint32_t)len, TERN_FORMAT_RAW};
    return true;
}

static int refuse_inplace(void *ctx, const tern_bytes *values, size_t n) {
    (void)ctx, (void)values, (void)n;
    return TERN_ERR_LIMIT;
}

/* Objects are encoded on the stack and copied from there: that is less work than to measure, begin a packet, encode into
 * it, and end it. Where one is too large, the next ones are expected to be. */
static bool object_is_small(tern__session *s, const tern__body *body, uint8_t *scratch, small *out) {
    tern_hybrid_emitted emitted;
    bool hybrid =
        body->format == TERN_FORMAT_RAW ? s->formats >> TERN_FORMAT_HYBRID & 1 : body->format == TERN_FORMAT_HYBRID;
    if (!hybrid || s->payload_bytes < SMALL_BYTES) return false;
    if (s->large_objects) {
        s->large_objects--;
        return false;
    }
    if (tern_hybrid_emit(body->type, body->data, tern__threshold(&s->engine->config, s->link), scratch, SCRATCH_BYTES,
                         refuse_inplace, NULL, &emitted) ||
        emitted.head_bytes > SMALL_BYTES) {
        s->large_objects = LARGE_STREAK;
        return false;
    }
    *out = (small){scratch, emitted.head_bytes, emitted.head_bytes - emitted.header_bytes, TERN_FORMAT_HYBRID};
    return true;
}

/* As a request or a response, whichever the session's side sends; status OK. */
static inline bool send(tern__session *s, uint32_t req, uint32_t aux, const small *m) {
    uint32_t header_bytes = s->tx_flags ? 32 : 24;
    uint64_t header[4] = {s->tx_usual | (uint32_t)m->format << 16, req, (uint64_t)aux << 32 | m->len, s->tx_tag};
    const tern__link_ops *ops = s->link->ops;
    if (!ops->tx_small || !ops->tx_small(s->link, &s->route, header, header_bytes, m->data, m->len)) return false;
    tern__engine_stats *stats = &s->engine->stats;
    stats->tx_messages++;
    stats->copied_bytes += m->copied_bytes;
    stats->tx_packets++;
    stats->tx_bytes += header_bytes + m->len;
    return true;
}

/* On a link that loses packets, a copy to send again; *out is NULL on others. False: no memory. */
static inline bool keep(tern__session *s, const small *m, tern__out **out) {
    *out = NULL;
    if (s->link->reliable) return true;
    *out = tern__out_keep(s, m->data, m->len);
    if (*out) (*out)->format = m->format;
    return *out != NULL;
}

/* ---- Sending -------------------------------------------------------------------------------------- */

/* The session is open, and nothing waits before a new request. */
static inline bool is_clear(const tern__csession *cs) {
    return cs->s.tx_usual && cs->free_slots && cs->in_flight < cs->credits && !cs->unsent && !cs->n_backlog;
}

static inline bool request(tern__csession *cs, uint32_t method, const small *m, void *call, tern_time now) {
    tern__session *s = &cs->s;
    tern__out *out;
    uint32_t i = (uint32_t)__builtin_ctz(cs->free_slots);
    uint32_t req = cs->reqs[i] + TERN__N_SLOTS;
    if (!tern__client_wake(cs)) return false;
    tern__cslot *slot = &cs->slots[i];
    if (!keep(s, m, &out) || !send(s, req, method, m)) {
        tern_unref(out);
        tern__client_rest(cs);
        return false;
    }
    if (cs->free_slots == UINT8_MAX) cs->busy_since = now;
    cs->free_slots &= (uint8_t)(cs->free_slots - 1);
    cs->in_flight++;
    slot->call = call;
    slot->out = out;
    slot->method = method;
    slot->last_tx = now;
    cs->reqs[i] = slot->req = req;
    slot->n_out = 1;
    s->engine->stats.calls_issued++;
    if (out) {
        cs->unreported &= (uint8_t) ~(1u << i);
        cs->reporting &= (uint8_t) ~(1u << i);
        tern__timer_lower(s, now + (tern_time)s->rtt.rto);
    }
    return true;
}

bool tern__engine_request_now(tern__csession *cs, uint32_t method, tern_bytes raw, void *call, tern_time now) {
    small m;
    return is_clear(cs) && raw_is_small(&cs->s, raw.data, raw.len, &m) && request(cs, method, &m, call, now);
}

int tern__engine_request(tern__csession *cs, uint32_t method, const tern__body *body, tern_time deadline, void *call,
                         tern_time now) {
    cs->s.engine->now = now;
    if (!deadline && is_clear(cs) && body->type) {
        uint8_t scratch[SCRATCH_BYTES];
        small m;
        if (object_is_small(&cs->s, body, scratch, &m) && request(cs, method, &m, call, now)) return 0;
    }
    return tern__client_request(cs, method, body, deadline, call, now);
}

static inline __attribute__((always_inline)) bool respond(tern__served *served, const small *m, tern_time now) {
    tern__ssession *ss = served->session;
    tern__out *out;
    if (!keep(&ss->s, m, &out)) return false;
    tern_time held = now - served->arrived;
    served->held_ns = held < UINT32_MAX ? (uint32_t)held : UINT32_MAX;
    if (!send(&ss->s, served->req, served->held_ns, m)) {
        tern_unref(out);
        return false;
    }
    served->out = out;
    served->status = TERN_STATUS_OK;
    served->cr_pending = false;
    served->state = out ? TERN__SERVED_RESPONDED : TERN__SERVED_DONE;
    ss->n_running--;
    /* Only now: the response may have aliased the request. */
    if (served->held) tern__served_release_request(served);
    if (!out) tern__server_give(ss, served);
    return true;
}

static int respond_object(tern__served *served, const tern__body *body, tern_time now) {
    uint8_t scratch[SCRATCH_BYTES];
    small m;
    if (object_is_small(&served->session->s, body, scratch, &m) && respond(served, &m, now)) return 0;
    return tern__server_respond(served, TERN_STATUS_OK, body, now);
}

int tern__engine_respond(tern__served *served, int status, const tern__body *body, tern_time now) {
    tern__session *s = &served->session->s;
    small m;
    s->engine->now = now;
    bool plain = status == TERN_STATUS_OK && body && s->tx_usual && served->state == TERN__SERVED_RUNNING &&
                 !served->orphan && !served->abandoned;
    if (plain && body->type) return respond_object(served, body, now);
    if (plain && raw_is_small(s, body->data, body->len, &m) && respond(served, &m, now)) return 0;
    return tern__server_respond(served, status, body, now);
}

/* ---- Receiving ------------------------------------------------------------------------------------ */

/* What the first bytes of a packet say when it carries a whole message and nothing unusual. */
typedef struct whole {
    const uint8_t *payload;
    uint32_t req, size, aux;
    uint8_t format;
} whole;

static inline void note_arrival(tern__session *s, const tern__rx_packet *pkt, tern_time now) {
    tern__engine *e = s->engine;
    e->now = now;
    e->stats.rx_packets++;
    e->stats.rx_bytes += pkt->head_len;
    s->last_rx = now;
    s->probes = 0;
}

static inline bool rx_request(tern__ssession *ss, const tern__rx_packet *pkt, const whole *w, tern_time now) {
    if (w->size > ss->s.engine->config.max_message_bytes) return false;
    uint32_t i = w->req % TERN__N_SLOTS;
    if ((int32_t)(w->req - ss->reqs[i]) <= 0) return false;
    tern__served *served = ss->slots[i];
    if (served) {
        if (served->state != TERN__SERVED_RESPONDED) return false;
        tern__out_release(ss->s.engine, served->out);
        served->out = NULL;
    } else {
        served = tern__server_take(ss, i);
        if (!served) return false;
    }
    note_arrival(&ss->s, pkt, now);
    ss->reqs[i] = served->req = w->req;
    served->method = w->aux;
    served->format = w->format;
    served->size = w->size;
    served->n_pkts = served->base = 1;
    served->deadline = TERN__NEVER;
    ss->n_running++;
    served->state = TERN__SERVED_RUNNING;
    tern__server_deliver(ss, served, w->payload, now);
    return true;
}

static inline bool rx_response(tern__csession *cs, const tern__rx_packet *pkt, const whole *w, tern_time now) {
    tern__engine *e = cs->s.engine;
    uint32_t i = w->req % TERN__N_SLOTS, bit = 1u << i;
    if ((cs->free_slots | cs->unsent) & bit) return false;
    tern__cslot *slot = &cs->slots[i];
    if (slot->req != w->req || slot->phase != TERN__SLOT_REQ || slot->win || slot->resent) return false;
    void *call = slot->call;
    tern__arrived msg = {.data = w->payload, .len = w->size, .format = w->format};
    note_arrival(&cs->s, pkt, now);
    if (!cs->s.link->reliable) {
        tern_time elapsed = now - slot->last_tx;
        if (elapsed >= w->aux) tern__client_sample_rtt(cs, (tern_dur)(elapsed - w->aux));
        tern__client_report_later(cs, i, now);
        tern__out_release(e, slot->out);
        slot->out = NULL;
    }
    cs->in_flight -= slot->n_out;
    slot->n_out = 0;
    slot->deadline = 0;
    cs->free_slots |= (uint8_t)bit;
    tern__client_rest(cs);
    e->stats.calls_completed++;
    if (cs->n_backlog || cs->unsent) tern__client_pump(cs, now);
    e->config.callbacks.on_done(e->config.user, call, TERN_STATUS_OK, &msg);
    return true;
}

static inline bool rx(tern__engine *e, const tern__rx_packet *pkt, tern_time now) {
    if (pkt->head_len < TERN__PKT_HEADER_BYTES || pkt->n_spans) return false;
    const uint8_t *p = pkt->head;
    uint64_t first = tern__load64(p), second = tern__load64(p + 8), third = tern__load64(p + 16);
    tern__session *s = tern__session_find(e, (uint32_t)(first >> 32));
    /* Version, type, flags, status OK, the session's number; for none that is not open. */
    if (!s || (first & ~UINT64_C(0xff0000)) != s->rx_usual) return false;
    if (s->link != pkt->link || !tern__route_eq(&s->route, &pkt->route)) return false;
    uint32_t header_bytes = s->tx_flags ? 32 : 24;
    whole w = {p + header_bytes, (uint32_t)second, (uint32_t)third, (uint32_t)(third >> 32), (uint8_t)(first >> 16)};
    /* Packet 0, as long as it says, a known format. */
    if (second >> 32 != 0 || w.size + header_bytes != pkt->head_len || w.size > s->payload_bytes) return false;
    if (w.format > TERN_FORMAT_PROTOBUF) return false;
    if (s->tx_flags && tern__load64(p + 24) != s->rx_tag) return false;
    if (s->role == TERN__SERVER) return rx_request((tern__ssession *)s, pkt, &w, now);
    return rx_response((tern__csession *)s, pkt, &w, now);
}

void tern__engine_rx(tern__engine *e, const tern__rx_packet *pkt, tern_time now) {
    if (!rx(e, pkt, now)) tern__engine_rx_any(e, pkt, now);
}
