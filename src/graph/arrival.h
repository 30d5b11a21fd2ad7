/* Where the objects of a graph are put while they arrive.
 *
 *   the stream of objects:   | 0 ............ | ............ | .................... |    in units of 8 bytes
 *                              stretch 0         stretch 1       stretch 2
 *   the heap:            ... | stretch 1 | ...      | stretch 0 | ...     | stretch 2 | ...
 *
 * Each object gets its room in the heap when its header has come, behind the one before it wherever the heap has room
 * there; a stretch is what came side by side. Nothing says that objects start there, so safe points and the program see
 * holes; a pin of each stretch keeps the room. When the graph is whole, the starts are published all at once.
 *
 * Beside each unit of the stream lie three bits: an object's header is here; all of its content has passed its check
 * (text, texts, pointers); likewise for bools. */
#ifndef TERN_GRAPH_ARRIVAL_H
#define TERN_GRAPH_ARRIVAL_H

#include "graph/heap_record.h"
#include "mem/poison.h"

typedef struct tern__stretch {
    uint64_t unit;  /* of the stream, where it begins */
    uint64_t units; /* so far */
    uint8_t *at;
} tern__stretch;

typedef struct tern__arrival_bits {
    uint64_t start, good, bools;
} tern__arrival_bits;

typedef struct tern__arrival {
    tern_heap *heap;
    tern__stretch *stretches;
    size_t n, cap;
    tern__arrival_bits *bits;
    size_t bits_cap; /* words, all of them zero where nothing has come */
    uint64_t units;  /* of the stream, so far */
    uint8_t *end;    /* of the last stretch, if it may go on there; NULL: it may not */
    uint64_t objects;
    uint64_t room_bytes; /* of the last object, which is long: what has memory */
} tern__arrival;

/* Room for the next object of so many bytes, header included, which is not all there yet: a long one has memory for
 * room_bytes. TERN_ERR_NOMEM, with nothing changed but a hole in the heap. */
int tern__arrival_take_slowly(tern__arrival *arrival, uint64_t bytes, uint8_t **at);
static inline int tern__arrival_take(tern__arrival *arrival, uint64_t bytes, uint8_t **at);

/* The last object, of which the first `used` bytes have come, gets more memory; it may be elsewhere then. */
int tern__arrival_extend(tern__arrival *arrival, uint64_t used, uint8_t **at);

/* The header of the object that starts at this unit of the stream; NULL: none does. */
uint8_t *tern__arrival_find(const tern__arrival *arrival, uint64_t unit);

/* All objects are the heap's now, and still pinned. */
void tern__arrival_publish(tern__arrival *arrival);

/* Takes the pins back and forgets all. What was not published is free after the next safe point. */
void tern__arrival_clear(tern__arrival *arrival);
void tern__arrival_fini(tern__arrival *arrival);

/* Most objects go behind the one before, where there is memory. */
static inline int tern__arrival_take(tern__arrival *a, uint64_t bytes, uint8_t **at) {
    tern__bump *bump = &a->heap->room.bump;
    if (bump->next != a->end || bytes > (size_t)(bump->end - bump->next) || a->units / 64 >= a->bits_cap)
        return tern__arrival_take_slowly(a, bytes, at);
    const uint64_t units = bytes / TERN__UNIT_BYTES;
    *at = bump->next;
    tern__unpoison(*at, bytes);
    a->end = bump->next += bytes;
    a->stretches[a->n - 1].units += units;
    a->bits[a->units / 64].start |= (uint64_t)1 << a->units % 64;
    a->units += units;
    a->objects++;
    a->room_bytes = bytes;
    return 0;
}

#endif
