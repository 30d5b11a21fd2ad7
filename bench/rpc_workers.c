/* Do long calls hold up short ones? Calls of 32 bytes arrive at random moments (exponential gaps, 100,000 in a
 * second), and 1 % of them take 100 us of processor time in their handler (eRPC 7.2: scans among gets). The same with
 * the long handler on the endpoint's thread, on a worker, and without long calls at all, in turn. Reported are the
 * short calls' times from the moment they were to start, so that no wait is left out; medians over rounds. When a
 * whole millisecond is lost, which only another program can cause, the arrivals of that time are left out.
 *
 * One thread drives client and server, and the worker has another processor: the layout for which two processors are
 * enough. Unlike the paper's, the short calls' times contain the client's own work. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common.h"
#include "rpc_trace.h"
#include "tern/rpc.h"

enum {
    SHORT_METHOD = 1,
    LONG_HERE = 2,
    LONG_THERE = 3,
    BYTES = 32,
    N_SESSIONS = 8,
    MAX_SAMPLES = 1 << 18,
    MAX_ROUNDS = 51,
    LATE_NS = 1000000
};
enum { MAIN_CPU = 1, WORKER_CPU = 0 };

/* Which calls a round makes besides short ones. */
typedef enum mix { MIX_NONE, MIX_DISPATCH, MIX_WORKERS, N_MIXES } mix;

typedef struct world {
    tern_endpoint *server, *client;
    tern_session *sessions[N_SESSIONS];
    tern_workers *pool;
    uint64_t long_ns, round_ns, rng;
    double share, gap_ns;
    /* of the round */
    uint32_t long_method; /* 0: none */
    size_t n_open, n_started, n_short, n_long, n_bad, n_late;
    double *short_ns, *long_ns_seen;
    struct arrival *arrivals;
} world;

/* One call. */
typedef struct arrival {
    world *w;
    uint64_t due;
    bool is_long;
} arrival;

static void echo(tern_call call, const void *request, void *user) {
    (void)user;
    tern_reply_raw(call, *(const tern_bytes *)request);
}

static void work_long(tern_call call, const void *request, void *user) {
    const world *w = user;
    uint64_t end = bench_now_ns() + w->long_ns;
    while (bench_now_ns() < end) continue;
    tern_reply_raw(call, *(const tern_bytes *)request);
}

static void on_done(void *user, int status, const void *response) {
    const arrival *a = user;
    world *w = a->w;
    double ns = (double)(bench_now_ns() - a->due);
    (void)response;
    w->n_open--;
    w->n_bad += status != TERN_STATUS_OK;
    if (a->is_long)
        w->long_ns_seen[w->n_long++] = ns;
    else
        w->short_ns[w->n_short++] = ns;
}

static double uniform(world *w) { return (double)(bench_random(&w->rng) >> 11) * 0x1p-53; }

/* The next call, due this long after the one before it. */
static uint64_t start(world *w, uint64_t due) {
    static const uint8_t payload[BYTES];
    arrival *a = &w->arrivals[w->n_started];
    *a = (arrival){w, due, w->long_method && uniform(w) < w->share};
    tern_session *session = w->sessions[w->n_started++ % N_SESSIONS];
    uint32_t method = a->is_long ? w->long_method : SHORT_METHOD;
    if (tern_call_start_raw(session, method, tern_bytes_of(payload, BYTES), NULL, on_done, a) != 0)
        w->n_bad++;
    else
        w->n_open++;
    return due + (uint64_t)(-log(1 - uniform(w)) * w->gap_ns);
}

static void play(world *w, mix what) {
    static const uint32_t methods[N_MIXES] = {0, LONG_HERE, LONG_THERE};
    w->long_method = methods[what];
    w->n_started = w->n_short = w->n_long = 0;
    uint64_t now = bench_now_ns(), due = now, end = now + w->round_ns;
    while (w->n_open > 0 || now < end) {
        if (now - due < UINT64_MAX / 2 &&
            now - due > LATE_NS) { /* somebody else had our processor: that is no answer */
            due = now;
            w->n_late++;
        }
        while (due <= now && due < end && w->n_started < MAX_SAMPLES) due = start(w, due);
        tern_poll(w->client);
        tern_poll(w->server);
        now = bench_now_ns();
    }
}

static int set_up(world *w, const char *address, uint64_t spin_us) {
    tern_workers_config config;
    int cpu = WORKER_CPU;
    tern_workers_config_init(&config);
    config.n_threads = 1;
    config.spin = (tern_dur)spin_us * TERN_US;
    config.cpus = &cpu;
    config.n_cpus = 1;
    int err = tern_workers_new(&config, &w->pool);
    if (!err) err = tern_endpoint_new(NULL, &w->server);
    if (!err) err = tern_endpoint_new(NULL, &w->client);
    if (!err) rpc_trace(w->client);
    if (!err) err = tern_serve_raw(w->server, SHORT_METHOD, echo, w);
    if (!err) err = tern_serve_raw(w->server, LONG_HERE, work_long, w);
    if (!err) err = tern_serve_raw_on(w->server, LONG_THERE, work_long, w, w->pool);
    if (!err) err = tern_listen(w->server, address);
    for (int i = 0; !err && i < N_SESSIONS; i++)
        err = tern_connect(w->client, tern_listen_address(w->server, 0), &w->sessions[i]);
    return err;
}

static void tear_down(world *w) {
    tern_endpoint_free(w->client);
    tern_endpoint_free(w->server);
    tern_workers_free(w->pool);
}

/* Medians over the rounds. */
typedef struct result {
    double short_p50, short_p99, long_p50;
} result;

static void measure(world *w, unsigned n_rounds, result results[N_MIXES]) {
    static double p50[N_MIXES][MAX_ROUNDS], p99[N_MIXES][MAX_ROUNDS], longs[N_MIXES][MAX_ROUNDS];
    for (unsigned i = 0; i < n_rounds + 1; i++)
        for (int m = 0; m < N_MIXES; m++) {
            play(w, (mix)m);
            if (i == 0) continue; /* caches, pages, the connection */
            p50[m][i - 1] = bench_median(w->short_ns, w->n_short) / 1000;
            p99[m][i - 1] = bench_percentile(w->short_ns, w->n_short, 99) / 1000;
            longs[m][i - 1] = bench_median(w->long_ns_seen, w->n_long) / 1000;
        }
    for (int m = 0; m < N_MIXES; m++)
        results[m] =
            (result){bench_median(p50[m], n_rounds), bench_median(p99[m], n_rounds), bench_median(longs[m], n_rounds)};
}

static void report_on(bench_report *report, const result r[N_MIXES], uint64_t rate, uint64_t long_us) {
    const char *without = "no long calls";
    bench_report_row(report, "short_p99_dispatch", r[MIX_DISPATCH].short_p99, "us", r[MIX_NONE].short_p99, without);
    bench_report_row(report, "short_p99_workers", r[MIX_WORKERS].short_p99, "us", r[MIX_NONE].short_p99, without);
    bench_report_row(report, "short_p50_dispatch", r[MIX_DISPATCH].short_p50, "us", r[MIX_NONE].short_p50, without);
    bench_report_row(report, "short_p50_workers", r[MIX_WORKERS].short_p50, "us", r[MIX_NONE].short_p50, without);
    bench_report_row(report, "long_p50_workers", r[MIX_WORKERS].long_p50, "us", r[MIX_DISPATCH].long_p50,
                     "on the endpoint's thread");
    bench_report_note(report,
                      "%llu calls/s, long ones take %llu us of a processor; paper (ordered index, 14 dispatch threads, "
                      "scans of 128 keys): p99 12 us with workers, 26 us without",
                      (unsigned long long)rate, (unsigned long long)long_us);
    long n_cpus = sysconf(_SC_NPROCESSORS_ONLN);
    if (n_cpus < 4)
        bench_report_note(report, "%ld processors: too few to show how endpoint threads behind one address scale",
                          n_cpus);
}

int main(int argc, char **argv) {
    world w = {.rng = 88172645463325252u};
    char address[64];
    bench_args args = bench_args_begin(argc, argv, "short calls beside long ones, with and without workers");
    uint64_t n_rounds = bench_arg_u64(&args, "--rounds", 15, "rounds of each kind, alternating");
    uint64_t round_ms = bench_arg_u64(&args, "--round-ms", 60, "length of a round");
    uint64_t long_us = bench_arg_u64(&args, "--long-us", 100, "processor time of a long call");
    uint64_t rate = bench_arg_u64(&args, "--rate", 100000, "calls per second, of both kinds");
    w.share = bench_arg_double(&args, "--share", 0.01, "share of long calls");
    uint64_t spin_us = bench_arg_u64(&args, "--spin-us", 50, "how long an idle worker spins before it sleeps");
    const char *port = bench_arg_str(&args, "--port", "shm", "shm or udp");
    rpc_trace_arg(&args);
    bool json = bench_arg_flag(&args, "--json", "print the report as the last line, as JSON");
    if (bench_args_end(&args)) return 2;
    if (n_rounds < 1) n_rounds = 1;
    if (n_rounds > MAX_ROUNDS) n_rounds = MAX_ROUNDS;
    w.gap_ns = 1e9 / (double)(rate ? rate : 1);
    w.long_ns = long_us * 1000;
    w.round_ns = round_ms * 1000000;
    snprintf(address, sizeof address, "shm:///tmp/tern-bench-%d.sock", (int)getpid());
    if (strcmp(port, "udp") == 0) snprintf(address, sizeof address, "udp://127.0.0.1:0");
    w.short_ns = malloc(MAX_SAMPLES * sizeof(double));
    w.long_ns_seen = malloc(MAX_SAMPLES * sizeof(double));
    w.arrivals = malloc(MAX_SAMPLES * sizeof *w.arrivals);
    bench_report *report = bench_report_new("rpc_workers");
    bench_pin(MAIN_CPU);
    int err = w.short_ns && w.long_ns_seen && w.arrivals && report ? set_up(&w, address, spin_us) : TERN_ERR_NOMEM;
    if (err) {
        fprintf(stderr, "cannot set up: %s\n", tern_strerror(err));
        return 1;
    }
    result results[N_MIXES];
    measure(&w, (unsigned)n_rounds, results);
    report_on(report, results, rate, long_us);
    tear_down(&w);
    free(w.arrivals);
    free(w.short_ns);
    free(w.long_ns_seen);
    if (w.n_late) bench_report_note(report, "other work took this processor away %zu times", w.n_late);
    bool written = bench_report_print(report, json);
    if (w.n_bad) fprintf(stderr, "%zu calls failed\n", w.n_bad);
    return written && w.n_bad == 0 ? 0 : 1;
}
