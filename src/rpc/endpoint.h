/* The endpoint's insides, shared by the files of this folder. One thread owns all of it except the mailbox. */
#ifndef TERN_RPC_ENDPOINT_H
#define TERN_RPC_ENDPOINT_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/base.h"
#include "engine/engine.h"
#include "port/port.h"
#include "port/resolve.h"
#include "port/share.h"
#include "rpc/handlers.h"
#include "rpc/worker.h"
#include "tern/rpc.h"

enum {
    TERN__MAX_LISTENERS = 16,
    TERN__MAILBOX_ENTRIES = 1024,
    TERN__ADDRESS_BYTES = 256,
    TERN__N_EXPECTED = 16,
};

/* Where an endpoint gets its time and randomness from: the system, or a simulator. */
typedef struct tern__endpoint_env {
    tern_time (*now)(void *ctx);
    uint64_t (*random)(void *ctx);
    void *ctx;
} tern__endpoint_env;

/* Functions posted by other threads. */
typedef struct tern__mailbox {
    pthread_mutex_t lock;
    uint32_t n, first;
    struct {
        void (*fn)(void *user);
        void *user;
    } entries[TERN__MAILBOX_ENTRIES];
} tern__mailbox;

/* How a call is finished: how its response is read, and what is called with it. */
typedef enum tern__finish {
    TERN__FINISH_RAW,   /* `done` is a tern_done_fn, and gets the response's bytes */
    TERN__FINISH_TYPED, /* `thunk` calls `done` with the response as a message that lives as long as the callback */
    TERN__FINISH_OWNED  /* the same with a message that outlives the callback, until tern_release() */
} tern__finish;

/* A call that the engine has accepted, or that failed before the engine had it. A line of the cache. The functions
 * below make one, for every way to finish; nothing else says how a call is finished. */
typedef struct tern__pending {
    _Alignas(64) struct tern__pending *next; /* in a free list or the ended list */
    const tern_method *method;               /* unless raw */
    tern__done_thunk *thunk;                 /* unless raw */
    tern__any_fn *done;
    void *user;
    struct tern_session *session; /* these two: when the caller has a tern_call_ref */
    uint64_t serial;              /* 0 once the call has ended */
    uint8_t status;               /* in the ended list: how */
    uint8_t finish;               /* tern__finish */
} tern__pending;
_Static_assert(sizeof(tern__pending) == 64, "one line of the cache");

static inline tern__pending tern__pending_raw(tern_done_fn *done, void *user) {
    return (tern__pending){.finish = TERN__FINISH_RAW, .done = (tern__any_fn *)done, .user = user};
}
static inline tern__pending tern__pending_typed(const tern_method *method, tern__done_thunk *thunk, tern__any_fn *done,
                                                void *user) {
    return (tern__pending){.finish = TERN__FINISH_TYPED, .method = method, .thunk = thunk, .done = done, .user = user};
}
/* `thunk` gets NULL for `done`. */
static inline tern__pending tern__pending_owned(const tern_method *method, tern__done_thunk *thunk, void *user) {
    return (tern__pending){.finish = TERN__FINISH_OWNED, .method = method, .thunk = thunk, .user = user};
}

/* Tell whoever made the call. The caller has given the record back, or holds a copy. */
static inline void tern__pending_tell(uint8_t finish, tern__done_thunk *thunk, tern__any_fn *done, void *user,
                                      int status, const void *response) {
    if (finish == TERN__FINISH_RAW)
        ((tern_done_fn *)done)(user, status, response);
    else
        thunk(done, user, status, response);
}

/* With thousands of sessions a call's price is the pages that it touches (engine/internal.h): what calls read of a
 * session is a pool buffer of one cache line, next to others of its kind, and the rest is elsewhere. */
struct tern_session {
    tern_endpoint *ep;
    tern__csession *cs; /* NULL: no connection was ever begun, or it could not */
    tern__port *port;
    const tern_method *checked; /* the last found to mean the same at both ends; NULL: none so far */
    struct tern__session_rest *rest;
    uint32_t n_blocked; /* functions that drive the endpoint for it, and that it must outlive */
    bool closing;       /* closed from inside a callback; freed when the poll ends */
};
_Static_assert(sizeof(struct tern_session) <= 64, "what calls do not need is in the rest");

typedef struct tern__session_rest {
    tern_session *session;
    tern__node node; /* in ep->sessions */
    tern_session_event_fn *on_event;
    void *event_user;
    tern_dur keepalive;              /* of its connections */
    uint64_t incarnation;            /* of the server, when it last accepted us; 0: it never has */
    struct tern__verdicts *verdicts; /* schema.c: of methods that were called; NULL: none */
    uint64_t n_forgotten;            /* schema.c: how often the verdicts have been forgotten */
    struct tern__by_name *by_name;   /* by_name.c: looks for the connection that `cs` stands for; NULL: cs is it */
    tern__route route;
    char address[]; /* below TERN__ADDRESS_BYTES */
} tern__session_rest;

struct tern_endpoint {
    /* hot */
    tern__engine *engine;
    const void *owner; /* identifies the owning thread */
    tern_time now;     /* as last read */
    bool clock_is_fresh;
    bool burst_timed;     /* a call started outside a callback since the last poll has read the clock */
    bool in_callback;     /* inside poll, or any other place where user code may run */
    bool tx_dirty;        /* packets may wait for a flush */
    bool freeing;         /* in tern_endpoint_free(): no new calls */
    bool draining;        /* and its end has not been told */
    _Atomic bool alerted; /* there is something in the mailbox or from workers */
    uint32_t n_polls;
    tern__port *ports; /* the first that was opened; ports.h */
    tern__pending *free_pending;
    tern__pending *ended; /* calls that the engine does not have (any more), to complete at the next poll */
    uint64_t last_serial;
    struct tern_call *free_calls;
    uint32_t n_free_calls;
    uint32_t n_expected;
    tern_session *expected[TERN__N_EXPECTED]; /* the last ones, in turn; or NULL */
    tern_arena scratch;                       /* for decoding responses */
    tern__handlers handlers;
    tern__node due_streams; /* to be looked at by the next poll */

    /* cold */
    tern__endpoint_env env;
    tern_endpoint_config config;
    tern__node sessions;
    tern__resolver *resolver;                   /* NULL: no session was ever connected by name */
    tern__node names;                           /* by_name.c: the sessions that are being connected by name */
    uint32_t n_by_name;                         /* ever */
    struct tern_call *calls;                    /* all records, open or free */
    tern__pending *pending_blocks;              /* all records; the first of each block chains it */
    struct tern_stream *streams, *free_streams; /* all records, open or free; the free ones */
    tern__handlers stream_services;             /* user is a tern__stream_service */
    struct tern_stream *awaited_stream;         /* whose end somebody drives the endpoint for; NULL: it has come ... */
    int awaited_status;                         /* ... with this status */
    struct tern__closed *closed;                /* engine sessions to close when the poll ends */
    struct tern__closed *retired;               /* those to drained servers, to close once they have no calls */
    bool session_closing;                       /* some session has `closing` set, or some are retired */
    tern_drained_fn *drained;                   /* with its user; while `draining` */
    void *drained_user;
    int epoll_fd, event_fd;
    _Atomic bool stop;
    _Atomic bool asleep;         /* alerts must write to event_fd */
    _Atomic uint32_t n_visitors; /* other threads inside tern_post() or tern_stop(), and calls that are with workers */
    struct tern__fingerprints *fingerprints; /* schema.c */
    uint64_t n_checks, n_checks_served;      /* Compare calls, which nobody asked for */
    tern__mailbox mailbox;
    tern__worker_box workers;
    struct tern__qlog *qlog; /* trace.c; NULL: no trace */
    int place;               /* at the addresses shared with other endpoints; TERN__SHARE_ANY: none yet */
    uint32_t n_listeners;
    char listeners[TERN__MAX_LISTENERS][TERN__ADDRESS_BYTES];
};

/* As tern_endpoint_new(), with time and randomness from env. */
int tern__endpoint_new_with(const tern_endpoint_config *config, const tern__endpoint_env *env, tern_endpoint **out);

/* Its address tells threads apart without a system call. */
extern _Thread_local char tern__this_thread __attribute__((tls_model("initial-exec")));

static inline bool tern__endpoint_is_mine(const tern_endpoint *ep) { return ep->owner == &tern__this_thread; }

static inline void tern__endpoint_read_clock(tern_endpoint *ep) {
    tern_time now = ep->env.now(ep->env.ctx);
    if (now > ep->now) ep->now = now;
    ep->clock_is_fresh = true;
}

/* The time: read at most once per poll inside callbacks, and anew outside. */
tern_time tern__endpoint_now(tern_endpoint *ep);

/* Have the endpoint's descriptor tell that this one is readable. Returns 0 or TERN_ERR_IO. */
int tern__endpoint_watch(tern_endpoint *ep, int fd);

/* The poll that runs, or else the next one, reads the clock and does what is due. */
void tern__endpoint_look_soon(tern_endpoint *ep);

/* What a driving loop does after a poll that handled n_polled packets: go on if there were any (which pushes
 * *busy_until back), else spin until then, and sleep afterwards. Whoever waits for something checks for it before,
 * as it may have come without a packet. */
void tern__endpoint_idle(tern_endpoint *ep, int n_polled, tern_time *busy_until);
/* The same for somebody who waits until `end` at most; 0: for as long as it takes. */
void tern__endpoint_idle_until(tern_endpoint *ep, int n_polled, tern_time *busy_until, tern_time end);

/* Other threads: what was left for the endpoint is there; wakes it if it sleeps. */
void tern__endpoint_alert(tern_endpoint *ep);

/* Between the two the endpoint is not freed. Leaving is the last thing that a visitor does to it. */
static inline void tern__endpoint_visit(tern_endpoint *ep) {
    atomic_fetch_add_explicit(&ep->n_visitors, 1, memory_order_relaxed);
}
static inline void tern__endpoint_leave(tern_endpoint *ep) {
    atomic_fetch_sub_explicit(&ep->n_visitors, 1, memory_order_release);
}

static inline void tern__cpu_relax(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

void tern__endpoint_log(const tern_endpoint *ep, tern_log_level level, const char *text);

/* drain.c: whether a drain has ended and the user does not know yet; tell him. */
bool tern__endpoint_drain_is_news(const tern_endpoint *ep);
void tern__endpoint_tell_drained(tern_endpoint *ep);

/* trace.c: write out what is in memory; a trace that cannot be written any more ends. Not from inside the engine. */
void tern__endpoint_trace_flush(tern_endpoint *ep);
/* The same for the last time, after the engine's end or once it has no trace. */
void tern__endpoint_trace_fini(tern_endpoint *ep);

/* client.c */
void tern__client_on_session(void *user, tern__csession *cs, void *session_user, tern__session_event event);
void tern__client_on_done(void *user, void *call, int status, const tern__arrived *msg);
/* Whether a call may start: 0, TERN_ERR_THREAD, _STALE or _CLOSED. */
int tern__client_check(const tern_session *s);
/* Have a connection. *nobody: OK, or what the call ends with, because there is nobody to connect to. */
int tern__client_prepare(tern_session *s, tern_status *nobody);
void tern__client_complete_ended(tern_endpoint *ep);
void tern__client_close_deferred(tern_endpoint *ep);
/* Close a connection and give its route back; not under a callback of the engine. */
void tern__client_close_connection(tern_endpoint *ep, tern__csession *cs, tern__port *port, const tern__route *route);
/* The session leaves its connection, which is closed once it has no calls any more. Returns 0 or TERN_ERR_NOMEM. */
int tern__client_retire(tern_session *s);
void tern__client_fini(tern_endpoint *ep);

/* Start a call with a copy of `how` as its record. As tern__call_start(). */
int tern__client_begin(tern_session *session, const tern__pending *how, uint32_t method_id, const tern__body *body,
                       const tern_call_opts *opts, tern__pending **record);
/* End a call that is not begun, from a later poll. Returns TERN__SCHEMA_WAITS or TERN_ERR_NOMEM. */
int tern__client_refuse(tern_session *session, const tern__pending *how, tern_status status,
                        const tern_call_opts *opts);

/* server.c */
void tern__server_on_request(void *user, tern__served *served, uint32_t method, const tern__arrived *msg);
void tern__server_on_gone(void *user, tern__served *served);
void tern__server_on_abandoned(void *user, tern__served *served, int why);
void tern__server_fini(tern_endpoint *ep);

/* stream.c */
extern const struct tern__stream_callbacks tern__stream_events;
void tern__streams_run_due(tern_endpoint *ep);
/* The session has got the connection that its name stands for: streams that waited go over it. */
void tern__streams_move(const tern_session *s);
/* The endpoint goes: those whose calls have ended already are told now, whatever they have not read; the others when
 * the engine ends theirs. */
void tern__streams_leave(tern_endpoint *ep);
void tern__streams_fini(tern_endpoint *ep);

/* decode.c: the payload as the struct that `type` describes, behind prefix_bytes bytes for the caller; all from the
 * arena. *out is where the prefix begins. Returns a tern_status. */
int tern__decode(const tern_type *type, const tern__arrived *msg, size_t prefix_bytes, size_t max_bytes,
                 tern_arena *arena, void **out);

/* How much memory decoding one message may take: its lists and sub-messages are wider as structs than on the wire,
 * but not by more than this, unless somebody tries to make us allocate. */
static inline size_t tern__decode_ceiling(const tern_endpoint_config *config) {
    return 4 * (size_t)config->max_message_bytes + (1 << 20);
}

#endif
