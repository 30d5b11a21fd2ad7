/* Calls, the client's side: records of pending calls, what the engine tells the client, and ways to start a call. */
#ifndef TERN_RPC_CLIENT_H
#define TERN_RPC_CLIENT_H

#include "rpc/connection.h"

/* How a call is finished: how its response is read, and which function gets the response. */
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
    struct tern_session *session; /* set when the caller has a tern_call_ref, as is `serial` */
    uint64_t serial;              /* 0 once the call has ended */
    uint32_t retry_ms;            /* in the ended list: when the server may admit calls again; 0: it has not said */
    uint8_t status;               /* in the ended list: a tern_status, ... */
    bool was_sent;                /* ... and whether the server may have begun the call */
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

/* Call the function that waits for the response. The caller has given the record back, or holds a copy. */
static inline void tern__pending_tell(uint8_t finish, tern__done_thunk *thunk, tern__any_fn *done, void *user,
                                      int status, const void *response) {
    if (finish == TERN__FINISH_RAW)
        ((tern_done_fn *)done)(user, status, response);
    else
        thunk(done, user, status, response);
}

void tern__client_on_session(void *user, tern__csession *cs, void *session_user, tern__session_event event);
void tern__client_on_done(void *user, void *call, int status, const tern__arrived *msg);
void tern__client_on_answer(void *user, void *call, int status, const tern__arrived *msg);
/* Whether a call may start: 0, TERN_ERR_THREAD, _STALE or _CLOSED. */
int tern__client_check(const tern_session *s);
/* Connect the session if it is down. *nobody: OK, or the status that a call ends with because no peer can be
 * reached. */
int tern__client_prepare(tern_session *s, tern_status *nobody);
void tern__client_complete_ended(tern_endpoint *ep);
void tern__client_close_deferred(tern_endpoint *ep);
void tern__client_fini(tern_endpoint *ep);

enum { TERN__CALL_WAITS = 1 };

/* Start a call whose response outlives its callback: thunk(NULL, user, status, response). As tern_call_start(). */
int tern__client_start_owned(tern_session *session, const tern_method *method, const void *request,
                             const tern_call_opts *opts, tern__done_thunk *thunk, void *user);

/* Start a call with a copy of `how` as its record. As tern__call_start(). */
int tern__client_begin(tern_session *session, const tern__pending *how, uint32_t method_id, const tern__body *body,
                       const tern_call_opts *opts, tern__pending **record);
/* Tell whoever made a call that it has ended on this side, not OK, before or after the engine had it. */
void tern__client_tell_failed(tern_endpoint *ep, const tern__pending *how, int status);
/* The same of a call of which nothing was sent: only of the one that stood for it, and whose end is being told. */
void tern__client_tell_unsent(tern_endpoint *ep, const tern__pending *how, int status);
/* End a call that is not begun, from a later poll. Returns TERN__CALL_WAITS or TERN_ERR_NOMEM. */
int tern__client_refuse(tern_session *session, const tern__pending *how, tern_status status,
                        const tern_call_opts *opts);

#endif
