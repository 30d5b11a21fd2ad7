/* What other layers may know of the pool beyond tern/mem.h: how to show it to another process, and hooks for
 * tests and tools. Any thread may call these.
 *
 * Sharing. A peer that maps each segment at its offset, all relative to one base of its own choice, sees the
 * same picture as we do: a buffer's offset in our range is its offset in the peer's mapping. The descriptors are
 * read-only and the files sealed against writers, so neither a new mapping nor write() can change our memory.
 * The files are sparse. A read of a part that we never committed does not fail in the normal segment (it
 * takes a page), but raises SIGBUS in the huge one when no huge page is free: whoever follows offsets that a peer
 * sent makes a 2 MB chunk of the peer's segment readable with madvise(MADV_POPULATE_READ) before its first look
 * there, and treats an error as the peer's. Map with MAP_NORESERVE and MADV_DONTDUMP: the picture is mostly holes. */
#ifndef TERN_MEM_POOL_H
#define TERN_MEM_POOL_H

#include "base/base.h"
#include "tern/mem.h"

typedef struct tern__pool_segment {
    size_t offset; /* in the range; its place in the file is 0 */
    size_t bytes;
    int fd; /* read-only; the pool's: send it, never close it */
    bool huge;
} tern__pool_segment;

typedef struct tern__pool_view {
    uintptr_t base; /* of the range in this process */
    size_t bytes;
    unsigned n_segments;
    tern__pool_segment segments[2];
} tern__pool_view;

/* Prepare the pool for sharing (sets it up if need be) and describe it. From the first call on, memory of
 * freed buffers is kept for reuse and no longer given back to the system, which is what the seal costs. Returns
 * 0; TERN_ERR_NOMEM; TERN_ERR_IO when the files cannot be sealed or /proc is not mounted. */
int tern__pool_share(tern__pool_view *view);

/* Whether all of [ptr, ptr + len) lies in one live buffer. */
bool tern__pool_contains(const void *ptr, size_t len);

/* ---- For tests and tools ------------------------------------------------------------------------ */

/* The nth tern_alloc() of the process from now fails, once; 0 disarms. Returns the count that was left. */
uint64_t tern__pool_fail_after(uint64_t n);

/* Live buffers of one size, by the size's class: 64 B << class. Exact while no thread allocates or frees. */
uint64_t tern__pool_live(unsigned cls);

/* Call fn for each live buffer. Other threads must not free meanwhile. Returns their number. */
typedef void tern__pool_leak_fn(void *user, const void *buffer, size_t bytes, uint32_t count);
uint64_t tern__pool_report_leaks(tern__pool_leak_fn *fn, void *user);

/* Set the count of a live buffer, to come near the ceiling. */
void tern__pool_set_count(const void *ptr, uint32_t count);

/* Hand this thread's cached free buffers to the others, as its exit would. */
void tern__pool_flush_thread(void);

#endif
