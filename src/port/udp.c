/* The UDP port: sockets, addresses, packet sizes. Sending is in udp_tx.c, receiving in udp_rx.c, siblings of
 * listening sockets in udp_sibling.c.
 *
 * Packet size. The link offers new sessions what fits every path seen so far: the path MTU to each peer
 * connected to, the interface's MTU for each address listened on, 16 KB between processes of one machine. It
 * only ever shrinks. Sockets run with path MTU discovery in its forgiving mode: packets that fit the known
 * path carry "don't fragment", and a session whose path shrinks later is fragmented at the source instead of
 * going silent. */
#include "port/udp.h"

#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/udp.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "port/share.h"
#include "tern/mem.h"

enum { SOCKET_BUFFER_BYTES = 8 << 20, MAX_CANDIDATES = 8, MIN_PAYLOAD = 512 /* a user's choice may not be less */ };

static tern__udp_port *udp_of(tern__port *port) { return TERN__CONTAINER(port, tern__udp_port, port); }

static int errno_to_err(int err) {
    switch (err) {
    case EADDRINUSE: return TERN_ERR_EXISTS;
    case EACCES:
    case EPERM: return TERN_ERR_ACCESS;
    case EADDRNOTAVAIL: return TERN_ERR_ADDRESS;
    case EAFNOSUPPORT: return TERN_ERR_UNSUPPORTED;
    case ENOMEM: return TERN_ERR_NOMEM;
    default: return TERN_ERR_IO;
    }
}

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

/* ---- Sockets ------------------------------------------------------------------------------------ */

static bool set_int(int fd, int level, int option, int value) {
    return setsockopt(fd, level, option, &value, sizeof value) == 0;
}

static int get_int(int fd, int level, int option) {
    int value = 0;
    socklen_t len = sizeof value;
    return getsockopt(fd, level, option, &value, &len) == 0 ? value : -1;
}

static void enlarge_buffers(int fd) {
    if (!set_int(fd, SOL_SOCKET, SO_RCVBUFFORCE, SOCKET_BUFFER_BYTES))
        set_int(fd, SOL_SOCKET, SO_RCVBUF, SOCKET_BUFFER_BYTES);
    if (!set_int(fd, SOL_SOCKET, SO_SNDBUFFORCE, SOCKET_BUFFER_BYTES))
        set_int(fd, SOL_SOCKET, SO_SNDBUF, SOCKET_BUFFER_BYTES);
}

/* A socket for IPv6 may have IPv4 peers, too. */
static void enable_ecn(const tern__udp_sock *sock) {
    set_int(sock->fd, IPPROTO_IP, IP_TOS, TERN__UDP_ECT0);
    set_int(sock->fd, IPPROTO_IP, IP_RECVTOS, 1);
    if (sock->family != AF_INET6) return;
    set_int(sock->fd, IPPROTO_IPV6, IPV6_TCLASS, TERN__UDP_ECT0);
    set_int(sock->fd, IPPROTO_IPV6, IPV6_RECVTCLASS, 1);
}

static void set_options(const tern__udp_port *udp, tern__udp_sock *sock) {
    int fd = sock->fd;
    enlarge_buffers(fd);
    set_int(fd, IPPROTO_IP, IP_MTU_DISCOVER, IP_PMTUDISC_WANT);
    if (sock->family == AF_INET6) {
        set_int(fd, IPPROTO_IPV6, IPV6_MTU_DISCOVER, IPV6_PMTUDISC_WANT);
        set_int(fd, IPPROTO_IPV6, IPV6_V6ONLY, !sock->wildcard);
    }
    if (sock->wildcard && sock->family == AF_INET) set_int(fd, IPPROTO_IP, IP_PKTINFO, 1);
    if (sock->wildcard && sock->family == AF_INET6) set_int(fd, IPPROTO_IPV6, IPV6_RECVPKTINFO, 1);
    if (udp->port.link.ecn) enable_ecn(sock);
    sock->gso = !TERN__IS_OFF(COALESCING) && get_int(fd, SOL_UDP, UDP_SEGMENT) >= 0;
    sock->can_gro = sock->gro = !TERN__IS_OFF(COALESCING) && set_int(fd, SOL_UDP, UDP_GRO, 1);
}

static void log_options(const tern__udp_port *udp, const tern__udp_sock *sock) {
    /* the kernel answers with twice what it grants, for its own bookkeeping */
    tern__port_log(&udp->env, TERN_LOG_INFO, "udp: socket buffers: %d KB receive, %d KB send",
                   get_int(sock->fd, SOL_SOCKET, SO_RCVBUF) / 2048, get_int(sock->fd, SOL_SOCKET, SO_SNDBUF) / 2048);
    if (!sock->gso || !sock->can_gro)
        tern__port_log(&udp->env, TERN_LOG_INFO, "udp: this kernel coalesces no %s", sock->gso ? "receives" : "sends");
}

void tern__udp_sock_close(tern__udp_sock *sock) {
    close(sock->fd); /* leaves the epoll set by itself */
    if (sock->share) tern__share_leave(sock->share, sock->place);
    *sock = (tern__udp_sock){.fd = -1};
}

static bool watch(const tern__udp_port *udp, const tern__udp_sock *sock) {
    struct epoll_event event = {.events = EPOLLIN};
    return epoll_ctl(udp->epoll_fd, EPOLL_CTL_ADD, sock->fd, &event) == 0 || errno == EEXIST;
}

void tern__udp_unwatch(tern__udp_port *udp) {
    for (uint32_t i = 0; i < TERN__COUNT(udp->socks); i++)
        if (udp->socks[i].fd >= 0) epoll_ctl(udp->epoll_fd, EPOLL_CTL_DEL, udp->socks[i].fd, NULL);
    udp->watching = false;
    udp->stats.unwatched++;
}

int tern__udp_sock_open(tern__udp_port *udp, uint32_t index, int family, bool wildcard) {
    int fd = socket(family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    return fd < 0 ? errno_to_err(errno) : tern__udp_sock_adopt(udp, index, fd, family, wildcard);
}

int tern__udp_sock_adopt(tern__udp_port *udp, uint32_t index, int fd, int family, bool wildcard) {
    tern__udp_sock *sock = &udp->socks[index];
    *sock =
        (tern__udp_sock){.fd = fd, .family = (uint8_t)family, .wildcard = wildcard, .home = (uint8_t)index, .burst = 1};
    set_options(udp, sock);
    uint32_t buffer_bytes = (uint32_t)get_int(fd, SOL_SOCKET, SO_RCVBUF);
    if (udp->buffer_bytes == 0 || buffer_bytes < udp->buffer_bytes) udp->buffer_bytes = buffer_bytes;
    if (!udp->watching || watch(udp, sock)) return 0;
    int err = errno_to_err(errno);
    tern__udp_sock_close(sock);
    return err;
}

/* A socket in a free place: fd, or a new one if that is negative. Returns its index or an error. */
static int place_sock(tern__udp_port *udp, int fd, int family, bool wildcard) {
    uint32_t index = 0;
    while (index < TERN__UDP_MAX_SOCKS && udp->socks[index].fd >= 0) index++;
    if (index == TERN__UDP_MAX_SOCKS) {
        if (fd >= 0) close(fd);
        return TERN_ERR_LIMIT;
    }
    int err = fd < 0 ? tern__udp_sock_open(udp, index, family, wildcard)
                     : tern__udp_sock_adopt(udp, index, fd, family, wildcard);
    if (err != 0) return err;
    log_options(udp, &udp->socks[index]);
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
        err = errno_to_err(errno);
        goto fail_sock;
    }
    if ((err = tern__ip_addr_format("udp", &bound, actual, cap)) != 0) goto fail_sock;
    sock->listening = true;
    tern__port_log(&udp->env, TERN_LOG_INFO, "udp: listening at %s, packets of %u bytes", actual,
                   tern__udp_packet_for(udp, sock->family, interface_mtu(sock->fd, addr)));
    return 0;

fail_sock:
    tern__udp_sock_close(sock);
    return err;
}

/* The socket of a place stays open in the share, so that the group that the kernel chooses from never changes. */
static int listen_shared(tern__port *port, tern_listener *share, int wanted) {
    tern__udp_port *udp = udp_of(port);
    tern__ip_addr addr;
    memset(&addr, 0, sizeof addr);
    socklen_t len = sizeof addr;
    int place = tern__share_join(share, wanted);
    if (place < 0) return place;
    int own = tern__share_fd(share, (uint32_t)place), fd = fcntl(own, F_DUPFD_CLOEXEC, 0), index = TERN_ERR_IO;
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
    int n = tern__ip_addr_resolve(address, true, addrs, MAX_CANDIDATES), err = TERN_ERR_ADDRESS;
    if (n < 0) return n;
    for (int i = 0; i < n; i++) {
        err = listen_at(udp_of(port), &addrs[i], actual, cap);
        if (err == 0) return 0;
    }
    tern__port_log(&udp_of(port)->env, TERN_LOG_ERROR, "udp: cannot listen at %s: %s", address, tern_strerror(err));
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
        int err = errno_to_err(errno);
        tern__udp_sock_close(sock);
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
        int err = errno_to_err(errno);
        tern__udp_sock_close(sock);
        return err;
    }
    sock->queues_errors = family == AF_INET ? set_int(sock->fd, IPPROTO_IP, IP_RECVERR, 1)
                                            : set_int(sock->fd, IPPROTO_IPV6, IPV6_RECVERR, 1);
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
    tern__udp_port *udp = udp_of(port);
    tern__ip_addr addrs[MAX_CANDIDATES];
    int n = tern__ip_addr_resolve(address, false, addrs, MAX_CANDIDATES);
    if (n < 0) return n;
    /* the first address that this machine has a way to; the first of all when there is none yet */
    int chosen = 0, mtu = 0;
    for (int i = 0; i < n && mtu == 0; i++) {
        mtu = tern__udp_mtu_to(&addrs[i].any, tern__ip_addr_len(&addrs[i]));
        if (mtu != 0) chosen = i;
    }
    int index = client_sock(udp, &addrs[chosen]);
    if (index < 0) {
        tern__port_log(&udp->env, TERN_LOG_ERROR, "udp: no socket for %s: %s", address, tern_strerror(index));
        return index;
    }
    udp->socks[index].n_users++;
    tern__udp_route_set(out, &addrs[chosen], (uint8_t)index, 0);
    return 0;
}

static void disconnect_route(tern__port *port, const tern__route *route) {
    tern__udp_port *udp = udp_of(port);
    if (tern__udp_sock_of(udp, route) == NULL) return;
    tern__udp_sock *sock = &udp->socks[tern__udp_route_sock(route)];
    if (!is_client_sock(sock) || sock->n_users == 0) return;
    if (sock->connected && !tern__route_eq(&sock->peer, route)) return;
    if (--sock->n_users > 0) return;
    udp->port.link.ops->tx_flush(&udp->port.link); /* a farewell may be waiting */
    tern__udp_suspects_drop(udp, tern__udp_route_sock(route));
    tern__udp_sock_close(sock);
}

/* ---- The port ----------------------------------------------------------------------------------- */

static int port_fd(tern__port *port) { return udp_of(port)->epoll_fd; }

/* Level-triggered: whatever is or comes into a socket wakes the sleeper. The next poll looks everywhere for it. Where
 * the sockets cannot be watched nobody may sleep. */
static bool port_arm(tern__port *port) {
    tern__udp_port *udp = udp_of(port);
    udp->armed = true;
    udp->armed_at = udp->n_polls;
    if (udp->watching) return true;
    for (uint32_t i = 0; i < TERN__COUNT(udp->socks); i++) {
        if (udp->socks[i].fd < 0 || watch(udp, &udp->socks[i])) continue;
        tern__udp_unwatch(udp);
        return false;
    }
    udp->watching = true;
    udp->stats.watched++;
    return true;
}

static void port_free(tern__port *port) {
    tern__udp_port *udp = udp_of(port);
    for (uint32_t i = 0; i < TERN__COUNT(udp->socks); i++)
        if (udp->socks[i].fd >= 0) tern__udp_sock_close(&udp->socks[i]);
    if (udp->rx.buffer != NULL) tern_unref(udp->rx.buffer);
    close(udp->epoll_fd);
    free(udp->tx.staging);
    tern__udp_paths_free(udp);
    free(udp);
}

/* A socket that listens is also the one by which its sessions speak: it stays, but where others share its address new
 * sessions go to them. */
static void port_stop_listening(tern__port *port) {
    const tern__udp_port *udp = udp_of(port);
    for (uint32_t i = 0; i < TERN__COUNT(udp->socks); i++)
        if (udp->socks[i].fd >= 0 && udp->socks[i].share) tern__share_rest(udp->socks[i].share, udp->socks[i].place);
}

static const tern__port_ops udp_ops = {.poll = tern__udp_poll,
                                       .fd = port_fd,
                                       .arm = port_arm,
                                       .listen = listen_address,
                                       .connect = connect_address,
                                       .disconnect = disconnect_route,
                                       .free = port_free,
                                       .listen_shared = listen_shared,
                                       .stop_listening = port_stop_listening};

int tern__udp_port_new(const tern__port_env *env, const tern__udp_options *options, tern__port **out) {
    uint32_t payload = options->payload_bytes;
    if (payload != 0 && (payload < MIN_PAYLOAD || payload > TERN__UDP_MAX_DATAGRAM)) return TERN_ERR_INVALID;
    tern__udp_port *udp = calloc(1, sizeof *udp);
    if (udp == NULL) return TERN_ERR_NOMEM;
    udp->env = *env;
    udp->options = *options;
    for (uint32_t i = 0; i < TERN__COUNT(udp->socks); i++) udp->socks[i].fd = -1;
    udp->n_polls = TERN__UDP_COLD_POLLS; /* nothing has come for long */
    udp->tx.run.kind = TERN__RUN_EQUAL;
    udp->tx.staging = malloc(TERN__UDP_STAGING_BYTES);
    if (udp->tx.staging == NULL) goto fail_udp;
    udp->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    if (udp->epoll_fd < 0) goto fail_staging;

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
    return TERN_ERR_NOMEM;
}
