/* The search for what is kept.
 *
 *   roots ──> [ queue of 16 pointers, whose objects are being fetched ] ──> mark ──> [ stack of objects ]
 *                 ^                                                                        │
 *                 '──────────────────── the pointers in an object ─────────────────────────'
 *
 * An object's header is looked at some pointers after it was met, so that the memory has time to deliver it. The stack
 * is bounded. An object that finds it full is marked and its region is noted; when the stack is empty, the marked
 * objects of such regions are searched anew, until there are no such regions. Each time at least as many new objects
 * are marked as the stack has places, or it was the last, so the search ends.
 *
 * Marks lie beside the objects (space.h): a heap that is a file, or shared, is not written to. Between searches no mark
 * is set. */
#include "graph/mark.h"

#include "tern/mem.h"

enum {
    QUEUE = 16,           /* a power of two */
    STACK_PLACES = 16383, /* with the rest of the stack 256 KB */
    PIECE = 64            /* elements of a long list that are searched at a time */
};

typedef struct unsearched {
    uint8_t *object;
    uint64_t elem; /* go on from here */
} unsearched;

typedef struct tern__mark_stack {
    size_t n, limit;
    unsearched places[STACK_PLACES];
} mark_stack;

typedef struct waiting {
    const uint8_t *at; /* where the pointer lies; NULL: nobody waits here */
    const tern__slot *slot;
} waiting;

typedef struct search {
    tern_heap *heap;
    mark_stack *stack;
    const uint8_t *bad; /* where a pointer lies that is not legal */
    const tern__slot *bad_slot;
    uint32_t next; /* of the queue */
    bool is_short; /* the stack was full */
    waiting queue[QUEUE];
} search;

/* What does not change during a search, for functions that are in line, so that it stays in registers. */
typedef struct fixed {
    uint8_t *base;           /* the heap's addresses with regions */
    size_t bytes, all_bytes; /* of those that are ready, and of all that may come */
    tern__bits *bits;
    tern__region *regions;
    const tern__walk *walks;
} fixed;

static inline fixed fixed_of(const tern_heap *heap) {
    const tern__space *space = &heap->space;
    return (fixed){space->base,      space->n_ready << TERN__REGION_SHIFT, space->bytes, space->bits, space->regions,
                   heap->types.walks};
}

mark_stack *tern__mark_new(void) {
    mark_stack *stack = tern_alloc_private(sizeof *stack);
    if (stack) stack->n = 0, stack->limit = STACK_PLACES;
    return stack;
}

void tern__mark_free(mark_stack *stack) { tern_unref(stack); }

void tern__mark_limit(tern_heap *heap, size_t places) {
    heap->stack->limit = places && places < STACK_PLACES ? places : STACK_PLACES;
}

/* ---- Pointers ------------------------------------------------------------------------------------ */

/* The object that the pointer `to` of this slot keeps; SIZE_MAX: it is not legal. */
static size_t resolve(const tern_heap *heap, const tern__slot *slot, const uint8_t *at, const uint8_t *to) {
    size_t unit = tern__space_unit(&heap->space, to) - 1;
    uint64_t length = tern__slot_length(slot, at);
    bool at_start = tern__heap_starts_at(heap, to);
    if (!at_start) {
        if (!tern__slot_is_view(slot) || (unit = tern__heap_find(heap, to)) == SIZE_MAX) return SIZE_MAX;
        const uint8_t *first = tern__space_at(&heap->space, unit) + TERN__HEADER_BYTES;
        if (to < first) return SIZE_MAX;
        length += (uint64_t)(to - first);
        if (length < tern__slot_length(slot, at)) return SIZE_MAX;
    }
    uint64_t header = *(const uint64_t *)(const void *)tern__space_at(&heap->space, unit);
    if (slot->kind == TERN__SLOT_OBJECT)
        return tern__what_kind(tern__header_what(header)) == TERN__OBJECT_MESSAGE ? unit : SIZE_MAX;
    if (tern__header_what(header) != slot->what) return SIZE_MAX;
    return slot->kind == TERN__SLOT_INDEX || length <= tern__header_count(header) ? unit : SIZE_MAX;
}

bool tern__mark_resolve(const tern_heap *heap, const tern__slot *slot, const uint8_t *at, size_t *unit) {
    const uint8_t *to = tern__slot_target(slot, at);
    *unit = SIZE_MAX;
    if (!to || !tern__space_spans(&heap->space, to)) return true;
    if (!tern__space_has(&heap->space, to)) return false;
    *unit = resolve(heap, slot, at, to);
    return *unit != SIZE_MAX;
}

static inline void push(search *s, fixed f, uint8_t *object, size_t unit) {
    if (s->stack->n < s->stack->limit) {
        s->stack->places[s->stack->n++] = (unsearched){object, 0};
        return;
    }
    f.regions[unit / TERN__REGION_UNITS].is_short = true;
    s->is_short = true;
}

/* The object has been reached for the first time. */
static inline void count(fixed f, size_t unit, uint64_t bytes) {
    f.bits[unit / 64].mark |= (uint64_t)1 << unit % 64;
    f.regions[unit / TERN__REGION_UNITS].live_bytes += bytes;
}

static void mark_object(search *s, size_t unit) {
    const fixed f = fixed_of(s->heap);
    if (f.bits[unit / 64].mark >> unit % 64 & 1) return;
    uint8_t *at = f.base + unit * TERN__UNIT_BYTES;
    uint64_t header = *(uint64_t *)(void *)at;
    const tern__walk *walk = &f.walks[tern__what_type(tern__header_what(header))];
    count(f, unit, tern__object_bytes(walk->elem_bytes, tern__header_count(header)));
    if (walk->n_slots) push(s, f, at + TERN__HEADER_BYTES, unit);
}

static void refuse(search *s, const uint8_t *at, const tern__slot *slot) {
    if (s->bad) return;
    s->bad = at;
    s->bad_slot = slot;
}

/* A message, which most objects are: its size is the slot's. Few have no slots, and nobody asks whether this one has.
 * False: the pointer is not legal. */
static inline bool visit_message(search *s, fixed f, const tern__slot *slot, uint8_t *to) {
    size_t offset = (size_t)(to - f.base), unit = offset / TERN__UNIT_BYTES - 1;
    if (offset % TERN__UNIT_BYTES || offset == 0) return false;
    uint64_t bit = (uint64_t)1 << unit % 64;
    const tern__bits *bits = &f.bits[unit / 64];
    if (!(bits->start & bit) || tern__header_what(*tern__header_of(to)) != slot->what) return false;
    if (bits->mark & bit) return true;
    count(f, unit, slot->object_bytes);
    push(s, f, to, unit);
    return true;
}

static bool visit_other(search *s, const tern__slot *slot, const uint8_t *at) {
    const uint8_t *to = tern__slot_target(slot, at);
    size_t unit = to ? resolve(s->heap, slot, at, to) : 0;
    if (to && unit != SIZE_MAX) mark_object(s, unit);
    return unit != SIZE_MAX;
}

/* The object behind a pointer that has waited. */
static inline void visit(search *s, fixed f, waiting w) {
    if (!w.at) return;
    uint8_t *to = *(uint8_t *const *)(const void *)w.at;
    bool ok = w.slot->kind == TERN__SLOT_MESSAGE ? visit_message(s, f, w.slot, to) : visit_other(s, w.slot, w.at);
    if (!ok) refuse(s, w.at, w.slot);
}

/* A pointer to where no region is yet, though one may come. */
static void visit_beyond(search *s, const tern__slot *slot, const uint8_t *elem) {
    const uint8_t *at = elem + slot->offset;
    if (tern__slot_counts(slot, elem) && tern__slot_target(slot, at)) refuse(s, at, slot);
}

/* Most slots hold NULL or lead to a message, so the pointer is looked at before all else. */
static inline void enqueue(search *s, fixed f, const tern__slot *slot, const uint8_t *elem) {
    const uint8_t *at = elem + slot->offset, *to = *(const uint8_t *const *)(const void *)at;
    uintptr_t offset = (uintptr_t)to - (uintptr_t)f.base;
    if (offset >= f.bytes) {
        if (offset < f.all_bytes) visit_beyond(s, slot, elem);
        return;
    }
    if (slot->test_mask && !tern__slot_counts(slot, elem)) return;
    __builtin_prefetch(to - TERN__HEADER_BYTES);
    __builtin_prefetch(&f.bits[(size_t)(to - f.base) / (64 * TERN__UNIT_BYTES)]);
    waiting *place = &s->queue[s->next++ % QUEUE], first = *place;
    *place = (waiting){at, slot};
    visit(s, f, first);
}

/* ---- Objects ------------------------------------------------------------------------------------- */

static inline void search_object(search *s, fixed f, unsearched what) {
    uint64_t header = *tern__header_of(what.object), n = tern__header_count(header) - what.elem;
    const tern__walk *walk = &f.walks[tern__what_type(tern__header_what(header))];
    const tern__slot *const slots = walk->slots, *const end = slots + walk->n_slots;
    const uint32_t elem_bytes = walk->elem_bytes;
    const uint8_t *elem = what.object + what.elem * elem_bytes;
    if (n > PIECE) { /* the place that this came from is free */
        n = PIECE;
        s->stack->places[s->stack->n++] = (unsearched){what.object, what.elem + PIECE};
    }
    for (; n > 0; n--, elem += elem_bytes)
        for (const tern__slot *slot = slots; slot < end; slot++) enqueue(s, f, slot, elem);
}

static void empty_queue(search *s) {
    const fixed f = fixed_of(s->heap);
    for (uint32_t i = 0; i < QUEUE; i++) {
        waiting *place = &s->queue[(s->next + i) % QUEUE], w = *place;
        *place = (waiting){0};
        visit(s, f, w);
    }
}

static void search_all(search *s) {
    const fixed f = fixed_of(s->heap);
    do {
        while (s->stack->n > 0) search_object(s, f, s->stack->places[--s->stack->n]);
        empty_queue(s);
    } while (s->stack->n > 0);
}

/* As many starts as there is room for are searched from together. */
static void mark_start(search *s, size_t unit) {
    mark_object(s, unit);
    if (s->stack->n > s->stack->limit / 2) search_all(s);
}

/* Objects that found the stack full. Those of the region that were searched already are searched once more. */
static void search_again(search *s, size_t region) {
    tern_heap *heap = s->heap;
    heap->space.regions[region].is_short = false;
    heap->stats.rescans++;
    TERN__EACH_OBJECT(heap, region, unit) {
        if (!(heap->space.bits[unit / 64].mark >> unit % 64 & 1)) continue;
        s->stack->places[s->stack->n++] = (unsearched){tern__space_at(&heap->space, unit) + TERN__HEADER_BYTES, 0};
        search_all(s);
    }
}

static void search_where_short(search *s) {
    while (s->is_short) {
        s->is_short = false;
        for (size_t i = 0; i < s->heap->room.end; i++)
            if (s->heap->space.regions[i].is_short) search_again(s, i);
    }
}

/* ---- All ----------------------------------------------------------------------------------------- */

static void begin(tern_heap *heap) {
    for (size_t i = 0; i < heap->room.end; i++) {
        heap->space.regions[i].live_bytes = 0;
        heap->space.regions[i].is_short = false;
    }
}

static void forget_marks(tern_heap *heap) {
    tern__bits *bits = heap->space.bits;
    for (size_t k = 0; k < heap->room.end * TERN__REGION_WORDS; k++) bits[k].mark = 0;
}

static bool mark_roots(search *s, tern__spot *bad) {
    const tern__roots *roots = &s->heap->roots;
    for (uint32_t i = 0; i < roots->n; i++) {
        uint8_t *object = roots->places[i].object;
        if (!object) continue;
        if (!tern__heap_starts_at(s->heap, object)) { /* only memory that was overwritten leads here */
            *bad = (tern__spot){.elem = i};
            return false;
        }
        mark_start(s, tern__space_unit(&s->heap->space, object) - 1);
    }
    return true;
}

static void mark_pinned(search *s) {
    for (size_t i = 0; i < s->heap->room.end; i++) {
        const tern__region *r = &s->heap->space.regions[i];
        if (r->n_pins == 0 || !tern__region_is_used(r)) continue;
        TERN__EACH_OBJECT(s->heap, i, unit) mark_start(s, unit);
    }
}

/* In which object the pointer at `at` lies. */
static tern__spot spot_of(const tern_heap *heap, const uint8_t *at, const tern__slot *slot) {
    tern__spot spot = {.slot = slot};
    size_t unit = tern__heap_find(heap, at);
    if (unit == SIZE_MAX) return spot;
    spot.object = tern__space_at(&heap->space, unit) + TERN__HEADER_BYTES;
    uint32_t elem_bytes = tern__types_walk(&heap->types, tern__header_what(*tern__header_of(spot.object)))->elem_bytes;
    spot.elem = (uint64_t)(at - spot.object) / elem_bytes;
    return spot;
}

int tern__mark(tern_heap *heap, tern__spot *bad) {
    search s = {.heap = heap, .stack = heap->stack};
    begin(heap);
    bool roots_fine = mark_roots(&s, bad);
    if (roots_fine) mark_pinned(&s);
    search_all(&s);
    search_where_short(&s);
    if (s.bad) *bad = spot_of(heap, s.bad, s.bad_slot);
    if (roots_fine && !s.bad) return 0;
    forget_marks(heap);
    return TERN_ERR_INVALID;
}
