/* Answers to packets that belong to no session of ours, and what such answers do at the other end. */
#include "engine/session.h"
#include "engine/setup.h"
#include "engine/tracing.h"

/* On links that anybody can send to REFUSE packets are rationed: a storm of stray packets must not make a storm of
 * answers. */
static bool may_refuse(tern__engine *e, tern_time now) {
    tern_time earliest = now > TERN__REFUSE_BURST * TERN__REFUSE_GAP ? now - TERN__REFUSE_BURST * TERN__REFUSE_GAP : 0;
    if (e->refuse_at < earliest) e->refuse_at = earliest;
    if (e->refuse_at > now) return false;
    e->refuse_at += TERN__REFUSE_GAP;
    return true;
}

/* Says that `session` is not here (`type` tells to which packet), proving by `secret` that we saw it. */
void tern__refuse(tern__engine *e, const tern__rx_packet *pkt, uint8_t type, uint32_t to, uint64_t secret,
                   uint32_t session, uint8_t status, tern_time now) {
    uint8_t payload[TERN__REFUSE_BYTES];
    if (!pkt->link->reliable && !may_refuse(e, now)) return;
    tern__pkt_header h = {.type = TERN__PKT_REFUSE, .status = status, .session = to, .pkt = type, .size = TERN__REFUSE_BYTES};
    h.aux = e->draining;
    tern__store64(payload, secret);
    tern__store32(payload + 8, session);
    tern__send_surely(e, pkt->link, &pkt->route, &h, payload, sizeof payload);
}

/* A packet of the session's peer, which does not know that the session is down. */
static bool comes_too_late(const tern__session *s, const tern__rx_packet *pkt) {
    return s->link == pkt->link && tern__route_eq(&s->route, &pkt->route) && s->state == TERN__STATE_DOWN;
}

void tern__session_unknown(tern__engine *e, const tern__rx_packet *pkt, const tern__pkt_header *h, tern_time now) {
    /* A packet for another endpoint that came here along with one of ours: the session is well, it will be repeated. */
    if (tern__session_is_of_other_shard(e, h->session)) {
        tern__drop(e, TERN__DROP_OTHER_ENDPOINT);
        return;
    }
    if (h->type != TERN__PKT_DISCONNECT) tern__refuse(e, pkt, h->type, 0, h->tag, h->session, TERN_STATUS_UNAVAILABLE, now);
    const tern__session *s = tern__session_find(e, h->session);
    tern__drop(e, !s ? TERN__DROP_UNKNOWN_SESSION : comes_too_late(s, pkt) ? TERN__DROP_NOT_OPEN : TERN__DROP_FORGED);
}

void tern__refuse_rx(tern__engine *e, const tern__rx_packet *pkt, const tern__pkt_header *h, uint32_t header_bytes) {
    uint8_t p[TERN__REFUSE_BYTES];
    tern__session *s = NULL;
    if (tern__payload_bytes(pkt, header_bytes) == TERN__REFUSE_BYTES) {
        tern__payload_copy(pkt, header_bytes, p);
        tern__csession *cs = h->pkt == TERN__PKT_CONNECT ? tern__session_connecting(e, pkt, h, tern__load64(p)) : NULL;
        if (h->pkt != TERN__PKT_CONNECT)
            s = tern__session_of_peer(e, pkt, tern__load32(p + 8), false, tern__load64(p));
        else if (cs)
            s = &cs->s;
    }
    bool reason =
        h->pkt == TERN__PKT_CONNECT && h->status != TERN_STATUS_OK && h->status <= TERN_STATUS_UNAUTHENTICATED;
    if (s)
        tern__session_lose(s, reason ? h->status : TERN_STATUS_UNAVAILABLE, TERN__WHY_REFUSED);
    else
        tern__drop(e, TERN__DROP_UNASKED);
}
