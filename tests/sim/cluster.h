/* Engines on a simulated network, and the loop that drives them: each goes to the next point in time at which a
 * packet arrives, a node polls, or an engine is due.
 *
 * The first broken expectation is written to `error`; whoever drives the cluster stops then. */
#ifndef TERN_TESTS_CLUSTER_H
#define TERN_TESTS_CLUSTER_H

#include <stdio.h>

#include "base/rng.h"
#include "engine/engine.h"
#include "events.h"
#include "port/sim.h"
#include "seal/seal_check.h"

enum { CLUSTER_MAX_NODES = 1024 };

typedef struct cluster cluster;

typedef struct cluster_node {
    cluster *cluster;
    uint32_t number;
    uint32_t life;    /* times that it has started */
    tern__port *port; /* NULL: down */
    tern__engine *engine;
    tern_time poll_at; /* UINT64_MAX: nothing to poll */
    bool polled;       /* the engine's next_due may have changed since `due` was read */
    tern_time due;
    tern_time stopped_until; /* suspended: nothing is polled and nothing ticks until then */
    uint64_t n_ticks;        /* that were due, since the start */
    tern_time ticked_at;
    unsigned n_instant;  /* ticks at that one time */
    tern_time polled_at; /* the last poll began */
    bool takes_turns;
} cluster_node;

typedef struct cluster_config {
    tern__sim_config sim;
    tern__engine_config engine; /* user becomes the cluster_node, random the cluster's */
    void *user;
    tern_dur poll_jitter; /* a node polls up to this long after a packet came */
    bool keeps_events;    /* the last ones, which the first failure prints to stdout. No short ways are taken then */
    void (*on_event)(void *user, uint32_t node, const tern__trace_event *event); /* likewise; may be NULL */
    void (*on_polled)(void *user, uint32_t node); /* a node has polled, and its time may be spent; may be NULL */
    uint32_t dump_nodes;                          /* bit i: node i speaks the format of dump_format.h, too ... */
    bool prefers_dump;                            /* ... and rather than the others */
    bool forgets_dump;                            /* ... but only in every other of its lives, from the first one on */
    uint32_t (*wishes)(void *node, uint32_t method); /* of the engines; may be NULL */
    bool (*borrows)(void *node, const void *call);   /* likewise */
    uint32_t unsealed_nodes;                         /* bit i: node i has no cipher, whatever `engine` says */
    double turns;      /* probability, at each poll, that a node begins or ceases to run requests in turns */
    double tx_refusal; /* probability that a link does not take a packet now; one such cluster at a time */
} cluster_config;

struct cluster {
    cluster_config config;
    tern__sim *sim;
    tern__rng rng, turns;
    cluster_node nodes[CLUSTER_MAX_NODES];
    uint64_t live_buffers; /* before anything was made */
    uint64_t n_steps;
    uint64_t n_refused;    /* packets, by tx_refusal */
    uint64_t n_put_off;    /* requests that waited for their turn, likewise */
    uint64_t n_delayed;    /* credits, by engines that are gone (tern__engine_stats.delayed) */
    uint64_t n_crowd_runs; /* received while more sessions than crowd_sessions were there */
    tern_time ended_at;    /* once the simulator is gone */
    events events;         /* with keeps_events */
    seal_check seal;       /* the user of a cipher of these engines, which is seal_check_cipher */
    char error[256];       /* empty: all is well */
};

/* Defaults that suit most tests: 2 nodes, 5 us, 1024-byte packets, no trouble. Callbacks are all NULL. */
void cluster_config_init(cluster_config *config);

/* All nodes up. Returns 0 or an error of the parts. With the environment's TERN_TESTS_SEAL set, engines without a
 * cipher get seal_check_cipher. */
int cluster_init(cluster *c, uint64_t seed, const cluster_config *config);

/* Frees what is left, and demands that no buffer and no key is, and that all packets were sealed as they should. */
void cluster_fini(cluster *c);

int cluster_node_start(cluster *c, uint32_t node);

/* As a process ends that closes its endpoint, and as one that is killed. */
void cluster_node_stop(cluster *c, uint32_t node);
void cluster_node_kill(cluster *c, uint32_t node);

/* The process stands still, as by SIGSTOP or a swapped-out machine. What reaches it waits. */
void cluster_node_suspend(cluster *c, uint32_t node, tern_time until);

tern_time cluster_now(const cluster *c);

/* Do what comes next, if it is no later than `until`, else advance the clock to `until` and return false. */
bool cluster_step(cluster *c, tern_time until);

/* Step until `until` or an error. */
void cluster_run(cluster *c, tern_time until);

/* What was requested or answered outside of a poll leaves now. */
void cluster_flush(cluster *c, uint32_t node);

/* Opens a session; the CONNECT leaves. */
int cluster_connect(cluster *c, uint32_t node, uint32_t peer, void *session_user, tern__csession **out);

__attribute__((format(printf, 2, 3))) void cluster_fail(cluster *c, const char *format, ...);

#endif
