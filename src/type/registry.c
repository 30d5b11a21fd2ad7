/* Types by name. */
#include "tern/type.h"

const tern_type *tern_registry_find(const tern_registry *registry, tern_str name) {
    for (size_t i = 0; registry && i < registry->n_types; i++)
        if (tern_str_eq(tern_str_of(registry->types[i]->name), name)) return registry->types[i];
    return NULL;
}
