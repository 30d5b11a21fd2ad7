/* Metadata of streaming calls: blocks as the engine carries them (engine/stream_meta.h) from and to the users of
 * streams, and what came of a call (tern_result). */
#ifndef TERN_RPC_STREAM_METADATA_H
#define TERN_RPC_STREAM_METADATA_H

#include "rpc/result.h"
#include "rpc/stream_record.h"

/* What goes along with an error; all of it may be empty. */
typedef struct tern__stream_error {
    const char *message; /* NULL: none */
    tern_bytes details;
    const tern_pair *trailing;
    size_t n_trailing;
} tern__stream_error;

/* Takes what came with the request from the engine's stream. Returns OK; or the status to refuse the call with, because
 * the block breaks the rules, and *text says why. */
int tern__stream_metadata_open(tern_stream *s, tern__stream *st, const char **text);

/* End the engine's stream st with a status, and with the stream's trailing metadata and, of an error, what `error` has;
 * NULL: nothing. s may be NULL: there is no trailing metadata. at_once: what was not sent is dropped. Returns 0;
 * TERN_ERR_LIMIT, _INVALID (a key) or _NOMEM when something did not go along: then the status, and memory permitting
 * the message, have gone alone. */
int tern__stream_metadata_end(tern_endpoint *ep, tern_stream *s, tern__stream *st, int status,
                              const tern__stream_error *error, bool at_once, tern_time now);

/* Client, in the engine's on_end: takes what came with the response. */
void tern__stream_metadata_close(tern_stream *s, tern__stream *st);

/* Client: what came of the call that ends with *status, which becomes another where the server's block breaks the
 * rules. Returns false when there is nothing to tell. *result points into the stream's record. */
bool tern__stream_result(const tern_stream *s, int *status, tern_result *result);

/* Give all of that back. */
void tern__stream_metadata_fini(tern_stream *s);

#endif
