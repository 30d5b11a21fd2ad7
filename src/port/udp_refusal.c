/* Peers that are not there: the kernel tells of each ICMP error that answers one of our packets.
 *
 * A connected socket tells by the error of the next send or receive, and it is clear whose error that is. A socket that
 * many peers share queues its errors, each with the address that the packet was sent to (IP_RECVERR); the next send or
 * receive fails, whoever it is for, and is to be tried again when the queue has been read.
 *
 * Several "port unreachable" with not one packet in between mean that nobody listens at the peer's port: its process is
 * gone and its sessions with it. A single one may be late news. Any number may be forged, since the ports are all that
 * a forger has to guess; therefore each must answer a packet of ours, and the peer gets time to answer that packet,
 * too.
 *
 * Peers of a shared socket have no place to count in until they are refused: the first refusal makes a peer a suspect,
 * and only the later ones count, because only for suspects is known when something was sent. The table is small, and a
 * suspect about whom nothing more is heard leaves it; peers that find no room are found by their silence. */
#include <errno.h>
#include <netinet/in.h>
#include <stdalign.h>

#include <linux/errqueue.h> /* which needs time.h */

#include "port/udp_refusal.h"

enum { MAX_ERRORS = 1024 /* read at a time */ };

/* ---- Connected sockets --------------------------------------------------------------------------- */

void tern__udp_note_refusal(tern__udp_port *udp, tern__udp_sock *sock) {
    udp->stats.refused++;
    if (!sock->sent || sock->refusals == UINT8_MAX) return;
    sock->sent = false;
    udp->refused = true;
    if (sock->refusals++ == 0) sock->refused_at = tern__coarse_now();
}

/* ---- Suspects ------------------------------------------------------------------------------------ */

static tern__udp_suspect *find_suspect(tern__udp_port *udp, const tern__route *route) {
    for (uint32_t i = 0; i < udp->n_suspects; i++)
        if (tern__route_eq(&udp->suspects[i].route, route)) return &udp->suspects[i];
    return NULL;
}

static void drop_suspect(tern__udp_port *udp, tern__udp_suspect *suspect) {
    *suspect = udp->suspects[--udp->n_suspects];
}

void tern__udp_suspect_refused(tern__udp_port *udp, const tern__route *route) {
    tern__udp_suspect *suspect = find_suspect(udp, route);
    udp->stats.refused++;
    if (!suspect) {
        if (udp->n_suspects == TERN__UDP_MAX_SUSPECTS) return;
        udp->suspects[udp->n_suspects++] = (tern__udp_suspect){.route = *route, .heard_at = tern__coarse_now()};
        return;
    }
    if (!suspect->sent || suspect->refusals == UINT8_MAX) return;
    suspect->sent = false;
    suspect->heard_at = tern__coarse_now();
    udp->refused = true;
    if (suspect->refusals++ == 0) suspect->refused_at = suspect->heard_at;
}

void tern__udp_suspect_sent(tern__udp_port *udp, const tern__route *route) {
    tern__udp_suspect *suspect = find_suspect(udp, route);
    if (suspect) suspect->sent = true;
}

void tern__udp_suspect_spoke(tern__udp_port *udp, const tern__route *route) {
    tern__udp_suspect *suspect = find_suspect(udp, route);
    if (suspect) drop_suspect(udp, suspect);
}

void tern__udp_suspects_drop(tern__udp_port *udp, uint32_t index) {
    for (uint32_t i = udp->n_suspects; i-- > 0;)
        if (tern__udp_route_sock(&udp->suspects[i].route) == index) drop_suspect(udp, &udp->suspects[i]);
}

/* ---- The queue of a shared socket ---------------------------------------------------------------- */

typedef struct error_control {
    alignas(struct cmsghdr) uint8_t bytes[CMSG_SPACE(sizeof(struct sock_extended_err) + sizeof(struct sockaddr_in6))];
} error_control;

/* False: it is no ICMP error. */
static bool read_error(struct msghdr *msg, struct sock_extended_err *error) {
    for (struct cmsghdr *c = CMSG_FIRSTHDR(msg); c != NULL; c = CMSG_NXTHDR(msg, c)) {
        bool is_error = (c->cmsg_level == IPPROTO_IP && c->cmsg_type == IP_RECVERR) ||
                        (c->cmsg_level == IPPROTO_IPV6 && c->cmsg_type == IPV6_RECVERR);
        if (!is_error || c->cmsg_len < CMSG_LEN(sizeof *error)) continue;
        memcpy(error, CMSG_DATA(c), sizeof *error);
        return error->ee_origin == SO_EE_ORIGIN_ICMP || error->ee_origin == SO_EE_ORIGIN_ICMP6;
    }
    return false;
}

uint32_t tern__udp_take_errors(tern__udp_port *udp, const tern__udp_sock *sock) {
    uint32_t address_bytes = sock->family == AF_INET ? sizeof(struct sockaddr_in) : sizeof(struct sockaddr_in6), n = 0;
    for (int i = 0; i < MAX_ERRORS; i++) {
        error_control ctl;
        struct sock_extended_err error;
        tern__route to = {0};
        struct msghdr msg = {.msg_name = to.bytes,
                             .msg_namelen = address_bytes,
                             .msg_control = ctl.bytes,
                             .msg_controllen = sizeof ctl.bytes};
        udp->stats.rx_calls++;
        if (recvmsg(sock->fd, &msg, MSG_ERRQUEUE) < 0) break;
        if (!read_error(&msg, &error)) continue;
        n++;
        if (error.ee_errno != ECONNREFUSED || msg.msg_namelen != address_bytes) continue;
        to.len = address_bytes;
        to.bytes[tern__udp_route_tail(&to)] = sock->home;
        tern__udp_suspect_refused(udp, &to);
    }
    return n;
}

/* ---- Reports ------------------------------------------------------------------------------------- */

static bool is_believed(uint8_t refusals, tern_time refused_at) {
    return refusals >= TERN__UDP_REFUSALS && tern__coarse_now() - refused_at >= (tern_time)TERN__UDP_REFUSED_FOR;
}

static void report_refusal(tern__udp_port *udp, tern__route route) {
    if (udp->env.route_lost != NULL) udp->env.route_lost(udp->env.ctx, &udp->port.link, &route);
}

/* A report runs callbacks, which may change the table: then some suspect has to wait for the next look. */
static void report_suspects(tern__udp_port *udp) {
    for (uint32_t i = udp->n_suspects; i-- > 0;) {
        if (i >= udp->n_suspects) continue;
        tern__udp_suspect suspect = udp->suspects[i];
        bool believed = is_believed(suspect.refusals, suspect.refused_at);
        if (!believed && tern__coarse_now() - suspect.heard_at < (tern_time)TERN__UDP_SUSPECT_FOR) continue;
        drop_suspect(udp, &udp->suspects[i]);
        if (believed) report_refusal(udp, suspect.route);
    }
}

void tern__udp_report_refused(tern__udp_port *udp) {
    udp->refused = false;
    for (uint32_t i = 0; i < udp->n_socks; i++) {
        tern__udp_sock *sock = &udp->socks[i];
        if (sock->fd < 0 || !is_believed(sock->refusals, sock->refused_at)) continue;
        sock->refusals = 0;
        report_refusal(udp, sock->peer);
    }
    if (udp->n_suspects > 0) report_suspects(udp);
}
