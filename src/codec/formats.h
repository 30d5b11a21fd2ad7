/* The formats that somebody speaks: a list of pointers to constant tables, the most wanted one first, with NULL behind
 * the last. Both the list and the tables must outlive whoever was given them. */
#ifndef TERN_CODEC_FORMATS_H
#define TERN_CODEC_FORMATS_H

#include "codec/format.h"

/* The formats that tern has: hybrid, protobuf. */
extern const tern__format *const tern__formats_default[];

/* Whether a list can be spoken: it has each common format, as tern has it (the short ways of the engine encode hybrid
 * without a look at the list); other numbers are unused ones, each at most once. */
bool tern__formats_are_sound(const tern__format *const *list);

/* Bit f for the format of number f, and bit 0 for bytes as they are. */
uint32_t tern__formats_bits(const tern__format *const *list);

/* The first format of which `bits` has the bit; if there is none, the universal one. */
const tern__format *tern__formats_best(const tern__format *const *list, uint32_t bits);

/* The format that every peer understands, whatever its types. */
const tern__format *tern__formats_universal(const tern__format *const *list);

/* The format of a number; NULL: the list has none. */
static inline const tern__format *tern__formats_find(const tern__format *const *list, uint32_t number) {
    while (*list && (*list)->number != number) list++;
    return *list;
}

#endif
