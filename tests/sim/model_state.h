/* What the parts of the model share: the plan of a life and what has happened of it so far. */
#ifndef TERN_TESTS_MODEL_STATE_H
#define TERN_TESTS_MODEL_STATE_H

#include "body.h"
#include "engine/stream_client.h"
#include "model.h"

enum {
    MODEL_MAX_CALLS = 200,
    MODEL_MAX_SESSIONS = 24,
    MODEL_MAX_SPREAD = 24, /* streams, over all sessions ... */
    MODEL_MAX_FLOWS = 64,  /* ... and with a crowd on one session */
    MODEL_MAX_EVENTS = 5 * MODEL_MAX_CALLS + 64,
    MODEL_MAX_NODES = 8,
    MODEL_N_SAMPLES = 64,
    MODEL_N_NUMBERS = 1024,
    MODEL_NOBODY = -1,
};

#define MODEL_VERY_LATE (2 * TERN_SEC)  /* what a reordered packet may take beyond the others */
#define MODEL_SHORT_STOP (2 * TERN_SEC) /* a node suspended for this long is missed by nobody */
#define MODEL_LONG_STOP (40 * TERN_SEC) /* ... for up to this long it may be taken for dead */

/* A message that is borrowed beyond its call. */
typedef struct held_message {
    tern_loan *loan; /* NULL: none */
    tern__arrived msg;
} held_message;

typedef struct call_state {
    /* The plan. */
    uint32_t session;
    body_spec request, response;
    tern_dur reply_delay; /* 0: inside the handler */
    tern_dur timeout;     /* 0: none */
    int app_status;
    bool echo;             /* a raw response that is the request's own memory */
    bool insists;          /* made again as long as the server does not admit it */
    bool keep;             /* the client keeps the response's buffer to the end */
    bool borrows[2];       /* the server the request, the client the response, ... */
    tern_dur hold_time[2]; /* ... and has it so long; 0: to the end of the call */
    int32_t next;          /* call started from this one's on_done */
    int32_t inner;         /* call that this one's handler makes, and waits for before it replies */
    int32_t outer;         /* the call whose handler makes this one */
    /* What happened. */
    bool is_made, accepted, replied, waits; /* waits: for the inner one */
    bool has_not_run;                       /* so its client was told when the call ended */
    uint32_t n_runs, n_done, n_tries;
    int status;
    tern_time deadline, served_at, accepted_at, replied_at;
    tern__request *served;
    tern__arrived request_msg;
    tern__arrived kept;      /* data NULL: nothing */
    tern_loan *request_loan; /* while `served`; NULL: it is in one piece */
    held_message held[2];    /* the request, the response; after the call, too */
} call_state;

/* One end of a streaming call. */
typedef struct flow_end {
    uint32_t side;        /* 0: client */
    tern__stream *stream; /* NULL: not begun, or over */
    uint64_t to_write, written, read;
    uint64_t unconsumed; /* manual: read, and not yet granted anew */
    bool finished;       /* its own half */
    bool peer_finished;  /* server: the client's half is here */
    bool aborted, consume_planned;
} flow_end;

typedef struct flow_state {
    flow_end ends[2];
    /* The plan. */
    uint64_t key;
    uint32_t session;
    tern__stream_opts opts; /* of both ends */
    tern_dur timeout;       /* 0: none */
    tern_dur read_pause;    /* manual: until what was read is consumed, at most */
    uint32_t max_write;     /* bytes per write */
    double flushes;         /* probability of a flush after a write */
    bool server_is_eager;   /* it writes before the client has finished */
    int app_status;
    uint32_t meta_bytes[2]; /* of the metadata block of the request, and of the response; 0: none */
    /* What happened. */
    bool has_block;        /* the response has been given its block */
    bool is_made, is_open; /* is_open: at the client, and not yet ended there */
    uint32_t n_runs, n_tries;
    tern_time deadline, served_at, accepted_at, replied_at;
} flow_state;

typedef struct session_state {
    uint32_t client, server;
    tern__csession *handle; /* NULL: closed, or the client is down */
    bool is_up, is_leaving; /* is_leaving: its server drains */
    tern_time up_at;        /* the last time that it came up */
    tern_time trouble_at;   /* the last time that something harmed it; UINT64_MAX while it lasts, 0 for never */
    uint32_t n_cuts;        /* of its path, lasting */
} session_state;

typedef enum event_kind {
    EV_CALL,
    EV_BURST, /* b calls from a on, of one client, leave together */
    EV_REPLY,
    EV_CANCEL,
    EV_KILL,
    EV_START,
    EV_CUT, /* both ways */
    EV_MEND,
    EV_DEAFEN, /* b no longer hears a */
    EV_HEAR,
    EV_NARROW, /* b hears no long packets of a: b is the node, and their length in the upper bits */
    EV_WIDEN,
    EV_STOP, /* node a is suspended, for b microseconds */
    EV_WAKE,
    EV_LOSS,
    EV_CLOSE,
    EV_DRAIN, /* the server a, for b microseconds, then it stops */
    EV_DRAINED,
    EV_LEAVE, /* the session a is closed once it is idle, since its server drains */
    EV_STARVE,
    EV_FORGE,
    EV_FLOW,      /* the streaming call a begins */
    EV_FLOW_PUSH, /* b, here and below: which side of it */
    EV_FLOW_CONSUME,
    EV_FLOW_ABORT,
    EV_LET_GO /* of what is borrowed of call a: b as in `held` */
} event_kind;

typedef struct event {
    tern_time at;
    event_kind kind;
    uint32_t a, b;
} event;

/* The start of a packet that was sent, for the forger. */
typedef struct sample {
    uint32_t src, dst, len;
    uint8_t bytes[96];
    bool sealed; /* of a sealed session: `bytes` is what was sent, as far as there is room */
} sample;

typedef struct model {
    cluster c;
    tern__rng rng;
    bool verbose, is_traced;
    call_state calls[MODEL_MAX_CALLS + 2 * MODEL_MAX_SESSIONS];
    uint32_t n_calls, n_open; /* accepted and not yet ended */
    flow_state flows[MODEL_MAX_FLOWS];
    uint32_t n_flows;
    session_state sessions[MODEL_MAX_SESSIONS];
    uint32_t n_sessions;
    event events[MODEL_MAX_EVENTS];
    uint32_t n_events;
    uint32_t n_cuts[MODEL_MAX_NODES][MODEL_MAX_NODES]; /* of the path from the first to the second, lasting */
    uint32_t n_narrow[MODEL_MAX_NODES][MODEL_MAX_NODES], narrow_bytes[MODEL_MAX_NODES][MODEL_MAX_NODES];
    bool is_draining[MODEL_MAX_NODES];
    bool is_lame[MODEL_MAX_NODES]; /* suspended for so long that it may be taken for dead */
    bool is_tight;                 /* reassembly memory is short: calls may be RESOURCE_EXHAUSTED */
    bool is_bounded;               /* servers bound the calls that run: the same, of calls that have not run */
    bool is_crowded;               /* no more sessions than needed: the same */
    bool is_starved;               /* allocations fail now and then: both, and functions may return NOMEM */
    bool is_healed;                /* the network has no faults any more */
    bool is_over;                  /* the cluster is being torn down: everything fails */
    tern__sim_path path;
    sample samples[MODEL_N_SAMPLES];
    uint32_t n_samples;
    bool is_mimicked; /* packets of sealed sessions were sent again, with their numbers, by a forger */
    struct {
        uint64_t tag; /* a session's and direction's; 0: none */
        uint32_t last;
    } numbers[MODEL_N_NUMBERS]; /* of packets, by tag: the last that was seen */
    model_totals *totals;
} model;

#define SAY(m, ...)                                                                                                    \
    do {                                                                                                               \
        if ((m)->verbose) {                                                                                            \
            printf("# %12.6f ", (double)(cluster_now(&(m)->c) - (tern_time)TERN_SEC) / 1e9);                           \
            printf(__VA_ARGS__);                                                                                       \
            printf("\n");                                                                                              \
        }                                                                                                              \
    } while (0)

static inline uint64_t below(model *m, uint64_t n) { return tern__rng_below(&m->rng, n); }
static inline bool chance(model *m, double p) { return tern__rng_chance(&m->rng, p); }
static inline tern_dur dur_below(model *m, tern_dur n) { return (tern_dur)below(m, (uint64_t)n); }
static inline cluster_node *client_of(model *m, const call_state *call) {
    return &m->c.nodes[m->sessions[call->session].client];
}
static inline uint32_t server_of(const model *m, const call_state *call) { return m->sessions[call->session].server; }

void model_event_add(model *m, tern_time at, event_kind kind, uint32_t a, uint32_t b);

/* ---- model_calls.c: what clients and servers do, and what must hold of it ------------------------- */
extern const tern__engine_callbacks model_callbacks;
/* Whether the session may fail now: something has harmed it since. */
bool model_may_fail(const model *m, const session_state *s, tern_time since);
/* in_callback: the engine's own caller flushes. */
void model_call_start(model *m, uint32_t i, bool in_callback);
void model_burst_start(model *m, uint32_t first, uint32_t n);
void model_reply(model *m, uint32_t i);
void model_call_cancel(model *m, uint32_t i);
/* Let the engines ask which calls borrow. */
void model_set_borrowing(cluster_config *config);
/* Of the request (0) or the response (1) of a call, if that is held. */
void model_let_go(model *m, uint32_t i, uint32_t which);

/* ---- model_streams.c: streaming calls --------------------------------------------------------------- */
extern const tern__stream_callbacks model_stream_callbacks;
void model_plan_flows(model *m, tern_dur span);
void model_plan_crowd(model *m, uint64_t seed);
void model_flow_start(model *m, uint32_t i);
void model_flow_push(model *m, uint32_t i, uint32_t side);
void model_flow_consume(model *m, uint32_t i, uint32_t side);
void model_flow_abort(model *m, uint32_t i, uint32_t side);
uint32_t model_flow_node(const model *m, uint32_t i, uint32_t side);

/* ---- model_plan.c: what a seed decides -------------------------------------------------------------- */
void model_plan_cluster(model *m, cluster_config *config);
void model_plan_life(model *m);
/* By numbers of their own, so that what else a seed decides stays what it was: how packets are sent and received in
 * batches, and calls that are made at once. */
void model_plan_batches(cluster_config *config, uint64_t seed);
void model_plan_bursts(model *m, uint64_t seed);
void model_plan_placement(cluster_config *config, uint64_t seed);
void model_plan_long(model *m, uint64_t seed);
/* The same of how many calls servers admit, and of calls that are made again when they do not. */
void model_plan_bounds(model *m, cluster_config *config, uint64_t seed);
void model_plan_insistence(model *m, uint64_t seed);
/* Whether sessions are sealed, between which nodes, and how often keys change. how: MODEL_SEAL, MODEL_NO_SEAL. */
void model_plan_seal(cluster_config *config, uint64_t seed, unsigned how);
/* Which nodes have the format of dump_format.h, and which of their calls state it. */
void model_plan_formats(cluster_config *config, uint64_t seed);
/* Whether messages can stay where their senders have them, for how long, and which calls borrow. */
void model_plan_turns(cluster_config *config, uint64_t seed);
void model_plan_keeping(cluster_config *config, uint64_t seed);
void model_plan_borrowing(model *m, uint64_t seed);
void model_plan_stated(model *m, uint64_t seed);

/* ---- model_forge.c ---------------------------------------------------------------------------------- */
/* Looks at the packets from now on, and says so where one has a number that another of its session had. */
void model_watch(model *m);
void model_forge(model *m);
/* A REFUSE that anybody could have sent has put sessions between these nodes in doubt. */
void model_doubted(model *m, uint32_t a, uint32_t b);

#endif
