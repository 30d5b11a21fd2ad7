/* Random graphs of links, a comparison of graphs that knows nothing of how they are sent, and transfers within a
 * process: what the tests of walks and recoveries share. */
#ifndef TERN_TESTS_GRAPHS_H
#define TERN_TESTS_GRAPHS_H

#include "base/rng.h"
#include "graph/recover.h"
#include "graph/walk.h"
#include "links.h"

/* Where a graph is made: in a heap, or in an arena. */
typedef struct place {
    tern_heap *heap; /* NULL: the arena */
    tern_arena *arena;
} place;

/* n links, reached from the one that is returned, with every kind of field; NULL when memory is out. A tree has
 * nothing that is shared. */
link_msg *graphs_random(place at, tern__rng *rng, uint32_t n, bool is_tree);

/* Whether two graphs are the same: values, shapes, and what is shared. What lies in `a_heap` (may be NULL) is told
 * apart by object; with is_tree nothing is said about sharing. Says what differs. */
bool graphs_equal(const tern_type *type, const void *a, const void *b, const tern_heap *a_heap, const tern_heap *b_heap,
                  bool is_tree);

/* Bytes that go from a walker to a recovery. */
typedef struct copied_fragment {
    uint8_t *meta, *data;
    size_t meta_bytes, data_bytes;
} copied_fragment;

typedef struct copied_graph {
    copied_fragment *list;
    size_t n;
} copied_graph;

/* All fragments, copied. Returns 0, or the walk's error with what came before it. The walk has ended. */
int graphs_copy(tern__walker *walker, const tern_type *type, const void *root, const tern__walk_config *config,
                copied_graph *out);
void graphs_drop(copied_graph *graph);

/* How a graph is fed. */
typedef struct feeding {
    size_t piece_bytes; /* the most of a piece, each time a random part of it; 0: whole */
    tern__rng *rng;
    void (*between)(tern_heap *heap); /* after each piece; may be NULL */
    size_t cut;                       /* stop after so many bytes of all; 0: at the end */
} feeding;

/* Feeds a recovery that has begun. Returns 0 or its error; what is left over of a fragment is TERN_ERR_MALFORMED. */
int graphs_feed(tern__recovery *recovery, tern_heap *heap, const copied_graph *graph, const feeding *how);

#endif
