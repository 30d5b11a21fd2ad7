/* Graphs with fields of type tern.Object that go from heap to heap: each object arrives with the type that it had. */
#include "graphs.h"
#include "objects.tern.h"
#include "tap.h"
#include "tern/object.tern.h"

typedef test_objects_Holder holder;

static const tern_type *const known[] = {&test_objects_Holder_type, &test_objects_Holder_NamedEntry_type,
                                         &test_objects_Circle_type, &test_objects_Square_type, &tern_Object_type};
static const tern_registry all = {known, TERN__COUNT(known)}, few = {known, 2};

static tern_heap *from, *to;
static tern__walker *walker;
static tern__recovery *recovery;

static bool open_both(const tern_registry *types) {
    return tern_heap_new(NULL, &from) == 0 && tern_heap_new(NULL, &to) == 0 && tern__walker_new(from, &walker) == 0 &&
           tern__recovery_new(to, types, &recovery) == 0;
}

static bool close_both(void) {
    tern__walker_free(walker);
    tern__recovery_free(recovery);
    return tern_heap_collect(to) == 0 && tern_heap_free(from) == 0 && tern_heap_free(to) == 0;
}

static int send(const holder *top, size_t fragment_bytes, tern_root *root) {
    copied_graph graph;
    tern__walk_config config = {.fragment_bytes = fragment_bytes, .inplace_bytes = 64};
    feeding how = {.piece_bytes = 0};
    int err = graphs_copy(walker, &test_objects_Holder_type, top, &config, &graph);
    if (!err) err = tern__recovery_begin(recovery, &test_objects_Holder_type, NULL);
    if (!err) err = graphs_feed(recovery, to, &graph, &how);
    if (!err) err = tern__recovery_finish(recovery, root);
    graphs_drop(&graph);
    return err;
}

static tern_str in_heap(const char *text) {
    tern_str str = {0};
    tern_heap_str(from, text, strlen(text), &str);
    return str;
}

/* Objects of three types, one of them shared and one a cycle, in every kind of field. */
static holder *make_top(void) {
    holder *top = test_objects_Holder_new(from);
    test_objects_Circle *circle = test_objects_Circle_new(from);
    test_objects_Square *square = test_objects_Square_new(from);
    if (!top || !circle || !square) return NULL;
    circle->name = in_heap("round");
    circle->radius = 2.5;
    square->side = 7;
    top->id = 1;
    top->one = circle;
    test_objects_Holder_set_picked(top, square);
    bool ok = test_objects_Holder_heap_put_many(top, circle, from) == 0 &&
              test_objects_Holder_heap_put_many(top, square, from) == 0 &&
              test_objects_Holder_heap_put_many(top, top, from) == 0 &&
              test_objects_Holder_heap_put_named(top, in_heap("key"), circle, from) == 0;
    return ok ? top : NULL;
}

static void check_top(const holder *top) {
    CHECK(tern_heap_type_of(to, top) == &test_objects_Holder_type);
    CHECK(tern_heap_type_of(to, top->one) == &test_objects_Circle_type);
    CHECK(tern_heap_type_of(to, top->picked) == &test_objects_Square_type);
    const test_objects_Circle *circle = top->one;
    const test_objects_Square *square = top->picked;
    CHECK(tern_str_eq(circle->name, tern_str_of("round")) && circle->radius == 2.5);
    CHECK_EQ(square->side, 7);
    CHECK_EQ(top->id, 1);
    CHECK_EQ(top->many.len, 3);
    CHECK(top->many.data[0] == circle && top->many.data[1] == square && top->many.data[2] == top);
    CHECK(test_objects_Holder_get_named(top, tern_str_of("key")) == circle);
}

static void objects__arrive_as_they_were(void) {
    const size_t fragment_bytes[] = {0, 1, 100};
    for (size_t i = 0; i < TERN__COUNT(fragment_bytes); i++) {
        tern_root root;
        CHECK(open_both(&all));
        holder *top = make_top();
        CHECK(top);
        CHECK_EQ(send(top, fragment_bytes[i], &root), 0);
        CHECK_EQ(tern_heap_check(to), 0);
        check_top(tern_root_get(to, root));
        CHECK_EQ(tern_heap_compact(to), 0);
        check_top(tern_root_get(to, root));
        CHECK(close_both());
        CHECK_OK();
    }
}

/* An encoded object that lies outside of heaps goes as what it is. */
static void objects__encoded_ones_stay_so(void) {
    tern_root root;
    static tern_Object encoded;
    encoded.type_url = tern_str_of("type.googleapis.com/test.objects.Square");
    encoded.value = tern_bytes_of("\x08\x07", 2);
    CHECK(open_both(&all));
    holder *top = test_objects_Holder_new(from);
    CHECK(top);
    top->one = &encoded;
    CHECK_EQ(send(top, 0, &root), 0);
    CHECK_EQ(tern_heap_check(to), 0);
    const holder *got = tern_root_get(to, root);
    CHECK(tern_heap_type_of(to, got->one) == &tern_Object_type);
    const tern_Object *object = got->one;
    CHECK(tern_str_eq(object->type_url, encoded.type_url) && tern_bytes_eq(object->value, encoded.value));
    CHECK(close_both());
}

/* A type that the receiver does not know is named. */
static void objects__unknown_types_are_refused(void) {
    tern_root root;
    CHECK(open_both(&few));
    holder *top = make_top();
    CHECK(top);
    CHECK_EQ(send(top, 0, &root), TERN_ERR_NOT_FOUND);
    CHECK(strstr(tern__recovery_problem(recovery), "test.objects."));
    CHECK(close_both());
}

/* A type that the heap meets while a graph is on its way. */
static void objects__of_a_type_met_later(void) {
    tern_root root;
    copied_graph graph = {0};
    tern__fragment fragment;
    CHECK(open_both(&all));
    holder *top = test_objects_Holder_new(from), *last = test_objects_Holder_new(from);
    CHECK(top && last);
    top->next = last;
    tern__walk_config config = {.fragment_bytes = 1, .inplace_bytes = SIZE_MAX};
    CHECK_EQ(tern__walk_begin(walker, &test_objects_Holder_type, top, &config), 0);
    CHECK_EQ(tern__recovery_begin(recovery, &test_objects_Holder_type, NULL), 0);
    feeding how = {0};
    for (int more = 1; more == 1;) {
        more = tern__walk_next(walker, &fragment);
        CHECK(more >= 0);
        if (more == 0) break;
        copied_fragment copy = {.meta_bytes = fragment.meta_bytes, .data_bytes = fragment.data_bytes};
        copy.meta = (uint8_t *)(uintptr_t)fragment.meta;
        uint8_t data[1024];
        size_t at = 0;
        for (size_t i = 0; i < fragment.n_pieces; at += fragment.pieces[i++].bytes)
            memcpy(data + at, fragment.pieces[i].data, fragment.pieces[i].bytes);
        copy.data = data;
        graph = (copied_graph){.list = &copy, .n = 1};
        CHECK_EQ(graphs_feed(recovery, to, &graph, &how), 0);
        if (!last->one && !fragment.is_last) last->one = test_objects_Circle_new(from);
    }
    tern__walk_end(walker);
    CHECK_EQ(tern__recovery_finish(recovery, &root), 0);
    const holder *got = tern_root_get(to, root);
    CHECK(got->next && tern_heap_type_of(to, got->next->one) == &test_objects_Circle_type);
    CHECK(close_both());
}

/* Whatever is changed in what travels, the heap is in order afterwards. */
static void objects__damaged(void) {
    copied_graph graph;
    tern__walk_config config = {.inplace_bytes = 64};
    feeding how = {0};
    unsigned n_refused = 0;
    CHECK(open_both(&all));
    holder *top = make_top();
    CHECK(top);
    CHECK_EQ(graphs_copy(walker, &test_objects_Holder_type, top, &config, &graph), 0);
    for (size_t f = 0; f < graph.n; f++)
        for (size_t at = 0; at < graph.list[f].data_bytes; at++)
            for (unsigned bit = 0; bit < 8; bit++) {
                tern_root root = {0};
                graph.list[f].data[at] ^= (uint8_t)(1u << bit);
                CHECK_EQ(tern__recovery_begin(recovery, &test_objects_Holder_type, NULL), 0);
                int err = graphs_feed(recovery, to, &graph, &how);
                if (!err) err = tern__recovery_finish(recovery, &root);
                n_refused += err != 0;
                if (err) tern__recovery_cancel(recovery);
                if (!err) CHECK_EQ(tern_root_drop(to, root), 0);
                CHECK_EQ(tern_heap_check(to), 0);
                graph.list[f].data[at] ^= (uint8_t)(1u << bit);
            }
    CHECK(n_refused > 100);
    graphs_drop(&graph);
    CHECK(close_both());
}

TAP_MAIN(TEST(objects__arrive_as_they_were), TEST(objects__encoded_ones_stay_so),
         TEST(objects__unknown_types_are_refused), TEST(objects__of_a_type_met_later), TEST(objects__damaged))
