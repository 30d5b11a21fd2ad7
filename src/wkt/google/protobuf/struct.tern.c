/* Made by protoc-gen-tern from google/protobuf/struct.proto; changes here are lost. */
#include "google/protobuf/struct.tern.h"

#include <stddef.h>

TERN_TABLES_1(google_protobuf_Struct);

static const tern_enum_value google_protobuf_NullValue__values[] = {
    {0, "NULL_VALUE"},
};

const tern_enum google_protobuf_NullValue_enum = {
    "google.protobuf.NullValue",
    google_protobuf_NullValue__values,
    1,
    false, /* closed */
};

static const tern_field google_protobuf_Struct__fields[] = {
    TERN_FIELD(1, offsetof(google_protobuf_Struct, fields), 0, 0, TERN_MESSAGE, TERN_FIELD_REPEATED | TERN_FIELD_MAP, sizeof(google_protobuf_Struct_FieldsEntry)),
};

static const char *const google_protobuf_Struct__names[] = {
    "fields",
};

static const tern_type *const google_protobuf_Struct__subs[] = {
    &google_protobuf_Struct_FieldsEntry_type,
};

const tern_type google_protobuf_Struct_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "google.protobuf.Struct",
    google_protobuf_Struct__fields,
    google_protobuf_Struct__names,
    NULL, /* json */
    google_protobuf_Struct__subs,
    NULL, /* enums */
    1, /* n_fields */
    1, /* n_dense */
    sizeof(google_protobuf_Struct),
    0, /* has_offset */
    0, /* n_has */
    1, /* max_number */
    0, /* n_required */
    offsetof(google_protobuf_Struct, unknown),
};

static const tern_field google_protobuf_Struct_FieldsEntry__fields[] = {
    TERN_FIELD(1, offsetof(google_protobuf_Struct_FieldsEntry, key), 0, 0, TERN_STRING, TERN_FIELD_UTF8, sizeof(tern_str)),
    TERN_FIELD(2, offsetof(google_protobuf_Struct_FieldsEntry, value), 0, 0, TERN_MESSAGE, 0, sizeof(google_protobuf_Value *)),
};

static const char *const google_protobuf_Struct_FieldsEntry__names[] = {
    "key",
    "value",
};

static const tern_type *const google_protobuf_Struct_FieldsEntry__subs[] = {
    &google_protobuf_Value_type,
};

const tern_type google_protobuf_Struct_FieldsEntry_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_MAP_ENTRY,
    "google.protobuf.Struct.FieldsEntry",
    google_protobuf_Struct_FieldsEntry__fields,
    google_protobuf_Struct_FieldsEntry__names,
    NULL, /* json */
    google_protobuf_Struct_FieldsEntry__subs,
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(google_protobuf_Struct_FieldsEntry),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    0, /* n_required */
    0, /* unknown_offset */
};

static const tern_field google_protobuf_Value__fields[] = {
    TERN_FIELD(1, offsetof(google_protobuf_Value, null_value), 0, offsetof(google_protobuf_Value, kind_case) / 4, TERN_ENUM, TERN_FIELD_ONEOF, sizeof(int32_t)),
    TERN_FIELD(2, offsetof(google_protobuf_Value, number_value), 0, offsetof(google_protobuf_Value, kind_case) / 4, TERN_DOUBLE, TERN_FIELD_ONEOF, sizeof(double)),
    TERN_FIELD(3, offsetof(google_protobuf_Value, string_value), 0, offsetof(google_protobuf_Value, kind_case) / 4, TERN_STRING, TERN_FIELD_UTF8 | TERN_FIELD_ONEOF, sizeof(tern_str)),
    TERN_FIELD(4, offsetof(google_protobuf_Value, bool_value), 0, offsetof(google_protobuf_Value, kind_case) / 4, TERN_BOOL, TERN_FIELD_ONEOF, sizeof(bool)),
    TERN_FIELD(5, offsetof(google_protobuf_Value, struct_value), 0, offsetof(google_protobuf_Value, kind_case) / 4, TERN_MESSAGE, TERN_FIELD_ONEOF, sizeof(google_protobuf_Struct *)),
    TERN_FIELD(6, offsetof(google_protobuf_Value, list_value), 1, offsetof(google_protobuf_Value, kind_case) / 4, TERN_MESSAGE, TERN_FIELD_ONEOF, sizeof(google_protobuf_ListValue *)),
};

static const char *const google_protobuf_Value__names[] = {
    "null_value",
    "number_value",
    "string_value",
    "bool_value",
    "struct_value",
    "list_value",
};

static const tern_type *const google_protobuf_Value__subs[] = {
    &google_protobuf_Struct_type,
    &google_protobuf_ListValue_type,
};

static const tern_enum *const google_protobuf_Value__enums[] = {
    &google_protobuf_NullValue_enum,
};

const tern_type google_protobuf_Value_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "google.protobuf.Value",
    google_protobuf_Value__fields,
    google_protobuf_Value__names,
    NULL, /* json */
    google_protobuf_Value__subs,
    google_protobuf_Value__enums,
    6, /* n_fields */
    6, /* n_dense */
    sizeof(google_protobuf_Value),
    0, /* has_offset */
    0, /* n_has */
    6, /* max_number */
    0, /* n_required */
    offsetof(google_protobuf_Value, unknown),
};

static const tern_field google_protobuf_ListValue__fields[] = {
    TERN_FIELD(1, offsetof(google_protobuf_ListValue, values), 0, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(google_protobuf_Value)),
};

static const char *const google_protobuf_ListValue__names[] = {
    "values",
};

static const tern_type *const google_protobuf_ListValue__subs[] = {
    &google_protobuf_Value_type,
};

const tern_type google_protobuf_ListValue_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "google.protobuf.ListValue",
    google_protobuf_ListValue__fields,
    google_protobuf_ListValue__names,
    NULL, /* json */
    google_protobuf_ListValue__subs,
    NULL, /* enums */
    1, /* n_fields */
    1, /* n_dense */
    sizeof(google_protobuf_ListValue),
    0, /* has_offset */
    0, /* n_has */
    1, /* max_number */
    0, /* n_required */
    offsetof(google_protobuf_ListValue, unknown),
};

