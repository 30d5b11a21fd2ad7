/* The endpoint's record, and what every file of this folder may ask of it: the time, the log, a wake-up. One thread
 * owns the record except the mailbox and the marks for other threads.
 *
 * This header knows no other file of the folder but the tables of handlers and handles. A pointer to a struct without a
 * definition here belongs to the file that the comment names. */
#ifndef TERN_RPC_ENDPOINT_H
#define TERN_RPC_ENDPOINT_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/base.h"
#include "engine/engine.h"
#include "mem/slab.h"
#include "port/port.h"
#include "port/share.h"
#include "rpc/decode.h"
#include "rpc/handle.h"
#include "rpc/handlers.h"
#include "rpc/inbox.h"
#include "tern/rpc.h"

enum {
    TERN__MAX_LISTENERS = 16,
    TERN__MAILBOX_ENTRIES = 1024,
    TERN__ADDRESS_BYTES = 256,
    TERN__N_EXPECTED = 16,
    TERN__POLLS_PER_CLOCK = 16, /* a poll of shared memory is cheaper than reading the clock */
};

/* Where an endpoint gets its time and randomness from, the system or a simulator; and its formats. */
typedef struct tern__endpoint_env {
    tern_time (*now)(void *ctx);
    uint64_t (*random)(void *ctx); /* NULL: numbers that nobody can guess, see tern__entropy */
    void *ctx;
    const tern__format *const *formats; /* as in tern__engine_config; NULL: tern's own */
} tern__endpoint_env;

/* Where an endpoint's random numbers come from (entropy.h). */
typedef struct tern__entropy {
    uint64_t key[2];
    uint64_t n; /* numbers given out */
} tern__entropy;

/* Functions posted by other threads. */
typedef struct tern__mailbox {
    pthread_mutex_t lock;
    uint32_t n, first;
    struct {
        void (*fn)(void *user);
        void *user;
    } entries[TERN__MAILBOX_ENTRIES];
} tern__mailbox;

/* What workers (worker.c) leave for the endpoint's thread, and what that thread knows of them. */
typedef struct tern__worker_box {
    tern__inbox finished, forwarded;     /* tern__errand, tern__forward */
    struct tern__worker_method *methods; /* this and the counts: the endpoint's thread's alone */
    uint64_t n_handed, n_refused;
} tern__worker_box;

struct tern__pending;

/* What a file of this folder asks of a file above it, or tells that file, without knowing which one it is. drive.c,
 * the highest, knows them all and fills the table in. */
typedef struct tern__upward {
    /* client.c, stream.c: a function that waits drives the endpoint meanwhile, as with tern_poll() and
     * tern__endpoint_idle_until(). */
    int (*poll)(tern_endpoint *ep);
    void (*idle)(tern_endpoint *ep, int n_polled, tern_time *busy_until, tern_time end);

    /* client.c: as tern_call_wait(), from a thread that is not the endpoint's. */
    int (*call_from_thread)(tern_session *session, const tern_method *method, const void *request,
                            const tern_call_opts *opts, const void **response);

    /* client.c: whether a call of how->method may go now; asked unless the method is session->checked. 0: the call may
     * go, by *format. TERN__CALL_WAITS: the call waits elsewhere, and will be finished as `how` says. Or an error of
     * tern_call_start(), and nothing has happened. */
    int (*admit)(tern_session *session, const void *request, const tern_call_opts *opts,
                 const struct tern__pending *how, tern_format *format);

    /* client.c: the session connects anew, perhaps to another program; or it ends. */
    void (*forget)(tern_session *session);

    /* by_name.c: the session has got the connection that its name stands for. */
    void (*named)(const tern_session *session);

    /* server.c: a request of a method without a handler. False: nobody knows the method. */
    bool (*serve_unknown)(tern_endpoint *ep, tern__request *request, uint32_t method, const tern__arrived *msg);
} tern__upward;

/* The records that an endpoint has many of, by kind. They are kept until the endpoint goes. */
typedef struct tern__endpoint_kinds {
    tern__slab sessions, pending, calls, streams;
} tern__endpoint_kinds;

struct tern_endpoint {
    /* hot */
    tern__engine *engine;
    tern__decoder decoder;
    const void *owner; /* identifies the owning thread */
    bool inherited;    /* from the process that forked this one, which goes on with it: fork.h */
    tern__node here;   /* among all of the process */
    tern_time now;     /* as last read */
    bool in_callback;  /* inside poll, or any other place where user code may run */
    bool tx_dirty;     /* packets may wait for a flush */
    bool is_measured;  /* there is a queue_target */
    bool clock_is_fresh;
    bool burst_timed;     /* a call started outside a callback since the last poll has read the clock */
    bool telling_ended;   /* of a call that ends without the engine ... */
    bool told_not_run;    /* ... whether it is certain that its handler has not begun */
    bool freeing;         /* in tern_endpoint_free(): no new calls */
    bool is_running;      /* inside tern_run() */
    bool draining;        /* a drain has begun, and the user has not been told of its end */
    bool borrows;         /* some of what is received may stay where its sender has it: tern__ports_borrow() */
    _Atomic bool alerted; /* there is something in the mailbox or from workers */
    bool was_idle;        /* ... and the last poll found nothing to do */
    bool is_behind;       /* handlers keep packets waiting: drive.c */
    uint32_t n_polls;
    const tern__engine_stats *counters; /* the engine's */
    tern_time looked_at;                /* when drive.c looked last at how long handlers take, ... */
    uint64_t look_at_served;            /* ... and the counters->calls_served at which to look next, less what streams
                                           were handed since, ... */
    uint32_t look_after;                /* ... which is after so many calls, ... */
    uint32_t n_called;                  /* ... beside those of this look already counted, ... */
    uint32_t looked_poll;               /* ... and n_polls */
    tern_time slept_from;               /* it may have slept since then; 0: it has not since that look */
    uint32_t n_slow;                    /* looks in a row that found that they take long */
    int64_t excess;                     /* how much longer than quick ones they have taken lately, in ns */
    tern_time age_at;                   /* when memory that nobody needs is looked for next */
    tern__port *ports;                  /* the first that was opened; ports.h */
    struct tern__pending *free_pending;
    struct tern__pending *ended; /* calls that the engine does not have (any more), to complete at the next poll */
    struct tern__call *free_calls;
    tern__handles call_handles;
    uint32_t n_free_calls;
    uint32_t n_expected;
    tern_session *expected[TERN__N_EXPECTED]; /* the last ones, in turn; or NULL */
    tern_arena scratch;                       /* for decoding responses */
    tern_dur told_retry;                      /* telling_ended: as tern_result_retry_after() */
    const tern_result *result;                /* of the call whose continuation runs; NULL: nothing to tell */
    tern_loan *loan;                          /* of its response; NULL: nothing is borrowed */
    tern__handlers handlers;
    tern__node due_streams; /* to be looked at by the next poll */
    const tern__upward *up;

    /* cold */
    tern_time behind_until;  /* is_behind: for so long at least */
    tern_time turn_until;    /* 0: no stream has its turn (stream_turn.h) */
    tern_time polled_before; /* with a queue_target: when the poll before this one began */
    tern__endpoint_env env;
    tern__entropy entropy;
    tern_endpoint_config config;
    tern__endpoint_kinds kinds;
    tern__node sessions;
    tern_session *ended_sessions, **last_ended; /* oldest first; where the next is linked; client.c */
    uint32_t n_ended_sessions;
    struct tern__resolver *resolver;                    /* NULL: no session was ever connected by name */
    tern__node names;                                   /* by_name.c: the sessions that are being connected by name */
    uint32_t n_by_name;                                 /* connections begun by name, in all */
    struct tern__call *calls;                           /* all records, open or free */
    struct tern__stream_record *streams, *free_streams; /* all records, open or free; the free ones */
    tern__handlers stream_services;                     /* user is a tern__stream_service */
    tern__handles stream_handles;
    struct tern__pending **named; /* by index - 1: the records that ever had a tern_call_ref */
    uint32_t n_named;
    uint64_t last_serial;                       /* of the last tern_call_ref */
    struct tern__stream_record *awaited_stream; /* whose end somebody drives the endpoint for; NULL: it has come ... */
    int awaited_status;                         /* ... with this status ... */
    const tern_result **awaited_result;         /* ... and what came of it; NULL: nobody asks */
    struct tern__closed *closed;                /* engine sessions to close when the poll ends */
    struct tern__closed *retired;               /* those to drained servers, to close once they have no calls */
    bool session_closing;     /* some session has `closing` set, some are retired, or there is something in `closed` */
    tern_drained_fn *drained; /* called with drained_user; set while `draining` */
    void *drained_user;
    int epoll_fd, event_fd;
    _Atomic bool stop;
    _Atomic bool asleep;         /* alerts must write to event_fd */
    _Atomic uint32_t n_visitors; /* other threads inside tern_post() or tern_stop(), and calls that are with workers */
    struct tern__fingerprints *fingerprints; /* schema.c */
    uint64_t n_checks, n_checks_served;      /* Compare calls, which nobody asked for */
    uint64_t n_too_much;                     /* requests that there was no room for once they were decoded */
    tern__mailbox mailbox;
    tern__worker_box workers;
    const char *told_loss;   /* telling_ended: why calls end with UNAVAILABLE, in words; or NULL */
    bool has_left;           /* a drain has begun, and perhaps ended: nobody is accepted any more */
    struct tern__qlog *qlog; /* trace.c; NULL: no trace */
    int place;               /* at the addresses shared with other endpoints; TERN__SHARE_ANY: none yet */
    uint32_t n_listeners;
    char listeners[TERN__MAX_LISTENERS][TERN__ADDRESS_BYTES];
};

/* The address of this variable tells threads apart without a system call. */
extern _Thread_local char tern__this_thread __attribute__((tls_model("initial-exec")));

static inline bool tern__endpoint_is_mine(const tern_endpoint *ep) { return ep->owner == &tern__this_thread; }

/* Why it is not: it is another thread's, or another process's (fork.h). */
static inline int tern__endpoint_not_mine(const tern_endpoint *ep) {
    return ep->inherited ? TERN_ERR_STATE : TERN_ERR_THREAD;
}

static inline void tern__endpoint_read_clock(tern_endpoint *ep) {
    tern_time now = ep->env.now(ep->env.ctx);
    if (now > ep->now) ep->now = now;
    ep->clock_is_fresh = true;
}

#define TERN__LONGEST_SPAN (1000 * 86400 * TERN_SEC)

/* From now to a deadline, UINT64_MAX for none: INT64_MAX then. Never 0, which as a timeout would mean none. */
static inline tern_dur tern__time_left(tern_time deadline, tern_time now) {
    if (deadline == UINT64_MAX) return INT64_MAX;
    return deadline == now ? -1 : (tern_dur)(deadline - now);
}

/* The time: read at most once per poll inside callbacks, and anew outside. */
tern_time tern__endpoint_now(tern_endpoint *ep);

/* Have the endpoint's descriptor tell that this one is readable. Returns 0 or TERN_ERR_IO. */
int tern__endpoint_watch(tern_endpoint *ep, int fd);

/* The poll that runs, or else the next one, reads the clock and does what is due. */
void tern__endpoint_look_soon(tern_endpoint *ep);

/* Other threads: tell the endpoint that something was left for it; wakes the endpoint if it sleeps. */
void tern__endpoint_alert(tern_endpoint *ep);

/* Run what was posted before now; what that posts itself waits for the next poll. Returns how many functions ran. */
int tern__endpoint_run_posts(tern_endpoint *ep);

/* Between visit and leave the endpoint is not freed. Leaving is the last thing that a visitor does to the endpoint. */
static inline void tern__endpoint_visit(tern_endpoint *ep) {
    atomic_fetch_add_explicit(&ep->n_visitors, 1, memory_order_relaxed);
}
static inline void tern__endpoint_leave(tern_endpoint *ep) {
    atomic_fetch_sub_explicit(&ep->n_visitors, 1, memory_order_release);
}

/* One line to the log; nothing when there is none. */
void tern__endpoint_log(const tern_endpoint *ep, tern_log_level level, const char *text);

#endif
