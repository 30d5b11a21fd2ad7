/* What a simulated network (sim.h) is made of, what it counts, and what a watcher sees of its packets. */
#ifndef TERN_PORT_SIM_CONFIG_H
#define TERN_PORT_SIM_CONFIG_H

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
    bool bleach;           /* what arrives says no more that it may be marked */
    bool cut;              /* nothing passes; a reliable route is lost */
    uint32_t narrow_bytes; /* lossy: longer packets do not pass; 0: all do */
} tern__sim_path;

typedef struct tern__sim_config {
    uint32_t n_nodes;
    tern__sim_nic uplink, downlink; /* of every node, until changed */
    tern__sim_path path;            /* between every two nodes, until changed */
    uint32_t max_packet;            /* of every link; at least 256 */
    uint32_t max_inplace;           /* of reliable links: tern__path.max_inplace */
    uint32_t threshold;             /* of every link */
    bool reliable;                  /* links deliver once and in order; they hold references */
    bool holds_refs;                /* lossy links hold references and read memory at departure */
    bool spans;                     /* reliable: in-place pieces arrive as spans of the sender's memory */
    bool keeps;                     /* such spans can be kept, most of them, ... */
    tern_dur keep_time;             /* ... so long; 0: for ever */
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
    bool fleeting;                  /* half of the receives are in memory that is only lent */
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
    uint64_t runs, run_packets;  /* handed over: descriptors of two packets or more, and the packets in them */
    uint64_t fleeting;           /* descriptors of memory that is only lent */
    uint64_t kept, kept_expired; /* spans that receivers have kept, and keepers from whom theirs were taken back */
    uint64_t misuse;             /* breaches of link.h by the sender: 0 in a correct program */
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

/* The route to a node. */
static inline tern__route tern__sim_route(uint32_t node) {
    tern__route route = {.len = 4};
    tern__store32(route.bytes, node);
    return route;
}

#endif
