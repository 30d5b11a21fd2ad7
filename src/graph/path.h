/* Names of places in a heap, as "root 0 .left.kids[3].next of kv.Node 0x7f10c8200048". */
#ifndef TERN_GRAPH_PATH_H
#define TERN_GRAPH_PATH_H

#include "graph/heap_record.h"

/* Sets the heap's problem to the name of the spot and, behind it, what is wrong there. The name has the shortest path
 * from a root, if one leads there and memory for the search is to be had. */
void tern__path_say(tern_heap *heap, const tern__spot *spot, const char *what_is_wrong);

/* The field that a slot belongs to: "kids", "unknown", or "" for an element of a list. */
const char *tern__path_field_name(const tern_type *type, const tern__slot *slot);

/* What an object is: "kv.Node", "kv.Node[8]", "bytes[12]". */
void tern__path_object_name(const tern_heap *heap, uint64_t header, char *out, size_t cap);

#endif
