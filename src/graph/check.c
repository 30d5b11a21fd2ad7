/* The verifier. Every object is looked at in the order of addresses, reached or not: between safe points what an object
 * points to is there, because a safe point frees an object with all that only it keeps. */
#include "graph/check.h"

#include "codec/utf8.h"
#include "graph/mark.h"
#include "graph/path.h"
#include "graph/problem.h"

typedef struct checker {
    tern_heap *heap;
    unsigned flags; /* TERN__CHECK_* */
} checker;

/* ---- Headers ------------------------------------------------------------------------------------- */

static const char *fault_of_header(const tern_heap *heap, uint64_t header, uint64_t room_bytes) {
    uint32_t what = tern__header_what(header), id = tern__what_type(what);
    bool is_message = tern__what_kind(what) == TERN__OBJECT_MESSAGE;
    if (!is_message && tern__what_kind(what) != TERN__OBJECT_ARRAY) return "the header has an unknown kind";
    if (id == 0 || id >= heap->types.n) return "the header has an unknown type";
    if (is_message && (id < TERN__TYPE_FIRST || (id - TERN__TYPE_FIRST) % 2 || tern__header_count(header) != 1 ||
                       heap->types.walks[id].type->flags & TERN_TYPE_MAP_ENTRY))
        return "the header is not one of a message";
    if (tern__header_bytes(heap, header) > room_bytes) return "the object ends behind the next one, or its region";
    return NULL;
}

static int check_headers_in(tern_heap *heap, size_t region) {
    const tern__region *r = &heap->space.regions[region];
    const size_t start = region * TERN__REGION_UNITS, end = tern__region_end(heap, region);
    const size_t filled = start + r->committed_bytes / TERN__UNIT_BYTES;
    TERN__EACH_OBJECT(heap, region, unit) {
        size_t next = tern__space_next_start(&heap->space, unit + 1, end);
        if (next > filled) next = filled;
        const char *fault = "the object lies where there is no memory";
        if (unit < next)
            fault = fault_of_header(heap, *(uint64_t *)(void *)tern__space_at(&heap->space, unit),
                                    (uint64_t)(next - unit) * TERN__UNIT_BYTES);
        if (!fault) continue;
        tern__problem_say(heap, "object %p: %s", (void *)(tern__space_at(&heap->space, unit) + TERN__HEADER_BYTES),
                          fault);
        return TERN_ERR_INVALID;
    }
    return 0;
}

int tern__check_headers(tern_heap *heap) {
    for (size_t i = 0; i < heap->room.end; i++) {
        int err = tern__region_is_used(&heap->space.regions[i]) ? check_headers_in(heap, i) : 0;
        if (err) return err;
    }
    return 0;
}

/* ---- Pointers ------------------------------------------------------------------------------------ */

static const char *fault_of_list(const tern__slot *slot, const uint8_t *at) {
    const tern_list *list = (const tern_list *)(const void *)at;
    if (slot->kind == TERN__SLOT_LIST || slot->kind == TERN__SLOT_MAP) {
        if (list->cap && list->len > list->cap) return "has more elements than room";
        if ((list->len || list->cap) && !list->data) return "has elements or room, but no storage";
    }
    if (tern__slot_is_view(slot) && tern__slot_length(slot, at) && !list->data) return "has a length, but no bytes";
    return NULL;
}

static const char *fault_of_pointer(const checker *c, const tern__slot *slot, const uint8_t *at) {
    const uint8_t *to = tern__slot_target(slot, at);
    size_t unit;
    const char *fault = fault_of_list(slot, at);
    if (fault) return fault;
    if (!tern__mark_resolve(c->heap, slot, at, &unit))
        return "leads into the heap, but to no object that it may point to";
    if (slot->kind == TERN__SLOT_INDEX) return to && c->flags & TERN__CHECK_NO_INDEX ? "has an index" : NULL;
    return to && unit == SIZE_MAX && c->flags & TERN__CHECK_CLOSED ? "leads out of the heap" : NULL;
}

/* ---- Values -------------------------------------------------------------------------------------- */

static bool are_bools(const uint8_t *at, uint64_t n) {
    uint8_t all = 0;
    while (n-- > 0) all |= at[n];
    return all <= 1;
}

/* A string whose pointer may not have been looked at yet. */
static int check_text(const checker *c, const uint8_t *view) {
    const tern__slot *slot = c->heap->types.walks[TERN__TYPE_VIEWS].slots;
    const tern_str *str = (const tern_str *)(const void *)view;
    if (str->len == 0) return 0;
    if (fault_of_pointer(c, slot, view)) return TERN_ERR_INVALID;
    return tern__utf8_valid(str->data, str->len) ? 0 : TERN_ERR_UTF8;
}

/* Values of a list whose storage is in order. Lists outside the heap are the program's. */
static int check_list_values(const checker *c, const tern_field *field, const tern_list *list) {
    if (list->len == 0 || !tern__space_has(&c->heap->space, list->data)) return 0;
    if (field->kind == TERN_BOOL) return are_bools(list->data, list->len) ? 0 : TERN_ERR_INVALID;
    if (!(field->flags & TERN_FIELD_UTF8)) return 0;
    int err = 0;
    for (size_t i = 0; i < list->len && !err; i++) err = check_text(c, (uint8_t *)list->data + i * sizeof(tern_str));
    return err;
}

static bool is_case_of(const tern_type *type, const tern_field *member, uint32_t number) {
    const tern_field *set = number ? tern_type_field(type, number) : NULL;
    return number == 0 || (set && set->flags & TERN_FIELD_ONEOF && set->has == member->has);
}

static int check_value(const checker *c, const tern_type *type, const tern_field *field, const uint8_t *elem) {
    const uint8_t *at = elem + field->offset;
    if (field->flags & TERN_FIELD_REPEATED) return check_list_values(c, field, (const tern_list *)(const void *)at);
    if (field->flags & TERN_FIELD_ONEOF) {
        uint32_t number = tern__load32(elem + field->has * 4u);
        if (!is_case_of(type, field, number)) return TERN_ERR_INVALID;
        if (number != field->number) return 0;
    }
    if (field->kind == TERN_BOOL) return *at <= 1 ? 0 : TERN_ERR_INVALID;
    if (!(field->flags & TERN_FIELD_UTF8)) return 0;
    if (field->flags & TERN_FIELD_HAS &&
        !(tern__load32(elem + type->has_offset + field->has / 32u * 4) >> field->has % 32 & 1))
        return 0;
    return check_text(c, at);
}

/* ---- Objects ------------------------------------------------------------------------------------- */

static int wrong(tern_heap *heap, const tern__spot *spot, int err, const char *words) {
    tern__path_say(heap, spot, words);
    return err;
}

static int check_element(const checker *c, const tern__walk *walk, const uint8_t *object, uint64_t number) {
    const uint8_t *elem = object + number * walk->elem_bytes;
    for (uint32_t i = 0; i < walk->n_slots; i++) {
        const tern__slot *slot = &walk->slots[i];
        const char *fault = tern__slot_counts(slot, elem) ? fault_of_pointer(c, slot, elem + slot->offset) : NULL;
        if (fault) return wrong(c->heap, &(tern__spot){object, number, slot, NULL}, TERN_ERR_INVALID, fault);
    }
    if (!walk->type || (walk->n_slots && walk->slots[0].is_element)) return 0;
    for (uint32_t i = 0; i < walk->type->n_fields; i++) {
        const tern_field *field = &walk->type->fields[i];
        int err = check_value(c, walk->type, field, elem);
        if (err)
            return wrong(c->heap, &(tern__spot){object, number, NULL, field}, err,
                         err == TERN_ERR_UTF8 ? "is not valid UTF-8" : "has a value that its type does not have");
    }
    return 0;
}

static int check_objects_in(const checker *c, size_t region) {
    TERN__EACH_OBJECT(c->heap, region, unit) {
        const uint8_t *object = tern__space_at(&c->heap->space, unit) + TERN__HEADER_BYTES;
        uint64_t header = *tern__header_of(object), n = tern__header_count(header);
        const tern__walk *walk = tern__types_walk(&c->heap->types, tern__header_what(header));
        if (tern__what_type(tern__header_what(header)) < TERN__TYPE_FIRST && walk->n_slots == 0) continue;
        for (uint64_t i = 0; i < n; i++) {
            int err = check_element(c, walk, object, i);
            if (err) return err;
        }
    }
    return 0;
}

static int check_roots(tern_heap *heap) {
    for (uint32_t i = 0; i < heap->roots.n; i++) {
        const uint8_t *object = heap->roots.places[i].object;
        if (!object || (tern__space_has(&heap->space, object) && tern__heap_starts_at(heap, object))) continue;
        return wrong(heap, &(tern__spot){.elem = i}, TERN_ERR_INVALID, "leads to no object");
    }
    return 0;
}

int tern__check_objects(tern_heap *heap, unsigned flags) {
    const checker c = {heap, flags};
    int err = check_roots(heap);
    for (size_t i = 0; i < heap->room.end && !err; i++)
        if (tern__region_is_used(&heap->space.regions[i])) err = check_objects_in(&c, i);
    return err;
}

int tern_heap_check(tern_heap *heap) {
    int err = tern__problem_thread(heap);
    if (err) return err;
    tern__problem_clear(heap);
    err = tern__check_headers(heap);
    return err ? err : tern__check_objects(heap, 0);
}
