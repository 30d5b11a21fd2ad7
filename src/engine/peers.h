/* Who our sessions are with: a record for each route, with its sessions, and one for each network of routes. A route
 * names its peer only together with its link. */
#ifndef TERN_ENGINE_PEERS_H
#define TERN_ENGINE_PEERS_H

#include "base/rng.h"
#include "engine/engine_record.h"

/* What is held for somebody (account.h). */
typedef struct tern__account {
    uint64_t held;       /* bytes */
    uint32_t n_sessions; /* at this server */
} tern__account;

/* The place of a peer or network among those whose requests wait (turns.h). */
typedef struct tern__turn {
    tern__node among; /* the others; alone: nothing waits */
    tern__node below; /* of a network the turns of its peers, of a peer its requests */
    tern_dur debt;    /* of the server's time */
    uint32_t nth;     /* tern__engine.nth_turns when the debt was made */
} tern__turn;

typedef struct tern__network {
    tern__account account;
    tern__turn turn;
    const tern__link *link;
    uint64_t key;               /* of tern__link_ops.network */
    struct tern__network *next; /* in its bucket */
    tern__node weight;          /* in engine->weights; nothing is held: alone, or in engine->debtors */
    tern__node peers;           /* by tern__peer.among */
} tern__network;

struct tern__peer {
    tern__account account;
    tern__turn turn;
    uint32_t n_uses; /* sessions, and those who keep it */
    uint32_t first;  /* index + 1 of a session; the others follow in tern__cold.peer_next */
    uint32_t walk;   /* of the session that tern__peer_next() returns; 0: none */
    tern__network *network;
    struct tern__peer *next; /* in its bucket */
    tern__node among;        /* the network's */
    tern__node receiving;    /* requests that are not here yet, by their beginning; those looked at lately at the end */
    tern__node kept;         /* requests whose responses are kept, by asked_at */
    tern__node unread;       /* streams with bytes on the account; those looked at lately at the end */
    tern_time full_since;    /* the link has refused what was tried again, and nothing has got through; 0: it has */
    const tern__link *link;
    tern__route route;
};

/* A session, whose link and route are set, is its peer's from now on, until tern__peer_leave(). False: no memory. */
bool tern__peer_enter(tern__session *s);
void tern__peer_leave(tern__session *s);

/* The peer on this route, which need not have a session, kept until tern__peer_let_go(). NULL: no memory. */
tern__peer *tern__peer_take(tern__engine *engine, tern__link *link, const tern__route *route);

/* The sessions of a peer, one after the other; NULL: no more. Sessions may end meanwhile; others that begin are not
 * met. A walk that begins during another ends both. */
tern__session *tern__peer_walk(const tern__engine *engine, tern__peer *peer);
tern__session *tern__peer_next(const tern__engine *engine, tern__peer *peer);

/* The record stays, although its sessions may end. */
void tern__peer_keep(tern__peer *peer);
void tern__peer_let_go(tern__engine *engine, tern__peer *peer);

/* Debts are over: networks that have left with some go. */
void tern__peers_forgive(tern__engine *engine);

/* The peer on this route, or NULL. */
tern__peer *tern__peer_find(const tern__engine *engine, const tern__link *link, const tern__route *route);

/* A network's key; of a link whose ports know no networks the route is one. */
uint64_t tern__network_key(tern__link *link, const tern__route *route);

/* There are places for twice as many peers as before (table.h). `buckets` has room for as many as there are places. */
void tern__peers_rehash(tern__engine *engine, tern__peer **peers, tern__network **networks, uint32_t n);

/* Of a network's key. Any bits of the key, which peers choose as far as they choose their addresses, change any of the
 * hash, and how depends on the seed, which they do not know. */
static inline uint64_t tern__network_hash(uint64_t seed, uint64_t key) { return tern__mix64(key ^ seed); }

/* Of a route, whatever else it stands with. */
static inline uint64_t tern__route_hash(uint64_t seed, const tern__route *route) {
    uint64_t h = seed;
    for (size_t i = 0; i < sizeof *route; i += 8) {
        h = (h ^ tern__load64((const uint8_t *)route + i)) * 0x9e3779b97f4a7c15u;
        h ^= h >> 32;
    }
    return h;
}

#endif
