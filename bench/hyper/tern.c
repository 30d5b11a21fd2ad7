/* tern: the struct is one piece of memory, what it points to comes from an arena that is reset for each message. */
#include <stdlib.h>

#include "subject.h"
#include "tern/codec.h"
#include "tern/mem.h"
#include "types.h"

enum { ARENA_BLOCK_BYTES = 64 << 10, THRESHOLD = 512 };

typedef struct state {
    const tern_type *type;
    void *message;
    tern_arena arena;    /* of the decoded message */
    tern_arena gathered; /* of the values that encoding for scatter-gather copies */
    size_t posted_bytes;
} state;

static void *open_type(const char *name) {
    const tern_type *type = hyper_type(name);
    state *s = type ? calloc(1, sizeof *s) : NULL;
    if (!s) return NULL;
    s->type = type;
    s->message = calloc(1, type->size_bytes);
    tern_arena_init(&s->arena, ARENA_BLOCK_BYTES, 0);
    tern_arena_init(&s->gathered, ARENA_BLOCK_BYTES, 0);
    return s;
}

static void close_type(void *handle) {
    state *s = handle;
    tern_arena_fini(&s->arena);
    tern_arena_fini(&s->gathered);
    free(s->message);
    free(s);
}

static bool decode_alias(void *handle, const uint8_t *data, size_t len) {
    state *s = handle;
    tern_arena_reset(&s->arena);
    return tern_protobuf_decode(s->type, data, len, &s->arena, TERN_DECODE_ALIAS, NULL, s->message) == 0;
}

static bool decode_copy(void *handle, const uint8_t *data, size_t len) {
    state *s = handle;
    tern_arena_reset(&s->arena);
    return tern_protobuf_decode(s->type, data, len, &s->arena, TERN_DECODE_COPY, NULL, s->message) == 0;
}

static size_t encode_roomy(void *handle, uint8_t *out, size_t cap) {
    state *s = handle;
    int64_t n = tern_protobuf_encode(s->type, s->message, out, cap);
    return n < 0 ? 0 : (size_t)n;
}

static size_t encode_exact(void *handle, uint8_t *out, size_t cap) {
    state *s = handle;
    int64_t n = tern_protobuf_size(s->type, s->message);
    if (n < 0 || (size_t)n > cap) return 0;
    n = tern_protobuf_encode(s->type, s->message, out, (size_t)n);
    return n < 0 ? 0 : (size_t)n;
}

static int count(void *ctx, const tern_bytes *pieces, size_t n) {
    state *s = ctx;
    for (size_t i = 0; i < n; i++) s->posted_bytes += pieces[i].len;
    return 0;
}

static size_t encode_sg(void *handle, uint8_t *out, size_t cap) {
    (void)out;
    (void)cap;
    state *s = handle;
    s->posted_bytes = 0;
    tern_arena_reset(&s->gathered);
    int64_t n = tern_protobuf_encode_sg(s->type, s->message, THRESHOLD, TERN_SG_ANY, &s->gathered, count, s);
    return n == (int64_t)s->posted_bytes ? s->posted_bytes : 0;
}

static size_t memory(void *handle) {
    state *s = handle;
    return s->type->size_bytes + s->arena.used_bytes - (size_t)(s->arena.end - s->arena.next);
}

const subject subject_tern_alias = {"tern, aliasing", open_type, decode_alias, encode_roomy, memory, close_type};
const subject subject_tern_copy = {"tern, copying", open_type, decode_copy, encode_roomy, memory, close_type};
const subject subject_tern_exact = {"tern, size first", open_type, decode_alias, encode_exact, memory, close_type};
const subject subject_tern_sg = {"tern, scatter-gather", open_type, decode_alias, encode_sg, NULL, close_type};
