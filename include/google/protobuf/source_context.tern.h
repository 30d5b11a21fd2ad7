/* Made by protoc-gen-tern from google/protobuf/source_context.proto; changes here are lost. */
#ifndef GOOGLE__PROTOBUF__SOURCE_CONTEXT_TERN_H
#define GOOGLE__PROTOBUF__SOURCE_CONTEXT_TERN_H

#include "tern/codec.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct google_protobuf_SourceContext google_protobuf_SourceContext;
TERN__LIST(google_protobuf_SourceContext_list, google_protobuf_SourceContext);
extern const tern_type google_protobuf_SourceContext_type;

struct google_protobuf_SourceContext {
    tern_str file_name;
    tern_unknown unknown;
};

/* ---- google.protobuf.SourceContext */

static inline int64_t google_protobuf_SourceContext_size(const google_protobuf_SourceContext *msg) { return tern_protobuf_size(&google_protobuf_SourceContext_type, msg); }

static inline int64_t google_protobuf_SourceContext_encode(const google_protobuf_SourceContext *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&google_protobuf_SourceContext_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int google_protobuf_SourceContext_decode(const void *data, size_t len, tern_arena *arena, int mode, google_protobuf_SourceContext *msg) {
    return tern_protobuf_decode(&google_protobuf_SourceContext_type, data, len, arena, mode, NULL, msg);
}

static inline int google_protobuf_SourceContext_copy(const google_protobuf_SourceContext *src, tern_arena *arena, google_protobuf_SourceContext *dst) {
    return tern_message_copy(&google_protobuf_SourceContext_type, src, arena, dst);
}

static inline bool google_protobuf_SourceContext_equal(const google_protobuf_SourceContext *a, const google_protobuf_SourceContext *b) { return tern_message_equal(&google_protobuf_SourceContext_type, a, b); }

#ifdef __cplusplus
}
#endif
#endif
