/* Heaps as a whole: the first and the last thing, pins, statistics. */
#include "graph/heap.h"

#include <sys/resource.h>

#include "base/sized.h"
#include "graph/mark.h"
#include "graph/problem.h"
#include "graph/root.h"

void tern_heap_config_init_sized(tern_heap_config *config, size_t size) {
    const tern_heap_config defaults = {.size = sizeof defaults};
    tern__sized_init(config, size, &defaults, sizeof defaults);
}

/* 16 GB of addresses, unless the process may have less. */
static size_t default_bytes(void) {
    struct rlimit limit;
    size_t bytes = (size_t)16 << 30;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur / 2 < bytes)
        bytes = (size_t)limit.rlim_cur / 2;
    return bytes;
}

int tern__heap_read_config(const tern_heap_config *given, tern_heap_config *config) {
    tern_heap_config_init(config);
    if (given && tern__sized_read(config, sizeof *config, given) != TERN__SIZED_FINE) return TERN_ERR_INVALID;
    if (config->max_bytes == 0) config->max_bytes = default_bytes();
    if (config->max_bytes > TERN__HEAP_MOST_BYTES) return TERN_ERR_INVALID;
    if (config->max_bytes < TERN__REGION_BYTES) config->max_bytes = TERN__REGION_BYTES;
    return 0;
}

int tern__heap_make(const tern_heap_config *config, tern_heap **out) {
    tern_heap *heap = tern_alloc_private(sizeof *heap);
    if (!heap) return TERN_ERR_NOMEM;
    *heap = (tern_heap){.moves_always = config->move_always, .owner = &tern__heap_thread};
    heap->room.takes_fresh = config->move_always;
    heap->stack = tern__mark_new();
    if (!heap->stack) goto fail_stack;
    if (tern__types_init(&heap->types)) goto fail_types;
    *out = heap;
    return 0;

fail_types:
    tern__mark_free(heap->stack);
fail_stack:
    tern_unref(heap);
    return TERN_ERR_NOMEM;
}

void tern__heap_unmake(tern_heap *heap) {
    tern__types_fini(&heap->types);
    tern__mark_free(heap->stack);
    tern__roots_fini(&heap->roots);
    tern_unref(heap);
}

static const tern_type *type_of_mine(const tern__objects *objects, const void *ptr) {
    const tern_heap *heap = (const tern_heap *)(const void *)((const uint8_t *)objects - offsetof(tern_heap, objects));
    return tern__heap_is_mine(heap) ? tern_heap_type_of(heap, ptr) : NULL;
}

void tern__heap_show(tern_heap *heap) {
    heap->objects =
        (tern__objects){.start = (uintptr_t)heap->space.base, .bytes = heap->space.bytes, .type_of = type_of_mine};
    tern__objects_add(&heap->objects);
}

const tern_type *tern_object_type(const void *ptr) {
    const tern_type *type;
    return tern__objects_find(ptr, &type) ? type : NULL;
}

int tern_heap_new(const tern_heap_config *given, tern_heap **out) {
    tern_heap_config config;
    tern_heap *heap;
    int err = tern__heap_read_config(given, &config);
    if (!err) err = tern__heap_make(&config, &heap);
    if (err) return err;
    err = tern__space_open(&heap->space, config.max_bytes, config.shared);
    if (err) {
        tern__heap_unmake(heap);
        return err;
    }
    tern__heap_show(heap);
    *out = heap;
    return 0;
}

int tern_heap_free(tern_heap *heap) {
    if (!heap) return 0;
    if (!tern__heap_is_mine(heap)) return TERN_ERR_THREAD;
    if (heap->n_pins) return TERN_ERR_AGAIN;
    tern__objects_remove(&heap->objects);
    tern__space_close(&heap->space);
    tern__heap_unmake(heap);
    return 0;
}

void tern_heap_adopt(tern_heap *heap) { heap->owner = &tern__heap_thread; }

const char *tern_heap_problem(const tern_heap *heap) { return heap->problem; }

bool tern_heap_contains(const tern_heap *heap, const void *ptr) {
    return (uintptr_t)ptr - (uintptr_t)heap->space.base < heap->space.bytes;
}

const tern_type *tern_heap_type_of(const tern_heap *heap, const void *ptr) {
    if (!tern__space_has(&heap->space, ptr) || !tern__heap_starts_at(heap, ptr)) return NULL;
    uint32_t what = tern__header_what(*tern__header_of(ptr));
    return tern__what_kind(what) == TERN__OBJECT_MESSAGE ? tern__types_walk(&heap->types, what)->type : NULL;
}

void tern_heap_get_stats_sized(const tern_heap *heap, tern_heap_stats *stats, size_t size) {
    tern_heap_stats own = heap->stats;
    own.reserved_bytes = heap->space.bytes;
    own.committed_bytes = heap->space.committed_bytes;
    own.roots = heap->roots.n_used;
    own.pins = heap->n_pins;
    own.types = (heap->types.n - TERN__TYPE_FIRST) / 2;
    for (size_t i = 0; i < heap->room.end; i++)
        if (heap->space.regions[i].state != TERN__REGION_FREE) own.region_bytes += TERN__REGION_BYTES;
    tern__sized_write(stats, size, &own, sizeof own);
}

/* ---- Pins ---------------------------------------------------------------------------------------- */

/* The regions that a range touches, the whole of a run for a part of it. False: some of it is not the heap's. */
static bool regions_of(const tern_heap *heap, const void *start, size_t bytes, size_t *first, size_t *end) {
    size_t offset = (size_t)((uintptr_t)start - (uintptr_t)heap->space.base);
    size_t all = heap->room.end << TERN__REGION_SHIFT;
    if (bytes == 0 || offset >= all || bytes > all - offset) return false;
    *first = offset >> TERN__REGION_SHIFT;
    *end = ((offset + bytes - 1) >> TERN__REGION_SHIFT) + 1;
    const tern__region *r = heap->space.regions;
    if (r[*first].state == TERN__REGION_REST) *first -= r[*first].n_run;
    for (size_t i = *first; i < *end; i++)
        if (r[i].state == TERN__REGION_FREE) return false;
    return true;
}

/* Changes the counts of the regions' heads, and the sum. False: one of them is at `bound`, and none has changed. */
static bool change_pins(tern_heap *heap, size_t first, size_t end, uint32_t bound, int by) {
    tern__region *r = heap->space.regions;
    for (size_t i = first; i < end; i++)
        if (r[i].state != TERN__REGION_REST && r[i].n_pins == bound) return false;
    for (size_t i = first; i < end; i++) {
        if (r[i].state == TERN__REGION_REST) continue;
        r[i].n_pins += (uint32_t)by;
        heap->n_pins += (uint64_t)(int64_t)by;
    }
    return true;
}

static int pin_or_unpin(tern_heap *heap, const void *start, size_t bytes, bool pin) {
    size_t first, end;
    int err = tern__problem_thread(heap);
    if (err) return err;
    tern__problem_clear(heap);
    if (!regions_of(heap, start, bytes, &first, &end)) {
        tern__problem_say(heap, "a part of [%p, + %zu) is not the heap's", start, bytes);
        return TERN_ERR_INVALID;
    }
    if (change_pins(heap, first, end, pin ? UINT32_MAX : 0, pin ? 1 : -1)) return 0;
    tern__problem_say(heap, pin ? "too many pins of [%p, + %zu)" : "a part of [%p, + %zu) is not pinned", start, bytes);
    return pin ? TERN_ERR_LIMIT : TERN_ERR_INVALID;
}

int tern_heap_pin(tern_heap *heap, const void *start, size_t bytes) { return pin_or_unpin(heap, start, bytes, true); }

int tern_heap_unpin(tern_heap *heap, const void *start, size_t bytes) {
    return pin_or_unpin(heap, start, bytes, false);
}
