/* Streaming calls of raw bytes through the public functions: what each event says and when, who holds what, and what
 * is refused. Virtual clock, but for the functions that wait, whose server has a thread of its own. */
#include "server_thread.h"
#include "tap.h"
#include "tern/call_stream.h"
#include "world.h"

enum { METHOD = 77, MAX_BYTES = 1 << 20 };

/* One end, and all that it has been told. */
typedef struct end {
    tern_stream stream;
    uint8_t *bytes; /* received */
    size_t n_bytes;
    unsigned n_data, n_finished, n_writable, n_ends;
    int status;
    bool ended, finished;
    bool not_run; /* as tern_call_has_not_run() says in on_end */
} end;

static world w;
static tern_session *session;
static end client, remote;
static tern_endpoint *caller; /* the client's, of tests that ask whether a call has run */
static uint64_t live_before;

/* What the server does. */
static struct {
    bool echo;       /* what it gets, and ends when the client does */
    bool pull;       /* reads when the test does */
    bool manual;     /* consumes when the test does */
    int at_once;     /* ends so inside the handler; -1: does not */
    size_t produces; /* bytes, from on_finished on */
} serve;

static uint8_t byte_at(size_t i) { return (uint8_t)(i * 13 + (i >> 9)); }

static void on_data(tern_stream stream, const void *data, size_t len, void *user) {
    end *e = user;
    e->n_data++;
    if (e->n_bytes + len <= MAX_BYTES) memcpy(e->bytes + e->n_bytes, data, len);
    e->n_bytes += len;
    if (e == &remote && serve.echo) tern_stream_send(stream, tern_bytes_of(data, len));
}

static void produce(end *e) {
    static uint8_t bytes[4096];
    while (e->n_bytes < serve.produces) {
        size_t n = serve.produces - e->n_bytes < sizeof bytes ? serve.produces - e->n_bytes : sizeof bytes;
        for (size_t i = 0; i < n; i++) bytes[i] = byte_at(e->n_bytes + i);
        if (tern_stream_write(e->stream, tern_bytes_of(bytes, n)) != 0) return;
        e->n_bytes += n;
    }
    tern_stream_end(e->stream, TERN_STATUS_OK);
    e->ended = true;
}

static void on_finished(tern_stream stream, void *user) {
    end *e = user;
    e->n_finished++;
    e->finished = true;
    if (serve.echo) tern_stream_end(stream, TERN_STATUS_OK);
    if (serve.produces) {
        e->n_bytes = 0;
        produce(e);
    }
}

static void on_writable(tern_stream stream, void *user) {
    (void)stream;
    end *e = user;
    e->n_writable++;
    if (e == &remote && serve.produces) produce(e);
}

static void on_end(tern_stream stream, int status, void *user) {
    end *e = user;
    e->n_ends++;
    e->status = status;
    e->ended = true;
    if (e == &client) {
        e->not_run = caller && tern_call_has_not_run(caller) == 1;
        if (tern_stream_write(stream, tern_bytes_of("x", 1)) != TERN_ERR_CLOSED) abort();
    }
}

static const tern_stream_events events = {sizeof(tern_stream_events), on_data, on_finished, on_writable, on_end};
static const tern_stream_events pull_events = {
    .size = sizeof(tern_stream_events), .on_finished = on_finished, .on_end = on_end};

static void count_data(tern_stream stream, const void *data, size_t len, void *user) {
    (void)stream, (void)data;
    ((end *)user)->n_bytes += len;
}

static void count_finished(tern_stream stream, void *user) {
    (void)user;
    tern_stream_end(stream, TERN_STATUS_OK);
}

static void count_handler(tern_stream stream, void *user) {
    (void)user;
    const tern_stream_events counting = TERN_STREAM_EVENTS(.on_data = count_data, .on_finished = count_finished);
    if (tern_stream_accept(stream, NULL, &counting, &remote) != 0) abort();
}

static void handle(tern_stream stream, void *user) {
    (void)user;
    remote.stream = stream;
    if (serve.at_once >= 0) {
        tern_stream_end(stream, (tern_status)serve.at_once);
        return;
    }
    tern_stream_opts opts = TERN_STREAM_OPTS(.window_bytes = 64 << 10, .buffer_bytes = serve.echo ? 1 << 20 : 16 << 10,
                                             .manual = serve.manual);
    if (tern_stream_accept(stream, &opts, serve.pull ? &pull_events : &events, &remote) != 0) abort();
    CHECK_EQ(tern_stream_accept(stream, &opts, &events, &remote), TERN_ERR_STATE);
}

static uint64_t live_buffers(void) {
    tern_mem_stats stats;
    tern_mem_get_stats(&stats);
    return stats.live_buffers;
}

static void setup(bool reliable, double loss) {
    free(client.bytes);
    free(remote.bytes);
    client = (end){.bytes = malloc(MAX_BYTES), .status = -1};
    remote = (end){.bytes = malloc(MAX_BYTES), .status = -1};
    memset(&serve, 0, sizeof serve);
    serve.at_once = -1;
    live_before = live_buffers();
    CHECK(world_init(&w, reliable, loss));
    CHECK_EQ(tern_serve_stream(w.ep[SERVER], METHOD, handle, NULL), 0);
    CHECK_EQ(tern_connect(w.ep[CLIENT], "sim://0", &session), 0);
}

static void teardown(void) {
    world_fini(&w);
    CHECK_EQ(live_buffers(), live_before);
}

static void start(const tern_stream_opts *opts) {
    CHECK_EQ(tern_stream_start(session, METHOD, opts, &events, &client, &client.stream), 0);
}

/* Write so many bytes of the pattern, as far as there is room. Returns how many. */
static size_t write_bytes(end *e, size_t at, size_t n) {
    uint8_t bytes[1000];
    size_t from = at;
    while (at < from + n) {
        size_t len = from + n - at < sizeof bytes ? from + n - at : sizeof bytes;
        for (size_t i = 0; i < len; i++) bytes[i] = byte_at(at + i);
        if (tern_stream_write(e->stream, tern_bytes_of(bytes, len)) != 0) break;
        at += len;
    }
    return at - from;
}

static bool is_right(const end *e, size_t n) {
    if (e->n_bytes != n) return false;
    for (size_t i = 0; i < n; i++)
        if (e->bytes[i] != byte_at(i)) return false;
    return true;
}

static void echo__both_ways(void) {
    for (int k = 0; k < 3; k++) {
        setup(k == 0, k == 2 ? 0.1 : 0);
        CHECK_OK();
        serve.echo = true;
        start(NULL);
        CHECK_OK();
        CHECK_EQ(write_bytes(&client, 0, 20000), 20000);
        CHECK_EQ(tern_stream_finish(client.stream), 0);
        CHECK_EQ(tern_stream_finish(client.stream), TERN_ERR_STATE);
        CHECK_EQ(tern_stream_write(client.stream, tern_bytes_of("x", 1)), TERN_ERR_STATE);
        CHECK_EQ(tern_stream_end(client.stream, TERN_STATUS_OK), TERN_ERR_STATE);
        CHECK(world_run(&w, &client.ended, TERN_SEC));
        CHECK_EQ(client.status, TERN_STATUS_OK);
        CHECK(is_right(&client, 20000) && is_right(&remote, 20000));
        CHECK_EQ(remote.n_finished, 1);
        CHECK_EQ(remote.n_ends, 0);
        CHECK_EQ(client.n_ends, 1);
        CHECK_EQ(tern_stream_write(client.stream, tern_bytes_of("x", 1)), TERN_ERR_STALE);
        teardown();
        CHECK_OK();
    }
}

static void send__is_a_packet_of_its_own(void) {
    setup(true, 0);
    CHECK_OK();
    start(NULL);
    for (unsigned i = 0; i < 5; i++) CHECK_EQ(tern_stream_send(client.stream, tern_bytes_of("hello", 5)), 0);
    for (int i = 0; i < 8; i++) world_turn(&w);
    CHECK_EQ(remote.n_bytes, 25);
    for (unsigned i = 0; i < 5; i++) {
        CHECK_EQ(tern_stream_send(client.stream, tern_bytes_of("hello", 5)), 0);
        for (int k = 0; k < 8; k++) world_turn(&w);
    }
    CHECK_EQ(remote.n_bytes, 50);
    CHECK(remote.n_data >= 6);
    CHECK_EQ(tern_stream_write(client.stream, tern_bytes_of("later", 5)), 0);
    for (int i = 0; i < 3; i++) world_turn(&w);
    CHECK_EQ(remote.n_bytes, 50);
    CHECK_EQ(tern_stream_flush(client.stream), 0);
    for (int i = 0; i < 3; i++) world_turn(&w);
    CHECK_EQ(remote.n_bytes, 55);
    teardown();
}

static void writable__follows_full(void) {
    for (int k = 0; k < 3; k++) {
        setup(k == 0, k == 2 ? 0.1 : 0);
        CHECK_OK();
        serve.produces = 500000;
        start(&TERN_STREAM_OPTS(.window_bytes = 64 << 10));
        CHECK_EQ(tern_stream_finish(client.stream), 0);
        CHECK(world_run(&w, &client.ended, 5 * TERN_SEC));
        CHECK_EQ(client.status, TERN_STATUS_OK);
        CHECK(is_right(&client, 500000));
        CHECK(remote.n_writable > 5);
        teardown();
        CHECK_OK();
    }
}

/* A reader that pauses gets nothing, and its writer stops. */
static void pause__holds_everything_back(void) {
    for (int k = 0; k < 2; k++) {
        setup(k == 0, 0);
        CHECK_OK();
        serve.produces = 500000;
        start(&TERN_STREAM_OPTS(.window_bytes = 64 << 10));
        CHECK_EQ(tern_stream_pause(client.stream), 0);
        CHECK_EQ(tern_stream_finish(client.stream), 0);
        CHECK(!world_run(&w, &client.ended, 50 * TERN_MS));
        CHECK_EQ(client.n_bytes, 0);
        CHECK(remote.n_bytes > 64 << 10 && remote.n_bytes < 100 << 10);
        CHECK(live_buffers() - live_before < 100);
        CHECK_EQ(tern_stream_resume(client.stream), 0);
        CHECK_EQ(client.n_bytes, 0); /* not from inside the function */
        CHECK(world_run(&w, &client.ended, TERN_SEC));
        CHECK_EQ(client.status, TERN_STATUS_OK);
        CHECK(is_right(&client, 500000));
        teardown();
        CHECK_OK();
    }
}

/* The end waits for the bytes before it. */
static void pause__also_holds_the_end_back(void) {
    setup(true, 0);
    CHECK_OK();
    serve.produces = 3000;
    start(NULL);
    CHECK_EQ(tern_stream_pause(client.stream), 0);
    CHECK_EQ(tern_stream_finish(client.stream), 0);
    CHECK(!world_run(&w, &client.ended, 50 * TERN_MS));
    CHECK(remote.ended);
    CHECK_EQ(client.n_ends, 0);
    CHECK_EQ(tern_stream_resume(client.stream), 0);
    CHECK(world_run(&w, &client.ended, TERN_SEC));
    CHECK(is_right(&client, 3000));
    CHECK_EQ(client.status, TERN_STATUS_OK);
    teardown();
}

static void manual__grants_what_is_consumed(void) {
    setup(true, 0);
    CHECK_OK();
    serve.manual = true;
    start(NULL);
    size_t written = write_bytes(&client, 0, 200000);
    CHECK_EQ(tern_stream_flush(client.stream), 0);
    CHECK(!world_run(&w, &client.ended, 20 * TERN_MS));
    CHECK(remote.n_bytes > 60 << 10 && remote.n_bytes <= 64 << 10);
    CHECK_EQ(tern_stream_consume(remote.stream, 50000), 0);
    CHECK(!world_run(&w, &client.ended, 20 * TERN_MS));
    CHECK(remote.n_bytes > 100000 && remote.n_bytes <= (64 << 10) + 50000);
    CHECK_EQ(tern_stream_consume(remote.stream, SIZE_MAX), 0); /* no more than there was */
    CHECK(!world_run(&w, &client.ended, 20 * TERN_MS));
    CHECK_EQ(tern_stream_consume(remote.stream, SIZE_MAX), 0);
    CHECK(!world_run(&w, &client.ended, 20 * TERN_MS));
    CHECK(is_right(&remote, written));
    CHECK_EQ(tern_stream_consume(client.stream, 1), TERN_ERR_STATE);
    teardown();
}

static void read__takes_what_waits(void) {
    setup(false, 0);
    CHECK_OK();
    serve.pull = true;
    start(NULL);
    size_t written = write_bytes(&client, 0, 100000), got = 0;
    CHECK_EQ(tern_stream_finish(client.stream), 0);
    int64_t n = 0;
    for (int i = 0; i < 1000 && n != TERN_ERR_CLOSED; i++) {
        world_turn(&w);
        if (!remote.stream.id) continue;
        n = tern_stream_read(remote.stream, remote.bytes + got, 700);
        if (n > 0) got += (size_t)n;
        if (n > 0) CHECK_EQ(remote.n_finished, 0);
    }
    CHECK_EQ(n, TERN_ERR_CLOSED);
    remote.n_bytes = got;
    CHECK(is_right(&remote, written));
    for (int i = 0; i < 10; i++) world_turn(&w);
    CHECK_EQ(remote.n_finished, 1);
    CHECK_EQ(tern_stream_end(remote.stream, TERN_STATUS_OK), 0);
    CHECK(world_run(&w, &client.ended, TERN_SEC));
    CHECK_EQ(client.status, TERN_STATUS_OK);
    CHECK_EQ(tern_stream_read(client.stream, remote.bytes, 1), TERN_ERR_STALE);
    teardown();
}

static void end__in_the_handler(void) {
    for (int k = 0; k < 2; k++) {
        setup(k == 0, 0);
        CHECK_OK();
        serve.at_once = TERN_STATUS_PERMISSION_DENIED;
        start(NULL);
        write_bytes(&client, 0, 50000);
        CHECK(world_run(&w, &client.ended, TERN_SEC));
        CHECK_EQ(client.status, TERN_STATUS_PERMISSION_DENIED);
        CHECK_EQ(client.n_bytes, 0);
        teardown();
        CHECK_OK();
    }
}

static void start__of_what_nobody_serves(void) {
    setup(true, 0);
    CHECK_OK();
    CHECK_EQ(tern_stream_start(session, METHOD + 1, NULL, &events, &client, &client.stream), 0);
    CHECK(world_run(&w, &client.ended, TERN_SEC));
    CHECK_EQ(client.status, TERN_STATUS_UNIMPLEMENTED);
    CHECK_EQ(tern_stream_start(session, METHOD, NULL, NULL, &client, &client.stream), TERN_ERR_INVALID);
    CHECK_EQ(tern_serve_stream(w.ep[SERVER], METHOD, handle, NULL), TERN_ERR_EXISTS);
    CHECK_EQ(tern_serve_stream(w.ep[SERVER], METHOD + 2, NULL, NULL), TERN_ERR_INVALID);
    teardown();
}

static void cancel__is_told_to_both(void) {
    for (int k = 0; k < 2; k++) {
        setup(k == 0, 0);
        CHECK_OK();
        start(NULL);
        write_bytes(&client, 0, 5000);
        tern_stream_flush(client.stream);
        for (int i = 0; i < 20; i++) world_turn(&w);
        CHECK_EQ(tern_stream_cancel(remote.stream), TERN_ERR_STATE);
        CHECK_EQ(tern_stream_cancel(client.stream), 0);
        CHECK_EQ(client.n_ends, 0);
        CHECK_EQ(tern_stream_cancel(client.stream), TERN_ERR_CLOSED);
        CHECK(world_run(&w, &remote.ended, TERN_SEC));
        CHECK_EQ(client.status, TERN_STATUS_CANCELLED);
        CHECK_EQ(remote.status, TERN_STATUS_CANCELLED);
        CHECK_EQ(client.n_ends + remote.n_ends, 2);
        teardown();
        CHECK_OK();
    }
}

static void cancel_on_data(tern_stream stream, const void *data, size_t len, void *user) {
    on_data(stream, data, len, user);
    if (tern_stream_cancel(stream) != 0) abort();
}

/* While more than that waits here. */
static void cancel__in_on_data_after_a_pause(void) {
    setup(true, 0);
    CHECK_OK();
    serve.produces = 600000;
    tern_stream_events cancelling = TERN_STREAM_EVENTS(.on_data = cancel_on_data, .on_end = on_end);
    CHECK_EQ(tern_stream_start(session, METHOD, NULL, &cancelling, &client, &client.stream), 0);
    CHECK_EQ(tern_stream_finish(client.stream), 0);
    CHECK_EQ(tern_stream_pause(client.stream), 0);
    for (int i = 0; i < 100; i++) world_turn(&w);
    CHECK_EQ(tern_stream_resume(client.stream), 0);
    CHECK(world_run(&w, &client.ended, TERN_SEC) && world_run(&w, &remote.ended, TERN_SEC));
    CHECK_EQ(client.n_data, 1);
    CHECK_EQ(client.status, TERN_STATUS_CANCELLED);
    CHECK_EQ(client.n_ends, 1);
    teardown();
}

static void deadline__is_told_to_both(void) {
    for (int k = 0; k < 2; k++) {
        setup(k == 0, 0);
        CHECK_OK();
        start(&TERN_STREAM_OPTS(.timeout = 5 * TERN_MS));
        tern_stream_send(client.stream, tern_bytes_of("x", 1));
        while (remote.n_bytes == 0) world_turn(&w);
        tern_dur left = tern_stream_time_left(remote.stream);
        CHECK(left > 0 && left <= 6 * TERN_MS);
        CHECK(world_run(&w, &client.ended, TERN_SEC) && world_run(&w, &remote.ended, TERN_SEC));
        CHECK_EQ(client.status, TERN_STATUS_DEADLINE_EXCEEDED);
        teardown();
        CHECK_OK();
    }
}

static void fail__drops_what_was_not_sent(void) {
    setup(true, 0);
    CHECK_OK();
    start(&TERN_STREAM_OPTS(.window_bytes = 64 << 10, .manual = true));
    tern_stream_send(client.stream, tern_bytes_of("x", 1));
    while (remote.n_bytes == 0) world_turn(&w);
    while (tern_stream_write(remote.stream, tern_bytes_of(client.bytes, 5000)) == 0) world_turn(&w);
    CHECK_EQ(tern_stream_fail(remote.stream, TERN_STATUS_OK), 0);
    CHECK_EQ(tern_stream_fail(remote.stream, TERN_STATUS_ABORTED), TERN_ERR_STALE);
    CHECK(world_run(&w, &client.ended, TERN_SEC));
    CHECK_EQ(client.status, TERN_STATUS_UNKNOWN);
    CHECK(client.n_bytes <= 64 << 10);
    CHECK_EQ(remote.n_ends, 0);
    teardown();
}

static void end__of_session_and_endpoint(void) {
    for (int k = 0; k < 3; k++) {
        setup(true, 0);
        CHECK_OK();
        start(NULL);
        tern_stream_send(client.stream, tern_bytes_of("x", 1));
        while (remote.n_bytes == 0) world_turn(&w);
        if (k == 0) CHECK_EQ(tern_session_close(session), 0);
        if (k == 1) tern_endpoint_free(w.ep[CLIENT]), w.ep[CLIENT] = NULL;
        if (k == 2) tern_endpoint_free(w.ep[SERVER]), w.ep[SERVER] = NULL;
        if (k < 2) CHECK_EQ(client.status, TERN_STATUS_UNAVAILABLE);
        if (k == 2) CHECK_EQ(remote.status, TERN_STATUS_UNAVAILABLE);
        CHECK(world_run(&w, k < 2 ? &remote.ended : &client.ended, TERN_SEC));
        CHECK_EQ(client.n_ends + remote.n_ends, 2);
        teardown();
        CHECK_OK();
    }
}

/* ---- More streams than places --------------------------------------------------------------------- */

enum { N_CROWD = 35, N_PLACES = 32 };

static tern_stream crowd[N_CROWD];
static int crowd_status[N_CROWD]; /* -1: goes on */
static unsigned n_crowd_ended;
static bool cancels_others;

static void crowd_end(tern_stream stream, int status, void *user) {
    (void)stream;
    crowd_status[(size_t)user] = status;
    n_crowd_ended++;
    for (size_t i = 0; cancels_others && i < N_CROWD; i++)
        if (crowd_status[i] < 0) tern_stream_cancel(crowd[i]);
}

/* The last one has 20 ms. */
static int start_crowd(void) {
    const tern_stream_events ends = TERN_STREAM_EVENTS(.on_end = crowd_end);
    int err = 0;
    n_crowd_ended = 0;
    for (size_t i = 0; i < N_CROWD && !err; i++) {
        crowd_status[i] = -1;
        tern_stream_opts opts = TERN_STREAM_OPTS(.timeout = i == N_CROWD - 1 ? 20 * TERN_MS : 0);
        err = tern_stream_start(session, METHOD, &opts, &ends, (void *)i, &crowd[i]);
    }
    return err;
}

static unsigned n_opened;
static tern_stream opened[N_CROWD];

static void keep_open(tern_stream stream, void *user) {
    (void)user;
    const tern_stream_events none = TERN_STREAM_EVENTS();
    if (n_opened < N_CROWD) opened[n_opened++] = stream;
    if (tern_stream_accept(stream, NULL, &none, NULL) != 0) abort();
}

static void echo_call(tern_call call, const void *request, void *user) {
    (void)user;
    tern_reply_raw(call, *(const tern_bytes *)request);
}

static bool call_ended;
static int call_ended_with;

static void call_done(void *user, int status, const void *response) {
    (void)user, (void)response;
    call_ended = true;
    call_ended_with = status;
}

static int call_status(void) {
    call_ended = false;
    if (tern_call_start_raw(session, METHOD, tern_bytes_of("x", 1), NULL, call_done, NULL) != 0) return -2;
    return world_run(&w, &call_ended, TERN_SEC) ? call_ended_with : -1;
}

static void setup_crowd(bool reliable, double loss) {
    live_before = live_buffers();
    n_opened = 0;
    cancels_others = false;
    CHECK(world_init(&w, reliable, loss));
    CHECK_EQ(tern_serve_stream(w.ep[SERVER], METHOD, keep_open, NULL), 0);
    CHECK_EQ(tern_serve_raw(w.ep[SERVER], METHOD, echo_call, NULL), 0);
    CHECK_EQ(tern_connect(w.ep[CLIENT], "sim://0", &session), 0);
}

/* Streams beyond the last place wait; calls do not, and deadlines pass meanwhile. */
static void places__run_out_for_streams_only(void) {
    for (int k = 0; k < 2; k++) {
        setup_crowd(k == 0, k == 0 ? 0 : 0.1);
        CHECK_OK();
        CHECK_EQ(start_crowd(), 0);
        for (int i = 0; i < 20; i++) CHECK_EQ(call_status(), TERN_STATUS_OK);
        for (int i = 0; i < 1000 && crowd_status[N_CROWD - 1] < 0; i++) world_turn(&w);
        CHECK_EQ(crowd_status[N_CROWD - 1], TERN_STATUS_DEADLINE_EXCEEDED);
        CHECK_EQ(n_opened, N_PLACES);
        CHECK_EQ(n_crowd_ended, 1);
        for (unsigned i = 0; i < N_CROWD - 1; i++) { /* each that ends makes room for one that waits */
            for (int turn = 0; turn < 1000 && n_opened <= i; turn++) world_turn(&w);
            CHECK(n_opened > i);
            CHECK_EQ(tern_stream_end(opened[i], TERN_STATUS_OK), 0);
            CHECK_EQ(call_status(), TERN_STATUS_OK);
        }
        for (int i = 0; i < 1000 && n_crowd_ended < N_CROWD; i++) world_turn(&w);
        for (size_t i = 0; i < N_CROWD - 1; i++) CHECK_EQ(crowd_status[i], TERN_STATUS_OK);
        teardown();
        CHECK_OK();
    }
}

/* Those who are told may end those that are about to be told. */
static void end__cancels_others_that_wait(void) {
    for (int k = 0; k < 2; k++) {
        setup_crowd(true, 0);
        CHECK_OK();
        cancels_others = true;
        CHECK_EQ(start_crowd(), 0);
        if (k == 0) {
            for (int i = 0; i < 100 && n_opened < N_PLACES; i++) world_turn(&w);
            tern_endpoint_free(w.ep[SERVER]);
        } else { /* nobody has answered yet, and one's time is up */
            tern_endpoint_free(w.ep[SERVER]);
        }
        w.ep[SERVER] = NULL;
        for (int i = 0; i < 1000 && n_crowd_ended < N_CROWD; i++) world_turn(&w);
        CHECK_EQ(n_crowd_ended, N_CROWD);
        CHECK(world_boot(&w, SERVER, NULL));
        CHECK_EQ(tern_serve_raw(w.ep[SERVER], METHOD, echo_call, NULL), 0);
        CHECK_EQ(call_status(), TERN_STATUS_OK); /* the backlog's count is right */
        teardown();
        CHECK_OK();
    }
}

static void *foreign(void *arg) {
    int *errors = arg;
    *errors = tern_stream_write(client.stream, tern_bytes_of("x", 1)) == TERN_ERR_THREAD &&
              tern_stream_cancel(client.stream) == TERN_ERR_THREAD &&
              tern_stream_wait(client.stream) == TERN_ERR_THREAD &&
              tern_stream_start(session, METHOD, NULL, &events, &client, &client.stream) == TERN_ERR_THREAD &&
              tern_stream_read(client.stream, client.bytes, 1) == TERN_ERR_THREAD &&
              tern_serve_stream(w.ep[SERVER], METHOD, handle, NULL) == TERN_ERR_THREAD;
    return NULL;
}

static void thread__of_somebody_else(void) {
    setup(true, 0);
    CHECK_OK();
    start(NULL);
    int refused = 0;
    pthread_t thread;
    pthread_create(&thread, NULL, foreign, &refused);
    pthread_join(thread, NULL);
    CHECK(refused);
    teardown();
}

/* ---- With a server in a thread of its own ------------------------------------------------------- */

static int set_up(tern_endpoint *ep, void *user) { return tern_serve_stream(ep, METHOD, handle, user); }

/* What the writer puts comes back to the reader, over each kind of port. */
static void sink_and_source__echo_numbers(void) {
    enum { N = 30000 };
    for (unsigned k = 0; k < 4; k++) {
        server h = {.listen_at = server_addresses()[k], .set_up = set_up};
        tern_endpoint *ep;
        tern_stream_events pull = TERN_STREAM_EVENTS(.on_end = on_end);
        tern_writer writer;
        tern_reader reader;
        free(client.bytes);
        free(remote.bytes);
        client = (end){0};
        remote = (end){.bytes = malloc(MAX_BYTES)};
        memset(&serve, 0, sizeof serve);
        serve.at_once = -1;
        serve.echo = true;
        CHECK(server_start(&h));
        CHECK_EQ(tern_endpoint_new(NULL, &ep), 0);
        CHECK_EQ(tern_connect(ep, h.address, &session), 0);
        CHECK_EQ(tern_stream_start(session, METHOD, NULL, &pull, &client, &client.stream), 0);
        CHECK_EQ(tern_writer_init(&writer, tern_stream_sink(&client.stream), 4096), 0);
        for (uint32_t i = 0; i < N; i++) tern_put_u32(&writer, i * 7);
        CHECK_EQ(tern_writer_fini(&writer), 0);
        CHECK_EQ(tern_stream_finish(client.stream), 0);
        CHECK_EQ(tern_reader_init(&reader, tern_stream_source(&client.stream), 4096), 0);
        unsigned n_wrong = 0;
        for (uint32_t i = 0; i < N; i++) n_wrong += tern_get_u32(&reader) != i * 7;
        CHECK_EQ(reader.err, 0);
        CHECK_EQ(n_wrong, 0);
        CHECK_EQ(tern_reader_fini(&reader), 0);
        CHECK_EQ(tern_stream_wait(client.stream), TERN_STATUS_OK);
        CHECK_EQ(client.n_ends, 1);
        tern_endpoint_free(ep);
        CHECK_EQ(server_stop(&h), 0);
    }
}

static void wait_writable__makes_room(void) {
    server h = {.listen_at = server_addresses()[1], .set_up = set_up};
    tern_endpoint *ep;
    uint8_t bytes[1000];
    size_t at = 0;
    unsigned n_full = 0;
    client = (end){.bytes = NULL};
    free(remote.bytes);
    remote = (end){.bytes = malloc(MAX_BYTES)};
    memset(&serve, 0, sizeof serve);
    serve.at_once = -1;
    CHECK(server_start(&h));
    CHECK_EQ(tern_endpoint_new(NULL, &ep), 0);
    CHECK_EQ(tern_connect(ep, h.address, &session), 0);
    tern_stream_events quiet = TERN_STREAM_EVENTS(.on_end = on_end);
    CHECK_EQ(tern_stream_start(session, METHOD, NULL, &quiet, &client, &client.stream), 0);
    while (at < 900000) {
        for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = byte_at(at + i);
        int err = tern_stream_write(client.stream, tern_bytes_of(bytes, sizeof bytes));
        if (err == TERN_ERR_FULL) {
            n_full++;
            CHECK_EQ(tern_stream_wait_writable(client.stream), 0);
            continue;
        }
        CHECK_EQ(err, 0);
        at += sizeof bytes;
    }
    CHECK_EQ(tern_stream_cancel(client.stream), 0);
    CHECK_EQ(tern_stream_wait(client.stream), TERN_STATUS_CANCELLED);
    CHECK(n_full > 0);
    tern_endpoint_free(ep);
    CHECK_EQ(server_stop(&h), 0);
    remote.n_bytes = remote.n_bytes / 1000 * 1000;
    CHECK(is_right(&remote, remote.n_bytes) && remote.n_bytes > 500000);
}

/* From one buffer of 1 MB, over shared memory, both ends in this thread. */
static void request__of_9_GB_in_bounded_memory(void) {
    const uint64_t total = (9ull << 30) + 12345; /* grants, of 32 bits, begin anew twice */
    tern_endpoint *ep[2];
    uint64_t sent = 0, most = 0;
    free(remote.bytes);
    client = (end){0};
    remote = (end){0};
    uint8_t *piece = tern_alloc(1 << 20);
    CHECK(piece != NULL);
    memset(piece, 1, 1 << 20);
    for (int i = 0; i < 2; i++) CHECK_EQ(tern_endpoint_new(NULL, &ep[i]), 0);
    CHECK_EQ(tern_listen(ep[0], server_addresses()[1]), 0);
    CHECK_EQ(tern_serve_stream(ep[0], METHOD, count_handler, NULL), 0);
    CHECK_EQ(tern_connect(ep[1], server_addresses()[1], &session), 0);
    CHECK_EQ(tern_stream_start(session, METHOD, NULL, &events, &client, &client.stream), 0);
    uint64_t before = live_buffers();
    while (!client.ended) {
        size_t len = total - sent < 1 << 20 ? (size_t)(total - sent) : 1 << 20;
        int err = len ? tern_stream_write(client.stream, tern_bytes_of(piece, len)) : 0;
        if (!err) sent += len;
        if (!err && len && sent == total) CHECK_EQ(tern_stream_finish(client.stream), 0);
        CHECK(err == 0 || err == TERN_ERR_FULL);
        CHECK(tern_poll(ep[1]) >= 0 && tern_poll(ep[0]) >= 0);
        if (live_buffers() - before > most) most = live_buffers() - before;
    }
    CHECK_EQ(client.status, TERN_STATUS_OK);
    CHECK_EQ(remote.n_bytes, total);
    tern_endpoint_stats stats;
    tern_endpoint_get_stats(ep[1], &stats);
    CHECK_EQ(stats.copied_bytes, 0);
    CHECK_EQ(stats.inplace_bytes, total);
    printf("# at most %llu buffers more than before\n", (unsigned long long)most);
    CHECK(most < 32);
    for (int i = 1; i >= 0; i--) tern_endpoint_free(ep[i]);
    tern_unref(piece);
}

static void start__where_nobody_listens(void) {
    tern_endpoint *ep;
    client = (end){0};
    CHECK_EQ(tern_endpoint_new(NULL, &ep), 0);
    CHECK_EQ(tern_connect(ep, "shm:///tmp/tern-test-nobody.sock", &session), 0);
    CHECK_EQ(tern_stream_start(session, METHOD, NULL, &events, &client, &client.stream), 0);
    CHECK_EQ(client.n_ends, 0);
    CHECK_EQ(tern_stream_wait(client.stream), TERN_STATUS_UNAVAILABLE);
    CHECK_EQ(client.n_ends, 1);
    tern_endpoint_free(ep);
}

/* What nobody reads holds no end back but that of the server, and not that either from whoever waits for the end. */
static void end__of_what_nobody_reads(void) {
    for (int k = 0; k < 2; k++) {
        for (int how = 0; how < 4; how++) {
            setup(k == 0, 0);
            CHECK_OK();
            const tern_stream_opts limited = TERN_STREAM_OPTS(.timeout = 20 * TERN_MS);
            CHECK_EQ(
                tern_stream_start(session, METHOD, how == 1 ? &limited : NULL, &pull_events, &client, &client.stream),
                0);
            if (how == 2) CHECK_EQ(tern_stream_pause(client.stream), 0);
            tern_stream_flush(client.stream);
            for (int i = 0; i < 20 && !remote.stream.id; i++) world_turn(&w);
            CHECK_EQ(tern_stream_send(remote.stream, tern_bytes_of("x", 1)), 0);
            if (how != 1) CHECK_EQ(tern_stream_end(remote.stream, TERN_STATUS_ABORTED), 0);
            for (int i = 0; i < 40; i++) world_turn(&w);
            CHECK(how == 1 || !client.ended);
            if (how == 0) CHECK_EQ(tern_stream_wait(client.stream), TERN_STATUS_ABORTED);
            if (how == 1) CHECK(world_run(&w, &client.ended, TERN_SEC));
            if (how == 2) CHECK_EQ(tern_stream_cancel(client.stream), TERN_ERR_CLOSED);
            if (how == 3) {
                char byte;
                CHECK_EQ(tern_stream_read(client.stream, &byte, 1), 1);
            }
            CHECK(world_run(&w, &client.ended, TERN_SEC));
            CHECK_EQ(client.status, how == 1 ? TERN_STATUS_DEADLINE_EXCEEDED : TERN_STATUS_ABORTED);
            CHECK_EQ(client.n_ends, 1);
            teardown();
            CHECK_OK();
        }
    }
}

/* Streams that end before anything of them is sent, and one that a handler has ended. */
static void end__tells_whether_the_handler_ran(void) {
    for (int k = 0; k < 2; k++) {
        setup(k == 0, 0);
        CHECK_OK();
        caller = w.ep[CLIENT];
        tern_stream_opts late = TERN_STREAM_OPTS(.timeout = -1);
        start(&late);
        CHECK(world_run(&w, &client.ended, TERN_SEC));
        CHECK_EQ(client.status, TERN_STATUS_DEADLINE_EXCEEDED);
        CHECK(client.not_run);
        client.ended = false;
        start(NULL);
        tern_stream_flush(client.stream);
        for (int i = 0; i < 20 && !remote.stream.id; i++) world_turn(&w);
        CHECK_EQ(tern_stream_end(remote.stream, TERN_STATUS_DEADLINE_EXCEEDED), 0);
        CHECK(world_run(&w, &client.ended, TERN_SEC));
        CHECK(!client.not_run);
        tern_session *nobody;
        client.ended = false;
        CHECK_EQ(tern_connect(caller, "shm:///tmp/tern-test-nobody.sock", &nobody), 0);
        CHECK_EQ(tern_stream_start(nobody, METHOD, NULL, &events, &client, &client.stream), 0);
        CHECK_EQ(tern_stream_wait(client.stream), TERN_STATUS_UNAVAILABLE);
        CHECK(client.not_run);
        caller = NULL;
        teardown();
    }
}

TAP_MAIN(TEST(echo__both_ways), TEST(send__is_a_packet_of_its_own), TEST(writable__follows_full),
         TEST(pause__holds_everything_back), TEST(pause__also_holds_the_end_back),
         TEST(manual__grants_what_is_consumed), TEST(read__takes_what_waits), TEST(end__in_the_handler),
         TEST(start__of_what_nobody_serves), TEST(cancel__is_told_to_both), TEST(cancel__in_on_data_after_a_pause),
         TEST(deadline__is_told_to_both), TEST(fail__drops_what_was_not_sent), TEST(end__of_session_and_endpoint),
         TEST(places__run_out_for_streams_only), TEST(end__cancels_others_that_wait), TEST(thread__of_somebody_else),
         TEST(sink_and_source__echo_numbers), TEST(wait_writable__makes_room), TEST(request__of_9_GB_in_bounded_memory),
         TEST(start__where_nobody_listens), TEST(end__tells_whether_the_handler_ran), TEST(end__of_what_nobody_reads))
