/* Made by protoc-gen-tern from google/protobuf/compiler/plugin.proto; changes here are lost. */
#ifndef GOOGLE__PROTOBUF__COMPILER__PLUGIN_TERN_H
#define GOOGLE__PROTOBUF__COMPILER__PLUGIN_TERN_H

#include "tern/codec.h"
#include "google/protobuf/descriptor.tern.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum google_protobuf_compiler_CodeGeneratorResponse_Feature {
    google_protobuf_compiler_CodeGeneratorResponse_Feature_FEATURE_NONE = 0,
    google_protobuf_compiler_CodeGeneratorResponse_Feature_FEATURE_PROTO3_OPTIONAL = 1,
} google_protobuf_compiler_CodeGeneratorResponse_Feature;
extern const tern_enum google_protobuf_compiler_CodeGeneratorResponse_Feature_enum;

typedef struct google_protobuf_compiler_Version google_protobuf_compiler_Version;
TERN__LIST(google_protobuf_compiler_Version_list, google_protobuf_compiler_Version);
extern const tern_type google_protobuf_compiler_Version_type;
typedef struct google_protobuf_compiler_CodeGeneratorRequest google_protobuf_compiler_CodeGeneratorRequest;
TERN__LIST(google_protobuf_compiler_CodeGeneratorRequest_list, google_protobuf_compiler_CodeGeneratorRequest);
extern const tern_type google_protobuf_compiler_CodeGeneratorRequest_type;
typedef struct google_protobuf_compiler_CodeGeneratorResponse google_protobuf_compiler_CodeGeneratorResponse;
TERN__LIST(google_protobuf_compiler_CodeGeneratorResponse_list, google_protobuf_compiler_CodeGeneratorResponse);
extern const tern_type google_protobuf_compiler_CodeGeneratorResponse_type;
typedef struct google_protobuf_compiler_CodeGeneratorResponse_File google_protobuf_compiler_CodeGeneratorResponse_File;
TERN__LIST(google_protobuf_compiler_CodeGeneratorResponse_File_list, google_protobuf_compiler_CodeGeneratorResponse_File);
extern const tern_type google_protobuf_compiler_CodeGeneratorResponse_File_type;

struct google_protobuf_compiler_Version {
    struct {
        uint32_t major : 1;
        uint32_t minor : 1;
        uint32_t patch : 1;
        uint32_t suffix : 1;
    } has;
    int32_t major;
    int32_t minor;
    int32_t patch;
    tern_str suffix;
    tern_unknown unknown;
};

struct google_protobuf_compiler_CodeGeneratorRequest {
    struct {
        uint32_t parameter : 1;
    } has;
    tern_list_str file_to_generate;
    tern_str parameter;
    google_protobuf_FileDescriptorProto_list proto_file;
    google_protobuf_compiler_Version *compiler_version;
    tern_unknown unknown;
};

struct google_protobuf_compiler_CodeGeneratorResponse {
    struct {
        uint32_t error : 1;
        uint32_t supported_features : 1;
    } has;
    tern_str error;
    uint64_t supported_features;
    google_protobuf_compiler_CodeGeneratorResponse_File_list file;
    tern_unknown unknown;
};

struct google_protobuf_compiler_CodeGeneratorResponse_File {
    struct {
        uint32_t name : 1;
        uint32_t insertion_point : 1;
        uint32_t content : 1;
    } has;
    tern_str name;
    tern_str insertion_point;
    tern_str content;
    google_protobuf_GeneratedCodeInfo *generated_code_info;
    tern_unknown unknown;
};

/* ---- google.protobuf.compiler.Version */

static inline int64_t google_protobuf_compiler_Version_size(const google_protobuf_compiler_Version *msg) { return tern_protobuf_size(&google_protobuf_compiler_Version_type, msg); }

static inline int64_t google_protobuf_compiler_Version_encode(const google_protobuf_compiler_Version *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&google_protobuf_compiler_Version_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int google_protobuf_compiler_Version_decode(const void *data, size_t len, tern_arena *arena, int mode, google_protobuf_compiler_Version *msg) {
    return tern_protobuf_decode(&google_protobuf_compiler_Version_type, data, len, arena, mode, NULL, msg);
}

static inline int google_protobuf_compiler_Version_copy(const google_protobuf_compiler_Version *src, tern_arena *arena, google_protobuf_compiler_Version *dst) {
    return tern_message_copy(&google_protobuf_compiler_Version_type, src, arena, dst);
}

static inline bool google_protobuf_compiler_Version_equal(const google_protobuf_compiler_Version *a, const google_protobuf_compiler_Version *b) { return tern_message_equal(&google_protobuf_compiler_Version_type, a, b); }

static inline bool google_protobuf_compiler_Version_has_major(const google_protobuf_compiler_Version *msg) { return msg->has.major; }

static inline void google_protobuf_compiler_Version_set_major(google_protobuf_compiler_Version *msg, int32_t value) {
    msg->major = value;
    msg->has.major = 1;
}

static inline void google_protobuf_compiler_Version_clear_major(google_protobuf_compiler_Version *msg) {
    msg->major = 0;
    msg->has.major = 0;
}

static inline bool google_protobuf_compiler_Version_has_minor(const google_protobuf_compiler_Version *msg) { return msg->has.minor; }

static inline void google_protobuf_compiler_Version_set_minor(google_protobuf_compiler_Version *msg, int32_t value) {
    msg->minor = value;
    msg->has.minor = 1;
}

static inline void google_protobuf_compiler_Version_clear_minor(google_protobuf_compiler_Version *msg) {
    msg->minor = 0;
    msg->has.minor = 0;
}

static inline bool google_protobuf_compiler_Version_has_patch(const google_protobuf_compiler_Version *msg) { return msg->has.patch; }

static inline void google_protobuf_compiler_Version_set_patch(google_protobuf_compiler_Version *msg, int32_t value) {
    msg->patch = value;
    msg->has.patch = 1;
}

static inline void google_protobuf_compiler_Version_clear_patch(google_protobuf_compiler_Version *msg) {
    msg->patch = 0;
    msg->has.patch = 0;
}

static inline bool google_protobuf_compiler_Version_has_suffix(const google_protobuf_compiler_Version *msg) { return msg->has.suffix; }

static inline void google_protobuf_compiler_Version_set_suffix(google_protobuf_compiler_Version *msg, tern_str value) {
    msg->suffix = value;
    msg->has.suffix = 1;
}

static inline void google_protobuf_compiler_Version_clear_suffix(google_protobuf_compiler_Version *msg) {
    msg->suffix.data = NULL;
    msg->suffix.len = 0;
    msg->has.suffix = 0;
}

/* ---- google.protobuf.compiler.CodeGeneratorRequest */

static inline int64_t google_protobuf_compiler_CodeGeneratorRequest_size(const google_protobuf_compiler_CodeGeneratorRequest *msg) { return tern_protobuf_size(&google_protobuf_compiler_CodeGeneratorRequest_type, msg); }

static inline int64_t google_protobuf_compiler_CodeGeneratorRequest_encode(const google_protobuf_compiler_CodeGeneratorRequest *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&google_protobuf_compiler_CodeGeneratorRequest_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int google_protobuf_compiler_CodeGeneratorRequest_decode(const void *data, size_t len, tern_arena *arena, int mode, google_protobuf_compiler_CodeGeneratorRequest *msg) {
    return tern_protobuf_decode(&google_protobuf_compiler_CodeGeneratorRequest_type, data, len, arena, mode, NULL, msg);
}

static inline int google_protobuf_compiler_CodeGeneratorRequest_copy(const google_protobuf_compiler_CodeGeneratorRequest *src, tern_arena *arena, google_protobuf_compiler_CodeGeneratorRequest *dst) {
    return tern_message_copy(&google_protobuf_compiler_CodeGeneratorRequest_type, src, arena, dst);
}

static inline bool google_protobuf_compiler_CodeGeneratorRequest_equal(const google_protobuf_compiler_CodeGeneratorRequest *a, const google_protobuf_compiler_CodeGeneratorRequest *b) { return tern_message_equal(&google_protobuf_compiler_CodeGeneratorRequest_type, a, b); }

static inline int google_protobuf_compiler_CodeGeneratorRequest_reserve_file_to_generate(google_protobuf_compiler_CodeGeneratorRequest *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->file_to_generate, n, sizeof *msg->file_to_generate.data, arena);
}

static inline tern_str *google_protobuf_compiler_CodeGeneratorRequest_add_file_to_generate(google_protobuf_compiler_CodeGeneratorRequest *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->file_to_generate, msg->file_to_generate.len + 1, sizeof *msg->file_to_generate.data, arena)) return NULL;
    return &msg->file_to_generate.data[msg->file_to_generate.len++];
}

static inline bool google_protobuf_compiler_CodeGeneratorRequest_has_parameter(const google_protobuf_compiler_CodeGeneratorRequest *msg) { return msg->has.parameter; }

static inline void google_protobuf_compiler_CodeGeneratorRequest_set_parameter(google_protobuf_compiler_CodeGeneratorRequest *msg, tern_str value) {
    msg->parameter = value;
    msg->has.parameter = 1;
}

static inline void google_protobuf_compiler_CodeGeneratorRequest_clear_parameter(google_protobuf_compiler_CodeGeneratorRequest *msg) {
    msg->parameter.data = NULL;
    msg->parameter.len = 0;
    msg->has.parameter = 0;
}

static inline int google_protobuf_compiler_CodeGeneratorRequest_reserve_proto_file(google_protobuf_compiler_CodeGeneratorRequest *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->proto_file, n, sizeof *msg->proto_file.data, arena);
}

static inline google_protobuf_FileDescriptorProto *google_protobuf_compiler_CodeGeneratorRequest_add_proto_file(google_protobuf_compiler_CodeGeneratorRequest *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->proto_file, msg->proto_file.len + 1, sizeof *msg->proto_file.data, arena)) return NULL;
    return &msg->proto_file.data[msg->proto_file.len++];
}

static inline google_protobuf_compiler_Version *google_protobuf_compiler_CodeGeneratorRequest_make_compiler_version(google_protobuf_compiler_CodeGeneratorRequest *msg, tern_arena *arena) {
    return msg->compiler_version = (google_protobuf_compiler_Version *)tern_arena_zalloc(arena, sizeof *msg->compiler_version);
}

static inline bool google_protobuf_compiler_CodeGeneratorRequest_has_compiler_version(const google_protobuf_compiler_CodeGeneratorRequest *msg) { return msg->compiler_version != NULL; }

static inline void google_protobuf_compiler_CodeGeneratorRequest_clear_compiler_version(google_protobuf_compiler_CodeGeneratorRequest *msg) { msg->compiler_version = NULL; }

/* ---- google.protobuf.compiler.CodeGeneratorResponse */

static inline int64_t google_protobuf_compiler_CodeGeneratorResponse_size(const google_protobuf_compiler_CodeGeneratorResponse *msg) { return tern_protobuf_size(&google_protobuf_compiler_CodeGeneratorResponse_type, msg); }

static inline int64_t google_protobuf_compiler_CodeGeneratorResponse_encode(const google_protobuf_compiler_CodeGeneratorResponse *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&google_protobuf_compiler_CodeGeneratorResponse_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int google_protobuf_compiler_CodeGeneratorResponse_decode(const void *data, size_t len, tern_arena *arena, int mode, google_protobuf_compiler_CodeGeneratorResponse *msg) {
    return tern_protobuf_decode(&google_protobuf_compiler_CodeGeneratorResponse_type, data, len, arena, mode, NULL, msg);
}

static inline int google_protobuf_compiler_CodeGeneratorResponse_copy(const google_protobuf_compiler_CodeGeneratorResponse *src, tern_arena *arena, google_protobuf_compiler_CodeGeneratorResponse *dst) {
    return tern_message_copy(&google_protobuf_compiler_CodeGeneratorResponse_type, src, arena, dst);
}

static inline bool google_protobuf_compiler_CodeGeneratorResponse_equal(const google_protobuf_compiler_CodeGeneratorResponse *a, const google_protobuf_compiler_CodeGeneratorResponse *b) { return tern_message_equal(&google_protobuf_compiler_CodeGeneratorResponse_type, a, b); }

static inline bool google_protobuf_compiler_CodeGeneratorResponse_has_error(const google_protobuf_compiler_CodeGeneratorResponse *msg) { return msg->has.error; }

static inline void google_protobuf_compiler_CodeGeneratorResponse_set_error(google_protobuf_compiler_CodeGeneratorResponse *msg, tern_str value) {
    msg->error = value;
    msg->has.error = 1;
}

static inline void google_protobuf_compiler_CodeGeneratorResponse_clear_error(google_protobuf_compiler_CodeGeneratorResponse *msg) {
    msg->error.data = NULL;
    msg->error.len = 0;
    msg->has.error = 0;
}

static inline bool google_protobuf_compiler_CodeGeneratorResponse_has_supported_features(const google_protobuf_compiler_CodeGeneratorResponse *msg) { return msg->has.supported_features; }

static inline void google_protobuf_compiler_CodeGeneratorResponse_set_supported_features(google_protobuf_compiler_CodeGeneratorResponse *msg, uint64_t value) {
    msg->supported_features = value;
    msg->has.supported_features = 1;
}

static inline void google_protobuf_compiler_CodeGeneratorResponse_clear_supported_features(google_protobuf_compiler_CodeGeneratorResponse *msg) {
    msg->supported_features = 0;
    msg->has.supported_features = 0;
}

static inline int google_protobuf_compiler_CodeGeneratorResponse_reserve_file(google_protobuf_compiler_CodeGeneratorResponse *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->file, n, sizeof *msg->file.data, arena);
}

static inline google_protobuf_compiler_CodeGeneratorResponse_File *google_protobuf_compiler_CodeGeneratorResponse_add_file(google_protobuf_compiler_CodeGeneratorResponse *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->file, msg->file.len + 1, sizeof *msg->file.data, arena)) return NULL;
    return &msg->file.data[msg->file.len++];
}

/* ---- google.protobuf.compiler.CodeGeneratorResponse.File */

static inline int64_t google_protobuf_compiler_CodeGeneratorResponse_File_size(const google_protobuf_compiler_CodeGeneratorResponse_File *msg) { return tern_protobuf_size(&google_protobuf_compiler_CodeGeneratorResponse_File_type, msg); }

static inline int64_t google_protobuf_compiler_CodeGeneratorResponse_File_encode(const google_protobuf_compiler_CodeGeneratorResponse_File *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&google_protobuf_compiler_CodeGeneratorResponse_File_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int google_protobuf_compiler_CodeGeneratorResponse_File_decode(const void *data, size_t len, tern_arena *arena, int mode, google_protobuf_compiler_CodeGeneratorResponse_File *msg) {
    return tern_protobuf_decode(&google_protobuf_compiler_CodeGeneratorResponse_File_type, data, len, arena, mode, NULL, msg);
}

static inline int google_protobuf_compiler_CodeGeneratorResponse_File_copy(const google_protobuf_compiler_CodeGeneratorResponse_File *src, tern_arena *arena, google_protobuf_compiler_CodeGeneratorResponse_File *dst) {
    return tern_message_copy(&google_protobuf_compiler_CodeGeneratorResponse_File_type, src, arena, dst);
}

static inline bool google_protobuf_compiler_CodeGeneratorResponse_File_equal(const google_protobuf_compiler_CodeGeneratorResponse_File *a, const google_protobuf_compiler_CodeGeneratorResponse_File *b) { return tern_message_equal(&google_protobuf_compiler_CodeGeneratorResponse_File_type, a, b); }

static inline bool google_protobuf_compiler_CodeGeneratorResponse_File_has_name(const google_protobuf_compiler_CodeGeneratorResponse_File *msg) { return msg->has.name; }

static inline void google_protobuf_compiler_CodeGeneratorResponse_File_set_name(google_protobuf_compiler_CodeGeneratorResponse_File *msg, tern_str value) {
    msg->name = value;
    msg->has.name = 1;
}

static inline void google_protobuf_compiler_CodeGeneratorResponse_File_clear_name(google_protobuf_compiler_CodeGeneratorResponse_File *msg) {
    msg->name.data = NULL;
    msg->name.len = 0;
    msg->has.name = 0;
}

static inline bool google_protobuf_compiler_CodeGeneratorResponse_File_has_insertion_point(const google_protobuf_compiler_CodeGeneratorResponse_File *msg) { return msg->has.insertion_point; }

static inline void google_protobuf_compiler_CodeGeneratorResponse_File_set_insertion_point(google_protobuf_compiler_CodeGeneratorResponse_File *msg, tern_str value) {
    msg->insertion_point = value;
    msg->has.insertion_point = 1;
}

static inline void google_protobuf_compiler_CodeGeneratorResponse_File_clear_insertion_point(google_protobuf_compiler_CodeGeneratorResponse_File *msg) {
    msg->insertion_point.data = NULL;
    msg->insertion_point.len = 0;
    msg->has.insertion_point = 0;
}

static inline bool google_protobuf_compiler_CodeGeneratorResponse_File_has_content(const google_protobuf_compiler_CodeGeneratorResponse_File *msg) { return msg->has.content; }

static inline void google_protobuf_compiler_CodeGeneratorResponse_File_set_content(google_protobuf_compiler_CodeGeneratorResponse_File *msg, tern_str value) {
    msg->content = value;
    msg->has.content = 1;
}

static inline void google_protobuf_compiler_CodeGeneratorResponse_File_clear_content(google_protobuf_compiler_CodeGeneratorResponse_File *msg) {
    msg->content.data = NULL;
    msg->content.len = 0;
    msg->has.content = 0;
}

static inline google_protobuf_GeneratedCodeInfo *google_protobuf_compiler_CodeGeneratorResponse_File_make_generated_code_info(google_protobuf_compiler_CodeGeneratorResponse_File *msg, tern_arena *arena) {
    return msg->generated_code_info = (google_protobuf_GeneratedCodeInfo *)tern_arena_zalloc(arena, sizeof *msg->generated_code_info);
}

static inline bool google_protobuf_compiler_CodeGeneratorResponse_File_has_generated_code_info(const google_protobuf_compiler_CodeGeneratorResponse_File *msg) { return msg->generated_code_info != NULL; }

static inline void google_protobuf_compiler_CodeGeneratorResponse_File_clear_generated_code_info(google_protobuf_compiler_CodeGeneratorResponse_File *msg) { msg->generated_code_info = NULL; }

#ifdef __cplusplus
}
#endif
#endif
