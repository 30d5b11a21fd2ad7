/* Handles: how a program names the calls and streams of an endpoint.
 *
 * A handle is the endpoint and an id, which is the index of a record and the generation of its use. The record has the
 * id of its present use; when that ends, the record moves on to the next generation, and no handle of before fits it
 * any more. A table leads from the index to the record: nothing that a program holds is ever followed. Records are used
 * again, and kept until the endpoint goes.
 *
 *     id, 64 bits:  [generation, 44, from 1][index, 20]
 *
 * A record that has had its last generation is not used again. So an id is given out once in an endpoint's life.
 *
 * The endpoint's thread adds and advances; any thread may find. */
#ifndef TERN_RPC_HANDLE_H
#define TERN_RPC_HANDLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TERN__HANDLE_INDEX_BITS = 20, TERN__HANDLE_MAX_RECORDS = 1 << TERN__HANDLE_INDEX_BITS };

#define TERN__HANDLE_GENERATION ((uint64_t)1 << TERN__HANDLE_INDEX_BITS) /* what an id grows by */

/* What a record begins with. */
typedef struct tern__named {
    _Atomic uint64_t id;
} tern__named;

typedef tern__named *_Atomic tern__place;

/* Where the records are. A larger table replaces one that is full, which stays for threads that look into it. */
typedef struct tern__handle_table {
    tern__place *before; /* places of a smaller table, or NULL */
    uint32_t mask;       /* of an id: its place, of which there is a power of two */
    tern__place at[];    /* never NULL */
} tern__handle_table;

typedef struct tern__handles {
    tern__place *_Atomic places; /* of the table */
    uint32_t n;                  /* records */
} tern__handles;

/* Returns 0 or TERN_ERR_NOMEM. */
int tern__handles_init(tern__handles *handles);
void tern__handles_fini(tern__handles *handles);

/* Take in a record, which gets an index and its first generation. Returns 0, TERN_ERR_LIMIT or TERN_ERR_NOMEM. */
int tern__handles_add(tern__handles *handles, tern__named *named);

static inline tern__handle_table *tern__handle_table_of(tern__place *places) {
    return (tern__handle_table *)((uintptr_t)places - offsetof(tern__handle_table, at));
}

static inline uint64_t tern__named_id(const tern__named *named) {
    return atomic_load_explicit(&named->id, memory_order_relaxed);
}

/* The record at the place of this id. Its present use has perhaps another id: then nothing but that id may be read. */
static inline tern__named *tern__handles_at(const tern__handles *handles, uint64_t id) {
    tern__place *places = atomic_load_explicit(&handles->places, memory_order_acquire);
    return atomic_load_explicit(&places[(uint32_t)id & tern__handle_table_of(places)->mask], memory_order_acquire);
}

/* The record whose present use has this id; NULL: that use has ended, or there never was one. */
static inline tern__named *tern__handles_find(const tern__handles *handles, uint64_t id) {
    tern__named *named = tern__handles_at(handles, id);
    return tern__named_id(named) == id ? named : NULL;
}

/* The present use ends. False: it was the record's last. */
static inline bool tern__named_advance(tern__named *named) {
    uint64_t next;
    bool is_last = __builtin_add_overflow(tern__named_id(named), TERN__HANDLE_GENERATION, &next);
    atomic_store_explicit(&named->id, next, memory_order_relaxed);
    return !is_last;
}

#endif
