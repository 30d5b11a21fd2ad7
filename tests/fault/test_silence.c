/* Servers that fall silent while a call is pending, over real ports: one that stands still (SIGSTOP) and one behind a
 * cable that has been pulled. Either is noticed within peer_timeout, a second, though nothing closes any socket; and a
 * server that only takes long to answer is not taken for one of them.
 *
 * The server is this program, started anew. The pulled cable needs root and ip(8); skipped otherwise. */
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tap.h"
#include "tern/rpc.h"

enum { ECHO = 1, HOLD = 2, SESSIONS = 3, MAX_HELD = 16 };

static double clock_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void nap(long us) { nanosleep(&(struct timespec){.tv_nsec = us * 1000}, NULL); }

__attribute__((format(printf, 1, 2))) static bool shell(const char *format, ...) {
    char command[256];
    va_list args;
    va_start(args, format);
    vsnprintf(command, sizeof command, format, args);
    va_end(args);
    strncat(command, " >/dev/null 2>&1", sizeof command - strlen(command) - 1);
    return system(command) == 0;
}

/* ---- The server ----------------------------------------------------------------------------------- */

static void echo(tern_call call, const void *msg, void *user) {
    (void)user;
    tern_reply_raw(call, *(const tern_bytes *)msg);
}

static void nobody_waits(tern_call call, tern_status why, void *user) {
    (void)user;
    tern_fail(call, why);
}

static void hold(tern_call call, const void *msg, void *user) {
    (void)msg, (void)user;
    tern_call_on_cancel(call, nobody_waits, NULL);
}

static void count_sessions(tern_call call, const void *msg, void *ep) {
    tern_endpoint_stats stats;
    (void)msg;
    tern_endpoint_get_stats(ep, &stats);
    uint8_t n = (uint8_t)stats.sessions_open;
    tern_reply_raw(call, tern_bytes_of(&n, 1));
}

/* arguments: the address, and in a network of its own the commands that make it. */
static int server_main(int argc, char **argv) {
    tern_endpoint *ep;
    char go;
    if (argc > 1) {
        if (unshare(CLONE_NEWNET) || write(STDOUT_FILENO, "?", 1) != 1 || read(STDIN_FILENO, &go, 1) != 1) return 2;
        for (int i = 1; i < argc; i++)
            if (!shell("%s", argv[i])) return 3;
    }
    if (tern_endpoint_new(NULL, &ep) || tern_serve_raw(ep, ECHO, echo, NULL) || tern_serve_raw(ep, HOLD, hold, NULL) ||
        tern_serve_raw(ep, SESSIONS, count_sessions, ep) || tern_listen(ep, argv[0]))
        return 4;
    const char *address = tern_listen_address(ep, 0);
    if (write(STDOUT_FILENO, address, strlen(address) + 1) < 1) return 5;
    return tern_run(ep);
}

/* ---- The client ----------------------------------------------------------------------------------- */

static struct client {
    pid_t server;
    int to_server, from_server;
    char address[128];
    tern_endpoint *ep;
    tern_session *session;
    unsigned n_done;
    int status;
    uint8_t answer;
} c;

static bool start_server(char *const argv[]) {
    int in[2], out[2];
    if (pipe(in) || pipe(out)) return false;
    c.server = fork();
    if (c.server == 0) {
        dup2(in[0], STDIN_FILENO);
        dup2(out[1], STDOUT_FILENO);
        close(in[1]);
        close(out[0]);
        execv("/proc/self/exe", argv);
        _exit(1);
    }
    close(in[0]);
    close(out[1]);
    c.to_server = in[1];
    c.from_server = out[0];
    return c.server > 0;
}

static bool read_address(void) {
    size_t n = 0;
    while (n < sizeof c.address && read(c.from_server, c.address + n, 1) == 1)
        if (!c.address[n++]) return true;
    return false;
}

static void end_server(void) {
    kill(c.server, SIGKILL);
    kill(c.server, SIGCONT);
    waitpid(c.server, NULL, 0);
    close(c.to_server);
    close(c.from_server);
}

static void on_done(void *user, int status, const void *msg) {
    (void)user;
    c.n_done++;
    c.status = status;
    if (status == TERN_STATUS_OK && ((const tern_bytes *)msg)->len)
        c.answer = ((const uint8_t *)((const tern_bytes *)msg)->data)[0];
}

/* Until the call has ended, or for so long. */
static bool wait_for_end(double seconds) {
    double end = clock_s() + seconds;
    while (!c.n_done && clock_s() < end)
        if (tern_poll(c.ep) == 0) nap(200);
    return c.n_done == 1;
}

static int start(uint32_t method, tern_dur timeout) {
    c.n_done = 0;
    tern_call_opts opts = TERN_CALL_OPTS(.timeout = timeout);
    return tern_call_start_raw(c.session, method, tern_bytes_of("x", 1), &opts, on_done, NULL);
}

static int ask(uint32_t method) {
    if (start(method, 0) || !wait_for_end(10)) return -1;
    return c.status;
}

static bool connect_client(void) {
    return tern_endpoint_new(NULL, &c.ep) == 0 && tern_connect(c.ep, c.address, &c.session) == 0;
}

/* The call that is held ends in time. */
static void check_silence_is_noticed(const char *what) {
    double began = clock_s();
    CHECK(wait_for_end(20));
    double after = clock_s() - began;
    printf("# %s: noticed after %.2f s\n", what, after);
    CHECK_EQ(c.status, TERN_STATUS_UNAVAILABLE);
    CHECK(after > 0.7 && after < 1.6);
}

/* Calls get through again, and the server has only the one session. */
static void check_recovery(void) {
    double end = clock_s() + 15;
    while (ask(ECHO) != TERN_STATUS_OK && clock_s() < end) nap(20000);
    CHECK_EQ(c.status, TERN_STATUS_OK);
    while (ask(SESSIONS) == TERN_STATUS_OK && c.answer != 1 && clock_s() < end) nap(20000);
    CHECK_EQ(c.status, TERN_STATUS_OK);
    CHECK_EQ(c.answer, 1);
}

/* ---- A server that stands still ------------------------------------------------------------------- */

static void stand_still(const char *address) {
    char *argv[] = {(char[]){"silence"}, (char[]){"--server"}, strdup(address), NULL};
    CHECK(start_server(argv) && read_address());
    free(argv[2]);
    CHECK(connect_client());
    CHECK_EQ(ask(ECHO), TERN_STATUS_OK);
    CHECK_EQ(start(HOLD, 0), 0);
    for (double end = clock_s() + 2.5; clock_s() < end && !c.n_done;) /* it takes long, that is all */
        if (tern_poll(c.ep) == 0) nap(200);
    CHECK_EQ(c.n_done, 0);
    kill(c.server, SIGSTOP);
    check_silence_is_noticed(address);
    CHECK_OK();
    CHECK_EQ(start(ECHO, 300 * TERN_MS), 0); /* still nobody there */
    CHECK(wait_for_end(5));
    CHECK(c.status == TERN_STATUS_DEADLINE_EXCEEDED || c.status == TERN_STATUS_UNAVAILABLE);
    kill(c.server, SIGCONT);
    check_recovery();
}

static void stand_still_at(const char *address) {
    memset(&c, 0, sizeof c);
    stand_still(address);
    tern_endpoint_free(c.ep);
    if (c.server > 0) end_server();
}

static void stand_still_at_path(const char *scheme) {
    char address[64];
    snprintf(address, sizeof address, "%s:///tmp/tern-silence-%d.sock", scheme, (int)getpid());
    stand_still_at(address);
    unlink(address + strlen(scheme) + 3);
}

static void stopped__is_noticed_over_shm(void) { stand_still_at_path("shm"); }
static void stopped__is_noticed_over_unix(void) { stand_still_at_path("unix"); }
static void stopped__is_noticed_over_tcp(void) { stand_still_at("tcp://127.0.0.1:0"); }
static void stopped__is_noticed_over_udp(void) { stand_still_at("udp://127.0.0.1:0"); }

/* ---- A cable that is pulled ----------------------------------------------------------------------- */

static const char *make_network(void) {
    if (unshare(CLONE_NEWNET)) return "needs a network namespace";
    bool made = shell("ip link set lo up") && shell("ip link add tern0 type veth peer name tern1") &&
                shell("ip addr add 10.78.0.1/24 dev tern0") && shell("ip link set tern0 up");
    return made ? NULL : "needs ip(8) and veth";
}

static void on_large(void *user, int status, const void *msg) {
    (void)msg;
    *(int *)user = status;
}

/* Three megabytes at 2 Mbit/s take twelve seconds, and small calls of another session have to wait behind them in the
 * same connection for longer than peer_timeout; nobody is taken for dead. */
static void slow_path(void) {
    enum { LARGE = 3 << 20 };
    tern_session *other;
    int large = -1;
    void *bytes = calloc(1, LARGE);
    CHECK(shell("tc qdisc add dev tern0 root tbf rate 2mbit burst 16k latency 200ms"));
    CHECK_EQ(tern_connect(c.ep, c.address, &other), 0);
    while (tern_session_get_state(other) == TERN_SESSION_CONNECTING) tern_poll(c.ep);
    double began = clock_s();
    CHECK_EQ(tern_call_start_raw(other, HOLD, tern_bytes_of(bytes, LARGE), &TERN_CALL_OPTS(.timeout = 30 * TERN_SEC),
                                 on_large, &large),
             0);
    while (clock_s() < began + 0.2) tern_poll(c.ep);
    int status = ask(ECHO);
    double small = clock_s() - began;
    printf("# a small call: %s after %.2f s\n", tern_status_name((tern_status)status), small);
    CHECK_EQ(status, TERN_STATUS_OK);
    CHECK(small > 1.5); /* peer_timeout and more */
    CHECK_EQ(large, -1);
    CHECK_EQ(tern_session_close(other), 0);
    CHECK(shell("tc qdisc del dev tern0 root"));
    free(bytes);
}

/* First a path that is only slow, then one that is cut. */
static void pull_cable(const char *address) {
    char *argv[] = {(char[]){"silence"},
                    (char[]){"--server"},
                    strdup(address),
                    (char[]){"ip link set lo up"},
                    (char[]){"ip addr add 10.78.0.2/24 dev tern1"},
                    (char[]){"ip link set tern1 up"},
                    NULL};
    char ready;
    CHECK(start_server(argv));
    free(argv[2]);
    CHECK(read(c.from_server, &ready, 1) == 1);
    CHECK(shell("ip link set tern1 netns %d", (int)c.server));
    CHECK(write(c.to_server, "!", 1) == 1);
    CHECK(read_address());
    CHECK(connect_client());
    CHECK_EQ(ask(ECHO), TERN_STATUS_OK);
    if (strncmp(address, "tcp", 3) == 0) slow_path();
    CHECK_OK();
    CHECK_EQ(start(HOLD, 0), 0);
    for (double end = clock_s() + 1.5; clock_s() < end && !c.n_done;)
        if (tern_poll(c.ep) == 0) nap(200);
    CHECK_EQ(c.n_done, 0);
    CHECK(shell("nsenter -t %d -n ip link set tern1 down", (int)c.server));
    check_silence_is_noticed(address);
    CHECK_OK();
    CHECK(shell("nsenter -t %d -n ip link set tern1 up", (int)c.server));
    check_recovery();
}

/* In a process of its own, whose network goes with it. */
static void pull_cable_at(const char *address) {
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        const char *missing = make_network();
        if (!missing) pull_cable(address);
        tern_endpoint_free(c.ep);
        if (c.server > 0) end_server();
        fflush(stdout);
        _exit(missing ? 77 : tap_failed);
    }
    int status = 0;
    CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status));
    if (WEXITSTATUS(status) == 77) SKIP("needs root, ip(8) and veth");
    CHECK_EQ(WEXITSTATUS(status), 0);
}

static void cable__is_pulled_over_tcp(void) { pull_cable_at("tcp://10.78.0.2:7000"); }
static void cable__is_pulled_over_udp(void) { pull_cable_at("udp://10.78.0.2:7000"); }

int main(int argc, char **argv) {
    static const tap_test tests[] = {TEST(cable__is_pulled_over_tcp),    TEST(cable__is_pulled_over_udp),
                                     TEST(stopped__is_noticed_over_shm), TEST(stopped__is_noticed_over_unix),
                                     TEST(stopped__is_noticed_over_tcp), TEST(stopped__is_noticed_over_udp)};
    if (argc > 2 && strcmp(argv[1], "--server") == 0) return server_main(argc - 2, argv + 2);
    return tap_run(tests, sizeof tests / sizeof *tests, argc, argv);
}
