/* JSON and text, for tools, logs and peers that read nothing else; driven by the type table like every codec.
 *
 * JSON is protobuf's canonical mapping: field names in lowerCamelCase, 64-bit integers and the floats that JSON
 * cannot write as strings, bytes in base64, enums by name, and the well-known types (Timestamp, Duration, FieldMask,
 * Struct, Value, ListValue, the wrappers, Any) in their own forms. Text is protobuf's text format, written only.
 * Unknown fields are left out of JSON, and JSON has no names for proto2 extensions.
 *
 * No function here keeps state or makes a system call; all may be called from any thread. They read and write the
 * decimal point as "." in every locale; as with any C library function, setlocale() may not run meanwhile. */
#ifndef TERN_JSON_H
#define TERN_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "tern/codec.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where and why a JSON text was refused. Filled as far as the error_size of the options says. */
typedef struct tern_json_error {
    size_t offset;    /* bytes into the text */
    uint32_t line;    /* from 1 */
    uint32_t column;  /* from 1, in bytes */
    const char *text; /* a sentence; static storage */
} tern_json_error;

typedef struct tern_json_options {
    size_t size; /* sizeof(tern_json_options), set by init */

    const tern_registry *registry; /* the types that an Any may hold; NULL: none */

    /* Encoding. */
    tern_arena *scratch; /* for the content of an Any, where there is no arena for the text; NULL: none */
    uint32_t indent;     /* spaces per level, at most 16, one member a line; 0: all in one line */
    bool proto_names;    /* names as in the schema instead of lowerCamelCase */
    bool print_defaults; /* also zero fields without explicit presence, empty lists and empty maps */
    bool enum_numbers;   /* enums as numbers */

    /* Decoding. */
    bool ignore_unknown;       /* skip members that the type lacks, and enum names that the enum lacks */
    const tern_limits *limits; /* NULL: the defaults; depth and elements count as in protobuf's decoder */
    tern_json_error *error;    /* filled when decoding fails; NULL: not wanted */
    size_t error_size;         /* sizeof(tern_json_error), set by init; 0: nothing is filled */
} tern_json_options;

/* All other members NULL, 0 and false: the canonical form in one line, nothing ignored. */
static inline void tern_json_options_init(tern_json_options *options);

/* Writes a message as JSON to out[0..cap). Returns the length of the whole text, which may exceed cap: then the first
 * cap - 1 bytes are there, as with snprintf; a NUL follows unless cap is 0. Errors: TERN_ERR_UTF8 for a string that is
 * not UTF-8; TERN_ERR_INVALID for a well-known type out of its range (a Timestamp after the year 9999, a FieldMask
 * path that has no JSON form, a Value that is NaN), or options that were not initialised, ask for what this library
 * cannot do (sized.h) or indent by more than 16; TERN_ERR_NOT_FOUND for an Any whose type the registry lacks;
 * TERN_ERR_NOMEM without room for an Any; what tern_protobuf_decode() says of its content; TERN_ERR_LIMIT when it
 * nests deeper than decoders accept by default, or has more than TERN_MESSAGE_MAX_ELEMENTS; TERN_ERR_INVALID also for a
 * NULL in a list of pointers: tern_message_explain() says where. Required fields need not be there. options may be
 * NULL. */
TERN_API int64_t tern_json_encode(const tern_type *type, const void *msg, const tern_json_options *options, char *out,
                                  size_t cap);

/* The same into the arena, NUL-terminated (the NUL is not counted). Returns 0 or an error as above, with *text
 * then unspecified. */
TERN_API int tern_json_print(const tern_type *type, const void *msg, const tern_json_options *options,
                             tern_arena *arena, tern_str *text);

/* Decodes one JSON value, with nothing but white space after it, into *msg (type->size_bytes, overwritten). All memory
 * comes from the arena; nothing points into data afterwards. The syntax is RFC 8259's, strictly; a member that comes
 * twice, by either of its names, is refused, and so are two members of a oneof and equal keys of a map. null leaves a
 * field unset. Returns 0; TERN_ERR_MALFORMED, TERN_ERR_TRUNCATED, TERN_ERR_UTF8; TERN_ERR_NOT_FOUND for an Any whose
 * type the registry lacks; TERN_ERR_LIMIT, TERN_ERR_NOMEM; TERN_ERR_INVALID for options as above, or limits likewise.
 * *msg is unspecified after an error. options may be NULL. */
TERN_API int tern_json_decode(const tern_type *type, const void *data, size_t len, const tern_json_options *options,
                              tern_arena *arena, void *msg);

typedef struct tern_text_options {
    size_t size;                   /* sizeof(tern_text_options), set by init */
    bool single_line;              /* spaces instead of line ends and indentation */
    bool hide_unknown;             /* leave out unknown fields */
    const tern_registry *registry; /* an Any of one of these types is printed as its content; NULL: none */
    tern_arena *scratch;           /* to sort maps and look into an Any, where there is no arena for the text */
} tern_text_options;

/* All other members NULL and false. */
static inline void tern_text_options_init(tern_text_options *options);

/* Writes a message in protobuf's text format as protobuf's C++ library prints it: fields by number, maps by key,
 * unknown fields by number and wire type, two spaces per level, bytes beyond ASCII escaped. Without scratch memory maps
 * stay in their order and an Any is printed by its fields. Returns, truncates and takes options as
 * tern_json_encode() does. Errors: TERN_ERR_LIMIT for nesting and elements, TERN_ERR_NOMEM, TERN_ERR_INVALID for
 * options and NULLs as there. */
TERN_API int64_t tern_text_encode(const tern_type *type, const void *msg, const tern_text_options *options, char *out,
                                  size_t cap);
TERN_API int tern_text_print(const tern_type *type, const void *msg, const tern_text_options *options,
                             tern_arena *arena, tern_str *text);

/* ---- Inline bodies ------------------------------------------------------------------------------ */

static inline void tern_json_options_init(tern_json_options *options) {
    memset(options, 0, sizeof *options);
    options->size = sizeof *options;
    options->error_size = sizeof *options->error;
}

static inline void tern_text_options_init(tern_text_options *options) {
    memset(options, 0, sizeof *options);
    options->size = sizeof *options;
}

#ifdef __cplusplus
}
#endif
#endif
