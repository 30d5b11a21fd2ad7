/* The hybrid format as the engine sees it: tern's own, with all values in place behind the head. */
#include "codec/format_hybrid.h"

#include "codec/limits.h"

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

/* The decoder takes one piece: several are put together in the arena. */
static __attribute__((noinline)) int decode_gathered(const tern_type *type, const tern_bytes *pieces, size_t n,
                                                     tern_arena *arena, const tern_limits *limits, void *msg) {
    size_t len = 0, at = 0;
    for (size_t i = 0; i < n; i++)
        if (__builtin_add_overflow(len, pieces[i].len, &len)) return TERN_ERR_LIMIT;
    tern_limits own;
    const tern_limits *bounds = tern__limits_of(limits, &own);
    if (!bounds) return TERN_ERR_INVALID;
    if (len > bounds->max_bytes) return TERN_ERR_LIMIT;
    uint8_t *whole = tern_arena_alloc(arena, len ? len : 1);
    if (!whole) return TERN_ERR_NOMEM;
    for (size_t i = 0; i < n; i++) {
        if (pieces[i].len) memcpy(whole + at, pieces[i].data, pieces[i].len);
        at += pieces[i].len;
    }
    return tern_hybrid_decode(type, whole, len, arena, limits, msg);
}

static int decode_hybrid(const tern_type *type, const tern_bytes *pieces, size_t n, tern_arena *arena,
                         const tern_limits *limits, void *msg) {
    if (n != 1) return decode_gathered(type, pieces, n, arena, limits, msg);
    return tern_hybrid_decode(type, pieces->data, pieces->len, arena, limits, msg);
}

const tern__format tern__format_hybrid = {
    .name = "hybrid",
    .number = TERN_FORMAT_HYBRID,
    .flags = TERN__FORMAT_SAME_TYPES,
    .pieces_per_value = 1,
    .plan = plan_hybrid,
    .write = write_hybrid,
    .decode = decode_hybrid,
};
