/* The buffer pool and the arena.
 *
 * A process has one pool. It reserves one large range of addresses, backed by memfds so that another
 * process can map them read-only, and hands out refcounted buffers of power-of-two sizes from it. Each
 * size class owns an equal share of the range, so the buffer behind any interior pointer is found by a
 * range check and shifts, and the only metadata touched is the buffer's reference count
 * (Cornflakes 3.1 and 4, with arithmetic in place of its hash tables).
 *
 *   base                                                            base + n_classes * share
 *   | 64 B class | 128 B class | 256 B ... 1 GB class | the same classes again, on huge pages |
 *
 * Threads: every function here may be called from any thread unless it says otherwise. A buffer may be
 * freed by another thread than the one that allocated it.
 *
 * Memory: each class keeps what it once used, for reuse by buffers of its size, except that at most 256 MB of free
 * buffers of 2 MB and more are kept; the rest goes back to the system. Once the pool is shared with another
 * process it keeps those too: the seal that makes the peer's mapping read-only forbids taking pages back.
 * A ceiling (max_bytes) holds for what is in use and what is kept; at the ceiling, free buffers of 2 MB and more of
 * other sizes are given back first. What keeps track of buffers, at most 12 B for each of them, comes on top.
 * The range is terabytes of mostly holes: a program that calls mlockall() needs MCL_ONFAULT. Under valgrind the
 * defaults are small (64 MB per class, hence the largest buffer too), because memcheck walks all that is mapped.
 *
 * fork(): parent and child would share the buffers' memory but not the counts. A forked child may read the
 * buffers that it inherited until the parent changes them; tern_alloc() returns NULL there and tern_unref() frees
 * nothing. It should not use tern otherwise before exec. A daemon forks first and uses tern afterwards. */
#ifndef TERN_MEM_H
#define TERN_MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tern/err.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TERN_BUF_MIN_BYTES = 64, TERN_BUF_MAX_BYTES = 1 << 30 };

typedef struct tern_mem_config {
    size_t size;            /* sizeof(tern_mem_config), set by init */
    size_t max_class_bytes; /* address space per size class, a power of two; halved until it fits */
    bool huge_pages;        /* use 2 MB huge pages where the machine has free ones; default true */
    size_t max_bytes;       /* ceiling for committed_bytes below, in use or kept; 0, the default, for none */
} tern_mem_config;

typedef struct tern_mem_stats {
    uint64_t reserved_bytes;   /* address space, not memory */
    uint64_t committed_bytes;  /* memory behind buffers that were ever in use */
    uint64_t huge_bytes;       /* part of committed_bytes on huge pages */
    uint64_t live_buffers;     /* allocated and not yet freed, all threads */
    uint64_t saturated_counts; /* reference counts that hit the ceiling; such buffers are leaked */
    uint64_t bad_unrefs;       /* double unrefs that a release build ignored: bugs of the program */
} tern_mem_stats;

TERN_API void tern_mem_config_init(tern_mem_config *config);

/* Set the pool up. Optional: the first allocation does it with the defaults. Returns 0;
 * TERN_ERR_EXISTS if the pool is already up (harmless); TERN_ERR_NOMEM if no range can be reserved. */
TERN_API int tern_mem_init(const tern_mem_config *config);

TERN_API void tern_mem_get_stats(tern_mem_stats *stats);

/* A buffer of at least `bytes` bytes with one reference, aligned to its size up to 4096 and to 64 at
 * least; contents undefined. NULL when bytes is 0 or above TERN_BUF_MAX_BYTES, memory is out, or the
 * pool's ceiling is hit. The caller owns the reference and gives it back with tern_unref(). */
TERN_API void *tern_alloc(size_t bytes);

/* One more reference on the buffer that `ptr` points into (anywhere into it). Returns 0;
 * TERN_ERR_INVALID if ptr is not inside a live buffer. A count that reaches 2^31 stays there for good:
 * the buffer is leaked, counted in saturated_counts, and never freed under somebody's feet. */
TERN_API int tern_ref(const void *ptr);

/* Give back one reference on the buffer that `ptr` points into; the last one frees it. Foreign
 * pointers and NULL are ignored. A release build (`make install`, -Db_ndebug=true) counts a
 * double unref and goes on; any other build aborts on one, naming the address. */
TERN_API void tern_unref(const void *ptr);

/* The start of the buffer that `ptr` points into, and its size in *bytes (which may be NULL). A buffer that a message
 * of more than 64 KB came in may have no memory behind the message; its size is that of its memory. NULL when ptr is
 * foreign or the buffer is free. One metadata cache line at most. */
TERN_API void *tern_recover(const void *ptr, size_t *bytes);

/* The current count; 0 for foreign memory. Whoever finds 1 and holds that one reference has the buffer to itself, after
 * all that former holders did to it. */
TERN_API uint32_t tern_refcount(const void *ptr);

/* Whether ptr lies in the pool's range: a subtraction and a compare, no metadata touched. Says nothing
 * about whether the buffer is live. */
static inline bool tern_in_pool(const void *ptr);

/* ---- Arena ---------------------------------------------------------------------------------------
 * A bump allocator whose blocks are pool buffers, freed all at once. What it hands out is therefore
 * registered memory and may be sent in place; a caller that wants to keep it past the reset takes a
 * reference with tern_ref(). One thread at a time. */

typedef struct tern_arena {
    uint8_t *next;           /* first free byte of the current block */
    uint8_t *end;            /* one past its last byte */
    void *blocks;            /* records of the buffers taken, newest first */
    size_t block_bytes;      /* size of the next ordinary block */
    size_t used_bytes;       /* bytes of all blocks */
    size_t max_bytes;        /* ceiling for used_bytes; 0 for none */
    uint64_t fail_countdown; /* tests: the nth allocation from now fails; 0 for never */
} tern_arena;

/* Prepare an arena; takes no memory yet. block_bytes 0 means 4096. Allocation beyond max_bytes (0: no
 * limit) fails. */
TERN_API void tern_arena_init(tern_arena *arena, size_t block_bytes, size_t max_bytes);

/* `bytes` bytes aligned to 8, contents undefined; NULL when memory is out, the ceiling is hit or the
 * injected failure is due. Valid until reset or fini. bytes 0 gives a valid unique pointer. */
static inline void *tern_arena_alloc(tern_arena *arena, size_t bytes);

/* The same, zeroed. */
TERN_API void *tern_arena_zalloc(tern_arena *arena, size_t bytes);

/* Forget all allocations; the arena may be used again. One block is kept for that, unless somebody holds a reference
 * on it; the rest is given back. */
TERN_API void tern_arena_reset(tern_arena *arena);

/* Give everything back; on a zeroed arena it does nothing. */
TERN_API void tern_arena_fini(tern_arena *arena);

/* ---- Inline bodies ------------------------------------------------------------------------------ */

/* The pool's range. Set once before the first buffer exists; read it through tern_in_pool(). */
TERN_API extern uintptr_t tern__pool_base;
TERN_API extern size_t tern__pool_bytes;

static inline bool tern_in_pool(const void *ptr) {
    /* Size before base: another thread may be setting the pool up. Both are plain loads on x86-64. */
    size_t bytes = __atomic_load_n(&tern__pool_bytes, __ATOMIC_ACQUIRE);
    return (uintptr_t)ptr - __atomic_load_n(&tern__pool_base, __ATOMIC_RELAXED) < bytes;
}

TERN_API void *tern__arena_alloc_slow(tern_arena *arena, size_t bytes);

static inline void *tern_arena_alloc(tern_arena *arena, size_t bytes) {
    size_t rounded = (bytes + 7) & ~(size_t)7;
    if (rounded != 0 && rounded >= bytes && rounded <= (size_t)(arena->end - arena->next) &&
        arena->fail_countdown == 0) {
        void *ptr = arena->next;
        arena->next += rounded;
        return ptr;
    }
    return tern__arena_alloc_slow(arena, bytes);
}

#ifdef __cplusplus
}
#endif
#endif
