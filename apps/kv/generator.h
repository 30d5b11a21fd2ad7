/* The load generator: requests leave when the arrival process says so, whether or not earlier ones have been
 * answered (an open loop), and latency counts from the moment a request should have left. What could not be
 * sent by the end counts with the time it had waited by then, so that an overloaded server cannot look fast. Nothing is
 * retried. */
#ifndef KV_GENERATOR_H
#define KV_GENERATOR_H

#include "histogram.h"
#include "tern/rpc.h"
#include "workload.h"

enum { GENERATOR_MAX_SESSIONS = 64, GENERATOR_RECORDS = 1 << 16 };

typedef struct generator generator;

/* One run at one rate; counts are of requests due after the first tenth of the time, unless said otherwise. */
typedef struct generator_result {
    double seconds;             /* of the measured part */
    double offered, achieved;   /* requests due, and answered with OK, per second */
    uint64_t n_ok, n_errors;    /* by when they were due */
    uint64_t n_late;            /* due, but not sent by the end */
    uint64_t n_missing;         /* keys that the server did not have */
    int first_error;            /* a tern_status, when n_errors > 0 */
    histogram latency;          /* ns */
    tern_endpoint_stats client; /* over the whole run: what was added to the counters */
    tern_endpoint_stats server; /* tx_messages, copied_bytes, inplace_*, retransmits alone */
} generator_result;

/* timeout: of each call, positive. The workload is borrowed. Returns 0, or an exit code after a complaint. */
int generator_new(const char *address, unsigned n_sessions, tern_dur timeout, workload *w, generator **out);
void generator_free(generator *g);

/* Put the workload's initial values, many at once. Returns 0 or an exit code after a complaint. */
int generator_preload(generator *g);

/* Requests per second with `window` of them always in flight: what the server can do. */
int generator_capacity(generator *g, unsigned window, double seconds, double *per_second);

/* A run of so many seconds; rate in requests per second, 0: when the trace says. */
int generator_run(generator *g, double rate, double seconds, generator_result *result);

#endif
