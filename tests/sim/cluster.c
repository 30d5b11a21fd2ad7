#include "cluster.h"

#include <stdarg.h>
#include <stdlib.h>

#include "dump_format.h"
#include "engine/shortest.h"
#include "tern/mem.h"

enum { MAX_INSTANT_TICKS = 1000 };

void cluster_fail(cluster *c, const char *format, ...) {
    if (c->error[0]) return;
    int at = snprintf(c->error, sizeof c->error, "at %.6f s: ", (double)(cluster_now(c) - (tern_time)TERN_SEC) / 1e9);
    va_list args;
    va_start(args, format);
    vsnprintf(c->error + at, sizeof c->error - (size_t)at, format, args);
    va_end(args);
    if (c->config.keeps_events) events_print(&c->events, (tern_time)TERN_SEC, stdout);
}

static uint64_t random_of_cluster(void *user) { return tern__rng_next(&((cluster_node *)user)->cluster->rng); }

void cluster_config_init(cluster_config *config) {
    *config = (cluster_config){0};
    config->sim =
        (tern__sim_config){.n_nodes = 2, .path = {.delay = 5 * TERN_US}, .max_packet = 1024, .threshold = 512};
    config->engine = (tern__engine_config){.max_sessions = 64,
                                           .max_message_bytes = 64 << 20,
                                           .max_rx_bytes = 1 << 30,
                                           .credits = 32,
                                           .max_backlog = 4096,
                                           .connect_timeout = 5 * TERN_SEC,
                                           .peer_timeout = TERN_SEC};
}

tern_time cluster_now(const cluster *c) { return c->sim ? tern__sim_now(c->sim) : c->ended_at; }

static uint64_t live_buffers(void) {
    tern_mem_stats stats;
    tern_mem_get_stats(&stats);
    return stats.live_buffers;
}

/* ---- Links that are full at random --------------------------------------------------------------- */

static struct refusing {
    cluster *cluster;
    const tern__link_ops *real;
    tern__link_ops ops;
} refusing;

static bool refuses(void) {
    if (!tern__rng_chance(&refusing.cluster->rng, refusing.cluster->config.tx_refusal)) return false;
    refusing.cluster->n_refused++;
    return true;
}

static uint32_t refusing_reserve(tern__link *link, const tern__route *route, uint32_t n, uint32_t head_bytes,
                                 uint32_t max_pieces, uint8_t **heads) {
    return refuses() ? 0 : refusing.real->tx_reserve(link, route, n, head_bytes, max_pieces, heads);
}

static uint8_t *refusing_open(tern__link *link, const tern__route *route, uint32_t packet_bytes) {
    return refuses() ? NULL : refusing.real->tx_open(link, route, packet_bytes);
}

static void refuse_at_random(cluster *c, tern__link *link) {
    refusing.cluster = c;
    refusing.real = link->ops;
    refusing.ops = *link->ops;
    refusing.ops.tx_reserve = refusing_reserve;
    refusing.ops.tx_open = refusing_open;
    link->ops = &refusing.ops;
}

/* ---- Nodes ---------------------------------------------------------------------------------------- */

int cluster_init(cluster *c, uint64_t seed, const cluster_config *config) {
    memset(c, 0, sizeof *c);
    c->config = *config;
    if (getenv("TERN_TESTS_SEAL") && !config->engine.cipher) c->config.engine.cipher = &seal_check_cipher;
    c->live_buffers = live_buffers();
    tern__rng_seed(&c->rng, ~seed);
    tern__rng_seed(&c->turns, ~seed ^ 0x7475726e73);
    for (uint32_t i = 0; i < CLUSTER_MAX_NODES; i++) {
        c->nodes[i].cluster = c;
        c->nodes[i].number = i;
        c->nodes[i].poll_at = c->nodes[i].due = UINT64_MAX;
    }
    int err = tern__sim_new(seed, &config->sim, &c->sim);
    for (uint32_t i = 0; err == 0 && i < config->sim.n_nodes; i++) err = cluster_node_start(c, i);
    return err;
}

static void on_route_lost(void *ctx, tern__link *link, const tern__route *route) {
    cluster_node *node = ctx;
    tern__engine_route_lost(node->engine, link, route, cluster_now(node->cluster));
}

static void on_event(void *user, const tern__trace_event *event) {
    cluster_node *node = user;
    cluster *c = node->cluster;
    if (c->config.keeps_events) events_add(&c->events, node->number, event);
    if (c->config.on_event) c->config.on_event(c->config.user, node->number, event);
}

int cluster_node_start(cluster *c, uint32_t number) {
    cluster_node *node = &c->nodes[number];
    tern__engine_config config = c->config.engine;
    config.user = node;
    config.random = random_of_cluster;
    if (c->config.keeps_events || c->config.on_event) config.trace = on_event;
    config.trace_user = node;
    config.cipher_user = &c->seal;
    if (number < 32 && c->config.unsealed_nodes >> number & 1) config.cipher = NULL;
    bool forgets = c->config.forgets_dump && node->life % 2;
    if (number < 32 && c->config.dump_nodes >> number & 1 && !forgets)
        config.formats = c->config.prefers_dump ? dump_first : dump_last;
    tern__port_env env = {.route_lost = on_route_lost, .ctx = node};
    int err = tern__sim_port_new(c->sim, number, &env, &node->port);
    if (err) return err;
    err = tern__engine_new(&config, &node->engine);
    if (err) {
        node->port->ops->free(node->port);
        node->port = NULL;
        node->engine = NULL;
    }
    if (!err) tern__engine_set_wishes(node->engine, c->config.wishes);
    if (!err) tern__engine_set_borrows(node->engine, c->config.borrows);
    if (!err && c->config.tx_refusal > 0) refuse_at_random(c, &node->port->link);
    node->poll_at = UINT64_MAX;
    node->takes_turns = false;
    node->stopped_until = 0;
    node->life++;
    node->polled = true;
    return err;
}

void cluster_node_suspend(cluster *c, uint32_t number, tern_time until) {
    cluster_node *node = &c->nodes[number];
    if (until > node->stopped_until) node->stopped_until = until;
}

void cluster_node_stop(cluster *c, uint32_t number) {
    cluster_node *node = &c->nodes[number];
    if (!node->port) return;
    tern__engine_stats stats;
    tern__engine_get_stats(node->engine, &stats);
    tern__engine_add_sent(&stats, &node->port->link);
    c->n_delayed += stats.delayed;
    c->n_put_off += stats.put_off;
    tern__engine_free(node->engine, cluster_now(c));
    node->port->link.ops->tx_flush(&node->port->link);
    node->port->ops->free(node->port);
    node->port = NULL;
    node->engine = NULL;
    node->poll_at = node->due = UINT64_MAX;
}

void cluster_node_kill(cluster *c, uint32_t number) {
    tern__sim_node_down(c->sim, number);
    cluster_node_stop(c, number);
}

static void sim_check(cluster *c) {
    tern__sim_stats stats;
    tern__sim_get_stats(c->sim, &stats);
    if (stats.misuse) cluster_fail(c, "the link was misused %llu times", (unsigned long long)stats.misuse);
}

void cluster_fini(cluster *c) {
    for (uint32_t i = 0; i < c->config.sim.n_nodes; i++) cluster_node_stop(c, i);
    if (!c->sim) return;
    tern__sim_advance(c->sim, cluster_now(c) + (tern_time)TERN_SEC);
    sim_check(c);
    if (c->seal.error[0]) cluster_fail(c, "%s", c->seal.error);
    if (c->seal.n_keys) cluster_fail(c, "%lld keys were not wiped", (long long)c->seal.n_keys);
    seal_check_fini(&c->seal);
    c->ended_at = cluster_now(c);
    tern__sim_free(c->sim);
    c->sim = NULL;
    uint64_t live = live_buffers();
    if (live != c->live_buffers) cluster_fail(c, "%lld buffers leaked", (long long)(live - c->live_buffers));
}

void cluster_flush(cluster *c, uint32_t number) {
    cluster_node *node = &c->nodes[number];
    if (!node->port) return;
    node->port->link.ops->tx_flush(&node->port->link);
    node->polled = true;
}

int cluster_connect(cluster *c, uint32_t number, uint32_t peer, void *session_user, tern__csession **out) {
    cluster_node *node = &c->nodes[number];
    tern__route route = tern__sim_route(peer);
    int err = tern__engine_connect(node->engine, &node->port->link, &route, session_user, cluster_now(c), out);
    cluster_flush(c, number);
    return err;
}

/* ---- The loop ----------------------------------------------------------------------------------- */

static void on_packets(void *ctx, const tern__rx_packet *pkts, uint32_t n) {
    cluster_node *node = ctx;
    for (uint32_t i = 0; i < n; i++)
        node->cluster->n_crowd_runs += pkts[i].n > 1 && !pkts[i].n_spans && tern__engine_is_crowded(node->engine);
    if (node->cluster->config.engine.queue_target) tern__engine_waited(node->engine, (tern_dur)pkts->link->waited_ns);
    tern__engine_rx(node->engine, pkts, n, cluster_now(node->cluster));
}

/* A node is busy from a poll until its time of suspension is over, and idle from then on. */
static void report_load(cluster *c, cluster_node *node) {
    tern_time now = cluster_now(c), free_at = node->stopped_until;
    if (free_at < node->polled_at) free_at = node->polled_at;
    if (free_at < now) tern__engine_report_load(node->engine, false, free_at);
    tern__engine_report_load(node->engine, free_at < now, now);
    node->polled_at = now;
}

static void node_tick(cluster *c, cluster_node *node) {
    tern__engine_tick(node->engine, cluster_now(c));
    cluster_flush(c, node->number);
}

static tern_time clock_of(void *ctx) { return cluster_now(ctx); }

/* A server that is behind for some polls, and runs a few of the requests that wait in each. */
static void take_turns(cluster *c, cluster_node *node) {
    if (tern__rng_chance(&c->turns, c->config.turns))
        tern__engine_set_turns(node->engine, node->takes_turns = !node->takes_turns);
    tern__engine_run_waiting(node->engine, (uint32_t)tern__rng_below(&c->turns, 4), TERN_SEC, clock_of, c);
    if (tern__engine_has_waiting(node->engine)) node->poll_at = cluster_now(c) + 1 * TERN_US;
}

static void node_poll(cluster *c, cluster_node *node) {
    node->poll_at = UINT64_MAX;
    if (c->config.engine.queue_target) report_load(c, node);
    node->port->ops->poll(node->port, 32, on_packets, node);
    if (c->config.on_polled) c->config.on_polled(c->config.user, node->number);
    if (!node->port->ops->arm(node->port)) node->poll_at = cluster_now(c) + 1 * TERN_US;
    if (c->config.turns > 0) take_turns(c, node);
    node_tick(c, node);
}

/* An engine may ask for a tick now, but not for ever. */
static void node_due(cluster *c, cluster_node *node) {
    node->n_ticks++;
    node->n_instant = node->ticked_at == cluster_now(c) ? node->n_instant + 1 : 0;
    node->ticked_at = cluster_now(c);
    if (node->n_instant > MAX_INSTANT_TICKS) cluster_fail(c, "node %u ticks and ticks", node->number);
    node_tick(c, node);
}

/* The node that acts first, or NULL when no node does before `until`. */
static cluster_node *first_node(cluster *c, tern_time *until) {
    cluster_node *first = NULL;
    for (uint32_t i = 0; i < c->config.sim.n_nodes; i++) {
        cluster_node *node = &c->nodes[i];
        if (!node->port) continue;
        if (node->polled) node->due = tern__engine_next_due(node->engine);
        node->polled = false;
        tern_time at = node->poll_at < node->due ? node->poll_at : node->due;
        if (at < node->stopped_until) at = node->stopped_until;
        if (at > *until || (first && at == *until)) continue;
        first = node;
        *until = at;
    }
    return first;
}

bool cluster_step(cluster *c, tern_time until) {
    tern_time at = until;
    uint32_t number;
    c->n_steps++;
    cluster_node *node = first_node(c, &at);
    if (tern__sim_step(c->sim, at, &number)) {
        if (number != UINT32_MAX && c->nodes[number].poll_at == UINT64_MAX)
            c->nodes[number].poll_at = cluster_now(c) + tern__rng_below(&c->rng, (uint64_t)c->config.poll_jitter + 1);
        return true;
    }
    if (!node) {
        tern__sim_advance(c->sim, until);
        return false;
    }
    if (at > cluster_now(c)) tern__sim_advance(c->sim, at);
    if (node->poll_at <= at)
        node_poll(c, node);
    else
        node_due(c, node);
    return true;
}

void cluster_run(cluster *c, tern_time until) {
    while (!c->error[0] && cluster_step(c, until)) continue;
}
