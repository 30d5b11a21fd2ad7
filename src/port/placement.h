/* The expectations of a link that does direct placement (link.h: rx_expect, rx_forget), for ports that keep them in
 * memory of their own. A table belongs to one port, and to its thread. */
#ifndef TERN_PORT_PLACEMENT_H
#define TERN_PORT_PLACEMENT_H

#include "engine/link.h"

enum {
    TERN__MAX_PLACEMENTS = 16, /* expectations of a link */
    TERN__PLACEMENT_STALE = 64 /* calls of rx_expect for others after which an expectation may be replaced */
};

/* An expectation as a port keeps it. */
typedef struct tern__placement {
    tern__expected expected;
    uint64_t moved_at; /* the call of rx_expect that made or moved it last */
    bool trusted;      /* the port's own: the last guess that this message goes on was right, or there was none */
} tern__placement;

typedef struct tern__placements {
    uint32_t n, max; /* expectations there are; at most, 1 to TERN__MAX_PLACEMENTS */
    uint64_t n_calls;
    uint64_t n_replaced, n_refused; /* expectations that gave way to another; that were not taken */
    tern__placement items[TERN__MAX_PLACEMENTS];
} tern__placements;

/* Takes the expectation in, or moves the one of the same route and message. A full table replaces one that was not
 * moved in the last TERN__PLACEMENT_STALE calls; else one of a route that has at least two more expectations than the
 * new one's route, the least recently moved of the route that has the most; else the new one is not taken. So routes
 * that are all in use share the table evenly, and none loses its expectations by turns to as many others. */
void tern__placements_expect(tern__placements *table, const tern__expected *expected);

/* Removes the expectation of this message, if there is one. */
void tern__placements_forget(tern__placements *table, const void *message);

/* The expectation to whose next packet a header begins with these `len` bytes, or NULL. */
tern__placement *tern__placements_find(tern__placements *table, const uint8_t *header, uint32_t len);

/* Whether a header of at least expected->header_bytes bytes is that of packet expected->pkt + nth. */
bool tern__expected_is_next(const tern__expected *expected, const uint8_t *header, uint32_t nth);

#endif
