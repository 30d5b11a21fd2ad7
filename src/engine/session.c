/* How a session is tested and ends; the packets of sessions that are being set up go to their files from here. */
#include "engine/session.h"
#include "engine/tracing.h"

void tern__session_lose(tern__session *s, int status, tern__why why, uint16_t code, uint16_t detail) {
    tern__engine *e = s->engine;
    e->stats.peers_lost++;
    s->cold->lost_why = (uint8_t)why;
    s->cold->lost_code = code;
    s->cold->lost_detail = detail;
    if (s->role == TERN__SERVER) {
        tern__server_drop((tern__ssession *)s, why);
        return;
    }
    tern__csession *cs = (tern__csession *)s;
    if (s->state == TERN__STATE_OPEN) e->stats.sessions_open--;
    tern__session_set_state(s, TERN__STATE_DOWN, why);
    tern__session_unhash(s);
    tern__list_remove(&s->cold->stalled);
    s->unsent_control = 0;
    tern__timer_set(s, TERN__NEVER);
    cs->why = (uint8_t)status;
    cs->draining = false;
    tern__client_fail_all(cs, status);
    e->config.callbacks.on_session(e->config.user, cs, cs->s.ccold->user, TERN__SESSION_LOST);
}

void tern__session_lost(tern__session *s, tern__why why) { tern__session_lose(s, TERN_STATUS_UNAVAILABLE, why, 0, 0); }

tern__why tern__engine_session_loss(const tern__csession *cs, uint16_t *code, uint16_t *detail) {
    *code = cs->s.cold->lost_code;
    *detail = cs->s.cold->lost_detail;
    return (tern__why)cs->s.cold->lost_why;
}

void tern__session_rx_setup(tern__engine *e, const tern__rx_packet *pkt, const tern__pkt_header *h,
                            uint32_t header_bytes, tern_time now) {
    switch (h->type) {
    case TERN__PKT_CONNECT: tern__connect_rx(e, pkt, header_bytes, now); break;
    case TERN__PKT_ACCEPT: tern__connect_rx_accept(e, pkt, h, header_bytes, now); break;
    case TERN__PKT_RETRY: tern__connect_rx_retry(e, pkt, h, header_bytes, now); break;
    case TERN__PKT_REFUSE: tern__refuse_rx(e, pkt, h, header_bytes); break;
    default: break; /* DISCONNECTED: whoever asked has forgotten the session already */
    }
}

void tern__session_rx_ping(tern__session *s, const tern__rx_packet *pkt, const tern__pkt_header *h,
                           uint32_t header_bytes) {
    uint8_t numbers[4 * TERN__N_SLOTS];
    if (tern__payload_bytes(pkt, header_bytes) == sizeof numbers && s->role == TERN__SERVER) {
        tern__payload_copy(pkt, header_bytes, numbers);
        tern__server_completed((tern__ssession *)s, numbers);
    }
    tern__session_send_pong(s, h->req);
}

void tern__session_rx_disconnect(tern__session *s) {
    tern__pkt_header h = tern__session_header(s, TERN__PKT_DISCONNECTED);
    tern__send_control(s, &h, NULL, 0);
    if (s->role == TERN__SERVER)
        tern__server_drop((tern__ssession *)s, TERN__WHY_DISCONNECTED);
    else
        tern__session_lost(s, TERN__WHY_DISCONNECTED);
}
