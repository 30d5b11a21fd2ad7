/* Objects and their headers.
 *
 *   a multiple of 8
 *   | count: 32 | type: 24 | kind: 8 | count elements | up to 7 bytes |
 *   '------------- header -----------'  ^ what pointers point to
 *
 * `type` is a number of the heap's table of types (types.h), which says how wide an element is. A message is an object
 * with one element. While objects are being moved the header of an old copy says where the new one is instead:
 *
 *   | distance of the new header from the heap's first byte, in units of 8 bytes: 56 | kind: 8 | */
#ifndef TERN_GRAPH_OBJECT_H
#define TERN_GRAPH_OBJECT_H

#include "base/base.h"

enum {
    TERN__UNIT_BYTES = 8,
    TERN__HEADER_BYTES = 8,

    /* Kinds. */
    TERN__OBJECT_MESSAGE = 1,
    TERN__OBJECT_ARRAY = 2, /* the storage of strings, bytes, lists, maps and indices of maps */
    TERN__OBJECT_MOVED = 3,

    TERN__TYPE_BITS = 24
};

/* The upper half of a header: kind and type. What a pointer expects is compared with it at once. */
static inline uint32_t tern__object_what(unsigned kind, uint32_t type) { return (uint32_t)kind << 24 | type; }
static inline uint32_t tern__what_type(uint32_t what) { return what & ((1u << TERN__TYPE_BITS) - 1); }
static inline unsigned tern__what_kind(uint32_t what) { return what >> TERN__TYPE_BITS; }

static inline uint64_t tern__header(uint32_t what, uint32_t count) { return (uint64_t)what << 32 | count; }
static inline uint32_t tern__header_what(uint64_t header) { return (uint32_t)(header >> 32); }
static inline uint32_t tern__header_count(uint64_t header) { return (uint32_t)header; }

static inline uint64_t tern__header_moved(uint64_t units) { return (uint64_t)TERN__OBJECT_MOVED << 56 | units; }
static inline bool tern__header_is_moved(uint64_t header) { return header >> 56 == TERN__OBJECT_MOVED; }
static inline uint64_t tern__header_units(uint64_t header) { return header & (((uint64_t)1 << 56) - 1); }

/* What an object of `count` elements takes, its header included. */
static inline uint64_t tern__object_bytes(uint32_t elem_bytes, uint32_t count) {
    return TERN__HEADER_BYTES + (((uint64_t)elem_bytes * count + 7) & ~(uint64_t)7);
}

#endif
