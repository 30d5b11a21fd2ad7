/* Sessions over TCP and Unix streams, client and server in one thread: what calls of all sizes cost in writes, copies
 * and memory, and how they end when the stream does. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "mem/pool.h"
#include "port/tcp.h"
#include "rpc/endpoint.h"
#include "tap.h"

enum { METHOD = 7, LARGE = 64 << 20 };

typedef struct duo {
    tern_endpoint *server, *client;
    tern_session *session;
    unsigned n_done, n_ok, n_served;
    int status;
    size_t response_len;
    bool response_right;
    tern_bytes expected;
    uint32_t most_queued; /* bytes that waited in either port */
    uint64_t most_live;   /* buffers */
    bool silent;          /* the server never answers */
} duo;

static duo d;
static uint64_t live_before;

static uint64_t live_buffers(void) {
    tern_mem_stats stats;
    tern_mem_get_stats(&stats);
    return stats.live_buffers;
}

static const tern__tcp_port *tcp_of(tern_endpoint *ep) { return tern__tcp_of_port(ep->ports); }

static void echo(tern_call call, const void *request, void *user) {
    (void)user;
    d.n_served++;
    if (!d.silent) tern_reply_raw(call, *(const tern_bytes *)request);
}

static void on_done(void *user, int status, const void *response) {
    (void)user;
    const tern_bytes *bytes = response;
    d.n_done++;
    d.n_ok += status == TERN_STATUS_OK;
    d.status = status;
    if (!bytes) return;
    d.response_len = bytes->len;
    d.response_right = bytes->len == d.expected.len && memcmp(bytes->data, d.expected.data, bytes->len) == 0;
}

static const char *local_address(void) {
    static char address[80];
    snprintf(address, sizeof address, "unix:///tmp/tern-stream-%d.sock", (int)getpid());
    return address;
}

static void start(const char *address) {
    live_before = live_buffers();
    d = (duo){0};
    CHECK_EQ(tern_endpoint_new(NULL, &d.server), 0);
    CHECK_EQ(tern_endpoint_new(NULL, &d.client), 0);
    CHECK_EQ(tern_listen(d.server, address), 0);
    CHECK_EQ(tern_serve_raw(d.server, METHOD, echo, NULL), 0);
    CHECK_EQ(tern_connect(d.client, tern_listen_address(d.server, 0), &d.session), 0);
}

static void stop(void) {
    tern_endpoint_free(d.client);
    tern_endpoint_free(d.server);
    CHECK_EQ(live_buffers(), live_before);
}

static void note_queues(tern_endpoint *ep) {
    const tern__tcp_port *t = tcp_of(ep);
    for (uint32_t i = 0; i < t->n_slots; i++) {
        const tern__tcp_conn *conn = t->slots[i].conn;
        if (conn && conn->out.bytes > d.most_queued) d.most_queued = conn->out.bytes;
    }
}

/* Poll until n calls are done. False: nothing happened for long. */
static bool run(unsigned n) {
    for (unsigned idle = 0; d.n_done < n && idle < 10000000; idle++) {
        int n_polled = tern_poll(d.client);
        note_queues(d.client);
        if (d.server) {
            n_polled += tern_poll(d.server);
            note_queues(d.server);
        }
        uint64_t live = live_buffers();
        if (live > d.most_live) d.most_live = live;
        if (n_polled > 0) idle = 0;
    }
    return d.n_done >= n;
}

static void calls__small_ones_share_writes(void) {
    enum { CALLS = 20000, WINDOW = 64, SESSIONS = 8 };
    static const char payload[32] = "thirty-two bytes of a small call";
    start("tcp://127.0.0.1:0");
    CHECK_OK();
    tern_session *sessions[SESSIONS];
    for (unsigned i = 0; i < SESSIONS; i++)
        CHECK_EQ(tern_connect(d.client, tern_listen_address(d.server, 0), &sessions[i]), 0);
    d.expected = tern_bytes_of(payload, sizeof payload);
    for (unsigned issued = 0; issued < CALLS; issued += WINDOW) {
        for (unsigned i = 0; i < WINDOW; i++)
            CHECK_EQ(tern_call_start_raw(sessions[i % SESSIONS], METHOD, d.expected, NULL, on_done, NULL), 0);
        CHECK(run(issued + WINDOW) && d.response_right);
    }
    const tern__tcp_stats *c = tern__tcp_port_stats(d.client->ports), *s = tern__tcp_port_stats(d.server->ports);
    printf("# %u calls: %llu and %llu writes, %llu and %llu reads\n", d.n_ok, (unsigned long long)c->tx_calls,
           (unsigned long long)s->tx_calls, (unsigned long long)c->rx_calls, (unsigned long long)s->rx_calls);
    CHECK_EQ(d.n_ok, d.n_done);
    CHECK_EQ(s->conns_up, 1); /* all sessions share it */
    CHECK(c->tx_packets >= CALLS && s->tx_packets >= CALLS);
    CHECK(c->tx_calls < CALLS / 30 && s->tx_calls < CALLS / 30);
    tern_endpoint_stats stats;
    tern_endpoint_get_stats(d.client, &stats);
    CHECK_EQ(stats.retransmits, 0);
    stop();
}

/* The largest message there and back: it stays where it is until it is written, and what waits is bounded. */
static void large(const char *address) {
    start(address);
    CHECK_OK();
    uint8_t *payload = tern_alloc(LARGE);
    CHECK(payload != NULL);
    for (size_t i = 0; i < LARGE; i += 8) tern__store64(payload + i, i * 0x9e3779b97f4a7c15u);
    d.expected = tern_bytes_of(payload, LARGE);
    for (unsigned round = 1; round <= 2; round++) {
        uint64_t live = live_buffers();
        d.most_live = 0;
        CHECK_EQ(tern_call_start_raw(d.session, METHOD, d.expected, NULL, on_done, NULL), 0);
        CHECK(run(round));
        CHECK_EQ(d.status, TERN_STATUS_OK);
        CHECK(d.response_right);
        CHECK(d.most_live - live < 64);
    }
    CHECK(d.most_queued < TERN__TCP_QUEUE_BYTES + TERN__TCP_MAX_PACKET + 16);
    for (int side = 0; side < 2; side++) {
        const tern__tcp_stats *s = tern__tcp_port_stats((side ? d.server : d.client)->ports);
        CHECK(s->tx_ref_bytes >= 2ull * LARGE);
        CHECK(s->tx_copied_bytes < LARGE / 256); /* headers */
    }
    CHECK_EQ(tern_refcount(payload), 1);
    tern_unref(payload);
    stop();
}

static void calls__64_megabytes_over_tcp(void) { large("tcp://127.0.0.1:0"); }
static void calls__64_megabytes_over_unix(void) { large(local_address()); }

/* A large call is under way when the peer goes: references come back, the call ends, once. */
static void peer__gone_in_the_middle(void) {
    start("tcp://127.0.0.1:0");
    CHECK_OK();
    uint8_t *payload = tern_alloc(LARGE);
    CHECK(payload != NULL);
    memset(payload, 1, LARGE);
    CHECK_EQ(tern_call_start_raw(d.session, METHOD, tern_bytes_of(payload, LARGE), NULL, on_done, NULL), 0);
    while (tern__tcp_port_stats(d.server->ports)->rx_bytes < LARGE / 8)
        run(0), tern_poll(d.client), tern_poll(d.server);
    CHECK(tern_refcount(payload) > 1);
    tern_endpoint_free(d.server);
    d.server = NULL;
    CHECK(run(1));
    CHECK_EQ(d.status, TERN_STATUS_UNAVAILABLE);
    /* The server's farewell may come before the end of the connection, which still has packets to write. */
    for (int n = 0; n < 5000 && tern_refcount(payload) > 1; n++) usleep(1000), tern_poll(d.client);
    CHECK_EQ(tern_refcount(payload), 1);
    tern_unref(payload);
    stop();
    CHECK_EQ(d.n_done, 1);
}

static double seconds_now(void) {
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

/* A server in a process of its own; what it says comes by the pipe. */
static int child_main(const char *address, int pipe_fd) {
    alarm(60);
    if (tern_endpoint_new(NULL, &d.server) || tern_listen(d.server, address)) return 2;
    d.silent = true;
    tern_serve_raw(d.server, METHOD, echo, NULL);
    const char *actual = tern_listen_address(d.server, 0);
    if (write(pipe_fd, actual, strlen(actual) + 1) < 0) return 3;
    return tern_run(d.server);
}

static pid_t start_child(const char *address, char actual[128]) {
    int fds[2];
    char fd_text[16];
    if (pipe(fds) != 0) return -1;
    snprintf(fd_text, sizeof fd_text, "%d", fds[1]);
    pid_t child = fork();
    if (child == 0) {
        execl("/proc/self/exe", "test_stream", "--child", address, fd_text, (char *)NULL);
        _exit(127);
    }
    close(fds[1]);
    ssize_t n = read(fds[0], actual, 127);
    close(fds[0]);
    actual[n > 0 ? n : 0] = '\0';
    return child;
}

/* From kill -9 to the end of every call, asleep meanwhile. */
static void killed(const char *address) {
    char actual[128];
    pid_t child = start_child(address, actual);
    CHECK(child > 0 && strstr(actual, "://") != NULL);
    live_before = live_buffers();
    d = (duo){0};
    CHECK_EQ(tern_endpoint_new(NULL, &d.client), 0);
    CHECK_EQ(tern_connect(d.client, actual, &d.session), 0);
    for (int i = 0; i < 20; i++)
        CHECK_EQ(tern_call_start_raw(d.session, METHOD, tern_bytes_of("x", 1), NULL, on_done, NULL), 0);
    double begin = seconds_now();
    bool is_killed = false;
    while (d.n_done < 20 && seconds_now() - begin < 10) {
        if (!is_killed && seconds_now() - begin > 0.05) {
            CHECK_EQ(tern_session_get_state(d.session), TERN_SESSION_OPEN);
            kill(child, SIGKILL);
            begin = seconds_now();
            is_killed = true;
        }
        tern_dur timeout = tern_next_timeout(d.client);
        int ms = !is_killed ? 1 : timeout < 0 ? 5000 : (int)(timeout / TERN_MS);
        struct pollfd pfd = {.fd = tern_fd(d.client), .events = POLLIN};
        poll(&pfd, 1, ms);
        CHECK(tern_poll(d.client) >= 0);
    }
    printf("# %s: %.1f ms from kill to UNAVAILABLE\n", address, 1e3 * (seconds_now() - begin));
    waitpid(child, NULL, 0);
    CHECK_EQ(d.n_done, 20);
    CHECK_EQ(d.n_ok, 0);
    CHECK_EQ(d.status, TERN_STATUS_UNAVAILABLE);
    CHECK(seconds_now() - begin < 1);
    tern_endpoint_free(d.client);
    CHECK_EQ(live_buffers(), live_before);
}

static void peer__killed_over_tcp(void) { killed("tcp://127.0.0.1:0"); }
static void peer__killed_over_unix(void) {
    killed(local_address());
    unlink(local_address() + strlen("unix://"));
}

/* Whichever allocation of the pool fails, every call ends and every buffer comes back. */
static void memory__any_allocation_may_fail(void) {
    enum { BYTES = 300000 };
    static uint8_t payload[BYTES];
    unsigned n_ok = 0, n_failed = 0;
    d.expected = tern_bytes_of(payload, BYTES);
    bool fired = true;
    for (uint64_t nth = 1; fired; nth++) {
        tern_endpoint_config config;
        tern_endpoint_config_init(&config);
        config.connect_timeout = 100 * TERN_MS;
        live_before = live_buffers();
        d = (duo){0};
        CHECK_EQ(tern_endpoint_new(NULL, &d.server), 0);
        CHECK_EQ(tern_endpoint_new(&config, &d.client), 0);
        CHECK_EQ(tern_listen(d.server, "tcp://127.0.0.1:0"), 0);
        CHECK_EQ(tern_serve_raw(d.server, METHOD, echo, NULL), 0);
        tern__pool_fail_after(nth);
        tern_call_opts opts = TERN_CALL_OPTS(.timeout = 200 * TERN_MS);
        unsigned n_begun = 0;
        if (tern_connect(d.client, tern_listen_address(d.server, 0), &d.session) == 0)
            for (unsigned i = 0; i < 3; i++)
                n_begun += tern_call_start_raw(d.session, METHOD, tern_bytes_of(payload, i ? BYTES / i : 20), &opts,
                                               on_done, NULL) == 0;
        CHECK(run(n_begun));
        fired = tern__pool_fail_after(0) == 0;
        CHECK_EQ(d.n_done, n_begun);
        n_ok += d.n_ok;
        n_failed += 3 - d.n_ok;
        stop();
        CHECK(nth < 1000);
    }
    printf("# %u calls were well, %u met the failure\n", n_ok, n_failed);
    CHECK(n_ok > 0 && n_failed > 0);
}

/* Nobody is there, then somebody is: by name, which stands for one address or two. */
static void connect__by_name(void) {
    start("tcp://localhost:0");
    CHECK_OK();
    char address[64];
    snprintf(address, sizeof address, "tcp://localhost%s", strrchr(tern_listen_address(d.server, 0), ':'));
    tern_session *session;
    CHECK_EQ(tern_connect(d.client, address, &session), 0);
    d.expected = tern_bytes_of("abc", 3);
    CHECK_EQ(tern_call_start_raw(session, METHOD, d.expected, NULL, on_done, NULL), 0);
    CHECK(run(1));
    CHECK_EQ(d.status, TERN_STATUS_OK);
    CHECK_EQ(tern_connect(d.client, "tcp://localhost", &session), TERN_ERR_ADDRESS);
    CHECK_EQ(tern_connect(d.client, "unix://", &session), TERN_ERR_ADDRESS);
    stop();
}

static const tap_test tests[] = {TEST(calls__small_ones_share_writes),  TEST(calls__64_megabytes_over_tcp),
                                 TEST(calls__64_megabytes_over_unix),   TEST(peer__gone_in_the_middle),
                                 TEST(peer__killed_over_tcp),           TEST(peer__killed_over_unix),
                                 TEST(memory__any_allocation_may_fail), TEST(connect__by_name)};

int main(int argc, char **argv) {
    if (argc == 4 && strcmp(argv[1], "--child") == 0) return child_main(argv[2], atoi(argv[3]));
    return tap_run(tests, TERN__COUNT(tests), argc, argv);
}
