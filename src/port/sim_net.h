/* The simulated network below its ports: packets on their way, paths, routes, events. The network is here only as a
 * record; sim.h makes and changes it. */
#ifndef TERN_PORT_SIM_NET_H
#define TERN_PORT_SIM_NET_H

#include "base/rng.h"
#include "port/placement.h"
#include "port/sim_config.h"
#include "tern/mem.h"

/* A piece that is sent from where it is. */
struct piece {
    const uint8_t *data;
    uint32_t len;
    uint8_t *copy; /* of memory outside the pool, on a link that reads late; data points to it */
    uint64_t hash; /* of the contents when they were posted */
};

struct packet {
    struct packet *next;
    uint32_t src, dst;
    uint32_t src_life, dst_life; /* of the nodes when it was sent: it dies with them */
    uint32_t route_life;         /* reliable: of the pair */
    uint32_t len, head_len;
    bool may_be_marked;  /* ECT, in ECN's terms */
    bool marked;         /* CE */
    tern_time delivered; /* in the receiver's memory since then */
    bool loss_marker;    /* no packet: the route to src is lost from here on */
    uint8_t *head;       /* head_len bytes that the sender wrote */
    uint8_t *gathered;   /* len bytes, once they were read; head is NULL then */
    uint32_t n_pieces, max_pieces;
    struct piece pieces[];
};

enum event_kind { DEPART, ARRIVE, DELIVER };

struct event {
    tern_time at;
    uint64_t order; /* of creation: decides between equal times */
    enum event_kind kind;
    struct packet *packet;
};

struct queue {
    struct packet *first, **last;
};

struct nic {
    tern__sim_nic config;
    tern_time free_at;     /* when the last bit of what it has taken is out */
    uint64_t remainder;    /* of the division by the rate, so that rounding does not add up */
    uint64_t queued_bytes; /* taken and not out yet */
};

/* What a node knows about another. */
struct pair {
    tern__sim_path path;
    bool path_set;
    bool used;             /* reliable: packets went this way since the last loss */
    uint32_t route_life;   /* reliable: counts losses */
    uint32_t n_on_way;     /* reliable: packets from the node to the other, not yet polled */
    tern_time last_at;     /* reliable: the latest arrival, which no later packet may precede */
    struct packet *marker; /* reliable: tells the node that the other is lost */
    bool marker_queued;
};

/* A run of one route and what its packets become when it is written out: a packet for each place that is left. */
struct sim_lines {
    tern__tx_run run;
    uint8_t *memory; /* NULL: closed */
    uint8_t *first;  /* not written out yet; up to run.at */
    struct queue spare;
    uint32_t n_idle; /* flushes that found it empty */
};

struct sim_port {
    tern__port port;
    tern__path path;
    tern__sim *sim;
    tern__port_env env;
    uint32_t node;
    bool dead;                               /* the node went down under it */
    struct packet *building[TERN__TX_BATCH]; /* reserved */
    uint32_t n_building;
    uint32_t filling; /* the one that the last piece went to */
    struct queue ended;
    struct sim_lines *lines;  /* by peer; NULL: there are none */
    tern__tx_run equal;       /* of lossy links */
    uint8_t *equal_memory;    /* NULL: closed; */
    struct queue equal_spare; /* and a packet for each place in it */
    struct arrival *arrivals; /* being handed over */
    tern__placements placements;
};

struct node {
    struct sim_port *port; /* NULL or dead: the node is down */
    uint32_t tx_life, rx_life;
    struct nic uplink, downlink;
    struct queue rx;
    struct pair *pairs; /* by other node; NULL until needed */
};

struct tern__sim {
    tern__sim_config config;
    tern_time now;
    tern__rng rng;
    tern__rng batch_rng; /* of the lengths of runs that are open, */
    tern__rng place_rng; /* of guesses, which other packets do not depend on, */
    tern__rng rx_rng;    /* and of those received, which are the same however their packets were sent */
    tern__rng keep_rng;  /* of what is not kept */
    tern__node keepers;  /* of pieces that have not expired (sim_keep.c) */
    struct event *heap;
    size_t n_events, n_reserved, cap_events;
    uint64_t order;
    uint64_t hash;
    uint64_t switch_bytes; /* queued at all downlinks */
    tern__sim_stats stats;
    tern__sim_watch_fn *watch;
    void *watch_ctx;
    tern__sim_drop_fn *drop;
    void *drop_ctx;
    struct node nodes[];
};

static inline uint64_t hash_word(uint64_t hash, const uint8_t *p) {
    return tern__mix64(hash ^ tern__load64(p)) + 0x9e3779b97f4a7c15u;
}

static inline uint64_t hash_bytes(uint64_t hash, const void *data, size_t len) {
    const uint8_t *p = data;
    for (; len >= 8; p += 8, len -= 8) hash = hash_word(hash, p);
    uint64_t rest = len;
    for (size_t i = 0; i < len; i++) rest = rest << 8 | p[i];
    return tern__mix64(hash ^ rest) + 0x9e3779b97f4a7c15u;
}

static inline void queue_init(struct queue *q) {
    q->first = NULL;
    q->last = &q->first;
}

static inline void queue_push(struct queue *q, struct packet *p) {
    p->next = NULL;
    *q->last = p;
    q->last = &p->next;
}

static inline struct packet *queue_pop(struct queue *q) {
    struct packet *p = q->first;
    if (p) {
        q->first = p->next;
        if (!q->first) q->last = &q->first;
    }
    return p;
}

static inline void queue_unpop(struct queue *q, struct packet *p) {
    p->next = q->first;
    q->first = p;
    if (!p->next) q->last = &p->next;
}

static inline bool node_up(const struct node *node) { return node->port && !node->port->dead; }

/* ---- Packets ------------------------------------------------------------------------------------ */

/* A packet with room for n_pieces; NULL when memory is out. */
struct packet *tern__sim_packet_new(tern__sim *sim, uint32_t n_pieces);

/* Free a packet that was never ended, or one that was: sent and done with, or dropped and counted. */
void tern__sim_packet_free(tern__sim *sim, struct packet *p);
void tern__sim_packet_end(tern__sim *sim, struct packet *p);
void tern__sim_packet_drop(tern__sim *sim, struct packet *p, uint64_t *reason);

/* Read the packet as a network card would. False when memory is out. */
bool tern__sim_packet_gather(tern__sim *sim, struct packet *p);

/* Whether a packet of a reliable link has lost its route. */
bool tern__sim_packet_stale(const tern__sim *sim, const struct packet *p);

/* Whether the piece lies in a live buffer, or outside the pool. */
bool tern__sim_piece_live(const struct piece *piece);

/* Count what the sender may not do between posting a piece and the moment when it is read. */
void tern__sim_piece_check(tern__sim *sim, const struct piece *piece);

void tern__sim_tell(tern__sim *sim, const struct packet *p, tern__sim_fate fate);

/* The packet, whose port has flushed it, begins its way. */
void tern__sim_uplink_take(tern__sim *sim, struct packet *p);

/* The next event happens, of which there is one. Returns the node that it gave something to poll, or UINT32_MAX. */
uint32_t tern__sim_event(tern__sim *sim);

/* ---- Routes ------------------------------------------------------------------------------------- */

bool tern__sim_pairs_reserve(tern__sim *sim, uint32_t node);
const tern__sim_path *tern__sim_path_of(const tern__sim *sim, uint32_t src, uint32_t dst);

/* Reliable: a packet goes from a to b, so each of them will have to learn of a loss. */
bool tern__sim_route_use(tern__sim *sim, uint32_t a, uint32_t b);

/* Reliable: tell `node`, after all that it has yet to poll, that it has lost `peer`; in_order: also after all that peer
 * has sent. */
void tern__sim_route_lose(tern__sim *sim, uint32_t node, uint32_t peer, bool in_order);

/* Reliable: all other nodes lose this one, now or, in_order, after what it has flushed. */
void tern__sim_routes_lose(tern__sim *sim, uint32_t node, bool in_order);

/* ---- What ports ask the network ----------------------------------------------------------------- */

/* The packet is complete and leaves with the next flush. */
void tern__sim_port_end(struct sim_port *port, struct packet *p);

/* Reliable: how many packets the ring to dst has room for. */
uint32_t tern__sim_port_room(const struct sim_port *port, uint32_t dst);

/* Whether a reliable link takes a packet to dst now. */
bool tern__sim_route_open(struct sim_port *port, uint32_t dst);

#endif
