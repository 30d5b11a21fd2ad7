/* Text format: a message from JSON, and the text that C++ would print for it (the conformance tests compare with C++
 * itself). */
#include "conformance_types.h"
#include "tap.h"
#include "tern/json.h"

typedef protobuf_test_messages_proto3_TestAllTypesProto3 all3;

static const tern_type *const type3 = &protobuf_test_messages_proto3_TestAllTypesProto3_type;
static const tern_type *const type2 = &protobuf_test_messages_proto2_TestAllTypesProto2_type;
static tern_arena arena;

static void *message_of(const tern_type *type, const char *json) {
    tern_json_options options;
    tern_json_options_init(&options);
    options.registry = &conformance_registry;
    void *msg = tern_arena_alloc(&arena, type->size_bytes);
    if (tern_json_decode(type, json, strlen(json), &options, &arena, msg) != 0) tap_failed = true;
    return msg;
}

static void check_text(const tern_type *type, const void *msg, const tern_text_options *options, const char *want) {
    tern_str text;
    CHECK_OK();
    CHECK_EQ(tern_text_print(type, msg, options, &arena, &text), 0);
    if (strcmp(text.data, want) != 0) printf("# %s\n", text.data);
    CHECK(strcmp(text.data, want) == 0);
    CHECK_EQ(text.len, strlen(want));
}

static void print__each_kind_of_field(void) {
    static const struct {
        const char *json, *text;
    } cases[] = {
        {"{}", ""},
        {"{\"optionalInt32\":-1,\"optionalUint64\":\"18446744073709551615\",\"optionalBool\":true}",
         "optional_int32: -1\noptional_uint64: 18446744073709551615\noptional_bool: true\n"},
        {"{\"optionalFloat\":0.1,\"optionalDouble\":0.1}", "optional_float: 0.1\noptional_double: 0.1\n"},
        {"{\"optionalFloat\":\"NaN\",\"optionalDouble\":\"-Infinity\"}",
         "optional_float: nan\noptional_double: -inf\n"},
        {"{\"optionalString\":\"a\\n\\r\\t\\\"'\\\\\\u00e9\\u0001\",\"optionalBytes\":\"/wA=\"}",
         "optional_string: \"a\\n\\r\\t\\\"\\'\\\\\\303\\251\\001\"\noptional_bytes: \"\\377\\000\"\n"},
        {"{\"optionalNestedEnum\":\"NEG\",\"optionalForeignEnum\":9}",
         "optional_nested_enum: NEG\noptional_foreign_enum: 9\n"},
        {"{\"repeatedInt32\":[1,2],\"repeatedForeignMessage\":[{\"c\":1},{}]}",
         "repeated_int32: 1\nrepeated_int32: 2\nrepeated_foreign_message {\n  c: 1\n}\nrepeated_foreign_message "
         "{\n}\n"},
        {"{\"optionalNestedMessage\":{\"corecursive\":{\"optionalInt32\":1}}}",
         "optional_nested_message {\n  corecursive {\n    optional_int32: 1\n  }\n}\n"},
        {"{\"oneofUint32\":0}", "oneof_uint32: 0\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check_text(type3, message_of(type3, cases[i].json), NULL, cases[i].text);
        CHECK_OK();
    }
}

static void group__has_the_name_of_its_type(void) {
    check_text(type2, message_of(type2, "{\"data\":{\"groupInt32\":1}}"), NULL, "Data {\n  group_int32: 1\n}\n");
}

static void map__is_sorted_by_key(void) {
    check_text(
        type3,
        message_of(type3,
                   "{\"mapInt32Int32\":{\"2\":0,\"-1\":5,\"10\":1},\"mapBoolBool\":{\"true\":false,\"false\":true},"
                   "\"mapStringString\":{\"b\":\"\",\"a\":\"x\",\"\":\"y\",\"aa\":\"z\"}}"),
        NULL,
        "map_int32_int32 {\n  key: -1\n  value: 5\n}\nmap_int32_int32 {\n  key: 2\n  value: 0\n}\n"
        "map_int32_int32 {\n  key: 10\n  value: 1\n}\n"
        "map_bool_bool {\n  key: false\n  value: true\n}\nmap_bool_bool {\n  key: true\n  value: false\n}\n"
        "map_string_string {\n  key: \"\"\n  value: \"y\"\n}\nmap_string_string {\n  key: \"a\"\n  value: \"x\"\n}\n"
        "map_string_string {\n  key: \"aa\"\n  value: \"z\"\n}\nmap_string_string {\n  key: \"b\"\n  value: \"\"\n}\n");
}

/* Without scratch memory a map stays in its order; with it, keys of every kind are sorted, many of them too. */
static void map__many_keys_of_each_kind(void) {
    static const char *const names[] = {"mapInt64Int64", "mapUint32Uint32", "mapUint64Uint64", "mapSint32Sint32",
                                        "mapFixed64Fixed64"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char json[16384], *p = json + sprintf(json, "{\"%s\":{", names[i]), line[32];
        for (int k = 0; k < 500; k++) p += sprintf(p, "%s\"%d\":1", k ? "," : "", k * 7919 % 500);
        strcpy(p, "}}");
        tern_str text;
        CHECK_EQ(tern_text_print(type3, message_of(type3, json), NULL, &arena, &text), 0);
        const char *at = text.data;
        for (int k = 0; k < 500; k++) {
            sprintf(line, "key: %d\n", k);
            CHECK((at = strstr(at, line)) != NULL);
        }
    }
    char room[256];
    all3 *msg = message_of(type3, "{\"mapInt32Int32\":{\"2\":0,\"1\":5}}");
    CHECK(tern_text_encode(type3, msg, NULL, room, sizeof room) > 0);
    CHECK(strcmp(room, "map_int32_int32 {\n  key: 2\n  value: 0\n}\nmap_int32_int32 {\n  key: 1\n  value: 5\n}\n") ==
          0);
}

static void unknown__by_number_and_wire_type(void) {
    static const uint8_t bytes[] = {
        0x08, 0x96, 0x01,                         /* 1: varint 150 */
        0x11, 1,    2,    3,    4,    5, 6, 7, 8, /* 2: eight bytes */
        0x1d, 1,    2,    3,    4,                /* 3: four bytes */
        0x22, 2,    'n',  'o',                    /* 4: "no", which is no message */
        0x2a, 2,    0x08, 1,                      /* 5: a message {1: 1} */
        0x33, 0x08, 1,    0x34,                   /* 6: a group {1: 1} */
        0x3a, 0,                                  /* 7: empty */
        0x42, 4,    0x0a, 2,    0x08, 1,          /* 8: {1: {1: 1}} */
    };
    tern_text_options options;
    tern_text_options_init(&options);
    protobuf_test_messages_proto3_ForeignMessage msg = {0};
    msg.unknown = (tern_unknown){bytes, sizeof bytes, 0};
    const tern_type *type = &protobuf_test_messages_proto3_ForeignMessage_type;
    check_text(type, &msg, &options,
               "1: 150\n2: 0x0807060504030201\n3: 0x04030201\n4: \"no\"\n5 {\n  1: 1\n}\n6 {\n  1: 1\n}\n7: \"\"\n"
               "8 {\n  1 {\n    1: 1\n  }\n}\n");
    CHECK_OK();
    options.single_line = true;
    check_text(type, &msg, &options,
               "1: 150 2: 0x0807060504030201 3: 0x04030201 4: \"no\" 5 { 1: 1 } 6 { 1: 1 } 7: \"\" 8 { 1 { 1: 1 } }");
    CHECK_OK();
    options.hide_unknown = true;
    check_text(type, &msg, &options, "");
}

static void any__is_opened_when_its_type_is_known(void) {
    tern_text_options options;
    tern_text_options_init(&options);
    static const char known[] = "{\"optionalAny\":{\"@type\":\"x/google.protobuf.Duration\",\"value\":\"1.5s\"}}";
    all3 *msg = message_of(type3, known);
    check_text(type3, msg, NULL,
               "optional_any {\n  type_url: \"x/google.protobuf.Duration\"\n"
               "  value: \"\\010\\001\\020\\200\\312\\265\\356\\001\"\n}\n");
    CHECK_OK();
    options.registry = &conformance_registry;
    check_text(type3, msg, &options,
               "optional_any {\n  [x/google.protobuf.Duration] {\n    seconds: 1\n    nanos: 500000000\n  }\n}\n");
    CHECK_OK();
    msg->optional_any->value.len = 1; /* cut off: then it is printed as it is */
    check_text(type3, msg, &options,
               "optional_any {\n  type_url: \"x/google.protobuf.Duration\"\n  value: \"\\010\"\n}\n");
    CHECK_OK();
    msg->optional_any->type_url = tern_str_of("]\n/google.protobuf.Duration");
    check_text(type3, msg, &options,
               "optional_any {\n  type_url: \"]\\n/google.protobuf.Duration\"\n  value: \"\\010\"\n}\n");
}

static void encode__single_line_fits_a_log(void) {
    char room[80];
    tern_text_options options;
    tern_text_options_init(&options);
    options.single_line = true;
    all3 *msg = message_of(type3, "{\"optionalInt32\":1,\"optionalForeignMessage\":{\"c\":2},\"repeatedInt32\":[3,4],"
                                  "\"optionalNestedMessage\":{}}");
    static const char want[] = "optional_int32: 1 optional_nested_message { } optional_foreign_message { c: 2 } "
                               "repeated_int32: 3 repeated_int32: 4";
    CHECK_EQ(tern_text_encode(type3, msg, &options, room, sizeof room), sizeof want - 1);
    CHECK_EQ(room[sizeof room - 1], 0);
    CHECK_MEM(room, want, sizeof room - 1);
    CHECK_EQ(tern_text_encode(type3, msg, &options, NULL, 0), sizeof want - 1);
    options.size = 1;
    CHECK_EQ(tern_text_encode(type3, msg, &options, room, sizeof room), TERN_ERR_INVALID);
}

static void depth__is_bounded(void) {
    all3 loop = {0};
    tern_str text;
    loop.recursive_message = &loop;
    CHECK_EQ(tern_text_print(type3, &loop, NULL, &arena, &text), TERN_ERR_LIMIT);
    CHECK_EQ(tern_json_print(type3, &loop, NULL, &arena, &text), TERN_ERR_LIMIT);
}

static void memory__every_allocation_may_fail(void) {
    tern_text_options options;
    tern_text_options_init(&options);
    options.registry = &conformance_registry;
    all3 *msg =
        message_of(type3, "{\"mapInt32Int32\":{\"2\":0,\"1\":5},\"optionalAny\":{\"@type\":\"x/google.protobuf.Value\","
                          "\"value\":[1]}}");
    tern_arena memory;
    tern_str text;
    int n_failed = 0, err = TERN_ERR_NOMEM;
    tern_arena_init(&memory, 0, 0);
    for (uint64_t nth = 1; err; nth++) {
        memory.fail_countdown = nth;
        err = tern_text_print(type3, msg, &options, &memory, &text);
        CHECK(err == 0 || err == TERN_ERR_NOMEM);
        n_failed += err != 0;
        tern_arena_reset(&memory);
    }
    tern_arena_fini(&memory);
    CHECK(n_failed > 3);
}

int main(int argc, char **argv) {
    static const tap_test tests[] = {TEST(print__each_kind_of_field),
                                     TEST(group__has_the_name_of_its_type),
                                     TEST(map__is_sorted_by_key),
                                     TEST(map__many_keys_of_each_kind),
                                     TEST(unknown__by_number_and_wire_type),
                                     TEST(any__is_opened_when_its_type_is_known),
                                     TEST(encode__single_line_fits_a_log),
                                     TEST(depth__is_bounded),
                                     TEST(memory__every_allocation_may_fail)};
    tern_arena_init(&arena, 0, 0);
    int rc = tap_run(tests, sizeof tests / sizeof *tests, argc, argv);
    tern_arena_fini(&arena);
    return rc;
}
