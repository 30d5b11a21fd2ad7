/* Whether two programs lay a type out alike. */
#ifndef TERN_GRAPH_LAYOUT_H
#define TERN_GRAPH_LAYOUT_H

#include "tern/type.h"

/* A hash of how the struct of a type lies in memory: sizes, and of each field number, kind, flags, place and the name
 * of its message type. Programs whose hashes of all types that a graph has are the same can read its objects in place.
 * */
uint64_t tern__layout_hash(const tern_type *type);

#endif
