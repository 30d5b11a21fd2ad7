/* Does a call get slower when there are many sessions? 32-byte calls, 60 in flight, issued in batches of 3 as in rpc_rate,
 * on 8 sessions and on 20,000 (eRPC section 6.3, Figure 5: 20,000 sessions per node at the peak rate). With many, each
 * call takes a session drawn at random, so that nothing about it is likely to be in the nearest cache.
 *
 * One thread drives client and server (rpc_solo.h): what is asked for is the price of the state that a call touches at
 * both ends, which then is hidden by neither side waiting for the other. Both ends share one processor's caches, which
 * makes it harder than on two. Rounds with few and with many sessions alternate; reported are medians. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common.h"
#include "rpc_solo.h"

enum { MAX_SESSIONS = 1 << 18, MAX_ROUNDS = 101 };

typedef struct options {
    unsigned sessions, window, batch, rounds;
    uint64_t round_ns;
} options;

static bool transport(const options *o, bench_report *report, const char *name, const char *const address[2]) {
    static solo sides[2];
    static double few[MAX_ROUNDS], many[MAX_ROUNDS];
    solo_open(&sides[0], address[0], SOLO_FEW, o->window, TERN_CC_DEFAULT);
    solo_open(&sides[1], address[1], o->sessions, o->window, TERN_CC_DEFAULT);
    for (int i = 0; i < 2; i++) solo_rate(&sides[i], o->batch, o->round_ns);
    for (unsigned i = 0; i < o->rounds; i++) {
        few[i] = solo_rate(&sides[0], o->batch, o->round_ns);
        many[i] = solo_rate(&sides[1], o->batch, o->round_ns);
    }
    bench_report_row(report, name, bench_median(many, o->rounds), "calls/s", bench_median(few, o->rounds),
                     "8 sessions");
    bool ok = sides[0].n_bad + sides[1].n_bad == 0;
    if (!ok) fprintf(stderr, "%s: calls failed\n", name);
    for (int i = 0; i < 2; i++) solo_close(&sides[i]);
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
    if (o.sessions <= SOLO_FEW || o.sessions > MAX_SESSIONS || o.window > SOLO_MAX_WINDOW || o.batch < 1 ||
        o.batch > o.window || o.rounds < 1 || o.rounds > MAX_ROUNDS) {
        fprintf(stderr, "these numbers make no sense together\n");
        return 2;
    }
    bench_report *report = bench_report_new("rpc_sessions");
    if (!report) return 1;
    char names[2][32], paths[2][64];
    snprintf(names[0], sizeof names[0], "sessions_%u", o.sessions);
    snprintf(names[1], sizeof names[1], "udp_sessions_%u", o.sessions);
    for (int i = 0; i < 2; i++) snprintf(paths[i], sizeof paths[i], "shm:///tmp/tern-sessions-%d-%d", (int)getpid(), i);
    bool ok = true;
    if (strstr("shm", only)) ok &= transport(&o, report, names[0], (const char *const[]){paths[0], paths[1]});
    if (strstr("udp", only))
        ok &= transport(&o, report, names[1], (const char *const[]){"udp://127.0.0.1:0", "udp://127.0.0.1:0"});
    for (int i = 0; i < 2; i++) unlink(paths[i] + strlen("shm://"));
    bench_report_print(report, json);
    return ok ? 0 : 1;
}
