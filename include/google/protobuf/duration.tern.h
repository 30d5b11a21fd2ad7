/* Made by protoc-gen-tern from google/protobuf/duration.proto; changes here are lost. */
#ifndef GOOGLE__PROTOBUF__DURATION_TERN_H
#define GOOGLE__PROTOBUF__DURATION_TERN_H

#include "tern/codec.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct google_protobuf_Duration google_protobuf_Duration;
TERN__LIST(google_protobuf_Duration_list, google_protobuf_Duration);
extern const tern_type google_protobuf_Duration_type;

struct google_protobuf_Duration {
    int64_t seconds;
    int32_t nanos;
    tern_unknown unknown;
};

/* ---- google.protobuf.Duration */

static inline int64_t google_protobuf_Duration_size(const google_protobuf_Duration *msg) { return tern_protobuf_size(&google_protobuf_Duration_type, msg); }

static inline int64_t google_protobuf_Duration_encode(const google_protobuf_Duration *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&google_protobuf_Duration_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int google_protobuf_Duration_decode(const void *data, size_t len, tern_arena *arena, int mode, google_protobuf_Duration *msg) {
    return tern_protobuf_decode(&google_protobuf_Duration_type, data, len, arena, mode, NULL, msg);
}

static inline int google_protobuf_Duration_copy(const google_protobuf_Duration *src, tern_arena *arena, google_protobuf_Duration *dst) {
    return tern_message_copy(&google_protobuf_Duration_type, src, arena, dst);
}

static inline bool google_protobuf_Duration_equal(const google_protobuf_Duration *a, const google_protobuf_Duration *b) { return tern_message_equal(&google_protobuf_Duration_type, a, b); }

#ifdef __cplusplus
}
#endif
#endif
