/* Made by protoc-gen-tern from google/protobuf/struct.proto; changes here are lost. */
#ifndef GOOGLE__PROTOBUF__STRUCT_TERN_H
#define GOOGLE__PROTOBUF__STRUCT_TERN_H

#include "tern/codec.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum google_protobuf_NullValue {
    google_protobuf_NullValue_NULL_VALUE = 0,
} google_protobuf_NullValue;
extern const tern_enum google_protobuf_NullValue_enum;

typedef struct google_protobuf_Struct google_protobuf_Struct;
TERN__LIST(google_protobuf_Struct_list, google_protobuf_Struct);
extern const tern_type google_protobuf_Struct_type;
typedef struct google_protobuf_Struct_FieldsEntry google_protobuf_Struct_FieldsEntry;
TERN__MAP(google_protobuf_Struct_FieldsEntry_map, google_protobuf_Struct_FieldsEntry);
extern const tern_type google_protobuf_Struct_FieldsEntry_type;
typedef struct google_protobuf_Value google_protobuf_Value;
TERN__LIST(google_protobuf_Value_list, google_protobuf_Value);
extern const tern_type google_protobuf_Value_type;
typedef struct google_protobuf_ListValue google_protobuf_ListValue;
TERN__LIST(google_protobuf_ListValue_list, google_protobuf_ListValue);
extern const tern_type google_protobuf_ListValue_type;

struct google_protobuf_Struct {
    google_protobuf_Struct_FieldsEntry_map fields;
    tern_unknown unknown;
};

struct google_protobuf_Struct_FieldsEntry {
    tern_str key;
    google_protobuf_Value *value;
};

typedef enum google_protobuf_Value_kind_case {
    google_protobuf_Value_kind_NOT_SET = 0,
    google_protobuf_Value_kind_null_value = 1,
    google_protobuf_Value_kind_number_value = 2,
    google_protobuf_Value_kind_string_value = 3,
    google_protobuf_Value_kind_bool_value = 4,
    google_protobuf_Value_kind_struct_value = 5,
    google_protobuf_Value_kind_list_value = 6,
} google_protobuf_Value_kind_case;

struct google_protobuf_Value {
    google_protobuf_Value_kind_case kind_case;
    union {
        int32_t null_value; /* google_protobuf_NullValue */
        double number_value;
        tern_str string_value;
        bool bool_value;
        google_protobuf_Struct *struct_value;
        google_protobuf_ListValue *list_value;
    }; /* kind_case */
    tern_unknown unknown;
};

struct google_protobuf_ListValue {
    google_protobuf_Value_list values;
    tern_unknown unknown;
};

/* ---- google.protobuf.Struct */

static inline int64_t google_protobuf_Struct_size(const google_protobuf_Struct *msg) { return tern_protobuf_size(&google_protobuf_Struct_type, msg); }

static inline int64_t google_protobuf_Struct_encode(const google_protobuf_Struct *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&google_protobuf_Struct_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int google_protobuf_Struct_decode(const void *data, size_t len, tern_arena *arena, int mode, google_protobuf_Struct *msg) {
    return tern_protobuf_decode(&google_protobuf_Struct_type, data, len, arena, mode, NULL, msg);
}

static inline int google_protobuf_Struct_copy(const google_protobuf_Struct *src, tern_arena *arena, google_protobuf_Struct *dst) {
    return tern_message_copy(&google_protobuf_Struct_type, src, arena, dst);
}

static inline bool google_protobuf_Struct_equal(const google_protobuf_Struct *a, const google_protobuf_Struct *b) { return tern_message_equal(&google_protobuf_Struct_type, a, b); }

/* The value of this key, made empty when there is none; NULL when memory is out. The key is borrowed. */
static inline google_protobuf_Value *google_protobuf_Struct_put_fields(google_protobuf_Struct *msg, tern_str key, tern_arena *arena) {
    google_protobuf_Struct_FieldsEntry *entry = (google_protobuf_Struct_FieldsEntry *)tern_map_insert(&google_protobuf_Struct_FieldsEntry_type, &msg->fields, &key, arena);
    if (!entry) return NULL;
    if (!entry->value) entry->value = (google_protobuf_Value *)tern_arena_zalloc(arena, sizeof *entry->value);
    return entry->value;
}

/* The value of this key, or NULL. */
static inline google_protobuf_Value *google_protobuf_Struct_get_fields(const google_protobuf_Struct *msg, tern_str key) {
    google_protobuf_Struct_FieldsEntry *entry = (google_protobuf_Struct_FieldsEntry *)tern_map_find(&google_protobuf_Struct_FieldsEntry_type, &msg->fields, &key);
    return entry ? entry->value : NULL;
}

static inline bool google_protobuf_Struct_remove_fields(google_protobuf_Struct *msg, tern_str key) {
    return tern_map_remove(&google_protobuf_Struct_FieldsEntry_type, &msg->fields, &key);
}

/* ---- google.protobuf.Value */

static inline int64_t google_protobuf_Value_size(const google_protobuf_Value *msg) { return tern_protobuf_size(&google_protobuf_Value_type, msg); }

static inline int64_t google_protobuf_Value_encode(const google_protobuf_Value *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&google_protobuf_Value_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int google_protobuf_Value_decode(const void *data, size_t len, tern_arena *arena, int mode, google_protobuf_Value *msg) {
    return tern_protobuf_decode(&google_protobuf_Value_type, data, len, arena, mode, NULL, msg);
}

static inline int google_protobuf_Value_copy(const google_protobuf_Value *src, tern_arena *arena, google_protobuf_Value *dst) {
    return tern_message_copy(&google_protobuf_Value_type, src, arena, dst);
}

static inline bool google_protobuf_Value_equal(const google_protobuf_Value *a, const google_protobuf_Value *b) { return tern_message_equal(&google_protobuf_Value_type, a, b); }

static inline google_protobuf_Value_kind_case google_protobuf_Value_which_kind(const google_protobuf_Value *msg) { return msg->kind_case; }

static inline void google_protobuf_Value_clear_kind(google_protobuf_Value *msg) { msg->kind_case = google_protobuf_Value_kind_NOT_SET; }

static inline bool google_protobuf_Value_has_null_value(const google_protobuf_Value *msg) { return msg->kind_case == google_protobuf_Value_kind_null_value; }

static inline void google_protobuf_Value_set_null_value(google_protobuf_Value *msg, int32_t value) {
    msg->null_value = value;
    msg->kind_case = google_protobuf_Value_kind_null_value;
}

static inline void google_protobuf_Value_clear_null_value(google_protobuf_Value *msg) {
    if (msg->kind_case == google_protobuf_Value_kind_null_value) msg->kind_case = google_protobuf_Value_kind_NOT_SET;
}

static inline bool google_protobuf_Value_has_number_value(const google_protobuf_Value *msg) { return msg->kind_case == google_protobuf_Value_kind_number_value; }

static inline void google_protobuf_Value_set_number_value(google_protobuf_Value *msg, double value) {
    msg->number_value = value;
    msg->kind_case = google_protobuf_Value_kind_number_value;
}

static inline void google_protobuf_Value_clear_number_value(google_protobuf_Value *msg) {
    if (msg->kind_case == google_protobuf_Value_kind_number_value) msg->kind_case = google_protobuf_Value_kind_NOT_SET;
}

static inline bool google_protobuf_Value_has_string_value(const google_protobuf_Value *msg) { return msg->kind_case == google_protobuf_Value_kind_string_value; }

static inline void google_protobuf_Value_set_string_value(google_protobuf_Value *msg, tern_str value) {
    msg->string_value = value;
    msg->kind_case = google_protobuf_Value_kind_string_value;
}

static inline void google_protobuf_Value_clear_string_value(google_protobuf_Value *msg) {
    if (msg->kind_case == google_protobuf_Value_kind_string_value) msg->kind_case = google_protobuf_Value_kind_NOT_SET;
}

static inline bool google_protobuf_Value_has_bool_value(const google_protobuf_Value *msg) { return msg->kind_case == google_protobuf_Value_kind_bool_value; }

static inline void google_protobuf_Value_set_bool_value(google_protobuf_Value *msg, bool value) {
    msg->bool_value = value;
    msg->kind_case = google_protobuf_Value_kind_bool_value;
}

static inline void google_protobuf_Value_clear_bool_value(google_protobuf_Value *msg) {
    if (msg->kind_case == google_protobuf_Value_kind_bool_value) msg->kind_case = google_protobuf_Value_kind_NOT_SET;
}

static inline bool google_protobuf_Value_has_struct_value(const google_protobuf_Value *msg) { return msg->kind_case == google_protobuf_Value_kind_struct_value; }

static inline void google_protobuf_Value_set_struct_value(google_protobuf_Value *msg, google_protobuf_Struct *value) {
    msg->struct_value = value;
    msg->kind_case = google_protobuf_Value_kind_struct_value;
}

static inline void google_protobuf_Value_clear_struct_value(google_protobuf_Value *msg) {
    if (msg->kind_case == google_protobuf_Value_kind_struct_value) msg->kind_case = google_protobuf_Value_kind_NOT_SET;
}

static inline google_protobuf_Struct *google_protobuf_Value_make_struct_value(google_protobuf_Value *msg, tern_arena *arena) {
    google_protobuf_Struct *made = (google_protobuf_Struct *)tern_arena_zalloc(arena, sizeof *made);
    if (made) google_protobuf_Value_set_struct_value(msg, made);
    return made;
}

static inline bool google_protobuf_Value_has_list_value(const google_protobuf_Value *msg) { return msg->kind_case == google_protobuf_Value_kind_list_value; }

static inline void google_protobuf_Value_set_list_value(google_protobuf_Value *msg, google_protobuf_ListValue *value) {
    msg->list_value = value;
    msg->kind_case = google_protobuf_Value_kind_list_value;
}

static inline void google_protobuf_Value_clear_list_value(google_protobuf_Value *msg) {
    if (msg->kind_case == google_protobuf_Value_kind_list_value) msg->kind_case = google_protobuf_Value_kind_NOT_SET;
}

static inline google_protobuf_ListValue *google_protobuf_Value_make_list_value(google_protobuf_Value *msg, tern_arena *arena) {
    google_protobuf_ListValue *made = (google_protobuf_ListValue *)tern_arena_zalloc(arena, sizeof *made);
    if (made) google_protobuf_Value_set_list_value(msg, made);
    return made;
}

/* ---- google.protobuf.ListValue */

static inline int64_t google_protobuf_ListValue_size(const google_protobuf_ListValue *msg) { return tern_protobuf_size(&google_protobuf_ListValue_type, msg); }

static inline int64_t google_protobuf_ListValue_encode(const google_protobuf_ListValue *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&google_protobuf_ListValue_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int google_protobuf_ListValue_decode(const void *data, size_t len, tern_arena *arena, int mode, google_protobuf_ListValue *msg) {
    return tern_protobuf_decode(&google_protobuf_ListValue_type, data, len, arena, mode, NULL, msg);
}

static inline int google_protobuf_ListValue_copy(const google_protobuf_ListValue *src, tern_arena *arena, google_protobuf_ListValue *dst) {
    return tern_message_copy(&google_protobuf_ListValue_type, src, arena, dst);
}

static inline bool google_protobuf_ListValue_equal(const google_protobuf_ListValue *a, const google_protobuf_ListValue *b) { return tern_message_equal(&google_protobuf_ListValue_type, a, b); }

static inline int google_protobuf_ListValue_reserve_values(google_protobuf_ListValue *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->values, n, sizeof *msg->values.data, arena);
}

static inline google_protobuf_Value *google_protobuf_ListValue_add_values(google_protobuf_ListValue *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->values, msg->values.len + 1, sizeof *msg->values.data, arena)) return NULL;
    return &msg->values.data[msg->values.len++];
}

#ifdef __cplusplus
}
#endif
#endif
