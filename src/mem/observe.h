/* Who is told when memory of the pool comes and goes: a NIC, libfabric, io_uring or a GPU registers memory before use
 * and has to forget it before it is given back; a port that shows a segment to a peer tells the peer when it goes.
 *
 * Whoever registers pieces of memory keeps a key for each, and as many keys as it can afford: a piece that it has
 * forgotten is registered anew when a value in it is next sent. */
#ifndef TERN_MEM_OBSERVE_H
#define TERN_MEM_OBSERVE_H

#include "base/base.h"

struct tern__segment;

/* The functions are called by any thread with locks of the pool held: they allocate nothing from it, and do not observe
 * or forget. Each may be NULL. */
typedef struct tern__observer {
    tern__node all; /* the list's */
    void (*committed)(struct tern__observer *observer, const struct tern__segment *segment, uintptr_t at, size_t len);
    /* Before it happens. Nobody has a pointer there. */
    void (*decommit)(struct tern__observer *observer, const struct tern__segment *segment, uintptr_t at, size_t len);
    /* All of it, when it has left the table of segments and before it is unmapped. */
    void (*gone)(struct tern__observer *observer, const struct tern__segment *segment);
} tern__observer;

/* Be told from now on. What has memory already is not told again. */
void tern__observe(tern__observer *observer);

/* Not any more. When this returns none of its functions runs, or will. */
void tern__unobserve(tern__observer *observer);

void tern__observe_committed(const struct tern__segment *segment, uintptr_t at, size_t len);
void tern__observe_decommit(const struct tern__segment *segment, uintptr_t at, size_t len);
void tern__observe_gone(const struct tern__segment *segment);

#endif
