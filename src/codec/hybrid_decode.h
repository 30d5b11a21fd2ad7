/* The hybrid decoder where others may write to the input meanwhile (format.h, decode_lent). */
#ifndef TERN_CODEC_HYBRID_DECODE_H
#define TERN_CODEC_HYBRID_DECODE_H

#include "tern/codec.h"

/* As tern_hybrid_decode_pieces(); lent: of each piece whether it is; NULL: none is. */
int tern__hybrid_decode_pieces(const tern_type *type, const tern_bytes *pieces, const bool *lent, size_t n,
                               tern_arena *arena, const tern_limits *limits, void *msg);

#endif
