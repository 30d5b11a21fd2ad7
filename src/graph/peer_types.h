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
    uint32_t last_what, last_ours; /* asked for last */
} tern__peer_types;

void tern__peer_types_init(tern__peer_types *peer, tern__types *types, const tern_registry *registry);
void tern__peer_types_fini(tern__peer_types *peer);

/* The peer announces types, as in a fragment's metadata. Returns 0; TERN_ERR_MALFORMED, TERN_ERR_NOT_FOUND,
 * TERN_ERR_VERSION, TERN_ERR_NOMEM, TERN_ERR_LIMIT, and words for it. */
int tern__peer_types_read(tern__peer_types *peer, const uint8_t *records, uint32_t bytes, char *words, size_t cap);

/* What a header of the peer's says, kind and type, with our number of the type; 0 when that is nothing. */
uint32_t tern__peer_types_search(tern__peer_types *peer, uint32_t what);

static inline uint32_t tern__peer_types_what(tern__peer_types *peer, uint32_t what) {
    return what == peer->last_what ? peer->last_ours : tern__peer_types_search(peer, what);
}

#endif
