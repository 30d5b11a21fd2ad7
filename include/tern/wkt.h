/* Helpers for protobuf's well-known types. The types themselves are generated code that libtern ships
 * (google/protobuf/timestamp.tern.h and so on), so a schema may import any of them.
 *
 * Times here are wall-clock times, counted from 1970-01-01T00:00:00Z without leap seconds, as protobuf does; a
 * tern_time, which runs on the monotonic clock, is none. Nothing here keeps state; any thread may call it. */
#ifndef TERN_WKT_H
#define TERN_WKT_H

#include <time.h>

#include "google/protobuf/any.tern.h"
#include "google/protobuf/duration.tern.h"
#include "google/protobuf/struct.tern.h"
#include "google/protobuf/timestamp.tern.h"
#include "google/protobuf/wrappers.tern.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Timestamp -----------------------------------------------------------------------------------
 * Valid are the years 1 to 9999 with nanos from 0 to 999999999. All functions that fill *out overwrite it, and leave
 * it alone when they return an error. */

#define TERN_TIMESTAMP_MIN_SECONDS (-INT64_C(62135596800))
#define TERN_TIMESTAMP_MAX_SECONDS INT64_C(253402300799)

TERN_API bool tern_timestamp_is_valid(const google_protobuf_Timestamp *timestamp);

/* Carries whole seconds from nanos into seconds, so that the same time is said in the valid way. Returns 0, or
 * TERN_ERR_INVALID, with nothing changed, outside the years 1 to 9999. */
TERN_API int tern_timestamp_normalize(google_protobuf_Timestamp *timestamp);

/* Nanoseconds since 1970. Every int64_t is a valid time. */
TERN_API void tern_timestamp_from_ns(int64_t unix_ns, google_protobuf_Timestamp *out);

/* Back. TERN_ERR_INVALID when it is not valid, TERN_ERR_LIMIT when it lies outside 1677-09-21 to 2262-04-11, beyond
 * what 64 bits of nanoseconds hold. */
TERN_API int tern_timestamp_to_ns(const google_protobuf_Timestamp *timestamp, int64_t *unix_ns);

/* As clock_gettime(CLOCK_REALTIME) fills it; nanoseconds outside a second are carried. TERN_ERR_INVALID outside the
 * years 1 to 9999; and back TERN_ERR_INVALID when it is not valid, TERN_ERR_LIMIT when time_t cannot hold it. */
TERN_API int tern_timestamp_from_timespec(struct timespec time, google_protobuf_Timestamp *out);
TERN_API int tern_timestamp_to_timespec(const google_protobuf_Timestamp *timestamp, struct timespec *out);

/* ---- Duration ------------------------------------------------------------------------------------
 * Valid are 10000 years to either side; seconds and nanos are of one sign. Otherwise as Timestamp. */

#define TERN_DURATION_MAX_SECONDS INT64_C(315576000000)

TERN_API bool tern_duration_is_valid(const google_protobuf_Duration *duration);
TERN_API int tern_duration_normalize(google_protobuf_Duration *duration);

/* A tern_dur is such a number of nanoseconds. */
TERN_API void tern_duration_from_ns(int64_t ns, google_protobuf_Duration *out);

/* TERN_ERR_LIMIT beyond 292 years. */
TERN_API int tern_duration_to_ns(const google_protobuf_Duration *duration, int64_t *ns);

TERN_API int tern_duration_from_timespec(struct timespec time, google_protobuf_Duration *out);

/* tv_nsec is never negative: minus a quarter second is -1 s and 750000000 ns. */
TERN_API int tern_duration_to_timespec(const google_protobuf_Duration *duration, struct timespec *out);

/* ---- Any ----------------------------------------------------------------------------------------- */

/* Encodes msg into the arena and names its type, "type.googleapis.com/<full name>". Returns 0, TERN_ERR_NOMEM, or what
 * tern_protobuf_size() returns; *any, otherwise overwritten, is unchanged after an error. */
TERN_API int tern_any_pack(const tern_type *type, const void *msg, tern_arena *arena, google_protobuf_Any *any);

/* The full name of the type in it: what follows the last slash of its URL. Empty when there is no slash. Borrowed. */
TERN_API tern_str tern_any_type_name(const google_protobuf_Any *any);

/* Whether it holds a message of this type. */
TERN_API bool tern_any_is(const google_protobuf_Any *any, const tern_type *type);

/* Decodes what is in it; mode and limits as tern_protobuf_decode(). Returns 0, TERN_ERR_NOT_FOUND when it holds another
 * type, or the decoder's error. With a registry, tern_registry_find(registry, tern_any_type_name(any)) gives the
 * type. */
TERN_API int tern_any_unpack(const google_protobuf_Any *any, const tern_type *type, tern_arena *arena, int mode,
                             const tern_limits *limits, void *msg);

/* ---- Struct, Value, ListValue --------------------------------------------------------------------
 * Values are built by the functions of the generated code, google_protobuf_Value_set_number_value() and so on; these
 * put one in place in a single step. Keys and strings are borrowed. */

/* Set a key, which replaces what was there. Return 0 or TERN_ERR_NOMEM; the last two the empty struct or list that is
 * now there, NULL when memory is out. */
TERN_API int tern_struct_put_null(google_protobuf_Struct *object, tern_str key, tern_arena *arena);
TERN_API int tern_struct_put_number(google_protobuf_Struct *object, tern_str key, double value, tern_arena *arena);
TERN_API int tern_struct_put_string(google_protobuf_Struct *object, tern_str key, tern_str value, tern_arena *arena);
TERN_API int tern_struct_put_bool(google_protobuf_Struct *object, tern_str key, bool value, tern_arena *arena);
TERN_API google_protobuf_Struct *tern_struct_put_struct(google_protobuf_Struct *object, tern_str key,
                                                        tern_arena *arena);
TERN_API google_protobuf_ListValue *tern_struct_put_list(google_protobuf_Struct *object, tern_str key,
                                                         tern_arena *arena);

/* The same at the end of a list. */
TERN_API int tern_list_value_add_null(google_protobuf_ListValue *list, tern_arena *arena);
TERN_API int tern_list_value_add_number(google_protobuf_ListValue *list, double value, tern_arena *arena);
TERN_API int tern_list_value_add_string(google_protobuf_ListValue *list, tern_str value, tern_arena *arena);
TERN_API int tern_list_value_add_bool(google_protobuf_ListValue *list, bool value, tern_arena *arena);
TERN_API google_protobuf_Struct *tern_list_value_add_struct(google_protobuf_ListValue *list, tern_arena *arena);
TERN_API google_protobuf_ListValue *tern_list_value_add_list(google_protobuf_ListValue *list, tern_arena *arena);

/* The value of a key, or at a place; NULL when there is none, and for a NULL object or list. So they can be chained:
 * tern_value_number(tern_struct_get(tern_value_struct(v), key), 0). */
TERN_API const google_protobuf_Value *tern_struct_get(const google_protobuf_Struct *object, tern_str key);
TERN_API const google_protobuf_Value *tern_list_value_at(const google_protobuf_ListValue *list, size_t index);

/* What a value is, or `otherwise` (NULL) when it is NULL or of another kind. */
TERN_API bool tern_value_is_null(const google_protobuf_Value *value);
TERN_API double tern_value_number(const google_protobuf_Value *value, double otherwise);
TERN_API tern_str tern_value_string(const google_protobuf_Value *value, tern_str otherwise);
TERN_API bool tern_value_bool(const google_protobuf_Value *value, bool otherwise);
TERN_API const google_protobuf_Struct *tern_value_struct(const google_protobuf_Value *value);
TERN_API const google_protobuf_ListValue *tern_value_list(const google_protobuf_Value *value);

/* ---- Wrappers ------------------------------------------------------------------------------------
 * tern_wrap_int32(7, arena) is a google_protobuf_Int32Value that holds 7, for a field of that type; NULL when memory is
 * out. tern_unwrap_int32(message->field, 0) is its value, or 0 when the field is absent. */
#define TERN__WRAPPER(name, wrapper, type)                                                                             \
    static inline google_protobuf_##wrapper *tern_wrap_##name(type value, tern_arena *arena) {                         \
        google_protobuf_##wrapper *made = (google_protobuf_##wrapper *)tern_arena_zalloc(arena, sizeof *made);         \
        if (made) made->value = value;                                                                                 \
        return made;                                                                                                   \
    }                                                                                                                  \
    static inline type tern_unwrap_##name(const google_protobuf_##wrapper *wrapped, type otherwise) {                  \
        return wrapped ? wrapped->value : otherwise;                                                                   \
    }
TERN__WRAPPER(double, DoubleValue, double)
TERN__WRAPPER(float, FloatValue, float)
TERN__WRAPPER(int64, Int64Value, int64_t)
TERN__WRAPPER(uint64, UInt64Value, uint64_t)
TERN__WRAPPER(int32, Int32Value, int32_t)
TERN__WRAPPER(uint32, UInt32Value, uint32_t)
TERN__WRAPPER(bool, BoolValue, bool)
TERN__WRAPPER(string, StringValue, tern_str)
TERN__WRAPPER(bytes, BytesValue, tern_bytes)

#ifdef __cplusplus
}
#endif
#endif
