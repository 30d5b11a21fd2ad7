/* Any and wrappers, alone and as fields of a schema that imports them. */
#include "event.tern.h"
#include "tap.h"
#include "tern/wkt.h"

static void any__pack_and_unpack(void) {
    tern_arena arena;
    tern_arena_init(&arena, 0, 0);
    google_protobuf_Timestamp t = {.seconds = 5, .nanos = 7}, back;
    google_protobuf_Any any = {0};
    CHECK_EQ(tern_any_pack(&google_protobuf_Timestamp_type, &t, &arena, &any), 0);
    CHECK(tern_str_eq(any.type_url, tern_str_of("type.googleapis.com/google.protobuf.Timestamp")));
    CHECK(tern_str_eq(tern_any_type_name(&any), tern_str_of("google.protobuf.Timestamp")));
    CHECK(tern_any_is(&any, &google_protobuf_Timestamp_type));
    CHECK(!tern_any_is(&any, &google_protobuf_Duration_type));
    CHECK_EQ(tern_any_unpack(&any, &google_protobuf_Timestamp_type, &arena, TERN_DECODE_COPY, NULL, &back), 0);
    CHECK(google_protobuf_Timestamp_equal(&t, &back));
    CHECK_EQ(tern_any_unpack(&any, &google_protobuf_Duration_type, &arena, TERN_DECODE_COPY, NULL, &back),
             TERN_ERR_NOT_FOUND);
    any.value = tern_bytes_of("\x08", 1);
    CHECK_EQ(tern_any_unpack(&any, &google_protobuf_Timestamp_type, &arena, TERN_DECODE_COPY, NULL, &back),
             TERN_ERR_TRUNCATED);
    tern_arena_fini(&arena);
}

static void any__odd_urls(void) {
    static const struct {
        const char *url, *name;
    } cases[] = {{"", ""}, {"google.protobuf.Empty", ""}, {"/a.B", "a.B"}, {"http://x/y/a.B", "a.B"}, {"x/", ""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        google_protobuf_Any any = {.type_url = tern_str_of(cases[i].url)};
        CHECK(tern_str_eq(tern_any_type_name(&any), tern_str_of(cases[i].name)));
    }
}

static void any__empty_message_and_no_memory(void) {
    tern_arena arena;
    tern_arena_init(&arena, 0, 0);
    google_protobuf_Timestamp t = {0}, back = {.seconds = 1};
    google_protobuf_Any any = {.value = tern_bytes_of("x", 1)};
    for (uint64_t n = 1; n <= 2; n++) {
        arena.fail_countdown = n;
        CHECK_EQ(tern_any_pack(&google_protobuf_Timestamp_type, &t, &arena, &any), TERN_ERR_NOMEM);
        CHECK_EQ(any.value.len, 1);
        tern_arena_fini(&arena);
        tern_arena_init(&arena, 0, 0);
    }
    CHECK_EQ(tern_any_pack(&google_protobuf_Timestamp_type, &t, &arena, &any), 0);
    CHECK_EQ(any.value.len, 0);
    CHECK_EQ(tern_any_unpack(&any, &google_protobuf_Timestamp_type, &arena, TERN_DECODE_ALIAS, NULL, &back), 0);
    CHECK_EQ(back.seconds, 0);
    tern_arena_fini(&arena);
}

static void wrappers__wrap_and_unwrap(void) {
    tern_arena arena;
    tern_arena_init(&arena, 0, 0);
    test_event_Event event = {0};
    CHECK_EQ(tern_unwrap_int32(event.level, -3), -3);
    event.level = tern_wrap_int32(0, &arena);
    CHECK_EQ(tern_unwrap_int32(event.level, -3), 0);
    google_protobuf_StringValue *text = tern_wrap_string(tern_str_of("x"), &arena);
    CHECK(tern_str_eq(tern_unwrap_string(text, tern_str_of("")), tern_str_of("x")));
    CHECK(tern_unwrap_double(NULL, 1.5) == 1.5);
    CHECK(tern_unwrap_bool(tern_wrap_bool(true, &arena), false));
    tern_arena_fini(&arena);
}

static void event__fields_of_well_known_types(void) {
    tern_arena arena;
    uint8_t bytes[256];
    tern_arena_init(&arena, 0, 0);
    test_event_Event event = {0}, back;
    CHECK(test_event_Event_make_start(&event, &arena));
    tern_timestamp_from_ns(1700000000123456789, event.start);
    CHECK(test_event_Event_make_cause(&event, &arena));
    CHECK_EQ(tern_any_pack(&google_protobuf_Timestamp_type, event.start, &arena, event.cause), 0);
    *test_event_Event_add_marks(&event, &arena) = *event.start;
    CHECK(test_event_Event_make_details(&event, &arena));
    CHECK_EQ(tern_struct_put_number(event.details, tern_str_of("n"), 2.5, &arena), 0);
    int64_t len = test_event_Event_encode(&event, bytes, sizeof bytes);
    CHECK(len > 0);
    CHECK_EQ(test_event_Event_decode(bytes, (size_t)len, &arena, TERN_DECODE_COPY, &back), 0);
    CHECK(test_event_Event_equal(&event, &back));
    CHECK(tern_value_number(tern_struct_get(back.details, tern_str_of("n")), 0) == 2.5);
    tern_arena_fini(&arena);
}

TAP_MAIN(TEST(any__pack_and_unpack), TEST(any__odd_urls), TEST(any__empty_message_and_no_memory),
         TEST(wrappers__wrap_and_unwrap), TEST(event__fields_of_well_known_types))
