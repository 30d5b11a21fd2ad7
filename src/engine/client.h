/* What the engine does at a client (client.c). */
#ifndef TERN_ENGINE_CLIENT_H
#define TERN_ENGINE_CLIENT_H

#include "engine/call.h"

void tern__client_rx_cr(tern__csession *cs, const tern__pkt_header *h, tern_time now);
void tern__client_rx_resp(tern__csession *cs, const tern__rx_packet *pkt, const tern__pkt_header *h,
                          uint32_t header_bytes, tern_time now);
/* As tern__engine_request(), for messages of any kind. */
int tern__client_request(tern__csession *cs, uint32_t method, const tern__body *body, tern_time deadline, void *call,
                         tern_time now);
/* Send what credits and link allow. */
void tern__client_pump(tern__csession *cs, tern_time now);
/* Do what is due and set the timer anew. */
void tern__client_timer(tern__csession *cs, tern_time now);
/* End every pending call; the session must be neither OPEN nor CONNECTING by then. begun: of each slot the last request
 * that the server has begun, if that is known. */
void tern__client_fail_all(tern__csession *cs, int status, const uint32_t *begun);
/* Put a request behind those that wait for a slot, and start those that need not wait. Returns 0, TERN_ERR_FULL. */
int tern__client_enqueue(tern__csession *cs, tern__out *out, tern_time now);
void tern__client_dequeue(tern__csession *cs, tern__out *out);
/* Send what is marked in cs->unsent, as far as credits and link allow. Runs no callback. */
void tern__client_send_unsent(tern__csession *cs, tern_time now);
/* Free slot i without a word to its user. */
void tern__client_abandon(tern__csession *cs, uint32_t i, tern_time now);
/* The call in slot i ends. */
void tern__client_complete(tern__csession *cs, uint32_t i, int status, const tern__arrived *msg, tern_time now);

/* What lower files ask of a client's session. */
extern const tern__role_ops tern__client_role;

#endif
