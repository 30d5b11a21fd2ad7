/* The generated source of a file. */
#ifndef TERN_GEN_EMIT_SOURCE_H
#define TERN_GEN_EMIT_SOURCE_H

#include "gen/schema.h"

void emit_source(gen *g, text *t, gen_file *file);

#endif
