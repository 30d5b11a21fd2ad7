/* A network of nodes under a virtual clock.
 *
 *   node --uplink--> (path: delay, loss, duplication, reordering, cut) --downlink--> node
 *
 * Uplink and downlink have a rate and a queue that drops at its tail, so many senders to one node meet at
 * its downlink as they do at a switch; the downlinks' queues may share one buffer. Time passes only in tern__sim_step
 * and tern__sim_advance; events at one time happen in the order in which they were made. The same seed and the same
 * calls give the same packets, byte for byte: tern__sim_hash says so in one number.
 *
 * Memory is read as late as hardware would: a lossy link gathers a packet at tx_flush (or, with holds_refs,
 * when its last bit has left the uplink), a reliable one when the receiver polls, as over shared memory. A
 * sender that gives memory back too early is therefore caught, by the sanitizer or by stats.misuse.
 *
 * Packets may be sent and received in batches, as the real ports do it: with open runs and several places at once on
 * the sender's side, in runs and several descriptors at once on the receiver's, some of them in memory that is only
 * lent. How long each is the seed decides, by numbers that nothing else depends on: with `one_run` a network with
 * batches carries the same packets at the same times as one without.
 *
 * One thread. Ports are freed before their simulator. */
#ifndef TERN_PORT_SIM_H
#define TERN_PORT_SIM_H

#include "port/port.h"

typedef struct tern__sim tern__sim;

/* One direction of a node's network card. */
typedef struct tern__sim_nic {
    uint64_t rate_bps;    /* 0: infinitely fast */
    uint64_t queue_bytes; /* packets beyond are dropped (never on reliable links); 0: no bound */
} tern__sim_nic;

/* What happens between two nodes; probabilities are 0 to 1 per packet. */
typedef struct tern__sim_path {
    tern_dur delay;         /* propagation, one way */
    double loss, duplicate; /* reliable links know neither */
    double reorder;         /* probability of an additional delay, uniform up to reorder_delay */
    tern_dur reorder_delay;
    bool bleach; /* what arrives says no more that it may be marked */
    bool cut;    /* nothing passes; a reliable route is lost */
} tern__sim_path;

typedef struct tern__sim_config {
    uint32_t n_nodes;
    tern__sim_nic uplink, downlink; /* of every node, until changed */
    tern__sim_path path;            /* between every two nodes, until changed */
    uint32_t max_packet;            /* of every link; at least 256 */
    uint32_t threshold;             /* of every link */
    bool reliable;                  /* links deliver once and in order; they hold references */
    bool holds_refs;                /* lossy links hold references and read memory at departure */
    bool spans;                     /* reliable: in-place pieces arrive as spans of the sender's memory */
    uint32_t ring_packets;          /* reliable: packets on their way between two nodes; 0: no bound */
    uint64_t switch_buffer_bytes;   /* lossy: what all downlinks together may queue; 0: no bound */
    double switch_share;            /* and one of them, as a multiple of what is left of that (a dynamic threshold,
                                       as switches with one shared buffer have it); 0: 1 */
    bool ecn;                       /* lossy: links let their packets be marked, and read marks */
    uint32_t run_lines;             /* reliable: at most so many lines has a run (link.h); 0: there are none */
    bool packed;                    /* such runs are PACKED, with room for at most so many packets */
    bool one_run;                   /* a node has no more than one run open, so that its packets leave in the order in
                                       which they were sent; else that is so for each peer alone */
    uint32_t run_packets;           /* lossy: at most so many packets has a run; 0: there are none */
    uint32_t batch_packets;         /* at most so many packets are one descriptor; 0: 1, and only one descriptor, or
                                       reserved packet, at a time */
    bool borrows;                   /* half of the receives are in memory that is only lent */
    uint32_t placements;            /* expectations of a link that does direct placement (all but those with spans), up
                                       to TERN__MAX_PLACEMENTS; 0: as many */
    bool guesses;                   /* such a link does not know which packet comes, and guesses one of them each time,
                                       one in four of the guesses being blind; else it knows */
    uint64_t mark_bytes;            /* the switch marks such a packet when more than this waits before it at its
                                       downlink; 0: never */
} tern__sim_config;

typedef struct tern__sim_stats {
    uint64_t sent, delivered; /* packets ended by senders; packets handed to receivers */
    uint64_t lost, duplicated, reordered;
    uint64_t queue_drops; /* uplink or downlink full, or the switch */
    uint64_t marked;      /* by the switch */
    uint64_t switch_peak; /* the most bytes that all downlinks together had queued */
    uint64_t unreachable; /* a node was down, a path cut, or a receiver had no memory */
    uint64_t placed,
        misplaced; /* received where their message is put together; other packets than were guessed there */
    uint64_t placements_replaced, placements_refused; /* expectations that gave way to others, or were not taken */
    uint64_t inplace_pieces;                          /* posted and read from where they were */
    uint64_t ring_full;                               /* tx_reserve refused for it */
    uint64_t lines_packets, equal_packets; /* put into runs of one route, or of equal packets, by their senders */
    uint64_t batches_sent;                 /* commits of several packets */
    uint64_t lines_rx_packets;             /* handed over in lines */
    uint64_t runs, run_packets; /* handed over: descriptors of two packets or more, and the packets in them */
    uint64_t borrowed;          /* descriptors of memory that is only lent */
    uint64_t misuse;            /* breaches of link.h by the sender: 0 in a correct program */
} tern__sim_stats;

typedef enum tern__sim_fate {
    TERN__SIM_SENT,      /* left the uplink */
    TERN__SIM_DROPPED,   /* by loss, queue, cut or death */
    TERN__SIM_DELIVERED, /* handed to the receiver */
} tern__sim_fate;

/* A packet to be looked at, for the call. */
typedef struct tern__sim_seen {
    tern__sim_fate fate;
    tern_time at;
    uint32_t src, dst;
    uint32_t bytes;      /* of the packet */
    const uint8_t *head; /* what the sender wrote, its header first */
    uint32_t head_len;
} tern__sim_seen;

typedef void tern__sim_watch_fn(void *ctx, const tern__sim_seen *seen);

/* Decides on a packet that is leaving its uplink (fate SENT): true to drop it. Not asked on reliable links. */
typedef bool tern__sim_drop_fn(void *ctx, const tern__sim_seen *seen);

/* Returns 0, TERN_ERR_INVALID for no nodes or a max_packet below 256, TERN_ERR_NOMEM. The clock starts at
 * one second, so that 0 stays free to mean "never". */
int tern__sim_new(uint64_t seed, const tern__sim_config *config, tern__sim **out);
void tern__sim_free(tern__sim *sim);

/* The port of a node, which is up from then on. Its addresses are node numbers in decimal. Returns 0,
 * TERN_ERR_INVALID (no such node), TERN_ERR_EXISTS (it has a port), TERN_ERR_NOMEM. */
int tern__sim_port_new(tern__sim *sim, uint32_t node, const tern__port_env *env, tern__port **out);

tern__route tern__sim_route(uint32_t node);

tern_time tern__sim_now(const tern__sim *sim);

/* When the next event is; UINT64_MAX for none. */
tern_time tern__sim_next(const tern__sim *sim);

/* The next event, if it is no later than `until`; the clock stands at its time then. Returns false when
 * there is none. When the event gave a node something to poll, *node is that node, else UINT32_MAX. */
bool tern__sim_step(tern__sim *sim, tern_time until, uint32_t *node);

/* All events up to and including `until`; the clock then stands there. */
void tern__sim_advance(tern__sim *sim, tern_time until);

/* The node dies: what it has not yet sent, what is on its way to it and what it has not polled vanishes.
 * Reliable routes to it are lost. What its port is given vanishes too, until the port is freed and a new
 * one made. */
void tern__sim_node_down(tern__sim *sim, uint32_t node);

void tern__sim_set_uplink(tern__sim *sim, uint32_t node, const tern__sim_nic *nic);
void tern__sim_set_downlink(tern__sim *sim, uint32_t node, const tern__sim_nic *nic);

/* From src to dst; returns 0 or TERN_ERR_NOMEM. Packets that have left their uplink keep what they met. */
int tern__sim_set_path(tern__sim *sim, uint32_t src, uint32_t dst, const tern__sim_path *path);

/* Every path that set_path has not set. Loses no reliable route, whatever is cut. */
void tern__sim_set_default_path(tern__sim *sim, const tern__sim_path *path);

/* Cut the path between two nodes, both ways, or mend it. */
int tern__sim_cut(tern__sim *sim, uint32_t a, uint32_t b, bool cut);

void tern__sim_watch(tern__sim *sim, tern__sim_watch_fn *watch, void *ctx);
void tern__sim_drop_if(tern__sim *sim, tern__sim_drop_fn *drop, void *ctx);

void tern__sim_get_stats(const tern__sim *sim, tern__sim_stats *stats);

/* Of every packet delivered so far: when, from where, to where, and its bytes. */
uint64_t tern__sim_hash(const tern__sim *sim);

#endif
