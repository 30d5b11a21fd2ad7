/* Graphs that go from heap to heap within the process: what arrives is the same graph, and the heap is in order. */
#include <stdlib.h>

#include "graphs.h"
#include "tap.h"

static tern_heap *new_heap(bool move_always) {
    tern_heap *heap = NULL;
    tern_heap_config config;
    tern_heap_config_init(&config);
    config.max_bytes = 256 << 20;
    config.move_always = move_always;
    return tern_heap_new(&config, &heap) == 0 ? heap : NULL;
}

static int n_collected;
static void collect(tern_heap *heap) {
    n_collected++;
    if (tern_heap_check(heap) != 0 || tern_heap_collect(heap) != 0) printf("# %s\n", tern_heap_problem(heap));
}
static void compact(tern_heap *heap) {
    n_collected++;
    link_new(heap, 1); /* it is in the way */
    if (tern_heap_compact(heap) != 0 || tern_heap_check(heap) != 0) printf("# %s\n", tern_heap_problem(heap));
}

/* Sends what has this root to another heap and compares. */
static void transfer(tern__walker *walker, const tern_heap *from, const link_msg *first,
                     const tern__walk_config *config, const feeding *how, bool is_tree, bool move_always) {
    copied_graph graph;
    tern__recovery *recovery;
    tern_heap *to = new_heap(move_always);
    tern_root root;
    CHECK(to);
    CHECK_EQ(tern__recovery_new(to, NULL, &recovery), 0);
    int err = graphs_copy(walker, &link_type, first, config, &graph);
    if (err) printf("# %s\n", tern__walker_problem(walker));
    CHECK_EQ(err, 0);
    CHECK_EQ(tern__recovery_begin(recovery, &link_type, NULL), 0);
    err = graphs_feed(recovery, to, &graph, how);
    if (err) printf("# %s\n", tern__recovery_problem(recovery));
    CHECK_EQ(err, 0);
    CHECK_EQ(tern__recovery_wanted(recovery), TERN__WANTS_FINISH);
    CHECK_EQ(tern__recovery_finish(recovery, &root), 0);
    err = tern_heap_check(to);
    if (err) printf("# %s\n", tern_heap_problem(to));
    CHECK_EQ(err, 0);
    CHECK(graphs_equal(&link_type, first, tern_root_get(to, root), from, to, is_tree));
    CHECK_EQ(tern_heap_compact(to), 0);
    CHECK_EQ(tern_heap_check(to), 0);
    CHECK(graphs_equal(&link_type, first, tern_root_get(to, root), from, to, is_tree));
    tern__walk_stats sent;
    tern__recovery_stats got;
    tern__walker_get_stats(walker, &sent);
    tern__recovery_get_stats(recovery, &got);
    CHECK_EQ(sent.objects, got.objects);
    CHECK_EQ(sent.bytes, got.bytes);
    CHECK_EQ(sent.backs, got.backs);
    CHECK_EQ(got.copied_bytes, sent.bytes - 8 * sent.objects); /* once, but for headers */
    tern_heap_stats stats = stats_of(to);
    CHECK(stats.objects >= got.objects);
    tern__recovery_free(recovery);
    CHECK_EQ(tern_heap_free(to), 0);
    graphs_drop(&graph);
}

static void random_graphs(tern__walk_set set, bool is_tree, bool in_arena, uint64_t seeds) {
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        tern__rng rng;
        tern_heap *heap = new_heap(false);
        tern_arena arena;
        tern__walker *walker;
        tern__rng_seed(&rng, seed);
        tern_arena_init(&arena, 0, 0);
        uint32_t n = seed % 3 ? 1 + (uint32_t)tern__rng_below(&rng, 300) : 1 + (uint32_t)(seed % 7);
        link_msg *first = graphs_random((place){in_arena ? NULL : heap, &arena}, &rng, n, is_tree);
        CHECK(first);
        CHECK_EQ(tern__walker_new(in_arena && seed % 2 ? NULL : heap, &walker), 0);
        tern__walk_config config = {.set = set};
        feeding how = {.rng = &rng};
        config.fragment_bytes = seed % 4 == 0 ? 0 : seed % 4 == 1 ? 1 : tern__rng_below(&rng, 5000);
        config.piece_bytes = seed % 5 ? 0 : 512;
        config.inplace_bytes = seed % 3 == 0 ? SIZE_MAX : seed % 3 == 1 ? 0 : 256;
        how.piece_bytes = seed % 2 ? 0 : 1 + (size_t)tern__rng_below(&rng, 3000);
        how.between = seed % 8 == 2 ? collect : seed % 8 == 6 ? compact : NULL;
        transfer(walker, in_arena ? NULL : heap, first, &config, &how, is_tree, seed % 4 == 2);
        if (tap_failed) printf("# seed %d\n", (int)seed);
        CHECK_OK();
        tern__walker_free(walker);
        CHECK_EQ(stats_of(heap).pins, 0);
        tern_arena_fini(&arena);
        CHECK_EQ(tern_heap_free(heap), 0);
    }
}

static void transfer__random_by_tables(void) { random_graphs(TERN__WALK_TABLES, false, false, 200); }
static void transfer__random_by_intervals(void) { random_graphs(TERN__WALK_INTERVALS, false, false, 200); }
static void transfer__trees_by_nothing(void) { random_graphs(TERN__WALK_NOTHING, true, false, 200); }
static void transfer__random_from_arenas(void) { random_graphs(TERN__WALK_TABLES, false, true, 200); }
static void transfer__trees_from_arenas(void) { random_graphs(TERN__WALK_NOTHING, true, true, 100); }

TAP_MAIN(TEST(transfer__random_by_tables), TEST(transfer__random_by_intervals), TEST(transfer__trees_by_nothing),
         TEST(transfer__random_from_arenas), TEST(transfer__trees_from_arenas))
