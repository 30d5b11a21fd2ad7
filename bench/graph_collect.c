/* What heaps of object graphs cost per live object: collections, compactions, the verifier, files.
 *
 * A binary tree of --nodes nodes, each of 64 bytes with its header, in the order in which a program that builds the
 * tree depth first allocates them, or at random places. A node that is read from memory is what all is measured
 * against: a walk over the tree that follows the same pointers and adds the ids. */
#include "common.h"
#include "graph.tern.h"
#include "tern/graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_REPEATS = 99 };

typedef struct options {
    uint64_t nodes, repeats;
    const char *path;
    bool labels;
} options;

static void fail(const char *what, int err, const tern_heap *heap) {
    fprintf(stderr, "graph_collect: %s: %s %s\n", what, tern_strerror(err), heap ? tern_heap_problem(heap) : "");
    exit(1);
}

/* Node i of a heap-ordered tree has the children 2i + 1 and 2i + 2; all are linked when they exist. */
static void link_nodes(graph_Node **nodes, uint64_t n) {
    for (uint64_t i = 0; i < n; i++) {
        if (2 * i + 1 < n) nodes[i]->left = nodes[2 * i + 1];
        if (2 * i + 2 < n) nodes[i]->right = nodes[2 * i + 2];
    }
}

static uint64_t allocate(tern_heap *heap, graph_Node **nodes, uint64_t i, const options *o) {
    char label[32];
    graph_Node *node = tern_heap_alloc(heap, &graph_Node_type);
    if (!node) fail("allocation", TERN_ERR_NOMEM, heap);
    int len = snprintf(label, sizeof label, "node %llu", (unsigned long long)i);
    int err = o->labels ? tern_heap_str(heap, label, (size_t)len, &node->label) : 0;
    if (err) fail("label", err, heap);
    node->id = (uint32_t)i;
    nodes[i] = node;
    return 1 + o->labels;
}

static void allocate_depth_first(tern_heap *heap, graph_Node **nodes, uint64_t i, const options *o) {
    if (i >= o->nodes) return;
    allocate(heap, nodes, i, o);
    allocate_depth_first(heap, nodes, 2 * i + 1, o);
    allocate_depth_first(heap, nodes, 2 * i + 2, o);
}

/* Which node comes at which place. */
static uint64_t *shuffled(uint64_t n) {
    uint64_t *order = malloc(n * sizeof *order), state = 7;
    for (uint64_t i = 0; i < n; i++) order[i] = i;
    for (uint64_t i = n; i > 1; i--) {
        uint64_t k = bench_random(&state) % i, swap = order[i - 1];
        order[i - 1] = order[k];
        order[k] = swap;
    }
    return order;
}

static tern_heap *build(const options *o, bool shuffle, tern_root *root) {
    tern_heap *heap;
    graph_Node **nodes = malloc(o->nodes * sizeof *nodes);
    int err = tern_heap_new(NULL, &heap);
    if (err || !nodes) fail("a heap", err, NULL);
    uint64_t *order = shuffle ? shuffled(o->nodes) : NULL;
    if (shuffle)
        for (uint64_t i = 0; i < o->nodes; i++) allocate(heap, nodes, order[i], o);
    else
        allocate_depth_first(heap, nodes, 0, o);
    link_nodes(nodes, o->nodes);
    err = tern_root_new(heap, nodes[0], root);
    if (err) fail("a root", err, heap);
    free(order);
    free(nodes);
    return heap;
}

static uint64_t sum_tree(const graph_Node *node) {
    return node ? node->id + sum_tree(node->left) + sum_tree(node->right) : 0;
}

static tern_heap *map_file(const options *o, bool trusted) {
    static const tern_type *const types[] = {&graph_Node_type};
    const tern_registry registry = {types, 1};
    tern_heap_map_opts opts = {.size = sizeof opts, .types = &registry, .trusted = trusted};
    tern_heap *heap;
    char problem[200];
    int err = tern_heap_map(o->path, &opts, &heap, problem, sizeof problem);
    if (err) fail(problem, err, NULL);
    return heap;
}

/* ---- Measuring ----------------------------------------------------------------------------------- */

typedef enum what { WALK, COLLECT, CHECK_ALL, COMPACT, N_TIMED } what;
static const char *const names[] = {"walk", "collect", "check", "compact"};

/* Nanoseconds; alternating, so that all see the same machine. Of a heap that is full a compaction moves nothing. */
static double time_one(what w, tern_heap *heap, tern_root root, uint64_t wanted) {
    uint64_t begin = bench_cpu_ns(), sum = wanted; /* others use the machine, too */
    int err = 0;
    switch (w) {
    case WALK: sum = sum_tree(tern_root_get(heap, root)); break;
    case COLLECT: err = tern_heap_collect(heap); break;
    case CHECK_ALL: err = tern_heap_check(heap); break;
    default: err = tern_heap_compact(heap); break;
    }
    if (err || sum != wanted) fail(names[w], err, heap);
    return (double)(bench_cpu_ns() - begin);
}

static void measure(bench_report *report, const options *o, bool shuffle) {
    static double times[N_TIMED][MAX_REPEATS];
    tern_root root;
    char name[64];
    tern_heap *heap = build(o, shuffle, &root);
    uint64_t wanted = o->nodes * (o->nodes - 1) / 2;
    tern_heap_stats stats;
    for (uint64_t r = 0; r < o->repeats; r++)
        for (what w = WALK; w < N_TIMED; w++) times[w][r] = time_one(w, heap, root, wanted);
    tern_heap_get_stats(heap, &stats);
    double objects = (double)stats.objects, walk = bench_median(times[WALK], o->repeats) / objects;
    for (what w = COLLECT; w < N_TIMED; w++) {
        snprintf(name, sizeof name, "%s_%s", names[w], shuffle ? "shuffled" : "in_order");
        bench_report_row(report, name, bench_median(times[w], o->repeats) / objects, "ns/object", walk, "a walk");
    }
    if (tern_heap_free(heap)) fail("free", TERN_ERR_AGAIN, NULL);
}

/* A compaction that moves: seven eighths of the nodes were freed. */
static void measure_moving(bench_report *report, const options *o) {
    double times[MAX_REPEATS], most = 0;
    for (uint64_t r = 0; r < o->repeats; r++) {
        tern_root root;
        tern_heap_stats stats;
        tern_heap *heap = build(o, true, &root);
        graph_Node *node = tern_root_get(heap, root);
        for (int i = 0; i < 3; i++) node = node->left;
        if (tern_root_set(heap, root, node)) fail("a root", TERN_ERR_INVALID, heap);
        uint64_t begin = bench_now_ns();
        int err = tern_heap_compact(heap);
        double took = (double)(bench_now_ns() - begin);
        if (err) fail("compaction", err, heap);
        tern_heap_get_stats(heap, &stats);
        times[r] = took / (double)stats.objects;
        most = (double)stats.moved_objects / (double)stats.objects;
        tern_heap_free(heap);
    }
    bench_report_row(report, "compact_moving", bench_median(times, o->repeats), "ns/object", 0, NULL);
    bench_report_note(report, "compact_moving moves %.0f %% of what it keeps, an eighth of the nodes", most * 100);
}

typedef enum way { IN_PLACE, ELSEWHERE, VERIFIED, N_WAYS } way;
static const char *const ways[] = {"map_in_place", "map_elsewhere", "map_verified"};

static void measure_files(bench_report *report, const options *o) {
    static double times[N_WAYS + 1][MAX_REPEATS];
    tern_root root;
    tern_heap *heap = build(o, false, &root);
    for (uint64_t r = 0; r < o->repeats; r++) {
        uint64_t begin = bench_now_ns();
        int err = tern_heap_save(heap, o->path);
        times[N_WAYS][r] = (double)(bench_now_ns() - begin) / 1e6;
        if (err) fail("save", err, heap);
        tern_heap *taken = NULL; /* where the file wants to be */
        for (way w = IN_PLACE; w < N_WAYS; w++) {
            if (w == IN_PLACE) tern_heap_free(heap);
            if (w == ELSEWHERE) taken = map_file(o, true);
            begin = bench_now_ns();
            tern_heap *mapped = map_file(o, w != VERIFIED);
            times[w][r] = (double)(bench_now_ns() - begin) / 1e6;
            if (sum_tree(tern_root_get(mapped, root)) != o->nodes * (o->nodes - 1) / 2) fail("the sum", 0, NULL);
            tern_heap_free(mapped);
        }
        heap = taken;
    }
    for (way w = IN_PLACE; w < N_WAYS; w++)
        bench_report_row(report, ways[w], bench_median(times[w], o->repeats), "ms", 0, NULL);
    bench_report_row(report, "save", bench_median(times[N_WAYS], o->repeats), "ms", 0, NULL);
    tern_heap_free(heap);
    unlink(o->path);
}

int main(int argc, char **argv) {
    bench_args args = bench_args_begin(argc, argv, "what heaps of object graphs cost per live object");
    options o = {.nodes = bench_arg_u64(&args, "--nodes", 1000000, "nodes of the tree"),
                 .repeats = bench_arg_u64(&args, "--repeats", 15, "times each is measured, at most 99"),
                 .path = bench_arg_str(&args, "--file", "/tmp/tern-graph-collect.heap", "where a heap is saved"),
                 .labels = bench_arg_flag(&args, "--labels", "each node has a string of its own")};
    bool json = bench_arg_flag(&args, "--json", "print the report as the last line, as JSON");
    if (bench_args_end(&args)) return 2;
    if (o.nodes == 0 || o.repeats == 0 || o.repeats > MAX_REPEATS) return 2;
    bench_report *report = bench_report_new("graph_collect");
    if (!report) return 1;
    measure(report, &o, false);
    measure(report, &o, true);
    measure_moving(report, &o);
    measure_files(report, &o);
    return bench_report_print(report, json) ? 0 : 1;
}
