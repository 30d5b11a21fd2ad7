/* Moving the decoder's buffer over the pieces of the input, and keeping bytes of them (protobuf_reader.h). */
#include "codec/protobuf_reader.h"

/* ---- Varints ------------------------------------------------------------------------------------- */

/* Joins the low seven bits of each byte: first pairs, then fours, then all eight. */
static inline uint64_t join_sevens(uint64_t bytes) {
    bytes = (bytes & 0x007f007f007f007f) | (bytes & 0x7f007f007f007f00) >> 1;
    bytes = (bytes & 0x00003fff00003fff) | (bytes & 0x3fff00003fff0000) >> 2;
    return (bytes & 0x0fffffff) | (bytes & 0x0fffffff00000000) >> 4;
}

varint tern__read_long_varint(const uint8_t *p) {
    uint64_t word = tern__load64(p), ends = ~word & 0x8080808080808080;
    if (ends) {
        word &= ends ^ (ends - 1); /* up to the lowest byte that ends a varint */
        return (varint){p + (unsigned)__builtin_ctzll(ends) / 8 + 1, join_sevens(word)};
    }
    uint64_t value = join_sevens(word) | (uint64_t)p[8] << 56;
    if (p[8] < 0x80) return (varint){p + 9, value};
    value = (value & (UINT64_MAX >> 1)) | (uint64_t)p[9] << 63;
    return (varint){p[9] < 0x80 ? p + 10 : NULL, value};
}

varint tern__read_long_tag(const uint8_t *p) {
    varint v = tern__read_long_varint(p);
    if (v.p && v.p - p > TAG_MAX_BYTES) v.p = NULL;
    return v;
}

varint tern__read_long_length(const uint8_t *p) {
    varint v = tern__read_long_varint(p);
    if (v.p && (v.p - p > TAG_MAX_BYTES || v.value > INT32_MAX - SLOP)) v.p = NULL;
    return v;
}

/* ---- The buffer ---------------------------------------------------------------------------------- */

/* Copies the bytes from a position in the current piece on, as far as there are pieces and at most len. */
static size_t gather_pieces(const reader *r, size_t position, uint8_t *out, size_t len) {
    size_t done = 0, skip = position - r->piece_start;
    for (size_t i = r->piece; i < r->n_pieces && done < len; i++, skip = 0) {
        size_t n = r->pieces[i].len - skip;
        if (n > len - done) n = len - done;
        if (n) memcpy(out + done, (const uint8_t *)r->pieces[i].data + skip, n);
        done += n;
    }
    return done;
}

/* Makes the piece that holds a position the current one; at the end of the input the last one stays so. */
OUT_OF_LINE static void find_piece(reader *r, size_t position) {
    size_t before = r->piece;
    while (position < r->piece_start) r->piece_start -= r->pieces[--r->piece].len;
    while (r->piece + 1 < r->n_pieces && position - r->piece_start >= r->pieces[r->piece].len)
        r->piece_start += r->pieces[r->piece++].len;
    if (r->piece != before) r->kept = r->copy ? NULL : r->pieces[r->piece].data;
}

/* Before the piece that holds a position, now the current one, is read from there on. */
OUT_OF_LINE static bool own_piece(reader *r, size_t position) {
    tern_bytes *piece = &r->foreign[r->piece];
    if (!r->lent[r->piece] || position - r->piece_start == piece->len) return true;
    void *copy = tern_arena_alloc(r->arena, piece->len);
    if (!copy) {
        r->err = TERN_ERR_NOMEM;
        return false;
    }
    piece->data = memcpy(copy, piece->data, piece->len);
    r->lent[r->piece] = false;
    r->kept = piece->data;
    return true;
}

/* The buffer for the last bytes of a piece: they and what follows, gathered. */
OUT_OF_LINE static const uint8_t *gather_patch(reader *r, size_t position) {
    size_t n = gather_pieces(r, position, r->patch, sizeof r->patch);
    memset(r->patch + n, 0, sizeof r->patch - n);
    r->buffer_end = r->patch + (n < SLOP ? n : SLOP);
    return r->patch;
}

/* The same at the end of the input, where no more than SLOP bytes are left: copied with what is before them, since
 * their number is then the same always. */
static const uint8_t *end_patch(reader *r, const tern_bytes *piece, size_t left) {
    memcpy(r->patch, (const uint8_t *)piece->data + piece->len - SLOP, SLOP);
    memset(r->patch + SLOP, 0, SLOP);
    r->buffer_end = r->patch + SLOP;
    return r->patch + SLOP - left;
}

static inline const uint8_t *seek(reader *r, size_t position) {
    if (r->n_pieces > 1) find_piece(r, position);
    if (UNLIKELY(r->lent) && !own_piece(r, position)) return NULL;
    const tern_bytes *piece = &r->pieces[r->piece];
    size_t at = position - r->piece_start, left = piece->len - at;
    const uint8_t *p;
    if (left > SLOP) {
        p = (const uint8_t *)piece->data + at;
        r->buffer_end = p + left - SLOP;
    } else if (r->piece + 1 == r->n_pieces && piece->len >= SLOP) {
        p = end_patch(r, piece, left);
    } else {
        p = gather_patch(r, position);
    }
    r->origin = (uintptr_t)p - position;
    r->view_end = r->kept ? p + left : p;
    r->alias = r->kept ? (intptr_t)((uintptr_t)r->kept + at - (uintptr_t)p) : 0;
    reader_set_limit(r, r->limit);
    return p;
}

const uint8_t *tern__reader_seek(reader *r, size_t position) { return seek(r, position); }

const uint8_t *tern__reader_begin(reader *r, const tern_bytes *pieces, size_t n, size_t max) {
    r->pieces = pieces;
    r->n_pieces = n;
    r->piece = r->piece_start = r->total = 0;
    for (size_t i = 0; i < n; i++) {
        if (pieces[i].len > max - r->total) return reader_fail(r, TERN_ERR_LIMIT);
        r->total += pieces[i].len;
    }
    r->kept = r->copy ? NULL : pieces[0].data;
    r->limit = r->total;
    return seek(r, 0);
}

bool tern__reader_more(reader *r, const uint8_t **p) {
    size_t position = reader_position(r, *p);
    if (position > r->limit) *p = reader_fail_short(r);
    if (position >= r->limit) return false;
    *p = seek(r, position);
    return *p != NULL;
}

const uint8_t *tern__reader_skip(reader *r, const uint8_t *p, size_t len) {
    size_t position = reader_position(r, p) + len;
    return position <= r->limit ? tern__reader_seek(r, position) : reader_fail_short(r);
}

/* ---- Bytes that stay ----------------------------------------------------------------------------- */

/* When values are to be copied, all that is left of a piece is copied at once, by the first of its values: a copy
 * of the whole costs less than many of its parts, and all values together are no longer than it. Both sides begin
 * alike within a cache line, so that neither straddles lines for each vector, and so that memcpy() as a whole is safe
 * from what copy_long() is for: that the target lies a few bytes behind the source in its page. */
static bool keep_piece(reader *r, size_t position) {
    enum { LINE = 64 };
    size_t at = position - r->piece_start, left = r->pieces[r->piece].len - at;
    const uint8_t *data = (const uint8_t *)r->pieces[r->piece].data + at;
    uint8_t *copy = tern_arena_alloc(r->arena, left + LINE);
    if (!copy) return false;
    copy += ((uintptr_t)data - (uintptr_t)copy) % LINE;
    if (left > 0) memcpy(copy, data, left);
    r->kept = (const uint8_t *)((uintptr_t)copy - at);
    return true;
}

const uint8_t *tern__reader_view(reader *r, const uint8_t *p, size_t len, tern_bytes *out) {
    size_t position = reader_position(r, p);
    if (position + len > r->limit) return reader_fail_short(r);
    *out = tern_bytes_of(NULL, len);
    if (len == 0) return p;
    find_piece(r, position);
    if (len <= r->pieces[r->piece].len - (position - r->piece_start)) {
        if (!r->kept && !keep_piece(r, position)) return reader_fail(r, TERN_ERR_NOMEM);
        out->data = r->kept + (position - r->piece_start);
    } else {
        uint8_t *copy = tern_arena_alloc(r->arena, len);
        if (!copy) return reader_fail(r, TERN_ERR_NOMEM);
        gather_pieces(r, position, copy, len);
        out->data = copy;
    }
    return tern__reader_seek(r, position + len);
}

tern_bytes tern__reader_range(const reader *r, size_t position, size_t end, bool *kept) {
    size_t i = r->piece, start = r->piece_start;
    while (position < start) start -= r->pieces[--i].len;
    while (position - start >= r->pieces[i].len) start += r->pieces[i++].len;
    size_t at = position - start, left = r->pieces[i].len - at, n = end - position < left ? end - position : left;
    *kept = (!r->copy || (i == r->piece && r->kept)) && !(r->lent && r->lent[i]);
    const uint8_t *data = r->copy && *kept ? r->kept : r->pieces[i].data;
    return tern_bytes_of((const void *)((uintptr_t)data + at), n);
}
