/* Sending: packets are collected into a batch, the batch is sorted into groups of one destination and size, and the
 * groups go to the kernel by one call. Equal small packets in a row, all that many calls at once send, are one
 * run from the start: another of them is a comparison of routes and a copy, which the engine makes by itself (the
 * row in engine/link.h), and the whole batch one piece.
 *
 * Invariant: runs partition iovs, in order; staging holds what their pieces copied; what is in the row lies behind
 * that and belongs to the last run. The kernel has copied everything when a send returns, so after a flush the batch
 * is empty and nothing of the caller's is referred to. A packet that the kernel does not take is dropped: the link is
 * lossy by contract. It may reorder, too: packets of different sizes to one destination overtake each other within a
 * batch (requests and credit returns alternate, and in the order given hardly two could leave together).
 *
 * Why coalesce: on loopback a datagram costs about 2.4 us of kernel time, and 60 of them in one UDP_SEGMENT
 * send about as much as one. */
#include <errno.h>
#include <netinet/udp.h>
#include <stdalign.h>

#include "port/udp.h"
#include "tern/mem.h"

/* Pieces this short are copied behind the bytes before them: an entry of its own costs the kernel more. */
enum { SMALL_POST = 192, GSO_FAILS_MAX = 8 };

/* Room for UDP_SEGMENT and for the larger of the two PKTINFO messages. */
typedef struct control {
    alignas(struct cmsghdr) uint8_t bytes[CMSG_SPACE(sizeof(uint16_t)) + CMSG_SPACE(sizeof(struct in6_pktinfo))];
} control;

static tern__udp_port *udp_of(tern__link *link) { return TERN__CONTAINER(link, tern__udp_port, port.link); }

static uint32_t staged_slack(void) { return TERN__UDP_MAX_POSTS * SMALL_POST; }

static bool has_room(const tern__udp_tx *tx, uint32_t n_bytes) {
    return tx->n_dests <= TERN__UDP_BATCH_PACKETS && tx->n_iovs + TERN__UDP_MAX_POSTS + 2 <= TERN__UDP_MAX_IOVS &&
           tx->staging_used + n_bytes + staged_slack() <= TERN__UDP_STAGING_BYTES;
}

/* Whether packets to this route can leave now: its socket is open and still that peer's. */
static bool is_usable(const tern__udp_port *udp, const tern__route *route) {
    const tern__udp_sock *sock = tern__udp_sock_of(udp, route);
    return sock != NULL && (!sock->connected || tern__route_eq(&sock->peer, route));
}

/* The route's number in the batch, or -1 when nothing can be sent there. */
static int find_dest(const tern__udp_port *udp, tern__udp_tx *tx, const tern__route *route) {
    for (uint32_t i = tx->n_dests; i-- > 0;)
        if (tern__route_eq(&tx->dests[i], route)) return (int)i;
    if (!is_usable(udp, route)) return -1;
    tx->dests[tx->n_dests] = *route;
    tx->dest_socks[tx->n_dests] = tern__udp_via(udp, route);
    return (int)tx->n_dests++;
}

static void flush(tern__link *link);

/* Packets that the sender has added to the row by itself are in the batch from now on, and the row ends. */
static inline void close_row(tern__link *link, tern__udp_tx *tx) {
    tern__row *row = &link->row;
    if (row->end == NULL) return;
    uint32_t bytes = (uint32_t)(row->at - (tx->staging + tx->staging_used)), n = bytes / row->packet_bytes;
    tx->tail->n_packets += n;
    tx->iovs[tx->tail->first_iov].iov_len += bytes;
    tx->n_packets += n;
    tx->staging_used += bytes;
    tx->batch_bytes += bytes;
    link->unaided_packets += n;
    link->unaided_bytes += bytes;
    link->made_bytes += row->made_bytes;
    row->at = row->end = NULL;
    row->made_bytes = 0;
}

/* After a second packet like the one before it more may follow: they go behind it without us, but for the last that the
 * batch takes, with which it leaves. */
static inline void open_row(tern__link *link, tern__udp_tx *tx) {
    tern__row *row = &link->row;
    uint32_t bytes = tx->tail->bytes, room = (TERN__UDP_MAX_DATAGRAM - tx->batch_bytes) / bytes;
    if (room > TERN__UDP_BATCH_PACKETS - tx->n_packets) room = TERN__UDP_BATCH_PACKETS - tx->n_packets;
    if (room < 2) return;
    row->at = tx->staging + tx->staging_used;
    row->end = row->at + (room - 1) * bytes;
    row->packet_bytes = bytes;
    row->route = tx->dests[tx->tail->dest];
}

static void *begin(tern__link *link, const tern__route *route, uint32_t n_bytes) {
    tern__udp_port *udp = udp_of(link);
    tern__udp_tx *tx = &udp->tx;
    if (n_bytes > link->max_inline) return NULL;
    close_row(link, tx);
    if (!has_room(tx, n_bytes)) flush(link);
    int dest = find_dest(udp, tx, route);
    if (dest < 0) return NULL;
    tx->runs[tx->n_runs] =
        (tern__udp_run){.dest = (uint32_t)dest, .n_packets = 1, .first_iov = tx->n_iovs, .bytes = n_bytes};
    tx->pkt_staged = tx->staging_used;
    tx->pkt_posts = 0;
    uint8_t *out = tx->staging + tx->staging_used;
    if (n_bytes > 0) tx->iovs[tx->n_iovs++] = (struct iovec){out, n_bytes};
    tx->staging_used += n_bytes;
    return out;
}

/* Add a piece, as part of the one before it where that ends there. */
static void append_piece(struct iovec *iovs, uint32_t first, uint32_t *n, void *data, size_t len) {
    if (*n > first) {
        struct iovec *last = &iovs[*n - 1];
        if ((uint8_t *)last->iov_base + last->iov_len == data) {
            last->iov_len += len;
            return;
        }
    }
    iovs[(*n)++] = (struct iovec){data, len};
}

static int post(tern__link *link, const void *data, uint32_t len) {
    tern__udp_tx *tx = &udp_of(link)->tx;
    tern__udp_run *run = &tx->runs[tx->n_runs];
    if (len == 0) return 0;
    if (tx->pkt_posts >= link->max_posts) return TERN_ERR_LIMIT;
    tx->pkt_posts++;
    run->bytes += len < TERN__UDP_MAX_DATAGRAM ? len : TERN__UDP_MAX_DATAGRAM;
    if (len <= SMALL_POST) {
        uint8_t *out = tx->staging + tx->staging_used;
        memcpy(out, data, len);
        tx->staging_used += len;
        append_piece(tx->iovs, run->first_iov, &tx->n_iovs, out, len);
    } else {
        tx->iovs[tx->n_iovs++] = (struct iovec){(void *)(uintptr_t)data, len};
    }
    return 0;
}

static void abort_packet(tern__link *link) {
    tern__udp_tx *tx = &udp_of(link)->tx;
    tx->n_iovs = tx->runs[tx->n_runs].first_iov;
    tx->staging_used = tx->pkt_staged;
}

static bool coalesces(const tern__udp_port *udp, uint32_t dest) { return udp->socks[udp->tx.dest_socks[dest]].gso; }

/* A packet of so many bytes has ended. As much as one send takes leaves at once: let the receiver work on it while the
 * next batch is built. */
static inline void count_packet(tern__link *link, tern__udp_tx *tx, uint32_t bytes) {
    tx->batch_bytes += bytes;
    tx->n_packets++;
    if (tx->n_packets == TERN__UDP_BATCH_PACKETS || tx->batch_bytes + bytes > TERN__UDP_MAX_DATAGRAM) flush(link);
}

/* The last run of the batch grows by the packet behind it. */
static inline void grow_tail(tern__udp_tx *tx, uint32_t bytes) {
    tx->tail->n_packets++;
    tx->iovs[tx->tail->first_iov].iov_len += bytes;
}

static void end(tern__link *link) {
    tern__udp_port *udp = udp_of(link);
    tern__udp_tx *tx = &udp->tx;
    tern__udp_run *run = &tx->runs[tx->n_runs];
    uint32_t bytes = run->bytes;
    if (bytes == 0 || bytes > TERN__UDP_MAX_DATAGRAM) {
        udp->stats.tx_dropped++;
        abort_packet(link);
        return;
    }
    run->n_iovs = tx->n_iovs - run->first_iov;
    bool staged = run->n_iovs == 1 && tx->staging_used == tx->pkt_staged + bytes && coalesces(udp, run->dest);
    if (staged && tx->tail != NULL && tx->tail->bytes == bytes && tx->tail->dest == run->dest) {
        grow_tail(tx, bytes);
        tx->n_iovs--;
    } else {
        tx->n_runs++;
        tx->tail = staged ? run : NULL;
    }
    count_packet(link, tx, bytes);
}

__attribute__((noinline)) static bool send_other(tern__link *link, const tern__route *route, const void *header,
                                                 uint32_t header_bytes, const void *data, uint32_t len) {
    uint8_t *p = begin(link, route, header_bytes + len);
    if (p == NULL) return false;
    tern__copy_short(p, header, header_bytes);
    tern__copy_short(p + header_bytes, data, len);
    end(link);
    return true;
}

/* Staging has room for what a batch has: it leaves before it is larger than a datagram. */
static bool send_small(tern__link *link, const tern__route *route, const void *header, uint32_t header_bytes,
                       const void *data, uint32_t len) {
    tern__udp_tx *tx = &udp_of(link)->tx;
    uint32_t bytes = header_bytes + len;
    close_row(link, tx);
    if (tx->tail == NULL || tx->tail->bytes != bytes || !tern__route_eq(&tx->dests[tx->tail->dest], route))
        return send_other(link, route, header, header_bytes, data, len);
    uint8_t *p = tx->staging + tx->staging_used;
    tern__copy_short(p, header, header_bytes);
    tern__copy_short(p + header_bytes, data, len);
    tx->staging_used += bytes;
    grow_tail(tx, bytes);
    count_packet(link, tx, bytes);
    if (tx->tail != NULL) open_row(link, tx);
    return true;
}

/* ---- Grouping ----------------------------------------------------------------------------------- */

static tern__udp_group group_of(const tern__udp_run *run, uint32_t index) {
    return (tern__udp_group){.dest = run->dest,
                             .seg_bytes = run->bytes,
                             .total_bytes = run->n_packets * run->bytes,
                             .n_segs = run->n_packets,
                             .head = index,
                             .tail = index};
}

static void join(tern__udp_tx *tx, tern__udp_group *group, uint32_t index) {
    tern__udp_run *run = &tx->runs[index];
    tx->runs[group->tail].next = index;
    group->tail = index;
    group->total_bytes += run->n_packets * run->bytes;
    group->n_segs += run->n_packets;
    group->closed = run->bytes < group->seg_bytes;
}

static bool can_join(const tern__udp_group *group, const tern__udp_run *run) {
    return group->dest == run->dest && !group->closed && group->n_segs > 0 &&
           group->total_bytes + run->n_packets * run->bytes <= TERN__UDP_MAX_DATAGRAM;
}

/* Each run to the latest group of its destination and size. */
static void group_equals(const tern__udp_port *udp, tern__udp_tx *tx) {
    for (uint32_t i = 0; i < tx->n_runs; i++) {
        const tern__udp_run *run = &tx->runs[i];
        uint32_t j = coalesces(udp, run->dest) ? tx->n_groups : 0;
        while (j > 0 && !(tx->groups[j - 1].seg_bytes == run->bytes && can_join(&tx->groups[j - 1], run))) j--;
        if (j > 0)
            join(tx, &tx->groups[j - 1], i);
        else
            tx->groups[tx->n_groups++] = group_of(run, i);
    }
}

/* A packet alone in its size may be the shorter last one of another group. */
static void group_singles(const tern__udp_port *udp, tern__udp_tx *tx) {
    for (uint32_t i = 0; i < tx->n_groups; i++) {
        tern__udp_group *single = &tx->groups[i];
        const tern__udp_run *run = &tx->runs[single->head];
        if (single->n_segs != 1 || !coalesces(udp, run->dest)) continue;
        for (uint32_t j = 0; j < tx->n_groups; j++) {
            if (tx->groups[j].seg_bytes <= run->bytes || !can_join(&tx->groups[j], run)) continue;
            join(tx, &tx->groups[j], single->head);
            single->n_segs = 0;
            break;
        }
    }
}

/* The pieces of each group side by side, in groups that have any, at the start of the array. */
static void gather(tern__udp_tx *tx) {
    uint32_t n_groups = 0;
    for (uint32_t i = 0; i < tx->n_groups; i++) {
        if (tx->groups[i].n_segs == 0) continue;
        tern__udp_group *group = &tx->groups[n_groups++];
        *group = tx->groups[i];
        uint32_t first = tx->n_gathered;
        for (uint32_t index = group->head;; index = tx->runs[index].next) {
            const tern__udp_run *run = &tx->runs[index];
            for (uint32_t v = 0; v < run->n_iovs; v++) {
                const struct iovec *iov = &tx->iovs[run->first_iov + v];
                append_piece(tx->gathered, first, &tx->n_gathered, iov->iov_base, iov->iov_len);
            }
            if (index == group->tail) break;
        }
        group->iovs = &tx->gathered[first];
        group->n_iovs = tx->n_gathered - first;
    }
    tx->n_groups = n_groups;
}

/* ---- The kernel --------------------------------------------------------------------------------- */

static void *append_cmsg(struct msghdr *msg, control *ctl, int level, int type, uint32_t len) {
    struct cmsghdr *cmsg = (struct cmsghdr *)(void *)(ctl->bytes + msg->msg_controllen);
    msg->msg_control = ctl->bytes;
    msg->msg_controllen += CMSG_SPACE(len);
    cmsg->cmsg_level = level;
    cmsg->cmsg_type = type;
    cmsg->cmsg_len = CMSG_LEN(len);
    return CMSG_DATA(cmsg);
}

/* The reply leaves from the address that the peer asked: a peer on a connected socket hears no other. */
static void say_source(const tern__udp_port *udp, const tern__udp_sock *sock, const tern__route *route,
                       struct msghdr *msg, control *ctl) {
    uint8_t local = tern__udp_route_local(route);
    if (local == 0 || local > udp->n_locals) return;
    const struct in6_addr *addr = &udp->locals[local].addr;
    if (sock->family == AF_INET) {
        struct in_pktinfo info = {.ipi_spec_dst.s_addr = tern__load32(addr->s6_addr + 12)};
        memcpy(append_cmsg(msg, ctl, IPPROTO_IP, IP_PKTINFO, sizeof info), &info, sizeof info);
    } else {
        struct in6_pktinfo info = {.ipi6_addr = *addr};
        memcpy(append_cmsg(msg, ctl, IPPROTO_IPV6, IPV6_PKTINFO, sizeof info), &info, sizeof info);
    }
}

/* The header of a send of these pieces to the group's destination. */
static void fill_header(tern__udp_port *udp, const tern__udp_group *group, struct iovec *iovs, uint32_t n_iovs,
                        uint32_t gso_bytes, struct msghdr *msg, control *ctl) {
    tern__route *route = &udp->tx.dests[group->dest];
    const tern__udp_sock *sock = &udp->socks[udp->tx.dest_socks[group->dest]];
    *msg = (struct msghdr){.msg_iov = iovs, .msg_iovlen = n_iovs};
    if (!sock->connected) {
        msg->msg_name = route->bytes;
        msg->msg_namelen = route->len;
        if (sock->wildcard) say_source(udp, sock, route, msg, ctl);
    }
    bool cut = gso_bytes == 0 && sock->segment > 0 && group->seg_bytes > sock->segment; /* unless we say no */
    if (gso_bytes > 0 || cut) tern__store16(append_cmsg(msg, ctl, SOL_UDP, UDP_SEGMENT, 2), (uint16_t)gso_bytes);
}

/* An error that an earlier send left behind; the send that reports it did not happen. By a shared socket any ICMP error
 * is reported so, whichever peer's it is. */
static bool is_left_over(tern__udp_port *udp, tern__udp_sock *sock, int err) {
    if (sock->queues_errors) return tern__udp_take_errors(udp, sock) > 0 || err == ECONNREFUSED;
    if (err == ECONNREFUSED) tern__udp_note_refusal(udp, sock);
    return err == ECONNREFUSED;
}

/* One send outside the batch; drops on failure. */
static void send_single(tern__udp_port *udp, tern__udp_sock *sock, const struct msghdr *msg) {
    for (int attempt = 0; attempt < 3; attempt++) {
        udp->stats.tx_calls++;
        if (sendmsg(sock->fd, msg, 0) >= 0) {
            udp->stats.tx_packets++;
            return;
        }
        if (errno != EINTR && !is_left_over(udp, sock, errno)) break;
    }
    udp->stats.tx_dropped++;
}

/* Send a group's packets one by one: cuts its pieces at each seg_bytes. */
static void send_uncoalesced(tern__udp_port *udp, tern__udp_sock *sock, tern__udp_group *group) {
    const struct iovec *in = group->iovs;
    struct iovec out[TERN__UDP_MAX_POSTS + 2];
    size_t taken = 0; /* of in[0] */
    uint32_t left = group->total_bytes;
    while (left > 0) {
        uint32_t want = left < group->seg_bytes ? left : group->seg_bytes, n = 0;
        left -= want;
        while (want > 0) {
            size_t here = in->iov_len - taken < want ? in->iov_len - taken : want;
            out[n++] = (struct iovec){(uint8_t *)in->iov_base + taken, here};
            want -= (uint32_t)here;
            taken += here;
            if (taken == in->iov_len) {
                in++;
                taken = 0;
            }
        }
        struct msghdr msg;
        control ctl;
        fill_header(udp, group, out, n, 0, &msg, &ctl);
        send_single(udp, sock, &msg);
    }
}

/* The kernel, the device or the path (a segment above its MTU) will not coalesce. Lasting refusal turns it
 * off for the socket. */
static bool is_gso_refusal(int err) {
    return err == EIO || err == EINVAL || err == EMSGSIZE || err == EOPNOTSUPP || err == ENOPROTOOPT;
}

/* A group that the kernel answered with `err` instead of sending it. */
static void recover_group(tern__udp_port *udp, tern__udp_sock *sock, tern__udp_group *group, int err) {
    if (group->n_segs > 1 && is_gso_refusal(err)) {
        udp->stats.tx_gso_refused++;
        if (++sock->gso_fails >= GSO_FAILS_MAX) {
            sock->gso = false;
            tern__port_log(&udp->env, TERN_LOG_INFO, "udp: coalesced sends refused (errno %d); not used any more", err);
        }
        send_uncoalesced(udp, sock, group);
        return;
    }
    udp->stats.tx_dropped += group->n_segs;
}

/* The kernel reads and checks a control message for longer than it takes to remember a size. */
static void set_segment(tern__udp_sock *sock, uint32_t bytes) {
    int value = (int)bytes;
    if (setsockopt(sock->fd, SOL_UDP, UDP_SEGMENT, &value, sizeof value) == 0) sock->segment = (uint16_t)bytes;
}

static void note_size(tern__udp_sock *sock, uint32_t bytes) {
    if (bytes != sock->last_seg) sock->n_alike = 0;
    sock->last_seg = (uint16_t)bytes;
    if (bytes != sock->segment && ++sock->n_alike == TERN__UDP_ALIKE) set_segment(sock, bytes);
}

static inline __attribute__((always_inline)) void count_sent(tern__udp_port *udp, tern__udp_sock *sock,
                                                             const tern__udp_group *group) {
    udp->stats.tx_packets += group->n_segs;
    sock->sent = true;
    if (udp->n_suspects > 0) tern__udp_suspect_sent(udp, &udp->tx.dests[group->dest]);
    if (group->n_segs == 1) return;
    udp->stats.tx_gso_sends++;
    udp->stats.tx_gso_packets += group->n_segs;
    sock->gso_fails = 0;
    note_size(sock, group->seg_bytes);
}

/* In one piece to a place that needs no control message: the shape of small RPCs, by the cheapest call (0.15 us
 * less than sendmsg). */
static bool is_plain(const tern__udp_port *udp, const tern__udp_sock *sock, const tern__udp_group *group) {
    if (group->n_iovs != 1 || tern__udp_route_local(&udp->tx.dests[group->dest]) != 0) return false;
    return group->n_segs > 1 ? group->seg_bytes == sock->segment
                             : sock->segment == 0 || group->seg_bytes <= sock->segment;
}

static ssize_t send_plain(const tern__udp_port *udp, const tern__udp_sock *sock, const tern__udp_group *group) {
    const tern__route *route = &udp->tx.dests[group->dest];
    const struct iovec *iov = group->iovs;
    const struct sockaddr *to = sock->connected ? NULL : (const struct sockaddr *)(const void *)route->bytes;
    return sendto(sock->fd, iov->iov_base, iov->iov_len, 0, to, to == NULL ? 0 : route->len);
}

static ssize_t send_message(tern__udp_port *udp, const tern__udp_group *group, const tern__udp_sock *sock) {
    struct msghdr msg;
    control ctl;
    fill_header(udp, group, group->iovs, group->n_iovs, group->n_segs > 1 ? group->seg_bytes : 0, &msg, &ctl);
    return sendmsg(sock->fd, &msg, 0);
}

static void send_group(tern__udp_port *udp, tern__udp_sock *sock, tern__udp_group *group) {
    int err = 0;
    for (int attempt = 0; attempt < 3; attempt++) {
        udp->stats.tx_calls++;
        if ((is_plain(udp, sock, group) ? send_plain(udp, sock, group) : send_message(udp, group, sock)) >= 0) {
            count_sent(udp, sock, group);
            return;
        }
        err = errno;
        if (err == EINTR || is_left_over(udp, sock, err)) continue;
        if (!is_gso_refusal(err) || sock->segment == 0) break;
        set_segment(sock, 0); /* the path may have shrunk below that size */
    }
    recover_group(udp, sock, group, err);
}

/* groups[0..n), all through one socket. */
static void send_groups(tern__udp_port *udp, tern__udp_sock *sock, tern__udp_group *groups, uint32_t n) {
    struct mmsghdr msgs[TERN__UDP_BATCH_PACKETS];
    control ctls[TERN__UDP_BATCH_PACKETS];
    for (uint32_t i = 0; i < n; i++)
        fill_header(udp, &groups[i], groups[i].iovs, groups[i].n_iovs, groups[i].n_segs > 1 ? groups[i].seg_bytes : 0,
                    &msgs[i].msg_hdr, &ctls[i]);
    unsigned attempts = 0; /* for groups[done], without progress */
    for (uint32_t done = 0; done < n;) {
        udp->stats.tx_calls++;
        int sent = sendmmsg(sock->fd, msgs + done, n - done, 0);
        if (sent > 0) {
            for (uint32_t end_of = done + (uint32_t)sent; done < end_of; done++) count_sent(udp, sock, &groups[done]);
            /* An error that cut it short is not told, and its queue would stay unread. */
            if (done < n && sock->queues_errors) tern__udp_take_errors(udp, sock);
            attempts = 0;
            continue;
        }
        int err = errno;
        if ((err == EINTR || is_left_over(udp, sock, err)) && ++attempts < 3) continue;
        recover_group(udp, sock, &groups[done++], err);
        attempts = 0;
    }
}

static uint8_t sock_of(const tern__udp_tx *tx, uint32_t group) { return tx->dest_socks[tx->groups[group].dest]; }

static void group_all(const tern__udp_port *udp, tern__udp_tx *tx) {
    if (tx->n_runs == 1) { /* the usual case */
        tx->groups[0] = group_of(&tx->runs[0], 0);
        tx->groups[0].iovs = &tx->iovs[tx->runs[0].first_iov];
        tx->groups[0].n_iovs = tx->runs[0].n_iovs;
        tx->n_groups = 1;
        return;
    }
    group_equals(udp, tx);
    if (tx->n_groups > 1) group_singles(udp, tx);
    gather(tx);
}

static void flush(tern__link *link) {
    tern__udp_port *udp = udp_of(link);
    tern__udp_tx *tx = &udp->tx;
    if (tx->n_dests == 0) return;
    close_row(link, tx);
    group_all(udp, tx);
    for (uint32_t i = 0, n; i < tx->n_groups; i += n) {
        tern__udp_sock *sock = &udp->socks[sock_of(tx, i)];
        for (n = 1; i + n < tx->n_groups && sock_of(tx, i + n) == sock_of(tx, i);) n++;
        if (sock->fd < 0)
            udp->stats.tx_dropped += n;
        else if (n > 1)
            send_groups(udp, sock, &tx->groups[i], n);
        else
            send_group(udp, sock, &tx->groups[i]);
    }
    tx->n_packets = tx->n_runs = tx->n_groups = tx->n_dests = 0;
    tx->n_iovs = tx->n_gathered = tx->staging_used = tx->batch_bytes = 0;
    tx->tail = NULL;
}

/* The route's address without what one household or office may choose: /24, or /64 with IPv6. */
static uint64_t network_of(const tern__route *route) {
    if (route->len == 16) return tern__load32(route->bytes + 4) & 0xffffff;
    return tern__load64(route->bytes + 8);
}

const tern__link_ops tern__udp_link_ops = {.tx_begin = begin,
                                           .tx_post = post,
                                           .tx_end = end,
                                           .tx_abort = abort_packet,
                                           .tx_flush = flush,
                                           .tx_small = send_small,
                                           .network = network_of,
                                           .path = tern__udp_path};
