/* The pool for other layers, beyond tern/mem.h: references without a look-up each, how to show memory to another
 * process, and hooks for tests and tools. Any thread may call these functions.
 *
 * Sharing. A buffer that is not private lies in a segment, and a segment in a file of memory of its own, whose
 * descriptor is read-only for whoever gets it, and which is sealed against writers: neither a new mapping nor write()
 * can change our memory. The files are sparse. A read of a part that we never committed does not fail in a segment of
 * normal pages (it takes a page), but raises SIGBUS on huge pages when none is free: whoever follows offsets that a
 * peer sent makes a 2 MB piece of the peer's segment readable with madvise(MADV_POPULATE_READ) before its first look
 * there, and treats an error as the peer's. */
#ifndef TERN_MEM_POOL_H
#define TERN_MEM_POOL_H

#include "mem/segment.h"
#include "tern/mem.h"

#if defined(__has_include)
#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#define TERN__KNOWS_SOLE_THREAD 1
#endif
#endif

/* The segment of a buffer that may be shown to a peer; NULL for private and foreign memory. It stays as long as the
 * caller has a reference on the buffer. tern__segment_share() gives its descriptor. */
static inline tern__segment *tern__pool_shared_segment(const void *ptr);
tern__segment *tern__pool_shared_extent(uintptr_t at, unsigned code);

/* Whether all of [ptr, ptr + len) lies in one live buffer. */
bool tern__pool_contains(const void *ptr, size_t len);

/* ---- References for ports -----------------------------------------------------------------------
 * A port takes a reference on each value that it sends in place, and gives it back when the transmission is done. It
 * keeps the address of the count in between, so that the buffer is looked up once. */

/* The count of the buffer, live or not, in which all of [ptr, ptr + len) lies; NULL when there is none. len >= 1. */
static inline uint32_t *tern__ref_find(const void *ptr, size_t len);

/* As tern__ref_find(), with the count in *counter; false when there is none. */
static inline bool tern__ref_locate(const void *ptr, size_t len, uint32_t **counter);

/* One more reference on the buffer with this count, into which ptr points. Returns 0, or TERN_ERR_INVALID when the
 * buffer is not live. */
static inline int tern__ref_take(uint32_t *counter, const void *ptr);

/* Give a reference back; ptr points into the buffer. */
static inline void tern__ref_drop(uint32_t *counter, const void *ptr);

/* For many buffers in a row, by a caller that has asked tern__sole_thread() before the first. Both functions take or
 * drop the reference and return true if a load and a store suffice, which is the rule in a process of one thread; else
 * they change nothing. They call no function, so that a loop over them saves no registers. */
static inline bool tern__ref_take_quick(const void *ptr, size_t len, uint32_t **counter);
static inline bool tern__ref_drop_quick(uint32_t *counter);

/* Give a reference on a pool buffer of at most 4 MB back whatever it takes, by the count alone. */
void tern__ref_drop_counter(uint32_t *counter);

/* A count that reached this stays there. */
#define TERN__REFS_SATURATED ((uint32_t)1 << 31) /* the sign bit, see tern__ref_take() */

/* For a caller who has looked up the code. */
static inline tern__segment *tern__shared_segment_by(unsigned code, const void *ptr) {
    if (!tern__code_is_buffers(code)) return tern__pool_shared_extent((uintptr_t)ptr, code);
    return code & TERN__CODE_PRIVATE ? NULL : tern__segment_around((uintptr_t)ptr);
}

static inline tern__segment *tern__pool_shared_segment(const void *ptr) {
    return tern__shared_segment_by(tern__code_of(ptr), ptr);
}

/* Whether no other thread exists. The C library knows threads that were made by it, which is also what C++'s
 * shared pointers rely on. */
static inline bool tern__sole_thread(void) {
#ifdef TERN__KNOWS_SOLE_THREAD
    return __libc_single_threaded != 0;
#else
    return false;
#endif
}

/* The pool is the parent's: this process is a child of fork(), and gets no memory from it. */
bool tern__pool_is_inherited(void);

/* Whether an allocation by another function than the pool's has to fail: it is the one that a test chose, or this is a
 * child of fork(). */
bool tern__pool_refuses_now(void);
static inline bool tern__pool_refuses(void) {
    return __atomic_load_n(&tern__pool.cached_bytes, __ATOMIC_RELAXED) == 0 && tern__pool_refuses_now();
}

int tern__ref_shared(uint32_t *counter, const void *ptr);

/* As tern__ref_locate(), where that takes more than arithmetic. */
bool tern__ref_locate_slow(const void *ptr, size_t len, uint32_t **counter);

/* For a caller who has looked up the code. */
static inline bool tern__ref_locate_by(unsigned code, const void *ptr, size_t len, uint32_t **counter) {
    if (!tern__code_is_buffers(code)) return tern__ref_locate_slow(ptr, len, counter);
    unsigned shift = tern__code_shift(code);
    uintptr_t at = (uintptr_t)ptr;
    if ((at ^ (at + len - 1)) >> shift) return false; /* first and last byte are not in one buffer */
    *counter = tern__count_at(at, shift);
    return true;
}

static inline bool tern__ref_locate(const void *ptr, size_t len, uint32_t **counter) {
    return tern__ref_locate_by(tern__code_of(ptr), ptr, len, counter);
}

static inline uint32_t *tern__ref_find(const void *ptr, size_t len) {
    uint32_t *counter;
    return tern__ref_locate(ptr, len, &counter) ? counter : NULL;
}

/* Count + 1, read as a signed number, is below 2 when the count was 0, about to saturate, or saturated. */
static inline int tern__ref_take(uint32_t *counter, const void *ptr) {
    uint32_t more = __atomic_load_n(counter, __ATOMIC_RELAXED) + 1;
    if ((int32_t)more < 2 || !tern__sole_thread()) return tern__ref_shared(counter, ptr);
    __atomic_store_n(counter, more, __ATOMIC_RELAXED);
    return 0;
}

static inline bool tern__ref_take_quick(const void *ptr, size_t len, uint32_t **counter) {
    unsigned code = tern__code_of(ptr);
    if (!tern__code_is_buffers(code) || !tern__ref_locate_by(code, ptr, len, counter)) return false;
    uint32_t more = __atomic_load_n(*counter, __ATOMIC_RELAXED) + 1;
    if ((int32_t)more < 2) return false;
    __atomic_store_n(*counter, more, __ATOMIC_RELAXED);
    return true;
}

/* Take one from a count that was just read, if it is neither the last reference nor saturated, and needs no
 * compare-and-swap. */
static inline bool tern__ref_drop_one(uint32_t *counter, uint32_t count) {
    if ((int32_t)count < 2 || !tern__sole_thread()) return false;
    __atomic_store_n(counter, count - 1, __ATOMIC_RELAXED);
    return true;
}

static inline bool tern__ref_drop_quick(uint32_t *counter) {
    uint32_t count = __atomic_load_n(counter, __ATOMIC_RELAXED);
    if ((int32_t)count < 2) return false;
    __atomic_store_n(counter, count - 1, __ATOMIC_RELAXED);
    return true;
}

static inline void tern__ref_drop(uint32_t *counter, const void *ptr) {
    if (!tern__ref_drop_one(counter, __atomic_load_n(counter, __ATOMIC_RELAXED))) tern_unref(ptr);
}

/* ---- Buffers that fill up -----------------------------------------------------------------------
 * A message that arrives in pieces says how long it is before the rest is there, and whoever sends it may lie. Its
 * buffer has the addresses for all of it from the beginning, and memory for a first part, then for no more than has
 * arrived and as much again, which is at least TERN__SPARSE_LEAST_BYTES and at most TERN__SPARSE_AHEAD_BYTES. */
enum { TERN__SPARSE_LEAST_BYTES = 4 << 10, TERN__SPARSE_AHEAD_BYTES = 2 << 20 };

/* As tern_alloc_private(), but only the first `ready` bytes, at least 1, may be touched before tern__sparse_reach()
 * says that more may be. */
void *tern__sparse_alloc(size_t bytes, size_t ready);

/* The same in memory that peers may read, as tern_alloc(). */
void *tern__sparse_alloc_shared(size_t bytes, size_t ready);

/* How much memory such a buffer takes at first. */
static inline size_t tern__sparse_first_bytes(size_t bytes, size_t ready);

/* How much it takes once `reach` bytes, more than it takes at first, have been asked for. */
static inline size_t tern__sparse_bytes(size_t reach, size_t bytes);

/* Put memory behind the first `reach` bytes, at most `bytes`, of a buffer from tern__sparse_alloc(bytes), and some
 * more ahead of these. Returns how many bytes at its start may be touched, `reach` or more; 0 when memory is out. Only
 * for the thread that fills the buffer. */
size_t tern__sparse_reach(void *buf, size_t reach, size_t bytes);

/* Whether a pool buffer is one whose memory comes bit by bit, so that it has addresses of its own. */
bool tern__is_sparse(const void *buf);

/* Of the buffer of the pool that holds so many bytes, at least 1. */
static inline size_t tern__buffer_size(size_t bytes) {
    return (size_t)1 << (64 - __builtin_clzll((bytes - 1) | (TERN_BUF_MIN_BYTES - 1)));
}

static inline size_t tern__sparse_first_bytes(size_t bytes, size_t ready) {
    return bytes > ready ? ready : bytes ? tern__buffer_size(bytes) : 0;
}

static inline size_t tern__sparse_bytes(size_t reach, size_t bytes) {
    size_t ahead = reach < TERN__SPARSE_LEAST_BYTES ? (size_t)TERN__SPARSE_LEAST_BYTES : reach;
    if (ahead > TERN__SPARSE_AHEAD_BYTES) ahead = TERN__SPARSE_AHEAD_BYTES;
    return bytes - reach < ahead ? bytes : reach + ahead;
}

/* ---- Memory that nobody needs any more ----------------------------------------------------------
 * What buffers leave behind is used again, and given back to the system when two looks, so far apart, have found it
 * idle: buffers of 2 MB and more, and chunks of 4 MB of smaller ones. Endpoints look while they are driven, and wake up
 * for it while there is something to give. */
#define TERN__POOL_AGE_NS 4000000000u

/* One look, if it is time for one; `now` on the clock of all endpoints. The free buffers that this thread keeps for
 * itself become everybody's. From any thread. */
void tern__pool_age(uint64_t now);

/* Whether there is something that may be given back. */
bool tern__pool_is_warm(void);

/* ---- For tests and tools ------------------------------------------------------------------------ */

/* The nth allocation of the process from now fails, once, be it a buffer or a thing of a slab (slab.h); 0 disarms.
 * Returns the count that was left. */
uint64_t tern__pool_fail_after(uint64_t n);

/* Live buffers of one size, of both kinds, by the size's class: 64 B << class. Exact while no thread allocates or
 * frees. */
uint64_t tern__pool_live(unsigned cls);

/* The bytes of free buffers that threads keep for themselves. Exact while no thread allocates or frees. */
uint64_t tern__pool_cached_bytes(void);

/* Call fn for each live buffer. Other threads must not free meanwhile. Returns their number. */
typedef void tern__pool_leak_fn(void *user, const void *buffer, size_t bytes, uint32_t count);
uint64_t tern__pool_report_leaks(tern__pool_leak_fn *fn, void *user);

/* Set the count of a live buffer, to come near the ceiling. */
void tern__pool_set_count(const void *ptr, uint32_t count);

/* Normal memory of buffers of 2 MB and more that was ever put behind them, and given back to the system. */
typedef struct tern__pool_traffic {
    uint64_t populated_bytes, decommitted_bytes;
} tern__pool_traffic;
tern__pool_traffic tern__pool_get_traffic(void);

/* Hand this thread's cached free buffers to the others, as its exit would. */
void tern__pool_flush_thread(void);

#endif
