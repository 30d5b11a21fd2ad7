/* Responses made ready outside the engine's thread: a worker encodes, the engine's thread sends.
 *
 * Invariant: the encoder reads nothing of the engine, and of the link only what never changes; and a message made ready
 * holds its own references. So neither thread waits for the other. */
#ifndef TERN_ENGINE_READY_H
#define TERN_ENGINE_READY_H

#include "engine/message_record.h"

/* What the encoding of a response depends on. Valid as long as the link, also when request and engine are gone. */
typedef struct tern__terms {
    tern__plan_limits limits;
    tern__link *link;
    const tern__path *path;
    uint32_t payload_bytes;
    const tern__format *best; /* the format of a response that leaves the choice to us */
} tern__terms;

/* A message that only has to be sent. */
typedef struct tern__ready {
    struct tern__out *out;                           /* NULL: none */
    uint32_t copied_bytes, n_inplace, inplace_bytes; /* as of the message's plan */
} tern__ready;

void tern__request_terms(const tern__request *request, tern__terms *terms);

/* Encode a response and take references on what is sent in place. Any thread. Returns 0, TERN_ERR_LIMIT, _NOMEM or
 * _INVALID. */
int tern__ready_make(const tern__terms *terms, const tern__body *body, tern__ready *ready);

/* Whether a request could be encoded for this session: 0, TERN_ERR_LIMIT or _INVALID. The engine's thread. */
int tern__ready_check(const tern__csession *session, const tern__body *body);

/* Give back what was never sent. Any thread. */
void tern__ready_drop(tern__ready *ready);

/* As tern__engine_respond(). The message, of an error its metadata block alone, is the engine's afterwards. */
int tern__engine_respond_ready(tern__request *request, int status, tern__ready *ready, tern_time now);

#endif
