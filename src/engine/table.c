/* The table of sessions, and their numbers.
 *
 * A number is an index into the table and a generation, so that a late packet of an ended session is recognized. */
#include "engine/table.h"

#include "engine/peers.h"
#include "engine/sealed.h"

enum {
    MAX_NAMESAKES = 8, /* sessions of one peer under one number of its own */
    INDEX_MASK = (1 << TERN__INDEX_BITS) - 1,
    GENERATION_BITS = 32 - TERN__INDEX_BITS - TERN__SHARD_BITS, /* that are left in a shard */
    GENERATION_MASK = (1 << (32 - TERN__INDEX_BITS)) - 1,
};

static uint32_t bucket_of(const tern__engine *e, uint32_t peer_number, const tern__route *route) {
    return (uint32_t)tern__route_hash(e->hash_seed ^ peer_number, route) & (e->n_table - 1);
}

static uint32_t index_of(const tern__session *s) { return s->number & INDEX_MASK; }

/* The number of the session at place i of the table. */
static uint32_t number_at(const tern__engine *e, uint32_t i) {
    uint32_t generation = e->entries[i].generation;
    if (e->sharded) generation = (generation & (GENERATION_MASK >> TERN__SHARD_BITS)) | e->shard << GENERATION_BITS;
    return generation << TERN__INDEX_BITS | i;
}

/* Whether another endpoint at the same address made this number. */
bool tern__session_is_of_other_shard(const tern__engine *e, uint32_t number) {
    return e->sharded && number >> (32 - TERN__SHARD_BITS) != e->shard;
}

void tern__session_hash(tern__session *s) {
    uint32_t *head = &s->engine->buckets[bucket_of(s->engine, s->peer_number, &s->route)];
    s->hash_next = *head;
    *head = index_of(s) + 1;
    s->hashed = true;
}

void tern__session_unhash(tern__session *s) {
    tern__engine *e = s->engine;
    if (!s->hashed) return;
    uint32_t *link = &e->buckets[bucket_of(e, s->peer_number, &s->route)];
    while (*link != index_of(s) + 1) link = &e->sessions[*link - 1]->hash_next;
    *link = s->hash_next;
    s->hashed = false;
}

/* The session that the peer on this route knows as peer_number. secret: the CONNECT's token, or the tag
 * that we put into packets to the peer. */
tern__session *tern__session_of_peer(const tern__engine *e, const tern__rx_packet *pkt, uint32_t peer_number,
                                     bool by_token, uint64_t secret) {
    uint32_t i = e->buckets[bucket_of(e, peer_number, &pkt->route)];
    for (; i; i = e->sessions[i - 1]->hash_next) {
        tern__session *s = e->sessions[i - 1];
        if (s->peer_number != peer_number || s->link != pkt->link || !tern__route_eq(&s->route, &pkt->route)) continue;
        if (by_token ? s->role == TERN__SERVER && s->cold->token == secret : s->tx_tag == secret) return s;
    }
    return NULL;
}

/* Whether one peer has as many sessions under one number as a peer that restarts often might leave behind.
 * More would only make the bucket long. */
bool tern__session_has_namesakes(const tern__engine *e, const tern__rx_packet *pkt, uint32_t peer_number) {
    uint32_t n = 0, i = e->buckets[bucket_of(e, peer_number, &pkt->route)];
    for (; i; i = e->sessions[i - 1]->hash_next) {
        const tern__session *s = e->sessions[i - 1];
        n += s->peer_number == peer_number && tern__route_eq(&s->route, &pkt->route);
    }
    return n >= MAX_NAMESAKES;
}

/* The client whose CONNECT this packet answers, if it waits for an answer. */
tern__csession *tern__session_connecting(const tern__engine *e, const tern__rx_packet *pkt, const tern__pkt_header *h,
                                         uint64_t token) {
    tern__session *s = tern__session_find(e, h->session);
    bool fits = s && s->role == TERN__CLIENT && s->state == TERN__STATE_CONNECTING && s->link == pkt->link &&
                tern__route_eq(&s->route, &pkt->route) && s->cold->token == token;
    return fits ? (tern__csession *)s : NULL;
}

/* Twice as many places, in the tables and in the heap, and buckets. */
int tern__sessions_grow(tern__engine *e) {
    enum { FIRST_PLACES = 64 };
    uint32_t n = e->n_table ? 2 * e->n_table : FIRST_PLACES;
    void *sessions = tern_alloc_private(n * sizeof(tern__session *)),
         *places = tern_alloc_private(n * sizeof *e->entries);
    void *dues = tern_alloc_private(n * sizeof *e->timers.dues);
    uint32_t *buckets = tern_alloc_private(n * sizeof *e->buckets);
    tern__peer **peers = tern_alloc_private(n * sizeof(tern__peer *)), **old_peers = e->peers;
    tern__network **networks = tern_alloc_private(n * sizeof(tern__network *)), **old_networks = e->networks;
    if (!sessions || !places || !dues || !buckets || !peers || !networks) {
        tern_unref(peers);
        tern_unref(networks);
        tern_unref(sessions);
        tern_unref(places);
        tern_unref(dues);
        tern_unref(buckets);
        return TERN_ERR_NOMEM;
    }
    if (e->n_table) {
        memcpy(sessions, e->sessions, e->n_table * sizeof(tern__session *));
        memcpy(places, e->entries, e->n_table * sizeof *e->entries);
        memcpy(dues, e->timers.dues, e->timers.n * sizeof *e->timers.dues);
    }
    tern_unref(e->sessions);
    tern_unref(e->entries);
    tern_unref(e->timers.dues);
    tern_unref(e->buckets);
    e->sessions = sessions;
    e->entries = places;
    e->timers.dues = dues;
    e->buckets = memset(buckets, 0, n * sizeof *buckets);
    e->peers = memset(peers, 0, n * sizeof(tern__peer *));
    e->networks = memset(networks, 0, n * sizeof(tern__network *));
    uint32_t first_generation = (uint32_t)e->config.random(e->config.user);
    for (uint32_t i = n; i-- > e->n_table;) {
        e->sessions[i] = NULL;
        e->entries[i].generation = first_generation & GENERATION_MASK;
        e->entries[i].next_free = e->free_head;
        e->free_head = i + 1;
    }
    uint32_t n_before = e->n_table;
    e->n_table = n;
    tern__peers_rehash(e, old_peers, old_networks, n_before);
    tern_unref(old_peers);
    tern_unref(old_networks);
    for (uint32_t i = 0; i < n_before; i++)
        if (e->sessions[i] && e->sessions[i]->hashed) tern__session_hash(e->sessions[i]);
    return 0;
}

tern__session *tern__session_make(tern__engine *e, uint8_t role) {
    tern__session *s = tern__slab_take(&e->kinds.sessions);
    tern__slab *colds = &e->kinds.colds[role];
    tern__cold *cold = tern__slab_take(colds);
    tern__request_slots *requests = role == TERN__SERVER ? tern__slab_take(&e->kinds.request_slots) : NULL;
    if (!s || !cold || (role == TERN__SERVER && !requests)) {
        tern__slab_give(s);
        tern__slab_give(cold);
        tern__slab_give(requests);
        return NULL;
    }
    memset(s, 0, TERN__HOT_BYTES);
    memset(cold, 0, colds->bytes);
    s->role = role;
    s->cold = cold;
    cold->session = s;
    if (requests) {
        *requests = (tern__request_slots){.slots = {NULL}};
        s->scold->requests = requests;
    }
    return s;
}

void tern__session_free(tern__session *s) {
    tern__sealed_end(s);
    if (s->role == TERN__SERVER) tern__slab_give(s->scold->requests);
    tern__slab_give(s->cold);
    tern__slab_give(s);
}

int tern__session_enter(tern__engine *e, tern__session *s) {
    if (e->n_live >= e->config.max_sessions) return TERN_ERR_LIMIT;
    if (!e->free_head && tern__sessions_grow(e)) return TERN_ERR_NOMEM;
    uint32_t i = e->free_head - 1;
    s->engine = e;
    s->number = number_at(e, i);
    if (!tern__peer_enter(s)) return TERN_ERR_NOMEM;
    e->free_head = e->entries[i].next_free;
    e->sessions[i] = s;
    e->n_live++;
    s->run = &e->no_run;
    s->cold->timer.due = TERN__NEVER;
    tern__list_init(&s->cold->stalled);
    tern__rtt_init(&s->rtt, TERN__CONNECT_FIRST);
    return 0;
}

void tern__session_renumber(tern__session *s) {
    uint32_t i = index_of(s);
    uint32_t generation = ++s->engine->entries[i].generation & GENERATION_MASK;
    s->engine->entries[i].generation = generation;
    s->number = number_at(s->engine, i);
}

void tern__session_leave(tern__session *s) {
    tern__engine *e = s->engine;
    tern__session_unhash(s);
    tern__timer_set(s, TERN__NEVER);
    tern__list_remove(&s->cold->stalled);
    tern__peer_leave(s);
    tern__session_renumber(s);
    uint32_t i = index_of(s);
    e->sessions[i] = NULL;
    e->entries[i].next_free = e->free_head;
    e->free_head = i + 1;
    e->n_live--;
}
