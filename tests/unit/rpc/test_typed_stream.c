/* Streaming methods through their generated stubs: messages arrive one by one, in order and whole, however packets cut
 * them, in both formats; and what is no message ends the call. */
#include "streaming.tern.h"
#include "tap.h"
#include "world.h"

enum { MAX_MESSAGES = 2000 };

typedef test_streaming_Piece piece;

static world w;
static tern_session *session;
static uint64_t live_before;

/* What happened at each end. */
static struct {
    tern_stream client, server;
    unsigned n_client, n_server, n_wrong, n_finished, n_ends;
    unsigned to_send, sent;
    size_t bytes; /* of the i-th message: i % 7 of 7 parts of this */
    int status, server_status;
    bool ended, echo, mixed_up;
    char why[100];
} t;

static void mixed_up(tern_stream stream, void *user);

static size_t len_of(unsigned i) { return t.bytes * (i % 7) / 7; }

static uint8_t byte_of(unsigned i, size_t at) { return (uint8_t)(i * 31 + at * 7); }

static void check_piece(const piece *p, unsigned i) {
    bool right = p->data.len == len_of(i);
    for (size_t k = 0; right && k < p->data.len; k++) right = ((const uint8_t *)p->data.data)[k] == byte_of(i, k);
    t.n_wrong += !right;
}

/* A registered buffer, or not. The caller gives it back. */
static piece make_piece(unsigned i) {
    uint8_t *data = tern_alloc(len_of(i) + 1);
    for (size_t k = 0; k < len_of(i); k++) data[k] = byte_of(i, k);
    return (piece){.data = tern_bytes_of(data, len_of(i))};
}

/* Write on until all is written (true) or the stream is full. */
static bool write_on(tern_stream stream, int (*write)(tern_stream, const piece *)) {
    while (t.sent < t.to_send) {
        piece p = make_piece(t.sent);
        int err = write(stream, &p);
        tern_unref(p.data.data);
        if (err == TERN_ERR_FULL) return false;
        if (err) abort();
        t.sent++;
    }
    return true;
}

static int write_request(tern_stream s, const piece *p) {
    int err = test_streaming_Mixed_Both_write_request(s, p);
    return err == TERN_ERR_INVALID ? test_streaming_Mixed_Up_write_request(s, p) : err;
}
static int write_response(tern_stream s, const piece *p) { return test_streaming_Mixed_Down_write_response(s, p); }

/* ---- The server's side */

static void down_writable(tern_stream stream, void *user) {
    (void)user;
    if (write_on(stream, write_response)) tern_stream_end(stream, TERN_STATUS_OK);
}

static void server_end(tern_stream stream, int status, void *user) {
    (void)stream, (void)user;
    t.server_status = status;
    t.n_ends++;
}

static void down(tern_stream stream, const piece *request, void *user) {
    static const test_streaming_Mixed_Down_server_events events = {.on_writable = down_writable, .on_end = server_end};
    t.n_server++;
    t.to_send = *(const uint8_t *)request->data.data * 10u;
    t.server = stream;
    if (test_streaming_Mixed_Down_accept(stream, &TERN_STREAM_OPTS(.buffer_bytes = 20000), &events, user) != 0) abort();
    down_writable(stream, user);
}

static void server_message(tern_stream stream, const piece *request, void *user) {
    (void)user;
    check_piece(request, t.n_server++);
    if (t.echo && test_streaming_Mixed_Both_write_response(stream, request) != 0) abort();
    if (t.echo) tern_stream_flush(stream);
}

static void up_finished(tern_stream stream, void *user) {
    (void)user;
    t.n_finished++;
    uint8_t count = (uint8_t)(t.n_server / 10);
    test_streaming_Mixed_Up_reply(stream, &(piece){.data = tern_bytes_of(&count, 1)});
}

static void both_finished(tern_stream stream, void *user) {
    (void)user;
    t.n_finished++;
    tern_stream_end(stream, TERN_STATUS_OK);
}

static void up(tern_stream stream, void *user) {
    static const test_streaming_Mixed_Up_server_events events = {
        .on_message = server_message, .on_finished = up_finished, .on_end = server_end};
    t.server = stream;
    test_streaming_Mixed_Up_accept(stream, NULL, &events, user);
}

static void both(tern_stream stream, void *user) {
    static const test_streaming_Mixed_Both_server_events events = {
        .on_message = server_message, .on_finished = both_finished, .on_end = server_end};
    t.server = stream;
    if (t.mixed_up) {
        mixed_up(stream, user);
        return;
    }
    tern_stream_opts opts = TERN_STREAM_OPTS(.buffer_bytes = 1 << 20);
    test_streaming_Mixed_Both_accept(stream, &opts, &events, user);
}

/* ---- The client's */

static void client_message(tern_stream stream, const piece *response, void *user) {
    (void)stream;
    if (user) {
        t.n_client = *(const uint8_t *)response->data.data * 10u; /* of Up: the count */
        return;
    }
    check_piece(response, t.n_client++);
}

static void client_end(tern_stream stream, int status, void *user) {
    (void)stream, (void)user;
    tern_str why = tern_result_message(tern_call_result(w.ep[CLIENT]));
    snprintf(t.why, sizeof t.why, "%.*s", (int)why.len, why.len ? why.data : "");
    t.status = status;
    t.n_ends++;
    t.ended = true;
}

static void client_writable(tern_stream stream, void *user) {
    (void)user;
    if (write_on(stream, write_request)) tern_stream_finish(stream);
}

static uint64_t live_buffers(void) {
    tern_mem_stats stats;
    tern_mem_get_stats(&stats);
    return stats.live_buffers;
}

static void setup(int kind, size_t bytes) {
    memset(&t, 0, sizeof t);
    t.status = t.server_status = -1;
    t.bytes = bytes;
    live_before = live_buffers();
    CHECK(world_init(&w, kind == 0, kind == 2 ? 0.1 : 0));
    static const test_streaming_Mixed_handlers handlers = {.Up = up, .Down = down, .Both = both};
    CHECK_EQ(test_streaming_Mixed_serve(w.ep[SERVER], &handlers, NULL), 0);
    CHECK_EQ(tern_connect(w.ep[CLIENT], "sim://0", &session), 0);
}

static void teardown(void) {
    world_fini(&w);
    CHECK_EQ(live_buffers(), live_before);
}

static void down__streams_responses(void) {
    for (int kind = 0; kind < 3; kind++) {
        setup(kind, 3000);
        CHECK_OK();
        static const test_streaming_Mixed_Down_events events = {.on_message = client_message, .on_end = client_end};
        uint8_t n = 50;
        piece request = {.data = tern_bytes_of(&n, 1)};
        CHECK_EQ(test_streaming_Mixed_Down(session, &request, NULL, &events, NULL, &t.client), 0);
        CHECK(world_run(&w, &t.ended, 5 * TERN_SEC));
        CHECK_EQ(t.status, TERN_STATUS_OK);
        CHECK_EQ(t.n_server, 1);
        CHECK_EQ(t.n_client, 500);
        CHECK_EQ(t.n_wrong, 0);
        CHECK_EQ(t.n_ends, 1);
        teardown();
        CHECK_OK();
    }
}

static void up__streams_requests(void) {
    for (int kind = 0; kind < 3; kind++) {
        setup(kind, 5000);
        CHECK_OK();
        static const test_streaming_Mixed_Up_events events = {
            .on_message = client_message, .on_writable = client_writable, .on_end = client_end};
        t.to_send = 500;
        tern_stream_opts opts = TERN_STREAM_OPTS(.buffer_bytes = 30000);
        CHECK_EQ(test_streaming_Mixed_Up(session, &opts, &events, &t, &t.client), 0);
        client_writable(t.client, NULL);
        CHECK(world_run(&w, &t.ended, 5 * TERN_SEC));
        CHECK_EQ(t.status, TERN_STATUS_OK);
        CHECK_EQ(t.n_server, 500);
        CHECK_EQ(t.n_client, 500);
        CHECK_EQ(t.n_wrong, 0);
        CHECK_EQ(t.n_finished, 1);
        teardown();
        CHECK_OK();
    }
}

static void both__echoes(void) {
    static const size_t sizes[] = {20, 1400, 100000};
    for (int kind = 0; kind < 3; kind++) {
        for (unsigned i = 0; i < TERN__COUNT(sizes); i++) {
            setup(kind, sizes[i]);
            CHECK_OK();
            static const test_streaming_Mixed_Both_events events = {
                .on_message = client_message, .on_writable = client_writable, .on_end = client_end};
            t.to_send = 15;
            t.echo = true;
            CHECK_EQ(test_streaming_Mixed_Both(session, NULL, &events, NULL, &t.client), 0);
            client_writable(t.client, NULL);
            CHECK(world_run(&w, &t.ended, 5 * TERN_SEC));
            CHECK_EQ(t.status, TERN_STATUS_OK);
            CHECK_EQ(t.n_server, 15);
            CHECK_EQ(t.n_client, 15);
            CHECK_EQ(t.n_wrong, 0);
            teardown();
            CHECK_OK();
        }
    }
}

/* One by one, as the client wants them. */
static void pause__between_messages(void) {
    setup(0, 2000);
    CHECK_OK();
    static const test_streaming_Mixed_Down_events events = {.on_message = client_message, .on_end = client_end};
    uint8_t n = 30;
    piece request = {.data = tern_bytes_of(&n, 1)};
    CHECK_EQ(test_streaming_Mixed_Down(session, &request, &TERN_STREAM_OPTS(.window_bytes = 64 << 10), &events, NULL,
                                       &t.client),
             0);
    unsigned before = 0, n_pauses = 0;
    while (!t.ended) {
        tern_stream_pause(t.client);
        for (int i = 0; i < 20; i++) world_turn(&w);
        CHECK(t.n_client == before);
        tern_stream_resume(t.client);
        world_turn(&w);
        before = t.n_client;
        n_pauses++;
    }
    CHECK(n_pauses >= 3);
    CHECK_EQ(t.n_client, 300);
    CHECK_EQ(t.n_wrong, 0);
    teardown();
}

static void cancelling_message(tern_stream stream, const piece *response, void *user) {
    client_message(stream, response, user);
    if (t.n_client == 3) CHECK_EQ(tern_stream_cancel(stream), 0);
}

/* What lies in the same packet, or has waited, is not handed over any more. */
static void cancel__in_a_message(void) {
    for (int k = 0; k < 4; k++) {
        setup(k & 1, k & 2 ? 3000 : 20); /* more than a window, or all in a packet */
        CHECK_OK();
        static const test_streaming_Mixed_Down_events events = {.on_message = cancelling_message, .on_end = client_end};
        uint8_t n = 30;
        piece request = {.data = tern_bytes_of(&n, 1)};
        CHECK_EQ(test_streaming_Mixed_Down(session, &request, NULL, &events, NULL, &t.client), 0);
        if (k & 2) {
            tern_stream_pause(t.client);
            for (int i = 0; i < 20; i++) world_turn(&w);
            tern_stream_resume(t.client);
        }
        CHECK(world_run(&w, &t.ended, TERN_SEC));
        CHECK_EQ(t.status, TERN_STATUS_CANCELLED);
        CHECK_EQ(t.n_client, 3);
        teardown();
        CHECK_OK();
    }
}

/* Wherever the call stands, with a message half here and the end not told: nothing is left behind. */
static void end__of_the_endpoint_with_half_a_message(void) {
    for (int turns = 1; turns < 60; turns++) {
        setup(turns % 2, 300000);
        CHECK_OK();
        static const test_streaming_Mixed_Down_events events = {.on_message = client_message, .on_end = client_end};
        uint8_t n = 3;
        piece request = {.data = tern_bytes_of(&n, 1)};
        CHECK_EQ(test_streaming_Mixed_Down(session, &request, NULL, &events, NULL, &t.client), 0);
        for (int i = 0; i < turns; i++) world_turn(&w);
        tern_stream_pause(t.client);
        for (int i = 0; i < 5; i++) world_turn(&w);
        tern_endpoint_free(w.ep[SERVER]);
        w.ep[SERVER] = NULL;
        for (int i = 0; i < 5; i++) world_turn(&w);
        tern_endpoint_free(w.ep[CLIENT]);
        w.ep[CLIENT] = NULL;
        CHECK(t.ended);
        CHECK_EQ(t.n_wrong, 0);
        teardown();
        CHECK_OK();
    }
}

/* Raw bytes under a method's number, which its server takes for messages. */
static void check_refused(const void *bytes, size_t len, bool finish, int expected, const char *why) {
    const tern_stream_events events = TERN_STREAM_EVENTS(.on_end = client_end);
    setup(0, 100);
    CHECK_OK();
    CHECK_EQ(tern_stream_start(session, test_streaming_Mixed_Both_method.id, NULL, &events, NULL, &t.client), 0);
    CHECK_EQ(tern_stream_write(t.client, tern_bytes_of(bytes, len)), 0);
    if (finish)
        tern_stream_finish(t.client);
    else
        tern_stream_flush(t.client);
    CHECK(world_run(&w, &t.ended, TERN_SEC));
    CHECK_EQ(t.status, expected);
    CHECK_EQ(t.server_status, expected);
    CHECK(strstr(t.why, why) != NULL);
    CHECK_EQ(t.n_server, 0);
    teardown();
}

static void message__that_is_none(void) {
    check_refused("\x04\0\0\0\x01zzzz", 9, false, TERN_STATUS_INVALID_ARGUMENT, "does not decode");
    CHECK_OK();
    check_refused("\x02\0\0\0\x09\x08\x01", 7, false, TERN_STATUS_INVALID_ARGUMENT, "a format"); /* none */
    CHECK_OK();
    check_refused("\x02\0\0\0\x00\x08\x01", 7, false, TERN_STATUS_INVALID_ARGUMENT, "a format"); /* raw */
    CHECK_OK();
    check_refused("\xff\xff\xff\xff\x01", 5, false, TERN_STATUS_RESOURCE_EXHAUSTED, "max_message_bytes");
    CHECK_OK();
    check_refused("\x04\0\0\0\x02z", 6, true, TERN_STATUS_INVALID_ARGUMENT, "within a message"); /* cut */
    CHECK_OK();
    check_refused("\x04\0", 2, true, TERN_STATUS_INVALID_ARGUMENT, "within a message");
}

/* The example of docs/protocol.md: bytes { } as protobuf is 0a 02 'h' 'i'. */
static void message__as_protobuf_split_anywhere(void) {
    const tern_stream_events events = TERN_STREAM_EVENTS(.on_end = client_end);
    static const uint8_t bytes[] = {4, 0, 0, 0, 2, 0x0a, 2, 'h', 'i', 0, 0, 0, 0, 2};
    for (size_t cut = 0; cut <= sizeof bytes; cut++) {
        setup(0, 14);
        CHECK_OK();
        CHECK_EQ(tern_stream_start(session, test_streaming_Mixed_Both_method.id, NULL, &events, NULL, &t.client), 0);
        CHECK_EQ(tern_stream_send(t.client, tern_bytes_of(bytes, cut)), 0);
        for (int i = 0; i < 10; i++) world_turn(&w);
        CHECK_EQ(tern_stream_write(t.client, tern_bytes_of(bytes + cut, sizeof bytes - cut)), 0);
        CHECK_EQ(tern_stream_finish(t.client), 0);
        CHECK(world_run(&w, &t.ended, TERN_SEC));
        CHECK_EQ(t.status, TERN_STATUS_OK);
        CHECK_EQ(t.n_server, 2);
        CHECK_EQ(t.n_wrong, 2); /* they are other pieces than check_piece() knows: what counts is that there are two */
        teardown();
        CHECK_OK();
    }
}

static void drop_data(tern_stream stream, const void *data, size_t len, void *user) {
    (void)stream, (void)data, (void)len, (void)user;
}

/* A method that takes one request gets none, or two. */
static void request__of_a_single_one(void) {
    const tern_stream_events events = TERN_STREAM_EVENTS(.on_data = drop_data, .on_end = client_end);
    static const char one[] = "\x03\0\0\0\x02\x0a\x01\x01";
    for (int n = 0; n <= 2; n += 2) {
        setup(0, 10);
        CHECK_OK();
        CHECK_EQ(tern_stream_start(session, test_streaming_Mixed_Down_method.id, NULL, &events, NULL, &t.client), 0);
        for (int i = 0; i < n; i++) tern_stream_write(t.client, tern_bytes_of(one, 8));
        tern_stream_finish(t.client);
        CHECK(world_run(&w, &t.ended, TERN_SEC));
        /* The first of two may have been answered in full. */
        CHECK(n == 2 ? t.status == TERN_STATUS_INVALID_ARGUMENT || t.status == TERN_STATUS_OK
                     : t.status == TERN_STATUS_INVALID_ARGUMENT);
        CHECK_EQ(t.n_server, n / 2);
        teardown();
        CHECK_OK();
    }
}

static void start__refuses_nonsense(void) {
    setup(0, 10);
    CHECK_OK();
    static const test_streaming_Mixed_Both_events events = {.on_end = client_end};
    CHECK_EQ(test_streaming_Mixed_Both(session, NULL, &events, NULL, &t.client), 0);
    CHECK_EQ(tern_stream_write(t.client, tern_bytes_of("x", 1)), TERN_ERR_INVALID); /* bytes among messages */
    CHECK_EQ(test_streaming_Mixed_Both_write_request(t.client, NULL), TERN_ERR_INVALID);
    CHECK_EQ(test_streaming_Mixed_serve(w.ep[SERVER], &(test_streaming_Mixed_handlers){.Both = both}, NULL),
             TERN_ERR_EXISTS);
    teardown();
}

/* ---- Code of one method, with a stream of another or at the other end */

static void mixed_up(tern_stream stream, void *user) {
    static const test_streaming_Mixed_Both_server_events events = {.on_end = server_end};
    static const test_streaming_Mixed_Up_server_events of_up = {.on_end = server_end};
    piece p = make_piece(1);
    CHECK_EQ(test_streaming_Mixed_Up_accept(stream, NULL, &of_up, user), TERN_ERR_INVALID);
    CHECK_EQ(test_streaming_Mixed_Both_accept(stream, NULL, NULL, user), TERN_ERR_INVALID);
    CHECK_EQ(test_streaming_Mixed_Both_accept(stream, NULL, &events, user), 0);
    CHECK_EQ(test_streaming_Mixed_Up_reply(stream, &p), TERN_ERR_INVALID);
    CHECK_EQ(test_streaming_Mixed_Down_write_response(stream, &p), TERN_ERR_INVALID);
    CHECK_EQ(test_streaming_Mixed_Both_write_request(stream, &p), TERN_ERR_STATE);
    CHECK_EQ(test_streaming_Mixed_Both_write_response(stream, &p), 0); /* and goes on */
    tern_stream_end(stream, TERN_STATUS_OK);
    tern_unref(p.data.data);
}

static void methods__are_not_mixed_up(void) {
    setup(0, 10);
    CHECK_OK();
    static const test_streaming_Mixed_Up_events of_up = {.on_end = client_end};
    static const test_streaming_Mixed_Both_events of_both = {.on_message = client_message, .on_end = client_end};
    static const test_streaming_Mixed_Down_events of_down = {.on_end = client_end};
    const tern_stream_events of_raw = TERN_STREAM_EVENTS(.on_end = client_end);
    piece p = make_piece(1);
    tern_stream raw, up_stream;
    t.mixed_up = true;
    CHECK_EQ(tern_stream_start(session, 77, NULL, &of_raw, NULL, &raw), 0);
    CHECK_EQ(test_streaming_Mixed_Both_write_request(raw, &p), TERN_ERR_INVALID);
    CHECK_EQ(tern_stream_cancel(raw), 0);
    CHECK_EQ(test_streaming_Mixed_Up(session, NULL, NULL, NULL, &up_stream), TERN_ERR_INVALID);
    CHECK_EQ(test_streaming_Mixed_Down(session, NULL, NULL, &of_down, NULL, &up_stream), TERN_ERR_INVALID);
    CHECK_EQ(test_streaming_Mixed_Up(session, NULL, &of_up, NULL, &up_stream), 0);
    CHECK_EQ(test_streaming_Mixed_Up_reply(up_stream, &p), TERN_ERR_STATE);
    CHECK_EQ(test_streaming_Streams_Up_write_request(up_stream, &p), TERN_ERR_INVALID); /* of another service */
    CHECK_EQ(tern_stream_cancel(up_stream), 0);
    for (int i = 0; i < 100 && t.n_ends < 2; i++) world_turn(&w);
    t.ended = false;
    CHECK_EQ(test_streaming_Mixed_Both(session, NULL, &of_both, NULL, &t.client), 0);
    CHECK_EQ(test_streaming_Mixed_Up_write_request(t.client, &p), TERN_ERR_INVALID);
    CHECK_EQ(test_streaming_Mixed_Both_write_response(t.client, &p), TERN_ERR_STATE);
    CHECK_EQ(test_streaming_Mixed_Both_write_request(t.client, &p), 0);
    CHECK(world_run(&w, &t.ended, TERN_SEC));
    CHECK_EQ(t.status, TERN_STATUS_OK);
    CHECK_EQ(t.n_client, 1);
    tern_unref(p.data.data);
    teardown();
}

TAP_MAIN(TEST(down__streams_responses), TEST(up__streams_requests), TEST(both__echoes), TEST(pause__between_messages),
         TEST(cancel__in_a_message), TEST(end__of_the_endpoint_with_half_a_message), TEST(message__that_is_none),
         TEST(message__as_protobuf_split_anywhere), TEST(request__of_a_single_one), TEST(start__refuses_nonsense),
         TEST(methods__are_not_mixed_up))
