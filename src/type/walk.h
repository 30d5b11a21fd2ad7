/* What all walks over messages share, those of the codecs too: their bounds, and how lists hold messages.
 *
 * A message is walked as a tree. Structs that point to each other may look like a tree without an end, or one with 2^60
 * leaves: depth bounds the first, and the count of elements the second. */
#ifndef TERN_TYPE_WALK_H
#define TERN_TYPE_WALK_H

#include "base/base.h"
#include "tern/type.h"

/* Messages that nest deeper are not walked: it bounds the recursion's stack. The top one is depth 1, as for
 * decoders (tern_limits_init()). */
enum { MESSAGE_MAX_DEPTH = 101 };

/* Types of this kind have no unknown fields in their structs. */
enum { TYPE_WITHOUT_UNKNOWN = TERN_TYPE_MAP_ENTRY | TERN_TYPE_NO_UNKNOWN };

/* What encoders read first: the length of a message's unknown fields or, without any, a word of the struct. Only where
 * it is not 0 the type's flags tell which of them it is. */
static inline uint32_t unknown_len_or_word(const tern_type *type, const void *msg) {
    ptrdiff_t at = (ptrdiff_t)(int32_t)type->unknown_offset + (ptrdiff_t)offsetof(tern_unknown, len);
    return tern__load32((const uint8_t *)msg + at);
}

/* Whether this word of a type without unknown fields lies in its struct. True for others. */
static inline bool type_omits_soundly(const tern_type *type) {
    if (!(type->flags & TERN_TYPE_NO_UNKNOWN)) return true;
    uint32_t at = type->unknown_offset + (uint32_t)offsetof(tern_unknown, len);
    return !(type->flags & TERN_TYPE_MAP_ENTRY) && at <= INT32_MAX && (uint64_t)at + 4 <= type->size_bytes;
}

/* Takes a number of list elements, entries and sub-messages from what may still be walked. */
static inline bool walk_take(size_t *left, size_t n) {
    if (n > *left) return false;
    *left -= n;
    return true;
}

static inline bool holds_pointers(const tern_field *field) { return (field->flags & TERN_FIELD_POINTERS) != 0; }

/* The pointer at element i of a list of pointers. */
static inline void *list_pointer(const tern_list *list, size_t i) {
    void *message;
    memcpy(&message, (const uint8_t *)list->data + i * sizeof message, sizeof message);
    return message;
}

/* Message i of a list of either kind; NULL where a list of pointers has none. */
static inline const void *list_message(const tern_field *field, const tern_list *list, size_t i) {
    if (holds_pointers(field)) return list_pointer(list, i);
    return (const uint8_t *)list->data + i * field->elem_bytes;
}

#endif
