/* Made by protoc-gen-tern from google/protobuf/field_mask.proto; changes here are lost. */
#include "google/protobuf/field_mask.tern.h"

#include <stddef.h>

TERN_TABLES_1(google_protobuf_FieldMask);

static const tern_field google_protobuf_FieldMask__fields[] = {
    TERN_FIELD(1, offsetof(google_protobuf_FieldMask, paths), 0, 0, TERN_STRING, TERN_FIELD_REPEATED | TERN_FIELD_UTF8, sizeof(tern_str)),
};

static const char *const google_protobuf_FieldMask__names[] = {
    "paths",
};

const tern_type google_protobuf_FieldMask_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "google.protobuf.FieldMask",
    google_protobuf_FieldMask__fields,
    google_protobuf_FieldMask__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    1, /* n_fields */
    1, /* n_dense */
    sizeof(google_protobuf_FieldMask),
    0, /* has_offset */
    0, /* n_has */
    1, /* max_number */
    0, /* n_required */
    offsetof(google_protobuf_FieldMask, unknown),
};

