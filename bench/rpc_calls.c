/* A fixed number of calls, or of messages of one stream, by one thread that drives both ends: what callgrind is to
 * count. It tells nothing about time. scripts/instructions.sh runs the program twice and takes the difference, so that
 * set-up and end do not count. */
#include "common.h"
#include "greet.tern.h"
#include "tern/call_stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RAW_METHOD = 77, SLOTS = 8, MAX_SESSIONS = 128, MAX_BYTES = 8 << 20, BURST = 32 };

static struct { uint64_t n_done, n_failed; } calls;

static void echo_raw(tern_call call, const void *request, void *user) {
    (void)user;
    tern_reply_raw(call, *(const tern_bytes *)request);
}

static void take_raw(tern_call call, const void *request, void *user) {
    (void)request, (void)user;
    tern_reply_raw(call, (tern_bytes){0});
}

static void hello(tern_call call, const greet_HelloRequest *request, void *user) {
    (void)user;
    greet_HelloResponse response = {.text = request->name};
    greet_Greeter_Hello_reply(call, &response);
}

static void on_raw(void *user, int status, const void *response) {
    (void)user, (void)response;
    calls.n_done++;
    calls.n_failed += status != TERN_STATUS_OK;
}

static void on_hello(void *user, int status, const greet_HelloResponse *response) { on_raw(user, status, response); }

typedef struct options {
    const char *address;
    uint64_t n_calls, window, bytes;
    bool typed, one_way, stream;
} options;

static int start_one(tern_session *session, const options *o, const char *data) {
    if (!o->typed) return tern_call_start_raw(session, RAW_METHOD, tern_bytes_of(data, o->bytes), NULL, on_raw, NULL);
    greet_HelloRequest request = {.name = {data, o->bytes}};
    return greet_Greeter_Hello(session, &request, NULL, on_hello, NULL);
}

static void on_stream_data(tern_stream stream, const void *data, size_t len, void *user) {
    (void)stream, (void)data, (void)user;
    calls.n_done += len > 0;
}

static void on_stream_finished(tern_stream stream, void *user) {
    (void)user;
    tern_stream_end(stream, TERN_STATUS_OK);
}

static void serve_stream(tern_stream stream, void *user) {
    const tern_stream_events events = TERN_STREAM_EVENTS(.on_data = on_stream_data, .on_finished = on_stream_finished);
    tern_stream_accept(stream, NULL, &events, user);
}

static void on_stream_end(tern_stream stream, int status, void *user) {
    (void)stream;
    calls.n_failed += status != TERN_STATUS_OK;
    *(bool *)user = true;
}

/* The server takes a burst in several polls. */
static int turn(tern_endpoint *server, tern_endpoint *client) {
    int err = tern_poll(client), n;
    while ((n = tern_poll(server)) > 0) continue;
    return err < 0 ? err : n;
}

/* Messages of one stream, each flushed. */
static int run_stream(tern_endpoint *server, tern_endpoint *client, const options *o, const char *data) {
    const tern_stream_events events = TERN_STREAM_EVENTS(.on_end = on_stream_end);
    tern_session *session;
    tern_stream stream;
    bool ended = false;
    int err = tern_connect(client, tern_listen_address(server, 0), &session);
    if (!err) err = tern_stream_start(session, RAW_METHOD, NULL, &events, &ended, &stream);
    for (uint64_t n = 0; !err && n < o->n_calls;) {
        for (unsigned i = 0; i < BURST && n < o->n_calls; i++, n++) {
            err = tern_stream_send(stream, tern_bytes_of(data, o->bytes));
            if (err) break;
        }
        if (err == TERN_ERR_FULL) err = 0;
        if (!err) err = turn(server, client);
    }
    if (!err) err = tern_stream_finish(stream);
    while (!err && !ended) err = turn(server, client);
    return err ? err : calls.n_failed ? TERN_ERR_IO : 0;
}

/* As many sessions as hold the window in their slots. */
static int run_calls(tern_endpoint *server, tern_endpoint *client, const options *o, const char *data) {
    tern_session *sessions[MAX_SESSIONS];
    uint64_t n_sessions = (o->window + SLOTS - 1) / SLOTS, n_started = 0;
    for (uint64_t i = 0; i < n_sessions; i++) {
        int err = tern_connect(client, tern_listen_address(server, 0), &sessions[i]);
        if (err) return err;
    }
    while (calls.n_done < o->n_calls) {
        while (n_started < o->n_calls && n_started - calls.n_done < o->window &&
               start_one(sessions[n_started % n_sessions], o, data) == 0)
            n_started++;
        int err = tern_poll(client) | tern_poll(server);
        if (err < 0) return err;
    }
    return calls.n_failed ? TERN_ERR_IO : 0;
}

static bool read_options(int argc, char **argv, options *o) {
    bench_args args = bench_args_begin(argc, argv, "a fixed number of calls by one thread, to count instructions");
    o->address = bench_arg_str(&args, "--at", "udp://127.0.0.1:0", "address to serve at");
    o->n_calls = bench_arg_u64(&args, "--calls", 10000, "calls");
    o->window = bench_arg_u64(&args, "--window", 56, "calls in flight");
    o->bytes = bench_arg_u64(&args, "--bytes", 32, "of a request and of its response");
    o->one_way = bench_arg_flag(&args, "--one-way", "empty responses; raw calls only");
    o->stream = bench_arg_flag(&args, "--stream", "flushed messages of one stream instead of calls");
    o->typed = bench_arg_flag(&args, "--typed", "messages instead of raw bytes");
    if (bench_args_end(&args)) return false;
    return o->window >= 1 && o->window <= SLOTS * MAX_SESSIONS && o->bytes <= MAX_BYTES;
}

int main(int argc, char **argv) {
    options o;
    tern_endpoint *server = NULL, *client = NULL;
    greet_Greeter_handlers handlers = {.Hello = hello};
    if (!read_options(argc, argv, &o)) return 2;
    int err = tern_endpoint_new(NULL, &server);
    if (!err) err = tern_endpoint_new(NULL, &client);
    if (!err) err = greet_Greeter_serve(server, &handlers, NULL);
    if (!err) err = tern_serve_raw(server, RAW_METHOD, o.one_way ? take_raw : echo_raw, NULL);
    if (!err) err = tern_serve_stream(server, RAW_METHOD, serve_stream, NULL);
    if (!err) err = tern_listen(server, o.address);
    char *data = tern_alloc(MAX_BYTES); /* from the pool: long messages go in place */
    if (data) memset(data, 'x', o.bytes);
    if (!err && !data) err = TERN_ERR_NOMEM;
    if (!err) err = o.stream ? run_stream(server, client, &o, data) : run_calls(server, client, &o, data);
    tern_unref(data);
    if (err) fprintf(stderr, "rpc_calls: %s\n", tern_strerror(err));
    tern_endpoint_free(client);
    tern_endpoint_free(server);
    return err ? 1 : 0;
}
