/* The generated code of one streaming method. */
#ifndef TERN_GEN_EMIT_STREAM_H
#define TERN_GEN_EMIT_STREAM_H

#include "gen/schema.h"

void emit_stream_header(gen *g, text *t, const gen_service *service, const gen_method *method);
void emit_stream_source(text *t, const gen_method *method);

/* A part of the service's serve function. */
void emit_stream_serve(text *t, const gen_method *method);

#endif
