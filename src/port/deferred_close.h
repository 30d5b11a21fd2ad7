/* Ends that a peer has a say in, beside the thread that serves.
 *
 * The last close of a descriptor may wait inside the kernel, for as long as whoever made it likes: for unacknowledged
 * bytes of a TCP socket (SO_LINGER), for the same of one that lies unread in a Unix socket, for a file system in a
 * process. The last mapping of a long file of memory takes a quarter of a second per GB to go. So two helper threads
 * do this, one for descriptors and one for memory, which at least ends. Each lives while something waits for it, and
 * a fifth of a second longer. A thread that hangs keeps no process from ending.
 *
 * Everything here may be called from any thread, and from a child of fork(), which closes its own copies. */
#ifndef TERN_PORT_DEFERRED_CLOSE_H
#define TERN_PORT_DEFERRED_CLOSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    TERN__DEFERRED_CLOSE_MAX = 64, /* descriptors that wait; one that sends more than this process wants is dropped */
    TERN__DEFERRED_UNMAP_MAX = 64  /* mappings that wait: who may bring any number unmaps others at once */
};

/* Close a descriptor that came from a peer, or one that may hold such descriptors unread. */
void tern__deferred_close(int fd);

/* Unmap memory of a peer; then gone(bytes) runs, on any thread. */
void tern__deferred_unmap(const void *base, size_t bytes, void (*gone)(uint64_t bytes));

/* Whether so many mappings wait that one that is not long had better go at once. */
bool tern__deferred_unmap_is_full(void);

/* Whether so many descriptors wait that no more are to be received. */
bool tern__deferred_close_is_full(void);

/* What waits or is under way, of both sorts. */
size_t tern__deferred_close_count(void);

#endif
