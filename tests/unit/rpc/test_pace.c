/* When a server notices that its handlers take long, whatever mixture of work it has, and what it remembers of those
 * who took its time. */
#include "engine/engine_record.h"
#include "engine/peers.h"
#include "streaming.tern.h"
#include "tap.h"
#include "tern/call_stream.h"
#include "world.h"

enum { ECHO = 9, SLOW = 10 };

static world w;
static tern_session *session;
static int call_status;
static unsigned n_out;
static tern_dur slow_for, message_for;

static void spend(tern_dur time) { tern__sim_advance(w.sim, tern__sim_now(w.sim) + (tern_time)time); }

static void echo(tern_call call, const void *request, void *user) {
    (void)user;
    tern_reply_raw(call, *(const tern_bytes *)request);
}

static void slow(tern_call call, const void *request, void *user) {
    spend(slow_for);
    echo(call, request, user);
}

static void on_message(tern_stream stream, const test_streaming_Piece *piece, void *user) {
    (void)stream, (void)piece, (void)user;
    spend(message_for);
}

static void accept_up(tern_stream stream, void *user) {
    static const test_streaming_Mixed_Up_server_events events = {.on_message = on_message};
    test_streaming_Mixed_Up_accept(stream, NULL, &events, user);
}

static void on_done(void *user, int status, const void *response) {
    (void)user, (void)response;
    call_status = status;
}

static void one_less(void *user, int status, const void *response) {
    (void)user, (void)status, (void)response;
    n_out--;
}

static bool begin(void) {
    test_streaming_Mixed_handlers handlers = {.Up = accept_up};
    n_out = 0;
    call_status = -1;
    return world_init(&w, true, 0) && world_boot(&w, OTHER, NULL) &&
           tern_serve_raw(w.ep[SERVER], ECHO, echo, NULL) == 0 && tern_serve_raw(w.ep[SERVER], SLOW, slow, NULL) == 0 &&
           test_streaming_Mixed_serve(w.ep[SERVER], &handlers, NULL) == 0 &&
           tern_connect(w.ep[CLIENT], "sim://0", &session) == 0;
}

static tern_endpoint_stats stats_of_server(void) {
    tern_endpoint_stats stats;
    tern_endpoint_get_stats(w.ep[SERVER], &stats);
    return stats;
}

static void turn_clients(void) {
    tern_poll(w.ep[CLIENT]);
    tern_poll(w.ep[OTHER]);
}

/* One call in 80 takes 50 ms, and the rest none; somebody else's calls wait for a few of these. */
static void pace__of_few_slow_calls(void) {
    enum { N_SESSIONS = 100, PERIOD = 80 };
    tern_session *sessions[N_SESSIONS], *other;
    uint64_t sum = 0, n = 0, asked = 0;
    unsigned n_started = 0;
    CHECK(begin());
    slow_for = 50 * TERN_MS;
    for (int i = 0; i < N_SESSIONS; i++) CHECK_EQ(tern_connect(w.ep[CLIENT], "sim://0", &sessions[i]), 0);
    CHECK_EQ(tern_connect(w.ep[OTHER], "sim://0", &other), 0);
    for (int i = 0; i < 50; i++) world_turn(&w);
    for (uint64_t end = tern__sim_now(w.sim) + 6ull * TERN_SEC; tern__sim_now(w.sim) < end;) {
        for (int i = 0; i < N_SESSIONS * 8 && n_out < N_SESSIONS * 8; i++, n_started++, n_out++)
            if (tern_call_start_raw(sessions[n_started % N_SESSIONS], n_started % PERIOD ? ECHO : SLOW,
                                    tern_bytes_of("x", 1), NULL, one_less, NULL))
                break;
        if (call_status >= 0 || !asked) {
            if (asked) sum += tern__sim_now(w.sim) - asked, n++;
            call_status = -1;
            asked = tern__sim_now(w.sim);
            CHECK_EQ(tern_call_start_raw(other, ECHO, tern_bytes_of("x", 1), NULL, on_done, NULL), 0);
        }
        turn_clients();
        spend(20 * TERN_US);
        tern_poll(w.ep[SERVER]);
        spend(20 * TERN_US);
        turn_clients();
    }
    CHECK(n > 0);
    printf("# %.1f ms, %llu calls put off\n", (double)sum / 1e6 / (double)n,
           (unsigned long long)stats_of_server().calls_put_off);
    CHECK(sum / n < 75ull * TERN_MS);
    CHECK(stats_of_server().calls_put_off > 0);
    world_fini(&w);
}

/* Packets of messages that are quick by themselves and take 1.75 ms together, at a server that has served few calls. */
static void pace__of_many_quick_messages(void) {
    enum { N_STREAMS = 4, N_PACKETS = 8, N_MESSAGES = 250 };
    test_streaming_Mixed_Up_events none = {.on_end = NULL};
    tern_stream streams[N_STREAMS];
    uint64_t took = 0;
    CHECK(begin());
    message_for = 7 * TERN_US;
    for (int i = 0; i < N_STREAMS; i++) CHECK_EQ(test_streaming_Mixed_Up(session, NULL, &none, NULL, &streams[i]), 0);
    for (int i = 0; i < N_STREAMS; i++) CHECK_EQ(tern_stream_flush(streams[i]), 0);
    for (int i = 0; i < 200; i++) world_turn(&w);
    while (stats_of_server().calls_put_off == 0 && took < 2ull * TERN_SEC) {
        for (int i = 0; i < N_PACKETS * N_STREAMS; i++) {
            for (int k = 0; k < N_MESSAGES; k++)
                test_streaming_Mixed_Up_write_request(streams[i % N_STREAMS], &(test_streaming_Piece){0});
            tern_stream_flush(streams[i % N_STREAMS]);
        }
        for (int i = 0; i < 3; i++) turn_clients();
        spend(20 * TERN_US);
        uint64_t begun = tern__sim_now(w.sim);
        tern_poll(w.ep[SERVER]);
        took += tern__sim_now(w.sim) - begun;
        spend(20 * TERN_US);
    }
    printf("# after %.1f ms\n", (double)took / 1e6);
    CHECK(stats_of_server().calls_put_off > 0);
    world_fini(&w);
}

/* One network that leaves with a debt and comes back, again and again, is one debtor. */
static void debtors__count_once(void) {
    CHECK(begin());
    slow_for = 5 * TERN_MS;
    for (int i = 0; i < 200; i++) {
        tern_session *again;
        CHECK_EQ(tern_connect(w.ep[CLIENT], "sim://0", &again), 0);
        call_status = -1;
        CHECK_EQ(tern_call_start_raw(again, SLOW, tern_bytes_of("x", 1), NULL, on_done, NULL), 0);
        for (int k = 0; k < 4000 && call_status < 0; k++) world_turn(&w);
        CHECK_EQ(call_status, 0);
        tern_session_close(again);
        if (i == 0) tern_session_close(session);
        for (int k = 0; k < 3; k++) world_turn(&w);
        CHECK(w.ep[SERVER]->engine->n_debtors <= 1);
        CHECK_OK();
    }
    world_fini(&w);
}

TAP_MAIN(TEST(pace__of_few_slow_calls), TEST(pace__of_many_quick_messages), TEST(debtors__count_once))
