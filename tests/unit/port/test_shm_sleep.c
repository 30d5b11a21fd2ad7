/* When a port of shared memory sleeps, whom it looks at before, and what it tells those who wait for room in a ring. */
#include "packets.h"
#include "shm_world.h"

#include <poll.h>

static end server, client;
static char path[64];

static void open_both(const char *name, bool share) { ends_open(&server, &client, path, name, share); }
static void close_both(void) { ends_close(&server, &client); }

static unsigned n_has_room;

static void on_has_room(void *ctx, tern__link *link, const tern__route *route) {
    (void)ctx, (void)link, (void)route;
    n_has_room++;
}

/* Fill the ring with packets that the server does not read. */
static unsigned fill_ring(void) {
    uint8_t head[64] = {7};
    unsigned n = 0;
    while (end_send(&client, head, sizeof head, NULL, 0)) n++;
    return n;
}

/* Who was refused is told when the peer has read on, by a port that does not spin meanwhile. */
static void full__room_is_told(void) {
    open_both("room", true);
    CHECK_OK();
    tern__shm_port *port = (tern__shm_port *)(void *)client.port;
    port->env.has_room = on_has_room;
    n_has_room = 0;
    for (int i = 0; i < 5; i++) {
        CHECK(fill_ring() > 100);
        for (int k = 0; k < 1000; k++) end_poll(&client);
        CHECK_EQ(n_has_room, i);
        CHECK(client.port->ops->arm(client.port));
        end_poll(&client);
        for (int k = 0; k < 1000; k++) end_poll(&server);
        struct pollfd pfd = {.fd = client.port->ops->fd(client.port), .events = POLLIN};
        CHECK(!client.port->ops->arm(client.port) || poll(&pfd, 1, 0) == 1);
        for (int k = 0; k < 3; k++) end_poll(&client);
        CHECK_EQ(n_has_room, i + 1);
        CHECK(client.port->ops->arm(client.port));
    }
    close_both();
}

/* Before a sleep the port looks at those peers alone that have stirred; whoever has not wakes it all the same. */
static void arm__looks_at_who_has_stirred(void) {
    uint8_t head[32] = {7};
    open_both("stir", true);
    CHECK_OK();
    tern__shm_port *port = (tern__shm_port *)(void *)server.port;
    struct pollfd pfd = {.fd = server.port->ops->fd(server.port), .events = POLLIN};
    CHECK(!tern__list_empty(&port->awake));
    for (int i = 0; i < 100; i++) {
        for (int k = 0; k < 3; k++) { /* all asleep; others than these peers may wake the endpoint */
            while (!server.port->ops->arm(server.port)) end_poll(&server);
            CHECK(tern__list_empty(&port->awake));
            end_poll(&server);
            CHECK(k == 0 || tern__list_empty(&port->awake));
        }
        uint32_t n = server.n;
        uint64_t n_woken = end_stats(&client)->wakes_sent;
        CHECK(end_send(&client, head, 32, NULL, 0));
        CHECK_EQ(end_stats(&client)->wakes_sent, n_woken + 1);
        CHECK(server.port->ops->arm(server.port) && poll(&pfd, 1, 0) == 1);
        end_poll(&server);
        CHECK_EQ(server.n, n + 1);
        CHECK(!tern__list_empty(&port->awake));
        CHECK(end_send(&client, head, 32, NULL, 0)); /* now it need not be woken, and looks by itself */
        CHECK_EQ(end_stats(&client)->wakes_sent, n_woken + 1);
        CHECK(!server.port->ops->arm(server.port));
        end_poll(&server);
        CHECK_EQ(server.n, n + 2);
    }
    close_both();
}

/* Who is not among the few that each poll looks at, and has woken the port, is looked at before its next sleep. */
static void arm__finds_one_of_many(void) {
    enum { N = 48 };
    static end many[N];
    uint8_t head[32] = {7};
    CHECK(end_open(&server, true));
    CHECK_EQ(end_listen(&server, world_path(path, "many")), 0);
    server.keep = false;
    for (int i = 0; i < N; i++) CHECK(end_open(&many[i], true) && end_meet(&many[i], &server, path));
    struct pollfd pfd = {.fd = server.port->ops->fd(server.port), .events = POLLIN};
    for (int i = 0; i < 4 * N; i++) {
        while (!server.port->ops->arm(server.port)) end_poll(&server);
        uint32_t n = server.n;
        CHECK(end_send(&many[i * 5 % N], head, 32, NULL, 0));
        for (int k = 0; k < 100 && server.n == n; k++) {
            CHECK(poll(&pfd, 1, 0) == 1 || !server.port->ops->arm(server.port));
            end_poll(&server);
        }
        CHECK_EQ(server.n, n + 1);
    }
    for (int i = 0; i < N; i++) end_close(&many[i]);
    end_close(&server);
}

static void full__for_too_long_ends_the_route(void) {
    open_both("full", true);
    CHECK_OK();
    tern__shm_port *port = (tern__shm_port *)(void *)client.port;
    port->take = 50 * TERN_MS;
    CHECK(fill_ring() > 100);
    usleep(80000);
    server.keep = false;
    end_poll(&server); /* it reads some */
    fill_ring();
    end_poll(&client);
    CHECK_EQ(client.n_lost, 0);
    usleep(80000);
    fill_ring();
    end_poll(&client);
    CHECK_EQ(client.n_lost, 1);
    CHECK_EQ(end_stats(&client)->unread, 1);
    close_both();
}

TAP_MAIN(TEST(full__room_is_told), TEST(full__for_too_long_ends_the_route), TEST(arm__looks_at_who_has_stirred),
         TEST(arm__finds_one_of_many))
