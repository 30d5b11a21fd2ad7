/* How many small RPCs per second does one core issue and another serve, next to a raw echo with as many messages
 * in flight? 32 bytes each way, 60 calls in flight on 8 sessions, issued in batches of 3 (the shape of eRPC
 * section 6.3). Rounds of floor and tern alternate; reported are medians over rounds.
 *
 * --open RATE asks another question: with calls arriving at RATE per second whatever becomes of them, spread over
 * any number of sessions, how long does one take? Counted from when it was due, so that waiting is not
 * forgiven. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "rpc_log.h"
#include "rpc_pair.h"
#include "rpc_trace.h"

enum { MAX_ROUNDS = 101, MAX_SESSIONS = 20000, MAX_SAMPLES = 1 << 20, CLOCK_EVERY = 32 };

typedef struct options {
    unsigned sessions, window, batch, rounds;
    uint64_t round_ns;
    double open_rate; /* 0: closed loop */
    const char *only; /* part of the names of the transports wanted */
} options;

typedef struct load load;

/* A call, in flight or to be made. */
typedef struct ticket {
    load *load;
    tern_session *session;
    uint64_t due; /* open loop: when the call should have started */
} ticket;

/* The client's side of one transport. Of the tickets that are not in flight, the one that came back last is the first
 * to go: its session then has a free slot. */
struct load {
    const options *opts;
    pair *pair;
    pair_phase phase;
    tern_endpoint *ep;
    tern_session **sessions;
    ticket *tickets, **free;
    unsigned n_tickets, n_free;
    uint64_t n_issued, n_bad, n_late; /* n_late: not answered within 5 s */
    int why;                          /* of the first bad one: a status, or what its start returned */
    double *samples;                  /* open loop: latencies, ns */
    size_t n_samples;
    uint64_t sample_from;
};

static void note_bad(load *l, int why) {
    if (l->n_bad++ == 0) l->why = why;
}

static void on_done(void *user, int status, const void *response) {
    ticket *t = user;
    load *l = t->load;
    const tern_bytes *bytes = response;
    if (status != TERN_STATUS_OK || bytes->len != FLOOR_PAYLOAD) note_bad(l, status);
    l->free[l->n_free++] = t;
}

static void on_sampled(void *user, int status, const void *response) {
    ticket *t = user;
    load *l = t->load;
    if (t->due >= l->sample_from && l->n_samples < MAX_SAMPLES)
        l->samples[l->n_samples++] = (double)(bench_now_ns() - t->due);
    on_done(user, status, response);
}

static inline void issue(load *l, ticket *t, tern_done_fn *done) {
    static const uint8_t payload[FLOOR_PAYLOAD] = {7};
    int err = tern_call_start_raw(t->session, PAIR_METHOD, tern_bytes_of(payload, FLOOR_PAYLOAD), NULL, done, t);
    if (err == 0) return;
    note_bad(l, err);
    l->free[l->n_free++] = t;
}

static uint64_t n_done(const load *l) { return l->n_issued - (l->n_tickets - l->n_free); }

static bool open_load(load *l, const char *address, unsigned n_tickets) {
    l->n_tickets = l->n_free = n_tickets;
    l->tickets = calloc(n_tickets, sizeof *l->tickets);
    l->free = calloc(n_tickets, sizeof(ticket *));
    l->sessions = calloc(l->opts->sessions, sizeof *l->sessions);
    if (l->tickets == NULL || l->free == NULL || l->sessions == NULL) return false;
    pair_begin(l->pair, l->phase);
    l->ep = pair_connect(address, l->sessions, l->opts->sessions);
    pair_end(l->pair);
    for (unsigned i = 0; i < n_tickets; i++) {
        l->tickets[i] = (ticket){.load = l, .session = l->sessions[i % l->opts->sessions]};
        l->free[i] = &l->tickets[i];
    }
    return true;
}

static void close_load(load *l) {
    pair_begin(l->pair, l->phase);
    tern_endpoint_free(l->ep);
    pair_end(l->pair);
    free(l->tickets);
    free(l->free);
    free(l->sessions);
    free(l->samples);
}

static void finish_all(load *l) {
    for (uint64_t give_up = bench_now_ns() + 5000000000u; l->n_free < l->n_tickets && bench_now_ns() < give_up;)
        tern_poll(l->ep);
    l->n_late += l->n_tickets - l->n_free;
}

/* False, and it is said: calls have failed. */
static bool all_good(const load *l, const char *name) {
    if (l->n_bad == 0 && l->n_late == 0) return true;
    rpc_log_print();
    fprintf(stderr, "%s: %llu calls failed, the first with %s; %llu were not answered\n", name,
            (unsigned long long)l->n_bad,
            l->n_bad == 0 ? "nothing"
            : l->why < 0  ? tern_strerror(l->why)
                          : tern_status_name(l->why),
            (unsigned long long)l->n_late);
    return false;
}

/* ---- Closed loop */

static double tern_rate(load *l) {
    const options *o = l->opts;
    pair_begin(l->pair, l->phase);
    uint64_t done_before = n_done(l), begin = bench_now_ns(), now = begin;
    for (uint32_t turn = 0; now - begin < o->round_ns; turn++) {
        for (; l->n_free >= o->batch; l->n_issued += o->batch)
            for (unsigned i = 0; i < o->batch; i++) issue(l, l->free[--l->n_free], on_done);
        if (tern_poll(l->ep) == 0) floor_relax(l->phase == PAIR_TERN_SHM && l->pair->end.relax);
        if (turn % CLOCK_EVERY == 0) now = bench_now_ns();
    }
    double rate = (double)(n_done(l) - done_before) * 1e9 / (double)(now - begin);
    finish_all(l);
    pair_end(l->pair);
    return rate;
}

static double ring_rate(pair *p, const options *o) {
    pair_begin(p, PAIR_FLOOR_RING);
    double rate = floor_ring_rate(&p->end, o->window, o->batch, o->round_ns);
    pair_end(p);
    return rate;
}

static double batch_rate(pair *p, const options *o, unsigned message_bytes, unsigned per_send, uint64_t ns) {
    p->shared->message_bytes = message_bytes;
    pair_begin(p, PAIR_FLOOR_BATCH);
    double rate = floor_batch_rate(p->sockets.batch[1], message_bytes, o->window, o->batch, per_send, ns);
    pair_end(p);
    return rate;
}

/* How many messages a raw send should take for the highest rate: few keep both sides busy at once, many save
 * calls. */
static unsigned tune_batch(pair *p, const options *o, bench_report *report) {
    unsigned best = o->batch;
    double best_rate = 0;
    for (unsigned parts = o->window / o->batch; parts >= 1; parts = parts / 2) {
        unsigned per_send = o->window / parts / o->batch * o->batch;
        double rate = batch_rate(p, o, FLOOR_PAYLOAD, per_send, o->round_ns / 4);
        if (per_send == o->batch)
            bench_report_note(report, "raw UDP with only %u messages per send: %.2f M/s", per_send, rate / 1e6);
        if (rate > best_rate) {
            best = per_send;
            best_rate = rate;
        }
    }
    bench_report_note(report, "the raw UDP echo puts up to %u messages into a send, the best of those tried", best);
    return best;
}

static bool closed(pair *p, const options *o, bench_report *report, const char *name, const char *address,
                   pair_phase phase) {
    if (address[0] == '\0') {
        bench_report_note(report, "%s: not measured, tern cannot listen there", name);
        return true;
    }
    static double floor[MAX_ROUNDS], framed[MAX_ROUNDS], tern[MAX_ROUNDS];
    bool udp = phase == PAIR_TERN_UDP;
    load l = {.opts = o, .pair = p, .phase = phase};
    if (!open_load(&l, address, o->window)) return false;
    unsigned per_send = udp ? tune_batch(p, o, report) : 0;
    for (unsigned i = 0; i < o->rounds; i++) {
        floor[i] = udp ? batch_rate(p, o, FLOOR_PAYLOAD, per_send, o->round_ns) : ring_rate(p, o);
        if (udp) framed[i] = batch_rate(p, o, FLOOR_PACKET, per_send, o->round_ns / 4);
        tern[i] = tern_rate(&l);
    }
    close_load(&l);
    double rate = bench_median(tern, o->rounds);
    bench_report_row(report, name, rate, "calls/s", bench_median(floor, o->rounds),
                     udp ? "raw UDP GSO+GRO echo" : "raw ring echo");
    bench_report_note(report, "%s: one core issues %.2f M RPCs/s, another serves %.2f M/s", name, rate / 1e6,
                      rate / 1e6);
    if (udp)
        bench_report_note(report, "%s: the raw echo of packets as long as tern's, %u bytes, takes %.2f M/s: %.2f x",
                          name, FLOOR_PACKET, bench_median(framed, o->rounds) / 1e6,
                          rate / bench_median(framed, o->rounds));
    return all_good(&l, name);
}

/* ---- Open loop */

static double gap_ns(double rate, uint64_t *random) {
    double u = (double)(bench_random(random) >> 11) * 0x1p-53;
    return -log(1 - u) * 1e9 / rate;
}

/* Calls that find no ticket wait for one; their latency counts from when they were due all the same. */
static void open_loop(load *l) {
    const options *o = l->opts;
    pair_begin(l->pair, l->phase);
    uint64_t random = 88172645463325252u, begin = bench_now_ns(), end = begin + o->rounds * o->round_ns;
    l->sample_from = begin + (end - begin) / 10;
    double due = (double)begin;
    for (uint64_t now = begin; now < end; now = bench_now_ns()) {
        for (; due <= (double)now && l->n_free > 0; due += gap_ns(o->open_rate, &random), l->n_issued++) {
            ticket *t = l->free[--l->n_free];
            t->session = l->sessions[bench_random(&random) % o->sessions];
            t->due = (uint64_t)due;
            issue(l, t, on_sampled);
        }
        tern_poll(l->ep);
    }
    finish_all(l);
    pair_end(l->pair);
}

static bool open_form(pair *p, const options *o, bench_report *report, const char *name, const char *address,
                      pair_phase phase) {
    if (address[0] == '\0') return true;
    load l = {.opts = o, .pair = p, .phase = phase, .samples = malloc(MAX_SAMPLES * sizeof(double))};
    if (l.samples == NULL || !open_load(&l, address, o->window)) return false;
    open_loop(&l);
    char row_name[64];
    static const double percents[] = {50, 99, 99.9};
    static const char *const suffixes[] = {"p50", "p99", "p999"};
    for (int i = 0; i < 3; i++) {
        snprintf(row_name, sizeof row_name, "%s_open_%s", name, suffixes[i]);
        bench_report_row(report, row_name, bench_percentile(l.samples, l.n_samples, percents[i]), "ns", 0, NULL);
    }
    double seconds = (double)o->rounds * (double)o->round_ns / 1e9;
    bench_report_note(report, "%s: %u sessions, asked for %.0f calls/s, %.0f/s completed", name, o->sessions,
                      o->open_rate, (double)n_done(&l) / seconds);
    close_load(&l);
    return all_good(&l, name);
}

/* ---- */

static bool read_congestion(const char *name) {
    static const char *const names[] = {"default", "none", "timely", "swift", "dctcp"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(names[i], name) != 0) continue;
        pair_congestion = (tern_congestion)i;
        return true;
    }
    return false;
}

static bool read_options(int argc, char **argv, options *o, bool *json) {
    bench_args args = bench_args_begin(argc, argv, "small RPCs per second against a raw echo");
    o->sessions = (unsigned)bench_arg_u64(&args, "--sessions", 8, "sessions to the server, up to 20000");
    o->window = (unsigned)bench_arg_u64(&args, "--window", 60, "calls in flight, over all sessions");
    o->batch = (unsigned)bench_arg_u64(&args, "--batch", 3, "calls issued together");
    o->rounds = (unsigned)bench_arg_u64(&args, "--rounds", 7, "rounds of floor and tern, alternating");
    o->round_ns = bench_arg_u64(&args, "--round-ms", 150, "length of a round") * 1000000;
    o->open_rate = bench_arg_double(&args, "--open", 0, "open loop instead: calls per second");
    o->only = bench_arg_str(&args, "--only", "", "only transports whose name contains this");
    const char *cc = bench_arg_str(&args, "--cc", "default", "congestion control: none, timely, swift or dctcp");
    rpc_trace_arg(&args);
    *json = bench_arg_flag(&args, "--json", "print the report as the last line, as JSON");
    if (bench_args_end(&args)) return false;
    bool known = read_congestion(cc);
    bool closed_fits = o->open_rate > 0 || o->window <= FLOOR_SLOTS;
    if (o->sessions >= 1 && o->sessions <= MAX_SESSIONS && o->batch >= 1 && o->batch <= o->window && o->rounds >= 1 &&
        o->rounds <= MAX_ROUNDS && o->round_ns > 0 && closed_fits && known)
        return true;
    fprintf(stderr, "these numbers make no sense together (a closed window is at most %d)\n", FLOOR_SLOTS);
    return false;
}

int main(int argc, char **argv) {
    options o;
    bool json;
    if (!read_options(argc, argv, &o, &json)) return 2;
    pair p;
    if (!pair_start(&p, 6 * o.rounds * o.round_ns)) return 1;
    bench_report *report = bench_report_new("rpc_rate");
    if (report == NULL) return 1;
    pair_tune_ring(&p);
    bool (*form)(pair *, const options *, bench_report *, const char *, const char *, pair_phase) =
        o.open_rate > 0 ? open_form : closed;
    bool ok = true;
    if (strstr("shm_32B", o.only) != NULL) ok &= form(&p, &o, report, "shm_32B", p.shared->shm_address, PAIR_TERN_SHM);
    if (strstr("udp_32B", o.only) != NULL) ok &= form(&p, &o, report, "udp_32B", p.shared->udp_address, PAIR_TERN_UDP);
    pair_stop(&p);
    if (pair_cpu_share(&p) < 0.97)
        bench_report_note(report, "other work took %.0f %% of the client's processor: measure again on a quiet machine",
                          100 * (1 - pair_cpu_share(&p)));
    return bench_report_print(report, json) && ok ? 0 : 1;
}
