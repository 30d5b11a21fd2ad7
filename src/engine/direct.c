/* The short way: messages of one packet on links that lose nothing.
 *
 * There nothing is retained, no timer runs and no tag is checked, so a request or response that is whole in
 * one packet needs a dozen fields of its slot. Each function here does what the general one in client.c or
 * server.c does for that case, in a third of the instructions, or changes nothing and says so, and then the
 * general one does it (bench/rpc_latency and rpc_rate tell the difference). */
#include "engine/internal.h"

/* Raw bytes that are copied into one packet of this session. */
static inline bool fits(const tern__session *s, const tern__body *body) {
    uint32_t threshold = s->engine->config.threshold ? s->engine->config.threshold : s->link->threshold;
    return !body->type && body->len < threshold && body->len <= s->payload_bytes;
}

/* `type` goes with no flags, format RAW and status OK. */
static inline bool send(tern__session *s, uint32_t type, uint32_t req, uint32_t aux, const tern__body *body) {
    uint32_t len = (uint32_t)body->len;
    uint64_t header[3] = {(uint64_t)s->peer_number << 32 | TERN__PKT_VERSION << 4 | type, req,
                          (uint64_t)aux << 32 | len};
    const tern__link_ops *ops = s->link->ops;
    if (!ops->tx_small || !ops->tx_small(s->link, &s->route, header, body->data, len)) return false;
    tern__engine_stats *stats = &s->engine->stats;
    stats->tx_messages++;
    stats->copied_bytes += len;
    stats->tx_packets++;
    stats->tx_bytes += sizeof header + len;
    return true;
}

bool tern__direct_request(tern__csession *cs, uint32_t method, const tern__body *body, void *call, tern_time now) {
    tern__session *s = &cs->s;
    if (s->state != TERN__STATE_OPEN || !s->link->reliable || !fits(s, body)) return false;
    if (!cs->free_slots || cs->in_flight >= cs->credits || cs->unsent || cs->n_backlog) return false;
    uint32_t i = (uint32_t)__builtin_ctz(cs->free_slots);
    uint8_t others = (uint8_t) ~(1u << i);
    tern__cslot *slot = &cs->slots[i];
    if (!send(s, TERN__PKT_REQ, slot->req + TERN__N_SLOTS, method, body)) return false;
    cs->free_slots &= others;
    cs->unreported &= others;
    cs->reporting &= others;
    cs->in_flight++;
    slot->call = call;
    slot->last_tx = now;
    slot->req += TERN__N_SLOTS;
    slot->phase = TERN__SLOT_REQ;
    slot->n_out = 1;
    s->engine->stats.calls_issued++;
    return true;
}

bool tern__direct_respond(tern__served *served, const tern__body *body) {
    tern__ssession *ss = served->session;
    if (served->state != TERN__SERVED_RUNNING || served->orphan || served->abandoned) return false;
    if (ss->s.state != TERN__STATE_OPEN || !ss->s.link->reliable || !fits(&ss->s, body)) return false;
    if (!send(&ss->s, TERN__PKT_RESP, served->req, 0, body)) return false;
    served->state = TERN__SERVED_DONE;
    ss->n_running--;
    /* Only now: the response may have aliased the request. */
    if (served->held) tern__served_release_request(served);
    return true;
}

/* ---- Receiving ------------------------------------------------------------------------------------ */

/* What the first bytes of a packet say when it carries a whole message and nothing unusual. */
typedef struct whole {
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
    s->confirmed = true;
}

static inline bool rx_request(tern__ssession *ss, const tern__rx_packet *pkt, const whole *w, tern_time now) {
    if (ss->s.role != TERN__SERVER || w->size > ss->s.engine->config.max_message_bytes) return false;
    tern__served *served = ss->slots[w->req % TERN__N_SLOTS];
    if (!served || served->state != TERN__SERVED_DONE || (int32_t)(w->req - served->req) <= 0) return false;
    note_arrival(&ss->s, pkt, now);
    served->req = w->req;
    served->method = w->aux;
    served->format = w->format;
    served->size = w->size;
    served->n_pkts = served->base = 1;
    served->abandoned = served->cr_pending = false;
    served->deadline = TERN__NEVER;
    tern__server_deliver(ss, served, pkt->head + TERN__PKT_HEADER_BYTES, now);
    return true;
}

static inline bool rx_response(tern__csession *cs, const tern__rx_packet *pkt, const whole *w, tern_time now) {
    if (cs->s.role != TERN__CLIENT) return false;
    tern__engine *e = cs->s.engine;
    uint32_t i = w->req % TERN__N_SLOTS, bit = 1u << i;
    tern__cslot *slot = &cs->slots[i];
    if (slot->req != w->req) return false;
    if (((cs->free_slots | cs->unsent) & bit) || slot->phase != TERN__SLOT_REQ || slot->out || slot->win) return false;
    void *call = slot->call;
    tern__arrived msg = {.data = pkt->head + TERN__PKT_HEADER_BYTES, .len = w->size, .format = w->format};
    note_arrival(&cs->s, pkt, now);
    cs->in_flight -= slot->n_out;
    slot->n_out = 0;
    slot->deadline = 0;
    cs->free_slots |= (uint8_t)bit;
    e->stats.calls_completed++;
    if (cs->n_backlog || cs->unsent) tern__client_pump(cs, now);
    e->config.callbacks.on_done(e->config.user, call, TERN_STATUS_OK, &msg);
    return true;
}

bool tern__direct_rx(tern__engine *e, const tern__rx_packet *pkt, tern_time now) {
    if (!pkt->link->reliable || pkt->head_len < TERN__PKT_HEADER_BYTES || pkt->n_spans) return false;
    uint64_t first = tern__load64(pkt->head), second = tern__load64(pkt->head + 8),
             third = tern__load64(pkt->head + 16);
    whole w = {.req = (uint32_t)second, .size = (uint32_t)third, .aux = (uint32_t)(third >> 32)};
    w.format = (uint8_t)(first >> 16);
    /* Packet 0, as long as it says, no flags, status OK, a known format. */
    bool plain = second >> 32 == 0 && w.size == pkt->head_len - TERN__PKT_HEADER_BYTES && (first & 0xff00ff00) == 0 &&
                 w.format <= TERN_FORMAT_PROTOBUF;
    tern__session *s = tern__session_find(e, (uint32_t)(first >> 32));
    if (!plain || !s || s->link != pkt->link || !tern__route_eq(&s->route, &pkt->route)) return false;
    if (s->state != TERN__STATE_OPEN || w.size > s->payload_bytes) return false;
    if ((uint8_t)first == (TERN__PKT_VERSION << 4 | TERN__PKT_REQ))
        return rx_request((tern__ssession *)s, pkt, &w, now);
    if ((uint8_t)first == (TERN__PKT_VERSION << 4 | TERN__PKT_RESP))
        return rx_response((tern__csession *)s, pkt, &w, now);
    return false;
}
