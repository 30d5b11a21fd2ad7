/* A client that lives and acknowledges nothing of a stream: the server sends again less and less often, and gives the
 * stream up in the end. A client whose reader grants nothing acknowledges all the same. */
#include "engine/control.h"
#include "engine/server.h"
#include "engine/stream_client.h"
#include "engine/stream_record.h"
#include "loop.h"

enum { METHOD = 5, BYTES = 3000, WINDOW = TERN__STREAM_MIN_WINDOW, NONE = 0xff, ALL = 0xfe };

static loop l;
static tern__stream *client, *server;
static tern__session *at_server;
static uint64_t n_read;
static unsigned n_resps;
static int server_status, client_status;

static void on_open(void *user, tern__stream *st, uint32_t method) {
    static const uint8_t bytes[BYTES];
    (void)user, (void)method;
    server = st;
    at_server = st->session;
    CHECK_EQ(tern__stream_write_copy(st, (tern_bytes){bytes, BYTES}, l.now), 0);
    tern__stream_flush(st, l.now);
}

static void on_data(void *user, tern__stream *st, const void *data, uint32_t len) {
    (void)user, (void)st, (void)data;
    n_read += len;
}

static void on_finished(void *user, tern__stream *st) { (void)user, (void)st; }
static void on_writable(void *user, tern__stream *st) { (void)user, (void)st; }

static void on_end(void *user, tern__stream *st, int status) {
    (void)user;
    if (st == server)
        server_status = status;
    else
        client_status = status;
}

static const tern__stream_callbacks callbacks = {
    .on_open = on_open, .on_data = on_data, .on_finished = on_finished, .on_writable = on_writable, .on_end = on_end};

static void start(void) {
    loop_init(&l, &(loop_config){.engine = {.streams = &callbacks}});
    loop_connect(&l);
    CHECK_OK();
    n_read = n_resps = 0;
    server_status = client_status = -1;
    server = client = NULL;
    at_server = NULL;
    tern__stream_opts opts = {.window_bytes = WINDOW};
    CHECK_EQ(tern__stream_open(l.session, METHOD, &opts, NULL, l.now, &client), 0);
    tern__stream_flush(client, l.now);
}

/* The oldest packet of a side goes on its way, unless it is of this type and a stream's. */
static bool deliver_but(int side, uint8_t lost) {
    tern__pkt_header h;
    if (!loop_peek(&l, side, 0, &h)) return false;
    n_resps += side == 1 && h.type == TERN__PKT_RESP;
    return (h.type == lost || lost == ALL) && h.flags & TERN__PKT_STREAM ? loop_drop(&l, side, 0)
                                                                         : loop_deliver(&l, side, 0);
}

/* So much time, in which the client speaks each millisecond and packets of one kind are lost on one side. */
static void pass(tern_dur time, int side, uint8_t lost) {
    for (tern_time end = l.now + (tern_time)time; l.now < end;) {
        l.now += TERN_MS;
        tern__session_send_pong((tern__session *)l.session, 0);
        if (at_server) tern__server_timer((tern__ssession *)at_server, l.now); /* as if other streams were due */
        loop_tick(&l);
        while (deliver_but(0, side == 0 ? lost : NONE) || deliver_but(1, side == 1 ? lost : NONE)) loop_tick(&l);
    }
}

/* The round trip is known, and would be counted in eights. */
static void stuck__is_given_up(void) {
    static const uint8_t bytes[BYTES];
    start();
    CHECK_OK();
    pass(10 * TERN_MS, 1, NONE);
    CHECK_EQ(n_read, BYTES);
    n_resps = 0;
    CHECK_EQ(tern__stream_write_copy(server, (tern_bytes){bytes, BYTES}, l.now), 0);
    tern__stream_flush(server, l.now);
    pass(3900 * TERN_MS, 1, TERN__PKT_RESP);
    CHECK(server && server_status == -1 && client_status == -1);
    CHECK(n_resps > 60 && n_resps < 130); /* up to three each eighth of a peer_timeout, and a few at first */
    pass(400 * TERN_MS, 1, TERN__PKT_RESP);
    CHECK_EQ(server_status, TERN_STATUS_UNAVAILABLE);
    CHECK_EQ(l.n_lost, 0);
    unsigned before = n_resps;
    pass(400 * TERN_MS, 1, TERN__PKT_RESP);
    CHECK(n_resps > before && n_resps - before < 20); /* the client asks, and is told */
    CHECK_EQ(client_status, -1);
    pass(2 * TERN_SEC, 1, NONE);
    CHECK_EQ(client_status, TERN_STATUS_UNAVAILABLE);
    CHECK_EQ(n_read, BYTES);
    loop_fini(&l);
}

/* A stream that was silent for long is not nearer to its end when the network fails for a while. */
static void stuck__is_counted_from_the_first_packet_in_flight(void) {
    static const uint8_t bytes[BYTES];
    start();
    CHECK_OK();
    pass(20 * TERN_SEC, 1, NONE);
    CHECK_EQ(n_read, BYTES);
    CHECK_EQ(tern__stream_write_copy(server, (tern_bytes){bytes, BYTES}, l.now), 0);
    tern__stream_flush(server, l.now);
    pass(2500 * TERN_MS, 1, TERN__PKT_RESP);
    CHECK_EQ(server_status, -1);
    pass(TERN_SEC, 1, NONE);
    CHECK_EQ(n_read, 2 * BYTES);
    CHECK(server_status == -1 && client_status == -1);
    tern__stream_abort(client, TERN_STATUS_CANCELLED, l.now);
    loop_fini(&l);
}

/* What the client has had is not what the server knows of. */
static void stuck__is_told_wherever_the_client_waits(void) {
    start();
    CHECK_OK();
    pass(4300 * TERN_MS, 0, TERN__PKT_RFR);
    CHECK_EQ(n_read, BYTES);
    CHECK_EQ(server_status, TERN_STATUS_UNAVAILABLE);
    CHECK_EQ(client_status, TERN_STATUS_UNAVAILABLE);
    CHECK_EQ(l.n_lost, 0);
    loop_fini(&l);
}

/* A client that sends its own half again, and so does not ask, is told, too. */
static void stuck__is_told_while_the_client_sends(void) {
    static const uint8_t bytes[BYTES];
    start();
    CHECK_OK();
    pass(10 * TERN_MS, 1, NONE);
    CHECK_EQ(n_read, BYTES);
    CHECK_EQ(tern__stream_write_copy(server, (tern_bytes){bytes, BYTES}, l.now), 0);
    tern__stream_flush(server, l.now);
    pass(3900 * TERN_MS, 1, TERN__PKT_RESP);
    CHECK_EQ(server_status, -1);
    CHECK_EQ(tern__stream_write_copy(client, (tern_bytes){bytes, BYTES}, l.now), 0);
    tern__stream_flush(client, l.now);
    pass(400 * TERN_MS, 1, ALL);
    CHECK_EQ(server_status, TERN_STATUS_UNAVAILABLE);
    CHECK_EQ(client_status, -1);
    pass(500 * TERN_MS, 1, NONE);
    CHECK_EQ(client_status, TERN_STATUS_UNAVAILABLE);
    CHECK_EQ(l.n_lost, 0);
    loop_fini(&l);
}

/* Packets of one kind never come, whoever lives, and what is behind them does, perhaps the LAST one, too: the call ends
 * with the server's UNAVAILABLE and never as if all were there. */
typedef enum gap { GAP_FULL, GAP_FIRST, GAP_BLOCK } gap;

static bool is_lost(gap kind, const tern__pkt_header *h, uint32_t len) {
    if (h->type != TERN__PKT_RESP || !(h->flags & TERN__PKT_STREAM) || len <= 200) return false;
    if (kind == GAP_BLOCK) return h->flags & TERN__PKT_META && h->pkt > BYTES / 1024 + 1; /* the first one comes */
    return kind == GAP_FULL ? len > 1000 : h->pkt == 0;
}

static void finish(gap kind) {
    static const uint8_t block[3000];
    tern_bytes bytes = {block, kind == GAP_BLOCK ? sizeof block : 0};
    CHECK_EQ(tern__stream_finish_with(server, TERN_STATUS_OK, bytes, false, l.now), 0);
}

static void stuck__behind_a_gap_ends_with_the_servers_word(void) {
    for (int k = 0; k < 5; k++) {
        gap kind = (gap)(k / 2);
        bool finishes = k % 2 == 0, finished = false;
        start();
        CHECK_OK();
        for (tern_time end = l.now + 12 * (tern_time)TERN_SEC; l.now < end && client_status == -1;) {
            l.now += TERN_MS;
            tern__session_send_pong((tern__session *)l.session, 0);
            if (at_server) tern__server_timer((tern__ssession *)at_server, l.now);
            loop_tick(&l);
            while (loop_deliver(&l, 0, 0)) continue;
            if (finishes && server && !finished) finish(kind);
            finished = server != NULL;
            tern__pkt_header h;
            uint32_t len = 0;
            while (loop_peek(&l, 1, 0, &h)) {
                loop_bytes(&l, 1, 0, &len);
                CHECK(is_lost(kind, &h, len) ? loop_drop(&l, 1, 0) : loop_deliver(&l, 1, 0));
            }
            CHECK_OK();
        }
        CHECK_EQ(client_status, TERN_STATUS_UNAVAILABLE);
        CHECK_EQ(server_status, finishes ? -1 : TERN_STATUS_UNAVAILABLE); /* who has finished is told nothing */
        CHECK_EQ(n_read, kind == GAP_BLOCK ? BYTES : 0);
        CHECK_EQ(l.n_lost, 0);
        loop_fini(&l);
        CHECK_OK();
    }
}

static void no_grant__is_no_missing_acknowledgement(void) {
    static const uint8_t bytes[2 * WINDOW];
    start();
    CHECK_OK();
    tern__stream_set_manual(client, true);
    pass(10 * TERN_MS, 0, NONE);
    CHECK_EQ(n_read, BYTES);
    CHECK_EQ(tern__stream_write_copy(server, (tern_bytes){bytes, sizeof bytes}, l.now), 0);
    tern__stream_finish(server, TERN_STATUS_OK, l.now);
    pass(20 * TERN_SEC, 0, NONE);
    CHECK(n_read <= WINDOW && n_read > WINDOW - 1024);
    CHECK(server_status == -1 && client_status == -1);
    for (int i = 0; i < 2; i++) {
        tern__stream_consume(client, WINDOW, l.now);
        pass(10 * TERN_MS, 0, NONE);
    }
    CHECK_EQ(client_status, TERN_STATUS_OK);
    CHECK_EQ(n_read, BYTES + sizeof bytes);
    loop_fini(&l);
}

TAP_MAIN(TEST(stuck__is_given_up), TEST(stuck__is_told_wherever_the_client_waits),
         TEST(stuck__is_told_while_the_client_sends), TEST(stuck__is_counted_from_the_first_packet_in_flight),
         TEST(stuck__behind_a_gap_ends_with_the_servers_word), TEST(no_grant__is_no_missing_acknowledgement))
