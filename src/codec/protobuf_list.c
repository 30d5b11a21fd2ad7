/* Room in lists, and lists that come packed: a length, and values without tags.
 *
 * The values are read where they lie when the buffer or a piece holds them all; else from a copy. */
#include "codec/protobuf_list.h"

#include "codec/protobuf_unknown.h"
#include "type/list.h"

void *tern__list_room(reader *r, tern_list *list, size_t n, size_t elem_bytes) {
    if (!take_elements(r, n)) return NULL;
    if (list->len > list->cap || n > list->cap - list->len) {
        r->err = tern__list_grow(list, list->len + n, elem_bytes, r->arena);
        if (r->err) return NULL;
    }
    return (uint8_t *)list->data + list->len * elem_bytes;
}

/* The bytes of packed values; where they end, reading goes on at *next. Up to *safe each may be read as if it had
 * VARINT_MAX_BYTES. */
static const uint8_t *open_packed(reader *r, const uint8_t *p, size_t len, const uint8_t **safe, const uint8_t **next) {
    size_t position = reader_position(r, p);
    if (position + len > r->limit) return reader_fail_short(r);
    if ((ptrdiff_t)len <= r->buffer_end + SLOP - p) {
        *safe = r->buffer_end;
        *next = p + len;
        return p;
    }
    bool kept;
    tern_bytes whole = tern__reader_range(r, position, position + len, &kept);
    if (whole.len < len || r->lent) {
        uint8_t *copy = tern_arena_alloc(r->arena, len);
        if (!copy) return reader_fail(r, TERN_ERR_NOMEM);
        for (size_t done = 0; done < len; done += whole.len) {
            whole = tern__reader_range(r, position + done, position + len, &kept);
            memcpy(copy + done, whole.data, whole.len);
        }
        whole = tern_bytes_of(copy, len);
    }
    *safe = (const uint8_t *)whole.data + (len < VARINT_MAX_BYTES ? 0 : len - VARINT_MAX_BYTES);
    *next = tern__reader_seek(r, position + len);
    return whole.data;
}

/* How many varints end in these bytes: those whose high bit is clear, eight at a step. */
static size_t count_varints(const uint8_t *p, size_t len) {
    const uint64_t ones = 0x0101010101010101;
    size_t n = 0;
    for (; len >= 8; p += 8, len -= 8) n += ((~tern__load64(p) >> 7 & ones) * ones) >> 56;
    for (; len > 0; p++, len--) n += *p < 0x80;
    return n;
}

/* A varint that is known to end before the bytes do. */
static const uint8_t *read_last(reader *r, const uint8_t *p, uint64_t *out) {
    uint64_t value = 0;
    for (unsigned i = 0; i < VARINT_MAX_BYTES; i++) {
        value |= (uint64_t)(p[i] & 0x7f) << 7 * i;
        if (p[i] >= 0x80) continue;
        *out = value;
        return p + i + 1;
    }
    return reader_fail(r, TERN_ERR_MALFORMED);
}

static inline const uint8_t *read_next(reader *r, const uint8_t *p, const uint8_t *safe, uint64_t *out) {
    return p < safe ? read_varint(r, p, out) : read_last(r, p, out);
}

static inline bool read_numbers(reader *r, const uint8_t *p, const uint8_t *end, const uint8_t *safe, unsigned kind,
                                size_t elem_bytes, uint8_t *out) {
    for (; p < end; out += elem_bytes) {
        uint64_t value;
        p = read_next(r, p, safe, &value);
        if (!p) return false;
        store_number(kind, value, out);
    }
    return true;
}

/* One loop per kind, so that none decides by the kind for each number; apart, so that what a loop uses fits the
 * registers. */
OUT_OF_LINE static bool read_varints(reader *r, const uint8_t *p, const uint8_t *end, const uint8_t *safe,
                                     unsigned kind, uint8_t *out) {
    switch (kind) {
    case TERN_INT64:
    case TERN_UINT64: return read_numbers(r, p, end, safe, TERN_INT64, 8, out);
    case TERN_SINT64: return read_numbers(r, p, end, safe, TERN_SINT64, 8, out);
    case TERN_SINT32: return read_numbers(r, p, end, safe, TERN_SINT32, 4, out);
    case TERN_BOOL: return read_numbers(r, p, end, safe, TERN_BOOL, 1, out);
    default: return read_numbers(r, p, end, safe, TERN_INT32, 4, out);
    }
}

/* Of a closed enum: what it does not list goes to the unknown fields. */
static bool read_closed(reader *r, const uint8_t *p, const uint8_t *end, const uint8_t *safe, const tern_type *type,
                        const tern_field *field, void *msg) {
    tern_list *list = (tern_list *)(void *)((uint8_t *)msg + field->offset);
    while (p < end) {
        uint64_t value;
        p = read_next(r, p, safe, &value);
        if (!p) return false;
        if (!enum_lists(type, field, (int32_t)value)) {
            if (!tern__keep_number(r, type, msg, field->number, value)) return false;
            continue;
        }
        void *out = tern__list_room(r, list, 1, field->elem_bytes);
        if (!out) return false;
        tern__store32(out, (uint32_t)value);
        list->len++;
    }
    return true;
}

const uint8_t *tern__read_packed(reader *r, const uint8_t *p, const tern_type *type, const tern_field *field,
                                 void *msg) {
    tern_list *list = (tern_list *)(void *)((uint8_t *)msg + field->offset);
    const uint8_t *safe, *next;
    size_t len;
    p = read_length(r, p, &len);
    if (!p || len == 0) return p;
    p = open_packed(r, p, len, &safe, &next);
    if (!p) return NULL;
    bool fixed = kind_wire(field->kind) != WIRE_VARINT;
    if (fixed ? len % field->elem_bytes != 0 : p[len - 1] >= 0x80) return reader_fail(r, TERN_ERR_MALFORMED);
    if (field->flags & TERN_FIELD_CLOSED) return read_closed(r, p, p + len, safe, type, field, msg) ? next : NULL;
    size_t n = fixed ? len / field->elem_bytes : count_varints(p, len);
    uint8_t *out = tern__list_room(r, list, n, field->elem_bytes);
    if (!out) return NULL;
    if (fixed)
        memcpy(out, p, len);
    else if (!read_varints(r, p, p + len, safe, field->kind, out))
        return NULL;
    list->len += n;
    return next;
}
