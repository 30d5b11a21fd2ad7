/* The places of a port whose peers connect: so many connections, and who has them, by network (network.h).
 *
 * Of the places that are free, two in three may be one network's: a network alone may have two thirds of all, and who
 * comes late finds room without anybody counting the others. A connection over which no session is open is a stranger.
 * There may be few strangers, and one gives way when there are too many, or when its network has all the places that it
 * may have: drawn at random, from the network with most strangers, or the one that has sent the least. The oldest is no
 * better a choice than any: whoever connects again and again would drive out all who take their time. */
#ifndef TERN_PORT_PLACES_H
#define TERN_PORT_PLACES_H

#include "base/base.h"
#include "base/rng.h"

enum {
    TERN__PLACES_FLOOR = 16, /* anybody's, as long as there are any */
    TERN__PLACES_BUCKETS = 64
};

typedef struct tern__places_network tern__places_network;

/* In the record of a connection. Zero: it has no place. */
typedef struct tern__place {
    tern__places_network *network;
    const uint64_t *rx_bytes; /* of the connection: its progress */
    uint32_t stranger;        /* index + 1 among the strangers; 0: it is none */
} tern__place;

typedef struct tern__places {
    uint32_t max, max_strangers;
    uint32_t n, n_strangers;
    uint32_t room; /* of strangers[] */
    tern__place **strangers;
    tern__places_network *networks[TERN__PLACES_BUCKETS];
    uint64_t seed;
    tern__rng rng;
} tern__places;

/* max: of places; fewer where the process may not have as many descriptors. seed: that strangers cannot guess. */
void tern__places_init(tern__places *places, uint32_t max, uint32_t max_strangers, uint64_t seed);

/* All places are free again. */
void tern__places_fini(tern__places *places);

/* Whether one more connection may come from this network. */
bool tern__places_may_enter(const tern__places *places, uint64_t network);

/* Give a place to a connection that we dial (`network` 0, which is none of a peer's), or to one of a peer's, a stranger
 * at first. False: there is no memory. */
bool tern__places_enter(tern__places *places, tern__place *place, uint64_t network, const uint64_t *rx_bytes);
void tern__places_leave(tern__places *places, tern__place *place);

/* A session is open over the connection, or none any more. Never fails. */
void tern__places_set_stranger(tern__places *places, tern__place *place, bool is_stranger);

/* The stranger who gives way; of this network, unless that is 0. NULL: nobody does. */
tern__place *tern__places_victim(tern__places *places, uint64_t network);

#endif
