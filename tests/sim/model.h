/* A random life of a cluster, and what must hold whatever happens.
 *
 * A seed decides the network, the engines' limits, the calls and the troubles. Each call has its own method number, so
 * both sides know which one it is even when its body is empty. What must hold:
 *   - the handler of a call runs at most once; exactly once if the call ends with OK or the handler's status;
 *   - a call of which it is said that it has not run has not, and never will;
 *   - a call that is made again whenever a server at its bound does not admit it is admitted in the end;
 *   - request and response arrive byte for byte, and stay intact for as long as engine.h says;
 *   - a message that was borrowed is what was sent for as long as its loan says so, also after its call, its session
 *     and its nodes, and its sender's values stay as they are until then;
 *   - every accepted call ends exactly once, in time (where links lose or refuse many packets: and something moves
 *     until then), and fails only for a reason that the seed contains: a session that nothing has harmed since it came
 *     up is not lost, and none of its calls ends UNAVAILABLE;
 *   - after the last trouble every session works again;
 *   - an idle cluster is quiet, holds no message, and has one server session for each client's;
 *   - no buffer is left at the end. */
#ifndef TERN_TESTS_MODEL_H
#define TERN_TESTS_MODEL_H

#include "cluster.h"

/* What a run went through: tests assert that the interesting paths were taken. */
typedef struct model_totals {
    uint64_t calls, ok, app_errors, deadlines, unavailable, exhausted, forgotten, refused;
    uint64_t gone, kills, stops, cuts, one_way_cuts, narrows, closes, nested, cancelled, drains, crowded, tx_refused,
        starved;
    uint64_t flows, flows_whole, flow_bytes;
    uint64_t flow_blocks, flow_end_blocks; /* metadata blocks of requests and of responses that arrived */
    uint64_t multi_packet, inplace_values, retransmits, forged, packets, steps;
    uint64_t lines_packets, lines_rx_packets, equal_packets, runs, run_packets, crowd_runs, directs;
    uint64_t bounded;                  /* lives in which servers bound the calls that run ... */
    uint64_t rejected;                 /* ... calls that they rejected, ... */
    uint64_t held_back;                /* ... and calls that clients refused because of that */
    uint64_t lent, kept, kept_expired; /* messages that came with a loan; and as the simulator counts them */
    uint64_t outlived;                 /* loans that had expired when somebody looked */
    uint64_t dumped;                   /* messages that came in the format of dump_format.h */
    uint64_t has_not_run;              /* calls of which that was said */
    uint64_t answers;                  /* errors of servers, and responses behind metadata */
    uint64_t error_blocks;             /* of the errors, those with metadata */
    uint64_t put_off;                  /* requests that waited for their clients' turn */
    uint64_t delayed;                  /* credits that packets of a batch did not return each by itself */
    uint64_t unordered; /* lives in which packets to several peers may leave in another order than they were sent */
    uint64_t sealed, opened, unopened, replayed, key_phases; /* as engines count them */
    uint64_t sealed_lives;
    uint64_t sealed_forged; /* of `forged`: packets of sealed sessions, spoilt or sent again */
    uint64_t doubts;        /* of `forged`: REFUSEs by somebody who has seen the tags */
    uint64_t hash;          /* of the packets delivered */
} model_totals;

/* How to run a seed. Every MODEL_TRACED_SEEDth one is traced in any case, since messages then take other ways. */
enum {
    MODEL_SAY = 1,   /* tell it step by step */
    MODEL_TRACE = 2, /* print the last events when it fails */
    /* Whether sessions are sealed is drawn by the seed, unless one of these is there. */
    MODEL_SEAL = 4,
    MODEL_NO_SEAL = 8,
};

/* "on", "off" or "drawn" as one of those flags, or 0. Anything else is -1. */
int model_seal_option(const char *value);
enum { MODEL_TRACED_SEED = 4 };

/* Run one seed and add to *totals. Returns false, with the reason in error[0..cap), when something did not
 * hold. */
bool model_run(uint64_t seed, unsigned how, model_totals *totals, char *error, size_t cap);

#endif
