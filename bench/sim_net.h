/* Engines on the simulated network, for benchmarks in virtual time: nodes poll as soon as something arrives for them,
 * and tick when something is due. */
#ifndef TERN_BENCH_SIM_NET_H
#define TERN_BENCH_SIM_NET_H

#include "engine/engine.h"
#include "port/sim.h"

typedef struct sim_net sim_net;

typedef struct sim_node {
    sim_net *net;
    uint32_t number;
    tern__port *port;
    tern__engine *engine;
    tern_time due;     /* of the engine, as its place in the heap says */
    uint32_t heap_pos; /* in net->heap */
} sim_node;

struct sim_net {
    tern__sim *sim;
    sim_node *nodes;
    sim_node **heap; /* of all nodes, by due */
    uint32_t n_nodes;
    void *user;
    uint64_t random;
};

/* All nodes up; config.user becomes the node. Returns 0 or an error of the parts; free it in either case. */
int sim_net_new(sim_net *net, uint64_t seed, const tern__sim_config *sim, const tern__engine_config *config,
                void *user);
void sim_net_free(sim_net *net);

static inline tern_time sim_net_now(const sim_net *net) { return tern__sim_now(net->sim); }

/* Opens a session; exits with a message when it cannot. */
tern__csession *sim_net_connect(sim_net *net, uint32_t from, uint32_t to, void *session_user);

/* What was requested outside of a callback leaves now. */
void sim_net_flush(sim_net *net, uint32_t node);

/* Everything up to and including `until`, or until *stop becomes true (NULL: never). */
void sim_net_run(sim_net *net, tern_time until, const bool *stop);

#endif
