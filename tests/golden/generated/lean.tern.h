/* Made by protoc-gen-tern from lean.proto; changes here are lost. */
#ifndef LEAN_TERN_H
#define LEAN_TERN_H

#include "tern/codec.h"
#include "tern/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct test_lean_Point test_lean_Point;
TERN__LIST(test_lean_Point_list, test_lean_Point);
extern const tern_type test_lean_Point_type;
typedef struct test_lean_FullPoint test_lean_FullPoint;
TERN__LIST(test_lean_FullPoint_list, test_lean_FullPoint);
extern const tern_type test_lean_FullPoint_type;
typedef struct test_lean_Lean test_lean_Lean;
TERN__LIST(test_lean_Lean_list, test_lean_Lean);
extern const tern_type test_lean_Lean_type;
typedef struct test_lean_Lean_NamedEntry test_lean_Lean_NamedEntry;
TERN__MAP(test_lean_Lean_NamedEntry_map, test_lean_Lean_NamedEntry);
extern const tern_type test_lean_Lean_NamedEntry_type;
typedef struct test_lean_Lean_ByNumberEntry test_lean_Lean_ByNumberEntry;
TERN__MAP(test_lean_Lean_ByNumberEntry_map, test_lean_Lean_ByNumberEntry);
extern const tern_type test_lean_Lean_ByNumberEntry_type;
typedef struct test_lean_Full test_lean_Full;
TERN__LIST(test_lean_Full_list, test_lean_Full);
extern const tern_type test_lean_Full_type;
typedef struct test_lean_Full_NamedEntry test_lean_Full_NamedEntry;
TERN__MAP(test_lean_Full_NamedEntry_map, test_lean_Full_NamedEntry);
extern const tern_type test_lean_Full_NamedEntry_type;
typedef struct test_lean_Full_ByNumberEntry test_lean_Full_ByNumberEntry;
TERN__MAP(test_lean_Full_ByNumberEntry_map, test_lean_Full_ByNumberEntry);
extern const tern_type test_lean_Full_ByNumberEntry_type;
typedef struct test_lean_Flag test_lean_Flag;
TERN__LIST(test_lean_Flag_list, test_lean_Flag);
extern const tern_type test_lean_Flag_type;
typedef struct test_lean_FullFlag test_lean_FullFlag;
TERN__LIST(test_lean_FullFlag_list, test_lean_FullFlag);
extern const tern_type test_lean_FullFlag_type;
typedef struct test_lean_Flags test_lean_Flags;
TERN__LIST(test_lean_Flags_list, test_lean_Flags);
extern const tern_type test_lean_Flags_type;
typedef struct test_lean_FullFlags test_lean_FullFlags;
TERN__LIST(test_lean_FullFlags_list, test_lean_FullFlags);
extern const tern_type test_lean_FullFlags_type;
typedef struct test_lean_None test_lean_None;
TERN__LIST(test_lean_None_list, test_lean_None);
extern const tern_type test_lean_None_type;
typedef struct test_lean_FullNone test_lean_FullNone;
TERN__LIST(test_lean_FullNone_list, test_lean_FullNone);
extern const tern_type test_lean_FullNone_type;
typedef struct test_lean_Choice test_lean_Choice;
TERN__LIST(test_lean_Choice_list, test_lean_Choice);
extern const tern_type test_lean_Choice_type;
typedef struct test_lean_FullChoice test_lean_FullChoice;
TERN__LIST(test_lean_FullChoice_list, test_lean_FullChoice);
extern const tern_type test_lean_FullChoice_type;
typedef struct test_lean_Maybe test_lean_Maybe;
TERN__LIST(test_lean_Maybe_list, test_lean_Maybe);
extern const tern_type test_lean_Maybe_type;
typedef struct test_lean_FullMaybe test_lean_FullMaybe;
TERN__LIST(test_lean_FullMaybe_list, test_lean_FullMaybe);
extern const tern_type test_lean_FullMaybe_type;

struct test_lean_Point {
    float x;
    float y;
};

struct test_lean_FullPoint {
    float x;
    float y;
    tern_unknown unknown;
};

typedef enum test_lean_Lean_one_case {
    test_lean_Lean_one_NOT_SET = 0,
    test_lean_Lean_one_mate = 8,
    test_lean_Lean_one_number = 9,
} test_lean_Lean_one_case;

struct test_lean_Lean {
    test_lean_Lean_one_case one_case;
    struct {
        uint32_t data : 1;
    } has;
    uint32_t id;
    tern_str name;
    tern_bytes data;
    test_lean_Lean *next;
    test_lean_Lean_list inside;
    struct {
        test_lean_Lean **data;
        size_t len, cap;
    } beside;
    test_lean_Lean_NamedEntry_map named;
    union {
        test_lean_Lean *mate;
        int64_t number;
    }; /* one_case */
    test_lean_Point *point;
    test_lean_Point_list points;
    tern_list_bool bits;
    test_lean_Flag *flag;
    test_lean_Flags *flags;
    test_lean_Flag_list flag_list;
    test_lean_None *none;
    test_lean_None_list nones;
    test_lean_Choice *choice;
    test_lean_Maybe *maybe;
    bool on;
    test_lean_Lean_ByNumberEntry_map by_number;
};

struct test_lean_Lean_NamedEntry {
    tern_str key;
    test_lean_Lean *value;
};

struct test_lean_Lean_ByNumberEntry {
    uint32_t key;
    test_lean_Flag *value;
};

typedef enum test_lean_Full_one_case {
    test_lean_Full_one_NOT_SET = 0,
    test_lean_Full_one_mate = 8,
    test_lean_Full_one_number = 9,
} test_lean_Full_one_case;

struct test_lean_Full {
    test_lean_Full_one_case one_case;
    struct {
        uint32_t data : 1;
    } has;
    uint32_t id;
    tern_str name;
    tern_bytes data;
    test_lean_Full *next;
    test_lean_Full_list inside;
    struct {
        test_lean_Full **data;
        size_t len, cap;
    } beside;
    test_lean_Full_NamedEntry_map named;
    union {
        test_lean_Full *mate;
        int64_t number;
    }; /* one_case */
    test_lean_FullPoint *point;
    test_lean_FullPoint_list points;
    tern_list_bool bits;
    test_lean_FullFlag *flag;
    test_lean_FullFlags *flags;
    test_lean_FullFlag_list flag_list;
    test_lean_FullNone *none;
    test_lean_FullNone_list nones;
    test_lean_FullChoice *choice;
    test_lean_FullMaybe *maybe;
    bool on;
    test_lean_Full_ByNumberEntry_map by_number;
    tern_unknown unknown;
};

struct test_lean_Full_NamedEntry {
    tern_str key;
    test_lean_Full *value;
};

struct test_lean_Full_ByNumberEntry {
    uint32_t key;
    test_lean_FullFlag *value;
};

/* Structs that would be shorter than four bytes, or that have no member of four. */
struct test_lean_Flag {
    bool on;
    uint8_t unknown[3]; /* none: room only */
};

struct test_lean_FullFlag {
    bool on;
    tern_unknown unknown;
};

struct test_lean_Flags {
    bool a;
    bool b;
    bool c;
    bool d;
    bool e;
};

struct test_lean_FullFlags {
    bool a;
    bool b;
    bool c;
    bool d;
    bool e;
    tern_unknown unknown;
};

struct test_lean_None {
    uint8_t unknown[4]; /* none: room only */
};

struct test_lean_FullNone {
    tern_unknown unknown;
};

typedef enum test_lean_Choice_one_case {
    test_lean_Choice_one_NOT_SET = 0,
    test_lean_Choice_one_yes = 1,
    test_lean_Choice_one_no = 2,
} test_lean_Choice_one_case;

struct test_lean_Choice {
    test_lean_Choice_one_case one_case;
    union {
        bool yes;
        bool no;
    }; /* one_case */
};

typedef enum test_lean_FullChoice_one_case {
    test_lean_FullChoice_one_NOT_SET = 0,
    test_lean_FullChoice_one_yes = 1,
    test_lean_FullChoice_one_no = 2,
} test_lean_FullChoice_one_case;

struct test_lean_FullChoice {
    test_lean_FullChoice_one_case one_case;
    union {
        bool yes;
        bool no;
    }; /* one_case */
    tern_unknown unknown;
};

struct test_lean_Maybe {
    struct {
        uint32_t b : 1;
    } has;
    bool a;
    bool b;
};

struct test_lean_FullMaybe {
    struct {
        uint32_t b : 1;
    } has;
    bool a;
    bool b;
    tern_unknown unknown;
};

/* ---- test.lean.Point */

static inline int64_t test_lean_Point_size(const test_lean_Point *msg) { return tern_protobuf_size(&test_lean_Point_type, msg); }

static inline int64_t test_lean_Point_encode(const test_lean_Point *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_lean_Point_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_lean_Point_decode(const void *data, size_t len, tern_arena *arena, int mode, test_lean_Point *msg) {
    return tern_protobuf_decode(&test_lean_Point_type, data, len, arena, mode, NULL, msg);
}

static inline int test_lean_Point_copy(const test_lean_Point *src, tern_arena *arena, test_lean_Point *dst) {
    return tern_message_copy(&test_lean_Point_type, src, arena, dst);
}

static inline bool test_lean_Point_equal(const test_lean_Point *a, const test_lean_Point *b) { return tern_message_equal(&test_lean_Point_type, a, b); }

/* ---- test.lean.Point in heaps */

/* An empty one. When this or another of these functions fails, tern_heap_problem() says why. */
static inline test_lean_Point *test_lean_Point_new(tern_heap *heap) { return (test_lean_Point *)tern_heap_alloc(heap, &test_lean_Point_type); }

/* ---- test.lean.FullPoint */

static inline int64_t test_lean_FullPoint_size(const test_lean_FullPoint *msg) { return tern_protobuf_size(&test_lean_FullPoint_type, msg); }

static inline int64_t test_lean_FullPoint_encode(const test_lean_FullPoint *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_lean_FullPoint_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_lean_FullPoint_decode(const void *data, size_t len, tern_arena *arena, int mode, test_lean_FullPoint *msg) {
    return tern_protobuf_decode(&test_lean_FullPoint_type, data, len, arena, mode, NULL, msg);
}

static inline int test_lean_FullPoint_copy(const test_lean_FullPoint *src, tern_arena *arena, test_lean_FullPoint *dst) {
    return tern_message_copy(&test_lean_FullPoint_type, src, arena, dst);
}

static inline bool test_lean_FullPoint_equal(const test_lean_FullPoint *a, const test_lean_FullPoint *b) { return tern_message_equal(&test_lean_FullPoint_type, a, b); }

/* ---- test.lean.FullPoint in heaps */

/* An empty one. When this or another of these functions fails, tern_heap_problem() says why. */
static inline test_lean_FullPoint *test_lean_FullPoint_new(tern_heap *heap) { return (test_lean_FullPoint *)tern_heap_alloc(heap, &test_lean_FullPoint_type); }

/* ---- test.lean.Lean */

static inline int64_t test_lean_Lean_size(const test_lean_Lean *msg) { return tern_protobuf_size(&test_lean_Lean_type, msg); }

static inline int64_t test_lean_Lean_encode(const test_lean_Lean *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_lean_Lean_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_lean_Lean_decode(const void *data, size_t len, tern_arena *arena, int mode, test_lean_Lean *msg) {
    return tern_protobuf_decode(&test_lean_Lean_type, data, len, arena, mode, NULL, msg);
}

static inline int test_lean_Lean_copy(const test_lean_Lean *src, tern_arena *arena, test_lean_Lean *dst) {
    return tern_message_copy(&test_lean_Lean_type, src, arena, dst);
}

static inline bool test_lean_Lean_equal(const test_lean_Lean *a, const test_lean_Lean *b) { return tern_message_equal(&test_lean_Lean_type, a, b); }

static inline test_lean_Lean_one_case test_lean_Lean_which_one(const test_lean_Lean *msg) { return msg->one_case; }

static inline void test_lean_Lean_clear_one(test_lean_Lean *msg) { msg->one_case = test_lean_Lean_one_NOT_SET; }

static inline bool test_lean_Lean_has_data(const test_lean_Lean *msg) { return msg->has.data; }

static inline void test_lean_Lean_set_data(test_lean_Lean *msg, tern_bytes value) {
    msg->data = value;
    msg->has.data = 1;
}

static inline void test_lean_Lean_clear_data(test_lean_Lean *msg) {
    msg->data.data = NULL;
    msg->data.len = 0;
    msg->has.data = 0;
}

static inline test_lean_Lean *test_lean_Lean_make_next(test_lean_Lean *msg, tern_arena *arena) {
    return msg->next = (test_lean_Lean *)tern_arena_zalloc(arena, sizeof *msg->next);
}

static inline bool test_lean_Lean_has_next(const test_lean_Lean *msg) { return msg->next != NULL; }

static inline void test_lean_Lean_clear_next(test_lean_Lean *msg) { msg->next = NULL; }

static inline int test_lean_Lean_reserve_inside(test_lean_Lean *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->inside, n, sizeof *msg->inside.data, arena);
}

static inline test_lean_Lean *test_lean_Lean_add_inside(test_lean_Lean *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->inside, msg->inside.len + 1, sizeof *msg->inside.data, arena)) return NULL;
    return &msg->inside.data[msg->inside.len++];
}

/* Room for n pointers; those from len on are NULL. */
static inline int test_lean_Lean_reserve_beside(test_lean_Lean *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->beside, n, sizeof *msg->beside.data, arena);
}

/* Appends a message that lies elsewhere, which is borrowed: 0 or TERN_ERR_NOMEM. */
static inline int test_lean_Lean_put_beside(test_lean_Lean *msg, test_lean_Lean *element, tern_arena *arena) {
    if (test_lean_Lean_reserve_beside(msg, msg->beside.len + 1, arena)) return TERN_ERR_NOMEM;
    msg->beside.data[msg->beside.len++] = element;
    return 0;
}

/* Appends an empty message from the arena; NULL when memory is out. */
static inline test_lean_Lean *test_lean_Lean_add_beside(test_lean_Lean *msg, tern_arena *arena) {
    test_lean_Lean *made = (test_lean_Lean *)tern_arena_zalloc(arena, sizeof *made);
    return made && test_lean_Lean_put_beside(msg, made, arena) == 0 ? made : NULL;
}

/* The value of this key, made empty when there is none; NULL when memory is out. The key is borrowed. */
static inline test_lean_Lean *test_lean_Lean_put_named(test_lean_Lean *msg, tern_str key, tern_arena *arena) {
    test_lean_Lean_NamedEntry *entry = (test_lean_Lean_NamedEntry *)tern_map_insert(&test_lean_Lean_NamedEntry_type, &msg->named, &key, arena);
    if (!entry) return NULL;
    if (!entry->value) entry->value = (test_lean_Lean *)tern_arena_zalloc(arena, sizeof *entry->value);
    return entry->value;
}

/* The value of this key, or NULL. */
static inline test_lean_Lean *test_lean_Lean_get_named(const test_lean_Lean *msg, tern_str key) {
    test_lean_Lean_NamedEntry *entry = (test_lean_Lean_NamedEntry *)tern_map_find(&test_lean_Lean_NamedEntry_type, &msg->named, &key);
    return entry ? entry->value : NULL;
}

static inline bool test_lean_Lean_remove_named(test_lean_Lean *msg, tern_str key) {
    return tern_map_remove(&test_lean_Lean_NamedEntry_type, &msg->named, &key);
}

static inline bool test_lean_Lean_has_mate(const test_lean_Lean *msg) { return msg->one_case == test_lean_Lean_one_mate; }

static inline void test_lean_Lean_set_mate(test_lean_Lean *msg, test_lean_Lean *value) {
    msg->mate = value;
    msg->one_case = test_lean_Lean_one_mate;
}

static inline void test_lean_Lean_clear_mate(test_lean_Lean *msg) {
    if (msg->one_case == test_lean_Lean_one_mate) msg->one_case = test_lean_Lean_one_NOT_SET;
}

static inline test_lean_Lean *test_lean_Lean_make_mate(test_lean_Lean *msg, tern_arena *arena) {
    test_lean_Lean *made = (test_lean_Lean *)tern_arena_zalloc(arena, sizeof *made);
    if (made) test_lean_Lean_set_mate(msg, made);
    return made;
}

static inline bool test_lean_Lean_has_number(const test_lean_Lean *msg) { return msg->one_case == test_lean_Lean_one_number; }

static inline void test_lean_Lean_set_number(test_lean_Lean *msg, int64_t value) {
    msg->number = value;
    msg->one_case = test_lean_Lean_one_number;
}

static inline void test_lean_Lean_clear_number(test_lean_Lean *msg) {
    if (msg->one_case == test_lean_Lean_one_number) msg->one_case = test_lean_Lean_one_NOT_SET;
}

static inline test_lean_Point *test_lean_Lean_make_point(test_lean_Lean *msg, tern_arena *arena) {
    return msg->point = (test_lean_Point *)tern_arena_zalloc(arena, sizeof *msg->point);
}

static inline bool test_lean_Lean_has_point(const test_lean_Lean *msg) { return msg->point != NULL; }

static inline void test_lean_Lean_clear_point(test_lean_Lean *msg) { msg->point = NULL; }

static inline int test_lean_Lean_reserve_points(test_lean_Lean *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->points, n, sizeof *msg->points.data, arena);
}

static inline test_lean_Point *test_lean_Lean_add_points(test_lean_Lean *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->points, msg->points.len + 1, sizeof *msg->points.data, arena)) return NULL;
    return &msg->points.data[msg->points.len++];
}

static inline int test_lean_Lean_reserve_bits(test_lean_Lean *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->bits, n, sizeof *msg->bits.data, arena);
}

static inline bool *test_lean_Lean_add_bits(test_lean_Lean *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->bits, msg->bits.len + 1, sizeof *msg->bits.data, arena)) return NULL;
    return &msg->bits.data[msg->bits.len++];
}

static inline test_lean_Flag *test_lean_Lean_make_flag(test_lean_Lean *msg, tern_arena *arena) {
    return msg->flag = (test_lean_Flag *)tern_arena_zalloc(arena, sizeof *msg->flag);
}

static inline bool test_lean_Lean_has_flag(const test_lean_Lean *msg) { return msg->flag != NULL; }

static inline void test_lean_Lean_clear_flag(test_lean_Lean *msg) { msg->flag = NULL; }

static inline test_lean_Flags *test_lean_Lean_make_flags(test_lean_Lean *msg, tern_arena *arena) {
    return msg->flags = (test_lean_Flags *)tern_arena_zalloc(arena, sizeof *msg->flags);
}

static inline bool test_lean_Lean_has_flags(const test_lean_Lean *msg) { return msg->flags != NULL; }

static inline void test_lean_Lean_clear_flags(test_lean_Lean *msg) { msg->flags = NULL; }

static inline int test_lean_Lean_reserve_flag_list(test_lean_Lean *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->flag_list, n, sizeof *msg->flag_list.data, arena);
}

static inline test_lean_Flag *test_lean_Lean_add_flag_list(test_lean_Lean *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->flag_list, msg->flag_list.len + 1, sizeof *msg->flag_list.data, arena)) return NULL;
    return &msg->flag_list.data[msg->flag_list.len++];
}

static inline test_lean_None *test_lean_Lean_make_none(test_lean_Lean *msg, tern_arena *arena) {
    return msg->none = (test_lean_None *)tern_arena_zalloc(arena, sizeof *msg->none);
}

static inline bool test_lean_Lean_has_none(const test_lean_Lean *msg) { return msg->none != NULL; }

static inline void test_lean_Lean_clear_none(test_lean_Lean *msg) { msg->none = NULL; }

static inline int test_lean_Lean_reserve_nones(test_lean_Lean *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->nones, n, sizeof *msg->nones.data, arena);
}

static inline test_lean_None *test_lean_Lean_add_nones(test_lean_Lean *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->nones, msg->nones.len + 1, sizeof *msg->nones.data, arena)) return NULL;
    return &msg->nones.data[msg->nones.len++];
}

static inline test_lean_Choice *test_lean_Lean_make_choice(test_lean_Lean *msg, tern_arena *arena) {
    return msg->choice = (test_lean_Choice *)tern_arena_zalloc(arena, sizeof *msg->choice);
}

static inline bool test_lean_Lean_has_choice(const test_lean_Lean *msg) { return msg->choice != NULL; }

static inline void test_lean_Lean_clear_choice(test_lean_Lean *msg) { msg->choice = NULL; }

static inline test_lean_Maybe *test_lean_Lean_make_maybe(test_lean_Lean *msg, tern_arena *arena) {
    return msg->maybe = (test_lean_Maybe *)tern_arena_zalloc(arena, sizeof *msg->maybe);
}

static inline bool test_lean_Lean_has_maybe(const test_lean_Lean *msg) { return msg->maybe != NULL; }

static inline void test_lean_Lean_clear_maybe(test_lean_Lean *msg) { msg->maybe = NULL; }

/* The value of this key, made empty when there is none; NULL when memory is out. The key is borrowed. */
static inline test_lean_Flag *test_lean_Lean_put_by_number(test_lean_Lean *msg, uint32_t key, tern_arena *arena) {
    test_lean_Lean_ByNumberEntry *entry = (test_lean_Lean_ByNumberEntry *)tern_map_insert(&test_lean_Lean_ByNumberEntry_type, &msg->by_number, &key, arena);
    if (!entry) return NULL;
    if (!entry->value) entry->value = (test_lean_Flag *)tern_arena_zalloc(arena, sizeof *entry->value);
    return entry->value;
}

/* The value of this key, or NULL. */
static inline test_lean_Flag *test_lean_Lean_get_by_number(const test_lean_Lean *msg, uint32_t key) {
    test_lean_Lean_ByNumberEntry *entry = (test_lean_Lean_ByNumberEntry *)tern_map_find(&test_lean_Lean_ByNumberEntry_type, &msg->by_number, &key);
    return entry ? entry->value : NULL;
}

static inline bool test_lean_Lean_remove_by_number(test_lean_Lean *msg, uint32_t key) {
    return tern_map_remove(&test_lean_Lean_ByNumberEntry_type, &msg->by_number, &key);
}

/* ---- test.lean.Lean in heaps */

/* An empty one. When this or another of these functions fails, tern_heap_problem() says why. */
static inline test_lean_Lean *test_lean_Lean_new(tern_heap *heap) { return (test_lean_Lean *)tern_heap_alloc(heap, &test_lean_Lean_type); }

/* Copies the bytes into an object of their own. */
static inline int test_lean_Lean_heap_set_name(test_lean_Lean *msg, tern_str value, tern_heap *heap) {
    int err = tern_heap_str(heap, value.data, value.len, &value);
    if (!err) msg->name = value;
    return err;
}

/* Copies the bytes into an object of their own. */
static inline int test_lean_Lean_heap_set_data(test_lean_Lean *msg, tern_bytes value, tern_heap *heap) {
    int err = tern_heap_bytes(heap, value.data, value.len, &value);
    if (!err) test_lean_Lean_set_data(msg, value);
    return err;
}

static inline test_lean_Lean *test_lean_Lean_heap_make_next(test_lean_Lean *msg, tern_heap *heap) {
    test_lean_Lean *made = (test_lean_Lean *)tern_heap_alloc(heap, &test_lean_Lean_type);
    if (made) msg->next = made;
    return made;
}

static inline int test_lean_Lean_heap_reserve_inside(test_lean_Lean *msg, size_t n, tern_heap *heap) {
    return tern_heap_reserve(heap, &test_lean_Lean_type, msg, 5, n);
}

static inline test_lean_Lean *test_lean_Lean_heap_add_inside(test_lean_Lean *msg, tern_heap *heap) {
    if (test_lean_Lean_heap_reserve_inside(msg, msg->inside.len + 1, heap)) return NULL;
    return &msg->inside.data[msg->inside.len++];
}

static inline int test_lean_Lean_heap_reserve_beside(test_lean_Lean *msg, size_t n, tern_heap *heap) {
    return tern_heap_reserve(heap, &test_lean_Lean_type, msg, 6, n);
}

/* Appends a message that is there already. */
static inline int test_lean_Lean_heap_put_beside(test_lean_Lean *msg, test_lean_Lean *element, tern_heap *heap) {
    int err = test_lean_Lean_heap_reserve_beside(msg, msg->beside.len + 1, heap);
    if (!err) msg->beside.data[msg->beside.len++] = element;
    return err;
}

/* Appends an empty message. */
static inline test_lean_Lean *test_lean_Lean_heap_add_beside(test_lean_Lean *msg, tern_heap *heap) {
    test_lean_Lean *made = (test_lean_Lean *)tern_heap_alloc(heap, &test_lean_Lean_type);
    return made && test_lean_Lean_heap_put_beside(msg, made, heap) == 0 ? made : NULL;
}

static inline int test_lean_Lean_heap_reserve_named(test_lean_Lean *msg, size_t n, tern_heap *heap) {
    return tern_heap_reserve(heap, &test_lean_Lean_type, msg, 7, n);
}

/* The value of this key, made empty when there is none; the key's bytes are borrowed. */
static inline test_lean_Lean *test_lean_Lean_heap_put_named(test_lean_Lean *msg, tern_str key, tern_heap *heap) {
    test_lean_Lean_NamedEntry *entry = (test_lean_Lean_NamedEntry *)tern_heap_put(heap, &test_lean_Lean_type, msg, 7, &key);
    if (!entry) return NULL;
    if (!entry->value) entry->value = (test_lean_Lean *)tern_heap_alloc(heap, &test_lean_Lean_type);
    return entry->value;
}

/* Gives a map that was filled by hand or comes from a file its index. */
static inline int test_lean_Lean_heap_index_named(test_lean_Lean *msg, tern_heap *heap) {
    return tern_heap_index(heap, &test_lean_Lean_type, msg, 7);
}

static inline test_lean_Lean *test_lean_Lean_heap_make_mate(test_lean_Lean *msg, tern_heap *heap) {
    test_lean_Lean *made = (test_lean_Lean *)tern_heap_alloc(heap, &test_lean_Lean_type);
    if (made) test_lean_Lean_set_mate(msg, made);
    return made;
}

static inline test_lean_Point *test_lean_Lean_heap_make_point(test_lean_Lean *msg, tern_heap *heap) {
    test_lean_Point *made = (test_lean_Point *)tern_heap_alloc(heap, &test_lean_Point_type);
    if (made) msg->point = made;
    return made;
}

static inline int test_lean_Lean_heap_reserve_points(test_lean_Lean *msg, size_t n, tern_heap *heap) {
    return tern_heap_reserve(heap, &test_lean_Lean_type, msg, 11, n);
}

static inline test_lean_Point *test_lean_Lean_heap_add_points(test_lean_Lean *msg, tern_heap *heap) {
    if (test_lean_Lean_heap_reserve_points(msg, msg->points.len + 1, heap)) return NULL;
    return &msg->points.data[msg->points.len++];
}

static inline int test_lean_Lean_heap_reserve_bits(test_lean_Lean *msg, size_t n, tern_heap *heap) {
    return tern_heap_reserve(heap, &test_lean_Lean_type, msg, 12, n);
}

static inline bool *test_lean_Lean_heap_add_bits(test_lean_Lean *msg, tern_heap *heap) {
    if (test_lean_Lean_heap_reserve_bits(msg, msg->bits.len + 1, heap)) return NULL;
    return &msg->bits.data[msg->bits.len++];
}

static inline test_lean_Flag *test_lean_Lean_heap_make_flag(test_lean_Lean *msg, tern_heap *heap) {
    test_lean_Flag *made = (test_lean_Flag *)tern_heap_alloc(heap, &test_lean_Flag_type);
    if (made) msg->flag = made;
    return made;
}

static inline test_lean_Flags *test_lean_Lean_heap_make_flags(test_lean_Lean *msg, tern_heap *heap) {
    test_lean_Flags *made = (test_lean_Flags *)tern_heap_alloc(heap, &test_lean_Flags_type);
    if (made) msg->flags = made;
    return made;
}

static inline int test_lean_Lean_heap_reserve_flag_list(test_lean_Lean *msg, size_t n, tern_heap *heap) {
    return tern_heap_reserve(heap, &test_lean_Lean_type, msg, 15, n);
}

static inline test_lean_Flag *test_lean_Lean_heap_add_flag_list(test_lean_Lean *msg, tern_heap *heap) {
    if (test_lean_Lean_heap_reserve_flag_list(msg, msg->flag_list.len + 1, heap)) return NULL;
    return &msg->flag_list.data[msg->flag_list.len++];
}

static inline test_lean_None *test_lean_Lean_heap_make_none(test_lean_Lean *msg, tern_heap *heap) {
    test_lean_None *made = (test_lean_None *)tern_heap_alloc(heap, &test_lean_None_type);
    if (made) msg->none = made;
    return made;
}

static inline int test_lean_Lean_heap_reserve_nones(test_lean_Lean *msg, size_t n, tern_heap *heap) {
    return tern_heap_reserve(heap, &test_lean_Lean_type, msg, 17, n);
}

static inline test_lean_None *test_lean_Lean_heap_add_nones(test_lean_Lean *msg, tern_heap *heap) {
    if (test_lean_Lean_heap_reserve_nones(msg, msg->nones.len + 1, heap)) return NULL;
    return &msg->nones.data[msg->nones.len++];
}

static inline test_lean_Choice *test_lean_Lean_heap_make_choice(test_lean_Lean *msg, tern_heap *heap) {
    test_lean_Choice *made = (test_lean_Choice *)tern_heap_alloc(heap, &test_lean_Choice_type);
    if (made) msg->choice = made;
    return made;
}

static inline test_lean_Maybe *test_lean_Lean_heap_make_maybe(test_lean_Lean *msg, tern_heap *heap) {
    test_lean_Maybe *made = (test_lean_Maybe *)tern_heap_alloc(heap, &test_lean_Maybe_type);
    if (made) msg->maybe = made;
    return made;
}

static inline int test_lean_Lean_heap_reserve_by_number(test_lean_Lean *msg, size_t n, tern_heap *heap) {
    return tern_heap_reserve(heap, &test_lean_Lean_type, msg, 21, n);
}

/* The value of this key, made empty when there is none. */
static inline test_lean_Flag *test_lean_Lean_heap_put_by_number(test_lean_Lean *msg, uint32_t key, tern_heap *heap) {
    test_lean_Lean_ByNumberEntry *entry = (test_lean_Lean_ByNumberEntry *)tern_heap_put(heap, &test_lean_Lean_type, msg, 21, &key);
    if (!entry) return NULL;
    if (!entry->value) entry->value = (test_lean_Flag *)tern_heap_alloc(heap, &test_lean_Flag_type);
    return entry->value;
}

/* Gives a map that was filled by hand or comes from a file its index. */
static inline int test_lean_Lean_heap_index_by_number(test_lean_Lean *msg, tern_heap *heap) {
    return tern_heap_index(heap, &test_lean_Lean_type, msg, 21);
}

/* ---- test.lean.Full */

static inline int64_t test_lean_Full_size(const test_lean_Full *msg) { return tern_protobuf_size(&test_lean_Full_type, msg); }

static inline int64_t test_lean_Full_encode(const test_lean_Full *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_lean_Full_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_lean_Full_decode(const void *data, size_t len, tern_arena *arena, int mode, test_lean_Full *msg) {
    return tern_protobuf_decode(&test_lean_Full_type, data, len, arena, mode, NULL, msg);
}

static inline int test_lean_Full_copy(const test_lean_Full *src, tern_arena *arena, test_lean_Full *dst) {
    return tern_message_copy(&test_lean_Full_type, src, arena, dst);
}

static inline bool test_lean_Full_equal(const test_lean_Full *a, const test_lean_Full *b) { return tern_message_equal(&test_lean_Full_type, a, b); }

static inline test_lean_Full_one_case test_lean_Full_which_one(const test_lean_Full *msg) { return msg->one_case; }

static inline void test_lean_Full_clear_one(test_lean_Full *msg) { msg->one_case = test_lean_Full_one_NOT_SET; }

static inline bool test_lean_Full_has_data(const test_lean_Full *msg) { return msg->has.data; }

static inline void test_lean_Full_set_data(test_lean_Full *msg, tern_bytes value) {
    msg->data = value;
    msg->has.data = 1;
}

static inline void test_lean_Full_clear_data(test_lean_Full *msg) {
    msg->data.data = NULL;
    msg->data.len = 0;
    msg->has.data = 0;
}

static inline test_lean_Full *test_lean_Full_make_next(test_lean_Full *msg, tern_arena *arena) {
    return msg->next = (test_lean_Full *)tern_arena_zalloc(arena, sizeof *msg->next);
}

static inline bool test_lean_Full_has_next(const test_lean_Full *msg) { return msg->next != NULL; }

static inline void test_lean_Full_clear_next(test_lean_Full *msg) { msg->next = NULL; }

static inline int test_lean_Full_reserve_inside(test_lean_Full *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->inside, n, sizeof *msg->inside.data, arena);
}

static inline test_lean_Full *test_lean_Full_add_inside(test_lean_Full *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->inside, msg->inside.len + 1, sizeof *msg->inside.data, arena)) return NULL;
    return &msg->inside.data[msg->inside.len++];
}

/* Room for n pointers; those from len on are NULL. */
static inline int test_lean_Full_reserve_beside(test_lean_Full *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->beside, n, sizeof *msg->beside.data, arena);
}

/* Appends a message that lies elsewhere, which is borrowed: 0 or TERN_ERR_NOMEM. */
static inline int test_lean_Full_put_beside(test_lean_Full *msg, test_lean_Full *element, tern_arena *arena) {
    if (test_lean_Full_reserve_beside(msg, msg->beside.len + 1, arena)) return TERN_ERR_NOMEM;
    msg->beside.data[msg->beside.len++] = element;
    return 0;
}

/* Appends an empty message from the arena; NULL when memory is out. */
static inline test_lean_Full *test_lean_Full_add_beside(test_lean_Full *msg, tern_arena *arena) {
    test_lean_Full *made = (test_lean_Full *)tern_arena_zalloc(arena, sizeof *made);
    return made && test_lean_Full_put_beside(msg, made, arena) == 0 ? made : NULL;
}

/* The value of this key, made empty when there is none; NULL when memory is out. The key is borrowed. */
static inline test_lean_Full *test_lean_Full_put_named(test_lean_Full *msg, tern_str key, tern_arena *arena) {
    test_lean_Full_NamedEntry *entry = (test_lean_Full_NamedEntry *)tern_map_insert(&test_lean_Full_NamedEntry_type, &msg->named, &key, arena);
    if (!entry) return NULL;
    if (!entry->value) entry->value = (test_lean_Full *)tern_arena_zalloc(arena, sizeof *entry->value);
    return entry->value;
}

/* The value of this key, or NULL. */
static inline test_lean_Full *test_lean_Full_get_named(const test_lean_Full *msg, tern_str key) {
    test_lean_Full_NamedEntry *entry = (test_lean_Full_NamedEntry *)tern_map_find(&test_lean_Full_NamedEntry_type, &msg->named, &key);
    return entry ? entry->value : NULL;
}

static inline bool test_lean_Full_remove_named(test_lean_Full *msg, tern_str key) {
    return tern_map_remove(&test_lean_Full_NamedEntry_type, &msg->named, &key);
}

static inline bool test_lean_Full_has_mate(const test_lean_Full *msg) { return msg->one_case == test_lean_Full_one_mate; }

static inline void test_lean_Full_set_mate(test_lean_Full *msg, test_lean_Full *value) {
    msg->mate = value;
    msg->one_case = test_lean_Full_one_mate;
}

static inline void test_lean_Full_clear_mate(test_lean_Full *msg) {
    if (msg->one_case == test_lean_Full_one_mate) msg->one_case = test_lean_Full_one_NOT_SET;
}

static inline test_lean_Full *test_lean_Full_make_mate(test_lean_Full *msg, tern_arena *arena) {
    test_lean_Full *made = (test_lean_Full *)tern_arena_zalloc(arena, sizeof *made);
    if (made) test_lean_Full_set_mate(msg, made);
    return made;
}

static inline bool test_lean_Full_has_number(const test_lean_Full *msg) { return msg->one_case == test_lean_Full_one_number; }

static inline void test_lean_Full_set_number(test_lean_Full *msg, int64_t value) {
    msg->number = value;
    msg->one_case = test_lean_Full_one_number;
}

static inline void test_lean_Full_clear_number(test_lean_Full *msg) {
    if (msg->one_case == test_lean_Full_one_number) msg->one_case = test_lean_Full_one_NOT_SET;
}

static inline test_lean_FullPoint *test_lean_Full_make_point(test_lean_Full *msg, tern_arena *arena) {
    return msg->point = (test_lean_FullPoint *)tern_arena_zalloc(arena, sizeof *msg->point);
}

static inline bool test_lean_Full_has_point(const test_lean_Full *msg) { return msg->point != NULL; }

static inline void test_lean_Full_clear_point(test_lean_Full *msg) { msg->point = NULL; }

static inline int test_lean_Full_reserve_points(test_lean_Full *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->points, n, sizeof *msg->points.data, arena);
}

static inline test_lean_FullPoint *test_lean_Full_add_points(test_lean_Full *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->points, msg->points.len + 1, sizeof *msg->points.data, arena)) return NULL;
    return &msg->points.data[msg->points.len++];
}

static inline int test_lean_Full_reserve_bits(test_lean_Full *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->bits, n, sizeof *msg->bits.data, arena);
}

static inline bool *test_lean_Full_add_bits(test_lean_Full *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->bits, msg->bits.len + 1, sizeof *msg->bits.data, arena)) return NULL;
    return &msg->bits.data[msg->bits.len++];
}

static inline test_lean_FullFlag *test_lean_Full_make_flag(test_lean_Full *msg, tern_arena *arena) {
    return msg->flag = (test_lean_FullFlag *)tern_arena_zalloc(arena, sizeof *msg->flag);
}

static inline bool test_lean_Full_has_flag(const test_lean_Full *msg) { return msg->flag != NULL; }

static inline void test_lean_Full_clear_flag(test_lean_Full *msg) { msg->flag = NULL; }

static inline test_lean_FullFlags *test_lean_Full_make_flags(test_lean_Full *msg, tern_arena *arena) {
    return msg->flags = (test_lean_FullFlags *)tern_arena_zalloc(arena, sizeof *msg->flags);
}

static inline bool test_lean_Full_has_flags(const test_lean_Full *msg) { return msg->flags != NULL; }

static inline void test_lean_Full_clear_flags(test_lean_Full *msg) { msg->flags = NULL; }

static inline int test_lean_Full_reserve_flag_list(test_lean_Full *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->flag_list, n, sizeof *msg->flag_list.data, arena);
}

static inline test_lean_FullFlag *test_lean_Full_add_flag_list(test_lean_Full *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->flag_list, msg->flag_list.len + 1, sizeof *msg->flag_list.data, arena)) return NULL;
    return &msg->flag_list.data[msg->flag_list.len++];
}

static inline test_lean_FullNone *test_lean_Full_make_none(test_lean_Full *msg, tern_arena *arena) {
    return msg->none = (test_lean_FullNone *)tern_arena_zalloc(arena, sizeof *msg->none);
}

static inline bool test_lean_Full_has_none(const test_lean_Full *msg) { return msg->none != NULL; }

static inline void test_lean_Full_clear_none(test_lean_Full *msg) { msg->none = NULL; }

static inline int test_lean_Full_reserve_nones(test_lean_Full *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->nones, n, sizeof *msg->nones.data, arena);
}

static inline test_lean_FullNone *test_lean_Full_add_nones(test_lean_Full *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->nones, msg->nones.len + 1, sizeof *msg->nones.data, arena)) return NULL;
    return &msg->nones.data[msg->nones.len++];
}

static inline test_lean_FullChoice *test_lean_Full_make_choice(test_lean_Full *msg, tern_arena *arena) {
    return msg->choice = (test_lean_FullChoice *)tern_arena_zalloc(arena, sizeof *msg->choice);
}

static inline bool test_lean_Full_has_choice(const test_lean_Full *msg) { return msg->choice != NULL; }

static inline void test_lean_Full_clear_choice(test_lean_Full *msg) { msg->choice = NULL; }

static inline test_lean_FullMaybe *test_lean_Full_make_maybe(test_lean_Full *msg, tern_arena *arena) {
    return msg->maybe = (test_lean_FullMaybe *)tern_arena_zalloc(arena, sizeof *msg->maybe);
}

static inline bool test_lean_Full_has_maybe(const test_lean_Full *msg) { return msg->maybe != NULL; }

static inline void test_lean_Full_clear_maybe(test_lean_Full *msg) { msg->maybe = NULL; }

/* The value of this key, made empty when there is none; NULL when memory is out. The key is borrowed. */
static inline test_lean_FullFlag *test_lean_Full_put_by_number(test_lean_Full *msg, uint32_t key, tern_arena *arena) {
    test_lean_Full_ByNumberEntry *entry = (test_lean_Full_ByNumberEntry *)tern_map_insert(&test_lean_Full_ByNumberEntry_type, &msg->by_number, &key, arena);
    if (!entry) return NULL;
    if (!entry->value) entry->value = (test_lean_FullFlag *)tern_arena_zalloc(arena, sizeof *entry->value);
    return entry->value;
}

/* The value of this key, or NULL. */
static inline test_lean_FullFlag *test_lean_Full_get_by_number(const test_lean_Full *msg, uint32_t key) {
    test_lean_Full_ByNumberEntry *entry = (test_lean_Full_ByNumberEntry *)tern_map_find(&test_lean_Full_ByNumberEntry_type, &msg->by_number, &key);
    return entry ? entry->value : NULL;
}

static inline bool test_lean_Full_remove_by_number(test_lean_Full *msg, uint32_t key) {
    return tern_map_remove(&test_lean_Full_ByNumberEntry_type, &msg->by_number, &key);
}

/* ---- test.lean.Full in heaps */

/* An empty one. When this or another of these functions fails, tern_heap_problem() says why. */
static inline test_lean_Full *test_lean_Full_new(tern_heap *heap) { return (test_lean_Full *)tern_heap_alloc(heap, &test_lean_Full_type); }

/* Copies the bytes into an object of their own. */
static inline int test_lean_Full_heap_set_name(test_lean_Full *msg, tern_str value, tern_heap *heap) {
    int err = tern_heap_str(heap, value.data, value.len, &value);
    if (!err) msg->name = value;
    return err;
}

/* Copies the bytes into an object of their own. */
static inline int test_lean_Full_heap_set_data(test_lean_Full *msg, tern_bytes value, tern_heap *heap) {
    int err = tern_heap_bytes(heap, value.data, value.len, &value);
    if (!err) test_lean_Full_set_data(msg, value);
    return err;
}

static inline test_lean_Full *test_lean_Full_heap_make_next(test_lean_Full *msg, tern_heap *heap) {
    test_lean_Full *made = (test_lean_Full *)tern_heap_alloc(heap, &test_lean_Full_type);
    if (made) msg->next = made;
    return made;
}

static inline int test_lean_Full_heap_reserve_inside(test_lean_Full *msg, size_t n, tern_heap *heap) {
    return tern_heap_reserve(heap, &test_lean_Full_type, msg, 5, n);
}

static inline test_lean_Full *test_lean_Full_heap_add_inside(test_lean_Full *msg, tern_heap *heap) {
    if (test_lean_Full_heap_reserve_inside(msg, msg->inside.len + 1, heap)) return NULL;
    return &msg->inside.data[msg->inside.len++];
}

static inline int test_lean_Full_heap_reserve_beside(test_lean_Full *msg, size_t n, tern_heap *heap) {
    return tern_heap_reserve(heap, &test_lean_Full_type, msg, 6, n);
}

/* Appends a message that is there already. */
static inline int test_lean_Full_heap_put_beside(test_lean_Full *msg, test_lean_Full *element, tern_heap *heap) {
    int err = test_lean_Full_heap_reserve_beside(msg, msg->beside.len + 1, heap);
    if (!err) msg->beside.data[msg->beside.len++] = element;
    return err;
}

/* Appends an empty message. */
static inline test_lean_Full *test_lean_Full_heap_add_beside(test_lean_Full *msg, tern_heap *heap) {
    test_lean_Full *made = (test_lean_Full *)tern_heap_alloc(heap, &test_lean_Full_type);
    return made && test_lean_Full_heap_put_beside(msg, made, heap) == 0 ? made : NULL;
}

static inline int test_lean_Full_heap_reserve_named(test_lean_Full *msg, size_t n, tern_heap *heap) {
    return tern_heap_reserve(heap, &test_lean_Full_type, msg, 7, n);
}

/* The value of this key, made empty when there is none; the key's bytes are borrowed. */
static inline test_lean_Full *test_lean_Full_heap_put_named(test_lean_Full *msg, tern_str key, tern_heap *heap) {
    test_lean_Full_NamedEntry *entry = (test_lean_Full_NamedEntry *)tern_heap_put(heap, &test_lean_Full_type, msg, 7, &key);
    if (!entry) return NULL;
    if (!entry->value) entry->value = (test_lean_Full *)tern_heap_alloc(heap, &test_lean_Full_type);
    return entry->value;
}

/* Gives a map that was filled by hand or comes from a file its index. */
static inline int test_lean_Full_heap_index_named(test_lean_Full *msg, tern_heap *heap) {
    return tern_heap_index(heap, &test_lean_Full_type, msg, 7);
}

static inline test_lean_Full *test_lean_Full_heap_make_mate(test_lean_Full *msg, tern_heap *heap) {
    test_lean_Full *made = (test_lean_Full *)tern_heap_alloc(heap, &test_lean_Full_type);
    if (made) test_lean_Full_set_mate(msg, made);
    return made;
}

static inline test_lean_FullPoint *test_lean_Full_heap_make_point(test_lean_Full *msg, tern_heap *heap) {
    test_lean_FullPoint *made = (test_lean_FullPoint *)tern_heap_alloc(heap, &test_lean_FullPoint_type);
    if (made) msg->point = made;
    return made;
}

static inline int test_lean_Full_heap_reserve_points(test_lean_Full *msg, size_t n, tern_heap *heap) {
    return tern_heap_reserve(heap, &test_lean_Full_type, msg, 11, n);
}

static inline test_lean_FullPoint *test_lean_Full_heap_add_points(test_lean_Full *msg, tern_heap *heap) {
    if (test_lean_Full_heap_reserve_points(msg, msg->points.len + 1, heap)) return NULL;
    return &msg->points.data[msg->points.len++];
}

static inline int test_lean_Full_heap_reserve_bits(test_lean_Full *msg, size_t n, tern_heap *heap) {
    return tern_heap_reserve(heap, &test_lean_Full_type, msg, 12, n);
}

static inline bool *test_lean_Full_heap_add_bits(test_lean_Full *msg, tern_heap *heap) {
    if (test_lean_Full_heap_reserve_bits(msg, msg->bits.len + 1, heap)) return NULL;
    return &msg->bits.data[msg->bits.len++];
}

static inline test_lean_FullFlag *test_lean_Full_heap_make_flag(test_lean_Full *msg, tern_heap *heap) {
    test_lean_FullFlag *made = (test_lean_FullFlag *)tern_heap_alloc(heap, &test_lean_FullFlag_type);
    if (made) msg->flag = made;
    return made;
}

static inline test_lean_FullFlags *test_lean_Full_heap_make_flags(test_lean_Full *msg, tern_heap *heap) {
    test_lean_FullFlags *made = (test_lean_FullFlags *)tern_heap_alloc(heap, &test_lean_FullFlags_type);
    if (made) msg->flags = made;
    return made;
}

static inline int test_lean_Full_heap_reserve_flag_list(test_lean_Full *msg, size_t n, tern_heap *heap) {
    return tern_heap_reserve(heap, &test_lean_Full_type, msg, 15, n);
}

static inline test_lean_FullFlag *test_lean_Full_heap_add_flag_list(test_lean_Full *msg, tern_heap *heap) {
    if (test_lean_Full_heap_reserve_flag_list(msg, msg->flag_list.len + 1, heap)) return NULL;
    return &msg->flag_list.data[msg->flag_list.len++];
}

static inline test_lean_FullNone *test_lean_Full_heap_make_none(test_lean_Full *msg, tern_heap *heap) {
    test_lean_FullNone *made = (test_lean_FullNone *)tern_heap_alloc(heap, &test_lean_FullNone_type);
    if (made) msg->none = made;
    return made;
}

static inline int test_lean_Full_heap_reserve_nones(test_lean_Full *msg, size_t n, tern_heap *heap) {
    return tern_heap_reserve(heap, &test_lean_Full_type, msg, 17, n);
}

static inline test_lean_FullNone *test_lean_Full_heap_add_nones(test_lean_Full *msg, tern_heap *heap) {
    if (test_lean_Full_heap_reserve_nones(msg, msg->nones.len + 1, heap)) return NULL;
    return &msg->nones.data[msg->nones.len++];
}

static inline test_lean_FullChoice *test_lean_Full_heap_make_choice(test_lean_Full *msg, tern_heap *heap) {
    test_lean_FullChoice *made = (test_lean_FullChoice *)tern_heap_alloc(heap, &test_lean_FullChoice_type);
    if (made) msg->choice = made;
    return made;
}

static inline test_lean_FullMaybe *test_lean_Full_heap_make_maybe(test_lean_Full *msg, tern_heap *heap) {
    test_lean_FullMaybe *made = (test_lean_FullMaybe *)tern_heap_alloc(heap, &test_lean_FullMaybe_type);
    if (made) msg->maybe = made;
    return made;
}

static inline int test_lean_Full_heap_reserve_by_number(test_lean_Full *msg, size_t n, tern_heap *heap) {
    return tern_heap_reserve(heap, &test_lean_Full_type, msg, 21, n);
}

/* The value of this key, made empty when there is none. */
static inline test_lean_FullFlag *test_lean_Full_heap_put_by_number(test_lean_Full *msg, uint32_t key, tern_heap *heap) {
    test_lean_Full_ByNumberEntry *entry = (test_lean_Full_ByNumberEntry *)tern_heap_put(heap, &test_lean_Full_type, msg, 21, &key);
    if (!entry) return NULL;
    if (!entry->value) entry->value = (test_lean_FullFlag *)tern_heap_alloc(heap, &test_lean_FullFlag_type);
    return entry->value;
}

/* Gives a map that was filled by hand or comes from a file its index. */
static inline int test_lean_Full_heap_index_by_number(test_lean_Full *msg, tern_heap *heap) {
    return tern_heap_index(heap, &test_lean_Full_type, msg, 21);
}

/* ---- test.lean.Flag */

static inline int64_t test_lean_Flag_size(const test_lean_Flag *msg) { return tern_protobuf_size(&test_lean_Flag_type, msg); }

static inline int64_t test_lean_Flag_encode(const test_lean_Flag *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_lean_Flag_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_lean_Flag_decode(const void *data, size_t len, tern_arena *arena, int mode, test_lean_Flag *msg) {
    return tern_protobuf_decode(&test_lean_Flag_type, data, len, arena, mode, NULL, msg);
}

static inline int test_lean_Flag_copy(const test_lean_Flag *src, tern_arena *arena, test_lean_Flag *dst) {
    return tern_message_copy(&test_lean_Flag_type, src, arena, dst);
}

static inline bool test_lean_Flag_equal(const test_lean_Flag *a, const test_lean_Flag *b) { return tern_message_equal(&test_lean_Flag_type, a, b); }

/* ---- test.lean.Flag in heaps */

/* An empty one. When this or another of these functions fails, tern_heap_problem() says why. */
static inline test_lean_Flag *test_lean_Flag_new(tern_heap *heap) { return (test_lean_Flag *)tern_heap_alloc(heap, &test_lean_Flag_type); }

/* ---- test.lean.FullFlag */

static inline int64_t test_lean_FullFlag_size(const test_lean_FullFlag *msg) { return tern_protobuf_size(&test_lean_FullFlag_type, msg); }

static inline int64_t test_lean_FullFlag_encode(const test_lean_FullFlag *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_lean_FullFlag_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_lean_FullFlag_decode(const void *data, size_t len, tern_arena *arena, int mode, test_lean_FullFlag *msg) {
    return tern_protobuf_decode(&test_lean_FullFlag_type, data, len, arena, mode, NULL, msg);
}

static inline int test_lean_FullFlag_copy(const test_lean_FullFlag *src, tern_arena *arena, test_lean_FullFlag *dst) {
    return tern_message_copy(&test_lean_FullFlag_type, src, arena, dst);
}

static inline bool test_lean_FullFlag_equal(const test_lean_FullFlag *a, const test_lean_FullFlag *b) { return tern_message_equal(&test_lean_FullFlag_type, a, b); }

/* ---- test.lean.FullFlag in heaps */

/* An empty one. When this or another of these functions fails, tern_heap_problem() says why. */
static inline test_lean_FullFlag *test_lean_FullFlag_new(tern_heap *heap) { return (test_lean_FullFlag *)tern_heap_alloc(heap, &test_lean_FullFlag_type); }

/* ---- test.lean.Flags */

static inline int64_t test_lean_Flags_size(const test_lean_Flags *msg) { return tern_protobuf_size(&test_lean_Flags_type, msg); }

static inline int64_t test_lean_Flags_encode(const test_lean_Flags *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_lean_Flags_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_lean_Flags_decode(const void *data, size_t len, tern_arena *arena, int mode, test_lean_Flags *msg) {
    return tern_protobuf_decode(&test_lean_Flags_type, data, len, arena, mode, NULL, msg);
}

static inline int test_lean_Flags_copy(const test_lean_Flags *src, tern_arena *arena, test_lean_Flags *dst) {
    return tern_message_copy(&test_lean_Flags_type, src, arena, dst);
}

static inline bool test_lean_Flags_equal(const test_lean_Flags *a, const test_lean_Flags *b) { return tern_message_equal(&test_lean_Flags_type, a, b); }

/* ---- test.lean.Flags in heaps */

/* An empty one. When this or another of these functions fails, tern_heap_problem() says why. */
static inline test_lean_Flags *test_lean_Flags_new(tern_heap *heap) { return (test_lean_Flags *)tern_heap_alloc(heap, &test_lean_Flags_type); }

/* ---- test.lean.FullFlags */

static inline int64_t test_lean_FullFlags_size(const test_lean_FullFlags *msg) { return tern_protobuf_size(&test_lean_FullFlags_type, msg); }

static inline int64_t test_lean_FullFlags_encode(const test_lean_FullFlags *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_lean_FullFlags_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_lean_FullFlags_decode(const void *data, size_t len, tern_arena *arena, int mode, test_lean_FullFlags *msg) {
    return tern_protobuf_decode(&test_lean_FullFlags_type, data, len, arena, mode, NULL, msg);
}

static inline int test_lean_FullFlags_copy(const test_lean_FullFlags *src, tern_arena *arena, test_lean_FullFlags *dst) {
    return tern_message_copy(&test_lean_FullFlags_type, src, arena, dst);
}

static inline bool test_lean_FullFlags_equal(const test_lean_FullFlags *a, const test_lean_FullFlags *b) { return tern_message_equal(&test_lean_FullFlags_type, a, b); }

/* ---- test.lean.FullFlags in heaps */

/* An empty one. When this or another of these functions fails, tern_heap_problem() says why. */
static inline test_lean_FullFlags *test_lean_FullFlags_new(tern_heap *heap) { return (test_lean_FullFlags *)tern_heap_alloc(heap, &test_lean_FullFlags_type); }

/* ---- test.lean.None */

static inline int64_t test_lean_None_size(const test_lean_None *msg) { return tern_protobuf_size(&test_lean_None_type, msg); }

static inline int64_t test_lean_None_encode(const test_lean_None *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_lean_None_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_lean_None_decode(const void *data, size_t len, tern_arena *arena, int mode, test_lean_None *msg) {
    return tern_protobuf_decode(&test_lean_None_type, data, len, arena, mode, NULL, msg);
}

static inline int test_lean_None_copy(const test_lean_None *src, tern_arena *arena, test_lean_None *dst) {
    return tern_message_copy(&test_lean_None_type, src, arena, dst);
}

static inline bool test_lean_None_equal(const test_lean_None *a, const test_lean_None *b) { return tern_message_equal(&test_lean_None_type, a, b); }

/* ---- test.lean.None in heaps */

/* An empty one. When this or another of these functions fails, tern_heap_problem() says why. */
static inline test_lean_None *test_lean_None_new(tern_heap *heap) { return (test_lean_None *)tern_heap_alloc(heap, &test_lean_None_type); }

/* ---- test.lean.FullNone */

static inline int64_t test_lean_FullNone_size(const test_lean_FullNone *msg) { return tern_protobuf_size(&test_lean_FullNone_type, msg); }

static inline int64_t test_lean_FullNone_encode(const test_lean_FullNone *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_lean_FullNone_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_lean_FullNone_decode(const void *data, size_t len, tern_arena *arena, int mode, test_lean_FullNone *msg) {
    return tern_protobuf_decode(&test_lean_FullNone_type, data, len, arena, mode, NULL, msg);
}

static inline int test_lean_FullNone_copy(const test_lean_FullNone *src, tern_arena *arena, test_lean_FullNone *dst) {
    return tern_message_copy(&test_lean_FullNone_type, src, arena, dst);
}

static inline bool test_lean_FullNone_equal(const test_lean_FullNone *a, const test_lean_FullNone *b) { return tern_message_equal(&test_lean_FullNone_type, a, b); }

/* ---- test.lean.FullNone in heaps */

/* An empty one. When this or another of these functions fails, tern_heap_problem() says why. */
static inline test_lean_FullNone *test_lean_FullNone_new(tern_heap *heap) { return (test_lean_FullNone *)tern_heap_alloc(heap, &test_lean_FullNone_type); }

/* ---- test.lean.Choice */

static inline int64_t test_lean_Choice_size(const test_lean_Choice *msg) { return tern_protobuf_size(&test_lean_Choice_type, msg); }

static inline int64_t test_lean_Choice_encode(const test_lean_Choice *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_lean_Choice_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_lean_Choice_decode(const void *data, size_t len, tern_arena *arena, int mode, test_lean_Choice *msg) {
    return tern_protobuf_decode(&test_lean_Choice_type, data, len, arena, mode, NULL, msg);
}

static inline int test_lean_Choice_copy(const test_lean_Choice *src, tern_arena *arena, test_lean_Choice *dst) {
    return tern_message_copy(&test_lean_Choice_type, src, arena, dst);
}

static inline bool test_lean_Choice_equal(const test_lean_Choice *a, const test_lean_Choice *b) { return tern_message_equal(&test_lean_Choice_type, a, b); }

static inline test_lean_Choice_one_case test_lean_Choice_which_one(const test_lean_Choice *msg) { return msg->one_case; }

static inline void test_lean_Choice_clear_one(test_lean_Choice *msg) { msg->one_case = test_lean_Choice_one_NOT_SET; }

static inline bool test_lean_Choice_has_yes(const test_lean_Choice *msg) { return msg->one_case == test_lean_Choice_one_yes; }

static inline void test_lean_Choice_set_yes(test_lean_Choice *msg, bool value) {
    msg->yes = value;
    msg->one_case = test_lean_Choice_one_yes;
}

static inline void test_lean_Choice_clear_yes(test_lean_Choice *msg) {
    if (msg->one_case == test_lean_Choice_one_yes) msg->one_case = test_lean_Choice_one_NOT_SET;
}

static inline bool test_lean_Choice_has_no(const test_lean_Choice *msg) { return msg->one_case == test_lean_Choice_one_no; }

static inline void test_lean_Choice_set_no(test_lean_Choice *msg, bool value) {
    msg->no = value;
    msg->one_case = test_lean_Choice_one_no;
}

static inline void test_lean_Choice_clear_no(test_lean_Choice *msg) {
    if (msg->one_case == test_lean_Choice_one_no) msg->one_case = test_lean_Choice_one_NOT_SET;
}

/* ---- test.lean.Choice in heaps */

/* An empty one. When this or another of these functions fails, tern_heap_problem() says why. */
static inline test_lean_Choice *test_lean_Choice_new(tern_heap *heap) { return (test_lean_Choice *)tern_heap_alloc(heap, &test_lean_Choice_type); }

/* ---- test.lean.FullChoice */

static inline int64_t test_lean_FullChoice_size(const test_lean_FullChoice *msg) { return tern_protobuf_size(&test_lean_FullChoice_type, msg); }

static inline int64_t test_lean_FullChoice_encode(const test_lean_FullChoice *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_lean_FullChoice_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_lean_FullChoice_decode(const void *data, size_t len, tern_arena *arena, int mode, test_lean_FullChoice *msg) {
    return tern_protobuf_decode(&test_lean_FullChoice_type, data, len, arena, mode, NULL, msg);
}

static inline int test_lean_FullChoice_copy(const test_lean_FullChoice *src, tern_arena *arena, test_lean_FullChoice *dst) {
    return tern_message_copy(&test_lean_FullChoice_type, src, arena, dst);
}

static inline bool test_lean_FullChoice_equal(const test_lean_FullChoice *a, const test_lean_FullChoice *b) { return tern_message_equal(&test_lean_FullChoice_type, a, b); }

static inline test_lean_FullChoice_one_case test_lean_FullChoice_which_one(const test_lean_FullChoice *msg) { return msg->one_case; }

static inline void test_lean_FullChoice_clear_one(test_lean_FullChoice *msg) { msg->one_case = test_lean_FullChoice_one_NOT_SET; }

static inline bool test_lean_FullChoice_has_yes(const test_lean_FullChoice *msg) { return msg->one_case == test_lean_FullChoice_one_yes; }

static inline void test_lean_FullChoice_set_yes(test_lean_FullChoice *msg, bool value) {
    msg->yes = value;
    msg->one_case = test_lean_FullChoice_one_yes;
}

static inline void test_lean_FullChoice_clear_yes(test_lean_FullChoice *msg) {
    if (msg->one_case == test_lean_FullChoice_one_yes) msg->one_case = test_lean_FullChoice_one_NOT_SET;
}

static inline bool test_lean_FullChoice_has_no(const test_lean_FullChoice *msg) { return msg->one_case == test_lean_FullChoice_one_no; }

static inline void test_lean_FullChoice_set_no(test_lean_FullChoice *msg, bool value) {
    msg->no = value;
    msg->one_case = test_lean_FullChoice_one_no;
}

static inline void test_lean_FullChoice_clear_no(test_lean_FullChoice *msg) {
    if (msg->one_case == test_lean_FullChoice_one_no) msg->one_case = test_lean_FullChoice_one_NOT_SET;
}

/* ---- test.lean.FullChoice in heaps */

/* An empty one. When this or another of these functions fails, tern_heap_problem() says why. */
static inline test_lean_FullChoice *test_lean_FullChoice_new(tern_heap *heap) { return (test_lean_FullChoice *)tern_heap_alloc(heap, &test_lean_FullChoice_type); }

/* ---- test.lean.Maybe */

static inline int64_t test_lean_Maybe_size(const test_lean_Maybe *msg) { return tern_protobuf_size(&test_lean_Maybe_type, msg); }

static inline int64_t test_lean_Maybe_encode(const test_lean_Maybe *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_lean_Maybe_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_lean_Maybe_decode(const void *data, size_t len, tern_arena *arena, int mode, test_lean_Maybe *msg) {
    return tern_protobuf_decode(&test_lean_Maybe_type, data, len, arena, mode, NULL, msg);
}

static inline int test_lean_Maybe_copy(const test_lean_Maybe *src, tern_arena *arena, test_lean_Maybe *dst) {
    return tern_message_copy(&test_lean_Maybe_type, src, arena, dst);
}

static inline bool test_lean_Maybe_equal(const test_lean_Maybe *a, const test_lean_Maybe *b) { return tern_message_equal(&test_lean_Maybe_type, a, b); }

static inline bool test_lean_Maybe_has_b(const test_lean_Maybe *msg) { return msg->has.b; }

static inline void test_lean_Maybe_set_b(test_lean_Maybe *msg, bool value) {
    msg->b = value;
    msg->has.b = 1;
}

static inline void test_lean_Maybe_clear_b(test_lean_Maybe *msg) {
    msg->b = 0;
    msg->has.b = 0;
}

/* ---- test.lean.Maybe in heaps */

/* An empty one. When this or another of these functions fails, tern_heap_problem() says why. */
static inline test_lean_Maybe *test_lean_Maybe_new(tern_heap *heap) { return (test_lean_Maybe *)tern_heap_alloc(heap, &test_lean_Maybe_type); }

/* ---- test.lean.FullMaybe */

static inline int64_t test_lean_FullMaybe_size(const test_lean_FullMaybe *msg) { return tern_protobuf_size(&test_lean_FullMaybe_type, msg); }

static inline int64_t test_lean_FullMaybe_encode(const test_lean_FullMaybe *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_lean_FullMaybe_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_lean_FullMaybe_decode(const void *data, size_t len, tern_arena *arena, int mode, test_lean_FullMaybe *msg) {
    return tern_protobuf_decode(&test_lean_FullMaybe_type, data, len, arena, mode, NULL, msg);
}

static inline int test_lean_FullMaybe_copy(const test_lean_FullMaybe *src, tern_arena *arena, test_lean_FullMaybe *dst) {
    return tern_message_copy(&test_lean_FullMaybe_type, src, arena, dst);
}

static inline bool test_lean_FullMaybe_equal(const test_lean_FullMaybe *a, const test_lean_FullMaybe *b) { return tern_message_equal(&test_lean_FullMaybe_type, a, b); }

static inline bool test_lean_FullMaybe_has_b(const test_lean_FullMaybe *msg) { return msg->has.b; }

static inline void test_lean_FullMaybe_set_b(test_lean_FullMaybe *msg, bool value) {
    msg->b = value;
    msg->has.b = 1;
}

static inline void test_lean_FullMaybe_clear_b(test_lean_FullMaybe *msg) {
    msg->b = 0;
    msg->has.b = 0;
}

/* ---- test.lean.FullMaybe in heaps */

/* An empty one. When this or another of these functions fails, tern_heap_problem() says why. */
static inline test_lean_FullMaybe *test_lean_FullMaybe_new(tern_heap *heap) { return (test_lean_FullMaybe *)tern_heap_alloc(heap, &test_lean_FullMaybe_type); }

#ifdef __cplusplus
}
#endif
#endif
