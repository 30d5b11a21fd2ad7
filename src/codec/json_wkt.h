/* The well-known types: how they are told, and the forms that JSON gives them. */
#ifndef TERN_CODEC_JSON_WKT_H
#define TERN_CODEC_JSON_WKT_H

#include "codec/text_writer.h"
#include "tern/type.h"

typedef enum wkt {
    WKT_NONE, /* an ordinary message */
    WKT_ANY,
    WKT_DURATION,
    WKT_FIELD_MASK,
    WKT_LIST_VALUE,
    WKT_STRUCT,
    WKT_TIMESTAMP,
    WKT_VALUE,
    WKT_WRAPPER
} wkt;

/* The numbers of google.protobuf.Value's members. */
enum { VALUE_NULL = 1, VALUE_NUMBER = 2, VALUE_STRING = 3, VALUE_BOOL = 4, VALUE_STRUCT = 5, VALUE_LIST = 6 };

/* By full name; a type of such a name but with other fields is ordinary. */
wkt tern__wkt_of(const tern_type *type);

/* google.protobuf.NullValue, which JSON writes null. */
bool tern__wkt_is_null(const tern_enum *enumeration);

/* Each writes the string without its quotes; TERN_ERR_INVALID is set in the writer when there is none. */
void tern__wkt_put_timestamp(text_writer *w, int64_t seconds, int32_t nanos);
void tern__wkt_put_duration(text_writer *w, int64_t seconds, int32_t nanos);
void tern__wkt_put_path(text_writer *w, tern_str path); /* one path of a field mask */

/* Each reads such a string; false when it is none. */
bool tern__wkt_read_timestamp(tern_str text, int64_t *seconds, int32_t *nanos);
bool tern__wkt_read_duration(tern_str text, int64_t *seconds, int32_t *nanos);

/* One path of a field mask to `out`, which has room for twice its length; returns the length there, or SIZE_MAX. */
size_t tern__wkt_read_path(tern_str path, char *out);

#endif
