/* The reader's long ways: padding, filling, arrays and strings that the buffer does not hold, errors. The short ones
 * are in tern/stream.h; addresses and offsets go together as in stream_writer.c. A failed reader has nothing to read,
 * and hands out zeros.
 *
 * Lengths in a stream are claims: memory is taken for what has come, never for what was announced, beyond the
 * reader's maximum not even that. */
#include <stdio.h>

#include "base/sized.h"
#include "tern/stream.h"

enum { PAD_MAX = 7, LIMIT_BEFORE = 8, SOURCE_MIN = 8, DEFAULT_MAX_BYTES = 64 << 20, CHUNK_BYTES = 1 << 20 };

/* [at, end) is there. */
static void set_end(tern_reader *r, const uint8_t *end) {
    uintptr_t skew = ((uintptr_t)end - r->origin) & PAD_MAX;
    r->end = end;
    r->limit = (const uint8_t *)((uintptr_t)end - skew - LIMIT_BEFORE);
}

void tern_reader_fail(tern_reader *r, int err) {
    if (r->err || !err) return;
    r->err = err;
    r->error_at = tern_reader_offset(r);
    r->filled = r->error_at;
    set_end(r, r->at);
}

static size_t rest_of(const tern_reader *r) { return (size_t)(r->end - r->at); }

enum { MISMATCH_CODE = 1, MISMATCH_CONTENT };

static void mismatch(tern_reader *r, uint8_t of, uint32_t want, uint32_t got, uint64_t at) {
    tern_reader_fail(r, TERN_ERR_MALFORMED);
    r->error_at = at;
    r->mismatch = of;
    r->want = want;
    r->got = got;
}

void tern__reader_content(tern_reader *r, uint32_t want, uint32_t got, uint64_t at) {
    mismatch(r, MISMATCH_CONTENT, want, got, at);
}

static void note_read_kind(tern_reader *r, unsigned kind) {
    if (r->kind == kind || r->err) return;
    if (r->kind) {
        tern_reader_fail(r, TERN_ERR_STATE);
        return;
    }
    r->kind = (uint8_t)kind;
    if (r->source.ops) return;
    set_end(r, r->buffer + r->buffer_bytes); /* memory is all there from the first use on */
    r->filled = r->buffer_bytes;
    r->ended = true;
}

static void set_read_buffer(tern_reader *r, uint8_t *buffer, size_t bytes) {
    r->buffer = buffer;
    r->at = buffer;
    r->buffer_bytes = bytes;
    r->origin = (uintptr_t)buffer;
    set_end(r, buffer);
}

int tern_reader_init(tern_reader *r, tern_source source, size_t buffer_bytes) {
    if (!buffer_bytes) buffer_bytes = TERN_STREAM_BUFFER_BYTES;
    if (!tern__sized_is_whole(source.ops, sizeof *source.ops)) source.ops = NULL;
    *r = (tern_reader){.source = source, .max_bytes = DEFAULT_MAX_BYTES};
    if (buffer_bytes < TERN_STREAM_BUFFER_MIN || !source.ops || !source.ops->fill) {
        tern_reader_fail(r, TERN_ERR_INVALID);
        return r->err;
    }
    uint8_t *buffer = tern_alloc(buffer_bytes);
    if (!buffer) {
        tern_reader_fail(r, TERN_ERR_NOMEM);
        return r->err;
    }
    set_read_buffer(r, buffer, buffer_bytes);
    return 0;
}

void tern_reader_init_memory(tern_reader *r, const void *memory, size_t bytes) {
    *r = (tern_reader){.max_bytes = DEFAULT_MAX_BYTES};
    set_read_buffer(r, (uint8_t *)(uintptr_t)memory, bytes);
}

int tern_reader_fini(tern_reader *r) {
    int err = r->err;
    if (r->source.ops && r->source.ops->fini) r->source.ops->fini(r->source.user);
    if (r->source.ops) tern_unref(r->buffer);
    *r = (tern_reader){.err = err ? err : TERN_ERR_CLOSED};
    set_end(r, r->at);
    return err;
}

/* ---- Filling ------------------------------------------------------------------------------------- */

/* Up to cap bytes to `to`, at least min unless the stream ends. Returns how many. */
static size_t fill_from_source(tern_reader *r, uint8_t *to, size_t cap, size_t min) {
    if (r->err || r->ended) return 0;
    int64_t n = r->source.ops->fill(r->source.user, to, cap, min);
    if (n < 0 || n > (int64_t)cap) {
        tern_reader_fail(r, n < 0 ? (int)n : TERN_ERR_IO);
        return 0;
    }
    r->ended = n < (int64_t)min;
    return (size_t)n;
}

/* Make n <= 8 bytes stand in the buffer. False: the stream ends before, or has failed. */
static bool have(tern_reader *r, size_t n) {
    size_t rest = rest_of(r);
    if (rest >= n) return true;
    if (r->err || r->ended) return false;
    uint8_t *front = r->buffer + (tern_reader_offset(r) & PAD_MAX);
    memmove(front, r->at, rest);
    size_t got = fill_from_source(r, front + rest, (size_t)(r->buffer + r->buffer_bytes - front) - rest, n - rest);
    if (r->err) return false;
    r->at = front;
    set_end(r, front + rest + got);
    r->filled += got;
    return rest + got >= n;
}

static bool need(tern_reader *r, size_t n) {
    if (have(r, n)) return true;
    tern_reader_fail(r, TERN_ERR_TRUNCATED);
    return false;
}

static bool skip_pad(tern_reader *r, size_t size) {
    size_t n = (r->origin - (uintptr_t)r->at) & (size - 1);
    if (!need(r, n)) return false;
    r->at += n;
    return true;
}

bool tern_reader_at_end(tern_reader *r) {
    if (r->err) return true;
    if (!r->kind && !r->source.ops) return r->buffer_bytes == 0;
    return !have(r, 1);
}

/* ---- Pieces -------------------------------------------------------------------------------------- */

const void *tern__reader_room(tern_reader *r, size_t size, unsigned kind) {
    note_read_kind(r, kind);
    if (!skip_pad(r, size) || !need(r, size)) return &r->spare;
    const void *p = r->at;
    r->at += size;
    return p;
}

bool tern__reader_code(tern_reader *r, unsigned code, unsigned kind) {
    unsigned got = *(const uint8_t *)tern__reader_room(r, 1, kind);
    if (r->err) return false;
    if (got != code) mismatch(r, MISMATCH_CODE, code, got, tern_reader_offset(r) - 1);
    return got == code;
}

bool tern__reader_count(tern_reader *r, size_t n, uint32_t got) {
    if (!r->err && got != n) tern_reader_fail(r, TERN_ERR_MALFORMED);
    return !r->err;
}

bool tern__reader_preamble(tern_reader *r, unsigned kind) {
    bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    const uint8_t *p = tern__reader_room(r, 4, kind);
    if (r->err) return false;
    bool codes = p[3] & TERN__PREAMBLE_CODES;
    if (p[0] != 'X' || p[1] != 'B' || p[3] & ~(TERN__PREAMBLE_BIG | TERN__PREAMBLE_CODES)) {
        tern_reader_fail(r, TERN_ERR_MALFORMED);
    } else if (p[2] != 1) {
        tern_reader_fail(r, TERN_ERR_VERSION);
    } else {
        r->swapped = (p[3] & TERN__PREAMBLE_BIG) != (big ? TERN__PREAMBLE_BIG : 0);
        bool expected = (kind & TERN__KIND_SWAPPED) != 0;
        bool settled = kind & TERN__KIND_PEER || r->swapped == expected;
        if (!settled || codes != ((kind & TERN__KIND_CODES) != 0)) tern_reader_fail(r, TERN_ERR_UNSUPPORTED);
    }
    return !r->err;
}

/* n bytes to out: what the buffer has, then whole pieces straight from the source while much is missing. */
static bool copy_out(tern_reader *r, uint8_t *out, size_t n) {
    while (n) {
        size_t some = rest_of(r);
        if (some > n) some = n;
        if (some) memcpy(out, r->at, some);
        r->at += some;
        out += some;
        n -= some;
        if (n < r->buffer_bytes) {
            if (n && !need(r, n < SOURCE_MIN ? n : SOURCE_MIN)) return false;
            continue;
        }
        size_t got = fill_from_source(r, out, n, SOURCE_MIN);
        r->filled += got;
        out += got;
        n -= got;
        if (!got) {
            tern_reader_fail(r, TERN_ERR_TRUNCATED);
            return false;
        }
        r->at = r->buffer + (r->filled & PAD_MAX);
        set_end(r, r->at);
    }
    return true;
}

void tern__reader_array(tern_reader *r, void *out, size_t n, size_t size, unsigned kind, bool swap) {
    note_read_kind(r, kind);
    if (n > SIZE_MAX / size) tern_reader_fail(r, TERN_ERR_LIMIT);
    if (r->err || !skip_pad(r, size) || !copy_out(r, out, n * size)) return;
    if (swap) tern__copy_numbers(out, out, n, size, true);
}

/* Strings whose bytes have not come yet grow with them. */
static uint8_t *collect_string(tern_reader *r, size_t len, tern_arena *arena) {
    size_t cap = len < CHUNK_BYTES ? len : CHUNK_BYTES, n = 0;
    uint8_t *out = tern_arena_alloc(arena, cap);
    while (out) {
        if (!copy_out(r, out + n, cap - n)) return NULL;
        if (cap == len) return out;
        n = cap;
        cap = 2 * cap < len ? 2 * cap : len;
        uint8_t *more = tern_arena_alloc(arena, cap);
        if (more) memcpy(more, out, n);
        out = more;
    }
    tern_reader_fail(r, TERN_ERR_NOMEM);
    return NULL;
}

/* len bytes that stay where they are, in memory or the buffer. */
static const uint8_t *in_place(tern_reader *r, size_t len) {
    if (len > rest_of(r) && r->source.ops) {
        size_t skew = tern_reader_offset(r) & PAD_MAX;
        if (len > r->buffer_bytes - skew) {
            tern_reader_fail(r, TERN_ERR_LIMIT);
            return NULL;
        }
        uint8_t *front = r->buffer + skew;
        size_t rest = rest_of(r);
        memmove(front, r->at, rest);
        r->at = front;
        set_end(r, front + rest);
        while (rest < len && !r->err && !r->ended) {
            size_t min = len - rest < SOURCE_MIN ? len - rest : SOURCE_MIN;
            size_t got = fill_from_source(r, front + rest, r->buffer_bytes - skew - rest, min);
            rest += got;
            r->filled += got;
            if (!r->err) set_end(r, front + rest);
        }
    }
    if (!r->err && len > rest_of(r)) tern_reader_fail(r, TERN_ERR_TRUNCATED);
    if (r->err) return NULL;
    const uint8_t *p = r->at;
    r->at += len;
    return p;
}

tern_bytes tern__reader_blob(tern_reader *r, uint32_t len, bool nul, tern_arena *arena) {
    tern_bytes none = {0};
    if (r->err) return none;
    if (nul && !len) {
        tern_reader_fail(r, TERN_ERR_MALFORMED);
        return none;
    }
    if (len > r->max_bytes) {
        tern_reader_fail(r, TERN_ERR_LIMIT);
        return none;
    }
    if (!len) return none;
    bool here = !r->source.ops && len > rest_of(r);
    if (here) tern_reader_fail(r, TERN_ERR_TRUNCATED); /* before memory is taken for it */
    const uint8_t *p = r->err ? NULL : arena ? collect_string(r, len, arena) : in_place(r, len);
    if (!p) return none;
    if (nul && p[len - 1]) {
        tern_reader_fail(r, TERN_ERR_MALFORMED);
        return none;
    }
    return (tern_bytes){p, len - nul};
}

/* ---- By type codes alone -------------------------------------------------------------------------- */

enum { ANY_KIND = TERN__KIND_USED | TERN__KIND_CODES | TERN__KIND_PEER, PREAMBLE_ALIGN = 4 };

/* The size of a number, alone or in an array; 0 for what is none. */
static size_t number_bytes(unsigned code) {
    switch (code & ~(unsigned)TERN_CODE_ARRAY) {
#define NUMBER(name, type, bits, code)                                                                                 \
    case code: return bits / 8;
        TERN_STREAM_NUMBERS(NUMBER)
#undef NUMBER
    default: return 0;
    }
}

static uint32_t any_u32(tern_reader *r) {
    uint32_t x;
    memcpy(&x, tern__reader_room(r, sizeof x, ANY_KIND), sizeof x);
    return r->swapped ? __builtin_bswap32(x) : x;
}

bool tern_get_piece(tern_reader *r, tern_arena *arena, tern_piece *piece) {
    note_read_kind(r, ANY_KIND);
    while (have(r, 1) && !*r->at && tern_reader_offset(r) % PREAMBLE_ALIGN) r->at++; /* before a preamble */
    if (!have(r, 1)) return false;
    unsigned code = *r->at;
    *piece = (tern_piece){.code = code, .offset = tern_reader_offset(r), .n = 1};
    if (code == TERN_CODE_PREAMBLE) {
        piece->n = tern__reader_preamble(r, ANY_KIND) ? any_u32(r) : 0;
        return !r->err;
    }
    r->at++;
    if (code == TERN_CODE_str || code == TERN_CODE_bytes) {
        uint32_t len = any_u32(r);
        piece->bytes = tern__reader_blob(r, len, code == TERN_CODE_str, arena);
    } else if (number_bytes(code) == 0) {
        tern_reader_fail(r, TERN_ERR_MALFORMED);
    } else if (code & TERN_CODE_ARRAY) {
        piece->n = any_u32(r);
    }
    return !r->err;
}

void tern_get_values(tern_reader *r, tern_piece *piece, void *out, size_t n) {
    size_t size = number_bytes(piece->code);
    if (!size || n > piece->n) {
        tern_reader_fail(r, TERN_ERR_INVALID);
        return;
    }
    if (!n) return;
    piece->n -= (uint32_t)n;
    tern__reader_array(r, out, n, size, ANY_KIND, r->swapped && size > 1);
}

/* ---- Words about it ------------------------------------------------------------------------------ */

const char *tern_code_name(unsigned code) {
    switch (code) {
#define NUMBER(name, type, bits, code)                                                                                 \
    case code: return #name;                                                                                           \
    case TERN_CODE_ARRAY + (code): return "array of " #name;
        TERN_STREAM_NUMBERS(NUMBER)
#undef NUMBER
    case TERN_CODE_str: return "string";
    case TERN_CODE_bytes: return "bytes";
    default: return "no type code";
    }
}

const char *tern_reader_explain(const tern_reader *r, char *out, size_t cap) {
    unsigned long long at = r->error_at;
    if (!r->err)
        snprintf(out, cap, "no error");
    else if (!r->mismatch)
        snprintf(out, cap, "%s, at offset %llu", tern_strerror(r->err), at);
    else if (r->mismatch == MISMATCH_CODE)
        snprintf(out, cap, "%s was read where %s was written, at offset %llu", tern_code_name(r->want),
                 tern_code_name(r->got), at);
    else
        snprintf(out, cap, "a stream of content %u was expected, and %u is announced, at offset %llu", r->want, r->got,
                 at);
    return out;
}
