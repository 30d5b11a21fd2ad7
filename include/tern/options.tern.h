/* Made by protoc-gen-tern from tern/options.proto; changes here are lost. */
#ifndef TERN__OPTIONS_TERN_H
#define TERN__OPTIONS_TERN_H

#include "tern/codec.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tern_FileOptions tern_FileOptions;
TERN__LIST(tern_FileOptions_list, tern_FileOptions);
extern const tern_type tern_FileOptions_type;
typedef struct tern_MessageOptions tern_MessageOptions;
TERN__LIST(tern_MessageOptions_list, tern_MessageOptions);
extern const tern_type tern_MessageOptions_type;
typedef struct tern_MethodOptions tern_MethodOptions;
TERN__LIST(tern_MethodOptions_list, tern_MethodOptions);
extern const tern_type tern_MethodOptions_type;
typedef struct tern_FieldOptions tern_FieldOptions;
TERN__LIST(tern_FieldOptions_list, tern_FieldOptions);
extern const tern_type tern_FieldOptions_type;

struct tern_FileOptions {
    bool heap_functions;
    tern_unknown unknown;
};

struct tern_MessageOptions {
    bool no_unknown;
    tern_unknown unknown;
};

struct tern_MethodOptions {
    bool receive_shared;
    bool borrow;
    tern_unknown unknown;
};

struct tern_FieldOptions {
    tern_unknown unknown;
};

/* ---- tern.FileOptions */

static inline int64_t tern_FileOptions_size(const tern_FileOptions *msg) { return tern_protobuf_size(&tern_FileOptions_type, msg); }

static inline int64_t tern_FileOptions_encode(const tern_FileOptions *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&tern_FileOptions_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int tern_FileOptions_decode(const void *data, size_t len, tern_arena *arena, int mode, tern_FileOptions *msg) {
    return tern_protobuf_decode(&tern_FileOptions_type, data, len, arena, mode, NULL, msg);
}

static inline int tern_FileOptions_copy(const tern_FileOptions *src, tern_arena *arena, tern_FileOptions *dst) {
    return tern_message_copy(&tern_FileOptions_type, src, arena, dst);
}

static inline bool tern_FileOptions_equal(const tern_FileOptions *a, const tern_FileOptions *b) { return tern_message_equal(&tern_FileOptions_type, a, b); }

/* ---- tern.MessageOptions */

static inline int64_t tern_MessageOptions_size(const tern_MessageOptions *msg) { return tern_protobuf_size(&tern_MessageOptions_type, msg); }

static inline int64_t tern_MessageOptions_encode(const tern_MessageOptions *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&tern_MessageOptions_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int tern_MessageOptions_decode(const void *data, size_t len, tern_arena *arena, int mode, tern_MessageOptions *msg) {
    return tern_protobuf_decode(&tern_MessageOptions_type, data, len, arena, mode, NULL, msg);
}

static inline int tern_MessageOptions_copy(const tern_MessageOptions *src, tern_arena *arena, tern_MessageOptions *dst) {
    return tern_message_copy(&tern_MessageOptions_type, src, arena, dst);
}

static inline bool tern_MessageOptions_equal(const tern_MessageOptions *a, const tern_MessageOptions *b) { return tern_message_equal(&tern_MessageOptions_type, a, b); }

/* ---- tern.MethodOptions */

static inline int64_t tern_MethodOptions_size(const tern_MethodOptions *msg) { return tern_protobuf_size(&tern_MethodOptions_type, msg); }

static inline int64_t tern_MethodOptions_encode(const tern_MethodOptions *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&tern_MethodOptions_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int tern_MethodOptions_decode(const void *data, size_t len, tern_arena *arena, int mode, tern_MethodOptions *msg) {
    return tern_protobuf_decode(&tern_MethodOptions_type, data, len, arena, mode, NULL, msg);
}

static inline int tern_MethodOptions_copy(const tern_MethodOptions *src, tern_arena *arena, tern_MethodOptions *dst) {
    return tern_message_copy(&tern_MethodOptions_type, src, arena, dst);
}

static inline bool tern_MethodOptions_equal(const tern_MethodOptions *a, const tern_MethodOptions *b) { return tern_message_equal(&tern_MethodOptions_type, a, b); }

/* ---- tern.FieldOptions */

static inline int64_t tern_FieldOptions_size(const tern_FieldOptions *msg) { return tern_protobuf_size(&tern_FieldOptions_type, msg); }

static inline int64_t tern_FieldOptions_encode(const tern_FieldOptions *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&tern_FieldOptions_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int tern_FieldOptions_decode(const void *data, size_t len, tern_arena *arena, int mode, tern_FieldOptions *msg) {
    return tern_protobuf_decode(&tern_FieldOptions_type, data, len, arena, mode, NULL, msg);
}

static inline int tern_FieldOptions_copy(const tern_FieldOptions *src, tern_arena *arena, tern_FieldOptions *dst) {
    return tern_message_copy(&tern_FieldOptions_type, src, arena, dst);
}

static inline bool tern_FieldOptions_equal(const tern_FieldOptions *a, const tern_FieldOptions *b) { return tern_message_equal(&tern_FieldOptions_type, a, b); }

#ifdef __cplusplus
}
#endif
#endif
