/* What a client has begun and does not go on with ends: a PONG is no progress (docs/protocol.md, Limits). */
#ifndef TERN_ENGINE_PROGRESS_H
#define TERN_ENGINE_PROGRESS_H

#include "engine/engine_record.h"

#define TERN__STILL (5 * TERN_SEC)     /* a half-received request of which nothing more comes */
#define TERN__UNFETCHED (6 * TERN_SEC) /* a response of which the client asks for no more */
#define TERN__UNOPENED (5 * TERN_SEC)  /* a session on which nothing has come: its client is asked whether it lives */

/* These times pass while the client makes no progress in any call or stream of the session, and none of the calls waits
 * for its handler: they share the client's credits. Whoever sends just enough to go on keeps what it has only as
 * long as nobody else needs it: the slowest give first (reclaim.h). */

/* Give up the requests and responses of the session that are due. Returns when the next one may be, or TERN__NEVER. */
tern_time tern__progress_check(tern__ssession *ss, tern_time now);

#endif
