/* The UDP port's sockets (udp_sock.h).
 *
 * Sockets run with path MTU discovery in its forgiving mode: packets that fit the known path carry "don't fragment",
 * and a session whose path shrinks later is fragmented at the source instead of going silent. */
#include "port/udp_sock.h"

#include <errno.h>
#include <netinet/udp.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "port/share.h"
#include "port/socket_option.h"

enum { SOCKET_BUFFER_BYTES = 8 << 20 };

int tern__udp_error(int error) {
    switch (error) {
    case EADDRINUSE: return TERN_ERR_EXISTS;
    case EACCES:
    case EPERM: return TERN_ERR_ACCESS;
    case EADDRNOTAVAIL: return TERN_ERR_ADDRESS;
    case EAFNOSUPPORT: return TERN_ERR_UNSUPPORTED;
    case ENOMEM: return TERN_ERR_NOMEM;
    case EMFILE:
    case ENFILE: return TERN_ERR_LIMIT;
    default: return TERN_ERR_IO;
    }
}

static int get_int(int fd, int level, int option) {
    int value = 0;
    socklen_t len = sizeof value;
    return getsockopt(fd, level, option, &value, &len) == 0 ? value : -1;
}

static void enlarge_buffers(int fd) {
    if (!tern__socket_set(fd, SOL_SOCKET, SO_RCVBUFFORCE, SOCKET_BUFFER_BYTES))
        tern__socket_set(fd, SOL_SOCKET, SO_RCVBUF, SOCKET_BUFFER_BYTES);
    if (!tern__socket_set(fd, SOL_SOCKET, SO_SNDBUFFORCE, SOCKET_BUFFER_BYTES))
        tern__socket_set(fd, SOL_SOCKET, SO_SNDBUF, SOCKET_BUFFER_BYTES);
}

/* A socket for IPv6 may have IPv4 peers, too. */
static void enable_ecn(const tern__udp_sock *sock) {
    tern__socket_set(sock->fd, IPPROTO_IP, IP_TOS, TERN__UDP_ECT0);
    tern__socket_set(sock->fd, IPPROTO_IP, IP_RECVTOS, 1);
    if (sock->family != AF_INET6) return;
    tern__socket_set(sock->fd, IPPROTO_IPV6, IPV6_TCLASS, TERN__UDP_ECT0);
    tern__socket_set(sock->fd, IPPROTO_IPV6, IPV6_RECVTCLASS, 1);
}

/* Asked of another socket: one on which packets may come already must not turn UDP_GRO off again (udp_rx.c). */
static bool has_gro(void) {
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    bool has = fd >= 0 && tern__socket_set(fd, SOL_UDP, UDP_GRO, 1);
    if (fd >= 0) close(fd);
    return has;
}

static void set_options(const tern__udp_port *udp, tern__udp_sock *sock) {
    int fd = sock->fd;
    enlarge_buffers(fd);
    tern__socket_set(fd, IPPROTO_IP, IP_MTU_DISCOVER, IP_PMTUDISC_WANT);
    if (sock->family == AF_INET6) {
        tern__socket_set(fd, IPPROTO_IPV6, IPV6_MTU_DISCOVER, IPV6_PMTUDISC_WANT);
        tern__socket_set(fd, IPPROTO_IPV6, IPV6_V6ONLY, !sock->wildcard);
    }
    if (sock->wildcard && sock->family == AF_INET) tern__socket_set(fd, IPPROTO_IP, IP_PKTINFO, 1);
    if (sock->wildcard && sock->family == AF_INET6) tern__socket_set(fd, IPPROTO_IPV6, IPV6_RECVPKTINFO, 1);
    if (udp->port.link.ecn) enable_ecn(sock);
    sock->gso = !TERN__IS_OFF(COALESCING) && get_int(fd, SOL_UDP, UDP_SEGMENT) >= 0;
    sock->can_gro = !TERN__IS_OFF(COALESCING) && has_gro();
    bool timed = udp->times && tern__socket_set(fd, SOL_SOCKET, SO_TIMESTAMPNS, 1);
    bool plain = !sock->wildcard && !udp->port.link.ecn;
    sock->uses_recv = plain && !timed;
    sock->gro = sock->can_gro && !plain && tern__socket_set(fd, SOL_UDP, UDP_GRO, 1);
}

static bool watch_sock(const tern__udp_port *udp, const tern__udp_sock *sock) {
    struct epoll_event event = {.events = EPOLLIN};
    return epoll_ctl(udp->epoll_fd, EPOLL_CTL_ADD, sock->fd, &event) == 0 || errno == EEXIST;
}

int tern__udp_sock_open(tern__udp_port *udp, uint32_t index, int family, bool wildcard) {
    int fd = socket(family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    return fd < 0 ? tern__udp_error(errno) : tern__udp_sock_adopt(udp, index, fd, family, wildcard);
}

int tern__udp_sock_adopt(tern__udp_port *udp, uint32_t index, int fd, int family, bool wildcard) {
    tern__udp_sock *sock = &udp->socks[index];
    *sock =
        (tern__udp_sock){.fd = fd, .family = (uint8_t)family, .wildcard = wildcard, .home = (uint8_t)index, .burst = 1};
    set_options(udp, sock);
    uint32_t buffer_bytes = (uint32_t)get_int(fd, SOL_SOCKET, SO_RCVBUF);
    if (udp->buffer_bytes == 0 || buffer_bytes < udp->buffer_bytes) udp->buffer_bytes = buffer_bytes;
    if (!udp->watching || watch_sock(udp, sock)) return 0;
    int err = tern__udp_error(errno);
    tern__udp_sock_close(udp, sock);
    return err;
}

/* Closing alone would leave the socket in the set as long as a child of fork() has it, too. It may not be there. */
void tern__udp_sock_close(const tern__udp_port *udp, tern__udp_sock *sock) {
    int why = errno; /* perhaps of what the caller gives up for */
    epoll_ctl(udp->epoll_fd, EPOLL_CTL_DEL, sock->fd, NULL);
    close(sock->fd);
    errno = why;
    if (sock->share) tern__share_leave(sock->share, sock->place);
    *sock = (tern__udp_sock){.fd = -1};
}

void tern__udp_sock_log(tern__udp_port *udp, const tern__udp_sock *sock) {
    if (udp->told_buffers) return;
    udp->told_buffers = true;
    /* the kernel answers with twice what it grants, for its own bookkeeping */
    tern__port_log(&udp->env, TERN_LOG_INFO, "udp: socket buffers: %d KB receive, %d KB send",
                   get_int(sock->fd, SOL_SOCKET, SO_RCVBUF) / 2048, get_int(sock->fd, SOL_SOCKET, SO_SNDBUF) / 2048);
    if (!sock->gso || !sock->can_gro)
        tern__port_log(&udp->env, TERN_LOG_INFO, "udp: this kernel coalesces no %s", sock->gso ? "receives" : "sends");
}

/* ---- The epoll set ------------------------------------------------------------------------------ */

void tern__udp_unwatch(tern__udp_port *udp) {
    for (uint32_t i = 0; i < TERN__COUNT(udp->socks); i++)
        if (udp->socks[i].fd >= 0) epoll_ctl(udp->epoll_fd, EPOLL_CTL_DEL, udp->socks[i].fd, NULL);
    udp->watching = false;
    udp->stats.unwatched++;
}

bool tern__udp_watch(tern__udp_port *udp) {
    for (uint32_t i = 0; i < TERN__COUNT(udp->socks); i++) {
        if (udp->socks[i].fd < 0 || watch_sock(udp, &udp->socks[i])) continue;
        tern__udp_unwatch(udp);
        return false;
    }
    udp->watching = true;
    udp->stats.watched++;
    return true;
}
