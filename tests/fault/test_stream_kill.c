/* Streams whose other end is killed or stopped while bytes flow, over each port, between processes. Whoever is left is
 * told within seconds, with the right status, and holds no more than before. The parent, which does not use tern,
 * starts a server and a client anew for each case and meets one of them with a signal; what they saw is in shared
 * memory. */
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tap.h"
#include "tern/call_stream.h"

enum { SINK = 1, SOURCE = 2, ECHO = 3, PIECE = 3000, BUFFER = 100000 };

/* What one end has seen. */
typedef struct end {
    atomic_ulong n_bytes; /* of the other's half that came */
    atomic_ulong n_put;   /* that were written */
    atomic_int status;    /* of on_end; -1: it has not run */
    atomic_int wrong;     /* bytes that were not as they should be */
    atomic_ulong left;    /* buffers still held once all is over */
} end;

typedef struct table {
    char address[256];
    atomic_bool ready, stop, idle; /* idle: the client's reader takes nothing */
    atomic_int n_calls;            /* of the client's, besides its stream */
    end server, client;
} table;

static table *t;

static double clock_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void nap(long us) { nanosleep(&(struct timespec){.tv_nsec = us * 1000}, NULL); }

static uint8_t byte_at(size_t at) { return (uint8_t)(at * 7 + (at >> 8)); }

/* ---- Both ends -------------------------------------------------------------------------------------- */

static void on_data(tern_stream stream, const void *data, size_t len, void *user) {
    end *e = user;
    (void)stream;
    for (size_t i = 0; i < len; i++) e->wrong += ((const uint8_t *)data)[i] != byte_at(e->n_bytes + i);
    e->n_bytes += len;
}

/* As much as there is room for. */
static void produce(tern_stream stream, void *user) {
    end *e = user;
    uint8_t piece[PIECE];
    do {
        for (size_t i = 0; i < PIECE; i++) piece[i] = byte_at(e->n_put + i);
        if (tern_stream_write(stream, tern_bytes_of(piece, PIECE)) != 0) return;
        e->n_put += PIECE;
    } while (!t->stop);
}

static void on_end(tern_stream stream, int status, void *user) {
    (void)stream;
    ((end *)user)->status = status;
}

static const tern_stream_events reads = {.size = sizeof(tern_stream_events), .on_data = on_data, .on_end = on_end};
static const tern_stream_events writes = {.size = sizeof(tern_stream_events), .on_writable = produce, .on_end = on_end};
static const tern_stream_opts narrow = {
    .size = sizeof(tern_stream_opts), .window_bytes = 64 << 10, .buffer_bytes = BUFFER};

static uint64_t live_buffers(void) {
    tern_mem_stats stats;
    tern_mem_get_stats(&stats);
    return stats.live_buffers;
}

static int endpoint_new(tern_endpoint **ep) {
    tern_endpoint_config config;
    tern_endpoint_config_init(&config);
    config.peer_timeout = 300 * TERN_MS;
    return tern_endpoint_new(&config, ep);
}

/* ---- The server ------------------------------------------------------------------------------------- */

static void serve_sink(tern_stream stream, void *user) {
    (void)user;
    tern_stream_accept(stream, &narrow, &reads, &t->server);
}

static void serve_source(tern_stream stream, void *user) {
    (void)user;
    tern_stream_accept(stream, &narrow, &writes, &t->server);
    produce(stream, &t->server);
}

static void echo(tern_call call, const void *request, void *user) {
    (void)user;
    tern_reply_raw(call, *(const tern_bytes *)request);
}

static int server_main(const char *listen_at) {
    tern_endpoint *ep;
    if (endpoint_new(&ep) || tern_serve_stream(ep, SINK, serve_sink, NULL) ||
        tern_serve_stream(ep, SOURCE, serve_source, NULL) || tern_serve_raw(ep, ECHO, echo, NULL) ||
        tern_listen(ep, listen_at))
        return 2;
    snprintf(t->address, sizeof t->address, "%s", tern_listen_address(ep, 0));
    t->ready = true;
    while (!t->stop)
        if (tern_poll(ep) == 0) nap(50);
    tern_endpoint_free(ep);
    t->server.left = live_buffers();
    return 0;
}

/* ---- The client ------------------------------------------------------------------------------------- */

static void on_echo(void *user, int status, const void *response) {
    (void)response;
    *(bool *)user = false;
    t->n_calls += status == TERN_STATUS_OK;
}

static int client_main(uint32_t method, tern_dur timeout) {
    tern_endpoint *ep;
    tern_session *session;
    tern_stream stream;
    tern_stream_opts opts = narrow;
    bool calling = false;
    opts.timeout = timeout;
    opts.manual = t->idle;
    if (endpoint_new(&ep) || tern_connect(ep, t->address, &session) ||
        tern_stream_start(session, method, &opts, method == SINK ? &writes : &reads, &t->client, &stream))
        return 2;
    if (method == SINK) produce(stream, &t->client);
    while (!t->stop && t->client.status < 0) {
        if (!calling && t->idle)
            calling = tern_call_start_raw(session, ECHO, tern_bytes_of("x", 1), NULL, on_echo, &calling) == 0;
        if (tern_poll(ep) == 0) nap(50);
    }
    tern_endpoint_free(ep);
    t->client.left = live_buffers();
    return 0;
}

/* ---- The cases -------------------------------------------------------------------------------------- */

static pid_t server, client;

static bool begin(const char *listen_at, uint32_t method, tern_dur timeout, bool idle) {
    memset(t, 0, sizeof *t);
    t->server.status = t->client.status = -1;
    t->idle = idle;
    server = fork();
    if (server == 0) _exit(server_main(listen_at));
    for (double until = clock_s() + 10; !t->ready && clock_s() < until;) nap(500);
    client = fork();
    if (client == 0) _exit(client_main(method, timeout));
    const end *reader = method == SINK ? &t->server : &t->client;
    for (double until = clock_s() + 10; reader->n_bytes < 50000 && clock_s() < until;) nap(500);
    return t->ready && reader->n_bytes >= 50000;
}

/* Wait until a stream has ended. Returns for how long, in s. */
static double await(const end *e) {
    double start = clock_s();
    while (e->status < 0 && clock_s() - start < 20) nap(500);
    return clock_s() - start;
}

/* Whoever lives ends by itself and has given everything back. */
static void finish(void) {
    int status;
    t->stop = true;
    kill(server, SIGCONT);
    kill(client, SIGCONT);
    CHECK_EQ(waitpid(server, &status, 0), server);
    CHECK(WIFSIGNALED(status) ? WTERMSIG(status) == SIGKILL : WEXITSTATUS(status) == 0);
    CHECK_EQ(waitpid(client, &status, 0), client);
    CHECK(WIFSIGNALED(status) ? WTERMSIG(status) == SIGKILL : WEXITSTATUS(status) == 0);
    CHECK_EQ(t->server.left + t->client.left, 0);
    CHECK_EQ(t->server.wrong + t->client.wrong, 0);
}

static const char *const places[] = {"shm", "unix", "tcp", "udp"};

static const char *address_of(const char *scheme) {
    static char out[100];
    if (!strcmp(scheme, "shm") || !strcmp(scheme, "unix"))
        snprintf(out, sizeof out, "%s:///tmp/tern-stream-kill-%d.%s", scheme, (int)getpid(), scheme);
    else
        snprintf(out, sizeof out, "%s://127.0.0.1:0", scheme);
    return out;
}

static void killed(uint32_t method, bool the_server) {
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        CHECK(begin(address_of(places[i]), method, 0, false));
        kill(the_server ? server : client, SIGKILL);
        const end *left = the_server ? &t->client : &t->server;
        double took = await(left);
        printf("# %s: told after %.0f ms\n", places[i], took * 1000);
        CHECK_EQ(left->status, TERN_STATUS_UNAVAILABLE);
        CHECK(took < 5);
        finish();
        CHECK_OK();
    }
}

static void kill__the_server_that_reads(void) { killed(SINK, true); }
static void kill__the_server_that_writes(void) { killed(SOURCE, true); }
static void kill__the_client_that_writes(void) { killed(SINK, false); }
static void kill__the_client_that_reads(void) { killed(SOURCE, false); }

/* A stopped server notices nothing, but the client's time runs. */
static void stop__the_server_until_the_deadline(void) {
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        CHECK(begin(address_of(places[i]), SINK, 400 * TERN_MS, false));
        kill(server, SIGSTOP);
        double took = await(&t->client);
        CHECK(t->client.status == TERN_STATUS_DEADLINE_EXCEEDED || t->client.status == TERN_STATUS_UNAVAILABLE);
        CHECK(took < 2);
        kill(server, SIGCONT);
        await(&t->server);
        CHECK(t->server.status > 0);
        finish();
        CHECK_OK();
    }
}

/* A client that takes nothing holds its server's writer back, but none of its own calls. */
static void idle__reader_stops_its_writer_only(void) {
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        CHECK(begin(address_of(places[i]), SOURCE, 0, true));
        double until = clock_s() + 0.5;
        while (clock_s() < until) nap(1000);
        int n_calls = t->n_calls;
        until = clock_s() + 0.3;
        while (clock_s() < until) nap(1000);
        CHECK(t->n_calls > n_calls + 5);
        CHECK(t->client.n_bytes <= 64 << 10);
        CHECK(t->server.n_put <= (64 << 10) + BUFFER + PIECE);
        CHECK_EQ(t->client.status, -1);
        finish();
        CHECK_OK();
    }
}

int main(int argc, char **argv) {
    static const tap_test tests[] = {
        TEST(kill__the_server_that_reads),         TEST(kill__the_server_that_writes),
        TEST(kill__the_client_that_writes),        TEST(kill__the_client_that_reads),
        TEST(stop__the_server_until_the_deadline), TEST(idle__reader_stops_its_writer_only)};
    t = mmap(NULL, sizeof *t, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (t == MAP_FAILED) return 1;
    return tap_run(tests, sizeof tests / sizeof *tests, argc, argv);
}
