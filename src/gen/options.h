/* What schemas ask for by the options of tern/options.proto. */
#ifndef TERN_GEN_OPTIONS_H
#define TERN_GEN_OPTIONS_H

#include "gen/schema.h"

/* Reads the options of a file itself, on which the C names of its types depend. All files of the request are there,
 * with their packages; none of their types need be. */
void options_read_file(gen *g, gen_file *file);

/* Sets the flags of the file's methods. The file's messages and services are resolved. */
void options_read(gen *g, gen_file *file);

#endif
