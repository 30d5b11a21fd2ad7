/* Messages on streams of which the rest does not come: they give way to others. */
#include "engine/engine_record.h"
#include "streaming.tern.h"
#include "tap.h"
#include "tern/call_stream.h"
#include "world.h"

enum { ECHO = 9, MB = 1 << 20, LEN = 900000, N_SESSIONS = 4, N_STREAMS = 128 };

static world w;
static tern_session *sessions[N_SESSIONS];
static tern_stream streams[N_STREAMS];
static size_t sent[N_STREAMS];
static int call_status;
static unsigned n_ended;
static uint8_t bytes[MB];

static void echo(tern_call call, const void *request, void *user) {
    (void)user;
    tern_reply_raw(call, *(const tern_bytes *)request);
}

static void accept_up(tern_stream stream, void *user) {
    static const test_streaming_Mixed_Up_server_events events = {.on_message = NULL};
    test_streaming_Mixed_Up_accept(stream, NULL, &events, user);
}

static void on_done(void *user, int status, const void *response) {
    (void)user, (void)response;
    call_status = status;
}

static void on_end(tern_stream stream, int status, void *user) {
    (void)stream, (void)status, (void)user;
    n_ended++;
}

static uint64_t held(void) {
    tern_endpoint_stats stats;
    tern_endpoint_get_stats(w.ep[SERVER], &stats);
    return stats.held_bytes;
}

static bool begin(bool reliable) {
    tern_endpoint_config config;
    test_streaming_Mixed_handlers handlers = {.Up = accept_up};
    tern_stream_events events = TERN_STREAM_EVENTS(.on_end = on_end);
    const uint8_t prefix[] = {LEN & 255, LEN >> 8 & 255, LEN >> 16, 0, 1};
    n_ended = 0;
    memset(sent, 0, sizeof sent);
    tern_endpoint_config_init(&config);
    config.max_rx_bytes = 16 * MB;
    config.max_message_bytes = MB;
    if (!world_init(&w, reliable, 0)) return false;
    tern_endpoint_free(w.ep[SERVER]);
    bool ok = world_boot(&w, SERVER, &config) && world_boot(&w, OTHER, NULL) &&
              tern_serve_raw(w.ep[SERVER], ECHO, echo, NULL) == 0 &&
              test_streaming_Mixed_serve(w.ep[SERVER], &handlers, NULL) == 0;
    for (int i = 0; i < N_SESSIONS; i++) ok = ok && tern_connect(w.ep[CLIENT], "sim://0", &sessions[i]) == 0;
    for (int i = 0; ok && i < N_STREAMS; i++)
        ok = tern_stream_start(sessions[i % N_SESSIONS], test_streaming_Mixed_Up_method.id, NULL, &events, NULL,
                               &streams[i]) == 0 &&
             tern_stream_write(streams[i], tern_bytes_of(prefix, sizeof prefix)) == 0;
    return ok;
}

/* Parts of messages until the server holds nearly all that it may. */
static void fill(void) {
    enum { PART = 4000 };
    for (int round = 0; round < 6000 && held() < 15900000; round++) {
        for (int i = 0; i < N_STREAMS; i++) {
            bool more = sent[i] + PART < LEN - 10;
            if (more && !tern_stream_write(streams[i], tern_bytes_of(bytes, PART))) sent[i] += PART;
            tern_stream_flush(streams[i]);
        }
        world_turn(&w);
    }
}

static void pass(tern_dur time) {
    bool never = false;
    world_run(&w, &never, time);
}

static unsigned call_five_times(void) {
    tern_session *other;
    unsigned n_ok = 0;
    if (tern_connect(w.ep[OTHER], "sim://0", &other)) return 0;
    for (int k = 0; k < 5; k++) {
        call_status = -1;
        if (tern_call_start_raw(other, ECHO, tern_bytes_of(bytes, 600000), NULL, on_done, NULL)) return 0;
        for (int i = 0; i < 8000 && call_status < 0; i++) world_turn(&w);
        n_ok += call_status == 0;
    }
    return n_ok;
}

static void half__gives_way(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        CHECK(begin(reliable));
        fill();
        CHECK(held() >= 15 * MB);
        unsigned n_before = n_ended; /* where streams wait for turns some have given way already */
        pass(2 * TERN_SEC);
        CHECK_EQ(call_five_times(), 5);
        CHECK(n_ended > n_before && n_ended < N_STREAMS);
        tern_endpoint_free(w.ep[CLIENT]);
        tern_endpoint_free(w.ep[OTHER]);
        w.ep[CLIENT] = w.ep[OTHER] = NULL;
        pass(20 * TERN_SEC);
        CHECK_EQ(held(), 0);
        world_fini(&w);
        CHECK_OK();
    }
}

/* A byte now and then is no progress. */
static void half__trickles(void) {
    CHECK(begin(true));
    fill();
    for (int k = 0; k < 20; k++) {
        for (int i = 0; i < N_STREAMS; i++) {
            tern_stream_write(streams[i], tern_bytes_of(bytes, 1));
            tern_stream_flush(streams[i]);
        }
        pass(100 * TERN_MS);
    }
    CHECK_EQ(call_five_times(), 5);
    world_fini(&w);
}

/* One that goes on, slowly, while nobody needs the room, arrives. */
static void half__alone_arrives(void) {
    CHECK(begin(true));
    for (size_t at = 0; at < LEN; at += 4000) {
        size_t n = LEN - at < 4000 ? LEN - at : 4000;
        CHECK_EQ(tern_stream_write(streams[0], tern_bytes_of(bytes, n)), 0);
        tern_stream_flush(streams[0]);
        pass(20 * TERN_MS);
    }
    CHECK_EQ(n_ended, 0);
    CHECK(held() < MB);
    world_fini(&w);
}

TAP_MAIN(TEST(half__gives_way), TEST(half__trickles), TEST(half__alone_arrives))
