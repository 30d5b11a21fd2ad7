/* Bytes and messages that arrive on a stream: they are handed to the stream's user, or wait while the user does not
 * want them. stream.c decides what becomes of the call (tern__stream_in_events). */
#ifndef TERN_RPC_STREAM_IN_H
#define TERN_RPC_STREAM_IN_H

#include "rpc/stream_record.h"

void tern__stream_in_init(tern__stream_record *s);
void tern__stream_in_fini(tern__stream_record *s);
/* Bytes have arrived. */
void tern__stream_in(tern__stream_record *s, const void *data, uint32_t len);
/* Hand over what waits, as far as that is wanted; then on_finished and on_end if they are due. */
void tern__stream_in_release(tern__stream_record *s);
int64_t tern__stream_in_read(tern__stream_record *s, void *to, size_t cap);
/* The peer's half stops inside a message. */
bool tern__stream_in_is_cut(const tern__stream_record *s);

#endif
