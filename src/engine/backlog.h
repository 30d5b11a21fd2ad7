/* Requests of which nothing has been sent (backlog.c). */
#ifndef TERN_ENGINE_BACKLOG_H
#define TERN_ENGINE_BACKLOG_H

#include "engine/engine_config.h"

/* Whether no call is pending. */
bool tern__engine_session_is_idle(const tern__csession *session);

/* Whether there are calls of which nothing has been sent. */
bool tern__engine_session_has_backlog(const tern__csession *session);

/* Requests of which nothing has been sent wait on another session instead, of the same link, also those that have a
 * slot already; streaming ones and those for which there is no room stay. Returns how many moved. */
uint32_t tern__engine_move_backlog(tern__csession *from, tern__csession *to, tern_time now);

#endif
