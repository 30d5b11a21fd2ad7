/* Calls, the client's side: ways to start a call, and what becomes of sessions. */
#ifndef TERN_RPC_CLIENT_H
#define TERN_RPC_CLIENT_H

#include "rpc/connection.h"
#include "rpc/response.h"

void tern__client_on_session(void *user, tern__csession *cs, void *session_user, tern__session_event event);
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
/* End a call that is not begun, from a later poll. Returns TERN__CALL_WAITS or TERN_ERR_NOMEM. */
int tern__client_refuse(tern_session *session, const tern__pending *how, tern_status status,
                        const tern_call_opts *opts);

#endif
