/* Collections, for the rest of the layer. */
#ifndef TERN_GRAPH_COLLECT_H
#define TERN_GRAPH_COLLECT_H

#include "graph/heap_record.h"

/* Frees what nothing keeps, and moves nothing, not even where all is to move always. TERN_ERR_INVALID. */
int tern__collect(tern_heap *heap);

#endif
