/* Connections of strangers beside a client with a session, over real ports: what they cost a server and how long they
 * last; and that the engine tells the port which connections are used. */
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "engine/engine_record.h"
#include "port/hosts.h"
#include "port/shm.h"
#include "port/tcp.h"
#include "rpc/endpoint.h"
#include "server_thread.h"
#include "tap.h"

enum { METHOD = 1, N_STRANGERS = 200 };

static tern_endpoint *serving, *client;
static tern_session *session;
static uint32_t n_done, n_ok;

static tern_time now(void) {
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (tern_time)ts.tv_sec * TERN_SEC + (tern_time)ts.tv_nsec;
}

static void echo(tern_call call, const void *request, void *user) {
    (void)user;
    tern_reply_raw(call, *(const tern_bytes *)request);
}

static void on_done(void *user, int status, const void *response) {
    (void)user, (void)response;
    n_done++;
    n_ok += status == TERN_STATUS_OK;
}

static void poll_both(void) {
    tern_poll(serving);
    if (client) tern_poll(client);
}

static bool call(void) {
    uint32_t before = n_ok, done = n_done;
    if (tern_call_start_raw(session, METHOD, tern_bytes_of("x", 1), NULL, on_done, NULL)) return false;
    for (tern_time end = now() + 5 * TERN_SEC; n_done == done && now() < end;) poll_both();
    return n_ok == before + 1;
}

static tern__tcp_port *server_tcp(void) { return tern__tcp_of_port(serving->ports); }

static void start(const char *address) {
    n_done = n_ok = 0;
    CHECK_EQ(tern_endpoint_new(NULL, &serving), 0);
    CHECK_EQ(tern_serve_raw(serving, METHOD, echo, NULL), 0);
    CHECK_EQ(tern_listen(serving, address), 0);
    CHECK_EQ(tern_endpoint_new(NULL, &client), 0);
    CHECK_EQ(tern_connect(client, tern_listen_address(serving, 0), &session), 0);
    CHECK(call());
}

static void stop(void) {
    tern_endpoint_free(client);
    tern_endpoint_free(serving);
    client = NULL;
}

/* A plain socket, connected to the server. */
static int stranger(void) {
    const char *rest = strstr(tern_listen_address(serving, 0), "://") + 3;
    if (*rest == '/') return tern__unix_dial(rest, SOCK_STREAM);
    tern__ip_addr addr;
    if (tern__hosts_resolve(rest, false, &addr, 1) != 1) return -1;
    int fd = socket(addr.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    return fd >= 0 && connect(fd, &addr.any, tern__ip_addr_len(&addr)) == 0 ? fd : -1;
}

/* 12 bytes each: a greeting, and the length of the longest frame. */
static void strangers__cost_little_and_go(void) {
    static int socks[N_STRANGERS];
    uint8_t hello[12];
    tern__tcp_greeting_write(hello, TERN__TCP_CLIENT);
    tern__store32(hello + 8, TERN__TCP_MAX_PACKET);
    for (int a = 2; a < 4; a++) {
        start(server_addresses()[a]);
        CHECK_OK();
        tern__tcp_port *t = server_tcp();
        t->times.tick = 10 * TERN_MS;
        t->times.stranger = t->times.frame = 300 * TERN_MS;
        for (int i = 0; i < N_STRANGERS; i++) {
            socks[i] = stranger();
            CHECK(socks[i] >= 0 && send(socks[i], hello, sizeof hello, MSG_NOSIGNAL) == sizeof hello);
            if (i % 16 == 0) CHECK(call());
        }
        CHECK(call());
        tern_time end = now() + 5 * TERN_SEC;
        while (serving->engine->held < N_STRANGERS * TERN__TCP_PART_BYTES && now() < end) poll_both();
        CHECK_EQ(serving->engine->held, N_STRANGERS * TERN__TCP_PART_BYTES);
        CHECK_EQ(t->seats.n_strangers, N_STRANGERS);
        while (t->seats.n > 1 && now() < end) CHECK(call());
        CHECK_EQ(t->seats.n, 1); /* the client's */
        CHECK_EQ(serving->engine->held, 0);
        CHECK_EQ(t->seats.n_strangers, 0);
        CHECK(call());
        for (int i = 0; i < N_STRANGERS; i++) close(socks[i]);
        CHECK_EQ(n_ok, n_done);
        stop();
        CHECK_OK();
    }
}

/* A session that says nothing keeps its connection; when it has ended, nobody uses that. */
static void used__as_long_as_there_is_a_session(void) {
    for (int a = 2; a < 4; a++) {
        start(server_addresses()[a]);
        CHECK_OK();
        tern__tcp_port *t = server_tcp();
        t->times.tick = 5 * TERN_MS;
        t->times.stranger = 30 * TERN_MS;
        for (tern_time end = now() + 150 * TERN_MS; now() < end;) poll_both();
        CHECK_EQ(t->n_conns, 1);
        CHECK_EQ(t->stats.conns_lost, 0);
        CHECK(t->slots[0].conn->used);
        CHECK(call());
        /* The server ends the session by itself, as it does with clients that are silent for too long. */
        tern_endpoint_free(client);
        client = NULL;
        for (tern_time end = now() + 5 * TERN_SEC; t->n_conns && now() < end;) poll_both();
        CHECK_EQ(t->n_conns, 0);
        CHECK_EQ(t->seats.n, 0);
        stop();
        CHECK_OK();
    }
}

/* The same over shared memory. */
static void used__over_shm(void) {
    start(server_addresses()[1]);
    CHECK_OK();
    tern__shm_port *s = TERN__CONTAINER(serving->ports, tern__shm_port, port);
    s->linger = 40 * TERN_MS;
    s->stranger = 60 * TERN_MS;
    const char *path = strstr(tern_listen_address(serving, 0), "://") + 3;
    int silent = tern__shm_dial(path);
    for (tern_time end = now() + 5 * TERN_SEC; s->seats.n < 2 && now() < end;) poll_both();
    CHECK_EQ(s->seats.n, 2);
    CHECK_EQ(s->seats.n_strangers, 1);
    for (tern_time end = now() + 5 * TERN_SEC; s->seats.n > 1 && now() < end;) poll_both();
    CHECK_EQ(s->seats.n, 1);
    CHECK(s->active[0]->used && !s->active[0]->timed);
    CHECK(call());
    close(silent);
    stop();
}

/* A server that is crowded by strangers may hang up before it has heard us: we come again, a few times. */
static void connect__again_when_hung_up_on(void) {
    enum { MANY = 10 };
    for (unsigned n_hung_up = 2; n_hung_up <= MANY; n_hung_up += MANY - 2) {
        const char *at = server_addresses()[3], *path = strstr(at, "://") + 3;
        tern__unix_listener crowded;
        CHECK_EQ(tern_endpoint_new(NULL, &client), 0);
        CHECK_EQ(tern__unix_listener_open(&crowded, path, SOCK_STREAM), 0);
        CHECK_EQ(tern_connect(client, at, &session), 0);
        n_done = n_ok = 0;
        CHECK_EQ(tern_call_start_raw(session, METHOD, tern_bytes_of("x", 1), NULL, on_done, NULL), 0);
        for (unsigned i = 0; i < n_hung_up && !n_done;) {
            int fd = tern__socket_accept(crowded.fd);
            if (fd >= 0) close(fd), i++;
            tern_poll(client);
        }
        tern__unix_listener_close(&crowded);
        CHECK_EQ(n_done, n_hung_up == MANY); /* enough is enough */
        CHECK_EQ(tern_endpoint_new(NULL, &serving), 0);
        CHECK_EQ(tern_serve_raw(serving, METHOD, echo, NULL), 0);
        CHECK_EQ(tern_listen(serving, at), 0);
        for (tern_time end = now() + 5 * TERN_SEC; !n_done && now() < end;) poll_both();
        CHECK_EQ(n_ok, n_hung_up < MANY);
        stop();
        CHECK_OK();
    }
}

static uint64_t connects_retried(void) {
    tern_endpoint_stats stats;
    tern_endpoint_get_stats(serving, &stats);
    return stats.connects_retried;
}

/* Over udp each client is asked once to show that its address is its own; no other port has to ask. */
static void connects_retried__counts_each_client_over_udp(void) {
    start("udp://127.0.0.1:0");
    CHECK_OK();
    uint64_t first = connects_retried();
    CHECK(first >= 1);
    CHECK_EQ(tern_connect(client, tern_listen_address(serving, 0), &session), 0);
    CHECK(call());
    CHECK(connects_retried() > first);
    stop();
    start("tcp://127.0.0.1:0");
    CHECK_EQ(connects_retried(), 0);
    stop();
}

TAP_MAIN(TEST(connect__again_when_hung_up_on), TEST(connects_retried__counts_each_client_over_udp),
         TEST(strangers__cost_little_and_go), TEST(used__as_long_as_there_is_a_session), TEST(used__over_shm))
