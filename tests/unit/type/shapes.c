/* The hand-made tables, and a message that uses all of them. */
#include "shapes.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/base.h"

#define ENTRY(entry, key_kind, key_flags, value_kind)                                                                  \
    static const tern_field entry##__fields[] = {                                                                      \
        TERN_FIELD(1, offsetof(entry, key), 0, 0, key_kind, key_flags, sizeof(((entry *)0)->key)),                     \
        TERN_FIELD(2, offsetof(entry, value), 0, 0, value_kind, 0, sizeof(((entry *)0)->value))};                      \
    static const tern_type *const entry##__subs[] = {&shape_type};                                                     \
    const tern_type entry##_type = {.version = TERN_TYPE_VERSION,                                                      \
                                    .name = "test." #entry,                                                            \
                                    .fields = entry##__fields,                                                         \
                                    .field_names = entry_names,                                                        \
                                    .subs = entry##__subs,                                                             \
                                    .n_fields = 2,                                                                     \
                                    .n_dense = 2,                                                                      \
                                    .max_number = 2,                                                                   \
                                    .size_bytes = sizeof(entry),                                                       \
                                    .flags = TERN_TYPE_MAP_ENTRY}

static const char *const entry_names[] = {"key", "value"};
ENTRY(named_entry, TERN_STRING, TERN_FIELD_UTF8, TERN_MESSAGE);
ENTRY(counts_entry, TERN_SINT32, 0, TERN_INT32);
ENTRY(flags_entry, TERN_BOOL, 0, TERN_BYTES);
ENTRY(wide_entry, TERN_FIXED64, 0, TERN_STRING);

#define AT(member) offsetof(shape, member)
#define CASE (offsetof(shape, choice_case) / 4)
#define MAP (TERN_FIELD_REPEATED | TERN_FIELD_MAP)

static const tern_field shape__fields[] = {
    TERN_FIELD(1, AT(id), 0, 0, TERN_INT32, TERN_FIELD_HAS, 4),
    TERN_FIELD(2, AT(name), 0, 0, TERN_STRING, TERN_FIELD_UTF8, sizeof(tern_str)),
    TERN_FIELD(3, AT(raw), 0, 1, TERN_BYTES, TERN_FIELD_HAS, sizeof(tern_bytes)),
    TERN_FIELD(4, AT(next), 0, 0, TERN_MESSAGE, 0, sizeof(shape *)),
    TERN_FIELD(5, AT(kids), 0, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(shape)),
    TERN_FIELD(6, AT(nums), 0, 0, TERN_INT64, TERN_FIELD_REPEATED | TERN_FIELD_PACKED, 8),
    TERN_FIELD(7, AT(tags), 0, 0, TERN_STRING, TERN_FIELD_REPEATED | TERN_FIELD_UTF8, sizeof(tern_str)),
    TERN_FIELD(8, AT(named), 1, 0, TERN_MESSAGE, MAP, sizeof(named_entry)),
    TERN_FIELD(9, AT(counts), 2, 0, TERN_MESSAGE, MAP, sizeof(counts_entry)),
    TERN_FIELD(10, AT(big), 0, CASE, TERN_INT64, TERN_FIELD_ONEOF, 8),
    TERN_FIELD(11, AT(text), 0, CASE, TERN_STRING, TERN_FIELD_ONEOF | TERN_FIELD_UTF8, sizeof(tern_str)),
    TERN_FIELD(12, AT(inner), 0, CASE, TERN_MESSAGE, TERN_FIELD_ONEOF, sizeof(shape *)),
    TERN_FIELD(13, AT(extra), 0, 0, TERN_GROUP, 0, sizeof(shape *)),
    TERN_FIELD(14, AT(ratio), 0, 0, TERN_DOUBLE, 0, 8),
    TERN_FIELD(16, AT(flags), 3, 0, TERN_MESSAGE, MAP, sizeof(flags_entry)),
    TERN_FIELD(17, AT(wide), 4, 0, TERN_MESSAGE, MAP, sizeof(wide_entry)),
    TERN_FIELD(20, AT(on), 0, 0, TERN_BOOL, 0, 1),
};
static const char *const shape__names[] = {"id",  "name", "raw",   "next",  "kids",  "nums",  "tags", "named", "counts",
                                           "big", "text", "inner", "extra", "ratio", "flags", "wide", "on"};
static const tern_type *const shape__subs[] = {&shape_type, &named_entry_type, &counts_entry_type, &flags_entry_type,
                                               &wide_entry_type};
const tern_type shape_type = {
    .version = TERN_TYPE_VERSION,
    .name = "test.Shape",
    .fields = shape__fields,
    .field_names = shape__names,
    .subs = shape__subs,
    .n_fields = TERN__COUNT(shape__fields),
    .n_dense = 14,
    .size_bytes = sizeof(shape),
    .has_offset = offsetof(shape, has),
    .n_has = 2,
    .max_number = 20,
    .unknown_offset = offsetof(shape, unknown),
};

tern_str text_of(tern_arena *arena, const char *format, ...) {
    char text[64];
    va_list args;
    va_start(args, format);
    int len = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    void *data = tern_arena_alloc(arena, (size_t)len);
    return (tern_str){data ? memcpy(data, text, (size_t)len) : NULL, data ? (size_t)len : 0};
}

static void fill_lists(shape *n, tern_arena *arena, int depth) {
    n->kids.data = tern_arena_zalloc(arena, 2 * sizeof(shape));
    n->kids.len = n->kids.cap = 2;
    n->kids.data[1].on = true;
    if (depth > 0) n->kids.data[0] = *shape_full(arena, depth - 1);
    for (int i = 0; i < 20; i++) {
        (void)tern_list_reserve(&n->nums, n->nums.len + 1, 8, arena);
        n->nums.data[n->nums.len++] = i * i;
    }
    for (int i = 0; i < 3; i++) {
        (void)tern_list_reserve(&n->tags, n->tags.len + 1, sizeof(tern_str), arena);
        n->tags.data[n->tags.len++] = text_of(arena, "tag %d", i);
    }
}

static void fill_maps(shape *n, tern_arena *arena, int depth) {
    for (int32_t i = 0; i < 40; i++) {
        counts_entry *e = tern_map_insert(&counts_entry_type, &n->counts, &(int32_t){i * 7}, arena);
        e->value = i;
    }
    for (int i = 0; i < 12; i++) {
        tern_str key = text_of(arena, "%d", i * 1000003);
        named_entry *e = tern_map_insert(&named_entry_type, &n->named, &key, arena);
        e->value = depth > 0 && i == 0 ? shape_full(arena, depth - 1) : tern_arena_zalloc(arena, sizeof(shape));
    }
    for (int i = 0; i < 2; i++) {
        bool key = i;
        flags_entry *e = tern_map_insert(&flags_entry_type, &n->flags, &key, arena);
        tern_str value = text_of(arena, "value of %d", i);
        e->value = tern_bytes_of(value.data, value.len);
    }
    for (uint64_t i = 0; i < 30; i++) {
        wide_entry *e = tern_map_insert(&wide_entry_type, &n->wide, &(uint64_t){i << 40}, arena);
        e->value = text_of(arena, "%llx", (unsigned long long)i);
    }
}

shape *shape_full(tern_arena *arena, int depth) {
    shape *n = tern_arena_zalloc(arena, sizeof *n);
    n->has.id = n->has.raw = 1;
    n->id = depth;
    n->on = true;
    n->ratio = 0.5;
    n->name = text_of(arena, "shape at depth %d", depth);
    n->raw = tern_bytes_of(text_of(arena, "raw").data, 3);
    n->choice_case = depth > 0 ? 12 : 11;
    if (depth > 0) {
        n->next = shape_full(arena, depth - 1);
        n->inner = shape_full(arena, 0);
        n->extra = shape_full(arena, depth - 1);
    } else {
        n->text = text_of(arena, "chosen");
    }
    fill_lists(n, arena, depth);
    fill_maps(n, arena, depth);
    (void)tern_unknown_append(&n->unknown, "\xa0\x06\x01", 3, arena);
    return n;
}
