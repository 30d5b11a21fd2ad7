/* Unknown fields: reading what came, refusing what is no field, collecting. */
#include "base/base.h"
#include "shapes.h"
#include "tap.h"

#define BYTES(text) ((const uint8_t *)(text)), sizeof(text) - 1

static const struct {
    const uint8_t *bytes;
    size_t len;
    uint32_t number, wire;
    uint64_t value;
    size_t content_at, content_len; /* of wire types 2 and 3 */
} fields[] = {
    {BYTES("\x08\x00"), 1, 0, 0, 0, 0},
    {BYTES("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), 1, 0, UINT64_MAX, 0, 0},
    {BYTES("\x08\x80\x00"), 1, 0, 0, 0, 0},
    {BYTES("\xf8\xff\xff\xff\x0f\x05"), 536870911, 0, 5, 0, 0},
    {BYTES("\x88\x80\x00\x05"), 1, 0, 5, 0, 0},
    {BYTES("\x88\x80\x80\x80\x10\x05"), 1, 0, 5, 0, 0},
    {BYTES("\x1a\x81\x80\x80\x80\x00x"), 3, 2, 0, 6, 1},
    {BYTES("\x11\x01\x02\x03\x04\x05\x06\x07\x08"), 2, 1, 0x0807060504030201u, 0, 0},
    {BYTES("\x15\xff\xff\xff\xff"), 2, 5, 0xffffffffu, 0, 0},
    {BYTES("\x1a\x00"), 3, 2, 0, 2, 0},
    {BYTES("\x1a\x03"
           "abc"),
     3, 2, 0, 2, 3},
    {BYTES("\x23\x24"), 4, 3, 0, 1, 0},
    {BYTES("\x23\x08\x01\x1a\x01x\x24"), 4, 3, 0, 1, 5},
    {BYTES("\x23\x2b\x23\x24\x2c\x11--------\x24"), 4, 3, 0, 1, 13},
};

static void next__every_wire_type(void) {
    for (size_t i = 0; i < TERN__COUNT(fields); i++) {
        uint8_t *exact = malloc(fields[i].len);
        memcpy(exact, fields[i].bytes, fields[i].len);
        tern_unknown unknown = {.data = exact, .len = (uint32_t)fields[i].len};
        tern_unknown_field field;
        size_t at = 0;
        CHECK(tern_unknown_next(&unknown, &at, &field));
        CHECK_EQ(at, unknown.len);
        CHECK_EQ(field.number, fields[i].number);
        CHECK_EQ(field.wire, fields[i].wire);
        CHECK(field.value == fields[i].value);
        CHECK(field.encoded.data == exact && field.encoded.len == unknown.len);
        if (fields[i].content_at) CHECK(field.content.data == exact + fields[i].content_at);
        CHECK_EQ(field.content.len, fields[i].content_len);
        CHECK(!tern_unknown_next(&unknown, &at, &field) && at == unknown.len);
        for (uint32_t cut = 1; cut < fields[i].len; cut++) { /* cut off anywhere it is no field */
            uint8_t *part = malloc(cut);
            memcpy(part, exact, cut);
            unknown = (tern_unknown){.data = part, .len = cut};
            at = 0;
            CHECK(!tern_unknown_next(&unknown, &at, &field) && at == 0);
            free(part);
        }
        free(exact);
    }
}

static void next__refuses_what_is_no_field(void) {
    static const struct {
        const uint8_t *bytes;
        size_t len;
    } wrong[] = {
        {BYTES("\x00\x01")},                                         /* number 0 */
        {BYTES("\x0e")},                                             /* wire type 6 */
        {BYTES("\x0f\x01")},                                         /* wire type 7 */
        {BYTES("\x0c")},                                             /* the end of no group */
        {BYTES("\x88\x80\x80\x80\x80\x00\x01")},                     /* a tag of 6 bytes */
        {BYTES("\x80\x80\x80\x80\x10\x01")},                         /* number 0 in its lower 32 bits */
        {BYTES("\x1a\x81\x80\x80\x80\x80\x00x")},                    /* a length of 6 bytes */
        {BYTES("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01")}, /* a varint of 11 bytes */
        {BYTES("\x1a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01")},     /* a length of 2^64 - 1 */
        {BYTES("\x23\x2c")},                                         /* another group's end */
        {BYTES("\x23\x2b\x24\x2c")},                                 /* ends that cross */
        {BYTES("\x23\x0e\x24")},
    };
    for (size_t i = 0; i < TERN__COUNT(wrong); i++) {
        tern_unknown unknown = {.data = wrong[i].bytes, .len = (uint32_t)wrong[i].len};
        tern_unknown_field field;
        size_t at = 0;
        CHECK(!tern_unknown_next(&unknown, &at, &field) && at == 0);
        at = wrong[i].len + 1;
        CHECK(!tern_unknown_next(&unknown, &at, &field));
    }
    CHECK(!tern_unknown_next(&(tern_unknown){0}, &(size_t){0}, &(tern_unknown_field){0}));
}

static void next__groups_as_deep_as_decoders_go(void) {
    static uint8_t deep[2002];
    tern_unknown_field field;
    for (size_t depth = 1000; depth <= 1001; depth++) {
        memset(deep, 0x0b, depth);
        memset(deep + depth, 0x0c, depth);
        tern_unknown unknown = {.data = deep, .len = (uint32_t)(2 * depth)};
        size_t at = 0;
        CHECK_EQ(tern_unknown_next(&unknown, &at, &field), depth == 1000);
    }
}

static void next__in_the_order_in_which_they_came(void) {
    tern_arena arena;
    tern_unknown unknown = {0};
    tern_unknown_field field;
    tern_arena_init(&arena, 0, 0);
    for (size_t i = 0; i < TERN__COUNT(fields); i++)
        CHECK_EQ(tern_unknown_append(&unknown, fields[i].bytes, fields[i].len, &arena), 0);
    size_t at = 0;
    for (size_t i = 0; i < TERN__COUNT(fields); i++) {
        CHECK(tern_unknown_next(&unknown, &at, &field));
        CHECK_EQ(field.number, fields[i].number);
        CHECK(field.value == fields[i].value);
    }
    CHECK_EQ(at, unknown.len);
    tern_arena_fini(&arena);
}

static void append__copies_and_grows(void) {
    static const uint8_t borrowed[] = {0x08, 0x01};
    tern_arena arena;
    tern_unknown unknown = {.data = borrowed, .len = 2};
    tern_arena_init(&arena, 0, 0);
    for (unsigned i = 0; i < 5000; i++) {
        uint8_t field[] = {0x10, (uint8_t)(i & 0x7f)};
        CHECK_EQ(tern_unknown_append(&unknown, field, sizeof field, &arena), 0);
        CHECK(unknown.data != borrowed && unknown.cap >= unknown.len);
    }
    CHECK_EQ(unknown.len, 10002);
    CHECK_MEM(unknown.data, borrowed, 2);
    for (unsigned i = 0; i < 5000; i++) CHECK_EQ(unknown.data[2 * i + 3], i & 0x7f);
    uint32_t len = unknown.len;
    CHECK_EQ(tern_unknown_append(&unknown, unknown.data, len, &arena), 0); /* itself */
    CHECK_MEM(unknown.data, unknown.data + len, len);
    tern_arena_fini(&arena);
}

static void append__errors_change_nothing(void) {
    tern_arena arena;
    tern_unknown unknown = {0};
    tern_arena_init(&arena, 0, 4096);
    CHECK_EQ(tern_unknown_append(&unknown, NULL, 0, &arena), 0);
    CHECK_EQ(tern_unknown_append(&unknown, "\x08\x01", 2, &arena), 0);
    tern_unknown before = unknown;
    CHECK_EQ(tern_unknown_append(&unknown, "", (size_t)1 << 31, &arena), TERN_ERR_LIMIT);
    CHECK_EQ(tern_unknown_append(&unknown, "", SIZE_MAX, &arena), TERN_ERR_LIMIT);
    static const uint8_t many[8192];
    CHECK_EQ(tern_unknown_append(&unknown, many, sizeof many, &arena), TERN_ERR_NOMEM);
    arena.fail_countdown = 1;
    CHECK_EQ(tern_unknown_append(&unknown, many, 200, &arena), TERN_ERR_NOMEM);
    CHECK_MEM(&before, &unknown, sizeof unknown);
    tern_arena_fini(&arena);
}

TAP_MAIN(TEST(next__every_wire_type), TEST(next__refuses_what_is_no_field), TEST(next__groups_as_deep_as_decoders_go),
         TEST(next__in_the_order_in_which_they_came), TEST(append__copies_and_grows),
         TEST(append__errors_change_nothing))
