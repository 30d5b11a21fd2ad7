/* Graphs that go from heap to heap within the process: what arrives is the same graph, and the heap is in order. */
#include <pthread.h>
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
static void transfer__trees_from_arenas(void) {
    n_collected = 0;
    random_graphs(TERN__WALK_NOTHING, true, true, 100);
    CHECK(n_collected > 50);
}

/* A root on the stack, literals, an arena, and a heap, all of which lead to each other. */
static void transfer__from_everywhere(void) {
    static double numbers[5000];
    tern_heap *heap = new_heap(false);
    tern_arena arena;
    tern__walker *walker;
    tern_arena_init(&arena, 0, 0);
    CHECK_EQ(tern__walker_new(heap, &walker), 0);
    link_msg here = {.id = 1, .label = {"a literal", 9}, .values = {numbers, 5000, 0}};
    link_msg *in_heap = link_new(heap, 2), *in_arena = tern_arena_zalloc(&arena, sizeof *in_arena);
    CHECK(in_heap && in_arena);
    here.next = in_heap;
    here.other = in_arena;
    CHECK_EQ(tern_heap_reserve(heap, &link_type, &here, LINK_PEERS, 3), 0);
    here.peers.data[here.peers.len++] = &here;
    here.peers.data[here.peers.len++] = in_arena;
    here.peers.data[here.peers.len++] = in_heap;
    in_arena->id = 3;
    in_arena->label = here.label;
    in_arena->next = &here;
    in_arena->values = here.values;
    in_heap->label = (tern_str){"another literal", 15};
    in_heap->next = in_arena;
    CHECK_EQ(tern_list_reserve(&in_heap->inside, 2, sizeof(link_msg), &arena), 0);
    in_heap->inside.len = 2;
    in_heap->inside.data[1].next = in_heap;
    in_arena->one_case = LINK_FRIEND;
    in_arena->friend = &in_heap->inside.data[0]; /* within a list: an object of its own */
    for (size_t i = 0; i < 3; i++) {
        const tern__walk_config config = {.inplace_bytes = i == 0 ? 0 : i == 1 ? 1000 : SIZE_MAX, .fragment_bytes = i};
        transfer(walker, heap, &here, &config, &(feeding){0}, true, false);
        tern__walk_stats stats;
        tern__walker_get_stats(walker, &stats);
        CHECK_EQ(stats.objects, 9); /* 4 links, 2 labels, the numbers, and two lists */
        tern__walker_free(walker);
        CHECK_EQ(tern__walker_new(heap, &walker), 0);
    }
    tern__walker_free(walker);
    tern_arena_fini(&arena);
    CHECK_EQ(tern_heap_free(heap), 0);
}

static void transfer__a_long_list(void) {
    tern_heap *heap = new_heap(false), *to = new_heap(false);
    tern__walker *walker;
    tern__recovery *recovery;
    copied_graph graph;
    tern_root root;
    link_msg *first = NULL;
    for (uint32_t i = 0; i < 300000; i++) {
        link_msg *link = tern_heap_alloc(heap, &link_type);
        CHECK(link);
        link->id = i;
        link->next = first;
        first = link;
    }
    CHECK_EQ(tern__walker_new(heap, &walker), 0);
    CHECK_EQ(tern__recovery_new(to, NULL, &recovery), 0);
    CHECK_EQ(graphs_copy(walker, &link_type, first, &(tern__walk_config){.fragment_bytes = 16 << 20}, &graph), 0);
    CHECK_EQ(tern__recovery_begin(recovery, &link_type, NULL), 0);
    tern__rng rng;
    tern__rng_seed(&rng, 4);
    const feeding how = {.rng = &rng, .piece_bytes = 4 << 20, .between = collect}; /* pieces of several regions */
    CHECK_EQ(graphs_feed(recovery, to, &graph, &how), 0);
    CHECK_EQ(tern__recovery_finish(recovery, &root), 0);
    CHECK_EQ(tern_heap_check(to), 0);
    CHECK(graphs_equal(&link_type, first, tern_root_get(to, root), heap, to, false));
    tern__recovery_stats got;
    tern__walk_stats sent;
    tern__recovery_get_stats(recovery, &got);
    tern__walker_get_stats(walker, &sent);
    CHECK_EQ(got.most_stack, 0);
    CHECK_EQ(sent.most_stack, 0);
    graphs_drop(&graph);
    tern__walker_free(walker);
    tern__recovery_free(recovery);
    CHECK_EQ(tern_heap_free(heap), 0);
    CHECK_EQ(tern_heap_free(to), 0);
}

typedef struct strangers {
    tern__walker *walker;
    tern__recovery *recovery;
    const link_msg *first;
    int walk, recover;
} strangers;

static void *from_another_thread(void *strangers_) {
    strangers *s = strangers_;
    s->walk = tern__walk_begin(s->walker, &link_type, s->first, NULL);
    s->recover = tern__recovery_begin(s->recovery, &link_type, NULL);
    return NULL;
}

static void transfer__is_the_thread_s_that_owns_the_heap(void) {
    tern_heap *heap = new_heap(false);
    strangers s = {.first = link_new(heap, 1)};
    pthread_t thread;
    CHECK_EQ(tern__walker_new(heap, &s.walker), 0);
    CHECK_EQ(tern__recovery_new(heap, NULL, &s.recovery), 0);
    CHECK_EQ(pthread_create(&thread, NULL, from_another_thread, &s), 0);
    pthread_join(thread, NULL);
    CHECK_EQ(s.walk, TERN_ERR_THREAD);
    CHECK_EQ(s.recover, TERN_ERR_THREAD);
    tern__walker_free(s.walker);
    tern__recovery_free(s.recovery);
    CHECK_EQ(tern_heap_free(heap), 0);
}

TAP_MAIN(TEST(transfer__from_everywhere), TEST(transfer__a_long_list),
         TEST(transfer__is_the_thread_s_that_owns_the_heap), TEST(transfer__random_by_tables),
         TEST(transfer__random_by_intervals), TEST(transfer__trees_by_nothing), TEST(transfer__random_from_arenas),
         TEST(transfer__trees_from_arenas))
