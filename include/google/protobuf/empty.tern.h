/* Made by protoc-gen-tern from google/protobuf/empty.proto; changes here are lost. */
#ifndef GOOGLE__PROTOBUF__EMPTY_TERN_H
#define GOOGLE__PROTOBUF__EMPTY_TERN_H

#include "tern/codec.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct google_protobuf_Empty google_protobuf_Empty;
TERN__LIST(google_protobuf_Empty_list, google_protobuf_Empty);
extern const tern_type google_protobuf_Empty_type;

struct google_protobuf_Empty {
    tern_unknown unknown;
};

/* ---- google.protobuf.Empty */

static inline int64_t google_protobuf_Empty_size(const google_protobuf_Empty *msg) { return tern_protobuf_size(&google_protobuf_Empty_type, msg); }

static inline int64_t google_protobuf_Empty_encode(const google_protobuf_Empty *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&google_protobuf_Empty_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int google_protobuf_Empty_decode(const void *data, size_t len, tern_arena *arena, int mode, google_protobuf_Empty *msg) {
    return tern_protobuf_decode(&google_protobuf_Empty_type, data, len, arena, mode, NULL, msg);
}

static inline int google_protobuf_Empty_copy(const google_protobuf_Empty *src, tern_arena *arena, google_protobuf_Empty *dst) {
    return tern_message_copy(&google_protobuf_Empty_type, src, arena, dst);
}

static inline bool google_protobuf_Empty_equal(const google_protobuf_Empty *a, const google_protobuf_Empty *b) { return tern_message_equal(&google_protobuf_Empty_type, a, b); }

#ifdef __cplusplus
}
#endif
#endif
