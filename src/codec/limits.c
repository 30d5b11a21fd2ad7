/* The limits that decoders apply when the caller names none. */
#include "tern/codec.h"

const tern_limits tern_limits_default = {
    .max_bytes = (size_t)64 << 20, .max_elements = (size_t)16 << 20, .max_depth = 101};
