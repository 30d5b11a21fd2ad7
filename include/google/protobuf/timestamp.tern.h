/* Made by protoc-gen-tern from google/protobuf/timestamp.proto; changes here are lost. */
#ifndef GOOGLE__PROTOBUF__TIMESTAMP_TERN_H
#define GOOGLE__PROTOBUF__TIMESTAMP_TERN_H

#include "tern/codec.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct google_protobuf_Timestamp google_protobuf_Timestamp;
TERN__LIST(google_protobuf_Timestamp_list, google_protobuf_Timestamp);
extern const tern_type google_protobuf_Timestamp_type;

struct google_protobuf_Timestamp {
    int64_t seconds;
    int32_t nanos;
    tern_unknown unknown;
};

/* ---- google.protobuf.Timestamp */

static inline int64_t google_protobuf_Timestamp_size(const google_protobuf_Timestamp *msg) { return tern_protobuf_size(&google_protobuf_Timestamp_type, msg); }

static inline int64_t google_protobuf_Timestamp_encode(const google_protobuf_Timestamp *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&google_protobuf_Timestamp_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int google_protobuf_Timestamp_decode(const void *data, size_t len, tern_arena *arena, int mode, google_protobuf_Timestamp *msg) {
    return tern_protobuf_decode(&google_protobuf_Timestamp_type, data, len, arena, mode, NULL, msg);
}

static inline int google_protobuf_Timestamp_copy(const google_protobuf_Timestamp *src, tern_arena *arena, google_protobuf_Timestamp *dst) {
    return tern_message_copy(&google_protobuf_Timestamp_type, src, arena, dst);
}

static inline bool google_protobuf_Timestamp_equal(const google_protobuf_Timestamp *a, const google_protobuf_Timestamp *b) { return tern_message_equal(&google_protobuf_Timestamp_type, a, b); }

#ifdef __cplusplus
}
#endif
#endif
