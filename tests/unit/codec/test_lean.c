/* Types whose structs have no unknown fields, beside twins that have them: both say the same in every format, but for
 * what the schema lacks, which the first drop. */
#include "base/base.h"
#include "base/rng.h"
#include "lean.tern.h"
#include "lean2.tern.h"
#include "random_message.h"
#include "tap.h"
#include "tern/json.h"

#define BYTES(literal) tern_bytes_of(literal, sizeof(literal) - 1)

static const tern_type *const lean = &test_lean_Lean_type, *const full = &test_lean_Full_type;

static tern_arena arena;

static void set_up(void) { tern_arena_init(&arena, 1 << 16, 0); }
static void tear_down(void) { tern_arena_fini(&arena); }

static tern_bytes encoded(const tern_type *type, const void *msg) {
    int64_t size = tern_protobuf_size(type, msg);
    uint8_t *out = size < 0 ? NULL : tern_arena_alloc(&arena, (size_t)size + 1);
    if (!out || tern_protobuf_encode(type, msg, out, (size_t)size) != size) return (tern_bytes){0};
    return tern_bytes_of(out, (size_t)size);
}

static tern_bytes hybrid(const tern_type *type, const void *msg) {
    tern_hybrid_plan plan;
    if (tern_hybrid_measure(type, msg, SIZE_MAX, &plan) != 0) return (tern_bytes){0};
    uint8_t *out = tern_arena_alloc(&arena, plan.head_bytes);
    if (tern_hybrid_encode(type, msg, out, plan.head_bytes) != plan.head_bytes) return (tern_bytes){0};
    return tern_bytes_of(out, plan.head_bytes);
}

static tern_bytes json(const tern_type *type, const void *msg) {
    tern_str text = {0};
    if (tern_json_print(type, msg, NULL, &arena, &text) != 0) return (tern_bytes){0};
    return tern_bytes_of(text.data, text.len);
}

static tern_bytes as_text(const tern_type *type, const void *msg) {
    tern_str text = {0};
    if (tern_text_print(type, msg, NULL, &arena, &text) != 0) return (tern_bytes){0};
    return tern_bytes_of(text.data ? text.data : "", text.len);
}

static int decode(const tern_type *type, tern_bytes bytes, int mode, void *msg) {
    return tern_protobuf_decode(type, bytes.data, bytes.len, &arena, mode, NULL, msg);
}

/* ---- Tables -------------------------------------------------------------------------------------- */

static void lean__structs_are_shorter(void) {
    CHECK_EQ(sizeof(test_lean_Point), 8);
    CHECK_EQ(sizeof(test_lean_Flag), 4);
    CHECK_EQ(sizeof(test_lean_Flags), 5);
    CHECK_EQ(sizeof(test_lean_None), 4);
    CHECK_EQ(sizeof(test_lean_Lean) + sizeof(tern_unknown), sizeof(test_lean_Full));
    CHECK_EQ(test_lean_Point_type.flags, TERN_TYPE_NO_UNKNOWN);
    CHECK_EQ(test_lean2_Lean_type.flags, TERN_TYPE_NO_UNKNOWN | TERN_TYPE_REQUIRED);
    CHECK_EQ(test_lean_FullPoint_type.flags, 0);
    CHECK_EQ(tern_type_check(lean), 0);
    CHECK_EQ(tern_type_fingerprint(&test_lean_Point_type), tern_type_fingerprint(&test_lean_FullPoint_type));
}

/* ---- Twins --------------------------------------------------------------------------------------- */

static bool same(tern_bytes a, tern_bytes b) {
    bool are_same = a.data && b.data && tern_bytes_eq(a, b);
    if (!are_same) printf("# %zu and %zu bytes\n", a.len, b.len);
    return are_same;
}

static void check_twins(const test_lean_Full *made) {
    static test_lean_Full value, value_back;
    static test_lean_Lean twin, back, copy;
    CHECK_EQ(decode(full, encoded(full, made), TERN_DECODE_ALIAS, &value), 0);
    CHECK_EQ(decode(lean, encoded(full, made), TERN_DECODE_COPY, &twin), 0);
    CHECK(same(encoded(full, &value), encoded(lean, &twin)));
    CHECK(same(hybrid(full, &value), hybrid(lean, &twin)));
    CHECK(same(json(full, &value), json(lean, &twin)));
    CHECK(same(as_text(full, &value), as_text(lean, &twin)));
    tern_bytes bytes = hybrid(full, &value);
    CHECK_EQ(tern_hybrid_decode(lean, bytes.data, bytes.len, &arena, NULL, &back), 0);
    CHECK_EQ(tern_hybrid_decode(full, bytes.data, bytes.len, &arena, NULL, &value_back), 0);
    CHECK(same(encoded(full, &value_back), encoded(lean, &back)));
    bytes = json(full, &value);
    CHECK_EQ(tern_json_decode(lean, bytes.data, bytes.len, NULL, &arena, &back), 0);
    CHECK(test_lean_Lean_equal(&twin, &back));
    CHECK_EQ(test_lean_Lean_copy(&twin, &arena, &copy), 0);
    CHECK(test_lean_Lean_equal(&twin, &copy));
    CHECK(same(encoded(lean, &twin), encoded(lean, &copy)));
    copy.id++;
    CHECK(!test_lean_Lean_equal(&twin, &copy));
}

static void twins__random_messages(void) {
    tern__rng rng;
    tern__rng_seed(&rng, 11);
    set_up();
    for (int i = 0; i < 500 && !tap_failed; i++) {
        test_lean_Full *msg = tern_arena_zalloc(&arena, sizeof *msg);
        random_message(full, msg, &arena, &rng, 4);
        check_twins(msg);
        tern_arena_reset(&arena);
    }
    tear_down();
}

static int append(void *ctx, const tern_bytes *pieces, size_t n) {
    tern_list *out = ctx;
    for (size_t i = 0; i < n; i++) {
        if (tern_list_reserve(out, out->len + pieces[i].len, 1, &arena)) return TERN_ERR_NOMEM;
        memcpy((uint8_t *)out->data + out->len, pieces[i].data, pieces[i].len);
        out->len += pieces[i].len;
    }
    return 0;
}

/* Any bytes: both refuse them alike, or come to the same once unknown fields are dropped; whole and in pieces. */
static void twins__damaged_bytes(void) {
    tern__rng rng;
    tern__rng_seed(&rng, 12);
    size_t n_sound = 0, n_dropped = 0;
    set_up();
    for (int i = 0; i < 5000 && !tap_failed; i++) {
        test_lean_Full *msg = tern_arena_zalloc(&arena, sizeof *msg), value;
        test_lean_Lean twin;
        random_message(full, msg, &arena, &rng, 3);
        tern_bytes whole = encoded(full, msg);
        uint8_t *bytes = tern_arena_alloc(&arena, whole.len + 1);
        if (whole.len) memcpy(bytes, whole.data, whole.len);
        const uint64_t bit = whole.len ? tern__rng_below(&rng, whole.len * 8) : 0;
        if (whole.len) bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        whole.data = bytes;
        int err = decode(full, whole, TERN_DECODE_COPY, &value);
        bool keeps = err == 0 && value.unknown.len > 0;
        if (err == 0) err = decode(full, whole, TERN_DECODE_COPY | TERN_DECODE_DROP_UNKNOWN, &value);
        CHECK_EQ(decode(lean, whole, i % 2 ? TERN_DECODE_COPY : TERN_DECODE_ALIAS, &twin), err);
        if (err == 0) {
            tern_list out = {0};
            tern_bytes expected = encoded(full, &value);
            CHECK(same(expected, encoded(lean, &twin)));
            CHECK_EQ(tern_protobuf_encode_sg(lean, &twin, 0, TERN_SG_ANY, &arena, append, &out), expected.len);
            CHECK(expected.len == 0 || memcmp(expected.data, out.data, out.len) == 0);
            const size_t cut = tern__rng_below(&rng, whole.len + 1);
            const tern_bytes pieces[] = {{bytes, cut}, {bytes + cut, whole.len - cut}};
            CHECK_EQ(tern_protobuf_decode_pieces(lean, pieces, 2, &arena, TERN_DECODE_COPY, NULL, &twin), 0);
            CHECK(same(expected, encoded(lean, &twin)));
        }
        n_sound += err == 0;
        n_dropped += keeps;
        tern_arena_reset(&arena);
    }
    printf("# %zu sound, %zu with unknown fields\n", n_sound, n_dropped);
    CHECK(n_sound > 500 && n_dropped > 50);
    tear_down();
}

/* ---- What is dropped ------------------------------------------------------------------------------ */

static void drop__unknown_fields(void) {
    test_lean_Point point;
    set_up();
    const tern_bytes bytes = BYTES("\xfa\x3f\x01z\x0d\0\0\x80\x3f\x18\x07\x15\0\0\0\x40"); /* 1023: "z", x, 3: 7, y */
    CHECK_EQ(decode(&test_lean_Point_type, bytes, TERN_DECODE_ALIAS, &point), 0);
    CHECK(point.x == 1 && point.y == 2);
    CHECK_EQ(test_lean_Point_size(&point), 10);
    CHECK_EQ(tern_protobuf_merge(&test_lean_Point_type, "\x18\x07", 2, &arena, TERN_DECODE_COPY, NULL, &point), 0);
    CHECK(point.x == 1 && point.y == 2);
    CHECK_EQ(decode(&test_lean_Point_type, BYTES("\x18"), TERN_DECODE_ALIAS, &point), TERN_ERR_TRUNCATED);
    CHECK_EQ(decode(&test_lean_Point_type, BYTES("\xfa\x3f\x02z"), TERN_DECODE_ALIAS, &point), TERN_ERR_TRUNCATED);
    tear_down();
}

/* Numbers that a closed enum lacks, alone, in lists of both forms and in the entries of maps. */
static void drop__values_of_closed_enums(void) {
    static const char color[] = "\x08\x07", colors[] = "\x10\x05\x10\x07\x12\x03\x00\x07\x05",
                      named[] = "\x1a\x04\x08\x01\x10\x07\x1a\x04\x08\x02\x10\x05", id[] = "\x20\x09";
    uint8_t bytes[sizeof color + sizeof colors + sizeof named + sizeof id], *end = bytes;
    test_lean2_Lean m;
    set_up();
    memcpy(end, color, sizeof color - 1), end += sizeof color - 1;
    memcpy(end, colors, sizeof colors - 1), end += sizeof colors - 1;
    memcpy(end, named, sizeof named - 1), end += sizeof named - 1;
    memcpy(end, id, sizeof id - 1), end += sizeof id - 1;
    CHECK_EQ(decode(&test_lean2_Lean_type, tern_bytes_of(bytes, (size_t)(end - bytes)), TERN_DECODE_COPY, &m), 0);
    CHECK(!m.has.color && m.has.id && m.id == 9);
    CHECK(m.colors.len == 3 && m.colors.data[0] == 5 && m.colors.data[1] == 0 && m.colors.data[2] == 5);
    CHECK(m.named.len == 1 && m.named.data[0].key == 2 && m.named.data[0].value == 5);
    CHECK_EQ(decode(&test_lean2_Lean_type, BYTES("\x08\x07"), TERN_DECODE_COPY, &m), TERN_ERR_MALFORMED); /* no id */
    tear_down();
}

/* ---- Small structs -------------------------------------------------------------------------------- */

/* Nothing outside the struct is read: it lies at the end of memory of just its size, which sanitizers watch. */
static void small__encode_from_memory_of_their_size(void) {
    static const struct {
        const tern_type *type;
        size_t n_bools; /* at the begin */
        int64_t size;
    } cases[] = {{&test_lean_None_type, 0, 0}, {&test_lean_Flag_type, 1, 2}, {&test_lean_Flags_type, 5, 10}};
    for (size_t i = 0; i < TERN__COUNT(cases); i++) {
        uint8_t out[16], *msg = calloc(1, cases[i].type->size_bytes);
        CHECK(msg);
        memset(msg, 1, cases[i].n_bools);
        CHECK_EQ(tern_protobuf_size(cases[i].type, msg), cases[i].size);
        CHECK_EQ(tern_protobuf_encode(cases[i].type, msg, out, sizeof out), cases[i].size);
        CHECK(tern_message_equal(cases[i].type, msg, msg));
        free(msg);
    }
    test_lean_Maybe *maybe = calloc(1, sizeof *maybe);
    CHECK(maybe);
    test_lean_Maybe_set_b(maybe, false);
    CHECK_EQ(test_lean_Maybe_size(maybe), 2);
    free(maybe);
    test_lean_Choice *choice = calloc(1, sizeof *choice);
    CHECK(choice);
    test_lean_Choice_set_no(choice, true);
    CHECK_EQ(test_lean_Choice_size(choice), 2);
    free(choice);
}

TAP_MAIN(TEST(lean__structs_are_shorter), TEST(twins__random_messages), TEST(twins__damaged_bytes),
         TEST(drop__unknown_fields), TEST(drop__values_of_closed_enums), TEST(small__encode_from_memory_of_their_size))
