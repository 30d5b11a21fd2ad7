/* Unknown fields of any bytes: the fields lie side by side, what is in a group are fields again, and the bytes are
 * fields throughout exactly when the protobuf decoder takes them for a message of a type that knows none. */
#include "fuzz.h"
#include "tern/codec.h"

/* Shorter inputs nest less deeply than anybody limits. */
enum { SHALLOW_BYTES = 900 };

typedef struct nothing {
    tern_unknown unknown;
} nothing;

static const tern_type nothing_type = {.name = "Nothing", .size_bytes = sizeof(nothing)};
static const tern_limits limits = {
    .size = sizeof(tern_limits), .max_bytes = 1 << 20, .max_elements = 1 << 18, .max_depth = 1000};

static int inside(const void *start, size_t len, tern_bytes part) {
    return part.len <= len && (const uint8_t *)part.data >= (const uint8_t *)start &&
           (const uint8_t *)part.data + part.len <= (const uint8_t *)start + len;
}

/* Whether all of it are fields. A group's content is walked too, once. */
static int walk(const uint8_t *data, size_t len, int into_groups) {
    tern_unknown unknown = {.data = data, .len = (uint32_t)len};
    tern_unknown_field field;
    size_t at = 0, before = 0;
    for (; tern_unknown_next(&unknown, &at, &field); before = at) {
        FUZZ_CHECK(field.number > 0 && field.number < 1u << 29);
        FUZZ_CHECK(field.encoded.data == data + before && field.encoded.len == at - before && at > before);
        if (field.content.data) FUZZ_CHECK(inside(field.encoded.data, field.encoded.len, field.content));
        FUZZ_CHECK((field.content.data != NULL) == (field.wire == 2 || field.wire == 3));
        if (field.wire == 3 && into_groups) FUZZ_CHECK(walk(field.content.data, field.content.len, 0));
    }
    FUZZ_CHECK(at == before && at <= len);
    return at == len;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    tern_arena arena;
    nothing msg;
    int fields = walk(data, len, 1);
    if (len > SHALLOW_BYTES) return 0;
    tern_arena_init(&arena, 0, (size_t)1 << 26);
    FUZZ_CHECK((tern_protobuf_decode(&nothing_type, data, len, &arena, TERN_DECODE_COPY, &limits, &msg) == 0) ==
               fields);
    tern_arena_fini(&arena);
    return 0;
}
