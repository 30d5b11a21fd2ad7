/* Objects as programs make them: messages, strings, storage of lists and maps. */
#include "graph/problem.h"
#include "graph/room.h"
#include "type/map.h"

/* The storage of a list begins with about a cache line, and grows by doubling, as everywhere (type/list.c). */
enum { LIST_FIRST_BYTES = 64 };

static int no_object(tern_heap *heap, const tern_type *type, int err) {
    tern__problem_no_object(heap, type, err);
    return err;
}

void *tern_heap_alloc(tern_heap *heap, const tern_type *type) {
    uint32_t id;
    int err = type->flags & TERN_TYPE_MAP_ENTRY ? TERN_ERR_INVALID : tern__types_id(&heap->types, type, &id);
    uint8_t *object = err ? NULL : tern__room_take(heap, tern__object_what(TERN__OBJECT_MESSAGE, id), 1);
    if (object) return memset(object, 0, type->size_bytes);
    no_object(heap, type, err ? err : TERN_ERR_NOMEM);
    return NULL;
}

static int copy_bytes(tern_heap *heap, const void *data, size_t len, void **out) {
    *out = NULL;
    if (len == 0) return 0;
    if (len > TERN_HEAP_OBJECT_MAX_BYTES) return no_object(heap, NULL, TERN_ERR_LIMIT);
    uint8_t *bytes = tern__room_take(heap, tern__object_what(TERN__OBJECT_ARRAY, TERN__TYPE_BYTES), (uint32_t)len);
    if (!bytes) return no_object(heap, NULL, TERN_ERR_NOMEM);
    *out = data ? memcpy(bytes, data, len) : memset(bytes, 0, len);
    return 0;
}

int tern_heap_bytes(tern_heap *heap, const void *data, size_t len, tern_bytes *bytes) {
    void *copy;
    int err = copy_bytes(heap, data, len, &copy);
    if (!err) *bytes = tern_bytes_of(copy, len);
    return err;
}

int tern_heap_str(tern_heap *heap, const char *data, size_t len, tern_str *str) {
    void *copy;
    int err = copy_bytes(heap, data, len, &copy);
    if (!err) *str = (tern_str){copy, len};
    return err;
}

/* ---- Lists --------------------------------------------------------------------------------------- */

/* Who asks for room in a repeated field. */
typedef struct tern__list_place {
    tern_heap *heap;
    uint32_t what; /* of the storage */
    uint32_t elem_bytes;
} list_place;

/* New storage for at least n elements; all behind the present ones are zero. */
static int move_to_larger(const list_place *place, tern_list *list, size_t n) {
    size_t cap = LIST_FIRST_BYTES / place->elem_bytes + 1, most = TERN_HEAP_OBJECT_MAX_BYTES / place->elem_bytes;
    if (n > most) return TERN_ERR_LIMIT;
    if (cap < list->cap * 2) cap = list->cap * 2;
    if (cap > most) cap = most;
    if (cap < n) cap = n;
    uint8_t *data = tern__room_take(place->heap, place->what, (uint32_t)cap);
    if (!data) return TERN_ERR_NOMEM;
    size_t used = list->len * place->elem_bytes;
    if (used) memcpy(data, list->data, used);
    memset(data + used, 0, cap * place->elem_bytes - used);
    list->data = data;
    list->cap = cap;
    return 0;
}

static int reserve(void *place_, void *list_, size_t n) {
    const list_place *place = place_;
    tern_list *list = list_;
    if (n <= list->len) return 0;
    if (n > list->cap) return move_to_larger(place, list, n);
    memset((uint8_t *)list->data + list->len * place->elem_bytes, 0, (n - list->len) * place->elem_bytes);
    return 0;
}

/* The field with this number, if it has one of these flags, and what its storage is. */
static int find_list(tern_heap *heap, const tern_type *type, uint32_t number, uint32_t flags, const tern_field **field,
                     list_place *place) {
    uint32_t id;
    int err = tern__types_id(&heap->types, type, &id);
    if (err) return err;
    *field = tern_type_field(type, number);
    if (!*field || !((*field)->flags & flags)) return TERN_ERR_INVALID;
    place->heap = heap;
    place->what = tern__types_storage(&heap->types, id, *field);
    place->elem_bytes = tern__types_walk(&heap->types, place->what)->elem_bytes;
    return 0;
}

static int no_list(tern_heap *heap, const tern_type *type, uint32_t number, int err) {
    if (err != TERN_ERR_INVALID) return no_object(heap, type, err);
    tern__problem_say(heap, "%s has no such list or map with number %u", type->name, number);
    return err;
}

int tern_heap_reserve(tern_heap *heap, const tern_type *type, void *msg, uint32_t number, size_t n) {
    const tern_field *field;
    list_place place;
    int err = find_list(heap, type, number, TERN_FIELD_REPEATED, &field, &place);
    if (!err) err = reserve(&place, (uint8_t *)msg + field->offset, n);
    return err ? no_list(heap, type, number, err) : 0;
}

/* ---- Maps ---------------------------------------------------------------------------------------- */

static void *alloc_index(void *place_, size_t bytes) {
    const list_place *place = place_;
    if (bytes > TERN_HEAP_OBJECT_MAX_BYTES) return NULL;
    uint8_t *index =
        tern__room_take(place->heap, tern__object_what(TERN__OBJECT_ARRAY, TERN__TYPE_INDEX), (uint32_t)bytes);
    return index ? memset(index, 0, bytes) : NULL;
}

void *tern_heap_put(tern_heap *heap, const tern_type *type, void *msg, uint32_t number, const void *key) {
    const tern_field *field;
    list_place place;
    int err = find_list(heap, type, number, TERN_FIELD_MAP, &field, &place);
    const tern__map_memory memory = {reserve, alloc_index, &place};
    void *entry =
        err ? NULL : tern__map_insert_in(type->subs[field->sub], (uint8_t *)msg + field->offset, key, &memory);
    if (!entry) no_list(heap, type, number, err ? err : TERN_ERR_NOMEM);
    return entry;
}

int tern_heap_index(tern_heap *heap, const tern_type *type, void *msg, uint32_t number) {
    const tern_field *field;
    list_place place;
    int err = find_list(heap, type, number, TERN_FIELD_MAP, &field, &place);
    const tern__map_memory memory = {reserve, alloc_index, &place};
    if (!err &&
        !tern__map_make_index_in(type->subs[field->sub], (tern_map *)(void *)((uint8_t *)msg + field->offset), &memory))
        err = TERN_ERR_NOMEM;
    return err ? no_list(heap, type, number, err) : 0;
}
