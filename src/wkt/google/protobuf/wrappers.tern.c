/* Made by protoc-gen-tern from google/protobuf/wrappers.proto; changes here are lost. */
#include "google/protobuf/wrappers.tern.h"

#include <stddef.h>

TERN_TABLES_1(google_protobuf_DoubleValue);

static const tern_field google_protobuf_DoubleValue__fields[] = {
    TERN_FIELD(1, offsetof(google_protobuf_DoubleValue, value), 0, 0, TERN_DOUBLE, 0, sizeof(double)),
};

static const char *const google_protobuf_DoubleValue__names[] = {
    "value",
};

const tern_type google_protobuf_DoubleValue_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "google.protobuf.DoubleValue",
    google_protobuf_DoubleValue__fields,
    google_protobuf_DoubleValue__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    1, /* n_fields */
    1, /* n_dense */
    sizeof(google_protobuf_DoubleValue),
    0, /* has_offset */
    0, /* n_has */
    1, /* max_number */
    0, /* n_required */
    offsetof(google_protobuf_DoubleValue, unknown),
};

static const tern_field google_protobuf_FloatValue__fields[] = {
    TERN_FIELD(1, offsetof(google_protobuf_FloatValue, value), 0, 0, TERN_FLOAT, 0, sizeof(float)),
};

static const char *const google_protobuf_FloatValue__names[] = {
    "value",
};

const tern_type google_protobuf_FloatValue_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "google.protobuf.FloatValue",
    google_protobuf_FloatValue__fields,
    google_protobuf_FloatValue__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    1, /* n_fields */
    1, /* n_dense */
    sizeof(google_protobuf_FloatValue),
    0, /* has_offset */
    0, /* n_has */
    1, /* max_number */
    0, /* n_required */
    offsetof(google_protobuf_FloatValue, unknown),
};

static const tern_field google_protobuf_Int64Value__fields[] = {
    TERN_FIELD(1, offsetof(google_protobuf_Int64Value, value), 0, 0, TERN_INT64, 0, sizeof(int64_t)),
};

static const char *const google_protobuf_Int64Value__names[] = {
    "value",
};

const tern_type google_protobuf_Int64Value_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "google.protobuf.Int64Value",
    google_protobuf_Int64Value__fields,
    google_protobuf_Int64Value__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    1, /* n_fields */
    1, /* n_dense */
    sizeof(google_protobuf_Int64Value),
    0, /* has_offset */
    0, /* n_has */
    1, /* max_number */
    0, /* n_required */
    offsetof(google_protobuf_Int64Value, unknown),
};

static const tern_field google_protobuf_UInt64Value__fields[] = {
    TERN_FIELD(1, offsetof(google_protobuf_UInt64Value, value), 0, 0, TERN_UINT64, 0, sizeof(uint64_t)),
};

static const char *const google_protobuf_UInt64Value__names[] = {
    "value",
};

const tern_type google_protobuf_UInt64Value_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "google.protobuf.UInt64Value",
    google_protobuf_UInt64Value__fields,
    google_protobuf_UInt64Value__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    1, /* n_fields */
    1, /* n_dense */
    sizeof(google_protobuf_UInt64Value),
    0, /* has_offset */
    0, /* n_has */
    1, /* max_number */
    0, /* n_required */
    offsetof(google_protobuf_UInt64Value, unknown),
};

static const tern_field google_protobuf_Int32Value__fields[] = {
    TERN_FIELD(1, offsetof(google_protobuf_Int32Value, value), 0, 0, TERN_INT32, 0, sizeof(int32_t)),
};

static const char *const google_protobuf_Int32Value__names[] = {
    "value",
};

const tern_type google_protobuf_Int32Value_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "google.protobuf.Int32Value",
    google_protobuf_Int32Value__fields,
    google_protobuf_Int32Value__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    1, /* n_fields */
    1, /* n_dense */
    sizeof(google_protobuf_Int32Value),
    0, /* has_offset */
    0, /* n_has */
    1, /* max_number */
    0, /* n_required */
    offsetof(google_protobuf_Int32Value, unknown),
};

static const tern_field google_protobuf_UInt32Value__fields[] = {
    TERN_FIELD(1, offsetof(google_protobuf_UInt32Value, value), 0, 0, TERN_UINT32, 0, sizeof(uint32_t)),
};

static const char *const google_protobuf_UInt32Value__names[] = {
    "value",
};

const tern_type google_protobuf_UInt32Value_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "google.protobuf.UInt32Value",
    google_protobuf_UInt32Value__fields,
    google_protobuf_UInt32Value__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    1, /* n_fields */
    1, /* n_dense */
    sizeof(google_protobuf_UInt32Value),
    0, /* has_offset */
    0, /* n_has */
    1, /* max_number */
    0, /* n_required */
    offsetof(google_protobuf_UInt32Value, unknown),
};

static const tern_field google_protobuf_BoolValue__fields[] = {
    TERN_FIELD(1, offsetof(google_protobuf_BoolValue, value), 0, 0, TERN_BOOL, 0, sizeof(bool)),
};

static const char *const google_protobuf_BoolValue__names[] = {
    "value",
};

const tern_type google_protobuf_BoolValue_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "google.protobuf.BoolValue",
    google_protobuf_BoolValue__fields,
    google_protobuf_BoolValue__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    1, /* n_fields */
    1, /* n_dense */
    sizeof(google_protobuf_BoolValue),
    0, /* has_offset */
    0, /* n_has */
    1, /* max_number */
    0, /* n_required */
    offsetof(google_protobuf_BoolValue, unknown),
};

static const tern_field google_protobuf_StringValue__fields[] = {
    TERN_FIELD(1, offsetof(google_protobuf_StringValue, value), 0, 0, TERN_STRING, TERN_FIELD_UTF8, sizeof(tern_str)),
};

static const char *const google_protobuf_StringValue__names[] = {
    "value",
};

const tern_type google_protobuf_StringValue_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "google.protobuf.StringValue",
    google_protobuf_StringValue__fields,
    google_protobuf_StringValue__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    1, /* n_fields */
    1, /* n_dense */
    sizeof(google_protobuf_StringValue),
    0, /* has_offset */
    0, /* n_has */
    1, /* max_number */
    0, /* n_required */
    offsetof(google_protobuf_StringValue, unknown),
};

static const tern_field google_protobuf_BytesValue__fields[] = {
    TERN_FIELD(1, offsetof(google_protobuf_BytesValue, value), 0, 0, TERN_BYTES, 0, sizeof(tern_bytes)),
};

static const char *const google_protobuf_BytesValue__names[] = {
    "value",
};

const tern_type google_protobuf_BytesValue_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "google.protobuf.BytesValue",
    google_protobuf_BytesValue__fields,
    google_protobuf_BytesValue__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    1, /* n_fields */
    1, /* n_dense */
    sizeof(google_protobuf_BytesValue),
    0, /* has_offset */
    0, /* n_has */
    1, /* max_number */
    0, /* n_required */
    offsetof(google_protobuf_BytesValue, unknown),
};

