/* Each allocation of a transfer fails once, for every one there is: the function says so, nothing is lost, and the next
 * try works. */
#include "graphs.h"
#include "mem/pool.h"
#include "pool_stats.h"
#include "tap.h"

static tern_heap *from, *to;
static const link_msg *first;
static int n_refused;

/* The last of these is tried until it works: what failed is the one thing that fails. */
static bool walk_all(tern__walk_set set, copied_graph *graph) {
    tern__walker *walker;
    const tern__walk_config config = {.set = set, .fragment_bytes = 4000, .inplace_bytes = 600};
    for (int tries = 0; tries < 3; tries++) {
        int err = tern__walker_new(from, &walker);
        if (!err) {
            err = graphs_copy(walker, &link_type, first, &config, graph);
            if (err && !tern__walker_problem(walker)[0]) return false;
            tern__walker_free(walker);
            if (err) graphs_drop(graph);
        }
        if (stats_of(from).pins || tern_heap_check(from) != 0) return false;
        if (!err) return true;
        n_refused++;
        if (err != TERN_ERR_NOMEM) return false;
    }
    return false;
}

static bool recover_all(const copied_graph *graph, tern_root *root) {
    tern__recovery *recovery;
    for (int tries = 0; tries < 4; tries++) {
        int err = tern__recovery_new(to, NULL, &recovery);
        if (!err) {
            err = tern__recovery_begin(recovery, &link_type, NULL);
            if (!err) err = graphs_feed(recovery, to, graph, &(feeding){0});
            for (int again = 0; !err && again < 3; again++) { /* nothing is lost when there is no place for a root */
                err = tern__recovery_finish(recovery, root);
                if (err != TERN_ERR_NOMEM) break;
                n_refused++;
                if (tern_heap_collect(to) != 0) return false;
                err = 0;
            }
            if (err && !tern__recovery_problem(recovery)[0]) return false;
            tern__recovery_free(recovery);
        }
        if (tern_heap_check(to) != 0 || stats_of(to).pins) return false;
        if (!err) return true;
        n_refused++;
        if (err != TERN_ERR_NOMEM || tern_heap_collect(to) != 0 || stats_of(to).objects != 0) return false;
    }
    return false;
}

static bool scenario(tern__walk_set set) {
    copied_graph graph;
    tern_heap_config config;
    tern_root root;
    tern_heap_config_init(&config);
    config.max_bytes = 64 << 20;
    while (tern_heap_new(&config, &to) != 0) n_refused++;
    if (!walk_all(set, &graph) || !recover_all(&graph, &root)) return false;
    bool same = graphs_equal(&link_type, first, tern_root_get(to, root), from, to, false);
    graphs_drop(&graph);
    return same && tern_heap_check(to) == 0 && tern_heap_free(to) == 0;
}

static void fail_each(tern__walk_set set, uint64_t (*fail_after)(uint64_t)) {
    tern__rng rng;
    tern_bytes large;
    int n_runs = 0;
    tern__rng_seed(&rng, 5);
    CHECK_EQ(tern_heap_new(NULL, &from), 0);
    link_msg *made = graphs_random((place){from, NULL}, &rng, 200, false);
    CHECK(made);
    CHECK_EQ(tern_heap_bytes(from, NULL, 3 << 20, &large), 0); /* its room grows twice */
    made->extra = large;
    made->has.extra = 1;
    first = made;
    n_refused = 0;
    CHECK(scenario(set));
    CHECK_EQ(n_refused, 0);
    uint64_t before = live_buffers();
    for (uint64_t n = 1;; n++) {
        fail_after(n);
        bool ok = scenario(set);
        bool is_done = fail_after(0) != 0;
        if (!ok) printf("# allocation %llu: %s\n", (unsigned long long)n, tern_heap_problem(to));
        CHECK(ok);
        CHECK_EQ(live_buffers(), before);
        if (is_done) break;
        n_runs++;
    }
    printf("# %d failures, %d of them seen by the program\n", n_runs, n_refused);
    CHECK(n_runs > 3 && n_refused > 2);
    CHECK_EQ(tern_heap_free(from), 0);
}

static void nomem__tables(void) { fail_each(TERN__WALK_TABLES, tern__pool_fail_after); }
static void nomem__intervals(void) { fail_each(TERN__WALK_INTERVALS, tern__pool_fail_after); }
static void nomem__pages(void) { fail_each(TERN__WALK_TABLES, tern__segment_fail_after); }

TAP_MAIN(TEST(nomem__tables), TEST(nomem__intervals), TEST(nomem__pages))
