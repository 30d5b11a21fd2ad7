/* Made by protoc-gen-tern from google/protobuf/compiler/plugin.proto; changes here are lost. */
#include "google/protobuf/compiler/plugin.tern.h"

#include <stddef.h>

TERN_TABLES_1(google_protobuf_compiler_Version);

static const tern_enum_value google_protobuf_compiler_CodeGeneratorResponse_Feature__values[] = {
    {0, "FEATURE_NONE"},
    {1, "FEATURE_PROTO3_OPTIONAL"},
};

const tern_enum google_protobuf_compiler_CodeGeneratorResponse_Feature_enum = {
    "google.protobuf.compiler.CodeGeneratorResponse.Feature",
    google_protobuf_compiler_CodeGeneratorResponse_Feature__values,
    2,
    true, /* closed */
};

static const tern_field google_protobuf_compiler_Version__fields[] = {
    TERN_FIELD(1, offsetof(google_protobuf_compiler_Version, major), 0, 0, TERN_INT32, TERN_FIELD_HAS, sizeof(int32_t)),
    TERN_FIELD(2, offsetof(google_protobuf_compiler_Version, minor), 0, 1, TERN_INT32, TERN_FIELD_HAS, sizeof(int32_t)),
    TERN_FIELD(3, offsetof(google_protobuf_compiler_Version, patch), 0, 2, TERN_INT32, TERN_FIELD_HAS, sizeof(int32_t)),
    TERN_FIELD(4, offsetof(google_protobuf_compiler_Version, suffix), 0, 3, TERN_STRING, TERN_FIELD_HAS, sizeof(tern_str)),
};

static const char *const google_protobuf_compiler_Version__names[] = {
    "major",
    "minor",
    "patch",
    "suffix",
};

const tern_type google_protobuf_compiler_Version_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "google.protobuf.compiler.Version",
    google_protobuf_compiler_Version__fields,
    google_protobuf_compiler_Version__names,
    NULL, /* json */
    NULL, /* subs */
    NULL, /* enums */
    4, /* n_fields */
    4, /* n_dense */
    sizeof(google_protobuf_compiler_Version),
    offsetof(google_protobuf_compiler_Version, has),
    4, /* n_has */
    4, /* max_number */
    0, /* n_required */
    offsetof(google_protobuf_compiler_Version, unknown),
};

static const tern_field google_protobuf_compiler_CodeGeneratorRequest__fields[] = {
    TERN_FIELD(1, offsetof(google_protobuf_compiler_CodeGeneratorRequest, file_to_generate), 0, 0, TERN_STRING, TERN_FIELD_REPEATED, sizeof(tern_str)),
    TERN_FIELD(2, offsetof(google_protobuf_compiler_CodeGeneratorRequest, parameter), 0, 0, TERN_STRING, TERN_FIELD_HAS, sizeof(tern_str)),
    TERN_FIELD(3, offsetof(google_protobuf_compiler_CodeGeneratorRequest, compiler_version), 0, 0, TERN_MESSAGE, 0, sizeof(google_protobuf_compiler_Version *)),
    TERN_FIELD(15, offsetof(google_protobuf_compiler_CodeGeneratorRequest, proto_file), 1, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(google_protobuf_FileDescriptorProto)),
};

static const char *const google_protobuf_compiler_CodeGeneratorRequest__names[] = {
    "file_to_generate",
    "parameter",
    "compiler_version",
    "proto_file",
};

static const tern_type *const google_protobuf_compiler_CodeGeneratorRequest__subs[] = {
    &google_protobuf_compiler_Version_type,
    &google_protobuf_FileDescriptorProto_type,
};

const tern_type google_protobuf_compiler_CodeGeneratorRequest_type = {
    TERN_TYPE_VERSION,
    TERN_TYPE_REQUIRED,
    "google.protobuf.compiler.CodeGeneratorRequest",
    google_protobuf_compiler_CodeGeneratorRequest__fields,
    google_protobuf_compiler_CodeGeneratorRequest__names,
    NULL, /* json */
    google_protobuf_compiler_CodeGeneratorRequest__subs,
    NULL, /* enums */
    4, /* n_fields */
    3, /* n_dense */
    sizeof(google_protobuf_compiler_CodeGeneratorRequest),
    offsetof(google_protobuf_compiler_CodeGeneratorRequest, has),
    1, /* n_has */
    15, /* max_number */
    0, /* n_required */
    offsetof(google_protobuf_compiler_CodeGeneratorRequest, unknown),
};

static const tern_field google_protobuf_compiler_CodeGeneratorResponse__fields[] = {
    TERN_FIELD(1, offsetof(google_protobuf_compiler_CodeGeneratorResponse, error), 0, 0, TERN_STRING, TERN_FIELD_HAS, sizeof(tern_str)),
    TERN_FIELD(2, offsetof(google_protobuf_compiler_CodeGeneratorResponse, supported_features), 0, 1, TERN_UINT64, TERN_FIELD_HAS, sizeof(uint64_t)),
    TERN_FIELD(15, offsetof(google_protobuf_compiler_CodeGeneratorResponse, file), 0, 0, TERN_MESSAGE, TERN_FIELD_REPEATED, sizeof(google_protobuf_compiler_CodeGeneratorResponse_File)),
};

static const char *const google_protobuf_compiler_CodeGeneratorResponse__names[] = {
    "error",
    "supported_features",
    "file",
};

static const tern_type *const google_protobuf_compiler_CodeGeneratorResponse__subs[] = {
    &google_protobuf_compiler_CodeGeneratorResponse_File_type,
};

const tern_type google_protobuf_compiler_CodeGeneratorResponse_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "google.protobuf.compiler.CodeGeneratorResponse",
    google_protobuf_compiler_CodeGeneratorResponse__fields,
    google_protobuf_compiler_CodeGeneratorResponse__names,
    NULL, /* json */
    google_protobuf_compiler_CodeGeneratorResponse__subs,
    NULL, /* enums */
    3, /* n_fields */
    2, /* n_dense */
    sizeof(google_protobuf_compiler_CodeGeneratorResponse),
    offsetof(google_protobuf_compiler_CodeGeneratorResponse, has),
    2, /* n_has */
    15, /* max_number */
    0, /* n_required */
    offsetof(google_protobuf_compiler_CodeGeneratorResponse, unknown),
};

static const tern_field google_protobuf_compiler_CodeGeneratorResponse_File__fields[] = {
    TERN_FIELD(1, offsetof(google_protobuf_compiler_CodeGeneratorResponse_File, name), 0, 0, TERN_STRING, TERN_FIELD_HAS, sizeof(tern_str)),
    TERN_FIELD(2, offsetof(google_protobuf_compiler_CodeGeneratorResponse_File, insertion_point), 0, 1, TERN_STRING, TERN_FIELD_HAS, sizeof(tern_str)),
    TERN_FIELD(15, offsetof(google_protobuf_compiler_CodeGeneratorResponse_File, content), 0, 2, TERN_STRING, TERN_FIELD_HAS, sizeof(tern_str)),
    TERN_FIELD(16, offsetof(google_protobuf_compiler_CodeGeneratorResponse_File, generated_code_info), 0, 0, TERN_MESSAGE, 0, sizeof(google_protobuf_GeneratedCodeInfo *)),
};

static const char *const google_protobuf_compiler_CodeGeneratorResponse_File__names[] = {
    "name",
    "insertion_point",
    "content",
    "generated_code_info",
};

static const tern_type *const google_protobuf_compiler_CodeGeneratorResponse_File__subs[] = {
    &google_protobuf_GeneratedCodeInfo_type,
};

const tern_type google_protobuf_compiler_CodeGeneratorResponse_File_type = {
    TERN_TYPE_VERSION,
    0, /* flags */
    "google.protobuf.compiler.CodeGeneratorResponse.File",
    google_protobuf_compiler_CodeGeneratorResponse_File__fields,
    google_protobuf_compiler_CodeGeneratorResponse_File__names,
    NULL, /* json */
    google_protobuf_compiler_CodeGeneratorResponse_File__subs,
    NULL, /* enums */
    4, /* n_fields */
    2, /* n_dense */
    sizeof(google_protobuf_compiler_CodeGeneratorResponse_File),
    offsetof(google_protobuf_compiler_CodeGeneratorResponse_File, has),
    3, /* n_has */
    16, /* max_number */
    0, /* n_required */
    offsetof(google_protobuf_compiler_CodeGeneratorResponse_File, unknown),
};

