/* Who has the places of a stream port: networks, and addresses inside a network. */
#include "tcp_peer.h"

enum { PLACES = 90, MOST = 120 };

static peer server;
static int socks[MOST], n_socks;
static uint8_t stream[4096];
static size_t n_bytes; /* of it: a greeting and a packet */

/* A server on which each connection has a session from its first packet on. */
static void start(void) {
    n_socks = 0;
    CHECK_EQ(peer_init(&server, false), 0);
    CHECK_EQ(peer_listen(&server, "127.0.0.1:0"), 0);
    server.tcp->seats.max = PLACES;
    server.uses = true;
    n_bytes = raw_stream(stream, 1, 40);
}

static void stop(void) {
    while (n_socks) close(socks[--n_socks]);
    WAIT_FOR(&server, &server, server.tcp->n_conns == 0);
    CHECK_EQ(server.tcp->seats.n, 0);
    peer_fini(&server);
}

/* A connection from this address. False: it was refused. */
static bool comes_from(const char *host) {
    unsigned n = server.n;
    uint64_t refused = server.tcp->stats.refused;
    int sock = raw_connect_from(host, server.address);
    if (sock < 0) return false;
    socks[n_socks++] = sock;
    raw_send(sock, stream, n_bytes);
    while (server.n == n && server.tcp->stats.refused == refused)
        if (peer_poll(&server) == 0 && !peers_sleep(&server, &server)) break;
    return server.n > n;
}

static unsigned fill_from(const char *host) {
    unsigned n = 0;
    while (n_socks < MOST && comes_from(host)) n++;
    return n;
}

static unsigned count_open(int first, int end) {
    char byte;
    unsigned n = 0;
    for (int i = first; i < end; i++) {
        recv(socks[i], stream + n_bytes, 8, MSG_DONTWAIT); /* the greeting */
        n += recv(socks[i], &byte, 1, MSG_DONTWAIT) < 0 && errno == EAGAIN;
    }
    return n;
}

/* However many connections with sessions it makes; another network gets in. */
static void places__not_all_for_one_network(void) {
    start();
    CHECK_OK();
    unsigned n = fill_from("127.0.5.1");
    CHECK(n >= PLACES * 2 / 3 && n <= PLACES * 2 / 3 + TERN__SEATS_FLOOR);
    CHECK_EQ(server.tcp->stats.gave_way, 0);
    CHECK(comes_from("127.0.7.1"));
    CHECK_EQ(server.tcp->stats.gave_way, 0);
    stop();
}

/* A neighbour of who has all places of the network gets as many, and no more; the network has no more than before. */
static void places__not_all_for_one_address(void) {
    start();
    CHECK_OK();
    unsigned n = fill_from("127.0.5.1");
    int first = n_socks;
    unsigned n_light = fill_from("127.0.5.2");
    CHECK(n_light >= n / 2 - 1 && n_light <= n / 2);
    CHECK_EQ(server.tcp->stats.gave_way, n_light);
    CHECK_EQ(server.n_lost, n_light);
    CHECK_EQ(server.tcp->n_conns, n);
    CHECK_EQ(count_open(0, first), n - n_light);
    CHECK(strstr(server.warning, "its network has all"));
    CHECK(!comes_from("127.0.5.1"));
    CHECK(comes_from("127.0.7.1"));
    stop();
}

/* Others have taken the places that were free: one goes for one that comes, and nobody goes in vain. */
static void places__when_others_have_come(void) {
    start();
    CHECK_OK();
    fill_from("127.0.5.1");
    fill_from("127.0.7.1");
    uint32_t n = server.tcp->n_conns;
    CHECK(comes_from("127.0.5.2"));
    CHECK_EQ(server.tcp->n_conns, n);
    CHECK_EQ(server.tcp->stats.gave_way, 1);
    stop();
}

static tern__route asked;
static unsigned n_asked, idle_at; /* the nth that is asked has no call; 0: each has */

static bool is_idle(void *ctx, const tern__link *link, const tern__route *route) {
    (void)ctx, (void)link;
    asked = *route;
    return ++n_asked == idle_at;
}

/* Of those that are drawn, one without a call goes; if all have some, one of them. */
static void places__idle_ones_go(void) {
    start();
    CHECK_OK();
    fill_from("127.0.5.1");
    server.tcp->env.is_idle = is_idle;
    n_asked = 0, idle_at = 3;
    CHECK(comes_from("127.0.5.2"));
    CHECK_EQ(n_asked, 3);
    CHECK(tern__route_eq(&server.lost, &asked));
    n_asked = idle_at = 0;
    CHECK(comes_from("127.0.5.2"));
    CHECK(n_asked > 0 && n_asked < 10);
    CHECK_EQ(server.tcp->stats.gave_way, 2);
    stop();
}

TAP_MAIN(TEST(places__not_all_for_one_network), TEST(places__not_all_for_one_address),
         TEST(places__when_others_have_come), TEST(places__idle_ones_go))
