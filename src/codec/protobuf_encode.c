/* Protobuf encoding: a message's fields, last to first (protobuf_writer.h). */
#include "codec/protobuf_encode.h"

#include "codec/protobuf_size.h"
#include "mem/chunks.h"
#include "type/object.h"

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

/* `at` counts from the end of the copied bytes for now: where these begin is not known yet. A table that is full is
 * that of a message which has changed since it was measured. */
static uint8_t *put_gathered(writer *w, uint8_t *p, const void *data, size_t n) {
    gathered *g = w->gathered;
    if (g->next == g->first) return writer_fail(w, TERN_ERR_INVALID);
    *--g->next = (tern__format_value){data, (uint32_t)n, (uint32_t)(writer_position(w, p) - g->bytes)};
    g->bytes += n;
    w->end += n;
    return p;
}

/* Leaves a value where it is. */
static uint8_t *put_segment(writer *w, uint8_t *p, const void *data, size_t n) {
    if (n > w->cap || writer_position(w, p) > w->cap - n) return writer_fail(w, TERN_ERR_LIMIT);
    if (w->gathers) return put_gathered(w, p, data, n);
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

/* Spreads the bits 0 to 55 over eight bytes, seven in each, and sets each byte's upper bit: first halves are parted,
 * then quarters and eighths are moved up by 2 bits and 1. */
ALWAYS_INLINE uint64_t spread_sevens(uint64_t value) {
    uint64_t halves = (value & 0x0fffffff) | value << 8 >> 36 << 32;
    halves += 3 * (halves & 0x0fffc0000fffc000);
    return (halves + (halves & 0x3f803f803f803f80)) | 0x8080808080808080;
}

/* At least three bytes long, at most eight: written by one store, which ends where they end. */
ALWAYS_INLINE uint8_t *put_eight_at_most(uint8_t *p, uint64_t value) {
    uint32_t n = varint_bytes(value);
    tern__store64(p - 8, spread_sevens(value) << (64 - 8 * n) & INT64_MAX);
    return p - n;
}

/* At least nine bytes long. */
ALWAYS_INLINE uint8_t *put_nine_or_ten(uint8_t *p, uint64_t value) {
    if (value >> 63) *--p = 1;
    *--p = (uint8_t)(value >> 56);
    tern__store64(p - 8, spread_sevens(value));
    return p - 8;
}

/* At least three bytes long. */
OUT_OF_LINE static uint8_t *put_long_varint(uint8_t *p, uint64_t value) {
    return value >> 56 ? put_nine_or_ten(p, value) : put_eight_at_most(p, value);
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

/* Short pieces are most; two loads and stores that overlap cost less than a call. All is read before it is written. */
enum { COPY_SHORT_MAX = 32 };

ALWAYS_INLINE void copy_short(uint8_t *out, const uint8_t *data, size_t n) {
    typedef uint64_t pair __attribute__((vector_size(16), aligned(1), may_alias));
    if (n >= 16) {
        pair first = *(const pair *)data, last = *(const pair *)(data + n - 16);
        *(pair *)out = first;
        *(pair *)(out + n - 16) = last;
    } else if (n >= 8) {
        uint64_t first = tern__load64(data), last = tern__load64(data + n - 8);
        tern__store64(out, first);
        tern__store64(out + n - 8, last);
    } else if (n >= 4) {
        uint32_t first = tern__load32(data), last = tern__load32(data + n - 4);
        tern__store32(out, first);
        tern__store32(out + n - 4, last);
    } else if (n > 0) {
        uint8_t first = data[0], middle = data[n / 2], last = data[n - 1];
        out[0] = first;
        out[n / 2] = middle;
        out[n - 1] = last;
    }
}

ALWAYS_INLINE void copy(uint8_t *out, const uint8_t *data, size_t n) {
    if (n > COPY_SHORT_MAX)
        memcpy(out, data, n);
    else
        copy_short(out, data, n);
}

OUT_OF_LINE static uint8_t *put_long_bytes(writer *w, uint8_t *p, const void *data, size_t n) {
    if (n >= w->large && (w->any_memory || tern__is_known(data))) return put_segment(w, p, data, n);
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

static uint8_t *write_message(writer *w, uint8_t *p, const tern_type *type, const void *msg);

static bool at_greatest_depth(const writer *w) { return w->frame == w->frames + ENCODE_MAX_DEPTH; }

static uint8_t *put_wire_message(writer *w, uint8_t *p, const tern_type *type, const tern_field *field,
                                 const void *msg) {
    size_t before = writer_position(w, p);
    p = write_message(w, p, type->subs[field->sub], msg);
    if (p) p = small_room(w, p);
    return p ? put_tag(put_varint(p, writer_position(w, p) - before), field, WIRE_LEN) : NULL;
}

static uint8_t *put_group(writer *w, uint8_t *p, const tern_type *type, const tern_field *field, const void *msg) {
    p = small_room(w, p);
    if (p) p = write_message(w, put_tag(p, field, WIRE_END), type->subs[field->sub], msg);
    if (p) p = small_room(w, p);
    return p ? put_tag(p, field, WIRE_START) : NULL;
}

OUT_OF_LINE static uint8_t *put_submessage(writer *w, uint8_t *p, const tern_type *type, const tern_field *field,
                                           const void *msg) {
    return field->kind == TERN_GROUP ? put_group(w, p, type, field, msg) : put_wire_message(w, p, type, field, msg);
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

OUT_OF_LINE static uint8_t *put_pointer_list(writer *w, uint8_t *p, const tern_type *type, const tern_field *field,
                                             const tern_list *list) {
    for (size_t n = list->len; n-- > 0 && p;) {
        const void *msg = list_pointer(list, n);
        p = msg ? put_submessage(w, p, type, field, msg) : writer_fail(w, TERN_ERR_INVALID);
    }
    return p;
}

static uint8_t *put_message_list(writer *w, uint8_t *p, const tern_type *type, const tern_field *field,
                                 const tern_list *list) {
    const uint8_t *data = list->data;
    int err = walk_spend(&w->budget, list->len);
    if (err) return writer_fail(w, err);
    if (holds_pointers(field)) return put_pointer_list(w, p, type, field, list);
    for (size_t n = list->len; n-- > 0 && p;) p = put_submessage(w, p, type, field, data + n * field->elem_bytes);
    return p;
}

static uint8_t *put_wire_list(writer *w, uint8_t *p, const tern_type *type, const tern_field *field,
                              const tern_list *list) {
    if (field->flags & TERN_FIELD_PACKED) return put_packed(w, p, field, list);
    if (holds_message(field->kind)) return put_message_list(w, p, type, field, list);
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
    return type->flags & TERN_TYPE_MAP_ENTRY && tern__protobuf_is_empty(type->subs[field->sub], value);
}

static uint8_t *put_pointer(writer *w, uint8_t *p, const tern_type *type, const tern_field *field, const void *msg) {
    if (!msg) return field->flags & TERN_FIELD_REQUIRED ? writer_fail(w, TERN_ERR_INVALID) : p;
    int err = walk_spend(&w->budget, 1);
    if (UNLIKELY(err)) return writer_fail(w, err);
    if (UNLIKELY(at_greatest_depth(w)) && entry_lacks(type, field, msg)) return p;
    return put_submessage(w, p, type, field, msg);
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

/* A field of any kind. */
OUT_OF_LINE static uint8_t *put_other(writer *w, uint8_t *p, const tern_type *type, const tern_field *field,
                                      const uint8_t *msg) {
    uint32_t shape = tern__field_traits(field), zeros = SHAPE_EXPLICIT;
    const void *member = msg + field->offset;
    if (shape & TERN_FIELD_HAS << 8) {
        if (!presence_get(type, field, msg))
            return shape & TERN_FIELD_REQUIRED << 8 ? writer_fail(w, TERN_ERR_INVALID) : p;
    } else if (shape & SHAPE_REPEATED) {
        return ((const tern_list *)member)->len == 0 ? p : put_wire_list(w, p, type, field, member);
    } else if (shape & TERN_FIELD_ONEOF << 8) {
        if (oneof_case(field, msg) != field->number) return p;
    } else if (type->flags & TERN_TYPE_MAP_ENTRY) {
        zeros = UINT32_MAX;
    }
    return put_singular(w, p, type, field, member, shape, zeros);
}

/* ---- Fields by their shape --------------------------------------------------------------------------- */

/* Each shape of field has a function, which writes the field and goes on with the one before, by a jump: so every
 * jump from field to field is one of its own, and nothing but what the field needs lies between two of them. A message
 * within is gone into in the same way; what it interrupts is kept in its frame. A build whose compiler may make calls
 * of these jumps goes on in a loop instead (TERN__TAIL_CALLS, src/codec/meson.build). */
#define ARGS writer *w, uint8_t *p, const tern_field *field, const uint8_t *msg, uint64_t has, frame *f
#define PASS w, p, field, msg, has, f
typedef uint8_t *put_fn(ARGS);

/* A function that is jumped to takes all arguments: gcc would make a copy that takes fewer, and functions that jump
 * would have to move what is in their registers. */
#if __has_attribute(noipa)
#define JUMPED_TO __attribute__((noipa))
#else
#define JUMPED_TO OUT_OF_LINE
#endif

static put_fn *const put_by_shape[128];
JUMPED_TO static uint8_t *end_message(ARGS);

JUMPED_TO static uint8_t *put_in_new_block(ARGS) {
    p = new_block(w, p, 0);
    return p ? put_by_shape[field->shape](PASS) : NULL;
}

/* The field before this one. */
ALWAYS_INLINE uint8_t *put_next(ARGS) {
    if (field == f->first) return end_message(PASS);
    field--;
    if (UNLIKELY(p < w->small)) return put_in_new_block(PASS);
    return put_by_shape[field->shape](PASS);
}

#ifdef TERN__TAIL_CALLS
ALWAYS_INLINE uint8_t *go_on(ARGS) { return put_next(PASS); }
static uint8_t *until_done(writer *w, uint8_t *p) {
    (void)w;
    return p;
}
#else
static uint8_t *go_on(ARGS) {
    w->next = (next_field){p, field, msg, has, f};
    return NULL;
}

static uint8_t *until_done(writer *w, uint8_t *p) {
    while (!p && !w->err) {
        next_field next = w->next;
        p = put_next(w, next.p, next.field, next.msg, next.has, next.f);
    }
    return p;
}
#endif

/* The tag that a field's table holds. */
ALWAYS_INLINE uint8_t *put_own_tag(uint8_t *p, const tern_field *field) {
    tern__store16(p - 2, field->tag);
    return p - field->tag_bytes;
}

ALWAYS_INLINE bool is_set(uint64_t has, const tern_field *field) { return has >> (field->has & 63) & 1; }

JUMPED_TO static uint8_t *put_missing(ARGS) {
    if (field->flags & TERN_FIELD_REQUIRED) return writer_fail(w, TERN_ERR_INVALID);
    return go_on(PASS);
}

OUT_OF_LINE static uint8_t *put_any(ARGS) {
    w->frame = f;
    p = put_other(w, p, f->type, field, msg);
    return p ? go_on(PASS) : NULL;
}

ALWAYS_INLINE uint8_t *put_tag_of(uint8_t *p, const tern_field *field, size_t tag_bytes) {
    if (tag_bytes == 1)
        p[-1] = (uint8_t)(field->tag >> 8);
    else
        tern__store16(p - 2, field->tag);
    return p - tag_bytes;
}

ALWAYS_INLINE uint8_t *put_number_by_size(ARGS, bool explicit, size_t tag_bytes, unsigned kind, put_fn *put_long) {
    if (explicit && UNLIKELY(!is_set(has, field))) return put_missing(PASS);
    uint64_t value = load_varint(kind, msg + field->offset);
    if (!explicit && value == 0) return go_on(PASS);
    if (LIKELY(value < 0x80)) {
        p[-1] = (uint8_t)value;
        p = put_tag_of(p - 1, field, tag_bytes);
        return go_on(PASS);
    }
    if (LIKELY(value < 0x4000)) {
        p = put_tag_of(put_two_bytes(p, (uint32_t)value), field, tag_bytes);
        return go_on(PASS);
    }
    if (!(value >> 56)) return put_long(PASS);
    p = put_tag_of(put_nine_or_ten(p, value), field, tag_bytes);
    return go_on(PASS);
}

ALWAYS_INLINE uint8_t *put_long_number(ARGS, unsigned kind) {
    p = put_own_tag(put_eight_at_most(p, load_varint(kind, msg + field->offset)), field);
    return go_on(PASS);
}

ALWAYS_INLINE uint8_t *put_fixed(ARGS, bool explicit, size_t tag_bytes, size_t width) {
    const uint8_t *member = msg + field->offset;
    if (explicit && UNLIKELY(!is_set(has, field))) return put_missing(PASS);
    uint64_t value = width == 8 ? tern__load64(member) : tern__load32(member);
    if (!explicit && value == 0) return go_on(PASS);
    if (width == 8)
        tern__store64(p - 8, value);
    else
        tern__store32(p - 4, (uint32_t)value);
    p = put_tag_of(p - width, field, tag_bytes);
    return go_on(PASS);
}

JUMPED_TO static uint8_t *put_long_text(ARGS) {
    p = put_view(w, p, field, (const void *)(msg + field->offset));
    return p ? go_on(PASS) : NULL;
}

ALWAYS_INLINE uint8_t *put_text(ARGS, bool explicit, size_t tag_bytes, size_t short_bytes) {
    const tern_bytes *view = (const void *)(msg + field->offset);
    if (explicit && UNLIKELY(!is_set(has, field))) return put_missing(PASS);
    size_t n = view->len;
    if (!explicit && n == 0) return go_on(PASS);
    if (n > short_bytes || (size_t)(p - w->small) < n) return put_long_text(PASS);
    p -= n;
    copy_short(p, view->data, n);
    p[-1] = (uint8_t)n;
    p = put_tag_of(p - 1, field, tag_bytes);
    return go_on(PASS);
}

/* A message's unknown fields, if it has any; `field` is behind its last. */
JUMPED_TO static uint8_t *put_unknown(ARGS) {
    const tern_unknown *unknown = message_unknown(f->type, msg);
    if (!unknown) return go_on(PASS);
    p = put_long_bytes(w, p, unknown->data, unknown->len);
    return p ? go_on(PASS) : NULL;
}

/* Begins the message of a frame. */
ALWAYS_INLINE uint8_t *begin_message(writer *w, uint8_t *p, const uint8_t *msg, const tern_type *type, frame *f) {
    const tern_field *field = type->fields + type->n_fields;
    uint64_t has = 0;
    f->first = type->fields;
    f->type = type;
    if (type->n_has)
        has = type->n_has > 32 ? tern__load64(msg + type->has_offset) : tern__load32(msg + type->has_offset);
    if (UNLIKELY(unknown_len_or_word(type, msg))) return put_unknown(PASS);
    return go_on(PASS);
}

static uint8_t *put_child(ARGS);

/* More messages than go without being counted in advance: this one again, when they are not too many. */
JUMPED_TO static uint8_t *put_child_beyond(ARGS) {
    int err = tern__walk_spend_more(&w->budget, 1);
    if (err) return writer_fail(w, err);
    w->budget.left++;
    return put_child(PASS);
}

static uint8_t *put_child(ARGS) {
    const void *child = (const void *)(uintptr_t)tern__load64(msg + field->offset);
    const tern_type *type = f->type->subs[field->sub];
    if (!child) return put_missing(PASS);
    if (UNLIKELY(f == w->frames + ENCODE_MAX_DEPTH)) return writer_fail(w, TERN_ERR_LIMIT);
    if (UNLIKELY(!walk_take(&w->budget.left, 1))) return put_child_beyond(PASS);
    f++;
    f->field = field;
    f->msg = msg;
    f->has = has;
    f->before = writer_position(w, p);
    return begin_message(w, p, child, type, f);
}

/* A message is whole: its length and its tag, and on with what is around it. */
ALWAYS_INLINE uint8_t *put_length(ARGS, size_t len, bool any_length) {
    field = f->field;
    if (len < 0x80)
        *--p = (uint8_t)len;
    else
        p = any_length ? put_varint(p, len) : put_two_bytes(p, (uint32_t)len);
    p = put_own_tag(p, field);
    msg = f->msg;
    has = f->has;
    f--;
    return go_on(PASS);
}

JUMPED_TO static uint8_t *put_long_length(ARGS) {
    p = small_room(w, p);
    return p ? put_length(PASS, writer_position(w, p) - f->before, true) : NULL;
}

static uint8_t *end_message(ARGS) {
    if (!f->field) return p;
    size_t len = writer_position(w, p) - f->before;
    if (UNLIKELY(p < w->small || len >= 0x4000)) return put_long_length(PASS);
    return put_length(PASS, len, false);
}

/* For each kind one function per form of presence and length of tag. */
#define FORMS(name, put, ...)                                                                                          \
    static uint8_t *put_##name##_1(ARGS) { return put(PASS, false, 1, __VA_ARGS__); }                                  \
    static uint8_t *put_##name##_2(ARGS) { return put(PASS, false, 2, __VA_ARGS__); }                                  \
    static uint8_t *put_set_##name##_1(ARGS) { return put(PASS, true, 1, __VA_ARGS__); }                               \
    static uint8_t *put_set_##name##_2(ARGS) { return put(PASS, true, 2, __VA_ARGS__); }
#define NUMBER(name, kind)                                                                                             \
    JUMPED_TO static uint8_t *put_long_##name(ARGS) { return put_long_number(PASS, kind); }                            \
    FORMS(name, put_number_by_size, kind, put_long_##name)
NUMBER(int64, TERN_INT64)
NUMBER(int32, TERN_INT32)
NUMBER(uint32, TERN_UINT32)
NUMBER(sint32, TERN_SINT32)
NUMBER(sint64, TERN_SINT64)
NUMBER(truth, TERN_BOOL)
FORMS(eight, put_fixed, 8)
FORMS(four, put_fixed, 4)
FORMS(string, put_text, COPY_SHORT_MAX)
#undef NUMBER
#undef FORMS

#define ALL(kind, name)                                                                                                \
    [kind] = put_##name##_1, [(kind) | TERN_SHAPE_TAG2] = put_##name##_2,                                              \
    [(kind) | TERN_SHAPE_HAS] = put_set_##name##_1, [(kind) | TERN_SHAPE_HAS | TERN_SHAPE_TAG2] = put_set_##name##_2
static put_fn *const put_by_shape[128] = {
    [TERN_SHAPE_OTHER] = put_any, [TERN_MESSAGE] = put_child, [TERN_MESSAGE | TERN_SHAPE_TAG2] = put_child,
    ALL(TERN_DOUBLE, eight),      ALL(TERN_FLOAT, four),      ALL(TERN_INT64, int64),
    ALL(TERN_UINT64, int64),      ALL(TERN_INT32, int32),     ALL(TERN_FIXED64, eight),
    ALL(TERN_FIXED32, four),      ALL(TERN_BOOL, truth),      ALL(TERN_STRING, string),
    ALL(TERN_BYTES, string),      ALL(TERN_UINT32, uint32),   ALL(TERN_ENUM, int32),
    ALL(TERN_SFIXED32, four),     ALL(TERN_SFIXED64, eight),  ALL(TERN_SINT32, sint32),
    ALL(TERN_SINT64, sint64),
};
#undef ALL

OUT_OF_LINE static uint8_t *put_entry(writer *w, uint8_t *p, const tern_type *type, const uint8_t *msg) {
    for (const tern_field *field = type->fields + type->n_fields; field > type->fields && p;)
        p = put_other(w, p, type, --field, msg);
    return p;
}

/* An object in a heap, as a tern.Object: its type's URL, and itself, whose fields are written first. */
OUT_OF_LINE static uint8_t *put_typed(writer *w, uint8_t *p, const tern_type *type, const void *msg) {
    const size_t before = writer_position(w, p), name_bytes = strlen(type->name);
    p = write_message(w, p, type, msg);
    if (p) p = small_room(w, p);
    if (!p) return NULL;
    size_t len = writer_position(w, p) - before;
    if (len) {
        p = put_varint(p, len);
        *--p = 2 << 3 | WIRE_LEN;
    }
    p = put_bytes(w, p, type->name, name_bytes);
    if (p) p = put_bytes(w, p, object_url_prefix, sizeof object_url_prefix - 1);
    if (p) p = small_room(w, p);
    if (!p) return NULL;
    p = put_varint(p, sizeof object_url_prefix - 1 + name_bytes);
    *--p = 1 << 3 | WIRE_LEN;
    return p;
}

OUT_OF_LINE static uint8_t *put_entry_or_object(writer *w, uint8_t *p, const tern_type *type, const void *msg,
                                                frame *f) {
    if (type->flags & TERN_TYPE_MAP_ENTRY) return put_entry(w, p, type, msg);
    switch (object_form_of(&type, msg)) {
    case OBJECT_ENCODED: return until_done(w, begin_message(w, p, msg, type, f));
    case OBJECT_TYPED: return put_typed(w, p, type, msg);
    default: return writer_fail(w, TERN_ERR_INVALID);
    }
}

static uint8_t *write_message(writer *w, uint8_t *p, const tern_type *type, const void *msg) {
    if (UNLIKELY(at_greatest_depth(w))) return writer_fail(w, TERN_ERR_LIMIT);
    frame *f = ++w->frame;
    f->field = NULL;
    if (UNLIKELY(type->flags & (TERN_TYPE_MAP_ENTRY | TERN_TYPE_OBJECT)))
        p = put_entry_or_object(w, p, type, msg, f);
    else
        p = until_done(w, begin_message(w, p, msg, type, f));
    w->frame = f - 1;
    return p;
}

uint8_t *tern__write_whole(writer *w, uint8_t *p, const tern_type *type, const void *msg) {
    walk_budget_init(&w->budget, type, msg);
    return write_message(w, p, type, msg);
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
    uint8_t *p = tern__write_whole(&w, writer_enter(&w, out, cap), type, msg);
    if (!p) return w.err;
    size_t len = writer_position(&w, p);
    if (len > cap) return TERN_ERR_LIMIT;
    assemble(&w, p, out);
    return (int64_t)len;
}
