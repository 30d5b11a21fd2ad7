/* Workers: threads that run long handlers, so that the thread of the endpoint goes on with everything else (eRPC 3.2).
 *
 * A request for them travels as an errand: queued by the endpoint's thread, run by a worker, and back as a finished
 * message, encoded and with its references taken, that the endpoint's thread only has to send. Blocking calls of
 * handlers go the same way back and forth. Endpoint and workers share nothing else; no lock is taken on the way. */
#ifndef TERN_RPC_WORKER_H
#define TERN_RPC_WORKER_H

#include <stdatomic.h>

#include "engine/ready.h"
#include "rpc/server.h"
#include "rpc/worker_pool.h"

/* A method that a pool serves; the `user` of its entry among the endpoint's handlers. */
typedef struct tern__worker_method {
    struct tern__worker_method *next; /* of the endpoint's */
    tern_workers *pool;
    const tern_method *method; /* NULL: raw */
    tern__handler_thunk *thunk;
    tern__any_fn *handler;
    void *user;
} tern__worker_method;

/* A call on its way to a worker and back; in the call's own arena. */
typedef struct tern__errand {
    tern__inbox_entry entry; /* among the endpoint's finished */
    tern__job job;           /* in the pool's queue */
    tern__away away;
    const tern__worker_method *how;
    tern__terms terms;
    int status;        /* of the call */
    tern__ready ready; /* the response, with TERN_STATUS_OK */
    bool unanswered;   /* the handler returned without a reply */
} tern__errand;

/* A blocking call of a handler; on its stack. */
typedef struct tern__forward {
    tern__inbox_entry entry; /* among the endpoint's forwarded */
    tern_session *session;
    const tern_method *method;
    const void *request;
    const tern_call_opts *given; /* the handler's, of any version; or NULL */
    tern_call_opts opts;
    tern_dur timeout;          /* unless the opts have one; 0: none */
    int status;                /* the result, with `response` */
    const void *response;      /* NULL unless the status is OK */
    _Atomic uint32_t finished; /* a futex */
} tern__forward;

/* The method that an endpoint's entry serves, by a pool or itself; NULL: raw. */
const tern_method *tern__worker_method_of(const tern__handler *entry);

/* On the endpoint's thread: handle what workers have sent. Returns how much that was. */
int tern__workers_collect(tern_endpoint *ep);

/* The endpoint ends, its engine is gone: wait until no handler of its runs, and leave the pools. */
void tern__workers_leave(tern_endpoint *ep);

/* As tern_call_wait(), on a worker. Returns TERN_ERR_THREAD on other threads. */
int tern__worker_call(tern_session *session, const tern_method *method, const void *request, const tern_call_opts *opts,
                      const void **response);

#endif
