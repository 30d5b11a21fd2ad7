/* Cache traces: lines `time,key,ksize,vsize,client,op,ttl`, as published for Twitter's clusters. What a line
 * holds is untrusted: a bad one is counted and skipped. */
#ifndef KV_TRACE_H
#define KV_TRACE_H

#include <stdio.h>

#include "tern/mem.h"
#include "tern/type.h"

typedef enum trace_verb { TRACE_GET, TRACE_PUT, TRACE_DELETE } trace_verb;

enum {
    TRACE_MAX_LINE_BYTES = 4096,     /* longer ones are malformed, */
    TRACE_MAX_SKIP_BYTES = 1 << 20,  /* and beyond this the input is no trace, */
    TRACE_MAX_SKIP_LINES = 10000000, /* nor when so many lines in a row hold no op */
    TRACE_MAX_KEY_BYTES = 1024,
    TRACE_MAX_VALUE_BYTES = 32 << 20,
    TRACE_MAX_SECONDS = 1 << 30, /* 34 years */
};

typedef struct trace_op {
    uint64_t at_ns; /* from the first op once loaded, spread over the second that the trace names */
    tern_str key;
    uint32_t key_bytes;   /* ksize: published keys are hashed, so key.len may be another */
    uint32_t value_bytes; /* vsize */
    trace_verb verb;
} trace_op;

/* Parse one line, without its newline. The key is a view into it. Returns 0; TERN_ERR_MALFORMED;
 * TERN_ERR_UNSUPPORTED for an op that is none of memcached's. Incrementing and the like count as puts of
 * vsize bytes; client and ttl are checked for shape, not used. */
int trace_parse_line(const char *line, size_t len, trace_op *op);

typedef struct trace {
    trace_op *ops;
    size_t n_ops;
    uint64_t n_malformed, n_unsupported; /* lines skipped */
    bool cut;                            /* there was more than max_ops */
    tern_arena keys;
} trace;

/* Read a trace: at most max_ops ops. Times that run backwards are raised to the one before; ops that share a
 * time are spread evenly until the next one, one second at most. Keys shorter than ksize are padded with
 * dots. Returns 0, TERN_ERR_NOMEM, TERN_ERR_LIMIT (a line, or a run of lines without an op, that is too long: it would
 * not end on a device) or TERN_ERR_IO (errno says why). Free with trace_fini() in any case. */
int trace_load(trace *t, FILE *in, size_t max_ops);
void trace_fini(trace *t);

#endif
