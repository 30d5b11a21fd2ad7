/* The numbers that a peer has for types, and what they are here. */
#ifndef TERN_GRAPH_PEER_TYPES_H
#define TERN_GRAPH_PEER_TYPES_H

#include "graph/types.h"

enum { TERN__PEER_PAGE = 512, TERN__PEER_PAGES = TERN__TYPES_MAX / TERN__PEER_PAGE };

typedef struct tern__peer_types {
    tern__types *types; /* the heap's */
    const tern_registry *registry;
    tern_arena memory;
    uint32_t *pages[TERN__PEER_PAGES]; /* by the peer's number: ours; 0: not announced */
    uint8_t *taken;                    /* by half of our number: it has a number of the peer's */
    size_t taken_cap;
} tern__peer_types;

void tern__peer_types_init(tern__peer_types *peer, tern__types *types, const tern_registry *registry);
void tern__peer_types_fini(tern__peer_types *peer);

/* The peer announces types, as in a fragment's metadata. Returns 0; TERN_ERR_MALFORMED, TERN_ERR_NOT_FOUND,
 * TERN_ERR_VERSION, TERN_ERR_NOMEM, TERN_ERR_LIMIT, and words for it. */
int tern__peer_types_read(tern__peer_types *peer, const uint8_t *records, uint32_t bytes, char *words, size_t cap);

/* What a header of the peer's says, kind and type, with our number of the type; 0 in its place when the peer has
 * announced none. */
static inline uint32_t tern__peer_types_what(const tern__peer_types *peer, uint32_t what) {
    const uint32_t id = tern__what_type(what);
    if (id < TERN__TYPE_FIRST) return what;
    const uint32_t *page = id < TERN__TYPES_MAX ? peer->pages[id / TERN__PEER_PAGE] : NULL;
    const uint32_t ours = page ? page[id % TERN__PEER_PAGE & ~1u] : 0;
    return tern__object_what(tern__what_kind(what), ours ? ours + id % 2 : 0);
}

#endif
