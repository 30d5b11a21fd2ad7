/* How fast is tern's protobuf codec? HyperProtoBench's messages and messages of numbers only, decoded and encoded by
 * tern, protobuf C++, protobuf-c and upb.
 *
 * For each message the contestants take turns within each round, so that a change of the machine hits all alike; a
 * contestant's number is the median over the rounds of its processor time, and a row the geometric mean over the
 * messages of a file. Where a library has several ways, the fastest counts, message by message. Everything is
 * warm: one message again and again. Before anything is timed, all contestants have agreed on the encoded length.
 *
 * glibc's memcpy has a slow case (rep movsb onto a place just above the source's in its page) that hits whoever is
 * unlucky with addresses, so the program starts itself again with that way of copying switched off, for all. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../common.h"
#include "code_size.h"
#include "samples.h"
#include "subject.h"

#define TUNABLE "glibc.cpu.x86_rep_movsb_threshold=1000000000"

enum { MAX_ROUNDS = 101, ROOM = 4096 }; /* ROOM: spare bytes of an output buffer */

/* Contestants. The libraries first, then their ways; see best(). */
enum who { TERN_ALIAS, TERN_COPY, TERN_EXACT, TERN_SG, CPP_REUSE, CPP_ARENA, PROTOBUF_C, UPB, N_WHO };

static const subject *const subjects[N_WHO] = {
    [TERN_ALIAS] = &subject_tern_alias,
    [TERN_COPY] = &subject_tern_copy,
    [TERN_EXACT] = &subject_tern_exact,
    [TERN_SG] = &subject_tern_sg,
#ifdef BENCH_HAVE_PROTOBUF
    [CPP_REUSE] = &subject_cpp_reuse,
    [CPP_ARENA] = &subject_cpp_arena,
#endif
#ifdef BENCH_HAVE_PROTOBUF_C
    [PROTOBUF_C] = &subject_protobuf_c,
#endif
#ifdef BENCH_HAVE_UPB
    [UPB] = &subject_upb,
#endif
};

typedef struct options {
    uint64_t rounds, slice_ns;
    const char *only;
} options;

/* What was measured of one message; 0 where nothing was. */
typedef struct result {
    double decode_ns[N_WHO], encode_ns[N_WHO], memory[N_WHO];
} result;

static void fail(const char *what, const char *type, const char *who) {
    fprintf(stderr, "protobuf: %s: %s: %s\n", type, who, what);
    exit(1);
}

/* ---- One message */

typedef struct contest {
    const sample *message;
    const options *opt;
    void *handles[N_WHO];
    uint8_t *out;
    size_t cap;
} contest;

typedef size_t step_fn(contest *c, int who);

static size_t decode_step(contest *c, int who) {
    return subjects[who]->decode(c->handles[who], c->message->data, c->message->len);
}

static size_t encode_step(contest *c, int who) { return subjects[who]->encode(c->handles[who], c->out, c->cap); }

/* Processor time per step, so that other programs on the machine count less. */
static double slice_ns(contest *c, int who, step_fn *step, uint64_t n) {
    uint64_t begin = bench_cpu_ns();
    for (uint64_t i = 0; i < n; i++)
        if (step(c, who) == 0) fail("failed while it was timed", c->message->type, subjects[who]->name);
    return (double)(bench_cpu_ns() - begin) / (double)n;
}

/* How many steps fill a slice: the faster of a few tries, after the first has warmed up. */
static uint64_t calibrate(contest *c, int who, step_fn *step) {
    slice_ns(c, who, step, 1);
    double few = slice_ns(c, who, step, 4);
    double n = (double)c->opt->slice_ns / (few < 20 ? 20 : few);
    return n < 1 ? 1 : (uint64_t)n;
}

static void measure(contest *c, step_fn *step, const bool *takes_part, double *median_ns) {
    static double ns[N_WHO][MAX_ROUNDS];
    uint64_t n[N_WHO];
    for (int who = 0; who < N_WHO; who++)
        if (takes_part[who]) n[who] = calibrate(c, who, step);
    for (size_t round = 0; round < c->opt->rounds; round++)
        for (int who = 0; who < N_WHO; who++)
            if (takes_part[who]) ns[who][round] = slice_ns(c, who, step, n[who]);
    for (int who = 0; who < N_WHO; who++)
        if (takes_part[who]) median_ns[who] = bench_median(ns[who], c->opt->rounds);
}

static void prepare(contest *c, bool *takes_part, result *res) {
    for (int who = 0; who < N_WHO; who++) {
        c->handles[who] = subjects[who] ? subjects[who]->open(c->message->type) : NULL;
        takes_part[who] = c->handles[who] != NULL;
        if (!takes_part[who]) continue;
        if (!decode_step(c, who)) fail("does not decode", c->message->type, subjects[who]->name);
        if (encode_step(c, who) != c->message->len) fail("encodes otherwise", c->message->type, subjects[who]->name);
        if (subjects[who]->memory) res->memory[who] = (double)subjects[who]->memory(c->handles[who]);
    }
}

static result run(const sample *message, const options *opt) {
    bool takes_part[N_WHO];
    result res = {0};
    contest c = {.message = message, .opt = opt, .cap = message->len + ROOM};
    c.out = malloc(c.cap);
    if (!c.out) fail("no memory", message->type, "bench");
    prepare(&c, takes_part, &res);
    bool encoders[N_WHO];
    memcpy(encoders, takes_part, sizeof encoders);
    takes_part[TERN_EXACT] = takes_part[TERN_SG] = false; /* decode as TERN_ALIAS does */
    encoders[TERN_COPY] = false;                          /* encodes as TERN_ALIAS does */
    measure(&c, decode_step, takes_part, res.decode_ns);
    measure(&c, encode_step, encoders, res.encode_ns);
    for (int who = 0; who < N_WHO; who++)
        if (c.handles[who]) subjects[who]->close(c.handles[who]);
    free(c.out);
    return res;
}

/* ---- Rows */

typedef struct table {
    bench_report *report;
    const samples *all;
    const result *results; /* one for each sample */
    const bool *done;      /* whether it was run */
} table;

/* Of two ways of one library, the faster one; 0 when it was not measured at all. */
static double best(const double *v, int a, int b) {
    if (v[a] == 0 || v[b] == 0) return v[a] + v[b];
    return v[a] < v[b] ? v[a] : v[b];
}

typedef double value_fn(const result *res);

static double decode_alias(const result *res) { return res->decode_ns[TERN_ALIAS]; }
static double decode_copy(const result *res) { return res->decode_ns[TERN_COPY]; }
static double encode(const result *res) { return best(res->encode_ns, TERN_ALIAS, TERN_EXACT); }
static double encode_roomy(const result *res) { return res->encode_ns[TERN_ALIAS]; }
static double encode_sg(const result *res) { return res->encode_ns[TERN_SG]; }
static double cpp_decode(const result *res) { return best(res->decode_ns, CPP_REUSE, CPP_ARENA); }
static double cpp_encode(const result *res) { return best(res->encode_ns, CPP_REUSE, CPP_ARENA); }
static double c_decode(const result *res) { return res->decode_ns[PROTOBUF_C]; }
static double c_encode(const result *res) { return res->encode_ns[PROTOBUF_C]; }
static double upb_decode(const result *res) { return res->decode_ns[UPB]; }
static double upb_encode(const result *res) { return res->encode_ns[UPB]; }
static double memory_alias(const result *res) { return res->memory[TERN_ALIAS]; }
static double memory_copy(const result *res) { return res->memory[TERN_COPY]; }
static double cpp_memory(const result *res) { return res->memory[CPP_REUSE]; }
static double c_memory(const result *res) { return res->memory[PROTOBUF_C]; }

/* The geometric mean over the samples whose type starts with prefix, Packed excepted: it is a row of its own. */
static double mean(const table *t, const char *prefix, value_fn *value) {
    double sum = 0, n = 0;
    for (size_t i = 0; i < t->all->n; i++) {
        const char *type = t->all->list[i].type;
        bool whole = strcmp(type, prefix) == 0;
        if (!t->done[i] || strncmp(type, prefix, strlen(prefix)) != 0) continue;
        if (!whole && strcmp(type, "ints.Packed") == 0) continue;
        if (!whole && strchr(prefix, '.') && type[strlen(prefix)] != 0) continue;
        double v = value(&t->results[i]);
        if (v <= 0) return 0;
        sum += log(v);
        n++;
    }
    return n > 0 ? exp(sum / n) : 0;
}

static void row(const table *t, const char *prefix, const char *name, const char *unit, value_fn *ours,
                value_fn *theirs, const char *their_name) {
    double value = mean(t, prefix, ours), vs = theirs ? mean(t, prefix, theirs) : 0;
    if (value == 0 || (theirs && vs == 0)) return;
    char full[128];
    snprintf(full, sizeof full, "%s_%s", prefix, name);
    for (char *p = full; *p; p++)
        if (*p == '.') *p = '_';
    bench_report_row(t->report, full, value, unit, vs, their_name);
}

static void speed_rows(const table *t, const char *prefix, bool strings) {
    const char *cpp = "protobuf C++ 3.21", *c = "protobuf-c", *upb = "upb";
    if (strings) {
        row(t, prefix, "decode_alias", "ns", decode_alias, cpp_decode, cpp);
        row(t, prefix, "decode_copy", "ns", decode_copy, cpp_decode, cpp);
        row(t, prefix, "encode", "ns", encode, cpp_encode, cpp);
        row(t, prefix, "encode_unsized", "ns", encode_roomy, cpp_encode, cpp);
        row(t, prefix, "encode_sg", "ns", encode_sg, cpp_encode, cpp);
        row(t, prefix, "decode_alias_vs_upb", "ns", decode_alias, upb_decode, upb);
        row(t, prefix, "decode_copy_vs_protobuf_c", "ns", decode_copy, c_decode, c);
    } else {
        row(t, prefix, "decode", "ns", decode_alias, cpp_decode, cpp);
        row(t, prefix, "encode", "ns", encode, cpp_encode, cpp);
        row(t, prefix, "decode_vs_upb", "ns", decode_alias, upb_decode, upb);
        row(t, prefix, "decode_vs_protobuf_c", "ns", decode_alias, c_decode, c);
    }
    row(t, prefix, "encode_vs_upb", "ns", encode, upb_encode, upb);
    row(t, prefix, "encode_vs_protobuf_c", "ns", encode, c_encode, c);
}

static void memory_rows(const table *t, const char *prefix) {
    row(t, prefix, "memory_copy", "B", memory_copy, cpp_memory, "protobuf C++ 3.21");
    row(t, prefix, "memory_copy_vs_protobuf_c", "B", memory_copy, c_memory, "protobuf-c");
    row(t, prefix, "memory_alias", "B", memory_alias, cpp_memory, "protobuf C++ 3.21");
}

/* The libraries of the generated code lie beside the program, as Meson lays them out. */
static void code_rows(const table *t, const char *prefix) {
    static const char *const places[][3] = {
        {"types.a.p/meson-generated_", "tern.c.o", NULL},
        {"protobuf.a.p/meson-generated_.._", "pb.cc.o", "protobuf C++ 3.21"},
        {"protobuf_c.a.p/meson-generated_.._", "pb-c.c.o", "protobuf-c"},
    };
    double ours = 0;
    for (size_t i = 0; i < 3; i++) {
        char path[256], name[64];
        snprintf(path, sizeof path, "hyper/libhyper_%s%s.%s", places[i][0], prefix, places[i][1]);
        double bytes = (double)code_size(path);
        if (i == 0) ours = bytes;
        snprintf(name, sizeof name, "%s_code%s", prefix, i == 2 ? "_vs_protobuf_c" : "");
        if (i > 0 && ours > 0 && bytes > 0) bench_report_row(t->report, name, ours, "B", bytes, places[i][2]);
    }
}

static void all_rows(const table *t, bool each) {
    static const char *const files[] = {"bench0", "bench1", "bench2"};
    static const char *const ints[] = {"ints.Flat", "ints.FlatDeep", "ints.Mixed", "ints.MixedDeep", "ints.Packed"};
    for (size_t i = 0; i < 3; i++) speed_rows(t, files[i], true);
    speed_rows(t, "ints", false);
    for (size_t i = 0; i < 5; i++) {
        row(t, ints[i], "decode", "ns", decode_alias, cpp_decode, "protobuf C++ 3.21");
        row(t, ints[i], "encode", "ns", encode, cpp_encode, "protobuf C++ 3.21");
    }
    for (size_t i = 0; i < 3; i++) memory_rows(t, files[i]);
    memory_rows(t, "ints");
    for (size_t i = 0; i < 3; i++) code_rows(t, files[i]);
    for (size_t i = 0; each && i < t->all->n; i++)
        if (strncmp(t->all->list[i].type, "ints", 4) != 0) speed_rows(t, t->all->list[i].type, true);
}

/* ---- The program */

/* Tunables are read when a program starts. */
static void switch_rep_movsb_off(char **argv) {
    const char *now = getenv("GLIBC_TUNABLES");
    if (now && strstr(now, "x86_rep_movsb_threshold")) return;
    char joined[4096];
    snprintf(joined, sizeof joined, "%s%s" TUNABLE, now ? now : "", now && *now ? ":" : "");
    if (setenv("GLIBC_TUNABLES", joined, 1) == 0) execv("/proc/self/exe", argv);
}

int main(int argc, char **argv) {
    switch_rep_movsb_off(argv);
    bench_args args = bench_args_begin(argc, argv, "tern's protobuf codec against other libraries");
    options opt = {.rounds = bench_arg_u64(&args, "--rounds", 9, "rounds; a number is the median")};
    opt.slice_ns = 1000 * bench_arg_u64(&args, "--slice-us", 1500, "time per contestant and round");
    opt.only = bench_arg_str(&args, "--only", "", "only types that begin so, as \"bench1\" or \"ints.Flat\"");
    const char *shapes = bench_arg_str(&args, "--shapes", BENCH_SHAPES, "the messages' shapes");
    bool each = bench_arg_flag(&args, "--each", "rows for each message, too");
    bool json = bench_arg_flag(&args, "--json", "print the report as the last line, as JSON");
    if (bench_args_end(&args)) return 2;
    if (opt.rounds == 0 || opt.rounds > MAX_ROUNDS) opt.rounds = MAX_ROUNDS;

    samples all;
    if (!samples_load(&all, shapes)) {
        fprintf(stderr, "protobuf: %s: not the shapes of messages\n", shapes);
        return 1;
    }
    result *results = calloc(all.n, sizeof *results);
    bool *done = calloc(all.n, sizeof *done);
    if (!results || !done) return 1;
    for (size_t i = 0; i < all.n; i++) {
        done[i] = strncmp(all.list[i].type, opt.only, strlen(opt.only)) == 0;
        if (done[i]) results[i] = run(&all.list[i], &opt);
    }
    table t = {bench_report_new("protobuf"), &all, results, done};
    all_rows(&t, each);
    bench_report_note(t.report, "compiled with " BENCH_COMPILER "; geometric means over a file's messages; warm");
    bool written = bench_report_print(t.report, json);
    free(results);
    free(done);
    samples_free(&all);
    return written ? 0 : 1;
}
