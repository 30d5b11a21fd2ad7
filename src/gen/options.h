/* What schemas ask for by the options of tern/options.proto. */
#ifndef TERN_GEN_OPTIONS_H
#define TERN_GEN_OPTIONS_H

#include "gen/schema.h"

/* Sets the flags of the file's methods. The file's messages and services are resolved. */
void options_read(gen *g, gen_file *file);

#endif
