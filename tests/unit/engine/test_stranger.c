/* Packets of strangers: of other versions of the protocol, and of addresses that may not be theirs. What is answered is
 * never longer than what came, packet by packet. */
#include "engine/engine_record.h"
#include "loop.h"
#include "setup_packet.h"

static loop l;
static const tern__route to_server = {.len = 1, .bytes = {2}};

enum {
    OTHER_VERSION = (TERN__PKT_VERSION + 3) % 13 + 2,
    VERSIONS_BYTES = 40,
    NUMBER = 4711,
    LONGEST = 300,
};
static const uint64_t TOKEN = 0x1122334455667788;

static int open_session(void) {
    return tern__engine_connect(l.side[0].engine, &l.side[0].link, &to_server, &l, l.now, &l.session);
}

/* Hand the server these bytes. Returns the bytes of its answer, or 0; first: the packet, if that is wanted. */
static uint32_t answer_to(const uint8_t *bytes, uint32_t len, uint8_t *first) {
    uint32_t sum = 0, answer_bytes;
    loop_inject(&l, 1, bytes, len);
    for (unsigned i = 0; i < l.side[1].n_queued; i++) {
        const uint8_t *p = loop_bytes(&l, 1, i, &answer_bytes);
        if (first && sum == 0) memcpy(first, p, answer_bytes);
        sum += answer_bytes;
    }
    while (loop_drop(&l, 1, 0)) continue;
    l.now += TERN_MS; /* within the ration */
    return sum;
}

/* ---- Other versions ------------------------------------------------------------------------------- */

/* A CONNECT of a version to come: only what is the same in all versions. */
static void write_other_connect(uint8_t *p, uint32_t len) {
    memset(p, 0xee, len);
    p[0] = OTHER_VERSION << 4 | TERN__PKT_CONNECT;
    tern__store64(p + 24, TOKEN);
    tern__store32(p + 40, NUMBER);
}

static void version__unknown_is_answered_by_ours(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        loop_init(&l, &(loop_config){.reliable = reliable});
        uint8_t p[TERN__CONNECT_BYTES], got[TERN__CONNECT_BYTES] = {0};
        write_other_connect(p, sizeof p);
        CHECK_EQ(answer_to(p, sizeof p, got), VERSIONS_BYTES);
        CHECK_EQ(got[0], TERN__PKT_VERSIONS); /* of no version */
        CHECK_EQ(tern__load32(got + 4), NUMBER);
        CHECK_EQ(tern__load64(got + 24), TOKEN);
        CHECK_EQ(tern__load64(got + 32), TERN__PKT_VERSION);
        CHECK_EQ(loop_stats(&l, 1).rx_dropped, 1);
        for (uint32_t len = 0; len < 44; len++) CHECK_EQ(answer_to(p, len, NULL), 0);
        p[0] = OTHER_VERSION << 4 | TERN__PKT_VERSIONS;
        CHECK_EQ(answer_to(p, sizeof p, NULL), 0);
        p[0] = TERN__PKT_VERSIONS;
        CHECK_EQ(answer_to(p, sizeof p, NULL), 0);
        loop_fini(&l);
        CHECK_OK();
    }
}

static void version__answers_are_rationed(void) {
    loop_init(&l, &(loop_config){0});
    uint8_t p[TERN__CONNECT_BYTES];
    write_other_connect(p, sizeof p);
    l.now = 10 * TERN_SEC;
    for (int i = 0; i < 1000; i++) loop_inject(&l, 1, p, sizeof p);
    CHECK(l.side[1].n_queued >= 128 && l.side[1].n_queued <= 130);
    loop_fini(&l);
}

/* The server's versions, in answer to the CONNECT that waits. */
static void write_versions(uint8_t *p, const uint8_t *versions, uint32_t n) {
    uint32_t len;
    const uint8_t *connect = loop_bytes(&l, 0, 0, &len);
    memset(p, 0, VERSIONS_BYTES);
    p[0] = TERN__PKT_VERSIONS;
    memcpy(p + 4, connect + 40, 4);
    memcpy(p + 24, connect + 24, 8);
    memcpy(p + 32, versions, n);
}

static void version__none_in_common_ends_calls_clearly(void) {
    static const uint8_t versions[] = {OTHER_VERSION, 15, 200};
    loop_init(&l, &(loop_config){0});
    CHECK_EQ(open_session(), 0);
    loop_request(&l, 10, 0);
    uint8_t p[VERSIONS_BYTES];
    write_versions(p, versions, sizeof versions);
    loop_inject(&l, 0, p, sizeof p);
    uint16_t code, detail;
    CHECK_EQ(l.n_lost, 1);
    CHECK_EQ(l.calls[0].status, TERN_STATUS_UNIMPLEMENTED);
    CHECK_EQ(tern__engine_session_loss(l.session, &code, &detail), TERN__WHY_REFUSED);
    CHECK_EQ(code, TERN__REFUSE_VERSION);
    CHECK_EQ(detail, 1u << OTHER_VERSION | 1u << 15);
    char text[64], expected[64];
    tern__loss_format(TERN__WHY_REFUSED, code, detail, text, sizeof text);
    snprintf(expected, sizeof expected, "refused: version %u; the peer has %u 15", TERN__PKT_VERSION, OTHER_VERSION);
    CHECK(strcmp(text, expected) == 0);
    loop_fini(&l);
}

/* Without the token, with a list that has our version, too short, or later than the ACCEPT: it changes nothing. */
static void version__lists_that_prove_nothing(void) {
    static const uint8_t other[] = {OTHER_VERSION}, ours[] = {OTHER_VERSION, TERN__PKT_VERSION};
    for (int wrong = 0; wrong < 5; wrong++) {
        loop_init(&l, &(loop_config){0});
        CHECK_EQ(open_session(), 0);
        uint8_t p[VERSIONS_BYTES];
        write_versions(p, wrong == 3 ? ours : other, wrong == 3 ? 2 : 1);
        if (wrong == 0) p[24] ^= 1;
        if (wrong == 1) p[4] ^= 1;
        if (wrong == 4) loop_settle(&l);
        uint64_t dropped = loop_stats(&l, 0).rx_dropped;
        loop_inject(&l, 0, p, wrong == 2 ? sizeof p - 1 : sizeof p);
        CHECK_EQ(loop_stats(&l, 0).rx_dropped, dropped + 1);
        CHECK_EQ(l.n_lost, 0);
        loop_settle(&l);
        CHECK_EQ(l.n_up, 1);
        loop_fini(&l);
        CHECK_OK();
    }
}

/* ---- Amplification -------------------------------------------------------------------------------- */

static uint64_t sent, answered;

static void try_packet(const uint8_t *p, uint32_t len) {
    uint32_t answer = answer_to(p, len, NULL);
    if (answer > len) printf("# %u bytes are answered to %u, first byte %02x, flags %02x\n", answer, len, p[0], p[1]);
    CHECK(answer <= len);
    sent += len;
    answered += answer;
}

/* Packets of each type and version, with a tag and without, of each length. */
static void try_all_packets(void) {
    uint8_t p[LONGEST];
    for (unsigned first = 0; first < 256 && !tap_failed; first++) {
        for (uint32_t len = 0; len <= LONGEST && !tap_failed; len += len < 72 ? 1 : 19) {
            memset(p, 0, sizeof p);
            p[0] = (uint8_t)first;
            p[1] = len & 1 ? TERN__PKT_TAG : 0;
            tern__store32(p + 4, 99);
            tern__store64(p + 24, TOKEN);
            try_packet(p, len);
        }
    }
}

/* CONNECTs that are in order but for the cookie, and some that are not. */
static void try_connects(void) {
    uint8_t p[TERN__CONNECT_BYTES];
    for (unsigned i = 0; i < 64; i++) {
        tern__setup setup = setup_usual(TOKEN + i, NUMBER, i & 1 ? i : 0);
        if (i & 2) setup.max_packet = 3;
        setup_connect(&setup, p);
        for (uint32_t len = 24; len <= sizeof p; len++) {
            tern__pkt_header h = {.type = TERN__PKT_CONNECT, .size = len - 24};
            tern__pkt_write(&h, p);
            try_packet(p, len);
        }
        if (tap_failed) return;
    }
}

static void stranger__gets_no_more_bytes_than_he_sent(void) {
    for (int drains = 0; drains < 2; drains++) {
        loop_init(&l, &(loop_config){.engine.max_sessions = 4});
        if (drains) tern__engine_drain(l.side[1].engine, l.now + 3600 * (tern_time)TERN_SEC, l.now);
        sent = answered = 0;
        try_all_packets();
        try_connects();
        printf("# %llu bytes sent, %llu answered\n", (unsigned long long)sent, (unsigned long long)answered);
        CHECK(answered > 0 && answered < sent);
        CHECK_EQ(loop_stats(&l, 1).sessions_open, 0);
        loop_fini(&l);
        CHECK_OK();
    }
}

/* What is not padded gets nothing, however good it is, but where addresses need no proof. */
static void stranger__who_does_not_pad(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        loop_init(&l, &(loop_config){.reliable = reliable});
        uint8_t p[TERN__CONNECT_BYTES];
        tern__setup setup = setup_usual(TOKEN, NUMBER, 0);
        tern__pkt_header h = {.type = TERN__PKT_CONNECT};
        tern__pkt_write(&h, p);
        for (uint32_t pad = 0; pad <= TERN__CONNECT_BYTES - 24; pad += 8) {
            uint32_t len = 24 + tern__setup_write(&setup, pad, p + 24);
            CHECK_EQ(answer_to(p, len, NULL) > 0, reliable || len == TERN__CONNECT_BYTES);
        }
        loop_fini(&l);
        CHECK_OK();
    }
}

/* A CONNECT that is seen on its way and sent again in its client's name: its ACCEPT is not longer, either. */
static void stranger__who_repeats_a_connect(void) {
    loop_init(&l, &(loop_config){0});
    CHECK_EQ(open_session(), 0);
    loop_deliver(&l, 0, 0);
    loop_deliver(&l, 1, 0);
    uint32_t len;
    uint8_t p[TERN__CONNECT_BYTES];
    const uint8_t *connect = loop_bytes(&l, 0, 0, &len);
    CHECK_EQ(len, TERN__CONNECT_BYTES);
    memcpy(p, connect, len);
    for (int i = 0; i < 3; i++) {
        uint8_t got[TERN__CONNECT_BYTES];
        uint32_t answer = answer_to(p, len, got);
        CHECK(answer > 0 && answer <= len);
        CHECK_EQ(got[0] & 15, TERN__PKT_ACCEPT);
    }
    loop_fini(&l);
}

TAP_MAIN(TEST(version__unknown_is_answered_by_ours), TEST(version__answers_are_rationed),
         TEST(version__none_in_common_ends_calls_clearly), TEST(version__lists_that_prove_nothing),
         TEST(stranger__gets_no_more_bytes_than_he_sent), TEST(stranger__who_does_not_pad),
         TEST(stranger__who_repeats_a_connect))
