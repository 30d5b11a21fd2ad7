/* The protobuf decoder where others may write to the input meanwhile (format.h, decode_lent). */
#ifndef TERN_CODEC_PROTOBUF_DECODE_H
#define TERN_CODEC_PROTOBUF_DECODE_H

#include "tern/codec.h"

/* As tern_protobuf_decode_pieces(), with TERN_DECODE_ALIAS. Both arrays may be overwritten. */
int tern__protobuf_decode_lent(const tern_type *type, tern_bytes *pieces, bool *lent, size_t n, tern_arena *arena,
                               const tern_limits *limits, void *msg);

#endif
