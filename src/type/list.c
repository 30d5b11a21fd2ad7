/* The growth of lists, in the caller's arena. */
#include "type/list.h"

static size_t round8(size_t bytes) { return (bytes + 7) & ~(size_t)7; }

/* The list's storage is the arena's latest allocation and the block has room: let it grow where it is. A
 * decoder that appends to one list at a time then never copies it. */
static bool extend(tern_list *list, size_t cap, size_t elem_bytes, tern_arena *arena) {
    size_t old_bytes = round8(list->cap * elem_bytes), new_bytes = round8(cap * elem_bytes);
    if (list->cap == 0 || (uint8_t *)list->data + old_bytes != arena->next || arena->fail_countdown != 0) return false;
    if (new_bytes - old_bytes > (size_t)(arena->end - arena->next)) return false;
    if (new_bytes != old_bytes) (void)tern_arena_alloc(arena, new_bytes - old_bytes);
    list->cap = cap;
    return true;
}

int tern__list_grow(tern_list *list, size_t n, size_t elem_bytes, tern_arena *arena) {
    size_t cap = 64 / elem_bytes + 1; /* about a cache line at first */
    if (n > SIZE_MAX / 4 / elem_bytes) return TERN_ERR_NOMEM;
    if (cap < list->cap * 2) cap = list->cap * 2;
    if (cap < n) cap = n;
    if (extend(list, cap, elem_bytes, arena)) return 0;
    void *data = tern_arena_alloc(arena, cap * elem_bytes);
    if (!data) return TERN_ERR_NOMEM;
    if (list->len) memcpy(data, list->data, list->len * elem_bytes);
    list->data = data;
    list->cap = cap;
    return 0;
}

int tern_list_reserve(void *list_, size_t n, size_t elem_bytes, struct tern_arena *arena) {
    tern_list *list = list_;
    if (n <= list->len) return 0;
    if (n > list->cap) {
        int err = tern__list_grow(list, n, elem_bytes, arena);
        if (err) return err;
    }
    memset((uint8_t *)list->data + list->len * elem_bytes, 0, (n - list->len) * elem_bytes);
    return 0;
}
