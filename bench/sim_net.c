/* The loop of sim_net.h: whatever comes first, an event of the network or the earliest engine that is due. */
#include "sim_net.h"

#include <stdio.h>
#include <stdlib.h>

#include "common.h"

/* ---- Nodes by due ------------------------------------------------------------------------------- */

static void place(sim_net *net, uint32_t pos, sim_node *node) {
    net->heap[pos] = node;
    node->heap_pos = pos;
}

static void set_due(sim_net *net, sim_node *node, tern_time due) {
    uint32_t pos = node->heap_pos;
    if (node->due == due) return;
    node->due = due;
    for (; pos > 0 && net->heap[(pos - 1) / 2]->due > due; pos = (pos - 1) / 2)
        place(net, pos, net->heap[(pos - 1) / 2]);
    for (uint32_t child; (child = 2 * pos + 1) < net->n_nodes; pos = child) {
        if (child + 1 < net->n_nodes && net->heap[child + 1]->due < net->heap[child]->due) child++;
        if (net->heap[child]->due >= due) break;
        place(net, pos, net->heap[child]);
    }
    place(net, pos, node);
}

/* ---- Driving ------------------------------------------------------------------------------------ */

static void settle(sim_node *node) {
    tern__engine_tick(node->engine, sim_net_now(node->net));
    node->port->link.ops->tx_flush(&node->port->link);
    set_due(node->net, node, tern__engine_next_due(node->engine));
}

static void on_packets(void *ctx, const tern__rx_packet *pkts, uint32_t n) {
    sim_node *node = ctx;
    tern__engine_rx(node->engine, pkts, n, sim_net_now(node->net));
}

void sim_net_flush(sim_net *net, uint32_t node) { settle(&net->nodes[node]); }

void sim_net_run(sim_net *net, tern_time until, const bool *stop) {
    while (stop == NULL || !*stop) {
        sim_node *first = net->heap[0];
        uint32_t number;
        if (tern__sim_step(net->sim, first->due < until ? first->due : until, &number)) {
            if (number == UINT32_MAX) continue;
            sim_node *node = &net->nodes[number];
            node->port->ops->poll(node->port, 64, on_packets, node);
            settle(node);
        } else if (first->due <= until) {
            if (first->due > sim_net_now(net)) tern__sim_advance(net->sim, first->due);
            settle(first);
        } else {
            tern__sim_advance(net->sim, until);
            return;
        }
    }
}

/* ---- Making ------------------------------------------------------------------------------------- */

static uint64_t random_of_net(void *user) { return bench_random(&((sim_node *)user)->net->random); }

static int node_new(sim_net *net, uint32_t number, const tern__engine_config *config) {
    sim_node *node = &net->nodes[number];
    tern__engine_config own = *config;
    tern__port_env env = {0};
    *node = (sim_node){.net = net, .number = number, .due = UINT64_MAX, .heap_pos = number};
    net->heap[number] = node;
    own.user = node;
    own.random = random_of_net;
    int err = tern__sim_port_new(net->sim, number, &env, &node->port);
    return err ? err : tern__engine_new(&own, &node->engine);
}

int sim_net_new(sim_net *net, uint64_t seed, const tern__sim_config *sim, const tern__engine_config *config,
                void *user) {
    *net = (sim_net){.user = user, .random = seed * 2 + 1, .n_nodes = sim->n_nodes};
    net->nodes = calloc(sim->n_nodes, sizeof *net->nodes);
    net->heap = calloc(sim->n_nodes, sizeof *net->heap);
    if (net->nodes == NULL || net->heap == NULL) return TERN_ERR_NOMEM;
    int err = tern__sim_new(seed, sim, &net->sim);
    for (uint32_t i = 0; err == 0 && i < sim->n_nodes; i++) err = node_new(net, i, config);
    return err;
}

void sim_net_free(sim_net *net) {
    for (uint32_t i = 0; net->nodes != NULL && i < net->n_nodes; i++) {
        if (net->nodes[i].engine != NULL) tern__engine_free(net->nodes[i].engine, sim_net_now(net));
        if (net->nodes[i].port != NULL) net->nodes[i].port->ops->free(net->nodes[i].port);
    }
    tern__sim_free(net->sim);
    free(net->nodes);
    free(net->heap);
}

tern__csession *sim_net_connect(sim_net *net, uint32_t from, uint32_t to, void *session_user) {
    sim_node *node = &net->nodes[from];
    tern__csession *session;
    tern__route route = tern__sim_route(to);
    int err = tern__engine_connect(node->engine, &node->port->link, &route, session_user, sim_net_now(net), &session);
    if (err) {
        fprintf(stderr, "cannot connect node %u to %u: %s\n", from, to, tern_strerror(err));
        exit(1);
    }
    sim_net_flush(net, from);
    return session;
}
