/* The record of the shm port: what a peer and the port are made of, for all of the port's files. docs/shm.md is the
 * description of the whole. The files, each of which uses only those above it:
 *
 *   shm_ring    records from one writer to one reader           (pure memory)
 *   shm_map     channels, and the checked view of the peer's    (memfds, mappings)
 *   shm_socket  greetings, wake-ups, the end of a peer          (sockets)
 *   shm         this record
 *   shm_timer   time limits of peers
 *   shm_lend    what peers keep of ours
 *   shm_keep    what we keep of peers'
 *   shm_tx      the link: packets out
 *   shm_peer    a peer's life
 *   shm_port    the port: packets in, sleeping, accepting */
#ifndef TERN_PORT_SHM_H
#define TERN_PORT_SHM_H

#include "base/factor.h"
#include "mem/observe.h"
#include "port/accept_pause.h"
#include "port/port.h"
#include "port/seats.h"
#include "port/shm_map.h"
#include "port/shm_ring.h"
#include "port/shm_socket.h"

enum {
    TERN__SHM_MAX_PACKET = 245752,   /* a payload is a multiple of 64, and four packets fit the bounce area */
    TERN__SHM_MAX_INPLACE = 1114104, /* of references but for a head: a megabyte and what goes with it */
    TERN__SHM_MAX_INLINE = 8192,     /* head_bytes of tx_reserve */
    TERN__SHM_MAX_POSTS = 242,
    TERN__SHM_INLINE_SLACK = 1024,                   /* posts copied behind the inline bytes, at most */
    TERN__SHM_MAX_ENTRIES = TERN__SHM_MAX_POSTS + 2, /* a copied piece may wrap in the bounce area, once */
    TERN__SHM_MIN_REF_BYTES = 256,                   /* shorter posts are copied */
    TERN__SHM_DONE_RING = 4096,                      /* references and bounce pieces under way, per peer */
    TERN__SHM_LAZY_DONE = 32,                        /* from so many on, look for completions when sending */
    TERN__SHM_FEW_LINES = 4,
    TERN__SHM_BATCH_LINES = 32,   /* of packets that are handed over at once */
    TERN__SHM_RUN_LINES = 32,     /* more than a poll brings and its user starts, so that each flush finds all of it */
    TERN__SHM_PUBLISH_LINES = 64, /* tell the writer how far we are this often */
    TERN__SHM_MAX_PEERS = 1536,   /* of which one user may have two thirds and a few (seats.h) */
    TERN__SHM_MAX_STRANGERS = 64, /* peers without a session */
    TERN__SHM_MAX_LISTENERS = 8
};

typedef struct tern__shm_port tern__shm_port;

/* Which path ran; monotonic. */
typedef struct tern__shm_stats {
    uint64_t tx_packets, rx_packets;
    uint64_t tx_inline_bytes, tx_bounce_bytes, tx_ref_bytes; /* by how they travelled */
    uint64_t tx_refs, refs_released;
    uint64_t tx_announced, tx_retired; /* segments */
    uint64_t tx_lent, tx_expired;      /* references that peers kept; those that they kept too long */
    uint64_t rx_kept;                  /* references of peers that we kept */
    uint64_t tx_full;                  /* tx_reserve had no room */
    uint64_t wakes_sent;               /* a sleeping peer was woken */
    uint64_t sleeps;                   /* arm said yes */
    uint64_t peers_up, peers_lost, refused;
    uint64_t rx_malformed; /* peers dropped for nonsense */
    uint64_t unread;       /* and for taking nothing */
} tern__shm_stats;

/* What is to be done when the reader has passed `position`: give a reference back, unless the reader keeps it, or
 * bounce space. */
typedef struct tern__shm_done {
    uint64_t position;
    const void *ref; /* NULL: bounce space up to `bounce` is free again; TERN__SHM_BY_TICKET: that of a ticket */
    union {
        uint32_t *counter; /* of ref */
        uint64_t bounce;
        uint64_t ticket;
    };
} tern__shm_done;

#define TERN__SHM_BY_TICKET ((const void *)1)

/* A reference that the peer may keep. */
typedef struct tern__shm_ticket {
    const void *ref; /* NULL: given back, as the peer kept it too long */
    uint32_t *counter;
    uint32_t len;
    uint32_t next_free;
    tern_time lent_at; /* coarse */
} tern__shm_ticket;

/* All of a peer's. */
typedef struct tern__shm_lending {
    tern__shm_ticket *tickets; /* TERN__SHM_TICKETS, by number less 1; NULL: the peer has kept nothing so far */
    uint16_t *lent;            /* those whose records it has passed, and kept: n_lent of the peer */
    uint32_t free;             /* the first free one; 0: there is none */
    uint32_t turn;             /* where the next look at what is lent begins */
    uint32_t n_unseen;         /* of what is lent, not looked at since the peer let go of something */
    uint32_t let_go;           /* the peer's count as last seen */
    uint64_t bytes;            /* of values with tickets */
} tern__shm_lending;

typedef enum tern__shm_state {
    TERN__SHM_HALF_OPEN,  /* accepted; its greeting is not here yet */
    TERN__SHM_CONNECTING, /* ours is sent, theirs is not here yet */
    TERN__SHM_UP,
    TERN__SHM_DRAINING,  /* it hung up; what it left in the ring is still delivered */
    TERN__SHM_LINGERING, /* we hung up; it may still read what we refer to */
    TERN__SHM_DOWN,      /* a client's route without a connection */
    TERN__SHM_DEAD       /* freed by the next sweep */
} tern__shm_state;

typedef struct tern__shm_peer {
    /* What an idle poll looks at. */
    tern__ring_rx rx;
    uint64_t published; /* rx.position as the peer knows it */
    uint32_t done_head, done_tail;
    uint32_t n_lent; /* references that it keeps: see tern__shm_lending */
    uint8_t state;   /* tern__shm_state */
    bool fault;      /* it told us nonsense while we sent */
    bool stalled;    /* the last tx_reserve found no room */
    bool takes_refs; /* it follows offsets into segments that we announce */
    bool offered;    /* it may have our segments, ... */
    bool maps;       /* ... and we may have its own */
    bool loss_due;   /* a client's route that could not be connected: say so in poll */
    bool retired;    /* its server goes away: who connects from now on gets another */
    bool used;       /* a session is open over it */
    bool timed;      /* it has a deadline, for which the timer runs */
    bool unread;     /* it has taken nothing for too long, and goes in the next poll */

    tern__tx_run run; /* over `staged`; NULL to NULL: closed */
    bool written;     /* something went into the ring since the last flush */
    bool flushed;     /* it is on the list for flushing; always while the run is open */
    uint8_t n_idle;   /* flushes in a row, at most, that had nothing for it */
    tern__ring_tx tx;
    const tern__shm_control *theirs;
    tern__shm_control *ours;
    tern__shm_done *done;
    uint64_t bounce_head, bounce_tail; /* running byte counts */
    uint32_t woken;                    /* the `sleep` value for which a wake-up went out */

    int sock;
    tern__shm_channel channel;
    tern__shm_view view;
    tern__shm_region region;
    uint32_t *announced; /* per segment of ours: the generation that the peer knows, or 0 */
    uint32_t n_announced;
    tern__shm_lending lending;
    struct tern__shm_ground *ground; /* under what we keep of it, shm_keep.c; NULL: nothing so far */
    tern__route route;
    uint32_t slot;
    uint32_t active_at;   /* index + 1 in the port's list; 0: it is not there */
    uint32_t n_users;     /* connects not yet disconnected; 0: an accepted peer */
    uint64_t dialled_at;  /* ns, coarse */
    tern_time full_since; /* coarse; 0: it was never full */
    uint64_t full_seen;   /* tx.seen as it was then */
    uint64_t told;        /* its position as it was when it was said last that there is room */
    tern_time deadline;   /* while LINGERING, or a stranger; coarse */
    tern__seat seat;
    tern__node noticed;  /* in the port's list for attention, or alone */
    tern__node awake;    /* in the port's list of those to put to sleep, or alone: it wakes us if it has anything */
    uint32_t drain_left; /* lines a peer that hung up may still have delivered */
    char path[TERN__UNIX_PATH_BYTES];

    tern__rx_packet lines; /* what does not change of those that it sends in lines */

    /* Packets on their way into the ring, each behind its length. Written to the ring together: see
     * tern__ring_write_lines(). */
    _Alignas(64) uint8_t staged[TERN__SHM_RUN_LINES * TERN__RUN_LINE_BYTES];
} tern__shm_peer;

/* A buffer for one packet after the other, as long as nobody keeps it. */
typedef struct tern__shm_scratch {
    uint8_t *data; /* NULL: none at the moment */
    const uint32_t *count;
} tern__shm_scratch;

typedef struct tern__shm_slot {
    tern__shm_peer *peer;
    uint32_t generation;
    uint32_t next_free; /* index + 1, or 0 */
} tern__shm_slot;

/* Where a span comes from. */
typedef struct tern__shm_source {
    tern__shm_segment *segment; /* NULL: the bounce area */
    uint32_t ticket;            /* 0: it cannot be kept */
} tern__shm_source;

/* The packet being built. */
typedef struct tern__shm_packet {
    tern__shm_peer *peer;
    uint8_t *mem;
    uint32_t lines; /* reserved */
    uint32_t inline_bytes, inline_room;
    uint32_t total_bytes;
    uint32_t n_pieces, max_pieces, n_entries;
    uint32_t copied_bytes; /* of the pieces */
    bool lends;            /* the peer may keep what goes by reference */
    uint32_t done_head;    /* as before the packet */
    uint64_t bounce_head;
    tern__ring_entry entries[TERN__SHM_MAX_ENTRIES];
} tern__shm_packet;

struct tern__shm_port {
    tern__port port; /* first */
    tern__port_env env;
    tern__shm_slot *slots;
    tern__shm_peer **active; /* those with a channel: UP, DRAINING, LINGERING */
    tern__shm_peer **flush;  /* written to lately */
    uint32_t n_slots, n_active, n_flush;
    uint32_t free_slot;                /* index + 1 of the first one; 0: none */
    tern__shm_scratch line, few_lines; /* for packets of one line, and of up to TERN__SHM_FEW_LINES */
    tern__shm_scratch batch;           /* for TERN__SHM_BATCH_LINES lines of packets */
    uint32_t n_kept;                   /* packets to receive singly */
    uint32_t n_half_open, n_connecting;
    uint32_t n_timed;    /* peers that linger, strangers, and those that keep something: all have time limits */
    tern_dur linger;     /* at most, for a peer to read what refers to our buffers when we have hung up */
    tern_dur take;       /* at most, for a peer whose ring is full to take anything */
    tern_dur stranger;   /* at most, for a peer that was accepted to open a session, or was dialled to greet */
    tern_time ticked_at; /* coarse */
    uint64_t lend_bytes; /* what a peer may keep, ... */
    tern_dur lend_time;  /* ... and how long */
    int tick_fd;         /* a timer in the epoll set; runs while n_timed */
    uint32_t turn;       /* where the next scan starts */
    uint32_t cold;       /* where the scan of quiet peers goes on */
    uint32_t service_in; /* polls until the sockets are looked at */
    bool attention;      /* some peer is noticed, or a descriptor is free */
    bool memory_failed;  /* that channels cannot be made has been logged */
    tern__node awake;    /* peers that are not told that we sleep: by tern__shm_peer.awake */
    tern__node noticed;  /* peers that have a fault or a loss to report, or have left their state */
    tern__seats seats;
    bool armed;
    bool keeps;              /* some of what peers send in place is to be kept */
    bool fence;              /* no membarrier: fence before looking whether a peer sleeps */
    bool shares;             /* our segments may be shown to peers of our user */
    bool short_of_addresses; /* a peer's segment could not be mapped: peers that come from now on send copies */
    bool share_failed;       /* has been logged */
    bool segments_gone;      /* since peers were told last; atomic, set by any thread */
    tern__observer observer;
    int epoll;
    tern__accept_pause pause;
    tern__shm_hello hello; /* ours */
    tern__shm_packet tx;
    tern__span spans[TERN__RING_MAX_ENTRIES];
    tern__shm_source sources[TERN__RING_MAX_ENTRIES]; /* of the spans */
    tern__unix_listener listeners[TERN__SHM_MAX_LISTENERS];
    uint32_t n_listeners;
    tern__shm_stats stats;
    int (*dial)(tern__shm_port *s, tern__shm_peer *peer); /* tern__shm_peer_dial(), for shm_tx.c, which lies below it */
    tern_time refusal_logged_at, unread_logged_at;        /* 0: never */
};

static inline const tern__shm_stats *tern__shm_port_stats(const tern__port *port) {
    return &((const tern__shm_port *)(const void *)port)->stats;
}

/* The peer behind a route, or NULL when it is stale. */
static inline tern__shm_peer *tern__shm_peer_of(const tern__shm_port *s, const tern__route *route) {
    uint32_t slot = tern__load32(route->bytes);
    if (slot >= s->n_slots || s->slots[slot].generation != tern__load32(route->bytes + 4)) return NULL;
    return s->slots[slot].peer;
}

/* The next poll looks at this peer. */
static inline void tern__shm_attend(tern__shm_port *s, tern__shm_peer *peer) {
    s->attention = true;
    if (tern__list_empty(&peer->noticed)) tern__list_append(&s->noticed, &peer->noticed);
}

/* Something has come from the peer, or is sent to it: before this port sleeps it looks there. */
static inline void tern__shm_stir(tern__shm_port *s, tern__shm_peer *peer) {
    if (!tern__list_empty(&peer->awake)) return;
    tern__list_append(&s->awake, &peer->awake);
    if (peer->ours->sleep & 1) __atomic_store_n(&peer->ours->sleep, peer->ours->sleep + 1, __ATOMIC_RELEASE);
}

/* A peer that was accepted and has no session. */
static inline bool tern__shm_is_stranger(const tern__shm_peer *peer) {
    bool is_here = peer->state == TERN__SHM_HALF_OPEN || peer->state == TERN__SHM_UP;
    return is_here && !peer->used && !peer->path[0];
}

/* Whether it has references of ours. */
static inline bool tern__shm_peer_owes(const tern__shm_peer *peer) {
    return peer->done_head != peer->done_tail || peer->n_lent;
}

/* What the constants promise each other. */
_Static_assert(TERN__SHM_MAX_POSTS >= 2 + TERN__SHM_MAX_PACKET / 1024, "link.h: enough posts for a full packet");
_Static_assert((int)TERN__SHM_MAX_ENTRIES <= (int)TERN__RING_MAX_ENTRIES, "entries are counted in a byte");
_Static_assert(TERN__RING_WORD_BYTES + TERN__SHM_MAX_INLINE + TERN__SHM_INLINE_SLACK + 8 +
                       TERN__SHM_MAX_ENTRIES * sizeof(tern__ring_entry) <=
                   TERN__RING_MAX_LINES * TERN__RING_LINE_BYTES,
               "the largest record fits a record's line count");
_Static_assert(TERN__SHM_BOUNCE_BYTES >= TERN__SHM_MAX_INPLACE + 3 * TERN__SHM_MAX_PACKET,
               "packets that are copied whole can overlap");

#endif
