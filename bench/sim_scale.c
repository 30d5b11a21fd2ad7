/* What does a session cost that nothing happens on? Every thread of every node of a simulated cluster has a session to
 * every other thread, as in eRPC's section 6.3: with 100 nodes of 10 threads a million sessions, each of which is
 * opened over a link that loses packets (so with tags, cookies and timers), carries one call, and is then left alone.
 * Whole endpoints take part, with the engine, its tables and the public session; only network and clock are simulated.
 * Each thread is a node of the simulator, as wires are not the question here.
 *
 * Bytes are those of the pool (whole buffers of their size class, tables included) and of the heap. What a client's end
 * takes is measured around tern_connect(), while nothing else happens; the rest of what is live in the end, three
 * seconds after the last call, is the server's. */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "base/rng.h"
#include "common.h"
#include "mem/pool.h"
#include "port/sim.h"
#include "rpc/drive.h"
#include "rpc/ports.h"

/* IDLE_POLLS: after as many an endpoint with nothing to do has looked at the clock. */
enum {
    METHOD = 7,
    IDLE_POLLS = 64,
    PAYLOAD = 32,
    MAX_THREADS = 4096,
    N_CLASSES = 26,
    MIN_CLASS_BYTES = 64,
};

typedef struct cluster {
    uint32_t n; /* threads of all nodes */
    tern__sim *sim;
    tern__rng rng;
    tern_endpoint **eps;
    uint64_t n_sessions, n_done, n_bad;
    uint64_t client_pool_bytes, client_heap_bytes;
    uint64_t empty_bytes; /* of the pool, before any session */
} cluster;

static tern_time now_of(void *ctx) { return tern__sim_now(((cluster *)ctx)->sim); }
static uint64_t random_of(void *ctx) { return tern__rng_next(&((cluster *)ctx)->rng); }

static uint64_t pool_bytes(void) {
    uint64_t bytes = 0;
    for (unsigned i = 0; i < N_CLASSES; i++) bytes += tern__pool_live(i) * ((uint64_t)MIN_CLASS_BYTES << i);
    return bytes;
}

static void must(int err, const char *what) {
    if (err >= 0) return;
    fprintf(stderr, "%s: %s\n", what, tern_strerror(err));
    exit(1);
}

static void echo(tern_call call, const void *request, void *user) {
    (void)user;
    tern_reply_raw(call, *(const tern_bytes *)request);
}

static void on_done(void *user, int status, const void *response) {
    cluster *c = user;
    const tern_bytes *bytes = response;
    c->n_bad += status != TERN_STATUS_OK || bytes->len != PAYLOAD;
    c->n_done++;
}

/* ---- The cluster */

static void make_endpoint(cluster *c, uint32_t i) {
    tern__endpoint_env env = {.now = now_of, .random = random_of, .ctx = c};
    tern__port *port;
    must(tern__endpoint_new_with(NULL, &env, &c->eps[i]), "endpoint");
    tern__port_env port_env = tern__ports_env(c->eps[i]);
    must(tern__sim_port_new(c->sim, i, &port_env, &port), "port");
    must(tern__ports_add(c->eps[i], port), "port");
    must(tern_serve_raw(c->eps[i], METHOD, echo, NULL), "serve");
}

static void make_cluster(cluster *c) {
    tern__sim_config config = {
        .n_nodes = c->n, .path = {.delay = 3 * TERN_US}, .max_packet = 1024, .threshold = UINT32_MAX};
    tern__rng_seed(&c->rng, 1);
    must(tern__sim_new(1, &config, &c->sim), "simulator");
    c->eps = calloc(c->n, sizeof(tern_endpoint *));
    if (!c->eps) must(TERN_ERR_NOMEM, "cluster");
    for (uint32_t i = 0; i < c->n; i++) make_endpoint(c, i);
    c->empty_bytes = pool_bytes();
}

static void free_cluster(cluster *c) {
    for (uint32_t i = 0; i < c->n; i++) tern_endpoint_free(c->eps[i]);
    tern__sim_free(c->sim);
    free(c->eps);
}

/* Until no packet is on its way. */
static void settle(cluster *c) {
    uint32_t node;
    while (tern__sim_step(c->sim, UINT64_MAX, &node))
        if (node != UINT32_MAX) must(tern_poll(c->eps[node]), "poll");
}

/* Time passes for every endpoint, so that what waits for timers is done. */
static void pass(cluster *c, tern_dur duration) {
    tern__sim_advance(c->sim, tern__sim_now(c->sim) + (tern_time)duration);
    for (uint32_t i = 0; i < c->n; i++)
        for (unsigned k = 0; k < IDLE_POLLS; k++) must(tern_poll(c->eps[i]), "poll");
    settle(c);
}

/* In use of malloc's, its own headers included. */
static uint64_t heap_bytes(void) { return mallinfo2().uordblks; }

/* Every thread opens a session to the one `distance` further on, and calls it. */
static void wave(cluster *c, uint32_t distance, tern_session **sessions) {
    static const uint8_t payload[PAYLOAD] = {7};
    char address[32];
    uint64_t before = pool_bytes();
    for (uint32_t i = 0; i < c->n; i++) {
        snprintf(address, sizeof address, "sim://%u", (i + distance) % c->n);
        must(tern_connect(c->eps[i], address, &sessions[i]), address);
    }
    c->client_pool_bytes += pool_bytes() - before;
    c->n_sessions += c->n;
    for (uint32_t i = 0; i < c->n; i++) {
        tern_bytes bytes = tern_bytes_of(payload, PAYLOAD);
        must(tern_call_start_raw(sessions[i], METHOD, bytes, NULL, on_done, c), "call");
        must(tern_poll(c->eps[i]), "poll");
    }
    settle(c);
}

/* ---- */

static void report(const cluster *c, bench_report *r, uint64_t ns) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    double n = (double)c->n_sessions, pool = (double)(pool_bytes() - c->empty_bytes);
    double client_pool = (double)c->client_pool_bytes;
    bench_report_row(r, "sessions", n, "sessions", 0, NULL);
    bench_report_row(r, "client_bytes_per_session", (client_pool + (double)c->client_heap_bytes) / n, "bytes", 1024,
                     "at most");
    bench_report_row(r, "server_bytes_per_session", (pool - client_pool) / n, "bytes", 1024, "at most");
    bench_report_note(r, "%u endpoints, %.1f s, at most %.2f GB in memory, simulator included", c->n, (double)ns / 1e9,
                      (double)usage.ru_maxrss / 1048576);
}

int main(int argc, char **argv) {
    bench_args args = bench_args_begin(argc, argv, "memory per idle session, all to all in a simulated cluster");
    uint64_t nodes = bench_arg_u64(&args, "--nodes", 100, "machines");
    uint64_t threads = bench_arg_u64(&args, "--threads", 10, "endpoints on each; --nodes times it is 2 to 4096");
    bool json = bench_arg_flag(&args, "--json", "print the report as the last line, as JSON");
    if (bench_args_end(&args)) return 2;
    if (nodes > MAX_THREADS || threads > MAX_THREADS || nodes * threads < 2 || nodes * threads > MAX_THREADS) {
        fprintf(stderr, "these numbers make no sense together\n");
        return 2;
    }
    bench_report *r = bench_report_new("sim_scale");
    cluster c = {.n = (uint32_t)(nodes * threads)};
    tern_session **sessions = calloc(c.n, sizeof(tern_session *));
    if (!r || !sessions) return 1;
    uint64_t begin = bench_now_ns();
    make_cluster(&c);
    uint64_t heap_before = heap_bytes();
    for (uint32_t distance = 1; distance < c.n; distance++) wave(&c, distance, sessions);
    c.client_heap_bytes = heap_bytes() - heap_before; /* the simulator holds no packets now, as then */
    for (int i = 0; i < 3; i++) pass(&c, TERN_SEC);
    bool ok = c.n_done == c.n_sessions && c.n_bad == 0;
    if (!ok)
        fprintf(stderr, "%llu of %llu calls failed\n", (unsigned long long)(c.n_sessions - c.n_done + c.n_bad),
                (unsigned long long)c.n_sessions);
    report(&c, r, bench_now_ns() - begin);
    free_cluster(&c);
    free(sessions);
    return bench_report_print(r, json) && ok ? 0 : 1;
}
