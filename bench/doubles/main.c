/* What does it cost to stream doubles? Processor time of the writing thread per double, tern's writer against a
 * 64 KB-buffered one written by hand, and against other libraries.
 *
 * Measurements are short and go in rounds, each of which has every writer once, in an order of its own. A value is the
 * median of its measurements; what it stands against is given so that their ratio is the median of the rounds' ratios,
 * which a change of the machine's mood between rounds does not touch. Each round has a buffer of its own, the same for
 * tern's and the raw writer, and doubles of its own, at another place in their page: copying 16 KB takes up to a
 * quarter longer where source and destination lie badly to each other, which is a matter of luck: of one pair of pages
 * in seven or so. */
#include <linux/sockios.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "calls.h"
#include "common.h"
#include "run.h"
#include "tern/call_stream.h"

enum { MAX_DOUBLES = 2048, MAX_ROUNDS = 127, MAX_RUNS = 8, N_SIZES = 4 };
enum { ROUND_DOUBLES = MAX_DOUBLES + 11 * 8 }; /* from one round's doubles to the next's, in cache lines */
enum { POOL_BLOCKS = 16 };

static const size_t sizes[N_SIZES] = {1, 16, 256, 2048};

static double samples[MAX_RUNS][MAX_ROUNDS];

/* ---- Media ---------------------------------------------------------------------------------------- */

typedef struct medium {
    const char *name;
    run_medium out;
    int peer;
    pthread_t drain;
} medium;

static void *drain(void *user) {
    static char sink[1 << 18];
    int fd = *(int *)user;
    while (read(fd, sink, sizeof sink) > 0) {
    }
    return NULL;
}

static bool tcp_pair(int fds[2]) {
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof a;
    int l = socket(AF_INET, SOCK_STREAM, 0);
    fds[0] = socket(AF_INET, SOCK_STREAM, 0);
    bool good = !bind(l, (void *)&a, len) && !listen(l, 1) && !getsockname(l, (void *)&a, &len) &&
                !connect(fds[0], (void *)&a, len);
    fds[1] = good ? accept(l, NULL, NULL) : -1;
    close(l);
    return fds[1] >= 0;
}

static bool medium_open(medium *m, const char *name) {
    int fds[2];
    *m = (medium){.name = name};
    if (!strcmp(name, "memory")) return true;
    if (!strcmp(name, "shm") || !strcmp(name, "udp")) {
        static tern_stream call;
        m->out = (run_medium){.kind = RUN_CALL, .call = &call};
        return calls_open(name, CALLS_DROP, &call);
    }
    if (!strcmp(name, "tcp") ? !tcp_pair(fds) : socketpair(AF_UNIX, SOCK_STREAM, 0, fds) != 0) return false;
    m->out = (run_medium){.kind = RUN_FD, .fd = fds[0]};
    m->peer = fds[1];
    return pthread_create(&m->drain, NULL, drain, &m->peer) == 0;
}

static void medium_close(medium *m) {
    if (m->out.kind == RUN_CALL) calls_close(m->out.call);
    if (m->out.kind != RUN_FD) return;
    shutdown(m->out.fd, SHUT_WR);
    pthread_join(m->drain, NULL);
    close(m->out.fd);
    close(m->peer);
}

/* ---- Measuring ------------------------------------------------------------------------------------ */

/* Until the peer has taken all: no measurement inherits the last one's full socket. */
static void settle(const run_medium *m) {
    int left;
    while (m->kind == RUN_FD && ioctl(m->fd, SIOCOUTQ, &left) == 0 && left > 0) usleep(20);
}

/* ns of processor time per double. */
static double once(run_fn *run, const run_medium *m, const double *values, size_t n, size_t n_sequences) {
    settle(m);
    uint64_t start = bench_cpu_ns();
    if (!run(m, values, n, n_sequences)) {
        fprintf(stderr, "stream: a writer failed\n");
        exit(1);
    }
    return (double)(bench_cpu_ns() - start) / (double)(n * n_sequences);
}

/* The least of three: what runs for the first time, or is disturbed, seems to have enough to do with little. */
static double least(run_fn *run, const run_medium *m, const double *values, size_t n, size_t n_sequences) {
    double least = once(run, m, values, n, n_sequences);
    for (int i = 0; i < 2; i++) {
        double ns = once(run, m, values, n, n_sequences);
        if (ns < least) least = ns;
    }
    return least;
}

/* Another order each time, so that no writer always comes after the same one. */
static void shuffle(size_t *order, size_t n) {
    static uint32_t state = 1;
    for (size_t i = n; i > 1; i--) {
        state = state * 1664525 + 1013904223;
        size_t k = (state >> 16) % i, x = order[k];
        order[k] = order[i - 1];
        order[i - 1] = x;
    }
}

/* Another buffer for the next round. */
static void shake_pool(void) {
    void *blocks[POOL_BLOCKS];
    size_t order[POOL_BLOCKS];
    for (size_t i = 0; i < POOL_BLOCKS; i++) {
        order[i] = i;
        blocks[i] = tern_alloc(RUN_BUFFER_BYTES);
    }
    shuffle(order, POOL_BLOCKS);
    for (size_t i = 0; i < POOL_BLOCKS; i++) tern_unref(blocks[order[i]]);
}

/* Of each round and run into samples[][]; each measurement takes about `ms` of processor time. */
static void measure(const medium *m, run_fn *const *run, size_t n_runs, size_t n, size_t rounds, double ms) {
    static double values[MAX_ROUNDS * ROUND_DOUBLES] __attribute__((aligned(RUN_PAGE_BYTES)));
    size_t n_sequences[MAX_RUNS], order[MAX_RUNS];
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) values[i] = (double)i;
    for (size_t k = 0; k < n_runs; k++) {
        order[k] = k;
        n_sequences[k] = 1 + 2048 / n;
        while (least(run[k], &m->out, values, n, n_sequences[k]) * (double)(n * n_sequences[k]) < ms * 1e6 / 2)
            n_sequences[k] *= 2;
    }
    for (size_t r = 0; r < rounds; r++) {
        shuffle(order, n_runs);
        shake_pool();
        for (size_t i = 0; i < n_runs; i++)
            samples[order[i]][r] = once(run[order[i]], &m->out, values + r * ROUND_DOUBLES, n, n_sequences[order[i]]);
    }
}

__attribute__((format(printf, 2, 3))) static const char *named(char *out, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(out, 64, format, args);
    va_end(args);
    return out;
}

/* A row of what run k took, against run `vs`. */
static void row(bench_report *report, const char *name, size_t k, size_t vs, const char *vs_name, size_t rounds) {
    double own[MAX_ROUNDS], ratios[MAX_ROUNDS];
    for (size_t r = 0; r < rounds; r++) {
        own[r] = samples[k][r];
        ratios[r] = samples[k][r] / samples[vs][r];
    }
    double value = bench_median(own, rounds);
    bench_report_row(report, name, value, "ns/double", value / bench_median(ratios, rounds), vs_name);
}

/* Peers' rows carry no medium for memory. */
static void rows(bench_report *report, const medium *m, size_t n, size_t rounds, double ms) {
    bool memory = m->out.kind == RUN_MEMORY;
    run_fn *run[MAX_RUNS] = {run_tern, run_raw, run_tern_swapped, run_raw_swapped,
                             memory ? run_memcpy : run_unbuffered};
    size_t n_runs = 5, xdr = 0, protobuf = 0;
    char name[64], on[16] = "";
    if (!memory) snprintf(on, sizeof on, "_%s", m->name);
#ifdef BENCH_HAVE_TIRPC
    run[xdr = n_runs++] = run_xdr;
#endif
#ifdef BENCH_HAVE_PROTOBUF
    run[protobuf = n_runs++] = run_protobuf;
#endif
    measure(m, run, n_runs, n, rounds, ms);
    row(report, named(name, "%s_%zu", m->name, n), 0, 1, "raw, 64 KB buffer", rounds);
    row(report, named(name, "%s_%zu_swapped", m->name, n), 2, 3, "raw, swapped", rounds);
    if (memory)
        row(report, named(name, "memory_%zu_memcpy", n), 0, 4, "memcpy", rounds);
    else
        row(report, named(name, "unbuffered%s_%zu", on, n), 4, 0, "tern", rounds);
    if (xdr) row(report, named(name, "xdr%s_%zu", on, n), xdr, 0, "tern", rounds);
    if (protobuf) row(report, named(name, "protobuf%s_%zu", on, n), protobuf, 0, "tern", rounds);
}

/* ---- Overlap ---------------------------------------------------------------------------------------- */

enum { OVERLAP_DOUBLES = 1 << 20, OVERLAP_ROUNDS = 15 };

/* ms from the first number computed to the last one used at the other side: streamed as they come, or all gathered
 * first (XBS, Figure 1). */
static double produce(const char *port, bool gather) {
    tern_stream call;
    tern_writer w;
    if (!calls_open(port, CALLS_SUM, &call)) exit(1);
    uint64_t start = bench_now_ns();
    int err = gather ? tern_writer_init_pool(&w, 0) : tern_writer_init(&w, tern_stream_sink(&call), 0);
    double x = 1;
    for (size_t i = 0; i < OVERLAP_DOUBLES && !err; i++) {
        x = x * 0.75 + (double)i;
        tern_put_f64(&w, x);
    }
    tern_bytes all = tern_writer_memory(&w);
    run_medium m = {.kind = RUN_CALL, .call = &call};
    if (gather && !run_write(&m, all.data, all.len)) err = TERN_ERR_IO;
    if (tern_writer_fini(&w) || err) {
        fprintf(stderr, "stream: a writer failed\n");
        exit(1);
    }
    calls_close(&call);
    return (double)(bench_now_ns() - start) / 1e6;
}

static void overlap(bench_report *report, const char *port, size_t rounds) {
    char name[64];
    for (size_t r = 0; r < rounds; r++)
        for (unsigned k = 0; k < 2; k++) samples[k ^ (r & 1)][r] = produce(port, k ^ (r & 1));
    bench_report_row(report, named(name, "overlap_%s", port), bench_median(samples[0], rounds), "ms",
                     bench_median(samples[1], rounds), "all gathered first");
}

int main(int argc, char **argv) {
    static const char *const media[] = {"memory", "socketpair", "tcp", "shm", "udp"};
    bench_args args = bench_args_begin(argc, argv, "what it costs to stream doubles");
    const char *only = bench_arg_str(&args, "--medium", "all", "memory, socketpair, tcp, shm, udp or all");
    uint64_t rounds = bench_arg_u64(&args, "--rounds", 41, "measurements of each, at most 127");
    double ms = bench_arg_double(&args, "--ms", 0.7, "processor time of one measurement");
    bool json = bench_arg_flag(&args, "--json", "print the report as the last line, as JSON");
    if (bench_args_end(&args)) return 2;
    if (rounds < 1) rounds = 1;
    if (rounds > MAX_ROUNDS) rounds = MAX_ROUNDS;
    if (!calls_start()) return 1; /* before this process uses tern */
    bench_report *report = bench_report_new("stream");
    if (!report) return 1;
    for (size_t i = 0; i < sizeof media / sizeof *media; i++) {
        medium m;
        if (strcmp(only, "all") && strcmp(only, media[i])) continue;
        if (!medium_open(&m, media[i])) {
            perror(media[i]);
            return 1;
        }
        for (size_t k = 0; k < N_SIZES; k++) rows(report, &m, sizes[k], rounds, ms);
        bool is_call = m.out.kind == RUN_CALL;
        medium_close(&m);
        if (is_call) overlap(report, media[i], rounds < OVERLAP_ROUNDS ? rounds : OVERLAP_ROUNDS);
    }
    calls_stop();
    return bench_report_print(report, json) ? 0 : 1;
}
