/* Packets of any kind to the files that handle them. */
#include "engine/dispatch.h"

#include "engine/client.h"
#include "engine/connect.h"
#include "engine/control.h"
#include "engine/drain.h"
#include "engine/ecn.h"
#include "engine/refuse.h"
#include "engine/report.h"
#include "engine/sealed.h"
#include "engine/server.h"
#include "engine/session.h"
#include "engine/stream_client.h"
#include "engine/stream_server.h"
#include "engine/tracing.h"
#include "engine/versions.h"

static void rx_setup(tern__engine *e, const tern__rx_packet *pkt, const tern__pkt_header *h, uint32_t header_bytes,
                     tern_time now) {
    switch (h->type) {
    case TERN__PKT_CONNECT: tern__connect_rx(e, pkt, header_bytes, now); break;
    case TERN__PKT_ACCEPT: tern__connect_rx_accept(e, pkt, h, header_bytes, now); break;
    case TERN__PKT_RETRY: tern__connect_rx_retry(e, pkt, h, header_bytes, now); break;
    case TERN__PKT_REFUSE: tern__refuse_rx(e, pkt, h, header_bytes); break;
    default: break; /* DISCONNECTED: whoever asked has forgotten the session already */
    }
}

static void rx_ping(tern__session *s, const tern__rx_packet *pkt, const tern__pkt_header *h, uint32_t header_bytes) {
    enum { OF_SLOTS = 4 * TERN__N_SLOTS };
    uint8_t numbers[OF_SLOTS + 4 * TERN__MAX_STREAMS];
    uint64_t len = tern__payload_bytes(pkt, header_bytes), all = OF_SLOTS + 4ull * s->cold->n_streams;
    if (s->role == TERN__SERVER && (len == OF_SLOTS || len == all)) {
        tern__payload_copy(pkt, header_bytes, numbers);
        tern__server_completed((tern__ssession *)s, numbers);
        if (len > OF_SLOTS) s->engine->server_streams->completed((tern__ssession *)s, numbers + OF_SLOTS);
    }
    tern__session_send_pong(s, h->req);
}

static bool read_begun(const tern__session *s, const tern__rx_packet *pkt, uint32_t header_bytes,
                       uint32_t begun[TERN__N_SLOTS]) {
    uint8_t p[TERN__BEGUN_BYTES];
    if (tern__payload_bytes(pkt, header_bytes) != sizeof p) return false;
    tern__payload_copy(pkt, header_bytes, p);
    for (uint32_t i = 0; i < TERN__N_SLOTS; i++) begun[i] = tern__load32(p + 8 + 4 * i);
    return tern__load32(p) == s->peer_number && tern__load32(p + 4) == TERN__N_SLOTS;
}

static void rx_disconnect(tern__session *s, const tern__rx_packet *pkt, uint32_t header_bytes) {
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

/* Whether a packet that names this session may speak for its peer. */
static inline bool is_from_peer(const tern__session *s, const tern__rx_packet *pkt, const tern__pkt_header *h) {
    return s->link == pkt->link && tern__route_eq(&s->route, &pkt->route) &&
           (!s->tx_flags || ((h->flags & TERN__PKT_TAG) && h->tag == s->rx_tag));
}

static void dispatch(tern__session *s, const tern__rx_packet *pkt, const tern__pkt_header *h, uint32_t header_bytes,
                     tern_time now) {
    tern__csession *cs = s->role == TERN__CLIENT ? (tern__csession *)s : NULL;
    tern__ssession *ss = s->role == TERN__SERVER ? (tern__ssession *)s : NULL;
    if (h->flags & TERN__PKT_STREAM) {
        if (cs && (h->type == TERN__PKT_CR || h->type == TERN__PKT_RESP))
            tern__stream_client_rx(cs, pkt, h, header_bytes, now);
        else if (ss && (h->type == TERN__PKT_REQ || h->type == TERN__PKT_RFR))
            tern__stream_server_rx(ss, pkt, h, header_bytes, now);
        else
            tern__drop(s->engine, TERN__DROP_WRONG_SIDE);
    } else if (h->type == TERN__PKT_REQ && ss) {
        tern__server_rx_req(ss, pkt, h, header_bytes, now);
    } else if (h->type == TERN__PKT_RESP && cs) {
        tern__client_rx_resp(cs, pkt, h, header_bytes, now);
    } else if (h->type == TERN__PKT_CR && cs)
        tern__client_rx_cr(cs, h, now);
    else if (h->type == TERN__PKT_RFR && ss)
        tern__server_rx_rfr(ss, h);
    else if (h->type == TERN__PKT_CANCEL && ss)
        tern__server_rx_cancel(ss, h);
    else if (h->type == TERN__PKT_PING)
        rx_ping(s, pkt, h, header_bytes);
    else if (h->type == TERN__PKT_GOAWAY)
        tern__session_rx_goaway(s);
    else if (h->type == TERN__PKT_DISCONNECT)
        rx_disconnect(s, pkt, header_bytes);
    else if (h->type != TERN__PKT_PONG)
        tern__drop(s->engine, TERN__DROP_WRONG_SIDE);
    else if (cs)
        tern__client_rx_pong(cs, h);
}

static inline uint32_t read_header(const tern__engine *e, const tern__rx_packet *pkt, tern__pkt_header *h) {
    if (e->config.cipher) return tern__sealed_read(e, pkt, h);
    return tern__pkt_read(h, pkt->head, pkt->head_len, (uint64_t)pkt->head_len + pkt->spans_len);
}

/* A packet of an open session's peer. */
static void rx_open(tern__session *s, const tern__rx_packet *pkt, const tern__pkt_header *h, uint32_t header_bytes,
                    tern_time now) {
    tern__engine *e = s->engine;
    e->rx_first = s->last_rx != now;
    s->link->heard++;
    tern__session_heard(s, now);
    tern__ecn_begin(s, pkt, h);
    dispatch(s, pkt, h, header_bytes, now);
    tern__ecn_end(e);
}

/* On a link that loses nothing a packet that cannot be received ends its session. */
static void rx_sealed(tern__session *s, const tern__rx_packet *pkt, tern__pkt_header *h, uint32_t header_bytes,
                      tern_time now) {
    tern__rx_packet opened;
    tern__opening opening = tern__sealed_open(s, pkt, h, header_bytes, &opened, now);
    if (opening == TERN__OPENING_NO_MEMORY && s->link->reliable) {
        tern__session_say_goodbye(s);
        tern__session_lose_for(s, TERN__WHY_NO_MEMORY);
    }
    if (opening != TERN__OPENED) return;
    h->flags &= (uint8_t)~TERN__PKT_KEY;
    rx_open(s, &opened, h, header_bytes, now);
    tern_unref(opened.head);
}

void tern__engine_rx_any(tern__engine *e, const tern__rx_packet *pkt, tern_time now) {
    tern__pkt_header h;
    uint32_t header_bytes = read_header(e, pkt, &h);
    if (!header_bytes) {
        if (tern__versions_rx(e, pkt, now)) return;
        tern__trace_received(e, pkt, NULL, 0);
        tern__drop(e, TERN__DROP_MALFORMED);
        return;
    }
    tern__trace_received(e, pkt, &h, header_bytes);
    if (h.type == TERN__PKT_CONNECT || h.type == TERN__PKT_ACCEPT || h.type == TERN__PKT_REFUSE ||
        h.type == TERN__PKT_DISCONNECTED || h.type == TERN__PKT_RETRY) {
        rx_setup(e, pkt, &h, header_bytes, now);
        return;
    }
    if (h.type == TERN__PKT_EXTENSION) {
        tern__drop(e, TERN__DROP_EXTENSION);
        return;
    }
    tern__session *s = tern__session_find(e, h.session);
    if (!s || !is_from_peer(s, pkt, &h)) {
        e->stats.rx_forged += s != NULL;
        tern__session_unknown(e, pkt, &h, now);
        return;
    }
    if (s->state != TERN__STATE_OPEN) {
        tern__drop(e, TERN__DROP_NOT_OPEN);
        return;
    }
    if (s->sealed)
        rx_sealed(s, pkt, &h, header_bytes, now);
    else
        rx_open(s, pkt, &h, header_bytes, now);
}
