/* The stream port and peers that break its rules, dawdle, or die: plain sockets and killed processes against a port. */
#include <malloc.h>
#include <signal.h>
#include <sys/wait.h>

#include "base/rng.h"
#include "lingering.h"
#include "port/socket_option.h"
#include "tcp_peer.h"

static peer server, client;
static tern__route route;
static uint64_t live_before;
static int fds_before, raw;
static uint8_t stream[1 << 20];

/* A server, and a plain socket connected to it that has said nothing. */
static void start(void) {
    tern_mem_init(NULL);
    live_before = live_buffers();
    fds_before = open_fds();
    CHECK_EQ(peer_init(&server, false), 0);
    server.tcp->times.tick = 5 * TERN_MS;
    CHECK_EQ(peer_listen(&server, "127.0.0.1:0"), 0);
    raw = raw_connect(server.address);
    CHECK(raw >= 0);
    WAIT_FOR(&server, &server, server.tcp->n_half_open == 1);
}

static void stop(void) {
    if (raw >= 0) close(raw);
    raw = -1;
    peer_fini(&client);
    peer_fini(&server);
    CHECK_EQ(live_buffers(), live_before);
    CHECK_EQ(open_fds(), fds_before);
}

/* Behind a greeting, perhaps. */
static bool is_closed(int fd) {
    char bytes[TERN__TCP_GREETING_BYTES];
    struct pollfd pfd = {.fd = fd, .events = POLLIN};
    for (int i = 0; i < 2; i++) {
        if (poll(&pfd, 1, WAIT_MS) != 1) return false;
        if (recv(fd, bytes, sizeof bytes, MSG_DONTWAIT) <= 0) return true;
    }
    return false;
}

/* ---- What is not our protocol ---------------------------------------------------------------------- */

/* These bytes end the connection; n_packets came through before. */
static void nonsense(const void *bytes, size_t len, unsigned n_packets) {
    start();
    CHECK_OK();
    CHECK(raw_send(raw, bytes, len));
    WAIT_FOR(&server, &server, server.tcp->n_conns == 0);
    CHECK_EQ(server.n, n_packets);
    CHECK_EQ(server.tcp->stats.rx_malformed, 1);
    bool was_up = len > TERN__TCP_GREETING_BYTES;
    CHECK_EQ(server.n_lost, was_up);
    CHECK_EQ(server.tcp->stats.conns_lost, was_up);
    CHECK_EQ(server.tcp->stats.refused, !was_up);
    stop();
}

static void greeting__garbage(void) {
    static const char *const others[] = {
        "G", "GET / H", "\x16\x03\x01", "TERX", "TERN\x02", "TERN\x01\x01\x00\x00", "TERN\x01\x00\x00\x01"};
    static const size_t lens[] = {1, 7, 3, 4, 5, 8, 8};
    for (unsigned i = 0; i < TERN__COUNT(others); i++) {
        nonsense(others[i], lens[i], 0);
        CHECK_OK();
    }
}

static void greeting__ours(void) {
    static const uint8_t from_client[8] = {'T', 'E', 'R', 'N', 1, 0, 0, 0},
                         from_server[8] = {'T', 'E', 'R', 'N', 1, 1, 0, 0};
    uint8_t got[8];
    start();
    CHECK_OK();
    CHECK(raw_send(raw, from_client, 8));
    WAIT_FOR(&server, &server, server.tcp->stats.conns_up == 1);
    CHECK_EQ(recv(raw, got, 8, 0), 8);
    CHECK_MEM(got, from_server, 8);
    stop();
    /* and the client's, which goes first */
    char address[64];
    int listener = raw_listen(address);
    CHECK_EQ(peer_init(&client, false), 0);
    CHECK_EQ(peer_connect(&client, address, &route), 0);
    int fd = accept(listener, NULL, NULL);
    WAIT_FOR(&client, &client, peer_can_send(&client, &route)); /* without waiting for ours */
    CHECK_EQ(recv(fd, got, 8, 0), 8);
    CHECK_MEM(got, from_client, 8);
    /* a packet, byte for byte */
    static const uint8_t framed[9] = {5, 0, 0, 0, 'h', 'e', 'l', 'l', 'o'};
    uint8_t bytes[9];
    CHECK(peer_put(&client, &route, (const uint8_t *)"hello", 5, 5));
    peer_flush(&client);
    CHECK_EQ(recv(fd, bytes, 9, MSG_WAITALL), 9);
    CHECK_MEM(bytes, framed, 9);
    /* an answer that is not from a server of ours */
    CHECK(raw_send(fd, "HTTP/1.1 400 Bad Request\r\n", 26));
    WAIT_FOR(&client, &client, client.n_lost == 1);
    CHECK_EQ(client.tcp->stats.rx_malformed, 1);
    close(fd);
    close(listener);
    peer_fini(&client);
}

static void frame__no_length_that_cannot_be(void) {
    static const uint32_t lens[] = {0, TERN__TCP_MAX_PACKET + 1, 1u << 31, UINT32_MAX, 0x20544547 /* "GET " */};
    for (unsigned i = 0; i < TERN__COUNT(lens); i++) {
        size_t n = raw_stream(stream, 3, 100);
        tern__store32(stream + n, lens[i]);
        nonsense(stream, n + 4, 3);
        CHECK_OK();
    }
}

static void frame__the_largest_length_takes_one_buffer(void) {
    start();
    CHECK_OK();
    uint64_t before = live_buffers();
    size_t n = raw_stream(stream, 0, 0);
    tern__store32(stream + n, TERN__TCP_MAX_PACKET);
    CHECK(raw_send(raw, stream, n + 4));
    WAIT_FOR(&server, &server, server.tcp->stats.conns_up == 1);
    /* its own; the port's for receiving; chunks for the greeting */
    CHECK(live_buffers() - before <= 4);
    CHECK_EQ(server.n, 0);
    close(raw);
    raw = -1;
    WAIT_FOR(&server, &server, server.tcp->stats.conns_lost == 1);
    CHECK_EQ(server.n, 0);
    CHECK_EQ(server.tcp->stats.rx_malformed, 0); /* it died, that is all */
    stop();
}

/* ---- Arrival in pieces ----------------------------------------------------------------------------- */

static void check_stream(unsigned n, uint32_t len) {
    CHECK_EQ(server.n, n);
    for (unsigned i = 0; i < n; i++) {
        uint8_t bytes[1000];
        for (uint32_t k = 0; k < len; k++) bytes[k] = (uint8_t)(i + k);
        CHECK_EQ(server.lens[i], len);
        CHECK_EQ(server.sums[i], sum_of(bytes, len));
    }
}

static void arrival__byte_by_byte(void) {
    start();
    CHECK_OK();
    int one = 1;
    setsockopt(raw, IPPROTO_TCP, 1 /* TCP_NODELAY */, &one, sizeof one);
    size_t n = raw_stream(stream, 5, 60);
    for (size_t i = 0; i < n; i++) {
        uint64_t before = server.tcp->stats.rx_bytes;
        CHECK(raw_send(raw, stream + i, 1));
        WAIT_FOR(&server, &server, server.tcp->stats.rx_bytes == before + 1);
    }
    check_stream(5, 60);
    CHECK_EQ(server.tcp->stats.rx_parts, 5);
    CHECK_EQ(server.n_lost, 0);
    stop();
}

static void arrival__in_pieces_of_any_size(void) {
    tern__rng rng;
    tern__rng_seed(&rng, 11);
    for (unsigned round = 0; round < 20; round++) {
        start();
        CHECK_OK();
        size_t n = raw_stream(stream, 300, 700), at = 0;
        while (at < n) {
            size_t len = 1 + tern__rng_below(&rng, round % 2 ? 40 : 5000);
            if (len > n - at) len = n - at;
            CHECK(raw_send(raw, stream + at, len));
            at += len;
            if (tern__rng_below(&rng, 3)) peer_poll(&server);
        }
        WAIT_FOR(&server, &server, server.n == 300);
        check_stream(300, 700);
        stop();
        CHECK_OK();
    }
}

static void arrival__many_packets_by_few_reads(void) {
    start();
    CHECK_OK();
    size_t n = raw_stream(stream, 2000, 28);
    CHECK(raw_send(raw, stream, n));
    WAIT_FOR(&server, &server, server.n == 2000);
    check_stream(2000, 28);
    CHECK(server.tcp->stats.rx_calls < 2000 / 50);
    stop();
}

/* ---- The end of a peer ----------------------------------------------------------------------------- */

static void end__half_close_delivers_what_came_before(void) {
    start();
    CHECK_OK();
    size_t n = raw_stream(stream, 7, 30);
    CHECK(raw_send(raw, stream, n));
    CHECK(raw_send(raw, "\x09", 1)); /* and the beginning of one that never comes */
    shutdown(raw, SHUT_WR);
    WAIT_FOR(&server, &server, server.n_lost == 1);
    check_stream(7, 30);
    CHECK(tern__route_eq(&server.lost, &server.from));
    CHECK(tern__tx_one(&server.port->link, &server.lost, 30, TERN__TX_MANY) == NULL);
    stop();
}

static void end__reset(void) {
    start();
    CHECK_OK();
    size_t n = raw_stream(stream, 1, 30);
    CHECK(raw_send(raw, stream, n));
    WAIT_FOR(&server, &server, server.n == 1);
    struct linger hard = {.l_onoff = 1};
    setsockopt(raw, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
    close(raw);
    raw = -1;
    /* noticed by a write, or by a read: once */
    peer_put(&server, &server.from, stream, 100, 100);
    peer_flush(&server);
    WAIT_FOR(&server, &server, server.n_lost == 1);
    peer_poll(&server);
    CHECK_EQ(server.n_lost, 1);
    stop();
}

/* It has gone, and what it sent before is still in our socket when a write fails. */
static void end__found_by_a_write_after_packets_came(void) {
    start();
    CHECK_OK();
    size_t n = raw_stream(stream, 1, 30);
    CHECK(raw_send(raw, stream, n));
    WAIT_FOR(&server, &server, server.n == 1);
    CHECK(raw_send(raw, stream + 8, n - 8));
    close(raw); /* with our greeting unread: a reset */
    raw = -1;
    tern__route to = server.from;
    for (int i = 0; i < 100 && !server.tcp->attention; i++) {
        peer_put(&server, &to, stream, 100, 100);
        peer_flush(&server);
    }
    WAIT_FOR(&server, &server, server.n_lost == 1);
    CHECK_EQ(server.n, 2);
    stop();
}

/* Who greets and brings no packet: nobody has heard of the route, and all sessions would be searched for it. */
static void end__of_strangers_is_not_reported(void) {
    enum { N = 100 };
    start();
    CHECK_OK();
    size_t n = raw_stream(stream, 1, 30);
    for (unsigned i = 1; i <= N; i++) {
        CHECK(raw_send(raw, stream, i < N ? TERN__TCP_GREETING_BYTES : n)); /* the last one brings a packet */
        WAIT_FOR(&server, &server, server.tcp->stats.conns_up == i);
        close(raw);
        WAIT_FOR(&server, &server, server.tcp->stats.conns_lost == i);
        CHECK_EQ(server.n_lost, i == N);
        raw = i < N ? raw_connect(server.address) : -1;
    }
    stop();
}

/* Our write has failed, and a callback must not learn of it outside of poll. */
static void end__is_reported_in_poll_only(void) {
    start();
    CHECK_OK();
    size_t n = raw_stream(stream, 1, 30);
    CHECK(raw_send(raw, stream, n));
    WAIT_FOR(&server, &server, server.n == 1);
    tern__tcp_conn *conn = tern__tcp_conn_of(server.tcp, &server.from);
    shutdown(conn->sock, SHUT_WR); /* from now on every write fails */
    CHECK(peer_put(&server, &server.from, stream, 100, 100));
    peer_flush(&server);
    CHECK(conn->broken);
    CHECK_EQ(server.n_lost, 0);
    CHECK(!peer_can_send(&server, &server.from));
    CHECK(!server.port->ops->arm(server.port)); /* there is something to poll */
    peer_poll(&server);
    CHECK_EQ(server.n_lost, 1);
    stop();
}

/* It reads no more, and says so, but goes on sending: what sockets hold is taken, and then it ends. */
static void end__takes_nothing_and_goes_on_sending(void) {
    char path[64];
    snprintf(path, sizeof path, "/tmp/tern-test-%ld-deaf.sock", (long)getpid());
    CHECK_EQ(peer_init(&server, true), 0);
    CHECK_EQ(peer_listen(&server, path), 0);
    int fd = tern__unix_dial(path, SOCK_STREAM);
    size_t n = raw_stream(stream, 10, 40000), at = 0;
    CHECK(fd >= 0);
    shutdown(fd, SHUT_RD);
    for (unsigned i = 0; i < 20000 && server.n_lost == 0; i++) {
        ssize_t sent;
        while ((sent = send(fd, stream + at, n - at, MSG_NOSIGNAL)) > 0) {
            at += (size_t)sent;
            if (at == n) at = TERN__TCP_GREETING_BYTES;
        }
        peer_poll(&server);
    }
    CHECK_EQ(server.n_lost, 1);
    CHECK(server.n > 0 && server.tcp->n_conns == 0);
    close(fd);
    peer_fini(&server);
}

/* A Unix socket takes no descriptor: the last close of one would wait inside our recv(). */
static void descriptor__does_not_stop_the_thread(void) {
    char path[64];
    int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool can = tern__socket_refuse_descriptors(probe);
    close(probe);
    if (!can) SKIP("the kernel has no SO_PASSRIGHTS");
    snprintf(path, sizeof path, "/tmp/tern-test-%ld-rights.sock", (long)getpid());
    CHECK_EQ(peer_init(&server, true), 0);
    CHECK_EQ(peer_listen(&server, path), 0);
    int sock = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), far, fd = lingering_socket(&far);
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    memcpy(address.sun_path, path, strlen(path) + 1);
    CHECK(fd >= 0 && connect(sock, (const struct sockaddr *)(const void *)&address, sizeof address) == 0);
    bool sent = send_with_fd(sock, "TERN\x01\0\0", 8, fd); /* before the connection is accepted */
    bool nonblocking = fcntl(fd, F_GETFL) & O_NONBLOCK;
    if (sent) close(fd); /* what is on its way holds the last reference */
    double before = seconds_now();
    for (int i = 0; i < 1000; i++) peer_poll(&server);
    CHECK(!nonblocking && seconds_now() - before < LINGER_S / 2.0);
    CHECK(!sent && server.tcp->n_conns == 1);
    CHECK(!send_with_fd(sock, "TERN\x01\0\0", 8, fd)); /* nor when it is */
    close(far);                                        /* resets */
    close(fd);
    close(sock);
    peer_fini(&server);
}

/* Nor from a server. */
static void descriptor__not_from_a_server(void) {
    tern__unix_listener listener;
    char path[64];
    int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool can = tern__socket_refuse_descriptors(probe);
    close(probe);
    if (!can) SKIP("the kernel has no SO_PASSRIGHTS");
    snprintf(path, sizeof path, "/tmp/tern-test-%ld-dialled.sock", (long)getpid());
    CHECK_EQ(tern__unix_listener_open(&listener, path, SOCK_STREAM), 0);
    int dialled = tern__unix_dial(path, SOCK_STREAM), accepted = tern__socket_accept(listener.fd);
    CHECK(dialled >= 0 && accepted >= 0);
    CHECK(!send_with_fd(accepted, "x", 1, listener.fd) && errno == EPERM);
    CHECK_EQ(send(accepted, "x", 1, MSG_NOSIGNAL), 1);
    close(dialled);
    close(accepted);
    tern__unix_listener_close(&listener);
}

/* ---- Processes that are killed --------------------------------------------------------------------- */

/* A child that serves or talks without end, through a port of its own: this program again. */
static pid_t start_child(const char *role, const char *address) {
    pid_t child = fork();
    if (child == 0) {
        execl("/proc/self/exe", "test_tcp_hostile", "--child", role, address, (char *)NULL);
        _exit(127);
    }
    return child;
}

static int child_main(const char *role, const char *address) {
    alarm(60);
    bool serve = strcmp(role, "serve") == 0;
    if (peer_init(&client, true) != 0) return 2;
    if (serve ? peer_listen(&client, address) : peer_connect(&client, address, &route)) return 3;
    client.echo = serve;
    for (unsigned i = 0;; i++) {
        if (!serve && peer_put(&client, &route, stream + i % 1000, 10000, 10)) peer_flush(&client);
        if (peer_poll(&client) == 0) peers_sleep(&client, &client);
    }
}

static void kill_child(pid_t child) {
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

static void path_of(char path[64]) { snprintf(path, 64, "/tmp/tern-test-%ld-killed.sock", (long)getpid()); }

static void killed__server_in_the_middle_of_it(void) {
    char path[64];
    path_of(path);
    for (int round = 0; round < 5; round++) {
        pid_t child = start_child("serve", path);
        CHECK_EQ(peer_init(&client, true), 0);
        client.tcp->times.redial_pause = 0;
        CHECK_EQ(peer_connect(&client, path, &route), 0);
        for (int i = 0; i < 3000 && !peer_can_send(&client, &route); i++) {
            peer_poll(&client);
            usleep(1000);
        }
        client.n_lost = 0;
        while (client.n < 50) {
            while (peer_put(&client, &route, stream, 30000, 100)) continue;
            if (peer_poll(&client) == 0) CHECK(peers_sleep(&client, &client));
        }
        kill_child(child);
        while (peer_put(&client, &route, stream, 30000, 100)) continue;
        WAIT_FOR(&client, &client, client.n_lost == 1);
        peer_fini(&client);
    }
    unlink(path);
}

static void killed__client_in_the_middle_of_it(void) {
    char path[64];
    path_of(path);
    CHECK_EQ(peer_init(&server, true), 0);
    CHECK_EQ(peer_listen(&server, path), 0);
    server.echo = true;
    for (unsigned round = 1; round <= 5; round++) {
        unsigned n = server.n;
        pid_t child = start_child("talk", path);
        WAIT_FOR(&server, &server, server.n > n + 50);
        kill_child(child);
        WAIT_FOR(&server, &server, server.n_lost == round);
        CHECK_EQ(server.tcp->n_conns, 0);
    }
    peer_fini(&server);
}

/* ---- Too many ------------------------------------------------------------------------------------- */

/* Who connects again and again, says nothing and goes, drives nobody out who greets: neither those that are here, nor
 * the one that comes last. */
static void strangers__give_way_at_random(void) {
    enum { N = TERN__TCP_MAX_STRANGERS + 200 };
    static int socks[N];
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    if (limit.rlim_cur < 3 * N) SKIP("too few descriptors");
    start();
    CHECK_OK();
    CHECK(raw_send(raw, "TERN", 4)); /* on its way, and slow */
    WAIT_FOR(&server, &server, server.tcp->stats.rx_bytes == 4);
    for (unsigned i = 0; i < N; i++) {
        socks[i] = raw_connect(server.address);
        CHECK(socks[i] >= 0);
        peer_poll(&server);
    }
    WAIT_FOR(&server, &server, server.tcp->stats.refused == N + 1 - TERN__TCP_MAX_STRANGERS);
    CHECK_EQ(server.tcp->n_half_open, TERN__TCP_MAX_STRANGERS);
    CHECK_EQ(server.tcp->n_conns, TERN__TCP_MAX_STRANGERS);
    CHECK_EQ(server.n_lost, 0); /* nobody has heard of them */
    unsigned n_first = 0;
    for (unsigned i = 0; i < 200; i++) n_first += recv(socks[i], stream, 1, MSG_DONTWAIT) != 0;
    CHECK(n_first > 50); /* the oldest have not gone first */
    /* both of them can still greet, and open sessions */
    size_t n = raw_stream(stream, 1, 40);
    CHECK(raw_send(raw, stream + 4, n - 4));
    WAIT_FOR(&server, &server, server.n == 1);
    int last = raw_connect(server.address);
    CHECK(raw_send(last, stream, n));
    WAIT_FOR(&server, &server, server.n == 2);
    for (unsigned i = 0; i < N; i++) close(socks[i]);
    close(last);
    close(raw);
    raw = -1;
    WAIT_FOR(&server, &server, server.tcp->n_conns == 0);
    CHECK(!peer_has_deadlines(&server));
    CHECK_EQ(server.tcp->seats.n, 0);
    stop();
}

static void strangers__not_for_long(void) {
    start();
    CHECK_OK();
    server.tcp->times.stranger = 40 * TERN_MS;
    int slow = raw_connect(server.address), idle = raw_connect(server.address);
    size_t n = raw_stream(stream, 1, 40);
    CHECK(raw_send(slow, "TERN", 4)); /* as it should be, so far */
    CHECK(raw_send(idle, stream, n)); /* a packet, and no session comes of it */
    WAIT_FOR(&server, &server, server.n == 1 && server.tcp->n_half_open == 2);
    /* raw was accepted under the old limit; the others wake a sleeping server when their time is up */
    tern_time began = tern__coarse_now();
    WAIT_FOR(&server, &server, server.tcp->n_conns == 1);
    CHECK(tern__coarse_now() - began < TERN_SEC);
    CHECK(is_closed(slow) && is_closed(idle));
    CHECK_EQ(server.n_lost, 1); /* the one that has brought a packet */
    close(slow);
    close(idle);
    stop();
}

/* Who has a session stays, and becomes a stranger when the last one has ended. */
static void strangers__have_no_session(void) {
    start();
    CHECK_OK();
    server.tcp->times.stranger = 30 * TERN_MS;
    server.uses = true;
    int used = raw_connect(server.address);
    size_t n = raw_stream(stream, 1, 40);
    CHECK(raw_send(used, stream, n));
    WAIT_FOR(&server, &server, server.n == 1);
    tern__route route_used = server.from;
    int other = raw_connect(server.address); /* whose time is up later */
    WAIT_FOR(&server, &server, server.tcp->n_conns == 3);
    WAIT_FOR(&server, &server, server.tcp->n_conns == 2);
    CHECK(is_closed(other));
    CHECK(tern__tcp_conn_of(server.tcp, &route_used) != NULL);
    server.port->link.ops->use(&server.port->link, &route_used, false);
    WAIT_FOR(&server, &server, server.n_lost == 1);
    CHECK(is_closed(used));
    close(used);
    close(other);
    stop();
}

/* A frame that goes on and on, byte by byte, on a connection with a session. */
static void frame__is_whole_in_time(void) {
    start();
    CHECK_OK();
    server.tcp->times.frame = 100 * TERN_MS;
    server.uses = true;
    size_t n = raw_stream(stream, 1, 40);
    CHECK(raw_send(raw, stream, n));
    WAIT_FOR(&server, &server, server.n == 1);
    CHECK(raw_send(raw, "\x20\x4e\0\0", 4)); /* 20,000 bytes */
    tern_time began = tern__coarse_now();
    while (server.n_lost == 0 && tern__coarse_now() - began < 2 * TERN_SEC) {
        raw_send(raw, "x", 1);
        peer_poll(&server);
        poll(NULL, 0, 1);
    }
    CHECK_EQ(server.n_lost, 1);
    CHECK(tern__coarse_now() - began >= 80 * TERN_MS);
    /* one after the other may take as long as it likes, if each is whole in time */
    int other = raw_connect(server.address);
    CHECK(raw_send(other, stream, TERN__TCP_GREETING_BYTES));
    for (unsigned i = 0; i < 10; i++) {
        unsigned before = server.n;
        CHECK(raw_send(other, stream + 8, 4));
        WAIT_FOR(&server, &server, server.tcp->n_conns == 1 && server.tcp->slots[1].conn == NULL);
        for (int k = 0; k < 4; k++) poll(NULL, 0, 5), peer_poll(&server);
        CHECK(raw_send(other, stream + 12, 40));
        WAIT_FOR(&server, &server, server.n == before + 1);
    }
    CHECK_EQ(server.n_lost, 1);
    close(other);
    WAIT_FOR(&server, &server, server.n_lost == 2);
    stop();
}

/* 12 bytes from each of many: the memory of a frame comes with its bytes. */
static void frame__takes_memory_as_it_comes(void) {
    enum { N = 200 };
    static int socks[N];
    tern_mem_stats before, after;
    start();
    CHECK_OK();
    close(raw);
    raw = -1;
    uint8_t hello[12];
    tern__tcp_greeting_write(hello, TERN__TCP_CLIENT);
    tern__store32(hello + 8, TERN__TCP_MAX_PACKET);
    tern_mem_get_stats(&before);
    struct mallinfo2 heap_before = mallinfo2();
    for (unsigned i = 0; i < N; i++) {
        socks[i] = raw_connect(server.address);
        CHECK(raw_send(socks[i], hello, sizeof hello));
        peer_poll(&server);
    }
    WAIT_FOR(&server, &server, server.tcp->stats.conns_up == N);
    uint64_t held = 0;
    for (uint32_t i = 0; i < server.tcp->n_slots; i++)
        if (server.tcp->slots[i].conn) held += server.tcp->slots[i].conn->held.bytes;
    CHECK_EQ(held, (uint64_t)N * TERN__TCP_PART_BYTES); /* on the accounts */
    tern_mem_get_stats(&after);
    CHECK(after.live_buffers - before.live_buffers <= N + 8);
    /* the rest: a record each, and nothing of 12 KB or 64 KB */
    struct mallinfo2 heap_after = mallinfo2();
    CHECK((heap_after.uordblks - heap_before.uordblks) / N < 1500);
    for (unsigned i = 0; i < N; i++) close(socks[i]);
    WAIT_FOR(&server, &server, server.tcp->n_conns == 0);
    stop();
}

/* Beginnings of frames, and answers that are not read, are on the account of their peer, and leave it. */
static void account__counts_frames_and_answers(void) {
    start();
    CHECK_OK();
    size_t n = raw_stream(stream, 2, 30000);
    CHECK(raw_send(raw, stream, n - 5000));
    WAIT_FOR(&server, &server, server.n == 1);
    CHECK(server.held >= 25000 && server.held <= 65536);
    CHECK(raw_send(raw, stream + n - 5000, 5000));
    WAIT_FOR(&server, &server, server.n == 2);
    CHECK_EQ(server.held, 0);
    while (server.held == 0) {
        peer_put(&server, &server.from, stream, 40000, 1000);
        peer_flush(&server);
    }
    while (peer_put(&server, &server.from, stream, 40000, 1000)) peer_flush(&server);
    CHECK(server.held > TERN__TCP_QUEUE_BYTES / 2);
    /* the same when the account says that it is enough, long before the queue is full */
    uint8_t *sink = malloc(1 << 20);
    fcntl(raw, F_SETFL, O_NONBLOCK);
    while (server.held) {
        while (recv(raw, sink, 1 << 20, 0) > 0) continue;
        peer_poll(&server);
    }
    free(sink);
    server.may_hold = 100000;
    while (peer_put(&server, &server.from, stream, 40000, 1000)) peer_flush(&server);
    CHECK(server.held > 0 && server.held < 200000);
    close(raw);
    raw = -1;
    WAIT_FOR(&server, &server, server.n_lost == 1);
    CHECK_EQ(server.held, 0);
    stop();
}

/* Long answers of which a piece waits: they are their maker's, until he gives them up. */
static void account__counts_answers_that_only_the_queue_keeps(void) {
    enum { N = 15, ANSWER = 1 << 20, PIECE = 60000 };
    uint8_t *answers[N];
    start();
    CHECK_OK();
    CHECK(raw_send(raw, stream, raw_stream(stream, 1, 100)));
    WAIT_FOR(&server, &server, server.n == 1);
    while (!server.held) peer_put(&server, &server.from, stream, 40000, 1000), peer_flush(&server);
    for (unsigned i = 0; i < N; i++) {
        answers[i] = tern_alloc(ANSWER);
        CHECK(peer_put(&server, &server.from, answers[i], PIECE, 1000));
    }
    peer_flush(&server);
    CHECK(server.held >= N * (PIECE - 1000) && server.held < 2 * TERN__TCP_QUEUE_BYTES);
    for (unsigned i = 0; i < N; i++) tern_unref(answers[i]);
    CHECK(raw_send(raw, stream + 8, 104)); /* which supersedes them */
    WAIT_FOR(&server, &server, server.n == 2);
    CHECK(server.held >= (uint64_t)N * ANSWER);
    for (int i = 0; i < 5000 && server.held; i++) {
        while (recv(raw, stream, sizeof stream, MSG_DONTWAIT) > 0) continue;
        peer_poll(&server);
    }
    CHECK_EQ(server.held, 0);
    stop();
}

/* A peer with too much of what all together may not have any more loses its connection, whatever it holds. */
static void account__beyond_the_bound_it_ends(void) {
    for (int kind = 0; kind < 2; kind++) {
        start();
        CHECK_OK();
        server.must_give_up = 20000;
        size_t n = raw_stream(stream, 1, 100);
        tern__store32(stream + n, 60000);
        CHECK(raw_send(raw, stream, kind == 0 ? n + 40000 : n));
        WAIT_FOR(&server, &server, server.n == 1);
        for (int i = 0; i < 1000 && kind == 1 && server.n_lost == 0; i++) {
            peer_put(&server, &server.from, stream, 40000, 1000);
            peer_flush(&server);
            peer_poll(&server);
        }
        WAIT_FOR(&server, &server, server.n_lost == 1);
        CHECK_EQ(server.held, 0);
        CHECK_EQ(server.tcp->stats.given_up, 1);
        CHECK_EQ(server.port->link.n_given_up, 1);
        CHECK(strstr(server.warning, "all that this endpoint may hold (max_rx_bytes)") != NULL);
        WAIT_FOR(&server, &server, server.tcp->n_conns == 0);
        stop();
        CHECK_OK();
    }
}

static void accept__without_descriptors(void) {
    start();
    CHECK_OK();
    size_t n = raw_stream(stream, 1, 40);
    CHECK(raw_send(raw, stream, n));
    WAIT_FOR(&server, &server, server.n == 1);
    int second = raw_connect(server.address);
    struct rlimit before, none;
    getrlimit(RLIMIT_NOFILE, &before);
    none = (struct rlimit){.rlim_cur = 3, .rlim_max = before.rlim_max};
    setrlimit(RLIMIT_NOFILE, &none);
    for (int i = 0; i < 100 && !server.tcp->pause.on; i++) peer_poll(&server);
    bool off = server.tcp->pause.on;
    struct pollfd pfd = {.fd = server.port->ops->fd(server.port), .events = POLLIN};
    bool quiet = poll(&pfd, 1, 0) == 0; /* it can sleep, though somebody waits */
    setrlimit(RLIMIT_NOFILE, &before);
    CHECK(off && quiet);
    close(raw); /* whose descriptor the other may have now */
    raw = -1;
    WAIT_FOR(&server, &server, server.n_lost == 1 && server.tcp->n_half_open == 1);
    CHECK(raw_send(second, stream, n));
    WAIT_FOR(&server, &server, server.n == 2);
    close(second);
    stop();
}

/* A peer that asks and never reads the answers: they pile up to the bound and no further. */
static void unread__answers_are_bounded(void) {
    start();
    CHECK_OK();
    server.echo = true;
    uint64_t before = live_buffers();
    raw_fill(raw, &server, stream);
    CHECK_OK();
    CHECK(server.tcp->stats.tx_full > 0);
    CHECK(live_buffers() - before < 3 * TERN__TCP_QUEUE_BYTES / TERN__TCP_CHUNK_BYTES);
    close(raw);
    raw = -1;
    WAIT_FOR(&server, &server, server.n_lost == 1);
    stop();
}

static const tap_test tests[] = {TEST(greeting__garbage),
                                 TEST(greeting__ours),
                                 TEST(frame__no_length_that_cannot_be),
                                 TEST(frame__the_largest_length_takes_one_buffer),
                                 TEST(arrival__byte_by_byte),
                                 TEST(arrival__in_pieces_of_any_size),
                                 TEST(arrival__many_packets_by_few_reads),
                                 TEST(end__half_close_delivers_what_came_before),
                                 TEST(end__of_strangers_is_not_reported),
                                 TEST(end__reset),
                                 TEST(end__found_by_a_write_after_packets_came),
                                 TEST(end__is_reported_in_poll_only),
                                 TEST(end__takes_nothing_and_goes_on_sending),
                                 TEST(descriptor__does_not_stop_the_thread),
                                 TEST(descriptor__not_from_a_server),
                                 TEST(killed__server_in_the_middle_of_it),
                                 TEST(killed__client_in_the_middle_of_it),
                                 TEST(strangers__give_way_at_random),
                                 TEST(strangers__not_for_long),
                                 TEST(strangers__have_no_session),
                                 TEST(frame__is_whole_in_time),
                                 TEST(frame__takes_memory_as_it_comes),
                                 TEST(account__counts_frames_and_answers),
                                 TEST(account__counts_answers_that_only_the_queue_keeps),
                                 TEST(account__beyond_the_bound_it_ends),
                                 TEST(accept__without_descriptors),
                                 TEST(unread__answers_are_bounded)};

int main(int argc, char **argv) {
    if (argc == 4 && strcmp(argv[1], "--child") == 0) return child_main(argv[2], argv[3]);
    return tap_run(tests, TERN__COUNT(tests), argc, argv);
}
