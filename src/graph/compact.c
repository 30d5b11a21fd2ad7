/* Safe points, and moving at them.
 *
 * Objects leave a region for fresh ones in the order in which they lie, and the header of each old copy says where the
 * new one is. When all that is to move has moved, or memory was out, one pass over all objects sends the pointers after
 * them, and the old copies go. Nothing in the second half can fail. */
#include "graph/collect.h"
#include "graph/problem.h"
#include "graph/room.h"
#include "type/map.h"

enum { FULL_BYTES = TERN__REGION_BYTES / 4 * 3 }; /* what is at least as full is left alone */

/* ---- Away ---------------------------------------------------------------------------------------- */

static bool shall_leave(const tern_heap *heap, const tern__region *r) {
    if (!tern__region_is_used(r) || r->n_pins) return false;
    return heap->moves_always || (r->state == TERN__REGION_OBJECTS && r->live_bytes < FULL_BYTES);
}

/* False: memory is out; the object is where it was. */
static bool move_object(tern_heap *heap, size_t unit) {
    uint64_t *header = (uint64_t *)(void *)tern__space_at(&heap->space, unit);
    uint64_t bytes = tern__header_bytes(heap, *header);
    uint8_t *copy = tern__room_take(heap, tern__header_what(*header), tern__header_count(*header));
    if (!copy) return false;
    memcpy(copy, header + 1, bytes - TERN__HEADER_BYTES);
    *header = tern__header_moved(tern__space_unit(&heap->space, copy) - 1);
    heap->stats.objects--;
    heap->stats.object_bytes -= bytes;
    heap->stats.moved_objects++;
    return true;
}

static bool move_region(tern_heap *heap, size_t region) {
    heap->space.regions[region].is_left = true;
    TERN__EACH_OBJECT(heap, region, unit) {
        if (!move_object(heap, unit)) return false;
    }
    return true;
}

/* ---- Pointers follow ----------------------------------------------------------------------------- */

/* Where what `to` points to, or into, is now. */
static uint8_t *follow(const tern_heap *heap, uint8_t *to) {
    if (!tern__space_has(&heap->space, to)) return to;
    size_t unit = tern__heap_starts_at(heap, to) ? tern__space_unit(&heap->space, to) - 1 : tern__heap_find(heap, to);
    uint8_t *old = tern__space_at(&heap->space, unit);
    uint64_t header = *(uint64_t *)(void *)old;
    if (!tern__header_is_moved(header)) return to;
    return tern__space_at(&heap->space, tern__header_units(header)) + (to - old);
}

static void follow_slot(const tern_heap *heap, const tern__slot *slot, uint8_t *at) {
    uint8_t *to = tern__slot_target(slot, at);
    uint8_t *now = follow(heap, to);
    if (slot->kind == TERN__SLOT_MAP) {
        tern_map *map = (tern_map *)(void *)at;
        struct tern_map_index *index = (void *)follow(heap, (uint8_t *)map->index);
        if (index && now != to) tern__map_index_follow(index, to, now);
    }
    if (now != to) memcpy(at, &now, sizeof now);
}

static void follow_object(const tern_heap *heap, uint8_t *object, uint64_t header) {
    const tern__walk *walk = tern__types_walk(&heap->types, tern__header_what(header));
    uint64_t n = walk->n_slots ? tern__header_count(header) : 0;
    for (uint8_t *elem = object; n > 0; n--, elem += walk->elem_bytes)
        for (uint32_t i = 0; i < walk->n_slots; i++)
            if (tern__slot_counts(&walk->slots[i], elem))
                follow_slot(heap, &walk->slots[i], elem + walk->slots[i].offset);
}

static void follow_all(tern_heap *heap) {
    for (size_t i = 0; i < heap->room.end; i++) {
        if (!tern__region_is_used(&heap->space.regions[i])) continue;
        TERN__EACH_OBJECT(heap, i, unit) {
            uint64_t *header = (uint64_t *)(void *)tern__space_at(&heap->space, unit);
            if (!tern__header_is_moved(*header)) follow_object(heap, (uint8_t *)(header + 1), *header);
        }
    }
    for (uint32_t i = 0; i < heap->roots.n; i++)
        if (heap->roots.places[i].object) heap->roots.places[i].object = follow(heap, heap->roots.places[i].object);
}

/* ---- Old copies go ------------------------------------------------------------------------------- */

static void forget_old_copies(tern_heap *heap, size_t region) {
    bool is_empty = true;
    heap->space.regions[region].is_left = false;
    TERN__EACH_OBJECT(heap, region, unit) {
        if (tern__header_is_moved(*(uint64_t *)(void *)tern__space_at(&heap->space, unit)))
            heap->space.bits[unit / 64].start &= ~((uint64_t)1 << unit % 64);
        else
            is_empty = false;
    }
    if (is_empty) tern__room_free(heap, region, heap->moves_always);
}

static void move_all(tern_heap *heap) {
    const size_t end = heap->room.end; /* new copies go behind it, or into regions that were free */
    bool more = true;
    tern__room_forget(heap);
    for (size_t i = 0; i < end && more; i++) {
        tern__region *r = &heap->space.regions[i];
        if (shall_leave(heap, r) && !r->is_new) more = move_region(heap, i);
    }
    follow_all(heap);
    for (size_t i = 0; i < heap->room.end; i++) {
        heap->space.regions[i].is_new = false;
        if (heap->space.regions[i].is_left) forget_old_copies(heap, i);
    }
}

static int safe_point(tern_heap *heap, bool moves) {
    int err = tern__problem_thread(heap);
    if (err) return err;
    tern__problem_clear(heap);
    err = tern__collect(heap);
    if (!err && moves) move_all(heap);
    return err;
}

int tern_heap_collect(tern_heap *heap) { return safe_point(heap, heap->moves_always); }
int tern_heap_compact(tern_heap *heap) { return safe_point(heap, true); }
