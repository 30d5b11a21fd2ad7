/* Made by protoc-gen-tern from google/protobuf/wrappers.proto; changes here are lost. */
#ifndef GOOGLE__PROTOBUF__WRAPPERS_TERN_H
#define GOOGLE__PROTOBUF__WRAPPERS_TERN_H

#include "tern/codec.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct google_protobuf_DoubleValue google_protobuf_DoubleValue;
TERN__LIST(google_protobuf_DoubleValue_list, google_protobuf_DoubleValue);
extern const tern_type google_protobuf_DoubleValue_type;
typedef struct google_protobuf_FloatValue google_protobuf_FloatValue;
TERN__LIST(google_protobuf_FloatValue_list, google_protobuf_FloatValue);
extern const tern_type google_protobuf_FloatValue_type;
typedef struct google_protobuf_Int64Value google_protobuf_Int64Value;
TERN__LIST(google_protobuf_Int64Value_list, google_protobuf_Int64Value);
extern const tern_type google_protobuf_Int64Value_type;
typedef struct google_protobuf_UInt64Value google_protobuf_UInt64Value;
TERN__LIST(google_protobuf_UInt64Value_list, google_protobuf_UInt64Value);
extern const tern_type google_protobuf_UInt64Value_type;
typedef struct google_protobuf_Int32Value google_protobuf_Int32Value;
TERN__LIST(google_protobuf_Int32Value_list, google_protobuf_Int32Value);
extern const tern_type google_protobuf_Int32Value_type;
typedef struct google_protobuf_UInt32Value google_protobuf_UInt32Value;
TERN__LIST(google_protobuf_UInt32Value_list, google_protobuf_UInt32Value);
extern const tern_type google_protobuf_UInt32Value_type;
typedef struct google_protobuf_BoolValue google_protobuf_BoolValue;
TERN__LIST(google_protobuf_BoolValue_list, google_protobuf_BoolValue);
extern const tern_type google_protobuf_BoolValue_type;
typedef struct google_protobuf_StringValue google_protobuf_StringValue;
TERN__LIST(google_protobuf_StringValue_list, google_protobuf_StringValue);
extern const tern_type google_protobuf_StringValue_type;
typedef struct google_protobuf_BytesValue google_protobuf_BytesValue;
TERN__LIST(google_protobuf_BytesValue_list, google_protobuf_BytesValue);
extern const tern_type google_protobuf_BytesValue_type;

struct google_protobuf_DoubleValue {
    double value;
    tern_unknown unknown;
};

struct google_protobuf_FloatValue {
    float value;
    tern_unknown unknown;
};

struct google_protobuf_Int64Value {
    int64_t value;
    tern_unknown unknown;
};

struct google_protobuf_UInt64Value {
    uint64_t value;
    tern_unknown unknown;
};

struct google_protobuf_Int32Value {
    int32_t value;
    tern_unknown unknown;
};

struct google_protobuf_UInt32Value {
    uint32_t value;
    tern_unknown unknown;
};

struct google_protobuf_BoolValue {
    bool value;
    tern_unknown unknown;
};

struct google_protobuf_StringValue {
    tern_str value;
    tern_unknown unknown;
};

struct google_protobuf_BytesValue {
    tern_bytes value;
    tern_unknown unknown;
};

/* ---- google.protobuf.DoubleValue */

static inline int64_t google_protobuf_DoubleValue_size(const google_protobuf_DoubleValue *msg) { return tern_protobuf_size(&google_protobuf_DoubleValue_type, msg); }

static inline int64_t google_protobuf_DoubleValue_encode(const google_protobuf_DoubleValue *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&google_protobuf_DoubleValue_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int google_protobuf_DoubleValue_decode(const void *data, size_t len, tern_arena *arena, int mode, google_protobuf_DoubleValue *msg) {
    return tern_protobuf_decode(&google_protobuf_DoubleValue_type, data, len, arena, mode, NULL, msg);
}

static inline int google_protobuf_DoubleValue_copy(const google_protobuf_DoubleValue *src, tern_arena *arena, google_protobuf_DoubleValue *dst) {
    return tern_message_copy(&google_protobuf_DoubleValue_type, src, arena, dst);
}

static inline bool google_protobuf_DoubleValue_equal(const google_protobuf_DoubleValue *a, const google_protobuf_DoubleValue *b) { return tern_message_equal(&google_protobuf_DoubleValue_type, a, b); }

/* ---- google.protobuf.FloatValue */

static inline int64_t google_protobuf_FloatValue_size(const google_protobuf_FloatValue *msg) { return tern_protobuf_size(&google_protobuf_FloatValue_type, msg); }

static inline int64_t google_protobuf_FloatValue_encode(const google_protobuf_FloatValue *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&google_protobuf_FloatValue_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int google_protobuf_FloatValue_decode(const void *data, size_t len, tern_arena *arena, int mode, google_protobuf_FloatValue *msg) {
    return tern_protobuf_decode(&google_protobuf_FloatValue_type, data, len, arena, mode, NULL, msg);
}

static inline int google_protobuf_FloatValue_copy(const google_protobuf_FloatValue *src, tern_arena *arena, google_protobuf_FloatValue *dst) {
    return tern_message_copy(&google_protobuf_FloatValue_type, src, arena, dst);
}

static inline bool google_protobuf_FloatValue_equal(const google_protobuf_FloatValue *a, const google_protobuf_FloatValue *b) { return tern_message_equal(&google_protobuf_FloatValue_type, a, b); }

/* ---- google.protobuf.Int64Value */

static inline int64_t google_protobuf_Int64Value_size(const google_protobuf_Int64Value *msg) { return tern_protobuf_size(&google_protobuf_Int64Value_type, msg); }

static inline int64_t google_protobuf_Int64Value_encode(const google_protobuf_Int64Value *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&google_protobuf_Int64Value_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int google_protobuf_Int64Value_decode(const void *data, size_t len, tern_arena *arena, int mode, google_protobuf_Int64Value *msg) {
    return tern_protobuf_decode(&google_protobuf_Int64Value_type, data, len, arena, mode, NULL, msg);
}

static inline int google_protobuf_Int64Value_copy(const google_protobuf_Int64Value *src, tern_arena *arena, google_protobuf_Int64Value *dst) {
    return tern_message_copy(&google_protobuf_Int64Value_type, src, arena, dst);
}

static inline bool google_protobuf_Int64Value_equal(const google_protobuf_Int64Value *a, const google_protobuf_Int64Value *b) { return tern_message_equal(&google_protobuf_Int64Value_type, a, b); }

/* ---- google.protobuf.UInt64Value */

static inline int64_t google_protobuf_UInt64Value_size(const google_protobuf_UInt64Value *msg) { return tern_protobuf_size(&google_protobuf_UInt64Value_type, msg); }

static inline int64_t google_protobuf_UInt64Value_encode(const google_protobuf_UInt64Value *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&google_protobuf_UInt64Value_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int google_protobuf_UInt64Value_decode(const void *data, size_t len, tern_arena *arena, int mode, google_protobuf_UInt64Value *msg) {
    return tern_protobuf_decode(&google_protobuf_UInt64Value_type, data, len, arena, mode, NULL, msg);
}

static inline int google_protobuf_UInt64Value_copy(const google_protobuf_UInt64Value *src, tern_arena *arena, google_protobuf_UInt64Value *dst) {
    return tern_message_copy(&google_protobuf_UInt64Value_type, src, arena, dst);
}

static inline bool google_protobuf_UInt64Value_equal(const google_protobuf_UInt64Value *a, const google_protobuf_UInt64Value *b) { return tern_message_equal(&google_protobuf_UInt64Value_type, a, b); }

/* ---- google.protobuf.Int32Value */

static inline int64_t google_protobuf_Int32Value_size(const google_protobuf_Int32Value *msg) { return tern_protobuf_size(&google_protobuf_Int32Value_type, msg); }

static inline int64_t google_protobuf_Int32Value_encode(const google_protobuf_Int32Value *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&google_protobuf_Int32Value_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int google_protobuf_Int32Value_decode(const void *data, size_t len, tern_arena *arena, int mode, google_protobuf_Int32Value *msg) {
    return tern_protobuf_decode(&google_protobuf_Int32Value_type, data, len, arena, mode, NULL, msg);
}

static inline int google_protobuf_Int32Value_copy(const google_protobuf_Int32Value *src, tern_arena *arena, google_protobuf_Int32Value *dst) {
    return tern_message_copy(&google_protobuf_Int32Value_type, src, arena, dst);
}

static inline bool google_protobuf_Int32Value_equal(const google_protobuf_Int32Value *a, const google_protobuf_Int32Value *b) { return tern_message_equal(&google_protobuf_Int32Value_type, a, b); }

/* ---- google.protobuf.UInt32Value */

static inline int64_t google_protobuf_UInt32Value_size(const google_protobuf_UInt32Value *msg) { return tern_protobuf_size(&google_protobuf_UInt32Value_type, msg); }

static inline int64_t google_protobuf_UInt32Value_encode(const google_protobuf_UInt32Value *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&google_protobuf_UInt32Value_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int google_protobuf_UInt32Value_decode(const void *data, size_t len, tern_arena *arena, int mode, google_protobuf_UInt32Value *msg) {
    return tern_protobuf_decode(&google_protobuf_UInt32Value_type, data, len, arena, mode, NULL, msg);
}

static inline int google_protobuf_UInt32Value_copy(const google_protobuf_UInt32Value *src, tern_arena *arena, google_protobuf_UInt32Value *dst) {
    return tern_message_copy(&google_protobuf_UInt32Value_type, src, arena, dst);
}

static inline bool google_protobuf_UInt32Value_equal(const google_protobuf_UInt32Value *a, const google_protobuf_UInt32Value *b) { return tern_message_equal(&google_protobuf_UInt32Value_type, a, b); }

/* ---- google.protobuf.BoolValue */

static inline int64_t google_protobuf_BoolValue_size(const google_protobuf_BoolValue *msg) { return tern_protobuf_size(&google_protobuf_BoolValue_type, msg); }

static inline int64_t google_protobuf_BoolValue_encode(const google_protobuf_BoolValue *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&google_protobuf_BoolValue_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int google_protobuf_BoolValue_decode(const void *data, size_t len, tern_arena *arena, int mode, google_protobuf_BoolValue *msg) {
    return tern_protobuf_decode(&google_protobuf_BoolValue_type, data, len, arena, mode, NULL, msg);
}

static inline int google_protobuf_BoolValue_copy(const google_protobuf_BoolValue *src, tern_arena *arena, google_protobuf_BoolValue *dst) {
    return tern_message_copy(&google_protobuf_BoolValue_type, src, arena, dst);
}

static inline bool google_protobuf_BoolValue_equal(const google_protobuf_BoolValue *a, const google_protobuf_BoolValue *b) { return tern_message_equal(&google_protobuf_BoolValue_type, a, b); }

/* ---- google.protobuf.StringValue */

static inline int64_t google_protobuf_StringValue_size(const google_protobuf_StringValue *msg) { return tern_protobuf_size(&google_protobuf_StringValue_type, msg); }

static inline int64_t google_protobuf_StringValue_encode(const google_protobuf_StringValue *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&google_protobuf_StringValue_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int google_protobuf_StringValue_decode(const void *data, size_t len, tern_arena *arena, int mode, google_protobuf_StringValue *msg) {
    return tern_protobuf_decode(&google_protobuf_StringValue_type, data, len, arena, mode, NULL, msg);
}

static inline int google_protobuf_StringValue_copy(const google_protobuf_StringValue *src, tern_arena *arena, google_protobuf_StringValue *dst) {
    return tern_message_copy(&google_protobuf_StringValue_type, src, arena, dst);
}

static inline bool google_protobuf_StringValue_equal(const google_protobuf_StringValue *a, const google_protobuf_StringValue *b) { return tern_message_equal(&google_protobuf_StringValue_type, a, b); }

/* ---- google.protobuf.BytesValue */

static inline int64_t google_protobuf_BytesValue_size(const google_protobuf_BytesValue *msg) { return tern_protobuf_size(&google_protobuf_BytesValue_type, msg); }

static inline int64_t google_protobuf_BytesValue_encode(const google_protobuf_BytesValue *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&google_protobuf_BytesValue_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int google_protobuf_BytesValue_decode(const void *data, size_t len, tern_arena *arena, int mode, google_protobuf_BytesValue *msg) {
    return tern_protobuf_decode(&google_protobuf_BytesValue_type, data, len, arena, mode, NULL, msg);
}

static inline int google_protobuf_BytesValue_copy(const google_protobuf_BytesValue *src, tern_arena *arena, google_protobuf_BytesValue *dst) {
    return tern_message_copy(&google_protobuf_BytesValue_type, src, arena, dst);
}

static inline bool google_protobuf_BytesValue_equal(const google_protobuf_BytesValue *a, const google_protobuf_BytesValue *b) { return tern_message_equal(&google_protobuf_BytesValue_type, a, b); }

#ifdef __cplusplus
}
#endif
#endif
