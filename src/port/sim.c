/* The network as tests use it (sim.h): its clock, its nodes and its paths. */
#include "port/sim.h"

#include <stdlib.h>

#include "port/sim_batch.h"
#include "port/sim_net.h"

/* ---- The clock ---------------------------------------------------------------------------------- */

tern_time tern__sim_now(const tern__sim *sim) { return sim->now; }

tern_time tern__sim_next(const tern__sim *sim) { return sim->n_events ? sim->heap[0].at : UINT64_MAX; }

bool tern__sim_step(tern__sim *sim, tern_time until, uint32_t *node) {
    *node = UINT32_MAX;
    if (tern__sim_next(sim) > until || sim->n_events == 0) return false;
    *node = tern__sim_event(sim);
    return true;
}

void tern__sim_advance(tern__sim *sim, tern_time until) {
    uint32_t node;
    while (tern__sim_step(sim, until, &node)) continue;
    if (sim->now < until) sim->now = until;
}

/* ---- The network -------------------------------------------------------------------------------- */

int tern__sim_new(uint64_t seed, const tern__sim_config *config, tern__sim **out) {
    if (config->n_nodes == 0 || config->max_packet < 256 || config->max_packet > 65536) return TERN_ERR_INVALID;
    tern__sim *sim = calloc(1, sizeof *sim + config->n_nodes * sizeof sim->nodes[0]);
    if (!sim) return TERN_ERR_NOMEM;
    sim->config = *config;
    if (config->reliable) sim->config.holds_refs = true;
    if (config->reliable) sim->config.ecn = false;
    if (!config->reliable) sim->config.spans = false;
    sim->now = (tern_time)TERN_SEC;
    tern__rng_seed(&sim->rng, seed);
    tern__rng_seed(&sim->batch_rng, tern__mix64(seed));
    tern__rng_seed(&sim->rx_rng, tern__mix64(~seed));
    tern__rng_seed(&sim->place_rng, tern__mix64(seed) + 1);
    tern__rng_seed(&sim->keep_rng, tern__mix64(seed) + 2);
    tern__list_init(&sim->keepers);
    for (uint32_t i = 0; i < config->n_nodes; i++) {
        sim->nodes[i].uplink.config = config->uplink;
        sim->nodes[i].downlink.config = config->downlink;
        queue_init(&sim->nodes[i].rx);
    }
    *out = sim;
    return 0;
}

void tern__sim_free(tern__sim *sim) {
    if (!sim) return;
    for (size_t i = 0; i < sim->n_events; i++) {
        struct packet *p = sim->heap[i].packet;
        if (p->loss_marker)
            sim->nodes[p->dst].pairs[p->src].marker = p;
        else
            tern__sim_packet_end(sim, p);
    }
    for (uint32_t i = 0; i < sim->config.n_nodes; i++) {
        for (uint32_t j = 0; sim->nodes[i].pairs && j < sim->config.n_nodes; j++)
            if (sim->nodes[i].pairs[j].marker) tern__sim_packet_free(sim, sim->nodes[i].pairs[j].marker);
        free(sim->nodes[i].pairs);
    }
    free(sim->heap);
    free(sim);
}

void tern__sim_node_down(tern__sim *sim, uint32_t node) {
    struct node *n = &sim->nodes[node];
    if (!node_up(n)) return;
    for (uint32_t other = 0; other < sim->config.n_nodes; other++) tern__sim_lines_lose(sim, other, node);
    tern__sim_port_empty(n->port);
    n->port->dead = true;
    n->tx_life++;
    n->rx_life++;
    tern__sim_routes_lose(sim, node, false);
}

void tern__sim_set_uplink(tern__sim *sim, uint32_t node, const tern__sim_nic *nic) {
    sim->nodes[node].uplink.config = *nic;
}

void tern__sim_set_downlink(tern__sim *sim, uint32_t node, const tern__sim_nic *nic) {
    sim->nodes[node].downlink.config = *nic;
}

int tern__sim_set_path(tern__sim *sim, uint32_t src, uint32_t dst, const tern__sim_path *path) {
    if (!tern__sim_pairs_reserve(sim, src) || !tern__sim_pairs_reserve(sim, dst)) return TERN_ERR_NOMEM;
    struct pair *pair = &sim->nodes[src].pairs[dst];
    pair->path = *path;
    pair->path_set = true;
    if (!path->cut || !sim->config.reliable) return 0;
    tern__sim_lines_lose(sim, src, dst);
    tern__sim_lines_lose(sim, dst, src);
    pair->route_life++;
    sim->nodes[dst].pairs[src].route_life++;
    tern__sim_route_lose(sim, src, dst, false);
    tern__sim_route_lose(sim, dst, src, false);
    return 0;
}

void tern__sim_set_default_path(tern__sim *sim, const tern__sim_path *path) {
    for (uint32_t src = 0; path->cut && src < sim->config.n_nodes; src++)
        for (uint32_t dst = 0; dst < sim->config.n_nodes; dst++) tern__sim_lines_lose(sim, src, dst);
    sim->config.path = *path;
}

int tern__sim_cut(tern__sim *sim, uint32_t a, uint32_t b, bool cut) {
    tern__sim_path there = *tern__sim_path_of(sim, a, b), back = *tern__sim_path_of(sim, b, a);
    there.cut = back.cut = cut;
    int err = tern__sim_set_path(sim, a, b, &there);
    return err ? err : tern__sim_set_path(sim, b, a, &back);
}

void tern__sim_watch(tern__sim *sim, tern__sim_watch_fn *watch, void *ctx) {
    sim->watch = watch;
    sim->watch_ctx = ctx;
}

void tern__sim_drop_if(tern__sim *sim, tern__sim_drop_fn *drop, void *ctx) {
    sim->drop = drop;
    sim->drop_ctx = ctx;
}

void tern__sim_get_stats(const tern__sim *sim, tern__sim_stats *stats) { *stats = sim->stats; }

uint64_t tern__sim_hash(const tern__sim *sim) { return sim->hash; }
