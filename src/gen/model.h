/* The types of a request under their full names. */
#ifndef TERN_GEN_MODEL_H
#define TERN_GEN_MODEL_H

#include "gen/schema.h"

/* Enters a file's types under their names. */
void model_add_file(gen *g, gen_file *file);

/* The type a reference (".kv.Color") means, or NULL. */
const gen_symbol *model_find(const gen *g, tern_str reference);

#endif
