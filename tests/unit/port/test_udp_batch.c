/* Batches of the UDP port on loopback: small packets that become one piece, the segment size that a socket is told,
 * batches that are answered together. The counters and the batch itself say which path was taken. */
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tap.h"
#include "udp_peer.h"

static peer server, client;
static tern__route route;
static unsigned n_in_runs, n_opened; /* of the packets since the start: in a run that was open, in a new one */

static uint8_t *pattern(uint32_t len, uint32_t seed) {
    static uint8_t bytes[TERN__UDP_MAX_DATAGRAM + 1];
    for (uint32_t i = 0; i < len; i++) bytes[i] = (uint8_t)((i * 31 + seed * 17) >> 2);
    return bytes;
}

static void start(const char *address) {
    n_in_runs = n_opened = 0;
    CHECK_EQ(peer_init(&server, 0), 0);
    CHECK_EQ(peer_init(&client, 0), 0);
    CHECK_EQ(peer_listen(&server, address), 0);
    CHECK_EQ(client.port->ops->connect(client.port, server.address, &route), 0);
    peer_has_had_a_burst(&server);
    peer_has_had_a_burst(&client);
}

static void stop(void) {
    peer_fini(&client);
    peer_fini(&server);
}

static bool coalesces(void) { return client.udp->socks[0].gso && server.udp->socks[0].can_gro; }

/* A packet of pattern(len, seed) into the run, or a new one. */
static bool put_small(const tern__route *to, uint32_t len, uint32_t seed) {
    put_way way = put_packet(&client.port->link, to, pattern(len, seed), len);
    n_in_runs += way == PUT_IN_RUN;
    n_opened += way == PUT_IN_NEW_RUN;
    return way != PUT_NOT;
}

static void put_batch(uint32_t n, uint32_t len) {
    for (uint32_t i = 0; i < n; i++) CHECK(put_small(&route, len, i));
    peer_flush(&client);
}

/* How often a packet of this length and seed has arrived. */
static unsigned arrivals(const peer *p, uint32_t len, uint32_t seed) {
    unsigned n = 0;
    for (unsigned i = 0; i < p->n; i++) n += p->lens[i] == len && p->sums[i] == sum_of(pattern(len, seed), len);
    return n;
}

/* ---- Runs --------------------------------------------------------------------------------------- */

static void run__equal_small_packets_are_one_piece(void) {
    start("127.0.0.1:0");
    CHECK_OK();
    if (!coalesces()) SKIP("the kernel does not coalesce");
    for (unsigned i = 0; i < 20; i++) CHECK(put_small(&route, 64, i));
    CHECK_EQ(client.udp->tx.n_stretches, 1);
    CHECK_EQ(client.udp->tx.n_iovs, 1);
    CHECK_EQ(n_opened, 1);
    CHECK_EQ(n_in_runs, 19);
    peer_flush(&client);
    CHECK_EQ(client.udp->stats.tx_packets, 20);
    CHECK_EQ(client.udp->stats.tx_calls, 1);
    CHECK_EQ(client.udp->stats.tx_gso_packets, 20);
    CHECK(peer_wait(&server, 20));
    for (unsigned i = 0; i < 20; i++) CHECK_EQ(server.sums[i], sum_of(pattern(64, i), 64));
    stop();
}

/* A batch that is full leaves when the next packet comes. */
static void run__ends_with_the_batch(void) {
    start("127.0.0.1:0");
    CHECK_OK();
    if (!coalesces()) SKIP("the kernel does not coalesce");
    tern__route other = route;
    other.bytes[2] ^= 1;
    for (unsigned i = 0; i < 3 * TERN__UDP_BATCH_PACKETS; i++) {
        CHECK(put_small(&route, 64, i));
        CHECK(tern__run_take(&client.udp->tx.run, &other, 64) == NULL);
        CHECK(tern__run_take(&client.udp->tx.run, &route, 65) == NULL);
    }
    CHECK_EQ(client.udp->stats.tx_calls, 2);
    CHECK_EQ(n_opened, 3);
    CHECK_EQ(n_in_runs, 3 * (TERN__UDP_BATCH_PACKETS - 1));
    peer_flush(&client);
    CHECK_EQ(client.udp->stats.tx_calls, 3);
    CHECK_EQ(client.udp->stats.tx_packets, 3 * TERN__UDP_BATCH_PACKETS);
    CHECK(tern__run_take(&client.udp->tx.run, &route, 64) == NULL);
    CHECK(peer_wait(&server, 3 * TERN__UDP_BATCH_PACKETS));
    for (unsigned i = 0; i < server.n; i++) CHECK_EQ(server.sums[i], sum_of(pattern(64, i), 64));
    stop();
}

/* Nor does a run promise more bytes than a datagram has. */
static void run__ends_with_the_datagram(void) {
    start("127.0.0.1:0");
    CHECK_OK();
    if (!coalesces()) SKIP("the kernel does not coalesce");
    enum { LEN = TERN__UDP_MAX_DATAGRAM / 5 };
    for (unsigned i = 0; i < 10; i++) CHECK(put_small(&route, LEN, i));
    peer_flush(&client);
    CHECK_EQ(client.udp->stats.tx_calls, 2);
    CHECK_EQ(n_opened, 2);
    CHECK_EQ(n_in_runs, 2 * 4);
    CHECK(peer_wait(&server, 10));
    for (unsigned i = 0; i < 10; i++) CHECK_EQ(server.sums[i], sum_of(pattern(LEN, i), LEN));
    stop();
}

/* Every length of header and data that is copied without a call, and those around. */
static void run__every_short_length(void) {
    start("127.0.0.1:0");
    CHECK_OK();
    unsigned n = 0;
    for (uint32_t header = 1; header <= 32; header++)
        for (uint32_t len = header; len <= header + 40; len += 3, n++) {
            CHECK(put_small(&route, len, n));
            CHECK(put_small(&route, len, n)); /* the second grows a run */
            peer_flush(&client);
            CHECK(peer_wait(&server, 2 * n + 2));
            for (unsigned i = 2 * n; i < 2 * n + 2; i++) CHECK_EQ(server.sums[i], sum_of(pattern(len, n), len));
        }
    stop();
}

/* Packets made in all ways in turn, some given up. What a run holds ends where the next begins. */
static void run__other_packets_end_it(void) {
    start("127.0.0.1:0");
    CHECK_OK();
    tern__link *link = &client.port->link;
    unsigned n = 0;
    for (unsigned round = 0; round < 40; round++) {
        CHECK(put_small(&route, 64, n++));
        CHECK(put_small(&route, 64, n++));
        if (round % 3 == 0) {
            CHECK(tern__tx_one(link, &route, 64, TERN__TX_MANY) != NULL);
            link->ops->tx_commit(link, 0);
        }
        CHECK(peer_put(&client, &route, pattern(64, n), 64, 64));
        n++;
        if (round % 4 == 1) {
            CHECK(peer_put(&client, &route, pattern(700, n), 700, 10)); /* the rest in place: gone at the flush */
            n++;
            peer_flush(&client);
        }
        CHECK(put_small(&route, round % 5 ? 64 : 40, n++));
        if (round % 7 == 0) peer_flush(&client);
    }
    peer_flush(&client);
    CHECK(peer_wait(&server, n));
    n = 0;
    for (unsigned round = 0; round < 40; round++) {
        for (unsigned i = 0; i < 3; i++) CHECK_EQ(arrivals(&server, 64, n++), 1);
        if (round % 4 == 1) CHECK_EQ(arrivals(&server, 700, n++), 1);
        CHECK_EQ(arrivals(&server, round % 5 ? 64 : 40, n++), 1);
    }
    CHECK_EQ(server.n, n);
    stop();
}

static void run__is_of_one_destination(void) {
    static peer second;
    tern__route to_second;
    start("127.0.0.1:0");
    CHECK_OK();
    CHECK_EQ(peer_init(&second, 0), 0);
    CHECK_EQ(peer_listen(&second, "127.0.0.1:0"), 0);
    CHECK_EQ(client.port->ops->connect(client.port, second.address, &to_second), 0);
    for (unsigned i = 0; i < 24; i++) CHECK(put_small(i / 3 % 2 ? &to_second : &route, 64, i));
    if (coalesces()) CHECK_EQ(client.udp->tx.n_stretches, 8);
    peer_flush(&client);
    CHECK(peer_wait(&server, 12) && peer_wait(&second, 12));
    for (unsigned i = 0; i < 24; i++) CHECK_EQ(arrivals(i / 3 % 2 ? &second : &server, 64, i), 1);
    if (coalesces()) CHECK_EQ(client.udp->stats.tx_gso_sends, 2);
    peer_fini(&second);
    stop();
}

static void run__none_without_coalescing(void) {
    start("127.0.0.1:0");
    CHECK_OK();
    client.udp->socks[0].gso = false;
    for (unsigned i = 0; i < 10; i++) CHECK(put_small(&route, 64, i));
    CHECK_EQ(client.udp->tx.n_stretches, 10);
    peer_flush(&client);
    CHECK(peer_wait(&server, 10));
    CHECK_EQ(server.udp->stats.rx_gro_batches, 0);
    stop();
}

/* ---- The segment size of a socket --------------------------------------------------------------- */

static void segment(const char *address) {
    start(address);
    CHECK_OK();
    if (!coalesces()) SKIP("the kernel does not coalesce");
    tern__udp_sock *sock = &client.udp->socks[0];
    unsigned n = 0;
    for (unsigned i = 0; i < TERN__UDP_ALIKE; i++) {
        CHECK_EQ(sock->segment, 0);
        put_batch(10, 64);
    }
    CHECK_EQ(sock->segment, 64);
    put_batch(10, 64);
    n += 10 * (TERN__UDP_ALIKE + 1);
    CHECK(peer_wait(&server, n));
    CHECK_EQ(server.udp->stats.rx_gro_packets, n);
    /* what is larger is not cut by it, alone or coalesced, in one piece or several */
    CHECK(put_small(&route, 1000, 1));
    peer_flush(&client);
    CHECK(peer_put(&client, &route, pattern(1400, 2), 1400, 100));
    peer_flush(&client);
    put_batch(3, 800);
    /* what is smaller needs no word about it */
    CHECK(put_small(&route, 40, 3));
    peer_flush(&client);
    CHECK(peer_wait(&server, n + 6));
    CHECK_EQ(server.n, n + 6);
    CHECK_EQ(arrivals(&server, 1000, 1), 1);
    CHECK_EQ(arrivals(&server, 1400, 2), 1);
    for (unsigned i = 0; i < 3; i++) CHECK_EQ(arrivals(&server, 800, i), 1);
    CHECK_EQ(arrivals(&server, 40, 3), 1);
    /* another size takes its place in time */
    for (unsigned i = 0; i < TERN__UDP_ALIKE; i++) put_batch(4, 96);
    CHECK_EQ(sock->segment, 96);
    put_batch(5, 64);
    put_batch(5, 96);
    n += 6 + 4 * TERN__UDP_ALIKE + 10;
    CHECK(peer_wait(&server, n));
    CHECK_EQ(server.n, n);
    CHECK_EQ(client.udp->stats.tx_gso_refused, 0);
    CHECK_EQ(client.udp->stats.tx_dropped, 0);
    stop();
}

static void segment__is_learned_ipv4(void) { segment("127.0.0.1:0"); }

static void segment__is_learned_ipv6(void) {
    int fd = socket(AF_INET6, SOCK_DGRAM, 0);
    struct sockaddr_in6 addr = {.sin6_family = AF_INET6, .sin6_addr = in6addr_loopback};
    bool ok = fd >= 0 && bind(fd, (struct sockaddr *)&addr, sizeof addr) == 0;
    if (fd >= 0) close(fd);
    if (!ok) SKIP("no ::1 on this machine");
    segment("[::1]:0");
}

/* Some packets alone say nothing about the size of coalesced ones. */
static void segment__singles_do_not_count(void) {
    start("127.0.0.1:0");
    CHECK_OK();
    for (unsigned i = 0; i < 3 * TERN__UDP_ALIKE; i++) put_batch(1, 64);
    CHECK_EQ(client.udp->socks[0].segment, 0);
    CHECK(peer_wait(&server, 3 * TERN__UDP_ALIKE));
    stop();
}

/* ---- Lumps -------------------------------------------------------------------------------------- */

static int poll_until_some(peer *p) {
    struct pollfd fd = {.fd = p->port->ops->fd(p->port), .events = POLLIN};
    int n = peer_poll(p);
    while (n == 0 && p->port->ops->arm(p->port) && poll(&fd, 1, WAIT_MS) > 0) n = peer_poll(p);
    return n;
}

static void batch__each_is_answered_by_itself(void) {
    start("127.0.0.1:0");
    CHECK_OK();
    if (!coalesces()) SKIP("the kernel does not coalesce");
    for (unsigned i = 0; i < 4; i++) put_batch(30, 64);
    for (unsigned i = 0; i < 4; i++) CHECK_EQ(poll_until_some(&server), 30);
    stop();
}

/* A remainder, where batches are larger of late, waits for what is there behind it. */
static void batch__remainder_joins_the_next(void) {
    start("127.0.0.1:0");
    CHECK_OK();
    if (!coalesces()) SKIP("the kernel does not coalesce");
    put_batch(30, 64);
    put_batch(3, 64);
    put_batch(27, 64);
    put_batch(4, 64);
    CHECK_EQ(poll_until_some(&server), 30);
    CHECK_EQ(poll_until_some(&server), 30);
    CHECK_EQ(poll_until_some(&server), 4);
    /* when small ones are the rule they are not looked behind */
    for (unsigned i = 0; i < 100; i++) {
        put_batch(3, 64);
        CHECK_EQ(poll_until_some(&server), 3);
    }
    put_batch(3, 64);
    put_batch(3, 64);
    CHECK_EQ(poll_until_some(&server), 3);
    CHECK_EQ(poll_until_some(&server), 3);
    stop();
}

TAP_MAIN(TEST(run__equal_small_packets_are_one_piece), TEST(run__ends_with_the_batch),
         TEST(run__ends_with_the_datagram), TEST(run__every_short_length), TEST(run__other_packets_end_it),
         TEST(run__is_of_one_destination), TEST(run__none_without_coalescing), TEST(segment__is_learned_ipv4),
         TEST(segment__is_learned_ipv6), TEST(segment__singles_do_not_count), TEST(batch__each_is_answered_by_itself),
         TEST(batch__remainder_joins_the_next))
