/* A server whose handlers take longer than there is time: who asks for little has his turn all the same. */
#include "tap.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "base/base.h"
#include "mem/poison.h"
#include "tern/call_stream.h"
#include "tern/rpc.h"

enum { TOIL = 1, ECHO = 2, DOZE = 3, POUR = 4, N_SESSIONS = 25, N_SLOTS = 8, TOIL_US = 400 };

typedef struct server {
    pthread_t thread;
    const char *listen_at;
    char address[256];
    bool sleeps; /* while nothing comes */
    tern_endpoint *ep;
    atomic_bool ready, stop;
    int begun, result; /* begun: of what came before `ready` */
    tern_endpoint_stats stats;
} server;

static int64_t thread_us(void) {
    struct timespec ts;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
    return ts.tv_sec * 1000000 + ts.tv_nsec / 1000;
}

static atomic_uint n_toils;

static void toil(tern_call call, const void *request, void *user) {
    (void)user;
    int64_t end = thread_us() + TOIL_US;
    while (thread_us() < end) continue;
    n_toils++;
    tern_reply_raw(call, *(const tern_bytes *)request);
}

/* Takes long without the processor's time, as a disk does. */
static void doze(tern_call call, const void *request, void *user) {
    (void)user;
    usleep(TOIL_US);
    tern_reply_raw(call, *(const tern_bytes *)request);
}

static void echo(tern_call call, const void *request, void *user) {
    (void)user;
    tern_reply_raw(call, *(const tern_bytes *)request);
}

static atomic_uint n_pieces;

static void toil_on_data(tern_stream stream, const void *data, size_t len, void *user) {
    (void)stream, (void)data, (void)len, (void)user;
    int64_t end = thread_us() + TOIL_US;
    while (thread_us() < end) continue;
    n_pieces++;
}

static void end_well(tern_stream stream, void *user) {
    (void)user;
    tern_stream_end(stream, TERN_STATUS_OK);
}

static void accept_pour(tern_stream stream, void *user) {
    tern_stream_events events = TERN_STREAM_EVENTS(.on_data = toil_on_data, .on_finished = end_well);
    tern_stream_accept(stream, NULL, &events, user);
}

static void *serve(void *user) {
    server *s = user;
    tern_endpoint *ep = NULL;
    s->result = tern_endpoint_new(NULL, &ep);
    if (!s->result) s->result = tern_serve_raw(ep, TOIL, toil, NULL);
    if (!s->result) s->result = tern_serve_raw(ep, DOZE, doze, NULL);
    if (!s->result) s->result = tern_serve_raw(ep, ECHO, echo, NULL);
    if (!s->result) s->result = tern_serve_stream(ep, POUR, accept_pour, NULL);
    if (!s->result) s->result = tern_listen(ep, s->listen_at);
    if (!s->result) snprintf(s->address, sizeof s->address, "%s", tern_listen_address(ep, 0));
    s->ep = ep;
    s->begun = s->result;
    atomic_store(&s->ready, true);
    if (s->sleeps && !s->result) s->result = tern_run(ep);
    while (s->result >= 0 && !atomic_load(&s->stop)) s->result = tern_poll(ep);
    tern_endpoint_get_stats(ep, &s->stats);
    tern_endpoint_free(ep);
    return NULL;
}

static bool server_start(server *s, const char *listen_at, bool sleeps) {
    *s = (server){.listen_at = listen_at, .sleeps = sleeps};
    if (pthread_create(&s->thread, NULL, serve, s) != 0) return false;
    while (!atomic_load(&s->ready)) usleep(100);
    return s->begun == 0;
}

static void server_stop(server *s) {
    atomic_store(&s->stop, true);
    if (s->sleeps) tern_stop(s->ep);
    pthread_join(s->thread, NULL);
}

static unsigned n_done, n_failed;

static void done(void *user, int status, const void *response) {
    const tern_bytes *sent = user, *got = response;
    n_done++;
    n_failed += status != TERN_STATUS_OK || !tern_bytes_eq(*sent, *got);
}

static void echoed(void *user, int status, const void *response) {
    (void)response;
    n_failed += status != TERN_STATUS_OK;
    ++*(unsigned *)user;
}

static tern_bytes small = {"a request", 9}, large;

/* A client that waits for long: nobody else may have a processor for its peer's handlers. */
static int new_patient(tern_endpoint **out) {
    tern_endpoint_config config;
    tern_endpoint_config_init(&config);
    config.peer_timeout = 20 * TERN_SEC;
    return tern_endpoint_new(&config, out);
}

/* Calls of one client that take a server's time, and small ones of another. */
static void run_both(const char *listen_at) {
    static char bytes[20000];
    server s;
    tern_endpoint *many, *few;
    tern_session *sessions[N_SESSIONS], *one;
    large = tern_bytes_of(bytes, sizeof bytes);
    CHECK(server_start(&s, listen_at, false));
    CHECK_EQ(new_patient(&many), 0);
    CHECK_EQ(new_patient(&few), 0);
    CHECK_EQ(tern_connect(few, s.address, &one), 0);
    for (unsigned i = 0; i < N_SESSIONS; i++) CHECK_EQ(tern_connect(many, s.address, &sessions[i]), 0);
    CHECK_OK();
    n_done = n_failed = 0;
    unsigned n_started = 0, n_echoes = 0;
    for (unsigned round = 0; round < 4; round++) {
        for (unsigned i = 0; i < N_SESSIONS * N_SLOTS; i++, n_started++) {
            tern_bytes *request = i % 10 ? &small : &large;
            CHECK_EQ(tern_call_start_raw(sessions[i % N_SESSIONS], TOIL, *request, NULL, done, request), 0);
        }
        CHECK_EQ(tern_call_start_raw(one, ECHO, small, NULL, done, &small), 0);
        for (n_started++, n_echoes++; n_done < n_started;) {
            CHECK(tern_poll(many) >= 0 && tern_poll(few) >= 0);
            CHECK_OK();
        }
    }
    CHECK_EQ(n_failed, 0);
    tern_endpoint_free(many);
    tern_endpoint_free(few);
    server_stop(&s);
    CHECK(s.result >= 0);
    CHECK(s.stats.calls_put_off > 0);
    CHECK_EQ(s.stats.calls_served, n_started);
    CHECK_OK();
}

static void behind__udp(void) { run_both("udp://127.0.0.1:0"); }
static void behind__tcp(void) { run_both("tcp://127.0.0.1:0"); }

static void behind__shm(void) {
    char at[64];
    snprintf(at, sizeof at, "shm:///tmp/tern-behind-%d.sock", (int)getpid());
    run_both(at);
}

/* The answers to calls that come together do not wait until all of these have run: clients use the time. */
static void answers__leave_meanwhile(void) {
    enum { N_TRIES = 10, N = 8 * N_SLOTS };
    unsigned fewest = N;
    for (unsigned try = 0; try < N_TRIES && fewest == N; try++) {
        server s;
        tern_endpoint *ep;
        tern_session *sessions[N / N_SLOTS];
        CHECK(server_start(&s, "tcp://127.0.0.1:0", false));
        CHECK_EQ(tern_endpoint_new(NULL, &ep), 0);
        n_toils = 0;
        n_done = n_failed = 0;
        for (unsigned i = 0; i < N / N_SLOTS; i++) {
            unsigned n_echoed = 0;
            CHECK_EQ(tern_connect(ep, s.address, &sessions[i]), 0);
            CHECK_EQ(tern_call_start_raw(sessions[i], ECHO, small, NULL, echoed, &n_echoed), 0);
            while (!n_echoed) CHECK(tern_poll(ep) >= 0);
        }
        for (unsigned i = 0; i < N; i++)
            CHECK_EQ(tern_call_start_raw(sessions[i / N_SLOTS], TOIL, small, NULL, done, &small), 0);
        while (n_done == 0) CHECK(tern_poll(ep) >= 0);
        if (n_toils < fewest) fewest = n_toils;
        while (n_done < N) CHECK(tern_poll(ep) >= 0);
        CHECK_EQ(n_failed, 0);
        tern_endpoint_free(ep);
        server_stop(&s);
        CHECK_OK();
    }
    CHECK(fewest < N);
}

/* Who comes while handlers take long is let in after some of them, not after some hundred polls of them. */
static void come_late(uint32_t method) {
    char listen_at[64];
    server s;
    tern_endpoint *many, *few;
    tern_session *sessions[N_SESSIONS], *one = NULL;
    unsigned n_started = 0, n_echoed = 0, came_at = 0;
    snprintf(listen_at, sizeof listen_at, "shm:///tmp/tern-late-%d.sock", (int)getpid());
    CHECK(server_start(&s, listen_at, false));
    CHECK_EQ(new_patient(&many), 0);
    CHECK_EQ(new_patient(&few), 0);
    for (unsigned i = 0; i < N_SESSIONS; i++) CHECK_EQ(tern_connect(many, s.address, &sessions[i]), 0);
    n_done = n_failed = 0;
    while (n_echoed == 0 && n_failed == 0) {
        for (; n_started < n_done + N_SESSIONS * N_SLOTS; n_started++)
            CHECK_EQ(tern_call_start_raw(sessions[n_started % N_SESSIONS], method, small, NULL, done, &small), 0);
        if (n_done > 1000 && !one) {
            CHECK_EQ(tern_connect(few, s.address, &one), 0);
            CHECK_EQ(tern_call_start_raw(one, ECHO, small, NULL, echoed, &n_echoed), 0);
            came_at = n_done;
        }
        CHECK(tern_poll(many) >= 0 && tern_poll(few) >= 0);
        CHECK_OK();
    }
    unsigned n_before = n_done - came_at;
    CHECK_EQ(n_failed, 0);
    tern_endpoint_free(many);
    tern_endpoint_free(few);
    server_stop(&s);
    CHECK(n_before < 400);
    CHECK_OK();
}

static void behind__late_toil(void) { come_late(TOIL); }
static void behind__late_doze(void) { come_late(DOZE); }

static void on_end(tern_stream stream, int status, void *user) {
    (void)stream, (void)user;
    n_done++;
    n_failed += status != TERN_STATUS_OK;
}

/* Streams of one client whose handlers take a server's time, and small calls of another. At best the server takes few
 * pieces of the streams while it has such a call to answer. */
static void pour_beside_calls(const char *listen_at) {
    enum { N_STREAMS = N_SESSIONS * N_SLOTS, N_ROUNDS = 12 };
    server s;
    tern_endpoint *many, *few;
    tern_session *sessions[N_SESSIONS], *one;
    tern_stream streams[N_STREAMS];
    tern_stream_events events = TERN_STREAM_EVENTS(.on_end = on_end);
    unsigned fewest = UINT32_MAX, n_echoed = 0;
    n_pieces = 0;
    n_done = n_failed = 0;
    bool ok = server_start(&s, listen_at, false) && !new_patient(&many) && !new_patient(&few);
    ok = ok && !tern_connect(few, s.address, &one);
    for (unsigned i = 0; ok && i < N_SESSIONS; i++) ok = !tern_connect(many, s.address, &sessions[i]);
    for (unsigned i = 0; ok && i < N_STREAMS; i++)
        ok = !tern_stream_start(sessions[i % N_SESSIONS], POUR, NULL, &events, NULL, &streams[i]);
    for (unsigned round = 1; ok && round <= N_ROUNDS; round++) {
        for (unsigned i = 0; i < N_STREAMS; i++)
            ok &= !tern_stream_write(streams[i], small) && !tern_stream_flush(streams[i]);
        unsigned before = n_pieces;
        ok = ok && tern_poll(many) >= 0 && !tern_call_start_raw(one, ECHO, small, NULL, echoed, &n_echoed);
        while (ok && n_echoed < round) ok = tern_poll(many) >= 0 && tern_poll(few) >= 0;
        if (n_pieces - before < fewest) fewest = n_pieces - before;
        while (ok && n_pieces < round * N_STREAMS) ok = tern_poll(many) >= 0 && tern_poll(few) >= 0;
    }
    for (unsigned i = 0; ok && i < N_STREAMS; i++) ok = !tern_stream_finish(streams[i]);
    while (ok && n_done < N_STREAMS) ok = tern_poll(many) >= 0;
    tern_endpoint_free(many);
    tern_endpoint_free(few);
    server_stop(&s);
    CHECK(ok);
    CHECK_EQ(n_failed, 0);
    CHECK_EQ(n_pieces, N_ROUNDS * N_STREAMS);
    CHECK(s.stats.calls_put_off > 0);
    CHECK(fewest < 50);
}

static void behind__streams(void) {
    pour_beside_calls("udp://127.0.0.1:0");
    CHECK_OK();
    pour_beside_calls("tcp://127.0.0.1:0");
}

/* What takes a server no time is never put off, however much of it there is. */
static void behind__small_calls_never(void) {
    server s;
    tern_endpoint *ep;
    tern_session *session;
    if (TERN__SANITIZED) SKIP("handlers take long in such a build");
    CHECK(server_start(&s, "udp://127.0.0.1:0", false));
    CHECK_EQ(tern_endpoint_new(NULL, &ep), 0);
    CHECK_EQ(tern_connect(ep, s.address, &session), 0);
    n_done = n_failed = 0;
    for (unsigned n_started = 0; n_done < 50000;) {
        for (; n_started < n_done + 56; n_started++)
            CHECK_EQ(tern_call_start_raw(session, ECHO, small, NULL, done, &small), 0);
        CHECK(tern_poll(ep) >= 0);
        CHECK_OK();
    }
    CHECK_EQ(n_failed, 0);
    tern_endpoint_free(ep);
    server_stop(&s);
    CHECK_EQ(s.stats.calls_put_off, 0);
    CHECK_OK();
}

/* How many of a client's calls, with pauses between them, a server puts off that sleeps in the pauses. */
static void call_sleeper(const char *listen_at, uint64_t *n_put_off) {
    server s;
    tern_endpoint *ep;
    tern_session *session;
    CHECK(server_start(&s, listen_at, true));
    CHECK_EQ(tern_endpoint_new(NULL, &ep), 0);
    CHECK_EQ(tern_connect(ep, s.address, &session), 0);
    n_done = n_failed = 0;
    for (unsigned i = 0; i < 100; i++, usleep(2000)) {
        CHECK_EQ(tern_call_start_raw(session, ECHO, small, NULL, done, &small), 0);
        while (n_done <= i) CHECK(tern_poll(ep) >= 0);
    }
    CHECK_EQ(n_failed, 0);
    tern_endpoint_free(ep);
    server_stop(&s);
    CHECK_EQ(s.stats.calls_served, 100);
    *n_put_off = s.stats.calls_put_off;
}

/* Nor is the time that a server sleeps. On a machine where other programs have the processors for most of the time it
 * may look as if handlers took it; but not every time. */
static void behind__sleepers_never(void) {
    static const char *const at[] = {"udp://127.0.0.1:0", "tcp://127.0.0.1:0"};
    enum { N_TRIES = 20 };
    for (unsigned k = 0; k < TERN__COUNT(at); k++) {
        uint64_t n_put_off = 1;
        for (unsigned try = 0; try < N_TRIES && n_put_off > 0; try++) {
            call_sleeper(at[k], &n_put_off);
            CHECK_OK();
        }
        CHECK_EQ(n_put_off, 0);
    }
}

TAP_MAIN(TEST(behind__udp), TEST(behind__tcp), TEST(behind__shm), TEST(answers__leave_meanwhile),
         TEST(behind__late_toil), TEST(behind__late_doze), TEST(behind__streams), TEST(behind__small_calls_never),
         TEST(behind__sleepers_never))
