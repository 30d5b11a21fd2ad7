/* Made by protoc-gen-tern from google/protobuf/type.proto; changes here are lost. */
#include "google/protobuf/type.tern.h"

#include <stddef.h>

TERN_TABLES_1(google_protobuf_Type);

static const tern_enum_value google_protobuf_Syntax__values[] = {
    {0, "SYNTAX_PROTO2"},
    {1, "SYNTAX_PROTO3"},
};

const tern_enum google_protobuf_Syntax_enum = {
    "google.protobuf.Syntax",
    google_protobuf_Syntax__values,
    2,
    false, /* closed */
};

static const tern_enum_value google_protobuf_Field_Kind__values[] = {
    {0, "TYPE_UNKNOWN"},
    {1, "TYPE_DOUBLE"},
    {2, "TYPE_FLOAT"},
    {3, "TYPE_INT64"},
    {4, "TYPE_UINT64"},
    {5, "TYPE_INT32"},
    {6, "TYPE_FIXED64"},
    {7, "TYPE_FIXED32"},
    {8, "TYPE_BOOL"},
    {9, "TYPE_STRING"},
    {10, "TYPE_GROUP"},
    {11, "TYPE_MESSAGE"},
    {12, "TYPE_BYTES"},
    {13, "TYPE_UINT32"},
    {14, "TYPE_ENUM"},
    {15, "TYPE_SFIXED32"},
    {16, "TYPE_SFIXED64"},
    {17, "TYPE_SINT32"},
    {18, "TYPE_SINT64"},
};

const tern_enum google_protobuf_Field_Kind_enum = {
    "google.protobuf.Field.Kind",
    google_protobuf_Field_Kind__values,
    19,
    false, /* closed */
};

static const tern_enum_value google_protobuf_Field_Cardinality__values[] = {
    {0, "CARDINALITY_UNKNOWN"},
    {1, "CARDINALITY_OPTIONAL"},
    {2, "CARDINALITY_REQUIRED"},
    {3, "CARDINALITY_REPEATED"},
};

const tern_enum google_protobuf_Field_Cardinality_enum = {
    "google.protobuf.Field.Cardinality",
    google_protobuf_Field_Cardinality__values,
    4,
    false, /* closed */
};

static const tern_field google_protobuf_Type__fields[] = {
    TERN_FIELD(1, offsetof(google_protobuf_Type, name), 0, 0, TERN_STRING, TERN_FIELD_UTF8, sizeof(tern_str)),
    TERN_FIELD(2, offsetof(google_protobuf_Type, fields), 0, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(google_protobuf_Field)),
    TERN_FIELD(3, offsetof(google_protobuf_Type, oneofs), 0, 0, TERN_STRING, TERN_FIELD_REPEATED | TERN_FIELD_UTF8, sizeof(tern_str)),
    TERN_FIELD(4, offsetof(google_protobuf_Type, options), 1, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(google_protobuf_Option)),
    TERN_FIELD(5, offsetof(google_protobuf_Type, source_context), 2, 0, TERN_MESSAGE, 0, sizeof(google_protobuf_SourceContext *)),
    TERN_FIELD(6, offsetof(google_protobuf_Type, syntax), 0, 0, TERN_ENUM, 0, sizeof(int32_t)),
};

static const char *const google_protobuf_Type__names[] = {
    "name",
    "fields",
    "oneofs",
    "options",
    "source_context",
    "syntax",
};

static const tern_type *const google_protobuf_Type__subs[] = {
    &google_protobuf_Field_type,
    &google_protobuf_Option_type,
    &google_protobuf_SourceContext_type,
};

static const tern_enum *const google_protobuf_Type__enums[] = {
    &google_protobuf_Syntax_enum,
};

const tern_type google_protobuf_Type_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "google.protobuf.Type",
    google_protobuf_Type__fields,
    google_protobuf_Type__names,
    NULL, /* json */
    google_protobuf_Type__subs,
    google_protobuf_Type__enums,
    6, /* n_fields */
    6, /* n_dense */
    sizeof(google_protobuf_Type),
    0, /* has_offset */
    0, /* n_has */
    6, /* max_number */
    0, /* n_required */
    offsetof(google_protobuf_Type, unknown),
};

static const tern_field google_protobuf_Field__fields[] = {
    TERN_FIELD(1, offsetof(google_protobuf_Field, kind), 0, 0, TERN_ENUM, 0, sizeof(int32_t)),
    TERN_FIELD(2, offsetof(google_protobuf_Field, cardinality), 1, 0, TERN_ENUM, 0, sizeof(int32_t)),
    TERN_FIELD(3, offsetof(google_protobuf_Field, number), 0, 0, TERN_INT32, 0, sizeof(int32_t)),
    TERN_FIELD(4, offsetof(google_protobuf_Field, name), 0, 0, TERN_STRING, TERN_FIELD_UTF8, sizeof(tern_str)),
    TERN_FIELD(6, offsetof(google_protobuf_Field, type_url), 0, 0, TERN_STRING, TERN_FIELD_UTF8, sizeof(tern_str)),
    TERN_FIELD(7, offsetof(google_protobuf_Field, oneof_index), 0, 0, TERN_INT32, 0, sizeof(int32_t)),
    TERN_FIELD(8, offsetof(google_protobuf_Field, packed), 0, 0, TERN_BOOL, 0, sizeof(bool)),
    TERN_FIELD(9, offsetof(google_protobuf_Field, options), 0, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(google_protobuf_Option)),
    TERN_FIELD(10, offsetof(google_protobuf_Field, json_name), 0, 0, TERN_STRING, TERN_FIELD_UTF8, sizeof(tern_str)),
    TERN_FIELD(11, offsetof(google_protobuf_Field, default_value), 0, 0, TERN_STRING, TERN_FIELD_UTF8, sizeof(tern_str)),
};

static const char *const google_protobuf_Field__names[] = {
    "kind",
    "cardinality",
    "number",
    "name",
    "type_url",
    "oneof_index",
    "packed",
    "options",
    "json_name",
    "default_value",
};

static const tern_type *const google_protobuf_Field__subs[] = {
    &google_protobuf_Option_type,
};

static const tern_enum *const google_protobuf_Field__enums[] = {
    &google_protobuf_Field_Kind_enum,
    &google_protobuf_Field_Cardinality_enum,
};

const tern_type google_protobuf_Field_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "google.protobuf.Field",
    google_protobuf_Field__fields,
    google_protobuf_Field__names,
    NULL, /* json */
    google_protobuf_Field__subs,
    google_protobuf_Field__enums,
    10, /* n_fields */
    4, /* n_dense */
    sizeof(google_protobuf_Field),
    0, /* has_offset */
    0, /* n_has */
    11, /* max_number */
    0, /* n_required */
    offsetof(google_protobuf_Field, unknown),
};

static const tern_field google_protobuf_Enum__fields[] = {
    TERN_FIELD(1, offsetof(google_protobuf_Enum, name), 0, 0, TERN_STRING, TERN_FIELD_UTF8, sizeof(tern_str)),
    TERN_FIELD(2, offsetof(google_protobuf_Enum, enumvalue), 0, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(google_protobuf_EnumValue)),
    TERN_FIELD(3, offsetof(google_protobuf_Enum, options), 1, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(google_protobuf_Option)),
    TERN_FIELD(4, offsetof(google_protobuf_Enum, source_context), 2, 0, TERN_MESSAGE, 0, sizeof(google_protobuf_SourceContext *)),
    TERN_FIELD(5, offsetof(google_protobuf_Enum, syntax), 0, 0, TERN_ENUM, 0, sizeof(int32_t)),
};

static const char *const google_protobuf_Enum__names[] = {
    "name",
    "enumvalue",
    "options",
    "source_context",
    "syntax",
};

static const tern_type *const google_protobuf_Enum__subs[] = {
    &google_protobuf_EnumValue_type,
    &google_protobuf_Option_type,
    &google_protobuf_SourceContext_type,
};

static const tern_enum *const google_protobuf_Enum__enums[] = {
    &google_protobuf_Syntax_enum,
};

const tern_type google_protobuf_Enum_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "google.protobuf.Enum",
    google_protobuf_Enum__fields,
    google_protobuf_Enum__names,
    NULL, /* json */
    google_protobuf_Enum__subs,
    google_protobuf_Enum__enums,
    5, /* n_fields */
    5, /* n_dense */
    sizeof(google_protobuf_Enum),
    0, /* has_offset */
    0, /* n_has */
    5, /* max_number */
    0, /* n_required */
    offsetof(google_protobuf_Enum, unknown),
};

static const tern_field google_protobuf_EnumValue__fields[] = {
    TERN_FIELD(1, offsetof(google_protobuf_EnumValue, name), 0, 0, TERN_STRING, TERN_FIELD_UTF8, sizeof(tern_str)),
    TERN_FIELD(2, offsetof(google_protobuf_EnumValue, number), 0, 0, TERN_INT32, 0, sizeof(int32_t)),
    TERN_FIELD(3, offsetof(google_protobuf_EnumValue, options), 0, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(google_protobuf_Option)),
};

static const char *const google_protobuf_EnumValue__names[] = {
    "name",
    "number",
    "options",
};

static const tern_type *const google_protobuf_EnumValue__subs[] = {
    &google_protobuf_Option_type,
};

const tern_type google_protobuf_EnumValue_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "google.protobuf.EnumValue",
    google_protobuf_EnumValue__fields,
    google_protobuf_EnumValue__names,
    NULL, /* json */
    google_protobuf_EnumValue__subs,
    NULL, /* enums */
    3, /* n_fields */
    3, /* n_dense */
    sizeof(google_protobuf_EnumValue),
    0, /* has_offset */
    0, /* n_has */
    3, /* max_number */
    0, /* n_required */
    offsetof(google_protobuf_EnumValue, unknown),
};

static const tern_field google_protobuf_Option__fields[] = {
    TERN_FIELD(1, offsetof(google_protobuf_Option, name), 0, 0, TERN_STRING, TERN_FIELD_UTF8, sizeof(tern_str)),
    TERN_FIELD(2, offsetof(google_protobuf_Option, value), 0, 0, TERN_MESSAGE, 0, sizeof(google_protobuf_Any *)),
};

static const char *const google_protobuf_Option__names[] = {
    "name",
    "value",
};

static const tern_type *const google_protobuf_Option__subs[] = {
    &google_protobuf_Any_type,
};

const tern_type google_protobuf_Option_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "google.protobuf.Option",
    google_protobuf_Option__fields,
    google_protobuf_Option__names,
    NULL, /* json */
    google_protobuf_Option__subs,
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(google_protobuf_Option),
    0, /* has_offset */
    0, /* n_has */
    2, /* max_number */
    0, /* n_required */
    offsetof(google_protobuf_Option, unknown),
};

