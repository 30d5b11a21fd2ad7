/* Memory in which objects say what they are: heaps of object graphs. Whoever meets a pointer of which nothing else is
 * known asks here whether it leads into such memory, and only then is anything read before it. */
#ifndef TERN_MEM_OBJECTS_H
#define TERN_MEM_OBJECTS_H

#include <stdbool.h>
#include <stdint.h>

struct tern_type;

/* The owner's record, which lies in the owner. */
typedef struct tern__objects {
    uintptr_t start, bytes;
    /* The type of the message that starts at ptr, which is in [start, start + bytes); NULL when none does, or the
     * calling thread may not know. */
    const struct tern_type *(*type_of)(const struct tern__objects *objects, const void *ptr);
    struct tern__objects *next;
} tern__objects;

/* The memory is there from now on, or until now. Any thread. */
void tern__objects_add(tern__objects *objects);
void tern__objects_remove(tern__objects *objects);

/* Whether ptr leads into such memory; then *type is what type_of() says. Any thread. Costs a load while there is no
 * such memory, and a lock and a look at each otherwise. */
bool tern__objects_find(const void *ptr, const struct tern_type **type);

#endif
