/* Protobuf decoding: one pass over the bytes, straight from the type table into the struct.
 *
 * A message's fields mostly come in the order of their numbers, so each is first looked for behind the one before it.
 * Memory comes from the arena alone; every list element and sub-message is counted against the limit first. What is
 * taken and what refused is what protobuf C++ takes and refuses (its release 3.21). */
#include "codec/protobuf_decode.h"

#include "codec/utf8.h"

/* Deeper than this no caller may allow: it bounds the recursion's stack. */
enum { DEPTH_CEILING = 1000 };

/* How many fields may be passed over, before a search, for one that comes in order. */
enum { SCAN_MAX = 8 };

/* ---- Messages in messages ------------------------------------------------------------------------ */

const uint8_t *tern__read_delimited(reader *r, const uint8_t *p, uint32_t tag, const tern_type *type, void *msg) {
    size_t len, limit = r->limit;
    bool group = (tag & 7) == WIRE_START;
    if (!group) {
        p = read_length(r, p, &len);
        if (!p) return NULL;
        size_t end = reader_position(r, p) + len;
        if (end > limit) return reader_fail_short(r);
        reader_set_limit(r, end);
    }
    if (r->depth_left == 0) return reader_fail(r, TERN_ERR_LIMIT);
    r->depth_left--;
    p = tern__read_message(r, p, type, msg);
    if (!p) return NULL;
    r->depth_left++;
    if (r->end_tag != (group ? tag + 1 : 0)) return reader_fail(r, TERN_ERR_MALFORMED);
    r->end_tag = 0;
    if (!group) reader_set_limit(r, limit);
    return p;
}

void *tern__new_message(reader *r, const tern_type *type, void *member) {
    if (!take_elements(r, 1)) return NULL;
    void *msg = tern_arena_alloc(r->arena, type->size_bytes);
    if (!msg) {
        r->err = TERN_ERR_NOMEM;
        return NULL;
    }
    memset(msg, 0, type->size_bytes);
    memcpy(member, &msg, sizeof msg);
    return msg;
}

/* Makes a message the member of its oneof that is set; it begins as none unless it was set before. */
static void select_member(const tern_field *field, uint8_t *msg) {
    if (oneof_case(field, msg) == field->number) return;
    tern__store32(msg + field->has * 4u, field->number);
    tern__store64(msg + field->offset, 0); /* the pointer */
}

/* A singular sub-message; a second occurrence is merged into the first. */
static inline const uint8_t *read_child(reader *r, const uint8_t *p, uint32_t tag, const tern_type *type,
                                        const tern_field *field, uint8_t *msg) {
    if (field->flags & TERN_FIELD_ONEOF) select_member(field, msg);
    const tern_type *sub = type->subs[field->sub];
    void *child = (void *)(uintptr_t)tern__load64(msg + field->offset);
    if (!child) {
        child = tern__new_message(r, sub, msg + field->offset);
        if (!child) return NULL;
    }
    if (field->flags & TERN_FIELD_HAS) msg[type->has_offset + field->has / 8] |= (uint8_t)(1u << field->has % 8);
    return tern__read_delimited(r, p, tag, sub, child);
}

/* ---- Values -------------------------------------------------------------------------------------- */

/* Says that a scalar, string or bytes is set. */
static inline void mark(const tern_type *type, const tern_field *field, uint8_t *msg) {
    if (field->flags & TERN_FIELD_HAS)
        msg[type->has_offset + field->has / 8] |= (uint8_t)(1u << field->has % 8);
    else if (field->flags & TERN_FIELD_ONEOF)
        tern__store32(msg + field->has * 4u, field->number);
}

static inline const uint8_t *read_view(reader *r, const uint8_t *p, const tern_field *field, tern_bytes *out) {
    size_t len;
    p = read_length(r, p, &len);
    if (!p) return NULL;
    p = reader_view(r, p, len, out);
    if (!p) return NULL;
    if (field->flags & TERN_FIELD_UTF8 && !tern__utf8_valid(out->data, len)) return reader_fail(r, TERN_ERR_UTF8);
    return p;
}

static inline const uint8_t *read_number(reader *r, const uint8_t *p, unsigned kind, void *out) {
    uint64_t value;
    p = read_varint(r, p, &value);
    store_number(kind, value, out);
    return p;
}

/* ---- Lists, without their packed form ------------------------------------------------------------ */

static void *append_message(reader *r, tern_list *list, size_t elem_bytes) {
    void *out = tern__list_room(r, list, 1, elem_bytes);
    if (!out) return NULL;
    list->len++;
    return memset(out, 0, elem_bytes);
}

static const uint8_t *read_element(reader *r, const uint8_t *p, uint32_t tag, const tern_type *type,
                                   const tern_field *field, tern_list *list) {
    if (holds_message(field->kind)) {
        void *element = append_message(r, list, field->elem_bytes);
        return element ? tern__read_delimited(r, p, tag, type->subs[field->sub], element) : NULL;
    }
    void *out = tern__list_room(r, list, 1, field->elem_bytes);
    if (!out) return NULL;
    switch (tag & 7) {
    case WIRE_LEN: p = read_view(r, p, field, out); break;
    case WIRE_64:
        memcpy(out, p, 8);
        p += 8;
        break;
    case WIRE_32:
        memcpy(out, p, 4);
        p += 4;
        break;
    default: p = read_number(r, p, field->kind, out); break;
    }
    list->len++;
    return p;
}

static const uint8_t *read_closed_element(reader *r, const uint8_t *p, const tern_type *type, const tern_field *field,
                                          uint8_t *msg) {
    uint64_t value;
    p = read_varint(r, p, &value);
    if (!p) return NULL;
    if (!enum_lists(type, field, (int32_t)value))
        return tern__keep_number(r, type, msg, field->number, value) ? p : NULL;
    tern_list *list = (tern_list *)(void *)(msg + field->offset);
    void *out = tern__list_room(r, list, 1, field->elem_bytes);
    if (!out) return NULL;
    tern__store32(out, (uint32_t)value);
    list->len++;
    return p;
}

/* What is repeated; NULL with r->err still 0 when the field does not take this wire type. */
static const uint8_t *read_repeated(reader *r, const uint8_t *p, uint32_t tag, const tern_type *type,
                                    const tern_field *field, uint8_t *msg) {
    unsigned wire = kind_wire(field->kind);
    if (wire != (tag & 7))
        return wire != WIRE_LEN && wire != WIRE_START && (tag & 7) == WIRE_LEN
                   ? tern__read_packed(r, p, type, field, msg)
                   : NULL;
    if (field->flags & TERN_FIELD_MAP) return tern__read_map_entry(r, p, type, field, msg);
    if (field->flags & TERN_FIELD_CLOSED) return read_closed_element(r, p, type, field, msg);
    return read_element(r, p, tag, type, field, (tern_list *)(void *)(msg + field->offset));
}

/* ---- Fields -------------------------------------------------------------------------------------- */

static const uint8_t *read_closed(reader *r, const uint8_t *p, const tern_type *type, const tern_field *field,
                                  uint8_t *msg) {
    uint64_t value;
    p = read_varint(r, p, &value);
    if (!p) return NULL;
    /* An entry of a map takes any number; whoever takes the entry looks at it. */
    if (!(type->flags & TERN_TYPE_MAP_ENTRY) && !enum_lists(type, field, (int32_t)value))
        return tern__keep_number(r, type, msg, field->number, value) ? p : NULL;
    tern__store32(msg + field->offset, (uint32_t)value);
    mark(type, field, msg);
    return p;
}

/* One field behind its tag; NULL with r->err still 0 when it does not take this wire type. */
static inline const uint8_t *read_field(reader *r, const uint8_t *p, uint32_t tag, const tern_type *type,
                                        const tern_field *field, uint8_t *msg) {
    uint8_t *member = msg + field->offset;
    if (field->flags & TERN_FIELD_REPEATED) return read_repeated(r, p, tag, type, field, msg);
    if (kind_wire(field->kind) != (tag & 7)) return NULL;
    switch (field->kind) {
    case TERN_STRING:
    case TERN_BYTES: mark(type, field, msg); return read_view(r, p, field, (tern_bytes *)(void *)member);
    case TERN_MESSAGE:
    case TERN_GROUP: return read_child(r, p, tag, type, field, msg);
    case TERN_DOUBLE:
    case TERN_FIXED64:
    case TERN_SFIXED64:
        memcpy(member, p, 8);
        p += 8;
        break;
    case TERN_FLOAT:
    case TERN_FIXED32:
    case TERN_SFIXED32:
        memcpy(member, p, 4);
        p += 4;
        break;
    case TERN_ENUM:
        if (field->flags & TERN_FIELD_CLOSED) return read_closed(r, p, type, field, msg);
        p = read_number(r, p, TERN_ENUM, member);
        break;
    default: p = read_number(r, p, field->kind, member); break;
    }
    mark(type, field, msg);
    return p;
}

/* The field with this number, other than the one at `guess`. */
static const tern_field *find_field(const tern_type *type, const tern_field *guess, uint32_t number) {
    const tern_field *end = type->fields + type->n_fields;
    if (number - 1 < type->n_dense) return &type->fields[number - 1];
    for (unsigned i = 0; i < SCAN_MAX && guess < end && guess->number <= number; i++, guess++)
        if (guess->number == number) return guess;
    return tern__type_field_search(type, number);
}

const uint8_t *tern__read_message(reader *r, const uint8_t *p, const tern_type *type, void *msg) {
    const tern_field *guess = type->fields;
    while (reader_more(r, &p)) {
        const uint8_t *start = p, *next = NULL;
        uint32_t tag;
        p = read_tag(r, p, &tag);
        if (!p) return NULL;
        const tern_field *field = guess;
        if (field == type->fields + type->n_fields || field->number != tag >> 3)
            field = find_field(type, guess, tag >> 3);
        if (field) {
            next = read_field(r, p, tag, type, field, msg);
            if (!next && r->err) return NULL;
            guess = field + !(field->flags & TERN_FIELD_REPEATED);
        }
        if (!next) {
            if ((tag & 7) == WIRE_END) {
                r->end_tag = tag;
                return p;
            }
            next = tern__read_unknown(r, start, p, tag, type, msg);
            if (!next) return NULL;
        }
        p = next;
    }
    return p;
}

/* ---- Entry points -------------------------------------------------------------------------------- */

static int decode(const tern_type *type, const tern_bytes *pieces, size_t n, tern_arena *arena, int mode,
                  const tern_limits *limits, void *msg) {
    const tern_bytes nothing = {"", 0};
    if (!limits) limits = &tern_limits_default;
    if (limits->max_depth == 0) return TERN_ERR_LIMIT;
    uint32_t depth = limits->max_depth < DEPTH_CEILING ? limits->max_depth : DEPTH_CEILING;
    reader r = {.arena = arena,
                .elements_left = limits->max_elements,
                .depth_left = depth - 1,
                .copy = mode & TERN_DECODE_COPY,
                .drop_unknown = mode & TERN_DECODE_DROP_UNKNOWN};
    const uint8_t *p = tern__reader_begin(&r, n ? pieces : &nothing, n ? n : 1, limits->max_bytes);
    if (!p || !tern__read_message(&r, p, type, msg)) return r.err;
    if (r.end_tag) return TERN_ERR_MALFORMED;
    if (type->flags & TERN_TYPE_REQUIRED && !tern__protobuf_complete(type, msg)) return TERN_ERR_MALFORMED;
    return 0;
}

int tern_protobuf_decode(const tern_type *type, const void *data, size_t len, tern_arena *arena, int mode,
                         const tern_limits *limits, void *msg) {
    const tern_bytes piece = {data, len};
    memset(msg, 0, type->size_bytes);
    return decode(type, &piece, len != 0, arena, mode, limits, msg);
}

int tern_protobuf_merge(const tern_type *type, const void *data, size_t len, tern_arena *arena, int mode,
                        const tern_limits *limits, void *msg) {
    const tern_bytes piece = {data, len};
    return decode(type, &piece, len != 0, arena, mode, limits, msg);
}

int tern_protobuf_decode_pieces(const tern_type *type, const tern_bytes *pieces, size_t n, tern_arena *arena, int mode,
                                const tern_limits *limits, void *msg) {
    memset(msg, 0, type->size_bytes);
    return decode(type, pieces, n, arena, mode, limits, msg);
}

bool tern__enum_search(const tern_enum *enumeration, int32_t number) {
    uint32_t low = 0, high = enumeration->n_values;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int32_t found = enumeration->values[middle].number;
        if (found == number) return true;
        if (found < number)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}
