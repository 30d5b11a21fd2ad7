/* Spare chunks: those of segments for buffers of up to 1 MB that no class has.
 *
 * A class gives a chunk back when nothing of it is used. Its memory is kept at first, for the class of the kind that
 * next needs a chunk, and goes to the system when it is released. Memory that a peer may look at, and huge pages, which
 * were set aside for such use, stay with the chunk. A segment none of whose chunks is in use goes as a whole, unless it
 * keeps huge pages.
 *
 * Any thread. The lock is taken with a class's lock held. */
#ifndef TERN_MEM_SPARE_H
#define TERN_MEM_SPARE_H

#include <pthread.h>

#include "mem/segment.h"

typedef struct tern__spare {
    pthread_mutex_t lock;          /* guards what follows */
    tern__segment *with_chunks[4]; /* per TERN__SEGMENT_*: segments with spare chunks */
    tern__node kept[4];            /* likewise: spare chunks with memory; the last one came last */
    uint32_t n_kept[2]; /* per kind, 1 for private: kept chunks whose memory could go to the system; atomics */
} tern__spare;

void tern__spare_init(tern__spare *spare);

/* A chunk of segments of this kind (TERN__SEGMENT_*), whose code is `code` from now on: one with memory if there is
 * any. NULL when there is none, or memory, addresses or, with needs_file, descriptors are out. The caller has room for
 * its buffers. */
tern__chunk *tern__spare_take(tern__spare *spare, unsigned kind, unsigned code, bool needs_file);

/* The same if there is one with memory, else NULL. */
tern__chunk *tern__spare_take_kept(tern__spare *spare, unsigned kind, unsigned code);

/* Whether there is one of this kind with memory. */
bool tern__spare_is_kept(tern__spare *spare, unsigned kind);

/* Nothing of the chunk is in use, and nobody has a pointer into it. */
void tern__spare_give(tern__spare *spare, tern__chunk *chunk);

/* Give the memory of about n chunks of normal pages to the system, private ones or others, first that of whole
 * segments, then that which has been kept longest. With idle_only that of all chunks that were idle at the last such
 * call, too. Returns how many bytes. */
uint64_t tern__spare_release(tern__spare *spare, bool is_private, uint32_t n, bool idle_only);

#endif
