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
 * Marks lie beside the objects (space.h): a heap that is a file, or shared, is not written to. */
#include "graph/mark.h"

#include "tern/mem.h"

enum {
    QUEUE = 16,           /* a power of two */
    STACK_PLACES = 16384, /* 256 KB */
    PIECE = 64            /* elements of a long list that are searched at a time */
};

typedef struct todo {
    uint8_t *object;
    uint64_t elem; /* go on from here */
} todo;

typedef struct tern__mark_stack {
    size_t n, limit;
    todo places[STACK_PLACES];
} mark_stack;

typedef struct waiting {
    const uint8_t *at; /* where the pointer lies; NULL: nobody waits here */
    const tern__slot *slot;
} waiting;

typedef struct search {
    tern_heap *heap;
    mark_stack *stack;
    tern__marked marked;
    const uint8_t *bad; /* where a pointer lies that is not legal */
    const tern__slot *bad_slot;
    uint32_t next; /* of the queue */
    bool is_short; /* the stack was full */
    waiting queue[QUEUE];
} search;

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
    if (tern__header_what(header) != slot->what) return SIZE_MAX;
    return slot->kind == TERN__SLOT_INDEX || length <= tern__header_count(header) ? unit : SIZE_MAX;
}

bool tern__mark_resolve(const tern_heap *heap, const tern__slot *slot, const uint8_t *at, size_t *unit) {
    const uint8_t *to = tern__slot_target(slot, at);
    *unit = SIZE_MAX;
    if (!to || !tern__space_has(&heap->space, to)) return true;
    *unit = resolve(heap, slot, at, to);
    return *unit != SIZE_MAX;
}

static void push(search *s, uint8_t *object, size_t unit) {
    if (s->stack->n < s->stack->limit) {
        s->stack->places[s->stack->n++] = (todo){object, 0};
        return;
    }
    s->heap->space.regions[unit / TERN__REGION_UNITS].is_short = true;
    s->is_short = true;
}

static void mark_object(search *s, size_t unit) {
    tern_heap *heap = s->heap;
    tern__bits *bits = &heap->space.bits[unit / 64];
    uint64_t bit = (uint64_t)1 << unit % 64;
    if (bits->mark & bit) return;
    bits->mark |= bit;
    uint8_t *at = tern__space_at(&heap->space, unit);
    uint64_t header = *(uint64_t *)(void *)at;
    const tern__walk *walk = tern__types_walk(&heap->types, tern__header_what(header));
    uint64_t bytes = tern__object_bytes(walk->elem_bytes, tern__header_count(header));
    heap->space.regions[unit / TERN__REGION_UNITS].live_bytes += bytes;
    s->marked.objects++;
    s->marked.bytes += bytes;
    if (walk->n_slots) push(s, at + TERN__HEADER_BYTES, unit);
}

/* The object behind a pointer that has waited. */
static void visit(search *s, const waiting *w) {
    if (!w->at) return;
    size_t unit = resolve(s->heap, w->slot, w->at, tern__slot_target(w->slot, w->at));
    if (unit != SIZE_MAX) {
        mark_object(s, unit);
    } else if (!s->bad) {
        s->bad = w->at;
        s->bad_slot = w->slot;
    }
}

static inline void enqueue(search *s, const tern__slot *slot, const uint8_t *at) {
    const uint8_t *to = tern__slot_target(slot, at);
    if (!tern__space_has(&s->heap->space, to)) return; /* NULL is never in it */
    __builtin_prefetch(to - TERN__HEADER_BYTES);
    waiting *place = &s->queue[s->next++ % QUEUE], first = *place;
    *place = (waiting){at, slot};
    visit(s, &first);
}

/* ---- Objects ------------------------------------------------------------------------------------- */

static void search_elements(search *s, const tern__walk *walk, const uint8_t *elem, uint64_t n) {
    for (; n > 0; n--, elem += walk->elem_bytes)
        for (uint32_t i = 0; i < walk->n_slots; i++) {
            const tern__slot *slot = &walk->slots[i];
            if (tern__slot_counts(slot, elem)) enqueue(s, slot, elem + slot->offset);
        }
}

static void search_object(search *s, todo what) {
    uint64_t header = *tern__header_of(what.object), n = tern__header_count(header) - what.elem;
    const tern__walk *walk = tern__types_walk(&s->heap->types, tern__header_what(header));
    if (n > PIECE) { /* the place that this came from is free */
        n = PIECE;
        s->stack->places[s->stack->n++] = (todo){what.object, what.elem + PIECE};
    }
    search_elements(s, walk, what.object + what.elem * walk->elem_bytes, n);
}

static void empty_queue(search *s) {
    for (uint32_t i = 0; i < QUEUE; i++) {
        waiting *place = &s->queue[(s->next + i) % QUEUE], w = *place;
        *place = (waiting){0};
        visit(s, &w);
    }
}

static void search_all(search *s) {
    do {
        while (s->stack->n > 0) search_object(s, s->stack->places[--s->stack->n]);
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
        s->stack->places[s->stack->n++] = (todo){tern__space_at(&heap->space, unit) + TERN__HEADER_BYTES, 0};
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

static void forget_marks(tern_heap *heap) {
    for (size_t i = 0; i < heap->room.end; i++) {
        tern__region *r = &heap->space.regions[i];
        if (!tern__region_is_used(r)) continue;
        r->live_bytes = 0;
        r->is_short = false;
        tern__bits *bits = &heap->space.bits[i * TERN__REGION_WORDS];
        for (size_t k = 0; k < TERN__REGION_WORDS; k++) bits[k].mark = 0;
    }
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

int tern__mark(tern_heap *heap, tern__marked *marked, tern__spot *bad) {
    search s = {.heap = heap, .stack = heap->stack};
    forget_marks(heap);
    bool roots_fine = mark_roots(&s, bad);
    if (roots_fine) mark_pinned(&s);
    search_all(&s);
    search_where_short(&s);
    *marked = s.marked;
    if (s.bad) *bad = spot_of(heap, s.bad, s.bad_slot);
    if (roots_fine && !s.bad) return 0;
    forget_marks(heap);
    return TERN_ERR_INVALID;
}
