/* Generated code used from C++. */
#include "everything.tern.h"
#include "graphs.tern.h"
#include "imported.tern.h"
#include "old.tern.h"
#include "refs.tern.h"
#include "tap.h"

static void cxx__build_encode_decode() {
    tern_arena arena;
    tern_arena_init(&arena, 0, 0);
    test_all_Everything m{}, back;
    test_all_Scalars *scalars = test_all_Everything_make_scalars(&m, &arena);
    CHECK(scalars != nullptr);
    scalars->f_enum = test_all_Color_RED;
    test_other_Imported *imported = test_all_Everything_add_many_imported(&m, &arena);
    CHECK(imported != nullptr);
    imported->blob = tern_bytes_of("xyz", 3);
    uint8_t bytes[64];
    int64_t len = test_all_Everything_encode(&m, bytes, sizeof bytes);
    CHECK_EQ(len, test_all_Everything_size(&m));
    CHECK_EQ(test_all_Everything_decode(bytes, static_cast<size_t>(len), &arena, TERN_DECODE_ALIAS, &back), 0);
    CHECK_EQ(back.scalars->f_enum, 1);
    CHECK(tern_bytes_eq(back.many_imported.data[0].blob, tern_bytes_of("xyz", 3)));
    tern_arena_fini(&arena);
}

static void cxx__presence_and_defaults() {
    test_old_Defaults m{};
    CHECK_EQ(test_old_Defaults_get_i(&m), -7);
    test_old_Defaults_set_i(&m, 1);
    CHECK(m.has.i);
    CHECK_EQ(test_old_Defaults_get_i(&m), 1);
}

static void cxx__lists_of_pointers() {
    tern_arena arena;
    tern_arena_init(&arena, 0, 0);
    test_refs_Node root{}, shared{};
    CHECK(test_refs_Node_add_kids(&root, &arena) == root.kids.data[0]);
    CHECK_EQ(test_refs_Node_put_kids(&root, &shared, &arena), 0);
    CHECK_EQ(test_refs_Node_put_named(&root, tern_str_of("x"), &shared, &arena), 0);
    test_refs_Node **begin = root.kids.data, **end = begin + root.kids.len;
    CHECK(end[-1] == &shared && test_refs_Node_get_named(&root, tern_str_of("x")) == &shared);
    CHECK_EQ(test_refs_Node_reserve_kids(&root, 10, &arena), 0);
    tern_arena_fini(&arena);
}

static void cxx__heap_functions() {
    tern_heap *heap;
    tern_root root;
    CHECK_EQ(tern_heap_new(nullptr, &heap), 0);
    test_graphs_Node *top = test_graphs_Node_new(heap);
    CHECK(top != nullptr && tern_root_new(heap, top, &root) == 0);
    CHECK(test_graphs_Node_heap_put_made(top, tern_str_of("key"), heap) != nullptr);
    CHECK_EQ(test_graphs_Node_heap_set_word(top, tern_str_of("word"), heap), 0);
    CHECK_EQ(test_graphs_Node_heap_put_kids(top, top, heap), 0);
    CHECK_EQ(tern_heap_collect(heap), 0);
    CHECK(top->kids.data[0] == top);
    CHECK_EQ(tern_heap_free(heap), 0);
}

TAP_MAIN(TEST(cxx__heap_functions), TEST(cxx__build_encode_decode), TEST(cxx__presence_and_defaults),
         TEST(cxx__lists_of_pointers))
