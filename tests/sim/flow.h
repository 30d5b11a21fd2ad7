/* Streaming calls for scenarios: each end writes a number of bytes, in pieces of random lengths, in place or not, and
 * checks what it reads. The method number says how many bytes the server writes. */
#ifndef TERN_TESTS_FLOW_H
#define TERN_TESTS_FLOW_H

#include "cluster.h"
#include "engine/stream_client.h"

enum { FLOW_MAX_CALLS = 64, FLOW_NOT_ENDED = -100 };

typedef struct flow_end {
    struct flow *flow;
    struct flow_call *call;
    uint32_t node;
    tern__stream *stream; /* NULL: not begun, or over */
    uint64_t to_write, written, read, unconsumed;
    uint64_t most_waiting; /* bytes in the stream's buffer */
    bool finished;         /* its own half */
    bool peer_finished;
    int status; /* of on_end */
    unsigned n_ends, n_full, n_writable;
} flow_end;

typedef struct flow_call {
    flow_end client, server;
    bool served;
} flow_call;

/* What calls are like; set before they begin. */
typedef struct flow_opts {
    tern__stream_opts stream; /* of both ends; `block` goes with the request and with the response */
    tern_dur timeout;
    uint32_t max_write;     /* bytes per write */
    bool inplace;           /* half of the longer writes */
    bool flush;             /* half of the writes are flushed */
    bool server_waits;      /* writes only when the client has finished */
    int server_status;      /* how it ends */
    bool server_hangs;      /* it never finishes */
    tern_dur consume_every; /* manual: then that many bytes are consumed at both ends */
    uint32_t consume_bytes;
    bool may_lack; /* memory: who writes tries again, and a call may not begin */
} flow_opts;

typedef struct flow {
    cluster c;
    flow_opts opts;
    flow_call calls[FLOW_MAX_CALLS];
    unsigned n_calls, n_served, n_ended; /* ended at the client */
    tern_time consume_at;
    uint64_t most_buffers; /* live at any time, above those at the start */
} flow;

/* A cluster whose nodes all serve. */
int flow_init(flow *f, uint64_t seed, cluster_config *config);

/* Frees all. Returns the cluster's error, or NULL. */
const char *flow_fini(flow *f);

/* Begin a call that writes `up` bytes and is to get `down`. NULL with the error noted when that fails. */
flow_call *flow_begin(flow *f, uint32_t node, tern__csession *session, uint64_t up, uint32_t down);

/* Run until all calls have ended at their clients, at most this long; false when some have not. */
bool flow_run(flow *f, tern_dur bound);

/* Run for so long. */
void flow_pass(flow *f, tern_dur time);

#endif
