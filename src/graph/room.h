/* Room for new objects: regions, and holes in regions. */
#ifndef TERN_GRAPH_ROOM_H
#define TERN_GRAPH_ROOM_H

#include "graph/heap_record.h"

/* A new object of `count` elements of this kind and type, whose bytes are anything. Returns its first element; NULL
 * when memory or the heap's limit is out. */
uint8_t *tern__room_take(tern_heap *heap, uint32_t what, uint32_t count);

/* New objects go anywhere but where they went so far, and no region has holes any more. */
void tern__room_forget(tern_heap *heap);

/* The holes that a collection has left may be used, from the first region on. */
void tern__room_use_holes(tern_heap *heap);

/* Nothing in the region, or the run that begins there, is in use any more; with `faults`, who touches it faults. */
void tern__room_free(tern_heap *heap, size_t region, bool faults);

/* Give the memory of free regions back beyond so many bytes of it. */
void tern__room_trim(tern_heap *heap, uint64_t kept_bytes);

#endif
