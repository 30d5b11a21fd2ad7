/* Segments: where the pool's memory comes from. All system calls of the layer are here.
 *
 *   base, a multiple of 64 MB
 *   | head, 4 MB: this record, a count per buffer | buffers: 15 chunks of 4 MB, or one buffer of 64 MB and up |
 *
 * Buffers of 8 to 32 MB begin at the first multiple of their size behind the head.
 *
 * A segment comes when there is no room left in the others and goes when nothing in it is in use. Its buffers lie in a
 * memfd of their own, which can be shown to another process, or in memory without a file, which cannot: private memory,
 * and shared memory where there can be no file. The head is private at any rate. Whose a byte is stands in the map of
 * chunks (chunks.h).
 *
 * The counts are read-only until buffers need them, and buffers without a file have no access rights until then, so
 * that the kernel never counts more of either than is used, also where it grants no more memory than there is
 * (vm.overcommit_memory=2).
 *
 * Invariant: memory of buffers is touched only after tern__segment_populate() has succeeded on it: the program never
 * faults for lack of pages. Not thread-safe: callers hold the lock of the class that the memory belongs to. */
#ifndef TERN_MEM_SEGMENT_H
#define TERN_MEM_SEGMENT_H

#include "mem/chunks.h"

enum {
    TERN__MEM_MIN_SHIFT = 6,  /* the smallest buffer is 64 B */
    TERN__MEM_N_CLASSES = 25, /* 64 B << 24 is 1 GB */
    TERN__MEM_HUGE_SHIFT = 21,
    TERN__MEM_MAX_SEGMENTS = 4096,
    TERN__SEGMENT_HEAD_BYTES = 1 << TERN__CHUNK_SHIFT,
    TERN__SEGMENT_BODY_BYTES = (1 << TERN__SEGMENT_SHIFT) - TERN__SEGMENT_HEAD_BYTES,

    /* Counts for the 65536 buffers of 64 B that a chunk may have, and a line, so that the first counts of chunks do not
     * compete for the same lines of a cache. They begin here in the segment. */
    TERN__COUNTS_BYTES = (256 << 10) + 64,
    TERN__COUNTS_AT = 64 << 10,
    TERN__SEGMENT_MAX_GIANTS = 1 << (TERN__SEGMENT_SHIFT - TERN__MEM_HUGE_SHIFT)
};

/* What a segment's memory is like; or-ed. */
enum { TERN__SEGMENT_PRIVATE = 1, TERN__SEGMENT_HUGE = 2 };

/* A piece of a segment for buffers of up to 1 MB. Guarded by the lock of the class that has it, else by that of the
 * spare chunks (spare.h). */
typedef struct tern__chunk {
    tern__node node;       /* in the class's list of chunks that nothing is used of, or in one of spare chunks */
    uint32_t n_out;        /* buffers that were handed out and have not come back to the class */
    uint32_t filled_bytes; /* at its start, with memory */
    bool is_idle;          /* nothing of it has been used since the last look */
    bool is_counted;       /* the list's count of chunks that have something to give back includes it */
    bool is_leaving;       /* its class */
} tern__chunk;

typedef struct tern__segment {
    uintptr_t origins[TERN__SEGMENT_CHUNKS]; /* per chunk: see tern__count_at() */
    uintptr_t start;                         /* of the buffers */
    size_t bytes;                            /* of the buffers */
    uint32_t index;                          /* in the table of segments, from 0 */
    uint32_t generation;                     /* no other segment ever had this one */
    uint8_t kind;                            /* TERN__SEGMENT_* */
    bool is_sealed;                          /* no writable mapping can be added, and no memory given back; atomic */
    int fd;                                  /* the memfd; -1: none, and nobody can be shown it */
    int shared_fd;                           /* the same read-only, for peers; -1 until shared */

    /* The depot's. */
    struct tern__segment *next;                /* of those with free chunks */
    uint16_t free_chunks;                      /* of ordinary classes: bit j is set while chunk j has no class */
    tern__chunk chunks[TERN__SEGMENT_CHUNKS];  /* likewise; the first is the head's and not used */
    bool is_leaving;                           /* of a giant class: all of it goes back to the system */
    uint32_t n_made, n_free;                   /* of a giant class: buffers handed out so far; those that are free */
    uint32_t filled[TERN__SEGMENT_MAX_GIANTS]; /* of a giant class: pages of 4 KB at each buffer's start with memory, by
                                                  the buffer's distance from the segment in buffers */
    uint32_t asked[TERN__SEGMENT_MAX_GIANTS];  /* likewise: pages of those that the buffer's user has asked for */
} tern__segment;

/* A segment with room for `bytes` bytes of buffers, a multiple of 4 MB, none of which has memory. NULL when addresses
 * or places in the table are out, or huge pages are not supported; with needs_file also when a shared segment finds no
 * descriptor. Without needs_file a shared segment of normal pages that finds none has no file. Any thread. */
tern__segment *tern__segment_new(unsigned kind, size_t bytes, bool needs_file);

/* Nothing in it is in use, or ever will be. Any thread. */
void tern__segment_free(tern__segment *segment);

/* The segment with this index, or NULL; and how many indices there are at most so far. Any thread. */
tern__segment *tern__segment_at(uint32_t index);
uint32_t tern__segment_count(void);

/* The generation of the segment with this index; 0: there is none. Any thread, also while segments come and go. */
uint32_t tern__segment_generation(uint32_t index);

/* Address space of all segments, heads included. */
uint64_t tern__segment_reserved_bytes(void);

/* The chunks of the segment have buffers of 1 << shift bytes: one of them, or all (0). */
void tern__segment_divide(tern__segment *segment, unsigned chunk, unsigned shift);

/* Make the counts of the buffers of 1 << shift bytes in [at, at + len), of one chunk or one buffer, writable, and let
 * core dumps include the buffers. False when memory is out. */
bool tern__segment_admit(const tern__segment *segment, uintptr_t at, size_t len, unsigned shift);

/* The same for memory whose owner keeps no counts: [at, at + len) may be read and written, once it is populated, and is
 * in core dumps; or every access to it faults from now on. False when memory is out. */
bool tern__segment_open(const tern__segment *segment, uintptr_t at, size_t len);
bool tern__segment_shut(const tern__segment *segment, uintptr_t at, size_t len);

/* Whether the kernel says so where there is no memory to populate with. Before Linux 5.14 it does not, nor does qemu's
 * emulation: then a huge page that is missing would be noticed by the first touch, which ends the process. */
bool tern__segment_can_populate(void);

/* Put memory behind [at, at + len), multiples of 4 KB (2 MB of huge pages), of buffers that were admitted. Returns
 * false when there is none. Twice is harmless. */
bool tern__segment_populate(const tern__segment *segment, uintptr_t at, size_t len);

/* For tests: the nth tern__segment_populate() of the process from now fails, once; 0 disarms. Returns the count that
 * was left. */
uint64_t tern__segment_fail_after(uint64_t n);

/* Give memory back to the system; its contents are lost. False if it cannot be: it was shared. */
bool tern__segment_decommit(const tern__segment *segment, uintptr_t at, size_t len);

/* The counts of the chunk, which are all 0, take no more memory than they need for that. */
void tern__segment_forget_counts(const tern__segment *segment, unsigned chunk);

/* Seal the memfd against new writers and return it opened read-only: the segment's, never to be closed. TERN_ERR_ACCESS
 * for memory without a file, TERN_ERR_IO when it cannot be sealed or /proc is not mounted. Any thread. */
int tern__segment_share(tern__segment *segment);

/* The segment whose head lies in front of this address: of all buffers of less than 64 MB. */
static inline tern__segment *tern__segment_around(uintptr_t at) {
    return (tern__segment *)(at >> TERN__SEGMENT_SHIFT << TERN__SEGMENT_SHIFT);
}

/* The chunk that an address lies in, and where a chunk begins. */
static inline tern__chunk *tern__chunk_around(uintptr_t at) {
    return &tern__segment_around(at)->chunks[at >> TERN__CHUNK_SHIFT & (TERN__SEGMENT_CHUNKS - 1)];
}
static inline uintptr_t tern__chunk_start(const tern__chunk *chunk) {
    tern__segment *segment = tern__segment_around((uintptr_t)chunk);
    return (uintptr_t)segment + ((uintptr_t)(chunk - segment->chunks) << TERN__CHUNK_SHIFT);
}

#endif
