/* The three ways to drive an endpoint, over real ports and between threads. */
#include "tap.h"

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "base/base.h"
#include "echo.tern.h"
#include "tern/rpc.h"

/* ---- A server on a thread of its own ------------------------------------------------------------ */

typedef struct server {
    pthread_t thread;
    const char *listen_at;
    tern_endpoint *_Atomic ep;
    char address[256];
    _Atomic bool ready;
    int result; /* of tern_run() */
    double cpu_seconds, wall_seconds;
} server;

static void echo(tern_call call, const echo_Blob *request, void *user) {
    (void)user;
    echo_Echo_Echo_reply(call, request);
}

/* Never replies. */
static void later(tern_call call, const echo_Blob *request, void *user) { (void)call, (void)request, (void)user; }

static double seconds(clockid_t clock) {
    struct timespec ts;
    clock_gettime(clock, &ts);
    return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static void *serve(void *user) {
    server *s = user;
    tern_endpoint *ep = NULL;
    echo_Echo_handlers handlers = {.Echo = echo, .Later = later};
    s->result = tern_endpoint_new(NULL, &ep);
    if (!s->result) s->result = echo_Echo_serve(ep, &handlers, NULL);
    if (!s->result) s->result = tern_listen(ep, s->listen_at);
    if (!s->result) snprintf(s->address, sizeof s->address, "%s", tern_listen_address(ep, 0));
    atomic_store(&s->ep, ep);
    atomic_store(&s->ready, true);
    double wall = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_THREAD_CPUTIME_ID);
    if (!s->result) s->result = tern_run(ep);
    s->wall_seconds = seconds(CLOCK_MONOTONIC) - wall;
    s->cpu_seconds = seconds(CLOCK_THREAD_CPUTIME_ID) - cpu;
    tern_endpoint_free(ep);
    return NULL;
}

static bool server_start(server *s, const char *listen_at) {
    *s = (server){.listen_at = listen_at};
    if (pthread_create(&s->thread, NULL, serve, s) != 0) return false;
    while (!atomic_load(&s->ready)) usleep(100);
    return s->result == 0;
}

static int server_stop(server *s) {
    if (s->result == 0) tern_stop(atomic_load(&s->ep));
    pthread_join(s->thread, NULL);
    return s->result;
}

static const char *addresses[4];

static void addresses_init(void) {
    static char shm[64], local[64];
    snprintf(shm, sizeof shm, "shm:///tmp/tern-drive-%d.sock", (int)getpid());
    snprintf(local, sizeof local, "unix:///tmp/tern-drive-%d.stream", (int)getpid());
    addresses[0] = "udp://127.0.0.1:0";
    addresses[1] = shm;
    addresses[2] = "tcp://127.0.0.1:0";
    addresses[3] = local;
}

/* ---- Tests -------------------------------------------------------------------------------------- */

static void call_wait__between_threads(void) {
    addresses_init();
    for (size_t i = 0; i < TERN__COUNT(addresses); i++) {
        server s;
        tern_endpoint *ep;
        tern_session *session;
        CHECK(server_start(&s, addresses[i]));
        CHECK_EQ(tern_endpoint_new(NULL, &ep), 0);
        CHECK_EQ(tern_connect(ep, s.address, &session), 0);
        for (uint32_t n = 0; n < 200; n++) {
            const echo_Blob *response;
            uint8_t bytes[3000];
            memset(bytes, (int)n, sizeof bytes);
            echo_Blob request = {.id = n, .data = {bytes, n * 15}};
            CHECK_EQ(echo_Echo_Echo_wait(session, &request, NULL, &response), TERN_STATUS_OK);
            CHECK_EQ(response->id, n);
            CHECK_EQ(response->data.len, n * 15);
            CHECK_MEM(response->data.data, bytes, n * 15);
            tern_release(response);
        }
        CHECK_EQ(tern_endpoint_free(ep), 0);
        CHECK_EQ(server_stop(&s), 0);
    }
}

static void call_wait__response_outlives_the_endpoint(void) {
    addresses_init();
    for (size_t i = 0; i < TERN__COUNT(addresses); i++) {
        server s;
        tern_endpoint *ep;
        tern_session *session;
        const echo_Blob *response;
        static const uint8_t bytes[2000] = {1, 2, 3};
        CHECK(server_start(&s, addresses[i]));
        CHECK_EQ(tern_endpoint_new(NULL, &ep), 0);
        CHECK_EQ(tern_connect(ep, s.address, &session), 0);
        CHECK_EQ(echo_Echo_Echo_wait(session, &(echo_Blob){.data = {bytes, 2000}}, NULL, &response), 0);
        CHECK_EQ(tern_endpoint_free(ep), 0);
        CHECK_EQ(server_stop(&s), 0);
        CHECK_MEM(response->data.data, bytes, 2000);
        tern_release(response);
    }
}

static void call_wait__deadline_of_a_call_never_answered(void) {
    addresses_init();
    for (size_t i = 0; i < TERN__COUNT(addresses); i++) {
        server s;
        tern_endpoint *ep;
        tern_session *session;
        const echo_Blob *response;
        CHECK(server_start(&s, addresses[i]));
        CHECK_EQ(tern_endpoint_new(NULL, &ep), 0);
        CHECK_EQ(tern_connect(ep, s.address, &session), 0);
        tern_call_opts opts = TERN_CALL_OPTS(.timeout = 30 * TERN_MS);
        double start = seconds(CLOCK_MONOTONIC);
        CHECK_EQ(echo_Echo_Later_wait(session, &(echo_Blob){0}, &opts, &response), TERN_STATUS_DEADLINE_EXCEEDED);
        CHECK(response == NULL);
        CHECK(seconds(CLOCK_MONOTONIC) - start < 5);
        CHECK_EQ(tern_endpoint_free(ep), 0);
        CHECK_EQ(server_stop(&s), 0);
    }
}

/* The promise is less than 1 % of a core, with a session open. */
static void run__idle_costs_next_to_nothing(void) {
    addresses_init();
    for (size_t i = 0; i < TERN__COUNT(addresses); i++) {
        server s;
        tern_endpoint *ep;
        tern_session *session;
        const echo_Blob *response;
        CHECK(server_start(&s, addresses[i]));
        CHECK_EQ(tern_endpoint_new(NULL, &ep), 0);
        CHECK_EQ(tern_connect(ep, s.address, &session), 0);
        CHECK_EQ(echo_Echo_Echo_wait(session, &(echo_Blob){.id = 1}, NULL, &response), 0);
        tern_release(response);
        usleep(1000000);
        CHECK_EQ(server_stop(&s), 0);
        printf("# %s: %.3f %% of a core\n", addresses[i], 100 * s.cpu_seconds / s.wall_seconds);
        CHECK(s.cpu_seconds < 0.01 * s.wall_seconds);
        CHECK_EQ(tern_endpoint_free(ep), 0);
    }
}

static void done(void *user, int status, const echo_Blob *response) {
    (void)response;
    *(int *)user = status;
}

/* Driven by a descriptor and a timeout alone: never polled without being told to. */
static void fd__wakes_for_packets_and_timeouts(void) {
    addresses_init();
    for (size_t i = 0; i < TERN__COUNT(addresses); i++) {
        server s;
        tern_endpoint *ep;
        tern_session *session;
        CHECK(server_start(&s, addresses[i]));
        CHECK_EQ(tern_endpoint_new(NULL, &ep), 0);
        CHECK_EQ(tern_connect(ep, s.address, &session), 0);
        for (int n = 0; n < 50; n++) {
            int status = -1;
            tern_call_opts opts = TERN_CALL_OPTS(.timeout = 10 * TERN_MS);
            if (n % 10 == 9)
                CHECK_EQ(echo_Echo_Later(session, &(echo_Blob){0}, &opts, done, &status), 0);
            else
                CHECK_EQ(echo_Echo_Echo(session, &(echo_Blob){.id = 5}, NULL, done, &status), 0);
            int n_waits = 0;
            while (status < 0 && n_waits++ < 1000) {
                tern_dur timeout = tern_next_timeout(ep);
                struct pollfd pfd = {.fd = tern_fd(ep), .events = POLLIN};
                poll(&pfd, 1, timeout < 0 ? 5000 : (int)((timeout + TERN_MS - 1) / TERN_MS));
                CHECK(tern_poll(ep) >= 0);
            }
            CHECK_EQ(status, n % 10 == 9 ? TERN_STATUS_DEADLINE_EXCEEDED : TERN_STATUS_OK);
            CHECK(n_waits < 200);
        }
        CHECK_EQ(tern_endpoint_free(ep), 0);
        CHECK_EQ(server_stop(&s), 0);
    }
}

static _Atomic int n_posted;

static void count_post(void *user) {
    (void)user;
    atomic_fetch_add(&n_posted, 1);
}

static void post__wakes_a_sleeping_endpoint(void) {
    server s;
    CHECK(server_start(&s, "udp://127.0.0.1:0"));
    usleep(20000); /* asleep by now */
    for (int i = 0; i < 100; i++) CHECK_EQ(tern_post(atomic_load(&s.ep), count_post, NULL), 0);
    for (int i = 0; i < 5000 && atomic_load(&n_posted) < 100; i++) usleep(1000);
    CHECK_EQ(atomic_load(&n_posted), 100);
    CHECK_EQ(server_stop(&s), 0);
}

static void listen__port_zero_and_taken_addresses(void) {
    addresses_init();
    for (size_t i = 0; i < TERN__COUNT(addresses); i++) {
        tern_endpoint *first, *second;
        CHECK_EQ(tern_endpoint_new(NULL, &first), 0);
        CHECK_EQ(tern_endpoint_new(NULL, &second), 0);
        CHECK_EQ(tern_listen(first, addresses[i]), 0);
        CHECK(strstr(tern_listen_address(first, 0), ":0") == NULL);
        CHECK(tern_listen_address(first, 1) == NULL);
        CHECK_EQ(tern_listen(second, tern_listen_address(first, 0)), TERN_ERR_EXISTS);
        CHECK_EQ(tern_endpoint_free(first), 0);
        CHECK_EQ(tern_endpoint_free(second), 0);
    }
}

/* A call to an address where nobody is ends by itself, and works once somebody is there. */
static void connect__before_the_server_is_there(void) {
    tern_endpoint_config config;
    tern_endpoint_config_init(&config);
    config.connect_timeout = 100 * TERN_MS;
    addresses_init();
    for (size_t i = 0; i < TERN__COUNT(addresses); i++) {
        server s;
        tern_endpoint *ep;
        tern_session *session;
        const echo_Blob *response;
        CHECK(server_start(&s, addresses[i])); /* for a free address, */
        char address[256];
        snprintf(address, sizeof address, "%s", s.address);
        CHECK_EQ(server_stop(&s), 0); /* free again */
        CHECK_EQ(tern_endpoint_new(&config, &ep), 0);
        CHECK_EQ(tern_connect(ep, address, &session), 0);
        CHECK_EQ(echo_Echo_Echo_wait(session, &(echo_Blob){.id = 1}, NULL, &response), TERN_STATUS_UNAVAILABLE);
        CHECK(server_start(&s, address));
        CHECK_EQ(echo_Echo_Echo_wait(session, &(echo_Blob){.id = 1}, NULL, &response), TERN_STATUS_OK);
        tern_release(response);
        CHECK_EQ(tern_endpoint_free(ep), 0);
        CHECK_EQ(server_stop(&s), 0);
    }
}

TAP_MAIN(TEST(call_wait__between_threads), TEST(call_wait__response_outlives_the_endpoint),
         TEST(call_wait__deadline_of_a_call_never_answered), TEST(run__idle_costs_next_to_nothing),
         TEST(fd__wakes_for_packets_and_timeouts), TEST(post__wakes_a_sleeping_endpoint),
         TEST(listen__port_zero_and_taken_addresses), TEST(connect__before_the_server_is_there))
