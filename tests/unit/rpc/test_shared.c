/* Several endpoints, each on its thread, behind one address: sessions spread, all are served, each stays with its
 * endpoint whoever joins or leaves, and clients of one that is freed come to the others. */
#include "tap.h"

#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "echo.tern.h"
#include "server_thread.h"

enum { N_SERVERS = 3, N_CLIENTS = 24 };

typedef struct member {
    server s;
    tern_listener *listener;
    uint32_t number;
    _Atomic uint64_t n_served;
} member;

/* Says who serves it. */
static void echo(tern_call call, const echo_Blob *request, void *user) {
    member *m = user;
    echo_Blob response = *request;
    response.id = m->number;
    atomic_fetch_add(&m->n_served, 1);
    echo_Echo_Echo_reply(call, &response);
}

static int set_up(tern_endpoint *ep, void *user) {
    member *m = user;
    echo_Echo_handlers handlers = {.Echo = echo};
    int err = echo_Echo_serve(ep, &handlers, m);
    return err ? err : tern_listen_shared(ep, m->listener);
}

static bool member_start(member *m, tern_listener *listener, uint32_t number) {
    *m = (member){.s = {.set_up = set_up, .user = m}, .listener = listener, .number = number};
    return server_start(&m->s);
}

/* Who serves this session, or -1. */
static int ask(tern_session *session) {
    static uint8_t bytes[20000];
    const echo_Blob *response;
    tern_call_opts opts = TERN_CALL_OPTS(.timeout = 20 * TERN_SEC);
    echo_Blob request = {.data = {bytes, sizeof bytes}};
    if (echo_Echo_Echo_wait(session, &request, &opts, &response) != TERN_STATUS_OK) return -1;
    int number = response->data.len == sizeof bytes ? (int)response->id : -1;
    tern_release(response);
    return number;
}

/* Clients, each an endpoint with sockets of its own. */
typedef struct clients {
    tern_endpoint *ep[N_CLIENTS];
    tern_session *session[N_CLIENTS];
    int served_by[N_CLIENTS];
    int n_of[N_SERVERS + 1];
} clients;

static void clients_connect(clients *c, const char *address) {
    *c = (clients){0};
    for (int i = 0; i < N_CLIENTS; i++) {
        CHECK_EQ(tern_endpoint_new(NULL, &c->ep[i]), 0);
        CHECK_EQ(tern_connect(c->ep[i], address, &c->session[i]), 0);
        c->served_by[i] = ask(c->session[i]);
        CHECK(c->served_by[i] >= 0 && c->served_by[i] <= N_SERVERS);
        c->n_of[c->served_by[i]]++;
    }
}

static void clients_free(clients *c) {
    for (int i = 0; i < N_CLIENTS; i++) tern_endpoint_free(c->ep[i]);
}

static void sessions__spread_and_stay(void) {
    for (size_t a = 0; a < 4; a++) {
        tern_listener *listener;
        member members[N_SERVERS];
        static clients c;
        CHECK_EQ(tern_listener_new(server_addresses()[a], N_SERVERS, &listener), 0);
        CHECK(strstr(tern_listener_address(listener), ":0") == NULL);
        for (uint32_t i = 0; i < N_SERVERS; i++) {
            CHECK(member_start(&members[i], listener, i));
            CHECK(strcmp(members[i].s.address, tern_listener_address(listener)) == 0);
        }
        clients_connect(&c, tern_listener_address(listener));
        CHECK_OK();
        printf("# %s: %d, %d and %d sessions\n", server_addresses()[a], c.n_of[0], c.n_of[1], c.n_of[2]);
        for (int i = 0; i < N_SERVERS; i++) CHECK(c.n_of[i] > 0);
        if (a > 0) /* in turn */
            for (int i = 0; i < N_SERVERS; i++) CHECK_EQ(c.n_of[i], N_CLIENTS / N_SERVERS);
        for (int round = 0; round < 20; round++)
            for (int i = 0; i < N_CLIENTS; i++) CHECK_EQ(ask(c.session[i]), c.served_by[i]);
        clients_free(&c);
        for (int i = 0; i < N_SERVERS; i++) CHECK_EQ(server_stop(&members[i].s), 0);
        tern_listener_free(listener);
    }
}

/* One leaves and another comes: whose endpoint stays notices nothing. */
static void sessions__survive_others_coming_and_going(void) {
    for (size_t a = 0; a < 4; a++) {
        tern_listener *listener;
        member members[N_SERVERS], late;
        tern_endpoint_stats stats;
        static clients c;
        CHECK_EQ(tern_listener_new(server_addresses()[a], N_SERVERS, &listener), 0);
        for (uint32_t i = 0; i < N_SERVERS; i++) CHECK(member_start(&members[i], listener, i));
        clients_connect(&c, tern_listener_address(listener));
        CHECK_OK();
        CHECK_EQ(server_stop(&members[1].s), 0);
        for (int i = 0; i < N_CLIENTS; i++) {
            if (c.served_by[i] == 1) continue;
            CHECK_EQ(ask(c.session[i]), c.served_by[i]);
        }
        CHECK(member_start(&late, listener, N_SERVERS));
        int n_moved = 0;
        for (int i = 0; i < N_CLIENTS; i++) {
            int by = ask(c.session[i]);
            if (by < 0) by = ask(c.session[i]); /* the first call may be what finds the connection dead */
            if (c.served_by[i] == 1) {
                CHECK(by >= 0 && by != 1);
                n_moved++;
                continue;
            }
            CHECK_EQ(by, c.served_by[i]);
            CHECK_EQ(tern_endpoint_get_stats(c.ep[i], &stats), 0);
            CHECK_EQ(stats.peers_lost, 0);
        }
        CHECK_EQ(n_moved, c.n_of[1]);
        clients_free(&c);
        CHECK_EQ(server_stop(&late.s), 0);
        CHECK_EQ(server_stop(&members[0].s), 0);
        CHECK_EQ(server_stop(&members[2].s), 0);
        tern_listener_free(listener);
    }
}

/* Nobody meets an empty place, and whoever has a session keeps it when the place that his address stands for is
 * taken. */
static void sessions__stay_when_places_fill(void) {
    const char *addresses[6] = {[4] = "udp://[::1]:0", [5] = "udp://*:0"};
    memcpy(addresses, server_addresses(), 4 * sizeof *addresses);
    for (size_t a = 0; a < 6; a++) {
        tern_listener *listener;
        member members[N_SERVERS];
        tern_endpoint_stats stats;
        static clients c;
        int err = tern_listener_new(addresses[a], N_SERVERS, &listener);
        if (err == TERN_ERR_ADDRESS && a == 4) continue; /* no IPv6 here */
        CHECK_EQ(err, 0);
        CHECK(member_start(&members[0], listener, 0));
        clients_connect(&c, tern_listener_address(listener));
        CHECK_OK();
        CHECK_EQ(c.n_of[0], N_CLIENTS);
        for (uint32_t i = 1; i < N_SERVERS; i++) CHECK(member_start(&members[i], listener, i));
        for (int i = 0; i < N_CLIENTS; i++) {
            CHECK_EQ(ask(c.session[i]), 0);
            CHECK_EQ(tern_endpoint_get_stats(c.ep[i], &stats), 0);
            CHECK_EQ(stats.peers_lost, 0);
        }
        clients_free(&c);
        for (int i = 0; i < N_SERVERS; i++) CHECK_EQ(server_stop(&members[i].s), 0);
        tern_listener_free(listener);
    }
}

/* Busy clients get sockets of their own at the server while others connect: no packet may go astray meanwhile. */
static void udp__busy_peers_keep_to_their_endpoint(void) {
    tern_listener *listener;
    member members[2];
    tern_endpoint_stats stats;
    static clients c;
    CHECK_EQ(tern_listener_new("udp://127.0.0.1:0", 2, &listener), 0);
    for (uint32_t i = 0; i < 2; i++) CHECK(member_start(&members[i], listener, i));
    clients_connect(&c, tern_listener_address(listener));
    CHECK_OK();
    for (int i = 0; i < 4000; i++) CHECK_EQ(ask(c.session[i % 6]), c.served_by[i % 6]);
    for (int i = 0; i < N_CLIENTS; i++) {
        CHECK_EQ(ask(c.session[i]), c.served_by[i]);
        CHECK_EQ(tern_endpoint_get_stats(c.ep[i], &stats), 0);
        CHECK_EQ(stats.peers_lost, 0);
    }
    clients_free(&c);
    for (int i = 0; i < 2; i++) CHECK_EQ(server_stop(&members[i].s), 0);
    tern_listener_free(listener);
}

static void listen_shared__limits(void) {
    tern_endpoint *ep[3];
    for (int i = 0; i < 3; i++) CHECK_EQ(tern_endpoint_new(NULL, &ep[i]), 0);
    for (size_t a = 0; a < 4; a++) {
        tern_listener *listener, *other;
        CHECK_EQ(tern_listener_new(server_addresses()[a], 0, &listener), TERN_ERR_INVALID);
        CHECK_EQ(tern_listener_new(server_addresses()[a], 65, &listener), TERN_ERR_INVALID);
        CHECK_EQ(tern_listener_new(server_addresses()[a], 2, &listener), 0);
        CHECK_EQ(tern_listener_new(tern_listener_address(listener), 2, &other), TERN_ERR_EXISTS);
        CHECK_EQ(tern_listen(ep[2], tern_listener_address(listener)), TERN_ERR_EXISTS);
        CHECK_EQ(tern_listen_shared(ep[0], listener), 0);
        CHECK_EQ(tern_listen_shared(ep[0], listener), TERN_ERR_EXISTS);
        CHECK_EQ(tern_listen_shared(ep[1], listener), 0);
        CHECK_EQ(tern_listen_shared(ep[2], listener), TERN_ERR_FULL);
        tern_listener_free(listener); /* the endpoints keep it */
        tern_session *session;
        CHECK_EQ(tern_connect(ep[2], tern_listen_address(ep[1], (unsigned)a), &session), 0);
    }
    CHECK_EQ(tern_listener_new("sim://0", 2, NULL), TERN_ERR_ADDRESS);
    CHECK_EQ(tern_listener_new(NULL, 2, NULL), TERN_ERR_ADDRESS);
    for (int i = 0; i < 3; i++) CHECK_EQ(tern_endpoint_free(ep[i]), 0);
    for (size_t a = 0; a < 4; a++) { /* all is free again */
        tern_listener *listener;
        CHECK_EQ(tern_listener_new(server_addresses()[a], 2, &listener), 0);
        tern_listener_free(listener);
    }
}

/* A child that lets go of what it inherited leaves its parent's address alone. */
static void listener_free__in_a_child(void) {
    for (size_t a = 0; a < 4; a++) {
        tern_listener *listener, *other;
        CHECK_EQ(tern_listener_new(server_addresses()[a], 2, &listener), 0);
        pid_t child = fork();
        if (child == 0) {
            tern_listener_free(listener);
            _exit(0);
        }
        int status = -1;
        CHECK_EQ(waitpid(child, &status, 0), child);
        CHECK_EQ(status, 0);
        CHECK_EQ(tern_listener_new(tern_listener_address(listener), 2, &other), TERN_ERR_EXISTS);
        tern_listener_free(listener);
    }
}

TAP_MAIN(TEST(sessions__spread_and_stay), TEST(sessions__survive_others_coming_and_going),
         TEST(sessions__stay_when_places_fill), TEST(udp__busy_peers_keep_to_their_endpoint),
         TEST(listen_shared__limits), TEST(listener_free__in_a_child))
