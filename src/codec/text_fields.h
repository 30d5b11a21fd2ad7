/* How printers look at a message: what is set, and what a member holds. */
#ifndef TERN_CODEC_TEXT_FIELDS_H
#define TERN_CODEC_TEXT_FIELDS_H

#include "codec/wire.h"
#include "tern/type.h"

static inline bool kind_is_message(unsigned kind) { return kind == TERN_MESSAGE || kind == TERN_GROUP; }

static inline const void *member_of(const tern_field *field, const void *msg) {
    return (const uint8_t *)msg + field->offset;
}

/* The message that a singular member points to; NULL when there is none. */
static inline const void *child_of(const tern_field *field, const void *msg) {
    const void *child;
    memcpy(&child, member_of(field, msg), sizeof child);
    return child;
}

/* Whether a field has something to print; lists and maps when they are not empty. */
static inline bool member_is_set(const tern_type *type, const tern_field *field, const void *msg) {
    if (field->flags & TERN_FIELD_REPEATED) return ((const tern_list *)member_of(field, msg))->len != 0;
    if (field->flags & TERN_FIELD_ONEOF) {
        if (tern__load32((const uint8_t *)msg + field->has * 4u) != field->number) return false;
        return !kind_is_message(field->kind) || child_of(field, msg);
    }
    if (kind_is_message(field->kind)) return child_of(field, msg) != NULL;
    return field_present(type, field, msg);
}

#endif
