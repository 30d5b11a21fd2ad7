/* The receiver's half of a transfer: fragments become objects of a heap.
 *
 *   begin ──> { meta, data } ──> { meta, data } ──> ... done ──> finish: a root
 *
 * Metadata and data come in pieces of any length; data of a fragment after its metadata. The walk is the sender's
 * (walk.h), over what has arrived: the next reference leads to what a back pointer says, or to the next object of the
 * data (Naos 3.3, Algorithm 2). That object is copied into the heap, once, and everything in it is checked or made as
 * it must be before the walk goes on: types, counts, pointers, presence, cases, bools, text, room, padding.
 * tern_heap_check() finds nothing to say about a graph that was accepted.
 *
 * Until finish the objects are nobody's: safe points may come at any time, and neither they nor the program see
 * anything (arrival.h). After an error, or when somebody has lost interest, cancel gives the room back to the next
 * collection. What is allocated is bounded by a multiple of what has arrived, and a constant of two megabytes.
 *
 * A recovery belongs to a connection and a heap: it knows the types that the peer has announced. One thread at a time,
 * the heap's. */
#ifndef TERN_GRAPH_RECOVER_H
#define TERN_GRAPH_RECOVER_H

#include "tern/graph.h"

typedef struct tern__recovery tern__recovery;

typedef enum tern__recovery_wants {
    TERN__WANTS_NOTHING, /* no graph was begun, or it has ended in an error */
    TERN__WANTS_META,    /* of the next fragment */
    TERN__WANTS_DATA,    /* of this fragment */
    TERN__WANTS_FINISH   /* it is whole */
} tern__recovery_wants;

typedef struct tern__recovery_config {
    uint64_t max_bytes;     /* of objects; 0: 32 GB. The heap's limit holds as well */
    uint64_t max_objects;   /* 0: any */
    size_t max_meta_bytes;  /* of a fragment; 0: 1 GB */
    size_t max_stack_bytes; /* 0: 64 MB, as of walks */
} tern__recovery_config;

/* Into this heap. Types that the heap does not know yet are looked for in the registry, which may be NULL and else
 * stays as long as the recovery. TERN_ERR_NOMEM. */
int tern__recovery_new(tern_heap *heap, const tern_registry *types, tern__recovery **recovery);

/* Cancels. NULL is ignored. Before the heap goes. */
void tern__recovery_free(tern__recovery *recovery);

/* Expects a graph whose root has this type. config may be NULL. TERN_ERR_NOMEM, TERN_ERR_VERSION, TERN_ERR_LIMIT for
 * the type, TERN_ERR_INVALID for an entry of a map; TERN_ERR_THREAD; TERN_ERR_AGAIN while another graph is on its way.
 * */
int tern__recovery_begin(tern__recovery *recovery, const tern_type *root, const tern__recovery_config *config);

tern__recovery_wants tern__recovery_wanted(const tern__recovery *recovery);

/* How many bytes of what it wants are still to come; of metadata, before its head is there: of the head. */
uint64_t tern__recovery_left(const tern__recovery *recovery);

/* A piece of what is wanted. Takes *used bytes of it, at most the rest of the fragment's part. Returns 0;
 * TERN_ERR_MALFORMED when it makes no sense; TERN_ERR_INVALID, TERN_ERR_UTF8 for pointers and values that must not be;
 * TERN_ERR_VERSION for a type that has another layout here; TERN_ERR_NOT_FOUND for one that is not known;
 * TERN_ERR_LIMIT; TERN_ERR_NOMEM; TERN_ERR_THREAD. After an error only cancel is left to do. */
int tern__recovery_meta(tern__recovery *recovery, const void *piece, size_t bytes, size_t *used);
int tern__recovery_data(tern__recovery *recovery, const void *piece, size_t bytes, size_t *used);

/* Makes the objects visible, and a root for the first. TERN_ERR_NOMEM: try again; TERN_ERR_AGAIN while something is
 * missing. */
int tern__recovery_finish(tern__recovery *recovery, tern_root *root);

/* Forgets the graph. Types that were announced stay. */
void tern__recovery_cancel(tern__recovery *recovery);

/* The words for what was wrong last: where in the data and in which field. */
const char *tern__recovery_problem(const tern__recovery *recovery);

typedef struct tern__recovery_stats {
    uint64_t objects, bytes, backs;
    uint64_t copied_bytes; /* by the processor, from pieces and when a long object had to move */
    size_t most_stack;
} tern__recovery_stats;

void tern__recovery_get_stats(const tern__recovery *recovery, tern__recovery_stats *stats);

#endif
