/* The hybrid format as the engine sees it. */
#ifndef TERN_CODEC_FORMAT_HYBRID_H
#define TERN_CODEC_FORMAT_HYBRID_H

#include "codec/format.h"

extern const tern__format tern__format_hybrid;

#endif
