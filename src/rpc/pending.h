/* Records of calls that were made and have not ended. */
#ifndef TERN_RPC_PENDING_H
#define TERN_RPC_PENDING_H

#include "rpc/endpoint.h"

/* How a call is finished: how its response is read, and which function gets the response. */
typedef enum tern__finish {
    TERN__FINISH_RAW,   /* `done` is a tern_done_fn, and gets the response's bytes */
    TERN__FINISH_TYPED, /* `thunk` calls `done` with the response as a message that lives as long as the callback */
    TERN__FINISH_OWNED  /* the same with a message that outlives the callback, until tern_release() */
} tern__finish;

/* A call that the engine has accepted, or that failed before the engine had it. A line of the cache. The functions
 * below make one, for every way to finish; nothing else says how a call is finished. */
typedef struct tern__pending {
    _Alignas(64) const tern_method *method; /* unless raw */
    tern__done_thunk *thunk;                /* unless raw */
    tern__any_fn *done;
    void *user;
    union {
        struct tern__pending *next;   /* in a free list or the ended list */
        struct tern_session *session; /* else, when the caller has a tern_call_ref, as is `serial` */
    };
    uint64_t serial;   /* of its tern_call_ref; 0 when there is none, and once the call has ended */
    uint32_t index;    /* of all tern_call_refs that the record ever has; 0: none so far */
    uint32_t retry_ms; /* in the ended list: when the server may admit calls again; 0: it has not said */
    uint8_t status;    /* in the ended list: a tern_status, ... */
    bool was_sent;     /* ... and whether the server may have begun the call */
    uint8_t finish;    /* tern__finish */
    bool borrows;      /* the caller, or the endpoint's configuration, asks for that */
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

/* A record that was taken becomes what `how` says; refs lead to it as before. */
static inline void tern__pending_fill(tern__pending *p, const tern__pending *how) {
    uint32_t index = p->index;
    *p = *how;
    p->index = index;
}

/* The record is free for the next call. */
static inline void tern__pending_give(tern_endpoint *ep, tern__pending *p) {
    p->serial = 0;
    p->next = ep->free_pending;
    ep->free_pending = p;
}

/* Call the function that waits for the response. The caller has given the record back, or holds a copy. */
static inline void tern__pending_tell(uint8_t finish, tern__done_thunk *thunk, tern__any_fn *done, void *user,
                                      int status, const void *response) {
    if (finish == TERN__FINISH_RAW)
        ((tern_done_fn *)done)(user, status, response);
    else
        thunk(done, user, status, response);
}

#endif
