/* What is each optimization of the common case worth? The rate of small calls (32 bytes, 60 in flight on 8 sessions, in
 * batches of 3) with all of them, and with each switched off in turn, and with all off (eRPC section 6.2, Table 3,
 * which adds one up after the other).
 *
 * A switch that is asked at run time would cost the library a branch in its shortest paths. So the sources of engine,
 * ports and rpc are built once more for this program with TERN__FACTORS (base/factor.h), where the switches are; in
 * the library they are constants. One thread drives client and server (rpc_solo.h). Rounds with and without alternate;
 * reported are medians. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/factor.h"
#include "common.h"
#include "rpc_solo.h"
#include "rpc_trace.h"

enum { MAX_ROUNDS = 101, SESSIONS = 8, WINDOW = 60, BATCH = 3 };

unsigned tern__factors_off;

static const struct factor {
    const char *name;
    unsigned off; /* a mask */
    tern_congestion congestion;
} factors[] = {
    {"short_way", 1u << TERN__FACTOR_SHORT_WAY, TERN_CC_DEFAULT},
    {"batched_time", 1u << TERN__FACTOR_TIME, TERN_CC_DEFAULT},
    {"memory_reuse", 1u << TERN__FACTOR_REUSE, TERN_CC_DEFAULT},
    {"in_place_requests", 1u << TERN__FACTOR_IN_PLACE, TERN_CC_DEFAULT},
    {"shared_lines", 1u << TERN__FACTOR_RUNS, TERN_CC_DEFAULT},
    {"coalescing", 1u << TERN__FACTOR_COALESCING, TERN_CC_DEFAULT},
    {"congestion_bypass", 1u << TERN__FACTOR_BYPASS, TERN_CC_DEFAULT},
    {"congestion_control", 0, TERN_CC_NONE},
    {"any", (1u << TERN__FACTOR_AT_ONCE) - 1, TERN_CC_DEFAULT},
};

/* Links that lose nothing have no use for the exact time, nor for congestion control. */
static bool concerns(const struct factor *f, bool udp) {
    static const unsigned udp_only =
        1u << TERN__FACTOR_COALESCING | 1u << TERN__FACTOR_TIME | 1u << TERN__FACTOR_BYPASS;
    return udp ? f->off != 1u << TERN__FACTOR_RUNS : (f->off & ~udp_only) != 0;
}

typedef struct options {
    unsigned rounds;
    uint64_t round_ns;
} options;

/* Switches are set before the endpoints exist, and again before each of their rounds. */
static bool measure(const options *o, bench_report *report, const char *port, const struct factor *f,
                    const char *const address[2]) {
    static solo with, without;
    static double rate_with[MAX_ROUNDS], rate_without[MAX_ROUNDS];
    char name[64];
    tern__factors_off = 0;
    solo_open(&with, address[0], SESSIONS, WINDOW, TERN_CC_DEFAULT);
    tern__factors_off = f->off;
    solo_open(&without, address[1], SESSIONS, WINDOW, f->congestion);
    for (unsigned i = 0; i < o->rounds; i++) {
        tern__factors_off = 0;
        rate_with[i] = solo_rate(&with, BATCH, o->round_ns);
        tern__factors_off = f->off;
        rate_without[i] = solo_rate(&without, BATCH, o->round_ns);
    }
    bool ok = with.n_bad + without.n_bad == 0;
    solo_close(&without);
    tern__factors_off = 0;
    solo_close(&with);
    snprintf(name, sizeof name, "%s_without_%s", port, f->name);
    bench_report_row(report, name, bench_median(rate_without, o->rounds), "calls/s", bench_median(rate_with, o->rounds),
                     "with all");
    return ok;
}

int main(int argc, char **argv) {
    bench_args args = bench_args_begin(argc, argv, "what each optimization of the common case is worth");
    options o = {.rounds = (unsigned)bench_arg_u64(&args, "--rounds", 7, "rounds with and without, alternating"),
                 .round_ns = bench_arg_u64(&args, "--round-ms", 50, "length of a round, processor time") * 1000000};
    const char *only = bench_arg_str(&args, "--only", "", "only ports whose name contains this: shm, udp");
    rpc_trace_arg(&args);
    bool json = bench_arg_flag(&args, "--json", "print the report as the last line, as JSON");
    if (bench_args_end(&args)) return 2;
    if (o.rounds < 1 || o.rounds > MAX_ROUNDS) {
        fprintf(stderr, "these numbers make no sense\n");
        return 2;
    }
    bench_report *report = bench_report_new("rpc_factor");
    if (!report) return 1;
    char paths[2][64];
    for (int i = 0; i < 2; i++) snprintf(paths[i], sizeof paths[i], "shm:///tmp/tern-factor-%d-%d", (int)getpid(), i);
    bool ok = true;
    for (int udp = 0; udp < 2; udp++) {
        const char *port = udp ? "udp" : "shm", *anywhere = "udp://127.0.0.1:0";
        const char *const address[2] = {udp ? anywhere : paths[0], udp ? anywhere : paths[1]};
        for (size_t i = 0; strstr(port, only) && i < sizeof factors / sizeof *factors; i++)
            if (concerns(&factors[i], udp)) ok &= measure(&o, report, port, &factors[i], address);
    }
    for (int i = 0; i < 2; i++) unlink(paths[i] + strlen("shm://"));
    if (!ok) fprintf(stderr, "calls failed\n");
    return bench_report_print(report, json) && ok ? 0 : 1;
}
