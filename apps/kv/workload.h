/* What the load generator asks for: keys, values and verbs of three workloads. The same seed and options give
 * the same requests. Values are slices of one pool buffer, so Puts can be sent in place. */
#ifndef KV_WORKLOAD_H
#define KV_WORKLOAD_H

#include "trace.h"
#include "zipf.h"

enum {
    WORKLOAD_MAX_VALUES = 64, /* segments of a value */
    WORKLOAD_MAX_BATCH = 64,  /* keys of a Get */
    WORKLOAD_MAX_KEY_BYTES = 64,
    WORKLOAD_MAX_VALUE_BYTES = 32 << 20,
    WORKLOAD_GOOGLE_MAX_BYTES = 8192, /* of all segments of a value */
};

typedef enum workload_kind {
    WORKLOAD_YCSB_C, /* reads, Zipf-distributed keys of 30 to 31 bytes, values of one size */
    WORKLOAD_GOOGLE, /* reads, uniform keys of 64 bytes, segment sizes as in Google's RPC fields */
    WORKLOAD_TRACE,  /* what a cache trace says, when it says it */
} workload_kind;

typedef struct workload_config {
    workload_kind kind;
    uint64_t seed;
    uint64_t n_keys;      /* preloaded; not for traces */
    uint64_t value_bytes; /* YCSB: all segments of a value together */
    uint64_t n_values;    /* YCSB: segments of each value; Google: at most, uniform from 1 */
    uint64_t batch;       /* keys per Get, where values have one segment */
    double zipf;          /* YCSB: exponent */
    double put_share;     /* 0 to 1: the rest reads */
    double speed;         /* traces: this many seconds of the trace in one */
    trace *trace;         /* borrowed */
} workload_config;

typedef enum workload_verb { WORKLOAD_GET, WORKLOAD_LIST, WORKLOAD_PUT, WORKLOAD_DELETE } workload_verb;

typedef struct workload_op {
    workload_verb verb;
    uint32_t n_keys, n_values;
    uint64_t at_ns; /* traces: when, from the beginning */
    tern_str keys[WORKLOAD_MAX_BATCH];
    tern_bytes values[WORKLOAD_MAX_VALUES];
    char text[WORKLOAD_MAX_BATCH][WORKLOAD_MAX_KEY_BYTES]; /* behind the keys, where they are made up */
} workload_op;

typedef struct workload {
    workload_config config;
    tern__rng rng;
    zipf zipf;
    void *filler;       /* pool buffer that all values are slices of */
    uint64_t n_preload; /* Puts before the load begins */
    size_t *preload;    /* traces: the ops whose keys are to be there */
    size_t next;        /* traces: the next op */
} workload;

/* Returns 0; TERN_ERR_INVALID with *why set; TERN_ERR_NOMEM. */
int workload_init(workload *w, const workload_config *config, const char **why);
void workload_fini(workload *w);

/* The i-th Put before the load, i < n_preload. */
void workload_preload(workload *w, uint64_t i, workload_op *op);

/* The next request. False: the trace has ended; others have no end. Views in op are valid as long as op is and
 * until workload_fini. */
bool workload_next(workload *w, workload_op *op);

/* A trace starts from its beginning. */
void workload_rewind(workload *w);

#endif
