/* Made by protoc-gen-tern from odd.proto; changes here are lost. */
#ifndef ODD_TERN_H
#define ODD_TERN_H

#include "tern/codec.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum test_odd_Values {
    test_odd_Values_enum_ = 0,
    test_odd_Values_enum__ = 0,
    test_odd_Values__values_ = 2,
    test_odd_Values_values = 2,
    test_odd_Values_int = 4,
} test_odd_Values;
extern const tern_enum test_odd_Values_enum;

typedef struct test_odd_Cases test_odd_Cases;
TERN__LIST(test_odd_Cases_list, test_odd_Cases);
extern const tern_type test_odd_Cases_type;
typedef struct test_odd_Cases_set_case_ test_odd_Cases_set_case_;
TERN__LIST(test_odd_Cases_set_case__list, test_odd_Cases_set_case_);
extern const tern_type test_odd_Cases_set_case__type;
typedef struct test_odd_Cases_which_set_ test_odd_Cases_which_set_;
TERN__LIST(test_odd_Cases_which_set__list, test_odd_Cases_which_set_);
extern const tern_type test_odd_Cases_which_set__type;
typedef struct test_odd_Entries test_odd_Entries;
TERN__LIST(test_odd_Entries_list, test_odd_Entries);
extern const tern_type test_odd_Entries_type;
typedef struct test_odd_Entries_ClassEntry test_odd_Entries_ClassEntry;
TERN__MAP(test_odd_Entries_ClassEntry_map, test_odd_Entries_ClassEntry);
extern const tern_type test_odd_Entries_ClassEntry_type;
typedef struct test_odd_Entries_EntryEntry test_odd_Entries_EntryEntry;
TERN__MAP(test_odd_Entries_EntryEntry_map, test_odd_Entries_EntryEntry);
extern const tern_type test_odd_Entries_EntryEntry_type;
typedef struct test_odd_Entries_ValuesEntry test_odd_Entries_ValuesEntry;
TERN__MAP(test_odd_Entries_ValuesEntry_map, test_odd_Entries_ValuesEntry);
extern const tern_type test_odd_Entries_ValuesEntry_type;
typedef struct test_odd_Entries_DataEntry test_odd_Entries_DataEntry;
TERN__MAP(test_odd_Entries_DataEntry_map, test_odd_Entries_DataEntry);
extern const tern_type test_odd_Entries_DataEntry_type;
typedef struct test_odd_Entries_datum test_odd_Entries_datum;
TERN__LIST(test_odd_Entries_datum_list, test_odd_Entries_datum);
extern const tern_type test_odd_Entries_datum_type;
typedef struct test_odd_Entries_EntryEntry_map_ test_odd_Entries_EntryEntry_map_;
TERN__LIST(test_odd_Entries_EntryEntry_map__list, test_odd_Entries_EntryEntry_map_);
extern const tern_type test_odd_Entries_EntryEntry_map__type;
typedef struct test_odd_Entries_put_class_ test_odd_Entries_put_class_;
TERN__LIST(test_odd_Entries_put_class__list, test_odd_Entries_put_class_);
extern const tern_type test_odd_Entries_put_class__type;
typedef struct test_odd_test_odd_Cases_set_case test_odd_test_odd_Cases_set_case;
TERN__LIST(test_odd_test_odd_Cases_set_case_list, test_odd_test_odd_Cases_set_case);
extern const tern_type test_odd_test_odd_Cases_set_case_type;
typedef struct test_odd_Values_enum___ test_odd_Values_enum___;
TERN__LIST(test_odd_Values_enum____list, test_odd_Values_enum___);
extern const tern_type test_odd_Values_enum____type;
typedef struct test_odd_copy test_odd_copy;
TERN__LIST(test_odd_copy_list, test_odd_copy);
extern const tern_type test_odd_copy_type;
typedef struct test_odd_copy_copy_ test_odd_copy_copy_;
TERN__LIST(test_odd_copy_copy__list, test_odd_copy_copy_);
extern const tern_type test_odd_copy_copy__type;
typedef struct test_odd_copy_equal_ test_odd_copy_equal_;
TERN__LIST(test_odd_copy_equal__list, test_odd_copy_equal_);
extern const tern_type test_odd_copy_equal__type;

typedef enum test_odd_Cases_set__case {
    test_odd_Cases_set__NOT_SET = 0,
    test_odd_Cases_set__x = 1,
    test_odd_Cases_set__case_ = 2,
    test_odd_Cases_set__NOT_SET_ = 4,
} test_odd_Cases_set__case;

typedef enum test_odd_Cases_a_case {
    test_odd_Cases_a_NOT_SET = 0,
    test_odd_Cases_a_b_c = 5,
} test_odd_Cases_a_case;

typedef enum test_odd_Cases_a_b__case {
    test_odd_Cases_a_b__NOT_SET = 0,
    test_odd_Cases_a_b__c = 6,
} test_odd_Cases_a_b__case;

typedef enum test_odd_Cases_class_case {
    test_odd_Cases_class_NOT_SET = 0,
    test_odd_Cases_class_for = 8,
    test_odd_Cases_class_int = 9,
} test_odd_Cases_class_case;

typedef enum test_odd_Cases_get__case {
    test_odd_Cases_get__NOT_SET = 0,
    test_odd_Cases_get__value = 10,
} test_odd_Cases_get__case;

typedef enum test_odd_Cases_unknown_case {
    test_odd_Cases_unknown_NOT_SET = 0,
    test_odd_Cases_unknown_has = 11,
    test_odd_Cases_unknown_unknown_ = 12,
} test_odd_Cases_unknown_case;

typedef enum test_odd_Cases_a__case {
    test_odd_Cases_a__NOT_SET = 0,
    test_odd_Cases_a__d = 13,
} test_odd_Cases_a__case;

typedef enum test_odd_Cases_which_case {
    test_odd_Cases_which_NOT_SET = 0,
    test_odd_Cases_which_which_ = 14,
} test_odd_Cases_which_case;

struct test_odd_Cases {
    test_odd_Cases_set__case set_case_;
    test_odd_Cases_a_case a_case;
    test_odd_Cases_a_b__case a_b_case;
    test_odd_Cases_class_case class_case;
    test_odd_Cases_get__case get_case;
    test_odd_Cases_unknown_case unknown_case;
    test_odd_Cases_a__case a__case;
    test_odd_Cases_which_case which_case;
    struct {
        uint32_t set_case : 1;
    } has;
    union {
        uint32_t x;
        uint32_t case_;
        uint32_t NOT_SET;
    }; /* set_case_ */
    union {
        uint32_t b_c;
    }; /* a_case */
    union {
        uint32_t c;
    }; /* a_b_case */
    uint32_t set_case;
    union {
        uint32_t for_;
        tern_str int_;
    }; /* class_case */
    union {
        tern_str value;
    }; /* get_case */
    union {
        bool has_;
        bool unknown_;
    }; /* unknown_case */
    union {
        uint32_t d;
    }; /* a__case */
    union {
        uint32_t which_;
    }; /* which_case */
    tern_unknown unknown;
};

struct test_odd_Cases_set_case_ {
    uint32_t n;
    tern_unknown unknown;
};

struct test_odd_Cases_which_set_ {
    uint32_t n;
    tern_unknown unknown;
};

struct test_odd_Entries {
    test_odd_Entries_ClassEntry_map class_;
    test_odd_Entries_EntryEntry_map entry;
    test_odd_Entries_ValuesEntry_map values;
    test_odd_Entries_DataEntry_map data;
    tern_unknown unknown;
};

struct test_odd_Entries_ClassEntry {
    tern_str key;
    uint32_t value;
};

struct test_odd_Entries_EntryEntry {
    uint32_t key;
    test_odd_Entries *value;
};

struct test_odd_Entries_ValuesEntry {
    uint32_t key;
    int32_t value; /* test_odd_Values */
};

struct test_odd_Entries_DataEntry {
    bool key;
    test_odd_Entries_datum *value;
};

struct test_odd_Entries_datum {
    uint32_t key;
    uint32_t value;
    tern_unknown unknown;
};

struct test_odd_Entries_EntryEntry_map_ {
    uint32_t n;
    tern_unknown unknown;
};

struct test_odd_Entries_put_class_ {
    uint32_t n;
    tern_unknown unknown;
};

typedef enum test_odd_test_odd_Cases_set_case_x_case {
    test_odd_test_odd_Cases_set_case_x_NOT_SET = 0,
    test_odd_test_odd_Cases_set_case_x_y = 2,
} test_odd_test_odd_Cases_set_case_x_case;

struct test_odd_test_odd_Cases_set_case {
    test_odd_test_odd_Cases_set_case_x_case x_case;
    test_odd_test_odd_Cases_set_case *test_odd_Cases_set_case;
    union {
        uint32_t y;
    }; /* x_case */
    tern_unknown unknown;
};

struct test_odd_Values_enum___ {
    tern_unknown unknown;
};

struct test_odd_copy {
    tern_unknown unknown;
};

struct test_odd_copy_copy_ {
    tern_unknown unknown;
};

struct test_odd_copy_equal_ {
    tern_unknown unknown;
};

/* ---- test.odd.Cases */

static inline int64_t test_odd_Cases_size(const test_odd_Cases *msg) { return tern_protobuf_size(&test_odd_Cases_type, msg); }

static inline int64_t test_odd_Cases_encode(const test_odd_Cases *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_odd_Cases_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_odd_Cases_decode(const void *data, size_t len, tern_arena *arena, int mode, test_odd_Cases *msg) {
    return tern_protobuf_decode(&test_odd_Cases_type, data, len, arena, mode, NULL, msg);
}

static inline int test_odd_Cases_copy(const test_odd_Cases *src, tern_arena *arena, test_odd_Cases *dst) {
    return tern_message_copy(&test_odd_Cases_type, src, arena, dst);
}

static inline bool test_odd_Cases_equal(const test_odd_Cases *a, const test_odd_Cases *b) { return tern_message_equal(&test_odd_Cases_type, a, b); }

static inline test_odd_Cases_set__case test_odd_Cases_which_set(const test_odd_Cases *msg) { return msg->set_case_; }

static inline void test_odd_Cases_clear_set(test_odd_Cases *msg) { msg->set_case_ = test_odd_Cases_set__NOT_SET; }

static inline test_odd_Cases_a_case test_odd_Cases_which_a(const test_odd_Cases *msg) { return msg->a_case; }

static inline void test_odd_Cases_clear_a(test_odd_Cases *msg) { msg->a_case = test_odd_Cases_a_NOT_SET; }

static inline test_odd_Cases_a_b__case test_odd_Cases_which_a_b(const test_odd_Cases *msg) { return msg->a_b_case; }

static inline void test_odd_Cases_clear_a_b(test_odd_Cases *msg) { msg->a_b_case = test_odd_Cases_a_b__NOT_SET; }

static inline test_odd_Cases_class_case test_odd_Cases_which_class(const test_odd_Cases *msg) { return msg->class_case; }

static inline void test_odd_Cases_clear_class(test_odd_Cases *msg) { msg->class_case = test_odd_Cases_class_NOT_SET; }

static inline test_odd_Cases_get__case test_odd_Cases_which_get(const test_odd_Cases *msg) { return msg->get_case; }

static inline void test_odd_Cases_clear_get(test_odd_Cases *msg) { msg->get_case = test_odd_Cases_get__NOT_SET; }

static inline test_odd_Cases_unknown_case test_odd_Cases_which_unknown(const test_odd_Cases *msg) { return msg->unknown_case; }

static inline void test_odd_Cases_clear_unknown(test_odd_Cases *msg) { msg->unknown_case = test_odd_Cases_unknown_NOT_SET; }

static inline test_odd_Cases_a__case test_odd_Cases_which_a_(const test_odd_Cases *msg) { return msg->a__case; }

static inline void test_odd_Cases_clear_a_(test_odd_Cases *msg) { msg->a__case = test_odd_Cases_a__NOT_SET; }

static inline test_odd_Cases_which_case test_odd_Cases_which_which(const test_odd_Cases *msg) { return msg->which_case; }

static inline void test_odd_Cases_clear_which(test_odd_Cases *msg) { msg->which_case = test_odd_Cases_which_NOT_SET; }

static inline bool test_odd_Cases_has_x(const test_odd_Cases *msg) { return msg->set_case_ == test_odd_Cases_set__x; }

static inline void test_odd_Cases_set_x(test_odd_Cases *msg, uint32_t value) {
    msg->x = value;
    msg->set_case_ = test_odd_Cases_set__x;
}

static inline void test_odd_Cases_clear_x(test_odd_Cases *msg) {
    if (msg->set_case_ == test_odd_Cases_set__x) msg->set_case_ = test_odd_Cases_set__NOT_SET;
}

static inline bool test_odd_Cases_has_case(const test_odd_Cases *msg) { return msg->set_case_ == test_odd_Cases_set__case_; }

static inline void test_odd_Cases_set_case(test_odd_Cases *msg, uint32_t value) {
    msg->case_ = value;
    msg->set_case_ = test_odd_Cases_set__case_;
}

static inline void test_odd_Cases_clear_case(test_odd_Cases *msg) {
    if (msg->set_case_ == test_odd_Cases_set__case_) msg->set_case_ = test_odd_Cases_set__NOT_SET;
}

static inline bool test_odd_Cases_has_NOT_SET(const test_odd_Cases *msg) { return msg->set_case_ == test_odd_Cases_set__NOT_SET_; }

static inline void test_odd_Cases_set_NOT_SET(test_odd_Cases *msg, uint32_t value) {
    msg->NOT_SET = value;
    msg->set_case_ = test_odd_Cases_set__NOT_SET_;
}

static inline void test_odd_Cases_clear_NOT_SET(test_odd_Cases *msg) {
    if (msg->set_case_ == test_odd_Cases_set__NOT_SET_) msg->set_case_ = test_odd_Cases_set__NOT_SET;
}

static inline bool test_odd_Cases_has_b_c(const test_odd_Cases *msg) { return msg->a_case == test_odd_Cases_a_b_c; }

static inline void test_odd_Cases_set_b_c(test_odd_Cases *msg, uint32_t value) {
    msg->b_c = value;
    msg->a_case = test_odd_Cases_a_b_c;
}

static inline void test_odd_Cases_clear_b_c(test_odd_Cases *msg) {
    if (msg->a_case == test_odd_Cases_a_b_c) msg->a_case = test_odd_Cases_a_NOT_SET;
}

static inline bool test_odd_Cases_has_c(const test_odd_Cases *msg) { return msg->a_b_case == test_odd_Cases_a_b__c; }

static inline void test_odd_Cases_set_c(test_odd_Cases *msg, uint32_t value) {
    msg->c = value;
    msg->a_b_case = test_odd_Cases_a_b__c;
}

static inline void test_odd_Cases_clear_c(test_odd_Cases *msg) {
    if (msg->a_b_case == test_odd_Cases_a_b__c) msg->a_b_case = test_odd_Cases_a_b__NOT_SET;
}

static inline bool test_odd_Cases_has_set_case(const test_odd_Cases *msg) { return msg->has.set_case; }

static inline void test_odd_Cases_set_set_case(test_odd_Cases *msg, uint32_t value) {
    msg->set_case = value;
    msg->has.set_case = 1;
}

static inline void test_odd_Cases_clear_set_case(test_odd_Cases *msg) {
    msg->set_case = 0;
    msg->has.set_case = 0;
}

static inline bool test_odd_Cases_has_for(const test_odd_Cases *msg) { return msg->class_case == test_odd_Cases_class_for; }

static inline void test_odd_Cases_set_for(test_odd_Cases *msg, uint32_t value) {
    msg->for_ = value;
    msg->class_case = test_odd_Cases_class_for;
}

static inline void test_odd_Cases_clear_for(test_odd_Cases *msg) {
    if (msg->class_case == test_odd_Cases_class_for) msg->class_case = test_odd_Cases_class_NOT_SET;
}

static inline bool test_odd_Cases_has_int(const test_odd_Cases *msg) { return msg->class_case == test_odd_Cases_class_int; }

static inline void test_odd_Cases_set_int(test_odd_Cases *msg, tern_str value) {
    msg->int_ = value;
    msg->class_case = test_odd_Cases_class_int;
}

static inline void test_odd_Cases_clear_int(test_odd_Cases *msg) {
    if (msg->class_case == test_odd_Cases_class_int) msg->class_case = test_odd_Cases_class_NOT_SET;
}

static inline bool test_odd_Cases_has_value(const test_odd_Cases *msg) { return msg->get_case == test_odd_Cases_get__value; }

static inline void test_odd_Cases_set_value(test_odd_Cases *msg, tern_str value) {
    msg->value = value;
    msg->get_case = test_odd_Cases_get__value;
}

static inline void test_odd_Cases_clear_value(test_odd_Cases *msg) {
    if (msg->get_case == test_odd_Cases_get__value) msg->get_case = test_odd_Cases_get__NOT_SET;
}

static inline bool test_odd_Cases_has_has(const test_odd_Cases *msg) { return msg->unknown_case == test_odd_Cases_unknown_has; }

static inline void test_odd_Cases_set_has(test_odd_Cases *msg, bool value) {
    msg->has_ = value;
    msg->unknown_case = test_odd_Cases_unknown_has;
}

static inline void test_odd_Cases_clear_has(test_odd_Cases *msg) {
    if (msg->unknown_case == test_odd_Cases_unknown_has) msg->unknown_case = test_odd_Cases_unknown_NOT_SET;
}

static inline bool test_odd_Cases_has_unknown_(const test_odd_Cases *msg) { return msg->unknown_case == test_odd_Cases_unknown_unknown_; }

static inline void test_odd_Cases_set_unknown_(test_odd_Cases *msg, bool value) {
    msg->unknown_ = value;
    msg->unknown_case = test_odd_Cases_unknown_unknown_;
}

static inline void test_odd_Cases_clear_unknown_(test_odd_Cases *msg) {
    if (msg->unknown_case == test_odd_Cases_unknown_unknown_) msg->unknown_case = test_odd_Cases_unknown_NOT_SET;
}

static inline bool test_odd_Cases_has_d(const test_odd_Cases *msg) { return msg->a__case == test_odd_Cases_a__d; }

static inline void test_odd_Cases_set_d(test_odd_Cases *msg, uint32_t value) {
    msg->d = value;
    msg->a__case = test_odd_Cases_a__d;
}

static inline void test_odd_Cases_clear_d(test_odd_Cases *msg) {
    if (msg->a__case == test_odd_Cases_a__d) msg->a__case = test_odd_Cases_a__NOT_SET;
}

static inline bool test_odd_Cases_has_which_(const test_odd_Cases *msg) { return msg->which_case == test_odd_Cases_which_which_; }

static inline void test_odd_Cases_set_which_(test_odd_Cases *msg, uint32_t value) {
    msg->which_ = value;
    msg->which_case = test_odd_Cases_which_which_;
}

static inline void test_odd_Cases_clear_which_(test_odd_Cases *msg) {
    if (msg->which_case == test_odd_Cases_which_which_) msg->which_case = test_odd_Cases_which_NOT_SET;
}

/* ---- test.odd.Cases.set_case_ */

static inline int64_t test_odd_Cases_set_case__size(const test_odd_Cases_set_case_ *msg) { return tern_protobuf_size(&test_odd_Cases_set_case__type, msg); }

static inline int64_t test_odd_Cases_set_case__encode(const test_odd_Cases_set_case_ *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_odd_Cases_set_case__type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_odd_Cases_set_case__decode(const void *data, size_t len, tern_arena *arena, int mode, test_odd_Cases_set_case_ *msg) {
    return tern_protobuf_decode(&test_odd_Cases_set_case__type, data, len, arena, mode, NULL, msg);
}

static inline int test_odd_Cases_set_case__copy(const test_odd_Cases_set_case_ *src, tern_arena *arena, test_odd_Cases_set_case_ *dst) {
    return tern_message_copy(&test_odd_Cases_set_case__type, src, arena, dst);
}

static inline bool test_odd_Cases_set_case__equal(const test_odd_Cases_set_case_ *a, const test_odd_Cases_set_case_ *b) { return tern_message_equal(&test_odd_Cases_set_case__type, a, b); }

/* ---- test.odd.Cases.which_set */

static inline int64_t test_odd_Cases_which_set__size(const test_odd_Cases_which_set_ *msg) { return tern_protobuf_size(&test_odd_Cases_which_set__type, msg); }

static inline int64_t test_odd_Cases_which_set__encode(const test_odd_Cases_which_set_ *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_odd_Cases_which_set__type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_odd_Cases_which_set__decode(const void *data, size_t len, tern_arena *arena, int mode, test_odd_Cases_which_set_ *msg) {
    return tern_protobuf_decode(&test_odd_Cases_which_set__type, data, len, arena, mode, NULL, msg);
}

static inline int test_odd_Cases_which_set__copy(const test_odd_Cases_which_set_ *src, tern_arena *arena, test_odd_Cases_which_set_ *dst) {
    return tern_message_copy(&test_odd_Cases_which_set__type, src, arena, dst);
}

static inline bool test_odd_Cases_which_set__equal(const test_odd_Cases_which_set_ *a, const test_odd_Cases_which_set_ *b) { return tern_message_equal(&test_odd_Cases_which_set__type, a, b); }

/* ---- test.odd.Entries */

static inline int64_t test_odd_Entries_size(const test_odd_Entries *msg) { return tern_protobuf_size(&test_odd_Entries_type, msg); }

static inline int64_t test_odd_Entries_encode(const test_odd_Entries *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_odd_Entries_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_odd_Entries_decode(const void *data, size_t len, tern_arena *arena, int mode, test_odd_Entries *msg) {
    return tern_protobuf_decode(&test_odd_Entries_type, data, len, arena, mode, NULL, msg);
}

static inline int test_odd_Entries_copy(const test_odd_Entries *src, tern_arena *arena, test_odd_Entries *dst) {
    return tern_message_copy(&test_odd_Entries_type, src, arena, dst);
}

static inline bool test_odd_Entries_equal(const test_odd_Entries *a, const test_odd_Entries *b) { return tern_message_equal(&test_odd_Entries_type, a, b); }

/* Sets the value of this key: 0 or TERN_ERR_NOMEM. Key and value are borrowed. */
static inline int test_odd_Entries_put_class(test_odd_Entries *msg, tern_str key, uint32_t value, tern_arena *arena) {
    test_odd_Entries_ClassEntry *entry = (test_odd_Entries_ClassEntry *)tern_map_insert(&test_odd_Entries_ClassEntry_type, &msg->class_, &key, arena);
    if (!entry) return TERN_ERR_NOMEM;
    entry->value = value;
    return 0;
}

/* The value of this key, or NULL. */
static inline uint32_t *test_odd_Entries_get_class(const test_odd_Entries *msg, tern_str key) {
    test_odd_Entries_ClassEntry *entry = (test_odd_Entries_ClassEntry *)tern_map_find(&test_odd_Entries_ClassEntry_type, &msg->class_, &key);
    return entry ? &entry->value : NULL;
}

static inline bool test_odd_Entries_remove_class(test_odd_Entries *msg, tern_str key) {
    return tern_map_remove(&test_odd_Entries_ClassEntry_type, &msg->class_, &key);
}

/* The value of this key, made empty when there is none; NULL when memory is out. The key is borrowed. */
static inline test_odd_Entries *test_odd_Entries_put_entry(test_odd_Entries *msg, uint32_t key, tern_arena *arena) {
    test_odd_Entries_EntryEntry *entry = (test_odd_Entries_EntryEntry *)tern_map_insert(&test_odd_Entries_EntryEntry_type, &msg->entry, &key, arena);
    if (!entry) return NULL;
    if (!entry->value) entry->value = (test_odd_Entries *)tern_arena_zalloc(arena, sizeof *entry->value);
    return entry->value;
}

/* The value of this key, or NULL. */
static inline test_odd_Entries *test_odd_Entries_get_entry(const test_odd_Entries *msg, uint32_t key) {
    test_odd_Entries_EntryEntry *entry = (test_odd_Entries_EntryEntry *)tern_map_find(&test_odd_Entries_EntryEntry_type, &msg->entry, &key);
    return entry ? entry->value : NULL;
}

static inline bool test_odd_Entries_remove_entry(test_odd_Entries *msg, uint32_t key) {
    return tern_map_remove(&test_odd_Entries_EntryEntry_type, &msg->entry, &key);
}

/* Sets the value of this key: 0 or TERN_ERR_NOMEM. Key and value are borrowed. */
static inline int test_odd_Entries_put_values(test_odd_Entries *msg, uint32_t key, int32_t value, tern_arena *arena) {
    test_odd_Entries_ValuesEntry *entry = (test_odd_Entries_ValuesEntry *)tern_map_insert(&test_odd_Entries_ValuesEntry_type, &msg->values, &key, arena);
    if (!entry) return TERN_ERR_NOMEM;
    entry->value = value;
    return 0;
}

/* The value of this key, or NULL. */
static inline int32_t *test_odd_Entries_get_values(const test_odd_Entries *msg, uint32_t key) {
    test_odd_Entries_ValuesEntry *entry = (test_odd_Entries_ValuesEntry *)tern_map_find(&test_odd_Entries_ValuesEntry_type, &msg->values, &key);
    return entry ? &entry->value : NULL;
}

static inline bool test_odd_Entries_remove_values(test_odd_Entries *msg, uint32_t key) {
    return tern_map_remove(&test_odd_Entries_ValuesEntry_type, &msg->values, &key);
}

/* The value of this key, made empty when there is none; NULL when memory is out. The key is borrowed. */
static inline test_odd_Entries_datum *test_odd_Entries_put_data(test_odd_Entries *msg, bool key, tern_arena *arena) {
    test_odd_Entries_DataEntry *entry = (test_odd_Entries_DataEntry *)tern_map_insert(&test_odd_Entries_DataEntry_type, &msg->data, &key, arena);
    if (!entry) return NULL;
    if (!entry->value) entry->value = (test_odd_Entries_datum *)tern_arena_zalloc(arena, sizeof *entry->value);
    return entry->value;
}

/* The value of this key, or NULL. */
static inline test_odd_Entries_datum *test_odd_Entries_get_data(const test_odd_Entries *msg, bool key) {
    test_odd_Entries_DataEntry *entry = (test_odd_Entries_DataEntry *)tern_map_find(&test_odd_Entries_DataEntry_type, &msg->data, &key);
    return entry ? entry->value : NULL;
}

static inline bool test_odd_Entries_remove_data(test_odd_Entries *msg, bool key) {
    return tern_map_remove(&test_odd_Entries_DataEntry_type, &msg->data, &key);
}

/* ---- test.odd.Entries.datum */

static inline int64_t test_odd_Entries_datum_size(const test_odd_Entries_datum *msg) { return tern_protobuf_size(&test_odd_Entries_datum_type, msg); }

static inline int64_t test_odd_Entries_datum_encode(const test_odd_Entries_datum *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_odd_Entries_datum_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_odd_Entries_datum_decode(const void *data, size_t len, tern_arena *arena, int mode, test_odd_Entries_datum *msg) {
    return tern_protobuf_decode(&test_odd_Entries_datum_type, data, len, arena, mode, NULL, msg);
}

static inline int test_odd_Entries_datum_copy(const test_odd_Entries_datum *src, tern_arena *arena, test_odd_Entries_datum *dst) {
    return tern_message_copy(&test_odd_Entries_datum_type, src, arena, dst);
}

static inline bool test_odd_Entries_datum_equal(const test_odd_Entries_datum *a, const test_odd_Entries_datum *b) { return tern_message_equal(&test_odd_Entries_datum_type, a, b); }

/* ---- test.odd.Entries.EntryEntry_map */

static inline int64_t test_odd_Entries_EntryEntry_map__size(const test_odd_Entries_EntryEntry_map_ *msg) { return tern_protobuf_size(&test_odd_Entries_EntryEntry_map__type, msg); }

static inline int64_t test_odd_Entries_EntryEntry_map__encode(const test_odd_Entries_EntryEntry_map_ *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_odd_Entries_EntryEntry_map__type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_odd_Entries_EntryEntry_map__decode(const void *data, size_t len, tern_arena *arena, int mode, test_odd_Entries_EntryEntry_map_ *msg) {
    return tern_protobuf_decode(&test_odd_Entries_EntryEntry_map__type, data, len, arena, mode, NULL, msg);
}

static inline int test_odd_Entries_EntryEntry_map__copy(const test_odd_Entries_EntryEntry_map_ *src, tern_arena *arena, test_odd_Entries_EntryEntry_map_ *dst) {
    return tern_message_copy(&test_odd_Entries_EntryEntry_map__type, src, arena, dst);
}

static inline bool test_odd_Entries_EntryEntry_map__equal(const test_odd_Entries_EntryEntry_map_ *a, const test_odd_Entries_EntryEntry_map_ *b) { return tern_message_equal(&test_odd_Entries_EntryEntry_map__type, a, b); }

/* ---- test.odd.Entries.put_class */

static inline int64_t test_odd_Entries_put_class__size(const test_odd_Entries_put_class_ *msg) { return tern_protobuf_size(&test_odd_Entries_put_class__type, msg); }

static inline int64_t test_odd_Entries_put_class__encode(const test_odd_Entries_put_class_ *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_odd_Entries_put_class__type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_odd_Entries_put_class__decode(const void *data, size_t len, tern_arena *arena, int mode, test_odd_Entries_put_class_ *msg) {
    return tern_protobuf_decode(&test_odd_Entries_put_class__type, data, len, arena, mode, NULL, msg);
}

static inline int test_odd_Entries_put_class__copy(const test_odd_Entries_put_class_ *src, tern_arena *arena, test_odd_Entries_put_class_ *dst) {
    return tern_message_copy(&test_odd_Entries_put_class__type, src, arena, dst);
}

static inline bool test_odd_Entries_put_class__equal(const test_odd_Entries_put_class_ *a, const test_odd_Entries_put_class_ *b) { return tern_message_equal(&test_odd_Entries_put_class__type, a, b); }

/* ---- test.odd.test_odd_Cases_set_case */

static inline int64_t test_odd_test_odd_Cases_set_case_size(const test_odd_test_odd_Cases_set_case *msg) { return tern_protobuf_size(&test_odd_test_odd_Cases_set_case_type, msg); }

static inline int64_t test_odd_test_odd_Cases_set_case_encode(const test_odd_test_odd_Cases_set_case *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_odd_test_odd_Cases_set_case_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_odd_test_odd_Cases_set_case_decode(const void *data, size_t len, tern_arena *arena, int mode, test_odd_test_odd_Cases_set_case *msg) {
    return tern_protobuf_decode(&test_odd_test_odd_Cases_set_case_type, data, len, arena, mode, NULL, msg);
}

static inline int test_odd_test_odd_Cases_set_case_copy(const test_odd_test_odd_Cases_set_case *src, tern_arena *arena, test_odd_test_odd_Cases_set_case *dst) {
    return tern_message_copy(&test_odd_test_odd_Cases_set_case_type, src, arena, dst);
}

static inline bool test_odd_test_odd_Cases_set_case_equal(const test_odd_test_odd_Cases_set_case *a, const test_odd_test_odd_Cases_set_case *b) { return tern_message_equal(&test_odd_test_odd_Cases_set_case_type, a, b); }

static inline test_odd_test_odd_Cases_set_case_x_case test_odd_test_odd_Cases_set_case_which_x(const test_odd_test_odd_Cases_set_case *msg) { return msg->x_case; }

static inline void test_odd_test_odd_Cases_set_case_clear_x(test_odd_test_odd_Cases_set_case *msg) { msg->x_case = test_odd_test_odd_Cases_set_case_x_NOT_SET; }

static inline test_odd_test_odd_Cases_set_case *test_odd_test_odd_Cases_set_case_make_test_odd_Cases_set_case(test_odd_test_odd_Cases_set_case *msg, tern_arena *arena) {
    return msg->test_odd_Cases_set_case = (test_odd_test_odd_Cases_set_case *)tern_arena_zalloc(arena, sizeof *msg->test_odd_Cases_set_case);
}

static inline bool test_odd_test_odd_Cases_set_case_has_test_odd_Cases_set_case(const test_odd_test_odd_Cases_set_case *msg) { return msg->test_odd_Cases_set_case != NULL; }

static inline void test_odd_test_odd_Cases_set_case_clear_test_odd_Cases_set_case(test_odd_test_odd_Cases_set_case *msg) { msg->test_odd_Cases_set_case = NULL; }

static inline bool test_odd_test_odd_Cases_set_case_has_y(const test_odd_test_odd_Cases_set_case *msg) { return msg->x_case == test_odd_test_odd_Cases_set_case_x_y; }

static inline void test_odd_test_odd_Cases_set_case_set_y(test_odd_test_odd_Cases_set_case *msg, uint32_t value) {
    msg->y = value;
    msg->x_case = test_odd_test_odd_Cases_set_case_x_y;
}

static inline void test_odd_test_odd_Cases_set_case_clear_y(test_odd_test_odd_Cases_set_case *msg) {
    if (msg->x_case == test_odd_test_odd_Cases_set_case_x_y) msg->x_case = test_odd_test_odd_Cases_set_case_x_NOT_SET;
}

/* ---- test.odd.Values_enum */

static inline int64_t test_odd_Values_enum____size(const test_odd_Values_enum___ *msg) { return tern_protobuf_size(&test_odd_Values_enum____type, msg); }

static inline int64_t test_odd_Values_enum____encode(const test_odd_Values_enum___ *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_odd_Values_enum____type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_odd_Values_enum____decode(const void *data, size_t len, tern_arena *arena, int mode, test_odd_Values_enum___ *msg) {
    return tern_protobuf_decode(&test_odd_Values_enum____type, data, len, arena, mode, NULL, msg);
}

static inline int test_odd_Values_enum____copy(const test_odd_Values_enum___ *src, tern_arena *arena, test_odd_Values_enum___ *dst) {
    return tern_message_copy(&test_odd_Values_enum____type, src, arena, dst);
}

static inline bool test_odd_Values_enum____equal(const test_odd_Values_enum___ *a, const test_odd_Values_enum___ *b) { return tern_message_equal(&test_odd_Values_enum____type, a, b); }

/* ---- test.odd.copy */

static inline int64_t test_odd_copy_size(const test_odd_copy *msg) { return tern_protobuf_size(&test_odd_copy_type, msg); }

static inline int64_t test_odd_copy_encode(const test_odd_copy *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_odd_copy_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_odd_copy_decode(const void *data, size_t len, tern_arena *arena, int mode, test_odd_copy *msg) {
    return tern_protobuf_decode(&test_odd_copy_type, data, len, arena, mode, NULL, msg);
}

static inline int test_odd_copy_copy(const test_odd_copy *src, tern_arena *arena, test_odd_copy *dst) {
    return tern_message_copy(&test_odd_copy_type, src, arena, dst);
}

static inline bool test_odd_copy_equal(const test_odd_copy *a, const test_odd_copy *b) { return tern_message_equal(&test_odd_copy_type, a, b); }

/* ---- test.odd.copy.copy */

static inline int64_t test_odd_copy_copy__size(const test_odd_copy_copy_ *msg) { return tern_protobuf_size(&test_odd_copy_copy__type, msg); }

static inline int64_t test_odd_copy_copy__encode(const test_odd_copy_copy_ *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_odd_copy_copy__type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_odd_copy_copy__decode(const void *data, size_t len, tern_arena *arena, int mode, test_odd_copy_copy_ *msg) {
    return tern_protobuf_decode(&test_odd_copy_copy__type, data, len, arena, mode, NULL, msg);
}

static inline int test_odd_copy_copy__copy(const test_odd_copy_copy_ *src, tern_arena *arena, test_odd_copy_copy_ *dst) {
    return tern_message_copy(&test_odd_copy_copy__type, src, arena, dst);
}

static inline bool test_odd_copy_copy__equal(const test_odd_copy_copy_ *a, const test_odd_copy_copy_ *b) { return tern_message_equal(&test_odd_copy_copy__type, a, b); }

/* ---- test.odd.copy.equal */

static inline int64_t test_odd_copy_equal__size(const test_odd_copy_equal_ *msg) { return tern_protobuf_size(&test_odd_copy_equal__type, msg); }

static inline int64_t test_odd_copy_equal__encode(const test_odd_copy_equal_ *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_odd_copy_equal__type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_odd_copy_equal__decode(const void *data, size_t len, tern_arena *arena, int mode, test_odd_copy_equal_ *msg) {
    return tern_protobuf_decode(&test_odd_copy_equal__type, data, len, arena, mode, NULL, msg);
}

static inline int test_odd_copy_equal__copy(const test_odd_copy_equal_ *src, tern_arena *arena, test_odd_copy_equal_ *dst) {
    return tern_message_copy(&test_odd_copy_equal__type, src, arena, dst);
}

static inline bool test_odd_copy_equal__equal(const test_odd_copy_equal_ *a, const test_odd_copy_equal_ *b) { return tern_message_equal(&test_odd_copy_equal__type, a, b); }

#ifdef __cplusplus
}
#endif
#endif
