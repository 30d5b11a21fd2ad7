/* The output of the protobuf encoder, written from the last byte to the first.
 *
 * A sub-message's length stands before it and is known after it: writing backwards makes one pass over the message
 * enough, with no sizes to compute and remember. What is written lies in chunks of memory; a value that is too long to
 * be copied twice, or that is to be sent from where it is, is not written at all: a segment names it and the chunk
 * behind it, so that the encoding is
 *
 *   [p, chunk_end)   first->value, first->chunk   first->next->value, first->next->chunk   ...
 *
 * Segments lie in the room itself, where their value would have been, or at the end of a new block. Where the room is
 * exactly as large as what is copied, values get no segments but places in a table (`gathered`).
 *
 * Invariant: `end - p` bytes of the encoding are behind p, wherever they lie. While p >= small, WRITE_SLOP bytes may
 * be written below p: the tag of a field and its number or length need no other check. Values whose length is known may
 * go down to `exact`. */
#ifndef TERN_CODEC_PROTOBUF_WRITER_H
#define TERN_CODEC_PROTOBUF_WRITER_H

#include "codec/wire.h"
#include "tern/codec.h"
#include "type/bound.h"

#include "codec/format.h"

typedef struct segment {
    struct segment *next;
    tern_bytes value, chunk;
} segment;

enum {
    WRITE_SLOP = 24, /* a number and the eight bytes that a long tag's store covers, with some room */
    SPARE_BYTES = 2 * WRITE_SLOP + (int)sizeof(segment) + 8,
    /* A value that gets a segment is longer than it, so that segments never need more room than there is. */
    SEGMENT_MIN_BYTES = sizeof(segment) + 8
};

/* A message that is being written. */
typedef struct frame {
    const tern_field *first; /* of its type */
    const tern_type *type;
    /* The field that holds it, and the message around it, which is gone on with; NULL when that is the caller's
     * matter. */
    const tern_field *field;
    const uint8_t *msg;
    uint64_t has;  /* the message's first presence bits */
    size_t before; /* position where the message within ends */
} frame;

#ifndef TERN__TAIL_CALLS
/* Where to go on, without jumps between functions. */
typedef struct next_field {
    uint8_t *p;
    const tern_field *field;
    const uint8_t *msg;
    uint64_t has;
    frame *f;
} next_field;
#endif

/* A table of values that are left where they are, instead of segments: filled from its end to its begin. */
typedef struct gathered {
    tern__format_value *first, *next; /* next: one past the place that is filled next */
    size_t bytes;                     /* of the values so far */
} gathered;

typedef struct writer {
    uint8_t *exact, *small;
    uintptr_t end;
    size_t large; /* values of at least so many bytes may become segments */
    frame *frame; /* of the innermost message, when another function is called for one within */
    walk_budget budget;
    int err;
    bool any_memory; /* segments for values that are not in the pool, too */
    uint8_t *chunk_end;
    segment *first;
    gathered *gathered; /* set where `gathers` is */
    size_t cap;         /* bytes that the encoding may have */
    tern_arena *arena;  /* where new blocks come from; NULL: the one block `spare` only */
    size_t block_bytes; /* of the next one */
    bool in_spare;
    bool gathers; /* values in the pool get places in `gathered` instead of segments */
    uint64_t spare[SPARE_BYTES / 8];
#ifndef TERN__TAIL_CALLS
    next_field next;
#endif
    frame frames[ENCODE_MAX_DEPTH + 1]; /* the first one is not used */
} writer;

static inline size_t writer_position(const writer *w, const uint8_t *p) { return w->end - (uintptr_t)p; }

static inline uint8_t *writer_fail(writer *w, int err) {
    w->err = err;
    return NULL;
}

static inline void writer_init(writer *w, tern_arena *arena, size_t cap, size_t large, bool any_memory) {
    w->large = large > SEGMENT_MIN_BYTES ? large : SEGMENT_MIN_BYTES;
    w->frame = w->frames;
    w->err = 0;
    w->any_memory = any_memory;
    w->first = NULL;
    w->cap = cap;
    w->arena = arena;
    w->block_bytes = 512;
    w->in_spare = w->gathers = false;
}

/* Starts at the end of a room; returns the first p. */
static inline uint8_t *writer_enter(writer *w, uint8_t *room, size_t bytes) {
    w->chunk_end = room + bytes;
    w->end = (uintptr_t)w->chunk_end;
    w->exact = room;
    w->small = (uint8_t *)((uintptr_t)room + WRITE_SLOP);
    return w->chunk_end;
}

#endif
