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
extern const tern_enum test_all_Color_enum;

typedef enum test_all_Outer_Inner_Size {
    test_all_Outer_Inner_Size_SMALL = 0,
    test_all_Outer_Inner_Size_LARGE = 1,
} test_all_Outer_Inner_Size;
extern const tern_enum test_all_Outer_Inner_Size_enum;

typedef struct test_all_Scalars test_all_Scalars;
TERN__LIST(test_all_Scalars_list, test_all_Scalars);
extern const tern_type test_all_Scalars_type;
typedef struct test_all_Optionals test_all_Optionals;
TERN__LIST(test_all_Optionals_list, test_all_Optionals);
extern const tern_type test_all_Optionals_type;
typedef struct test_all_Lists test_all_Lists;
TERN__LIST(test_all_Lists_list, test_all_Lists);
extern const tern_type test_all_Lists_type;
typedef struct test_all_Tree test_all_Tree;
TERN__LIST(test_all_Tree_list, test_all_Tree);
extern const tern_type test_all_Tree_type;
typedef struct test_all_Everything test_all_Everything;
TERN__LIST(test_all_Everything_list, test_all_Everything);
extern const tern_type test_all_Everything_type;
typedef struct test_all_Outer test_all_Outer;
TERN__LIST(test_all_Outer_list, test_all_Outer);
extern const tern_type test_all_Outer_type;
typedef struct test_all_Outer_Inner test_all_Outer_Inner;
TERN__LIST(test_all_Outer_Inner_list, test_all_Outer_Inner);
extern const tern_type test_all_Outer_Inner_type;
typedef struct test_all_Outer_Inner_Deepest test_all_Outer_Inner_Deepest;
TERN__LIST(test_all_Outer_Inner_Deepest_list, test_all_Outer_Inner_Deepest);
extern const tern_type test_all_Outer_Inner_Deepest_type;
typedef struct test_all_Empty test_all_Empty;
TERN__LIST(test_all_Empty_list, test_all_Empty);
extern const tern_type test_all_Empty_type;
typedef struct test_all_Sparse test_all_Sparse;
TERN__LIST(test_all_Sparse_list, test_all_Sparse);
extern const tern_type test_all_Sparse_type;
typedef struct test_all_Batch test_all_Batch;
TERN__LIST(test_all_Batch_list, test_all_Batch);
extern const tern_type test_all_Batch_type;
typedef struct test_all_Wide test_all_Wide;
TERN__LIST(test_all_Wide_list, test_all_Wide);
extern const tern_type test_all_Wide_type;

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
    tern_unknown unknown;
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
    tern_unknown unknown;
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
    tern_unknown unknown;
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
    tern_unknown unknown;
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
    tern_unknown unknown;
};

struct test_all_Outer {
    test_all_Outer_Inner *inner;
    tern_unknown unknown;
};

struct test_all_Outer_Inner {
    test_all_Outer_Inner_Deepest *deepest;
    tern_unknown unknown;
};

struct test_all_Outer_Inner_Deepest {
    int32_t size; /* test_all_Outer_Inner_Size */
    tern_list_i32 sizes; /* test_all_Outer_Inner_Size */
    tern_unknown unknown;
};

struct test_all_Empty {
    tern_unknown unknown;
};

/* Numbers out of order, with gaps. */
struct test_all_Sparse {
    uint32_t z;
    uint32_t a;
    uint32_t c;
    uint32_t b;
    uint32_t k;
    tern_unknown unknown;
};

struct test_all_Batch {
    test_all_Everything_list items;
    tern_unknown unknown;
};

/* Presence bits in three words. */
struct test_all_Wide {
    struct {
        uint32_t b1 : 1;
        uint32_t b2 : 1;
        uint32_t b3 : 1;
        uint32_t b4 : 1;
        uint32_t b5 : 1;
        uint32_t b6 : 1;
        uint32_t b7 : 1;
        uint32_t b8 : 1;
        uint32_t b9 : 1;
        uint32_t b10 : 1;
        uint32_t b11 : 1;
        uint32_t b12 : 1;
        uint32_t b13 : 1;
        uint32_t b14 : 1;
        uint32_t b15 : 1;
        uint32_t b16 : 1;
        uint32_t b17 : 1;
        uint32_t b18 : 1;
        uint32_t b19 : 1;
        uint32_t b20 : 1;
        uint32_t b21 : 1;
        uint32_t b22 : 1;
        uint32_t b23 : 1;
        uint32_t b24 : 1;
        uint32_t b25 : 1;
        uint32_t b26 : 1;
        uint32_t b27 : 1;
        uint32_t b28 : 1;
        uint32_t b29 : 1;
        uint32_t b30 : 1;
        uint32_t b31 : 1;
        uint32_t b32 : 1;
        uint32_t b33 : 1;
        uint32_t b34 : 1;
        uint32_t b35 : 1;
        uint32_t b36 : 1;
        uint32_t b37 : 1;
        uint32_t b38 : 1;
        uint32_t b39 : 1;
        uint32_t b40 : 1;
        uint32_t b41 : 1;
        uint32_t b42 : 1;
        uint32_t b43 : 1;
        uint32_t b44 : 1;
        uint32_t b45 : 1;
        uint32_t b46 : 1;
        uint32_t b47 : 1;
        uint32_t b48 : 1;
        uint32_t b49 : 1;
        uint32_t b50 : 1;
        uint32_t b51 : 1;
        uint32_t b52 : 1;
        uint32_t b53 : 1;
        uint32_t b54 : 1;
        uint32_t b55 : 1;
        uint32_t b56 : 1;
        uint32_t b57 : 1;
        uint32_t b58 : 1;
        uint32_t b59 : 1;
        uint32_t b60 : 1;
        uint32_t b61 : 1;
        uint32_t b62 : 1;
        uint32_t b63 : 1;
        uint32_t b64 : 1;
        uint32_t b65 : 1;
        uint32_t b66 : 1;
        uint32_t b67 : 1;
        uint32_t b68 : 1;
        uint32_t b69 : 1;
        uint32_t b70 : 1;
    } has;
    bool b1;
    bool b2;
    bool b3;
    bool b4;
    bool b5;
    bool b6;
    bool b7;
    bool b8;
    bool b9;
    bool b10;
    bool b11;
    bool b12;
    bool b13;
    bool b14;
    bool b15;
    bool b16;
    bool b17;
    bool b18;
    bool b19;
    bool b20;
    bool b21;
    bool b22;
    bool b23;
    bool b24;
    bool b25;
    bool b26;
    bool b27;
    bool b28;
    bool b29;
    bool b30;
    bool b31;
    bool b32;
    bool b33;
    bool b34;
    bool b35;
    bool b36;
    bool b37;
    bool b38;
    bool b39;
    bool b40;
    bool b41;
    bool b42;
    bool b43;
    bool b44;
    bool b45;
    bool b46;
    bool b47;
    bool b48;
    bool b49;
    bool b50;
    bool b51;
    bool b52;
    bool b53;
    bool b54;
    bool b55;
    bool b56;
    bool b57;
    bool b58;
    bool b59;
    bool b60;
    bool b61;
    bool b62;
    bool b63;
    bool b64;
    bool b65;
    bool b66;
    bool b67;
    bool b68;
    bool b69;
    bool b70;
    tern_unknown unknown;
};

/* ---- test.all.Scalars */

static inline int64_t test_all_Scalars_size(const test_all_Scalars *msg) { return tern_protobuf_size(&test_all_Scalars_type, msg); }

static inline int64_t test_all_Scalars_encode(const test_all_Scalars *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_all_Scalars_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_all_Scalars_decode(const void *data, size_t len, tern_arena *arena, int mode, test_all_Scalars *msg) {
    return tern_protobuf_decode(&test_all_Scalars_type, data, len, arena, mode, NULL, msg);
}

static inline int test_all_Scalars_copy(const test_all_Scalars *src, tern_arena *arena, test_all_Scalars *dst) {
    return tern_message_copy(&test_all_Scalars_type, src, arena, dst);
}

static inline bool test_all_Scalars_equal(const test_all_Scalars *a, const test_all_Scalars *b) { return tern_message_equal(&test_all_Scalars_type, a, b); }

/* ---- test.all.Optionals */

static inline int64_t test_all_Optionals_size(const test_all_Optionals *msg) { return tern_protobuf_size(&test_all_Optionals_type, msg); }

static inline int64_t test_all_Optionals_encode(const test_all_Optionals *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_all_Optionals_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_all_Optionals_decode(const void *data, size_t len, tern_arena *arena, int mode, test_all_Optionals *msg) {
    return tern_protobuf_decode(&test_all_Optionals_type, data, len, arena, mode, NULL, msg);
}

static inline int test_all_Optionals_copy(const test_all_Optionals *src, tern_arena *arena, test_all_Optionals *dst) {
    return tern_message_copy(&test_all_Optionals_type, src, arena, dst);
}

static inline bool test_all_Optionals_equal(const test_all_Optionals *a, const test_all_Optionals *b) { return tern_message_equal(&test_all_Optionals_type, a, b); }

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

static inline int64_t test_all_Lists_size(const test_all_Lists *msg) { return tern_protobuf_size(&test_all_Lists_type, msg); }

static inline int64_t test_all_Lists_encode(const test_all_Lists *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_all_Lists_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_all_Lists_decode(const void *data, size_t len, tern_arena *arena, int mode, test_all_Lists *msg) {
    return tern_protobuf_decode(&test_all_Lists_type, data, len, arena, mode, NULL, msg);
}

static inline int test_all_Lists_copy(const test_all_Lists *src, tern_arena *arena, test_all_Lists *dst) {
    return tern_message_copy(&test_all_Lists_type, src, arena, dst);
}

static inline bool test_all_Lists_equal(const test_all_Lists *a, const test_all_Lists *b) { return tern_message_equal(&test_all_Lists_type, a, b); }

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

static inline int64_t test_all_Tree_size(const test_all_Tree *msg) { return tern_protobuf_size(&test_all_Tree_type, msg); }

static inline int64_t test_all_Tree_encode(const test_all_Tree *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_all_Tree_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_all_Tree_decode(const void *data, size_t len, tern_arena *arena, int mode, test_all_Tree *msg) {
    return tern_protobuf_decode(&test_all_Tree_type, data, len, arena, mode, NULL, msg);
}

static inline int test_all_Tree_copy(const test_all_Tree *src, tern_arena *arena, test_all_Tree *dst) {
    return tern_message_copy(&test_all_Tree_type, src, arena, dst);
}

static inline bool test_all_Tree_equal(const test_all_Tree *a, const test_all_Tree *b) { return tern_message_equal(&test_all_Tree_type, a, b); }

static inline test_all_Tree *test_all_Tree_make_left(test_all_Tree *msg, tern_arena *arena) {
    return msg->left = (test_all_Tree *)tern_arena_zalloc(arena, sizeof *msg->left);
}

static inline bool test_all_Tree_has_left(const test_all_Tree *msg) { return msg->left != NULL; }

static inline void test_all_Tree_clear_left(test_all_Tree *msg) { msg->left = NULL; }

static inline test_all_Tree *test_all_Tree_make_right(test_all_Tree *msg, tern_arena *arena) {
    return msg->right = (test_all_Tree *)tern_arena_zalloc(arena, sizeof *msg->right);
}

static inline bool test_all_Tree_has_right(const test_all_Tree *msg) { return msg->right != NULL; }

static inline void test_all_Tree_clear_right(test_all_Tree *msg) { msg->right = NULL; }

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

static inline int64_t test_all_Everything_size(const test_all_Everything *msg) { return tern_protobuf_size(&test_all_Everything_type, msg); }

static inline int64_t test_all_Everything_encode(const test_all_Everything *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_all_Everything_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_all_Everything_decode(const void *data, size_t len, tern_arena *arena, int mode, test_all_Everything *msg) {
    return tern_protobuf_decode(&test_all_Everything_type, data, len, arena, mode, NULL, msg);
}

static inline int test_all_Everything_copy(const test_all_Everything *src, tern_arena *arena, test_all_Everything *dst) {
    return tern_message_copy(&test_all_Everything_type, src, arena, dst);
}

static inline bool test_all_Everything_equal(const test_all_Everything *a, const test_all_Everything *b) { return tern_message_equal(&test_all_Everything_type, a, b); }

static inline test_all_Scalars *test_all_Everything_make_scalars(test_all_Everything *msg, tern_arena *arena) {
    return msg->scalars = (test_all_Scalars *)tern_arena_zalloc(arena, sizeof *msg->scalars);
}

static inline bool test_all_Everything_has_scalars(const test_all_Everything *msg) { return msg->scalars != NULL; }

static inline void test_all_Everything_clear_scalars(test_all_Everything *msg) { msg->scalars = NULL; }

static inline test_all_Optionals *test_all_Everything_make_optionals(test_all_Everything *msg, tern_arena *arena) {
    return msg->optionals = (test_all_Optionals *)tern_arena_zalloc(arena, sizeof *msg->optionals);
}

static inline bool test_all_Everything_has_optionals(const test_all_Everything *msg) { return msg->optionals != NULL; }

static inline void test_all_Everything_clear_optionals(test_all_Everything *msg) { msg->optionals = NULL; }

static inline test_all_Lists *test_all_Everything_make_lists(test_all_Everything *msg, tern_arena *arena) {
    return msg->lists = (test_all_Lists *)tern_arena_zalloc(arena, sizeof *msg->lists);
}

static inline bool test_all_Everything_has_lists(const test_all_Everything *msg) { return msg->lists != NULL; }

static inline void test_all_Everything_clear_lists(test_all_Everything *msg) { msg->lists = NULL; }

static inline test_all_Tree *test_all_Everything_make_tree(test_all_Everything *msg, tern_arena *arena) {
    return msg->tree = (test_all_Tree *)tern_arena_zalloc(arena, sizeof *msg->tree);
}

static inline bool test_all_Everything_has_tree(const test_all_Everything *msg) { return msg->tree != NULL; }

static inline void test_all_Everything_clear_tree(test_all_Everything *msg) { msg->tree = NULL; }

static inline test_all_Outer_Inner_Deepest *test_all_Everything_make_deepest(test_all_Everything *msg, tern_arena *arena) {
    return msg->deepest = (test_all_Outer_Inner_Deepest *)tern_arena_zalloc(arena, sizeof *msg->deepest);
}

static inline bool test_all_Everything_has_deepest(const test_all_Everything *msg) { return msg->deepest != NULL; }

static inline void test_all_Everything_clear_deepest(test_all_Everything *msg) { msg->deepest = NULL; }

static inline test_other_Imported *test_all_Everything_make_imported(test_all_Everything *msg, tern_arena *arena) {
    return msg->imported = (test_other_Imported *)tern_arena_zalloc(arena, sizeof *msg->imported);
}

static inline bool test_all_Everything_has_imported(const test_all_Everything *msg) { return msg->imported != NULL; }

static inline void test_all_Everything_clear_imported(test_all_Everything *msg) { msg->imported = NULL; }

static inline int test_all_Everything_reserve_many_imported(test_all_Everything *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->many_imported, n, sizeof *msg->many_imported.data, arena);
}

static inline test_other_Imported *test_all_Everything_add_many_imported(test_all_Everything *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->many_imported, msg->many_imported.len + 1, sizeof *msg->many_imported.data, arena)) return NULL;
    return &msg->many_imported.data[msg->many_imported.len++];
}

/* ---- test.all.Outer */

static inline int64_t test_all_Outer_size(const test_all_Outer *msg) { return tern_protobuf_size(&test_all_Outer_type, msg); }

static inline int64_t test_all_Outer_encode(const test_all_Outer *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_all_Outer_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_all_Outer_decode(const void *data, size_t len, tern_arena *arena, int mode, test_all_Outer *msg) {
    return tern_protobuf_decode(&test_all_Outer_type, data, len, arena, mode, NULL, msg);
}

static inline int test_all_Outer_copy(const test_all_Outer *src, tern_arena *arena, test_all_Outer *dst) {
    return tern_message_copy(&test_all_Outer_type, src, arena, dst);
}

static inline bool test_all_Outer_equal(const test_all_Outer *a, const test_all_Outer *b) { return tern_message_equal(&test_all_Outer_type, a, b); }

static inline test_all_Outer_Inner *test_all_Outer_make_inner(test_all_Outer *msg, tern_arena *arena) {
    return msg->inner = (test_all_Outer_Inner *)tern_arena_zalloc(arena, sizeof *msg->inner);
}

static inline bool test_all_Outer_has_inner(const test_all_Outer *msg) { return msg->inner != NULL; }

static inline void test_all_Outer_clear_inner(test_all_Outer *msg) { msg->inner = NULL; }

/* ---- test.all.Outer.Inner */

static inline int64_t test_all_Outer_Inner_size(const test_all_Outer_Inner *msg) { return tern_protobuf_size(&test_all_Outer_Inner_type, msg); }

static inline int64_t test_all_Outer_Inner_encode(const test_all_Outer_Inner *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_all_Outer_Inner_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_all_Outer_Inner_decode(const void *data, size_t len, tern_arena *arena, int mode, test_all_Outer_Inner *msg) {
    return tern_protobuf_decode(&test_all_Outer_Inner_type, data, len, arena, mode, NULL, msg);
}

static inline int test_all_Outer_Inner_copy(const test_all_Outer_Inner *src, tern_arena *arena, test_all_Outer_Inner *dst) {
    return tern_message_copy(&test_all_Outer_Inner_type, src, arena, dst);
}

static inline bool test_all_Outer_Inner_equal(const test_all_Outer_Inner *a, const test_all_Outer_Inner *b) { return tern_message_equal(&test_all_Outer_Inner_type, a, b); }

static inline test_all_Outer_Inner_Deepest *test_all_Outer_Inner_make_deepest(test_all_Outer_Inner *msg, tern_arena *arena) {
    return msg->deepest = (test_all_Outer_Inner_Deepest *)tern_arena_zalloc(arena, sizeof *msg->deepest);
}

static inline bool test_all_Outer_Inner_has_deepest(const test_all_Outer_Inner *msg) { return msg->deepest != NULL; }

static inline void test_all_Outer_Inner_clear_deepest(test_all_Outer_Inner *msg) { msg->deepest = NULL; }

/* ---- test.all.Outer.Inner.Deepest */

static inline int64_t test_all_Outer_Inner_Deepest_size(const test_all_Outer_Inner_Deepest *msg) { return tern_protobuf_size(&test_all_Outer_Inner_Deepest_type, msg); }

static inline int64_t test_all_Outer_Inner_Deepest_encode(const test_all_Outer_Inner_Deepest *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_all_Outer_Inner_Deepest_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_all_Outer_Inner_Deepest_decode(const void *data, size_t len, tern_arena *arena, int mode, test_all_Outer_Inner_Deepest *msg) {
    return tern_protobuf_decode(&test_all_Outer_Inner_Deepest_type, data, len, arena, mode, NULL, msg);
}

static inline int test_all_Outer_Inner_Deepest_copy(const test_all_Outer_Inner_Deepest *src, tern_arena *arena, test_all_Outer_Inner_Deepest *dst) {
    return tern_message_copy(&test_all_Outer_Inner_Deepest_type, src, arena, dst);
}

static inline bool test_all_Outer_Inner_Deepest_equal(const test_all_Outer_Inner_Deepest *a, const test_all_Outer_Inner_Deepest *b) { return tern_message_equal(&test_all_Outer_Inner_Deepest_type, a, b); }

static inline int test_all_Outer_Inner_Deepest_reserve_sizes(test_all_Outer_Inner_Deepest *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->sizes, n, sizeof *msg->sizes.data, arena);
}

static inline int32_t *test_all_Outer_Inner_Deepest_add_sizes(test_all_Outer_Inner_Deepest *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->sizes, msg->sizes.len + 1, sizeof *msg->sizes.data, arena)) return NULL;
    return &msg->sizes.data[msg->sizes.len++];
}

/* ---- test.all.Empty */

static inline int64_t test_all_Empty_size(const test_all_Empty *msg) { return tern_protobuf_size(&test_all_Empty_type, msg); }

static inline int64_t test_all_Empty_encode(const test_all_Empty *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_all_Empty_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_all_Empty_decode(const void *data, size_t len, tern_arena *arena, int mode, test_all_Empty *msg) {
    return tern_protobuf_decode(&test_all_Empty_type, data, len, arena, mode, NULL, msg);
}

static inline int test_all_Empty_copy(const test_all_Empty *src, tern_arena *arena, test_all_Empty *dst) {
    return tern_message_copy(&test_all_Empty_type, src, arena, dst);
}

static inline bool test_all_Empty_equal(const test_all_Empty *a, const test_all_Empty *b) { return tern_message_equal(&test_all_Empty_type, a, b); }

/* ---- test.all.Sparse */

static inline int64_t test_all_Sparse_size(const test_all_Sparse *msg) { return tern_protobuf_size(&test_all_Sparse_type, msg); }

static inline int64_t test_all_Sparse_encode(const test_all_Sparse *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_all_Sparse_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_all_Sparse_decode(const void *data, size_t len, tern_arena *arena, int mode, test_all_Sparse *msg) {
    return tern_protobuf_decode(&test_all_Sparse_type, data, len, arena, mode, NULL, msg);
}

static inline int test_all_Sparse_copy(const test_all_Sparse *src, tern_arena *arena, test_all_Sparse *dst) {
    return tern_message_copy(&test_all_Sparse_type, src, arena, dst);
}

static inline bool test_all_Sparse_equal(const test_all_Sparse *a, const test_all_Sparse *b) { return tern_message_equal(&test_all_Sparse_type, a, b); }

/* ---- test.all.Batch */

static inline int64_t test_all_Batch_size(const test_all_Batch *msg) { return tern_protobuf_size(&test_all_Batch_type, msg); }

static inline int64_t test_all_Batch_encode(const test_all_Batch *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_all_Batch_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_all_Batch_decode(const void *data, size_t len, tern_arena *arena, int mode, test_all_Batch *msg) {
    return tern_protobuf_decode(&test_all_Batch_type, data, len, arena, mode, NULL, msg);
}

static inline int test_all_Batch_copy(const test_all_Batch *src, tern_arena *arena, test_all_Batch *dst) {
    return tern_message_copy(&test_all_Batch_type, src, arena, dst);
}

static inline bool test_all_Batch_equal(const test_all_Batch *a, const test_all_Batch *b) { return tern_message_equal(&test_all_Batch_type, a, b); }

static inline int test_all_Batch_reserve_items(test_all_Batch *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->items, n, sizeof *msg->items.data, arena);
}

static inline test_all_Everything *test_all_Batch_add_items(test_all_Batch *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->items, msg->items.len + 1, sizeof *msg->items.data, arena)) return NULL;
    return &msg->items.data[msg->items.len++];
}

/* ---- test.all.Wide */

static inline int64_t test_all_Wide_size(const test_all_Wide *msg) { return tern_protobuf_size(&test_all_Wide_type, msg); }

static inline int64_t test_all_Wide_encode(const test_all_Wide *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_all_Wide_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_all_Wide_decode(const void *data, size_t len, tern_arena *arena, int mode, test_all_Wide *msg) {
    return tern_protobuf_decode(&test_all_Wide_type, data, len, arena, mode, NULL, msg);
}

static inline int test_all_Wide_copy(const test_all_Wide *src, tern_arena *arena, test_all_Wide *dst) {
    return tern_message_copy(&test_all_Wide_type, src, arena, dst);
}

static inline bool test_all_Wide_equal(const test_all_Wide *a, const test_all_Wide *b) { return tern_message_equal(&test_all_Wide_type, a, b); }

static inline bool test_all_Wide_has_b1(const test_all_Wide *msg) { return msg->has.b1; }

static inline void test_all_Wide_set_b1(test_all_Wide *msg, bool value) {
    msg->b1 = value;
    msg->has.b1 = 1;
}

static inline void test_all_Wide_clear_b1(test_all_Wide *msg) {
    msg->b1 = 0;
    msg->has.b1 = 0;
}

static inline bool test_all_Wide_has_b2(const test_all_Wide *msg) { return msg->has.b2; }

static inline void test_all_Wide_set_b2(test_all_Wide *msg, bool value) {
    msg->b2 = value;
    msg->has.b2 = 1;
}

static inline void test_all_Wide_clear_b2(test_all_Wide *msg) {
    msg->b2 = 0;
    msg->has.b2 = 0;
}

static inline bool test_all_Wide_has_b3(const test_all_Wide *msg) { return msg->has.b3; }

static inline void test_all_Wide_set_b3(test_all_Wide *msg, bool value) {
    msg->b3 = value;
    msg->has.b3 = 1;
}

static inline void test_all_Wide_clear_b3(test_all_Wide *msg) {
    msg->b3 = 0;
    msg->has.b3 = 0;
}

static inline bool test_all_Wide_has_b4(const test_all_Wide *msg) { return msg->has.b4; }

static inline void test_all_Wide_set_b4(test_all_Wide *msg, bool value) {
    msg->b4 = value;
    msg->has.b4 = 1;
}

static inline void test_all_Wide_clear_b4(test_all_Wide *msg) {
    msg->b4 = 0;
    msg->has.b4 = 0;
}

static inline bool test_all_Wide_has_b5(const test_all_Wide *msg) { return msg->has.b5; }

static inline void test_all_Wide_set_b5(test_all_Wide *msg, bool value) {
    msg->b5 = value;
    msg->has.b5 = 1;
}

static inline void test_all_Wide_clear_b5(test_all_Wide *msg) {
    msg->b5 = 0;
    msg->has.b5 = 0;
}

static inline bool test_all_Wide_has_b6(const test_all_Wide *msg) { return msg->has.b6; }

static inline void test_all_Wide_set_b6(test_all_Wide *msg, bool value) {
    msg->b6 = value;
    msg->has.b6 = 1;
}

static inline void test_all_Wide_clear_b6(test_all_Wide *msg) {
    msg->b6 = 0;
    msg->has.b6 = 0;
}

static inline bool test_all_Wide_has_b7(const test_all_Wide *msg) { return msg->has.b7; }

static inline void test_all_Wide_set_b7(test_all_Wide *msg, bool value) {
    msg->b7 = value;
    msg->has.b7 = 1;
}

static inline void test_all_Wide_clear_b7(test_all_Wide *msg) {
    msg->b7 = 0;
    msg->has.b7 = 0;
}

static inline bool test_all_Wide_has_b8(const test_all_Wide *msg) { return msg->has.b8; }

static inline void test_all_Wide_set_b8(test_all_Wide *msg, bool value) {
    msg->b8 = value;
    msg->has.b8 = 1;
}

static inline void test_all_Wide_clear_b8(test_all_Wide *msg) {
    msg->b8 = 0;
    msg->has.b8 = 0;
}

static inline bool test_all_Wide_has_b9(const test_all_Wide *msg) { return msg->has.b9; }

static inline void test_all_Wide_set_b9(test_all_Wide *msg, bool value) {
    msg->b9 = value;
    msg->has.b9 = 1;
}

static inline void test_all_Wide_clear_b9(test_all_Wide *msg) {
    msg->b9 = 0;
    msg->has.b9 = 0;
}

static inline bool test_all_Wide_has_b10(const test_all_Wide *msg) { return msg->has.b10; }

static inline void test_all_Wide_set_b10(test_all_Wide *msg, bool value) {
    msg->b10 = value;
    msg->has.b10 = 1;
}

static inline void test_all_Wide_clear_b10(test_all_Wide *msg) {
    msg->b10 = 0;
    msg->has.b10 = 0;
}

static inline bool test_all_Wide_has_b11(const test_all_Wide *msg) { return msg->has.b11; }

static inline void test_all_Wide_set_b11(test_all_Wide *msg, bool value) {
    msg->b11 = value;
    msg->has.b11 = 1;
}

static inline void test_all_Wide_clear_b11(test_all_Wide *msg) {
    msg->b11 = 0;
    msg->has.b11 = 0;
}

static inline bool test_all_Wide_has_b12(const test_all_Wide *msg) { return msg->has.b12; }

static inline void test_all_Wide_set_b12(test_all_Wide *msg, bool value) {
    msg->b12 = value;
    msg->has.b12 = 1;
}

static inline void test_all_Wide_clear_b12(test_all_Wide *msg) {
    msg->b12 = 0;
    msg->has.b12 = 0;
}

static inline bool test_all_Wide_has_b13(const test_all_Wide *msg) { return msg->has.b13; }

static inline void test_all_Wide_set_b13(test_all_Wide *msg, bool value) {
    msg->b13 = value;
    msg->has.b13 = 1;
}

static inline void test_all_Wide_clear_b13(test_all_Wide *msg) {
    msg->b13 = 0;
    msg->has.b13 = 0;
}

static inline bool test_all_Wide_has_b14(const test_all_Wide *msg) { return msg->has.b14; }

static inline void test_all_Wide_set_b14(test_all_Wide *msg, bool value) {
    msg->b14 = value;
    msg->has.b14 = 1;
}

static inline void test_all_Wide_clear_b14(test_all_Wide *msg) {
    msg->b14 = 0;
    msg->has.b14 = 0;
}

static inline bool test_all_Wide_has_b15(const test_all_Wide *msg) { return msg->has.b15; }

static inline void test_all_Wide_set_b15(test_all_Wide *msg, bool value) {
    msg->b15 = value;
    msg->has.b15 = 1;
}

static inline void test_all_Wide_clear_b15(test_all_Wide *msg) {
    msg->b15 = 0;
    msg->has.b15 = 0;
}

static inline bool test_all_Wide_has_b16(const test_all_Wide *msg) { return msg->has.b16; }

static inline void test_all_Wide_set_b16(test_all_Wide *msg, bool value) {
    msg->b16 = value;
    msg->has.b16 = 1;
}

static inline void test_all_Wide_clear_b16(test_all_Wide *msg) {
    msg->b16 = 0;
    msg->has.b16 = 0;
}

static inline bool test_all_Wide_has_b17(const test_all_Wide *msg) { return msg->has.b17; }

static inline void test_all_Wide_set_b17(test_all_Wide *msg, bool value) {
    msg->b17 = value;
    msg->has.b17 = 1;
}

static inline void test_all_Wide_clear_b17(test_all_Wide *msg) {
    msg->b17 = 0;
    msg->has.b17 = 0;
}

static inline bool test_all_Wide_has_b18(const test_all_Wide *msg) { return msg->has.b18; }

static inline void test_all_Wide_set_b18(test_all_Wide *msg, bool value) {
    msg->b18 = value;
    msg->has.b18 = 1;
}

static inline void test_all_Wide_clear_b18(test_all_Wide *msg) {
    msg->b18 = 0;
    msg->has.b18 = 0;
}

static inline bool test_all_Wide_has_b19(const test_all_Wide *msg) { return msg->has.b19; }

static inline void test_all_Wide_set_b19(test_all_Wide *msg, bool value) {
    msg->b19 = value;
    msg->has.b19 = 1;
}

static inline void test_all_Wide_clear_b19(test_all_Wide *msg) {
    msg->b19 = 0;
    msg->has.b19 = 0;
}

static inline bool test_all_Wide_has_b20(const test_all_Wide *msg) { return msg->has.b20; }

static inline void test_all_Wide_set_b20(test_all_Wide *msg, bool value) {
    msg->b20 = value;
    msg->has.b20 = 1;
}

static inline void test_all_Wide_clear_b20(test_all_Wide *msg) {
    msg->b20 = 0;
    msg->has.b20 = 0;
}

static inline bool test_all_Wide_has_b21(const test_all_Wide *msg) { return msg->has.b21; }

static inline void test_all_Wide_set_b21(test_all_Wide *msg, bool value) {
    msg->b21 = value;
    msg->has.b21 = 1;
}

static inline void test_all_Wide_clear_b21(test_all_Wide *msg) {
    msg->b21 = 0;
    msg->has.b21 = 0;
}

static inline bool test_all_Wide_has_b22(const test_all_Wide *msg) { return msg->has.b22; }

static inline void test_all_Wide_set_b22(test_all_Wide *msg, bool value) {
    msg->b22 = value;
    msg->has.b22 = 1;
}

static inline void test_all_Wide_clear_b22(test_all_Wide *msg) {
    msg->b22 = 0;
    msg->has.b22 = 0;
}

static inline bool test_all_Wide_has_b23(const test_all_Wide *msg) { return msg->has.b23; }

static inline void test_all_Wide_set_b23(test_all_Wide *msg, bool value) {
    msg->b23 = value;
    msg->has.b23 = 1;
}

static inline void test_all_Wide_clear_b23(test_all_Wide *msg) {
    msg->b23 = 0;
    msg->has.b23 = 0;
}

static inline bool test_all_Wide_has_b24(const test_all_Wide *msg) { return msg->has.b24; }

static inline void test_all_Wide_set_b24(test_all_Wide *msg, bool value) {
    msg->b24 = value;
    msg->has.b24 = 1;
}

static inline void test_all_Wide_clear_b24(test_all_Wide *msg) {
    msg->b24 = 0;
    msg->has.b24 = 0;
}

static inline bool test_all_Wide_has_b25(const test_all_Wide *msg) { return msg->has.b25; }

static inline void test_all_Wide_set_b25(test_all_Wide *msg, bool value) {
    msg->b25 = value;
    msg->has.b25 = 1;
}

static inline void test_all_Wide_clear_b25(test_all_Wide *msg) {
    msg->b25 = 0;
    msg->has.b25 = 0;
}

static inline bool test_all_Wide_has_b26(const test_all_Wide *msg) { return msg->has.b26; }

static inline void test_all_Wide_set_b26(test_all_Wide *msg, bool value) {
    msg->b26 = value;
    msg->has.b26 = 1;
}

static inline void test_all_Wide_clear_b26(test_all_Wide *msg) {
    msg->b26 = 0;
    msg->has.b26 = 0;
}

static inline bool test_all_Wide_has_b27(const test_all_Wide *msg) { return msg->has.b27; }

static inline void test_all_Wide_set_b27(test_all_Wide *msg, bool value) {
    msg->b27 = value;
    msg->has.b27 = 1;
}

static inline void test_all_Wide_clear_b27(test_all_Wide *msg) {
    msg->b27 = 0;
    msg->has.b27 = 0;
}

static inline bool test_all_Wide_has_b28(const test_all_Wide *msg) { return msg->has.b28; }

static inline void test_all_Wide_set_b28(test_all_Wide *msg, bool value) {
    msg->b28 = value;
    msg->has.b28 = 1;
}

static inline void test_all_Wide_clear_b28(test_all_Wide *msg) {
    msg->b28 = 0;
    msg->has.b28 = 0;
}

static inline bool test_all_Wide_has_b29(const test_all_Wide *msg) { return msg->has.b29; }

static inline void test_all_Wide_set_b29(test_all_Wide *msg, bool value) {
    msg->b29 = value;
    msg->has.b29 = 1;
}

static inline void test_all_Wide_clear_b29(test_all_Wide *msg) {
    msg->b29 = 0;
    msg->has.b29 = 0;
}

static inline bool test_all_Wide_has_b30(const test_all_Wide *msg) { return msg->has.b30; }

static inline void test_all_Wide_set_b30(test_all_Wide *msg, bool value) {
    msg->b30 = value;
    msg->has.b30 = 1;
}

static inline void test_all_Wide_clear_b30(test_all_Wide *msg) {
    msg->b30 = 0;
    msg->has.b30 = 0;
}

static inline bool test_all_Wide_has_b31(const test_all_Wide *msg) { return msg->has.b31; }

static inline void test_all_Wide_set_b31(test_all_Wide *msg, bool value) {
    msg->b31 = value;
    msg->has.b31 = 1;
}

static inline void test_all_Wide_clear_b31(test_all_Wide *msg) {
    msg->b31 = 0;
    msg->has.b31 = 0;
}

static inline bool test_all_Wide_has_b32(const test_all_Wide *msg) { return msg->has.b32; }

static inline void test_all_Wide_set_b32(test_all_Wide *msg, bool value) {
    msg->b32 = value;
    msg->has.b32 = 1;
}

static inline void test_all_Wide_clear_b32(test_all_Wide *msg) {
    msg->b32 = 0;
    msg->has.b32 = 0;
}

static inline bool test_all_Wide_has_b33(const test_all_Wide *msg) { return msg->has.b33; }

static inline void test_all_Wide_set_b33(test_all_Wide *msg, bool value) {
    msg->b33 = value;
    msg->has.b33 = 1;
}

static inline void test_all_Wide_clear_b33(test_all_Wide *msg) {
    msg->b33 = 0;
    msg->has.b33 = 0;
}

static inline bool test_all_Wide_has_b34(const test_all_Wide *msg) { return msg->has.b34; }

static inline void test_all_Wide_set_b34(test_all_Wide *msg, bool value) {
    msg->b34 = value;
    msg->has.b34 = 1;
}

static inline void test_all_Wide_clear_b34(test_all_Wide *msg) {
    msg->b34 = 0;
    msg->has.b34 = 0;
}

static inline bool test_all_Wide_has_b35(const test_all_Wide *msg) { return msg->has.b35; }

static inline void test_all_Wide_set_b35(test_all_Wide *msg, bool value) {
    msg->b35 = value;
    msg->has.b35 = 1;
}

static inline void test_all_Wide_clear_b35(test_all_Wide *msg) {
    msg->b35 = 0;
    msg->has.b35 = 0;
}

static inline bool test_all_Wide_has_b36(const test_all_Wide *msg) { return msg->has.b36; }

static inline void test_all_Wide_set_b36(test_all_Wide *msg, bool value) {
    msg->b36 = value;
    msg->has.b36 = 1;
}

static inline void test_all_Wide_clear_b36(test_all_Wide *msg) {
    msg->b36 = 0;
    msg->has.b36 = 0;
}

static inline bool test_all_Wide_has_b37(const test_all_Wide *msg) { return msg->has.b37; }

static inline void test_all_Wide_set_b37(test_all_Wide *msg, bool value) {
    msg->b37 = value;
    msg->has.b37 = 1;
}

static inline void test_all_Wide_clear_b37(test_all_Wide *msg) {
    msg->b37 = 0;
    msg->has.b37 = 0;
}

static inline bool test_all_Wide_has_b38(const test_all_Wide *msg) { return msg->has.b38; }

static inline void test_all_Wide_set_b38(test_all_Wide *msg, bool value) {
    msg->b38 = value;
    msg->has.b38 = 1;
}

static inline void test_all_Wide_clear_b38(test_all_Wide *msg) {
    msg->b38 = 0;
    msg->has.b38 = 0;
}

static inline bool test_all_Wide_has_b39(const test_all_Wide *msg) { return msg->has.b39; }

static inline void test_all_Wide_set_b39(test_all_Wide *msg, bool value) {
    msg->b39 = value;
    msg->has.b39 = 1;
}

static inline void test_all_Wide_clear_b39(test_all_Wide *msg) {
    msg->b39 = 0;
    msg->has.b39 = 0;
}

static inline bool test_all_Wide_has_b40(const test_all_Wide *msg) { return msg->has.b40; }

static inline void test_all_Wide_set_b40(test_all_Wide *msg, bool value) {
    msg->b40 = value;
    msg->has.b40 = 1;
}

static inline void test_all_Wide_clear_b40(test_all_Wide *msg) {
    msg->b40 = 0;
    msg->has.b40 = 0;
}

static inline bool test_all_Wide_has_b41(const test_all_Wide *msg) { return msg->has.b41; }

static inline void test_all_Wide_set_b41(test_all_Wide *msg, bool value) {
    msg->b41 = value;
    msg->has.b41 = 1;
}

static inline void test_all_Wide_clear_b41(test_all_Wide *msg) {
    msg->b41 = 0;
    msg->has.b41 = 0;
}

static inline bool test_all_Wide_has_b42(const test_all_Wide *msg) { return msg->has.b42; }

static inline void test_all_Wide_set_b42(test_all_Wide *msg, bool value) {
    msg->b42 = value;
    msg->has.b42 = 1;
}

static inline void test_all_Wide_clear_b42(test_all_Wide *msg) {
    msg->b42 = 0;
    msg->has.b42 = 0;
}

static inline bool test_all_Wide_has_b43(const test_all_Wide *msg) { return msg->has.b43; }

static inline void test_all_Wide_set_b43(test_all_Wide *msg, bool value) {
    msg->b43 = value;
    msg->has.b43 = 1;
}

static inline void test_all_Wide_clear_b43(test_all_Wide *msg) {
    msg->b43 = 0;
    msg->has.b43 = 0;
}

static inline bool test_all_Wide_has_b44(const test_all_Wide *msg) { return msg->has.b44; }

static inline void test_all_Wide_set_b44(test_all_Wide *msg, bool value) {
    msg->b44 = value;
    msg->has.b44 = 1;
}

static inline void test_all_Wide_clear_b44(test_all_Wide *msg) {
    msg->b44 = 0;
    msg->has.b44 = 0;
}

static inline bool test_all_Wide_has_b45(const test_all_Wide *msg) { return msg->has.b45; }

static inline void test_all_Wide_set_b45(test_all_Wide *msg, bool value) {
    msg->b45 = value;
    msg->has.b45 = 1;
}

static inline void test_all_Wide_clear_b45(test_all_Wide *msg) {
    msg->b45 = 0;
    msg->has.b45 = 0;
}

static inline bool test_all_Wide_has_b46(const test_all_Wide *msg) { return msg->has.b46; }

static inline void test_all_Wide_set_b46(test_all_Wide *msg, bool value) {
    msg->b46 = value;
    msg->has.b46 = 1;
}

static inline void test_all_Wide_clear_b46(test_all_Wide *msg) {
    msg->b46 = 0;
    msg->has.b46 = 0;
}

static inline bool test_all_Wide_has_b47(const test_all_Wide *msg) { return msg->has.b47; }

static inline void test_all_Wide_set_b47(test_all_Wide *msg, bool value) {
    msg->b47 = value;
    msg->has.b47 = 1;
}

static inline void test_all_Wide_clear_b47(test_all_Wide *msg) {
    msg->b47 = 0;
    msg->has.b47 = 0;
}

static inline bool test_all_Wide_has_b48(const test_all_Wide *msg) { return msg->has.b48; }

static inline void test_all_Wide_set_b48(test_all_Wide *msg, bool value) {
    msg->b48 = value;
    msg->has.b48 = 1;
}

static inline void test_all_Wide_clear_b48(test_all_Wide *msg) {
    msg->b48 = 0;
    msg->has.b48 = 0;
}

static inline bool test_all_Wide_has_b49(const test_all_Wide *msg) { return msg->has.b49; }

static inline void test_all_Wide_set_b49(test_all_Wide *msg, bool value) {
    msg->b49 = value;
    msg->has.b49 = 1;
}

static inline void test_all_Wide_clear_b49(test_all_Wide *msg) {
    msg->b49 = 0;
    msg->has.b49 = 0;
}

static inline bool test_all_Wide_has_b50(const test_all_Wide *msg) { return msg->has.b50; }

static inline void test_all_Wide_set_b50(test_all_Wide *msg, bool value) {
    msg->b50 = value;
    msg->has.b50 = 1;
}

static inline void test_all_Wide_clear_b50(test_all_Wide *msg) {
    msg->b50 = 0;
    msg->has.b50 = 0;
}

static inline bool test_all_Wide_has_b51(const test_all_Wide *msg) { return msg->has.b51; }

static inline void test_all_Wide_set_b51(test_all_Wide *msg, bool value) {
    msg->b51 = value;
    msg->has.b51 = 1;
}

static inline void test_all_Wide_clear_b51(test_all_Wide *msg) {
    msg->b51 = 0;
    msg->has.b51 = 0;
}

static inline bool test_all_Wide_has_b52(const test_all_Wide *msg) { return msg->has.b52; }

static inline void test_all_Wide_set_b52(test_all_Wide *msg, bool value) {
    msg->b52 = value;
    msg->has.b52 = 1;
}

static inline void test_all_Wide_clear_b52(test_all_Wide *msg) {
    msg->b52 = 0;
    msg->has.b52 = 0;
}

static inline bool test_all_Wide_has_b53(const test_all_Wide *msg) { return msg->has.b53; }

static inline void test_all_Wide_set_b53(test_all_Wide *msg, bool value) {
    msg->b53 = value;
    msg->has.b53 = 1;
}

static inline void test_all_Wide_clear_b53(test_all_Wide *msg) {
    msg->b53 = 0;
    msg->has.b53 = 0;
}

static inline bool test_all_Wide_has_b54(const test_all_Wide *msg) { return msg->has.b54; }

static inline void test_all_Wide_set_b54(test_all_Wide *msg, bool value) {
    msg->b54 = value;
    msg->has.b54 = 1;
}

static inline void test_all_Wide_clear_b54(test_all_Wide *msg) {
    msg->b54 = 0;
    msg->has.b54 = 0;
}

static inline bool test_all_Wide_has_b55(const test_all_Wide *msg) { return msg->has.b55; }

static inline void test_all_Wide_set_b55(test_all_Wide *msg, bool value) {
    msg->b55 = value;
    msg->has.b55 = 1;
}

static inline void test_all_Wide_clear_b55(test_all_Wide *msg) {
    msg->b55 = 0;
    msg->has.b55 = 0;
}

static inline bool test_all_Wide_has_b56(const test_all_Wide *msg) { return msg->has.b56; }

static inline void test_all_Wide_set_b56(test_all_Wide *msg, bool value) {
    msg->b56 = value;
    msg->has.b56 = 1;
}

static inline void test_all_Wide_clear_b56(test_all_Wide *msg) {
    msg->b56 = 0;
    msg->has.b56 = 0;
}

static inline bool test_all_Wide_has_b57(const test_all_Wide *msg) { return msg->has.b57; }

static inline void test_all_Wide_set_b57(test_all_Wide *msg, bool value) {
    msg->b57 = value;
    msg->has.b57 = 1;
}

static inline void test_all_Wide_clear_b57(test_all_Wide *msg) {
    msg->b57 = 0;
    msg->has.b57 = 0;
}

static inline bool test_all_Wide_has_b58(const test_all_Wide *msg) { return msg->has.b58; }

static inline void test_all_Wide_set_b58(test_all_Wide *msg, bool value) {
    msg->b58 = value;
    msg->has.b58 = 1;
}

static inline void test_all_Wide_clear_b58(test_all_Wide *msg) {
    msg->b58 = 0;
    msg->has.b58 = 0;
}

static inline bool test_all_Wide_has_b59(const test_all_Wide *msg) { return msg->has.b59; }

static inline void test_all_Wide_set_b59(test_all_Wide *msg, bool value) {
    msg->b59 = value;
    msg->has.b59 = 1;
}

static inline void test_all_Wide_clear_b59(test_all_Wide *msg) {
    msg->b59 = 0;
    msg->has.b59 = 0;
}

static inline bool test_all_Wide_has_b60(const test_all_Wide *msg) { return msg->has.b60; }

static inline void test_all_Wide_set_b60(test_all_Wide *msg, bool value) {
    msg->b60 = value;
    msg->has.b60 = 1;
}

static inline void test_all_Wide_clear_b60(test_all_Wide *msg) {
    msg->b60 = 0;
    msg->has.b60 = 0;
}

static inline bool test_all_Wide_has_b61(const test_all_Wide *msg) { return msg->has.b61; }

static inline void test_all_Wide_set_b61(test_all_Wide *msg, bool value) {
    msg->b61 = value;
    msg->has.b61 = 1;
}

static inline void test_all_Wide_clear_b61(test_all_Wide *msg) {
    msg->b61 = 0;
    msg->has.b61 = 0;
}

static inline bool test_all_Wide_has_b62(const test_all_Wide *msg) { return msg->has.b62; }

static inline void test_all_Wide_set_b62(test_all_Wide *msg, bool value) {
    msg->b62 = value;
    msg->has.b62 = 1;
}

static inline void test_all_Wide_clear_b62(test_all_Wide *msg) {
    msg->b62 = 0;
    msg->has.b62 = 0;
}

static inline bool test_all_Wide_has_b63(const test_all_Wide *msg) { return msg->has.b63; }

static inline void test_all_Wide_set_b63(test_all_Wide *msg, bool value) {
    msg->b63 = value;
    msg->has.b63 = 1;
}

static inline void test_all_Wide_clear_b63(test_all_Wide *msg) {
    msg->b63 = 0;
    msg->has.b63 = 0;
}

static inline bool test_all_Wide_has_b64(const test_all_Wide *msg) { return msg->has.b64; }

static inline void test_all_Wide_set_b64(test_all_Wide *msg, bool value) {
    msg->b64 = value;
    msg->has.b64 = 1;
}

static inline void test_all_Wide_clear_b64(test_all_Wide *msg) {
    msg->b64 = 0;
    msg->has.b64 = 0;
}

static inline bool test_all_Wide_has_b65(const test_all_Wide *msg) { return msg->has.b65; }

static inline void test_all_Wide_set_b65(test_all_Wide *msg, bool value) {
    msg->b65 = value;
    msg->has.b65 = 1;
}

static inline void test_all_Wide_clear_b65(test_all_Wide *msg) {
    msg->b65 = 0;
    msg->has.b65 = 0;
}

static inline bool test_all_Wide_has_b66(const test_all_Wide *msg) { return msg->has.b66; }

static inline void test_all_Wide_set_b66(test_all_Wide *msg, bool value) {
    msg->b66 = value;
    msg->has.b66 = 1;
}

static inline void test_all_Wide_clear_b66(test_all_Wide *msg) {
    msg->b66 = 0;
    msg->has.b66 = 0;
}

static inline bool test_all_Wide_has_b67(const test_all_Wide *msg) { return msg->has.b67; }

static inline void test_all_Wide_set_b67(test_all_Wide *msg, bool value) {
    msg->b67 = value;
    msg->has.b67 = 1;
}

static inline void test_all_Wide_clear_b67(test_all_Wide *msg) {
    msg->b67 = 0;
    msg->has.b67 = 0;
}

static inline bool test_all_Wide_has_b68(const test_all_Wide *msg) { return msg->has.b68; }

static inline void test_all_Wide_set_b68(test_all_Wide *msg, bool value) {
    msg->b68 = value;
    msg->has.b68 = 1;
}

static inline void test_all_Wide_clear_b68(test_all_Wide *msg) {
    msg->b68 = 0;
    msg->has.b68 = 0;
}

static inline bool test_all_Wide_has_b69(const test_all_Wide *msg) { return msg->has.b69; }

static inline void test_all_Wide_set_b69(test_all_Wide *msg, bool value) {
    msg->b69 = value;
    msg->has.b69 = 1;
}

static inline void test_all_Wide_clear_b69(test_all_Wide *msg) {
    msg->b69 = 0;
    msg->has.b69 = 0;
}

static inline bool test_all_Wide_has_b70(const test_all_Wide *msg) { return msg->has.b70; }

static inline void test_all_Wide_set_b70(test_all_Wide *msg, bool value) {
    msg->b70 = value;
    msg->has.b70 = 1;
}

static inline void test_all_Wide_clear_b70(test_all_Wide *msg) {
    msg->b70 = 0;
    msg->has.b70 = 0;
}

#ifdef __cplusplus
}
#endif
#endif
