/* A UDP port under test together with what it has received. Waiting is on the port's own descriptor, so a
 * packet that never comes ends a wait after WAIT_MS and nothing sleeps otherwise. */
#ifndef TERN_TESTS_UDP_PEER_H
#define TERN_TESTS_UDP_PEER_H

#include <netinet/udp.h>
#include <poll.h>

#include "packets.h"
#include "port/socket_option.h"
#include "port/udp.h"
#include "port/udp_port.h"
#include "tern/mem.h"

enum { WAIT_MS = 2000, MAX_KEPT = 4096 };

typedef struct peer {
    tern__port *port;
    tern__udp_port *udp;
    char address[128]; /* of its listening socket, without the scheme */
    unsigned n;        /* packets received */
    uint32_t lens[MAX_KEPT];
    uint64_t sums[MAX_KEPT];
    const uint8_t *heads[MAX_KEPT]; /* valid later only where `hold` */
    bool marked[MAX_KEPT];          /* by the network */
    tern__route from;               /* of the last packet */
    bool hold;                      /* take a reference on each packet */
    bool echo;                      /* send each packet back */
    bool hears_nobody;              /* all packets are strangers': none counts as heard (tern__link.heard) */
    unsigned n_lost;                /* route_lost reports */
    tern__route lost;               /* the last of them */
    char log[1024];
} peer;

static inline uint64_t sum_of(const uint8_t *data, uint32_t len) {
    uint64_t h = 0xcbf29ce484222325u;
    for (uint32_t i = 0; i < len; i++) h = (h ^ data[i]) * 0x100000001b3u;
    return h;
}

static inline void peer_log(void *user, tern_log_level level, const char *line) {
    peer *p = (peer *)user;
    (void)level;
    strncat(p->log, line, sizeof p->log - strlen(p->log) - 1);
    strncat(p->log, "\n", sizeof p->log - strlen(p->log) - 1);
}

static inline void peer_route_lost(void *ctx, tern__link *link, const tern__route *route) {
    (void)link;
    ((peer *)ctx)->lost = *route;
    ((peer *)ctx)->n_lost++;
}

static inline int peer_init_ecn(peer *p, uint32_t payload_bytes, bool ecn) {
    memset(p, 0, sizeof *p);
    tern__port_env env = {.log = peer_log, .log_user = p, .route_lost = peer_route_lost, .ctx = p};
    tern__udp_options options = {.payload_bytes = payload_bytes, .ecn = ecn};
    int err = tern__udp_port_new(&env, &options, &p->port);
    if (err == 0) p->udp = TERN__CONTAINER(p->port, tern__udp_port, port);
    return err;
}

static inline int peer_init(peer *p, uint32_t payload_bytes) { return peer_init_ecn(p, payload_bytes, false); }

static inline void peer_fini(peer *p) {
    if (p->port != NULL) p->port->ops->free(p->port);
    p->port = NULL;
}

static inline int peer_listen(peer *p, const char *address) {
    char url[128];
    int err = p->port->ops->listen(p->port, address, url, sizeof url);
    if (err != 0) return err;
    memcpy(p->address, url + strlen("udp://"), strlen(url) - strlen("udp://") + 1);
    return 0;
}

/* One packet: `inline_bytes` from data staged, the rest in place. */
static inline bool peer_put(peer *p, const tern__route *route, const uint8_t *data, uint32_t len,
                            uint32_t inline_bytes) {
    tern__link *link = &p->port->link;
    uint8_t *out = tern__tx_one(link, route, inline_bytes, TERN__TX_MANY);
    if (out == NULL) return false;
    memcpy(out, data, inline_bytes);
    if (link->ops->tx_add(link, 0, data + inline_bytes, len - inline_bytes) != 0) {
        link->ops->tx_commit(link, 0);
        return false;
    }
    link->ops->tx_commit(link, 1);
    return true;
}

static inline void peer_flush(peer *p) { p->port->link.ops->tx_flush(&p->port->link); }

/* As after a burst, for good: packets that were sent together arrive coalesced. */
static inline void peer_has_had_a_burst(peer *p) {
    for (unsigned i = 0; i < TERN__COUNT(p->udp->socks); i++) {
        tern__udp_sock *sock = &p->udp->socks[i];
        if (sock->fd < 0 || !sock->can_gro || sock->gro) continue;
        sock->gro = tern__socket_set(sock->fd, SOL_UDP, UDP_GRO, 1);
        sock->uses_recv = !sock->gro;
    }
}

static inline void on_one(void *ctx, const tern__rx_packet *pkt) {
    peer *p = (peer *)ctx;
    if (p->n < MAX_KEPT) {
        p->lens[p->n] = pkt->head_len;
        p->sums[p->n] = sum_of(pkt->head, pkt->head_len);
        p->heads[p->n] = pkt->head;
        p->marked[p->n] = pkt->ecn_ce;
        if (p->hold) tern_ref(pkt->head);
    }
    p->n++;
    p->from = pkt->route;
    pkt->link->heard += !p->hears_nobody;
    /* copied: the next receive may use the buffer again before the flush */
    if (p->echo) peer_put(p, &pkt->route, pkt->head, pkt->head_len, pkt->head_len);
}
EACH_PACKET(peer_on_packets, on_one)

static inline int peer_poll(peer *p) {
    int n = p->port->ops->poll(p->port, 64, peer_on_packets, p);
    peer_flush(p);
    return n;
}

/* Poll until `n` packets have come, all told. False when they don't. */
static inline bool peer_wait(peer *p, unsigned n) {
    while (p->n < n) {
        int got = peer_poll(p);
        if (got < 0) return false;
        if (got > 0) continue;
        struct pollfd fd = {.fd = p->port->ops->fd(p->port), .events = POLLIN};
        if (p->port->ops->arm(p->port) && poll(&fd, 1, WAIT_MS) <= 0) return p->n >= n;
    }
    return true;
}

#endif
