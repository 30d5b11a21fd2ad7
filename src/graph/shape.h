/* How the objects of a type are walked by senders and receivers of graphs, and made fit to leave or to be seen.
 *
 * A shape has edges and chores. An edge is a place in an element that may hold a pointer which is followed: the slots
 * of types.h, without the indices of maps. Both sides visit the edges of an element in the order of the shape: first
 * those that lead to objects without pointers of their own (strings, bytes, lists of numbers), then all others, each
 * in the order of the fields' numbers. An object's strings thus lie behind it, and a list needs no stack.
 *
 * A chore makes bytes of an element equal whatever they were: padding, members that are not set, indices of maps and
 * bits of presence that no field has become zero. On the receiver's side chores also refuse what C must not see: bools
 * other than 0 and 1, and cases that a oneof does not have. */
#ifndef TERN_GRAPH_SHAPE_H
#define TERN_GRAPH_SHAPE_H

#include "graph/types.h"

/* What a receiver checks in the object that an edge leads to. */
typedef enum tern__content {
    TERN__CONTENT_ANY,
    TERN__CONTENT_TEXT,    /* the bytes are UTF-8 */
    TERN__CONTENT_BOOLS,   /* each byte is 0 or 1 */
    TERN__CONTENT_TEXTS,   /* the views are of UTF-8 */
    TERN__CONTENT_POINTERS /* no pointer is NULL */
} tern__content;

typedef struct tern__shape tern__shape;

/* It counts while the word at test_offset, masked, has this value; a mask of 0: always. */
typedef struct tern__edge {
    /* It leads somewhere if the eight bytes at `probe`, masked, are not 0: a message's pointer, or a length. */
    uint64_t probe_mask;
    uint32_t probe;
    uint32_t offset; /* of the pointer in the element */
    uint32_t what;   /* kind and type of the object that it leads to */
    uint32_t test_offset, test_mask, test_value;
    uint32_t object_bytes; /* of a message: what its object takes, header included */
    uint8_t kind;          /* a tern__slot_kind */
    uint8_t content;       /* a tern__content */
    bool is_view;
    bool is_array_of_pointers; /* the elements are pointers to messages */
    tern__shape *target;       /* of the elements of what it leads to; of an OBJECT: outside of heaps */
    const tern__slot *slot;    /* of types.h, for words */
} tern__edge;

typedef enum tern__chore_kind {
    TERN__CHORE_ZERO, /* the bytes, when the test is `when` */
    TERN__CHORE_MASK, /* a word */
    TERN__CHORE_CASE, /* refuse a word that is no case of its oneof */
    TERN__CHORE_BOOL  /* refuse a byte other than 0 and 1, when the test holds */
} tern__chore_kind;

typedef struct tern__chore {
    uint32_t test_offset, test_mask, test_value;
    uint32_t offset, bytes; /* of a mask: the mask */
    uint8_t kind;           /* a tern__chore_kind */
    bool when;
    const tern_field *field; /* for words, and the oneof */
} tern__chore;

struct tern__shape {
    const tern__edge *edges;
    const tern__chore *chores;
    uint32_t n_edges, n_chores;
    uint32_t n_plain;    /* of the chores, from the first: four bytes become zero always */
    uint32_t elem_bytes; /* 0: no such type */
    uint32_t id;         /* of the type */
    const tern_type *type;
    uint8_t state; /* the sender's: whether the type was announced */
};

/* The shapes of all types that a table of types has, by number. */
typedef struct tern__shapes {
    tern_arena memory;
    const tern__types *types;
    tern__shape **by_id;
    uint32_t n;
    tern__shape *texts; /* of lists of strings that are UTF-8 */
} tern__shapes;

void tern__shapes_init(tern__shapes *shapes, const tern__types *types);
void tern__shapes_fini(tern__shapes *shapes);

/* Makes those that are missing. TERN_ERR_NOMEM, with all as before. */
int tern__shapes_update(tern__shapes *shapes);

/* Does the chores of one element from the given one on. Returns NULL, or the one that refuses. */
const tern__chore *tern__shape_tidy_from(const tern__shape *shape, uint32_t chore, uint8_t *elem);

/* Does all of them. Most structs have no chore but four bytes of padding. */
static inline const tern__chore *tern__shape_tidy(const tern__shape *shape, uint8_t *elem) {
    uint32_t i = 0;
    for (; i < shape->n_plain; i++) memset(elem + shape->chores[i].offset, 0, sizeof(uint32_t));
    return i == shape->n_chores ? NULL : tern__shape_tidy_from(shape, i, elem);
}

/* ---- Edges --------------------------------------------------------------------------------------- */

static inline bool tern__edge_counts(const tern__edge *edge, const uint8_t *elem) {
    return !edge->test_mask || (tern__load32(elem + edge->test_offset) & edge->test_mask) == edge->test_value;
}

/* How many elements, of views bytes, the edge needs of its object. */
static inline uint64_t tern__edge_length(const tern__edge *edge, const uint8_t *elem) {
    if (edge->kind == TERN__SLOT_MESSAGE || edge->kind == TERN__SLOT_OBJECT) return 1;
    const uint8_t *length = elem + edge->offset + offsetof(tern_list, len);
    return edge->kind == TERN__SLOT_UNKNOWN ? tern__load32(length) : tern__load64(length);
}

static inline uint8_t *tern__edge_pointer(const tern__edge *edge, const uint8_t *elem) {
    return (uint8_t *)(uintptr_t)tern__load64(elem + edge->offset);
}

/* Whether an edge that counts is followed: a list or view is if it has elements, whatever room it has, and whether or
 * not its pointer is NULL. */
static inline bool tern__edge_leads(const tern__edge *edge, const uint8_t *elem) {
    return (tern__load64(elem + edge->probe) & edge->probe_mask) != 0;
}

/* Of the elements of an object with this header, which the edge leads to; all shapes are made. */
static inline const tern__shape *tern__edge_target(const tern__shapes *shapes, const tern__edge *edge,
                                                   uint64_t header) {
    if (__builtin_expect(edge->kind != TERN__SLOT_OBJECT, true)) return edge->target;
    return shapes->by_id[tern__what_type(tern__header_what(header))];
}

/* Where a walk is: at an edge of an element of an object. */
typedef struct tern__cursor {
    uint8_t *object;
    const tern__shape *shape;
    uint32_t elem, n; /* elements */
    uint32_t edge;
    uint32_t n_tidy; /* the receiver's: of so many elements the chores are done */
} tern__cursor;

static inline uint8_t *tern__cursor_elem(const tern__cursor *cursor) {
    return cursor->object + (uint64_t)cursor->elem * cursor->shape->elem_bytes;
}

#endif
