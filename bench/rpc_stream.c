/* What do streaming calls carry over shared memory, next to calls of one message each?
 *
 *   shm_64KB    bytes per second of a stream written in pieces of 64 KB from a registered buffer, against calls with
 *               requests of 64 KB (as in rpc_bandwidth) and empty answers
 *   shm_small   messages per second of a stream of 32-byte messages, each flushed by itself, against calls with 32
 *               bytes (16 in flight) and empty answers
 *   shm_4GB     one request of 4 GB - 1, in GB/s, against one memcpy of its bytes; with the most buffers that were live
 *               meanwhile. Only with --large
 *
 * One thread drives both ends, and rates are per second of its processor time, so that they say the same on a busy
 * machine as on a quiet one; with a processor for each end, both overlap. Rounds alternate; reported are medians. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common.h"
#include "rpc_trace.h"
#include "tern/call_stream.h"
#include "tern/mem.h"

enum { METHOD = 1, MAX_ROUNDS = 101, LARGE = 64 << 10, SMALL = 32, LARGE_WINDOW = 8, SMALL_WINDOW = 16, BURST = 32 };

static void must(int err, const char *what) {
    if (err >= 0) return;
    fprintf(stderr, "%s: %s\n", what, tern_strerror(err));
    exit(1);
}

typedef struct ends {
    tern_endpoint *server, *client;
    tern_session *sessions[SMALL_WINDOW / 8];
    tern_stream stream;
    uint64_t received, n_pieces, n_done, n_bad;
    unsigned in_flight, next;
    bool ended;
} ends;

static void on_data(tern_stream stream, const void *data, size_t len, void *user) {
    (void)stream, (void)data;
    ends *e = user;
    e->received += len;
    e->n_pieces++;
}

static void on_finished(tern_stream stream, void *user) {
    (void)user;
    tern_stream_end(stream, TERN_STATUS_OK);
}

static void on_end(tern_stream stream, int status, void *user) {
    (void)stream;
    ends *e = user;
    e->n_bad += status != TERN_STATUS_OK;
    e->ended = true;
}

static void serve_stream(tern_stream stream, void *user) {
    const tern_stream_events events =
        TERN_STREAM_EVENTS(.on_data = on_data, .on_finished = on_finished, .on_end = on_end);
    tern_stream_accept(stream, NULL, &events, user);
}

static void serve_call(tern_call call, const void *request, void *user) {
    ends *e = user;
    e->received += ((const tern_bytes *)request)->len;
    tern_reply_raw(call, (tern_bytes){0});
}

static void on_done(void *user, int status, const void *response) {
    (void)response;
    ends *e = user;
    e->n_bad += status != TERN_STATUS_OK;
    e->n_done++;
    e->in_flight--;
}

/* A poll takes some packets of a peer and looks elsewhere then: the server comes up with its client. */
static void turn(ends *e) {
    int n;
    must(tern_poll(e->client), "poll");
    while ((n = tern_poll(e->server)) > 0) continue;
    must(n, "poll");
}

static void ends_open(ends *e, const char *address) {
    *e = (ends){0};
    must(tern_endpoint_new(NULL, &e->server), "endpoint");
    must(tern_endpoint_new(NULL, &e->client), "endpoint");
    rpc_trace(e->client);
    must(tern_listen(e->server, address), address);
    must(tern_serve_raw(e->server, METHOD, serve_call, e), "serve");
    must(tern_serve_stream(e->server, METHOD, serve_stream, e), "serve");
    for (unsigned i = 0; i < SMALL_WINDOW / 8; i++) must(tern_connect(e->client, address, &e->sessions[i]), address);
    for (unsigned i = 0; i < SMALL_WINDOW / 8;) {
        turn(e);
        if (tern_session_get_state(e->sessions[i]) == TERN_SESSION_OPEN) i++;
    }
}

static void check(const ends *e, uint64_t expected) {
    if (!e->n_bad && e->received == expected) return;
    fprintf(stderr, "bytes were lost\n");
    exit(1);
}

/* Calls per second with `bytes` each. */
static double call_rate(ends *e, const uint8_t *data, size_t bytes, unsigned window, uint64_t ns) {
    uint64_t begin = bench_cpu_ns(), now = begin, done = e->n_done, received = e->received;
    bool more = true;
    for (uint32_t i = 0; more || e->in_flight; i++) {
        for (; more && e->in_flight < window; e->in_flight++)
            must(tern_call_start_raw(e->sessions[e->next++ % (SMALL_WINDOW / 8)], METHOD, tern_bytes_of(data, bytes),
                                     NULL, on_done, e),
                 "call");
        turn(e);
        if (i % 16 == 0) now = bench_cpu_ns();
        more = now - begin < ns;
    }
    now = bench_cpu_ns();
    done = e->n_done - done;
    check(e, received + done * bytes);
    return (double)done * 1e9 / (double)(now - begin);
}

static void stream_begin(ends *e) {
    const tern_stream_events events = TERN_STREAM_EVENTS(.on_end = on_end);
    e->ended = false;
    must(tern_stream_start(e->sessions[0], METHOD, NULL, &events, e, &e->stream), "start");
}

static void stream_finish(ends *e) {
    must(tern_stream_finish(e->stream), "finish");
    while (!e->ended) turn(e);
}

/* Writes per second of `bytes` each, to one stream; flushed each or when the buffer is full. */
static double stream_rate(ends *e, const uint8_t *data, size_t bytes, bool flush, uint64_t ns) {
    uint64_t received = e->received, pieces = e->n_pieces, n = 0;
    stream_begin(e);
    for (int i = 0; i < 100; i++) turn(e);
    uint64_t begin = bench_cpu_ns(), now = begin;
    for (uint32_t i = 0; now - begin < ns; i++) {
        for (unsigned k = 0; k < BURST; k++, n++) {
            int err = flush ? tern_stream_send(e->stream, tern_bytes_of(data, bytes))
                            : tern_stream_write(e->stream, tern_bytes_of(data, bytes));
            if (err == TERN_ERR_FULL) break;
            must(err, "write");
        }
        turn(e);
        if (i % 16 == 0) now = bench_cpu_ns();
    }
    stream_finish(e);
    now = bench_cpu_ns();
    check(e, received + n * bytes);
    if (flush && e->n_pieces - pieces != n) {
        fprintf(stderr, "flushed messages were put together: %llu of %llu\n",
                (unsigned long long)(e->n_pieces - pieces), (unsigned long long)n);
        exit(1);
    }
    return (double)n * 1e9 / (double)(now - begin);
}

static uint64_t live_buffers(void) {
    tern_mem_stats stats;
    tern_mem_get_stats(&stats);
    return stats.live_buffers;
}

/* 4 GB - 1 from one buffer of 1 MB, over and over. */
static void large_row(ends *e, bench_report *report, uint8_t *data, uint8_t *to) {
    const size_t piece = 1 << 20;
    uint64_t total = UINT32_MAX, sent = 0, received = e->received, before = live_buffers(), most = before;
    stream_begin(e);
    uint64_t begin = bench_cpu_ns();
    while (sent < total) {
        size_t len = total - sent < piece ? (size_t)(total - sent) : piece;
        int err = tern_stream_write(e->stream, tern_bytes_of(data, len));
        if (err != TERN_ERR_FULL) {
            must(err, "write");
            sent += len;
        }
        turn(e);
        uint64_t live = live_buffers();
        if (live > most) most = live;
    }
    stream_finish(e);
    double tern = (double)total / (double)(bench_cpu_ns() - begin);
    check(e, received + total);
    begin = bench_cpu_ns();
    for (sent = 0; sent < total; sent += piece) {
        memcpy(to, data, piece);
        __asm__ volatile("" ::"r"(to) : "memory");
    }
    bench_report_row(report, "shm_4GB", tern, "GB/s", (double)sent / (double)(bench_cpu_ns() - begin), "one memcpy");
    fprintf(stderr, "4 GB - 1: at most %llu buffers live beyond those before\n", (unsigned long long)(most - before));
}

int main(int argc, char **argv) {
    bench_args args = bench_args_begin(argc, argv, "streaming calls against calls of one message");
    unsigned rounds = (unsigned)bench_arg_u64(&args, "--rounds", 7, "rounds of calls and streams, alternating");
    uint64_t ns = bench_arg_u64(&args, "--round-ms", 60, "length of a round, processor time") * 1000000;
    const char *only = bench_arg_str(&args, "--only", "", "only rows whose name contains this");
    bool large = bench_arg_flag(&args, "--large", "also one request of 4 GB - 1");
    rpc_trace_arg(&args);
    bool json = bench_arg_flag(&args, "--json", "print the report as the last line, as JSON");
    if (bench_args_end(&args)) return 2;
    if (rounds < 1 || rounds > MAX_ROUNDS) {
        fprintf(stderr, "at most %d rounds\n", MAX_ROUNDS);
        return 2;
    }
    static double calls[MAX_ROUNDS], streams[MAX_ROUNDS];
    char address[64];
    ends e;
    snprintf(address, sizeof address, "shm:///tmp/tern-stream-%d", (int)getpid());
    uint8_t *data = tern_alloc(1 << 20), *to = tern_alloc(1 << 20);
    bench_report *report = bench_report_new("rpc_stream");
    if (!data || !to || !report) return 1;
    memset(data, 7, 1 << 20);
    memset(to, 7, 1 << 20);
    ends_open(&e, address);
    if (strstr("shm_64KB", only)) {
        for (unsigned i = 0; i < rounds; i++) {
            calls[i] = call_rate(&e, data, LARGE, LARGE_WINDOW, ns) * LARGE / 1e9;
            streams[i] = stream_rate(&e, data, LARGE, false, ns) * LARGE / 1e9;
        }
        bench_report_row(report, "shm_64KB", bench_median(streams, rounds), "GB/s", bench_median(calls, rounds),
                         "calls of 64 KB");
    }
    if (strstr("shm_small", only)) {
        for (unsigned i = 0; i < rounds; i++) {
            calls[i] = call_rate(&e, data, SMALL, SMALL_WINDOW, ns);
            streams[i] = stream_rate(&e, data, SMALL, true, ns);
        }
        bench_report_row(report, "shm_small", bench_median(streams, rounds), "messages/s", bench_median(calls, rounds),
                         "calls of 32 B");
    }
    if (large) large_row(&e, report, data, to);
    tern_endpoint_free(e.client);
    tern_endpoint_free(e.server);
    tern_unref(data);
    tern_unref(to);
    return bench_report_print(report, json) ? 0 : 1;
}
