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
