/* The input of the protobuf decoder: one or more pieces, read as one.
 *
 * Positions are counted from the begin of the whole input. The decoder reads from a buffer, which is
 *   - the current piece, as long as a position has more than SLOP bytes of it before it, or else
 *   - a patch: the next bytes of this piece and of those after it, gathered, and zeros behind the input's end.
 * Either way SLOP bytes may be read from every address before `buffer_end`: a tag (at most 5 bytes) and a number or
 * length (at most 10) are read without a check. A read past the end of a message, or of the input, is noticed at the
 * next field, before anything else is done: `stop` is where the message or the buffer ends, whichever comes first.
 *
 *   position:    piece_start        limit of the message             piece_start + piece.len
 *                |                  |                                |
 *   address:     p ....... p ...... stop                 buffer_end  |
 *                                                        |<- SLOP -->|
 *
 * Invariant: an address in the buffer is `origin` plus its position. A pointer that a function returns is where
 * reading goes on; NULL means that r->err is set. Lengths are compared with what is left before they are followed. */
#ifndef TERN_CODEC_PROTOBUF_READER_H
#define TERN_CODEC_PROTOBUF_READER_H

#include "codec/wire.h"
#include "tern/codec.h"

#define LIKELY(condition) __builtin_expect(!!(condition), 1)
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)

enum { SLOP = 16 };

typedef struct reader {
    const uint8_t *stop;       /* nearer of the message's end and buffer_end */
    const uint8_t *view_end;   /* up to here the buffer's bytes may be pointed to, `alias` bytes away */
    const uint8_t *buffer_end; /* SLOP bytes before what may be read ends */
    ptrdiff_t alias;
    uintptr_t origin; /* address of position 0, were it in the buffer */
    size_t limit;     /* position where the innermost message with a length ends */
    tern_arena *arena;
    size_t elements_left;
    uint32_t depth_left;
    uint32_t end_tag; /* of the group end that stopped the innermost message, else 0 */
    int err;
    bool copy, drop_unknown;

    const tern_bytes *pieces;
    /* Where others may write to pieces: the pieces once more, to be changed, and which ones. Such a piece is passed
     * over and pointed to, but not read: whoever has to read there makes it ours first, by copying. */
    tern_bytes *foreign;       /* while lent is not NULL */
    bool *lent;                /* NULL: there are none */
    size_t piece, piece_start; /* the current one's index and position */
    const uint8_t *kept; /* where its first byte is, or would be, for as long as the message lives; NULL if not yet */
    size_t n_pieces, total;
    uint8_t patch[2 * SLOP];
} reader;

/* Starts reading; the first address, or NULL when the pieces are longer than max. */
const uint8_t *tern__reader_begin(reader *r, const tern_bytes *pieces, size_t n, size_t max);

/* Makes the buffer begin at a position, which is at most r->total. NULL only when a piece had to be copied for which
 * there is no memory. */
const uint8_t *tern__reader_seek(reader *r, size_t position);

/* The slow sides of reader_more and reader_skip. */
bool tern__reader_more(reader *r, const uint8_t **p);
const uint8_t *tern__reader_skip(reader *r, const uint8_t *p, size_t len);

/* The next len bytes, to be kept in the message, wherever they lie: to those before view_end a pointer will do. */
const uint8_t *tern__reader_view(reader *r, const uint8_t *p, size_t len, tern_bytes *out);

/* The input's bytes from a position on, before `end`, as far as they lie in one piece. *kept says whether they stay
 * valid, and what they are, as long as the message: else they are read once, by copying them. */
tern_bytes tern__reader_range(const reader *r, size_t position, size_t end, bool *kept);

static inline const uint8_t *reader_fail(reader *r, int err) {
    r->err = err;
    return NULL;
}

/* More bytes are needed than there are: the input is cut off, or a length in it lies. */
static inline const uint8_t *reader_fail_short(reader *r) {
    return reader_fail(r, r->limit == r->total ? TERN_ERR_TRUNCATED : TERN_ERR_MALFORMED);
}

/* Varints, tags and lengths of three bytes and more. p is NULL when they are none. */
typedef struct varint {
    const uint8_t *p;
    uint64_t value;
} varint;
varint tern__read_long_varint(const uint8_t *p);
varint tern__read_long_tag(const uint8_t *p);
varint tern__read_long_length(const uint8_t *p);

static inline size_t reader_position(const reader *r, const uint8_t *p) { return (uintptr_t)p - r->origin; }

static inline void reader_set_limit(reader *r, size_t limit) {
    const uint8_t *end = (const uint8_t *)(r->origin + limit);
    r->limit = limit;
    r->stop = limit < (uintptr_t)r->buffer_end - r->origin ? end : r->buffer_end;
}

/* Whether another field begins before the limit, which moves the buffer on where it must. False sets *p to NULL
 * unless the message ends exactly here. */
ALWAYS_INLINE bool reader_more(reader *r, const uint8_t **p) {
    if (LIKELY(*p < r->stop)) return true;
    if (LIKELY(reader_position(r, *p) == r->limit)) return false;
    const uint8_t *at = *p; /* so that the caller's stays in a register */
    bool more = tern__reader_more(r, &at);
    *p = at;
    return more;
}

/* The value of two bytes, the first of which says that another follows. */
ALWAYS_INLINE uint32_t join_two(const uint8_t *p) { return p[0] + ((uint32_t)p[1] << 7) - 0x80; }

ALWAYS_INLINE const uint8_t *read_varint(reader *r, const uint8_t *p, uint64_t *out) {
    if (p[0] < 0x80) {
        *out = p[0];
        return p + 1;
    }
    if (p[1] < 0x80) {
        *out = join_two(p);
        return p + 2;
    }
    varint v = tern__read_long_varint(p);
    *out = v.value;
    return v.p ? v.p : reader_fail(r, TERN_ERR_MALFORMED);
}

/* As protobuf C++ reads it: at most 5 bytes, of which 32 bits count. */
ALWAYS_INLINE const uint8_t *read_tag(reader *r, const uint8_t *p, uint32_t *out) {
    if (LIKELY(p[0] < 0x80)) {
        *out = p[0];
        return p + 1;
    }
    if (LIKELY(p[1] < 0x80)) {
        *out = join_two(p);
        return p + 2;
    }
    varint v = tern__read_long_tag(p);
    *out = (uint32_t)v.value;
    return v.p ? v.p : reader_fail(r, TERN_ERR_MALFORMED);
}

/* As protobuf C++ reads it: at most 5 bytes, below 2^31 - 16. What it measures may end behind the limit. */
ALWAYS_INLINE const uint8_t *read_length(reader *r, const uint8_t *p, size_t *out) {
    if (p[0] < 0x80) {
        *out = p[0];
        return p + 1;
    }
    if (p[1] < 0x80) {
        *out = join_two(p);
        return p + 2;
    }
    varint v = tern__read_long_length(p);
    *out = (size_t)v.value;
    return v.p ? v.p : reader_fail(r, TERN_ERR_MALFORMED);
}

static inline const uint8_t *reader_skip(reader *r, const uint8_t *p, size_t len) {
    return (ptrdiff_t)len <= r->buffer_end - p ? p + len : tern__reader_skip(r, p, len);
}

/* Takes a number of list elements, entries and sub-messages from the limit. */
static inline bool take_elements(reader *r, size_t n) {
    if (n > r->elements_left) {
        r->err = TERN_ERR_LIMIT;
        return false;
    }
    r->elements_left -= n;
    return true;
}

/* A varint as the struct holds it. Each case is a store of its own, which costs less than a store of a width looked
 * up. */
static inline void store_number(unsigned kind, uint64_t value, void *out) {
    switch (kind) {
    case TERN_INT64:
    case TERN_UINT64: tern__store64(out, value); break;
    case TERN_SINT64: tern__store64(out, (uint64_t)unzigzag(value)); break;
    case TERN_SINT32: tern__store32(out, (uint32_t)unzigzag((uint32_t)value)); break;
    case TERN_BOOL: *(uint8_t *)out = value != 0; break;
    default: tern__store32(out, (uint32_t)value); break;
    }
}

/* Whether a field's enum lists a number. A few numbers are compared with all of an enum's, without a jump that depends
 * on them: a search would be every twenty-fifth instruction of decoding HyperProtoBench 2. */
static inline bool enum_lists(const tern_type *type, const tern_field *field, int32_t number) {
    enum { FEW = 8 };
    const tern_enum *e = type->enums[field->sub];
    if (e->n_values > FEW) return tern_enum_name(e, number) != NULL;
    bool found = false;
    for (uint32_t i = 0; i < e->n_values; i++) found |= e->values[i].number == number;
    return found;
}

#endif
