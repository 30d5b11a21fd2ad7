/* The seats of a port whose peers connect: so many connections, and who has them, by network (network.h).
 *
 * Each takes a descriptor, and all ports of the process have one budget of those: three quarters of RLIMIT_NOFILE, or
 * all but 1024; the others are the program's. So a seat is free if it is one of the port's and one of the budget's.
 *
 * Of the seats that are free, two in three may be one network's: a network alone may have two thirds of all, and who
 * comes late finds room without anybody counting the others, on another port, too. A connection over which no session
 * is open is a stranger.
 * There may be few strangers, and one gives way when there are too many, or when its network has all the seats that it
 * may have: drawn at random, from the network with most strangers, or the one that has sent the least, but none of the
 * newest, which could not yet. The oldest is no better a choice than any: whoever connects again and again would drive
 * out all who take their time.
 *
 * Inside a network that has all the seats that it may have, the address with the most gives way to one with fewer: of
 * some seats that are drawn, that of the heaviest address which has been silent for longest. An address with many is
 * drawn often. */
#ifndef TERN_PORT_SEATS_H
#define TERN_PORT_SEATS_H

#include "base/base.h"
#include "base/rng.h"

enum {
    TERN__SEATS_FLOOR = 16, /* anybody's, as long as there are any */
    TERN__SEATS_BUCKETS = 256
};

typedef struct tern__seats_group tern__seats_group;

/* Who comes. */
typedef struct tern__guest {
    uint64_t network; /* 0: we dial */
    uint64_t address; /* in it; 0: its addresses do not matter */
    /* Of the connection. */
    const uint64_t *rx_bytes; /* its progress */
    const uint64_t *rx_at;    /* when it brought something last, by any clock; NULL: there are no addresses */
} tern__guest;

/* In the record of a connection. Zero: it has no seat. */
typedef struct tern__seat {
    tern__seats_group *network, *address; /* address: or NULL */
    const uint64_t *rx_bytes, *rx_at;
    uint32_t place;    /* index + 1 among those with addresses; 0: it has none */
    uint32_t stranger; /* index + 1 among the strangers; 0: it is none */
    uint32_t nth;      /* to come */
} tern__seat;

typedef struct tern__seats {
    uint32_t max, max_strangers;
    uint32_t budget; /* of the process */
    uint32_t n, n_strangers;
    uint32_t n_came; /* so far, modulo 2^32 */
    uint32_t n_placed;
    uint32_t room; /* of strangers[] and of placed[] */
    tern__seat **strangers;
    tern__seat **placed;                            /* with addresses */
    tern__seats_group *groups[TERN__SEATS_BUCKETS]; /* networks and addresses */
    uint64_t seed;
    tern__rng rng;
} tern__seats;

/* max: of seats. The budget is that of this moment. seed: that strangers cannot guess. */
void tern__seats_init(tern__seats *seats, uint32_t max, uint32_t max_strangers, uint64_t seed);

/* All seats are free again. */
void tern__seats_fini(tern__seats *seats);

/* How many more connections may come. */
uint32_t tern__seats_free(const tern__seats *seats);

/* Whether one more may come from this network. What we dial (`network` 0) takes of the
 * budget, but asks for no more than a seat of the port. */
bool tern__seats_may_enter(const tern__seats *seats, uint64_t network);

/* Give a seat to a connection that we dial, or to one of a peer's, a stranger at first. False: there is no memory. */
bool tern__seats_enter(tern__seats *seats, tern__seat *seat, const tern__guest *guest);
void tern__seats_leave(tern__seats *seats, tern__seat *seat);

/* A session is open over the connection, or none any more. Never fails. */
void tern__seats_set_stranger(tern__seats *seats, tern__seat *seat, bool is_stranger);

/* The stranger who gives way; of this network, unless that is 0. NULL: nobody does. */
tern__seat *tern__seats_victim(tern__seats *seats, uint64_t network);

/* The seat that gives way to one more of this address, where its network may have no more: once that is left, there is
 * one for the address. NULL: no address of the network that was drawn has two seats more than this one. Drawn anew each
 * time. */
tern__seat *tern__seats_heaviest(tern__seats *seats, uint64_t network, uint64_t address);

#endif
