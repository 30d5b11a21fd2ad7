/* Made by protoc-gen-tern from google/protobuf/descriptor.proto; changes here are lost. */
#ifndef GOOGLE__PROTOBUF__DESCRIPTOR_TERN_H
#define GOOGLE__PROTOBUF__DESCRIPTOR_TERN_H

#include "tern/codec.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum google_protobuf_FieldDescriptorProto_Type {
    google_protobuf_FieldDescriptorProto_Type_TYPE_DOUBLE = 1,
    google_protobuf_FieldDescriptorProto_Type_TYPE_FLOAT = 2,
    google_protobuf_FieldDescriptorProto_Type_TYPE_INT64 = 3,
    google_protobuf_FieldDescriptorProto_Type_TYPE_UINT64 = 4,
    google_protobuf_FieldDescriptorProto_Type_TYPE_INT32 = 5,
    google_protobuf_FieldDescriptorProto_Type_TYPE_FIXED64 = 6,
    google_protobuf_FieldDescriptorProto_Type_TYPE_FIXED32 = 7,
    google_protobuf_FieldDescriptorProto_Type_TYPE_BOOL = 8,
    google_protobuf_FieldDescriptorProto_Type_TYPE_STRING = 9,
    google_protobuf_FieldDescriptorProto_Type_TYPE_GROUP = 10,
    google_protobuf_FieldDescriptorProto_Type_TYPE_MESSAGE = 11,
    google_protobuf_FieldDescriptorProto_Type_TYPE_BYTES = 12,
    google_protobuf_FieldDescriptorProto_Type_TYPE_UINT32 = 13,
    google_protobuf_FieldDescriptorProto_Type_TYPE_ENUM = 14,
    google_protobuf_FieldDescriptorProto_Type_TYPE_SFIXED32 = 15,
    google_protobuf_FieldDescriptorProto_Type_TYPE_SFIXED64 = 16,
    google_protobuf_FieldDescriptorProto_Type_TYPE_SINT32 = 17,
    google_protobuf_FieldDescriptorProto_Type_TYPE_SINT64 = 18,
} google_protobuf_FieldDescriptorProto_Type;
extern const tern_enum google_protobuf_FieldDescriptorProto_Type_enum;

typedef enum google_protobuf_FieldDescriptorProto_Label {
    google_protobuf_FieldDescriptorProto_Label_LABEL_OPTIONAL = 1,
    google_protobuf_FieldDescriptorProto_Label_LABEL_REQUIRED = 2,
    google_protobuf_FieldDescriptorProto_Label_LABEL_REPEATED = 3,
} google_protobuf_FieldDescriptorProto_Label;
extern const tern_enum google_protobuf_FieldDescriptorProto_Label_enum;

typedef enum google_protobuf_FileOptions_OptimizeMode {
    google_protobuf_FileOptions_OptimizeMode_SPEED = 1,
    google_protobuf_FileOptions_OptimizeMode_CODE_SIZE = 2,
    google_protobuf_FileOptions_OptimizeMode_LITE_RUNTIME = 3,
} google_protobuf_FileOptions_OptimizeMode;
extern const tern_enum google_protobuf_FileOptions_OptimizeMode_enum;

typedef enum google_protobuf_FieldOptions_CType {
    google_protobuf_FieldOptions_CType_STRING = 0,
    google_protobuf_FieldOptions_CType_CORD = 1,
    google_protobuf_FieldOptions_CType_STRING_PIECE = 2,
} google_protobuf_FieldOptions_CType;
extern const tern_enum google_protobuf_FieldOptions_CType_enum;

typedef enum google_protobuf_FieldOptions_JSType {
    google_protobuf_FieldOptions_JSType_JS_NORMAL = 0,
    google_protobuf_FieldOptions_JSType_JS_STRING = 1,
    google_protobuf_FieldOptions_JSType_JS_NUMBER = 2,
} google_protobuf_FieldOptions_JSType;
extern const tern_enum google_protobuf_FieldOptions_JSType_enum;

typedef enum google_protobuf_MethodOptions_IdempotencyLevel {
    google_protobuf_MethodOptions_IdempotencyLevel_IDEMPOTENCY_UNKNOWN = 0,
    google_protobuf_MethodOptions_IdempotencyLevel_NO_SIDE_EFFECTS = 1,
    google_protobuf_MethodOptions_IdempotencyLevel_IDEMPOTENT = 2,
} google_protobuf_MethodOptions_IdempotencyLevel;
extern const tern_enum google_protobuf_MethodOptions_IdempotencyLevel_enum;

typedef struct google_protobuf_FileDescriptorSet google_protobuf_FileDescriptorSet;
TERN__LIST(google_protobuf_FileDescriptorSet_list, google_protobuf_FileDescriptorSet);
extern const tern_type google_protobuf_FileDescriptorSet_type;
typedef struct google_protobuf_FileDescriptorProto google_protobuf_FileDescriptorProto;
TERN__LIST(google_protobuf_FileDescriptorProto_list, google_protobuf_FileDescriptorProto);
extern const tern_type google_protobuf_FileDescriptorProto_type;
typedef struct google_protobuf_DescriptorProto google_protobuf_DescriptorProto;
TERN__LIST(google_protobuf_DescriptorProto_list, google_protobuf_DescriptorProto);
extern const tern_type google_protobuf_DescriptorProto_type;
typedef struct google_protobuf_DescriptorProto_ExtensionRange google_protobuf_DescriptorProto_ExtensionRange;
TERN__LIST(google_protobuf_DescriptorProto_ExtensionRange_list, google_protobuf_DescriptorProto_ExtensionRange);
extern const tern_type google_protobuf_DescriptorProto_ExtensionRange_type;
typedef struct google_protobuf_DescriptorProto_ReservedRange google_protobuf_DescriptorProto_ReservedRange;
TERN__LIST(google_protobuf_DescriptorProto_ReservedRange_list, google_protobuf_DescriptorProto_ReservedRange);
extern const tern_type google_protobuf_DescriptorProto_ReservedRange_type;
typedef struct google_protobuf_ExtensionRangeOptions google_protobuf_ExtensionRangeOptions;
TERN__LIST(google_protobuf_ExtensionRangeOptions_list, google_protobuf_ExtensionRangeOptions);
extern const tern_type google_protobuf_ExtensionRangeOptions_type;
typedef struct google_protobuf_FieldDescriptorProto google_protobuf_FieldDescriptorProto;
TERN__LIST(google_protobuf_FieldDescriptorProto_list, google_protobuf_FieldDescriptorProto);
extern const tern_type google_protobuf_FieldDescriptorProto_type;
typedef struct google_protobuf_OneofDescriptorProto google_protobuf_OneofDescriptorProto;
TERN__LIST(google_protobuf_OneofDescriptorProto_list, google_protobuf_OneofDescriptorProto);
extern const tern_type google_protobuf_OneofDescriptorProto_type;
typedef struct google_protobuf_EnumDescriptorProto google_protobuf_EnumDescriptorProto;
TERN__LIST(google_protobuf_EnumDescriptorProto_list, google_protobuf_EnumDescriptorProto);
extern const tern_type google_protobuf_EnumDescriptorProto_type;
typedef struct google_protobuf_EnumDescriptorProto_EnumReservedRange google_protobuf_EnumDescriptorProto_EnumReservedRange;
TERN__LIST(google_protobuf_EnumDescriptorProto_EnumReservedRange_list, google_protobuf_EnumDescriptorProto_EnumReservedRange);
extern const tern_type google_protobuf_EnumDescriptorProto_EnumReservedRange_type;
typedef struct google_protobuf_EnumValueDescriptorProto google_protobuf_EnumValueDescriptorProto;
TERN__LIST(google_protobuf_EnumValueDescriptorProto_list, google_protobuf_EnumValueDescriptorProto);
extern const tern_type google_protobuf_EnumValueDescriptorProto_type;
typedef struct google_protobuf_ServiceDescriptorProto google_protobuf_ServiceDescriptorProto;
TERN__LIST(google_protobuf_ServiceDescriptorProto_list, google_protobuf_ServiceDescriptorProto);
extern const tern_type google_protobuf_ServiceDescriptorProto_type;
typedef struct google_protobuf_MethodDescriptorProto google_protobuf_MethodDescriptorProto;
TERN__LIST(google_protobuf_MethodDescriptorProto_list, google_protobuf_MethodDescriptorProto);
extern const tern_type google_protobuf_MethodDescriptorProto_type;
typedef struct google_protobuf_FileOptions google_protobuf_FileOptions;
TERN__LIST(google_protobuf_FileOptions_list, google_protobuf_FileOptions);
extern const tern_type google_protobuf_FileOptions_type;
typedef struct google_protobuf_MessageOptions google_protobuf_MessageOptions;
TERN__LIST(google_protobuf_MessageOptions_list, google_protobuf_MessageOptions);
extern const tern_type google_protobuf_MessageOptions_type;
typedef struct google_protobuf_FieldOptions google_protobuf_FieldOptions;
TERN__LIST(google_protobuf_FieldOptions_list, google_protobuf_FieldOptions);
extern const tern_type google_protobuf_FieldOptions_type;
typedef struct google_protobuf_OneofOptions google_protobuf_OneofOptions;
TERN__LIST(google_protobuf_OneofOptions_list, google_protobuf_OneofOptions);
extern const tern_type google_protobuf_OneofOptions_type;
typedef struct google_protobuf_EnumOptions google_protobuf_EnumOptions;
TERN__LIST(google_protobuf_EnumOptions_list, google_protobuf_EnumOptions);
extern const tern_type google_protobuf_EnumOptions_type;
typedef struct google_protobuf_EnumValueOptions google_protobuf_EnumValueOptions;
TERN__LIST(google_protobuf_EnumValueOptions_list, google_protobuf_EnumValueOptions);
extern const tern_type google_protobuf_EnumValueOptions_type;
typedef struct google_protobuf_ServiceOptions google_protobuf_ServiceOptions;
TERN__LIST(google_protobuf_ServiceOptions_list, google_protobuf_ServiceOptions);
extern const tern_type google_protobuf_ServiceOptions_type;
typedef struct google_protobuf_MethodOptions google_protobuf_MethodOptions;
TERN__LIST(google_protobuf_MethodOptions_list, google_protobuf_MethodOptions);
extern const tern_type google_protobuf_MethodOptions_type;
typedef struct google_protobuf_UninterpretedOption google_protobuf_UninterpretedOption;
TERN__LIST(google_protobuf_UninterpretedOption_list, google_protobuf_UninterpretedOption);
extern const tern_type google_protobuf_UninterpretedOption_type;
typedef struct google_protobuf_UninterpretedOption_NamePart google_protobuf_UninterpretedOption_NamePart;
TERN__LIST(google_protobuf_UninterpretedOption_NamePart_list, google_protobuf_UninterpretedOption_NamePart);
extern const tern_type google_protobuf_UninterpretedOption_NamePart_type;
typedef struct google_protobuf_SourceCodeInfo google_protobuf_SourceCodeInfo;
TERN__LIST(google_protobuf_SourceCodeInfo_list, google_protobuf_SourceCodeInfo);
extern const tern_type google_protobuf_SourceCodeInfo_type;
typedef struct google_protobuf_SourceCodeInfo_Location google_protobuf_SourceCodeInfo_Location;
TERN__LIST(google_protobuf_SourceCodeInfo_Location_list, google_protobuf_SourceCodeInfo_Location);
extern const tern_type google_protobuf_SourceCodeInfo_Location_type;
typedef struct google_protobuf_GeneratedCodeInfo google_protobuf_GeneratedCodeInfo;
TERN__LIST(google_protobuf_GeneratedCodeInfo_list, google_protobuf_GeneratedCodeInfo);
extern const tern_type google_protobuf_GeneratedCodeInfo_type;
typedef struct google_protobuf_GeneratedCodeInfo_Annotation google_protobuf_GeneratedCodeInfo_Annotation;
TERN__LIST(google_protobuf_GeneratedCodeInfo_Annotation_list, google_protobuf_GeneratedCodeInfo_Annotation);
extern const tern_type google_protobuf_GeneratedCodeInfo_Annotation_type;

struct google_protobuf_FileDescriptorSet {
    google_protobuf_FileDescriptorProto_list file;
    tern_unknown unknown;
};

struct google_protobuf_FileDescriptorProto {
    struct {
        uint32_t name : 1;
        uint32_t package : 1;
        uint32_t syntax : 1;
    } has;
    tern_str name;
    tern_str package;
    tern_list_str dependency;
    tern_list_i32 public_dependency;
    tern_list_i32 weak_dependency;
    google_protobuf_DescriptorProto_list message_type;
    google_protobuf_EnumDescriptorProto_list enum_type;
    google_protobuf_ServiceDescriptorProto_list service;
    google_protobuf_FieldDescriptorProto_list extension;
    google_protobuf_FileOptions *options;
    google_protobuf_SourceCodeInfo *source_code_info;
    tern_str syntax;
    tern_unknown unknown;
};

struct google_protobuf_DescriptorProto {
    struct {
        uint32_t name : 1;
    } has;
    tern_str name;
    google_protobuf_FieldDescriptorProto_list field;
    google_protobuf_FieldDescriptorProto_list extension;
    google_protobuf_DescriptorProto_list nested_type;
    google_protobuf_EnumDescriptorProto_list enum_type;
    google_protobuf_DescriptorProto_ExtensionRange_list extension_range;
    google_protobuf_OneofDescriptorProto_list oneof_decl;
    google_protobuf_MessageOptions *options;
    google_protobuf_DescriptorProto_ReservedRange_list reserved_range;
    tern_list_str reserved_name;
    tern_unknown unknown;
};

struct google_protobuf_DescriptorProto_ExtensionRange {
    struct {
        uint32_t start : 1;
        uint32_t end : 1;
    } has;
    int32_t start;
    int32_t end;
    google_protobuf_ExtensionRangeOptions *options;
    tern_unknown unknown;
};

struct google_protobuf_DescriptorProto_ReservedRange {
    struct {
        uint32_t start : 1;
        uint32_t end : 1;
    } has;
    int32_t start;
    int32_t end;
    tern_unknown unknown;
};

struct google_protobuf_ExtensionRangeOptions {
    google_protobuf_UninterpretedOption_list uninterpreted_option;
    tern_unknown unknown;
};

struct google_protobuf_FieldDescriptorProto {
    struct {
        uint32_t name : 1;
        uint32_t number : 1;
        uint32_t label : 1;
        uint32_t type : 1;
        uint32_t type_name : 1;
        uint32_t extendee : 1;
        uint32_t default_value : 1;
        uint32_t oneof_index : 1;
        uint32_t json_name : 1;
        uint32_t proto3_optional : 1;
    } has;
    tern_str name;
    int32_t number;
    int32_t label; /* google_protobuf_FieldDescriptorProto_Label */
    int32_t type; /* google_protobuf_FieldDescriptorProto_Type */
    tern_str type_name;
    tern_str extendee;
    tern_str default_value;
    int32_t oneof_index;
    tern_str json_name;
    google_protobuf_FieldOptions *options;
    bool proto3_optional;
    tern_unknown unknown;
};

struct google_protobuf_OneofDescriptorProto {
    struct {
        uint32_t name : 1;
    } has;
    tern_str name;
    google_protobuf_OneofOptions *options;
    tern_unknown unknown;
};

struct google_protobuf_EnumDescriptorProto {
    struct {
        uint32_t name : 1;
    } has;
    tern_str name;
    google_protobuf_EnumValueDescriptorProto_list value;
    google_protobuf_EnumOptions *options;
    google_protobuf_EnumDescriptorProto_EnumReservedRange_list reserved_range;
    tern_list_str reserved_name;
    tern_unknown unknown;
};

struct google_protobuf_EnumDescriptorProto_EnumReservedRange {
    struct {
        uint32_t start : 1;
        uint32_t end : 1;
    } has;
    int32_t start;
    int32_t end;
    tern_unknown unknown;
};

struct google_protobuf_EnumValueDescriptorProto {
    struct {
        uint32_t name : 1;
        uint32_t number : 1;
    } has;
    tern_str name;
    int32_t number;
    google_protobuf_EnumValueOptions *options;
    tern_unknown unknown;
};

struct google_protobuf_ServiceDescriptorProto {
    struct {
        uint32_t name : 1;
    } has;
    tern_str name;
    google_protobuf_MethodDescriptorProto_list method;
    google_protobuf_ServiceOptions *options;
    tern_unknown unknown;
};

struct google_protobuf_MethodDescriptorProto {
    struct {
        uint32_t name : 1;
        uint32_t input_type : 1;
        uint32_t output_type : 1;
        uint32_t client_streaming : 1;
        uint32_t server_streaming : 1;
    } has;
    tern_str name;
    tern_str input_type;
    tern_str output_type;
    google_protobuf_MethodOptions *options;
    bool client_streaming;
    bool server_streaming;
    tern_unknown unknown;
};

struct google_protobuf_FileOptions {
    struct {
        uint32_t java_package : 1;
        uint32_t java_outer_classname : 1;
        uint32_t java_multiple_files : 1;
        uint32_t java_generate_equals_and_hash : 1;
        uint32_t java_string_check_utf8 : 1;
        uint32_t optimize_for : 1;
        uint32_t go_package : 1;
        uint32_t cc_generic_services : 1;
        uint32_t java_generic_services : 1;
        uint32_t py_generic_services : 1;
        uint32_t php_generic_services : 1;
        uint32_t deprecated : 1;
        uint32_t cc_enable_arenas : 1;
        uint32_t objc_class_prefix : 1;
        uint32_t csharp_namespace : 1;
        uint32_t swift_prefix : 1;
        uint32_t php_class_prefix : 1;
        uint32_t php_namespace : 1;
        uint32_t php_metadata_namespace : 1;
        uint32_t ruby_package : 1;
    } has;
    tern_str java_package;
    tern_str java_outer_classname;
    bool java_multiple_files;
    bool java_generate_equals_and_hash;
    bool java_string_check_utf8;
    int32_t optimize_for; /* google_protobuf_FileOptions_OptimizeMode */
    tern_str go_package;
    bool cc_generic_services;
    bool java_generic_services;
    bool py_generic_services;
    bool php_generic_services;
    bool deprecated;
    bool cc_enable_arenas;
    tern_str objc_class_prefix;
    tern_str csharp_namespace;
    tern_str swift_prefix;
    tern_str php_class_prefix;
    tern_str php_namespace;
    tern_str php_metadata_namespace;
    tern_str ruby_package;
    google_protobuf_UninterpretedOption_list uninterpreted_option;
    tern_unknown unknown;
};

struct google_protobuf_MessageOptions {
    struct {
        uint32_t message_set_wire_format : 1;
        uint32_t no_standard_descriptor_accessor : 1;
        uint32_t deprecated : 1;
        uint32_t map_entry : 1;
    } has;
    bool message_set_wire_format;
    bool no_standard_descriptor_accessor;
    bool deprecated;
    bool map_entry;
    google_protobuf_UninterpretedOption_list uninterpreted_option;
    tern_unknown unknown;
};

struct google_protobuf_FieldOptions {
    struct {
        uint32_t ctype : 1;
        uint32_t packed : 1;
        uint32_t jstype : 1;
        uint32_t lazy : 1;
        uint32_t unverified_lazy : 1;
        uint32_t deprecated : 1;
        uint32_t weak : 1;
    } has;
    int32_t ctype; /* google_protobuf_FieldOptions_CType */
    bool packed;
    int32_t jstype; /* google_protobuf_FieldOptions_JSType */
    bool lazy;
    bool unverified_lazy;
    bool deprecated;
    bool weak;
    google_protobuf_UninterpretedOption_list uninterpreted_option;
    tern_unknown unknown;
};

struct google_protobuf_OneofOptions {
    google_protobuf_UninterpretedOption_list uninterpreted_option;
    tern_unknown unknown;
};

struct google_protobuf_EnumOptions {
    struct {
        uint32_t allow_alias : 1;
        uint32_t deprecated : 1;
    } has;
    bool allow_alias;
    bool deprecated;
    google_protobuf_UninterpretedOption_list uninterpreted_option;
    tern_unknown unknown;
};

struct google_protobuf_EnumValueOptions {
    struct {
        uint32_t deprecated : 1;
    } has;
    bool deprecated;
    google_protobuf_UninterpretedOption_list uninterpreted_option;
    tern_unknown unknown;
};

struct google_protobuf_ServiceOptions {
    struct {
        uint32_t deprecated : 1;
    } has;
    bool deprecated;
    google_protobuf_UninterpretedOption_list uninterpreted_option;
    tern_unknown unknown;
};

struct google_protobuf_MethodOptions {
    struct {
        uint32_t deprecated : 1;
        uint32_t idempotency_level : 1;
    } has;
    bool deprecated;
    int32_t idempotency_level; /* google_protobuf_MethodOptions_IdempotencyLevel */
    google_protobuf_UninterpretedOption_list uninterpreted_option;
    tern_unknown unknown;
};

struct google_protobuf_UninterpretedOption {
    struct {
        uint32_t identifier_value : 1;
        uint32_t positive_int_value : 1;
        uint32_t negative_int_value : 1;
        uint32_t double_value : 1;
        uint32_t string_value : 1;
        uint32_t aggregate_value : 1;
    } has;
    google_protobuf_UninterpretedOption_NamePart_list name;
    tern_str identifier_value;
    uint64_t positive_int_value;
    int64_t negative_int_value;
    double double_value;
    tern_bytes string_value;
    tern_str aggregate_value;
    tern_unknown unknown;
};

struct google_protobuf_UninterpretedOption_NamePart {
    struct {
        uint32_t name_part : 1;
        uint32_t is_extension : 1;
    } has;
    tern_str name_part;
    bool is_extension;
    tern_unknown unknown;
};

struct google_protobuf_SourceCodeInfo {
    google_protobuf_SourceCodeInfo_Location_list location;
    tern_unknown unknown;
};

struct google_protobuf_SourceCodeInfo_Location {
    struct {
        uint32_t leading_comments : 1;
        uint32_t trailing_comments : 1;
    } has;
    tern_list_i32 path;
    tern_list_i32 span;
    tern_str leading_comments;
    tern_str trailing_comments;
    tern_list_str leading_detached_comments;
    tern_unknown unknown;
};

struct google_protobuf_GeneratedCodeInfo {
    google_protobuf_GeneratedCodeInfo_Annotation_list annotation;
    tern_unknown unknown;
};

struct google_protobuf_GeneratedCodeInfo_Annotation {
    struct {
        uint32_t source_file : 1;
        uint32_t begin : 1;
        uint32_t end : 1;
    } has;
    tern_list_i32 path;
    tern_str source_file;
    int32_t begin;
    int32_t end;
    tern_unknown unknown;
};

/* ---- google.protobuf.FileDescriptorSet */

static inline int64_t google_protobuf_FileDescriptorSet_size(const google_protobuf_FileDescriptorSet *msg) { return tern_protobuf_size(&google_protobuf_FileDescriptorSet_type, msg); }

static inline int64_t google_protobuf_FileDescriptorSet_encode(const google_protobuf_FileDescriptorSet *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&google_protobuf_FileDescriptorSet_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int google_protobuf_FileDescriptorSet_decode(const void *data, size_t len, tern_arena *arena, int mode, google_protobuf_FileDescriptorSet *msg) {
    return tern_protobuf_decode(&google_protobuf_FileDescriptorSet_type, data, len, arena, mode, NULL, msg);
}

static inline int google_protobuf_FileDescriptorSet_copy(const google_protobuf_FileDescriptorSet *src, tern_arena *arena, google_protobuf_FileDescriptorSet *dst) {
    return tern_message_copy(&google_protobuf_FileDescriptorSet_type, src, arena, dst);
}

static inline bool google_protobuf_FileDescriptorSet_equal(const google_protobuf_FileDescriptorSet *a, const google_protobuf_FileDescriptorSet *b) { return tern_message_equal(&google_protobuf_FileDescriptorSet_type, a, b); }

static inline int google_protobuf_FileDescriptorSet_reserve_file(google_protobuf_FileDescriptorSet *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->file, n, sizeof *msg->file.data, arena);
}

static inline google_protobuf_FileDescriptorProto *google_protobuf_FileDescriptorSet_add_file(google_protobuf_FileDescriptorSet *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->file, msg->file.len + 1, sizeof *msg->file.data, arena)) return NULL;
    return &msg->file.data[msg->file.len++];
}

/* ---- google.protobuf.FileDescriptorProto */

static inline int64_t google_protobuf_FileDescriptorProto_size(const google_protobuf_FileDescriptorProto *msg) { return tern_protobuf_size(&google_protobuf_FileDescriptorProto_type, msg); }

static inline int64_t google_protobuf_FileDescriptorProto_encode(const google_protobuf_FileDescriptorProto *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&google_protobuf_FileDescriptorProto_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int google_protobuf_FileDescriptorProto_decode(const void *data, size_t len, tern_arena *arena, int mode, google_protobuf_FileDescriptorProto *msg) {
    return tern_protobuf_decode(&google_protobuf_FileDescriptorProto_type, data, len, arena, mode, NULL, msg);
}

static inline int google_protobuf_FileDescriptorProto_copy(const google_protobuf_FileDescriptorProto *src, tern_arena *arena, google_protobuf_FileDescriptorProto *dst) {
    return tern_message_copy(&google_protobuf_FileDescriptorProto_type, src, arena, dst);
}

static inline bool google_protobuf_FileDescriptorProto_equal(const google_protobuf_FileDescriptorProto *a, const google_protobuf_FileDescriptorProto *b) { return tern_message_equal(&google_protobuf_FileDescriptorProto_type, a, b); }

static inline bool google_protobuf_FileDescriptorProto_has_name(const google_protobuf_FileDescriptorProto *msg) { return msg->has.name; }

static inline void google_protobuf_FileDescriptorProto_set_name(google_protobuf_FileDescriptorProto *msg, tern_str value) {
    msg->name = value;
    msg->has.name = 1;
}

static inline void google_protobuf_FileDescriptorProto_clear_name(google_protobuf_FileDescriptorProto *msg) {
    msg->name.data = NULL;
    msg->name.len = 0;
    msg->has.name = 0;
}

static inline bool google_protobuf_FileDescriptorProto_has_package(const google_protobuf_FileDescriptorProto *msg) { return msg->has.package; }

static inline void google_protobuf_FileDescriptorProto_set_package(google_protobuf_FileDescriptorProto *msg, tern_str value) {
    msg->package = value;
    msg->has.package = 1;
}

static inline void google_protobuf_FileDescriptorProto_clear_package(google_protobuf_FileDescriptorProto *msg) {
    msg->package.data = NULL;
    msg->package.len = 0;
    msg->has.package = 0;
}

static inline int google_protobuf_FileDescriptorProto_reserve_dependency(google_protobuf_FileDescriptorProto *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->dependency, n, sizeof *msg->dependency.data, arena);
}

static inline tern_str *google_protobuf_FileDescriptorProto_add_dependency(google_protobuf_FileDescriptorProto *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->dependency, msg->dependency.len + 1, sizeof *msg->dependency.data, arena)) return NULL;
    return &msg->dependency.data[msg->dependency.len++];
}

static inline int google_protobuf_FileDescriptorProto_reserve_public_dependency(google_protobuf_FileDescriptorProto *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->public_dependency, n, sizeof *msg->public_dependency.data, arena);
}

static inline int32_t *google_protobuf_FileDescriptorProto_add_public_dependency(google_protobuf_FileDescriptorProto *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->public_dependency, msg->public_dependency.len + 1, sizeof *msg->public_dependency.data, arena)) return NULL;
    return &msg->public_dependency.data[msg->public_dependency.len++];
}

static inline int google_protobuf_FileDescriptorProto_reserve_weak_dependency(google_protobuf_FileDescriptorProto *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->weak_dependency, n, sizeof *msg->weak_dependency.data, arena);
}

static inline int32_t *google_protobuf_FileDescriptorProto_add_weak_dependency(google_protobuf_FileDescriptorProto *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->weak_dependency, msg->weak_dependency.len + 1, sizeof *msg->weak_dependency.data, arena)) return NULL;
    return &msg->weak_dependency.data[msg->weak_dependency.len++];
}

static inline int google_protobuf_FileDescriptorProto_reserve_message_type(google_protobuf_FileDescriptorProto *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->message_type, n, sizeof *msg->message_type.data, arena);
}

static inline google_protobuf_DescriptorProto *google_protobuf_FileDescriptorProto_add_message_type(google_protobuf_FileDescriptorProto *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->message_type, msg->message_type.len + 1, sizeof *msg->message_type.data, arena)) return NULL;
    return &msg->message_type.data[msg->message_type.len++];
}

static inline int google_protobuf_FileDescriptorProto_reserve_enum_type(google_protobuf_FileDescriptorProto *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->enum_type, n, sizeof *msg->enum_type.data, arena);
}

static inline google_protobuf_EnumDescriptorProto *google_protobuf_FileDescriptorProto_add_enum_type(google_protobuf_FileDescriptorProto *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->enum_type, msg->enum_type.len + 1, sizeof *msg->enum_type.data, arena)) return NULL;
    return &msg->enum_type.data[msg->enum_type.len++];
}

static inline int google_protobuf_FileDescriptorProto_reserve_service(google_protobuf_FileDescriptorProto *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->service, n, sizeof *msg->service.data, arena);
}

static inline google_protobuf_ServiceDescriptorProto *google_protobuf_FileDescriptorProto_add_service(google_protobuf_FileDescriptorProto *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->service, msg->service.len + 1, sizeof *msg->service.data, arena)) return NULL;
    return &msg->service.data[msg->service.len++];
}

static inline int google_protobuf_FileDescriptorProto_reserve_extension(google_protobuf_FileDescriptorProto *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->extension, n, sizeof *msg->extension.data, arena);
}

static inline google_protobuf_FieldDescriptorProto *google_protobuf_FileDescriptorProto_add_extension(google_protobuf_FileDescriptorProto *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->extension, msg->extension.len + 1, sizeof *msg->extension.data, arena)) return NULL;
    return &msg->extension.data[msg->extension.len++];
}

static inline google_protobuf_FileOptions *google_protobuf_FileDescriptorProto_make_options(google_protobuf_FileDescriptorProto *msg, tern_arena *arena) {
    return msg->options = (google_protobuf_FileOptions *)tern_arena_zalloc(arena, sizeof *msg->options);
}

static inline bool google_protobuf_FileDescriptorProto_has_options(const google_protobuf_FileDescriptorProto *msg) { return msg->options != NULL; }

static inline void google_protobuf_FileDescriptorProto_clear_options(google_protobuf_FileDescriptorProto *msg) { msg->options = NULL; }

static inline google_protobuf_SourceCodeInfo *google_protobuf_FileDescriptorProto_make_source_code_info(google_protobuf_FileDescriptorProto *msg, tern_arena *arena) {
    return msg->source_code_info = (google_protobuf_SourceCodeInfo *)tern_arena_zalloc(arena, sizeof *msg->source_code_info);
}

static inline bool google_protobuf_FileDescriptorProto_has_source_code_info(const google_protobuf_FileDescriptorProto *msg) { return msg->source_code_info != NULL; }

static inline void google_protobuf_FileDescriptorProto_clear_source_code_info(google_protobuf_FileDescriptorProto *msg) { msg->source_code_info = NULL; }

static inline bool google_protobuf_FileDescriptorProto_has_syntax(const google_protobuf_FileDescriptorProto *msg) { return msg->has.syntax; }

static inline void google_protobuf_FileDescriptorProto_set_syntax(google_protobuf_FileDescriptorProto *msg, tern_str value) {
    msg->syntax = value;
    msg->has.syntax = 1;
}

static inline void google_protobuf_FileDescriptorProto_clear_syntax(google_protobuf_FileDescriptorProto *msg) {
    msg->syntax.data = NULL;
    msg->syntax.len = 0;
    msg->has.syntax = 0;
}

/* ---- google.protobuf.DescriptorProto */

static inline int64_t google_protobuf_DescriptorProto_size(const google_protobuf_DescriptorProto *msg) { return tern_protobuf_size(&google_protobuf_DescriptorProto_type, msg); }

static inline int64_t google_protobuf_DescriptorProto_encode(const google_protobuf_DescriptorProto *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&google_protobuf_DescriptorProto_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int google_protobuf_DescriptorProto_decode(const void *data, size_t len, tern_arena *arena, int mode, google_protobuf_DescriptorProto *msg) {
    return tern_protobuf_decode(&google_protobuf_DescriptorProto_type, data, len, arena, mode, NULL, msg);
}

static inline int google_protobuf_DescriptorProto_copy(const google_protobuf_DescriptorProto *src, tern_arena *arena, google_protobuf_DescriptorProto *dst) {
    return tern_message_copy(&google_protobuf_DescriptorProto_type, src, arena, dst);
}

static inline bool google_protobuf_DescriptorProto_equal(const google_protobuf_DescriptorProto *a, const google_protobuf_DescriptorProto *b) { return tern_message_equal(&google_protobuf_DescriptorProto_type, a, b); }

static inline bool google_protobuf_DescriptorProto_has_name(const google_protobuf_DescriptorProto *msg) { return msg->has.name; }

static inline void google_protobuf_DescriptorProto_set_name(google_protobuf_DescriptorProto *msg, tern_str value) {
    msg->name = value;
    msg->has.name = 1;
}

static inline void google_protobuf_DescriptorProto_clear_name(google_protobuf_DescriptorProto *msg) {
    msg->name.data = NULL;
    msg->name.len = 0;
    msg->has.name = 0;
}

static inline int google_protobuf_DescriptorProto_reserve_field(google_protobuf_DescriptorProto *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->field, n, sizeof *msg->field.data, arena);
}

static inline google_protobuf_FieldDescriptorProto *google_protobuf_DescriptorProto_add_field(google_protobuf_DescriptorProto *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->field, msg->field.len + 1, sizeof *msg->field.data, arena)) return NULL;
    return &msg->field.data[msg->field.len++];
}

static inline int google_protobuf_DescriptorProto_reserve_extension(google_protobuf_DescriptorProto *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->extension, n, sizeof *msg->extension.data, arena);
}

static inline google_protobuf_FieldDescriptorProto *google_protobuf_DescriptorProto_add_extension(google_protobuf_DescriptorProto *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->extension, msg->extension.len + 1, sizeof *msg->extension.data, arena)) return NULL;
    return &msg->extension.data[msg->extension.len++];
}

static inline int google_protobuf_DescriptorProto_reserve_nested_type(google_protobuf_DescriptorProto *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->nested_type, n, sizeof *msg->nested_type.data, arena);
}

static inline google_protobuf_DescriptorProto *google_protobuf_DescriptorProto_add_nested_type(google_protobuf_DescriptorProto *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->nested_type, msg->nested_type.len + 1, sizeof *msg->nested_type.data, arena)) return NULL;
    return &msg->nested_type.data[msg->nested_type.len++];
}

static inline int google_protobuf_DescriptorProto_reserve_enum_type(google_protobuf_DescriptorProto *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->enum_type, n, sizeof *msg->enum_type.data, arena);
}

static inline google_protobuf_EnumDescriptorProto *google_protobuf_DescriptorProto_add_enum_type(google_protobuf_DescriptorProto *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->enum_type, msg->enum_type.len + 1, sizeof *msg->enum_type.data, arena)) return NULL;
    return &msg->enum_type.data[msg->enum_type.len++];
}

static inline int google_protobuf_DescriptorProto_reserve_extension_range(google_protobuf_DescriptorProto *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->extension_range, n, sizeof *msg->extension_range.data, arena);
}

static inline google_protobuf_DescriptorProto_ExtensionRange *google_protobuf_DescriptorProto_add_extension_range(google_protobuf_DescriptorProto *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->extension_range, msg->extension_range.len + 1, sizeof *msg->extension_range.data, arena)) return NULL;
    return &msg->extension_range.data[msg->extension_range.len++];
}

static inline int google_protobuf_DescriptorProto_reserve_oneof_decl(google_protobuf_DescriptorProto *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->oneof_decl, n, sizeof *msg->oneof_decl.data, arena);
}

static inline google_protobuf_OneofDescriptorProto *google_protobuf_DescriptorProto_add_oneof_decl(google_protobuf_DescriptorProto *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->oneof_decl, msg->oneof_decl.len + 1, sizeof *msg->oneof_decl.data, arena)) return NULL;
    return &msg->oneof_decl.data[msg->oneof_decl.len++];
}

static inline google_protobuf_MessageOptions *google_protobuf_DescriptorProto_make_options(google_protobuf_DescriptorProto *msg, tern_arena *arena) {
    return msg->options = (google_protobuf_MessageOptions *)tern_arena_zalloc(arena, sizeof *msg->options);
}

static inline bool google_protobuf_DescriptorProto_has_options(const google_protobuf_DescriptorProto *msg) { return msg->options != NULL; }

static inline void google_protobuf_DescriptorProto_clear_options(google_protobuf_DescriptorProto *msg) { msg->options = NULL; }

static inline int google_protobuf_DescriptorProto_reserve_reserved_range(google_protobuf_DescriptorProto *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->reserved_range, n, sizeof *msg->reserved_range.data, arena);
}

static inline google_protobuf_DescriptorProto_ReservedRange *google_protobuf_DescriptorProto_add_reserved_range(google_protobuf_DescriptorProto *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->reserved_range, msg->reserved_range.len + 1, sizeof *msg->reserved_range.data, arena)) return NULL;
    return &msg->reserved_range.data[msg->reserved_range.len++];
}

static inline int google_protobuf_DescriptorProto_reserve_reserved_name(google_protobuf_DescriptorProto *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->reserved_name, n, sizeof *msg->reserved_name.data, arena);
}

static inline tern_str *google_protobuf_DescriptorProto_add_reserved_name(google_protobuf_DescriptorProto *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->reserved_name, msg->reserved_name.len + 1, sizeof *msg->reserved_name.data, arena)) return NULL;
    return &msg->reserved_name.data[msg->reserved_name.len++];
}

/* ---- google.protobuf.DescriptorProto.ExtensionRange */

static inline int64_t google_protobuf_DescriptorProto_ExtensionRange_size(const google_protobuf_DescriptorProto_ExtensionRange *msg) { return tern_protobuf_size(&google_protobuf_DescriptorProto_ExtensionRange_type, msg); }

static inline int64_t google_protobuf_DescriptorProto_ExtensionRange_encode(const google_protobuf_DescriptorProto_ExtensionRange *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&google_protobuf_DescriptorProto_ExtensionRange_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int google_protobuf_DescriptorProto_ExtensionRange_decode(const void *data, size_t len, tern_arena *arena, int mode, google_protobuf_DescriptorProto_ExtensionRange *msg) {
    return tern_protobuf_decode(&google_protobuf_DescriptorProto_ExtensionRange_type, data, len, arena, mode, NULL, msg);
}

static inline int google_protobuf_DescriptorProto_ExtensionRange_copy(const google_protobuf_DescriptorProto_ExtensionRange *src, tern_arena *arena, google_protobuf_DescriptorProto_ExtensionRange *dst) {
    return tern_message_copy(&google_protobuf_DescriptorProto_ExtensionRange_type, src, arena, dst);
}

static inline bool google_protobuf_DescriptorProto_ExtensionRange_equal(const google_protobuf_DescriptorProto_ExtensionRange *a, const google_protobuf_DescriptorProto_ExtensionRange *b) { return tern_message_equal(&google_protobuf_DescriptorProto_ExtensionRange_type, a, b); }

static inline bool google_protobuf_DescriptorProto_ExtensionRange_has_start(const google_protobuf_DescriptorProto_ExtensionRange *msg) { return msg->has.start; }

static inline void google_protobuf_DescriptorProto_ExtensionRange_set_start(google_protobuf_DescriptorProto_ExtensionRange *msg, int32_t value) {
    msg->start = value;
    msg->has.start = 1;
}

static inline void google_protobuf_DescriptorProto_ExtensionRange_clear_start(google_protobuf_DescriptorProto_ExtensionRange *msg) {
    msg->start = 0;
    msg->has.start = 0;
}

static inline bool google_protobuf_DescriptorProto_ExtensionRange_has_end(const google_protobuf_DescriptorProto_ExtensionRange *msg) { return msg->has.end; }

static inline void google_protobuf_DescriptorProto_ExtensionRange_set_end(google_protobuf_DescriptorProto_ExtensionRange *msg, int32_t value) {
    msg->end = value;
    msg->has.end = 1;
}

static inline void google_protobuf_DescriptorProto_ExtensionRange_clear_end(google_protobuf_DescriptorProto_ExtensionRange *msg) {
    msg->end = 0;
    msg->has.end = 0;
}

static inline google_protobuf_ExtensionRangeOptions *google_protobuf_DescriptorProto_ExtensionRange_make_options(google_protobuf_DescriptorProto_ExtensionRange *msg, tern_arena *arena) {
    return msg->options = (google_protobuf_ExtensionRangeOptions *)tern_arena_zalloc(arena, sizeof *msg->options);
}

static inline bool google_protobuf_DescriptorProto_ExtensionRange_has_options(const google_protobuf_DescriptorProto_ExtensionRange *msg) { return msg->options != NULL; }

static inline void google_protobuf_DescriptorProto_ExtensionRange_clear_options(google_protobuf_DescriptorProto_ExtensionRange *msg) { msg->options = NULL; }

/* ---- google.protobuf.DescriptorProto.ReservedRange */

static inline int64_t google_protobuf_DescriptorProto_ReservedRange_size(const google_protobuf_DescriptorProto_ReservedRange *msg) { return tern_protobuf_size(&google_protobuf_DescriptorProto_ReservedRange_type, msg); }

static inline int64_t google_protobuf_DescriptorProto_ReservedRange_encode(const google_protobuf_DescriptorProto_ReservedRange *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&google_protobuf_DescriptorProto_ReservedRange_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int google_protobuf_DescriptorProto_ReservedRange_decode(const void *data, size_t len, tern_arena *arena, int mode, google_protobuf_DescriptorProto_ReservedRange *msg) {
    return tern_protobuf_decode(&google_protobuf_DescriptorProto_ReservedRange_type, data, len, arena, mode, NULL, msg);
}

static inline int google_protobuf_DescriptorProto_ReservedRange_copy(const google_protobuf_DescriptorProto_ReservedRange *src, tern_arena *arena, google_protobuf_DescriptorProto_ReservedRange *dst) {
    return tern_message_copy(&google_protobuf_DescriptorProto_ReservedRange_type, src, arena, dst);
}

static inline bool google_protobuf_DescriptorProto_ReservedRange_equal(const google_protobuf_DescriptorProto_ReservedRange *a, const google_protobuf_DescriptorProto_ReservedRange *b) { return tern_message_equal(&google_protobuf_DescriptorProto_ReservedRange_type, a, b); }

static inline bool google_protobuf_DescriptorProto_ReservedRange_has_start(const google_protobuf_DescriptorProto_ReservedRange *msg) { return msg->has.start; }

static inline void google_protobuf_DescriptorProto_ReservedRange_set_start(google_protobuf_DescriptorProto_ReservedRange *msg, int32_t value) {
    msg->start = value;
    msg->has.start = 1;
}

static inline void google_protobuf_DescriptorProto_ReservedRange_clear_start(google_protobuf_DescriptorProto_ReservedRange *msg) {
    msg->start = 0;
    msg->has.start = 0;
}

static inline bool google_protobuf_DescriptorProto_ReservedRange_has_end(const google_protobuf_DescriptorProto_ReservedRange *msg) { return msg->has.end; }

static inline void google_protobuf_DescriptorProto_ReservedRange_set_end(google_protobuf_DescriptorProto_ReservedRange *msg, int32_t value) {
    msg->end = value;
    msg->has.end = 1;
}

static inline void google_protobuf_DescriptorProto_ReservedRange_clear_end(google_protobuf_DescriptorProto_ReservedRange *msg) {
    msg->end = 0;
    msg->has.end = 0;
}

/* ---- google.protobuf.ExtensionRangeOptions */

static inline int64_t google_protobuf_ExtensionRangeOptions_size(const google_protobuf_ExtensionRangeOptions *msg) { return tern_protobuf_size(&google_protobuf_ExtensionRangeOptions_type, msg); }

static inline int64_t google_protobuf_ExtensionRangeOptions_encode(const google_protobuf_ExtensionRangeOptions *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&google_protobuf_ExtensionRangeOptions_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int google_protobuf_ExtensionRangeOptions_decode(const void *data, size_t len, tern_arena *arena, int mode, google_protobuf_ExtensionRangeOptions *msg) {
    return tern_protobuf_decode(&google_protobuf_ExtensionRangeOptions_type, data, len, arena, mode, NULL, msg);
}

static inline int google_protobuf_ExtensionRangeOptions_copy(const google_protobuf_ExtensionRangeOptions *src, tern_arena *arena, google_protobuf_ExtensionRangeOptions *dst) {
    return tern_message_copy(&google_protobuf_ExtensionRangeOptions_type, src, arena, dst);
}

static inline bool google_protobuf_ExtensionRangeOptions_equal(const google_protobuf_ExtensionRangeOptions *a, const google_protobuf_ExtensionRangeOptions *b) { return tern_message_equal(&google_protobuf_ExtensionRangeOptions_type, a, b); }

static inline int google_protobuf_ExtensionRangeOptions_reserve_uninterpreted_option(google_protobuf_ExtensionRangeOptions *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->uninterpreted_option, n, sizeof *msg->uninterpreted_option.data, arena);
}

static inline google_protobuf_UninterpretedOption *google_protobuf_ExtensionRangeOptions_add_uninterpreted_option(google_protobuf_ExtensionRangeOptions *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->uninterpreted_option, msg->uninterpreted_option.len + 1, sizeof *msg->uninterpreted_option.data, arena)) return NULL;
    return &msg->uninterpreted_option.data[msg->uninterpreted_option.len++];
}

/* ---- google.protobuf.FieldDescriptorProto */

static inline int64_t google_protobuf_FieldDescriptorProto_size(const google_protobuf_FieldDescriptorProto *msg) { return tern_protobuf_size(&google_protobuf_FieldDescriptorProto_type, msg); }

static inline int64_t google_protobuf_FieldDescriptorProto_encode(const google_protobuf_FieldDescriptorProto *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&google_protobuf_FieldDescriptorProto_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int google_protobuf_FieldDescriptorProto_decode(const void *data, size_t len, tern_arena *arena, int mode, google_protobuf_FieldDescriptorProto *msg) {
    return tern_protobuf_decode(&google_protobuf_FieldDescriptorProto_type, data, len, arena, mode, NULL, msg);
}

static inline int google_protobuf_FieldDescriptorProto_copy(const google_protobuf_FieldDescriptorProto *src, tern_arena *arena, google_protobuf_FieldDescriptorProto *dst) {
    return tern_message_copy(&google_protobuf_FieldDescriptorProto_type, src, arena, dst);
}

static inline bool google_protobuf_FieldDescriptorProto_equal(const google_protobuf_FieldDescriptorProto *a, const google_protobuf_FieldDescriptorProto *b) { return tern_message_equal(&google_protobuf_FieldDescriptorProto_type, a, b); }

static inline bool google_protobuf_FieldDescriptorProto_has_name(const google_protobuf_FieldDescriptorProto *msg) { return msg->has.name; }

static inline void google_protobuf_FieldDescriptorProto_set_name(google_protobuf_FieldDescriptorProto *msg, tern_str value) {
    msg->name = value;
    msg->has.name = 1;
}

static inline void google_protobuf_FieldDescriptorProto_clear_name(google_protobuf_FieldDescriptorProto *msg) {
    msg->name.data = NULL;
    msg->name.len = 0;
    msg->has.name = 0;
}

static inline bool google_protobuf_FieldDescriptorProto_has_number(const google_protobuf_FieldDescriptorProto *msg) { return msg->has.number; }

static inline void google_protobuf_FieldDescriptorProto_set_number(google_protobuf_FieldDescriptorProto *msg, int32_t value) {
    msg->number = value;
    msg->has.number = 1;
}

static inline void google_protobuf_FieldDescriptorProto_clear_number(google_protobuf_FieldDescriptorProto *msg) {
    msg->number = 0;
    msg->has.number = 0;
}

static inline bool google_protobuf_FieldDescriptorProto_has_label(const google_protobuf_FieldDescriptorProto *msg) { return msg->has.label; }

static inline void google_protobuf_FieldDescriptorProto_set_label(google_protobuf_FieldDescriptorProto *msg, int32_t value) {
    msg->label = value;
    msg->has.label = 1;
}

static inline void google_protobuf_FieldDescriptorProto_clear_label(google_protobuf_FieldDescriptorProto *msg) {
    msg->label = 0;
    msg->has.label = 0;
}

static inline bool google_protobuf_FieldDescriptorProto_has_type(const google_protobuf_FieldDescriptorProto *msg) { return msg->has.type; }

static inline void google_protobuf_FieldDescriptorProto_set_type(google_protobuf_FieldDescriptorProto *msg, int32_t value) {
    msg->type = value;
    msg->has.type = 1;
}

static inline void google_protobuf_FieldDescriptorProto_clear_type(google_protobuf_FieldDescriptorProto *msg) {
    msg->type = 0;
    msg->has.type = 0;
}

static inline bool google_protobuf_FieldDescriptorProto_has_type_name(const google_protobuf_FieldDescriptorProto *msg) { return msg->has.type_name; }

static inline void google_protobuf_FieldDescriptorProto_set_type_name(google_protobuf_FieldDescriptorProto *msg, tern_str value) {
    msg->type_name = value;
    msg->has.type_name = 1;
}

static inline void google_protobuf_FieldDescriptorProto_clear_type_name(google_protobuf_FieldDescriptorProto *msg) {
    msg->type_name.data = NULL;
    msg->type_name.len = 0;
    msg->has.type_name = 0;
}

static inline bool google_protobuf_FieldDescriptorProto_has_extendee(const google_protobuf_FieldDescriptorProto *msg) { return msg->has.extendee; }

static inline void google_protobuf_FieldDescriptorProto_set_extendee(google_protobuf_FieldDescriptorProto *msg, tern_str value) {
    msg->extendee = value;
    msg->has.extendee = 1;
}

static inline void google_protobuf_FieldDescriptorProto_clear_extendee(google_protobuf_FieldDescriptorProto *msg) {
    msg->extendee.data = NULL;
    msg->extendee.len = 0;
    msg->has.extendee = 0;
}

static inline bool google_protobuf_FieldDescriptorProto_has_default_value(const google_protobuf_FieldDescriptorProto *msg) { return msg->has.default_value; }

static inline void google_protobuf_FieldDescriptorProto_set_default_value(google_protobuf_FieldDescriptorProto *msg, tern_str value) {
    msg->default_value = value;
    msg->has.default_value = 1;
}

static inline void google_protobuf_FieldDescriptorProto_clear_default_value(google_protobuf_FieldDescriptorProto *msg) {
    msg->default_value.data = NULL;
    msg->default_value.len = 0;
    msg->has.default_value = 0;
}

static inline bool google_protobuf_FieldDescriptorProto_has_oneof_index(const google_protobuf_FieldDescriptorProto *msg) { return msg->has.oneof_index; }

static inline void google_protobuf_FieldDescriptorProto_set_oneof_index(google_protobuf_FieldDescriptorProto *msg, int32_t value) {
    msg->oneof_index = value;
    msg->has.oneof_index = 1;
}

static inline void google_protobuf_FieldDescriptorProto_clear_oneof_index(google_protobuf_FieldDescriptorProto *msg) {
    msg->oneof_index = 0;
    msg->has.oneof_index = 0;
}

static inline bool google_protobuf_FieldDescriptorProto_has_json_name(const google_protobuf_FieldDescriptorProto *msg) { return msg->has.json_name; }

static inline void google_protobuf_FieldDescriptorProto_set_json_name(google_protobuf_FieldDescriptorProto *msg, tern_str value) {
    msg->json_name = value;
    msg->has.json_name = 1;
}

static inline void google_protobuf_FieldDescriptorProto_clear_json_name(google_protobuf_FieldDescriptorProto *msg) {
    msg->json_name.data = NULL;
    msg->json_name.len = 0;
    msg->has.json_name = 0;
}

static inline google_protobuf_FieldOptions *google_protobuf_FieldDescriptorProto_make_options(google_protobuf_FieldDescriptorProto *msg, tern_arena *arena) {
    return msg->options = (google_protobuf_FieldOptions *)tern_arena_zalloc(arena, sizeof *msg->options);
}

static inline bool google_protobuf_FieldDescriptorProto_has_options(const google_protobuf_FieldDescriptorProto *msg) { return msg->options != NULL; }

static inline void google_protobuf_FieldDescriptorProto_clear_options(google_protobuf_FieldDescriptorProto *msg) { msg->options = NULL; }

static inline bool google_protobuf_FieldDescriptorProto_has_proto3_optional(const google_protobuf_FieldDescriptorProto *msg) { return msg->has.proto3_optional; }

static inline void google_protobuf_FieldDescriptorProto_set_proto3_optional(google_protobuf_FieldDescriptorProto *msg, bool value) {
    msg->proto3_optional = value;
    msg->has.proto3_optional = 1;
}

static inline void google_protobuf_FieldDescriptorProto_clear_proto3_optional(google_protobuf_FieldDescriptorProto *msg) {
    msg->proto3_optional = 0;
    msg->has.proto3_optional = 0;
}

/* ---- google.protobuf.OneofDescriptorProto */

static inline int64_t google_protobuf_OneofDescriptorProto_size(const google_protobuf_OneofDescriptorProto *msg) { return tern_protobuf_size(&google_protobuf_OneofDescriptorProto_type, msg); }

static inline int64_t google_protobuf_OneofDescriptorProto_encode(const google_protobuf_OneofDescriptorProto *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&google_protobuf_OneofDescriptorProto_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int google_protobuf_OneofDescriptorProto_decode(const void *data, size_t len, tern_arena *arena, int mode, google_protobuf_OneofDescriptorProto *msg) {
    return tern_protobuf_decode(&google_protobuf_OneofDescriptorProto_type, data, len, arena, mode, NULL, msg);
}

static inline int google_protobuf_OneofDescriptorProto_copy(const google_protobuf_OneofDescriptorProto *src, tern_arena *arena, google_protobuf_OneofDescriptorProto *dst) {
    return tern_message_copy(&google_protobuf_OneofDescriptorProto_type, src, arena, dst);
}

static inline bool google_protobuf_OneofDescriptorProto_equal(const google_protobuf_OneofDescriptorProto *a, const google_protobuf_OneofDescriptorProto *b) { return tern_message_equal(&google_protobuf_OneofDescriptorProto_type, a, b); }

static inline bool google_protobuf_OneofDescriptorProto_has_name(const google_protobuf_OneofDescriptorProto *msg) { return msg->has.name; }

static inline void google_protobuf_OneofDescriptorProto_set_name(google_protobuf_OneofDescriptorProto *msg, tern_str value) {
    msg->name = value;
    msg->has.name = 1;
}

static inline void google_protobuf_OneofDescriptorProto_clear_name(google_protobuf_OneofDescriptorProto *msg) {
    msg->name.data = NULL;
    msg->name.len = 0;
    msg->has.name = 0;
}

static inline google_protobuf_OneofOptions *google_protobuf_OneofDescriptorProto_make_options(google_protobuf_OneofDescriptorProto *msg, tern_arena *arena) {
    return msg->options = (google_protobuf_OneofOptions *)tern_arena_zalloc(arena, sizeof *msg->options);
}

static inline bool google_protobuf_OneofDescriptorProto_has_options(const google_protobuf_OneofDescriptorProto *msg) { return msg->options != NULL; }

static inline void google_protobuf_OneofDescriptorProto_clear_options(google_protobuf_OneofDescriptorProto *msg) { msg->options = NULL; }

/* ---- google.protobuf.EnumDescriptorProto */

static inline int64_t google_protobuf_EnumDescriptorProto_size(const google_protobuf_EnumDescriptorProto *msg) { return tern_protobuf_size(&google_protobuf_EnumDescriptorProto_type, msg); }

static inline int64_t google_protobuf_EnumDescriptorProto_encode(const google_protobuf_EnumDescriptorProto *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&google_protobuf_EnumDescriptorProto_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int google_protobuf_EnumDescriptorProto_decode(const void *data, size_t len, tern_arena *arena, int mode, google_protobuf_EnumDescriptorProto *msg) {
    return tern_protobuf_decode(&google_protobuf_EnumDescriptorProto_type, data, len, arena, mode, NULL, msg);
}

static inline int google_protobuf_EnumDescriptorProto_copy(const google_protobuf_EnumDescriptorProto *src, tern_arena *arena, google_protobuf_EnumDescriptorProto *dst) {
    return tern_message_copy(&google_protobuf_EnumDescriptorProto_type, src, arena, dst);
}

static inline bool google_protobuf_EnumDescriptorProto_equal(const google_protobuf_EnumDescriptorProto *a, const google_protobuf_EnumDescriptorProto *b) { return tern_message_equal(&google_protobuf_EnumDescriptorProto_type, a, b); }

static inline bool google_protobuf_EnumDescriptorProto_has_name(const google_protobuf_EnumDescriptorProto *msg) { return msg->has.name; }

static inline void google_protobuf_EnumDescriptorProto_set_name(google_protobuf_EnumDescriptorProto *msg, tern_str value) {
    msg->name = value;
    msg->has.name = 1;
}

static inline void google_protobuf_EnumDescriptorProto_clear_name(google_protobuf_EnumDescriptorProto *msg) {
    msg->name.data = NULL;
    msg->name.len = 0;
    msg->has.name = 0;
}

static inline int google_protobuf_EnumDescriptorProto_reserve_value(google_protobuf_EnumDescriptorProto *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->value, n, sizeof *msg->value.data, arena);
}

static inline google_protobuf_EnumValueDescriptorProto *google_protobuf_EnumDescriptorProto_add_value(google_protobuf_EnumDescriptorProto *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->value, msg->value.len + 1, sizeof *msg->value.data, arena)) return NULL;
    return &msg->value.data[msg->value.len++];
}

static inline google_protobuf_EnumOptions *google_protobuf_EnumDescriptorProto_make_options(google_protobuf_EnumDescriptorProto *msg, tern_arena *arena) {
    return msg->options = (google_protobuf_EnumOptions *)tern_arena_zalloc(arena, sizeof *msg->options);
}

static inline bool google_protobuf_EnumDescriptorProto_has_options(const google_protobuf_EnumDescriptorProto *msg) { return msg->options != NULL; }

static inline void google_protobuf_EnumDescriptorProto_clear_options(google_protobuf_EnumDescriptorProto *msg) { msg->options = NULL; }

static inline int google_protobuf_EnumDescriptorProto_reserve_reserved_range(google_protobuf_EnumDescriptorProto *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->reserved_range, n, sizeof *msg->reserved_range.data, arena);
}

static inline google_protobuf_EnumDescriptorProto_EnumReservedRange *google_protobuf_EnumDescriptorProto_add_reserved_range(google_protobuf_EnumDescriptorProto *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->reserved_range, msg->reserved_range.len + 1, sizeof *msg->reserved_range.data, arena)) return NULL;
    return &msg->reserved_range.data[msg->reserved_range.len++];
}

static inline int google_protobuf_EnumDescriptorProto_reserve_reserved_name(google_protobuf_EnumDescriptorProto *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->reserved_name, n, sizeof *msg->reserved_name.data, arena);
}

static inline tern_str *google_protobuf_EnumDescriptorProto_add_reserved_name(google_protobuf_EnumDescriptorProto *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->reserved_name, msg->reserved_name.len + 1, sizeof *msg->reserved_name.data, arena)) return NULL;
    return &msg->reserved_name.data[msg->reserved_name.len++];
}

/* ---- google.protobuf.EnumDescriptorProto.EnumReservedRange */

static inline int64_t google_protobuf_EnumDescriptorProto_EnumReservedRange_size(const google_protobuf_EnumDescriptorProto_EnumReservedRange *msg) { return tern_protobuf_size(&google_protobuf_EnumDescriptorProto_EnumReservedRange_type, msg); }

static inline int64_t google_protobuf_EnumDescriptorProto_EnumReservedRange_encode(const google_protobuf_EnumDescriptorProto_EnumReservedRange *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&google_protobuf_EnumDescriptorProto_EnumReservedRange_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int google_protobuf_EnumDescriptorProto_EnumReservedRange_decode(const void *data, size_t len, tern_arena *arena, int mode, google_protobuf_EnumDescriptorProto_EnumReservedRange *msg) {
    return tern_protobuf_decode(&google_protobuf_EnumDescriptorProto_EnumReservedRange_type, data, len, arena, mode, NULL, msg);
}

static inline int google_protobuf_EnumDescriptorProto_EnumReservedRange_copy(const google_protobuf_EnumDescriptorProto_EnumReservedRange *src, tern_arena *arena, google_protobuf_EnumDescriptorProto_EnumReservedRange *dst) {
    return tern_message_copy(&google_protobuf_EnumDescriptorProto_EnumReservedRange_type, src, arena, dst);
}

static inline bool google_protobuf_EnumDescriptorProto_EnumReservedRange_equal(const google_protobuf_EnumDescriptorProto_EnumReservedRange *a, const google_protobuf_EnumDescriptorProto_EnumReservedRange *b) { return tern_message_equal(&google_protobuf_EnumDescriptorProto_EnumReservedRange_type, a, b); }

static inline bool google_protobuf_EnumDescriptorProto_EnumReservedRange_has_start(const google_protobuf_EnumDescriptorProto_EnumReservedRange *msg) { return msg->has.start; }

static inline void google_protobuf_EnumDescriptorProto_EnumReservedRange_set_start(google_protobuf_EnumDescriptorProto_EnumReservedRange *msg, int32_t value) {
    msg->start = value;
    msg->has.start = 1;
}

static inline void google_protobuf_EnumDescriptorProto_EnumReservedRange_clear_start(google_protobuf_EnumDescriptorProto_EnumReservedRange *msg) {
    msg->start = 0;
    msg->has.start = 0;
}

static inline bool google_protobuf_EnumDescriptorProto_EnumReservedRange_has_end(const google_protobuf_EnumDescriptorProto_EnumReservedRange *msg) { return msg->has.end; }

static inline void google_protobuf_EnumDescriptorProto_EnumReservedRange_set_end(google_protobuf_EnumDescriptorProto_EnumReservedRange *msg, int32_t value) {
    msg->end = value;
    msg->has.end = 1;
}

static inline void google_protobuf_EnumDescriptorProto_EnumReservedRange_clear_end(google_protobuf_EnumDescriptorProto_EnumReservedRange *msg) {
    msg->end = 0;
    msg->has.end = 0;
}

/* ---- google.protobuf.EnumValueDescriptorProto */

static inline int64_t google_protobuf_EnumValueDescriptorProto_size(const google_protobuf_EnumValueDescriptorProto *msg) { return tern_protobuf_size(&google_protobuf_EnumValueDescriptorProto_type, msg); }

static inline int64_t google_protobuf_EnumValueDescriptorProto_encode(const google_protobuf_EnumValueDescriptorProto *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&google_protobuf_EnumValueDescriptorProto_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int google_protobuf_EnumValueDescriptorProto_decode(const void *data, size_t len, tern_arena *arena, int mode, google_protobuf_EnumValueDescriptorProto *msg) {
    return tern_protobuf_decode(&google_protobuf_EnumValueDescriptorProto_type, data, len, arena, mode, NULL, msg);
}

static inline int google_protobuf_EnumValueDescriptorProto_copy(const google_protobuf_EnumValueDescriptorProto *src, tern_arena *arena, google_protobuf_EnumValueDescriptorProto *dst) {
    return tern_message_copy(&google_protobuf_EnumValueDescriptorProto_type, src, arena, dst);
}

static inline bool google_protobuf_EnumValueDescriptorProto_equal(const google_protobuf_EnumValueDescriptorProto *a, const google_protobuf_EnumValueDescriptorProto *b) { return tern_message_equal(&google_protobuf_EnumValueDescriptorProto_type, a, b); }

static inline bool google_protobuf_EnumValueDescriptorProto_has_name(const google_protobuf_EnumValueDescriptorProto *msg) { return msg->has.name; }

static inline void google_protobuf_EnumValueDescriptorProto_set_name(google_protobuf_EnumValueDescriptorProto *msg, tern_str value) {
    msg->name = value;
    msg->has.name = 1;
}

static inline void google_protobuf_EnumValueDescriptorProto_clear_name(google_protobuf_EnumValueDescriptorProto *msg) {
    msg->name.data = NULL;
    msg->name.len = 0;
    msg->has.name = 0;
}

static inline bool google_protobuf_EnumValueDescriptorProto_has_number(const google_protobuf_EnumValueDescriptorProto *msg) { return msg->has.number; }

static inline void google_protobuf_EnumValueDescriptorProto_set_number(google_protobuf_EnumValueDescriptorProto *msg, int32_t value) {
    msg->number = value;
    msg->has.number = 1;
}

static inline void google_protobuf_EnumValueDescriptorProto_clear_number(google_protobuf_EnumValueDescriptorProto *msg) {
    msg->number = 0;
    msg->has.number = 0;
}

static inline google_protobuf_EnumValueOptions *google_protobuf_EnumValueDescriptorProto_make_options(google_protobuf_EnumValueDescriptorProto *msg, tern_arena *arena) {
    return msg->options = (google_protobuf_EnumValueOptions *)tern_arena_zalloc(arena, sizeof *msg->options);
}

static inline bool google_protobuf_EnumValueDescriptorProto_has_options(const google_protobuf_EnumValueDescriptorProto *msg) { return msg->options != NULL; }

static inline void google_protobuf_EnumValueDescriptorProto_clear_options(google_protobuf_EnumValueDescriptorProto *msg) { msg->options = NULL; }

/* ---- google.protobuf.ServiceDescriptorProto */

static inline int64_t google_protobuf_ServiceDescriptorProto_size(const google_protobuf_ServiceDescriptorProto *msg) { return tern_protobuf_size(&google_protobuf_ServiceDescriptorProto_type, msg); }

static inline int64_t google_protobuf_ServiceDescriptorProto_encode(const google_protobuf_ServiceDescriptorProto *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&google_protobuf_ServiceDescriptorProto_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int google_protobuf_ServiceDescriptorProto_decode(const void *data, size_t len, tern_arena *arena, int mode, google_protobuf_ServiceDescriptorProto *msg) {
    return tern_protobuf_decode(&google_protobuf_ServiceDescriptorProto_type, data, len, arena, mode, NULL, msg);
}

static inline int google_protobuf_ServiceDescriptorProto_copy(const google_protobuf_ServiceDescriptorProto *src, tern_arena *arena, google_protobuf_ServiceDescriptorProto *dst) {
    return tern_message_copy(&google_protobuf_ServiceDescriptorProto_type, src, arena, dst);
}

static inline bool google_protobuf_ServiceDescriptorProto_equal(const google_protobuf_ServiceDescriptorProto *a, const google_protobuf_ServiceDescriptorProto *b) { return tern_message_equal(&google_protobuf_ServiceDescriptorProto_type, a, b); }

static inline bool google_protobuf_ServiceDescriptorProto_has_name(const google_protobuf_ServiceDescriptorProto *msg) { return msg->has.name; }

static inline void google_protobuf_ServiceDescriptorProto_set_name(google_protobuf_ServiceDescriptorProto *msg, tern_str value) {
    msg->name = value;
    msg->has.name = 1;
}

static inline void google_protobuf_ServiceDescriptorProto_clear_name(google_protobuf_ServiceDescriptorProto *msg) {
    msg->name.data = NULL;
    msg->name.len = 0;
    msg->has.name = 0;
}

static inline int google_protobuf_ServiceDescriptorProto_reserve_method(google_protobuf_ServiceDescriptorProto *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->method, n, sizeof *msg->method.data, arena);
}

static inline google_protobuf_MethodDescriptorProto *google_protobuf_ServiceDescriptorProto_add_method(google_protobuf_ServiceDescriptorProto *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->method, msg->method.len + 1, sizeof *msg->method.data, arena)) return NULL;
    return &msg->method.data[msg->method.len++];
}

static inline google_protobuf_ServiceOptions *google_protobuf_ServiceDescriptorProto_make_options(google_protobuf_ServiceDescriptorProto *msg, tern_arena *arena) {
    return msg->options = (google_protobuf_ServiceOptions *)tern_arena_zalloc(arena, sizeof *msg->options);
}

static inline bool google_protobuf_ServiceDescriptorProto_has_options(const google_protobuf_ServiceDescriptorProto *msg) { return msg->options != NULL; }

static inline void google_protobuf_ServiceDescriptorProto_clear_options(google_protobuf_ServiceDescriptorProto *msg) { msg->options = NULL; }

/* ---- google.protobuf.MethodDescriptorProto */

static inline int64_t google_protobuf_MethodDescriptorProto_size(const google_protobuf_MethodDescriptorProto *msg) { return tern_protobuf_size(&google_protobuf_MethodDescriptorProto_type, msg); }

static inline int64_t google_protobuf_MethodDescriptorProto_encode(const google_protobuf_MethodDescriptorProto *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&google_protobuf_MethodDescriptorProto_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int google_protobuf_MethodDescriptorProto_decode(const void *data, size_t len, tern_arena *arena, int mode, google_protobuf_MethodDescriptorProto *msg) {
    return tern_protobuf_decode(&google_protobuf_MethodDescriptorProto_type, data, len, arena, mode, NULL, msg);
}

static inline int google_protobuf_MethodDescriptorProto_copy(const google_protobuf_MethodDescriptorProto *src, tern_arena *arena, google_protobuf_MethodDescriptorProto *dst) {
    return tern_message_copy(&google_protobuf_MethodDescriptorProto_type, src, arena, dst);
}

static inline bool google_protobuf_MethodDescriptorProto_equal(const google_protobuf_MethodDescriptorProto *a, const google_protobuf_MethodDescriptorProto *b) { return tern_message_equal(&google_protobuf_MethodDescriptorProto_type, a, b); }

static inline bool google_protobuf_MethodDescriptorProto_has_name(const google_protobuf_MethodDescriptorProto *msg) { return msg->has.name; }

static inline void google_protobuf_MethodDescriptorProto_set_name(google_protobuf_MethodDescriptorProto *msg, tern_str value) {
    msg->name = value;
    msg->has.name = 1;
}

static inline void google_protobuf_MethodDescriptorProto_clear_name(google_protobuf_MethodDescriptorProto *msg) {
    msg->name.data = NULL;
    msg->name.len = 0;
    msg->has.name = 0;
}

static inline bool google_protobuf_MethodDescriptorProto_has_input_type(const google_protobuf_MethodDescriptorProto *msg) { return msg->has.input_type; }

static inline void google_protobuf_MethodDescriptorProto_set_input_type(google_protobuf_MethodDescriptorProto *msg, tern_str value) {
    msg->input_type = value;
    msg->has.input_type = 1;
}

static inline void google_protobuf_MethodDescriptorProto_clear_input_type(google_protobuf_MethodDescriptorProto *msg) {
    msg->input_type.data = NULL;
    msg->input_type.len = 0;
    msg->has.input_type = 0;
}

static inline bool google_protobuf_MethodDescriptorProto_has_output_type(const google_protobuf_MethodDescriptorProto *msg) { return msg->has.output_type; }

static inline void google_protobuf_MethodDescriptorProto_set_output_type(google_protobuf_MethodDescriptorProto *msg, tern_str value) {
    msg->output_type = value;
    msg->has.output_type = 1;
}

static inline void google_protobuf_MethodDescriptorProto_clear_output_type(google_protobuf_MethodDescriptorProto *msg) {
    msg->output_type.data = NULL;
    msg->output_type.len = 0;
    msg->has.output_type = 0;
}

static inline google_protobuf_MethodOptions *google_protobuf_MethodDescriptorProto_make_options(google_protobuf_MethodDescriptorProto *msg, tern_arena *arena) {
    return msg->options = (google_protobuf_MethodOptions *)tern_arena_zalloc(arena, sizeof *msg->options);
}

static inline bool google_protobuf_MethodDescriptorProto_has_options(const google_protobuf_MethodDescriptorProto *msg) { return msg->options != NULL; }

static inline void google_protobuf_MethodDescriptorProto_clear_options(google_protobuf_MethodDescriptorProto *msg) { msg->options = NULL; }

static inline bool google_protobuf_MethodDescriptorProto_has_client_streaming(const google_protobuf_MethodDescriptorProto *msg) { return msg->has.client_streaming; }

static inline void google_protobuf_MethodDescriptorProto_set_client_streaming(google_protobuf_MethodDescriptorProto *msg, bool value) {
    msg->client_streaming = value;
    msg->has.client_streaming = 1;
}

static inline void google_protobuf_MethodDescriptorProto_clear_client_streaming(google_protobuf_MethodDescriptorProto *msg) {
    msg->client_streaming = 0;
    msg->has.client_streaming = 0;
}

/* The value, or the schema's default when it is not set. */
static inline bool google_protobuf_MethodDescriptorProto_get_client_streaming(const google_protobuf_MethodDescriptorProto *msg) {
    return google_protobuf_MethodDescriptorProto_has_client_streaming(msg) ? msg->client_streaming : false;
}

static inline bool google_protobuf_MethodDescriptorProto_has_server_streaming(const google_protobuf_MethodDescriptorProto *msg) { return msg->has.server_streaming; }

static inline void google_protobuf_MethodDescriptorProto_set_server_streaming(google_protobuf_MethodDescriptorProto *msg, bool value) {
    msg->server_streaming = value;
    msg->has.server_streaming = 1;
}

static inline void google_protobuf_MethodDescriptorProto_clear_server_streaming(google_protobuf_MethodDescriptorProto *msg) {
    msg->server_streaming = 0;
    msg->has.server_streaming = 0;
}

/* The value, or the schema's default when it is not set. */
static inline bool google_protobuf_MethodDescriptorProto_get_server_streaming(const google_protobuf_MethodDescriptorProto *msg) {
    return google_protobuf_MethodDescriptorProto_has_server_streaming(msg) ? msg->server_streaming : false;
}

/* ---- google.protobuf.FileOptions */

static inline int64_t google_protobuf_FileOptions_size(const google_protobuf_FileOptions *msg) { return tern_protobuf_size(&google_protobuf_FileOptions_type, msg); }

static inline int64_t google_protobuf_FileOptions_encode(const google_protobuf_FileOptions *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&google_protobuf_FileOptions_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int google_protobuf_FileOptions_decode(const void *data, size_t len, tern_arena *arena, int mode, google_protobuf_FileOptions *msg) {
    return tern_protobuf_decode(&google_protobuf_FileOptions_type, data, len, arena, mode, NULL, msg);
}

static inline int google_protobuf_FileOptions_copy(const google_protobuf_FileOptions *src, tern_arena *arena, google_protobuf_FileOptions *dst) {
    return tern_message_copy(&google_protobuf_FileOptions_type, src, arena, dst);
}

static inline bool google_protobuf_FileOptions_equal(const google_protobuf_FileOptions *a, const google_protobuf_FileOptions *b) { return tern_message_equal(&google_protobuf_FileOptions_type, a, b); }

static inline bool google_protobuf_FileOptions_has_java_package(const google_protobuf_FileOptions *msg) { return msg->has.java_package; }

static inline void google_protobuf_FileOptions_set_java_package(google_protobuf_FileOptions *msg, tern_str value) {
    msg->java_package = value;
    msg->has.java_package = 1;
}

static inline void google_protobuf_FileOptions_clear_java_package(google_protobuf_FileOptions *msg) {
    msg->java_package.data = NULL;
    msg->java_package.len = 0;
    msg->has.java_package = 0;
}

static inline bool google_protobuf_FileOptions_has_java_outer_classname(const google_protobuf_FileOptions *msg) { return msg->has.java_outer_classname; }

static inline void google_protobuf_FileOptions_set_java_outer_classname(google_protobuf_FileOptions *msg, tern_str value) {
    msg->java_outer_classname = value;
    msg->has.java_outer_classname = 1;
}

static inline void google_protobuf_FileOptions_clear_java_outer_classname(google_protobuf_FileOptions *msg) {
    msg->java_outer_classname.data = NULL;
    msg->java_outer_classname.len = 0;
    msg->has.java_outer_classname = 0;
}

static inline bool google_protobuf_FileOptions_has_java_multiple_files(const google_protobuf_FileOptions *msg) { return msg->has.java_multiple_files; }

static inline void google_protobuf_FileOptions_set_java_multiple_files(google_protobuf_FileOptions *msg, bool value) {
    msg->java_multiple_files = value;
    msg->has.java_multiple_files = 1;
}

static inline void google_protobuf_FileOptions_clear_java_multiple_files(google_protobuf_FileOptions *msg) {
    msg->java_multiple_files = 0;
    msg->has.java_multiple_files = 0;
}

/* The value, or the schema's default when it is not set. */
static inline bool google_protobuf_FileOptions_get_java_multiple_files(const google_protobuf_FileOptions *msg) {
    return google_protobuf_FileOptions_has_java_multiple_files(msg) ? msg->java_multiple_files : false;
}

static inline bool google_protobuf_FileOptions_has_java_generate_equals_and_hash(const google_protobuf_FileOptions *msg) { return msg->has.java_generate_equals_and_hash; }

static inline void google_protobuf_FileOptions_set_java_generate_equals_and_hash(google_protobuf_FileOptions *msg, bool value) {
    msg->java_generate_equals_and_hash = value;
    msg->has.java_generate_equals_and_hash = 1;
}

static inline void google_protobuf_FileOptions_clear_java_generate_equals_and_hash(google_protobuf_FileOptions *msg) {
    msg->java_generate_equals_and_hash = 0;
    msg->has.java_generate_equals_and_hash = 0;
}

static inline bool google_protobuf_FileOptions_has_java_string_check_utf8(const google_protobuf_FileOptions *msg) { return msg->has.java_string_check_utf8; }

static inline void google_protobuf_FileOptions_set_java_string_check_utf8(google_protobuf_FileOptions *msg, bool value) {
    msg->java_string_check_utf8 = value;
    msg->has.java_string_check_utf8 = 1;
}

static inline void google_protobuf_FileOptions_clear_java_string_check_utf8(google_protobuf_FileOptions *msg) {
    msg->java_string_check_utf8 = 0;
    msg->has.java_string_check_utf8 = 0;
}

/* The value, or the schema's default when it is not set. */
static inline bool google_protobuf_FileOptions_get_java_string_check_utf8(const google_protobuf_FileOptions *msg) {
    return google_protobuf_FileOptions_has_java_string_check_utf8(msg) ? msg->java_string_check_utf8 : false;
}

static inline bool google_protobuf_FileOptions_has_optimize_for(const google_protobuf_FileOptions *msg) { return msg->has.optimize_for; }

static inline void google_protobuf_FileOptions_set_optimize_for(google_protobuf_FileOptions *msg, int32_t value) {
    msg->optimize_for = value;
    msg->has.optimize_for = 1;
}

static inline void google_protobuf_FileOptions_clear_optimize_for(google_protobuf_FileOptions *msg) {
    msg->optimize_for = 0;
    msg->has.optimize_for = 0;
}

/* The value, or the schema's default when it is not set. */
static inline int32_t google_protobuf_FileOptions_get_optimize_for(const google_protobuf_FileOptions *msg) {
    return google_protobuf_FileOptions_has_optimize_for(msg) ? msg->optimize_for : google_protobuf_FileOptions_OptimizeMode_SPEED;
}

static inline bool google_protobuf_FileOptions_has_go_package(const google_protobuf_FileOptions *msg) { return msg->has.go_package; }

static inline void google_protobuf_FileOptions_set_go_package(google_protobuf_FileOptions *msg, tern_str value) {
    msg->go_package = value;
    msg->has.go_package = 1;
}

static inline void google_protobuf_FileOptions_clear_go_package(google_protobuf_FileOptions *msg) {
    msg->go_package.data = NULL;
    msg->go_package.len = 0;
    msg->has.go_package = 0;
}

static inline bool google_protobuf_FileOptions_has_cc_generic_services(const google_protobuf_FileOptions *msg) { return msg->has.cc_generic_services; }

static inline void google_protobuf_FileOptions_set_cc_generic_services(google_protobuf_FileOptions *msg, bool value) {
    msg->cc_generic_services = value;
    msg->has.cc_generic_services = 1;
}

static inline void google_protobuf_FileOptions_clear_cc_generic_services(google_protobuf_FileOptions *msg) {
    msg->cc_generic_services = 0;
    msg->has.cc_generic_services = 0;
}

/* The value, or the schema's default when it is not set. */
static inline bool google_protobuf_FileOptions_get_cc_generic_services(const google_protobuf_FileOptions *msg) {
    return google_protobuf_FileOptions_has_cc_generic_services(msg) ? msg->cc_generic_services : false;
}

static inline bool google_protobuf_FileOptions_has_java_generic_services(const google_protobuf_FileOptions *msg) { return msg->has.java_generic_services; }

static inline void google_protobuf_FileOptions_set_java_generic_services(google_protobuf_FileOptions *msg, bool value) {
    msg->java_generic_services = value;
    msg->has.java_generic_services = 1;
}

static inline void google_protobuf_FileOptions_clear_java_generic_services(google_protobuf_FileOptions *msg) {
    msg->java_generic_services = 0;
    msg->has.java_generic_services = 0;
}

/* The value, or the schema's default when it is not set. */
static inline bool google_protobuf_FileOptions_get_java_generic_services(const google_protobuf_FileOptions *msg) {
    return google_protobuf_FileOptions_has_java_generic_services(msg) ? msg->java_generic_services : false;
}

static inline bool google_protobuf_FileOptions_has_py_generic_services(const google_protobuf_FileOptions *msg) { return msg->has.py_generic_services; }

static inline void google_protobuf_FileOptions_set_py_generic_services(google_protobuf_FileOptions *msg, bool value) {
    msg->py_generic_services = value;
    msg->has.py_generic_services = 1;
}

static inline void google_protobuf_FileOptions_clear_py_generic_services(google_protobuf_FileOptions *msg) {
    msg->py_generic_services = 0;
    msg->has.py_generic_services = 0;
}

/* The value, or the schema's default when it is not set. */
static inline bool google_protobuf_FileOptions_get_py_generic_services(const google_protobuf_FileOptions *msg) {
    return google_protobuf_FileOptions_has_py_generic_services(msg) ? msg->py_generic_services : false;
}

static inline bool google_protobuf_FileOptions_has_php_generic_services(const google_protobuf_FileOptions *msg) { return msg->has.php_generic_services; }

static inline void google_protobuf_FileOptions_set_php_generic_services(google_protobuf_FileOptions *msg, bool value) {
    msg->php_generic_services = value;
    msg->has.php_generic_services = 1;
}

static inline void google_protobuf_FileOptions_clear_php_generic_services(google_protobuf_FileOptions *msg) {
    msg->php_generic_services = 0;
    msg->has.php_generic_services = 0;
}

/* The value, or the schema's default when it is not set. */
static inline bool google_protobuf_FileOptions_get_php_generic_services(const google_protobuf_FileOptions *msg) {
    return google_protobuf_FileOptions_has_php_generic_services(msg) ? msg->php_generic_services : false;
}

static inline bool google_protobuf_FileOptions_has_deprecated(const google_protobuf_FileOptions *msg) { return msg->has.deprecated; }

static inline void google_protobuf_FileOptions_set_deprecated(google_protobuf_FileOptions *msg, bool value) {
    msg->deprecated = value;
    msg->has.deprecated = 1;
}

static inline void google_protobuf_FileOptions_clear_deprecated(google_protobuf_FileOptions *msg) {
    msg->deprecated = 0;
    msg->has.deprecated = 0;
}

/* The value, or the schema's default when it is not set. */
static inline bool google_protobuf_FileOptions_get_deprecated(const google_protobuf_FileOptions *msg) {
    return google_protobuf_FileOptions_has_deprecated(msg) ? msg->deprecated : false;
}

static inline bool google_protobuf_FileOptions_has_cc_enable_arenas(const google_protobuf_FileOptions *msg) { return msg->has.cc_enable_arenas; }

static inline void google_protobuf_FileOptions_set_cc_enable_arenas(google_protobuf_FileOptions *msg, bool value) {
    msg->cc_enable_arenas = value;
    msg->has.cc_enable_arenas = 1;
}

static inline void google_protobuf_FileOptions_clear_cc_enable_arenas(google_protobuf_FileOptions *msg) {
    msg->cc_enable_arenas = 0;
    msg->has.cc_enable_arenas = 0;
}

/* The value, or the schema's default when it is not set. */
static inline bool google_protobuf_FileOptions_get_cc_enable_arenas(const google_protobuf_FileOptions *msg) {
    return google_protobuf_FileOptions_has_cc_enable_arenas(msg) ? msg->cc_enable_arenas : true;
}

static inline bool google_protobuf_FileOptions_has_objc_class_prefix(const google_protobuf_FileOptions *msg) { return msg->has.objc_class_prefix; }

static inline void google_protobuf_FileOptions_set_objc_class_prefix(google_protobuf_FileOptions *msg, tern_str value) {
    msg->objc_class_prefix = value;
    msg->has.objc_class_prefix = 1;
}

static inline void google_protobuf_FileOptions_clear_objc_class_prefix(google_protobuf_FileOptions *msg) {
    msg->objc_class_prefix.data = NULL;
    msg->objc_class_prefix.len = 0;
    msg->has.objc_class_prefix = 0;
}

static inline bool google_protobuf_FileOptions_has_csharp_namespace(const google_protobuf_FileOptions *msg) { return msg->has.csharp_namespace; }

static inline void google_protobuf_FileOptions_set_csharp_namespace(google_protobuf_FileOptions *msg, tern_str value) {
    msg->csharp_namespace = value;
    msg->has.csharp_namespace = 1;
}

static inline void google_protobuf_FileOptions_clear_csharp_namespace(google_protobuf_FileOptions *msg) {
    msg->csharp_namespace.data = NULL;
    msg->csharp_namespace.len = 0;
    msg->has.csharp_namespace = 0;
}

static inline bool google_protobuf_FileOptions_has_swift_prefix(const google_protobuf_FileOptions *msg) { return msg->has.swift_prefix; }

static inline void google_protobuf_FileOptions_set_swift_prefix(google_protobuf_FileOptions *msg, tern_str value) {
    msg->swift_prefix = value;
    msg->has.swift_prefix = 1;
}

static inline void google_protobuf_FileOptions_clear_swift_prefix(google_protobuf_FileOptions *msg) {
    msg->swift_prefix.data = NULL;
    msg->swift_prefix.len = 0;
    msg->has.swift_prefix = 0;
}

static inline bool google_protobuf_FileOptions_has_php_class_prefix(const google_protobuf_FileOptions *msg) { return msg->has.php_class_prefix; }

static inline void google_protobuf_FileOptions_set_php_class_prefix(google_protobuf_FileOptions *msg, tern_str value) {
    msg->php_class_prefix = value;
    msg->has.php_class_prefix = 1;
}

static inline void google_protobuf_FileOptions_clear_php_class_prefix(google_protobuf_FileOptions *msg) {
    msg->php_class_prefix.data = NULL;
    msg->php_class_prefix.len = 0;
    msg->has.php_class_prefix = 0;
}

static inline bool google_protobuf_FileOptions_has_php_namespace(const google_protobuf_FileOptions *msg) { return msg->has.php_namespace; }

static inline void google_protobuf_FileOptions_set_php_namespace(google_protobuf_FileOptions *msg, tern_str value) {
    msg->php_namespace = value;
    msg->has.php_namespace = 1;
}

static inline void google_protobuf_FileOptions_clear_php_namespace(google_protobuf_FileOptions *msg) {
    msg->php_namespace.data = NULL;
    msg->php_namespace.len = 0;
    msg->has.php_namespace = 0;
}

static inline bool google_protobuf_FileOptions_has_php_metadata_namespace(const google_protobuf_FileOptions *msg) { return msg->has.php_metadata_namespace; }

static inline void google_protobuf_FileOptions_set_php_metadata_namespace(google_protobuf_FileOptions *msg, tern_str value) {
    msg->php_metadata_namespace = value;
    msg->has.php_metadata_namespace = 1;
}

static inline void google_protobuf_FileOptions_clear_php_metadata_namespace(google_protobuf_FileOptions *msg) {
    msg->php_metadata_namespace.data = NULL;
    msg->php_metadata_namespace.len = 0;
    msg->has.php_metadata_namespace = 0;
}

static inline bool google_protobuf_FileOptions_has_ruby_package(const google_protobuf_FileOptions *msg) { return msg->has.ruby_package; }

static inline void google_protobuf_FileOptions_set_ruby_package(google_protobuf_FileOptions *msg, tern_str value) {
    msg->ruby_package = value;
    msg->has.ruby_package = 1;
}

static inline void google_protobuf_FileOptions_clear_ruby_package(google_protobuf_FileOptions *msg) {
    msg->ruby_package.data = NULL;
    msg->ruby_package.len = 0;
    msg->has.ruby_package = 0;
}

static inline int google_protobuf_FileOptions_reserve_uninterpreted_option(google_protobuf_FileOptions *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->uninterpreted_option, n, sizeof *msg->uninterpreted_option.data, arena);
}

static inline google_protobuf_UninterpretedOption *google_protobuf_FileOptions_add_uninterpreted_option(google_protobuf_FileOptions *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->uninterpreted_option, msg->uninterpreted_option.len + 1, sizeof *msg->uninterpreted_option.data, arena)) return NULL;
    return &msg->uninterpreted_option.data[msg->uninterpreted_option.len++];
}

/* ---- google.protobuf.MessageOptions */

static inline int64_t google_protobuf_MessageOptions_size(const google_protobuf_MessageOptions *msg) { return tern_protobuf_size(&google_protobuf_MessageOptions_type, msg); }

static inline int64_t google_protobuf_MessageOptions_encode(const google_protobuf_MessageOptions *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&google_protobuf_MessageOptions_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int google_protobuf_MessageOptions_decode(const void *data, size_t len, tern_arena *arena, int mode, google_protobuf_MessageOptions *msg) {
    return tern_protobuf_decode(&google_protobuf_MessageOptions_type, data, len, arena, mode, NULL, msg);
}

static inline int google_protobuf_MessageOptions_copy(const google_protobuf_MessageOptions *src, tern_arena *arena, google_protobuf_MessageOptions *dst) {
    return tern_message_copy(&google_protobuf_MessageOptions_type, src, arena, dst);
}

static inline bool google_protobuf_MessageOptions_equal(const google_protobuf_MessageOptions *a, const google_protobuf_MessageOptions *b) { return tern_message_equal(&google_protobuf_MessageOptions_type, a, b); }

static inline bool google_protobuf_MessageOptions_has_message_set_wire_format(const google_protobuf_MessageOptions *msg) { return msg->has.message_set_wire_format; }

static inline void google_protobuf_MessageOptions_set_message_set_wire_format(google_protobuf_MessageOptions *msg, bool value) {
    msg->message_set_wire_format = value;
    msg->has.message_set_wire_format = 1;
}

static inline void google_protobuf_MessageOptions_clear_message_set_wire_format(google_protobuf_MessageOptions *msg) {
    msg->message_set_wire_format = 0;
    msg->has.message_set_wire_format = 0;
}

/* The value, or the schema's default when it is not set. */
static inline bool google_protobuf_MessageOptions_get_message_set_wire_format(const google_protobuf_MessageOptions *msg) {
    return google_protobuf_MessageOptions_has_message_set_wire_format(msg) ? msg->message_set_wire_format : false;
}

static inline bool google_protobuf_MessageOptions_has_no_standard_descriptor_accessor(const google_protobuf_MessageOptions *msg) { return msg->has.no_standard_descriptor_accessor; }

static inline void google_protobuf_MessageOptions_set_no_standard_descriptor_accessor(google_protobuf_MessageOptions *msg, bool value) {
    msg->no_standard_descriptor_accessor = value;
    msg->has.no_standard_descriptor_accessor = 1;
}

static inline void google_protobuf_MessageOptions_clear_no_standard_descriptor_accessor(google_protobuf_MessageOptions *msg) {
    msg->no_standard_descriptor_accessor = 0;
    msg->has.no_standard_descriptor_accessor = 0;
}

/* The value, or the schema's default when it is not set. */
static inline bool google_protobuf_MessageOptions_get_no_standard_descriptor_accessor(const google_protobuf_MessageOptions *msg) {
    return google_protobuf_MessageOptions_has_no_standard_descriptor_accessor(msg) ? msg->no_standard_descriptor_accessor : false;
}

static inline bool google_protobuf_MessageOptions_has_deprecated(const google_protobuf_MessageOptions *msg) { return msg->has.deprecated; }

static inline void google_protobuf_MessageOptions_set_deprecated(google_protobuf_MessageOptions *msg, bool value) {
    msg->deprecated = value;
    msg->has.deprecated = 1;
}

static inline void google_protobuf_MessageOptions_clear_deprecated(google_protobuf_MessageOptions *msg) {
    msg->deprecated = 0;
    msg->has.deprecated = 0;
}

/* The value, or the schema's default when it is not set. */
static inline bool google_protobuf_MessageOptions_get_deprecated(const google_protobuf_MessageOptions *msg) {
    return google_protobuf_MessageOptions_has_deprecated(msg) ? msg->deprecated : false;
}

static inline bool google_protobuf_MessageOptions_has_map_entry(const google_protobuf_MessageOptions *msg) { return msg->has.map_entry; }

static inline void google_protobuf_MessageOptions_set_map_entry(google_protobuf_MessageOptions *msg, bool value) {
    msg->map_entry = value;
    msg->has.map_entry = 1;
}

static inline void google_protobuf_MessageOptions_clear_map_entry(google_protobuf_MessageOptions *msg) {
    msg->map_entry = 0;
    msg->has.map_entry = 0;
}

static inline int google_protobuf_MessageOptions_reserve_uninterpreted_option(google_protobuf_MessageOptions *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->uninterpreted_option, n, sizeof *msg->uninterpreted_option.data, arena);
}

static inline google_protobuf_UninterpretedOption *google_protobuf_MessageOptions_add_uninterpreted_option(google_protobuf_MessageOptions *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->uninterpreted_option, msg->uninterpreted_option.len + 1, sizeof *msg->uninterpreted_option.data, arena)) return NULL;
    return &msg->uninterpreted_option.data[msg->uninterpreted_option.len++];
}

/* ---- google.protobuf.FieldOptions */

static inline int64_t google_protobuf_FieldOptions_size(const google_protobuf_FieldOptions *msg) { return tern_protobuf_size(&google_protobuf_FieldOptions_type, msg); }

static inline int64_t google_protobuf_FieldOptions_encode(const google_protobuf_FieldOptions *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&google_protobuf_FieldOptions_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int google_protobuf_FieldOptions_decode(const void *data, size_t len, tern_arena *arena, int mode, google_protobuf_FieldOptions *msg) {
    return tern_protobuf_decode(&google_protobuf_FieldOptions_type, data, len, arena, mode, NULL, msg);
}

static inline int google_protobuf_FieldOptions_copy(const google_protobuf_FieldOptions *src, tern_arena *arena, google_protobuf_FieldOptions *dst) {
    return tern_message_copy(&google_protobuf_FieldOptions_type, src, arena, dst);
}

static inline bool google_protobuf_FieldOptions_equal(const google_protobuf_FieldOptions *a, const google_protobuf_FieldOptions *b) { return tern_message_equal(&google_protobuf_FieldOptions_type, a, b); }

static inline bool google_protobuf_FieldOptions_has_ctype(const google_protobuf_FieldOptions *msg) { return msg->has.ctype; }

static inline void google_protobuf_FieldOptions_set_ctype(google_protobuf_FieldOptions *msg, int32_t value) {
    msg->ctype = value;
    msg->has.ctype = 1;
}

static inline void google_protobuf_FieldOptions_clear_ctype(google_protobuf_FieldOptions *msg) {
    msg->ctype = 0;
    msg->has.ctype = 0;
}

/* The value, or the schema's default when it is not set. */
static inline int32_t google_protobuf_FieldOptions_get_ctype(const google_protobuf_FieldOptions *msg) {
    return google_protobuf_FieldOptions_has_ctype(msg) ? msg->ctype : google_protobuf_FieldOptions_CType_STRING;
}

static inline bool google_protobuf_FieldOptions_has_packed(const google_protobuf_FieldOptions *msg) { return msg->has.packed; }

static inline void google_protobuf_FieldOptions_set_packed(google_protobuf_FieldOptions *msg, bool value) {
    msg->packed = value;
    msg->has.packed = 1;
}

static inline void google_protobuf_FieldOptions_clear_packed(google_protobuf_FieldOptions *msg) {
    msg->packed = 0;
    msg->has.packed = 0;
}

static inline bool google_protobuf_FieldOptions_has_jstype(const google_protobuf_FieldOptions *msg) { return msg->has.jstype; }

static inline void google_protobuf_FieldOptions_set_jstype(google_protobuf_FieldOptions *msg, int32_t value) {
    msg->jstype = value;
    msg->has.jstype = 1;
}

static inline void google_protobuf_FieldOptions_clear_jstype(google_protobuf_FieldOptions *msg) {
    msg->jstype = 0;
    msg->has.jstype = 0;
}

/* The value, or the schema's default when it is not set. */
static inline int32_t google_protobuf_FieldOptions_get_jstype(const google_protobuf_FieldOptions *msg) {
    return google_protobuf_FieldOptions_has_jstype(msg) ? msg->jstype : google_protobuf_FieldOptions_JSType_JS_NORMAL;
}

static inline bool google_protobuf_FieldOptions_has_lazy(const google_protobuf_FieldOptions *msg) { return msg->has.lazy; }

static inline void google_protobuf_FieldOptions_set_lazy(google_protobuf_FieldOptions *msg, bool value) {
    msg->lazy = value;
    msg->has.lazy = 1;
}

static inline void google_protobuf_FieldOptions_clear_lazy(google_protobuf_FieldOptions *msg) {
    msg->lazy = 0;
    msg->has.lazy = 0;
}

/* The value, or the schema's default when it is not set. */
static inline bool google_protobuf_FieldOptions_get_lazy(const google_protobuf_FieldOptions *msg) {
    return google_protobuf_FieldOptions_has_lazy(msg) ? msg->lazy : false;
}

static inline bool google_protobuf_FieldOptions_has_unverified_lazy(const google_protobuf_FieldOptions *msg) { return msg->has.unverified_lazy; }

static inline void google_protobuf_FieldOptions_set_unverified_lazy(google_protobuf_FieldOptions *msg, bool value) {
    msg->unverified_lazy = value;
    msg->has.unverified_lazy = 1;
}

static inline void google_protobuf_FieldOptions_clear_unverified_lazy(google_protobuf_FieldOptions *msg) {
    msg->unverified_lazy = 0;
    msg->has.unverified_lazy = 0;
}

/* The value, or the schema's default when it is not set. */
static inline bool google_protobuf_FieldOptions_get_unverified_lazy(const google_protobuf_FieldOptions *msg) {
    return google_protobuf_FieldOptions_has_unverified_lazy(msg) ? msg->unverified_lazy : false;
}

static inline bool google_protobuf_FieldOptions_has_deprecated(const google_protobuf_FieldOptions *msg) { return msg->has.deprecated; }

static inline void google_protobuf_FieldOptions_set_deprecated(google_protobuf_FieldOptions *msg, bool value) {
    msg->deprecated = value;
    msg->has.deprecated = 1;
}

static inline void google_protobuf_FieldOptions_clear_deprecated(google_protobuf_FieldOptions *msg) {
    msg->deprecated = 0;
    msg->has.deprecated = 0;
}

/* The value, or the schema's default when it is not set. */
static inline bool google_protobuf_FieldOptions_get_deprecated(const google_protobuf_FieldOptions *msg) {
    return google_protobuf_FieldOptions_has_deprecated(msg) ? msg->deprecated : false;
}

static inline bool google_protobuf_FieldOptions_has_weak(const google_protobuf_FieldOptions *msg) { return msg->has.weak; }

static inline void google_protobuf_FieldOptions_set_weak(google_protobuf_FieldOptions *msg, bool value) {
    msg->weak = value;
    msg->has.weak = 1;
}

static inline void google_protobuf_FieldOptions_clear_weak(google_protobuf_FieldOptions *msg) {
    msg->weak = 0;
    msg->has.weak = 0;
}

/* The value, or the schema's default when it is not set. */
static inline bool google_protobuf_FieldOptions_get_weak(const google_protobuf_FieldOptions *msg) {
    return google_protobuf_FieldOptions_has_weak(msg) ? msg->weak : false;
}

static inline int google_protobuf_FieldOptions_reserve_uninterpreted_option(google_protobuf_FieldOptions *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->uninterpreted_option, n, sizeof *msg->uninterpreted_option.data, arena);
}

static inline google_protobuf_UninterpretedOption *google_protobuf_FieldOptions_add_uninterpreted_option(google_protobuf_FieldOptions *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->uninterpreted_option, msg->uninterpreted_option.len + 1, sizeof *msg->uninterpreted_option.data, arena)) return NULL;
    return &msg->uninterpreted_option.data[msg->uninterpreted_option.len++];
}

/* ---- google.protobuf.OneofOptions */

static inline int64_t google_protobuf_OneofOptions_size(const google_protobuf_OneofOptions *msg) { return tern_protobuf_size(&google_protobuf_OneofOptions_type, msg); }

static inline int64_t google_protobuf_OneofOptions_encode(const google_protobuf_OneofOptions *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&google_protobuf_OneofOptions_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int google_protobuf_OneofOptions_decode(const void *data, size_t len, tern_arena *arena, int mode, google_protobuf_OneofOptions *msg) {
    return tern_protobuf_decode(&google_protobuf_OneofOptions_type, data, len, arena, mode, NULL, msg);
}

static inline int google_protobuf_OneofOptions_copy(const google_protobuf_OneofOptions *src, tern_arena *arena, google_protobuf_OneofOptions *dst) {
    return tern_message_copy(&google_protobuf_OneofOptions_type, src, arena, dst);
}

static inline bool google_protobuf_OneofOptions_equal(const google_protobuf_OneofOptions *a, const google_protobuf_OneofOptions *b) { return tern_message_equal(&google_protobuf_OneofOptions_type, a, b); }

static inline int google_protobuf_OneofOptions_reserve_uninterpreted_option(google_protobuf_OneofOptions *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->uninterpreted_option, n, sizeof *msg->uninterpreted_option.data, arena);
}

static inline google_protobuf_UninterpretedOption *google_protobuf_OneofOptions_add_uninterpreted_option(google_protobuf_OneofOptions *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->uninterpreted_option, msg->uninterpreted_option.len + 1, sizeof *msg->uninterpreted_option.data, arena)) return NULL;
    return &msg->uninterpreted_option.data[msg->uninterpreted_option.len++];
}

/* ---- google.protobuf.EnumOptions */

static inline int64_t google_protobuf_EnumOptions_size(const google_protobuf_EnumOptions *msg) { return tern_protobuf_size(&google_protobuf_EnumOptions_type, msg); }

static inline int64_t google_protobuf_EnumOptions_encode(const google_protobuf_EnumOptions *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&google_protobuf_EnumOptions_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int google_protobuf_EnumOptions_decode(const void *data, size_t len, tern_arena *arena, int mode, google_protobuf_EnumOptions *msg) {
    return tern_protobuf_decode(&google_protobuf_EnumOptions_type, data, len, arena, mode, NULL, msg);
}

static inline int google_protobuf_EnumOptions_copy(const google_protobuf_EnumOptions *src, tern_arena *arena, google_protobuf_EnumOptions *dst) {
    return tern_message_copy(&google_protobuf_EnumOptions_type, src, arena, dst);
}

static inline bool google_protobuf_EnumOptions_equal(const google_protobuf_EnumOptions *a, const google_protobuf_EnumOptions *b) { return tern_message_equal(&google_protobuf_EnumOptions_type, a, b); }

static inline bool google_protobuf_EnumOptions_has_allow_alias(const google_protobuf_EnumOptions *msg) { return msg->has.allow_alias; }

static inline void google_protobuf_EnumOptions_set_allow_alias(google_protobuf_EnumOptions *msg, bool value) {
    msg->allow_alias = value;
    msg->has.allow_alias = 1;
}

static inline void google_protobuf_EnumOptions_clear_allow_alias(google_protobuf_EnumOptions *msg) {
    msg->allow_alias = 0;
    msg->has.allow_alias = 0;
}

static inline bool google_protobuf_EnumOptions_has_deprecated(const google_protobuf_EnumOptions *msg) { return msg->has.deprecated; }

static inline void google_protobuf_EnumOptions_set_deprecated(google_protobuf_EnumOptions *msg, bool value) {
    msg->deprecated = value;
    msg->has.deprecated = 1;
}

static inline void google_protobuf_EnumOptions_clear_deprecated(google_protobuf_EnumOptions *msg) {
    msg->deprecated = 0;
    msg->has.deprecated = 0;
}

/* The value, or the schema's default when it is not set. */
static inline bool google_protobuf_EnumOptions_get_deprecated(const google_protobuf_EnumOptions *msg) {
    return google_protobuf_EnumOptions_has_deprecated(msg) ? msg->deprecated : false;
}

static inline int google_protobuf_EnumOptions_reserve_uninterpreted_option(google_protobuf_EnumOptions *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->uninterpreted_option, n, sizeof *msg->uninterpreted_option.data, arena);
}

static inline google_protobuf_UninterpretedOption *google_protobuf_EnumOptions_add_uninterpreted_option(google_protobuf_EnumOptions *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->uninterpreted_option, msg->uninterpreted_option.len + 1, sizeof *msg->uninterpreted_option.data, arena)) return NULL;
    return &msg->uninterpreted_option.data[msg->uninterpreted_option.len++];
}

/* ---- google.protobuf.EnumValueOptions */

static inline int64_t google_protobuf_EnumValueOptions_size(const google_protobuf_EnumValueOptions *msg) { return tern_protobuf_size(&google_protobuf_EnumValueOptions_type, msg); }

static inline int64_t google_protobuf_EnumValueOptions_encode(const google_protobuf_EnumValueOptions *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&google_protobuf_EnumValueOptions_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int google_protobuf_EnumValueOptions_decode(const void *data, size_t len, tern_arena *arena, int mode, google_protobuf_EnumValueOptions *msg) {
    return tern_protobuf_decode(&google_protobuf_EnumValueOptions_type, data, len, arena, mode, NULL, msg);
}

static inline int google_protobuf_EnumValueOptions_copy(const google_protobuf_EnumValueOptions *src, tern_arena *arena, google_protobuf_EnumValueOptions *dst) {
    return tern_message_copy(&google_protobuf_EnumValueOptions_type, src, arena, dst);
}

static inline bool google_protobuf_EnumValueOptions_equal(const google_protobuf_EnumValueOptions *a, const google_protobuf_EnumValueOptions *b) { return tern_message_equal(&google_protobuf_EnumValueOptions_type, a, b); }

static inline bool google_protobuf_EnumValueOptions_has_deprecated(const google_protobuf_EnumValueOptions *msg) { return msg->has.deprecated; }

static inline void google_protobuf_EnumValueOptions_set_deprecated(google_protobuf_EnumValueOptions *msg, bool value) {
    msg->deprecated = value;
    msg->has.deprecated = 1;
}

static inline void google_protobuf_EnumValueOptions_clear_deprecated(google_protobuf_EnumValueOptions *msg) {
    msg->deprecated = 0;
    msg->has.deprecated = 0;
}

/* The value, or the schema's default when it is not set. */
static inline bool google_protobuf_EnumValueOptions_get_deprecated(const google_protobuf_EnumValueOptions *msg) {
    return google_protobuf_EnumValueOptions_has_deprecated(msg) ? msg->deprecated : false;
}

static inline int google_protobuf_EnumValueOptions_reserve_uninterpreted_option(google_protobuf_EnumValueOptions *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->uninterpreted_option, n, sizeof *msg->uninterpreted_option.data, arena);
}

static inline google_protobuf_UninterpretedOption *google_protobuf_EnumValueOptions_add_uninterpreted_option(google_protobuf_EnumValueOptions *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->uninterpreted_option, msg->uninterpreted_option.len + 1, sizeof *msg->uninterpreted_option.data, arena)) return NULL;
    return &msg->uninterpreted_option.data[msg->uninterpreted_option.len++];
}

/* ---- google.protobuf.ServiceOptions */

static inline int64_t google_protobuf_ServiceOptions_size(const google_protobuf_ServiceOptions *msg) { return tern_protobuf_size(&google_protobuf_ServiceOptions_type, msg); }

static inline int64_t google_protobuf_ServiceOptions_encode(const google_protobuf_ServiceOptions *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&google_protobuf_ServiceOptions_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int google_protobuf_ServiceOptions_decode(const void *data, size_t len, tern_arena *arena, int mode, google_protobuf_ServiceOptions *msg) {
    return tern_protobuf_decode(&google_protobuf_ServiceOptions_type, data, len, arena, mode, NULL, msg);
}

static inline int google_protobuf_ServiceOptions_copy(const google_protobuf_ServiceOptions *src, tern_arena *arena, google_protobuf_ServiceOptions *dst) {
    return tern_message_copy(&google_protobuf_ServiceOptions_type, src, arena, dst);
}

static inline bool google_protobuf_ServiceOptions_equal(const google_protobuf_ServiceOptions *a, const google_protobuf_ServiceOptions *b) { return tern_message_equal(&google_protobuf_ServiceOptions_type, a, b); }

static inline bool google_protobuf_ServiceOptions_has_deprecated(const google_protobuf_ServiceOptions *msg) { return msg->has.deprecated; }

static inline void google_protobuf_ServiceOptions_set_deprecated(google_protobuf_ServiceOptions *msg, bool value) {
    msg->deprecated = value;
    msg->has.deprecated = 1;
}

static inline void google_protobuf_ServiceOptions_clear_deprecated(google_protobuf_ServiceOptions *msg) {
    msg->deprecated = 0;
    msg->has.deprecated = 0;
}

/* The value, or the schema's default when it is not set. */
static inline bool google_protobuf_ServiceOptions_get_deprecated(const google_protobuf_ServiceOptions *msg) {
    return google_protobuf_ServiceOptions_has_deprecated(msg) ? msg->deprecated : false;
}

static inline int google_protobuf_ServiceOptions_reserve_uninterpreted_option(google_protobuf_ServiceOptions *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->uninterpreted_option, n, sizeof *msg->uninterpreted_option.data, arena);
}

static inline google_protobuf_UninterpretedOption *google_protobuf_ServiceOptions_add_uninterpreted_option(google_protobuf_ServiceOptions *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->uninterpreted_option, msg->uninterpreted_option.len + 1, sizeof *msg->uninterpreted_option.data, arena)) return NULL;
    return &msg->uninterpreted_option.data[msg->uninterpreted_option.len++];
}

/* ---- google.protobuf.MethodOptions */

static inline int64_t google_protobuf_MethodOptions_size(const google_protobuf_MethodOptions *msg) { return tern_protobuf_size(&google_protobuf_MethodOptions_type, msg); }

static inline int64_t google_protobuf_MethodOptions_encode(const google_protobuf_MethodOptions *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&google_protobuf_MethodOptions_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int google_protobuf_MethodOptions_decode(const void *data, size_t len, tern_arena *arena, int mode, google_protobuf_MethodOptions *msg) {
    return tern_protobuf_decode(&google_protobuf_MethodOptions_type, data, len, arena, mode, NULL, msg);
}

static inline int google_protobuf_MethodOptions_copy(const google_protobuf_MethodOptions *src, tern_arena *arena, google_protobuf_MethodOptions *dst) {
    return tern_message_copy(&google_protobuf_MethodOptions_type, src, arena, dst);
}

static inline bool google_protobuf_MethodOptions_equal(const google_protobuf_MethodOptions *a, const google_protobuf_MethodOptions *b) { return tern_message_equal(&google_protobuf_MethodOptions_type, a, b); }

static inline bool google_protobuf_MethodOptions_has_deprecated(const google_protobuf_MethodOptions *msg) { return msg->has.deprecated; }

static inline void google_protobuf_MethodOptions_set_deprecated(google_protobuf_MethodOptions *msg, bool value) {
    msg->deprecated = value;
    msg->has.deprecated = 1;
}

static inline void google_protobuf_MethodOptions_clear_deprecated(google_protobuf_MethodOptions *msg) {
    msg->deprecated = 0;
    msg->has.deprecated = 0;
}

/* The value, or the schema's default when it is not set. */
static inline bool google_protobuf_MethodOptions_get_deprecated(const google_protobuf_MethodOptions *msg) {
    return google_protobuf_MethodOptions_has_deprecated(msg) ? msg->deprecated : false;
}

static inline bool google_protobuf_MethodOptions_has_idempotency_level(const google_protobuf_MethodOptions *msg) { return msg->has.idempotency_level; }

static inline void google_protobuf_MethodOptions_set_idempotency_level(google_protobuf_MethodOptions *msg, int32_t value) {
    msg->idempotency_level = value;
    msg->has.idempotency_level = 1;
}

static inline void google_protobuf_MethodOptions_clear_idempotency_level(google_protobuf_MethodOptions *msg) {
    msg->idempotency_level = 0;
    msg->has.idempotency_level = 0;
}

/* The value, or the schema's default when it is not set. */
static inline int32_t google_protobuf_MethodOptions_get_idempotency_level(const google_protobuf_MethodOptions *msg) {
    return google_protobuf_MethodOptions_has_idempotency_level(msg) ? msg->idempotency_level : google_protobuf_MethodOptions_IdempotencyLevel_IDEMPOTENCY_UNKNOWN;
}

static inline int google_protobuf_MethodOptions_reserve_uninterpreted_option(google_protobuf_MethodOptions *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->uninterpreted_option, n, sizeof *msg->uninterpreted_option.data, arena);
}

static inline google_protobuf_UninterpretedOption *google_protobuf_MethodOptions_add_uninterpreted_option(google_protobuf_MethodOptions *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->uninterpreted_option, msg->uninterpreted_option.len + 1, sizeof *msg->uninterpreted_option.data, arena)) return NULL;
    return &msg->uninterpreted_option.data[msg->uninterpreted_option.len++];
}

/* ---- google.protobuf.UninterpretedOption */

static inline int64_t google_protobuf_UninterpretedOption_size(const google_protobuf_UninterpretedOption *msg) { return tern_protobuf_size(&google_protobuf_UninterpretedOption_type, msg); }

static inline int64_t google_protobuf_UninterpretedOption_encode(const google_protobuf_UninterpretedOption *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&google_protobuf_UninterpretedOption_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int google_protobuf_UninterpretedOption_decode(const void *data, size_t len, tern_arena *arena, int mode, google_protobuf_UninterpretedOption *msg) {
    return tern_protobuf_decode(&google_protobuf_UninterpretedOption_type, data, len, arena, mode, NULL, msg);
}

static inline int google_protobuf_UninterpretedOption_copy(const google_protobuf_UninterpretedOption *src, tern_arena *arena, google_protobuf_UninterpretedOption *dst) {
    return tern_message_copy(&google_protobuf_UninterpretedOption_type, src, arena, dst);
}

static inline bool google_protobuf_UninterpretedOption_equal(const google_protobuf_UninterpretedOption *a, const google_protobuf_UninterpretedOption *b) { return tern_message_equal(&google_protobuf_UninterpretedOption_type, a, b); }

static inline int google_protobuf_UninterpretedOption_reserve_name(google_protobuf_UninterpretedOption *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->name, n, sizeof *msg->name.data, arena);
}

static inline google_protobuf_UninterpretedOption_NamePart *google_protobuf_UninterpretedOption_add_name(google_protobuf_UninterpretedOption *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->name, msg->name.len + 1, sizeof *msg->name.data, arena)) return NULL;
    return &msg->name.data[msg->name.len++];
}

static inline bool google_protobuf_UninterpretedOption_has_identifier_value(const google_protobuf_UninterpretedOption *msg) { return msg->has.identifier_value; }

static inline void google_protobuf_UninterpretedOption_set_identifier_value(google_protobuf_UninterpretedOption *msg, tern_str value) {
    msg->identifier_value = value;
    msg->has.identifier_value = 1;
}

static inline void google_protobuf_UninterpretedOption_clear_identifier_value(google_protobuf_UninterpretedOption *msg) {
    msg->identifier_value.data = NULL;
    msg->identifier_value.len = 0;
    msg->has.identifier_value = 0;
}

static inline bool google_protobuf_UninterpretedOption_has_positive_int_value(const google_protobuf_UninterpretedOption *msg) { return msg->has.positive_int_value; }

static inline void google_protobuf_UninterpretedOption_set_positive_int_value(google_protobuf_UninterpretedOption *msg, uint64_t value) {
    msg->positive_int_value = value;
    msg->has.positive_int_value = 1;
}

static inline void google_protobuf_UninterpretedOption_clear_positive_int_value(google_protobuf_UninterpretedOption *msg) {
    msg->positive_int_value = 0;
    msg->has.positive_int_value = 0;
}

static inline bool google_protobuf_UninterpretedOption_has_negative_int_value(const google_protobuf_UninterpretedOption *msg) { return msg->has.negative_int_value; }

static inline void google_protobuf_UninterpretedOption_set_negative_int_value(google_protobuf_UninterpretedOption *msg, int64_t value) {
    msg->negative_int_value = value;
    msg->has.negative_int_value = 1;
}

static inline void google_protobuf_UninterpretedOption_clear_negative_int_value(google_protobuf_UninterpretedOption *msg) {
    msg->negative_int_value = 0;
    msg->has.negative_int_value = 0;
}

static inline bool google_protobuf_UninterpretedOption_has_double_value(const google_protobuf_UninterpretedOption *msg) { return msg->has.double_value; }

static inline void google_protobuf_UninterpretedOption_set_double_value(google_protobuf_UninterpretedOption *msg, double value) {
    msg->double_value = value;
    msg->has.double_value = 1;
}

static inline void google_protobuf_UninterpretedOption_clear_double_value(google_protobuf_UninterpretedOption *msg) {
    msg->double_value = 0;
    msg->has.double_value = 0;
}

static inline bool google_protobuf_UninterpretedOption_has_string_value(const google_protobuf_UninterpretedOption *msg) { return msg->has.string_value; }

static inline void google_protobuf_UninterpretedOption_set_string_value(google_protobuf_UninterpretedOption *msg, tern_bytes value) {
    msg->string_value = value;
    msg->has.string_value = 1;
}

static inline void google_protobuf_UninterpretedOption_clear_string_value(google_protobuf_UninterpretedOption *msg) {
    msg->string_value.data = NULL;
    msg->string_value.len = 0;
    msg->has.string_value = 0;
}

static inline bool google_protobuf_UninterpretedOption_has_aggregate_value(const google_protobuf_UninterpretedOption *msg) { return msg->has.aggregate_value; }

static inline void google_protobuf_UninterpretedOption_set_aggregate_value(google_protobuf_UninterpretedOption *msg, tern_str value) {
    msg->aggregate_value = value;
    msg->has.aggregate_value = 1;
}

static inline void google_protobuf_UninterpretedOption_clear_aggregate_value(google_protobuf_UninterpretedOption *msg) {
    msg->aggregate_value.data = NULL;
    msg->aggregate_value.len = 0;
    msg->has.aggregate_value = 0;
}

/* ---- google.protobuf.UninterpretedOption.NamePart */

static inline int64_t google_protobuf_UninterpretedOption_NamePart_size(const google_protobuf_UninterpretedOption_NamePart *msg) { return tern_protobuf_size(&google_protobuf_UninterpretedOption_NamePart_type, msg); }

static inline int64_t google_protobuf_UninterpretedOption_NamePart_encode(const google_protobuf_UninterpretedOption_NamePart *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&google_protobuf_UninterpretedOption_NamePart_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int google_protobuf_UninterpretedOption_NamePart_decode(const void *data, size_t len, tern_arena *arena, int mode, google_protobuf_UninterpretedOption_NamePart *msg) {
    return tern_protobuf_decode(&google_protobuf_UninterpretedOption_NamePart_type, data, len, arena, mode, NULL, msg);
}

static inline int google_protobuf_UninterpretedOption_NamePart_copy(const google_protobuf_UninterpretedOption_NamePart *src, tern_arena *arena, google_protobuf_UninterpretedOption_NamePart *dst) {
    return tern_message_copy(&google_protobuf_UninterpretedOption_NamePart_type, src, arena, dst);
}

static inline bool google_protobuf_UninterpretedOption_NamePart_equal(const google_protobuf_UninterpretedOption_NamePart *a, const google_protobuf_UninterpretedOption_NamePart *b) { return tern_message_equal(&google_protobuf_UninterpretedOption_NamePart_type, a, b); }

static inline bool google_protobuf_UninterpretedOption_NamePart_has_name_part(const google_protobuf_UninterpretedOption_NamePart *msg) { return msg->has.name_part; }

static inline void google_protobuf_UninterpretedOption_NamePart_set_name_part(google_protobuf_UninterpretedOption_NamePart *msg, tern_str value) {
    msg->name_part = value;
    msg->has.name_part = 1;
}

static inline void google_protobuf_UninterpretedOption_NamePart_clear_name_part(google_protobuf_UninterpretedOption_NamePart *msg) {
    msg->name_part.data = NULL;
    msg->name_part.len = 0;
    msg->has.name_part = 0;
}

static inline bool google_protobuf_UninterpretedOption_NamePart_has_is_extension(const google_protobuf_UninterpretedOption_NamePart *msg) { return msg->has.is_extension; }

static inline void google_protobuf_UninterpretedOption_NamePart_set_is_extension(google_protobuf_UninterpretedOption_NamePart *msg, bool value) {
    msg->is_extension = value;
    msg->has.is_extension = 1;
}

static inline void google_protobuf_UninterpretedOption_NamePart_clear_is_extension(google_protobuf_UninterpretedOption_NamePart *msg) {
    msg->is_extension = 0;
    msg->has.is_extension = 0;
}

/* ---- google.protobuf.SourceCodeInfo */

static inline int64_t google_protobuf_SourceCodeInfo_size(const google_protobuf_SourceCodeInfo *msg) { return tern_protobuf_size(&google_protobuf_SourceCodeInfo_type, msg); }

static inline int64_t google_protobuf_SourceCodeInfo_encode(const google_protobuf_SourceCodeInfo *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&google_protobuf_SourceCodeInfo_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int google_protobuf_SourceCodeInfo_decode(const void *data, size_t len, tern_arena *arena, int mode, google_protobuf_SourceCodeInfo *msg) {
    return tern_protobuf_decode(&google_protobuf_SourceCodeInfo_type, data, len, arena, mode, NULL, msg);
}

static inline int google_protobuf_SourceCodeInfo_copy(const google_protobuf_SourceCodeInfo *src, tern_arena *arena, google_protobuf_SourceCodeInfo *dst) {
    return tern_message_copy(&google_protobuf_SourceCodeInfo_type, src, arena, dst);
}

static inline bool google_protobuf_SourceCodeInfo_equal(const google_protobuf_SourceCodeInfo *a, const google_protobuf_SourceCodeInfo *b) { return tern_message_equal(&google_protobuf_SourceCodeInfo_type, a, b); }

static inline int google_protobuf_SourceCodeInfo_reserve_location(google_protobuf_SourceCodeInfo *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->location, n, sizeof *msg->location.data, arena);
}

static inline google_protobuf_SourceCodeInfo_Location *google_protobuf_SourceCodeInfo_add_location(google_protobuf_SourceCodeInfo *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->location, msg->location.len + 1, sizeof *msg->location.data, arena)) return NULL;
    return &msg->location.data[msg->location.len++];
}

/* ---- google.protobuf.SourceCodeInfo.Location */

static inline int64_t google_protobuf_SourceCodeInfo_Location_size(const google_protobuf_SourceCodeInfo_Location *msg) { return tern_protobuf_size(&google_protobuf_SourceCodeInfo_Location_type, msg); }

static inline int64_t google_protobuf_SourceCodeInfo_Location_encode(const google_protobuf_SourceCodeInfo_Location *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&google_protobuf_SourceCodeInfo_Location_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int google_protobuf_SourceCodeInfo_Location_decode(const void *data, size_t len, tern_arena *arena, int mode, google_protobuf_SourceCodeInfo_Location *msg) {
    return tern_protobuf_decode(&google_protobuf_SourceCodeInfo_Location_type, data, len, arena, mode, NULL, msg);
}

static inline int google_protobuf_SourceCodeInfo_Location_copy(const google_protobuf_SourceCodeInfo_Location *src, tern_arena *arena, google_protobuf_SourceCodeInfo_Location *dst) {
    return tern_message_copy(&google_protobuf_SourceCodeInfo_Location_type, src, arena, dst);
}

static inline bool google_protobuf_SourceCodeInfo_Location_equal(const google_protobuf_SourceCodeInfo_Location *a, const google_protobuf_SourceCodeInfo_Location *b) { return tern_message_equal(&google_protobuf_SourceCodeInfo_Location_type, a, b); }

static inline int google_protobuf_SourceCodeInfo_Location_reserve_path(google_protobuf_SourceCodeInfo_Location *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->path, n, sizeof *msg->path.data, arena);
}

static inline int32_t *google_protobuf_SourceCodeInfo_Location_add_path(google_protobuf_SourceCodeInfo_Location *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->path, msg->path.len + 1, sizeof *msg->path.data, arena)) return NULL;
    return &msg->path.data[msg->path.len++];
}

static inline int google_protobuf_SourceCodeInfo_Location_reserve_span(google_protobuf_SourceCodeInfo_Location *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->span, n, sizeof *msg->span.data, arena);
}

static inline int32_t *google_protobuf_SourceCodeInfo_Location_add_span(google_protobuf_SourceCodeInfo_Location *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->span, msg->span.len + 1, sizeof *msg->span.data, arena)) return NULL;
    return &msg->span.data[msg->span.len++];
}

static inline bool google_protobuf_SourceCodeInfo_Location_has_leading_comments(const google_protobuf_SourceCodeInfo_Location *msg) { return msg->has.leading_comments; }

static inline void google_protobuf_SourceCodeInfo_Location_set_leading_comments(google_protobuf_SourceCodeInfo_Location *msg, tern_str value) {
    msg->leading_comments = value;
    msg->has.leading_comments = 1;
}

static inline void google_protobuf_SourceCodeInfo_Location_clear_leading_comments(google_protobuf_SourceCodeInfo_Location *msg) {
    msg->leading_comments.data = NULL;
    msg->leading_comments.len = 0;
    msg->has.leading_comments = 0;
}

static inline bool google_protobuf_SourceCodeInfo_Location_has_trailing_comments(const google_protobuf_SourceCodeInfo_Location *msg) { return msg->has.trailing_comments; }

static inline void google_protobuf_SourceCodeInfo_Location_set_trailing_comments(google_protobuf_SourceCodeInfo_Location *msg, tern_str value) {
    msg->trailing_comments = value;
    msg->has.trailing_comments = 1;
}

static inline void google_protobuf_SourceCodeInfo_Location_clear_trailing_comments(google_protobuf_SourceCodeInfo_Location *msg) {
    msg->trailing_comments.data = NULL;
    msg->trailing_comments.len = 0;
    msg->has.trailing_comments = 0;
}

static inline int google_protobuf_SourceCodeInfo_Location_reserve_leading_detached_comments(google_protobuf_SourceCodeInfo_Location *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->leading_detached_comments, n, sizeof *msg->leading_detached_comments.data, arena);
}

static inline tern_str *google_protobuf_SourceCodeInfo_Location_add_leading_detached_comments(google_protobuf_SourceCodeInfo_Location *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->leading_detached_comments, msg->leading_detached_comments.len + 1, sizeof *msg->leading_detached_comments.data, arena)) return NULL;
    return &msg->leading_detached_comments.data[msg->leading_detached_comments.len++];
}

/* ---- google.protobuf.GeneratedCodeInfo */

static inline int64_t google_protobuf_GeneratedCodeInfo_size(const google_protobuf_GeneratedCodeInfo *msg) { return tern_protobuf_size(&google_protobuf_GeneratedCodeInfo_type, msg); }

static inline int64_t google_protobuf_GeneratedCodeInfo_encode(const google_protobuf_GeneratedCodeInfo *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&google_protobuf_GeneratedCodeInfo_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int google_protobuf_GeneratedCodeInfo_decode(const void *data, size_t len, tern_arena *arena, int mode, google_protobuf_GeneratedCodeInfo *msg) {
    return tern_protobuf_decode(&google_protobuf_GeneratedCodeInfo_type, data, len, arena, mode, NULL, msg);
}

static inline int google_protobuf_GeneratedCodeInfo_copy(const google_protobuf_GeneratedCodeInfo *src, tern_arena *arena, google_protobuf_GeneratedCodeInfo *dst) {
    return tern_message_copy(&google_protobuf_GeneratedCodeInfo_type, src, arena, dst);
}

static inline bool google_protobuf_GeneratedCodeInfo_equal(const google_protobuf_GeneratedCodeInfo *a, const google_protobuf_GeneratedCodeInfo *b) { return tern_message_equal(&google_protobuf_GeneratedCodeInfo_type, a, b); }

static inline int google_protobuf_GeneratedCodeInfo_reserve_annotation(google_protobuf_GeneratedCodeInfo *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->annotation, n, sizeof *msg->annotation.data, arena);
}

static inline google_protobuf_GeneratedCodeInfo_Annotation *google_protobuf_GeneratedCodeInfo_add_annotation(google_protobuf_GeneratedCodeInfo *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->annotation, msg->annotation.len + 1, sizeof *msg->annotation.data, arena)) return NULL;
    return &msg->annotation.data[msg->annotation.len++];
}

/* ---- google.protobuf.GeneratedCodeInfo.Annotation */

static inline int64_t google_protobuf_GeneratedCodeInfo_Annotation_size(const google_protobuf_GeneratedCodeInfo_Annotation *msg) { return tern_protobuf_size(&google_protobuf_GeneratedCodeInfo_Annotation_type, msg); }

static inline int64_t google_protobuf_GeneratedCodeInfo_Annotation_encode(const google_protobuf_GeneratedCodeInfo_Annotation *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&google_protobuf_GeneratedCodeInfo_Annotation_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int google_protobuf_GeneratedCodeInfo_Annotation_decode(const void *data, size_t len, tern_arena *arena, int mode, google_protobuf_GeneratedCodeInfo_Annotation *msg) {
    return tern_protobuf_decode(&google_protobuf_GeneratedCodeInfo_Annotation_type, data, len, arena, mode, NULL, msg);
}

static inline int google_protobuf_GeneratedCodeInfo_Annotation_copy(const google_protobuf_GeneratedCodeInfo_Annotation *src, tern_arena *arena, google_protobuf_GeneratedCodeInfo_Annotation *dst) {
    return tern_message_copy(&google_protobuf_GeneratedCodeInfo_Annotation_type, src, arena, dst);
}

static inline bool google_protobuf_GeneratedCodeInfo_Annotation_equal(const google_protobuf_GeneratedCodeInfo_Annotation *a, const google_protobuf_GeneratedCodeInfo_Annotation *b) { return tern_message_equal(&google_protobuf_GeneratedCodeInfo_Annotation_type, a, b); }

static inline int google_protobuf_GeneratedCodeInfo_Annotation_reserve_path(google_protobuf_GeneratedCodeInfo_Annotation *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->path, n, sizeof *msg->path.data, arena);
}

static inline int32_t *google_protobuf_GeneratedCodeInfo_Annotation_add_path(google_protobuf_GeneratedCodeInfo_Annotation *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->path, msg->path.len + 1, sizeof *msg->path.data, arena)) return NULL;
    return &msg->path.data[msg->path.len++];
}

static inline bool google_protobuf_GeneratedCodeInfo_Annotation_has_source_file(const google_protobuf_GeneratedCodeInfo_Annotation *msg) { return msg->has.source_file; }

static inline void google_protobuf_GeneratedCodeInfo_Annotation_set_source_file(google_protobuf_GeneratedCodeInfo_Annotation *msg, tern_str value) {
    msg->source_file = value;
    msg->has.source_file = 1;
}

static inline void google_protobuf_GeneratedCodeInfo_Annotation_clear_source_file(google_protobuf_GeneratedCodeInfo_Annotation *msg) {
    msg->source_file.data = NULL;
    msg->source_file.len = 0;
    msg->has.source_file = 0;
}

static inline bool google_protobuf_GeneratedCodeInfo_Annotation_has_begin(const google_protobuf_GeneratedCodeInfo_Annotation *msg) { return msg->has.begin; }

static inline void google_protobuf_GeneratedCodeInfo_Annotation_set_begin(google_protobuf_GeneratedCodeInfo_Annotation *msg, int32_t value) {
    msg->begin = value;
    msg->has.begin = 1;
}

static inline void google_protobuf_GeneratedCodeInfo_Annotation_clear_begin(google_protobuf_GeneratedCodeInfo_Annotation *msg) {
    msg->begin = 0;
    msg->has.begin = 0;
}

static inline bool google_protobuf_GeneratedCodeInfo_Annotation_has_end(const google_protobuf_GeneratedCodeInfo_Annotation *msg) { return msg->has.end; }

static inline void google_protobuf_GeneratedCodeInfo_Annotation_set_end(google_protobuf_GeneratedCodeInfo_Annotation *msg, int32_t value) {
    msg->end = value;
    msg->has.end = 1;
}

static inline void google_protobuf_GeneratedCodeInfo_Annotation_clear_end(google_protobuf_GeneratedCodeInfo_Annotation *msg) {
    msg->end = 0;
    msg->has.end = 0;
}

#ifdef __cplusplus
}
#endif
#endif
