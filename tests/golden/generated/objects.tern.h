/* Made by protoc-gen-tern from objects.proto; changes here are lost. */
#ifndef OBJECTS_TERN_H
#define OBJECTS_TERN_H

#include "tern/codec.h"
#include "tern/graph.h"
#include "tern/object.tern.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct test_objects_Circle test_objects_Circle;
TERN__LIST(test_objects_Circle_list, test_objects_Circle);
extern const tern_type test_objects_Circle_type;
typedef struct test_objects_Square test_objects_Square;
TERN__LIST(test_objects_Square_list, test_objects_Square);
extern const tern_type test_objects_Square_type;
typedef struct test_objects_Holder test_objects_Holder;
TERN__LIST(test_objects_Holder_list, test_objects_Holder);
extern const tern_type test_objects_Holder_type;
typedef struct test_objects_Holder_NamedEntry test_objects_Holder_NamedEntry;
TERN__MAP(test_objects_Holder_NamedEntry_map, test_objects_Holder_NamedEntry);
extern const tern_type test_objects_Holder_NamedEntry_type;
typedef struct test_objects_Plain test_objects_Plain;
TERN__LIST(test_objects_Plain_list, test_objects_Plain);
extern const tern_type test_objects_Plain_type;
typedef struct test_objects_Plain_NamedEntry test_objects_Plain_NamedEntry;
TERN__MAP(test_objects_Plain_NamedEntry_map, test_objects_Plain_NamedEntry);
extern const tern_type test_objects_Plain_NamedEntry_type;
typedef struct test_objects_Any test_objects_Any;
TERN__LIST(test_objects_Any_list, test_objects_Any);
extern const tern_type test_objects_Any_type;

struct test_objects_Circle {
    tern_str name;
    double radius;
    tern_unknown unknown;
};

struct test_objects_Square {
    uint32_t side;
};

typedef enum test_objects_Holder_pick_case {
    test_objects_Holder_pick_NOT_SET = 0,
    test_objects_Holder_pick_picked = 5,
    test_objects_Holder_pick_number = 6,
    test_objects_Holder_pick_inner = 7,
} test_objects_Holder_pick_case;

struct test_objects_Holder {
    test_objects_Holder_pick_case pick_case;
    uint32_t id;
    /* Of any shape. */
    void *one;
    struct {
        void **data;
        size_t len, cap;
    } many;
    test_objects_Holder_NamedEntry_map named;
    union {
        void *picked;
        uint32_t number;
        test_objects_Holder *inner;
    }; /* pick_case */
    test_objects_Holder *next;
    tern_unknown unknown;
};

struct test_objects_Holder_NamedEntry {
    tern_str key;
    void *value;
};

typedef enum test_objects_Plain_pick_case {
    test_objects_Plain_pick_NOT_SET = 0,
    test_objects_Plain_pick_picked = 5,
    test_objects_Plain_pick_number = 6,
    test_objects_Plain_pick_inner = 7,
} test_objects_Plain_pick_case;

/* The same for those who do not know of objects. */
struct test_objects_Plain {
    test_objects_Plain_pick_case pick_case;
    uint32_t id;
    test_objects_Any *one;
    test_objects_Any_list many;
    test_objects_Plain_NamedEntry_map named;
    union {
        test_objects_Any *picked;
        uint32_t number;
        test_objects_Plain *inner;
    }; /* pick_case */
    test_objects_Plain *next;
    tern_unknown unknown;
};

struct test_objects_Plain_NamedEntry {
    tern_str key;
    test_objects_Any *value;
};

struct test_objects_Any {
    tern_str type_url;
    tern_bytes value;
    tern_unknown unknown;
};

/* ---- test.objects.Circle */

static inline int64_t test_objects_Circle_size(const test_objects_Circle *msg) { return tern_protobuf_size(&test_objects_Circle_type, msg); }

static inline int64_t test_objects_Circle_encode(const test_objects_Circle *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_objects_Circle_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_objects_Circle_decode(const void *data, size_t len, tern_arena *arena, int mode, test_objects_Circle *msg) {
    return tern_protobuf_decode(&test_objects_Circle_type, data, len, arena, mode, NULL, msg);
}

static inline int test_objects_Circle_copy(const test_objects_Circle *src, tern_arena *arena, test_objects_Circle *dst) {
    return tern_message_copy(&test_objects_Circle_type, src, arena, dst);
}

static inline bool test_objects_Circle_equal(const test_objects_Circle *a, const test_objects_Circle *b) { return tern_message_equal(&test_objects_Circle_type, a, b); }

/* ---- test.objects.Circle in heaps */

/* An empty one. When this or another of these functions fails, tern_heap_problem() says why. */
static inline test_objects_Circle *test_objects_Circle_new(tern_heap *heap) { return (test_objects_Circle *)tern_heap_alloc(heap, &test_objects_Circle_type); }

/* Copies the bytes into an object of their own. */
static inline int test_objects_Circle_heap_set_name(test_objects_Circle *msg, tern_str value, tern_heap *heap) {
    int err = tern_heap_str(heap, value.data, value.len, &value);
    if (!err) msg->name = value;
    return err;
}

/* ---- test.objects.Square */

static inline int64_t test_objects_Square_size(const test_objects_Square *msg) { return tern_protobuf_size(&test_objects_Square_type, msg); }

static inline int64_t test_objects_Square_encode(const test_objects_Square *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_objects_Square_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_objects_Square_decode(const void *data, size_t len, tern_arena *arena, int mode, test_objects_Square *msg) {
    return tern_protobuf_decode(&test_objects_Square_type, data, len, arena, mode, NULL, msg);
}

static inline int test_objects_Square_copy(const test_objects_Square *src, tern_arena *arena, test_objects_Square *dst) {
    return tern_message_copy(&test_objects_Square_type, src, arena, dst);
}

static inline bool test_objects_Square_equal(const test_objects_Square *a, const test_objects_Square *b) { return tern_message_equal(&test_objects_Square_type, a, b); }

/* ---- test.objects.Square in heaps */

/* An empty one. When this or another of these functions fails, tern_heap_problem() says why. */
static inline test_objects_Square *test_objects_Square_new(tern_heap *heap) { return (test_objects_Square *)tern_heap_alloc(heap, &test_objects_Square_type); }

/* ---- test.objects.Holder */

static inline int64_t test_objects_Holder_size(const test_objects_Holder *msg) { return tern_protobuf_size(&test_objects_Holder_type, msg); }

static inline int64_t test_objects_Holder_encode(const test_objects_Holder *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_objects_Holder_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_objects_Holder_decode(const void *data, size_t len, tern_arena *arena, int mode, test_objects_Holder *msg) {
    return tern_protobuf_decode(&test_objects_Holder_type, data, len, arena, mode, NULL, msg);
}

static inline int test_objects_Holder_copy(const test_objects_Holder *src, tern_arena *arena, test_objects_Holder *dst) {
    return tern_message_copy(&test_objects_Holder_type, src, arena, dst);
}

static inline bool test_objects_Holder_equal(const test_objects_Holder *a, const test_objects_Holder *b) { return tern_message_equal(&test_objects_Holder_type, a, b); }

static inline test_objects_Holder_pick_case test_objects_Holder_which_pick(const test_objects_Holder *msg) { return msg->pick_case; }

static inline void test_objects_Holder_clear_pick(test_objects_Holder *msg) { msg->pick_case = test_objects_Holder_pick_NOT_SET; }

static inline bool test_objects_Holder_has_one(const test_objects_Holder *msg) { return msg->one != NULL; }

static inline void test_objects_Holder_clear_one(test_objects_Holder *msg) { msg->one = NULL; }

/* Room for n pointers; those from len on are NULL. */
static inline int test_objects_Holder_reserve_many(test_objects_Holder *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->many, n, sizeof *msg->many.data, arena);
}

/* Appends a message that lies elsewhere, which is borrowed: 0 or TERN_ERR_NOMEM. */
static inline int test_objects_Holder_put_many(test_objects_Holder *msg, void *element, tern_arena *arena) {
    if (test_objects_Holder_reserve_many(msg, msg->many.len + 1, arena)) return TERN_ERR_NOMEM;
    msg->many.data[msg->many.len++] = element;
    return 0;
}

/* Sets the value of this key: 0 or TERN_ERR_NOMEM. Key and value are borrowed. */
static inline int test_objects_Holder_put_named(test_objects_Holder *msg, tern_str key, void *value, tern_arena *arena) {
    test_objects_Holder_NamedEntry *entry = (test_objects_Holder_NamedEntry *)tern_map_insert(&test_objects_Holder_NamedEntry_type, &msg->named, &key, arena);
    if (!entry) return TERN_ERR_NOMEM;
    entry->value = value;
    return 0;
}

/* The value of this key, or NULL. */
static inline void *test_objects_Holder_get_named(const test_objects_Holder *msg, tern_str key) {
    test_objects_Holder_NamedEntry *entry = (test_objects_Holder_NamedEntry *)tern_map_find(&test_objects_Holder_NamedEntry_type, &msg->named, &key);
    return entry ? entry->value : NULL;
}

static inline bool test_objects_Holder_remove_named(test_objects_Holder *msg, tern_str key) {
    return tern_map_remove(&test_objects_Holder_NamedEntry_type, &msg->named, &key);
}

static inline bool test_objects_Holder_has_picked(const test_objects_Holder *msg) { return msg->pick_case == test_objects_Holder_pick_picked; }

static inline void test_objects_Holder_set_picked(test_objects_Holder *msg, void *value) {
    msg->picked = value;
    msg->pick_case = test_objects_Holder_pick_picked;
}

static inline void test_objects_Holder_clear_picked(test_objects_Holder *msg) {
    if (msg->pick_case == test_objects_Holder_pick_picked) msg->pick_case = test_objects_Holder_pick_NOT_SET;
}

static inline bool test_objects_Holder_has_number(const test_objects_Holder *msg) { return msg->pick_case == test_objects_Holder_pick_number; }

static inline void test_objects_Holder_set_number(test_objects_Holder *msg, uint32_t value) {
    msg->number = value;
    msg->pick_case = test_objects_Holder_pick_number;
}

static inline void test_objects_Holder_clear_number(test_objects_Holder *msg) {
    if (msg->pick_case == test_objects_Holder_pick_number) msg->pick_case = test_objects_Holder_pick_NOT_SET;
}

static inline bool test_objects_Holder_has_inner(const test_objects_Holder *msg) { return msg->pick_case == test_objects_Holder_pick_inner; }

static inline void test_objects_Holder_set_inner(test_objects_Holder *msg, test_objects_Holder *value) {
    msg->inner = value;
    msg->pick_case = test_objects_Holder_pick_inner;
}

static inline void test_objects_Holder_clear_inner(test_objects_Holder *msg) {
    if (msg->pick_case == test_objects_Holder_pick_inner) msg->pick_case = test_objects_Holder_pick_NOT_SET;
}

static inline test_objects_Holder *test_objects_Holder_make_inner(test_objects_Holder *msg, tern_arena *arena) {
    test_objects_Holder *made = (test_objects_Holder *)tern_arena_zalloc(arena, sizeof *made);
    if (made) test_objects_Holder_set_inner(msg, made);
    return made;
}

static inline test_objects_Holder *test_objects_Holder_make_next(test_objects_Holder *msg, tern_arena *arena) {
    return msg->next = (test_objects_Holder *)tern_arena_zalloc(arena, sizeof *msg->next);
}

static inline bool test_objects_Holder_has_next(const test_objects_Holder *msg) { return msg->next != NULL; }

static inline void test_objects_Holder_clear_next(test_objects_Holder *msg) { msg->next = NULL; }

/* ---- test.objects.Holder in heaps */

/* An empty one. When this or another of these functions fails, tern_heap_problem() says why. */
static inline test_objects_Holder *test_objects_Holder_new(tern_heap *heap) { return (test_objects_Holder *)tern_heap_alloc(heap, &test_objects_Holder_type); }

static inline int test_objects_Holder_heap_reserve_many(test_objects_Holder *msg, size_t n, tern_heap *heap) {
    return tern_heap_reserve(heap, &test_objects_Holder_type, msg, 3, n);
}

/* Appends a message that is there already. */
static inline int test_objects_Holder_heap_put_many(test_objects_Holder *msg, void *element, tern_heap *heap) {
    int err = test_objects_Holder_heap_reserve_many(msg, msg->many.len + 1, heap);
    if (!err) msg->many.data[msg->many.len++] = element;
    return err;
}

static inline int test_objects_Holder_heap_reserve_named(test_objects_Holder *msg, size_t n, tern_heap *heap) {
    return tern_heap_reserve(heap, &test_objects_Holder_type, msg, 4, n);
}

/* Sets the value of this key: 0 or TERN_ERR_NOMEM; the key's bytes are borrowed. */
static inline int test_objects_Holder_heap_put_named(test_objects_Holder *msg, tern_str key, void *value, tern_heap *heap) {
    test_objects_Holder_NamedEntry *entry = (test_objects_Holder_NamedEntry *)tern_heap_put(heap, &test_objects_Holder_type, msg, 4, &key);
    if (!entry) return TERN_ERR_NOMEM;
    entry->value = value;
    return 0;
}

/* Gives a map that was filled by hand or comes from a file its index. */
static inline int test_objects_Holder_heap_index_named(test_objects_Holder *msg, tern_heap *heap) {
    return tern_heap_index(heap, &test_objects_Holder_type, msg, 4);
}

static inline test_objects_Holder *test_objects_Holder_heap_make_inner(test_objects_Holder *msg, tern_heap *heap) {
    test_objects_Holder *made = (test_objects_Holder *)tern_heap_alloc(heap, &test_objects_Holder_type);
    if (made) test_objects_Holder_set_inner(msg, made);
    return made;
}

static inline test_objects_Holder *test_objects_Holder_heap_make_next(test_objects_Holder *msg, tern_heap *heap) {
    test_objects_Holder *made = (test_objects_Holder *)tern_heap_alloc(heap, &test_objects_Holder_type);
    if (made) msg->next = made;
    return made;
}

/* ---- test.objects.Plain */

static inline int64_t test_objects_Plain_size(const test_objects_Plain *msg) { return tern_protobuf_size(&test_objects_Plain_type, msg); }

static inline int64_t test_objects_Plain_encode(const test_objects_Plain *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_objects_Plain_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_objects_Plain_decode(const void *data, size_t len, tern_arena *arena, int mode, test_objects_Plain *msg) {
    return tern_protobuf_decode(&test_objects_Plain_type, data, len, arena, mode, NULL, msg);
}

static inline int test_objects_Plain_copy(const test_objects_Plain *src, tern_arena *arena, test_objects_Plain *dst) {
    return tern_message_copy(&test_objects_Plain_type, src, arena, dst);
}

static inline bool test_objects_Plain_equal(const test_objects_Plain *a, const test_objects_Plain *b) { return tern_message_equal(&test_objects_Plain_type, a, b); }

static inline test_objects_Plain_pick_case test_objects_Plain_which_pick(const test_objects_Plain *msg) { return msg->pick_case; }

static inline void test_objects_Plain_clear_pick(test_objects_Plain *msg) { msg->pick_case = test_objects_Plain_pick_NOT_SET; }

static inline test_objects_Any *test_objects_Plain_make_one(test_objects_Plain *msg, tern_arena *arena) {
    return msg->one = (test_objects_Any *)tern_arena_zalloc(arena, sizeof *msg->one);
}

static inline bool test_objects_Plain_has_one(const test_objects_Plain *msg) { return msg->one != NULL; }

static inline void test_objects_Plain_clear_one(test_objects_Plain *msg) { msg->one = NULL; }

static inline int test_objects_Plain_reserve_many(test_objects_Plain *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->many, n, sizeof *msg->many.data, arena);
}

static inline test_objects_Any *test_objects_Plain_add_many(test_objects_Plain *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->many, msg->many.len + 1, sizeof *msg->many.data, arena)) return NULL;
    return &msg->many.data[msg->many.len++];
}

/* The value of this key, made empty when there is none; NULL when memory is out. The key is borrowed. */
static inline test_objects_Any *test_objects_Plain_put_named(test_objects_Plain *msg, tern_str key, tern_arena *arena) {
    test_objects_Plain_NamedEntry *entry = (test_objects_Plain_NamedEntry *)tern_map_insert(&test_objects_Plain_NamedEntry_type, &msg->named, &key, arena);
    if (!entry) return NULL;
    if (!entry->value) entry->value = (test_objects_Any *)tern_arena_zalloc(arena, sizeof *entry->value);
    return entry->value;
}

/* The value of this key, or NULL. */
static inline test_objects_Any *test_objects_Plain_get_named(const test_objects_Plain *msg, tern_str key) {
    test_objects_Plain_NamedEntry *entry = (test_objects_Plain_NamedEntry *)tern_map_find(&test_objects_Plain_NamedEntry_type, &msg->named, &key);
    return entry ? entry->value : NULL;
}

static inline bool test_objects_Plain_remove_named(test_objects_Plain *msg, tern_str key) {
    return tern_map_remove(&test_objects_Plain_NamedEntry_type, &msg->named, &key);
}

static inline bool test_objects_Plain_has_picked(const test_objects_Plain *msg) { return msg->pick_case == test_objects_Plain_pick_picked; }

static inline void test_objects_Plain_set_picked(test_objects_Plain *msg, test_objects_Any *value) {
    msg->picked = value;
    msg->pick_case = test_objects_Plain_pick_picked;
}

static inline void test_objects_Plain_clear_picked(test_objects_Plain *msg) {
    if (msg->pick_case == test_objects_Plain_pick_picked) msg->pick_case = test_objects_Plain_pick_NOT_SET;
}

static inline test_objects_Any *test_objects_Plain_make_picked(test_objects_Plain *msg, tern_arena *arena) {
    test_objects_Any *made = (test_objects_Any *)tern_arena_zalloc(arena, sizeof *made);
    if (made) test_objects_Plain_set_picked(msg, made);
    return made;
}

static inline bool test_objects_Plain_has_number(const test_objects_Plain *msg) { return msg->pick_case == test_objects_Plain_pick_number; }

static inline void test_objects_Plain_set_number(test_objects_Plain *msg, uint32_t value) {
    msg->number = value;
    msg->pick_case = test_objects_Plain_pick_number;
}

static inline void test_objects_Plain_clear_number(test_objects_Plain *msg) {
    if (msg->pick_case == test_objects_Plain_pick_number) msg->pick_case = test_objects_Plain_pick_NOT_SET;
}

static inline bool test_objects_Plain_has_inner(const test_objects_Plain *msg) { return msg->pick_case == test_objects_Plain_pick_inner; }

static inline void test_objects_Plain_set_inner(test_objects_Plain *msg, test_objects_Plain *value) {
    msg->inner = value;
    msg->pick_case = test_objects_Plain_pick_inner;
}

static inline void test_objects_Plain_clear_inner(test_objects_Plain *msg) {
    if (msg->pick_case == test_objects_Plain_pick_inner) msg->pick_case = test_objects_Plain_pick_NOT_SET;
}

static inline test_objects_Plain *test_objects_Plain_make_inner(test_objects_Plain *msg, tern_arena *arena) {
    test_objects_Plain *made = (test_objects_Plain *)tern_arena_zalloc(arena, sizeof *made);
    if (made) test_objects_Plain_set_inner(msg, made);
    return made;
}

static inline test_objects_Plain *test_objects_Plain_make_next(test_objects_Plain *msg, tern_arena *arena) {
    return msg->next = (test_objects_Plain *)tern_arena_zalloc(arena, sizeof *msg->next);
}

static inline bool test_objects_Plain_has_next(const test_objects_Plain *msg) { return msg->next != NULL; }

static inline void test_objects_Plain_clear_next(test_objects_Plain *msg) { msg->next = NULL; }

/* ---- test.objects.Plain in heaps */

/* An empty one. When this or another of these functions fails, tern_heap_problem() says why. */
static inline test_objects_Plain *test_objects_Plain_new(tern_heap *heap) { return (test_objects_Plain *)tern_heap_alloc(heap, &test_objects_Plain_type); }

static inline test_objects_Any *test_objects_Plain_heap_make_one(test_objects_Plain *msg, tern_heap *heap) {
    test_objects_Any *made = (test_objects_Any *)tern_heap_alloc(heap, &test_objects_Any_type);
    if (made) msg->one = made;
    return made;
}

static inline int test_objects_Plain_heap_reserve_many(test_objects_Plain *msg, size_t n, tern_heap *heap) {
    return tern_heap_reserve(heap, &test_objects_Plain_type, msg, 3, n);
}

static inline test_objects_Any *test_objects_Plain_heap_add_many(test_objects_Plain *msg, tern_heap *heap) {
    if (test_objects_Plain_heap_reserve_many(msg, msg->many.len + 1, heap)) return NULL;
    return &msg->many.data[msg->many.len++];
}

static inline int test_objects_Plain_heap_reserve_named(test_objects_Plain *msg, size_t n, tern_heap *heap) {
    return tern_heap_reserve(heap, &test_objects_Plain_type, msg, 4, n);
}

/* The value of this key, made empty when there is none; the key's bytes are borrowed. */
static inline test_objects_Any *test_objects_Plain_heap_put_named(test_objects_Plain *msg, tern_str key, tern_heap *heap) {
    test_objects_Plain_NamedEntry *entry = (test_objects_Plain_NamedEntry *)tern_heap_put(heap, &test_objects_Plain_type, msg, 4, &key);
    if (!entry) return NULL;
    if (!entry->value) entry->value = (test_objects_Any *)tern_heap_alloc(heap, &test_objects_Any_type);
    return entry->value;
}

/* Gives a map that was filled by hand or comes from a file its index. */
static inline int test_objects_Plain_heap_index_named(test_objects_Plain *msg, tern_heap *heap) {
    return tern_heap_index(heap, &test_objects_Plain_type, msg, 4);
}

static inline test_objects_Any *test_objects_Plain_heap_make_picked(test_objects_Plain *msg, tern_heap *heap) {
    test_objects_Any *made = (test_objects_Any *)tern_heap_alloc(heap, &test_objects_Any_type);
    if (made) test_objects_Plain_set_picked(msg, made);
    return made;
}

static inline test_objects_Plain *test_objects_Plain_heap_make_inner(test_objects_Plain *msg, tern_heap *heap) {
    test_objects_Plain *made = (test_objects_Plain *)tern_heap_alloc(heap, &test_objects_Plain_type);
    if (made) test_objects_Plain_set_inner(msg, made);
    return made;
}

static inline test_objects_Plain *test_objects_Plain_heap_make_next(test_objects_Plain *msg, tern_heap *heap) {
    test_objects_Plain *made = (test_objects_Plain *)tern_heap_alloc(heap, &test_objects_Plain_type);
    if (made) msg->next = made;
    return made;
}

/* ---- test.objects.Any */

static inline int64_t test_objects_Any_size(const test_objects_Any *msg) { return tern_protobuf_size(&test_objects_Any_type, msg); }

static inline int64_t test_objects_Any_encode(const test_objects_Any *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_objects_Any_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_objects_Any_decode(const void *data, size_t len, tern_arena *arena, int mode, test_objects_Any *msg) {
    return tern_protobuf_decode(&test_objects_Any_type, data, len, arena, mode, NULL, msg);
}

static inline int test_objects_Any_copy(const test_objects_Any *src, tern_arena *arena, test_objects_Any *dst) {
    return tern_message_copy(&test_objects_Any_type, src, arena, dst);
}

static inline bool test_objects_Any_equal(const test_objects_Any *a, const test_objects_Any *b) { return tern_message_equal(&test_objects_Any_type, a, b); }

/* ---- test.objects.Any in heaps */

/* An empty one. When this or another of these functions fails, tern_heap_problem() says why. */
static inline test_objects_Any *test_objects_Any_new(tern_heap *heap) { return (test_objects_Any *)tern_heap_alloc(heap, &test_objects_Any_type); }

/* Copies the bytes into an object of their own. */
static inline int test_objects_Any_heap_set_type_url(test_objects_Any *msg, tern_str value, tern_heap *heap) {
    int err = tern_heap_str(heap, value.data, value.len, &value);
    if (!err) msg->type_url = value;
    return err;
}

/* Copies the bytes into an object of their own. */
static inline int test_objects_Any_heap_set_value(test_objects_Any *msg, tern_bytes value, tern_heap *heap) {
    int err = tern_heap_bytes(heap, value.data, value.len, &value);
    if (!err) msg->value = value;
    return err;
}

#ifdef __cplusplus
}
#endif
#endif
