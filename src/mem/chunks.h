/* The map of memory: from an address to whose it is, in constant time.
 *
 * Addresses are divided into chunks of 4 MB, and a table has a byte for each chunk that there can be; only the parts of
 * the table that are used take memory. The byte says what lies in the chunk:
 *
 *     0          nothing of ours
 *     6..25      buffers of 1 << code bytes, which is less than 64 MB
 *     70..89     the same, private
 *     128..254   a part of the extent with this number: one large buffer, or memory that was registered
 *     255        several extents, or the edge of one, or extents beyond those with numbers: to be looked up in a list
 *
 * For buffers of less than 64 MB, which lie at multiples of their size, the byte leads to the reference count with one
 * more load: segments begin at multiples of 64 MB (segment.h), with the place of the counts for each of their chunks.
 *
 * The layout is internal: programs ask by functions (tern_in_pool). Reading the map takes no lock: a byte is written
 * before the first pointer into the chunk is handed out, and cleared when nobody has one any more. */
#ifndef TERN_MEM_CHUNKS_H
#define TERN_MEM_CHUNKS_H

#include "base/base.h"

enum {
    TERN__CHUNK_SHIFT = 22,
    TERN__SEGMENT_SHIFT = 26,
    TERN__SEGMENT_CHUNKS = 1 << (TERN__SEGMENT_SHIFT - TERN__CHUNK_SHIFT),
    TERN__ADDRESS_BITS = sizeof(void *) < 8 ? 32 : 48, /* more would have to be asked for in mmap() */

    TERN__CODE_SHIFTS = 63, /* the bits of the size */
    TERN__CODE_PRIVATE = 64,
    TERN__CODE_EXTENTS = 128,
    TERN__CODE_LISTED = 255,
    TERN__N_EXTENTS = TERN__CODE_LISTED - TERN__CODE_EXTENTS
};

typedef struct tern__map {
    uint8_t *codes;
    size_t n_codes; /* 0: the pool is not set up */
    /* Requests up to here may be served from magazines; 0: every one takes the slow path, because the pool is not up,
     * or a failure is to be injected, or we are a forked child. */
    uint32_t cached_bytes;
} tern__map;

extern tern__map tern__pool __attribute__((visibility("hidden")));

/* The code of the chunk that this address lies in. */
static inline unsigned tern__code_of(const void *ptr) {
    size_t n = __atomic_load_n(&tern__pool.n_codes, __ATOMIC_ACQUIRE), chunk = (uintptr_t)ptr >> TERN__CHUNK_SHIFT;
    return chunk < n ? __atomic_load_n(&tern__pool.codes[chunk], __ATOMIC_RELAXED) : 0;
}

/* Whether the code is one of buffers of less than 64 MB: as a signed byte above 0, which is one test. */
static inline bool tern__code_is_buffers(unsigned code) { return (int8_t)code > 0; }
_Static_assert(TERN__CODE_EXTENTS == INT8_MAX + 1, "codes of extents are negative as signed bytes");

/* Whether there is an extent at this address, whose chunk has TERN__CODE_LISTED. */
bool tern__extent_is_at(uintptr_t at);

/* Whether the code, as read for this address, says that what lies there is known. A chunk at the edge of registered
 * memory has bytes that are foreign. */
static inline bool tern__code_is_known(unsigned code, const void *ptr) {
    if (tern__code_is_buffers(code)) return true;
    return code && (code != TERN__CODE_LISTED || tern__extent_is_at((uintptr_t)ptr));
}

/* Whether a value there can be sent in place, as far as that is a matter of whose memory it is. */
static inline bool tern__is_known(const void *ptr) { return tern__code_is_known(tern__code_of(ptr), ptr); }

/* Of buffers of less than 64 MB, log2 of their bytes. */
static inline unsigned tern__code_shift(unsigned code) { return code & TERN__CODE_SHIFTS; }

/* The count of the buffer of 1 << shift bytes that this address lies in. A segment begins with the place, for each of
 * its chunks, where the count of the segment's first byte would be if all of it were buffers of the chunk's size. */
static inline uint32_t *tern__count_at(uintptr_t at, unsigned shift) {
    const uintptr_t *origins = (const uintptr_t *)(at >> TERN__SEGMENT_SHIFT << TERN__SEGMENT_SHIFT);
    uintptr_t origin = origins[at >> TERN__CHUNK_SHIFT & (TERN__SEGMENT_CHUNKS - 1)];
    return (uint32_t *)origin + ((at - (uintptr_t)origins) >> shift);
}

/* ---- Writing it ---------------------------------------------------------------------------------
 * Any thread. */

/* Set the table up; twice is harmless. False when there are no addresses for it. */
bool tern__map_init(void);

/* The chunks that [start, start + bytes) touches have this code from now on, which is below TERN__CODE_EXTENTS. False
 * when memory is out. To clear (0) always succeeds. */
bool tern__map_set(uintptr_t start, size_t bytes, unsigned code);

struct tern__segment;
struct tern_region;

/* Memory that is found by its number or in the list. */
typedef struct tern__extent {
    uintptr_t start;
    size_t bytes;                  /* 0: no extent */
    struct tern__segment *segment; /* of one large buffer; else NULL, and */
    struct tern_region *region;    /* registered memory */
    uint32_t *count;               /* of the buffer; set by tern__extent_add() */
} tern__extent;

/* The extents by number. An entry is written before its code, and read behind it. */
extern tern__extent tern__numbered[TERN__N_EXTENTS] __attribute__((visibility("hidden")));

/* Whether the code is the number of an extent. */
static inline bool tern__code_is_number(unsigned code) { return code - TERN__CODE_EXTENTS < TERN__N_EXTENTS; }

/* Let an extent be found. TERN_ERR_EXISTS when a part of it is ours already, TERN_ERR_NOMEM. */
int tern__extent_add(const tern__extent *extent);
void tern__extent_remove(uintptr_t start);

/* The extent around an address whose chunk has this code, from TERN__CODE_EXTENTS on; bytes 0: none. */
tern__extent tern__extent_find(uintptr_t at, unsigned code);

#endif
