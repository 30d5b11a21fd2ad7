/* Made by protoc-gen-tern from google/protobuf/field_mask.proto; changes here are lost. */
#ifndef GOOGLE__PROTOBUF__FIELD_MASK_TERN_H
#define GOOGLE__PROTOBUF__FIELD_MASK_TERN_H

#include "tern/codec.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct google_protobuf_FieldMask google_protobuf_FieldMask;
TERN__LIST(google_protobuf_FieldMask_list, google_protobuf_FieldMask);
extern const tern_type google_protobuf_FieldMask_type;

struct google_protobuf_FieldMask {
    tern_list_str paths;
    tern_unknown unknown;
};

/* ---- google.protobuf.FieldMask */

static inline int64_t google_protobuf_FieldMask_size(const google_protobuf_FieldMask *msg) { return tern_protobuf_size(&google_protobuf_FieldMask_type, msg); }

static inline int64_t google_protobuf_FieldMask_encode(const google_protobuf_FieldMask *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&google_protobuf_FieldMask_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int google_protobuf_FieldMask_decode(const void *data, size_t len, tern_arena *arena, int mode, google_protobuf_FieldMask *msg) {
    return tern_protobuf_decode(&google_protobuf_FieldMask_type, data, len, arena, mode, NULL, msg);
}

static inline int google_protobuf_FieldMask_copy(const google_protobuf_FieldMask *src, tern_arena *arena, google_protobuf_FieldMask *dst) {
    return tern_message_copy(&google_protobuf_FieldMask_type, src, arena, dst);
}

static inline bool google_protobuf_FieldMask_equal(const google_protobuf_FieldMask *a, const google_protobuf_FieldMask *b) { return tern_message_equal(&google_protobuf_FieldMask_type, a, b); }

static inline int google_protobuf_FieldMask_reserve_paths(google_protobuf_FieldMask *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->paths, n, sizeof *msg->paths.data, arena);
}

static inline tern_str *google_protobuf_FieldMask_add_paths(google_protobuf_FieldMask *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->paths, msg->paths.len + 1, sizeof *msg->paths.data, arena)) return NULL;
    return &msg->paths.data[msg->paths.len++];
}

#ifdef __cplusplus
}
#endif
#endif
