/* Calls that their callers give up (cancel.c). */
#ifndef TERN_ENGINE_CANCEL_H
#define TERN_ENGINE_CANCEL_H

#include "engine/engine_config.h"

/* Give up a call that has not ended: it ends now, without on_done, and the server is told. Not flushed. False, and
 * nothing has happened, when no such call is pending on this session. */
bool tern__engine_cancel(tern__csession *session, const void *call, tern_time now);

#endif
