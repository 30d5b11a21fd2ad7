/* The hybrid decoder. The input is hostile until checked: every offset, size and count is checked once,
 * before it is followed, and what is handed out afterwards are pointers into the checked bytes.
 *
 * Work and memory are linear in the input: objects and element tables must lie in traversal order
 * without overlap, as the encoder writes them (`floor` is the end of the last one), so no byte can be made
 * to stand for two objects. Values may lie anywhere, even overlap, but all of them together are not longer
 * than the input, so that checking and copying them is linear too.
 *
 * An input in pieces is read as its first bytes, which lie side by side, and values behind them, which are looked up
 * in the pieces one by one. Where an object or table turns out to lie behind those first bytes, too, twice as many are
 * put together and reading begins anew: what encoders write has all objects in front. Lest each beginning copies and
 * checks values anew, all bytes are put together once as many were copied or checked as the input has. */
#include "codec/hybrid_decode.h"
#include "codec/hybrid.h"
#include "codec/limits.h"
#include "codec/utf8.h"
#include "tern/codec.h"
#include "type/walk.h"

/* An input in pieces, which all of them have bytes. */
typedef struct input {
    const tern_bytes *pieces;
    const bool *lent; /* of each piece, whether others may write to it; NULL: of none */
    uint32_t *starts; /* n + 1: where each piece starts, and the end */
    size_t n;
    uint64_t spent;  /* bytes of values that were copied or checked, however often reading began */
    bool is_cut_off; /* a value was found to end behind it */
} input;

typedef struct reader {
    const uint8_t *data;
    uint32_t len;           /* bytes that lie there: of an input in pieces, the first ones */
    uint32_t floor;         /* the next object or table starts here or later */
    uint32_t values_left;   /* bytes that further values may have */
    size_t n_elements_left; /* list elements and sub-messages still allowed */
    uint32_t max_depth;
    tern_arena *arena;
    input *rest; /* of what it is the begin; NULL: of nothing */
} reader;

typedef struct entry {
    uint32_t size, offset; /* size is a count for lists */
} entry;

static inline entry get_entry(const uint8_t *at) {
    entry e = {tern__load32(at), tern__load32(at + 4)};
    return e;
}

static inline bool fits_in_payload(const reader *r, uint64_t offset, uint64_t bytes) {
    return offset + bytes <= r->len;
}

/* Claims the next `bytes` bytes at offset for an object or table. */
static inline int claim(reader *r, uint32_t offset, uint64_t bytes) {
    if (!fits_in_payload(r, offset, bytes)) return TERN_ERR_TRUNCATED;
    if (offset < r->floor) return TERN_ERR_MALFORMED;
    r->floor = (uint32_t)(offset + bytes);
    return 0;
}

static inline int count_elements(reader *r, uint32_t n) {
    if (n > r->n_elements_left) return TERN_ERR_LIMIT;
    r->n_elements_left -= n;
    return 0;
}

/* The piece that holds the byte at offset, which is in the input. */
static size_t find_piece(const input *in, uint32_t offset) {
    size_t lo = 0, hi = in->n - 1;
    while (lo < hi) {
        size_t mid = (lo + hi + 1) / 2;
        if (in->starts[mid] <= offset)
            lo = mid;
        else
            hi = mid - 1;
    }
    return lo;
}

/* Copies bytes of the input, which are all there. */
static void gather(const input *in, uint32_t offset, uint32_t bytes, uint8_t *out) {
    for (size_t i = find_piece(in, offset); bytes; i++) {
        uint32_t skip = offset - in->starts[i], left = in->starts[i + 1] - offset, n = left < bytes ? left : bytes;
        memcpy(out, (const uint8_t *)in->pieces[i].data + skip, n);
        out += n;
        offset += n;
        bytes -= n;
    }
}

/* Where a value lies, or an error. In registers: a pointer to either would cost a store and a load for each value. */
typedef struct place {
    const uint8_t *at;
    int err;
} place;

/* A value behind the first bytes. checked: it will be, and must not change afterwards. */
static __attribute__((noinline)) place take_far(reader *r, uint32_t offset, uint64_t bytes, bool checked) {
    input *in = r->rest;
    if (!in) return (place){NULL, TERN_ERR_TRUNCATED};
    in->is_cut_off = offset + bytes > in->starts[in->n];
    if (in->is_cut_off) return (place){NULL, TERN_ERR_TRUNCATED};
    if (bytes > r->values_left) return (place){NULL, TERN_ERR_MALFORMED};
    r->values_left -= (uint32_t)bytes;
    if (bytes == 0) return (place){r->data, 0};
    size_t i = find_piece(in, offset);
    bool may_stay = (!checked || !in->lent || !in->lent[i]) && offset + bytes <= in->starts[i + 1];
    if (checked || !may_stay) in->spent += bytes;
    if (may_stay) return (place){(const uint8_t *)in->pieces[i].data + (offset - in->starts[i]), 0};
    uint8_t *copy = tern_arena_alloc(r->arena, bytes);
    if (!copy) return (place){NULL, TERN_ERR_NOMEM};
    gather(in, offset, (uint32_t)bytes, copy);
    return (place){copy, 0};
}

static inline place take_value(reader *r, uint32_t offset, uint64_t bytes, bool checked) {
    if (!fits_in_payload(r, offset, bytes)) return take_far(r, offset, bytes, checked);
    if (bytes > r->values_left) return (place){NULL, TERN_ERR_MALFORMED};
    r->values_left -= (uint32_t)bytes;
    return (place){r->data + offset, 0};
}

static __attribute__((noinline)) int get_far_blob(reader *r, entry e, bool utf8, tern_bytes *out) {
    place value = take_far(r, e.offset, e.size, utf8);
    if (value.err) return value.err;
    *out = tern_bytes_of(value.at, e.size);
    return utf8 && !tern__utf8_valid(out->data, out->len) ? TERN_ERR_UTF8 : 0;
}

/* The near ones here, so that they need not save registers for the others. */
static inline int get_blob(reader *r, const uint8_t *at, bool utf8, tern_bytes *out) {
    entry e = get_entry(at);
    if (!fits_in_payload(r, e.offset, e.size)) return get_far_blob(r, e, utf8, out);
    if (e.size > r->values_left) return TERN_ERR_MALFORMED;
    r->values_left -= e.size;
    out->data = r->data + e.offset;
    out->len = e.size;
    return utf8 && !tern__utf8_valid(out->data, out->len) ? TERN_ERR_UTF8 : 0;
}

static int get_blob_list(reader *r, entry e, bool utf8, tern_list *list) {
    int rc = claim(r, e.offset, (uint64_t)e.size * 8);
    if (!rc) rc = count_elements(r, e.size);
    if (rc) return rc;
    tern_bytes *values = tern_arena_alloc(r->arena, e.size * sizeof *values);
    if (!values) return TERN_ERR_NOMEM;
    const uint8_t *slot = r->data + e.offset;
    for (uint32_t i = 0; i < e.size; i++, slot += 8) {
        rc = get_blob(r, slot, utf8, &values[i]);
        if (rc) return rc;
    }
    *list = (tern_list){.data = values, .len = e.size, .cap = e.size};
    return 0;
}

static bool all_bools(const uint8_t *bytes, uint32_t n) {
    uint8_t bits = 0;
    for (uint32_t i = 0; i < n; i++) bits |= bytes[i];
    return bits <= 1;
}

/* Numbers that happen to lie aligned are left where they are; C cannot read the others there. */
static int get_number_list(reader *r, entry e, unsigned class, tern_list *list) {
    unsigned width = tern__hybrid_number_bytes(class);
    size_t bytes = (size_t)e.size * width;
    place value = take_value(r, e.offset, bytes, width == 1);
    const uint8_t *from = value.at;
    int rc = value.err;
    if (!rc) rc = count_elements(r, e.size);
    if (rc) return rc;
    if (width == 1 && !all_bools(from, e.size)) return TERN_ERR_MALFORMED;
    if ((uintptr_t)from % width == 0) {
        union {
            const uint8_t *from;
            void *data;
        } borrowed = {from};
        *list = (tern_list){.data = borrowed.data, .len = e.size, .cap = 0};
        return 0;
    }
    void *copy = tern_arena_alloc(r->arena, bytes);
    if (!copy) return TERN_ERR_NOMEM;
    memcpy(copy, from, bytes);
    if (r->rest) r->rest->spent += bytes;
    *list = (tern_list){.data = copy, .len = e.size, .cap = e.size};
    return 0;
}

static int get_object(reader *r, const tern_type *type, uint32_t offset, uint32_t end, uint8_t *msg, uint32_t depth);

static inline __attribute__((always_inline)) int get_object_list(reader *r, const tern_type *type, entry e,
                                                                 tern_list *list, uint32_t depth) {
    int rc = claim(r, e.offset, (uint64_t)e.size * 8);
    if (!rc) rc = count_elements(r, e.size);
    if (rc) return rc;
    uint8_t *element = tern_arena_alloc(r->arena, (size_t)e.size * type->size_bytes);
    if (!element) return TERN_ERR_NOMEM;
    *list = (tern_list){.data = element, .len = e.size, .cap = e.size};
    const uint8_t *slot = r->data + e.offset;
    for (uint32_t i = 0; i < e.size; i++, slot += 8, element += type->size_bytes) {
        entry object = get_entry(slot);
        if (!fits_in_payload(r, object.offset, object.size)) return TERN_ERR_TRUNCATED;
        rc = get_object(r, type, object.offset, object.offset + object.size, element, depth);
        if (rc) return rc;
    }
    return 0;
}

/* The structs lie in one block as those of other lists do; the pointers to them become the list. */
static __attribute__((noinline)) int get_pointer_list(reader *r, const tern_type *type, entry e, tern_list *list,
                                                      uint32_t depth) {
    tern_list structs;
    int rc = get_object_list(r, type, e, &structs, depth);
    if (rc) return rc;
    uint8_t **pointers = tern_arena_alloc(r->arena, structs.len * sizeof *pointers);
    if (!pointers) return TERN_ERR_NOMEM;
    for (size_t i = 0; i < structs.len; i++) pointers[i] = (uint8_t *)structs.data + i * type->size_bytes;
    *list = (tern_list){.data = pointers, .len = structs.len, .cap = structs.len};
    return 0;
}

static int get_sub_object(reader *r, const tern_type *type, entry e, tern_list *pointer, uint32_t depth) {
    int rc = count_elements(r, 1);
    if (rc) return rc;
    if (e.size != 0) return TERN_ERR_MALFORMED;
    void *sub = tern_arena_alloc(r->arena, type->size_bytes);
    if (!sub) return TERN_ERR_NOMEM;
    pointer->data = sub;
    return get_object(r, type, e.offset, r->len, sub, depth);
}

/* The entry at `at` is known to be all there. */
static int get_member(reader *r, const tern_type *type, const tern_field *field, unsigned class, const uint8_t *at,
                      uint8_t *member, uint32_t depth) {
    tern_list *list = (tern_list *)(void *)member;
    bool utf8 = (field->flags & TERN_FIELD_UTF8) != 0;
    switch (class) {
    case TERN__HYBRID_BOOL: {
        uint32_t value = tern__load32(at);
        *member = (uint8_t)value;
        return value > 1 ? TERN_ERR_MALFORMED : 0;
    }
    case TERN__HYBRID_32: memcpy(member, at, 4); return 0;
    case TERN__HYBRID_64: memcpy(member, at, 8); return 0;
    case TERN__HYBRID_BLOB: return get_blob(r, at, utf8, (tern_bytes *)(void *)member);
    case TERN__HYBRID_MSG: return get_sub_object(r, type->subs[field->sub], get_entry(at), list, depth + 1);
    case TERN__HYBRID_BLOB_LIST: return get_blob_list(r, get_entry(at), utf8, list);
    case TERN__HYBRID_MSG_LIST:
        if (holds_pointers(field)) return get_pointer_list(r, type->subs[field->sub], get_entry(at), list, depth + 1);
        return get_object_list(r, type->subs[field->sub], get_entry(at), list, depth + 1);
    case TERN__HYBRID_BOOL_LIST:
    case TERN__HYBRID_32_LIST:
    case TERN__HYBRID_64_LIST: return get_number_list(r, get_entry(at), class, list);
    default: return TERN_ERR_UNSUPPORTED;
    }
}

/* Notes in the struct that the field is set. False for a second member of a oneof: their values share one place. */
static inline bool mark_set(const tern_type *type, const tern_field *field, uint8_t *msg) {
    if (field->flags & TERN_FIELD_HAS) {
        uint8_t *word = msg + type->has_offset + field->has / 32 * 4;
        tern__store32(word, tern__load32(word) | (uint32_t)1 << field->has % 32);
    } else if (field->flags & TERN_FIELD_ONEOF) {
        uint8_t *which = msg + (size_t)field->has * 4;
        if (tern__load32(which) != 0) return false;
        tern__store32(which, field->number);
    }
    return true;
}

/* The fields of an object whose bitmap is at `bitmap` and whose entries lie in [at, end). Numbers that we
 * do not know have entries of unknown width: behind the first of them nothing can be read. That is
 * well as long as nothing that we know follows, which is how schemas grow. */
static int get_fields(reader *r, const tern_type *type, const uint8_t *bitmap, uint32_t n_words, uint32_t at,
                      uint32_t end, uint8_t *msg, uint32_t depth) {
    const tern_field *field = type->fields, *fields_end = tern__hybrid_fields_end(type);
    bool lost = false;
    for (uint32_t w = 0; w < n_words; w++) {
        for (uint32_t word = tern__load32(bitmap + 4 * w); word; word &= word - 1) {
            uint32_t number = w * 32 + (uint32_t)__builtin_ctz(word) + 1;
            while (field < fields_end && field->number < number) field++;
            if (field == fields_end) return 0;
            if (field->number != number) {
                lost = true;
                continue;
            }
            unsigned class = tern__hybrid_class_of(field), bytes = tern__hybrid_entry_bytes(class);
            if (lost) return TERN_ERR_MALFORMED;
            if (bytes > end - at) return TERN_ERR_TRUNCATED;
            if (r->floor < at + bytes) r->floor = at + bytes;
            if (!mark_set(type, field, msg)) return TERN_ERR_MALFORMED;
            int rc = get_member(r, type, field, class, r->data + at, msg + field->offset, depth);
            if (rc) return rc;
            at += bytes;
        }
    }
    return 0;
}

/* A message that is the value of a map's entry is always there for the program, as in protobuf. */
static int fill_map_entry(reader *r, const tern_type *entry_type, uint8_t *msg) {
    const tern_field *value = tern_type_field(entry_type, 2);
    if (!value || tern__hybrid_class_of(value) != TERN__HYBRID_MSG) return 0;
    if (tern__hybrid_has_value(TERN__HYBRID_MSG, msg + value->offset)) return 0;
    const tern_type *sub = entry_type->subs[value->sub];
    int rc = count_elements(r, 1);
    if (rc) return rc;
    if (sub->n_required) return TERN_ERR_MALFORMED;
    void *empty = tern_arena_zalloc(r->arena, sub->size_bytes);
    if (!empty) return TERN_ERR_NOMEM;
    tern__store64(msg + value->offset, (uintptr_t)empty);
    return 0;
}

/* Whether the required fields (proto2) are there. */
static bool is_complete(const tern_type *type, const uint8_t *msg) {
    for (const tern_field *field = type->fields, *end = tern__hybrid_fields_end(type); field < end; field++) {
        bool required = field->flags & TERN_FIELD_REQUIRED;
        if (required && !tern__hybrid_present(field, tern__hybrid_class_of(field), type, msg)) return false;
    }
    return true;
}

/* end <= r->len is the caller's to see to. */
static int get_object(reader *r, const tern_type *type, uint32_t offset, uint32_t end, uint8_t *msg, uint32_t depth) {
    if (depth > r->max_depth) return TERN_ERR_LIMIT;
    if (type->max_number > TERN__HYBRID_MAX_NUMBER && !(type->flags & TERN_TYPE_OBJECT)) return TERN_ERR_UNSUPPORTED;
    memset(msg, 0, type->size_bytes);
    if (offset > end || end - offset < 4) return TERN_ERR_TRUNCATED;
    if (offset < r->floor) return TERN_ERR_MALFORMED;
    uint32_t n_words = tern__load32(r->data + offset);
    if (n_words > TERN__HYBRID_MAX_WORDS) return TERN_ERR_MALFORMED;
    uint32_t entries = offset + 4 + 4 * n_words;
    if (entries > end) return TERN_ERR_TRUNCATED;
    r->floor = entries;
    int rc = get_fields(r, type, r->data + offset + 4, n_words, entries, end, msg, depth);
    if (!rc && type->n_required && !is_complete(type, msg)) rc = TERN_ERR_MALFORMED;
    if (!rc && type->flags & TERN_TYPE_MAP_ENTRY) rc = fill_map_entry(r, type, msg);
    return rc;
}

/* Elsewhere, so that limits of this version cost no more than a comparison. */
static __attribute__((noinline)) int decode_by_foreign_limits(const tern_type *type, const void *data, size_t len,
                                                              tern_arena *arena, const tern_limits *limits, void *msg) {
    tern_limits own;
    limits = tern__limits_read(limits, &own);
    return limits ? tern_hybrid_decode(type, data, len, arena, limits, msg) : TERN_ERR_INVALID;
}

int tern_hybrid_decode(const tern_type *type, const void *data, size_t len, tern_arena *arena,
                       const tern_limits *limits, void *msg) {
    if (!limits)
        limits = &tern__limits_default;
    else if (!tern__sized_is_own(limits, sizeof *limits))
        return decode_by_foreign_limits(type, data, len, arena, limits, msg);
    if (len > limits->max_bytes || len >= TERN__HYBRID_MAX_BYTES) return TERN_ERR_LIMIT;
    reader r = {.data = data,
                .len = (uint32_t)len,
                .values_left = (uint32_t)len,
                .n_elements_left = limits->max_elements,
                .max_depth = limits->max_depth,
                .arena = arena};
    return get_object(&r, type, 0, r.len, msg, 1);
}

/* ---- Pieces -------------------------------------------------------------------------------------- */

/* Puts the pieces that have bytes, and where each starts, into arrays of the arena. */
static int lay_out(input *in, const tern_bytes *pieces, const bool *lent, size_t n, size_t max, tern_arena *arena) {
    size_t total = 0;
    for (size_t i = 0; i < n; i++) {
        if (pieces[i].len > max - total) return TERN_ERR_LIMIT;
        total += pieces[i].len;
    }
    if (total >= TERN__HYBRID_MAX_BYTES) return TERN_ERR_LIMIT;
    if (total == 0) return TERN_ERR_TRUNCATED;
    tern_bytes *own =
        tern_arena_alloc(arena, n * (sizeof *own + sizeof *in->starts + sizeof *lent) + sizeof *in->starts);
    if (!own) return TERN_ERR_NOMEM;
    in->starts = (uint32_t *)(void *)(own + n);
    bool *marks = (bool *)(in->starts + n + 1);
    uint32_t start = 0;
    in->n = 0;
    for (size_t i = 0; i < n; i++) {
        if (pieces[i].len == 0) continue;
        own[in->n] = pieces[i];
        marks[in->n] = lent && lent[i];
        in->starts[in->n++] = start;
        start += (uint32_t)pieces[i].len;
    }
    in->starts[in->n] = start;
    in->pieces = own;
    in->lent = marks;
    in->spent = 0;
    in->is_cut_off = false;
    return 0;
}

int tern__hybrid_decode_pieces(const tern_type *type, const tern_bytes *pieces, const bool *lent, size_t n,
                               tern_arena *arena, const tern_limits *limits, void *msg) {
    enum { LEAST = 4096 };
    tern_limits own;
    input in;
    limits = tern__limits_of(limits, &own);
    if (!limits) return TERN_ERR_INVALID;
    int rc = lay_out(&in, pieces, lent, n, limits->max_bytes, arena);
    if (rc) return rc;
    uint32_t total = in.starts[in.n], len = in.lent[0] ? 0 : in.starts[1];
    const uint8_t *data = in.pieces[0].data;
    for (;;) {
        reader r = {.data = data,
                    .len = len,
                    .values_left = total,
                    .n_elements_left = limits->max_elements,
                    .max_depth = limits->max_depth,
                    .arena = arena,
                    .rest = &in};
        rc = len ? get_object(&r, type, 0, len, msg, 1) : TERN_ERR_TRUNCATED;
        if (rc != TERN_ERR_TRUNCATED || in.is_cut_off || len == total) return rc;
        len = len < LEAST / 2 ? LEAST : 2 * len;
        if (len > total || in.spent >= total) len = total;
        uint8_t *more = tern_arena_alloc(arena, len);
        if (!more) return TERN_ERR_NOMEM;
        gather(&in, 0, len, more);
        data = more;
    }
}

int tern_hybrid_decode_pieces(const tern_type *type, const tern_bytes *pieces, size_t n, tern_arena *arena,
                              const tern_limits *limits, void *msg) {
    if (n == 1) return tern_hybrid_decode(type, pieces->data, pieces->len, arena, limits, msg);
    return tern__hybrid_decode_pieces(type, pieces, NULL, n, arena, limits, msg);
}
