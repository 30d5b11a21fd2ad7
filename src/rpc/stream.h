/* Streaming calls: what the engine and the endpoint tell them. */
#ifndef TERN_RPC_STREAM_H
#define TERN_RPC_STREAM_H

#include "rpc/stream_record.h"

extern const struct tern__stream_callbacks tern__stream_events;
void tern__streams_run_due(tern_endpoint *ep);
/* The session has got the connection that its name stands for: streams that waited go over it. */
void tern__streams_move(const tern_session *s);
/* The endpoint goes: those whose calls have ended already are told now, whatever they have not read; the others when
 * the engine ends theirs. */
void tern__streams_leave(tern_endpoint *ep);
void tern__streams_fini(tern_endpoint *ep);

#endif
