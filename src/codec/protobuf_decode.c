/* Protobuf decoding: one pass over the bytes, straight from the type table into the struct.
 *
 * A message's fields mostly come in the order of their numbers, so each is first looked for behind the one before it.
 * Memory comes from the arena alone; every list element and sub-message is counted against the limit first. What is
 * taken and what refused is what protobuf C++ takes and refuses (its release 3.21). */
#include "codec/protobuf_decode.h"
#include "codec/complete.h"
#include "codec/limits.h"
#include "codec/protobuf_list.h"
#include "codec/protobuf_unknown.h"
#include "codec/utf8.h"
#include "type/object.h"

/* How many fields may be passed over, before a search, for one that comes in order. */
enum { SCAN_MAX = 8 };

/* An entry of a map: a key and a value of at most 16 bytes each, with padding. */
enum { ENTRY_MAX_BYTES = 48 };

/* The fields of a message up to its limit, or to a group's end (r->end_tag). */
static const uint8_t *read_fields(reader *r, const uint8_t *p, const tern_type *type, void *msg);

/* ---- Messages in messages ------------------------------------------------------------------------ */

OUT_OF_LINE static const uint8_t *read_group(reader *r, const uint8_t *p, uint32_t end_tag, const tern_type *type,
                                             void *msg) {
    if (r->depth_left-- == 0) return reader_fail(r, TERN_ERR_LIMIT);
    p = read_fields(r, p, type, msg);
    r->depth_left++;
    if (!p) return NULL;
    if (r->end_tag != end_tag) return reader_fail(r, TERN_ERR_MALFORMED);
    r->end_tag = 0;
    return p;
}

/* A sub-message of a length, from where it begins. */
ALWAYS_INLINE const uint8_t *read_submessage(reader *r, const uint8_t *p, size_t len, const tern_type *type,
                                             void *msg) {
    size_t limit = r->limit, end = reader_position(r, p) + len;
    if (UNLIKELY(end > limit)) return reader_fail_short(r);
    if (UNLIKELY(r->depth_left-- == 0)) return reader_fail(r, TERN_ERR_LIMIT);
    reader_set_limit(r, end);
    p = read_fields(r, p, type, msg);
    r->depth_left++;
    if (UNLIKELY(!p)) return NULL;
    if (UNLIKELY(r->end_tag)) return reader_fail(r, TERN_ERR_MALFORMED);
    reader_set_limit(r, limit);
    return p;
}

/* A sub-message behind its tag: a length and as many bytes, or a group up to the end that fits the tag. */
static inline const uint8_t *read_delimited(reader *r, const uint8_t *p, uint32_t tag, const tern_type *type,
                                            void *msg) {
    size_t len = 0;
    if (UNLIKELY((tag & 7) == WIRE_START)) return read_group(r, p, tag + 1, type, msg);
    p = read_length(r, p, &len);
    return p ? read_submessage(r, p, len, type, msg) : NULL;
}

OUT_OF_LINE static const uint8_t *read_delimited_apart(reader *r, const uint8_t *p, uint32_t tag, const tern_type *type,
                                                       void *msg) {
    return read_delimited(r, p, tag, type, msg);
}

/* Structs are mostly so small that a call would cost more than the stores. */
ALWAYS_INLINE void zero_struct(void *msg, size_t bytes) {
    typedef uint64_t pair __attribute__((vector_size(16), aligned(1), may_alias));
    uint8_t *p = msg, *end = p + bytes;
    if (bytes < 32 || bytes > 320) {
        memset(msg, 0, bytes);
        return;
    }
    *(pair *)(void *)(end - 32) = (pair){0};
    *(pair *)(void *)(end - 16) = (pair){0};
    for (; p < end - 32; p += 32) {
        *(pair *)(void *)p = (pair){0};
        *(pair *)(void *)(p + 16) = (pair){0};
        __asm__("" : "+r"(p)); /* else compilers make it a call of memset() again */
    }
}

/* A new sub-message for a member that is NULL; NULL when a limit is hit. */
static inline void *new_message(reader *r, const tern_type *type, void *member) {
    if (UNLIKELY(!take_elements(r, 1))) return NULL;
    void *msg = tern_arena_alloc(r->arena, type->size_bytes);
    if (UNLIKELY(!msg)) {
        r->err = TERN_ERR_NOMEM;
        return NULL;
    }
    tern__store64(member, (uintptr_t)msg);
    zero_struct(msg, type->size_bytes);
    return msg;
}

/* Makes a message the member of its oneof that is set; it begins as none unless it was set before. */
static void select_member(const tern_field *field, uint8_t *msg) {
    if (oneof_case(field, msg) == field->number) return;
    tern__store32(msg + field->has * 4u, field->number);
    tern__store64(msg + field->offset, 0); /* the pointer */
}

/* False: the member leads to an object in a heap, into which nothing can be merged. */
static bool select_special(const tern_field *field, const tern_type *sub, uint8_t *msg) {
    if (field->flags & TERN_FIELD_ONEOF) select_member(field, msg);
    if (!(field->flags & TERN_FIELD_OBJECT)) return true;
    const void *child = (const void *)(uintptr_t)tern__load64(msg + field->offset);
    return !child || object_form_of(&sub, child) == OBJECT_ENCODED;
}

/* A singular sub-message; a second occurrence is merged into the first. */
OUT_OF_LINE static const uint8_t *read_child(reader *r, const uint8_t *p, uint32_t tag, const tern_type *type,
                                             const tern_field *field, uint8_t *msg) {
    const tern_type *sub = type->subs[field->sub];
    if (field->flags & (TERN_FIELD_ONEOF | TERN_FIELD_OBJECT) && !select_special(field, sub, msg))
        return reader_fail(r, TERN_ERR_INVALID);
    void *child = (void *)(uintptr_t)tern__load64(msg + field->offset);
    if (!child) {
        child = new_message(r, sub, msg + field->offset);
        if (!child) return NULL;
    }
    return read_delimited(r, p, tag, sub, child);
}

/* ---- Values -------------------------------------------------------------------------------------- */

/* Says that a singular field is set. Its traits are loaded anew: to keep them costs a register, and read_fields() has
 * none left. */
ALWAYS_INLINE void mark(const tern_type *type, const tern_field *field, uint8_t *msg) {
    uint32_t traits = tern__field_traits(field);
    if (traits & TERN_FIELD_HAS << 8) {
        uint32_t bit = field->has;
        uint8_t *word = msg + type->has_offset + (bit >> 3 & ~3u);
        tern__store32(word, tern__load32(word) | (uint32_t)1 << (bit & 31));
    } else if (traits & TERN_FIELD_ONEOF << 8) {
        tern__store32(msg + field->has * 4u, field->number);
    }
}

/* Text is checked and stays: others must not write to it. */
OUT_OF_LINE static bool own_text(reader *r, tern_bytes *text) {
    if (text->len == 0) return true;
    void *copy = tern_arena_alloc(r->arena, text->len);
    if (!copy) {
        r->err = TERN_ERR_NOMEM;
        return false;
    }
    text->data = memcpy(copy, text->data, text->len);
    return true;
}

/* Not in the buffer as a whole: only such a value can lie in a piece that is not ours, as what is read in the buffer is
 * (own_piece() in protobuf_reader.c). */
OUT_OF_LINE static const uint8_t *read_distant_view(reader *r, const uint8_t *p, size_t len, bool is_text,
                                                    tern_bytes *out) {
    p = tern__reader_view(r, p, len, out);
    if (!p || !is_text) return p;
    if (r->lent && !own_text(r, out)) return NULL;
    return tern__utf8_valid(out->data, len) ? p : reader_fail(r, TERN_ERR_UTF8);
}

ALWAYS_INLINE const uint8_t *read_view(reader *r, const uint8_t *p, const tern_field *field, tern_bytes *out) {
    size_t len;
    p = read_length(r, p, &len);
    if (!p) return NULL;
    if (UNLIKELY((ptrdiff_t)len > r->view_end - p))
        return read_distant_view(r, p, len, field->flags & TERN_FIELD_UTF8, out);
    out->data = p + r->alias;
    out->len = len;
    if (field->flags & TERN_FIELD_UTF8 && !tern__utf8_valid(out->data, len)) return reader_fail(r, TERN_ERR_UTF8);
    return p + len;
}

/* ---- Maps ---------------------------------------------------------------------------------------- */

/* As protobuf C++ does: an entry whose value its closed enum does not list is kept as unknown field, written anew. */
static bool keep_entry(reader *r, const tern_type *type, const tern_field *field, const tern_type *entry_type,
                       const void *entry, void *msg) {
    uint8_t head[2 * VARINT_MAX_BYTES];
    int64_t len = tern_protobuf_size(entry_type, entry);
    if (len < 0) {
        r->err = (int)len;
        return false;
    }
    uint8_t *body = tern_arena_alloc(r->arena, (size_t)len);
    if (!body) {
        r->err = TERN_ERR_NOMEM;
        return false;
    }
    tern_protobuf_encode(entry_type, entry, body, (size_t)len);
    size_t n = write_varint(head, (uint64_t)field->number << 3 | WIRE_LEN);
    n += write_varint(head + n, (uint64_t)len);
    return tern__keep_unknown(r, type, msg, head, n) && tern__keep_unknown(r, type, msg, body, (size_t)len);
}

/* Each entry is read as a message {key, value} of its own and then put into the map, so that of equal keys the last one
 * counts, value and all. */
OUT_OF_LINE static const uint8_t *read_map_entry(reader *r, const uint8_t *p, const tern_type *type,
                                                 const tern_field *field, void *msg) {
    uint64_t storage[ENTRY_MAX_BYTES / 8] = {0};
    uint8_t *read = (uint8_t *)storage;
    const tern_type *entry_type = type->subs[field->sub];
    const tern_field *key = &entry_type->fields[0], *value = &entry_type->fields[1];
    if (entry_type->size_bytes > sizeof storage) return reader_fail(r, TERN_ERR_INVALID);
    if (!take_elements(r, 1)) return NULL;
    p = read_delimited_apart(r, p, WIRE_LEN, entry_type, read);
    if (!p) return NULL;
    if (value->flags & TERN_FIELD_CLOSED && !enum_lists(entry_type, value, (int32_t)tern__load32(read + value->offset)))
        return keep_entry(r, type, field, entry_type, read, msg) ? p : NULL;
    size_t value_bytes = value->elem_bytes;
    if (holds_message(value->kind)) {
        value_bytes = sizeof(void *);
        if (!tern__load64(read + value->offset) && !new_message(r, entry_type->subs[value->sub], read + value->offset))
            return NULL;
    }
    uint8_t *entry = tern_map_insert(entry_type, (uint8_t *)msg + field->offset, read + key->offset, r->arena);
    if (!entry) return reader_fail(r, TERN_ERR_NOMEM);
    memcpy(entry + value->offset, read + value->offset, value_bytes);
    return p;
}

/* ---- Lists, without their packed form ------------------------------------------------------------ */

static inline void *append_element(reader *r, tern_list *list, size_t elem_bytes) {
    if (list->len >= list->cap || r->elements_left == 0) return tern__list_room(r, list, 1, elem_bytes);
    r->elements_left--;
    return (uint8_t *)list->data + list->len * elem_bytes;
}

ALWAYS_INLINE const uint8_t *read_element(reader *r, const uint8_t *p, uint32_t tag, const tern_type *type,
                                          const tern_field *field, tern_list *list) {
    uint64_t value;
    void *out = append_element(r, list, field->elem_bytes);
    if (!out) return NULL;
    switch (tag & 7) {
    case WIRE_VARINT:
        p = read_varint(r, p, &value);
        store_number(field->kind, value, out);
        break;
    default:
        if (!holds_message(field->kind)) {
            p = read_view(r, p, field, out);
            break;
        }
        zero_struct(out, field->elem_bytes);
        list->len++;
        return read_delimited_apart(r, p, tag, type->subs[field->sub], out);
    }
    if (p) list->len++; /* else it is not all there */
    return p;
}

OUT_OF_LINE static const uint8_t *read_closed_element(reader *r, const uint8_t *p, const tern_type *type,
                                                      const tern_field *field, uint8_t *msg) {
    uint64_t value;
    p = read_varint(r, p, &value);
    if (!p) return NULL;
    if (!enum_lists(type, field, (int32_t)value))
        return tern__keep_number(r, type, msg, field->number, value) ? p : NULL;
    tern_list *list = (tern_list *)(void *)(msg + field->offset);
    void *out = append_element(r, list, field->elem_bytes);
    if (!out) return NULL;
    tern__store32(out, (uint32_t)value);
    list->len++;
    return p;
}

/* Whether the same tag follows, if it is one of one or two bytes; moves p behind it. */
ALWAYS_INLINE bool same_tag(const reader *r, const uint8_t **p, uint32_t tag) {
    if (*p >= r->stop) return false;
    if (tag < 0x80) {
        if (**p != tag) return false;
        *p += 1;
        return true;
    }
    if (tag >= 0x4000 || tern__load16(*p) != ((tag & 0x7f) | 0x80 | tag >> 7 << 8)) return false;
    *p += 2;
    return true;
}

/* Numbers of fixed width whose list has room: one check per element, for the tag. */
ALWAYS_INLINE const uint8_t *read_fixed(reader *r, const uint8_t *p, uint32_t tag, tern_list *list, size_t width) {
    size_t room = list->cap > list->len ? list->cap - list->len : 0, n = 0;
    uint8_t *out = room ? (uint8_t *)list->data + list->len * width : NULL;
    if (room > r->elements_left) room = r->elements_left;
    do {
        if (n == room) {
            list->len += n;
            r->elements_left -= n;
            out = tern__list_room(r, list, 1, width);
            if (!out) return NULL;
            r->elements_left++; /* counted below with the others */
            room = list->cap - list->len < r->elements_left ? list->cap - list->len : r->elements_left;
            n = 0;
        }
        memcpy(out, p, width);
        out += width;
        p += width;
        n++;
    } while (same_tag(r, &p, tag));
    list->len += n;
    r->elements_left -= n;
    return p;
}

/* Elements mostly follow each other: goes on as long as the same tag does. */
OUT_OF_LINE static const uint8_t *read_elements(reader *r, const uint8_t *p, uint32_t tag, const tern_type *type,
                                                const tern_field *field, tern_list *list) {
    if ((tag & 7) == WIRE_32) return read_fixed(r, p, tag, list, 4);
    if ((tag & 7) == WIRE_64) return read_fixed(r, p, tag, list, 8);
    do p = read_element(r, p, tag, type, field, list);
    while (p && same_tag(r, &p, tag));
    return p;
}

/* The message is counted as an element, and not once more because it lies elsewhere. */
static const uint8_t *read_pointer_element(reader *r, const uint8_t *p, uint32_t tag, const tern_type *sub,
                                           tern_list *list) {
    void **out = append_element(r, list, sizeof *out);
    if (!out) return NULL;
    void *made = tern_arena_alloc(r->arena, sub->size_bytes);
    if (!made) return reader_fail(r, TERN_ERR_NOMEM);
    zero_struct(made, sub->size_bytes);
    *out = made;
    list->len++;
    return read_delimited_apart(r, p, tag, sub, made);
}

/* Elements that are no values in a list: entries, pointers, numbers that a closed enum may lack. */
static inline const uint8_t *read_special_element(reader *r, const uint8_t *p, uint32_t tag, const tern_type *type,
                                                  const tern_field *field, uint8_t *msg) {
    if (field->flags & TERN_FIELD_MAP) return read_map_entry(r, p, type, field, msg);
    if (field->flags & TERN_FIELD_CLOSED) return read_closed_element(r, p, type, field, msg);
    tern_list *list = (tern_list *)(void *)(msg + field->offset);
    do p = read_pointer_element(r, p, tag, type->subs[field->sub], list);
    while (p && same_tag(r, &p, tag));
    return p;
}

/* Read a repeated field. NULL with r->err still 0: the field does not take this wire type. */
static inline const uint8_t *read_repeated(reader *r, const uint8_t *p, uint32_t tag, const tern_type *type,
                                           const tern_field *field, uint8_t *msg) {
    unsigned wire = kind_wire(field->kind);
    if (wire != (tag & 7))
        return wire != WIRE_LEN && wire != WIRE_START && (tag & 7) == WIRE_LEN
                   ? tern__read_packed(r, p, type, field, msg)
                   : NULL;
    if (field->flags & (TERN_FIELD_MAP | TERN_FIELD_CLOSED | TERN_FIELD_POINTERS))
        return read_special_element(r, p, tag, type, field, msg);
    return read_elements(r, p, tag, type, field, (tern_list *)(void *)(msg + field->offset));
}

/* ---- Fields -------------------------------------------------------------------------------------- */

/* The field with this number, other than the one at `guess`. */
OUT_OF_LINE static const tern_field *find_field(const tern_type *type, const tern_field *guess, uint32_t number) {
    const tern_field *end = type->n_fields ? type->fields + type->n_fields : type->fields;
    if (number - 1 < type->n_dense) return &type->fields[number - 1];
    for (unsigned i = 0; i < SCAN_MAX && guess < end && guess->number <= number; i++, guess++)
        if (guess->number == number) return guess;
    return tern__type_field_search(type, number);
}

/* A closed enum takes the numbers that it lists; an entry of a map takes any, and whoever takes the entry looks. */
ALWAYS_INLINE bool enum_takes(const tern_type *type, const tern_field *field, uint64_t value) {
    return !(field->flags & TERN_FIELD_CLOSED) || enum_lists(type, field, (int32_t)value) ||
           type->flags & TERN_TYPE_MAP_ENTRY;
}

/* Read a tag that no field of the message takes: a group's end, or a field to keep as it is. */
OUT_OF_LINE static const uint8_t *read_other(reader *r, const uint8_t *start, const uint8_t *p, uint32_t tag,
                                             const tern_type *type, void *msg) {
    if (r->err) return NULL;
    if ((tag & 7) != WIRE_END) return tern__read_unknown(r, start, p, tag, type, msg);
    r->end_tag = tag;
    return p;
}

ALWAYS_INLINE const uint8_t *read_enum(reader *r, const uint8_t *p, const tern_type *type, const tern_field *field,
                                       uint8_t *msg) {
    uint64_t value;
    p = read_varint(r, p, &value);
    if (!enum_takes(type, field, value)) return p && tern__keep_number(r, type, msg, field->number, value) ? p : NULL;
    tern__store32(msg + field->offset, (uint32_t)value);
    mark(type, field, msg);
    return p;
}

ALWAYS_INLINE const uint8_t *copy_fixed(void *member, const uint8_t *p, size_t width) {
    memcpy(member, p, width);
    return p + width;
}

/* A singular field's kind; what is none when it is repeated. */
ALWAYS_INLINE unsigned singular_kind(uint32_t traits) { return traits & (TERN_FIELD_REPEATED << 8 | 0xff); }

/* A singular field behind its tag; NULL with r->err still 0 when it is repeated or does not take this wire type. One
 * jump decides, and each case knows its width. The jump does not depend on the tag, so that the processor finds out
 * early when it took a wrong one. */
ALWAYS_INLINE const uint8_t *read_singular(reader *r, const uint8_t *p, uint32_t tag, const tern_type *type,
                                           const tern_field *field, uint8_t *msg) {
    uint8_t *member = msg + field->offset;
    uint64_t value;
    switch (singular_kind(tern__field_traits(field))) {
    case TERN_STRING:
    case TERN_BYTES:
        if ((tag & 7) != WIRE_LEN) return NULL;
        p = read_view(r, p, field, (tern_bytes *)(void *)member);
        break;
    case TERN_MESSAGE: return (tag & 7) == WIRE_LEN ? read_child(r, p, tag, type, field, msg) : NULL;
    case TERN_GROUP: return (tag & 7) == WIRE_START ? read_child(r, p, tag, type, field, msg) : NULL;
    case TERN_DOUBLE:
    case TERN_FIXED64:
    case TERN_SFIXED64:
        if ((tag & 7) != WIRE_64) return NULL;
        p = copy_fixed(member, p, 8);
        break;
    case TERN_FLOAT:
    case TERN_FIXED32:
    case TERN_SFIXED32:
        if ((tag & 7) != WIRE_32) return NULL;
        p = copy_fixed(member, p, 4);
        break;
    case TERN_INT64:
    case TERN_UINT64:
        if ((tag & 7) != WIRE_VARINT) return NULL;
        p = read_varint(r, p, &value);
        tern__store64(member, value);
        break;
    case TERN_INT32:
    case TERN_UINT32:
        if ((tag & 7) != WIRE_VARINT) return NULL;
        p = read_varint(r, p, &value);
        tern__store32(member, (uint32_t)value);
        break;
    case TERN_BOOL:
        if ((tag & 7) != WIRE_VARINT) return NULL;
        p = read_varint(r, p, &value);
        *member = value != 0;
        break;
    case TERN_SINT32:
        if ((tag & 7) != WIRE_VARINT) return NULL;
        p = read_varint(r, p, &value);
        store_number(TERN_SINT32, value, member);
        break;
    case TERN_SINT64:
        if ((tag & 7) != WIRE_VARINT) return NULL;
        p = read_varint(r, p, &value);
        store_number(TERN_SINT64, value, member);
        break;
    case TERN_ENUM: return (tag & 7) == WIRE_VARINT ? read_enum(r, p, type, field, msg) : NULL;
    default: return NULL;
    }
    mark(type, field, msg);
    return p;
}

/* Read everything but a singular field of the right wire type. */
OUT_OF_LINE static const uint8_t *read_rest(reader *r, const uint8_t *start, const uint8_t *p, uint32_t tag,
                                            const tern_type *type, const tern_field *field, void *msg) {
    if (field && field->flags & TERN_FIELD_REPEATED) {
        const uint8_t *next = read_repeated(r, p, tag, type, field, msg);
        if (next) return next;
    }
    return read_other(r, start, p, tag, type, msg);
}

static const uint8_t *read_fields(reader *r, const uint8_t *p, const tern_type *type, void *msg) {
    const tern_field *guess = type->fields, *end = type->n_fields ? guess + type->n_fields : guess;
    while (reader_more(r, &p)) {
        const uint8_t *start = p, *next;
        uint32_t tag;
        p = read_tag(r, p, &tag);
        if (UNLIKELY(!p)) return NULL;
        const tern_field *field = guess;
        if (UNLIKELY(guess == end || guess->number != tag >> 3)) {
            field = find_field(type, guess, tag >> 3);
            if (!field) goto other;
        }
        next = read_singular(r, p, tag, type, field, msg);
        guess = field + 1;
        if (LIKELY(next)) {
            p = next;
            continue;
        }
    other:
        p = read_rest(r, start, p, tag, type, field, msg);
        if (!p || r->end_tag) return p;
    }
    return p;
}

/* ---- Entry points -------------------------------------------------------------------------------- */

/* limits: of this version. lent: NULL, or which pieces others may write to; then `foreign` is the pieces. */
ALWAYS_INLINE int decode_all(const tern_type *type, const tern_bytes *pieces, tern_bytes *foreign, bool *lent, size_t n,
                             tern_arena *arena, int mode, const tern_limits *limits, void *msg) {
    const tern_bytes nothing = {"", 0};
    if (limits->max_depth == 0) return TERN_ERR_LIMIT;
    uint32_t depth = limits->max_depth < DECODE_DEPTH_CEILING ? limits->max_depth : DECODE_DEPTH_CEILING;
    reader r; /* without zeroing all of it, the patch above all: that would be a tenth of a small message */
    r.arena = arena;
    r.elements_left = limits->max_elements;
    r.depth_left = depth - 1;
    r.end_tag = 0;
    r.err = 0;
    r.lent = lent;
    if (lent) r.foreign = foreign;
    r.copy = mode & TERN_DECODE_COPY;
    r.drop_unknown = mode & TERN_DECODE_DROP_UNKNOWN;
    const uint8_t *p = tern__reader_begin(&r, n ? pieces : &nothing, n ? n : 1, limits->max_bytes);
    if (!p || !read_fields(&r, p, type, msg)) return r.err;
    if (r.end_tag) return TERN_ERR_MALFORMED;
    return type->flags & TERN_TYPE_REQUIRED ? tern__message_check_complete(type, msg, limits->max_elements) : 0;
}

OUT_OF_LINE static int decode_by_other_limits(const tern_type *type, const tern_bytes *pieces, size_t n,
                                              tern_arena *arena, int mode, const tern_limits *limits, void *msg) {
    tern_limits own;
    limits = tern__limits_read(limits, &own);
    return limits ? decode_all(type, pieces, NULL, NULL, n, arena, mode, limits, msg) : TERN_ERR_INVALID;
}

static int decode_pieces(const tern_type *type, const tern_bytes *pieces, size_t n, tern_arena *arena, int mode,
                         const tern_limits *limits, void *msg) {
    if (!limits) limits = &tern__limits_default;
    if (UNLIKELY(!tern__sized_is_own(limits, sizeof *limits)))
        return decode_by_other_limits(type, pieces, n, arena, mode, limits, msg);
    return decode_all(type, pieces, NULL, NULL, n, arena, mode, limits, msg);
}

int tern__protobuf_decode_lent(const tern_type *type, tern_bytes *pieces, bool *lent, size_t n, tern_arena *arena,
                               const tern_limits *limits, void *msg) {
    tern_limits own;
    limits = tern__limits_of(limits, &own);
    memset(msg, 0, type->size_bytes);
    if (!limits) return TERN_ERR_INVALID;
    return decode_all(type, pieces, pieces, lent, n, arena, TERN_DECODE_ALIAS, limits, msg);
}

int tern_protobuf_decode(const tern_type *type, const void *data, size_t len, tern_arena *arena, int mode,
                         const tern_limits *limits, void *msg) {
    const tern_bytes piece = {data, len};
    zero_struct(msg, type->size_bytes);
    return decode_pieces(type, &piece, len != 0, arena, mode, limits, msg);
}

int tern_protobuf_merge(const tern_type *type, const void *data, size_t len, tern_arena *arena, int mode,
                        const tern_limits *limits, void *msg) {
    const tern_bytes piece = {data, len};
    return decode_pieces(type, &piece, len != 0, arena, mode, limits, msg);
}

int tern_protobuf_decode_pieces(const tern_type *type, const tern_bytes *pieces, size_t n, tern_arena *arena, int mode,
                                const tern_limits *limits, void *msg) {
    memset(msg, 0, type->size_bytes);
    return decode_pieces(type, pieces, n, arena, mode, limits, msg);
}
