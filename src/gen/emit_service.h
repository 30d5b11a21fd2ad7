/* The generated stubs and handlers of one service. */
#ifndef TERN_GEN_EMIT_SERVICE_H
#define TERN_GEN_EMIT_SERVICE_H

#include "gen/schema.h"

void emit_service_header(gen *g, text *t, const gen_service *service);
void emit_service_source(text *t, const gen_service *service);

#endif
