/* Decoding from pieces, hybrid and protobuf: at every cut, with pieces that others write to, and of bytes that are no
 * message. What one piece gives is what many give. */
#include <pthread.h>
#include <stdatomic.h>

#include "base/base.h"
#include "base/rng.h"
#include "codec/format_hybrid.h"
#include "codec/format_protobuf.h"
#include "everything.tern.h"
#include "random_message.h"
#include "tap.h"

enum { MAX_PIECES = 64 };

static const tern_type *const types[] = {&test_all_Lists_type, &test_all_Scalars_type, &test_all_Optionals_type,
                                         &test_all_Tree_type};
static const tern__format *const formats[] = {&tern__format_hybrid, &tern__format_protobuf};
static tern__rng rng;

static uint32_t pick(uint32_t n) { return (uint32_t)(tern__rng_next(&rng) % n); }

typedef struct bytes {
    uint8_t *data;
    size_t len;
} bytes;

static bytes encode(const tern__format *format, const tern_type *type, const void *msg) {
    tern__format_plan plan;
    if (format->plan(type, msg, SIZE_MAX, &plan)) return (bytes){0};
    bytes b = {malloc(plan.head_bytes ? plan.head_bytes : 1), plan.head_bytes};
    if (format->write(type, msg, &plan, b.data, NULL)) b.len = 0;
    return b;
}

/* The input cut up, each piece in memory of exactly its size. */
typedef struct cut {
    tern_bytes pieces[MAX_PIECES], given[MAX_PIECES];
    bool lent[MAX_PIECES], lent_given[MAX_PIECES];
    size_t n;
} cut;

static void cut_up(cut *c, bytes b, const size_t *at, size_t n_cuts, bool lend) {
    size_t from = 0;
    c->n = 0;
    for (size_t i = 0; i <= n_cuts; i++) {
        size_t to = i < n_cuts ? at[i] : b.len;
        uint8_t *piece = malloc(to - from ? to - from : 1);
        memcpy(piece, b.data + from, to - from);
        c->pieces[c->n] = tern_bytes_of(piece, to - from);
        c->lent[c->n++] = lend && pick(2);
        from = to;
    }
    memcpy(c->given, c->pieces, sizeof c->pieces);
    memcpy(c->lent_given, c->lent, sizeof c->lent);
}

static void cut_free(cut *c) {
    for (size_t i = 0; i < c->n; i++) free((void *)(uintptr_t)c->pieces[i].data);
}

static int decode(const tern__format *format, const tern_type *type, cut *c, bool lend, tern_arena *arena, void *msg) {
    if (lend) return format->decode_lent(type, c->given, c->lent_given, c->n, arena, NULL, msg);
    return format->decode(type, c->pieces, c->n, arena, NULL, msg);
}

/* Everybody who may write to a lent piece does. */
static void scribble(const cut *c) {
    for (size_t i = 0; i < c->n; i++)
        if (c->lent[i] && c->pieces[i].len) memset((void *)(uintptr_t)c->pieces[i].data, 0xff, c->pieces[i].len);
}

/* Whatever was written: as many bytes as ever, and texts that are texts. */
static bool is_sound(const tern_type *type, const void *whole, const void *msg) {
    tern_hybrid_plan want, plan;
    if (tern_hybrid_measure(type, whole, SIZE_MAX, &want) || tern_hybrid_measure(type, msg, SIZE_MAX, &plan))
        return false;
    if (plan.head_bytes != want.head_bytes) return false;
    bytes b = encode(&tern__format_hybrid, type, msg);
    void *back = malloc(type->size_bytes);
    tern_arena arena;
    tern_arena_init(&arena, 0, 0);
    bool sound = b.len && tern_hybrid_decode(type, b.data, b.len, &arena, NULL, back) == 0;
    tern_arena_fini(&arena);
    free(back);
    free(b.data);
    return sound;
}

static void check_cut(const tern__format *format, const tern_type *type, bytes b, const size_t *at, size_t n_cuts,
                      bool lend) {
    static _Alignas(16) uint8_t whole[8192], cut_msg[8192];
    tern_arena one, many;
    cut c;
    CHECK(type->size_bytes <= sizeof whole);
    tern_arena_init(&one, 0, 0);
    tern_arena_init(&many, 0, 0);
    const tern_bytes piece = {b.data, b.len};
    int want = format->decode(type, &piece, 1, &one, NULL, whole);
    cut_up(&c, b, at, n_cuts, lend);
    int rc = decode(format, type, &c, lend, &many, cut_msg);
    /* Of two things that are wrong, protobuf's reader may find another first. */
    if (format == &tern__format_hybrid || !rc || !want) CHECK_EQ(rc, want);
    if (rc == 0) CHECK(tern_message_equal(type, whole, cut_msg));
    CHECK(many.used_bytes <= 2 * one.used_bytes + 4 * b.len + 32 * c.n + 3 * 8192);
    if (rc == 0 && lend) {
        scribble(&c);
        CHECK(is_sound(type, whole, cut_msg));
    }
    cut_free(&c);
    tern_arena_fini(&one);
    tern_arena_fini(&many);
}

static bytes random_bytes(const tern__format *format, const tern_type *type, uint64_t seed, tern_arena *arena) {
    tern__rng own;
    tern__rng_seed(&own, seed);
    void *m = tern_arena_zalloc(arena, type->size_bytes);
    random_message(type, m, arena, &own, 2);
    return encode(format, type, m);
}

static void cuts__everywhere_in_two(void) {
    tern_arena arena;
    tern_arena_init(&arena, 0, 0);
    for (size_t f = 0; f < TERN__COUNT(formats); f++) {
        for (uint64_t seed = 1; seed <= 12; seed++) {
            const tern_type *type = types[seed % TERN__COUNT(types)];
            bytes b = random_bytes(formats[f], type, seed, &arena);
            for (size_t at = 0; at <= b.len; at += b.len > 3000 ? 7 : 1) {
                check_cut(formats[f], type, b, &at, 1, at % 2);
                CHECK_OK();
            }
            free(b.data);
        }
    }
    tern_arena_fini(&arena);
}

static void random_cuts(size_t *at, size_t n, size_t len) {
    for (size_t i = 0; i < n; i++) at[i] = pick((uint32_t)len + 1);
    for (size_t i = 1; i < n; i++)
        for (size_t k = i; k && at[k] < at[k - 1]; k--) {
            size_t t = at[k];
            at[k] = at[k - 1];
            at[k - 1] = t;
        }
}

static void cuts__many_and_damage(void) {
    tern_arena arena;
    tern_arena_init(&arena, 0, 0);
    for (size_t f = 0; f < TERN__COUNT(formats); f++) {
        for (uint64_t seed = 1; seed <= 1500; seed++) {
            size_t at[MAX_PIECES - 1], n = 1 + pick(MAX_PIECES - 1);
            const tern_type *type = types[seed % TERN__COUNT(types)];
            bytes b = random_bytes(formats[f], type, seed, &arena);
            for (uint32_t k = pick(4); k && b.len; k--) b.data[pick((uint32_t)b.len)] ^= (uint8_t)(1 << pick(8));
            if (pick(4) == 0) b.len = pick((uint32_t)b.len + 1);
            random_cuts(at, n, b.len);
            check_cut(formats[f], type, b, at, n, seed / 4 % 2);
            CHECK_OK();
            free(b.data);
            tern_arena_reset(&arena);
        }
    }
    tern_arena_fini(&arena);
}

/* What stays is what may: bytes that lie in one piece. */
static void values__stay_where_they_are(void) {
    static uint8_t value[100000];
    memset(value, 1, sizeof value);
    for (size_t f = 0; f < TERN__COUNT(formats); f++) {
        tern_str texts[] = {tern_str_of("a text"), tern_str_of("another")};
        tern_bytes blobs[] = {{value, sizeof value}};
        test_all_Lists m = {.f_string = {texts, 2, 0}, .f_bytes = {blobs, 1, 0}}, back;
        bytes b = encode(formats[f], &test_all_Lists_type, &m);
        const uint8_t *found = memmem(b.data, b.len, value, sizeof value);
        CHECK(found != NULL);
        size_t at[] = {(size_t)(found - b.data), (size_t)(found - b.data) + sizeof value};
        tern_arena arena;
        cut c;
        tern_arena_init(&arena, 0, 0);
        cut_up(&c, b, at, 2, false);
        c.lent[1] = c.lent_given[1] = true;
        CHECK_EQ(decode(formats[f], &test_all_Lists_type, &c, true, &arena, &back), 0);
        CHECK(back.f_bytes.data[0].data == c.pieces[1].data);
        CHECK(arena.used_bytes < sizeof value);
        /* Text does not stay, wherever it is. */
        tern_arena_reset(&arena);
        memcpy(c.given, c.pieces, sizeof c.pieces);
        for (size_t i = 0; i < c.n; i++) c.lent[i] = c.lent_given[i] = true;
        CHECK_EQ(decode(formats[f], &test_all_Lists_type, &c, true, &arena, &back), 0);
        scribble(&c);
        CHECK_MEM(back.f_string.data[0].data, "a text", 6);
        CHECK_MEM(back.f_string.data[1].data, "another", 7);
        cut_free(&c);
        tern_arena_fini(&arena);
        free(b.data);
    }
}

static void pieces__of_one_byte(void) {
    enum { N = 200000 };
    static tern_bytes pieces[N];
    tern_arena arena;
    tern_arena_init(&arena, 0, 0);
    for (size_t f = 0; f < TERN__COUNT(formats); f++) {
        tern_bytes blobs[2000];
        static uint8_t value[N];
        for (int i = 0; i < 2000; i++) blobs[i] = tern_bytes_of(value, 80);
        test_all_Lists m = {.f_bytes = {blobs, 2000, 0}}, back;
        bytes b = encode(formats[f], &test_all_Lists_type, &m);
        CHECK(b.len < N);
        for (size_t i = 0; i < b.len; i++) pieces[i] = tern_bytes_of(b.data + i, 1);
        CHECK_EQ(formats[f]->decode(&test_all_Lists_type, pieces, b.len, &arena, NULL, &back), 0);
        CHECK(tern_message_equal(&test_all_Lists_type, &m, &back));
        CHECK_EQ(formats[f]->decode(&test_all_Lists_type, pieces, b.len - 1, &arena, NULL, &back), TERN_ERR_TRUNCATED);
        free(b.data);
        tern_arena_reset(&arena);
    }
    tern_arena_fini(&arena);
}

static void pieces__empty_and_none(void) {
    static const tern_bytes nothing[3];
    test_all_Lists back;
    tern_arena arena;
    tern_arena_init(&arena, 0, 0);
    for (size_t n = 0; n < 4; n++)
        CHECK_EQ(tern_hybrid_decode_pieces(&test_all_Lists_type, nothing, n, &arena, NULL, &back), TERN_ERR_TRUNCATED);
    const tern_bytes huge[] = {{"", SIZE_MAX}, {"", SIZE_MAX}};
    CHECK_EQ(tern_hybrid_decode_pieces(&test_all_Lists_type, huge, 2, &arena, NULL, &back), TERN_ERR_LIMIT);
    tern_arena_fini(&arena);
}

/* ---- While somebody writes ------------------------------------------------------------------------- */

static _Atomic bool over;

__attribute__((no_sanitize("thread"))) static void *write_all_the_time(void *user) {
    const bytes *b = user;
    uint64_t x = 88172645463325252u;
    while (!over) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        ((volatile uint8_t *)b->data)[x % b->len] = (uint8_t)(x >> 40);
    }
    return NULL;
}

/* Whatever comes of it: nothing is read or written but the pieces and the arena, and texts are texts. */
static void lent__while_it_changes(void) {
#if defined(__SANITIZE_THREAD__)
    SKIP("the race is the point");
#endif
    tern_arena arena, own;
    tern_arena_init(&arena, 0, 0);
    tern_arena_init(&own, 0, 0);
    for (size_t f = 0; f < TERN__COUNT(formats); f++) {
        for (uint64_t seed = 1; seed <= 6; seed++) {
            const tern_type *type = types[seed % TERN__COUNT(types)];
            bytes b = random_bytes(formats[f], type, seed * 31, &arena), fresh = {malloc(b.len + 1), b.len};
            if (b.len < 16) {
                free(b.data);
                free(fresh.data);
                continue;
            }
            memcpy(fresh.data, b.data, b.len);
            pthread_t writer;
            over = false;
            CHECK_EQ(pthread_create(&writer, NULL, write_all_the_time, &b), 0);
            for (int i = 0; i < 300; i++) {
                size_t cut_at = pick((uint32_t)b.len / 2), len = b.len;
                tern_bytes pieces[] = {{fresh.data, cut_at}, {b.data + cut_at, len - cut_at}};
                bool lent[] = {false, true};
                _Alignas(16) uint8_t back[8192];
                if (i % 20 == 0) memcpy(b.data, fresh.data, len);
                if (formats[f]->decode_lent(type, pieces, lent, 2, &own, NULL, back) == 0)
                    CHECK(is_sound(type, back, back));
                tern_arena_reset(&own);
            }
            over = true;
            pthread_join(writer, NULL);
            free(b.data);
            free(fresh.data);
        }
        tern_arena_reset(&arena);
    }
    tern_arena_fini(&arena);
    tern_arena_fini(&own);
}

/* An object at the very end, behind a long text that is copied whenever reading begins: it begins often, but the text
 * is not copied as often. */
static void hybrid__memory_is_linear(void) {
    enum { TOTAL = 4 << 20, HEAD = 24, TEXT = 1 << 20, LAST = TOTAL - 8 };
    uint8_t *data = calloc(1, TOTAL);
    CHECK(data != NULL);
    memset(data + HEAD, 'a', LAST - HEAD);
    const uint32_t root[] = {1, 3, LAST - TEXT, TEXT, 0, LAST}; /* label, left */
    memcpy(data, root, sizeof root);
    tern_bytes pieces[] = {{data, HEAD}, {data + HEAD, TOTAL - HEAD}};
    bool lent[] = {false, true};
    test_all_Tree back;
    tern_arena arena;
    tern_arena_init(&arena, 0, 0);
    CHECK_EQ(tern__format_hybrid.decode_lent(&test_all_Tree_type, pieces, lent, 2, &arena, NULL, &back), 0);
    CHECK_EQ(back.label.len, LAST - TEXT);
    CHECK(back.left && back.left->label.len == 0);
    CHECK(arena.used_bytes <= 4 * (size_t)TOTAL);
    tern_arena_fini(&arena);
    free(data);
}

int main(int argc, char **argv) {
    static const tap_test tests[] = {TEST(cuts__everywhere_in_two),     TEST(cuts__many_and_damage),
                                     TEST(values__stay_where_they_are), TEST(pieces__of_one_byte),
                                     TEST(pieces__empty_and_none),      TEST(lent__while_it_changes),
                                     TEST(hybrid__memory_is_linear)};
    tern__rng_seed(&rng, 11);
    return tap_run(tests, TERN__COUNT(tests), argc, argv);
}
