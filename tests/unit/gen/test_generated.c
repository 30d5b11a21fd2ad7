/* Generated structs and helpers: what they do. */
#include "everything.tern.h"
#include "old.tern.h"
#include "tap.h"

static void lists__reserve_and_add(void) {
    tern_arena arena;
    tern_arena_init(&arena, 0, 0);
    test_all_Lists lists = {0};
    CHECK_EQ(test_all_Lists_reserve_f_int32(&lists, 100, &arena), 0);
    CHECK(lists.f_int32.cap >= 100);
    CHECK_EQ(lists.f_int32.len, 0);
    for (int32_t i = 0; i < 100; i++) lists.f_int32.data[lists.f_int32.len++] = i;
    test_all_Scalars *element = test_all_Lists_add_scalars(&lists, &arena);
    CHECK(element == lists.scalars.data);
    CHECK_EQ(element->f_int64, 0);
    CHECK_EQ(lists.scalars.len, 1);
    tern_arena_fini(&arena);
}

static void add__out_of_memory_is_null(void) {
    tern_arena arena;
    tern_arena_init(&arena, 0, 0);
    arena.fail_countdown = 1;
    test_all_Lists lists = {0};
    CHECK(test_all_Lists_add_scalars(&lists, &arena) == NULL);
    CHECK_EQ(lists.scalars.len, 0);
    tern_arena_fini(&arena);
}

static void presence__set_has_clear(void) {
    test_all_Optionals m = {0};
    CHECK(!test_all_Optionals_has_f_int32(&m));
    CHECK_EQ(test_all_Optionals_size(&m), 0);
    test_all_Optionals_set_f_int32(&m, 0);
    CHECK(test_all_Optionals_has_f_int32(&m));
    CHECK_EQ(test_all_Optionals_size(&m), 2);
    test_all_Optionals_set_f_string(&m, tern_str_of("x"));
    test_all_Optionals_clear_f_string(&m);
    test_all_Optionals_clear_f_int32(&m);
    CHECK_EQ(test_all_Optionals_size(&m), 0);
    CHECK(m.f_string.data == NULL);
}

/* The compiler's bit-fields are where the table says. */
static void presence__beyond_one_word(void) {
    static const uint32_t numbers[] = {1, 32, 33, 64, 65, 70};
    test_all_Wide m = {0}, back;
    uint8_t bytes[64];
    tern_arena arena;
    CHECK_EQ(test_all_Wide_type.n_has, 70);
    test_all_Wide_set_b1(&m, true);
    test_all_Wide_set_b32(&m, false);
    test_all_Wide_set_b33(&m, true);
    test_all_Wide_set_b64(&m, false);
    test_all_Wide_set_b65(&m, true);
    test_all_Wide_set_b70(&m, false);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const tern_field *f = tern_type_field(&test_all_Wide_type, numbers[i]);
        uint32_t word;
        memcpy(&word, (const char *)&m + test_all_Wide_type.has_offset + f->has / 32 * 4, 4);
        CHECK(word >> f->has % 32 & 1);
    }
    int64_t len = test_all_Wide_encode(&m, bytes, sizeof bytes);
    CHECK_EQ(len, 2 + 5 * 3);
    tern_arena_init(&arena, 0, 0);
    CHECK_EQ(test_all_Wide_decode(bytes, (size_t)len, &arena, TERN_DECODE_ALIAS, &back), 0);
    CHECK_MEM(&m.has, &back.has, sizeof m.has);
    tern_arena_fini(&arena);
}

static void get__defaults_of_every_kind(void) {
    test_old_Defaults m = {0};
    CHECK_EQ(test_old_Defaults_get_i(&m), -7);
    CHECK_EQ(test_old_Defaults_get_lowest(&m), INT32_MIN);
    CHECK_EQ(test_old_Defaults_get_l(&m), INT64_MIN);
    CHECK_EQ(test_old_Defaults_get_u(&m), UINT32_MAX);
    CHECK(test_old_Defaults_get_m(&m) == UINT64_MAX);
    CHECK(test_old_Defaults_get_f(&m) == 1.5f);
    CHECK(test_old_Defaults_get_d(&m) == -1e300);
    CHECK(test_old_Defaults_get_infinite(&m) > 1e308);
    CHECK(test_old_Defaults_get_minus_infinite(&m) < -3e38f);
    CHECK(test_old_Defaults_get_none(&m) != test_old_Defaults_get_none(&m));
    CHECK(test_old_Defaults_get_b(&m));
    CHECK(tern_str_eq(test_old_Defaults_get_s(&m), tern_str_of("a \"quoted\" \\ \?\?= line\n\xc3\xa4")));
    CHECK(tern_bytes_eq(test_old_Defaults_get_raw(&m), tern_bytes_of("\0\1\377x", 4)));
    CHECK_EQ(test_old_Defaults_get_mode(&m), test_old_Mode_FAST);
    CHECK(test_old_Defaults_get_tiny(&m) == 1e-45f);
    CHECK_EQ(test_old_Defaults_get_z(&m), 42);
    test_old_Defaults_set_i(&m, 5);
    CHECK_EQ(test_old_Defaults_get_i(&m), 5);
}

static void table__dense_and_sparse_numbers(void) {
    const tern_type *t = &test_all_Sparse_type;
    CHECK_EQ(t->n_fields, 5);
    CHECK_EQ(t->n_dense, 3);
    CHECK_EQ(t->max_number, 300);
    CHECK(strcmp(t->field_names[4], "z") == 0);
    CHECK_EQ(tern_type_field(t, 300)->offset, offsetof(test_all_Sparse, z));
    CHECK_EQ(tern_type_field(t, 17)->offset, offsetof(test_all_Sparse, k));
    CHECK(tern_type_field(t, 4) == NULL);
    CHECK(tern_type_field(t, 0) == NULL);
    CHECK(tern_type_field(t, UINT32_MAX) == NULL);
    CHECK_EQ(test_all_Empty_type.n_fields, 0);
    CHECK(tern_type_field(&test_all_Empty_type, 1) == NULL);
}

TAP_MAIN(TEST(lists__reserve_and_add), TEST(add__out_of_memory_is_null), TEST(presence__set_has_clear),
         TEST(presence__beyond_one_word), TEST(get__defaults_of_every_kind), TEST(table__dense_and_sparse_numbers))
