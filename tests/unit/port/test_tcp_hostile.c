/* The stream port and peers that break its rules, dawdle, or die: plain sockets and killed processes against a port. */
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

static bool is_closed(int fd) {
    char byte;
    struct pollfd pfd = {.fd = fd, .events = POLLIN};
    if (poll(&pfd, 1, WAIT_MS) != 1) return false;
    return recv(fd, &byte, 1, MSG_DONTWAIT) <= 0;
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

static void half_open__the_oldest_gives_way(void) {
    enum { N = TERN__TCP_MAX_HALF_OPEN + 20 };
    static int socks[N];
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    if (limit.rlim_cur < 3 * N) SKIP("too few descriptors");
    start();
    CHECK_OK();
    for (unsigned i = 0; i < N; i++) {
        socks[i] = raw_connect(server.address);
        CHECK(socks[i] >= 0);
        peer_poll(&server);
    }
    WAIT_FOR(&server, &server, server.tcp->n_born == N + 1);
    CHECK_EQ(server.tcp->n_half_open, TERN__TCP_MAX_HALF_OPEN);
    CHECK_EQ(server.tcp->n_conns, TERN__TCP_MAX_HALF_OPEN);
    CHECK(is_closed(raw) && is_closed(socks[0]) && is_closed(socks[18]));
    CHECK_EQ(server.n_lost, 0); /* nobody has heard of them */
    /* the last one can still greet */
    size_t n = raw_stream(stream, 1, 40);
    CHECK(raw_send(socks[N - 1], stream, n));
    WAIT_FOR(&server, &server, server.n == 1);
    for (unsigned i = 0; i < N; i++) close(socks[i]);
    WAIT_FOR(&server, &server, server.tcp->n_conns == 0);
    CHECK_EQ(server.tcp->n_waiting, 0);
    stop();
}

static void half_open__not_for_long(void) {
    start();
    CHECK_OK();
    server.tcp->times.tick = server.tcp->times.greet = 10 * TERN_MS;
    int slow = raw_connect(server.address);
    CHECK(raw_send(slow, "TERN", 4)); /* as it should be, so far */
    /* raw was accepted under the old limit; slow wakes a sleeping server when its time is up */
    WAIT_FOR(&server, &server, server.tcp->n_half_open == 2);
    server.tcp->slots[0].conn->deadline = 0;
    WAIT_FOR(&server, &server, server.tcp->n_conns == 0);
    CHECK(is_closed(slow) && is_closed(raw));
    close(slow);
    stop();
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
    size_t n = raw_stream(stream, 200, 4000);
    server.echo = true;
    uint64_t before = live_buffers();
    fcntl(raw, F_SETFL, O_NONBLOCK);
    CHECK(send(raw, stream, 8, MSG_NOSIGNAL) == 8);
    for (int i = 0; i < 5000 && server.n_refused == 0; i++) {
        size_t at = 8 + (size_t)(i % 100) * 4004;
        struct pollfd pfd = {.fd = raw, .events = POLLOUT};
        for (size_t left = 4004; left > 0;) {
            ssize_t sent = send(raw, stream + at, left, MSG_NOSIGNAL);
            if (sent > 0) at += (size_t)sent, left -= (size_t)sent;
            peer_poll(&server);
            if (sent < 0) CHECK(errno == EAGAIN && poll(&pfd, 1, WAIT_MS) == 1);
        }
    }
    CHECK(n > 0 && server.n_refused > 0);
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
                                 TEST(half_open__the_oldest_gives_way),
                                 TEST(half_open__not_for_long),
                                 TEST(accept__without_descriptors),
                                 TEST(unread__answers_are_bounded)};

int main(int argc, char **argv) {
    if (argc == 4 && strcmp(argv[1], "--child") == 0) return child_main(argv[2], argv[3]);
    return tap_run(tests, TERN__COUNT(tests), argc, argv);
}
