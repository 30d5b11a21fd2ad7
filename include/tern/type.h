/* Type tables: what every format of tern knows about a message.
 *
 * protoc-gen-tern emits, for each message, a C struct and one constant tern_type. Codecs read the
 * table and the struct and nothing else, so a new format never needs new generated code.
 *
 * How a field lies in its struct, by label and kind:
 *   singular scalar, enum, bool    the C type (int32_t, uint64_t, float, double, bool; enums int32_t)
 *   string, bytes                  tern_str, tern_bytes: a view, never owned by the struct
 *   singular message               a pointer; NULL when absent
 *   repeated                       a list {data, len, cap} of the above; messages are stored by value
 *   presence                       one bit per field with explicit presence, in `struct { uint32_t
 *                                  name : 1; ... } has`, so that m.has.x reads, writes and prints well
 *
 * A zeroed struct is the empty message. Tables are constant and may be read from any thread. */
#ifndef TERN_TYPE_H
#define TERN_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "tern/err.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A string: UTF-8, not necessarily NUL-terminated. */
typedef struct tern_str {
    const char *data;
    size_t len; /* bytes */
} tern_str;

typedef struct tern_bytes {
    const void *data;
    size_t len; /* bytes */
} tern_bytes;

/* Lists of scalars; generated code declares the same shape for each message type. All lists have this
 * one layout, so that codecs handle them alike. cap is 0 when the list borrows its data. */
#define TERN__LIST(name, type)                                                                                         \
    typedef struct name {                                                                                              \
        type *data;                                                                                                    \
        size_t len, cap; /* elements */                                                                                \
    } name
TERN__LIST(tern_list, void);
TERN__LIST(tern_list_i32, int32_t);
TERN__LIST(tern_list_i64, int64_t);
TERN__LIST(tern_list_u32, uint32_t);
TERN__LIST(tern_list_u64, uint64_t);
TERN__LIST(tern_list_f32, float);
TERN__LIST(tern_list_f64, double);
TERN__LIST(tern_list_bool, bool);
TERN__LIST(tern_list_str, tern_str);
TERN__LIST(tern_list_bytes, tern_bytes);

/* A field's type in the schema, with the numbers of google.protobuf.FieldDescriptorProto.Type. */
typedef enum tern_kind {
    TERN_DOUBLE = 1,
    TERN_FLOAT = 2,
    TERN_INT64 = 3,
    TERN_UINT64 = 4,
    TERN_INT32 = 5,
    TERN_FIXED64 = 6,
    TERN_FIXED32 = 7,
    TERN_BOOL = 8,
    TERN_STRING = 9,
    TERN_MESSAGE = 11,
    TERN_BYTES = 12,
    TERN_UINT32 = 13,
    TERN_ENUM = 14,
    TERN_SFIXED32 = 15,
    TERN_SFIXED64 = 16,
    TERN_SINT32 = 17,
    TERN_SINT64 = 18
} tern_kind;

enum {
    TERN_FIELD_REPEATED = 1, /* the struct holds a list */
    TERN_FIELD_PACKED = 2,   /* protobuf writes the list packed; both forms are always read */
    TERN_FIELD_HAS = 4,      /* explicit presence: bit `has` of the presence words says set or not */
    TERN_FIELD_UTF8 = 8,     /* a string that must be valid UTF-8 (proto3) */
    TERN_FIELD_REQUIRED = 16 /* proto2 required */
};

/* One field. 16 bytes, so four fields share a cache line. */
typedef struct tern_field {
    uint32_t number;     /* in the schema, from 1 */
    uint32_t offset;     /* of the member in the struct, bytes */
    uint16_t sub;        /* index into tern_type.subs for messages; else 0 */
    uint16_t has;        /* presence bit, counted from bit 0 of the first presence word */
    uint8_t kind;        /* a tern_kind */
    uint8_t flags;       /* TERN_FIELD_* */
    uint16_t elem_bytes; /* size of one value in the struct or list */
} tern_field;

typedef struct tern_type tern_type;
struct tern_type {
    const char *name;               /* full name, "kv.GetRequest" */
    const tern_field *fields;       /* n_fields, ascending by number */
    const char *const *field_names; /* n_fields, as in the schema */
    const tern_type *const *subs;   /* message types that the fields refer to */
    uint32_t n_fields;
    uint32_t n_dense;    /* fields[i].number == i + 1 for all i < n_dense: found without a search */
    uint32_t size_bytes; /* sizeof the struct */
    uint32_t has_offset; /* of the presence words in the struct; meaningless when n_has is 0 */
    uint32_t n_has;      /* presence bits in use */
    uint32_t max_number; /* greatest field number; 0 when there are no fields */
    uint32_t n_required; /* fields that are TERN_FIELD_REQUIRED: decoders refuse a message without them */
};

/* One method of a service. `id` names it on the wire: FNV-1a, 32 bit, of "package.Service/Method". */
typedef struct tern_method {
    const char *name; /* "kv.Store/Get" */
    const tern_type *request, *response;
    uint32_t id;
} tern_method;

typedef struct tern_service {
    const char *name; /* "kv.Store" */
    const tern_method *methods;
    uint32_t n_methods;
} tern_service;

/* The field with this number, or NULL. */
static inline const tern_field *tern_type_field(const tern_type *type, uint32_t number);

/* Look a field up by its name in the schema; NULL when there is none. Linear; for tools. */
TERN_API const tern_field *tern_type_field_by_name(const tern_type *type, const char *name);

/* FNV-1a, 32 bit, of a NUL-terminated string: the rule behind tern_method.id. */
TERN_API uint32_t tern_method_id(const char *full_name);

/* Views of NUL-terminated strings and of anything. The view borrows. */
static inline tern_str tern_str_of(const char *text);
static inline tern_bytes tern_bytes_of(const void *data, size_t len);
static inline bool tern_str_eq(tern_str a, tern_str b);
static inline bool tern_bytes_eq(tern_bytes a, tern_bytes b);

/* Make room for at least n elements in a list whose elements are elem_bytes wide, growing by
 * doubling; memory comes from the arena and old storage stays there until its reset. Elements from
 * len to n are zeroed. Returns 0 or TERN_ERR_NOMEM (the list is unchanged). Generated code wraps it as
 * <Message>_reserve_<field>. */
struct tern_arena;
TERN_API int tern_list_reserve(void *list, size_t n, size_t elem_bytes, struct tern_arena *arena);

/* ---- Inline bodies ------------------------------------------------------------------------------ */

TERN_API const tern_field *tern__type_field_search(const tern_type *type, uint32_t number);

static inline const tern_field *tern_type_field(const tern_type *type, uint32_t number) {
    if (number - 1 < type->n_dense) return &type->fields[number - 1];
    return tern__type_field_search(type, number);
}

static inline tern_str tern_str_of(const char *text) {
    tern_str s = {text, text ? strlen(text) : 0};
    return s;
}

static inline tern_bytes tern_bytes_of(const void *data, size_t len) {
    tern_bytes b = {data, len};
    return b;
}

static inline bool tern_str_eq(tern_str a, tern_str b) {
    return a.len == b.len && (a.len == 0 || memcmp(a.data, b.data, a.len) == 0);
}

static inline bool tern_bytes_eq(tern_bytes a, tern_bytes b) {
    return a.len == b.len && (a.len == 0 || memcmp(a.data, b.data, a.len) == 0);
}

#ifdef __cplusplus
}
#endif
#endif
