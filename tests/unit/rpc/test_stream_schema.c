/* Streaming calls between programs that were compiled from different schemas: the client asks before the first one of a
 * method, and what is written meanwhile waits. */
#include "tap.h"

#include "rpc/schema.h"
#include "rpc/stream_record.h"
#include "schema.tern.h"
#include "world.h"

enum { METHOD = 78, LARGE = 5000 };

static const tern_method first = {"test.Schema/Flow", &schema_First_type, &schema_First_type, METHOD, 0, NULL};
static const tern_method gap = {"test.Schema/Flow", &schema_Gap_type, &schema_Gap_type, METHOD, 0, NULL};
static const tern_method other = {"test.Schema/Flow", &schema_First_type, &schema_Other_type, METHOD, 0, NULL};

typedef struct fixture {
    world w;
    tern_session *session;
    tern_stream stream;
    const tern_method *served;
    uint32_t n_handled, n_at_server, n_at_client, n_ended, n_writable;
    bool good, done, greets;         /* what has come is what was sent; on_end has run; the server writes first */
    unsigned n_in_protobuf[N_NODES]; /* messages that have come to each node */
    int status;
    int n_not_run; /* ends that are certain to have begun no handler */
    int n_log;
    char line[600];
    uint64_t live_before;
} fixture;

static fixture fx;

static uint64_t live_buffers(void) {
    tern_mem_stats stats;
    tern_mem_get_stats(&stats);
    return stats.live_buffers;
}

static void on_log(void *user, tern_log_level level, const char *line) {
    (void)user;
    if (level > TERN_LOG_WARN) return;
    fx.n_log++;
    snprintf(fx.line, sizeof fx.line, "%s", line);
}

static void check_data(uint32_t id, tern_bytes data, uint32_t n) {
    fx.good &= id == n && data.len == LARGE;
    for (size_t i = 0; i < data.len; i++) fx.good &= ((const uint8_t *)data.data)[i] == 0x5a;
}

/* A message with a value that is given back at once. */
static int put(tern_stream stream, const tern_method *method, uint32_t id) {
    uint8_t *data = tern_alloc(LARGE);
    memset(data, 0x5a, LARGE);
    schema_First one = {.id = id, .name = tern_str_of("x"), .data = {data, LARGE}};
    schema_Gap two = {.id = id, .data = {data, LARGE}};
    const void *message = method == &gap ? (const void *)&two : &one;
    int err = tern__stream_put_request(stream, method, message);
    if (err == TERN_ERR_STATE) err = tern__stream_put_response(stream, method, message);
    tern_unref(data);
    return err;
}

/* ---- The server ------------------------------------------------------------------------------------ */

static tern__stream_record *record_of(tern_stream stream) {
    return (tern__stream_record *)tern__handles_find(&stream.ep->stream_handles, stream.id);
}

static void at_server(tern__any_fn *fn, tern_stream stream, const void *message, void *user) {
    (void)fn, (void)user;
    uint32_t n = fx.n_at_server++;
    fx.n_in_protobuf[SERVER] += record_of(stream)->prefix[4] == TERN_FORMAT_PROTOBUF;
    if (fx.served == &gap)
        check_data(((const schema_Gap *)message)->id, ((const schema_Gap *)message)->data, n);
    else
        check_data(((const schema_First *)message)->id, ((const schema_First *)message)->data, n);
}

static void on_finished(tern_stream stream, void *user) {
    (void)user;
    for (uint32_t i = fx.greets; i < 3; i++) CHECK_EQ(put(stream, fx.served, i), 0);
    tern_stream_end(stream, TERN_STATUS_OK);
}

static void nothing(void) {}

static void handle(tern__any_fn *handler, tern_stream stream, const void *request, void *user) {
    (void)handler, (void)request, (void)user;
    tern__message_events events =
        TERN__SIZED(tern__message_events, .thunk = at_server, .on_message = nothing, .on_finished = on_finished);
    fx.n_handled++;
    CHECK_EQ(tern__stream_accept(stream, fx.served, NULL, &events, NULL), 0);
    if (fx.greets) CHECK_EQ(put(stream, fx.served, 0), 0);
}

static bool boot_server(const tern_method *method) {
    fx.served = method;
    return world_boot(&fx.w, SERVER, NULL) &&
           tern__serve_stream(fx.w.ep[SERVER], method, false, handle, nothing, NULL) == 0;
}

static bool begin(bool reliable, double loss, const tern_method *method) {
    tern_endpoint_config config;
    tern_endpoint_config_init(&config);
    config.log = on_log;
    config.max_backlog = 6;
    fx = (fixture){.live_before = live_buffers(), .good = true};
    if (!world_init(&fx.w, reliable, loss)) return false;
    tern_endpoint_free(fx.w.ep[CLIENT]);
    tern_endpoint_free(fx.w.ep[SERVER]);
    return world_boot(&fx.w, CLIENT, &config) && boot_server(method) &&
           tern_connect(fx.w.ep[CLIENT], "sim://0", &fx.session) == 0;
}

static void end(void) {
    world_fini(&fx.w);
    CHECK_EQ(live_buffers(), fx.live_before);
    CHECK(fx.good);
}

/* ---- The client ------------------------------------------------------------------------------------ */

static void at_client(tern__any_fn *fn, tern_stream stream, const void *message, void *user) {
    (void)fn, (void)user;
    const schema_First *m = message;
    fx.n_in_protobuf[CLIENT] += record_of(stream)->prefix[4] == TERN_FORMAT_PROTOBUF;
    check_data(m->id, m->data, fx.n_at_client++);
}

static void on_writable(tern_stream stream, void *user) {
    (void)stream, (void)user;
    fx.n_writable++;
}

static void on_end(tern_stream stream, int status, void *user) {
    (void)stream, (void)user;
    fx.n_ended++;
    fx.done = true;
    fx.status = status;
    fx.n_not_run += status != TERN_STATUS_OK && tern_call_has_not_run(fx.w.ep[CLIENT]) == 1;
}

static int open_stream(const tern_stream_opts *opts, const void *request) {
    tern__message_events events = TERN__SIZED(tern__message_events, .thunk = at_client, .on_message = nothing,
                                              .on_writable = on_writable, .on_end = on_end);
    fx.done = false;
    return tern__stream_start(fx.session, &first, request, opts, &events, NULL, &fx.stream);
}

/* A whole call with three messages each way. Returns its status. */
static int call(void) {
    fx.n_at_server = fx.n_at_client = 0;
    int err = open_stream(NULL, NULL);
    for (uint32_t i = 0; i < 3 && !err; i++) err = put(fx.stream, &first, i);
    if (!err) err = tern_stream_finish(fx.stream);
    if (err && err != TERN_ERR_CLOSED) return err; /* closed: it has ended already */
    return world_run(&fx.w, &fx.done, 60 * TERN_SEC) ? fx.status : -100;
}

static tern_endpoint_stats stats_of(int node) {
    tern_endpoint_stats stats = {0};
    tern_endpoint_get_stats(fx.w.ep[node], &stats);
    return stats;
}

/* ---- Verdicts ------------------------------------------------------------------------------------ */

static void same_schema__asked_once(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        CHECK(begin(reliable, reliable ? 0 : 0.2, &first));
        for (int i = 0; i < 4; i++) {
            CHECK_EQ(call(), TERN_STATUS_OK);
            CHECK_EQ(fx.n_at_server, 3);
            CHECK_EQ(fx.n_at_client, 3);
        }
        CHECK_EQ(fx.n_handled, 4);
        CHECK_EQ(fx.w.ep[CLIENT]->n_checks, 1);
        CHECK_EQ(stats_of(CLIENT).calls_issued, 4);
        CHECK_EQ(stats_of(CLIENT).calls_completed, 4);
        CHECK_EQ(stats_of(SERVER).calls_served, 4);
        CHECK_EQ(fx.n_in_protobuf[SERVER], 3); /* while the first call waited */
        CHECK_EQ(fx.n_in_protobuf[CLIENT], 0);
        CHECK_EQ(stats_of(CLIENT).inplace_values, 12);
        CHECK_EQ(stats_of(SERVER).inplace_values, 12);
        CHECK_EQ(fx.n_log, 0);
        end();
        CHECK_OK();
    }
}

static void schema_with_a_gap__uses_protobuf_both_ways(void) {
    for (int i = 0; i < 4; i++) {
        CHECK(begin(i & 1, i & 1 ? 0 : 0.2, &gap));
        fx.greets = i & 2;
        for (int k = 0; k < 3; k++) {
            CHECK_EQ(call(), TERN_STATUS_OK);
            CHECK_EQ(fx.n_at_server, 3);
            CHECK_EQ(fx.n_at_client, 3);
        }
        CHECK_EQ(fx.n_in_protobuf[SERVER], 9);
        CHECK_EQ(fx.n_in_protobuf[CLIENT], 9);
        CHECK_EQ(stats_of(CLIENT).inplace_values, 9);
        CHECK_EQ(stats_of(SERVER).inplace_values, 9);
        CHECK_EQ(fx.n_log, 1);
        CHECK(strstr(fx.line, "test.Schema/Flow") && strstr(fx.line, "field 2 of schema.First"));
        end();
        CHECK_OK();
    }
}

static void conflicting_schema__no_stream_gets_there(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        CHECK(begin(reliable, 0, &other));
        CHECK_EQ(call(), TERN_STATUS_FAILED_PRECONDITION);
        for (int i = 0; i < 2; i++) { /* known by now */
            CHECK_EQ(open_stream(NULL, NULL), 0);
            CHECK_EQ(put(fx.stream, &first, 0), TERN_ERR_CLOSED);
            CHECK_EQ(tern_stream_wait_writable(fx.stream), TERN_ERR_CLOSED);
            CHECK_EQ(tern_stream_wait(fx.stream), TERN_STATUS_FAILED_PRECONDITION);
        }
        CHECK_EQ(fx.n_ended, 3);
        CHECK_EQ(fx.n_not_run, 3);
        CHECK_EQ(fx.n_handled, 0);
        CHECK_EQ(fx.n_log, 1);
        CHECK(strstr(fx.line, "field 2 of schema.First is string here and repeated uint64 there") != NULL);
        end();
        CHECK_OK();
    }
}

static void no_check__as_the_user_says(void) {
    CHECK(begin(true, 0, &first));
    fx.w.ep[CLIENT]->config.check_schema = false;
    CHECK_EQ(call(), TERN_STATUS_OK);
    CHECK_EQ(fx.w.ep[CLIENT]->n_checks, 0);
    CHECK_EQ(stats_of(CLIENT).inplace_values, 3);
    end();
}

static void server_restarts__with_another_schema(void) {
    CHECK(begin(false, 0, &first));
    CHECK_EQ(call(), TERN_STATUS_OK);
    tern_endpoint_free(fx.w.ep[SERVER]);
    fx.w.ep[SERVER] = NULL;
    CHECK_EQ(call(), TERN_STATUS_UNAVAILABLE);
    CHECK(boot_server(&other));
    CHECK_EQ(call(), TERN_STATUS_FAILED_PRECONDITION);
    CHECK_EQ(fx.n_handled, 1);
    end();
}

/* ---- Streams that wait for the verdict ------------------------------------------------------------- */

static void deadline__counts_while_waiting(void) {
    CHECK(begin(false, 0, &first));
    tern_endpoint_free(fx.w.ep[SERVER]);
    fx.w.ep[SERVER] = NULL;
    tern_time start = tern__sim_now(fx.w.sim);
    CHECK_EQ(open_stream(&TERN_STREAM_OPTS(.timeout = 10 * TERN_MS), NULL), 0);
    CHECK(world_run(&fx.w, &fx.done, TERN_SEC));
    CHECK_EQ(fx.status, TERN_STATUS_DEADLINE_EXCEEDED);
    CHECK(tern__sim_now(fx.w.sim) - start < 20 * TERN_MS);
    CHECK(boot_server(&first)); /* and what is left of it afterwards */
    CHECK_EQ(open_stream(&TERN_STREAM_OPTS(.timeout = 500 * TERN_MS), NULL), 0);
    CHECK(world_run(&fx.w, &fx.done, TERN_SEC));
    CHECK_EQ(fx.status, TERN_STATUS_DEADLINE_EXCEEDED);
    CHECK_EQ(fx.n_handled, 1);
    end();
}

static void cancel__while_waiting(void) {
    CHECK(begin(true, 0, &first));
    CHECK_EQ(open_stream(NULL, NULL), 0);
    CHECK_EQ(put(fx.stream, &first, 0), 0);
    CHECK_EQ(tern_stream_cancel(fx.stream), 0);
    CHECK(world_run(&fx.w, &fx.done, TERN_SEC));
    CHECK_EQ(fx.status, TERN_STATUS_CANCELLED);
    CHECK_EQ(call(), TERN_STATUS_OK); /* the record is used again before the answer comes to the first */
    CHECK_EQ(fx.n_ended, 2);
    CHECK_EQ(fx.n_handled, 1);
    end();
}

static void writes__wait_within_the_buffer(void) {
    CHECK(begin(true, 0, &first));
    CHECK_EQ(open_stream(&TERN_STREAM_OPTS(.buffer_bytes = 20000), NULL), 0);
    uint32_t n = 0;
    while (put(fx.stream, &first, n) == 0) n++;
    CHECK(n >= 4 && n <= 5);
    CHECK_EQ(put(fx.stream, &first, n), TERN_ERR_FULL);
    CHECK_EQ(tern_stream_finish(fx.stream), 0);
    CHECK(world_run(&fx.w, &fx.done, TERN_SEC));
    CHECK_EQ(fx.status, TERN_STATUS_OK);
    CHECK_EQ(fx.n_at_server, n);
    CHECK_EQ(open_stream(&TERN_STREAM_OPTS(.buffer_bytes = 20000), NULL), 0);
    CHECK_EQ(tern_stream_cancel(fx.stream), 0);
    end();
}

/* One that is refused for want of room leaves nothing behind. */
static void backlog__is_full(void) {
    CHECK(begin(true, 0, &first));
    int n = 0, err;
    while ((err = open_stream(NULL, NULL)) == 0) n++;
    CHECK_EQ(err, TERN_ERR_FULL);
    CHECK_EQ(n, 3); /* each with its question, before the session is up */
    CHECK_EQ(open_stream(NULL, &(schema_First){.id = 1}), TERN_ERR_FULL);
    for (int i = 0; i < 1000 && (int)fx.n_handled < n; i++) world_turn(&fx.w);
    CHECK_EQ(fx.n_handled, n);
    end();
    CHECK_EQ(fx.n_ended, n);
}

static void session_close__ends_what_waits(void) {
    for (int how = 0; how < 3; how++) {
        CHECK(begin(true, 0, &first));
        for (int i = 0; i < 3; i++) CHECK_EQ(open_stream(NULL, NULL), 0);
        for (uint32_t i = 0; i < 3; i++) CHECK_EQ(put(fx.stream, &first, i), 0);
        if (how == 0) CHECK_EQ(tern_session_close(fx.session), 0);
        if (how == 1) CHECK_EQ(tern_endpoint_free(fx.w.ep[CLIENT]), 0);
        if (how == 1) fx.w.ep[CLIENT] = NULL;
        if (how == 2) tern_endpoint_free(fx.w.ep[SERVER]);
        if (how == 2) fx.w.ep[SERVER] = NULL;
        for (int i = 0; i < 100000 && fx.n_ended < 3; i++) world_turn(&fx.w);
        CHECK_EQ(fx.n_ended, 3);
        CHECK_EQ(fx.status, TERN_STATUS_UNAVAILABLE);
        end();
        CHECK_OK();
    }
}

/* The server drains while the question is on its way: the streams begin at the one that took its place. */
static void drain__while_waiting(void) {
    CHECK(begin(false, 0, &first));
    CHECK_EQ(call(), TERN_STATUS_OK);
    tern__schema_forget(fx.session);
    CHECK_EQ(tern_endpoint_drain(fx.w.ep[SERVER], TERN_SEC, NULL, NULL), 0);
    CHECK_EQ(open_stream(NULL, NULL), 0);
    CHECK_EQ(put(fx.stream, &first, 0), 0);
    CHECK_EQ(tern_stream_finish(fx.stream), 0);
    CHECK(world_run(&fx.w, &fx.done, 30 * TERN_SEC));
    CHECK(fx.status == TERN_STATUS_OK || fx.status == TERN_STATUS_UNAVAILABLE);
    CHECK_EQ(fx.n_ended, 2);
    end();
}

TAP_MAIN(TEST(same_schema__asked_once), TEST(schema_with_a_gap__uses_protobuf_both_ways),
         TEST(conflicting_schema__no_stream_gets_there), TEST(no_check__as_the_user_says),
         TEST(server_restarts__with_another_schema), TEST(deadline__counts_while_waiting), TEST(cancel__while_waiting),
         TEST(writes__wait_within_the_buffer), TEST(backlog__is_full), TEST(session_close__ends_what_waits),
         TEST(drain__while_waiting))
