/* Made by protoc-gen-tern from everything.proto; changes here are lost. */
#ifndef EVERYTHING_TERN_H
#define EVERYTHING_TERN_H

#include "tern/codec.h"
#include "imported.tern.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum test_all_Color {
    test_all_Color_COLOR_UNSPECIFIED = 0,
    /* trailing words */
    test_all_Color_RED = 1,
    test_all_Color_BELOW = -1,
    test_all_Color_LOWEST = -2147483647 - 1,
    test_all_Color_HIGHEST = 2147483647,
} test_all_Color;

typedef enum test_all_Outer_Inner_Size {
    test_all_Outer_Inner_Size_SMALL = 0,
    test_all_Outer_Inner_Size_LARGE = 1,
} test_all_Outer_Inner_Size;

typedef struct test_all_Scalars test_all_Scalars;
TERN__LIST(test_all_Scalars_list, test_all_Scalars);
typedef struct test_all_Optionals test_all_Optionals;
TERN__LIST(test_all_Optionals_list, test_all_Optionals);
typedef struct test_all_Lists test_all_Lists;
TERN__LIST(test_all_Lists_list, test_all_Lists);
typedef struct test_all_Tree test_all_Tree;
TERN__LIST(test_all_Tree_list, test_all_Tree);
typedef struct test_all_Everything test_all_Everything;
TERN__LIST(test_all_Everything_list, test_all_Everything);
typedef struct test_all_Outer test_all_Outer;
TERN__LIST(test_all_Outer_list, test_all_Outer);
typedef struct test_all_Outer_Inner test_all_Outer_Inner;
TERN__LIST(test_all_Outer_Inner_list, test_all_Outer_Inner);
typedef struct test_all_Outer_Inner_Deepest test_all_Outer_Inner_Deepest;
TERN__LIST(test_all_Outer_Inner_Deepest_list, test_all_Outer_Inner_Deepest);
typedef struct test_all_Empty test_all_Empty;
TERN__LIST(test_all_Empty_list, test_all_Empty);
typedef struct test_all_Sparse test_all_Sparse;
TERN__LIST(test_all_Sparse_list, test_all_Sparse);
typedef struct test_all_Batch test_all_Batch;
TERN__LIST(test_all_Batch_list, test_all_Batch);

/* One field of each kind, without explicit presence. */
struct test_all_Scalars {
    double f_double;
    float f_float;
    int64_t f_int64;
    uint64_t f_uint64;
    int32_t f_int32;
    uint64_t f_fixed64;
    uint32_t f_fixed32;
    bool f_bool;
    tern_str f_string;
    tern_bytes f_bytes;
    uint32_t f_uint32;
    int32_t f_enum; /* test_all_Color */
    int32_t f_sfixed32;
    int64_t f_sfixed64;
    int32_t f_sint32;
    int64_t f_sint64;
};

struct test_all_Optionals {
    struct {
        uint32_t f_double : 1;
        uint32_t f_float : 1;
        uint32_t f_int64 : 1;
        uint32_t f_uint64 : 1;
        uint32_t f_int32 : 1;
        uint32_t f_fixed64 : 1;
        uint32_t f_fixed32 : 1;
        uint32_t f_bool : 1;
        uint32_t f_string : 1;
        uint32_t f_bytes : 1;
        uint32_t f_uint32 : 1;
        uint32_t f_enum : 1;
        uint32_t f_sfixed32 : 1;
        uint32_t f_sfixed64 : 1;
        uint32_t f_sint32 : 1;
        uint32_t f_sint64 : 1;
    } has;
    double f_double;
    float f_float;
    int64_t f_int64;
    uint64_t f_uint64;
    int32_t f_int32;
    uint64_t f_fixed64;
    uint32_t f_fixed32;
    bool f_bool;
    tern_str f_string;
    tern_bytes f_bytes;
    uint32_t f_uint32;
    int32_t f_enum; /* test_all_Color */
    int32_t f_sfixed32;
    int64_t f_sfixed64;
    int32_t f_sint32;
    int64_t f_sint64;
};

struct test_all_Lists {
    tern_list_f64 f_double;
    tern_list_f32 f_float;
    tern_list_i64 f_int64;
    tern_list_u64 f_uint64;
    tern_list_i32 f_int32;
    tern_list_u64 f_fixed64;
    tern_list_u32 f_fixed32;
    tern_list_bool f_bool;
    tern_list_str f_string;
    tern_list_bytes f_bytes;
    tern_list_u32 f_uint32;
    tern_list_i32 f_enum; /* test_all_Color */
    tern_list_i32 f_sfixed32;
    tern_list_i64 f_sfixed64;
    tern_list_i32 f_sint32;
    tern_list_i64 f_sint64;
    tern_list_i32 unpacked;
    test_all_Scalars_list scalars;
};

/* A tree, by recursion,
 *
 * with a comment that tries to end early: *\/ and /\* to begin anew. */
struct test_all_Tree {
    struct {
        uint32_t weight : 1;
    } has;
    tern_str label;
    test_all_Tree *left;
    test_all_Tree *right;
    test_all_Tree_list children;
    uint32_t weight;
};

struct test_all_Everything {
    test_all_Scalars *scalars;
    test_all_Optionals *optionals;
    test_all_Lists *lists;
    test_all_Tree *tree;
    test_all_Outer_Inner_Deepest *deepest;
    test_other_Imported *imported;
    test_other_Imported_list many_imported;
    int32_t kind; /* test_other_Kind */
    uint32_t far;
    tern_str farthest;
};

struct test_all_Outer {
    test_all_Outer_Inner *inner;
};

struct test_all_Outer_Inner {
    test_all_Outer_Inner_Deepest *deepest;
};

struct test_all_Outer_Inner_Deepest {
    int32_t size; /* test_all_Outer_Inner_Size */
    tern_list_i32 sizes; /* test_all_Outer_Inner_Size */
};

struct test_all_Empty {
    uint8_t unused_; /* the message has no fields, but C demands one */
};

/* Numbers out of order, with gaps. */
struct test_all_Sparse {
    uint32_t z;
    uint32_t a;
    uint32_t c;
    uint32_t b;
    uint32_t k;
};

struct test_all_Batch {
    test_all_Everything_list items;
};

/* ---- test.all.Scalars */

extern const tern_type test_all_Scalars_type;

static inline int64_t test_all_Scalars_size(const test_all_Scalars *msg) { return tern_protobuf_size(&test_all_Scalars_type, msg); }

static inline int64_t test_all_Scalars_encode(const test_all_Scalars *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_all_Scalars_type, msg, out, cap);
}

/* Strings and bytes point into data, which must outlive them. */
static inline int test_all_Scalars_decode(const void *data, size_t len, tern_arena *arena, test_all_Scalars *msg) {
    return tern_protobuf_decode(&test_all_Scalars_type, data, len, arena, TERN_DECODE_ALIAS, NULL, msg);
}

/* ---- test.all.Optionals */

extern const tern_type test_all_Optionals_type;

static inline int64_t test_all_Optionals_size(const test_all_Optionals *msg) { return tern_protobuf_size(&test_all_Optionals_type, msg); }

static inline int64_t test_all_Optionals_encode(const test_all_Optionals *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_all_Optionals_type, msg, out, cap);
}

/* Strings and bytes point into data, which must outlive them. */
static inline int test_all_Optionals_decode(const void *data, size_t len, tern_arena *arena, test_all_Optionals *msg) {
    return tern_protobuf_decode(&test_all_Optionals_type, data, len, arena, TERN_DECODE_ALIAS, NULL, msg);
}

static inline bool test_all_Optionals_has_f_double(const test_all_Optionals *msg) { return msg->has.f_double; }

static inline void test_all_Optionals_set_f_double(test_all_Optionals *msg, double value) {
    msg->f_double = value;
    msg->has.f_double = 1;
}

static inline void test_all_Optionals_clear_f_double(test_all_Optionals *msg) {
    msg->f_double = 0;
    msg->has.f_double = 0;
}

static inline bool test_all_Optionals_has_f_float(const test_all_Optionals *msg) { return msg->has.f_float; }

static inline void test_all_Optionals_set_f_float(test_all_Optionals *msg, float value) {
    msg->f_float = value;
    msg->has.f_float = 1;
}

static inline void test_all_Optionals_clear_f_float(test_all_Optionals *msg) {
    msg->f_float = 0;
    msg->has.f_float = 0;
}

static inline bool test_all_Optionals_has_f_int64(const test_all_Optionals *msg) { return msg->has.f_int64; }

static inline void test_all_Optionals_set_f_int64(test_all_Optionals *msg, int64_t value) {
    msg->f_int64 = value;
    msg->has.f_int64 = 1;
}

static inline void test_all_Optionals_clear_f_int64(test_all_Optionals *msg) {
    msg->f_int64 = 0;
    msg->has.f_int64 = 0;
}

static inline bool test_all_Optionals_has_f_uint64(const test_all_Optionals *msg) { return msg->has.f_uint64; }

static inline void test_all_Optionals_set_f_uint64(test_all_Optionals *msg, uint64_t value) {
    msg->f_uint64 = value;
    msg->has.f_uint64 = 1;
}

static inline void test_all_Optionals_clear_f_uint64(test_all_Optionals *msg) {
    msg->f_uint64 = 0;
    msg->has.f_uint64 = 0;
}

static inline bool test_all_Optionals_has_f_int32(const test_all_Optionals *msg) { return msg->has.f_int32; }

static inline void test_all_Optionals_set_f_int32(test_all_Optionals *msg, int32_t value) {
    msg->f_int32 = value;
    msg->has.f_int32 = 1;
}

static inline void test_all_Optionals_clear_f_int32(test_all_Optionals *msg) {
    msg->f_int32 = 0;
    msg->has.f_int32 = 0;
}

static inline bool test_all_Optionals_has_f_fixed64(const test_all_Optionals *msg) { return msg->has.f_fixed64; }

static inline void test_all_Optionals_set_f_fixed64(test_all_Optionals *msg, uint64_t value) {
    msg->f_fixed64 = value;
    msg->has.f_fixed64 = 1;
}

static inline void test_all_Optionals_clear_f_fixed64(test_all_Optionals *msg) {
    msg->f_fixed64 = 0;
    msg->has.f_fixed64 = 0;
}

static inline bool test_all_Optionals_has_f_fixed32(const test_all_Optionals *msg) { return msg->has.f_fixed32; }

static inline void test_all_Optionals_set_f_fixed32(test_all_Optionals *msg, uint32_t value) {
    msg->f_fixed32 = value;
    msg->has.f_fixed32 = 1;
}

static inline void test_all_Optionals_clear_f_fixed32(test_all_Optionals *msg) {
    msg->f_fixed32 = 0;
    msg->has.f_fixed32 = 0;
}

static inline bool test_all_Optionals_has_f_bool(const test_all_Optionals *msg) { return msg->has.f_bool; }

static inline void test_all_Optionals_set_f_bool(test_all_Optionals *msg, bool value) {
    msg->f_bool = value;
    msg->has.f_bool = 1;
}

static inline void test_all_Optionals_clear_f_bool(test_all_Optionals *msg) {
    msg->f_bool = 0;
    msg->has.f_bool = 0;
}

static inline bool test_all_Optionals_has_f_string(const test_all_Optionals *msg) { return msg->has.f_string; }

static inline void test_all_Optionals_set_f_string(test_all_Optionals *msg, tern_str value) {
    msg->f_string = value;
    msg->has.f_string = 1;
}

static inline void test_all_Optionals_clear_f_string(test_all_Optionals *msg) {
    msg->f_string.data = NULL;
    msg->f_string.len = 0;
    msg->has.f_string = 0;
}

static inline bool test_all_Optionals_has_f_bytes(const test_all_Optionals *msg) { return msg->has.f_bytes; }

static inline void test_all_Optionals_set_f_bytes(test_all_Optionals *msg, tern_bytes value) {
    msg->f_bytes = value;
    msg->has.f_bytes = 1;
}

static inline void test_all_Optionals_clear_f_bytes(test_all_Optionals *msg) {
    msg->f_bytes.data = NULL;
    msg->f_bytes.len = 0;
    msg->has.f_bytes = 0;
}

static inline bool test_all_Optionals_has_f_uint32(const test_all_Optionals *msg) { return msg->has.f_uint32; }

static inline void test_all_Optionals_set_f_uint32(test_all_Optionals *msg, uint32_t value) {
    msg->f_uint32 = value;
    msg->has.f_uint32 = 1;
}

static inline void test_all_Optionals_clear_f_uint32(test_all_Optionals *msg) {
    msg->f_uint32 = 0;
    msg->has.f_uint32 = 0;
}

static inline bool test_all_Optionals_has_f_enum(const test_all_Optionals *msg) { return msg->has.f_enum; }

static inline void test_all_Optionals_set_f_enum(test_all_Optionals *msg, int32_t value) {
    msg->f_enum = value;
    msg->has.f_enum = 1;
}

static inline void test_all_Optionals_clear_f_enum(test_all_Optionals *msg) {
    msg->f_enum = 0;
    msg->has.f_enum = 0;
}

static inline bool test_all_Optionals_has_f_sfixed32(const test_all_Optionals *msg) { return msg->has.f_sfixed32; }

static inline void test_all_Optionals_set_f_sfixed32(test_all_Optionals *msg, int32_t value) {
    msg->f_sfixed32 = value;
    msg->has.f_sfixed32 = 1;
}

static inline void test_all_Optionals_clear_f_sfixed32(test_all_Optionals *msg) {
    msg->f_sfixed32 = 0;
    msg->has.f_sfixed32 = 0;
}

static inline bool test_all_Optionals_has_f_sfixed64(const test_all_Optionals *msg) { return msg->has.f_sfixed64; }

static inline void test_all_Optionals_set_f_sfixed64(test_all_Optionals *msg, int64_t value) {
    msg->f_sfixed64 = value;
    msg->has.f_sfixed64 = 1;
}

static inline void test_all_Optionals_clear_f_sfixed64(test_all_Optionals *msg) {
    msg->f_sfixed64 = 0;
    msg->has.f_sfixed64 = 0;
}

static inline bool test_all_Optionals_has_f_sint32(const test_all_Optionals *msg) { return msg->has.f_sint32; }

static inline void test_all_Optionals_set_f_sint32(test_all_Optionals *msg, int32_t value) {
    msg->f_sint32 = value;
    msg->has.f_sint32 = 1;
}

static inline void test_all_Optionals_clear_f_sint32(test_all_Optionals *msg) {
    msg->f_sint32 = 0;
    msg->has.f_sint32 = 0;
}

static inline bool test_all_Optionals_has_f_sint64(const test_all_Optionals *msg) { return msg->has.f_sint64; }

static inline void test_all_Optionals_set_f_sint64(test_all_Optionals *msg, int64_t value) {
    msg->f_sint64 = value;
    msg->has.f_sint64 = 1;
}

static inline void test_all_Optionals_clear_f_sint64(test_all_Optionals *msg) {
    msg->f_sint64 = 0;
    msg->has.f_sint64 = 0;
}

/* ---- test.all.Lists */

extern const tern_type test_all_Lists_type;

static inline int64_t test_all_Lists_size(const test_all_Lists *msg) { return tern_protobuf_size(&test_all_Lists_type, msg); }

static inline int64_t test_all_Lists_encode(const test_all_Lists *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_all_Lists_type, msg, out, cap);
}

/* Strings and bytes point into data, which must outlive them. */
static inline int test_all_Lists_decode(const void *data, size_t len, tern_arena *arena, test_all_Lists *msg) {
    return tern_protobuf_decode(&test_all_Lists_type, data, len, arena, TERN_DECODE_ALIAS, NULL, msg);
}

static inline int test_all_Lists_reserve_f_double(test_all_Lists *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->f_double, n, sizeof *msg->f_double.data, arena);
}

static inline double *test_all_Lists_add_f_double(test_all_Lists *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->f_double, msg->f_double.len + 1, sizeof *msg->f_double.data, arena)) return NULL;
    return &msg->f_double.data[msg->f_double.len++];
}

static inline int test_all_Lists_reserve_f_float(test_all_Lists *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->f_float, n, sizeof *msg->f_float.data, arena);
}

static inline float *test_all_Lists_add_f_float(test_all_Lists *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->f_float, msg->f_float.len + 1, sizeof *msg->f_float.data, arena)) return NULL;
    return &msg->f_float.data[msg->f_float.len++];
}

static inline int test_all_Lists_reserve_f_int64(test_all_Lists *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->f_int64, n, sizeof *msg->f_int64.data, arena);
}

static inline int64_t *test_all_Lists_add_f_int64(test_all_Lists *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->f_int64, msg->f_int64.len + 1, sizeof *msg->f_int64.data, arena)) return NULL;
    return &msg->f_int64.data[msg->f_int64.len++];
}

static inline int test_all_Lists_reserve_f_uint64(test_all_Lists *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->f_uint64, n, sizeof *msg->f_uint64.data, arena);
}

static inline uint64_t *test_all_Lists_add_f_uint64(test_all_Lists *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->f_uint64, msg->f_uint64.len + 1, sizeof *msg->f_uint64.data, arena)) return NULL;
    return &msg->f_uint64.data[msg->f_uint64.len++];
}

static inline int test_all_Lists_reserve_f_int32(test_all_Lists *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->f_int32, n, sizeof *msg->f_int32.data, arena);
}

static inline int32_t *test_all_Lists_add_f_int32(test_all_Lists *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->f_int32, msg->f_int32.len + 1, sizeof *msg->f_int32.data, arena)) return NULL;
    return &msg->f_int32.data[msg->f_int32.len++];
}

static inline int test_all_Lists_reserve_f_fixed64(test_all_Lists *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->f_fixed64, n, sizeof *msg->f_fixed64.data, arena);
}

static inline uint64_t *test_all_Lists_add_f_fixed64(test_all_Lists *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->f_fixed64, msg->f_fixed64.len + 1, sizeof *msg->f_fixed64.data, arena)) return NULL;
    return &msg->f_fixed64.data[msg->f_fixed64.len++];
}

static inline int test_all_Lists_reserve_f_fixed32(test_all_Lists *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->f_fixed32, n, sizeof *msg->f_fixed32.data, arena);
}

static inline uint32_t *test_all_Lists_add_f_fixed32(test_all_Lists *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->f_fixed32, msg->f_fixed32.len + 1, sizeof *msg->f_fixed32.data, arena)) return NULL;
    return &msg->f_fixed32.data[msg->f_fixed32.len++];
}

static inline int test_all_Lists_reserve_f_bool(test_all_Lists *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->f_bool, n, sizeof *msg->f_bool.data, arena);
}

static inline bool *test_all_Lists_add_f_bool(test_all_Lists *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->f_bool, msg->f_bool.len + 1, sizeof *msg->f_bool.data, arena)) return NULL;
    return &msg->f_bool.data[msg->f_bool.len++];
}

static inline int test_all_Lists_reserve_f_string(test_all_Lists *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->f_string, n, sizeof *msg->f_string.data, arena);
}

static inline tern_str *test_all_Lists_add_f_string(test_all_Lists *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->f_string, msg->f_string.len + 1, sizeof *msg->f_string.data, arena)) return NULL;
    return &msg->f_string.data[msg->f_string.len++];
}

static inline int test_all_Lists_reserve_f_bytes(test_all_Lists *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->f_bytes, n, sizeof *msg->f_bytes.data, arena);
}

static inline tern_bytes *test_all_Lists_add_f_bytes(test_all_Lists *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->f_bytes, msg->f_bytes.len + 1, sizeof *msg->f_bytes.data, arena)) return NULL;
    return &msg->f_bytes.data[msg->f_bytes.len++];
}

static inline int test_all_Lists_reserve_f_uint32(test_all_Lists *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->f_uint32, n, sizeof *msg->f_uint32.data, arena);
}

static inline uint32_t *test_all_Lists_add_f_uint32(test_all_Lists *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->f_uint32, msg->f_uint32.len + 1, sizeof *msg->f_uint32.data, arena)) return NULL;
    return &msg->f_uint32.data[msg->f_uint32.len++];
}

static inline int test_all_Lists_reserve_f_enum(test_all_Lists *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->f_enum, n, sizeof *msg->f_enum.data, arena);
}

static inline int32_t *test_all_Lists_add_f_enum(test_all_Lists *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->f_enum, msg->f_enum.len + 1, sizeof *msg->f_enum.data, arena)) return NULL;
    return &msg->f_enum.data[msg->f_enum.len++];
}

static inline int test_all_Lists_reserve_f_sfixed32(test_all_Lists *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->f_sfixed32, n, sizeof *msg->f_sfixed32.data, arena);
}

static inline int32_t *test_all_Lists_add_f_sfixed32(test_all_Lists *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->f_sfixed32, msg->f_sfixed32.len + 1, sizeof *msg->f_sfixed32.data, arena)) return NULL;
    return &msg->f_sfixed32.data[msg->f_sfixed32.len++];
}

static inline int test_all_Lists_reserve_f_sfixed64(test_all_Lists *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->f_sfixed64, n, sizeof *msg->f_sfixed64.data, arena);
}

static inline int64_t *test_all_Lists_add_f_sfixed64(test_all_Lists *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->f_sfixed64, msg->f_sfixed64.len + 1, sizeof *msg->f_sfixed64.data, arena)) return NULL;
    return &msg->f_sfixed64.data[msg->f_sfixed64.len++];
}

static inline int test_all_Lists_reserve_f_sint32(test_all_Lists *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->f_sint32, n, sizeof *msg->f_sint32.data, arena);
}

static inline int32_t *test_all_Lists_add_f_sint32(test_all_Lists *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->f_sint32, msg->f_sint32.len + 1, sizeof *msg->f_sint32.data, arena)) return NULL;
    return &msg->f_sint32.data[msg->f_sint32.len++];
}

static inline int test_all_Lists_reserve_f_sint64(test_all_Lists *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->f_sint64, n, sizeof *msg->f_sint64.data, arena);
}

static inline int64_t *test_all_Lists_add_f_sint64(test_all_Lists *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->f_sint64, msg->f_sint64.len + 1, sizeof *msg->f_sint64.data, arena)) return NULL;
    return &msg->f_sint64.data[msg->f_sint64.len++];
}

static inline int test_all_Lists_reserve_unpacked(test_all_Lists *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->unpacked, n, sizeof *msg->unpacked.data, arena);
}

static inline int32_t *test_all_Lists_add_unpacked(test_all_Lists *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->unpacked, msg->unpacked.len + 1, sizeof *msg->unpacked.data, arena)) return NULL;
    return &msg->unpacked.data[msg->unpacked.len++];
}

static inline int test_all_Lists_reserve_scalars(test_all_Lists *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->scalars, n, sizeof *msg->scalars.data, arena);
}

static inline test_all_Scalars *test_all_Lists_add_scalars(test_all_Lists *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->scalars, msg->scalars.len + 1, sizeof *msg->scalars.data, arena)) return NULL;
    return &msg->scalars.data[msg->scalars.len++];
}

/* ---- test.all.Tree */

extern const tern_type test_all_Tree_type;

static inline int64_t test_all_Tree_size(const test_all_Tree *msg) { return tern_protobuf_size(&test_all_Tree_type, msg); }

static inline int64_t test_all_Tree_encode(const test_all_Tree *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_all_Tree_type, msg, out, cap);
}

/* Strings and bytes point into data, which must outlive them. */
static inline int test_all_Tree_decode(const void *data, size_t len, tern_arena *arena, test_all_Tree *msg) {
    return tern_protobuf_decode(&test_all_Tree_type, data, len, arena, TERN_DECODE_ALIAS, NULL, msg);
}

static inline test_all_Tree *test_all_Tree_make_left(test_all_Tree *msg, tern_arena *arena) {
    return msg->left = (test_all_Tree *)tern_arena_zalloc(arena, sizeof *msg->left);
}

static inline test_all_Tree *test_all_Tree_make_right(test_all_Tree *msg, tern_arena *arena) {
    return msg->right = (test_all_Tree *)tern_arena_zalloc(arena, sizeof *msg->right);
}

static inline int test_all_Tree_reserve_children(test_all_Tree *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->children, n, sizeof *msg->children.data, arena);
}

static inline test_all_Tree *test_all_Tree_add_children(test_all_Tree *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->children, msg->children.len + 1, sizeof *msg->children.data, arena)) return NULL;
    return &msg->children.data[msg->children.len++];
}

static inline bool test_all_Tree_has_weight(const test_all_Tree *msg) { return msg->has.weight; }

static inline void test_all_Tree_set_weight(test_all_Tree *msg, uint32_t value) {
    msg->weight = value;
    msg->has.weight = 1;
}

static inline void test_all_Tree_clear_weight(test_all_Tree *msg) {
    msg->weight = 0;
    msg->has.weight = 0;
}

/* ---- test.all.Everything */

extern const tern_type test_all_Everything_type;

static inline int64_t test_all_Everything_size(const test_all_Everything *msg) { return tern_protobuf_size(&test_all_Everything_type, msg); }

static inline int64_t test_all_Everything_encode(const test_all_Everything *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_all_Everything_type, msg, out, cap);
}

/* Strings and bytes point into data, which must outlive them. */
static inline int test_all_Everything_decode(const void *data, size_t len, tern_arena *arena, test_all_Everything *msg) {
    return tern_protobuf_decode(&test_all_Everything_type, data, len, arena, TERN_DECODE_ALIAS, NULL, msg);
}

static inline test_all_Scalars *test_all_Everything_make_scalars(test_all_Everything *msg, tern_arena *arena) {
    return msg->scalars = (test_all_Scalars *)tern_arena_zalloc(arena, sizeof *msg->scalars);
}

static inline test_all_Optionals *test_all_Everything_make_optionals(test_all_Everything *msg, tern_arena *arena) {
    return msg->optionals = (test_all_Optionals *)tern_arena_zalloc(arena, sizeof *msg->optionals);
}

static inline test_all_Lists *test_all_Everything_make_lists(test_all_Everything *msg, tern_arena *arena) {
    return msg->lists = (test_all_Lists *)tern_arena_zalloc(arena, sizeof *msg->lists);
}

static inline test_all_Tree *test_all_Everything_make_tree(test_all_Everything *msg, tern_arena *arena) {
    return msg->tree = (test_all_Tree *)tern_arena_zalloc(arena, sizeof *msg->tree);
}

static inline test_all_Outer_Inner_Deepest *test_all_Everything_make_deepest(test_all_Everything *msg, tern_arena *arena) {
    return msg->deepest = (test_all_Outer_Inner_Deepest *)tern_arena_zalloc(arena, sizeof *msg->deepest);
}

static inline test_other_Imported *test_all_Everything_make_imported(test_all_Everything *msg, tern_arena *arena) {
    return msg->imported = (test_other_Imported *)tern_arena_zalloc(arena, sizeof *msg->imported);
}

static inline int test_all_Everything_reserve_many_imported(test_all_Everything *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->many_imported, n, sizeof *msg->many_imported.data, arena);
}

static inline test_other_Imported *test_all_Everything_add_many_imported(test_all_Everything *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->many_imported, msg->many_imported.len + 1, sizeof *msg->many_imported.data, arena)) return NULL;
    return &msg->many_imported.data[msg->many_imported.len++];
}

/* ---- test.all.Outer */

extern const tern_type test_all_Outer_type;

static inline int64_t test_all_Outer_size(const test_all_Outer *msg) { return tern_protobuf_size(&test_all_Outer_type, msg); }

static inline int64_t test_all_Outer_encode(const test_all_Outer *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_all_Outer_type, msg, out, cap);
}

/* Strings and bytes point into data, which must outlive them. */
static inline int test_all_Outer_decode(const void *data, size_t len, tern_arena *arena, test_all_Outer *msg) {
    return tern_protobuf_decode(&test_all_Outer_type, data, len, arena, TERN_DECODE_ALIAS, NULL, msg);
}

static inline test_all_Outer_Inner *test_all_Outer_make_inner(test_all_Outer *msg, tern_arena *arena) {
    return msg->inner = (test_all_Outer_Inner *)tern_arena_zalloc(arena, sizeof *msg->inner);
}

/* ---- test.all.Outer.Inner */

extern const tern_type test_all_Outer_Inner_type;

static inline int64_t test_all_Outer_Inner_size(const test_all_Outer_Inner *msg) { return tern_protobuf_size(&test_all_Outer_Inner_type, msg); }

static inline int64_t test_all_Outer_Inner_encode(const test_all_Outer_Inner *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_all_Outer_Inner_type, msg, out, cap);
}

/* Strings and bytes point into data, which must outlive them. */
static inline int test_all_Outer_Inner_decode(const void *data, size_t len, tern_arena *arena, test_all_Outer_Inner *msg) {
    return tern_protobuf_decode(&test_all_Outer_Inner_type, data, len, arena, TERN_DECODE_ALIAS, NULL, msg);
}

static inline test_all_Outer_Inner_Deepest *test_all_Outer_Inner_make_deepest(test_all_Outer_Inner *msg, tern_arena *arena) {
    return msg->deepest = (test_all_Outer_Inner_Deepest *)tern_arena_zalloc(arena, sizeof *msg->deepest);
}

/* ---- test.all.Outer.Inner.Deepest */

extern const tern_type test_all_Outer_Inner_Deepest_type;

static inline int64_t test_all_Outer_Inner_Deepest_size(const test_all_Outer_Inner_Deepest *msg) { return tern_protobuf_size(&test_all_Outer_Inner_Deepest_type, msg); }

static inline int64_t test_all_Outer_Inner_Deepest_encode(const test_all_Outer_Inner_Deepest *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_all_Outer_Inner_Deepest_type, msg, out, cap);
}

/* Strings and bytes point into data, which must outlive them. */
static inline int test_all_Outer_Inner_Deepest_decode(const void *data, size_t len, tern_arena *arena, test_all_Outer_Inner_Deepest *msg) {
    return tern_protobuf_decode(&test_all_Outer_Inner_Deepest_type, data, len, arena, TERN_DECODE_ALIAS, NULL, msg);
}

static inline int test_all_Outer_Inner_Deepest_reserve_sizes(test_all_Outer_Inner_Deepest *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->sizes, n, sizeof *msg->sizes.data, arena);
}

static inline int32_t *test_all_Outer_Inner_Deepest_add_sizes(test_all_Outer_Inner_Deepest *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->sizes, msg->sizes.len + 1, sizeof *msg->sizes.data, arena)) return NULL;
    return &msg->sizes.data[msg->sizes.len++];
}

/* ---- test.all.Empty */

extern const tern_type test_all_Empty_type;

static inline int64_t test_all_Empty_size(const test_all_Empty *msg) { return tern_protobuf_size(&test_all_Empty_type, msg); }

static inline int64_t test_all_Empty_encode(const test_all_Empty *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_all_Empty_type, msg, out, cap);
}

/* Strings and bytes point into data, which must outlive them. */
static inline int test_all_Empty_decode(const void *data, size_t len, tern_arena *arena, test_all_Empty *msg) {
    return tern_protobuf_decode(&test_all_Empty_type, data, len, arena, TERN_DECODE_ALIAS, NULL, msg);
}

/* ---- test.all.Sparse */

extern const tern_type test_all_Sparse_type;

static inline int64_t test_all_Sparse_size(const test_all_Sparse *msg) { return tern_protobuf_size(&test_all_Sparse_type, msg); }

static inline int64_t test_all_Sparse_encode(const test_all_Sparse *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_all_Sparse_type, msg, out, cap);
}

/* Strings and bytes point into data, which must outlive them. */
static inline int test_all_Sparse_decode(const void *data, size_t len, tern_arena *arena, test_all_Sparse *msg) {
    return tern_protobuf_decode(&test_all_Sparse_type, data, len, arena, TERN_DECODE_ALIAS, NULL, msg);
}

/* ---- test.all.Batch */

extern const tern_type test_all_Batch_type;

static inline int64_t test_all_Batch_size(const test_all_Batch *msg) { return tern_protobuf_size(&test_all_Batch_type, msg); }

static inline int64_t test_all_Batch_encode(const test_all_Batch *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_all_Batch_type, msg, out, cap);
}

/* Strings and bytes point into data, which must outlive them. */
static inline int test_all_Batch_decode(const void *data, size_t len, tern_arena *arena, test_all_Batch *msg) {
    return tern_protobuf_decode(&test_all_Batch_type, data, len, arena, TERN_DECODE_ALIAS, NULL, msg);
}

static inline int test_all_Batch_reserve_items(test_all_Batch *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->items, n, sizeof *msg->items.data, arena);
}

static inline test_all_Everything *test_all_Batch_add_items(test_all_Batch *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->items, msg->items.len + 1, sizeof *msg->items.data, arena)) return NULL;
    return &msg->items.data[msg->items.len++];
}

#ifdef __cplusplus
}
#endif
#endif
