/* Client and server that were compiled from different schemas find out before anything is misread. */
#include "tap.h"

#include <time.h>

#include "rpc/schema.h"
#include "rpc/server.h"
#include "schema.tern.h"
#include "server_thread.h"
#include "world.h"

enum { METHOD = 77, LARGE = 5000 };

/* The method as each side may know it. */
static const tern_method first = {"test.Schema/Call", &schema_First_type, &schema_First_type, METHOD, 0, NULL};
static const tern_method grown = {"test.Schema/Call", &schema_Grown_type, &schema_Grown_type, METHOD, 0, NULL};
static const tern_method gap = {"test.Schema/Call", &schema_Gap_type, &schema_First_type, METHOD, 0, NULL};
static const tern_method other = {"test.Schema/Call", &schema_First_type, &schema_Other_type, METHOD, 0, NULL};

typedef struct fixture {
    world w;
    tern_session *session;
    uint32_t n_handled, n_done, n_explained, n_ok;
    int status;
    bool done, keep;
    tern_call kept;
    uint32_t id;
    size_t data_bytes;
    bool data_intact;
    tern_format format; /* of the last request */
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

/* All of the messages begin like Gap in their layout of meaning: id, and data as number 3. */
static void note(uint32_t id, tern_bytes data) {
    fx.id = id;
    fx.data_bytes = data.len;
    fx.data_intact = true;
    for (size_t i = 0; i < data.len; i++) fx.data_intact &= ((const uint8_t *)data.data)[i] == 0x5a;
}

static void serve_first(tern_call call, const void *request, void *user) {
    const schema_First *in = request;
    (void)user;
    fx.n_handled++;
    fx.format = tern__call_find(call.ep, call.id)->format;
    note(in->id, in->data);
    fx.kept = call;
    if (!fx.keep) tern_reply(call, &(schema_First){.id = in->id});
}

static void serve_gap(tern_call call, const void *request, void *user) {
    const schema_Gap *in = request;
    (void)user;
    fx.n_handled++;
    fx.format = tern__call_find(call.ep, call.id)->format;
    note(in->id, in->data);
    tern_reply(call, &(schema_First){.id = in->id});
}

static void on_done(void *user, int status, const void *response) {
    (void)user, (void)response;
    fx.n_done++;
    fx.n_ok += status == TERN_STATUS_OK;
    fx.done = true;
    fx.status = status;
    if (status == TERN_STATUS_FAILED_PRECONDITION && fx.w.ep[CLIENT])
        fx.n_explained += tern_result_message(tern_call_result(fx.w.ep[CLIENT])).len > 0;
}

static bool boot_server(const tern_method *method) {
    return world_boot(&fx.w, SERVER, NULL) &&
           tern_serve(fx.w.ep[SERVER], method, method == &gap ? serve_gap : serve_first, NULL) == 0;
}

static bool begin(bool reliable, double loss, const tern_method *method) {
    tern_endpoint_config config;
    tern_endpoint_config_init(&config);
    config.log = on_log;
    fx = (fixture){.live_before = live_buffers()};
    if (!world_init(&fx.w, reliable, loss)) return false;
    tern_endpoint_free(fx.w.ep[CLIENT]);
    tern_endpoint_free(fx.w.ep[SERVER]);
    return world_boot(&fx.w, CLIENT, &config) && boot_server(method) &&
           tern_connect(fx.w.ep[CLIENT], "sim://0", &fx.session) == 0;
}

static void end(void) {
    world_fini(&fx.w);
    CHECK_EQ(live_buffers(), fx.live_before);
}

/* One call with a large value in the pool that is given back at once. Returns the status, or an error. */
static int call(const tern_method *method, const tern_call_opts *opts) {
    uint8_t *data = tern_alloc(LARGE);
    memset(data, 0x5a, LARGE);
    fx.done = false;
    schema_First request = {.id = 9, .name = tern_str_of("x"), .data = {data, LARGE}};
    int err = tern_call_start(fx.session, method, &request, opts, on_done, NULL);
    tern_unref(data);
    uint8_t *spoiler = tern_alloc(LARGE);
    memset(spoiler, 0xdd, LARGE);
    tern_unref(spoiler);
    if (err) return err;
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
        for (int i = 0; i < 5; i++) {
            CHECK_EQ(call(&first, NULL), TERN_STATUS_OK);
            CHECK_EQ(fx.data_bytes, LARGE);
            CHECK(fx.data_intact);
        }
        CHECK_EQ(fx.n_handled, 5);
        CHECK_EQ(fx.w.ep[CLIENT]->n_checks, 1);
        CHECK_EQ(stats_of(CLIENT).calls_issued, 5);
        CHECK_EQ(stats_of(CLIENT).calls_completed, 5);
        CHECK_EQ(stats_of(SERVER).calls_served, 5);
        CHECK_EQ(stats_of(CLIENT).inplace_values, 5);
        CHECK_EQ(fx.format, TERN_FORMAT_HYBRID);
        CHECK_EQ(fx.n_log, 0);
        end();
        CHECK_OK();
    }
}

static void grown_schema__fits(void) {
    CHECK(begin(false, 0, &grown));
    CHECK_EQ(call(&first, NULL), TERN_STATUS_OK);
    CHECK_EQ(call(&first, NULL), TERN_STATUS_OK);
    CHECK(fx.data_intact);
    CHECK_EQ(stats_of(CLIENT).inplace_values, 2);
    CHECK_EQ(fx.n_log, 0);
    end();
}

static void schema_with_a_gap__uses_protobuf(void) {
    CHECK(begin(false, 0, &gap));
    for (int i = 0; i < 3; i++) {
        fx.data_bytes = 0;
        CHECK_EQ(call(&first, NULL), TERN_STATUS_OK);
        CHECK_EQ(fx.id, 9);
        CHECK_EQ(fx.data_bytes, LARGE);
        CHECK(fx.data_intact);
        CHECK_EQ(fx.format, TERN_FORMAT_PROTOBUF);
    }
    CHECK_EQ(stats_of(CLIENT).inplace_values, 3);
    CHECK_EQ(fx.n_log, 1);
    CHECK(strstr(fx.line, "test.Schema/Call") && strstr(fx.line, "field 2 of schema.First"));
    end();
}

static void conflicting_schema__no_call_gets_there(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        CHECK(begin(reliable, 0, &other));
        for (int i = 0; i < 3; i++) CHECK_EQ(call(&first, NULL), TERN_STATUS_FAILED_PRECONDITION);
        CHECK_EQ(fx.n_done, 3);
        CHECK_EQ(fx.n_explained, 3);
        CHECK_EQ(fx.n_handled, 0);
        CHECK_EQ(fx.n_log, 1);
        CHECK(strstr(fx.line, "field 2 of schema.First is string here and repeated uint64 there") != NULL);
        end();
        CHECK_OK();
    }
}

static void protobuf_and_no_check__as_the_user_says(void) {
    CHECK(begin(false, 0, &first));
    CHECK_EQ(call(&first, &TERN_CALL_OPTS(.format = TERN_FORMAT_PROTOBUF)), TERN_STATUS_OK);
    CHECK_EQ(fx.w.ep[CLIENT]->n_checks, 0);
    CHECK_EQ(fx.format, TERN_FORMAT_PROTOBUF);
    fx.w.ep[CLIENT]->config.check_schema = false;
    CHECK_EQ(call(&first, NULL), TERN_STATUS_OK);
    CHECK_EQ(fx.w.ep[CLIENT]->n_checks, 0);
    end();
}

/* ---- Calls that wait for the verdict ------------------------------------------------------------- */

static void many_calls__wait_for_one_verdict(void) {
    CHECK(begin(false, 0.1, &first));
    schema_First request = {.id = 1};
    for (int i = 0; i < 100; i++) CHECK_EQ(tern_call_start(fx.session, &first, &request, NULL, on_done, NULL), 0);
    for (int i = 0; i < 100000 && fx.n_done < 100; i++) world_turn(&fx.w);
    CHECK_EQ(fx.n_done, 100);
    CHECK_EQ(fx.n_handled, 100);
    CHECK_EQ(fx.status, TERN_STATUS_OK);
    end();
}

static void deadline__counts_while_waiting(void) {
    CHECK(begin(false, 0, &first));
    tern_endpoint_free(fx.w.ep[SERVER]);
    fx.w.ep[SERVER] = NULL;
    tern_time start = tern__sim_now(fx.w.sim);
    CHECK_EQ(call(&first, &TERN_CALL_OPTS(.timeout = 10 * TERN_MS)), TERN_STATUS_DEADLINE_EXCEEDED);
    CHECK(tern__sim_now(fx.w.sim) - start < 20 * TERN_MS);
    /* And what is left of it afterwards. */
    CHECK(boot_server(&first));
    fx.keep = true;
    CHECK_EQ(call(&first, &TERN_CALL_OPTS(.timeout = 500 * TERN_MS)), TERN_STATUS_DEADLINE_EXCEEDED);
    CHECK_EQ(fx.n_handled, 1);
    CHECK_EQ(tern_fail(fx.kept, TERN_STATUS_ABORTED), 0);
    end();
}

static void cancel__names_the_call_before_and_after_the_verdict(void) {
    CHECK(begin(false, 0, &first));
    tern_call_ref ref;
    tern_call_opts opts = TERN_CALL_OPTS(.ref = &ref);
    schema_First request = {.id = 1};
    CHECK_EQ(tern_call_start(fx.session, &first, &request, &opts, on_done, NULL), 0);
    CHECK_EQ(tern_call_cancel(fx.w.ep[CLIENT], ref), 0);
    CHECK(world_run(&fx.w, &fx.done, TERN_SEC));
    CHECK_EQ(fx.status, TERN_STATUS_CANCELLED);
    CHECK_EQ(fx.n_handled, 0);
    fx.done = false;
    fx.keep = true;
    CHECK_EQ(tern_call_start(fx.session, &first, &request, &opts, on_done, NULL), 0);
    for (int i = 0; i < 1000 && !fx.n_handled; i++) world_turn(&fx.w);
    CHECK_EQ(fx.n_handled, 1);
    CHECK(!fx.done);
    CHECK_EQ(tern_call_cancel(fx.w.ep[CLIENT], ref), 0);
    CHECK(world_run(&fx.w, &fx.done, TERN_SEC));
    CHECK_EQ(fx.status, TERN_STATUS_CANCELLED);
    CHECK_EQ(fx.n_done, 2);
    CHECK_EQ(tern_fail(fx.kept, TERN_STATUS_ABORTED), 0);
    end();
}

static void session_close__ends_what_waits(void) {
    CHECK(begin(true, 0, &first));
    schema_First request = {.id = 1};
    for (int i = 0; i < 3; i++) CHECK_EQ(tern_call_start(fx.session, &first, &request, NULL, on_done, NULL), 0);
    CHECK_EQ(tern_session_close(fx.session), 0);
    CHECK_EQ(fx.n_done, 3);
    CHECK_EQ(fx.status, TERN_STATUS_UNAVAILABLE);
    end();
}

/* A call that was cancelled ends at the next poll, when its session may be gone. */
static void session_close__before_a_cancelled_call_ends(void) {
    CHECK(begin(true, 0, &first));
    tern_call_ref ref;
    tern_call_opts opts = TERN_CALL_OPTS(.ref = &ref);
    CHECK_EQ(tern_call_start(fx.session, &first, &(schema_First){.id = 1}, &opts, on_done, NULL), 0);
    CHECK_EQ(tern_call_cancel(fx.w.ep[CLIENT], ref), 0);
    CHECK_EQ(tern_session_close(fx.session), 0);
    uint8_t *spoiler = tern_alloc(sizeof(tern_session)); /* where the session was */
    memset(spoiler, 0xdd, sizeof(tern_session));
    tern_poll(fx.w.ep[CLIENT]);
    CHECK_EQ(fx.n_done, 1);
    CHECK_EQ(fx.status, TERN_STATUS_CANCELLED);
    tern_unref(spoiler);
    end();
}

static int set_up(tern_endpoint *ep, void *user) {
    (void)user;
    return tern_serve(ep, &first, serve_first, NULL);
}

/* A call that may block is perhaps answered, twice, before it has been started. */
static void block__while_the_verdict_comes(void) {
    enum { N = 200 };
    for (size_t a = 0; a < 4; a++) {
        tern_endpoint_config config;
        server s = {.listen_at = server_addresses()[a], .set_up = set_up};
        tern_endpoint *ep;
        tern_session *session;
        tern_call_ref ref;
        tern_call_opts opts = TERN_CALL_OPTS(.timeout = 20 * TERN_SEC, .block = true, .ref = &ref);
        schema_First request = {.id = 1};
        tern_endpoint_config_init(&config);
        config.max_backlog = 1;
        fx = (fixture){.live_before = live_buffers()};
        CHECK(server_start(&s));
        CHECK_EQ(tern_endpoint_new(&config, &ep), 0);
        CHECK_EQ(tern_connect(ep, s.address, &session), 0);
        for (int i = 0; i < N; i++) CHECK_EQ(tern_call_start(session, &first, &request, &opts, on_done, NULL), 0);
        for (time_t end = time(NULL) + 20; fx.n_done < N && time(NULL) < end;) tern_poll(ep);
        CHECK_EQ(fx.n_done, N);
        CHECK_EQ(fx.n_ok, N);
        CHECK_EQ(tern_call_cancel(ep, ref), TERN_ERR_STALE);
        CHECK_EQ(tern_endpoint_free(ep), 0);
        CHECK_EQ(server_stop(&s), 0);
        CHECK_EQ(live_buffers(), fx.live_before);
    }
}

/* The verdict is of the program that gave it. */
static void server_restarts__with_another_schema(void) {
    CHECK(begin(false, 0, &first));
    CHECK_EQ(call(&first, NULL), TERN_STATUS_OK);
    tern_endpoint_free(fx.w.ep[SERVER]);
    fx.w.ep[SERVER] = NULL;
    CHECK_EQ(call(&first, NULL), TERN_STATUS_UNAVAILABLE);
    CHECK(boot_server(&other));
    fx.n_handled = 0;
    CHECK_EQ(call(&first, NULL), TERN_STATUS_FAILED_PRECONDITION);
    CHECK_EQ(fx.n_handled, 0);
    end();
}

/* ---- Conflicts, however the call was made -------------------------------------------------------- */

enum { ON_WORKER = 78, N_REPEATS = 3 };

/* A server whose METHOD conflicts with `first`, and which calls itself from a worker as a client of `first`. */
typedef struct conflict {
    server s;
    tern_workers *pool;
    tern_session *to_self;
    _Atomic int worker_status[N_REPEATS];
    _Atomic bool worker_response;
    tern_endpoint *ep; /* the client */
    tern_session *session;
    uint32_t n_thunked; /* calls that their own thunk has ended with FAILED_PRECONDITION */
} conflict;

static void call_self(tern_call c, const void *request, void *user) {
    conflict *x = user;
    schema_First inner = {.id = 1};
    (void)request;
    for (int i = 0; i < N_REPEATS; i++) {
        const void *response = NULL;
        atomic_store(&x->worker_status[i], tern_call_wait(x->to_self, &first, &inner, NULL, &response));
        if (response) atomic_store(&x->worker_response, true);
    }
    tern_reply_raw(c, tern_bytes_of("", 0));
}

static int set_up_conflict(tern_endpoint *ep, void *user) {
    conflict *x = user;
    int err = tern_serve(ep, &other, serve_first, NULL);
    return err ? err : tern_serve_raw_on(ep, ON_WORKER, call_self, x, x->pool);
}

static void connect_to_self(void *user) {
    conflict *x = user;
    if (tern_connect(x->s.ep, x->s.address, &x->to_self) != 0) x->to_self = NULL;
}

static bool conflict_begin(conflict *x, const char *address) {
    *x = (conflict){.s = {.listen_at = address, .set_up = set_up_conflict, .user = x}};
    fx = (fixture){.live_before = live_buffers()};
    return tern_workers_new(NULL, &x->pool) == 0 && server_start(&x->s) && server_do(&x->s, connect_to_self, x) == 0 &&
           x->to_self && tern_endpoint_new(NULL, &x->ep) == 0 && tern_connect(x->ep, x->s.address, &x->session) == 0;
}

static void conflict_end(conflict *x) {
    CHECK_EQ(tern_endpoint_free(x->ep), 0);
    CHECK_EQ(server_stop(&x->s), 0);
    CHECK_EQ(tern_workers_free(x->pool), 0);
    CHECK_EQ(fx.n_handled, 0);
    CHECK_EQ(live_buffers(), fx.live_before);
}

static bool drive_until(tern_endpoint *ep, uint32_t n_done) {
    for (time_t end = time(NULL) + 20; fx.n_done < n_done && time(NULL) < end;) tern_poll(ep);
    return fx.n_done == n_done;
}

static void thunk(tern__any_fn *done, void *user, int status, const void *response) {
    conflict *x = user;
    x->n_thunked += status == TERN_STATUS_FAILED_PRECONDITION && !response && done == (tern__any_fn *)on_done;
    fx.n_done++;
}

static void conflicting_schema__ends_blocking_calls_again_and_again(void) {
    for (size_t a = 0; a < 4; a++) {
        conflict x;
        schema_First request = {.id = 1};
        CHECK(conflict_begin(&x, server_addresses()[a]));
        for (int i = 0; i < N_REPEATS; i++) {
            const void *response = &request;
            CHECK_EQ(tern_call_wait(x.session, &first, &request, NULL, &response), TERN_STATUS_FAILED_PRECONDITION);
            CHECK(response == NULL);
        }
        conflict_end(&x);
        CHECK_OK();
    }
}

static void conflicting_schema__ends_calls_by_their_own_thunk(void) {
    for (size_t a = 0; a < 4; a++) {
        conflict x;
        schema_First request = {.id = 1};
        CHECK(conflict_begin(&x, server_addresses()[a]));
        for (uint32_t i = 0; i < N_REPEATS; i++) {
            /* Of both kinds, and with one call of a raw method, whose record is one that the others have used. */
            tern__any_fn *done = (tern__any_fn *)on_done;
            CHECK_EQ(tern__call_start(x.session, &first, &request, NULL, thunk, done, &x), 0);
            CHECK_EQ(tern_call_start(x.session, &first, &request, NULL, on_done, NULL), 0);
            CHECK(drive_until(x.ep, 3 * i + 2));
            CHECK_EQ(fx.status, TERN_STATUS_FAILED_PRECONDITION);
            CHECK_EQ(x.n_thunked, i + 1);
            CHECK_EQ(tern_call_start_raw(x.session, ON_WORKER + 1, tern_bytes_of("x", 1), NULL, on_done, NULL), 0);
            CHECK(drive_until(x.ep, 3 * i + 3));
            CHECK_EQ(fx.status, TERN_STATUS_UNIMPLEMENTED);
        }
        conflict_end(&x);
        CHECK_OK();
    }
}

static void conflicting_schema__ends_blocking_calls_of_workers(void) {
    for (size_t a = 0; a < 4; a++) {
        conflict x;
        CHECK(conflict_begin(&x, server_addresses()[a]));
        CHECK_EQ(tern_call_start_raw(x.session, ON_WORKER, tern_bytes_of("x", 1), NULL, on_done, NULL), 0);
        CHECK(drive_until(x.ep, 1));
        CHECK_EQ(fx.status, TERN_STATUS_OK);
        for (int i = 0; i < N_REPEATS; i++) CHECK_EQ(x.worker_status[i], TERN_STATUS_FAILED_PRECONDITION);
        CHECK(!x.worker_response);
        conflict_end(&x);
        CHECK_OK();
    }
}

/* ---- Peers of another make ----------------------------------------------------------------------- */

static void refuse_to_compare(tern_call c, const void *request, void *user) {
    (void)request, (void)user;
    tern_fail(c, TERN_STATUS_UNIMPLEMENTED);
}

static void babble(tern_call c, const void *request, void *user) {
    (void)request;
    tern_reply_raw(c, *(const tern_bytes *)user);
}

static void peer_without_compare__is_accepted(void) {
    CHECK(begin(false, 0, &first));
    CHECK_EQ(tern_serve_raw(fx.w.ep[SERVER], TERN__SCHEMA_METHOD, refuse_to_compare, NULL), 0);
    CHECK_EQ(call(&first, NULL), TERN_STATUS_OK);
    CHECK_EQ(stats_of(CLIENT).inplace_values, 1);
    end();
}

static void answers__that_make_no_sense(void) {
    static const uint8_t nonsense[] = {1, 200, 0, 0, 0, 1, 2, 3}, none[] = {1, 0, 0, 0, 0}, brief[] = {1};
    static const tern_bytes answers[] = {{nonsense, sizeof nonsense}, {none, sizeof none}, {brief, 1}};
    for (size_t i = 0; i < TERN__COUNT(answers); i++) {
        CHECK(begin(false, 0, &first));
        tern_bytes answer = answers[i];
        CHECK_EQ(tern_serve_raw(fx.w.ep[SERVER], TERN__SCHEMA_METHOD, babble, &answer), 0);
        CHECK_EQ(call(&first, NULL), TERN_STATUS_FAILED_PRECONDITION);
        CHECK_EQ(fx.n_handled, 0);
        end();
        CHECK_OK();
    }
}

static void questions__that_make_no_sense(void) {
    static const uint8_t zeros[40];
    CHECK(begin(false, 0, &first));
    for (size_t len = 0; len <= sizeof zeros; len++) {
        fx.done = false;
        CHECK_EQ(tern_call_start_raw(fx.session, TERN__SCHEMA_METHOD, tern_bytes_of(zeros, len), NULL, on_done, NULL),
                 0);
        CHECK(world_run(&fx.w, &fx.done, TERN_SEC));
        CHECK_EQ(fx.status, len == 20 ? TERN_STATUS_OK : TERN_STATUS_INVALID_ARGUMENT);
    }
    CHECK_EQ(TERN__SCHEMA_METHOD, tern_method_id("tern.Schema/Compare"));
    end();
}

TAP_MAIN(TEST(same_schema__asked_once), TEST(grown_schema__fits), TEST(schema_with_a_gap__uses_protobuf),
         TEST(conflicting_schema__no_call_gets_there), TEST(protobuf_and_no_check__as_the_user_says),
         TEST(many_calls__wait_for_one_verdict), TEST(deadline__counts_while_waiting),
         TEST(cancel__names_the_call_before_and_after_the_verdict), TEST(session_close__ends_what_waits),
         TEST(session_close__before_a_cancelled_call_ends), TEST(block__while_the_verdict_comes),
         TEST(server_restarts__with_another_schema), TEST(conflicting_schema__ends_blocking_calls_again_and_again),
         TEST(conflicting_schema__ends_calls_by_their_own_thunk),
         TEST(conflicting_schema__ends_blocking_calls_of_workers), TEST(peer_without_compare__is_accepted),
         TEST(answers__that_make_no_sense), TEST(questions__that_make_no_sense))
