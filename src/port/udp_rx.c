/* Receiving: a receive brings one datagram, or many coalesced ones of equal size from one sender (UDP_GRO), which
 * are cut apart here and all alias the same pool buffer.
 *
 * Two ways to ask. With UDP_GRO on, recvmsg, because the size of the coalesced packets comes as a control message.
 * With it off, recv or recvfrom, which cost 0.2 us less with a packet and 0.1 us less without: a tenth of a small
 * round trip on loopback, over both ends. A socket begins with recv, and changes to recvmsg for good when packets come
 * in bursts. There is no way back: packets that the kernel is queueing while UDP_GRO goes off come coalesced and
 * without their size, as one packet, and the processor that queues them may stand still meanwhile, for as long as its
 * hypervisor likes. A socket on every address begins with recvmsg, which says which one it was, and so does one that
 * reads marks (ECN), which are a control message, too.
 *
 * How often to ask: a receive that finds nothing costs 0.3 us. So each socket remembers how many receives its last
 * poll could use and asks more often only when all were used: a ping-pong pays one call per poll, a busy socket is
 * drained in large bursts. recvmmsg is not used: for one datagram it costs 0.1 to 0.4 us more, and for many it
 * saves less than UDP_GRO does. */
#include <errno.h>
#include <netinet/udp.h>
#include <stdalign.h>
#include <time.h>

#include "mem/pool.h"
#include "port/socket_option.h"
#include "port/udp_place.h"
#include "port/udp_refusal.h"
#include "port/udp_rx.h"
#include "port/udp_sibling.h"
#include "port/udp_sock.h"
#include "tern/mem.h"

enum { BATCH_MEMORY = 16, LONG_BYTES = 8 << 10, MAX_IDLE = 4 /* receives of a poll that brought nothing */ };

typedef struct control {
    alignas(struct cmsghdr) uint8_t bytes[2 * CMSG_SPACE(sizeof(int)) + CMSG_SPACE(sizeof(struct in6_pktinfo)) +
                                          CMSG_SPACE(sizeof(struct timespec))];
} control;

/* What one receive brought. */
typedef struct arrival {
    ssize_t len; /* < 0: nothing, errno says why */
    bool cut;    /* truncated, in bytes or in control data */
    bool marked; /* by the network, all packets of it */
    uint32_t seg_bytes;
    uint64_t waited_ns; /* in the socket; 0: not known */
    uint8_t local;
    socklen_t name_len;
} arrival;

/* The number of a local address; 0 when the table is full (only its own machine can fill it). */
static uint8_t intern_local(tern__udp_port *udp, const struct in6_addr *addr) {
    for (uint32_t i = 1; i <= udp->n_locals; i++)
        if (memcmp(&udp->locals[i].addr, addr, sizeof *addr) == 0) return (uint8_t)i;
    if (udp->n_locals == TERN__UDP_MAX_LOCALS) return 0;
    udp->locals[++udp->n_locals].addr = *addr;
    return (uint8_t)udp->n_locals;
}

/* The TOS byte: IPv4 has it as a byte, IPv6 as an int. */
static uint8_t tos_of(struct cmsghdr *c) {
    int value;
    if (c->cmsg_level == IPPROTO_IP) return *CMSG_DATA(c);
    memcpy(&value, CMSG_DATA(c), sizeof value);
    return (uint8_t)value;
}

/* The kernel's stamps are by the clock that people set, which may be set in between. */
static uint64_t time_since(struct cmsghdr *c) {
    struct timespec came, now;
    memcpy(&came, CMSG_DATA(c), sizeof came);
    clock_gettime(CLOCK_REALTIME, &now);
    int64_t ns = (now.tv_sec - came.tv_sec) * (int64_t)1000000000 + now.tv_nsec - came.tv_nsec;
    return ns > 0 ? (uint64_t)ns : 0;
}

/* Reads what the kernel says about a receive: the size of the coalesced packets (0: one packet), which of our addresses
 * they came to, when they came, and whether they were marked. */
static void read_control(tern__udp_port *udp, struct msghdr *msg, arrival *a) {
    for (struct cmsghdr *c = CMSG_FIRSTHDR(msg); c != NULL; c = CMSG_NXTHDR(msg, c)) {
        if (c->cmsg_level == SOL_UDP && c->cmsg_type == UDP_GRO) {
            int value;
            memcpy(&value, CMSG_DATA(c), sizeof value);
            a->seg_bytes = value > 0 ? (uint32_t)value : 0;
        } else if (c->cmsg_level == IPPROTO_IP && c->cmsg_type == IP_PKTINFO) {
            struct in_pktinfo info;
            memcpy(&info, CMSG_DATA(c), sizeof info);
            struct in6_addr mapped = {.s6_addr = {[10] = 0xff, [11] = 0xff}};
            memcpy(mapped.s6_addr + 12, &info.ipi_spec_dst, 4);
            a->local = intern_local(udp, &mapped);
        } else if (c->cmsg_level == IPPROTO_IPV6 && c->cmsg_type == IPV6_PKTINFO) {
            struct in6_pktinfo info;
            memcpy(&info, CMSG_DATA(c), sizeof info);
            a->local = intern_local(udp, &info.ipi6_addr);
        } else if ((c->cmsg_level == IPPROTO_IP && c->cmsg_type == IP_TOS) ||
                   (c->cmsg_level == IPPROTO_IPV6 && c->cmsg_type == IPV6_TCLASS)) {
            a->marked = (tos_of(c) & TERN__UDP_CE) == TERN__UDP_CE;
        } else if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_TIMESTAMPNS) {
            a->waited_ns = time_since(c);
        }
    }
}

static bool ensure_udp_buffer(tern__udp_port *udp) {
    if (udp->rx.buffer != NULL) return true;
    udp->rx.buffer = tern_alloc_private(TERN__UDP_RX_BUFFER_BYTES);
    udp->rx.used = 0;
    if (udp->rx.buffer == NULL) return false;
    udp->rx.count = tern__ref_find(udp->rx.buffer, 1);
    udp->stats.rx_buffers++;
    return true;
}

/* The bytes just received have been handled. Whether somebody holds them cannot be told from whether
 * somebody holds older ones of the same buffer, so the space is reused only when nobody holds any. */
static void retire_received(tern__udp_rx *rx, uint32_t len) {
    if (__atomic_load_n(rx->count, __ATOMIC_ACQUIRE) == 1) {
        rx->used = 0;
        return;
    }
    rx->used += (len + 63) & ~(uint32_t)63;
    if (TERN__UDP_RX_BUFFER_BYTES - rx->used >= TERN__UDP_RX_ROOM) return;
    tern_unref(rx->buffer);
    rx->buffer = NULL;
}

/* Cut what came into packets and hand them over: those of one size are one descriptor, a shorter last one another.
 * pkts: room for both; what they have in common is in the first. */
static unsigned deliver_receive(tern__udp_port *udp, tern__rx_packet pkts[2], uint32_t len, uint32_t seg_bytes,
                                tern__rx_fn *fn, void *ctx) {
    if (seg_bytes == 0 || seg_bytes > len) seg_bytes = len;
    uint32_t n_full = len / seg_bytes, rest = len - n_full * seg_bytes;
    uint32_t n = n_full + (rest > 0);
    pkts[0].head = udp->rx.buffer + udp->rx.used;
    pkts[0].head_len = pkts[0].stride = seg_bytes;
    pkts[0].n = n_full;
    if (rest > 0) {
        pkts[1] = pkts[0];
        pkts[1].head += (size_t)n_full * seg_bytes;
        pkts[1].head_len = rest;
        pkts[1].n = 1;
    }
    fn(ctx, pkts, 1 + (rest > 0));
    udp->stats.rx_packets += n;
    if (n > 1) {
        udp->stats.rx_gro_batches++;
        udp->stats.rx_gro_packets += n;
    }
    return n;
}

/* Errors that say something about a peer or the moment, not about the socket. */
static int after_error(tern__udp_port *udp, tern__udp_sock *sock, int err) {
    if (sock->queues_errors)
        tern__udp_take_errors(udp, sock);
    else if (err == ECONNREFUSED)
        tern__udp_note_refusal(udp, sock);
    return err == EBADF || err == ENOTSOCK || err == EINVAL || err == EFAULT ? TERN_ERR_IO : 0;
}

static bool is_sender_known(const tern__udp_sock *sock) { return sock->connected && sock->settling == 0; }

/* The sender's address, where it is not known already, goes to name[0..28). */
static void receive_plain(const tern__udp_sock *sock, uint8_t *space, void *name, arrival *a) {
    if (is_sender_known(sock)) {
        a->len = recv(sock->fd, space, TERN__UDP_RX_ROOM, 0);
    } else {
        a->name_len = sizeof(struct sockaddr_in6);
        a->len = recvfrom(sock->fd, space, TERN__UDP_RX_ROOM, 0, name, &a->name_len);
    }
}

static void receive_message(tern__udp_port *udp, const tern__udp_sock *sock, struct iovec *iovs, uint32_t n_iovs,
                            void *name, arrival *a) {
    control ctl;
    struct msghdr msg = {
        .msg_iov = iovs, .msg_iovlen = n_iovs, .msg_control = ctl.bytes, .msg_controllen = sizeof ctl.bytes};
    if (!is_sender_known(sock)) {
        msg.msg_name = name;
        msg.msg_namelen = sizeof(struct sockaddr_in6);
    }
    a->len = recvmsg(sock->fd, &msg, 0);
    if (a->len < 0) return;
    a->name_len = msg.msg_namelen;
    a->cut = msg.msg_flags & (MSG_TRUNC | MSG_CTRUNC);
    if (msg.msg_controllen > 0) read_control(udp, &msg, a);
}

/* What has come from `sock`, handed over; the number of packets. `from` is the sender's address and zero behind that,
 * unless it is known. */
static unsigned hand_over_receive(tern__udp_port *udp, tern__udp_sock *sock, const tern__udp_places *places,
                                  const tern__route *from, const arrival *a, tern__rx_fn *fn, void *ctx) {
    tern__rx_packet pkts[2], *pkt = pkts;
    tern__rx_packet_init(pkt, &udp->port.link, NULL, 0);
    pkt->ecn_ce = a->marked;
    uint32_t len = (uint32_t)a->len;
    unsigned n = 0;
    udp->stats.rx_marked += a->marked;
    udp->port.link.waited_ns = a->waited_ns;
    if (is_sender_known(sock)) {
        pkt->route = sock->peer;
        sock->refusals = 0;
    } else {
        pkt->route = *from;
        pkt->route.len = a->name_len;
        pkt->route.bytes[tern__udp_route_tail(&pkt->route)] = sock->home;
        pkt->route.bytes[tern__udp_route_tail(&pkt->route) + 1] = a->local;
        if (!sock->listening && udp->n_suspects > 0) tern__udp_suspect_spoke(udp, &pkt->route);
    }
    uint64_t heard = udp->port.link.heard;
    if (places != NULL) {
        uint8_t *space = udp->rx.buffer + udp->rx.used;
        n = tern__udp_place_deliver(udp, places, space, pkt, len, a->seg_bytes, fn, ctx);
    }
    if (n == 0) {
        n = deliver_receive(udp, pkts, len, a->seg_bytes, fn, ctx);
        retire_received(&udp->rx, len);
    }
    /* Who has no session here, or lacks its tag, is not busy, however much comes from there. */
    if (!sock->listening || is_sender_known(sock)) return n;
    if (udp->port.link.heard != heard)
        tern__udp_sibling_heat(udp, sock, &pkt->route);
    else
        udp->n_unheard++;
    return n;
}

/* After a receive. Returns as receive_from_sock() does. */
static int conclude(tern__udp_port *udp, tern__udp_sock *sock, const tern__udp_places *places, const tern__route *from,
                    const arrival *a, uint32_t *bytes, tern__rx_fn *fn, void *ctx) {
    bool settled = sock->settling == 1 && a->len < 0; /* over once it is empty */
    int n = 0;
    if (a->len < 0) {
        *bytes = errno != EAGAIN;
        if (*bytes) n = after_error(udp, sock, errno);
    } else {
        *bytes = (uint32_t)a->len + 1;
        if (a->len == 0 || a->cut)
            udp->stats.rx_dropped++;
        else
            n = (int)hand_over_receive(udp, sock, places, from, a, fn, ctx);
    }
    if (sock->settling > 1 || settled) sock->settling--;
    return n;
}

/* Part of a long message may come. False: not here, as far as is known, and nothing has been received. */
static __attribute__((noinline)) bool receive_placed(tern__udp_port *udp, tern__udp_sock *sock, uint32_t *bytes, int *n,
                                                     tern__rx_fn *fn, void *ctx) {
    uint32_t index = (uint32_t)(sock - udp->socks);
    tern__udp_places places;
    tern__route from = {0};
    arrival a = {.len = -1};
    switch (tern__udp_place_next(udp, index, udp->rx.buffer + udp->rx.used, &places)) {
    case TERN__UDP_ANYWHERE: return false;
    case TERN__UDP_NOTHING: *n = conclude(udp, sock, NULL, &from, &a, bytes, fn, ctx); return true;
    case TERN__UDP_PLACED: break;
    }
    udp->stats.rx_calls++;
    receive_message(udp, sock, places.iovs, places.n_iovs, from.bytes, &a);
    *n = conclude(udp, sock, &places, &from, &a, bytes, fn, ctx);
    tern__udp_place_drop(&places);
    return true;
}

/* One receive. Returns the packets handed over, 0 for none, or TERN_ERR_IO; *bytes is what came and 1 (an error may
 * have come before it, or nothing), 0 when the socket was empty. */
static int receive_from_sock(tern__udp_port *udp, tern__udp_sock *sock, uint32_t *bytes, tern__rx_fn *fn, void *ctx) {
    int n;
    *bytes = 0;
    if (!ensure_udp_buffer(udp)) return 0;
    if (udp->placements.n > 0 && receive_placed(udp, sock, bytes, &n, fn, ctx)) return n;

    tern__route from;
    arrival a = {0};
    uint8_t *space = udp->rx.buffer + udp->rx.used;
    udp->stats.rx_calls++;
    if (!is_sender_known(sock)) memset(&from, 0, sizeof from);
    if (sock->uses_recv)
        receive_plain(sock, space, from.bytes, &a);
    else
        receive_message(udp, sock, &(struct iovec){space, TERN__UDP_RX_ROOM}, 1, from.bytes, &a);
    return conclude(udp, sock, NULL, &from, &a, bytes, fn, ctx);
}

/* After a poll that made `tries` receives which brought something: whether packets may come coalesced from now on. What
 * has piled up while nobody polled is one burst, and no habit. */
static void adapt(tern__udp_sock *sock, uint32_t tries) {
    if (sock->gro || !sock->can_gro) return;
    if (tries >= TERN__UDP_GRO_BURST)
        sock->n_in_bursts += (uint8_t)tries;
    else if (tries == 1 && sock->n_in_bursts)
        sock->n_in_bursts--;
    if (sock->n_in_bursts < TERN__UDP_GRO_HABIT) return;
    sock->gro = sock->can_gro = tern__socket_set(sock->fd, SOL_UDP, UDP_GRO, 1);
    if (sock->gro) sock->uses_recv = false;
}

static int drain_sock(tern__udp_port *udp, tern__udp_sock *sock, bool sibling, unsigned budget, tern__rx_fn *fn,
                      void *ctx) {
    uint32_t tries = 0; /* receives that brought something */
    /* One coalesced receive a poll: what it brings is answered before the next, so that client and server each have
     * something to do, instead of passing one large batch back and forth. Behind a small remainder of a batch comes the
     * next: answered together they stay together. Where long values come there is enough to do for both, and the fewer
     * batches the answers make the better. */
    uint32_t burst = sock->gro ? 1 : sock->burst;
    unsigned n = 0, n_idle = 0;
    uint64_t heard = udp->port.link.heard;
    while (tries < burst && n < budget && sock->fd >= 0) {
        uint32_t bytes;
        int got = receive_from_sock(udp, sock, &bytes, fn, ctx);
        if (got < 0) return got;
        if (!bytes) break;
        if (bytes == 1 && n_idle++ < MAX_IDLE) continue; /* or a hail of errors would hide what is behind them */
        n += (unsigned)got;
        tries++;
        if (sock->gro && (n < sock->batch / 4 * 3 || bytes > LONG_BYTES)) burst = tries + 1;
    }
    if (n > 0) {
        sock->batch = n > sock->batch ? n : sock->batch - (sock->batch - n + BATCH_MEMORY - 1) / BATCH_MEMORY;
        /* What does not speak for the sibling's peer keeps it no longer. */
        if (!sibling || udp->port.link.heard != heard) sock->last_rx = udp->n_polls;
        if (sibling) udp->socks[sock->home].relieved = udp->n_polls;
    }
    if (sock->fd < 0) return (int)n; /* closed by a callback */
    adapt(sock, tries);
    if (tries >= burst)
        sock->burst = burst == 1 ? 2 : TERN__UDP_RX_MAX_BURST;
    else if (n < budget)
        sock->burst = tries > 0 ? tries : 1;
    return (int)n;
}

/* Whether to ask this socket in this poll. Asking costs 0.3 us when it is empty, so a sibling whose peer has fallen
 * silent, and a listening socket whose siblings are busy, have to wait for their turn. */
static bool is_due(const tern__udp_port *udp, const tern__udp_sock *sock, bool sibling) {
    uint64_t now = udp->n_polls;
    if (sibling) return now - sock->last_rx < TERN__UDP_COLD_POLLS;
    return now - sock->relieved >= TERN__UDP_COLD_POLLS || now - sock->last_rx < TERN__UDP_RARELY;
}

/* Nothing has come, and yet something may have woken us: an error whose queue is not empty keeps its socket readable,
 * also when a send that is not told of it has taken note. */
static __attribute__((noinline)) void take_all_errors(tern__udp_port *udp) {
    for (uint32_t i = 0; i < udp->n_socks; i++)
        if (udp->socks[i].fd >= 0 && udp->socks[i].queues_errors) tern__udp_take_errors(udp, &udp->socks[i]);
}

int tern__udp_poll(tern__port *port, unsigned budget, tern__rx_fn *fn, void *ctx) {
    tern__udp_port *udp = TERN__CONTAINER(port, tern__udp_port, port);
    uint32_t n_socks = udp->n_socks, total = n_socks + udp->n_siblings;
    bool woken = udp->armed, all = ++udp->n_polls % TERN__UDP_RARELY == 0 || woken || port->look_soon;
    udp->armed = port->look_soon = false;
    /* each begins in its turn, lest one that uses up the budget starve the others */
    uint32_t at = udp->n_siblings > 0 ? (uint32_t)(udp->n_polls / TERN__UDP_RARELY % total) : 0;
    unsigned n = 0;
    for (uint32_t i = 0; i < total && n < budget; i++, at = at + 1 < total ? at + 1 : 0) {
        bool sibling = at >= n_socks;
        tern__udp_sock *sock = &udp->socks[sibling ? TERN__UDP_MAX_SOCKS + at - n_socks : at];
        if (sock->fd < 0 || (!all && !is_due(udp, sock, sibling))) continue;
        int got = drain_sock(udp, sock, sibling, budget - n, fn, ctx);
        if (got < 0) return got;
        n += (unsigned)got;
    }
    if (all || udp->refused || udp->hot_known) {
        if (woken && n == 0) take_all_errors(udp);
        tern__udp_report_refused(udp);
        tern__udp_sibling_tend(udp);
        if (udp->watching && udp->n_polls - udp->armed_at >= TERN__UDP_AWAKE_POLLS) tern__udp_unwatch(udp);
    }
    return (int)n;
}
