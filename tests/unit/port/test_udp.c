/* The UDP port on loopback: addresses, coalescing, in-place pieces, held buffers. Two ports of one
 * process talk to each other; the counters say which path the packets took. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/udp.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "engine/packet.h"
#include "port/udp_path.h"
#include "tap.h"
#include "udp_peer.h"

static peer server, client;
static tern__route route;

static uint8_t *pattern(uint32_t len, uint32_t seed) {
    static uint8_t bytes[TERN__UDP_MAX_DATAGRAM + 1];
    for (uint32_t i = 0; i < len; i++) bytes[i] = (uint8_t)((i * 31 + seed * 17) >> 2);
    return bytes;
}

static void stop(void) {
    peer_fini(&client);
    peer_fini(&server);
}

static const tern__path *client_path(void) { return tern__link_path(&client.port->link, &route); }

static void start(const char *address) {
    CHECK_EQ(peer_init(&server, 0), 0);
    CHECK_EQ(peer_init(&client, 0), 0);
    CHECK_EQ(peer_listen(&server, address), 0);
    CHECK_EQ(client.port->ops->connect(client.port, server.address, &route), 0);
}

static bool have_ipv6(void) {
    int fd = socket(AF_INET6, SOCK_DGRAM, 0);
    struct sockaddr_in6 addr = {.sin6_family = AF_INET6, .sin6_addr = in6addr_loopback};
    bool ok = fd >= 0 && bind(fd, (struct sockaddr *)&addr, sizeof addr) == 0;
    if (fd >= 0) close(fd);
    return ok;
}

/* Packets in both directions between a client and an echoing server. */
static void ping(const char *address) {
    start(address);
    CHECK_OK();
    server.echo = true;
    for (unsigned i = 1; i <= 20; i++) {
        uint8_t *data = pattern(32 * i, i);
        CHECK(peer_put(&client, &route, data, 32 * i, 24));
        peer_flush(&client);
        CHECK(peer_wait(&server, i));
        CHECK(peer_wait(&client, i));
        CHECK_EQ(client.lens[i - 1], 32 * i);
        CHECK_EQ(client.sums[i - 1], sum_of(data, 32 * i));
        CHECK(tern__route_eq(&client.from, &route));
    }
    stop();
}

static void ping__ipv4(void) {
    ping("127.0.0.1:0");
    CHECK(strncmp(server.address, "127.0.0.1:", 10) == 0);
    CHECK(strcmp(server.address, "127.0.0.1:0") != 0);
    CHECK_EQ(client.udp == NULL, false);
}

static void ping__ipv6(void) {
    if (!have_ipv6()) SKIP("no ::1 on this machine");
    ping("[::1]:0");
    CHECK(strncmp(server.address, "[::1]:", 6) == 0);
}

static void ping__name(void) { ping("localhost:0"); }

/* A server on every address, reached by one that its kernel would not choose for the reply. */
static void wildcard_reached_by(const char *listen, const char *host) {
    CHECK_EQ(peer_init(&server, 0), 0);
    CHECK_EQ(peer_init(&client, 0), 0);
    CHECK_EQ(peer_listen(&server, listen), 0);
    server.echo = true;
    char address[160];
    snprintf(address, sizeof address, "%s%s", host, strrchr(server.address, ':'));
    CHECK_EQ(client.port->ops->connect(client.port, address, &route), 0);
    for (unsigned i = 1; i <= 3; i++) {
        CHECK(peer_put(&client, &route, pattern(100, i), 100, 10));
        CHECK(peer_put(&client, &route, pattern(100, i), 100, 10));
        peer_flush(&client);
        CHECK(peer_wait(&server, 2 * i));
        CHECK(peer_wait(&client, 2 * i));
    }
    CHECK(tern__route_eq(&client.from, &route));
    CHECK_EQ(server.udp->n_locals, 1);
    stop();
}

static void wildcard__replies_from_the_address_asked(void) { wildcard_reached_by("0.0.0.0:0", "127.0.0.2"); }

static void wildcard__dual_stack_serves_ipv4(void) {
    if (!have_ipv6()) SKIP("no ::1 on this machine");
    wildcard_reached_by("[::]:0", "127.0.0.3");
    wildcard_reached_by("*:0", "[::1]");
}

static void wildcard__as_destination_means_loopback(void) { wildcard_reached_by(":0", "0.0.0.0"); }

static void coalesce__equal_packets_are_one_send_and_one_receive(void) {
    start("127.0.0.1:0");
    CHECK_OK();
    if (!client.udp->socks[0].gso) SKIP("the kernel has no UDP_SEGMENT");
    peer_has_had_a_burst(&server);
    peer_has_had_a_burst(&client);
    server.echo = true;
    for (unsigned i = 0; i < 30; i++) CHECK(peer_put(&client, &route, pattern(64, i), 64, 64));
    peer_flush(&client);
    CHECK_EQ(client.udp->tx.iovs[0].iov_len, 30 * 64); /* packed in staging: one piece */
    CHECK(peer_wait(&server, 30));
    CHECK(peer_wait(&client, 30));
    for (unsigned i = 0; i < 30; i++) CHECK_EQ(client.sums[i], sum_of(pattern(64, i), 64));
    const tern__udp_stats *c = &client.udp->stats, *s = &server.udp->stats;
    CHECK_EQ(c->tx_calls, 1);
    CHECK_EQ(c->tx_gso_sends, 1);
    CHECK_EQ(c->tx_gso_packets, 30);
    CHECK_EQ(s->rx_gro_packets, 30);
    CHECK_EQ(s->rx_gro_batches, 1);
    CHECK_EQ(s->tx_calls, 1);
    CHECK_EQ(c->rx_gro_packets, 30);
    stop();
}

static void coalesce__long_groups_leave_when_full(void) {
    start("127.0.0.1:0");
    CHECK_OK();
    if (!client.udp->socks[0].gso) SKIP("the kernel has no UDP_SEGMENT");
    for (unsigned i = 0; i < 60; i++) CHECK(peer_put(&client, &route, pattern(64, i), 64, 64));
    CHECK_EQ(client.udp->stats.tx_gso_packets, TERN__UDP_BATCH_PACKETS);
    peer_flush(&client);
    CHECK_EQ(client.udp->stats.tx_calls, 2);
    for (unsigned i = 0; i < 4; i++) CHECK(peer_put(&client, &route, pattern(16240, i), 16240, 16240));
    CHECK_EQ(client.udp->stats.tx_calls, 3); /* full by bytes */
    CHECK(peer_wait(&server, 64));
    for (unsigned i = 60; i < 64; i++) CHECK_EQ(server.sums[i], sum_of(pattern(16240, i - 60), 16240));
    stop();
}

/* How often UDP_GRO went off: never, or packets that are just being queued come as one. */
static unsigned n_gro_off;

int setsockopt(int fd, int level, int name, const void *value, socklen_t len) {
    if (level == SOL_UDP && name == UDP_GRO && !*(const int *)value) n_gro_off++;
    return (int)syscall(SYS_setsockopt, fd, level, name, value, len);
}

static void idle(peer *p, unsigned polls) {
    for (unsigned i = 0; i < polls; i++) CHECK_EQ(peer_poll(p), 0);
}

/* Whether a socket, perhaps a sibling, has UDP_GRO. */
static bool some_coalesce(const peer *p) {
    for (unsigned i = 0; i < TERN__COUNT(p->udp->socks); i++)
        if (p->udp->socks[i].fd >= 0 && p->udp->socks[i].gro && !p->udp->socks[i].uses_recv) return true;
    return false;
}

static void adapts(const char *address) {
    start(address);
    CHECK_OK();
    if (!server.udp->socks[0].can_gro) SKIP("the kernel has no UDP_GRO");
    CHECK(server.udp->socks[0].uses_recv && !server.udp->socks[0].gro);
    server.echo = true;
    for (unsigned i = 1; i <= 5; i++) {
        CHECK(peer_put(&client, &route, pattern(32 * i, i), 32 * i, 10));
        peer_flush(&client);
        CHECK(peer_wait(&server, i) && peer_wait(&client, i));
        CHECK_EQ(client.sums[i - 1], sum_of(pattern(32 * i, i), 32 * i));
        CHECK(tern__route_eq(&client.from, &route));
    }
    CHECK(server.udp->socks[0].uses_recv);
    /* bursts turn UDP_GRO on, and no packet is lost or merged over it */
    unsigned n = 5;
    for (unsigned round = 0; round < 6; round++) {
        for (unsigned i = 0; i < 30; i++, n++) CHECK(peer_put(&client, &route, pattern(50, i), 50, 50));
        peer_flush(&client);
        CHECK(peer_wait(&server, n) && peer_wait(&client, n));
    }
    for (unsigned i = 5; i < n; i++) CHECK_EQ(client.sums[i], sum_of(pattern(50, (i - 5) % 30), 50));
    CHECK(server.udp->stats.rx_gro_packets > 0 && client.udp->stats.rx_gro_packets > 0);
    CHECK(some_coalesce(&server));
    idle(&server, 20000);
    CHECK_EQ(n_gro_off, 0);
    stop();
}

static void receive__adapts_ipv4(void) { adapts("127.0.0.1:0"); }

static void receive__adapts_ipv6(void) {
    if (!have_ipv6()) SKIP("no ::1 on this machine");
    adapts("[::1]:0");
}

/* How often a packet of this length and seed has arrived. */
static unsigned arrivals(const peer *p, uint32_t len, uint32_t seed) {
    unsigned n = 0;
    for (unsigned i = 0; i < p->n; i++) n += p->lens[i] == len && p->sums[i] == sum_of(pattern(len, seed), len);
    return n;
}

static void coalesce__by_size_with_a_shorter_one_last(void) {
    start("127.0.0.1:0");
    CHECK_OK();
    if (!client.udp->socks[0].gso) SKIP("the kernel has no UDP_SEGMENT");
    static const uint32_t lens[] = {800, 300, 800, 300, 100, 300, 900, 5};
    for (unsigned i = 0; i < TERN__COUNT(lens); i++)
        CHECK(peer_put(&client, &route, pattern(lens[i], i), lens[i], lens[i]));
    peer_flush(&client);
    CHECK(peer_wait(&server, TERN__COUNT(lens)));
    for (unsigned i = 0; i < TERN__COUNT(lens); i++) CHECK_EQ(arrivals(&server, lens[i], i), 1);
    /* 800 800 100 | 300 300 300 5 | 900, by one call */
    CHECK_EQ(client.udp->stats.tx_calls, 1);
    CHECK_EQ(client.udp->stats.tx_gso_sends, 2);
    CHECK_EQ(client.udp->stats.tx_gso_packets, 7);
    stop();
}

/* Two destinations in turn: each has its group. */
static void coalesce__by_destination(void) {
    static peer second;
    tern__route to_second;
    start("127.0.0.1:0");
    CHECK_OK();
    if (!client.udp->socks[0].gso) SKIP("the kernel has no UDP_SEGMENT");
    CHECK_EQ(peer_init(&second, 0), 0);
    CHECK_EQ(peer_listen(&second, "127.0.0.1:0"), 0);
    CHECK_EQ(client.port->ops->connect(client.port, second.address, &to_second), 0);
    for (unsigned i = 0; i < 20; i++) CHECK(peer_put(&client, i % 2 ? &to_second : &route, pattern(90, i), 90, 50));
    peer_flush(&client);
    CHECK(peer_wait(&server, 10) && peer_wait(&second, 10));
    for (unsigned i = 0; i < 20; i++) CHECK_EQ(arrivals(i % 2 ? &second : &server, 90, i), 1);
    CHECK_EQ(client.udp->stats.tx_gso_sends, 2);
    peer_fini(&second);
    stop();
}

static void tx_abort__of_many_routes_leaves_no_trace(void) {
    start("127.0.0.1:0");
    CHECK_OK();
    tern__link *link = &client.port->link;
    CHECK_EQ(client.port->ops->connect(client.port, "127.0.0.1:9", &route), 0); /* the shared socket */
    for (unsigned i = 0; i < 1000; i++) {
        tern__route other = route;
        other.bytes[2] = (uint8_t)(128 + i / 256);
        other.bytes[3] = (uint8_t)i;
        CHECK(tern__tx_one(link, &other, 100, TERN__TX_MANY) != NULL);
        link->ops->tx_commit(link, 0);
    }
    peer_flush(&client);
    CHECK_EQ(client.udp->stats.tx_calls, 0);
    stop();
}

static void coalesce__off_sends_each_by_itself(void) {
    start("127.0.0.1:0");
    CHECK_OK();
    client.udp->socks[0].gso = false;
    for (unsigned i = 0; i < 30; i++) CHECK(peer_put(&client, &route, pattern(64, i), 64, 64));
    peer_flush(&client);
    CHECK(peer_wait(&server, 30));
    CHECK_EQ(client.udp->stats.tx_gso_sends, 0);
    CHECK_EQ(client.udp->stats.tx_calls, 1);
    CHECK_EQ(server.udp->stats.rx_gro_batches, 0);
    stop();
}

static void send__mixed_sizes_arrive_whole(void) {
    start("127.0.0.1:0");
    CHECK_OK();
    uint32_t state = 12345;
    unsigned sent = 0;
    uint64_t all = 0, arrived = 0; /* sums over all packets: they may overtake each other */
    for (unsigned round = 0; round < 40; round++) {
        for (unsigned i = 0; i < 30; i++, sent++) {
            state = state * 1664525 + 1013904223;
            uint32_t len = state >> 24 < 200 ? 1 + (state >> 8) % 300 : 1 + (state >> 8) % client_path()->max_packet;
            static uint8_t kept[30][TERN__UDP_LOOPBACK_PAYLOAD];
            memcpy(kept[i], pattern(len, sent), len);
            uint32_t inline_bytes = (state >> 3) % (len + 1);
            CHECK(peer_put(&client, &route, kept[i], len, inline_bytes));
            all += sum_of(kept[i], len);
        }
        peer_flush(&client);
        CHECK(peer_wait(&server, sent));
    }
    for (unsigned i = 0; i < sent; i++) arrived += server.sums[i];
    CHECK(arrived == all);
    CHECK_EQ(client.udp->stats.tx_dropped, 0);
    CHECK_EQ(server.udp->stats.rx_packets, sent);
    stop();
}

static void send__full_batch_flushes_itself(void) {
    start("127.0.0.1:0");
    CHECK_OK();
    for (unsigned i = 0; i < 600; i++) CHECK(peer_put(&client, &route, pattern(100 + i % 7, i), 100 + i % 7, 50));
    peer_flush(&client);
    CHECK(peer_wait(&server, 600));
    CHECK(client.udp->stats.tx_calls > 1);
    stop();
}

static void post__long_pieces_stay_where_they_are(void) {
    start("127.0.0.1:0");
    CHECK_OK();
    uint8_t *value = tern_alloc(5000);
    CHECK(value != NULL);
    memcpy(value, pattern(5000, 3), 5000);
    tern__link *link = &client.port->link;
    uint8_t *head = tern__tx_one(link, &route, 40, TERN__TX_MANY);
    CHECK(head != NULL);
    memset(head, 7, 40);
    CHECK_EQ(link->ops->tx_add(link, 0, value, 5000), 0);
    CHECK_EQ(link->ops->tx_add(link, 0, value + 100, 3000), 0);
    CHECK_EQ(link->ops->tx_add(link, 0, value, 16), 0); /* short: copied */
    CHECK_EQ(link->ops->tx_add(link, 0, value, 0), 0);
    link->ops->tx_commit(link, 1);
    const tern__udp_tx *tx = &client.udp->tx;
    CHECK_EQ(tx->n_iovs, 4);
    CHECK(tx->iovs[1].iov_base == value);
    CHECK(tx->iovs[2].iov_base == value + 100);
    CHECK_EQ(tx->staging_used, 40 + 16); /* all that was copied */
    peer_flush(&client);
    CHECK_EQ(tern_refcount(value), 1);
    CHECK(peer_wait(&server, 1));
    CHECK_EQ(server.lens[0], 40 + 5000 + 3000 + 16);
    tern_unref(value);
    stop();
}

static void post__limit_and_abort(void) {
    start("127.0.0.1:0");
    CHECK_OK();
    static uint8_t bytes[600];
    tern__link *link = &client.port->link;
    CHECK(tern__tx_one(link, &route, 10, TERN__TX_MANY) != NULL);
    for (uint32_t i = 0; i < link->max_posts; i++) CHECK_EQ(link->ops->tx_add(link, 0, bytes, 1 + i % 500), 0);
    CHECK_EQ(link->ops->tx_add(link, 0, bytes, 1), TERN_ERR_LIMIT);
    link->ops->tx_commit(link, 0);
    CHECK_EQ(client.udp->tx.n_iovs, 0);
    CHECK_EQ(client.udp->tx.staging_used, 0);
    CHECK(peer_put(&client, &route, pattern(50, 1), 50, 20));
    peer_flush(&client);
    CHECK(peer_wait(&server, 1));
    CHECK_EQ(server.lens[0], 50);
    stop();
}

static void send__oversize_is_dropped(void) {
    start("127.0.0.1:0");
    CHECK_OK();
    CHECK(peer_put(&client, &route, pattern(TERN__UDP_MAX_DATAGRAM + 1, 0), TERN__UDP_MAX_DATAGRAM + 1, 24));
    CHECK_EQ(client.udp->stats.tx_dropped, 1);
    CHECK(tern__tx_one(&client.port->link, &route, client.port->link.max_inline + 1, TERN__TX_MANY) == NULL);
    CHECK(peer_put(&client, &route, pattern(TERN__UDP_MAX_DATAGRAM, 0), TERN__UDP_MAX_DATAGRAM, 24));
    peer_flush(&client);
    CHECK(peer_wait(&server, 1));
    CHECK_EQ(server.lens[0], TERN__UDP_MAX_DATAGRAM);
    static uint8_t large[3][30000];
    for (unsigned i = 0; i < 3; i++) CHECK(peer_put(&client, &route, large[i], sizeof large[i], 24));
    peer_flush(&client);
    CHECK(peer_wait(&server, 4));
    CHECK_EQ(client.udp->stats.tx_gso_refused, 0); /* never more than a datagram in one send */
    CHECK_EQ(client.udp->stats.tx_dropped, 1);
    stop();
}

static void receive__held_packets_survive(void) {
    start("127.0.0.1:0");
    CHECK_OK();
    server.hold = true;
    for (unsigned i = 0; i < 300; i++) {
        CHECK(peer_put(&client, &route, pattern(2000, i), 2000, 24));
        peer_flush(&client);
        CHECK(peer_wait(&server, i + 1));
    }
    server.hold = false;
    for (unsigned i = 300; i < 400; i++) {
        CHECK(peer_put(&client, &route, pattern(9000, i), 9000, 24));
        peer_flush(&client);
        CHECK(peer_wait(&server, i + 1));
    }
    for (unsigned i = 0; i < 300; i++) CHECK_MEM(server.heads[i], pattern(2000, i), 2000);
    /* held packets lie side by side: 300 of 2 KB, at 192 KB of each buffer, and not 300 buffers */
    CHECK(server.udp->stats.rx_buffers >= 4 && server.udp->stats.rx_buffers <= 6);
    for (unsigned i = 0; i < 300; i++) tern_unref(server.heads[i]);
    stop();
}

static void receive__unheld_packets_reuse_one_buffer(void) {
    tern_mem_stats before, after;
    tern_mem_get_stats(&before);
    start("127.0.0.1:0");
    CHECK_OK();
    for (unsigned i = 0; i < 100; i++) {
        CHECK(peer_put(&client, &route, pattern(9000, i), 9000, 24));
        peer_flush(&client);
        CHECK(peer_wait(&server, i + 1));
        CHECK(server.heads[i] == server.heads[0]);
    }
    CHECK_EQ(server.udp->stats.rx_buffers, 1);
    stop();
    tern_mem_get_stats(&after);
    CHECK_EQ(after.live_buffers, before.live_buffers);
}

static void receive__empty_and_largest_datagrams(void) {
    start("127.0.0.1:0");
    CHECK_OK();
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    to.sin_port = htons((uint16_t)atoi(strrchr(server.address, ':') + 1));
    static uint8_t bytes[65507];
    CHECK_EQ(sendto(fd, bytes, 0, 0, (struct sockaddr *)&to, sizeof to), 0);
    CHECK_EQ(sendto(fd, bytes, sizeof bytes, 0, (struct sockaddr *)&to, sizeof to), sizeof bytes);
    CHECK(peer_wait(&server, 1));
    CHECK_EQ(server.lens[0], 65507);
    CHECK_EQ(server.udp->stats.rx_dropped, 1);
    close(fd);
    stop();
}

static void receive__idle_poll_is_one_call(void) {
    start("127.0.0.1:0");
    CHECK_OK();
    CHECK_EQ(peer_poll(&server), 0);
    CHECK_EQ(server.udp->stats.rx_calls, 1);
    /* a ping-pong too pays one call per poll */
    server.echo = true;
    for (unsigned i = 1; i <= 10; i++) {
        CHECK(peer_put(&client, &route, pattern(32, i), 32, 32));
        peer_flush(&client);
        uint64_t calls = server.udp->stats.rx_calls;
        CHECK_EQ(peer_poll(&server), 1);
        CHECK_EQ(server.udp->stats.rx_calls, calls + 1);
        CHECK(peer_wait(&client, i));
        CHECK_EQ(peer_poll(&server), 0);
    }
    CHECK_EQ(server.udp->stats.tx_calls, 10);
    stop();
}

static void receive__budget_is_kept(void) {
    start("127.0.0.1:0");
    CHECK_OK();
    client.udp->socks[0].gso = false;
    for (unsigned i = 0; i < 100; i++) CHECK(peer_put(&client, &route, pattern(64, i), 64, 64));
    peer_flush(&client);
    unsigned polls = 0;
    while (server.n < 100) {
        int got = server.port->ops->poll(server.port, 8, peer_on_packets, &server);
        CHECK(got >= 0 && got <= 8);
        CHECK(++polls < 1000);
    }
    stop();
}

static void fd__wakes_when_packets_wait(void) {
    start("127.0.0.1:0");
    CHECK_OK();
    struct pollfd fd = {.fd = server.port->ops->fd(server.port), .events = POLLIN};
    CHECK(server.port->ops->arm(server.port));
    CHECK_EQ(poll(&fd, 1, 0), 0);
    CHECK(peer_put(&client, &route, pattern(64, 1), 64, 64));
    peer_flush(&client);
    CHECK_EQ(poll(&fd, 1, WAIT_MS), 1);
    CHECK(peer_wait(&server, 1));
    CHECK_EQ(poll(&fd, 1, 0), 0);
    stop();
}

/* Who spins pays nothing for being woken; who sleeps after that is woken all the same, also by what came before. */
static void fd__is_not_told_while_awake(void) {
    start("127.0.0.1:0");
    CHECK_OK();
    struct pollfd fd = {.fd = server.port->ops->fd(server.port), .events = POLLIN};
    CHECK_EQ(server.udp->stats.watched, 0);
    for (unsigned round = 1; round <= 3; round++) {
        CHECK(peer_put(&client, &route, pattern(64, 1), 64, 64));
        peer_flush(&client);
        CHECK_EQ(poll(&fd, 1, 0), 0);
        CHECK(server.port->ops->arm(server.port));
        CHECK(server.port->ops->arm(server.port));
        CHECK_EQ(server.udp->stats.watched, round);
        CHECK_EQ(poll(&fd, 1, WAIT_MS), 1);
        for (unsigned i = 0; i < TERN__UDP_AWAKE_POLLS / 2; i++) peer_poll(&server);
        CHECK_EQ(server.udp->stats.unwatched, round - 1);
        CHECK(server.port->ops->arm(server.port)); /* slept a little */
        for (unsigned i = 0; i < TERN__UDP_AWAKE_POLLS - 1; i++) peer_poll(&server);
        CHECK_EQ(server.udp->stats.unwatched, round - 1);
        for (unsigned i = 0; i < TERN__UDP_RARELY; i++) peer_poll(&server);
        CHECK_EQ(server.udp->stats.unwatched, round);
    }
    stop();
}

/* A socket opened while the others are watched is, too. */
static void fd__wakes_for_a_new_socket(void) {
    start("127.0.0.1:0");
    CHECK_OK();
    struct pollfd fd = {.fd = client.port->ops->fd(client.port), .events = POLLIN};
    CHECK(client.port->ops->arm(client.port));
    char address[64];
    tern__route to_client;
    CHECK_EQ(client.port->ops->listen(client.port, "127.0.0.1:0", address, sizeof address), 0);
    CHECK_EQ(server.port->ops->connect(server.port, address + strlen("udp://"), &to_client), 0);
    CHECK(peer_put(&server, &to_client, pattern(64, 1), 64, 64));
    peer_flush(&server);
    CHECK_EQ(poll(&fd, 1, WAIT_MS), 1);
    stop();
}

static void connect__second_peer_shares_a_socket(void) {
    static peer second, third;
    start("127.0.0.1:0");
    CHECK_OK();
    CHECK_EQ(peer_init(&second, 0), 0);
    CHECK_EQ(peer_init(&third, 0), 0);
    CHECK_EQ(peer_listen(&second, "127.0.0.1:0"), 0);
    CHECK_EQ(peer_listen(&third, "127.0.0.1:0"), 0);
    tern__route again, to_second, to_third;
    CHECK_EQ(client.port->ops->connect(client.port, server.address, &again), 0);
    CHECK(tern__route_eq(&again, &route));
    CHECK_EQ(client.port->ops->connect(client.port, second.address, &to_second), 0);
    CHECK_EQ(client.port->ops->connect(client.port, third.address, &to_third), 0);
    CHECK_EQ(client.udp->n_socks, 2);
    CHECK(client.udp->socks[0].connected && !client.udp->socks[1].connected);
    server.echo = second.echo = third.echo = true;
    const tern__route *routes[] = {&route, &to_second, &to_third};
    for (unsigned i = 0; i < 30; i++) CHECK(peer_put(&client, routes[i % 3], pattern(70, i), 70, 30));
    peer_flush(&client);
    CHECK(peer_wait(&server, 10) && peer_wait(&second, 10) && peer_wait(&third, 10));
    CHECK(peer_wait(&client, 30));

    /* the last user of a socket closes it; a route through it is then dead */
    client.port->ops->disconnect(client.port, &again);
    CHECK(peer_put(&client, &route, pattern(70, 1), 70, 30));
    client.port->ops->disconnect(client.port, &route);
    CHECK(peer_wait(&server, 11)); /* what was ended has left all the same */
    CHECK(!peer_put(&client, &route, pattern(70, 1), 70, 30));
    client.port->ops->disconnect(client.port, &route);
    CHECK_EQ(client.port->ops->connect(client.port, third.address, &to_third), 0);
    CHECK(!peer_put(&client, &route, pattern(70, 1), 70, 30)); /* its number names another peer now */
    peer_fini(&second);
    peer_fini(&third);
    stop();
}

static void listen__bad_addresses(void) {
    static const char *const bad[] = {"",         "127.0.0.1",       "127.0.0.1:", "127.0.0.1:70000", "127.0.0.1:7x",
                                      "::1:7000", "[::1]",           "[]:7000",    "[::1:7000",       "127.0.0.1:-1",
                                      "a..b:7",   "127.0.0.1:000000"};
    char url[128], host[400];
    CHECK_EQ(peer_init(&server, 0), 0);
    for (unsigned i = 0; i < TERN__COUNT(bad); i++) {
        CHECK_EQ(server.port->ops->listen(server.port, bad[i], url, sizeof url), TERN_ERR_ADDRESS);
        CHECK_EQ(server.port->ops->connect(server.port, bad[i], &route), TERN_ERR_ADDRESS);
    }
    memset(host, 'a', sizeof host);
    memcpy(host + sizeof host - 4, ":70", 4);
    CHECK_EQ(server.port->ops->listen(server.port, host, url, sizeof url), TERN_ERR_ADDRESS);
    CHECK_EQ(server.port->ops->connect(server.port, "127.0.0.1:0", &route), TERN_ERR_ADDRESS);
    CHECK_EQ(server.port->ops->connect(server.port, ":7000", &route), TERN_ERR_ADDRESS);
    CHECK_EQ(server.port->ops->listen(server.port, "192.0.2.77:0", url, sizeof url), TERN_ERR_ADDRESS);
    CHECK_EQ(server.port->ops->listen(server.port, "127.0.0.1:0", url, 10), TERN_ERR_LIMIT);
    CHECK_EQ(server.udp->n_socks > 1, false);
    peer_fini(&server);
}

static void listen__port_taken(void) {
    start("127.0.0.1:0");
    CHECK_OK();
    CHECK_EQ(peer_listen(&client, server.address), TERN_ERR_EXISTS);
    stop();
}

static void listen__bounded_number_of_sockets(void) {
    CHECK_EQ(peer_init(&server, 0), 0);
    for (unsigned i = 0; i < TERN__UDP_MAX_SOCKS; i++) CHECK_EQ(peer_listen(&server, "127.0.0.1:0"), 0);
    CHECK_EQ(peer_listen(&server, "127.0.0.1:0"), TERN_ERR_LIMIT);
    peer_fini(&server);
}

static void tx_begin__foreign_routes_are_refused(void) {
    start("127.0.0.1:0");
    CHECK_OK();
    tern__link *link = &client.port->link;
    tern__route zero = {0}, other = route;
    CHECK(tern__tx_one(link, &zero, 10, TERN__TX_MANY) == NULL);
    other.bytes[3] ^= 1; /* another port than the socket is connected to */
    CHECK(tern__tx_one(link, &other, 10, TERN__TX_MANY) == NULL);
    other = route;
    other.bytes[tern__udp_route_tail(&other)] = TERN__UDP_MAX_SOCKS; /* no such socket */
    CHECK(tern__tx_one(link, &other, 10, TERN__TX_MANY) == NULL);
    stop();
}

static void payload__a_small_buffer_makes_small_packets(void) {
    static const struct {
        uint32_t buffer_bytes, longest, packet, holds;
    } rows[] = {{16 << 20, TERN__UDP_LOOPBACK_PAYLOAD, TERN__UDP_LOOPBACK_PAYLOAD, 169},
                {425984, TERN__UDP_LOOPBACK_PAYLOAD, 16824, 16},
                {425984, 9000, 9000, 16},
                {425984, 1472, 1472, 80},
                {425984, 512, 512, 156},
                {8192, TERN__UDP_LOOPBACK_PAYLOAD, 1472, 1},
                {2304, 512, 512, 1},
                {0, TERN__UDP_LOOPBACK_PAYLOAD, 1472, 1}};
    for (size_t i = 0; i < TERN__COUNT(rows); i++) {
        CHECK_EQ(tern__udp_buffer_packet(rows[i].buffer_bytes, rows[i].longest), rows[i].packet);
        CHECK_EQ(tern__udp_buffer_holds(rows[i].buffer_bytes, rows[i].packet), rows[i].holds);
    }
}

/* Asked of the kernel, with one packet unread all the time, so that what is read is not given back at once. */
static void holds(int buffer_bytes, uint32_t packet) {
    struct sockaddr_in addr = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof addr, int_len = sizeof buffer_bytes;
    int to = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0), from = socket(AF_INET, SOCK_DGRAM, 0), large = 1 << 20;
    CHECK_EQ(setsockopt(to, SOL_SOCKET, SO_RCVBUF, &buffer_bytes, sizeof buffer_bytes), 0);
    CHECK_EQ(getsockopt(to, SOL_SOCKET, SO_RCVBUF, &buffer_bytes, &int_len), 0);
    CHECK_EQ(setsockopt(from, SOL_SOCKET, SO_SNDBUF, &large, sizeof large), 0);
    CHECK_EQ(bind(to, (struct sockaddr *)&addr, len), 0);
    CHECK_EQ(getsockname(to, (struct sockaddr *)&addr, &len), 0);
    CHECK_EQ(connect(from, (struct sockaddr *)&addr, len), 0);
    uint32_t n = tern__udp_buffer_holds((uint32_t)buffer_bytes, packet), n_unread = 0;
    for (int round = 0; round < 4; round++) {
        for (; n_unread < n; n_unread++) CHECK_EQ(send(from, pattern(packet, 1), packet, 0), packet);
        for (; n_unread > 1; n_unread--) CHECK_EQ(recv(to, pattern(packet, 1), packet, 0), packet);
    }
    close(to);
    close(from);
}

static void payload__buffers_hold_what_is_said(void) {
    static const uint32_t packets[] = {32,    512,   1472,  4096,  9000,
                                       16384, 16385, 16824, 40000, TERN__UDP_LOOPBACK_PAYLOAD};
    for (int buffer_bytes = 8 << 10; buffer_bytes <= 128 << 10; buffer_bytes *= 4)
        for (size_t i = 0; i < TERN__COUNT(packets); i++) holds(buffer_bytes, packets[i]);
}

static void payload__by_path_and_by_config(void) {
    start("127.0.0.1:0");
    CHECK_OK();
    uint32_t longest = tern__udp_buffer_packet(server.udp->buffer_bytes, TERN__UDP_LOOPBACK_PAYLOAD);
    const tern__path *path = client_path();
    CHECK_EQ(path->max_packet, longest);
    CHECK_EQ((longest - TERN__PKT_MAX_HEADER_BYTES) % 64, 0); /* or copies of long messages are not aligned */
    CHECK_EQ(path->rx_packets, tern__udp_buffer_holds(server.udp->buffer_bytes, longest));
    CHECK(client.port->link.max_inline >= path->max_packet);
    CHECK(client.port->link.max_posts >= path->max_posts);
    CHECK(path->max_posts >= 2 + path->max_packet / 512);
    CHECK(client_path() == path);
    CHECK(strstr(server.log, "socket buffers") != NULL);
    stop();
    CHECK_EQ(peer_init(&server, 100), TERN_ERR_INVALID);
    CHECK_EQ(peer_init(&server, 65001), TERN_ERR_INVALID);
    CHECK_EQ(peer_init(&server, 40000), 0);
    CHECK_EQ(peer_listen(&server, "127.0.0.1:0"), 0);
    CHECK_EQ(server.port->link.path->max_packet, 40000);
    CHECK(server.port->link.max_inline >= 40000);
    peer_fini(&server);
}

TAP_MAIN(TEST(ping__ipv4), TEST(ping__ipv6), TEST(ping__name), TEST(wildcard__replies_from_the_address_asked),
         TEST(wildcard__dual_stack_serves_ipv4), TEST(wildcard__as_destination_means_loopback),
         TEST(coalesce__equal_packets_are_one_send_and_one_receive), TEST(coalesce__by_size_with_a_shorter_one_last),
         TEST(coalesce__by_destination), TEST(tx_abort__of_many_routes_leaves_no_trace),
         TEST(coalesce__long_groups_leave_when_full), TEST(receive__adapts_ipv4), TEST(receive__adapts_ipv6),
         TEST(coalesce__off_sends_each_by_itself), TEST(send__mixed_sizes_arrive_whole),
         TEST(send__full_batch_flushes_itself), TEST(post__long_pieces_stay_where_they_are),
         TEST(post__limit_and_abort), TEST(send__oversize_is_dropped), TEST(receive__held_packets_survive),
         TEST(receive__unheld_packets_reuse_one_buffer), TEST(receive__empty_and_largest_datagrams),
         TEST(receive__idle_poll_is_one_call), TEST(receive__budget_is_kept), TEST(fd__wakes_when_packets_wait),
         TEST(fd__is_not_told_while_awake), TEST(fd__wakes_for_a_new_socket),
         TEST(connect__second_peer_shares_a_socket), TEST(listen__bad_addresses), TEST(listen__port_taken),
         TEST(listen__bounded_number_of_sockets), TEST(tx_begin__foreign_routes_are_refused),
         TEST(payload__a_small_buffer_makes_small_packets), TEST(payload__buffers_hold_what_is_said),
         TEST(payload__by_path_and_by_config))
