/* Made by protoc-gen-tern from refs.proto; changes here are lost. */
#ifndef REFS_TERN_H
#define REFS_TERN_H

#include "tern/codec.h"
#include "imported.tern.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum test_refs_Color {
    test_refs_Color_RED = 0,
    test_refs_Color_GREEN = 5,
} test_refs_Color;
extern const tern_enum test_refs_Color_enum;

typedef struct test_refs_Leaf test_refs_Leaf;
TERN__LIST(test_refs_Leaf_list, test_refs_Leaf);
extern const tern_type test_refs_Leaf_type;
typedef struct test_refs_Node test_refs_Node;
TERN__LIST(test_refs_Node_list, test_refs_Node);
extern const tern_type test_refs_Node_type;
typedef struct test_refs_Node_NamedEntry test_refs_Node_NamedEntry;
TERN__MAP(test_refs_Node_NamedEntry_map, test_refs_Node_NamedEntry);
extern const tern_type test_refs_Node_NamedEntry_type;
typedef struct test_refs_Node_NumberedEntry test_refs_Node_NumberedEntry;
TERN__MAP(test_refs_Node_NumberedEntry_map, test_refs_Node_NumberedEntry);
extern const tern_type test_refs_Node_NumberedEntry_type;
typedef struct test_refs_Node_WideEntry test_refs_Node_WideEntry;
TERN__MAP(test_refs_Node_WideEntry_map, test_refs_Node_WideEntry);
extern const tern_type test_refs_Node_WideEntry_type;
typedef struct test_refs_Node_FlagsEntry test_refs_Node_FlagsEntry;
TERN__MAP(test_refs_Node_FlagsEntry_map, test_refs_Node_FlagsEntry);
extern const tern_type test_refs_Node_FlagsEntry_type;
typedef struct test_refs_Link test_refs_Link;
TERN__LIST(test_refs_Link_list, test_refs_Link);
extern const tern_type test_refs_Link_type;
typedef struct test_refs_Link_NamedEntry test_refs_Link_NamedEntry;
TERN__MAP(test_refs_Link_NamedEntry_map, test_refs_Link_NamedEntry);
extern const tern_type test_refs_Link_NamedEntry_type;
typedef struct test_refs_Far test_refs_Far;
TERN__LIST(test_refs_Far_list, test_refs_Far);
extern const tern_type test_refs_Far_type;

struct test_refs_Leaf {
    struct {
        uint32_t id : 1;
        uint32_t data : 1;
    } has;
    int32_t id;
    tern_bytes data;
    tern_unknown unknown;
};

typedef enum test_refs_Node_choice_case {
    test_refs_Node_choice_NOT_SET = 0,
    test_refs_Node_choice_inner = 11,
    test_refs_Node_choice_ratio = 12,
} test_refs_Node_choice_case;

/* A node of a tree, or of any other graph. values.proto has the same without pointers in lists. */
struct test_refs_Node {
    test_refs_Node_choice_case choice_case;
    struct {
        uint32_t id : 1;
        uint32_t name : 1;
    } has;
    int32_t id;
    tern_str name;
    /* The nodes below, or beside. */
    struct {
        test_refs_Node **data;
        size_t len, cap;
    } kids;
    test_refs_Node_NamedEntry_map named;
    test_refs_Node *next;
    struct {
        test_refs_Leaf **data;
        size_t len, cap;
    } leaves;
    test_refs_Node_list plain;
    struct {
        test_other_Imported **data;
        size_t len, cap;
    } imported;
    tern_list_i32 colors; /* test_refs_Color */
    tern_list_i64 numbers;
    union {
        test_refs_Node *inner;
        double ratio;
    }; /* choice_case */
    test_refs_Node_NumberedEntry_map numbered;
    test_refs_Node_WideEntry_map wide;
    test_refs_Node_FlagsEntry_map flags;
    tern_unknown unknown;
};

struct test_refs_Node_NamedEntry {
    tern_str key;
    test_refs_Node *value;
};

struct test_refs_Node_NumberedEntry {
    int32_t key;
    test_refs_Leaf *value;
};

struct test_refs_Node_WideEntry {
    uint64_t key;
    test_refs_Node *value;
};

struct test_refs_Node_FlagsEntry {
    bool key;
    test_refs_Node *value;
};

/* Little but what leads to others. */
struct test_refs_Link {
    test_refs_Link *left;
    test_refs_Link *right;
    struct {
        test_refs_Link **data;
        size_t len, cap;
    } links;
    test_refs_Link_NamedEntry_map named;
    test_refs_Link_list plain;
    tern_unknown unknown;
};

struct test_refs_Link_NamedEntry {
    tern_str key;
    test_refs_Link *value;
};

/* A tag of three bytes. */
struct test_refs_Far {
    struct {
        test_refs_Node **data;
        size_t len, cap;
    } nodes;
    tern_unknown unknown;
};

/* ---- test.refs.Leaf */

static inline int64_t test_refs_Leaf_size(const test_refs_Leaf *msg) { return tern_protobuf_size(&test_refs_Leaf_type, msg); }

static inline int64_t test_refs_Leaf_encode(const test_refs_Leaf *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_refs_Leaf_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_refs_Leaf_decode(const void *data, size_t len, tern_arena *arena, int mode, test_refs_Leaf *msg) {
    return tern_protobuf_decode(&test_refs_Leaf_type, data, len, arena, mode, NULL, msg);
}

static inline int test_refs_Leaf_copy(const test_refs_Leaf *src, tern_arena *arena, test_refs_Leaf *dst) {
    return tern_message_copy(&test_refs_Leaf_type, src, arena, dst);
}

static inline bool test_refs_Leaf_equal(const test_refs_Leaf *a, const test_refs_Leaf *b) { return tern_message_equal(&test_refs_Leaf_type, a, b); }

static inline bool test_refs_Leaf_has_id(const test_refs_Leaf *msg) { return msg->has.id; }

static inline void test_refs_Leaf_set_id(test_refs_Leaf *msg, int32_t value) {
    msg->id = value;
    msg->has.id = 1;
}

static inline void test_refs_Leaf_clear_id(test_refs_Leaf *msg) {
    msg->id = 0;
    msg->has.id = 0;
}

static inline bool test_refs_Leaf_has_data(const test_refs_Leaf *msg) { return msg->has.data; }

static inline void test_refs_Leaf_set_data(test_refs_Leaf *msg, tern_bytes value) {
    msg->data = value;
    msg->has.data = 1;
}

static inline void test_refs_Leaf_clear_data(test_refs_Leaf *msg) {
    msg->data.data = NULL;
    msg->data.len = 0;
    msg->has.data = 0;
}

/* ---- test.refs.Node */

static inline int64_t test_refs_Node_size(const test_refs_Node *msg) { return tern_protobuf_size(&test_refs_Node_type, msg); }

static inline int64_t test_refs_Node_encode(const test_refs_Node *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_refs_Node_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_refs_Node_decode(const void *data, size_t len, tern_arena *arena, int mode, test_refs_Node *msg) {
    return tern_protobuf_decode(&test_refs_Node_type, data, len, arena, mode, NULL, msg);
}

static inline int test_refs_Node_copy(const test_refs_Node *src, tern_arena *arena, test_refs_Node *dst) {
    return tern_message_copy(&test_refs_Node_type, src, arena, dst);
}

static inline bool test_refs_Node_equal(const test_refs_Node *a, const test_refs_Node *b) { return tern_message_equal(&test_refs_Node_type, a, b); }

static inline test_refs_Node_choice_case test_refs_Node_which_choice(const test_refs_Node *msg) { return msg->choice_case; }

static inline void test_refs_Node_clear_choice(test_refs_Node *msg) { msg->choice_case = test_refs_Node_choice_NOT_SET; }

static inline bool test_refs_Node_has_id(const test_refs_Node *msg) { return msg->has.id; }

static inline void test_refs_Node_set_id(test_refs_Node *msg, int32_t value) {
    msg->id = value;
    msg->has.id = 1;
}

static inline void test_refs_Node_clear_id(test_refs_Node *msg) {
    msg->id = 0;
    msg->has.id = 0;
}

static inline bool test_refs_Node_has_name(const test_refs_Node *msg) { return msg->has.name; }

static inline void test_refs_Node_set_name(test_refs_Node *msg, tern_str value) {
    msg->name = value;
    msg->has.name = 1;
}

static inline void test_refs_Node_clear_name(test_refs_Node *msg) {
    msg->name.data = NULL;
    msg->name.len = 0;
    msg->has.name = 0;
}

/* Room for n pointers; those from len on are NULL. */
static inline int test_refs_Node_reserve_kids(test_refs_Node *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->kids, n, sizeof *msg->kids.data, arena);
}

/* Appends a message that lies elsewhere, which is borrowed: 0 or TERN_ERR_NOMEM. */
static inline int test_refs_Node_put_kids(test_refs_Node *msg, test_refs_Node *element, tern_arena *arena) {
    if (test_refs_Node_reserve_kids(msg, msg->kids.len + 1, arena)) return TERN_ERR_NOMEM;
    msg->kids.data[msg->kids.len++] = element;
    return 0;
}

/* Appends an empty message from the arena; NULL when memory is out. */
static inline test_refs_Node *test_refs_Node_add_kids(test_refs_Node *msg, tern_arena *arena) {
    test_refs_Node *made = (test_refs_Node *)tern_arena_zalloc(arena, sizeof *made);
    return made && test_refs_Node_put_kids(msg, made, arena) == 0 ? made : NULL;
}

/* Sets the value of this key: 0 or TERN_ERR_NOMEM. Key and value are borrowed. */
static inline int test_refs_Node_put_named(test_refs_Node *msg, tern_str key, test_refs_Node *value, tern_arena *arena) {
    test_refs_Node_NamedEntry *entry = (test_refs_Node_NamedEntry *)tern_map_insert(&test_refs_Node_NamedEntry_type, &msg->named, &key, arena);
    if (!entry) return TERN_ERR_NOMEM;
    entry->value = value;
    return 0;
}

/* The value of this key, or NULL. */
static inline test_refs_Node *test_refs_Node_get_named(const test_refs_Node *msg, tern_str key) {
    test_refs_Node_NamedEntry *entry = (test_refs_Node_NamedEntry *)tern_map_find(&test_refs_Node_NamedEntry_type, &msg->named, &key);
    return entry ? entry->value : NULL;
}

static inline bool test_refs_Node_remove_named(test_refs_Node *msg, tern_str key) {
    return tern_map_remove(&test_refs_Node_NamedEntry_type, &msg->named, &key);
}

static inline test_refs_Node *test_refs_Node_make_next(test_refs_Node *msg, tern_arena *arena) {
    return msg->next = (test_refs_Node *)tern_arena_zalloc(arena, sizeof *msg->next);
}

static inline bool test_refs_Node_has_next(const test_refs_Node *msg) { return msg->next != NULL; }

static inline void test_refs_Node_clear_next(test_refs_Node *msg) { msg->next = NULL; }

/* Room for n pointers; those from len on are NULL. */
static inline int test_refs_Node_reserve_leaves(test_refs_Node *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->leaves, n, sizeof *msg->leaves.data, arena);
}

/* Appends a message that lies elsewhere, which is borrowed: 0 or TERN_ERR_NOMEM. */
static inline int test_refs_Node_put_leaves(test_refs_Node *msg, test_refs_Leaf *element, tern_arena *arena) {
    if (test_refs_Node_reserve_leaves(msg, msg->leaves.len + 1, arena)) return TERN_ERR_NOMEM;
    msg->leaves.data[msg->leaves.len++] = element;
    return 0;
}

/* Appends an empty message from the arena; NULL when memory is out. */
static inline test_refs_Leaf *test_refs_Node_add_leaves(test_refs_Node *msg, tern_arena *arena) {
    test_refs_Leaf *made = (test_refs_Leaf *)tern_arena_zalloc(arena, sizeof *made);
    return made && test_refs_Node_put_leaves(msg, made, arena) == 0 ? made : NULL;
}

static inline int test_refs_Node_reserve_plain(test_refs_Node *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->plain, n, sizeof *msg->plain.data, arena);
}

static inline test_refs_Node *test_refs_Node_add_plain(test_refs_Node *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->plain, msg->plain.len + 1, sizeof *msg->plain.data, arena)) return NULL;
    return &msg->plain.data[msg->plain.len++];
}

/* Room for n pointers; those from len on are NULL. */
static inline int test_refs_Node_reserve_imported(test_refs_Node *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->imported, n, sizeof *msg->imported.data, arena);
}

/* Appends a message that lies elsewhere, which is borrowed: 0 or TERN_ERR_NOMEM. */
static inline int test_refs_Node_put_imported(test_refs_Node *msg, test_other_Imported *element, tern_arena *arena) {
    if (test_refs_Node_reserve_imported(msg, msg->imported.len + 1, arena)) return TERN_ERR_NOMEM;
    msg->imported.data[msg->imported.len++] = element;
    return 0;
}

/* Appends an empty message from the arena; NULL when memory is out. */
static inline test_other_Imported *test_refs_Node_add_imported(test_refs_Node *msg, tern_arena *arena) {
    test_other_Imported *made = (test_other_Imported *)tern_arena_zalloc(arena, sizeof *made);
    return made && test_refs_Node_put_imported(msg, made, arena) == 0 ? made : NULL;
}

static inline int test_refs_Node_reserve_colors(test_refs_Node *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->colors, n, sizeof *msg->colors.data, arena);
}

static inline int32_t *test_refs_Node_add_colors(test_refs_Node *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->colors, msg->colors.len + 1, sizeof *msg->colors.data, arena)) return NULL;
    return &msg->colors.data[msg->colors.len++];
}

static inline int test_refs_Node_reserve_numbers(test_refs_Node *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->numbers, n, sizeof *msg->numbers.data, arena);
}

static inline int64_t *test_refs_Node_add_numbers(test_refs_Node *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->numbers, msg->numbers.len + 1, sizeof *msg->numbers.data, arena)) return NULL;
    return &msg->numbers.data[msg->numbers.len++];
}

static inline bool test_refs_Node_has_inner(const test_refs_Node *msg) { return msg->choice_case == test_refs_Node_choice_inner; }

static inline void test_refs_Node_set_inner(test_refs_Node *msg, test_refs_Node *value) {
    msg->inner = value;
    msg->choice_case = test_refs_Node_choice_inner;
}

static inline void test_refs_Node_clear_inner(test_refs_Node *msg) {
    if (msg->choice_case == test_refs_Node_choice_inner) msg->choice_case = test_refs_Node_choice_NOT_SET;
}

static inline test_refs_Node *test_refs_Node_make_inner(test_refs_Node *msg, tern_arena *arena) {
    test_refs_Node *made = (test_refs_Node *)tern_arena_zalloc(arena, sizeof *made);
    if (made) test_refs_Node_set_inner(msg, made);
    return made;
}

static inline bool test_refs_Node_has_ratio(const test_refs_Node *msg) { return msg->choice_case == test_refs_Node_choice_ratio; }

static inline void test_refs_Node_set_ratio(test_refs_Node *msg, double value) {
    msg->ratio = value;
    msg->choice_case = test_refs_Node_choice_ratio;
}

static inline void test_refs_Node_clear_ratio(test_refs_Node *msg) {
    if (msg->choice_case == test_refs_Node_choice_ratio) msg->choice_case = test_refs_Node_choice_NOT_SET;
}

/* Sets the value of this key: 0 or TERN_ERR_NOMEM. Key and value are borrowed. */
static inline int test_refs_Node_put_numbered(test_refs_Node *msg, int32_t key, test_refs_Leaf *value, tern_arena *arena) {
    test_refs_Node_NumberedEntry *entry = (test_refs_Node_NumberedEntry *)tern_map_insert(&test_refs_Node_NumberedEntry_type, &msg->numbered, &key, arena);
    if (!entry) return TERN_ERR_NOMEM;
    entry->value = value;
    return 0;
}

/* The value of this key, or NULL. */
static inline test_refs_Leaf *test_refs_Node_get_numbered(const test_refs_Node *msg, int32_t key) {
    test_refs_Node_NumberedEntry *entry = (test_refs_Node_NumberedEntry *)tern_map_find(&test_refs_Node_NumberedEntry_type, &msg->numbered, &key);
    return entry ? entry->value : NULL;
}

static inline bool test_refs_Node_remove_numbered(test_refs_Node *msg, int32_t key) {
    return tern_map_remove(&test_refs_Node_NumberedEntry_type, &msg->numbered, &key);
}

/* The value of this key, made empty when there is none; NULL when memory is out. The key is borrowed. */
static inline test_refs_Node *test_refs_Node_put_wide(test_refs_Node *msg, uint64_t key, tern_arena *arena) {
    test_refs_Node_WideEntry *entry = (test_refs_Node_WideEntry *)tern_map_insert(&test_refs_Node_WideEntry_type, &msg->wide, &key, arena);
    if (!entry) return NULL;
    if (!entry->value) entry->value = (test_refs_Node *)tern_arena_zalloc(arena, sizeof *entry->value);
    return entry->value;
}

/* The value of this key, or NULL. */
static inline test_refs_Node *test_refs_Node_get_wide(const test_refs_Node *msg, uint64_t key) {
    test_refs_Node_WideEntry *entry = (test_refs_Node_WideEntry *)tern_map_find(&test_refs_Node_WideEntry_type, &msg->wide, &key);
    return entry ? entry->value : NULL;
}

static inline bool test_refs_Node_remove_wide(test_refs_Node *msg, uint64_t key) {
    return tern_map_remove(&test_refs_Node_WideEntry_type, &msg->wide, &key);
}

/* The value of this key, made empty when there is none; NULL when memory is out. The key is borrowed. */
static inline test_refs_Node *test_refs_Node_put_flags(test_refs_Node *msg, bool key, tern_arena *arena) {
    test_refs_Node_FlagsEntry *entry = (test_refs_Node_FlagsEntry *)tern_map_insert(&test_refs_Node_FlagsEntry_type, &msg->flags, &key, arena);
    if (!entry) return NULL;
    if (!entry->value) entry->value = (test_refs_Node *)tern_arena_zalloc(arena, sizeof *entry->value);
    return entry->value;
}

/* The value of this key, or NULL. */
static inline test_refs_Node *test_refs_Node_get_flags(const test_refs_Node *msg, bool key) {
    test_refs_Node_FlagsEntry *entry = (test_refs_Node_FlagsEntry *)tern_map_find(&test_refs_Node_FlagsEntry_type, &msg->flags, &key);
    return entry ? entry->value : NULL;
}

static inline bool test_refs_Node_remove_flags(test_refs_Node *msg, bool key) {
    return tern_map_remove(&test_refs_Node_FlagsEntry_type, &msg->flags, &key);
}

/* ---- test.refs.Link */

static inline int64_t test_refs_Link_size(const test_refs_Link *msg) { return tern_protobuf_size(&test_refs_Link_type, msg); }

static inline int64_t test_refs_Link_encode(const test_refs_Link *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_refs_Link_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_refs_Link_decode(const void *data, size_t len, tern_arena *arena, int mode, test_refs_Link *msg) {
    return tern_protobuf_decode(&test_refs_Link_type, data, len, arena, mode, NULL, msg);
}

static inline int test_refs_Link_copy(const test_refs_Link *src, tern_arena *arena, test_refs_Link *dst) {
    return tern_message_copy(&test_refs_Link_type, src, arena, dst);
}

static inline bool test_refs_Link_equal(const test_refs_Link *a, const test_refs_Link *b) { return tern_message_equal(&test_refs_Link_type, a, b); }

static inline test_refs_Link *test_refs_Link_make_left(test_refs_Link *msg, tern_arena *arena) {
    return msg->left = (test_refs_Link *)tern_arena_zalloc(arena, sizeof *msg->left);
}

static inline bool test_refs_Link_has_left(const test_refs_Link *msg) { return msg->left != NULL; }

static inline void test_refs_Link_clear_left(test_refs_Link *msg) { msg->left = NULL; }

static inline test_refs_Link *test_refs_Link_make_right(test_refs_Link *msg, tern_arena *arena) {
    return msg->right = (test_refs_Link *)tern_arena_zalloc(arena, sizeof *msg->right);
}

static inline bool test_refs_Link_has_right(const test_refs_Link *msg) { return msg->right != NULL; }

static inline void test_refs_Link_clear_right(test_refs_Link *msg) { msg->right = NULL; }

/* Room for n pointers; those from len on are NULL. */
static inline int test_refs_Link_reserve_links(test_refs_Link *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->links, n, sizeof *msg->links.data, arena);
}

/* Appends a message that lies elsewhere, which is borrowed: 0 or TERN_ERR_NOMEM. */
static inline int test_refs_Link_put_links(test_refs_Link *msg, test_refs_Link *element, tern_arena *arena) {
    if (test_refs_Link_reserve_links(msg, msg->links.len + 1, arena)) return TERN_ERR_NOMEM;
    msg->links.data[msg->links.len++] = element;
    return 0;
}

/* Appends an empty message from the arena; NULL when memory is out. */
static inline test_refs_Link *test_refs_Link_add_links(test_refs_Link *msg, tern_arena *arena) {
    test_refs_Link *made = (test_refs_Link *)tern_arena_zalloc(arena, sizeof *made);
    return made && test_refs_Link_put_links(msg, made, arena) == 0 ? made : NULL;
}

/* Sets the value of this key: 0 or TERN_ERR_NOMEM. Key and value are borrowed. */
static inline int test_refs_Link_put_named(test_refs_Link *msg, tern_str key, test_refs_Link *value, tern_arena *arena) {
    test_refs_Link_NamedEntry *entry = (test_refs_Link_NamedEntry *)tern_map_insert(&test_refs_Link_NamedEntry_type, &msg->named, &key, arena);
    if (!entry) return TERN_ERR_NOMEM;
    entry->value = value;
    return 0;
}

/* The value of this key, or NULL. */
static inline test_refs_Link *test_refs_Link_get_named(const test_refs_Link *msg, tern_str key) {
    test_refs_Link_NamedEntry *entry = (test_refs_Link_NamedEntry *)tern_map_find(&test_refs_Link_NamedEntry_type, &msg->named, &key);
    return entry ? entry->value : NULL;
}

static inline bool test_refs_Link_remove_named(test_refs_Link *msg, tern_str key) {
    return tern_map_remove(&test_refs_Link_NamedEntry_type, &msg->named, &key);
}

static inline int test_refs_Link_reserve_plain(test_refs_Link *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->plain, n, sizeof *msg->plain.data, arena);
}

static inline test_refs_Link *test_refs_Link_add_plain(test_refs_Link *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->plain, msg->plain.len + 1, sizeof *msg->plain.data, arena)) return NULL;
    return &msg->plain.data[msg->plain.len++];
}

/* ---- test.refs.Far */

static inline int64_t test_refs_Far_size(const test_refs_Far *msg) { return tern_protobuf_size(&test_refs_Far_type, msg); }

static inline int64_t test_refs_Far_encode(const test_refs_Far *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_refs_Far_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_refs_Far_decode(const void *data, size_t len, tern_arena *arena, int mode, test_refs_Far *msg) {
    return tern_protobuf_decode(&test_refs_Far_type, data, len, arena, mode, NULL, msg);
}

static inline int test_refs_Far_copy(const test_refs_Far *src, tern_arena *arena, test_refs_Far *dst) {
    return tern_message_copy(&test_refs_Far_type, src, arena, dst);
}

static inline bool test_refs_Far_equal(const test_refs_Far *a, const test_refs_Far *b) { return tern_message_equal(&test_refs_Far_type, a, b); }

/* Room for n pointers; those from len on are NULL. */
static inline int test_refs_Far_reserve_nodes(test_refs_Far *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->nodes, n, sizeof *msg->nodes.data, arena);
}

/* Appends a message that lies elsewhere, which is borrowed: 0 or TERN_ERR_NOMEM. */
static inline int test_refs_Far_put_nodes(test_refs_Far *msg, test_refs_Node *element, tern_arena *arena) {
    if (test_refs_Far_reserve_nodes(msg, msg->nodes.len + 1, arena)) return TERN_ERR_NOMEM;
    msg->nodes.data[msg->nodes.len++] = element;
    return 0;
}

/* Appends an empty message from the arena; NULL when memory is out. */
static inline test_refs_Node *test_refs_Far_add_nodes(test_refs_Far *msg, tern_arena *arena) {
    test_refs_Node *made = (test_refs_Node *)tern_arena_zalloc(arena, sizeof *made);
    return made && test_refs_Far_put_nodes(msg, made, arena) == 0 ? made : NULL;
}

#ifdef __cplusplus
}
#endif
#endif
