/* The tables of peers and networks (peers.h). */
#include "engine/peers.h"

static uint32_t bucket_of_route(const tern__engine *e, const tern__link *link, const tern__route *route) {
    return (uint32_t)tern__route_hash(e->hash_seed ^ (uintptr_t)link, route) & (e->n_table - 1);
}

static uint32_t bucket_of_network(const tern__engine *e, const tern__link *link, uint64_t key) {
    return (uint32_t)tern__network_hash(e->hash_seed ^ (uintptr_t)link, key) & (e->n_table - 1);
}

uint64_t tern__network_key(tern__link *link, const tern__route *route) {
    return link->ops->network ? link->ops->network(link, route) : tern__load64(route->bytes);
}

tern__peer *tern__peer_find(const tern__engine *e, const tern__link *link, const tern__route *route) {
    tern__peer *peer = e->peers[bucket_of_route(e, link, route)];
    while (peer && (peer->link != link || !tern__route_eq(&peer->route, route))) peer = peer->next;
    return peer;
}

static void init_turn(tern__turn *turn) {
    tern__list_init(&turn->among);
    tern__list_init(&turn->below);
}

/* Of a debtor: its debt is its turn's again. */
static void come_back(tern__engine *e, tern__network *network) {
    tern__list_remove(&network->weight);
    e->n_debtors--;
}

static tern__network *take_network(tern__engine *e, tern__link *link, const tern__route *route) {
    uint64_t key = tern__network_key(link, route);
    tern__network **head = &e->networks[bucket_of_network(e, link, key)], *network = *head;
    while (network && (network->link != link || network->key != key)) network = network->next;
    if (network) {
        if (tern__list_empty(&network->peers)) come_back(e, network);
        return network;
    }
    network = tern__slab_take(&e->kinds.networks);
    if (!network) return NULL;
    *network = (tern__network){.link = link, .key = key, .next = *head};
    init_turn(&network->turn);
    tern__list_init(&network->weight);
    tern__list_init(&network->peers);
    return *head = network;
}

/* Who owes the server's time and comes back by another connection still does. */
static bool stays_as_debtor(tern__engine *e, tern__network *network) {
    bool owes = e->takes_turns && network->turn.debt > 0 && network->turn.nth == e->nth_turns;
    if (!owes || e->n_debtors == TERN__MAX_DEBTORS) return false;
    e->n_debtors++;
    tern__list_remove(&network->weight);
    tern__list_append(&e->debtors, &network->weight);
    return true;
}

static void free_network(tern__engine *e, tern__network *network) {
    tern__network **at = &e->networks[bucket_of_network(e, network->link, network->key)];
    while (*at != network) at = &(*at)->next;
    *at = network->next;
    tern__list_remove(&network->weight);
    tern__slab_give(network);
}

static void give_network(tern__engine *e, tern__network *network) {
    if (tern__list_empty(&network->peers) && !stays_as_debtor(e, network)) free_network(e, network);
}

void tern__peers_forgive(tern__engine *e) {
    while (!tern__list_empty(&e->debtors)) {
        tern__network *network = TERN__CONTAINER(e->debtors.next, tern__network, weight);
        tern__list_remove(&network->weight);
        if (tern__list_empty(&network->peers)) free_network(e, network);
    }
    e->n_debtors = 0;
}

static tern__peer *make_peer(tern__engine *e, tern__link *link, const tern__route *route) {
    tern__network *network = take_network(e, link, route);
    if (!network) return NULL;
    tern__peer *peer = tern__slab_take(&e->kinds.peers), **head = &e->peers[bucket_of_route(e, link, route)];
    if (!peer) {
        give_network(e, network);
        return NULL;
    }
    *peer = (tern__peer){.network = network, .next = *head, .link = link, .route = *route};
    init_turn(&peer->turn);
    tern__list_append(&network->peers, &peer->among);
    tern__list_init(&peer->receiving);
    tern__list_init(&peer->kept);
    tern__list_init(&peer->unread);
    return *head = peer;
}

static uint32_t place_of(const tern__session *s) { return s->number & ((1u << TERN__INDEX_BITS) - 1); }

tern__peer *tern__peer_take(tern__engine *e, tern__link *link, const tern__route *route) {
    tern__peer *peer = tern__peer_find(e, link, route);
    if (!peer) peer = make_peer(e, link, route);
    if (peer) peer->n_uses++;
    return peer;
}

/* The peer has got its first session, or its last one has ended. */
static void tell_link(tern__session *s, bool used) {
    if (s->link->ops->use) s->link->ops->use(s->link, &s->route, used);
}

bool tern__peer_enter(tern__session *s) {
    tern__engine *e = s->engine;
    tern__peer *peer = tern__peer_take(e, s->link, &s->route);
    if (!peer) return false;
    if (!peer->first) tell_link(s, true);
    uint32_t i = place_of(s);
    s->cold->peer = peer;
    s->cold->peer_next = peer->first;
    s->cold->peer_prev = 0;
    if (peer->first) e->sessions[peer->first - 1]->cold->peer_prev = i + 1;
    peer->first = i + 1;
    peer->account.n_sessions += s->role == TERN__SERVER;
    peer->network->account.n_sessions += s->role == TERN__SERVER;
    return true;
}

void tern__peer_leave(tern__session *s) {
    tern__engine *e = s->engine;
    const tern__cold *cold = s->cold;
    tern__peer *peer = cold->peer;
    if (cold->peer_prev)
        e->sessions[cold->peer_prev - 1]->cold->peer_next = cold->peer_next;
    else
        peer->first = cold->peer_next;
    if (cold->peer_next) e->sessions[cold->peer_next - 1]->cold->peer_prev = cold->peer_prev;
    if (peer->walk == place_of(s) + 1) peer->walk = cold->peer_next;
    peer->account.n_sessions -= s->role == TERN__SERVER;
    peer->network->account.n_sessions -= s->role == TERN__SERVER;
    if (!peer->first) tell_link(s, false);
    tern__peer_let_go(e, peer);
}

tern__session *tern__peer_next(const tern__engine *e, tern__peer *peer) {
    tern__session *s = peer->walk ? e->sessions[peer->walk - 1] : NULL;
    if (s) peer->walk = s->cold->peer_next;
    return s;
}

tern__session *tern__peer_walk(const tern__engine *e, tern__peer *peer) {
    peer->walk = peer->first;
    return tern__peer_next(e, peer);
}

void tern__peer_keep(tern__peer *peer) { peer->n_uses++; }

void tern__peer_let_go(tern__engine *e, tern__peer *peer) {
    if (--peer->n_uses) return;
    tern__peer **at = &e->peers[bucket_of_route(e, peer->link, &peer->route)];
    while (*at != peer) at = &(*at)->next;
    *at = peer->next;
    tern__list_remove(&peer->among);
    give_network(e, peer->network);
    tern__slab_give(peer);
}

void tern__peers_rehash(tern__engine *e, tern__peer **peers, tern__network **networks, uint32_t n_before) {
    for (uint32_t i = 0; i < n_before; i++) {
        for (tern__peer *peer = peers[i], *next; peer; peer = next) {
            tern__peer **head = &e->peers[bucket_of_route(e, peer->link, &peer->route)];
            next = peer->next;
            peer->next = *head;
            *head = peer;
        }
        for (tern__network *network = networks[i], *next; network; network = next) {
            tern__network **head = &e->networks[bucket_of_network(e, network->link, network->key)];
            next = network->next;
            network->next = *head;
            *head = network;
        }
    }
}
