/* C names: valid, not reserved, and free of collisions. */
#ifndef TERN_GEN_NAMES_H
#define TERN_GEN_NAMES_H

#include "gen/schema.h"

/* Whether a schema name is an identifier of moderate length. */
bool name_is_valid(tern_str name);

/* Whether a member of a generated struct may have this name. */
bool name_is_reserved(const char *name);

/* The C name for a type: `wanted`, with underscores appended until it and every name derived from
 * it are free in this file. */
const char *name_message(gen *g, const char *wanted, const gen_message *message);
const char *name_enum(gen *g, gen_file *file, const char *wanted, const google_protobuf_EnumDescriptorProto *desc);
/* What the C names that come with a method end in; the last is NULL. */
extern const char *const name_method_endings[];

/* The same for a service. */
extern const char *const name_service_endings[];

const char *name_service(gen *g, gen_file *file, const char *wanted,
                         const google_protobuf_ServiceDescriptorProto *desc);

/* What stands after the C name of an enum and an underscore for one of its values, and after that of a oneof for
 * one of its members: the name in the schema, with one more underscore where it would be taken by tern. */
const char *name_value(gen *g, tern_str value);
const char *name_case(gen *g, tern_str field);

/* Names the oneofs of a message, so that what is derived from them differs from what is derived from its other
 * members: fills message->oneof_names. */
void name_oneofs(gen *g, gen_message *message);

/* How many underscores to try on one name, so that time stays bounded; when nothing will be written anyway, few.
 * And the report when they were not enough. */
int name_tries(const gen *g);
void name_give_up(gen *g, gen_file *file, const char *name);

/* A member's name, free among those in `taken` and not reserved; it is entered there. */
const char *name_member(gen *g, gen_file *file, hash_map *taken, const char *wanted);

#endif
