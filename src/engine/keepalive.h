/* Whether the server of a session lives (keepalive.c). */
#ifndef TERN_ENGINE_KEEPALIVE_H
#define TERN_ENGINE_KEEPALIVE_H

#include "engine/engine_config.h"

/* While no call is in flight the server is asked after so long a silence whether it lives; 0: never. Overrides the
 * config's, until the session is freed. */
void tern__engine_session_keep(tern__csession *session, tern_dur keepalive, tern_time now);

/* ---- For the files of src/engine ------------------------------------------------------------------ */
/* Ask an idle session's server whether it lives, and set ping_at. False: it does not, and the session is lost. */
bool tern__client_keepalive(tern__csession *cs, tern_time now);
/* The same for a session with calls on a reliable link, if it is time. */
bool tern__client_watch(tern__csession *cs, tern_time now);
/* When to look again at a session with calls; TERN__NEVER: only when something else is due. */
tern_time tern__client_watch_due(const tern__csession *cs, tern_time now);

#endif
