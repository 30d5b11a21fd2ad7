/* How a session ends (session.c). */
#ifndef TERN_ENGINE_SESSION_H
#define TERN_ENGINE_SESSION_H

#include "engine/engine_record.h"

/* Why a session is over. */
typedef struct tern__loss {
    int status; /* that pending calls end with */
    tern__why why;
    uint16_t code, detail; /* of a REFUSE; else 0 */
    const uint32_t *begun; /* the last request of each slot that the server has begun; NULL: that is not known */
} tern__loss;
/* A client's session that is not open: for what is written before the next server has named its formats. The format of
 * the last server stands if every peer reads it. */
void tern__session_assume_format(tern__session *s);

/* The session is over: what is pending ends. */
void tern__session_lose(tern__session *s, const tern__loss *loss);
/* What a server's GOAWAY and DISCONNECT carry: the session's number at the server, the number of slots, and the last
 * request of each that has begun. Returns the length, at most TERN__BEGUN_BYTES. */
enum { TERN__BEGUN_BYTES = 8 + 4 * TERN__N_SLOTS };
uint32_t tern__session_write_begun(const tern__session *s, uint8_t *out);
/* The peer is gone: fails everything, forgets a server session, puts a client session DOWN. */
void tern__session_lose_for(tern__session *s, tern__why why);
/* A server's session has begun, or has ended for this reason: whoever watches is told. */
void tern__session_tell_of_client(const tern__session *s, bool has_ended, tern__why why);
void tern__session_say_goodbye(tern__session *s); /* DISCONNECT, if the session is open */

#endif
