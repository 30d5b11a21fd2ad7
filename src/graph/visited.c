/* What a walk has met; see visited.h. */
#include "graph/visited.h"

#include "base/rng.h"
#include "graph/grow.h"

void tern__visited_init(tern__visited *v, tern_heap *heap) {
    *v = (tern__visited){.heap = heap};
    tern_arena_init_private(&v->memory, 0, 0);
}

/* The region's own pins, or those of a run's first one: objects begin nowhere else. */
static void unpin_all(tern__visited *v) {
    for (size_t i = 0; i < v->n_regions; i++) {
        if (!v->regions[i]) continue;
        v->heap->space.regions[i].n_pins--;
        v->heap->n_pins--;
        v->regions[i] = NULL;
    }
}

void tern__visited_clear(tern__visited *v) {
    unpin_all(v);
    tern_unref(v->foreign);
    v->foreign = NULL;
    v->n_foreign = v->foreign_cap = 0;
    tern_arena_reset(&v->memory);
}

void tern__visited_fini(tern__visited *v) {
    tern__visited_clear(v);
    tern_unref(v->regions);
    tern_arena_fini(&v->memory);
}

/* ---- In the heap --------------------------------------------------------------------------------- */

static bool grow_regions(tern__visited *v, size_t n) {
    size_t cap = v->n_regions;
    if (!tern__grow(&v->regions, &cap, n, sizeof *v->regions)) return false;
    memset(v->regions + v->n_regions, 0, (cap - v->n_regions) * sizeof *v->regions);
    v->n_regions = cap;
    return true;
}

int tern__visited_touch(tern__visited *v, size_t unit) {
    const size_t i = unit / TERN__REGION_UNITS;
    tern__region *region = &v->heap->space.regions[i];
    if (i >= v->n_regions && !grow_regions(v, i + 1)) return TERN_ERR_NOMEM;
    if (v->regions[i]) return 0;
    if (region->n_pins == UINT32_MAX) return TERN_ERR_LIMIT;
    v->regions[i] = tern_arena_zalloc(&v->memory, sizeof **v->regions);
    if (!v->regions[i]) return TERN_ERR_NOMEM;
    region->n_pins++;
    v->heap->n_pins++;
    return 0;
}

uint32_t *tern__visited_add_page(tern__visited *v, size_t unit) {
    const size_t bytes = unit % TERN__REGION_UNITS * TERN__UNIT_BYTES;
    uint32_t *page = tern_arena_zalloc(&v->memory, TERN__VISITED_PLACES * sizeof *page);
    if (!page) return NULL;
    v->regions[unit / TERN__REGION_UNITS]->pages[bytes / TERN__VISITED_PAGE_BYTES] = page;
    return &page[bytes % TERN__VISITED_PAGE_BYTES / 16];
}

/* ---- Elsewhere ----------------------------------------------------------------------------------- */

static tern__foreign *find_foreign(tern__foreign *table, size_t cap, const tern__foreign *wanted) {
    uint64_t hash = tern__mix64((uintptr_t)wanted->at ^ (uint64_t)wanted->what << 40 ^ (uint64_t)wanted->count << 20);
    for (size_t i = (size_t)hash;; i++) {
        tern__foreign *f = &table[i & (cap - 1)];
        if (!f->at) return f;
        if (f->at == wanted->at && f->what == wanted->what && f->count == wanted->count) return f;
    }
}

static bool grow_foreign(tern__visited *v) {
    size_t cap = v->foreign_cap ? v->foreign_cap * 2 : 64;
    if (v->n_foreign < v->foreign_cap / 2) return true;
    tern__foreign *more = cap <= TERN_BUF_MAX_BYTES / sizeof *more ? tern_alloc_private(cap * sizeof *more) : NULL;
    if (!more) return false;
    memset(more, 0, cap * sizeof *more);
    for (size_t i = 0; i < v->foreign_cap; i++)
        if (v->foreign[i].at) *find_foreign(more, cap, &v->foreign[i]) = v->foreign[i];
    tern_unref(v->foreign);
    v->foreign = more;
    v->foreign_cap = cap;
    return true;
}

uint32_t *tern__visited_foreign(tern__visited *v, const void *at, uint32_t what, uint32_t count) {
    const tern__foreign wanted = {at, what, count, 0};
    if (!grow_foreign(v)) return NULL;
    tern__foreign *f = find_foreign(v->foreign, v->foreign_cap, &wanted);
    if (!f->at) {
        *f = wanted;
        v->n_foreign++;
    }
    return &f->place;
}
