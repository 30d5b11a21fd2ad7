/* The protobuf codec's full semantics: oneofs, maps, groups, closed enums, unknown fields; input in pieces, output in
 * pieces. Each vector is an encoding and what it is once decoded and encoded again, whichever way it is decoded. */
#include "base/base.h"
#include "compound.tern.h"
#include "everything.tern.h"
#include "legacy.tern.h"
#include "random_message.h"
#include "tap.h"

typedef struct vector {
    const tern_type *type;
    const char *in;
    size_t in_len;
    const char *out; /* NULL: refused */
    size_t out_len;
    int err;
} vector;

#define TAKES(type, in, out)                                                                                           \
    { &type##_type, in, sizeof in - 1, out, sizeof out - 1, 0 }
#define REFUSES(type, in, err)                                                                                         \
    { &type##_type, in, sizeof in - 1, NULL, 0, err }
#define NEEDED "\x28\x09" /* Closed.needed */

static const vector vectors[] = {
    /* a oneof has its last member, a message merges with itself only */
    TAKES(test_compound_Choice, "\x30\x05\x52\x01x", "\x52\x01x"),
    TAKES(test_compound_Choice, "\x52\x01x\x30\x00", "\x30\x00"),
    TAKES(test_compound_Choice, "\x92\x01\x02\x08\x01\x92\x01\x03\x12\x01z", "\x92\x01\x05\x08\x01\x12\x01z"),
    TAKES(test_compound_Choice, "\x92\x01\x02\x08\x01\x30\x05\x92\x01\x03\x12\x01z", "\x92\x01\x03\x12\x01z"),
    TAKES(test_compound_Choice, "\x08\x01\x92\x01\x00\x9a\x01\x00\xba\x01\x01q", "\x08\x01\x9a\x01\x00\xba\x01\x01q"),
    TAKES(test_compound_Choice, "\xb2\x01\x01x\x48\x01\xe0\x12\x00", "\x48\x01\xe0\x12\x00"),
    /* of equal keys the last counts, in the first one's place; what an entry lacks is empty */
    TAKES(test_compound_Maps, "\x0a\x04\x08\x01\x10\x02\x0a\x04\x08\x03\x10\x04\x0a\x04\x08\x01\x10\x09",
          "\x0a\x04\x08\x01\x10\x09\x0a\x04\x08\x03\x10\x04"),
    TAKES(test_compound_Maps, "\x0a\x00", "\x0a\x04\x08\x00\x10\x00"),
    TAKES(test_compound_Maps, "\x0a\x04\x10\x02\x08\x01", "\x0a\x04\x08\x01\x10\x02"),
    TAKES(test_compound_Maps, "\x0a\x06\x08\x01\x10\x02\x18\x07", "\x0a\x04\x08\x01\x10\x02"),
    TAKES(test_compound_Maps, "\x8a\x01\x03\x0a\x01k", "\x8a\x01\x05\x0a\x01k\x12\x00"),
    TAKES(test_compound_Maps, "\x8a\x01\x0c\x0a\x01k\x12\x02\x08\x01\x12\x03\x12\x01z",
          "\x8a\x01\x0a\x0a\x01k\x12\x05\x08\x01\x12\x01z"),
    TAKES(test_compound_Maps, "\x8a\x01\x07\x0a\x01k\x12\x02\x08\x01\x8a\x01\x08\x0a\x01k\x12\x03\x12\x01z",
          "\x8a\x01\x08\x0a\x01k\x12\x03\x12\x01z"),
    TAKES(test_compound_Maps, "\x5a\x04\x08\x01\x10\x01\x62\x06\x0a\x01k\x12\x01v",
          "\x5a\x04\x08\x01\x10\x01\x62\x06\x0a\x01k\x12\x01v"),
    TAKES(test_compound_Maps, "\x08\x01", "\x08\x01"), /* not an entry: unknown */
    REFUSES(test_compound_Maps, "\x62\x06\x0a\x01\xff\x12\x01v", TERN_ERR_UTF8),
    REFUSES(test_compound_Maps, "\x62\x06\x0a\x01k\x12\x01\xff", TERN_ERR_UTF8),
    REFUSES(test_compound_Maps, "\x0a\x03\x08\x01\x10", TERN_ERR_MALFORMED),
    /* groups */
    TAKES(test_legacy_Groups, "\x2b\x08\x01\x2c", "\x2b\x08\x01\x2c"),
    TAKES(test_legacy_Groups, "\x0b\x10\x07\x0c\x2b\x08\x01\x2c\x0b\x1b\x0a\x01n\x1c\x0c",
          "\x0b\x10\x07\x1b\x0a\x01n\x1c\x0c\x2b\x08\x01\x2c"),
    TAKES(test_legacy_Groups, "\x23\x08\x01\x24\x23\x08\x02\x12\x04\x2b\x08\x00\x2c\x24\x2b\x08\x01\x2c",
          "\x23\x08\x01\x24\x23\x08\x02\x12\x04\x2b\x08\x00\x2c\x24\x2b\x08\x01\x2c"),
    TAKES(test_legacy_Groups, "\x33\x0a\x01s\x34\x2b\x08\x01\x2c\x38\x00", "\x2b\x08\x01\x2c\x38\x00"),
    TAKES(test_legacy_Groups, "\x0a\x02\x10\x07\x2b\x08\x01\x2c", "\x2b\x08\x01\x2c\x0a\x02\x10\x07"),
    REFUSES(test_legacy_Groups, "\x2b\x08\x01\x2c\x0b\x10\x07\x14", TERN_ERR_MALFORMED),
    REFUSES(test_legacy_Groups, "\x2b\x08\x01\x2c\x0b\x10\x07", TERN_ERR_MALFORMED),
    REFUSES(test_legacy_Groups, "\x2b\x08\x01\x2c\x0c", TERN_ERR_MALFORMED),
    REFUSES(test_legacy_Groups, "\x2b\x2c", TERN_ERR_MALFORMED), /* required, in the group */
    REFUSES(test_legacy_Groups, "", TERN_ERR_MALFORMED),
    /* closed enums: other numbers are unknown fields, where they stand in the order of these */
    TAKES(test_legacy_Closed, "\x08\x02" NEEDED, NEEDED "\x08\x02"),
    TAKES(test_legacy_Closed, "\x08\x01\x08\x02" NEEDED, "\x08\x01" NEEDED "\x08\x02"),
    TAKES(test_legacy_Closed, "\x08\x89\x80\x80\x80\x10" NEEDED, "\x08\x09" NEEDED), /* 32 bits count */
    TAKES(test_legacy_Closed, "\x08\x82\x80\x80\x80\x10" NEEDED, NEEDED "\x08\x82\x80\x80\x80\x10"),
    TAKES(test_legacy_Closed, "\x10\x01\x10\x02\x10\x09\x48\x01" NEEDED "\x10\x03",
          "\x10\x01\x10\x09" NEEDED "\x10\x02\x48\x01\x10\x03"),
    TAKES(test_legacy_Closed, "\x1a\x03\x01\x02\x09" NEEDED, "\x1a\x02\x01\x09" NEEDED "\x18\x02"),
    TAKES(test_legacy_Closed, "\x12\x03\x01\x02\x09" NEEDED, "\x10\x01\x10\x09" NEEDED "\x10\x02"),
    TAKES(test_legacy_Closed, "\x22\x05\x0a\x01k\x10\x05" NEEDED, NEEDED "\x22\x05\x0a\x01k\x10\x05"),
    TAKES(test_legacy_Closed, "\x22\x05\x0a\x01k\x10\x03" NEEDED, "\x22\x05\x0a\x01k\x10\x03" NEEDED),
    TAKES(test_legacy_Closed, "\x22\x07\x10\x05\x0a\x01k\x18\x00" NEEDED, NEEDED "\x22\x05\x0a\x01k\x10\x05"),
    TAKES(test_legacy_Closed, "\x40\x05\x38\x02" NEEDED, NEEDED "\x40\x05\x38\x02"),
    REFUSES(test_legacy_Closed, "\x28\x02", TERN_ERR_MALFORMED), /* an unknown number does not set what is required */
    REFUSES(test_legacy_Deep, "\x0a\x04\x08\x01\x12\x00", TERN_ERR_MALFORMED),
    REFUSES(test_legacy_Deep, "\x12\x06\x0a\x04\x08\x01\x12\x00", TERN_ERR_MALFORMED),
    TAKES(test_legacy_Deep, "\x12\x06\x0a\x04\x08\x01\x12\x00\x1a\x00", "\x1a\x00"),
    /* unknown fields stay in their order, behind the others */
    TAKES(test_compound_Leaf,
          "\x18\x01\x08\x05\x22\x01z\x1b\x08\x01\x13\x14\x1c\x2d"
          "abcd\x31"
          "efghijkl",
          "\x08\x05\x18\x01\x22\x01z\x1b\x08\x01\x13\x14\x1c\x2d"
          "abcd\x31"
          "efghijkl"),
    TAKES(test_compound_Leaf,
          "\x0d"
          "abcd\x08\x05",
          "\x08\x05\x0d"
          "abcd"),
    REFUSES(test_compound_Leaf, "\x1b\x13\x1c\x14", TERN_ERR_MALFORMED),
};

static tern_arena arena;
static void *msg; /* of any of the types */

static void begin(void) {
    tern_arena_init(&arena, 0, 0);
    msg = tern_arena_alloc(&arena, 4096);
}

static void end(void) { tern_arena_fini(&arena); }

static void check_result(const vector *v, size_t i, int err) {
    uint8_t out[128];
    if (err != v->err) printf("# vector %zu\n", i);
    CHECK_EQ(err, v->err);
    if (err) return;
    int64_t len = tern_protobuf_encode(v->type, msg, out, sizeof out);
    if (len != (int64_t)v->out_len || memcmp(out, v->out, v->out_len) != 0) printf("# vector %zu\n", i);
    CHECK_EQ(len, v->out_len);
    CHECK_MEM(out, v->out, v->out_len);
    CHECK_EQ(tern_protobuf_size(v->type, msg), v->out_len);
}

/* From memory of exactly its size, so that a sanitizer sees each byte too far; freed before what was copied is read. */
static void decode__vectors(void) {
    for (size_t i = 0; i < TERN__COUNT(vectors); i++) {
        const vector *v = &vectors[i];
        for (int mode = TERN_DECODE_ALIAS; mode <= TERN_DECODE_COPY; mode++) {
            uint8_t *in = malloc(v->in_len ? v->in_len : 1);
            memcpy(in, v->in, v->in_len);
            begin();
            int err = tern_protobuf_decode(v->type, in, v->in_len, &arena, mode, NULL, msg);
            if (mode == TERN_DECODE_COPY) {
                free(in);
                in = NULL;
            }
            if (err == TERN_ERR_TRUNCATED) err = TERN_ERR_MALFORMED;
            check_result(v, i, err);
            end();
            free(in);
        }
        CHECK_OK();
    }
}

/* Cuts the input into pieces of `step` bytes, each in memory of its own. */
static size_t cut(const void *data, size_t len, size_t step, tern_bytes *pieces) {
    size_t n = 0;
    for (size_t at = 0; at < len; at += step) {
        size_t k = len - at < step ? len - at : step;
        pieces[n++] = tern_bytes_of(memcpy(malloc(k), (const uint8_t *)data + at, k), k);
    }
    return n;
}

static void free_pieces(const tern_bytes *pieces, size_t n) {
    for (size_t i = 0; i < n; i++) free((void *)(uintptr_t)pieces[i].data);
}

static void decode_pieces__vectors(void) {
    tern_bytes pieces[128];
    for (size_t i = 0; i < TERN__COUNT(vectors); i++) {
        const vector *v = &vectors[i];
        for (size_t step = 1; step < 24; step++) {
            size_t n = cut(v->in, v->in_len, step, pieces);
            begin();
            int err = tern_protobuf_decode_pieces(v->type, pieces, n, &arena, (int)(step & 1), NULL, msg);
            if (err == TERN_ERR_TRUNCATED) err = TERN_ERR_MALFORMED;
            check_result(v, i, err);
            end();
            free_pieces(pieces, n);
        }
        CHECK_OK();
    }
}

static void decode__every_allocation_may_fail(void) {
    tern_bytes pieces[128];
    uint64_t failures = 0;
    for (size_t i = 0; i < TERN__COUNT(vectors); i++) {
        const vector *v = &vectors[i];
        size_t n = cut(v->in, v->in_len, 5, pieces);
        int err = TERN_ERR_NOMEM;
        for (uint64_t nth = 1; err == TERN_ERR_NOMEM; nth++) {
            begin();
            arena.fail_countdown = nth;
            err = nth % 2 ? tern_protobuf_decode(v->type, v->in, v->in_len, &arena, TERN_DECODE_COPY, NULL, msg)
                          : tern_protobuf_decode_pieces(v->type, pieces, n, &arena, TERN_DECODE_ALIAS, NULL, msg);
            failures += err == TERN_ERR_NOMEM;
            end();
        }
        CHECK(err == v->err || err == TERN_ERR_TRUNCATED);
        free_pieces(pieces, n);
    }
    CHECK(failures > 40);
}

/* Merging the second half onto the first is decoding both, wherever a field ends; here: at each half of a doubled
 * message. */
static void merge__continues_a_message(void) {
    for (size_t i = 0; i < TERN__COUNT(vectors); i++) {
        const vector *v = &vectors[i];
        uint8_t twice[256], whole[256], merged[256];
        if (v->err) continue;
        memcpy(twice, v->in, v->in_len);
        memcpy(twice + v->in_len, v->in, v->in_len);
        begin();
        CHECK_EQ(tern_protobuf_decode(v->type, twice, 2 * v->in_len, &arena, 0, NULL, msg), 0);
        int64_t len = tern_protobuf_encode(v->type, msg, whole, sizeof whole);
        CHECK_EQ(tern_protobuf_decode(v->type, v->in, v->in_len, &arena, 0, NULL, msg), 0);
        CHECK_EQ(tern_protobuf_merge(v->type, v->in, v->in_len, &arena, TERN_DECODE_COPY, NULL, msg), 0);
        CHECK_EQ(tern_protobuf_encode(v->type, msg, merged, sizeof merged), len);
        CHECK_MEM(whole, merged, len);
        end();
    }
}

static void decode__unknown_fields_alias_or_go(void) {
    static const uint8_t in[] = "\x08\x05\x18\x01\x22\x01z\x12\x01x\x18\x07";
    test_compound_Leaf *leaf;
    begin();
    leaf = msg;
    CHECK_EQ(tern_protobuf_decode(&test_compound_Leaf_type, in, 7, &arena, TERN_DECODE_ALIAS, NULL, leaf), 0);
    CHECK(leaf->unknown.data == in + 2); /* two fields, one run, nothing copied */
    CHECK_EQ(leaf->unknown.len, 5);
    CHECK_EQ(leaf->unknown.cap, 0);
    CHECK_EQ(tern_protobuf_decode(&test_compound_Leaf_type, in, 12, &arena, TERN_DECODE_ALIAS, NULL, leaf), 0);
    CHECK_EQ(leaf->unknown.len, 7);
    CHECK(leaf->unknown.cap >= 7);
    CHECK_EQ(tern_protobuf_decode(&test_compound_Leaf_type, in, 12, &arena, TERN_DECODE_DROP_UNKNOWN, NULL, leaf), 0);
    CHECK_EQ(leaf->unknown.len, 0);
    CHECK_EQ(leaf->id, 5);
    end();
}

/* As deep as protobuf C++ goes by default, and no deeper; and what was decoded can be encoded. */
static void decode__a_hundred_messages_in_a_message(void) {
    for (int n = 99; n <= 101; n++) {
        uint8_t in[400], *p = in + sizeof in;
        for (int i = 0; i < n; i++) {
            size_t len = (size_t)(in + sizeof in - p);
            if (len >= 0x80) *--p = (uint8_t)(len >> 7);
            *--p = (uint8_t)(len >= 0x80 ? len | 0x80 : len);
            *--p = 0x0a; /* Free.next */
        }
        begin();
        int err = tern_protobuf_decode(&test_legacy_Free_type, p, (size_t)(in + sizeof in - p), &arena, 0, NULL, msg);
        CHECK_EQ(err, n > 100 ? TERN_ERR_LIMIT : 0);
        if (!err) CHECK_EQ(tern_protobuf_size(&test_legacy_Free_type, msg), in + sizeof in - p);
        end();
    }
}

/* Fields that alternate with unknown ones and switch a oneof to and fro take memory in proportion to the input. */
static void decode__hostile_input_takes_linear_memory(void) {
    enum { N = 20000 };
    uint8_t *in = malloc(N * 10), *p = in;
    for (int i = 0; i < N; i++) {
        memcpy(p, "\x30\x05\xc0\x3e\x01\x92\x01\x00", 8);
        p += 8;
    }
    begin();
    CHECK_EQ(tern_protobuf_decode(&test_compound_Choice_type, in, (size_t)(p - in), &arena, 0, NULL, msg), 0);
    const test_compound_Choice *choice = msg;
    CHECK_EQ(choice->unknown.len, 3 * N);
    CHECK(arena.used_bytes < 64 * (N + 1000) * 4);
    tern_limits limits;
    tern_limits_init(&limits);
    limits.max_elements = N - 1;
    CHECK_EQ(tern_protobuf_decode(&test_compound_Choice_type, in, (size_t)(p - in), &arena, 0, &limits, msg),
             TERN_ERR_LIMIT);
    end();
    free(in);
}

/* ---- Into a sink --------------------------------------------------------------------------------- */

typedef struct sunk {
    uint8_t *bytes;
    size_t len, n_pieces, inplace_bytes;
    int fail_after;
    const void *low, *high; /* what counts as in place */
} sunk;

static int collect(void *ctx, const tern_bytes *pieces, size_t n) {
    sunk *s = ctx;
    if (s->fail_after-- == 0) return TERN_ERR_FULL;
    for (size_t i = 0; i < n; i++) {
        memcpy(s->bytes + s->len, pieces[i].data, pieces[i].len);
        s->len += pieces[i].len;
        if (pieces[i].data >= s->low && pieces[i].data < s->high) s->inplace_bytes += pieces[i].len;
    }
    s->n_pieces += n;
    return 0;
}

static void encode_sg__is_the_encoding_in_pieces(void) {
    tern__rng rng;
    tern__rng_seed(&rng, 7);
    for (int i = 0; i < 200; i++) {
        test_all_Everything m = {0};
        begin();
        random_message(&test_all_Everything_type, &m, &arena, &rng, 4);
        int64_t size = test_all_Everything_size(&m);
        uint8_t *whole = malloc((size_t)size + 1), *pieces = malloc((size_t)size + 1);
        CHECK_EQ(test_all_Everything_encode(&m, whole, (size_t)size + 1), size);
        for (size_t threshold = 0; threshold < 400; threshold += 100) {
            sunk s = {.bytes = pieces, .fail_after = -1};
            int mode = threshold == 200 ? TERN_SG_POOL : TERN_SG_ANY;
            CHECK_EQ(tern_protobuf_encode_sg(&test_all_Everything_type, &m, threshold, mode, &arena, collect, &s),
                     size);
            CHECK_EQ(s.len, size);
            CHECK_MEM(pieces, whole, size);
        }
        free(whole);
        free(pieces);
        end();
        CHECK_OK();
    }
}

static void encode_sg__large_values_go_in_place(void) {
    enum { LARGE = 5000 };
    begin();
    uint8_t *pool = tern_arena_zalloc(&arena, LARGE), *heap = calloc(1, LARGE), out[3 * LARGE];
    tern_bytes values[3] = {{pool, LARGE}, {heap, LARGE}, {pool, 40}};
    test_all_Lists m = {.f_bytes = {values, 3, 0}};
    sunk s = {.bytes = out, .fail_after = -1, .low = pool, .high = pool + LARGE};
    int64_t len = tern_protobuf_encode_sg(&test_all_Lists_type, &m, 512, TERN_SG_POOL, &arena, collect, &s);
    CHECK_EQ(len, s.len);
    CHECK_EQ(s.inplace_bytes, LARGE); /* not what lies in the heap, nor what is short */
    s = (sunk){.bytes = out, .fail_after = -1, .low = heap, .high = heap + LARGE};
    CHECK_EQ(tern_protobuf_encode_sg(&test_all_Lists_type, &m, 512, TERN_SG_ANY, &arena, collect, &s), len);
    CHECK_EQ(s.inplace_bytes, LARGE);
    CHECK_EQ(s.n_pieces, 5); /* three copied ones around the two */
    s = (sunk){.bytes = out};
    CHECK_EQ(tern_protobuf_encode_sg(&test_all_Lists_type, &m, 0, TERN_SG_ANY, &arena, collect, &s), TERN_ERR_FULL);
    test_legacy_Closed incomplete = {0};
    s = (sunk){.fail_after = 0}; /* nothing is posted */
    CHECK_EQ(tern_protobuf_encode_sg(&test_legacy_Closed_type, &incomplete, 0, 0, &arena, collect, &s),
             TERN_ERR_INVALID);
    arena.fail_countdown = 1;
    CHECK_EQ(tern_protobuf_encode_sg(&test_all_Lists_type, &m, 512, 0, &arena, collect, &s), TERN_ERR_NOMEM);
    end();
    free(heap);
}

/* What is copied fills the arena's blocks to each of their last bytes, by values and by what stands before them. Zeros
 * lie before the block: what is written below it would change them. */
static void encode_sg__blocks_end_anywhere(void) {
    for (size_t pad = 200; pad < 520; pad++) {
        uint8_t whole[1024], pieces[1024];
        sunk s = {.bytes = pieces, .fail_after = -1};
        begin();
        uint8_t *data = tern_arena_zalloc(&arena, 1024);
        memset(data, 1, 600);
        tern_bytes values[6] = {{data, 60}, {data, 9}, {data, 1}, {data, 0}, {data, 7}, {data, pad}};
        test_all_Lists m = {.f_bytes = {values, 6, 0}};
        int64_t len = test_all_Lists_encode(&m, whole, sizeof whole);
        CHECK_EQ(tern_protobuf_encode_sg(&test_all_Lists_type, &m, SIZE_MAX, TERN_SG_ANY, &arena, collect, &s), len);
        CHECK_EQ(s.len, len);
        CHECK_MEM(pieces, whole, len);
        for (size_t i = 600; i < 1024; i++) CHECK_EQ(data[i], 0);
        end();
    }
}

/* Values of each length around those that are copied late, in rooms of each size around the right one. */
static void encode__room_and_large_values(void) {
    for (size_t n = 0; n < 400; n += n < 30 || (n > 80 && n < 200) ? 1 : 50) {
        uint8_t data[700];
        memset(data, (int)n, sizeof data);
        tern_bytes values[3] = {{data, n}, {data, 3}, {data, n / 2}};
        test_all_Lists m = {.f_bytes = {values, 3, 0}};
        int64_t size = test_all_Lists_size(&m);
        uint8_t *roomy = malloc((size_t)size + 64);
        CHECK_EQ(test_all_Lists_encode(&m, roomy, (size_t)size + 64), size);
        for (int64_t cap = size > 40 ? size - 40 : 0; cap < size + 40; cap += cap < size ? 13 : 1) {
            uint8_t *out = malloc(cap ? (size_t)cap : 1);
            int64_t len = test_all_Lists_encode(&m, out, (size_t)cap);
            bool right = cap < size ? len == TERN_ERR_LIMIT : len == size && memcmp(out, roomy, (size_t)size) == 0;
            free(out);
            CHECK(right);
        }
        free(roomy);
    }
}

TAP_MAIN(TEST(decode__vectors), TEST(decode_pieces__vectors), TEST(decode__every_allocation_may_fail),
         TEST(merge__continues_a_message), TEST(decode__unknown_fields_alias_or_go),
         TEST(decode__a_hundred_messages_in_a_message), TEST(decode__hostile_input_takes_linear_memory),
         TEST(encode_sg__is_the_encoding_in_pieces), TEST(encode_sg__large_values_go_in_place),
         TEST(encode_sg__blocks_end_anywhere), TEST(encode__room_and_large_values))
