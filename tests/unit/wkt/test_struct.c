/* Struct, Value and ListValue: built and read, and every allocation failing in turn. */
#include "tap.h"
#include "tern/wkt.h"

#define S(text) tern_str_of(text)

typedef google_protobuf_Struct object_type;

/* {"null": null, "number": 1.5, "text": "x", "truth": true, "inner": {"deep": 7},
 *  "list": [null, 2, "y", false, {}, []]} */
static int build(object_type *object, tern_arena *arena) {
    int err = tern_struct_put_null(object, S("null"), arena);
    if (!err) err = tern_struct_put_number(object, S("number"), 1.5, arena);
    if (!err) err = tern_struct_put_string(object, S("text"), S("x"), arena);
    if (!err) err = tern_struct_put_bool(object, S("truth"), true, arena);
    object_type *inner = err ? NULL : tern_struct_put_struct(object, S("inner"), arena);
    if (!inner) return TERN_ERR_NOMEM;
    err = tern_struct_put_number(inner, S("deep"), 7, arena);
    google_protobuf_ListValue *list = err ? NULL : tern_struct_put_list(object, S("list"), arena);
    if (!list) return TERN_ERR_NOMEM;
    err = tern_list_value_add_null(list, arena);
    if (!err) err = tern_list_value_add_number(list, 2, arena);
    if (!err) err = tern_list_value_add_string(list, S("y"), arena);
    if (!err) err = tern_list_value_add_bool(list, false, arena);
    if (!err && !tern_list_value_add_struct(list, arena)) err = TERN_ERR_NOMEM;
    if (!err && !tern_list_value_add_list(list, arena)) err = TERN_ERR_NOMEM;
    return err;
}

static void check_read(const object_type *object) {
    CHECK(tern_value_is_null(tern_struct_get(object, S("null"))));
    CHECK(tern_value_number(tern_struct_get(object, S("number")), 0) == 1.5);
    CHECK(tern_str_eq(tern_value_string(tern_struct_get(object, S("text")), S("")), S("x")));
    CHECK(tern_value_bool(tern_struct_get(object, S("truth")), false));
    const object_type *inner = tern_value_struct(tern_struct_get(object, S("inner")));
    CHECK(tern_value_number(tern_struct_get(inner, S("deep")), 0) == 7);
    const google_protobuf_ListValue *list = tern_value_list(tern_struct_get(object, S("list")));
    CHECK(list);
    CHECK_EQ(list->values.len, 6);
    CHECK(tern_value_is_null(tern_list_value_at(list, 0)));
    CHECK(tern_value_number(tern_list_value_at(list, 1), 0) == 2);
    CHECK(tern_str_eq(tern_value_string(tern_list_value_at(list, 2), S("")), S("y")));
    CHECK(!tern_value_bool(tern_list_value_at(list, 3), true));
    CHECK(tern_value_struct(tern_list_value_at(list, 4)));
    CHECK(tern_value_list(tern_list_value_at(list, 5)));
    CHECK(!tern_list_value_at(list, 6));
}

static void struct__build_and_read(void) {
    tern_arena arena;
    object_type object = {0}, back;
    uint8_t bytes[512];
    tern_arena_init(&arena, 0, 0);
    CHECK_EQ(build(&object, &arena), 0);
    check_read(&object);
    CHECK_OK();
    int64_t len = google_protobuf_Struct_encode(&object, bytes, sizeof bytes);
    CHECK(len > 0);
    CHECK_EQ(google_protobuf_Struct_decode(bytes, (size_t)len, &arena, TERN_DECODE_ALIAS, &back), 0);
    check_read(&back);
    CHECK_OK();
    CHECK(google_protobuf_Struct_equal(&object, &back));
    tern_arena_fini(&arena);
}

static void struct__put_replaces(void) {
    tern_arena arena;
    object_type object = {0};
    tern_arena_init(&arena, 0, 0);
    CHECK(tern_struct_put_list(&object, S("k"), &arena));
    CHECK_EQ(tern_struct_put_string(&object, S("k"), S("v"), &arena), 0);
    CHECK_EQ(object.fields.len, 1);
    CHECK(!tern_value_list(tern_struct_get(&object, S("k"))));
    CHECK(tern_str_eq(tern_value_string(tern_struct_get(&object, S("k")), S("")), S("v")));
    CHECK(google_protobuf_Struct_remove_fields(&object, S("k")));
    CHECK(!tern_struct_get(&object, S("k")));
    tern_arena_fini(&arena);
}

static void value__nothing_and_other_kinds(void) {
    google_protobuf_Value number = {0};
    CHECK(!tern_value_is_null(NULL));
    CHECK(!tern_value_is_null(&number));
    google_protobuf_Value_set_number_value(&number, 3);
    CHECK(tern_value_number(NULL, 9) == 9);
    CHECK(tern_value_bool(&number, true));
    CHECK(tern_str_eq(tern_value_string(&number, S("none")), S("none")));
    CHECK(!tern_value_struct(&number));
    CHECK(!tern_value_list(NULL));
    CHECK(!tern_struct_get(NULL, S("x")));
    CHECK(!tern_list_value_at(NULL, 0));
}

static void struct__each_allocation_fails(void) {
    int err = TERN_ERR_NOMEM;
    for (uint64_t n = 1; err == TERN_ERR_NOMEM && n < 1000; n++) {
        tern_arena arena;
        object_type object = {0};
        tern_arena_init(&arena, 0, 0);
        arena.fail_countdown = n;
        err = build(&object, &arena);
        CHECK(err == 0 || err == TERN_ERR_NOMEM);
        CHECK(n > 5 || err);
        tern_arena_fini(&arena);
    }
    CHECK_EQ(err, 0);
}

TAP_MAIN(TEST(struct__build_and_read), TEST(struct__put_replaces), TEST(value__nothing_and_other_kinds),
         TEST(struct__each_allocation_fails))
