/* Made by protoc-gen-tern from google/protobuf/type.proto; changes here are lost. */
#ifndef GOOGLE__PROTOBUF__TYPE_TERN_H
#define GOOGLE__PROTOBUF__TYPE_TERN_H

#include "tern/codec.h"
#include "google/protobuf/any.tern.h"
#include "google/protobuf/source_context.tern.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum google_protobuf_Syntax {
    google_protobuf_Syntax_SYNTAX_PROTO2 = 0,
    google_protobuf_Syntax_SYNTAX_PROTO3 = 1,
} google_protobuf_Syntax;
extern const tern_enum google_protobuf_Syntax_enum;

typedef enum google_protobuf_Field_Kind {
    google_protobuf_Field_Kind_TYPE_UNKNOWN = 0,
    google_protobuf_Field_Kind_TYPE_DOUBLE = 1,
    google_protobuf_Field_Kind_TYPE_FLOAT = 2,
    google_protobuf_Field_Kind_TYPE_INT64 = 3,
    google_protobuf_Field_Kind_TYPE_UINT64 = 4,
    google_protobuf_Field_Kind_TYPE_INT32 = 5,
    google_protobuf_Field_Kind_TYPE_FIXED64 = 6,
    google_protobuf_Field_Kind_TYPE_FIXED32 = 7,
    google_protobuf_Field_Kind_TYPE_BOOL = 8,
    google_protobuf_Field_Kind_TYPE_STRING = 9,
    google_protobuf_Field_Kind_TYPE_GROUP = 10,
    google_protobuf_Field_Kind_TYPE_MESSAGE = 11,
    google_protobuf_Field_Kind_TYPE_BYTES = 12,
    google_protobuf_Field_Kind_TYPE_UINT32 = 13,
    google_protobuf_Field_Kind_TYPE_ENUM = 14,
    google_protobuf_Field_Kind_TYPE_SFIXED32 = 15,
    google_protobuf_Field_Kind_TYPE_SFIXED64 = 16,
    google_protobuf_Field_Kind_TYPE_SINT32 = 17,
    google_protobuf_Field_Kind_TYPE_SINT64 = 18,
} google_protobuf_Field_Kind;
extern const tern_enum google_protobuf_Field_Kind_enum;

typedef enum google_protobuf_Field_Cardinality {
    google_protobuf_Field_Cardinality_CARDINALITY_UNKNOWN = 0,
    google_protobuf_Field_Cardinality_CARDINALITY_OPTIONAL = 1,
    google_protobuf_Field_Cardinality_CARDINALITY_REQUIRED = 2,
    google_protobuf_Field_Cardinality_CARDINALITY_REPEATED = 3,
} google_protobuf_Field_Cardinality;
extern const tern_enum google_protobuf_Field_Cardinality_enum;

typedef struct google_protobuf_Type google_protobuf_Type;
TERN__LIST(google_protobuf_Type_list, google_protobuf_Type);
extern const tern_type google_protobuf_Type_type;
typedef struct google_protobuf_Field google_protobuf_Field;
TERN__LIST(google_protobuf_Field_list, google_protobuf_Field);
extern const tern_type google_protobuf_Field_type;
typedef struct google_protobuf_Enum google_protobuf_Enum;
TERN__LIST(google_protobuf_Enum_list, google_protobuf_Enum);
extern const tern_type google_protobuf_Enum_type;
typedef struct google_protobuf_EnumValue google_protobuf_EnumValue;
TERN__LIST(google_protobuf_EnumValue_list, google_protobuf_EnumValue);
extern const tern_type google_protobuf_EnumValue_type;
typedef struct google_protobuf_Option google_protobuf_Option;
TERN__LIST(google_protobuf_Option_list, google_protobuf_Option);
extern const tern_type google_protobuf_Option_type;

struct google_protobuf_Type {
    tern_str name;
    google_protobuf_Field_list fields;
    tern_list_str oneofs;
    google_protobuf_Option_list options;
    google_protobuf_SourceContext *source_context;
    int32_t syntax; /* google_protobuf_Syntax */
    tern_unknown unknown;
};

struct google_protobuf_Field {
    int32_t kind; /* google_protobuf_Field_Kind */
    int32_t cardinality; /* google_protobuf_Field_Cardinality */
    int32_t number;
    tern_str name;
    tern_str type_url;
    int32_t oneof_index;
    bool packed;
    google_protobuf_Option_list options;
    tern_str json_name;
    tern_str default_value;
    tern_unknown unknown;
};

struct google_protobuf_Enum {
    tern_str name;
    google_protobuf_EnumValue_list enumvalue;
    google_protobuf_Option_list options;
    google_protobuf_SourceContext *source_context;
    int32_t syntax; /* google_protobuf_Syntax */
    tern_unknown unknown;
};

struct google_protobuf_EnumValue {
    tern_str name;
    int32_t number;
    google_protobuf_Option_list options;
    tern_unknown unknown;
};

struct google_protobuf_Option {
    tern_str name;
    google_protobuf_Any *value;
    tern_unknown unknown;
};

/* ---- google.protobuf.Type */

static inline int64_t google_protobuf_Type_size(const google_protobuf_Type *msg) { return tern_protobuf_size(&google_protobuf_Type_type, msg); }

static inline int64_t google_protobuf_Type_encode(const google_protobuf_Type *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&google_protobuf_Type_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int google_protobuf_Type_decode(const void *data, size_t len, tern_arena *arena, int mode, google_protobuf_Type *msg) {
    return tern_protobuf_decode(&google_protobuf_Type_type, data, len, arena, mode, NULL, msg);
}

static inline int google_protobuf_Type_copy(const google_protobuf_Type *src, tern_arena *arena, google_protobuf_Type *dst) {
    return tern_message_copy(&google_protobuf_Type_type, src, arena, dst);
}

static inline bool google_protobuf_Type_equal(const google_protobuf_Type *a, const google_protobuf_Type *b) { return tern_message_equal(&google_protobuf_Type_type, a, b); }

static inline int google_protobuf_Type_reserve_fields(google_protobuf_Type *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->fields, n, sizeof *msg->fields.data, arena);
}

static inline google_protobuf_Field *google_protobuf_Type_add_fields(google_protobuf_Type *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->fields, msg->fields.len + 1, sizeof *msg->fields.data, arena)) return NULL;
    return &msg->fields.data[msg->fields.len++];
}

static inline int google_protobuf_Type_reserve_oneofs(google_protobuf_Type *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->oneofs, n, sizeof *msg->oneofs.data, arena);
}

static inline tern_str *google_protobuf_Type_add_oneofs(google_protobuf_Type *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->oneofs, msg->oneofs.len + 1, sizeof *msg->oneofs.data, arena)) return NULL;
    return &msg->oneofs.data[msg->oneofs.len++];
}

static inline int google_protobuf_Type_reserve_options(google_protobuf_Type *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->options, n, sizeof *msg->options.data, arena);
}

static inline google_protobuf_Option *google_protobuf_Type_add_options(google_protobuf_Type *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->options, msg->options.len + 1, sizeof *msg->options.data, arena)) return NULL;
    return &msg->options.data[msg->options.len++];
}

static inline google_protobuf_SourceContext *google_protobuf_Type_make_source_context(google_protobuf_Type *msg, tern_arena *arena) {
    return msg->source_context = (google_protobuf_SourceContext *)tern_arena_zalloc(arena, sizeof *msg->source_context);
}

static inline bool google_protobuf_Type_has_source_context(const google_protobuf_Type *msg) { return msg->source_context != NULL; }

static inline void google_protobuf_Type_clear_source_context(google_protobuf_Type *msg) { msg->source_context = NULL; }

/* ---- google.protobuf.Field */

static inline int64_t google_protobuf_Field_size(const google_protobuf_Field *msg) { return tern_protobuf_size(&google_protobuf_Field_type, msg); }

static inline int64_t google_protobuf_Field_encode(const google_protobuf_Field *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&google_protobuf_Field_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int google_protobuf_Field_decode(const void *data, size_t len, tern_arena *arena, int mode, google_protobuf_Field *msg) {
    return tern_protobuf_decode(&google_protobuf_Field_type, data, len, arena, mode, NULL, msg);
}

static inline int google_protobuf_Field_copy(const google_protobuf_Field *src, tern_arena *arena, google_protobuf_Field *dst) {
    return tern_message_copy(&google_protobuf_Field_type, src, arena, dst);
}

static inline bool google_protobuf_Field_equal(const google_protobuf_Field *a, const google_protobuf_Field *b) { return tern_message_equal(&google_protobuf_Field_type, a, b); }

static inline int google_protobuf_Field_reserve_options(google_protobuf_Field *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->options, n, sizeof *msg->options.data, arena);
}

static inline google_protobuf_Option *google_protobuf_Field_add_options(google_protobuf_Field *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->options, msg->options.len + 1, sizeof *msg->options.data, arena)) return NULL;
    return &msg->options.data[msg->options.len++];
}

/* ---- google.protobuf.Enum */

static inline int64_t google_protobuf_Enum_size(const google_protobuf_Enum *msg) { return tern_protobuf_size(&google_protobuf_Enum_type, msg); }

static inline int64_t google_protobuf_Enum_encode(const google_protobuf_Enum *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&google_protobuf_Enum_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int google_protobuf_Enum_decode(const void *data, size_t len, tern_arena *arena, int mode, google_protobuf_Enum *msg) {
    return tern_protobuf_decode(&google_protobuf_Enum_type, data, len, arena, mode, NULL, msg);
}

static inline int google_protobuf_Enum_copy(const google_protobuf_Enum *src, tern_arena *arena, google_protobuf_Enum *dst) {
    return tern_message_copy(&google_protobuf_Enum_type, src, arena, dst);
}

static inline bool google_protobuf_Enum_equal(const google_protobuf_Enum *a, const google_protobuf_Enum *b) { return tern_message_equal(&google_protobuf_Enum_type, a, b); }

static inline int google_protobuf_Enum_reserve_enumvalue(google_protobuf_Enum *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->enumvalue, n, sizeof *msg->enumvalue.data, arena);
}

static inline google_protobuf_EnumValue *google_protobuf_Enum_add_enumvalue(google_protobuf_Enum *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->enumvalue, msg->enumvalue.len + 1, sizeof *msg->enumvalue.data, arena)) return NULL;
    return &msg->enumvalue.data[msg->enumvalue.len++];
}

static inline int google_protobuf_Enum_reserve_options(google_protobuf_Enum *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->options, n, sizeof *msg->options.data, arena);
}

static inline google_protobuf_Option *google_protobuf_Enum_add_options(google_protobuf_Enum *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->options, msg->options.len + 1, sizeof *msg->options.data, arena)) return NULL;
    return &msg->options.data[msg->options.len++];
}

static inline google_protobuf_SourceContext *google_protobuf_Enum_make_source_context(google_protobuf_Enum *msg, tern_arena *arena) {
    return msg->source_context = (google_protobuf_SourceContext *)tern_arena_zalloc(arena, sizeof *msg->source_context);
}

static inline bool google_protobuf_Enum_has_source_context(const google_protobuf_Enum *msg) { return msg->source_context != NULL; }

static inline void google_protobuf_Enum_clear_source_context(google_protobuf_Enum *msg) { msg->source_context = NULL; }

/* ---- google.protobuf.EnumValue */

static inline int64_t google_protobuf_EnumValue_size(const google_protobuf_EnumValue *msg) { return tern_protobuf_size(&google_protobuf_EnumValue_type, msg); }

static inline int64_t google_protobuf_EnumValue_encode(const google_protobuf_EnumValue *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&google_protobuf_EnumValue_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int google_protobuf_EnumValue_decode(const void *data, size_t len, tern_arena *arena, int mode, google_protobuf_EnumValue *msg) {
    return tern_protobuf_decode(&google_protobuf_EnumValue_type, data, len, arena, mode, NULL, msg);
}

static inline int google_protobuf_EnumValue_copy(const google_protobuf_EnumValue *src, tern_arena *arena, google_protobuf_EnumValue *dst) {
    return tern_message_copy(&google_protobuf_EnumValue_type, src, arena, dst);
}

static inline bool google_protobuf_EnumValue_equal(const google_protobuf_EnumValue *a, const google_protobuf_EnumValue *b) { return tern_message_equal(&google_protobuf_EnumValue_type, a, b); }

static inline int google_protobuf_EnumValue_reserve_options(google_protobuf_EnumValue *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->options, n, sizeof *msg->options.data, arena);
}

static inline google_protobuf_Option *google_protobuf_EnumValue_add_options(google_protobuf_EnumValue *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->options, msg->options.len + 1, sizeof *msg->options.data, arena)) return NULL;
    return &msg->options.data[msg->options.len++];
}

/* ---- google.protobuf.Option */

static inline int64_t google_protobuf_Option_size(const google_protobuf_Option *msg) { return tern_protobuf_size(&google_protobuf_Option_type, msg); }

static inline int64_t google_protobuf_Option_encode(const google_protobuf_Option *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&google_protobuf_Option_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int google_protobuf_Option_decode(const void *data, size_t len, tern_arena *arena, int mode, google_protobuf_Option *msg) {
    return tern_protobuf_decode(&google_protobuf_Option_type, data, len, arena, mode, NULL, msg);
}

static inline int google_protobuf_Option_copy(const google_protobuf_Option *src, tern_arena *arena, google_protobuf_Option *dst) {
    return tern_message_copy(&google_protobuf_Option_type, src, arena, dst);
}

static inline bool google_protobuf_Option_equal(const google_protobuf_Option *a, const google_protobuf_Option *b) { return tern_message_equal(&google_protobuf_Option_type, a, b); }

static inline google_protobuf_Any *google_protobuf_Option_make_value(google_protobuf_Option *msg, tern_arena *arena) {
    return msg->value = (google_protobuf_Any *)tern_arena_zalloc(arena, sizeof *msg->value);
}

static inline bool google_protobuf_Option_has_value(const google_protobuf_Option *msg) { return msg->value != NULL; }

static inline void google_protobuf_Option_clear_value(google_protobuf_Option *msg) { msg->value = NULL; }

#ifdef __cplusplus
}
#endif
#endif
