/* Made by protoc-gen-tern from google/protobuf/descriptor.proto; changes here are lost. */
#include "google/protobuf/descriptor.tern.h"

#include <stddef.h>

TERN_TABLES_1(google_protobuf_FileDescriptorSet);

static const tern_enum_value google_protobuf_FieldDescriptorProto_Type__values[] = {
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

const tern_enum google_protobuf_FieldDescriptorProto_Type_enum = {
    "google.protobuf.FieldDescriptorProto.Type",
    google_protobuf_FieldDescriptorProto_Type__values,
    18,
    true, /* closed */
};

static const tern_enum_value google_protobuf_FieldDescriptorProto_Label__values[] = {
    {1, "LABEL_OPTIONAL"},
    {2, "LABEL_REQUIRED"},
    {3, "LABEL_REPEATED"},
};

const tern_enum google_protobuf_FieldDescriptorProto_Label_enum = {
    "google.protobuf.FieldDescriptorProto.Label",
    google_protobuf_FieldDescriptorProto_Label__values,
    3,
    true, /* closed */
};

static const tern_enum_value google_protobuf_FileOptions_OptimizeMode__values[] = {
    {1, "SPEED"},
    {2, "CODE_SIZE"},
    {3, "LITE_RUNTIME"},
};

const tern_enum google_protobuf_FileOptions_OptimizeMode_enum = {
    "google.protobuf.FileOptions.OptimizeMode",
    google_protobuf_FileOptions_OptimizeMode__values,
    3,
    true, /* closed */
};

static const tern_enum_value google_protobuf_FieldOptions_CType__values[] = {
    {0, "STRING"},
    {1, "CORD"},
    {2, "STRING_PIECE"},
};

const tern_enum google_protobuf_FieldOptions_CType_enum = {
    "google.protobuf.FieldOptions.CType",
    google_protobuf_FieldOptions_CType__values,
    3,
    true, /* closed */
};

static const tern_enum_value google_protobuf_FieldOptions_JSType__values[] = {
    {0, "JS_NORMAL"},
    {1, "JS_STRING"},
    {2, "JS_NUMBER"},
};

const tern_enum google_protobuf_FieldOptions_JSType_enum = {
    "google.protobuf.FieldOptions.JSType",
    google_protobuf_FieldOptions_JSType__values,
    3,
    true, /* closed */
};

static const tern_enum_value google_protobuf_MethodOptions_IdempotencyLevel__values[] = {
    {0, "IDEMPOTENCY_UNKNOWN"},
    {1, "NO_SIDE_EFFECTS"},
    {2, "IDEMPOTENT"},
};

const tern_enum google_protobuf_MethodOptions_IdempotencyLevel_enum = {
    "google.protobuf.MethodOptions.IdempotencyLevel",
    google_protobuf_MethodOptions_IdempotencyLevel__values,
    3,
    true, /* closed */
};

static const tern_field google_protobuf_FileDescriptorSet__fields[] = {
    TERN_FIELD(1, offsetof(google_protobuf_FileDescriptorSet, file), 0, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(google_protobuf_FileDescriptorProto)),
};

static const char *const google_protobuf_FileDescriptorSet__names[] = {
    "file",
};

static const tern_type *const google_protobuf_FileDescriptorSet__subs[] = {
    &google_protobuf_FileDescriptorProto_type,
};

const tern_type google_protobuf_FileDescriptorSet_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_REQUIRED,
    "google.protobuf.FileDescriptorSet",
    google_protobuf_FileDescriptorSet__fields,
    google_protobuf_FileDescriptorSet__names,
    NULL, /* json */
    google_protobuf_FileDescriptorSet__subs,
    NULL, /* enums */
    1, /* n_fields */
    1, /* n_dense */
    sizeof(google_protobuf_FileDescriptorSet),
    0, /* has_offset */
    0, /* n_has */
    1, /* max_number */
    0, /* n_required */
    offsetof(google_protobuf_FileDescriptorSet, unknown),
};

static const tern_field google_protobuf_FileDescriptorProto__fields[] = {
    TERN_FIELD(1, offsetof(google_protobuf_FileDescriptorProto, name), 0, 0, TERN_STRING, TERN_FIELD_HAS, sizeof(tern_str)),
    TERN_FIELD(2, offsetof(google_protobuf_FileDescriptorProto, package), 0, 1, TERN_STRING, TERN_FIELD_HAS, sizeof(tern_str)),
    TERN_FIELD(3, offsetof(google_protobuf_FileDescriptorProto, dependency), 0, 0, TERN_STRING, TERN_FIELD_REPEATED, sizeof(tern_str)),
    TERN_FIELD(4, offsetof(google_protobuf_FileDescriptorProto, message_type), 0, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(google_protobuf_DescriptorProto)),
    TERN_FIELD(5, offsetof(google_protobuf_FileDescriptorProto, enum_type), 1, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(google_protobuf_EnumDescriptorProto)),
    TERN_FIELD(6, offsetof(google_protobuf_FileDescriptorProto, service), 2, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(google_protobuf_ServiceDescriptorProto)),
    TERN_FIELD(7, offsetof(google_protobuf_FileDescriptorProto, extension), 3, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(google_protobuf_FieldDescriptorProto)),
    TERN_FIELD(8, offsetof(google_protobuf_FileDescriptorProto, options), 4, 0, TERN_MESSAGE, 0, sizeof(google_protobuf_FileOptions *)),
    TERN_FIELD(9, offsetof(google_protobuf_FileDescriptorProto, source_code_info), 5, 0, TERN_MESSAGE, 0, sizeof(google_protobuf_SourceCodeInfo *)),
    TERN_FIELD(10, offsetof(google_protobuf_FileDescriptorProto, public_dependency), 0, 0, TERN_INT32, TERN_FIELD_REPEATED, sizeof(int32_t)),
    TERN_FIELD(11, offsetof(google_protobuf_FileDescriptorProto, weak_dependency), 0, 0, TERN_INT32, TERN_FIELD_REPEATED, sizeof(int32_t)),
    TERN_FIELD(12, offsetof(google_protobuf_FileDescriptorProto, syntax), 0, 2, TERN_STRING, TERN_FIELD_HAS, sizeof(tern_str)),
};

static const char *const google_protobuf_FileDescriptorProto__names[] = {
    "name",
    "package",
    "dependency",
    "message_type",
    "enum_type",
    "service",
    "extension",
    "options",
    "source_code_info",
    "public_dependency",
    "weak_dependency",
    "syntax",
};

static const tern_type *const google_protobuf_FileDescriptorProto__subs[] = {
    &google_protobuf_DescriptorProto_type,
    &google_protobuf_EnumDescriptorProto_type,
    &google_protobuf_ServiceDescriptorProto_type,
    &google_protobuf_FieldDescriptorProto_type,
    &google_protobuf_FileOptions_type,
    &google_protobuf_SourceCodeInfo_type,
};

const tern_type google_protobuf_FileDescriptorProto_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_REQUIRED,
    "google.protobuf.FileDescriptorProto",
    google_protobuf_FileDescriptorProto__fields,
    google_protobuf_FileDescriptorProto__names,
    NULL, /* json */
    google_protobuf_FileDescriptorProto__subs,
    NULL, /* enums */
    12, /* n_fields */
    12, /* n_dense */
    sizeof(google_protobuf_FileDescriptorProto),
    offsetof(google_protobuf_FileDescriptorProto, has),
    3, /* n_has */
    12, /* max_number */
    0, /* n_required */
    offsetof(google_protobuf_FileDescriptorProto, unknown),
};

static const tern_field google_protobuf_DescriptorProto__fields[] = {
    TERN_FIELD(1, offsetof(google_protobuf_DescriptorProto, name), 0, 0, TERN_STRING, TERN_FIELD_HAS, sizeof(tern_str)),
    TERN_FIELD(2, offsetof(google_protobuf_DescriptorProto, field), 0, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(google_protobuf_FieldDescriptorProto)),
    TERN_FIELD(3, offsetof(google_protobuf_DescriptorProto, nested_type), 1, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(google_protobuf_DescriptorProto)),
    TERN_FIELD(4, offsetof(google_protobuf_DescriptorProto, enum_type), 2, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(google_protobuf_EnumDescriptorProto)),
    TERN_FIELD(5, offsetof(google_protobuf_DescriptorProto, extension_range), 3, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(google_protobuf_DescriptorProto_ExtensionRange)),
    TERN_FIELD(6, offsetof(google_protobuf_DescriptorProto, extension), 0, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(google_protobuf_FieldDescriptorProto)),
    TERN_FIELD(7, offsetof(google_protobuf_DescriptorProto, options), 4, 0, TERN_MESSAGE, 0, sizeof(google_protobuf_MessageOptions *)),
    TERN_FIELD(8, offsetof(google_protobuf_DescriptorProto, oneof_decl), 5, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(google_protobuf_OneofDescriptorProto)),
    TERN_FIELD(9, offsetof(google_protobuf_DescriptorProto, reserved_range), 6, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(google_protobuf_DescriptorProto_ReservedRange)),
    TERN_FIELD(10, offsetof(google_protobuf_DescriptorProto, reserved_name), 0, 0, TERN_STRING, TERN_FIELD_REPEATED, sizeof(tern_str)),
};

static const char *const google_protobuf_DescriptorProto__names[] = {
    "name",
    "field",
    "nested_type",
    "enum_type",
    "extension_range",
    "extension",
    "options",
    "oneof_decl",
    "reserved_range",
    "reserved_name",
};

static const tern_type *const google_protobuf_DescriptorProto__subs[] = {
    &google_protobuf_FieldDescriptorProto_type,
    &google_protobuf_DescriptorProto_type,
    &google_protobuf_EnumDescriptorProto_type,
    &google_protobuf_DescriptorProto_ExtensionRange_type,
    &google_protobuf_MessageOptions_type,
    &google_protobuf_OneofDescriptorProto_type,
    &google_protobuf_DescriptorProto_ReservedRange_type,
};

const tern_type google_protobuf_DescriptorProto_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_REQUIRED,
    "google.protobuf.DescriptorProto",
    google_protobuf_DescriptorProto__fields,
    google_protobuf_DescriptorProto__names,
    NULL, /* json */
    google_protobuf_DescriptorProto__subs,
    NULL, /* enums */
    10, /* n_fields */
    10, /* n_dense */
    sizeof(google_protobuf_DescriptorProto),
    offsetof(google_protobuf_DescriptorProto, has),
    1, /* n_has */
    10, /* max_number */
    0, /* n_required */
    offsetof(google_protobuf_DescriptorProto, unknown),
};

static const tern_field google_protobuf_DescriptorProto_ExtensionRange__fields[] = {
    TERN_FIELD(1, offsetof(google_protobuf_DescriptorProto_ExtensionRange, start), 0, 0, TERN_INT32, TERN_FIELD_HAS, sizeof(int32_t)),
    TERN_FIELD(2, offsetof(google_protobuf_DescriptorProto_ExtensionRange, end), 0, 1, TERN_INT32, TERN_FIELD_HAS, sizeof(int32_t)),
    TERN_FIELD(3, offsetof(google_protobuf_DescriptorProto_ExtensionRange, options), 0, 0, TERN_MESSAGE, 0, sizeof(google_protobuf_ExtensionRangeOptions *)),
};

static const char *const google_protobuf_DescriptorProto_ExtensionRange__names[] = {
    "start",
    "end",
    "options",
};

static const tern_type *const google_protobuf_DescriptorProto_ExtensionRange__subs[] = {
    &google_protobuf_ExtensionRangeOptions_type,
};

const tern_type google_protobuf_DescriptorProto_ExtensionRange_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_REQUIRED,
    "google.protobuf.DescriptorProto.ExtensionRange",
    google_protobuf_DescriptorProto_ExtensionRange__fields,
    google_protobuf_DescriptorProto_ExtensionRange__names,
    NULL, /* json */
    google_protobuf_DescriptorProto_ExtensionRange__subs,
    NULL, /* enums */
    3, /* n_fields */
    3, /* n_dense */
    sizeof(google_protobuf_DescriptorProto_ExtensionRange),
    offsetof(google_protobuf_DescriptorProto_ExtensionRange, has),
    2, /* n_has */
    3, /* max_number */
    0, /* n_required */
    offsetof(google_protobuf_DescriptorProto_ExtensionRange, unknown),
};

static const tern_field google_protobuf_DescriptorProto_ReservedRange__fields[] = {
    TERN_FIELD(1, offsetof(google_protobuf_DescriptorProto_ReservedRange, start), 0, 0, TERN_INT32, TERN_FIELD_HAS, sizeof(int32_t)),
    TERN_FIELD(2, offsetof(google_protobuf_DescriptorProto_ReservedRange, end), 0, 1, TERN_INT32, TERN_FIELD_HAS, sizeof(int32_t)),
};

static const char *const google_protobuf_DescriptorProto_ReservedRange__names[] = {
    "start",
    "end",
};

const tern_type google_protobuf_DescriptorProto_ReservedRange_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "google.protobuf.DescriptorProto.ReservedRange",
    google_protobuf_DescriptorProto_ReservedRange__fields,
    google_protobuf_DescriptorProto_ReservedRange__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(google_protobuf_DescriptorProto_ReservedRange),
    offsetof(google_protobuf_DescriptorProto_ReservedRange, has),
    2, /* n_has */
    2, /* max_number */
    0, /* n_required */
    offsetof(google_protobuf_DescriptorProto_ReservedRange, unknown),
};

static const tern_field google_protobuf_ExtensionRangeOptions__fields[] = {
    TERN_FIELD(999, offsetof(google_protobuf_ExtensionRangeOptions, uninterpreted_option), 0, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(google_protobuf_UninterpretedOption)),
};

static const char *const google_protobuf_ExtensionRangeOptions__names[] = {
    "uninterpreted_option",
};

static const tern_type *const google_protobuf_ExtensionRangeOptions__subs[] = {
    &google_protobuf_UninterpretedOption_type,
};

const tern_type google_protobuf_ExtensionRangeOptions_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_REQUIRED,
    "google.protobuf.ExtensionRangeOptions",
    google_protobuf_ExtensionRangeOptions__fields,
    google_protobuf_ExtensionRangeOptions__names,
    NULL, /* json */
    google_protobuf_ExtensionRangeOptions__subs,
    NULL, /* enums */
    1, /* n_fields */
    0, /* n_dense */
    sizeof(google_protobuf_ExtensionRangeOptions),
    0, /* has_offset */
    0, /* n_has */
    999, /* max_number */
    0, /* n_required */
    offsetof(google_protobuf_ExtensionRangeOptions, unknown),
};

static const tern_field google_protobuf_FieldDescriptorProto__fields[] = {
    TERN_FIELD(1, offsetof(google_protobuf_FieldDescriptorProto, name), 0, 0, TERN_STRING, TERN_FIELD_HAS, sizeof(tern_str)),
    TERN_FIELD(2, offsetof(google_protobuf_FieldDescriptorProto, extendee), 0, 5, TERN_STRING, TERN_FIELD_HAS, sizeof(tern_str)),
    TERN_FIELD(3, offsetof(google_protobuf_FieldDescriptorProto, number), 0, 1, TERN_INT32, TERN_FIELD_HAS, sizeof(int32_t)),
    TERN_FIELD(4, offsetof(google_protobuf_FieldDescriptorProto, label), 0, 2, TERN_ENUM, TERN_FIELD_HAS | TERN_FIELD_CLOSED, sizeof(int32_t)),
    TERN_FIELD(5, offsetof(google_protobuf_FieldDescriptorProto, type), 1, 3, TERN_ENUM, TERN_FIELD_HAS | TERN_FIELD_CLOSED, sizeof(int32_t)),
    TERN_FIELD(6, offsetof(google_protobuf_FieldDescriptorProto, type_name), 0, 4, TERN_STRING, TERN_FIELD_HAS, sizeof(tern_str)),
    TERN_FIELD(7, offsetof(google_protobuf_FieldDescriptorProto, default_value), 0, 6, TERN_STRING, TERN_FIELD_HAS, sizeof(tern_str)),
    TERN_FIELD(8, offsetof(google_protobuf_FieldDescriptorProto, options), 0, 0, TERN_MESSAGE, 0, sizeof(google_protobuf_FieldOptions *)),
    TERN_FIELD(9, offsetof(google_protobuf_FieldDescriptorProto, oneof_index), 0, 7, TERN_INT32, TERN_FIELD_HAS, sizeof(int32_t)),
    TERN_FIELD(10, offsetof(google_protobuf_FieldDescriptorProto, json_name), 0, 8, TERN_STRING, TERN_FIELD_HAS, sizeof(tern_str)),
    TERN_FIELD(17, offsetof(google_protobuf_FieldDescriptorProto, proto3_optional), 0, 9, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
};

static const char *const google_protobuf_FieldDescriptorProto__names[] = {
    "name",
    "extendee",
    "number",
    "label",
    "type",
    "type_name",
    "default_value",
    "options",
    "oneof_index",
    "json_name",
    "proto3_optional",
};

static const tern_type *const google_protobuf_FieldDescriptorProto__subs[] = {
    &google_protobuf_FieldOptions_type,
};

static const tern_enum *const google_protobuf_FieldDescriptorProto__enums[] = {
    &google_protobuf_FieldDescriptorProto_Label_enum,
    &google_protobuf_FieldDescriptorProto_Type_enum,
};

const tern_type google_protobuf_FieldDescriptorProto_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_REQUIRED,
    "google.protobuf.FieldDescriptorProto",
    google_protobuf_FieldDescriptorProto__fields,
    google_protobuf_FieldDescriptorProto__names,
    NULL, /* json */
    google_protobuf_FieldDescriptorProto__subs,
    google_protobuf_FieldDescriptorProto__enums,
    11, /* n_fields */
    10, /* n_dense */
    sizeof(google_protobuf_FieldDescriptorProto),
    offsetof(google_protobuf_FieldDescriptorProto, has),
    10, /* n_has */
    17, /* max_number */
    0, /* n_required */
    offsetof(google_protobuf_FieldDescriptorProto, unknown),
};

static const tern_field google_protobuf_OneofDescriptorProto__fields[] = {
    TERN_FIELD(1, offsetof(google_protobuf_OneofDescriptorProto, name), 0, 0, TERN_STRING, TERN_FIELD_HAS, sizeof(tern_str)),
    TERN_FIELD(2, offsetof(google_protobuf_OneofDescriptorProto, options), 0, 0, TERN_MESSAGE, 0, sizeof(google_protobuf_OneofOptions *)),
};

static const char *const google_protobuf_OneofDescriptorProto__names[] = {
    "name",
    "options",
};

static const tern_type *const google_protobuf_OneofDescriptorProto__subs[] = {
    &google_protobuf_OneofOptions_type,
};

const tern_type google_protobuf_OneofDescriptorProto_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_REQUIRED,
    "google.protobuf.OneofDescriptorProto",
    google_protobuf_OneofDescriptorProto__fields,
    google_protobuf_OneofDescriptorProto__names,
    NULL, /* json */
    google_protobuf_OneofDescriptorProto__subs,
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(google_protobuf_OneofDescriptorProto),
    offsetof(google_protobuf_OneofDescriptorProto, has),
    1, /* n_has */
    2, /* max_number */
    0, /* n_required */
    offsetof(google_protobuf_OneofDescriptorProto, unknown),
};

static const tern_field google_protobuf_EnumDescriptorProto__fields[] = {
    TERN_FIELD(1, offsetof(google_protobuf_EnumDescriptorProto, name), 0, 0, TERN_STRING, TERN_FIELD_HAS, sizeof(tern_str)),
    TERN_FIELD(2, offsetof(google_protobuf_EnumDescriptorProto, value), 0, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(google_protobuf_EnumValueDescriptorProto)),
    TERN_FIELD(3, offsetof(google_protobuf_EnumDescriptorProto, options), 1, 0, TERN_MESSAGE, 0, sizeof(google_protobuf_EnumOptions *)),
    TERN_FIELD(4, offsetof(google_protobuf_EnumDescriptorProto, reserved_range), 2, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(google_protobuf_EnumDescriptorProto_EnumReservedRange)),
    TERN_FIELD(5, offsetof(google_protobuf_EnumDescriptorProto, reserved_name), 0, 0, TERN_STRING, TERN_FIELD_REPEATED, sizeof(tern_str)),
};

static const char *const google_protobuf_EnumDescriptorProto__names[] = {
    "name",
    "value",
    "options",
    "reserved_range",
    "reserved_name",
};

static const tern_type *const google_protobuf_EnumDescriptorProto__subs[] = {
    &google_protobuf_EnumValueDescriptorProto_type,
    &google_protobuf_EnumOptions_type,
    &google_protobuf_EnumDescriptorProto_EnumReservedRange_type,
};

const tern_type google_protobuf_EnumDescriptorProto_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_REQUIRED,
    "google.protobuf.EnumDescriptorProto",
    google_protobuf_EnumDescriptorProto__fields,
    google_protobuf_EnumDescriptorProto__names,
    NULL, /* json */
    google_protobuf_EnumDescriptorProto__subs,
    NULL, /* enums */
    5, /* n_fields */
    5, /* n_dense */
    sizeof(google_protobuf_EnumDescriptorProto),
    offsetof(google_protobuf_EnumDescriptorProto, has),
    1, /* n_has */
    5, /* max_number */
    0, /* n_required */
    offsetof(google_protobuf_EnumDescriptorProto, unknown),
};

static const tern_field google_protobuf_EnumDescriptorProto_EnumReservedRange__fields[] = {
    TERN_FIELD(1, offsetof(google_protobuf_EnumDescriptorProto_EnumReservedRange, start), 0, 0, TERN_INT32, TERN_FIELD_HAS, sizeof(int32_t)),
    TERN_FIELD(2, offsetof(google_protobuf_EnumDescriptorProto_EnumReservedRange, end), 0, 1, TERN_INT32, TERN_FIELD_HAS, sizeof(int32_t)),
};

static const char *const google_protobuf_EnumDescriptorProto_EnumReservedRange__names[] = {
    "start",
    "end",
};

const tern_type google_protobuf_EnumDescriptorProto_EnumReservedRange_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "google.protobuf.EnumDescriptorProto.EnumReservedRange",
    google_protobuf_EnumDescriptorProto_EnumReservedRange__fields,
    google_protobuf_EnumDescriptorProto_EnumReservedRange__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(google_protobuf_EnumDescriptorProto_EnumReservedRange),
    offsetof(google_protobuf_EnumDescriptorProto_EnumReservedRange, has),
    2, /* n_has */
    2, /* max_number */
    0, /* n_required */
    offsetof(google_protobuf_EnumDescriptorProto_EnumReservedRange, unknown),
};

static const tern_field google_protobuf_EnumValueDescriptorProto__fields[] = {
    TERN_FIELD(1, offsetof(google_protobuf_EnumValueDescriptorProto, name), 0, 0, TERN_STRING, TERN_FIELD_HAS, sizeof(tern_str)),
    TERN_FIELD(2, offsetof(google_protobuf_EnumValueDescriptorProto, number), 0, 1, TERN_INT32, TERN_FIELD_HAS, sizeof(int32_t)),
    TERN_FIELD(3, offsetof(google_protobuf_EnumValueDescriptorProto, options), 0, 0, TERN_MESSAGE, 0, sizeof(google_protobuf_EnumValueOptions *)),
};

static const char *const google_protobuf_EnumValueDescriptorProto__names[] = {
    "name",
    "number",
    "options",
};

static const tern_type *const google_protobuf_EnumValueDescriptorProto__subs[] = {
    &google_protobuf_EnumValueOptions_type,
};

const tern_type google_protobuf_EnumValueDescriptorProto_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_REQUIRED,
    "google.protobuf.EnumValueDescriptorProto",
    google_protobuf_EnumValueDescriptorProto__fields,
    google_protobuf_EnumValueDescriptorProto__names,
    NULL, /* json */
    google_protobuf_EnumValueDescriptorProto__subs,
    NULL, /* enums */
    3, /* n_fields */
    3, /* n_dense */
    sizeof(google_protobuf_EnumValueDescriptorProto),
    offsetof(google_protobuf_EnumValueDescriptorProto, has),
    2, /* n_has */
    3, /* max_number */
    0, /* n_required */
    offsetof(google_protobuf_EnumValueDescriptorProto, unknown),
};

static const tern_field google_protobuf_ServiceDescriptorProto__fields[] = {
    TERN_FIELD(1, offsetof(google_protobuf_ServiceDescriptorProto, name), 0, 0, TERN_STRING, TERN_FIELD_HAS, sizeof(tern_str)),
    TERN_FIELD(2, offsetof(google_protobuf_ServiceDescriptorProto, method), 0, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(google_protobuf_MethodDescriptorProto)),
    TERN_FIELD(3, offsetof(google_protobuf_ServiceDescriptorProto, options), 1, 0, TERN_MESSAGE, 0, sizeof(google_protobuf_ServiceOptions *)),
};

static const char *const google_protobuf_ServiceDescriptorProto__names[] = {
    "name",
    "method",
    "options",
};

static const tern_type *const google_protobuf_ServiceDescriptorProto__subs[] = {
    &google_protobuf_MethodDescriptorProto_type,
    &google_protobuf_ServiceOptions_type,
};

const tern_type google_protobuf_ServiceDescriptorProto_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_REQUIRED,
    "google.protobuf.ServiceDescriptorProto",
    google_protobuf_ServiceDescriptorProto__fields,
    google_protobuf_ServiceDescriptorProto__names,
    NULL, /* json */
    google_protobuf_ServiceDescriptorProto__subs,
    NULL, /* enums */
    3, /* n_fields */
    3, /* n_dense */
    sizeof(google_protobuf_ServiceDescriptorProto),
    offsetof(google_protobuf_ServiceDescriptorProto, has),
    1, /* n_has */
    3, /* max_number */
    0, /* n_required */
    offsetof(google_protobuf_ServiceDescriptorProto, unknown),
};

static const tern_field google_protobuf_MethodDescriptorProto__fields[] = {
    TERN_FIELD(1, offsetof(google_protobuf_MethodDescriptorProto, name), 0, 0, TERN_STRING, TERN_FIELD_HAS, sizeof(tern_str)),
    TERN_FIELD(2, offsetof(google_protobuf_MethodDescriptorProto, input_type), 0, 1, TERN_STRING, TERN_FIELD_HAS, sizeof(tern_str)),
    TERN_FIELD(3, offsetof(google_protobuf_MethodDescriptorProto, output_type), 0, 2, TERN_STRING, TERN_FIELD_HAS, sizeof(tern_str)),
    TERN_FIELD(4, offsetof(google_protobuf_MethodDescriptorProto, options), 0, 0, TERN_MESSAGE, 0, sizeof(google_protobuf_MethodOptions *)),
    TERN_FIELD(5, offsetof(google_protobuf_MethodDescriptorProto, client_streaming), 0, 3, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(6, offsetof(google_protobuf_MethodDescriptorProto, server_streaming), 0, 4, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
};

static const char *const google_protobuf_MethodDescriptorProto__names[] = {
    "name",
    "input_type",
    "output_type",
    "options",
    "client_streaming",
    "server_streaming",
};

static const tern_type *const google_protobuf_MethodDescriptorProto__subs[] = {
    &google_protobuf_MethodOptions_type,
};

const tern_type google_protobuf_MethodDescriptorProto_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_REQUIRED,
    "google.protobuf.MethodDescriptorProto",
    google_protobuf_MethodDescriptorProto__fields,
    google_protobuf_MethodDescriptorProto__names,
    NULL, /* json */
    google_protobuf_MethodDescriptorProto__subs,
    NULL, /* enums */
    6, /* n_fields */
    6, /* n_dense */
    sizeof(google_protobuf_MethodDescriptorProto),
    offsetof(google_protobuf_MethodDescriptorProto, has),
    5, /* n_has */
    6, /* max_number */
    0, /* n_required */
    offsetof(google_protobuf_MethodDescriptorProto, unknown),
};

static const tern_field google_protobuf_FileOptions__fields[] = {
    TERN_FIELD(1, offsetof(google_protobuf_FileOptions, java_package), 0, 0, TERN_STRING, TERN_FIELD_HAS, sizeof(tern_str)),
    TERN_FIELD(8, offsetof(google_protobuf_FileOptions, java_outer_classname), 0, 1, TERN_STRING, TERN_FIELD_HAS, sizeof(tern_str)),
    TERN_FIELD(9, offsetof(google_protobuf_FileOptions, optimize_for), 0, 5, TERN_ENUM, TERN_FIELD_HAS | TERN_FIELD_CLOSED, sizeof(int32_t)),
    TERN_FIELD(10, offsetof(google_protobuf_FileOptions, java_multiple_files), 0, 2, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(11, offsetof(google_protobuf_FileOptions, go_package), 0, 6, TERN_STRING, TERN_FIELD_HAS, sizeof(tern_str)),
    TERN_FIELD(16, offsetof(google_protobuf_FileOptions, cc_generic_services), 0, 7, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(17, offsetof(google_protobuf_FileOptions, java_generic_services), 0, 8, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(18, offsetof(google_protobuf_FileOptions, py_generic_services), 0, 9, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(20, offsetof(google_protobuf_FileOptions, java_generate_equals_and_hash), 0, 3, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(23, offsetof(google_protobuf_FileOptions, deprecated), 0, 11, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(27, offsetof(google_protobuf_FileOptions, java_string_check_utf8), 0, 4, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(31, offsetof(google_protobuf_FileOptions, cc_enable_arenas), 0, 12, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(36, offsetof(google_protobuf_FileOptions, objc_class_prefix), 0, 13, TERN_STRING, TERN_FIELD_HAS, sizeof(tern_str)),
    TERN_FIELD(37, offsetof(google_protobuf_FileOptions, csharp_namespace), 0, 14, TERN_STRING, TERN_FIELD_HAS, sizeof(tern_str)),
    TERN_FIELD(39, offsetof(google_protobuf_FileOptions, swift_prefix), 0, 15, TERN_STRING, TERN_FIELD_HAS, sizeof(tern_str)),
    TERN_FIELD(40, offsetof(google_protobuf_FileOptions, php_class_prefix), 0, 16, TERN_STRING, TERN_FIELD_HAS, sizeof(tern_str)),
    TERN_FIELD(41, offsetof(google_protobuf_FileOptions, php_namespace), 0, 17, TERN_STRING, TERN_FIELD_HAS, sizeof(tern_str)),
    TERN_FIELD(42, offsetof(google_protobuf_FileOptions, php_generic_services), 0, 10, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(44, offsetof(google_protobuf_FileOptions, php_metadata_namespace), 0, 18, TERN_STRING, TERN_FIELD_HAS, sizeof(tern_str)),
    TERN_FIELD(45, offsetof(google_protobuf_FileOptions, ruby_package), 0, 19, TERN_STRING, TERN_FIELD_HAS, sizeof(tern_str)),
    TERN_FIELD(999, offsetof(google_protobuf_FileOptions, uninterpreted_option), 0, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(google_protobuf_UninterpretedOption)),
};

static const char *const google_protobuf_FileOptions__names[] = {
    "java_package",
    "java_outer_classname",
    "optimize_for",
    "java_multiple_files",
    "go_package",
    "cc_generic_services",
    "java_generic_services",
    "py_generic_services",
    "java_generate_equals_and_hash",
    "deprecated",
    "java_string_check_utf8",
    "cc_enable_arenas",
    "objc_class_prefix",
    "csharp_namespace",
    "swift_prefix",
    "php_class_prefix",
    "php_namespace",
    "php_generic_services",
    "php_metadata_namespace",
    "ruby_package",
    "uninterpreted_option",
};

static const tern_type *const google_protobuf_FileOptions__subs[] = {
    &google_protobuf_UninterpretedOption_type,
};

static const tern_enum *const google_protobuf_FileOptions__enums[] = {
    &google_protobuf_FileOptions_OptimizeMode_enum,
};

const tern_type google_protobuf_FileOptions_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_REQUIRED,
    "google.protobuf.FileOptions",
    google_protobuf_FileOptions__fields,
    google_protobuf_FileOptions__names,
    NULL, /* json */
    google_protobuf_FileOptions__subs,
    google_protobuf_FileOptions__enums,
    21, /* n_fields */
    1, /* n_dense */
    sizeof(google_protobuf_FileOptions),
    offsetof(google_protobuf_FileOptions, has),
    20, /* n_has */
    999, /* max_number */
    0, /* n_required */
    offsetof(google_protobuf_FileOptions, unknown),
};

static const tern_field google_protobuf_MessageOptions__fields[] = {
    TERN_FIELD(1, offsetof(google_protobuf_MessageOptions, message_set_wire_format), 0, 0, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(2, offsetof(google_protobuf_MessageOptions, no_standard_descriptor_accessor), 0, 1, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(3, offsetof(google_protobuf_MessageOptions, deprecated), 0, 2, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(7, offsetof(google_protobuf_MessageOptions, map_entry), 0, 3, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(999, offsetof(google_protobuf_MessageOptions, uninterpreted_option), 0, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(google_protobuf_UninterpretedOption)),
};

static const char *const google_protobuf_MessageOptions__names[] = {
    "message_set_wire_format",
    "no_standard_descriptor_accessor",
    "deprecated",
    "map_entry",
    "uninterpreted_option",
};

static const tern_type *const google_protobuf_MessageOptions__subs[] = {
    &google_protobuf_UninterpretedOption_type,
};

const tern_type google_protobuf_MessageOptions_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_REQUIRED,
    "google.protobuf.MessageOptions",
    google_protobuf_MessageOptions__fields,
    google_protobuf_MessageOptions__names,
    NULL, /* json */
    google_protobuf_MessageOptions__subs,
    NULL, /* enums */
    5, /* n_fields */
    3, /* n_dense */
    sizeof(google_protobuf_MessageOptions),
    offsetof(google_protobuf_MessageOptions, has),
    4, /* n_has */
    999, /* max_number */
    0, /* n_required */
    offsetof(google_protobuf_MessageOptions, unknown),
};

static const tern_field google_protobuf_FieldOptions__fields[] = {
    TERN_FIELD(1, offsetof(google_protobuf_FieldOptions, ctype), 0, 0, TERN_ENUM, TERN_FIELD_HAS | TERN_FIELD_CLOSED, sizeof(int32_t)),
    TERN_FIELD(2, offsetof(google_protobuf_FieldOptions, packed), 0, 1, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(3, offsetof(google_protobuf_FieldOptions, deprecated), 0, 5, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(5, offsetof(google_protobuf_FieldOptions, lazy), 0, 3, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(6, offsetof(google_protobuf_FieldOptions, jstype), 1, 2, TERN_ENUM, TERN_FIELD_HAS | TERN_FIELD_CLOSED, sizeof(int32_t)),
    TERN_FIELD(10, offsetof(google_protobuf_FieldOptions, weak), 0, 6, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(15, offsetof(google_protobuf_FieldOptions, unverified_lazy), 0, 4, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(999, offsetof(google_protobuf_FieldOptions, uninterpreted_option), 0, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(google_protobuf_UninterpretedOption)),
};

static const char *const google_protobuf_FieldOptions__names[] = {
    "ctype",
    "packed",
    "deprecated",
    "lazy",
    "jstype",
    "weak",
    "unverified_lazy",
    "uninterpreted_option",
};

static const tern_type *const google_protobuf_FieldOptions__subs[] = {
    &google_protobuf_UninterpretedOption_type,
};

static const tern_enum *const google_protobuf_FieldOptions__enums[] = {
    &google_protobuf_FieldOptions_CType_enum,
    &google_protobuf_FieldOptions_JSType_enum,
};

const tern_type google_protobuf_FieldOptions_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_REQUIRED,
    "google.protobuf.FieldOptions",
    google_protobuf_FieldOptions__fields,
    google_protobuf_FieldOptions__names,
    NULL, /* json */
    google_protobuf_FieldOptions__subs,
    google_protobuf_FieldOptions__enums,
    8, /* n_fields */
    3, /* n_dense */
    sizeof(google_protobuf_FieldOptions),
    offsetof(google_protobuf_FieldOptions, has),
    7, /* n_has */
    999, /* max_number */
    0, /* n_required */
    offsetof(google_protobuf_FieldOptions, unknown),
};

static const tern_field google_protobuf_OneofOptions__fields[] = {
    TERN_FIELD(999, offsetof(google_protobuf_OneofOptions, uninterpreted_option), 0, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(google_protobuf_UninterpretedOption)),
};

static const char *const google_protobuf_OneofOptions__names[] = {
    "uninterpreted_option",
};

static const tern_type *const google_protobuf_OneofOptions__subs[] = {
    &google_protobuf_UninterpretedOption_type,
};

const tern_type google_protobuf_OneofOptions_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_REQUIRED,
    "google.protobuf.OneofOptions",
    google_protobuf_OneofOptions__fields,
    google_protobuf_OneofOptions__names,
    NULL, /* json */
    google_protobuf_OneofOptions__subs,
    NULL, /* enums */
    1, /* n_fields */
    0, /* n_dense */
    sizeof(google_protobuf_OneofOptions),
    0, /* has_offset */
    0, /* n_has */
    999, /* max_number */
    0, /* n_required */
    offsetof(google_protobuf_OneofOptions, unknown),
};

static const tern_field google_protobuf_EnumOptions__fields[] = {
    TERN_FIELD(2, offsetof(google_protobuf_EnumOptions, allow_alias), 0, 0, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(3, offsetof(google_protobuf_EnumOptions, deprecated), 0, 1, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(999, offsetof(google_protobuf_EnumOptions, uninterpreted_option), 0, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(google_protobuf_UninterpretedOption)),
};

static const char *const google_protobuf_EnumOptions__names[] = {
    "allow_alias",
    "deprecated",
    "uninterpreted_option",
};

static const tern_type *const google_protobuf_EnumOptions__subs[] = {
    &google_protobuf_UninterpretedOption_type,
};

const tern_type google_protobuf_EnumOptions_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_REQUIRED,
    "google.protobuf.EnumOptions",
    google_protobuf_EnumOptions__fields,
    google_protobuf_EnumOptions__names,
    NULL, /* json */
    google_protobuf_EnumOptions__subs,
    NULL, /* enums */
    3, /* n_fields */
    0, /* n_dense */
    sizeof(google_protobuf_EnumOptions),
    offsetof(google_protobuf_EnumOptions, has),
    2, /* n_has */
    999, /* max_number */
    0, /* n_required */
    offsetof(google_protobuf_EnumOptions, unknown),
};

static const tern_field google_protobuf_EnumValueOptions__fields[] = {
    TERN_FIELD(1, offsetof(google_protobuf_EnumValueOptions, deprecated), 0, 0, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(999, offsetof(google_protobuf_EnumValueOptions, uninterpreted_option), 0, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(google_protobuf_UninterpretedOption)),
};

static const char *const google_protobuf_EnumValueOptions__names[] = {
    "deprecated",
    "uninterpreted_option",
};

static const tern_type *const google_protobuf_EnumValueOptions__subs[] = {
    &google_protobuf_UninterpretedOption_type,
};

const tern_type google_protobuf_EnumValueOptions_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_REQUIRED,
    "google.protobuf.EnumValueOptions",
    google_protobuf_EnumValueOptions__fields,
    google_protobuf_EnumValueOptions__names,
    NULL, /* json */
    google_protobuf_EnumValueOptions__subs,
    NULL, /* enums */
    2, /* n_fields */
    1, /* n_dense */
    sizeof(google_protobuf_EnumValueOptions),
    offsetof(google_protobuf_EnumValueOptions, has),
    1, /* n_has */
    999, /* max_number */
    0, /* n_required */
    offsetof(google_protobuf_EnumValueOptions, unknown),
};

static const tern_field google_protobuf_ServiceOptions__fields[] = {
    TERN_FIELD(33, offsetof(google_protobuf_ServiceOptions, deprecated), 0, 0, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(999, offsetof(google_protobuf_ServiceOptions, uninterpreted_option), 0, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(google_protobuf_UninterpretedOption)),
};

static const char *const google_protobuf_ServiceOptions__names[] = {
    "deprecated",
    "uninterpreted_option",
};

static const tern_type *const google_protobuf_ServiceOptions__subs[] = {
    &google_protobuf_UninterpretedOption_type,
};

const tern_type google_protobuf_ServiceOptions_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_REQUIRED,
    "google.protobuf.ServiceOptions",
    google_protobuf_ServiceOptions__fields,
    google_protobuf_ServiceOptions__names,
    NULL, /* json */
    google_protobuf_ServiceOptions__subs,
    NULL, /* enums */
    2, /* n_fields */
    0, /* n_dense */
    sizeof(google_protobuf_ServiceOptions),
    offsetof(google_protobuf_ServiceOptions, has),
    1, /* n_has */
    999, /* max_number */
    0, /* n_required */
    offsetof(google_protobuf_ServiceOptions, unknown),
};

static const tern_field google_protobuf_MethodOptions__fields[] = {
    TERN_FIELD(33, offsetof(google_protobuf_MethodOptions, deprecated), 0, 0, TERN_BOOL, TERN_FIELD_HAS, sizeof(bool)),
    TERN_FIELD(34, offsetof(google_protobuf_MethodOptions, idempotency_level), 0, 1, TERN_ENUM, TERN_FIELD_HAS | TERN_FIELD_CLOSED, sizeof(int32_t)),
    TERN_FIELD(999, offsetof(google_protobuf_MethodOptions, uninterpreted_option), 0, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(google_protobuf_UninterpretedOption)),
};

static const char *const google_protobuf_MethodOptions__names[] = {
    "deprecated",
    "idempotency_level",
    "uninterpreted_option",
};

static const tern_type *const google_protobuf_MethodOptions__subs[] = {
    &google_protobuf_UninterpretedOption_type,
};

static const tern_enum *const google_protobuf_MethodOptions__enums[] = {
    &google_protobuf_MethodOptions_IdempotencyLevel_enum,
};

const tern_type google_protobuf_MethodOptions_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_REQUIRED,
    "google.protobuf.MethodOptions",
    google_protobuf_MethodOptions__fields,
    google_protobuf_MethodOptions__names,
    NULL, /* json */
    google_protobuf_MethodOptions__subs,
    google_protobuf_MethodOptions__enums,
    3, /* n_fields */
    0, /* n_dense */
    sizeof(google_protobuf_MethodOptions),
    offsetof(google_protobuf_MethodOptions, has),
    2, /* n_has */
    999, /* max_number */
    0, /* n_required */
    offsetof(google_protobuf_MethodOptions, unknown),
};

static const tern_field google_protobuf_UninterpretedOption__fields[] = {
    TERN_FIELD(2, offsetof(google_protobuf_UninterpretedOption, name), 0, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(google_protobuf_UninterpretedOption_NamePart)),
    TERN_FIELD(3, offsetof(google_protobuf_UninterpretedOption, identifier_value), 0, 0, TERN_STRING, TERN_FIELD_HAS, sizeof(tern_str)),
    TERN_FIELD(4, offsetof(google_protobuf_UninterpretedOption, positive_int_value), 0, 1, TERN_UINT64, TERN_FIELD_HAS, sizeof(uint64_t)),
    TERN_FIELD(5, offsetof(google_protobuf_UninterpretedOption, negative_int_value), 0, 2, TERN_INT64, TERN_FIELD_HAS, sizeof(int64_t)),
    TERN_FIELD(6, offsetof(google_protobuf_UninterpretedOption, double_value), 0, 3, TERN_DOUBLE, TERN_FIELD_HAS, sizeof(double)),
    TERN_FIELD(7, offsetof(google_protobuf_UninterpretedOption, string_value), 0, 4, TERN_BYTES, TERN_FIELD_HAS, sizeof(tern_bytes)),
    TERN_FIELD(8, offsetof(google_protobuf_UninterpretedOption, aggregate_value), 0, 5, TERN_STRING, TERN_FIELD_HAS, sizeof(tern_str)),
};

static const char *const google_protobuf_UninterpretedOption__names[] = {
    "name",
    "identifier_value",
    "positive_int_value",
    "negative_int_value",
    "double_value",
    "string_value",
    "aggregate_value",
};

static const tern_type *const google_protobuf_UninterpretedOption__subs[] = {
    &google_protobuf_UninterpretedOption_NamePart_type,
};

const tern_type google_protobuf_UninterpretedOption_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_REQUIRED,
    "google.protobuf.UninterpretedOption",
    google_protobuf_UninterpretedOption__fields,
    google_protobuf_UninterpretedOption__names,
    NULL, /* json */
    google_protobuf_UninterpretedOption__subs,
    NULL, /* enums */
    7, /* n_fields */
    0, /* n_dense */
    sizeof(google_protobuf_UninterpretedOption),
    offsetof(google_protobuf_UninterpretedOption, has),
    6, /* n_has */
    8, /* max_number */
    0, /* n_required */
    offsetof(google_protobuf_UninterpretedOption, unknown),
};

static const tern_field google_protobuf_UninterpretedOption_NamePart__fields[] = {
    TERN_FIELD(1, offsetof(google_protobuf_UninterpretedOption_NamePart, name_part), 0, 0, TERN_STRING, TERN_FIELD_HAS | TERN_FIELD_REQUIRED, sizeof(tern_str)),
    TERN_FIELD(2, offsetof(google_protobuf_UninterpretedOption_NamePart, is_extension), 0, 1, TERN_BOOL, TERN_FIELD_HAS | TERN_FIELD_REQUIRED, sizeof(bool)),
};

static const char *const google_protobuf_UninterpretedOption_NamePart__names[] = {
    "name_part",
    "is_extension",
};

const tern_type google_protobuf_UninterpretedOption_NamePart_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_REQUIRED,
    "google.protobuf.UninterpretedOption.NamePart",
    google_protobuf_UninterpretedOption_NamePart__fields,
    google_protobuf_UninterpretedOption_NamePart__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    2, /* n_fields */
    2, /* n_dense */
    sizeof(google_protobuf_UninterpretedOption_NamePart),
    offsetof(google_protobuf_UninterpretedOption_NamePart, has),
    2, /* n_has */
    2, /* max_number */
    2, /* n_required */
    offsetof(google_protobuf_UninterpretedOption_NamePart, unknown),
};

static const tern_field google_protobuf_SourceCodeInfo__fields[] = {
    TERN_FIELD(1, offsetof(google_protobuf_SourceCodeInfo, location), 0, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(google_protobuf_SourceCodeInfo_Location)),
};

static const char *const google_protobuf_SourceCodeInfo__names[] = {
    "location",
};

static const tern_type *const google_protobuf_SourceCodeInfo__subs[] = {
    &google_protobuf_SourceCodeInfo_Location_type,
};

const tern_type google_protobuf_SourceCodeInfo_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "google.protobuf.SourceCodeInfo",
    google_protobuf_SourceCodeInfo__fields,
    google_protobuf_SourceCodeInfo__names,
    NULL, /* json */
    google_protobuf_SourceCodeInfo__subs,
    NULL, /* enums */
    1, /* n_fields */
    1, /* n_dense */
    sizeof(google_protobuf_SourceCodeInfo),
    0, /* has_offset */
    0, /* n_has */
    1, /* max_number */
    0, /* n_required */
    offsetof(google_protobuf_SourceCodeInfo, unknown),
};

static const tern_field google_protobuf_SourceCodeInfo_Location__fields[] = {
    TERN_FIELD(1, offsetof(google_protobuf_SourceCodeInfo_Location, path), 0, 0, TERN_INT32, TERN_FIELD_REPEATED | TERN_FIELD_PACKED, sizeof(int32_t)),
    TERN_FIELD(2, offsetof(google_protobuf_SourceCodeInfo_Location, span), 0, 0, TERN_INT32, TERN_FIELD_REPEATED | TERN_FIELD_PACKED, sizeof(int32_t)),
    TERN_FIELD(3, offsetof(google_protobuf_SourceCodeInfo_Location, leading_comments), 0, 0, TERN_STRING, TERN_FIELD_HAS, sizeof(tern_str)),
    TERN_FIELD(4, offsetof(google_protobuf_SourceCodeInfo_Location, trailing_comments), 0, 1, TERN_STRING, TERN_FIELD_HAS, sizeof(tern_str)),
    TERN_FIELD(6, offsetof(google_protobuf_SourceCodeInfo_Location, leading_detached_comments), 0, 0, TERN_STRING, TERN_FIELD_REPEATED, sizeof(tern_str)),
};

static const char *const google_protobuf_SourceCodeInfo_Location__names[] = {
    "path",
    "span",
    "leading_comments",
    "trailing_comments",
    "leading_detached_comments",
};

const tern_type google_protobuf_SourceCodeInfo_Location_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "google.protobuf.SourceCodeInfo.Location",
    google_protobuf_SourceCodeInfo_Location__fields,
    google_protobuf_SourceCodeInfo_Location__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    5, /* n_fields */
    4, /* n_dense */
    sizeof(google_protobuf_SourceCodeInfo_Location),
    offsetof(google_protobuf_SourceCodeInfo_Location, has),
    2, /* n_has */
    6, /* max_number */
    0, /* n_required */
    offsetof(google_protobuf_SourceCodeInfo_Location, unknown),
};

static const tern_field google_protobuf_GeneratedCodeInfo__fields[] = {
    TERN_FIELD(1, offsetof(google_protobuf_GeneratedCodeInfo, annotation), 0, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(google_protobuf_GeneratedCodeInfo_Annotation)),
};

static const char *const google_protobuf_GeneratedCodeInfo__names[] = {
    "annotation",
};

static const tern_type *const google_protobuf_GeneratedCodeInfo__subs[] = {
    &google_protobuf_GeneratedCodeInfo_Annotation_type,
};

const tern_type google_protobuf_GeneratedCodeInfo_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "google.protobuf.GeneratedCodeInfo",
    google_protobuf_GeneratedCodeInfo__fields,
    google_protobuf_GeneratedCodeInfo__names,
    NULL, /* json */
    google_protobuf_GeneratedCodeInfo__subs,
    NULL, /* enums */
    1, /* n_fields */
    1, /* n_dense */
    sizeof(google_protobuf_GeneratedCodeInfo),
    0, /* has_offset */
    0, /* n_has */
    1, /* max_number */
    0, /* n_required */
    offsetof(google_protobuf_GeneratedCodeInfo, unknown),
};

static const tern_field google_protobuf_GeneratedCodeInfo_Annotation__fields[] = {
    TERN_FIELD(1, offsetof(google_protobuf_GeneratedCodeInfo_Annotation, path), 0, 0, TERN_INT32, TERN_FIELD_REPEATED | TERN_FIELD_PACKED, sizeof(int32_t)),
    TERN_FIELD(2, offsetof(google_protobuf_GeneratedCodeInfo_Annotation, source_file), 0, 0, TERN_STRING, TERN_FIELD_HAS, sizeof(tern_str)),
    TERN_FIELD(3, offsetof(google_protobuf_GeneratedCodeInfo_Annotation, begin), 0, 1, TERN_INT32, TERN_FIELD_HAS, sizeof(int32_t)),
    TERN_FIELD(4, offsetof(google_protobuf_GeneratedCodeInfo_Annotation, end), 0, 2, TERN_INT32, TERN_FIELD_HAS, sizeof(int32_t)),
};

static const char *const google_protobuf_GeneratedCodeInfo_Annotation__names[] = {
    "path",
    "source_file",
    "begin",
    "end",
};

const tern_type google_protobuf_GeneratedCodeInfo_Annotation_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "google.protobuf.GeneratedCodeInfo.Annotation",
    google_protobuf_GeneratedCodeInfo_Annotation__fields,
    google_protobuf_GeneratedCodeInfo_Annotation__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    4, /* n_fields */
    4, /* n_dense */
    sizeof(google_protobuf_GeneratedCodeInfo_Annotation),
    offsetof(google_protobuf_GeneratedCodeInfo_Annotation, has),
    3, /* n_has */
    4, /* max_number */
    0, /* n_required */
    offsetof(google_protobuf_GeneratedCodeInfo_Annotation, unknown),
};

