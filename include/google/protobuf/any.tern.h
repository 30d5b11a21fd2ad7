/* Made by protoc-gen-tern from google/protobuf/any.proto; changes here are lost. */
#ifndef GOOGLE__PROTOBUF__ANY_TERN_H
#define GOOGLE__PROTOBUF__ANY_TERN_H

#include "tern/codec.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct google_protobuf_Any google_protobuf_Any;
TERN__LIST(google_protobuf_Any_list, google_protobuf_Any);
extern const tern_type google_protobuf_Any_type;

struct google_protobuf_Any {
    tern_str type_url;
    tern_bytes value;
    tern_unknown unknown;
};

/* ---- google.protobuf.Any */

static inline int64_t google_protobuf_Any_size(const google_protobuf_Any *msg) { return tern_protobuf_size(&google_protobuf_Any_type, msg); }

static inline int64_t google_protobuf_Any_encode(const google_protobuf_Any *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&google_protobuf_Any_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int google_protobuf_Any_decode(const void *data, size_t len, tern_arena *arena, int mode, google_protobuf_Any *msg) {
    return tern_protobuf_decode(&google_protobuf_Any_type, data, len, arena, mode, NULL, msg);
}

static inline int google_protobuf_Any_copy(const google_protobuf_Any *src, tern_arena *arena, google_protobuf_Any *dst) {
    return tern_message_copy(&google_protobuf_Any_type, src, arena, dst);
}

static inline bool google_protobuf_Any_equal(const google_protobuf_Any *a, const google_protobuf_Any *b) { return tern_message_equal(&google_protobuf_Any_type, a, b); }

#ifdef __cplusplus
}
#endif
#endif
