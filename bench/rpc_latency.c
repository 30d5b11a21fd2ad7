/* How long does a small RPC take, next to the fastest round trip of the same bytes on the same machine? One
 * call of 32 bytes each way at a time, client and server each spinning on a processor of its own, in two
 * processes. Rounds of floor and tern alternate; reported are medians over rounds of each round's median and
 * 99th percentile. */
#include <stdio.h>
#include <stdlib.h>

#include "common.h"
#include "rpc_pair.h"
#include "rpc_trace.h"

enum { MAX_SAMPLES = 1 << 18, MAX_ROUNDS = 101 };

typedef struct run {
    uint64_t round_ns;
    double *samples; /* ticks, then ns */
    double ns_per_tick;
} run;

/* What came of one side of one row, round by round. */
typedef struct series {
    double median[MAX_ROUNDS], p99[MAX_ROUNDS];
} series;

/* A clock that costs a few ns where there is one. */
static inline uint64_t ticks(void) {
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#else
    return bench_now_ns();
#endif
}

static double measure_tick(void) {
    uint64_t t = ticks(), ns = bench_now_ns();
    while (bench_now_ns() - ns < 20000000) continue;
    ns = bench_now_ns() - ns;
    return (double)ns / (double)(ticks() - t);
}

/* ---- The ways to go there and back */

typedef struct way {
    pair *pair;
    pair_phase phase;
    tern_endpoint *ep;
    tern_session *session;
    uint8_t payload[FLOOR_PAYLOAD], back[FLOOR_PAYLOAD];
    bool done;
    uint64_t n_bad;
} way;

static void on_done(void *user, int status, const void *response) {
    way *w = user;
    const tern_bytes *bytes = response;
    w->done = true;
    if (status == TERN_STATUS_OK && bytes->len == FLOOR_PAYLOAD)
        memcpy(w->back, bytes->data, FLOOR_PAYLOAD);
    else
        w->n_bad++;
}

static void tern_ping(way *w) {
    w->done = false;
    if (tern_call_start_raw(w->session, PAIR_METHOD, tern_bytes_of(w->payload, FLOOR_PAYLOAD), NULL, on_done, w) != 0) {
        w->n_bad++;
        return;
    }
    while (!w->done)
        if (tern_poll(w->ep) == 0) floor_relax(w->phase == PAIR_TERN_SHM && w->pair->end.relax);
}

static inline void ping(way *w) {
    switch (w->phase) {
    case PAIR_FLOOR_RING: floor_ring_ping(&w->pair->end, w->payload, w->back); break;
    case PAIR_FLOOR_UDP: floor_udp_ping(w->pair->sockets.plain[1], w->payload, w->back); break;
    case PAIR_FLOOR_TCP: floor_tcp_ping(w->pair->sockets.stream[1], w->payload, w->back); break;
    default: tern_ping(w); break;
    }
}

static void round_of(const run *r, way *w, series *out, unsigned index) {
    size_t n = 0;
    pair_begin(w->pair, w->phase);
    for (unsigned i = 0; i < 1000; i++) ping(w);
    uint64_t limit = (uint64_t)((double)r->round_ns / r->ns_per_tick), begin = ticks(), last = begin;
    while (n < MAX_SAMPLES && last - begin < limit) {
        memcpy(w->payload, &last, sizeof last);
        ping(w);
        if (memcmp(w->payload, w->back, FLOOR_PAYLOAD) != 0) w->n_bad++;
        uint64_t now = ticks();
        r->samples[n++] = (double)(now - last) * r->ns_per_tick;
        last = now;
    }
    pair_end(w->pair);
    out->median[index] = bench_median(r->samples, n);
    out->p99[index] = bench_percentile(r->samples, n, 99);
}

/* One row: floor and tern in turn. False when an echo was wrong. */
static bool row(const run *r, bench_report *report, unsigned n_rounds, const char *name, const char *floor_name,
                way *floor, way *tern) {
    static series of_floor, of_tern;
    for (unsigned i = 0; i < n_rounds; i++) {
        round_of(r, floor, &of_floor, i);
        round_of(r, tern, &of_tern, i);
    }
    char p99_name[32];
    snprintf(p99_name, sizeof p99_name, "%s_p99", name);
    bench_report_row(report, name, bench_median(of_tern.median, n_rounds), "ns",
                     bench_median(of_floor.median, n_rounds), floor_name);
    bench_report_row(report, p99_name, bench_median(of_tern.p99, n_rounds), "ns", bench_median(of_floor.p99, n_rounds),
                     floor_name);
    if (floor->n_bad + tern->n_bad == 0) return true;
    fprintf(stderr, "%s: %llu echoes were wrong\n", name, (unsigned long long)(floor->n_bad + tern->n_bad));
    return false;
}

static bool transport(const run *r, bench_report *report, unsigned n_rounds, pair *p, const char *name,
                      const char *address, pair_phase floor_phase, pair_phase tern_phase, const char *floor_name) {
    if (address[0] == '\0') {
        bench_report_note(report, "%s: not measured, tern cannot listen there", name);
        return true;
    }
    way floor = {.pair = p, .phase = floor_phase}, tern = {.pair = p, .phase = tern_phase};
    pair_begin(p, tern_phase);
    tern.ep = pair_connect(address, &tern.session, 1);
    pair_end(p);
    bool ok = row(r, report, n_rounds, name, floor_name, &floor, &tern);
    pair_begin(p, tern_phase);
    tern_endpoint_free(tern.ep);
    pair_end(p);
    return ok;
}

int main(int argc, char **argv) {
    bench_args args = bench_args_begin(argc, argv, "round trip of a 32-byte RPC against the raw round trip");
    uint64_t n_rounds = bench_arg_u64(&args, "--rounds", 9, "rounds of floor and tern, alternating");
    uint64_t round_ms = bench_arg_u64(&args, "--round-ms", 100, "length of a round");
    const char *only = bench_arg_str(&args, "--only", "", "only transports whose name contains this");
    rpc_trace_arg(&args);
    bool json = bench_arg_flag(&args, "--json", "print the report as the last line, as JSON");
    if (bench_args_end(&args)) return 2;
    if (n_rounds < 1) n_rounds = 1;
    if (n_rounds > MAX_ROUNDS) n_rounds = MAX_ROUNDS;

    pair p;
    if (!pair_start(&p, 8 * n_rounds * round_ms * 1000000)) return 1;
    run r = {.round_ns = round_ms * 1000000, .samples = malloc(MAX_SAMPLES * sizeof(double))};
    bench_report *report = bench_report_new("rpc_latency");
    if (r.samples == NULL || report == NULL) return 1;
    r.ns_per_tick = measure_tick();
    pair_tune_ring(&p);
    bool ok = true;
    if (strstr("shm_32B", only) != NULL)
        ok &= transport(&r, report, (unsigned)n_rounds, &p, "shm_32B", p.shared->shm_address, PAIR_FLOOR_RING,
                        PAIR_TERN_SHM, "raw slot ring");
    if (strstr("udp_32B", only) != NULL)
        ok &= transport(&r, report, (unsigned)n_rounds, &p, "udp_32B", p.shared->udp_address, PAIR_FLOOR_UDP,
                        PAIR_TERN_UDP, "raw UDP ping-pong");
    if (strstr("tcp_32B", only) != NULL)
        ok &= transport(&r, report, (unsigned)n_rounds, &p, "tcp_32B", p.shared->tcp_address, PAIR_FLOOR_TCP,
                        PAIR_TERN_TCP, "raw TCP ping-pong");
    pair_stop(&p);
    free(r.samples);
    bench_report_note(report, "the ring spins %s", p.end.relax ? "with a pause" : "without a pause");
    if (pair_cpu_share(&p) < 0.97)
        bench_report_note(report, "other work took %.0f %% of the client's processor: measure again on a quiet machine",
                          100 * (1 - pair_cpu_share(&p)));
    return bench_report_print(report, json) && ok ? 0 : 1;
}
