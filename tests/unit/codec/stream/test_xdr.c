/* XDR: golden bytes from RFC 4506, hostile lengths, records; and whatever libtirpc writes, where it is installed. */
#include "tap.h"
#include "tern/xdr.h"

static void open_on(tern_reader *r, const void *data, size_t n) { tern_reader_init_memory(r, data, n); }

static void xdr__golden_numbers(void) {
    static const uint8_t bytes[] = {
        0xff, 0xff, 0xff, 0xfe, 0xde, 0xad, 0xbe, 0xef, 0x80, 0,    0,    0,    0,    0,    0, 1, 0, 0,
        0,    1,    0x3f, 0x80, 0,    0,    0xc0, 0x09, 0x21, 0xfb, 0x54, 0x44, 0x2d, 0x18, 0, 0, 0, 0,
    };
    tern_reader r;
    open_on(&r, bytes, sizeof bytes);
    CHECK_EQ(tern_xdr_i32(&r), -2);
    CHECK_EQ(tern_xdr_u32(&r), 0xdeadbeefu);
    CHECK_EQ(tern_xdr_i64(&r), INT64_MIN + 1);
    CHECK(tern_xdr_bool(&r));
    CHECK(tern_xdr_f32(&r) == 1.0f);
    CHECK(tern_xdr_f64(&r) == -3.141592653589793);
    CHECK(!tern_xdr_bool(&r));
    CHECK(tern_reader_at_end(&r));
    CHECK_EQ(tern_reader_fini(&r), 0);
}

/* The example of RFC 4506, section 7: a file. */
static void xdr__example_of_the_rfc(void) {
    static const uint8_t bytes[] = {
        0,   0,   0,   9,   's', 'i', 'l', 'l', 'y', 'p', 'r', 'o', 'g', 0, 0, 0, 0,   0,   0,   2,   0,   0,   0, 4,
        'l', 'i', 's', 'p', 0,   0,   0,   4,   'j', 'o', 'h', 'n', 0,   0, 0, 6, '(', 'q', 'u', 'i', 't', ')', 0, 0,
    };
    for (int with_arena = 0; with_arena < 2; with_arena++) {
        tern_reader r;
        tern_arena arena;
        tern_arena_init(&arena, 0, 0);
        tern_arena *a = with_arena ? &arena : NULL;
        open_on(&r, bytes, sizeof bytes);
        tern_str name = tern_xdr_string(&r, 255, a);
        CHECK(name.len == 9 && !memcmp(name.data, "sillyprog", 9));
        CHECK_EQ(tern_xdr_u32(&r), 2);
        tern_str interpreter = tern_xdr_string(&r, 255, a), owner = tern_xdr_string(&r, 32, a);
        CHECK(interpreter.len == 4 && !memcmp(interpreter.data, "lisp", 4));
        CHECK(owner.len == 4 && !memcmp(owner.data, "john", 4));
        tern_bytes data = tern_xdr_opaque(&r, 65535, a);
        CHECK(data.len == 6 && !memcmp(data.data, "(quit)", 6));
        CHECK(tern_reader_at_end(&r));
        CHECK_EQ(tern_reader_fini(&r), 0);
        tern_arena_fini(&arena);
    }
}

static void xdr__what_is_refused(void) {
    static const struct {
        const char *bytes;
        size_t len;
        int err;
    } rows[] = {
        {"\0\0\0\7abcdefg\1", 12, TERN_ERR_MALFORMED}, /* padding that is not zero */
        {"\0\0\0\11abcdefghi\0\0\0", 16, TERN_ERR_LIMIT}, {"\377\377\377\377", 4, TERN_ERR_LIMIT},
        {"\0\0\0\4abc", 7, TERN_ERR_TRUNCATED},           {"\0\0", 2, TERN_ERR_TRUNCATED},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        tern_reader r;
        open_on(&r, rows[i].bytes, rows[i].len);
        CHECK_EQ(tern_xdr_opaque(&r, 8, NULL).len, 0);
        CHECK_EQ(tern_reader_fini(&r), rows[i].err);
    }
    tern_reader r;
    open_on(&r, "\0\0\0\2", 4);
    CHECK(!tern_xdr_bool(&r));
    CHECK_EQ(tern_reader_fini(&r), TERN_ERR_MALFORMED);
}

/* Gives one byte more than it must, so that records are split everywhere. */
typedef struct drip {
    const uint8_t *bytes;
    size_t n, at;
} drip;

static int64_t drip_fill(void *user, uint8_t *to, size_t cap, size_t min) {
    drip *d = user;
    size_t n = min < cap ? min + 1 : min;
    if (n > d->n - d->at) n = d->n - d->at;
    memcpy(to, d->bytes + d->at, n);
    d->at += n;
    return (int64_t)n;
}

static const tern_source_ops drip_ops = {.size = sizeof drip_ops, .fill = drip_fill};

static void records__marks_are_taken_away(void) {
    static const uint8_t bytes[] = {0, 0, 0, 3, 0, 0, 0,    0, 0, 0, 0, 0x80, 0, 0,
                                    5, 7, 0, 0, 0, 8, 0x80, 0, 0, 4, 0, 0,    0, 9};
    for (size_t len = 0; len <= sizeof bytes; len++) {
        drip d = {bytes, len, 0};
        tern_records state;
        tern_reader r;
        CHECK_EQ(tern_reader_init(&r, tern_source_records(&state, (tern_source){&drip_ops, &d}), 64), 0);
        bool good = tern_xdr_u32(&r) == 7 && tern_xdr_u32(&r) == 8;
        bool more = !tern_reader_at_end(&r);
        uint32_t third = more ? tern_xdr_u32(&r) : 0;
        int err = tern_reader_fini(&r);
        CHECK_EQ(good && !err, len == 20 || len == sizeof bytes);
        CHECK_EQ(third, len == sizeof bytes ? 9 : 0);
        if (err) CHECK_EQ(err, TERN_ERR_TRUNCATED);
    }
}

#ifdef HAVE_TIRPC
#include <rpc/xdr.h>

static uint8_t written[20000];
static size_t n_written;

static int keep(void *user, void *data, int n) {
    (void)user;
    memcpy(written + n_written, data, (size_t)n);
    n_written += (size_t)n;
    return n;
}

static int nothing(void *user, void *data, int n) { return (void)user, (void)data, (void)n, -1; }

/* One of everything, then a list of 1,000 doubles, in records of 400 bytes. */
static bool write_by_tirpc(void) {
    XDR x;
    char *name = (char *)(uintptr_t) "tern", blob[5] = {1, 2, 3, 4, 5}, *list;
    int i = -70000;
    u_int u = 4000000000u, n = 1000;
    int64_t l = INT64_MIN;
    uint64_t ul = UINT64_MAX - 1;
    float f = 0.5f;
    double d = 1e300, doubles[1000];
    bool_t yes = 1;
    for (int k = 0; k < 1000; k++) doubles[k] = k * 0.25;
    list = (char *)doubles;
    n_written = 0;
    xdrrec_create(&x, 400, 400, NULL, nothing, keep);
    x.x_op = XDR_ENCODE;
    bool good = xdr_int(&x, &i) && xdr_u_int(&x, &u) && xdr_int64_t(&x, &l) && xdr_uint64_t(&x, &ul) &&
                xdr_float(&x, &f) && xdr_double(&x, &d) && xdr_bool(&x, &yes) && xdr_string(&x, &name, 100) &&
                xdr_opaque(&x, blob, 5) && xdr_array(&x, &list, &n, 1000, sizeof(double), (xdrproc_t)xdr_double) &&
                xdrrec_endofrecord(&x, 1);
    xdr_destroy(&x);
    return good;
}

static void xdr__what_libtirpc_writes(void) {
    CHECK(write_by_tirpc());
    drip d = {written, n_written, 0};
    tern_records state;
    tern_reader r;
    uint8_t blob[5];
    double doubles[1000];
    CHECK_EQ(tern_reader_init(&r, tern_source_records(&state, (tern_source){&drip_ops, &d}), 64), 0);
    CHECK_EQ(tern_xdr_i32(&r), -70000);
    CHECK_EQ(tern_xdr_u32(&r), 4000000000u);
    CHECK_EQ(tern_xdr_i64(&r), INT64_MIN);
    CHECK(tern_xdr_u64(&r) == UINT64_MAX - 1);
    CHECK(tern_xdr_f32(&r) == 0.5f);
    CHECK(tern_xdr_f64(&r) == 1e300);
    CHECK(tern_xdr_bool(&r));
    tern_str s = tern_xdr_string(&r, 100, NULL);
    CHECK(s.len == 4 && !memcmp(s.data, "tern", 4));
    tern_xdr_opaque_fixed(&r, blob, 5);
    CHECK(blob[4] == 5);
    CHECK_EQ(tern_xdr_count(&r, 1000), 1000);
    tern_xdr_f64s(&r, doubles, 1000);
    for (int k = 0; k < 1000; k++) CHECK(doubles[k] == k * 0.25);
    CHECK(tern_reader_at_end(&r));
    CHECK_EQ(tern_reader_fini(&r), 0);
}
#else
static void xdr__what_libtirpc_writes(void) { SKIP("libtirpc is not installed"); }
#endif

TAP_MAIN(TEST(xdr__golden_numbers), TEST(xdr__example_of_the_rfc), TEST(xdr__what_is_refused),
         TEST(records__marks_are_taken_away), TEST(xdr__what_libtirpc_writes))
