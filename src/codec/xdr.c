/* XDR (tern/xdr.h): big-endian numbers of four and eight bytes. An XDR number is aligned to four, so one of eight bytes
 * is read as two. */
#define TERN_STREAM_ORDER TERN_STREAM_SWAPPED

#include "tern/xdr.h"

enum { UNIT = 4, MARK_BYTES = 4 };

#define LAST_FRAGMENT 0x80000000u

uint32_t tern_xdr_u32(tern_reader *r) { return tern_get_u32(r); }
int32_t tern_xdr_i32(tern_reader *r) { return tern_get_i32(r); }
float tern_xdr_f32(tern_reader *r) { return tern_get_f32(r); }

uint64_t tern_xdr_u64(tern_reader *r) {
    uint64_t high = tern_get_u32(r);
    return high << 32 | tern_get_u32(r);
}

int64_t tern_xdr_i64(tern_reader *r) { return (int64_t)tern_xdr_u64(r); }

double tern_xdr_f64(tern_reader *r) {
    uint64_t bits = tern_xdr_u64(r);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

bool tern_xdr_bool(tern_reader *r) {
    uint32_t value = tern_get_u32(r);
    if (value > 1) tern_reader_fail(r, TERN_ERR_MALFORMED);
    return value == 1 && !r->err;
}

void tern_xdr_u32s(tern_reader *r, uint32_t *out, size_t n) { tern_get_u32s(r, out, n); }
void tern_xdr_f32s(tern_reader *r, float *out, size_t n) { tern_get_f32s(r, out, n); }

/* Eight bytes each, aligned to four: as bytes, then swapped. */
void tern_xdr_u64s(tern_reader *r, uint64_t *out, size_t n) {
    if (!n || r->err) return;
    if (n > SIZE_MAX / sizeof *out) {
        tern_reader_fail(r, TERN_ERR_LIMIT);
        return;
    }
    tern_get_u8s(r, (uint8_t *)out, n * sizeof *out);
    if (!r->err) tern__swap64(out, out, n);
}

void tern_xdr_f64s(tern_reader *r, double *out, size_t n) { tern_xdr_u64s(r, (uint64_t *)(void *)out, n); }

static void skip_padding(tern_reader *r, size_t n) {
    for (; n % UNIT && !r->err; n++)
        if (tern_get_u8(r)) tern_reader_fail(r, TERN_ERR_MALFORMED);
}

void tern_xdr_opaque_fixed(tern_reader *r, void *out, size_t n) {
    tern_get_u8s(r, out, n);
    skip_padding(r, n);
}

uint32_t tern_xdr_count(tern_reader *r, size_t max) {
    uint32_t n = tern_get_u32(r);
    if (n > max) tern_reader_fail(r, TERN_ERR_LIMIT);
    return r->err ? 0 : n;
}

/* With arena NULL the bytes stay in the buffer, so the padding must be there with them: it is read as their tail. */
tern_bytes tern_xdr_opaque(tern_reader *r, size_t max, tern_arena *arena) {
    static const uint8_t zeros[UNIT];
    uint32_t n = tern_xdr_count(r, max), padded = (n + UNIT - 1) / UNIT * UNIT;
    if (padded < n) tern_reader_fail(r, TERN_ERR_LIMIT);
    tern_bytes b = tern__reader_blob(r, r->err ? 0 : padded, false, arena);
    if (b.data && memcmp((const uint8_t *)b.data + n, zeros, padded - n)) {
        tern_reader_fail(r, TERN_ERR_MALFORMED);
        b.data = NULL;
    }
    return (tern_bytes){b.data, b.data ? n : 0};
}

tern_str tern_xdr_string(tern_reader *r, size_t max, tern_arena *arena) {
    tern_bytes b = tern_xdr_opaque(r, max, arena);
    return (tern_str){b.data, b.len};
}

/* ---- Record marking ------------------------------------------------------------------------------- */

/* The next fragment with something in it. 0 at the end of the stream, 1, or an error. */
static int next_fragment(tern_records *s) {
    while (!s->left) {
        uint8_t mark[MARK_BYTES];
        int64_t n = s->inner.ops->fill(s->inner.user, mark, MARK_BYTES, MARK_BYTES);
        if (n < 0) return (int)n;
        if (n == 0 && (s->last || !s->started)) return 0;
        if (n < MARK_BYTES) return TERN_ERR_TRUNCATED;
        uint32_t v = (uint32_t)mark[0] << 24 | (uint32_t)mark[1] << 16 | (uint32_t)mark[2] << 8 | mark[3];
        s->started = true;
        s->last = v & LAST_FRAGMENT;
        s->left = v & ~LAST_FRAGMENT;
    }
    return 1;
}

static int64_t records_fill(void *user, uint8_t *to, size_t cap, size_t min) {
    tern_records *s = user;
    size_t done = 0;
    while (done < min) {
        int more = next_fragment(s);
        if (more < 0) return more;
        if (!more) break;
        size_t want = cap - done < s->left ? cap - done : s->left;
        size_t least = min - done < want ? min - done : want;
        int64_t n = s->inner.ops->fill(s->inner.user, to + done, want, least);
        if (n < 0) return n;
        if ((size_t)n < least) return TERN_ERR_TRUNCATED;
        s->left -= (uint32_t)n;
        done += (size_t)n;
    }
    return (int64_t)done;
}

static void records_fini(void *user) {
    tern_records *s = user;
    if (s->inner.ops->fini) s->inner.ops->fini(s->inner.user);
}

tern_source tern_source_records(tern_records *state, tern_source inner) {
    static const tern_source_ops ops = {.size = sizeof ops, .fill = records_fill, .fini = records_fini};
    *state = (tern_records){.inner = inner};
    return (tern_source){&ops, state};
}
