/* The types of a heap's objects, by number, and for each the places in an element that may hold a pointer.
 *
 * All that walks objects (the collector, the mover, the verifier, pictures, files, and what sends graphs) reads slots
 * and nothing else of a type's table. How a field of a schema becomes slots is said in one place, fields_to_slots() in
 * types.c. The slots of a type are in the order of its fields' numbers; the list of unknown fields comes last.
 *
 * A message type has two numbers: its own, for messages and for lists of structs and entries, and the next one, for
 * lists of pointers to such messages. The numbers below TERN__TYPE_FIRST are the same in every heap. */
#ifndef TERN_GRAPH_TYPES_H
#define TERN_GRAPH_TYPES_H

#include "base/base.h"
#include "graph/object.h"
#include "tern/mem.h"
#include "tern/type.h"

enum {
    TERN__TYPE_BYTES = 1, /* bytes, strings, lists of bools, unknown fields */
    TERN__TYPE_WORDS = 2, /* lists of numbers of 4 bytes */
    TERN__TYPE_LONGS = 3, /* of 8 bytes */
    TERN__TYPE_VIEWS = 4, /* lists of strings or bytes */
    TERN__TYPE_INDEX = 5, /* a map's index: bytes that nothing but src/type/map.c reads */
    TERN__TYPE_FIRST = 6,
    TERN__TYPES_MAX = 1 << 16
};

/* How long the thing is that a slot points to. */
typedef enum tern__slot_kind {
    TERN__SLOT_MESSAGE, /* {pointer}: one */
    TERN__SLOT_OBJECT,  /* {pointer}: one message of any type */
    TERN__SLOT_LIST,    /* {pointer, size_t len, cap}: elements */
    TERN__SLOT_MAP,     /* the same, and behind it {pointer} to an index, which has a slot of its own, the next one */
    TERN__SLOT_INDEX,   /* {pointer}: whatever its object has */
    TERN__SLOT_VIEW,    /* {pointer, size_t len}: bytes, anywhere within an object */
    TERN__SLOT_UNKNOWN, /* {pointer, uint32_t len, cap}: the same */
} tern__slot_kind;

/* A pointer in an element of some type. It counts while the word at test_offset, masked, has this value; a mask of 0:
 * always. */
typedef struct tern__slot {
    uint32_t offset; /* of the pointer in the element */
    uint32_t what;   /* kind and type of the object that it points to (object.h); of an OBJECT the type is any */
    uint32_t test_offset, test_mask, test_value;
    uint32_t object_bytes;   /* of a message: what its object takes, header included */
    uint16_t kind;           /* a tern__slot_kind */
    uint16_t is_element;     /* the whole element is this pointer or view: paths name no field */
    const tern_field *field; /* NULL: the unknown fields, or an element of a list */
} tern__slot;

/* How to walk one element of a type. */
typedef struct tern__walk {
    const tern_type *type; /* NULL: below TERN__TYPE_FIRST */
    const tern__slot *slots;
    uint32_t n_slots;
    uint32_t elem_bytes; /* 0: no such type */
} tern__walk;

typedef struct tern__types {
    tern_arena memory;
    tern__walk *walks; /* by number */
    uint32_t n, cap;
    uint32_t *places; /* a hash table from tables to numbers, open-addressed; 0: free */
    uint32_t n_places;
    const tern_type *last; /* asked for last, and its number */
    uint32_t last_id;
} tern__types;

/* TERN_ERR_NOMEM. */
int tern__types_init(tern__types *types);
void tern__types_fini(tern__types *types);

/* The number of a type, which the heap learns now, with all types that it refers to. Returns 0, or with nothing learned
 * TERN_ERR_NOMEM, TERN_ERR_LIMIT, or TERN_ERR_VERSION when this library cannot read one of the tables. */
int tern__types_learn(tern__types *types, const tern_type *type, uint32_t *id);

static inline int tern__types_id(tern__types *types, const tern_type *type, uint32_t *id) {
    if (types->last != type) return tern__types_learn(types, type, id);
    *id = types->last_id;
    return 0;
}

/* For a table that gets its numbers from elsewhere: the types one by one, in the order of their numbers, and then, when
 * they are all there, what they refer to; TERN_ERR_INVALID when that is a type that has not been added, or one was
 * added twice. */
int tern__types_add(tern__types *types, const tern_type *type);
int tern__types_complete(tern__types *types);

/* The kind and type of the storage of a repeated field of the type with number `id`. */
uint32_t tern__types_storage(const tern__types *types, uint32_t id, const tern_field *field);

/* ---- Walking ------------------------------------------------------------------------------------- */

static inline const tern__walk *tern__types_walk(const tern__types *types, uint32_t what) {
    return &types->walks[tern__what_type(what)];
}

static inline bool tern__slot_counts(const tern__slot *slot, const uint8_t *elem) {
    return (tern__load32(elem + slot->test_offset) & slot->test_mask) == slot->test_value;
}

/* Room counts, too: what is added later is written there. */
static inline uint64_t tern__unknown_length(const uint8_t *at) {
    const tern_unknown *unknown = (const tern_unknown *)(const void *)at;
    return unknown->len > unknown->cap ? unknown->len : unknown->cap;
}

/* The pointer of a slot, which lies at `at`; NULL also when it is one to nothing. */
static inline uint8_t *tern__slot_target(const tern__slot *slot, const uint8_t *at) {
    const tern_list *list = (const tern_list *)(const void *)at;
    switch (slot->kind) {
    case TERN__SLOT_LIST:
    case TERN__SLOT_MAP: return (list->len | list->cap) != 0 ? list->data : NULL;
    case TERN__SLOT_VIEW: return list->len != 0 ? list->data : NULL;
    case TERN__SLOT_UNKNOWN: return tern__unknown_length(at) != 0 ? list->data : NULL;
    default: return list->data;
    }
}

/* How many elements of the object the slot wants to have there: of views, bytes from the pointer on. */
static inline uint64_t tern__slot_length(const tern__slot *slot, const uint8_t *at) {
    const tern_list *list = (const tern_list *)(const void *)at;
    switch (slot->kind) {
    case TERN__SLOT_LIST:
    case TERN__SLOT_MAP: return list->len > list->cap ? list->len : list->cap;
    case TERN__SLOT_VIEW: return list->len;
    case TERN__SLOT_UNKNOWN: return tern__unknown_length(at);
    default: return 1;
    }
}

static inline bool tern__slot_is_message(const tern__slot *slot) {
    return slot->kind == TERN__SLOT_MESSAGE || slot->kind == TERN__SLOT_OBJECT;
}

static inline bool tern__slot_is_view(const tern__slot *slot) { return slot->kind >= TERN__SLOT_VIEW; }

#endif
