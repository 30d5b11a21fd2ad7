/* Small responses that may have to be sent again (cached_reply.c). */
#ifndef TERN_ENGINE_CACHED_REPLY_H
#define TERN_ENGINE_CACHED_REPLY_H

#include "engine/engine_record.h"

/* Room for len bytes, at most TERN__MAX_CACHED_REPLY, as the cached reply of slot i. NULL: no memory. */
static inline tern__cached_reply *tern__cached_reply_room(tern__ssession *ss, uint32_t i, uint32_t len);
tern__cached_reply *tern__cached_reply_make(tern__ssession *ss, uint32_t i, uint32_t len);
/* Send the cached reply of slot i again. False: the link is full. */
bool tern__cached_reply_send(tern__ssession *ss, uint32_t i);
/* Forget it, and give its memory back. */
void tern__cached_reply_drop(tern__ssession *ss, uint32_t i);

static inline tern__cached_reply *tern__cached_reply_room(tern__ssession *ss, uint32_t i, uint32_t len) {
    tern__cached_reply *reply = *tern__cached_reply_of(ss, i);
    return reply && reply->room >= len ? reply : tern__cached_reply_make(ss, i, len);
}

#endif
