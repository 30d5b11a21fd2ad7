/* Type tables and lists. */
#include "base/base.h"
#include "tap.h"
#include "tern/mem.h"
#include "tern/type.h"

static const tern_field fields[] = {{.number = 1, .offset = 10},
                                    {.number = 2, .offset = 20},
                                    {.number = 5, .offset = 50},
                                    {.number = 9, .offset = 90},
                                    {.number = 536870911, .offset = 99}};
static const char *const names[] = {"one", "two", "five", "nine", "last"};
static const tern_type type = {
    .name = "t", .fields = fields, .field_names = names, .n_fields = 5, .n_dense = 2, .max_number = 536870911};

static void field__dense_sparse_and_absent(void) {
    for (size_t i = 0; i < TERN__COUNT(fields); i++) CHECK(tern_type_field(&type, fields[i].number) == &fields[i]);
    static const uint32_t absent[] = {0, 3, 4, 6, 8, 10, 536870910, 536870912, UINT32_MAX};
    for (size_t i = 0; i < TERN__COUNT(absent); i++) CHECK(tern_type_field(&type, absent[i]) == NULL);
}

/* The tag's bytes as they are written, and how the field is to be treated. */
static void field__tag_and_shape(void) {
    static const tern_field made[] = {
        TERN_FIELD(1, 0, 0, 0, TERN_INT32, 0, 4),
        TERN_FIELD(15, 0, 0, 63, TERN_STRING, TERN_FIELD_HAS | TERN_FIELD_UTF8, 16),
        TERN_FIELD(16, 0, 0, 0, TERN_DOUBLE, 0, 8),
        TERN_FIELD(2047, 0, 0, 0, TERN_FLOAT, TERN_FIELD_HAS, 4),
        TERN_FIELD(2048, 0, 0, 0, TERN_INT32, 0, 4),
        TERN_FIELD(3, 0, 0, 64, TERN_INT32, TERN_FIELD_HAS, 4),
        TERN_FIELD(4, 0, 0, 9, TERN_INT32, TERN_FIELD_ONEOF, 4),
        TERN_FIELD(5, 0, 0, 0, TERN_INT32, TERN_FIELD_REPEATED | TERN_FIELD_PACKED, 4),
        TERN_FIELD(6, 0, 0, 0, TERN_GROUP, 0, 8),
        TERN_FIELD(7, 0, 0, 0, TERN_MESSAGE, 0, 8),
    };
    static const struct {
        uint16_t tag;
        uint8_t bytes, shape;
    } expected[] = {
        {0x0800, 1, TERN_INT32},
        {0x7a00, 1, TERN_STRING | TERN_SHAPE_HAS},
        {0x0181, 2, TERN_DOUBLE | TERN_SHAPE_TAG2},
        {0x7ffd, 2, TERN_FLOAT | TERN_SHAPE_HAS | TERN_SHAPE_TAG2},
        {0, 0, TERN_SHAPE_OTHER},
        {0x1800, 1, TERN_SHAPE_OTHER},
        {0x2000, 1, TERN_SHAPE_OTHER},
        {0x2a00, 1, TERN_SHAPE_OTHER},
        {0x3300, 1, TERN_SHAPE_OTHER},
        {0x3a00, 1, TERN_MESSAGE},
    };
    for (size_t i = 0; i < TERN__COUNT(made); i++) {
        CHECK_EQ(made[i].tag_bytes, expected[i].bytes);
        if (made[i].tag_bytes) CHECK_EQ(made[i].tag, expected[i].tag);
        CHECK_EQ(made[i].shape, expected[i].shape);
    }
}

static void field_by_name__found_or_not(void) {
    CHECK(tern_type_field_by_name(&type, "five") == &fields[2]);
    CHECK(tern_type_field_by_name(&type, "fiv") == NULL);
    CHECK(tern_type_field_by_name(&type, "") == NULL);
}

static void method_id__is_fnv1a(void) {
    CHECK_EQ(tern_method_id(""), 0x811c9dc5u);
    CHECK_EQ(tern_method_id("a"), 0xe40c292cu);
    CHECK_EQ(tern_method_id("foobar"), 0xbf9cf968u);
}

static void list_reserve__grows_in_place_when_last(void) {
    tern_arena arena;
    tern_list_i32 list = {0};
    tern_arena_init(&arena, 0, 0);
    CHECK_EQ(tern_list_reserve(&list, 1, sizeof(int32_t), &arena), 0);
    int32_t *data = list.data;
    size_t cap = list.cap;
    for (int32_t i = 0; i < 200; i++) {
        CHECK_EQ(tern_list_reserve(&list, list.len + 1, sizeof(int32_t), &arena), 0);
        CHECK_EQ(list.data[list.len], 0);
        list.data[list.len++] = i;
    }
    CHECK(list.data == data);
    CHECK(list.cap > cap);
    for (int32_t i = 0; i < 200; i++) CHECK_EQ(list.data[i], i);
    tern_arena_fini(&arena);
}

static void list_reserve__moves_when_something_follows(void) {
    tern_arena arena;
    tern_list_i32 list = {0};
    tern_arena_init(&arena, 0, 0);
    for (int32_t i = 0; i < 5000; i++) {
        CHECK_EQ(tern_list_reserve(&list, list.len + 1, sizeof(int32_t), &arena), 0);
        list.data[list.len++] = i;
        memset(tern_arena_alloc(&arena, 8), 0xff, 8);
    }
    for (int32_t i = 0; i < 5000; i++) CHECK_EQ(list.data[i], i);
    tern_arena_fini(&arena);
}

static void list_reserve__zeroes_what_it_makes_room_for(void) {
    tern_arena arena;
    tern_list_i32 list = {0};
    tern_arena_init(&arena, 0, 0);
    CHECK_EQ(tern_list_reserve(&list, 8, sizeof(int32_t), &arena), 0);
    memset(list.data, 0xff, 8 * sizeof(int32_t));
    list.len = 2;
    CHECK_EQ(tern_list_reserve(&list, 8, sizeof(int32_t), &arena), 0);
    CHECK_EQ(list.data[1], -1);
    for (size_t i = 2; i < 8; i++) CHECK_EQ(list.data[i], 0);
    tern_arena_fini(&arena);
}

static void list_reserve__copies_a_borrowed_list(void) {
    tern_arena arena;
    int32_t borrowed[3] = {1, 2, 3};
    tern_list_i32 list = {borrowed, 3, 0};
    tern_arena_init(&arena, 0, 0);
    CHECK_EQ(tern_list_reserve(&list, 4, sizeof(int32_t), &arena), 0);
    CHECK(list.data != borrowed);
    CHECK_EQ(list.data[2], 3);
    CHECK_EQ(list.len, 3);
    tern_arena_fini(&arena);
}

static void list_reserve__out_of_memory_changes_nothing(void) {
    tern_arena arena;
    tern_list_i32 list = {0};
    tern_arena_init(&arena, 0, 8192);
    CHECK_EQ(tern_list_reserve(&list, 10, sizeof(int32_t), &arena), 0);
    tern_list_i32 before = list;
    CHECK_EQ(tern_list_reserve(&list, SIZE_MAX / 2, sizeof(int32_t), &arena), TERN_ERR_NOMEM);
    CHECK_EQ(tern_list_reserve(&list, 100000, sizeof(int32_t), &arena), TERN_ERR_NOMEM);
    arena.fail_countdown = 1;
    CHECK_EQ(tern_list_reserve(&list, list.cap + 1, sizeof(int32_t), &arena), TERN_ERR_NOMEM);
    CHECK_MEM(&before, &list, sizeof list);
    tern_arena_fini(&arena);
}

static void views__compare_by_content(void) {
    CHECK(tern_str_eq(tern_str_of("ab"), (tern_str){"abc", 2}));
    CHECK(!tern_str_eq(tern_str_of("ab"), tern_str_of("ac")));
    CHECK(tern_str_eq(tern_str_of(NULL), tern_str_of("")));
    CHECK(tern_bytes_eq(tern_bytes_of(NULL, 0), tern_bytes_of("x", 0)));
}

TAP_MAIN(TEST(field__dense_sparse_and_absent), TEST(field__tag_and_shape), TEST(field_by_name__found_or_not),
         TEST(method_id__is_fnv1a), TEST(list_reserve__grows_in_place_when_last),
         TEST(list_reserve__moves_when_something_follows), TEST(list_reserve__zeroes_what_it_makes_room_for),
         TEST(list_reserve__copies_a_borrowed_list), TEST(list_reserve__out_of_memory_changes_nothing),
         TEST(views__compare_by_content))
