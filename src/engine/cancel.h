/* Calls that their callers give up (cancel.c). */
#ifndef TERN_ENGINE_CANCEL_H
#define TERN_ENGINE_CANCEL_H

#include "engine/engine_config.h"

typedef enum tern__cancelled {
    TERN__CANCELLED_NOT,    /* no such call is pending on this session, and nothing has happened */
    TERN__CANCELLED_SENT,   /* the call has ended; its handler may have run */
    TERN__CANCELLED_UNSENT, /* the same, and nothing of the call had left */
} tern__cancelled;

/* Give up a call that has not ended: it ends now, without on_done, and the server is told. Not flushed. */
tern__cancelled tern__engine_cancel(tern__csession *session, const void *call, tern_time now);

#endif
