/* Streaming calls at the client. */
#ifndef TERN_ENGINE_STREAM_CLIENT_H
#define TERN_ENGINE_STREAM_CLIENT_H

#include "engine/stream.h"

struct tern__client_stream_ops;

/* Client: begin a streaming call. It leaves with the first flush, or at the next tick. Returns 0, TERN_ERR_FULL
 * (backlog), _NOMEM, _CLOSED. */
int tern__stream_open(tern__csession *session, uint32_t method, const tern__stream_opts *opts, void *stream_user,
                      tern_time now, tern__stream **out);

/* Client: an unreleased stream may leave, with what was written so far, over this session or another on the same link.
 * From now on the messages of both halves are in `format`, as tern__stream_opts has it. Returns 0 or, and the stream is
 * as it was, TERN_ERR_FULL (backlog), _CLOSED. */
int tern__stream_release(tern__stream *stream, tern__csession *session, uint8_t format, tern_time now);

/* ---- For the files of src/engine ------------------------------------------------------------------ */
/* A packet with the flag STREAM. */
void tern__stream_client_rx(tern__csession *cs, const tern__rx_packet *pkt, const tern__pkt_header *h,
                            uint32_t header_bytes, tern_time now);

/* What client.c asks of streaming calls. */
extern const struct tern__client_stream_ops tern__client_stream_calls;

#endif
