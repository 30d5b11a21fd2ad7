/* Writers and readers: the bytes, every split between flushes and fills, partial sinks and sources, all orders of
 * bytes, and what is wrong with a stream. */
#include "every_all.h"
#include "tap.h"
#include "tern/stream.h"

typedef void every_put_fn(tern_writer *w);
typedef bool every_get_fn(tern_reader *r, tern_arena *arena);

static const struct setting {
    const char *name;
    every_put_fn *put;
    every_get_fn *get;
} settings[] = {
#define SETTING_ROW(name) {#name, every_put_##name, every_get_##name},
    EVERY_SETTINGS(SETTING_ROW)};

enum { N_SETTINGS = sizeof settings / sizeof *settings };

/* What `put` writes, to memory. */
static size_t reference(const struct setting *s, uint8_t *out, size_t cap) {
    tern_writer w;
    tern_writer_init_memory(&w, out, cap);
    s->put(&w);
    size_t n = tern_writer_memory(&w).len;
    return tern_writer_fini(&w) ? 0 : n;
}

/* ---- A sink and a source of a script: how much each call takes or gives ----------------------------- */

typedef struct script {
    uint8_t bytes[2048];
    size_t n, at; /* bytes there; bytes given */
    size_t step;  /* taken or given beyond what must be; 0: only what must be */
    size_t n_calls, max_min, n_posts;
    size_t fail_at; /* fail once this many bytes have passed */
} script;

static int64_t script_flush(void *user, const uint8_t *data, size_t n, size_t min) {
    script *s = user;
    size_t take = min + s->step < n ? min + s->step : n;
    s->n_calls++;
    if (min > s->max_min) s->max_min = min;
    if (s->fail_at && s->n >= s->fail_at) return TERN_ERR_CLOSED;
    if (take > sizeof s->bytes - s->n) return TERN_ERR_FULL;
    memcpy(s->bytes + s->n, data, take);
    s->n += take;
    return (int64_t)take;
}

static int script_post(void *user, const void *data, size_t n) {
    script *s = user;
    if (n > sizeof s->bytes - s->n) return TERN_ERR_FULL;
    memcpy(s->bytes + s->n, data, n);
    s->n += n;
    s->n_posts++;
    return 0;
}

static int64_t script_fill(void *user, uint8_t *to, size_t cap, size_t min) {
    script *s = user;
    size_t give = min + s->step < cap ? min + s->step : cap;
    if (give > s->n - s->at) give = s->n - s->at;
    s->n_calls++;
    if (min > s->max_min) s->max_min = min;
    memcpy(to, s->bytes + s->at, give);
    s->at += give;
    return (int64_t)give;
}

static const tern_sink_ops script_sink = {.size = sizeof script_sink, .flush = script_flush};
static const tern_sink_ops script_posting = {
    .size = sizeof script_posting, .flush = script_flush, .post = script_post, .post_min = 64};
static const tern_sink_ops script_posting_registered = {.size = sizeof script_posting_registered,
                                                        .flush = script_flush,
                                                        .post = script_post,
                                                        .post_min = 64,
                                                        .post_registered_only = true};
static const tern_source_ops script_source = {.size = sizeof script_source, .fill = script_fill};

/* ---- Bytes ---------------------------------------------------------------------------------------- */

static void put__golden_bytes_native(void) {
    static const uint8_t golden[] = {
        'X',  'B',  1,    0,    7,    0,    0,    0,                                   /* preamble, content 7 */
        0xab, 0,    0x34, 0x12, 0xfb, 0,    0,    0,                                   /* u8, u16, i8, padding */
        0x90, 0xee, 0xfe, 0xff, 0,    0,    0,    0,                                   /* i32, padding */
        0xef, 0xcd, 0xab, 0x89, 0x67, 0x45, 0x23, 0x01, 3, 0, 0, 0,    'p', 'i', 0, 0, /* u64; string, padding */
        0x18, 0x2d, 0x44, 0x54, 0xfb, 0x21, 0x09, 0x40, 3, 0, 0, 0,    0,   1,   2, 0, /* f64; bytes, padding */
        0xfe, 0xff, 0,    0,    0xef, 0xbe, 0xad, 0xde,                                /* i16, u32 */
        0,    0,    0,    0,    0,    0,    0,    0x80, 0, 0, 0, 0x3f,                 /* i64, f32 */
        1,    0,    0x34, 0x12, 0xff, 0xff,                                            /* u16 array */
    };
    uint8_t out[1024];
    CHECK(reference(&settings[0], out, sizeof out) > sizeof golden);
    CHECK_MEM(out, golden, sizeof golden);
}

static void put__golden_bytes_of_a_big_endian_peer(void) {
    static const uint8_t golden[] = {
        'X',  'B',  1,    1,    0,   0,   0, 7, 0xab, 0,    0x12, 0x34, 0xfb, 0,    0,    0,
        0xff, 0xfe, 0xee, 0x90, 0,   0,   0, 0, 0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef,
        0,    0,    0,    3,    'p', 'i', 0, 0, 0x40, 0x09, 0x21, 0xfb, 0x54, 0x44, 0x2d, 0x18,
    };
    uint8_t out[1024];
    CHECK(reference(&settings[1], out, sizeof out) > sizeof golden);
    CHECK_MEM(out, golden, sizeof golden);
}

static void put__golden_bytes_with_type_codes(void) {
    tern_writer w;
    uint8_t out[1024];
    static const uint8_t head[] = {'X',  'B',  1, 2,    7, 0, 0, 0, 1,    0xab, 3,    0,
                                   0x34, 0x12, 2, 0xfb, 6, 0, 0, 0, 0x90, 0xee, 0xfe, 0xff};
    tern_writer_init_memory(&w, out, sizeof out);
    every_put_codes(&w);
    CHECK(tern_writer_memory(&w).len > sizeof head);
    CHECK_MEM(out, head, sizeof head);
    CHECK_EQ(tern_writer_fini(&w), 0);
}

/* ---- Round trips ---------------------------------------------------------------------------------- */

static void get__what_every_setting_put(void) {
    uint8_t out[1024];
    for (size_t i = 0; i < N_SETTINGS; i++) {
        size_t n = reference(&settings[i], out, sizeof out);
        CHECK(n > 0);
        tern_reader r;
        tern_arena arena;
        tern_arena_init(&arena, 0, 0);
        tern_reader_init_memory(&r, out, n);
        CHECK(settings[i].get(&r, &arena));
        CHECK(tern_reader_at_end(&r));
        CHECK_EQ(tern_reader_offset(&r), n);
        CHECK_EQ(tern_reader_fini(&r), 0);
        tern_arena_fini(&arena);
    }
}

static void get__reader_makes_right(void) {
    uint8_t out[1024];
    for (size_t i = 0; i < 2; i++) {
        size_t n = reference(&settings[i], out, sizeof out);
        tern_reader r;
        tern_reader_init_memory(&r, out, n);
        CHECK(every_get_peer(&r, NULL));
        CHECK_EQ(tern_reader_fini(&r), 0);
    }
}

static void put__memory_of_any_alignment(void) {
    uint8_t want[1024], shifted[1024 + 8];
    size_t n = reference(&settings[0], want, sizeof want);
    for (size_t shift = 0; shift < 8; shift++) {
        CHECK_EQ(reference(&settings[0], shifted + shift, 1024), n);
        CHECK_MEM(shifted + shift, want, n);
        tern_reader r;
        tern_reader_init_memory(&r, shifted + shift, n);
        CHECK(every_get_native(&r, NULL));
        CHECK_EQ(tern_reader_fini(&r), 0);
    }
}

/* Each size of the buffer moves the splits, each step of the sink changes what is left over. */
static void put__every_split(void) {
    for (size_t i = 0; i < N_SETTINGS; i++) {
        uint8_t want[1024];
        size_t n = reference(&settings[i], want, sizeof want);
        for (size_t buffer = 64; buffer < n + 16; buffer++)
            for (size_t step = 0; step < 80; step += 1 + step / 8) {
                script s = {.step = step};
                tern_writer w;
                CHECK_EQ(tern_writer_init(&w, (tern_sink){&script_sink, &s}, buffer), 0);
                settings[i].put(&w);
                CHECK_EQ(tern_writer_offset(&w), n);
                CHECK_EQ(tern_writer_fini(&w), 0);
                CHECK_EQ(s.n, n);
                CHECK_MEM(s.bytes, want, n);
                CHECK(s.max_min <= 8);
            }
    }
}

static void get__every_split(void) {
    for (size_t i = 0; i < N_SETTINGS; i++) {
        script s = {0};
        s.n = reference(&settings[i], s.bytes, sizeof s.bytes);
        for (size_t buffer = 64; buffer < s.n + 16; buffer++)
            for (size_t step = 0; step < 80; step += 1 + step / 8) {
                tern_reader r;
                tern_arena arena;
                tern_arena_init(&arena, 0, 0);
                s.at = s.max_min = 0;
                s.step = step;
                CHECK_EQ(tern_reader_init(&r, (tern_source){&script_source, &s}, buffer), 0);
                CHECK(settings[i].get(&r, buffer & 1 ? &arena : NULL));
                CHECK(tern_reader_at_end(&r));
                CHECK_EQ(tern_reader_fini(&r), 0);
                CHECK(s.max_min <= 8);
                tern_arena_fini(&arena);
            }
    }
}

static void put__flush_at_every_point(void) {
    uint8_t want[64];
    for (uint64_t mask = 0; mask < 64; mask++) {
        script s = {0};
        tern_writer w, m;
        tern_writer_init_memory(&m, want, sizeof want);
        CHECK_EQ(tern_writer_init(&w, (tern_sink){&script_sink, &s}, 64), 0);
        for (uint32_t i = 0; i < 6; i++) {
            tern_put_u8(&w, (uint8_t)i), tern_put_u8(&m, (uint8_t)i);
            if (i & 1) tern_put_u32(&w, i), tern_put_u32(&m, i);
            if (mask >> i & 1) CHECK_EQ(tern_writer_flush(&w), 0);
        }
        size_t n = tern_writer_memory(&m).len;
        CHECK_EQ(tern_writer_fini(&w), 0);
        CHECK_EQ(s.n, n);
        CHECK_MEM(s.bytes, want, n);
        tern_writer_fini(&m);
    }
}

/* ---- Large pieces --------------------------------------------------------------------------------- */

static void put__large_arrays_are_posted(void) {
    static double values[20];
    for (size_t i = 0; i < 20; i++) values[i] = (double)i;
    script s = {.step = 1000};
    tern_writer w;
    CHECK_EQ(tern_writer_init(&w, (tern_sink){&script_posting, &s}, 64), 0);
    tern_put_u8(&w, 1);
    tern_put_f64s(&w, values, 20);
    tern_put_u8(&w, 2);
    tern_put_u32(&w, 3);
    tern_put_f64s(&w, values, 7); /* 56 bytes: below post_min */
    CHECK_EQ(tern_writer_fini(&w), 0);
    CHECK_EQ(s.n_posts, 1);
    CHECK_EQ(s.n, 8 + 160 + 8 + 56);
    CHECK_MEM(s.bytes + 8, values, 160);
    CHECK_EQ(s.bytes[168], 2);
    CHECK_EQ(s.bytes[172], 3);
    CHECK_MEM(s.bytes + 176, values, 56);
}

static void put__posts_only_registered_memory_if_asked(void) {
    static double values[20];
    double *registered = tern_alloc(sizeof values);
    script s = {.step = 1000};
    tern_writer w;
    memset(registered, 1, sizeof values);
    CHECK_EQ(tern_writer_init(&w, (tern_sink){&script_posting_registered, &s}, 64), 0);
    tern_put_f64s(&w, values, 20);
    tern_put_f64s(&w, registered, 20);
    CHECK_EQ(tern_writer_fini(&w), 0);
    CHECK_EQ(s.n_posts, 1);
    CHECK_EQ(s.n, 320);
    CHECK_MEM(s.bytes + 160, registered, 160);
    tern_unref(registered);
}

static void get__large_arrays_bypass_the_buffer(void) {
    script s = {.n = 2000, .step = 4000};
    for (size_t i = 0; i < s.n; i++) s.bytes[i] = (uint8_t)(i * 7);
    tern_reader r;
    uint8_t out[1999];
    CHECK_EQ(tern_reader_init(&r, (tern_source){&script_source, &s}, 64), 0);
    CHECK_EQ(tern_get_u8(&r), 0);
    tern_get_u8s(&r, out, sizeof out);
    CHECK_MEM(out, s.bytes + 1, sizeof out);
    CHECK(s.n_calls <= 3);
    CHECK(tern_reader_at_end(&r));
    CHECK_EQ(tern_reader_fini(&r), 0);
}

static void put__pool_memory_grows_to_its_maximum(void) {
    tern_writer w;
    CHECK_EQ(tern_writer_init_pool(&w, 10000), 0);
    for (uint32_t i = 0; i < 2500; i++) tern_put_u32(&w, i);
    tern_bytes b = tern_writer_memory(&w);
    CHECK_EQ(b.len, 10000);
    CHECK(tern_in_pool(b.data));
    for (uint32_t i = 0; i < 2500; i++) CHECK(!memcmp((const char *)b.data + 4 * i, &i, 4));
    tern_put_u8(&w, 1);
    CHECK_EQ(tern_writer_fini(&w), TERN_ERR_FULL);
}

static void put__pool_memory_takes_one_large_array(void) {
    static uint8_t big[300000];
    tern_writer w;
    CHECK_EQ(tern_writer_init_pool(&w, 0), 0);
    memset(big, 5, sizeof big);
    tern_put_u8s(&w, big, sizeof big);
    CHECK_EQ(tern_writer_memory(&w).len, sizeof big);
    CHECK_MEM(tern_writer_memory(&w).data, big, sizeof big);
    CHECK_EQ(tern_writer_fini(&w), 0);
}

/* ---- What goes wrong ------------------------------------------------------------------------------ */

static void put__errors_stick(void) {
    script s = {.fail_at = 64, .step = 1000};
    tern_writer w;
    CHECK_EQ(tern_writer_init(&w, (tern_sink){&script_sink, &s}, 64), 0);
    for (int i = 0; i < 1000; i++) tern_put_u64(&w, 1), tern_put_u8(&w, 1);
    tern_put_str(&w, (tern_str){"abc", 3});
    tern_put_f64s(&w, (const double[]){1, 2}, 2);
    CHECK_EQ(tern_writer_flush(&w), TERN_ERR_CLOSED);
    CHECK_EQ(tern_writer_fini(&w), TERN_ERR_CLOSED);
    CHECK_EQ(s.n_calls, 2);
    tern_put_u64(&w, 1); /* after the end, too */
    CHECK(w.err);
}

static void put__memory_is_full(void) {
    uint8_t out[13];
    tern_writer w;
    tern_writer_init_memory(&w, out, sizeof out);
    tern_put_u64(&w, 1);
    CHECK_EQ(w.err, 0);
    tern_put_u64(&w, 2);
    CHECK_EQ(w.err, TERN_ERR_FULL);
    CHECK(!tern_writer_memory(&w).data);
    CHECK_EQ(tern_writer_fini(&w), TERN_ERR_FULL);
}

static void get__truncated_at_every_byte(void) {
    uint8_t out[1024];
    for (size_t i = 0; i < N_SETTINGS; i++) {
        size_t n = reference(&settings[i], out, sizeof out);
        for (size_t len = 0; len < n; len++) {
            uint8_t *copy = malloc(len ? len : 1);
            if (len) memcpy(copy, out, len);
            tern_reader r;
            tern_arena arena;
            tern_arena_init(&arena, 0, 0);
            tern_reader_init_memory(&r, copy, len);
            bool same = settings[i].get(&r, len & 1 ? &arena : NULL);
            int err = tern_reader_fini(&r);
            tern_arena_fini(&arena);
            free(copy);
            CHECK(!same);
            CHECK_EQ(err, TERN_ERR_TRUNCATED);
        }
    }
}

static void get__strings_have_bounds(void) {
    static const uint8_t huge[] = {0xff, 0xff, 0xff, 0xff, 'a'}, no_nul[] = {2, 0, 0, 0, 'a', 'b'},
                         empty[] = {0, 0, 0, 0};
    struct {
        const uint8_t *data;
        size_t len;
        int err;
    } rows[] = {{huge, 5, TERN_ERR_LIMIT}, {no_nul, 6, TERN_ERR_MALFORMED}, {empty, 4, TERN_ERR_MALFORMED}};
    for (size_t i = 0; i < 3; i++) {
        tern_reader r;
        tern_reader_init_memory(&r, rows[i].data, rows[i].len);
        CHECK_EQ(tern_get_str(&r, NULL).len, 0);
        CHECK_EQ(tern_reader_fini(&r), rows[i].err);
    }
    script s = {.n = 5, .step = 100};
    memcpy(s.bytes, "\0\0\0\3", 5); /* 48 MB announced, one byte there */
    tern_arena arena;
    tern_reader r;
    tern_arena_init(&arena, 0, 0);
    CHECK_EQ(tern_reader_init(&r, (tern_source){&script_source, &s}, 64), 0);
    CHECK_EQ(tern_get_bytes(&r, &arena).len, 0);
    CHECK_EQ(tern_reader_fini(&r), TERN_ERR_TRUNCATED);
    CHECK(arena.used_bytes <= 4 << 20);
    tern_arena_fini(&arena);
}

static void get__preambles_that_do_not_fit(void) {
    uint8_t out[1024];
    char text[128];
    tern_reader r;
    size_t n = reference(&settings[1], out, sizeof out);
    tern_reader_init_memory(&r, out, n);
    CHECK(!every_get_native(&r, NULL));
    CHECK_EQ(r.err, TERN_ERR_UNSUPPORTED);
    n = reference(&settings[4], out, sizeof out);
    tern_reader_init_memory(&r, out, n);
    CHECK(!every_get_native(&r, NULL));
    CHECK_EQ(r.err, TERN_ERR_UNSUPPORTED);
    n = reference(&settings[0], out, sizeof out);
    tern_reader_init_memory(&r, out, n);
    tern_get_preamble(&r, 9);
    CHECK_EQ(r.err, TERN_ERR_MALFORMED);
    CHECK(
        strstr(tern_reader_explain(&r, text, sizeof text), "content 9 was expected, and 7 is announced, at offset 0"));
    out[2] = 2;
    tern_reader_init_memory(&r, out, n);
    tern_get_preamble(&r, 7);
    CHECK_EQ(r.err, TERN_ERR_VERSION);
    tern_reader_init_memory(&r, "noise at the start", 18);
    tern_get_preamble(&r, 7);
    CHECK_EQ(r.err, TERN_ERR_MALFORMED);
}

static void get__two_settings_are_noticed(void) {
    uint8_t out[1024];
    tern_writer w;
    tern_writer_init_memory(&w, out, sizeof out);
    tern_put_u32(&w, 1);
    every_put_codes(&w);
    CHECK_EQ(tern_writer_fini(&w), TERN_ERR_STATE);
}

/* Type codes for this file's own puts would take another compilation: the wrong type is read through the functions
 * behind the inline ones. */
static void get__wrong_type_names_both_and_the_offset(void) {
    uint8_t out[1024];
    char text[128];
    tern_writer w;
    tern_writer_init_memory(&w, out, sizeof out);
    every_put_codes(&w);
    size_t n = tern_writer_memory(&w).len;
    tern_writer_fini(&w);
    tern_reader r;
    tern_reader_init_memory(&r, out, n);
    const unsigned codes = TERN__KIND_USED | TERN__KIND_CODES;
    CHECK(tern__reader_preamble(&r, codes));
    tern__reader_room(&r, 4, codes);
    CHECK(tern__reader_code(&r, TERN_CODE_u8, codes));
    tern__reader_room(&r, 1, codes);
    CHECK(!tern__reader_code(&r, TERN_CODE_f64, codes));
    CHECK_EQ(r.err, TERN_ERR_MALFORMED);
    CHECK(!strcmp(tern_reader_explain(&r, text, sizeof text), "f64 was read where u16 was written, at offset 10"));
    CHECK_EQ(tern_reader_fini(&r), TERN_ERR_MALFORMED);
}

/* Whatever was written with type codes, in either order, is read by them alone. */
static void piece__reads_what_only_codes_describe(void) {
    static const struct {
        unsigned code;
        uint32_t n;
    } want[] = {{TERN_CODE_PREAMBLE, 7},
                {1, 1},
                {3, 1},
                {2, 1},
                {6, 1},
                {7, 1},
                {TERN_CODE_str, 1},
                {10, 1},
                {TERN_CODE_bytes, 1},
                {4, 1},
                {5, 1},
                {8, 1},
                {9, 1},
                {0x43, 3},
                {0x4a, 40},
                {0x41, 3},
                {0x45, 0},
                {TERN_CODE_str, 1},
                {TERN_CODE_bytes, 1}};
    for (size_t setting = 4; setting < 6; setting++) {
        script s = {.step = 3};
        s.n = reference(&settings[setting], s.bytes, sizeof s.bytes);
        tern_reader r;
        tern_piece p;
        uint64_t values[40];
        CHECK_EQ(tern_reader_init(&r, (tern_source){&script_source, &s}, 64), 0);
        for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
            CHECK(tern_get_piece(&r, NULL, &p));
            CHECK_EQ(p.code, want[i].code);
            CHECK_EQ(p.n, want[i].n);
            if (p.code == TERN_CODE_PREAMBLE || p.code == TERN_CODE_str || p.code == TERN_CODE_bytes) continue;
            tern_get_values(&r, &p, values, p.n);
            if (i == 2) CHECK(!memcmp(values, &(uint16_t){0x1234}, 2));
            if (i == 7) CHECK(!memcmp(values, &(double){3.141592653589793}, 8));
        }
        CHECK(!tern_get_piece(&r, NULL, &p));
        CHECK_EQ(tern_reader_fini(&r), 0);
    }
}

static void piece__refuses_what_is_no_code(void) {
    tern_reader r;
    tern_piece p;
    uint8_t out[1024];
    tern_reader_init_memory(&r, "\1\5\15", 3);
    CHECK(tern_get_piece(&r, NULL, &p));
    tern_get_values(&r, &p, out, 1);
    CHECK(!tern_get_piece(&r, NULL, &p));
    CHECK_EQ(tern_reader_fini(&r), TERN_ERR_MALFORMED);
    tern_reader_init_memory(&r, out, reference(&settings[0], out, sizeof out));
    CHECK(!tern_get_piece(&r, NULL, &p));
    CHECK_EQ(tern_reader_fini(&r), TERN_ERR_UNSUPPORTED);
    tern_reader_init_memory(&r, "\1\5", 2);
    CHECK(tern_get_piece(&r, NULL, &p));
    tern_get_values(&r, &p, out, 2);
    CHECK_EQ(tern_reader_fini(&r), TERN_ERR_INVALID);
}

static void swap__every_length_and_alignment(void) {
    uint8_t from[400], to[400];
    for (size_t i = 0; i < sizeof from; i++) from[i] = (uint8_t)(i * 31 + 7);
    for (size_t size = 2; size <= 8; size *= 2)
        for (size_t n = 0; n * size <= 300; n++)
            for (size_t shift = 0; shift < 3; shift++) {
                void (*swap)(void *, const void *, size_t) = size == 2   ? tern__swap16
                                                             : size == 4 ? tern__swap32
                                                                         : tern__swap64;
                memset(to, 0, sizeof to);
                swap(to + shift, from + 2 * shift, n);
                for (size_t i = 0; i < n * size; i++) CHECK_EQ(to[shift + i], from[2 * shift + (i ^ (size - 1))]);
                CHECK_EQ(to[shift + n * size], 0);
                swap(to + shift, to + shift, n);
                CHECK_MEM(to + shift, from + 2 * shift, n * size);
            }
}

static void copy__every_length_and_alignment(void) {
    static const size_t lengths[] = {TERN__COPY_BULK_MIN, 1025, 1055, 1151, 1152, 1153, 4096, 65535, 262144, 262145};
    enum { MARGIN = 64, MOST = 262145 + 2 * MARGIN };
    uint8_t *from = malloc(MOST), *to = malloc(MOST);
    for (size_t i = 0; i < MOST; i++) from[i] = (uint8_t)(i * 31 >> 3);
    size_t n_bad = 0;
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++)
        for (size_t shift = 0; shift < MARGIN; shift += lengths[k] < 2000 ? 1 : 7) {
            size_t n = lengths[k], at = MARGIN - shift;
            memset(to, 0xee, n + 2 * MARGIN);
            tern__copy_bulk(to + at, from + shift / 3, n);
            n_bad += memcmp(to + at, from + shift / 3, n) != 0;
            for (size_t i = 0; i < at; i++) n_bad += to[i] != 0xee;
            for (size_t i = at + n; i < n + 2 * MARGIN; i++) n_bad += to[i] != 0xee;
        }
    CHECK_EQ(n_bad, 0);
    free(from);
    free(to);
}

static void allocation__every_failure(void) {
    tern_arena arena;
    for (uint64_t nth = 1; nth < 4; nth++) {
        script s = {.step = 5000, .n = 1204};
        s.bytes[0] = 0xb0, s.bytes[1] = 4; /* 1200 bytes */
        tern_arena_init(&arena, 0, 0);
        arena.fail_countdown = nth;
        tern_reader r;
        CHECK_EQ(tern_reader_init(&r, (tern_source){&script_source, &s}, 64), 0);
        tern_bytes b = tern_get_bytes(&r, &arena);
        int err = tern_reader_fini(&r);
        CHECK_EQ(err, nth == 1 ? TERN_ERR_NOMEM : 0);
        CHECK_EQ(b.len, nth == 1 ? 0 : 1200);
        tern_arena_fini(&arena);
    }
}

TAP_MAIN(TEST(put__golden_bytes_native), TEST(put__golden_bytes_of_a_big_endian_peer),
         TEST(put__golden_bytes_with_type_codes), TEST(get__what_every_setting_put), TEST(get__reader_makes_right),
         TEST(put__memory_of_any_alignment), TEST(put__every_split), TEST(get__every_split),
         TEST(put__flush_at_every_point), TEST(put__large_arrays_are_posted),
         TEST(put__posts_only_registered_memory_if_asked), TEST(get__large_arrays_bypass_the_buffer),
         TEST(put__pool_memory_grows_to_its_maximum), TEST(put__pool_memory_takes_one_large_array),
         TEST(put__errors_stick), TEST(put__memory_is_full), TEST(get__truncated_at_every_byte),
         TEST(get__strings_have_bounds), TEST(get__preambles_that_do_not_fit), TEST(get__two_settings_are_noticed),
         TEST(get__wrong_type_names_both_and_the_offset), TEST(piece__reads_what_only_codes_describe),
         TEST(piece__refuses_what_is_no_code), TEST(swap__every_length_and_alignment),
         TEST(copy__every_length_and_alignment), TEST(allocation__every_failure))
