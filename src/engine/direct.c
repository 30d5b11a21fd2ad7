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
    return !body->type && body->len < threshold && body->len <= s->payload_bytes &&
           body->len + TERN__PKT_HEADER_BYTES <= s->link->max_inline;
}

/* `first` is the header's first four bytes but for the version. */
static inline bool send(tern__session *s, uint32_t first, uint32_t req, uint32_t aux, const tern__body *body) {
    uint32_t len = (uint32_t)body->len, bytes = TERN__PKT_HEADER_BYTES + len;
    uint8_t *p = s->link->ops->tx_begin(s->link, &s->route, bytes);
    if (!p) return false;
    tern__store64(p, (uint64_t)s->peer_number << 32 | first | TERN__PKT_VERSION << 4);
    tern__store64(p + 8, req);
    tern__store64(p + 16, (uint64_t)aux << 32 | len);
    if (len) memcpy(p + TERN__PKT_HEADER_BYTES, body->data, len);
    s->link->ops->tx_end(s->link);
    tern__engine_stats *stats = &s->engine->stats;
    stats->tx_messages++;
    stats->copied_bytes += len;
    stats->tx_packets++;
    stats->tx_bytes += bytes;
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

/* A whole message in this packet, headed by nothing unusual. */
static inline bool is_whole(const tern__rx_packet *pkt, const tern__session *s, const tern__pkt_header *h) {
    return h->pkt == 0 && h->flags == 0 && pkt->n_spans == 0 && h->size == pkt->head_len - TERN__PKT_HEADER_BYTES &&
           h->size <= s->payload_bytes && h->format <= TERN_FORMAT_PROTOBUF && s->link->reliable;
}

bool tern__direct_rx_request(tern__ssession *ss, const tern__rx_packet *pkt, const tern__pkt_header *h, tern_time now) {
    tern__engine *e = ss->s.engine;
    tern__served *served = ss->slots[h->req % TERN__N_SLOTS];
    if (!is_whole(pkt, &ss->s, h) || h->size > e->config.max_message_bytes) return false;
    if (!served || served->state != TERN__SERVED_DONE || (int32_t)(h->req - served->req) <= 0) return false;
    served->req = h->req;
    served->method = h->aux;
    served->format = h->format;
    served->size = h->size;
    served->n_pkts = served->base = 1;
    served->abandoned = served->cr_pending = false;
    served->deadline = TERN__NEVER;
    tern__server_deliver(ss, served, pkt->head + TERN__PKT_HEADER_BYTES, now);
    return true;
}

bool tern__direct_rx_response(tern__csession *cs, const tern__rx_packet *pkt, const tern__pkt_header *h,
                              tern_time now) {
    tern__engine *e = cs->s.engine;
    uint32_t i = h->req % TERN__N_SLOTS, bit = 1u << i;
    tern__cslot *slot = &cs->slots[i];
    if (!is_whole(pkt, &cs->s, h) || h->status != TERN_STATUS_OK || slot->req != h->req) return false;
    if (((cs->free_slots | cs->unsent) & bit) || slot->phase != TERN__SLOT_REQ || slot->out || slot->win) return false;
    void *call = slot->call;
    tern__arrived msg = {.data = pkt->head + TERN__PKT_HEADER_BYTES, .len = h->size, .format = h->format};
    cs->in_flight -= slot->n_out;
    slot->n_out = 0;
    slot->deadline = 0;
    cs->free_slots |= (uint8_t)bit;
    e->stats.calls_completed++;
    if (cs->n_backlog || cs->unsent) tern__client_pump(cs, now);
    e->config.callbacks.on_done(e->config.user, call, TERN_STATUS_OK, &msg);
    return true;
}
