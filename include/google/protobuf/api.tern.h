/* Made by protoc-gen-tern from google/protobuf/api.proto; changes here are lost. */
#ifndef GOOGLE__PROTOBUF__API_TERN_H
#define GOOGLE__PROTOBUF__API_TERN_H

#include "tern/codec.h"
#include "google/protobuf/source_context.tern.h"
#include "google/protobuf/type.tern.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct google_protobuf_Api google_protobuf_Api;
TERN__LIST(google_protobuf_Api_list, google_protobuf_Api);
extern const tern_type google_protobuf_Api_type;
typedef struct google_protobuf_Method google_protobuf_Method;
TERN__LIST(google_protobuf_Method_list, google_protobuf_Method);
extern const tern_type google_protobuf_Method_type;
typedef struct google_protobuf_Mixin google_protobuf_Mixin;
TERN__LIST(google_protobuf_Mixin_list, google_protobuf_Mixin);
extern const tern_type google_protobuf_Mixin_type;

struct google_protobuf_Api {
    tern_str name;
    google_protobuf_Method_list methods;
    google_protobuf_Option_list options;
    tern_str version;
    google_protobuf_SourceContext *source_context;
    google_protobuf_Mixin_list mixins;
    int32_t syntax; /* google_protobuf_Syntax */
    tern_unknown unknown;
};

struct google_protobuf_Method {
    tern_str name;
    tern_str request_type_url;
    bool request_streaming;
    tern_str response_type_url;
    bool response_streaming;
    google_protobuf_Option_list options;
    int32_t syntax; /* google_protobuf_Syntax */
    tern_unknown unknown;
};

struct google_protobuf_Mixin {
    tern_str name;
    tern_str root;
    tern_unknown unknown;
};

/* ---- google.protobuf.Api */

static inline int64_t google_protobuf_Api_size(const google_protobuf_Api *msg) { return tern_protobuf_size(&google_protobuf_Api_type, msg); }

static inline int64_t google_protobuf_Api_encode(const google_protobuf_Api *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&google_protobuf_Api_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int google_protobuf_Api_decode(const void *data, size_t len, tern_arena *arena, int mode, google_protobuf_Api *msg) {
    return tern_protobuf_decode(&google_protobuf_Api_type, data, len, arena, mode, NULL, msg);
}

static inline int google_protobuf_Api_copy(const google_protobuf_Api *src, tern_arena *arena, google_protobuf_Api *dst) {
    return tern_message_copy(&google_protobuf_Api_type, src, arena, dst);
}

static inline bool google_protobuf_Api_equal(const google_protobuf_Api *a, const google_protobuf_Api *b) { return tern_message_equal(&google_protobuf_Api_type, a, b); }

static inline int google_protobuf_Api_reserve_methods(google_protobuf_Api *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->methods, n, sizeof *msg->methods.data, arena);
}

static inline google_protobuf_Method *google_protobuf_Api_add_methods(google_protobuf_Api *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->methods, msg->methods.len + 1, sizeof *msg->methods.data, arena)) return NULL;
    return &msg->methods.data[msg->methods.len++];
}

static inline int google_protobuf_Api_reserve_options(google_protobuf_Api *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->options, n, sizeof *msg->options.data, arena);
}

static inline google_protobuf_Option *google_protobuf_Api_add_options(google_protobuf_Api *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->options, msg->options.len + 1, sizeof *msg->options.data, arena)) return NULL;
    return &msg->options.data[msg->options.len++];
}

static inline google_protobuf_SourceContext *google_protobuf_Api_make_source_context(google_protobuf_Api *msg, tern_arena *arena) {
    return msg->source_context = (google_protobuf_SourceContext *)tern_arena_zalloc(arena, sizeof *msg->source_context);
}

static inline bool google_protobuf_Api_has_source_context(const google_protobuf_Api *msg) { return msg->source_context != NULL; }

static inline void google_protobuf_Api_clear_source_context(google_protobuf_Api *msg) { msg->source_context = NULL; }

static inline int google_protobuf_Api_reserve_mixins(google_protobuf_Api *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->mixins, n, sizeof *msg->mixins.data, arena);
}

static inline google_protobuf_Mixin *google_protobuf_Api_add_mixins(google_protobuf_Api *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->mixins, msg->mixins.len + 1, sizeof *msg->mixins.data, arena)) return NULL;
    return &msg->mixins.data[msg->mixins.len++];
}

/* ---- google.protobuf.Method */

static inline int64_t google_protobuf_Method_size(const google_protobuf_Method *msg) { return tern_protobuf_size(&google_protobuf_Method_type, msg); }

static inline int64_t google_protobuf_Method_encode(const google_protobuf_Method *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&google_protobuf_Method_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int google_protobuf_Method_decode(const void *data, size_t len, tern_arena *arena, int mode, google_protobuf_Method *msg) {
    return tern_protobuf_decode(&google_protobuf_Method_type, data, len, arena, mode, NULL, msg);
}

static inline int google_protobuf_Method_copy(const google_protobuf_Method *src, tern_arena *arena, google_protobuf_Method *dst) {
    return tern_message_copy(&google_protobuf_Method_type, src, arena, dst);
}

static inline bool google_protobuf_Method_equal(const google_protobuf_Method *a, const google_protobuf_Method *b) { return tern_message_equal(&google_protobuf_Method_type, a, b); }

static inline int google_protobuf_Method_reserve_options(google_protobuf_Method *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->options, n, sizeof *msg->options.data, arena);
}

static inline google_protobuf_Option *google_protobuf_Method_add_options(google_protobuf_Method *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->options, msg->options.len + 1, sizeof *msg->options.data, arena)) return NULL;
    return &msg->options.data[msg->options.len++];
}

/* ---- google.protobuf.Mixin */

static inline int64_t google_protobuf_Mixin_size(const google_protobuf_Mixin *msg) { return tern_protobuf_size(&google_protobuf_Mixin_type, msg); }

static inline int64_t google_protobuf_Mixin_encode(const google_protobuf_Mixin *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&google_protobuf_Mixin_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int google_protobuf_Mixin_decode(const void *data, size_t len, tern_arena *arena, int mode, google_protobuf_Mixin *msg) {
    return tern_protobuf_decode(&google_protobuf_Mixin_type, data, len, arena, mode, NULL, msg);
}

static inline int google_protobuf_Mixin_copy(const google_protobuf_Mixin *src, tern_arena *arena, google_protobuf_Mixin *dst) {
    return tern_message_copy(&google_protobuf_Mixin_type, src, arena, dst);
}

static inline bool google_protobuf_Mixin_equal(const google_protobuf_Mixin *a, const google_protobuf_Mixin *b) { return tern_message_equal(&google_protobuf_Mixin_type, a, b); }

#ifdef __cplusplus
}
#endif
#endif
