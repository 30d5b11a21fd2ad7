/* Streaming calls at the server. */
#ifndef TERN_ENGINE_STREAM_SERVER_H
#define TERN_ENGINE_STREAM_SERVER_H

#include "engine/stream.h"

struct tern__ssession;
struct tern__server_stream_ops;

/* A packet with the flag STREAM. */
void tern__stream_server_rx(struct tern__ssession *ss, const tern__rx_packet *pkt, const tern__pkt_header *h,
                            uint32_t header_bytes, tern_time now);

/* Inside a callback of the stream: on_turn comes when it is the client's turn (turns.h), unless the call ends before.
 * Does nothing for a stream that waits already. */
void tern__stream_put_off(tern__stream *stream);

/* What server.c asks of streaming calls. */
extern const struct tern__server_stream_ops tern__server_stream_calls;

#endif
