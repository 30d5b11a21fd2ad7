/* The walk; see walk.h. */
#include "graph/walk.h"

#include <stdarg.h>

#include "graph/announce.h"
#include "graph/grow.h"
#include "graph/intervals.h"
#include "graph/mark.h"
#include "graph/path.h"
#include "graph/problem.h"
#include "graph/visited.h"

#define MOST_BYTES ((uint64_t)UINT32_MAX * TERN__UNIT_BYTES) /* places are u32 */
#define MOST_OBJECTS_TWICE ((uint64_t)1 << 24)
#define MOST_STACK_BYTES ((size_t)64 << 20)

enum { AHEAD = 12 };

typedef enum walk_state { IDLE, WALKING, AT_END } walk_state;

struct tern__walker {
    tern_heap *heap;
    uint8_t *base; /* of the heap, and the bytes of its regions so far; 0 bytes: no heap */
    size_t bytes;
    const tern__bits *bits;
    tern__types own_types; /* without a heap */
    tern__shapes shapes;
    tern__visited visited;
    tern__intervals intervals;
    tern__sendlist list;
    tern__announce announce;
    tern__walk_config config;
    walk_state state;
    tern__cursor cursors[2], *at; /* one of the two; the other is for the object that comes next, so none is copied */
    tern__cursor *stack;
    size_t n_stack, stack_cap;
    const void *root;           /* the first object that the cursor is in: a list of one pointer */
    uint32_t n_refs, n_objects; /* of this fragment */
    uint64_t fragment_start;    /* stream_bytes then */
    uint64_t stream_bytes;      /* of objects, all fragments */
    tern__walk_stats stats;
    char problem[512];
};

__attribute__((format(printf, 3, 4))) static int fail(tern__walker *w, int err, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(w->problem, sizeof w->problem, format, args);
    va_end(args);
    return err;
}

/* A pointer that is not legal: by its path where it lies in the heap, else by the names of type and field. */
static int refuse(tern__walker *w, const tern__edge *edge, const char *words) {
    const tern__cursor *c = w->at;
    if (c->object == (const uint8_t *)&w->root) return fail(w, TERN_ERR_INVALID, "the root %s", words);
    if (w->heap && tern__space_has(&w->heap->space, c->object)) {
        tern__path_say(w->heap, &(tern__spot){c->object, c->elem, edge->slot, NULL}, words);
        return fail(w, TERN_ERR_INVALID, "%s", w->heap->problem);
    }
    const char *type = c->shape->type ? c->shape->type->name : "a list";
    return fail(w, TERN_ERR_INVALID, "%s.%s, element %u: %s", type,
                c->shape->type ? tern__path_field_name(c->shape->type, edge->slot) : "", c->elem, words);
}

static int no_memory(tern__walker *w) {
    return fail(w, TERN_ERR_NOMEM, "no memory for a walk of %llu objects so far", (unsigned long long)w->stats.objects);
}

/* ---- Objects ------------------------------------------------------------------------------------- */

/* A reference; what it leads to, once that is known. */
typedef struct target {
    uint8_t *object;
    const tern__shape *shape;
    uint32_t what, count;
    uint64_t bytes;  /* header included */
    uint32_t inside; /* of a view: where it begins */
    bool is_foreign;
} target;

static inline uint32_t next_place(const tern__walker *w) {
    return (uint32_t)((w->stream_bytes + TERN__HEADER_BYTES) / TERN__UNIT_BYTES);
}

static int over_limit(tern__walker *w) {
    return fail(w, TERN_ERR_LIMIT, "the graph has more than %llu objects or %llu bytes%s",
                (unsigned long long)w->config.max_objects, (unsigned long long)w->config.max_bytes,
                w->config.set == TERN__WALK_NOTHING ? ", or a cycle or much that is shared" : "");
}

/* The object goes into the stream. */
static inline int send_object(tern__walker *w, const target *t) {
    if (w->stream_bytes + t->bytes > w->config.max_bytes || w->stats.objects == w->config.max_objects)
        return over_limit(w);
    int err = tern__announce_need(&w->announce, t->shape);
    if (!err)
        err = t->is_foreign ? tern__sendlist_add_foreign(&w->list, t->object, t->what, t->count)
                            : tern__sendlist_add(&w->list, t->object - TERN__HEADER_BYTES, t->bytes);
    if (err) return no_memory(w);
    w->stream_bytes += t->bytes;
    w->n_objects++;
    w->stats.objects++;
    return 0;
}

static int send_back(tern__walker *w, uint32_t place, uint32_t inside) {
    int err = tern__announce_back(&w->announce, w->n_refs, place);
    if (!err && inside) err = tern__announce_back(&w->announce, w->n_refs, inside);
    return err ? no_memory(w) : 0;
}

/* Whether the object was met before: 1, with its place; 0, and now it has been, at *place; an error. */
static inline int meet(tern__walker *w, const target *t, uint32_t *place) {
    const size_t unit = t->is_foreign ? 0 : (size_t)(t->object - w->base) / TERN__UNIT_BYTES - 1;
    int err = 0;
    if (!t->is_foreign && !tern__visited_is_touched(&w->visited, unit)) err = tern__visited_touch(&w->visited, unit);
    if (err) return no_memory(w);
    if (w->config.set == TERN__WALK_NOTHING) return 0;
    if (w->config.set == TERN__WALK_INTERVALS && !t->is_foreign) {
        err = tern__intervals_meet(&w->intervals, (uintptr_t)t->object, t->bytes, place);
        return err < 0 ? no_memory(w) : err;
    }
    uint32_t *seen = t->is_foreign ? tern__visited_foreign(&w->visited, t->object, t->what, t->count)
                                   : tern__visited_place(&w->visited, unit);
    if (!seen) return no_memory(w);
    if (*seen == 0) {
        *seen = *place;
        return 0;
    }
    *place = *seen;
    return 1;
}

/* ---- References ---------------------------------------------------------------------------------- */

/* Where a reference that does not lead to the start of a message of the heap leads. */
static int find_target(tern__walker *w, const tern__edge *edge, const uint8_t *elem, uint8_t *to, target *t) {
    const uint64_t length = tern__edge_length(edge, elem);
    size_t unit = SIZE_MAX;
    *t = (target){.object = to, .shape = edge->target, .what = edge->what, .is_foreign = true};
    if (!to) return refuse(w, edge, "has a length, but leads nowhere");
    if (w->heap && !tern__mark_resolve(w->heap, edge->slot, elem + edge->offset, &unit))
        return refuse(w, edge, "leads into the heap, but to no object that it may point to");
    if (unit != SIZE_MAX) {
        t->is_foreign = false;
        t->object = tern__space_at(&w->heap->space, unit) + TERN__HEADER_BYTES;
        const uint64_t header = *tern__header_of(t->object);
        t->count = tern__header_count(header);
        t->inside = (uint32_t)(to - t->object);
        if (edge->kind == TERN__SLOT_OBJECT) {
            /* Its type may be new to the heap since the walk began. */
            if (tern__shapes_update(&w->shapes)) return no_memory(w);
            t->what = tern__header_what(header);
            t->shape = tern__edge_target(&w->shapes, edge, header);
        }
    } else {
        if (length > TERN_HEAP_OBJECT_MAX_BYTES / edge->target->elem_bytes)
            return refuse(w, edge, "is longer than an object can be");
        t->count = (uint32_t)length;
    }
    t->bytes = tern__object_bytes(t->shape->elem_bytes, t->count);
    return 0;
}

/* A message of the heap, which most references lead to. False: find_target() looks at it. */
static inline bool find_message(const tern__walker *w, const tern__edge *edge, uint8_t *to, target *t) {
    const size_t offset = (size_t)(to - w->base), unit = offset / TERN__UNIT_BYTES - 1;
    if (edge->kind != TERN__SLOT_MESSAGE || (uintptr_t)to - (uintptr_t)w->base >= w->bytes) return false;
    if (offset % TERN__UNIT_BYTES || offset == 0 || !(w->bits[unit / 64].start >> unit % 64 & 1)) return false;
    if (tern__header_what(*tern__header_of(to)) != edge->what) return false;
    *t = (target){.object = to, .shape = edge->target, .what = edge->what, .count = 1, .bytes = edge->object_bytes};
    return true;
}

/* The reference at this edge. Returns 1 when it leads to an object that is new and may have references of its own, with
 * the cursor for it; 0; an error. */
static inline int follow(tern__walker *w, const tern__edge *edge, const uint8_t *elem, tern__cursor *into) {
    target t;
    uint8_t *to = tern__edge_pointer(edge, elem);
    int err = find_message(w, edge, to, &t) ? 0 : find_target(w, edge, elem, to, &t);
    if (err) return err;
    uint32_t place = next_place(w);
    w->n_refs++;
    int met = meet(w, &t, &place);
    if (met < 0) return met;
    w->stats.backs += (uint64_t)met;
    if (met) return send_back(w, place, t.inside);
    err = send_object(w, &t);
    if (!err && t.inside) err = send_back(w, place, t.inside);
    if (err || t.shape->n_edges == 0) return err;
    *into = (tern__cursor){.object = t.object, .shape = t.shape, .n = t.count};
    return 1;
}

/* ---- The walk ------------------------------------------------------------------------------------ */

/* From where the cursor is on: the next edge that leads somewhere. False: the object has no more. */
static inline bool find_edge(tern__cursor *c) {
    const tern__shape *shape = c->shape;
    const uint8_t *elem = tern__cursor_elem(c);
    for (; c->elem < c->n; c->elem++, elem += shape->elem_bytes, c->edge = 0)
        for (; c->edge < shape->n_edges; c->edge++) {
            const tern__edge *edge = &shape->edges[c->edge];
            if (tern__edge_leads(edge, elem) && tern__edge_counts(edge, elem)) return true;
        }
    return false;
}

static int push(tern__walker *w, const tern__cursor *c) {
    if (w->n_stack >= w->config.max_stack_bytes / sizeof *c)
        return fail(w, TERN_ERR_LIMIT, "more than %zu objects of the graph wait for each other", w->n_stack);
    if (!tern__grow(&w->stack, &w->stack_cap, w->n_stack + 1, sizeof *c)) return no_memory(w);
    w->stack[w->n_stack++] = *c;
    if (w->n_stack > w->stats.most_stack) w->stats.most_stack = w->n_stack;
    return 0;
}

/* Brings the cursor to an edge that leads somewhere, of its object or of one that waits. False: there is none left. */
static inline bool settle(tern__walker *w) {
    while (!find_edge(w->at)) {
        if (w->n_stack == 0) return false;
        *w->at = w->stack[--w->n_stack];
    }
    return true;
}

static inline bool is_full(const tern__walker *w) {
    return w->stream_bytes - w->fragment_start >= w->config.fragment_bytes || w->n_refs >= TERN__FRAGMENT_MAX_REFS;
}

/* Of an array of pointers the memory is asked in time for what comes some elements later. */
static inline void look_ahead(const tern__walker *w, const tern__cursor *c) {
    if (c->n - c->elem <= AHEAD) return;
    const uint8_t *to = (const uint8_t *)(uintptr_t)tern__load64(tern__cursor_elem(c) + AHEAD * sizeof(void *));
    if ((uintptr_t)to - (uintptr_t)w->base >= w->bytes) return;
    __builtin_prefetch(to - TERN__HEADER_BYTES);
    __builtin_prefetch(to + 64 - TERN__HEADER_BYTES);
    __builtin_prefetch(&w->bits[(size_t)(to - w->base) / (64 * TERN__UNIT_BYTES)]);
    tern__visited_prefetch(&w->visited, (size_t)(to - w->base) / TERN__UNIT_BYTES);
}

/* Up to the end of the graph, or of the fragment. */
static int walk_on(tern__walker *w) {
    bool more = settle(w);
    while (more) {
        if (is_full(w)) return 0;
        tern__cursor *c = w->at, *into = c == w->cursors ? c + 1 : w->cursors;
        const tern__edge *edge = &c->shape->edges[c->edge];
        if (edge->is_array_of_pointers) look_ahead(w, c);
        int err = follow(w, edge, tern__cursor_elem(c), into);
        if (err < 0) return err;
        c->edge++;
        if (err == 0 || !find_edge(into)) {
            more = settle(w);
            continue;
        }
        if (find_edge(c) && (err = push(w, c)) < 0) return err;
        w->at = into;
    }
    w->state = AT_END;
    return 0;
}

/* ---- What others call ----------------------------------------------------------------------------- */

int tern__walker_new(tern_heap *heap, tern__walker **out) {
    tern__walker *w = tern_alloc_private(sizeof *w);
    if (!w) return TERN_ERR_NOMEM;
    *w = (tern__walker){.heap = heap};
    if (!heap && tern__types_init(&w->own_types)) {
        tern_unref(w);
        return TERN_ERR_NOMEM;
    }
    tern__shapes_init(&w->shapes, heap ? &heap->types : &w->own_types);
    tern__visited_init(&w->visited, heap);
    tern__intervals_clear(&w->intervals);
    tern__sendlist_init(&w->list, &w->shapes);
    w->announce.shapes = &w->shapes;
    *out = w;
    return 0;
}

void tern__walker_free(tern__walker *w) {
    if (!w) return;
    tern__walk_end(w);
    tern__visited_fini(&w->visited);
    tern__intervals_fini(&w->intervals);
    tern__sendlist_fini(&w->list);
    tern__announce_fini(&w->announce);
    tern_unref(w->stack);
    tern__shapes_fini(&w->shapes);
    if (!w->heap) tern__types_fini(&w->own_types);
    tern_unref(w);
}

static void configure(tern__walker *w, const tern__walk_config *given) {
    tern__walk_config *c = &w->config;
    *c = given ? *given : (tern__walk_config){.inplace_bytes = SIZE_MAX};
    if (c->fragment_bytes == 0) c->fragment_bytes = SIZE_MAX;
    if (c->max_objects == 0) c->max_objects = c->set == TERN__WALK_NOTHING ? MOST_OBJECTS_TWICE : UINT64_MAX;
    if (c->max_bytes == 0 || c->max_bytes > MOST_BYTES) c->max_bytes = MOST_BYTES;
    if (c->max_stack_bytes == 0) c->max_stack_bytes = MOST_STACK_BYTES;
    w->list.inplace_bytes = c->inplace_bytes;
    w->list.max_bytes = c->piece_bytes ? c->piece_bytes : SIZE_MAX;
}

/* The walk begins at the pointer to the root. */
static int learn_root(tern__walker *w, const tern_type *type) {
    tern__types *types = w->heap ? &w->heap->types : &w->own_types;
    uint32_t id;
    int err = type->flags & TERN_TYPE_MAP_ENTRY ? TERN_ERR_INVALID : tern__types_id(types, type, &id);
    if (!err) err = tern__shapes_update(&w->shapes);
    if (err) return fail(w, err, "%s cannot be sent: %s", type->name, tern_strerror(err));
    w->at = &w->cursors[0];
    *w->at = (tern__cursor){.object = (uint8_t *)&w->root, .shape = w->shapes.by_id[id + 1], .n = 1};
    return 0;
}

int tern__walk_begin(tern__walker *w, const tern_type *type, const void *root, const tern__walk_config *config) {
    w->problem[0] = 0;
    if (w->heap && !tern__heap_is_mine(w->heap)) return fail(w, TERN_ERR_THREAD, "another thread owns the heap");
    if (w->state != IDLE) return fail(w, TERN_ERR_AGAIN, "another graph is being sent");
    if (!root) return fail(w, TERN_ERR_INVALID, "there is no root");
    int err = learn_root(w, type);
    if (err) return err;
    configure(w, config);
    w->root = root;
    w->stream_bytes = 0;
    w->n_stack = 0;
    w->stats = (tern__walk_stats){0};
    w->state = WALKING;
    return 0;
}

static void begin_fragment(tern__walker *w) {
    if (w->heap) {
        w->base = w->heap->space.base;
        w->bytes = w->heap->space.n_ready << TERN__REGION_SHIFT;
        w->bits = w->heap->space.bits;
    }
    tern__sendlist_clear(&w->list);
    tern__announce_clear(&w->announce);
    w->n_refs = w->n_objects = 0;
    w->fragment_start = w->stream_bytes;
}

static int finish_fragment(tern__walker *w, tern__fragment *out) {
    const bool is_first = w->fragment_start == 0;
    tern__fragment_head head = {
        .flags = (uint8_t)((is_first ? TERN__FRAGMENT_FIRST : 0) | (w->state == AT_END ? TERN__FRAGMENT_LAST : 0)),
        .data_bytes = w->stream_bytes - w->fragment_start,
        .n_objects = w->n_objects,
        .n_refs = w->n_refs};
    int err = tern__sendlist_close(&w->list);
    if (!err) err = tern__announce_finish(&w->announce, &head);
    if (err == TERN_ERR_LIMIT) return fail(w, err, "a fragment has too many back pointers: make fragments shorter");
    if (err) return no_memory(w);
    w->stats.bytes = w->stream_bytes;
    w->stats.refs += w->n_refs;
    w->stats.blocks += w->list.n_blocks;
    *out = (tern__fragment){.meta = w->announce.bytes,
                            .meta_bytes = head.meta_bytes,
                            .pieces = w->list.pieces,
                            .n_pieces = w->list.n,
                            .data_bytes = head.data_bytes,
                            .copied_bytes = w->list.copied_bytes,
                            .n_blocks = w->list.n_blocks,
                            .is_last = w->state == AT_END};
    return 1;
}

int tern__walk_next(tern__walker *w, tern__fragment *out) {
    if (w->heap && !tern__heap_is_mine(w->heap)) return fail(w, TERN_ERR_THREAD, "another thread owns the heap");
    if (w->state != WALKING) return 0;
    begin_fragment(w);
    int err = walk_on(w);
    if (!err) err = finish_fragment(w, out);
    if (err < 0) {
        tern__announce_clear(&w->announce);
        w->state = AT_END;
    }
    return err;
}

void tern__walk_end(tern__walker *w) {
    tern__announce_clear(&w->announce);
    tern__sendlist_clear(&w->list);
    tern__visited_clear(&w->visited);
    tern__intervals_clear(&w->intervals);
    w->state = IDLE;
}

const char *tern__walker_problem(const tern__walker *w) { return w->problem; }

void tern__walker_get_stats(const tern__walker *w, tern__walk_stats *stats) { *stats = w->stats; }
