/* What came of a call beyond its response (tern_result): read from the metadata block of the server's answer, or made
 * here where tern itself ended the call. */
#ifndef TERN_RPC_RESULT_H
#define TERN_RPC_RESULT_H

#include "rpc/endpoint.h"
#include "rpc/metadata.h"

/* Points into the answer, static text, or the same buffer behind it (tern__result_keep()). */
struct tern_result {
    tern_status status;
    tern_str message;
    tern_bytes details;
    tern_metadata metadata;
    tern_dur retry_after; /* 0: none */
    bool has_not_run;     /* tern_call_has_not_run() */
};

/* The result of an answer of the server; it points into msg. Returns 0; or TERN_ERR_MALFORMED or _LIMIT, and the result
 * has the answer's status and a message that says so. */
int tern__result_read(const tern_endpoint *ep, int status, const tern__arrived *msg, tern_result *out);

/* That of the call whose end is being told and that ended without an answer of the server, or with one that is a status
 * alone: its message says why where tern itself has ended the call. */
tern_result tern__result_here(const tern_endpoint *ep, int status);

/* Why the session of the call whose end is being told was lost or closed, where that has ended the call with `status`;
 * else NULL. Static text. */
const char *tern__result_loss(const tern_endpoint *ep, int status);

/* Around the end of a call of which nothing was sent: whoever is told may ask, and hears so. */
typedef struct tern__telling {
    bool ended, not_run;
} tern__telling;
tern__telling tern__tell_unsent_begin(tern_endpoint *ep);
void tern__tell_unsent_end(tern_endpoint *ep, tern__telling outer);

/* A copy of what the continuation that runs may ask for, in a pool buffer of its own. NULL: there is nothing to tell,
 * or memory is out. */
const tern_result *tern__result_keep(const tern_endpoint *ep);

#endif
