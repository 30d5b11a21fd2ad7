/* How long until a call whose server was killed (kill -9) ends with UNAVAILABLE, and until a server has given back
 * what a killed client held? A client and a server in two processes, eight calls of 64 KB held by their handlers;
 * each round kills one of the two. Medians over rounds. This process itself never uses tern, so that it may fork. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common.h"
#include "tern/tern.h"

enum { METHOD = 1, N_CALLS = 8, CALL_BYTES = 64 << 10, MAX_ROUNDS = 101, GIVE_UP_S = 60 };

/* What a child tells its parent. */
typedef struct news {
    enum { NEWS_ADDRESS, NEWS_HOLDING, NEWS_FAILED, NEWS_RECLAIMED } what;
    uint64_t at;      /* when, ns */
    uint64_t buffers; /* HOLDING, RECLAIMED: live in the pool */
    char address[128];
} news;

static int to_parent;

static void tell(int what, const char *address) {
    tern_mem_stats stats;
    tern_mem_get_stats(&stats);
    news n = {.what = what, .at = bench_now_ns(), .buffers = stats.live_buffers};
    if (address) snprintf(n.address, sizeof n.address, "%s", address);
    if (write(to_parent, &n, sizeof n) != sizeof n) _exit(1);
}

/* As a program does that is not in a hurry: what is measured is the noticing, in milliseconds. */
static void pause_a_little(void) { nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL); }

/* ---- The server ---------------------------------------------------------------------------------- */

static unsigned n_held;

static void on_cancel(tern_call call, tern_status why, void *user) {
    (void)why;
    (void)user;
    tern_fail(call, TERN_STATUS_ABORTED);
}

static void hold(tern_call call, const void *request, void *user) {
    (void)request;
    (void)user;
    tern_call_on_cancel(call, on_cancel, NULL);
    if (++n_held == N_CALLS) tell(NEWS_HOLDING, NULL);
}

static void serve(const char *address) {
    tern_endpoint *ep;
    tern_endpoint_stats stats;
    bool told = false;
    if (tern_endpoint_new(NULL, &ep) || tern_serve_raw(ep, METHOD, hold, NULL) || tern_listen(ep, address)) _exit(1);
    tell(NEWS_ADDRESS, tern_listen_address(ep, 0));
    for (;;) {
        tern_poll(ep);
        tern_endpoint_get_stats(ep, &stats);
        if (n_held && stats.sessions_open == 0 && !told) {
            tell(NEWS_RECLAIMED, NULL);
            told = true;
        }
        pause_a_little();
    }
}

/* ---- The client ---------------------------------------------------------------------------------- */

static unsigned n_failed;

static void on_done(void *user, int status, const void *response) {
    (void)user;
    (void)response;
    if (status != TERN_STATUS_UNAVAILABLE) _exit(1);
    if (++n_failed == N_CALLS) tell(NEWS_FAILED, NULL);
}

static void call(const char *address) {
    static char bytes[CALL_BYTES];
    tern_endpoint *ep;
    tern_session *session;
    if (tern_endpoint_new(NULL, &ep) || tern_connect(ep, address, &session)) _exit(1);
    for (int i = 0; i < N_CALLS; i++)
        if (tern_call_start_raw(session, METHOD, tern_bytes_of(bytes, sizeof bytes), NULL, on_done, NULL)) _exit(1);
    for (;;) {
        tern_poll(ep);
        pause_a_little();
    }
}

/* ---- Rounds -------------------------------------------------------------------------------------- */

typedef struct child {
    pid_t pid;
    int from;
} child;

static bool child_start(child *c, void (*run)(const char *address), const char *address) {
    int fds[2];
    if (pipe(fds)) return false;
    fflush(stdout);
    c->pid = fork();
    if (c->pid == 0) {
        to_parent = fds[1];
        close(fds[0]);
        alarm(GIVE_UP_S);
        run(address);
    }
    close(fds[1]);
    c->from = fds[0];
    return c->pid > 0;
}

static bool await(const child *c, int what, news *n) {
    return read(c->from, n, sizeof *n) == sizeof *n && (int)n->what == what;
}

static void child_end(const child *c) {
    kill(c->pid, SIGKILL);
    waitpid(c->pid, NULL, 0);
    close(c->from);
}

/* Kill one of the two; *ms is how long the other took. Of a server that loses its client, how many buffers were live
 * before and after. */
static bool one_round(const char *address, bool kill_server, double *ms, news *before, news *after) {
    child server = {-1, -1}, client = {-1, -1};
    news n;
    bool ok = child_start(&server, serve, address) && await(&server, NEWS_ADDRESS, &n);
    if (ok) ok = child_start(&client, call, n.address) && await(&server, NEWS_HOLDING, before);
    uint64_t killed_at = bench_now_ns();
    if (ok) {
        kill(kill_server ? server.pid : client.pid, SIGKILL);
        ok = kill_server ? await(&client, NEWS_FAILED, after) : await(&server, NEWS_RECLAIMED, after);
        *ms = ok ? (double)(after->at - killed_at) / 1e6 : 0;
    }
    if (client.pid > 0) child_end(&client);
    if (server.pid > 0) child_end(&server);
    return ok;
}

static bool measure(bench_report *report, const char *kind, const char *address, unsigned n_rounds) {
    double unavailable[MAX_ROUNDS], reclaimed[MAX_ROUNDS];
    news before, after, ignored;
    char name[32];
    for (unsigned i = 0; i < n_rounds; i++) {
        if (!one_round(address, true, &unavailable[i], &ignored, &ignored)) return false;
        if (!one_round(address, false, &reclaimed[i], &before, &after)) return false;
    }
    snprintf(name, sizeof name, "kill_%s", kind);
    bench_report_row(report, name, bench_median(unavailable, n_rounds), "ms", 1000, "peer_timeout");
    snprintf(name, sizeof name, "reclaim_%s", kind);
    bench_report_row(report, name, bench_median(reclaimed, n_rounds), "ms", 1000, "peer_timeout");
    bench_report_note(report, "%s: a killed client's server went from %llu live buffers to %llu", kind,
                      (unsigned long long)before.buffers, (unsigned long long)after.buffers);
    return true;
}

int main(int argc, char **argv) {
    bench_args args = bench_args_begin(argc, argv, "how soon is the death of a peer noticed?");
    uint64_t n_rounds = bench_arg_u64(&args, "--rounds", 3, "rounds per row; the median counts");
    bool json = bench_arg_flag(&args, "--json", "print the report as the last line, as JSON");
    char shm[64], local[64];
    if (bench_args_end(&args) || n_rounds < 1 || n_rounds > MAX_ROUNDS) return 2;
    bench_report *report = bench_report_new("rpc_kill");
    if (!report) return 1;
    snprintf(shm, sizeof shm, "shm:///tmp/tern-kill-%d.sock", (int)getpid());
    snprintf(local, sizeof local, "unix:///tmp/tern-kill-%d.stream", (int)getpid());
    bool ok = measure(report, "shm", shm, (unsigned)n_rounds) &&
              measure(report, "udp", "udp://127.0.0.1:0", (unsigned)n_rounds) &&
              measure(report, "tcp", "tcp://127.0.0.1:0", (unsigned)n_rounds) &&
              measure(report, "unix", local, (unsigned)n_rounds);
    unlink(strstr(shm, "://") + 3);
    unlink(strstr(local, "://") + 3);
    if (!ok) fprintf(stderr, "rpc_kill: a round failed\n");
    return bench_report_print(report, json) && ok ? 0 : 1;
}
