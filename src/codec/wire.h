/* The protobuf wire format's small parts: varints, zig-zag, wire types, presence bits.
 *
 *   message = (tag value)*     tag = varint(number << 3 | wire type)
 *   wire type 0: varint, 1: 8 bytes, 2: varint length and bytes, 3/4: group, 5: 4 bytes */
#ifndef TERN_CODEC_WIRE_H
#define TERN_CODEC_WIRE_H

#include "base/base.h"
#include "tern/type.h"

enum { WIRE_VARINT = 0, WIRE_64 = 1, WIRE_LEN = 2, WIRE_START = 3, WIRE_END = 4, WIRE_32 = 5 };
enum { VARINT_MAX_BYTES = 10, TAG_MAX_BYTES = 5, ENCODE_MAX_DEPTH = 100 };

/* The wire type of one value of a kind. As a word of 4-bit entries it needs no memory access. */
static inline unsigned kind_wire(unsigned kind) {
    const uint64_t low = (uint64_t)WIRE_64 << 4 * TERN_DOUBLE | (uint64_t)WIRE_32 << 4 * TERN_FLOAT |
                         (uint64_t)WIRE_64 << 4 * TERN_FIXED64 | (uint64_t)WIRE_32 << 4 * TERN_FIXED32 |
                         (uint64_t)WIRE_LEN << 4 * TERN_STRING | (uint64_t)WIRE_LEN << 4 * TERN_MESSAGE |
                         (uint64_t)WIRE_LEN << 4 * TERN_BYTES | (uint64_t)WIRE_32 << 4 * TERN_SFIXED32;
    if (kind < 16) return (unsigned)(low >> 4 * kind) & 15;
    return kind == TERN_SFIXED64 ? WIRE_64 : WIRE_VARINT;
}

/* Bytes of a varint: one per seven bits begun, at least one. */
static inline uint32_t varint_bytes(uint64_t value) {
    uint32_t bits = 64 - (uint32_t)__builtin_clzll(value | 1);
    return (bits * 9 + 64) / 64;
}

static inline uint64_t zigzag(int64_t value) { return (uint64_t)value << 1 ^ (uint64_t)(value >> 63); }
static inline int64_t unzigzag(uint64_t value) { return (int64_t)(value >> 1 ^ (0 - (value & 1))); }

static inline uint32_t *presence_word(const tern_type *type, const tern_field *field, void *msg) {
    return (uint32_t *)(void *)((uint8_t *)msg + type->has_offset) + field->has / 32;
}

static inline bool presence_get(const tern_type *type, const tern_field *field, const void *msg) {
    uint32_t word = tern__load32((const uint8_t *)msg + type->has_offset + field->has / 32 * 4);
    return word >> field->has % 32 & 1;
}

/* Whether a singular field is written. Without explicit presence that is when it differs from zero;
 * numbers compare by bits, so that -0.0 is kept. */
static inline bool field_present(const tern_type *type, const tern_field *field, const void *msg) {
    const void *member = (const uint8_t *)msg + field->offset;
    if (field->flags & TERN_FIELD_HAS) return presence_get(type, field, msg);
    if (field->kind == TERN_STRING || field->kind == TERN_BYTES) return ((const tern_bytes *)member)->len != 0;
    switch (field->elem_bytes) {
    case 1: return *(const uint8_t *)member != 0;
    case 4: return tern__load32(member) != 0;
    default: return tern__load64(member) != 0;
    }
}

#endif
