/* Room for new objects: regions, and holes in regions. */
#ifndef TERN_GRAPH_ROOM_H
#define TERN_GRAPH_ROOM_H

#include "graph/heap_record.h"

/* A new object of `count` elements of this kind and type, whose bytes are anything. Returns its first element; NULL
 * when memory or the heap's limit is out. */
uint8_t *tern__room_take(tern_heap *heap, uint32_t what, uint32_t count);

/* ---- For what is still arriving --------------------------------------------------------------------
 * Room in which there is no object until somebody says that one starts there. Its region has to be pinned at once, else
 * the next safe point takes the room for free. */

/* Objects of so many bytes have a run of regions of their own. */
bool tern__room_is_long(uint64_t bytes);

/* Room for an object that is not long, header included; NULL when memory or the heap's limit is out. */
uint8_t *tern__room_reserve(tern_heap *heap, uint64_t bytes);

/* A run with memory for the first `bytes` of an object of all_bytes, where free regions follow for the rest. Neither
 * memory nor tables are taken for these. NULL: there are no such addresses, or memory is out. */
uint8_t *tern__room_begin_run(tern_heap *heap, uint64_t all_bytes, uint64_t bytes);

/* The run at `at` gets memory for `bytes`, the regions that follow if they are still free. Else a longer one is begun
 * elsewhere, and the first used_bytes are copied there; the caller frees the old one. Returns where the run is; NULL
 * when memory is out, and nothing has changed. */
uint8_t *tern__room_extend_run(tern_heap *heap, uint8_t *at, uint64_t all_bytes, uint64_t used_bytes, uint64_t bytes);

/* New objects go anywhere but where they went so far, unless that is pinned, and no region has holes any more. */
void tern__room_forget(tern_heap *heap);

/* The holes that a collection has left may be used, from the first region on. */
void tern__room_use_holes(tern_heap *heap);

/* Nothing in the region, or the run that begins there, is in use any more; with `faults`, who touches it faults. */
void tern__room_free(tern_heap *heap, size_t region, bool faults);

/* Give the memory of free regions back beyond so many bytes of it. */
void tern__room_trim(tern_heap *heap, uint64_t kept_bytes);

#endif
