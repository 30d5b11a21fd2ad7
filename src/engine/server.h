/* What the engine does at a server (server.c). */
#ifndef TERN_ENGINE_SERVER_H
#define TERN_ENGINE_SERVER_H

#include "engine/request.h"

void tern__server_rx_req(tern__ssession *ss, const tern__rx_packet *pkt, const tern__pkt_header *h,
                         uint32_t header_bytes, tern_time now);
/* As tern__engine_respond(), for messages of any kind. */
int tern__server_respond(tern__request *request, int status, const tern__body *body, tern_time now);
/* The same for a response, or the metadata block of an error, that has been encoded; it is the engine's afterwards. */
int tern__server_respond_out(tern__request *request, int status, tern__out *out, tern_time now);
/* The turn of a request that waits has come: it runs, unless its deadline has passed. */
void tern__server_run_waiting(tern__request *request);
/* Send the acknowledgement that was delayed; there is one. */
void tern__server_ack_delayed(tern__engine *engine);
/* The record for a request of this number, which is new to its slot. NULL: it was rejected. */
tern__request *tern__server_slot(tern__ssession *ss, uint32_t req);
/* When the client gives up, by what this packet says. */
tern_time tern__server_stated_deadline(const tern__pkt_header *h, tern_time now);
void tern__server_rx_rfr(tern__ssession *ss, const tern__pkt_header *h);
/* The client has had the responses up to these request numbers. */
void tern__server_completed(tern__ssession *ss, const uint8_t *numbers);
/* The client no longer waits for this request. */
void tern__server_rx_cancel(tern__ssession *ss, const tern__pkt_header *h);
void tern__server_pump(tern__ssession *ss);
/* Probe a silent client, forget a dead one (the session is gone then), or set the timer anew. */
void tern__server_timer(tern__ssession *ss, tern_time now);
/* on_gone for what runs, then forget the session. */
void tern__server_drop(tern__ssession *ss, tern__why why);

/* What lower files ask of a server's session. */
extern const tern__role_ops tern__server_role;

#endif
