/* What a field is, in one load. */
#ifndef TERN_TYPE_TRAITS_H
#define TERN_TYPE_TRAITS_H

#include "base/base.h"
#include "tern/type.h"

_Static_assert(offsetof(tern_field, offset) == 4 && offsetof(tern_field, sub) == 12 && TERN_FIELD_REPEATED == 1,
               "kind and flags are read as one number");

/* A field's kind, and from bit 8 on its flags. */
static inline uint32_t tern__field_traits(const tern_field *field) { return tern__load32((const uint8_t *)field + 8); }

#endif
