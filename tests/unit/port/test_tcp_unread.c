/* A peer that asks for much and does not read it: whoever has more for it learns when it reads again, and if it never
 * does, its connection ends. */
#include "tcp_peer.h"

#include <sys/un.h>

static peer server;
static int raw;
static unsigned n_has_room;
static uint8_t stream[1 << 20];

static void on_has_room(void *ctx, tern__link *link, const tern__route *route) {
    const peer *p = ctx;
    (void)link;
    n_has_room += tern__route_eq(route, &p->from);
}

static int raw_connect_local(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    memcpy(address.sun_path, path, strlen(path) + 1);
    return connect(fd, (const struct sockaddr *)(const void *)&address, sizeof address) ? -1 : fd;
}

/* A server that answers each packet with itself, and a peer with a session whose answers fill everything there is. */
static void start_full(bool local, tern_dur unread) {
    char path[64];
    snprintf(path, sizeof path, "/tmp/tern-test-%ld-unread.sock", (long)getpid());
    memset(&server, 0, sizeof server);
    CHECK_EQ(peer_init(&server, local), 0);
    CHECK_EQ(peer_listen(&server, local ? path : "127.0.0.1:0"), 0);
    server.tcp->times.tick = 5 * TERN_MS;
    server.tcp->times.unread = unread;
    server.tcp->env.has_room = on_has_room;
    server.echo = server.uses = true;
    n_has_room = 0;
    raw = local ? raw_connect_local(path) : raw_connect(server.address);
    CHECK(raw >= 0);
    raw_fill(raw, &server, stream);
    CHECK_EQ(n_has_room, 0);
}

static void stop(void) {
    close(raw);
    peer_fini(&server);
}

static void room__is_told(bool local) {
    static uint8_t sink[1 << 16];
    start_full(local, 10 * TERN_SEC);
    CHECK_OK();
    for (int i = 0; i < 50; i++) peer_poll(&server);
    CHECK_EQ(n_has_room, 0);
    for (int i = 0; i < 2000 && n_has_room == 0; i++) {
        while (recv(raw, sink, sizeof sink, MSG_DONTWAIT) > 0) continue;
        peer_poll(&server);
        usleep(500);
    }
    CHECK(n_has_room > 0);
    CHECK(peer_put(&server, &server.from, stream, 4000, 64));
    stop();
}

static void room__is_told_over_tcp(void) { room__is_told(false); }
static void room__is_told_over_unix(void) { room__is_told(true); }

/* The kernel takes more as it goes on, and then no more. */
static void fill(void) {
    for (int n_refused = 0; n_refused < 20;) {
        if (peer_put(&server, &server.from, stream, 4000, 64)) {
            peer_flush(&server);
        } else {
            n_refused++;
            usleep(1000);
            peer_poll(&server);
        }
    }
}

static void unread__ends_the_connection(bool local) {
    static uint8_t sink[1 << 18];
    start_full(local, 400 * TERN_MS);
    CHECK_OK();
    for (int i = 0; i < 30; i++) { /* 600 ms at least, and each time it has taken something */
        for (int k = 0; k < 8 && recv(raw, sink, sizeof sink, MSG_DONTWAIT) > 0;) k++;
        fill(); /* 20 ms at least */
    }
    CHECK_EQ(server.n_lost, 0);
    fill();
    WAIT_FOR(&server, &server, server.n_lost == 1); /* asleep, too */
    CHECK_EQ(server.tcp->stats.unread, 1);
    CHECK_EQ(server.tcp->n_conns, 0);
    stop();
}

static void unread__ends_the_connection_over_tcp(void) { unread__ends_the_connection(false); }
static void unread__ends_the_connection_over_unix(void) { unread__ends_the_connection(true); }

TAP_MAIN(TEST(room__is_told_over_tcp), TEST(room__is_told_over_unix), TEST(unread__ends_the_connection_over_tcp),
         TEST(unread__ends_the_connection_over_unix))
