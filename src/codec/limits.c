/* The limits that decoders apply (limits.h). */
#include "codec/limits.h"

const tern_limits tern__limits_default = {
    .size = sizeof(tern_limits), .max_bytes = (size_t)64 << 20, .max_elements = (size_t)16 << 20, .max_depth = 101};

void tern_limits_init_sized(tern_limits *limits, size_t size) {
    tern__sized_init(limits, size, &tern__limits_default, sizeof tern__limits_default);
}

const tern_limits *tern__limits_read(const tern_limits *given, tern_limits *own) {
    *own = tern__limits_default;
    return tern__sized_read(own, sizeof *own, given) == TERN__SIZED_FINE ? own : NULL;
}
