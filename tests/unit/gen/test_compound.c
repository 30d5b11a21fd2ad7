/* Generated oneofs, maps, groups, closed enums and copies: what their helpers do, and what the tables say. */
#include <math.h>

#include "compound.tern.h"
#include "legacy.tern.h"
#include "odd.tern.h"
#include "streaming.tern.h"
#include "tap.h"

#define S(text) tern_str_of(text)

static const tern_field *field_of(const tern_type *type, uint32_t number) {
    static const tern_field none;
    const tern_field *field = tern_type_field(type, number);
    return field ? field : &none;
}

/* ---- Oneofs -------------------------------------------------------------------------------------- */

static void oneof__set_has_clear(void) {
    test_compound_Choice m = {0};
    CHECK_EQ(test_compound_Choice_which_pick(&m), test_compound_Choice_pick_NOT_SET);
    CHECK(!test_compound_Choice_has_f_string(&m));
    test_compound_Choice_set_f_string(&m, S("x"));
    CHECK_EQ(test_compound_Choice_which_pick(&m), test_compound_Choice_pick_f_string);
    CHECK_EQ(m.pick_case, 10);
    CHECK(test_compound_Choice_has_f_string(&m));
    test_compound_Choice_set_f_bool(&m, false);
    CHECK(test_compound_Choice_has_f_bool(&m) && !test_compound_Choice_has_f_string(&m));
    test_compound_Choice_clear_f_string(&m);
    CHECK(test_compound_Choice_has_f_bool(&m));
    test_compound_Choice_clear_f_bool(&m);
    CHECK_EQ(m.pick_case, 0);
    test_compound_Choice_set_number(&m, 7);
    test_compound_Choice_clear_second(&m);
    CHECK_EQ(test_compound_Choice_size(&m), 0);
}

static void oneof__message_member(void) {
    tern_arena arena;
    tern_arena_init(&arena, 0, 0);
    test_compound_Choice m = {0};
    test_compound_Leaf own = {.id = 4};
    test_compound_Leaf *leaf = test_compound_Choice_make_f_leaf(&m, &arena);
    CHECK(leaf && leaf == m.f_leaf && leaf->id == 0);
    CHECK(test_compound_Choice_has_f_leaf(&m));
    test_compound_Choice_set_f_leaf(&m, &own);
    CHECK_EQ(m.f_leaf->id, 4);
    test_compound_Choice_set_f_int32(&m, 1);
    arena.fail_countdown = 1;
    CHECK(!test_compound_Choice_make_f_leaf(&m, &arena));
    CHECK(test_compound_Choice_has_f_int32(&m));
    tern_arena_fini(&arena);
}

static void oneof__table(void) {
    const tern_type *type = &test_compound_Choice_type;
    for (uint32_t number = 2; number <= 20; number++) {
        const tern_field *f = field_of(type, number);
        CHECK_EQ(f->flags & (TERN_FIELD_ONEOF | TERN_FIELD_HAS), TERN_FIELD_ONEOF);
        CHECK_EQ(f->has * 4, offsetof(test_compound_Choice, pick_case));
        CHECK_EQ(f->offset, offsetof(test_compound_Choice, f_double));
    }
    CHECK_EQ(field_of(type, 300)->has * 4, offsetof(test_compound_Choice, second_case));
    CHECK_EQ(field_of(type, 21)->flags, TERN_FIELD_HAS);
    CHECK_EQ(sizeof(test_compound_Choice_pick_case), 4);
    CHECK_EQ(type->n_has, 1);
}

static void oneof__default_of_a_member(void) {
    test_legacy_Groups m = {0};
    CHECK_EQ(test_legacy_Groups_get_number(&m), 12);
    CHECK(tern_str_eq(test_legacy_Groups_get_text(&m), S("none")));
    test_legacy_Groups_set_text(&m, S("some"));
    CHECK_EQ(test_legacy_Groups_get_number(&m), 12);
    CHECK(tern_str_eq(test_legacy_Groups_get_text(&m), S("some")));
    CHECK_EQ(test_legacy_Groups_get_level(&m), test_legacy_Level_HIGH);
}

static void oneof__every_member_comes_back(void) {
    tern_arena arena;
    uint8_t bytes[64];
    tern_arena_init(&arena, 0, 0);
    for (uint32_t number = 2; number <= 20; number++) {
        test_compound_Choice m = {0}, back;
        test_compound_Leaf leaf = {.id = 1};
        m.pick_case = (test_compound_Choice_pick_case)number;
        if (number >= 18) m.f_leaf = number == 18 ? &leaf : tern_arena_zalloc(&arena, 256);
        int64_t len = test_compound_Choice_encode(&m, bytes, sizeof bytes);
        CHECK(len > 0);
        CHECK_EQ(test_compound_Choice_decode(bytes, (size_t)len, &arena, TERN_DECODE_COPY, &back), 0);
        CHECK_EQ(back.pick_case, number);
        CHECK(test_compound_Choice_equal(&m, &back));
    }
    tern_arena_fini(&arena);
}

/* ---- Maps ---------------------------------------------------------------------------------------- */

static void map__put_get_remove(void) {
    tern_arena arena;
    tern_arena_init(&arena, 0, 0);
    test_compound_Maps m = {0};
    CHECK(!test_compound_Maps_get_by_string(&m, S("a")));
    CHECK_EQ(test_compound_Maps_put_by_string(&m, S("a"), S("1"), &arena), 0);
    CHECK_EQ(test_compound_Maps_put_by_string(&m, S("b"), S("2"), &arena), 0);
    CHECK_EQ(test_compound_Maps_put_by_string(&m, S("a"), S("3"), &arena), 0);
    CHECK_EQ(m.by_string.len, 2);
    CHECK(tern_str_eq(m.by_string.data[0].key, S("a")));
    CHECK(tern_str_eq(*test_compound_Maps_get_by_string(&m, S("a")), S("3")));
    CHECK(test_compound_Maps_remove_by_string(&m, S("a")));
    CHECK(!test_compound_Maps_remove_by_string(&m, S("a")));
    CHECK(!test_compound_Maps_get_by_string(&m, S("a")));
    CHECK(tern_str_eq(*test_compound_Maps_get_by_string(&m, S("b")), S("2")));
    CHECK_EQ(test_compound_Maps_put_by_bool(&m, true, false, &arena), 0);
    *test_compound_Maps_get_by_bool(&m, true) = true;
    CHECK(m.by_bool.data[0].value);
    CHECK_EQ(test_compound_Maps_put_to_mood(&m, S("x"), test_compound_Mood_MOOD_BAD, &arena), 0);
    CHECK_EQ(*test_compound_Maps_get_to_mood(&m, S("x")), -1);
    tern_arena_fini(&arena);
}

static void map__message_values(void) {
    tern_arena arena;
    tern_arena_init(&arena, 0, 0);
    test_compound_Maps m = {0};
    CHECK(!test_compound_Maps_get_to_leaf(&m, S("a")));
    test_compound_Leaf *leaf = test_compound_Maps_put_to_leaf(&m, S("a"), &arena);
    CHECK(leaf);
    leaf->id = 9;
    CHECK(test_compound_Maps_put_to_leaf(&m, S("a"), &arena) == leaf);
    CHECK(test_compound_Maps_get_to_leaf(&m, S("a")) == leaf);
    CHECK_EQ(m.to_leaf.len, 1);
    tern_arena_fini(&arena);
}

static void map__out_of_memory(void) {
    for (uint64_t n = 1; n <= 2; n++) {
        tern_arena arena;
        tern_arena_init(&arena, 0, 0);
        test_compound_Maps m = {0};
        arena.fail_countdown = n;
        CHECK(!test_compound_Maps_put_to_leaf(&m, S("a"), &arena));
        tern_arena_fini(&arena);
    }
    tern_arena arena;
    tern_arena_init(&arena, 0, 0);
    test_compound_Maps m = {0};
    arena.fail_countdown = 1;
    CHECK_EQ(test_compound_Maps_put_by_int32(&m, 1, 2, &arena), TERN_ERR_NOMEM);
    CHECK_EQ(m.by_int32.len, 0);
    tern_arena_fini(&arena);
}

static void map__table(void) {
    const tern_type *type = &test_compound_Maps_type;
    for (uint32_t number = 1; number <= 20; number++) {
        const tern_field *f = field_of(type, number);
        CHECK_EQ(f->flags, TERN_FIELD_REPEATED | TERN_FIELD_MAP);
        CHECK_EQ(f->kind, TERN_MESSAGE);
        const tern_type *entry = type->subs[f->sub];
        CHECK_EQ(entry->flags & TERN_TYPE_MAP_ENTRY, TERN_TYPE_MAP_ENTRY);
        CHECK_EQ(entry->n_fields, 2);
        CHECK_EQ(entry->n_has, 0);
        CHECK_EQ(f->elem_bytes, entry->size_bytes);
    }
    CHECK_EQ(test_compound_Maps_ToMoodEntry_type.fields[0].flags, TERN_FIELD_UTF8);
    CHECK_EQ(test_compound_Maps_ToMoodEntry_type.fields[1].flags, 0);
    CHECK_EQ(test_legacy_Closed_ByNameEntry_type.fields[1].flags, TERN_FIELD_CLOSED);
}

/* ---- Copies -------------------------------------------------------------------------------------- */

static void copy__is_deep_and_equal(void) {
    tern_arena first, second;
    tern_arena_init(&first, 0, 0);
    tern_arena_init(&second, 0, 0);
    char text[] = "changed later";
    test_compound_Holder m = {0}, copy;
    CHECK(test_compound_Holder_make_choice(&m, &first) && test_compound_Holder_make_maps(&m, &first));
    test_compound_Choice_set_f_string(m.choice, S(text));
    CHECK_EQ(test_compound_Maps_put_by_string(m.maps, S(text), S(text), &first), 0);
    CHECK(test_compound_Holder_add_choices(&m, &first));
    *test_compound_Holder_add_moods(&m, &first) = test_compound_Mood_MOOD_GOOD;
    CHECK_EQ(test_compound_Holder_copy(&m, &second, &copy), 0);
    CHECK(test_compound_Holder_equal(&m, &copy));
    text[0] = 'C';
    CHECK(!test_compound_Holder_equal(&m, &copy));
    tern_arena_fini(&first);
    CHECK(tern_str_eq(copy.choice->f_string, S("changed later")));
    CHECK(tern_str_eq(*test_compound_Maps_get_by_string(copy.maps, S("changed later")), S("changed later")));
    test_compound_Holder_clear_choice(&copy);
    CHECK(!test_compound_Holder_has_choice(&copy) && test_compound_Holder_has_maps(&copy));
    tern_arena_fini(&second);
}

/* ---- proto2 -------------------------------------------------------------------------------------- */

static void group__is_a_message(void) {
    tern_arena arena;
    uint8_t bytes[128];
    tern_arena_init(&arena, 0, 0);
    test_legacy_Groups m = {0}, back;
    CHECK_EQ(test_legacy_Groups_size(&m), TERN_ERR_INVALID);
    test_legacy_Groups_Needed *needed = test_legacy_Groups_make_needed(&m, &arena);
    CHECK(needed);
    CHECK_EQ(test_legacy_Groups_size(&m), TERN_ERR_INVALID);
    test_legacy_Groups_Needed_set_b(needed, true);
    CHECK(test_legacy_Groups_add_many(&m, &arena) && test_legacy_Groups_make_chosen(&m, &arena));
    CHECK_EQ(m.pick_case, test_legacy_Groups_pick_chosen);
    int64_t len = test_legacy_Groups_encode(&m, bytes, sizeof bytes);
    CHECK_EQ(len, 2 + 4 + 2);
    CHECK_EQ(test_legacy_Groups_decode(bytes, (size_t)len, &arena, TERN_DECODE_ALIAS, &back), 0);
    CHECK(test_legacy_Groups_equal(&m, &back));
    CHECK_EQ(field_of(&test_legacy_Groups_type, 1)->kind, TERN_GROUP);
    CHECK_EQ(field_of(&test_legacy_Groups_type, 4)->flags, TERN_FIELD_REPEATED);
    tern_arena_fini(&arena);
}

static void type__required_somewhere_below(void) {
    CHECK_EQ(test_legacy_Deep_type.flags, TERN_TYPE_REQUIRED);
    CHECK_EQ(test_legacy_Deep_type.n_required, 0);
    CHECK_EQ(test_legacy_Deep_ClosedEntry_type.flags, TERN_TYPE_REQUIRED | TERN_TYPE_MAP_ENTRY);
    CHECK_EQ(test_legacy_Closed_type.n_required, 1);
    CHECK_EQ(test_legacy_Free_type.flags, 0);
    CHECK_EQ(test_compound_Holder_type.flags, 0);
}

static void enum__tables(void) {
    int32_t number = 0;
    CHECK(test_legacy_Level_enum.closed && !test_compound_Mood_enum.closed);
    CHECK_EQ(test_legacy_Level_enum.n_values, 4);
    CHECK_EQ(test_legacy_Level_enum.values[0].number, -5);
    CHECK(strcmp(tern_enum_name(&test_legacy_Level_enum, 1), "LOW") == 0);
    CHECK_EQ(tern_enum_number(&test_legacy_Level_enum, S("LEAST"), &number), 0);
    CHECK_EQ(number, 1);
    CHECK_EQ(field_of(&test_legacy_Closed_type, 2)->flags, TERN_FIELD_REPEATED | TERN_FIELD_CLOSED);
    CHECK_EQ(field_of(&test_legacy_Closed_type, 7)->flags, TERN_FIELD_ONEOF | TERN_FIELD_CLOSED);
    CHECK(test_legacy_Closed_type.enums[field_of(&test_legacy_Closed_type, 1)->sub] == &test_legacy_Level_enum);
    CHECK_EQ(field_of(&test_compound_Holder_type, 4)->flags, TERN_FIELD_REPEATED | TERN_FIELD_PACKED);
    CHECK(strcmp(test_odd_Values_enum.values[0].name, "enum") == 0);
}

static void get__numbers_and_escapes(void) {
    test_legacy_Numbers m = {0};
    CHECK_EQ(test_legacy_Numbers_get_i(&m), 127);
    CHECK_EQ(test_legacy_Numbers_get_o(&m), -15);
    CHECK(test_legacy_Numbers_get_plus(&m) == 1e10);
    CHECK(test_legacy_Numbers_get_tiny(&m) == 4.9e-324);
    CHECK(test_legacy_Numbers_get_big(&m) == 3.4028235e38f);
    CHECK(isnan(test_legacy_Numbers_get_nothing(&m)));
    CHECK(signbit(test_legacy_Numbers_get_minus_zero(&m)));
    CHECK(!test_legacy_Numbers_get_no(&m));
    tern_str text = test_legacy_Numbers_get_text(&m);
    static const char want[] = "\001\x7f\t\a\b\f\n\r\v'\"\\ \?\?/ %s";
    CHECK_EQ(text.len, sizeof want - 1);
    CHECK_MEM(text.data, want, text.len);
    tern_bytes raw = test_legacy_Numbers_get_raw(&m);
    static const char bytes[] = {'\x80', '\xff', 0, 'a', 0, '9', '\x0e'};
    CHECK_EQ(raw.len, sizeof bytes);
    CHECK_MEM(raw.data, bytes, raw.len);
    CHECK_EQ(test_legacy_Numbers_get_empty(&m).len, 0);
    CHECK(tern_str_eq(test_legacy_Numbers_get_split(&m), S("one two")));
    test_legacy_Numbers_set_i(&m, 0);
    CHECK_EQ(test_legacy_Numbers_get_i(&m), 0);
}

/* Extensions arrive as unknown fields, are read by number and go out again. */
static void extension__is_read_by_number(void) {
    static const uint8_t bytes[] = {0x08, 1, 0xa0, 0x06, 42, 0xc2, 0x3e, 1, 'x'};
    tern_arena arena;
    uint8_t out[sizeof bytes];
    tern_arena_init(&arena, 0, 0);
    test_legacy_Extended m;
    CHECK_EQ(test_legacy_Extended_decode(bytes, sizeof bytes, &arena, TERN_DECODE_COPY, &m), 0);
    tern_unknown_field field;
    size_t at = 0;
    CHECK(tern_unknown_next(&m.unknown, &at, &field));
    CHECK_EQ(field.number, 100);
    CHECK_EQ(field.value, 42);
    CHECK(tern_unknown_next(&m.unknown, &at, &field));
    CHECK_EQ(field.number, 1000);
    CHECK(tern_bytes_eq(field.content, tern_bytes_of("x", 1)));
    CHECK(!tern_unknown_next(&m.unknown, &at, &field));
    CHECK_EQ(test_legacy_Extended_encode(&m, out, sizeof out), sizeof bytes);
    CHECK_MEM(out, bytes, sizeof bytes);
    tern_arena_fini(&arena);
}

/* ---- Names --------------------------------------------------------------------------------------- */

static void json_names__only_the_unusual(void) {
    const char *const *names = test_compound_JsonNames_type.json_names;
    CHECK(names && !names[0] && !names[3] && !names[4] && !names[5] && !names[6]);
    CHECK(strcmp(names[1], "renamed") == 0);
    CHECK(strcmp(names[2], "a \"b\" \\ \?\?= \303\244") == 0);
    CHECK(!test_compound_Maps_type.json_names);
}

static void names__oneofs_that_collide(void) {
    test_odd_Cases m = {0};
    test_odd_Cases_set_x(&m, 3);
    CHECK_EQ(m.set_case_, test_odd_Cases_set__x);
    test_odd_Cases_set_case(&m, 4);
    CHECK_EQ(m.set_case_, test_odd_Cases_set__case_);
    test_odd_Cases_set_set_case(&m, 1);
    CHECK_EQ(m.set_case, 1);
    CHECK(test_odd_Cases_has_case(&m));
    test_odd_Cases_set_c(&m, 1);
    CHECK_EQ(m.a_b_case, test_odd_Cases_a_b__c);
    CHECK_EQ(test_odd_Values_enum_, 0);
}

/* tern_service lists what tern_call_start() can call. */
static void streaming__is_not_among_the_calls(void) {
    CHECK_EQ(test_streaming_Mixed_service.n_methods, 1);
    CHECK(strcmp(test_streaming_Mixed_service.methods[0].name, "test.streaming.Mixed/Call") == 0);
    CHECK_EQ(test_streaming_Streams_service.n_methods, 0);
    CHECK(strcmp(test_streaming_Streams_Up_method.name, "test.streaming.Streams/Up") == 0);
    CHECK(test_streaming_Streams_Up_method.request == &test_streaming_Piece_type);
}

TAP_MAIN(TEST(oneof__set_has_clear), TEST(oneof__message_member), TEST(oneof__table), TEST(oneof__default_of_a_member),
         TEST(oneof__every_member_comes_back), TEST(map__put_get_remove), TEST(map__message_values),
         TEST(map__out_of_memory), TEST(map__table), TEST(copy__is_deep_and_equal), TEST(group__is_a_message),
         TEST(type__required_somewhere_below), TEST(enum__tables), TEST(get__numbers_and_escapes),
         TEST(extension__is_read_by_number), TEST(json_names__only_the_unusual), TEST(names__oneofs_that_collide),
         TEST(streaming__is_not_among_the_calls))
