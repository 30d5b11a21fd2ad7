/* Made by protoc-gen-tern from tern/object.proto; changes here are lost. */
#ifndef TERN__OBJECT_TERN_H
#define TERN__OBJECT_TERN_H

#include "tern/codec.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tern_Object tern_Object;
TERN__LIST(tern_Object_list, tern_Object);
extern const tern_type tern_Object_type;

struct tern_Object {
    tern_str type_url;
    tern_bytes value;
};

/* ---- tern.Object */

static inline int64_t tern_Object_size(const tern_Object *msg) { return tern_protobuf_size(&tern_Object_type, msg); }

static inline int64_t tern_Object_encode(const tern_Object *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&tern_Object_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int tern_Object_decode(const void *data, size_t len, tern_arena *arena, int mode, tern_Object *msg) {
    return tern_protobuf_decode(&tern_Object_type, data, len, arena, mode, NULL, msg);
}

static inline int tern_Object_copy(const tern_Object *src, tern_arena *arena, tern_Object *dst) {
    return tern_message_copy(&tern_Object_type, src, arena, dst);
}

static inline bool tern_Object_equal(const tern_Object *a, const tern_Object *b) { return tern_message_equal(&tern_Object_type, a, b); }

#ifdef __cplusplus
}
#endif
#endif
