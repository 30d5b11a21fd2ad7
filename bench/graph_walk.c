/* What it costs per object to walk a graph as a sender does, and to recover it as a receiver does, without any network;
 * and how long send lists are (Naos, Table 2).
 *
 * Graphs of --objects objects: a list and a tree of nodes (64 bytes each with its header), an array of points (32
 * bytes), an array of pairs (56 bytes and an object for the key); in the order in which a program allocates them depth
 * first, and at random places. Beside each: a plain walk in C over the same pointers, which adds the numbers up, and a
 * memcpy of all bytes that are sent. A walk gathers blocks below 4 KB and leaves longer ones in place. A recovery goes
 * into free memory that the heap has, or (cold) has to get from the system. */
#include "common.h"
#include "graph.tern.h"
#include "graph/heap_record.h"
#include "graph/recover.h"
#include "graph/walk.h"
#include "tern/graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_REPEATS = 99, INPLACE_BYTES = 4096 };

static void fail(const char *what, int err, const char *words) {
    fprintf(stderr, "graph_walk: %s: %s %s\n", what, tern_strerror(err), words);
    exit(1);
}

static void check(int err, const char *what, const tern_heap *heap) {
    if (err) fail(what, err, heap ? tern_heap_problem(heap) : "");
}

/* ---- Graphs -------------------------------------------------------------------------------------- */

typedef struct graph {
    const char *name;
    const tern_type *type;
    void *(*build)(tern_heap *heap, uint64_t n, const uint64_t *order);
    uint64_t (*add_up)(const void *root);
} graph;

/* Which object is allocated at which place: order[place]. NULL: one after the other. */
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

static void *new_object(tern_heap *heap, const tern_type *type) {
    void *object = tern_heap_alloc(heap, type);
    if (!object) fail("allocation", TERN_ERR_NOMEM, tern_heap_problem(heap));
    return object;
}

static graph_Node **new_nodes(tern_heap *heap, uint64_t n, const uint64_t *order) {
    graph_Node **nodes = malloc(n * sizeof *nodes);
    if (!nodes) fail("nodes", TERN_ERR_NOMEM, "");
    for (uint64_t i = 0; i < n; i++) {
        uint64_t k = order ? order[i] : i;
        nodes[k] = new_object(heap, &graph_Node_type);
        nodes[k]->id = (uint32_t)k;
    }
    return nodes;
}

static void *build_list(tern_heap *heap, uint64_t n, const uint64_t *order) {
    graph_Node **nodes = new_nodes(heap, n, order), *first = nodes[0];
    for (uint64_t i = 1; i < n; i++) nodes[i - 1]->right = nodes[i];
    free(nodes);
    return first;
}

/* A binary tree over [from, end), whose root is the first: depth first is the order of the numbers. */
static graph_Node *link_tree(graph_Node **nodes, uint64_t from, uint64_t end) {
    if (from == end) return NULL;
    uint64_t middle = from + 1 + (end - from - 1) / 2;
    nodes[from]->left = link_tree(nodes, from + 1, middle);
    nodes[from]->right = link_tree(nodes, middle, end);
    return nodes[from];
}

static void *build_tree(tern_heap *heap, uint64_t n, const uint64_t *order) {
    graph_Node **nodes = new_nodes(heap, n, order), *root = link_tree(nodes, 0, n);
    free(nodes);
    return root;
}

static uint64_t add_up_list(const void *root) {
    uint64_t sum = 0;
    for (const graph_Node *node = root; node; node = node->right) sum += node->id;
    return sum;
}

static uint64_t add_up_tree(const void *root) {
    const graph_Node *node = root;
    return node ? node->id + add_up_tree(node->left) + add_up_tree(node->right) : 0;
}

static void *build_points(tern_heap *heap, uint64_t n, const uint64_t *order) {
    graph_Points *points = new_object(heap, &graph_Points_type);
    check(tern_heap_reserve(heap, &graph_Points_type, points, 1, n), "points", heap);
    points->items.len = n;
    for (uint64_t i = 0; i < n; i++) {
        graph_Point *point = new_object(heap, &graph_Point_type);
        uint64_t k = order ? order[i] : i;
        point->x = (int32_t)k;
        points->items.data[k] = point;
    }
    return points;
}

static uint64_t add_up_points(const void *root) {
    const graph_Points *points = root;
    uint64_t sum = 0;
    for (size_t i = 0; i < points->items.len; i++) sum += (uint64_t)points->items.data[i]->x;
    return sum;
}

static void *build_pairs(tern_heap *heap, uint64_t n, const uint64_t *order) {
    graph_Pairs *pairs = new_object(heap, &graph_Pairs_type);
    check(tern_heap_reserve(heap, &graph_Pairs_type, pairs, 1, n), "pairs", heap);
    pairs->items.len = n;
    for (uint64_t i = 0; i < n; i++) {
        graph_Pair *pair = new_object(heap, &graph_Pair_type);
        uint64_t k = order ? order[i] : i;
        pair->value = (int32_t)k;
        check(tern_heap_bytes(heap, "five!", 5, &pair->key), "a key", heap);
        pairs->items.data[k] = pair;
    }
    return pairs;
}

static uint64_t add_up_pairs(const void *root) {
    const graph_Pairs *pairs = root;
    uint64_t sum = 0;
    for (size_t i = 0; i < pairs->items.len; i++) {
        const graph_Pair *pair = pairs->items.data[i];
        sum += (uint64_t)pair->value + *(const uint8_t *)pair->key.data;
    }
    return sum;
}

static const graph graphs[] = {{"list", &graph_Node_type, build_list, add_up_list},
                               {"tree", &graph_Node_type, build_tree, add_up_tree},
                               {"points", &graph_Points_type, build_points, add_up_points},
                               {"pairs", &graph_Pairs_type, build_pairs, add_up_pairs}};

/* ---- Measuring ----------------------------------------------------------------------------------- */

typedef enum what { PLAIN, COPY, WALK, INTERVALS, NOTHING, RECOVER, RECOVER_COLD, N_WHATS } what;
static const char *const names[] = {"plain",          "memcpy",  "walk",        "walk_intervals",
                                    "walk_no_cycles", "recover", "recover_cold"};

typedef struct scene {
    const graph *graph;
    tern_heap *from, *to, *cold; /* cold: the memory for what comes has to be asked from the system each time */
    void *root;
    tern__walker *walker;
    tern__recovery *recovery;
    uint8_t *meta, *data, *copy;
    size_t meta_bytes, data_bytes;
    uint64_t objects, blocks, copied_bytes, sum;
    size_t fragment_bytes;
} scene;

static void walk(scene *s, tern__walk_set set, bool keep) {
    const tern__walk_config config = {
        .set = set, .inplace_bytes = INPLACE_BYTES, .fragment_bytes = s->fragment_bytes, .max_objects = UINT64_MAX};
    tern__fragment f;
    int err = tern__walk_begin(s->walker, s->graph->type, s->root, &config);
    while (!err && (err = tern__walk_next(s->walker, &f)) == 1) {
        err = 0;
        if (f.is_last) s->copied_bytes = f.copied_bytes;
        if (!keep) continue;
        s->meta = memcpy(malloc(f.meta_bytes), f.meta, s->meta_bytes = f.meta_bytes);
        s->data = malloc(f.data_bytes);
        for (size_t i = 0; i < f.n_pieces; i++) {
            memcpy(s->data + s->data_bytes, f.pieces[i].data, f.pieces[i].bytes);
            s->data_bytes += f.pieces[i].bytes;
        }
        if (!f.is_last) fail("the walk", TERN_ERR_INVALID, "more than one fragment");
    }
    if (err) fail("the walk", err, tern__walker_problem(s->walker));
    tern__walk_stats stats;
    tern__walker_get_stats(s->walker, &stats);
    s->objects = stats.objects;
    s->blocks = stats.blocks;
    tern__walk_end(s->walker);
}

/* The types are in the metadata, so each time the connection is a new one. */
static void recover(scene *s, tern_heap *to, tern_root *root) {
    size_t used;
    int err = tern__recovery_new(to, NULL, &s->recovery);
    if (!err) err = tern__recovery_begin(s->recovery, s->graph->type, NULL);
    if (!err) err = tern__recovery_meta(s->recovery, s->meta, s->meta_bytes, &used);
    if (!err) err = tern__recovery_data(s->recovery, s->data, s->data_bytes, &used);
    if (!err) err = tern__recovery_finish(s->recovery, root);
    if (err) fail("the recovery", err, tern__recovery_problem(s->recovery));
    tern__recovery_free(s->recovery);
}

static double time_one(scene *s, what w) {
    tern_heap *to = w == RECOVER ? s->to : s->cold;
    tern_root root;
    uint64_t begin = bench_cpu_ns(), end;
    switch (w) {
    case PLAIN:
        if (s->graph->add_up(s->root) != s->sum) fail("the sum", 0, "");
        break;
    case COPY: memcpy(s->copy, s->data, s->data_bytes); break;
    case WALK: walk(s, TERN__WALK_TABLES, false); break;
    case INTERVALS: walk(s, TERN__WALK_INTERVALS, false); break;
    case NOTHING: walk(s, TERN__WALK_NOTHING, false); break;
    default: recover(s, to, &root); break;
    }
    end = bench_cpu_ns();
    if (w >= RECOVER) {
        if (s->graph->add_up(tern_root_get(to, root)) != s->sum) fail("the sum of what came", 0, "");
        check(tern_root_drop(to, root), "a root", to);
        check(tern_heap_collect(to), "a collection", to);
    }
    return (double)(end - begin);
}

/* A heap keeps a quarter of what is live as free memory: so much lives that a graph goes into memory that is there. */
static void fill_up(tern_heap *heap, uint64_t bytes) {
    for (uint64_t n = 0; n < 5 * bytes; n += 400 << 10) {
        tern_bytes some;
        tern_root root;
        check(tern_heap_bytes(heap, NULL, 400 << 10, &some), "what fills the heap", heap);
        check(tern_root_new(heap, some.data, &root), "a root", heap);
    }
}

static void measure(bench_report *report, const graph *g, uint64_t n, const uint64_t *order, uint64_t repeats) {
    static double times[N_WHATS][MAX_REPEATS];
    scene s = {.graph = g};
    tern_root root;
    check(tern_heap_new(NULL, &s.from), "a heap", NULL);
    check(tern_heap_new(NULL, &s.to), "a heap", NULL);
    check(tern_heap_new(NULL, &s.cold), "a heap", NULL);
    s.root = g->build(s.from, n, order);
    check(tern_root_new(s.from, s.root, &root), "a root", s.from);
    check(tern__walker_new(s.from, &s.walker), "a walker", NULL);
    s.sum = g->add_up(s.root);
    walk(&s, TERN__WALK_TABLES, true);
    s.copy = malloc(s.data_bytes);
    memset(s.copy, 1, s.data_bytes);
    fill_up(s.to, s.data_bytes);
    tern_root warm;
    recover(&s, s.to, &warm);
    check(tern_root_drop(s.to, warm), "a root", s.to);
    check(tern_heap_collect(s.to), "a collection", s.to);
    for (uint64_t r = 0; r < repeats; r++)
        for (what w = PLAIN; w < N_WHATS; w++) times[w][r] = time_one(&s, w);
    double medians[N_WHATS], objects = (double)s.objects;
    for (what w = PLAIN; w < N_WHATS; w++) medians[w] = bench_median(times[w], repeats) / objects;
    for (what w = COPY; w < N_WHATS; w++) {
        char name[64];
        snprintf(name, sizeof name, "%s_%s_%s", g->name, order ? "shuffled" : "in_order", names[w]);
        bench_report_row(report, name, medians[w], "ns/object", medians[w >= RECOVER ? COPY : PLAIN],
                         w >= RECOVER ? "a memcpy" : "a plain walk");
    }
    bench_report_note(report, "%s %s: %llu objects, %llu bytes, %llu blocks, %llu bytes gathered", g->name,
                      order ? "shuffled" : "in order", (unsigned long long)s.objects, (unsigned long long)s.data_bytes,
                      (unsigned long long)s.blocks, (unsigned long long)s.copied_bytes);
    tern__walker_free(s.walker);
    tern_heap_free(s.from);
    tern_heap_free(s.to);
    tern_heap_free(s.cold);
    free(s.meta);
    free(s.data);
    free(s.copy);
}

/* ---- Table 2 ------------------------------------------------------------------------------------- */

enum { PEOPLE = 1024 };

/* A person and those below, as a program's constructors allocate them: the person, then each field depth first. */
static graph_Person *new_person(tern_heap *heap, const char *below) {
    graph_Person *person = new_object(heap, &graph_Person_type);
    if (below[0] == '1') person->first = new_person(heap, below + 1);
    if (below[0] == '2') {
        person->first = new_person(heap, below + 1);
        person->second = new_person(heap, below + 1);
    }
    return person;
}

/* The send list of a walk breadth first. Where the paper's walk depth first visits the last field first, that breadth
 * first visits the first field first: siblings come the other way round. */
static uint64_t breadth_first(const graph_People *people) {
    const graph_Person **queue = malloc(PEOPLE * 8 * sizeof *queue);
    size_t n = 0;
    uint64_t blocks = 2; /* the message, and the array behind it, unless they are one */
    const uint8_t *message = (const uint8_t *)people, *array = (const uint8_t *)people->items.data;
    const uint8_t *end = array + people->items.cap * sizeof(void *);
    if (array == message + sizeof *people + 8) blocks--;
    for (size_t i = 0; i < people->items.len; i++) queue[n++] = people->items.data[i];
    for (size_t i = 0; i < n; i++) {
        const graph_Person *person = queue[i];
        if ((const uint8_t *)person != end + 8) blocks++;
        end = (const uint8_t *)(person + 1);
        if (person->second) queue[n++] = person->second;
        if (person->first) queue[n++] = person->first;
    }
    free(queue);
    return blocks;
}

static void table_2(bench_report *report) {
    static const char *const shapes[] = {"0", "10", "20", "110"};
    static const char *const shape_names[] = {"1_0_0", "1_1_0", "1_2_0", "1_1_1"};
    static const double paper_depth[] = {1, 2, 2, 1}, paper_breadth[] = {1, 2048, 3072, 3072};
    for (size_t i = 0; i < 4; i++) {
        char name[64];
        scene s = {.graph = &(graph){.type = &graph_People_type}};
        check(tern_heap_new(NULL, &s.from), "a heap", NULL);
        check(tern__walker_new(s.from, &s.walker), "a walker", NULL);
        graph_People *people = new_object(s.from, &graph_People_type);
        check(tern_heap_reserve(s.from, &graph_People_type, people, 1, PEOPLE), "people", s.from);
        people->items.len = PEOPLE;
        for (int k = 0; k < PEOPLE; k++) people->items.data[k] = new_person(s.from, shapes[i]);
        s.root = people;
        walk(&s, TERN__WALK_TABLES, false);
        snprintf(name, sizeof name, "table2_dfs_%s", shape_names[i]);
        bench_report_row(report, name, (double)s.blocks, "blocks", paper_depth[i], "the paper");
        snprintf(name, sizeof name, "table2_bfs_%s", shape_names[i]);
        bench_report_row(report, name, (double)breadth_first(people), "blocks", paper_breadth[i], "the paper");
        tern__walker_free(s.walker);
        tern_heap_free(s.from);
    }
}

int main(int argc, char **argv) {
    bench_args args = bench_args_begin(argc, argv, "what it costs per object to walk graphs and to recover them");
    uint64_t n = bench_arg_u64(&args, "--objects", 1000000, "objects of each graph");
    uint64_t repeats = bench_arg_u64(&args, "--repeats", 9, "times each is measured, at most 99");
    const char *only = bench_arg_str(&args, "--graph", "", "list, tree, points or pairs; all without it");
    bool json = bench_arg_flag(&args, "--json", "print the report as the last line, as JSON");
    if (bench_args_end(&args)) return 2;
    if (n == 0 || repeats == 0 || repeats > MAX_REPEATS) return 2;
    bench_report *report = bench_report_new("graph_walk");
    if (!report) return 1;
    uint64_t *order = shuffled(n);
    for (size_t i = 0; i < sizeof graphs / sizeof *graphs; i++) {
        if (*only && strcmp(only, graphs[i].name) != 0) continue;
        measure(report, &graphs[i], n, NULL, repeats);
        measure(report, &graphs[i], n, order, repeats);
    }
    free(order);
    table_2(report);
    return bench_report_print(report, json) ? 0 : 1;
}
