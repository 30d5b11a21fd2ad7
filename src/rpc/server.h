/* The server's end of one call. A record belongs to its endpoint's thread, except while the call is away with another
 * thread: then only that thread touches its arena, method, payload, trailing and at_end. */
#ifndef TERN_RPC_SERVER_H
#define TERN_RPC_SERVER_H

#include "rpc/endpoint.h"
#include "rpc/metadata.h"

typedef struct tern__call tern__call;

/* A call that is away with another thread, which replies through `respond`. */
typedef struct tern__away {
    tern__call *call;
    tern__request *request; /* the endpoint's thread's alone; NULL: the client is gone */
    tern_time deadline;     /* UINT64_MAX: none */
    int (*respond)(struct tern__away *away, int status, const tern__body *body); /* as tern_reply() and its like */
} tern__away;

/* The call that this thread runs for an endpoint at the moment and has not answered; NULL on the threads of
 * endpoints. */
extern _Thread_local tern__away *tern__away_here __attribute__((tls_model("initial-exec")));

/* The call that this thread runs for an endpoint, answered or not; zero on the threads of endpoints. */
extern _Thread_local tern_call tern__away_name __attribute__((tls_model("initial-exec")));

enum {
    TERN__CALL_HAS_MEMORY = 1, /* there is something in the arenas */
    TERN__CALL_UNUSUAL = 2     /* there may be something in any member; so whenever there is no request */
};

struct tern__call {
    tern__named named; /* what handles are compared with; first */
    tern_endpoint *ep;
    tern__request *request;    /* NULL: the client is gone, or the call is away */
    const tern_method *method; /* NULL: raw; or `trailing` has it */
    tern_bytes payload;        /* the request's bytes */
    tern_format format;        /* of the request, and so of the response; unless a handler of bytes took it as usual */
    bool holds_payload;        /* a reference of ours, taken when the client died or the call went away */
    uint8_t at_end;            /* TERN__CALL_*: what there is to do then */
    _Atomic uint8_t cancelled; /* why the client waits no longer; 0: it does */
    tern__away *away;          /* NULL: the call is here */
    tern_cancel_fn *on_cancel;
    void *cancel_user;
    tern_metadata metadata;          /* of the request, right before its payload */
    struct tern__trailing *trailing; /* of the answer; NULL: none so far */
    tern__legacy legacy;             /* of its request, when the client is gone */
    tern_arena arena;                /* for the reply: what is sent from there, peers on this host may read */
    tern_arena own;                  /* private: the decoded request, metadata and whatever else is ours */
    tern_loan *loan;                 /* of the request, a reference of ours; NULL: it lies at `payload` as it is */
    struct tern__call *next_free;
    struct tern__call *next; /* of all of the endpoint's */
};

/* What a reply or a failure will bring beside the message, in the call's own arena. */
typedef struct tern__trailing {
    tern__meta meta;
    const tern_method *method; /* of the call, which has NULL: so a usual reply need not look whether this is here */
} tern__trailing;

/* The first byte of the request: behind metadata an empty payload may begin where its buffer ends. */
static inline const void *tern__call_memory(const tern__call *call) {
    return call->metadata.n_bytes ? call->metadata.block : call->payload.data;
}

/* The handle of a call that has not ended. */
static inline tern_call tern__call_name(const tern__call *call) {
    return (tern_call){call->ep, tern__named_id(&call->named)};
}

/* As tern__handles_at(). */
static inline tern__call *tern__call_in_place(const tern_endpoint *ep, uint64_t id) {
    return (tern__call *)tern__handles_at(&ep->call_handles, id);
}

/* The record of a call of this endpoint; NULL: the call has ended. */
static inline tern__call *tern__call_find(const tern_endpoint *ep, uint64_t id) {
    return (tern__call *)tern__handles_find(&ep->call_handles, id);
}

/* Until the deadline, by the endpoint's clock, from any thread that the call is with. INT64_MAX: there is none. */
static inline tern_dur tern__away_time_left(const tern__away *away) {
    const tern_endpoint *ep = away->call->ep;
    return tern__time_left(away->deadline, ep->env.now(ep->env.ctx));
}

/* The thunk of handlers that take a struct or bytes as a plain pointer. */
void tern__untyped_thunk(tern__any_fn *handler, tern_call call, const void *request, void *user);

/* The request as its handler wants it. Returns a tern_status; unless that is OK, *why is a constant text. */
int tern__call_read(tern__call *call, const void **request, const char **why);

/* End the call with a status and a message of tern's own. */
void tern__call_fail(tern__call *call, tern_status status, const char *message);

/* The same before the handler has begun, which the client is told. */
void tern__call_refuse(tern__call *call, int status, const char *message);

/* The call has ended, and its handles are stale: the record is free for the next. */
void tern__call_close(tern__call *call);

/* The engine's callbacks (tern__engine_callbacks). */
void tern__server_on_request(void *user, tern__request *request, uint32_t method, const tern__arrived *msg);

/* As tern__handlers_add(), with what the method asks of the engine. */
int tern__server_add(tern_endpoint *ep, const tern__handler *entry);

/* Have the engine ask how the requests of each method are to be received. */
void tern__server_heed_flags(tern_endpoint *ep);
void tern__server_on_gone(void *user, tern__request *request);
void tern__server_on_abandoned(void *user, tern__request *request, int why);

/* To the log, by tern__engine_watch_clients(). */
void tern__server_on_client(void *user, const tern__client_news *news);
void tern__server_fini(tern_endpoint *ep);

#endif
