/* The layout that the hybrid encoder and decoder agree on (docs/wire-format.md).
 *
 *   object   = n_words u32 | bitmap: n_words u32 | the entries of the present fields, in number order
 *   entry    = 4 bytes: bool, enum, 4-byte numbers      8 bytes: 8-byte numbers
 *              {size, offset}: string, bytes            {0, offset}: message
 *              {count, offset}: list
 *   encoding = top object | tables and sub-objects, depth first | copied values | in-place values
 *
 * Bit number - 1 of the bitmap says whether a field is present. All offsets count from the start of the
 * encoding, and nothing is aligned. */
#ifndef TERN_CODEC_HYBRID_H
#define TERN_CODEC_HYBRID_H

#include "base/base.h"
#include "tern/type.h"
#include "type/traits.h"

enum {
    TERN__HYBRID_MAX_NUMBER = 65536, /* greatest field number: bounds the bitmap, 8 kB per object */
    TERN__HYBRID_MAX_WORDS = TERN__HYBRID_MAX_NUMBER / 32,
    TERN__HYBRID_MAX_DEPTH = 100, /* of what the encoder writes */
};

/* An encoding is shorter than this. */
#define TERN__HYBRID_MAX_BYTES ((uint64_t)1 << 31)

/* How a field lies in the struct and on the wire. */
typedef enum tern__hybrid_class {
    TERN__HYBRID_NONE, /* no such kind */
    TERN__HYBRID_BOOL, /* 1 byte in the struct, 4 on the wire, 1 in a list */
    TERN__HYBRID_32,
    TERN__HYBRID_64,
    TERN__HYBRID_BLOB, /* string, bytes */
    TERN__HYBRID_MSG,
    TERN__HYBRID_LIST = 8, /* added to one of the above */
    TERN__HYBRID_BOOL_LIST,
    TERN__HYBRID_32_LIST,
    TERN__HYBRID_64_LIST,
    TERN__HYBRID_BLOB_LIST,
    TERN__HYBRID_MSG_LIST,
} tern__hybrid_class;

/* In a field's info: the struct says, apart from the value, whether the field is set. */
#define TERN__HYBRID_EXPLICIT ((unsigned)(TERN_FIELD_HAS | TERN_FIELD_ONEOF) << 8)

/* One look-up, because it is done for each field by each pass over a message. */
static inline unsigned tern__hybrid_class_by(unsigned info) {
#define CLASS(kind, class) [kind] = TERN__HYBRID_##class, [256 + kind] = TERN__HYBRID_##class + TERN__HYBRID_LIST
    static const uint8_t by_kind[256 + 32] = {
        CLASS(TERN_DOUBLE, 64),   CLASS(TERN_FLOAT, 32),   CLASS(TERN_INT64, 64),    CLASS(TERN_UINT64, 64),
        CLASS(TERN_INT32, 32),    CLASS(TERN_FIXED64, 64), CLASS(TERN_FIXED32, 32),  CLASS(TERN_BOOL, BOOL),
        CLASS(TERN_STRING, BLOB), CLASS(TERN_GROUP, MSG),  CLASS(TERN_MESSAGE, MSG), CLASS(TERN_BYTES, BLOB),
        CLASS(TERN_UINT32, 32),   CLASS(TERN_ENUM, 32),    CLASS(TERN_SFIXED32, 32), CLASS(TERN_SFIXED64, 64),
        CLASS(TERN_SINT32, 32),   CLASS(TERN_SINT64, 64),
    };
#undef CLASS
    unsigned class = by_kind[info & (256 + 31)];
    if (class > TERN__HYBRID_MSG_LIST) __builtin_unreachable(); /* so that a switch over it needs no check */
    return class;
}

static inline unsigned tern__hybrid_class_of(const tern_field *field) {
    return tern__hybrid_class_by(tern__field_traits(field));
}

/* Bytes of one element of a list of numbers, and of its alignment. */
static inline unsigned tern__hybrid_number_bytes(unsigned class) {
    class &= ~(unsigned)TERN__HYBRID_LIST;
    return class == TERN__HYBRID_BOOL ? 1 : class == TERN__HYBRID_32 ? 4 : 8;
}

/* Bytes of a field's entry. */
static inline unsigned tern__hybrid_entry_bytes(unsigned class) {
    return class == TERN__HYBRID_BOOL || class == TERN__HYBRID_32 ? 4 : 8;
}

_Static_assert(sizeof(size_t) == 8 && sizeof(void *) == 8,
               "tern__hybrid_present reads lengths and pointers as 8 bytes");
_Static_assert(offsetof(tern_list, len) == offsetof(tern_bytes, len), "views and lists have their length in one place");
_Static_assert(sizeof(tern_str) == sizeof(tern_bytes), "strings and bytes are handled as one");

/* Whether a field of which the struct says it is set. */
static inline bool tern__hybrid_is_set(const tern_field *field, const tern_type *type, const uint8_t *msg) {
    if (field->flags & TERN_FIELD_ONEOF) return tern__load32(msg + (size_t)field->has * 4) == field->number;
    return tern__load32(msg + type->has_offset + field->has / 32 * 4) >> field->has % 32 & 1;
}

/* Whether a member holds anything but zero. */
static inline bool tern__hybrid_has_value(unsigned class, const void *member) {
    const uint8_t *bytes = member;
    if (class == TERN__HYBRID_32) return tern__load32(bytes) != 0;
    if (class == TERN__HYBRID_64 || class == TERN__HYBRID_MSG) return tern__load64(bytes) != 0;
    if (class == TERN__HYBRID_BOOL) return *bytes != 0;
    return (tern__load32(bytes + offsetof(tern_list, len)) | tern__load32(bytes + offsetof(tern_list, len) + 4)) != 0;
}

/* Whether a field is there: as the struct says, else if it has a value, as in proto3. There is no message without
 * memory for it. */
static inline bool tern__hybrid_present(const tern_field *field, unsigned class, const tern_type *type,
                                        const uint8_t *msg) {
    const uint8_t *member = msg + field->offset;
    if (!(tern__field_traits(field) & TERN__HYBRID_EXPLICIT)) return tern__hybrid_has_value(class, member);
    if (!tern__hybrid_is_set(field, type, msg)) return false;
    return class != TERN__HYBRID_MSG || tern__hybrid_has_value(class, member);
}

/* One past the last field; a type without fields has no table. */
static inline const tern_field *tern__hybrid_fields_end(const tern_type *type) {
    return type->n_fields ? type->fields + type->n_fields : type->fields;
}

static inline uint32_t tern__hybrid_words(const tern_type *type) { return (type->max_number + 31) / 32; }

#endif
