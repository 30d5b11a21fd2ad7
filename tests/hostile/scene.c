/* The server and the honest client (scene.h). */
#include "scene.h"

#include <errno.h>
#include <link.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bag.tern.h"
#include "tern/call_stream.h"
#include "tern/mem.h"
#include "tern/rpc.h"

enum {
    MAX_SAMPLES = 1 << 16,
    CALL_GAP_US = 2000,    /* between small calls of the honest client */
    PUT_GAP_MS = 100,      /* between its calls of 1 MB */
    NEWCOMER_GAP_MS = 150, /* between newcomers */
    PUT_BYTES = 1 << 20,
    N_HELD = 1 << 16,
    LOOK_MS = 4,       /* between looks at the server's memory */
    TIMEOUT_MS = 5000, /* of an honest call */
};

/* Mapped by all three processes. */
typedef struct shared {
    char addresses[N_WIRES][128];
    atomic_bool serving, stop;
    atomic_bool hushed;            /* the honest client calls nobody */
    atomic_ullong held, most_held; /* bytes, now and at most in this epoch */
    atomic_uint epoch;             /* of what the honest client sees: a new one begins anew */
    atomic_uint seen_epoch;
    atomic_ullong n_calls, n_failed, n_puts, n_puts_failed, n_newcomers, n_newcomers_failed;
    atomic_int first_failure;
    atomic_uint n_samples;
    float samples[MAX_SAMPLES]; /* ms */
} shared;

struct scene {
    wire_port port;
    pid_t server, client;
    char folder[64];
    shared *sh;
    double began, looked, base_ms_per_call;
    uint64_t sent_before, most_bytes, base_bytes;
    double cpu_before;
};

static double now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static void nap_ms(double ms) { nanosleep(&(struct timespec){.tv_nsec = (long)(ms * 1e6)}, NULL); }

static void must(int err, const char *what) {
    if (err >= 0) return;
    fprintf(stderr, "%s: %s\n", what, tern_strerror(err));
    _exit(1);
}

/* ---- The server ----------------------------------------------------------------------------------- */

typedef struct held {
    tern_call call;
    double until;
    bool typed;
} held;

static struct {
    held held[N_HELD];
    unsigned n_held;
    shared *sh;
} server;

static void echo(tern_call call, const void *request, void *user) {
    (void)user;
    tern_reply_raw(call, *(const tern_bytes *)request);
}

static void answer_long(tern_call call, const void *request, void *user) {
    (void)request, (void)user;
    void *bytes = tern_alloc(SCENE_LONG_BYTES);
    if (!bytes) {
        tern_fail(call, TERN_STATUS_RESOURCE_EXHAUSTED);
        return;
    }
    memset(bytes, 1, SCENE_LONG_BYTES);
    tern_reply_raw(call, tern_bytes_of(bytes, SCENE_LONG_BYTES));
    tern_unref(bytes);
}

static void spend_time(void) {
    double end = now_ms() + SCENE_TOIL_MS;
    while (now_ms() < end) continue;
}

static void toil(tern_call call, const void *request, void *user) {
    (void)request, (void)user;
    spend_time();
    tern_reply_raw(call, (tern_bytes){0});
}

static void put_off(tern_call call, bool typed) {
    if (server.n_held == N_HELD)
        tern_fail(call, TERN_STATUS_RESOURCE_EXHAUSTED);
    else
        server.held[server.n_held++] = (held){call, now_ms() + SCENE_HOLD_MS, typed};
}

static void hold(tern_call call, const void *request, void *user) {
    (void)request, (void)user;
    put_off(call, false);
}

static void later(tern_call call, const hostile_Bag *request, void *user) {
    (void)request, (void)user;
    put_off(call, true);
}

static void answer_held(void) {
    unsigned n = 0;
    for (unsigned i = 0; i < server.n_held; i++) {
        const held *h = &server.held[i];
        if (now_ms() < h->until)
            server.held[n++] = *h;
        else if (h->typed)
            tern_reply(h->call, &(hostile_Bag){0});
        else
            tern_reply_raw(h->call, (tern_bytes){0});
    }
    server.n_held = n;
}

static void drop_data(tern_stream stream, const void *data, size_t len, void *user) {
    (void)stream, (void)data, (void)len, (void)user;
}

static void end_stream(tern_stream stream, void *user) {
    (void)user;
    tern_stream_end(stream, TERN_STATUS_OK);
}

static void sink(tern_stream stream, void *user) {
    (void)user;
    must(tern_stream_accept(stream, NULL, &TERN_STREAM_EVENTS(.on_data = drop_data, .on_finished = end_stream), NULL),
         "accept");
}

static void pour(tern_stream stream, void *user) {
    static const uint8_t bytes[16 << 10];
    (void)user;
    while (tern_stream_write(stream, tern_bytes_of(bytes, sizeof bytes)) == 0) continue;
}

static void fount(tern_stream stream, void *user) {
    tern_stream_events events = TERN_STREAM_EVENTS(.on_data = drop_data, .on_writable = pour);
    must(tern_stream_accept(stream, NULL, &events, NULL), "accept");
    pour(stream, user);
}

static void take_bag(tern_stream stream, const hostile_Bag *bag, void *user) { (void)stream, (void)bag, (void)user; }

static void collect(tern_stream stream, void *user) {
    (void)user;
    hostile_Bags_Collect_server_events events = {.on_message = take_bag, .on_finished = end_stream};
    must(hostile_Bags_Collect_accept(stream, NULL, &events, NULL), "accept");
}

static void grind_bag(tern_stream stream, const hostile_Bag *bag, void *user) {
    (void)stream, (void)bag, (void)user;
    spend_time();
}

static void grind(tern_stream stream, void *user) {
    (void)user;
    hostile_Bags_Grind_server_events events = {.on_message = grind_bag, .on_finished = end_stream};
    must(hostile_Bags_Grind_accept(stream, NULL, &events, NULL), "accept");
}

static void on_log(void *user, tern_log_level level, const char *line) {
    (void)user;
    if (getenv("HOSTILE_LOG")) fprintf(stderr, "%d %s\n", (int)level, line);
}

/* The program's own pages are in memory from the beginning: when each is first used is nobody's harm. */
static int populate(struct dl_phdr_info *info, size_t size, void *user) {
    (void)size, (void)user;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), from = (info->dlpi_addr + p->p_vaddr) & ~(page - 1);
        uintptr_t to = info->dlpi_addr + p->p_vaddr + p->p_filesz;
        if (p->p_type == PT_LOAD) madvise((void *)from, to - from, MADV_POPULATE_READ);
    }
    return 0;
}

static void serve(shared *sh, const char *folder) {
    tern_endpoint *ep;
    tern_endpoint_config config;
    tern_endpoint_stats stats;
    char path[128];
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dl_iterate_phdr(populate, NULL);
    tern_endpoint_config_init(&config);
    config.log = on_log;
    must(tern_endpoint_new(&config, &ep), "endpoint");
    must(tern_serve_raw(ep, SCENE_ECHO, echo, NULL), "serve");
    must(tern_serve_raw(ep, SCENE_LONG, answer_long, NULL), "serve");
    must(tern_serve_raw(ep, SCENE_HOLD, hold, NULL), "serve");
    must(tern_serve_raw(ep, SCENE_TOIL, toil, NULL), "serve");
    must(tern_serve_stream(ep, SCENE_SINK, sink, NULL), "serve");
    must(tern_serve_stream(ep, SCENE_FOUNT, fount, NULL), "serve");
    must(hostile_Bags_serve(ep, &(hostile_Bags_handlers){.Later = later, .Collect = collect, .Grind = grind}, NULL),
         "serve");
    for (wire_port p = 0; p < N_WIRES; p++) {
        bool ip = p == WIRE_UDP || p == WIRE_TCP;
        snprintf(path, sizeof path, ip ? "%s://0.0.0.0:0" : "%s://%s/s.%s", wire_names[p], ip ? "" : folder,
                 ip ? "" : wire_names[p]);
        if (ip) snprintf(path, sizeof path, "%s://0.0.0.0:0", wire_names[p]);
        must(tern_listen(ep, path), path);
        const char *at = tern_listen_address(ep, p);
        if (ip)
            snprintf(sh->addresses[p], sizeof sh->addresses[p], "%s://127.0.0.1%s", wire_names[p], strrchr(at, ':'));
        else
            snprintf(sh->addresses[p], sizeof sh->addresses[p], "%s", at);
        if (!ip && chmod(strchr(at, ':') + 3, 0777)) must(TERN_ERR_IO, "chmod");
    }
    atomic_store(&sh->serving, true);
    struct timespec wait;
    while (!atomic_load(&sh->stop)) {
        must(tern_poll(ep), "poll");
        tern_endpoint_get_stats(ep, &stats);
        atomic_store_explicit(&sh->held, stats.held_bytes, memory_order_relaxed);
        if (stats.held_bytes > sh->most_held) sh->most_held = stats.held_bytes;
        answer_held();
        tern_dur left = tern_next_timeout(ep), most = server.n_held ? TERN_MS : 20 * TERN_MS;
        if (left < 0 || left > most) left = most;
        if (!left) continue;
        wait = (struct timespec){.tv_nsec = left};
        ppoll(&(struct pollfd){.fd = tern_fd(ep), .events = POLLIN}, 1, &wait, NULL);
    }
    tern_endpoint_free(ep);
    _exit(0);
}

/* ---- The honest client ---------------------------------------------------------------------------- */

typedef struct kind {
    double due, gap, began;
    bool busy;
} kind;

static struct {
    shared *sh;
    tern_endpoint *ep, *newcomer;
    tern_session *session;
    kind call, put, visit;
    unsigned epoch;
} honest;

static void failed(atomic_ullong *count, int status) {
    int none = 0;
    atomic_fetch_add(count, 1);
    atomic_compare_exchange_strong(&honest.sh->first_failure, &none, status ? status : TERN_ERR_MALFORMED);
}

static void on_call(void *user, int status, const void *response) {
    shared *sh = honest.sh;
    (void)user;
    honest.call.busy = false;
    atomic_fetch_add(&sh->n_calls, 1);
    if (status || ((const tern_bytes *)response)->len != 100) failed(&sh->n_failed, status);
    unsigned n = atomic_load(&sh->n_samples);
    if (n < MAX_SAMPLES) sh->samples[n] = (float)(now_ms() - honest.call.began), atomic_store(&sh->n_samples, n + 1);
}

static void on_put(void *user, int status, const void *response) {
    (void)user, (void)response;
    honest.put.busy = false;
    atomic_fetch_add(&honest.sh->n_puts, 1);
    if (status || ((const tern_bytes *)response)->len != PUT_BYTES) failed(&honest.sh->n_puts_failed, status);
}

static void on_visit(void *user, int status, const void *response) {
    (void)user, (void)response;
    honest.visit.busy = false;
    atomic_fetch_add(&honest.sh->n_newcomers, 1);
    if (status && getenv("HOSTILE_LOG")) {
        tern_str text = tern_result_message(tern_call_result(honest.newcomer));
        fprintf(stderr, "newcomer: %d %.*s\n", status, (int)text.len, text.data);
    }
    if (status) failed(&honest.sh->n_newcomers_failed, status);
}

static bool is_due(kind *k) {
    double now = now_ms();
    if (k->busy || now < k->due) return false;
    k->began = now;
    k->due = now + k->gap;
    return k->busy = true;
}

static void visit(const char *address) {
    static const uint8_t bytes[100];
    tern_session *session;
    tern_endpoint_free(honest.newcomer);
    honest.newcomer = NULL;
    int err = tern_endpoint_new(NULL, &honest.newcomer);
    if (!err) err = tern_connect(honest.newcomer, address, &session);
    if (!err)
        err = tern_call_start_raw(session, SCENE_ECHO, tern_bytes_of(bytes, sizeof bytes),
                                  &TERN_CALL_OPTS(.timeout = TIMEOUT_MS * TERN_MS), on_visit, NULL);
    if (err) on_visit(NULL, err, NULL);
}

/* A new epoch: what was counted is forgotten once nothing of it runs any more. */
static void begin_anew(void) {
    shared *sh = honest.sh;
    unsigned epoch = atomic_load(&sh->epoch);
    if (epoch == honest.epoch || honest.call.busy || honest.put.busy || honest.visit.busy) return;
    honest.epoch = epoch;
    sh->n_calls = sh->n_failed = sh->n_puts = sh->n_puts_failed = sh->n_newcomers = sh->n_newcomers_failed = 0;
    sh->n_samples = 0;
    sh->first_failure = 0;
    atomic_store(&sh->seen_epoch, epoch);
}

static void be_honest(shared *sh, wire_port port) {
    static uint8_t bytes[PUT_BYTES];
    tern_call_opts opts = TERN_CALL_OPTS(.timeout = TIMEOUT_MS * TERN_MS);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    while (!atomic_load(&sh->serving)) nap_ms(1);
    honest.sh = sh;
    honest.call.gap = CALL_GAP_US / 1e3;
    honest.put.gap = PUT_GAP_MS;
    honest.visit.gap = NEWCOMER_GAP_MS;
    must(tern_endpoint_new(NULL, &honest.ep), "endpoint");
    must(tern_connect(honest.ep, sh->addresses[port], &honest.session), "connect");
    while (!atomic_load(&sh->stop)) {
        bool waits = atomic_load(&sh->epoch) != honest.epoch || atomic_load(&sh->hushed); /* let what runs end */
        begin_anew();
        if (!waits && is_due(&honest.call)) {
            int err = tern_call_start_raw(honest.session, SCENE_ECHO, tern_bytes_of(bytes, 100), &opts, on_call, NULL);
            if (err) on_call(NULL, err, NULL);
        }
        if (!waits && is_due(&honest.put)) {
            int err =
                tern_call_start_raw(honest.session, SCENE_ECHO, tern_bytes_of(bytes, PUT_BYTES), &opts, on_put, NULL);
            if (err) on_put(NULL, err, NULL);
        }
        if (!waits && is_due(&honest.visit)) visit(sh->addresses[port]);
        must(tern_poll(honest.ep), "poll");
        if (honest.newcomer) must(tern_poll(honest.newcomer), "poll");
        if (!honest.call.busy && !honest.put.busy && !honest.visit.busy) nap_ms(0.2);
    }
    _exit(0);
}

/* ---- Looking at them ------------------------------------------------------------------------------ */

/* The server's memory, shared pages that it has touched included. */
static uint64_t resident_bytes(pid_t pid) {
    char path[64], line[256];
    unsigned long kb = 0;
    snprintf(path, sizeof path, "/proc/%d/smaps_rollup", (int)pid);
    FILE *f = fopen(path, "r");
    if (!f) return 0;
    while (fgets(line, sizeof line, f))
        if (sscanf(line, "Rss: %lu kB", &kb) == 1) break;
    fclose(f);
    return (uint64_t)kb << 10;
}

static double cpu_ms(pid_t pid) {
    clockid_t clock;
    struct timespec t;
    if (clock_getcpuclockid(pid, &clock) || clock_gettime(clock, &t)) return 0;
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

bool scene_lives(const scene *s) {
    return !kill(s->server, 0) && !waitpid(s->server, NULL, WNOHANG) && !waitpid(s->client, NULL, WNOHANG);
}

uint64_t scene_held_bytes(const scene *s) { return s->sh->held; }
const char *scene_address(const scene *s) { return s->sh->addresses[s->port]; }
wire_port scene_port(const scene *s) { return s->port; }

void scene_begin(scene *s) {
    unsigned epoch = atomic_load(&s->sh->epoch) + 1;
    atomic_store(&s->sh->epoch, epoch);
    for (double end = now_ms() + 2 * TIMEOUT_MS; atomic_load(&s->sh->seen_epoch) != epoch && now_ms() < end;) nap_ms(1);
    s->most_bytes = s->base_bytes = resident_bytes(s->server);
    s->sh->most_held = s->sh->held;
    s->sent_before = wire_sent_bytes;
    s->began = s->looked = now_ms();
    s->cpu_before = cpu_ms(s->server);
}

bool scene_goes_on(scene *s, double seconds) {
    double now = now_ms();
    if (now - s->looked >= LOOK_MS) {
        s->looked = now;
        uint64_t bytes = resident_bytes(s->server);
        if (bytes > s->most_bytes) s->most_bytes = bytes;
    }
    return now - s->began < seconds * 1e3 && scene_lives(s);
}

bool scene_pause(scene *s, double seconds, double pause_ms) {
    nap_ms(pause_ms);
    return scene_goes_on(s, seconds);
}

static int by_value(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

void scene_hush(scene *s) {
    atomic_store(&s->sh->hushed, true);
    s->base_ms_per_call = 0;
    scene_begin(s); /* ends when nothing runs */
}

scene_seen scene_end(scene *s) {
    static float samples[MAX_SAMPLES];
    shared *sh = s->sh;
    s->looked = 0;
    scene_goes_on(s, 0);
    scene_seen seen = {.seconds = (now_ms() - s->began) / 1e3,
                       .sent_bytes = wire_sent_bytes - s->sent_before,
                       .grown_bytes = s->most_bytes - s->base_bytes,
                       .held_bytes = sh->most_held,
                       .n_calls = sh->n_calls,
                       .n_failed = sh->n_failed,
                       .n_puts = sh->n_puts,
                       .n_puts_failed = sh->n_puts_failed,
                       .n_newcomers = sh->n_newcomers,
                       .n_newcomers_failed = sh->n_newcomers_failed,
                       .first_failure = sh->first_failure};
    double took = cpu_ms(s->server) - s->cpu_before, own = s->base_ms_per_call * (double)seen.n_calls;
    seen.server_ms = took > own ? took - own : 0;
    unsigned n = sh->n_samples;
    memcpy(samples, sh->samples, n * sizeof *samples);
    qsort(samples, n, sizeof *samples, by_value);
    if (n) {
        seen.p50_ms = (double)samples[n / 2];
        seen.p99_ms = (double)samples[(size_t)n * 99 / 100];
    }
    return seen;
}

static void let_calm_pass(scene *s, double seconds) {
    while (scene_pause(s, seconds, 5)) continue;
}

scene *scene_open(wire_port port, bool quick, scene_seen *calm) {
    struct rlimit files;
    scene *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    if (!getrlimit(RLIMIT_NOFILE, &files)) {
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
    s->port = port;
    s->sh = mmap(NULL, sizeof *s->sh, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    snprintf(s->folder, sizeof s->folder, "/tmp/tern-hostile-XXXXXX");
    if (s->sh == MAP_FAILED || !mkdtemp(s->folder) || chmod(s->folder, 0777)) abort();
    fflush(NULL);
    if (!(s->server = fork())) serve(s->sh, s->folder);
    if (!(s->client = fork())) be_honest(s->sh, port);
    for (int i = 0; i < 2000 && !s->sh->serving; i++) nap_ms(1);
    /* Warm: what it ever needs for its honest client is there. */
    scene_begin(s);
    let_calm_pass(s, quick ? 0.4 : 1);
    if (!calm) return s;
    scene_begin(s);
    let_calm_pass(s, quick ? 0.6 : 3);
    *calm = scene_end(s);
    s->base_ms_per_call = calm->n_calls ? calm->server_ms / (double)calm->n_calls : 0;
    calm->server_ms = 0;
    return s;
}

void scene_close(scene *s) {
    static const char *const files[] = {"s.shm", "s.unix"};
    char path[128];
    atomic_store(&s->sh->stop, true);
    for (int i = 0; i < 1000 && (waitpid(s->server, NULL, WNOHANG) == 0 || waitpid(s->client, NULL, WNOHANG) == 0); i++)
        nap_ms(1);
    kill(s->server, SIGKILL);
    kill(s->client, SIGKILL);
    while (wait(NULL) > 0) continue;
    for (unsigned i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s", s->folder, files[i]);
        unlink(path);
    }
    rmdir(s->folder);
    munmap(s->sh, sizeof *s->sh);
    free(s);
}
