/* Tables of another layout are refused, wherever in a schema they stand. */
#include "base/base.h"
#include "shapes.h"
#include "tap.h"
#include "type/version.h"

/* Chains of types, each of which refers to itself and to the next: the last is the one that a case spoils. */
enum { LENGTH = 600 };

static tern_field fields[LENGTH][2];
static const tern_type *subs[LENGTH][2];
static tern_type chain[LENGTH];

static const tern_type *make_chain(uint32_t length) {
    for (uint32_t i = 0; i < length; i++) {
        fields[i][0] = (tern_field)TERN_FIELD(1, 0, 0, 0, TERN_MESSAGE, 0, 8);
        fields[i][1] = (tern_field)TERN_FIELD(2, 8, 1, 0, i + 1 < length ? TERN_GROUP : TERN_BOOL, 0, 8);
        subs[i][0] = &chain[i];
        subs[i][1] = i + 1 < length ? &chain[i + 1] : NULL;
        chain[i] = (tern_type){.version = TERN_TYPE_VERSION,
                               .name = "Chain",
                               .fields = fields[i],
                               .subs = subs[i],
                               .n_fields = 2,
                               .n_dense = 2,
                               .max_number = 2};
    }
    return chain;
}

static void check__tables_of_this_library(void) {
    CHECK_EQ(tern_type_check(&shape_type), 0);
    CHECK_EQ(tern_type_check(make_chain(1)), 0);
    fields[0][0].flags = TERN_FIELD_REPEATED | TERN_FIELD_POINTERS;
    CHECK_EQ(tern_type_check(chain), 0);
    CHECK_EQ(tern_type_check(make_chain(5)), 0);
    CHECK_EQ(tern__tables_1, TERN_TYPE_VERSION);
    CHECK_EQ(tern__tables_1_pointers, TERN_TYPE_VERSION);
    CHECK_EQ(tern__tables_1_no_unknown, TERN_TYPE_VERSION);
}

static void check__versions(void) {
    static const uint32_t others[] = {0, TERN_TYPE_VERSION - 1, TERN_TYPE_VERSION + 1, 255, 1u << 16, UINT32_MAX};
    for (size_t i = 0; i < TERN__COUNT(others); i++)
        for (uint32_t length = 1; length <= 4; length++) {
            const tern_type *type = make_chain(length), *last = &chain[length - 1];
            tern__unreadable why = {0};
            chain[length - 1].version = others[i];
            CHECK_EQ(tern_type_check(type), TERN_ERR_VERSION);
            CHECK(tern__type_find_unreadable(type, &why) && why.type == last && why.field == NULL);
        }
}

/* Of a table with another version nothing else is read: the rest of its struct may be anything. */
static void check__another_layout_is_not_read(void) {
    const tern_type *type = make_chain(2);
    memset(&chain[1], 0xff, sizeof chain[1]);
    CHECK_EQ(tern_type_check(type), TERN_ERR_VERSION);
}

static void spoil_field_flags(tern_field *field, uint32_t flag) { field->flags = flag & 0xffffff; }
static void spoil_message_flags(tern_field *field, uint32_t flag) {
    field->kind = TERN_MESSAGE;
    field->flags = flag & 0xffffff;
}
static void spoil_pointer_bytes(tern_field *field, uint32_t bytes) {
    spoil_message_flags(field, TERN_FIELD_POINTERS | TERN_FIELD_REPEATED);
    field->elem_bytes = (uint16_t)bytes;
}
static void spoil_field_kind(tern_field *field, uint32_t kind) { field->kind = kind & 0xff; }
static void spoil_field_unused(tern_field *field, uint32_t word) { field->unused = (uint16_t)word; }

static void check__fields(void) {
    static const struct {
        void (*spoil)(tern_field *field, uint32_t value);
        uint32_t value;
    } cases[] = {
        {spoil_field_flags, TERN_FIELD_GRAPH},
        {spoil_field_flags, TERN_FIELD_POINTERS},                       /* of a bool */
        {spoil_field_flags, TERN_FIELD_POINTERS | TERN_FIELD_REPEATED}, /* of bools */
        {spoil_message_flags, TERN_FIELD_POINTERS},                     /* of one message */
        {spoil_message_flags, TERN_FIELD_POINTERS | TERN_FIELD_REPEATED | TERN_FIELD_MAP},
        {spoil_pointer_bytes, 4},
        {spoil_field_flags, TERN_FIELD_DEVICE},
        {spoil_field_flags, TERN_FIELD_OBJECT}, /* of a bool */
        {spoil_field_flags, 1u << 12},
        {spoil_field_flags, 1u << 23},
        {spoil_field_kind, 0},
        {spoil_field_kind, TERN_SINT64 + 1},
        {spoil_field_kind, 255},
        {spoil_field_unused, 1},
    };
    for (size_t i = 0; i < TERN__COUNT(cases); i++) {
        tern__unreadable why = {0};
        const tern_type *type = make_chain(3);
        cases[i].spoil(&fields[2][1], cases[i].value);
        CHECK_EQ(tern_type_check(type), TERN_ERR_VERSION);
        CHECK(tern__type_find_unreadable(type, &why) && why.type == &chain[2] && why.field == &fields[2][1]);
    }
    for (uint32_t flag = 1; flag <= TERN_FIELD_CLOSED; flag <<= 1) {
        const tern_type *type = make_chain(3);
        fields[2][1].flags = flag & 0xff;
        CHECK_EQ(tern_type_check(type), 0);
    }
}

static void check__type_flags(void) {
    const tern_type *type = make_chain(2);
    chain[1].flags = TERN_TYPE_MAP_ENTRY | TERN_TYPE_REQUIRED;
    CHECK_EQ(tern_type_check(type), 0);
    chain[1].flags = 16;
    CHECK_EQ(tern_type_check(type), TERN_ERR_VERSION);
}

/* Of a type without unknown fields encoders read a word of the struct. */
static void check__no_unknown(void) {
    static const struct {
        uint32_t flags, size_bytes, offset;
        int err;
    } cases[] = {{TERN_TYPE_NO_UNKNOWN, 4, TERN_NO_UNKNOWN(0), 0},
                 {TERN_TYPE_NO_UNKNOWN | TERN_TYPE_REQUIRED, 40, TERN_NO_UNKNOWN(36), 0},
                 {TERN_TYPE_NO_UNKNOWN | TERN_TYPE_MAP_ENTRY, 40, TERN_NO_UNKNOWN(0), TERN_ERR_VERSION},
                 {TERN_TYPE_NO_UNKNOWN, 3, TERN_NO_UNKNOWN(0), TERN_ERR_VERSION},
                 {TERN_TYPE_NO_UNKNOWN, 0, TERN_NO_UNKNOWN(0), TERN_ERR_VERSION},
                 {TERN_TYPE_NO_UNKNOWN, 40, TERN_NO_UNKNOWN(37), TERN_ERR_VERSION},
                 {TERN_TYPE_NO_UNKNOWN, UINT32_MAX, 0x80000000u, TERN_ERR_VERSION},
                 {TERN_TYPE_NO_UNKNOWN, UINT32_MAX, UINT32_MAX, 0},
                 {TERN_TYPE_NO_UNKNOWN, 12, UINT32_MAX - 8, TERN_ERR_VERSION}};
    for (size_t i = 0; i < TERN__COUNT(cases); i++) {
        const tern_type *type = make_chain(2);
        chain[1].flags = cases[i].flags;
        chain[1].size_bytes = cases[i].size_bytes;
        chain[1].unknown_offset = cases[i].offset;
        CHECK_EQ(tern_type_check(type), cases[i].err);
    }
}

typedef struct object {
    tern_str type_url;
    tern_bytes value;
} object;

/* As that of tern.Object, which is in a higher layer. */
static const tern_field object_fields[] = {
    TERN_FIELD(1, offsetof(object, type_url), 0, 0, TERN_STRING, TERN_FIELD_UTF8, sizeof(tern_str)),
    TERN_FIELD(2, offsetof(object, value), 0, 0, TERN_BYTES, 0, sizeof(tern_bytes))};
static const tern_type object_type = {.version = TERN_TYPE_VERSION,
                                      .flags = TERN_TYPE_NO_UNKNOWN | TERN_TYPE_OBJECT,
                                      .fields = object_fields,
                                      .n_fields = 2,
                                      .size_bytes = sizeof(object),
                                      .unknown_offset = TERN_NO_UNKNOWN(0)};

/* Fields of tern.Object, and no others, say that they are; lists of such hold pointers. */
static void check__objects(void) {
    static const struct {
        uint32_t kind, flags, elem_bytes;
        int err;
    } cases[] = {{TERN_MESSAGE, TERN_FIELD_OBJECT, 8, 0},
                 {TERN_MESSAGE, TERN_FIELD_OBJECT | TERN_FIELD_ONEOF, 8, 0},
                 {TERN_MESSAGE, TERN_FIELD_OBJECT | TERN_FIELD_REPEATED | TERN_FIELD_POINTERS, 8, 0},
                 {TERN_MESSAGE, TERN_FIELD_OBJECT | TERN_FIELD_REPEATED, 8, TERN_ERR_VERSION},
                 {TERN_MESSAGE, TERN_FIELD_OBJECT, 4, TERN_ERR_VERSION},
                 {TERN_GROUP, TERN_FIELD_OBJECT, 8, TERN_ERR_VERSION},
                 {TERN_MESSAGE, 0, 8, TERN_ERR_VERSION}};
    for (size_t i = 0; i < TERN__COUNT(cases); i++) {
        const tern_field field = {.number = 1,
                                  .kind = cases[i].kind & 0xff,
                                  .flags = cases[i].flags & 0xffffff,
                                  .elem_bytes = (uint16_t)cases[i].elem_bytes};
        const tern_type *const objects[] = {&object_type};
        const tern_type type = {.version = TERN_TYPE_VERSION, .fields = &field, .subs = objects, .n_fields = 1};
        CHECK_EQ(tern_type_check(&type), cases[i].err);
    }
    const tern_field field = {.number = 1, .kind = TERN_MESSAGE, .flags = TERN_FIELD_OBJECT, .elem_bytes = 8};
    const tern_type *const others[] = {&shape_type}; /* no tern.Object */
    const tern_type type = {.version = TERN_TYPE_VERSION, .fields = &field, .subs = others, .n_fields = 1};
    CHECK_EQ(tern_type_check(&type), TERN_ERR_VERSION);
    tern_type wrong = object_type;
    wrong.n_fields = 1;
    CHECK_EQ(tern_type_check(&wrong), TERN_ERR_VERSION);
    wrong = object_type;
    wrong.flags = TERN_TYPE_OBJECT;
    CHECK_EQ(tern_type_check(&wrong), TERN_ERR_VERSION);
    CHECK_EQ(tern_type_check(&object_type), 0);
    CHECK_EQ(tern__tables_1_objects, TERN_TYPE_VERSION);
}

/* What lies beyond the first 512 types goes unchecked, and memory stays bounded. */
static void check__bounded(void) {
    const tern_type *type = make_chain(LENGTH);
    chain[511].version = 0;
    CHECK_EQ(tern_type_check(type), TERN_ERR_VERSION);
    type = make_chain(LENGTH);
    chain[512].version = 0;
    CHECK_EQ(tern_type_check(type), 0);
}

TAP_MAIN(TEST(check__tables_of_this_library), TEST(check__versions), TEST(check__another_layout_is_not_read),
         TEST(check__fields), TEST(check__type_flags), TEST(check__no_unknown), TEST(check__objects),
         TEST(check__bounded))
