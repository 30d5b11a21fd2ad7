/* What a user of the rpc layer can do about failures, and is told of them: over simulated ports. */
#include "tap.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "server_thread.h"
#include "world.h"

enum { ECHO = 1, HOLD = 2, MAX_HELD = 32 };

typedef struct fixture {
    world w;
    tern_session *session;
    tern_call held[MAX_HELD];
    uint32_t n_held, n_told;
    tern_status why;
    bool quits; /* a handler that is told ends its call */
    uint32_t n_done, n_ok, n_not_run;
    int status;
    bool done;
    uint64_t live_before;
    char events[32]; /* of the session, a letter each */
    tern_status lost_why;
    unsigned n_drained;
    bool drained;
} fixture;

static fixture fx;

static void echo(tern_call call, const void *request, void *user) {
    (void)user;
    tern_reply_raw(call, *(const tern_bytes *)request);
}

static void told(tern_call call, tern_status why, void *user) {
    fixture *f = user;
    f->n_told++;
    f->why = why;
    if (!f->quits) return;
    for (uint32_t i = 0; i < f->n_held; i++)
        if (f->held[i].id == call.id) f->held[i] = (tern_call){0};
    tern_fail(call, TERN_STATUS_ABORTED);
}

static void hold(tern_call call, const void *request, void *user) {
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
    tern_endpoint *ep = f->w.ep[CLIENT]; /* NULL: the test has endpoints of its own */
    f->n_not_run += status == TERN_STATUS_UNAVAILABLE && ep && tern_call_has_not_run(ep) == 1;
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

static void begin_on(bool reliable, double loss) {
    fx = (fixture){.live_before = live_buffers()};
    CHECK(world_init(&fx.w, reliable, loss));
    serve(SERVER);
    CHECK_EQ(tern_connect(fx.w.ep[CLIENT], "sim://0", &fx.session), 0);
}

static void begin(bool reliable) { begin_on(reliable, 0); }

static void on_event(tern_session *session, tern_session_event event, tern_status why, void *user) {
    fixture *f = user;
    CHECK(session == f->session);
    size_t n = strlen(f->events);
    if (n + 1 < sizeof f->events) f->events[n] = "UNDL"[event];
    if (event == TERN_EVENT_LOST) f->lost_why = why;
}

static void on_drained(void *user) {
    fixture *f = user;
    f->n_drained++;
    f->drained = true;
}

static void watch(void) { CHECK_EQ(tern_session_on_event(fx.session, on_event, &fx), 0); }

static void pass_a_ms(void) {
    for (int i = 0; i < 50; i++) {
        world_settle(&fx.w);
        tern__sim_advance(fx.w.sim, tern__sim_now(fx.w.sim) + (tern_time)(20 * TERN_US));
    }
    world_settle(&fx.w);
}

static void restart_server(void) {
    if (fx.w.ep[SERVER]) {
        tern__sim_node_down(fx.w.sim, SERVER);
        tern_endpoint_free(fx.w.ep[SERVER]);
    }
    CHECK(world_boot(&fx.w, SERVER, NULL));
    serve(SERVER);
    pass_a_ms(); /* the end of the old one is noticed where it shows */
}

static void end_fixture(void) {
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
        CHECK_EQ(call(HOLD, &TERN_CALL_OPTS(.ref = &ref)), 0);
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
        end_fixture();
        CHECK_OK();
    }
}

/* Records are used again: the old name does not name the new call. */
static void cancel__by_a_stale_ref_is_harmless(void) {
    begin(false);
    tern_call_ref first, second, none = {0};
    CHECK_EQ(call(ECHO, &TERN_CALL_OPTS(.ref = &first)), 0);
    CHECK(world_run(&fx.w, &fx.done, TERN_SEC));
    CHECK_EQ(tern_call_cancel(fx.w.ep[CLIENT], first), TERN_ERR_STALE);
    CHECK_EQ(call(ECHO, &TERN_CALL_OPTS(.ref = &second)), 0);
    CHECK((uint32_t)first.id << 12 == (uint32_t)second.id << 12); /* the index */
    CHECK_EQ(tern_call_cancel(fx.w.ep[CLIENT], first), TERN_ERR_STALE);
    CHECK_EQ(tern_call_cancel(fx.w.ep[CLIENT], none), TERN_ERR_STALE);
    CHECK_EQ(tern_call_cancel(fx.w.ep[SERVER], second), TERN_ERR_INVALID);
    CHECK(world_run(&fx.w, &fx.done, TERN_SEC));
    CHECK_EQ(fx.n_ok, 2);
    tern_session *session = fx.session;
    CHECK_EQ(call(HOLD, &TERN_CALL_OPTS(.ref = &second)), 0);
    CHECK_EQ(tern_session_close(session), 0);
    CHECK_EQ(fx.status, TERN_STATUS_UNAVAILABLE);
    CHECK_EQ(tern_call_cancel(fx.w.ep[CLIENT], second), TERN_ERR_STALE);
    end_fixture();
}

/* Before the session is up, and from inside a callback of another call. */
static tern_call_ref other;

static void cancelling_done(void *user, int status, const void *response) {
    CHECK_EQ(tern_call_cancel(fx.w.ep[CLIENT], other), 0);
    done(user, status, response);
}

static void cancel__while_connecting_and_from_a_callback(void) {
    begin(false);
    CHECK_EQ(call(ECHO, &TERN_CALL_OPTS(.ref = &other)), 0);
    CHECK_EQ(tern_call_cancel(fx.w.ep[CLIENT], other), 0);
    turn(1);
    CHECK_EQ(fx.n_done, 1);
    CHECK_EQ(fx.status, TERN_STATUS_CANCELLED);
    CHECK_EQ(call(HOLD, &TERN_CALL_OPTS(.ref = &other)), 0);
    CHECK_EQ(tern_call_start_raw(fx.session, ECHO, tern_bytes_of("x", 1), NULL, cancelling_done, &fx), 0);
    for (int i = 0; i < 100 && fx.n_done < 3; i++) turn(1);
    CHECK_EQ(fx.n_done, 3);
    CHECK_EQ(fx.n_ok, 1);
    CHECK_EQ(fx.status, TERN_STATUS_CANCELLED);
    turn(5);
    CHECK_EQ(fx.n_told, 1);
    end_fixture();
}

static void deadline__tells_the_handler(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        begin(reliable);
        CHECK_EQ(call(HOLD, &TERN_CALL_OPTS(.timeout = 20 * TERN_MS)), 0);
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
        end_fixture();
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
        end_fixture();
        CHECK_OK();
    }
}

/* ---- What a session's user is told -------------------------------------------------------------- */

static void events__tell_a_new_server_from_the_old_one(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        begin(reliable);
        watch();
        uint64_t first = 0, second = 0;
        CHECK_EQ(tern_session_get_incarnation(fx.session, &first), TERN_ERR_NOT_FOUND);
        check_works();
        CHECK(strcmp(fx.events, "U") == 0);
        CHECK_EQ(tern_session_get_incarnation(fx.session, &first), 0);
        restart_server();
        CHECK_EQ(call(ECHO, NULL), 0); /* on a lossy link this one finds out, on the other it has been noticed */
        CHECK(world_run(&fx.w, &fx.done, 3 * TERN_SEC));
        CHECK(strcmp(fx.events, reliable ? "ULN" : "UL") == 0);
        check_works();
        CHECK(strcmp(fx.events, "ULN") == 0);
        CHECK_EQ(fx.lost_why, TERN_STATUS_UNAVAILABLE);
        CHECK_EQ(tern_session_get_incarnation(fx.session, &second), 0);
        CHECK(first && second && first != second);
        end_fixture();
        CHECK_OK();
    }
}

/* The path was cut, the server lives: the same one again. */
static void events__the_same_server_again(void) {
    begin(false);
    watch();
    check_works();
    CHECK_EQ(tern__sim_cut(fx.w.sim, SERVER, CLIENT, true), 0);
    CHECK_EQ(call(ECHO, NULL), 0);
    CHECK(world_run(&fx.w, &fx.done, 3 * TERN_SEC));
    CHECK_EQ(fx.status, TERN_STATUS_UNAVAILABLE);
    CHECK_EQ(tern__sim_cut(fx.w.sim, SERVER, CLIENT, false), 0);
    check_works();
    CHECK(strcmp(fx.events, "ULU") == 0);
    end_fixture();
}

static void events__none_after_a_close_or_when_taken_back(void) {
    begin(false);
    watch();
    CHECK_EQ(tern_session_on_event(fx.session, NULL, NULL), 0);
    check_works();
    CHECK_EQ(fx.events[0], 0);
    watch();
    CHECK_EQ(tern_session_close(fx.session), 0);
    turn(5);
    CHECK_EQ(fx.events[0], 0);
    end_fixture();
}

/* ---- Draining ----------------------------------------------------------------------------------- */

/* What runs is answered, what is new is not taken, and the end is told. */
static void drain__finishes_what_runs(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        begin(reliable);
        watch();
        for (int i = 0; i < 10; i++) CHECK_EQ(call(HOLD, NULL), 0); /* eight run, two wait for their turn */
        turn_until_held(8);
        CHECK_EQ(tern_endpoint_drain(fx.w.ep[SERVER], TERN_SEC, on_drained, &fx), 0);
        CHECK_EQ(tern_endpoint_is_drained(fx.w.ep[SERVER]), 0);
        for (int i = 0; i < 100 && fx.n_done < 2; i++) turn(1);
        CHECK_EQ(fx.n_done, 2); /* those that waited tried a new connection */
        CHECK_EQ(fx.status, TERN_STATUS_UNAVAILABLE);
        CHECK(strcmp(fx.events, "DL") == 0 || strcmp(fx.events, "UDL") == 0);
        CHECK_EQ(call(ECHO, NULL), 0);
        CHECK(world_run(&fx.w, &fx.done, 100 * TERN_MS));
        CHECK_EQ(fx.status, TERN_STATUS_UNAVAILABLE);
        CHECK_EQ(fx.n_drained, 0);
        CHECK_EQ(fx.n_not_run, 3); /* all that ended so */
        for (int i = 0; i < 8; i++) CHECK_EQ(tern_reply_raw(fx.held[i], tern_bytes_of("x", 1)), 0);
        CHECK(world_run(&fx.w, &fx.drained, 500 * TERN_MS));
        CHECK_EQ(fx.n_ok, 8);
        CHECK_EQ(fx.n_done, 11);
        CHECK_EQ(tern_endpoint_is_drained(fx.w.ep[SERVER]), 1);
        restart_server();
        check_works();
        CHECK_EQ(fx.n_drained, 1);
        CHECK_EQ(fx.events[strlen(fx.events) - 1], 'N');
        end_fixture();
        CHECK_OK();
    }
}

static void drain__cuts_off_what_takes_too_long(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        begin(reliable);
        tern_call_ref ref;
        CHECK_EQ(call(HOLD, NULL), 0);
        CHECK_EQ(call(HOLD, &TERN_CALL_OPTS(.ref = &ref)), 0);
        turn_until_held(2);
        CHECK_EQ(tern_endpoint_drain(fx.w.ep[SERVER], 200 * TERN_MS, on_drained, &fx), 0);
        pass_a_ms();
        CHECK_EQ(tern_call_cancel(fx.w.ep[CLIENT], ref), 0); /* also what is on the old connection */
        pass_a_ms();
        CHECK_EQ(fx.status, TERN_STATUS_CANCELLED);
        CHECK_EQ(fx.n_told, 1);
        tern_time start = tern__sim_now(fx.w.sim);
        CHECK(world_run(&fx.w, &fx.drained, TERN_SEC));
        CHECK(tern__sim_now(fx.w.sim) - start <= (tern_time)(210 * TERN_MS));
        turn(5);
        CHECK_EQ(fx.status, TERN_STATUS_UNAVAILABLE);
        CHECK_EQ(fx.n_not_run, 0); /* its handler had it */
        CHECK_EQ(fx.n_done, 2);
        CHECK_EQ(fx.n_told, 2);
        for (int i = 0; i < 2; i++) tern_fail(fx.held[i], TERN_STATUS_ABORTED);
        end_fixture();
        CHECK_OK();
    }
}

/* Nobody is accepted any more: that is no success. */
static void drain__leaves_nothing_to_listen_at(void) {
    begin(true);
    CHECK_EQ(tern_endpoint_drain(fx.w.ep[SERVER], TERN_SEC, on_drained, &fx), 0);
    CHECK_EQ(tern_listen(fx.w.ep[SERVER], "udp://127.0.0.1:0"), TERN_ERR_STATE);
    CHECK(world_run(&fx.w, &fx.drained, TERN_SEC));
    CHECK_EQ(tern_endpoint_is_drained(fx.w.ep[SERVER]), 1);
    CHECK_EQ(tern_listen(fx.w.ep[SERVER], "udp://127.0.0.1:0"), TERN_ERR_STATE);
    tern_listener *listener;
    CHECK_EQ(tern_listener_new("udp://127.0.0.1:0", 2, &listener), 0);
    CHECK_EQ(tern_listen_shared(fx.w.ep[SERVER], listener), TERN_ERR_STATE);
    CHECK(tern_listen_address(fx.w.ep[SERVER], 1) == NULL);
    tern_listener_free(listener);
    end_fixture();
}

static void drain__of_an_idle_endpoint_ends_at_once(void) {
    begin(false);
    check_works();
    CHECK_EQ(tern_endpoint_drain(fx.w.ep[CLIENT], TERN_SEC, on_drained, &fx), 0);
    turn(1);
    CHECK_EQ(fx.n_drained, 1);
    check_works(); /* as a client it goes on */
    fx.drained = false;
    CHECK_EQ(tern_endpoint_drain(fx.w.ep[SERVER], 10 * TERN_SEC, on_drained, &fx), 0);
    CHECK(world_run(&fx.w, &fx.drained, 10 * TERN_MS)); /* the idle session goes */
    CHECK_EQ(tern_session_get_state(fx.session), TERN_SESSION_DOWN);
    end_fixture();
}

/* GOAWAYs, their answers and the goodbye may get lost. */
static void drain__on_a_lossy_path(void) {
    begin_on(false, 0.25);
    for (int i = 0; i < 5; i++) CHECK_EQ(call(HOLD, NULL), 0);
    turn_until_held(5);
    CHECK_EQ(tern_endpoint_drain(fx.w.ep[SERVER], 60 * TERN_SEC, on_drained, &fx), 0);
    for (int i = 0; i < 20; i++) pass_a_ms();
    for (int i = 0; i < 5; i++) CHECK_EQ(tern_reply_raw(fx.held[i], tern_bytes_of("x", 1)), 0);
    CHECK(world_run(&fx.w, &fx.drained, 10 * TERN_SEC));
    CHECK_EQ(fx.n_ok, 5);
    end_fixture();
}

/* ---- Keeping idle sessions ---------------------------------------------------------------------- */

/* As the endpoint's config has it, or for one session. */
static void keepalive__notices_a_death_without_a_call(void) {
    for (int i = 0; i < 4; i++) {
        bool reliable = i & 1, one = i & 2;
        begin(reliable);
        tern_endpoint_config config;
        tern_endpoint_config_init(&config);
        config.keepalive = one ? 0 : 5 * TERN_SEC;
        tern_endpoint_free(fx.w.ep[CLIENT]);
        CHECK(world_boot(&fx.w, CLIENT, &config));
        CHECK_EQ(tern_connect(fx.w.ep[CLIENT], "sim://0", &fx.session), 0);
        CHECK_EQ(tern_session_set_keepalive(fx.session, -1), TERN_ERR_INVALID);
        if (one) CHECK_EQ(tern_session_set_keepalive(fx.session, 5 * TERN_SEC), 0);
        watch();
        check_works();
        tern_time end = tern__sim_now(fx.w.sim) + (tern_time)(60 * TERN_SEC);
        while (tern__sim_now(fx.w.sim) < end) turn(1);
        CHECK(strcmp(fx.events, "U") == 0); /* it lives */
        CHECK_EQ(tern__sim_cut(fx.w.sim, SERVER, CLIENT, true), 0);
        tern_time start = tern__sim_now(fx.w.sim);
        while (!fx.events[1] && tern__sim_now(fx.w.sim) < start + (tern_time)(60 * TERN_SEC)) turn(1);
        CHECK(strcmp(fx.events, "UL") == 0);
        CHECK(tern__sim_now(fx.w.sim) - start < (tern_time)(7 * TERN_SEC));
        CHECK_EQ(tern__sim_cut(fx.w.sim, SERVER, CLIENT, false), 0);
        end_fixture();
        CHECK_OK();
    }
}

/* ---- A full backlog ----------------------------------------------------------------------------- */

static int serve_both(tern_endpoint *ep, void *user) {
    int err = tern_serve_raw(ep, ECHO, echo, user);
    return err ? err : tern_serve_raw(ep, HOLD, hold, user);
}

static tern_endpoint *make_narrow_client(const char *address) {
    tern_endpoint_config config;
    tern_endpoint *ep = NULL;
    tern_endpoint_config_init(&config);
    config.max_backlog = 2;
    if (tern_endpoint_new(&config, &ep) || tern_connect(ep, address, &fx.session)) abort();
    return ep;
}

static void poll_until_done(tern_endpoint *ep, uint32_t n) {
    while (fx.n_done < n) tern_poll(ep);
}

static void block__waits_for_room(void) {
    enum { N = 300 };
    fx = (fixture){0};
    server s = {.listen_at = "udp://127.0.0.1:0", .set_up = serve_both, .user = &fx};
    CHECK(server_start(&s));
    tern_endpoint *ep = make_narrow_client(s.address);
    const tern_call_opts opts = TERN_CALL_OPTS(.block = true);
    unsigned n_full = 0;
    for (int i = 0; i < N; i++) CHECK_EQ(call(ECHO, &opts), 0);
    poll_until_done(ep, N);
    CHECK_EQ(fx.n_ok, N);
    for (int i = 0; i < N; i++) n_full += call(ECHO, NULL) == TERN_ERR_FULL;
    CHECK(n_full > 0);
    poll_until_done(ep, 2 * N - n_full);
    CHECK_EQ(tern_endpoint_free(ep), 0);
    CHECK_EQ(server_stop(&s), 0);
}

static void block__until_the_timeout(void) {
    fx = (fixture){0};
    server s = {.listen_at = "udp://127.0.0.1:0", .set_up = serve_both, .user = &fx};
    CHECK(server_start(&s));
    tern_endpoint *ep = make_narrow_client(s.address);
    for (int i = 0; i < 10; i++) {
        int err = call(HOLD, NULL);
        if (err == TERN_ERR_FULL) i--; /* not connected yet */
        tern_poll(ep);
    }
    tern_call_ref ref;
    CHECK_EQ(call(HOLD, &TERN_CALL_OPTS(.block = true, .timeout = 20 * TERN_MS, .ref = &ref)), 0);
    poll_until_done(ep, 1);
    CHECK_EQ(fx.status, TERN_STATUS_DEADLINE_EXCEEDED);
    CHECK_EQ(tern_call_cancel(ep, ref), TERN_ERR_STALE);
    CHECK_EQ(tern_endpoint_free(ep), 0);
    CHECK_EQ(fx.n_done, 11);
    CHECK_EQ(server_stop(&s), 0);
}

static void close_session(void *user) { tern_session_close(((fixture *)user)->session); }

static void block__ends_with_the_session(void) {
    fx = (fixture){0};
    server s = {.listen_at = "udp://127.0.0.1:0", .set_up = serve_both, .user = &fx};
    CHECK(server_start(&s));
    tern_endpoint *ep = make_narrow_client(s.address);
    for (uint32_t n = 0; n < 10; n += call(HOLD, NULL) == 0) tern_poll(ep);
    CHECK_EQ(tern_post(ep, close_session, &fx), 0); /* runs while the call blocks */
    CHECK_EQ(call(HOLD, &TERN_CALL_OPTS(.block = true)), TERN_ERR_CLOSED);
    tern_poll(ep);
    CHECK_EQ(fx.n_done, 10);
    CHECK_EQ(tern_endpoint_free(ep), 0);
    CHECK_EQ(server_stop(&s), 0);
}

/* ---- Not allowed -------------------------------------------------------------------------------- */

enum { NOBODY = 65533 };

/* Comes first: a process that is to be forked has no pool yet. Another user's process, which may not write to the
 * server's socket. Returns 0 when its call ends with PERMISSION_DENIED. */
static int call_as_nobody(const char *address, int ready) {
    char byte;
    tern_endpoint *ep;
    if (setgid(NOBODY) || setuid(NOBODY) || read(ready, &byte, 1) != 1) return 1;
    fx = (fixture){0};
    if (tern_endpoint_new(NULL, &ep) || tern_connect(ep, address, &fx.session)) return 2;
    if (call(ECHO, NULL)) return 3;
    while (fx.n_done < 1) tern_poll(ep);
    tern_endpoint_free(ep);
    return fx.status == TERN_STATUS_PERMISSION_DENIED ? 0 : 4;
}

static void connect__of_another_user_is_denied(void) {
    char address[64];
    int fds[2], status = -1;
    tern_endpoint *ep;
    if (geteuid() != 0) {
        printf("# skipped: only root can be two users\n");
        return;
    }
    snprintf(address, sizeof address, "shm:///tmp/tern-denied-%d.sock", (int)getpid());
    CHECK_EQ(pipe(fds), 0);
    fflush(stdout);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) _exit(call_as_nobody(address, fds[0]));
    CHECK_EQ(tern_endpoint_new(NULL, &ep), 0);
    CHECK_EQ(tern_listen(ep, address), 0);
    CHECK_EQ(write(fds[1], "", 1), 1);
    while (waitpid(child, &status, WNOHANG) == 0) tern_poll(ep);
    CHECK(WIFEXITED(status));
    CHECK_EQ(WEXITSTATUS(status), 0);
    CHECK_EQ(tern_endpoint_free(ep), 0);
    close(fds[0]);
    close(fds[1]);
}

TAP_MAIN(TEST(connect__of_another_user_is_denied), TEST(cancel__ends_the_call_and_tells_the_handler),
         TEST(cancel__by_a_stale_ref_is_harmless), TEST(cancel__while_connecting_and_from_a_callback),
         TEST(deadline__tells_the_handler), TEST(client_gone__tells_the_handler),
         TEST(events__tell_a_new_server_from_the_old_one), TEST(events__the_same_server_again),
         TEST(events__none_after_a_close_or_when_taken_back), TEST(drain__finishes_what_runs),
         TEST(drain__cuts_off_what_takes_too_long), TEST(drain__leaves_nothing_to_listen_at),
         TEST(drain__of_an_idle_endpoint_ends_at_once), TEST(drain__on_a_lossy_path),
         TEST(keepalive__notices_a_death_without_a_call), TEST(block__waits_for_room), TEST(block__until_the_timeout),
         TEST(block__ends_with_the_session))
