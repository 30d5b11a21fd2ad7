/* Roots, for the rest of the layer. */
#ifndef TERN_GRAPH_ROOT_H
#define TERN_GRAPH_ROOT_H

#include "graph/heap_record.h"

void tern__roots_fini(tern__roots *roots);

/* Places for n roots, all of them free and of generation 0, in a heap that has none. False when memory is out. */
bool tern__roots_prepare(tern__roots *roots, uint32_t n);

/* Puts all places that have no object into the list of free ones. */
void tern__roots_link(tern__roots *roots);

#endif
