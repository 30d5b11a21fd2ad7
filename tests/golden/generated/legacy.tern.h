/* Made by protoc-gen-tern from legacy.proto; changes here are lost. */
#ifndef LEGACY_TERN_H
#define LEGACY_TERN_H

#include <math.h>

#include "tern/codec.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum test_legacy_Level {
    test_legacy_Level_HIGH = 9,
    test_legacy_Level_LOW = 1,
    test_legacy_Level_LEAST = 1,
    test_legacy_Level_NEGATIVE = -5,
} test_legacy_Level;
extern const tern_enum test_legacy_Level_enum;

/* Its first value is 0, as a map wants it. */
typedef enum test_legacy_Degree {
    test_legacy_Degree_NONE = 0,
    test_legacy_Degree_SOME = 3,
    test_legacy_Degree_ALL = 7,
} test_legacy_Degree;
extern const tern_enum test_legacy_Degree_enum;

typedef struct test_legacy_Groups test_legacy_Groups;
TERN__LIST(test_legacy_Groups_list, test_legacy_Groups);
extern const tern_type test_legacy_Groups_type;
typedef struct test_legacy_Groups_Single test_legacy_Groups_Single;
TERN__LIST(test_legacy_Groups_Single_list, test_legacy_Groups_Single);
extern const tern_type test_legacy_Groups_Single_type;
typedef struct test_legacy_Groups_Single_Inner test_legacy_Groups_Single_Inner;
TERN__LIST(test_legacy_Groups_Single_Inner_list, test_legacy_Groups_Single_Inner);
extern const tern_type test_legacy_Groups_Single_Inner_type;
typedef struct test_legacy_Groups_Many test_legacy_Groups_Many;
TERN__LIST(test_legacy_Groups_Many_list, test_legacy_Groups_Many);
extern const tern_type test_legacy_Groups_Many_type;
typedef struct test_legacy_Groups_Needed test_legacy_Groups_Needed;
TERN__LIST(test_legacy_Groups_Needed_list, test_legacy_Groups_Needed);
extern const tern_type test_legacy_Groups_Needed_type;
typedef struct test_legacy_Groups_Chosen test_legacy_Groups_Chosen;
TERN__LIST(test_legacy_Groups_Chosen_list, test_legacy_Groups_Chosen);
extern const tern_type test_legacy_Groups_Chosen_type;
typedef struct test_legacy_Closed test_legacy_Closed;
TERN__LIST(test_legacy_Closed_list, test_legacy_Closed);
extern const tern_type test_legacy_Closed_type;
typedef struct test_legacy_Closed_ByNameEntry test_legacy_Closed_ByNameEntry;
TERN__MAP(test_legacy_Closed_ByNameEntry_map, test_legacy_Closed_ByNameEntry);
extern const tern_type test_legacy_Closed_ByNameEntry_type;
typedef struct test_legacy_Deep test_legacy_Deep;
TERN__LIST(test_legacy_Deep_list, test_legacy_Deep);
extern const tern_type test_legacy_Deep_type;
typedef struct test_legacy_Deep_ClosedEntry test_legacy_Deep_ClosedEntry;
TERN__MAP(test_legacy_Deep_ClosedEntry_map, test_legacy_Deep_ClosedEntry);
extern const tern_type test_legacy_Deep_ClosedEntry_type;
typedef struct test_legacy_Free test_legacy_Free;
TERN__LIST(test_legacy_Free_list, test_legacy_Free);
extern const tern_type test_legacy_Free_type;
typedef struct test_legacy_Extended test_legacy_Extended;
TERN__LIST(test_legacy_Extended_list, test_legacy_Extended);
extern const tern_type test_legacy_Extended_type;
typedef struct test_legacy_Grouped test_legacy_Grouped;
TERN__LIST(test_legacy_Grouped_list, test_legacy_Grouped);
extern const tern_type test_legacy_Grouped_type;
typedef struct test_legacy_Set test_legacy_Set;
TERN__LIST(test_legacy_Set_list, test_legacy_Set);
extern const tern_type test_legacy_Set_type;
typedef struct test_legacy_InSet test_legacy_InSet;
TERN__LIST(test_legacy_InSet_list, test_legacy_InSet);
extern const tern_type test_legacy_InSet_type;
typedef struct test_legacy_Numbers test_legacy_Numbers;
TERN__LIST(test_legacy_Numbers_list, test_legacy_Numbers);
extern const tern_type test_legacy_Numbers_type;

typedef enum test_legacy_Groups_pick_case {
    test_legacy_Groups_pick_NOT_SET = 0,
    test_legacy_Groups_pick_chosen = 6,
    test_legacy_Groups_pick_number = 7,
    test_legacy_Groups_pick_text = 8,
    test_legacy_Groups_pick_level = 9,
} test_legacy_Groups_pick_case;

struct test_legacy_Groups {
    test_legacy_Groups_pick_case pick_case;
    test_legacy_Groups_Single *single;
    test_legacy_Groups_Many_list many;
    test_legacy_Groups_Needed *needed;
    union {
        test_legacy_Groups_Chosen *chosen;
        uint32_t number;
        tern_str text;
        int32_t level; /* test_legacy_Level */
    }; /* pick_case */
    tern_unknown unknown;
};

/* One group. */
struct test_legacy_Groups_Single {
    struct {
        uint32_t id : 1;
    } has;
    uint32_t id;
    test_legacy_Groups_Single_Inner *inner;
    tern_unknown unknown;
};

struct test_legacy_Groups_Single_Inner {
    tern_list_str names;
    tern_unknown unknown;
};

struct test_legacy_Groups_Many {
    struct {
        uint32_t n : 1;
    } has;
    int32_t n;
    test_legacy_Groups *again;
    tern_unknown unknown;
};

struct test_legacy_Groups_Needed {
    struct {
        uint32_t b : 1;
    } has;
    bool b;
    tern_unknown unknown;
};

struct test_legacy_Groups_Chosen {
    struct {
        uint32_t s : 1;
    } has;
    tern_str s;
    tern_unknown unknown;
};

typedef enum test_legacy_Closed_pick_case {
    test_legacy_Closed_pick_NOT_SET = 0,
    test_legacy_Closed_pick_chosen = 7,
    test_legacy_Closed_pick_other = 8,
} test_legacy_Closed_pick_case;

struct test_legacy_Closed {
    test_legacy_Closed_pick_case pick_case;
    struct {
        uint32_t one : 1;
        uint32_t needed : 1;
        uint32_t defaulted : 1;
    } has;
    int32_t one; /* test_legacy_Level */
    tern_list_i32 many; /* test_legacy_Level */
    tern_list_i32 packed; /* test_legacy_Level */
    test_legacy_Closed_ByNameEntry_map by_name;
    int32_t needed; /* test_legacy_Level */
    int32_t defaulted; /* test_legacy_Level */
    union {
        int32_t chosen; /* test_legacy_Level */
        int32_t other;
    }; /* pick_case */
    tern_unknown unknown;
};

struct test_legacy_Closed_ByNameEntry {
    tern_str key;
    int32_t value; /* test_legacy_Degree */
};

typedef enum test_legacy_Deep_pick_case {
    test_legacy_Deep_pick_NOT_SET = 0,
    test_legacy_Deep_pick_deep = 2,
    test_legacy_Deep_pick_free = 3,
} test_legacy_Deep_pick_case;

/* Has required fields below, through a map, a oneof and itself; but none of its own. */
struct test_legacy_Deep {
    test_legacy_Deep_pick_case pick_case;
    test_legacy_Deep_ClosedEntry_map closed;
    union {
        test_legacy_Deep *deep;
        test_legacy_Free *free;
    }; /* pick_case */
    tern_unknown unknown;
};

struct test_legacy_Deep_ClosedEntry {
    int32_t key;
    test_legacy_Closed *value;
};

struct test_legacy_Free {
    test_legacy_Free *next;
    tern_list_i32 levels; /* test_legacy_Level */
    tern_unknown unknown;
};

struct test_legacy_Extended {
    struct {
        uint32_t a : 1;
    } has;
    uint32_t a;
    tern_unknown unknown;
};

struct test_legacy_Grouped {
    struct {
        uint32_t g : 1;
    } has;
    int32_t g;
    tern_unknown unknown;
};

struct test_legacy_Set {
    tern_unknown unknown;
};

struct test_legacy_InSet {
    struct {
        uint32_t text : 1;
    } has;
    tern_str text;
    tern_unknown unknown;
};

struct test_legacy_Numbers {
    struct {
        uint32_t i : 1;
        uint32_t o : 1;
        uint32_t plus : 1;
        uint32_t tiny : 1;
        uint32_t big : 1;
        uint32_t nothing : 1;
        uint32_t minus_zero : 1;
        uint32_t text : 1;
        uint32_t raw : 1;
        uint32_t empty : 1;
        uint32_t no : 1;
        uint32_t split : 1;
    } has;
    int32_t i;
    int64_t o;
    double plus;
    double tiny;
    float big;
    float nothing;
    float minus_zero;
    tern_str text;
    tern_bytes raw;
    tern_str empty;
    bool no;
    tern_str split;
    tern_unknown unknown;
};

/* ---- test.legacy.Groups */

static inline int64_t test_legacy_Groups_size(const test_legacy_Groups *msg) { return tern_protobuf_size(&test_legacy_Groups_type, msg); }

static inline int64_t test_legacy_Groups_encode(const test_legacy_Groups *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_legacy_Groups_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_legacy_Groups_decode(const void *data, size_t len, tern_arena *arena, int mode, test_legacy_Groups *msg) {
    return tern_protobuf_decode(&test_legacy_Groups_type, data, len, arena, mode, NULL, msg);
}

static inline int test_legacy_Groups_copy(const test_legacy_Groups *src, tern_arena *arena, test_legacy_Groups *dst) {
    return tern_message_copy(&test_legacy_Groups_type, src, arena, dst);
}

static inline bool test_legacy_Groups_equal(const test_legacy_Groups *a, const test_legacy_Groups *b) { return tern_message_equal(&test_legacy_Groups_type, a, b); }

static inline test_legacy_Groups_pick_case test_legacy_Groups_which_pick(const test_legacy_Groups *msg) { return msg->pick_case; }

static inline void test_legacy_Groups_clear_pick(test_legacy_Groups *msg) { msg->pick_case = test_legacy_Groups_pick_NOT_SET; }

static inline test_legacy_Groups_Single *test_legacy_Groups_make_single(test_legacy_Groups *msg, tern_arena *arena) {
    return msg->single = (test_legacy_Groups_Single *)tern_arena_zalloc(arena, sizeof *msg->single);
}

static inline bool test_legacy_Groups_has_single(const test_legacy_Groups *msg) { return msg->single != NULL; }

static inline void test_legacy_Groups_clear_single(test_legacy_Groups *msg) { msg->single = NULL; }

static inline int test_legacy_Groups_reserve_many(test_legacy_Groups *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->many, n, sizeof *msg->many.data, arena);
}

static inline test_legacy_Groups_Many *test_legacy_Groups_add_many(test_legacy_Groups *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->many, msg->many.len + 1, sizeof *msg->many.data, arena)) return NULL;
    return &msg->many.data[msg->many.len++];
}

static inline test_legacy_Groups_Needed *test_legacy_Groups_make_needed(test_legacy_Groups *msg, tern_arena *arena) {
    return msg->needed = (test_legacy_Groups_Needed *)tern_arena_zalloc(arena, sizeof *msg->needed);
}

static inline bool test_legacy_Groups_has_needed(const test_legacy_Groups *msg) { return msg->needed != NULL; }

static inline void test_legacy_Groups_clear_needed(test_legacy_Groups *msg) { msg->needed = NULL; }

static inline bool test_legacy_Groups_has_chosen(const test_legacy_Groups *msg) { return msg->pick_case == test_legacy_Groups_pick_chosen; }

static inline void test_legacy_Groups_set_chosen(test_legacy_Groups *msg, test_legacy_Groups_Chosen *value) {
    msg->chosen = value;
    msg->pick_case = test_legacy_Groups_pick_chosen;
}

static inline void test_legacy_Groups_clear_chosen(test_legacy_Groups *msg) {
    if (msg->pick_case == test_legacy_Groups_pick_chosen) msg->pick_case = test_legacy_Groups_pick_NOT_SET;
}

static inline test_legacy_Groups_Chosen *test_legacy_Groups_make_chosen(test_legacy_Groups *msg, tern_arena *arena) {
    test_legacy_Groups_Chosen *made = (test_legacy_Groups_Chosen *)tern_arena_zalloc(arena, sizeof *made);
    if (made) test_legacy_Groups_set_chosen(msg, made);
    return made;
}

static inline bool test_legacy_Groups_has_number(const test_legacy_Groups *msg) { return msg->pick_case == test_legacy_Groups_pick_number; }

static inline void test_legacy_Groups_set_number(test_legacy_Groups *msg, uint32_t value) {
    msg->number = value;
    msg->pick_case = test_legacy_Groups_pick_number;
}

static inline void test_legacy_Groups_clear_number(test_legacy_Groups *msg) {
    if (msg->pick_case == test_legacy_Groups_pick_number) msg->pick_case = test_legacy_Groups_pick_NOT_SET;
}

/* The value, or the schema's default when it is not set. */
static inline uint32_t test_legacy_Groups_get_number(const test_legacy_Groups *msg) {
    return test_legacy_Groups_has_number(msg) ? msg->number : 12u;
}

static inline bool test_legacy_Groups_has_text(const test_legacy_Groups *msg) { return msg->pick_case == test_legacy_Groups_pick_text; }

static inline void test_legacy_Groups_set_text(test_legacy_Groups *msg, tern_str value) {
    msg->text = value;
    msg->pick_case = test_legacy_Groups_pick_text;
}

static inline void test_legacy_Groups_clear_text(test_legacy_Groups *msg) {
    if (msg->pick_case == test_legacy_Groups_pick_text) msg->pick_case = test_legacy_Groups_pick_NOT_SET;
}

/* The value, or the schema's default when it is not set. */
static inline tern_str test_legacy_Groups_get_text(const test_legacy_Groups *msg) {
    const tern_str value = {"none", 4};
    return test_legacy_Groups_has_text(msg) ? msg->text : value;
}

static inline bool test_legacy_Groups_has_level(const test_legacy_Groups *msg) { return msg->pick_case == test_legacy_Groups_pick_level; }

static inline void test_legacy_Groups_set_level(test_legacy_Groups *msg, int32_t value) {
    msg->level = value;
    msg->pick_case = test_legacy_Groups_pick_level;
}

static inline void test_legacy_Groups_clear_level(test_legacy_Groups *msg) {
    if (msg->pick_case == test_legacy_Groups_pick_level) msg->pick_case = test_legacy_Groups_pick_NOT_SET;
}

/* The value, or the schema's default when it is not set. */
static inline int32_t test_legacy_Groups_get_level(const test_legacy_Groups *msg) {
    return test_legacy_Groups_has_level(msg) ? msg->level : test_legacy_Level_HIGH;
}

/* ---- test.legacy.Groups.Single */

static inline int64_t test_legacy_Groups_Single_size(const test_legacy_Groups_Single *msg) { return tern_protobuf_size(&test_legacy_Groups_Single_type, msg); }

static inline int64_t test_legacy_Groups_Single_encode(const test_legacy_Groups_Single *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_legacy_Groups_Single_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_legacy_Groups_Single_decode(const void *data, size_t len, tern_arena *arena, int mode, test_legacy_Groups_Single *msg) {
    return tern_protobuf_decode(&test_legacy_Groups_Single_type, data, len, arena, mode, NULL, msg);
}

static inline int test_legacy_Groups_Single_copy(const test_legacy_Groups_Single *src, tern_arena *arena, test_legacy_Groups_Single *dst) {
    return tern_message_copy(&test_legacy_Groups_Single_type, src, arena, dst);
}

static inline bool test_legacy_Groups_Single_equal(const test_legacy_Groups_Single *a, const test_legacy_Groups_Single *b) { return tern_message_equal(&test_legacy_Groups_Single_type, a, b); }

static inline bool test_legacy_Groups_Single_has_id(const test_legacy_Groups_Single *msg) { return msg->has.id; }

static inline void test_legacy_Groups_Single_set_id(test_legacy_Groups_Single *msg, uint32_t value) {
    msg->id = value;
    msg->has.id = 1;
}

static inline void test_legacy_Groups_Single_clear_id(test_legacy_Groups_Single *msg) {
    msg->id = 0;
    msg->has.id = 0;
}

static inline test_legacy_Groups_Single_Inner *test_legacy_Groups_Single_make_inner(test_legacy_Groups_Single *msg, tern_arena *arena) {
    return msg->inner = (test_legacy_Groups_Single_Inner *)tern_arena_zalloc(arena, sizeof *msg->inner);
}

static inline bool test_legacy_Groups_Single_has_inner(const test_legacy_Groups_Single *msg) { return msg->inner != NULL; }

static inline void test_legacy_Groups_Single_clear_inner(test_legacy_Groups_Single *msg) { msg->inner = NULL; }

/* ---- test.legacy.Groups.Single.Inner */

static inline int64_t test_legacy_Groups_Single_Inner_size(const test_legacy_Groups_Single_Inner *msg) { return tern_protobuf_size(&test_legacy_Groups_Single_Inner_type, msg); }

static inline int64_t test_legacy_Groups_Single_Inner_encode(const test_legacy_Groups_Single_Inner *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_legacy_Groups_Single_Inner_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_legacy_Groups_Single_Inner_decode(const void *data, size_t len, tern_arena *arena, int mode, test_legacy_Groups_Single_Inner *msg) {
    return tern_protobuf_decode(&test_legacy_Groups_Single_Inner_type, data, len, arena, mode, NULL, msg);
}

static inline int test_legacy_Groups_Single_Inner_copy(const test_legacy_Groups_Single_Inner *src, tern_arena *arena, test_legacy_Groups_Single_Inner *dst) {
    return tern_message_copy(&test_legacy_Groups_Single_Inner_type, src, arena, dst);
}

static inline bool test_legacy_Groups_Single_Inner_equal(const test_legacy_Groups_Single_Inner *a, const test_legacy_Groups_Single_Inner *b) { return tern_message_equal(&test_legacy_Groups_Single_Inner_type, a, b); }

static inline int test_legacy_Groups_Single_Inner_reserve_names(test_legacy_Groups_Single_Inner *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->names, n, sizeof *msg->names.data, arena);
}

static inline tern_str *test_legacy_Groups_Single_Inner_add_names(test_legacy_Groups_Single_Inner *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->names, msg->names.len + 1, sizeof *msg->names.data, arena)) return NULL;
    return &msg->names.data[msg->names.len++];
}

/* ---- test.legacy.Groups.Many */

static inline int64_t test_legacy_Groups_Many_size(const test_legacy_Groups_Many *msg) { return tern_protobuf_size(&test_legacy_Groups_Many_type, msg); }

static inline int64_t test_legacy_Groups_Many_encode(const test_legacy_Groups_Many *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_legacy_Groups_Many_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_legacy_Groups_Many_decode(const void *data, size_t len, tern_arena *arena, int mode, test_legacy_Groups_Many *msg) {
    return tern_protobuf_decode(&test_legacy_Groups_Many_type, data, len, arena, mode, NULL, msg);
}

static inline int test_legacy_Groups_Many_copy(const test_legacy_Groups_Many *src, tern_arena *arena, test_legacy_Groups_Many *dst) {
    return tern_message_copy(&test_legacy_Groups_Many_type, src, arena, dst);
}

static inline bool test_legacy_Groups_Many_equal(const test_legacy_Groups_Many *a, const test_legacy_Groups_Many *b) { return tern_message_equal(&test_legacy_Groups_Many_type, a, b); }

static inline bool test_legacy_Groups_Many_has_n(const test_legacy_Groups_Many *msg) { return msg->has.n; }

static inline void test_legacy_Groups_Many_set_n(test_legacy_Groups_Many *msg, int32_t value) {
    msg->n = value;
    msg->has.n = 1;
}

static inline void test_legacy_Groups_Many_clear_n(test_legacy_Groups_Many *msg) {
    msg->n = 0;
    msg->has.n = 0;
}

static inline test_legacy_Groups *test_legacy_Groups_Many_make_again(test_legacy_Groups_Many *msg, tern_arena *arena) {
    return msg->again = (test_legacy_Groups *)tern_arena_zalloc(arena, sizeof *msg->again);
}

static inline bool test_legacy_Groups_Many_has_again(const test_legacy_Groups_Many *msg) { return msg->again != NULL; }

static inline void test_legacy_Groups_Many_clear_again(test_legacy_Groups_Many *msg) { msg->again = NULL; }

/* ---- test.legacy.Groups.Needed */

static inline int64_t test_legacy_Groups_Needed_size(const test_legacy_Groups_Needed *msg) { return tern_protobuf_size(&test_legacy_Groups_Needed_type, msg); }

static inline int64_t test_legacy_Groups_Needed_encode(const test_legacy_Groups_Needed *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_legacy_Groups_Needed_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_legacy_Groups_Needed_decode(const void *data, size_t len, tern_arena *arena, int mode, test_legacy_Groups_Needed *msg) {
    return tern_protobuf_decode(&test_legacy_Groups_Needed_type, data, len, arena, mode, NULL, msg);
}

static inline int test_legacy_Groups_Needed_copy(const test_legacy_Groups_Needed *src, tern_arena *arena, test_legacy_Groups_Needed *dst) {
    return tern_message_copy(&test_legacy_Groups_Needed_type, src, arena, dst);
}

static inline bool test_legacy_Groups_Needed_equal(const test_legacy_Groups_Needed *a, const test_legacy_Groups_Needed *b) { return tern_message_equal(&test_legacy_Groups_Needed_type, a, b); }

static inline bool test_legacy_Groups_Needed_has_b(const test_legacy_Groups_Needed *msg) { return msg->has.b; }

static inline void test_legacy_Groups_Needed_set_b(test_legacy_Groups_Needed *msg, bool value) {
    msg->b = value;
    msg->has.b = 1;
}

static inline void test_legacy_Groups_Needed_clear_b(test_legacy_Groups_Needed *msg) {
    msg->b = 0;
    msg->has.b = 0;
}

/* ---- test.legacy.Groups.Chosen */

static inline int64_t test_legacy_Groups_Chosen_size(const test_legacy_Groups_Chosen *msg) { return tern_protobuf_size(&test_legacy_Groups_Chosen_type, msg); }

static inline int64_t test_legacy_Groups_Chosen_encode(const test_legacy_Groups_Chosen *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_legacy_Groups_Chosen_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_legacy_Groups_Chosen_decode(const void *data, size_t len, tern_arena *arena, int mode, test_legacy_Groups_Chosen *msg) {
    return tern_protobuf_decode(&test_legacy_Groups_Chosen_type, data, len, arena, mode, NULL, msg);
}

static inline int test_legacy_Groups_Chosen_copy(const test_legacy_Groups_Chosen *src, tern_arena *arena, test_legacy_Groups_Chosen *dst) {
    return tern_message_copy(&test_legacy_Groups_Chosen_type, src, arena, dst);
}

static inline bool test_legacy_Groups_Chosen_equal(const test_legacy_Groups_Chosen *a, const test_legacy_Groups_Chosen *b) { return tern_message_equal(&test_legacy_Groups_Chosen_type, a, b); }

static inline bool test_legacy_Groups_Chosen_has_s(const test_legacy_Groups_Chosen *msg) { return msg->has.s; }

static inline void test_legacy_Groups_Chosen_set_s(test_legacy_Groups_Chosen *msg, tern_str value) {
    msg->s = value;
    msg->has.s = 1;
}

static inline void test_legacy_Groups_Chosen_clear_s(test_legacy_Groups_Chosen *msg) {
    msg->s.data = NULL;
    msg->s.len = 0;
    msg->has.s = 0;
}

/* ---- test.legacy.Closed */

static inline int64_t test_legacy_Closed_size(const test_legacy_Closed *msg) { return tern_protobuf_size(&test_legacy_Closed_type, msg); }

static inline int64_t test_legacy_Closed_encode(const test_legacy_Closed *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_legacy_Closed_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_legacy_Closed_decode(const void *data, size_t len, tern_arena *arena, int mode, test_legacy_Closed *msg) {
    return tern_protobuf_decode(&test_legacy_Closed_type, data, len, arena, mode, NULL, msg);
}

static inline int test_legacy_Closed_copy(const test_legacy_Closed *src, tern_arena *arena, test_legacy_Closed *dst) {
    return tern_message_copy(&test_legacy_Closed_type, src, arena, dst);
}

static inline bool test_legacy_Closed_equal(const test_legacy_Closed *a, const test_legacy_Closed *b) { return tern_message_equal(&test_legacy_Closed_type, a, b); }

static inline test_legacy_Closed_pick_case test_legacy_Closed_which_pick(const test_legacy_Closed *msg) { return msg->pick_case; }

static inline void test_legacy_Closed_clear_pick(test_legacy_Closed *msg) { msg->pick_case = test_legacy_Closed_pick_NOT_SET; }

static inline bool test_legacy_Closed_has_one(const test_legacy_Closed *msg) { return msg->has.one; }

static inline void test_legacy_Closed_set_one(test_legacy_Closed *msg, int32_t value) {
    msg->one = value;
    msg->has.one = 1;
}

static inline void test_legacy_Closed_clear_one(test_legacy_Closed *msg) {
    msg->one = 0;
    msg->has.one = 0;
}

static inline int test_legacy_Closed_reserve_many(test_legacy_Closed *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->many, n, sizeof *msg->many.data, arena);
}

static inline int32_t *test_legacy_Closed_add_many(test_legacy_Closed *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->many, msg->many.len + 1, sizeof *msg->many.data, arena)) return NULL;
    return &msg->many.data[msg->many.len++];
}

static inline int test_legacy_Closed_reserve_packed(test_legacy_Closed *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->packed, n, sizeof *msg->packed.data, arena);
}

static inline int32_t *test_legacy_Closed_add_packed(test_legacy_Closed *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->packed, msg->packed.len + 1, sizeof *msg->packed.data, arena)) return NULL;
    return &msg->packed.data[msg->packed.len++];
}

/* Sets the value of this key: 0 or TERN_ERR_NOMEM. Key and value are borrowed. */
static inline int test_legacy_Closed_put_by_name(test_legacy_Closed *msg, tern_str key, int32_t value, tern_arena *arena) {
    test_legacy_Closed_ByNameEntry *entry = (test_legacy_Closed_ByNameEntry *)tern_map_insert(&test_legacy_Closed_ByNameEntry_type, &msg->by_name, &key, arena);
    if (!entry) return TERN_ERR_NOMEM;
    entry->value = value;
    return 0;
}

/* The value of this key, or NULL. */
static inline int32_t *test_legacy_Closed_get_by_name(const test_legacy_Closed *msg, tern_str key) {
    test_legacy_Closed_ByNameEntry *entry = (test_legacy_Closed_ByNameEntry *)tern_map_find(&test_legacy_Closed_ByNameEntry_type, &msg->by_name, &key);
    return entry ? &entry->value : NULL;
}

static inline bool test_legacy_Closed_remove_by_name(test_legacy_Closed *msg, tern_str key) {
    return tern_map_remove(&test_legacy_Closed_ByNameEntry_type, &msg->by_name, &key);
}

static inline bool test_legacy_Closed_has_needed(const test_legacy_Closed *msg) { return msg->has.needed; }

static inline void test_legacy_Closed_set_needed(test_legacy_Closed *msg, int32_t value) {
    msg->needed = value;
    msg->has.needed = 1;
}

static inline void test_legacy_Closed_clear_needed(test_legacy_Closed *msg) {
    msg->needed = 0;
    msg->has.needed = 0;
}

static inline bool test_legacy_Closed_has_defaulted(const test_legacy_Closed *msg) { return msg->has.defaulted; }

static inline void test_legacy_Closed_set_defaulted(test_legacy_Closed *msg, int32_t value) {
    msg->defaulted = value;
    msg->has.defaulted = 1;
}

static inline void test_legacy_Closed_clear_defaulted(test_legacy_Closed *msg) {
    msg->defaulted = 0;
    msg->has.defaulted = 0;
}

/* The value, or the schema's default when it is not set. */
static inline int32_t test_legacy_Closed_get_defaulted(const test_legacy_Closed *msg) {
    return test_legacy_Closed_has_defaulted(msg) ? msg->defaulted : test_legacy_Level_NEGATIVE;
}

static inline bool test_legacy_Closed_has_chosen(const test_legacy_Closed *msg) { return msg->pick_case == test_legacy_Closed_pick_chosen; }

static inline void test_legacy_Closed_set_chosen(test_legacy_Closed *msg, int32_t value) {
    msg->chosen = value;
    msg->pick_case = test_legacy_Closed_pick_chosen;
}

static inline void test_legacy_Closed_clear_chosen(test_legacy_Closed *msg) {
    if (msg->pick_case == test_legacy_Closed_pick_chosen) msg->pick_case = test_legacy_Closed_pick_NOT_SET;
}

static inline bool test_legacy_Closed_has_other(const test_legacy_Closed *msg) { return msg->pick_case == test_legacy_Closed_pick_other; }

static inline void test_legacy_Closed_set_other(test_legacy_Closed *msg, int32_t value) {
    msg->other = value;
    msg->pick_case = test_legacy_Closed_pick_other;
}

static inline void test_legacy_Closed_clear_other(test_legacy_Closed *msg) {
    if (msg->pick_case == test_legacy_Closed_pick_other) msg->pick_case = test_legacy_Closed_pick_NOT_SET;
}

/* ---- test.legacy.Deep */

static inline int64_t test_legacy_Deep_size(const test_legacy_Deep *msg) { return tern_protobuf_size(&test_legacy_Deep_type, msg); }

static inline int64_t test_legacy_Deep_encode(const test_legacy_Deep *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_legacy_Deep_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_legacy_Deep_decode(const void *data, size_t len, tern_arena *arena, int mode, test_legacy_Deep *msg) {
    return tern_protobuf_decode(&test_legacy_Deep_type, data, len, arena, mode, NULL, msg);
}

static inline int test_legacy_Deep_copy(const test_legacy_Deep *src, tern_arena *arena, test_legacy_Deep *dst) {
    return tern_message_copy(&test_legacy_Deep_type, src, arena, dst);
}

static inline bool test_legacy_Deep_equal(const test_legacy_Deep *a, const test_legacy_Deep *b) { return tern_message_equal(&test_legacy_Deep_type, a, b); }

static inline test_legacy_Deep_pick_case test_legacy_Deep_which_pick(const test_legacy_Deep *msg) { return msg->pick_case; }

static inline void test_legacy_Deep_clear_pick(test_legacy_Deep *msg) { msg->pick_case = test_legacy_Deep_pick_NOT_SET; }

/* The value of this key, made empty when there is none; NULL when memory is out. The key is borrowed. */
static inline test_legacy_Closed *test_legacy_Deep_put_closed(test_legacy_Deep *msg, int32_t key, tern_arena *arena) {
    test_legacy_Deep_ClosedEntry *entry = (test_legacy_Deep_ClosedEntry *)tern_map_insert(&test_legacy_Deep_ClosedEntry_type, &msg->closed, &key, arena);
    if (!entry) return NULL;
    if (!entry->value) entry->value = (test_legacy_Closed *)tern_arena_zalloc(arena, sizeof *entry->value);
    return entry->value;
}

/* The value of this key, or NULL. */
static inline test_legacy_Closed *test_legacy_Deep_get_closed(const test_legacy_Deep *msg, int32_t key) {
    test_legacy_Deep_ClosedEntry *entry = (test_legacy_Deep_ClosedEntry *)tern_map_find(&test_legacy_Deep_ClosedEntry_type, &msg->closed, &key);
    return entry ? entry->value : NULL;
}

static inline bool test_legacy_Deep_remove_closed(test_legacy_Deep *msg, int32_t key) {
    return tern_map_remove(&test_legacy_Deep_ClosedEntry_type, &msg->closed, &key);
}

static inline bool test_legacy_Deep_has_deep(const test_legacy_Deep *msg) { return msg->pick_case == test_legacy_Deep_pick_deep; }

static inline void test_legacy_Deep_set_deep(test_legacy_Deep *msg, test_legacy_Deep *value) {
    msg->deep = value;
    msg->pick_case = test_legacy_Deep_pick_deep;
}

static inline void test_legacy_Deep_clear_deep(test_legacy_Deep *msg) {
    if (msg->pick_case == test_legacy_Deep_pick_deep) msg->pick_case = test_legacy_Deep_pick_NOT_SET;
}

static inline test_legacy_Deep *test_legacy_Deep_make_deep(test_legacy_Deep *msg, tern_arena *arena) {
    test_legacy_Deep *made = (test_legacy_Deep *)tern_arena_zalloc(arena, sizeof *made);
    if (made) test_legacy_Deep_set_deep(msg, made);
    return made;
}

static inline bool test_legacy_Deep_has_free(const test_legacy_Deep *msg) { return msg->pick_case == test_legacy_Deep_pick_free; }

static inline void test_legacy_Deep_set_free(test_legacy_Deep *msg, test_legacy_Free *value) {
    msg->free = value;
    msg->pick_case = test_legacy_Deep_pick_free;
}

static inline void test_legacy_Deep_clear_free(test_legacy_Deep *msg) {
    if (msg->pick_case == test_legacy_Deep_pick_free) msg->pick_case = test_legacy_Deep_pick_NOT_SET;
}

static inline test_legacy_Free *test_legacy_Deep_make_free(test_legacy_Deep *msg, tern_arena *arena) {
    test_legacy_Free *made = (test_legacy_Free *)tern_arena_zalloc(arena, sizeof *made);
    if (made) test_legacy_Deep_set_free(msg, made);
    return made;
}

/* ---- test.legacy.Free */

static inline int64_t test_legacy_Free_size(const test_legacy_Free *msg) { return tern_protobuf_size(&test_legacy_Free_type, msg); }

static inline int64_t test_legacy_Free_encode(const test_legacy_Free *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_legacy_Free_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_legacy_Free_decode(const void *data, size_t len, tern_arena *arena, int mode, test_legacy_Free *msg) {
    return tern_protobuf_decode(&test_legacy_Free_type, data, len, arena, mode, NULL, msg);
}

static inline int test_legacy_Free_copy(const test_legacy_Free *src, tern_arena *arena, test_legacy_Free *dst) {
    return tern_message_copy(&test_legacy_Free_type, src, arena, dst);
}

static inline bool test_legacy_Free_equal(const test_legacy_Free *a, const test_legacy_Free *b) { return tern_message_equal(&test_legacy_Free_type, a, b); }

static inline test_legacy_Free *test_legacy_Free_make_next(test_legacy_Free *msg, tern_arena *arena) {
    return msg->next = (test_legacy_Free *)tern_arena_zalloc(arena, sizeof *msg->next);
}

static inline bool test_legacy_Free_has_next(const test_legacy_Free *msg) { return msg->next != NULL; }

static inline void test_legacy_Free_clear_next(test_legacy_Free *msg) { msg->next = NULL; }

static inline int test_legacy_Free_reserve_levels(test_legacy_Free *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->levels, n, sizeof *msg->levels.data, arena);
}

static inline int32_t *test_legacy_Free_add_levels(test_legacy_Free *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->levels, msg->levels.len + 1, sizeof *msg->levels.data, arena)) return NULL;
    return &msg->levels.data[msg->levels.len++];
}

/* ---- test.legacy.Extended */

static inline int64_t test_legacy_Extended_size(const test_legacy_Extended *msg) { return tern_protobuf_size(&test_legacy_Extended_type, msg); }

static inline int64_t test_legacy_Extended_encode(const test_legacy_Extended *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_legacy_Extended_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_legacy_Extended_decode(const void *data, size_t len, tern_arena *arena, int mode, test_legacy_Extended *msg) {
    return tern_protobuf_decode(&test_legacy_Extended_type, data, len, arena, mode, NULL, msg);
}

static inline int test_legacy_Extended_copy(const test_legacy_Extended *src, tern_arena *arena, test_legacy_Extended *dst) {
    return tern_message_copy(&test_legacy_Extended_type, src, arena, dst);
}

static inline bool test_legacy_Extended_equal(const test_legacy_Extended *a, const test_legacy_Extended *b) { return tern_message_equal(&test_legacy_Extended_type, a, b); }

static inline bool test_legacy_Extended_has_a(const test_legacy_Extended *msg) { return msg->has.a; }

static inline void test_legacy_Extended_set_a(test_legacy_Extended *msg, uint32_t value) {
    msg->a = value;
    msg->has.a = 1;
}

static inline void test_legacy_Extended_clear_a(test_legacy_Extended *msg) {
    msg->a = 0;
    msg->has.a = 0;
}

/* ---- test.legacy.Grouped */

static inline int64_t test_legacy_Grouped_size(const test_legacy_Grouped *msg) { return tern_protobuf_size(&test_legacy_Grouped_type, msg); }

static inline int64_t test_legacy_Grouped_encode(const test_legacy_Grouped *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_legacy_Grouped_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_legacy_Grouped_decode(const void *data, size_t len, tern_arena *arena, int mode, test_legacy_Grouped *msg) {
    return tern_protobuf_decode(&test_legacy_Grouped_type, data, len, arena, mode, NULL, msg);
}

static inline int test_legacy_Grouped_copy(const test_legacy_Grouped *src, tern_arena *arena, test_legacy_Grouped *dst) {
    return tern_message_copy(&test_legacy_Grouped_type, src, arena, dst);
}

static inline bool test_legacy_Grouped_equal(const test_legacy_Grouped *a, const test_legacy_Grouped *b) { return tern_message_equal(&test_legacy_Grouped_type, a, b); }

static inline bool test_legacy_Grouped_has_g(const test_legacy_Grouped *msg) { return msg->has.g; }

static inline void test_legacy_Grouped_set_g(test_legacy_Grouped *msg, int32_t value) {
    msg->g = value;
    msg->has.g = 1;
}

static inline void test_legacy_Grouped_clear_g(test_legacy_Grouped *msg) {
    msg->g = 0;
    msg->has.g = 0;
}

/* ---- test.legacy.Set */

static inline int64_t test_legacy_Set_size(const test_legacy_Set *msg) { return tern_protobuf_size(&test_legacy_Set_type, msg); }

static inline int64_t test_legacy_Set_encode(const test_legacy_Set *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_legacy_Set_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_legacy_Set_decode(const void *data, size_t len, tern_arena *arena, int mode, test_legacy_Set *msg) {
    return tern_protobuf_decode(&test_legacy_Set_type, data, len, arena, mode, NULL, msg);
}

static inline int test_legacy_Set_copy(const test_legacy_Set *src, tern_arena *arena, test_legacy_Set *dst) {
    return tern_message_copy(&test_legacy_Set_type, src, arena, dst);
}

static inline bool test_legacy_Set_equal(const test_legacy_Set *a, const test_legacy_Set *b) { return tern_message_equal(&test_legacy_Set_type, a, b); }

/* ---- test.legacy.InSet */

static inline int64_t test_legacy_InSet_size(const test_legacy_InSet *msg) { return tern_protobuf_size(&test_legacy_InSet_type, msg); }

static inline int64_t test_legacy_InSet_encode(const test_legacy_InSet *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_legacy_InSet_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_legacy_InSet_decode(const void *data, size_t len, tern_arena *arena, int mode, test_legacy_InSet *msg) {
    return tern_protobuf_decode(&test_legacy_InSet_type, data, len, arena, mode, NULL, msg);
}

static inline int test_legacy_InSet_copy(const test_legacy_InSet *src, tern_arena *arena, test_legacy_InSet *dst) {
    return tern_message_copy(&test_legacy_InSet_type, src, arena, dst);
}

static inline bool test_legacy_InSet_equal(const test_legacy_InSet *a, const test_legacy_InSet *b) { return tern_message_equal(&test_legacy_InSet_type, a, b); }

static inline bool test_legacy_InSet_has_text(const test_legacy_InSet *msg) { return msg->has.text; }

static inline void test_legacy_InSet_set_text(test_legacy_InSet *msg, tern_str value) {
    msg->text = value;
    msg->has.text = 1;
}

static inline void test_legacy_InSet_clear_text(test_legacy_InSet *msg) {
    msg->text.data = NULL;
    msg->text.len = 0;
    msg->has.text = 0;
}

/* ---- test.legacy.Numbers */

static inline int64_t test_legacy_Numbers_size(const test_legacy_Numbers *msg) { return tern_protobuf_size(&test_legacy_Numbers_type, msg); }

static inline int64_t test_legacy_Numbers_encode(const test_legacy_Numbers *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_legacy_Numbers_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_legacy_Numbers_decode(const void *data, size_t len, tern_arena *arena, int mode, test_legacy_Numbers *msg) {
    return tern_protobuf_decode(&test_legacy_Numbers_type, data, len, arena, mode, NULL, msg);
}

static inline int test_legacy_Numbers_copy(const test_legacy_Numbers *src, tern_arena *arena, test_legacy_Numbers *dst) {
    return tern_message_copy(&test_legacy_Numbers_type, src, arena, dst);
}

static inline bool test_legacy_Numbers_equal(const test_legacy_Numbers *a, const test_legacy_Numbers *b) { return tern_message_equal(&test_legacy_Numbers_type, a, b); }

static inline bool test_legacy_Numbers_has_i(const test_legacy_Numbers *msg) { return msg->has.i; }

static inline void test_legacy_Numbers_set_i(test_legacy_Numbers *msg, int32_t value) {
    msg->i = value;
    msg->has.i = 1;
}

static inline void test_legacy_Numbers_clear_i(test_legacy_Numbers *msg) {
    msg->i = 0;
    msg->has.i = 0;
}

/* The value, or the schema's default when it is not set. */
static inline int32_t test_legacy_Numbers_get_i(const test_legacy_Numbers *msg) {
    return test_legacy_Numbers_has_i(msg) ? msg->i : 127;
}

static inline bool test_legacy_Numbers_has_o(const test_legacy_Numbers *msg) { return msg->has.o; }

static inline void test_legacy_Numbers_set_o(test_legacy_Numbers *msg, int64_t value) {
    msg->o = value;
    msg->has.o = 1;
}

static inline void test_legacy_Numbers_clear_o(test_legacy_Numbers *msg) {
    msg->o = 0;
    msg->has.o = 0;
}

/* The value, or the schema's default when it is not set. */
static inline int64_t test_legacy_Numbers_get_o(const test_legacy_Numbers *msg) {
    return test_legacy_Numbers_has_o(msg) ? msg->o : INT64_C(-15);
}

static inline bool test_legacy_Numbers_has_plus(const test_legacy_Numbers *msg) { return msg->has.plus; }

static inline void test_legacy_Numbers_set_plus(test_legacy_Numbers *msg, double value) {
    msg->plus = value;
    msg->has.plus = 1;
}

static inline void test_legacy_Numbers_clear_plus(test_legacy_Numbers *msg) {
    msg->plus = 0;
    msg->has.plus = 0;
}

/* The value, or the schema's default when it is not set. */
static inline double test_legacy_Numbers_get_plus(const test_legacy_Numbers *msg) {
    return test_legacy_Numbers_has_plus(msg) ? msg->plus : 10000000000.0;
}

static inline bool test_legacy_Numbers_has_tiny(const test_legacy_Numbers *msg) { return msg->has.tiny; }

static inline void test_legacy_Numbers_set_tiny(test_legacy_Numbers *msg, double value) {
    msg->tiny = value;
    msg->has.tiny = 1;
}

static inline void test_legacy_Numbers_clear_tiny(test_legacy_Numbers *msg) {
    msg->tiny = 0;
    msg->has.tiny = 0;
}

/* The value, or the schema's default when it is not set. */
static inline double test_legacy_Numbers_get_tiny(const test_legacy_Numbers *msg) {
    return test_legacy_Numbers_has_tiny(msg) ? msg->tiny : 4.9406564584124654e-324;
}

static inline bool test_legacy_Numbers_has_big(const test_legacy_Numbers *msg) { return msg->has.big; }

static inline void test_legacy_Numbers_set_big(test_legacy_Numbers *msg, float value) {
    msg->big = value;
    msg->has.big = 1;
}

static inline void test_legacy_Numbers_clear_big(test_legacy_Numbers *msg) {
    msg->big = 0;
    msg->has.big = 0;
}

/* The value, or the schema's default when it is not set. */
static inline float test_legacy_Numbers_get_big(const test_legacy_Numbers *msg) {
    return test_legacy_Numbers_has_big(msg) ? msg->big : 3.40282347e+38f;
}

static inline bool test_legacy_Numbers_has_nothing(const test_legacy_Numbers *msg) { return msg->has.nothing; }

static inline void test_legacy_Numbers_set_nothing(test_legacy_Numbers *msg, float value) {
    msg->nothing = value;
    msg->has.nothing = 1;
}

static inline void test_legacy_Numbers_clear_nothing(test_legacy_Numbers *msg) {
    msg->nothing = 0;
    msg->has.nothing = 0;
}

/* The value, or the schema's default when it is not set. */
static inline float test_legacy_Numbers_get_nothing(const test_legacy_Numbers *msg) {
    return test_legacy_Numbers_has_nothing(msg) ? msg->nothing : (float)NAN;
}

static inline bool test_legacy_Numbers_has_minus_zero(const test_legacy_Numbers *msg) { return msg->has.minus_zero; }

static inline void test_legacy_Numbers_set_minus_zero(test_legacy_Numbers *msg, float value) {
    msg->minus_zero = value;
    msg->has.minus_zero = 1;
}

static inline void test_legacy_Numbers_clear_minus_zero(test_legacy_Numbers *msg) {
    msg->minus_zero = 0;
    msg->has.minus_zero = 0;
}

/* The value, or the schema's default when it is not set. */
static inline float test_legacy_Numbers_get_minus_zero(const test_legacy_Numbers *msg) {
    return test_legacy_Numbers_has_minus_zero(msg) ? msg->minus_zero : -0.0f;
}

static inline bool test_legacy_Numbers_has_text(const test_legacy_Numbers *msg) { return msg->has.text; }

static inline void test_legacy_Numbers_set_text(test_legacy_Numbers *msg, tern_str value) {
    msg->text = value;
    msg->has.text = 1;
}

static inline void test_legacy_Numbers_clear_text(test_legacy_Numbers *msg) {
    msg->text.data = NULL;
    msg->text.len = 0;
    msg->has.text = 0;
}

/* The value, or the schema's default when it is not set. */
static inline tern_str test_legacy_Numbers_get_text(const test_legacy_Numbers *msg) {
    const tern_str value = {"\001\177\011\007\010\014\012\015\013'\"\\ \?\?/ %s", 19};
    return test_legacy_Numbers_has_text(msg) ? msg->text : value;
}

static inline bool test_legacy_Numbers_has_raw(const test_legacy_Numbers *msg) { return msg->has.raw; }

static inline void test_legacy_Numbers_set_raw(test_legacy_Numbers *msg, tern_bytes value) {
    msg->raw = value;
    msg->has.raw = 1;
}

static inline void test_legacy_Numbers_clear_raw(test_legacy_Numbers *msg) {
    msg->raw.data = NULL;
    msg->raw.len = 0;
    msg->has.raw = 0;
}

/* The value, or the schema's default when it is not set. */
static inline tern_bytes test_legacy_Numbers_get_raw(const test_legacy_Numbers *msg) {
    const tern_bytes value = {"\200\377\000a\0009\016", 7};
    return test_legacy_Numbers_has_raw(msg) ? msg->raw : value;
}

static inline bool test_legacy_Numbers_has_empty(const test_legacy_Numbers *msg) { return msg->has.empty; }

static inline void test_legacy_Numbers_set_empty(test_legacy_Numbers *msg, tern_str value) {
    msg->empty = value;
    msg->has.empty = 1;
}

static inline void test_legacy_Numbers_clear_empty(test_legacy_Numbers *msg) {
    msg->empty.data = NULL;
    msg->empty.len = 0;
    msg->has.empty = 0;
}

/* The value, or the schema's default when it is not set. */
static inline tern_str test_legacy_Numbers_get_empty(const test_legacy_Numbers *msg) {
    const tern_str value = {"", 0};
    return test_legacy_Numbers_has_empty(msg) ? msg->empty : value;
}

static inline bool test_legacy_Numbers_has_no(const test_legacy_Numbers *msg) { return msg->has.no; }

static inline void test_legacy_Numbers_set_no(test_legacy_Numbers *msg, bool value) {
    msg->no = value;
    msg->has.no = 1;
}

static inline void test_legacy_Numbers_clear_no(test_legacy_Numbers *msg) {
    msg->no = 0;
    msg->has.no = 0;
}

/* The value, or the schema's default when it is not set. */
static inline bool test_legacy_Numbers_get_no(const test_legacy_Numbers *msg) {
    return test_legacy_Numbers_has_no(msg) ? msg->no : false;
}

static inline bool test_legacy_Numbers_has_split(const test_legacy_Numbers *msg) { return msg->has.split; }

static inline void test_legacy_Numbers_set_split(test_legacy_Numbers *msg, tern_str value) {
    msg->split = value;
    msg->has.split = 1;
}

static inline void test_legacy_Numbers_clear_split(test_legacy_Numbers *msg) {
    msg->split.data = NULL;
    msg->split.len = 0;
    msg->has.split = 0;
}

/* The value, or the schema's default when it is not set. */
static inline tern_str test_legacy_Numbers_get_split(const test_legacy_Numbers *msg) {
    const tern_str value = {"one two", 7};
    return test_legacy_Numbers_has_split(msg) ? msg->split : value;
}

#ifdef __cplusplus
}
#endif
#endif
