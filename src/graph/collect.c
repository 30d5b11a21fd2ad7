/* Freeing what nothing keeps: objects without a mark lose their start, and regions without objects become free. */
#include "graph/collect.h"

#include "graph/mark.h"
#include "graph/path.h"
#include "graph/problem.h"
#include "graph/room.h"
#include "mem/poison.h"

enum {
    HOLES_SHARE = 8, /* new objects go into regions of which at least this part is free */
    KEPT_LEAST_BYTES = 8 * TERN__REGION_BYTES
};

typedef struct kept_objects {
    uint64_t objects, bytes;
} kept_objects;

/* Under AddressSanitizer: whoever touches what is no object is told. */
static void poison_holes(tern_heap *heap, size_t region) {
#ifdef TERN__ASAN
    const tern__region *r = &heap->space.regions[region];
    if (r->n_pins) return; /* what is arriving is no object yet */
    uint8_t *from = heap->space.base + (region << TERN__REGION_SHIFT), *end = from + r->committed_bytes;
    TERN__EACH_OBJECT(heap, region, unit) {
        uint8_t *object = tern__space_at(&heap->space, unit);
        tern__poison(from, (size_t)(object - from));
        from = object + tern__header_bytes(heap, *(uint64_t *)(void *)object);
    }
    if (from < end) tern__poison(from, (size_t)(end - from));
#else
    (void)heap, (void)region;
#endif
}

static void sweep_region(tern_heap *heap, size_t region, kept_objects *kept) {
    tern__region *r = &heap->space.regions[region];
    tern__bits *bits = &heap->space.bits[region * TERN__REGION_WORDS];
    for (size_t i = 0; i < TERN__REGION_WORDS; i++) {
        if (bits[i].mark) kept->objects += (uint64_t)__builtin_popcountll(bits[i].mark);
        bits[i] = (tern__bits){.start = bits[i].mark};
    }
    kept->bytes += r->live_bytes;
    if (r->live_bytes == 0 && r->n_pins == 0) {
        tern__room_free(heap, region, false);
        return;
    }
    poison_holes(heap, region);
    r->is_new = false;
    r->has_holes = r->state == TERN__REGION_OBJECTS && r->n_pins == 0 &&
                   r->live_bytes <= TERN__REGION_BYTES - TERN__REGION_BYTES / HOLES_SHARE;
}

static void sweep(tern_heap *heap) {
    kept_objects kept = {0};
    tern__room_forget(heap);
    for (size_t i = 0; i < heap->room.end; i++)
        if (tern__region_is_used(&heap->space.regions[i])) sweep_region(heap, i, &kept);
    tern__room_use_holes(heap);
    heap->stats.collections++;
    heap->stats.freed_objects += heap->stats.objects - kept.objects;
    heap->stats.objects = kept.objects;
    heap->stats.object_bytes = kept.bytes;
    uint64_t warm_bytes = kept.bytes / 4;
    tern__room_trim(heap, warm_bytes > KEPT_LEAST_BYTES ? warm_bytes : KEPT_LEAST_BYTES);
}

int tern__collect(tern_heap *heap) {
    tern__spot bad = {0};
    int err = tern__mark(heap, &bad);
    if (!err)
        sweep(heap);
    else
        tern__path_say(heap, &bad,
                       bad.slot ? "leads into the heap, but to no object that it may point to" : "leads to no object");
    return err;
}
