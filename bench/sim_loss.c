/* How much of the bandwidth is left when packets get lost at random? Requests of 8 MB, one at a time, over 100 Gbit/s
 * and 6 us from end to end and back (eRPC section 6.4, table 4), in the simulator: time is virtual, so that numbers
 * depend on nothing but the seed. Packets carry 4 KB, as on the paper's InfiniBand, so that 32 credits cover the
 * path. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "sim_net.h"
#include "tern/mem.h"

enum { CLIENT, SERVER, REQUEST_BYTES = 8 << 20, SMALL_BYTES = 32, N_WARM = 2 };

typedef struct options {
    uint64_t seed;
    unsigned max_packet, credits, n_messages;
    const tern__cc_ops *cc;
} options;

typedef struct transfer {
    sim_net net;
    tern__csession *session;
    uint8_t *data;
    unsigned n_done, n_failed, n_wanted;
    tern_time warm_at;
    bool finished;
} transfer;

static void send_one(transfer *t) {
    tern__body body = {.data = t->data, .len = REQUEST_BYTES};
    if (tern__engine_request(t->session, 1, &body, 0, t, sim_net_now(&t->net)) == 0) return;
    t->n_failed++;
    t->finished = true;
}

static void on_done(void *user, void *call, int status, const tern__arrived *msg) {
    transfer *t = call;
    (void)user;
    if (status != TERN_STATUS_OK || msg->len != SMALL_BYTES) {
        t->n_failed++;
        t->finished = true;
        return;
    }
    if (++t->n_done == N_WARM) t->warm_at = sim_net_now(&t->net);
    if (t->n_done < t->n_wanted)
        send_one(t);
    else
        t->finished = true;
}

static void on_request(void *user, tern__request *served, uint32_t method, const tern__arrived *msg) {
    transfer *t = ((sim_node *)user)->net->user;
    (void)method;
    if (msg->len != REQUEST_BYTES || memcmp(msg->data, t->data, REQUEST_BYTES) != 0) t->n_failed++;
    tern__body body = {.data = t->data, .len = SMALL_BYTES};
    if (tern__engine_respond(served, TERN_STATUS_OK, &body, sim_net_now(&t->net)) != 0) t->n_failed++;
}

static void on_gone(void *user, tern__request *served) { (void)user, (void)served; }

static void on_session(void *user, tern__csession *session, void *session_user, tern__session_event event) {
    (void)user, (void)session, (void)session_user, (void)event;
}

/* In Gbit/s. */
static double run_once(const options *o, double loss, tern__engine_stats *stats) {
    tern__sim_nic nic = {.rate_bps = 100000000000u};
    tern__sim_config sim = {.n_nodes = 2,
                            .uplink = nic,
                            .downlink = nic,
                            .path = {.delay = 2650, .loss = loss},
                            .max_packet = o->max_packet,
                            .threshold = 512,
                            .switch_buffer_bytes = 12 << 20};
    tern__engine_config engine = {
        .callbacks = {.on_request = on_request, .on_gone = on_gone, .on_done = on_done, .on_session = on_session},
        .credits = o->credits,
        .max_backlog = 8,
        .cc = o->cc};
    transfer t = {.n_wanted = N_WARM + o->n_messages, .data = tern_alloc(REQUEST_BYTES)};
    if (t.data == NULL || sim_net_new(&t.net, o->seed, &sim, &engine, &t) != 0) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    memset(t.data, 7, REQUEST_BYTES);
    t.session = sim_net_connect(&t.net, CLIENT, SERVER, NULL);
    send_one(&t);
    sim_net_flush(&t.net, CLIENT);
    sim_net_run(&t.net, UINT64_MAX / 2, &t.finished);
    double elapsed = (double)(sim_net_now(&t.net) - t.warm_at);
    tern__engine_get_stats(t.net.nodes[CLIENT].engine, stats);
    tern__engine_add_sent(stats, &t.net.nodes[CLIENT].port->link);
    sim_net_free(&t.net);
    tern_unref(t.data);
    if (t.n_failed > 0) {
        fprintf(stderr, "%u calls failed\n", t.n_failed);
        exit(1);
    }
    return (double)o->n_messages * REQUEST_BYTES * 8 / elapsed;
}

static const tern__cc_ops *cc_named(const char *name) {
    static const tern__cc_ops *const all[] = {&tern__cc_none, &tern__cc_timely, &tern__cc_swift};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(all[i]->name, name) == 0) return all[i];
    return NULL;
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        double loss;
    } rows[] = {
        {"loss_1e-7", 1e-7}, {"loss_1e-6", 1e-6}, {"loss_1e-5", 1e-5}, {"loss_1e-4", 1e-4}, {"loss_1e-3", 1e-3}};
    bench_args args =
        bench_args_begin(argc, argv, "bandwidth of 8 MB requests when packets get lost, in the simulator");
    options o = {.seed = bench_arg_u64(&args, "--seed", 1, "of the simulation")};
    o.n_messages = (unsigned)bench_arg_u64(&args, "--messages", 40, "requests per loss rate");
    o.max_packet = (unsigned)bench_arg_u64(&args, "--packet", 4132, "bytes of a packet");
    o.credits = (unsigned)bench_arg_u64(&args, "--credits", 32, "packets in flight per session");
    const char *cc = bench_arg_str(&args, "--cc", "swift", "none, timely or swift");
    bool json = bench_arg_flag(&args, "--json", "print the report as the last line, as JSON");
    if (bench_args_end(&args)) return 2;
    o.cc = cc_named(cc);
    if (o.cc == NULL || o.max_packet < 512 || o.max_packet > 9000 || o.credits < 1 || o.credits > 64 ||
        o.n_messages == 0) {
        fprintf(stderr, "these options make no sense\n");
        return 2;
    }
    bench_report *report = bench_report_new("sim_loss");
    if (report == NULL) return 1;
    tern__engine_stats stats;
    double lossless = run_once(&o, 0, &stats);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bench_report_row(report, rows[i].name, run_once(&o, rows[i].loss, &stats), "Gbit/s", lossless, "lossless");
        bench_report_note(report, "%s: %llu packets sent again, %llu tail probes", rows[i].name,
                          (unsigned long long)stats.retransmits, (unsigned long long)stats.tail_probes);
    }
    return bench_report_print(report, json) ? 0 : 1;
}
