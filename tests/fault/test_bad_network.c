/* Two real endpoints over real UDP sockets, and between them a network that loses a third of the datagrams, repeats and
 * reorders others: every call runs once and comes back byte for byte. */
#include <time.h>

#include "base/rng.h"
#include "proxy.h"
#include "tap.h"
#include "tern/call_stream.h"

enum { METHOD = 7, MAX_CALLS = 600, MAX_BYTES = 200000, WINDOW = 40, N_SESSIONS = 3 };

static struct net {
    tern_endpoint *server, *clients[N_SESSIONS];
    tern_session *sessions[N_SESSIONS];
    proxy *proxy;
    tern__rng rng;
    unsigned n_started, n_done, n_bad;
    uint8_t n_runs[MAX_CALLS];
} net;

static uint8_t request[MAX_BYTES];

static double clock_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* A body is the call's number, then bytes that it determines. */
static void body_fill(uint8_t *out, size_t len, uint32_t call) {
    memcpy(out, &call, sizeof call);
    for (size_t i = sizeof call; i < len; i++) out[i] = (uint8_t)(i * 31 + call);
}

static bool body_is(const tern_bytes *b, uint32_t call) {
    const uint8_t *p = (const uint8_t *)b->data;
    if (b->len < sizeof call || memcmp(p, &call, sizeof call) != 0) return false;
    for (size_t i = sizeof call; i < b->len; i++)
        if (p[i] != (uint8_t)(i * 31 + call)) return false;
    return true;
}

static void serve(tern_call call, const void *msg, void *user) {
    const tern_bytes *bytes = msg;
    uint32_t number = MAX_CALLS;
    (void)user;
    if (bytes->len >= sizeof number) memcpy(&number, bytes->data, sizeof number);
    if (number >= MAX_CALLS || !body_is(bytes, number) || ++net.n_runs[number] != 1) net.n_bad++;
    tern_reply_raw(call, *bytes);
}

static void on_done(void *user, int status, const void *msg) {
    uint32_t number = (uint32_t)(uintptr_t)user;
    net.n_done++;
    if (status == TERN_STATUS_OK && body_is(msg, number) && net.n_runs[number] == 1) return;
    printf("# call %u: %s, %u runs\n", number, tern_status_name(status), net.n_runs[number]);
    net.n_bad++;
}

static void start_call(void) {
    static const uint32_t limits[] = {64, 64, 64, 2000, 20000, MAX_BYTES};
    uint32_t number = net.n_started++;
    size_t limit = limits[tern__rng_below(&net.rng, 6)];
    size_t len = sizeof number + tern__rng_below(&net.rng, limit - sizeof number);
    body_fill(request, len, number);
    int err = tern_call_start_raw(net.sessions[number % N_SESSIONS], METHOD, tern_bytes_of(request, len), NULL, on_done,
                                  (void *)(uintptr_t)number);
    if (err) net.n_bad++;
    memset(request, 0xee, len);
}

static int poll_all(void) {
    int n = (int)proxy_poll(net.proxy) + tern_poll(net.server);
    for (unsigned i = 0; i < N_SESSIONS; i++) n += tern_poll(net.clients[i]);
    return n;
}

static void open_net(const char *listen, proxy_faults faults, bool *ok) {
    char address[64];
    tern_endpoint_config config;
    tern_endpoint_config_init(&config);
    config.peer_timeout = 20 * TERN_SEC; /* of half the round trips nothing comes back */
    config.connect_timeout = 20 * TERN_SEC;
    memset(&net, 0, sizeof net);
    tern__rng_seed(&net.rng, 11);
    *ok = false;
    CHECK_EQ(tern_endpoint_new(&config, &net.server), 0);
    if (tern_listen(net.server, listen) != 0) {
        tern_endpoint_free(net.server);
        SKIP("this machine does not have that address");
    }
    net.proxy = proxy_new(5, tern_listen_address(net.server, 0), faults, address);
    CHECK(net.proxy != NULL);
    CHECK_EQ(tern_serve_raw(net.server, METHOD, serve, NULL), 0);
    for (unsigned i = 0; i < N_SESSIONS; i++) {
        CHECK_EQ(tern_endpoint_new(&config, &net.clients[i]), 0);
        CHECK_EQ(tern_connect(net.clients[i], address, &net.sessions[i]), 0);
    }
    *ok = true;
}

static void close_net(void) {
    for (unsigned i = 0; i < N_SESSIONS; i++) tern_endpoint_free(net.clients[i]);
    tern_endpoint_free(net.server);
    proxy_free(net.proxy);
}

static void run_calls(unsigned n, double limit_s) {
    double start = clock_s(), end = start + limit_s;
    while (net.n_done < n && net.n_bad == 0 && clock_s() < end) {
        while (net.n_started < n && net.n_started - net.n_done < WINDOW) start_call();
        if (poll_all() == 0) nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    }
    proxy_stats s = proxy_get_stats(net.proxy);
    printf("# %u calls in %.2f s; %" PRIu64 " datagrams forwarded, %" PRIu64 " lost, %" PRIu64 " repeated, %" PRIu64
           " delayed\n",
           net.n_done, clock_s() - start, s.forwarded, s.lost, s.duplicated, s.delayed);
}

static void calls_through(const char *listen, proxy_faults faults, unsigned n) {
    bool ok;
    tern_mem_stats before, after;
    tern_mem_get_stats(&before);
    open_net(listen, faults, &ok);
    if (!ok) return;
    run_calls(n, 100);
    CHECK_EQ(net.n_bad, 0);
    CHECK_EQ(net.n_done, n);
    proxy_stats stats = proxy_get_stats(net.proxy);
    if (faults.loss) CHECK(stats.lost * 100 > stats.forwarded * faults.loss);
    if (faults.delay) CHECK(stats.delayed > 0);
    close_net();
    tern_mem_get_stats(&after);
    CHECK_EQ(after.live_buffers, before.live_buffers);
}

/* ---- Streams --------------------------------------------------------------------------------------- */

enum { STREAM_METHOD = 8, STREAM_BYTES = 1000000 };

/* One half of a streaming call, as its writer and its reader see it. */
static struct half {
    size_t written, read;
    bool finished, wrong;
} up, down;

static int stream_status;

static uint8_t stream_byte(size_t at) { return (uint8_t)(at * 7 + (at >> 8)); }

/* As much as there is room for. True: all is written. */
static bool write_half(tern_stream stream, struct half *h) {
    static uint8_t piece[5000];
    while (h->written < STREAM_BYTES) {
        size_t len = 1 + tern__rng_below(&net.rng, sizeof piece);
        if (len > STREAM_BYTES - h->written) len = STREAM_BYTES - h->written;
        for (size_t i = 0; i < len; i++) piece[i] = stream_byte(h->written + i);
        if (tern_stream_write(stream, tern_bytes_of(piece, len)) != 0) return false;
        h->written += len;
    }
    return true;
}

static void read_half(struct half *h, const void *data, size_t len) {
    const uint8_t *p = data;
    for (size_t i = 0; i < len; i++) h->wrong |= p[i] != stream_byte(h->read + i);
    h->read += len;
}

static void server_on_data(tern_stream stream, const void *data, size_t len, void *user) {
    (void)stream, (void)user;
    read_half(&up, data, len);
}

static void server_writes(tern_stream stream, void *user) {
    (void)user;
    up.finished = true;
    if (write_half(stream, &down)) tern_stream_end(stream, TERN_STATUS_OK);
}

static void serve_stream(tern_stream stream, void *user) {
    const tern_stream_events events =
        TERN_STREAM_EVENTS(.on_data = server_on_data, .on_finished = server_writes, .on_writable = server_writes);
    (void)user;
    tern_stream_accept(stream, NULL, &events, NULL);
}

static void client_on_data(tern_stream stream, const void *data, size_t len, void *user) {
    (void)stream, (void)user;
    read_half(&down, data, len);
}

static void client_writes(tern_stream stream, void *user) {
    (void)user;
    if (write_half(stream, &up)) tern_stream_finish(stream);
}

static void client_on_end(tern_stream stream, int status, void *user) {
    (void)stream, (void)user;
    stream_status = status;
}

static const proxy_faults bad = {.loss = 30, .duplicate = 5, .delay = 10};

static void bad_network__ipv4_loses_30_percent(void) { calls_through("udp://127.0.0.1:0", bad, 400); }
static void bad_network__ipv6_loses_30_percent(void) { calls_through("udp://[::1]:0", bad, 400); }

static void bad_network__reorders_and_repeats(void) {
    calls_through("udp://127.0.0.1:0", (proxy_faults){.duplicate = 20, .delay = 30}, MAX_CALLS);
}

/* Nothing passes for longer than peer_timeout would allow an idle session, and then everything again: with work
 * outstanding for less than the timeout, nobody notices but by the delay. */
static void bad_network__is_cut_for_a_second(void) {
    bool ok;
    open_net("udp://127.0.0.1:0", (proxy_faults){0}, &ok);
    if (!ok) return;
    run_calls(100, 100);
    CHECK_EQ(net.n_done, 100);
    for (unsigned i = 0; i < 20; i++) start_call();
    proxy_set_faults(net.proxy, (proxy_faults){.loss = 100});
    for (double end = clock_s() + 1; clock_s() < end;) {
        poll_all();
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    proxy_set_faults(net.proxy, (proxy_faults){0});
    run_calls(200, 100);
    CHECK_EQ(net.n_bad, 0);
    CHECK_EQ(net.n_done, 200);
    close_net();
}

/* A megabyte each way, through a window of 256 KB. */
static void bad_network__streams(void) {
    const tern_stream_events events =
        TERN_STREAM_EVENTS(.on_data = client_on_data, .on_writable = client_writes, .on_end = client_on_end);
    bool ok;
    tern_stream stream;
    open_net("udp://127.0.0.1:0", bad, &ok);
    if (!ok) return;
    memset(&up, 0, sizeof up);
    memset(&down, 0, sizeof down);
    stream_status = -1;
    CHECK_EQ(tern_serve_stream(net.server, STREAM_METHOD, serve_stream, NULL), 0);
    CHECK_EQ(tern_stream_start(net.sessions[0], STREAM_METHOD, NULL, &events, NULL, &stream), 0);
    client_writes(stream, NULL);
    for (double end = clock_s() + 100; stream_status < 0 && clock_s() < end;)
        if (poll_all() == 0) nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    CHECK_EQ(stream_status, TERN_STATUS_OK);
    CHECK_EQ(up.read, STREAM_BYTES);
    CHECK_EQ(down.read, STREAM_BYTES);
    CHECK(!up.wrong && !down.wrong);
    close_net();
}

TAP_MAIN(TEST(bad_network__ipv4_loses_30_percent), TEST(bad_network__ipv6_loses_30_percent),
         TEST(bad_network__reorders_and_repeats), TEST(bad_network__is_cut_for_a_second), TEST(bad_network__streams))
