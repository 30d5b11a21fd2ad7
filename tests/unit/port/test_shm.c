/* The shm port, both ends in one thread: what is sent arrives, the way it should travel. */
#include "engine/packet.h"
#include "packets.h"
#include "shm_world.h"
#include <signal.h>
#include <sys/wait.h>

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

static end server, client;
static char path[64];

static void open_both(const char *name, bool share) { ends_open(&server, &client, path, name, share); }
static void close_both(void) { ends_close(&server, &client); }

static void pump(end *e, uint32_t n) {
    for (int i = 0; i < 5000 && e->n < n; i++) {
        end_poll(&client);
        end_poll(&server);
    }
    CHECK_EQ(e->n, n);
}

static uint8_t *filled(uint8_t *data, uint32_t n, unsigned seed) {
    for (uint32_t i = 0; i < n; i++) data[i] = (uint8_t)(seed + i * 7 + (i >> 8));
    return data;
}

static void packet__small_both_ways(void) {
    open_both("small", true);
    CHECK_OK();
    uint8_t data[56], back[56];
    CHECK(end_send(&client, filled(data, 56, 1), 56, NULL, 0));
    pump(&server, 1);
    CHECK_OK();
    CHECK_EQ(server.len[0], 56);
    CHECK_MEM(server.kept[0], data, 56);
    CHECK(end_send(&server, filled(back, 56, 2), 56, NULL, 0));
    pump(&client, 1);
    CHECK_OK();
    CHECK_MEM(client.kept[0], back, 56);
    CHECK(tern__route_eq(&client.route, &client.route));
    CHECK_EQ(end_stats(&client)->tx_packets, 1);
    CHECK_EQ(end_stats(&client)->wakes_sent, 0);
    close_both();
}

/* A long message and a stream are cut where a packet is full; a copy from there on is fast where it is aligned. */
static void packet__full_ones_leave_what_follows_aligned(void) {
    open_both("full", true);
    CHECK_OK();
    CHECK_EQ((client.port->link.path->max_packet - TERN__PKT_MAX_HEADER_BYTES) % 64, 0);
    close_both();
}

static void post__by_reference_outlives_unref(void) {
    NEEDS_SHARED_POOL();
    uint64_t before = live_buffers();
    open_both("ref", true);
    CHECK_OK();
    enum { N = 8, LEN = 5000 };
    uint8_t *value = tern_alloc(LEN), head[32] = {1}, expected[LEN];
    filled(value, LEN, 3);
    filled(expected, LEN, 3);
    CHECK(end_send(&client, head, 32, value, LEN));
    tern_unref(value);
    uint8_t *others[N];
    for (int i = 0; i < N; i++) {
        others[i] = tern_alloc(LEN);
        CHECK(others[i] != value);
        memset(others[i], 0xee, LEN);
    }
    CHECK_EQ(end_stats(&client)->tx_refs, 1);
    CHECK_EQ(end_stats(&client)->tx_ref_bytes, LEN);
    CHECK_EQ(end_stats(&client)->tx_bounce_bytes, 0);
    pump(&server, 1);
    CHECK_OK();
    CHECK_EQ(server.len[0], 32 + LEN);
    CHECK_EQ(server.n_spans[0], 1);
    CHECK_MEM(server.kept[0] + 32, expected, LEN);
    for (int i = 0; i < 3; i++) end_poll(&server), end_poll(&client);
    CHECK_EQ(end_stats(&client)->refs_released, 1);
    for (int i = 0; i < N; i++) tern_unref(others[i]);
    close_both();
    CHECK_EQ(live_buffers(), before);
}

static void post__foreign_memory_is_copied(void) {
    open_both("copy", true);
    CHECK_OK();
    static uint8_t value[40000], copy[40000];
    uint8_t head[32] = {1};
    filled(copy, sizeof copy, 9);
    CHECK(end_send(&client, head, 32, filled(value, sizeof value, 9), sizeof value));
    CHECK(end_send(&client, head, 32, value, 900));
    memset(value, 0, sizeof value);
    pump(&server, 2);
    CHECK_OK();
    CHECK_MEM(server.kept[0] + 32, copy, sizeof copy);
    CHECK_EQ(server.n_spans[0], 1);
    CHECK_MEM(server.kept[1] + 32, copy, 900);
    CHECK_EQ(server.n_spans[1], 0);
    CHECK_EQ(end_stats(&client)->tx_refs, 0);
    CHECK_EQ(end_stats(&client)->tx_bounce_bytes, sizeof copy);
    close_both();
}

static void post__without_sharing_is_copied(void) {
    open_both("noshare", false);
    CHECK_OK();
    uint8_t *value = tern_alloc(30000), head[32] = {1}, expected[30000];
    filled(expected, 30000, 5);
    CHECK(end_send(&client, head, 32, filled(value, 30000, 5), 30000));
    tern_unref(value);
    pump(&server, 1);
    CHECK_OK();
    CHECK_MEM(server.kept[0] + 32, expected, 30000);
    CHECK_EQ(end_stats(&client)->tx_refs, 0);
    close_both();
}

/* One side that does not show its region: references go one way only. */
static void post__sharing_must_be_mutual(void) {
    CHECK(end_open(&server, false));
    CHECK(end_open(&client, true));
    CHECK_EQ(end_listen(&server, world_path(path, "mutual")), 0);
    CHECK(end_meet(&client, &server, path));
    uint8_t *value = tern_alloc(3000), head[32] = {1};
    CHECK(end_send(&client, head, 32, filled(value, 3000, 5), 3000));
    pump(&server, 1);
    CHECK_OK();
    CHECK_MEM(server.kept[0] + 32, value, 3000);
    CHECK_EQ(end_stats(&client)->tx_refs, 0);
    tern_unref(value);
    close_both();
}

static void post__dead_or_straddling_is_refused(void) {
    NEEDS_SHARED_POOL();
    open_both("dead", true);
    CHECK_OK();
    tern__link *link = &client.port->link;
    uint8_t *value = tern_alloc(4096);
    uint8_t *mem = tern__tx_one(link, &client.route, 32, TERN__TX_MANY);
    CHECK(mem);
    CHECK_EQ(link->ops->tx_add(link, 0, value + 96, 4001), TERN_ERR_INVALID);
    CHECK_EQ(link->ops->tx_add(link, 0, value + 96, 4000), 0);
    CHECK_EQ(link->ops->tx_add(link, 0, value, 0), 0);
    link->ops->tx_commit(link, 0);
    CHECK_EQ(end_stats(&client)->refs_released, 1);
    tern_unref(value);
    CHECK(tern__tx_one(link, &client.route, 32, TERN__TX_MANY));
    CHECK_EQ(link->ops->tx_add(link, 0, value, 4000), TERN_ERR_INVALID);
    link->ops->tx_commit(link, 0);
    static uint8_t large[TERN__SHM_MAX_INPLACE];
    CHECK(tern__tx_one(link, &client.route, 32, TERN__TX_MANY));
    CHECK_EQ(link->ops->tx_add(link, 0, large, sizeof large - 31), TERN_ERR_INVALID);
    CHECK_EQ(link->ops->tx_add(link, 0, large, sizeof large - 32), 0);
    link->ops->tx_commit(link, 1);
    pump(&server, 1);
    CHECK_OK();
    CHECK_EQ(server.len[0], sizeof large);
    CHECK_EQ(tern__tx_one(link, &client.route, link->max_inline + 1, TERN__TX_MANY), NULL);
    close_both();
}

/* As many pieces as are promised, of each kind in turn, for many laps of everything. */
static void post__every_kind_in_order(void) {
    NEEDS_SHARED_POOL();
    uint64_t before = live_buffers();
    open_both("kinds", true);
    CHECK_OK();
    tern__link *link = &client.port->link;
    static uint8_t expected[TERN__SHM_MAX_PACKET], foreign[512];
    server.keep = false;
    for (unsigned round = 0; round < 400; round++) {
        uint32_t at = 24 + round * 37 % 8000;
        uint8_t *mem = tern__tx_one(link, &client.route, at, TERN__TX_MANY);
        CHECK(mem);
        filled(mem, at, round);
        filled(expected, at, round);
        for (uint32_t i = 0; i < link->max_posts; i++) {
            uint32_t len = (round * 31 + i * 97) % 420 + 1;
            if (len > link->path->max_packet - at) break;
            bool pooled = (i + round) % 3;
            uint8_t *value = pooled ? tern_alloc(len) : foreign;
            filled(value, len, i);
            filled(expected + at, len, i);
            CHECK_EQ(link->ops->tx_add(link, 0, value, len), 0);
            if (pooled) tern_unref(value);
            memset(foreign, 0, sizeof foreign);
            at += len;
        }
        link->ops->tx_commit(link, 1);
        link->ops->tx_flush(link);
        server.keep = true;
        end_forget(&server);
        pump(&server, 1);
        CHECK_OK();
        CHECK_EQ(server.len[0], at);
        CHECK_MEM(server.kept[0], expected, at);
    }
    CHECK(end_stats(&client)->tx_refs > 10000);
    CHECK(end_stats(&client)->tx_bounce_bytes > 4 * TERN__SHM_BOUNCE_BYTES);
    close_both();
    CHECK_EQ(live_buffers(), before);
}

static void tx_begin__full_then_room_again(void) {
    NEEDS_SHARED_POOL();
    uint64_t before = live_buffers();
    open_both("full", true);
    CHECK_OK();
    uint8_t head[56] = {0}, *value = tern_alloc(1024);
    memset(value, 4, 1024);
    server.keep = false;
    for (int kind = 0; kind < 3; kind++) {
        static uint8_t foreign[60000];
        const void *post = kind == 0 ? NULL : kind == 1 ? value : foreign;
        uint32_t len = kind == 0 ? 0 : kind == 1 ? 1024 : 60000;
        uint32_t sent = 0;
        server.n = 0;
        while (end_send(&client, head, 56, post, len)) sent++;
        CHECK(sent >= (kind == 0 ? 4000 : kind == 1 ? 1900 : 13));
        pump(&server, sent);
        CHECK_OK();
        end_poll(&server); /* finds nothing more, and says so */
        CHECK(end_can_send(&client));
    }
    CHECK_EQ(end_stats(&client)->tx_full, 3);
    tern_unref(value);
    close_both();
    CHECK_EQ(live_buffers(), before);
}

static const uint8_t *held;

static void hold_head_of(void *ctx, const tern__rx_packet *pkt) {
    (void)ctx;
    if (tern_ref(pkt->head) == 0) held = pkt->head;
}
EACH_PACKET(hold_heads, hold_head_of)

static void rx__head_can_be_kept(void) {
    open_both("hold", true);
    CHECK_OK();
    uint8_t data[300], expected[300];
    filled(expected, 300, 1);
    held = NULL;
    CHECK(end_send(&client, filled(data, 300, 1), 300, NULL, 0));
    for (int i = 0; i < 10 && !held; i++) server.port->ops->poll(server.port, 64, hold_heads, NULL);
    CHECK(held);
    for (int i = 0; i < 10; i++) CHECK(end_send(&client, filled(data, 300, 77), 300, NULL, 0));
    pump(&server, 10);
    CHECK_OK();
    CHECK_MEM(held, expected, 300);
    tern_unref(held);
    close_both();
}

/* ---- Small packets ------------------------------------------------------------------------------ */

/* Of packet i: most are of one line, the others of two to four. */
static uint32_t small_len(uint32_t i) { return i % 5 ? 24 + 16 + i % 17 : 24 + 33 + i % 192; }

/* Packet i: a header of three words that say so, and some bytes. */
static bool send_small(end *e, uint32_t i) {
    uint8_t packet[256];
    tern__store64(packet, i);
    tern__store64(packet + 8, ~(uint64_t)i);
    tern__store64(packet + 16, i * 3u);
    filled(packet + 24, sizeof packet - 24, (uint8_t)i);
    return put_packet(&e->port->link, &e->route, packet, small_len(i)) != PUT_NOT;
}

static uint32_t n_small, n_runs, n_held;
static const uint8_t *holds[64];

static void check_small(const uint8_t *p, uint32_t len, uint32_t i) {
    uint8_t data[256];
    filled(data, sizeof data - 24, (uint8_t)i);
    CHECK_EQ(len, small_len(i));
    CHECK_EQ(tern__load64(p), i);
    CHECK_EQ(tern__load64(p + 16), i * 3u);
    CHECK_MEM(p + 24, data, len - 24);
}

/* Keeps every n_held'th packet, if not 0. */
static void on_small(void *ctx, const tern__rx_packet *pkt) {
    (void)ctx;
    check_small(pkt->head, pkt->head_len, n_small);
    if (n_held && n_small % n_held == 0 && n_small / n_held < 64 && tern_ref(pkt->head) == 0)
        holds[n_small / n_held] = pkt->head;
    n_small++;
}

static void on_runs(void *ctx, const tern__rx_packet *pkts, uint32_t n) {
    n_runs += n;
    each_packet(on_small, ctx, pkts, n);
}

static void open_small(const char *name, uint32_t hold_each) {
    open_both(name, true);
    n_small = n_runs = 0;
    n_held = hold_each;
}

/* In bursts of all lengths, flushed or not, larger packets among them. */
static void run__small_packets_in_order(void) {
    open_small("lane", 0);
    CHECK_OK();
    uint64_t before = end_stats(&client)->tx_packets, bytes = end_stats(&client)->tx_inline_bytes;
    uint32_t n = 0, sum = 0;
    for (uint32_t burst = 0; burst < 400; burst++) {
        for (uint32_t i = 0; i < burst % 70; i++, n++) {
            CHECK(send_small(&client, n));
            sum += small_len(n);
        }
        if (burst % 3 == 0) client.port->link.ops->tx_flush(&client.port->link);
        if (burst % 3 == 1 && burst % 70 < 40)
            CHECK(end_can_send(&client)); /* begins and aborts a packet behind them */
        for (int i = 0; i < 20; i++) server.port->ops->poll(server.port, 64, on_runs, NULL);
        CHECK(n_small <= n);
        CHECK_OK();
    }
    client.port->link.ops->tx_flush(&client.port->link);
    for (int i = 0; i < 20; i++) server.port->ops->poll(server.port, 64, on_runs, NULL);
    CHECK_EQ(n_small, n);
    CHECK(n_runs < n / 8);
    CHECK_EQ(end_stats(&client)->tx_packets - before, n);
    CHECK_EQ(end_stats(&client)->tx_inline_bytes - bytes, sum);
    close_both();
}

static void run__waits_for_a_flush_but_not_long(void) {
    open_small("wait", 0);
    CHECK_OK();
    CHECK(send_small(&client, 0)); /* opens the run */
    CHECK(send_small(&client, 1));
    server.port->ops->poll(server.port, 64, on_runs, NULL);
    CHECK_EQ(n_small, 1);
    client.port->link.ops->tx_flush(&client.port->link);
    server.port->ops->poll(server.port, 64, on_runs, NULL);
    CHECK_EQ(n_small, 2);
    for (uint32_t i = 2; i < 2 + 2 * TERN__SHM_RUN_LINES; i++) CHECK(send_small(&client, i));
    for (int i = 0; i < 8; i++) server.port->ops->poll(server.port, 64, on_runs, NULL);
    CHECK(n_small > TERN__SHM_RUN_LINES);
    CHECK(n_small < 2 + 2 * TERN__SHM_RUN_LINES);
    close_both();
}

static void run__closes_with_its_peer(void) {
    open_small("gone", 0);
    CHECK_OK();
    CHECK(send_small(&client, 0));
    tern__tx_run *run = client.port->link.ops->run(&client.port->link, &client.route);
    CHECK(run->at != run->end);
    CHECK(send_small(&client, 1));
    end_close(&server);
    for (int i = 0; i < 2000 && client.n_lost == 0; i++) end_poll(&client);
    CHECK_EQ(client.n_lost, 1);
    CHECK(run->at == run->end);
    CHECK(!send_small(&client, 2));
    end_close(&client);
}

/* One that is kept keeps its run, and the next ones come singly for a while. */
static void rx__small_packets_can_be_kept(void) {
    open_small("keep", 16);
    CHECK_OK();
    memset(holds, 0, sizeof holds);
    uint32_t n = 0;
    for (int burst = 0; burst < 40; burst++) {
        for (int i = 0; i < 16; i++) CHECK(send_small(&client, n++));
        client.port->link.ops->tx_flush(&client.port->link);
        for (int i = 0; i < 3; i++) server.port->ops->poll(server.port, 64, on_runs, NULL);
    }
    CHECK_EQ(n_small, n);
    CHECK(n_runs > n / 2);
    for (uint32_t i = 0; i < 40; i++) {
        CHECK(holds[i]);
        CHECK_OK();
        check_small(holds[i], small_len(16 * i), 16 * i);
        tern_unref(holds[i]);
    }
    close_both();
}

static void rx__without_memory_waits(void) {
    open_both("nomem", true);
    CHECK_OK();
    uint8_t data[100];
    CHECK(end_send(&client, filled(data, 100, 1), 100, NULL, 0));
    tern__pool_fail_after(1);
    end_poll(&server);
    CHECK_EQ(tern__pool_fail_after(0), 0);
    CHECK_EQ(server.n, 0);
    CHECK_EQ(server.n_lost, 0);
    pump(&server, 1);
    CHECK_OK();
    CHECK_MEM(server.kept[0], data, 100);
    close_both();
}

/* ---- Routes ------------------------------------------------------------------------------------- */

static void connect__nobody_there_is_reported_then_redialled(void) {
    CHECK(end_open(&client, true));
    world_path(path, "later");
    CHECK_EQ(client.port->ops->connect(client.port, path, &client.route), 0);
    CHECK(!client.port->ops->arm(client.port));
    end_poll(&client);
    CHECK_EQ(client.n_lost, 1);
    CHECK(tern__route_eq(&client.lost, &client.route));
    CHECK(!end_can_send(&client));
    end_poll(&client);
    CHECK_EQ(client.n_lost, 2);
    CHECK(client.port->ops->arm(client.port));
    CHECK(end_open(&server, true));
    CHECK_EQ(end_listen(&server, path), 0);
    for (int i = 0; i < 100000 && !end_can_send(&client); i++) {
        end_poll(&client);
        end_poll(&server);
        usleep(10);
    }
    uint8_t head[32] = {7};
    CHECK(end_send(&client, head, 32, NULL, 0));
    pump(&server, 1);
    close_both();
}

/* We hang up on a peer that does not read: what it was sent by reference is held for a bounded time, asleep or not. */
static void disconnect__lingers_for_a_bounded_time(void) {
    NEEDS_SHARED_POOL();
    open_both("unread", true);
    CHECK_OK();
    tern__shm_port *port = (tern__shm_port *)(void *)client.port;
    port->linger = 80 * TERN_MS;
    uint8_t head[32] = {7};
    void *value = tern_alloc(5000);
    memset(value, 1, 5000);
    CHECK(end_send(&client, head, 32, value, 5000));
    CHECK_EQ(tern_refcount(value), 2);
    client.port->ops->disconnect(client.port, &client.route);
    end_poll(&client);
    CHECK_EQ(tern_refcount(value), 2); /* it may still read it */
    CHECK_EQ(port->n_timed, 1);
    for (int i = 0; i < 50 && tern_refcount(value) > 1; i++) {
        struct pollfd pfd = {.fd = client.port->ops->fd(client.port), .events = POLLIN};
        if (client.port->ops->arm(client.port)) poll(&pfd, 1, 1000);
        end_poll(&client);
    }
    CHECK_EQ(tern_refcount(value), 1);
    CHECK_EQ(port->n_timed, 0);
    CHECK_EQ(client.n_lost, 0); /* we did it */
    for (int i = 0; i < 2000 && !end_stats(&server)->peers_lost; i++) end_poll(&server);
    CHECK_EQ(end_stats(&server)->peers_lost, 1);
    CHECK_EQ(server.n, 0); /* revoked before it was read */
    tern_unref(value);
    close_both();
}

static void connect__addresses(void) {
    CHECK(end_open(&client, true));
    char longer[200];
    memset(longer, 'a', sizeof longer - 1);
    longer[sizeof longer - 1] = 0;
    longer[0] = '/';
    char actual[256];
    tern__port *port = client.port;
    CHECK_EQ(port->ops->connect(port, longer, &client.route), TERN_ERR_ADDRESS);
    CHECK_EQ(port->ops->connect(port, "", &client.route), TERN_ERR_ADDRESS);
    CHECK_EQ(port->ops->listen(port, longer, actual, sizeof actual), TERN_ERR_ADDRESS);
    CHECK_EQ(port->ops->listen(port, "", actual, sizeof actual), TERN_ERR_ADDRESS);
    CHECK_EQ(port->ops->listen(port, "/nonexistent/x.sock", actual, sizeof actual), TERN_ERR_ADDRESS);
    CHECK_EQ(port->ops->listen(port, world_path(path, "tiny"), actual, 4), TERN_ERR_ADDRESS);
    CHECK_EQ(access(path, F_OK), -1);
    end_close(&client);
}

static void connect__shares_a_route(void) {
    open_both("shared", true);
    CHECK_OK();
    tern__route second;
    CHECK_EQ(client.port->ops->connect(client.port, path, &second), 0);
    CHECK(tern__route_eq(&second, &client.route));
    client.port->ops->disconnect(client.port, &second);
    CHECK(end_can_send(&client));
    client.port->ops->disconnect(client.port, &second);
    CHECK(!end_can_send(&client));
    for (int i = 0; i < 2000 && !end_stats(&server)->peers_lost; i++) end_poll(&server), end_poll(&client);
    CHECK_EQ(end_stats(&server)->peers_lost, 1);
    CHECK_EQ(client.n_lost, 0);
    CHECK(!end_can_send(&client));
    client.port->ops->disconnect(client.port, &second);
    close_both();
}

/* An endpoint that calls itself: two peers of one port. */
static void connect__to_oneself(void) {
    uint64_t before = live_buffers();
    CHECK(end_open(&server, true));
    CHECK_EQ(end_listen(&server, world_path(path, "self")), 0);
    CHECK_EQ(server.port->ops->connect(server.port, path, &server.route), 0);
    for (int i = 0; i < 2000 && !end_can_send(&server); i++) end_poll(&server);
    tern__route there = server.route;
    uint8_t head[32] = {1}, *value = tern_alloc(1000);
    CHECK(end_send(&server, head, 32, filled(value, 1000, 1), 1000));
    for (int i = 0; i < 5; i++) end_poll(&server);
    CHECK_EQ(server.n, 1);
    CHECK_MEM(server.kept[0] + 32, value, 1000);
    CHECK(!tern__route_eq(&server.route, &there)); /* it came from the other peer */
    CHECK(end_send(&server, head, 32, value, 1000));
    for (int i = 0; i < 5; i++) end_poll(&server);
    CHECK_EQ(server.n, 2);
    CHECK(tern__route_eq(&server.route, &there));
    tern_unref(value);
    server.port->ops->disconnect(server.port, &there);
    for (int i = 0; i < 2000 && !server.n_lost; i++) end_poll(&server);
    CHECK_EQ(server.n_lost, 1);
    end_close(&server);
    CHECK_EQ(live_buffers(), before);
}

static void disconnect__last_words_arrive(void) {
    NEEDS_SHARED_POOL();
    uint64_t before = live_buffers();
    open_both("last", true);
    CHECK_OK();
    uint8_t head[32] = {1}, *value = tern_alloc(2000), expected[2000];
    filled(value, 2000, 8);
    filled(expected, 2000, 8);
    CHECK(end_send(&client, head, 32, value, 2000));
    tern_unref(value);
    client.port->ops->disconnect(client.port, &client.route);
    for (int i = 0; i < 2000; i++) end_poll(&client); /* it lingers for the reader's sake */
    uint8_t *other = tern_alloc(2000);
    memset(other, 0, 2000);
    CHECK(other != value);
    for (int i = 0; i < 2000 && !server.n_lost; i++) end_poll(&server), end_poll(&client);
    CHECK_EQ(server.n, 1);
    CHECK_MEM(server.kept[0] + 32, expected, 2000);
    CHECK_EQ(server.n_lost, 1);
    tern_unref(other);
    for (int i = 0; i < 1200; i++) end_poll(&client);
    CHECK_EQ(end_stats(&client)->refs_released, 1);
    close_both();
    CHECK_EQ(live_buffers(), before);
}

/* Freed while the peer has not read a reference: the buffer is taken back, so the record must not be read. */
static void free__unread_references_are_revoked(void) {
    NEEDS_SHARED_POOL();
    uint64_t before = live_buffers();
    open_both("revoke", true);
    CHECK_OK();
    uint8_t head[32] = {1}, *value = tern_alloc(2000);
    filled(value, 2000, 8);
    CHECK(end_send(&client, head, 32, NULL, 0));
    CHECK(end_send(&client, head, 32, value, 2000));
    tern_unref(value);
    end_close(&client);
    CHECK(end_open(&client, true));
    for (int i = 0; i < 2000 && !server.n_lost; i++) end_poll(&server);
    CHECK_EQ(server.n_lost, 1);
    CHECK_EQ(server.n, 1);
    close_both();
    CHECK_EQ(live_buffers(), before);
}

static void server__restarts_under_a_route(void) {
    open_both("restart", true);
    CHECK_OK();
    for (int i = 0; i < 3; i++) {
        uint32_t lost = client.n_lost;
        end_close(&server);
        for (int k = 0; k < 2000 && client.n_lost == lost; k++) end_poll(&client);
        CHECK_EQ(client.n_lost, lost + 1);
        CHECK(end_open(&server, true));
        CHECK_EQ(end_listen(&server, path), 0);
        for (int k = 0; k < 100000 && !end_can_send(&client); k++) {
            end_poll(&client);
            end_poll(&server);
            usleep(10);
        }
        uint8_t head[32] = {7};
        CHECK(end_send(&client, head, 32, NULL, 0));
        pump(&server, 1);
        CHECK_OK();
    }
    close_both();
}

static void peers__many_are_all_heard(void) {
    enum { N = 60 };
    static end clients[N];
    uint64_t before = live_buffers();
    CHECK(end_open(&server, true));
    CHECK_EQ(end_listen(&server, world_path(path, "many")), 0);
    for (int i = 0; i < N; i++) {
        CHECK(end_open(&clients[i], true));
        CHECK(end_meet(&clients[i], &server, path));
    }
    server.keep = false;
    uint8_t head[40] = {1};
    for (uint32_t round = 1; round <= 20; round++) {
        for (int i = 0; i < N; i++) CHECK(end_send(&clients[i], head, 40, NULL, 0));
        for (int i = 0; i < 50 && server.n < round * N; i++) end_poll(&server);
        CHECK_EQ(server.n, round * N);
    }
    for (int i = 0; i < N; i++) end_close(&clients[i]);
    for (int i = 0; i < 5000 && server.n_lost < N; i++) end_poll(&server);
    CHECK_EQ(server.n_lost, N);
    CHECK_EQ(end_stats(&server)->peers_up, N);
    end_close(&server);
    CHECK_EQ(live_buffers(), before);
}

/* ---- Listening ---------------------------------------------------------------------------------- */

static void listen__file_is_private_and_goes_away(void) {
    struct stat st;
    CHECK(end_open(&server, true));
    char actual[128], url[128];
    CHECK_EQ(server.port->ops->listen(server.port, world_path(path, "mode"), actual, sizeof actual), 0);
    snprintf(url, sizeof url, "shm://%s", path);
    CHECK_EQ(strcmp(actual, url), 0);
    CHECK_EQ(lstat(path, &st), 0);
    CHECK_EQ(st.st_mode & 0777, 0600);
    CHECK(S_ISSOCK(st.st_mode));
    end_close(&server);
    CHECK_EQ(lstat(path, &st), -1);
}

static void listen__live_server_keeps_its_address(void) {
    open_both("live", true);
    CHECK_OK();
    CHECK_EQ(end_listen(&client, path), TERN_ERR_EXISTS);
    uint8_t head[32] = {7};
    for (int i = 0; i < 2000; i++) end_poll(&server);
    CHECK(end_send(&client, head, 32, NULL, 0));
    pump(&server, 1);
    close_both();
}

static void listen__stale_file_is_replaced(void) {
    world_path(path, "stale");
    int fd = socket(AF_UNIX, SOCK_SEQPACKET, 0);
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strcpy(address.sun_path, path);
    CHECK_EQ(bind(fd, (struct sockaddr *)&address, sizeof address), 0);
    close(fd);
    CHECK(end_open(&server, true));
    CHECK(end_open(&client, true));
    CHECK_EQ(end_listen(&server, path), 0);
    CHECK(end_meet(&client, &server, path));
    close_both();
}

static void listen__other_files_are_left_alone(void) {
    world_path(path, "file");
    int fd = open(path, O_CREAT | O_WRONLY, 0600);
    CHECK(fd >= 0);
    close(fd);
    CHECK(end_open(&server, true));
    CHECK_EQ(end_listen(&server, path), TERN_ERR_EXISTS);
    end_close(&server);
    CHECK_EQ(access(path, F_OK), 0);
    unlink(path);
}

/* A child of fork(), before its exec say, has the peer's socket, too: closing it does not take it out of the epoll set,
 * which would go on to name a peer that is gone. */
static void fork__child_has_the_sockets(void) {
    open_both("fork", true);
    CHECK_OK();
    pid_t child = fork();
    if (child == 0) {
        pause();
        _exit(0);
    }
    end_close(&client);
    for (int i = 0; i < 5000; i++) end_poll(&server);
    CHECK_EQ(end_stats(&server)->peers_lost, 1);
    struct pollfd pfd = {.fd = server.port->ops->fd(server.port), .events = POLLIN};
    CHECK_EQ(poll(&pfd, 1, 0), 0);
    CHECK_EQ(kill(child, SIGKILL), 0);
    CHECK_EQ(waitpid(child, NULL, 0), child);
    close_both();
}

TAP_MAIN(TEST(fork__child_has_the_sockets), TEST(packet__small_both_ways),
         TEST(packet__full_ones_leave_what_follows_aligned), TEST(post__by_reference_outlives_unref),
         TEST(post__foreign_memory_is_copied), TEST(post__without_sharing_is_copied),
         TEST(post__sharing_must_be_mutual), TEST(post__dead_or_straddling_is_refused), TEST(post__every_kind_in_order),
         TEST(tx_begin__full_then_room_again), TEST(rx__head_can_be_kept), TEST(run__small_packets_in_order),
         TEST(run__waits_for_a_flush_but_not_long), TEST(run__closes_with_its_peer),
         TEST(rx__small_packets_can_be_kept), TEST(rx__without_memory_waits),
         TEST(connect__nobody_there_is_reported_then_redialled), TEST(disconnect__lingers_for_a_bounded_time),
         TEST(connect__addresses), TEST(connect__shares_a_route), TEST(connect__to_oneself),
         TEST(disconnect__last_words_arrive), TEST(free__unread_references_are_revoked),
         TEST(server__restarts_under_a_route), TEST(peers__many_are_all_heard),
         TEST(listen__file_is_private_and_goes_away), TEST(listen__live_server_keeps_its_address),
         TEST(listen__stale_file_is_replaced), TEST(listen__other_files_are_left_alone))
