/* Sums of what is held (held.h). */
#include "held.h"

#include "engine/arriving.h"
#include "engine/message_record.h"
#include "engine/server_record.h"
#include "engine/stream_record.h"
#include "fuzz.h"
#include "mem/pool.h"

/* Of the whole buffer in which this lies. */
static uint64_t buffer_bytes(const void *at) {
    size_t bytes = 0;
    return at && tern_recover(at, &bytes) ? bytes : 0;
}

/* A message begins in a buffer that is its own whole. The memory behind a sparse one grows with what has come, some
 * steps ahead: any number in its bounds will do. */
static uint64_t request_bytes(const tern__request *request) {
    if (!request->buffer) return 0;
    if (!tern__is_sparse(request->buffer)) return buffer_bytes(request->buffer);
    uint64_t n_come = request->base + (request->mask ? 64 - (uint32_t)__builtin_clzll(request->mask) : 0);
    uint64_t reach = n_come * request->cut < request->size ? n_come * request->cut : request->size;
    return request->charged_bytes >= reach && request->charged_bytes <= 2 * reach ? request->charged_bytes : reach;
}

static uint64_t response_bytes(const tern__out *out) {
    if (!out) return 0;
    if (out->spare) return out->spare == TERN__LONG_SPARE ? TERN__LONG_SPARE_BYTES : TERN__SPARE_BYTES;
    uint64_t sum = buffer_bytes(out);
    for (uint32_t i = 0; i < out->n_segs; i++) {
        size_t bytes;
        const void *buffer = tern_recover(out->segs[i].data, &bytes);
        bool counted = !buffer || buffer == tern_recover(out, &bytes);
        for (uint32_t k = 0; k < i; k++) counted |= buffer == tern_recover(out->segs[k].data, &bytes);
        if (!counted) sum += buffer_bytes(buffer);
    }
    return sum;
}

/* What waits to be sent counts in steps, and a step stays: any number in its bounds will do. */
static uint64_t output_bytes(const tern__stream *st) {
    enum { STEPS_BYTES = 64 << 10 };
    uint64_t waiting = st->tx_end - st->tx_front, block = st->tx_meta_bytes;
    bool is_right = st->tx_charged + block >= waiting && st->tx_charged <= waiting + STEPS_BYTES;
    return is_right ? st->tx_charged : waiting;
}

static uint64_t stream_bytes(const tern__stream *st) {
    uint64_t sum = sizeof(tern__request) + sizeof *st + buffer_bytes(st->rx_meta) + output_bytes(st);
    if (!st->loss) return sum;
    sum += sizeof *st->loss;
    if (!st->loss->early) return sum;
    sum += buffer_bytes(st->loss->early);
    for (uint32_t i = 0; i < TERN__WIN_PKTS; i++) sum += buffer_bytes(st->loss->early[i].data);
    return sum;
}

static held_of_peer *of_peer(held_sums *sums, const tern__peer *peer) {
    for (unsigned i = 0; i < sums->n_peers; i++)
        if (sums->peers[i].peer == peer) return &sums->peers[i];
    FUZZ_CHECK(sums->n_peers < HELD_MAX_PEERS);
    sums->peers[sums->n_peers] = (held_of_peer){.peer = peer};
    return &sums->peers[sums->n_peers++];
}

static void add_request(held_sums *sums, held_of_peer *of, const tern__request *request) {
    uint64_t kept = response_bytes(request->out);
    of->bytes += request_bytes(request) + kept;
    of->n_receiving += request->state == TERN__REQUEST_RECEIVING;
    of->n_kept += request->out != NULL;
    sums->kept_bytes += kept;
}

static void add_session(held_sums *sums, const tern__ssession *ss) {
    held_of_peer *of = of_peer(sums, ss->s.cold->peer);
    of->n_sessions++;
    for (uint32_t taken = ss->taken; taken; taken &= taken - 1)
        add_request(sums, of, tern__request_at(ss, (uint32_t)__builtin_ctz(taken)));
    const tern__node *orphans = &ss->s.scold->orphans;
    for (tern__node *node = orphans->next; node != orphans; node = node->next)
        add_request(sums, of, TERN__CONTAINER(node, tern__request, node));
    for (uint32_t open = tern__open_streams(ss); open; open &= open - 1)
        of->bytes += stream_bytes(tern__stream_at(ss, (uint32_t)__builtin_ctz(open))->stream);
}

void held_begin(held_sums *sums, const tern__engine *e) {
    *sums = (held_sums){.engine = e};
    for (uint32_t i = 0; i < e->n_table; i++)
        if (e->sessions[i]) add_session(sums, (const tern__ssession *)e->sessions[i]);
}

void held_add_debit(held_sums *sums, const tern__debit *debit) {
    if (debit->peer) of_peer(sums, debit->peer)->bytes += debit->bytes;
}

static unsigned length_of(const tern__node *list) {
    unsigned n = 0;
    for (const tern__node *node = list->next; node != list; node = node->next) n++;
    return n;
}

static bool is_right(const held_of_peer *of) {
    const tern__peer *peer = of->peer;
    return peer->account.held == of->bytes && peer->account.n_sessions == of->n_sessions &&
           length_of(&peer->receiving) == of->n_receiving && length_of(&peer->kept) == of->n_kept;
}

/* The networks that hold something are in the lists of their weights, each once. */
static bool are_weights_right(const tern__engine *e) {
    unsigned n = 0;
    for (unsigned i = 0; i < 64; i++) {
        const tern__node *list = &e->weights[i];
        if (tern__list_empty(list) == (e->weights_used >> i & 1)) return false;
        for (tern__node *node = list->next; node != list; node = node->next, n++)
            if (TERN__CONTAINER(node, tern__network, weight)->account.held >> i != 1) return false;
    }
    return n == e->n_holders;
}

static bool is_network_right(const held_sums *sums, const tern__network *network, unsigned *n_holders) {
    uint64_t bytes = 0;
    uint32_t n_sessions = 0, n_peers = 0;
    for (unsigned i = 0; i < sums->n_peers; i++) {
        if (sums->peers[i].peer->network != network) continue;
        bytes += sums->peers[i].bytes;
        n_sessions += sums->peers[i].n_sessions;
        n_peers++;
    }
    *n_holders += bytes > 0;
    return network->account.held == bytes && network->account.n_sessions == n_sessions &&
           length_of(&network->peers) == n_peers;
}

const char *held_difference(const held_sums *sums) {
    const tern__engine *e = sums->engine;
    uint64_t bytes = 0;
    unsigned n_peers = 0, n_holders = 0;
    static char text[160];
    for (unsigned i = 0; i < sums->n_peers; i++) {
        const held_of_peer *of = &sums->peers[i];
        bytes += of->bytes;
        if (is_right(of)) continue;
        snprintf(text, sizeof text, "a route has %llu bytes on its account, and really %llu",
                 (unsigned long long)of->peer->account.held, (unsigned long long)of->bytes);
        return text;
    }
    for (uint32_t i = 0; i < e->n_table; i++) {
        for (const tern__peer *peer = e->peers[i]; peer; peer = peer->next) n_peers++;
        for (const tern__network *network = e->networks[i]; network; network = network->next)
            if (!is_network_right(sums, network, &n_holders)) return "a network's account";
    }
    if (n_peers != sums->n_peers) return "peers for which nothing is there, or that are in no table";
    if (n_holders != e->n_holders || !are_weights_right(e)) return "the networks' weights";
    if (e->held != bytes) return "the endpoint's account";
    return e->kept_bytes == sums->kept_bytes ? NULL : "the bytes of kept responses";
}

bool held_is_nothing(const tern__engine *e, unsigned n_peers) {
    for (uint32_t i = 0; i < e->n_table; i++)
        for (const tern__peer *peer = e->peers[i]; peer; peer = peer->next) n_peers--;
    return n_peers == 0 && e->held == 0 && e->kept_bytes == 0 && e->n_holders == 0 && e->weights_used == 0;
}
