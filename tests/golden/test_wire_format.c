/* The examples of docs/wire-format.md are what the codec writes and reads, byte for byte: the bytes come from
 * the page itself. */
#include "../unit/codec/hybrid_types.h"
#include "page.h"
#include "tap.h"

#ifndef WIRE_FORMAT_PAGE
#error "WIRE_FORMAT_PAGE is the path of docs/wire-format.md"
#endif

static void check_example(const tern_type *type, const void *msg, const char *name, size_t threshold,
                          tern_hybrid_plan *plan) {
    uint8_t page[PAGE_MAX_BYTES];
    size_t n = page_read_example(WIRE_FORMAT_PAGE, name, page);
    CHECK(n > 0);
    flat f = flat_encode(type, msg, threshold);
    CHECK_EQ(f.rc, 0);
    CHECK_EQ(f.len, n);
    CHECK_MEM(f.data, page, n);
    *plan = f.plan;
    free(f.data);
    tern_arena arena;
    tern_arena_init(&arena, 0, 0);
    void *back = malloc(type->size_bytes);
    CHECK_EQ(tern_hybrid_decode(type, page, n, &arena, NULL, back), 0);
    CHECK(message_equal(type, msg, back));
    tern_arena_fini(&arena);
    free(back);
}

static void wire_format__figure_4(void) {
    char *val1 = tern_alloc(16);
    CHECK(val1);
    memcpy(val1, "val1 is in place", 16);
    tern_bytes vals[] = {{val1, 16}, {"val2", 4}, {"val3!", 5}};
    getm_response m = {.id = 42, .vals = {vals, 3, 0}};
    tern_hybrid_plan plan = {0};
    check_example(&getm_response_type, &m, "GetResponse", 16, &plan);
    CHECK_OK();
    CHECK_EQ(plan.header_bytes, 44);
    CHECK_EQ(plan.head_bytes, 53);
    CHECK_EQ(plan.n_inplace, 1);
    tern_unref(val1);
}

static void wire_format__nested(void) {
    tree next = {0}, kids[] = {{.id = 1}, {.id = 2}};
    tree m = {.id = 7, .name = tern_str_of("abc"), .next = &next, .kids = {kids, 2, 0}};
    tern_hybrid_plan plan;
    check_example(&tree_type, &m, "Tree", 512, &plan);
}

static void wire_format__map_and_oneof(void) {
    setting_limit limits[] = {{{"lo", 2}, 0}, {{"hi", 2}, 9}};
    setting m = {.value_case = 4, .id = 7, .limits = {limits, 2, 0, NULL}, .number = -2};
    tern_hybrid_plan plan;
    check_example(&setting_type, &m, "Setting", 512, &plan);
}

TAP_MAIN(TEST(wire_format__figure_4), TEST(wire_format__nested), TEST(wire_format__map_and_oneof))
