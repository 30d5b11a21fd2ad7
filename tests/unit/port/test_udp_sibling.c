/* Connected siblings of a listening UDP socket: when they appear, what reaches them, that the address stays
 * exclusive, and how they go. Loopback; the ports' polls are their clock. */
#include <errno.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tap.h"
#include "udp_peer.h"

enum { MAX_CLIENTS = TERN__UDP_MAX_SIBLINGS + 1 };

static peer server, clients[MAX_CLIENTS];
static tern__route routes[MAX_CLIENTS];
static const char *host; /* "127.0.0.1" or "[::1]" */
static unsigned n_clients;

static void start(const char *listen_host, unsigned n) {
    char address[64];
    host = listen_host;
    n_clients = n;
    snprintf(address, sizeof address, "%s:0", host);
    CHECK_EQ(peer_init(&server, 0), 0);
    CHECK_EQ(peer_listen(&server, address), 0);
    server.echo = true;
    for (unsigned i = 0; i < n; i++) {
        CHECK_EQ(peer_init(&clients[i], 0), 0);
        CHECK_EQ(clients[i].port->ops->connect(clients[i].port, server.address, &routes[i]), 0);
    }
}

static void stop(void) {
    for (unsigned i = 0; i < n_clients; i++) peer_fini(&clients[i]);
    peer_fini(&server);
}

static bool have_ipv6(void) {
    int fd = socket(AF_INET6, SOCK_DGRAM, 0);
    struct sockaddr_in6 addr = {.sin6_family = AF_INET6, .sin6_addr = in6addr_loopback};
    bool ok = fd >= 0 && bind(fd, (struct sockaddr *)&addr, sizeof addr) == 0;
    if (fd >= 0) close(fd);
    return ok;
}

static void idle(unsigned polls) {
    for (unsigned i = 0; i < polls; i++) CHECK_EQ(peer_poll(&server), 0);
}

/* n echoed packets, one after the other, that say who sent them. */
static void ping(unsigned client, unsigned n) {
    for (unsigned i = 0; i < n; i++) {
        uint8_t bytes[40] = {(uint8_t)client, (uint8_t)i};
        peer *c = &clients[client];
        unsigned before = c->n, served = server.n;
        CHECK(peer_put(c, &routes[client], bytes, sizeof bytes, sizeof bytes));
        peer_flush(c);
        CHECK(peer_wait(&server, served + 1) && peer_wait(c, before + 1));
        CHECK_OK();
        CHECK_EQ(c->sums[before % MAX_KEPT], sum_of(bytes, sizeof bytes));
    }
}

static const tern__udp_sock *sibling(unsigned i) { return &server.udp->socks[TERN__UDP_MAX_SOCKS + i]; }

static tern__ip_addr address_of(int fd) {
    tern__ip_addr addr;
    memset(&addr, 0, sizeof addr);
    socklen_t len = sizeof addr;
    return getsockname(fd, &addr.any, &len) == 0 ? addr : (tern__ip_addr){0};
}

/* Make this client hot; its sibling is then the last. */
static void heat(unsigned client) {
    uint32_t before = server.udp->n_siblings;
    uint64_t opened = server.udp->stats.siblings_opened;
    idle(TERN__UDP_HOT_POLLS);
    ping(client, TERN__UDP_HOT_RECEIVES + 1);
    CHECK_EQ(server.udp->stats.siblings_opened, opened + 1);
    CHECK(server.udp->n_siblings >= before);
}

static void appears_for_a_busy_peer(const char *at) {
    start(at, 2);
    CHECK_OK();
    ping(0, 1);
    tern__route before = server.from;
    ping(0, TERN__UDP_HOT_RECEIVES - 2);
    CHECK_EQ(server.udp->n_siblings, 0);
    ping(0, 1);
    CHECK_EQ(server.udp->n_siblings, 1);
    CHECK_EQ(server.udp->stats.siblings_opened, 1);
    tern__ip_addr listening = address_of(server.udp->socks[0].fd), own = address_of(sibling(0)->fd);
    CHECK_MEM(&listening, &own, sizeof own);

    /* the peer's packets pass by the listening socket in both directions, and its route is what it was */
    ping(0, TERN__UDP_SETTLING);
    idle(1); /* found empty: settled */
    CHECK_EQ(sibling(0)->settling, 0);
    ping(0, 1);
    CHECK_EQ(sibling(0)->last_rx, server.udp->n_polls);
    CHECK(server.udp->socks[0].last_rx < server.udp->n_polls);
    CHECK(tern__route_eq(&server.from, &before));
    CHECK_EQ(server.udp->n_siblings, 1);

    /* everybody else's go to the listening socket */
    uint64_t sibling_rx = sibling(0)->last_rx;
    ping(1, 1);
    CHECK(!tern__route_eq(&server.from, &before));
    CHECK_EQ(sibling(0)->last_rx, sibling_rx);
    CHECK_EQ(server.udp->socks[0].last_rx, server.udp->n_polls);
    stop();
}

static void sibling__appears_for_a_busy_peer_ipv4(void) { appears_for_a_busy_peer("127.0.0.1"); }

static void sibling__appears_for_a_busy_peer_ipv6(void) {
    if (!have_ipv6()) SKIP("no ::1 on this machine");
    appears_for_a_busy_peer("[::1]");
}

static void sibling__not_for_a_slow_peer(void) {
    start("127.0.0.1", 1);
    CHECK_OK();
    for (unsigned i = 0; i < 3; i++) {
        ping(0, TERN__UDP_HOT_RECEIVES - 1);
        idle(TERN__UDP_HOT_POLLS);
    }
    CHECK_EQ(server.udp->stats.siblings_opened, 0);
    stop();
}

/* Whoever sends what speaks for no session's peer gets none, however often, nor does it keep the one of a peer. */
static void sibling__not_for_strangers(void) {
    start("127.0.0.1", 2);
    CHECK_OK();
    server.hears_nobody = true;
    for (unsigned i = 0; i < 3; i++) {
        ping(0, 2 * TERN__UDP_HOT_RECEIVES);
        idle(TERN__UDP_HOT_POLLS);
    }
    CHECK_EQ(server.udp->stats.siblings_opened, 0);
    server.hears_nobody = false;
    heat(0);
    ping(0, TERN__UDP_SETTLING + 1);
    uint64_t last_rx = sibling(0)->last_rx;
    server.hears_nobody = true;
    for (unsigned i = 0; i < TERN__UDP_DEAD_POLLS / TERN__UDP_RARELY && server.udp->n_siblings; i++) {
        if (i % 64 == 0) ping(0, 1);
        CHECK(!server.udp->n_siblings || sibling(0)->last_rx == last_rx);
        idle(TERN__UDP_RARELY);
    }
    CHECK_EQ(server.udp->n_siblings, 0);
    stop();
}

/* Whoever has to wait behind strangers' packets gets one sooner. */
static void sibling__sooner_among_strangers(void) {
    start("127.0.0.1", 2);
    CHECK_OK();
    for (unsigned i = 0; i < 6 && !server.udp->n_siblings; i++) {
        server.hears_nobody = true;
        ping(1, 10);
        server.hears_nobody = false;
        ping(0, 1);
    }
    CHECK_EQ(server.udp->n_siblings, 1);
    CHECK(tern__route_eq(&sibling(0)->peer, &server.from));
    stop();
}

static void sibling__not_on_every_address(void) {
    start("127.0.0.1", 0);
    CHECK_OK();
    peer_fini(&server);
    CHECK_EQ(peer_init(&server, 0), 0);
    CHECK_EQ(peer_listen(&server, "0.0.0.0:0"), 0);
    server.echo = true;
    n_clients = 1;
    CHECK_EQ(peer_init(&clients[0], 0), 0);
    CHECK_EQ(clients[0].port->ops->connect(clients[0].port, server.address, &routes[0]), 0);
    ping(0, 2 * TERN__UDP_HOT_RECEIVES);
    CHECK_EQ(server.udp->stats.siblings_opened, 0);
    stop();
}

/* Packets of another peer that wait in a sibling, as they do when they come between its bind and its connect. */
static void sibling__foreign_packets_are_not_its_peers(void) {
    start("127.0.0.1", 2);
    CHECK_OK();
    heat(0);
    tern__route busy = server.from;
    CHECK(sibling(0)->settling > 0);
    int fd = sibling(0)->fd;
    struct sockaddr nobody = {.sa_family = AF_UNSPEC};
    tern__ip_addr local = address_of(server.udp->socks[0].fd), remote = address_of(clients[0].udp->socks[0].fd);

    /* back to bound and not connected: the kernel now gives it what comes for the address */
    CHECK_EQ(connect(fd, &nobody, sizeof nobody), 0);
    tern__ip_addr now = address_of(fd);
    CHECK_MEM(&now, &local, sizeof now);
    for (unsigned i = 0; i < 6; i++) {
        uint8_t bytes[30 + 6] = {(uint8_t)i};
        CHECK(peer_put(&clients[i % 2], &routes[i % 2], bytes, 30 + i, 30 + i));
        peer_flush(&clients[i % 2]);
    }
    CHECK_EQ(connect(fd, &remote.any, tern__ip_addr_len(&remote)), 0);

    uint64_t from_listener = server.udp->socks[0].last_rx;
    unsigned served = server.n;
    CHECK(peer_wait(&server, served + 6));
    CHECK(sibling(0)->last_rx > from_listener);
    CHECK_EQ(server.udp->socks[0].last_rx, from_listener); /* all six were in the sibling */
    CHECK(!tern__route_eq(&server.from, &busy));           /* the last was the other's */
    /* each is answered to its own */
    unsigned n0 = clients[0].n, n1 = clients[1].n;
    CHECK(peer_wait(&clients[0], n0 + 3) && peer_wait(&clients[1], n1 + 3));
    for (unsigned i = 0; i < 3; i++) {
        CHECK_EQ(clients[0].lens[n0 + i] % 2, 0);
        CHECK_EQ(clients[1].lens[n1 + i] % 2, 1);
    }
    stop();
}

/* Whether somebody else, sharing or not, gets the server's address. */
static bool can_be_taken(bool every_address) {
    tern__ip_addr addr = address_of(server.udp->socks[0].fd);
    if (every_address) addr.v4.sin_addr.s_addr = htonl(INADDR_ANY);
    bool taken = false;
    for (unsigned mode = 0; mode < 4; mode++) {
        int on = 1, fd = socket(addr.any.sa_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        if (mode & 1) setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
        if (mode & 2) setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on);
        taken |= bind(fd, &addr.any, tern__ip_addr_len(&addr)) == 0 || errno != EADDRINUSE;
        close(fd);
    }
    return taken;
}

static void address_stays_exclusive(const char *at, bool every) {
    start(at, 3);
    CHECK_OK();
    CHECK(!can_be_taken(false));
    for (unsigned i = 0; i < 3; i++) {
        heat(i);
        CHECK_EQ(server.udp->n_siblings, i + 1);
        CHECK(!can_be_taken(false));
        if (every) CHECK(!can_be_taken(true));
        CHECK_EQ(peer_listen(&clients[0], server.address), TERN_ERR_EXISTS);
    }
    idle(TERN__UDP_DEAD_POLLS + TERN__UDP_RARELY);
    CHECK_EQ(server.udp->n_siblings, 0);
    CHECK(!can_be_taken(false));
    stop();
}

static void sibling__address_stays_exclusive_ipv4(void) { address_stays_exclusive("127.0.0.1", true); }

static void sibling__address_stays_exclusive_ipv6(void) {
    if (!have_ipv6()) SKIP("no ::1 on this machine");
    address_stays_exclusive("[::1]", false);
}

static void sibling__closes_with_the_port(void) {
    start("127.0.0.1", 1);
    CHECK_OK();
    heat(0);
    char address[128];
    snprintf(address, sizeof address, "%s", server.address);
    peer_fini(&server);
    CHECK_EQ(peer_init(&server, 0), 0);
    CHECK_EQ(peer_listen(&server, address), 0);
    server.echo = true;
    ping(0, 3);
    stop();
}

static void sibling__silent_one_is_closed(void) {
    start("127.0.0.1", 1);
    CHECK_OK();
    heat(0);
    idle(TERN__UDP_DEAD_POLLS - 1);
    CHECK_EQ(server.udp->n_siblings, 1);
    idle(TERN__UDP_RARELY);
    CHECK_EQ(server.udp->n_siblings, 0);
    CHECK_EQ(server.udp->stats.siblings_closed, 1);
    ping(0, 3); /* by the listening socket again */
    CHECK_EQ(server.udp->socks[0].last_rx, server.udp->n_polls);
    heat(0);
    stop();
}

static void sibling__replaces_the_one_silent_longest(void) {
    start("127.0.0.1", MAX_CLIENTS);
    CHECK_OK();
    const unsigned last = MAX_CLIENTS - 1;
    for (unsigned i = 0; i < last; i++) heat(i);
    CHECK_EQ(server.udp->n_siblings, TERN__UDP_MAX_SIBLINGS);
    idle(TERN__UDP_HOT_POLLS);
    for (unsigned i = 0; i < last; i++) ping(i, 1);

    /* all are in use: the newcomer stays with the listening socket */
    ping(last, TERN__UDP_HOT_RECEIVES + 1);
    CHECK_EQ(server.udp->stats.siblings_closed, 0);
    CHECK_EQ(server.udp->stats.siblings_opened, TERN__UDP_MAX_SIBLINGS);

    idle(TERN__UDP_COLD_POLLS + TERN__UDP_HOT_POLLS);
    for (unsigned i = 0; i < last; i++)
        if (i != 1) ping(i, 1);
    tern__route silent = server.udp->socks[TERN__UDP_MAX_SOCKS + 1].peer;
    ping(last, TERN__UDP_HOT_RECEIVES + 1);
    CHECK_EQ(server.udp->stats.siblings_closed, 1);
    CHECK_EQ(server.udp->n_siblings, TERN__UDP_MAX_SIBLINGS);
    for (unsigned i = 0; i < server.udp->n_siblings; i++) CHECK(!tern__route_eq(&sibling(i)->peer, &silent));
    for (unsigned i = 0; i < MAX_CLIENTS; i++) ping(i, 3);
    CHECK(tern__route_eq(&server.from, &sibling(TERN__UDP_MAX_SIBLINGS - 1)->peer));
    stop();
}

/* A client that ends and another that gets its port: the sibling serves it under the same route. */
static void sibling__peer_restarts_at_its_port(void) {
    start("127.0.0.1", 1);
    CHECK_OK();
    heat(0);
    tern__route before = server.from;
    tern__ip_addr own = address_of(clients[0].udp->socks[0].fd);
    peer_fini(&clients[0]);

    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    CHECK_EQ(bind(fd, &own.any, sizeof own.v4), 0);
    tern__ip_addr to = address_of(server.udp->socks[0].fd);
    CHECK_EQ(connect(fd, &to.any, sizeof to.v4), 0);
    for (unsigned i = 0; i < 3; i++) {
        unsigned served = server.n;
        char back[8] = "";
        CHECK_EQ(send(fd, "again", 5, 0), 5);
        CHECK(peer_wait(&server, served + 1));
        CHECK(tern__route_eq(&server.from, &before));
        CHECK_EQ(recv(fd, back, sizeof back, MSG_DONTWAIT), 5);
    }
    CHECK_EQ(server.udp->n_siblings, 1);
    close(fd);
    stop();
}

static void sibling__refused_is_closed(void) {
    start("127.0.0.1", 2);
    CHECK_OK();
    heat(0);
    heat(1);
    tern__route gone = server.from;
    peer_fini(&clients[1]);
    CHECK(peer_put(&server, &gone, (const uint8_t *)"reply", 5, 5));
    peer_flush(&server);
    idle(1); /* the refusal has come back */
    CHECK_EQ(server.udp->stats.siblings_closed, 1);
    CHECK_EQ(server.udp->n_siblings, 1);
    CHECK_EQ(server.n_lost, 0);
    /* its route stays usable, by the listening socket */
    CHECK(peer_put(&server, &gone, (const uint8_t *)"reply", 5, 5));
    peer_flush(&server);
    CHECK_EQ(server.udp->stats.tx_dropped, 0);
    ping(0, 3);
    stop();
}

/* Sleepers are woken by siblings, too, and a spinner does not ask what is quiet in every poll. */
static void sibling__wakes_and_is_polled_by_need(void) {
    start("127.0.0.1", 2);
    CHECK_OK();
    heat(0);
    ping(0, TERN__UDP_SETTLING + 1);
    struct pollfd fd = {.fd = server.port->ops->fd(server.port), .events = POLLIN};
    CHECK(server.port->ops->arm(server.port));
    CHECK_EQ(poll(&fd, 1, 0), 0);
    CHECK(peer_put(&clients[0], &routes[0], (const uint8_t *)"x", 1, 1));
    peer_flush(&clients[0]);
    CHECK_EQ(poll(&fd, 1, WAIT_MS), 1);
    CHECK_EQ(peer_poll(&server), 1);
    CHECK_EQ(poll(&fd, 1, 0), 0);

    idle(TERN__UDP_RARELY);
    uint64_t calls = server.udp->stats.rx_calls;
    idle(10 * TERN__UDP_RARELY);
    CHECK_EQ(server.udp->stats.rx_calls - calls, 11 * TERN__UDP_RARELY - TERN__UDP_RARELY + 10);
    /* a stranger waits for its turn, not longer */
    CHECK(peer_put(&clients[1], &routes[1], (const uint8_t *)"x", 1, 1));
    peer_flush(&clients[1]);
    unsigned polls = 1;
    while (peer_poll(&server) == 0 && polls < 100) polls++;
    CHECK(polls <= TERN__UDP_RARELY);
    /* and does not after a sleep, which it ended */
    idle(TERN__UDP_RARELY);
    CHECK(server.port->ops->arm(server.port));
    CHECK(peer_put(&clients[1], &routes[1], (const uint8_t *)"x", 1, 1));
    peer_flush(&clients[1]);
    CHECK_EQ(poll(&fd, 1, WAIT_MS), 1);
    CHECK_EQ(peer_poll(&server), 1);
    idle(TERN__UDP_COLD_POLLS);
    calls = server.udp->stats.rx_calls;
    idle(10 * TERN__UDP_RARELY);
    CHECK_EQ(server.udp->stats.rx_calls - calls, 10 * TERN__UDP_RARELY + 10); /* now the sibling is the quiet one */
    stop();
}

/* Batches to several peers, some with siblings, go each by its socket. */
static void sibling__batches_of_many_peers(void) {
    start("127.0.0.1", 3);
    CHECK_OK();
    tern__route to[3];
    for (unsigned i = 0; i < 3; i++) {
        if (i != 1) heat(i);
        ping(i, 1);
        to[i] = server.from;
    }
    unsigned before[3];
    for (unsigned i = 0; i < 3; i++) before[i] = clients[i].n;
    uint8_t bytes[100] = {0};
    for (unsigned i = 0; i < 30; i++) CHECK(peer_put(&server, &to[i % 3], bytes, 60 + i % 3, 40));
    peer_flush(&server);
    for (unsigned i = 0; i < 3; i++) {
        CHECK(peer_wait(&clients[i], before[i] + 10));
        for (unsigned k = 0; k < 10; k++) CHECK_EQ(clients[i].lens[before[i] + k], 60 + i);
    }
    CHECK_EQ(server.udp->stats.tx_dropped, 0);
    stop();
}

/* Out of descriptors: the peer is served all the same, and the port stops trying. */
static void sibling__failures_are_bounded(void) {
    start("127.0.0.1", 1);
    CHECK_OK();
    struct rlimit before;
    CHECK_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
    int next = dup(server.udp->socks[0].fd);
    close(next);
    struct rlimit tight = {.rlim_cur = (rlim_t)next, .rlim_max = before.rlim_max};
    CHECK_EQ(setrlimit(RLIMIT_NOFILE, &tight), 0);
    for (unsigned i = 0; i <= TERN__UDP_SIBLING_FAILS; i++) {
        idle(TERN__UDP_HOT_POLLS);
        ping(0, TERN__UDP_HOT_RECEIVES + 1);
    }
    CHECK_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
    CHECK_EQ(server.udp->socks[0].n_fails, TERN__UDP_SIBLING_FAILS);
    CHECK(strstr(server.log, "no sockets of their own") != NULL);
    idle(TERN__UDP_HOT_POLLS);
    ping(0, 2 * TERN__UDP_HOT_RECEIVES);
    CHECK_EQ(server.udp->stats.siblings_opened, 0);
    stop();
}

TAP_MAIN(TEST(sibling__appears_for_a_busy_peer_ipv4), TEST(sibling__appears_for_a_busy_peer_ipv6),
         TEST(sibling__not_for_a_slow_peer), TEST(sibling__not_for_strangers), TEST(sibling__sooner_among_strangers),
         TEST(sibling__not_on_every_address), TEST(sibling__foreign_packets_are_not_its_peers),
         TEST(sibling__address_stays_exclusive_ipv4), TEST(sibling__address_stays_exclusive_ipv6),
         TEST(sibling__closes_with_the_port), TEST(sibling__silent_one_is_closed),
         TEST(sibling__replaces_the_one_silent_longest), TEST(sibling__peer_restarts_at_its_port),
         TEST(sibling__refused_is_closed), TEST(sibling__wakes_and_is_polled_by_need),
         TEST(sibling__batches_of_many_peers), TEST(sibling__failures_are_bounded))
