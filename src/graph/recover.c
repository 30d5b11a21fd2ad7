/* Fragments become objects; see recover.h. */
#include "graph/recover.h"

#include <stdarg.h>

#include "graph/arrival.h"
#include "graph/content.h"
#include "graph/fragment.h"
#include "graph/grow.h"
#include "graph/path.h"
#include "graph/peer_types.h"
#include "graph/problem.h"
#include "graph/shape.h"

#define MOST_BYTES ((uint64_t)UINT32_MAX * TERN__UNIT_BYTES)
#define MOST_STACK_BYTES ((size_t)64 << 20)

enum {
    WORK_PER_BYTE = 64, /* of checks that are repeated */
    MARKER = 1          /* a root that is still to come */
};

/* The object whose bytes are coming. */
typedef struct incoming {
    uint8_t *at; /* its header; NULL: none */
    uint64_t header, bytes, filled;
    uint64_t unit; /* of the stream */
    uint32_t inside;
} incoming;

struct tern__recovery {
    tern_heap *heap;
    tern__shapes shapes;
    tern__peer_types peer;
    tern__arrival arrival;
    tern__recovery_config config;
    tern__recovery_wants wants;
    bool is_first, is_published;
    uint8_t *meta;
    size_t meta_len, meta_cap;
    tern__fragment_head head;
    tern__fragment_back back; /* the next one; of reference 0: there is none */
    uint32_t n_backs;         /* that were read */
    uint32_t ref;             /* references so far, of this fragment */
    uint64_t data_left;       /* of this fragment */
    uint64_t first_object;    /* arrival.objects when the fragment began */
    uint8_t partial[TERN__HEADER_BYTES];
    uint32_t n_partial;
    const uint8_t *piece;
    size_t piece_left;
    incoming in;
    uint64_t root;                /* the pointer to the root: the first object that the cursor is in */
    tern__cursor cursors[2], *at; /* one of the two; the other is for the object that comes next, so none is copied */
    tern__cursor *stack;
    size_t n_stack, stack_cap;
    uint64_t work;
    tern__recovery_stats stats;
    char problem[512];
};

__attribute__((format(printf, 3, 4))) static int fail(tern__recovery *r, int err, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(r->problem, sizeof r->problem, format, args);
    va_end(args);
    r->wants = TERN__WANTS_NOTHING;
    return err;
}

/* With the field where the walk is. */
static int refuse(tern__recovery *r, int err, const tern_field *field, const char *words) {
    const tern__cursor *c = r->at;
    const tern_type *type = c->shape ? c->shape->type : NULL;
    const char *name = "";
    if (c->object == (const uint8_t *)&r->root)
        name = "the root";
    else if (type && field)
        name = type->field_names[field - type->fields];
    else if (type && c->edge < c->shape->n_edges)
        name = tern__path_field_name(type, c->shape->edges[c->edge].slot);
    return fail(r, err, "at byte %llu of the objects, reference %u, %s.%s, element %u: %s",
                (unsigned long long)(r->arrival.units * TERN__UNIT_BYTES), r->ref, type ? type->name : "a list", name,
                c->elem, words);
}

static int no_memory(tern__recovery *r) {
    return fail(r, TERN_ERR_NOMEM, "no memory, or the heap's limit of %zu bytes is reached", r->heap->space.bytes);
}

/* ---- Edges --------------------------------------------------------------------------------------- */

/* A list or view that is not followed leads nowhere. */
static inline void clear_edge(const tern__edge *edge, uint8_t *elem) {
    uint8_t *at = elem + edge->offset;
    tern__store64(at, 0);
    if (edge->kind == TERN__SLOT_UNKNOWN)
        tern__store64(at + offsetof(tern_unknown, len), 0);
    else if (edge->kind == TERN__SLOT_LIST || edge->kind == TERN__SLOT_MAP)
        tern__store64(at + offsetof(tern_list, cap), 0);
}

/* From where the cursor is on: the next edge that is followed. Elements are made fit to be seen as the cursor comes to
 * them. Returns 1; 0 when the object has no more; an error. */
static inline int find_edge(tern__recovery *r, tern__cursor *c) {
    const tern__shape *shape = c->shape;
    uint8_t *elem = tern__cursor_elem(c);
    for (; c->elem < c->n; c->elem++, elem += shape->elem_bytes, c->edge = 0) {
        if (c->n_tidy <= c->elem && shape->n_chores) {
            const tern__chore *chore = tern__shape_tidy(shape, elem);
            if (chore) {
                r->at = c;
                return refuse(r, TERN_ERR_INVALID, chore->field, "has a value that its type does not have");
            }
        }
        c->n_tidy = c->elem + 1;
        for (; c->edge < shape->n_edges; c->edge++) {
            const tern__edge *edge = &shape->edges[c->edge];
            const bool leads = tern__edge_leads(edge, elem);
            if (!tern__edge_counts(edge, elem)) continue;
            if (leads) return 1;
            if (!tern__slot_is_message(edge->slot)) clear_edge(edge, elem);
        }
    }
    return 0;
}

static int push(tern__recovery *r, const tern__cursor *c) {
    if (r->n_stack >= r->config.max_stack_bytes / sizeof *c)
        return refuse(r, TERN_ERR_LIMIT, NULL, "too many objects of the graph wait for each other");
    if (!tern__grow(&r->stack, &r->stack_cap, r->n_stack + 1, sizeof *c)) return no_memory(r);
    r->stack[r->n_stack++] = *c;
    if (r->n_stack > r->stats.most_stack) r->stats.most_stack = r->n_stack;
    return 0;
}

/* Brings the cursor to an edge that is followed, of its object or of one that waits. Returns 1; 0: there is none left;
 * an error. */
static inline int settle(tern__recovery *r) {
    for (;;) {
        int found = find_edge(r, r->at);
        if (found || r->n_stack == 0) return found;
        *r->at = r->stack[--r->n_stack];
    }
}

/* The pointer of the edge gets its value. */
static inline void set_pointer(const tern__edge *edge, uint8_t *elem, const uint8_t *object, uint32_t inside,
                               uint32_t count) {
    uint8_t *at = elem + edge->offset;
    tern__store64(at, (uint64_t)(uintptr_t)(object + inside));
    if (edge->kind == TERN__SLOT_UNKNOWN)
        tern__store32(at + offsetof(tern_unknown, cap), 0);
    else if (edge->kind == TERN__SLOT_LIST || edge->kind == TERN__SLOT_MAP)
        if (tern__load64(at + offsetof(tern_list, cap))) tern__store64(at + offsetof(tern_list, cap), count);
}

/* Whether the header is one of a message by itself, of a type that was announced. */
static bool is_message(const tern__recovery *r, uint64_t header) {
    const uint32_t what = tern__header_what(header), id = tern__what_type(what);
    if (tern__what_kind(what) != TERN__OBJECT_MESSAGE || id < TERN__TYPE_FIRST || id >= r->shapes.n) return false;
    const tern_type *type = r->shapes.by_id[id]->type;
    return (id - TERN__TYPE_FIRST) % 2 == 0 && type && !(type->flags & TERN_TYPE_MAP_ENTRY);
}

/* Whether an object with this header may be what the edge leads to, and has as many elements as are wanted. */
static inline const char *fault_of(const tern__recovery *r, const tern__edge *edge, const uint8_t *elem,
                                   uint64_t header, uint32_t inside) {
    if (tern__header_what(header) != edge->what && !(edge->kind == TERN__SLOT_OBJECT && is_message(r, header)))
        return "leads to an object of another type";
    const uint64_t count = tern__header_count(header);
    if (tern__slot_is_message(edge->slot)) return count == 1 && !inside ? NULL : "leads to no message";
    if (inside && !edge->is_view) return "leads into an object";
    const uint64_t length = tern__edge_length(edge, elem);
    return length > count || inside > count - length ? "has more elements than its object" : NULL;
}

static int check_content(tern__recovery *r, const tern__edge *edge, const tern__part *part, bool is_new) {
    int err = tern__content_check(&r->arrival, edge->content, part, is_new, &r->work);
    if (!err) return 0;
    return refuse(r, err, NULL,
                  err == TERN_ERR_UTF8      ? "is not valid UTF-8"
                  : err == TERN_ERR_INVALID ? "has a bool other than 0 and 1, or a pointer that is NULL"
                                            : "shares its content with too many others");
}

/* ---- References ---------------------------------------------------------------------------------- */

static void next_back(tern__recovery *r) {
    const uint8_t *at = r->meta + sizeof r->head + r->head.types_bytes + (size_t)r->n_backs * sizeof r->back;
    r->back = (tern__fragment_back){0};
    if (r->n_backs < r->head.n_backs) memcpy(&r->back, at, sizeof r->back);
    r->n_backs++;
}

/* What is said of the reference: where its object is, and where inside it a view begins. */
static uint32_t take_back(tern__recovery *r, uint32_t *inside) {
    const uint32_t ref = r->back.ref, place = r->back.place;
    *inside = 0;
    next_back(r);
    if (r->back.ref != ref) return place;
    *inside = r->back.place;
    next_back(r);
    return place;
}

/* The reference leads to an object that has come before. */
static int follow_back(tern__recovery *r, const tern__edge *edge, uint8_t *elem, uint32_t place, uint32_t inside) {
    const uint8_t *at = place ? tern__arrival_find(&r->arrival, place - 1) : NULL;
    if (!at) return refuse(r, TERN_ERR_INVALID, NULL, "leads to where no object has come before");
    const uint64_t header = tern__load64(at);
    const char *fault = fault_of(r, edge, elem, header, inside);
    if (fault) return refuse(r, TERN_ERR_INVALID, NULL, fault);
    const tern__part part = {at + TERN__HEADER_BYTES, tern__header_count(header), place - 1, inside,
                             tern__edge_length(edge, elem)};
    int err = edge->content ? check_content(r, edge, &part, false) : 0;
    if (err) return err;
    set_pointer(edge, elem, part.object, inside, part.count);
    r->stats.backs++;
    r->at->edge++;
    return 0;
}

/* Lists of structs without pointers: they are not walked. */
static int tidy_all(tern__recovery *r, tern__cursor *c) {
    return c->shape->n_edges == 0 && c->shape->n_chores ? find_edge(r, c) : 0;
}

/* All bytes of the object are there: the pointer at the cursor leads to the object, and the cursor goes to the next
 * edge that is followed, or to the end of its object. */
static inline int link_object(tern__recovery *r, const incoming *in) {
    tern__cursor *c = r->at;
    const tern__edge *edge = &c->shape->edges[c->edge];
    uint8_t *elem = tern__cursor_elem(c), *object = in->at + TERN__HEADER_BYTES;
    const uint32_t count = tern__header_count(in->header);
    const tern__shape *shape = tern__edge_target(&r->shapes, edge, in->header);
    const size_t size = (size_t)count * shape->elem_bytes;
    for (size_t i = size; i % 8; i++) object[i] = 0;
    if (edge->content) {
        const tern__part part = {object, count, in->unit, in->inside, tern__edge_length(edge, elem)};
        int err = check_content(r, edge, &part, true);
        if (err) return err;
    }
    set_pointer(edge, elem, object, in->inside, count);
    tern__cursor *into = c == r->cursors ? c + 1 : r->cursors;
    *into = (tern__cursor){.object = object, .shape = shape, .n = count};
    if (edge->content == TERN__CONTENT_TEXTS) into->shape = r->shapes.texts;
    c->edge++;
    if (into->shape->n_edges == 0) return tidy_all(r, into);
    int found = find_edge(r, into);
    if (found <= 0) return found;
    found = find_edge(r, c);
    if (found > 0) found = push(r, c);
    r->at = into;
    return found;
}

/* ---- Data ---------------------------------------------------------------------------------------- */

/* So many bytes of the piece, or fewer when it ends. Here and in take_object() are the copies that a transport would
 * skip which has read the objects into the heap itself. */
static inline size_t take(tern__recovery *r, void *to, uint64_t bytes) {
    size_t n = r->piece_left < bytes ? r->piece_left : (size_t)bytes;
    memcpy(to, r->piece, n);
    r->piece += n;
    r->piece_left -= n;
    r->data_left -= n;
    return n;
}

/* Returns 1 when the header is whole. */
static inline int take_header(tern__recovery *r, uint64_t *header) {
    if (r->n_partial == 0 && r->piece_left >= TERN__HEADER_BYTES) {
        take(r, header, TERN__HEADER_BYTES);
        return 1;
    }
    if (r->piece_left == 0) return 0;
    r->n_partial += (uint32_t)take(r, r->partial + r->n_partial, TERN__HEADER_BYTES - r->n_partial);
    if (r->n_partial < TERN__HEADER_BYTES) return 0;
    r->n_partial = 0;
    *header = tern__load64(r->partial);
    return 1;
}

/* Takes the rest of the object that is coming, as far as it is there. Returns 1 when it is whole. */
static int fill_object(tern__recovery *r) {
    incoming *in = &r->in;
    while (in->filled < in->bytes) {
        const uint64_t room = r->arrival.room_bytes;
        if (r->piece_left == 0) return 0;
        if (in->filled == room) {
            const uint8_t *old = in->at;
            if (tern__arrival_extend(&r->arrival, in->filled, &in->at)) return no_memory(r);
            if (in->at != old) r->stats.copied_bytes += in->filled;
            continue;
        }
        size_t n = take(r, in->at + in->filled, room - in->filled);
        in->filled += n;
        r->stats.copied_bytes += n;
    }
    return 1;
}

/* Most objects are short and whole. Multiples of 8. */
static inline void copy_words(uint8_t *to, const uint8_t *from, size_t bytes) {
    if (bytes < 16 || bytes > 64) {
        memcpy(to, from, bytes);
        return;
    }
    memcpy(to, from, 16);
    if (bytes > 32) memcpy(to + 16, from + 16, 16), memcpy(to + bytes - 32, from + bytes - 32, 16);
    memcpy(to + bytes - 16, from + bytes - 16, 16);
}

/* The object whose header has come, now or, where not all of it is there, later. */
static inline int take_object(tern__recovery *r, const tern__edge *edge, const uint8_t *elem, uint64_t theirs,
                              uint32_t inside) {
    const uint32_t what = tern__peer_types_what(&r->peer, tern__header_what(theirs)),
                   count = tern__header_count(theirs);
    incoming in = {.header = tern__header(what, count), .unit = r->arrival.units, .inside = inside};
    const char *fault = fault_of(r, edge, elem, in.header, inside);
    if (fault) return refuse(r, TERN_ERR_INVALID, NULL, fault);
    in.bytes = tern__object_bytes(tern__edge_target(&r->shapes, edge, in.header)->elem_bytes, count);
    const uint64_t left = in.bytes - TERN__HEADER_BYTES;
    if (left > r->data_left || in.bytes > TERN_HEAP_OBJECT_MAX_BYTES + 16)
        return refuse(r, TERN_ERR_MALFORMED, NULL, "leads to an object that ends behind its fragment");
    if (in.unit * TERN__UNIT_BYTES + in.bytes > r->config.max_bytes || r->arrival.objects >= r->config.max_objects)
        return refuse(r, TERN_ERR_LIMIT, NULL, "the graph is too large");
    if (tern__arrival_take(&r->arrival, in.bytes, &in.at)) return no_memory(r);
    tern__store64(in.at, in.header);
    if (left > r->piece_left || r->arrival.room_bytes != in.bytes) {
        in.filled = TERN__HEADER_BYTES;
        r->in = in;
        return 0;
    }
    copy_words(in.at + TERN__HEADER_BYTES, r->piece, left);
    r->piece += left;
    r->piece_left -= left;
    r->data_left -= left;
    r->stats.copied_bytes += left;
    return link_object(r, &in);
}

/* ---- Fragments ------------------------------------------------------------------------------------ */

static int end_fragment(tern__recovery *r) {
    if (r->data_left || r->n_partial) return fail(r, TERN_ERR_MALFORMED, "a fragment has bytes that nothing leads to");
    if (r->back.ref) return fail(r, TERN_ERR_MALFORMED, "a fragment has more back pointers than references");
    if (r->arrival.objects - r->first_object != r->head.n_objects)
        return fail(r, TERN_ERR_MALFORMED, "a fragment does not have the number of objects that it says");
    r->wants = TERN__WANTS_META;
    r->meta_len = 0;
    if (!(r->head.flags & TERN__FRAGMENT_LAST)) return 0;
    int more = settle(r);
    if (more < 0) return more;
    if (more) return refuse(r, TERN_ERR_MALFORMED, NULL, "nothing has come for this pointer, and nothing will");
    r->wants = TERN__WANTS_FINISH;
    return 0;
}

/* The next reference, for which something is said or the header of an object has come. Returns 1; 0: more data are
 * needed, or the fragment has ended; an error. */
static inline int next_reference(tern__recovery *r) {
    uint64_t header;
    uint32_t inside = 0, place;
    if (r->ref == r->head.n_refs) return end_fragment(r);
    int found = settle(r);
    if (found <= 0)
        return found ? found : fail(r, TERN_ERR_MALFORMED, "a fragment goes on behind the end of the graph");
    const tern__edge *edge = &r->at->shape->edges[r->at->edge];
    uint8_t *elem = tern__cursor_elem(r->at);
    if (r->back.ref == r->ref + 1) {
        tern__fragment_back first = r->back;
        if (first.place != r->arrival.units + 1) {
            place = take_back(r, &inside);
            r->ref++;
            found = follow_back(r, edge, elem, place, inside);
            return found ? found : 1;
        }
    }
    if (!take_header(r, &header)) {
        if (r->data_left < TERN__HEADER_BYTES - r->n_partial)
            return refuse(r, TERN_ERR_MALFORMED, NULL, "nothing has come for this pointer");
        return 0;
    }
    if (r->back.ref == r->ref + 1) take_back(r, &inside);
    r->ref++;
    found = take_object(r, edge, elem, header, inside);
    return found ? found : 1;
}

/* As far as the data go. */
static int pump(tern__recovery *r) {
    for (;;) {
        if (r->in.at) {
            int whole = fill_object(r);
            if (whole <= 0) return whole;
            const incoming in = r->in;
            r->in.at = NULL;
            int err = link_object(r, &in);
            if (err) return err;
        }
        int more = next_reference(r);
        if (more <= 0) return more;
    }
}

static int begin_data(tern__recovery *r) {
    const tern__fragment_head *head = &r->head;
    int err = tern__peer_types_read(&r->peer, r->meta + sizeof *head, head->types_bytes, r->problem, sizeof r->problem);
    if (!err && tern__shapes_update(&r->shapes)) return no_memory(r);
    if (err) {
        r->wants = TERN__WANTS_NOTHING;
        return err;
    }
    r->wants = TERN__WANTS_DATA;
    r->data_left = head->data_bytes;
    r->first_object = r->arrival.objects;
    r->ref = r->n_backs = 0;
    r->piece_left = 0;
    next_back(r);
    return pump(r); /* there may be nothing but back pointers */
}

static int read_head(tern__recovery *r) {
    memcpy(&r->head, r->meta, sizeof r->head);
    const tern__fragment_head *head = &r->head;
    if (head->version != TERN__FRAGMENT_VERSION)
        return fail(r, TERN_ERR_VERSION, "fragments of version %u cannot be read", head->version);
    const char *fault = tern__fragment_head_fault(head);
    if (fault) return fail(r, TERN_ERR_MALFORMED, "the head of a fragment has %s", fault);
    if (!(head->flags & TERN__FRAGMENT_FIRST) != !r->is_first || head->n_refs == 0)
        return fail(r, TERN_ERR_MALFORMED, "a fragment is not the one that comes next");
    if (head->meta_bytes > r->config.max_meta_bytes)
        return fail(r, TERN_ERR_LIMIT, "a fragment has %u bytes of metadata", head->meta_bytes);
    r->is_first = false;
    return 0;
}

/* ---- What others call ----------------------------------------------------------------------------- */

int tern__recovery_new(tern_heap *heap, const tern_registry *types, tern__recovery **out) {
    tern__recovery *r = tern_alloc_private(sizeof *r);
    if (!r) return TERN_ERR_NOMEM;
    *r = (tern__recovery){.heap = heap, .arrival.heap = heap};
    tern__shapes_init(&r->shapes, &heap->types);
    tern__peer_types_init(&r->peer, &heap->types, types);
    *out = r;
    return 0;
}

void tern__recovery_free(tern__recovery *r) {
    if (!r) return;
    tern__arrival_fini(&r->arrival);
    tern__peer_types_fini(&r->peer);
    tern__shapes_fini(&r->shapes);
    tern_unref(r->meta);
    tern_unref(r->stack);
    tern_unref(r);
}

static void configure(tern__recovery *r, const tern__recovery_config *given) {
    tern__recovery_config *c = &r->config;
    *c = given ? *given : (tern__recovery_config){0};
    if (c->max_bytes == 0 || c->max_bytes > MOST_BYTES) c->max_bytes = MOST_BYTES;
    if (c->max_objects == 0) c->max_objects = UINT64_MAX;
    if (c->max_meta_bytes == 0 || c->max_meta_bytes > TERN_BUF_MAX_BYTES) c->max_meta_bytes = TERN_BUF_MAX_BYTES;
    if (c->max_stack_bytes == 0) c->max_stack_bytes = MOST_STACK_BYTES;
}

int tern__recovery_begin(tern__recovery *r, const tern_type *type, const tern__recovery_config *config) {
    uint32_t id;
    r->problem[0] = 0;
    if (!tern__heap_is_mine(r->heap)) return TERN_ERR_THREAD;
    if (r->wants != TERN__WANTS_NOTHING || r->arrival.n) return TERN_ERR_AGAIN;
    int err = type->flags & TERN_TYPE_MAP_ENTRY ? TERN_ERR_INVALID : tern__types_id(&r->heap->types, type, &id);
    if (!err) err = tern__shapes_update(&r->shapes);
    if (err) return fail(r, err, "%s cannot be received: %s", type->name, tern_strerror(err));
    configure(r, config);
    r->root = MARKER;
    r->at = &r->cursors[0];
    *r->at = (tern__cursor){.object = (uint8_t *)&r->root, .shape = r->shapes.by_id[id + 1], .n = 1};
    r->n_stack = 0;
    r->meta_len = 0;
    r->n_partial = 0;
    r->in = (incoming){0};
    r->work = 0;
    r->is_first = true;
    r->is_published = false;
    r->stats = (tern__recovery_stats){0};
    r->wants = TERN__WANTS_META;
    return 0;
}

tern__recovery_wants tern__recovery_wanted(const tern__recovery *r) { return r->wants; }

uint64_t tern__recovery_left(const tern__recovery *r) {
    if (r->wants == TERN__WANTS_DATA) return r->data_left;
    if (r->wants != TERN__WANTS_META) return 0;
    return (r->meta_len < sizeof r->head ? sizeof r->head : r->head.meta_bytes) - r->meta_len;
}

int tern__recovery_meta(tern__recovery *r, const void *piece, size_t bytes, size_t *used) {
    *used = 0;
    if (!tern__heap_is_mine(r->heap)) return TERN_ERR_THREAD;
    while (r->wants == TERN__WANTS_META && *used < bytes) {
        size_t n = (size_t)tern__recovery_left(r), left = bytes - *used;
        if (n > left) n = left;
        if (!tern__grow(&r->meta, &r->meta_cap, r->meta_len + n, 1)) return no_memory(r);
        memcpy(r->meta + r->meta_len, (const uint8_t *)piece + *used, n);
        r->meta_len += n;
        *used += n;
        r->work += n * WORK_PER_BYTE;
        int err = r->meta_len == sizeof r->head ? read_head(r) : 0;
        if (!err && r->meta_len >= sizeof r->head && r->meta_len == r->head.meta_bytes) {
            err = begin_data(r);
            return err;
        }
        if (err) return err;
    }
    return 0;
}

int tern__recovery_data(tern__recovery *r, const void *piece, size_t bytes, size_t *used) {
    *used = 0;
    if (!tern__heap_is_mine(r->heap)) return TERN_ERR_THREAD;
    if (r->wants != TERN__WANTS_DATA) return 0;
    const size_t n = bytes < r->data_left ? bytes : (size_t)r->data_left;
    r->piece = piece;
    r->piece_left = n;
    r->work += (uint64_t)n * WORK_PER_BYTE;
    int err = pump(r);
    *used = n - r->piece_left;
    r->stats.bytes += *used;
    return err;
}

int tern__recovery_finish(tern__recovery *r, tern_root *root) {
    if (!tern__heap_is_mine(r->heap)) return TERN_ERR_THREAD;
    if (r->wants != TERN__WANTS_FINISH) return TERN_ERR_AGAIN;
    if (!r->is_published) {
        r->stats.objects = r->arrival.objects;
        tern__arrival_publish(&r->arrival);
    }
    r->is_published = true;
    int err = tern_root_new(r->heap, (const void *)(uintptr_t)r->root, root);
    if (err) return err;
    tern__recovery_cancel(r);
    return 0;
}

void tern__recovery_cancel(tern__recovery *r) {
    tern__arrival_clear(&r->arrival);
    r->wants = TERN__WANTS_NOTHING;
}

const char *tern__recovery_problem(const tern__recovery *r) { return r->problem; }

void tern__recovery_get_stats(const tern__recovery *r, tern__recovery_stats *stats) { *stats = r->stats; }
