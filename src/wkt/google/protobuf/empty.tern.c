/* Made by protoc-gen-tern from google/protobuf/empty.proto; changes here are lost. */
#include "google/protobuf/empty.tern.h"

#include <stddef.h>

TERN_TABLES_1(google_protobuf_Empty);

const tern_type google_protobuf_Empty_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "google.protobuf.Empty",
    NULL, /* fields */
    NULL, /* names */
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    0, /* n_fields */
    0, /* n_dense */
    sizeof(google_protobuf_Empty),
    0, /* has_offset */
    0, /* n_has */
    0, /* max_number */
    0, /* n_required */
    offsetof(google_protobuf_Empty, unknown),
};

