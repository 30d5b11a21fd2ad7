/* Values of a schema as C expressions. */
#ifndef TERN_GEN_LITERAL_H
#define TERN_GEN_LITERAL_H

#include "gen/schema.h"

/* The explicit default of a field as a C expression (for strings and bytes, an initializer), and in `before` the
 * declarations that it needs. False when it is not a value of the field's kind. */
bool literal_default(gen *g, const gen_field *field, text *before, text *out);

/* A quoted C string with everything unusual escaped. */
void literal_string(text *out, const char *data, size_t len);

#endif
