/* Siblings: connected sockets behind a listening one, for the peers that keep it busiest.
 *
 * Why. A connected socket needs no route lookup per packet out and no address written per packet in: 0.40 and
 * 0.16 us of some 3.2 each on loopback. A sibling has its listening socket's address and port, so the kernel hands it
 * its peer's packets and leaves all others to the listening socket.
 *
 * Invariants. A peer's route stays what it is, siblings come and go: they report the listening socket's route, and
 * tern__udp_via() finds them when something is sent. The address stays ours alone: the listening socket is
 * bound without SO_REUSEPORT, which is on for it and its siblings just while another sibling binds, so that outside
 * of these microseconds no bind to the address succeeds, and in them only one of our own user (SO_REUSEADDR would
 * let in anybody). Packets of other peers that arrive between bind and connect are handed over as theirs: until
 * the sibling has settled each packet is received with its sender's address. (An address that several endpoints share
 * is open to our own user all the time. There the kernel is told which socket gets what, and a socket that is
 * bound later gets nothing before it is connected: udp_steer.c.)
 *
 * Few siblings, since each is one more socket to ask in a poll, and only for peers that send often. Sockets on
 * every address get none: the address that the peer asked would have to be known and bound. The polls count as time. */
#include <netinet/udp.h>
#include <sys/socket.h>

#include "port/socket_option.h"
#include "port/udp_sibling.h"
#include "port/udp_sock.h"

/* ---- Who is busy -------------------------------------------------------------------------------- */

static uint32_t hash_route(const tern__route *route) {
    uint32_t h = tern__load16(route->bytes + 2); /* the port, then the end of the address */
    h = h * 31 + tern__load32(route->bytes + (route->len == sizeof(struct sockaddr_in) ? 4 : 20));
    return h * 2654435761u >> 16;
}

void tern__udp_sibling_heat(tern__udp_port *udp, const tern__udp_sock *listener, const tern__route *route) {
    uint32_t unheard = udp->n_unheard;
    udp->n_unheard = 0;
    if (listener->wildcard || listener->n_fails >= TERN__UDP_SIBLING_FAILS) return;
    tern__udp_heat *heat = &udp->heats[hash_route(route) % TERN__UDP_HEATS];
    if (heat->route.len == 0 || udp->n_polls - heat->since >= TERN__UDP_HOT_POLLS)
        *heat = (tern__udp_heat){.route = *route, .since = udp->n_polls};
    if (!tern__route_eq(&heat->route, route)) return; /* the place is free again when the other's time is over */
    /* Whoever waits behind strangers' packets needs a socket of its own the sooner. */
    heat->n_receives += unheard < TERN__UDP_HOT_WEIGHT ? 1 + unheard : TERN__UDP_HOT_WEIGHT;
    if (heat->n_receives < TERN__UDP_HOT_RECEIVES || udp->n_polls < udp->sibling_due) return;
    udp->hot = *route;
    udp->hot_known = true;
}

/* ---- Opening and closing ------------------------------------------------------------------------ */

static void close_sibling(tern__udp_port *udp, uint32_t index) {
    udp->port.link.ops->tx_flush(&udp->port.link); /* the batch names sockets by index */
    uint32_t last = TERN__UDP_MAX_SOCKS + --udp->n_siblings;
    tern__udp_sock_close(udp, &udp->socks[index]);
    if (index != last) {
        udp->socks[index] = udp->socks[last];
        udp->socks[last] = (tern__udp_sock){.fd = -1};
    }
    udp->stats.siblings_closed++;
}

/* Let sockets of our own user share the address of socks[home], or no more. */
static void set_shared(tern__udp_port *udp, uint8_t home, int value) {
    tern__socket_set(udp->socks[home].fd, SOL_SOCKET, SO_REUSEPORT, value);
    for (uint32_t i = TERN__UDP_MAX_SOCKS; i < TERN__COUNT(udp->socks); i++)
        if (udp->socks[i].fd >= 0 && udp->socks[i].home == home)
            tern__socket_set(udp->socks[i].fd, SOL_SOCKET, SO_REUSEPORT, value);
}

/* Give an open socket the address of its home and connect it to the peer. */
static bool join_group(tern__udp_port *udp, const tern__udp_sock *sock, const tern__route *peer) {
    tern__ip_addr local, remote;
    tern__route plain = *peer;
    socklen_t len = sizeof local;
    if (getsockname(udp->socks[sock->home].fd, &local.any, &len) != 0) return false;
    memset(plain.bytes + tern__udp_route_tail(&plain), 0, 2);
    memcpy(&remote, plain.bytes, sizeof remote);
    set_shared(udp, sock->home, 1);
    bool bound = bind(sock->fd, &local.any, len) == 0;
    if (!udp->socks[sock->home].share) set_shared(udp, sock->home, 0);
    return bound && connect(sock->fd, &remote.any, plain.len) == 0;
}

static void open_sibling(tern__udp_port *udp, const tern__route *peer) {
    uint8_t home = tern__udp_route_sock(peer);
    uint32_t index = TERN__UDP_MAX_SOCKS + udp->n_siblings;
    tern__udp_sock *listener = &udp->socks[home], *sock = &udp->socks[index];
    if (tern__udp_sock_open(udp, index, listener->family, false) != 0) goto fail;
    sock->home = home;
    if (listener->gro && !sock->gro) sock->gro = tern__socket_set(sock->fd, SOL_UDP, UDP_GRO, 1);
    if (!join_group(udp, sock, peer)) goto fail_sock;
    sock->peer = *peer;
    sock->connected = true;
    sock->settling = TERN__UDP_SETTLING;
    sock->last_rx = udp->n_polls;
    if (sock->gro) sock->uses_recv = false;
    sock->n_in_bursts = listener->n_in_bursts;
    udp->n_siblings++;
    udp->stats.siblings_opened++;
    return;

fail_sock:
    tern__udp_sock_close(udp, sock);
fail:
    if (++listener->n_fails == TERN__UDP_SIBLING_FAILS)
        tern__port_log(&udp->env, TERN_LOG_INFO, "udp: busy peers get no sockets of their own here");
}

static uint32_t coldest(const tern__udp_port *udp) {
    uint32_t found = TERN__UDP_MAX_SOCKS;
    for (uint32_t i = 1; i < udp->n_siblings; i++)
        if (udp->socks[TERN__UDP_MAX_SOCKS + i].last_rx < udp->socks[found].last_rx) found = TERN__UDP_MAX_SOCKS + i;
    return found;
}

void tern__udp_sibling_tend(tern__udp_port *udp) {
    for (uint32_t i = udp->n_siblings; i-- > 0;) {
        const tern__udp_sock *sock = &udp->socks[TERN__UDP_MAX_SOCKS + i];
        /* a refusal: nobody is there any more, or it was forged and costs a while on the listening socket */
        if (sock->refusals > 0 || udp->n_polls - sock->last_rx >= TERN__UDP_DEAD_POLLS)
            close_sibling(udp, TERN__UDP_MAX_SOCKS + i);
    }
    if (!udp->hot_known) return;
    udp->hot_known = false;
    tern__route hot = udp->hot;
    /* packets from before the sibling's time, perhaps */
    if (tern__udp_via(udp, &hot) != tern__udp_route_sock(&hot)) return;
    if (udp->n_siblings == TERN__UDP_MAX_SIBLINGS) {
        uint32_t victim = coldest(udp);
        if (udp->n_polls - udp->socks[victim].last_rx < TERN__UDP_COLD_POLLS) return;
        close_sibling(udp, victim);
    }
    udp->sibling_due = udp->n_polls + TERN__UDP_HOT_POLLS;
    open_sibling(udp, &hot);
}
