/* The stream port on loopback and on a Unix socket: addresses, batches, pieces in place, full queues, the end of a
 * peer. Two ports of one process talk to each other; the counters say which path the packets took. Hostile and slow
 * peers are in test_tcp_hostile.c. */
#include "tcp_peer.h"

#include <signal.h>
#include <sys/un.h>
#include <sys/wait.h>

static peer server, client;
static tern__route route;
static uint64_t live_before;
static int fds_before;

static uint8_t *pattern(uint32_t len, uint32_t seed) {
    static uint8_t bytes[TERN__TCP_MAX_PACKET + 1];
    for (uint32_t i = 0; i < len; i++) bytes[i] = (uint8_t)((i * 31 + seed * 17) >> 2);
    return bytes;
}

static void begin(void) {
    tern_mem_init(NULL); /* the pool has descriptors of its own */
    live_before = live_buffers();
    fds_before = open_fds();
}

static void stop(void) {
    peer_fini(&client);
    peer_fini(&server);
    CHECK_EQ(live_buffers(), live_before);
    CHECK_EQ(open_fds(), fds_before);
}

static void start(const char *address) {
    bool local = address[0] == '/';
    begin();
    CHECK_EQ(peer_init(&server, local), 0);
    CHECK_EQ(peer_init(&client, local), 0);
    CHECK_EQ(peer_listen(&server, address), 0);
    CHECK_EQ(peer_connect(&client, server.address, &route), 0);
    WAIT_FOR(&server, &client, server.tcp->stats.conns_up == 1 && peer_can_send(&client, &route));
}

static const char *local_path(void) {
    static char path[64];
    snprintf(path, sizeof path, "/tmp/tern-test-%ld-stream.sock", (long)getpid());
    return path;
}

static bool have_ipv6(void) {
    int fd = socket(AF_INET6, SOCK_STREAM, 0);
    struct sockaddr_in6 addr = {.sin6_family = AF_INET6, .sin6_addr = in6addr_loopback};
    bool ok = fd >= 0 && bind(fd, (struct sockaddr *)&addr, sizeof addr) == 0;
    if (fd >= 0) close(fd);
    return ok;
}

/* ---- There and back ------------------------------------------------------------------------------- */

/* Packets of all sizes in both directions between a client and an echoing server. */
static void ping(const char *address) {
    static const uint32_t lens[] = {1, 24, 32, 56, 511, 4096, 4097, 16383, 16384, 20000, 65535, 65536};
    start(address);
    CHECK_OK();
    server.echo = true;
    for (unsigned i = 0; i < TERN__COUNT(lens); i++) {
        const uint8_t *data = pattern(lens[i], i);
        CHECK(peer_put(&client, &route, data, lens[i], lens[i] < 100 ? lens[i] : 100));
        peer_flush(&client);
        WAIT_FOR(&server, &client, client.n == i + 1);
        CHECK_EQ(client.lens[i], lens[i]);
        CHECK_EQ(client.sums[i], sum_of(data, lens[i]));
        CHECK(tern__route_eq(&client.from, &route));
    }
    CHECK_EQ(server.n_refused, 0);
    CHECK_EQ(server.n_lost + client.n_lost, 0);
    stop();
}

static void ping__ipv4(void) {
    ping("127.0.0.1:0");
    CHECK(strncmp(server.address, "127.0.0.1:", 10) == 0);
    CHECK(strcmp(server.address, "127.0.0.1:0") != 0);
}

static void ping__ipv6(void) {
    if (!have_ipv6()) SKIP("no ::1 on this machine");
    ping("[::1]:0");
    CHECK(strncmp(server.address, "[::1]:", 6) == 0);
}

static void ping__name(void) { ping("localhost:0"); }

static void ping__wildcard_as_destination_means_loopback(void) { ping("*:0"); }

static void ping__local(void) {
    ping(local_path());
    CHECK_EQ(access(local_path(), F_OK), -1); /* the file is gone with its server */
}

static void run__holds_packets_like_any(void) {
    start("127.0.0.1:0");
    CHECK_OK();
    tern__link *link = &client.port->link;
    uint32_t n_opened = 0, n_alone = 0;
    for (uint32_t i = 0; i < 200; i++) {
        put_way way = put_packet(link, &route, pattern(24 + i, i), 24 + i);
        CHECK(way != PUT_NOT);
        n_opened += way == PUT_IN_NEW_RUN;
        n_alone += way == PUT_ALONE;
        if (i % 50 == 49) CHECK(tern__tx_one(link, &route, 40, 0) != NULL); /* ends the run, and is given up */
        if (i % 50 == 49) link->ops->tx_commit(link, 0);
    }
    CHECK_EQ(n_opened, 4);
    CHECK_EQ(n_alone, 0);
    CHECK(!link->ops->tx_open(link, &route, 4096)); /* too long for it */
    peer_flush(&client);
    CHECK_EQ(client.tcp->stats.tx_calls, 1 + 1); /* the greeting, and all of this */
    CHECK_EQ(link->sent.run_packets, 200);
    CHECK_EQ(link->sent.run_bytes, 200 * 24 + 199 * 100);
    WAIT_FOR(&server, &client, server.n == 200);
    for (uint32_t i = 0; i < 200; i++) {
        CHECK_EQ(server.lens[i], 24 + i);
        CHECK_EQ(server.sums[i], sum_of(pattern(24 + i, i), 24 + i));
    }
    stop();
}

/* More than a chunk has, and more than may wait without a write. */
static void run__goes_on_in_the_next_chunk(void) {
    start("127.0.0.1:0");
    CHECK_OK();
    enum { N = 2000, LEN = 300 };
    for (uint32_t i = 0; i < N; i++) {
        CHECK(put_packet(&client.port->link, &route, pattern(LEN, i), LEN) != PUT_NOT);
        if (i % 64 == 0) peer_poll(&server);
    }
    peer_flush(&client);
    WAIT_FOR(&server, &client, server.n == N);
    for (uint32_t i = 0; i < N && i < MAX_KEPT; i++) CHECK_EQ(server.sums[i], sum_of(pattern(LEN, i), LEN));
    stop();
}

/* ---- Batches and pieces ---------------------------------------------------------------------------- */

static void coalesce__a_batch_is_one_write_and_few_reads(void) {
    start("127.0.0.1:0");
    CHECK_OK();
    uint64_t writes = client.tcp->stats.tx_calls, reads = server.tcp->stats.rx_calls;
    for (unsigned i = 0; i < 1000; i++) CHECK(peer_put(&client, &route, pattern(64, i), 64, 64));
    CHECK_EQ(client.tcp->tx.conn->out.n, 2); /* pieces: 68,000 bytes are two chunks */
    peer_flush(&client);
    CHECK_EQ(client.tcp->stats.tx_calls - writes, 1);
    WAIT_FOR(&server, &client, server.n == 1000);
    for (unsigned i = 0; i < 1000; i++) CHECK_EQ(server.sums[i], sum_of(pattern(64, i), 64));
    CHECK(server.tcp->stats.rx_calls - reads < 40);
    CHECK_EQ(client.tcp->stats.tx_refs, 0);
    stop();
}

static void post__values_of_the_pool_stay_where_they_are(void) {
    start("127.0.0.1:0");
    CHECK_OK();
    enum { LEN = 60000 };
    uint8_t *value = tern_alloc(LEN);
    memcpy(value, pattern(LEN, 9), LEN);
    tern__link *link = &client.port->link;
    uint64_t copied = client.tcp->stats.tx_copied_bytes;
    for (int i = 0; i < 3; i++) {
        uint8_t *head = tern__tx_one(link, &route, 24, TERN__TX_MANY);
        CHECK(head != NULL);
        memset(head, i, 24);
        CHECK_EQ(link->ops->tx_add(link, 0, value, 30000), 0);
        CHECK_EQ(link->ops->tx_add(link, 0, value + 30000, 100), 0); /* too short to be a piece */
        CHECK_EQ(link->ops->tx_add(link, 0, value + 30100, LEN - 30100), 0);
        link->ops->tx_commit(link, 1);
    }
    CHECK_EQ(client.tcp->stats.tx_refs, 6);
    CHECK_EQ(client.tcp->stats.tx_copied_bytes - copied, 3 * (24 + 100));
    CHECK_EQ(tern_refcount(value), 1 + 6);
    tern_unref(value); /* the link holds its own */
    peer_flush(&client);
    WAIT_FOR(&server, &client, server.n == 3);
    for (int i = 0; i < 3; i++) {
        static uint8_t whole[24 + LEN];
        memset(whole, i, 24);
        memcpy(whole + 24, pattern(LEN, 9), LEN);
        CHECK_EQ(server.lens[i], 24 + LEN);
        CHECK_EQ(server.sums[i], sum_of(whole, 24 + LEN));
    }
    CHECK(server.tcp->stats.rx_parts > 0); /* large ones were received into buffers of their own */
    stop();
}

static void post__of_a_dead_buffer_is_an_error_and_abort_leaves_no_trace(void) {
    start("127.0.0.1:0");
    CHECK_OK();
    tern__link *link = &client.port->link;
    uint8_t *live = tern_alloc(8192), *dead = tern_alloc(8192);
    memset(live, 7, 8192);
    tern_unref(dead);
    CHECK(peer_put(&client, &route, pattern(50, 1), 50, 50));
    for (int i = 0; i < 3; i++) {
        CHECK(tern__tx_one(link, &route, 16000, TERN__TX_MANY) != NULL);
        CHECK_EQ(link->ops->tx_add(link, 0, live, 8192), 0);
        CHECK_EQ(link->ops->tx_add(link, 0, pattern(40000, 1), 40000), 0); /* goes on in another chunk, some time */
        CHECK_EQ(link->ops->tx_add(link, 0, dead, 4000), TERN_ERR_INVALID);
        link->ops->tx_commit(link, 0);
        CHECK_EQ(tern_refcount(live), 1);
        CHECK(peer_put(&client, &route, pattern(30 + (uint32_t)i, 2), 30 + (uint32_t)i, 20));
    }
    peer_flush(&client);
    WAIT_FOR(&server, &client, server.n == 4);
    CHECK_EQ(server.sums[0], sum_of(pattern(50, 1), 50));
    for (uint32_t i = 0; i < 3; i++) CHECK_EQ(server.sums[1 + i], sum_of(pattern(30 + i, 2), 30 + i));
    CHECK_EQ(server.bytes, 50 + 30 + 31 + 32);
    tern_unref(live);
    stop();
}

static void post__limits(void) {
    start("127.0.0.1:0");
    CHECK_OK();
    tern__link *link = &client.port->link;
    uint8_t *value = tern_alloc(512);
    memset(value, 3, 512);
    CHECK(tern__tx_one(link, &route, 0, TERN__TX_MANY) == NULL);
    CHECK(tern__tx_one(link, &route, link->max_inline + 1, TERN__TX_MANY) == NULL);
    CHECK(tern__tx_one(link, &route, link->max_inline, TERN__TX_MANY) != NULL);
    CHECK_EQ(link->ops->tx_add(link, 0, pattern(65536, 0), 65536 - link->max_inline + 1), TERN_ERR_INVALID);
    link->ops->tx_commit(link, 0);
    memset(tern__tx_one(link, &route, 4, TERN__TX_MANY), 1, 4);
    for (uint32_t i = 0; i < link->max_posts; i++) {
        if (i % 2)
            CHECK_EQ(link->ops->tx_add(link, 0, value, 512), 0);
        else
            CHECK_EQ(link->ops->tx_add(link, 0, pattern(200, 0), 200), 0);
    }
    CHECK_EQ(link->ops->tx_add(link, 0, value, 1), TERN_ERR_INVALID);
    link->ops->tx_commit(link, 1);
    peer_flush(&client);
    WAIT_FOR(&server, &client, server.n == 1);
    CHECK_EQ(server.lens[0], 4 + link->max_posts / 2 * 712);
    tern_unref(value);
    stop();
}

static void receive__held_packets_stay_as_they_are(void) {
    start("127.0.0.1:0");
    CHECK_OK();
    server.hold = true;
    for (unsigned i = 0; i < 300; i++) {
        CHECK(peer_put(&client, &route, pattern(i * 7 + 1, i), i * 7 + 1, 1));
        if (i % 5 == 0) peer_flush(&client);
        if (i % 50 == 0) WAIT_FOR(&server, &client, server.n >= i);
    }
    peer_flush(&client);
    WAIT_FOR(&server, &client, server.n == 300);
    for (unsigned i = 0; i < 300; i++)
        CHECK_EQ(sum_of(server.heads[i], i * 7 + 1), sum_of(pattern(i * 7 + 1, i), i * 7 + 1));
    CHECK(server.tcp->stats.rx_buffers > 1);
    stop();
}

/* ---- A full queue --------------------------------------------------------------------------------- */

static void full(const char *address) {
    start(address);
    CHECK_OK();
    unsigned n = 0;
    tern_mem_stats before, after;
    tern_mem_get_stats(&before);
    for (; peer_put(&client, &route, pattern(50000, n), 50000, 8000); n++) {
        CHECK(n < 2000);
        peer_flush(&client);
    }
    tern_mem_get_stats(&after);
    CHECK(after.live_buffers - before.live_buffers < 3 * TERN__TCP_QUEUE_BYTES / TERN__TCP_CHUNK_BYTES);
    CHECK(client.tcp->stats.tx_full > 0 && client.tcp->stats.tx_short > 0);
    CHECK_EQ(client.tcp->n_blocked, 1);
    CHECK(client.tcp->tx.conn->out.bytes >= TERN__TCP_QUEUE_BYTES);
    CHECK(client.tcp->tx.conn->out.bytes < TERN__TCP_QUEUE_BYTES + 65536 + 4);
    WAIT_FOR(&server, &client, server.n == n); /* the client's descriptor says when there is room */
    for (unsigned i = 0; i < n; i++) CHECK_EQ(server.sums[i], sum_of(pattern(50000, i), 50000));
    CHECK_EQ(client.tcp->n_blocked, 0);
    CHECK_EQ(client.tcp->tx.conn->out.bytes, 0);
    CHECK(client.tcp->tx.conn->out.chunk == NULL);
    CHECK(peer_can_send(&client, &route));
    stop();
}

static void full__ipv4(void) { full("127.0.0.1:0"); }
static void full__local(void) { full(local_path()); }

static void full__pieces_are_bounded_too(void) {
    start(local_path());
    CHECK_OK();
    uint8_t *value = tern_alloc(512);
    memset(value, 5, 512);
    tern__link *link = &client.port->link;
    unsigned n = 0;
    for (; tern__tx_one(link, &route, 1, TERN__TX_MANY) != NULL; n++) {
        CHECK_EQ(link->ops->tx_add(link, 0, value, 512), 0);
        link->ops->tx_commit(link, 1);
        peer_flush(&client);
        CHECK(n < 20000);
    }
    CHECK(client.tcp->tx.conn->out.cap <= 2 * TERN__TCP_MAX_PIECES);
    tern_unref(value);
    WAIT_FOR(&server, &client, server.n == n);
    CHECK_EQ(server.bytes, (uint64_t)n * 513);
    stop();
}

/* ---- Connecting ----------------------------------------------------------------------------------- */

static void connect__refused_is_reported(void) {
    begin();
    char address[64];
    int fd = raw_listen(address); /* for a free port, */
    close(fd);                    /* free again */
    CHECK_EQ(peer_init(&client, false), 0);
    CHECK_EQ(peer_connect(&client, address, &route), 0);
    WAIT_FOR(&client, &client, client.n_lost == 1);
    CHECK(tern__route_eq(&client.lost, &route));
    client.tcp->times.redial_pause = 0;
    CHECK(!peer_can_send(&client, &route)); /* dials anew */
    WAIT_FOR(&client, &client, client.n_lost == 2);
    client.tcp->times.redial_pause = TERN_SEC;
    CHECK(!peer_can_send(&client, &route)); /* too soon: reported without a dial */
    WAIT_FOR(&client, &client, client.n_lost == 3);
    peer_fini(&client);
    CHECK_EQ(peer_init(&client, true), 0);
    CHECK_EQ(peer_connect(&client, "/tmp/tern-nobody-is-here", &route), 0);
    WAIT_FOR(&client, &client, client.n_lost == 1);
    stop();
}

static void connect__senseless_addresses(void) {
    static const char *const bad[] = {"",    "127.0.0.1", "127.0.0.1:", "127.0.0.1:99999", "127.0.0.1:0",
                                      ":80", "::1:80",    "[::1]",      "127.0.0.1:8o",    "no.such.host.invalid:80"};
    begin();
    CHECK_EQ(peer_init(&client, false), 0);
    for (unsigned i = 0; i < TERN__COUNT(bad); i++) CHECK_EQ(peer_connect(&client, bad[i], &route), TERN_ERR_ADDRESS);
    CHECK_EQ(client.tcp->n_conns, 0);
    peer_fini(&client);
    char path[200];
    memset(path, 'x', sizeof path);
    path[0] = '/';
    path[199] = '\0';
    CHECK_EQ(peer_init(&client, true), 0);
    CHECK_EQ(peer_connect(&client, path, &route), TERN_ERR_ADDRESS);
    CHECK_EQ(peer_connect(&client, "", &route), TERN_ERR_ADDRESS);
    stop();
}

/* Nobody answers: a listener whose queue is full. */
static void connect__unanswered_is_given_up(void) {
    begin();
    char silent[64];
    int fd = raw_listen(silent), fillers[3];
    CHECK_EQ(listen(fd, 0), 0);
    tern__ip_addr addr;
    CHECK_EQ(tern__hosts_resolve(silent, false, &addr, 1), 1);
    for (unsigned i = 0; i < TERN__COUNT(fillers); i++) fillers[i] = tern__tcp_dial(&addr);
    CHECK_EQ(peer_init(&client, false), 0);
    client.tcp->times.tick = client.tcp->times.give_up = 20 * TERN_MS;
    CHECK_EQ(peer_connect(&client, silent, &route), 0);
    WAIT_FOR(&client, &client, client.n_lost == 1);
    CHECK(!peer_has_deadlines(&client));
    for (unsigned i = 0; i < TERN__COUNT(fillers); i++) close(fillers[i]);
    close(fd);
    stop();
}

static void connect__two_to_one_address_share_it(void) {
    start("127.0.0.1:0");
    CHECK_OK();
    tern__route second;
    CHECK_EQ(peer_connect(&client, server.address, &second), 0);
    CHECK(tern__route_eq(&route, &second));
    client.port->ops->disconnect(client.port, &second);
    CHECK(peer_can_send(&client, &route));
    CHECK_EQ(server.tcp->stats.conns_up, 1);
    stop();
}

static void connect__anew_after_a_restart(void) {
    start("127.0.0.1:0");
    CHECK_OK();
    char address[128];
    snprintf(address, sizeof address, "%s", server.address);
    peer_fini(&server);
    WAIT_FOR(&client, &client, client.n_lost == 1);
    CHECK_EQ(peer_init(&server, false), 0);
    CHECK_EQ(peer_listen(&server, address), 0); /* the old connection lingers in the kernel, and does not matter */
    client.tcp->times.redial_pause = 0;
    CHECK(!peer_can_send(&client, &route));
    WAIT_FOR(&server, &client, peer_can_send(&client, &route));
    server.echo = true;
    CHECK(peer_put(&client, &route, pattern(100, 1), 100, 50));
    peer_flush(&client);
    WAIT_FOR(&server, &client, client.n == 1);
    CHECK_EQ(client.n_lost, 1);
    stop();
}

/* ---- Listening ------------------------------------------------------------------------------------ */

static void listen__taken(void) {
    start("127.0.0.1:0");
    CHECK_OK();
    char url[128];
    CHECK_EQ(client.port->ops->listen(client.port, server.address, url, sizeof url), TERN_ERR_EXISTS);
    CHECK_EQ(client.port->ops->listen(client.port, "203.0.113.7:80", url, sizeof url), TERN_ERR_ADDRESS);
    CHECK_EQ(client.port->ops->listen(client.port, "127.0.0.1:0", url, 12), TERN_ERR_LIMIT);
    CHECK_EQ(client.tcp->n_listeners, 0);
    stop();
}

static void listen__local_file(void) {
    struct stat st;
    char url[128];
    start(local_path());
    CHECK_OK();
    CHECK_EQ(stat(local_path(), &st), 0);
    CHECK_EQ(st.st_mode & 0777, 0600);
    CHECK_EQ(client.port->ops->listen(client.port, local_path(), url, sizeof url), TERN_ERR_EXISTS); /* it lives */
    CHECK_EQ(client.port->ops->listen(client.port, "/tmp", url, sizeof url), TERN_ERR_EXISTS);
    CHECK_EQ(client.port->ops->listen(client.port, "/no/such/place", url, sizeof url), TERN_ERR_ADDRESS);
    stop();
    CHECK_OK();
    /* a file that a killed server left is replaced */
    tern__unix_listener stale;
    CHECK_EQ(tern__unix_listener_open(&stale, local_path(), SOCK_STREAM), 0);
    close(stale.fd);
    CHECK_EQ(access(local_path(), F_OK), 0);
    ping(local_path());
}

/* ---- The end -------------------------------------------------------------------------------------- */

static void disconnect__what_was_sent_before_arrives(void) {
    start("127.0.0.1:0");
    CHECK_OK();
    unsigned n = 0;
    while (peer_put(&client, &route, pattern(50000, n), 50000, 100)) n++;
    CHECK(n > 20);
    client.port->ops->disconnect(client.port, &route);
    CHECK(tern__tcp_conn_of(client.tcp, &route)->state == TERN__TCP_LINGERING);
    CHECK(!peer_can_send(&client, &route));
    WAIT_FOR(&server, &client, server.n_lost == 1 && client.tcp->n_conns == 0);
    CHECK_EQ(server.n, n);
    CHECK_EQ(client.n_lost, 0); /* we did it */
    CHECK(tern__tcp_conn_of(client.tcp, &route) == NULL);
    CHECK(!peer_has_deadlines(&client));
    stop();
}

/* The peer has said something that we never read: that must not make a reset of our farewell. */
static void disconnect__with_something_unread(void) {
    start("127.0.0.1:0");
    CHECK_OK();
    CHECK(peer_put(&client, &route, pattern(10, 0), 10, 10));
    peer_flush(&client);
    WAIT_FOR(&server, &client, server.n == 1);
    for (unsigned i = 0; i < 100; i++) CHECK(peer_put(&server, &server.from, pattern(1000, i), 1000, 1000));
    peer_flush(&server);
    for (unsigned i = 0; i < 30; i++) CHECK(peer_put(&client, &route, pattern(20, i), 20, 20));
    peer_flush(&client);
    client.port->ops->disconnect(client.port, &route);
    WAIT_FOR(&server, &client, server.n_lost == 1);
    CHECK_EQ(server.n, 31);
    stop();
}

static void free__what_waits_leaves(void) {
    start("127.0.0.1:0");
    CHECK_OK();
    for (unsigned i = 0; i < 10; i++) CHECK(peer_put(&client, &route, pattern(5000, i), 5000, 5000));
    peer_fini(&client); /* nothing was flushed */
    WAIT_FOR(&server, &server, server.n_lost == 1);
    CHECK_EQ(server.n, 10);
    stop();
}

static void free__under_load(void) {
    start(local_path());
    CHECK_OK();
    uint8_t *value = tern_alloc(60000);
    memset(value, 1, 60000);
    while (peer_put(&client, &route, value, 60000, 100)) peer_flush(&client);
    tern_unref(value);
    peer_fini(&client); /* the server reads nothing: what waits is dropped after a moment, references too */
    stop();
}

/* A client with ever more connections at a server that goes through them: some are hot, the others have their turn. */
static void poll__many_connections(void) {
    enum { CLIENTS = 40 };
    static peer many[CLIENTS];
    static tern__route routes[CLIENTS];
    begin();
    CHECK_EQ(peer_init(&server, false), 0);
    CHECK_EQ(peer_listen(&server, "127.0.0.1:0"), 0);
    server.echo = true;
    for (unsigned i = 0; i < CLIENTS; i++) {
        CHECK_EQ(peer_init(&many[i], false), 0);
        CHECK_EQ(peer_connect(&many[i], server.address, &routes[i]), 0);
        WAIT_FOR(&server, &many[i], peer_can_send(&many[i], &routes[i]));
    }
    for (unsigned round = 1; round <= 20; round++) {
        for (unsigned i = 0; i < CLIENTS; i++) {
            CHECK(peer_put(&many[i], &routes[i], pattern(100, round + i), 100, 30));
            peer_flush(&many[i]);
        }
        for (unsigned i = 0; i < CLIENTS; i++) {
            WAIT_FOR(&server, &many[i], many[i].n == round);
            CHECK_EQ(many[i].sums[round - 1], sum_of(pattern(100, round + i), 100));
        }
    }
    CHECK_EQ(server.tcp->n_hot, TERN__TCP_HOT_CONNS);
    for (unsigned i = 0; i < 2 * TERN__TCP_COLD_POLLS; i++) peer_poll(&server);
    CHECK_EQ(server.tcp->n_hot, 0);
    for (unsigned i = 0; i < CLIENTS; i++) peer_fini(&many[i]);
    WAIT_FOR(&server, &server, server.n_lost == CLIENTS);
    CHECK_EQ(server.tcp->n_conns, 0);
    stop();
}

/* Connects as soon as somebody listens, and dies when it is told to. */
static void be_a_caller(const int *told) {
    struct sockaddr_un addr = {.sun_family = AF_UNIX};
    int sock = socket(AF_UNIX, SOCK_STREAM, 0);
    char c;
    snprintf(addr.sun_path, sizeof addr.sun_path, "/tmp/tern-test-%ld-stream.sock", (long)getppid());
    if (read(told[0], &c, 1) != 1 || connect(sock, (struct sockaddr *)&addr, sizeof addr)) _exit(1);
    if (read(told[0], &c, 1) != 1) _exit(2);
    _exit(0);
}

/* A child of fork() has the connections, too: closing one does not take it out of the epoll set, which would go on to
 * name one that is gone. */
static void fork__child_has_the_connections(void) {
    int told[2], status = -1;
    CHECK_EQ(pipe(told), 0);
    pid_t caller = fork();
    if (caller == 0) be_a_caller(told);
    begin();
    CHECK_EQ(peer_init(&server, true), 0);
    CHECK_EQ(peer_listen(&server, local_path()), 0);
    CHECK_EQ(write(told[1], "x", 1), 1);
    for (int i = 0; i < 3000 && server.tcp->n_conns == 0; i++) {
        peer_poll(&server);
        usleep(1000);
    }
    CHECK_EQ(server.tcp->n_conns, 1);
    pid_t child = fork();
    if (child == 0) {
        pause();
        _exit(0);
    }
    CHECK_EQ(write(told[1], "x", 1), 1);
    CHECK_EQ(waitpid(caller, &status, 0), caller);
    CHECK_EQ(status, 0);
    for (int i = 0; i < 300; i++) {
        peer_poll(&server);
        usleep(100);
    }
    CHECK_EQ(server.tcp->n_conns, 0);
    struct pollfd pfd = {.fd = server.port->ops->fd(server.port), .events = POLLIN};
    CHECK_EQ(poll(&pfd, 1, 0), 0);
    CHECK_EQ(kill(child, SIGKILL), 0);
    CHECK_EQ(waitpid(child, NULL, 0), child);
    stop();
    close(told[0]);
    close(told[1]);
}

TAP_MAIN(TEST(fork__child_has_the_connections), TEST(ping__ipv4), TEST(ping__ipv6), TEST(ping__name),
         TEST(ping__wildcard_as_destination_means_loopback), TEST(ping__local), TEST(run__holds_packets_like_any),
         TEST(run__goes_on_in_the_next_chunk), TEST(coalesce__a_batch_is_one_write_and_few_reads),
         TEST(post__values_of_the_pool_stay_where_they_are),
         TEST(post__of_a_dead_buffer_is_an_error_and_abort_leaves_no_trace), TEST(post__limits),
         TEST(receive__held_packets_stay_as_they_are), TEST(full__ipv4), TEST(full__local),
         TEST(full__pieces_are_bounded_too), TEST(connect__refused_is_reported), TEST(connect__senseless_addresses),
         TEST(connect__unanswered_is_given_up), TEST(connect__two_to_one_address_share_it),
         TEST(connect__anew_after_a_restart), TEST(listen__taken), TEST(listen__local_file),
         TEST(disconnect__what_was_sent_before_arrives), TEST(disconnect__with_something_unread),
         TEST(free__what_waits_leaves), TEST(free__under_load), TEST(poll__many_connections))
