/* Made by protoc-gen-tern from google/protobuf/any.proto; changes here are lost. */
#include "google/protobuf/any.tern.h"

#include <stddef.h>

TERN_TABLES_1(google_protobuf_Any);

static const tern_field google_protobuf_Any__fields[] = {
    TERN_FIELD(1, offsetof(google_protobuf_Any, type_url), 0, 0, TERN_STRING, TERN_FIELD_UTF8, sizeof(tern_str)),
    TERN_FIELD(2, offsetof(google_protobuf_Any, value), 0, 0, TERN_BYTES, 0, sizeof(tern_bytes)),
};

static const char *const google_protobuf_Any__names[] = {
    "type_url",
    "value",
};

const tern_type google_protobuf_Any_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "google.protobuf.Any",
    google_protobuf_Any__fields,
    google_protobuf_Any__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(google_protobuf_Any),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    0, /* n_required */
    offsetof(google_protobuf_Any, unknown),
};

