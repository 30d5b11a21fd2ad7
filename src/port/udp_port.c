/* The UDP port: addresses, packet sizes, sleeping. Sending is in udp_tx.c, receiving in udp_rx.c, sockets are in
 * udp_sock.c, siblings of listening sockets in udp_sibling.c.
 *
 * Packet size. Each session takes a snapshot of its path when it opens (udp_path.c): the path MTU to a peer, and up to
 * 64,996 bytes of payload between processes of one machine. */
#include "port/udp_port.h"

#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "port/hosts.h"
#include "port/share.h"
#include "port/socket_option.h"
#include "port/udp_path.h"
#include "port/udp_refusal.h"
#include "port/udp_rx.h"
#include "port/udp_sock.h"
#include "port/udp_tx.h"
#include "tern/mem.h"

enum { MAX_CANDIDATES = 8 };

static tern__udp_port *udp_of_port(tern__port *port) { return TERN__CONTAINER(port, tern__udp_port, port); }

/* ---- Packet size -------------------------------------------------------------------------------- */

static bool same_host(const struct sockaddr *a, const tern__ip_addr *b) {
    if (a->sa_family != b->any.sa_family) return false;
    const tern__ip_addr *addr = (const tern__ip_addr *)(const void *)a;
    if (a->sa_family == AF_INET) return addr->v4.sin_addr.s_addr == b->v4.sin_addr.s_addr;
    return memcmp(&addr->v6.sin6_addr, &b->v6.sin6_addr, sizeof addr->v6.sin6_addr) == 0;
}

/* The MTU of the interface that has this address; for the wildcard the least of all that are up. 0 when it
 * cannot be told. */
static int interface_mtu(int fd, const tern__ip_addr *addr) {
    struct ifaddrs *list;
    if (getifaddrs(&list) != 0) return 0;
    int mtu = 0;
    for (const struct ifaddrs *i = list; i != NULL; i = i->ifa_next) {
        if (i->ifa_addr == NULL || !(i->ifa_flags & IFF_UP)) continue;
        if (i->ifa_addr->sa_family != AF_INET && i->ifa_addr->sa_family != AF_INET6) continue;
        if (!tern__ip_addr_is_wildcard(addr) && !same_host(i->ifa_addr, addr)) continue;
        struct ifreq req = {0};
        strncpy(req.ifr_name, i->ifa_name, sizeof req.ifr_name - 1);
        if (ioctl(fd, SIOCGIFMTU, &req) == 0 && (mtu == 0 || req.ifr_mtu < mtu)) mtu = req.ifr_mtu;
    }
    freeifaddrs(list);
    return mtu;
}

/* A socket in a free place: fd, or a new one if that is negative. Returns its index or an error. */
static int place_sock(tern__udp_port *udp, int fd, int family, bool wildcard) {
    uint32_t index = 0;
    while (index < TERN__UDP_MAX_SOCKS && udp->socks[index].fd >= 0) index++;
    if (index == TERN__UDP_MAX_SOCKS) {
        if (fd >= 0) close(fd);
        return tern__port_limit();
    }
    int err = fd < 0 ? tern__udp_sock_open(udp, index, family, wildcard)
                     : tern__udp_sock_adopt(udp, index, fd, family, wildcard);
    if (err != 0) return err;
    tern__udp_sock_log(udp, &udp->socks[index]);
    if (index >= udp->n_socks) udp->n_socks = index + 1;
    return (int)index;
}

static int open_sock(tern__udp_port *udp, int family, bool wildcard) { return place_sock(udp, -1, family, wildcard); }

/* ---- Listening ---------------------------------------------------------------------------------- */

static int listen_at(tern__udp_port *udp, const tern__ip_addr *addr, char *actual, size_t cap) {
    int index = open_sock(udp, addr->any.sa_family, tern__ip_addr_is_wildcard(addr));
    if (index < 0) return index;
    tern__udp_sock *sock = &udp->socks[index];
    tern__ip_addr bound;
    memset(&bound, 0, sizeof bound);
    socklen_t len = sizeof bound;
    int err;
    if (bind(sock->fd, &addr->any, tern__ip_addr_len(addr)) != 0 || getsockname(sock->fd, &bound.any, &len) != 0) {
        err = tern__udp_error(errno);
        goto fail_sock;
    }
    if ((err = tern__ip_addr_format("udp", &bound, actual, cap)) != 0) goto fail_sock;
    sock->listening = true;
    tern__port_log(&udp->env, TERN_LOG_INFO, "udp: listening at %s, packets of %u bytes", actual,
                   tern__udp_packet_for(udp, sock->family, interface_mtu(sock->fd, addr)));
    return 0;

fail_sock:
    tern__udp_sock_close(udp, sock);
    return err;
}

/* The socket of a place stays open in the share, so that the group that the kernel chooses from never changes. */
static int listen_shared(tern__port *port, tern_listener *share, int wanted) {
    tern__udp_port *udp = udp_of_port(port);
    tern__ip_addr addr;
    memset(&addr, 0, sizeof addr);
    socklen_t len = sizeof addr;
    int place = tern__share_join(share, wanted);
    if (place < 0) return place;
    int own = tern__share_fd(share, (uint32_t)place), fd = fcntl(own, F_DUPFD_CLOEXEC, 0);
    int index = fd < 0 ? tern__port_lack() : TERN_ERR_IO;
    if (fd >= 0 && getsockname(own, &addr.any, &len) == 0)
        index = place_sock(udp, fd, addr.any.sa_family, tern__ip_addr_is_wildcard(&addr));
    if (index < 0) {
        tern__share_leave(share, (uint32_t)place);
        return index;
    }
    tern__udp_sock *sock = &udp->socks[index];
    sock->share = share;
    sock->place = (uint32_t)place;
    sock->listening = true;
    tern__port_log(&udp->env, TERN_LOG_INFO, "udp: listening at place %d of %s, packets of %u bytes", place,
                   tern__share_address(share), tern__udp_packet_for(udp, sock->family, interface_mtu(sock->fd, &addr)));
    if (!tern__share_follows(share))
        tern__port_log(&udp->env, TERN_LOG_WARN,
                       "udp: this kernel sends packets to the endpoints of an address by their "
                       "sender alone: sessions may be lost when endpoints come and go");
    return place;
}

static int listen_address(tern__port *port, const char *address, char *actual, size_t cap) {
    tern__ip_addr addrs[MAX_CANDIDATES];
    int n = tern__hosts_resolve(address, true, addrs, MAX_CANDIDATES), err = TERN_ERR_ADDRESS;
    if (n < 0) return n;
    for (int i = 0; i < n; i++) {
        err = listen_at(udp_of_port(port), &addrs[i], actual, cap);
        if (err == 0) return 0;
    }
    return err == TERN_ERR_UNSUPPORTED ? TERN_ERR_ADDRESS : err;
}

/* ---- Connecting --------------------------------------------------------------------------------- */

static bool is_client_sock(const tern__udp_sock *sock) { return sock->fd >= 0 && !sock->listening; }

/* The socket connected to this peer, or -1; *taken says whether there is one for another peer. */
static int find_connected(const tern__udp_port *udp, const tern__ip_addr *peer, bool *taken) {
    *taken = false;
    for (uint32_t i = 0; i < udp->n_socks; i++) {
        const tern__udp_sock *sock = &udp->socks[i];
        if (!is_client_sock(sock) || !sock->connected) continue;
        tern__route route;
        tern__udp_route_set(&route, peer, (uint8_t)i, 0);
        if (tern__route_eq(&route, &sock->peer)) return (int)i;
        *taken = true;
    }
    return -1;
}

/* A socket of its own for this peer. Returns its index or an error. */
static int open_connected(tern__udp_port *udp, const tern__ip_addr *peer) {
    int index = open_sock(udp, peer->any.sa_family, false);
    if (index < 0) return index;
    tern__udp_sock *sock = &udp->socks[index];
    if (connect(sock->fd, &peer->any, tern__ip_addr_len(peer)) != 0) {
        int err = tern__udp_error(errno);
        tern__udp_sock_close(udp, sock);
        return err;
    }
    sock->connected = true;
    tern__udp_route_set(&sock->peer, peer, (uint8_t)index, 0);
    return index;
}

/* The socket for all peers of a family that have none of their own. */
static int shared_sock(tern__udp_port *udp, int family) {
    for (uint32_t i = 0; i < udp->n_socks; i++) {
        const tern__udp_sock *sock = &udp->socks[i];
        if (is_client_sock(sock) && !sock->connected && sock->family == family) return (int)i;
    }
    int index = open_sock(udp, family, false);
    if (index < 0) return index;
    tern__ip_addr any;
    memset(&any, 0, sizeof any);
    any.any.sa_family = (sa_family_t)family;
    tern__udp_sock *sock = &udp->socks[index];
    if (bind(sock->fd, &any.any, tern__ip_addr_len(&any)) != 0) {
        int err = tern__udp_error(errno);
        tern__udp_sock_close(udp, sock);
        return err;
    }
    sock->queues_errors = family == AF_INET ? tern__socket_set(sock->fd, IPPROTO_IP, IP_RECVERR, 1)
                                            : tern__socket_set(sock->fd, IPPROTO_IPV6, IPV6_RECVERR, 1);
    return index;
}

/* The socket to reach `peer` by. */
static int client_sock(tern__udp_port *udp, const tern__ip_addr *peer) {
    bool taken;
    int index = find_connected(udp, peer, &taken);
    if (index >= 0) return index;
    if (!taken) {
        index = open_connected(udp, peer);
        if (index >= 0) return index;
        /* no way there at the moment; there may be one later */
    }
    return shared_sock(udp, peer->any.sa_family);
}

static int connect_address(tern__port *port, const char *address, tern__route *out) {
    tern__udp_port *udp = udp_of_port(port);
    tern__ip_addr addrs[MAX_CANDIDATES];
    int n = tern__hosts_resolve(address, false, addrs, MAX_CANDIDATES);
    if (n < 0) return n;
    /* the first address that this machine has a way to; the first of all when there is none yet */
    int chosen = 0, mtu = 0;
    for (int i = 0; i < n && mtu == 0; i++) {
        mtu = tern__udp_mtu_to(&addrs[i].any, tern__ip_addr_len(&addrs[i]));
        if (mtu != 0) chosen = i;
    }
    int index = client_sock(udp, &addrs[chosen]);
    if (index < 0) return index;
    udp->socks[index].n_users++;
    tern__udp_route_set(out, &addrs[chosen], (uint8_t)index, 0);
    return 0;
}

static void disconnect_route(tern__port *port, const tern__route *route) {
    tern__udp_port *udp = udp_of_port(port);
    if (tern__udp_sock_of(udp, route) == NULL) return;
    tern__udp_sock *sock = &udp->socks[tern__udp_route_sock(route)];
    if (!is_client_sock(sock) || sock->n_users == 0) return;
    if (sock->connected && !tern__route_eq(&sock->peer, route)) return;
    if (--sock->n_users > 0) return;
    udp->port.link.ops->tx_flush(&udp->port.link); /* a farewell may be waiting */
    tern__udp_suspects_drop(udp, tern__udp_route_sock(route));
    tern__udp_sock_close(udp, sock);
}

/* ---- The port ----------------------------------------------------------------------------------- */

static int port_fd(tern__port *port) { return udp_of_port(port)->epoll_fd; }

/* Level-triggered: whatever is or comes into a socket wakes the sleeper. The next poll looks everywhere for it. Where
 * the sockets cannot be watched nobody may sleep. */
static bool port_arm(tern__port *port) {
    tern__udp_port *udp = udp_of_port(port);
    udp->armed = true;
    udp->armed_at = udp->n_polls;
    return udp->watching || tern__udp_watch(udp);
}

static void port_free(tern__port *port) {
    tern__udp_port *udp = udp_of_port(port);
    for (uint32_t i = 0; i < TERN__COUNT(udp->socks); i++)
        if (udp->socks[i].fd >= 0) tern__udp_sock_close(udp, &udp->socks[i]);
    if (udp->rx.buffer != NULL) tern_unref(udp->rx.buffer);
    close(udp->epoll_fd);
    free(udp->tx.staging);
    tern__udp_paths_free(udp);
    free(udp);
}

/* A socket that listens is also the one by which its sessions speak: it stays, but where others share its address new
 * sessions go to them. */
static void port_stop_listening(tern__port *port) {
    const tern__udp_port *udp = udp_of_port(port);
    for (uint32_t i = 0; i < TERN__COUNT(udp->socks); i++)
        if (udp->socks[i].fd >= 0 && udp->socks[i].share) tern__share_rest(udp->socks[i].share, udp->socks[i].place);
}

static void name_peer(const tern__route *route, char *out, size_t cap) {
    tern__ip_addr addr;
    memset(&addr, 0, sizeof addr);
    memcpy(&addr, route->bytes, route->len < sizeof addr ? route->len : sizeof addr);
    if (tern__ip_addr_format("udp", &addr, out, cap)) snprintf(out, cap, "udp");
}

static const tern__port_ops udp_ops = {.poll = tern__udp_poll,
                                       .fd = port_fd,
                                       .arm = port_arm,
                                       .listen = listen_address,
                                       .connect = connect_address,
                                       .disconnect = disconnect_route,
                                       .free = port_free,
                                       .listen_shared = listen_shared,
                                       .stop_listening = port_stop_listening,
                                       .name_peer = name_peer};

bool tern__udp_payload_is_valid(uint32_t payload_bytes) {
    return payload_bytes == 0 || (payload_bytes >= TERN__UDP_MIN_PAYLOAD && payload_bytes <= TERN__UDP_MAX_DATAGRAM);
}

int tern__udp_port_new(const tern__port_env *env, const tern__udp_options *options, tern__port **out) {
    uint32_t payload = options->payload_bytes;
    if (!tern__udp_payload_is_valid(payload)) return TERN_ERR_INVALID;
    tern__udp_port *udp = calloc(1, sizeof *udp);
    int err = TERN_ERR_NOMEM;
    if (udp == NULL) return err;
    udp->env = *env;
    udp->payload_bytes = payload;
    udp->times = options->times;
    for (uint32_t i = 0; i < TERN__COUNT(udp->socks); i++) udp->socks[i].fd = -1;
    udp->n_polls = TERN__UDP_COLD_POLLS; /* nothing has come for long */
    udp->tx.run.kind = TERN__RUN_EQUAL;
    udp->tx.staging = malloc(TERN__UDP_STAGING_BYTES);
    if (udp->tx.staging == NULL) goto fail_udp;
    udp->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    if (udp->epoll_fd < 0) {
        err = tern__port_lack();
        goto fail_staging;
    }

    udp->placements.max = TERN__MAX_PLACEMENTS;
    udp->port = (tern__port){.ops = &udp_ops, .name = "udp", .takes_hosts = true};
    udp->first_path = (tern__path){.max_packet = payload != 0 ? payload : TERN__UDP_DEFAULT_PAYLOAD,
                                   .max_posts = TERN__UDP_MAX_POSTS,
                                   .threshold = TERN__UDP_THRESHOLD,
                                   .noise_ns = TERN__UDP_NOISE_NS};
    udp->port.link = (tern__link){.ops = &tern__udp_link_ops,
                                  .path = &udp->first_path,
                                  .max_inline = payload > TERN__UDP_MIN_INLINE ? payload : TERN__UDP_MIN_INLINE,
                                  .max_posts = TERN__UDP_MAX_POSTS,
                                  .expect_bytes = TERN__UDP_PLACE_BYTES,
                                  .ecn = options->ecn};
    *out = &udp->port;
    return 0;

fail_staging:
    free(udp->tx.staging);
fail_udp:
    free(udp);
    return err;
}
