/* Any: an encoded message with the name of its type. */
#include "tern/wkt.h"

#define PREFIX "type.googleapis.com/"

int tern_any_pack(const tern_type *type, const void *msg, tern_arena *arena, google_protobuf_Any *any) {
    size_t prefix = sizeof PREFIX - 1, name = strlen(type->name);
    int64_t bytes = tern_protobuf_size(type, msg);
    if (bytes < 0) return (int)bytes;
    char *url = tern_arena_alloc(arena, prefix + name);
    void *value = tern_arena_alloc(arena, bytes ? (size_t)bytes : 1);
    if (!url || !value) return TERN_ERR_NOMEM;
    memcpy(url, PREFIX, prefix);
    memcpy(url + prefix, type->name, name);
    bytes = tern_protobuf_encode(type, msg, value, (size_t)bytes);
    if (bytes < 0) return (int)bytes;
    memset(any, 0, sizeof *any);
    any->type_url = (tern_str){url, prefix + name};
    any->value = tern_bytes_of(value, (size_t)bytes);
    return 0;
}

tern_str tern_any_type_name(const google_protobuf_Any *any) {
    tern_str url = any->type_url;
    for (size_t i = url.len; i > 0; i--)
        if (url.data[i - 1] == '/') return (tern_str){url.data + i, url.len - i};
    return (tern_str){NULL, 0};
}

bool tern_any_is(const google_protobuf_Any *any, const tern_type *type) {
    return tern_str_eq(tern_any_type_name(any), tern_str_of(type->name));
}

int tern_any_unpack(const google_protobuf_Any *any, const tern_type *type, tern_arena *arena, int mode,
                    const tern_limits *limits, void *msg) {
    if (!tern_any_is(any, type)) return TERN_ERR_NOT_FOUND;
    return tern_protobuf_decode(type, any->value.data, any->value.len, arena, mode, limits, msg);
}
