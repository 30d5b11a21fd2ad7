/* What has arrived on a server's stream and waits for its user: how much counts, when that is given back, who gives it
 * up for others, and what becomes of it when the call ends. */
#include "tap.h"
#include "tern/call_stream.h"
#include "world.h"

enum { STREAM = 5, ECHO = 9, MB = 1 << 20, N_STREAMS = 128 };

static world w;
static bool reliable;
static tern_session *session;
static tern_stream_opts accept_opts;
static tern_stream_events accept_events;
static tern_stream at_server, at_client;
static bool opened, finished, ended, late_ran;
static uint64_t n_got, n_written, consume_at;
static int end_status, call_status;
static uint8_t bytes[MB];

#define FOR_BOTH_LINKS for (int kind_ = 0; kind_ < 2 && (reliable = kind_ != 0, true); kind_++)

static void on_finished(tern_stream stream, void *user) {
    (void)stream, (void)user;
    finished = true;
}

static void on_end(tern_stream stream, int status, void *user) {
    (void)stream, (void)user;
    ended = true;
    end_status = status;
}

static void on_data(tern_stream stream, const void *data, size_t n, void *user) {
    (void)data, (void)user;
    n_got += n;
    if (!consume_at || n_got < consume_at) return;
    tern_stream_consume(stream, n_got);
    consume_at = 0;
}

static void accept_it(tern_stream stream, void *user) {
    at_server = stream;
    opened = true;
    tern_stream_accept(stream, &accept_opts, &accept_events, user);
}

static void echo(tern_call call, const void *request, void *user) {
    (void)user;
    tern_reply_raw(call, *(const tern_bytes *)request);
}

static void on_done(void *user, int status, const void *response) {
    (void)user, (void)response;
    call_status = status;
}

static void turns(int n) {
    for (int i = 0; i < n; i++) world_turn(&w);
}

static void pass(tern_dur time) {
    bool never = false;
    world_run(&w, &never, time);
}

static uint64_t held(void) {
    tern_endpoint_stats stats;
    tern_endpoint_get_stats(w.ep[SERVER], &stats);
    return stats.held_bytes;
}

/* A server whose peers may have it hold 16 MB, with a stream of the client's that is not accepted yet. */
static void begin(bool pulls) {
    tern_endpoint_config config;
    tern_stream_events none = TERN_STREAM_EVENTS(.on_end = NULL);
    opened = finished = ended = late_ran = false;
    n_got = n_written = consume_at = 0;
    accept_opts = TERN_STREAM_OPTS(.window_bytes = 0);
    accept_events = TERN_STREAM_EVENTS(.on_data = pulls ? NULL : on_data, .on_finished = on_finished, .on_end = on_end);
    CHECK(world_init(&w, reliable, 0));
    tern_endpoint_free(w.ep[SERVER]);
    tern_endpoint_config_init(&config);
    config.max_rx_bytes = 16 * MB;
    config.max_message_bytes = MB;
    CHECK(world_boot(&w, SERVER, &config) && world_boot(&w, OTHER, NULL));
    CHECK_EQ(tern_serve_stream(w.ep[SERVER], STREAM, accept_it, NULL), 0);
    CHECK_EQ(tern_serve_raw(w.ep[SERVER], ECHO, echo, NULL), 0);
    CHECK_EQ(tern_connect(w.ep[CLIENT], "sim://0", &session), 0);
    CHECK_EQ(tern_stream_start(session, STREAM, NULL, &none, NULL, &at_client), 0);
}

/* Write, as far as there is room, until so many bytes were written in all. */
static void pour(uint64_t n) {
    while (n_written < n) {
        size_t len = n - n_written < 16000 ? (size_t)(n - n_written) : 16000;
        if (tern_stream_write(at_client, tern_bytes_of(bytes, len))) break;
        n_written += len;
    }
    tern_stream_flush(at_client);
}

/* Calls of 300 KB by another client. Returns how many failed. */
static unsigned call_beside(unsigned n) {
    tern_session *other;
    unsigned n_bad = 0;
    if (tern_connect(w.ep[OTHER], "sim://0", &other)) return n;
    for (unsigned i = 0; i < n; i++) {
        call_status = -1;
        if (tern_call_start_raw(other, ECHO, tern_bytes_of(bytes, 300000), NULL, on_done, NULL)) return n;
        for (int k = 0; k < 2000 && call_status < 0; k++) world_turn(&w);
        n_bad += call_status != TERN_STATUS_OK;
    }
    tern_session_close(other);
    return n_bad;
}

/* A reader who never quite catches up holds a window, however much has come. */
static void kept__is_given_back_piece_by_piece(void) {
    FOR_BOTH_LINKS {
        uint64_t most = 0, n_read = 0;
        begin(true);
        CHECK_OK();
        for (int i = 0; i < 400; i++) {
            pour(UINT64_MAX / 2);
            turns(3);
            if (!opened) continue;
            int64_t n = tern_stream_read(at_server, bytes, 40000);
            if (n > 0) n_read += (uint64_t)n;
            if (held() > most) most = held();
        }
        CHECK(n_read > 4 * MB);
        CHECK(most < MB);
        CHECK_EQ(call_beside(3), 0);
        world_fini(&w);
        CHECK_OK();
    }
}

/* Streams that nobody reads give way to others after a second. */
static void kept__gives_way(void) {
    FOR_BOTH_LINKS {
        tern_session *sessions[4];
        tern_stream streams[N_STREAMS];
        tern_stream_events none = TERN_STREAM_EVENTS(.on_end = NULL);
        begin(true);
        CHECK_OK();
        for (int i = 0; i < 4; i++) CHECK_EQ(tern_connect(w.ep[CLIENT], "sim://0", &sessions[i]), 0);
        for (int i = 0; i < N_STREAMS; i++)
            CHECK_EQ(tern_stream_start(sessions[i % 4], STREAM, NULL, &none, NULL, &streams[i]), 0);
        for (int round = 0; round < 4000 && held() < 15 * MB; round++) {
            for (int i = 0; i < N_STREAMS; i++) {
                tern_stream_write(streams[i], tern_bytes_of(bytes, 8000));
                tern_stream_flush(streams[i]);
            }
            world_turn(&w);
        }
        CHECK(held() > 10 * MB);
        pass(1500 * TERN_MS);
        CHECK_EQ(call_beside(10), 0);
        tern_endpoint_free(w.ep[CLIENT]);
        w.ep[CLIENT] = NULL;
        pass(3 * TERN_SEC);
        CHECK_EQ(held(), 0);
        world_fini(&w);
        CHECK_OK();
    }
}

/* No memory for the first piece. */
static void kept__no_memory(void) {
    static void *all[1 << 16];
    unsigned n = 0;
    reliable = true;
    begin(true);
    CHECK_OK();
    turns(30);
    pour(100);
    tern_poll(w.ep[CLIENT]);
    tern__sim_advance(w.sim, tern__sim_now(w.sim) + TERN_MS);
    for (size_t size = MB; size >= 9000; size /= 2)
        while (n < sizeof all / sizeof *all && (all[n] = tern_alloc_private(size)) != NULL) n++;
    CHECK(n < sizeof all / sizeof *all);
    tern_poll(w.ep[SERVER]);
    tern_poll(w.ep[SERVER]);
    while (n) tern_unref(all[--n]);
    turns(30);
    tern_session_close(session);
    pass(3 * TERN_SEC);
    CHECK_EQ(held(), 0);
    world_fini(&w);
}

/* The client ends a call that it has finished, of which not all was handed over: nobody is to take it for whole. */
static void end__of_what_waits(bool pauses, bool closes) {
    FOR_BOTH_LINKS {
        begin(false);
        CHECK_OK();
        pour(1000);
        turns(30);
        CHECK(opened);
        if (pauses) CHECK_EQ(tern_stream_pause(at_server), 0);
        pour(30000);
        tern_stream_finish(at_client);
        if (pauses)
            turns(30);
        else
            for (int i = 0; i < 3; i++) tern_poll(w.ep[CLIENT]);
        if (closes)
            tern_session_close(session);
        else
            tern_stream_cancel(at_client);
        for (int i = 0; i < 3; i++) tern_poll(w.ep[CLIENT]);
        tern__sim_advance(w.sim, tern__sim_now(w.sim) + TERN_MS);
        for (int i = 0; i < 300 && !ended; i++) world_turn(&w);
        CHECK(ended || finished);
        CHECK(!finished || n_got == 30000);
        world_fini(&w);
        CHECK_OK();
    }
}

static void end__cancelled_while_paused(void) { end__of_what_waits(true, false); }
static void end__closed_while_paused(void) { end__of_what_waits(true, true); }
static void end__cancelled_at_once(void) { end__of_what_waits(false, false); }

/* A server that consumes once half of its window of 1 MB is here. */
static void window__of_the_handler_is_granted(void) {
    FOR_BOTH_LINKS {
        begin(false);
        accept_opts = TERN_STREAM_OPTS(.window_bytes = MB, .manual = true);
        CHECK_OK();
        consume_at = MB / 2;
        for (int i = 0; i < 2000 && n_got < MB / 2; i++) {
            pour(MB * 6 / 10);
            world_turn(&w);
        }
        CHECK(n_got >= MB / 2);
        world_fini(&w);
        CHECK_OK();
    }
}

/* What comes between resume and the next poll is consumed, too. */
static void window__stays_after_pauses(void) {
    FOR_BOTH_LINKS {
        begin(false);
        accept_opts = TERN_STREAM_OPTS(.window_bytes = 64 << 10);
        CHECK_OK();
        pour(1000);
        turns(30);
        for (int round = 0; round < 200; round++) {
            pour(n_written + 1400);
            for (int k = 0; k < 3; k++) tern_poll(w.ep[CLIENT]);
            tern__sim_advance(w.sim, tern__sim_now(w.sim) + TERN_MS);
            CHECK(!tern_stream_pause(at_server) && !tern_stream_resume(at_server));
            turns(20);
            CHECK_EQ(n_got, n_written);
            CHECK_OK();
        }
        world_fini(&w);
    }
}

static void run_late(tern_stream stream, void *user) {
    (void)user;
    late_ran = true;
    tern_stream_end(stream, TERN_STATUS_OK);
}

static void take_long(tern_call call, const void *request, void *user) {
    (void)user;
    tern__sim_advance(w.sim, tern__sim_now(w.sim) + 5 * TERN_MS);
    tern_reply_raw(call, *(const tern_bytes *)request);
}

/* In turns a stream whose deadline has passed while it waited does not open. */
static void turn__comes_too_late(void) {
    tern_stream_events none = TERN_STREAM_EVENTS(.on_end = NULL);
    tern_stream_opts soon = TERN_STREAM_OPTS(.timeout = 2 * TERN_MS);
    tern_endpoint_stats stats;
    reliable = true;
    begin(false);
    CHECK_OK();
    CHECK_EQ(tern_serve_stream(w.ep[SERVER], STREAM + 1, run_late, NULL), 0);
    CHECK_EQ(tern_serve_raw(w.ep[SERVER], ECHO + 1, take_long, NULL), 0);
    turns(30);
    CHECK_EQ(tern_call_start_raw(session, ECHO + 1, tern_bytes_of("x", 1), NULL, on_done, NULL), 0);
    CHECK_EQ(tern_stream_start(session, STREAM + 1, &soon, &none, NULL, &at_client), 0);
    turns(30);
    tern_endpoint_get_stats(w.ep[SERVER], &stats);
    CHECK_EQ(late_ran, stats.calls_put_off == 0);
    world_fini(&w);
}

int main(int argc, char **argv) {
    static const tap_test tests[] = {TEST(kept__is_given_back_piece_by_piece),
                                     TEST(kept__gives_way),
                                     TEST(kept__no_memory),
                                     TEST(end__cancelled_while_paused),
                                     TEST(end__closed_while_paused),
                                     TEST(end__cancelled_at_once),
                                     TEST(window__of_the_handler_is_granted),
                                     TEST(window__stays_after_pauses),
                                     TEST(turn__comes_too_late)};
    tern_mem_config config;
    tern_mem_config_init(&config);
    config.max_bytes = 64 * MB;
    if (tern_mem_init(&config)) return 1;
    return tap_run(tests, sizeof tests / sizeof *tests, argc, argv);
}
