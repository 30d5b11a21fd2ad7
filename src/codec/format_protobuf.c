/* The protobuf format as the engine sees it: understood by everyone, whatever the types. */
#include "codec/format_protobuf.h"

#include "codec/protobuf_decode.h"
#include "codec/protobuf_sg.h"

TERN__FORMAT_STATE_FITS(tern__protobuf_parts);

static int plan_protobuf(const tern_type *type, const void *msg, size_t threshold, tern__format_plan *plan) {
    tern__protobuf_parts *parts = (void *)plan->state;
    parts->threshold = threshold;
    int64_t size = tern__protobuf_measure(type, msg, parts);
    if (size < 0) return (int)size;
    plan->inplace_bytes = (uint32_t)parts->inplace_bytes;
    plan->head_bytes = (uint32_t)size - plan->inplace_bytes;
    plan->copied_bytes = (uint32_t)parts->copied_bytes;
    plan->n_inplace = parts->n_inplace;
    return 0;
}

static int write_protobuf(const tern_type *type, const void *msg, const tern__format_plan *plan, uint8_t *head,
                          const tern__format_sink *sink) {
    const tern__protobuf_parts *parts = (const void *)plan->state;
    if (plan->n_inplace) {
        uint32_t size = plan->head_bytes + plan->inplace_bytes;
        return tern__protobuf_write(type, msg, size, parts, head, sink->values);
    }
    int64_t len = tern_protobuf_encode(type, msg, head, plan->head_bytes);
    return len == plan->head_bytes ? 0 : TERN_ERR_INVALID;
}

static int decode_protobuf(const tern_type *type, const tern_bytes *pieces, size_t n, tern_arena *arena,
                           const tern_limits *limits, void *msg) {
    if (n == 1) return tern_protobuf_decode(type, pieces->data, pieces->len, arena, TERN_DECODE_ALIAS, limits, msg);
    return tern_protobuf_decode_pieces(type, pieces, n, arena, TERN_DECODE_ALIAS, limits, msg);
}

static int decode_lent_protobuf(const tern_type *type, tern_bytes *pieces, bool *lent, size_t n, tern_arena *arena,
                                const tern_limits *limits, void *msg) {
    return tern__protobuf_decode_lent(type, pieces, lent, n, arena, limits, msg);
}

const tern__format tern__format_protobuf = {
    .name = "protobuf",
    .number = TERN_FORMAT_PROTOBUF,
    .flags = TERN__FORMAT_UNIVERSAL,
    .pieces_per_value = 2,
    .plan = plan_protobuf,
    .write = write_protobuf,
    .decode = decode_protobuf,
    .decode_lent = decode_lent_protobuf,
};
