/* Fields of type tern.Object: what their pointers lead to.
 *
 * A pointer into a heap of object graphs leads to a message of any type, which the heap knows; any other one to a
 * tern_Object, which has the name of a type and an encoded message. So the type is always known, and memory that is no
 * heap is never taken for one. */
#ifndef TERN_TYPE_OBJECT_H
#define TERN_TYPE_OBJECT_H

#include "mem/objects.h"
#include "tern/type.h"

typedef enum object_form {
    OBJECT_ENCODED, /* a tern_Object; so is what has another type than tern.Object */
    OBJECT_TYPED,   /* a message of another type */
    OBJECT_WRONG    /* the pointer leads into a heap, but to no message, or into that of another thread */
} object_form;

static const char object_url_prefix[] = "type.googleapis.com/";

/* What a pointer to a message of this type leads to. Of a typed one *type becomes its own type. */
static inline object_form object_form_of(const tern_type **type, const void *msg) {
    const tern_type *found = NULL;
    if (!((*type)->flags & TERN_TYPE_OBJECT) || !tern__objects_find(msg, &found)) return OBJECT_ENCODED;
    if (!found) return OBJECT_WRONG;
    if (found->flags & TERN_TYPE_OBJECT) return OBJECT_ENCODED;
    *type = found;
    return OBJECT_TYPED;
}

#endif
