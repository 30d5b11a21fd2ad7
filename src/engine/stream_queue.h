/* What is written to a stream waits in its queue, as chunks of copied bytes and as values in place, until it has left
 * and nobody will ask for it again; and what of it is on the account of the server's client. */
#ifndef TERN_ENGINE_STREAM_QUEUE_H
#define TERN_ENGINE_STREAM_QUEUE_H

#include "engine/stream_record.h"

/* Server: the stream has bytes on the account, from now on until it ends. */
void tern__stream_enlist(tern__stream *st);

/* A client that grants nothing has its server hold what was written: `len` bytes more are to wait. What a client
 * writes itself is its own affair. Returns 0; TERN_ERR_FULL: the client holds too much already, and on_writable
 * follows; TERN_ERR_NOMEM: likewise, and nothing of this stream waits, so that nothing will tell when there is room. */
int tern__stream_count_output(tern__stream *st, uint64_t len);

/* Some of what waited has gone. What stays counted is what is kept for what is written next, and, as long as something
 * waits, a step more, so that not each packet counts. */
void tern__stream_uncount_output(tern__stream *st);

/* Add bytes at the end, in place where the memory rule has it so; as tern__stream_write() without its checks. */
int tern__stream_append_raw(tern__stream *st, const void *data, size_t len);
/* The same as a copy; len > 0 has been counted. All or nothing. */
int tern__stream_append_copy(tern__stream *st, const void *data, uint32_t len);
/* The same, a message behind its prefix. */
int tern__stream_append_object(tern__stream *st, const tern__body *body);

/* Nothing before `upto` is needed any more. */
void tern__stream_release_until(tern__stream *st, uint64_t upto);

#endif
