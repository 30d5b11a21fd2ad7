/* Things of one kind, side by side: sessions, slots, records of requests and streams, calls.
 *
 * A buffer of the pool has a power of two bytes and a count of references; a record has neither. A slab cuts private
 * buffers (blocks) into things of one size, so that few bytes lie idle between them, and those that are used together
 * share pages. The first block has 4 KB, or room for six things if that is more; a slab with many things has blocks of
 * up to 64 KB. A block goes back to the pool when nothing in it is in use and another one has room.
 *
 * A slab belongs to one thread; only what it asks of the pool is shared. It may end before its things do: the last
 * thing of each block then gives the block back. Until then free things are poisoned as free buffers are (poison.h);
 * those that are given back after the slab's end are poisoned with their block.
 *
 *     block, at a multiple of its size:  [slab, free, n_used, ...][thing][thing] ... [thing][idle, less than a thing]
 *
 * Bonwick, "The Slab Allocator" (USENIX 1994), describes the idea; there are no constructors here. */
#ifndef TERN_MEM_SLAB_H
#define TERN_MEM_SLAB_H

#include "base/base.h"

enum {
    TERN__SLAB_LEAST_BYTES = 4 << 10, /* of a block, ... */
    TERN__SLAB_MOST_BYTES = 64 << 10, /* ... unless six things need more */
    TERN__SLAB_HEAD_BYTES = 64        /* of a block, before its first thing */
};

typedef struct tern__slab {
    tern__node open; /* blocks with room; the first is asked first */
    tern__node full; /* the others */
    uint32_t bytes;  /* of a thing, rounded up */
    uint32_t n_used; /* things */
    uint32_t n_blocks;
    uint64_t block_bytes; /* of all blocks together */
} tern__slab;

/* A slab for things of 1 byte to 1 MB. They begin at multiples of 64 bytes if their size is one, else of 16, or of 8 if
 * they are no longer. It takes no memory before the first thing. */
void tern__slab_init(tern__slab *slab, size_t bytes);

/* A thing, whose bytes are anything; NULL: no memory, or this process is a child of fork(). */
void *tern__slab_take(tern__slab *slab);

/* Give a thing back; NULL is harmless. For the thread that the slab belongs to; after the slab's end for one thread at
 * a time. */
void tern__slab_give(void *thing);

/* Give back all blocks, those with things in use when the last of these is given back. */
void tern__slab_fini(tern__slab *slab);

/* Give back all blocks, with the things that are in use. */
void tern__slab_drop(tern__slab *slab);

#endif
