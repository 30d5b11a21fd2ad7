/* How fast is a message built and emitted? GetM {id, vals}, the response of Cornflakes' get-multiple, in four shapes;
 * tern against other libraries and against floors (floors.c), with values in cache (hot: always the same) and values
 * from a working set much larger than the caches (cold). No keys: a response has none.
 *
 * Contestants take turns within each round, so that a change of the machine hits all alike; a number is
 * the median over the rounds. Each contestant's encoding is decoded and compared before it is timed. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common.h"
#include "peer.h"
#include "tern/mem.h"

typedef struct shape {
    const char *name;
    size_t n, bytes; /* values in a message, bytes of each */
} shape;

static const shape shapes[] = {{"2x2048", 2, 2048}, {"4x512", 4, 512}, {"1x4096", 1, 4096}, {"32x64", 32, 64}};

static const peer *const peers[] = {
    &peer_tern,
#ifdef BENCH_HAVE_PROTOBUF
    &peer_protobuf,    &peer_protobuf_arena,
#endif
#ifdef BENCH_HAVE_PROTOBUF_C
    &peer_protobuf_c,
#endif
#ifdef BENCH_HAVE_FLATBUFFERS
    &peer_flatbuffers,
#endif
#ifdef BENCH_HAVE_CAPNP
    &peer_capnp,       &peer_capnp_external,
#endif
    &floor_memcpy,     &floor_memcpy_twice,  &floor_iovec,
};

enum {
    N_PEERS = sizeof peers / sizeof *peers,
    N_SHAPES = sizeof shapes / sizeof *shapes,
    MAX_ROUNDS = 101,
    BATCH = 256 /* messages between looks at the clock */
};

typedef struct options {
    uint64_t rounds, slice_ns;
    uint64_t set_mb; /* of cold values; 0: none */
    const char *only;
    bool threads;
} options;

static void fail(const char *what, const char *who) {
    fprintf(stderr, "serialize: %s%s%s\n", who ? who : "", who ? ": " : "", what);
    exit(1);
}

/* ---- Values: `n` of them in the order in which messages take them */

typedef struct supply {
    value *values;
    size_t n, next;
} supply;

static supply supply_new(size_t n, size_t bytes, uint64_t *seed) {
    supply s = {.values = calloc(n, sizeof(value)), .n = n};
    if (!s.values) fail("out of memory", NULL);
    for (size_t i = 0; i < n; i++) {
        void *data = tern_alloc(bytes);
        if (!data) fail("out of memory for values; try a smaller --working-set", NULL);
        memset(data, (int)('a' + i % 26), bytes);
        s.values[i] = (value){data, bytes};
    }
    for (size_t i = n; i > 1; i--) {
        size_t j = bench_random(seed) % i;
        value swapped = s.values[i - 1];
        s.values[i - 1] = s.values[j];
        s.values[j] = swapped;
    }
    return s;
}

static void supply_free(supply *s) {
    for (size_t i = 0; i < s->n; i++) tern_unref(s->values[i].data);
    free(s->values);
}

static inline const value *supply_take(supply *s, size_t n) {
    if (s->next + n > s->n) s->next = 0;
    const value *taken = s->values + s->next;
    s->next += n;
    return taken;
}

/* ---- Contestants */

typedef struct contestant {
    const peer *peer;
    void *state;
    uint32_t id; /* of its next message */
    double round_ns[MAX_ROUNDS];
} contestant;

static contestant contestants[N_PEERS];
/* RING packets, each behind a headroom of its own. The headroom is about a quarter of a page, because a copy whose
 * target is a few bytes ahead of its source, counted modulo 4096, is ten times slower than any other on some
 * processors, and values start on such borders; and it differs, because packets that all begin at the same place
 * of a page share one set of the first cache. Both accidents depend on who copies how much, and would be taken
 * for merits. */
enum { HEADROOM = 1024, HEADROOM_STEP = 64, STRIDE = 4096 + PACKET_BYTES };
static uint8_t *packets;

static inline void emit_one(contestant *c, supply *s, size_t n, emitted *out) {
    uint32_t place = c->id % RING;
    out->packet = packets + (size_t)place * STRIDE + HEADROOM + (size_t)(place % 8) * HEADROOM_STEP;
    c->peer->emit(c->state, c->id, supply_take(s, n), n, out);
    c->id++;
}

/* Gathers what was emitted, as a NIC would, and has the library read it. */
static void check_one(contestant *c, supply *s, size_t n) {
    static uint8_t sent[2 * PACKET_BYTES] __attribute__((aligned(16)));
    value got[MAX_VALUES];
    emitted out;
    size_t len = 0, n_got = 0;
    uint32_t id = c->id, got_id = 0;
    s->next = 0;
    emit_one(c, s, n, &out);
    for (size_t i = 0; i < out.n_pieces; i++) {
        if (len + out.pieces[i].iov_len > sizeof sent) fail("emits too much", c->peer->name);
        memcpy(sent + len, out.pieces[i].iov_base, out.pieces[i].iov_len);
        len += out.pieces[i].iov_len;
    }
    if (!c->peer->check) return;
    if (!c->peer->check(c->state, sent, len, &got_id, got, &n_got)) fail("does not decode", c->peer->name);
    if (got_id != id || n_got != n) fail("decodes to another message", c->peer->name);
    for (size_t i = 0; i < n; i++)
        if (got[i].len != s->values[i].len || memcmp(got[i].data, s->values[i].data, got[i].len) != 0)
            fail("decodes to other values", c->peer->name);
}

/* Processor time for each message: what others do on this processor meanwhile is not ours. */
static double time_one(contestant *c, supply *s, size_t n, uint64_t slice_ns) {
    emitted out;
    uint64_t n_messages = 0, end = bench_now_ns() + slice_ns, begin_cpu = bench_cpu_ns();
    do {
        for (int i = 0; i < BATCH; i++) emit_one(c, s, n, &out);
        __asm__ volatile("" : : "r"(&out), "r"(packets) : "memory");
        n_messages += BATCH;
    } while (bench_now_ns() < end);
    return (double)(bench_cpu_ns() - begin_cpu) / (double)n_messages;
}

/* Times all contestants on one shape; medians[i] is contestant i's. */
static void run(const shape *sh, supply *s, const options *o, double *medians) {
    for (int i = 0; i < N_PEERS; i++) {
        check_one(&contestants[i], s, sh->n);
        time_one(&contestants[i], s, sh->n, o->slice_ns / 8);
    }
    for (unsigned r = 0; r < o->rounds; r++)
        for (unsigned k = 0; k < N_PEERS; k++) {
            contestant *c = &contestants[(k + r) % N_PEERS];
            c->round_ns[r] = time_one(c, s, sh->n, o->slice_ns);
        }
    for (int i = 0; i < N_PEERS; i++) medians[i] = bench_median(contestants[i].round_ns, o->rounds);
}

/* ---- Reporting, when all is measured: the report's look at the machine starts a thread */

typedef struct result {
    double hot[N_PEERS], cold[N_PEERS]; /* nanoseconds for a message */
} result;

static void report_shape(bench_report *report, const shape *sh, const char *heat, const double *medians) {
    char name[64];
    int best = -1, tern = 0;
    for (int i = 0; i < N_PEERS; i++) {
        if (peers[i] == &peer_tern) tern = i;
        if (peers[i]->is_library && (best < 0 || medians[i] < medians[best])) best = i;
    }
    if (best >= 0) {
        snprintf(name, sizeof name, "%s_%s", sh->name, strcmp(heat, "hot") == 0 ? "vs_best" : "cold_vs_best");
        bench_report_row(report, name, medians[tern], "ns", medians[best], peers[best]->name);
    }
    for (int i = 0; i < N_PEERS; i++) {
        snprintf(name, sizeof name, "%s_%s_%s", sh->name, heat, peers[i]->name);
        if (i == tern)
            bench_report_row(report, name, medians[i], "ns", 0, NULL);
        else
            bench_report_row(report, name, medians[i], "ns", medians[tern], "tern");
    }
}

static void note_missing(bench_report *report) {
    const char *missing = ""
#ifndef BENCH_HAVE_PROTOBUF
                          " protobuf"
#endif
#ifndef BENCH_HAVE_PROTOBUF_C
                          " protobuf-c"
#endif
#ifndef BENCH_HAVE_FLATBUFFERS
                          " flatbuffers"
#endif
#ifndef BENCH_HAVE_CAPNP
                          " capnp"
#endif
        ;
    if (*missing) bench_report_note(report, "not found when this was built, and left out:%s", missing);
}

static void *do_nothing(void *arg) { return arg; }

/* The C library does not take a process for single-threaded again. */
static void become_threaded(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, do_nothing, NULL)) fail("cannot start a thread", NULL);
    pthread_join(thread, NULL);
}

static void open_all(void) {
    for (int i = 0; i < N_PEERS; i++) {
        contestants[i].peer = peers[i];
        contestants[i].state = peers[i]->open();
        if (!contestants[i].state) fail("out of memory", peers[i]->name);
    }
}

/* Gives the references on values back, too. */
static void close_all(void) {
    for (int i = 0; i < N_PEERS; i++) contestants[i].peer->close(contestants[i].state);
}

static void measure(const shape *sh, const options *o, result *out) {
    uint64_t seed = 1;
    supply hot = supply_new(sh->n, sh->bytes, &seed);
    open_all();
    run(sh, &hot, o, out->hot);
    if (o->set_mb) {
        supply cold = supply_new((size_t)(o->set_mb << 20) / sh->bytes, sh->bytes, &seed);
        run(sh, &cold, o, out->cold);
        close_all();
        open_all();
        supply_free(&cold);
    }
    close_all();
    supply_free(&hot);
}

static bool is_wanted(const shape *sh, const options *o) { return !o->only || strcmp(o->only, sh->name) == 0; }

static int report_all(const options *o, const result *results, bool json) {
    bench_report *report = bench_report_new("serialize");
    if (!report) fail("out of memory", NULL);
    note_missing(report);
    bench_report_note(report, o->threads ? "in a process with threads: counts are changed atomically"
                                         : "in a process with one thread; see --threads");
    for (size_t i = 0; i < N_SHAPES; i++) {
        if (!is_wanted(&shapes[i], o)) continue;
        report_shape(report, &shapes[i], "hot", results[i].hot);
        if (o->set_mb) report_shape(report, &shapes[i], "cold", results[i].cold);
    }
    return bench_report_print(report, json) ? 0 : 1;
}

int main(int argc, char **argv) {
    bench_args args = bench_args_begin(argc, argv, "how fast is a message built and emitted?");
    bool json = bench_arg_flag(&args, "--json", "print the report as JSON too, as the last line");
    options o;
    o.rounds = bench_arg_u64(&args, "--rounds", 25, "rounds; a number is the median over them");
    o.slice_ns = 1000 * bench_arg_u64(&args, "--slice", 1600, "microseconds for each contestant in each round");
    o.set_mb = bench_arg_u64(&args, "--working-set", 256, "megabytes of cold values; 0: no cold rows");
    o.only = bench_arg_str(&args, "--shape", NULL, "one shape only: 2x2048, 4x512, 1x4096, 32x64");
    o.threads = bench_arg_flag(&args, "--threads", "have had a second thread, as most servers have");
    if (bench_args_end(&args)) return 2;
    if (o.rounds < 1 || o.rounds > MAX_ROUNDS || o.set_mb > 65536)
        fail("--rounds is 1..101, --working-set up to 65536", NULL);

    static result results[N_SHAPES];
    packets = aligned_alloc(4096, (size_t)RING * STRIDE);
    if (!packets) fail("out of memory", NULL);
    memset(packets, 0, (size_t)RING * STRIDE);
    if (o.threads) become_threaded();
    bench_pin(0);
    for (size_t i = 0; i < N_SHAPES; i++)
        if (is_wanted(&shapes[i], &o)) measure(&shapes[i], &o, &results[i]);
    free(packets);
    return report_all(&o, results, json);
}
