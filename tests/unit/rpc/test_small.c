/* Small calls over shared memory, which have ways of their own: whatever the handler does with one, each ends once and
 * with its own answer, and the statistics add up, over UDP, too. Both endpoints in this thread. */
#include "google/protobuf/wrappers.tern.h"
#include "tap.h"
#include "tern/tern.h"

#include <stdio.h>
#include <unistd.h>

enum { METHOD = 9, TYPED = 10, SESSIONS = 8, WINDOW = 60, LATER = 40, LARGE_BYTES = 3000 };

typedef enum what { AT_ONCE, LATER_ON, LARGE, FAIL, EMPTY, AS_IT_IS, N_WHAT } what;

/* What a request says. */
typedef struct text {
    uint64_t number, what;
    uint8_t fill[16];
} text;

static tern_endpoint *server, *client;
static tern_session *sessions[SESSIONS];
static tern_call later[LATER];
static text later_text[LATER];
static uint32_t n_later, n_handled, n_started, n_done, n_in_flight;
static uint32_t n_of[N_WHAT], n_unavailable;
static uint8_t large[LARGE_BYTES];
static text pending[WINDOW];
static uint32_t free_places[WINDOW], n_free_places;

static uint64_t live_buffers(void) {
    tern_mem_stats stats;
    tern_mem_get_stats(&stats);
    return stats.live_buffers;
}

static void reply_later(void) {
    while (n_later) {
        n_later--;
        CHECK_EQ(tern_reply_raw(later[n_later], tern_bytes_of(&later_text[n_later], sizeof(text))), 0);
    }
}

static void handle(tern_call call, const void *request, void *user) {
    const tern_bytes *raw = request;
    const text *t = raw->data;
    (void)user;
    n_handled++;
    CHECK(raw->len >= 16);
    n_of[t->what]++;
    switch ((what)t->what) {
    case AT_ONCE: CHECK_EQ(tern_reply_raw(call, *raw), 0); return;
    case LATER_ON:
        memcpy(&later_text[n_later], raw->data, raw->len);
        later[n_later++] = call;
        if (n_later == LATER) reply_later();
        return;
    case LARGE: CHECK_EQ(tern_reply_raw(call, tern_bytes_of(large, sizeof large)), 0); return;
    case FAIL: CHECK_EQ(tern_fail(call, TERN_STATUS_ABORTED), 0); return;
    case EMPTY: CHECK_EQ(tern_reply_raw(call, tern_bytes_of(NULL, 0)), 0); return;
    default: CHECK_EQ(tern_reply_raw(call, tern_bytes_of(t, 17)), 0); return;
    }
}

static void done(void *user, int status, const void *response) {
    text *t = user;
    const tern_bytes *raw = response;
    n_done++;
    n_in_flight--;
    free_places[n_free_places++] = (uint32_t)(t - pending);
    n_unavailable += status == TERN_STATUS_UNAVAILABLE;
    if (status == TERN_STATUS_UNAVAILABLE) return; /* its endpoint is freed */
    CHECK_EQ(status, t->what == FAIL ? TERN_STATUS_ABORTED : TERN_STATUS_OK);
    if (status != TERN_STATUS_OK) return;
    switch ((what)t->what) {
    case AT_ONCE:
    case LATER_ON: CHECK_EQ(raw->len, sizeof *t); break;
    case LARGE: CHECK_EQ(raw->len, sizeof large); return;
    case EMPTY: CHECK_EQ(raw->len, 0); return;
    default: CHECK_EQ(raw->len, 17); break;
    }
    CHECK_MEM(raw->data, t, raw->len);
}

static void start(uint64_t kind, uint32_t session) {
    text *t = &pending[free_places[--n_free_places]];
    *t = (text){.number = n_started++, .what = kind};
    memset(t->fill, (int)(t->number & 255), sizeof t->fill);
    CHECK_EQ(tern_call_start_raw(sessions[session], METHOD, tern_bytes_of(t, sizeof *t), NULL, done, t), 0);
    n_in_flight++;
}

static const tern_method typed = {
    "test.Small/Echo", &google_protobuf_BytesValue_type, &google_protobuf_BytesValue_type, TYPED, 0, NULL};

static void echo(tern_call call, const void *request, void *user) {
    (void)user;
    n_handled++;
    CHECK_EQ(tern_reply(call, request), 0);
}

static bool open_at(const char *listen_address) {
    char address[96];
    if (tern_endpoint_new(NULL, &server) || tern_endpoint_new(NULL, &client)) return false;
    if (tern_listen(server, listen_address) || tern_serve_raw(server, METHOD, handle, NULL)) return false;
    if (tern_serve(server, &typed, echo, NULL)) return false;
    snprintf(address, sizeof address, "%s", tern_listen_address(server, 0));
    n_later = n_handled = n_started = n_done = n_in_flight = n_free_places = 0;
    memset(n_of, 0, sizeof n_of);
    for (uint32_t i = 0; i < WINDOW; i++) free_places[n_free_places++] = i;
    for (uint32_t i = 0; i < SESSIONS; i++)
        if (tern_connect(client, address, &sessions[i])) return false;
    for (int i = 0; i < 100000; i++) {
        uint32_t open = 0;
        tern_poll(server);
        tern_poll(client);
        for (uint32_t k = 0; k < SESSIONS; k++) open += tern_session_get_state(sessions[k]) == TERN_SESSION_OPEN;
        if (open == SESSIONS) return true;
    }
    return false;
}

static bool open_all(void) {
    char address[96];
    snprintf(address, sizeof address, "shm:///tmp/tern-test-%ld-small.sock", (long)getpid());
    return open_at(address);
}

static void finish_all(void) {
    for (int i = 0; i < 100000 && n_in_flight; i++) {
        tern_poll(client);
        tern_poll(server);
        if (i % 8 == 7) reply_later();
    }
    CHECK_EQ(n_in_flight, 0);
}

static void check_stats(void) {
    tern_endpoint_stats c, s;
    CHECK_EQ(tern_endpoint_get_stats(client, &c), 0);
    CHECK_EQ(tern_endpoint_get_stats(server, &s), 0);
    CHECK_EQ(c.calls_issued, n_started);
    CHECK_EQ(c.calls_completed, n_started);
    CHECK_EQ(s.calls_served, n_started);
    CHECK_EQ(n_handled, n_started);
    CHECK_EQ(c.tx_packets, s.rx_packets);
    CHECK_EQ(s.tx_packets, c.rx_packets);
    CHECK_EQ(c.tx_bytes, s.rx_bytes);
    CHECK_EQ(s.tx_bytes, c.rx_bytes);
    CHECK_EQ(c.copied_bytes, (uint64_t)n_started * sizeof(text));
    CHECK_EQ(c.rx_dropped + s.rx_dropped, 0);
}

static void close_all(void) {
    tern_endpoint_free(client);
    tern_endpoint_free(server);
}

/* Kinds in runs of all lengths, so that short ways and long ones alternate and take turns. A program that was kept from
 * running for a while takes its server for a slow one, and starts fewer calls in each of the next rounds. */
static void small__each_ends_once_with_its_answer(void) {
    uint64_t before = live_buffers();
    CHECK(open_all());
    for (uint32_t round = 0; round < 4000 || (n_started <= 5000 && round < 1000000); round++) {
        uint32_t kind = round / (1 + round % 13) % N_WHAT;
        for (uint32_t i = 0; i < 1 + round % 7 && n_free_places; i++) start(kind, (round * 3 + i) % SESSIONS);
        if (round % 5 != 2) tern_poll(client);
        if (round % 3 != 1) tern_poll(server);
        if (round % 11 == 5) reply_later();
        CHECK_OK();
    }
    finish_all();
    CHECK_EQ(n_done, n_started);
    CHECK_EQ(n_unavailable, 0);
    CHECK(n_started > 5000);
    for (uint32_t i = 0; i < N_WHAT; i++) CHECK(n_of[i] > 300);
    check_stats();
    close_all();
    CHECK_EQ(live_buffers(), before);
}

/* All that a client may have in flight, answered by nobody until it is gone. */
static void small__unanswered_when_the_client_goes(void) {
    uint64_t before = live_buffers();
    CHECK(open_all());
    for (uint32_t i = 0; i < LATER - 1; i++) start(LATER_ON, i % SESSIONS);
    for (int i = 0; i < 10; i++) {
        tern_poll(client);
        tern_poll(server);
    }
    CHECK_EQ(n_later, LATER - 1);
    tern_endpoint_free(client);
    for (int i = 0; i < 2000; i++) tern_poll(server);
    reply_later();
    tern_endpoint_free(server);
    CHECK_EQ(live_buffers(), before);
}

static void typed_done(void *user, int status, const void *response) {
    const google_protobuf_BytesValue *value = response;
    (void)user;
    n_done++;
    n_in_flight--;
    CHECK_EQ(status, TERN_STATUS_OK);
    CHECK(value && value->value.len == sizeof(text));
}

/* Of 6000 calls, typed or raw, each with one value; asked for between starting some and sending them, too. */
static void count_copies(bool is_typed, tern_endpoint_stats *stats) {
    static const uint8_t fill[sizeof(text)];
    google_protobuf_BytesValue value = {.value = tern_bytes_of(fill, sizeof fill)};
    for (uint32_t round = 0; round < 200; round++) {
        for (uint32_t i = 0; i < 30; i++) {
            if (!is_typed) {
                start(AT_ONCE, i % SESSIONS);
                continue;
            }
            CHECK_EQ(tern_call_start(sessions[i % SESSIONS], &typed, &value, NULL, typed_done, NULL), 0);
            n_started++;
            n_in_flight++;
        }
        CHECK_EQ(tern_endpoint_get_stats(client, stats), 0);
        CHECK(stats->copied_bytes <= (n_started + stats->retransmits + 8) * 2 * sizeof(text));
        finish_all();
        CHECK_OK();
    }
    CHECK_EQ(tern_endpoint_get_stats(client, stats), 0);
}

static void small__copies_are_counted_alike_over_udp(void) {
    for (int is_typed = 0; is_typed < 2; is_typed++) {
        tern_endpoint_stats shm, udp;
        CHECK(open_all());
        count_copies(is_typed, &shm);
        close_all();
        CHECK(open_at("udp://127.0.0.1:0"));
        count_copies(is_typed, &udp);
        close_all();
        CHECK_OK();
        if (!is_typed) CHECK_EQ(shm.copied_bytes, (uint64_t)n_started * sizeof(text));
        if (udp.retransmits == 0) CHECK_EQ(udp.copied_bytes, shm.copied_bytes);
    }
}

TAP_MAIN(TEST(small__each_ends_once_with_its_answer), TEST(small__unanswered_when_the_client_goes),
         TEST(small__copies_are_counted_alike_over_udp))
