/* The metadata of fragments: what a sender says beside the objects of a graph, and a receiver reads.
 * docs/graph-format.md has the layout with an example.
 *
 *   | head: 32 | types | back pointers: 8 each |
 *
 * A reference is a pointer that is followed: numbers count from 1 in each fragment, in the order in which both sides
 * come to them. A reference for which nothing is said leads to the start of the next object of the data. */
#ifndef TERN_GRAPH_FRAGMENT_H
#define TERN_GRAPH_FRAGMENT_H

#include "base/base.h"

enum {
    TERN__FRAGMENT_VERSION = 1,
    TERN__FRAGMENT_FIRST = 1, /* flags: the root is in this one; no other follows */
    TERN__FRAGMENT_LAST = 2,
    TERN__FRAGMENT_MAX_REFS = 1 << 30
};

/* All numbers are little-endian. */
typedef struct tern__fragment_head {
    uint8_t version, flags;
    uint16_t zero;
    uint32_t meta_bytes; /* of head, types and back pointers */
    uint64_t data_bytes; /* of the objects */
    uint32_t n_objects;
    uint32_t n_refs;
    uint32_t types_bytes;
    uint32_t n_backs;
} tern__fragment_head;
_Static_assert(sizeof(tern__fragment_head) == 32, "the layout of docs/graph-format.md");

/* Of a type that is named for the first time; the name follows, with zeros up to a multiple of 8. */
typedef struct tern__fragment_type {
    uint64_t layout;   /* tern__layout_hash() */
    uint32_t id;       /* the sender's number: what headers of objects have */
    uint32_t name_len; /* bytes */
} tern__fragment_type;

/* A reference that leads to an object that has come before: `place` is that of its first element in all the data of the
 * graph, in units of 8 bytes. A second one with the same reference says how many bytes behind the first element a view
 * begins; then the place may be that of the next object, too. */
typedef struct tern__fragment_back {
    uint32_t ref, place;
} tern__fragment_back;

static inline uint64_t tern__fragment_type_bytes(uint64_t name_len) {
    return sizeof(tern__fragment_type) + ((name_len + 7) & ~(uint64_t)7);
}

/* What is wrong with the head itself; NULL: nothing. */
static inline const char *tern__fragment_head_fault(const tern__fragment_head *head) {
    if (head->zero || head->flags & ~(TERN__FRAGMENT_FIRST | TERN__FRAGMENT_LAST)) return "flags that nobody knows";
    if (head->types_bytes % 8 || head->data_bytes % 8) return "sizes that are no multiples of 8";
    if ((uint64_t)sizeof *head + head->types_bytes + (uint64_t)head->n_backs * sizeof(tern__fragment_back) !=
        head->meta_bytes)
        return "sizes that do not add up";
    if (head->n_refs > TERN__FRAGMENT_MAX_REFS || head->n_objects > head->n_refs) return "more objects than references";
    return (uint64_t)head->n_objects * 16 > head->data_bytes ? "more objects than bytes" : NULL;
}

#endif
