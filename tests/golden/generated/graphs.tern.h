/* Made by protoc-gen-tern from graphs.proto; changes here are lost. */
#ifndef GRAPHS_TERN_H
#define GRAPHS_TERN_H

#include "tern/codec.h"
#include "tern/graph.h"
#include "imported.tern.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct test_graphs_Node test_graphs_Node;
TERN__LIST(test_graphs_Node_list, test_graphs_Node);
extern const tern_type test_graphs_Node_type;
typedef struct test_graphs_Node_WordsEntry test_graphs_Node_WordsEntry;
TERN__MAP(test_graphs_Node_WordsEntry_map, test_graphs_Node_WordsEntry);
extern const tern_type test_graphs_Node_WordsEntry_type;
typedef struct test_graphs_Node_MadeEntry test_graphs_Node_MadeEntry;
TERN__MAP(test_graphs_Node_MadeEntry_map, test_graphs_Node_MadeEntry);
extern const tern_type test_graphs_Node_MadeEntry_type;
typedef struct test_graphs_Node_NamedEntry test_graphs_Node_NamedEntry;
TERN__MAP(test_graphs_Node_NamedEntry_map, test_graphs_Node_NamedEntry);
extern const tern_type test_graphs_Node_NamedEntry_type;
typedef struct test_graphs_Taken test_graphs_Taken;
TERN__LIST(test_graphs_Taken_list, test_graphs_Taken);
extern const tern_type test_graphs_Taken_type;
typedef struct test_graphs_Taken_new_ test_graphs_Taken_new_;
TERN__LIST(test_graphs_Taken_new__list, test_graphs_Taken_new_);
extern const tern_type test_graphs_Taken_new__type;
typedef struct test_graphs_Taken_heap_set_heap_ test_graphs_Taken_heap_set_heap_;
TERN__LIST(test_graphs_Taken_heap_set_heap__list, test_graphs_Taken_heap_set_heap_);
extern const tern_type test_graphs_Taken_heap_set_heap__type;

typedef enum test_graphs_Node_one_case {
    test_graphs_Node_one_NOT_SET = 0,
    test_graphs_Node_one_mate = 12,
    test_graphs_Node_one_word = 13,
    test_graphs_Node_one_number = 14,
} test_graphs_Node_one_case;

struct test_graphs_Node {
    test_graphs_Node_one_case one_case;
    struct {
        uint32_t data : 1;
    } has;
    uint32_t id;
    tern_str name;
    tern_bytes data;
    test_graphs_Node *next;
    struct {
        test_graphs_Node **data;
        size_t len, cap;
    } kids;
    test_graphs_Node_list inside;
    tern_list_str tags;
    tern_list_f64 values;
    test_graphs_Node_WordsEntry_map words;
    test_graphs_Node_MadeEntry_map made;
    test_graphs_Node_NamedEntry_map named;
    union {
        test_graphs_Node *mate;
        tern_str word;
        uint32_t number;
    }; /* one_case */
    test_other_Imported *imported;
    struct {
        test_other_Imported **data;
        size_t len, cap;
    } many;
    tern_unknown unknown;
};

struct test_graphs_Node_WordsEntry {
    uint32_t key;
    tern_str value;
};

struct test_graphs_Node_MadeEntry {
    tern_str key;
    test_graphs_Node *value;
};

struct test_graphs_Node_NamedEntry {
    tern_str key;
    test_graphs_Node *value;
};

typedef enum test_graphs_Taken_heap_set__case {
    test_graphs_Taken_heap_set__NOT_SET = 0,
    test_graphs_Taken_heap_set__first = 3,
    test_graphs_Taken_heap_set__made = 4,
} test_graphs_Taken_heap_set__case;

typedef enum test_graphs_Taken_heap__case {
    test_graphs_Taken_heap__NOT_SET = 0,
    test_graphs_Taken_heap__set_made = 5,
    test_graphs_Taken_heap__last = 6,
} test_graphs_Taken_heap__case;

/* Names that the functions for heaps have taken. */
struct test_graphs_Taken {
    test_graphs_Taken_heap_set__case heap_set_case;
    test_graphs_Taken_heap__case heap__case;
    tern_str heap;
    tern_str heap_heap;
    union {
        tern_str first;
        tern_str made;
    }; /* heap_set_case */
    union {
        tern_str set_made;
        uint32_t last;
    }; /* heap__case */
    tern_unknown unknown;
};

struct test_graphs_Taken_new_ {
    bool x;
    tern_unknown unknown;
};

struct test_graphs_Taken_heap_set_heap_ {
    bool x;
    tern_unknown unknown;
};

/* ---- test.graphs.Node */

static inline int64_t test_graphs_Node_size(const test_graphs_Node *msg) { return tern_protobuf_size(&test_graphs_Node_type, msg); }

static inline int64_t test_graphs_Node_encode(const test_graphs_Node *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_graphs_Node_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_graphs_Node_decode(const void *data, size_t len, tern_arena *arena, int mode, test_graphs_Node *msg) {
    return tern_protobuf_decode(&test_graphs_Node_type, data, len, arena, mode, NULL, msg);
}

static inline int test_graphs_Node_copy(const test_graphs_Node *src, tern_arena *arena, test_graphs_Node *dst) {
    return tern_message_copy(&test_graphs_Node_type, src, arena, dst);
}

static inline bool test_graphs_Node_equal(const test_graphs_Node *a, const test_graphs_Node *b) { return tern_message_equal(&test_graphs_Node_type, a, b); }

static inline test_graphs_Node_one_case test_graphs_Node_which_one(const test_graphs_Node *msg) { return msg->one_case; }

static inline void test_graphs_Node_clear_one(test_graphs_Node *msg) { msg->one_case = test_graphs_Node_one_NOT_SET; }

static inline bool test_graphs_Node_has_data(const test_graphs_Node *msg) { return msg->has.data; }

static inline void test_graphs_Node_set_data(test_graphs_Node *msg, tern_bytes value) {
    msg->data = value;
    msg->has.data = 1;
}

static inline void test_graphs_Node_clear_data(test_graphs_Node *msg) {
    msg->data.data = NULL;
    msg->data.len = 0;
    msg->has.data = 0;
}

static inline test_graphs_Node *test_graphs_Node_make_next(test_graphs_Node *msg, tern_arena *arena) {
    return msg->next = (test_graphs_Node *)tern_arena_zalloc(arena, sizeof *msg->next);
}

static inline bool test_graphs_Node_has_next(const test_graphs_Node *msg) { return msg->next != NULL; }

static inline void test_graphs_Node_clear_next(test_graphs_Node *msg) { msg->next = NULL; }

/* Room for n pointers; those from len on are NULL. */
static inline int test_graphs_Node_reserve_kids(test_graphs_Node *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->kids, n, sizeof *msg->kids.data, arena);
}

/* Appends a message that lies elsewhere, which is borrowed: 0 or TERN_ERR_NOMEM. */
static inline int test_graphs_Node_put_kids(test_graphs_Node *msg, test_graphs_Node *element, tern_arena *arena) {
    if (test_graphs_Node_reserve_kids(msg, msg->kids.len + 1, arena)) return TERN_ERR_NOMEM;
    msg->kids.data[msg->kids.len++] = element;
    return 0;
}

/* Appends an empty message from the arena; NULL when memory is out. */
static inline test_graphs_Node *test_graphs_Node_add_kids(test_graphs_Node *msg, tern_arena *arena) {
    test_graphs_Node *made = (test_graphs_Node *)tern_arena_zalloc(arena, sizeof *made);
    return made && test_graphs_Node_put_kids(msg, made, arena) == 0 ? made : NULL;
}

static inline int test_graphs_Node_reserve_inside(test_graphs_Node *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->inside, n, sizeof *msg->inside.data, arena);
}

static inline test_graphs_Node *test_graphs_Node_add_inside(test_graphs_Node *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->inside, msg->inside.len + 1, sizeof *msg->inside.data, arena)) return NULL;
    return &msg->inside.data[msg->inside.len++];
}

static inline int test_graphs_Node_reserve_tags(test_graphs_Node *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->tags, n, sizeof *msg->tags.data, arena);
}

static inline tern_str *test_graphs_Node_add_tags(test_graphs_Node *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->tags, msg->tags.len + 1, sizeof *msg->tags.data, arena)) return NULL;
    return &msg->tags.data[msg->tags.len++];
}

static inline int test_graphs_Node_reserve_values(test_graphs_Node *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->values, n, sizeof *msg->values.data, arena);
}

static inline double *test_graphs_Node_add_values(test_graphs_Node *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->values, msg->values.len + 1, sizeof *msg->values.data, arena)) return NULL;
    return &msg->values.data[msg->values.len++];
}

/* Sets the value of this key: 0 or TERN_ERR_NOMEM. Key and value are borrowed. */
static inline int test_graphs_Node_put_words(test_graphs_Node *msg, uint32_t key, tern_str value, tern_arena *arena) {
    test_graphs_Node_WordsEntry *entry = (test_graphs_Node_WordsEntry *)tern_map_insert(&test_graphs_Node_WordsEntry_type, &msg->words, &key, arena);
    if (!entry) return TERN_ERR_NOMEM;
    entry->value = value;
    return 0;
}

/* The value of this key, or NULL. */
static inline tern_str *test_graphs_Node_get_words(const test_graphs_Node *msg, uint32_t key) {
    test_graphs_Node_WordsEntry *entry = (test_graphs_Node_WordsEntry *)tern_map_find(&test_graphs_Node_WordsEntry_type, &msg->words, &key);
    return entry ? &entry->value : NULL;
}

static inline bool test_graphs_Node_remove_words(test_graphs_Node *msg, uint32_t key) {
    return tern_map_remove(&test_graphs_Node_WordsEntry_type, &msg->words, &key);
}

/* The value of this key, made empty when there is none; NULL when memory is out. The key is borrowed. */
static inline test_graphs_Node *test_graphs_Node_put_made(test_graphs_Node *msg, tern_str key, tern_arena *arena) {
    test_graphs_Node_MadeEntry *entry = (test_graphs_Node_MadeEntry *)tern_map_insert(&test_graphs_Node_MadeEntry_type, &msg->made, &key, arena);
    if (!entry) return NULL;
    if (!entry->value) entry->value = (test_graphs_Node *)tern_arena_zalloc(arena, sizeof *entry->value);
    return entry->value;
}

/* The value of this key, or NULL. */
static inline test_graphs_Node *test_graphs_Node_get_made(const test_graphs_Node *msg, tern_str key) {
    test_graphs_Node_MadeEntry *entry = (test_graphs_Node_MadeEntry *)tern_map_find(&test_graphs_Node_MadeEntry_type, &msg->made, &key);
    return entry ? entry->value : NULL;
}

static inline bool test_graphs_Node_remove_made(test_graphs_Node *msg, tern_str key) {
    return tern_map_remove(&test_graphs_Node_MadeEntry_type, &msg->made, &key);
}

/* Sets the value of this key: 0 or TERN_ERR_NOMEM. Key and value are borrowed. */
static inline int test_graphs_Node_put_named(test_graphs_Node *msg, tern_str key, test_graphs_Node *value, tern_arena *arena) {
    test_graphs_Node_NamedEntry *entry = (test_graphs_Node_NamedEntry *)tern_map_insert(&test_graphs_Node_NamedEntry_type, &msg->named, &key, arena);
    if (!entry) return TERN_ERR_NOMEM;
    entry->value = value;
    return 0;
}

/* The value of this key, or NULL. */
static inline test_graphs_Node *test_graphs_Node_get_named(const test_graphs_Node *msg, tern_str key) {
    test_graphs_Node_NamedEntry *entry = (test_graphs_Node_NamedEntry *)tern_map_find(&test_graphs_Node_NamedEntry_type, &msg->named, &key);
    return entry ? entry->value : NULL;
}

static inline bool test_graphs_Node_remove_named(test_graphs_Node *msg, tern_str key) {
    return tern_map_remove(&test_graphs_Node_NamedEntry_type, &msg->named, &key);
}

static inline bool test_graphs_Node_has_mate(const test_graphs_Node *msg) { return msg->one_case == test_graphs_Node_one_mate; }

static inline void test_graphs_Node_set_mate(test_graphs_Node *msg, test_graphs_Node *value) {
    msg->mate = value;
    msg->one_case = test_graphs_Node_one_mate;
}

static inline void test_graphs_Node_clear_mate(test_graphs_Node *msg) {
    if (msg->one_case == test_graphs_Node_one_mate) msg->one_case = test_graphs_Node_one_NOT_SET;
}

static inline test_graphs_Node *test_graphs_Node_make_mate(test_graphs_Node *msg, tern_arena *arena) {
    test_graphs_Node *made = (test_graphs_Node *)tern_arena_zalloc(arena, sizeof *made);
    if (made) test_graphs_Node_set_mate(msg, made);
    return made;
}

static inline bool test_graphs_Node_has_word(const test_graphs_Node *msg) { return msg->one_case == test_graphs_Node_one_word; }

static inline void test_graphs_Node_set_word(test_graphs_Node *msg, tern_str value) {
    msg->word = value;
    msg->one_case = test_graphs_Node_one_word;
}

static inline void test_graphs_Node_clear_word(test_graphs_Node *msg) {
    if (msg->one_case == test_graphs_Node_one_word) msg->one_case = test_graphs_Node_one_NOT_SET;
}

static inline bool test_graphs_Node_has_number(const test_graphs_Node *msg) { return msg->one_case == test_graphs_Node_one_number; }

static inline void test_graphs_Node_set_number(test_graphs_Node *msg, uint32_t value) {
    msg->number = value;
    msg->one_case = test_graphs_Node_one_number;
}

static inline void test_graphs_Node_clear_number(test_graphs_Node *msg) {
    if (msg->one_case == test_graphs_Node_one_number) msg->one_case = test_graphs_Node_one_NOT_SET;
}

static inline test_other_Imported *test_graphs_Node_make_imported(test_graphs_Node *msg, tern_arena *arena) {
    return msg->imported = (test_other_Imported *)tern_arena_zalloc(arena, sizeof *msg->imported);
}

static inline bool test_graphs_Node_has_imported(const test_graphs_Node *msg) { return msg->imported != NULL; }

static inline void test_graphs_Node_clear_imported(test_graphs_Node *msg) { msg->imported = NULL; }

/* Room for n pointers; those from len on are NULL. */
static inline int test_graphs_Node_reserve_many(test_graphs_Node *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->many, n, sizeof *msg->many.data, arena);
}

/* Appends a message that lies elsewhere, which is borrowed: 0 or TERN_ERR_NOMEM. */
static inline int test_graphs_Node_put_many(test_graphs_Node *msg, test_other_Imported *element, tern_arena *arena) {
    if (test_graphs_Node_reserve_many(msg, msg->many.len + 1, arena)) return TERN_ERR_NOMEM;
    msg->many.data[msg->many.len++] = element;
    return 0;
}

/* Appends an empty message from the arena; NULL when memory is out. */
static inline test_other_Imported *test_graphs_Node_add_many(test_graphs_Node *msg, tern_arena *arena) {
    test_other_Imported *made = (test_other_Imported *)tern_arena_zalloc(arena, sizeof *made);
    return made && test_graphs_Node_put_many(msg, made, arena) == 0 ? made : NULL;
}

/* ---- test.graphs.Node in heaps */

/* An empty one. When this or another of these functions fails, tern_heap_problem() says why. */
static inline test_graphs_Node *test_graphs_Node_new(tern_heap *heap) { return (test_graphs_Node *)tern_heap_alloc(heap, &test_graphs_Node_type); }

/* Copies the bytes into an object of their own. */
static inline int test_graphs_Node_heap_set_name(test_graphs_Node *msg, tern_str value, tern_heap *heap) {
    int err = tern_heap_str(heap, value.data, value.len, &value);
    if (!err) msg->name = value;
    return err;
}

/* Copies the bytes into an object of their own. */
static inline int test_graphs_Node_heap_set_data(test_graphs_Node *msg, tern_bytes value, tern_heap *heap) {
    int err = tern_heap_bytes(heap, value.data, value.len, &value);
    if (!err) test_graphs_Node_set_data(msg, value);
    return err;
}

static inline test_graphs_Node *test_graphs_Node_heap_make_next(test_graphs_Node *msg, tern_heap *heap) {
    test_graphs_Node *made = (test_graphs_Node *)tern_heap_alloc(heap, &test_graphs_Node_type);
    if (made) msg->next = made;
    return made;
}

static inline int test_graphs_Node_heap_reserve_kids(test_graphs_Node *msg, size_t n, tern_heap *heap) {
    return tern_heap_reserve(heap, &test_graphs_Node_type, msg, 5, n);
}

/* Appends a message that is there already. */
static inline int test_graphs_Node_heap_put_kids(test_graphs_Node *msg, test_graphs_Node *element, tern_heap *heap) {
    int err = test_graphs_Node_heap_reserve_kids(msg, msg->kids.len + 1, heap);
    if (!err) msg->kids.data[msg->kids.len++] = element;
    return err;
}

/* Appends an empty message. */
static inline test_graphs_Node *test_graphs_Node_heap_add_kids(test_graphs_Node *msg, tern_heap *heap) {
    test_graphs_Node *made = (test_graphs_Node *)tern_heap_alloc(heap, &test_graphs_Node_type);
    return made && test_graphs_Node_heap_put_kids(msg, made, heap) == 0 ? made : NULL;
}

static inline int test_graphs_Node_heap_reserve_inside(test_graphs_Node *msg, size_t n, tern_heap *heap) {
    return tern_heap_reserve(heap, &test_graphs_Node_type, msg, 6, n);
}

static inline test_graphs_Node *test_graphs_Node_heap_add_inside(test_graphs_Node *msg, tern_heap *heap) {
    if (test_graphs_Node_heap_reserve_inside(msg, msg->inside.len + 1, heap)) return NULL;
    return &msg->inside.data[msg->inside.len++];
}

static inline int test_graphs_Node_heap_reserve_tags(test_graphs_Node *msg, size_t n, tern_heap *heap) {
    return tern_heap_reserve(heap, &test_graphs_Node_type, msg, 7, n);
}

static inline tern_str *test_graphs_Node_heap_add_tags(test_graphs_Node *msg, tern_heap *heap) {
    if (test_graphs_Node_heap_reserve_tags(msg, msg->tags.len + 1, heap)) return NULL;
    return &msg->tags.data[msg->tags.len++];
}

static inline int test_graphs_Node_heap_reserve_values(test_graphs_Node *msg, size_t n, tern_heap *heap) {
    return tern_heap_reserve(heap, &test_graphs_Node_type, msg, 8, n);
}

static inline double *test_graphs_Node_heap_add_values(test_graphs_Node *msg, tern_heap *heap) {
    if (test_graphs_Node_heap_reserve_values(msg, msg->values.len + 1, heap)) return NULL;
    return &msg->values.data[msg->values.len++];
}

static inline int test_graphs_Node_heap_reserve_words(test_graphs_Node *msg, size_t n, tern_heap *heap) {
    return tern_heap_reserve(heap, &test_graphs_Node_type, msg, 9, n);
}

/* Sets the value of this key: 0 or TERN_ERR_NOMEM. */
static inline int test_graphs_Node_heap_put_words(test_graphs_Node *msg, uint32_t key, tern_str value, tern_heap *heap) {
    test_graphs_Node_WordsEntry *entry = (test_graphs_Node_WordsEntry *)tern_heap_put(heap, &test_graphs_Node_type, msg, 9, &key);
    if (!entry) return TERN_ERR_NOMEM;
    entry->value = value;
    return 0;
}

/* Gives a map that was filled by hand or comes from a file its index. */
static inline int test_graphs_Node_heap_index_words(test_graphs_Node *msg, tern_heap *heap) {
    return tern_heap_index(heap, &test_graphs_Node_type, msg, 9);
}

static inline int test_graphs_Node_heap_reserve_made(test_graphs_Node *msg, size_t n, tern_heap *heap) {
    return tern_heap_reserve(heap, &test_graphs_Node_type, msg, 10, n);
}

/* The value of this key, made empty when there is none; the key's bytes are borrowed. */
static inline test_graphs_Node *test_graphs_Node_heap_put_made(test_graphs_Node *msg, tern_str key, tern_heap *heap) {
    test_graphs_Node_MadeEntry *entry = (test_graphs_Node_MadeEntry *)tern_heap_put(heap, &test_graphs_Node_type, msg, 10, &key);
    if (!entry) return NULL;
    if (!entry->value) entry->value = (test_graphs_Node *)tern_heap_alloc(heap, &test_graphs_Node_type);
    return entry->value;
}

/* Gives a map that was filled by hand or comes from a file its index. */
static inline int test_graphs_Node_heap_index_made(test_graphs_Node *msg, tern_heap *heap) {
    return tern_heap_index(heap, &test_graphs_Node_type, msg, 10);
}

static inline int test_graphs_Node_heap_reserve_named(test_graphs_Node *msg, size_t n, tern_heap *heap) {
    return tern_heap_reserve(heap, &test_graphs_Node_type, msg, 11, n);
}

/* Sets the value of this key: 0 or TERN_ERR_NOMEM; the key's bytes are borrowed. */
static inline int test_graphs_Node_heap_put_named(test_graphs_Node *msg, tern_str key, test_graphs_Node *value, tern_heap *heap) {
    test_graphs_Node_NamedEntry *entry = (test_graphs_Node_NamedEntry *)tern_heap_put(heap, &test_graphs_Node_type, msg, 11, &key);
    if (!entry) return TERN_ERR_NOMEM;
    entry->value = value;
    return 0;
}

/* Gives a map that was filled by hand or comes from a file its index. */
static inline int test_graphs_Node_heap_index_named(test_graphs_Node *msg, tern_heap *heap) {
    return tern_heap_index(heap, &test_graphs_Node_type, msg, 11);
}

static inline test_graphs_Node *test_graphs_Node_heap_make_mate(test_graphs_Node *msg, tern_heap *heap) {
    test_graphs_Node *made = (test_graphs_Node *)tern_heap_alloc(heap, &test_graphs_Node_type);
    if (made) test_graphs_Node_set_mate(msg, made);
    return made;
}

/* Copies the bytes into an object of their own. */
static inline int test_graphs_Node_heap_set_word(test_graphs_Node *msg, tern_str value, tern_heap *heap) {
    int err = tern_heap_str(heap, value.data, value.len, &value);
    if (!err) test_graphs_Node_set_word(msg, value);
    return err;
}

static inline test_other_Imported *test_graphs_Node_heap_make_imported(test_graphs_Node *msg, tern_heap *heap) {
    test_other_Imported *made = (test_other_Imported *)tern_heap_alloc(heap, &test_other_Imported_type);
    if (made) msg->imported = made;
    return made;
}

static inline int test_graphs_Node_heap_reserve_many(test_graphs_Node *msg, size_t n, tern_heap *heap) {
    return tern_heap_reserve(heap, &test_graphs_Node_type, msg, 16, n);
}

/* Appends a message that is there already. */
static inline int test_graphs_Node_heap_put_many(test_graphs_Node *msg, test_other_Imported *element, tern_heap *heap) {
    int err = test_graphs_Node_heap_reserve_many(msg, msg->many.len + 1, heap);
    if (!err) msg->many.data[msg->many.len++] = element;
    return err;
}

/* Appends an empty message. */
static inline test_other_Imported *test_graphs_Node_heap_add_many(test_graphs_Node *msg, tern_heap *heap) {
    test_other_Imported *made = (test_other_Imported *)tern_heap_alloc(heap, &test_other_Imported_type);
    return made && test_graphs_Node_heap_put_many(msg, made, heap) == 0 ? made : NULL;
}

/* ---- test.graphs.Taken */

static inline int64_t test_graphs_Taken_size(const test_graphs_Taken *msg) { return tern_protobuf_size(&test_graphs_Taken_type, msg); }

static inline int64_t test_graphs_Taken_encode(const test_graphs_Taken *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_graphs_Taken_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_graphs_Taken_decode(const void *data, size_t len, tern_arena *arena, int mode, test_graphs_Taken *msg) {
    return tern_protobuf_decode(&test_graphs_Taken_type, data, len, arena, mode, NULL, msg);
}

static inline int test_graphs_Taken_copy(const test_graphs_Taken *src, tern_arena *arena, test_graphs_Taken *dst) {
    return tern_message_copy(&test_graphs_Taken_type, src, arena, dst);
}

static inline bool test_graphs_Taken_equal(const test_graphs_Taken *a, const test_graphs_Taken *b) { return tern_message_equal(&test_graphs_Taken_type, a, b); }

static inline test_graphs_Taken_heap_set__case test_graphs_Taken_which_heap_set(const test_graphs_Taken *msg) { return msg->heap_set_case; }

static inline void test_graphs_Taken_clear_heap_set(test_graphs_Taken *msg) { msg->heap_set_case = test_graphs_Taken_heap_set__NOT_SET; }

static inline test_graphs_Taken_heap__case test_graphs_Taken_which_heap_(const test_graphs_Taken *msg) { return msg->heap__case; }

static inline void test_graphs_Taken_clear_heap_(test_graphs_Taken *msg) { msg->heap__case = test_graphs_Taken_heap__NOT_SET; }

static inline bool test_graphs_Taken_has_first(const test_graphs_Taken *msg) { return msg->heap_set_case == test_graphs_Taken_heap_set__first; }

static inline void test_graphs_Taken_set_first(test_graphs_Taken *msg, tern_str value) {
    msg->first = value;
    msg->heap_set_case = test_graphs_Taken_heap_set__first;
}

static inline void test_graphs_Taken_clear_first(test_graphs_Taken *msg) {
    if (msg->heap_set_case == test_graphs_Taken_heap_set__first) msg->heap_set_case = test_graphs_Taken_heap_set__NOT_SET;
}

static inline bool test_graphs_Taken_has_made(const test_graphs_Taken *msg) { return msg->heap_set_case == test_graphs_Taken_heap_set__made; }

static inline void test_graphs_Taken_set_made(test_graphs_Taken *msg, tern_str value) {
    msg->made = value;
    msg->heap_set_case = test_graphs_Taken_heap_set__made;
}

static inline void test_graphs_Taken_clear_made(test_graphs_Taken *msg) {
    if (msg->heap_set_case == test_graphs_Taken_heap_set__made) msg->heap_set_case = test_graphs_Taken_heap_set__NOT_SET;
}

static inline bool test_graphs_Taken_has_set_made(const test_graphs_Taken *msg) { return msg->heap__case == test_graphs_Taken_heap__set_made; }

static inline void test_graphs_Taken_set_set_made(test_graphs_Taken *msg, tern_str value) {
    msg->set_made = value;
    msg->heap__case = test_graphs_Taken_heap__set_made;
}

static inline void test_graphs_Taken_clear_set_made(test_graphs_Taken *msg) {
    if (msg->heap__case == test_graphs_Taken_heap__set_made) msg->heap__case = test_graphs_Taken_heap__NOT_SET;
}

static inline bool test_graphs_Taken_has_last(const test_graphs_Taken *msg) { return msg->heap__case == test_graphs_Taken_heap__last; }

static inline void test_graphs_Taken_set_last(test_graphs_Taken *msg, uint32_t value) {
    msg->last = value;
    msg->heap__case = test_graphs_Taken_heap__last;
}

static inline void test_graphs_Taken_clear_last(test_graphs_Taken *msg) {
    if (msg->heap__case == test_graphs_Taken_heap__last) msg->heap__case = test_graphs_Taken_heap__NOT_SET;
}

/* ---- test.graphs.Taken in heaps */

/* An empty one. When this or another of these functions fails, tern_heap_problem() says why. */
static inline test_graphs_Taken *test_graphs_Taken_new(tern_heap *heap) { return (test_graphs_Taken *)tern_heap_alloc(heap, &test_graphs_Taken_type); }

/* Copies the bytes into an object of their own. */
static inline int test_graphs_Taken_heap_set_heap(test_graphs_Taken *msg, tern_str value, tern_heap *heap) {
    int err = tern_heap_str(heap, value.data, value.len, &value);
    if (!err) msg->heap = value;
    return err;
}

/* Copies the bytes into an object of their own. */
static inline int test_graphs_Taken_heap_set_heap_heap(test_graphs_Taken *msg, tern_str value, tern_heap *heap) {
    int err = tern_heap_str(heap, value.data, value.len, &value);
    if (!err) msg->heap_heap = value;
    return err;
}

/* Copies the bytes into an object of their own. */
static inline int test_graphs_Taken_heap_set_first(test_graphs_Taken *msg, tern_str value, tern_heap *heap) {
    int err = tern_heap_str(heap, value.data, value.len, &value);
    if (!err) test_graphs_Taken_set_first(msg, value);
    return err;
}

/* Copies the bytes into an object of their own. */
static inline int test_graphs_Taken_heap_set_made(test_graphs_Taken *msg, tern_str value, tern_heap *heap) {
    int err = tern_heap_str(heap, value.data, value.len, &value);
    if (!err) test_graphs_Taken_set_made(msg, value);
    return err;
}

/* Copies the bytes into an object of their own. */
static inline int test_graphs_Taken_heap_set_set_made(test_graphs_Taken *msg, tern_str value, tern_heap *heap) {
    int err = tern_heap_str(heap, value.data, value.len, &value);
    if (!err) test_graphs_Taken_set_set_made(msg, value);
    return err;
}

/* ---- test.graphs.Taken.new */

static inline int64_t test_graphs_Taken_new__size(const test_graphs_Taken_new_ *msg) { return tern_protobuf_size(&test_graphs_Taken_new__type, msg); }

static inline int64_t test_graphs_Taken_new__encode(const test_graphs_Taken_new_ *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_graphs_Taken_new__type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_graphs_Taken_new__decode(const void *data, size_t len, tern_arena *arena, int mode, test_graphs_Taken_new_ *msg) {
    return tern_protobuf_decode(&test_graphs_Taken_new__type, data, len, arena, mode, NULL, msg);
}

static inline int test_graphs_Taken_new__copy(const test_graphs_Taken_new_ *src, tern_arena *arena, test_graphs_Taken_new_ *dst) {
    return tern_message_copy(&test_graphs_Taken_new__type, src, arena, dst);
}

static inline bool test_graphs_Taken_new__equal(const test_graphs_Taken_new_ *a, const test_graphs_Taken_new_ *b) { return tern_message_equal(&test_graphs_Taken_new__type, a, b); }

/* ---- test.graphs.Taken.new in heaps */

/* An empty one. When this or another of these functions fails, tern_heap_problem() says why. */
static inline test_graphs_Taken_new_ *test_graphs_Taken_new__new(tern_heap *heap) { return (test_graphs_Taken_new_ *)tern_heap_alloc(heap, &test_graphs_Taken_new__type); }

/* ---- test.graphs.Taken.heap_set_heap */

static inline int64_t test_graphs_Taken_heap_set_heap__size(const test_graphs_Taken_heap_set_heap_ *msg) { return tern_protobuf_size(&test_graphs_Taken_heap_set_heap__type, msg); }

static inline int64_t test_graphs_Taken_heap_set_heap__encode(const test_graphs_Taken_heap_set_heap_ *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_graphs_Taken_heap_set_heap__type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_graphs_Taken_heap_set_heap__decode(const void *data, size_t len, tern_arena *arena, int mode, test_graphs_Taken_heap_set_heap_ *msg) {
    return tern_protobuf_decode(&test_graphs_Taken_heap_set_heap__type, data, len, arena, mode, NULL, msg);
}

static inline int test_graphs_Taken_heap_set_heap__copy(const test_graphs_Taken_heap_set_heap_ *src, tern_arena *arena, test_graphs_Taken_heap_set_heap_ *dst) {
    return tern_message_copy(&test_graphs_Taken_heap_set_heap__type, src, arena, dst);
}

static inline bool test_graphs_Taken_heap_set_heap__equal(const test_graphs_Taken_heap_set_heap_ *a, const test_graphs_Taken_heap_set_heap_ *b) { return tern_message_equal(&test_graphs_Taken_heap_set_heap__type, a, b); }

/* ---- test.graphs.Taken.heap_set_heap in heaps */

/* An empty one. When this or another of these functions fails, tern_heap_problem() says why. */
static inline test_graphs_Taken_heap_set_heap_ *test_graphs_Taken_heap_set_heap__new(tern_heap *heap) { return (test_graphs_Taken_heap_set_heap_ *)tern_heap_alloc(heap, &test_graphs_Taken_heap_set_heap__type); }

#ifdef __cplusplus
}
#endif
#endif
