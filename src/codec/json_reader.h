/* What the JSON decoder keeps while it reads, and the values that stand in one string. Functions return false after an
 * error, which the scanner keeps. */
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
static inline bool json_take_elements(json_reader *r, size_t n) {
    if (n > r->elements_left) return tern__json_fail(&r->s, TERN_ERR_LIMIT, "too many elements");
    r->elements_left -= n;
    return true;
}

/* The member of a well-known type that has this number. */
static inline void *member_numbered(const tern_type *type, uint32_t number, void *msg) {
    return (uint8_t *)msg + tern_type_field(type, number)->offset;
}

/* Base64 of either alphabet, with or without padding, into the arena. */
bool tern__json_read_bytes(json_reader *r, tern_bytes *out);

/* A google.protobuf.Duration, or a Timestamp by RFC 3339, into a message of that type. */
bool tern__json_read_time(json_reader *r, const tern_type *type, bool duration, void *msg);

/* A google.protobuf.FieldMask: paths in lowerCamelCase, separated by commas. */
bool tern__json_read_field_mask(json_reader *r, const tern_type *type, void *msg);

#endif
