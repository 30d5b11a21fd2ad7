/* The protobuf codec: exact bytes, what is refused and with which error, and that decoding and encoding
 * agree on random messages. */
#include "base/base.h"
#include "everything.tern.h"
#include "old.tern.h"
#include "random_message.h"
#include "tap.h"

static tern_arena arena;

static void begin(void) { tern_arena_init(&arena, 1 << 16, 0); }
static void end(void) { tern_arena_fini(&arena); }

/* Decodes a copy of exactly len bytes, so that a sanitizer sees each byte too far. The copy is leaked into
 * the arena's lifetime by the caller's views, hence static. */
static uint8_t *copy_of_input;

static int decode(const tern_type *type, const void *data, size_t len, void *msg) {
    free(copy_of_input);
    copy_of_input = malloc(len ? len : 1);
    memcpy(copy_of_input, data, len);
    return tern_protobuf_decode(type, copy_of_input, len, &arena, TERN_DECODE_ALIAS, NULL, msg);
}

#define DECODE(type, msg, bytes) decode(&type##_type, bytes, sizeof bytes - 1, msg)

/* ---- Encoding ------------------------------------------------------------------------------------ */

#define CHECK_ENCODES(type, msg, bytes) check_encodes(&type##_type, msg, bytes, sizeof bytes - 1)

static void check_encodes(const tern_type *type, const void *msg, const char *bytes, size_t len) {
    uint8_t encoded[256];
    CHECK_EQ(tern_protobuf_size(type, msg), len);
    CHECK_EQ(tern_protobuf_encode(type, msg, encoded, sizeof encoded), len);
    CHECK_MEM(encoded, bytes, len);
}

static void encode__exact_bytes(void) {
    test_all_Scalars m = {0};
    CHECK_ENCODES(test_all_Scalars, &m, "");
    m.f_int32 = -1;
    CHECK_ENCODES(test_all_Scalars, &m, "\x28\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
    m = (test_all_Scalars){.f_enum = test_all_Color_BELOW};
    CHECK_ENCODES(test_all_Scalars, &m, "\x60\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
    m = (test_all_Scalars){.f_uint32 = 300, .f_string = tern_str_of("testing")};
    CHECK_ENCODES(test_all_Scalars, &m, "\x4a\x07testing\x58\xac\x02");
    m = (test_all_Scalars){.f_sint32 = -2, .f_sint64 = INT64_MIN};
    CHECK_ENCODES(test_all_Scalars, &m, "\x78\x03\x80\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
    m = (test_all_Scalars){.f_double = -0.0, .f_float = 1, .f_bool = true};
    CHECK_ENCODES(test_all_Scalars, &m, "\x09\0\0\0\0\0\0\0\x80\x15\0\0\x80\x3f\x40\x01");
    test_all_Everything e = {.far = 1, .farthest = tern_str_of("z")};
    CHECK_ENCODES(test_all_Everything, &e, "\xc0\x3e\x01\xfa\xff\xff\xff\x0f\x01z");
}

static void encode__lists_packed_and_not(void) {
    int32_t numbers[] = {3, 270, 86942};
    tern_str words[] = {{"a", 1}, {"", 0}};
    test_all_Lists m = {.f_int32 = {numbers, 3, 0}};
    CHECK_ENCODES(test_all_Lists, &m, "\x2a\x06\x03\x8e\x02\x9e\xa7\x05");
    m = (test_all_Lists){.unpacked = {numbers, 2, 0}, .f_string = {words, 2, 0}};
    CHECK_ENCODES(test_all_Lists, &m,
                  "\x4a\x01"
                  "a\x4a\x00\x88\x01\x03\x88\x01\x8e\x02");
    test_all_Scalars empty[2] = {0};
    m = (test_all_Lists){.scalars = {empty, 2, 0}};
    CHECK_ENCODES(test_all_Lists, &m, "\x92\x01\x00\x92\x01\x00");
}

static void encode__presence_is_what_counts(void) {
    test_all_Optionals m = {.f_int32 = 5};
    CHECK_ENCODES(test_all_Optionals, &m, "");
    m = (test_all_Optionals){.has.f_int32 = 1, .has.f_bytes = 1};
    CHECK_ENCODES(test_all_Optionals, &m, "\x28\x00\x52\x00");
    test_all_Outer_Inner empty = {0};
    test_all_Outer outer = {.inner = &empty};
    CHECK_ENCODES(test_all_Outer, &outer, "\x0a\x00");
}

static void encode__room_exact_or_too_small(void) {
    test_all_Scalars m = {.f_uint32 = 300, .f_string = tern_str_of("testing")};
    for (size_t cap = 0; cap < 20; cap++) {
        uint8_t *out = malloc(cap ? cap : 1);
        int64_t len = test_all_Scalars_encode(&m, out, cap);
        bool same =
            cap >= 12 ? len == 12 && memcmp(out, "\x4a\x07testing\x58\xac\x02", 12) == 0 : len == TERN_ERR_LIMIT;
        free(out);
        CHECK(same);
    }
    test_all_Empty nothing = {0};
    CHECK_EQ(test_all_Empty_encode(&nothing, NULL, 0), 0);
}

static void encode__nesting_is_bounded(void) {
    test_all_Tree chain[103] = {0};
    uint8_t out[1000];
    for (size_t i = 0; i + 1 < TERN__COUNT(chain); i++) chain[i].left = &chain[i + 1];
    CHECK_EQ(test_all_Tree_size(&chain[0]), TERN_ERR_LIMIT);
    CHECK_EQ(test_all_Tree_encode(&chain[0], out, sizeof out), TERN_ERR_LIMIT);
    CHECK_EQ(test_all_Tree_size(&chain[1]), TERN_ERR_LIMIT);
    CHECK(test_all_Tree_size(&chain[2]) > 0);
    CHECK_EQ(test_all_Tree_encode(&chain[2], out, sizeof out), test_all_Tree_size(&chain[2]));
    chain[102].right = &chain[0]; /* a cycle ends at the same bound */
    CHECK_EQ(test_all_Tree_size(&chain[5]), TERN_ERR_LIMIT);
}

static void encode__size_beyond_2_gb(void) {
    tern_str many[1025];
    char *data = malloc(2 << 20);
    for (size_t i = 0; i < TERN__COUNT(many); i++) many[i] = (tern_str){data, 2 << 20};
    test_all_Lists m = {.f_string = {many, TERN__COUNT(many), 0}};
    int64_t size = test_all_Lists_size(&m);
    many[0].len = SIZE_MAX;
    int64_t lying = test_all_Lists_size(&m);
    free(data);
    CHECK_EQ(size, TERN_ERR_LIMIT);
    CHECK_EQ(lying, TERN_ERR_LIMIT);
}

static void encode__required_must_be_set(void) {
    test_old_Required m = {.has.id = 1};
    uint8_t out[64];
    CHECK_EQ(test_old_Required_size(&m), TERN_ERR_INVALID);
    CHECK_EQ(test_old_Required_encode(&m, out, sizeof out), TERN_ERR_INVALID);
    test_old_Required_set_name(&m, tern_str_of(""));
    CHECK_ENCODES(test_old_Required, &m, "\x08\x00\x12\x00");
    test_old_HoldsRequired holder = {0};
    CHECK_EQ(test_old_HoldsRequired_size(&holder), TERN_ERR_INVALID);
}

/* ---- Decoding ------------------------------------------------------------------------------------ */

static void decode__last_one_wins_and_messages_merge(void) {
    test_all_Scalars s;
    begin();
    CHECK_EQ(DECODE(test_all_Scalars, &s, "\x28\x01\x28\x02\x4a\x01x\x4a\x02yz"), 0);
    CHECK_EQ(s.f_int32, 2);
    CHECK(tern_str_eq(s.f_string, tern_str_of("yz")));
    test_all_Everything e;
    CHECK_EQ(DECODE(test_all_Everything, &e, "\x0a\x02\x28\x01\x0a\x02\x58\x07\x22\x02\x22\x00\x22\x02\x22\x00"), 0);
    CHECK_EQ(e.scalars->f_int32, 1);
    CHECK_EQ(e.scalars->f_uint32, 7);
    CHECK_EQ(e.tree->children.len, 2);
    end();
}

static void decode__packed_and_unpacked_alike(void) {
    test_all_Lists m;
    begin();
    CHECK_EQ(DECODE(test_all_Lists, &m, "\x28\x01\x2a\x03\x02\xac\x02\x28\x04\x2a\x00\x8a\x01\x02\x05\x06\x88\x01\x07"),
             0);
    CHECK_EQ(m.f_int32.len, 4);
    CHECK_EQ(m.f_int32.data[0], 1);
    CHECK_EQ(m.f_int32.data[2], 300);
    CHECK_EQ(m.f_int32.data[3], 4);
    CHECK_EQ(m.unpacked.len, 3);
    CHECK_EQ(m.unpacked.data[2], 7);
    CHECK_EQ(DECODE(test_all_Lists, &m, "\x12\x08\0\0\x80\x3f\0\0\0\x40\x15\0\0\x40\x40"), 0);
    CHECK_EQ(m.f_float.len, 3);
    CHECK(m.f_float.data[1] == 2 && m.f_float.data[2] == 3);
    end();
}

static void decode__varints_are_cut_to_their_width(void) {
    test_all_Scalars m;
    begin();
    CHECK_EQ(DECODE(test_all_Scalars, &m, "\x28\xff\xff\xff\xff\x1f"), 0);
    CHECK_EQ(m.f_int32, -1);
    CHECK_EQ(DECODE(test_all_Scalars, &m, "\x58\x81\x80\x80\x80\x10\x40\x80\x80\x80\x80\x10"), 0);
    CHECK_EQ(m.f_uint32, 1);
    CHECK(m.f_bool);
    CHECK_EQ(DECODE(test_all_Scalars, &m, "\x40\x80\x00\x28\x85\x80\x00"), 0);
    CHECK(!m.f_bool);
    CHECK_EQ(m.f_int32, 5);
    CHECK_EQ(DECODE(test_all_Scalars, &m, "\x18\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), 0);
    CHECK_EQ(m.f_int64, -1);
    CHECK_EQ(DECODE(test_all_Scalars, &m, "\x60\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), 0);
    CHECK_EQ(m.f_enum, test_all_Color_BELOW);
    end();
}

static void decode__unknown_fields_are_skipped(void) {
    test_other_Imported m;
    begin();
    CHECK_EQ(DECODE(test_other_Imported, &m,
                    "\xa0\x06\x96\x01" /* varint */
                    "\xa1\x06\1\2\3\4\5\6\7\x08"
                    "\xa5\x06\1\2\3\4"
                    "\xa2\x06\x03"
                    "abc"
                    "\xa3\x06\x08\x01\xab\x06\xac\x06\x12\x01x\xa4\x06" /* a group in a group */
                    "\x0a\x00"                                          /* field 1 with another wire type */
                    "\x08\x01"),
             0);
    CHECK_EQ(m.kind, 1);
    CHECK_EQ(m.blob.len, 0);
    end();
}

static void decode__malformed(void) {
    static const struct {
        const char *bytes;
        size_t len;
        int err;
    } cases[] = {
#define CASE(text, error) {text, sizeof text - 1, error}
        CASE("\x00\x01", TERN_ERR_MALFORMED),                                         /* field number 0 */
        CASE("\x07", TERN_ERR_MALFORMED),                                             /* the same, wire type 7 */
        CASE("\xa6\x06", TERN_ERR_MALFORMED),                                         /* wire type 6 */
        CASE("\x0c", TERN_ERR_MALFORMED),                                             /* end of no group */
        CASE("\xa3\x06\xac\x06", TERN_ERR_MALFORMED),                                 /* end of another group */
        CASE("\xa3\x06", TERN_ERR_TRUNCATED),                                         /* a group without end */
        CASE("\x88\x80\x80\x80\x80\x00\x01", TERN_ERR_MALFORMED),                     /* a tag of six bytes */
        CASE("\xf8\xff\xff\xff\x1f\x01", 0),                                          /* of a long tag, 32 bits count */
        CASE("\x28\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", TERN_ERR_MALFORMED), /* a varint of 11 bytes */
        CASE("\x28", TERN_ERR_TRUNCATED),
        CASE("\x28\x80", TERN_ERR_TRUNCATED),
        CASE("\x80", TERN_ERR_TRUNCATED),
        CASE("\x4a\x05"
             "abc",
             TERN_ERR_TRUNCATED),
        CASE("\x4a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", TERN_ERR_MALFORMED), /* a length of 10 bytes */
        CASE("\x4a\x83\x80\x80\x80\x80\x00"
             "abc",
             TERN_ERR_MALFORMED), /* and one of 6 */
        CASE("\x4a\x83\x80\x80\x80\x00"
             "abc",
             0),
        CASE("\x4a\xff\xff\xff\xff\x07", TERN_ERR_MALFORMED), /* 2^31 - 1 */
        CASE("\x09\1\2\3\4\5\6\7", TERN_ERR_TRUNCATED),
        CASE("\x15\1\2\3", TERN_ERR_TRUNCATED),
        CASE("\xa1\x06\1\2\3", TERN_ERR_TRUNCATED),
        CASE("\x4a\x02\xc3\x28", TERN_ERR_UTF8),
#undef CASE
    };
    begin();
    for (size_t i = 0; i < TERN__COUNT(cases); i++) {
        test_all_Scalars m;
        int err = decode(&test_all_Scalars_type, cases[i].bytes, cases[i].len, &m);
        if (err != cases[i].err) printf("# case %zu\n", i);
        CHECK_EQ(err, cases[i].err);
    }
    test_all_Lists lists;
    CHECK_EQ(DECODE(test_all_Lists, &lists, "\x0a\x07\1\2\3\4\5\6\7"), TERN_ERR_MALFORMED);
    CHECK_EQ(DECODE(test_all_Lists, &lists, "\x2a\x02\x01\x80"), TERN_ERR_MALFORMED);
    CHECK_EQ(DECODE(test_all_Lists, &lists, "\x2a\x0b\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
             TERN_ERR_MALFORMED);
    test_all_Outer outer; /* the inner length runs past the outer one, not past the input */
    CHECK_EQ(DECODE(test_all_Outer, &outer, "\x0a\x02\x0a\x05\x08\x01\x08\x01\x08\x01"), TERN_ERR_MALFORMED);
    end();
}

static void decode__utf8(void) {
    static const char *const valid[] = {"",
                                        "plain ascii, and more than eight",
                                        "\xc3\xa9",
                                        "\xed\x9f\xbf",
                                        "\xee\x80\x80",
                                        "\xf4\x8f\xbf\xbf",
                                        "12345678\xe2\x82\xac",
                                        "1234567\xc2\x80",
                                        "\x7f"};
    static const char *const invalid[] = {
        "\x80",         "\xc0\x80",         "\xc1\xbf",         "\xe0\x9f\xbf",
        "\xed\xa0\x80", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80",
        "\xff",         "12345678\xc3",     "1234567\xe2\x82",  "abcdefghijklmnop\x80"};
    begin();
    for (size_t i = 0; i < TERN__COUNT(valid) + TERN__COUNT(invalid); i++) {
        bool good = i < TERN__COUNT(valid);
        const char *s = good ? valid[i] : invalid[i - TERN__COUNT(valid)];
        uint8_t bytes[64] = {0x4a, (uint8_t)strlen(s)};
        memcpy(bytes + 2, s, strlen(s));
        test_all_Scalars m;
        CHECK_EQ(decode(&test_all_Scalars_type, bytes, strlen(s) + 2, &m), good ? 0 : TERN_ERR_UTF8);
        bytes[0] = 0x52; /* bytes may be anything */
        CHECK_EQ(decode(&test_all_Scalars_type, bytes, strlen(s) + 2, &m), 0);
    }
    end();
}

static void decode__alias_or_copy(void) {
    static const uint8_t input[] = "\x4a\x03"
                                   "abc\x52\x02xy";
    test_all_Scalars m;
    begin();
    CHECK_EQ(tern_protobuf_decode(&test_all_Scalars_type, input, 9, &arena, TERN_DECODE_ALIAS, NULL, &m), 0);
    CHECK((const void *)m.f_string.data == input + 2);
    CHECK_EQ(arena.used_bytes, 0);
    CHECK_EQ(tern_protobuf_decode(&test_all_Scalars_type, input, 9, &arena, TERN_DECODE_COPY, NULL, &m), 0);
    CHECK((const void *)m.f_string.data != input + 2);
    CHECK(tern_str_eq(m.f_string, tern_str_of("abc")));
    CHECK(tern_in_pool(m.f_bytes.data));
    end();
}

static void decode__limits(void) {
    tern_limits limits = TERN_LIMITS(.max_bytes = 8, .max_elements = 2, .max_depth = 2);
    test_all_Lists lists;
    test_all_Tree tree;
    begin();
#define LIMITED(type, msg, bytes)                                                                                      \
    tern_protobuf_decode(&type##_type, bytes, sizeof bytes - 1, &arena, TERN_DECODE_ALIAS, &limits, msg)
    CHECK_EQ(LIMITED(test_all_Lists, &lists, "\x2a\x02\x01\x02"), 0);
    CHECK_EQ(LIMITED(test_all_Lists, &lists, "\x2a\x03\x01\x02\x03"), TERN_ERR_LIMIT);
    CHECK_EQ(LIMITED(test_all_Lists, &lists, "\x28\x01\x28\x02\x28\x03"), TERN_ERR_LIMIT);
    CHECK_EQ(LIMITED(test_all_Lists, &lists, "\x28\x01\x28\x02\x28\x03\x28\x03\x28"), TERN_ERR_LIMIT);
    CHECK_EQ(LIMITED(test_all_Tree, &tree, "\x12\x02\x28\x01"), 0);
    CHECK_EQ(LIMITED(test_all_Tree, &tree, "\x12\x02\x12\x00"), TERN_ERR_LIMIT);
    CHECK_EQ(LIMITED(test_all_Tree, &tree, "\x3b\x3c"), 0);
    CHECK_EQ(LIMITED(test_all_Tree, &tree, "\x3b\x3b\x3c\x3c"), TERN_ERR_LIMIT);
    limits.max_depth = 0;
    CHECK_EQ(LIMITED(test_all_Tree, &tree, ""), TERN_ERR_LIMIT);
#undef LIMITED
    end();
}

/* Depth beyond any stack is refused, whatever the caller allows. */
static void decode__depth_has_a_ceiling(void) {
    enum { N = 200000 };
    tern_limits limits = TERN_LIMITS(.max_bytes = SIZE_MAX, .max_elements = SIZE_MAX, .max_depth = UINT32_MAX);
    uint8_t *groups = malloc(N);
    test_all_Tree m;
    memset(groups, 0x3b, N);
    begin();
    int err = tern_protobuf_decode(&test_all_Tree_type, groups, N, &arena, TERN_DECODE_ALIAS, &limits, &m);
    end();
    free(groups);
    CHECK_EQ(err, TERN_ERR_LIMIT);
}

static void decode__required(void) {
    test_old_Required r;
    test_old_HoldsRequired h;
    begin();
    CHECK_EQ(DECODE(test_old_Required, &r, "\x08\x01\x12\x00"), 0);
    CHECK_EQ(DECODE(test_old_Required, &r, "\x08\x01"), TERN_ERR_MALFORMED);
    CHECK_EQ(DECODE(test_old_Required, &r, ""), TERN_ERR_MALFORMED);
    CHECK_EQ(DECODE(test_old_Required, &r, "\x08\x01\x12\x00\x22\x00"), TERN_ERR_MALFORMED);
    CHECK_EQ(DECODE(test_old_HoldsRequired, &h, "\x0a\x04\x08\x01\x12\x00"), TERN_ERR_MALFORMED);
    /* complete only once its two occurrences are merged */
    CHECK_EQ(DECODE(test_old_HoldsRequired, &h, "\x12\x02\x08\x01\x12\x02\x12\x00"), 0);
    end();
}

/* ---- Both ---------------------------------------------------------------------------------------- */

/* Encodes, decodes and encodes again; the bytes must agree. */
static void check_round_trip(const test_all_Everything *m) {
    int64_t size = test_all_Everything_size(m);
    CHECK(size >= 0);
    uint8_t *first = tern_arena_alloc(&arena, (size_t)size), *second = tern_arena_alloc(&arena, (size_t)size + 100);
    CHECK_EQ(test_all_Everything_encode(m, first, (size_t)size), size);
    for (int mode = TERN_DECODE_ALIAS; mode <= TERN_DECODE_COPY; mode++) {
        test_all_Everything back;
        memset(&back, 0x55, sizeof back);
        CHECK_EQ(tern_protobuf_decode(&test_all_Everything_type, first, (size_t)size, &arena, mode, NULL, &back), 0);
        CHECK_EQ(test_all_Everything_encode(&back, second, (size_t)size + 100), size);
        CHECK_MEM(first, second, size);
    }
}

static void round_trip__random_messages(void) {
    tern__rng rng;
    tern__rng_seed(&rng, 1);
    for (int i = 0; i < 500; i++) {
        test_all_Everything m = {0};
        begin();
        random_message(&test_all_Everything_type, &m, &arena, &rng, 4);
        check_round_trip(&m);
        end();
        CHECK_OK();
    }
}

/* The type, but for what TERN_FIELD() works out: its fields go the way of those that have rules of their own. */
static tern_type without_shapes(const tern_type *type) {
    tern_type plain = *type;
    tern_field *fields = tern_arena_alloc(&arena, type->n_fields * sizeof *fields);
    plain.fields = fields;
    for (uint32_t i = 0; i < type->n_fields; i++) {
        fields[i] = type->fields[i];
        fields[i].tag = 0;
        fields[i].tag_bytes = fields[i].shape = 0;
    }
    return plain;
}

static void encode__alike_with_and_without_shapes(void) {
    static const tern_type *const types[] = {&test_all_Scalars_type, &test_all_Optionals_type, &test_all_Sparse_type,
                                             &test_all_Wide_type, &test_all_Everything_type};
    tern__rng rng;
    tern__rng_seed(&rng, 4);
    for (size_t i = 0; i < 500; i++) {
        const tern_type *type = types[i % TERN__COUNT(types)];
        begin();
        void *msg = tern_arena_alloc(&arena, type->size_bytes);
        memset(msg, 0, type->size_bytes);
        random_message(type, msg, &arena, &rng, 3);
        tern_type plain = without_shapes(type);
        size_t size = (size_t)tern_protobuf_size(type, msg);
        uint8_t *a = tern_arena_alloc(&arena, size + 1), *b = tern_arena_alloc(&arena, size + 1);
        CHECK_EQ(tern_protobuf_encode(type, msg, a, size), (int64_t)size);
        CHECK_EQ(tern_protobuf_encode(&plain, msg, b, size), (int64_t)size);
        CHECK_MEM(a, b, size);
        if (size > 0) CHECK_EQ(tern_protobuf_encode(type, msg, a, size - 1), TERN_ERR_LIMIT);
        end();
        CHECK_OK();
    }
}

/* Numbers of each length, into rooms that just hold them. */
static void encode__numbers_of_each_length(void) {
    uint8_t bytes[32];
    for (unsigned bits = 0; bits < 64; bits++) {
        const uint64_t value = (uint64_t)1 << bits | (uint64_t)1 << bits / 2;
        const size_t n = bits / 7 + 2;
        test_all_Scalars m = {.f_uint64 = value}, back;
        memset(bytes, 0xee, sizeof bytes);
        CHECK_EQ(tern_protobuf_encode(&test_all_Scalars_type, &m, bytes, n), (int64_t)n);
        CHECK_EQ(bytes[n], 0xee);
        begin();
        CHECK_EQ(decode(&test_all_Scalars_type, bytes, n, &back), 0);
        CHECK(back.f_uint64 == value);
        end();
    }
}

/* Each prefix of a message, and each message with one byte changed, decodes or is refused: nothing else
 * happens. A refused prefix was cut off or malformed, never something else. */
static void decode__prefixes_and_flipped_bytes(void) {
    tern__rng rng;
    tern__rng_seed(&rng, 2);
    for (int i = 0; i < 20; i++) {
        test_all_Everything m = {0}, back;
        begin();
        random_message(&test_all_Everything_type, &m, &arena, &rng, 2);
        int64_t size = test_all_Everything_size(&m);
        uint8_t *bytes = tern_arena_alloc(&arena, (size_t)size);
        CHECK_EQ(test_all_Everything_encode(&m, bytes, (size_t)size), size);
        for (int64_t k = 0; k < size && k < 600; k++) {
            int err = decode(&test_all_Everything_type, bytes, (size_t)k, &back);
            CHECK(err == 0 || err == TERN_ERR_TRUNCATED);
            uint8_t kept = bytes[k];
            bytes[k] ^= (uint8_t)(1 + tern__rng_below(&rng, 255));
            err = decode(&test_all_Everything_type, bytes, (size_t)size, &back);
            CHECK(err <= 0);
            bytes[k] = kept;
        }
        end();
    }
}

static void decode__every_allocation_may_fail(void) {
    tern__rng rng;
    test_all_Everything m = {0}, back;
    tern_arena scratch;
    uint8_t bytes[1 << 14];
    tern__rng_seed(&rng, 3);
    begin();
    random_message(&test_all_Everything_type, &m, &arena, &rng, 3);
    int64_t size = test_all_Everything_encode(&m, bytes, sizeof bytes);
    CHECK(size > 0);
    uint64_t n = 0;
    for (int err = TERN_ERR_NOMEM; err == TERN_ERR_NOMEM;) {
        tern_arena_init(&scratch, 0, 0);
        scratch.fail_countdown = ++n;
        err = tern_protobuf_decode(&test_all_Everything_type, bytes, (size_t)size, &scratch, TERN_DECODE_COPY, NULL,
                                   &back);
        tern_arena_fini(&scratch);
        CHECK(err == 0 || err == TERN_ERR_NOMEM);
    }
    CHECK(n > 10);
    end();
    free(copy_of_input);
    copy_of_input = NULL;
}

TAP_MAIN(TEST(encode__exact_bytes), TEST(encode__lists_packed_and_not), TEST(encode__presence_is_what_counts),
         TEST(encode__room_exact_or_too_small), TEST(encode__nesting_is_bounded), TEST(encode__size_beyond_2_gb),
         TEST(encode__required_must_be_set), TEST(decode__last_one_wins_and_messages_merge),
         TEST(decode__packed_and_unpacked_alike), TEST(decode__varints_are_cut_to_their_width),
         TEST(decode__unknown_fields_are_skipped), TEST(decode__malformed), TEST(decode__utf8),
         TEST(decode__alias_or_copy), TEST(decode__limits), TEST(decode__depth_has_a_ceiling), TEST(decode__required),
         TEST(round_trip__random_messages), TEST(encode__alike_with_and_without_shapes),
         TEST(encode__numbers_of_each_length), TEST(decode__prefixes_and_flipped_bytes),
         TEST(decode__every_allocation_may_fail))
