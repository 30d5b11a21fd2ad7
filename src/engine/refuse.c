/* Answers to packets that belong to no session of ours, and what such answers do at the other end.
 *
 * On links that anybody can send to, no answer is longer than what it answers, and all answers together are rationed: a
 * storm of stray packets must not make a storm of answers, at our cost or at somebody else's. */
#include "engine/refuse.h"

#include "engine/control.h"
#include "engine/message.h"
#include "engine/sealed_watch.h"
#include "engine/session.h"
#include "engine/setup.h"
#include "engine/table.h"
#include "engine/tracing.h"

static uint64_t packet_bytes(const tern__rx_packet *pkt) { return (uint64_t)pkt->head_len + pkt->spans_len; }

bool tern__may_answer(tern__engine *e, const tern__rx_packet *pkt, uint32_t answer_bytes, tern_time now) {
    if (pkt->link->reliable) return true;
    if (packet_bytes(pkt) < answer_bytes) return false;
    tern_time earliest = now > TERN__REFUSE_BURST * TERN__REFUSE_GAP ? now - TERN__REFUSE_BURST * TERN__REFUSE_GAP : 0;
    if (e->refuse_at < earliest) e->refuse_at = earliest;
    if (e->refuse_at > now) return false;
    e->refuse_at += TERN__REFUSE_GAP;
    return true;
}

void tern__refuse(tern__engine *e, const tern__rx_packet *pkt, const tern__refusal *refusal, tern_time now) {
    uint8_t payload[TERN__REFUSE_BYTES];
    if (!tern__may_answer(e, pkt, TERN__PKT_HEADER_BYTES + TERN__REFUSE_BYTES, now)) return;
    tern__pkt_header h = {.type = TERN__PKT_REFUSE,
                          .status = (uint8_t)tern__refuse_status(refusal->code),
                          .session = refusal->to,
                          .req = refusal->session,
                          .refused = refusal->type,
                          .code = refusal->code | (uint32_t)refusal->detail << 16};
    tern__store64(payload, refusal->secret);
    tern__send_surely(e, NULL, pkt->link, &pkt->route, &h, payload, sizeof payload);
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
    tern__refusal refusal = {.type = h->type, .secret = h->tag, .session = h->session, .code = TERN__REFUSE_NOT_HERE};
    if (h->type != TERN__PKT_DISCONNECT) tern__refuse(e, pkt, &refusal, now);
    const tern__session *s = tern__session_find(e, h->session);
    tern__drop(e, !s ? TERN__DROP_UNKNOWN_SESSION : comes_too_late(s, pkt) ? TERN__DROP_NOT_OPEN : TERN__DROP_FORGED);
}

void tern__refuse_rx(tern__engine *e, const tern__rx_packet *pkt, const tern__pkt_header *h, uint32_t header_bytes) {
    uint8_t p[TERN__REFUSE_BYTES];
    tern__session *s = NULL;
    bool of_connect = h->refused == TERN__PKT_CONNECT;
    if (tern__payload_bytes(pkt, header_bytes) == sizeof p) {
        tern__payload_copy(pkt, header_bytes, p);
        tern__csession *cs = of_connect ? tern__session_connecting(e, pkt, h, tern__load64(p)) : NULL;
        s = cs ? &cs->s : of_connect ? NULL : tern__session_of_peer(e, pkt, h->req, false, tern__load64(p));
    }
    if (!s) {
        tern__drop(e, TERN__DROP_UNASKED);
        return;
    }
    /* The tag proves nothing against whoever sees the packets. */
    if (s->sealed && s->state == TERN__STATE_OPEN) {
        tern__sealed_doubt(s, e->now);
        return;
    }
    bool reason = of_connect && h->status != TERN_STATUS_OK && h->status <= TERN_STATUS_UNAUTHENTICATED;
    tern__session_lose(s, &(tern__loss){.status = reason ? h->status : TERN_STATUS_UNAVAILABLE,
                                        .why = TERN__WHY_REFUSED,
                                        .code = (uint16_t)h->code,
                                        .detail = (uint16_t)(h->code >> 16)});
}
