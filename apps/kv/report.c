/* One row per run. Times are microseconds: what people compare is that small. */
#include "report.h"

#include <inttypes.h>

static double percentile_us(const generator_result *result, double percent) {
    return (double)histogram_percentile(&result->latency, percent) / 1e3;
}

static double per(uint64_t sum, uint64_t n) { return n ? (double)sum / (double)n : 0; }

static void print_json(const report *r, const generator_result *res) {
    printf("{\"port\":\"%s\",\"workload\":\"%s\",\"seconds\":%.3f,\"offered_per_s\":%.1f,\"achieved_per_s\":%.1f,",
           r->port, r->workload, res->seconds, res->offered, res->achieved);
    printf("\"p50_us\":%.3f,\"p99_us\":%.3f,\"p999_us\":%.3f,\"max_us\":%.3f,\"mean_us\":%.3f,", percentile_us(res, 50),
           percentile_us(res, 99), percentile_us(res, 99.9), (double)res->latency.max / 1e3,
           res->latency.n ? res->latency.sum / (double)res->latency.n / 1e3 : 0);
    printf("\"ok\":%" PRIu64 ",\"errors\":%" PRIu64 ",\"unsent\":%" PRIu64 ",\"missing_keys\":%" PRIu64 ",", res->n_ok,
           res->n_errors, res->n_late, res->n_missing);
    const tern_endpoint_stats *sides[] = {&res->client, &res->server};
    for (int i = 0; i < 2; i++) {
        const tern_endpoint_stats *s = sides[i];
        printf("\"%s\":{\"messages\":%" PRIu64 ",\"copied_bytes\":%" PRIu64 ",\"inplace_values\":%" PRIu64
               ",\"inplace_bytes\":%" PRIu64 ",\"retransmits\":%" PRIu64 "}%s",
               i ? "server" : "client", s->tx_messages, s->copied_bytes, s->inplace_values, s->inplace_bytes,
               s->retransmits, i ? "}\n" : ",");
    }
}

static void print_head(void) {
    static const char format[] = "%-4s %-8s %10s %10s %9s %9s %9s %9s %7s %7s %8s %14s %11s\n";
    printf("Latency runs from when a request was due to when it was answered; the first tenth of each run is dropped.\n"
           "copied, in place: value bytes copied into a message, and values sent from where they lie, for each\n"
           "request (by the client) and each reply (by the server).\n\n");
    printf(format, "", "", "offered", "achieved", "p50", "p99", "p99.9", "max", "errors", "unsent", "resent",
           "copied B", "in place");
    printf(format, "port", "workload", "calls/s", "calls/s", "us", "us", "us", "us", "calls", "calls", "packets",
           "request/reply", "req./reply");
}

static void print_row(const report *r, const generator_result *res) {
    const tern_endpoint_stats *c = &res->client, *s = &res->server;
    char copied[32], inplace[32];
    snprintf(copied, sizeof copied, "%.1f/%.1f", per(c->copied_bytes, c->tx_messages),
             per(s->copied_bytes, s->tx_messages));
    snprintf(inplace, sizeof inplace, "%.2f/%.2f", per(c->inplace_values, c->tx_messages),
             per(s->inplace_values, s->tx_messages));
    printf("%-4s %-8s %10.0f %10.0f %9.1f %9.1f %9.1f %9.1f %7" PRIu64 " %7" PRIu64 " %8" PRIu64 " %14s %11s\n",
           r->port, r->workload, res->offered, res->achieved, percentile_us(res, 50), percentile_us(res, 99),
           percentile_us(res, 99.9), (double)res->latency.max / 1e3, res->n_errors, res->n_late,
           c->retransmits + s->retransmits, copied, inplace);
    if (res->n_errors) printf("     first error: %s\n", tern_status_name(res->first_error));
}

void report_row(report *r, const generator_result *res) {
    if (r->json) {
        print_json(r, res);
    } else {
        if (r->header) print_head();
        r->header = false;
        print_row(r, res);
    }
    fflush(stdout);
    if (!r->data) return;
    fprintf(r->data, "%.1f %.1f %.3f %.3f %.3f %.3f\n", res->offered, res->achieved, percentile_us(res, 50),
            percentile_us(res, 99), percentile_us(res, 99.9), (double)res->latency.max / 1e3);
    fflush(r->data);
}
