/* Outlines of types (docs/wire-format.md, Fingerprints). */
#ifndef TERN_TYPE_OUTLINE_H
#define TERN_TYPE_OUTLINE_H

#include "type/reach.h"

/* An outline describes the types that its type reaches, up to this many. */
enum { OUTLINE_MAX_TYPES = REACH_MAX_TYPES };

/* The byte of a field: its kind, and whether it is a list. */
enum { OUTLINE_KIND = 0x1f, OUTLINE_REPEATED = 0x20 };

static inline uint8_t outline_byte(const tern_field *field) {
    return (uint8_t)(field->kind | (field->flags & TERN_FIELD_REPEATED ? OUTLINE_REPEATED : 0));
}

static inline bool outline_has_sub(uint8_t what) {
    return (what & OUTLINE_KIND) == TERN_MESSAGE || (what & OUTLINE_KIND) == TERN_GROUP;
}

#endif
