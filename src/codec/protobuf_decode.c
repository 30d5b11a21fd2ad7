/* Protobuf decoding: one pass over the bytes, straight from the type table into the struct.
 *
 * Invariants: p <= end <= input_end always; a function that returns NULL has set r->err, any other
 * pointer returned is where decoding goes on, at most `end`. Lengths are compared with what is left and
 * never added to a pointer before that. Memory comes from the arena alone; every list element and
 * sub-message is counted against the limit first. */
#include "codec/utf8.h"
#include "codec/wire.h"
#include "tern/codec.h"

/* Deeper than this no caller may allow: it bounds the recursion's stack. */
enum { DEPTH_CEILING = 1000 };

typedef struct reader {
    const uint8_t *input_end;
    tern_arena *arena;
    size_t elements_left;
    uint32_t depth_left;
    bool copy;
    bool saw_required; /* some type seen has required fields: check them at the end */
    int err;
} reader;

static const uint8_t *read_message(reader *r, const uint8_t *p, const uint8_t *end, const tern_type *type, void *msg);

static const uint8_t *fail(reader *r, int err) {
    r->err = err;
    return NULL;
}

/* More bytes are needed than there are before `end`: the input is cut off, or an inner length lies. */
static const uint8_t *fail_short(reader *r, const uint8_t *end) {
    return fail(r, end == r->input_end ? TERN_ERR_TRUNCATED : TERN_ERR_MALFORMED);
}

static const uint8_t *read_varint_slow(reader *r, const uint8_t *p, const uint8_t *end, uint64_t *out) {
    uint64_t value = 0;
    size_t max = (size_t)(end - p) < VARINT_MAX_BYTES ? (size_t)(end - p) : VARINT_MAX_BYTES;
    for (size_t i = 0; i < max; i++) {
        value |= (uint64_t)(p[i] & 0x7f) << 7 * i;
        if (p[i] < 0x80) {
            *out = value;
            return p + i + 1;
        }
    }
    return max == VARINT_MAX_BYTES ? fail(r, TERN_ERR_MALFORMED) : fail_short(r, end);
}

static inline const uint8_t *read_varint(reader *r, const uint8_t *p, const uint8_t *end, uint64_t *out) {
    if (end - p >= 2) {
        if (p[0] < 0x80) {
            *out = p[0];
            return p + 1;
        }
        if (p[1] < 0x80) {
            *out = (uint64_t)(p[0] & 0x7f) | (uint64_t)p[1] << 7;
            return p + 2;
        }
    }
    return read_varint_slow(r, p, end, out);
}

/* A tag: a varint of at most 32 bits whose field number is not 0. */
static inline const uint8_t *read_tag(reader *r, const uint8_t *p, const uint8_t *end, uint32_t *out) {
    if (*p < 0x80 && *p >= 8) {
        *out = *p;
        return p + 1;
    }
    uint64_t value;
    const uint8_t *next = read_varint(r, p, end, &value);
    if (!next) return NULL;
    if (next - p > TAG_MAX_BYTES || value > UINT32_MAX || value < 8) return fail(r, TERN_ERR_MALFORMED);
    *out = (uint32_t)value;
    return next;
}

static inline const uint8_t *read_length(reader *r, const uint8_t *p, const uint8_t *end, size_t *out) {
    uint64_t value;
    p = read_varint(r, p, end, &value);
    if (!p) return NULL;
    if (value > (uint64_t)(end - p)) return fail_short(r, end);
    *out = (size_t)value;
    return p;
}

/* ---- Unknown fields ------------------------------------------------------------------------------ */

static const uint8_t *skip_value(reader *r, const uint8_t *p, const uint8_t *end, uint32_t tag) {
    uint64_t ignored;
    size_t len;
    switch (tag & 7) {
    case WIRE_VARINT: return read_varint(r, p, end, &ignored);
    case WIRE_64: return end - p >= 8 ? p + 8 : fail_short(r, end);
    case WIRE_32: return end - p >= 4 ? p + 4 : fail_short(r, end);
    case WIRE_LEN: p = read_length(r, p, end, &len); return p ? p + len : NULL;
    default: return fail(r, TERN_ERR_MALFORMED);
    }
}

/* Skips to the end of the group that `tag` opened. */
static const uint8_t *skip_group(reader *r, const uint8_t *p, const uint8_t *end, uint32_t tag) {
    if (r->depth_left == 0) return fail(r, TERN_ERR_LIMIT);
    r->depth_left--;
    while (p < end) {
        uint32_t inner;
        p = read_tag(r, p, end, &inner);
        if (!p) return NULL;
        if ((inner & 7) == WIRE_END) {
            if (inner >> 3 != tag >> 3) return fail(r, TERN_ERR_MALFORMED);
            r->depth_left++;
            return p;
        }
        p = (inner & 7) == WIRE_START ? skip_group(r, p, end, inner) : skip_value(r, p, end, inner);
        if (!p) return NULL;
    }
    return fail_short(r, end);
}

static const uint8_t *skip_unknown(reader *r, const uint8_t *p, const uint8_t *end, uint32_t tag) {
    return (tag & 7) == WIRE_START ? skip_group(r, p, end, tag) : skip_value(r, p, end, tag);
}

/* ---- Values -------------------------------------------------------------------------------------- */

static const uint8_t *read_view(reader *r, const uint8_t *p, const uint8_t *end, const tern_field *field, void *out) {
    size_t len;
    p = read_length(r, p, end, &len);
    if (!p) return NULL;
    if (field->flags & TERN_FIELD_UTF8 && !tern__utf8_valid(p, len)) return fail(r, TERN_ERR_UTF8);
    const void *data = p;
    if (r->copy && len) {
        void *copy = tern_arena_alloc(r->arena, len);
        if (!copy) return fail(r, TERN_ERR_NOMEM);
        data = memcpy(copy, p, len);
    }
    tern_bytes *view = out; /* tern_str has the same layout */
    view->data = data;
    view->len = len;
    return p + len;
}

/* A varint as the struct holds it; the width follows from the kind. */
static inline void store_varint(unsigned kind, uint64_t value, void *out) {
    switch (kind) {
    case TERN_INT64:
    case TERN_UINT64: tern__store64(out, value); break;
    case TERN_SINT32: tern__store32(out, (uint32_t)unzigzag((uint32_t)value)); break;
    case TERN_SINT64: tern__store64(out, (uint64_t)unzigzag(value)); break;
    case TERN_BOOL: *(uint8_t *)out = value != 0; break;
    default: tern__store32(out, (uint32_t)value); break;
    }
}

static const uint8_t *read_scalar(reader *r, const uint8_t *p, const uint8_t *end, unsigned kind, void *out) {
    uint64_t value;
    switch (kind_wire(kind)) {
    case WIRE_64:
        if (end - p < 8) return fail_short(r, end);
        memcpy(out, p, 8);
        return p + 8;
    case WIRE_32:
        if (end - p < 4) return fail_short(r, end);
        memcpy(out, p, 4);
        return p + 4;
    default:
        p = read_varint(r, p, end, &value);
        if (p) store_varint(kind, value, out);
        return p;
    }
}

static const uint8_t *read_submessage(reader *r, const uint8_t *p, const uint8_t *end, const tern_type *sub,
                                      void *msg) {
    size_t len;
    p = read_length(r, p, end, &len);
    if (!p) return NULL;
    if (r->depth_left == 0) return fail(r, TERN_ERR_LIMIT);
    r->depth_left--;
    p = read_message(r, p, p + len, sub, msg);
    r->depth_left++;
    return p;
}

/* ---- Fields -------------------------------------------------------------------------------------- */

static bool take_elements(reader *r, size_t n) {
    if (n > r->elements_left) {
        r->err = TERN_ERR_LIMIT;
        return false;
    }
    r->elements_left -= n;
    return true;
}

/* Room for n more elements; returns the first of them, zeroed, or NULL. */
static inline void *append(reader *r, tern_list *list, size_t n, size_t elem_bytes) {
    if (!take_elements(r, n)) return NULL;
    int err = tern_list_reserve(list, list->len + n, elem_bytes, r->arena);
    if (err) {
        r->err = err;
        return NULL;
    }
    return (uint8_t *)list->data + list->len * elem_bytes;
}

/* The same for one element, without a call while there is room: an unpacked list of strings or messages
 * comes one by one. Only a message needs its element zeroed; anything else overwrites it. */
static inline void *append_one(reader *r, tern_list *list, const tern_field *field) {
    if (list->len == list->cap) return append(r, list, 1, field->elem_bytes);
    if (!take_elements(r, 1)) return NULL;
    void *out = (uint8_t *)list->data + list->len * field->elem_bytes;
    if (field->kind == TERN_MESSAGE) memset(out, 0, field->elem_bytes);
    return out;
}

static const uint8_t *read_element(reader *r, const uint8_t *p, const uint8_t *end, const tern_type *type,
                                   const tern_field *field, tern_list *list) {
    void *out = append_one(r, list, field);
    if (!out) return NULL;
    if (field->kind == TERN_MESSAGE)
        p = read_submessage(r, p, end, type->subs[field->sub], out);
    else if (kind_wire(field->kind) == WIRE_LEN)
        p = read_view(r, p, end, field, out);
    else
        p = read_scalar(r, p, end, field->kind, out);
    if (p) list->len++;
    return p;
}

/* n varints that end exactly at `end`; the caller has counted them, so none runs past it. */
static bool read_varints(reader *r, const uint8_t *p, const uint8_t *end, unsigned kind, size_t elem_bytes,
                         uint8_t *out) {
    for (; p < end; out += elem_bytes) {
        uint64_t value;
        p = read_varint(r, p, end, &value);
        if (!p) return false;
        store_varint(kind, value, out);
    }
    return true;
}

static const uint8_t *read_packed(reader *r, const uint8_t *p, const uint8_t *end, const tern_field *field,
                                  tern_list *list) {
    size_t len, n = 0;
    p = read_length(r, p, end, &len);
    if (!p || len == 0) return p;
    bool fixed = kind_wire(field->kind) != WIRE_VARINT;
    if (fixed) {
        if (len % field->elem_bytes) return fail(r, TERN_ERR_MALFORMED);
        n = len / field->elem_bytes;
    } else {
        if (p[len - 1] & 0x80) return fail(r, TERN_ERR_MALFORMED);
        for (size_t i = 0; i < len; i++) n += p[i] < 0x80;
    }
    uint8_t *out = append(r, list, n, field->elem_bytes);
    if (!out) return NULL;
    if (fixed)
        memcpy(out, p, len);
    else if (!read_varints(r, p, p + len, field->kind, field->elem_bytes, out))
        return NULL;
    list->len += n;
    return p + len;
}

static const uint8_t *read_repeated(reader *r, const uint8_t *p, const uint8_t *end, const tern_type *type,
                                    const tern_field *field, uint32_t tag, tern_list *list) {
    unsigned wire = kind_wire(field->kind);
    if (wire == (tag & 7)) return read_element(r, p, end, type, field, list);
    if (wire != WIRE_LEN && (tag & 7) == WIRE_LEN) return read_packed(r, p, end, field, list);
    return skip_unknown(r, p, end, tag);
}

/* A singular sub-message; a second occurrence is merged into the first. */
static const uint8_t *read_child(reader *r, const uint8_t *p, const uint8_t *end, const tern_type *sub, void *member) {
    void *child;
    memcpy(&child, member, sizeof child);
    if (!child) {
        if (!take_elements(r, 1)) return NULL;
        child = tern_arena_alloc(r->arena, sub->size_bytes);
        if (!child) return fail(r, TERN_ERR_NOMEM);
        memset(child, 0, sub->size_bytes);
        memcpy(member, &child, sizeof child);
    }
    return read_submessage(r, p, end, sub, child);
}

static inline const uint8_t *read_field(reader *r, const uint8_t *p, const uint8_t *end, const tern_type *type,
                                        uint32_t tag, void *msg) {
    const tern_field *field = tern_type_field(type, tag >> 3);
    if (!field) return skip_unknown(r, p, end, tag);
    void *member = (uint8_t *)msg + field->offset;
    if (field->flags & TERN_FIELD_REPEATED) return read_repeated(r, p, end, type, field, tag, member);
    if (kind_wire(field->kind) != (tag & 7)) return skip_unknown(r, p, end, tag);
    if (field->flags & TERN_FIELD_HAS) *presence_word(type, field, msg) |= 1u << field->has % 32;
    if ((tag & 7) != WIRE_LEN) return read_scalar(r, p, end, field->kind, member);
    if (field->kind == TERN_MESSAGE) return read_child(r, p, end, type->subs[field->sub], member);
    return read_view(r, p, end, field, member);
}

static const uint8_t *read_message(reader *r, const uint8_t *p, const uint8_t *end, const tern_type *type, void *msg) {
    r->saw_required |= type->n_required != 0;
    while (p < end) {
        uint32_t tag;
        p = read_tag(r, p, end, &tag);
        if (!p) return NULL;
        p = read_field(r, p, end, type, tag, msg);
        if (!p) return NULL;
    }
    return p;
}

/* ---- Required fields ----------------------------------------------------------------------------- */

/* Whether every required field of a decoded message is there. It runs after decoding, since a
 * sub-message may be complete only after several occurrences were merged. Recursion is as deep as the
 * decoder's was. */
static bool is_complete(const tern_type *type, const void *msg) {
    for (uint32_t i = 0; i < type->n_fields; i++) {
        const tern_field *field = &type->fields[i];
        const void *member = (const uint8_t *)msg + field->offset;
        bool required = field->flags & TERN_FIELD_REQUIRED;
        if (field->kind != TERN_MESSAGE) {
            if (required && !presence_get(type, field, msg)) return false;
        } else if (field->flags & TERN_FIELD_REPEATED) {
            const tern_list *list = member;
            for (size_t k = 0; k < list->len; k++)
                if (!is_complete(type->subs[field->sub], (const uint8_t *)list->data + k * field->elem_bytes))
                    return false;
        } else {
            const void *child;
            memcpy(&child, member, sizeof child);
            if (child ? !is_complete(type->subs[field->sub], child) : required) return false;
        }
    }
    return true;
}

int tern_protobuf_decode(const tern_type *type, const void *data, size_t len, tern_arena *arena, int mode,
                         const tern_limits *limits, void *msg) {
    if (!limits) limits = &tern_limits_default;
    memset(msg, 0, type->size_bytes);
    if (len > limits->max_bytes || limits->max_depth == 0) return TERN_ERR_LIMIT;
    if (len == 0) data = ""; /* so that no arithmetic is done on NULL */
    const uint8_t *p = data;
    uint32_t depth = limits->max_depth < DEPTH_CEILING ? limits->max_depth : DEPTH_CEILING;
    reader r = {.input_end = p + len,
                .arena = arena,
                .elements_left = limits->max_elements,
                .depth_left = depth - 1,
                .copy = mode == TERN_DECODE_COPY};
    if (!read_message(&r, p, r.input_end, type, msg)) return r.err;
    if (r.saw_required && !is_complete(type, msg)) return TERN_ERR_MALFORMED;
    return 0;
}
