/* Does a call get slower when there are many sessions? 32-byte calls, 60 in flight, issued in batches of 3 as in rpc_rate,
 * on 8 sessions and on 20,000 (eRPC section 6.3, Figure 5: 20,000 sessions per node at the peak rate). With many, each
 * call takes a session drawn at random, so that nothing about it is likely to be in the nearest cache.
 *
 * One thread drives client and server, and rates are per second of its processor time: what is asked for is the price of
 * the state that a call touches at both ends, and that is not hidden here by one side waiting for the other, nor changed by
 * other work on the machine. Both ends share one processor's caches, which makes it harder than on two. Rounds with few
 * and with many sessions alternate; reported are medians. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common.h"
#include "tern/rpc.h"

enum { METHOD = 1, PAYLOAD = 32, FEW = 8, MAX_SESSIONS = 1 << 18, MAX_WINDOW = 1024, MAX_ROUNDS = 101 };

typedef struct side {
    tern_endpoint *server, *client;
    tern_session **sessions;
    unsigned n_sessions;
    unsigned n_free, window;
    unsigned free[MAX_WINDOW]; /* tickets; number t belongs to session t mod n when there are few */
    uint64_t random, n_done, n_bad;
} side;

typedef struct ticket {
    side *side;
    unsigned number;
} ticket;

static ticket tickets[2][MAX_WINDOW];

static void must(int err, const char *what) {
    if (err >= 0) return;
    fprintf(stderr, "%s: %s\n", what, tern_strerror(err));
    exit(1);
}

static void echo(tern_call *call, const void *request, void *user) {
    (void)user;
    tern_reply_raw(call, *(const tern_bytes *)request);
}

static void on_done(void *user, int status, const void *response) {
    ticket *t = user;
    const tern_bytes *bytes = response;
    t->side->n_bad += status != TERN_STATUS_OK || bytes->len != PAYLOAD;
    t->side->n_done++;
    t->side->free[t->side->n_free++] = t->number;
}

static void turn(side *s) {
    must(tern_poll(s->client), "poll");
    must(tern_poll(s->server), "poll");
}

static bool open_side(side *s, ticket *own, const char *address, unsigned n_sessions, unsigned window) {
    tern_endpoint_config config;
    tern_endpoint_config_init(&config);
    config.max_sessions = n_sessions + 16;
    *s = (side){.n_sessions = n_sessions, .window = window, .random = 88172645463325252u};
    s->sessions = calloc(n_sessions, sizeof(tern_session *));
    if (!s->sessions) return false;
    must(tern_endpoint_new(&config, &s->server), "endpoint");
    must(tern_endpoint_new(&config, &s->client), "endpoint");
    must(tern_listen(s->server, address), address);
    must(tern_serve_raw(s->server, METHOD, echo, NULL), "serve");
    uint64_t give_up = bench_cpu_ns() + 20000000000u;
    for (unsigned i = 0; i < n_sessions; i++) {
        must(tern_connect(s->client, tern_listen_address(s->server, 0), &s->sessions[i]), address);
        if (i % 32 == 0) turn(s);
    }
    for (unsigned open = 0; open < n_sessions && bench_cpu_ns() < give_up;) {
        turn(s);
        while (open < n_sessions && tern_session_get_state(s->sessions[open]) == TERN_SESSION_OPEN) open++;
    }
    for (unsigned i = 0; i < window; i++) {
        own[i] = (ticket){s, i};
        s->free[s->n_free++] = i;
    }
    return true;
}

static void close_side(side *s) {
    tern_endpoint_free(s->client);
    tern_endpoint_free(s->server);
    free(s->sessions);
}

static void issue(side *s, ticket *own) {
    static const uint8_t payload[PAYLOAD] = {7};
    ticket *t = &own[s->free[--s->n_free]];
    unsigned i = t->number % s->n_sessions;
    if (s->n_sessions > FEW) i = (unsigned)((bench_random(&s->random) >> 32) * s->n_sessions >> 32);
    must(tern_call_start_raw(s->sessions[i], METHOD, tern_bytes_of(payload, PAYLOAD), NULL, on_done, t), "call");
}

static double rate(side *s, ticket *own, unsigned batch, uint64_t ns) {
    uint64_t done = s->n_done, begin = bench_cpu_ns(), now = begin;
    for (uint32_t i = 0; now - begin < ns; i++) {
        while (s->n_free >= batch)
            for (unsigned k = 0; k < batch; k++) issue(s, own);
        turn(s);
        if (i % 64 == 0) now = bench_cpu_ns();
    }
    return (double)(s->n_done - done) * 1e9 / (double)(now - begin);
}

/* ---- */

typedef struct options {
    unsigned sessions, window, batch, rounds;
    uint64_t round_ns;
} options;

static bool transport(const options *o, bench_report *report, const char *name, const char *address[2]) {
    static side sides[2];
    static double few[MAX_ROUNDS], many[MAX_ROUNDS];
    if (!open_side(&sides[0], tickets[0], address[0], FEW, o->window) ||
        !open_side(&sides[1], tickets[1], address[1], o->sessions, o->window))
        return false;
    for (int i = 0; i < 2; i++) rate(&sides[i], tickets[i], o->batch, o->round_ns);
    for (unsigned i = 0; i < o->rounds; i++) {
        few[i] = rate(&sides[0], tickets[0], o->batch, o->round_ns);
        many[i] = rate(&sides[1], tickets[1], o->batch, o->round_ns);
    }
    bench_report_row(report, name, bench_median(many, o->rounds), "calls/s", bench_median(few, o->rounds),
                     "8 sessions");
    bool ok = sides[0].n_bad + sides[1].n_bad == 0;
    if (!ok) fprintf(stderr, "%s: calls failed\n", name);
    for (int i = 0; i < 2; i++) close_side(&sides[i]);
    return ok;
}

int main(int argc, char **argv) {
    bench_args args = bench_args_begin(argc, argv, "rate of small calls with many sessions against few");
    options o = {
        .sessions = (unsigned)bench_arg_u64(&args, "--sessions", 20000, "many sessions"),
        .window = (unsigned)bench_arg_u64(&args, "--window", 60, "calls in flight, at most 64"),
        .batch = (unsigned)bench_arg_u64(&args, "--batch", 3, "calls issued together"),
        .rounds = (unsigned)bench_arg_u64(&args, "--rounds", 9, "rounds with few and many, alternating"),
        .round_ns = bench_arg_u64(&args, "--round-ms", 150, "length of a round, processor time") * 1000000,
    };
    const char *only = bench_arg_str(&args, "--only", "", "only transports whose name contains this");
    bool json = bench_arg_flag(&args, "--json", "print the report as the last line, as JSON");
    if (bench_args_end(&args)) return 2;
    if (o.sessions <= FEW || o.sessions > MAX_SESSIONS || o.window > 64 || o.batch < 1 || o.batch > o.window ||
        o.rounds < 1 || o.rounds > MAX_ROUNDS) {
        fprintf(stderr, "these numbers make no sense together\n");
        return 2;
    }
    bench_report *report = bench_report_new("rpc_sessions");
    if (!report) return 1;
    char names[2][32], paths[2][64];
    snprintf(names[0], sizeof names[0], "sessions_%u", o.sessions);
    snprintf(names[1], sizeof names[1], "udp_sessions_%u", o.sessions);
    for (int i = 0; i < 2; i++) snprintf(paths[i], sizeof paths[i], "shm:///tmp/tern-sessions-%d-%d", getpid(), i);
    bool ok = true;
    if (strstr("shm", only)) ok &= transport(&o, report, names[0], (const char *[]){paths[0], paths[1]});
    if (strstr("udp", only))
        ok &= transport(&o, report, names[1], (const char *[]){"udp://127.0.0.1:0", "udp://127.0.0.1:0"});
    for (int i = 0; i < 2; i++) unlink(paths[i] + sizeof "shm://" - 1);
    bench_report_print(report, json);
    return ok ? 0 : 1;
}
