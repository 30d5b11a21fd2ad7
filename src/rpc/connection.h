/* A session's connection: the engine session and route that a tern_session has at the moment. A connection that the
 * session has left is closed later: when no callback runs, or when the connection has no calls any more. */
#ifndef TERN_RPC_CONNECTION_H
#define TERN_RPC_CONNECTION_H

#include "rpc/endpoint.h"

/* With thousands of sessions a call's price is the pages that it touches (engine/session_record.h): what calls read
 * of a session is a pool buffer of one cache line, next to others of its kind, and the rest is elsewhere. */
struct tern_session {
    tern_endpoint *ep;
    tern__csession *cs; /* NULL: no connection was ever begun, or it could not */
    tern__port *port;
    const tern_method *checked; /* the last found to mean the same at both ends; NULL: none so far */
    struct tern__session_rest *rest;
    uint32_t n_blocked; /* functions that drive the endpoint for this session, which must outlive them */
    bool closing; /* closed: from inside a callback, and ends when the poll does; or it has ended, without a rest */
    tern_session *next_ended;
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

/* An engine session to close once no callback runs, or once it has no calls any more. */
typedef struct tern__closed {
    struct tern__closed *next;
    tern_session *session; /* whose it was */
    tern__csession *cs;
    tern__port *port;
    tern__route route;
} tern__closed;

/* Close a connection and give its route back; not under a callback of the engine. */
void tern__connection_close(tern_endpoint *ep, tern__csession *cs, tern__port *port, const tern__route *route);

/* The session leaves its connection and puts it into this list. Returns 0 or TERN_ERR_NOMEM. */
int tern__connection_leave(tern_session *s, tern__closed **list);

/* The session leaves its connection, which is closed once it has no calls any more. Returns 0 or TERN_ERR_NOMEM. */
int tern__connection_retire(tern_session *s);

#endif
