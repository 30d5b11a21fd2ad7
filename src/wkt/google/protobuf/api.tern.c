/* Made by protoc-gen-tern from google/protobuf/api.proto; changes here are lost. */
#include "google/protobuf/api.tern.h"

#include <stddef.h>

TERN_TABLES_1(google_protobuf_Api);

static const tern_field google_protobuf_Api__fields[] = {
    TERN_FIELD(1, offsetof(google_protobuf_Api, name), 0, 0, TERN_STRING, TERN_FIELD_UTF8, sizeof(tern_str)),
    TERN_FIELD(2, offsetof(google_protobuf_Api, methods), 0, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(google_protobuf_Method)),
    TERN_FIELD(3, offsetof(google_protobuf_Api, options), 1, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(google_protobuf_Option)),
    TERN_FIELD(4, offsetof(google_protobuf_Api, version), 0, 0, TERN_STRING, TERN_FIELD_UTF8, sizeof(tern_str)),
    TERN_FIELD(5, offsetof(google_protobuf_Api, source_context), 2, 0, TERN_MESSAGE, 0, sizeof(google_protobuf_SourceContext *)),
    TERN_FIELD(6, offsetof(google_protobuf_Api, mixins), 3, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(google_protobuf_Mixin)),
    TERN_FIELD(7, offsetof(google_protobuf_Api, syntax), 0, 0, TERN_ENUM, 0, sizeof(int32_t)),
};

static const char *const google_protobuf_Api__names[] = {
    "name",
    "methods",
    "options",
    "version",
    "source_context",
    "mixins",
    "syntax",
};

static const tern_type *const google_protobuf_Api__subs[] = {
    &google_protobuf_Method_type,
    &google_protobuf_Option_type,
    &google_protobuf_SourceContext_type,
    &google_protobuf_Mixin_type,
};

static const tern_enum *const google_protobuf_Api__enums[] = {
    &google_protobuf_Syntax_enum,
};

const tern_type google_protobuf_Api_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "google.protobuf.Api",
    google_protobuf_Api__fields,
    google_protobuf_Api__names,
    NULL, /* json */
    google_protobuf_Api__subs,
    google_protobuf_Api__enums,
    7, /* n_fields */
    7, /* n_dense */
    sizeof(google_protobuf_Api),
    0, /* has_offset */
    0, /* n_has */
    7, /* max_number */
    0, /* n_required */
    offsetof(google_protobuf_Api, unknown),
};

static const tern_field google_protobuf_Method__fields[] = {
    TERN_FIELD(1, offsetof(google_protobuf_Method, name), 0, 0, TERN_STRING, TERN_FIELD_UTF8, sizeof(tern_str)),
    TERN_FIELD(2, offsetof(google_protobuf_Method, request_type_url), 0, 0, TERN_STRING, TERN_FIELD_UTF8, sizeof(tern_str)),
    TERN_FIELD(3, offsetof(google_protobuf_Method, request_streaming), 0, 0, TERN_BOOL, 0, sizeof(bool)),
    TERN_FIELD(4, offsetof(google_protobuf_Method, response_type_url), 0, 0, TERN_STRING, TERN_FIELD_UTF8, sizeof(tern_str)),
    TERN_FIELD(5, offsetof(google_protobuf_Method, response_streaming), 0, 0, TERN_BOOL, 0, sizeof(bool)),
    TERN_FIELD(6, offsetof(google_protobuf_Method, options), 0, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(google_protobuf_Option)),
    TERN_FIELD(7, offsetof(google_protobuf_Method, syntax), 0, 0, TERN_ENUM, 0, sizeof(int32_t)),
};

static const char *const google_protobuf_Method__names[] = {
    "name",
    "request_type_url",
    "request_streaming",
    "response_type_url",
    "response_streaming",
    "options",
    "syntax",
};

static const tern_type *const google_protobuf_Method__subs[] = {
    &google_protobuf_Option_type,
};

static const tern_enum *const google_protobuf_Method__enums[] = {
    &google_protobuf_Syntax_enum,
};

const tern_type google_protobuf_Method_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "google.protobuf.Method",
    google_protobuf_Method__fields,
    google_protobuf_Method__names,
    NULL, /* json */
    google_protobuf_Method__subs,
    google_protobuf_Method__enums,
    7, /* n_fields */
    7, /* n_dense */
    sizeof(google_protobuf_Method),
    0, /* has_offset */
    0, /* n_has */
    7, /* max_number */
    0, /* n_required */
    offsetof(google_protobuf_Method, unknown),
};

static const tern_field google_protobuf_Mixin__fields[] = {
    TERN_FIELD(1, offsetof(google_protobuf_Mixin, name), 0, 0, TERN_STRING, TERN_FIELD_UTF8, sizeof(tern_str)),
    TERN_FIELD(2, offsetof(google_protobuf_Mixin, root), 0, 0, TERN_STRING, TERN_FIELD_UTF8, sizeof(tern_str)),
};

static const char *const google_protobuf_Mixin__names[] = {
    "name",
    "root",
};

const tern_type google_protobuf_Mixin_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "google.protobuf.Mixin",
    google_protobuf_Mixin__fields,
    google_protobuf_Mixin__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(google_protobuf_Mixin),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    0, /* n_required */
    offsetof(google_protobuf_Mixin, unknown),
};

