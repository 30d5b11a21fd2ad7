/* How calls end, for whoever made them: with a response, read as the call's record says, or without one. The engine's
 * callbacks on_done and on_answer are here. */
#ifndef TERN_RPC_RESPONSE_H
#define TERN_RPC_RESPONSE_H

#include "rpc/pending.h"

void tern__client_on_done(void *user, void *call, int status, const tern__arrived *msg);
void tern__client_on_answer(void *user, void *call, int status, const tern__arrived *msg);

/* The call ends on this side, not OK: its record goes, and its user is told. */
void tern__client_finish_failed(tern_endpoint *ep, tern__pending *p, int status);
/* Tell whoever made a call that it has ended on this side, not OK, before or after the engine had it. */
void tern__client_tell_failed(tern_endpoint *ep, const tern__pending *how, int status);
/* The same of a call of which nothing was sent: only of the one that stood for it, and whose end is being told. */
void tern__client_tell_unsent(tern_endpoint *ep, const tern__pending *how, int status);

#endif
