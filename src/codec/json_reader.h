/* Functions that the parts of the JSON decoder share. They return false after an error, which the scanner keeps. */
#ifndef TERN_CODEC_JSON_READER_H
#define TERN_CODEC_JSON_READER_H

#include "codec/json_scan.h"
#include "codec/json_wkt.h"
#include "codec/text_fields.h"
#include "tern/json.h"

typedef struct json_reader {
    json_scan s;
    tern_json_options o;
    const tern_limits *limits;
    size_t elements_left;
    size_t lookahead_left; /* bytes that may still be read ahead for an Any's type */
    bool dropped;          /* the value just read names an unknown enum value, which is to be ignored */
} json_reader;

static inline bool refuse(json_reader *r, const char *why) { return tern__json_fail(&r->s, TERN_ERR_MALFORMED, why); }

/* Takes a number of list elements, entries and sub-messages from the limit. */
bool tern__json_take_elements(json_reader *r, size_t n);

/* A zeroed message from the arena, counted; NULL after an error. */
void *tern__json_new_message(json_reader *r, const tern_type *type);

/* Any message in its JSON form into msg, which is zeroed. */
bool tern__json_read_message(json_reader *r, const tern_type *type, void *msg);

/* The members of an object whose opening brace was taken, its closing brace too. A member of the name `except`, unless
 * NULL, is skipped. */
bool tern__json_read_members(json_reader *r, const tern_type *type, const char *except, void *msg);

/* Read the value of a field, which is not null: a list, a map, a message or a scalar. The case of a oneof is set. */
bool tern__json_read_field(json_reader *r, const tern_type *type, const tern_field *field, void *msg);

/* A well-known type. */
bool tern__json_read_wkt(json_reader *r, wkt which, const tern_type *type, void *msg);

/* Base64 of either alphabet, with or without padding, into the arena. */
bool tern__json_read_bytes(json_reader *r, tern_bytes *out);

/* Whether a field takes null as a value of its own: google.protobuf.Value and NullValue. */
bool tern__json_takes_null(const tern_type *type, const tern_field *field);

#endif
