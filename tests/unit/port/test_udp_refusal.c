/* Peers of the UDP port that are not there, as the kernel tells by connected sockets and by shared ones. Two or three
 * ports of one process on loopback, where the answer to a packet is there when the send returns. */
#include <arpa/inet.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "port/udp_refusal.h"
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

/* ---- By a connected socket ----------------------------------------------------------------------- */

static void connect__closed_port_is_reported_after_three_refusals(void) {
    start("127.0.0.1:0");
    CHECK_OK();
    server.port->ops->free(server.port);
    server.port = NULL;
    for (unsigned i = 0; i < TERN__UDP_REFUSALS; i++) {
        CHECK_EQ(client.n_lost, 0);
        CHECK(peer_put(&client, &route, pattern(40, i), 40, 40));
        peer_flush(&client);
        CHECK_EQ(peer_poll(&client), 0);
    }
    CHECK_EQ(client.udp->stats.refused, TERN__UDP_REFUSALS);
    CHECK_EQ(client.n_lost, 0); /* they came too quickly one after the other: the peer could not have answered yet */
    client.udp->socks[0].refused_at -= TERN__UDP_REFUSED_FOR;
    for (unsigned i = 0; i < TERN__UDP_RARELY; i++) CHECK_EQ(peer_poll(&client), 0);
    CHECK_EQ(client.n_lost, 1);
    for (unsigned i = 0; i < TERN__UDP_RARELY; i++) CHECK_EQ(peer_poll(&client), 0);
    CHECK_EQ(client.n_lost, 1);
    stop();
}

/* What answers nothing that was sent since the last one is not believed, however often. */
static void connect__refusals_out_of_nothing_do_not_count(void) {
    start("127.0.0.1:0");
    CHECK_OK();
    tern__udp_sock *sock = &client.udp->socks[0];
    CHECK(peer_put(&client, &route, pattern(40, 1), 40, 40));
    peer_flush(&client);
    for (unsigned i = 0; i < 100; i++) tern__udp_note_refusal(client.udp, sock);
    CHECK_EQ(sock->refusals, 1);
    CHECK_EQ(client.udp->stats.refused, 100);
    sock->refused_at -= TERN__UDP_REFUSED_FOR;
    CHECK_EQ(peer_poll(&client), 0);
    CHECK_EQ(client.n_lost, 0);
    stop();
}

static void connect__a_packet_clears_refusals(void) {
    start("127.0.0.1:0");
    CHECK_OK();
    server.echo = true;
    client.udp->socks[0].refusals = TERN__UDP_REFUSALS - 1;
    CHECK(peer_put(&client, &route, pattern(40, 1), 40, 40));
    peer_flush(&client);
    CHECK(peer_wait(&server, 1) && peer_wait(&client, 1));
    CHECK_EQ(client.udp->socks[0].refusals, 0);
    CHECK_EQ(client.n_lost, 0);
    stop();
}

static void send__refusal_does_not_cost_the_next_packet(void) {
    start("127.0.0.1:0");
    CHECK_OK();
    server.port->ops->free(server.port);
    CHECK(peer_put(&client, &route, pattern(40, 1), 40, 40));
    peer_flush(&client); /* answered by an ICMP error that the next send is told of */
    CHECK_EQ(peer_init(&server, 0), 0);
    CHECK_EQ(peer_listen(&server, "127.0.0.1:0"), 0);
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    to.sin_port = htons((uint16_t)atoi(strrchr(server.address, ':') + 1));
    /* the same socket to the new server, its pending error still there */
    struct sockaddr_in *peer_addr = (struct sockaddr_in *)(void *)client.udp->socks[0].peer.bytes;
    CHECK_EQ(connect(client.udp->socks[0].fd, (struct sockaddr *)&to, sizeof to), 0);
    peer_addr->sin_port = to.sin_port;
    route = client.udp->socks[0].peer;
    for (unsigned i = 0; i < 3; i++) CHECK(peer_put(&client, &route, pattern(40 + i, 1), 40 + i, 20));
    peer_flush(&client);
    CHECK(peer_wait(&server, 3));
    CHECK_EQ(client.udp->stats.refused, 1);
    stop();
}

/* ---- By a shared socket -------------------------------------------------------------------------- */

static peer second;
static tern__route to_second;

/* The client is connected to the server first, and to `second` by a socket for any number of peers. */
static void start_shared(const char *address) {
    start(address);
    CHECK_OK();
    CHECK_EQ(peer_init(&second, 0), 0);
    CHECK_EQ(peer_listen(&second, address), 0);
    CHECK_EQ(client.port->ops->connect(client.port, second.address, &to_second), 0);
    CHECK(client.udp->socks[tern__udp_route_sock(&to_second)].queues_errors);
}

static void stop_shared(void) {
    peer_fini(&second);
    stop();
}

static void put_to_second(unsigned seed) {
    CHECK(peer_put(&client, &to_second, pattern(40, seed), 40, 40));
    peer_flush(&client);
}

static void poll_rarely(void) {
    for (unsigned i = 0; i < TERN__UDP_RARELY; i++) CHECK_EQ(peer_poll(&client), 0);
}

static void shared_closed_port_is_reported(const char *address) {
    start_shared(address);
    CHECK_OK();
    peer_fini(&second);
    for (unsigned i = 0; i < 1 + TERN__UDP_REFUSALS; i++) {
        put_to_second(i);
        poll_rarely();
        CHECK_OK();
        CHECK_EQ(client.udp->n_suspects, 1);
        CHECK_EQ(client.udp->suspects[0].refusals, i);
        CHECK_EQ(client.n_lost, 0);
    }
    client.udp->suspects[0].refused_at -= TERN__UDP_REFUSED_FOR;
    poll_rarely();
    CHECK_OK();
    CHECK_EQ(client.n_lost, 1);
    CHECK(tern__route_eq(&client.lost, &to_second));
    CHECK_EQ(client.udp->n_suspects, 0);
    poll_rarely();
    CHECK_EQ(client.n_lost, 1);
    CHECK_EQ(client.udp->stats.tx_dropped, 0);
    stop_shared();
}

static void shared__closed_port_is_reported(void) { shared_closed_port_is_reported("127.0.0.1:0"); }

static void shared__closed_port_is_reported_ipv6(void) {
    if (!have_ipv6()) SKIP("no IPv6 here");
    shared_closed_port_is_reported("[::1]:0");
}

static void shared__refusals_out_of_nothing_do_not_count(void) {
    start_shared("127.0.0.1:0");
    CHECK_OK();
    for (unsigned i = 0; i < 100; i++) tern__udp_suspect_refused(client.udp, &to_second);
    CHECK_EQ(client.udp->n_suspects, 1);
    CHECK_EQ(client.udp->suspects[0].refusals, 0);
    put_to_second(1);
    for (unsigned i = 0; i < 100; i++) tern__udp_suspect_refused(client.udp, &to_second);
    CHECK_EQ(client.udp->suspects[0].refusals, 1);
    CHECK_EQ(client.udp->stats.refused, 200);
    client.udp->suspects[0].refused_at -= TERN__UDP_REFUSED_FOR;
    poll_rarely();
    CHECK_EQ(client.n_lost, 0);
    stop_shared();
}

static void shared__a_packet_clears_refusals(void) {
    start_shared("127.0.0.1:0");
    CHECK_OK();
    second.echo = true;
    for (unsigned i = 0; i < TERN__UDP_REFUSALS; i++) {
        tern__udp_suspect_refused(client.udp, &to_second);
        tern__udp_suspect_sent(client.udp, &to_second);
    }
    CHECK_EQ(client.udp->suspects[0].refusals, TERN__UDP_REFUSALS - 1);
    put_to_second(1);
    CHECK(peer_wait(&second, 1) && peer_wait(&client, 1));
    CHECK_EQ(client.udp->n_suspects, 0);
    CHECK_EQ(client.n_lost, 0);
    stop_shared();
}

/* Whom the errors name is for anybody to choose: few are remembered, and not for long. */
static void shared__suspects_are_few(void) {
    start_shared("127.0.0.1:0");
    CHECK_OK();
    tern__route other = to_second;
    for (unsigned i = 1; i < 1000; i++) {
        tern__store16(other.bytes + 2, (uint16_t)i);
        tern__udp_suspect_refused(client.udp, &other);
    }
    CHECK_EQ(client.udp->n_suspects, TERN__UDP_MAX_SUSPECTS);
    poll_rarely();
    CHECK_EQ(client.udp->n_suspects, TERN__UDP_MAX_SUSPECTS);
    for (unsigned i = 0; i < TERN__UDP_MAX_SUSPECTS; i++) client.udp->suspects[i].heard_at -= TERN__UDP_SUSPECT_FOR;
    poll_rarely();
    CHECK_EQ(client.udp->n_suspects, 0);
    CHECK_EQ(client.n_lost, 0);
    /* and none outlives its socket, whose number may be another's */
    tern__udp_suspect_refused(client.udp, &to_second);
    client.port->ops->disconnect(client.port, &to_second);
    CHECK_EQ(client.udp->n_suspects, 0);
    stop_shared();
}

/* The error of one peer's packet meets the packets of others, in one call and in several: all of them arrive. */
static void shared__refusals_cost_others_nothing(void) {
    enum { ROUNDS = 50 };
    static peer third;
    tern__route to_third;
    start_shared("127.0.0.1:0");
    CHECK_OK();
    CHECK_EQ(peer_init(&third, 0), 0);
    CHECK_EQ(peer_listen(&third, "127.0.0.1:0"), 0);
    CHECK_EQ(client.port->ops->connect(client.port, third.address, &to_third), 0);
    CHECK_EQ(tern__udp_route_sock(&to_third), tern__udp_route_sock(&to_second));
    third.echo = true;
    peer_fini(&second);
    for (unsigned i = 0; i < ROUNDS; i++) {
        for (unsigned k = 0; k < 4; k++) {
            CHECK(peer_put(&client, &to_second, pattern(40 + k, k), 40 + k, 40));
            if (i % 3 == 0) peer_flush(&client);
            CHECK(peer_put(&client, &to_third, pattern(60 + 8 * k, k), 60 + 8 * k, 40));
            if (i % 3 == 1) peer_flush(&client);
        }
        peer_flush(&client);
        CHECK(peer_wait(&third, 4 * (i + 1)));
        CHECK(peer_wait(&client, 4 * (i + 1)));
    }
    CHECK(client.udp->stats.refused >= ROUNDS);
    CHECK_EQ(client.udp->stats.tx_dropped, 0);
    CHECK_EQ(third.n, 4 * ROUNDS);
    peer_fini(&third);
    stop_shared();
}

/* An error that was met by a send, and told by nobody, keeps nobody awake. */
static void shared__refusals_let_the_client_sleep(void) {
    static peer third;
    tern__route to_third;
    start_shared("127.0.0.1:0");
    CHECK_OK();
    CHECK_EQ(peer_init(&third, 0), 0);
    CHECK_EQ(peer_listen(&third, "127.0.0.1:0"), 0);
    CHECK_EQ(client.port->ops->connect(client.port, third.address, &to_third), 0);
    peer_fini(&second);
    for (unsigned i = 0; i < 20; i++) {
        CHECK(peer_put(&client, &to_second, pattern(40, i), 40, 40));
        CHECK(peer_put(&client, &to_third, pattern(50, i), 50, 40));
        peer_flush(&client);
        struct pollfd fd = {.fd = client.port->ops->fd(client.port), .events = POLLIN};
        unsigned n_wakes = 0;
        while (client.port->ops->arm(client.port) && poll(&fd, 1, 1) > 0 && n_wakes++ < 10) peer_poll(&client);
        CHECK(n_wakes < 3);
        CHECK(client.udp->stats.refused > i);
    }
    peer_fini(&third);
    stop_shared();
}

TAP_MAIN(TEST(connect__closed_port_is_reported_after_three_refusals),
         TEST(connect__refusals_out_of_nothing_do_not_count), TEST(connect__a_packet_clears_refusals),
         TEST(send__refusal_does_not_cost_the_next_packet), TEST(shared__closed_port_is_reported),
         TEST(shared__closed_port_is_reported_ipv6), TEST(shared__refusals_out_of_nothing_do_not_count),
         TEST(shared__a_packet_clears_refusals), TEST(shared__suspects_are_few),
         TEST(shared__refusals_cost_others_nothing), TEST(shared__refusals_let_the_client_sleep))
