/* Made by protoc-gen-tern from old.proto; changes here are lost. */
#ifndef OLD_TERN_H
#define OLD_TERN_H

#include <math.h>

#include "tern/codec.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum test_old_Mode {
    test_old_Mode_SLOW = 1,
    test_old_Mode_FAST = 2,
} test_old_Mode;
extern const tern_enum test_old_Mode_enum;

typedef struct test_old_Defaults test_old_Defaults;
TERN__LIST(test_old_Defaults_list, test_old_Defaults);
extern const tern_type test_old_Defaults_type;
typedef struct test_old_Required test_old_Required;
TERN__LIST(test_old_Required_list, test_old_Required);
extern const tern_type test_old_Required_type;
typedef struct test_old_HoldsRequired test_old_HoldsRequired;
TERN__LIST(test_old_HoldsRequired_list, test_old_HoldsRequired);
extern const tern_type test_old_HoldsRequired_type;
typedef struct test_old_Extensible test_old_Extensible;
TERN__LIST(test_old_Extensible_list, test_old_Extensible);
extern const tern_type test_old_Extensible_type;

struct test_old_Defaults {
    struct {
        uint32_t i : 1;
        uint32_t lowest : 1;
        uint32_t l : 1;
        uint32_t u : 1;
        uint32_t m : 1;
        uint32_t f : 1;
        uint32_t d : 1;
        uint32_t infinite : 1;
        uint32_t minus_infinite : 1;
        uint32_t none : 1;
        uint32_t b : 1;
        uint32_t s : 1;
        uint32_t raw : 1;
        uint32_t mode : 1;
        uint32_t plain : 1;
        uint32_t tiny : 1;
        uint32_t z : 1;
    } has;
    int32_t i;
    int32_t lowest;
    int64_t l;
    uint32_t u;
    uint64_t m;
    float f;
    double d;
    double infinite;
    float minus_infinite;
    double none;
    bool b;
    tern_str s;
    tern_bytes raw;
    int32_t mode; /* test_old_Mode */
    int32_t plain;
    float tiny;
    int64_t z;
    tern_unknown unknown;
};

struct test_old_Required {
    struct {
        uint32_t id : 1;
        uint32_t name : 1;
    } has;
    uint32_t id;
    tern_str name;
    test_old_Required *child;
    test_old_Required_list children;
    tern_unknown unknown;
};

struct test_old_HoldsRequired {
    test_old_Required *held;
    test_old_Required *needed;
    tern_unknown unknown;
};

struct test_old_Extensible {
    struct {
        uint32_t a : 1;
    } has;
    uint32_t a;
    tern_list_i32 packed;
    tern_list_i32 loose;
    tern_unknown unknown;
};

/* ---- test.old.Defaults */

static inline int64_t test_old_Defaults_size(const test_old_Defaults *msg) { return tern_protobuf_size(&test_old_Defaults_type, msg); }

static inline int64_t test_old_Defaults_encode(const test_old_Defaults *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_old_Defaults_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_old_Defaults_decode(const void *data, size_t len, tern_arena *arena, int mode, test_old_Defaults *msg) {
    return tern_protobuf_decode(&test_old_Defaults_type, data, len, arena, mode, NULL, msg);
}

static inline int test_old_Defaults_copy(const test_old_Defaults *src, tern_arena *arena, test_old_Defaults *dst) {
    return tern_message_copy(&test_old_Defaults_type, src, arena, dst);
}

static inline bool test_old_Defaults_equal(const test_old_Defaults *a, const test_old_Defaults *b) { return tern_message_equal(&test_old_Defaults_type, a, b); }

static inline bool test_old_Defaults_has_i(const test_old_Defaults *msg) { return msg->has.i; }

static inline void test_old_Defaults_set_i(test_old_Defaults *msg, int32_t value) {
    msg->i = value;
    msg->has.i = 1;
}

static inline void test_old_Defaults_clear_i(test_old_Defaults *msg) {
    msg->i = 0;
    msg->has.i = 0;
}

/* The value, or the schema's default when it is not set. */
static inline int32_t test_old_Defaults_get_i(const test_old_Defaults *msg) {
    return test_old_Defaults_has_i(msg) ? msg->i : -7;
}

static inline bool test_old_Defaults_has_lowest(const test_old_Defaults *msg) { return msg->has.lowest; }

static inline void test_old_Defaults_set_lowest(test_old_Defaults *msg, int32_t value) {
    msg->lowest = value;
    msg->has.lowest = 1;
}

static inline void test_old_Defaults_clear_lowest(test_old_Defaults *msg) {
    msg->lowest = 0;
    msg->has.lowest = 0;
}

/* The value, or the schema's default when it is not set. */
static inline int32_t test_old_Defaults_get_lowest(const test_old_Defaults *msg) {
    return test_old_Defaults_has_lowest(msg) ? msg->lowest : (-2147483647 - 1);
}

static inline bool test_old_Defaults_has_l(const test_old_Defaults *msg) { return msg->has.l; }

static inline void test_old_Defaults_set_l(test_old_Defaults *msg, int64_t value) {
    msg->l = value;
    msg->has.l = 1;
}

static inline void test_old_Defaults_clear_l(test_old_Defaults *msg) {
    msg->l = 0;
    msg->has.l = 0;
}

/* The value, or the schema's default when it is not set. */
static inline int64_t test_old_Defaults_get_l(const test_old_Defaults *msg) {
    return test_old_Defaults_has_l(msg) ? msg->l : (-INT64_C(9223372036854775807) - 1);
}

static inline bool test_old_Defaults_has_u(const test_old_Defaults *msg) { return msg->has.u; }

static inline void test_old_Defaults_set_u(test_old_Defaults *msg, uint32_t value) {
    msg->u = value;
    msg->has.u = 1;
}

static inline void test_old_Defaults_clear_u(test_old_Defaults *msg) {
    msg->u = 0;
    msg->has.u = 0;
}

/* The value, or the schema's default when it is not set. */
static inline uint32_t test_old_Defaults_get_u(const test_old_Defaults *msg) {
    return test_old_Defaults_has_u(msg) ? msg->u : 4294967295u;
}

static inline bool test_old_Defaults_has_m(const test_old_Defaults *msg) { return msg->has.m; }

static inline void test_old_Defaults_set_m(test_old_Defaults *msg, uint64_t value) {
    msg->m = value;
    msg->has.m = 1;
}

static inline void test_old_Defaults_clear_m(test_old_Defaults *msg) {
    msg->m = 0;
    msg->has.m = 0;
}

/* The value, or the schema's default when it is not set. */
static inline uint64_t test_old_Defaults_get_m(const test_old_Defaults *msg) {
    return test_old_Defaults_has_m(msg) ? msg->m : UINT64_C(18446744073709551615);
}

static inline bool test_old_Defaults_has_f(const test_old_Defaults *msg) { return msg->has.f; }

static inline void test_old_Defaults_set_f(test_old_Defaults *msg, float value) {
    msg->f = value;
    msg->has.f = 1;
}

static inline void test_old_Defaults_clear_f(test_old_Defaults *msg) {
    msg->f = 0;
    msg->has.f = 0;
}

/* The value, or the schema's default when it is not set. */
static inline float test_old_Defaults_get_f(const test_old_Defaults *msg) {
    return test_old_Defaults_has_f(msg) ? msg->f : 1.5f;
}

static inline bool test_old_Defaults_has_d(const test_old_Defaults *msg) { return msg->has.d; }

static inline void test_old_Defaults_set_d(test_old_Defaults *msg, double value) {
    msg->d = value;
    msg->has.d = 1;
}

static inline void test_old_Defaults_clear_d(test_old_Defaults *msg) {
    msg->d = 0;
    msg->has.d = 0;
}

/* The value, or the schema's default when it is not set. */
static inline double test_old_Defaults_get_d(const test_old_Defaults *msg) {
    return test_old_Defaults_has_d(msg) ? msg->d : -1.0000000000000001e+300;
}

static inline bool test_old_Defaults_has_infinite(const test_old_Defaults *msg) { return msg->has.infinite; }

static inline void test_old_Defaults_set_infinite(test_old_Defaults *msg, double value) {
    msg->infinite = value;
    msg->has.infinite = 1;
}

static inline void test_old_Defaults_clear_infinite(test_old_Defaults *msg) {
    msg->infinite = 0;
    msg->has.infinite = 0;
}

/* The value, or the schema's default when it is not set. */
static inline double test_old_Defaults_get_infinite(const test_old_Defaults *msg) {
    return test_old_Defaults_has_infinite(msg) ? msg->infinite : (double)INFINITY;
}

static inline bool test_old_Defaults_has_minus_infinite(const test_old_Defaults *msg) { return msg->has.minus_infinite; }

static inline void test_old_Defaults_set_minus_infinite(test_old_Defaults *msg, float value) {
    msg->minus_infinite = value;
    msg->has.minus_infinite = 1;
}

static inline void test_old_Defaults_clear_minus_infinite(test_old_Defaults *msg) {
    msg->minus_infinite = 0;
    msg->has.minus_infinite = 0;
}

/* The value, or the schema's default when it is not set. */
static inline float test_old_Defaults_get_minus_infinite(const test_old_Defaults *msg) {
    return test_old_Defaults_has_minus_infinite(msg) ? msg->minus_infinite : -(float)INFINITY;
}

static inline bool test_old_Defaults_has_none(const test_old_Defaults *msg) { return msg->has.none; }

static inline void test_old_Defaults_set_none(test_old_Defaults *msg, double value) {
    msg->none = value;
    msg->has.none = 1;
}

static inline void test_old_Defaults_clear_none(test_old_Defaults *msg) {
    msg->none = 0;
    msg->has.none = 0;
}

/* The value, or the schema's default when it is not set. */
static inline double test_old_Defaults_get_none(const test_old_Defaults *msg) {
    return test_old_Defaults_has_none(msg) ? msg->none : (double)NAN;
}

static inline bool test_old_Defaults_has_b(const test_old_Defaults *msg) { return msg->has.b; }

static inline void test_old_Defaults_set_b(test_old_Defaults *msg, bool value) {
    msg->b = value;
    msg->has.b = 1;
}

static inline void test_old_Defaults_clear_b(test_old_Defaults *msg) {
    msg->b = 0;
    msg->has.b = 0;
}

/* The value, or the schema's default when it is not set. */
static inline bool test_old_Defaults_get_b(const test_old_Defaults *msg) {
    return test_old_Defaults_has_b(msg) ? msg->b : true;
}

static inline bool test_old_Defaults_has_s(const test_old_Defaults *msg) { return msg->has.s; }

static inline void test_old_Defaults_set_s(test_old_Defaults *msg, tern_str value) {
    msg->s = value;
    msg->has.s = 1;
}

static inline void test_old_Defaults_clear_s(test_old_Defaults *msg) {
    msg->s.data = NULL;
    msg->s.len = 0;
    msg->has.s = 0;
}

/* The value, or the schema's default when it is not set. */
static inline tern_str test_old_Defaults_get_s(const test_old_Defaults *msg) {
    const tern_str value = {"a \"quoted\" \\ \?\?= line\012\303\244", 24};
    return test_old_Defaults_has_s(msg) ? msg->s : value;
}

static inline bool test_old_Defaults_has_raw(const test_old_Defaults *msg) { return msg->has.raw; }

static inline void test_old_Defaults_set_raw(test_old_Defaults *msg, tern_bytes value) {
    msg->raw = value;
    msg->has.raw = 1;
}

static inline void test_old_Defaults_clear_raw(test_old_Defaults *msg) {
    msg->raw.data = NULL;
    msg->raw.len = 0;
    msg->has.raw = 0;
}

/* The value, or the schema's default when it is not set. */
static inline tern_bytes test_old_Defaults_get_raw(const test_old_Defaults *msg) {
    const tern_bytes value = {"\000\001\377x", 4};
    return test_old_Defaults_has_raw(msg) ? msg->raw : value;
}

static inline bool test_old_Defaults_has_mode(const test_old_Defaults *msg) { return msg->has.mode; }

static inline void test_old_Defaults_set_mode(test_old_Defaults *msg, int32_t value) {
    msg->mode = value;
    msg->has.mode = 1;
}

static inline void test_old_Defaults_clear_mode(test_old_Defaults *msg) {
    msg->mode = 0;
    msg->has.mode = 0;
}

/* The value, or the schema's default when it is not set. */
static inline int32_t test_old_Defaults_get_mode(const test_old_Defaults *msg) {
    return test_old_Defaults_has_mode(msg) ? msg->mode : test_old_Mode_FAST;
}

static inline bool test_old_Defaults_has_plain(const test_old_Defaults *msg) { return msg->has.plain; }

static inline void test_old_Defaults_set_plain(test_old_Defaults *msg, int32_t value) {
    msg->plain = value;
    msg->has.plain = 1;
}

static inline void test_old_Defaults_clear_plain(test_old_Defaults *msg) {
    msg->plain = 0;
    msg->has.plain = 0;
}

static inline bool test_old_Defaults_has_tiny(const test_old_Defaults *msg) { return msg->has.tiny; }

static inline void test_old_Defaults_set_tiny(test_old_Defaults *msg, float value) {
    msg->tiny = value;
    msg->has.tiny = 1;
}

static inline void test_old_Defaults_clear_tiny(test_old_Defaults *msg) {
    msg->tiny = 0;
    msg->has.tiny = 0;
}

/* The value, or the schema's default when it is not set. */
static inline float test_old_Defaults_get_tiny(const test_old_Defaults *msg) {
    return test_old_Defaults_has_tiny(msg) ? msg->tiny : 1.40129846e-45f;
}

static inline bool test_old_Defaults_has_z(const test_old_Defaults *msg) { return msg->has.z; }

static inline void test_old_Defaults_set_z(test_old_Defaults *msg, int64_t value) {
    msg->z = value;
    msg->has.z = 1;
}

static inline void test_old_Defaults_clear_z(test_old_Defaults *msg) {
    msg->z = 0;
    msg->has.z = 0;
}

/* The value, or the schema's default when it is not set. */
static inline int64_t test_old_Defaults_get_z(const test_old_Defaults *msg) {
    return test_old_Defaults_has_z(msg) ? msg->z : INT64_C(42);
}

/* ---- test.old.Required */

static inline int64_t test_old_Required_size(const test_old_Required *msg) { return tern_protobuf_size(&test_old_Required_type, msg); }

static inline int64_t test_old_Required_encode(const test_old_Required *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_old_Required_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_old_Required_decode(const void *data, size_t len, tern_arena *arena, int mode, test_old_Required *msg) {
    return tern_protobuf_decode(&test_old_Required_type, data, len, arena, mode, NULL, msg);
}

static inline int test_old_Required_copy(const test_old_Required *src, tern_arena *arena, test_old_Required *dst) {
    return tern_message_copy(&test_old_Required_type, src, arena, dst);
}

static inline bool test_old_Required_equal(const test_old_Required *a, const test_old_Required *b) { return tern_message_equal(&test_old_Required_type, a, b); }

static inline bool test_old_Required_has_id(const test_old_Required *msg) { return msg->has.id; }

static inline void test_old_Required_set_id(test_old_Required *msg, uint32_t value) {
    msg->id = value;
    msg->has.id = 1;
}

static inline void test_old_Required_clear_id(test_old_Required *msg) {
    msg->id = 0;
    msg->has.id = 0;
}

static inline bool test_old_Required_has_name(const test_old_Required *msg) { return msg->has.name; }

static inline void test_old_Required_set_name(test_old_Required *msg, tern_str value) {
    msg->name = value;
    msg->has.name = 1;
}

static inline void test_old_Required_clear_name(test_old_Required *msg) {
    msg->name.data = NULL;
    msg->name.len = 0;
    msg->has.name = 0;
}

static inline test_old_Required *test_old_Required_make_child(test_old_Required *msg, tern_arena *arena) {
    return msg->child = (test_old_Required *)tern_arena_zalloc(arena, sizeof *msg->child);
}

static inline bool test_old_Required_has_child(const test_old_Required *msg) { return msg->child != NULL; }

static inline void test_old_Required_clear_child(test_old_Required *msg) { msg->child = NULL; }

static inline int test_old_Required_reserve_children(test_old_Required *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->children, n, sizeof *msg->children.data, arena);
}

static inline test_old_Required *test_old_Required_add_children(test_old_Required *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->children, msg->children.len + 1, sizeof *msg->children.data, arena)) return NULL;
    return &msg->children.data[msg->children.len++];
}

/* ---- test.old.HoldsRequired */

static inline int64_t test_old_HoldsRequired_size(const test_old_HoldsRequired *msg) { return tern_protobuf_size(&test_old_HoldsRequired_type, msg); }

static inline int64_t test_old_HoldsRequired_encode(const test_old_HoldsRequired *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_old_HoldsRequired_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_old_HoldsRequired_decode(const void *data, size_t len, tern_arena *arena, int mode, test_old_HoldsRequired *msg) {
    return tern_protobuf_decode(&test_old_HoldsRequired_type, data, len, arena, mode, NULL, msg);
}

static inline int test_old_HoldsRequired_copy(const test_old_HoldsRequired *src, tern_arena *arena, test_old_HoldsRequired *dst) {
    return tern_message_copy(&test_old_HoldsRequired_type, src, arena, dst);
}

static inline bool test_old_HoldsRequired_equal(const test_old_HoldsRequired *a, const test_old_HoldsRequired *b) { return tern_message_equal(&test_old_HoldsRequired_type, a, b); }

static inline test_old_Required *test_old_HoldsRequired_make_held(test_old_HoldsRequired *msg, tern_arena *arena) {
    return msg->held = (test_old_Required *)tern_arena_zalloc(arena, sizeof *msg->held);
}

static inline bool test_old_HoldsRequired_has_held(const test_old_HoldsRequired *msg) { return msg->held != NULL; }

static inline void test_old_HoldsRequired_clear_held(test_old_HoldsRequired *msg) { msg->held = NULL; }

static inline test_old_Required *test_old_HoldsRequired_make_needed(test_old_HoldsRequired *msg, tern_arena *arena) {
    return msg->needed = (test_old_Required *)tern_arena_zalloc(arena, sizeof *msg->needed);
}

static inline bool test_old_HoldsRequired_has_needed(const test_old_HoldsRequired *msg) { return msg->needed != NULL; }

static inline void test_old_HoldsRequired_clear_needed(test_old_HoldsRequired *msg) { msg->needed = NULL; }

/* ---- test.old.Extensible */

static inline int64_t test_old_Extensible_size(const test_old_Extensible *msg) { return tern_protobuf_size(&test_old_Extensible_type, msg); }

static inline int64_t test_old_Extensible_encode(const test_old_Extensible *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_old_Extensible_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_old_Extensible_decode(const void *data, size_t len, tern_arena *arena, int mode, test_old_Extensible *msg) {
    return tern_protobuf_decode(&test_old_Extensible_type, data, len, arena, mode, NULL, msg);
}

static inline int test_old_Extensible_copy(const test_old_Extensible *src, tern_arena *arena, test_old_Extensible *dst) {
    return tern_message_copy(&test_old_Extensible_type, src, arena, dst);
}

static inline bool test_old_Extensible_equal(const test_old_Extensible *a, const test_old_Extensible *b) { return tern_message_equal(&test_old_Extensible_type, a, b); }

static inline bool test_old_Extensible_has_a(const test_old_Extensible *msg) { return msg->has.a; }

static inline void test_old_Extensible_set_a(test_old_Extensible *msg, uint32_t value) {
    msg->a = value;
    msg->has.a = 1;
}

static inline void test_old_Extensible_clear_a(test_old_Extensible *msg) {
    msg->a = 0;
    msg->has.a = 0;
}

static inline int test_old_Extensible_reserve_packed(test_old_Extensible *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->packed, n, sizeof *msg->packed.data, arena);
}

static inline int32_t *test_old_Extensible_add_packed(test_old_Extensible *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->packed, msg->packed.len + 1, sizeof *msg->packed.data, arena)) return NULL;
    return &msg->packed.data[msg->packed.len++];
}

static inline int test_old_Extensible_reserve_loose(test_old_Extensible *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->loose, n, sizeof *msg->loose.data, arena);
}

static inline int32_t *test_old_Extensible_add_loose(test_old_Extensible *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->loose, msg->loose.len + 1, sizeof *msg->loose.data, arena)) return NULL;
    return &msg->loose.data[msg->loose.len++];
}

#ifdef __cplusplus
}
#endif
#endif
