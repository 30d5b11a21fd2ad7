/* What can a hostile client of a default server do with few bytes? Each attack of tests/hostile over each port that it
 * is for, twice: with nobody else there, for the memory and the processor time that it takes of the server, and beside
 * an honest client, for what that client's calls take then. The worst over all attacks and ports, then each attack's
 * worst. Server, honest client and attacker are processes of this machine, and share its processors.
 *
 * Of memory, 64 KB for each session that the attacker has opened do not count, nor what the service has made of calls
 * and the accounts say is held (attacks.h), nor one step of 2 MB, in which the pool takes memory. Of time, neither what
 * the service itself takes counts, nor what an idle server takes. Latency is compared with what it was before, or with
 * LEAST_P99_MS where that is more: a shorter wait than for a handler of 1 ms (which two attacks call), and for a slice
 * of the processor, is no harm. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "attacks.h"
#include "common.h"

enum { SESSION_BYTES = 64 << 10, STEP_BYTES = 2 << 20, LEAST_P99_MS = 2 };

#define IDLE_S 0.4

typedef struct harm {
    double memory_per_byte, stall_ms_per_kb, honest_p99, p99_ms;
} harm;

static uint64_t n_failed;
static double most_s;

static double seconds_of(const attack *a) { return a->seconds < most_s ? a->seconds : most_s; }

static double at_least_0(double x) { return x > 0 ? x : 0; }

static bool measure_server(const attack *a, wire_port port, harm *h) {
    spoils had = {0};
    scene *s = scene_open(port, true, NULL);
    if (!s) return false;
    scene_hush(s);
    while (scene_pause(s, IDLE_S, 5)) continue;
    scene_seen idle = scene_end(s);
    scene_begin(s);
    bool ok = a->run(s, seconds_of(a), &had);
    scene_seen seen = scene_end(s);
    scene_close(s);
    double made = (double)made_bytes(&seen, &had), sent = (double)seen.sent_bytes;
    double memory = (double)seen.grown_bytes - SESSION_BYTES * (double)had.n_sessions - STEP_BYTES - made;
    double ms = seen.server_ms - due_ms(&had) - idle.server_ms / idle.seconds * seen.seconds;
    if (!ok || !seen.sent_bytes) return false;
    h->memory_per_byte = at_least_0(memory) / sent;
    h->stall_ms_per_kb = at_least_0(ms) / (sent / 1e3);
    return true;
}

static bool measure_client(const attack *a, wire_port port, harm *h) {
    spoils had = {0};
    scene_seen calm;
    scene *s = scene_open(port, true, &calm);
    if (!s) return false;
    scene_begin(s);
    bool ok = a->run(s, seconds_of(a), &had);
    scene_seen seen = scene_end(s);
    ok &= scene_lives(s);
    scene_close(s);
    n_failed += seen.n_failed + seen.n_puts_failed + seen.n_newcomers_failed;
    h->p99_ms = seen.p99_ms;
    h->honest_p99 = seen.p99_ms / (calm.p99_ms > LEAST_P99_MS ? calm.p99_ms : LEAST_P99_MS);
    return ok && calm.p99_ms > 0;
}

static void take_worse(harm *worst, const harm *h) {
    if (h->memory_per_byte > worst->memory_per_byte) worst->memory_per_byte = h->memory_per_byte;
    if (h->stall_ms_per_kb > worst->stall_ms_per_kb) worst->stall_ms_per_kb = h->stall_ms_per_kb;
    if (h->honest_p99 > worst->honest_p99) worst->honest_p99 = h->honest_p99;
    if (h->p99_ms > worst->p99_ms) worst->p99_ms = h->p99_ms;
}

/* The attack's median over rounds, on its worst port. */
static bool measure(const attack *a, uint64_t n_rounds, const char *only, harm *worst) {
    for (wire_port port = 0; port < N_WIRES; port++) {
        double memory[99], stall[99], ratio[99], p99[99];
        if (!(a->ports & 1u << port) || (only && strcmp(only, wire_names[port]) != 0)) continue;
        for (uint64_t i = 0; i < n_rounds; i++) {
            harm h;
            if (!measure_server(a, port, &h) || !measure_client(a, port, &h)) {
                fprintf(stderr, "rpc_hostile: %s over %s could not be tried\n", a->name, wire_names[port]);
                return false;
            }
            memory[i] = h.memory_per_byte, stall[i] = h.stall_ms_per_kb;
            ratio[i] = h.honest_p99, p99[i] = h.p99_ms;
        }
        harm h = {bench_median(memory, n_rounds), bench_median(stall, n_rounds), bench_median(ratio, n_rounds),
                  bench_median(p99, n_rounds)};
        take_worse(worst, &h);
    }
    return true;
}

static void add_rows(bench_report *report, const char *prefix, const harm *h) {
    char name[80];
    snprintf(name, sizeof name, "%smemory_per_byte", prefix);
    bench_report_row(report, name, h->memory_per_byte, "B/B", 4, "at most");
    snprintf(name, sizeof name, "%sstall_ms_per_kb", prefix);
    bench_report_row(report, name, h->stall_ms_per_kb, "ms/KB", 1, "at most");
    snprintf(name, sizeof name, "%shonest_p99", prefix);
    bench_report_row(report, name, h->honest_p99, "x", 5, "at most");
    snprintf(name, sizeof name, "%shonest_p99_ms", prefix);
    bench_report_row(report, name, h->p99_ms, "ms", 0, NULL);
}

int main(int argc, char **argv) {
    bench_args args = bench_args_begin(argc, argv, "what can a hostile client do to a server with few bytes?");
    uint64_t n_rounds = bench_arg_u64(&args, "--rounds", 1, "rounds per attack and port; the median counts");
    most_s = bench_arg_double(&args, "--seconds", 1, "that an attack goes on at most");
    const char *only = bench_arg_str(&args, "--attack", NULL, "only attacks with this in their names");
    const char *port = bench_arg_str(&args, "--port", NULL, "only over shm, udp, tcp or unix");
    bool json = bench_arg_flag(&args, "--json", "print the report as the last line, as JSON");
    if (bench_args_end(&args) || n_rounds < 1 || n_rounds > 99) return 2;
    static harm of[64];
    harm worst = {0};
    bool ok = true;
    for (unsigned i = 0; i < n_attacks; i++) {
        if ((only && !strstr(attacks[i].name, only)) || (attacks[i].needs_root && geteuid())) continue;
        ok &= measure(&attacks[i], n_rounds, port, &of[i]);
        take_worse(&worst, &of[i]);
    }
    bench_report *report = bench_report_new("rpc_hostile");
    if (!report) return 1;
    add_rows(report, "", &worst);
    bench_report_row(report, "honest_failures", (double)n_failed, "calls", 0, NULL);
    for (unsigned i = 0; i < n_attacks; i++) {
        char prefix[48];
        if ((only && !strstr(attacks[i].name, only)) || (attacks[i].needs_root && geteuid())) continue;
        snprintf(prefix, sizeof prefix, "%s_", attacks[i].name);
        add_rows(report, prefix, &of[i]);
    }
    return bench_report_print(report, json) && ok ? 0 : 1;
}
