/* Made by protoc-gen-tern from imported.proto; changes here are lost. */
#ifndef IMPORTED_TERN_H
#define IMPORTED_TERN_H

#include "tern/codec.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum test_other_Kind {
    test_other_Kind_KIND_NONE = 0,
    test_other_Kind_KIND_SOME = 1,
} test_other_Kind;
extern const tern_enum test_other_Kind_enum;

typedef struct test_other_Imported test_other_Imported;
TERN__LIST(test_other_Imported_list, test_other_Imported);
extern const tern_type test_other_Imported_type;

struct test_other_Imported {
    int32_t kind; /* test_other_Kind */
    tern_bytes blob;
    tern_unknown unknown;
};

/* ---- test.other.Imported */

static inline int64_t test_other_Imported_size(const test_other_Imported *msg) { return tern_protobuf_size(&test_other_Imported_type, msg); }

static inline int64_t test_other_Imported_encode(const test_other_Imported *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_other_Imported_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_other_Imported_decode(const void *data, size_t len, tern_arena *arena, int mode, test_other_Imported *msg) {
    return tern_protobuf_decode(&test_other_Imported_type, data, len, arena, mode, NULL, msg);
}

static inline int test_other_Imported_copy(const test_other_Imported *src, tern_arena *arena, test_other_Imported *dst) {
    return tern_message_copy(&test_other_Imported_type, src, arena, dst);
}

static inline bool test_other_Imported_equal(const test_other_Imported *a, const test_other_Imported *b) { return tern_message_equal(&test_other_Imported_type, a, b); }

#ifdef __cplusplus
}
#endif
#endif
