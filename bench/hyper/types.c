/* See types.h. */
#include "types.h"

#include "bench0.tern.h"
#include "bench1.tern.h"
#include "bench2.tern.h"
#include "ints.tern.h"
#include "subject.h"

#define ENTRY(file, message, lower) &file##_##message##_type,
static const tern_type *const types[] = {HYPER_TYPES(ENTRY)};

const tern_type *hyper_type(const char *name) {
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i]->name, name) == 0) return types[i];
    return NULL;
}
