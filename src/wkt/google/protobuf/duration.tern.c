/* Made by protoc-gen-tern from google/protobuf/duration.proto; changes here are lost. */
#include "google/protobuf/duration.tern.h"

#include <stddef.h>

TERN_TABLES_1(google_protobuf_Duration);

static const tern_field google_protobuf_Duration__fields[] = {
    TERN_FIELD(1, offsetof(google_protobuf_Duration, seconds), 0, 0, TERN_INT64, 0, sizeof(int64_t)),
    TERN_FIELD(2, offsetof(google_protobuf_Duration, nanos), 0, 0, TERN_INT32, 0, sizeof(int32_t)),
};

static const char *const google_protobuf_Duration__names[] = {
    "seconds",
    "nanos",
};

const tern_type google_protobuf_Duration_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "google.protobuf.Duration",
    google_protobuf_Duration__fields,
    google_protobuf_Duration__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(google_protobuf_Duration),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    0, /* n_required */
    offsetof(google_protobuf_Duration, unknown),
};

