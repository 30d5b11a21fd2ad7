/* What a user of the rpc layer can do about failures, and is told of them: over simulated ports. */
#include "tap.h"

#include "world.h"

enum { ECHO = 1, HOLD = 2, MAX_HELD = 32 };

typedef struct fixture {
    world w;
    tern_session *session;
    tern_call *held[MAX_HELD];
    uint32_t n_held, n_told;
    tern_status why;
    bool quits; /* a handler that is told ends its call */
    uint32_t n_done, n_ok;
    int status;
    bool done;
    uint64_t live_before;
} fixture;

static fixture fx;

static void echo(tern_call *call, const void *request, void *user) {
    (void)user;
    tern_reply_raw(call, *(const tern_bytes *)request);
}

static void told(tern_call *call, tern_status why, void *user) {
    fixture *f = user;
    f->n_told++;
    f->why = why;
    if (!f->quits) return;
    for (uint32_t i = 0; i < f->n_held; i++)
        if (f->held[i] == call) f->held[i] = NULL;
    tern_fail(call, TERN_STATUS_ABORTED);
}

static void hold(tern_call *call, const void *request, void *user) {
    (void)request;
    fixture *f = user;
    f->held[f->n_held++ % MAX_HELD] = call;
    tern_call_on_cancel(call, told, user);
}

static void done(void *user, int status, const void *response) {
    fixture *f = user;
    (void)response;
    f->n_done++;
    f->n_ok += status == TERN_STATUS_OK;
    f->status = status;
    f->done = true;
}

static uint64_t live_buffers(void) {
    tern_mem_stats stats;
    tern_mem_get_stats(&stats);
    return stats.live_buffers;
}

static void serve(uint32_t node) {
    CHECK_EQ(tern_serve_raw(fx.w.ep[node], ECHO, echo, &fx), 0);
    CHECK_EQ(tern_serve_raw(fx.w.ep[node], HOLD, hold, &fx), 0);
}

static void begin(bool reliable) {
    fx = (fixture){.live_before = live_buffers()};
    CHECK(world_init(&fx.w, reliable, 0));
    serve(SERVER);
    CHECK_EQ(tern_connect(fx.w.ep[CLIENT], "sim://0", &fx.session), 0);
}

static void end(void) {
    world_fini(&fx.w);
    CHECK_EQ(live_buffers(), fx.live_before);
}

static int call(uint32_t method, const tern_call_opts *opts) {
    fx.done = false;
    return tern_call_start_raw(fx.session, method, tern_bytes_of("request", 7), opts, done, &fx);
}

static void turn(unsigned n) {
    while (n-- > 0) world_turn(&fx.w);
}

static void turn_until_held(uint32_t n) {
    for (int i = 0; i < 1000 && fx.n_held < n; i++) world_turn(&fx.w);
    CHECK_EQ(fx.n_held, n);
}

static void check_works(void) {
    uint32_t n_ok = fx.n_ok;
    CHECK_EQ(call(ECHO, NULL), 0);
    CHECK(world_run(&fx.w, &fx.done, TERN_SEC));
    CHECK_EQ(fx.n_ok, n_ok + 1);
}

/* ---- Cancelling --------------------------------------------------------------------------------- */

static void cancel__ends_the_call_and_tells_the_handler(void) {
    for (int i = 0; i < 4; i++) {
        bool reliable = i & 1;
        begin(reliable);
        fx.quits = i & 2;
        tern_call_ref ref;
        CHECK_EQ(call(HOLD, &(tern_call_opts){.ref = &ref}), 0);
        turn_until_held(1);
        CHECK_EQ(tern_call_is_cancelled(fx.held[0]), 0);
        CHECK_EQ(tern_call_cancel(fx.w.ep[CLIENT], ref), 0);
        CHECK(!fx.done);
        CHECK_EQ(tern_call_cancel(fx.w.ep[CLIENT], ref), TERN_ERR_STALE);
        turn(5);
        CHECK_EQ(fx.n_done, 1);
        CHECK_EQ(fx.status, TERN_STATUS_CANCELLED);
        CHECK_EQ(fx.n_told, 1);
        CHECK_EQ(fx.why, TERN_STATUS_CANCELLED);
        if (!fx.quits) {
            CHECK_EQ(tern_call_is_cancelled(fx.held[0]), TERN_STATUS_CANCELLED);
            CHECK_EQ(tern_reply_raw(fx.held[0], tern_bytes_of("late", 4)), 0);
        }
        check_works();
        CHECK_EQ(fx.n_done, 2);
        CHECK_EQ(tern_call_cancel(fx.w.ep[CLIENT], ref), TERN_ERR_STALE);
        end();
        CHECK_OK();
    }
}

/* Records are used again: the old name does not name the new call. */
static void cancel__by_a_stale_ref_is_harmless(void) {
    begin(false);
    tern_call_ref first, second, none = {0};
    CHECK_EQ(call(ECHO, &(tern_call_opts){.ref = &first}), 0);
    CHECK(world_run(&fx.w, &fx.done, TERN_SEC));
    CHECK_EQ(tern_call_cancel(fx.w.ep[CLIENT], first), TERN_ERR_STALE);
    CHECK_EQ(call(ECHO, &(tern_call_opts){.ref = &second}), 0);
    CHECK(first.record == second.record);
    CHECK_EQ(tern_call_cancel(fx.w.ep[CLIENT], first), TERN_ERR_STALE);
    CHECK_EQ(tern_call_cancel(fx.w.ep[CLIENT], none), TERN_ERR_STALE);
    CHECK_EQ(tern_call_cancel(fx.w.ep[SERVER], second), TERN_ERR_INVALID);
    CHECK(world_run(&fx.w, &fx.done, TERN_SEC));
    CHECK_EQ(fx.n_ok, 2);
    tern_session *session = fx.session;
    CHECK_EQ(call(HOLD, &(tern_call_opts){.ref = &second}), 0);
    CHECK_EQ(tern_session_close(session), 0);
    CHECK_EQ(fx.status, TERN_STATUS_UNAVAILABLE);
    CHECK_EQ(tern_call_cancel(fx.w.ep[CLIENT], second), TERN_ERR_STALE);
    end();
}

/* Before the session is up, and from inside a callback of another call. */
static tern_call_ref other;

static void cancelling_done(void *user, int status, const void *response) {
    CHECK_EQ(tern_call_cancel(fx.w.ep[CLIENT], other), 0);
    done(user, status, response);
}

static void cancel__while_connecting_and_from_a_callback(void) {
    begin(false);
    CHECK_EQ(call(ECHO, &(tern_call_opts){.ref = &other}), 0);
    CHECK_EQ(tern_call_cancel(fx.w.ep[CLIENT], other), 0);
    turn(1);
    CHECK_EQ(fx.n_done, 1);
    CHECK_EQ(fx.status, TERN_STATUS_CANCELLED);
    CHECK_EQ(call(HOLD, &(tern_call_opts){.ref = &other}), 0);
    CHECK_EQ(tern_call_start_raw(fx.session, ECHO, tern_bytes_of("x", 1), NULL, cancelling_done, &fx), 0);
    for (int i = 0; i < 100 && fx.n_done < 3; i++) turn(1);
    CHECK_EQ(fx.n_done, 3);
    CHECK_EQ(fx.n_ok, 1);
    CHECK_EQ(fx.status, TERN_STATUS_CANCELLED);
    turn(5);
    CHECK_EQ(fx.n_told, 1);
    end();
}

static void deadline__tells_the_handler(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        begin(reliable);
        CHECK_EQ(call(HOLD, &(tern_call_opts){.timeout = 20 * TERN_MS}), 0);
        turn_until_held(1);
        CHECK(world_run(&fx.w, &fx.done, TERN_SEC));
        CHECK_EQ(fx.status, TERN_STATUS_DEADLINE_EXCEEDED);
        turn(5);
        CHECK_EQ(fx.n_told, 1);
        CHECK_EQ(fx.why, TERN_STATUS_DEADLINE_EXCEEDED);
        CHECK_EQ(tern_call_on_cancel(fx.held[0], told, &fx), 0); /* too late for it to wait */
        CHECK_EQ(fx.n_told, 2);
        CHECK_EQ(tern_fail(fx.held[0], TERN_STATUS_ABORTED), 0);
        check_works();
        end();
        CHECK_OK();
    }
}

static void client_gone__tells_the_handler(void) {
    for (int i = 0; i < 4; i++) {
        begin(i & 1);
        fx.quits = i & 2;
        CHECK_EQ(call(HOLD, NULL), 0);
        turn_until_held(1);
        CHECK_EQ(tern_session_close(fx.session), 0);
        turn(5);
        CHECK_EQ(fx.n_told, 1);
        CHECK_EQ(fx.why, TERN_STATUS_UNAVAILABLE);
        if (!fx.quits) CHECK_EQ(tern_reply_raw(fx.held[0], tern_bytes_of("late", 4)), 0);
        end();
        CHECK_OK();
    }
}

TAP_MAIN(TEST(cancel__ends_the_call_and_tells_the_handler), TEST(cancel__by_a_stale_ref_is_harmless),
         TEST(cancel__while_connecting_and_from_a_callback), TEST(deadline__tells_the_handler),
         TEST(client_gone__tells_the_handler))
