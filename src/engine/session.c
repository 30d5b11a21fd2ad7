/* How a session is tested and ends; the packets of sessions that are being set up go to their files from here. */
#include "engine/session.h"
#include "engine/sealed.h"
#include "engine/tracing.h"

void tern__session_lose(tern__session *s, const tern__loss *loss) {
    tern__engine *e = s->engine;
    e->stats.peers_lost++;
    s->cold->lost_why = (uint8_t)loss->why;
    s->cold->lost_code = loss->code;
    s->cold->lost_detail = loss->detail;
    if (s->role == TERN__SERVER) {
        tern__server_drop((tern__ssession *)s, loss->why);
        return;
    }
    tern__csession *cs = (tern__csession *)s;
    if (s->state == TERN__STATE_OPEN) e->stats.sessions_open--;
    tern__session_set_state(s, TERN__STATE_DOWN, loss->why);
    tern__sealed_end(s);
    tern__session_unhash(s);
    tern__list_remove(&s->cold->stalled);
    s->unsent_control = 0;
    tern__timer_set(s, TERN__NEVER);
    cs->why = (uint8_t)loss->status;
    cs->draining = false;
    tern__client_fail_all(cs, loss->status, loss->begun);
    e->config.callbacks.on_session(e->config.user, cs, cs->s.ccold->user, TERN__SESSION_LOST);
}

void tern__session_lost(tern__session *s, tern__why why) {
    tern__session_lose(s, &(tern__loss){.status = TERN_STATUS_UNAVAILABLE, .why = why});
}

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

/* The last request of slot i that has begun: one that has not come whole has not. */
static uint32_t last_begun(const tern__ssession *ss, uint32_t i) {
    const tern__served *served = tern__served_at(ss, i);
    bool partial = served && served->req == ss->s.reqs[i] && served->state == TERN__SERVED_RECEIVING;
    return ss->s.reqs[i] - (partial ? TERN__N_SLOTS : 0);
}

uint32_t tern__session_write_begun(const tern__session *s, uint8_t *out) {
    tern__store32(out, s->number);
    tern__store32(out + 4, TERN__N_SLOTS);
    for (uint32_t i = 0; i < TERN__N_SLOTS; i++)
        tern__store32(out + 8 + 4 * i, last_begun((const tern__ssession *)s, i));
    return TERN__BEGUN_BYTES;
}

static bool read_begun(const tern__session *s, const tern__rx_packet *pkt, uint32_t header_bytes,
                       uint32_t begun[TERN__N_SLOTS]) {
    uint8_t p[TERN__BEGUN_BYTES];
    if (tern__payload_bytes(pkt, header_bytes) != sizeof p) return false;
    tern__payload_copy(pkt, header_bytes, p);
    for (uint32_t i = 0; i < TERN__N_SLOTS; i++) begun[i] = tern__load32(p + 8 + 4 * i);
    return tern__load32(p) == s->peer_number && tern__load32(p + 4) == TERN__N_SLOTS;
}

void tern__session_rx_disconnect(tern__session *s, const tern__rx_packet *pkt, uint32_t header_bytes) {
    uint32_t begun[TERN__N_SLOTS];
    bool known = s->role == TERN__CLIENT && read_begun(s, pkt, header_bytes, begun);
    tern__pkt_header h = tern__session_header(s, TERN__PKT_DISCONNECTED);
    tern__send_control(s, &h, NULL, 0);
    if (s->role == TERN__SERVER)
        tern__server_drop((tern__ssession *)s, TERN__WHY_DISCONNECTED);
    else
        tern__session_lose(s, &(tern__loss){.status = TERN_STATUS_UNAVAILABLE,
                                            .why = TERN__WHY_DISCONNECTED,
                                            .begun = known ? begun : NULL});
}
