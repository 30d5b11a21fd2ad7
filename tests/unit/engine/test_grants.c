/* What streams grant: bytes are counted with 64 bits, and a packet that has nothing to grant does not say so. */
#include "engine/stream_client.h"
#include "engine/stream_record.h"
#include "loop.h"

#define FAR ((uint64_t)5 << 32) /* so many bytes have gone before */

enum { METHOD = 5, PIECE = 100 };

static loop l;
static tern__stream *client, *server;
static uint64_t n_read;

static void on_open(void *user, tern__stream *st, uint32_t method) {
    (void)user, (void)method;
    server = st;
}

static void on_data(void *user, tern__stream *st, const void *data, uint32_t len) {
    (void)user, (void)st, (void)data;
    n_read += len;
}

static void on_finished(void *user, tern__stream *st) { (void)user, (void)st; }
static unsigned n_writable;
static void on_writable(void *user, tern__stream *st) {
    (void)user, (void)st;
    n_writable++;
}
static void on_end(void *user, tern__stream *st, int status) { (void)user, (void)st, (void)status; }

static const tern__stream_callbacks callbacks = {
    .on_open = on_open, .on_data = on_data, .on_finished = on_finished, .on_writable = on_writable, .on_end = on_end};

static void write_piece(tern__stream *st) {
    static const uint8_t bytes[PIECE];
    CHECK_EQ(tern__stream_write_copy(st, (tern_bytes){bytes, PIECE}, l.now), 0);
    tern__stream_flush(st, l.now);
}

/* A stream whose first piece has come. */
static void start(bool reliable) {
    loop_init(&l, &(loop_config){.reliable = reliable, .engine = {.streams = &callbacks}});
    loop_connect(&l);
    CHECK_OK();
    client = server = NULL;
    n_read = 0;
    CHECK_EQ(tern__stream_open(l.session, METHOD, NULL, NULL, l.now, &client), 0);
    write_piece(client);
    loop_settle(&l);
    CHECK(server != NULL);
    CHECK_EQ(n_read, PIECE);
}

static void stop(void) {
    tern__stream_abort(client, 0, l.now);
    loop_fini(&l);
}

/* As if both ends had moved FAR bytes of the request, which were all that was granted. */
static void wind_on(void) {
    client->tx_front = client->tx_sent = client->tx_flushed = client->tx_end = client->tx_limit = FAR;
    client->growing = client->cursor = NULL;
    server->rx_bytes = server->rx_consumed = FAR;
    server->rx_limit = FAR + server->window_bytes;
}

/* A CR, as it is on its way, whose grant is changed. */
static void deliver_grant(uint64_t grant) {
    uint32_t len;
    tern__pkt_header h;
    tern__stream_acknowledge(server, TERN__STREAM_NO_PKT);
    CHECK(loop_peek(&l, 1, 0, &h));
    CHECK_EQ(h.type, TERN__PKT_CR);
    h.grant = grant;
    tern__pkt_write(&h, loop_bytes(&l, 1, 0, &len));
    CHECK(loop_deliver(&l, 1, 0));
}

static void grant__of_more_than_32_bits_is_taken(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        start(reliable);
        CHECK_OK();
        deliver_grant(FAR);
        CHECK_EQ(client->tx_limit, FAR);
        deliver_grant(FAR + 1);
        CHECK_EQ(client->tx_limit, FAR + 1);
        deliver_grant(FAR - 1); /* an old one, late */
        CHECK_EQ(client->tx_limit, FAR + 1);
        deliver_grant(1000);
        CHECK_EQ(client->tx_limit, FAR + 1);
        deliver_grant(UINT64_MAX);
        CHECK_EQ(client->tx_limit, UINT64_MAX);
        write_piece(client);
        loop_settle(&l);
        CHECK_EQ(n_read, 2 * PIECE);
        stop();
        CHECK_OK();
    }
}

/* What the reader grants then is more than 32 bits say, and lets the writer go on. */
static void grant__goes_on_past_32_bits(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        start(reliable);
        CHECK_OK();
        wind_on();
        write_piece(client); /* beyond what was granted before */
        loop_settle(&l);
        CHECK_EQ(n_read, PIECE);
        tern__stream_acknowledge(server, TERN__STREAM_NO_PKT);
        tern__pkt_header h;
        CHECK(loop_peek(&l, 1, 0, &h));
        CHECK_EQ(h.grant, FAR + server->window_bytes);
        loop_settle(&l);
        CHECK_EQ(n_read, 2 * PIECE);
        CHECK_EQ(server->rx_bytes, FAR + PIECE);
        stop();
        CHECK_OK();
    }
}

/* The header of the client's next packet, or of the server's. */
static tern__pkt_header next_header(int side) {
    tern__pkt_header h = {0};
    write_piece(side ? server : client);
    if (!loop_peek(&l, side, 0, &h)) printf("# nothing was sent\n");
    return h;
}

/* Where no packet is lost. On other links any packet may have to do the work of another. */
static void grant__is_said_when_it_has_grown(void) {
    loop_init(&l, &(loop_config){.reliable = true, .engine = {.streams = &callbacks}});
    loop_connect(&l);
    CHECK_OK();
    n_read = 0;
    tern__stream_opts opts = {.deadline = l.now + 10 * (tern_time)TERN_SEC};
    CHECK_EQ(tern__stream_open(l.session, METHOD, &opts, NULL, l.now, &client), 0);
    tern__pkt_header h = next_header(0);
    CHECK_EQ(h.flags, TERN__PKT_STREAM | TERN__PKT_GRANT);
    CHECK_EQ(h.grant, client->window_bytes);
    CHECK(h.deadline_us > 0);
    loop_settle(&l);
    h = next_header(0);
    CHECK_EQ(h.flags, TERN__PKT_STREAM);
    CHECK_EQ(h.deadline_us, 0);
    CHECK_EQ(tern__pkt_header_bytes(&h), TERN__PKT_HEADER_BYTES);
    loop_settle(&l);
    CHECK_EQ(n_read, 2 * PIECE);
    CHECK_EQ(next_header(1).flags, TERN__PKT_STREAM | TERN__PKT_GRANT); /* packet 0 of the response */
    loop_settle(&l);
    CHECK_EQ(next_header(1).flags, TERN__PKT_STREAM);
    loop_settle(&l);
    server->rx_consumed += server->window_bytes / 4; /* as if so much had been read */
    h = next_header(1);
    CHECK_EQ(h.flags, TERN__PKT_STREAM | TERN__PKT_GRANT);
    CHECK_EQ(h.grant, server->rx_consumed + server->window_bytes);
    loop_settle(&l);
    CHECK_EQ(client->tx_limit, h.grant);
    CHECK_EQ(next_header(1).flags, TERN__PKT_STREAM);
    loop_settle(&l);
    stop();
}

/* Whatever the client grants, and the link takes, one stream has the thread for a turn, and is told when to go on. */
static void turn__ends_and_begins_again(void) {
    start(true);
    CHECK_OK();
    deliver_grant(FAR);
    uint64_t written = 0;
    for (int turns = 0; turns < 3; turns++) {
        static const uint8_t bytes[4096];
        uint64_t before = written;
        n_writable = 0;
        while (tern__stream_write_copy(server, (tern_bytes){bytes, sizeof bytes}, l.now) == 0) {
            written += sizeof bytes;
            while (loop_deliver(&l, 1, 0) || loop_deliver(&l, 0, 0)) continue; /* nothing waits */
            CHECK(written - before <= 256 << 10);
            CHECK_OK();
        }
        CHECK_EQ(written - before, 256 << 10);
        CHECK_EQ(n_writable, 0);
        loop_tick(&l);
        CHECK_EQ(n_writable, 1);
    }
    stop();
}

static void grant__is_in_every_packet_of_a_lossy_link(void) {
    start(false);
    CHECK_OK();
    for (int i = 0; i < 4; i++) {
        tern__pkt_header h = next_header(i & 1);
        CHECK_EQ(h.flags & (TERN__PKT_STREAM | TERN__PKT_GRANT), TERN__PKT_STREAM | TERN__PKT_GRANT);
        loop_settle(&l);
    }
    stop();
}

TAP_MAIN(TEST(turn__ends_and_begins_again), TEST(grant__is_said_when_it_has_grown),
         TEST(grant__is_in_every_packet_of_a_lossy_link), TEST(grant__of_more_than_32_bits_is_taken),
         TEST(grant__goes_on_past_32_bits))
