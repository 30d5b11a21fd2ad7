/* The shm port inside: peers, and what its files share. docs/shm.md is the description of the whole.
 *
 *   shm_ring    records from one writer to one reader           (pure memory)
 *   shm_map     channels, and the checked view of the peer's    (memfds, mappings)
 *   shm_socket  greetings, wake-ups, the end of a peer          (sockets)
 *   shm_peer    a peer's life                                   (the above put together)
 *   shm_tx      the link: packets out
 *   shm         the port: packets in, sleeping, accepting */
#ifndef TERN_PORT_SHM_H
#define TERN_PORT_SHM_H

#include "base/factor.h"
#include "port/accept_pause.h"
#include "port/port.h"
#include "port/shm_map.h"
#include "port/shm_port.h"
#include "port/shm_ring.h"
#include "port/shm_socket.h"

enum {
    TERN__SHM_MAX_PACKET = 245732, /* a payload is a multiple of 64, and four packets fit the bounce area */
    TERN__SHM_MAX_INLINE = 8192,   /* head_bytes of tx_reserve */
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
    TERN__SHM_MAX_PEERS = 1024,
    TERN__SHM_MAX_HALF_OPEN = 64,
    TERN__SHM_MAX_LISTENERS = 8
};

/* Which path ran; monotonic. */
typedef struct tern__shm_stats {
    uint64_t tx_packets, rx_packets;
    uint64_t tx_inline_bytes, tx_bounce_bytes, tx_ref_bytes; /* by how they travelled */
    uint64_t tx_refs, refs_released;
    uint64_t tx_full;    /* tx_reserve had no room */
    uint64_t wakes_sent; /* a sleeping peer was woken */
    uint64_t sleeps;     /* arm said yes */
    uint64_t peers_up, peers_lost, refused;
    uint64_t rx_malformed; /* peers dropped for nonsense */
} tern__shm_stats;

/* What is to be done when the reader has passed `position`: give a reference back, or bounce space. */
typedef struct tern__shm_done {
    uint64_t position;
    const void *ref; /* NULL: bounce space up to `bounce` is free again */
    union {
        uint32_t *counter; /* of ref */
        uint64_t bounce;
    };
} tern__shm_done;

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
    uint8_t state;   /* tern__shm_state */
    bool fault;      /* it told us nonsense while we sent */
    bool stalled;    /* the last tx_reserve found no room */
    bool takes_refs; /* it follows offsets into our region */
    bool offered;    /* it got our region's descriptors */
    bool report;     /* a client's route that could not be connected: say so in poll */
    bool retired;    /* its server goes away: who connects from now on gets another */

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
    tern__route route;
    uint32_t slot;
    uint32_t n_users;    /* connects not yet disconnected; 0: an accepted peer */
    uint64_t born;       /* order of arrival */
    uint64_t dialled_at; /* ns, coarse */
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
} tern__shm_slot;

/* The packet being built. */
typedef struct tern__shm_packet {
    tern__shm_peer *peer;
    uint8_t *mem;
    uint32_t lines; /* reserved */
    uint32_t inline_bytes, inline_room;
    uint32_t total_bytes;
    uint32_t n_pieces, max_pieces, n_entries;
    uint32_t done_head; /* as before the packet */
    uint64_t bounce_head;
    tern__ring_entry entries[TERN__SHM_MAX_ENTRIES];
} tern__shm_packet;

typedef struct tern__shm_port {
    tern__port port; /* first */
    tern__port_env env;
    tern__shm_slot *slots;
    tern__shm_peer **active; /* those with a channel: UP, DRAINING, LINGERING */
    tern__shm_peer **flush;  /* written to lately */
    uint32_t n_slots, n_active, n_flush;
    tern__shm_scratch line, few_lines; /* for packets of one line, and of up to TERN__SHM_FEW_LINES */
    tern__shm_scratch batch;           /* for TERN__SHM_BATCH_LINES lines of packets */
    uint32_t n_kept;                   /* packets to receive singly */
    uint32_t n_half_open, n_connecting;
    uint32_t turn;       /* where the next scan starts */
    uint32_t cold;       /* where the scan of quiet peers goes on */
    uint32_t service_in; /* polls until the sockets are looked at */
    bool attention;      /* some peer has fault or report set, or is DEAD */
    bool armed;
    bool fence;  /* no membarrier: fence before looking whether a peer sleeps */
    bool shares; /* our region may be shown to peers of our user */
    int epoll;
    tern__accept_pause pause;
    uint64_t n_born;
    tern__shm_hello hello; /* ours, n_segments as if shared */
    int region_fds[TERN__SHM_MAX_SEGMENTS];
    tern__shm_packet tx;
    tern__span spans[TERN__RING_MAX_ENTRIES];
    tern__unix_listener listeners[TERN__SHM_MAX_LISTENERS];
    uint32_t n_listeners;
    tern__shm_stats stats;
} tern__shm_port;

extern const tern__link_ops tern__shm_link_ops;

const tern__shm_stats *tern__shm_port_stats(const tern__port *port);

/* ---- shm_peer.c --------------------------------------------------------------------------------- */

/* The peer behind a route, or NULL when it is stale. */
static inline tern__shm_peer *tern__shm_peer_of(const tern__shm_port *s, const tern__route *route) {
    uint32_t slot = tern__load32(route->bytes);
    if (slot >= s->n_slots || s->slots[slot].generation != tern__load32(route->bytes + 4)) return NULL;
    return s->slots[slot].peer;
}

/* A new peer in a slot of its own, without socket. NULL when memory or slots are out. */
tern__shm_peer *tern__shm_peer_new(tern__shm_port *s, tern__shm_state state);

/* Dial a client's peer that is DOWN. Failure to reach it is reported by the next poll; returns 0 then too.
 * TERN_ERR_ADDRESS, TERN_ERR_NOMEM. */
int tern__shm_peer_dial(tern__shm_port *s, tern__shm_peer *peer);

/* Take on a socket that was accepted; makes room among those who never greeted if need be. */
void tern__shm_peer_accept(tern__shm_port *s, int sock);

/* Its socket has something. */
void tern__shm_peer_readable(tern__shm_port *s, tern__shm_peer *peer);

/* The connection is over: give everything back, and tell the endpoint. In poll only. */
void tern__shm_peer_lose(tern__shm_port *s, tern__shm_peer *peer, const char *why);

/* Our own side is done with it. */
void tern__shm_peer_hang_up(tern__shm_port *s, tern__shm_peer *peer);

/* Unmap, close, drop references. The state is the caller's business. */
void tern__shm_peer_release(tern__shm_port *s, tern__shm_peer *peer);

/* Free the dead. Not while anybody walks over peers. */
void tern__shm_sweep(tern__shm_port *s);

/* ---- shm_tx.c ----------------------------------------------------------------------------------- */

/* Read how far the peer is and give back what it is done with. */
void tern__shm_reap(tern__shm_port *s, tern__shm_peer *peer);

/* Whether the run is closed, or nothing is in it. */
static inline bool tern__shm_run_is_empty(const tern__shm_peer *peer) {
    return (uintptr_t)peer->run.at <= (uintptr_t)peer->staged;
}

/* What is in the run goes into the ring; it is not empty. The caller says where it goes on. Returns its lines. */
static inline uint32_t tern__shm_run_write_out(tern__shm_port *s, tern__shm_peer *peer) {
    uint32_t n = (uint32_t)(peer->run.at - peer->staged) / TERN__RUN_LINE_BYTES;
    tern__ring_batch batch = tern__ring_write_lines(&peer->tx, peer->staged, n);
    tern__link_sent *sent = &s->port.link.sent;
    sent->run_packets += batch.n;
    sent->run_bytes += batch.bytes;
    s->stats.tx_inline_bytes += batch.bytes;
    s->stats.tx_packets += batch.n;
    peer->written = true;
    return n;
}

/* What is in the run goes into the ring, and the run goes on with the places that are left. */
static inline void tern__shm_run_write(tern__shm_port *s, tern__shm_peer *peer) {
    if (tern__shm_run_is_empty(peer)) return;
    uint32_t n = tern__shm_run_write_out(s, peer);
    peer->run.at = peer->staged;
    peer->run.end -= (size_t)n * TERN__RUN_LINE_BYTES;
}

/* No more packets into the run until a small one that went by itself opens it again. */
void tern__shm_run_close(tern__shm_port *s, tern__shm_peer *peer);

/* Wake the peer if it sleeps, once per sleep. */
void tern__shm_wake(tern__shm_port *s, tern__shm_peer *peer);

/* A full fence, for when membarrier is not to be had. */
static inline void tern__shm_fence(void) {
#ifdef __SANITIZE_THREAD__
    /* Fences are unknown to the thread sanitizer. */
    static _Thread_local uint32_t word;
    __atomic_fetch_add(&word, 0, __ATOMIC_SEQ_CST);
#else
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

/* What the constants promise each other. */
_Static_assert(TERN__SHM_MAX_POSTS >= 2 + TERN__SHM_MAX_PACKET / 1024, "link.h: enough posts for a full packet");
_Static_assert((int)TERN__SHM_MAX_ENTRIES <= (int)TERN__RING_MAX_ENTRIES, "entries are counted in a byte");
_Static_assert(TERN__RING_WORD_BYTES + TERN__SHM_MAX_INLINE + TERN__SHM_INLINE_SLACK + 8 +
                       TERN__SHM_MAX_ENTRIES * sizeof(tern__ring_entry) <=
                   TERN__RING_MAX_LINES * TERN__RING_LINE_BYTES,
               "the largest record fits a record's line count");
_Static_assert(TERN__SHM_BOUNCE_BYTES >= 4 * TERN__SHM_MAX_PACKET, "packets that are copied whole can overlap");

#endif
