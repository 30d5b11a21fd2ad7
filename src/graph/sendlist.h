/* The send list of a fragment: which bytes leave, in which order.
 *
 * Objects that lie side by side in the heap and come one behind the other in the stream are one block. When a block
 * ends, it is left where it is if it is long, and else copied into a buffer, where pointers become 1 or 0 and chores
 * (shape.h) are done, so that no address and no padding of it leaves the process. Objects that lie in no heap are
 * copied the same way, with headers made for them; of long ones without pointers only the header is. */
#ifndef TERN_GRAPH_SENDLIST_H
#define TERN_GRAPH_SENDLIST_H

#include "graph/shape.h"

typedef struct tern__graph_piece {
    const void *data;
    size_t bytes;
} tern__graph_piece;

typedef struct tern__sendlist {
    const tern__shapes *shapes;
    size_t inplace_bytes, max_bytes; /* blocks of so many bytes stay where they are; no piece is longer */
    uint8_t *start, *end;            /* the block that still grows; NULL: none */
    tern__graph_piece *pieces;
    size_t n, cap;
    tern_arena copies;
    uint64_t n_blocks; /* since it was cleared: the length of the paper's send list, gathered or not */
    uint64_t copied_bytes;
} tern__sendlist;

void tern__sendlist_init(tern__sendlist *list, const tern__shapes *shapes);
void tern__sendlist_fini(tern__sendlist *list);

/* Empty. Pieces that were given out are dead. */
void tern__sendlist_clear(tern__sendlist *list);

/* The block ends. TERN_ERR_NOMEM. */
int tern__sendlist_close(tern__sendlist *list);

/* Adds `count` elements that lie in no heap, at `from`, as an object. TERN_ERR_NOMEM. */
int tern__sendlist_add_foreign(tern__sendlist *list, const void *from, uint32_t what, uint32_t count);

/* Ends the block and begins another with this object. */
int tern__sendlist_begin(tern__sendlist *list, uint8_t *header, uint64_t bytes);

/* Adds an object of a heap: `header` is where it begins, header included. TERN_ERR_NOMEM. */
static inline int tern__sendlist_add(tern__sendlist *list, uint8_t *header, uint64_t bytes) {
    if (list->end != header || (size_t)(list->end - list->start) + bytes > list->max_bytes)
        return tern__sendlist_begin(list, header, bytes);
    list->end += bytes;
    return 0;
}

#endif
