/* Two engines with sealed sessions and the wire between them (loop.h), and what tests of these do again and again. One
 * of each in a test program. */
#ifndef TERN_TESTS_SEAL_LOOP_H
#define TERN_TESTS_SEAL_LOOP_H

#include "engine/sealed.h"
#include "loop.h"
#include "seal/seal_check.h"

enum { OVERHEAD = 16, NUMBER_AT = 12, FLAGS_AT = 1, TAG_AT = 24, MAX_DERIVED = 16, ANY_BYTES = 2000 };

static loop l;
static seal_check check;

/* The test's cipher, and what its keys are made of. */
static tern__cipher spy;
static tern__seal_setup derived[MAX_DERIVED];
static unsigned n_derived;

static inline bool note_derive(void *user, const tern__seal_setup *setup, tern__seal_direction direction, void *key) {
    if (n_derived < MAX_DERIVED) derived[n_derived++] = *setup;
    return seal_check_cipher.derive(user, setup, direction, key);
}

static inline loop_config config_of(bool reliable) {
    check = (seal_check){0};
    spy = seal_check_cipher;
    spy.derive = note_derive;
    n_derived = 0;
    return (loop_config){.reliable = reliable, .engine = {.cipher = &spy, .cipher_user = &check}};
}

static inline void start(bool reliable, uint64_t key_packets) {
    loop_config config = config_of(reliable);
    config.engine.key_packets = key_packets;
    loop_init(&l, &config);
    loop_connect(&l);
    CHECK(l.session->s.sealed);
    CHECK_OK();
}

static inline void end(void) {
    loop_fini(&l);
    if (check.error[0]) printf("# %s\n", check.error);
    CHECK(!check.error[0]);
    CHECK_EQ(check.n_keys, 0);
    seal_check_fini(&check);
}

static inline tern__session *server(void) {
    const tern__engine *e = l.side[1].engine;
    for (uint32_t i = 0; i < e->n_table; i++)
        if (e->sessions[i]) return e->sessions[i];
    return NULL;
}

/* A call that works. */
static inline void expect_call(uint32_t bytes) {
    int i = loop_request(&l, bytes, 0);
    loop_settle(&l);
    CHECK(i >= 0 && l.calls[i].n_done == 1 && l.calls[i].status == TERN_STATUS_OK);
    CHECK(i < 0 || (l.calls[i].len == bytes && loop_is_pattern(l.calls[i].data, bytes)));
}

/* A copy of the nth packet that side has sent. Returns its length. */
static inline uint32_t copy_of(int side, unsigned n, uint8_t *out) {
    uint32_t len = 0;
    const uint8_t *p = loop_bytes(&l, side, n, &len);
    if (!p || len > ANY_BYTES) return 0;
    memcpy(out, p, len);
    return len;
}

static inline uint64_t n_dropped(int side) {
    tern__engine_stats stats = loop_stats(&l, side);
    return stats.rx_unopened + stats.rx_replayed;
}

#endif
