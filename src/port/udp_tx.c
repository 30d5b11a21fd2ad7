/* Sending: packets are collected into a batch, the batch is sorted into groups of one destination and size, and the
 * groups go to the kernel by one call. Equal small packets in a row, all that many calls at once send, are one
 * stretch from the start: another of them is a comparison of routes and a copy, which the engine makes by itself (the
 * run in engine/link.h), and the whole batch one piece.
 *
 * Invariant: stretches partition iovs, in order; staging holds what their pieces copied; what is in the open run lies
 * behind that and belongs to the last stretch. The kernel has copied everything when a send returns, so after a flush
 * the batch is empty and nothing of the caller's is referred to. A packet that the kernel does not take is dropped:
 * the link is lossy by contract. It may reorder, too: packets of different sizes to one destination overtake each
 * other within a batch (requests and credit returns alternate, and in the order given hardly two could leave
 * together).
 *
 * Why coalesce: on loopback a datagram costs about 2.4 us of kernel time, and 60 of them in one UDP_SEGMENT
 * send about as much as one. */
#include <errno.h>
#include <netinet/udp.h>
#include <stdalign.h>

#include "port/udp_path.h"
#include "port/udp_place.h"
#include "port/udp_refusal.h"
#include "port/udp_tx.h"
#include "tern/mem.h"

/* Pieces this short are copied behind the bytes before them: an entry of its own costs the kernel more. */
enum { SMALL_POST = 192, GSO_FAILS_MAX = 8 };

/* Room for UDP_SEGMENT and for the larger of the two PKTINFO messages. */
typedef struct control {
    alignas(struct cmsghdr) uint8_t bytes[CMSG_SPACE(sizeof(uint16_t)) + CMSG_SPACE(sizeof(struct in6_pktinfo))];
} control;

static tern__udp_port *udp_of_link(tern__link *link) { return TERN__CONTAINER(link, tern__udp_port, port.link); }

/* How many packets of such heads and so many pieces the batch still takes. */
static uint32_t batch_room(const tern__udp_tx *tx, uint32_t head_bytes, uint32_t n_pieces) {
    uint32_t n = TERN__UDP_BATCH_PACKETS - tx->n_packets;
    uint32_t iovs = (TERN__UDP_MAX_IOVS - tx->n_iovs) / (n_pieces + 1);
    uint32_t staged = (TERN__UDP_STAGING_BYTES - tx->staging_used) / (head_bytes + n_pieces * SMALL_POST + 1);
    if (tx->n_dests > TERN__UDP_BATCH_PACKETS) return 0;
    if (n > iovs) n = iovs;
    return n < staged ? n : staged;
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
    uint32_t dest = tx->n_dests++;
    tx->dest_socks[dest] = tern__udp_via(udp, route);
    tx->dests[dest] = *route;
    return (int)dest;
}

static void udp_tx_flush(tern__link *link);

/* ---- The open run ------------------------------------------------------------------------------- */

/* Packets that the sender has put into the run are in the batch from now on, and the run is closed. */
static inline void udp_close_run(tern__link *link, tern__udp_tx *tx) {
    tern__tx_run *run = &tx->run;
    if (run->end == NULL) return;
    uint32_t bytes = (uint32_t)(run->at - (tx->staging + tx->staging_used)), n = bytes / run->packet_bytes;
    tx->tail->n_packets += n;
    tx->iovs[tx->tail->first_iov].iov_len += bytes;
    tx->n_packets += n;
    tx->staging_used += bytes;
    tx->batch_bytes += bytes;
    link->sent.run_packets += n;
    link->sent.run_bytes += bytes;
    run->at = run->end = NULL;
    if (tx->tail->n_packets > 0) return;
    tx->n_iovs--; /* nothing came into it */
    tx->n_stretches--;
    tx->tail = NULL;
}

static bool coalesces(const tern__udp_port *udp, uint32_t dest) { return udp->socks[udp->tx.dest_socks[dest]].gso; }

static bool is_full(const tern__udp_tx *tx, uint32_t bytes) {
    return tx->n_packets == TERN__UDP_BATCH_PACKETS || tx->batch_bytes + bytes > TERN__UDP_MAX_DATAGRAM;
}

/* A stretch of packets of this length that has none so far, behind what there is. */
static void begin_stretch(tern__udp_tx *tx, uint32_t dest, uint32_t bytes) {
    tx->tail = &tx->stretches[tx->n_stretches++];
    *tx->tail = (tern__udp_stretch){.dest = dest, .first_iov = tx->n_iovs, .n_iovs = 1, .bytes = bytes};
    tx->iovs[tx->n_iovs++] = (struct iovec){tx->staging + tx->staging_used, 0};
}

/* What is collected leaves if it has no room for such a packet. */
static void make_room(tern__link *link, tern__udp_tx *tx, uint32_t packet_bytes) {
    udp_close_run(link, tx);
    bool has_room = tx->n_iovs < TERN__UDP_MAX_IOVS && tx->staging_used + packet_bytes <= TERN__UDP_STAGING_BYTES;
    if (is_full(tx, packet_bytes) || !has_room) udp_tx_flush(link);
}

/* As many packets as one send takes leave before more are put behind them: let the receiver work on those while the
 * next batch is built. */
static uint8_t *udp_open_run(tern__link *link, const tern__route *route, uint32_t packet_bytes) {
    tern__udp_port *udp = udp_of_link(link);
    tern__udp_tx *tx = &udp->tx;
    tern__tx_run *run = &tx->run;
    if (packet_bytes == 0 || packet_bytes > link->max_inline) return NULL;
    if (tx->n_dests > 0) make_room(link, tx, packet_bytes);
    const tern__udp_stretch *tail = tx->tail;
    if (tail == NULL || tail->bytes != packet_bytes || !tern__route_eq(&tx->dests[tail->dest], route)) {
        int dest = find_dest(udp, tx, route);
        if (dest < 0 || !coalesces(udp, (uint32_t)dest)) return NULL;
        begin_stretch(tx, (uint32_t)dest, packet_bytes);
    }
    uint32_t n = TERN__UDP_BATCH_PACKETS - tx->n_packets, room = TERN__UDP_MAX_DATAGRAM - tx->batch_bytes;
    if (room > TERN__UDP_STAGING_BYTES - tx->staging_used) room = TERN__UDP_STAGING_BYTES - tx->staging_used;
    if (n * packet_bytes > room) n = room / packet_bytes;
    uint8_t *place = tx->staging + tx->staging_used;
    run->at = place + packet_bytes;
    run->end = place + n * packet_bytes;
    run->packet_bytes = packet_bytes;
    run->route = *route;
    return place;
}

static tern__tx_run *udp_run_of(tern__link *link, const tern__route *route) {
    (void)route;
    return TERN__IS_OFF(COALESCING) ? NULL : &udp_of_link(link)->tx.run;
}

/* ---- Packets one by one ------------------------------------------------------------------------- */

static uint32_t udp_tx_reserve(tern__link *link, const tern__route *route, uint32_t n, uint32_t head_bytes,
                               uint32_t max_pieces, uint8_t **heads) {
    tern__udp_port *udp = udp_of_link(link);
    tern__udp_tx *tx = &udp->tx;
    uint32_t n_pieces = max_pieces < TERN__UDP_MAX_POSTS ? max_pieces : TERN__UDP_MAX_POSTS;
    if (head_bytes > link->max_inline) return 0;
    udp_close_run(link, tx);
    uint32_t room = batch_room(tx, head_bytes, n_pieces);
    if (room == 0) {
        udp_tx_flush(link);
        room = batch_room(tx, head_bytes, n_pieces);
    }
    int dest = find_dest(udp, tx, route);
    if (dest < 0) return 0;
    tx->open = (tern__udp_open){.dest = (uint32_t)dest,
                                .n = n < room ? n : room,
                                .head_bytes = head_bytes,
                                .max_pieces = n_pieces,
                                .first_head = tx->staging_used};
    for (uint32_t i = 0; i < tx->open.n; i++) heads[i] = tx->staging + tx->staging_used + i * head_bytes;
    tx->staging_used += tx->open.n * head_bytes;
    return tx->open.n;
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

/* Packets up to i, which comes next, begin. */
static inline void begin_up_to(tern__udp_tx *tx, uint32_t i) {
    tern__udp_open *open = &tx->open;
    for (; open->n_begun <= i; open->n_begun++) {
        tern__udp_stretch *stretch = &tx->stretches[tx->n_stretches + open->n_begun];
        *stretch =
            (tern__udp_stretch){.dest = open->dest, .n_packets = 1, .first_iov = tx->n_iovs, .bytes = open->head_bytes};
        uint8_t *head = tx->staging + open->first_head + open->n_begun * open->head_bytes;
        if (open->head_bytes > 0) tx->iovs[tx->n_iovs++] = (struct iovec){head, open->head_bytes};
        open->n_pieces = 0;
    }
}

static int udp_tx_add(tern__link *link, uint32_t i, const void *data, uint32_t len) {
    tern__udp_tx *tx = &udp_of_link(link)->tx;
    if (len == 0) return 0;
    begin_up_to(tx, i);
    if (tx->open.n_pieces >= tx->open.max_pieces) return TERN_ERR_LIMIT;
    tern__udp_stretch *stretch = &tx->stretches[tx->n_stretches + i];
    tx->open.n_pieces++;
    stretch->bytes += len < TERN__UDP_MAX_DATAGRAM ? len : TERN__UDP_MAX_DATAGRAM;
    if (len <= SMALL_POST) {
        uint8_t *out = tx->staging + tx->staging_used;
        memcpy(out, data, len);
        tx->staging_used += len;
        append_piece(tx->iovs, stretch->first_iov, &tx->n_iovs, out, len);
    } else {
        tx->iovs[tx->n_iovs++] = (struct iovec){(void *)(uintptr_t)data, len};
    }
    return 0;
}

/* Whether a packet that lies in staging in one piece goes into the stretch before it. */
static bool extends_tail(const tern__udp_tx *tx, const tern__udp_stretch *stretch) {
    const tern__udp_stretch *tail = tx->tail;
    if (tail == NULL || tail->bytes != stretch->bytes || tail->dest != stretch->dest) return false;
    const struct iovec *last = &tx->iovs[tail->first_iov];
    return (uint8_t *)last->iov_base + last->iov_len == tx->iovs[stretch->first_iov].iov_base &&
           last->iov_len + stretch->bytes <= TERN__UDP_MAX_DATAGRAM;
}

/* Packet i of those reserved is complete; its pieces end where `end_iov` says, and are moved down to n_iovs. */
static void complete(tern__link *link, tern__udp_tx *tx, const tern__udp_stretch *packet, uint32_t end_iov) {
    tern__udp_port *udp = udp_of_link(link);
    tern__udp_stretch *stretch = &tx->stretches[tx->n_stretches];
    uint32_t bytes = packet->bytes, n_iovs = end_iov - packet->first_iov;
    if (bytes == 0 || bytes > TERN__UDP_MAX_DATAGRAM) {
        udp->stats.tx_dropped++;
        return;
    }
    if (tx->n_iovs != packet->first_iov)
        memmove(&tx->iovs[tx->n_iovs], &tx->iovs[packet->first_iov], n_iovs * sizeof *tx->iovs);
    *stretch = *packet;
    stretch->first_iov = tx->n_iovs;
    stretch->n_iovs = n_iovs;
    const uint8_t *first = tx->iovs[stretch->first_iov].iov_base;
    bool staged = n_iovs == 1 && first >= tx->staging && first < tx->staging + TERN__UDP_STAGING_BYTES;
    staged = staged && coalesces(udp, stretch->dest);
    if (staged && extends_tail(tx, stretch)) {
        tx->tail->n_packets++;
        tx->iovs[tx->tail->first_iov].iov_len += bytes;
    } else {
        tx->n_iovs += n_iovs;
        tx->n_stretches++;
        tx->tail = staged ? stretch : NULL;
    }
    tx->batch_bytes += bytes;
    tx->n_packets++;
    link->sent.packets++;
    link->sent.bytes += bytes;
}

static bool ends_staging(const tern__udp_tx *tx, const tern__udp_stretch *stretch) {
    const struct iovec *last = &tx->iovs[stretch->first_iov];
    return (uint8_t *)last->iov_base + last->iov_len == tx->staging + tx->staging_used;
}

static void udp_tx_commit(tern__link *link, uint32_t n) {
    tern__udp_tx *tx = &udp_of_link(link)->tx;
    uint32_t first = tx->n_stretches, end_iov = tx->n_iovs, last_bytes = 0;
    if (n > 0) begin_up_to(tx, n - 1);
    if (tx->open.n_begun <= n) end_iov = tx->n_iovs;
    /* complete() writes stretches no further than it has read them. */
    for (uint32_t i = 0; i < n; i++) {
        tern__udp_stretch packet = tx->stretches[first + i];
        bool has_next = i + 1 < tx->open.n_begun;
        uint32_t end = has_next ? tx->stretches[first + i + 1].first_iov : end_iov;
        if (i == 0) tx->n_iovs = packet.first_iov;
        complete(link, tx, &packet, end);
        last_bytes = packet.bytes;
    }
    if (n == 0 && tx->open.n_begun > 0) tx->n_iovs = tx->stretches[first].first_iov;
    bool only_heads = tx->staging_used == tx->open.first_head + tx->open.n * tx->open.head_bytes;
    if (n == 0 || only_heads) tx->staging_used = tx->open.first_head + n * tx->open.head_bytes;
    if (tx->tail != NULL && !ends_staging(tx, tx->tail)) tx->tail = NULL;
    if (n > 0 && is_full(tx, last_bytes)) udp_tx_flush(link);
}

/* ---- Grouping ----------------------------------------------------------------------------------- */

static tern__udp_group group_of(const tern__udp_stretch *stretch, uint32_t index) {
    return (tern__udp_group){.dest = stretch->dest,
                             .seg_bytes = stretch->bytes,
                             .total_bytes = stretch->n_packets * stretch->bytes,
                             .n_segs = stretch->n_packets,
                             .head = index,
                             .tail = index};
}

static void join(tern__udp_tx *tx, tern__udp_group *group, uint32_t index) {
    tern__udp_stretch *stretch = &tx->stretches[index];
    tx->stretches[group->tail].next = index;
    group->tail = index;
    group->total_bytes += stretch->n_packets * stretch->bytes;
    group->n_segs += stretch->n_packets;
    group->closed = stretch->bytes < group->seg_bytes;
}

static bool can_join(const tern__udp_group *group, const tern__udp_stretch *stretch) {
    return group->dest == stretch->dest && !group->closed && group->n_segs > 0 &&
           group->total_bytes + stretch->n_packets * stretch->bytes <= TERN__UDP_MAX_DATAGRAM;
}

/* Each run to the latest group of its destination and size. */
static void group_equals(const tern__udp_port *udp, tern__udp_tx *tx) {
    for (uint32_t i = 0; i < tx->n_stretches; i++) {
        const tern__udp_stretch *stretch = &tx->stretches[i];
        uint32_t j = coalesces(udp, stretch->dest) ? tx->n_groups : 0;
        while (j > 0 && !(tx->groups[j - 1].seg_bytes == stretch->bytes && can_join(&tx->groups[j - 1], stretch))) j--;
        if (j > 0)
            join(tx, &tx->groups[j - 1], i);
        else
            tx->groups[tx->n_groups++] = group_of(stretch, i);
    }
}

/* A packet alone in its size may be the shorter last one of another group. */
static void group_singles(const tern__udp_port *udp, tern__udp_tx *tx) {
    for (uint32_t i = 0; i < tx->n_groups; i++) {
        tern__udp_group *single = &tx->groups[i];
        const tern__udp_stretch *stretch = &tx->stretches[single->head];
        if (single->n_segs != 1 || !coalesces(udp, stretch->dest)) continue;
        for (uint32_t j = 0; j < tx->n_groups; j++) {
            if (tx->groups[j].seg_bytes <= stretch->bytes || !can_join(&tx->groups[j], stretch)) continue;
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
        for (uint32_t index = group->head;; index = tx->stretches[index].next) {
            const tern__udp_stretch *stretch = &tx->stretches[index];
            for (uint32_t v = 0; v < stretch->n_iovs; v++) {
                const struct iovec *iov = &tx->iovs[stretch->first_iov + v];
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
    memset(CMSG_DATA(cmsg) + len, 0, CMSG_SPACE(len) - CMSG_LEN(len)); /* the kernel reads the padding, too */
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
    if (tx->n_stretches == 1) { /* the usual case */
        tx->groups[0] = group_of(&tx->stretches[0], 0);
        tx->groups[0].iovs = &tx->iovs[tx->stretches[0].first_iov];
        tx->groups[0].n_iovs = tx->stretches[0].n_iovs;
        tx->n_groups = 1;
        return;
    }
    group_equals(udp, tx);
    if (tx->n_groups > 1) group_singles(udp, tx);
    gather(tx);
}

static void udp_tx_flush(tern__link *link) {
    tern__udp_port *udp = udp_of_link(link);
    tern__udp_tx *tx = &udp->tx;
    if (tx->n_dests == 0) return;
    udp_close_run(link, tx);
    group_all(udp, tx);
    for (uint32_t i = 0, n; i < tx->n_groups; i += n) {
        tern__udp_sock *sock = &udp->socks[sock_of(tx, i)];
        for (n = 1; i + n < tx->n_groups && sock_of(tx, i + n) == sock_of(tx, i);) n++;
        if (sock->fd < 0)
            for (uint32_t k = i; k < i + n; k++) udp->stats.tx_dropped += tx->groups[k].n_segs;
        else if (n > 1)
            send_groups(udp, sock, &tx->groups[i], n);
        else
            send_group(udp, sock, &tx->groups[i]);
    }
    tx->n_packets = tx->n_stretches = tx->n_groups = tx->n_dests = 0;
    tx->n_iovs = tx->n_gathered = tx->staging_used = tx->batch_bytes = 0;
    tx->tail = NULL;
}

/* The route's address without what one household or office may choose: /24, or /64 with IPv6. */
static uint64_t network_of(tern__link *link, const tern__route *route) {
    (void)link;
    if (route->len == 16) return tern__load32(route->bytes + 4) & 0xffffff;
    return tern__load64(route->bytes + 8);
}

const tern__link_ops tern__udp_link_ops = {.tx_reserve = udp_tx_reserve,
                                           .tx_add = udp_tx_add,
                                           .tx_commit = udp_tx_commit,
                                           .tx_flush = udp_tx_flush,
                                           .run = udp_run_of,
                                           .tx_open = udp_open_run,
                                           .network = network_of,
                                           .path = tern__udp_path,
                                           .rx_expect = tern__udp_rx_expect,
                                           .rx_forget = tern__udp_rx_forget};
