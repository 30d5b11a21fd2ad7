/* Going away in good order (drain.c). */
#ifndef TERN_ENGINE_DRAIN_H
#define TERN_ENGINE_DRAIN_H

#include "engine/engine_config.h"

struct tern__session;
struct tern__ssession;

/* Accept no more sessions; have the clients of those that there are go away. What runs may finish until the
 * deadline, a point in time; then the sessions are ended. Client sessions are not concerned. */
void tern__engine_drain(tern__engine *engine, tern_time deadline, tern_time now);

/* Whether it has come to that: no client has a session here any more, and none will. */
bool tern__engine_is_drained(const tern__engine *engine);

/* ---- For the files of src/engine ------------------------------------------------------------------ */
/* Tell the client to go away, as often as it takes. Returns when to do so next, or the deadline. */
tern_time tern__server_drain(struct tern__ssession *ss, tern_time now);
/* A GOAWAY came. */
void tern__session_rx_goaway(struct tern__session *s);

#endif
