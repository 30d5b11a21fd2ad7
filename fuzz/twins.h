/* Two types of one schema, of which one has lists of pointers: both decode the same, and encode alike. */
#ifndef TERN_FUZZ_TWINS_H
#define TERN_FUZZ_TWINS_H

#include "fuzz.h"
#include "refs.tern.h"
#include "values.tern.h"

static inline bool has_twin(const tern_type *type) { return type == &test_refs_Node_type; }

/* err, and msg when it is 0, are what a test_refs_Node decoded to; twin_err and twin those of its twin, of the same. */
static inline void check_twins(int err, const void *msg, int twin_err, const void *twin, tern_arena *arena) {
    if (err == TERN_ERR_NOMEM || twin_err == TERN_ERR_NOMEM) return;
    FUZZ_CHECK(err == twin_err);
    if (err) return;
    int64_t size = tern_protobuf_size(&test_refs_Node_type, msg);
    FUZZ_CHECK(size >= 0 && size == tern_protobuf_size(&test_values_Node_type, twin));
    void *a = tern_arena_alloc(arena, (size_t)size), *b = tern_arena_alloc(arena, (size_t)size);
    if (!a || !b) return;
    FUZZ_CHECK(tern_protobuf_encode(&test_refs_Node_type, msg, a, (size_t)size) == size);
    FUZZ_CHECK(tern_protobuf_encode(&test_values_Node_type, twin, b, (size_t)size) == size);
    FUZZ_CHECK(memcmp(a, b, (size_t)size) == 0);
}

#endif
