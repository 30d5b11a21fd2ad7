/* The hybrid format as the engine sees it: tern's own, with all values in place behind the head. */
#include "codec/format_hybrid.h"

#include "codec/hybrid_decode.h"

TERN__FORMAT_STATE_FITS(tern_hybrid_plan);

static int plan_hybrid(const tern_type *type, const void *msg, size_t threshold, tern__format_plan *plan) {
    tern_hybrid_plan *own = (void *)plan->state;
    int err = tern_hybrid_measure(type, msg, threshold, own);
    if (err) return err;
    plan->head_bytes = own->head_bytes;
    plan->copied_bytes = own->head_bytes - own->header_bytes;
    plan->inplace_bytes = own->inplace_bytes;
    plan->n_inplace = own->n_inplace;
    return 0;
}

static int write_hybrid(const tern_type *type, const void *msg, const tern__format_plan *plan, uint8_t *head,
                        const tern__format_sink *sink) {
    const tern_hybrid_plan *own = (const void *)plan->state;
    return tern_hybrid_write(type, msg, own, head, sink ? sink->post : NULL, sink ? sink->ctx : NULL);
}

static int decode_hybrid(const tern_type *type, const tern_bytes *pieces, size_t n, tern_arena *arena,
                         const tern_limits *limits, void *msg) {
    if (n != 1) return tern_hybrid_decode_pieces(type, pieces, n, arena, limits, msg);
    return tern_hybrid_decode(type, pieces->data, pieces->len, arena, limits, msg);
}

static int decode_lent_hybrid(const tern_type *type, tern_bytes *pieces, bool *lent, size_t n, tern_arena *arena,
                              const tern_limits *limits, void *msg) {
    return tern__hybrid_decode_pieces(type, pieces, lent, n, arena, limits, msg);
}

const tern__format tern__format_hybrid = {
    .name = "hybrid",
    .number = TERN_FORMAT_HYBRID,
    .flags = TERN__FORMAT_SAME_TYPES,
    .pieces_per_value = 1,
    .plan = plan_hybrid,
    .write = write_hybrid,
    .decode = decode_hybrid,
    .decode_lent = decode_lent_hybrid,
};
