/* The server's end of one call, as server.c and worker.c share it. A record belongs to its endpoint's thread, except
 * while it is with a worker: then only that worker touches its arena, method and payload. */
#ifndef TERN_RPC_SERVER_H
#define TERN_RPC_SERVER_H

#include "rpc/endpoint.h"
#include "rpc/worker.h"

struct tern_call {
    tern_endpoint *ep;
    tern__served *served;      /* NULL: the client is gone, or the call is with a worker */
    const tern_method *method; /* NULL: raw */
    tern_bytes payload;        /* the request's bytes */
    tern_format format;        /* of the request, and so of the response */
    bool holds_payload;        /* a reference of ours, taken when the client died or the call went to a worker */
    bool open;
    bool marked;               /* let_go() has something to do at the end */
    _Atomic uint8_t cancelled; /* why the client waits no longer; 0: it does */
    tern__errand *errand;      /* the call is with a worker */
    tern_cancel_fn *on_cancel;
    void *cancel_user;
    tern_arena arena;
    struct tern_call *next_free;
    struct tern_call *next; /* of all of the endpoint's */
};

/* Whether the calling thread is the one that may go on with the call. */
static inline bool tern__call_is_mine(const tern_call *call) {
    if (tern__endpoint_is_mine(call->ep)) return !call->errand;
    return tern__errand_here && tern__errand_here->call == call;
}

/* The request as its handler wants it. Returns a tern_status. */
int tern__call_read(tern_call *call, const void **request);

/* The call has ended: the record is free for the next. */
void tern__call_close(tern_call *call);

/* What the engine tells. */
void tern__server_on_request(void *user, tern__served *served, uint32_t method, const tern__arrived *msg);
void tern__server_on_gone(void *user, tern__served *served);
void tern__server_on_abandoned(void *user, tern__served *served, int why);
void tern__server_fini(tern_endpoint *ep);

#endif
