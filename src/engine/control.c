/* Small packets that belong to no message, and what becomes of them where a reliable link is full. */
#include "engine/control.h"

#include "engine/peers.h"
#include "engine/tracing.h"
#include "engine/tx.h"

enum {
    MAX_WAITING = 1024,     /* packets without a session that wait for room on reliable links */
    MAX_WAITING_BYTES = 64, /* behind their headers */
    MAX_WAITING_PACKET = TERN__PKT_HEADER_BYTES + TERN__PKT_TAG_BYTES + MAX_WAITING_BYTES + TERN__SEAL_MAX_OVERHEAD,
};

/* The first that finds its link full is tried again in the next tick: a flush may have made room. */
static void begin_retries(tern__engine *e) {
    if (e->now > e->stall_at + TERN__STALL_LONGEST) e->stalled_since = e->now;
    e->stall_at = e->now;
}

/* Where some found room, more room may come at any time. A link that has been full for long (its peer is not there yet,
 * or hangs) is not worth waking up for often, nor are many sessions that wait in vain. */
void tern__set_retry(tern__engine *e, uint32_t n, bool moved) {
    tern_dur pause = (tern_dur)(e->now - e->stalled_since), least = (tern_dur)n * TERN__STALL_EACH;
    if (moved) e->stalled_since = e->now;
    if (pause < TERN__STALL_RETRY) pause = TERN__STALL_RETRY;
    if (pause > TERN__STALL_LONGEST) pause = TERN__STALL_LONGEST;
    if (moved || pause < least) pause = least;
    e->stall_at = e->now + (tern_time)pause;
}

void tern__session_stall(tern__session *s) {
    tern__engine *e = s->engine;
    if (!tern__list_empty(&s->cold->stalled)) return;
    if (tern__list_empty(&e->stalled) && tern__list_empty(&e->waiting_control)) begin_retries(e);
    tern__wait_in(e, &e->stalled, &s->cold->stalled);
    s->parked = false;
}

bool tern__session_park(tern__session *s) {
    tern__engine *e = s->engine;
    tern__peer *peer = s->cold->peer;
    if (!peer->full_since) peer->full_since = e->now;
    if (!s->link->tells_room || e->now - peer->full_since < TERN__STALL_LONGEST) return false;
    if (tern__list_empty(&e->parked)) e->park_at = e->now + TERN__PARK_RETRY;
    tern__list_remove(&s->cold->stalled);
    tern__wait_in(e, &e->parked, &s->cold->stalled);
    s->parked = true;
    return true;
}

static void unpark(tern__session *s) {
    tern__engine *e = s->engine;
    tern__list_remove(&s->cold->stalled);
    tern__wait_in(e, &e->stalled, &s->cold->stalled);
    s->parked = false;
    e->stall_at = e->now;
}

void tern__unpark_all(tern__engine *e) {
    while (!tern__list_empty(&e->parked)) unpark(TERN__CONTAINER(e->parked.next, tern__cold, stalled)->session);
}

void tern__unpark_route(tern__engine *e, const tern__link *link, const tern__route *route) {
    tern__peer *peer = tern__list_empty(&e->parked) ? NULL : tern__peer_find(e, link, route);
    for (tern__session *s = peer ? tern__peer_walk(e, peer) : NULL; s; s = tern__peer_next(e, peer)) {
        if (s->parked && !tern__list_empty(&s->cold->stalled)) unpark(s);
    }
}

void tern__session_send_soon(tern__session *s) {
    tern__engine *e = s->engine;
    if (tern__list_empty(&e->soon)) e->soon_at = e->now + TERN__STALL_RETRY;
    tern__list_remove(&s->cold->stalled);
    tern__wait_in(e, &e->soon, &s->cold->stalled);
    s->parked = false;
}

bool tern__send_control(tern__session *s, const tern__pkt_header *h, const void *payload, uint32_t len) {
    tern__tx tx;
    uint8_t *p = tern__tx_begin(&tx, s, h, len, len, 0);
    if (!p) return tern__trace_blocked(s->engine, s, &s->route, h, len);
    if (len) memcpy(p, payload, len);
    if (!tern__tx_end(&tx, h)) return false;
    tern__trace_sent(s->engine, s, &s->route, h, len);
    return true;
}

/* A whole packet of no session, or of one that may have ended since the packet was made. */
static bool send_flat(tern__engine *e, tern__link *link, const tern__route *route, const tern__pkt_header *h,
                      uint32_t payload_bytes, const uint8_t *packet, uint32_t len) {
    uint8_t *p = tern__tx_one(link, route, len, 0);
    if (!p) return tern__trace_blocked(e, NULL, route, h, payload_bytes);
    memcpy(p, packet, len);
    link->ops->tx_commit(link, 1);
    tern__trace_sent(e, NULL, route, h, payload_bytes);
    return true;
}

bool tern__send_small(tern__engine *e, tern__link *link, const tern__route *route, const tern__pkt_header *h,
                      const void *payload, uint32_t len) {
    uint8_t packet[MAX_WAITING_PACKET];
    return send_flat(e, link, route, h, len, packet, tern__tx_flat(NULL, h, payload, len, packet));
}

/* Remember that the link did not take `which`, or that it did. */
void tern__session_mark_unsent(tern__session *s, uint8_t which, bool sent) {
    s->unsent_control &= (uint8_t)~which;
    if (sent) return;
    s->unsent_control |= which;
    tern__session_stall(s);
}

bool tern__session_send_ping(tern__session *s) {
    tern__pkt_header h = tern__session_header(s, TERN__PKT_PING);
    bool sent = tern__send_control(s, &h, NULL, 0);
    if (s->link->reliable) tern__session_mark_unsent(s, TERN__UNSENT_PING, sent);
    return sent;
}

void tern__session_send_pong(tern__session *s, uint32_t req) {
    tern__pkt_header h = tern__session_header(s, TERN__PKT_PONG);
    h.req = req;
    bool sent = tern__send_control(s, &h, NULL, 0);
    if (!s->link->reliable) return;
    s->cold->pong_req = req;
    tern__session_mark_unsent(s, TERN__UNSENT_PONG, sent);
}

/* A packet of no session that waits for room. */
typedef struct waiting {
    tern__node node;
    tern__link *link;
    tern__route route;
    tern_time until; /* nobody waits for it any more */
    tern__pkt_header header;
    uint32_t payload_bytes;
    uint32_t len; /* of the packet, as it travels */
    uint8_t packet[MAX_WAITING_PACKET];
} waiting;

static void drop_waiting(tern__engine *e, waiting *l) {
    tern__list_remove(&l->node);
    e->n_waiting_control--;
    tern_unref(l);
}

void tern__send_surely(tern__engine *e, tern__session *s, tern__link *link, const tern__route *route,
                       const tern__pkt_header *h, const void *payload, uint32_t payload_bytes) {
    uint8_t packet[MAX_WAITING_PACKET];
    uint32_t len = tern__tx_flat(s, h, payload, payload_bytes, packet);
    if (!len || send_flat(e, link, route, h, payload_bytes, packet, len)) return;
    if (!link->reliable || e->n_waiting_control == MAX_WAITING) return;
    waiting *l = tern_alloc_private(sizeof *l);
    if (!l) return;
    *l = (waiting){.link = link, .route = *route, .header = *h, .payload_bytes = payload_bytes, .len = len};
    l->until = e->now + (tern_time)e->config.connect_timeout;
    memcpy(l->packet, packet, len);
    if (tern__list_empty(&e->stalled) && tern__list_empty(&e->waiting_control)) begin_retries(e);
    tern__wait_in(e, &e->waiting_control, &l->node);
    e->n_waiting_control++;
}

void tern__waiting_control_send(tern__engine *e, tern_time now) {
    for (tern__node *node = e->waiting_control.next, *next; node != &e->waiting_control; node = next) {
        waiting *l = TERN__CONTAINER(node, waiting, node);
        next = node->next;
        if (l->until <= now || send_flat(e, l->link, &l->route, &l->header, l->payload_bytes, l->packet, l->len))
            drop_waiting(e, l);
    }
}

void tern__waiting_control_drop(tern__engine *e, const tern__link *link, const tern__route *route) {
    for (tern__node *node = e->waiting_control.next, *next; node != &e->waiting_control; node = next) {
        waiting *l = TERN__CONTAINER(node, waiting, node);
        next = node->next;
        if (!route || (l->link == link && tern__route_eq(&l->route, route))) drop_waiting(e, l);
    }
}
