/* UDP peers that are not there, or no longer: calls to them end when the kernel says so, whatever the socket, long
 * before anybody's patience is at an end, and other peers' sessions notice nothing. */
#include "tap.h"

#include <arpa/inet.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/base.h"
#include "tern/rpc.h"

enum { METHOD = 1, MANY = 40, ADDRESS_BYTES = 64, SOON_S = 4 /* the endpoint's own patience is 20 s */ };

typedef struct peer {
    char address[ADDRESS_BYTES];
    tern_session *session;
    uint32_t n_done, n_lost;
    int status;
} peer;

static tern_endpoint *server, *client;

static double seconds(void) {
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static void echo(tern_call call, const void *request, void *user) {
    (void)user;
    tern_reply_raw(call, *(const tern_bytes *)request);
}

static void on_done(void *user, int status, const void *response) {
    peer *p = user;
    (void)response;
    p->n_done++;
    p->status = status;
}

static void on_event(tern_session *session, tern_session_event event, tern_status why, void *user) {
    (void)session, (void)why;
    ((peer *)user)->n_lost += event == TERN_EVENT_LOST;
}

static void begin(void) {
    tern_endpoint_config config;
    tern_endpoint_config_init(&config);
    config.connect_timeout = config.peer_timeout = 20 * TERN_SEC;
    server = NULL;
    CHECK_EQ(tern_endpoint_new(&config, &client), 0);
}

static void end(void) {
    tern_endpoint_free(client);
    tern_endpoint_free(server);
}

static void add_server(const char *at, peer *p) {
    CHECK_EQ(tern_endpoint_new(NULL, &server), 0);
    CHECK_EQ(tern_serve_raw(server, METHOD, echo, NULL), 0);
    CHECK_EQ(tern_listen(server, at), 0);
    snprintf(p->address, sizeof p->address, "%s", tern_listen_address(server, 0));
}

/* An address that a socket of ours has just given up, of those that the system hands out to nobody. */
static void dead_address(int family, peer *p) {
    static uint32_t n_dead;
    struct sockaddr_in6 addr = {.sin6_family = AF_INET6, .sin6_addr = in6addr_loopback};
    struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (family == AF_INET) memcpy(&addr, &v4, sizeof v4);
    int fd = socket(family, SOCK_DGRAM, 0);
    socklen_t len = family == AF_INET ? sizeof v4 : sizeof addr;
    CHECK(fd >= 0);
    for (int tries = 0; tries < 1000; tries++) {
        addr.sin6_port = htons((uint16_t)(61000 + ((uint32_t)getpid() * 7 + n_dead++) % 4500));
        if (bind(fd, (struct sockaddr *)&addr, len) == 0) break;
    }
    close(fd);
    const char *host = family == AF_INET ? "127.0.0.1" : "[::1]";
    snprintf(p->address, sizeof p->address, "udp://%s:%d", host, ntohs(addr.sin6_port)); /* at the same place in both */
}

static void start_call(peer *p) {
    if (!p->session) {
        CHECK_EQ(tern_connect(client, p->address, &p->session), 0);
        CHECK_EQ(tern_session_on_event(p->session, on_event, p), 0);
    }
    CHECK_EQ(tern_call_start_raw(p->session, METHOD, tern_bytes_of("x", 1), NULL, on_done, p), 0);
}

/* Returns how long it took until as many calls had ended, or 10 s at most. */
static double drive(const peer *peers, uint32_t n_peers, uint32_t n_done) {
    double began = seconds();
    for (uint32_t n = 0; n < n_done && seconds() - began < 10;) {
        n = 0;
        if (server) tern_poll(server);
        tern_poll(client);
        for (uint32_t i = 0; i < n_peers; i++) n += peers[i].n_done;
    }
    return seconds() - began;
}

static void dead__the_second_as_soon_as_the_first(void) {
    peer peers[3] = {0};
    begin();
    CHECK_OK();
    for (int i = 0; i < 3; i++) {
        dead_address(AF_INET, &peers[i]);
        start_call(&peers[i]);
        CHECK_OK();
    }
    double took = drive(peers, 3, 3);
    for (int i = 0; i < 3; i++) CHECK_EQ(peers[i].status, TERN_STATUS_UNAVAILABLE);
    CHECK(took < SOON_S);
    end();
}

static void behind_a_live_one(int family, const char *listen_at) {
    peer peers[2] = {0};
    begin();
    add_server(listen_at, &peers[0]);
    dead_address(family, &peers[1]);
    CHECK_OK();
    start_call(&peers[0]);
    CHECK_OK();
    drive(peers, 1, 1);
    CHECK_EQ(peers[0].status, TERN_STATUS_OK);
    for (uint32_t i = 0; i < 3; i++) { /* over the same route again and again */
        start_call(&peers[0]);
        start_call(&peers[1]);
        CHECK_OK();
        CHECK(drive(peers, 2, 3 + 2 * i) < SOON_S);
        CHECK_EQ(peers[0].status, TERN_STATUS_OK);
        CHECK_EQ(peers[1].status, TERN_STATUS_UNAVAILABLE);
    }
    CHECK_EQ(peers[0].n_lost, 0);
    end();
}

static void dead__behind_a_live_one(void) { behind_a_live_one(AF_INET, "udp://127.0.0.1:0"); }

static void dead__behind_a_live_one_ipv6(void) {
    int fd = socket(AF_INET6, SOCK_DGRAM, 0);
    struct sockaddr_in6 addr = {.sin6_family = AF_INET6, .sin6_addr = in6addr_loopback};
    bool have = fd >= 0 && bind(fd, (struct sockaddr *)&addr, sizeof addr) == 0;
    if (fd >= 0) close(fd);
    if (!have) SKIP("no IPv6 here");
    behind_a_live_one(AF_INET6, "udp://[::1]:0");
}

/* A live one, by the same socket as dead ones, loses nothing to their errors. */
static void live__among_the_dead(void) {
    enum { N = 200 };
    peer peers[4] = {0};
    begin();
    add_server("udp://127.0.0.1:0", &peers[3]);
    CHECK_OK();
    for (int i = 0; i < 3; i++) {
        dead_address(AF_INET, &peers[i]);
        start_call(&peers[i]);
        CHECK_OK();
    }
    for (int i = 0; i < N; i++) start_call(&peers[3]);
    CHECK_OK();
    CHECK(drive(peers, 4, N + 3) < SOON_S);
    CHECK_EQ(peers[3].n_done, N);
    CHECK_EQ(peers[3].status, TERN_STATUS_OK);
    CHECK_EQ(peers[3].n_lost, 0);
    end();
}

/* More at a time than there are places to count their refusals. */
static void dead__many(void) {
    static peer peers[MANY];
    begin();
    CHECK_OK();
    for (int i = 0; i < MANY; i++) {
        peers[i] = (peer){0};
        dead_address(AF_INET, &peers[i]);
        start_call(&peers[i]);
        CHECK_OK();
    }
    double took = drive(peers, MANY, MANY);
    printf("# %d dead peers in %.2f s\n", MANY, took);
    for (int i = 0; i < MANY; i++) CHECK_EQ(peers[i].status, TERN_STATUS_UNAVAILABLE);
    CHECK(took < SOON_S);
    end();
}

/* A server of its own process, which is killed. Its address goes to `out`. */
static void run_child(int out) {
    peer p = {0};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    add_server("udp://127.0.0.1:0", &p);
    if (tap_failed || write(out, p.address, sizeof p.address) != sizeof p.address) _exit(1);
    tern_run(server);
    _exit(0);
}

static pid_t child;
static char child_address[ADDRESS_BYTES]; /* "" when it could not start */

/* Before anything else: a process that has used the pool cannot be forked. */
static void start_child(void) {
    int ends[2];
    if (pipe(ends) != 0) return;
    child = fork();
    if (child == 0) run_child(ends[1]);
    close(ends[1]);
    if (read(ends[0], child_address, sizeof child_address) != sizeof child_address) child_address[0] = 0;
    close(ends[0]);
}

static void killed__behind_a_live_one(void) {
    peer peers[2] = {0};
    CHECK(child_address[0]);
    memcpy(peers[1].address, child_address, sizeof child_address);
    begin();
    add_server("udp://127.0.0.1:0", &peers[0]);
    CHECK_OK();
    start_call(&peers[0]);
    start_call(&peers[1]);
    CHECK_OK();
    drive(peers, 2, 2);
    CHECK_EQ(peers[0].status, TERN_STATUS_OK);
    CHECK_EQ(peers[1].status, TERN_STATUS_OK);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    child = 0;
    start_call(&peers[0]);
    start_call(&peers[1]);
    CHECK_OK();
    CHECK(drive(peers, 2, 4) < SOON_S);
    CHECK_EQ(peers[0].status, TERN_STATUS_OK);
    CHECK_EQ(peers[1].status, TERN_STATUS_UNAVAILABLE);
    CHECK_EQ(peers[0].n_lost, 0);
    CHECK_EQ(peers[1].n_lost, 1);
    end();
}

int main(int argc, char **argv) {
    static const tap_test tests[] = {TEST(dead__the_second_as_soon_as_the_first),
                                     TEST(dead__behind_a_live_one),
                                     TEST(dead__behind_a_live_one_ipv6),
                                     TEST(live__among_the_dead),
                                     TEST(dead__many),
                                     TEST(killed__behind_a_live_one)};
    start_child();
    int result = tap_run(tests, sizeof tests / sizeof *tests, argc, argv);
    if (child > 0) kill(child, SIGKILL);
    return result;
}
