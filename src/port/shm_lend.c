/* Lending (shm_lend.h). */
#include "port/shm_lend.h"

#include "mem/pool.h"
#include "port/shm_timer.h"

enum { LOOKS = 256 /* tickets, at a time: a peer may say at any time that it has let go of some */ };

static tern__shm_ticket *ticket_of(const tern__shm_lending *l, uint32_t number) { return &l->tickets[number - 1]; }

static bool make_tickets(tern__shm_lending *l) {
    l->tickets = tern_alloc_private(TERN__SHM_TICKETS * sizeof *l->tickets);
    l->lent = tern_alloc_private(TERN__SHM_TICKETS * sizeof *l->lent);
    if (!l->tickets || !l->lent) {
        tern_unref(l->tickets);
        tern_unref(l->lent);
        l->tickets = NULL;
        l->lent = NULL;
        return false;
    }
    for (uint32_t i = 1; i <= TERN__SHM_TICKETS; i++)
        *ticket_of(l, i) = (tern__shm_ticket){.next_free = i < TERN__SHM_TICKETS ? i + 1 : 0};
    l->free = 1;
    return true;
}

uint32_t tern__shm_lend(tern__shm_port *s, tern__shm_peer *peer, const void *ref, uint32_t *counter, uint32_t len) {
    tern__shm_lending *l = &peer->lending;
    if (l->bytes + len > s->lend_bytes || (!l->tickets && !make_tickets(l)) || !l->free) return 0;
    uint32_t number = l->free;
    tern__shm_ticket *ticket = ticket_of(l, number);
    l->free = ticket->next_free;
    l->bytes += len;
    *ticket = (tern__shm_ticket){.ref = ref, .counter = counter, .len = len};
    return number;
}

static void give_back(tern__shm_port *s, tern__shm_lending *l, tern__shm_ticket *ticket) {
    if (!ticket->ref) return;
    s->stats.refs_released++;
    tern__ref_drop(ticket->counter, ticket->ref);
    ticket->ref = NULL;
    l->bytes -= ticket->len;
}

static void free_ticket(tern__shm_port *s, tern__shm_lending *l, uint32_t number) {
    tern__shm_ticket *ticket = ticket_of(l, number);
    give_back(s, l, ticket);
    ticket->next_free = l->free;
    l->free = number;
}

void tern__shm_lend_undo(tern__shm_port *s, tern__shm_peer *peer, uint32_t ticket) {
    free_ticket(s, &peer->lending, ticket);
}

static bool is_held(const tern__shm_peer *peer, uint32_t ticket) {
    return __atomic_load_n(&peer->theirs->held[ticket - 1], __ATOMIC_ACQUIRE) != 0;
}

void tern__shm_lend_passed(tern__shm_port *s, tern__shm_peer *peer, uint32_t number) {
    tern__shm_lending *l = &peer->lending;
    if (!is_held(peer, number)) {
        free_ticket(s, l, number);
        return;
    }
    if (peer->n_lent == 0) tern__shm_timer_use(s);
    ticket_of(l, number)->lent_at = tern__coarse_now();
    l->lent[peer->n_lent++] = (uint16_t)number;
    s->stats.tx_lent++;
}

/* That of the list is no longer lent. */
static void take_off(tern__shm_port *s, tern__shm_peer *peer, uint32_t at) {
    tern__shm_lending *l = &peer->lending;
    uint32_t number = l->lent[at];
    l->lent[at] = l->lent[--peer->n_lent];
    __atomic_store_n(&peer->ours->expired[number - 1], 0, __ATOMIC_RELAXED);
    free_ticket(s, l, number);
    if (peer->n_lent == 0) tern__shm_timer_leave(s);
}

void tern__shm_lend_look(tern__shm_port *s, tern__shm_peer *peer) {
    tern__shm_lending *l = &peer->lending;
    uint32_t let_go = __atomic_load_n(&peer->theirs->let_go, __ATOMIC_ACQUIRE);
    if (let_go != l->let_go) {
        l->let_go = let_go;
        l->n_unseen = peer->n_lent;
    }
    for (uint32_t i = 0; i < LOOKS && l->n_unseen && peer->n_lent; i++, l->n_unseen--) {
        if (l->turn >= peer->n_lent) l->turn = 0;
        if (is_held(peer, l->lent[l->turn]))
            l->turn++;
        else
            take_off(s, peer, l->turn);
    }
}

/* Readers look at `expired` after what they have read: it is set before the memory can be anything else. */
void tern__shm_lend_expire(tern__shm_port *s, tern__shm_peer *peer, tern_time now) {
    tern__shm_lending *l = &peer->lending;
    for (uint32_t i = peer->n_lent; i-- > 0;) {
        tern__shm_ticket *ticket = ticket_of(l, l->lent[i]);
        if (!is_held(peer, l->lent[i])) {
            take_off(s, peer, i);
        } else if (ticket->ref && now - ticket->lent_at >= (tern_time)s->lend_time) {
            __atomic_store_n(&peer->ours->expired[l->lent[i] - 1], 1, __ATOMIC_SEQ_CST);
            give_back(s, l, ticket);
            s->stats.tx_expired++;
        }
    }
}

void tern__shm_lend_end(tern__shm_port *s, tern__shm_peer *peer) {
    tern__shm_lending *l = &peer->lending;
    if (peer->n_lent) tern__shm_timer_leave(s);
    for (; peer->n_lent; peer->n_lent--) give_back(s, l, ticket_of(l, l->lent[peer->n_lent - 1]));
    tern_unref(l->tickets);
    tern_unref(l->lent);
    *l = (tern__shm_lending){0};
}
