/* The protobuf decoder on any bytes: the first byte chooses the type and the mode, the rest is the message. What
 * decodes must encode, to its computed size, and decode to the same encoding again. */
#include "everything.tern.h"
#include "fuzz.h"
#include "google/protobuf/compiler/plugin.tern.h"
#include "old.tern.h"

static const tern_type *const types[] = {&test_all_Everything_type, &test_all_Lists_type, &test_old_HoldsRequired_type,
                                         &test_all_Sparse_type, &google_protobuf_compiler_CodeGeneratorRequest_type};

static const tern_limits limits = {.max_bytes = 1 << 20, .max_elements = 1 << 18, .max_depth = 100};

static void *encode(const tern_type *type, const void *msg, tern_arena *arena, int64_t *size) {
    *size = tern_protobuf_size(type, msg);
    FUZZ_CHECK(*size >= 0);
    void *out = tern_arena_alloc(arena, (size_t)*size);
    if (out) FUZZ_CHECK(tern_protobuf_encode(type, msg, out, (size_t)*size) == *size);
    return out;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    tern_arena arena;
    int64_t size, again;
    if (len == 0) return 0;
    const tern_type *type = types[(data[0] >> 1) % (sizeof types / sizeof *types)];
    int mode = data[0] & 1 ? TERN_DECODE_COPY : TERN_DECODE_ALIAS;
    tern_arena_init(&arena, 0, (size_t)1 << 30);
    void *msg = tern_arena_alloc(&arena, type->size_bytes), *back = tern_arena_alloc(&arena, type->size_bytes);
    FUZZ_CHECK(msg && back);
    if (tern_protobuf_decode(type, data + 1, len - 1, &arena, mode, &limits, msg) == 0) {
        void *first = encode(type, msg, &arena, &size);
        if (first && size <= 1 << 20) {
            FUZZ_CHECK(tern_protobuf_decode(type, first, (size_t)size, &arena, mode, &limits, back) == 0);
            void *second = encode(type, back, &arena, &again);
            FUZZ_CHECK(again == size && (!second || memcmp(first, second, (size_t)size) == 0));
        }
    }
    tern_arena_fini(&arena);
    return 0;
}
