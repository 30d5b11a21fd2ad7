/* A server that is replaced while it serves, and one that may not be spoken to, over real ports. The old server drains;
 * the new one listens at the same address at once; the client's old call is still answered by the old one, its new
 * calls by the new one. */
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tap.h"
#include "tern/rpc.h"

enum { WHO = 1, HOLD = 2, OLD, NEW };

static struct scene {
    tern_endpoint *servers[2], *client;
    tern_session *session;
    tern_call held;
    char address[128];
    unsigned n_done, n_drained;
    int held_status, status;
    uint8_t who;
} sc;

static double clock_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void say_who(tern_call call, const void *msg, void *user) {
    uint8_t who = (uint8_t)(uintptr_t)user;
    (void)msg;
    tern_reply_raw(call, tern_bytes_of(&who, 1));
}

static void hold(tern_call call, const void *msg, void *user) {
    (void)msg, (void)user;
    sc.held = call;
}

static void on_drained(void *user) {
    (void)user;
    sc.n_drained++;
}

static void on_held(void *user, int status, const void *msg) {
    (void)user, (void)msg;
    sc.held_status = status;
}

static void on_done(void *user, int status, const void *msg) {
    (void)user;
    sc.n_done++;
    sc.status = status;
    sc.who = status == TERN_STATUS_OK ? *(const uint8_t *)((const tern_bytes *)msg)->data : 0;
}

static void turn(void) {
    for (int i = 0; i < 2; i++)
        if (sc.servers[i]) tern_poll(sc.servers[i]);
    tern_poll(sc.client);
}

/* Who answers a call now; 0: nobody. */
static int ask(void) {
    sc.n_done = 0;
    if (tern_call_start_raw(sc.session, WHO, tern_bytes_of("?", 1), NULL, on_done, NULL)) return -1;
    for (double end = clock_s() + 10; !sc.n_done && clock_s() < end;) turn();
    return sc.n_done ? sc.who : -1;
}

static int serve(int i, const char *address, tern_listener *shared) {
    void *who = (void *)(uintptr_t)(i ? NEW : OLD);
    if (tern_endpoint_new(NULL, &sc.servers[i]) || tern_serve_raw(sc.servers[i], WHO, say_who, who) ||
        tern_serve_raw(sc.servers[i], HOLD, hold, who))
        return -1;
    return shared ? tern_listen_shared(sc.servers[i], shared) : tern_listen(sc.servers[i], address);
}

static void hand_over(const char *address, tern_listener *shared) {
    CHECK_EQ(serve(0, address, shared), 0);
    snprintf(sc.address, sizeof sc.address, "%s", tern_listen_address(sc.servers[0], 0));
    CHECK_EQ(tern_endpoint_new(NULL, &sc.client), 0);
    CHECK_EQ(tern_connect(sc.client, sc.address, &sc.session), 0);
    CHECK_EQ(ask(), OLD);
    sc.held_status = -1;
    CHECK_EQ(tern_call_start_raw(sc.session, HOLD, tern_bytes_of("?", 1), NULL, on_held, NULL), 0);
    for (double end = clock_s() + 10; !sc.held.id && clock_s() < end;) turn();
    CHECK(tern_call_is_open(sc.held));
    CHECK_EQ(tern_endpoint_drain(sc.servers[0], 10 * TERN_SEC, on_drained, NULL), 0);
    CHECK_EQ(serve(1, sc.address, shared), 0);
    for (int i = 0; i < 100; i++) turn();
    for (int i = 0; i < 3; i++) CHECK_EQ(ask(), NEW);
    CHECK_EQ(sc.n_drained, 0);
    CHECK_EQ(sc.held_status, -1);
    CHECK_EQ(tern_reply_raw(sc.held, tern_bytes_of("!", 1)), 0);
    for (double end = clock_s() + 5; !sc.n_drained && clock_s() < end;) turn();
    CHECK_EQ(sc.n_drained, 1);
    CHECK_EQ(sc.held_status, TERN_STATUS_OK);
    CHECK_EQ(tern_endpoint_free(sc.servers[0]), 0);
    sc.servers[0] = NULL;
    CHECK_EQ(ask(), NEW);
}

static void hand_over_at(const char *address, bool shared) {
    tern_mem_stats before, after;
    tern_listener *listener = NULL;
    memset(&sc, 0, sizeof sc);
    tern_mem_get_stats(&before);
    if (shared) CHECK_EQ(tern_listener_new(address, 2, &listener), 0);
    hand_over(address, listener);
    tern_endpoint_free(sc.client);
    for (int i = 0; i < 2; i++) tern_endpoint_free(sc.servers[i]);
    tern_listener_free(listener);
    tern_mem_get_stats(&after);
    CHECK_EQ(after.live_buffers, before.live_buffers);
}

static void hand_over_at_path(const char *scheme, bool shared) {
    char address[64];
    snprintf(address, sizeof address, "%s:///tmp/tern-handover-%d.sock", scheme, (int)getpid());
    hand_over_at(address, shared);
    CHECK(access(address + strlen(scheme) + 3, F_OK) != 0); /* nobody's file is left, and nobody's was removed */
}

static void handover__over_shm(void) { hand_over_at_path("shm", false); }
static void handover__over_unix(void) { hand_over_at_path("unix", false); }
static void handover__over_tcp(void) { hand_over_at("tcp://127.0.0.1:0", false); }
static void handover__to_who_shares_the_address(void) {
    hand_over_at_path("shm", true);
    CHECK_OK();
    hand_over_at_path("unix", true);
    CHECK_OK();
    hand_over_at("tcp://127.0.0.1:0", true);
    CHECK_OK();
    hand_over_at("udp://127.0.0.1:0", true);
}

/* ---- Permission ----------------------------------------------------------------------------------- */

enum { ANSWERED = 100, FAILED };

/* Another user's process: the status of its calls. */
static int call_as_nobody(const char *address) {
    char go;
    if (read(STDIN_FILENO, &go, 1) != 1 || setresgid(65534, 65534, 65534) || setresuid(65534, 65534, 65534))
        return FAILED;
    if (tern_endpoint_new(NULL, &sc.client) || tern_connect(sc.client, address, &sc.session)) return FAILED;
    int first = ask(), second = ask(); /* the first try, and a later one */
    tern_endpoint_free(sc.client);
    return first != second ? FAILED : first ? ANSWERED : sc.status;
}

/* This program, started anew: a forked process cannot use the pool. */
static pid_t start_nobody(const char *address, int *to) {
    int in[2];
    if (pipe(in)) return -1;
    pid_t pid = fork();
    if (pid == 0) {
        dup2(in[0], STDIN_FILENO);
        execl("/proc/self/exe", "handover", "--nobody", address, NULL);
        _exit(FAILED);
    }
    close(in[0]);
    *to = in[1];
    return pid;
}

static void call_at_path(const char *scheme, bool open, int expected) {
    char address[64];
    int to, status = 0;
    snprintf(address, sizeof address, "%s:///tmp/tern-denied-%d.sock", scheme, (int)getpid());
    memset(&sc, 0, sizeof sc);
    pid_t pid = start_nobody(address, &to);
    CHECK(pid > 0);
    CHECK_EQ(serve(0, address, NULL), 0);
    if (open) CHECK(chmod(address + strlen(scheme) + 3, 0666) == 0);
    CHECK(write(to, "!", 1) == 1);
    for (double end = clock_s() + 30; waitpid(pid, &status, WNOHANG) == 0 && clock_s() < end;) tern_poll(sc.servers[0]);
    tern_endpoint_free(sc.servers[0]);
    close(to);
    CHECK(WIFEXITED(status));
    CHECK_EQ(WEXITSTATUS(status), expected);
}

static void permission__is_denied_by_the_files_mode(void) {
    if (geteuid() != 0) SKIP("needs root, to become another user");
    call_at_path("unix", false, TERN_STATUS_PERMISSION_DENIED);
    CHECK_OK();
    call_at_path("shm", false, TERN_STATUS_PERMISSION_DENIED);
    CHECK_OK();
    call_at_path("unix", true, ANSWERED);
    CHECK_OK();
    call_at_path("shm", true, ANSWERED);
}

int main(int argc, char **argv) {
    static const tap_test tests[] = {TEST(permission__is_denied_by_the_files_mode), TEST(handover__over_shm),
                                     TEST(handover__over_unix), TEST(handover__over_tcp),
                                     TEST(handover__to_who_shares_the_address)};
    if (argc > 2 && strcmp(argv[1], "--nobody") == 0) return call_as_nobody(argv[2]);
    return tap_run(tests, sizeof tests / sizeof *tests, argc, argv);
}
