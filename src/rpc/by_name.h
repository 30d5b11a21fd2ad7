/* Connecting a session to a peer that is named.
 *
 * While a name is resolved and its addresses are tried, the session's connection is a placeholder: an engine session
 * with a route of its own that leads nowhere. Calls wait in the placeholder's backlog, where their deadlines and its
 * bounds hold, for connect_timeout at most. Each address that is tried has an engine session besides, an attempt. The
 * first attempt that the peer accepts wins: it becomes the session's connection and gets the calls. The last attempt
 * that is left when there is no other address to try wins too, accepted or not; from then on all is as for a numeric
 * address. The next attempt begins when one has failed, or TERN__ATTEMPT_GAP after the one before (RFC 8305).
 *
 * Invariant: attempts are begun and closed in tern__names_poll() or outside of polls, never under a callback of the
 * engine; what callbacks bring about is marked, and done by the next tern__names_poll(). */
#ifndef TERN_RPC_BY_NAME_H
#define TERN_RPC_BY_NAME_H

#include "port/resolve.h"
#include "rpc/connection.h"

#define TERN__ATTEMPT_GAP (250 * TERN_MS)

/* Begin to connect s, which has no connection, to host:port through s->port. s->cs is the placeholder afterwards.
 * Returns 0, TERN_ERR_LIMIT, _NOMEM or _IO. */
int tern__by_name_begin(tern_session *s, const char *host, uint16_t port);

/* An event of an engine session of s that is not its connection. True: that engine session is its connection now. */
bool tern__by_name_on_session(tern_session *s, const tern__csession *cs, tern__session_event event);

/* The session's placeholder is lost or given up: no attempt is to win any more. Harmless when there is none. */
void tern__by_name_end(tern_session *s);

/* The session is about to be freed: nothing here may refer to it any more. Not from a callback of the engine. */
void tern__by_name_forget(tern_session *s);

/* Do what is due; in a poll, but not under a callback of the engine. */
void tern__names_poll(tern_endpoint *ep);

/* When tern__names_poll() has something to do next; UINT64_MAX: when the resolver's descriptor is readable. */
tern_time tern__names_due(tern_endpoint *ep);

/* The endpoint's resolver, made if need be. */
int tern__names_resolver(tern_endpoint *ep, tern__resolver **out);

void tern__names_fini(tern_endpoint *ep);

#endif
