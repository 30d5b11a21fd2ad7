/* Heaps in files.
 *
 *   | head | types | regions | roots | starts |   | data: the regions from the first on, as they lie in memory |
 *   0                                             a multiple of 4096                                 file_bytes
 *
 * All numbers are little-endian. A type is {u64 hash of its layout, u32 bytes of its name, name without NUL, zeros up
 * to a multiple of 8}, in the order of their numbers. For each region there is a tern__image_region, for each root a
 * tern__image_root, and then for each region the words of its bits that say where objects start. Parts of regions
 * without objects are zero, and holes in the file where the file system has them. */
#ifndef TERN_GRAPH_IMAGE_H
#define TERN_GRAPH_IMAGE_H

#include "graph/heap_record.h"

enum { TERN__IMAGE_VERSION = 1, TERN__IMAGE_PAGE_BYTES = 4096 };
#define TERN__IMAGE_MAGIC 0x706165686e726574u /* "ternheap" */

/* What readers and writers have to agree on beside the types. */
#define TERN__IMAGE_SHAPE (sizeof(void *) | TERN__REGION_SHIFT << 8 | TERN__HEADER_BYTES << 16 | TERN__TYPE_FIRST << 24)

typedef struct tern__image_head {
    uint64_t magic;
    uint32_t version, shape;
    uint64_t base; /* where the data lay in memory */
    uint64_t n_regions;
    uint32_t n_types, n_roots; /* roots: places, also free ones */
    uint64_t types_bytes;
    uint64_t data_at, file_bytes;
    uint64_t objects, object_bytes;
    uint64_t checksum; /* of the head, this being 0, and all up to the end of the starts */
} tern__image_head;

typedef struct tern__image_region {
    uint32_t state; /* a tern__region_state */
    uint32_t n_run;
    uint64_t used_bytes; /* from its start, a multiple of 4096; of a run all of it */
} tern__image_region;

typedef struct tern__image_root {
    uint64_t object; /* distance from the base; 0: a free place */
    uint64_t generation;
} tern__image_root;

/* Where the tables of a head with these numbers begin and end. */
static inline uint64_t tern__image_regions_at(const tern__image_head *head) { return sizeof *head + head->types_bytes; }
static inline uint64_t tern__image_roots_at(const tern__image_head *head) {
    return tern__image_regions_at(head) + head->n_regions * sizeof(tern__image_region);
}
static inline uint64_t tern__image_starts_at(const tern__image_head *head) {
    return tern__image_roots_at(head) + head->n_roots * sizeof(tern__image_root);
}
static inline uint64_t tern__image_tables_end(const tern__image_head *head) {
    return tern__image_starts_at(head) + head->n_regions * TERN__REGION_WORDS * sizeof(uint64_t);
}

/* Of bytes that are a multiple of 8 long. */
uint64_t tern__image_checksum(const void *data, size_t len);

#endif
