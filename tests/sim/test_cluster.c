/* Random lives of clusters (model.h). By default a thousand seeds. `--seeds N` and `--from N` choose others,
 * `--seal on` and `--seal off` live all of them with sealed sessions or with none (else the seed decides),
 * `--seconds N` goes on until the time is up (a soak), `--failures N` ends it after so many seeds that fail (5), and
 * `--seed N` lives one of them and tells it step by step; `--trace --seed N` also prints the engines' last events when
 * it fails. */
#include <time.h>

#include "model.h"

#include "tap.h"

enum { USUAL_SEEDS = 1000 };

static const char *program;
static uint64_t first_seed = 1, n_seeds = USUAL_SEEDS;
static uint64_t n_failures, max_failures = 5;
static double seconds; /* 0: n_seeds count */
static model_totals totals;
static bool is_default = true, is_traced;
static unsigned seal; /* MODEL_SEAL, MODEL_NO_SEAL or 0 */

static double clock_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void print_totals(void) {
    printf("# %" PRIu64 " seeds, %" PRIu64 " calls: %" PRIu64 " ok, %" PRIu64 " app errors, %" PRIu64
           " deadlines, %" PRIu64 " unavailable, %" PRIu64 " exhausted, %" PRIu64 " forgotten; %" PRIu64
           " refused, %" PRIu64 " nested\n",
           n_seeds, totals.calls, totals.ok, totals.app_errors, totals.deadlines, totals.unavailable, totals.exhausted,
           totals.forgotten, totals.refused, totals.nested);
    printf("# %" PRIu64 " packets, %" PRIu64 " retransmits, %" PRIu64 " refused by links, %" PRIu64 " forged, %" PRIu64
           " multi-packet requests, %" PRIu64 " in-place values, %" PRIu64 " messages in a format of their own\n",
           totals.packets, totals.retransmits, totals.tx_refused, totals.forged, totals.multi_packet,
           totals.inplace_values, totals.dumped);
    printf("# %" PRIu64 " kills, %" PRIu64 " suspensions, %" PRIu64 " cuts, %" PRIu64 " one way, %" PRIu64
           " of long packets, %" PRIu64 " closes, %" PRIu64 " gone, %" PRIu64 " with no session to spare\n",
           totals.kills, totals.stops, totals.cuts, totals.one_way_cuts, totals.narrows, totals.closes, totals.gone,
           totals.crowded);
    printf("# %" PRIu64 " drains; %" PRIu64 " cancelled; %" PRIu64 " streaming calls, %" PRIu64
           " of them whole, %" PRIu64 " bytes, %" PRIu64 " and %" PRIu64 " blocks of metadata\n",
           totals.drains, totals.cancelled, totals.flows, totals.flows_whole, totals.flow_bytes, totals.flow_blocks,
           totals.flow_end_blocks);
    printf("# %" PRIu64 " lives with a bound of calls: %" PRIu64 " rejected, %" PRIu64 " held back; %" PRIu64
           " calls that have not run\n",
           totals.bounded, totals.rejected, totals.held_back, totals.has_not_run);
    printf("# %" PRIu64 " packets in lines, %" PRIu64 " received so, %" PRIu64 " in equal runs; %" PRIu64 " in %" PRIu64
           " runs, %" PRIu64 " of them in a crowd; %" PRIu64 " credits delayed; %" PRIu64 " messages directly; %" PRIu64
           " requests put off\n",
           totals.lines_packets, totals.lines_rx_packets, totals.equal_packets, totals.run_packets, totals.runs,
           totals.crowd_runs, totals.delayed, totals.directs, totals.put_off);
    printf("# %" PRIu64 " answers with more than a body, %" PRIu64 " of them errors with metadata\n", totals.answers,
           totals.error_blocks);
    printf("# %" PRIu64 " messages borrowed, %" PRIu64 " values kept, %" PRIu64 " times taken back, %" PRIu64
           " times too early\n",
           totals.lent, totals.kept, totals.kept_expired, totals.outlived);
    printf("# %" PRIu64 " lives with sealed sessions: %" PRIu64 " packets sealed, %" PRIu64 " opened, %" PRIu64
           " not, %" PRIu64 " replayed; %" PRIu64 " new keys; %" PRIu64 " of them forged, %" PRIu64 " REFUSEs\n",
           totals.sealed_lives, totals.sealed, totals.opened, totals.unopened, totals.replayed, totals.key_phases,
           totals.sealed_forged, totals.doubts);
}

/* Of a seed that failed without a trace. */
static void print_events_of(uint64_t seed) {
    model_totals again = {0};
    char error[256];
    if (model_run(seed, MODEL_TRACE | seal, &again, error, sizeof error))
        printf("# seed %" PRIu64 ": with a trace, and so without the short ways, all is well\n", seed);
    else
        printf("# seed %" PRIu64 ", with a trace: %s\n", seed, error);
}

static void live(uint64_t seed) {
    char error[256];
    if (model_run(seed, seal, &totals, error, sizeof error)) return;
    const char *forced = seal == MODEL_SEAL ? "--seal on " : seal ? "--seal off " : "";
    printf("# seed %" PRIu64 ": %s\n# replay: %s %s--seed %" PRIu64 "\n", seed, error, program, forced, seed);
    if (seed % MODEL_TRACED_SEED) print_events_of(seed);
    tap_failed = true;
    n_failures++;
}

static void cluster__keeps_its_promises_whatever_happens(void) {
    double end = clock_s() + seconds;
    uint64_t n = 0;
    for (; n_failures < max_failures && (seconds > 0 ? clock_s() < end : n < n_seeds); n++) live(first_seed + n);
    n_seeds = n;
    if (!is_default) printf("# seeds %" PRIu64 " to %" PRIu64 "\n", first_seed, first_seed + n - 1);
    print_totals();
    CHECK_OK();
    if (!is_default) return;
    CHECK(totals.ok > 1000);
    CHECK(totals.app_errors > 0);
    CHECK(totals.deadlines > 0);
    CHECK(totals.unavailable > 0);
    CHECK(totals.refused > 0);
    CHECK(totals.gone > 0);
    CHECK(totals.retransmits > 0);
    CHECK(totals.forged > 1000);
    CHECK(totals.multi_packet > 100);
    CHECK(totals.inplace_values > 100);
    CHECK(totals.dumped > 100);
    CHECK(totals.nested > 100);
    CHECK(totals.stops > 100);
    CHECK(totals.one_way_cuts > 10);
    CHECK(totals.narrows > 10);
    CHECK(totals.crowded > 10);
    CHECK(totals.tx_refused > 1000);
    CHECK(totals.drains > 50);
    CHECK(totals.cancelled > 100);
    CHECK(totals.flows_whole > 1000);
    CHECK(totals.flow_blocks > 300 && totals.flow_end_blocks > 300);
    CHECK(totals.lines_packets > 1000);
    CHECK(totals.lines_rx_packets > 10000);
    CHECK(totals.directs > 500);
    CHECK(totals.equal_packets > 300);
    CHECK(totals.runs > 10000);
    CHECK(totals.run_packets > 2 * totals.runs);
    CHECK(totals.crowd_runs > 5000);
    CHECK(totals.delayed > 1000);
    CHECK(totals.put_off > 1000);
    CHECK(totals.answers > 1000);
    CHECK(totals.error_blocks > 100);
    CHECK(totals.lent > 300 && totals.kept > 1000 && totals.kept_expired > 30 && totals.outlived > 10);
    CHECK(totals.bounded > 20);
    CHECK(totals.rejected > 100);
    CHECK(totals.held_back > 100);
    CHECK(totals.has_not_run > 100);
    CHECK(totals.sealed_lives > n_seeds / 10 && totals.sealed_lives < n_seeds / 4);
    CHECK(totals.opened > 100000);
    CHECK(totals.key_phases > 1000);
    CHECK(totals.replayed > 1000);
    CHECK(totals.unopened > 100);
    CHECK(totals.sealed_forged > 1000);
    CHECK(totals.doubts > 100);
}

static void cluster__same_seed_same_bytes(void) {
    for (uint64_t seed = 1; seed <= 5; seed++) {
        model_totals a = {0}, b = {0};
        char error[256];
        CHECK(model_run(seed, 0, &a, error, sizeof error));
        CHECK(model_run(seed, 0, &b, error, sizeof error));
        CHECK(a.hash == b.hash);
        CHECK_EQ(a.steps, b.steps);
    }
}

/* Lives that were taken for hung: 1.7 MB at the smallest window, since what a path reorders looks like a queue; streams
 * with one credit, where two of three round trips are lost; 2 MB where one packet in four is; and
 * one in which a packet of a stream that was sent again said that it was the last, and was not. */
static void cluster__however_slow_its_calls_end(void) {
    static const uint64_t seeds[] = {1795285636649, 1795285637130, 26455000649, 700475};
    for (uint32_t i = 0; i < TERN__COUNT(seeds); i++) {
        model_totals slow = {0};
        char error[256] = "";
        if (!model_run(seeds[i], 0, &slow, error, sizeof error)) printf("# %s\n", error);
        CHECK(!error[0]);
        CHECK_EQ(slow.unavailable, 0);
    }
}

static int replay(uint64_t seed) {
    char error[256];
    bool ok = model_run(seed, MODEL_SAY | seal | (is_traced ? MODEL_TRACE : 0), &totals, error, sizeof error);
    n_seeds = 1;
    print_totals();
    if (!ok) printf("# seed %" PRIu64 ": %s\n", seed, error);
    return ok ? 0 : 1;
}

/* Takes an option and its value. */
static bool take_option(const char *name, const char *value) {
    if (strcmp(name, "--seeds") == 0)
        n_seeds = strtoull(value, NULL, 10);
    else if (strcmp(name, "--from") == 0)
        first_seed = strtoull(value, NULL, 10);
    else if (strcmp(name, "--failures") == 0)
        max_failures = strtoull(value, NULL, 10);
    else if (strcmp(name, "--seal") == 0 && model_seal_option(value) >= 0)
        seal = (unsigned)model_seal_option(value);
    else if (strcmp(name, "--seconds") == 0)
        seconds = strtod(value, NULL);
    else
        return false;
    is_default = false;
    return true;
}

int main(int argc, char **argv) {
    int n_names = 1;
    program = argv[0];
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--trace") == 0) {
            is_traced = true;
            continue;
        }
        if (i + 1 < argc && strcmp(argv[i], "--seed") == 0) return replay(strtoull(argv[i + 1], NULL, 10));
        if (i + 1 < argc && take_option(argv[i], argv[i + 1]))
            i++;
        else
            argv[n_names++] = argv[i];
    }
    static const tap_test tests[] = {TEST(cluster__keeps_its_promises_whatever_happens),
                                     TEST(cluster__same_seed_same_bytes), TEST(cluster__however_slow_its_calls_end)};
    return tap_run(tests, sizeof tests / sizeof *tests, n_names, argv);
}
