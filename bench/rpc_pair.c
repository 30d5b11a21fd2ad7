/* The two processes of the RPC benchmarks (rpc_pair.h). */
#include "rpc_pair.h"
#include "rpc_log.h"
#include "rpc_trace.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common.h"

/* ---- The server process */

static void echo(tern_call call, const void *request, void *user) {
    (void)user;
    tern_reply_raw(call, *(const tern_bytes *)request);
}

/* An endpoint that echoes at this address; NULL, and *actual empty, where that cannot be. Each transport has
 * its own, so that a phase polls nothing else. */
static tern_endpoint *listen_at(const char *address, char *actual, size_t cap) {
    tern_endpoint *ep;
    actual[0] = '\0';
    tern_endpoint_config config;
    tern_endpoint_config_init(&config);
    config.max_sessions = PAIR_MAX_SESSIONS;
    if (tern_endpoint_new(&config, &ep) != 0) return NULL;
    int err = tern_listen(ep, address);
    if (!err) err = tern_serve_raw(ep, PAIR_METHOD, echo, NULL);
    if (err) {
        fprintf(stderr, "cannot serve at %s: %s\n", address, tern_strerror(err));
        tern_endpoint_free(ep);
        return NULL;
    }
    snprintf(actual, cap, "%s", tern_listen_address(ep, 0));
    return ep;
}

static void serve_tern(tern_endpoint *ep, const atomic_uint *stop, bool relax) {
    while (!atomic_load_explicit(stop, memory_order_relaxed))
        if (tern_poll(ep) == 0) floor_relax(relax);
}

typedef struct endpoints {
    tern_endpoint *shm, *udp, *tcp, *many_shm, *many_udp;
} endpoints;

static void serve_phase(const pair *p, pair_phase phase, floor_end *end, const endpoints *at) {
    const atomic_uint *stop = &p->shared->stop;
    end->relax = p->shared->rings.relax;
    switch (phase) {
    case PAIR_FLOOR_RING: floor_ring_serve(end, stop); break;
    case PAIR_FLOOR_UDP: floor_udp_serve(p->sockets.plain[0], stop); break;
    case PAIR_FLOOR_BATCH: floor_batch_serve(p->sockets.batch[0], p->shared->message_bytes, stop); break;
    case PAIR_FLOOR_TCP: floor_tcp_serve(p->sockets.stream[0], stop); break;
    case PAIR_TERN_SHM: serve_tern(at->shm, stop, end->relax); break;
    case PAIR_TERN_UDP: serve_tern(at->udp, stop, false); break;
    case PAIR_TERN_TCP: serve_tern(at->tcp, stop, false); break;
    case PAIR_MANY_SHM: serve_tern(at->many_shm, stop, end->relax); break;
    case PAIR_MANY_UDP: serve_tern(at->many_udp, stop, false); break;
    case PAIR_IDLE: break;
    }
}

/* Until the client closes the pipe. */
static void serve(const pair *p, int command_fd) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    bench_pin(PAIR_SERVER_CPU);
    pair_shared *shared = p->shared;
    char address[128], many[128];
    snprintf(address, sizeof address, "shm://%s/server.sock", p->folder);
    snprintf(many, sizeof many, "shm://%s/many.sock", p->folder);
    endpoints at = {
        .shm = listen_at(address, shared->shm_address, sizeof shared->shm_address),
        .udp = listen_at("udp://127.0.0.1:0", shared->udp_address, sizeof shared->udp_address),
        .tcp = listen_at("tcp://127.0.0.1:0", shared->tcp_address, sizeof shared->tcp_address),
        .many_shm = listen_at(many, shared->many_shm_address, sizeof shared->many_shm_address),
        .many_udp = listen_at("udp://127.0.0.1:0", shared->many_udp_address, sizeof shared->many_udp_address),
    };
    floor_end end = floor_server_end(&shared->rings);
    atomic_store(&shared->ready, 1);
    uint8_t phase;
    while (read(command_fd, &phase, 1) == 1) {
        atomic_store(&shared->running, phase);
        serve_phase(p, (pair_phase)phase, &end, &at);
        atomic_store(&shared->running, PAIR_IDLE);
    }
    tern_endpoint_free(at.shm);
    tern_endpoint_free(at.udp);
    tern_endpoint_free(at.tcp);
    tern_endpoint_free(at.many_shm);
    tern_endpoint_free(at.many_udp);
}

/* ---- The client's side */

static void check_server(const pair *p) {
    if (waitpid(p->server, NULL, WNOHANG) == 0) return;
    fprintf(stderr, "the server process has ended\n");
    exit(1);
}

static void wait_for(const pair *p, const atomic_uint *word, unsigned value) {
    while (atomic_load(word) != value) {
        check_server(p);
        usleep(100);
    }
}

/* What is to be removed however the client ends. */
static char socket_paths[2][96], socket_folder[64];

static void remove_socket(void) {
    for (int i = 0; i < 2; i++) unlink(socket_paths[i]);
    rmdir(socket_folder);
}

static void on_alarm(int signal_number) {
    (void)signal_number;
    static const char text[] = "the benchmark took too long\n";
    remove_socket();
    _exit(write(STDERR_FILENO, text, sizeof text - 1) < 0 ? 2 : 1);
}

bool pair_start(pair *p, uint64_t measured_ns) {
    memset(p, 0, sizeof *p);
    int fds[2];
    snprintf(p->folder, sizeof p->folder, "/tmp/tern-bench-XXXXXX");
    p->shared = mmap(NULL, sizeof *p->shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (p->shared == MAP_FAILED || !floor_sockets_open(&p->sockets) || pipe(fds) != 0 || mkdtemp(p->folder) == NULL) {
        perror("cannot set the benchmark up");
        return false;
    }
    p->server = fork();
    if (p->server == 0) {
        close(fds[1]);
        serve(p, fds[0]);
        _exit(0);
    }
    close(fds[0]);
    p->command_fd = fds[1];
    snprintf(socket_folder, sizeof socket_folder, "%s", p->folder);
    snprintf(socket_paths[0], sizeof socket_paths[0], "%s/server.sock", p->folder);
    snprintf(socket_paths[1], sizeof socket_paths[1], "%s/many.sock", p->folder);
    atexit(remove_socket);
    signal(SIGALRM, on_alarm);
    alarm((unsigned)(60 + measured_ns / 1000000000));
    p->end = floor_client_end(&p->shared->rings);
    bench_pin(PAIR_CLIENT_CPU);
    wait_for(p, &p->shared->ready, 1);
    return true;
}

static uint64_t cpu_now_ns(void) {
    struct timespec ts;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
    return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

double pair_cpu_share(const pair *p) { return p->wall_ns > 0 ? (double)p->cpu_ns / (double)p->wall_ns : 1; }

void pair_begin(pair *p, pair_phase phase) {
    uint8_t byte = (uint8_t)phase;
    atomic_store(&p->shared->stop, 0);
    if (write(p->command_fd, &byte, 1) != 1) check_server(p);
    wait_for(p, &p->shared->running, phase);
    p->begin_wall_ns = bench_now_ns();
    p->begin_cpu_ns = cpu_now_ns();
}

void pair_end(pair *p) {
    p->wall_ns += bench_now_ns() - p->begin_wall_ns;
    p->cpu_ns += cpu_now_ns() - p->begin_cpu_ns;
    atomic_store(&p->shared->stop, 1);
    wait_for(p, &p->shared->running, PAIR_IDLE);
}

void pair_stop(pair *p) {
    close(p->command_fd);
    waitpid(p->server, NULL, 0);
    munmap(p->shared, sizeof *p->shared);
}

void pair_tune_ring(pair *p) {
    uint64_t spent[2];
    for (unsigned relax = 0; relax < 2; relax++) {
        uint8_t payload[FLOOR_PAYLOAD] = {0};
        p->shared->rings.relax = relax;
        p->end.relax = relax != 0;
        pair_begin(p, PAIR_FLOOR_RING);
        for (unsigned i = 0; i < 20000; i++) floor_ring_ping(&p->end, payload, payload);
        uint64_t begin = bench_now_ns();
        for (unsigned i = 0; i < 50000; i++) floor_ring_ping(&p->end, payload, payload);
        spent[relax] = bench_now_ns() - begin;
        pair_end(p);
    }
    p->end.relax = spent[1] < spent[0];
    p->shared->rings.relax = p->end.relax;
}

static void must(int err, const char *what) {
    if (err >= 0) return;
    fprintf(stderr, "%s: %s\n", what, tern_strerror(err));
    exit(1);
}

tern_congestion pair_congestion;

tern_endpoint *pair_connect(const char *address, tern_session **sessions, unsigned n) {
    tern_endpoint *ep;
    tern_endpoint_config config;
    tern_endpoint_config_init(&config);
    config.congestion = pair_congestion;
    rpc_log_keep(&config);
    must(tern_endpoint_new(&config, &ep), "endpoint");
    rpc_trace(ep);
    for (unsigned i = 0; i < n; i++) must(tern_connect(ep, address, &sessions[i]), address);
    uint64_t give_up = bench_now_ns() + 5000000000u;
    for (unsigned open = 0; open < n;) {
        must(tern_poll(ep), "poll");
        if (tern_session_get_state(sessions[open]) == TERN_SESSION_OPEN) open++;
        if (bench_now_ns() > give_up) must(TERN_ERR_CLOSED, address);
    }
    return ep;
}
