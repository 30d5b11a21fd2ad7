/* The generated helpers of one message: accessors, defaults, lists, maps. */
#ifndef TERN_GEN_EMIT_HELPERS_H
#define TERN_GEN_EMIT_HELPERS_H

#include "gen/schema.h"

void emit_helpers(gen *g, text *t, const gen_message *message);

#endif
