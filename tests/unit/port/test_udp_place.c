/* Packets of a long message that are received where it is put together, and what else comes while they are expected. */
#include "base/rng.h"
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

/* What is expected of the message from packet `first` on. */
static tern__expected expectation(unsigned first) {
    tern__expected expected = {.route = server.from,
                               .message = message,
                               .to = message + first * PAYLOAD,
                               .len = (N - first) * PAYLOAD + REST,
                               .header_bytes = HEADER,
                               .payload_bytes = PAYLOAD,
                               .pkt = FIRST + first,
                               .pkt_at = PKT_AT};
    memcpy(expected.start, packets[0], sizeof expected.start);
    return expected;
}

static void expect_at(const tern__expected *expected) {
    server.port->link.ops->rx_expect(&server.port->link, expected);
}

/* The message is expected from this packet on. */
static void expect(unsigned first) {
    tern__expected expected = expectation(first);
    expect_at(&expected);
}

static void forget(void) { server.port->link.ops->rx_forget(&server.port->link, message); }

static void start(void) {
    n_placed = n_other = n_other_bytes = 0;
    other_sum = 0;
    CHECK_EQ(peer_init(&server, 0), 0);
    CHECK_EQ(peer_init(&client, 0), 0);
    CHECK_EQ(peer_listen(&server, "127.0.0.1:0"), 0);
    CHECK_EQ(client.port->ops->connect(client.port, server.address, &route), 0);
    peer_has_had_a_burst(&server);
    peer_has_had_a_burst(&client);
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
    tern__expected expected = expectation(0);
    expect(0);
    expected.payload_bytes = 1436;
    expect_at(&expected);
    put(0);
    peer_flush(&client);
    take(1);
    expected = expectation(0);
    expected.route.bytes[4] ^= 1;
    expected.route.bytes[tern__udp_route_tail(&route)] = 7;
    expect_at(&expected);
    put(0);
    peer_flush(&client);
    take(2);
    expect(0);
    forget();
    put(0);
    peer_flush(&client);
    take(3);
    CHECK_EQ(n_other, 3);
    CHECK_EQ(server.udp->stats.rx_misplaced, 0);
    stop();
}

/* After a wrong choice the port looks before it receives, until a choice was right. */
static void place__looks_after_a_wrong_choice(void) {
    start();
    CHECK_OK();
    static uint8_t other[PACKET] = {1};
    for (unsigned i = 0; i < 3; i++) {
        expect(0);
        CHECK(peer_put(&client, &route, other, PACKET, HEADER));
        peer_flush(&client);
        take(i + 1);
        CHECK_EQ(server.udp->stats.rx_misplaced, 1);
    }
    CHECK(server.udp->stats.rx_peeks >= 2);
    CHECK_EQ(n_other, 3);
    put(0);
    peer_flush(&client);
    take(4);
    CHECK_EQ(n_placed, 1);
    uint64_t n_peeks = server.udp->stats.rx_peeks;
    expect(1);
    put(1);
    peer_flush(&client);
    take(5);
    CHECK_EQ(n_placed, 2);
    CHECK_EQ(server.udp->stats.rx_peeks, n_peeks);
    stop();
}

/* A message that was forgotten is not written to, though its packets come, and its memory may go. */
static void place__forgotten(void) {
    start();
    CHECK_OK();
    memset(message, 0x11, BASE);
    expect(0);
    put(0);
    forget();
    peer_flush(&client);
    take(1);
    for (uint32_t i = 0; i < BASE; i++) CHECK_EQ(message[i], 0x11);
    CHECK_EQ(n_other, 1);
    stop();
}

/* ---- Several messages at a time ------------------------------------------------------------------- */

enum { MAX_MESSAGES = 4, N_PKTS = 24, LONG = N_PKTS * PAYLOAD - 100 };

/* As the engine has them: the message that a header names is put together, and expected to go on. */
static struct incoming {
    uint8_t *memory;
    uint32_t n_came, n_placed;
    tern__route route;
} incoming[MAX_MESSAGES];
static unsigned n_messages;

static uint8_t byte_of(unsigned m, uint32_t at) { return (uint8_t)(at * 7 + at / PAYLOAD * 31 + m * 101); }

static uint32_t payload_of(uint32_t pkt) { return pkt + 1 < N_PKTS ? PAYLOAD : LONG - (N_PKTS - 1) * PAYLOAD; }

static void make_packet(unsigned m, uint32_t pkt, uint8_t *packet) {
    memset(packet, 0, HEADER);
    packet[8] = (uint8_t)m;
    tern__store32(packet + PKT_AT, pkt);
    for (uint32_t i = 0; i < payload_of(pkt); i++) packet[HEADER + i] = byte_of(m, pkt * PAYLOAD + i);
}

static void on_part(void *ctx, const tern__rx_packet *pkt) {
    (void)ctx;
    unsigned m = pkt->head[8];
    uint32_t nth = tern__load32(pkt->head + PKT_AT);
    struct incoming *in = &incoming[m];
    CHECK(m < n_messages && nth == in->n_came);
    CHECK_OK();
    uint8_t *to = in->memory + nth * PAYLOAD;
    in->route = pkt->route;
    in->n_came++;
    if (pkt->n_spans == 1) {
        CHECK(pkt->spans[0].data == to);
        CHECK_EQ(pkt->spans_len, payload_of(nth));
        in->n_placed++;
    } else {
        CHECK_EQ(pkt->head_len, HEADER + payload_of(nth));
        memcpy(to, pkt->head + HEADER, payload_of(nth));
    }
    tern__expected next = {.route = pkt->route,
                           .message = in->memory,
                           .to = to + PAYLOAD,
                           .len = LONG - (nth + 1) * PAYLOAD,
                           .header_bytes = HEADER,
                           .payload_bytes = PAYLOAD,
                           .pkt = nth + 1,
                           .pkt_at = PKT_AT};
    memcpy(next.start, pkt->head, sizeof next.start);
    if (nth + 1 < N_PKTS)
        server.port->link.ops->rx_expect(&server.port->link, &next);
    else
        server.port->link.ops->rx_forget(&server.port->link, in->memory);
}
EACH_PACKET(on_parts, on_part)

static unsigned n_parts(void) {
    unsigned n = 0;
    for (unsigned m = 0; m < n_messages; m++) n += incoming[m].n_came;
    return n;
}

static void await_parts(unsigned n) {
    while (n_parts() < n) {
        int got = server.port->ops->poll(server.port, 64, on_parts, NULL);
        CHECK(got >= 0);
        struct pollfd fd = {.fd = server.port->ops->fd(server.port), .events = POLLIN};
        if (got == 0 && server.port->ops->arm(server.port)) CHECK(poll(&fd, 1, WAIT_MS) > 0);
        CHECK_OK();
    }
}

/* So many messages, from as many peers or from one, whose packets take turns or come in an order that the seed says. */
static void interleave(unsigned n, bool one_peer, uint64_t seed) {
    static uint8_t packet[PACKET];
    peer clients[MAX_MESSAGES];
    tern__route routes[MAX_MESSAGES];
    uint32_t n_sent[MAX_MESSAGES] = {0};
    n_messages = n;
    memset(incoming, 0, sizeof incoming);
    CHECK_EQ(peer_init(&server, 0), 0);
    CHECK_EQ(peer_listen(&server, "127.0.0.1:0"), 0);
    for (unsigned m = 0; m < n; m++) {
        CHECK_EQ(peer_init(&clients[m], 0), 0);
        CHECK_EQ(clients[m].port->ops->connect(clients[m].port, server.address, &routes[m]), 0);
        incoming[m].memory = tern_alloc(LONG);
    }
    CHECK_OK();
    for (unsigned total = 0; total < n * N_PKTS;) {
        unsigned m = (unsigned)((seed ? tern__mix64(seed + total) >> 8 : total) % n);
        while (n_sent[m] == N_PKTS) m = (m + 1) % n;
        unsigned from = one_peer ? 0 : m;
        make_packet(m, n_sent[m]++, packet);
        CHECK(peer_put(&clients[from], &routes[from], packet, HEADER + payload_of(n_sent[m] - 1), HEADER));
        peer_flush(&clients[from]);
        if (++total % 8 == 0) await_parts(total); /* what waits fits the socket's buffer */
        CHECK_OK();
    }
    await_parts(n * N_PKTS);
    CHECK_EQ(server.udp->placements.n, 0);
    for (unsigned m = 0; m < n; m++) {
        for (uint32_t i = 0; i < LONG; i++) CHECK_EQ(incoming[m].memory[i], byte_of(m, i));
        CHECK(incoming[m].n_placed * 4 >= N_PKTS * 3); /* where one expectation served all it was hardly any */
        peer_fini(&clients[m]);
        CHECK_EQ(tern_refcount(incoming[m].memory), 1);
        tern_unref(incoming[m].memory);
    }
    printf("# %u messages, %s: %llu of %u packets placed, %llu misplaced, %llu peeks\n", n,
           one_peer ? "one peer" : "peers", (unsigned long long)server.udp->stats.rx_placed, n * N_PKTS,
           (unsigned long long)server.udp->stats.rx_misplaced, (unsigned long long)server.udp->stats.rx_peeks);
    peer_fini(&server);
}

static void several__in_turns(void) {
    for (unsigned n = 2; n <= MAX_MESSAGES; n += 2) {
        interleave(n, false, 0);
        CHECK_OK();
    }
}

static void several__in_any_order(void) {
    for (unsigned n = 2; n <= MAX_MESSAGES; n += 2) {
        for (uint64_t seed = 1; seed <= 4; seed++) {
            interleave(n, false, seed);
            CHECK_OK();
        }
    }
}

static void several__of_one_peer(void) {
    for (unsigned n = 1; n <= MAX_MESSAGES; n++) {
        interleave(n, true, 7);
        CHECK_OK();
    }
}

TAP_MAIN(TEST(place__a_batch), TEST(place__one_by_one), TEST(place__other_sizes),
         TEST(place__another_packet_among_them), TEST(place__not_taken), TEST(place__looks_after_a_wrong_choice),
         TEST(place__forgotten), TEST(several__in_turns), TEST(several__in_any_order), TEST(several__of_one_peer))
