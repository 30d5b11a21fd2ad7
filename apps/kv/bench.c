/* kv bench: options, preload, then one run for each rate. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client.h"
#include "commands.h"
#include "report.h"

enum { MAX_RATES = 64 };

typedef struct bench_options {
    const char *workload, *trace, *sweep, *data;
    uint64_t keys, value_bytes, values, batch, sessions, seed, max_ops, target_us;
    double rate, seconds, timeout, zipf, puts, speed;
    bool json, no_preload, no_header;
    /* What the above come to. */
    workload_config config;
    double rates[MAX_RATES];
    unsigned n_rates;
    bool find_rates; /* --sweep auto */
} bench_options;

static const char about[] =
    "Sends requests at a given rate (Poisson arrivals, open loop) and reports throughput and latency,\n"
    "counted from when each request was due. Workloads:\n"
    "  ycsb-c   reads of --keys keys of 30-31 B, Zipf-distributed, --value-bytes in --values segments\n"
    "  google   reads of --keys keys of 64 B, uniform, 1 to --values segments with Google's field sizes\n"
    "  --trace  what a file of lines time,key,ksize,vsize,client,op,ttl says, --speed times as fast";

/* Options into *o. Returns CLI_GO_ON or an exit code. */
static int parse_options(bench_options *o, int *argc, char **argv) {
    const cli_option options[] = {
        {"--workload", CLI_TEXT, &o->workload, "ycsb-c (default) or google"},
        {"--trace", CLI_TEXT, &o->trace, "replay this file instead"},
        {"--rate", CLI_REAL, &o->rate, "requests per second (default 10k; a trace has its own)"},
        {"--sweep", CLI_TEXT, &o->sweep, "several rates: 10k,20k,... or auto, by what the server can do"},
        {"--seconds", CLI_REAL, &o->seconds, "length of each run (default 2; a trace's own)"},
        {"--keys", CLI_COUNT, &o->keys, "number of keys (default 1M)"},
        {"--value-bytes", CLI_BYTES, &o->value_bytes, "ycsb-c: size of a value (default 1024)"},
        {"--values", CLI_COUNT, &o->values, "segments of a value, at most 64 (default 1)"},
        {"--batch", CLI_COUNT, &o->batch, "keys of a request, at most 64 (default 1)"},
        {"--puts", CLI_REAL, &o->puts, "share of requests that write, 0 to 1 (default 0)"},
        {"--zipf", CLI_REAL, &o->zipf, "ycsb-c: exponent (default 0.99)"},
        {"--speed", CLI_REAL, &o->speed, "trace: seconds of it in one (default 1)"},
        {"--max-ops", CLI_COUNT, &o->max_ops, "trace: use its first N operations (default 5M)"},
        {"--sessions", CLI_COUNT, &o->sessions, "sessions to the server, at most 64 (default 8)"},
        {"--timeout", CLI_REAL, &o->timeout, "deadline of each call, seconds (default 5)"},
        {"--queue-target", CLI_COUNT, &o->target_us, "microseconds that calls may wait here (default 0: any time)"},
        {"--seed", CLI_COUNT, &o->seed, "the same seed, the same requests (default 1)"},
        {"--no-preload", CLI_FLAG, &o->no_preload, "the values are there already"},
        {"--json", CLI_FLAG, &o->json, "one JSON object per line and run"},
        {"--no-header", CLI_FLAG, &o->no_header, "rows only"},
        {"--data", CLI_TEXT, &o->data, "write columns for a plot to this file"},
    };
    const cli_command command = {"bench", "ADDRESS", about, 1, 1, options, sizeof options / sizeof *options};
    return cli_parse(&command, argc, argv);
}

static int parse_sweep(bench_options *o) {
    if (strcmp(o->sweep, "auto") == 0) {
        o->find_rates = true;
        return CLI_GO_ON;
    }
    char *list = strdup(o->sweep), *rest = list, *text;
    int code = list ? CLI_GO_ON : CLI_LOCAL;
    while (code == CLI_GO_ON && (text = strsep(&rest, ",")) != NULL) {
        if (o->n_rates == MAX_RATES)
            code = cli_usage_error("--sweep: at most %d rates", MAX_RATES);
        else if (!cli_parse_real(text, &o->rates[o->n_rates++]))
            code = cli_usage_error("--sweep: not a rate: %s", text);
    }
    free(list);
    return code;
}

/* Whether the options make sense together; fills in what they come to. */
static int check_options(bench_options *o) {
    o->config = (workload_config){
        .seed = o->seed,
        .n_keys = o->keys,
        .value_bytes = o->value_bytes,
        .n_values = o->values,
        .batch = o->batch,
        .zipf = o->zipf,
        .put_share = o->puts,
        .speed = o->speed,
    };
    if (o->trace)
        o->config.kind = WORKLOAD_TRACE, o->workload = "trace", o->config.n_keys = 0;
    else if (strcmp(o->workload, "ycsb-c") == 0)
        o->config.kind = WORKLOAD_YCSB_C;
    else if (strcmp(o->workload, "google") == 0)
        o->config.kind = WORKLOAD_GOOGLE;
    else
        return cli_usage_error("--workload: ycsb-c or google, not %s", o->workload);
    if (o->sessions == 0 || o->sessions > GENERATOR_MAX_SESSIONS)
        return cli_usage_error("--sessions: must be 1 to %d", GENERATOR_MAX_SESSIONS);
    if (o->timeout < 0.001 || o->timeout > 3600) return cli_usage_error("--timeout: must be 0.001 to 3600");
    if (o->target_us > 1000000000) return cli_usage_error("--queue-target: at most 1000 s");
    if (o->seconds > 86400) return cli_usage_error("--seconds: at most 86400");
    int code = o->sweep ? parse_sweep(o) : CLI_GO_ON;
    if (code != CLI_GO_ON) return code;
    if (!o->sweep) o->rates[o->n_rates++] = o->trace ? o->rate : o->rate > 0 ? o->rate : 10000;
    for (unsigned i = 0; i < o->n_rates; i++)
        if ((o->rates[i] < 0.1 && !o->trace) || o->rates[i] > 1e9)
            return cli_usage_error("a rate must be 0.1 to 1G requests per second");
    return CLI_GO_ON;
}

/* Rates from a light load up to past what the server can do. */
static int find_rates(bench_options *o, generator *g) {
    static const double shares[] = {0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 1.0, 1.1};
    double capacity = 0;
    /* The best of three: what disturbs a machine only ever makes it slower. */
    for (int i = 0; i < 3; i++) {
        double got;
        int code = generator_capacity(g, 16 * (unsigned)o->sessions, 0.3, &got);
        if (code) return code;
        if (got > capacity) capacity = got;
    }
    if (capacity <= 0) {
        cli_complain("the server answered nothing");
        return CLI_SERVER;
    }
    for (; o->n_rates < sizeof shares / sizeof *shares; o->n_rates++)
        o->rates[o->n_rates] = capacity * shares[o->n_rates];
    return 0;
}

/* How long a run lasts at this rate: a trace ends by itself. */
static double run_seconds(const bench_options *o, double rate) {
    if (!o->trace) return o->seconds > 0 ? o->seconds : 2;
    const trace *t = o->config.trace;
    double length = rate > 0 ? (double)t->n_ops / rate : (double)t->ops[t->n_ops - 1].at_ns / 1e9 / o->speed + 0.001;
    return o->seconds > 0 && o->seconds < length ? o->seconds : length;
}

static int run_rates(bench_options *o, generator *g, report *r) {
    static generator_result result;
    int code = o->find_rates ? find_rates(o, g) : 0;
    uint64_t n_ok = 0;
    for (unsigned i = 0; i < o->n_rates && !code; i++) {
        code = generator_run(g, o->rates[i], run_seconds(o, o->rates[i]), &result);
        if (!code) report_row(r, &result);
        n_ok += result.n_ok;
    }
    if (!code && n_ok == 0) {
        cli_complain("no request succeeded");
        code = CLI_SERVER;
    }
    return code;
}

static int run(bench_options *o, const char *address) {
    workload w;
    const char *why;
    int err = workload_init(&w, &o->config, &why);
    if (err == TERN_ERR_INVALID) return cli_usage_error("%s", why);
    if (err) {
        cli_complain("%s", tern_strerror(err));
        return CLI_LOCAL;
    }
    char port[8];
    snprintf(port, sizeof port, "%.*s", (int)strcspn(address, ":"), address);
    report r = {.port = port, .workload = o->workload, .json = o->json, .header = !o->no_header};
    generator *g = NULL;
    int code = CLI_OK;
    if (o->data && !(r.data = fopen(o->data, "w"))) {
        cli_complain("%s: %s", o->data, cli_errno_text(errno));
        code = CLI_LOCAL;
    }
    client_queue_target = (tern_dur)o->target_us * TERN_US;
    if (!code) code = generator_new(address, (unsigned)o->sessions, (tern_dur)(o->timeout * 1e9), &w, &g);
    if (!code && !o->no_preload) code = generator_preload(g);
    if (!code && r.data) fputs("# offered/s achieved/s p50_us p99_us p99.9_us max_us\n", r.data);
    if (!code) code = run_rates(o, g, &r);
    generator_free(g);
    if (r.data && fclose(r.data) != 0 && !code) {
        cli_complain("%s: %s", o->data, cli_errno_text(errno));
        code = CLI_LOCAL;
    }
    workload_fini(&w);
    return code;
}

static int load_trace(const bench_options *o, trace *t) {
    *t = (trace){0};
    FILE *in = fopen(o->trace, "r");
    if (!in) {
        cli_complain("%s: %s", o->trace, cli_errno_text(errno));
        return CLI_LOCAL;
    }
    int err = trace_load(t, in, o->max_ops);
    if (err == TERN_ERR_LIMIT)
        cli_complain("%s: this is no trace: a line has more than %d bytes, or %d lines in a row hold no operation",
                     o->trace, TRACE_MAX_SKIP_BYTES, TRACE_MAX_SKIP_LINES);
    else if (err)
        cli_complain("%s: %s", o->trace, err == TERN_ERR_IO ? cli_errno_text(errno) : tern_strerror(err));
    fclose(in);
    if (err) return CLI_LOCAL;
    fprintf(stderr, "%s: %s: %zu operations%s", cli_name(), o->trace, t->n_ops, t->cut ? " (cut at --max-ops)" : "");
    fprintf(stderr, ", %" PRIu64 " malformed lines and %" PRIu64 " unknown operations skipped\n", t->n_malformed,
            t->n_unsupported);
    return 0;
}

int bench_main(int argc, char **argv) {
    bench_options o = {.workload = "ycsb-c",
                       .keys = 1000000,
                       .value_bytes = 1024,
                       .values = 1,
                       .batch = 1,
                       .sessions = 8,
                       .seed = 1,
                       .max_ops = 5000000,
                       .timeout = 5,
                       .zipf = 0.99,
                       .speed = 1};
    trace t = {0};
    int code = parse_options(&o, &argc, argv);
    if (code == CLI_GO_ON) code = check_options(&o);
    if (code != CLI_GO_ON) return code;
    code = o.trace ? load_trace(&o, &t) : 0;
    o.config.trace = &t;
    if (!code) code = run(&o, argv[1]);
    trace_fini(&t);
    return code;
}
