/* Slabs (slab.h). */
#include "mem/slab.h"

#include "mem/poison.h"
#include "mem/pool.h"

enum { LEAST_THINGS = 6 }; /* per block: what is too short for another is little beside them */

typedef struct free_thing {
    struct free_thing *next;
} free_thing;

typedef struct block {
    tern__slab *slab; /* NULL: it has ended */
    tern__node node;  /* in slab->open or slab->full */
    free_thing *free; /* things that were given back */
    uint32_t n_used;
    uint32_t fresh; /* offset of the things that were never taken, which begin here */
    uint32_t end;   /* behind the last that fits */
    uint32_t bytes;
} block;
_Static_assert(sizeof(block) <= TERN__SLAB_HEAD_BYTES, "the block begins with it");

static size_t align_of(size_t bytes) {
    return bytes % TERN__SLAB_HEAD_BYTES == 0 ? (size_t)TERN__SLAB_HEAD_BYTES : bytes > 8 ? (size_t)16 : (size_t)8;
}

void tern__slab_init(tern__slab *slab, size_t bytes) {
    size_t align = align_of(bytes);
    *slab = (tern__slab){.bytes = (uint32_t)((bytes + align - 1) / align * align)};
    tern__list_init(&slab->open);
    tern__list_init(&slab->full);
}

static bool has_room(const block *b) { return b->free || b->fresh < b->end; }

/* A quarter of what there is, within bounds: what lies idle in the last block is little beside the others. */
static size_t next_block_bytes(const tern__slab *slab) {
    size_t bytes = TERN__SLAB_LEAST_BYTES;
    while (bytes < slab->block_bytes / 4 && bytes < TERN__SLAB_MOST_BYTES) bytes *= 2;
    while (bytes < TERN__SLAB_HEAD_BYTES + LEAST_THINGS * (size_t)slab->bytes) bytes *= 2;
    return bytes;
}

static block *add_block(tern__slab *slab) {
    size_t bytes = next_block_bytes(slab);
    block *b = tern_alloc_private(bytes);
    if (!b) return NULL;
    uint32_t n = (uint32_t)(bytes - TERN__SLAB_HEAD_BYTES) / slab->bytes;
    *b = (block){.slab = slab,
                 .fresh = TERN__SLAB_HEAD_BYTES,
                 .end = TERN__SLAB_HEAD_BYTES + n * slab->bytes,
                 .bytes = (uint32_t)bytes};
    tern__poison((uint8_t *)b + TERN__SLAB_HEAD_BYTES, bytes - TERN__SLAB_HEAD_BYTES);
    tern__list_init(&b->node);
    tern__list_append(&slab->open, &b->node);
    slab->n_blocks++;
    slab->block_bytes += bytes;
    return b;
}

static void drop_block(tern__slab *slab, block *b) {
    tern__list_remove(&b->node);
    slab->n_blocks--;
    slab->block_bytes -= b->bytes;
    tern_unref(b);
}

void *tern__slab_take(tern__slab *slab) {
    if (tern__pool_refuses()) return NULL;
    block *b = tern__list_empty(&slab->open) ? add_block(slab) : TERN__CONTAINER(slab->open.next, block, node);
    if (!b) return NULL;
    free_thing *thing = b->free;
    if (thing) {
        tern__unpoison(thing, slab->bytes);
        b->free = thing->next;
    } else {
        thing = (free_thing *)((uint8_t *)b + b->fresh);
        tern__unpoison(thing, slab->bytes);
        b->fresh += slab->bytes;
    }
    b->n_used++;
    slab->n_used++;
    if (!has_room(b)) {
        tern__list_remove(&b->node);
        tern__list_append(&slab->full, &b->node);
    }
    return thing;
}

static block *block_of(const void *thing) {
    unsigned shift = tern__code_shift(tern__code_of(thing));
    return (block *)((uintptr_t)thing >> shift << shift);
}

/* Its things are taken next: their lines were used last. */
static void put_first(tern__slab *slab, block *b) {
    tern__list_remove(&b->node);
    b->node.next = slab->open.next;
    b->node.prev = &slab->open;
    slab->open.next->prev = &b->node;
    slab->open.next = &b->node;
}

void tern__slab_give(void *thing) {
    if (!thing || tern__pool_is_inherited()) return;
    block *b = block_of(thing);
    tern__slab *slab = b->slab;
    b->n_used--;
    if (!slab) {
        if (b->n_used == 0) tern_unref(b);
        return;
    }
    bool was_full = !has_room(b);
    slab->n_used--;
    if (TERN__FILL_FREED) memset(thing, TERN__FREE_PATTERN, slab->bytes);
    *(free_thing *)thing = (free_thing){b->free};
    b->free = thing;
    tern__poison(thing, slab->bytes);
    if (was_full) put_first(slab, b);
    if (b->n_used == 0 && slab->open.next != slab->open.prev) drop_block(slab, b);
}

static void end_blocks(tern__slab *slab, tern__node *list, bool keep_used) {
    while (!tern__list_empty(list)) {
        block *b = TERN__CONTAINER(list->next, block, node);
        if (b->n_used && keep_used) {
            tern__list_remove(&b->node);
            b->slab = NULL;
        } else {
            drop_block(slab, b);
        }
    }
}

static void end(tern__slab *slab, bool keep_used) {
    if (tern__pool_is_inherited()) return;
    end_blocks(slab, &slab->open, keep_used);
    end_blocks(slab, &slab->full, keep_used);
}

void tern__slab_fini(tern__slab *slab) { end(slab, true); }
void tern__slab_drop(tern__slab *slab) { end(slab, false); }
