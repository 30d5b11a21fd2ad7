/* Client and server in one thread (rpc_solo.h). */
#include "rpc_solo.h"

#include <stdio.h>
#include <stdlib.h>

#include "common.h"

enum { METHOD = 1, PAYLOAD = 32, CLOCK_EVERY = 64 };

static void must(int err, const char *what) {
    if (err >= 0) return;
    fprintf(stderr, "%s: %s\n", what, tern_strerror(err));
    exit(1);
}

static void echo(tern_call *call, const void *request, void *user) {
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
    must(tern_poll(s->server), "poll");
}

void solo_open(solo *s, const char *address, unsigned n_sessions, unsigned window, tern_congestion congestion) {
    tern_endpoint_config config;
    tern_endpoint_config_init(&config);
    config.max_sessions = n_sessions + 16;
    config.congestion = congestion;
    *s = (solo){.n_sessions = n_sessions, .random = 88172645463325252u};
    s->sessions = calloc(n_sessions, sizeof(tern_session *));
    must(s->sessions ? 0 : TERN_ERR_NOMEM, "sessions");
    must(tern_endpoint_new(&config, &s->server), "endpoint");
    must(tern_endpoint_new(&config, &s->client), "endpoint");
    must(tern_listen(s->server, address), address);
    must(tern_serve_raw(s->server, METHOD, echo, NULL), "serve");
    for (unsigned i = 0; i < n_sessions; i++) {
        must(tern_connect(s->client, tern_listen_address(s->server, 0), &s->sessions[i]), address);
        if (i % 32 == 0) turn(s);
    }
    uint64_t give_up = bench_cpu_ns() + 20000000000u;
    for (unsigned open = 0; open < n_sessions;) {
        turn(s);
        while (open < n_sessions && tern_session_get_state(s->sessions[open]) == TERN_SESSION_OPEN) open++;
        if (bench_cpu_ns() > give_up) must(TERN_ERR_CLOSED, address);
    }
    for (unsigned i = 0; i < SOLO_AHEAD; i++) s->queue[i] = s->sessions[i % n_sessions];
    for (unsigned i = 0; i < window; i++) {
        s->tickets[i] = (solo_ticket){s, i};
        s->free[s->n_free++] = i;
    }
}

void solo_close(solo *s) {
    tern_endpoint_free(s->client);
    tern_endpoint_free(s->server);
    free(s->sessions);
}

/* With many sessions: the session of the call that is AHEAD calls further on is drawn, as who takes work from a queue knows
 * what comes next. */
static tern_session *draw(solo *s) {
    tern_session **place = &s->queue[s->n_drawn++ % SOLO_AHEAD], *next = *place;
    *place = s->sessions[(bench_random(&s->random) >> 32) * s->n_sessions >> 32];
    tern_session_expect(s->client, *place);
    return next;
}

static void issue(solo *s) {
    static const uint8_t payload[PAYLOAD] = {7};
    solo_ticket *t = &s->tickets[s->free[--s->n_free]];
    tern_session *session = s->n_sessions > SOLO_FEW ? draw(s) : s->sessions[t->number % s->n_sessions];
    must(tern_call_start_raw(session, METHOD, tern_bytes_of(payload, PAYLOAD), NULL, on_done, t), "call");
}

double solo_rate(solo *s, unsigned batch, uint64_t ns) {
    uint64_t done = s->n_done, begin = bench_cpu_ns(), now = begin;
    for (uint32_t i = 1; now - begin < ns; i++) {
        while (s->n_free >= batch)
            for (unsigned k = 0; k < batch; k++) issue(s);
        turn(s);
        if (i % CLOCK_EVERY == 0) now = bench_cpu_ns();
    }
    return (double)(s->n_done - done) * 1e9 / (double)(now - begin);
}
