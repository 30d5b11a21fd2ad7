/* Room for new objects; see heap_record.h for where they go. */
#include "graph/room.h"

#include "mem/poison.h"
#include "mem/pool.h"

enum {
    HUGE_FROM = 16,                       /* from this region on regions get their memory two by two */
    LARGE_BYTES = TERN__REGION_BYTES / 2, /* longer objects get a run of regions */
    SHORT_BYTES = 256,                    /* shorter ones make do with the next hole that is long enough */
    HOLE_BYTES = 64                       /* shorter holes stay empty */
};

/* ---- Regions ------------------------------------------------------------------------------------- */

static bool is_free(const tern_heap *heap, size_t region) {
    return region >= heap->space.n_ready || heap->space.regions[region].state == TERN__REGION_FREE;
}

/* The first of n free regions side by side from `from` on; SIZE_MAX: none. */
static size_t find_free(const tern_heap *heap, size_t n, size_t from) {
    const size_t n_all = heap->space.bytes >> TERN__REGION_SHIFT;
    size_t run = 0;
    for (size_t i = from; i < n_all; i++) {
        run = is_free(heap, i) ? run + 1 : 0;
        if (run == n) return i + 1 - n;
        if (i >= heap->room.end && n_all - i < n - run) break;
    }
    return SIZE_MAX;
}

/* Regions that become used; whoever takes them says for what. */
static size_t take_regions(tern_heap *heap, size_t n) {
    tern__room *room = &heap->room;
    size_t first = find_free(heap, n, room->takes_fresh ? room->end : room->first_free);
    if (first == SIZE_MAX && room->takes_fresh) first = find_free(heap, n, room->first_free);
    if (first == SIZE_MAX || !tern__space_prepare(&heap->space, first + n)) return SIZE_MAX;
    if (first == room->first_free) room->first_free = first + n;
    if (first + n > room->end) room->end = first + n;
    return first;
}

/* At least so many bytes at the region's start have memory. False: there is none. */
static bool commit(tern_heap *heap, size_t region, uint64_t bytes) {
    tern__region *r = &heap->space.regions[region];
    if (bytes <= r->committed_bytes) return true;
    if (!tern__space_commit(&heap->space, (region << TERN__REGION_SHIFT) + r->committed_bytes,
                            bytes - r->committed_bytes))
        return false;
    r->committed_bytes = bytes;
    return true;
}

void tern__room_free(tern_heap *heap, size_t region, bool faults) {
    tern__region *regions = heap->space.regions, *r = &regions[region];
    size_t n = r->state == TERN__REGION_RUN ? r->n_run : 1, at = region << TERN__REGION_SHIFT;
    uint64_t bytes = r->committed_bytes;
    /* A run's memory is given back whole: its regions will have other borders. */
    bool gone = bytes && (n > 1 || faults) && tern__space_decommit(&heap->space, at, bytes, faults);
    for (size_t i = 0; i < n; i++) {
        uint64_t has = bytes < TERN__REGION_BYTES || n == 1 ? bytes : (uint64_t)TERN__REGION_BYTES;
        regions[region + i] = (tern__region){.committed_bytes = gone ? 0 : has};
        bytes -= has;
    }
    if (region < heap->room.first_free) heap->room.first_free = region;
}

void tern__room_trim(tern_heap *heap, uint64_t kept_bytes) {
    for (size_t i = heap->room.first_free; i < heap->room.end; i++) {
        tern__region *r = &heap->space.regions[i];
        if (r->state != TERN__REGION_FREE || r->committed_bytes == 0) continue;
        if (r->committed_bytes <= kept_bytes)
            kept_bytes -= r->committed_bytes;
        else if (tern__space_decommit(&heap->space, i << TERN__REGION_SHIFT, r->committed_bytes, false))
            r->committed_bytes = 0;
    }
}

/* ---- Where the next objects go -------------------------------------------------------------------- */

static uint8_t *take_from(tern__bump *bump, uint64_t bytes) {
    if (bytes > (size_t)(bump->end - bump->next)) return NULL;
    uint8_t *at = bump->next;
    bump->next += bytes;
    return at;
}

/* More memory for a place that has addresses. False when it has not enough of these, or memory is out. */
static bool extend(tern_heap *heap, tern__bump *bump, uint64_t bytes) {
    if (bytes > (size_t)(bump->limit - bump->next)) return false;
    size_t at = (size_t)(bump->next - heap->space.base), region = at >> TERN__REGION_SHIFT;
    uint64_t has = heap->space.regions[region].committed_bytes;
    uint64_t least = (at & (TERN__REGION_BYTES - 1)) + bytes, want = has * 2;
    if (want < least) want = least;
    want = (want + TERN__COMMIT_BYTES - 1) & ~(uint64_t)(TERN__COMMIT_BYTES - 1);
    if (want > TERN__REGION_BYTES) want = TERN__REGION_BYTES;
    if (!commit(heap, region, want)) return false;
    bump->end = heap->space.base + (region << TERN__REGION_SHIFT) + want;
    if (bump->end > bump->limit) bump->end = bump->limit;
    return true;
}

/* The part of [start, limit) that has memory may be used. */
static void bump_into(tern_heap *heap, tern__bump *bump, uint8_t *start, uint8_t *limit) {
    size_t region = (size_t)(start - heap->space.base) >> TERN__REGION_SHIFT;
    uint8_t *end = heap->space.base + (region << TERN__REGION_SHIFT) + heap->space.regions[region].committed_bytes;
    *bump = (tern__bump){.next = start, .end = end < start ? start : end < limit ? end : limit, .limit = limit};
}

/* Gives a region and the free one behind it their memory at once. When there is none, smaller steps are tried. */
static void commit_pair(tern_heap *heap, size_t region) {
    tern__region *r = &heap->space.regions[region];
    const size_t at = region << TERN__REGION_SHIFT;
    if (region < HUGE_FROM || region + 2 > heap->space.bytes >> TERN__REGION_SHIFT) return;
    if (((uintptr_t)heap->space.base + at) % (2 * TERN__REGION_BYTES) || !is_free(heap, region + 1)) return;
    if (!tern__space_prepare(&heap->space, region + 2) || r[0].committed_bytes || r[1].committed_bytes) return;
    if (!tern__space_commit_huge(&heap->space, at)) return;
    r[0].committed_bytes = r[1].committed_bytes = TERN__REGION_BYTES;
    if (heap->room.end < region + 2) heap->room.end = region + 2;
}

static bool begin_region(tern_heap *heap, tern__bump *bump) {
    size_t region = take_regions(heap, 1);
    if (region == SIZE_MAX) return false;
    uint8_t *start = heap->space.base + (region << TERN__REGION_SHIFT);
    if (!heap->moves_always) commit_pair(heap, region);
    heap->space.regions[region].state = TERN__REGION_OBJECTS;
    heap->space.regions[region].is_new = true;
    bump_into(heap, bump, start, start + TERN__REGION_BYTES);
    return true;
}

static uint8_t *take_fresh(tern_heap *heap, tern__bump *bump, uint64_t bytes) {
    bool ok = bytes <= (size_t)(bump->end - bump->next) || extend(heap, bump, bytes);
    if (!ok && bytes <= (size_t)(bump->limit - bump->next)) return NULL; /* no memory: a new region has none, either */
    if (!ok) ok = begin_region(heap, bump) && (bytes <= (size_t)(bump->end - bump->next) || extend(heap, bump, bytes));
    return ok ? take_from(bump, bytes) : NULL;
}

static size_t regions_for(uint64_t bytes) { return (size_t)((bytes + TERN__REGION_BYTES - 1) >> TERN__REGION_SHIFT); }

/* Of a region that becomes part of a run: memory that it has by itself would be in the way. */
static void give_memory_back(tern_heap *heap, size_t region) {
    const uint64_t has = heap->space.regions[region].committed_bytes;
    if (has && !tern__space_decommit(&heap->space, region << TERN__REGION_SHIFT, has, false))
        heap->space.committed_bytes -= has;
}

/* A free region becomes a run of one region without memory. */
static void begin_run(tern_heap *heap, size_t region) {
    give_memory_back(heap, region);
    heap->space.regions[region] = (tern__region){.state = TERN__REGION_RUN, .n_run = 1, .is_new = true};
}

/* The run has n regions from now on: those that follow it are free. */
static void lengthen_run(tern_heap *heap, size_t first, size_t n) {
    tern__region *r = &heap->space.regions[first];
    for (size_t i = r->n_run; i < n; i++) {
        give_memory_back(heap, first + i);
        r[i] = (tern__region){.state = TERN__REGION_REST, .n_run = (uint32_t)i};
    }
    r->n_run = (uint32_t)n;
}

/* A run of regions for one object. */
static uint8_t *take_run(tern_heap *heap, uint64_t bytes) {
    const size_t n = regions_for(bytes);
    if (n > heap->space.bytes >> TERN__REGION_SHIFT) return NULL;
    size_t region = take_regions(heap, n);
    if (region == SIZE_MAX) return NULL;
    begin_run(heap, region);
    lengthen_run(heap, region, n);
    if (commit(heap, region, (bytes + 4095) & ~(uint64_t)4095))
        return heap->space.base + (region << TERN__REGION_SHIFT);
    tern__room_free(heap, region, false);
    return NULL;
}

/* ---- Holes --------------------------------------------------------------------------------------- */

static bool next_region_with_holes(tern_heap *heap) {
    tern__room *room = &heap->room;
    for (size_t i = room->hole_region + 1; i < room->end; i++) {
        if (!heap->space.regions[i].has_holes) continue;
        heap->space.regions[i].has_holes = false;
        room->hole_region = i;
        room->hole_unit = i * TERN__REGION_UNITS;
        return true;
    }
    return false;
}

/* The next hole, in this region or another. False: there is none left. */
static bool next_hole(tern_heap *heap) {
    tern__room *room = &heap->room;
    tern__space *space = &heap->space;
    for (;;) {
        size_t end = (room->hole_region + 1) * TERN__REGION_UNITS, from = room->hole_unit;
        if (room->hole_region == SIZE_MAX || from >= end) {
            if (!next_region_with_holes(heap)) return false;
            continue;
        }
        size_t start = tern__space_next_start(space, from, end);
        room->hole_unit = end;
        if (start < end)
            room->hole_unit =
                start + tern__header_bytes(heap, *(uint64_t *)(void *)tern__space_at(space, start)) / TERN__UNIT_BYTES;
        if ((start - from) * TERN__UNIT_BYTES < HOLE_BYTES) continue;
        bump_into(heap, &room->bump, tern__space_at(space, from), tern__space_at(space, start));
        return true;
    }
}

static uint8_t *take_in_holes(tern_heap *heap, uint64_t bytes) {
    tern__room *room = &heap->room;
    if (bytes > SHORT_BYTES) return take_fresh(heap, &room->beside, bytes);
    while (next_hole(heap)) {
        uint8_t *at = take_from(&room->bump, bytes);
        if (!at && extend(heap, &room->bump, bytes)) at = take_from(&room->bump, bytes);
        if (at) return at;
    }
    room->is_in_holes = false;
    room->bump = room->beside;
    room->beside = (tern__bump){0};
    return take_fresh(heap, &room->bump, bytes);
}

void tern__room_use_holes(tern_heap *heap) {
    heap->room.is_in_holes = true;
    heap->room.hole_region = SIZE_MAX;
    heap->room.beside = heap->room.bump;
    heap->room.bump = (tern__bump){0};
}

/* Of a pinned region the rest that nobody has used is still good: what is being received goes on there, instead of
 * taking a region after each collection. */
static tern__bump pinned_rest(const tern_heap *heap) {
    const tern__room *room = &heap->room;
    tern__bump fresh = room->is_in_holes ? room->beside : room->bump;
    if (!fresh.next || fresh.next == fresh.limit) return (tern__bump){0};
    const tern__region *r = &heap->space.regions[(size_t)(fresh.next - heap->space.base) >> TERN__REGION_SHIFT];
    return r->n_pins && r->state == TERN__REGION_OBJECTS ? fresh : (tern__bump){0};
}

void tern__room_forget(tern_heap *heap) {
    heap->room.bump = pinned_rest(heap);
    heap->room.beside = (tern__bump){0};
    heap->room.is_in_holes = false;
    for (size_t i = 0; i < heap->room.end; i++) heap->space.regions[i].has_holes = false;
}

/* ---- Objects ------------------------------------------------------------------------------------- */

static uint8_t *take_slow(tern_heap *heap, uint64_t bytes) {
    tern__room *room = &heap->room;
    if (bytes > LARGE_BYTES) return take_run(heap, bytes);
    if (!room->is_in_holes) return take_fresh(heap, &room->bump, bytes);
    if (extend(heap, &room->bump, bytes)) return take_from(&room->bump, bytes);
    return take_in_holes(heap, bytes);
}

/* Room that has memory, in which no object is yet. */
static inline uint8_t *take(tern_heap *heap, uint64_t bytes) {
    uint8_t *at = take_from(&heap->room.bump, bytes);
    if (!at) at = take_slow(heap, bytes);
    if (at) tern__unpoison(at, bytes);
    return at;
}

uint8_t *tern__room_take(tern_heap *heap, uint32_t what, uint32_t count) {
    uint64_t bytes = tern__object_bytes(tern__types_walk(&heap->types, what)->elem_bytes, count);
    if (tern__pool_refuses()) return NULL;
    uint8_t *at = take(heap, bytes);
    if (!at) return NULL;
    *(uint64_t *)(void *)(at + bytes - TERN__UNIT_BYTES) = 0; /* behind the last element: it may be sent */
    *(uint64_t *)(void *)at = tern__header(what, count);
    tern__space_set_start(&heap->space, tern__space_unit(&heap->space, at));
    heap->stats.objects++;
    heap->stats.object_bytes += bytes;
    return at + TERN__HEADER_BYTES;
}

/* ---- Room without an object ------------------------------------------------------------------------ */

bool tern__room_is_long(uint64_t bytes) { return bytes > LARGE_BYTES; }

uint8_t *tern__room_reserve(tern_heap *heap, uint64_t bytes) { return tern__pool_refuses() ? NULL : take(heap, bytes); }

/* Whether the run can grow to n regions where it is. */
static bool can_grow(tern_heap *heap, size_t first, size_t n) {
    const tern__region *r = &heap->space.regions[first];
    if (first + n > heap->space.bytes >> TERN__REGION_SHIFT) return false;
    for (size_t i = r->n_run; i < n; i++)
        if (!is_free(heap, first + i)) return false;
    return tern__space_prepare(&heap->space, first + n);
}

static bool grow_run(tern_heap *heap, size_t first, uint64_t bytes) {
    const size_t n = regions_for(bytes);
    if (n > heap->space.regions[first].n_run) {
        if (!can_grow(heap, first, n)) return false;
        lengthen_run(heap, first, n);
        if (first + n > heap->room.end) heap->room.end = first + n;
    }
    if (!commit(heap, first, (bytes + 4095) & ~(uint64_t)4095)) return false;
    tern__unpoison(heap->space.base + (first << TERN__REGION_SHIFT), bytes);
    return true;
}

uint8_t *tern__room_begin_run(tern_heap *heap, uint64_t all_bytes, uint64_t bytes) {
    const size_t n_all = heap->space.bytes >> TERN__REGION_SHIFT, n = regions_for(all_bytes);
    if (n > n_all || tern__pool_refuses()) return NULL;
    size_t first = find_free(heap, n, heap->room.first_free);
    if (first == SIZE_MAX || !tern__space_prepare(&heap->space, first + 1)) return NULL;
    begin_run(heap, first);
    if (first + 1 > heap->room.end) heap->room.end = first + 1;
    if (grow_run(heap, first, bytes)) return heap->space.base + (first << TERN__REGION_SHIFT);
    tern__room_free(heap, first, false);
    return NULL;
}

uint8_t *tern__room_extend_run(tern_heap *heap, uint8_t *at, uint64_t all_bytes, uint64_t used_bytes, uint64_t bytes) {
    const size_t first = (size_t)(at - heap->space.base) >> TERN__REGION_SHIFT;
    if (tern__pool_refuses()) return NULL;
    if (grow_run(heap, first, bytes)) return at;
    uint8_t *elsewhere = tern__room_begin_run(heap, all_bytes, bytes);
    if (!elsewhere) return NULL;
    memcpy(elsewhere, at, used_bytes);
    return elsewhere;
}
