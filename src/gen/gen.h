/* protoc-gen-tern: from a CodeGeneratorRequest to C. Each file uses only those below it:
 *
 *   gen         the request: files, what to generate, the response
 *   emit_*      the output: a header and a source of structs, helpers, services and streams
 *   literal     default values as C expressions
 *   options     what tern/options.proto lets a schema ask for
 *   resolve     what types refer to: fields, maps, oneofs, methods; what is required anywhere below
 *   check       what is not supported, or makes no sense, becomes an error
 *   model       messages, enums and services with their names
 *   names       C names: keywords, collisions
 *   location    where things stand in the .proto, their comments, and errors that name the place
 *   schema      what all of these work on
 *   hash_map    what is known by a name
 *   text        text that grows */
#ifndef TERN_GEN_GEN_H
#define TERN_GEN_GEN_H

#include "google/protobuf/compiler/plugin.tern.h"
#include "tern/codec.h"

/* Runs a request and fills the response; both are messages of the arena. *warnings gets the lines about what was found
 * odd and is no error, from the arena; empty for none. warnings may be NULL. */
void gen_run(tern_arena *arena, const google_protobuf_compiler_CodeGeneratorRequest *request,
             google_protobuf_compiler_CodeGeneratorResponse *response, tern_str *warnings);

/* The same from bytes to bytes, the plugin's whole work. 0, or a TERN_ERR_* when the request is none, and then nothing
 * else is set. */
int gen_run_bytes(tern_arena *arena, const void *request, size_t len, tern_bytes *response, tern_str *warnings);

#endif
