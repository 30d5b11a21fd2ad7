/* Struct, Value and ListValue: JSON as messages. */
#include "tern/wkt.h"

/* The empty value to set, in a struct or at the end of a list; NULL when memory is out. */
static google_protobuf_Value *place(google_protobuf_Struct *object, tern_str key, tern_arena *arena) {
    google_protobuf_Value *value = google_protobuf_Struct_put_fields(object, key, arena);
    if (value) memset(value, 0, sizeof *value);
    return value;
}

static int set_null(google_protobuf_Value *value) {
    if (!value) return TERN_ERR_NOMEM;
    google_protobuf_Value_set_null_value(value, google_protobuf_NullValue_NULL_VALUE);
    return 0;
}

static int set_number(google_protobuf_Value *value, double number) {
    if (!value) return TERN_ERR_NOMEM;
    google_protobuf_Value_set_number_value(value, number);
    return 0;
}

static int set_string(google_protobuf_Value *value, tern_str string) {
    if (!value) return TERN_ERR_NOMEM;
    google_protobuf_Value_set_string_value(value, string);
    return 0;
}

static int set_bool(google_protobuf_Value *value, bool truth) {
    if (!value) return TERN_ERR_NOMEM;
    google_protobuf_Value_set_bool_value(value, truth);
    return 0;
}

static google_protobuf_Struct *make_struct(google_protobuf_Value *value, tern_arena *arena) {
    return value ? google_protobuf_Value_make_struct_value(value, arena) : NULL;
}

static google_protobuf_ListValue *make_list(google_protobuf_Value *value, tern_arena *arena) {
    return value ? google_protobuf_Value_make_list_value(value, arena) : NULL;
}

/* ---- Struct -------------------------------------------------------------------------------------- */

int tern_struct_put_null(google_protobuf_Struct *object, tern_str key, tern_arena *arena) {
    return set_null(place(object, key, arena));
}

int tern_struct_put_number(google_protobuf_Struct *object, tern_str key, double value, tern_arena *arena) {
    return set_number(place(object, key, arena), value);
}

int tern_struct_put_string(google_protobuf_Struct *object, tern_str key, tern_str value, tern_arena *arena) {
    return set_string(place(object, key, arena), value);
}

int tern_struct_put_bool(google_protobuf_Struct *object, tern_str key, bool value, tern_arena *arena) {
    return set_bool(place(object, key, arena), value);
}

google_protobuf_Struct *tern_struct_put_struct(google_protobuf_Struct *object, tern_str key, tern_arena *arena) {
    return make_struct(place(object, key, arena), arena);
}

google_protobuf_ListValue *tern_struct_put_list(google_protobuf_Struct *object, tern_str key, tern_arena *arena) {
    return make_list(place(object, key, arena), arena);
}

const google_protobuf_Value *tern_struct_get(const google_protobuf_Struct *object, tern_str key) {
    return object ? google_protobuf_Struct_get_fields(object, key) : NULL;
}

/* ---- ListValue ----------------------------------------------------------------------------------- */

int tern_list_value_add_null(google_protobuf_ListValue *list, tern_arena *arena) {
    return set_null(google_protobuf_ListValue_add_values(list, arena));
}

int tern_list_value_add_number(google_protobuf_ListValue *list, double value, tern_arena *arena) {
    return set_number(google_protobuf_ListValue_add_values(list, arena), value);
}

int tern_list_value_add_string(google_protobuf_ListValue *list, tern_str value, tern_arena *arena) {
    return set_string(google_protobuf_ListValue_add_values(list, arena), value);
}

int tern_list_value_add_bool(google_protobuf_ListValue *list, bool value, tern_arena *arena) {
    return set_bool(google_protobuf_ListValue_add_values(list, arena), value);
}

google_protobuf_Struct *tern_list_value_add_struct(google_protobuf_ListValue *list, tern_arena *arena) {
    return make_struct(google_protobuf_ListValue_add_values(list, arena), arena);
}

google_protobuf_ListValue *tern_list_value_add_list(google_protobuf_ListValue *list, tern_arena *arena) {
    return make_list(google_protobuf_ListValue_add_values(list, arena), arena);
}

const google_protobuf_Value *tern_list_value_at(const google_protobuf_ListValue *list, size_t index) {
    return list && index < list->values.len ? &list->values.data[index] : NULL;
}

/* ---- Value --------------------------------------------------------------------------------------- */

bool tern_value_is_null(const google_protobuf_Value *value) {
    return value && google_protobuf_Value_has_null_value(value);
}

double tern_value_number(const google_protobuf_Value *value, double otherwise) {
    return value && google_protobuf_Value_has_number_value(value) ? value->number_value : otherwise;
}

tern_str tern_value_string(const google_protobuf_Value *value, tern_str otherwise) {
    return value && google_protobuf_Value_has_string_value(value) ? value->string_value : otherwise;
}

bool tern_value_bool(const google_protobuf_Value *value, bool otherwise) {
    return value && google_protobuf_Value_has_bool_value(value) ? value->bool_value : otherwise;
}

const google_protobuf_Struct *tern_value_struct(const google_protobuf_Value *value) {
    return value && google_protobuf_Value_has_struct_value(value) ? value->struct_value : NULL;
}

const google_protobuf_ListValue *tern_value_list(const google_protobuf_Value *value) {
    return value && google_protobuf_Value_has_list_value(value) ? value->list_value : NULL;
}
