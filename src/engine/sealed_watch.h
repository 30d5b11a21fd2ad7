/* What a sealed session asks its peer: whether it is in our key phase, and, after a REFUSE, whether it knows the
 * session (sealed_watch.c). */
#ifndef TERN_ENGINE_SEALED_WATCH_H
#define TERN_ENGINE_SEALED_WATCH_H

#include "engine/sealed.h"

/* A REFUSE says that the peer does not know the session. Anybody who sees the packets could have sent that: the peer is
 * asked, and the session is lost if no packet of the peer's opens within a few RTOs. */
void tern__sealed_doubt(tern__session *s, tern_time now);

/* Asks what is to be asked now. False: the session is lost. */
bool tern__sealed_watch(tern__session *s, tern_time now);

/* When to do that next; TERN__NEVER while nothing is to be asked. */
tern_time tern__sealed_due(const tern__session *s);

#endif
