/* Endpoints of the rpc layer in the simulator: one server and one client per test, under a virtual clock. */
#ifndef TERN_TESTS_WORLD_H
#define TERN_TESTS_WORLD_H

#include "base/rng.h"
#include "port/sim.h"
#include "rpc/drive.h"
#include "rpc/ports.h"

enum { SERVER, CLIENT, N_NODES, OTHER = N_NODES, MAX_NODES }; /* OTHER is there where a test boots it */

typedef struct world {
    tern__sim *sim;
    tern__rng rng;
    tern_endpoint *ep[MAX_NODES];
    const tern__format *const *formats[MAX_NODES]; /* of endpoints that are booted from now on; NULL: tern's own */
} world;

static tern_time world_now(void *ctx) { return tern__sim_now(((world *)ctx)->sim); }
static uint64_t world_random(void *ctx) { return tern__rng_next(&((world *)ctx)->rng); }

/* A node's endpoint, with a port of its own and a listener. */
static inline bool world_boot(world *w, uint32_t node, const tern_endpoint_config *config) {
    tern__endpoint_env env = {world_now, world_random, w, w->formats[node]};
    if (tern__endpoint_new_with(config, &env, &w->ep[node]) != 0) return false;
    tern__port_env port_env = tern__ports_env(w->ep[node]);
    tern__port *port;
    char address[16];
    snprintf(address, sizeof address, "sim://%u", node);
    return tern__sim_port_new(w->sim, node, &port_env, &port) == 0 && tern__ports_add(w->ep[node], port) == 0 &&
           tern_listen(w->ep[node], address) == 0;
}

static inline bool world_init(world *w, bool reliable, double loss) {
    tern__sim_config config = {
        .n_nodes = MAX_NODES,
        .path = {.delay = 10 * TERN_US,
                 .loss = loss,
                 .duplicate = loss / 2,
                 .reorder = loss,
                 .reorder_delay = 50 * TERN_US},
        .max_packet = 1500,
        .threshold = 512,
        .reliable = reliable,
    };
    *w = (world){0};
    tern__rng_seed(&w->rng, 7);
    if (tern__sim_new(7, &config, &w->sim) != 0) return false;
    return world_boot(w, SERVER, NULL) && world_boot(w, CLIENT, NULL);
}

/* Everybody polls until nobody has anything to do. */
static void world_settle(world *w) {
    int n = 1;
    while (n > 0) {
        n = 0;
        for (int i = 0; i < MAX_NODES; i++)
            if (w->ep[i]) n += tern_poll(w->ep[i]);
    }
}

/* The clock moves to what is next, and what that brings is handled. */
static void world_turn(world *w) {
    world_settle(w);
    tern_time now = tern__sim_now(w->sim), next = tern__sim_next(w->sim);
    for (int i = 0; i < MAX_NODES; i++) {
        tern_dur timeout = w->ep[i] ? tern_next_timeout(w->ep[i]) : -1;
        if (timeout >= 0 && now + (tern_time)timeout < next) next = now + (tern_time)timeout;
    }
    tern__sim_advance(w->sim, next == UINT64_MAX ? now + TERN_MS : next);
    world_settle(w);
}

/* Run until *done, for at most this long on the virtual clock. Returns *done. */
static inline bool world_run(world *w, const bool *done, tern_dur at_most) {
    tern_time end = tern__sim_now(w->sim) + (tern_time)at_most;
    while (!*done && tern__sim_now(w->sim) < end) world_turn(w);
    return *done;
}

static void world_fini(world *w) {
    for (int i = 0; i < MAX_NODES; i++) tern_endpoint_free(w->ep[i]);
    tern__sim_free(w->sim);
}

#endif
