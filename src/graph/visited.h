/* Which objects of a heap a walk has met, and where each lies in the stream that the walk makes.
 *
 *   regions[] ──> a table for a region that was touched ──> a page for each 4 KB that were touched
 *                 { page, page, ... 256 of them }           { place, place, ... one for each 16 bytes }
 *
 * A place is where an object's first element comes in the stream, in units of 8 bytes; 0: not met. No object of a heap
 * takes fewer than 16 bytes. So the set has a quarter of the bytes of the pages that were touched, needs no hash and
 * follows the heap's own locality. A region with a table is pinned: what was met stays where it is until the set is
 * emptied, and what is reached from there stays alive.
 *
 * Objects in no heap are found by address, type and number of elements, in a hash table. */
#ifndef TERN_GRAPH_VISITED_H
#define TERN_GRAPH_VISITED_H

#include "graph/heap_record.h"

enum {
    TERN__VISITED_PAGE_BYTES = 4096, /* of the heap */
    TERN__VISITED_PLACES = TERN__VISITED_PAGE_BYTES / 16,
    TERN__VISITED_PAGES = TERN__REGION_BYTES / TERN__VISITED_PAGE_BYTES
};

typedef struct tern__visited_region {
    uint32_t *pages[TERN__VISITED_PAGES];
} tern__visited_region;

/* An object that lies in no heap. */
typedef struct tern__foreign {
    const void *at; /* NULL: a free place of the table */
    uint32_t what, count, place;
} tern__foreign;

typedef struct tern__visited {
    tern_heap *heap; /* may be NULL */
    tern_arena memory;
    tern__visited_region **regions;
    size_t n_regions;
    tern__foreign *foreign; /* open-addressed; 0 places or a power of two */
    size_t n_foreign, foreign_cap;
} tern__visited;

void tern__visited_init(tern__visited *v, tern_heap *heap);

/* Forgets all, and takes the pins back. */
void tern__visited_clear(tern__visited *v);
void tern__visited_fini(tern__visited *v);

/* For a heap's object whose header is in this unit: sees to it that its region has a table and is pinned.
 * TERN_ERR_NOMEM, TERN_ERR_LIMIT for too many pins. */
int tern__visited_touch(tern__visited *v, size_t unit);

/* The place of the same object, to be read and set; NULL when memory is out. Its region was touched. */
uint32_t *tern__visited_add_page(tern__visited *v, size_t unit);

/* The same for an object in no heap: 0 if it is not known; then the caller sets the place. NULL when memory is out. */
uint32_t *tern__visited_foreign(tern__visited *v, const void *at, uint32_t what, uint32_t count);

static inline bool tern__visited_is_touched(const tern__visited *v, size_t unit) {
    size_t region = unit / TERN__REGION_UNITS;
    return region < v->n_regions && v->regions[region];
}

static inline uint32_t *tern__visited_place(tern__visited *v, size_t unit) {
    const size_t bytes = unit % TERN__REGION_UNITS * TERN__UNIT_BYTES;
    uint32_t *page = v->regions[unit / TERN__REGION_UNITS]->pages[bytes / TERN__VISITED_PAGE_BYTES];
    if (!page) return tern__visited_add_page(v, unit);
    return &page[bytes % TERN__VISITED_PAGE_BYTES / 16];
}

/* For a unit that will be asked for soon. */
static inline void tern__visited_prefetch(const tern__visited *v, size_t unit) {
    const size_t bytes = unit % TERN__REGION_UNITS * TERN__UNIT_BYTES;
    if (!tern__visited_is_touched(v, unit)) return;
    const uint32_t *page = v->regions[unit / TERN__REGION_UNITS]->pages[bytes / TERN__VISITED_PAGE_BYTES];
    if (page) __builtin_prefetch(&page[bytes % TERN__VISITED_PAGE_BYTES / 16]);
}

#endif
