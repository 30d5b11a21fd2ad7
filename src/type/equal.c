/* Equality. Each value is compared at most once, also where maps differ in order, so that nesting does not multiply
 * the work. */
#include "type/bound.h"
#include "type/field.h"
#include "type/map.h"
#include "type/object.h"

/* Walks are bounded by the elements of the first message: the other one has as many, as far as they are alike. */

static bool equal_message(const tern_type *type, const void *a, const void *b, uint32_t depth_left,
                          walk_budget *budget);

static bool equal_view(const tern_bytes *a, const tern_bytes *b) { return tern_bytes_eq(*a, *b); }

/* ---- What says nothing --------------------------------------------------------------------------- */

static bool is_zero(const uint8_t *value, size_t bytes) {
    for (size_t i = 0; i < bytes; i++)
        if (value[i]) return false;
    return true;
}

static bool is_empty_field(const tern_type *type, const tern_field *field, const void *msg) {
    const void *member = field_member(field, msg);
    if (field->flags & TERN_FIELD_REPEATED) return ((const tern_list *)member)->len == 0;
    if (field->flags & (TERN_FIELD_ONEOF | TERN_FIELD_HAS)) return !field_set(type, field, msg);
    if (field_is_view(field)) return ((const tern_bytes *)member)->len == 0;
    return is_zero(member, field->elem_bytes);
}

static __attribute__((noinline)) bool is_empty(const tern_type *type, const void *msg) {
    const tern_type *found = type;
    if (object_form_of(&found, msg) != OBJECT_ENCODED) return false;
    for (uint32_t i = 0; i < type->n_fields; i++)
        if (!is_empty_field(type, &type->fields[i], msg)) return false;
    return type->flags & TYPE_WITHOUT_UNKNOWN || unknown_of(type, msg)->len == 0;
}

/* ---- Values -------------------------------------------------------------------------------------- */

/* One level down. */
static bool equal_within(const tern_type *sub, const void *a, const void *b, uint32_t depth_left, walk_budget *budget) {
    return depth_left > 0 && equal_message(sub, a, b, depth_left - 1, budget);
}

/* In the entry of a map, a missing message is an empty one: so it is when it arrives. */
static bool equal_child(const tern_type *type, const tern_field *field, const void *a, const void *b,
                        uint32_t depth_left, walk_budget *budget) {
    const tern_type *sub = type->subs[field->sub];
    if (a && b) return walk_spend(budget, 1) == 0 && equal_within(sub, a, b, depth_left, budget);
    if (a == b) return true;
    return type->flags & TERN_TYPE_MAP_ENTRY && is_empty(sub, a ? a : b);
}

static bool equal_singular(const tern_type *type, const tern_field *field, const void *a, const void *b,
                           uint32_t depth_left, walk_budget *budget) {
    bool set = field_set(type, field, a);
    if (set != field_set(type, field, b)) return false;
    if (!set) return true;
    a = field_member(field, a);
    b = field_member(field, b);
    if (field_is_message(field))
        return equal_child(type, field, *(const void *const *)a, *(const void *const *)b, depth_left, budget);
    return field_is_view(field) ? equal_view(a, b) : memcmp(a, b, field->elem_bytes) == 0;
}

static bool equal_pointers(const tern_type *sub, const tern_list *a, const tern_list *b, uint32_t depth_left,
                           walk_budget *budget) {
    for (size_t i = 0; i < a->len; i++) {
        const void *p = list_pointer(a, i), *q = list_pointer(b, i);
        if (!p || !q || !equal_within(sub, p, q, depth_left, budget)) return false;
    }
    return true;
}

static bool equal_messages(const tern_type *sub, const tern_field *field, const tern_list *a, const tern_list *b,
                           uint32_t depth_left, walk_budget *budget) {
    const uint8_t *p = a->data, *q = b->data;
    if (walk_spend(budget, a->len)) return false;
    if (holds_pointers(field)) return equal_pointers(sub, a, b, depth_left, budget);
    if (depth_left == 0) return false;
    for (size_t i = 0; i < a->len; i++, p += field->elem_bytes, q += field->elem_bytes)
        if (!equal_message(sub, p, q, depth_left - 1, budget)) return false;
    return true;
}

static bool equal_list(const tern_type *type, const tern_field *field, const tern_list *a, const tern_list *b,
                       uint32_t depth_left, walk_budget *budget) {
    const size_t step = field->elem_bytes;
    const uint8_t *p = a->data, *q = b->data;
    if (a->len != b->len) return false;
    if (a->len == 0) return true;
    if (field_is_message(field)) return equal_messages(type->subs[field->sub], field, a, b, depth_left, budget);
    if (!field_is_view(field)) return memcmp(p, q, a->len * step) == 0;
    for (size_t i = 0; i < a->len; i++, p += step, q += step)
        if (!equal_view((const tern_bytes *)(const void *)p, (const tern_bytes *)(const void *)q)) return false;
    return true;
}

/* ---- Maps ---------------------------------------------------------------------------------------- */

static const void *entry_at(const tern_type *entry, const tern_map *map, size_t i) {
    return (const uint8_t *)map->data + i * entry->size_bytes;
}

/* The entry that counts for the same key as entry i. */
static const void *counting(const tern_type *entry, const tern_map *map, size_t i) {
    return tern_map_find(entry, map, field_member(&entry->fields[0], entry_at(entry, map, i)));
}

static bool counts(const tern_type *entry, const tern_map *map, size_t i) {
    return counting(entry, map, i) == entry_at(entry, map, i);
}

static bool equal_value(const tern_type *entry, const void *a, const void *b, uint32_t depth_left,
                        walk_budget *budget) {
    return equal_singular(entry, &entry->fields[1], a, b, depth_left, budget);
}

static bool same_order(const tern_type *entry, const tern_map *a, const tern_map *b) {
    if (a->len != b->len) return false;
    for (size_t i = 0; i < a->len; i++)
        if (!tern__map_keys_equal(entry, entry_at(entry, a, i), entry_at(entry, b, i))) return false;
    return true;
}

/* An entry that does not count may differ. */
static bool equal_in_order(const tern_type *entry, const tern_map *a, const tern_map *b, uint32_t depth_left,
                           walk_budget *budget) {
    for (size_t i = 0; i < a->len; i++)
        if (!equal_value(entry, entry_at(entry, a, i), entry_at(entry, b, i), depth_left, budget) &&
            counts(entry, a, i))
            return false;
    return true;
}

/* Every key of a is in b with the same value, and b has no others. */
static bool equal_by_key(const tern_type *entry, const tern_map *a, const tern_map *b, uint32_t depth_left,
                         walk_budget *budget) {
    size_t n = 0;
    for (size_t i = 0; i < a->len; i++) {
        if (!counts(entry, a, i)) continue;
        const void *one = entry_at(entry, a, i);
        const void *other = tern_map_find(entry, b, field_member(&entry->fields[0], one));
        if (!other || !equal_value(entry, one, other, depth_left, budget)) return false;
        n++;
    }
    for (size_t i = 0; i < b->len; i++)
        if (counts(entry, b, i) && n-- == 0) return false;
    return true;
}

/* In the same order, as copies are, no search is needed. Else a map without an index gets one for the time being;
 * if there is no memory for it the searches are linear. */
static bool equal_map(const tern_type *entry, const tern_map *a, const tern_map *b, uint32_t depth_left,
                      walk_budget *budget) {
    if (walk_spend(budget, a->len)) return false;
    if (same_order(entry, a, b) && (tern__map_is_fast(a) || a->len <= MAP_LINEAR_ENTRIES))
        return equal_in_order(entry, a, b, depth_left, budget);
    tern_map a_local = *a, b_local = *b;
    tern_arena arena;
    tern_arena_init(&arena, 0, 0);
    (void)tern__map_make_index(entry, &a_local, &arena);
    (void)tern__map_make_index(entry, &b_local, &arena);
    bool equal = equal_by_key(entry, &a_local, &b_local, depth_left, budget);
    tern_arena_fini(&arena);
    return equal;
}

/* ---- Messages ------------------------------------------------------------------------------------ */

static bool equal_field(const tern_type *type, const tern_field *field, const void *a, const void *b,
                        uint32_t depth_left, walk_budget *budget) {
    if (!(field->flags & TERN_FIELD_REPEATED)) return equal_singular(type, field, a, b, depth_left, budget);
    a = field_member(field, a);
    b = field_member(field, b);
    if (field->flags & TERN_FIELD_MAP) return equal_map(type->subs[field->sub], a, b, depth_left, budget);
    return equal_list(type, field, a, b, depth_left, budget);
}

static bool equal_fields(const tern_type *type, const void *a, const void *b, uint32_t depth_left,
                         walk_budget *budget) {
    for (uint32_t i = 0; i < type->n_fields; i++)
        if (!equal_field(type, &type->fields[i], a, b, depth_left, budget)) return false;
    if (type->flags & TYPE_WITHOUT_UNKNOWN) return true;
    const tern_unknown *p = unknown_of(type, a), *q = unknown_of(type, b);
    return p->len == q->len && (p->len == 0 || memcmp(p->data, q->data, p->len) == 0);
}

/* Of two objects the types decide first; one in a heap never equals an encoded one. */
static __attribute__((noinline)) bool equal_objects(const tern_type *type, const void *a, const void *b,
                                                    uint32_t depth_left, walk_budget *budget) {
    const tern_type *other = type;
    object_form form = object_form_of(&type, a);
    if (form == OBJECT_WRONG || object_form_of(&other, b) != form || type != other) return false;
    return equal_fields(type, a, b, depth_left, budget);
}

static bool equal_message(const tern_type *type, const void *a, const void *b, uint32_t depth_left,
                          walk_budget *budget) {
    if (type->flags & TERN_TYPE_OBJECT) return equal_objects(type, a, b, depth_left, budget);
    return equal_fields(type, a, b, depth_left, budget);
}

bool tern_message_equal(const tern_type *type, const void *a, const void *b) {
    walk_budget budget;
    walk_budget_init(&budget, type, a);
    return equal_message(type, a, b, MESSAGE_MAX_DEPTH - 1, &budget);
}
