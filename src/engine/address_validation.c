/* Cookies for connecting clients, and how many are given out. */
#include "engine/address_validation.h"

#include "base/siphash.h"

static void new_key(tern__validation *validation, uint64_t key[2]) {
    key[0] = validation->random(validation->user);
    key[1] = validation->random(validation->user);
}

void tern__validation_init(tern__validation *validation, uint64_t (*random)(void *user), void *user) {
    memset(validation, 0, sizeof *validation);
    validation->random = random;
    validation->user = user;
    new_key(validation, validation->keys[0]);
    new_key(validation, validation->keys[1]);
    new_key(validation, validation->bucket_key);
}

/* The epoch's key is made by the first CONNECT that comes in it. After a pause of more than an epoch nothing that was
 * given out before is good any more. */
static uint64_t enter_epoch(tern__validation *validation, tern_time now) {
    uint64_t epoch = now >> TERN__VALIDATION_EPOCH_BITS;
    if (epoch == validation->epoch) return epoch;
    if (epoch != validation->epoch + 1) new_key(validation, validation->keys[~epoch & 1]);
    new_key(validation, validation->keys[epoch & 1]);
    validation->epoch = epoch;
    return epoch;
}

static uint64_t make_cookie(const tern__validation *validation, const tern__validation_client *client, uint64_t epoch) {
    uint8_t bytes[sizeof *client->route + 20];
    memcpy(bytes, client->route, sizeof *client->route);
    tern__store64(bytes + sizeof *client->route, client->token);
    tern__store32(bytes + sizeof *client->route + 8, client->number);
    tern__store64(bytes + sizeof *client->route + 12, epoch);
    uint64_t cookie = tern__siphash(validation->keys[epoch & 1], bytes, sizeof bytes);
    return cookie ? cookie : 1; /* a CONNECT with 0 has none */
}

/* Whether a bucket that gives one per gap, and at most `burst` at once, has one left. *at is when it will be full. */
static bool has_left(tern_time *at, tern_dur gap, uint32_t burst, tern_time now) {
    if (*at < now) *at = now;
    return *at + (tern_time)gap <= now + (tern_time)gap * burst;
}

uint64_t tern__validation_cookie(tern__validation *validation, const tern__validation_client *client, uint64_t network,
                                 tern_time now) {
    uint64_t bucket = tern__siphash(validation->bucket_key, &network, sizeof network) % TERN__VALIDATION_BUCKETS;
    tern_time *at = &validation->network_at[bucket];
    if (!has_left(at, TERN__VALIDATION_NETWORK_GAP, TERN__VALIDATION_NETWORK_BURST, now)) return 0;
    if (!has_left(&validation->all_at, TERN__VALIDATION_GAP, TERN__VALIDATION_BURST, now)) return 0;
    *at += TERN__VALIDATION_NETWORK_GAP;
    validation->all_at += TERN__VALIDATION_GAP;
    return make_cookie(validation, client, enter_epoch(validation, now));
}

bool tern__validation_is_open(tern__validation *validation, const tern__validation_client *client, uint64_t cookie,
                              tern_time now) {
    if (!cookie) return false;
    uint64_t epoch = enter_epoch(validation, now);
    return make_cookie(validation, client, epoch) == cookie || make_cookie(validation, client, epoch - 1) == cookie;
}
