/* Which failures say that a call has not run, what a client hears of a server at its bound, and metadata without
 * memory: endpoints in the simulator. */
#include "tap.h"

#include "mem/pool.h"
#include "world.h"

enum { ECHO = 1, HOLD, DENY, ABSENT, MAX_HELD = 16 };

static struct {
    world w;
    tern_session *session;
    tern_call held[MAX_HELD];
    unsigned n_held, n_runs, n_done;
    int status, has_not_run;
    bool is_done;
    tern_dur retry_after;
    char message[160];
    uint64_t live_before;
} fx;

static tern_bytes text(const char *s) { return (tern_bytes){s, strlen(s)}; }

static void echo(tern_call call, const void *request, void *user) {
    (void)user;
    fx.n_runs++;
    tern_bytes value = tern_metadata_find(tern_call_metadata(call), "key");
    if (value.data) tern_call_add_trailing(call, "back", value); /* without memory it goes without */
    tern_reply_raw(call, *(const tern_bytes *)request);
}

static void hold(tern_call call, const void *request, void *user) {
    (void)request, (void)user;
    fx.n_runs++;
    fx.held[fx.n_held++ % MAX_HELD] = call;
}

static void deny(tern_call call, const void *request, void *user) {
    (void)request, (void)user;
    static const tern_pair pair = {"why", {"so", 2}};
    fx.n_runs++;
    tern_fail_with(call, TERN_STATUS_ABORTED, "not now", text("details"), &pair, 1);
}

static void done(void *user, int status, const void *response) {
    (void)user, (void)response;
    const tern_result *r = tern_call_result(fx.w.ep[CLIENT]);
    fx.n_done++;
    fx.is_done = true;
    fx.status = status;
    fx.has_not_run = tern_call_has_not_run(fx.w.ep[CLIENT]);
    fx.retry_after = tern_result_retry_after(r);
    tern_str message = tern_result_message(r);
    snprintf(fx.message, sizeof fx.message, "%.*s", (int)message.len, message.len ? message.data : "");
    CHECK(!r || (int)tern_result_status(r) == status);
}

static uint64_t live_buffers(void) {
    tern_mem_stats stats;
    tern_mem_get_stats(&stats);
    return stats.live_buffers;
}

static void serve(void) {
    CHECK_EQ(tern_serve_raw(fx.w.ep[SERVER], ECHO, echo, NULL), 0);
    CHECK_EQ(tern_serve_raw(fx.w.ep[SERVER], HOLD, hold, NULL), 0);
    CHECK_EQ(tern_serve_raw(fx.w.ep[SERVER], DENY, deny, NULL), 0);
}

static void begin_with(bool reliable, uint32_t bound, uint32_t max_rx_bytes) {
    uint64_t live = live_buffers();
    memset(&fx, 0, sizeof fx);
    fx.live_before = live;
    CHECK(world_init(&fx.w, reliable, 0));
    tern_endpoint_free(fx.w.ep[SERVER]);
    tern_endpoint_config config;
    tern_endpoint_config_init(&config);
    config.max_running_calls = bound;
    if (max_rx_bytes) config.max_rx_bytes = config.max_message_bytes = max_rx_bytes;
    CHECK(world_boot(&fx.w, SERVER, &config));
    serve();
    CHECK_EQ(tern_connect(fx.w.ep[CLIENT], "sim://0", &fx.session), 0);
}

static void begin(bool reliable, uint32_t bound) { begin_with(reliable, bound, 0); }

static void end(void) {
    world_fini(&fx.w);
    CHECK_EQ(live_buffers(), fx.live_before);
}

static void pass(tern_dur time) {
    for (tern_time until = tern__sim_now(fx.w.sim) + (tern_time)time; tern__sim_now(fx.w.sim) < until;) {
        world_settle(&fx.w);
        tern__sim_advance(fx.w.sim, tern__sim_now(fx.w.sim) + (tern_time)(20 * TERN_US));
    }
    world_settle(&fx.w);
}

static int start(uint32_t method, const tern_call_opts *opts) {
    return tern_call_start_raw(fx.session, method, text("a request, that is"), opts, done, NULL);
}

/* One call to its end. */
static void call(uint32_t method, const tern_call_opts *opts) {
    unsigned before = fx.n_done;
    CHECK_EQ(start(method, opts), 0);
    fx.is_done = false;
    CHECK(world_run(&fx.w, &fx.is_done, 60 * TERN_SEC));
    CHECK_EQ(fx.n_done, before + 1);
}

#define CHECK_END(status_, has_not_run_)                                                                               \
    CHECK_EQ(fx.status, TERN_STATUS_##status_);                                                                        \
    CHECK_EQ(fx.has_not_run, has_not_run_)

static void ends__that_say_whether_the_call_has_run(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        tern_call_ref ref;
        begin(reliable, 0);
        CHECK_OK();
        call(ECHO, NULL);
        CHECK_END(OK, 0);
        call(ABSENT, NULL);
        CHECK_END(UNIMPLEMENTED, 1);
        call(DENY, NULL);
        CHECK_END(ABORTED, 0);
        call(HOLD, &TERN_CALL_OPTS(.timeout = 5 * TERN_MS));
        CHECK_END(DEADLINE_EXCEEDED, 0);
        /* Metadata that breaks the server's limit. */
        static uint8_t large[7000];
        tern_pair pairs[] = {{"a", {large, sizeof large}}};
        tern_endpoint_free(fx.w.ep[SERVER]);
        fx.w.ep[SERVER] = NULL;
        tern_endpoint_config config;
        tern_endpoint_config_init(&config);
        config.max_metadata_bytes = 100;
        pass(30 * TERN_MS);
        CHECK(world_boot(&fx.w, SERVER, &config));
        serve();
        unsigned n_runs = fx.n_runs;
        call(ECHO, NULL); /* connects anew */
        if (fx.status != TERN_STATUS_OK) call(ECHO, NULL);
        CHECK(fx.n_runs == n_runs + 1);
        call(ECHO, &TERN_CALL_OPTS(.metadata = pairs, .n_metadata = 1));
        CHECK_END(RESOURCE_EXHAUSTED, 1);
        CHECK_EQ(fx.retry_after, 0);
        CHECK_EQ(fx.n_runs, n_runs + 1);
        /* Given up: what has left may have run; what waits for a slot has not. */
        for (int i = 0; i < 8; i++) CHECK_EQ(start(HOLD, NULL), 0);
        CHECK_EQ(start(ECHO, &TERN_CALL_OPTS(.ref = &ref)), 0);
        unsigned before = fx.n_done;
        CHECK_EQ(tern_call_cancel(fx.w.ep[CLIENT], ref), 0);
        pass(TERN_MS);
        CHECK_EQ(fx.n_done, before + 1);
        CHECK_END(CANCELLED, 1);
        CHECK_EQ(start(ECHO, &TERN_CALL_OPTS(.timeout = TERN_MS)), 0);
        pass(5 * TERN_MS);
        CHECK_END(DEADLINE_EXCEEDED, 1); /* in the backlog */
        unsigned held = fx.n_held - 8;
        for (unsigned i = 0; i < 8; i++) tern_fail(fx.held[(held + i) % MAX_HELD], TERN_STATUS_ABORTED);
        pass(5 * TERN_MS);
        CHECK_END(ABORTED, 0);
        CHECK_EQ(start(HOLD, &TERN_CALL_OPTS(.ref = &ref)), 0);
        pass(TERN_MS);
        CHECK_EQ(tern_call_cancel(fx.w.ep[CLIENT], ref), 0);
        pass(TERN_MS);
        CHECK_END(CANCELLED, 0);
        end();
        CHECK_OK();
    }
}

/* The client is told when to come back, refuses calls until then, and is let in again. */
static void bound__tells_clients_when_to_come_back(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        begin(reliable, 1);
        CHECK_OK();
        CHECK_EQ(start(HOLD, NULL), 0);
        pass(TERN_MS);
        CHECK_EQ(fx.n_runs, 1);
        call(ECHO, NULL);
        CHECK_END(RESOURCE_EXHAUSTED, 1);
        CHECK(reliable || fx.retry_after > 0);
        CHECK_EQ(tern_reply_raw(fx.held[0], text("")), 0);
        pass(TERN_MS);
        tern_endpoint_stats before, after;
        tern_endpoint_get_stats(fx.w.ep[CLIENT], &before);
        call(ECHO, NULL);
        CHECK_END(RESOURCE_EXHAUSTED, 1);
        CHECK(fx.retry_after > 0 && fx.retry_after <= 20 * TERN_MS);
        tern_endpoint_get_stats(fx.w.ep[CLIENT], &after);
        CHECK_EQ(after.tx_packets, before.tx_packets);
        CHECK_EQ(fx.n_runs, 1);
        pass(fx.retry_after);
        call(ECHO, NULL);
        CHECK_END(OK, 0);
        CHECK_EQ(fx.n_runs, 2);
        end();
        CHECK_OK();
    }
}

/* A client that goes away does not make room for more by that: its handlers go on. */
static void bound__counts_calls_whose_client_is_gone(void) {
    enum { BOUND = 4 };
    for (int reliable = 0; reliable < 2; reliable++) {
        begin(reliable, BOUND);
        CHECK_OK();
        for (int i = 0; i < BOUND; i++) CHECK_EQ(start(HOLD, NULL), 0);
        pass(TERN_MS);
        CHECK_EQ(fx.n_held, BOUND);
        CHECK_EQ(tern_session_close(fx.session), 0);
        pass(10 * TERN_MS);
        CHECK_EQ(fx.n_done, BOUND);
        CHECK(tern_call_is_cancelled(fx.held[0]));
        CHECK_EQ(tern_connect(fx.w.ep[CLIENT], "sim://0", &fx.session), 0);
        pass(TERN_MS);
        call(ECHO, NULL);
        CHECK_END(RESOURCE_EXHAUSTED, 1);
        for (int i = 0; i < BOUND - 1; i++) CHECK_EQ(tern_reply_raw(fx.held[i], text("too late")), 0);
        pass(100 * TERN_MS); /* longer than the client was told to wait */
        call(ECHO, NULL);
        CHECK_END(OK, 0);
        end(); /* with one that is never answered */
        CHECK_OK();
    }
}

/* Nor does it make room for more messages: those that its handlers read count as long as they are read. */
static void account__counts_messages_whose_client_is_gone(void) {
    enum { LONG = 20000, ROOM = 64 << 10 }; /* for two messages */
    static const uint8_t bytes[LONG];
    for (int reliable = 0; reliable < 2; reliable++) {
        begin_with(reliable, 0, ROOM);
        CHECK_OK();
        for (int i = 0; i < 2; i++)
            CHECK_EQ(tern_call_start_raw(fx.session, HOLD, tern_bytes_of(bytes, LONG), NULL, done, NULL), 0);
        pass(10 * TERN_MS);
        CHECK_EQ(fx.n_held, 2);
        tern_call held[] = {fx.held[0], fx.held[1]};
        CHECK_EQ(tern_session_close(fx.session), 0);
        pass(10 * TERN_MS);
        CHECK_EQ(fx.n_done, 2);
        CHECK_EQ(tern_connect(fx.w.ep[CLIENT], "sim://0", &fx.session), 0);
        tern_endpoint_stats stats;
        for (int i = 0; i < 2; i++) {
            CHECK_EQ(tern_call_start_raw(fx.session, ECHO, tern_bytes_of(bytes, LONG), NULL, done, NULL), 0);
            pass(100 * TERN_MS);
            CHECK_EQ(fx.n_done, 3 + i);
            CHECK_EQ(fx.status, i == 0 ? TERN_STATUS_RESOURCE_EXHAUSTED : TERN_STATUS_OK);
            tern_endpoint_get_stats(fx.w.ep[SERVER], &stats);
            CHECK_EQ(stats.given_up_requests, 1);
            if (i == 0) CHECK_EQ(tern_fail(held[0], TERN_STATUS_ABORTED), 0);
        }
        CHECK_EQ(tern_fail(held[1], TERN_STATUS_ABORTED), 0);
        end();
        CHECK_OK();
    }
}

/* A client that sleeps with a half-sent request hears afterwards what became of it. (On a link that loses packets
 * its session has been lost before.) */
static void request__that_nothing_more_came_of_says_so(void) {
    static const uint8_t bytes[200000];
    begin(true, 0);
    CHECK_OK();
    call(ECHO, NULL);
    CHECK_EQ(tern_call_start_raw(fx.session, HOLD, tern_bytes_of(bytes, sizeof bytes), NULL, done, NULL), 0);
    tern_poll(fx.w.ep[CLIENT]);
    tern_endpoint_stats stats = {0};
    for (int i = 0; i < 10000 && !stats.given_up_requests; i++) {
        tern__sim_advance(fx.w.sim, tern__sim_now(fx.w.sim) + (tern_time)TERN_MS);
        tern_poll(fx.w.ep[SERVER]);
        tern_endpoint_get_stats(fx.w.ep[SERVER], &stats);
    }
    CHECK_EQ(stats.given_up_requests, 1);
    pass(100 * TERN_MS);
    CHECK_EQ(fx.n_done, 2);
    CHECK_END(RESOURCE_EXHAUSTED, 1);
    CHECK(strstr(fx.message, "nothing more of it came for 5 s") != NULL);
    CHECK_EQ(fx.n_held, 0);
    end();
}

/* ---- Without memory ------------------------------------------------------------------------------ */

static const tern_pair pairs[] = {{"key", {"value", 5}}, {"other", {"", 0}}};
static unsigned n_begun, n_refused;

static void start_some(void) {
    static uint8_t long_value[3000];
    const tern_pair large = {"key", {long_value, sizeof long_value}};
    const tern_call_opts some[] = {TERN_CALL_OPTS(.metadata = pairs, .n_metadata = 2),
                                   TERN_CALL_OPTS(.metadata = &large, .n_metadata = 1), TERN_CALL_OPTS()};
    static const uint32_t methods[] = {ECHO, DENY, ABSENT};
    for (unsigned i = 0; i < 9; i++) {
        int err = start(methods[i % 3], &some[i / 3]);
        CHECK(err == 0 || err == TERN_ERR_NOMEM);
        n_begun += err == 0;
        n_refused += err != 0;
    }
}

/* Whichever allocation fails, every call that began ends, with a status, and nothing leaks. */
static void allocation__each_fails_once_while_metadata_travels(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        uint64_t n = 1, left = 0, n_refused_in_all = 0;
        for (; left == 0; n++) {
            begin(reliable, 0);
            CHECK_OK();
            call(ECHO, NULL);
            CHECK_END(OK, 0);
            unsigned before = fx.n_done;
            n_begun = n_refused = 0;
            tern__pool_fail_after(n);
            start_some();
            pass(20 * TERN_MS);
            left = tern__pool_fail_after(0);
            for (int i = 0; i < 1000 && fx.n_done < before + n_begun; i++) pass(10 * TERN_MS);
            if (fx.n_done != before + n_begun) printf("# allocation %llu\n", (unsigned long long)n);
            CHECK_EQ(fx.n_done, before + n_begun);
            n_refused_in_all += n_refused;
            call(ECHO, &TERN_CALL_OPTS(.metadata = pairs, .n_metadata = 2)); /* and all goes on */
            CHECK_END(OK, 0);
            end();
            CHECK_OK();
        }
        printf("# %llu allocations failed, %llu calls could not begin\n", (unsigned long long)n - 2,
               (unsigned long long)n_refused_in_all);
        CHECK(n > 20);
    }
}

TAP_MAIN(TEST(ends__that_say_whether_the_call_has_run), TEST(bound__tells_clients_when_to_come_back),
         TEST(bound__counts_calls_whose_client_is_gone), TEST(account__counts_messages_whose_client_is_gone),
         TEST(request__that_nothing_more_came_of_says_so), TEST(allocation__each_fails_once_while_metadata_travels))
