/* The record of the stream port: what a connection and the port are made of, for all of the port's files. The port
 * serves two schemes, tcp:// and unix://, by one port each; docs/tcp.md is the description of the whole. The files,
 * each of which uses only those above it:
 *
 *   tcp_frame   a stream cut into packets           (pure memory)
 *   tcp_queue   packets as pieces for writev        (pure memory)
 *   tcp_socket  listening and dialling              (sockets)
 *   tcp         this record
 *   tcp_account what connections hold, and until when
 *   tcp_tx      the link: packets out
 *   tcp_conn    a connection's life
 *   tcp_port    the port: packets in, sleeping, accepting
 *
 * Invariants: a connection with a socket is in the epoll set, for writing only while it is CONNECTING or its socket is
 * full, and not for reading while it is paused; a paused connection is not hot; connections are freed by the sweep at
 * the end of a poll only, so that whoever walks over them may lose one; all whole packets that were read have been
 * handed on when a poll returns. */
#ifndef TERN_PORT_TCP_H
#define TERN_PORT_TCP_H

#include "mem/pool.h"
#include "port/accept_pause.h"
#include "port/port.h"
#include "port/seats.h"
#include "port/tcp_frame.h"
#include "port/tcp_queue.h"
#include "port/tcp_socket.h"

enum {
    TERN__TCP_MAX_INLINE = 16384, /* head_bytes of tx_reserve */
    TERN__TCP_MAX_POSTS = 136,
    TERN__TCP_MIN_REF_BYTES = 512, /* shorter posts are copied: a piece of its own costs more */

    /* The kernel copies either way. Measured on loopback, with a value in the cache: at 2 KB a copy is a few percent of
       a call cheaper, at 3 KB in place is. */
    TERN__TCP_THRESHOLD = 3072,

    TERN__TCP_QUEUE_BYTES = 1 << 20,   /* waiting, per connection; then its link is full */
    TERN__TCP_WRITE_BYTES = 256 << 10, /* from here on a new packet is preceded by a write */

    TERN__TCP_RX_BUFFER_BYTES = 64 << 10,
    TERN__TCP_RX_ROOM = 16 << 10,  /* the most that a receive brings beside the packet under way ... */
    TERN__TCP_RX_AHEAD = 4 << 10,  /* ... and behind a large one, whose successor is likely as large: less to copy */
    TERN__TCP_RX_TURN = 256 << 10, /* bytes of one connection in one poll, about */
    TERN__TCP_CRUMB_BYTES = 64,    /* less than that, and no whole packet: a read has brought a crumb */
    TERN__TCP_MAX_CRUMBS = 16,     /* a connection is paused at each from here on: tern__tcp_conn_weigh() */

    TERN__TCP_MAX_CONNS = 6144,    /* of which one network may have two thirds and a few (seats.h) */
    TERN__TCP_MAX_STRANGERS = 256, /* connections without a session */
    TERN__TCP_MAX_LISTENERS = 16,

    TERN__TCP_HOT_CONNS = 4,     /* asked in each poll, without epoll */
    TERN__TCP_COLD_POLLS = 1024, /* without a packet: no longer hot */
    TERN__TCP_RARELY = 8,        /* epoll is asked once in so many polls while there are hot connections ... */
    TERN__TCP_RAREST = 64,       /* ... and no others */
};

typedef struct tern__tcp_port tern__tcp_port;

/* Which path ran; monotonic. */
typedef struct tern__tcp_stats {
    uint64_t tx_packets, tx_bytes; /* bytes: with prefixes and greetings, as queued */
    uint64_t tx_calls;             /* writes */
    uint64_t tx_copied_bytes;      /* of packets */
    uint64_t tx_refs, tx_ref_bytes;
    uint64_t tx_full;  /* tx_reserve had no room, or no memory */
    uint64_t tx_short; /* writes that the socket took in part or not at all */
    uint64_t rx_packets, rx_bytes;
    uint64_t rx_calls;   /* reads */
    uint64_t rx_parts;   /* packets that came in several reads */
    uint64_t rx_pauses;  /* connections not read up to the next tick */
    uint64_t rx_buffers; /* receive buffers allocated */
    uint64_t conns_up, conns_lost, refused;
    uint64_t given_up;     /* of those lost, that held too much of what this endpoint may hold */
    uint64_t gave_way;     /* likewise, whose address had the most in its network */
    uint64_t rx_malformed; /* connections ended for nonsense */
    uint64_t unread;       /* connections ended because their peers took nothing */
    uint64_t sleeps;       /* arm said yes */
} tern__tcp_stats;

typedef enum tern__tcp_state {
    TERN__TCP_HALF_OPEN,  /* accepted; its greeting is not here yet */
    TERN__TCP_CONNECTING, /* dialled; no answer yet */
    TERN__TCP_UP,
    TERN__TCP_LINGERING, /* we hung up: the rest is being written, then the peer's end is awaited */
    TERN__TCP_DOWN,      /* a client's route without a connection */
    TERN__TCP_DEAD       /* freed by the next sweep */
} tern__tcp_state;

/* Whom a client's connection is to. */
typedef struct tern__tcp_target {
    tern__ip_addr addr; /* of no family for a Unix socket */
    tern_time dialled_at;
    char address[]; /* as the user wrote it */
} tern__tcp_target;

typedef struct tern__tcp_conn {
    int sock;      /* -1: none */
    uint8_t state; /* tern__tcp_state */
    bool hot;
    bool blocked;     /* the socket is full: epoll tells when it is not */
    bool paused;      /* it brings crumbs: not read up to the next tick */
    uint8_t n_crumbs; /* so far, less those that it has made up for */
    bool dirty;       /* in the port's list for the next flush */
    bool broken;      /* a write has failed, or the connection gives up */
    bool gives_up;    /* it holds too much of what this endpoint may hold: tern__tcp_conn_give_up() */
    uint8_t n_drains; /* turns since then */
    bool loss_due;    /* a client's route that could not be connected: say so in poll */
    bool heard;       /* it has brought a packet */
    bool retired;     /* its server goes away: who connects from now on gets another */
    bool used;        /* a session is open over it */
    bool in_part;     /* a frame that is to be whole in time has begun */
    bool heeded;      /* what it holds may change with any packet: in_part or blocked, or it was */
    bool no_more;     /* it holds more than its peer's share: what we have for it waits elsewhere */
    uint64_t last_rx; /* the poll that last brought something */
    uint64_t rx_bytes, tx_bytes;
    uint64_t weighed_bytes; /* of rx_bytes, up to the last part of a packet */
    tern__tcp_frames in;
    tern__tcp_queue out;
    tern__tx_run run; /* behind what is in `out` */
    tern__route route;
    uint32_t slot;
    uint32_t n_users;         /* connects not yet disconnected */
    tern__tcp_target *target; /* NULL: an accepted connection */
    tern__seat seat;
    tern__debit held;      /* beginnings of frames, and what the peer does not take */
    tern__node timed;      /* in the port's list while it has a deadline, and up to a tick longer; or alone */
    tern__node noticed;    /* in the port's list for attention, or alone */
    tern_dur deadline;     /* on the port's clock: tern__tcp_has_deadline() */
    tern_dur taken_before; /* likewise, while blocked: it takes something by then */
    tern_dur frame_before; /* likewise: a frame that is here in part is whole by then */
} tern__tcp_conn;

typedef struct tern__tcp_slot {
    tern__tcp_conn *conn;
    uint32_t generation;
    uint32_t next_free; /* index + 1, or 0 */
} tern__tcp_slot;

/* The packet being built. */
typedef struct tern__tcp_packet {
    tern__tcp_conn *conn;
    uint8_t *prefix;
    uint32_t total; /* bytes of the packet so far */
    uint32_t n_pieces, max_pieces;
    uint32_t n_refs, ref_bytes;
    tern__tcp_mark mark;
} tern__tcp_packet;

typedef struct tern__tcp_times {
    tern_dur tick;         /* how exactly the others are kept */
    tern_dur stranger;     /* an accepted connection over which no session is open is closed */
    tern_dur unread;       /* and one whose peer takes nothing of what waits */
    tern_dur frame;        /* and one whose frame takes longer from its first byte to its last */
    tern_dur give_up;      /* an unanswered dial ends */
    tern_dur linger;       /* for what is unsent when we hang up */
    tern_dur redial_pause; /* at least, between dials that packets cause */
} tern__tcp_times;

struct tern__tcp_port {
    tern__port port; /* first */
    tern__port_env env;
    tern_dur peer_timeout; /* of TCP; a Unix port has none */
    bool local;            /* unix:// */
    bool armed;
    bool attention; /* some connection is noticed, or a descriptor is free */
    int epoll;
    tern__accept_pause pause;
    int tick_fd;         /* a timer that runs while connections have deadlines */
    tern_dur clock;      /* the time in which the timer ran, ... */
    tern_time ticked_at; /* ... up to then (coarsely), less what this process has slept through */
    tern__node timed;    /* connections with deadlines, by tern__tcp_conn.timed */
    tern__node noticed;  /* those that are broken, to be reported, or DEAD */
    uint64_t n_polls;
    tern__tcp_slot *slots;
    tern__tcp_conn **dirty;
    uint32_t n_slots, n_dirty;
    uint32_t n_conns;   /* in slots */
    uint32_t free_slot; /* index + 1 of the first one; 0: none */
    uint32_t n_blocked;
    uint32_t n_half_open;
    uint32_t n_hot;
    tern__tcp_conn *hot[TERN__TCP_HOT_CONNS];
    tern__seats seats;
    uint8_t *rx; /* what a receive brings goes here; NULL when memory was out or the last one is kept by somebody */
    const uint32_t *rx_count; /* of its references */
    uint32_t rx_used;
    tern__tcp_spares spares;
    tern__tcp_packet tx;
    tern__tcp_times times;
    tern__tcp_listener listeners[TERN__TCP_MAX_LISTENERS];
    uint32_t n_listeners;
    tern__tcp_stats stats;
    int (*dial)(tern__tcp_port *t, tern__tcp_conn *conn); /* tern__tcp_conn_dial(), for tcp_tx.c, which lies below it */
    tern_time refusal_logged_at, give_up_logged_at, gave_way_logged_at, unread_logged_at; /* 0: never */
};

static inline const tern__tcp_stats *tern__tcp_port_stats(const tern__port *port) {
    return &((const tern__tcp_port *)(const void *)port)->stats;
}

static inline tern__tcp_port *tern__tcp_of_port(tern__port *port) {
    return TERN__CONTAINER(port, tern__tcp_port, port);
}
static inline tern__tcp_port *tern__tcp_of_link(tern__link *link) {
    return TERN__CONTAINER(link, tern__tcp_port, port.link);
}

/* The connection behind a route, or NULL when it is stale. */
static inline tern__tcp_conn *tern__tcp_conn_of(const tern__tcp_port *t, const tern__route *route) {
    uint32_t slot = tern__load32(route->bytes);
    if (slot >= t->n_slots || t->slots[slot].generation != tern__load32(route->bytes + 4)) return NULL;
    return t->slots[slot].conn;
}

/* The next poll looks at this connection. */
static inline void tern__tcp_notice(tern__tcp_port *t, tern__tcp_conn *conn) {
    t->attention = true;
    if (tern__list_empty(&conn->noticed)) tern__list_append(&t->noticed, &conn->noticed);
}

/* What the constants promise each other. */
_Static_assert(TERN__TCP_MAX_POSTS >= 2 + TERN__TCP_MAX_PACKET / 512, "link.h: enough posts for a full packet");
_Static_assert((int)TERN__TCP_MAX_PACKET <= (int)TERN__TCP_CHUNK_BYTES,
               "tcp_queue.h: less than a chunk behind the head");
_Static_assert(TERN__TCP_RX_ROOM <= TERN__TCP_RX_BUFFER_BYTES && TERN__TCP_RX_AHEAD <= TERN__TCP_RX_ROOM,
               "room to read");

#endif
