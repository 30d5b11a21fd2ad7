/* Object graphs: structs that point to each other, in memory of their own, for as long as something needs them.
 *
 * A heap (tern_heap) holds the structs that protoc-gen-tern emits, and what they point to: strings, bytes, lists and
 * maps. Pointers are plain C pointers; objects may be shared and form cycles. An object is freed when no root leads to
 * it any more, or is moved, at points that the program chooses: tern_heap_collect() and tern_heap_compact(), called
 * safe points here. Between safe points nothing is freed and nothing moves. A program that never has one uses the heap
 * as an arena. docs/graph.md has a picture, and the rules in short.
 *
 * What keeps an object:
 *   a root (tern_root), which is a handle that the program holds;
 *   a member of another object that is kept, if the member is set: a message pointer, the storage of a list or map with
 *     all its elements up to the storage's end, a string or bytes view (which keeps the whole object that it lies in);
 *   a pin (tern_heap_pin).
 * C variables keep nothing. A member without presence (has.x is 0, or another member of the oneof is set) keeps nothing
 * and is not followed. Pointers to what lies outside the heap, as literals and arenas, are legal; they are left alone,
 * and what lies there keeps nothing.
 *
 * Which pointers are legal: a message pointer, list or map points to the start of an object of the type that the field
 * has; a string or bytes view lies anywhere within one object made by tern_heap_bytes() or tern_heap_str(). Safe points
 * and the verifier return TERN_ERR_INVALID for any other pointer into the heap, and tern_heap_problem() says where it
 * is. A pointer to an object that has been freed is one of these, as long as nothing new lies there.
 *
 * Threads: one thread owns a heap and calls its functions; those of roots, pins, safe points, the verifier, pictures
 * and files return TERN_ERR_THREAD to others, in release builds too. tern_heap_adopt() hands a heap over whole.
 *
 * Generated code wraps tern_heap_alloc() and what follows it where a schema has (tern.file).heap_functions.
 *
 * The design follows Naos (USENIX ATC 2021), sections 2 and 3.2, for C: objects have headers, and the heap's regions
 * are not moved while a transfer reads them. */
#ifndef TERN_GRAPH_H
#define TERN_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "tern/err.h"
#include "tern/sized.h"
#include "tern/type.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TERN_HEAP_REGION_BYTES = 1 << 20 };              /* memory is taken, pinned and given back by regions */
#define TERN_HEAP_OBJECT_MAX_BYTES ((size_t)0xffffff00) /* of a list's storage, a string */

typedef struct tern_heap tern_heap;

/* A root: it keeps an object, and finds it after the object was moved. A zeroed one is none. Plain data: copies name
 * the same root. */
typedef struct tern_root {
    uint32_t index, generation;
} tern_root;

typedef struct tern_heap_config {
    size_t size;      /* sizeof(tern_heap_config), set by init */
    bool shared;      /* in memory that same-host peers may be shown; default false */
    bool move_always; /* for tests: each safe point moves all that is not pinned, and the old places fault */
    size_t max_bytes; /* what the heap may hold, and the addresses that it takes; 0, the default: 16 GB of addresses, or
                         the half of what the process may have where RLIMIT_AS says less */
} tern_heap_config;

typedef struct tern_heap_stats {
    uint64_t reserved_bytes;  /* addresses */
    uint64_t committed_bytes; /* memory behind objects, and behind free regions that are kept for reuse */
    uint64_t region_bytes;    /* regions with objects */
    uint64_t objects;         /* those that the last safe point left, and those made since then */
    uint64_t object_bytes;    /* the same, headers included */
    uint64_t roots;
    uint64_t pins;
    uint64_t collections;   /* safe points that freed what nothing needs */
    uint64_t freed_objects; /* by all of them */
    uint64_t moved_objects; /* by all safe points */
    uint64_t rescans; /* times that a region was searched anew because the bounded stack of a collection was full */
    uint64_t types;   /* message types that the heap knows */
} tern_heap_stats;

static inline void tern_heap_config_init(tern_heap_config *config);
TERN_API void tern_heap_config_init_sized(tern_heap_config *config, size_t size);

/* A heap of the calling thread. config may be NULL. Returns 0 and the heap; TERN_ERR_NOMEM when memory or addresses are
 * out (ulimit -v: a smaller max_bytes may help); TERN_ERR_INVALID for a `size` that init has not set or a config of a
 * newer header that asks for what this library cannot do. */
TERN_API int tern_heap_new(const tern_heap_config *config, tern_heap **heap);

/* Gives all memory back; every pointer into the heap is dead. Returns 0, also for NULL; TERN_ERR_AGAIN while something
 * is pinned: unpin, then try again; TERN_ERR_THREAD. */
TERN_API int tern_heap_free(tern_heap *heap);

/* The calling thread owns the heap from now on. The thread that owned it has stopped using it, and the program has made
 * sure that this happened before (a lock, a join, a queue). */
TERN_API void tern_heap_adopt(tern_heap *heap);

static inline void tern_heap_get_stats(const tern_heap *heap, tern_heap_stats *stats);
TERN_API void tern_heap_get_stats_sized(const tern_heap *heap, tern_heap_stats *stats, size_t size);

/* What was wrong, in words, after a function of this heap has returned an error or NULL: "kv.Node 0x7f10c8200048
 * (root 0 .left.kids[3]): .next points into an object". Empty when nothing was. Valid until the next call on the heap.
 * */
TERN_API const char *tern_heap_problem(const tern_heap *heap);

/* ---- Objects ------------------------------------------------------------------------------------
 * For the heap's thread. What these return is zeroed unless they say otherwise, aligned to 8, and good until the first
 * safe point at which nothing keeps it. The heap learns a type, and the types that it refers to, from the first object.
 * When memory or max_bytes is out the functions fail and change nothing; collecting may help. */

/* A message of this type, empty. NULL: tern_heap_problem() says why. Entries of maps are no objects of their own. */
TERN_API void *tern_heap_alloc(tern_heap *heap, const tern_type *type);

/* Bytes or a string, copied into an object of their own. data may be NULL: then the bytes are zero, and the caller
 * fills them through the pointer, whose object is the caller's to write. Of length 0 no object is made and data is
 * NULL. Returns 0; TERN_ERR_NOMEM; TERN_ERR_LIMIT for more than TERN_HEAP_OBJECT_MAX_BYTES. */
TERN_API int tern_heap_bytes(tern_heap *heap, const void *data, size_t len, tern_bytes *bytes);
TERN_API int tern_heap_str(tern_heap *heap, const char *data, size_t len, tern_str *str);

/* Room for at least n elements in the repeated field `number` of *msg, a message of this type: as tern_list_reserve(),
 * with storage in the heap. The message itself may lie anywhere. The old storage stays until nothing keeps it. Returns
 * 0; TERN_ERR_NOMEM; TERN_ERR_LIMIT; TERN_ERR_INVALID when the field is not repeated. */
TERN_API int tern_heap_reserve(tern_heap *heap, const tern_type *type, void *msg, uint32_t number, size_t n);

/* The entry with this key in the map `number` of *msg: as tern_map_insert(), with storage and index in the heap. The
 * key's bytes are borrowed: make them with tern_heap_str() for a map that lives longer than they do. NULL:
 * tern_heap_problem() says why. */
TERN_API void *tern_heap_put(tern_heap *heap, const tern_type *type, void *msg, uint32_t number, const void *key);

/* Gives the map `number` of *msg an index over all its entries, in the heap, unless it is short or has one: for maps
 * that were filled by hand or come from a file. Returns 0; TERN_ERR_NOMEM, with searches as linear as before;
 * TERN_ERR_INVALID when the field is no map. */
TERN_API int tern_heap_index(tern_heap *heap, const tern_type *type, void *msg, uint32_t number);

/* Whether ptr lies in the heap's addresses. Any thread. */
TERN_API bool tern_heap_contains(const tern_heap *heap, const void *ptr);

/* The type of the message that starts at ptr; NULL when none does. For the heap's thread. */
TERN_API const tern_type *tern_heap_type_of(const tern_heap *heap, const void *ptr);

/* The same of whichever heap of the calling thread ptr points into: what a field of type tern.Object leads to. NULL
 * when it points into none; of such a field, that is a tern_Object. */
TERN_API const tern_type *tern_object_type(const void *ptr);

/* ---- Roots -------------------------------------------------------------------------------------- */

/* A root for the object that starts at `object`: a message, or what a string, list or map points to. Returns 0 and the
 * root; TERN_ERR_INVALID when no object of the heap starts there; TERN_ERR_NOMEM; TERN_ERR_THREAD. */
TERN_API int tern_root_new(tern_heap *heap, const void *object, tern_root *root);

/* Where the root's object is now; NULL when the root was dropped. */
TERN_API void *tern_root_get(const tern_heap *heap, tern_root root);

/* Let the root keep another object; as tern_root_new(), and TERN_ERR_STALE when the root was dropped. */
TERN_API int tern_root_set(tern_heap *heap, tern_root root, const void *object);

/* The root keeps nothing any more; its index may be used again, under another generation. Returns 0, TERN_ERR_STALE or
 * TERN_ERR_THREAD. */
TERN_API int tern_root_drop(tern_heap *heap, tern_root root);

/* ---- Safe points --------------------------------------------------------------------------------- */

/* Frees all that nothing keeps; moves nothing (unless move_always). Time is linear in what is kept; no memory is
 * needed. Returns 0; TERN_ERR_INVALID when a pointer is not legal, with nothing freed; TERN_ERR_THREAD. */
TERN_API int tern_heap_collect(tern_heap *heap);

/* Collects, then moves objects out of regions that are less than three quarters full and have no pin, so that these can
 * be given back: pointers in objects and roots follow, C variables do not. Needs free regions for what it moves; where
 * memory is out it moves less, which is no error. Returns as tern_heap_collect(). */
TERN_API int tern_heap_compact(tern_heap *heap);

/* The objects in the regions that [start, start + bytes) touches are kept, and stay where they are, until the same
 * range is unpinned: for what a device or a peer reads. Pins count. Returns 0; TERN_ERR_INVALID when a part of the
 * range is not the heap's, or is not pinned; TERN_ERR_LIMIT beyond 2^32 - 1 pins of a region; TERN_ERR_THREAD. */
TERN_API int tern_heap_pin(tern_heap *heap, const void *start, size_t bytes);
TERN_API int tern_heap_unpin(tern_heap *heap, const void *start, size_t bytes);

/* ---- Looking at it ------------------------------------------------------------------------------- */

/* Whether all is as it must be: each header, each pointer of each object that has not been freed, the bounds of each
 * list and view, roots; and values that C must not see otherwise: bools are 0 or 1, the case of a oneof is one of its
 * members or 0, strings of proto3 are UTF-8. Returns 0; TERN_ERR_INVALID, and tern_heap_problem() names the first thing
 * that is wrong, by the path from a root where there is one; TERN_ERR_UTF8 likewise; TERN_ERR_THREAD. */
TERN_API int tern_heap_check(tern_heap *heap);

/* A picture for Graphviz: `dot -Tsvg`. Objects, with their types and sizes, and arrows named by fields, from the roots
 * on as far as max_objects go. Returns 0; TERN_ERR_IO when the file takes no more; TERN_ERR_THREAD. */
TERN_API int tern_heap_dot(tern_heap *heap, size_t max_objects, FILE *out);

/* ---- In files ------------------------------------------------------------------------------------
 * A file has the objects as they lie in memory, with the addresses that they had, and their types by name and layout.
 * It is good for programs with the same layout of structs: the same schema and a compiler for the same machine. */

/* Collects, then writes all that is kept, and the roots, to a file that appears under this name when it is whole. A
 * map's index is left out: tern_heap_index() makes one. The file can be read by its owner alone, until somebody changes
 * that. Returns 0; TERN_ERR_INVALID when a pointer leads out of the heap or is not legal, or as tern_heap_check(), and
 * TERN_ERR_UTF8 (tern_heap_problem() says where); TERN_ERR_IO; TERN_ERR_NOMEM; TERN_ERR_THREAD; TERN_ERR_AGAIN while a
 * graph is being received into the heap. */
TERN_API int tern_heap_save(tern_heap *heap, const char *path);

typedef struct tern_heap_map_opts {
    size_t size;                  /* sizeof(tern_heap_map_opts) */
    const tern_registry *types;   /* all that the file may have, entries of maps included; looked up by name */
    bool trusted;                 /* the file was written by tern_heap_save() and nobody has changed it, or will */
    const tern_heap_config *heap; /* may be NULL. A mapped heap is never shared */
} tern_heap_map_opts;

/* A heap from a file. Trusted, the file is mapped at the addresses that it was saved with, copy on write, in a time
 * that does not depend on the number of pointers; where the addresses are taken, it is read elsewhere and its pointers
 * are adapted in one pass. Not trusted, it is read and every header, pointer and value is verified as by
 * tern_heap_check() before the function returns. The roots are those that were saved, with the same index and
 * generation, so a program saves those numbers with the file. Who did not write the file looks at
 * tern_heap_type_of() before taking a root for a struct.
 *
 * Returns 0 and the heap, which the calling thread owns. TERN_ERR_IO when the file cannot be read; TERN_ERR_MALFORMED
 * when it is no heap or is damaged; TERN_ERR_VERSION when it was written for another layout of headers, or a type has
 * another layout here; TERN_ERR_NOT_FOUND when a type is not in `types`; TERN_ERR_LIMIT when max_bytes is too small;
 * TERN_ERR_INVALID, TERN_ERR_UTF8 as tern_heap_check(), INVALID also without opts; TERN_ERR_NOMEM. The words for it go
 * to `problem`, which has room for problem_bytes bytes (NULL and 0: nobody wants them). A trusted file that somebody
 * truncates while it is mapped ends the process with SIGBUS. */
TERN_API int tern_heap_map(const char *path, const tern_heap_map_opts *opts, tern_heap **heap, char *problem,
                           size_t problem_bytes);

/* ---- Inline bodies ------------------------------------------------------------------------------ */

static inline void tern_heap_config_init(tern_heap_config *config) {
    tern_heap_config_init_sized(config, sizeof *config);
}

static inline void tern_heap_get_stats(const tern_heap *heap, tern_heap_stats *stats) {
    tern_heap_get_stats_sized(heap, stats, sizeof *stats);
}

#ifdef __cplusplus
}
#endif
#endif
