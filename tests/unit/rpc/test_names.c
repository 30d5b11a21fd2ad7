/* Sessions that are connected by name, over real sockets of this machine and with a DNS server of the test's own: what
 * happens while the name is not resolved, which address wins, and how all of it ends. Everything runs on one thread,
 * which sleeps on the endpoints' descriptors as a user's event loop would. */
#include <poll.h>
#include <time.h>

#include "../dns_server.h"
#include "echo.tern.h"
#include "mem/pool.h"
#include "rpc/by_name.h"
#include "rpc/schema.h"
#include "tap.h"
#include "tern/call_stream.h"

enum { ECHO = 1, STREAM = 2, PORT_NONE = 0 };

#define AT_ONCE (100 * TERN_MS) /* on a busy machine; who waits for the resolver waits for seconds */

static dns_name names[] = {
    {.name = "one.test", .a = "127.0.0.1"},
    {.name = "held.test", .kind = DNS_HELD, .a = "127.0.0.1"},
    {.name = "never.test", .kind = DNS_NEVER},
    {.name = "two.test", .a = "127.0.0.2 127.0.0.1"}, /* nobody answers at the first */
    {.name = "both.test", .a = "127.0.0.1", .aaaa = "::1"},
    {.name = "dead.test", .a = "127.0.0.2 127.0.0.3", .aaaa = "::1"},
    {.name = "many.test", .a = "127.0.0.2 127.0.0.3 127.0.0.4 127.0.0.5 127.0.0.1"},
    {.name = "moves.test", .a = "127.0.0.1"},
};

/* What calls and sessions told. */
typedef struct outcome {
    unsigned n_done, n_ok, n_lost, n_up;
    int status;
    tern_status why;
} outcome;

static struct {
    dns_server dns;
    tern_endpoint *client, *server;
    tern_session *session;
    outcome out;
    unsigned port, n_turns;
    int dead;  /* a socket that takes what comes and answers nothing; -1: none */
    bool asks; /* the client asks our server */
    bool close_when_told;
    uint64_t live_before;
} f;

static tern_time now(void) {
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (tern_time)ts.tv_sec * TERN_SEC + (tern_time)ts.tv_nsec;
}

static uint64_t live_buffers(void) {
    tern_mem_stats stats;
    tern_mem_get_stats(&stats);
    return stats.live_buffers;
}

/* ---- Both ends */

static void echo(tern_call call, const void *request, void *user) {
    (void)user;
    tern_reply_raw(call, *(const tern_bytes *)request);
}

static void echo_typed(tern_call call, const echo_Blob *request, void *user) {
    (void)user;
    echo_Echo_Echo_reply(call, request);
}

static void on_done(void *user, int status, const void *response) {
    outcome *o = user;
    (void)response;
    o->n_done++;
    o->n_ok += status == TERN_STATUS_OK;
    o->status = status;
    if (f.close_when_told && f.session) {
        tern_session_close(f.session);
        f.session = NULL;
    }
}

static void on_event(tern_session *session, tern_session_event event, tern_status why, void *user) {
    outcome *o = user;
    (void)session;
    o->n_up += event == TERN_EVENT_UP || event == TERN_EVENT_UP_NEW;
    o->n_lost += event == TERN_EVENT_LOST;
    if (event == TERN_EVENT_LOST) o->why = why;
}

static void stream_data(tern_stream stream, const void *data, size_t len, void *user) {
    (void)user;
    tern_stream_send(stream, tern_bytes_of(data, len));
}

static void stream_finished(tern_stream stream, void *user) {
    (void)user;
    tern_stream_end(stream, TERN_STATUS_OK);
}

static void serve_stream(tern_stream stream, void *user) {
    const tern_stream_events events = TERN_STREAM_EVENTS(.on_data = stream_data, .on_finished = stream_finished);
    tern_stream_accept(stream, NULL, &events, user);
}

static void count_data(tern_stream stream, const void *data, size_t len, void *user) {
    (void)stream, (void)data, (void)user, (void)len;
}

static void stream_end(tern_stream stream, int status, void *user) {
    (void)stream;
    on_done(user, status, NULL);
}

static bool listen_at(tern_endpoint **ep, const char *scheme, const char *host, unsigned port) {
    char address[64];
    snprintf(address, sizeof address, "%s://%s:%u", scheme, host, port);
    if (tern_endpoint_new(NULL, ep) || tern_listen(*ep, address)) return false;
    if (tern_serve_raw(*ep, ECHO, echo, NULL) || tern_serve_stream(*ep, STREAM, serve_stream, NULL)) return false;
    return echo_Echo_serve(*ep, &(echo_Echo_handlers){.Echo = echo_typed}, NULL) == 0;
}

/* config may be NULL. */
static bool begin(const char *scheme, const tern_endpoint_config *config) {
    tern__resolver *resolver;
    memset(&f, 0, sizeof f);
    f.dead = -1;
    f.live_before = live_buffers();
    if (!dns_server_init(&f.dns, names, TERN__COUNT(names))) return false;
    if (!listen_at(&f.server, scheme, "127.0.0.1", PORT_NONE)) return false;
    f.port = (unsigned)atoi(strrchr(tern_listen_address(f.server, 0), ':') + 1);
    if (tern_endpoint_new(config, &f.client) || tern__names_resolver(f.client, &resolver)) return false;
    f.asks = tern__resolver_set_servers(resolver, f.dns.address);
    return true;
}

static bool finish(void) {
    tern_session_close(f.session);
    f.session = NULL;
    tern_endpoint_free(f.client);
    tern_endpoint_free(f.server);
    dns_server_fini(&f.dns);
    if (f.dead >= 0) close(f.dead);
    return live_buffers() == f.live_before;
}

/* For tests whose names are local. */
#define BEGIN_LOCAL(scheme) CHECK(begin(scheme, NULL))

#define BEGIN_WITH(scheme, config)                                                                                     \
    do {                                                                                                               \
        CHECK(begin(scheme, config));                                                                                  \
        if (!f.asks) {                                                                                                 \
            finish();                                                                                                  \
            SKIP("this build has no c-ares");                                                                          \
        }                                                                                                              \
    } while (0)

#define BEGIN(scheme) BEGIN_WITH(scheme, NULL)

/* A datagram socket at this address, at the server's port, where nobody reads. */
static bool be_dead_at(const char *host) {
    struct sockaddr_in addr = {.sin_family = AF_INET, .sin_port = htons((uint16_t)f.port)};
    inet_pton(AF_INET, host, &addr.sin_addr);
    f.dead = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    return bind(f.dead, (struct sockaddr *)&addr, sizeof addr) == 0;
}

static int connect_to(const char *scheme, const char *host, tern_session **out) {
    char address[64];
    snprintf(address, sizeof address, "%s://%s:%u", scheme, host, f.port);
    int err = tern_connect(f.client, address, out);
    if (!err) tern_session_on_event(*out, on_event, &f.out);
    return err;
}

static int call(tern_session *session, tern_dur timeout, outcome *o) {
    tern_call_opts opts = TERN_CALL_OPTS(.timeout = timeout);
    return tern_call_start_raw(session, ECHO, tern_bytes_of("twenty bytes of text", 20), &opts, on_done, o);
}

/* One sleep, of 50 ms at most, and what ends it. */
static void turn(void) {
    tern_dur wait = 50 * TERN_MS;
    struct pollfd fds[3] = {{.fd = f.dns.fd, .events = POLLIN}, {.fd = -1}, {.fd = -1}};
    tern_endpoint *eps[] = {f.client, f.server};
    for (int i = 0; i < 2; i++) {
        if (!eps[i]) continue;
        tern_dur left = tern_next_timeout(eps[i]);
        if (left >= 0 && left < wait) wait = left;
        fds[1 + i] = (struct pollfd){.fd = tern_fd(eps[i]), .events = POLLIN};
    }
    struct timespec ts = {.tv_nsec = wait};
    ppoll(fds, 3, &ts, NULL);
    dns_server_run(&f.dns);
    for (int i = 0; i < 2; i++)
        if (eps[i]) tern_poll(eps[i]);
    f.n_turns++;
}

/* Until *count is that, at most so long. */
static bool run_until(const unsigned *count, unsigned target, tern_dur at_most) {
    tern_time end = now() + (tern_time)at_most;
    while (*count < target && now() < end) turn();
    return *count >= target;
}

static void run_for(tern_dur span) {
    unsigned never = 0;
    run_until(&never, 1, span);
}

static unsigned sessions_open(tern_endpoint *ep) {
    tern_endpoint_stats stats;
    tern_endpoint_get_stats(ep, &stats);
    return (unsigned)stats.sessions_open;
}

/* ---- While the name is not resolved */

static void connect__returns_at_once_when_nobody_answers(void) {
    BEGIN("tcp");
    tern_session *other;
    outcome on_other = {0}, in_time = {0};
    tern_time begun = now();
    CHECK_EQ(connect_to("tcp", "never.test.", &f.session), 0);
    CHECK(now() - begun < AT_ONCE);
    CHECK_EQ(tern_session_get_state(f.session), TERN_SESSION_CONNECTING);
    CHECK_EQ(connect_to("tcp", "127.0.0.1", &other), 0);
    begun = now();
    CHECK_EQ(call(f.session, 50 * TERN_MS, &in_time), 0);
    CHECK_EQ(call(f.session, 0, &f.out), 0);
    CHECK(now() - begun < AT_ONCE);
    for (unsigned i = 1; i <= 20; i++) { /* the other session of the endpoint goes on */
        CHECK_EQ(call(other, 0, &on_other), 0);
        CHECK(run_until(&on_other.n_ok, i, TERN_SEC));
    }
    CHECK(run_until(&in_time.n_done, 1, TERN_SEC));
    CHECK_EQ(in_time.status, TERN_STATUS_DEADLINE_EXCEEDED);
    CHECK(now() - begun >= 50 * TERN_MS);
    CHECK(now() - begun < 500 * TERN_MS);
    CHECK_EQ(f.out.n_done, 0);
    CHECK_EQ(f.dns.n_queries, 2);
    CHECK(finish());
}

static void connect__silence_of_the_resolver_ends_calls_as_that_of_a_server(void) {
    tern_endpoint_config config;
    tern_endpoint_config_init(&config);
    config.connect_timeout = 200 * TERN_MS;
    BEGIN_WITH("udp", &config);
    tern_time begun = now();
    CHECK_EQ(connect_to("udp", "never.test.", &f.session), 0);
    CHECK_EQ(call(f.session, 0, &f.out), 0);
    CHECK(run_until(&f.out.n_lost, 1, 2 * TERN_SEC));
    CHECK(now() - begun >= 200 * TERN_MS);
    CHECK(now() - begun < TERN_SEC);
    CHECK_EQ(f.out.n_done, 1);
    CHECK_EQ(f.out.status, TERN_STATUS_UNAVAILABLE);
    CHECK_EQ(f.out.why, TERN_STATUS_UNAVAILABLE);
    CHECK_EQ(tern_session_get_state(f.session), TERN_SESSION_DOWN);
    CHECK(f.n_turns < 1000);
    CHECK_EQ(call(f.session, 0, &f.out), 0); /* resolves anew */
    CHECK_EQ(tern_session_get_state(f.session), TERN_SESSION_CONNECTING);
    run_for(30 * TERN_MS);
    CHECK_EQ(f.dns.n_queries, 4);
    CHECK(finish());
}

static void call__waits_within_its_bounds(void) {
    tern_endpoint_config config;
    tern_endpoint_config_init(&config);
    config.max_backlog = 3;
    BEGIN_WITH("tcp", &config);
    outcome cancelled = {0};
    tern_call_ref ref;
    tern_call_opts opts = TERN_CALL_OPTS(.ref = &ref);
    CHECK_EQ(connect_to("tcp", "held.test.", &f.session), 0);
    CHECK_EQ(call(f.session, 0, &f.out), 0);
    CHECK_EQ(call(f.session, 0, &f.out), 0);
    CHECK_EQ(tern_call_start_raw(f.session, ECHO, tern_bytes_of("x", 1), &opts, on_done, &cancelled), 0);
    CHECK_EQ(call(f.session, 0, &f.out), TERN_ERR_FULL);
    CHECK_EQ(tern_call_cancel(f.client, ref), 0);
    CHECK_EQ(call(f.session, 0, &f.out), 0);
    run_for(30 * TERN_MS);
    CHECK_EQ(cancelled.n_done, 1);
    CHECK_EQ(cancelled.status, TERN_STATUS_CANCELLED);
    CHECK_EQ(f.out.n_done, 0);
    dns_server_let_go(&f.dns);
    CHECK(run_until(&f.out.n_done, 3, TERN_SEC));
    CHECK_EQ(f.out.n_ok, 3);
    CHECK_EQ(f.out.n_up, 1);
    CHECK(finish());
}

static void call__streams_wait_too(void) {
    const tern_stream_events events = TERN_STREAM_EVENTS(.on_data = count_data, .on_end = stream_end);
    static const char *const schemes[] = {"tcp", "udp"};
    for (size_t i = 0; i < 2; i++) {
        outcome ended = {0}, cancelled = {0};
        tern_stream stream, gone;
        BEGIN(schemes[i]);
        CHECK_EQ(connect_to(schemes[i], "held.test.", &f.session), 0);
        CHECK_EQ(tern_stream_start(f.session, STREAM, NULL, &events, &ended, &stream), 0);
        CHECK_EQ(tern_stream_start(f.session, STREAM, NULL, &events, &cancelled, &gone), 0);
        CHECK_EQ(tern_stream_write(stream, tern_bytes_of("before", 6)), 0);
        CHECK_EQ(call(f.session, 0, &f.out), 0);
        run_for(20 * TERN_MS);
        CHECK_EQ(tern_stream_cancel(gone), 0);
        CHECK_EQ(tern_stream_send(stream, tern_bytes_of("and after", 9)), 0);
        CHECK_EQ(tern_stream_finish(stream), 0);
        dns_server_let_go(&f.dns);
        CHECK(run_until(&ended.n_done, 1, 2 * TERN_SEC));
        CHECK_EQ(ended.status, TERN_STATUS_OK);
        CHECK_EQ(cancelled.status, TERN_STATUS_CANCELLED);
        CHECK(run_until(&f.out.n_ok, 1, TERN_SEC));
        CHECK(finish());
    }
}

/* The opinion that was asked for before the connection was there holds for it. */
static void call__types_are_compared_once(void) {
    echo_Blob blob = {.id = 7};
    outcome typed = {0};
    BEGIN("tcp");
    CHECK_EQ(connect_to("tcp", "held.test.", &f.session), 0);
    CHECK_EQ(echo_Echo_Echo(f.session, &blob, NULL, NULL, NULL), TERN_ERR_INVALID); /* nobody to tell */
    CHECK_EQ(tern_call_start(f.session, &echo_Echo_Echo_method, &blob, NULL, on_done, &typed), 0);
    run_for(20 * TERN_MS);
    dns_server_let_go(&f.dns);
    CHECK(run_until(&typed.n_ok, 1, TERN_SEC));
    CHECK_EQ(tern_call_start(f.session, &echo_Echo_Echo_method, &blob, NULL, on_done, &typed), 0);
    CHECK(run_until(&typed.n_ok, 2, TERN_SEC));
    CHECK(f.session->checked == &echo_Echo_Echo_method);
    CHECK_EQ(f.client->n_checks, 1);
    CHECK(finish());
}

static void connect__sessions_to_one_name_ask_once(void) {
    enum { N = 20 };
    tern_session *sessions[N];
    BEGIN("tcp");
    for (int i = 0; i < N; i++) {
        CHECK_EQ(connect_to("tcp", "held.test.", &sessions[i]), 0);
        CHECK_EQ(call(sessions[i], 0, &f.out), 0);
    }
    run_for(20 * TERN_MS);
    dns_server_let_go(&f.dns);
    CHECK(run_until(&f.out.n_ok, N, 2 * TERN_SEC));
    CHECK_EQ(f.dns.n_queries, 2);
    CHECK_EQ(sessions_open(f.client), N);
    CHECK(finish());
}

/* ---- Addresses */

static void connect__tries_the_next_address_when_one_is_silent(void) {
    BEGIN("udp");
    outcome typed = {0};
    echo_Blob blob = {.id = 7};
    CHECK(be_dead_at("127.0.0.2"));
    tern_time begun = now();
    CHECK_EQ(connect_to("udp", "two.test.", &f.session), 0);
    CHECK_EQ(call(f.session, 0, &f.out), 0);
    CHECK_EQ(tern_call_start(f.session, &echo_Echo_Echo_method, &blob, NULL, on_done, &typed), 0);
    CHECK(run_until(&f.out.n_ok, 1, 3 * TERN_SEC));
    CHECK(run_until(&typed.n_ok, 1, TERN_SEC));
    CHECK(now() - begun >= (tern_time)TERN__ATTEMPT_GAP);
    CHECK(now() - begun < TERN_SEC);
    CHECK_EQ(f.out.n_up, 1);
    CHECK_EQ(f.out.n_lost, 0);
    run_for(20 * TERN_MS);
    CHECK(tern__list_empty(&f.client->names));
    CHECK_EQ(sessions_open(f.client), 1);
    CHECK_EQ(sessions_open(f.server), 1);
    CHECK(finish());
}

static void connect__tries_the_next_address_at_once_when_one_refuses(void) {
    static const char *const hosts[] = {"two.test.", "both.test.", "many.test."};
    for (size_t i = 0; i < TERN__COUNT(hosts); i++) {
        BEGIN("tcp");
        tern_time begun = now();
        CHECK_EQ(connect_to("tcp", hosts[i], &f.session), 0);
        CHECK_EQ(call(f.session, 0, &f.out), 0);
        CHECK(run_until(&f.out.n_ok, 1, 3 * TERN_SEC));
        CHECK(now() - begun < (tern_time)TERN__ATTEMPT_GAP);
        CHECK_EQ(f.dns.n_queries, 2);
        CHECK_EQ(f.out.n_lost, 0);
        CHECK(finish());
    }
}

static void connect__the_first_that_accepts_wins_and_the_others_are_closed(void) {
    tern_endpoint *slow;
    BEGIN("tcp");
    CHECK(listen_at(&slow, "tcp", "127.0.0.2", f.port)); /* the kernel accepts, and this endpoint is late */
    CHECK_EQ(connect_to("tcp", "many.test.", &f.session), 0);
    CHECK_EQ(call(f.session, 0, &f.out), 0);
    CHECK(run_until(&f.out.n_ok, 1, 3 * TERN_SEC));
    for (int i = 0; i < 20; i++) {
        tern_poll(slow);
        turn();
    }
    CHECK_EQ(sessions_open(slow), 0);
    CHECK_EQ(sessions_open(f.server), 1);
    CHECK_EQ(sessions_open(f.client), 1);
    tern_endpoint_free(slow);
    CHECK(finish());
}

static void connect__no_address_answers(void) {
    BEGIN("tcp");
    CHECK_EQ(connect_to("tcp", "dead.test.", &f.session), 0);
    CHECK_EQ(call(f.session, 0, &f.out), 0);
    CHECK(run_until(&f.out.n_lost, 1, 2 * TERN_SEC));
    CHECK_EQ(f.out.n_done, 1);
    CHECK_EQ(f.out.status, TERN_STATUS_UNAVAILABLE);
    CHECK_EQ(f.out.n_lost, 1);
    CHECK_EQ(tern_session_get_state(f.session), TERN_SESSION_DOWN);
    CHECK(finish());
}

static void connect__the_server_says_why_it_refuses(void) {
    tern_endpoint_config config;
    tern_endpoint *full;
    tern_session *first;
    outcome ok = {0};
    BEGIN("tcp");
    tern_endpoint_config_init(&config);
    config.max_sessions = 1;
    full = f.server;
    CHECK_EQ(tern_endpoint_new(&config, &f.server), 0);
    CHECK_EQ(tern_listen(f.server, "tcp://127.0.0.1:0"), 0);
    CHECK_EQ(tern_serve_raw(f.server, ECHO, echo, NULL), 0);
    f.port = (unsigned)atoi(strrchr(tern_listen_address(f.server, 0), ':') + 1);
    CHECK_EQ(connect_to("tcp", "127.0.0.1", &first), 0);
    CHECK_EQ(call(first, 0, &ok), 0);
    CHECK(run_until(&ok.n_ok, 1, TERN_SEC));
    CHECK_EQ(connect_to("tcp", "one.test.", &f.session), 0);
    CHECK_EQ(call(f.session, 0, &f.out), 0);
    CHECK(run_until(&f.out.n_lost, 1, TERN_SEC));
    CHECK_EQ(f.out.status, TERN_STATUS_RESOURCE_EXHAUSTED);
    CHECK_EQ(f.out.why, TERN_STATUS_RESOURCE_EXHAUSTED);
    tern_endpoint_free(full);
    CHECK(finish());
}

static void connect__localhost_without_any_file(void) {
    static const char *const schemes[] = {"tcp", "udp"};
    for (size_t i = 0; i < 2; i++) {
        BEGIN_LOCAL(schemes[i]);
        tern__resolver_set_hosts(f.client->resolver, "/nonexistent/hosts");
        CHECK_EQ(connect_to(schemes[i], "localhost", &f.session), 0);
        CHECK_EQ(call(f.session, 0, &f.out), 0);
        CHECK(run_until(&f.out.n_ok, 1, TERN_SEC));
        CHECK_EQ(f.dns.n_queries, 0);
        CHECK(finish());
    }
}

/* ---- Ends */

static void connect__an_unknown_name_is_tried_again_by_the_next_call(void) {
    BEGIN("tcp");
    names[7].kind = DNS_NXDOMAIN;
    CHECK_EQ(connect_to("tcp", "moves.test.", &f.session), 0);
    CHECK_EQ(call(f.session, 0, &f.out), 0);
    CHECK(run_until(&f.out.n_lost, 1, TERN_SEC));
    CHECK_EQ(f.out.n_done, 1);
    CHECK_EQ(f.out.status, TERN_STATUS_UNAVAILABLE);
    CHECK_EQ(f.dns.n_queries, 2);
    CHECK_EQ(tern_session_get_state(f.session), TERN_SESSION_DOWN);
    run_for(20 * TERN_MS);
    CHECK_EQ(f.dns.n_queries, 2);
    names[7].kind = DNS_ANSWERS;
    CHECK_EQ(call(f.session, 0, &f.out), 0);
    CHECK(run_until(&f.out.n_ok, 1, TERN_SEC));
    CHECK_EQ(f.dns.n_queries, 4);
    CHECK_EQ(f.out.n_up, 1);
    CHECK(finish());
}

static void connect__anew_resolves_anew(void) {
    BEGIN("tcp");
    tern_endpoint *old;
    CHECK_EQ(connect_to("tcp", "moves.test.", &f.session), 0);
    CHECK_EQ(call(f.session, 0, &f.out), 0);
    CHECK(run_until(&f.out.n_ok, 1, TERN_SEC));
    old = f.server;
    CHECK(listen_at(&f.server, "tcp", "127.0.0.3", f.port));
    tern_endpoint_free(old);
    CHECK(run_until(&f.out.n_lost, 1, TERN_SEC));
    names[7].a = "127.0.0.3";
    CHECK_EQ(call(f.session, 0, &f.out), 0);
    CHECK(run_until(&f.out.n_ok, 2, TERN_SEC));
    names[7].a = "127.0.0.1";
    CHECK_EQ(f.dns.n_queries, 4);
    CHECK_EQ(f.out.n_up, 2);
    CHECK(finish());
}

static void close__while_the_name_is_asked_for(void) {
    BEGIN("udp");
    CHECK_EQ(connect_to("udp", "held.test.", &f.session), 0);
    CHECK_EQ(call(f.session, 0, &f.out), 0);
    run_for(20 * TERN_MS);
    CHECK_EQ(tern_session_close(f.session), 0);
    f.session = NULL;
    CHECK_EQ(f.out.n_done, 1);
    CHECK_EQ(f.out.status, TERN_STATUS_UNAVAILABLE);
    dns_server_let_go(&f.dns);
    run_for(20 * TERN_MS);
    /* Nothing is to be done, but to give memory back in some seconds. */
    tern_dur wait = tern_next_timeout(f.client);
    CHECK(wait == -1 || (tern__pool_is_warm() && wait > TERN_SEC));
    CHECK(finish());
}

static void close__while_addresses_are_tried(void) {
    BEGIN("udp");
    CHECK(be_dead_at("127.0.0.2"));
    CHECK_EQ(connect_to("udp", "two.test.", &f.session), 0);
    CHECK_EQ(call(f.session, 0, &f.out), 0);
    run_for(100 * TERN_MS);
    CHECK_EQ(f.out.n_up, 0);
    CHECK(!tern__list_empty(&f.client->names));
    CHECK_EQ(tern_session_close(f.session), 0);
    f.session = NULL;
    CHECK(tern__list_empty(&f.client->names));
    run_for(300 * TERN_MS);
    CHECK_EQ(sessions_open(f.server), 0);
    CHECK(finish());
}

static void close__by_a_callback_of_its_end(void) {
    static const char *const hosts[] = {"unknown.test.", "dead.test.", "two.test."};
    for (size_t i = 0; i < TERN__COUNT(hosts); i++) {
        BEGIN("tcp");
        f.close_when_told = true;
        CHECK_EQ(connect_to("tcp", hosts[i], &f.session), 0);
        CHECK_EQ(call(f.session, 0, &f.out), 0);
        CHECK(run_until(&f.out.n_done, 1, 2 * TERN_SEC));
        CHECK(f.session == NULL);
        run_for(20 * TERN_MS);
        CHECK(tern__list_empty(&f.client->names));
        CHECK(tern__list_empty(&f.client->sessions));
        CHECK(finish());
    }
}

static unsigned n_again;

static void start_again(void *user, int status, const void *response) {
    (void)user, (void)status, (void)response;
    if (++n_again < 5) tern_call_start_raw(f.session, ECHO, tern_bytes_of("x", 1), NULL, start_again, NULL);
}

static void call__again_by_a_callback_of_its_end(void) {
    BEGIN("tcp");
    n_again = 0;
    CHECK_EQ(connect_to("tcp", "unknown.test.", &f.session), 0);
    CHECK_EQ(tern_call_start_raw(f.session, ECHO, tern_bytes_of("x", 1), NULL, start_again, NULL), 0);
    CHECK(run_until(&n_again, 5, 2 * TERN_SEC));
    CHECK_EQ(f.dns.n_queries, 10);
    CHECK(finish());
}

static void free__in_the_middle(void) {
    static const char *const hosts[] = {"held.test.", "never.test.", "two.test.", "many.test.", "localhost"};
    for (size_t i = 0; i < TERN__COUNT(hosts); i++) {
        for (int turns = 0; turns < 6; turns++) {
            BEGIN("udp");
            CHECK(be_dead_at("127.0.0.2"));
            CHECK_EQ(connect_to("udp", hosts[i], &f.session), 0);
            CHECK_EQ(call(f.session, 0, &f.out), 0);
            for (int k = 0; k < turns; k++) turn();
            f.session = NULL;
            tern_endpoint_free(f.client);
            f.client = NULL;
            CHECK_EQ(f.out.n_done, 1);
            CHECK(finish());
        }
    }
}

/* One session may be tried at a time at most: the placeholder's. */
static void connect__without_room_for_attempts_ends_as_any_other(void) {
    tern_endpoint_config config;
    tern_endpoint_config_init(&config);
    config.max_sessions = 1;
    config.connect_timeout = 400 * TERN_MS;
    BEGIN_WITH("tcp", &config);
    CHECK_EQ(connect_to("tcp", "one.test.", &f.session), 0);
    CHECK_EQ(call(f.session, 0, &f.out), 0);
    CHECK(run_until(&f.out.n_lost, 1, 2 * TERN_SEC));
    CHECK_EQ(f.out.n_done, 1);
    CHECK_EQ(f.out.status, TERN_STATUS_UNAVAILABLE);
    CHECK(finish());
}

static void connect__what_is_no_address_is_told_at_once(void) {
    tern_session *session;
    BEGIN_LOCAL("tcp");
    CHECK_EQ(tern_connect(f.client, "tcp://name", &session), TERN_ERR_ADDRESS);
    CHECK_EQ(tern_connect(f.client, "tcp://name:0", &session), TERN_ERR_ADDRESS);
    CHECK_EQ(tern_connect(f.client, "udp://:7", &session), TERN_ERR_ADDRESS);
    CHECK_EQ(tern_connect(f.client, "udp://bad name:7", &session), TERN_ERR_ADDRESS);
    CHECK_EQ(tern_listen(f.client, "tcp://one.test:0"), TERN_ERR_ADDRESS);
    CHECK_EQ(tern_listen(f.client, "udp://localhost:0"), 0);
    CHECK_EQ(f.dns.n_queries, 0);
    CHECK(finish());
}

TAP_MAIN(TEST(connect__returns_at_once_when_nobody_answers),
         TEST(connect__silence_of_the_resolver_ends_calls_as_that_of_a_server), TEST(call__waits_within_its_bounds),
         TEST(call__streams_wait_too), TEST(call__types_are_compared_once),
         TEST(connect__sessions_to_one_name_ask_once), TEST(connect__tries_the_next_address_when_one_is_silent),
         TEST(connect__tries_the_next_address_at_once_when_one_refuses),
         TEST(connect__the_first_that_accepts_wins_and_the_others_are_closed), TEST(connect__no_address_answers),
         TEST(connect__the_server_says_why_it_refuses), TEST(connect__localhost_without_any_file),
         TEST(connect__an_unknown_name_is_tried_again_by_the_next_call), TEST(connect__anew_resolves_anew),
         TEST(close__while_the_name_is_asked_for), TEST(close__while_addresses_are_tried),
         TEST(close__by_a_callback_of_its_end), TEST(call__again_by_a_callback_of_its_end), TEST(free__in_the_middle),
         TEST(connect__without_room_for_attempts_ends_as_any_other), TEST(connect__what_is_no_address_is_told_at_once))
