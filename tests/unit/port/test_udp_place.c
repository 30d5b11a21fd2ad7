/* Packets of a long message that are received where it is put together, and what else comes while they are expected. */
#include "packets.h"
#include "tap.h"
#include "udp_peer.h"

enum {
    HEADER = 48,
    PKT_AT = 40,
    PAYLOAD = 9000,
    PACKET = HEADER + PAYLOAD,
    N = 6,
    REST = 700,
    FIRST = 5,
    BASE = 1 << 16
};

static peer server, client;
static tern__route route;
static uint8_t packets[N + 1][PACKET];
static uint8_t *message; /* N full payloads and REST bytes */
static unsigned n_placed, n_other, n_other_bytes;
static uint64_t other_sum;

static void on_placed(void *ctx, const tern__rx_packet *pkt) {
    (void)ctx;
    if (pkt->n_spans == 1) {
        CHECK_EQ(pkt->head_len, HEADER);
        CHECK_EQ(memcmp(pkt->head, packets[n_placed], HEADER), 0);
        CHECK(pkt->spans[0].data == message + n_placed * PAYLOAD);
        CHECK_EQ(memcmp(pkt->spans[0].data, packets[n_placed] + HEADER, pkt->spans_len), 0);
        n_placed++;
    } else {
        other_sum += sum_of(pkt->head, pkt->head_len);
        n_other++;
        n_other_bytes += pkt->head_len;
    }
}
EACH_PACKET(on_packets, on_placed)

static uint32_t bytes_of(unsigned i) { return i < N ? PACKET : HEADER + REST; }

/* The message is expected from its first packet on. */
static void expect(unsigned first) {
    tern__rx_ahead *ahead = &server.port->link.ahead;
    *ahead = (tern__rx_ahead){.to = message + first * PAYLOAD,
                              .len = (N - first) * PAYLOAD + REST,
                              .header_bytes = HEADER,
                              .payload_bytes = PAYLOAD,
                              .pkt = FIRST + first,
                              .pkt_at = PKT_AT,
                              .route = server.from};
    memcpy(ahead->start, packets[0], sizeof ahead->start);
}

static void start(void) {
    n_placed = n_other = n_other_bytes = 0;
    other_sum = 0;
    CHECK_EQ(peer_init(&server, 0), 0);
    CHECK_EQ(peer_init(&client, 0), 0);
    CHECK_EQ(peer_listen(&server, "127.0.0.1:0"), 0);
    CHECK_EQ(client.port->ops->connect(client.port, server.address, &route), 0);
    CHECK(peer_put(&client, &route, packets[0], 10, 10)); /* so that the server knows where from */
    peer_flush(&client);
    CHECK(peer_wait(&server, 1));
    CHECK_OK();
    message = tern_alloc(BASE);
    for (unsigned i = 0; i <= N; i++) {
        for (uint32_t k = 0; k < PACKET; k++) packets[i][k] = (uint8_t)(k * 7 + i * 31);
        memcpy(packets[i], packets[0], 12);
        tern__store32(packets[i] + PKT_AT, FIRST + i);
    }
}

static void stop(void) {
    peer_fini(&client);
    CHECK_EQ(tern_refcount(message), 1);
    tern_unref(message);
    peer_fini(&server);
}

static void put(unsigned i) { CHECK(peer_put(&client, &route, packets[i], bytes_of(i), HEADER)); }

static bool coalesces(void) { return client.udp->socks[0].gso && server.udp->socks[0].can_gro; }

/* Poll until so many packets have come. */
static void take(unsigned n) {
    while (n_placed + n_other < n) {
        int got = server.port->ops->poll(server.port, 64, on_packets, NULL);
        CHECK(got >= 0);
        struct pollfd fd = {.fd = server.port->ops->fd(server.port), .events = POLLIN};
        if (got == 0 && server.port->ops->arm(server.port)) CHECK(poll(&fd, 1, WAIT_MS) > 0);
        CHECK_OK();
    }
    CHECK_EQ(n_placed + n_other, n);
}

static void place__a_batch(void) {
    start();
    CHECK_OK();
    if (!coalesces()) SKIP("the kernel does not coalesce");
    expect(0);
    for (unsigned i = 0; i <= N; i++) put(i);
    peer_flush(&client);
    take(N + 1);
    CHECK_EQ(n_placed, N + 1);
    CHECK_EQ(server.udp->stats.rx_placed, N + 1);
    CHECK_EQ(server.udp->stats.rx_misplaced, 0);
    stop();
}

static void place__one_by_one(void) {
    start();
    CHECK_OK();
    for (unsigned i = 0; i <= N; i++) {
        expect(i);
        put(i);
        peer_flush(&client);
        take(i + 1);
    }
    CHECK_EQ(n_placed, N + 1);
    stop();
}

/* Packets of other sizes than expected, alone and coalesced, arrive as ever. */
static void place__other_sizes(void) {
    static const uint32_t sizes[] = {1, 16, 32, 33, 100, 1472, PACKET - 1, PACKET + 1, 30000, 60000};
    static uint8_t data[65000];
    for (uint32_t i = 0; i < sizeof data; i++) data[i] = (uint8_t)(i * 13 + i / 251);
    for (unsigned k = 0; k < TERN__COUNT(sizes); k++) {
        for (unsigned n = 1; n * sizes[k] <= 64000 && n <= 30; n += 6) {
            uint64_t sum = 0;
            start();
            CHECK_OK();
            expect(0);
            for (unsigned i = 0; i < n; i++) {
                CHECK(peer_put(&client, &route, data + i, sizes[k], sizes[k]));
                sum += sum_of(data + i, sizes[k]);
            }
            peer_flush(&client);
            take(n);
            CHECK_EQ(n_other, n);
            CHECK_EQ(n_other_bytes, n * sizes[k]);
            CHECK(other_sum == sum);
            CHECK(server.udp->stats.rx_misplaced > 0);
            stop();
        }
    }
}

/* Packets as long as those expected, of which one, and so perhaps all, are others. */
static void place__another_packet_among_them(void) {
    for (unsigned odd = 0; odd < 4; odd++) {
        for (unsigned at = 0; at < PKT_AT + 4; at = at == 11 ? PKT_AT : at + 1) { /* what is compared */
            uint64_t sum = 0;
            start();
            CHECK_OK();
            if (!coalesces()) SKIP("the kernel does not coalesce");
            expect(0);
            packets[odd][at] ^= 1;
            for (unsigned i = 0; i < 4; i++) {
                put(i);
                sum += sum_of(packets[i], PACKET);
            }
            peer_flush(&client);
            take(4);
            CHECK(n_other == 4 && other_sum == sum);
            stop();
        }
    }
}

/* Where it does not pay, or the packets cannot come from there, nothing is done about it. */
static void place__not_taken(void) {
    start();
    CHECK_OK();
    expect(0);
    server.port->link.ahead.payload_bytes = 1436;
    put(0);
    peer_flush(&client);
    take(1);
    expect(0);
    server.port->link.ahead.route.bytes[4] ^= 1;
    server.port->link.ahead.route.bytes[tern__udp_route_tail(&route)] = 7;
    put(0);
    peer_flush(&client);
    take(2);
    CHECK_EQ(n_other, 2);
    CHECK_EQ(server.udp->stats.rx_misplaced, 0);
    stop();
}

TAP_MAIN(TEST(place__a_batch), TEST(place__one_by_one), TEST(place__other_sizes),
         TEST(place__another_packet_among_them), TEST(place__not_taken))
