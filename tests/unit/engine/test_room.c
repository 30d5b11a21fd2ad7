/* The room that the protocol keeps for later (docs/protocol.md, Room): what a receiver skips, ignores or refuses, so
 * that a later version may put it to use. */
#include "engine/engine_record.h"
#include "loop.h"

enum { B2_AT = 2, BYTES = 24 };

static loop l;

static void start(bool reliable) {
    loop_init(&l, &(loop_config){.reliable = reliable});
    loop_connect(&l);
}

static uint64_t n_dropped(int side) { return loop_stats(&l, side).rx_dropped; }

/* Type 15, whatever its subtype, its flags and its session, to either side. Dropped, and nothing comes back. */
static void extension__is_skipped(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        start(reliable);
        CHECK_OK();
        for (int i = 0; i < 1024; i++) {
            int to = i & 1;
            uint8_t p[64] = {TERN__PKT_VERSION << 4 | TERN__PKT_EXTENSION, (uint8_t)(i >> 1), (uint8_t)(i >> 2)};
            tern__store32(p + 4, i & 4 ? to ? l.session->s.peer_number : l.session->s.number : (uint32_t)i);
            uint64_t dropped = n_dropped(to);
            loop_inject(&l, to, p, i & 8 ? sizeof p : TERN__PKT_HEADER_BYTES);
            CHECK_EQ(n_dropped(to), dropped + 1);
            CHECK(!loop_bytes(&l, to, 0, &(uint32_t){0}));
        }
        int call = loop_request(&l, 10, 0);
        loop_settle(&l);
        CHECK_EQ(l.calls[call].status, TERN_STATUS_OK);
        loop_fini(&l);
        CHECK_OK();
    }
}

/* It is told apart from what is malformed. */
static void extension__is_no_malformed_packet(void) {
    uint8_t p[TERN__PKT_HEADER_BYTES] = {TERN__PKT_VERSION << 4 | TERN__PKT_EXTENSION, UINT8_MAX, 7};
    tern__pkt_header h;
    CHECK_EQ(tern__pkt_read(&h, p, sizeof p, sizeof p), TERN__PKT_HEADER_BYTES);
    CHECK_EQ(h.type, TERN__PKT_EXTENSION);
    CHECK_EQ(tern__pkt_read(&h, p, sizeof p - 1, sizeof p - 1), 0);
    CHECK(tern__drop_name(TERN__DROP_EXTENSION)[0] == 'e');
}

/* Have the next packet that `side` has sent say `bits` besides its format. */
static void spoil(int side, uint8_t bits) {
    uint32_t len;
    uint8_t *p = loop_bytes(&l, side, 0, &len);
    CHECK(p && len >= BYTES);
    if (p) p[B2_AT] |= bits;
}

/* A priority changes nothing. */
static void priority__is_ignored(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        for (uint32_t len = 10; len < 5000; len += 3000) {
            for (unsigned priority = 1; priority < 8; priority++) {
                start(reliable);
                CHECK_OK();
                int call = loop_request(&l, len, 0);
                for (int n = 0; n < 64 && !l.n_done; n++) {
                    uint32_t bytes;
                    for (int side = 0; side < 2; side++) {
                        const uint8_t *p = loop_bytes(&l, side, 0, &bytes);
                        if (!p) continue;
                        uint8_t type = p[0] & 15;
                        if (type == TERN__PKT_REQ || type == TERN__PKT_RESP) spoil(side, (uint8_t)(priority << 5));
                        CHECK(loop_deliver(&l, side, 0));
                    }
                }
                CHECK_EQ(l.calls[call].status, TERN_STATUS_OK);
                CHECK_EQ(l.calls[call].len, len);
                CHECK_EQ(l.calls[call].format, TERN_FORMAT_RAW);
                CHECK_EQ(n_dropped(0) + n_dropped(1), 0);
                loop_fini(&l);
                CHECK_OK();
            }
        }
    }
}

/* A request that is compressed, or of a format to come, ends with UNIMPLEMENTED, and its handler has not begun. */
static void compression__of_a_request(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        for (uint8_t bits = 3; bits < 32; bits++) {
            start(reliable);
            CHECK_OK();
            int call = loop_request(&l, bits % 2 ? 10 : 3000, 0);
            for (uint32_t n = 0, len; n < 3 && loop_bytes(&l, 0, n, &len); n++)
                loop_bytes(&l, 0, n, &len)[B2_AT] |= bits;
            loop_settle(&l);
            CHECK_EQ(loop_stats(&l, 1).calls_served, 0);
            CHECK_EQ(l.calls[call].status, TERN_STATUS_UNIMPLEMENTED);
            CHECK(l.calls[call].not_run);
            loop_fini(&l);
            CHECK_OK();
        }
    }
}

/* The same of a response, whose handler has run. */
static void compression__of_a_response(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        for (uint8_t bits = 3; bits < 32; bits++) {
            start(reliable);
            CHECK_OK();
            int call = loop_request(&l, 10, 0);
            CHECK(loop_deliver(&l, 0, 0));
            spoil(1, bits);
            CHECK(loop_deliver(&l, 1, 0));
            CHECK_EQ(l.calls[call].n_done, 1);
            CHECK_EQ(l.calls[call].status, TERN_STATUS_UNIMPLEMENTED);
            CHECK(!l.calls[call].not_run);
            loop_settle(&l);
            loop_fini(&l);
            CHECK_OK();
        }
    }
}

TAP_MAIN(TEST(extension__is_skipped), TEST(extension__is_no_malformed_packet), TEST(priority__is_ignored),
         TEST(compression__of_a_request), TEST(compression__of_a_response))
