/* Congestion control: what a session that has met congestion may have in flight, and how fast.
 *
 * An algorithm is a table of functions over a state of fixed size. A session has such a state only while it is
 * congested: before, and again once the algorithm says that it may go at full speed, there is none, nothing is
 * computed, and packets go straight into the link (eRPC 5.2.2). Algorithms are pure: what they know is in their
 * arguments. Times are those of the engine, one for each burst of packets.
 *
 * Every measured round trip is of a packet that was sent once. Rates are in bytes per second, windows in full
 * packets. docs/congestion.md compares the algorithms. */
#ifndef TERN_ENGINE_CC_H
#define TERN_ENGINE_CC_H

#include "base/base.h"
#include "tern/rpc.h"

/* What is known of the way to the peer. */
typedef struct tern__cc_path {
    tern_dur min_rtt;    /* the smallest measured, at least 1 */
    tern_dur noise;      /* what the hosts alone may add to a round trip */
    double line_rate;    /* of our own link */
    double packet_bytes; /* of a full packet */
    double max_window;   /* the session's credits */
} tern__cc_path;

typedef struct tern__cc {
    double window;     /* full packets in flight; below 1 it means one, at the rate */
    double rate;       /* 0: only the window counts */
    tern_dur path_rtt; /* after ack: what is the path's own round trip from now on; 0: as before */
    /* The rest is the algorithm's own. */
    tern_time changed_at;
    tern_dur last_rtt;
    double gradient;       /* Timely: the smoothed difference of round trips */
    uint32_t n_falling;    /* Timely: negative gradients in a row */
    tern_time squeezed_at; /* Swift: since when the window has been the smallest, and still too large; 0: it is not */
    tern_dur squeezed_rtt; /* the smallest round trip since then */
} tern__cc;

typedef struct tern__cc_ack {
    tern_dur rtt;
    uint32_t n_pkts; /* acknowledged with it */
    tern_time now;
} tern__cc_ack;

typedef struct tern__cc_ops {
    const char *name;

    /* Whether an uncongested session stays so with this round trip. */
    bool (*is_calm)(const tern__cc_path *path, tern_dur rtt);

    /* The session was uncongested so far; ack, loss or timeout follows. */
    void (*init)(tern__cc *cc, const tern__cc_path *path, tern_time now);

    /* Packets were acknowledged. True: the session is uncongested again, and the state is given up. */
    bool (*ack)(tern__cc *cc, const tern__cc_path *path, const tern__cc_ack *ack);

    /* Packets were overtaken by later ones. */
    void (*loss)(tern__cc *cc, const tern__cc_path *path, tern_time now);

    /* Nothing came for a retransmission timeout, `n` times in a row. */
    void (*timeout)(tern__cc *cc, const tern__cc_path *path, uint32_t n, tern_time now);
} tern__cc_ops;

/* No session is ever congested: the credits alone bound what is in flight. */
extern const tern__cc_ops tern__cc_none;

/* Timely with the constants of eRPC: a rate from the gradient of round trips. Its state says nothing about losses. */
extern const tern__cc_ops tern__cc_timely;

/* A window that keeps round trips near a target (after Swift, SIGCOMM 2020). The default. */
extern const tern__cc_ops tern__cc_swift;

#endif
