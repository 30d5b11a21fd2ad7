/* tern_endpoint_trace(): the file is valid and complete, and nothing that goes wrong with it concerns the endpoint. A
 * script parses the file (check_qlog.py). */
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rpc/endpoint.h"
#include "tap.h"
#include "tern/tern.h"

enum { METHOD = 9, MANY = 2000 };

static tern_endpoint *server, *client;
static tern_session *session;
static unsigned n_errors;
static char path[64];

static void handle(tern_call call, const void *request, void *user) {
    (void)user;
    CHECK_EQ(tern_reply_raw(call, *(const tern_bytes *)request), 0);
}

static void on_log(void *user, tern_log_level level, const char *line) {
    (void)user;
    n_errors += level == TERN_LOG_ERROR && strncmp(line, "trace: ", 7) == 0;
}

static void start(const char *scheme) {
    char address[96];
    tern_endpoint_config config;
    tern_endpoint_config_init(&config);
    config.log = on_log;
    n_errors = 0;
    snprintf(path, sizeof path, "/tmp/tern-test-%ld.sqlog", (long)getpid());
    CHECK_EQ(tern_endpoint_new(&config, &server), 0);
    CHECK_EQ(tern_endpoint_new(&config, &client), 0);
    if (strcmp(scheme, "udp") == 0)
        snprintf(address, sizeof address, "udp://127.0.0.1:0");
    else
        snprintf(address, sizeof address, "%s:///tmp/tern-test-%ld-trace.sock", scheme, (long)getpid());
    CHECK_EQ(tern_listen(server, address), 0);
    CHECK_EQ(tern_serve_raw(server, METHOD, handle, NULL), 0);
    CHECK_EQ(tern_connect(client, tern_listen_address(server, 0), &session), 0);
}

static void end(void) {
    CHECK_EQ(tern_session_close(session), 0);
    tern_endpoint_free(client);
    tern_endpoint_free(server);
    unlink(path);
}

static unsigned n_done;

static void done(void *user, int status, const void *response) {
    (void)user, (void)response;
    n_done += status == TERN_STATUS_OK;
}

/* Eight at a time, as many as a session has slots: then all but the first can go the short way. */
static void call(unsigned n, size_t bytes) {
    enum { AT_A_TIME = 8, PATIENCE = 1 << 22 };
    static uint8_t data[8000];
    unsigned n_started = n_done = 0;
    for (unsigned polls = 0; n_done < n && polls < PATIENCE; polls++) {
        if (n_done == n_started)
            for (unsigned i = 0; i < AT_A_TIME && n_started < n; i++, n_started++)
                CHECK_EQ(tern_call_start_raw(session, METHOD, tern_bytes_of(data, bytes), NULL, done, NULL), 0);
        CHECK(tern_poll(client) >= 0 && tern_poll(server) >= 0);
    }
    CHECK_EQ(n_done, n);
}

/* What the script says of the file, with the kinds of events that must be there. */
static int check_file(const char *events) {
    char command[512];
    snprintf(command, sizeof command, "python3 '%s' '%s' %s", QLOG_SCRIPT, path, events);
    fflush(stdout);
    int status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static uint64_t n_short(void) {
    uint64_t n = 0;
    for (const tern__port *port = client->ports; port; port = port->next) n += port->link.sent.run_packets;
    return n;
}

static void trace__is_a_valid_file(void) {
    start("udp");
    CHECK_OK();
    CHECK_EQ(tern_endpoint_trace(client, path), 0);
    call(20, 24);
    call(5, 8000);
    CHECK_EQ(tern_endpoint_trace(client, NULL), 0);
    CHECK_EQ(check_file("tern:packet_sent tern:packet_received tern:session_state_updated tern:call_state_updated "
                        "recovery:metrics_updated"),
             0);
    end();
    CHECK_EQ(n_errors, 0);
}

static void trace__of_a_server(void) {
    start("udp");
    CHECK_OK();
    CHECK_EQ(tern_endpoint_trace(server, path), 0);
    call(20, 24);
    CHECK_EQ(tern_endpoint_trace(server, NULL), 0);
    CHECK_EQ(check_file("tern:packet_sent tern:request_state_updated tern:session_state_updated"), 0);
    end();
}

/* More than the buffer holds, and the rest when the endpoint is freed. */
static void trace__is_complete_when_the_endpoint_is_freed(void) {
    start("shm");
    CHECK_OK();
    CHECK_EQ(tern_endpoint_trace(client, path), 0);
    call(MANY, 24);
    CHECK_EQ(tern_session_close(session), 0);
    tern_endpoint_free(client);
    CHECK_EQ(check_file("tern:packet_sent=2000 tern:packet_received=2000"), 0);
    tern_endpoint_free(server);
    unlink(path);
}

/* Small calls go the short way before and after, and not meanwhile. */
static void trace__costs_the_short_way_nothing(void) {
    start("shm");
    CHECK_OK();
    call(10, 24);
    uint64_t before = n_short();
    call(100, 24);
    CHECK(n_short() >= before + 50);
    CHECK_EQ(tern_endpoint_trace(client, path), 0);
    before = n_short();
    call(100, 24);
    CHECK_EQ(n_short(), before);
    CHECK_EQ(tern_endpoint_trace(client, NULL), 0);
    call(100, 24);
    CHECK(n_short() >= before + 50);
    end();
}

static void trace__on_a_full_disk_ends_with_one_word(void) {
    struct stat st;
    if (stat("/dev/full", &st) || !S_ISCHR(st.st_mode)) {
        SKIP("there is no /dev/full");
        return;
    }
    start("shm");
    CHECK_OK();
    CHECK_EQ(tern_endpoint_trace(client, "/dev/full"), 0);
    call(MANY, 24);
    CHECK_EQ(n_errors, 1);
    uint64_t before = n_short();
    call(100, 24);
    CHECK(n_short() >= before + 50); /* the trace has ended */
    CHECK_EQ(n_errors, 1);
    end();
    CHECK_EQ(n_errors, 1);
}

/* The same where nothing was written before the end. */
static void trace__on_a_full_disk_is_reported_at_the_end(void) {
    start("shm");
    CHECK_OK();
    CHECK_EQ(tern_endpoint_trace(client, "/dev/full"), 0);
    call(1, 24);
    CHECK_EQ(n_errors, 0);
    end();
    CHECK_EQ(n_errors, 1);
}

/* A file as long as the process may write is a full disk, and no reason to be killed. */
static void trace__of_the_longest_file_allowed_ends_with_one_word(void) {
    struct rlimit before, low;
    CHECK_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
    low = before;
    low.rlim_cur = 100000;
    start("udp");
    CHECK_OK();
    CHECK_EQ(tern_endpoint_trace(client, path), 0);
    CHECK_EQ(setrlimit(RLIMIT_FSIZE, &low), 0);
    call(MANY, 24);
    CHECK_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
    CHECK_EQ(n_errors, 1);
    struct stat st;
    CHECK_EQ(stat(path, &st), 0);
    CHECK_EQ(st.st_size, 100000);
    end();
    CHECK_EQ(n_errors, 1);
}

/* A log that does something about the trace that it is told of: ends it, or begins another. */
static tern_endpoint *meddled;
static const char *next_path;
static int meddle_err;

static void on_log_meddle(void *user, tern_log_level level, const char *line) {
    on_log(user, level, line);
    if (level == TERN_LOG_ERROR && meddled && n_errors == 1) meddle_err = tern_endpoint_trace(meddled, next_path);
}

static bool has_full_disk(void) {
    struct stat st;
    return stat("/dev/full", &st) == 0 && S_ISCHR(st.st_mode);
}

static void start_to_meddle(void) {
    start("shm");
    CHECK_OK();
    meddled = client;
    meddle_err = 1;
    client->config.log = on_log_meddle;
    CHECK_EQ(tern_endpoint_trace(client, "/dev/full"), 0);
}

/* The write fails when the endpoint goes to sleep, in the middle of an event, or when the trace is ended. */
static void trace__log_that_ends_or_replaces_it(void) {
    if (!has_full_disk()) {
        SKIP("there is no /dev/full");
        return;
    }
    for (unsigned way = 0; way < 6; way++) {
        start_to_meddle();
        CHECK_OK();
        next_path = way % 2 ? path : NULL;
        call(way / 2 == 1 ? MANY : 1, 24);
        if (way / 2 == 0) tern_next_timeout(client);
        if (way / 2 == 2) CHECK_EQ(tern_endpoint_trace(client, NULL), 0);
        CHECK_EQ(n_errors, 1);
        CHECK_EQ(meddle_err, 0);
        call(10, 24);
        CHECK_EQ(tern_endpoint_trace(client, NULL), 0);
        CHECK_EQ(n_errors, 1);
        if (next_path && way / 2 < 2) CHECK_EQ(check_file("tern:packet_sent"), 0);
        end();
    }
    meddled = NULL;
}

/* The last write of an endpoint that is being freed fails. */
static void trace__log_that_begins_another_while_the_endpoint_is_freed(void) {
    if (!has_full_disk()) {
        SKIP("there is no /dev/full");
        return;
    }
    start_to_meddle();
    CHECK_OK();
    next_path = path;
    call(1, 24);
    end();
    CHECK_EQ(n_errors, 1);
    CHECK_EQ(meddle_err, TERN_ERR_CLOSED);
    meddled = NULL;
}

static void trace__to_what_is_no_file_is_refused(void) {
    start("shm");
    CHECK_OK();
    CHECK_EQ(tern_endpoint_trace(client, "/tmp/no/such/folder/x.sqlog"), TERN_ERR_IO);
    CHECK_EQ(n_errors, 1);
    CHECK_EQ(tern_endpoint_trace(client, "/tmp"), TERN_ERR_INVALID);
    CHECK_EQ(mkfifo(path, 0600), 0);
    CHECK_EQ(tern_endpoint_trace(client, path), TERN_ERR_INVALID); /* nobody reads there */
    CHECK_EQ(tern_endpoint_trace(client, NULL), 0);
    call(10, 24);
    end();
}

/* Both begin before they listen or connect. */
static void trace__says_which_side_it_is_of(void) {
    start("udp");
    CHECK_OK();
    end();
    CHECK_EQ(tern_endpoint_new(NULL, &server), 0);
    CHECK_EQ(tern_endpoint_trace(server, path), 0);
    CHECK_EQ(tern_next_timeout(server), -1); /* asleep: nothing is written yet */
    CHECK_EQ(tern_listen(server, "udp://127.0.0.1:0"), 0);
    CHECK_EQ(tern_serve_raw(server, METHOD, handle, NULL), 0);
    CHECK_EQ(tern_endpoint_new(NULL, &client), 0);
    CHECK_EQ(tern_connect(client, tern_listen_address(server, 0), &session), 0);
    CHECK_OK();
    call(3, 24);
    CHECK_EQ(tern_endpoint_trace(server, NULL), 0);
    CHECK_EQ(check_file("tern:packet_sent vantage:server"), 0);
    CHECK_EQ(tern_session_close(session), 0);
    tern_endpoint_free(client);
    CHECK_EQ(tern_endpoint_new(NULL, &client), 0);
    CHECK_EQ(tern_endpoint_trace(client, path), 0);
    CHECK_EQ(tern_connect(client, tern_listen_address(server, 0), &session), 0);
    CHECK_OK();
    call(3, 24);
    CHECK_EQ(tern_endpoint_trace(client, NULL), 0);
    CHECK_EQ(check_file("tern:packet_sent vantage:client"), 0);
    end();
    CHECK_EQ(tern_endpoint_new(NULL, &client), 0);
    CHECK_EQ(tern_endpoint_trace(client, path), 0);
    tern_endpoint_free(client);
    CHECK_EQ(check_file("vantage:unknown"), 0);
    unlink(path);
}

/* The first goes on, the second has none, and the file takes the next when the first has ended. */
static void trace__of_two_endpoints_into_one_file_is_refused(void) {
    start("shm");
    CHECK_OK();
    CHECK_EQ(tern_endpoint_trace(client, path), 0);
    call(MANY, 24);
    CHECK_EQ(tern_endpoint_trace(server, path), TERN_ERR_EXISTS);
    CHECK_EQ(n_errors, 1);
    call(10, 24);
    CHECK_EQ(tern_endpoint_trace(client, NULL), 0);
    CHECK_EQ(check_file("tern:packet_sent=2010 vantage:client"), 0);
    CHECK_EQ(tern_endpoint_trace(server, path), 0);
    CHECK_EQ(tern_endpoint_trace(server, path), 0); /* one's own trace gives way */
    call(10, 24);
    CHECK_EQ(tern_endpoint_trace(server, NULL), 0);
    CHECK_EQ(check_file("tern:packet_sent=10 vantage:server"), 0);
    end();
}

int main(int argc, char **argv) {
    static const tap_test tests[] = {TEST(trace__is_a_valid_file),
                                     TEST(trace__of_a_server),
                                     TEST(trace__is_complete_when_the_endpoint_is_freed),
                                     TEST(trace__costs_the_short_way_nothing),
                                     TEST(trace__on_a_full_disk_ends_with_one_word),
                                     TEST(trace__on_a_full_disk_is_reported_at_the_end),
                                     TEST(trace__of_the_longest_file_allowed_ends_with_one_word),
                                     TEST(trace__log_that_ends_or_replaces_it),
                                     TEST(trace__log_that_begins_another_while_the_endpoint_is_freed),
                                     TEST(trace__to_what_is_no_file_is_refused),
                                     TEST(trace__says_which_side_it_is_of),
                                     TEST(trace__of_two_endpoints_into_one_file_is_refused)};
    return tap_run(tests, TERN__COUNT(tests), argc, argv);
}
