/* Protobuf encoding with large values left where they are: into a sink, with the rest gathered in the arena; or by a
 * plan, with the rest in a head of exactly the right size. */
#include "codec/protobuf_sg.h"

#include "codec/protobuf_encode.h"

/* Pieces that go to the sink at a time. */
enum { BATCH = 32 };

typedef struct sink {
    tern_protobuf_post_fn *post;
    void *ctx;
    size_t n;
    tern_bytes batch[BATCH];
} sink;

static int flush_pieces(sink *s) {
    size_t n = s->n;
    s->n = 0;
    return n ? s->post(s->ctx, s->batch, n) : 0;
}

static int add_to_batch(sink *s, tern_bytes piece) {
    if (piece.len == 0) return 0;
    s->batch[s->n++] = piece;
    return s->n == BATCH ? flush_pieces(s) : 0;
}

int64_t tern_protobuf_encode_sg(const tern_type *type, const void *msg, size_t threshold, int mode, tern_arena *arena,
                                tern_protobuf_post_fn *post, void *ctx) {
    writer w;
    sink s;
    writer_init(&w, arena, INT32_MAX, threshold, mode & TERN_SG_ANY);
    uint8_t *p = tern__write_whole(&w, writer_enter(&w, (uint8_t *)w.spare, 0), type, msg);
    if (!p) return w.err;
    size_t len = writer_position(&w, p);
    if (len > INT32_MAX) return TERN_ERR_LIMIT;
    s.post = post;
    s.ctx = ctx;
    s.n = 0;
    int err = add_to_batch(&s, tern_bytes_of(p, (size_t)(w.chunk_end - p)));
    for (const segment *at = w.first; at && !err; at = at->next) {
        err = add_to_batch(&s, at->value);
        if (!err) err = add_to_batch(&s, at->chunk);
    }
    if (!err) err = flush_pieces(&s);
    return err ? err : (int64_t)len;
}

/* ---- By a plan --------------------------------------------------------------------------------------- */

/* What was written to the writer's spare block belongs before the rest, which lies at the head's end. False: head is
 * not exactly what was written. */
static bool settle_head(const writer *w, const uint8_t *p, uint8_t *head, size_t bytes) {
    size_t n = (size_t)(w->chunk_end - p);
    if (!w->first) return p == head && n == bytes;
    if (w->first->next || n + w->first->chunk.len != bytes || w->first->chunk.data != head + n) return false;
    memcpy(head, p, n);
    return true;
}

int tern__protobuf_write(const tern_type *type, const void *msg, uint32_t size, const tern__protobuf_parts *parts,
                         uint8_t *head, tern__format_value *values) {
    writer w;
    gathered g = {values, values + parts->n_inplace, 0};
    uint32_t head_bytes = size - (uint32_t)parts->inplace_bytes;
    writer_init(&w, NULL, size, parts->threshold, false);
    w.gathers = true;
    w.gathered = &g;
    uint8_t *p = tern__write_whole(&w, writer_enter(&w, head, head_bytes), type, msg);
    if (!p) return w.err;
    if (g.next != values || writer_position(&w, p) != size || !settle_head(&w, p, head, head_bytes))
        return TERN_ERR_INVALID;
    for (uint32_t i = 0; i < parts->n_inplace; i++) values[i].at = head_bytes - values[i].at;
    return 0;
}
