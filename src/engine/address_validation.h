/* Who may make a session on a link that loses packets: whoever shows, by bringing a cookie back, that packets to its
 * address reach it. Until then nothing is kept about it.
 *
 * A cookie is a keyed hash of the route, the client's number and token, and the epoch of 8.6 s in which it was made;
 * it is good in that epoch and the next. Each epoch has a random key of its own.
 *
 * Cookies are given out at a bounded rate, to all together and to each network (link.h), so that a flood from one
 * network takes nothing from the others, and a flood from everywhere costs a bounded number of packets. Sessions need
 * no bound of their own: each takes a cookie. */
#ifndef TERN_ENGINE_ADDRESS_VALIDATION_H
#define TERN_ENGINE_ADDRESS_VALIDATION_H

#include "engine/link.h"
#include "tern/rpc.h"

enum {
    TERN__VALIDATION_EPOCH_BITS = 33, /* an epoch is that power of two ns */
    TERN__VALIDATION_BUCKETS = 256,   /* networks share them */
    TERN__VALIDATION_NETWORK_BURST = 4096,
    TERN__VALIDATION_BURST = 4 * TERN__VALIDATION_NETWORK_BURST,
};

#define TERN__VALIDATION_NETWORK_GAP (50 * TERN_US) /* between two cookies for one network, in the long run */
#define TERN__VALIDATION_GAP (5 * TERN_US)          /* and for all */

typedef struct tern__validation {
    uint64_t (*random)(void *user);
    void *user;
    uint64_t keys[2][2]; /* of an even and an odd epoch */
    uint64_t epoch;      /* the latest that has a key */
    uint64_t bucket_key[2];
    tern_time all_at; /* token buckets: when they will be full */
    tern_time network_at[TERN__VALIDATION_BUCKETS];
} tern__validation;

/* Whom a cookie is for. */
typedef struct tern__validation_client {
    const tern__route *route;
    uint64_t token;
    uint32_t number;
} tern__validation_client;

void tern__validation_init(tern__validation *validation, uint64_t (*random)(void *user), void *user);

/* A cookie, never 0, or 0 when too many have been given out. network: what routes of one network have in common. */
uint64_t tern__validation_cookie(tern__validation *validation, const tern__validation_client *client, uint64_t network,
                                 tern_time now);

/* Whether this client's cookie is one of ours, and recent. */
bool tern__validation_is_open(tern__validation *validation, const tern__validation_client *client, uint64_t cookie,
                              tern_time now);

#endif
