/* Congestion control: what a session that has met congestion may have in flight, and how fast.
 *
 * An algorithm is a const table of functions over a state of its own. A session has such a state only while it is
 * congested: before, and again once the algorithm says that it may go at full speed, there is none, nothing is
 * computed, and packets go straight into the link (eRPC 5.2.2). Algorithms are pure: what they know is in their
 * arguments. Times are those of the engine, one for each burst of packets.
 *
 * A packet counts as a full one, whatever its length: bytes delivered, marked and in flight are those of as many full
 * packets. Rates are in bytes per second. docs/congestion.md compares the algorithms. */
#ifndef TERN_ENGINE_CC_H
#define TERN_ENGINE_CC_H

#include "base/base.h"
#include "tern/rpc.h"

/* What is known of the way to the peer. */
typedef struct tern__cc_path {
    tern_dur min_rtt;    /* the smallest measured, at least 1 */
    tern_dur noise;      /* what the hosts alone may add to a round trip */
    double line_rate;    /* of our own link */
    double packet_bytes; /* of a full packet, at least 1 */
    double max_bytes;    /* the session's credits: no window is larger */
} tern__cc_path;

/* The control of one session. Its owner (pace.c) allocates it with its state and keeps `path` up to date; the algorithm
 * writes the rest. */
typedef struct tern__cc {
    tern__cc_path path;
    double window_bytes; /* that may be in flight; less than a full packet means one packet, at the rate */
    double rate;         /* 0: only the window counts */
    tern_dur path_rtt;   /* set in on_ack: the path's own round trip from now on; 0: as before */
    void *state;         /* of state_bytes, aligned for any type; opaque to the owner */
} tern__cc;

/* Packets were delivered, or marks were reported. */
typedef struct tern__cc_ack {
    tern_time now;
    tern_dur rtt;           /* of a packet that was sent once; negative: none was measured */
    double bytes;           /* newly delivered */
    double marked_bytes;    /* of these, what the network marked instead of dropping it (ECN), at most `bytes` */
    double in_flight_bytes; /* before this acknowledgement */
    bool app_limited; /* the sender had less to send than it might have sent: neither window nor rate held it up */
} tern__cc_ack;

/* Packets were overtaken by later ones. */
typedef struct tern__cc_loss {
    tern_time now;
    double in_flight_bytes; /* the lost ones included */
} tern__cc_loss;

/* Nothing came for a retransmission timeout, n times in a row. */
typedef struct tern__cc_timeout {
    tern_time now;
    uint32_t n;
} tern__cc_timeout;

typedef struct tern__cc_ops {
    const char *name;
    uint32_t state_bytes; /* of a session's state */
    bool wants_marks;     /* links that can should have the network mark packets, and report marks */
    bool heeds_losses;    /* a loss congests a session that was not; else only acknowledgements and timeouts do */

    /* Whether an uncongested session stays so with this acknowledgement, of which only rtt (negative only if something
     * was marked) and the bytes delivered and marked are known. */
    bool (*is_calm)(const tern__cc_path *path, const tern__cc_ack *ack);

    /* The session was uncongested so far; on_ack, on_loss or on_timeout follows. `cc` is zero except path and state,
     * and the state is uninitialized. */
    void (*init)(tern__cc *cc, tern_time now);

    /* True: the session is uncongested again, and the state is given up. */
    bool (*on_ack)(tern__cc *cc, const tern__cc_ack *ack);
    void (*on_loss)(tern__cc *cc, const tern__cc_loss *loss);
    void (*on_timeout)(tern__cc *cc, const tern__cc_timeout *timeout);
} tern__cc_ops;

#endif
