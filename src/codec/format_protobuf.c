/* The protobuf format as the engine sees it: understood by everyone, whatever the types. */
#include "codec/format_protobuf.h"

static int plan_protobuf(const tern_type *type, const void *msg, size_t threshold, tern__format_plan *plan) {
    (void)threshold;
    int64_t size = tern_protobuf_size(type, msg);
    if (size < 0) return (int)size;
    plan->head_bytes = plan->copied_bytes = (uint32_t)size;
    plan->inplace_bytes = plan->n_inplace = 0;
    return 0;
}

static int write_protobuf(const tern_type *type, const void *msg, const tern__format_plan *plan, uint8_t *head,
                          const tern__format_sink *sink) {
    (void)sink;
    int64_t len = tern_protobuf_encode(type, msg, head, plan->head_bytes);
    return len == plan->head_bytes ? 0 : TERN_ERR_INVALID;
}

static int decode_protobuf(const tern_type *type, const tern_bytes *pieces, size_t n, tern_arena *arena,
                           const tern_limits *limits, void *msg) {
    if (n == 1) return tern_protobuf_decode(type, pieces->data, pieces->len, arena, TERN_DECODE_ALIAS, limits, msg);
    return tern_protobuf_decode_pieces(type, pieces, n, arena, TERN_DECODE_ALIAS, limits, msg);
}

const tern__format tern__format_protobuf = {
    .name = "protobuf",
    .number = TERN_FORMAT_PROTOBUF,
    .flags = TERN__FORMAT_UNIVERSAL,
    .pieces_per_value = 0,
    .plan = plan_protobuf,
    .write = write_protobuf,
    .decode = decode_protobuf,
};
