/* The generated functions of one message that make things in a heap of object graphs. */
#ifndef TERN_GEN_EMIT_HEAP_H
#define TERN_GEN_EMIT_HEAP_H

#include "gen/schema.h"

/* For a file with (tern.file).heap_functions. Behind the message's other functions, which these call. */
void emit_heap_helpers(text *t, const gen_message *message);

#endif
