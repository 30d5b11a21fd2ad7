/* Made by protoc-gen-tern from lean2.proto; changes here are lost. */
#ifndef LEAN2_TERN_H
#define LEAN2_TERN_H

#include "tern/codec.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum test_lean2_Color {
    test_lean2_Color_RED = 0,
    test_lean2_Color_GREEN = 5,
} test_lean2_Color;
extern const tern_enum test_lean2_Color_enum;

typedef struct test_lean2_Lean test_lean2_Lean;
TERN__LIST(test_lean2_Lean_list, test_lean2_Lean);
extern const tern_type test_lean2_Lean_type;
typedef struct test_lean2_Lean_NamedEntry test_lean2_Lean_NamedEntry;
TERN__MAP(test_lean2_Lean_NamedEntry_map, test_lean2_Lean_NamedEntry);
extern const tern_type test_lean2_Lean_NamedEntry_type;
typedef struct test_lean2_Lean_Part test_lean2_Lean_Part;
TERN__LIST(test_lean2_Lean_Part_list, test_lean2_Lean_Part);
extern const tern_type test_lean2_Lean_Part_type;

struct test_lean2_Lean {
    struct {
        uint32_t color : 1;
        uint32_t id : 1;
    } has;
    int32_t color; /* test_lean2_Color */
    tern_list_i32 colors; /* test_lean2_Color */
    test_lean2_Lean_NamedEntry_map named;
    uint32_t id;
    test_lean2_Lean_Part *part;
};

struct test_lean2_Lean_NamedEntry {
    uint32_t key;
    int32_t value; /* test_lean2_Color */
};

struct test_lean2_Lean_Part {
    struct {
        uint32_t x : 1;
    } has;
    bool x;
    tern_unknown unknown;
};

/* ---- test.lean2.Lean */

static inline int64_t test_lean2_Lean_size(const test_lean2_Lean *msg) { return tern_protobuf_size(&test_lean2_Lean_type, msg); }

static inline int64_t test_lean2_Lean_encode(const test_lean2_Lean *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_lean2_Lean_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_lean2_Lean_decode(const void *data, size_t len, tern_arena *arena, int mode, test_lean2_Lean *msg) {
    return tern_protobuf_decode(&test_lean2_Lean_type, data, len, arena, mode, NULL, msg);
}

static inline int test_lean2_Lean_copy(const test_lean2_Lean *src, tern_arena *arena, test_lean2_Lean *dst) {
    return tern_message_copy(&test_lean2_Lean_type, src, arena, dst);
}

static inline bool test_lean2_Lean_equal(const test_lean2_Lean *a, const test_lean2_Lean *b) { return tern_message_equal(&test_lean2_Lean_type, a, b); }

static inline bool test_lean2_Lean_has_color(const test_lean2_Lean *msg) { return msg->has.color; }

static inline void test_lean2_Lean_set_color(test_lean2_Lean *msg, int32_t value) {
    msg->color = value;
    msg->has.color = 1;
}

static inline void test_lean2_Lean_clear_color(test_lean2_Lean *msg) {
    msg->color = 0;
    msg->has.color = 0;
}

static inline int test_lean2_Lean_reserve_colors(test_lean2_Lean *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->colors, n, sizeof *msg->colors.data, arena);
}

static inline int32_t *test_lean2_Lean_add_colors(test_lean2_Lean *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->colors, msg->colors.len + 1, sizeof *msg->colors.data, arena)) return NULL;
    return &msg->colors.data[msg->colors.len++];
}

/* Sets the value of this key: 0 or TERN_ERR_NOMEM. Key and value are borrowed. */
static inline int test_lean2_Lean_put_named(test_lean2_Lean *msg, uint32_t key, int32_t value, tern_arena *arena) {
    test_lean2_Lean_NamedEntry *entry = (test_lean2_Lean_NamedEntry *)tern_map_insert(&test_lean2_Lean_NamedEntry_type, &msg->named, &key, arena);
    if (!entry) return TERN_ERR_NOMEM;
    entry->value = value;
    return 0;
}

/* The value of this key, or NULL. */
static inline int32_t *test_lean2_Lean_get_named(const test_lean2_Lean *msg, uint32_t key) {
    test_lean2_Lean_NamedEntry *entry = (test_lean2_Lean_NamedEntry *)tern_map_find(&test_lean2_Lean_NamedEntry_type, &msg->named, &key);
    return entry ? &entry->value : NULL;
}

static inline bool test_lean2_Lean_remove_named(test_lean2_Lean *msg, uint32_t key) {
    return tern_map_remove(&test_lean2_Lean_NamedEntry_type, &msg->named, &key);
}

static inline bool test_lean2_Lean_has_id(const test_lean2_Lean *msg) { return msg->has.id; }

static inline void test_lean2_Lean_set_id(test_lean2_Lean *msg, uint32_t value) {
    msg->id = value;
    msg->has.id = 1;
}

static inline void test_lean2_Lean_clear_id(test_lean2_Lean *msg) {
    msg->id = 0;
    msg->has.id = 0;
}

static inline test_lean2_Lean_Part *test_lean2_Lean_make_part(test_lean2_Lean *msg, tern_arena *arena) {
    return msg->part = (test_lean2_Lean_Part *)tern_arena_zalloc(arena, sizeof *msg->part);
}

static inline bool test_lean2_Lean_has_part(const test_lean2_Lean *msg) { return msg->part != NULL; }

static inline void test_lean2_Lean_clear_part(test_lean2_Lean *msg) { msg->part = NULL; }

/* ---- test.lean2.Lean.Part */

static inline int64_t test_lean2_Lean_Part_size(const test_lean2_Lean_Part *msg) { return tern_protobuf_size(&test_lean2_Lean_Part_type, msg); }

static inline int64_t test_lean2_Lean_Part_encode(const test_lean2_Lean_Part *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_lean2_Lean_Part_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_lean2_Lean_Part_decode(const void *data, size_t len, tern_arena *arena, int mode, test_lean2_Lean_Part *msg) {
    return tern_protobuf_decode(&test_lean2_Lean_Part_type, data, len, arena, mode, NULL, msg);
}

static inline int test_lean2_Lean_Part_copy(const test_lean2_Lean_Part *src, tern_arena *arena, test_lean2_Lean_Part *dst) {
    return tern_message_copy(&test_lean2_Lean_Part_type, src, arena, dst);
}

static inline bool test_lean2_Lean_Part_equal(const test_lean2_Lean_Part *a, const test_lean2_Lean_Part *b) { return tern_message_equal(&test_lean2_Lean_Part_type, a, b); }

static inline bool test_lean2_Lean_Part_has_x(const test_lean2_Lean_Part *msg) { return msg->has.x; }

static inline void test_lean2_Lean_Part_set_x(test_lean2_Lean_Part *msg, bool value) {
    msg->x = value;
    msg->has.x = 1;
}

static inline void test_lean2_Lean_Part_clear_x(test_lean2_Lean_Part *msg) {
    msg->x = 0;
    msg->has.x = 0;
}

#ifdef __cplusplus
}
#endif
#endif
