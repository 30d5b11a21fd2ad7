/* Cookies for connecting clients, and how many are given out. */
#include "engine/gate.h"

#include "base/siphash.h"

static void new_key(tern__gate *gate, uint64_t key[2]) {
    key[0] = gate->random(gate->user);
    key[1] = gate->random(gate->user);
}

void tern__gate_init(tern__gate *gate, uint64_t (*random)(void *user), void *user) {
    memset(gate, 0, sizeof *gate);
    gate->random = random;
    gate->user = user;
    new_key(gate, gate->keys[0]);
    new_key(gate, gate->keys[1]);
    new_key(gate, gate->bucket_key);
}

/* The epoch's key is made by the first CONNECT that comes in it. After a pause of more than an epoch nothing that was
 * given out before is good any more. */
static uint64_t enter_epoch(tern__gate *gate, tern_time now) {
    uint64_t epoch = now >> TERN__GATE_EPOCH_BITS;
    if (epoch == gate->epoch) return epoch;
    if (epoch != gate->epoch + 1) new_key(gate, gate->keys[~epoch & 1]);
    new_key(gate, gate->keys[epoch & 1]);
    gate->epoch = epoch;
    return epoch;
}

static uint64_t make_cookie(const tern__gate *gate, const tern__gate_client *client, uint64_t epoch) {
    uint8_t bytes[sizeof *client->route + 20];
    memcpy(bytes, client->route, sizeof *client->route);
    tern__store64(bytes + sizeof *client->route, client->token);
    tern__store32(bytes + sizeof *client->route + 8, client->number);
    tern__store64(bytes + sizeof *client->route + 12, epoch);
    uint64_t cookie = tern__siphash(gate->keys[epoch & 1], bytes, sizeof bytes);
    return cookie ? cookie : 1; /* a CONNECT with 0 has none */
}

/* Whether a bucket that gives one per gap, and at most `burst` at once, has one left. *at is when it will be full. */
static bool has_left(tern_time *at, tern_dur gap, uint32_t burst, tern_time now) {
    if (*at < now) *at = now;
    return *at + (tern_time)gap <= now + (tern_time)gap * burst;
}

uint64_t tern__gate_cookie(tern__gate *gate, const tern__gate_client *client, uint64_t network, tern_time now) {
    uint64_t bucket = tern__siphash(gate->bucket_key, &network, sizeof network) % TERN__GATE_BUCKETS;
    tern_time *at = &gate->network_at[bucket];
    if (!has_left(at, TERN__GATE_NETWORK_GAP, TERN__GATE_NETWORK_BURST, now)) return 0;
    if (!has_left(&gate->all_at, TERN__GATE_GAP, TERN__GATE_BURST, now)) return 0;
    *at += TERN__GATE_NETWORK_GAP;
    gate->all_at += TERN__GATE_GAP;
    return make_cookie(gate, client, enter_epoch(gate, now));
}

bool tern__gate_is_open(tern__gate *gate, const tern__gate_client *client, uint64_t cookie, tern_time now) {
    if (!cookie) return false;
    uint64_t epoch = enter_epoch(gate, now);
    return make_cookie(gate, client, epoch) == cookie || make_cookie(gate, client, epoch - 1) == cookie;
}
