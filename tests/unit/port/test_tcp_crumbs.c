/* Peers that send their packets in crumbs: connections are paused, and by whom that is not noticed. The port's timer
 * runs out when a test says so. */
#include <netinet/tcp.h>
#include <sys/timerfd.h>

#include "tcp_peer.h"

enum { NEVER = 1000 /* s */, FREE = TERN__TCP_MAX_CRUMBS };

static peer server;
static int raw;
static uint8_t stream[1 << 20];

static int dial(void) {
    int one = 1, fd = raw_connect(server.address);
    if (fd >= 0) setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    return fd;
}

/* A server, and a connection that has brought a packet and has a session. */
static void start(void) {
    CHECK_EQ(peer_init(&server, false), 0);
    server.tcp->times.tick = NEVER * TERN_SEC;
    server.tcp->times.frame = server.tcp->times.stranger = 1000 * NEVER * TERN_SEC;
    CHECK_EQ(peer_listen(&server, "127.0.0.1:0"), 0);
    server.uses = true;
    raw = dial();
    CHECK(raw >= 0 && raw_send(raw, stream, raw_stream(stream, 1, 40)));
    WAIT_FOR(&server, &server, server.n == 1);
}

static void stop(void) {
    close(raw);
    peer_fini(&server);
}

static tern__tcp_conn *first_conn(void) { return server.tcp->slots[0].conn; }

/* The n bytes, each in a segment of its own, and a look at the port for each. */
static void drip(int fd, const uint8_t *bytes, size_t n) {
    for (size_t i = 0; i < n; i++) {
        CHECK(raw_send(fd, bytes + i, 1));
        for (int k = 0; k < 3; k++) peer_poll(&server);
        server.port->ops->arm(server.port); /* epoll is asked next time */
        peer_poll(&server);
    }
}

static void let_time_pass(tern_dur span) {
    struct itimerspec at_once = {.it_value.tv_nsec = 1};
    server.tcp->ticked_at = tern__coarse_now() - (tern_time)span;
    timerfd_settime(server.tcp->tick_fd, 0, &at_once, NULL);
    struct pollfd pfd = {.fd = server.tcp->tick_fd, .events = POLLIN};
    CHECK_EQ(poll(&pfd, 1, WAIT_MS), 1);
    server.port->ops->arm(server.port);
    peer_poll(&server);
    server.port->ops->arm(server.port);
    peer_poll(&server);
}

/* A long frame byte by byte takes few reads, and is served. */
static void crumbs__take_few_reads(void) {
    enum { LEN = 3000 };
    start();
    CHECK_OK();
    uint64_t calls = server.tcp->stats.rx_calls, polls = server.tcp->n_polls;
    size_t n = raw_stream(stream, 1, LEN);
    drip(raw, stream + 8, LEN / 2);
    CHECK(first_conn()->paused && !first_conn()->hot);
    CHECK_EQ(server.tcp->stats.rx_pauses, 1);
    CHECK(server.tcp->stats.rx_calls - calls < 4 * (FREE + 4)); /* some while it was hot; a poll reads nothing else */
    CHECK(server.tcp->n_polls - polls > LEN);
    calls = server.tcp->stats.rx_calls;
    drip(raw, stream + 8 + LEN / 2, n - 8 - LEN / 2);
    CHECK_EQ(server.tcp->stats.rx_calls, calls);
    unsigned n_ticks = 0; /* the sender's kernel waits for acknowledgements of what is not read */
    for (; server.n == 1 && n_ticks < 2000; n_ticks++, usleep(1000)) let_time_pass(TERN_MS);
    CHECK_EQ(server.n, 2);
    CHECK_EQ(server.lens[1], LEN);
    CHECK_EQ(server.sums[1], sum_of(stream + 12, LEN));
    CHECK(server.tcp->stats.rx_calls - calls <= n_ticks + FREE);
    stop();
}

/* Who has been paused is paused again soon, however small its frames; each long read makes up for two crumbs. */
static void crumbs__are_made_up_for(void) {
    start();
    CHECK_OK();
    raw_stream(stream, 1, 1000);
    drip(raw, stream + 8, FREE + 1);
    CHECK(first_conn()->paused);
    CHECK_EQ(first_conn()->n_crumbs, FREE);
    CHECK(raw_send(raw, stream + 8 + FREE + 1, 500));
    let_time_pass(TERN_MS);
    CHECK(!first_conn()->paused);
    CHECK_EQ(first_conn()->n_crumbs, FREE - 2);
    drip(raw, stream + 8 + FREE + 501, 3);
    CHECK(first_conn()->paused);
    CHECK_EQ(server.tcp->stats.rx_pauses, 2);
    stop();
}

static void crumbs__of_one_do_not_stop_others(void) {
    start();
    CHECK_OK();
    int other = dial();
    CHECK(raw_send(other, stream, raw_stream(stream, 1, 40)));
    WAIT_FOR(&server, &server, server.n == 2);
    raw_stream(stream, 1, 1000);
    drip(raw, stream + 8, FREE + 30);
    CHECK(first_conn()->paused);
    for (unsigned i = 0; i < 50; i++) {
        unsigned before = server.n;
        CHECK(raw_send(other, stream + 8, 1004));
        WAIT_FOR(&server, &server, server.n == before + 1);
    }
    CHECK_EQ(server.tcp->stats.rx_pauses, 1);
    CHECK(!server.tcp->slots[1].conn->paused && first_conn()->paused);
    close(other);
    stop();
}

/* Asleep: what comes in crumbs does not wake the endpoint, a reset does. */
static void crumbs__wake_nobody(void) {
    start();
    CHECK_OK();
    raw_stream(stream, 1, 1000);
    drip(raw, stream + 8, FREE + 1);
    CHECK(raw_send(raw, stream + 8 + FREE + 1, 1));
    CHECK(server.port->ops->arm(server.port));
    struct pollfd pfd = {.fd = server.port->ops->fd(server.port), .events = POLLIN};
    CHECK_EQ(poll(&pfd, 1, 20), 0);
    struct linger hard = {.l_onoff = 1};
    setsockopt(raw, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
    close(raw);
    raw = -1;
    WAIT_FOR(&server, &server, server.n_lost == 1);
    CHECK_EQ(server.tcp->n_conns, 0);
    stop();
}

/* The socket is full, and is not: that says nothing about reading. */
static void crumbs__with_output_that_waits(void) {
    static uint8_t sink[1 << 20];
    start();
    CHECK_OK();
    raw_stream(stream, 1, 1000);
    drip(raw, stream + 8, FREE + 1);
    const tern__tcp_conn *conn = first_conn();
    uint64_t calls = server.tcp->stats.rx_calls;
    while (!conn->blocked) {
        CHECK(peer_put(&server, &server.from, sink, 40000, 1000));
        peer_flush(&server);
    }
    drip(raw, stream + 8 + FREE + 1, 10);
    fcntl(raw, F_SETFL, O_NONBLOCK);
    for (int i = 0; i < 2000 && conn->blocked; i++) {
        while (recv(raw, sink, sizeof sink, 0) > 0) continue;
        peer_poll(&server);
        usleep(500);
    }
    CHECK(!conn->blocked && conn->paused);
    drip(raw, stream + 8 + FREE + 11, 10);
    CHECK_EQ(server.tcp->stats.rx_calls, calls);
    let_time_pass(TERN_MS);
    CHECK_EQ(server.tcp->stats.rx_calls, calls + 1);
    stop();
}

/* A frame that is whole in the socket before its time is up is served, though the connection is paused; if it is not,
 * the connection ends as any. */
static void crumbs__that_are_whole_in_time(void) {
    for (int whole = 0; whole < 2; whole++) {
        enum { LEN = 1000 };
        start();
        CHECK_OK();
        server.tcp->times.frame = TERN_SEC;
        size_t n = raw_stream(stream, 1, LEN);
        drip(raw, stream + 8, FREE + 1);
        CHECK(first_conn()->paused);
        server.tcp->clock = first_conn()->frame_before - 1;
        size_t at = 8 + FREE + 1;
        CHECK(raw_send(raw, stream + at, whole ? n - at : 20));
        let_time_pass(10 * TERN_MS);
        CHECK_EQ(server.n_lost, 0);
        if (whole) WAIT_FOR(&server, &server, server.n == 2);
        let_time_pass(10 * TERN_MS);
        CHECK_EQ(server.n_lost, !whole);
        stop();
        CHECK_OK();
    }
}

/* Sizes of segments, again and again; the honest are never paused. */
static void try_pieces(const size_t *sizes, unsigned n_sizes, uint32_t len, unsigned n_frames) {
    start();
    CHECK_OK();
    size_t n = raw_stream(stream, n_frames, len), at = 8;
    for (unsigned i = 0; at < n; i++) {
        size_t piece = sizes[i % n_sizes] < n - at ? sizes[i % n_sizes] : n - at;
        uint64_t before = server.tcp->stats.rx_bytes;
        CHECK(raw_send(raw, stream + at, piece));
        at += piece;
        WAIT_FOR(&server, &server, server.tcp->stats.rx_bytes == before + piece);
    }
    CHECK_EQ(server.n, 1 + n_frames);
    CHECK_EQ(server.tcp->stats.rx_pauses, 0);
    stop();
}

static void honest__is_never_paused(void) {
    static const size_t long_frames[] = {64, 1448, 100, 9}, small_frames[] = {28}, two_at_a_time[] = {56},
                        by_parts[] = {4, 24, 72}, across[] = {1448};
    try_pieces(long_frames, 4, 20000, 40);
    try_pieces(small_frames, 1, 24, 1000);
    try_pieces(two_at_a_time, 1, 24, 1000);
    try_pieces(by_parts, 3, 96, 500);
    try_pieces(across, 1, 1433, 500);
}

TAP_MAIN(TEST(crumbs__take_few_reads), TEST(crumbs__are_made_up_for), TEST(crumbs__of_one_do_not_stop_others),
         TEST(crumbs__wake_nobody), TEST(crumbs__with_output_that_waits), TEST(crumbs__that_are_whole_in_time),
         TEST(honest__is_never_paused))
