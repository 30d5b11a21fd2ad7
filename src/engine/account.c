/* Accounts, and the shares that they have (account.h). */
#include "engine/account.h"

#include "engine/peers.h"
#include "engine/reclaim.h"

/* Of what is idle: a network may hold eight ninths of everything, one of its routes four fifths, while nobody else
 * holds anything that counts. */
enum { ALPHA_NETWORK = 8, ALPHA_ROUTE = 4 };
/* What is taken already may be an eighth beyond the bound, for those who hold little. */
enum { SLACK = 8 };

static uint64_t idle_bytes(const tern__engine *e) {
    return e->held < e->config.max_rx_bytes ? e->config.max_rx_bytes - e->held : 0;
}

/* Networks that hold something share with those that come, of which this one may be the first. */
static bool may_hold(const tern__engine *e, const tern__account *account, uint64_t more, uint32_t alpha) {
    uint64_t then = account->held + more, share = e->config.max_rx_bytes / (e->n_holders + (account->held == 0));
    if (account->held == e->held || then <= TERN__FLOOR_BYTES || then <= share) return true;
    return (then - TERN__FLOOR_BYTES) / alpha <= idle_bytes(e);
}

/* The networks are in lists by the powers of two of what they hold, so that the heaviest is found at once. */
static uint32_t weight_of(const tern__network *network) {
    return network->account.held ? 64 - (uint32_t)__builtin_clzll(network->account.held) : 0;
}

static __attribute__((noinline)) void reweigh(tern__engine *e, tern__network *network, uint32_t before) {
    uint32_t now = weight_of(network);
    e->n_holders += (uint32_t)(before == 0) - (uint32_t)(now == 0);
    tern__list_remove(&network->weight);
    if (before && tern__list_empty(&e->weights[before - 1])) e->weights_used &= ~(1ull << (before - 1));
    if (now == 0) return;
    tern__list_append(&e->weights[now - 1], &network->weight);
    e->weights_used |= 1ull << (now - 1);
}

/* Whether the highest bits of both are at the same place. */
static inline bool weigh_alike(uint64_t a, uint64_t b) { return (a ^ b) <= (a & b); }

/* Negative: less. */
static inline void count(tern__engine *e, tern__peer *peer, int64_t bytes) {
    tern__network *network = peer->network;
    uint64_t before = network->account.held, now = before + (uint64_t)bytes;
    uint32_t weight = weight_of(network);
    peer->account.held += (uint64_t)bytes;
    network->account.held = now;
    e->held += (uint64_t)bytes;
    if (__builtin_expect(!weigh_alike(before, now), false)) reweigh(e, network, weight);
}

bool tern__charge(tern__session *s, uint64_t bytes) {
    tern__engine *e = s->engine;
    tern__peer *peer = s->cold->peer;
    if (bytes > e->config.max_rx_bytes || !may_hold(e, &peer->account, bytes, ALPHA_ROUTE)) return false;
    /* What its neighbours hold is not this route's fault: those that hold more of it give. */
    while (!may_hold(e, &peer->network->account, bytes, ALPHA_NETWORK))
        if (!tern__reclaim(e, peer, peer->network, bytes)) return false;
    while (bytes > idle_bytes(e))
        if (!tern__reclaim(e, peer, NULL, bytes)) return false;
    count(e, peer, (int64_t)bytes);
    return true;
}

/* Whether the peer may have what it has. */
static bool is_within(const tern__engine *e, const tern__peer *peer) {
    uint64_t limit = e->config.max_rx_bytes;
    if (peer->network->account.held <= TERN__FLOOR_BYTES && e->held <= limit + limit / SLACK) return true;
    return e->held <= limit && may_hold(e, &peer->account, 0, ALPHA_ROUTE) &&
           may_hold(e, &peer->network->account, 0, ALPHA_NETWORK);
}

bool tern__charge_taken(tern__session *s, uint64_t bytes) {
    count(s->engine, s->cold->peer, (int64_t)bytes);
    return is_within(s->engine, s->cold->peer);
}

tern__hold tern__account_hold(tern__engine *e, tern__link *link, const tern__route *route, uint64_t bytes,
                              tern__debit *debit) {
    if (!debit->peer && bytes) debit->peer = tern__peer_take(e, link, route);
    tern__peer *peer = debit->peer;
    if (!peer) return bytes ? TERN__HOLD_GIVE_UP : TERN__HOLD_WELL;
    count(e, peer, (int64_t)(bytes - debit->bytes));
    debit->bytes = bytes;
    if (!bytes) {
        tern__undebit(e, debit);
        return TERN__HOLD_WELL;
    }
    if (is_within(e, peer)) return TERN__HOLD_WELL;
    uint64_t limit = e->config.max_rx_bytes, share = limit / (e->n_holders + 1);
    bool is_over = e->held > limit + limit / SLACK && peer->network->account.held > share;
    return is_over ? TERN__HOLD_GIVE_UP : TERN__HOLD_NO_MORE;
}

void tern__uncharge(tern__session *s, uint64_t bytes) {
    if (bytes) count(s->engine, s->cold->peer, -(int64_t)bytes);
}

void tern__charge_becomes(tern__session *s, uint64_t bytes, tern__debit *debit) {
    if (!bytes) return;
    *debit = (tern__debit){s->cold->peer, bytes};
    tern__peer_keep(debit->peer);
}

bool tern__charge_debit(tern__session *s, uint64_t bytes, tern__debit *debit) {
    if (!tern__charge(s, bytes)) return false;
    if (debit->peer)
        debit->bytes += bytes;
    else
        tern__charge_becomes(s, bytes, debit);
    return true;
}

void tern__undebit(tern__engine *e, tern__debit *debit) {
    if (!debit->peer) return;
    count(e, debit->peer, -(int64_t)debit->bytes);
    tern__peer_let_go(e, debit->peer);
    *debit = (tern__debit){0};
}

static bool may_open(const tern__engine *e, const tern__account *account) {
    uint32_t max = e->config.max_sessions, idle = e->n_live < max ? max - e->n_live : 0;
    return account->n_sessions < TERN__FLOOR_SESSIONS + 2 * (uint64_t)idle;
}

bool tern__account_may_open(const tern__engine *e, const tern__peer *peer) {
    return may_open(e, &peer->account) && may_open(e, &peer->network->account);
}
