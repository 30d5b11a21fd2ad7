/* What does a server do that is offered more than it can do? A client and a server process, each with a processor.
 * Calls of 32 bytes arrive at the client's API at random moments (exponential gaps), whatever became of those before:
 * a call that is refused, at once or by the server, is lost. The handler works for a while (--work-ns), so that it is
 * the server that is short of time, and neither the client nor its socket. Each round measures, in turn: without a
 * queue_target the peak (a closed loop with all slots of all sessions in use), and an open loop at .8 of it; with one
 * at both ends open loops at .8, 1.5 and 2 times this peak. The target is three times the p99 at .8, as an operator
 * would set it who has seen that. Goodput is what ended with OK in a second; latencies are those of these calls, from
 * the moment they were due. Medians over rounds.
 *
 * Floors: goodput at 1.5 and 2 times the peak at least .95 of it; p99 at 2 times the peak at most 10 times that at
 * .8. */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common.h"
#include "tern/rpc.h"

enum {
    METHOD = 1,
    BYTES = 32,
    MAX_SESSIONS = 64,
    N_SLOTS = 8, /* of a session */
    MAX_CALLS = 1 << 17,
    MAX_SAMPLES = 1 << 22,
    MAX_ROUNDS = 51,
    BURST = 32, /* calls between polls */
    SERVER_CPU = 0,
    CLIENT_CPU = 1,
};

static const char *const ports[] = {"shm", "udp", "tcp"};
enum { N_PORTS = sizeof ports / sizeof *ports };
static const double loads[] = {0.8, 1.5, 2};
enum { N_LOADS = sizeof loads / sizeof *loads };

typedef struct options {
    uint64_t rounds, round_ms, work_ns, sessions, target_us;
    const char *port; /* NULL: all */
    bool off, server_only, client_only, json;
} options;

/* Mapped by both processes. */
typedef struct shared {
    char address[128];
    uint64_t target_us; /* the server's; 0: none */
    atomic_uint port;   /* which the server is to serve; N_PORTS: none */
    atomic_uint serving;
    atomic_bool stop;
} shared;

/* What a loop has seen. */
typedef struct seen {
    uint64_t n_ok, n_refused, n_failed;
    double p50, p99; /* ns */
    double seconds;
} seen;

/* One call. */
typedef struct record {
    struct record *next;
    struct client *c;
    uint64_t due;
} record;

typedef struct client {
    tern_endpoint *ep;
    tern_session *sessions[MAX_SESSIONS];
    uint32_t n_sessions, turn;
    record *records, *free;
    uint64_t n_open, rng, from, to; /* calls that are due or end between these count */
    double *latencies;
    size_t n_latencies;
    seen *seen;
} client;

/* ---- The server process --------------------------------------------------------------------------- */

static uint64_t work_ns;

static void work(tern_call call, const void *request, void *user) {
    (void)user;
    if (work_ns)
        for (uint64_t end = bench_now_ns() + work_ns; bench_now_ns() < end;) continue;
    tern_reply_raw(call, *(const tern_bytes *)request);
}

static void must(int err, const char *what) {
    if (err >= 0) return;
    fprintf(stderr, "%s: %s\n", what, tern_strerror(err));
    exit(1);
}

static tern_endpoint *make_endpoint(uint64_t target_us) {
    tern_endpoint *ep;
    tern_endpoint_config config;
    tern_endpoint_config_init(&config);
    config.queue_target = (tern_dur)target_us * TERN_US;
    must(tern_endpoint_new(&config, &ep), "endpoint");
    return ep;
}

/* Serves one port until another one is wanted. */
static void serve_port(shared *s, unsigned port, const char *address) {
    tern_endpoint *ep = make_endpoint(s->target_us);
    must(tern_listen(ep, address), address);
    must(tern_serve_raw(ep, METHOD, work, NULL), "serve");
    snprintf(s->address, sizeof s->address, "%s", tern_listen_address(ep, 0));
    atomic_store(&s->serving, port);
    while (atomic_load_explicit(&s->port, memory_order_relaxed) == port) must(tern_poll(ep), "poll");
    tern_endpoint_free(ep);
}

static void serve(shared *s, const options *o, const char *folder) {
    char shm[96];
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    bench_pin(SERVER_CPU);
    work_ns = o->work_ns;
    snprintf(shm, sizeof shm, "shm://%s/s.sock", folder);
    const char *const where[N_PORTS] = {shm, "udp://127.0.0.1:0", "tcp://127.0.0.1:0"};
    while (!atomic_load(&s->stop)) {
        unsigned port = atomic_load(&s->port);
        if (port < N_PORTS) serve_port(s, port, where[port]);
        atomic_store(&s->serving, N_PORTS);
        usleep(100);
    }
}

/* ---- The client ----------------------------------------------------------------------------------- */

static void on_done(void *user, int status, const void *response) {
    record *r = user;
    client *c = r->c;
    uint64_t now = bench_now_ns();
    (void)response;
    c->n_open--;
    r->next = c->free;
    c->free = r;
    if (status == TERN_STATUS_OK) {
        c->seen->n_ok += now >= c->from && now < c->to;
        bool counts = r->due >= c->from && r->due < c->to && c->n_latencies < MAX_SAMPLES;
        if (counts) c->latencies[c->n_latencies++] = (double)(now - r->due);
    } else if (status == TERN_STATUS_RESOURCE_EXHAUSTED) {
        c->seen->n_refused++;
    } else {
        c->seen->n_failed++;
    }
}

static void offer(client *c, uint64_t due) {
    static const uint8_t bytes[BYTES];
    record *r = c->free;
    if (!r) {
        c->seen->n_refused++;
        return;
    }
    c->free = r->next;
    *r = (record){NULL, c, due};
    c->n_open++;
    tern_session *session = c->sessions[c->turn++ % c->n_sessions];
    int err = tern_call_start_raw(session, METHOD, (tern_bytes){bytes, BYTES}, NULL, on_done, r);
    if (!err) return;
    c->n_open--;
    r->next = c->free;
    c->free = r;
    c->seen->n_refused += err == TERN_ERR_FULL;
    c->seen->n_failed += err != TERN_ERR_FULL;
}

static void finish(client *c) {
    uint64_t give_up = bench_now_ns() + 10000000000u;
    while (c->n_open && bench_now_ns() < give_up) must(tern_poll(c->ep), "poll");
    if (c->n_open) must(TERN_ERR_CLOSED, "calls that do not end");
    c->seen->p50 = bench_percentile(c->latencies, c->n_latencies, 50);
    c->seen->p99 = bench_percentile(c->latencies, c->n_latencies, 99);
}

static void begin(client *c, seen *out, uint64_t ns) {
    uint64_t now = bench_now_ns();
    *out = (seen){.seconds = (double)ns * 0.8 / 1e9};
    c->seen = out;
    c->n_latencies = 0;
    c->from = now + ns / 5;
    c->to = now + ns;
}

/* As many calls as there are slots, all the time. */
static void closed_loop(client *c, uint64_t ns, seen *out) {
    begin(c, out, ns);
    for (uint64_t now; (now = bench_now_ns()) < c->to;) {
        for (unsigned i = 0; i < BURST && c->n_open < (uint64_t)c->n_sessions * N_SLOTS; i++) offer(c, now);
        must(tern_poll(c->ep), "poll");
    }
    finish(c);
}

static double exponential(client *c, double mean) {
    return -mean * log(1 - (double)(bench_random(&c->rng) >> 11) * 0x1p-53);
}

static void open_loop(client *c, double rate, uint64_t ns, seen *out) {
    begin(c, out, ns);
    double gap = 1e9 / rate, clock = 0;
    uint64_t start = bench_now_ns(), due = start;
    for (uint64_t now = start; now < c->to; now = bench_now_ns()) {
        for (unsigned i = 0; i < BURST && due <= now; i++) {
            offer(c, due);
            clock += exponential(c, gap);
            due = start + (uint64_t)clock;
        }
        must(tern_poll(c->ep), "poll");
    }
    finish(c);
}

static void connect_all(client *c, const options *o, uint64_t target_us, const char *address) {
    *c = (client){.n_sessions = (uint32_t)o->sessions, .rng = 0x9e3779b97f4a7c15u};
    c->ep = make_endpoint(target_us);
    c->records = calloc(MAX_CALLS, sizeof *c->records);
    c->latencies = malloc(MAX_SAMPLES * sizeof *c->latencies);
    if (!c->records || !c->latencies) must(TERN_ERR_NOMEM, "records");
    memset(c->latencies, 0, MAX_SAMPLES * sizeof *c->latencies); /* its pages are there */
    for (unsigned i = 0; i < MAX_CALLS; i++) {
        c->records[i].next = c->free;
        c->free = &c->records[i];
    }
    for (uint32_t i = 0; i < c->n_sessions; i++) must(tern_connect(c->ep, address, &c->sessions[i]), address);
    uint64_t give_up = bench_now_ns() + 5000000000u;
    for (uint32_t open = 0; open < c->n_sessions;) {
        must(tern_poll(c->ep), "poll");
        if (tern_session_get_state(c->sessions[open]) == TERN_SESSION_OPEN) open++;
        if (bench_now_ns() > give_up) must(TERN_ERR_CLOSED, address);
    }
}

static void disconnect_all(client *c) {
    tern_endpoint_free(c->ep);
    free(c->records);
    free(c->latencies);
}

/* ---- Rounds --------------------------------------------------------------------------------------- */

/* A port's rounds. */
typedef struct results {
    double peak[MAX_ROUNDS], p50_before[MAX_ROUNDS], p99_before[MAX_ROUNDS]; /* without a target; at .8 */
    double goodput[N_LOADS][MAX_ROUNDS], p99[N_LOADS][MAX_ROUNDS], p50[N_LOADS][MAX_ROUNDS];
    double target_us[MAX_ROUNDS];
    uint64_t n_failed, n_refused_early; /* refused at .8 */
} results;

static void open_port(shared *s, client *c, const options *o, unsigned port, uint64_t target_us) {
    s->target_us = o->client_only ? 0 : target_us;
    atomic_store(&s->port, port);
    while (atomic_load(&s->serving) != port) usleep(100);
    connect_all(c, o, o->server_only ? 0 : target_us, s->address);
    seen warm;
    closed_loop(c, o->round_ms * 250000 + 1000000, &warm);
}

static void close_port(shared *s, client *c) {
    disconnect_all(c);
    atomic_store(&s->port, N_PORTS);
    while (atomic_load(&s->serving) != N_PORTS) usleep(100);
}

static void run_round(shared *s, const options *o, unsigned port, uint64_t round, results *r) {
    client c;
    seen out;
    uint64_t ns = o->round_ms * 1000000;
    open_port(s, &c, o, port, 0);
    closed_loop(&c, ns, &out);
    double peak = r->peak[round] = (double)out.n_ok / out.seconds + 1;
    open_loop(&c, loads[0] * peak, ns, &out);
    r->p50_before[round] = out.p50;
    r->p99_before[round] = out.p99;
    r->n_failed += out.n_failed;
    close_port(s, &c);
    uint64_t target_us = o->target_us ? o->target_us : (uint64_t)(3 * out.p99 / 1e3) + 1;
    r->target_us[round] = (double)target_us;
    open_port(s, &c, o, port, o->off ? 0 : target_us);
    for (unsigned i = 0; i < N_LOADS; i++) {
        open_loop(&c, loads[i] * peak, ns, &out);
        r->goodput[i][round] = (double)out.n_ok / out.seconds;
        r->p99[i][round] = out.p99;
        r->p50[i][round] = out.p50;
        r->n_failed += out.n_failed;
        if (i == 0) r->n_refused_early += out.n_refused;
    }
    close_port(s, &c);
}

static void report_port(bench_report *report, const char *port, results *r, size_t n) {
    char name[32];
    double peak = bench_median(r->peak, n);
    snprintf(name, sizeof name, "%s_goodput_1.5", port);
    bench_report_row(report, name, bench_median(r->goodput[1], n), "calls/s", peak, "peak, closed loop");
    snprintf(name, sizeof name, "%s_goodput_2", port);
    bench_report_row(report, name, bench_median(r->goodput[2], n), "calls/s", peak, "peak, closed loop");
    snprintf(name, sizeof name, "%s_p99_2", port);
    bench_report_row(report, name, bench_median(r->p99[2], n) / 1e3, "us", bench_median(r->p99_before, n) / 1e3,
                     "p99 at .8 of the peak");
    bench_report_note(
        report,
        "%s: medians of %.0f us at .8 of the peak; with a target of %.0f us: %.0f, %.0f and %.0f us at .8, "
        "1.5 and 2, %llu calls refused at .8; %llu calls failed",
        port, bench_median(r->p50_before, n) / 1e3, bench_median(r->target_us, n), bench_median(r->p50[0], n) / 1e3,
        bench_median(r->p50[1], n) / 1e3, bench_median(r->p50[2], n) / 1e3, (unsigned long long)r->n_refused_early,
        (unsigned long long)r->n_failed);
}

static bool is_wanted(const options *o, unsigned port) { return !o->port || strcmp(o->port, ports[port]) == 0; }

static int run(shared *s, const options *o) {
    static results all[N_PORTS];
    bench_pin(CLIENT_CPU);
    for (uint64_t round = 0; round < o->rounds; round++)
        for (unsigned port = 0; port < N_PORTS; port++)
            if (is_wanted(o, port)) run_round(s, o, port, round, &all[port]);
    bench_report *report = bench_report_new("rpc_overload");
    for (unsigned port = 0; port < N_PORTS; port++)
        if (is_wanted(o, port)) report_port(report, ports[port], &all[port], o->rounds);
    bench_report_note(report, "handlers work for %llu ns; %llu sessions%s", (unsigned long long)o->work_ns,
                      (unsigned long long)o->sessions, o->off ? "; no target" : "");
    return bench_report_print(report, o->json) ? 0 : 1;
}

static void on_alarm(int signal_number) {
    (void)signal_number;
    static const char text[] = "the benchmark took too long\n";
    _exit(write(STDERR_FILENO, text, sizeof text - 1) < 0 ? 2 : 1);
}

static bool parse(int argc, char **argv, options *o) {
    bench_args args = bench_args_begin(argc, argv, "what a server does that is offered more than it can do");
    o->rounds = bench_arg_u64(&args, "--rounds", 5, "rounds, of which medians are taken; at most 51");
    o->round_ms = bench_arg_u64(&args, "--round-ms", 500, "length of each loop");
    o->work_ns = bench_arg_u64(&args, "--work-ns", 4000, "what a handler takes");
    o->sessions = bench_arg_u64(&args, "--sessions", 8, "sessions of the client, at most 64");
    o->target_us = bench_arg_u64(&args, "--target-us", 0, "queue_target of both ends; 0: by what is seen");
    o->port = bench_arg_str(&args, "--port", NULL, "shm, udp or tcp alone");
    o->server_only = bench_arg_flag(&args, "--server-only", "the client has no queue_target");
    o->client_only = bench_arg_flag(&args, "--client-only", "the server has no queue_target");
    o->off = bench_arg_flag(&args, "--off", "no queue_target: what happens without");
    o->json = bench_arg_flag(&args, "--json", "print the report as the last line, as JSON");
    if (bench_args_end(&args)) return false;
    bool sane = o->rounds && o->rounds <= MAX_ROUNDS && o->sessions && o->sessions <= MAX_SESSIONS && o->round_ms;
    if (!sane) fprintf(stderr, "--rounds goes from 1 to 51, --sessions from 1 to 64\n");
    return sane;
}

int main(int argc, char **argv) {
    options o;
    char folder[] = "/tmp/tern-bench-XXXXXX", path[96];
    if (!parse(argc, argv, &o)) return 2;
    shared *s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (s == MAP_FAILED || !mkdtemp(folder)) {
        perror("cannot set the benchmark up");
        return 1;
    }
    atomic_store(&s->port, N_PORTS);
    atomic_store(&s->serving, N_PORTS);
    pid_t server = fork();
    if (server == 0) {
        serve(s, &o, folder);
        _exit(0);
    }
    signal(SIGALRM, on_alarm);
    alarm((unsigned)(60 + o.rounds * N_PORTS * (N_LOADS + 4) * o.round_ms / 1000));
    int code = run(s, &o);
    atomic_store(&s->stop, true);
    waitpid(server, NULL, 0);
    snprintf(path, sizeof path, "%s/s.sock", folder);
    unlink(path);
    rmdir(folder);
    return code;
}
