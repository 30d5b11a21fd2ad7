/* The protobuf wire format's small parts: varints, zig-zag, wire types, presence.
 *
 *   message = (tag value)*     tag = varint(number << 3 | wire type)
 *   wire type 0: varint, 1: 8 bytes, 2: varint length and bytes, 3/4: a group's begin and end, 5: 4 bytes */
#ifndef TERN_CODEC_WIRE_H
#define TERN_CODEC_WIRE_H

#include "base/base.h"
#include "tern/type.h"
#include "type/traits.h"
#include "type/walk.h"

/* What is on the path of every field is laid into its loop, and what is rarer kept out of it, whatever the compiler
 * makes of their sizes. */
#define ALWAYS_INLINE static inline __attribute__((always_inline))
#define OUT_OF_LINE __attribute__((noinline))
#define LIKELY(condition) __builtin_expect(!!(condition), 1)
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)

enum { WIRE_VARINT = 0, WIRE_64 = 1, WIRE_LEN = 2, WIRE_START = 3, WIRE_END = 4, WIRE_32 = 5 };
enum { VARINT_MAX_BYTES = 10, TAG_MAX_BYTES = 5 };

/* Messages within messages that an encoder follows, the top one included: what a decoder takes by default. */
enum { ENCODE_MAX_DEPTH = 101 };

/* The wire type of one value of a kind, from a word of 4-bit entries: no memory access. */
static inline unsigned kind_wire(unsigned kind) {
    const uint64_t low = (uint64_t)WIRE_64 << 4 * TERN_DOUBLE | (uint64_t)WIRE_32 << 4 * TERN_FLOAT |
                         (uint64_t)WIRE_64 << 4 * TERN_FIXED64 | (uint64_t)WIRE_32 << 4 * TERN_FIXED32 |
                         (uint64_t)WIRE_LEN << 4 * TERN_STRING | (uint64_t)WIRE_START << 4 * TERN_GROUP |
                         (uint64_t)WIRE_LEN << 4 * TERN_MESSAGE | (uint64_t)WIRE_LEN << 4 * TERN_BYTES |
                         (uint64_t)WIRE_32 << 4 * TERN_SFIXED32;
    if (kind < 16) return (unsigned)(low >> 4 * kind) & 15;
    return kind == TERN_SFIXED64 ? WIRE_64 : WIRE_VARINT;
}

/* A field's kind, loaded as the whole word that it begins: clang loads a byte alone into part of a register, which
 * waits for what was there before. */
ALWAYS_INLINE unsigned field_kind(const tern_field *field) { return tern__field_traits(field) & 0xff; }

static inline bool holds_message(unsigned kind) { return kind == TERN_MESSAGE || kind == TERN_GROUP; }

/* memmove(), to lower addresses if they overlap, in steps for which glibc takes its vector loops: on some processors
 * the instruction that it takes from 2 KB on is up to 27 times slower where the target lies just behind the source in
 * its page. */
static inline void copy_long(uint8_t *out, const uint8_t *data, size_t n) {
    enum { STEP = 2000 };
    for (; n > STEP; n -= STEP, out += STEP, data += STEP) memmove(out, data, STEP);
    if (n > 0) memmove(out, data, n);
}

/* Bytes of a varint: one per seven bits begun, at least one. */
static inline uint32_t varint_bytes(uint64_t value) {
    uint32_t bits = 64 - (uint32_t)__builtin_clzll(value | 1);
    return (bits * 9 + 64) / 64;
}

/* Writes a varint and says how long it is. For what is rare. */
static inline size_t write_varint(uint8_t *out, uint64_t value) {
    size_t n = 0;
    for (; value >= 0x80; value >>= 7) out[n++] = (uint8_t)(value | 0x80);
    out[n++] = (uint8_t)value;
    return n;
}

static inline uint64_t zigzag(int64_t value) { return (uint64_t)value << 1 ^ (uint64_t)(value >> 63); }
static inline int64_t unzigzag(uint64_t value) { return (int64_t)(value >> 1 ^ (0 - (value & 1))); }

/* A scalar as the varint that stands for it on the wire: negative 32-bit numbers take all 64 bits. */
static inline uint64_t load_varint(unsigned kind, const void *value) {
    switch (kind) {
    case TERN_INT32:
    case TERN_ENUM: return (uint64_t)(int64_t)(int32_t)tern__load32(value);
    case TERN_UINT32: return tern__load32(value);
    case TERN_SINT32: return (uint32_t)zigzag((int32_t)tern__load32(value));
    case TERN_SINT64: return zigzag((int64_t)tern__load64(value));
    case TERN_BOOL: return *(const uint8_t *)value != 0;
    default: return tern__load64(value);
    }
}

static inline uint32_t *presence_word(const tern_type *type, const tern_field *field, void *msg) {
    return (uint32_t *)(void *)((uint8_t *)msg + type->has_offset) + field->has / 32;
}

/* Presence bits lie in 32-bit words, the least significant first: so also in bytes. */
static inline bool presence_get(const tern_type *type, const tern_field *field, const void *msg) {
    return ((const uint8_t *)msg)[type->has_offset + field->has / 8] >> field->has % 8 & 1;
}

/* The word that says which member of a oneof is set. */
static inline uint32_t oneof_case(const tern_field *field, const void *msg) {
    return tern__load32((const uint8_t *)msg + field->has * 4u);
}

/* Whether a singular field is written. Without explicit presence that is when it differs from zero;
 * numbers compare by bits, so that -0.0 is kept. Both fields of a map's entry always are. */
static inline bool field_present(const tern_type *type, const tern_field *field, const void *msg) {
    const void *member = (const uint8_t *)msg + field->offset;
    if (field->flags & TERN_FIELD_HAS) return presence_get(type, field, msg);
    if (field->flags & TERN_FIELD_ONEOF && oneof_case(field, msg) != field->number) return false;
    if (holds_message(field->kind)) return tern__load64(member) != 0;
    if (field->flags & TERN_FIELD_ONEOF || type->flags & TERN_TYPE_MAP_ENTRY) return true;
    if (field->kind == TERN_STRING || field->kind == TERN_BYTES) return ((const tern_bytes *)member)->len != 0;
    switch (field->elem_bytes) {
    case 1: return *(const uint8_t *)member != 0;
    case 4: return tern__load32(member) != 0;
    default: return tern__load64(member) != 0;
    }
}

/* The unknown fields of a message; NULL where its struct has no room for them, as that of a map's entry. */
static inline tern_unknown *message_unknown(const tern_type *type, const void *msg) {
    if (type->flags & TYPE_WITHOUT_UNKNOWN) return NULL;
    return (tern_unknown *)(void *)((uintptr_t)msg + type->unknown_offset);
}

#endif
