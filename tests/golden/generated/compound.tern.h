/* Made by protoc-gen-tern from compound.proto; changes here are lost. */
#ifndef COMPOUND_TERN_H
#define COMPOUND_TERN_H

#include "tern/codec.h"
#include "imported.tern.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum test_compound_Mood {
    test_compound_Mood_MOOD_NONE = 0,
    /* Fine. */
    test_compound_Mood_MOOD_GOOD = 2,
    /* the same */
    test_compound_Mood_MOOD_WELL = 2,
    test_compound_Mood_MOOD_BAD = -1,
} test_compound_Mood;
extern const tern_enum test_compound_Mood_enum;

typedef struct test_compound_Leaf test_compound_Leaf;
TERN__LIST(test_compound_Leaf_list, test_compound_Leaf);
extern const tern_type test_compound_Leaf_type;
typedef struct test_compound_Choice test_compound_Choice;
TERN__LIST(test_compound_Choice_list, test_compound_Choice);
extern const tern_type test_compound_Choice_type;
typedef struct test_compound_Maps test_compound_Maps;
TERN__LIST(test_compound_Maps_list, test_compound_Maps);
extern const tern_type test_compound_Maps_type;
typedef struct test_compound_Maps_ByInt32Entry test_compound_Maps_ByInt32Entry;
TERN__MAP(test_compound_Maps_ByInt32Entry_map, test_compound_Maps_ByInt32Entry);
extern const tern_type test_compound_Maps_ByInt32Entry_type;
typedef struct test_compound_Maps_ByInt64Entry test_compound_Maps_ByInt64Entry;
TERN__MAP(test_compound_Maps_ByInt64Entry_map, test_compound_Maps_ByInt64Entry);
extern const tern_type test_compound_Maps_ByInt64Entry_type;
typedef struct test_compound_Maps_ByUint32Entry test_compound_Maps_ByUint32Entry;
TERN__MAP(test_compound_Maps_ByUint32Entry_map, test_compound_Maps_ByUint32Entry);
extern const tern_type test_compound_Maps_ByUint32Entry_type;
typedef struct test_compound_Maps_ByUint64Entry test_compound_Maps_ByUint64Entry;
TERN__MAP(test_compound_Maps_ByUint64Entry_map, test_compound_Maps_ByUint64Entry);
extern const tern_type test_compound_Maps_ByUint64Entry_type;
typedef struct test_compound_Maps_BySint32Entry test_compound_Maps_BySint32Entry;
TERN__MAP(test_compound_Maps_BySint32Entry_map, test_compound_Maps_BySint32Entry);
extern const tern_type test_compound_Maps_BySint32Entry_type;
typedef struct test_compound_Maps_BySint64Entry test_compound_Maps_BySint64Entry;
TERN__MAP(test_compound_Maps_BySint64Entry_map, test_compound_Maps_BySint64Entry);
extern const tern_type test_compound_Maps_BySint64Entry_type;
typedef struct test_compound_Maps_ByFixed32Entry test_compound_Maps_ByFixed32Entry;
TERN__MAP(test_compound_Maps_ByFixed32Entry_map, test_compound_Maps_ByFixed32Entry);
extern const tern_type test_compound_Maps_ByFixed32Entry_type;
typedef struct test_compound_Maps_ByFixed64Entry test_compound_Maps_ByFixed64Entry;
TERN__MAP(test_compound_Maps_ByFixed64Entry_map, test_compound_Maps_ByFixed64Entry);
extern const tern_type test_compound_Maps_ByFixed64Entry_type;
typedef struct test_compound_Maps_BySfixed32Entry test_compound_Maps_BySfixed32Entry;
TERN__MAP(test_compound_Maps_BySfixed32Entry_map, test_compound_Maps_BySfixed32Entry);
extern const tern_type test_compound_Maps_BySfixed32Entry_type;
typedef struct test_compound_Maps_BySfixed64Entry test_compound_Maps_BySfixed64Entry;
TERN__MAP(test_compound_Maps_BySfixed64Entry_map, test_compound_Maps_BySfixed64Entry);
extern const tern_type test_compound_Maps_BySfixed64Entry_type;
typedef struct test_compound_Maps_ByBoolEntry test_compound_Maps_ByBoolEntry;
TERN__MAP(test_compound_Maps_ByBoolEntry_map, test_compound_Maps_ByBoolEntry);
extern const tern_type test_compound_Maps_ByBoolEntry_type;
typedef struct test_compound_Maps_ByStringEntry test_compound_Maps_ByStringEntry;
TERN__MAP(test_compound_Maps_ByStringEntry_map, test_compound_Maps_ByStringEntry);
extern const tern_type test_compound_Maps_ByStringEntry_type;
typedef struct test_compound_Maps_ToBytesEntry test_compound_Maps_ToBytesEntry;
TERN__MAP(test_compound_Maps_ToBytesEntry_map, test_compound_Maps_ToBytesEntry);
extern const tern_type test_compound_Maps_ToBytesEntry_type;
typedef struct test_compound_Maps_ToFloatEntry test_compound_Maps_ToFloatEntry;
TERN__MAP(test_compound_Maps_ToFloatEntry_map, test_compound_Maps_ToFloatEntry);
extern const tern_type test_compound_Maps_ToFloatEntry_type;
typedef struct test_compound_Maps_ToDoubleEntry test_compound_Maps_ToDoubleEntry;
TERN__MAP(test_compound_Maps_ToDoubleEntry_map, test_compound_Maps_ToDoubleEntry);
extern const tern_type test_compound_Maps_ToDoubleEntry_type;
typedef struct test_compound_Maps_ToMoodEntry test_compound_Maps_ToMoodEntry;
TERN__MAP(test_compound_Maps_ToMoodEntry_map, test_compound_Maps_ToMoodEntry);
extern const tern_type test_compound_Maps_ToMoodEntry_type;
typedef struct test_compound_Maps_ToLeafEntry test_compound_Maps_ToLeafEntry;
TERN__MAP(test_compound_Maps_ToLeafEntry_map, test_compound_Maps_ToLeafEntry);
extern const tern_type test_compound_Maps_ToLeafEntry_type;
typedef struct test_compound_Maps_ToMapsEntry test_compound_Maps_ToMapsEntry;
TERN__MAP(test_compound_Maps_ToMapsEntry_map, test_compound_Maps_ToMapsEntry);
extern const tern_type test_compound_Maps_ToMapsEntry_type;
typedef struct test_compound_Maps_ToImportedEntry test_compound_Maps_ToImportedEntry;
TERN__MAP(test_compound_Maps_ToImportedEntry_map, test_compound_Maps_ToImportedEntry);
extern const tern_type test_compound_Maps_ToImportedEntry_type;
typedef struct test_compound_Maps_ToKindEntry test_compound_Maps_ToKindEntry;
TERN__MAP(test_compound_Maps_ToKindEntry_map, test_compound_Maps_ToKindEntry);
extern const tern_type test_compound_Maps_ToKindEntry_type;
typedef struct test_compound_JsonNames test_compound_JsonNames;
TERN__LIST(test_compound_JsonNames_list, test_compound_JsonNames);
extern const tern_type test_compound_JsonNames_type;
typedef struct test_compound_Holder test_compound_Holder;
TERN__LIST(test_compound_Holder_list, test_compound_Holder);
extern const tern_type test_compound_Holder_type;

struct test_compound_Leaf {
    uint32_t id;
    tern_str label;
    tern_unknown unknown;
};

typedef enum test_compound_Choice_pick_case {
    test_compound_Choice_pick_NOT_SET = 0,
    test_compound_Choice_pick_f_double = 2,
    test_compound_Choice_pick_f_float = 3,
    test_compound_Choice_pick_f_int64 = 4,
    test_compound_Choice_pick_f_uint64 = 5,
    test_compound_Choice_pick_f_int32 = 6,
    test_compound_Choice_pick_f_fixed64 = 7,
    test_compound_Choice_pick_f_fixed32 = 8,
    test_compound_Choice_pick_f_bool = 9,
    test_compound_Choice_pick_f_string = 10,
    test_compound_Choice_pick_f_bytes = 11,
    test_compound_Choice_pick_f_uint32 = 12,
    test_compound_Choice_pick_f_enum = 13,
    test_compound_Choice_pick_f_sfixed32 = 14,
    test_compound_Choice_pick_f_sfixed64 = 15,
    test_compound_Choice_pick_f_sint32 = 16,
    test_compound_Choice_pick_f_sint64 = 17,
    test_compound_Choice_pick_f_leaf = 18,
    test_compound_Choice_pick_f_choice = 19,
    test_compound_Choice_pick_f_imported = 20,
} test_compound_Choice_pick_case;

typedef enum test_compound_Choice_second_case {
    test_compound_Choice_second_NOT_SET = 0,
    test_compound_Choice_second_text = 22,
    test_compound_Choice_second_number = 300,
} test_compound_Choice_second_case;

/* A oneof with a member of each kind. */
struct test_compound_Choice {
    test_compound_Choice_pick_case pick_case;
    test_compound_Choice_second_case second_case;
    struct {
        uint32_t between : 1;
    } has;
    uint32_t before;
    /* What was chosen. */
    union {
        double f_double;
        float f_float;
        int64_t f_int64;
        uint64_t f_uint64;
        int32_t f_int32;
        uint64_t f_fixed64;
        uint32_t f_fixed32;
        bool f_bool;
        /* A string among others. */
        tern_str f_string;
        tern_bytes f_bytes;
        uint32_t f_uint32;
        int32_t f_enum; /* test_compound_Mood */
        int32_t f_sfixed32;
        int64_t f_sfixed64;
        int32_t f_sint32;
        int64_t f_sint64;
        test_compound_Leaf *f_leaf;
        test_compound_Choice *f_choice;
        test_other_Imported *f_imported;
    }; /* pick_case */
    uint32_t between;
    union {
        tern_str text;
        uint32_t number;
    }; /* second_case */
    tern_str after;
    tern_unknown unknown;
};

/* A map for each type of key, and for each kind of value. */
struct test_compound_Maps {
    test_compound_Maps_ByInt32Entry_map by_int32;
    test_compound_Maps_ByInt64Entry_map by_int64;
    test_compound_Maps_ByUint32Entry_map by_uint32;
    test_compound_Maps_ByUint64Entry_map by_uint64;
    test_compound_Maps_BySint32Entry_map by_sint32;
    test_compound_Maps_BySint64Entry_map by_sint64;
    test_compound_Maps_ByFixed32Entry_map by_fixed32;
    test_compound_Maps_ByFixed64Entry_map by_fixed64;
    test_compound_Maps_BySfixed32Entry_map by_sfixed32;
    test_compound_Maps_BySfixed64Entry_map by_sfixed64;
    test_compound_Maps_ByBoolEntry_map by_bool;
    test_compound_Maps_ByStringEntry_map by_string;
    test_compound_Maps_ToBytesEntry_map to_bytes;
    test_compound_Maps_ToFloatEntry_map to_float;
    test_compound_Maps_ToDoubleEntry_map to_double;
    test_compound_Maps_ToMoodEntry_map to_mood;
    /* Leaves by name. */
    test_compound_Maps_ToLeafEntry_map to_leaf;
    test_compound_Maps_ToMapsEntry_map to_maps;
    test_compound_Maps_ToImportedEntry_map to_imported;
    test_compound_Maps_ToKindEntry_map to_kind;
    tern_unknown unknown;
};

struct test_compound_Maps_ByInt32Entry {
    int32_t key;
    int32_t value;
};

struct test_compound_Maps_ByInt64Entry {
    int64_t key;
    int64_t value;
};

struct test_compound_Maps_ByUint32Entry {
    uint32_t key;
    uint32_t value;
};

struct test_compound_Maps_ByUint64Entry {
    uint64_t key;
    uint64_t value;
};

struct test_compound_Maps_BySint32Entry {
    int32_t key;
    int32_t value;
};

struct test_compound_Maps_BySint64Entry {
    int64_t key;
    int64_t value;
};

struct test_compound_Maps_ByFixed32Entry {
    uint32_t key;
    uint32_t value;
};

struct test_compound_Maps_ByFixed64Entry {
    uint64_t key;
    uint64_t value;
};

struct test_compound_Maps_BySfixed32Entry {
    int32_t key;
    int32_t value;
};

struct test_compound_Maps_BySfixed64Entry {
    int64_t key;
    int64_t value;
};

struct test_compound_Maps_ByBoolEntry {
    bool key;
    bool value;
};

struct test_compound_Maps_ByStringEntry {
    tern_str key;
    tern_str value;
};

struct test_compound_Maps_ToBytesEntry {
    tern_str key;
    tern_bytes value;
};

struct test_compound_Maps_ToFloatEntry {
    uint32_t key;
    float value;
};

struct test_compound_Maps_ToDoubleEntry {
    uint32_t key;
    double value;
};

struct test_compound_Maps_ToMoodEntry {
    tern_str key;
    int32_t value; /* test_compound_Mood */
};

struct test_compound_Maps_ToLeafEntry {
    tern_str key;
    test_compound_Leaf *value;
};

struct test_compound_Maps_ToMapsEntry {
    int32_t key;
    test_compound_Maps *value;
};

struct test_compound_Maps_ToImportedEntry {
    int32_t key;
    test_other_Imported *value;
};

struct test_compound_Maps_ToKindEntry {
    int32_t key;
    int32_t value; /* test_other_Kind */
};

struct test_compound_JsonNames {
    tern_str plain_name;
    tern_str other_name;
    tern_str quoted;
    tern_str fieldname2;
    tern_str _field_name3;
    tern_str field__name4_;
    tern_str Upper_case;
    tern_unknown unknown;
};

struct test_compound_Holder {
    test_compound_Choice *choice;
    test_compound_Choice_list choices;
    test_compound_Maps *maps;
    tern_list_i32 moods; /* test_compound_Mood */
    tern_unknown unknown;
};

/* ---- test.compound.Leaf */

static inline int64_t test_compound_Leaf_size(const test_compound_Leaf *msg) { return tern_protobuf_size(&test_compound_Leaf_type, msg); }

static inline int64_t test_compound_Leaf_encode(const test_compound_Leaf *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_compound_Leaf_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_compound_Leaf_decode(const void *data, size_t len, tern_arena *arena, int mode, test_compound_Leaf *msg) {
    return tern_protobuf_decode(&test_compound_Leaf_type, data, len, arena, mode, NULL, msg);
}

static inline int test_compound_Leaf_copy(const test_compound_Leaf *src, tern_arena *arena, test_compound_Leaf *dst) {
    return tern_message_copy(&test_compound_Leaf_type, src, arena, dst);
}

static inline bool test_compound_Leaf_equal(const test_compound_Leaf *a, const test_compound_Leaf *b) { return tern_message_equal(&test_compound_Leaf_type, a, b); }

/* ---- test.compound.Choice */

static inline int64_t test_compound_Choice_size(const test_compound_Choice *msg) { return tern_protobuf_size(&test_compound_Choice_type, msg); }

static inline int64_t test_compound_Choice_encode(const test_compound_Choice *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_compound_Choice_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_compound_Choice_decode(const void *data, size_t len, tern_arena *arena, int mode, test_compound_Choice *msg) {
    return tern_protobuf_decode(&test_compound_Choice_type, data, len, arena, mode, NULL, msg);
}

static inline int test_compound_Choice_copy(const test_compound_Choice *src, tern_arena *arena, test_compound_Choice *dst) {
    return tern_message_copy(&test_compound_Choice_type, src, arena, dst);
}

static inline bool test_compound_Choice_equal(const test_compound_Choice *a, const test_compound_Choice *b) { return tern_message_equal(&test_compound_Choice_type, a, b); }

static inline test_compound_Choice_pick_case test_compound_Choice_which_pick(const test_compound_Choice *msg) { return msg->pick_case; }

static inline void test_compound_Choice_clear_pick(test_compound_Choice *msg) { msg->pick_case = test_compound_Choice_pick_NOT_SET; }

static inline test_compound_Choice_second_case test_compound_Choice_which_second(const test_compound_Choice *msg) { return msg->second_case; }

static inline void test_compound_Choice_clear_second(test_compound_Choice *msg) { msg->second_case = test_compound_Choice_second_NOT_SET; }

static inline bool test_compound_Choice_has_f_double(const test_compound_Choice *msg) { return msg->pick_case == test_compound_Choice_pick_f_double; }

static inline void test_compound_Choice_set_f_double(test_compound_Choice *msg, double value) {
    msg->f_double = value;
    msg->pick_case = test_compound_Choice_pick_f_double;
}

static inline void test_compound_Choice_clear_f_double(test_compound_Choice *msg) {
    if (msg->pick_case == test_compound_Choice_pick_f_double) msg->pick_case = test_compound_Choice_pick_NOT_SET;
}

static inline bool test_compound_Choice_has_f_float(const test_compound_Choice *msg) { return msg->pick_case == test_compound_Choice_pick_f_float; }

static inline void test_compound_Choice_set_f_float(test_compound_Choice *msg, float value) {
    msg->f_float = value;
    msg->pick_case = test_compound_Choice_pick_f_float;
}

static inline void test_compound_Choice_clear_f_float(test_compound_Choice *msg) {
    if (msg->pick_case == test_compound_Choice_pick_f_float) msg->pick_case = test_compound_Choice_pick_NOT_SET;
}

static inline bool test_compound_Choice_has_f_int64(const test_compound_Choice *msg) { return msg->pick_case == test_compound_Choice_pick_f_int64; }

static inline void test_compound_Choice_set_f_int64(test_compound_Choice *msg, int64_t value) {
    msg->f_int64 = value;
    msg->pick_case = test_compound_Choice_pick_f_int64;
}

static inline void test_compound_Choice_clear_f_int64(test_compound_Choice *msg) {
    if (msg->pick_case == test_compound_Choice_pick_f_int64) msg->pick_case = test_compound_Choice_pick_NOT_SET;
}

static inline bool test_compound_Choice_has_f_uint64(const test_compound_Choice *msg) { return msg->pick_case == test_compound_Choice_pick_f_uint64; }

static inline void test_compound_Choice_set_f_uint64(test_compound_Choice *msg, uint64_t value) {
    msg->f_uint64 = value;
    msg->pick_case = test_compound_Choice_pick_f_uint64;
}

static inline void test_compound_Choice_clear_f_uint64(test_compound_Choice *msg) {
    if (msg->pick_case == test_compound_Choice_pick_f_uint64) msg->pick_case = test_compound_Choice_pick_NOT_SET;
}

static inline bool test_compound_Choice_has_f_int32(const test_compound_Choice *msg) { return msg->pick_case == test_compound_Choice_pick_f_int32; }

static inline void test_compound_Choice_set_f_int32(test_compound_Choice *msg, int32_t value) {
    msg->f_int32 = value;
    msg->pick_case = test_compound_Choice_pick_f_int32;
}

static inline void test_compound_Choice_clear_f_int32(test_compound_Choice *msg) {
    if (msg->pick_case == test_compound_Choice_pick_f_int32) msg->pick_case = test_compound_Choice_pick_NOT_SET;
}

static inline bool test_compound_Choice_has_f_fixed64(const test_compound_Choice *msg) { return msg->pick_case == test_compound_Choice_pick_f_fixed64; }

static inline void test_compound_Choice_set_f_fixed64(test_compound_Choice *msg, uint64_t value) {
    msg->f_fixed64 = value;
    msg->pick_case = test_compound_Choice_pick_f_fixed64;
}

static inline void test_compound_Choice_clear_f_fixed64(test_compound_Choice *msg) {
    if (msg->pick_case == test_compound_Choice_pick_f_fixed64) msg->pick_case = test_compound_Choice_pick_NOT_SET;
}

static inline bool test_compound_Choice_has_f_fixed32(const test_compound_Choice *msg) { return msg->pick_case == test_compound_Choice_pick_f_fixed32; }

static inline void test_compound_Choice_set_f_fixed32(test_compound_Choice *msg, uint32_t value) {
    msg->f_fixed32 = value;
    msg->pick_case = test_compound_Choice_pick_f_fixed32;
}

static inline void test_compound_Choice_clear_f_fixed32(test_compound_Choice *msg) {
    if (msg->pick_case == test_compound_Choice_pick_f_fixed32) msg->pick_case = test_compound_Choice_pick_NOT_SET;
}

static inline bool test_compound_Choice_has_f_bool(const test_compound_Choice *msg) { return msg->pick_case == test_compound_Choice_pick_f_bool; }

static inline void test_compound_Choice_set_f_bool(test_compound_Choice *msg, bool value) {
    msg->f_bool = value;
    msg->pick_case = test_compound_Choice_pick_f_bool;
}

static inline void test_compound_Choice_clear_f_bool(test_compound_Choice *msg) {
    if (msg->pick_case == test_compound_Choice_pick_f_bool) msg->pick_case = test_compound_Choice_pick_NOT_SET;
}

static inline bool test_compound_Choice_has_f_string(const test_compound_Choice *msg) { return msg->pick_case == test_compound_Choice_pick_f_string; }

static inline void test_compound_Choice_set_f_string(test_compound_Choice *msg, tern_str value) {
    msg->f_string = value;
    msg->pick_case = test_compound_Choice_pick_f_string;
}

static inline void test_compound_Choice_clear_f_string(test_compound_Choice *msg) {
    if (msg->pick_case == test_compound_Choice_pick_f_string) msg->pick_case = test_compound_Choice_pick_NOT_SET;
}

static inline bool test_compound_Choice_has_f_bytes(const test_compound_Choice *msg) { return msg->pick_case == test_compound_Choice_pick_f_bytes; }

static inline void test_compound_Choice_set_f_bytes(test_compound_Choice *msg, tern_bytes value) {
    msg->f_bytes = value;
    msg->pick_case = test_compound_Choice_pick_f_bytes;
}

static inline void test_compound_Choice_clear_f_bytes(test_compound_Choice *msg) {
    if (msg->pick_case == test_compound_Choice_pick_f_bytes) msg->pick_case = test_compound_Choice_pick_NOT_SET;
}

static inline bool test_compound_Choice_has_f_uint32(const test_compound_Choice *msg) { return msg->pick_case == test_compound_Choice_pick_f_uint32; }

static inline void test_compound_Choice_set_f_uint32(test_compound_Choice *msg, uint32_t value) {
    msg->f_uint32 = value;
    msg->pick_case = test_compound_Choice_pick_f_uint32;
}

static inline void test_compound_Choice_clear_f_uint32(test_compound_Choice *msg) {
    if (msg->pick_case == test_compound_Choice_pick_f_uint32) msg->pick_case = test_compound_Choice_pick_NOT_SET;
}

static inline bool test_compound_Choice_has_f_enum(const test_compound_Choice *msg) { return msg->pick_case == test_compound_Choice_pick_f_enum; }

static inline void test_compound_Choice_set_f_enum(test_compound_Choice *msg, int32_t value) {
    msg->f_enum = value;
    msg->pick_case = test_compound_Choice_pick_f_enum;
}

static inline void test_compound_Choice_clear_f_enum(test_compound_Choice *msg) {
    if (msg->pick_case == test_compound_Choice_pick_f_enum) msg->pick_case = test_compound_Choice_pick_NOT_SET;
}

static inline bool test_compound_Choice_has_f_sfixed32(const test_compound_Choice *msg) { return msg->pick_case == test_compound_Choice_pick_f_sfixed32; }

static inline void test_compound_Choice_set_f_sfixed32(test_compound_Choice *msg, int32_t value) {
    msg->f_sfixed32 = value;
    msg->pick_case = test_compound_Choice_pick_f_sfixed32;
}

static inline void test_compound_Choice_clear_f_sfixed32(test_compound_Choice *msg) {
    if (msg->pick_case == test_compound_Choice_pick_f_sfixed32) msg->pick_case = test_compound_Choice_pick_NOT_SET;
}

static inline bool test_compound_Choice_has_f_sfixed64(const test_compound_Choice *msg) { return msg->pick_case == test_compound_Choice_pick_f_sfixed64; }

static inline void test_compound_Choice_set_f_sfixed64(test_compound_Choice *msg, int64_t value) {
    msg->f_sfixed64 = value;
    msg->pick_case = test_compound_Choice_pick_f_sfixed64;
}

static inline void test_compound_Choice_clear_f_sfixed64(test_compound_Choice *msg) {
    if (msg->pick_case == test_compound_Choice_pick_f_sfixed64) msg->pick_case = test_compound_Choice_pick_NOT_SET;
}

static inline bool test_compound_Choice_has_f_sint32(const test_compound_Choice *msg) { return msg->pick_case == test_compound_Choice_pick_f_sint32; }

static inline void test_compound_Choice_set_f_sint32(test_compound_Choice *msg, int32_t value) {
    msg->f_sint32 = value;
    msg->pick_case = test_compound_Choice_pick_f_sint32;
}

static inline void test_compound_Choice_clear_f_sint32(test_compound_Choice *msg) {
    if (msg->pick_case == test_compound_Choice_pick_f_sint32) msg->pick_case = test_compound_Choice_pick_NOT_SET;
}

static inline bool test_compound_Choice_has_f_sint64(const test_compound_Choice *msg) { return msg->pick_case == test_compound_Choice_pick_f_sint64; }

static inline void test_compound_Choice_set_f_sint64(test_compound_Choice *msg, int64_t value) {
    msg->f_sint64 = value;
    msg->pick_case = test_compound_Choice_pick_f_sint64;
}

static inline void test_compound_Choice_clear_f_sint64(test_compound_Choice *msg) {
    if (msg->pick_case == test_compound_Choice_pick_f_sint64) msg->pick_case = test_compound_Choice_pick_NOT_SET;
}

static inline bool test_compound_Choice_has_f_leaf(const test_compound_Choice *msg) { return msg->pick_case == test_compound_Choice_pick_f_leaf; }

static inline void test_compound_Choice_set_f_leaf(test_compound_Choice *msg, test_compound_Leaf *value) {
    msg->f_leaf = value;
    msg->pick_case = test_compound_Choice_pick_f_leaf;
}

static inline void test_compound_Choice_clear_f_leaf(test_compound_Choice *msg) {
    if (msg->pick_case == test_compound_Choice_pick_f_leaf) msg->pick_case = test_compound_Choice_pick_NOT_SET;
}

static inline test_compound_Leaf *test_compound_Choice_make_f_leaf(test_compound_Choice *msg, tern_arena *arena) {
    test_compound_Leaf *made = (test_compound_Leaf *)tern_arena_zalloc(arena, sizeof *made);
    if (made) test_compound_Choice_set_f_leaf(msg, made);
    return made;
}

static inline bool test_compound_Choice_has_f_choice(const test_compound_Choice *msg) { return msg->pick_case == test_compound_Choice_pick_f_choice; }

static inline void test_compound_Choice_set_f_choice(test_compound_Choice *msg, test_compound_Choice *value) {
    msg->f_choice = value;
    msg->pick_case = test_compound_Choice_pick_f_choice;
}

static inline void test_compound_Choice_clear_f_choice(test_compound_Choice *msg) {
    if (msg->pick_case == test_compound_Choice_pick_f_choice) msg->pick_case = test_compound_Choice_pick_NOT_SET;
}

static inline test_compound_Choice *test_compound_Choice_make_f_choice(test_compound_Choice *msg, tern_arena *arena) {
    test_compound_Choice *made = (test_compound_Choice *)tern_arena_zalloc(arena, sizeof *made);
    if (made) test_compound_Choice_set_f_choice(msg, made);
    return made;
}

static inline bool test_compound_Choice_has_f_imported(const test_compound_Choice *msg) { return msg->pick_case == test_compound_Choice_pick_f_imported; }

static inline void test_compound_Choice_set_f_imported(test_compound_Choice *msg, test_other_Imported *value) {
    msg->f_imported = value;
    msg->pick_case = test_compound_Choice_pick_f_imported;
}

static inline void test_compound_Choice_clear_f_imported(test_compound_Choice *msg) {
    if (msg->pick_case == test_compound_Choice_pick_f_imported) msg->pick_case = test_compound_Choice_pick_NOT_SET;
}

static inline test_other_Imported *test_compound_Choice_make_f_imported(test_compound_Choice *msg, tern_arena *arena) {
    test_other_Imported *made = (test_other_Imported *)tern_arena_zalloc(arena, sizeof *made);
    if (made) test_compound_Choice_set_f_imported(msg, made);
    return made;
}

static inline bool test_compound_Choice_has_between(const test_compound_Choice *msg) { return msg->has.between; }

static inline void test_compound_Choice_set_between(test_compound_Choice *msg, uint32_t value) {
    msg->between = value;
    msg->has.between = 1;
}

static inline void test_compound_Choice_clear_between(test_compound_Choice *msg) {
    msg->between = 0;
    msg->has.between = 0;
}

static inline bool test_compound_Choice_has_text(const test_compound_Choice *msg) { return msg->second_case == test_compound_Choice_second_text; }

static inline void test_compound_Choice_set_text(test_compound_Choice *msg, tern_str value) {
    msg->text = value;
    msg->second_case = test_compound_Choice_second_text;
}

static inline void test_compound_Choice_clear_text(test_compound_Choice *msg) {
    if (msg->second_case == test_compound_Choice_second_text) msg->second_case = test_compound_Choice_second_NOT_SET;
}

static inline bool test_compound_Choice_has_number(const test_compound_Choice *msg) { return msg->second_case == test_compound_Choice_second_number; }

static inline void test_compound_Choice_set_number(test_compound_Choice *msg, uint32_t value) {
    msg->number = value;
    msg->second_case = test_compound_Choice_second_number;
}

static inline void test_compound_Choice_clear_number(test_compound_Choice *msg) {
    if (msg->second_case == test_compound_Choice_second_number) msg->second_case = test_compound_Choice_second_NOT_SET;
}

/* ---- test.compound.Maps */

static inline int64_t test_compound_Maps_size(const test_compound_Maps *msg) { return tern_protobuf_size(&test_compound_Maps_type, msg); }

static inline int64_t test_compound_Maps_encode(const test_compound_Maps *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_compound_Maps_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_compound_Maps_decode(const void *data, size_t len, tern_arena *arena, int mode, test_compound_Maps *msg) {
    return tern_protobuf_decode(&test_compound_Maps_type, data, len, arena, mode, NULL, msg);
}

static inline int test_compound_Maps_copy(const test_compound_Maps *src, tern_arena *arena, test_compound_Maps *dst) {
    return tern_message_copy(&test_compound_Maps_type, src, arena, dst);
}

static inline bool test_compound_Maps_equal(const test_compound_Maps *a, const test_compound_Maps *b) { return tern_message_equal(&test_compound_Maps_type, a, b); }

/* Sets the value of this key: 0 or TERN_ERR_NOMEM. Key and value are borrowed. */
static inline int test_compound_Maps_put_by_int32(test_compound_Maps *msg, int32_t key, int32_t value, tern_arena *arena) {
    test_compound_Maps_ByInt32Entry *entry = (test_compound_Maps_ByInt32Entry *)tern_map_insert(&test_compound_Maps_ByInt32Entry_type, &msg->by_int32, &key, arena);
    if (!entry) return TERN_ERR_NOMEM;
    entry->value = value;
    return 0;
}

/* The value of this key, or NULL. */
static inline int32_t *test_compound_Maps_get_by_int32(const test_compound_Maps *msg, int32_t key) {
    test_compound_Maps_ByInt32Entry *entry = (test_compound_Maps_ByInt32Entry *)tern_map_find(&test_compound_Maps_ByInt32Entry_type, &msg->by_int32, &key);
    return entry ? &entry->value : NULL;
}

static inline bool test_compound_Maps_remove_by_int32(test_compound_Maps *msg, int32_t key) {
    return tern_map_remove(&test_compound_Maps_ByInt32Entry_type, &msg->by_int32, &key);
}

/* Sets the value of this key: 0 or TERN_ERR_NOMEM. Key and value are borrowed. */
static inline int test_compound_Maps_put_by_int64(test_compound_Maps *msg, int64_t key, int64_t value, tern_arena *arena) {
    test_compound_Maps_ByInt64Entry *entry = (test_compound_Maps_ByInt64Entry *)tern_map_insert(&test_compound_Maps_ByInt64Entry_type, &msg->by_int64, &key, arena);
    if (!entry) return TERN_ERR_NOMEM;
    entry->value = value;
    return 0;
}

/* The value of this key, or NULL. */
static inline int64_t *test_compound_Maps_get_by_int64(const test_compound_Maps *msg, int64_t key) {
    test_compound_Maps_ByInt64Entry *entry = (test_compound_Maps_ByInt64Entry *)tern_map_find(&test_compound_Maps_ByInt64Entry_type, &msg->by_int64, &key);
    return entry ? &entry->value : NULL;
}

static inline bool test_compound_Maps_remove_by_int64(test_compound_Maps *msg, int64_t key) {
    return tern_map_remove(&test_compound_Maps_ByInt64Entry_type, &msg->by_int64, &key);
}

/* Sets the value of this key: 0 or TERN_ERR_NOMEM. Key and value are borrowed. */
static inline int test_compound_Maps_put_by_uint32(test_compound_Maps *msg, uint32_t key, uint32_t value, tern_arena *arena) {
    test_compound_Maps_ByUint32Entry *entry = (test_compound_Maps_ByUint32Entry *)tern_map_insert(&test_compound_Maps_ByUint32Entry_type, &msg->by_uint32, &key, arena);
    if (!entry) return TERN_ERR_NOMEM;
    entry->value = value;
    return 0;
}

/* The value of this key, or NULL. */
static inline uint32_t *test_compound_Maps_get_by_uint32(const test_compound_Maps *msg, uint32_t key) {
    test_compound_Maps_ByUint32Entry *entry = (test_compound_Maps_ByUint32Entry *)tern_map_find(&test_compound_Maps_ByUint32Entry_type, &msg->by_uint32, &key);
    return entry ? &entry->value : NULL;
}

static inline bool test_compound_Maps_remove_by_uint32(test_compound_Maps *msg, uint32_t key) {
    return tern_map_remove(&test_compound_Maps_ByUint32Entry_type, &msg->by_uint32, &key);
}

/* Sets the value of this key: 0 or TERN_ERR_NOMEM. Key and value are borrowed. */
static inline int test_compound_Maps_put_by_uint64(test_compound_Maps *msg, uint64_t key, uint64_t value, tern_arena *arena) {
    test_compound_Maps_ByUint64Entry *entry = (test_compound_Maps_ByUint64Entry *)tern_map_insert(&test_compound_Maps_ByUint64Entry_type, &msg->by_uint64, &key, arena);
    if (!entry) return TERN_ERR_NOMEM;
    entry->value = value;
    return 0;
}

/* The value of this key, or NULL. */
static inline uint64_t *test_compound_Maps_get_by_uint64(const test_compound_Maps *msg, uint64_t key) {
    test_compound_Maps_ByUint64Entry *entry = (test_compound_Maps_ByUint64Entry *)tern_map_find(&test_compound_Maps_ByUint64Entry_type, &msg->by_uint64, &key);
    return entry ? &entry->value : NULL;
}

static inline bool test_compound_Maps_remove_by_uint64(test_compound_Maps *msg, uint64_t key) {
    return tern_map_remove(&test_compound_Maps_ByUint64Entry_type, &msg->by_uint64, &key);
}

/* Sets the value of this key: 0 or TERN_ERR_NOMEM. Key and value are borrowed. */
static inline int test_compound_Maps_put_by_sint32(test_compound_Maps *msg, int32_t key, int32_t value, tern_arena *arena) {
    test_compound_Maps_BySint32Entry *entry = (test_compound_Maps_BySint32Entry *)tern_map_insert(&test_compound_Maps_BySint32Entry_type, &msg->by_sint32, &key, arena);
    if (!entry) return TERN_ERR_NOMEM;
    entry->value = value;
    return 0;
}

/* The value of this key, or NULL. */
static inline int32_t *test_compound_Maps_get_by_sint32(const test_compound_Maps *msg, int32_t key) {
    test_compound_Maps_BySint32Entry *entry = (test_compound_Maps_BySint32Entry *)tern_map_find(&test_compound_Maps_BySint32Entry_type, &msg->by_sint32, &key);
    return entry ? &entry->value : NULL;
}

static inline bool test_compound_Maps_remove_by_sint32(test_compound_Maps *msg, int32_t key) {
    return tern_map_remove(&test_compound_Maps_BySint32Entry_type, &msg->by_sint32, &key);
}

/* Sets the value of this key: 0 or TERN_ERR_NOMEM. Key and value are borrowed. */
static inline int test_compound_Maps_put_by_sint64(test_compound_Maps *msg, int64_t key, int64_t value, tern_arena *arena) {
    test_compound_Maps_BySint64Entry *entry = (test_compound_Maps_BySint64Entry *)tern_map_insert(&test_compound_Maps_BySint64Entry_type, &msg->by_sint64, &key, arena);
    if (!entry) return TERN_ERR_NOMEM;
    entry->value = value;
    return 0;
}

/* The value of this key, or NULL. */
static inline int64_t *test_compound_Maps_get_by_sint64(const test_compound_Maps *msg, int64_t key) {
    test_compound_Maps_BySint64Entry *entry = (test_compound_Maps_BySint64Entry *)tern_map_find(&test_compound_Maps_BySint64Entry_type, &msg->by_sint64, &key);
    return entry ? &entry->value : NULL;
}

static inline bool test_compound_Maps_remove_by_sint64(test_compound_Maps *msg, int64_t key) {
    return tern_map_remove(&test_compound_Maps_BySint64Entry_type, &msg->by_sint64, &key);
}

/* Sets the value of this key: 0 or TERN_ERR_NOMEM. Key and value are borrowed. */
static inline int test_compound_Maps_put_by_fixed32(test_compound_Maps *msg, uint32_t key, uint32_t value, tern_arena *arena) {
    test_compound_Maps_ByFixed32Entry *entry = (test_compound_Maps_ByFixed32Entry *)tern_map_insert(&test_compound_Maps_ByFixed32Entry_type, &msg->by_fixed32, &key, arena);
    if (!entry) return TERN_ERR_NOMEM;
    entry->value = value;
    return 0;
}

/* The value of this key, or NULL. */
static inline uint32_t *test_compound_Maps_get_by_fixed32(const test_compound_Maps *msg, uint32_t key) {
    test_compound_Maps_ByFixed32Entry *entry = (test_compound_Maps_ByFixed32Entry *)tern_map_find(&test_compound_Maps_ByFixed32Entry_type, &msg->by_fixed32, &key);
    return entry ? &entry->value : NULL;
}

static inline bool test_compound_Maps_remove_by_fixed32(test_compound_Maps *msg, uint32_t key) {
    return tern_map_remove(&test_compound_Maps_ByFixed32Entry_type, &msg->by_fixed32, &key);
}

/* Sets the value of this key: 0 or TERN_ERR_NOMEM. Key and value are borrowed. */
static inline int test_compound_Maps_put_by_fixed64(test_compound_Maps *msg, uint64_t key, uint64_t value, tern_arena *arena) {
    test_compound_Maps_ByFixed64Entry *entry = (test_compound_Maps_ByFixed64Entry *)tern_map_insert(&test_compound_Maps_ByFixed64Entry_type, &msg->by_fixed64, &key, arena);
    if (!entry) return TERN_ERR_NOMEM;
    entry->value = value;
    return 0;
}

/* The value of this key, or NULL. */
static inline uint64_t *test_compound_Maps_get_by_fixed64(const test_compound_Maps *msg, uint64_t key) {
    test_compound_Maps_ByFixed64Entry *entry = (test_compound_Maps_ByFixed64Entry *)tern_map_find(&test_compound_Maps_ByFixed64Entry_type, &msg->by_fixed64, &key);
    return entry ? &entry->value : NULL;
}

static inline bool test_compound_Maps_remove_by_fixed64(test_compound_Maps *msg, uint64_t key) {
    return tern_map_remove(&test_compound_Maps_ByFixed64Entry_type, &msg->by_fixed64, &key);
}

/* Sets the value of this key: 0 or TERN_ERR_NOMEM. Key and value are borrowed. */
static inline int test_compound_Maps_put_by_sfixed32(test_compound_Maps *msg, int32_t key, int32_t value, tern_arena *arena) {
    test_compound_Maps_BySfixed32Entry *entry = (test_compound_Maps_BySfixed32Entry *)tern_map_insert(&test_compound_Maps_BySfixed32Entry_type, &msg->by_sfixed32, &key, arena);
    if (!entry) return TERN_ERR_NOMEM;
    entry->value = value;
    return 0;
}

/* The value of this key, or NULL. */
static inline int32_t *test_compound_Maps_get_by_sfixed32(const test_compound_Maps *msg, int32_t key) {
    test_compound_Maps_BySfixed32Entry *entry = (test_compound_Maps_BySfixed32Entry *)tern_map_find(&test_compound_Maps_BySfixed32Entry_type, &msg->by_sfixed32, &key);
    return entry ? &entry->value : NULL;
}

static inline bool test_compound_Maps_remove_by_sfixed32(test_compound_Maps *msg, int32_t key) {
    return tern_map_remove(&test_compound_Maps_BySfixed32Entry_type, &msg->by_sfixed32, &key);
}

/* Sets the value of this key: 0 or TERN_ERR_NOMEM. Key and value are borrowed. */
static inline int test_compound_Maps_put_by_sfixed64(test_compound_Maps *msg, int64_t key, int64_t value, tern_arena *arena) {
    test_compound_Maps_BySfixed64Entry *entry = (test_compound_Maps_BySfixed64Entry *)tern_map_insert(&test_compound_Maps_BySfixed64Entry_type, &msg->by_sfixed64, &key, arena);
    if (!entry) return TERN_ERR_NOMEM;
    entry->value = value;
    return 0;
}

/* The value of this key, or NULL. */
static inline int64_t *test_compound_Maps_get_by_sfixed64(const test_compound_Maps *msg, int64_t key) {
    test_compound_Maps_BySfixed64Entry *entry = (test_compound_Maps_BySfixed64Entry *)tern_map_find(&test_compound_Maps_BySfixed64Entry_type, &msg->by_sfixed64, &key);
    return entry ? &entry->value : NULL;
}

static inline bool test_compound_Maps_remove_by_sfixed64(test_compound_Maps *msg, int64_t key) {
    return tern_map_remove(&test_compound_Maps_BySfixed64Entry_type, &msg->by_sfixed64, &key);
}

/* Sets the value of this key: 0 or TERN_ERR_NOMEM. Key and value are borrowed. */
static inline int test_compound_Maps_put_by_bool(test_compound_Maps *msg, bool key, bool value, tern_arena *arena) {
    test_compound_Maps_ByBoolEntry *entry = (test_compound_Maps_ByBoolEntry *)tern_map_insert(&test_compound_Maps_ByBoolEntry_type, &msg->by_bool, &key, arena);
    if (!entry) return TERN_ERR_NOMEM;
    entry->value = value;
    return 0;
}

/* The value of this key, or NULL. */
static inline bool *test_compound_Maps_get_by_bool(const test_compound_Maps *msg, bool key) {
    test_compound_Maps_ByBoolEntry *entry = (test_compound_Maps_ByBoolEntry *)tern_map_find(&test_compound_Maps_ByBoolEntry_type, &msg->by_bool, &key);
    return entry ? &entry->value : NULL;
}

static inline bool test_compound_Maps_remove_by_bool(test_compound_Maps *msg, bool key) {
    return tern_map_remove(&test_compound_Maps_ByBoolEntry_type, &msg->by_bool, &key);
}

/* Sets the value of this key: 0 or TERN_ERR_NOMEM. Key and value are borrowed. */
static inline int test_compound_Maps_put_by_string(test_compound_Maps *msg, tern_str key, tern_str value, tern_arena *arena) {
    test_compound_Maps_ByStringEntry *entry = (test_compound_Maps_ByStringEntry *)tern_map_insert(&test_compound_Maps_ByStringEntry_type, &msg->by_string, &key, arena);
    if (!entry) return TERN_ERR_NOMEM;
    entry->value = value;
    return 0;
}

/* The value of this key, or NULL. */
static inline tern_str *test_compound_Maps_get_by_string(const test_compound_Maps *msg, tern_str key) {
    test_compound_Maps_ByStringEntry *entry = (test_compound_Maps_ByStringEntry *)tern_map_find(&test_compound_Maps_ByStringEntry_type, &msg->by_string, &key);
    return entry ? &entry->value : NULL;
}

static inline bool test_compound_Maps_remove_by_string(test_compound_Maps *msg, tern_str key) {
    return tern_map_remove(&test_compound_Maps_ByStringEntry_type, &msg->by_string, &key);
}

/* Sets the value of this key: 0 or TERN_ERR_NOMEM. Key and value are borrowed. */
static inline int test_compound_Maps_put_to_bytes(test_compound_Maps *msg, tern_str key, tern_bytes value, tern_arena *arena) {
    test_compound_Maps_ToBytesEntry *entry = (test_compound_Maps_ToBytesEntry *)tern_map_insert(&test_compound_Maps_ToBytesEntry_type, &msg->to_bytes, &key, arena);
    if (!entry) return TERN_ERR_NOMEM;
    entry->value = value;
    return 0;
}

/* The value of this key, or NULL. */
static inline tern_bytes *test_compound_Maps_get_to_bytes(const test_compound_Maps *msg, tern_str key) {
    test_compound_Maps_ToBytesEntry *entry = (test_compound_Maps_ToBytesEntry *)tern_map_find(&test_compound_Maps_ToBytesEntry_type, &msg->to_bytes, &key);
    return entry ? &entry->value : NULL;
}

static inline bool test_compound_Maps_remove_to_bytes(test_compound_Maps *msg, tern_str key) {
    return tern_map_remove(&test_compound_Maps_ToBytesEntry_type, &msg->to_bytes, &key);
}

/* Sets the value of this key: 0 or TERN_ERR_NOMEM. Key and value are borrowed. */
static inline int test_compound_Maps_put_to_float(test_compound_Maps *msg, uint32_t key, float value, tern_arena *arena) {
    test_compound_Maps_ToFloatEntry *entry = (test_compound_Maps_ToFloatEntry *)tern_map_insert(&test_compound_Maps_ToFloatEntry_type, &msg->to_float, &key, arena);
    if (!entry) return TERN_ERR_NOMEM;
    entry->value = value;
    return 0;
}

/* The value of this key, or NULL. */
static inline float *test_compound_Maps_get_to_float(const test_compound_Maps *msg, uint32_t key) {
    test_compound_Maps_ToFloatEntry *entry = (test_compound_Maps_ToFloatEntry *)tern_map_find(&test_compound_Maps_ToFloatEntry_type, &msg->to_float, &key);
    return entry ? &entry->value : NULL;
}

static inline bool test_compound_Maps_remove_to_float(test_compound_Maps *msg, uint32_t key) {
    return tern_map_remove(&test_compound_Maps_ToFloatEntry_type, &msg->to_float, &key);
}

/* Sets the value of this key: 0 or TERN_ERR_NOMEM. Key and value are borrowed. */
static inline int test_compound_Maps_put_to_double(test_compound_Maps *msg, uint32_t key, double value, tern_arena *arena) {
    test_compound_Maps_ToDoubleEntry *entry = (test_compound_Maps_ToDoubleEntry *)tern_map_insert(&test_compound_Maps_ToDoubleEntry_type, &msg->to_double, &key, arena);
    if (!entry) return TERN_ERR_NOMEM;
    entry->value = value;
    return 0;
}

/* The value of this key, or NULL. */
static inline double *test_compound_Maps_get_to_double(const test_compound_Maps *msg, uint32_t key) {
    test_compound_Maps_ToDoubleEntry *entry = (test_compound_Maps_ToDoubleEntry *)tern_map_find(&test_compound_Maps_ToDoubleEntry_type, &msg->to_double, &key);
    return entry ? &entry->value : NULL;
}

static inline bool test_compound_Maps_remove_to_double(test_compound_Maps *msg, uint32_t key) {
    return tern_map_remove(&test_compound_Maps_ToDoubleEntry_type, &msg->to_double, &key);
}

/* Sets the value of this key: 0 or TERN_ERR_NOMEM. Key and value are borrowed. */
static inline int test_compound_Maps_put_to_mood(test_compound_Maps *msg, tern_str key, int32_t value, tern_arena *arena) {
    test_compound_Maps_ToMoodEntry *entry = (test_compound_Maps_ToMoodEntry *)tern_map_insert(&test_compound_Maps_ToMoodEntry_type, &msg->to_mood, &key, arena);
    if (!entry) return TERN_ERR_NOMEM;
    entry->value = value;
    return 0;
}

/* The value of this key, or NULL. */
static inline int32_t *test_compound_Maps_get_to_mood(const test_compound_Maps *msg, tern_str key) {
    test_compound_Maps_ToMoodEntry *entry = (test_compound_Maps_ToMoodEntry *)tern_map_find(&test_compound_Maps_ToMoodEntry_type, &msg->to_mood, &key);
    return entry ? &entry->value : NULL;
}

static inline bool test_compound_Maps_remove_to_mood(test_compound_Maps *msg, tern_str key) {
    return tern_map_remove(&test_compound_Maps_ToMoodEntry_type, &msg->to_mood, &key);
}

/* The value of this key, made empty when there is none; NULL when memory is out. The key is borrowed. */
static inline test_compound_Leaf *test_compound_Maps_put_to_leaf(test_compound_Maps *msg, tern_str key, tern_arena *arena) {
    test_compound_Maps_ToLeafEntry *entry = (test_compound_Maps_ToLeafEntry *)tern_map_insert(&test_compound_Maps_ToLeafEntry_type, &msg->to_leaf, &key, arena);
    if (!entry) return NULL;
    if (!entry->value) entry->value = (test_compound_Leaf *)tern_arena_zalloc(arena, sizeof *entry->value);
    return entry->value;
}

/* The value of this key, or NULL. */
static inline test_compound_Leaf *test_compound_Maps_get_to_leaf(const test_compound_Maps *msg, tern_str key) {
    test_compound_Maps_ToLeafEntry *entry = (test_compound_Maps_ToLeafEntry *)tern_map_find(&test_compound_Maps_ToLeafEntry_type, &msg->to_leaf, &key);
    return entry ? entry->value : NULL;
}

static inline bool test_compound_Maps_remove_to_leaf(test_compound_Maps *msg, tern_str key) {
    return tern_map_remove(&test_compound_Maps_ToLeafEntry_type, &msg->to_leaf, &key);
}

/* The value of this key, made empty when there is none; NULL when memory is out. The key is borrowed. */
static inline test_compound_Maps *test_compound_Maps_put_to_maps(test_compound_Maps *msg, int32_t key, tern_arena *arena) {
    test_compound_Maps_ToMapsEntry *entry = (test_compound_Maps_ToMapsEntry *)tern_map_insert(&test_compound_Maps_ToMapsEntry_type, &msg->to_maps, &key, arena);
    if (!entry) return NULL;
    if (!entry->value) entry->value = (test_compound_Maps *)tern_arena_zalloc(arena, sizeof *entry->value);
    return entry->value;
}

/* The value of this key, or NULL. */
static inline test_compound_Maps *test_compound_Maps_get_to_maps(const test_compound_Maps *msg, int32_t key) {
    test_compound_Maps_ToMapsEntry *entry = (test_compound_Maps_ToMapsEntry *)tern_map_find(&test_compound_Maps_ToMapsEntry_type, &msg->to_maps, &key);
    return entry ? entry->value : NULL;
}

static inline bool test_compound_Maps_remove_to_maps(test_compound_Maps *msg, int32_t key) {
    return tern_map_remove(&test_compound_Maps_ToMapsEntry_type, &msg->to_maps, &key);
}

/* The value of this key, made empty when there is none; NULL when memory is out. The key is borrowed. */
static inline test_other_Imported *test_compound_Maps_put_to_imported(test_compound_Maps *msg, int32_t key, tern_arena *arena) {
    test_compound_Maps_ToImportedEntry *entry = (test_compound_Maps_ToImportedEntry *)tern_map_insert(&test_compound_Maps_ToImportedEntry_type, &msg->to_imported, &key, arena);
    if (!entry) return NULL;
    if (!entry->value) entry->value = (test_other_Imported *)tern_arena_zalloc(arena, sizeof *entry->value);
    return entry->value;
}

/* The value of this key, or NULL. */
static inline test_other_Imported *test_compound_Maps_get_to_imported(const test_compound_Maps *msg, int32_t key) {
    test_compound_Maps_ToImportedEntry *entry = (test_compound_Maps_ToImportedEntry *)tern_map_find(&test_compound_Maps_ToImportedEntry_type, &msg->to_imported, &key);
    return entry ? entry->value : NULL;
}

static inline bool test_compound_Maps_remove_to_imported(test_compound_Maps *msg, int32_t key) {
    return tern_map_remove(&test_compound_Maps_ToImportedEntry_type, &msg->to_imported, &key);
}

/* Sets the value of this key: 0 or TERN_ERR_NOMEM. Key and value are borrowed. */
static inline int test_compound_Maps_put_to_kind(test_compound_Maps *msg, int32_t key, int32_t value, tern_arena *arena) {
    test_compound_Maps_ToKindEntry *entry = (test_compound_Maps_ToKindEntry *)tern_map_insert(&test_compound_Maps_ToKindEntry_type, &msg->to_kind, &key, arena);
    if (!entry) return TERN_ERR_NOMEM;
    entry->value = value;
    return 0;
}

/* The value of this key, or NULL. */
static inline int32_t *test_compound_Maps_get_to_kind(const test_compound_Maps *msg, int32_t key) {
    test_compound_Maps_ToKindEntry *entry = (test_compound_Maps_ToKindEntry *)tern_map_find(&test_compound_Maps_ToKindEntry_type, &msg->to_kind, &key);
    return entry ? &entry->value : NULL;
}

static inline bool test_compound_Maps_remove_to_kind(test_compound_Maps *msg, int32_t key) {
    return tern_map_remove(&test_compound_Maps_ToKindEntry_type, &msg->to_kind, &key);
}

/* ---- test.compound.JsonNames */

static inline int64_t test_compound_JsonNames_size(const test_compound_JsonNames *msg) { return tern_protobuf_size(&test_compound_JsonNames_type, msg); }

static inline int64_t test_compound_JsonNames_encode(const test_compound_JsonNames *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_compound_JsonNames_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_compound_JsonNames_decode(const void *data, size_t len, tern_arena *arena, int mode, test_compound_JsonNames *msg) {
    return tern_protobuf_decode(&test_compound_JsonNames_type, data, len, arena, mode, NULL, msg);
}

static inline int test_compound_JsonNames_copy(const test_compound_JsonNames *src, tern_arena *arena, test_compound_JsonNames *dst) {
    return tern_message_copy(&test_compound_JsonNames_type, src, arena, dst);
}

static inline bool test_compound_JsonNames_equal(const test_compound_JsonNames *a, const test_compound_JsonNames *b) { return tern_message_equal(&test_compound_JsonNames_type, a, b); }

/* ---- test.compound.Holder */

static inline int64_t test_compound_Holder_size(const test_compound_Holder *msg) { return tern_protobuf_size(&test_compound_Holder_type, msg); }

static inline int64_t test_compound_Holder_encode(const test_compound_Holder *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_compound_Holder_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_compound_Holder_decode(const void *data, size_t len, tern_arena *arena, int mode, test_compound_Holder *msg) {
    return tern_protobuf_decode(&test_compound_Holder_type, data, len, arena, mode, NULL, msg);
}

static inline int test_compound_Holder_copy(const test_compound_Holder *src, tern_arena *arena, test_compound_Holder *dst) {
    return tern_message_copy(&test_compound_Holder_type, src, arena, dst);
}

static inline bool test_compound_Holder_equal(const test_compound_Holder *a, const test_compound_Holder *b) { return tern_message_equal(&test_compound_Holder_type, a, b); }

static inline test_compound_Choice *test_compound_Holder_make_choice(test_compound_Holder *msg, tern_arena *arena) {
    return msg->choice = (test_compound_Choice *)tern_arena_zalloc(arena, sizeof *msg->choice);
}

static inline bool test_compound_Holder_has_choice(const test_compound_Holder *msg) { return msg->choice != NULL; }

static inline void test_compound_Holder_clear_choice(test_compound_Holder *msg) { msg->choice = NULL; }

static inline int test_compound_Holder_reserve_choices(test_compound_Holder *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->choices, n, sizeof *msg->choices.data, arena);
}

static inline test_compound_Choice *test_compound_Holder_add_choices(test_compound_Holder *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->choices, msg->choices.len + 1, sizeof *msg->choices.data, arena)) return NULL;
    return &msg->choices.data[msg->choices.len++];
}

static inline test_compound_Maps *test_compound_Holder_make_maps(test_compound_Holder *msg, tern_arena *arena) {
    return msg->maps = (test_compound_Maps *)tern_arena_zalloc(arena, sizeof *msg->maps);
}

static inline bool test_compound_Holder_has_maps(const test_compound_Holder *msg) { return msg->maps != NULL; }

static inline void test_compound_Holder_clear_maps(test_compound_Holder *msg) { msg->maps = NULL; }

static inline int test_compound_Holder_reserve_moods(test_compound_Holder *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->moods, n, sizeof *msg->moods.data, arena);
}

static inline int32_t *test_compound_Holder_add_moods(test_compound_Holder *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->moods, msg->moods.len + 1, sizeof *msg->moods.data, arena)) return NULL;
    return &msg->moods.data[msg->moods.len++];
}

#ifdef __cplusplus
}
#endif
#endif
