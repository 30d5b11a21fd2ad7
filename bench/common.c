/* See common.h. Reports keep their rows in arrays that grow; a bench program that runs out of memory for
 * its own report ends. */
#include "common.h"

#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- Arguments */

bench_args bench_args_begin(int argc, char **argv, const char *about) {
    bench_args args = {.argc = argc, .argv = argv, .about = about};
    if (argc > 64) args.bad = true;
    args.help = bench_arg_flag(&args, "--help", NULL);
    if (args.help) printf("%s: %s\n", argv[0], about);
    return args;
}

static void mark(bench_args *args, int i) {
    if (i < 64) args->used |= (uint64_t)1 << i;
}

/* The value of an option that takes one; NULL when it is not there. */
static const char *find(bench_args *args, const char *name) {
    size_t n = strlen(name);
    const char *found = NULL;
    for (int i = 1; i < args->argc; i++) {
        const char *arg = args->argv[i];
        if (strncmp(arg, name, n) != 0) continue;
        if (arg[n] == '=') {
            mark(args, i);
            found = arg + n + 1;
        } else if (arg[n] == 0 && i + 1 < args->argc) {
            mark(args, i);
            mark(args, i + 1);
            found = args->argv[i + 1];
        } else if (arg[n] == 0) {
            fprintf(stderr, "%s: %s needs a value\n", args->argv[0], name);
            mark(args, i);
            args->bad = true;
        }
    }
    return found;
}

static void bad_number(bench_args *args, const char *name, const char *text) {
    fprintf(stderr, "%s: %s: \"%s\" is not a number\n", args->argv[0], name, text);
    args->bad = true;
}

uint64_t bench_arg_u64(bench_args *args, const char *name, uint64_t otherwise, const char *help) {
    if (args->help) printf("  %-22s %s (%llu)\n", name, help, (unsigned long long)otherwise);
    const char *text = find(args, name);
    if (!text) return otherwise;
    char *end;
    unsigned long long value = strtoull(text, &end, 0);
    if (end == text || *end || *text == '-') bad_number(args, name, text);
    return value;
}

double bench_arg_double(bench_args *args, const char *name, double otherwise, const char *help) {
    if (args->help) printf("  %-22s %s (%g)\n", name, help, otherwise);
    const char *text = find(args, name);
    if (!text) return otherwise;
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end) bad_number(args, name, text);
    return value;
}

const char *bench_arg_str(bench_args *args, const char *name, const char *otherwise, const char *help) {
    if (args->help) printf("  %-22s %s (%s)\n", name, help, otherwise ? otherwise : "none");
    const char *text = find(args, name);
    return text ? text : otherwise;
}

bool bench_arg_flag(bench_args *args, const char *name, const char *help) {
    bool found = false;
    if (args->help && help) printf("  %-22s %s\n", name, help);
    for (int i = 1; i < args->argc; i++)
        if (strcmp(args->argv[i], name) == 0) {
            mark(args, i);
            found = true;
        }
    return found;
}

bool bench_args_end(bench_args *args) {
    for (int i = 1; i < args->argc && i < 64; i++)
        if (!(args->used >> i & 1)) {
            fprintf(stderr, "%s: what is \"%s\"? --help lists the options\n", args->argv[0], args->argv[i]);
            args->bad = true;
        }
    return args->bad || args->help;
}

/* ---- Time and statistics */

static uint64_t read_clock(clockid_t clock) {
    struct timespec ts;
    clock_gettime(clock, &ts);
    return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

uint64_t bench_now_ns(void) { return read_clock(CLOCK_MONOTONIC); }
uint64_t bench_cpu_ns(void) { return read_clock(CLOCK_THREAD_CPUTIME_ID); }

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(double *v, size_t n) {
    if (n == 0) return 0;
    qsort(v, n, sizeof *v, by_value);
    return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

double bench_percentile(double *v, size_t n, double percent) {
    if (n == 0) return 0;
    qsort(v, n, sizeof *v, by_value);
    double rank = percent / 100 * (double)n;
    size_t i = (size_t)rank;
    if ((double)i == rank && i > 0) i--;
    return v[i < n ? i : n - 1];
}

bool bench_pin(unsigned cpu) {
    cpu_set_t set;
    if (cpu >= CPU_SETSIZE) return false;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    return sched_setaffinity(0, sizeof set, &set) == 0;
}

/* ---- The machine */

enum { PING_BATCH = 16, PING_TRIES = 5 };

typedef struct ping {
    _Alignas(64) _Atomic uint64_t word; /* even: the prober's turn; odd: the echoer's */
    _Alignas(64) _Atomic bool stop;
} ping;

static void *ping_echo(void *arg) {
    ping *p = arg;
    bench_pin(1);
    while (!atomic_load_explicit(&p->stop, memory_order_relaxed)) {
        uint64_t word = atomic_load_explicit(&p->word, memory_order_acquire);
        if (word & 1) atomic_store_explicit(&p->word, word + 1, memory_order_release);
    }
    return NULL;
}

/* The fastest batch of 10 ms: a batch during which somebody else had one of the processors says nothing. */
static double ping_best(ping *p) {
    uint64_t begin = bench_now_ns(), now = begin, best = UINT64_MAX;
    while (now - begin < 10000000) {
        for (int i = 0; i < PING_BATCH; i++) {
            uint64_t want = atomic_load_explicit(&p->word, memory_order_relaxed) + 2;
            atomic_store_explicit(&p->word, want - 1, memory_order_release);
            while (atomic_load_explicit(&p->word, memory_order_acquire) != want) {
            }
        }
        uint64_t after = bench_now_ns();
        if (after - now < best) best = after - now;
        now = after;
    }
    return (double)best / PING_BATCH;
}

bench_machine bench_machine_probe(void) {
    bench_machine single = {"single", 0};
    if (sysconf(_SC_NPROCESSORS_ONLN) < 2) return single;
    cpu_set_t before;
    if (sched_getaffinity(0, sizeof before, &before) != 0 || !bench_pin(0)) return single;
    static ping p;
    atomic_store(&p.word, 0);
    atomic_store(&p.stop, false);
    pthread_t thread;
    bench_machine machine = single;
    if (pthread_create(&thread, NULL, ping_echo, &p) == 0) {
        /* Above 2 us the two took turns on one processor. */
        for (int i = 0; i < PING_TRIES && (i == 0 || machine.round_trip_ns > 2000); i++)
            machine.round_trip_ns = ping_best(&p);
        machine.mode = machine.round_trip_ns < 140 ? "smt" : "cores";
        atomic_store(&p.stop, true);
        pthread_join(thread, NULL);
    }
    sched_setaffinity(0, sizeof before, &before);
    return machine;
}

/* ---- Reports */

typedef struct row {
    char *name, *unit, *vs_name; /* vs_name may be NULL */
    double value, vs;
} row;

struct bench_report {
    char *bench;
    bench_machine machine;
    row *rows;
    char **notes;
    size_t n_rows, n_notes;
};

static void *need(void *ptr) {
    if (!ptr) {
        fputs("bench: out of memory\n", stderr);
        exit(1);
    }
    return ptr;
}

bench_report *bench_report_new(const char *bench) {
    bench_report *report = calloc(1, sizeof *report);
    if (!report) return NULL;
    report->bench = need(strdup(bench));
    report->machine = bench_machine_probe();
    return report;
}

void bench_report_row(bench_report *report, const char *name, double value, const char *unit, double vs,
                      const char *vs_name) {
    report->rows = need(realloc(report->rows, (report->n_rows + 1) * sizeof(row)));
    row *r = &report->rows[report->n_rows++];
    *r = (row){.name = need(strdup(name)), .unit = need(strdup(unit)), .value = value, .vs = vs};
    if (vs_name) r->vs_name = need(strdup(vs_name));
}

void bench_report_note(bench_report *report, const char *format, ...) {
    char *note;
    va_list args;
    va_start(args, format);
    int rc = vasprintf(&note, format, args);
    va_end(args);
    if (rc < 0) return;
    report->notes = need(realloc(report->notes, (report->n_notes + 1) * sizeof *report->notes));
    report->notes[report->n_notes++] = note;
}

static void print_text(const char *text) {
    putchar('"');
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            printf("\\%c", c);
        else if (c < 0x20)
            printf("\\u%04x", c);
        else
            putchar(c);
    }
    putchar('"');
}

static void print_json_row(const row *r) {
    printf("{\"name\":");
    print_text(r->name);
    printf(",\"value\":%.6g,\"unit\":", r->value);
    print_text(r->unit);
    if (r->vs_name) {
        printf(",\"vs\":%.6g,\"vs_name\":", r->vs);
        print_text(r->vs_name);
        printf(",\"ratio\":%.4g}", r->vs != 0 ? r->value / r->vs : 0);
    } else {
        printf(",\"vs\":null,\"vs_name\":null,\"ratio\":null}");
    }
}

static void print_json(const bench_report *report) {
    printf("{\"bench\":");
    print_text(report->bench);
    printf(",\"mode\":\"%s\",\"rows\":[", report->machine.mode);
    for (size_t i = 0; i < report->n_rows; i++) {
        if (i) putchar(',');
        print_json_row(&report->rows[i]);
    }
    printf("]}\n");
}

static void print_table(const bench_report *report) {
    int width = 4;
    for (size_t i = 0; i < report->n_rows; i++)
        if ((int)strlen(report->rows[i].name) > width) width = (int)strlen(report->rows[i].name);
    printf("%s   (processors: %s, %.0f ns round trip)\n", report->bench, report->machine.mode,
           report->machine.round_trip_ns);
    for (size_t i = 0; i < report->n_rows; i++) {
        const row *r = &report->rows[i];
        printf("  %-*s %14.1f %-8s", width, r->name, r->value, r->unit);
        if (r->vs_name) printf(" %8.2f x %-.1f (%s)", r->vs != 0 ? r->value / r->vs : 0, r->vs, r->vs_name);
        putchar('\n');
    }
    for (size_t i = 0; i < report->n_notes; i++) printf("  note: %s\n", report->notes[i]);
}

bool bench_report_print(bench_report *report, bool json) {
    print_table(report);
    if (json) print_json(report);
    bool written = fflush(stdout) == 0 && !ferror(stdout);
    if (!written) fprintf(stderr, "%s: the report cannot be written\n", report->bench);
    for (size_t i = 0; i < report->n_rows; i++) {
        free(report->rows[i].name);
        free(report->rows[i].unit);
        free(report->rows[i].vs_name);
    }
    for (size_t i = 0; i < report->n_notes; i++) free(report->notes[i]);
    free(report->rows);
    free(report->notes);
    free(report->bench);
    free(report);
    return written;
}
