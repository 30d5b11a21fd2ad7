/* Does a call get slower when there are many sessions? 32-byte calls, 60 in flight, issued in batches of 3 as in
 * rpc_rate, on 8 sessions and on 20,000 (eRPC section 6.3, Figure 5: 20,000 sessions per node at the peak rate). With
 * many, each call takes a session drawn at random, so that nothing about it is likely to be in a near cache. The client
 * knows some calls ahead which session is next, as a program that takes work from a queue does, and says so
 * (tern_session_expect()).
 *
 * Two forms. In one, client and server are processes on processors of their own: what many sessions cost the slower of
 * the two is seen, per second. In the other, solo, one thread drives both (rpc_solo.h), per second of its time: the
 * price at both ends together, which neither hides behind the other, with one processor's caches for the state of both;
 * and which other work on the machine changes least.
 *
 * Rounds with few and with many sessions alternate; reported are medians. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common.h"
#include "rpc_pair.h"
#include "rpc_solo.h"
#include "rpc_trace.h"

enum { MAX_ROUNDS = 101 };

_Static_assert((int)PAIR_METHOD == (int)SOLO_METHOD, "the pair's server echoes it");

typedef struct options {
    unsigned sessions, window, batch, rounds;
    uint64_t round_ns;
    bool unannounced;
} options;

/* One way to have few and many. p: NULL for the solo form. */
typedef struct form {
    pair *p;
    pair_phase phases[2];
    const char *addresses[2];
} form;

static void open_side(const form *f, int i, solo *side, const options *o) {
    unsigned n = i ? o->sessions : SOLO_FEW;
    if (!f->p) {
        solo_open(side, f->addresses[i], n, o->window, TERN_CC_DEFAULT);
    } else {
        pair_begin(f->p, f->phases[i]);
        solo_open_client(side, f->addresses[i], n, o->window);
        pair_end(f->p);
    }
    side->unannounced = o->unannounced;
}

static double rate(const form *f, int i, solo *side, const options *o) {
    if (!f->p) return solo_rate(side, o->batch, o->round_ns);
    pair_begin(f->p, f->phases[i]);
    double rate = solo_rate(side, o->batch, o->round_ns);
    solo_finish(side);
    pair_end(f->p);
    return rate;
}

static void close_side(const form *f, int i, solo *side) {
    if (f->p) pair_begin(f->p, f->phases[i]);
    solo_close(side);
    if (f->p) pair_end(f->p);
}

static bool measure(const options *o, bench_report *report, const char *name, const form *f) {
    static solo sides[2];
    static double rates[2][MAX_ROUNDS];
    char row[64];
    for (int i = 0; i < 2; i++) {
        if (f->addresses[i][0] == '\0') {
            bench_report_note(report, "%s: not measured, tern cannot listen there", name);
            return true;
        }
        open_side(f, i, &sides[i], o);
        rate(f, i, &sides[i], o);
    }
    for (unsigned round = 0; round < o->rounds; round++)
        for (int i = 0; i < 2; i++) rates[i][round] = rate(f, i, &sides[i], o);
    snprintf(row, sizeof row, "%ssessions_%u", name, o->sessions);
    bench_report_row(report, row, bench_median(rates[1], o->rounds), "calls/s", bench_median(rates[0], o->rounds),
                     "8 sessions");
    bool ok = sides[0].n_bad + sides[1].n_bad == 0;
    if (!ok) fprintf(stderr, "%s: calls failed\n", row);
    for (int i = 0; i < 2; i++) close_side(f, i, &sides[i]);
    return ok;
}

static bool measure_all(const options *o, bench_report *report, pair *p, const char *only) {
    char paths[2][64];
    for (int i = 0; i < 2; i++) snprintf(paths[i], sizeof paths[i], "shm:///tmp/tern-sessions-%d-%d", (int)getpid(), i);
    pair_shared *shared = p->shared;
    const struct {
        const char *name;
        form form;
    } forms[] = {
        {"", {p, {PAIR_TERN_UDP, PAIR_MANY_UDP}, {shared->udp_address, shared->many_udp_address}}},
        {"shm_", {p, {PAIR_TERN_SHM, PAIR_MANY_SHM}, {shared->shm_address, shared->many_shm_address}}},
        {"solo_udp_", {NULL, {0}, {"udp://127.0.0.1:0", "udp://127.0.0.1:0"}}},
        {"solo_shm_", {NULL, {0}, {paths[0], paths[1]}}},
    };
    bool ok = true;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (strstr(*forms[i].name ? forms[i].name : "udp", only))
            ok &= measure(o, report, forms[i].name, &forms[i].form);
    for (int i = 0; i < 2; i++) unlink(paths[i] + strlen("shm://"));
    return ok;
}

int main(int argc, char **argv) {
    bench_args args = bench_args_begin(argc, argv, "rate of small calls with many sessions against few");
    options o = {
        .sessions = (unsigned)bench_arg_u64(&args, "--sessions", 20000, "many sessions"),
        .window = (unsigned)bench_arg_u64(&args, "--window", 60, "calls in flight, at most 64"),
        .batch = (unsigned)bench_arg_u64(&args, "--batch", 3, "calls issued together"),
        .rounds = (unsigned)bench_arg_u64(&args, "--rounds", 9, "rounds with few and many, alternating"),
        .round_ns = bench_arg_u64(&args, "--round-ms", 150, "length of a round") * 1000000,
    };
    o.unannounced = bench_arg_flag(&args, "--unannounced", "do not say ahead which session is called next");
    const char *only = bench_arg_str(&args, "--only", "", "only forms whose name (udp, shm, solo_...) contains this");
    rpc_trace_arg(&args);
    bool json = bench_arg_flag(&args, "--json", "print the report as the last line, as JSON");
    if (bench_args_end(&args)) return 2;
    if (o.sessions <= SOLO_FEW || o.sessions > PAIR_MAX_SESSIONS - SOLO_FEW || o.window > SOLO_MAX_WINDOW ||
        o.batch < 1 || o.batch > o.window || o.rounds < 1 || o.rounds > MAX_ROUNDS) {
        fprintf(stderr, "these numbers make no sense together\n");
        return 2;
    }
    pair p;
    if (!pair_start(&p, 10 * (o.rounds + 1) * o.round_ns)) return 1;
    bench_report *report = bench_report_new("rpc_sessions");
    if (!report) return 1;
    pair_tune_ring(&p);
    bool ok = measure_all(&o, report, &p, only);
    pair_stop(&p);
    if (pair_cpu_share(&p) < 0.97)
        bench_report_note(report, "other work took %.0f %% of the client's processor: measure again on a quiet machine",
                          100 * (1 - pair_cpu_share(&p)));
    return bench_report_print(report, json) && ok ? 0 : 1;
}
