/* Metadata of streaming calls: blocks as the engine carries them (engine/stream_meta.h) from and to the users of
 * streams, and what came of a call (tern_result). */
#ifndef TERN_RPC_STREAM_METADATA_H
#define TERN_RPC_STREAM_METADATA_H

#include "rpc/metadata.h"
#include "rpc/result.h"
#include "rpc/stream_record.h"

/* Takes what came with the request from the engine's stream. Returns OK; or the status to refuse the call with, because
 * the block breaks the rules, and *text says why. */
int tern__stream_metadata_open(tern__stream_record *s, tern__stream *st, const char **text);

/* End the engine's stream st with a status, and with the stream's trailing metadata and, of an error, what `error` has;
 * NULL: nothing. s may be NULL: there is no trailing metadata. at_once: what was not sent is dropped. Returns 0;
 * or as tern__meta_make_error() when something did not go along. */
int tern__stream_metadata_end(tern_endpoint *ep, tern__stream_record *s, tern__stream *st, int status,
                              const tern__meta_error *error, bool at_once, tern_time now);

/* Client, in the engine's on_end: takes what came with the response. */
void tern__stream_metadata_close(tern__stream_record *s, tern__stream *st);

/* Client: what came of the call that ends with *status, which becomes another where the server's block breaks the
 * rules. Returns false when there is nothing to tell. *result points into the stream's record. */
bool tern__stream_result(const tern__stream_record *s, int *status, tern_result *result);

/* Give all of that back. */
void tern__stream_metadata_fini(tern__stream_record *s);

#endif
