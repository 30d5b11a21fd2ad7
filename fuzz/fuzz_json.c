/* The JSON decoder and the JSON and text printers on any bytes. The first byte chooses the type, the options and
 * whether the rest is JSON or protobuf. What decodes must print, unless it has no form, decode from that, and print
 * alike. */
#include "conformance_types.h"
#include "fuzz.h"
#include "old.tern.h"
#include "tern/json.h"
#include "twins.h"

static const tern_type *const types[] = {
    &protobuf_test_messages_proto3_TestAllTypesProto3_type, &protobuf_test_messages_proto2_TestAllTypesProto2_type,
    &google_protobuf_Value_type, &test_old_HoldsRequired_type, &test_refs_Node_type};

static const tern_limits limits = {
    .size = sizeof(tern_limits), .max_bytes = 1 << 20, .max_elements = 1 << 16, .max_depth = 101};

static tern_json_options options_of(uint8_t choice) {
    tern_json_options options;
    tern_json_options_init(&options);
    options.registry = &conformance_registry;
    options.limits = &limits;
    options.ignore_unknown = choice & 8;
    options.proto_names = choice & 16;
    options.indent = choice & 32 ? 2 : 0;
    options.print_defaults = choice & 64;
    options.enum_numbers = choice & 128;
    return options;
}

/* A room of exactly the size that the text takes, and one a byte smaller, say the same as the arena. */
static void check_room(const tern_type *type, const void *msg, tern_json_options options, tern_str text,
                       tern_arena *arena) {
    options.scratch = arena;
    char *room = malloc(text.len + 1);
    FUZZ_CHECK(room);
    FUZZ_CHECK(tern_json_encode(type, msg, &options, room, text.len + 1) == (int64_t)text.len);
    FUZZ_CHECK(memcmp(room, text.data, text.len + 1) == 0);
    FUZZ_CHECK(tern_json_encode(type, msg, &options, room, text.len) == (int64_t)text.len);
    FUZZ_CHECK(text.len == 0 || (memcmp(room, text.data, text.len - 1) == 0 && room[text.len - 1] == 0));
    free(room);
}

static void check_json(const tern_type *type, const void *msg, tern_json_options options, bool from_json,
                       tern_arena *arena) {
    tern_str first, second;
    tern_json_error error;
    int err = tern_json_print(type, msg, &options, arena, &first);
    if (err == TERN_ERR_NOMEM || (err && !from_json)) return;
    FUZZ_CHECK(err == 0);
    void *back = tern_arena_alloc(arena, type->size_bytes);
    if (!back || first.len > limits.max_bytes) return;
    check_room(type, msg, options, first, arena);
    options.error = &error;
    err = tern_json_decode(type, first.data, first.len, &options, arena, back);
    if (err == TERN_ERR_NOMEM || err == TERN_ERR_LIMIT) return; /* defaults and an Any's content count anew */
    if (err) fprintf(stderr, "%s: %s at %zu\n", first.data, error.text, error.offset);
    FUZZ_CHECK(err == 0);
    if (tern_json_print(type, back, &options, arena, &second) != 0) return;
    FUZZ_CHECK(tern_str_eq(first, second));
}

static void check_text(const tern_type *type, const void *msg, uint8_t choice, tern_arena *arena) {
    tern_text_options options;
    tern_str text;
    tern_text_options_init(&options);
    options.registry = choice & 8 ? &conformance_registry : NULL;
    options.single_line = choice & 16;
    options.hide_unknown = choice & 32;
    int err = tern_text_print(type, msg, &options, arena, &text);
    FUZZ_CHECK(err == 0 || err == TERN_ERR_NOMEM || err == TERN_ERR_LIMIT);
    if (err) return;
    for (size_t i = 0; i < text.len; i++) FUZZ_CHECK((uint8_t)text.data[i] < 0x7f);
    options.scratch = arena;
    FUZZ_CHECK(tern_text_encode(type, msg, &options, NULL, 0) == (int64_t)text.len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    tern_arena arena;
    if (len < 2) return 0;
    const tern_type *type = types[(data[0] >> 1) % (sizeof types / sizeof *types)];
    bool from_json = data[0] & 1;
    tern_json_options options = options_of(data[1]);
    tern_arena_init(&arena, 0, (size_t)1 << 28);
    void *msg = tern_arena_alloc(&arena, type->size_bytes);
    FUZZ_CHECK(msg);
    int err = from_json ? tern_json_decode(type, data + 2, len - 2, &options, &arena, msg)
                        : tern_protobuf_decode(type, data + 2, len - 2, &arena, TERN_DECODE_ALIAS, &limits, msg);
    if (has_twin(type) && from_json) {
        test_values_Node twin;
        int twin_err = tern_json_decode(&test_values_Node_type, data + 2, len - 2, &options, &arena, &twin);
        check_twins(err, msg, twin_err, &twin, &arena);
    }
    if (err == 0) {
        check_json(type, msg, options, from_json, &arena);
        check_text(type, msg, data[1], &arena);
    }
    tern_arena_fini(&arena);
    return 0;
}
