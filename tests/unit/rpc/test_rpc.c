/* The rpc layer over simulated ports: what a user of tern sees. */
#include "tap.h"

#include <pthread.h>

#include "echo.tern.h"
#include "rpc/config.h"
#include "world.h"

/* ---- A server and what its calls came to ------------------------------------------------------- */

typedef struct fixture {
    world w;
    tern_session *session;
    tern_call later; /* the last call of Later, not replied to yet */
    const echo_Blob *later_request;
    uint32_t n_handled, n_done, n_ok;
    int status;
    bool done;
    uint32_t response_id;
    size_t response_bytes;
    bool response_intact;
    uint64_t live_before;
} fixture;

static fixture fx;

static uint8_t pattern(size_t i) { return (uint8_t)(i * 31 + (i >> 8)); }

static bool is_pattern(tern_bytes b) {
    for (size_t i = 0; i < b.len; i++)
        if (((const uint8_t *)b.data)[i] != pattern(i)) return false;
    return true;
}

static uint8_t *make_pattern(size_t n) {
    uint8_t *p = tern_alloc(n);
    for (size_t i = 0; p && i < n; i++) p[i] = pattern(i);
    return p;
}

static void echo(tern_call call, const echo_Blob *request, void *user) {
    fixture *f = user;
    f->n_handled++;
    echo_Echo_Echo_reply(call, request);
}

static void later(tern_call call, const echo_Blob *request, void *user) {
    fixture *f = user;
    f->n_handled++;
    f->later = call;
    f->later_request = request;
}

static void done(void *user, int status, const echo_Blob *response) {
    fixture *f = user;
    f->n_done++;
    f->n_ok += status == TERN_STATUS_OK;
    f->status = status;
    f->done = true;
    f->response_id = response ? response->id : 0;
    f->response_bytes = response ? response->data.len : 0;
    f->response_intact = response && is_pattern(response->data);
}

static uint64_t live_buffers(void) {
    tern_mem_stats stats;
    tern_mem_get_stats(&stats);
    return stats.live_buffers;
}

static bool begin(bool reliable, double loss) {
    fx = (fixture){.live_before = live_buffers()};
    if (!world_init(&fx.w, reliable, loss)) return false;
    echo_Echo_handlers handlers = {.Echo = echo, .Later = later};
    return echo_Echo_serve(fx.w.ep[SERVER], &handlers, &fx) == 0 &&
           tern_connect(fx.w.ep[CLIENT], "sim://0", &fx.session) == 0;
}

static void end(void) {
    world_fini(&fx.w);
    CHECK_EQ(live_buffers(), fx.live_before);
}

static bool run(tern_dur at_most) { return world_run(&fx.w, &fx.done, at_most); }

/* ---- Calls -------------------------------------------------------------------------------------- */

static void call_start__typed_round_trip(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        CHECK(begin(reliable, 0));
        uint8_t small[32];
        for (size_t i = 0; i < sizeof small; i++) small[i] = pattern(i);
        echo_Blob request = {.id = 7, .data = {small, sizeof small}};
        CHECK_EQ(echo_Echo_Echo(fx.session, &request, NULL, done, &fx), 0);
        CHECK(!fx.done); /* never from inside the start */
        memset(small, 0, sizeof small);
        CHECK(run(TERN_SEC));
        CHECK_EQ(fx.status, TERN_STATUS_OK);
        CHECK_EQ(fx.response_id, 7);
        CHECK_EQ(fx.response_bytes, sizeof small);
        CHECK(fx.response_intact);
        tern_endpoint_stats stats;
        CHECK_EQ(tern_endpoint_get_stats(fx.w.ep[SERVER], &stats), 0);
        CHECK_EQ(stats.calls_served, 1);
        CHECK_EQ(stats.inplace_values, 0);
        end();
        CHECK_OK();
    }
}

static void call_start__protobuf_when_asked(void) {
    CHECK(begin(false, 0));
    echo_Blob request = {.id = 9, .name = tern_str_of("x")};
    tern_call_opts opts = TERN_CALL_OPTS(.format = TERN_FORMAT_PROTOBUF);
    CHECK_EQ(echo_Echo_Echo(fx.session, &request, &opts, done, &fx), 0);
    CHECK(run(TERN_SEC));
    CHECK_EQ(fx.status, TERN_STATUS_OK);
    CHECK_EQ(fx.response_id, 9);
    end();
}

static void call_again(void *user, int status, const echo_Blob *response) {
    fixture *f = user;
    (void)status;
    echo_Blob request = {.id = response ? response->id + 1 : 0};
    echo_Echo_Echo(f->session, &request, NULL, done, f);
}

/* A call that a callback starts has the time of its poll; one that follows outside, after other work, its own, or it
 * would be sent again at once. */
static void call_start__long_after_one_from_a_callback(void) {
    CHECK(begin(false, 0));
    echo_Blob request = {.id = 1};
    tern_endpoint_stats stats = {0};
    CHECK_EQ(echo_Echo_Echo(fx.session, &request, NULL, done, &fx), 0);
    CHECK(run(TERN_SEC));
    fx.done = false;
    CHECK_EQ(echo_Echo_Echo(fx.session, &request, NULL, call_again, &fx), 0);
    for (int i = 0; i < 100 && stats.calls_issued < 3; i++) {
        tern__sim_advance(fx.w.sim, tern__sim_now(fx.w.sim) + 15 * TERN_US);
        tern_poll(fx.w.ep[SERVER]);
        tern_poll(fx.w.ep[CLIENT]);
        tern_endpoint_get_stats(fx.w.ep[CLIENT], &stats);
    }
    /* Nobody polls meanwhile: the callback's call is overdue then, the new one is not. */
    tern__sim_advance(fx.w.sim, tern__sim_now(fx.w.sim) + 100 * TERN_MS);
    CHECK_EQ(echo_Echo_Echo(fx.session, &request, NULL, done, &fx), 0);
    for (int i = 0; i < 16; i++) tern_poll(fx.w.ep[CLIENT]);
    CHECK_EQ(tern_endpoint_get_stats(fx.w.ep[CLIENT], &stats), 0);
    CHECK_EQ(stats.calls_issued, 4);
    CHECK_EQ(stats.retransmits, 1);
    CHECK(run(TERN_SEC));
    for (int i = 0; i < 10; i++) world_turn(&fx.w);
    CHECK_EQ(fx.n_ok, 3);
    end();
}

/* The memory rule: the caller drops its reference as soon as the send returns, the buffer is reused or poisoned
 * when it is freed, and the peer still gets the bytes, however often they must be sent again. */
static void memory_rule__freed_after_send_is_intact_at_the_peer(void) {
    static const double losses[] = {0, 0.1, 0.3};
    for (int reliable = 0; reliable < 2; reliable++)
        for (size_t i = 0; i < (reliable ? 1 : TERN__COUNT(losses)); i++) {
            CHECK(begin(reliable, losses[i]));
            for (uint32_t id = 1; id <= 20; id++) {
                size_t n = id % 5 == 0 ? 40000 : 700;
                uint8_t *value = make_pattern(n);
                CHECK(value != NULL);
                echo_Blob request = {.id = id, .data = {value, n}};
                fx.done = false;
                CHECK_EQ(echo_Echo_Echo(fx.session, &request, NULL, done, &fx), 0);
                tern_unref(value);
                /* If the reference were not held, this would take the buffer and spoil it. */
                uint8_t *spoiler = tern_alloc(n);
                memset(spoiler, 0xdd, n);
                tern_unref(spoiler);
                CHECK(run(60 * TERN_SEC));
                CHECK_EQ(fx.status, TERN_STATUS_OK);
                CHECK_EQ(fx.response_bytes, n);
                CHECK(fx.response_intact);
            }
            tern_endpoint_stats stats;
            CHECK_EQ(tern_endpoint_get_stats(fx.w.ep[CLIENT], &stats), 0);
            CHECK_EQ(stats.inplace_values, 20);
            CHECK(losses[i] == 0 || stats.retransmits > 0);
            end();
            CHECK_OK();
        }
}

static void hold__keeps_a_received_value(void) {
    CHECK(begin(false, 0));
    uint8_t *value = make_pattern(900);
    echo_Blob request = {.data = {value, 900}};
    CHECK_EQ(echo_Echo_Later(fx.session, &request, NULL, done, &fx), 0);
    tern_unref(value);
    while (!fx.later.id) world_turn(&fx.w);
    const void *kept = fx.later_request->data.data;
    CHECK_EQ(tern_hold(kept), 0);
    CHECK_EQ(echo_Echo_Later_reply(fx.later, &(echo_Blob){.id = 1}), 0);
    CHECK(run(TERN_SEC));
    CHECK(is_pattern(tern_bytes_of(kept, 900)));
    tern_unref(kept);
    end();
}

static void call__unserved_method_is_unimplemented(void) {
    CHECK(begin(true, 0));
    CHECK_EQ(echo_Echo_Absent(fx.session, &(echo_Blob){0}, NULL, done, &fx), 0);
    CHECK(run(TERN_SEC));
    CHECK_EQ(fx.status, TERN_STATUS_UNIMPLEMENTED);
    end();
}

static void raw_done(void *user, int status, const void *response) {
    fixture *f = user;
    f->done = true;
    f->status = status;
    f->response_bytes = response ? ((const tern_bytes *)response)->len : 0;
}

static void raw_echo(tern_call call, const void *request, void *user) {
    (void)user;
    tern_reply_raw(call, *(const tern_bytes *)request);
}

static void call_start_raw__round_trip_and_empty(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        CHECK(begin(reliable, 0));
        CHECK_EQ(tern_serve_raw(fx.w.ep[SERVER], 77, raw_echo, NULL), 0);
        CHECK_EQ(tern_serve_raw(fx.w.ep[SERVER], 77, raw_echo, NULL), TERN_ERR_EXISTS);
        static const size_t sizes[] = {32, 0, 5000};
        for (size_t i = 0; i < TERN__COUNT(sizes); i++) {
            uint8_t bytes[5000] = {1};
            fx.done = false;
            CHECK_EQ(tern_call_start_raw(fx.session, 77, tern_bytes_of(bytes, sizes[i]), NULL, raw_done, &fx), 0);
            CHECK(run(TERN_SEC));
            CHECK_EQ(fx.status, TERN_STATUS_OK);
            CHECK_EQ(fx.response_bytes, sizes[i]);
        }
        end();
        CHECK_OK();
    }
}

static void call_start_raw__to_a_typed_method_is_refused(void) {
    CHECK(begin(true, 0));
    CHECK_EQ(tern_call_start_raw(fx.session, echo_Echo_Echo_method.id, tern_bytes_of("hi", 2), NULL, raw_done, &fx), 0);
    CHECK(run(TERN_SEC));
    CHECK_EQ(fx.status, TERN_STATUS_INVALID_ARGUMENT);
    CHECK_EQ(fx.n_handled, 0);
    end();
}

/* ---- Bounds, deadlines, ends -------------------------------------------------------------------- */

static void call_start__full_backlog_is_refused_and_recovers(void) {
    CHECK(begin(false, 0));
    uint32_t n = 0;
    int err;
    while ((err = echo_Echo_Echo(fx.session, &(echo_Blob){.id = 1}, NULL, done, &fx)) == 0) n++;
    CHECK_EQ(err, TERN_ERR_FULL);
    CHECK(n >= 4096 && n <= 4096 + 64);
    for (int i = 0; i < 100000 && fx.n_done < n; i++) world_turn(&fx.w);
    CHECK_EQ(fx.n_ok, n);
    CHECK_EQ(fx.n_handled, n);
    end();
}

static void deadline__ends_the_call_and_reaches_the_server(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        CHECK(begin(reliable, 0));
        tern_call_opts opts = TERN_CALL_OPTS(.timeout = 20 * TERN_MS);
        CHECK_EQ(echo_Echo_Later(fx.session, &(echo_Blob){.id = 3}, &opts, done, &fx), 0);
        while (!fx.later.id) world_turn(&fx.w);
        tern_dur left = tern_call_time_left(fx.later);
        CHECK(left > 15 * TERN_MS && left <= 20 * TERN_MS);
        tern_time start = tern__sim_now(fx.w.sim);
        CHECK(run(TERN_SEC));
        CHECK_EQ(fx.status, TERN_STATUS_DEADLINE_EXCEEDED);
        CHECK(tern__sim_now(fx.w.sim) - start < 25 * TERN_MS);
        CHECK_EQ(tern_reply(fx.later, &(echo_Blob){.id = 4}), 0); /* late, dropped */
        fx.done = false;
        CHECK_EQ(echo_Echo_Echo(fx.session, &(echo_Blob){.id = 5}, NULL, done, &fx), 0);
        CHECK(run(TERN_SEC));
        CHECK_EQ(fx.response_id, 5);
        CHECK_EQ(fx.n_done, 2);
        end();
        CHECK_OK();
    }
}

static void server_dies__pending_calls_are_unavailable(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        CHECK(begin(reliable, 0));
        for (uint32_t i = 0; i < 12; i++) CHECK_EQ(echo_Echo_Later(fx.session, &(echo_Blob){0}, NULL, done, &fx), 0);
        while (!fx.later.id) world_turn(&fx.w);
        tern__sim_node_down(fx.w.sim, SERVER);
        tern_endpoint_free(fx.w.ep[SERVER]);
        fx.w.ep[SERVER] = NULL;
        tern_time start = tern__sim_now(fx.w.sim);
        while (fx.n_done < 12 && tern__sim_now(fx.w.sim) < start + 10 * TERN_SEC) world_turn(&fx.w);
        CHECK_EQ(fx.n_done, 12);
        CHECK_EQ(fx.n_ok, 0);
        CHECK_EQ(fx.status, TERN_STATUS_UNAVAILABLE);
        CHECK(tern__sim_now(fx.w.sim) - start <= 3 * TERN_SEC / 2);
        CHECK_EQ(tern_session_get_state(fx.session), TERN_SESSION_DOWN);
        end();
        CHECK_OK();
    }
}

static void server_restarts__the_next_call_reconnects(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        CHECK(begin(reliable, 0));
        CHECK_EQ(echo_Echo_Echo(fx.session, &(echo_Blob){.id = 1}, NULL, done, &fx), 0);
        CHECK(run(TERN_SEC));
        tern__sim_node_down(fx.w.sim, SERVER);
        tern_endpoint_free(fx.w.ep[SERVER]);
        CHECK(world_boot(&fx.w, SERVER, NULL));
        CHECK_EQ(echo_Echo_serve(fx.w.ep[SERVER], &(echo_Echo_handlers){.Echo = echo}, &fx), 0);
        int n_tries = 0;
        do {
            fx.done = false;
            CHECK_EQ(echo_Echo_Echo(fx.session, &(echo_Blob){.id = 2}, NULL, done, &fx), 0);
            CHECK(run(10 * TERN_SEC));
        } while (fx.status == TERN_STATUS_UNAVAILABLE && ++n_tries < 3);
        CHECK_EQ(fx.status, TERN_STATUS_OK);
        CHECK_EQ(fx.response_id, 2);
        end();
        CHECK_OK();
    }
}

static void client_dies__the_server_may_still_reply(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        CHECK(begin(reliable, 0));
        uint8_t *value = make_pattern(3000);
        CHECK_EQ(echo_Echo_Later(fx.session, &(echo_Blob){.data = {value, 3000}}, NULL, done, &fx), 0);
        tern_unref(value);
        while (!fx.later.id) world_turn(&fx.w);
        tern_endpoint_free(fx.w.ep[CLIENT]); /* says goodbye */
        fx.w.ep[CLIENT] = NULL;
        for (int i = 0; i < 100; i++) world_turn(&fx.w);
        CHECK(is_pattern(fx.later_request->data)); /* valid until the call ends */
        CHECK_EQ(tern_call_time_left(fx.later), INT64_MAX);
        CHECK_EQ(echo_Echo_Later_reply(fx.later, &(echo_Blob){.id = 1}), 0);
        CHECK_EQ(fx.n_done, 1);
        CHECK_EQ(fx.status, TERN_STATUS_UNAVAILABLE);
        end();
        CHECK_OK();
    }
}

static void endpoint_free__fails_what_is_open_on_both_sides(void) {
    CHECK(begin(false, 0));
    CHECK_EQ(echo_Echo_Later(fx.session, &(echo_Blob){.id = 1}, NULL, done, &fx), 0);
    while (!fx.later.id) world_turn(&fx.w);
    end(); /* with a call unanswered at the server */
    CHECK_EQ(fx.n_done, 1);
    CHECK_EQ(fx.status, TERN_STATUS_UNAVAILABLE);
}

static void connect__to_nobody_is_unavailable(void) {
    CHECK(begin(false, 1.0));
    CHECK_EQ(echo_Echo_Echo(fx.session, &(echo_Blob){0}, NULL, done, &fx), 0);
    tern_time start = tern__sim_now(fx.w.sim);
    CHECK(run(20 * TERN_SEC));
    CHECK_EQ(fx.status, TERN_STATUS_UNAVAILABLE);
    CHECK(tern__sim_now(fx.w.sim) - start <= 6 * TERN_SEC);
    end();
}

/* ---- What may not be done, and what may from inside a callback ---------------------------------- */

static int wait_result, poll_result, free_result;

static void misuse_done(void *user, int status, const echo_Blob *response) {
    const void *ignored;
    wait_result = tern_call_wait(fx.session, &echo_Echo_Echo_method, &(echo_Blob){0}, NULL, &ignored);
    poll_result = tern_poll(fx.w.ep[CLIENT]);
    free_result = tern_endpoint_free(fx.w.ep[CLIENT]);
    done(user, status, response);
}

static void callback__may_not_wait_poll_or_free(void) {
    CHECK(begin(true, 0));
    CHECK_EQ(echo_Echo_Echo(fx.session, &(echo_Blob){0}, NULL, misuse_done, &fx), 0);
    CHECK(run(TERN_SEC));
    CHECK_EQ(wait_result, TERN_ERR_STATE);
    CHECK_EQ(poll_result, TERN_ERR_STATE);
    CHECK_EQ(free_result, TERN_ERR_STATE);
    end();
}

static void closing_done(void *user, int status, const echo_Blob *response) {
    if (fx.n_done == 0) tern_session_close(fx.session);
    done(user, status, response);
}

static void session_close__from_a_callback_fails_the_others(void) {
    CHECK(begin(false, 0));
    CHECK_EQ(echo_Echo_Echo(fx.session, &(echo_Blob){0}, NULL, closing_done, &fx), 0);
    CHECK_EQ(echo_Echo_Later(fx.session, &(echo_Blob){0}, NULL, closing_done, &fx), 0);
    for (int i = 0; i < 1000 && fx.n_done < 2; i++) world_turn(&fx.w);
    CHECK_EQ(fx.n_done, 2);
    CHECK_EQ(fx.n_ok, 1);
    CHECK_EQ(fx.status, TERN_STATUS_UNAVAILABLE);
    for (int i = 0; i < 100; i++) world_turn(&fx.w);
    tern_endpoint_stats stats;
    CHECK_EQ(tern_endpoint_get_stats(fx.w.ep[SERVER], &stats), 0);
    CHECK_EQ(stats.sessions_open, 0);
    end();
}

static void *misuse_from_thread(void *user) {
    int *codes = user;
    tern_session *session;
    const void *response;
    tern_endpoint_stats stats;
    tern_endpoint *ep = fx.w.ep[CLIENT];
    codes[0] = tern_poll(ep);
    codes[1] = tern_listen(ep, "sim://1");
    codes[2] = tern_connect(ep, "sim://0", &session);
    codes[3] = tern_call_wait(fx.session, &echo_Echo_Echo_method, &(echo_Blob){0}, NULL, &response);
    codes[4] = echo_Echo_Echo(fx.session, &(echo_Blob){0}, NULL, done, &fx);
    codes[5] = tern_session_close(fx.session);
    codes[6] = tern_endpoint_free(ep);
    codes[7] = tern_endpoint_get_stats(ep, &stats);
    codes[8] = tern_fd(ep);
    codes[9] = (int)tern_next_timeout(ep);
    codes[10] = tern_run(ep);
    codes[11] = echo_Echo_serve(ep, &(echo_Echo_handlers){.Echo = echo}, NULL);
    return NULL;
}

static void any_function__from_another_thread_is_refused(void) {
    int codes[12] = {0};
    pthread_t thread;
    CHECK(begin(false, 0));
    CHECK_EQ(pthread_create(&thread, NULL, misuse_from_thread, codes), 0);
    pthread_join(thread, NULL);
    for (size_t i = 0; i < TERN__COUNT(codes); i++) CHECK_EQ(codes[i], TERN_ERR_THREAD);
    end();
}

static int n_posted;
static void count_post(void *user) {
    (void)user;
    n_posted++;
}

static void *post_from_thread(void *user) {
    int *n_accepted = user;
    while (tern_post(fx.w.ep[CLIENT], count_post, NULL) == 0) ++*n_accepted;
    return NULL;
}

static void post__runs_on_the_owner_and_is_bounded(void) {
    int n_accepted = 0;
    pthread_t thread;
    n_posted = 0;
    CHECK(begin(false, 0));
    CHECK_EQ(pthread_create(&thread, NULL, post_from_thread, &n_accepted), 0);
    pthread_join(thread, NULL);
    CHECK_EQ(n_accepted, 1024);
    CHECK_EQ(tern_post(fx.w.ep[CLIENT], NULL, NULL), TERN_ERR_INVALID);
    CHECK_EQ(n_posted, 0);
    tern_poll(fx.w.ep[CLIENT]);
    CHECK_EQ(n_posted, 1024);
    end();
}

static void endpoint_new__senseless_configs_are_refused(void) {
    tern_endpoint_config config;
    tern_endpoint *ep;
    tern_endpoint_config_init(&config);
    config.size = 0;
    CHECK_EQ(tern_endpoint_new(&config, &ep), TERN_ERR_INVALID);
    tern_endpoint_config_init(&config);
    config.session_credits = 0;
    CHECK_EQ(tern_endpoint_new(&config, &ep), TERN_ERR_INVALID);
    tern_endpoint_config_init(&config);
    config.max_rx_bytes = 1;
    CHECK_EQ(tern_endpoint_new(&config, &ep), TERN_ERR_INVALID);
    tern_endpoint_config_init(&config);
    config.congestion = (tern_congestion)(TERN_CC_DCTCP + 1);
    CHECK_EQ(tern_endpoint_new(&config, &ep), TERN_ERR_INVALID);
    tern_endpoint_config_init(&config);
    config.max_message_bytes = 100000; /* which counts as 128 KB */
    config.max_rx_bytes = 100000;
    CHECK_EQ(tern_endpoint_new(&config, &ep), TERN_ERR_INVALID);
    static const uint32_t payloads[] = {1, 511, 65001, UINT32_MAX};
    for (size_t i = 0; i < TERN__COUNT(payloads); i++) {
        tern_endpoint_config_init(&config);
        config.udp_payload_bytes = payloads[i];
        CHECK_EQ(tern_endpoint_new(&config, &ep), TERN_ERR_INVALID);
    }
}

/* Spans that nobody lives to see: sums with them do not wrap, over any port. */
static void endpoint_new__endless_durations(void) {
    static const char *const addresses[] = {"udp://127.0.0.1:0", "tcp://127.0.0.1:0",
                                            "shm:///tmp/tern-test-endless.sock", "unix:///tmp/tern-test-endless.unix"};
    for (size_t i = 0; i < TERN__COUNT(addresses); i++) {
        tern_endpoint_config config;
        tern_endpoint *ep;
        tern_session *session;
        tern_endpoint_config_init(&config);
        config.peer_timeout = config.connect_timeout = config.keepalive = config.idle_spin = INT64_MAX;
        CHECK_EQ(tern_endpoint_new(&config, &ep), 0);
        CHECK_OK();
        CHECK_EQ(tern_listen(ep, addresses[i]), 0);
        CHECK_EQ(tern_connect(ep, tern_listen_address(ep, 0), &session), 0);
        CHECK_EQ(tern_session_set_keepalive(session, INT64_MAX), 0);
        for (int k = 0; k < 2000000 && tern_session_get_state(session) != TERN_SESSION_OPEN; k++) tern_poll(ep);
        CHECK_EQ(tern_session_get_state(session), TERN_SESSION_OPEN);
        tern_endpoint_free(ep);
    }
}

/* What an event loop of one's own is told after a tern_stop() that no tern_run() has seen. */
static void stop__does_not_keep_an_event_loop_awake(void) {
    tern_endpoint *ep;
    CHECK_EQ(tern_endpoint_new(NULL, &ep), 0);
    CHECK_OK();
    CHECK_EQ(tern_stop(ep), 0);
    for (int i = 0; i < 10; i++) tern_poll(ep);
    CHECK(tern_next_timeout(ep) != 0);
    CHECK_EQ(tern_run(ep), 0); /* which has been stopped */
    tern_endpoint_free(ep);
}

static void endpoint_new__each_congestion_control(void) {
    for (int i = TERN_CC_DEFAULT; i <= TERN_CC_DCTCP; i++) {
        tern_endpoint_config config;
        tern_endpoint *ep;
        tern_endpoint_config_init(&config);
        config.congestion = (tern_congestion)i;
        CHECK_EQ(tern_endpoint_new(&config, &ep), 0);
        CHECK_EQ(tern_endpoint_free(ep), 0);
    }
}

static void address__nonsense_is_refused(void) {
    static const char *const addresses[] = {"",         "shm",    "://", "carrier-pigeon://roof", "udp:/1.2.3.4:5",
                                            "sim://99", "sim://x"};
    CHECK(begin(false, 0));
    for (size_t i = 0; i < TERN__COUNT(addresses); i++) {
        tern_session *session;
        CHECK_EQ(tern_connect(fx.w.ep[CLIENT], addresses[i], &session), TERN_ERR_ADDRESS);
        if (strncmp(addresses[i], "sim:", 4) == 0) continue; /* a node listens under any name */
        CHECK_EQ(tern_listen(fx.w.ep[CLIENT], addresses[i]), TERN_ERR_ADDRESS);
    }
    end();
}

static void note_bound(void *user, tern_log_level level, const char *line) {
    unsigned *n = user;
    *n += level == TERN_LOG_INFO && strstr(line, "max_rx_bytes") != NULL;
}

/* A quarter of the least limit, but a whole message at least and 8 GB at most; the reason is the true one. */
static void config__follows_the_machine(void) {
    static const uint64_t gb = 1ull << 30, mb = 1 << 20, none = UINT64_MAX;
    const struct {
        tern__memory_limit limit;
        uint32_t max_message_bytes;
        uint64_t bytes;
        const char *why;
    } cases[] = {
        {{4 * gb, 16 * gb, none}, 64 << 20, gb, "a quarter of the limit of its control group"},
        {{16 * gb, 4 * gb, none}, 64 << 20, gb, "a quarter of what the machine has available"},
        {{16 * gb, 4 * gb, gb},
         64 << 20,
         256 * mb,
         "a quarter of the limit of its addresses or data (ulimit -v, ulimit -d)"},
        {{none, 100 * gb, none}, 64 << 20, 8 * gb, "the most that it is by default"},
        {{300 * mb, 16 * gb, none}, 64 << 20, 75 * mb, "a quarter of the limit of its control group"},
        {{30 * mb, 16 * gb, none},
         60 << 20,
         64 * mb,
         "max_message_bytes needs as much, which is more than a quarter of the limit of its control group"},
        {{none, none, none}, 64 << 20, gb, "the machine does not say what it has"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char why[TERN__RX_WHY];
        CHECK_EQ(tern__config_rx_bytes(&cases[i].limit, cases[i].max_message_bytes, why), cases[i].bytes);
        CHECK(strcmp(why, cases[i].why) == 0);
    }
    unsigned n_lines = 0;
    tern_endpoint_config config;
    tern_endpoint *ep;
    tern_endpoint_config_init(&config);
    CHECK_EQ(config.max_rx_bytes, 0);
    config.log = note_bound;
    config.log_user = &n_lines;
    CHECK_EQ(tern_endpoint_new(&config, &ep), 0);
    CHECK_EQ(n_lines, 1);
    CHECK(ep->config.max_rx_bytes >= 64 * mb && ep->config.max_rx_bytes <= 8 * gb);
    tern_endpoint_free(ep);
    config.max_rx_bytes = gb;
    CHECK_EQ(tern_endpoint_new(&config, &ep), 0);
    CHECK_EQ(n_lines, 1);
    tern_endpoint_free(ep);
}

TAP_MAIN(TEST(config__follows_the_machine), TEST(call_start__typed_round_trip), TEST(call_start__protobuf_when_asked),
         TEST(call_start__long_after_one_from_a_callback), TEST(memory_rule__freed_after_send_is_intact_at_the_peer),
         TEST(hold__keeps_a_received_value), TEST(call__unserved_method_is_unimplemented),
         TEST(call_start_raw__round_trip_and_empty), TEST(call_start_raw__to_a_typed_method_is_refused),
         TEST(call_start__full_backlog_is_refused_and_recovers), TEST(deadline__ends_the_call_and_reaches_the_server),
         TEST(server_dies__pending_calls_are_unavailable), TEST(server_restarts__the_next_call_reconnects),
         TEST(client_dies__the_server_may_still_reply), TEST(endpoint_free__fails_what_is_open_on_both_sides),
         TEST(connect__to_nobody_is_unavailable), TEST(callback__may_not_wait_poll_or_free),
         TEST(session_close__from_a_callback_fails_the_others), TEST(any_function__from_another_thread_is_refused),
         TEST(post__runs_on_the_owner_and_is_bounded), TEST(endpoint_new__senseless_configs_are_refused),
         TEST(endpoint_new__endless_durations), TEST(stop__does_not_keep_an_event_loop_awake),
         TEST(endpoint_new__each_congestion_control), TEST(address__nonsense_is_refused))
