/* The record of a heap. Each part is the business of one file, which is named. */
#ifndef TERN_GRAPH_HEAP_RECORD_H
#define TERN_GRAPH_HEAP_RECORD_H

#include "graph/space.h"
#include "graph/types.h"
#include "mem/objects.h"
#include "tern/graph.h"

/* Where the next objects go, one behind the other: [next, end) has memory, up to `limit` it may get some. */
typedef struct tern__bump {
    uint8_t *next, *end, *limit;
} tern__bump;

/* room.c. New objects go into holes between old ones, region by region, until there are none, and then into fresh
 * regions. While there are holes, those that are too long for the next hole go into a fresh region at once. */
typedef struct tern__room {
    tern__bump bump;    /* the hole, or the fresh region */
    tern__bump beside;  /* while bump is a hole: the fresh region */
    bool is_in_holes;   /* bump is a hole */
    size_t hole_region; /* holes: in this region, ... */
    size_t hole_unit;   /* ... from this unit of the heap on */
    size_t first_free;  /* no region before this one is free */
    size_t end;         /* all regions from this one on are free */
    bool takes_fresh;   /* only regions that were never used, or all others are used up: stale pointers shall fault */
} tern__room;

typedef struct tern__root_place {
    uint8_t *object;     /* NULL: free */
    uint32_t generation; /* of the root that is or was here last */
    uint32_t next_free;  /* of a free place: another, plus 1 */
} tern__root_place;

/* root.c */
typedef struct tern__roots {
    tern__root_place *places;
    uint32_t n, cap;
    uint32_t free; /* the first free place, plus 1 */
    uint32_t n_used;
} tern__roots;

/* Where a pointer is: in which slot of which element of which object. */
typedef struct tern__spot {
    const uint8_t *object;   /* its first element; NULL: a root */
    uint64_t elem;           /* its number in the object; of a root its index */
    const tern__slot *slot;  /* NULL: the object itself */
    const tern_field *field; /* of a value that is wrong, without a slot; else NULL */
} tern__spot;

struct tern_heap {
    tern__room room;
    tern__space space;
    tern__types types;
    tern__roots roots;
    const void *owner;
    struct tern__mark_stack *stack; /* mark.c */
    uint64_t n_pins;                /* of all regions together */
    uint64_t n_arriving;            /* of these, for objects that are being received (arrival.h) */
    bool moves_always;
    tern__objects objects; /* so that codecs find the types of objects */
    tern_heap_stats stats; /* what is counted: objects, bytes, collections, moves, rescans */
    char problem[512];
};

/* Each thread's own address. */
extern _Thread_local char tern__heap_thread __attribute__((visibility("hidden")));

static inline bool tern__heap_is_mine(const tern_heap *heap) { return heap->owner == &tern__heap_thread; }

/* The header of an object, whose first element is at `object`. */
static inline const uint64_t *tern__header_of(const uint8_t *object) {
    return (const uint64_t *)(const void *)(object - TERN__HEADER_BYTES);
}

static inline uint64_t tern__header_bytes(const tern_heap *heap, uint64_t header) {
    const tern__walk *walk = tern__types_walk(&heap->types, tern__header_what(header));
    return tern__object_bytes(walk->elem_bytes, tern__header_count(header));
}

/* The unit where a region ends, or a run of regions. */
static inline size_t tern__region_end(const tern_heap *heap, size_t region) {
    const tern__region *r = &heap->space.regions[region];
    return (region + (r->state == TERN__REGION_RUN ? r->n_run : 1)) * TERN__REGION_UNITS;
}

/* Whether objects begin in the region. */
static inline bool tern__region_is_used(const tern__region *r) {
    return r->state == TERN__REGION_OBJECTS || r->state == TERN__REGION_RUN;
}

/* Loops over the objects that begin in a region, by the unit of their headers. */
#define TERN__EACH_OBJECT(heap, region, unit)                                                                          \
    for (size_t tern__end = ((region) + 1) * TERN__REGION_UNITS,                                                       \
                unit = tern__space_next_start(&(heap)->space, (region)*TERN__REGION_UNITS, tern__end);                 \
         unit < tern__end; unit = tern__space_next_start(&(heap)->space, unit + 1, tern__end))

/* The number of the object's unit that a pointer points into; SIZE_MAX: into none. The pointer is the heap's. */
static inline size_t tern__heap_find(const tern_heap *heap, const uint8_t *at) {
    size_t region = (size_t)(at - heap->space.base) >> TERN__REGION_SHIFT;
    const tern__region *r = &heap->space.regions[region];
    if (r->state == TERN__REGION_REST) region -= r->n_run, r = &heap->space.regions[region];
    if (!tern__region_is_used(r)) return SIZE_MAX;
    size_t unit = tern__space_unit(&heap->space, at), first = region * TERN__REGION_UNITS;
    if (r->state == TERN__REGION_RUN) return tern__space_is_start(&heap->space, first) ? first : SIZE_MAX;
    return tern__space_last_start(&heap->space, unit, first);
}

/* Whether an object starts at this pointer, which is the heap's. */
static inline bool tern__heap_starts_at(const tern_heap *heap, const uint8_t *object) {
    size_t offset = (size_t)(object - heap->space.base);
    if (offset % TERN__UNIT_BYTES || offset < TERN__HEADER_BYTES) return false;
    return tern__space_is_start(&heap->space, offset / TERN__UNIT_BYTES - 1);
}

#endif
