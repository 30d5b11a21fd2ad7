/* Each function of rpc.h, called from a thread that owns nothing: it says so and does nothing. The table is complete:
 * every function that the header exports is in it, or in the list of those that any thread may call. */
#include "tap.h"

#include <ctype.h>
#include <sys/wait.h>
#include <unistd.h>

#include "echo.tern.h"
#include "server_thread.h"
#include "tern/call_stream.h"

/* Things of an endpoint whose thread is another. */
typedef struct theirs {
    server s;
    tern_endpoint *ep;
    tern_session *session;
    tern_call call; /* that waits for its reply */
    tern_stream stream;
    pid_t child;
    sem_t held;
} theirs;

static int n_callbacks; /* of what we started: none may run */

static void on_done(void *user, int status, const void *response) {
    (void)user, (void)status, (void)response;
    n_callbacks++;
}

static void handler(tern_call call, const void *request, void *user) {
    (void)request, (void)user;
    n_callbacks++;
    tern_fail(call, TERN_STATUS_ABORTED);
}

static void any_fn(void) {}
static void thunk_done(tern__any_fn *done, void *user, int status, const void *response) {
    (void)done;
    on_done(user, status, response);
}
static void thunk_handler(tern__any_fn *fn, tern_call call, const void *request, void *user) {
    (void)fn;
    handler(call, request, user);
}

/* ---- The table ----------------------------------------------------------------------------------- */

static int expected = TERN_ERR_THREAD;

#define CODE(function, ...)                                                                                            \
    static bool misuse_##function(theirs *t) {                                                                         \
        (void)t;                                                                                                       \
        return (int)function(__VA_ARGS__) == expected;                                                                 \
    }
#define POINTER(function, ...)                                                                                         \
    static bool misuse_##function(theirs *t) { return function(__VA_ARGS__) == NULL; }

static const void *blocks_of(tern_call call) { return tern_call_metadata(call).block; }

static const echo_Blob blob = {.id = 1};
static const void *out;
static tern_session *new_session;
static tern_endpoint_stats stats;
static uint64_t incarnation;

CODE(tern_endpoint_free, t->ep)
CODE(tern_listen, t->ep, "udp://127.0.0.1:0")
CODE(tern_listen_shared, t->ep, NULL)
POINTER(tern_listen_address, t->ep, 0)
CODE(tern_poll, t->ep)
CODE(tern_fd, t->ep)
CODE(tern_next_timeout, t->ep)
CODE(tern_run, t->ep)
CODE(tern_endpoint_get_stats, t->ep, &stats)
CODE(tern_endpoint_get_stats_sized, t->ep, &stats, sizeof stats)
CODE(tern_connect, t->ep, t->s.address, &new_session)
CODE(tern_session_close, t->session)
CODE(tern_session_get_state, t->session)
CODE(tern_call_start, t->session, &echo_Echo_Echo_method, &blob, NULL, on_done, NULL)
CODE(tern_call_wait, t->session, &echo_Echo_Echo_method, &blob, NULL, &out)
CODE(tern_call_start_raw, t->session, 7, tern_bytes_of("x", 1), NULL, on_done, NULL)
CODE(tern_endpoint_drain, t->ep, TERN_SEC, NULL, NULL)
CODE(tern_endpoint_is_drained, t->ep)
CODE(tern_endpoint_trace, t->ep, NULL)
CODE(tern_session_on_event, t->session, NULL, NULL)
CODE(tern_session_get_incarnation, t->session, &incarnation)
CODE(tern_session_set_keepalive, t->session, TERN_SEC)
CODE(tern_call_has_not_run, t->ep)
CODE(tern_call_cancel, t->ep, (tern_call_ref){0})
CODE(tern_call_on_cancel, t->call, NULL, NULL)
CODE(tern_serve, t->ep, &echo_Echo_Absent_method, handler, NULL)
CODE(tern_serve_raw, t->ep, 7, handler, NULL)
POINTER(tern_call_arena, t->call)
CODE(tern_call_time_left, t->call)
CODE(tern_reply, t->call, &blob)
CODE(tern_reply_raw, t->call, tern_bytes_of("x", 1))
CODE(tern_fail, t->call, TERN_STATUS_ABORTED)
CODE(tern_fail_with, t->call, TERN_STATUS_ABORTED, "why", (tern_bytes){0}, NULL, 0)
POINTER(tern_call_result, t->ep)
POINTER(tern_call_loan, t->call)
POINTER(tern_response_loan, t->ep)
POINTER(blocks_of, t->call)
CODE(tern_call_add_trailing, t->call, "key", (tern_bytes){0})
CODE(tern_serve_on, t->ep, &echo_Echo_Absent_method, handler, NULL, NULL)
CODE(tern_serve_raw_on, t->ep, 7, handler, NULL, NULL)
CODE(tern__serve, t->ep, &echo_Echo_Absent_method, thunk_handler, any_fn, NULL)
CODE(tern__serve_on, t->ep, &echo_Echo_Absent_method, thunk_handler, any_fn, NULL, NULL)
CODE(tern__call_start, t->session, &echo_Echo_Echo_method, &blob, NULL, thunk_done, any_fn, NULL)

#define ROW(function)                                                                                                  \
    { #function, misuse_##function }

static const struct {
    const char *name;
    bool (*is_refused)(theirs *t);
} table[] = {
    ROW(tern_endpoint_free),
    ROW(tern_listen),
    ROW(tern_listen_shared),
    ROW(tern_listen_address),
    ROW(tern_poll),
    ROW(tern_fd),
    ROW(tern_next_timeout),
    ROW(tern_run),
    ROW(tern_endpoint_get_stats),
    ROW(tern_endpoint_get_stats_sized),
    ROW(tern_connect),
    ROW(tern_session_close),
    ROW(tern_session_get_state),
    ROW(tern_call_start),
    ROW(tern_call_wait),
    ROW(tern_call_start_raw),
    ROW(tern_endpoint_drain),
    ROW(tern_endpoint_is_drained),
    ROW(tern_endpoint_trace),
    ROW(tern_session_on_event),
    ROW(tern_session_get_incarnation),
    ROW(tern_session_set_keepalive),
    ROW(tern_call_has_not_run),
    ROW(tern_call_cancel),
    ROW(tern_call_on_cancel),
    ROW(tern_serve),
    ROW(tern_serve_raw),
    ROW(tern_call_arena),
    ROW(tern_call_time_left),
    ROW(tern_reply),
    ROW(tern_reply_raw),
    ROW(tern_fail),
    ROW(tern_fail_with),
    ROW(tern_call_add_trailing),
    ROW(tern_call_result),
    ROW(tern_call_loan),
    ROW(tern_response_loan),
    {"tern_call_metadata", misuse_blocks_of},
    ROW(tern_serve_on),
    ROW(tern_serve_raw_on),
    ROW(tern__serve),
    ROW(tern__serve_on),
    ROW(tern__call_start),
};

/* Those that make a thing of the calling thread's, and those for all threads. */
static const char *const any_thread[] = {
    "tern_endpoint_config_init",
    "tern_endpoint_config_init_sized",
    "tern_endpoint_new",
    "tern_log_stderr",
    "tern_stop",
    "tern_post",
    "tern_session_endpoint",
    "tern_session_expect",
    "tern_release",
    "tern_hold",
    "tern_owned_loan",
    "tern_loan_check",
    "tern_loan_hold",
    "tern_loan_release",
    "tern_call_endpoint",
    "tern_call_opts_init",
    "tern_call_is_cancelled",
    "tern_call_is_open",
    "tern_workers_config_init",
    "tern_workers_config_init_sized",
    "tern_workers_new",
    "tern_workers_free",
    "tern_listener_new",
    "tern_listener_address",
    "tern_listener_free",
    "tern_metadata_find",
    "tern_metadata_next",
    "tern_result_status",
    "tern_result_message",
    "tern_result_details",
    "tern_result_metadata",
    "tern_result_retry_after",
    "tern_result_has_not_run",
    "tern_result_free",
};

/* ---- Tests --------------------------------------------------------------------------------------- */

static void hold_call(tern_call call, const echo_Blob *request, void *user) {
    theirs *t = user;
    (void)request;
    t->call = call;
    sem_post(&t->held);
}

static _Atomic int held_status = -1;

static void on_held_done(void *user, int status, const echo_Blob *response) {
    (void)user, (void)response;
    atomic_store(&held_status, status);
}

static int set_up(tern_endpoint *ep, void *user) {
    theirs *t = user;
    echo_Echo_handlers handlers = {.Later = hold_call};
    t->ep = ep;
    return echo_Echo_serve(ep, &handlers, t);
}

static void call_yourself(void *user) {
    theirs *t = user;
    if (tern_connect(t->ep, t->s.address, &t->session) != 0 ||
        echo_Echo_Later(t->session, &blob, NULL, on_held_done, NULL) != 0)
        sem_post(&t->held);
}

static void reply_at_last(void *user) {
    theirs *t = user;
    echo_Echo_Later_reply(t->call, &blob);
}

static void nothing(void *user) { (void)user; }

static void every_function__from_a_foreign_thread(void) {
    theirs t = {.s = {.listen_at = "udp://127.0.0.1:0", .set_up = set_up, .user = &t}};
    sem_init(&t.held, 0, 0);
    CHECK(server_start(&t.s));
    CHECK_EQ(server_do(&t.s, call_yourself, &t), 0);
    sem_wait(&t.held);
    CHECK(tern_call_is_open(t.call));
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        bool refused = table[i].is_refused(&t);
        if (!refused) printf("# %s did not refuse\n", table[i].name);
        CHECK(refused);
    }
    CHECK_EQ(n_callbacks, 0);
    CHECK(tern_session_endpoint(t.session) == t.ep && tern_call_endpoint(t.call) == t.ep);
    CHECK(!tern_call_is_cancelled(t.call));
    /* Nothing was done to the call nor to the session. */
    CHECK_EQ(server_do(&t.s, reply_at_last, &t), 0);
    for (int i = 0; i < 1000 && held_status < 0; i++) CHECK_EQ(server_do(&t.s, nothing, NULL), 0);
    CHECK_EQ(server_stop(&t.s), 0);
    CHECK_EQ(held_status, TERN_STATUS_OK);
    CHECK_EQ(n_callbacks, 0);
}

/* In the child, by the thread that had the endpoint: how many functions did something else than refuse. */
static int n_not_refused(theirs *t) {
    int n = 0;
    expected = TERN_ERR_STATE;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (table[i].is_refused(t)) continue;
        printf("# %s is not refused\n", table[i].name);
        fflush(stdout);
        n++;
    }
    n += tern_post(t->ep, nothing, NULL) != TERN_ERR_STATE;
    n += tern_stop(t->ep) != TERN_ERR_STATE;
    n += tern_stream_cancel(t->stream) != TERN_ERR_STATE;
    n += tern_call_is_open(t->call) || tern_stream_is_open(t->stream) || !tern_call_is_cancelled(t->call);
    tern_endpoint *own;
    n += tern_endpoint_new(NULL, &own) != TERN_ERR_STATE;
    return n;
}

static const tern_stream_events no_events = {.size = sizeof no_events};

static void fork_there(void *user) {
    theirs *t = user;
    if (tern_stream_start(t->session, 99, NULL, &no_events, NULL, &t->stream) != 0) return;
    if (!tern_call_is_open(t->call) || !tern_stream_is_open(t->stream)) return;
    t->child = fork();
    if (t->child == 0) _exit(n_not_refused(t));
}

static void every_function__in_a_child(void) {
    theirs t = {.s = {.listen_at = "udp://127.0.0.1:0", .set_up = set_up, .user = &t}, .child = -1};
    int status = -1;
    held_status = -1;
    sem_init(&t.held, 0, 0);
    CHECK(server_start(&t.s));
    CHECK_EQ(server_do(&t.s, call_yourself, &t), 0);
    sem_wait(&t.held);
    CHECK_EQ(server_do(&t.s, fork_there, &t), 0);
    CHECK(t.child > 0);
    CHECK_EQ(waitpid(t.child, &status, 0), t.child);
    CHECK(WIFEXITED(status));
    CHECK_EQ(WEXITSTATUS(status), 0);
    /* The parent's goes on. */
    CHECK_EQ(server_do(&t.s, reply_at_last, &t), 0);
    for (int i = 0; i < 1000 && held_status < 0; i++) CHECK_EQ(server_do(&t.s, nothing, NULL), 0);
    CHECK_EQ(server_stop(&t.s), 0);
    CHECK_EQ(held_status, TERN_STATUS_OK);
    CHECK_EQ(n_callbacks, 0);
}

static bool is_known(const char *name) {
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].name, name) == 0) return true;
    for (size_t i = 0; i < sizeof any_thread / sizeof *any_thread; i++)
        if (strcmp(any_thread[i], name) == 0) return true;
    return false;
}

/* The name before the first parenthesis that follows TERN_API. */
static void name_of(const char *declaration, char name[64]) {
    const char *end = strchr(declaration, '('), *start = end;
    while (start > declaration && (isalnum((unsigned char)start[-1]) || start[-1] == '_')) start--;
    snprintf(name, 64, "%.*s", (int)(end - start), start);
}

static void every_function__is_in_the_table(void) {
    static char text[1 << 17];
    FILE *header = fopen(RPC_HEADER, "r");
    CHECK(header != NULL);
    size_t len = fread(text, 1, sizeof text - 1, header);
    fclose(header);
    text[len] = 0;
    int n = 0;
    for (const char *p = text; (p = strstr(p, "\nTERN_API ")) != NULL; p++, n++) {
        char name[64];
        name_of(p + 10, name);
        if (!is_known(name)) printf("# %s has no row\n", name);
        CHECK(is_known(name));
    }
    CHECK(n >= 36);
}

TAP_MAIN(TEST(every_function__from_a_foreign_thread), TEST(every_function__in_a_child),
         TEST(every_function__is_in_the_table))
