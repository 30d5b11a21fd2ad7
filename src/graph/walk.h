/* The sender's half of a transfer: a walk over a graph, which makes fragments.
 *
 *   begin ──> next ──> next ──> ... ──> next: the last fragment ──> end
 *               '── {metadata, pieces}: both are good until the following next
 *
 * The walk is depth first (Naos 3.1). Of an object the edges are visited in the order of shape.h, of a list the
 * elements from the first on. Where an object has more edges to visit when the walk descends from it, that is noted on
 * a stack; the last edge is a tail call, so a list of any length needs no stack. The stack grows, up to a limit.
 *
 * A graph may begin in a heap or in any struct of a generated type, and lead from there into the walker's heap and out
 * of it. What lies in the heap is verified as a safe point does: a pointer that is not legal is TERN_ERR_INVALID, with
 * its path. What lies elsewhere is taken for what the pointer's type says.
 *
 * From begin to end the heap's regions that were met are pinned, so safe points may come between fragments, and pieces
 * that lie in the heap stay there; those that lie elsewhere are the program's to keep. The graph must not change
 * meanwhile: what changes may be sent as it was or as it is, and pointers that are gone are TERN_ERR_INVALID.
 *
 * A walker belongs to a connection and a heap: it knows which types the peer was told of. One thread at a time, the
 * heap's. */
#ifndef TERN_GRAPH_WALK_H
#define TERN_GRAPH_WALK_H

#include "graph/sendlist.h"
#include "tern/graph.h"

typedef struct tern__walker tern__walker;

typedef enum tern__walk_set {
    TERN__WALK_TABLES,    /* what was met is noted by tables beside the heap's regions (visited.h) */
    TERN__WALK_INTERVALS, /* by a tree of intervals (intervals.h) */
    TERN__WALK_NOTHING    /* not at all: what is shared is sent each time, and a cycle ends in TERN_ERR_LIMIT */
} tern__walk_set;

typedef struct tern__walk_config {
    tern__walk_set set;
    size_t fragment_bytes;  /* a fragment ends with the object that brings it to so many bytes of objects; 0: never */
    size_t piece_bytes;     /* the most of a piece; 0: any. Blocks are split between objects where that is possible */
    size_t inplace_bytes;   /* blocks of at least so many bytes stay where they are; 0: all that can */
    uint64_t max_objects;   /* of the graph; 0: 2^24 with TERN__WALK_NOTHING, else no limit but the next */
    uint64_t max_bytes;     /* of objects; 0: 32 GB, which is the most there can be */
    size_t max_stack_bytes; /* 0: 64 MB, which is two million objects that wait for each other */
} tern__walk_config;

typedef struct tern__fragment {
    const void *meta; /* fragment.h; aligned to 8 */
    size_t meta_bytes;
    const tern__graph_piece *pieces; /* n_pieces, in this order */
    size_t n_pieces;
    uint64_t data_bytes, copied_bytes; /* of all pieces, and of those that were copied */
    uint64_t n_blocks;                 /* the length of the send list, before short blocks were gathered */
    bool is_last;
} tern__fragment;

typedef struct tern__walk_stats {
    uint64_t objects, bytes, backs, refs; /* of the graph that was begun last */
    uint64_t blocks;                      /* of all send lists of the graph */
    size_t most_stack;                    /* objects that waited at once */
} tern__walk_stats;

/* A walker over this heap, which may be NULL: then all is elsewhere. TERN_ERR_NOMEM. */
int tern__walker_new(tern_heap *heap, tern__walker **walker);

/* Ends what was begun. NULL is ignored. Before the heap goes. */
void tern__walker_free(tern__walker *walker);

/* Begins a graph. config may be NULL: tables, one fragment, all gathered. Returns 0; TERN_ERR_NOMEM, TERN_ERR_VERSION,
 * TERN_ERR_LIMIT for the type, TERN_ERR_INVALID for an entry of a map or no root; TERN_ERR_THREAD; TERN_ERR_AGAIN while
 * a graph is being walked. */
int tern__walk_begin(tern__walker *walker, const tern_type *type, const void *root, const tern__walk_config *config);

/* The next fragment. Returns 1; 0 after the last one; TERN_ERR_INVALID for a pointer that is not legal; TERN_ERR_LIMIT
 * beyond a limit; TERN_ERR_NOMEM; TERN_ERR_THREAD. After an error only end is left to do, and the receiver has to be
 * told; types that the fragments before have announced stay announced. */
int tern__walk_next(tern__walker *walker, tern__fragment *fragment);

/* Nothing of the heap is pinned any more, and no piece is good. Harmless when nothing was begun. */
void tern__walk_end(tern__walker *walker);

/* The words for what was wrong last. */
const char *tern__walker_problem(const tern__walker *walker);

void tern__walker_get_stats(const tern__walker *walker, tern__walk_stats *stats);

#endif
