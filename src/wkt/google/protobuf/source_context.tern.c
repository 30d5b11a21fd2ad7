/* Made by protoc-gen-tern from google/protobuf/source_context.proto; changes here are lost. */
#include "google/protobuf/source_context.tern.h"

#include <stddef.h>

TERN_TABLES_1(google_protobuf_SourceContext);

static const tern_field google_protobuf_SourceContext__fields[] = {
    TERN_FIELD(1, offsetof(google_protobuf_SourceContext, file_name), 0, 0, TERN_STRING, TERN_FIELD_UTF8, sizeof(tern_str)),
};

static const char *const google_protobuf_SourceContext__names[] = {
    "file_name",
};

const tern_type google_protobuf_SourceContext_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "google.protobuf.SourceContext",
    google_protobuf_SourceContext__fields,
    google_protobuf_SourceContext__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    1, /* n_fields */
    1, /* n_dense */
    sizeof(google_protobuf_SourceContext),
    0, /* has_offset */
    0, /* n_has */
    1, /* max_number */
    0, /* n_required */
    offsetof(google_protobuf_SourceContext, unknown),
};

