/* Making heaps, for those that come from files. */
#ifndef TERN_GRAPH_HEAP_H
#define TERN_GRAPH_HEAP_H

#include "graph/heap_record.h"

enum { TERN__HEAP_MOST_SHIFT = 44 };
#define TERN__HEAP_MOST_BYTES ((size_t)1 << TERN__HEAP_MOST_SHIFT)

/* The configuration with its defaults filled in. TERN_ERR_INVALID. */
int tern__heap_read_config(const tern_heap_config *given, tern_heap_config *config);

/* A heap of this thread without addresses. TERN_ERR_NOMEM. */
int tern__heap_make(const tern_heap_config *config, tern_heap **heap);
void tern__heap_unmake(tern_heap *heap);

/* The heap has all that it begins with: from now on the types of its objects are found (mem/objects.h). */
void tern__heap_show(tern_heap *heap);

#endif
