/* How many ports an endpoint has, and which of them an address means. Simulated ports stand beside the real ones. */
#include "tap.h"
#include "world.h"

#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { METHOD = 5, N_SIM_PORTS = 6 };

static bool answered[N_SIM_PORTS];

static void echo(tern_call call, const void *request, void *user) {
    (void)user;
    tern_reply_raw(call, *(const tern_bytes *)request);
}

static void on_done(void *user, int status, const void *response) {
    uint32_t *number = user;
    CHECK_EQ(status, TERN_STATUS_OK);
    CHECK_EQ(((const tern_bytes *)response)->len, sizeof *number);
    answered[*number] = status == TERN_STATUS_OK;
}

/* The endpoint has one more port, a node of the simulator, whose scheme is "simN". */
static bool add_sim_port(tern_endpoint *ep, tern__sim *sim, uint32_t node, char name[16]) {
    tern__port_env env = tern__ports_env(ep);
    tern__port *port;
    if (tern__sim_port_new(sim, node, &env, &port) != 0) return false;
    snprintf(name, 16, "sim%u", node);
    port->name = name;
    return tern__ports_add(ep, port) == 0;
}

/* One server with one port of every kind and six more, one client: every port takes calls. */
static void ports__all_kinds_and_more_serve_one_endpoint(void) {
    static char names[N_SIM_PORTS][16];
    tern__sim_config config = {.n_nodes = N_SIM_PORTS + 1, .max_packet = 1500, .threshold = 512, .reliable = true};
    world w = {0};
    char shm[64], local[64];
    tern__rng_seed(&w.rng, 7);
    CHECK(tern__sim_new(7, &config, &w.sim) == 0);
    tern__endpoint_env env = {world_now, world_random, &w, NULL};
    CHECK(tern__endpoint_new_with(NULL, &env, &w.ep[SERVER]) == 0);
    tern_endpoint *server = w.ep[SERVER];
    snprintf(shm, sizeof shm, "shm:///tmp/tern-ports-%d.sock", (int)getpid());
    snprintf(local, sizeof local, "unix:///tmp/tern-ports-%d.stream", (int)getpid());
    CHECK_EQ(tern_listen(server, shm), 0);
    CHECK_EQ(tern_listen(server, "udp://127.0.0.1:0"), 0);
    CHECK_EQ(tern_listen(server, "tcp://127.0.0.1:0"), 0);
    CHECK_EQ(tern_listen(server, local), 0);
    for (uint32_t i = 0; i < N_SIM_PORTS; i++) CHECK(add_sim_port(server, w.sim, i, names[i]));
    CHECK_EQ(tern_serve_raw(server, METHOD, echo, NULL), 0);

    CHECK(tern__endpoint_new_with(NULL, &env, &w.ep[CLIENT]) == 0);
    tern__port_env port_env = tern__ports_env(w.ep[CLIENT]);
    tern__port *port;
    CHECK(tern__sim_port_new(w.sim, N_SIM_PORTS, &port_env, &port) == 0 && tern__ports_add(w.ep[CLIENT], port) == 0);
    for (uint32_t i = 0; i < N_SIM_PORTS; i++) {
        static uint32_t numbers[N_SIM_PORTS];
        tern_session *session;
        char address[16];
        numbers[i] = i;
        answered[i] = false;
        snprintf(address, sizeof address, "sim://%u", i);
        CHECK(tern_connect(w.ep[CLIENT], address, &session) == 0);
        tern_bytes request = tern_bytes_of(&numbers[i], sizeof numbers[i]);
        CHECK_EQ(tern_call_start_raw(session, METHOD, request, NULL, on_done, &numbers[i]), 0);
        CHECK(world_run(&w, &answered[i], TERN_SEC));
    }
    world_fini(&w);
}

/* A scheme means the port that has its whole name, and a port that is open is not opened again. */
static void ports__an_address_names_one_port(void) {
    tern_endpoint *ep;
    tern__port *first, *again, *other;
    const char *rest;
    CHECK(tern_endpoint_new(NULL, &ep) == 0);
    CHECK_EQ(tern__ports_find(ep, "udp://127.0.0.1:1", &first, &rest), 0);
    CHECK(strcmp(rest, "127.0.0.1:1") == 0);
    CHECK_EQ(tern__ports_find(ep, "tcp://127.0.0.1:1", &other, &rest), 0);
    CHECK_EQ(tern__ports_find(ep, "udp://127.0.0.1:2", &again, &rest), 0);
    CHECK(first == again && first != other);
    CHECK(ep->ports == first && first->next == other && !other->next);
    CHECK_EQ(tern__ports_find(ep, "ud://127.0.0.1:2", &again, &rest), TERN_ERR_ADDRESS);
    CHECK_EQ(tern__ports_find(ep, "udpx://127.0.0.1:2", &again, &rest), TERN_ERR_ADDRESS);
    CHECK_EQ(tern__ports_find(ep, "udp:127.0.0.1:2", &again, &rest), TERN_ERR_ADDRESS);
    CHECK_EQ(tern__ports_find(ep, NULL, &again, &rest), TERN_ERR_ADDRESS);
    tern_endpoint_free(ep);
}

/* Whether somebody listens at another user's socket is not ours to know: it is no address that is taken. */
static int listen_as_nobody(const char *address) {
    tern_endpoint *ep;
    if (tern_endpoint_new(NULL, &ep) || seteuid(65534)) return 0;
    int err = tern_listen(ep, address);
    if (seteuid(0)) err = 0;
    tern_endpoint_free(ep);
    return err;
}

static void listen__at_another_users_socket(void) {
    static const char *const schemes[] = {"unix", "shm"};
    if (geteuid() != 0) return; /* nobody else to be */
    for (size_t i = 0; i < TERN__COUNT(schemes); i++) {
        char address[160];
        struct sockaddr_un at = {.sun_family = AF_UNIX};
        snprintf(at.sun_path, sizeof at.sun_path, "/tmp/tern-ports-%d.%s", (int)getpid(), schemes[i]);
        snprintf(address, sizeof address, "%s://%s", schemes[i], at.sun_path);
        int fd = socket(AF_UNIX, SOCK_STREAM, 0);
        CHECK(fd >= 0 && bind(fd, (struct sockaddr *)&at, sizeof at) == 0 && chmod(at.sun_path, 0600) == 0);
        CHECK_EQ(listen_as_nobody(address), TERN_ERR_ACCESS);
        close(fd);
        unlink(at.sun_path);
    }
}

TAP_MAIN(TEST(ports__all_kinds_and_more_serve_one_endpoint), TEST(ports__an_address_names_one_port),
         TEST(listen__at_another_users_socket))
