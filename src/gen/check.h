/* What is not supported, or makes no sense, becomes an error with file, line and column. */
#ifndef TERN_GEN_CHECK_H
#define TERN_GEN_CHECK_H

#include "gen/schema.h"

/* Everything that can be said about a file before names are resolved. */
void check_file(gen *g, gen_file *file);

/* That no two methods of a file have one id. */
void check_method_ids(gen *g, const gen_file *file);

#endif
