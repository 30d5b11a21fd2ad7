/* queue_target at endpoints: a pool of workers that has more to do than it can do, and a client whose backlog grows. */
#include "tap.h"

#include <time.h>
#include <unistd.h>

#include "base/base.h"
#include "tern/rpc.h"

enum { SLOW = 1, MAX_CALLS = 256, JOB_MS = 4, WARM_UP = 6 };

static struct {
    tern_endpoint *server, *client;
    tern_session *session;
    tern_workers *pool;
    unsigned n_started, n_ok, n_refused, n_not_run, n_timed, n_other;
    tern_time begun[MAX_CALLS], longest; /* of those that ended with OK */
} fx;

static tern_time now(void) {
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (tern_time)ts.tv_sec * TERN_SEC + (tern_time)ts.tv_nsec;
}

static void slow(tern_call call, const void *request, void *user) {
    (void)user;
    usleep(JOB_MS * 1000);
    tern_reply_raw(call, *(const tern_bytes *)request);
}

static void done(void *user, int status, const void *response) {
    const tern_time *begun = user;
    const tern_result *r = tern_call_result(fx.client);
    (void)response;
    if (status == TERN_STATUS_OK) {
        tern_time took = now() - *begun;
        fx.n_ok++;
        if (took > fx.longest) fx.longest = took;
    } else if (status == TERN_STATUS_RESOURCE_EXHAUSTED) {
        fx.n_refused++;
        fx.n_not_run += tern_call_has_not_run(fx.client) == 1;
        fx.n_timed += tern_result_retry_after(r) > 0;
    } else {
        fx.n_other++;
    }
}

static bool begin(tern_dur server_target, tern_dur client_target) {
    tern_endpoint_config config;
    tern_workers_config workers;
    memset(&fx, 0, sizeof fx);
    tern_workers_config_init(&workers);
    workers.n_threads = 1;
    workers.spin = 0;
    tern_endpoint_config_init(&config);
    config.queue_target = server_target;
    if (tern_workers_new(&workers, &fx.pool) != 0 || tern_endpoint_new(&config, &fx.server) != 0) return false;
    config.queue_target = client_target;
    if (tern_endpoint_new(&config, &fx.client) != 0) return false;
    return tern_serve_raw_on(fx.server, SLOW, slow, NULL, fx.pool) == 0 &&
           tern_listen(fx.server, "udp://127.0.0.1:0") == 0 &&
           tern_connect(fx.client, tern_listen_address(fx.server, 0), &fx.session) == 0;
}

static void end(void) {
    tern_endpoint_free(fx.client);
    tern_endpoint_free(fx.server);
    CHECK_EQ(tern_workers_free(fx.pool), 0);
}

static void start(uint32_t method, const tern_call_opts *opts) {
    tern_time *begun = &fx.begun[fx.n_started++ % MAX_CALLS];
    *begun = now();
    CHECK_EQ(tern_call_start_raw(fx.session, method, tern_bytes_of("a call", 6), opts, done, begun), 0);
}

static unsigned n_ended(void) { return fx.n_ok + fx.n_refused + fx.n_other; }

static void finish(void) {
    tern_time give_up = now() + 20 * (tern_time)TERN_SEC;
    while (n_ended() < fx.n_started && now() < give_up) {
        tern_poll(fx.server);
        if (tern_poll(fx.client) == 0) usleep(50);
    }
    CHECK_EQ(n_ended(), fx.n_started);
}

static void forget(void) {
    fx.n_started = fx.n_ok = fx.n_refused = fx.n_not_run = fx.n_timed = fx.n_other = 0;
    fx.longest = 0;
}

/* One call at a time, so that it is known how long they take. */
static void warm_up(void) {
    for (int i = 0; i < WARM_UP; i++) {
        start(SLOW, NULL);
        finish();
    }
    CHECK_EQ(fx.n_ok, WARM_UP);
    forget();
}

/* Of 64 calls at once the workers' queue takes as many as end in time. */
static void workers__queue_is_kept_short(void) {
    CHECK(begin(5 * JOB_MS * TERN_MS, 0));
    CHECK_OK();
    warm_up();
    for (int i = 0; i < 8; i++) start(SLOW, NULL); /* as many as there are slots */
    finish();
    CHECK(fx.n_ok >= 2 && fx.n_ok <= 8);
    tern_endpoint_stats stats;
    tern_endpoint_get_stats(fx.server, &stats);
    CHECK(stats.worker_refused == fx.n_refused);
    for (int i = 0; i < 3; i++) { /* sessions of their own, as 8 calls of one alone are not many */
        tern_session *first = fx.session, *more;
        CHECK_EQ(tern_connect(fx.client, tern_listen_address(fx.server, 0), &more), 0);
        fx.session = more;
        for (int k = 0; k < 8; k++) start(SLOW, NULL);
        fx.session = first;
    }
    finish();
    CHECK(fx.n_refused > 0);
    CHECK_EQ(fx.n_not_run, fx.n_refused);
    CHECK_EQ(fx.n_timed, fx.n_refused);
    CHECK_EQ(fx.n_other, 0);
    end();
}

/* The same without a target: all wait, and all end. */
static void workers__queue_without_a_target_takes_all(void) {
    CHECK(begin(0, 0));
    CHECK_OK();
    for (int i = 0; i < 24; i++) start(SLOW, NULL);
    finish();
    CHECK_EQ(fx.n_ok, 24);
    end();
}

/* A call whose time would be over before a worker has it is refused at once. */
static void workers__refuse_calls_that_would_be_late(void) {
    CHECK(begin(10 * TERN_SEC, 0));
    CHECK_OK();
    warm_up();
    for (int i = 0; i < 6; i++) start(SLOW, NULL);
    start(SLOW, &TERN_CALL_OPTS(.timeout = JOB_MS * TERN_MS));
    finish();
    CHECK_EQ(fx.n_ok, 6);
    CHECK_EQ(fx.n_refused + fx.n_other, 1); /* `other`: its deadline passed here before the answer came */
    tern_endpoint_stats stats;
    tern_endpoint_get_stats(fx.server, &stats);
    CHECK(stats.worker_refused == 1 || fx.n_other == 1);
    end();
}

/* A client with a target, of a server without one: what would wait too long in its backlog is refused at once. */
static void client__keeps_its_backlog_short(void) {
    enum { N = 100, BOUND_MS = 40 };
    CHECK(begin(0, BOUND_MS * TERN_MS));
    CHECK_OK();
    for (int i = 0; i < 16; i++) start(SLOW, NULL); /* beyond the slots, so that calls leave the backlog */
    while (n_ended() < 6) {
        tern_poll(fx.server);
        tern_poll(fx.client);
    }
    for (int i = 0; i < N; i++) start(SLOW, NULL);
    finish();
    /* 4 ms each, so about 10 of them wait at a time. */
    CHECK(fx.n_refused >= N - 30);
    CHECK_EQ(fx.n_not_run, fx.n_refused);
    CHECK_EQ(fx.n_timed, fx.n_refused);
    CHECK_EQ(fx.n_ok + fx.n_refused, fx.n_started);
    end();
}

TAP_MAIN(TEST(workers__queue_is_kept_short), TEST(workers__queue_without_a_target_takes_all),
         TEST(workers__refuse_calls_that_would_be_late), TEST(client__keeps_its_backlog_short))
