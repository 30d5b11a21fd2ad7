/* Tables that this library cannot read, and why not. */
#ifndef TERN_TYPE_VERSION_H
#define TERN_TYPE_VERSION_H

#include "tern/type.h"

/* The first table that cannot be read. While `field` is NULL, nothing but the version and the flags of the type may be
 * relied on; otherwise the version is known, and the kind or the flags of this field are not. */
typedef struct tern__unreadable {
    const tern_type *type;
    const tern_field *field;
} tern__unreadable;

/* Whether there is such a table among those that the type reaches (reach.h). Only then *out is written. */
bool tern__type_find_unreadable(const tern_type *type, tern__unreadable *out);

#endif
