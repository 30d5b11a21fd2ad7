/* Packets that come in, requests and responses that go out: what is small and usual goes the short way (direct.c). */
#ifndef TERN_ENGINE_DIRECT_H
#define TERN_ENGINE_DIRECT_H

#include "engine/engine_config.h"

/* Packets came in: n descriptors. Any bytes whatever are safe here. */
void tern__engine_rx(tern__engine *engine, const tern__rx_packet *pkts, uint32_t n, tern_time now);

/* Send a request. `call` comes back in on_done. deadline is a point in time, 0 for none. A session that is DOWN
 * starts to connect anew. Packets are committed to the link but not flushed. Returns 0, TERN_ERR_FULL (backlog), _LIMIT
 * (size), _NOMEM, _INVALID; _CLOSED from a callback of this session's close; or TERN__NOT_ADMITTED: the server admits
 * no more calls of this session now, and nothing has happened. */
int tern__engine_request(tern__csession *session, uint32_t method, const tern__body *body, tern_time deadline,
                         void *call, tern_time now);

/* The same for raw bytes without a deadline, if that can be done at once and the short way. False: nothing has
 * happened. */
bool tern__engine_request_now(tern__csession *session, uint32_t method, tern_bytes raw, void *call, tern_time now);

/* Send the response of a request and end it. With status != OK the body is ignored, the metadata block before it
 * excepted, and may be NULL. Not flushed. Errors as tern_reply(): the request has ended in any case, and where the
 * block of an error could not be sent the status has gone without it. TERN_ERR_STATE from inside its on_gone. */
int tern__engine_respond(tern__request *request, int status, const tern__body *body, tern_time now);

/* The same for a body behind a metadata block. */
int tern__engine_respond_behind(tern__request *request, int status, const tern__behind *behind, tern_time now);

/* The same with status OK for raw bytes, if that can be done the short way. False: nothing has happened. */
bool tern__engine_respond_now(tern__request *request, tern_bytes raw, tern_time now);

#endif
