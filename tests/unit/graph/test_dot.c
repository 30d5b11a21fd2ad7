/* Pictures: the text is what Graphviz reads. */
#include "links.h"
#include "tap.h"

static void dot__of_a_small_heap(void) {
    static char text[1 << 16];
    tern_heap *heap;
    tern_root root;
    CHECK_EQ(tern_heap_new(NULL, &heap), 0);
    link_msg *a = link_new(heap, 1), *b = link_new(heap, 2);
    a->next = b, b->other = a;
    CHECK(link_add_peer(heap, a, b) && tern_root_new(heap, a, &root) == 0);
    FILE *out = fmemopen(text, sizeof text, "w");
    CHECK_EQ(tern_heap_dot(heap, 100, out), 0);
    fclose(out);
    CHECK(strncmp(text, "digraph heap {\n", 15) == 0 && strcmp(text + strlen(text) - 2, "}\n") == 0);
    CHECK(strstr(text, "label=\"root 0\"") && strstr(text, "label=\"test.Link\\n") &&
          strstr(text, "label=\"test.Link*["));
    CHECK(strstr(text, "[label=\"next\"]") && strstr(text, "[label=\"other\"]") && strstr(text, "[label=\"[0]\"]"));
    CHECK(strstr(text, "bytes[13]\\n24 B"));
    /* Nothing is left behind for the next collection. */
    CHECK_EQ(tern_heap_collect(heap), 0);
    CHECK_EQ(stats_of(heap).objects, 5);
    out = fmemopen(memset(text, 0, sizeof text), sizeof text, "w");
    CHECK_EQ(tern_heap_dot(heap, 1, out), 0);
    fclose(out);
    CHECK(!strstr(text, "next") && !strstr(text, "bytes"));
    out = fopen("/dev/full", "w");
    CHECK_EQ(tern_heap_dot(heap, 100, out), TERN_ERR_IO);
    fclose(out);
    CHECK_EQ(tern_heap_free(heap), 0);
}

TAP_MAIN(TEST(dot__of_a_small_heap))
