/* Which types a heap has, and where their pointers are; see types.h. */
#include "graph/types.h"

#include "base/rng.h"
#include "type/walk.h"

enum {
    READABLE_TYPE = TERN_TYPE_MAP_ENTRY | TERN_TYPE_REQUIRED | TERN_TYPE_NO_UNKNOWN | TERN_TYPE_OBJECT,
    READABLE_FIELD = TERN_FIELD_REPEATED | TERN_FIELD_PACKED | TERN_FIELD_HAS | TERN_FIELD_UTF8 | TERN_FIELD_REQUIRED |
                     TERN_FIELD_ONEOF | TERN_FIELD_MAP | TERN_FIELD_CLOSED | TERN_FIELD_POINTERS | TERN_FIELD_OBJECT
};

static const tern__slot view_slot = {.kind = TERN__SLOT_VIEW,
                                     .is_element = 1,
                                     .what = (uint32_t)TERN__OBJECT_ARRAY << TERN__TYPE_BITS | TERN__TYPE_BYTES};

static const tern__walk built_in[TERN__TYPE_FIRST] = {
    [TERN__TYPE_BYTES] = {.elem_bytes = 1},
    [TERN__TYPE_WORDS] = {.elem_bytes = 4},
    [TERN__TYPE_LONGS] = {.elem_bytes = 8},
    [TERN__TYPE_VIEWS] = {.elem_bytes = sizeof(tern_str), .slots = &view_slot, .n_slots = 1},
    [TERN__TYPE_INDEX] = {.elem_bytes = 1},
};

/* ---- Numbers of types ---------------------------------------------------------------------------- */

static uint32_t *find_place(const tern__types *t, const tern_type *type) {
    for (uint32_t i = (uint32_t)tern__mix64((uintptr_t)type);; i++) {
        uint32_t *place = &t->places[i & (t->n_places - 1)];
        if (*place == 0 || t->walks[*place].type == type) return place;
    }
}

static void enter_all(tern__types *t) {
    memset(t->places, 0, t->n_places * sizeof *t->places);
    for (uint32_t id = TERN__TYPE_FIRST; id < t->n; id += 2) *find_place(t, t->walks[id].type) = id;
}

/* Room for one more type in both tables. */
static int grow(tern__types *t) {
    uint32_t cap = t->cap ? t->cap * 2 : 64;
    if (t->n + 2 <= t->cap) return 0;
    if (t->n + 2 > TERN__TYPES_MAX) return TERN_ERR_LIMIT;
    tern__walk *walks = tern_arena_zalloc(&t->memory, cap * sizeof *walks);
    uint32_t *places = tern_arena_alloc(&t->memory, cap * sizeof *places);
    if (!walks || !places) return TERN_ERR_NOMEM;
    memcpy(walks, t->walks, t->n * sizeof *walks);
    t->walks = walks;
    t->cap = cap;
    t->places = places;
    t->n_places = cap; /* a type takes two numbers, so half of the places stay free */
    enter_all(t);
    return 0;
}

static int append(tern__types *t, const tern_type *type, uint32_t *id) {
    int err = grow(t);
    if (err) return err;
    *id = t->n;
    t->walks[t->n] = (tern__walk){.type = type, .elem_bytes = type->size_bytes};
    t->walks[t->n + 1] = (tern__walk){.type = type, .elem_bytes = sizeof(void *)};
    *find_place(t, type) = t->n;
    t->n += 2;
    return 0;
}

static bool is_readable(const tern_type *type) {
    if (type->version != TERN_TYPE_VERSION || (type->flags & ~(uint32_t)READABLE_TYPE)) return false;
    if (!type_omits_soundly(type)) return false;
    for (uint32_t i = 0; i < type->n_fields; i++) {
        const tern_field *field = &type->fields[i];
        if (field->kind < TERN_DOUBLE || field->kind > TERN_SINT64 || field->unused) return false;
        if (field->flags & ~(uint32_t)READABLE_FIELD) return false;
    }
    return true;
}

/* The number of a type that has been met or, if may_append, is met now. */
static int number_of(tern__types *t, const tern_type *type, bool may_append, uint32_t *id) {
    *id = *find_place(t, type);
    if (*id) return 0;
    if (!may_append) return TERN_ERR_INVALID;
    return is_readable(type) ? append(t, type, id) : TERN_ERR_VERSION;
}

/* ---- Slots --------------------------------------------------------------------------------------- */

static bool is_message(const tern_field *field) { return field->kind == TERN_MESSAGE || field->kind == TERN_GROUP; }
static bool is_view(const tern_field *field) { return field->kind == TERN_STRING || field->kind == TERN_BYTES; }

/* The number of the type of a list's elements; `sub` is that of the messages that the field has. */
static uint32_t storage_type(const tern_field *field, uint32_t sub) {
    if (is_message(field)) return field->flags & TERN_FIELD_POINTERS ? sub + 1 : sub;
    if (is_view(field)) return TERN__TYPE_VIEWS;
    return field->elem_bytes == 1 ? TERN__TYPE_BYTES : field->elem_bytes == 4 ? TERN__TYPE_WORDS : TERN__TYPE_LONGS;
}

static tern__slot slot_when_set(const tern_type *type, const tern_field *field) {
    tern__slot slot = {.offset = field->offset, .field = field};
    if (field->flags & TERN_FIELD_ONEOF) {
        slot.test_offset = field->has * 4u;
        slot.test_mask = UINT32_MAX;
        slot.test_value = field->number;
    } else if (field->flags & TERN_FIELD_HAS && !(field->flags & TERN_FIELD_REPEATED)) {
        slot.test_offset = type->has_offset + field->has / 32u * 4;
        slot.test_mask = slot.test_value = 1u << field->has % 32;
    }
    return slot;
}

/* What a slot that holds a pointer to a message of this type, with number `id`, asks of the object there. */
static void slot_to_message(tern__slot *slot, const tern_type *type, uint32_t id) {
    slot->kind = type->flags & TERN_TYPE_OBJECT ? TERN__SLOT_OBJECT : TERN__SLOT_MESSAGE;
    slot->what = tern__object_what(TERN__OBJECT_MESSAGE, id);
    slot->object_bytes = (uint32_t)tern__object_bytes(type->size_bytes, 1);
}

/* The one place that says where a field has pointers. Appends its slots, at most two; `sub` is the number of the
 * field's message type, if it has one. */
static uint32_t field_to_slots(const tern_type *type, const tern_field *field, uint32_t sub, tern__slot *out) {
    tern__slot slot = slot_when_set(type, field);
    if (field->flags & TERN_FIELD_REPEATED) {
        slot.kind = field->flags & TERN_FIELD_MAP ? TERN__SLOT_MAP : TERN__SLOT_LIST;
        slot.what = tern__object_what(TERN__OBJECT_ARRAY, storage_type(field, sub));
        out[0] = slot;
        if (!(field->flags & TERN_FIELD_MAP)) return 1;
        out[1] = (tern__slot){.offset = field->offset + (uint32_t)offsetof(tern_map, index),
                              .kind = TERN__SLOT_INDEX,
                              .what = tern__object_what(TERN__OBJECT_ARRAY, TERN__TYPE_INDEX),
                              .field = field};
        return 2;
    }
    if (is_message(field)) {
        slot_to_message(&slot, type->subs[field->sub], sub);
    } else if (is_view(field)) {
        slot.kind = TERN__SLOT_VIEW;
        slot.what = view_slot.what;
    } else {
        return 0;
    }
    out[0] = slot;
    return 1;
}

static uint32_t unknown_to_slots(const tern_type *type, tern__slot *out) {
    if (type->flags & TYPE_WITHOUT_UNKNOWN) return 0;
    *out = (tern__slot){.offset = type->unknown_offset, .kind = TERN__SLOT_UNKNOWN, .what = view_slot.what};
    return 1;
}

static int fields_to_slots(tern__types *t, uint32_t id, bool may_append) {
    const tern_type *type = t->walks[id].type;
    tern__slot *slots = tern_arena_alloc(&t->memory, (2 * (size_t)type->n_fields + 1) * sizeof *slots);
    tern__slot *element = tern_arena_alloc(&t->memory, sizeof *element);
    uint32_t n = 0;
    if (!slots || !element) return TERN_ERR_NOMEM;
    for (uint32_t i = 0; i < type->n_fields; i++) {
        const tern_field *field = &type->fields[i];
        uint32_t sub = 0;
        int err = is_message(field) ? number_of(t, type->subs[field->sub], may_append, &sub) : 0;
        if (err) return err;
        n += field_to_slots(type, field, sub, slots + n);
    }
    n += unknown_to_slots(type, slots + n);
    *element = (tern__slot){.is_element = 1};
    slot_to_message(element, type, id);
    t->walks[id].slots = slots;
    t->walks[id].n_slots = n;
    t->walks[id + 1].slots = element;
    t->walks[id + 1].n_slots = 1;
    return 0;
}

/* From the type with number `first` on; what they refer to is appended behind them. */
static int complete_from(tern__types *t, uint32_t first, bool may_append) {
    for (uint32_t id = first; id < t->n; id += 2) {
        int err = fields_to_slots(t, id, may_append);
        if (err) return err;
    }
    return 0;
}

/* ---- What others call ----------------------------------------------------------------------------- */

int tern__types_init(tern__types *t) {
    tern_arena_init_private(&t->memory, 0, 0);
    tern__walk *walks = tern_arena_zalloc(&t->memory, sizeof built_in);
    if (!walks) return TERN_ERR_NOMEM;
    memcpy(walks, built_in, sizeof built_in);
    t->walks = walks;
    t->n = TERN__TYPE_FIRST;
    int err = grow(t);
    if (err) tern__types_fini(t);
    return err;
}

void tern__types_fini(tern__types *t) { tern_arena_fini(&t->memory); }

int tern__types_learn(tern__types *t, const tern_type *type, uint32_t *id) {
    uint32_t n = t->n;
    int err = number_of(t, type, true, id);
    if (!err) err = complete_from(t, n, true);
    if (err) {
        t->n = n;
        enter_all(t);
        return err;
    }
    t->last = type;
    t->last_id = *id;
    return 0;
}

int tern__types_add(tern__types *t, const tern_type *type) {
    uint32_t id;
    if (*find_place(t, type)) return TERN_ERR_INVALID;
    return is_readable(type) ? append(t, type, &id) : TERN_ERR_VERSION;
}

int tern__types_complete(tern__types *t) { return complete_from(t, TERN__TYPE_FIRST, false); }

uint32_t tern__types_storage(const tern__types *t, uint32_t id, const tern_field *field) {
    uint32_t sub = is_message(field) ? *find_place(t, t->walks[id].type->subs[field->sub]) : 0;
    return tern__object_what(TERN__OBJECT_ARRAY, storage_type(field, sub));
}
