/* The record of the UDP port: what a socket, a batch and the port are made of, for all of the port's files. docs/udp.md
 * is the description of the whole; tests and benchmarks look at the counters. The files, each of which uses only those
 * above it:
 *
 *   udp_addr     routes
 *   udp          this record
 *   udp_sock     sockets with the port's options, in the epoll set or out of it
 *   udp_path     packet sizes of paths
 *   udp_place    direct placement
 *   udp_refusal  peers at whose port nobody listens
 *   udp_sibling  connected sockets behind a listening one
 *   udp_tx       the link: packets out
 *   udp_rx       packets in
 *   udp_port     the port: listening, connecting, sleeping
 *
 * Sockets. One per listening address; one connected to the first peer that is connected to, because a
 * connected socket needs no route lookup per packet (measured on loopback: 0.4 of 3.5 us per datagram); and
 * one per address family shared by all further peers, so that an idle poll stays at a few system calls
 * whatever the number of peers. Behind a listening socket the busiest peers have connected siblings
 * (udp_sibling.c), which routes do not show. */
#ifndef TERN_PORT_UDP_H
#define TERN_PORT_UDP_H

#include <sys/uio.h>

#include "base/factor.h"
#include "port/placement.h"
#include "port/port.h"
#include "port/udp_addr.h"

enum {
    TERN__UDP_MAX_SOCKS = 32,
    TERN__UDP_MAX_SIBLINGS = 4,     /* each saves its peer 0.56 us a call and costs each poll 0.3 us */
    TERN__UDP_MAX_LOCALS = 255,     /* our own addresses that peers reached a wildcard socket by */
    TERN__UDP_MIN_PAYLOAD = 512,    /* of a packet, whatever path or user say */
    TERN__UDP_MAX_DATAGRAM = 65000, /* below IPv4's 65,507 and IPv6's without options */
    TERN__UDP_DEFAULT_PAYLOAD = 1472,
    TERN__UDP_LOOPBACK_PAYLOAD = 64952, /* the largest that leaves a multiple of 64 behind the longest header */
    TERN__UDP_MIN_FLIGHT =
        16, /* full packets that the receive buffers hold: else packets inside one machine are smaller */
    TERN__UDP_MIN_INLINE = 65000,

    /* What kernels and schedulers at both ends add to a round trip now and then; on loopback there is nothing else. */
    TERN__UDP_NOISE_NS = 200000,
    TERN__UDP_LOOPBACK_NOISE_NS = 5000000,

    /* The kernel copies either way; in place saves the copy before that one and costs a reference and a piece,
       about 50 ns. Measured break-even on loopback, values in cache or not: 2 to 4 KB. */
    TERN__UDP_THRESHOLD = 3072,

    /* The two bits of the TOS byte that ECN has (RFC 3168): may be marked; was marked. */
    TERN__UDP_ECT0 = 2,
    TERN__UDP_CE = 3,

    TERN__UDP_MAX_POSTS = 2 + TERN__UDP_MAX_DATAGRAM / 512,

    /* Packets per batch, and so per coalesced send; kernels take 64. Half of it lets both ends of a window of 60
       small calls work at once, which measured a third more calls per second. */
    TERN__UDP_BATCH_PACKETS = 32,

    TERN__UDP_ALIKE = 16, /* coalesced sends of one size in a row after which the socket is told that size */

    TERN__UDP_STAGING_BYTES = 256 << 10,
    TERN__UDP_MAX_IOVS = 1024, /* of a batch; also the kernel's UIO_MAXIOV */

    TERN__UDP_RX_BUFFER_BYTES = 256 << 10,
    TERN__UDP_RX_ROOM = 64 << 10, /* the largest thing a receive can bring */
    TERN__UDP_RX_MAX_BURST = 32,  /* receives per socket and poll */
    TERN__UDP_REFUSALS = 3,
    TERN__UDP_MAX_SUSPECTS = 32,
    TERN__UDP_MAX_PLACES = 8,        /* packets of a receive that go where their message is put together, */
    TERN__UDP_PLACE_BYTES = 8 << 10, /* if their payloads are at least this long */

    TERN__UDP_GRO_BURST = 4,  /* receives in one poll that are a burst; */
    TERN__UDP_GRO_HABIT = 64, /* so many more of them than polls with one packet turn UDP_GRO on, for good */

    /* In polls of the port, which are its clock. */
    TERN__UDP_HOT_RECEIVES = 32,  /* from one peer ... */
    TERN__UDP_HOT_WEIGHT = 8,     /* that one may count for, as it had to wait behind strangers' packets */
    TERN__UDP_HOT_POLLS = 1024,   /* ... within so many give it a sibling; also the least time between two siblings */
    TERN__UDP_COLD_POLLS = 1024,  /* without a packet: a sibling is asked rarely, and another peer may replace it */
    TERN__UDP_DEAD_POLLS = 16384, /* without a packet: closed */
    TERN__UDP_RARELY = 8,         /* a socket from which little is expected is asked once in so many */
    TERN__UDP_SETTLING = 64,      /* receives of a new sibling that may bring other peers' packets */
    TERN__UDP_SIBLING_FAILS = 3,  /* that a listening socket may see before it goes on without */
    TERN__UDP_HEATS = 16,
    TERN__UDP_HOSTS = 16,
    TERN__UDP_AWAKE_POLLS = 1024, /* since somebody slept: then the sockets leave the epoll set */
};

typedef struct tern__udp_stats {
    uint64_t tx_packets, tx_calls; /* system calls that sent */
    uint64_t tx_gso_sends, tx_gso_packets;
    uint64_t tx_gso_refused; /* coalesced sends that went out one by one instead */
    uint64_t tx_dropped;     /* the kernel would not take them */
    uint64_t rx_packets, rx_calls;
    uint64_t rx_gro_batches, rx_gro_packets;
    uint64_t rx_dropped;   /* truncated or empty */
    uint64_t rx_marked;    /* receives of packets that the network marked */
    uint64_t rx_buffers;   /* receive buffers allocated */
    uint64_t rx_placed;    /* packets received where their message is put together */
    uint64_t rx_misplaced; /* receives that brought something else than was expected there */
    uint64_t rx_peeks;     /* looks at the header of what the next receive will bring */
    uint64_t refused;      /* ICMP port unreachable, by sockets of clients and siblings */
    uint64_t siblings_opened, siblings_closed;
    uint64_t watched, unwatched; /* times that the sockets were put into the epoll set, and taken out of it */
} tern__udp_stats;

#define TERN__UDP_REFUSED_FOR (50 * TERN_MS) /* from the first refusal on, until they are believed */
#define TERN__UDP_SUSPECT_FOR TERN_SEC       /* from the last refusal that counted; then the suspect is none any more */

typedef struct tern__udp_sock {
    int fd;            /* -1: unused */
    uint8_t family;    /* AF_INET or AF_INET6 */
    bool listening;    /* on an address the user named */
    bool connected;    /* to peer's address only */
    bool wildcard;     /* bound to every address: replies say which one they come from */
    bool gso;          /* coalesced sends work as far as we know */
    bool gro;          /* UDP_GRO is on */
    bool can_gro;      /* the kernel has it */
    bool uses_recv;    /* received with recv or recvfrom: no packet can be a coalesced one */
    uint8_t gso_fails; /* refusals in a row */
    uint8_t refusals;  /* ICMP port unreachable since the last packet from the peer, each in answer to something sent */
    bool sent;         /* something, since the last of them */
    bool queues_errors;  /* shared by several peers: its ICMP errors come with the address that they are about */
    uint8_t home;        /* the index that routes through it carry: its own, a sibling's listening socket's */
    uint8_t settling;    /* receives until all that comes here is sure to be the peer's */
    uint8_t n_fails;     /* siblings that could not be opened */
    uint8_t n_in_bursts; /* packets that came in bursts, less polls with one; UDP_GRO is off */
    uint8_t n_alike;     /* coalesced sends of last_seg bytes in a row */
    uint16_t last_seg;
    uint16_t segment;     /* UDP_SEGMENT as set on the socket, for sends that do not say it; 0: off */
    uint32_t n_users;     /* routes given out by connect and not yet disconnected */
    uint32_t burst;       /* receives to try in the next poll */
    uint32_t batch;       /* packets that polls with any brought, the larger ones of late */
    uint64_t last_rx;     /* the poll that last brought something */
    uint64_t relieved;    /* listening: the poll in which a sibling last brought something */
    tern__route peer;     /* connected: its route */
    tern_time refused_at; /* the first of `refusals`, coarsely */
    tern_listener *share; /* not NULL: listening at this place of an address of several endpoints */
    uint32_t place;
} tern__udp_sock;

/* How often a peer is heard on a listening socket. */
typedef struct tern__udp_heat {
    tern__route route;
    uint64_t since; /* the poll that counting began in */
    uint32_t n_receives;
} tern__udp_heat;

/* A peer of a shared socket that was refused; see udp_refusal.c. */
typedef struct tern__udp_suspect {
    tern__route route;
    uint8_t refusals;     /* since the one that made it a suspect, each in answer to something sent */
    bool sent;            /* something, since the last of them */
    tern_time refused_at; /* the first of `refusals`, coarsely */
    tern_time heard_at;   /* the last of them, or the one before the first */
} tern__udp_suspect;

/* A local address that a route names; index 0 stands for the kernel's choice. */
typedef struct tern__udp_local {
    struct in6_addr addr; /* IPv4 mapped */
} tern__udp_local;

/* A packet that is complete, or several of one size and destination that lie side by side in staging: then one piece.
 * Its pieces are iovs[first_iov..+n_iovs). */
typedef struct tern__udp_stretch {
    uint32_t dest; /* in tx.dests */
    uint32_t n_packets;
    uint32_t bytes; /* of each packet */
    uint32_t first_iov, n_iovs;
    uint32_t next; /* in its group */
} tern__udp_stretch;

/* Packets that are reserved, between tx_reserve and tx_commit. Those begun are the stretches behind the last. */
typedef struct tern__udp_open {
    uint32_t dest, n, head_bytes, max_pieces;
    uint32_t first_head; /* in staging */
    uint32_t n_begun;
    uint32_t n_pieces; /* of the last one begun */
} tern__udp_open;

/* Packets of one destination that leave by one send: all of seg_bytes except a last shorter one. */
typedef struct tern__udp_group {
    uint32_t dest;
    uint32_t seg_bytes, total_bytes, n_segs; /* n_segs 0: its packet went to another group */
    uint32_t head, tail;                     /* stretches */
    struct iovec *iovs;                      /* its pieces side by side, once gathered */
    uint32_t n_iovs;
    bool closed; /* the last packet is the shorter one */
} tern__udp_group;

/* The batch being built; see udp_tx.c. Bytes that we copied are in staging. */
typedef struct tern__udp_tx {
    tern__tx_run run;
    tern__udp_open open;
    uint32_t n_iovs, n_packets, n_stretches, n_dests, n_groups, n_gathered, staging_used;
    uint32_t batch_bytes;    /* of all complete packets */
    tern__udp_stretch *tail; /* the last stretch if another packet fits behind it: it ends at staging_used; or NULL */
    uint8_t *staging;
    tern__udp_stretch stretches[TERN__UDP_BATCH_PACKETS + 1];
    tern__udp_group groups[TERN__UDP_BATCH_PACKETS];
    tern__route dests[TERN__UDP_BATCH_PACKETS + 1];
    uint8_t dest_socks[TERN__UDP_BATCH_PACKETS + 1]; /* the socket to each */
    struct iovec iovs[TERN__UDP_MAX_IOVS], gathered[TERN__UDP_MAX_IOVS];
} tern__udp_tx;

/* Received packets alias `buffer`, a pool buffer of ours. While nobody else holds a reference it is used
 * from its start again; otherwise what was received stays and the next packets go behind it. */
typedef struct tern__udp_rx {
    uint8_t *buffer;       /* NULL when memory was out */
    const uint32_t *count; /* of its references */
    uint32_t used;
} tern__udp_rx;

/* A snapshot of paths, kept until the port is freed. */
typedef struct tern__udp_snapshot {
    tern__path path;
    struct tern__udp_snapshot *next;
} tern__udp_snapshot;

/* What the kernel said lately about the way to a host. */
typedef struct tern__udp_host {
    tern__route host; /* without port, socket and our own address */
    tern_time asked_at;
    uint32_t payload; /* 0: the place is free */
} tern__udp_host;

typedef struct tern__udp_port {
    tern__port port;
    tern__port_env env;
    uint32_t payload_bytes; /* of each packet, as the options say; 0: measured for each path */
    bool times;             /* as in the options */
    int epoll_fd;
    tern__path first_path; /* as long as nothing is known of a path */
    tern__udp_snapshot *paths;
    tern__udp_host hosts[TERN__UDP_HOSTS];
    uint32_t next_host;
    uint32_t buffer_bytes; /* of the smallest receive buffer; 0: no socket so far */
    bool armed;            /* perhaps woken by a packet since the last poll */
    bool watching;         /* the sockets are in the epoll set */
    bool hot_known;        /* hot is set */
    bool refused;          /* some socket or suspect has refusals */
    uint32_t n_socks;      /* one past the highest in use, siblings aside */
    uint32_t n_siblings;
    uint32_t n_locals;
    uint32_t n_suspects;
    uint64_t n_polls;
    uint32_t n_unheard;   /* receives from listening sockets since the last one that spoke for a session's peer */
    uint64_t armed_at;    /* the last poll before somebody meant to sleep */
    uint64_t sibling_due; /* the first poll that may open another */
    tern__route hot;      /* a peer that deserves a sibling */
    tern__udp_stats stats;
    tern__udp_rx rx;
    tern__placements placements;
    uint8_t heads[TERN__UDP_MAX_PLACES][TERN__EXPECTED_MAX_HEADER];
    tern__udp_sock socks[TERN__UDP_MAX_SOCKS + TERN__UDP_MAX_SIBLINGS]; /* the siblings last, without gaps */
    tern__udp_heat heats[TERN__UDP_HEATS];
    tern__udp_suspect suspects[TERN__UDP_MAX_SUSPECTS];
    tern__udp_local locals[TERN__UDP_MAX_LOCALS + 1];
    tern__udp_tx tx;
    bool told_buffers; /* the log knows of the sockets' buffers, and of what the kernel cannot do */
} tern__udp_port;

/* The index of the socket that packets to this route leave by, which is usable. */
static inline uint8_t tern__udp_via(const tern__udp_port *udp, const tern__route *route) {
    for (uint32_t i = 0; i < udp->n_siblings; i++)
        if (tern__route_eq(&udp->socks[TERN__UDP_MAX_SOCKS + i].peer, route)) return (uint8_t)(TERN__UDP_MAX_SOCKS + i);
    return tern__udp_route_sock(route);
}

/* The socket that a route goes through; NULL when it is gone. */
static inline const tern__udp_sock *tern__udp_sock_of(const tern__udp_port *udp, const tern__route *route) {
    if (route->len != sizeof(struct sockaddr_in) && route->len != sizeof(struct sockaddr_in6)) return NULL;
    uint32_t index = tern__udp_route_sock(route);
    return index < TERN__UDP_MAX_SOCKS && udp->socks[index].fd >= 0 ? &udp->socks[index] : NULL;
}

#endif
