/* Where things stand in the .proto, their comments, and errors and warnings that name the place. */
#ifndef TERN_GEN_LOCATION_H
#define TERN_GEN_LOCATION_H

#include "gen/schema.h"

/* path, then two more steps: the member numbered `field` of the parent's descriptor, element `index`. */
gen_path gen_path_add(gen *g, gen_path path, int32_t field, size_t index);

/* The place of a path, or of the nearest thing around it; NULL when the request carries none. */
const google_protobuf_SourceCodeInfo_Location *location_find(gen *g, gen_file *file, gen_path path, bool exact);

/* One more error, behind the text `place`, which may be empty. */
void gen_add_error(gen *g, const char *place, const char *message);

/* One more error, at a place of a file; file may be NULL. */
__attribute__((format(printf, 4, 5))) void gen_error(gen *g, gen_file *file, gen_path path, const char *format, ...);

/* One more warning, a line. */
__attribute__((format(printf, 4, 5))) void gen_warn(gen *g, gen_file *file, gen_path path, const char *format, ...);

/* The comment of a thing, as a C comment of its own line or lines; nothing when it has none. */
void emit_comment(gen *g, text *t, gen_file *file, gen_path path, const char *indent);

#endif
