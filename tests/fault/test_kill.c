/* Processes that are killed and start again, or stand still for longer than their peers wait, over real ports: a
 * server and three clients, of which now this one, now that one meets a SIGKILL or a SIGSTOP. What all of them have
 * done is in a table in shared memory, which outlives them:
 *   - no call's handler has run twice, whichever server ran it;
 *   - a call that ended with OK has run once, and its reply was right, byte for byte;
 *   - calls of a client that was not killed have all ended, with OK, UNAVAILABLE or by being cancelled;
 *   - after each death calls succeed again;
 *   - and the server has forgotten the dead clients' sessions.
 *
 * The program starts itself anew for each part, so that none inherits tern's memory. `--rounds N`: so many deaths or
 * stops over each port. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/rng.h"
#include "tap.h"
#include "tern/rpc.h"

enum { METHOD = 7, N_CLIENTS = 3, MAX_THREADS = 3, MAX_CALLS = 1 << 21, WINDOW = 16, MAX_BYTES = 60000, TABLE_FD = 9 };

enum { CALL_NEW, CALL_STARTED, CALL_OK, CALL_UNAVAILABLE, CALL_CANCELLED, CALL_WRONG };

typedef struct table {
    atomic_bool stop;                /* clients finish what they have and end; the server waits for it */
    atomic_bool server_stop;         /* then it ends, too */
    atomic_uint next_call;           /* numbers of calls, over all processes */
    atomic_uint n_ok[N_CLIENTS];     /* by client, over its lives */
    atomic_uint n_threads;           /* of the server; more than one share the address */
    atomic_uint n_open[MAX_THREADS]; /* sessions, as they see it */
    atomic_uint n_bad;               /* wrong replies, unexpected statuses and errors */
    atomic_ushort owner[MAX_CALLS];  /* client and its life: a killed one's calls need not end */
    atomic_uchar state[MAX_CALLS];
    atomic_uchar n_runs[MAX_CALLS];
    char address[108];
} table;

static table *t;
static unsigned n_rounds = 12; /* deaths over each port */

static double clock_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void nap(long us) { nanosleep(&(struct timespec){.tv_nsec = us * 1000}, NULL); }

static uint32_t bytes_of(uint32_t call) {
    static const uint32_t limits[] = {64, 64, 64, 3000, MAX_BYTES};
    uint64_t z = tern__mix64(call + 1);
    return (uint32_t)(sizeof call + z % limits[(z >> 32) % 5]);
}

static void body_fill(uint8_t *out, uint32_t call) {
    uint32_t len = bytes_of(call);
    memcpy(out, &call, sizeof call);
    for (uint32_t i = sizeof call; i < len; i++) out[i] = (uint8_t)(i * 31 + call);
}

static bool body_is(const tern_bytes *b, uint32_t call) {
    static _Thread_local uint8_t right[MAX_BYTES + 64];
    body_fill(right, call);
    return b->len == bytes_of(call) && memcmp(b->data, right, b->len) == 0;
}

/* ---- The server ----------------------------------------------------------------------------------- */

static void serve(tern_call call, const void *msg, void *user) {
    const tern_bytes *bytes = msg;
    uint32_t number = MAX_CALLS;
    (void)user;
    if (bytes->len >= sizeof number) memcpy(&number, bytes->data, sizeof number);
    if (number >= MAX_CALLS || !body_is(bytes, number) || atomic_fetch_add(&t->n_runs[number], 1) > 0)
        atomic_fetch_add(&t->n_bad, 1);
    tern_reply_raw(call, *bytes);
}

/* The address of a server that was killed may stay taken for a moment. */
static int listen_soon(tern_listener **out) {
    uint32_t n = atomic_load(&t->n_threads);
    int err = tern_listener_new(t->address, n, out);
    for (double end = clock_s() + 10; err && clock_s() < end; err = tern_listener_new(t->address, n, out)) nap(2000);
    return err;
}

/* Impatient, so that those who stand still are given up. */
static int endpoint_new(tern_endpoint **ep) {
    tern_endpoint_config config;
    tern_endpoint_config_init(&config);
    config.peer_timeout = 300 * TERN_MS;
    return tern_endpoint_new(&config, ep);
}

static tern_listener *shared;

/* Returns NULL when all went well. */
static void *serve_thread(void *n_open) {
    tern_endpoint *ep;
    if (endpoint_new(&ep) || tern_serve_raw(ep, METHOD, serve, NULL)) return shared;
    if (atomic_load(&t->n_threads) > 1 ? tern_listen_shared(ep, shared) : tern_listen(ep, t->address)) return shared;
    while (!atomic_load(&t->server_stop)) {
        tern_endpoint_stats stats;
        for (int i = 0; i < 100; i++)
            if (tern_poll(ep) <= 0) nap(50);
        tern_endpoint_get_stats(ep, &stats);
        atomic_store((atomic_uint *)n_open, (unsigned)stats.sessions_open);
    }
    return tern_endpoint_free(ep) ? shared : NULL;
}

static int server_main(void) {
    pthread_t threads[MAX_THREADS];
    unsigned n = atomic_load(&t->n_threads);
    int err = listen_soon(&shared);
    if (err) {
        fprintf(stderr, "# the server cannot listen on %s: %s\n", t->address, tern_strerror(err));
        return 3;
    }
    if (n == 1) tern_listener_free(shared); /* the address is free, then */
    for (unsigned i = 0; i < n; i++)
        if (pthread_create(&threads[i], NULL, serve_thread, &t->n_open[i])) return 2;
    for (unsigned i = 0; i < n; i++) {
        void *failed;
        pthread_join(threads[i], &failed);
        if (failed) err = 5;
    }
    if (n > 1) tern_listener_free(shared);
    return err;
}

/* ---- A client ------------------------------------------------------------------------------------- */

static struct client {
    unsigned number, life, in_flight;
    double pause_until; /* after a failure calls would only fail again */
} me;

static void on_done(void *user, int status, const void *msg) {
    uint32_t call = (uint32_t)(uintptr_t)user;
    unsigned char state = CALL_WRONG;
    me.in_flight--;
    if (status == TERN_STATUS_UNAVAILABLE) {
        state = CALL_UNAVAILABLE;
        me.pause_until = clock_s() + 0.01;
    } else if (status == TERN_STATUS_CANCELLED) {
        state = CALL_CANCELLED;
    } else if (status == TERN_STATUS_OK && body_is(msg, call)) {
        state = CALL_OK;
        atomic_fetch_add(&t->n_ok[me.number], 1);
    }
    if (state == CALL_WRONG || atomic_exchange(&t->state[call], state) != CALL_STARTED) atomic_fetch_add(&t->n_bad, 1);
}

/* One call in thirty-two is given up at once, when its request may have left. */
static void start_calls(tern_endpoint *ep, tern_session *session) {
    tern_call_ref ref;
    tern_call_opts opts = TERN_CALL_OPTS(.ref = &ref);
    static uint8_t request[MAX_BYTES + 64];
    while (me.in_flight < WINDOW && clock_s() > me.pause_until) {
        uint32_t call = atomic_fetch_add(&t->next_call, 1);
        if (call >= MAX_CALLS) return;
        body_fill(request, call);
        atomic_store(&t->owner[call], (unsigned short)(me.number * 4096 + me.life));
        atomic_store(&t->state[call], CALL_STARTED);
        me.in_flight++;
        if (tern_call_start_raw(session, METHOD, tern_bytes_of(request, bytes_of(call)), &opts, on_done,
                                (void *)(uintptr_t)call))
            atomic_fetch_add(&t->n_bad, 1);
        else if (tern__mix64(call) % 32 == 0 && tern_call_cancel(ep, ref) != 0)
            atomic_fetch_add(&t->n_bad, 1);
        memset(request, 0xee, bytes_of(call));
    }
}

/* A server that is not there at this moment cannot be connected to over shared memory. */
static tern_session *connect_soon(tern_endpoint *ep) {
    tern_session *session = NULL;
    while (tern_connect(ep, t->address, &session) != 0 && !atomic_load(&t->stop)) nap(2000);
    return session;
}

static int client_main(unsigned number, unsigned life) {
    tern_endpoint *ep;
    me.number = number;
    me.life = life;
    if (endpoint_new(&ep)) return 2;
    tern_session *session = connect_soon(ep);
    while (session && (!atomic_load(&t->stop) || me.in_flight)) {
        if (!atomic_load(&t->stop)) start_calls(ep, session);
        if (tern_poll(ep) <= 0) nap(50);
    }
    return tern_endpoint_free(ep);
}

/* ---- The one who kills ---------------------------------------------------------------------------- */

static pid_t server_pid, client_pids[N_CLIENTS];
static unsigned lives[N_CLIENTS];

static pid_t start_part(const char *part, unsigned a, unsigned b) {
    char first[12], second[12];
    snprintf(first, sizeof first, "%u", a);
    snprintf(second, sizeof second, "%u", b);
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        execl("/proc/self/exe", "test_kill", part, first, second, (char *)NULL);
        _exit(127);
    }
    return pid;
}

static void kill_now(pid_t pid) {
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

/* Each client gets a call through, however long that takes, up to a limit. */
static void wait_for_progress(const char *after) {
    unsigned before[N_CLIENTS];
    double end = clock_s() + 30;
    for (unsigned i = 0; i < N_CLIENTS; i++) before[i] = atomic_load(&t->n_ok[i]);
    for (unsigned i = 0; i < N_CLIENTS; i++) {
        while (atomic_load(&t->n_ok[i]) == before[i] && clock_s() < end) nap(1000);
        if (atomic_load(&t->n_ok[i]) == before[i]) printf("# client %u gets nothing done after %s\n", i, after);
        CHECK(atomic_load(&t->n_ok[i]) != before[i]);
    }
}

static void stand_still(pid_t pid, tern__rng *rng) {
    kill(pid, SIGSTOP);
    nap((long)tern__rng_below(rng, 700000));
    kill(pid, SIGCONT);
    wait_for_progress("a process stood still");
}

static void one_round(tern__rng *rng) {
    unsigned victim = (unsigned)tern__rng_below(rng, 2 * N_CLIENTS);
    nap((long)tern__rng_below(rng, 20000));
    if (tern__rng_below(rng, 4) == 0) {
        stand_still(victim >= N_CLIENTS ? server_pid : client_pids[victim], rng);
        return;
    }
    if (victim >= N_CLIENTS) {
        kill_now(server_pid);
        nap((long)tern__rng_below(rng, 20000));
        server_pid = start_part("server", 0, 0);
        wait_for_progress("the server's restart");
        return;
    }
    kill_now(client_pids[victim]);
    client_pids[victim] = start_part("client", victim, ++lives[victim]);
    wait_for_progress("a client's restart");
}

static unsigned n_sessions_open(void) {
    unsigned sum = 0;
    for (unsigned i = 0; i < MAX_THREADS; i++) sum += atomic_load(&t->n_open[i]);
    return sum;
}

static void check_ended(pid_t *process, const char *who) {
    int status = 0;
    pid_t pid = *process;
    double end = clock_s() + 30;
    pid_t got = 0;
    while ((got = waitpid(pid, &status, WNOHANG)) == 0 && clock_s() < end) nap(1000);
    if (got == 0) kill_now(pid);
    *process = 0;
    if (got == 0 || status != 0) printf("# %s did not end well: %d, %d\n", who, (int)got, status);
    CHECK(got == pid && status == 0);
}

static void check_table(void) {
    unsigned n = atomic_load(&t->next_call), n_state[6] = {0}, n_wrong = 0;
    for (unsigned i = 0; i < n && i < MAX_CALLS; i++) {
        unsigned state = atomic_load(&t->state[i]), owner = atomic_load(&t->owner[i]),
                 runs = atomic_load(&t->n_runs[i]);
        bool was_killed = owner % 4096 != lives[owner / 4096];
        bool wrong = runs > 1 || (state == CALL_OK && runs != 1) || (state <= CALL_STARTED && !was_killed);
        if (wrong && n_wrong++ < 5) printf("# call %u of client %u: state %u, %u runs\n", i, owner / 4096, state, runs);
        n_state[state]++;
    }
    printf("# %u calls: %u ok, %u unavailable, %u cancelled, %u of clients that were killed\n", n, n_state[CALL_OK],
           n_state[CALL_UNAVAILABLE], n_state[CALL_CANCELLED], n_state[CALL_STARTED] + n_state[CALL_NEW]);
    CHECK_EQ(n_wrong, 0);
    CHECK_EQ(atomic_load(&t->n_bad), 0);
    CHECK(n_state[CALL_OK] > 100);
}

static bool make_table(const char *address, unsigned n_threads) {
    int fd = memfd_create("table", 0);
    if (fd < 0 || ftruncate(fd, sizeof *t) != 0 || dup2(fd, TABLE_FD) != TABLE_FD) return false;
    close(fd);
    t = mmap(NULL, sizeof *t, PROT_READ | PROT_WRITE, MAP_SHARED, TABLE_FD, 0);
    if (t == MAP_FAILED) return false;
    snprintf(t->address, sizeof t->address, "%s", address);
    atomic_store(&t->n_threads, n_threads);
    return true;
}

static void run_rounds(const char *address) {
    tern__rng rng;
    tern__rng_seed(&rng, 3);
    server_pid = start_part("server", 0, 0);
    for (unsigned i = 0; i < N_CLIENTS; i++) client_pids[i] = start_part("client", i, lives[i] = 0);
    wait_for_progress("the start");
    for (unsigned i = 0; i < n_rounds && !tap_failed; i++) one_round(&rng);
    atomic_store(&t->stop, true);
    for (unsigned i = 0; i < N_CLIENTS; i++) check_ended(&client_pids[i], "a client");
    /* Where the system tells of the dead at once nothing is left of their sessions. */
    double end = clock_s() + (strncmp(address, "udp", 3) == 0 ? 0 : 10);
    while (n_sessions_open() && clock_s() < end) nap(1000);
    if (strncmp(address, "udp", 3) != 0) CHECK_EQ(n_sessions_open(), 0);
    atomic_store(&t->server_stop, true);
    check_ended(&server_pid, "the server");
    check_table();
}

static void kill_loop(const char *address, unsigned n_threads) {
    CHECK(make_table(address, n_threads));
    run_rounds(address);
    for (unsigned i = 0; i < N_CLIENTS; i++)
        if (client_pids[i]) kill_now(client_pids[i]);
    if (server_pid) kill_now(server_pid);
    munmap(t, sizeof *t);
    close(TABLE_FD);
}

static void kill_loop_at_path(const char *scheme, unsigned n_threads) {
    char address[64];
    snprintf(address, sizeof address, "%s:///tmp/tern-kill-%d.sock", scheme, (int)getpid());
    kill_loop(address, n_threads);
    unlink(address + strlen(scheme) + 3);
}

/* A port that nobody has at this moment. */
static void kill_loop_at_port(const char *scheme, unsigned n_threads) {
    char address[64];
    tern_endpoint *ep;
    CHECK_EQ(tern_endpoint_new(NULL, &ep), 0);
    snprintf(address, sizeof address, "%s://127.0.0.1:0", scheme);
    CHECK_EQ(tern_listen(ep, address), 0);
    snprintf(address, sizeof address, "%s", tern_listen_address(ep, 0));
    tern_endpoint_free(ep);
    kill_loop(address, n_threads);
}

static void kill__in_turn_over_shm(void) { kill_loop_at_path("shm", 1); }
static void kill__in_turn_over_unix(void) { kill_loop_at_path("unix", 1); }
static void kill__in_turn_over_udp(void) { kill_loop_at_port("udp", 1); }
static void kill__in_turn_over_tcp(void) { kill_loop_at_port("tcp", 1); }
static void kill__servers_of_three_threads(void) {
    kill_loop_at_port("udp", MAX_THREADS);
    CHECK_OK();
    kill_loop_at_path("shm", MAX_THREADS);
    CHECK_OK();
    kill_loop_at_port("tcp", MAX_THREADS);
}

static int part_main(char **argv) {
    t = mmap(NULL, sizeof *t, PROT_READ | PROT_WRITE, MAP_SHARED, TABLE_FD, 0);
    if (t == MAP_FAILED) return 4;
    if (strcmp(argv[1], "server") == 0) return server_main();
    return client_main((unsigned)strtoul(argv[2], NULL, 10), (unsigned)strtoul(argv[3], NULL, 10));
}

int main(int argc, char **argv) {
    static const tap_test tests[] = {TEST(kill__in_turn_over_shm), TEST(kill__in_turn_over_unix),
                                     TEST(kill__in_turn_over_udp), TEST(kill__in_turn_over_tcp),
                                     TEST(kill__servers_of_three_threads)};
    if (argc >= 3 && strcmp(argv[1], "--rounds") == 0) {
        n_rounds = (unsigned)strtoul(argv[2], NULL, 10);
        argv += 2;
        argc -= 2;
    }
    if (argc == 4 && fcntl(TABLE_FD, F_GETFD) >= 0) return part_main(argv);
    return tap_run(tests, sizeof tests / sizeof *tests, argc, argv);
}
