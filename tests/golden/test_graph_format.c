/* The example of docs/graph-format.md is what a walk makes and a recovery reads, byte for byte: the bytes come from the
 * page itself. */
#include "graph/recover.h"
#include "graph/walk.h"
#include "page.h"
#include "tap.h"
#include "tern/graph.h"

#ifndef GRAPH_FORMAT_PAGE
#error "GRAPH_FORMAT_PAGE is the path of docs/graph-format.md"
#endif

/* message Node { uint32 id = 1; string label = 2; Node next = 3; } */
typedef struct node {
    uint32_t id;
    tern_str label;
    struct node *next;
    tern_unknown unknown;
} node;

static const tern_field node_fields[] = {
    TERN_FIELD(1, offsetof(node, id), 0, 0, TERN_UINT32, 0, 4),
    TERN_FIELD(2, offsetof(node, label), 0, 0, TERN_STRING, TERN_FIELD_UTF8, sizeof(tern_str)),
    TERN_FIELD(3, offsetof(node, next), 0, 0, TERN_MESSAGE, 0, sizeof(node *)),
};
static const char *const node_names[] = {"id", "label", "next"};
static const tern_type node_type;
static const tern_type *const node_subs[] = {&node_type};
static const tern_type node_type = {.version = TERN_TYPE_VERSION,
                                    .name = "ex.Node",
                                    .fields = node_fields,
                                    .field_names = node_names,
                                    .subs = node_subs,
                                    .n_fields = 3,
                                    .n_dense = 3,
                                    .size_bytes = sizeof(node),
                                    .max_number = 3,
                                    .unknown_offset = offsetof(node, unknown)};

static size_t walk(tern_heap *heap, const node *root, uint8_t *meta, uint8_t *data, size_t *data_bytes) {
    tern__walker *walker;
    tern__fragment f;
    size_t meta_bytes = 0;
    if (tern__walker_new(heap, &walker) || tern__walk_begin(walker, &node_type, root, NULL)) return 0;
    if (tern__walk_next(walker, &f) == 1 && f.is_last && f.meta_bytes <= PAGE_MAX_BYTES && f.n_pieces == 1) {
        memcpy(meta, f.meta, meta_bytes = f.meta_bytes);
        memcpy(data, f.pieces[0].data, *data_bytes = f.pieces[0].bytes);
    }
    tern__walker_free(walker);
    return meta_bytes;
}

static void graph_format__written(void) {
    uint8_t meta[PAGE_MAX_BYTES], data[PAGE_MAX_BYTES], page[PAGE_MAX_BYTES];
    size_t data_bytes = 0;
    tern_heap *heap;
    CHECK_EQ(tern_heap_new(NULL, &heap), 0);
    node *first = tern_heap_alloc(heap, &node_type), *second = tern_heap_alloc(heap, &node_type);
    CHECK(first && second && tern_heap_str(heap, "ab", 2, &first->label) == 0);
    first->id = 1;
    second->id = 2;
    first->next = second;
    second->next = first;
    second->label = (tern_str){first->label.data + 1, 1};
    size_t n = walk(heap, first, meta, data, &data_bytes);
    size_t n_page = page_read_example(GRAPH_FORMAT_PAGE, "metadata", page);
    for (size_t i = 0; i < n && n != n_page; i++) printf("%s%02x", i % 8 ? " " : "\n# ", meta[i]);
    CHECK(n > 0);
    CHECK_EQ(n, n_page);
    CHECK_MEM(meta, page, n);
    n_page = page_read_example(GRAPH_FORMAT_PAGE, "data", page);
    CHECK_EQ(data_bytes, n_page);
    CHECK_MEM(data, page, data_bytes);
    CHECK_EQ(tern_heap_free(heap), 0);
}

static void graph_format__read(void) {
    uint8_t page[PAGE_MAX_BYTES];
    tern_heap *heap;
    tern__recovery *recovery;
    tern_root root;
    size_t used, n = page_read_example(GRAPH_FORMAT_PAGE, "metadata", page);
    CHECK_EQ(tern_heap_new(NULL, &heap), 0);
    CHECK_EQ(tern__recovery_new(heap, NULL, &recovery), 0);
    CHECK_EQ(tern__recovery_begin(recovery, &node_type, NULL), 0);
    CHECK_EQ(tern__recovery_meta(recovery, page, n, &used), 0);
    n = page_read_example(GRAPH_FORMAT_PAGE, "data", page);
    CHECK_EQ(tern__recovery_data(recovery, page, n, &used), 0);
    CHECK_EQ(tern__recovery_finish(recovery, &root), 0);
    const node *first = tern_root_get(heap, root);
    CHECK(first->id == 1 && tern_str_eq(first->label, tern_str_of("ab")));
    CHECK(first->next->id == 2 && first->next->next == first);
    CHECK(first->next->label.data == first->label.data + 1 && first->next->label.len == 1);
    CHECK_EQ(tern_heap_check(heap), 0);
    tern__recovery_free(recovery);
    CHECK_EQ(tern_heap_free(heap), 0);
}

TAP_MAIN(TEST(graph_format__written), TEST(graph_format__read))
