/* Handles of calls, streams and sessions that have ended: each says so, whoever has its record by then, and nothing of
 * what is done with it reaches anybody. */
#include "tap.h"

#include "rpc/handle.h"
#include "server_thread.h"
#include "tern/call_stream.h"

enum { HOLD = 1, WORK = 2, FLOW = 3, N_RECORDS = 5000 };

/* ---- The table ------------------------------------------------------------------------------------- */

static const uint64_t INDEX = TERN__HANDLE_GENERATION - 1;

static uint64_t next_random(uint64_t *state) { return *state = *state * 6364136223846793005 + 1442695040888963407; }

static void handles__each_leads_to_one_use_of_one_record(void) {
    static tern__named records[N_RECORDS];
    tern__handles handles;
    uint64_t state = 1;
    CHECK_EQ(tern__handles_init(&handles), 0);
    for (uint64_t id = 0; id < 200; id++) CHECK(!tern__handles_find(&handles, id)); /* there are no records */
    for (uint32_t i = 0; i < N_RECORDS; i++) {
        CHECK_EQ(tern__handles_add(&handles, &records[i]), 0);
        CHECK_EQ(tern__named_id(&records[i]) & INDEX, i);
        CHECK(tern__handles_find(&handles, tern__named_id(&records[i])) == &records[i]);
    }
    for (uint32_t i = 0; i < N_RECORDS; i++) {
        uint64_t before = tern__named_id(&records[i]);
        CHECK(tern__named_advance(&records[i]));
        CHECK(!tern__handles_find(&handles, before));
        CHECK(tern__handles_find(&handles, tern__named_id(&records[i])) == &records[i]);
    }
    for (int i = 0; i < 100000; i++) { /* ids that were made up */
        uint64_t id = next_random(&state) >> (i % 40);
        tern__named *found = tern__handles_find(&handles, id);
        CHECK(!found || tern__named_id(found) == id);
        CHECK(!found || (found >= records && found < records + N_RECORDS));
    }
    tern__handles_fini(&handles);
}

static void handles__a_generation_never_comes_again(void) {
    tern__named record;
    tern__handles handles;
    CHECK_EQ(tern__handles_init(&handles), 0);
    CHECK_EQ(tern__handles_add(&handles, &record), 0);
    uint64_t first = tern__named_id(&record), last = ~INDEX;
    atomic_store(&record.id, last - TERN__HANDLE_GENERATION); /* after so many uses */
    CHECK(tern__named_advance(&record));
    CHECK(tern__handles_find(&handles, last) == &record);
    CHECK(!tern__named_advance(&record)); /* not to be used again */
    CHECK(tern__named_id(&record) < TERN__HANDLE_GENERATION);
    CHECK(!tern__handles_find(&handles, last));
    CHECK(!tern__handles_find(&handles, first));
    tern__handles_fini(&handles);
}

static void handles__there_are_so_many_at_most(void) {
    tern__named *records = malloc(TERN__HANDLE_MAX_RECORDS * sizeof *records), more;
    tern__handles handles;
    CHECK(records != NULL);
    CHECK_EQ(tern__handles_init(&handles), 0);
    for (uint32_t i = 0; i < TERN__HANDLE_MAX_RECORDS; i++) CHECK_EQ(tern__handles_add(&handles, &records[i]), 0);
    CHECK_EQ(tern__handles_add(&handles, &more), TERN_ERR_LIMIT);
    CHECK(tern__handles_find(&handles, tern__named_id(&records[12345])) == &records[12345]);
    tern__handles_fini(&handles);
    free(records);
}

/* ---- A server and two clients ---------------------------------------------------------------------- */

typedef struct outcome {
    bool done;
    int status;
    char text[32];
} outcome;

static struct {
    tern_endpoint *server, *a, *b;
    tern_session *of_a, *of_b;
    tern_call held; /* the last */
    uint32_t n_held, n_told;
    tern_stream accepted; /* the last */
    uint32_t n_ends;
} fx;

static void on_cancel(tern_call call, tern_status why, void *user) {
    (void)call, (void)why, (void)user;
    fx.n_told++;
}

static void hold(tern_call call, const void *request, void *user) {
    (void)request, (void)user;
    fx.held = call;
    fx.n_held++;
    tern_call_on_cancel(call, on_cancel, NULL);
}

static void on_server_end(tern_stream stream, int status, void *user) {
    (void)stream, (void)status, (void)user;
    fx.n_ends++;
}

static void on_bytes(tern_stream stream, const void *data, size_t len, void *user) {
    outcome *o = user;
    size_t n = len < sizeof o->text - 1 ? len : sizeof o->text - 1;
    (void)stream;
    if (!o) return;
    memcpy(o->text, data, n);
    o->text[n] = 0;
}

static void accept_flow(tern_stream stream, void *user) {
    fx.accepted = stream;
    tern_stream_accept(stream, NULL, &TERN_STREAM_EVENTS(.on_data = on_bytes, .on_end = on_server_end), user);
}

static void on_done(void *user, int status, const void *response) {
    outcome *o = user;
    const tern_bytes *bytes = response;
    o->done = true;
    o->status = status;
    snprintf(o->text, sizeof o->text, "%.*s", bytes ? (int)bytes->len : 0, bytes ? (const char *)bytes->data : "");
}

static void turn(void) {
    tern_poll(fx.server);
    if (fx.a) tern_poll(fx.a);
    if (fx.b) tern_poll(fx.b);
}

static void begin(const char *address) {
    memset(&fx, 0, sizeof fx);
    CHECK_EQ(tern_endpoint_new(NULL, &fx.server), 0);
    CHECK_EQ(tern_serve_raw(fx.server, HOLD, hold, NULL), 0);
    CHECK_EQ(tern_serve_stream(fx.server, FLOW, accept_flow, NULL), 0);
    CHECK_EQ(tern_listen(fx.server, address), 0);
    CHECK_EQ(tern_endpoint_new(NULL, &fx.a), 0);
    CHECK_EQ(tern_endpoint_new(NULL, &fx.b), 0);
    CHECK_EQ(tern_connect(fx.a, tern_listen_address(fx.server, 0), &fx.of_a), 0);
    CHECK_EQ(tern_connect(fx.b, tern_listen_address(fx.server, 0), &fx.of_b), 0);
}

static void end(void) {
    tern_endpoint_free(fx.a);
    tern_endpoint_free(fx.b);
    tern_endpoint_free(fx.server);
}

/* The handle of a call that this session makes. */
static tern_call call_held(tern_session *session, const tern_call_opts *opts, outcome *o) {
    uint32_t before = fx.n_held;
    *o = (outcome){0};
    if (tern_call_start_raw(session, HOLD, tern_bytes_of("?", 1), opts, on_done, o) != 0) return (tern_call){0};
    for (int i = 0; i < 10000000 && fx.n_held == before; i++) turn();
    return fx.n_held == before ? (tern_call){0} : fx.held;
}

static bool wait_for(const bool *done) {
    for (int i = 0; i < 10000000 && !*done; i++) turn();
    return *done;
}

/* What every function says of a call that has ended. */
static bool is_stale(tern_call call) {
    const tern_pair pair = {"key", {"value", 5}};
    return tern_reply_raw(call, tern_bytes_of("stale", 5)) == TERN_ERR_STALE &&
           tern_reply(call, "stale") == TERN_ERR_STALE && tern_fail(call, TERN_STATUS_ABORTED) == TERN_ERR_STALE &&
           tern_fail_with(call, TERN_STATUS_ABORTED, "stale", (tern_bytes){0}, &pair, 1) == TERN_ERR_STALE &&
           tern_call_add_trailing(call, "key", (tern_bytes){0}) == TERN_ERR_STALE &&
           tern_call_on_cancel(call, on_cancel, NULL) == TERN_ERR_STALE &&
           tern_call_time_left(call) == TERN_ERR_STALE && !tern_call_arena(call) && !tern_call_loan(call) &&
           !tern_call_metadata(call).block && tern_call_is_cancelled(call) && !tern_call_is_open(call);
}

static void reply__a_late_second_one_reaches_nobody(void) {
    for (int port = 0; port < 4; port++) {
        outcome a, b;
        begin(server_addresses()[port]);
        CHECK_OK();
        tern_call of_a = call_held(fx.of_a, NULL, &a);
        CHECK(tern_call_is_open(of_a) && tern_call_endpoint(of_a) == fx.server);
        CHECK_EQ(tern_reply_raw(of_a, tern_bytes_of("for A", 5)), 0);
        CHECK(is_stale(of_a));
        CHECK(wait_for(&a.done));
        CHECK(strcmp(a.text, "for A") == 0);
        tern_call of_b = call_held(fx.of_b, NULL, &b);
        CHECK_EQ(of_b.id & INDEX, of_a.id & INDEX); /* the record is B's now */
        CHECK(of_b.id != of_a.id);
        CHECK(is_stale(of_a));
        for (int i = 0; i < 2000; i++) turn();
        CHECK(!b.done && tern_call_is_open(of_b) && !tern_call_is_cancelled(of_b));
        CHECK_EQ(tern_reply_raw(of_b, tern_bytes_of("for B", 5)), 0);
        CHECK(wait_for(&b.done));
        CHECK_EQ(b.status, TERN_STATUS_OK);
        CHECK(strcmp(b.text, "for B") == 0);
        CHECK(is_stale(of_a) && is_stale(of_b));
        CHECK(is_stale((tern_call){0}) && tern_call_endpoint((tern_call){0}) == NULL);
        end();
    }
}

/* The call goes on until it is replied to, once, and that reply goes nowhere. */
static void reply__when_nobody_waits_any_more(void) {
    enum { CANCEL, DEADLINE, DEATH, N_WAYS };
    for (int port = 0; port < 4; port++)
        for (int way = 0; way < N_WAYS; way++) {
            outcome a, b;
            tern_call_ref ref;
            begin(server_addresses()[port]);
            CHECK_OK();
            tern_call of_a =
                call_held(fx.of_a, &TERN_CALL_OPTS(.timeout = way == DEADLINE ? 20 * TERN_MS : 0, .ref = &ref), &a);
            CHECK(tern_call_is_open(of_a));
            if (way == CANCEL) CHECK_EQ(tern_call_cancel(fx.a, ref), 0);
            if (way == DEATH) {
                tern_endpoint_free(fx.a);
                fx.a = NULL;
            }
            CHECK(wait_for(&a.done));
            for (int i = 0; i < 10000000 && !fx.n_told; i++) turn();
            CHECK_EQ(fx.n_told, 1);
            CHECK(tern_call_is_open(of_a) && tern_call_is_cancelled(of_a));
            CHECK_EQ(tern_reply_raw(of_a, tern_bytes_of("for A", 5)), 0);
            CHECK(is_stale(of_a));
            tern_call of_b = call_held(fx.of_b, NULL, &b);
            CHECK_EQ(of_b.id & INDEX, of_a.id & INDEX);
            CHECK(is_stale(of_a));
            for (int i = 0; i < 1000; i++) turn();
            CHECK(!b.done);
            CHECK_EQ(tern_fail(of_b, TERN_STATUS_ABORTED), 0);
            CHECK(wait_for(&b.done));
            CHECK_EQ(b.status, TERN_STATUS_ABORTED);
            if (fx.a) CHECK_EQ(tern_call_cancel(fx.a, ref), TERN_ERR_STALE);
            end();
        }
}

/* ---- Streams --------------------------------------------------------------------------------------- */

static void on_client_end(tern_stream stream, int status, void *user) {
    outcome *o = user;
    (void)stream;
    o->done = true;
    o->status = status;
}

static bool is_over(tern_stream s) {
    uint8_t bytes[8];
    return tern_stream_write(s, tern_bytes_of("stale", 5)) == TERN_ERR_STALE &&
           tern_stream_send(s, tern_bytes_of("stale", 5)) == TERN_ERR_STALE && tern_stream_flush(s) == TERN_ERR_STALE &&
           tern_stream_finish(s) == TERN_ERR_STALE && tern_stream_cancel(s) == TERN_ERR_STALE &&
           tern_stream_wait(s) == TERN_ERR_STALE && tern_stream_wait_writable(s) == TERN_ERR_STALE &&
           tern_stream_consume(s, 1) == TERN_ERR_STALE && tern_stream_pause(s) == TERN_ERR_STALE &&
           tern_stream_resume(s) == TERN_ERR_STALE && tern_stream_read(s, bytes, sizeof bytes) == TERN_ERR_STALE &&
           tern_stream_end(s, TERN_STATUS_OK) == TERN_ERR_STALE &&
           tern_stream_fail(s, TERN_STATUS_ABORTED) == TERN_ERR_STALE &&
           tern_stream_end_with(s, TERN_STATUS_ABORTED, "stale", (tern_bytes){0}, NULL, 0) == TERN_ERR_STALE &&
           tern_stream_fail_with(s, TERN_STATUS_ABORTED, "stale", (tern_bytes){0}, NULL, 0) == TERN_ERR_STALE &&
           tern_stream_add_trailing(s, "key", (tern_bytes){0}) == TERN_ERR_STALE &&
           tern_stream_accept(s, NULL, &TERN_STREAM_EVENTS(.on_data = NULL), NULL) == TERN_ERR_STALE &&
           !tern_stream_metadata(s).block && !tern_stream_is_open(s);
}

static tern_stream open_flow(tern_session *session, outcome *o) {
    tern_stream stream = {0};
    *o = (outcome){0};
    fx.accepted = (tern_stream){0};
    tern_stream_start(session, FLOW, NULL, &TERN_STREAM_EVENTS(.on_data = on_bytes, .on_end = on_client_end), o,
                      &stream);
    for (int i = 0; i < 10000000 && !fx.accepted.id; i++) turn();
    return stream;
}

static void stream__whose_record_is_anothers(void) {
    for (int port = 0; port < 4; port++) {
        outcome a, b;
        begin(server_addresses()[port]);
        CHECK_OK();
        tern_stream client_a = open_flow(fx.of_a, &a), server_a = fx.accepted;
        CHECK(tern_stream_is_open(client_a) && tern_stream_is_open(server_a));
        CHECK_EQ(tern_stream_end(server_a, TERN_STATUS_OK), 0);
        CHECK(is_over(server_a));
        CHECK(wait_for(&a.done));
        CHECK(is_over(client_a));
        tern_stream client_b = open_flow(fx.of_b, &b), server_b = fx.accepted;
        CHECK_EQ(server_b.id & INDEX, server_a.id & INDEX);
        CHECK(is_over(server_a) && is_over(client_a) && is_over((tern_stream){0}));
        tern_sink sink = tern_stream_sink(&server_a);
        CHECK_EQ(sink.ops->flush(sink.user, (const uint8_t *)"stale", 5, 0), TERN_ERR_STALE);
        for (int i = 0; i < 2000; i++) turn();
        CHECK(!b.done && b.text[0] == 0);
        CHECK(tern_stream_is_open(server_b) && tern_stream_is_open(client_b));
        CHECK_EQ(tern_stream_send(server_b, tern_bytes_of("for B", 5)), 0);
        CHECK_EQ(tern_stream_end(server_b, TERN_STATUS_OK), 0);
        CHECK(wait_for(&b.done));
        CHECK_EQ(b.status, TERN_STATUS_OK);
        CHECK(strcmp(b.text, "for B") == 0);
        CHECK_EQ(fx.n_ends, 0);
        end();
    }
}

static void stream__of_a_client_that_is_gone(void) {
    for (int port = 0; port < 4; port++) {
        outcome a, b;
        begin(server_addresses()[port]);
        CHECK_OK();
        open_flow(fx.of_a, &a);
        tern_stream server_a = fx.accepted;
        tern_endpoint_free(fx.a);
        fx.a = NULL;
        for (int i = 0; i < 10000000 && !fx.n_ends; i++) turn();
        CHECK_EQ(fx.n_ends, 1);
        CHECK(is_over(server_a));
        open_flow(fx.of_b, &b);
        CHECK_EQ(fx.accepted.id & INDEX, server_a.id & INDEX);
        CHECK(is_over(server_a));
        CHECK(tern_stream_is_open(fx.accepted));
        end();
    }
}

/* ---- Sessions -------------------------------------------------------------------------------------- */

static bool is_closed(tern_session *s) {
    uint64_t incarnation;
    outcome o = {0};
    tern_stream stream;
    return tern_call_start_raw(s, HOLD, tern_bytes_of("?", 1), NULL, on_done, &o) == TERN_ERR_STALE &&
           tern_call_start_raw(s, HOLD, tern_bytes_of("?", 1), &TERN_CALL_OPTS(.timeout = 1), on_done, &o) ==
               TERN_ERR_STALE &&
           tern_stream_start(s, FLOW, NULL, &TERN_STREAM_EVENTS(.on_data = NULL), NULL, &stream) == TERN_ERR_STALE &&
           tern_session_on_event(s, NULL, NULL) == TERN_ERR_STALE &&
           tern_session_set_keepalive(s, TERN_SEC) == TERN_ERR_STALE &&
           tern_session_get_incarnation(s, &incarnation) == TERN_ERR_STALE &&
           tern_session_get_state(s) == TERN_SESSION_ERR_STALE && tern_session_close(s) == TERN_ERR_STALE;
}

typedef struct closing {
    tern_session *session;
    bool done, was_closed;
} closing;

static void close_it(void *user, int status, const void *response) {
    closing *c = user;
    (void)status, (void)response;
    c->was_closed = tern_session_close(c->session) == 0 && is_closed(c->session);
    c->done = true;
}

static void session__that_has_been_closed(void) {
    begin(server_addresses()[1]);
    CHECK_OK();
    outcome a;
    tern_call call = call_held(fx.of_a, NULL, &a);
    CHECK_EQ(tern_session_close(fx.of_a), 0);
    CHECK(a.done && a.status == TERN_STATUS_UNAVAILABLE);
    CHECK(is_closed(fx.of_a));
    CHECK(tern_session_endpoint(fx.of_a) == fx.a);
    CHECK_EQ(tern_reply_raw(call, tern_bytes_of("x", 1)), 0);
    /* From a callback: closed there, and when the poll has gone on. */
    closing c = {fx.of_b, false, false};
    CHECK_EQ(tern_call_start_raw(fx.of_b, 99, tern_bytes_of("?", 1), NULL, close_it, &c), 0);
    CHECK(wait_for(&c.done));
    CHECK(c.was_closed);
    turn();
    CHECK(is_closed(fx.of_b));
    /* Its pointer is no other session's as long as few have ended. */
    for (int i = 0; i < 4096; i++) {
        tern_session *other;
        CHECK_EQ(tern_connect(fx.a, "unix:///tmp/tern-nobody", &other), 0);
        CHECK(other != fx.of_a);
        CHECK_EQ(tern_session_close(other), 0);
        CHECK(is_closed(fx.of_a));
    }
    end();
}

/* ---- Workers --------------------------------------------------------------------------------------- */

enum { N_WORKERS = 3, N_CALLS = 600 };

static struct {
    server s;
    tern_workers *pool;
    _Atomic uint64_t old[16]; /* calls that workers have served */
    _Atomic uint32_t n_served, n_wrong;
} pool;

/* What a worker may find out of a call that was served before, here or elsewhere; or is being served elsewhere. */
static bool is_refused(tern_call call) {
    int err = tern_reply_raw(call, tern_bytes_of("stale", 5));
    int failed = tern_fail(call, TERN_STATUS_ABORTED);
    bool refused =
        (err == TERN_ERR_STALE || err == TERN_ERR_THREAD) && (failed == TERN_ERR_STALE || failed == TERN_ERR_THREAD);
    return refused && !tern_call_arena(call) && !tern_call_metadata(call).block;
}

static void work(tern_call call, const void *request, void *user) {
    const tern_bytes *bytes = request;
    uint32_t n = atomic_fetch_add(&pool.n_served, 1);
    (void)user;
    for (uint32_t i = 0; i < 16; i++) {
        uint64_t id = atomic_load(&pool.old[i]);
        if (id && id != call.id && !is_refused((tern_call){call.ep, id})) atomic_fetch_add(&pool.n_wrong, 1);
    }
    bool is_wrong = tern_reply_raw(call, *bytes) != 0;
    is_wrong |= tern_reply_raw(call, tern_bytes_of("stale", 5)) != TERN_ERR_STALE;
    is_wrong |= tern_fail(call, TERN_STATUS_ABORTED) != TERN_ERR_STALE;
    is_wrong |= tern_call_arena(call) != NULL || tern_call_time_left(call) != TERN_ERR_STALE;
    if (is_wrong) atomic_fetch_add(&pool.n_wrong, 1);
    atomic_store(&pool.old[n % 16], call.id);
}

static int set_up_pool(tern_endpoint *ep, void *user) {
    (void)user;
    return tern_serve_raw_on(ep, WORK, work, NULL, pool.pool);
}

static void use_old(void *user) {
    (void)user;
    for (uint32_t i = 0; i < 16; i++)
        if (!is_stale((tern_call){pool.s.ep, atomic_load(&pool.old[i])})) atomic_fetch_add(&pool.n_wrong, 1);
}

static void worker__replies_once(void) {
    for (int port = 0; port < 4; port++) {
        tern_endpoint *ep;
        tern_session *session;
        tern_workers_config config;
        outcome o[8];
        memset(&pool, 0, sizeof pool);
        tern_workers_config_init(&config);
        config.n_threads = N_WORKERS;
        CHECK_EQ(tern_workers_new(&config, &pool.pool), 0);
        pool.s = (server){.listen_at = server_addresses()[port], .set_up = set_up_pool};
        CHECK(server_start(&pool.s));
        CHECK_EQ(tern_endpoint_new(NULL, &ep), 0);
        CHECK_EQ(tern_connect(ep, pool.s.address, &session), 0);
        for (int i = 0; i < N_CALLS; i += 8) {
            char text[8][16];
            for (int k = 0; k < 8; k++) {
                o[k] = (outcome){0};
                snprintf(text[k], sizeof text[k], "call %d", i + k);
                CHECK_EQ(
                    tern_call_start_raw(session, WORK, tern_bytes_of(text[k], strlen(text[k])), NULL, on_done, &o[k]),
                    0);
            }
            for (int k = 0; k < 8; k++) {
                while (!o[k].done) tern_poll(ep);
                CHECK_EQ(o[k].status, TERN_STATUS_OK);
                CHECK(strcmp(o[k].text, text[k]) == 0);
            }
        }
        CHECK_EQ(server_do(&pool.s, use_old, NULL), 0); /* on the endpoint's thread */
        use_old(NULL);                                  /* and here, on one that has no call */
        CHECK_EQ(atomic_load(&pool.n_wrong), 0);
        CHECK_EQ(atomic_load(&pool.n_served), N_CALLS);
        CHECK_EQ(tern_endpoint_free(ep), 0);
        CHECK_EQ(server_stop(&pool.s), 0);
        CHECK_EQ(tern_workers_free(pool.pool), 0);
    }
}

TAP_MAIN(TEST(handles__each_leads_to_one_use_of_one_record), TEST(handles__a_generation_never_comes_again),
         TEST(handles__there_are_so_many_at_most), TEST(reply__a_late_second_one_reaches_nobody),
         TEST(reply__when_nobody_waits_any_more), TEST(stream__whose_record_is_anothers),
         TEST(stream__of_a_client_that_is_gone), TEST(session__that_has_been_closed), TEST(worker__replies_once))
