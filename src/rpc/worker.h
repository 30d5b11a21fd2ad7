/* Workers: threads that run long handlers, so that the thread of the endpoint goes on with everything else (eRPC 3.2).
 *
 * A request for them travels as an errand: queued by the endpoint's thread, run by a worker, and back as a finished
 * message, encoded and with its references taken, that the endpoint's thread only has to send. Blocking calls of
 * handlers go the same way back and forth. Endpoint and workers share nothing else; no lock is taken on the way. */
#ifndef TERN_RPC_WORKER_H
#define TERN_RPC_WORKER_H

#include <stdatomic.h>

#include "engine/ready.h"
#include "rpc/handlers.h"
#include "tern/rpc.h"

/* A method that a pool serves; the `user` of its entry among the endpoint's handlers. */
typedef struct tern__worker_method {
    struct tern__worker_method *next; /* of the endpoint's */
    tern_workers *pool;
    const tern_method *method; /* NULL: raw */
    tern__handler_thunk *thunk;
    tern__any_fn *handler;
    void *user;
} tern__worker_method;

/* A call on its way to a worker and back; in the call's arena. */
typedef struct tern__errand {
    struct tern__errand *next; /* among the endpoint's finished */
    tern_call *call;
    tern__served *served; /* the endpoint's thread's alone; NULL: the client is gone */
    const tern__worker_method *how;
    tern__terms terms;
    tern_time deadline; /* UINT64_MAX: none */
    int status;         /* of the call */
    tern__ready ready;  /* the response, with TERN_STATUS_OK */
    bool unanswered;    /* the handler returned without a reply */
} tern__errand;

/* A blocking call of a handler; on its stack. */
typedef struct tern__forward {
    struct tern__forward *next; /* among the endpoint's forwarded */
    tern_session *session;
    const tern_method *method;
    const void *request;
    tern_call_opts opts;
    int status; /* these two: the result */
    const void *response;
    _Atomic uint32_t finished; /* a futex */
} tern__forward;

/* What this thread runs at the moment and has not answered; NULL on all threads but workers. */
extern _Thread_local tern__errand *tern__errand_here __attribute__((tls_model("initial-exec")));

/* The method that an endpoint's entry serves, by a pool or itself; NULL: raw. */
const tern_method *tern__worker_method_of(const tern__handler *entry);

/* Serve a method by how->pool; how is copied. As tern_serve(). */
int tern__workers_serve(tern_endpoint *ep, uint32_t id, const tern__worker_method *how);

/* On the endpoint's thread: handle what workers have sent. Returns how much that was. */
int tern__workers_collect(tern_endpoint *ep);

/* The endpoint ends, its engine is gone: wait until no handler of its runs, and leave the pools. */
void tern__workers_leave(tern_endpoint *ep);

/* The client of a call that is with a worker is gone. */
void tern__worker_on_gone(tern_call *call);

/* As tern_reply() and its like, tern_call_time_left() and tern_call_wait(), on a worker. The first and the last return
 * TERN_ERR_THREAD on other threads. */
int tern__worker_respond(tern_call *call, int status, const tern__body *body);
tern_dur tern__worker_time_left(const tern_call *call);
int tern__worker_call(tern_session *session, const tern_method *method, const void *request, const tern_call_opts *opts,
                      const void **response);

/* client.c: start the call of a worker; tern__forward_finish() ends it. */
void tern__client_forward(tern__forward *forward);
void tern__forward_finish(tern__forward *forward, int status, const void *response);

#endif
