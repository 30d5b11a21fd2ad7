/* The functions that the generator makes for heaps, over a schema with each kind of field. */
#include "graphs.tern.h"
#include "tap.h"

typedef test_graphs_Node node;

static tern_heap *heap;
static tern_root root;
static node *top;

static tern_str S(const char *text) { return tern_str_of(text); }

/* A heap in which each safe point moves all, with a root at `top`: what was not written into the heap is lost. */
static bool set_up(void) {
    tern_heap_config config;
    tern_heap_config_init(&config);
    config.move_always = true;
    config.max_bytes = 64 << 20;
    if (tern_heap_new(&config, &heap) != 0) return false;
    top = test_graphs_Node_new(heap);
    return top && tern_root_new(heap, top, &root) == 0;
}

/* Collects, and finds the first node again. */
static int safe_point(void) {
    int err = tern_heap_collect(heap);
    if (!err) err = tern_heap_check(heap);
    if (err) printf("# %s\n", tern_heap_problem(heap));
    top = tern_root_get(heap, root);
    return err;
}

static uint64_t objects(void) {
    tern_heap_stats stats;
    tern_heap_get_stats(heap, &stats);
    return stats.objects;
}

static void typed__new_is_empty(void) {
    const node empty = {0};
    CHECK(set_up());
    CHECK(test_graphs_Node_equal(top, &empty));
    CHECK(tern_heap_type_of(heap, top) == &test_graphs_Node_type);
    CHECK_EQ(tern_heap_free(heap), 0);
}

static void typed__strings_and_bytes(void) {
    char name[] = "name", data[] = "data", word[] = "word";
    CHECK(set_up());
    CHECK_EQ(test_graphs_Node_heap_set_name(top, S(name), heap), 0);
    CHECK_EQ(test_graphs_Node_heap_set_data(top, tern_bytes_of(data, 4), heap), 0);
    CHECK_EQ(test_graphs_Node_heap_set_word(top, S(word), heap), 0);
    memset(name, 'x', 4), memset(data, 'x', 4), memset(word, 'x', 4);
    CHECK_EQ(safe_point(), 0);
    CHECK_EQ(objects(), 4);
    CHECK(tern_str_eq(top->name, S("name")));
    CHECK(top->has.data && tern_bytes_eq(top->data, tern_bytes_of("data", 4)));
    CHECK(test_graphs_Node_has_word(top) && tern_str_eq(top->word, S("word")));
    CHECK_EQ(test_graphs_Node_heap_set_data(top, tern_bytes_of("", 0), heap), 0);
    CHECK(top->has.data && top->data.len == 0);
    CHECK_EQ(tern_heap_free(heap), 0);
}

static void typed__messages(void) {
    CHECK(set_up());
    node *next = test_graphs_Node_heap_make_next(top, heap), *mate = test_graphs_Node_heap_make_mate(top, heap);
    test_other_Imported *imported = test_graphs_Node_heap_make_imported(top, heap);
    CHECK(next && mate && imported);
    next->id = 1, mate->id = 2, imported->kind = test_other_Kind_KIND_SOME;
    CHECK_EQ(safe_point(), 0);
    CHECK_EQ(objects(), 4);
    CHECK(top->next != next && top->next->id == 1);
    CHECK(test_graphs_Node_has_mate(top) && top->mate->id == 2);
    CHECK_EQ(top->imported->kind, test_other_Kind_KIND_SOME);
    CHECK_EQ(tern_heap_free(heap), 0);
}

static void typed__lists(void) {
    CHECK(set_up());
    CHECK_EQ(test_graphs_Node_heap_reserve_values(top, 100, heap), 0);
    const double *room = top->values.data;
    for (uint32_t i = 0; i < 100; i++) {
        double *value = test_graphs_Node_heap_add_values(top, heap);
        node *inside = test_graphs_Node_heap_add_inside(top, heap);
        tern_str *tag = test_graphs_Node_heap_add_tags(top, heap);
        CHECK(value && inside && tag);
        CHECK(*value == 0 && inside->id == 0 && tag->len == 0);
        *value = i, inside->id = i;
        CHECK_EQ(tern_heap_str(heap, "tag", 3, tag), 0);
    }
    CHECK(top->values.data == room);
    CHECK_EQ(safe_point(), 0);
    CHECK_EQ(objects(), 1 + 3 + 100);
    for (uint32_t i = 0; i < 100; i++) {
        CHECK(top->values.data[i] == i && top->inside.data[i].id == i);
        CHECK(tern_str_eq(top->tags.data[i], S("tag")));
    }
    CHECK_EQ(tern_heap_free(heap), 0);
}

static void typed__lists_of_pointers(void) {
    CHECK(set_up());
    CHECK_EQ(test_graphs_Node_heap_reserve_kids(top, 2, heap), 0);
    node *kid = test_graphs_Node_heap_add_kids(top, heap);
    CHECK(kid && top->kids.data[0] == kid);
    kid->id = 7;
    CHECK_EQ(test_graphs_Node_heap_put_kids(top, kid, heap), 0);
    CHECK_EQ(test_graphs_Node_heap_put_kids(kid, top, heap), 0);
    test_other_Imported *one = test_graphs_Node_heap_add_many(top, heap);
    CHECK(one && test_graphs_Node_heap_put_many(top, one, heap) == 0);
    CHECK_EQ(safe_point(), 0);
    CHECK_EQ(objects(), 2 + 2 + 2);
    CHECK(top->kids.len == 2 && top->kids.data[0] == top->kids.data[1] && top->kids.data[0]->id == 7);
    CHECK(top->kids.data[0]->kids.data[0] == top);
    CHECK(top->many.len == 2 && top->many.data[0] == top->many.data[1]);
    CHECK_EQ(tern_heap_free(heap), 0);
}

static void typed__maps(void) {
    CHECK(set_up());
    CHECK_EQ(test_graphs_Node_heap_reserve_words(top, 50, heap), 0);
    for (uint32_t i = 0; i < 100; i++) {
        const uint8_t byte = (uint8_t)i;
        tern_str word, key;
        CHECK(tern_heap_str(heap, "word", 4, &word) == 0 && tern_heap_str(heap, (const char *)&byte, 1, &key) == 0);
        CHECK_EQ(test_graphs_Node_heap_put_words(top, i, word, heap), 0);
        node *made = test_graphs_Node_heap_put_made(top, key, heap);
        CHECK(made && made == test_graphs_Node_heap_put_made(top, key, heap));
        made->id = i;
        CHECK_EQ(test_graphs_Node_heap_put_named(top, key, made, heap), 0);
        CHECK(top->words.len == i + 1 && top->made.len == i + 1 && top->named.len == i + 1);
    }
    CHECK_EQ(safe_point(), 0);
    for (uint32_t i = 0; i < 100; i++) {
        const uint8_t byte = (uint8_t)i;
        const tern_str key = {(const char *)&byte, 1};
        node *made = test_graphs_Node_get_made(top, key);
        CHECK(made && made->id == i && test_graphs_Node_get_named(top, key) == made);
        CHECK(tern_str_eq(*test_graphs_Node_get_words(top, i), S("word")));
    }
    top->words.index = NULL; /* as after a file */
    CHECK_EQ(test_graphs_Node_heap_index_words(top, heap), 0);
    CHECK(top->words.index != NULL);
    CHECK(test_graphs_Node_heap_index_made(top, heap) == 0 && test_graphs_Node_heap_index_named(top, heap) == 0);
    CHECK_EQ(tern_heap_free(heap), 0);
}

/* Where the heap is full, each function says so and has changed nothing. */
static void typed__full(void) {
    CHECK(set_up());
    tern_bytes filler;
    for (size_t bytes = 8 << 20; bytes > 0; bytes /= 2)
        while (tern_heap_bytes(heap, NULL, bytes, &filler) == 0) continue;
    const node empty = {0};
    CHECK(!test_graphs_Node_new(heap));
    CHECK(strlen(tern_heap_problem(heap)) > 0);
    CHECK_EQ(test_graphs_Node_heap_set_name(top, S("name"), heap), TERN_ERR_NOMEM);
    CHECK_EQ(test_graphs_Node_heap_set_data(top, tern_bytes_of("data", 4), heap), TERN_ERR_NOMEM);
    CHECK_EQ(test_graphs_Node_heap_set_word(top, S("word"), heap), TERN_ERR_NOMEM);
    CHECK(!test_graphs_Node_heap_make_next(top, heap) && !test_graphs_Node_heap_make_mate(top, heap));
    CHECK(!test_graphs_Node_heap_add_kids(top, heap) && !test_graphs_Node_heap_add_inside(top, heap));
    CHECK(!test_graphs_Node_heap_add_tags(top, heap) && !test_graphs_Node_heap_add_values(top, heap));
    CHECK_EQ(test_graphs_Node_heap_put_kids(top, top, heap), TERN_ERR_NOMEM);
    CHECK_EQ(test_graphs_Node_heap_reserve_values(top, 1, heap), TERN_ERR_NOMEM);
    CHECK_EQ(test_graphs_Node_heap_put_words(top, 1, S("word"), heap), TERN_ERR_NOMEM);
    CHECK_EQ(test_graphs_Node_heap_put_named(top, S("key"), top, heap), TERN_ERR_NOMEM);
    CHECK(!test_graphs_Node_heap_put_made(top, S("key"), heap));
    CHECK(test_graphs_Node_equal(top, &empty));
    CHECK_EQ(test_graphs_Node_heap_reserve_values(top, SIZE_MAX / 8, heap), TERN_ERR_LIMIT);
    CHECK_EQ(safe_point(), 0);
    CHECK(test_graphs_Node_heap_make_next(top, heap) != NULL);
    CHECK_EQ(tern_heap_free(heap), 0);
}

/* Functions that would be called like types of the schema: the types give way. */
static void typed__names_that_were_taken(void) {
    CHECK(set_up());
    test_graphs_Taken *taken = test_graphs_Taken_new(heap);
    CHECK(taken && test_graphs_Taken_heap_set_heap(taken, S("a"), heap) == 0);
    CHECK_EQ(test_graphs_Taken_heap_set_heap_heap(taken, S("b"), heap), 0);
    CHECK_EQ(test_graphs_Taken_heap_set_made(taken, S("c"), heap), 0);
    CHECK_EQ(test_graphs_Taken_heap_set_set_made(taken, S("d"), heap), 0);
    CHECK(tern_str_eq(taken->heap, S("a")) && tern_str_eq(taken->heap_heap, S("b")));
    CHECK_EQ(taken->heap_set_case, test_graphs_Taken_heap_set__made);
    CHECK_EQ(taken->heap__case, test_graphs_Taken_heap__set_made);
    CHECK(test_graphs_Taken_new__new(heap) != NULL && test_graphs_Taken_heap_set_heap__new(heap) != NULL);
    CHECK_EQ(tern_heap_free(heap), 0);
}

TAP_MAIN(TEST(typed__new_is_empty), TEST(typed__strings_and_bytes), TEST(typed__messages), TEST(typed__lists),
         TEST(typed__lists_of_pointers), TEST(typed__maps), TEST(typed__full), TEST(typed__names_that_were_taken))
