/* Memory that can be sent from where it lies: the buffer pool, the arena, and registered memory of other owners.
 *
 * A process has one pool. It hands out refcounted buffers of power-of-two sizes, of two kinds: tern_alloc() gives
 * memory that peers on the same host, of the same user, may read, so that values in it reach them without a copy;
 * tern_alloc_private() gives memory that is shown to no other process (a debugger sees it, and a core dump has it). All
 * that arrives is received into the second kind. docs/memory.md says whose memory is what.
 *
 * Buffers lie in segments, which come as they are needed and go when nothing in them is in use. Whose the memory behind
 * a pointer is, and the buffer behind an interior pointer, are found by arithmetic from one byte for each 4 MB of
 * addresses and one word at the segment's beginning, which are in the cache where many buffers are in use; the only
 * other metadata is the buffer's reference count (Cornflakes 3.1 and 4, with arithmetic in place of its hash tables).
 *
 * Threads: every function here may be called from any thread unless it says otherwise. A buffer may be
 * freed by another thread than the one that allocated it.
 *
 * Memory: each size keeps what it once used, for reuse by buffers of its size, except that at most 256 MB of free
 * buffers of 2 MB and more are kept of either kind; the rest goes back to the system. Of that, memory that a peer
 * may look at goes when all buffers of its segment are free. A ceiling (max_bytes) holds for what is in use and what
 * is kept; at the ceiling, free buffers of 2 MB and more of other sizes are given back first, and smaller ones stay
 * their size's: set it above what all sizes together once need. What keeps track of buffers, at most 12 B for each
 * of them, comes on top.
 *
 * Addresses: 64 MB for each segment, which has 60 MB of buffers, 64 MB for the table of chunks, and a file descriptor
 * for each segment that is not private. Where the process can have no such file, what tern_alloc() gives is shown to
 * nobody, and copied over shm. A program that calls mlockall() needs MCL_ONFAULT.
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
#include "tern/sized.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TERN_BUF_MIN_BYTES = 64, TERN_BUF_MAX_BYTES = 1 << 30 };

typedef struct tern_mem_config {
    size_t size;      /* sizeof(tern_mem_config), set by init */
    bool huge_pages;  /* use 2 MB huge pages where the machine has free ones; default true */
    size_t max_bytes; /* ceiling for committed_bytes below, in use or kept; 0, the default, for none */
} tern_mem_config;

typedef struct tern_mem_stats {
    uint64_t reserved_bytes;   /* address space, not memory */
    uint64_t committed_bytes;  /* memory behind buffers that were ever in use */
    uint64_t huge_bytes;       /* part of committed_bytes on huge pages */
    uint64_t live_buffers;     /* allocated and not yet freed, all threads */
    uint64_t saturated_counts; /* reference counts that hit the ceiling; such buffers are leaked */
    uint64_t bad_unrefs;       /* double unrefs that a release build ignored: bugs of the program */
} tern_mem_stats;

static inline void tern_mem_config_init(tern_mem_config *config);
TERN_API void tern_mem_config_init_sized(tern_mem_config *config, size_t size);

/* Set the pool up. Optional: the first allocation does it with the defaults. Returns 0; TERN_ERR_EXISTS if the pool is
 * already up (harmless); TERN_ERR_NOMEM if there are no addresses for its table; TERN_ERR_INVALID for a `size` that
 * tern_mem_config_init() has not set, or a config of a newer header that asks for what this library cannot do
 * (sized.h). */
TERN_API int tern_mem_init(const tern_mem_config *config);

static inline void tern_mem_get_stats(tern_mem_stats *stats);
TERN_API void tern_mem_get_stats_sized(tern_mem_stats *stats, size_t size);

/* A buffer of at least `bytes` bytes with one reference, aligned to its size up to 4096 and to 64 at least; contents
 * undefined. NULL when bytes is 0 or above TERN_BUF_MAX_BYTES, memory, addresses or descriptors are out, or the
 * pool's ceiling is hit. The caller owns the reference and gives it back with tern_unref(). */
TERN_API void *tern_alloc(size_t bytes);

/* The same in memory that no peer is ever shown, for secrets and for what is not to be sent to another process of this
 * host: there it costs a copy. Over all other ports it is sent in place like any. */
TERN_API void *tern_alloc_private(size_t bytes);

/* One more reference on the buffer that `ptr` points into (anywhere into it). Returns 0;
 * TERN_ERR_INVALID if ptr is not inside a live buffer. A count that reaches 2^31 stays there for good:
 * the buffer is leaked, counted in saturated_counts, and never freed under somebody's feet. */
TERN_API int tern_ref(const void *ptr);

/* Give back one reference on the buffer that `ptr` points into; the last one frees it. In registered memory its owner
 * is told instead (tern_region_ops); other pointers that are not the pool's, and NULL, are ignored. A release build
 * (`make install`, -Db_ndebug=true) counts a double unref and goes on; any other build aborts on one, naming the
 * address. */
TERN_API void tern_unref(const void *ptr);

/* The start of the buffer that `ptr` points into, and its size in *bytes (which may be NULL). A buffer that a message
 * of more than 64 KB came in may have no memory behind the message; its size is that of its memory. NULL when ptr is
 * foreign or the buffer is free. */
TERN_API void *tern_recover(const void *ptr, size_t *bytes);

/* The current count; 0 for foreign memory. Whoever finds 1 and holds that one reference has the buffer to itself, after
 * all that former holders did to it. */
TERN_API uint32_t tern_refcount(const void *ptr);

/* Whether ptr lies in the pool or in registered memory, so that large values there can be sent in place. Constant time;
 * says nothing about whether a buffer is live. */
TERN_API bool tern_in_pool(const void *ptr);

/* ---- Registered memory ---------------------------------------------------------------------------
 * Memory that is not the pool's: a mapped file, a database's map, another allocator's arena. Once it is registered,
 * values in it go in place as from the pool, with the references of its owner; over shm, whose peers cannot read it,
 * they are copied. */

typedef struct tern_region tern_region;

typedef struct tern_region_ops {
    size_t size; /* sizeof(tern_region_ops) */

    /* tern needs the memory that ptr points into until unref is called, which happens once for each ref, with the same
     * pointer or another into the same value. A value in place is one ref or several: over tcp and unix each part of it
     * that leaves is one more. Over shm a value is copied at once, without a ref, unless its message has to wait, as
     * before the session is open: then it has one until the copy is made. Returns 0, or a negative TERN_ERR_*, which
     * ends the call that was to send the value: the function that was to send it returns that, and of a response that
     * fails so the client sees RESOURCE_EXHAUSTED (for _LIMIT and _NOMEM) or INTERNAL. Any thread that sends, or
     * acknowledges what was sent, calls these, and they must not call tern. NULL: the memory stays as it is until it is
     * unregistered. */
    int (*ref)(void *user, const void *ptr);
    void (*unref)(void *user, const void *ptr);
} tern_region_ops;

/* Register [start, start + bytes), of any alignment. ops may be NULL; `user` is handed to them. Returns 0 and the
 * region; TERN_ERR_EXISTS when a part of it is the pool's or registered already; TERN_ERR_INVALID; TERN_ERR_NOMEM.
 * The memory has to be readable as long as it is registered: a mapped file that
 * shrinks still kills the program with SIGBUS. tern_ref() and tern_unref() work on it; tern_recover() and
 * tern_refcount() treat it as foreign. */
TERN_API int tern_region_register(const void *start, size_t bytes, const tern_region_ops *ops, void *user,
                                  tern_region **region);

/* Forget it. TERN_ERR_AGAIN while values in it are in flight: poll the endpoints that send them, and try again. No
 * other thread may be about to send a value in it. NULL is ignored. */
TERN_API int tern_region_unregister(tern_region *region);

/* References that tern holds on values in it. Of NULL: 0. */
TERN_API uint64_t tern_region_in_flight(const tern_region *region);

/* ---- Arena ---------------------------------------------------------------------------------------
 * A bump allocator whose blocks are pool buffers, freed all at once. What it hands out may therefore
 * be sent in place; a caller that wants to keep it past the reset takes a
 * reference with tern_ref(). One thread at a time. A private arena's blocks are private buffers. */

typedef struct tern_arena {
    uint8_t *next;           /* first free byte of the current block */
    uint8_t *end;            /* one past its last byte */
    void *blocks;            /* records of the buffers taken, newest first */
    size_t block_bytes;      /* size of the next ordinary block */
    size_t used_bytes;       /* bytes of all blocks */
    size_t max_bytes;        /* ceiling for used_bytes; 0 for none */
    uint64_t fail_countdown; /* tests: the nth allocation from now fails; 0 for never */
    bool is_private;         /* blocks come from tern_alloc_private() */
} tern_arena;

/* Prepare an arena; takes no memory yet. block_bytes 0 means 4096. Allocation beyond max_bytes (0: no
 * limit) fails. */
TERN_API void tern_arena_init(tern_arena *arena, size_t block_bytes, size_t max_bytes);

/* The same, of private memory. */
TERN_API void tern_arena_init_private(tern_arena *arena, size_t block_bytes, size_t max_bytes);

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

static inline void tern_mem_config_init(tern_mem_config *config) { tern_mem_config_init_sized(config, sizeof *config); }
static inline void tern_mem_get_stats(tern_mem_stats *stats) { tern_mem_get_stats_sized(stats, sizeof *stats); }

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
