/* What types refer to, and what is required anywhere below them. */
#ifndef TERN_GEN_RESOLVE_H
#define TERN_GEN_RESOLVE_H

#include "gen/schema.h"

/* When all files are in: finds out what requires something below it. */
void resolve_required(gen *g);

/* Resolves a file's references. */
void resolve_file(gen *g, gen_file *file);

/* When the fields have their options: reports elements of lists that are too large for tables. */
void resolve_check_elements(gen *g, gen_file *file);

#endif
