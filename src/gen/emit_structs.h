/* The generated enums and structs, and the C types of their members. */
#ifndef TERN_GEN_EMIT_STRUCTS_H
#define TERN_GEN_EMIT_STRUCTS_H

#include "gen/schema.h"

void emit_structs(gen *g, text *t, const gen_file *file);

/* Whether the field has a member of at least four bytes: in a oneof the case word. */
bool emit_is_word(const gen_field *field);

/* A number that fits 32 bits, as C wants it. */
void emit_int32(text *t, int32_t number);

/* The C type of one value of a field, and the type of the list of such. */
const char *emit_value_type(const gen_field *field);
const char *emit_list_type(gen *g, const gen_field *field);

#endif
