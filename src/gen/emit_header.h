/* The generated header of a file. */
#ifndef TERN_GEN_EMIT_HEADER_H
#define TERN_GEN_EMIT_HEADER_H

#include "gen/schema.h"

void emit_header(gen *g, text *t, gen_file *file);

#endif
