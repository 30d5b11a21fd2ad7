/* The generator on any request: whatever comes in, a response goes out that decodes and holds either files or an
 * error, never both. */
#include "fuzz.h"
#include "gen/gen.h"

static void check_response(tern_bytes bytes, tern_arena *arena) {
    google_protobuf_compiler_CodeGeneratorResponse response;
    FUZZ_CHECK(google_protobuf_compiler_CodeGeneratorResponse_decode(bytes.data, bytes.len, arena, TERN_DECODE_ALIAS,
                                                                     &response) == 0);
    FUZZ_CHECK(response.file.len == 0 || !response.has.error);
    FUZZ_CHECK(!response.has.error || response.error.len > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    tern_arena arena;
    tern_bytes response;
    tern_str warnings = {0};
    tern_arena_init(&arena, 1 << 16, 0);
    if (gen_run_bytes(&arena, data, len, &response, &warnings) == 0) {
        check_response(response, &arena);
        FUZZ_CHECK(warnings.len == 0 || warnings.data[warnings.len - 1] == '\n');
    }
    tern_arena_fini(&arena);
    return 0;
}
