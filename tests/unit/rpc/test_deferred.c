/* Calls that handlers answer later, and a stream that its client does not read, over real ports: what they make a
 * server hold, and how many it takes. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "server_thread.h"
#include "tap.h"
#include "tern/call_stream.h"

enum { METHOD = 1, CREDITS = 8, N_SESSIONS = 250, N_CALLS = CREDITS * N_SESSIONS, KB = 1 << 10, MB = 1 << 20 };
enum { STREAM = 77, WIDE_BYTES = 4 * MB };
enum { RX_BYTES = 256 * KB /* of the largest buffer that a port receives into */ };

static tern_endpoint *serving, *client;
static tern_call waiting[N_CALLS];
static tern_bytes received[N_CALLS];
static uint32_t n_waiting, n_done, n_ok, n_exhausted;

static void keep(tern_call call, const void *request, void *user) {
    (void)user;
    received[n_waiting] = *(const tern_bytes *)request;
    waiting[n_waiting++] = call;
}

static void answer(tern_call call, const void *request, void *user) {
    (void)user;
    tern_reply_raw(call, *(const tern_bytes *)request);
}

static uint32_t n_right;
static void on_done(void *user, int status, const void *response) {
    const tern_bytes *bytes = response;
    n_done++;
    n_ok += status == TERN_STATUS_OK;
    n_exhausted += status == TERN_STATUS_RESOURCE_EXHAUSTED;
    if (status == TERN_STATUS_OK)
        n_right += bytes->len >= 4 && *(const uint8_t *)bytes->data == (uint8_t)(uintptr_t)user;
}

/* For 20 s at most: what gets lost over udp comes again only after a while. */
static void poll_until(const uint32_t *counter, const uint32_t *other, uint32_t n) {
    time_t end = time(NULL) + 20;
    while (time(NULL) < end && *counter + (other ? *other : 0) < n) {
        tern_poll(serving);
        tern_poll(client);
    }
}

static uint64_t held(void) {
    tern_endpoint_stats stats;
    tern_endpoint_get_stats(serving, &stats);
    return stats.held_bytes;
}

static uint64_t given_up(void) {
    tern_endpoint_stats stats;
    tern_endpoint_get_stats(serving, &stats);
    return stats.given_up_requests;
}

static void start(const char *address, uint64_t max_rx_bytes) {
    tern_endpoint_config config;
    tern_endpoint_config_init(&config);
    config.max_message_bytes = 64 * KB;
    config.max_rx_bytes = max_rx_bytes;
    n_waiting = n_done = n_ok = n_exhausted = n_right = 0;
    CHECK_EQ(tern_endpoint_new(&config, &serving), 0);
    CHECK_EQ(tern_serve_raw(serving, METHOD, keep, NULL), 0);
    CHECK_EQ(tern_serve_raw(serving, METHOD + 1, answer, NULL), 0);
    CHECK_EQ(tern_listen(serving, address), 0);
    CHECK_EQ(tern_endpoint_new(NULL, &client), 0);
}

static void stop(void) {
    tern_endpoint_free(client);
    for (int i = 0; i < 100; i++) tern_poll(serving);
    CHECK_EQ(held(), 0);
    tern_endpoint_free(serving);
}

static void call_all(uint32_t bytes) {
    static uint8_t data[8 * KB];
    for (uint32_t i = 0; i < N_SESSIONS; i++) {
        tern_session *session;
        CHECK_EQ(tern_connect(client, tern_listen_address(serving, 0), &session), 0);
        for (uint32_t j = 0; j < CREDITS; j++) {
            data[0] = (uint8_t)(i * CREDITS + j);
            void *user = (void *)(uintptr_t)(i * CREDITS + j);
            CHECK_EQ(tern_call_start_raw(session, METHOD, tern_bytes_of(data, bytes), NULL, on_done, user), 0);
        }
        tern_poll(client);
        tern_poll(serving);
    }
    poll_until(&n_waiting, &n_done, N_CALLS);
}

static void answer_all(void) {
    for (uint32_t i = 0; i < n_waiting; i++) {
        CHECK_EQ(tern_reply_raw(waiting[i], received[i]), 0);
        uint32_t n_before = n_done;
        poll_until(&n_done, NULL, n_before + 1); /* responses that are not fetched have a bound of their own */
    }
    poll_until(&n_done, NULL, N_CALLS);
    CHECK_EQ(n_done, N_CALLS);
}

/* Many share a receive buffer: each counts what it takes, but for the first, which is there before anybody knows. */
static void deferred__count_what_they_take(void) {
    for (int k = 0; k < 4; k++) {
        start(server_addresses()[k], 64 * MB);
        CHECK_OK();
        call_all(100);
        CHECK_EQ(n_waiting, N_CALLS);
        CHECK(held() >= N_CALLS * 100 && held() <= N_CALLS * 128 + 4 * RX_BYTES);
        answer_all();
        CHECK_EQ(n_ok, N_CALLS);
        CHECK_EQ(n_right, N_CALLS);
        stop();
        CHECK_OK();
    }
}

/* They keep to the bound: those beyond it are refused before their handlers run, and those taken end well. */
static void deferred__keep_to_the_bound(void) {
    for (int k = 0; k < 4; k++) {
        start(server_addresses()[k], MB);
        CHECK_OK();
        call_all(1000);
        CHECK(n_waiting >= 500 && n_exhausted >= 900);
        CHECK_EQ(n_waiting + n_exhausted, N_CALLS);
        CHECK_EQ(given_up(), n_exhausted);
        CHECK(held() <= MB);
        answer_all();
        CHECK_EQ(n_right, n_waiting);
        stop();
        CHECK_OK();
    }
}

/* A method that answers at once again is served where its requests lie, as before. */
static void deferred__and_prompt_again(void) {
    start(server_addresses()[1], 64 * MB);
    CHECK_OK();
    tern_session *session;
    CHECK_EQ(tern_connect(client, tern_listen_address(serving, 0), &session), 0);
    CHECK_EQ(tern_call_start_raw(session, METHOD, tern_bytes_of("once", 4), NULL, on_done, (void *)'o'), 0);
    poll_until(&n_waiting, NULL, 1);
    CHECK_EQ(tern_reply_raw(waiting[0], received[0]), 0);
    poll_until(&n_done, NULL, 1);
    CHECK_EQ(n_right, 1);
    CHECK_EQ(tern_serve_raw(serving, METHOD + 64, answer, NULL), 0); /* shares its bit */
    for (uint32_t i = 0; i < 200; i++) {
        CHECK_EQ(tern_call_start_raw(session, METHOD + 64, tern_bytes_of("more", 4), NULL, on_done, (void *)'m'), 0);
        poll_until(&n_done, NULL, 2 + i);
    }
    CHECK_EQ(n_right, 201);
    CHECK_EQ(held(), 0);
    stop();
}

static tern_stream written; /* the server's end */
static size_t n_streamed;

static void count_streamed(tern_stream stream, const void *data, size_t len, void *user) {
    (void)stream, (void)data, (void)user;
    n_streamed += len;
}

static void write_wide(tern_stream stream, void *user) {
    (void)user;
    const tern_stream_opts opts = TERN_STREAM_OPTS(.buffer_bytes = WIDE_BYTES);
    const tern_stream_events none = TERN_STREAM_EVENTS(.on_data = count_streamed);
    if (tern_stream_accept(stream, &opts, &none, NULL) != 0) abort();
    written = stream;
}

/* The stream has room, but its client may not have the server hold more. One endpoint is both. */
static void wait_writable__until_the_client_may_have_more_held(void) {
    static const uint8_t bytes[16 << 10];
    tern_endpoint_config small;
    tern_endpoint *ep;
    tern_endpoint_config_init(&small);
    small.max_message_bytes = 4096;
    small.max_rx_bytes = 256 << 10;
    n_streamed = 0;
    written = (tern_stream){0};
    tern_stream reading;
    tern_session *session;
    CHECK_EQ(tern_endpoint_new(&small, &ep), 0);
    CHECK_EQ(tern_listen(ep, server_addresses()[1]), 0);
    CHECK_EQ(tern_serve_stream(ep, STREAM, write_wide, NULL), 0);
    CHECK_EQ(tern_connect(ep, server_addresses()[1], &session), 0);
    const tern_stream_events counting = TERN_STREAM_EVENTS(.on_data = count_streamed);
    CHECK_EQ(tern_stream_start(session, STREAM, NULL, &counting, NULL, &reading), 0);
    CHECK_EQ(tern_stream_pause(reading), 0);
    CHECK_EQ(tern_stream_flush(reading), 0);
    while (!written.id) CHECK(tern_poll(ep) >= 0);
    size_t n_written = 0;
    int err;
    while (!(err = tern_stream_write(written, tern_bytes_of(bytes, sizeof bytes)))) {
        n_written += sizeof bytes;
        for (int i = 0; i < 10; i++) CHECK(tern_poll(ep) >= 0);
    }
    CHECK_EQ(err, TERN_ERR_FULL);
    CHECK(n_written >= sizeof bytes && n_written < WIDE_BYTES / 2);
    CHECK_EQ(tern_stream_resume(reading), 0);
    CHECK_EQ(tern_stream_wait_writable(written), 0);
    CHECK_EQ(tern_stream_write(written, tern_bytes_of(bytes, sizeof bytes)), 0);
    CHECK(n_streamed > 0);
    tern_endpoint_free(ep);
}

TAP_MAIN(TEST(deferred__count_what_they_take), TEST(deferred__keep_to_the_bound), TEST(deferred__and_prompt_again),
         TEST(wait_writable__until_the_client_may_have_more_held))
