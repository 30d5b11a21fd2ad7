/* The rings of those whose requests wait (turns.h). A turn in no ring is alone by its node. Debts that are not positive
 * are what is left of the quantum at hand. */
#include "engine/turns.h"

#define QUANTUM TERN_MS
#define LEAST (2 * TERN_US) /* that a request takes, also where time stands still */

static tern__peer *peer_of(const tern__request *request) { return request->session->s.cold->peer; }

/* Nothing is left over from the last time: who asks for little may come back at once, and who owes something still
 * does, unless nobody else is there, or the server was in time meanwhile. */
static void join(const tern__engine *e, tern__node *ring, tern__turn *turn) {
    if (!tern__list_empty(&turn->among)) return;
    if (turn->debt < 0 || turn->nth != e->nth_turns || tern__list_empty(ring)) turn->debt = 0;
    turn->nth = e->nth_turns;
    tern__list_append(ring, &turn->among);
}

void tern__turns_enter(tern__request *request) {
    tern__engine *e = request->session->s.engine;
    tern__peer *peer = peer_of(request);
    tern__list_append(&peer->turn.below, &request->node);
    join(e, &peer->network->turn.below, &peer->turn);
    join(e, &e->turns, &peer->network->turn);
    e->n_waiting++;
}

void tern__turns_leave(tern__request *request) {
    tern__peer *peer = peer_of(request);
    tern__list_remove(&request->node);
    request->session->s.engine->n_waiting--;
    if (!tern__list_empty(&peer->turn.below)) return;
    tern__list_remove(&peer->turn.among);
    if (tern__list_empty(&peer->network->turn.below)) tern__list_remove(&peer->network->turn.among);
}

/* The first of the ring that owes nothing. The ring is not empty. */
static tern__turn *next_of(tern__node *ring) {
    for (;;) {
        tern__node *node = ring->next;
        tern__turn *turn = TERN__CONTAINER(node, tern__turn, among);
        if (turn->debt <= 0) return turn;
        if (node == ring->prev) turn->debt = QUANTUM; /* it is alone, and owes nobody anything */
        turn->debt -= QUANTUM;
        tern__list_remove(node);
        tern__list_append(ring, node);
    }
}

tern__peer *tern__turns_next(tern__engine *e) {
    if (tern__list_empty(&e->turns)) return NULL;
    tern__network *network = TERN__CONTAINER(next_of(&e->turns), tern__network, turn);
    return TERN__CONTAINER(next_of(&network->turn.below), tern__peer, turn);
}

tern__request *tern__turns_first(const tern__peer *peer) {
    return TERN__CONTAINER(peer->turn.below.next, tern__request, node);
}

tern__request *tern__turns_last(const tern__peer *peer) {
    return TERN__CONTAINER(peer->turn.below.prev, tern__request, node);
}

void tern__turns_pay(tern__peer *peer, tern_dur time) {
    if (time < LEAST) time = LEAST;
    peer->turn.debt += time;
    peer->network->turn.debt += time;
}
