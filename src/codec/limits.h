/* The limits that decoders apply. */
#ifndef TERN_CODEC_LIMITS_H
#define TERN_CODEC_LIMITS_H

#include "base/sized.h"
#include "tern/codec.h"

/* Deeper than this no caller may allow: it bounds the recursion's stack. */
enum { DECODE_DEPTH_CEILING = 1000 };

extern const tern_limits tern__limits_default;

/* Limits of another version over the defaults, in *own. NULL: they were not initialised, or set a limit that is not
 * known here. */
const tern_limits *tern__limits_read(const tern_limits *given, tern_limits *own);

/* The limits to apply: those given, which may be NULL for the defaults. *own is room for those of another version.
 * NULL: TERN_ERR_INVALID. */
static inline const tern_limits *tern__limits_of(const tern_limits *given, tern_limits *own) {
    if (!given) return &tern__limits_default;
    return tern__sized_is_own(given, sizeof *given) ? given : tern__limits_read(given, own);
}

#endif
