/* Short packets of streams share the open run of their session (link.h) with short messages: they are copied there, and
 * leave together. */
#ifndef TERN_ENGINE_STREAM_RUN_H
#define TERN_ENGINE_STREAM_RUN_H

#include "engine/stream_record.h"

/* Puts a packet with this header and the `len` bytes of the half from offset `start` on into the run. Returns false,
 * with nothing done, if the run has no place for the packet or the bytes lie apart. */
bool tern__stream_send_in_run(tern__stream *st, const tern__pkt_header *h, uint64_t start, uint32_t len);

#endif
