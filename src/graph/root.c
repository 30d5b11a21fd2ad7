/* Roots: places in a table, whose generation tells a root from those that had the place before. */
#include "graph/root.h"

#include "graph/problem.h"
#include "tern/mem.h"

enum { ROOTS_MIN = 16, ROOTS_MAX = 1 << 25 };

void tern__roots_fini(tern__roots *roots) { tern_unref(roots->places); }

static bool grow(tern__roots *roots, uint32_t cap) {
    if (cap > ROOTS_MAX) return false;
    tern__root_place *places = tern_alloc_private(cap * sizeof *places);
    if (!places) return false;
    if (roots->n) memcpy(places, roots->places, roots->n * sizeof *places);
    tern_unref(roots->places);
    roots->places = places;
    roots->cap = cap;
    return true;
}

bool tern__roots_prepare(tern__roots *roots, uint32_t n) {
    if (n == 0) return true;
    if (!grow(roots, n)) return false;
    memset(roots->places, 0, n * sizeof *roots->places);
    roots->n = n;
    return true;
}

void tern__roots_link(tern__roots *roots) {
    roots->free = roots->n_used = 0;
    for (uint32_t i = roots->n; i-- > 0;) {
        tern__root_place *place = &roots->places[i];
        roots->n_used += place->object != NULL;
        if (place->object) continue;
        place->next_free = roots->free;
        roots->free = i + 1;
    }
}

static tern__root_place *find_root(const tern_heap *heap, tern_root root) {
    if (root.generation == 0 || root.index >= heap->roots.n) return NULL;
    tern__root_place *place = &heap->roots.places[root.index];
    return place->object && place->generation == root.generation ? place : NULL;
}

static int check_object(tern_heap *heap, const void *object) {
    int err = tern__problem_thread(heap);
    if (err) return err;
    tern__problem_clear(heap);
    if (tern__space_has(&heap->space, object) && tern__heap_starts_at(heap, object)) return 0;
    tern__problem_say(heap, "no object starts at %p, where a root is to point", object);
    return TERN_ERR_INVALID;
}

int tern_root_new(tern_heap *heap, const void *object, tern_root *root) {
    tern__roots *roots = &heap->roots;
    int err = check_object(heap, object);
    if (err) return err;
    if (!roots->free) {
        if (roots->n == roots->cap && !grow(roots, roots->cap ? roots->cap * 2 : ROOTS_MIN)) {
            tern__problem_say(heap, "no memory for another root beside %u", roots->n_used);
            return TERN_ERR_NOMEM;
        }
        roots->places[roots->n++] = (tern__root_place){0};
        roots->free = roots->n;
    }
    uint32_t i = roots->free - 1;
    tern__root_place *place = &roots->places[i];
    roots->free = place->next_free;
    if (++place->generation == 0) place->generation = 1;
    place->object = (uint8_t *)(uintptr_t)object;
    roots->n_used++;
    *root = (tern_root){i, place->generation};
    return 0;
}

void *tern_root_get(const tern_heap *heap, tern_root root) {
    const tern__root_place *place = find_root(heap, root);
    return place ? place->object : NULL;
}

int tern_root_set(tern_heap *heap, tern_root root, const void *object) {
    int err = check_object(heap, object);
    if (err) return err;
    tern__root_place *place = find_root(heap, root);
    if (!place) return TERN_ERR_STALE;
    place->object = (uint8_t *)(uintptr_t)object;
    return 0;
}

int tern_root_drop(tern_heap *heap, tern_root root) {
    int err = tern__problem_thread(heap);
    if (err) return err;
    tern__root_place *place = find_root(heap, root);
    if (!place) return TERN_ERR_STALE;
    place->object = NULL;
    place->next_free = heap->roots.free;
    heap->roots.free = root.index + 1;
    heap->roots.n_used--;
    return 0;
}
