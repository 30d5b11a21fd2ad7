/* Many clients send large requests to one server at once: how full is its link, and how long are the queues? The
 * experiment of eRPC section 6.5 in the simulator: 25 GbE, 6 us from end to end and back, one switch with 12 MB for all
 * its ports, requests of 8 MB, one client per node. Round trips are those of single packets, as the clients measure
 * them for their congestion control; time is virtual, so that numbers depend on nothing but the seed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "sim_net.h"
#include "tern/mem.h"

enum {
    VICTIM = 0,
    N_PEERS = 8, /* that a node's background calls go to, in turn */
    REQUEST_BYTES = 8 << 20,
    SMALL_BYTES = 32,
    BACKGROUND_BYTES = 64 << 10,
    METHOD_INCAST = 1,
    METHOD_BACKGROUND = 2,
    BIN_NS = 100,
    N_BINS = 100000,
};

typedef struct options {
    uint64_t seed;
    tern_dur warm, measured;
    unsigned max_packet, credits;
    uint64_t mark_bytes;
    const char *cc;
} options;

typedef struct histogram {
    uint64_t n, bins[N_BINS];
} histogram;

static void record(histogram *h, tern_dur ns) {
    uint64_t bin = (uint64_t)ns / BIN_NS;
    h->bins[bin < N_BINS ? bin : N_BINS - 1]++;
    h->n++;
}

/* In us. */
static double percentile(const histogram *h, double percent) {
    uint64_t seen = 0;
    for (uint32_t i = 0; i < N_BINS; i++) {
        seen += h->bins[i];
        if (h->n > 0 && (double)seen >= percent / 100 * (double)h->n) return (i + 1) * (BIN_NS / 1e3);
    }
    return 0;
}

typedef struct incast incast;

/* Somebody who makes one call after another. */
typedef struct caller {
    incast *run;
    uint32_t node;
    tern__csession *sessions[N_PEERS];
    uint32_t n_sessions, next;
    uint32_t method;
    tern_time started;
} caller;

struct incast {
    sim_net net;
    caller *callers;
    uint32_t n_callers;
    uint8_t *data;                /* what every large message is */
    uint64_t n_failed, n_packets; /* packets: of requests, at the victim */
    bool measuring;
};

typedef struct outcome {
    double gbps, rtt_p50, rtt_p99, background_p50, background_p99, peak_kb;
    uint64_t drops, retransmits, n_background;
} outcome;

/* ---- Measuring: a congestion control that watches another ----------------------------------------- */

static histogram rtts, background;
static bool measuring, counted;
static const tern__cc_ops *watched;

static void note(tern_dur rtt) {
    if (measuring && !counted && rtt >= 0) record(&rtts, rtt);
}

/* A session's first congested round trip is shown to is_calm and to ack. */
static bool watch_is_calm(const tern__cc_path *path, const tern__cc_ack *ack) {
    note(ack->rtt);
    counted = !watched->is_calm(path, ack);
    return !counted;
}

static bool watch_on_ack(tern__cc *cc, const tern__cc_ack *ack) {
    note(ack->rtt);
    counted = false;
    return watched->on_ack(cc, ack);
}

/* All else is the watched one's own. */
static const tern__cc_ops *watch(const tern__cc_ops *ops) {
    static tern__cc_ops watcher;
    watched = ops;
    watcher = *ops;
    watcher.is_calm = watch_is_calm;
    watcher.on_ack = watch_on_ack;
    return &watcher;
}

/* ---- Calls ---------------------------------------------------------------------------------------- */

static incast *run_of(void *user) { return ((sim_node *)user)->net->user; }

static void call(caller *c) {
    incast *run = c->run;
    uint32_t bytes = c->method == METHOD_INCAST ? REQUEST_BYTES : BACKGROUND_BYTES;
    tern__body body = {.data = run->data, .len = bytes};
    c->started = sim_net_now(&run->net);
    c->next = (c->next + 1) % c->n_sessions;
    if (tern__engine_request(c->sessions[c->next], c->method, &body, 0, c, c->started) != 0) run->n_failed++;
}

static void on_done(void *user, void *call_ptr, int status, const tern__arrived *msg) {
    caller *c = call_ptr;
    uint32_t expected = c->method == METHOD_INCAST ? SMALL_BYTES : BACKGROUND_BYTES;
    (void)user;
    if (status != TERN_STATUS_OK || msg->len != expected) {
        c->run->n_failed++;
        return;
    }
    if (c->run->measuring && c->method == METHOD_BACKGROUND)
        record(&background, (tern_dur)(sim_net_now(&c->run->net) - c->started));
    call(c);
}

static void on_request(void *user, tern__request *served, uint32_t method, const tern__arrived *msg) {
    incast *run = run_of(user);
    (void)msg;
    tern__body body = {.data = run->data, .len = method == METHOD_INCAST ? SMALL_BYTES : BACKGROUND_BYTES};
    if (tern__engine_respond(served, TERN_STATUS_OK, &body, sim_net_now(&run->net)) != 0) run->n_failed++;
}

static void on_gone(void *user, tern__request *served) { (void)user, (void)served; }

static void on_session(void *user, tern__csession *session, void *session_user, tern__session_event event) {
    (void)session, (void)session_user;
    if (event != TERN__SESSION_UP) run_of(user)->n_failed++;
}

static void count_packets(void *ctx, const tern__sim_seen *seen) {
    incast *run = ctx;
    run->n_packets += seen->fate == TERN__SIM_DELIVERED && seen->dst == VICTIM && seen->bytes > 512;
}

/* ---- A run ---------------------------------------------------------------------------------------- */

static bool set_up(incast *run, const options *o, unsigned ways, const tern__cc_ops *cc) {
    tern__sim_nic nic = {.rate_bps = 25000000000u};
    tern__sim_config sim = {.n_nodes = ways + 1,
                            .uplink = nic,
                            .downlink = nic,
                            .path = {.delay = 2650},
                            .max_packet = o->max_packet,
                            .threshold = 512,
                            .switch_buffer_bytes = 12 << 20,
                            .ecn = cc->wants_marks,
                            .mark_bytes = o->mark_bytes};
    tern__engine_config engine = {
        .callbacks = {.on_request = on_request, .on_gone = on_gone, .on_done = on_done, .on_session = on_session},
        .credits = o->credits,
        .max_rx_bytes = UINT64_MAX / 2,
        .cc = watch(cc)};
    memset(&rtts, 0, sizeof rtts);
    memset(&background, 0, sizeof background);
    run->data = tern_alloc(REQUEST_BYTES);
    run->callers = calloc(2 * (size_t)ways, sizeof *run->callers);
    if (run->data == NULL || run->callers == NULL || sim_net_new(&run->net, o->seed, &sim, &engine, run) != 0)
        return false;
    memset(run->data, 7, REQUEST_BYTES);
    tern__sim_watch(run->net.sim, count_packets, run);
    return true;
}

static void add_callers(incast *run, unsigned ways, bool with_background) {
    for (uint32_t i = 1; i <= ways; i++) {
        caller *c = &run->callers[run->n_callers++];
        *c = (caller){.run = run, .node = i, .method = METHOD_INCAST, .n_sessions = 1};
        c->sessions[0] = sim_net_connect(&run->net, i, VICTIM, NULL);
    }
    for (uint32_t i = 1; with_background && i <= ways; i++) {
        caller *c = &run->callers[run->n_callers++];
        *c = (caller){.run = run, .node = i, .method = METHOD_BACKGROUND, .n_sessions = N_PEERS};
        for (uint32_t k = 0; k < N_PEERS; k++) {
            uint32_t peer = 1 + (uint32_t)(bench_random(&run->net.random) % (ways - 1));
            c->sessions[k] = sim_net_connect(&run->net, i, peer < i ? peer : peer + 1, NULL);
        }
    }
}

static outcome result_of(incast *run, const options *o, uint64_t n_packets) {
    tern__sim_stats sim;
    outcome out = {.rtt_p50 = percentile(&rtts, 50),
                   .rtt_p99 = percentile(&rtts, 99),
                   .background_p50 = percentile(&background, 50),
                   .background_p99 = percentile(&background, 99),
                   .n_background = background.n};
    tern__sim_get_stats(run->net.sim, &sim);
    out.drops = sim.queue_drops;
    out.peak_kb = (double)sim.switch_peak / 1e3;
    for (uint32_t i = 0; i < run->net.n_nodes; i++) {
        tern__engine_stats stats;
        tern__engine_get_stats(run->net.nodes[i].engine, &stats);
        tern__engine_add_sent(&stats, &run->net.nodes[i].port->link);
        out.retransmits += stats.retransmits;
    }
    out.gbps = (double)n_packets * (o->max_packet - TERN__PKT_MAX_HEADER_BYTES) * 8 / (double)o->measured;
    return out;
}

/* Packets that the victim had already do not count. */
static uint64_t useful_packets(incast *run) {
    tern__engine_stats stats;
    tern__engine_get_stats(run->net.nodes[VICTIM].engine, &stats);
    tern__engine_add_sent(&stats, &run->net.nodes[VICTIM].port->link);
    return run->n_packets - stats.rx_dropped;
}

static outcome run_once(const options *o, unsigned ways, const tern__cc_ops *cc, bool with_background) {
    static incast run;
    memset(&run, 0, sizeof run);
    measuring = false;
    if (!set_up(&run, o, ways, cc)) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    add_callers(&run, ways, with_background);
    sim_net_run(&run.net, sim_net_now(&run.net) + (tern_time)TERN_MS, NULL);
    for (uint32_t i = 0; i < run.n_callers; i++) {
        call(&run.callers[i]);
        sim_net_flush(&run.net, run.callers[i].node);
    }
    sim_net_run(&run.net, sim_net_now(&run.net) + (tern_time)o->warm, NULL);
    uint64_t before = useful_packets(&run);
    measuring = run.measuring = true;
    sim_net_run(&run.net, sim_net_now(&run.net) + (tern_time)o->measured, NULL);
    measuring = run.measuring = false;
    outcome out = result_of(&run, o, useful_packets(&run) - before);
    if (run.n_failed > 0) {
        fprintf(stderr, "%llu calls failed\n", (unsigned long long)run.n_failed);
        exit(1);
    }
    sim_net_free(&run.net);
    tern_unref(run.data);
    free(run.callers);
    return out;
}

/* ---- */

static const tern__cc_ops *cc_named(const char *name) {
    static const tern__cc_ops *const all[] = {&tern__cc_none, &tern__cc_timely, &tern__cc_swift, &tern__cc_dctcp};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(all[i]->name, name) == 0) return all[i];
    return NULL;
}

static void report_ways(bench_report *report, const options *o, unsigned ways) {
    char name[32];
    outcome none = run_once(o, ways, &tern__cc_none, false), with = run_once(o, ways, cc_named(o->cc), false);
    snprintf(name, sizeof name, "goodput_%u", ways);
    bench_report_row(report, name, with.gbps, "Gbit/s", none.gbps, "no control");
    snprintf(name, sizeof name, "rtt_p50_%u", ways);
    bench_report_row(report, name, with.rtt_p50, "us", none.rtt_p50, "no control");
    snprintf(name, sizeof name, "rtt_p99_%u", ways);
    bench_report_row(report, name, with.rtt_p99, "us", none.rtt_p99, "no control");
    snprintf(name, sizeof name, "drops_%u", ways);
    bench_report_row(report, name, (double)with.drops, "packets", 0, NULL);
    bench_report_note(report,
                      "%u-way: at most %.0f KB queued at the switch, %.0f KB without control; %llu retransmissions",
                      ways, with.peak_kb, none.peak_kb, (unsigned long long)with.retransmits);
}

static void report_background(bench_report *report, const options *o, unsigned ways) {
    options shorter = *o; /* its packets are many */
    shorter.warm /= 2;
    shorter.measured /= 2;
    outcome with = run_once(&shorter, ways, cc_named(o->cc), true);
    bench_report_row(report, "background_p50", with.background_p50, "us", 0, NULL);
    bench_report_row(report, "background_p99", with.background_p99, "us", 0, NULL);
    bench_report_note(report,
                      "background: %llu calls of 64 KB each way during a %u-way incast of %.1f Gbit/s, p99 round "
                      "trip %.0f us, %llu drops",
                      (unsigned long long)with.n_background, ways, with.gbps, with.rtt_p99,
                      (unsigned long long)with.drops);
}

int main(int argc, char **argv) {
    bench_args args = bench_args_begin(argc, argv, "goodput and round trips under incast, in the simulator");
    options o = {.seed = bench_arg_u64(&args, "--seed", 1, "of the simulation")};
    o.warm = (tern_dur)bench_arg_u64(&args, "--warm-ms", 10, "virtual time before the measurement") * TERN_MS;
    o.measured = (tern_dur)bench_arg_u64(&args, "--ms", 20, "virtual time measured") * TERN_MS;
    o.max_packet = (unsigned)bench_arg_u64(&args, "--packet", 1060, "bytes of a packet");
    o.credits = (unsigned)bench_arg_u64(&args, "--credits", 32, "packets in flight per session");
    o.cc = bench_arg_str(&args, "--cc", "swift", "none, timely, swift or dctcp");
    o.mark_bytes = bench_arg_u64(&args, "--mark-kb", 20, "waiting at a port, from which the switch marks: for dctcp")
                   << 10;
    unsigned only = (unsigned)bench_arg_u64(&args, "--ways", 0, "only this many clients");
    bool skip_background = bench_arg_flag(&args, "--no-background", "leave the background calls out");
    bool json = bench_arg_flag(&args, "--json", "print the report as the last line, as JSON");
    if (bench_args_end(&args)) return 2;
    if (cc_named(o.cc) == NULL || o.max_packet < 512 || o.max_packet > 9000 || o.credits < 1 || o.credits > 64 ||
        o.measured <= 0 || only > 1000 || only == 1) {
        fprintf(stderr, "these options make no sense\n");
        return 2;
    }
    bench_report *report = bench_report_new("sim_incast");
    if (report == NULL) return 1;
    static const unsigned ways[] = {20, 50, 100};
    for (size_t i = 0; i < 3 && only == 0; i++) report_ways(report, &o, ways[i]);
    if (only > 0) report_ways(report, &o, only);
    if (!skip_background) report_background(report, &o, only > 0 ? only : 100);
    return bench_report_print(report, json) ? 0 : 1;
}
