/* What every bench program shares: arguments, clock, medians, and one report that people read as a table
 * and programs as one line of JSON.
 *
 *   int main(int argc, char **argv) {
 *       bench_args args = bench_args_begin(argc, argv, "what this program answers");
 *       uint64_t n = bench_arg_u64(&args, "--sessions", 8, "sessions to the server");
 *       bool json = bench_arg_flag(&args, "--json", "print the report as the last line, as JSON");
 *       if (bench_args_end(&args)) return 2;
 *       bench_report *report = bench_report_new("rpc_rate");
 *       bench_report_row(report, "shm_32B", rate, "calls/s", floor_rate, "raw ring");
 *       return bench_report_print(report, json) ? 0 : 1;
 *   }
 *
 * A number from this machine means little by itself: each row carries what it is measured against, taken in
 * the same run, alternating with it. */
#ifndef TERN_BENCH_COMMON_H
#define TERN_BENCH_COMMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Arguments: ask for each, then end. "--name value", "--name=value" and "--flag". */

typedef struct bench_args {
    int argc;
    char **argv;
    const char *about;
    uint64_t used; /* bit i: argv[i] was asked for */
    bool help;     /* --help was given: the questions are printed as they are asked */
    bool bad;
} bench_args;

bench_args bench_args_begin(int argc, char **argv, const char *about);
uint64_t bench_arg_u64(bench_args *args, const char *name, uint64_t otherwise, const char *help);
double bench_arg_double(bench_args *args, const char *name, double otherwise, const char *help);
const char *bench_arg_str(bench_args *args, const char *name, const char *otherwise, const char *help);
bool bench_arg_flag(bench_args *args, const char *name, const char *help);

/* Complains about what nobody asked for. True: the program should exit. */
bool bench_args_end(bench_args *args);

/* ---- Time and statistics */

uint64_t bench_now_ns(void); /* CLOCK_MONOTONIC */
uint64_t bench_cpu_ns(void); /* processor time of the calling thread; a system call */

/* Both sort v. The median of an even number of values is the mean of the middle two; the percentile
 * (0..100) is the smallest value with at least that share of the values at or below it. 0 when n is 0. */
double bench_median(double *v, size_t n);
double bench_percentile(double *v, size_t n, double percent);

/* Bind the calling thread to one processor. False when that cannot be done. */
bool bench_pin(unsigned cpu);

/* xorshift64*: the same numbers for the same seed; *state must not be 0. */
static inline uint64_t bench_random(uint64_t *state) {
    uint64_t x = *state;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    *state = x;
    return x * 0x2545F4914F6CDD1Du;
}

/* ---- The machine
 *
 * Two virtual processors may be two threads of one core or two cores, and that may change between runs
 * without a word from the machine. Two threads pass a word back and forth through one cache line for
 * 10 ms: siblings meet in their common L1 (a round trip of 55 to 85 ns where this was written), cores by way of L3 and
 * the coherence protocol (250 to 340 ns). 140 ns, the geometric middle, divides them. */
typedef struct bench_machine {
    const char *mode;     /* "smt", "cores", or "single" with one processor */
    double round_trip_ns; /* 0 with one processor */
} bench_machine;

bench_machine bench_machine_probe(void);

/* ---- Reports */

typedef struct bench_report bench_report;

/* Probes the machine too. NULL when memory is out. */
bench_report *bench_report_new(const char *bench);

/* A row. vs is what value is measured against (0: nothing; vs_name is then NULL) in the same unit; the
 * report adds value / vs. Strings are copied. */
void bench_report_row(bench_report *report, const char *name, double value, const char *unit, double vs,
                      const char *vs_name);

/* A remark for people, printf style; not in the JSON. */
__attribute__((format(printf, 2, 3))) void bench_report_note(bench_report *report, const char *format, ...);

/* Prints the table and, with json, the JSON as last line; frees the report. False, with a word on stderr, when that
 * could not be written. */
bool bench_report_print(bench_report *report, bool json);

#ifdef __cplusplus
}
#endif
#endif
