/* Lists that grow by doubling, in private memory of the pool. */
#ifndef TERN_GRAPH_GROW_H
#define TERN_GRAPH_GROW_H

#include "base/base.h"
#include "tern/mem.h"

enum { TERN__GROW_FIRST_BYTES = 512 };

/* Room for at least n elements of elem_bytes each in the list whose pointer lies at `list`, which has room for *cap
 * now and keeps its bytes. False when memory is out, or the list would be longer than a buffer can be; the list is then
 * as it was. tern_unref() gives the list back. */
static inline bool tern__grow(void *list, size_t *cap, size_t n, size_t elem_bytes) {
    void *old, *more = NULL;
    size_t bytes = TERN__GROW_FIRST_BYTES;
    if (n <= *cap) return true;
    while (bytes < TERN_BUF_MAX_BYTES && bytes / elem_bytes < n) bytes *= 2;
    if (bytes / elem_bytes >= n) more = tern_alloc_private(bytes);
    if (!more) return false;
    memcpy(&old, list, sizeof old);
    if (*cap) memcpy(more, old, *cap * elem_bytes);
    tern_unref(old);
    memcpy(list, &more, sizeof more);
    *cap = bytes / elem_bytes;
    return true;
}

#endif
