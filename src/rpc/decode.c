/* From a payload to what a handler or continuation is given. */
#include "rpc/decode.h"

static int status_of_decode(int err) {
    switch (err) {
    case 0: return TERN_STATUS_OK;
    case TERN_ERR_LIMIT:
    case TERN_ERR_NOMEM: return TERN_STATUS_RESOURCE_EXHAUSTED;
    default: return TERN_STATUS_INTERNAL;
    }
}

int tern__decode(const tern_type *type, const tern__arrived *msg, size_t prefix_bytes, size_t max_bytes,
                 tern_arena *arena, void **out) {
    char *memory = tern_arena_alloc(arena, prefix_bytes + type->size_bytes);
    if (!memory) return TERN_STATUS_RESOURCE_EXHAUSTED;
    *out = memory;
    void *value = memory + prefix_bytes;
    tern_limits limits = tern_limits_default;
    if (limits.max_bytes < max_bytes) limits.max_bytes = max_bytes;
    switch (msg->format) {
    case TERN_FORMAT_HYBRID:
        return status_of_decode(tern_hybrid_decode(type, msg->data, msg->len, arena, &limits, value));
    case TERN_FORMAT_PROTOBUF:
        return status_of_decode(
            tern_protobuf_decode(type, msg->data, msg->len, arena, TERN_DECODE_ALIAS, &limits, value));
    default: return TERN_STATUS_INTERNAL;
    }
}
