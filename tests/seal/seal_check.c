#include "seal_check.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/rng.h"
#include "base/siphash.h"
#include "engine/packet.h"

enum { OVERHEAD = 16, LIVE = 0x6b657921 };

typedef struct test_key {
    uint64_t words[2]; /* words[0] is never 0 */
    uint64_t live;     /* LIVE until the key is wiped */
} test_key;

static void fail(seal_check *check, const char *what, uint64_t number) {
    if (!check->error[0])
        snprintf(check->error, sizeof check->error, "%s (number %llu)", what, (unsigned long long)number);
}

static void expect_live(seal_check *check, const test_key *key, const char *what) {
    if (key->live != LIVE) fail(check, what, 0);
}

/* ---- The witness ---------------------------------------------------------------------------------- */

static size_t place_of(const seal_entry *entries, size_t room, uint64_t key, uint64_t number) {
    size_t i = tern__mix64(key ^ tern__mix64(number)) & (room - 1);
    while (entries[i].key && (entries[i].key != key || entries[i].number != number)) i = (i + 1) & (room - 1);
    return i;
}

static void grow(seal_check *check) {
    enum { FIRST = 1024 };
    size_t room = check->room ? 2 * check->room : FIRST;
    seal_entry *entries = calloc(room, sizeof *entries);
    if (!entries) abort();
    for (size_t i = 0; i < check->room; i++)
        if (check->entries[i].key)
            entries[place_of(entries, room, check->entries[i].key, check->entries[i].number)] = check->entries[i];
    free(check->entries);
    check->entries = entries;
    check->room = room;
}

static void note_sealed(seal_check *check, const test_key *key, uint64_t number, uint64_t hash) {
    if (2 * check->n_entries >= check->room) grow(check);
    seal_entry *entry = &check->entries[place_of(check->entries, check->room, key->words[0], number)];
    if (!entry->key) check->n_entries++;
    if (entry->key && entry->hash != hash) fail(check, "a number was sealed twice with other bytes", number);
    *entry = (seal_entry){key->words[0], number, hash};
}

void seal_check_fini(seal_check *check) {
    free(check->entries);
    *check = (seal_check){0};
}

/* ---- The cipher ----------------------------------------------------------------------------------- */

static void derived(seal_check *check, test_key *key) {
    key->words[0] |= 1;
    key->live = LIVE;
    check->n_keys++;
}

static bool derive(void *user, const tern__seal_setup *setup, tern__seal_direction direction, void *key) {
    static const uint64_t fixed[2] = {1, 2};
    uint64_t all[8] = {setup->token,       setup->nonce,
                       setup->incarnation, setup->client_tag,
                       setup->server_tag,  (uint64_t)setup->client_number << 32 | setup->server_number,
                       direction};
    seal_check *check = user;
    test_key *own = key;
    if (check->refuses_derive) return false;
    for (unsigned i = 0; i < 2; i++) {
        all[7] = i;
        own->words[i] = tern__siphash(fixed, all, sizeof all);
    }
    derived(check, own);
    return true;
}

static bool next(void *user, const void *key, void *result) {
    seal_check *check = user;
    const test_key *from = key;
    test_key *to = result;
    expect_live(check, from, "the next key of one that was wiped");
    if (check->refuses_next) return false;
    for (unsigned i = 0; i < 2; i++) to->words[i] = tern__siphash(from->words, &i, sizeof i);
    derived(check, to);
    return true;
}

static void wipe(void *user, void *key) {
    seal_check *check = user;
    expect_live(check, key, "a key was wiped twice");
    memset(key, 0, sizeof(test_key));
    check->n_keys--;
}

/* Adds the keystream from byte `at` of the payload on. */
static void add_keystream(const test_key *key, uint64_t number, uint32_t at, const uint8_t *in, uint32_t len,
                          uint8_t *out) {
    uint64_t stream = 0;
    for (uint32_t i = 0; i < len; i++, at++) {
        if (i == 0 || at % 8 == 0) stream = tern__mix64(key->words[0] + tern__mix64(key->words[1] ^ number) + at / 8);
        out[i] = in[i] ^ (uint8_t)(stream >> (at % 8 * 8));
    }
}

/* Of header and ciphertext. */
static void authenticate(const test_key *key, const tern__seal_packet *packet, const uint8_t *sealed, uint32_t len,
                         uint64_t sum[2]) {
    for (unsigned i = 0; i < 2; i++) {
        uint64_t words[2] = {key->words[0] ^ packet->number, key->words[1] + i};
        words[0] ^= tern__siphash(words, packet->header, packet->header_bytes);
        sum[i] = tern__siphash(words, sealed, len);
    }
}

/* Of what is sealed, but not of what is already where its ciphertext goes. */
static uint64_t hash_of(const tern__span *in, uint32_t n_in, const uint8_t *out) {
    static const uint64_t fixed[2] = {3, 4};
    uint64_t hash = 0;
    for (uint32_t i = 0; i < n_in; i++)
        if (in[i].data != out) hash = tern__mix64(hash ^ tern__siphash(fixed, in[i].data, in[i].len));
    return hash;
}

static bool seal(void *user, const void *key, const tern__seal_packet *packet, const tern__span *in, uint32_t n_in,
                 uint8_t *out) {
    seal_check *check = user;
    uint64_t before = hash_of(in, n_in, out), sum[2];
    uint32_t len = 0;
    expect_live(check, key, "a packet is sealed with a key that was wiped");
    if (check->refuses_seal) return false;
    for (uint32_t i = 0; i < n_in; i++) {
        add_keystream(key, packet->number, len, in[i].data, in[i].len, out + len);
        len += in[i].len;
    }
    authenticate(key, packet, out, len, sum);
    memcpy(out + len, sum, OVERHEAD);
    if (hash_of(in, n_in, out) != before) fail(check, "a value changed while it was sealed", packet->number);
    note_sealed(check, key, packet->number, sum[0]);
    check->n_sealed++;
    return true;
}

static bool open(void *user, const void *key, const tern__seal_packet *packet, const uint8_t *in, uint32_t in_bytes,
                 uint8_t *out) {
    seal_check *check = user;
    uint64_t sum[2];
    uint32_t len = in_bytes - OVERHEAD;
    expect_live(check, key, "a packet is opened with a key that was wiped");
    authenticate(key, packet, in, len, sum);
    if (memcmp(in + len, sum, OVERHEAD) != 0) {
        memset(out, 0xcc, len); /* nobody may look at it */
        check->n_unopened++;
        return false;
    }
    add_keystream(key, packet->number, 0, in, len, out);
    check->n_opened++;
    return true;
}

const tern__cipher seal_check_cipher = {"test", 0x7e57, OVERHEAD, sizeof(test_key), derive, next, wipe, seal, open};
const tern__cipher seal_check_other_cipher = {"other", 0x7e58, OVERHEAD, sizeof(test_key), derive, next,
                                              wipe,    seal,   open};
