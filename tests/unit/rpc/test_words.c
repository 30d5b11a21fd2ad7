/* What the results of calls and the log say in words when this program itself ends something, or when a session is
 * lost. */
#include "tap.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/base.h"
#include "echo.tern.h"
#include "port/port.h"
#include "refs.tern.h"
#include "tern/call_stream.h"
#include "tern/rpc.h"

enum { METHOD = 7, STREAM = 8, PATIENCE = 1 << 22, PATIENCE_SHORT = 1 << 16 };

static const char closed_here[] = "this program closed the session", freed_here[] = "this program freed the endpoint";

static tern_endpoint *server, *client;
static tern_session *session;

/* ---- The log ------------------------------------------------------------------------------------- */

enum { MAX_LINES = 64 };

static char lines[MAX_LINES][512];
static tern_log_level levels[MAX_LINES];
static bool of_server[MAX_LINES];
static unsigned n_lines;

static void keep_line(void *user, tern_log_level level, const char *line) {
    if (n_lines == MAX_LINES) return;
    of_server[n_lines] = user == &server;
    levels[n_lines] = level;
    snprintf(lines[n_lines++], sizeof lines[0], "%s", line);
}

/* The number of lines with this text, of the server's log or the client's. */
static unsigned count_lines(bool servers, const char *what) {
    unsigned n = 0;
    for (unsigned i = 0; i < n_lines; i++) n += of_server[i] == servers && strstr(lines[i], what) != NULL;
    return n;
}

/* ---- What came of a call ------------------------------------------------------------------------- */

typedef struct outcome {
    unsigned n;
    int status;
    char message[128];
} outcome;

static void note_outcome(outcome *o, int status) {
    tern_str message = tern_result_message(tern_call_result(client));
    o->n++;
    o->status = status;
    snprintf(o->message, sizeof o->message, "%.*s", (int)message.len, message.data ? message.data : "");
}

static void on_done(void *user, int status, const void *response) {
    (void)response;
    note_outcome(user, status);
}

static void on_end(tern_stream stream, int status, void *user) {
    (void)stream;
    note_outcome(user, status);
}

static void on_typed(void *user, int status, const echo_Blob *response) {
    (void)response;
    note_outcome(user, status);
}

static void check_outcome(const outcome *o, const char *message) {
    CHECK_EQ(o->n, 1);
    CHECK_EQ(o->status, TERN_STATUS_UNAVAILABLE);
    if (strcmp(o->message, message) != 0) printf("# \"%s\", not \"%s\"\n", o->message, message);
    CHECK(strcmp(o->message, message) == 0);
}

/* ---- Both ends ----------------------------------------------------------------------------------- */

static void never(tern_call call, const void *request, void *user) { (void)call, (void)request, (void)user; }

static void accept_it(tern_stream stream, void *user) {
    const tern_stream_events events = TERN_STREAM_EVENTS();
    (void)user;
    CHECK_EQ(tern_stream_accept(stream, NULL, &events, NULL), 0);
}

static void address_of(char *address, size_t cap, const char *scheme, const char *name) {
    if (strcmp(scheme, "udp") == 0 || strcmp(scheme, "tcp") == 0)
        snprintf(address, cap, "%s://127.0.0.1:0", scheme);
    else
        snprintf(address, cap, "%s:///tmp/tern-%s-%ld.sock", scheme, name, (long)getpid());
}

/* config: of the server; its log is set here. */
static void begin_with(const char *scheme, tern_endpoint_config *config) {
    char address[96];
    address_of(address, sizeof address, scheme, "words");
    config->log = keep_line;
    n_lines = 0;
    config->log_user = &server;
    CHECK_EQ(tern_endpoint_new(config, &server), 0);
    tern_endpoint_config_init(config);
    config->log = keep_line;
    config->log_user = &client;
    CHECK_EQ(tern_endpoint_new(config, &client), 0);
    CHECK_EQ(tern_serve_raw(server, METHOD, never, NULL), 0);
    CHECK_EQ(tern_serve_stream(server, STREAM, accept_it, NULL), 0);
    CHECK_EQ(tern_listen(server, address), 0);
    CHECK_EQ(tern_connect(client, tern_listen_address(server, 0), &session), 0);
}

static void begin(const char *scheme) {
    tern_endpoint_config config;
    tern_endpoint_config_init(&config);
    begin_with(scheme, &config);
}

static void poll_both(unsigned n) {
    for (unsigned i = 0; i < n; i++) CHECK(tern_poll(client) >= 0 && tern_poll(server) >= 0);
}

static void wait_until_open(void) {
    for (unsigned i = 0; i < PATIENCE && tern_session_get_state(session) != TERN_SESSION_OPEN; i++) poll_both(1);
    CHECK_EQ(tern_session_get_state(session), TERN_SESSION_OPEN);
}

static void start_raw(outcome *o) {
    CHECK_EQ(tern_call_start_raw(session, METHOD, tern_bytes_of("x", 1), NULL, on_done, o), 0);
}

static void start_stream(outcome *o) {
    tern_stream stream;
    tern_stream_events events = TERN_STREAM_EVENTS(.on_end = on_end);
    CHECK_EQ(tern_stream_start(session, STREAM, NULL, &events, o, &stream), 0);
    CHECK_EQ(tern_stream_send(stream, tern_bytes_of("x", 1)), 0);
}

/* A call that has left, one that waits for the server's word on its types, and a stream. */
static void start_all(outcome o[3]) {
    memset(o, 0, 3 * sizeof *o);
    start_raw(&o[0]);
    start_stream(&o[1]);
    poll_both(4);
    CHECK_EQ(echo_Echo_Echo(session, &(echo_Blob){.id = 1}, NULL, on_typed, &o[2]), 0);
    for (unsigned i = 0; i < 3; i++) CHECK_EQ(o[i].n, 0);
}

static const char *const schemes[] = {"udp", "shm", "tcp", "unix"};

static void closed_session__says_that_this_program_closed_it(void) {
    for (size_t i = 0; i < TERN__COUNT(schemes); i++) {
        outcome o[3];
        begin(schemes[i]);
        CHECK_OK();
        wait_until_open();
        start_all(o);
        CHECK_EQ(tern_session_close(session), 0);
        for (unsigned k = 0; k < 3; k++) check_outcome(&o[k], closed_here);
        tern_endpoint_free(client);
        tern_endpoint_free(server);
    }
}

/* Of one that was never open, too. */
static void closed_session__while_it_connects(void) {
    outcome o[3];
    begin("udp");
    CHECK_OK();
    memset(o, 0, sizeof o);
    start_raw(&o[0]);
    start_stream(&o[1]);
    CHECK_EQ(tern_session_close(session), 0);
    check_outcome(&o[0], closed_here);
    check_outcome(&o[1], closed_here);
    tern_endpoint_free(client);
    tern_endpoint_free(server);
}

static void close_it(void *user) {
    (void)user;
    CHECK_EQ(tern_session_close(session), 0);
}

static void closed_session__from_a_callback(void) {
    outcome o[3];
    begin("shm");
    CHECK_OK();
    wait_until_open();
    start_all(o);
    CHECK_EQ(tern_post(client, close_it, NULL), 0);
    poll_both(2);
    for (unsigned k = 0; k < 3; k++) check_outcome(&o[k], closed_here);
    tern_endpoint_free(client);
    tern_endpoint_free(server);
}

static void freed_endpoint__says_that_this_program_freed_it(void) {
    for (size_t i = 0; i < TERN__COUNT(schemes); i++) {
        outcome o[3];
        begin(schemes[i]);
        CHECK_OK();
        wait_until_open();
        start_all(o);
        CHECK_EQ(tern_endpoint_free(client), 0);
        for (unsigned k = 0; k < 3; k++) check_outcome(&o[k], freed_here);
        tern_endpoint_free(server);
    }
}

/* What had ended before says why it had ended. */
static void freed_endpoint__tells_calls_that_had_ended_why_they_had(void) {
    outcome o = {0};
    tern_call_ref ref;
    tern_call_opts opts = TERN_CALL_OPTS(.ref = &ref);
    begin("shm");
    CHECK_OK();
    wait_until_open();
    CHECK_EQ(tern_call_start_raw(session, METHOD, tern_bytes_of("x", 1), &opts, on_done, &o), 0);
    CHECK_EQ(tern_call_cancel(client, ref), 0);
    CHECK_EQ(o.n, 0);
    tern_endpoint_free(client);
    CHECK_EQ(o.status, TERN_STATUS_CANCELLED);
    CHECK(strcmp(o.message, "the caller cancelled the call") == 0);
    tern_endpoint_free(server);
}

/* ---- Responses that the server has given up ------------------------------------------------------- */

enum { LONG = STREAM + 2, LONG_BYTES = 4 << 20 };

static void on_long(tern_call call, const void *request, void *user) {
    void *response = tern_call_arena(call) ? tern_arena_zalloc(tern_call_arena(call), LONG_BYTES) : NULL;
    (void)request, (void)user;
    CHECK_EQ(tern_reply_raw(call, tern_bytes_of(response, LONG_BYTES)), 0);
}

/* The server keeps one response, and the client asks for two at a time. */
static void lost_response__says_that_the_call_has_run(void) {
    for (size_t i = 0; i < TERN__COUNT(schemes); i++) {
        outcome o[2] = {{0}, {0}};
        tern_endpoint_config config;
        tern_endpoint_config_init(&config);
        config.max_kept_bytes = 1 << 20;
        begin_with(schemes[i], &config);
        CHECK_OK();
        CHECK_EQ(tern_serve_raw(server, LONG, on_long, NULL), 0);
        wait_until_open();
        for (unsigned k = 0; k < 2; k++)
            CHECK_EQ(tern_call_start_raw(session, LONG, tern_bytes_of("x", 1), NULL, on_done, &o[k]), 0);
        for (unsigned n = 0; n < PATIENCE && !(o[0].n && o[1].n); n++) poll_both(1);
        const outcome *lost = o[0].status ? &o[0] : &o[1], *kept = o[0].status ? &o[1] : &o[0];
        CHECK_EQ(kept->status, TERN_STATUS_OK);
        CHECK_EQ(lost->status, TERN_STATUS_DATA_LOSS);
        CHECK(strstr(lost->message, "the call has run; the server gave its response up") == lost->message);
        tern_endpoint_free(client);
        tern_endpoint_free(server);
    }
}

/* ---- Requests that there is no room for ----------------------------------------------------------- */

static void never_typed(tern_call call, const echo_Blob *request, void *user) { (void)call, (void)request, (void)user; }

/* A short text of a long list: what it decodes to is more than the server may hold. */
static void refused_request__is_counted_and_says_why(void) {
    enum { N = 200000, MB = 1 << 20 };
    tern_bytes *parts = calloc(N, sizeof *parts);
    tern_call_opts opts = TERN_CALL_OPTS(.format = TERN_FORMAT_PROTOBUF);
    echo_Echo_handlers handlers = {.Echo = never_typed};
    tern_endpoint_config config;
    tern_endpoint_stats stats;
    outcome o = {0};
    tern_endpoint_config_init(&config);
    config.max_rx_bytes = config.max_message_bytes = MB;
    begin_with("tcp", &config);
    CHECK_OK();
    CHECK_EQ(echo_Echo_serve(server, &handlers, NULL), 0);
    wait_until_open();
    CHECK_EQ(echo_Echo_Echo(session, &(echo_Blob){.parts = {.data = parts, .len = N}}, &opts, on_typed, &o), 0);
    free(parts);
    for (unsigned n = 0; n < PATIENCE && !o.n; n++) poll_both(1);
    CHECK_EQ(o.status, TERN_STATUS_RESOURCE_EXHAUSTED);
    CHECK(strcmp(o.message, "the message takes more memory, once it is decoded, than there is") == 0);
    tern_endpoint_get_stats(server, &stats);
    CHECK_EQ(stats.given_up_requests, 1);
    tern_endpoint_free(client);
    tern_endpoint_free(server);
}

/* ---- Handlers of streams that do nothing --------------------------------------------------------- */

static unsigned n_forgotten;

static void forget_it(tern_stream stream, void *user) {
    (void)user;
    n_forgotten++;
    CHECK_EQ(tern_stream_write(stream, tern_bytes_of("y", 1)), 0); /* which changes nothing */
}

static void forget_request(tern__any_fn *handler, tern_stream stream, const void *request, void *user) {
    (void)handler, (void)stream, (void)user;
    n_forgotten++;
    CHECK_EQ(((const echo_Blob *)request)->id, 5);
}

static void some_handler(void) {}

/* The client learns of it at once, and the log has a line for each. */
static void check_forgotten(outcome *o) {
    for (unsigned i = 0; i < PATIENCE_SHORT && !o->n; i++) poll_both(1);
    CHECK_EQ(o->n, 1);
    CHECK_EQ(o->status, TERN_STATUS_INTERNAL);
    CHECK(strcmp(o->message, "the handler returned without accepting or ending its stream") == 0);
}

static void forgotten_stream__ends_with_internal(void) {
    enum { OTHER = STREAM + 1 };
    for (size_t i = 0; i < TERN__COUNT(schemes); i++) {
        tern_stream stream;
        tern_stream_events events = TERN_STREAM_EVENTS(.on_end = on_end);
        tern__message_events typed = TERN__SIZED(tern__message_events, .on_end = on_end);
        outcome o[2] = {{0}, {0}};
        begin(schemes[i]);
        CHECK_OK();
        n_forgotten = 0;
        CHECK_EQ(tern_serve_stream(server, OTHER, forget_it, NULL), 0);
        CHECK_EQ(tern__serve_stream(server, &echo_Echo_Echo_method, true, forget_request, some_handler, NULL), 0);
        CHECK_EQ(tern_stream_start(session, OTHER, NULL, &events, &o[0], &stream), 0);
        CHECK_EQ(tern_stream_send(stream, tern_bytes_of("x", 1)), 0);
        check_forgotten(&o[0]);
        echo_Blob request = {.id = 5};
        CHECK_EQ(tern__stream_start(session, &echo_Echo_Echo_method, &request, NULL, &typed, &o[1], &stream), 0);
        check_forgotten(&o[1]);
        CHECK_EQ(n_forgotten, 2);
        CHECK_EQ(count_lines(true, "a handler returned without accepting or ending its stream"), 2);
        tern_endpoint_free(client);
        tern_endpoint_free(server);
    }
}

/* ---- Sessions in the log ------------------------------------------------------------------------- */

/* The session's line names its address, once. */
static void log__names_the_session_that_is_lost(void) {
    for (size_t i = 0; i < TERN__COUNT(schemes); i++) {
        char line[300];
        begin(schemes[i]);
        CHECK_OK();
        wait_until_open();
        snprintf(line, sizeof line, "to %s", tern_listen_address(server, 0));
        tern_endpoint_free(server);
        server = NULL;
        for (unsigned n = 0; n < PATIENCE && tern_session_get_state(session) != TERN_SESSION_DOWN; n++)
            tern_poll(client);
        CHECK_EQ(count_lines(false, "session lost ("), 1);
        CHECK_EQ(count_lines(false, line), 1);
        CHECK_EQ(count_lines(false, "): client-"), 1);
        tern_endpoint_free(client);
    }
}

/* Clients that come and go are there in the most verbose log alone, over every port. */
static void log__of_a_server_has_clients_that_come_and_go(void) {
    for (size_t i = 0; i < TERN__COUNT(schemes); i++) {
        bool udp = strcmp(schemes[i], "udp") == 0;
        begin(schemes[i]);
        CHECK_OK();
        wait_until_open();
        CHECK_EQ(count_lines(true, " is up"), 1);
        CHECK_EQ(count_lines(true, "udp: client udp://127.0.0.1:"), udp);
        CHECK_EQ(tern_session_close(session), 0);
        for (unsigned n = 0; n < PATIENCE && !count_lines(true, " is gone: "); n++) poll_both(1);
        CHECK_EQ(count_lines(true, " is gone: "), 1);
        CHECK_EQ(count_lines(true, "(disconnected)"), udp);
        for (unsigned n = 0; n < n_lines; n++)
            if (of_server[n] && (strstr(lines[n], " is up") || strstr(lines[n], " is gone")))
                CHECK_EQ(levels[n], TERN_LOG_DEBUG);
        tern_endpoint_free(client);
        tern_endpoint_free(server);
    }
}

/* What an endpoint does by itself is in the log of those who leave out clients: its addresses and its connections. */
static void log__names_addresses_and_own_connections(void) {
    for (size_t i = 0; i < TERN__COUNT(schemes); i++) {
        char line[160];
        begin(schemes[i]);
        CHECK_OK();
        wait_until_open();
        snprintf(line, sizeof line, "%s: listening at %s", schemes[i], tern_listen_address(server, 0));
        CHECK_EQ(count_lines(true, line), 1);
        CHECK_EQ(count_lines(false, " is up"), strcmp(schemes[i], "udp") != 0); /* which has no connections */
        for (unsigned n = 0; n < n_lines; n++)
            if (strstr(lines[n], "listening at") || (!of_server[n] && strstr(lines[n], " is up")))
                CHECK_EQ(levels[n], TERN_LOG_INFO);
        tern_endpoint_free(client);
        tern_endpoint_free(server);
    }
}

static void log__names_shared_addresses(void) {
    for (size_t i = 0; i < TERN__COUNT(schemes); i++) {
        char address[96], line[160];
        tern_listener *listener;
        begin(schemes[i]);
        CHECK_OK();
        address_of(address, sizeof address, schemes[i], "shared");
        CHECK_EQ(tern_listener_new(address, 2, &listener), 0);
        CHECK_EQ(tern_listen_shared(server, listener), 0);
        snprintf(line, sizeof line, "%s: listening at place 0 of %s", schemes[i], tern_listener_address(listener));
        CHECK_EQ(count_lines(true, line), 1);
        tern_endpoint_free(client);
        tern_endpoint_free(server);
        tern_listener_free(listener);
    }
}

static void log_stderr__prints_all_but_clients(void) {
    char text[128];
    FILE *to = tmpfile();
    CHECK(to != NULL);
    int before = dup(STDERR_FILENO);
    CHECK_EQ(dup2(fileno(to), STDERR_FILENO), STDERR_FILENO);
    tern_log_stderr(NULL, TERN_LOG_ERROR, "an error");
    tern_log_stderr(NULL, TERN_LOG_DEBUG, "a client");
    tern_log_stderr(NULL, TERN_LOG_INFO, "an address");
    CHECK_EQ(dup2(before, STDERR_FILENO), STDERR_FILENO);
    close(before);
    rewind(to);
    text[fread(text, 1, sizeof text - 1, to)] = 0;
    fclose(to);
    CHECK(strcmp(text, "tern: an error\ntern: an address\n") == 0);
}

static void log__tells_of_socket_buffers_once(void) {
    tern_session *more[3];
    begin("udp");
    CHECK_OK();
    for (unsigned i = 0; i < 3; i++) {
        CHECK_EQ(tern_listen(server, "udp://127.0.0.1:0"), 0);
        CHECK_EQ(tern_connect(client, tern_listen_address(server, i + 1), &more[i]), 0);
    }
    CHECK_EQ(count_lines(true, "socket buffers"), 1);
    CHECK_EQ(count_lines(false, "socket buffers"), 1);
    CHECK_EQ(count_lines(true, "listening at"), 4);
    tern_endpoint_free(client);
    tern_endpoint_free(server);
}

/* Peers that are refused as fast as they come make a line a second. */
static void log__of_refused_peers_is_bounded(void) {
    tern__port_env env = {.log = keep_line, .log_user = &server};
    tern_time at = 0;
    n_lines = 0;
    for (unsigned i = 0; i < 1000; i++) tern__port_log_refusal(&env, "tcp", &at);
    CHECK(n_lines >= 1 && n_lines <= 2);
    n_lines = 0;
    at -= 2 * (tern_time)TERN_SEC;
    tern__port_log_refusal(&env, "tcp", &at);
    CHECK_EQ(count_lines(true, "tcp: a peer was refused"), 1);
}

/* ---- Configurations ------------------------------------------------------------------------------ */

static void check_refused(int err, const char *why) {
    char line[256];
    CHECK_EQ(err, TERN_ERR_INVALID);
    snprintf(line, sizeof line, "the configuration is refused: %s", why);
    CHECK_EQ(n_lines, 1);
    if (strcmp(lines[0], line) != 0) printf("# \"%s\", not \"%s\"\n", lines[0], line);
    CHECK(strcmp(lines[0], line) == 0 && levels[0] == TERN_LOG_ERROR);
    n_lines = 0;
}

/* One member is set, the others are the defaults. */
#define REFUSED(member, to, why)                                                                                       \
    do {                                                                                                               \
        tern_endpoint_config_init(&config);                                                                            \
        config.log = keep_line;                                                                                        \
        config.member = to;                                                                                            \
        check_refused(tern_endpoint_new(&config, &ep), why);                                                           \
    } while (0)

static void config__of_an_endpoint_is_refused_by_name(void) {
    tern_endpoint_config config;
    tern_endpoint *ep;
    n_lines = 0;
    REFUSED(size, 0, "size is 0: tern_endpoint_config_init() sets it");
    REFUSED(max_sessions, 0, "max_sessions is 0; it goes from 1 to 1048576");
    REFUSED(max_sessions, (1 << 20) + 1, "max_sessions is 1048577; it goes from 1 to 1048576");
    REFUSED(max_message_bytes, 0, "max_message_bytes is 0; it goes from 1 to 1073741824");
    REFUSED(max_message_bytes, (1 << 30) + 1, "max_message_bytes is 1073741825; it goes from 1 to 1073741824");
    REFUSED(max_rx_bytes, 1, "max_rx_bytes is 1; the least with this max_message_bytes is 67108864");
    REFUSED(session_credits, 0, "session_credits is 0; it goes from 1 to 64");
    REFUSED(session_credits, 65, "session_credits is 65; it goes from 1 to 64");
    REFUSED(connect_timeout, 0, "connect_timeout is 0; the least is 1");
    REFUSED(peer_timeout, 1, "peer_timeout is 1; the least is 10000000");
    REFUSED(peer_timeout, 10 * TERN_MS - 1, "peer_timeout is 9999999; the least is 10000000");
    REFUSED(peer_timeout, -5, "peer_timeout is -5; the least is 10000000");
    REFUSED(keepalive, -1, "keepalive is -1; the least is 0");
    REFUSED(idle_spin, -1, "idle_spin is -1; the least is 0");
    REFUSED(udp_payload_bytes, 511, "udp_payload_bytes is 511; it goes from 512 to 65000");
    REFUSED(udp_payload_bytes, 65001, "udp_payload_bytes is 65001; it goes from 512 to 65000");
    REFUSED(congestion, (tern_congestion)5, "congestion is 5; it goes from 0 to 4");
    REFUSED(max_metadata_bytes, (256 << 10) + 1, "max_metadata_bytes is 262145; it goes from 0 to 262144");
    REFUSED(retry_after, 0, "retry_after is 0; it goes from 1 to 15000000000");
    REFUSED(retry_after, 15 * TERN_SEC + 1, "retry_after is 15000000001; it goes from 1 to 15000000000");
    REFUSED(queue_target, -1, "queue_target is -1; the least is 0");
    memset(&config, 0xa5, sizeof config); /* never initialised: its log is any bytes */
    CHECK_EQ(tern_endpoint_new(&config, &ep), TERN_ERR_INVALID);
    tern_endpoint_config_init(&config);
    config.log = keep_line;
    config.peer_timeout = 10 * TERN_MS;
    config.max_rx_bytes = 1 << 30; /* else the log says how much it is */
    CHECK_EQ(tern_endpoint_new(&config, &ep), 0);
    CHECK_EQ(n_lines, 0);
    tern_endpoint_free(ep);
}

#undef REFUSED
#define REFUSED(member, to, why)                                                                                       \
    do {                                                                                                               \
        tern_workers_config_init(&config);                                                                             \
        config.log = keep_line;                                                                                        \
        config.cpus = cpus;                                                                                            \
        config.member = to;                                                                                            \
        check_refused(tern_workers_new(&config, &pool), why);                                                          \
    } while (0)

static void config__of_workers_is_refused_by_name(void) {
    tern_workers_config config;
    tern_workers *pool;
    int cpus[2] = {0, -1};
    n_lines = 0;
    REFUSED(size, 0, "size is 0: tern_workers_config_init() sets it");
    REFUSED(n_threads, 0, "n_threads is 0; it goes from 1 to 1024");
    REFUSED(n_threads, 1025, "n_threads is 1025; it goes from 1 to 1024");
    REFUSED(max_queued, 0, "max_queued is 0; it goes from 1 to 1048576");
    REFUSED(max_queued, (1 << 20) + 1, "max_queued is 1048577; it goes from 1 to 1048576");
    REFUSED(spin, -1, "spin is -1; the least is 0");
    REFUSED(n_cpus, 2, "a number of cpus is -1; it goes from 0 to 1023");
    cpus[1] = 1023;
    REFUSED(n_cpus, 2, "cpus has 1023, and there is no such processor here");
    tern_workers_config_init(&config);
    config.log = keep_line;
    config.n_cpus = 1;
    check_refused(tern_workers_new(&config, &pool), "cpus is NULL, and n_cpus is not 0");
    memset(&config, 0xa5, sizeof config);
    CHECK_EQ(tern_workers_new(&config, &pool), TERN_ERR_INVALID);
}

/* ---- What cannot be sent --------------------------------------------------------------------------- */

static int reply_error;

static void reply_around(tern_call call, const void *request, void *user) {
    test_refs_Link link = {0}, *links[] = {NULL};
    (void)user;
    if (((const test_refs_Link *)request)->links.len)
        link.right = &link;
    else
        link.links.len = 1;
    link.links.data = links;
    reply_error = tern_reply(call, &link);
}

/* A client's request, the first of its method and a later one, and a server's responses. */
static void unsendable__is_named_with_its_path(void) {
    tern_method method = {.name = "test.refs.Links/Go",
                          .request = &test_refs_Link_type,
                          .response = &test_refs_Link_type,
                          .id = tern_method_id("test.refs.Links/Go")};
    static const char cycle[] = "a test.refs.Link cannot be sent: left.links[1] points back to left: a cycle";
    test_refs_Link a = {0}, b = {0}, root = {.left = &a}, *links[] = {&b, &a};
    outcome o[3] = {0};
    a.links.data = links;
    a.links.len = 2;
    begin("tcp");
    CHECK_OK();
    CHECK_EQ(tern_serve(server, &method, reply_around, NULL), 0);
    wait_until_open();
    CHECK_EQ(tern_call_start(session, &method, &root, NULL, on_done, &o[0]), TERN_ERR_LIMIT);
    CHECK_EQ(count_lines(false, cycle), 1);
    CHECK_EQ(tern_call_start(session, &method, &b, NULL, on_done, &o[0]), 0);
    for (unsigned i = 0; i < PATIENCE && !o[0].n; i++) poll_both(1);
    CHECK_EQ(o[0].n, 1);
    CHECK_EQ(reply_error, TERN_ERR_INVALID);
    CHECK_EQ(count_lines(true, "a test.refs.Link cannot be sent: links[0] is NULL"), 1);
    CHECK_EQ(tern_call_start(session, &method, &root, NULL, on_done, &o[1]), TERN_ERR_LIMIT);
    CHECK_EQ(count_lines(false, cycle), 2);
    links[1] = &b;
    CHECK_EQ(tern_call_start(session, &method, &a, NULL, on_done, &o[2]), 0);
    for (unsigned i = 0; i < PATIENCE && !o[2].n; i++) poll_both(1);
    CHECK(o[2].n == 1 && o[1].n == 0);
    CHECK_EQ(reply_error, TERN_ERR_LIMIT);
    CHECK_EQ(count_lines(true, "right points back to the message itself: a cycle"), 1);
    tern_endpoint_free(client);
    tern_endpoint_free(server);
}

int main(int argc, char **argv) {
    static const tap_test tests[] = {TEST(closed_session__says_that_this_program_closed_it),
                                     TEST(closed_session__while_it_connects),
                                     TEST(closed_session__from_a_callback),
                                     TEST(freed_endpoint__says_that_this_program_freed_it),
                                     TEST(freed_endpoint__tells_calls_that_had_ended_why_they_had),
                                     TEST(log__names_the_session_that_is_lost),
                                     TEST(log__of_a_server_has_clients_that_come_and_go),
                                     TEST(log__names_addresses_and_own_connections),
                                     TEST(log__names_shared_addresses),
                                     TEST(log_stderr__prints_all_but_clients),
                                     TEST(log__tells_of_socket_buffers_once),
                                     TEST(log__of_refused_peers_is_bounded),
                                     TEST(lost_response__says_that_the_call_has_run),
                                     TEST(refused_request__is_counted_and_says_why),
                                     TEST(forgotten_stream__ends_with_internal),
                                     TEST(unsendable__is_named_with_its_path),
                                     TEST(config__of_an_endpoint_is_refused_by_name),
                                     TEST(config__of_workers_is_refused_by_name)};
    return tap_run(tests, TERN__COUNT(tests), argc, argv);
}
