/* What copying, comparing and describing messages share: what a field is and whether it is set. */
#ifndef TERN_TYPE_FIELD_H
#define TERN_TYPE_FIELD_H

#include "base/base.h"
#include "tern/mem.h"
#include "tern/type.h"
#include "type/walk.h"

static inline bool field_is_message(const tern_field *field) {
    return field->kind == TERN_MESSAGE || field->kind == TERN_GROUP;
}

/* Strings and bytes: tern_str and tern_bytes have one layout. */
static inline bool field_is_view(const tern_field *field) {
    return field->kind == TERN_STRING || field->kind == TERN_BYTES;
}

static inline const void *field_member(const tern_field *field, const void *msg) {
    return (const uint8_t *)msg + field->offset;
}

static inline const tern_unknown *unknown_of(const tern_type *type, const void *msg) {
    return (const tern_unknown *)(const void *)((const uint8_t *)msg + type->unknown_offset);
}

/* Whether the schema says that the singular field is set; true for fields without presence. A message also has to
 * be there. */
static inline bool field_set(const tern_type *type, const tern_field *field, const void *msg) {
    if (field->flags & TERN_FIELD_ONEOF) return tern__load32((const uint8_t *)msg + field->has * 4) == field->number;
    if (!(field->flags & TERN_FIELD_HAS)) return true;
    uint32_t word = tern__load32((const uint8_t *)msg + type->has_offset + field->has / 32 * 4);
    return word >> field->has % 32 & 1;
}

#endif
