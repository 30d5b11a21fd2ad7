/* Giving up what the heaviest hold (reclaim.h). */
#include "engine/reclaim.h"

#include "engine/stream_wait.h"
#include "engine/turns.h"

enum {
    N_NETWORKS = 32, /* looked at for one with something to give: those whose handlers run have nothing */
    N_PEERS = 8,     /* of a network, looked at for the heaviest */
    N_REQUESTS = 16  /* of a peer, looked at for the one with the least progress */
};

/* What is asked for: kept responses only, or also requests that are half here or wait for their turn, and streams that
 * are not read. */
typedef enum wanted { ANYTHING, RESPONSES } wanted;

/* The last of the peer's requests that wait for their turn, streams not counted; NULL: there is none among the last. */
static tern__request *last_that_waits(const tern__peer *peer) {
    tern__node *node = peer->turn.below.prev;
    for (uint32_t i = 0; i < N_REQUESTS && node != &peer->turn.below; i++, node = node->prev) {
        tern__request *request = TERN__CONTAINER(node, tern__request, node);
        if (!request->stream) return request;
    }
    return NULL;
}

static bool can_give(tern__peer *peer, wanted what, tern_time now) {
    if (!tern__list_empty(&peer->kept)) return true;
    return what == ANYTHING &&
           (!tern__list_empty(&peer->receiving) || last_that_waits(peer) || tern__stream_stalled(peer, now));
}

static void move_to_end(tern__node *list, tern__node *node) {
    tern__list_remove(node);
    tern__list_append(list, node);
}

/* The heaviest of the next few that have something to give and are not the one in need; NULL: none. */
static tern__peer *heaviest_peer(tern__network *network, const tern__peer *in_need, wanted what, tern_time now) {
    tern__peer *heaviest = NULL;
    const tern__node *first = network->peers.next;
    for (uint32_t i = 0; i < N_PEERS; i++) {
        tern__node *node = network->peers.next;
        tern__peer *peer = TERN__CONTAINER(node, tern__peer, among);
        if (i && node == first) break;
        move_to_end(&network->peers, node);
        if (peer == in_need || !can_give(peer, what, now)) continue;
        if (!heaviest || peer->account.held > heaviest->account.held) heaviest = peer;
    }
    return heaviest;
}

/* Of the heaviest network that has one; NULL: none of those looked at. Networks of about the same weight take turns. */
static tern__peer *heaviest_of_all(tern__engine *e, const tern__peer *in_need, wanted what) {
    uint32_t n_left = N_NETWORKS;
    for (uint64_t used = e->weights_used, bit; used; used &= ~bit) {
        bit = 1ull << (63 - __builtin_clzll(used));
        tern__node *list = &e->weights[63 - __builtin_clzll(used)];
        const tern__node *first = list->next;
        do {
            tern__network *network = TERN__CONTAINER(list->next, tern__network, weight);
            tern__peer *peer = heaviest_peer(network, in_need, what, e->now);
            if (peer || --n_left == 0) return peer;
            move_to_end(list, &network->weight);
        } while (list->next != first);
    }
    return NULL;
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
    tern__peer *peer =
        network ? heaviest_peer(network, in_need, ANYTHING, e->now) : heaviest_of_all(e, in_need, ANYTHING);
    if (!peer || held_by(peer, in_need) <= held_by(in_need, peer) + bytes) return false;
    tern__request *request = slowest(peer, e->now);
    if (!request) request = last_that_waits(peer);
    if (!request && tern__list_empty(&peer->kept)) {
        e->server_streams->starve(tern__stream_stalled(peer, e->now));
        return true;
    }
    e->roles[TERN__SERVER]->give_up(request ? request : TERN__CONTAINER(peer->kept.next, tern__request, node));
    return true;
}

bool tern__reclaim_response(tern__engine *e, const tern__peer *in_need) {
    tern__peer *peer = heaviest_of_all(e, in_need, RESPONSES);
    if (!peer) return false;
    tern__request *oldest = TERN__CONTAINER(peer->kept.next, tern__request, node);
    uint64_t theirs = held_by(peer, in_need), ours = held_by(in_need, peer);
    bool is_asked_for = e->now - oldest->asked_at < TERN__KEPT_GRACE;
    if (is_asked_for ? theirs <= ours : 2 * theirs < ours) return false;
    e->roles[TERN__SERVER]->give_up(oldest);
    return true;
}
