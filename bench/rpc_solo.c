/* Client and server in one thread (rpc_solo.h). */
#include "rpc_solo.h"
#include "rpc_log.h"
#include "rpc_trace.h"

#include <stdio.h>
#include <stdlib.h>

#include "common.h"

enum { METHOD = SOLO_METHOD, PAYLOAD = 32, CLOCK_EVERY = 64, QUEUE = 1 << 16, AHEAD = 32 };

static void must(int err, const char *what) {
    if (err >= 0) return;
    rpc_log_print();
    fprintf(stderr, "%s: %s\n", what, tern_strerror(err));
    exit(1);
}

static void echo(tern_call call, const void *request, void *user) {
    (void)user;
    tern_reply_raw(call, *(const tern_bytes *)request);
}

static void on_done(void *user, int status, const void *response) {
    const solo_ticket *t = user;
    const tern_bytes *bytes = response;
    solo *s = t->solo;
    s->n_bad += status != TERN_STATUS_OK || bytes->len != PAYLOAD;
    s->n_done++;
    s->free[s->n_free++] = t->number;
}

static void turn(solo *s) {
    must(tern_poll(s->client), "poll");
    if (s->server) must(tern_poll(s->server), "poll");
}

/* Work for the time to come: with many sessions the calls' are drawn at random. */
static void prepare(solo *s, unsigned window) {
    for (unsigned i = 0; i < window; i++) {
        s->tickets[i] = (solo_ticket){s, i};
        s->free[s->n_free++] = i;
    }
    s->window = window;
    if (s->n_sessions <= SOLO_FEW) return;
    s->queue = malloc(QUEUE * sizeof *s->queue);
    must(s->queue ? 0 : TERN_ERR_NOMEM, "queue");
    uint64_t random = 88172645463325252u;
    for (uint32_t i = 0; i < QUEUE; i++) s->queue[i] = s->sessions[(bench_random(&random) >> 32) * s->n_sessions >> 32];
}

static void connect_all(solo *s, const char *address) {
    for (unsigned i = 0; i < s->n_sessions; i++) {
        must(tern_connect(s->client, address, &s->sessions[i]), address);
        if (i % 32 == 0) turn(s);
    }
    uint64_t give_up = bench_now_ns() + 20000000000u;
    for (unsigned open = 0; open < s->n_sessions;) {
        turn(s);
        while (open < s->n_sessions && tern_session_get_state(s->sessions[open]) == TERN_SESSION_OPEN) open++;
        if (bench_now_ns() > give_up) must(TERN_ERR_CLOSED, address);
    }
}

static void begin(solo *s, unsigned n_sessions, tern_endpoint_config *config, tern_congestion congestion) {
    tern_endpoint_config_init(config);
    config->max_sessions = 2 * n_sessions + 64; /* a third of what is free stays for others */
    config->congestion = congestion;
    rpc_log_keep(config);
    *s = (solo){.n_sessions = n_sessions};
    s->sessions = calloc(n_sessions, sizeof(tern_session *));
    must(s->sessions ? 0 : TERN_ERR_NOMEM, "sessions");
    must(tern_endpoint_new(config, &s->client), "endpoint");
    rpc_trace(s->client);
}

void solo_open(solo *s, const char *address, unsigned n_sessions, unsigned window, tern_congestion congestion) {
    tern_endpoint_config config;
    begin(s, n_sessions, &config, congestion);
    must(tern_endpoint_new(&config, &s->server), "endpoint");
    must(tern_listen(s->server, address), address);
    must(tern_serve_raw(s->server, METHOD, echo, NULL), "serve");
    connect_all(s, tern_listen_address(s->server, 0));
    prepare(s, window);
}

void solo_open_client(solo *s, const char *address, unsigned n_sessions, unsigned window) {
    tern_endpoint_config config;
    begin(s, n_sessions, &config, TERN_CC_DEFAULT);
    connect_all(s, address);
    prepare(s, window);
}

void solo_close(solo *s) {
    tern_endpoint_free(s->client);
    tern_endpoint_free(s->server);
    free(s->sessions);
    free(s->queue);
}

/* The session of the next call; and that of the call AHEAD calls further on is announced. */
static tern_session *take(solo *s) {
    uint32_t at = s->n_taken++;
    if (!s->unannounced) tern_session_expect(s->client, s->queue[(at + AHEAD) % QUEUE]);
    return s->queue[at % QUEUE];
}

static void issue(solo *s) {
    static const uint8_t payload[PAYLOAD] = {7};
    solo_ticket *t = &s->tickets[s->free[--s->n_free]];
    tern_session *session = s->queue ? take(s) : s->sessions[t->number % s->n_sessions];
    must(tern_call_start_raw(session, METHOD, tern_bytes_of(payload, PAYLOAD), NULL, on_done, t), "call");
}

static uint64_t clock_of(const solo *s) { return s->server ? bench_cpu_ns() : bench_now_ns(); }

double solo_rate(solo *s, unsigned batch, uint64_t ns) {
    uint64_t done = s->n_done, begin = clock_of(s), now = begin;
    for (uint32_t i = 1; now - begin < ns; i++) {
        while (s->n_free >= batch)
            for (unsigned k = 0; k < batch; k++) issue(s);
        turn(s);
        if (i % CLOCK_EVERY == 0) now = clock_of(s);
    }
    return (double)(s->n_done - done) * 1e9 / (double)(now - begin);
}

void solo_finish(solo *s) {
    for (uint64_t give_up = bench_now_ns() + 5000000000u; s->n_free < s->window && bench_now_ns() < give_up;) turn(s);
    s->n_bad += s->window - s->n_free;
}
