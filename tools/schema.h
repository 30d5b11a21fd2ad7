/* Message types made at run time from a .proto, for tools that were not compiled with it. */
#ifndef TERN_TOOLS_SCHEMA_H
#define TERN_TOOLS_SCHEMA_H

#include "tern/mem.h"
#include "tern/type.h"

/* Has protoc compile the file (found below `include`, which may be NULL: the file's own folder), and makes tables of
 * its types and all that they refer to, in the arena. Returns 0, TERN_ERR_IO when protoc cannot be run or refuses the
 * file (its words are on stderr), TERN_ERR_MALFORMED, TERN_ERR_NOMEM. */
int schema_load(const char *proto, const char *include, tern_arena *arena, tern_registry *out);

#endif
