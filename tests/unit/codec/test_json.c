/* JSON through the type table: tables of texts with the canonical text that each comes back as, or the error. */
#include "compound.tern.h"
#include "conformance_types.h"
#include "old.tern.h"
#include "tap.h"
#include "tern/json.h"

typedef protobuf_test_messages_proto3_TestAllTypesProto3 all3;

static tern_arena arena;

typedef struct text_case {
    const char *text;
    const char *canonical; /* NULL: refused */
    int err;
    size_t at; /* where, when it is refused */
} text_case;

static tern_json_options options_of(bool ignore_unknown, tern_json_error *error) {
    tern_json_options options;
    tern_json_options_init(&options);
    options.registry = &conformance_registry;
    options.ignore_unknown = ignore_unknown;
    options.error = error;
    return options;
}

/* Decodes from memory of exactly the text's size, prints, and decodes the print again. */
static void check_case(const tern_type *type, const text_case *c, bool ignore_unknown) {
    tern_json_error error = {0};
    tern_json_options options = options_of(ignore_unknown, &error);
    size_t len = strlen(c->text);
    char *text = malloc(len ? len : 1);
    if (len) memcpy(text, c->text, len);
    void *msg = tern_arena_alloc(&arena, type->size_bytes), *again = tern_arena_alloc(&arena, type->size_bytes);
    tern_str out = {0};
    int err = tern_json_decode(type, text, len, &options, &arena, msg);
    memset(text, 'x', len); /* nothing may point here */
    free(text);
    if (err != (c->canonical ? 0 : c->err)) printf("# %s: %d, %s\n", c->text, err, err ? error.text : "");
    CHECK_EQ(err, c->canonical ? 0 : c->err);
    if (err) {
        CHECK(error.text && *error.text && error.line >= 1 && error.column >= 1 && error.offset <= len);
        if (c->at && c->at != error.offset) printf("# %s: %s\n", c->text, error.text);
        if (c->at) CHECK_EQ(error.offset, c->at);
        return;
    }
    CHECK_EQ(tern_json_print(type, msg, &options, &arena, &out), 0);
    CHECK_EQ(out.data[out.len], 0);
    if (strcmp(out.data, c->canonical) != 0) printf("# %s gives %s\n", c->text, out.data);
    CHECK(strcmp(out.data, c->canonical) == 0);
    CHECK_EQ(tern_json_decode(type, out.data, out.len, &options, &arena, again), 0);
    CHECK(tern_message_equal(type, msg, again));
}

static void check_cases(const tern_type *type, const text_case *cases, size_t n, bool ignore_unknown) {
    for (size_t i = 0; i < n; i++) {
        check_case(type, &cases[i], ignore_unknown);
        CHECK_OK();
        tern_arena_reset(&arena);
    }
}
#define CHECK_CASES(type, cases) check_cases(&type, cases, sizeof cases / sizeof *cases, false)
#define SAME(text) text, text, 0, 0
#define BAD(text) text, NULL, TERN_ERR_MALFORMED, 0
#define BAD_AT(text, at) text, NULL, TERN_ERR_MALFORMED, at

static const tern_type *const type3 = &protobuf_test_messages_proto3_TestAllTypesProto3_type;

static void scalars__of_proto3(void) {
    static const text_case cases[] = {
        {SAME("{}")},
        {" {\n} ", "{}", 0, 0},
        {SAME("{\"optionalInt32\":-2147483648,\"optionalInt64\":\"-9223372036854775808\"}")},
        {SAME("{\"optionalUint32\":4294967295,\"optionalUint64\":\"18446744073709551615\"}")},
        {"{\"optionalInt32\":\"5\",\"optional_int64\":6}", "{\"optionalInt32\":5,\"optionalInt64\":\"6\"}", 0, 0},
        {"{\"optionalInt32\":1e5,\"optionalSint32\":100000.000}",
         "{\"optionalInt32\":100000,\"optionalSint32\":100000}", 0, 0},
        {"{\"optionalInt32\":\"2\\u003147\"}", "{\"optionalInt32\":2147}", 0, 0},
        {"{\"optionalInt32\":-0}", "{}", 0, 0},
        {SAME("{\"optionalFloat\":0.1,\"optionalDouble\":0.1}")},
        {SAME("{\"optionalFloat\":\"NaN\",\"optionalDouble\":\"-Infinity\"}")},
        {"{\"optionalFloat\":\"Infinity\",\"optionalDouble\":\"1.5e3\"}",
         "{\"optionalFloat\":\"Infinity\",\"optionalDouble\":1500}", 0, 0},
        {SAME("{\"optionalDouble\":-0}")},
        {SAME("{\"optionalBool\":true,\"optionalString\":\"a\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\xe2\x82\xac\"}")},
        {"{\"optionalString\":\"\\ud83d\\ude01\\u0000\"}", "{\"optionalString\":\"\xf0\x9f\x98\x81\\u0000\"}", 0, 0},
        {SAME("{\"optionalBytes\":\"AQI=\"}")},
        {"{\"optionalBytes\":\"-_8\"}", "{\"optionalBytes\":\"+/8=\"}", 0, 0},
        {SAME("{\"optionalNestedEnum\":\"NEG\",\"optionalForeignEnum\":\"FOREIGN_BAZ\"}")},
        {"{\"optionalNestedEnum\":1}", "{\"optionalNestedEnum\":\"BAR\"}", 0, 0},
        {SAME("{\"optionalNestedEnum\":123}")},
        {"{\"optionalAliasedEnum\":\"bAz\"}", "{\"optionalAliasedEnum\":\"ALIAS_BAZ\"}", 0, 0},
        {"{\"optionalInt32\":null,\"repeatedInt32\":null,\"mapInt32Int32\":null,\"optionalNestedMessage\":null}", "{}",
         0, 0},
        {BAD_AT("{\"optionalInt32\":2147483648}", 27)},
        {BAD("{\"optionalInt32\":-2147483649}")},
        {BAD("{\"optionalUint32\":4294967296}")},
        {BAD("{\"optionalUint32\":-1}")},
        {BAD("{\"optionalInt64\":\"9223372036854775808\"}")},
        {BAD("{\"optionalUint64\":18446744073709551616}")},
        {BAD("{\"optionalInt32\":0.5}")},
        {BAD("{\"optionalInt32\":\"\"}")},
        {BAD("{\"optionalInt32\":\" 1\"}")},
        {BAD("{\"optionalInt32\":true}")},
        {BAD("{\"optionalBool\":\"true\"}")},
        {BAD("{\"optionalBool\":1}")},
        {BAD("{\"optionalString\":1}")},
        {"{\"optionalBytes\":\"YQ\"}", "{\"optionalBytes\":\"YQ==\"}", 0, 0},
        {"{\"optionalBytes\":\"YWI\"}", "{\"optionalBytes\":\"YWI=\"}", 0, 0},
        {SAME("{\"optionalBytes\":\"////\"}")},
        {BAD("{\"optionalBytes\":\"A\"}")},
        {"{\"optionalBytes\":\"-_\"}", "{\"optionalBytes\":\"+w==\"}", 0, 0},
        {"{\"optionalBytes\":\"YR==\"}", "{\"optionalBytes\":\"YQ==\"}", 0, 0},
        {BAD("{\"optionalBytes\":\"YQ=\"}")},
        {BAD("{\"optionalBytes\":\"A=\"}")},
        {BAD("{\"optionalBytes\":\"AB=C\"}")},
        {BAD("{\"optionalBytes\":\"=\"}")},
        {BAD("{\"optionalBytes\":\"====\"}")},
        {BAD("{\"optionalBytes\":\"A B=\"}")},
        {BAD("{\"optionalFloat\":3.502823e+38}")},
        {BAD("{\"optionalDouble\":1.89769e+308}")},
        {BAD("{\"optionalDouble\":\"nan\"}")},
        {BAD("{\"optionalNestedEnum\":\"NOBODY\"}")},
        {BAD_AT("{\"optionalInt32\":1,\"nobody\":2}", 19)},
        {BAD("{\"optionalInt32\":1,\"optional_int32\":2}")},
        {BAD("{\"optionalInt32\":null,\"optionalInt32\":2}")},
        {BAD("[]")},
        {BAD("{} {}")},
        {"", NULL, TERN_ERR_TRUNCATED, 0},
        {"{\"optionalInt32\":", NULL, TERN_ERR_TRUNCATED, 0},
        {"{\"optionalString\":\"\xff\"}", NULL, TERN_ERR_UTF8, 0},
    };
    CHECK_CASES(protobuf_test_messages_proto3_TestAllTypesProto3_type, cases);
}

static void compounds__of_proto3(void) {
    static const text_case cases[] = {
        {SAME("{\"optionalNestedMessage\":{\"a\":1,\"corecursive\":{\"optionalInt32\":2}}}")},
        {SAME("{\"optionalNestedMessage\":{}}")},
        {SAME("{\"repeatedInt32\":[1,-2,3],\"repeatedString\":[\"\",\"b\"],\"repeatedNestedMessage\":[{\"a\":1},{}]}")},
        {"{\"repeatedInt32\":[]}", "{}", 0, 0},
        {SAME("{\"repeatedDouble\":[1.5,\"NaN\"],\"repeatedBool\":[true,false],\"repeatedNestedEnum\":[\"FOO\",7]}")},
        {SAME("{\"mapInt32Int32\":{\"-1\":2,\"0\":0},\"mapBoolBool\":{\"true\":false,\"false\":true}}")},
        {SAME(
            "{\"mapUint64Uint64\":{\"18446744073709551615\":\"1\"},\"mapStringBytes\":{\"\":\"AA==\"},"
            "\"mapStringNestedMessage\":{\"a\":{\"a\":1},\"b\":{}},\"mapStringForeignEnum\":{\"x\":\"FOREIGN_BAR\"}}")},
        {SAME("{\"oneofUint32\":0}")},
        {SAME("{\"oneofNestedMessage\":{}}")},
        {SAME("{\"oneofString\":\"\"}")},
        {SAME("{\"oneofNullValue\":null}")},
        {"{\"oneofNullValue\":\"NULL_VALUE\"}", "{\"oneofNullValue\":null}", 0, 0},
        {"{\"oneofUint32\":null,\"oneofString\":\"x\"}", "{\"oneofString\":\"x\"}", 0, 0},
        {"{\"oneofString\":\"x\",\"oneofUint32\":null}", "{\"oneofString\":\"x\"}", 0, 0},
        {SAME(
            "{\"fieldname1\":1,\"fieldName2\":2,\"FieldName3\":3,\"fieldName4\":4,\"field0name5\":5,\"field0Name6\":6,"
            "\"fieldName7\":7,\"FieldName8\":8,\"fieldName9\":9,\"FieldName10\":10,\"FIELDNAME11\":11,"
            "\"FIELDName12\":12,\"FieldName13\":13,\"FieldName14\":14,\"fieldName15\":15,\"fieldName16\":16,"
            "\"fieldName17\":17,\"FieldName18\":18}")},
        {"{\"__field_name13\":13,\"FIELD_name12\":12}", "{\"FIELDName12\":12,\"FieldName13\":13}", 0, 0},
        {BAD("{\"oneofUint32\":1,\"oneofString\":\"x\"}")},
        {BAD("{\"oneofUint32\":1,\"oneofNullValue\":null}")},
        {BAD("{\"repeatedInt32\":[1,null]}")},
        {BAD("{\"repeatedNestedMessage\":[null]}")},
        {BAD("{\"repeatedInt32\":[1,]}")},
        {BAD("{\"repeatedInt32\":1}")},
        {BAD("{\"repeatedInt32\":{}}")},
        {BAD("{\"mapInt32Int32\":{\"1\":null}}")},
        {BAD("{\"mapInt32Int32\":{\"1\":1,\"1\":2}}")},
        {BAD("{\"mapInt32Int32\":{\"x\":1}}")},
        {BAD("{\"mapInt32Int32\":{1:1}}")},
        {BAD("{\"mapInt32Int32\":{\"2147483648\":1}}")},
        {BAD("{\"mapBoolBool\":{\"1\":true}}")},
        {BAD("{\"mapStringString\":[]}")},
        {BAD("{\"optionalNestedMessage\":[]}")},
        {BAD("{\"optionalNestedMessage\":{\"a\":1,}}")},
    };
    CHECK_CASES(protobuf_test_messages_proto3_TestAllTypesProto3_type, cases);
}

static void proto2__has_presence_groups_and_closed_enums(void) {
    static const text_case cases[] = {
        {SAME("{\"optionalInt32\":0,\"optionalBool\":false,\"optionalString\":\"\",\"optionalNestedEnum\":\"FOO\"}")},
        {SAME("{\"data\":{\"groupInt32\":1,\"groupUint32\":2}}")},
        {SAME("{\"defaultInt32\":0,\"defaultString\":\"Rosebud\"}")},
        {"{\"optionalNestedEnum\":-1}", "{\"optionalNestedEnum\":\"NEG\"}", 0, 0},
        {BAD("{\"optionalNestedEnum\":123}")},
        {BAD("{\"Data\":{}}")},
        {BAD("{\"[protobuf_test_messages.proto2.extension_int32]\":1}")},
    };
    CHECK_CASES(protobuf_test_messages_proto2_TestAllTypesProto2_type, cases);
}

static void unknown__is_ignored_on_request(void) {
    static const text_case cases[] = {
        {"{\"nobody\":{\"a\":[1,{\"b\":null}]},\"optionalInt32\":1,\"who\":\"x\"}", "{\"optionalInt32\":1}", 0, 0},
        {"{\"optionalNestedEnum\":\"NOBODY\",\"optionalInt32\":1}", "{\"optionalInt32\":1}", 0, 0},
        {"{\"repeatedNestedEnum\":[\"FOO\",\"NOBODY\",\"BAR\"]}", "{\"repeatedNestedEnum\":[\"FOO\",\"BAR\"]}", 0, 0},
        {"{\"mapStringNestedEnum\":{\"a\":\"NOBODY\",\"b\":\"BAR\"}}", "{\"mapStringNestedEnum\":{\"b\":\"BAR\"}}", 0,
         0},
        {"{\"oneofEnum\":\"NOBODY\",\"oneofUint32\":1}", "{\"oneofUint32\":1}", 0, 0},
        {BAD("{\"nobody\":[1,}")},
        {BAD("{\"optionalInt32\":\"x\"}")},
    };
    check_cases(type3, cases, sizeof cases / sizeof *cases, true);
}

static void wkt__have_their_own_forms(void) {
    static const text_case cases[] = {
        {SAME("{\"optionalBoolWrapper\":false,\"optionalInt32Wrapper\":0,\"optionalInt64Wrapper\":\"0\","
              "\"optionalDoubleWrapper\":1.5,\"optionalStringWrapper\":\"\",\"optionalBytesWrapper\":\"\"}")},
        {SAME("{\"repeatedInt32Wrapper\":[0,1],\"repeatedFloatWrapper\":[\"NaN\",1]}")},
        {"{\"optionalInt32Wrapper\":\"7\",\"optionalUint64Wrapper\":null}", "{\"optionalInt32Wrapper\":7}", 0, 0},
        {SAME("{\"optionalDuration\":\"-1.500s\",\"optionalTimestamp\":\"1970-01-01T00:00:00Z\"}")},
        {SAME("{\"optionalFieldMask\":\"foo,barBaz.x\"}")},
        {SAME("{\"optionalFieldMask\":\"\"}")},
        {SAME(
            "{\"optionalStruct\":{\"n\":null,\"d\":1.5,\"b\":true,\"s\":\"x\",\"l\":[1,\"2\",[]],\"o\":{\"v\":{}}}}")},
        {SAME("{\"optionalValue\":null}")},
        {SAME("{\"optionalValue\":[null,{}]}")},
        {SAME("{\"optionalValue\":\"x\",\"repeatedValue\":[null,1,{\"a\":1}],\"repeatedListValue\":[[\"a\"],[]]}")},
        {"{\"optionalNullValue\":null}", "{}", 0, 0},
        {SAME("{\"optionalAny\":{}}")},
        {SAME("{\"optionalAny\":{\"@type\":\"type.googleapis.com/google.protobuf.Duration\",\"value\":\"1.500s\"}}")},
        {SAME("{\"optionalAny\":{\"@type\":\"x/"
              "protobuf_test_messages.proto3.TestAllTypesProto3\",\"optionalInt32\":1}}")},
        {"{\"optionalAny\":{\"optionalInt32\":1,\"@type\":\"x/protobuf_test_messages.proto3.TestAllTypesProto3\"}}",
         "{\"optionalAny\":{\"@type\":\"x/protobuf_test_messages.proto3.TestAllTypesProto3\",\"optionalInt32\":1}}", 0,
         0},
        {SAME("{\"optionalAny\":{\"@type\":\"x/google.protobuf.Any\",\"value\":{\"@type\":\"x/google.protobuf.Value\","
              "\"value\":null}}}")},
        {BAD("{\"repeatedInt32Wrapper\":[null]}")},
        {BAD("{\"optionalInt32Wrapper\":{\"value\":1}}")},
        {BAD("{\"optionalDuration\":\"1\"}")},
        {BAD("{\"optionalDuration\":1}")},
        {BAD("{\"optionalTimestamp\":\"0000-01-01T00:00:00Z\"}")},
        {BAD("{\"optionalFieldMask\":\"foo_bar\"}")},
        {BAD("{\"optionalFieldMask\":\"a,\"}")},
        {BAD("{\"optionalFieldMask\":\",\"}")},
        {BAD("{\"optionalStruct\":[]}")},
        {BAD("{\"optionalStruct\":{\"a\":1,\"a\":2}}")},
        {BAD("{\"optionalValue\":NaN}")},
        {BAD("{\"repeatedListValue\":[{}]}")},
        {BAD("{\"optionalAny\":{\"optionalInt32\":1}}")},
        {BAD("{\"optionalAny\":{\"@type\":\"\"}}")},
        {BAD("{\"optionalAny\":{\"@type\":\"google.protobuf.Duration\",\"value\":\"1s\"}}")},
        {BAD("{\"optionalAny\":{\"@type\":\"x/google.protobuf.Duration\",\"seconds\":1}}")},
        {BAD("{\"optionalAny\":{\"@type\":\"x/google.protobuf.Duration\"}}")},
        {BAD("{\"optionalAny\":{\"@type\":\"x/google.protobuf.Any\",\"@type\":\"x/google.protobuf.Any\"}}")},
        {BAD("{\"optionalAny\":{\"@type\":\"x/protobuf_test_messages.proto3.ForeignMessage\",\"@type\":\"x\"}}")},
        {"{\"optionalAny\":{\"@type\":\"x/no.Body\"}}", NULL, TERN_ERR_NOT_FOUND, 0},
    };
    CHECK_CASES(protobuf_test_messages_proto3_TestAllTypesProto3_type, cases);
}

/* ---- Encoding ------------------------------------------------------------------------------------ */

static void check_text(const tern_type *type, const void *msg, const tern_json_options *options, const char *want) {
    tern_str out;
    CHECK_EQ(tern_json_print(type, msg, options, &arena, &out), 0);
    if (strcmp(out.data, want) != 0) printf("# %s\n", out.data);
    CHECK(strcmp(out.data, want) == 0);
}

static void encode__obeys_its_options(void) {
    tern_json_options options = options_of(false, NULL);
    static const char text[] = "{\"optionalInt32\":1,\"optionalNestedEnum\":\"BAR\",\"repeatedInt32\":[1,2],"
                               "\"repeatedNestedMessage\":[{}],\"mapStringString\":{\"a\":\"b\"}}";
    all3 msg;
    CHECK_EQ(tern_json_decode(type3, text, sizeof text - 1, NULL, &arena, &msg), 0);
    options.proto_names = options.enum_numbers = true;
    check_text(type3, &msg, &options,
               "{\"optional_int32\":1,\"optional_nested_enum\":1,\"repeated_int32\":[1,2],"
               "\"repeated_nested_message\":[{}],\"map_string_string\":{\"a\":\"b\"}}");
    CHECK_OK();
    options = options_of(false, NULL);
    options.indent = 2;
    check_text(
        type3, &msg, &options,
        "{\n  \"optionalInt32\": 1,\n  \"optionalNestedEnum\": \"BAR\",\n  \"repeatedInt32\": [\n    1,\n    2\n"
        "  ],\n  \"repeatedNestedMessage\": [\n    {}\n  ],\n  \"mapStringString\": {\n    \"a\": \"b\"\n  }\n}");
    CHECK_OK();
    options.indent = 16;
    CHECK(tern_json_encode(type3, &msg, &options, NULL, 0) > 0);
    options.indent = 17;
    CHECK_EQ(tern_json_encode(type3, &msg, &options, NULL, 0), TERN_ERR_INVALID);
    options = options_of(false, NULL);
    options.print_defaults = true;
    protobuf_test_messages_proto3_ForeignMessage foreign = {0};
    check_text(&protobuf_test_messages_proto3_ForeignMessage_type, &foreign, &options, "{\"c\":0}");
}

static void encode__counts_what_does_not_fit(void) {
    static const char text[] = "{\"optionalString\":\"hello\"}";
    char room[64];
    all3 msg;
    CHECK_EQ(tern_json_decode(type3, text, sizeof text - 1, NULL, &arena, &msg), 0);
    for (size_t cap = 0; cap < sizeof room; cap++) {
        memset(room, 'x', sizeof room);
        CHECK_EQ(tern_json_encode(type3, &msg, NULL, room, cap), sizeof text - 1);
        size_t kept = cap == 0 ? 0 : cap - 1 < sizeof text - 1 ? cap - 1 : sizeof text - 1;
        CHECK_MEM(room, text, kept);
        if (cap) CHECK_EQ(room[kept], 0);
        for (size_t i = cap ? kept + 1 : 0; i < sizeof room; i++) CHECK_EQ(room[i], 'x');
    }
}

static void encode__refuses_what_has_no_form(void) {
    char room[256];
    google_protobuf_Timestamp late = {.seconds = 253402300800};
    google_protobuf_Duration mixed = {.seconds = 1, .nanos = -1};
    tern_str path = tern_str_of("fooBar");
    google_protobuf_FieldMask mask = {.paths = {.data = &path, .len = 1}};
    google_protobuf_Value nan = {.kind_case = google_protobuf_Value_kind_number_value,
                                 .number_value = __builtin_nan("")};
    google_protobuf_Any stranger = {.type_url = tern_str_of("x/no.Body")};
    google_protobuf_Any any = {.type_url = tern_str_of("x/google.protobuf.Duration"),
                               .value = tern_bytes_of("\x08", 1)};
    tern_json_options options = options_of(false, NULL);
    all3 msg = {.optional_string = {"\xff", 1}};
    CHECK_EQ(tern_json_encode(type3, &msg, NULL, room, sizeof room), TERN_ERR_UTF8);
    CHECK_EQ(tern_json_encode(&google_protobuf_Timestamp_type, &late, NULL, room, sizeof room), TERN_ERR_INVALID);
    CHECK_EQ(tern_json_encode(&google_protobuf_Duration_type, &mixed, NULL, room, sizeof room), TERN_ERR_INVALID);
    CHECK_EQ(tern_json_encode(&google_protobuf_FieldMask_type, &mask, NULL, room, sizeof room), TERN_ERR_INVALID);
    CHECK_EQ(tern_json_encode(&google_protobuf_Value_type, &nan, NULL, room, sizeof room), TERN_ERR_INVALID);
    CHECK_EQ(tern_json_encode(&google_protobuf_Any_type, &stranger, &options, room, sizeof room), TERN_ERR_NOT_FOUND);
    CHECK_EQ(tern_json_encode(&google_protobuf_Any_type, &any, NULL, room, sizeof room), TERN_ERR_NOT_FOUND);
    CHECK_EQ(tern_json_encode(&google_protobuf_Any_type, &any, &options, room, sizeof room), TERN_ERR_NOMEM);
    options.scratch = &arena;
    CHECK_EQ(tern_json_encode(&google_protobuf_Any_type, &any, &options, room, sizeof room), TERN_ERR_TRUNCATED);
    options.size--;
    CHECK_EQ(tern_json_encode(type3, &msg, &options, room, sizeof room), TERN_ERR_INVALID);
    CHECK_EQ(tern_json_decode(type3, "{}", 2, &options, &arena, &msg), TERN_ERR_INVALID);
}

/* ---- Limits -------------------------------------------------------------------------------------- */

static tern_str nested(const char *open, const char *inner, const char *close, size_t n) {
    size_t len = strlen(inner) + n * (strlen(open) + strlen(close));
    char *text = tern_arena_alloc(&arena, len + 1), *p = text;
    for (size_t i = 0; i < n; i++) p = stpcpy(p, open);
    p = stpcpy(p, inner);
    for (size_t i = 0; i < n; i++) p = stpcpy(p, close);
    return (tern_str){text, len};
}

static int decode_limited(tern_str text, tern_limits limits, bool ignore_unknown) {
    tern_json_options options = options_of(ignore_unknown, NULL);
    all3 msg;
    options.limits = &limits;
    int err = tern_json_decode(type3, text.data, text.len, &options, &arena, &msg);
    tern_arena_reset(&arena);
    return err;
}

static void limits__bound_depth_elements_and_bytes(void) {
    static const char recursive[] = "{\"recursiveMessage\":";
    tern_limits limits, shallow = TERN_LIMITS(.max_bytes = 1000, .max_elements = 1000, .max_depth = 3);
    tern_limits_init(&limits);
    CHECK_EQ(decode_limited(nested(recursive, "{}", "}", limits.max_depth - 1), limits, false), 0);
    CHECK_EQ(decode_limited(nested(recursive, "{}", "}", limits.max_depth), limits, false), TERN_ERR_LIMIT);
    CHECK_EQ(decode_limited(nested(recursive, "{}", "}", 1000000), limits, false), TERN_ERR_LIMIT);
    CHECK_EQ(decode_limited(nested("{\"nobody\":", "{}", "}", 1000000), limits, true), TERN_ERR_LIMIT);
    limits.max_depth = 100000; /* no more than a thousand is granted, and the stack holds them */
    CHECK_EQ(decode_limited(nested(recursive, "{}", "}", 999), limits, false), 0);
    CHECK_EQ(decode_limited(nested(recursive, "{}", "}", 1000), limits, false), TERN_ERR_LIMIT);
    CHECK_EQ(decode_limited(nested("[", "", "]", 1000000), limits, false), TERN_ERR_MALFORMED);
    CHECK_EQ(decode_limited(tern_str_of("{\"mapStringNestedMessage\":{\"a\":{}}}"), shallow, false), 0);
    CHECK_EQ(decode_limited(tern_str_of("{\"mapStringNestedMessage\":{\"a\":{\"corecursive\":{}}}}"), shallow, false),
             TERN_ERR_LIMIT);
    CHECK_EQ(decode_limited(tern_str_of("{\"repeatedInt32\":[1,2,3]}"),
                            TERN_LIMITS(.max_bytes = 100, .max_elements = 3, .max_depth = 10), false),
             0);
    CHECK_EQ(decode_limited(tern_str_of("{\"repeatedInt32\":[1,2,3]}"),
                            TERN_LIMITS(.max_bytes = 100, .max_elements = 2, .max_depth = 10), false),
             TERN_ERR_LIMIT);
    CHECK_EQ(decode_limited(tern_str_of("{\"mapInt32Int32\":{\"1\":1,\"2\":2}}"),
                            TERN_LIMITS(.max_bytes = 100, .max_elements = 1, .max_depth = 10), false),
             TERN_ERR_LIMIT);
    CHECK_EQ(decode_limited(tern_str_of("{}"), TERN_LIMITS(.max_bytes = 1, .max_elements = 1, .max_depth = 10), false),
             TERN_ERR_LIMIT);
    CHECK_EQ(decode_limited(tern_str_of("{}"), TERN_LIMITS(.max_bytes = 2, .max_elements = 1, .max_depth = 0), false),
             TERN_ERR_LIMIT);
}

/* Each level names its type last, after all that is in it. */
static void limits__bound_reading_ahead(void) {
    static const char open[] = "{\"value\":", close[] = ",\"@type\":\"x/google.protobuf.Any\"}";
    char *filler = malloc(1 << 16);
    memset(filler, ' ', 1 << 16);
    memcpy(filler, "{ ", 2);
    memcpy(filler + (1 << 16) - 2, "}", 2);
    google_protobuf_Any any;
    tern_json_options options = options_of(false, NULL);
    tern_str few = nested(open, filler, close, 10), many = nested(open, filler, close, 60);
    int err_few = tern_json_decode(&google_protobuf_Any_type, few.data, few.len, &options, &arena, &any);
    int err_many = tern_json_decode(&google_protobuf_Any_type, many.data, many.len, &options, &arena, &any);
    free(filler);
    CHECK_EQ(err_few, 0);
    CHECK_EQ(err_many, TERN_ERR_LIMIT);
}

static void memory__every_allocation_may_fail(void) {
    static const char text[] =
        "{\"optionalString\":\"a\\n\",\"optionalBytes\":\"AQID\",\"repeatedInt32\":[1,2,3],\"repeatedString\":[\"x\"],"
        "\"mapStringNestedMessage\":{\"k\":{\"a\":1}},\"optionalFieldMask\":\"a,b\",\"optionalStruct\":{\"l\":[1,{}]},"
        "\"optionalAny\":{\"@type\":\"x/google.protobuf.Value\",\"value\":[1]},\"optionalInt32Wrapper\":1}";
    tern_json_options options = options_of(false, NULL);
    all3 msg;
    int n_failed = 0, err = TERN_ERR_NOMEM;
    for (uint64_t nth = 1; err; nth++) {
        tern_arena_reset(&arena);
        arena.fail_countdown = nth;
        tern_str out;
        err = tern_json_decode(type3, text, sizeof text - 1, &options, &arena, &msg);
        if (!err) err = tern_json_print(type3, &msg, &options, &arena, &out);
        arena.fail_countdown = 0;
        CHECK(err == 0 || err == TERN_ERR_NOMEM);
        n_failed += err != 0;
    }
    CHECK(n_failed > 20);
}

static void required__is_asked_for(void) {
    static const text_case cases[] = {
        {SAME("{\"needed\":{\"id\":1,\"name\":\"\"}}")},
        {SAME("{\"held\":{\"id\":0,\"name\":\"\"},\"needed\":{\"id\":1,\"name\":\"\"}}")},
        {BAD("{}")},
        {BAD("{\"needed\":null}")},
        {BAD("{\"needed\":{\"id\":1}}")},
        {BAD("{\"held\":{},\"needed\":{\"id\":1,\"name\":\"\"}}")},
        {BAD("{\"needed\":{\"id\":1,\"name\":\"\",\"children\":[{}]}}")},
    };
    CHECK_CASES(test_old_HoldsRequired_type, cases);
}

static void names__are_what_the_schema_says(void) {
    static const text_case cases[] = {
        {SAME("{\"plainName\":\"1\",\"renamed\":\"2\",\"a \\\"b\\\" \\\\ ?\?= \303\244\":\"3\"}")},
        {"{\"plain_name\":\"1\",\"other_name\":\"2\",\"Upper_case\":\"7\"}",
         "{\"plainName\":\"1\",\"renamed\":\"2\",\"UpperCase\":\"7\"}", 0, 0},
        {BAD("{\"otherName\":\"2\"}")},
        {BAD("{\"renamed\":\"2\",\"other_name\":\"2\"}")},
        {BAD("{\"plain\":\"\"}")},
        {BAD("{\"plainNam\":\"\"}")},
        {BAD("{\"plainNames\":\"\"}")},
        {BAD("{\"\":\"\"}")},
    };
    CHECK_CASES(test_compound_JsonNames_type, cases);
}

int main(int argc, char **argv) {
    static const tap_test tests[] = {
        TEST(scalars__of_proto3),
        TEST(compounds__of_proto3),
        TEST(proto2__has_presence_groups_and_closed_enums),
        TEST(unknown__is_ignored_on_request),
        TEST(wkt__have_their_own_forms),
        TEST(encode__obeys_its_options),
        TEST(encode__counts_what_does_not_fit),
        TEST(encode__refuses_what_has_no_form),
        TEST(limits__bound_depth_elements_and_bytes),
        TEST(limits__bound_reading_ahead),
        TEST(memory__every_allocation_may_fail),
        TEST(required__is_asked_for),
        TEST(names__are_what_the_schema_says),
    };
    tern_arena_init(&arena, 0, 0);
    int rc = tap_run(tests, sizeof tests / sizeof *tests, argc, argv);
    tern_arena_fini(&arena);
    return rc;
}
