/* Protobuf encoding: a message's fields, last to first (protobuf_writer.h). */
#include "codec/protobuf_writer.h"

/* ---- Room ---------------------------------------------------------------------------------------- */

static segment *segment_below(uint8_t *p) {
    return (segment *)(void *)(((uintptr_t)p - sizeof(segment)) & ~(uintptr_t)7);
}

/* Goes on in another block, which has room for n bytes. The caller's room has
 * at most SLOP bytes left that may be used: they are written to the spare
 * block, and moved at the end. */
OUT_OF_LINE static uint8_t *new_block(writer *w, uint8_t *p, size_t n) {
    size_t bytes = sizeof w->spare;
    uint8_t *block = (uint8_t *)w->spare;
    if (!w->arena && w->in_spare) return writer_fail(w, TERN_ERR_LIMIT);
    if (w->arena) {
        bytes = w->block_bytes > n + sizeof w->spare ? w->block_bytes : n + sizeof w->spare;
        block = tern_arena_alloc(w->arena, bytes);
        if (!block) return writer_fail(w, TERN_ERR_NOMEM);
        if (w->block_bytes < 32768) w->block_bytes *= 2;
    }
    segment *s = segment_below(block + bytes);
    *s = (segment){.next = w->first, .chunk = tern_bytes_of(p, (size_t)(w->chunk_end - p))};
    w->first = s;
    w->end += (uintptr_t)s - (uintptr_t)p;
    w->chunk_end = (uint8_t *)s;
    w->exact = block;
    w->small = block + WRITE_SLOP;
    w->in_spare = true;
    return w->chunk_end;
}

ALWAYS_INLINE uint8_t *small_room(writer *w, uint8_t *p) { return p >= w->small ? p : new_block(w, p, 0); }

/* Leaves a value where it is. */
static uint8_t *put_segment(writer *w, uint8_t *p, const void *data, size_t n) {
    if (n > w->cap || writer_position(w, p) > w->cap - n) return writer_fail(w, TERN_ERR_LIMIT);
    if ((size_t)(p - w->exact) < SEGMENT_MIN_BYTES) {
        p = new_block(w, p, 0);
        if (!p) return NULL;
    }
    segment *s = segment_below(p);
    *s = (segment){w->first, {data, n}, {p, (size_t)(w->chunk_end - p)}};
    w->first = s;
    w->end += n - (size_t)(p - (uint8_t *)s);
    w->chunk_end = (uint8_t *)s;
    return w->chunk_end;
}

/* ---- Parts ------------------------------------------------------------------------------------------- */

/* Spreads 56 bits over eight bytes, seven in each: the upper halves, then quarters, then eighths are moved up by 4, 2
 * and 1 bits. Adding a part 15 times more moves it by 4 bits in fewer steps than taking it out would. */
ALWAYS_INLINE uint64_t spread_sevens(uint64_t value) {
    value += 15 * (value & 0x00fffffff0000000);
    value += 3 * (value & 0x0fffc0000fffc000);
    return value + (value & 0x3f803f803f803f80);
}

/* At least three bytes long. Up to eight are written by one store, which ends where they end. */
OUT_OF_LINE static uint8_t *put_long_varint(uint8_t *p, uint64_t value) {
    const uint64_t more = 0x8080808080808080;
    if (value >> 56) {
        if (value >> 63) *--p = 1;
        *--p = (uint8_t)((value >> 56 & 0x7f) | value >> 63 << 7);
        tern__store64(p - 8, spread_sevens(value & (UINT64_MAX >> 8)) | more);
        return p - 8;
    }
    uint32_t n = varint_bytes(value);
    uint64_t bytes = spread_sevens(value) | (more & (((uint64_t)1 << (8 * n - 8)) - 1));
    tern__store64(p - 8, bytes << (64 - 8 * n));
    return p - n;
}

/* A number below 0x4000 as two bytes: what is above seven bits is moved up by one, for the bit that says "more". */
ALWAYS_INLINE uint8_t *put_two_bytes(uint8_t *p, uint32_t value) {
    p -= 2;
    tern__store16(p, (uint16_t)(value + (value & 0x3f80) + 0x80));
    return p;
}

ALWAYS_INLINE uint8_t *put_varint(uint8_t *p, uint64_t value) {
    if (value >= 0x80) return value < 0x4000 ? put_two_bytes(p, (uint32_t)value) : put_long_varint(p, value);
    *--p = (uint8_t)value;
    return p;
}

ALWAYS_INLINE uint8_t *put_tag(uint8_t *p, const tern_field *field, unsigned wire) {
    return put_varint(p, field->number << 3 | wire);
}

/* Short pieces are most; two loads and stores that overlap cost less than a
 * call. */
ALWAYS_INLINE void copy(uint8_t *out, const uint8_t *data, size_t n) {
    if (n > 16) {
        memcpy(out, data, n);
    } else if (n >= 8) {
        uint64_t first = tern__load64(data), last = tern__load64(data + n - 8);
        tern__store64(out, first);
        tern__store64(out + n - 8, last);
    } else if (n >= 4) {
        uint32_t first = tern__load32(data), last = tern__load32(data + n - 4);
        tern__store32(out, first);
        tern__store32(out + n - 4, last);
    } else {
        for (size_t i = 0; i < n; i++) out[i] = data[i];
    }
}

OUT_OF_LINE static uint8_t *put_long_bytes(writer *w, uint8_t *p, const void *data, size_t n) {
    if (n >= w->large && (w->any_memory || tern_in_pool(data))) return put_segment(w, p, data, n);
    if (n > (size_t)(p - w->exact)) {
        if (!w->arena || n > w->cap) return writer_fail(w, TERN_ERR_LIMIT);
        p = new_block(w, p, n);
        if (!p) return NULL;
    }
    p -= n;
    copy(p, data, n);
    return p;
}

ALWAYS_INLINE uint8_t *put_bytes(writer *w, uint8_t *p, const void *data, size_t n) {
    if (n >= w->large || n > (size_t)(p - w->exact)) return put_long_bytes(w, p, data, n);
    p -= n;
    copy(p, data, n);
    return p;
}

/* ---- Values ------------------------------------------------------------------------------------------ */

ALWAYS_INLINE uint8_t *put_message(writer *w, uint8_t *p, const tern_type *type, const tern_field *field,
                                   const void *msg) {
    if (UNLIKELY(w->depth_left == 0)) return writer_fail(w, TERN_ERR_LIMIT);
    w->depth_left--;
    size_t before = writer_position(w, p);
    p = tern__write_message(w, p, type->subs[field->sub], msg);
    if (UNLIKELY(!p)) return NULL;
    w->depth_left++;
    if (UNLIKELY(p < w->small)) {
        p = new_block(w, p, 0);
        if (!p) return NULL;
    }
    return put_tag(put_varint(p, writer_position(w, p) - before), field, WIRE_LEN);
}

static uint8_t *put_group(writer *w, uint8_t *p, const tern_type *type, const tern_field *field, const void *msg) {
    if (w->depth_left == 0) return writer_fail(w, TERN_ERR_LIMIT);
    w->depth_left--;
    p = small_room(w, p);
    if (p) p = tern__write_message(w, put_tag(p, field, WIRE_END), type->subs[field->sub], msg);
    if (p) p = small_room(w, p);
    if (!p) return NULL;
    w->depth_left++;
    return put_tag(p, field, WIRE_START);
}

OUT_OF_LINE static uint8_t *put_submessage(writer *w, uint8_t *p, const tern_type *type, const tern_field *field,
                                           const void *msg) {
    return field->kind == TERN_GROUP ? put_group(w, p, type, field, msg) : put_message(w, p, type, field, msg);
}

/* ---- Lists ------------------------------------------------------------------------------------------- */

static inline uint8_t *put_numbers(writer *w, uint8_t *p, unsigned kind, const uint8_t *data, size_t n, size_t width) {
    while (n > 0) {
        size_t room = p > w->small ? (size_t)(p - w->small) / VARINT_MAX_BYTES + 1 : 1, k = n < room ? n : room;
        p = small_room(w, p);
        if (!p) return NULL;
        for (; k > 0; k--) p = put_varint(p, load_varint(kind, data + --n * width));
    }
    return p;
}

/* One loop per kind, so that none decides by the kind for each number. */
static uint8_t *put_varints(writer *w, uint8_t *p, unsigned kind, const tern_list *list) {
    const uint8_t *data = list->data;
    size_t n = list->len;
    switch (kind) {
    case TERN_INT32:
    case TERN_ENUM: return put_numbers(w, p, TERN_INT32, data, n, 4);
    case TERN_UINT32: return put_numbers(w, p, TERN_UINT32, data, n, 4);
    case TERN_SINT32: return put_numbers(w, p, TERN_SINT32, data, n, 4);
    case TERN_SINT64: return put_numbers(w, p, TERN_SINT64, data, n, 8);
    case TERN_BOOL: return put_numbers(w, p, TERN_BOOL, data, n, 1);
    default: return put_numbers(w, p, TERN_INT64, data, n, 8);
    }
}

static uint8_t *put_packed(writer *w, uint8_t *p, const tern_field *field, const tern_list *list) {
    size_t before = writer_position(w, p);
    if (list->len == 0) return p;
    if (list->len > INT32_MAX) return writer_fail(w, TERN_ERR_LIMIT);
    if (kind_wire(field->kind) == WIRE_VARINT)
        p = put_varints(w, p, field->kind, list);
    else
        p = put_bytes(w, p, list->data, list->len * field->elem_bytes);
    if (p) p = small_room(w, p);
    return p ? put_tag(put_varint(p, writer_position(w, p) - before), field, WIRE_LEN) : NULL;
}

/* Unpacked lists, last element first; one loop per wire type. */
ALWAYS_INLINE uint8_t *put_fixed_list(writer *w, uint8_t *p, const tern_field *field, const tern_list *list,
                                      size_t width, unsigned wire) {
    const uint8_t *data = list->data;
    for (size_t n = list->len; n > 0;) {
        p = small_room(w, p);
        if (!p) return NULL;
        p -= width;
        memcpy(p, data + --n * width, width);
        p = put_tag(p, field, wire);
    }
    return p;
}

static uint8_t *put_number_list(writer *w, uint8_t *p, const tern_field *field, const tern_list *list) {
    const uint8_t *data = list->data;
    for (size_t n = list->len; n > 0;) {
        p = small_room(w, p);
        if (!p) return NULL;
        p = put_varint(p, load_varint(field->kind, data + --n * field->elem_bytes));
        p = put_tag(p, field, WIRE_VARINT);
    }
    return p;
}

static uint8_t *put_view_list(writer *w, uint8_t *p, const tern_field *field, const tern_list *list) {
    const tern_bytes *views = list->data;
    for (size_t n = list->len; n > 0;) {
        const tern_bytes *view = &views[--n];
        p = put_bytes(w, p, view->data, view->len);
        if (p) p = small_room(w, p);
        if (!p) return NULL;
        p = put_tag(put_varint(p, view->len), field, WIRE_LEN);
    }
    return p;
}

static uint8_t *put_list(writer *w, uint8_t *p, const tern_type *type, const tern_field *field, const tern_list *list) {
    if (field->flags & TERN_FIELD_PACKED) return put_packed(w, p, field, list);
    if (holds_message(field->kind)) {
        const uint8_t *data = list->data;
        for (size_t n = list->len; n-- > 0 && p;) p = put_submessage(w, p, type, field, data + n * field->elem_bytes);
        return p;
    }
    switch (kind_wire(field->kind)) {
    case WIRE_64: return put_fixed_list(w, p, field, list, 8, WIRE_64);
    case WIRE_32: return put_fixed_list(w, p, field, list, 4, WIRE_32);
    case WIRE_LEN: return put_view_list(w, p, field, list);
    default: return put_number_list(w, p, field, list);
    }
}

/* ---- Messages ---------------------------------------------------------------------------------------- */

ALWAYS_INLINE uint8_t *put_number(uint8_t *p, const tern_field *field, uint64_t value) {
    return put_tag(put_varint(p, value), field, WIRE_VARINT);
}

ALWAYS_INLINE uint8_t *put_fixed64(uint8_t *p, const tern_field *field, uint64_t value) {
    tern__store64(p - 8, value);
    return put_tag(p - 8, field, WIRE_64);
}

ALWAYS_INLINE uint8_t *put_fixed32(uint8_t *p, const tern_field *field, uint32_t value) {
    tern__store32(p - 4, value);
    return put_tag(p - 4, field, WIRE_32);
}

ALWAYS_INLINE uint8_t *put_view(writer *w, uint8_t *p, const tern_field *field, const tern_bytes *view) {
    p = put_bytes(w, p, view->data, view->len);
    if (p) p = small_room(w, p);
    return p ? put_tag(put_varint(p, view->len), field, WIRE_LEN) : NULL;
}

/* At the greatest depth a decoder may have made the empty value that a map's entry lacked: it is left out again. */
OUT_OF_LINE static bool entry_lacks(const tern_type *type, const tern_field *field, const void *value) {
    return type->flags & TERN_TYPE_MAP_ENTRY && tern_protobuf_size(type->subs[field->sub], value) == 0;
}

ALWAYS_INLINE uint8_t *put_pointer(writer *w, uint8_t *p, const tern_type *type, const tern_field *field,
                                   const void *msg) {
    if (!msg) return field->flags & TERN_FIELD_REQUIRED ? writer_fail(w, TERN_ERR_INVALID) : p;
    if (UNLIKELY(w->depth_left == 0) && entry_lacks(type, field, msg)) return p;
    return LIKELY(field->kind == TERN_MESSAGE) ? put_message(w, p, type, field, msg)
                                               : put_group(w, p, type, field, msg);
}

/* The word that a field's kind begins (field_kind()), and its flags in it. */
enum {
    SHAPE_REPEATED = TERN_FIELD_REPEATED << 8,
    SHAPE_EXPLICIT = (TERN_FIELD_HAS | TERN_FIELD_ONEOF) << 8,
};

/* One jump decides by a singular field's kind; each case knows its load, its width and its wire type. `zeros` are the
 * flags of those of which an empty value is written, too. */
ALWAYS_INLINE uint8_t *put_singular(writer *w, uint8_t *p, const tern_type *type, const tern_field *field,
                                    const void *member, uint32_t shape, uint32_t zeros) {
#define NUMBER(load, put)                                                                                              \
    {                                                                                                                  \
        uint64_t value = load;                                                                                         \
        if (value == 0 && !(shape & zeros)) return p;                                                                  \
        p = small_room(w, p);                                                                                          \
        return p ? put : NULL;                                                                                         \
    }
    switch (shape & 0xff) {
    case TERN_STRING:
    case TERN_BYTES:
        if (((const tern_bytes *)member)->len == 0 && !(shape & zeros)) return p;
        return put_view(w, p, field, member);
    case TERN_MESSAGE:
    case TERN_GROUP: return put_pointer(w, p, type, field, (const void *)(uintptr_t)tern__load64(member));
    case TERN_DOUBLE:
    case TERN_FIXED64:
    case TERN_SFIXED64: NUMBER(tern__load64(member), put_fixed64(p, field, value))
    case TERN_FLOAT:
    case TERN_FIXED32:
    case TERN_SFIXED32: NUMBER(tern__load32(member), put_fixed32(p, field, (uint32_t)value))
    case TERN_INT32:
    case TERN_ENUM: NUMBER(load_varint(TERN_INT32, member), put_number(p, field, value))
    case TERN_UINT32: NUMBER(load_varint(TERN_UINT32, member), put_number(p, field, value))
    case TERN_SINT32: NUMBER(load_varint(TERN_SINT32, member), put_number(p, field, value))
    case TERN_SINT64: NUMBER(load_varint(TERN_SINT64, member), put_number(p, field, value))
    case TERN_BOOL: NUMBER(load_varint(TERN_BOOL, member), put_number(p, field, value))
    default: NUMBER(load_varint(TERN_INT64, member), put_number(p, field, value))
    }
#undef NUMBER
}

/* Of the eight bytes at a member, the bits that are its value. Of kinds that are no varints none are. */
static const uint64_t value_bits[32] = {
    [TERN_INT64] = UINT64_MAX, [TERN_UINT64] = UINT64_MAX, [TERN_SINT64] = UINT64_MAX, [TERN_INT32] = UINT32_MAX,
    [TERN_ENUM] = UINT32_MAX,  [TERN_UINT32] = UINT32_MAX, [TERN_SINT32] = UINT32_MAX, [TERN_BOOL] = 1,
};

/* The varint of a member, except that a 32-bit number's sign is still to be extended; 0 where there is none. A mask
 * costs less than a jump that depends on the kind. */
ALWAYS_INLINE uint64_t load_masked(uint32_t shape, const void *member) {
    unsigned kind = shape & 31;
    uint64_t value = tern__load64(member) & value_bits[kind];
    if (UNLIKELY(kind >= TERN_SINT32))
        return kind == TERN_SINT32 ? (uint32_t)zigzag((int32_t)value) : zigzag((int64_t)value);
    return value;
}

/* Negative numbers of 32 bits are written as if they had 64. */
ALWAYS_INLINE bool lacks_sign(uint32_t shape, uint64_t value) {
    return value >> 31 == 1 && ((shape & 31) == TERN_INT32 || (shape & 31) == TERN_ENUM);
}

/* The most usual numbers, below 0x4000. What is likely falls through: a jump that is taken costs more than a few
 * instructions do. */
ALWAYS_INLINE uint8_t *put_short(uint8_t *p, const tern_field *field, uint32_t value) {
    uint32_t tag = field->number << 3 | WIRE_VARINT;
    if (LIKELY(value < 0x80))
        *--p = (uint8_t)value;
    else
        p = put_two_bytes(p, value);
    if (LIKELY(tag < 0x80)) {
        *--p = (uint8_t)tag;
        return p;
    }
    return LIKELY(tag < 0x4000) ? put_two_bytes(p, tag) : put_long_varint(p, tag);
}

/* A field that is a list or has explicit presence. */
typedef enum verdict { SINGULAR, DONE, FAILED } verdict;

ALWAYS_INLINE verdict put_special(writer *w, uint8_t **p, const tern_type *type, const tern_field *field,
                                  const void *msg, uint32_t shape) {
    if (LIKELY(shape & TERN_FIELD_HAS << 8)) {
        if (presence_get(type, field, msg)) return SINGULAR;
        if (LIKELY(!(shape & TERN_FIELD_REQUIRED << 8))) return DONE;
        *p = writer_fail(w, TERN_ERR_INVALID);
        return FAILED;
    }
    if (shape & SHAPE_REPEATED) {
        const tern_list *list = (const void *)((const uint8_t *)msg + field->offset);
        if (list->len == 0) return DONE;
        *p = put_list(w, *p, type, field, list);
        return *p ? DONE : FAILED;
    }
    return oneof_case(field, msg) == field->number ? SINGULAR : DONE;
}

/* `wide`: eight bytes may be read from where each member begins, since the unknown fields come last in the struct. */
ALWAYS_INLINE uint8_t *put_fields(writer *w, uint8_t *p, const tern_type *type, const void *msg, uint32_t zeros,
                                  bool wide) {
    const tern_field *first = type->fields;
    for (const tern_field *field = first + type->n_fields; field > first;) {
        uint32_t shape = tern__load32(&(--field)->kind);
        const void *member = (const uint8_t *)msg + field->offset;
        if (shape & (SHAPE_REPEATED | SHAPE_EXPLICIT)) {
            verdict v = put_special(w, &p, type, field, msg, shape);
            if (v == FAILED) return NULL;
            if (v == DONE) continue;
        }
        uint64_t value = wide ? load_masked(shape, member) : 0;
        if (LIKELY(value - 1 < 0x3fff)) {
            if (UNLIKELY(p < w->small)) {
                p = new_block(w, p, 0);
                if (!p) return NULL;
            }
            p = put_short(p, field, (uint32_t)value);
            continue;
        }
        if (value != 0) {
            p = small_room(w, p);
            if (!p) return NULL;
            if (lacks_sign(shape, value)) value |= ~(uint64_t)0 << 32;
            p = put_tag(put_long_varint(p, value), field, WIRE_VARINT);
            continue;
        }
        p = put_singular(w, p, type, field, member, shape, zeros);
        if (!p) return NULL;
    }
    return p;
}

OUT_OF_LINE static uint8_t *put_narrow_fields(writer *w, uint8_t *p, const tern_type *type, const void *msg) {
    return put_fields(w, p, type, msg, type->flags & TERN_TYPE_MAP_ENTRY ? UINT32_MAX : SHAPE_EXPLICIT, false);
}

uint8_t *tern__write_message(writer *w, uint8_t *p, const tern_type *type, const void *msg) {
    const tern_unknown *unknown = message_unknown(type, msg);
    if (unknown && unknown->len) {
        p = put_bytes(w, p, unknown->data, unknown->len);
        if (!p) return NULL;
    }
    if (!unknown || type->size_bytes - type->unknown_offset != sizeof *unknown)
        return put_narrow_fields(w, p, type, msg);
    return put_fields(w, p, type, msg, SHAPE_EXPLICIT, true);
}

/* ---- Into one buffer --------------------------------------------------------------------------------- */

/* A value at least this long is copied straight to its place. Shorter ones are
 * cheaper to move again with what is around them than to be told apart. */
enum { CONTIGUOUS_LARGE_BYTES = 96 };

/* Brings what was written to the begin of the room. It is copied first to last,
 * which overwrites nothing that is still to be read: what remains lies in the
 * room's end, in no more bytes than it has in the encoding. */
static void assemble(const writer *w, const uint8_t *p, uint8_t *out) {
    size_t n = (size_t)(w->chunk_end - p);
    if (p != out) copy_long(out, p, n);
    out += n;
    for (const segment *s = w->first; s;) {
        segment here = *s;
        copy_long(out, here.value.data, here.value.len);
        out += here.value.len;
        copy_long(out, here.chunk.data, here.chunk.len);
        out += here.chunk.len;
        s = here.next;
    }
}

int64_t tern_protobuf_encode(const tern_type *type, const void *msg, void *out, size_t cap) {
    if (cap > INT32_MAX) cap = INT32_MAX;
    if (cap == 0) return tern_protobuf_size(type, msg) == 0 ? 0 : TERN_ERR_LIMIT;
    writer w;
    writer_init(&w, NULL, cap, CONTIGUOUS_LARGE_BYTES, true);
    uint8_t *p = tern__write_message(&w, writer_enter(&w, out, cap), type, msg);
    if (!p) return w.err;
    size_t len = writer_position(&w, p);
    if (len > cap) return TERN_ERR_LIMIT;
    assemble(&w, p, out);
    return (int64_t)len;
}
