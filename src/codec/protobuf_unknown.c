/* Unknown fields: skipped, and kept in the message as they came.
 *
 * What stays valid as long as the message, because it is the caller's input or already copied, is pointed to; fields
 * that follow each other there make one run. Anything else is appended to a copy, which grows by doubling. */
#include "codec/protobuf_unknown.h"

static const uint8_t *skip_group(reader *r, const uint8_t *p, uint32_t number);

static const uint8_t *skip_value(reader *r, const uint8_t *p, uint32_t tag) {
    uint64_t ignored;
    size_t len;
    if (tag >> 3 == 0)
        return reader_position(r, p) > r->limit ? reader_fail_short(r) : reader_fail(r, TERN_ERR_MALFORMED);
    switch (tag & 7) {
    case WIRE_VARINT: return read_varint(r, p, &ignored);
    case WIRE_64: return p + 8;
    case WIRE_32: return p + 4;
    case WIRE_LEN: p = read_length(r, p, &len); return p ? reader_skip(r, p, len) : NULL;
    case WIRE_START: return skip_group(r, p, tag >> 3);
    default: return reader_fail(r, TERN_ERR_MALFORMED);
    }
}

static const uint8_t *skip_group(reader *r, const uint8_t *p, uint32_t number) {
    if (r->depth_left == 0) return reader_fail(r, TERN_ERR_LIMIT);
    r->depth_left--;
    while (reader_more(r, &p)) {
        uint32_t tag;
        p = read_tag(r, p, &tag);
        if (!p) return NULL;
        if (tag == (number << 3 | WIRE_END)) {
            r->depth_left++;
            return p;
        }
        p = skip_value(r, p, tag);
        if (!p) return NULL;
    }
    return p ? reader_fail_short(r) : NULL;
}

static tern_unknown *unknown_of(const reader *r, const tern_type *type, void *msg) {
    return r->drop_unknown ? NULL : message_unknown(type, msg);
}

/* A run of the input that stays valid: pointed to when it is the first, or continues what is pointed to. */
static bool borrow(tern_unknown *unknown, tern_bytes run) {
    if (unknown->len > 0 && (unknown->cap != 0 || unknown->data + unknown->len != run.data)) return false;
    if (run.len > INT32_MAX - (unknown->len < INT32_MAX ? unknown->len : INT32_MAX)) return false;
    if (unknown->len == 0) *unknown = (tern_unknown){.data = run.data};
    unknown->len += (uint32_t)run.len;
    return true;
}

static bool keep_range(reader *r, size_t position, size_t end, tern_unknown *unknown) {
    while (position < end) {
        bool kept;
        tern_bytes run = tern__reader_range(r, position, end, &kept);
        if (!kept || !borrow(unknown, run)) {
            r->err = tern_unknown_append(unknown, run.data, run.len, r->arena);
            if (r->err) return false;
        }
        position += run.len;
    }
    return true;
}

/* Whether the bytes are one field with this tag. */
static bool is_field(const uint8_t *data, size_t len, uint32_t tag, uint32_t depth) {
    const tern_bytes whole = {data, len};
    reader r = {.depth_left = depth};
    uint32_t found;
    const uint8_t *p = tern__reader_begin(&r, &whole, 1, SIZE_MAX);
    if (p) p = read_tag(&r, p, &found);
    if (!p || found != tag) return false;
    p = skip_value(&r, p, tag);
    return p && reader_position(&r, p) == len;
}

/* Where others may write to the input, what is copied now may be another thing than what was skipped before. */
static bool keep_lent(reader *r, size_t position, size_t end, uint32_t tag, tern_unknown *unknown) {
    size_t len = end - position;
    uint8_t *copy = tern_arena_alloc(r->arena, len);
    bool kept;
    for (size_t done = 0; copy && done < len;) {
        tern_bytes run = tern__reader_range(r, position + done, end, &kept);
        memcpy(copy + done, run.data, run.len);
        done += run.len;
    }
    if (!copy)
        r->err = TERN_ERR_NOMEM;
    else if (!is_field(copy, len, tag, r->depth_left))
        r->err = TERN_ERR_MALFORMED;
    else
        r->err = tern_unknown_append(unknown, copy, len, r->arena);
    return r->err == 0;
}

const uint8_t *tern__read_unknown(reader *r, const uint8_t *start, const uint8_t *p, uint32_t tag,
                                  const tern_type *type, void *msg) {
    size_t position = reader_position(r, start);
    p = skip_value(r, p, tag);
    if (!p) return NULL;
    tern_unknown *unknown = unknown_of(r, type, msg);
    size_t end = reader_position(r, p);
    if (end > r->limit) return reader_fail_short(r);
    if (!unknown) return p;
    return (r->lent ? keep_lent(r, position, end, tag, unknown) : keep_range(r, position, end, unknown)) ? p : NULL;
}

bool tern__keep_unknown(reader *r, const tern_type *type, void *msg, const void *data, size_t len) {
    tern_unknown *unknown = unknown_of(r, type, msg);
    if (unknown) r->err = tern_unknown_append(unknown, data, len, r->arena);
    return r->err == 0;
}

bool tern__keep_number(reader *r, const tern_type *type, void *msg, uint32_t number, uint64_t value) {
    uint8_t field[TAG_MAX_BYTES + VARINT_MAX_BYTES];
    size_t n = write_varint(field, (uint64_t)number << 3 | WIRE_VARINT);
    n += write_varint(field + n, value);
    return tern__keep_unknown(r, type, msg, field, n);
}
