/* Workers: handlers off the endpoint's thread, what they may do there, and every way in which such a call can end. */
#include "tap.h"

#include <time.h>

#include "echo.tern.h"
#include "server_thread.h"

/* ---- A server with a pool ------------------------------------------------------------------------ */

enum { MAX_LARGE = 200000 };

typedef struct bench {
    tern_workers *pool;
    server s;
    tern_endpoint *ep; /* the client */
    tern_session *session;
    /* of the handlers */
    pthread_t endpoint_thread;
    sem_t entered, go, left;        /* of `held` */
    tern_endpoint *_Atomic call_ep; /* the call that `held` serves */
    _Atomic uint64_t call_id;
    _Atomic int n_wrong_thread, n_begun, reply_result;
    _Atomic bool cancelled_seen;
    tern_session *to_self;           /* a session of the server's endpoint */
    _Atomic tern_dur nested_timeout; /* a request over shm orders nothing that a race detector sees */
    _Atomic size_t nested_size;      /* of the opts; 0: as it should be */
    tern_endpoint_stats stats;
    _Atomic int nested_status, log_lines, n_connects;
} bench;

static void note_thread(bench *b) {
    if (pthread_equal(pthread_self(), b->endpoint_thread)) atomic_fetch_add(&b->n_wrong_thread, 1);
    atomic_fetch_add(&b->n_begun, 1);
}

/* On a worker: echoes, what is long from a buffer that it gives back at once. */
static void echo(tern_call call, const echo_Blob *request, void *user) {
    note_thread(user);
    echo_Blob response = *request;
    uint8_t *copy = request->data.len ? tern_alloc(request->data.len) : NULL;
    if (copy) memcpy(copy, request->data.data, request->data.len);
    response.data.data = copy;
    echo_Echo_Echo_reply(call, &response);
    tern_unref(copy);
}

static tern_call held_call(const bench *b) { return (tern_call){atomic_load(&b->call_ep), atomic_load(&b->call_id)}; }

/* On a worker: until the test lets it go on. */
static void held(tern_call call, const echo_Blob *request, void *user) {
    bench *b = user;
    note_thread(b);
    atomic_store(&b->call_ep, call.ep);
    atomic_store(&b->call_id, call.id);
    sem_post(&b->entered);
    sem_wait(&b->go);
    atomic_store(&b->cancelled_seen, tern_call_is_cancelled(call));
    atomic_store(&b->reply_result, echo_Echo_Later_reply(call, request));
    sem_post(&b->left);
}

static void raw_short(tern_call call, const void *request, void *user) {
    (void)user;
    tern_reply_raw(call, *(const tern_bytes *)request);
}

static void raw_silent(tern_call call, const void *request, void *user) {
    (void)call;
    (void)request;
    note_thread(user);
}

/* On a worker: asks the server itself, and passes the answer on. */
static void nested(tern_call call, const echo_Blob *request, void *user) {
    bench *b = user;
    const echo_Blob *inner;
    const tern_result *result = NULL;
    tern_call_opts opts = TERN_CALL_OPTS(.timeout = b->nested_timeout, .result = &result);
    if (b->nested_size) opts.size = b->nested_size;
    int status = request->id == 1 ? echo_Echo_Later_wait(b->to_self, request, &opts, &inner)
                                  : echo_Echo_Echo_wait(b->to_self, request, &opts, &inner);
    tern_result_free(result);
    atomic_store(&b->nested_status, status);
    if (status != TERN_STATUS_OK) {
        tern_fail(call, TERN_STATUS_ABORTED);
        return;
    }
    echo_Echo_Absent_reply(call, inner);
    tern_release(inner);
}

static void count_log(void *user, tern_log_level level, const char *line) {
    bench *b = user;
    (void)line;
    if (level == TERN_LOG_ERROR) atomic_fetch_add(&b->log_lines, 1);
}

enum { RAW_SHORT = 1, RAW_SILENT = 2 };

static int set_up(tern_endpoint *ep, void *user) {
    bench *b = user;
    b->endpoint_thread = pthread_self();
    echo_Echo_handlers handlers = {.Echo = echo, .Later = held, .Absent = nested};
    int err = echo_Echo_serve_on(ep, &handlers, b, b->pool);
    if (!err) err = tern_serve_raw(ep, RAW_SHORT, raw_short, b);
    if (!err) err = tern_serve_raw_on(ep, RAW_SILENT, raw_silent, b, b->pool);
    return err;
}

static bool bench_init(bench *b, const char *address, uint32_t n_threads, uint32_t max_queued) {
    tern_workers_config config;
    tern_workers_config_init(&config);
    config.n_threads = n_threads;
    config.max_queued = max_queued;
    config.spin = 0;
    *b = (bench){.s = {.listen_at = address, .set_up = set_up, .user = b, .log = count_log}};
    sem_init(&b->entered, 0, 0);
    sem_init(&b->go, 0, 0);
    sem_init(&b->left, 0, 0);
    return tern_workers_new(&config, &b->pool) == 0 && server_start(&b->s) && tern_endpoint_new(NULL, &b->ep) == 0 &&
           tern_connect(b->ep, b->s.address, &b->session) == 0;
}

static void connect_to_self(void *user) {
    bench *b = user;
    if (tern_connect(b->s.ep, b->s.address, &b->to_self) != 0) b->to_self = NULL;
}

static void read_stats(void *user) {
    bench *b = user;
    tern_endpoint_get_stats(b->s.ep, &b->stats);
}

static bool bench_fini(bench *b) {
    return tern_endpoint_free(b->ep) == 0 && server_stop(&b->s) == 0 && tern_workers_free(b->pool) == 0;
}

typedef struct outcome {
    bool done;
    int status;
} outcome;

static void on_done(void *user, int status, const echo_Blob *response) {
    (void)response;
    *(outcome *)user = (outcome){true, status};
}

static void on_raw_done(void *user, int status, const void *response) {
    (void)response;
    *(outcome *)user = (outcome){true, status};
}

/* Drive the client until *done; false after 10 s. */
static bool drive(bench *b, const bool *done) {
    time_t end = time(NULL) + 10;
    while (!*done && time(NULL) < end) tern_poll(b->ep);
    return *done;
}

/* Drive the client until `held` runs. */
static void await_entry(bench *b) {
    while (sem_trywait(&b->entered) != 0) tern_poll(b->ep);
}

static int call_raw(bench *b, uint32_t method) {
    outcome o = {0};
    int err = tern_call_start_raw(b->session, method, tern_bytes_of("hello", 5), NULL, on_raw_done, &o);
    if (err) return err;
    return drive(b, &o.done) ? o.status : -1;
}

/* ---- Tests --------------------------------------------------------------------------------------- */

static void serve_on__runs_on_workers_over_each_port(void) {
    static uint8_t bytes[MAX_LARGE];
    for (size_t i = 0; i < 4; i++) {
        bench b;
        CHECK(bench_init(&b, server_addresses()[i], 2, 64));
        for (uint32_t n = 0; n < 100; n++) {
            const echo_Blob *response;
            size_t len = n % 10 == 9 ? MAX_LARGE : n * 15;
            memset(bytes, (int)n, len);
            echo_Blob request = {.id = n, .data = {bytes, len}};
            CHECK_EQ(echo_Echo_Echo_wait(b.session, &request, NULL, &response), TERN_STATUS_OK);
            CHECK_EQ(response->id, n);
            CHECK_EQ(response->data.len, len);
            CHECK_MEM(response->data.data, bytes, len);
            tern_release(response);
        }
        CHECK(bench_fini(&b));
        CHECK_EQ(b.n_wrong_thread, 0);
        CHECK_EQ(b.n_begun, 100);
        CHECK_EQ(b.s.stats.worker_calls, 100);
        CHECK_EQ(b.s.stats.worker_refused, 0);
        CHECK(b.s.stats.inplace_values >= 10); /* sent from where the worker put it */
    }
}

/* On the server's thread: a session to somebody, whose path the port has to find out about. */
static void connect_elsewhere(void *user) {
    bench *b = user;
    tern_session *session;
    char address[40];
    int n = atomic_fetch_add(&b->n_connects, 1);
    snprintf(address, sizeof address, n % 2 ? "udp://127.0.0.1:%d" : "udp://[::1]:%d", 20000 + n);
    if (tern_connect(b->s.ep, address, &session) == 0) tern_session_close(session);
}

/* A response is encoded by a worker while the endpoint's thread learns of other paths: the race detector's business. */
static void serve_on__encodes_while_the_endpoint_connects(void) {
    static uint8_t bytes[MAX_LARGE];
    bench b;
    CHECK(bench_init(&b, server_addresses()[0], 2, 64));
    for (uint32_t n = 0; n < 200; n++) {
        const echo_Blob *response;
        echo_Blob request = {.id = n, .data = {bytes, n % 4 ? 100 : MAX_LARGE}};
        CHECK_EQ(tern_post(b.s.ep, connect_elsewhere, &b), 0);
        CHECK_EQ(echo_Echo_Echo_wait(b.session, &request, NULL, &response), TERN_STATUS_OK);
        CHECK_EQ(response->data.len, request.data.len);
        tern_release(response);
    }
    CHECK(b.n_connects > 100);
    CHECK(bench_fini(&b));
}

static void serve_on__short_calls_pass_a_long_one(void) {
    bench b;
    outcome slow = {0};
    CHECK(bench_init(&b, server_addresses()[1], 1, 64));
    CHECK_EQ(echo_Echo_Later(b.session, &(echo_Blob){.id = 1}, NULL, on_done, &slow), 0);
    await_entry(&b);
    for (int i = 0; i < 50; i++) CHECK_EQ(call_raw(&b, RAW_SHORT), TERN_STATUS_OK);
    CHECK(!slow.done);
    sem_post(&b.go);
    CHECK(drive(&b, &slow.done));
    CHECK_EQ(slow.status, TERN_STATUS_OK);
    CHECK(!b.cancelled_seen);
    CHECK(bench_fini(&b));
    CHECK_EQ(b.s.stats.worker_calls, 1);
}

static void serve_on__a_full_queue_refuses_at_once(void) {
    bench b;
    outcome o[6] = {0};
    CHECK(bench_init(&b, server_addresses()[1], 1, 2));
    CHECK_EQ(echo_Echo_Later(b.session, &(echo_Blob){.id = 1}, NULL, on_done, &o[0]), 0);
    await_entry(&b);
    for (int i = 1; i < 6; i++) CHECK_EQ(echo_Echo_Later(b.session, &(echo_Blob){.id = 2}, NULL, on_done, &o[i]), 0);
    for (int i = 3; i < 6; i++) {
        CHECK(drive(&b, &o[i].done));
        CHECK_EQ(o[i].status, TERN_STATUS_RESOURCE_EXHAUSTED);
    }
    for (int i = 0; i < 3; i++) sem_post(&b.go);
    for (int i = 0; i < 3; i++) {
        CHECK(drive(&b, &o[i].done));
        CHECK_EQ(o[i].status, TERN_STATUS_OK);
    }
    CHECK(bench_fini(&b));
    CHECK_EQ(b.s.stats.worker_calls, 3);
    CHECK_EQ(b.s.stats.worker_refused, 3);
}

static void misuse(void *user) {
    bench *b = user;
    tern_call call = held_call(b);
    bool right = tern_reply_raw(call, tern_bytes_of("x", 1)) == TERN_ERR_THREAD &&
                 tern_fail(call, TERN_STATUS_ABORTED) == TERN_ERR_THREAD &&
                 tern_reply(call, &(echo_Blob){0}) == TERN_ERR_THREAD && tern_call_arena(call) == NULL &&
                 tern_call_time_left(call) == TERN_ERR_THREAD;
    atomic_store(&b->nested_status, right);
}

static void reply__only_on_the_worker_that_runs_the_call(void) {
    bench b;
    outcome o = {0};
    CHECK(bench_init(&b, server_addresses()[1], 1, 2));
    CHECK_EQ(echo_Echo_Later(b.session, &(echo_Blob){.id = 1}, NULL, on_done, &o), 0);
    await_entry(&b);
    misuse(&b); /* here, */
    CHECK_EQ(b.nested_status, 1);
    atomic_store(&b.nested_status, 0);
    CHECK_EQ(server_do(&b.s, misuse, &b), 0); /* and on the endpoint's thread */
    CHECK_EQ(b.nested_status, 1);
    sem_post(&b.go);
    CHECK(drive(&b, &o.done));
    CHECK_EQ(o.status, TERN_STATUS_OK);
    CHECK(bench_fini(&b));
}

static void handler__that_does_not_reply(void) {
    bench b;
    CHECK(bench_init(&b, server_addresses()[0], 2, 64));
    for (int i = 0; i < 20; i++) CHECK_EQ(call_raw(&b, RAW_SILENT), TERN_STATUS_INTERNAL);
    CHECK(bench_fini(&b));
    CHECK_EQ(b.log_lines, 20);
    CHECK_EQ(b.n_wrong_thread, 0);
}

static void is_cancelled__the_client_dies_meanwhile(void) {
    for (size_t i = 0; i < 4; i++) {
        tern_mem_stats before, after;
        bench b;
        outcome o[2] = {0};
        tern_mem_get_stats(&before);
        CHECK(bench_init(&b, server_addresses()[i], 1, 8));
        static uint8_t bytes[5000];
        echo_Blob request = {.id = 1, .data = {bytes, sizeof bytes}};
        for (int n = 0; n < 2; n++) CHECK_EQ(echo_Echo_Later(b.session, &request, NULL, on_done, &o[n]), 0);
        await_entry(&b);
        CHECK_EQ(tern_endpoint_free(b.ep), 0);
        b.ep = NULL;
        CHECK_EQ(o[0].status, TERN_STATUS_UNAVAILABLE);
        for (int n = 0; n < 10000 && !tern_call_is_cancelled(held_call(&b)); n++) usleep(1000);
        CHECK_EQ(server_do(&b.s, read_stats, &b), 0); /* the server cancels one call after the other */
        sem_post(&b.go);
        sem_wait(&b.left);
        CHECK(b.cancelled_seen);
        CHECK_EQ(b.reply_result, 0);
        CHECK(bench_fini(&b));
        CHECK_EQ(b.n_begun, 1); /* the second was dropped before its handler began */
        tern_mem_get_stats(&after);
        CHECK_EQ(after.live_buffers, before.live_buffers);
    }
}

static void deadline__passes_in_the_queue(void) {
    bench b;
    outcome first = {0}, second = {0};
    CHECK(bench_init(&b, server_addresses()[1], 1, 8));
    CHECK_EQ(echo_Echo_Later(b.session, &(echo_Blob){.id = 1}, NULL, on_done, &first), 0);
    await_entry(&b);
    tern_call_opts opts = TERN_CALL_OPTS(.timeout = 5 * TERN_MS);
    CHECK_EQ(echo_Echo_Later(b.session, &(echo_Blob){.id = 2}, &opts, on_done, &second), 0);
    CHECK(drive(&b, &second.done));
    CHECK_EQ(second.status, TERN_STATUS_DEADLINE_EXCEEDED);
    /* The server's idea of the deadline is later by the packet's way. */
    do CHECK_EQ(server_do(&b.s, read_stats, &b), 0);
    while (b.stats.worker_calls < 2);
    usleep(6000);
    sem_post(&b.go);
    CHECK(drive(&b, &first.done));
    CHECK_EQ(call_raw(&b, RAW_SILENT), TERN_STATUS_INTERNAL); /* behind it in the queue */
    CHECK(bench_fini(&b));
    CHECK_EQ(b.n_begun, 2);
}

static void call_wait__from_a_worker(void) {
    for (size_t i = 0; i < 4; i++) {
        bench b;
        const echo_Blob *response;
        CHECK(bench_init(&b, server_addresses()[i], 2, 8));
        CHECK_EQ(server_do(&b.s, connect_to_self, &b), 0);
        CHECK(b.to_self != NULL);
        for (uint32_t n = 2; n < 50; n++) {
            CHECK_EQ(echo_Echo_Absent_wait(b.session, &(echo_Blob){.id = n}, NULL, &response), TERN_STATUS_OK);
            CHECK_EQ(response->id, n);
            tern_release(response);
        }
        CHECK_EQ(b.nested_status, TERN_STATUS_OK);
        CHECK(bench_fini(&b));
    }
}

/* The inner call is never answered. */
static void call_wait__from_a_worker_inherits_the_deadline(void) {
    bench b;
    const echo_Blob *response;
    tern_call_opts opts = TERN_CALL_OPTS(.timeout = 500 * TERN_MS);
    CHECK(bench_init(&b, server_addresses()[1], 2, 8));
    CHECK_EQ(server_do(&b.s, connect_to_self, &b), 0);
    b.nested_status = -1;
    CHECK_EQ(echo_Echo_Absent_wait(b.session, &(echo_Blob){.id = 1}, &opts, &response), TERN_STATUS_DEADLINE_EXCEEDED);
    for (int n = 0; n < 10000 && b.nested_status == -1; n++) usleep(1000);
    CHECK_EQ(b.nested_status, TERN_STATUS_DEADLINE_EXCEEDED);
    /* Its own timeout comes first if it has one. */
    sem_post(&b.go);
    b.nested_timeout = 5 * TERN_MS;
    opts.timeout = 10 * TERN_SEC;
    CHECK_EQ(echo_Echo_Absent_wait(b.session, &(echo_Blob){.id = 1}, &opts, &response), TERN_STATUS_ABORTED);
    CHECK_EQ(b.nested_status, TERN_STATUS_DEADLINE_EXCEEDED);
    sem_post(&b.go);
    CHECK(bench_fini(&b));
}

/* Of the handler's opts the endpoint's thread reads what there is, and it is the one that logs a refusal. */
static void call_wait__from_a_worker_with_opts_of_another_version(void) {
    static const struct {
        size_t size;
        int status, n_lines;
    } rows[] = {{16, TERN_STATUS_DEADLINE_EXCEEDED, 0}, {1, TERN_ERR_INVALID, 1}, {sizeof(tern_call_opts), 4, 0}};
    bench b;
    const echo_Blob *response;
    CHECK(bench_init(&b, server_addresses()[1], 2, 8));
    CHECK_EQ(server_do(&b.s, connect_to_self, &b), 0);
    b.nested_timeout = 5 * TERN_MS;
    for (size_t i = 0; i < TERN__COUNT(rows); i++) {
        int before = b.log_lines;
        b.nested_size = rows[i].size;
        CHECK_EQ(echo_Echo_Absent_wait(b.session, &(echo_Blob){.id = 1}, NULL, &response), TERN_STATUS_ABORTED);
        CHECK_EQ(b.nested_status, rows[i].status);
        CHECK_EQ(b.log_lines - before, rows[i].n_lines);
        if (rows[i].status > 0) sem_post(&b.go);
    }
    CHECK(bench_fini(&b));
}

static void *let_go_soon(void *user) {
    bench *b = user;
    usleep(20000);
    for (int i = 0; i < 8; i++) sem_post(&b->go);
    return NULL;
}

/* The endpoint ends while handlers run, wait in the queue and wait for calls of their own. */
static void endpoint_free__waits_for_handlers(void) {
    for (size_t i = 0; i < 4; i++) {
        bench b;
        tern_mem_stats before, after;
        outcome o[5] = {0};
        pthread_t thread;
        tern_mem_get_stats(&before);
        CHECK(bench_init(&b, server_addresses()[i], 2, 8));
        CHECK_EQ(server_do(&b.s, connect_to_self, &b), 0);
        b.nested_status = -1;
        CHECK_EQ(echo_Echo_Absent(b.session, &(echo_Blob){.id = 1}, NULL, on_done, &o[0]), 0);
        for (int n = 1; n < 5; n++)
            CHECK_EQ(echo_Echo_Later(b.session, &(echo_Blob){.id = 1}, NULL, on_done, &o[n]), 0);
        await_entry(&b);
        CHECK_EQ(tern_workers_free(b.pool), TERN_ERR_STATE);
        CHECK_EQ(pthread_create(&thread, NULL, let_go_soon, &b), 0);
        CHECK_EQ(server_stop(&b.s), 0);
        for (int n = 0; n < 5; n++) CHECK(drive(&b, &o[n].done));
        CHECK_EQ(tern_endpoint_free(b.ep), 0);
        CHECK_EQ(tern_workers_free(b.pool), 0);
        pthread_join(thread, NULL);
        tern_mem_get_stats(&after);
        CHECK_EQ(after.live_buffers, before.live_buffers);
    }
}

static void workers__serve_several_endpoints(void) {
    enum { N = 3 };
    bench b;
    server more[N];
    tern_session *sessions[N];
    outcome o[N][40] = {0};
    CHECK(bench_init(&b, server_addresses()[0], 2, 1024));
    for (int i = 0; i < N; i++) {
        more[i] = (server){.listen_at = "udp://127.0.0.1:0", .set_up = set_up, .user = &b};
        CHECK(server_start(&more[i]));
        CHECK_EQ(tern_connect(b.ep, more[i].address, &sessions[i]), 0);
    }
    for (int n = 0; n < 40; n++)
        for (int i = 0; i < N; i++)
            CHECK_EQ(echo_Echo_Echo(sessions[i], &(echo_Blob){.id = 7}, NULL, on_done, &o[i][n]), 0);
    for (int n = 0; n < 40; n++)
        for (int i = 0; i < N; i++) {
            CHECK(drive(&b, &o[i][n].done));
            CHECK_EQ(o[i][n].status, TERN_STATUS_OK);
        }
    for (int i = 0; i < N; i++) {
        CHECK_EQ(server_stop(&more[i]), 0);
        CHECK_EQ(more[i].stats.worker_calls, 40);
    }
    CHECK(bench_fini(&b));
}

static void workers_new__configurations(void) {
    tern_workers_config config;
    tern_workers *pool;
    int zero = 0, missing = 1023;
    tern_workers_config_init(&config);
    CHECK_EQ(tern_workers_new(NULL, &pool), 0);
    CHECK_EQ(tern_workers_free(pool), 0);
    CHECK_EQ(tern_workers_free(NULL), 0);
    config.cpus = &zero;
    config.n_cpus = 1;
    CHECK_EQ(tern_workers_new(&config, &pool), 0);
    CHECK_EQ(tern_workers_free(pool), 0);
    config.cpus = &missing;
    CHECK_EQ(tern_workers_new(&config, &pool), TERN_ERR_INVALID);
    missing = 1 << 20;
    CHECK_EQ(tern_workers_new(&config, &pool), TERN_ERR_INVALID);
    tern_workers_config_init(&config);
    config.n_threads = 0;
    CHECK_EQ(tern_workers_new(&config, &pool), TERN_ERR_INVALID);
    config.n_threads = 1;
    config.max_queued = 0;
    CHECK_EQ(tern_workers_new(&config, &pool), TERN_ERR_INVALID);
    config.max_queued = 1;
    config.size--;
    CHECK_EQ(tern_workers_new(&config, &pool), TERN_ERR_INVALID);
}

TAP_MAIN(TEST(serve_on__runs_on_workers_over_each_port), TEST(serve_on__encodes_while_the_endpoint_connects),
         TEST(serve_on__short_calls_pass_a_long_one), TEST(serve_on__a_full_queue_refuses_at_once),
         TEST(reply__only_on_the_worker_that_runs_the_call), TEST(handler__that_does_not_reply),
         TEST(is_cancelled__the_client_dies_meanwhile), TEST(deadline__passes_in_the_queue),
         TEST(call_wait__from_a_worker), TEST(call_wait__from_a_worker_inherits_the_deadline),
         TEST(call_wait__from_a_worker_with_opts_of_another_version), TEST(endpoint_free__waits_for_handlers),
         TEST(workers__serve_several_endpoints), TEST(workers_new__configurations))
