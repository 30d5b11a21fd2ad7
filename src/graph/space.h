/* The addresses of a heap, and the memory behind them. All system calls of the heap are here, but for files that are
 * written (image.c).
 *
 *   base                                                                        base + bytes
 *   | region | region | region | ...                            nothing so far |
 *
 * A region has 1 MB. Two tables lie elsewhere: a record for each region, and for each unit of 8 bytes two bits, which
 * are side by side in words of 64 bits:
 *
 *   start   an object's header is in this unit
 *   mark    during a collection: the object has been reached
 *
 * Memory comes behind addresses in steps, and is touched only after that has succeeded: a program never faults for lack
 * of pages. The addresses are a segment's (mem/segment.h), which peers can be shown and devices can register, or those
 * that a file's heap was saved with. */
#ifndef TERN_GRAPH_SPACE_H
#define TERN_GRAPH_SPACE_H

#include "base/base.h"
#include "graph/object.h"
#include "mem/segment.h"
#include "tern/graph.h"

enum {
    TERN__REGION_BYTES = TERN_HEAP_REGION_BYTES,
    TERN__REGION_SHIFT = 20,
    TERN__REGION_WORDS = TERN__REGION_BYTES / TERN__UNIT_BYTES / 64, /* of bits */
    TERN__COMMIT_BYTES = 64 << 10                                    /* the least that a region gets at once */
};
_Static_assert(TERN__REGION_BYTES == 1 << TERN__REGION_SHIFT, "one size of regions");

/* What a region is for. A large object has a run of regions to itself. */
typedef enum tern__region_state {
    TERN__REGION_FREE,    /* it may have memory all the same: see committed_bytes */
    TERN__REGION_OBJECTS, /* objects of at most half a region */
    TERN__REGION_RUN,     /* the first of a run of n_run */
    TERN__REGION_REST,    /* the others */
} tern__region_state;

typedef struct tern__region {
    uint64_t committed_bytes; /* at its start, with memory; of a run all that belongs to it */
    uint64_t live_bytes;      /* what a collection has found so far */
    uint32_t n_run;
    uint32_t n_pins;
    uint8_t state;
    bool has_holes; /* new objects may go between those that are there */
    bool is_short;  /* a collection had no room on its stack for some objects here */
    bool is_new;    /* it became used after the last collection */
    bool is_left;   /* objects are being moved out of it */
} tern__region;

typedef struct tern__bits {
    uint64_t start, mark;
} tern__bits;

typedef struct tern__space {
    uint8_t *base;
    size_t bytes; /* a multiple of a region's */
    tern__region *regions;
    tern__bits *bits;
    tern__segment *segment; /* NULL: the addresses are those of a file, which has so many bytes at the beginning */
    size_t file_bytes;
    size_t n_ready; /* regions, from the first, whose places in the tables have memory */
    uint64_t committed_bytes;
} tern__space;

/* Addresses for so many bytes. TERN_ERR_NOMEM. */
int tern__space_open(tern__space *space, size_t bytes, bool shared);

/* The same at `base`, where the first bytes are those of the file from `offset` on, copy on write. TERN_ERR_EXISTS when
 * something else lies there, TERN_ERR_NOMEM. */
int tern__space_open_at(tern__space *space, uintptr_t base, size_t bytes, int fd, uint64_t offset, size_t file_bytes);

void tern__space_close(tern__space *space);

/* The tables have memory for the regions before `end`. False when there is none. */
bool tern__space_prepare(tern__space *space, size_t end);

/* Memory behind [at, at + len), multiples of a page's bytes, which had none. False when there is none. */
bool tern__space_commit(tern__space *space, size_t at, size_t len);

/* The same for 2 MB at a multiple of that, as one huge page if the machine has any (transparent huge pages): a
 * collection of a large heap spends much of its time on the translation of addresses. */
bool tern__space_commit_huge(tern__space *space, size_t at);

/* Give that back to the system, if it can be; with `faults`, what reads or writes there faults until it has memory
 * again. */
bool tern__space_decommit(tern__space *space, size_t at, size_t len, bool faults);

/* ---- Bits ---------------------------------------------------------------------------------------- */

static inline size_t tern__space_unit(const tern__space *space, const void *at) {
    return (size_t)((const uint8_t *)at - space->base) / TERN__UNIT_BYTES;
}

static inline uint8_t *tern__space_at(const tern__space *space, size_t unit) {
    return space->base + unit * TERN__UNIT_BYTES;
}

static inline bool tern__space_has(const tern__space *space, const void *at) {
    return (size_t)((uintptr_t)at - (uintptr_t)space->base) < space->n_ready << TERN__REGION_SHIFT;
}

/* Whether an address is one of those that the heap's regions may ever have. */
static inline bool tern__space_spans(const tern__space *space, const void *at) {
    return (size_t)((uintptr_t)at - (uintptr_t)space->base) < space->bytes;
}

static inline bool tern__space_is_start(const tern__space *space, size_t unit) {
    return space->bits[unit / 64].start >> unit % 64 & 1;
}

static inline void tern__space_set_start(tern__space *space, size_t unit) {
    space->bits[unit / 64].start |= (uint64_t)1 << unit % 64;
}

/* The first start from `unit` on and before `end`; end when there is none. */
static inline size_t tern__space_next_start(const tern__space *space, size_t unit, size_t end) {
    if (unit >= end) return end;
    size_t i = unit / 64, last = (end - 1) / 64;
    uint64_t word = space->bits[i].start & ~(uint64_t)0 << unit % 64;
    while (word == 0) {
        if (i == last) return end;
        word = space->bits[++i].start;
    }
    size_t found = i * 64 + (size_t)__builtin_ctzll(word);
    return found < end ? found : end;
}

/* The last start at `unit` or before it, in units from `first` on; SIZE_MAX when there is none. */
static inline size_t tern__space_last_start(const tern__space *space, size_t unit, size_t first) {
    size_t i = unit / 64;
    uint64_t word = space->bits[i].start & ~(uint64_t)0 >> (63 - unit % 64);
    while (word == 0) {
        if (i == first / 64) return SIZE_MAX;
        word = space->bits[--i].start;
    }
    size_t found = i * 64 + 63 - (size_t)__builtin_clzll(word);
    return found >= first ? found : SIZE_MAX;
}

#define TERN__REGION_UNITS ((size_t)TERN__REGION_BYTES / TERN__UNIT_BYTES)

#endif
