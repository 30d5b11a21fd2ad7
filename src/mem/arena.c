/* The arena: bump allocation from pool buffers.
 *
 * Ordinary blocks double up to 64 KB. An allocation above a quarter of a block gets a buffer of its own, so that little
 * is wasted at a block's end and a large value lies alone in its buffer, from the first byte on. Each buffer is
 * recorded by a node that lies in an ordinary block: its own, or for a large buffer the current block. Nodes are read
 * newest first, so that each is read before the block that it lies in is given back. */
#include <string.h>

#include "mem/pool.h"
#include "tern/mem.h"

enum { BLOCK_DEFAULT_BYTES = 4096, BLOCK_GROWN_BYTES = 64 << 10 };

typedef struct node {
    struct node *prev;
    void *buf;
    const uint32_t *count; /* its references */
    size_t bytes;          /* of an ordinary block */
} node;

void tern_arena_init(tern_arena *arena, size_t block_bytes, size_t max_bytes) {
    *arena = (tern_arena){.block_bytes = block_bytes ? block_bytes : BLOCK_DEFAULT_BYTES, .max_bytes = max_bytes};
}

void tern_arena_init_private(tern_arena *arena, size_t block_bytes, size_t max_bytes) {
    tern_arena_init(arena, block_bytes, max_bytes);
    arena->is_private = true;
}

static void *bump(tern_arena *arena, size_t rounded) {
    if (rounded > (size_t)(arena->end - arena->next)) return NULL;
    void *ptr = arena->next;
    arena->next += rounded;
    return ptr;
}

/* The size of the buffer that tern_alloc(bytes) returns. */
static size_t buffer_bytes(size_t bytes) {
    size_t size = TERN_BUF_MIN_BYTES;
    while (size < bytes) size *= 2;
    return size;
}

/* A buffer within the ceiling; its full size goes to *size. */
static void *take_buffer(tern_arena *arena, size_t bytes, size_t *size) {
    if (bytes > TERN_BUF_MAX_BYTES) return NULL;
    *size = buffer_bytes(bytes);
    if (arena->max_bytes && (arena->used_bytes > arena->max_bytes || *size > arena->max_bytes - arena->used_bytes))
        return NULL;
    void *buf = arena->is_private ? tern_alloc_private(*size) : tern_alloc(*size);
    if (buf) arena->used_bytes += *size;
    return buf;
}

/* Begin a new ordinary block with room for `rounded` bytes. Near the ceiling a smaller one will do. */
static bool add_block(tern_arena *arena, size_t rounded) {
    size_t least = sizeof(node) + rounded;
    size_t want = arena->block_bytes > least ? arena->block_bytes : least, size = 0;
    uint8_t *buf = take_buffer(arena, want, &size);
    for (; !buf && want > least; buf = take_buffer(arena, want, &size)) want = want / 2 > least ? want / 2 : least;
    if (!buf) return false;
    node *n = (node *)(void *)buf;
    *n = (node){.prev = arena->blocks, .buf = buf, .count = tern__ref_find(buf, 1), .bytes = size};
    arena->blocks = n;
    arena->next = buf + sizeof *n;
    arena->end = buf + size;
    if (arena->block_bytes < BLOCK_GROWN_BYTES) arena->block_bytes *= 2;
    return true;
}

static void *alloc_large(tern_arena *arena, size_t rounded) {
    node *n = bump(arena, sizeof *n);
    if (!n && !add_block(arena, sizeof *n)) return NULL;
    if (!n) n = bump(arena, sizeof *n);
    size_t size;
    void *buf = take_buffer(arena, rounded, &size);
    if (!buf) return NULL; /* the node's bytes are lost until the reset */
    *n = (node){.prev = arena->blocks, .buf = buf};
    arena->blocks = n;
    return buf;
}

void *tern__arena_alloc_slow(tern_arena *arena, size_t bytes) {
    if (arena->fail_countdown && --arena->fail_countdown == 0) return NULL;
    if (bytes > TERN_BUF_MAX_BYTES) return NULL;
    if (arena->block_bytes == 0) arena->block_bytes = BLOCK_DEFAULT_BYTES;
    size_t rounded = bytes ? (bytes + 7) & ~(size_t)7 : 8;
    void *ptr = bump(arena, rounded);
    if (ptr) return ptr;
    if (rounded > arena->block_bytes / 4) return alloc_large(arena, rounded);
    return add_block(arena, rounded) ? bump(arena, rounded) : NULL;
}

void *tern_arena_zalloc(tern_arena *arena, size_t bytes) {
    void *ptr = tern_arena_alloc(arena, bytes);
    if (ptr) memset(ptr, 0, bytes);
    return ptr;
}

static void give_all(tern_arena *arena) {
    for (node *n = arena->blocks; n;) {
        node *prev = n->prev;
        tern_unref(n->buf);
        n = prev;
    }
    arena->blocks = NULL;
    arena->next = arena->end = NULL;
    arena->used_bytes = 0;
}

/* The oldest node always lies at the start of an ordinary block. A block with other references must not be
 * written to again. */
void tern_arena_reset(tern_arena *arena) {
    node *oldest = arena->blocks;
    if (!oldest) return;
    while (oldest->prev) {
        arena->blocks = oldest->prev;
        tern_unref(oldest->buf);
        oldest = arena->blocks;
    }
    if (__atomic_load_n(oldest->count, __ATOMIC_ACQUIRE) != 1) {
        give_all(arena);
        return;
    }
    arena->next = (uint8_t *)(oldest + 1);
    arena->end = (uint8_t *)oldest->buf + oldest->bytes;
    arena->used_bytes = oldest->bytes;
}

void tern_arena_fini(tern_arena *arena) {
    give_all(arena);
    arena->block_bytes = 0;
}
