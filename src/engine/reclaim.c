/* Giving up what the heaviest hold (reclaim.h). */
#include "engine/reclaim.h"

enum {
    N_PEERS = 8,    /* of a network, looked at for the heaviest */
    N_REQUESTS = 16 /* of a peer, looked at for the one with the least progress */
};

static tern__network *heaviest_network(const tern__engine *e) {
    if (!e->weights_used) return NULL;
    const tern__node *list = &e->weights[63 - __builtin_clzll(e->weights_used)];
    return TERN__CONTAINER(list->next, tern__network, weight);
}

static bool can_give(const tern__peer *peer) {
    return !tern__list_empty(&peer->receiving) || !tern__list_empty(&peer->kept);
}

static void move_to_end(tern__node *list, tern__node *node) {
    tern__list_remove(node);
    tern__list_append(list, node);
}

/* The heaviest of the next few that have something to give and are not the one in need; NULL: none. */
static tern__peer *heaviest_peer(tern__network *network, const tern__peer *in_need) {
    tern__peer *heaviest = NULL;
    const tern__node *first = network->peers.next;
    for (uint32_t i = 0; i < N_PEERS; i++) {
        tern__node *node = network->peers.next;
        tern__peer *peer = TERN__CONTAINER(node, tern__peer, among);
        if (i && node == first) break;
        move_to_end(&network->peers, node);
        if (peer == in_need || !can_give(peer)) continue;
        if (!heaviest || peer->account.held > heaviest->account.held) heaviest = peer;
    }
    return heaviest;
}

/* Bytes that have arrived for each microsecond since the request began, scaled. */
static uint64_t progress_of(const tern__request *request, tern_time now) {
    uint64_t arrived = (uint64_t)request->cut * (request->base + (uint32_t)__builtin_popcountll(request->mask));
    return (arrived << 10) / ((now - request->arrived) / TERN_US + 1000);
}

static tern__request *slowest(tern__peer *peer, tern_time now) {
    tern__request *slowest = NULL;
    uint64_t least = UINT64_MAX;
    const tern__node *first = peer->receiving.next;
    for (uint32_t i = 0; i < N_REQUESTS && !tern__list_empty(&peer->receiving); i++) {
        tern__node *node = peer->receiving.next;
        tern__request *request = TERN__CONTAINER(node, tern__request, node);
        uint64_t progress = progress_of(request, now);
        if (i && node == first) break;
        move_to_end(&peer->receiving, node);
        if (progress >= least) continue;
        least = progress;
        slowest = request;
    }
    return slowest;
}

/* What counts of the two against each other: routes of one network, or their networks. */
static uint64_t held_by(const tern__peer *peer, const tern__peer *against) {
    return peer->network == against->network ? peer->account.held : peer->network->account.held;
}

bool tern__reclaim(tern__engine *e, const tern__peer *in_need, tern__network *network, uint64_t bytes) {
    if (!network) network = heaviest_network(e);
    tern__peer *peer = network ? heaviest_peer(network, in_need) : NULL;
    if (!peer || held_by(peer, in_need) <= held_by(in_need, peer) + bytes) return false;
    tern__request *request = slowest(peer, e->now);
    e->roles[TERN__SERVER]->give_up(request ? request : TERN__CONTAINER(peer->kept.next, tern__request, node));
    return true;
}

bool tern__reclaim_response(tern__engine *e, const tern__peer *in_need) {
    tern__network *network = heaviest_network(e);
    tern__peer *peer = network ? heaviest_peer(network, in_need) : NULL;
    if (!peer || tern__list_empty(&peer->kept)) return false;
    tern__request *oldest = TERN__CONTAINER(peer->kept.next, tern__request, node);
    uint64_t theirs = held_by(peer, in_need), ours = held_by(in_need, peer);
    bool is_asked_for = e->now - oldest->asked_at < TERN__KEPT_GRACE;
    if (is_asked_for ? theirs <= ours : 2 * theirs < ours) return false;
    e->roles[TERN__SERVER]->give_up(oldest);
    return true;
}
