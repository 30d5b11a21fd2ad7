/* Sealed sessions (engine/sealed.h), packet by packet. */
#include "engine/control.h"
#include "engine/dispatch.h"
#include "engine/session.h"
#include "mem/pool.h"
#include "seal_loop.h"

/* ---- Every packet --------------------------------------------------------------------------------- */

static uint32_t types_seen;
static uint64_t n_seen;

/* Delivers what is on its way, and notes its types. Nothing of a payload is readable. */
static void settle_noting(void) {
    do {
        loop_tick(&l);
        for (int side = 0; side < 2; side++) {
            uint32_t len;
            const uint8_t *p = loop_bytes(&l, side, 0, &len);
            if (!p) continue;
            uint8_t type = p[0] & 15;
            if (tern__is_sealed_type(type)) {
                types_seen |= 1u << type;
                n_seen++;
                CHECK(tern__load32(p + NUMBER_AT) != 0);
                for (uint32_t i = TERN__PKT_HEADER_BYTES + 8; i + 24 < len; i++) {
                    bool shows = p[i + 1] == (uint8_t)(p[i] + 7) && p[i + 2] == (uint8_t)(p[i] + 14) &&
                                 p[i + 3] == (uint8_t)(p[i] + 21) && p[i + 4] == (uint8_t)(p[i] + 28) &&
                                 p[i + 5] == (uint8_t)(p[i] + 35) && p[i + 6] == (uint8_t)(p[i] + 42);
                    CHECK(!shows);
                }
            }
            loop_deliver(&l, side, 0);
        }
        loop_tick(&l);
    } while (l.side[0].first || l.side[1].first);
}

static void packets__of_every_type_are_sealed(void) {
    const uint32_t all = 1u << TERN__PKT_REQ | 1u << TERN__PKT_CR | 1u << TERN__PKT_RFR | 1u << TERN__PKT_RESP |
                         1u << TERN__PKT_DISCONNECT | 1u << TERN__PKT_DISCONNECTED | 1u << TERN__PKT_PING |
                         1u << TERN__PKT_PONG | 1u << TERN__PKT_CANCEL | 1u << TERN__PKT_GOAWAY;
    for (int reliable = 0; reliable < 2; reliable++) {
        start(reliable, 0);
        types_seen = 0;
        n_seen = 0;
        for (uint32_t bytes = 0; bytes < 6000; bytes = bytes * 3 + 1) {
            int i = loop_request_behind(&l, bytes > 100 ? 64 : 0, bytes, 0);
            settle_noting();
            CHECK(i >= 0 && l.calls[i].status == TERN_STATUS_OK && l.calls[i].n_done == 1);
        }
        l.defer = true;
        int i = loop_request(&l, 20, 0);
        settle_noting();
        CHECK(tern__engine_cancel(l.session, &l.calls[i], l.now));
        tern__session_send_ping(&l.session->s);
        settle_noting();
        tern__engine_drain(l.side[1].engine, l.now + (tern_time)TERN_SEC, l.now);
        settle_noting();
        CHECK_EQ(l.n_draining, 1);
        CHECK_EQ(check.n_unopened, 0);
        uint64_t n_rx = loop_stats(&l, 0).opened + loop_stats(&l, 1).opened;
        CHECK_EQ(n_rx, n_seen);
        tern__engine_session_close(l.session, l.now);
        settle_noting();
        CHECK_EQ(types_seen, all);
        CHECK_EQ(check.n_sealed, n_seen);
        end();
        CHECK_OK();
    }
}

/* A value in place is read and not touched; a packet longer than the heads of the link is made in a pool buffer. */
static void values__in_place_stay_as_they_are(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        for (uint32_t max_packet = 1060; max_packet < 10000; max_packet += 8000) {
            loop_config config = config_of(reliable);
            config.max_packet = max_packet;
            loop_init(&l, &config);
            for (int side = 0; side < 2; side++) l.side[side].link.max_inline = 4096;
            loop_connect(&l);
            uint32_t bytes = 40000;
            uint8_t *value = tern_alloc(bytes);
            for (uint32_t i = 0; i < bytes; i++) value[i] = (uint8_t)(i * 7 + bytes);
            tern__body body = {.data = value, .len = bytes};
            CHECK_EQ(tern__engine_request(l.session, 77, &body, 0, &l.calls[l.n_calls++], l.now), 0);
            loop_settle(&l);
            CHECK_EQ(l.calls[0].status, TERN_STATUS_OK);
            CHECK(loop_is_pattern(value, bytes));
            CHECK(l.calls[0].len == bytes && loop_is_pattern(l.calls[0].data, bytes));
            CHECK_EQ(loop_stats(&l, 0).inplace_values, 1);
            tern_unref(value);
            end();
            CHECK_OK();
        }
    }
}

/* ---- Forgers -------------------------------------------------------------------------------------- */

static void spoilt__bytes_are_noticed(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        start(reliable, 0);
        l.defer = true;
        int call = loop_request_behind(&l, 16, 100, 20 * TERN_SEC);
        uint8_t packet[ANY_BYTES];
        uint32_t len = copy_of(0, 0, packet);
        CHECK(len > 100);
        for (uint32_t at = 0; at < len; at++) {
            for (unsigned bit = 0; bit < 8; bit++) {
                bool tells_nobody = at != 0 && (at < 4 || at >= 8) && (reliable || at < TAG_AT || at >= TAG_AT + 8);
                packet[at] ^= (uint8_t)(1u << bit);
                loop_inject(&l, 1, packet, len);
                packet[at] ^= (uint8_t)(1u << bit);
                CHECK_EQ(l.n_served, 0);
                if (tells_nobody) CHECK_EQ(l.side[1].n_queued, 0);
                while (loop_drop(&l, 1, 0)) continue;
            }
        }
        for (uint32_t less = 1; less < len; less++) loop_inject(&l, 1, packet, len - less);
        while (loop_drop(&l, 1, 0)) continue;
        CHECK_EQ(l.n_served, 0);
        CHECK_EQ(check.n_opened, 0);
        CHECK(loop_stats(&l, 1).rx_unopened > 300);
        CHECK_EQ(server()->last_rx, l.now); /* of the CONNECT */
        loop_settle(&l);
        CHECK_EQ(l.n_served, 1);
        CHECK_EQ(loop_stats(&l, 1).opened, 1);
        (void)call;
        end();
        CHECK_OK();
    }
}

/* What does not open proves no life. */
static void spoilt__packets_do_not_keep_a_session(void) {
    start(false, 0);
    expect_call(10);
    tern_time heard = server()->last_rx;
    loop_request(&l, 10, 0);
    uint8_t packet[ANY_BYTES];
    uint32_t len = copy_of(0, 0, packet);
    packet[len - 1] ^= 1;
    l.now += TERN_MS;
    loop_inject(&l, 1, packet, len);
    CHECK_EQ(loop_stats(&l, 1).rx_unopened, 1);
    CHECK_EQ(server()->last_rx, heard);
    end();
}

static void repeated__packets_are_dropped(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        start(reliable, 0);
        loop_request(&l, 50, 0);
        uint8_t packet[ANY_BYTES];
        uint32_t len = copy_of(0, 0, packet);
        loop_settle(&l);
        CHECK_EQ(l.n_done, 1);
        for (unsigned n = 1; n <= 5; n++) {
            loop_inject(&l, 1, packet, len);
            CHECK_EQ(loop_stats(&l, 1).rx_replayed, n);
            CHECK_EQ(l.side[1].n_queued, 0);
        }
        for (unsigned n = 0; n < 100; n++) expect_call(20);
        uint64_t opened = check.n_opened;
        loop_inject(&l, 1, packet, len); /* far behind the window */
        CHECK_EQ(check.n_opened, opened);
        CHECK_EQ(loop_stats(&l, 1).rx_replayed, 6);
        end();
        CHECK_OK();
    }
}

/* The window has 64 numbers: the last of them is opened, the one before is too old. */
static void late__packets_are_taken_within_the_window(void) {
    for (unsigned behind = 62; behind <= 66; behind++) {
        start(false, 0);
        tern__session *s = &l.session->s;
        tern__session_send_ping(s);
        uint8_t first[ANY_BYTES];
        uint32_t len = copy_of(0, 0, first);
        loop_drop(&l, 0, 0);
        for (unsigned n = 0; n < behind; n++) {
            tern__session_send_ping(s);
            loop_deliver(&l, 0, 0);
        }
        uint64_t opened = loop_stats(&l, 1).opened;
        loop_inject(&l, 1, first, len);
        CHECK_EQ(loop_stats(&l, 1).opened - opened, behind <= 63);
        CHECK_EQ(loop_stats(&l, 1).rx_replayed, behind > 63);
        end();
        CHECK_OK();
    }
}

/* ---- REFUSE --------------------------------------------------------------------------------------- */

/* What anybody can send who sees the packets. */
static void inject_refuse(void) {
    const tern__session *s = &l.session->s;
    uint8_t packet[TERN__PKT_HEADER_BYTES + TERN__REFUSE_BYTES];
    tern__pkt_header h = {.type = TERN__PKT_REFUSE, .status = TERN_STATUS_UNAVAILABLE, .code = TERN__REFUSE_NOT_HERE};
    h.req = s->peer_number;
    tern__pkt_write(&h, packet);
    tern__store64(packet + TERN__PKT_HEADER_BYTES, s->tx_tag);
    loop_inject(&l, 0, packet, sizeof packet);
}

static void refuse__by_a_stranger_ends_no_sealed_session(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        start(reliable, 0);
        expect_call(10);
        for (unsigned n = 0; n < 100; n++) inject_refuse();
        CHECK_EQ(l.n_lost, 0);
        CHECK_EQ(l.side[0].n_queued, 1); /* one PING, however many came */
        loop_settle(&l);
        for (unsigned n = 0; n < 100; n++) inject_refuse();
        CHECK_EQ(l.side[0].n_queued, 0); /* asked just now */
        loop_run(&l, l.now + TERN_SEC, 0);
        CHECK_EQ(l.n_lost, 0);
        expect_call(10);
        inject_refuse();
        CHECK_EQ(l.side[0].n_queued, 1); /* it may ask again now */
        loop_settle(&l);
        end();
        CHECK_OK();
    }
}

static void refuse__ends_a_session_whose_peer_is_silent_then(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        start(reliable, 0);
        expect_call(10);
        inject_refuse();
        tern_time begun = l.now, bound = 9 * (tern_time)l.session->s.rtt.rto;
        unsigned n_pings = 0;
        CHECK(bound < (tern_time)(TERN_SEC / 2));
        while (l.n_lost == 0 && l.now < begun + (tern_time)TERN_SEC) {
            l.now += (tern_time)(TERN_MS / 10);
            loop_tick(&l);
            while (loop_drop(&l, 0, 0)) n_pings++;
        }
        uint16_t code, detail;
        CHECK_EQ(l.n_lost, 1);
        CHECK(l.now < begun + bound);
        CHECK(n_pings >= 5 && n_pings <= 9);
        CHECK_EQ(tern__engine_session_loss(l.session, &code, &detail), TERN__WHY_REFUSED);
        CHECK_EQ(code, TERN__REFUSE_NOT_HERE);
        end();
        CHECK_OK();
    }
}

/* A server that was started anew knows neither session nor keys: its REFUSE is soon believed, whatever the packet was
 * that it answers, and the next session has other keys. */
static void refuse__of_a_server_that_was_started_anew(void) {
    for (unsigned phase = 0; phase < 2; phase++) {
        start(false, 4);
        while ((loop_stats(&l, 0).key_phases & 1) != phase) expect_call(10);
        loop_kill(&l, 1);
        while (loop_drop(&l, 0, 0) || loop_drop(&l, 1, 0)) continue;
        loop_start(&l, 1);
        tern_time begun = l.now;
        int call = loop_request(&l, 3000, 0);
        loop_run(&l, l.now + 300 * TERN_MS, 0);
        CHECK_EQ(l.calls[call].status, TERN_STATUS_UNAVAILABLE);
        CHECK_EQ(l.n_lost, 1);
        CHECK(l.now - begun < (tern_time)TERN_SEC);
        loop_request(&l, 10, 0);
        loop_run(&l, l.now + 300 * TERN_MS, 0);
        CHECK_EQ(l.n_up, 2);
        expect_call(10);
        CHECK_EQ(n_derived, 8);
        end();
        CHECK_OK();
    }
}

/* The same CONNECT comes to a server, and to the next one in its place: other keys, though all else is the same. */
static void keys__of_a_server_that_was_started_anew_differ(void) {
    uint8_t packet[ANY_BYTES];
    tern__route to = {.len = 1, .bytes = {2}};
    loop_config config = config_of(true);
    loop_init(&l, &config);
    CHECK_EQ(tern__engine_connect(l.side[0].engine, &l.side[0].link, &to, &l, l.now, &l.session), 0);
    uint32_t len = copy_of(0, 0, packet);
    for (unsigned n = 0; n < 2; n++) {
        loop_inject(&l, 1, packet, len);
        loop_inject(&l, 1, packet, len); /* the session is there already */
        while (loop_drop(&l, 1, 0)) continue;
        loop_kill(&l, 1);
        loop_start(&l, 1);
    }
    CHECK_EQ(n_derived, 4); /* two directions each */
    CHECK(derived[0].token == derived[2].token && derived[0].client_number == derived[2].client_number);
    CHECK(derived[0].incarnation && derived[2].incarnation && derived[0].incarnation != derived[2].incarnation);
    CHECK(derived[0].nonce != derived[2].nonce);
    end();
}

/* Both ends make their keys of the same values. */
static void keys__are_made_of_what_both_ends_know(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        start(reliable, 0);
        CHECK_EQ(n_derived, 4);
        for (unsigned i = 1; i < 4; i++) CHECK_MEM(&derived[0], &derived[i], sizeof derived[0]);
        CHECK(derived[0].token && derived[0].nonce && derived[0].incarnation && derived[0].client_number);
        CHECK_EQ(derived[0].client_number, l.session->s.number);
        CHECK_EQ(derived[0].server_number, l.session->s.peer_number);
        CHECK_EQ(derived[0].client_tag, l.session->s.rx_tag);
        CHECK_EQ(derived[0].server_tag, l.session->s.tx_tag);
        CHECK_EQ(derived[0].server_tag != 0, !reliable);
        end();
        CHECK_OK();
    }
}

/* ---- The setup ------------------------------------------------------------------------------------ */

enum { NONE, OURS, OTHER };

static void set_cipher(int which, bool required) {
    l.config.engine.cipher = which == NONE ? NULL : which == OURS ? &seal_check_cipher : &seal_check_other_cipher;
    l.config.engine.seal_required = required;
}

static void setup__decides_whether_packets_are_sealed(void) {
    static const struct {
        int client, server;
        bool client_insists, server_insists;
        bool sealed, refused;
    } rows[] = {
        {NONE, NONE, false, false, false, false}, {OURS, OURS, false, false, true, false},
        {OURS, OURS, true, true, true, false},    {OURS, NONE, false, false, false, false},
        {NONE, OURS, false, false, false, false}, {OURS, OTHER, false, false, false, false},
        {OURS, NONE, true, false, false, true},   {NONE, OURS, false, true, false, true},
        {OURS, OTHER, true, false, false, true},  {OURS, OTHER, false, true, false, true},
        {OURS, OURS, true, false, true, false},   {OURS, OURS, false, true, true, false},
    };
    for (unsigned i = 0; i < 2 * TERN__COUNT(rows); i++) {
        unsigned r = i / 2;
        tern__route to = {.len = 1, .bytes = {2}};
        loop_config config = config_of(i % 2);
        loop_init(&l, &config);
        for (int side = 0; side < 2; side++) {
            loop_kill(&l, side);
            set_cipher(side ? rows[r].server : rows[r].client, side ? rows[r].server_insists : rows[r].client_insists);
            loop_start(&l, side);
        }
        CHECK_EQ(tern__engine_connect(l.side[0].engine, &l.side[0].link, &to, &l, l.now, &l.session), 0);
        loop_settle(&l);
        CHECK_EQ(l.n_up, !rows[r].refused);
        CHECK_EQ(l.n_lost, rows[r].refused);
        CHECK_EQ(l.session->s.sealed, rows[r].sealed);
        if (rows[r].refused) {
            uint16_t code, detail;
            CHECK_EQ(tern__engine_session_loss(l.session, &code, &detail), TERN__WHY_REFUSED);
            CHECK_EQ(code, TERN__REFUSE_SEAL);
            CHECK_EQ(detail, TERN__SETUP_SEAL);
            CHECK_EQ(tern__engine_session_why(l.session), TERN_STATUS_FAILED_PRECONDITION);
        } else {
            expect_call(100);
            CHECK_EQ(check.n_sealed > 0, rows[r].sealed);
            CHECK_EQ(l.session->s.tx_usual == 0, rows[r].sealed);
            CHECK_EQ(l.session->s.rx_usual == 0, rows[r].sealed);
        }
        end();
        CHECK_OK();
    }
}

/* A server whose ACCEPT says another thing than the client can do. */
static void setup__of_an_accept_that_does_not_fit_is_refused(void) {
    tern__route to = {.len = 1, .bytes = {2}};
    for (int insists = 0; insists < 2; insists++) {
        loop_config config = config_of(true);
        config.engine.seal_required = insists;
        loop_init(&l, &config);
        CHECK_EQ(tern__engine_connect(l.side[0].engine, &l.side[0].link, &to, &l, l.now, &l.session), 0);
        loop_deliver(&l, 0, 0);
        uint8_t accept[ANY_BYTES];
        uint32_t len = copy_of(1, 0, accept);
        loop_drop(&l, 1, 0);
        for (uint32_t at = TERN__PKT_HEADER_BYTES + TERN__SETUP_FIXED_BYTES; at < len;) {
            if (tern__load16(accept + at) == TERN__SETUP_SEAL) {
                if (insists)
                    tern__store32(accept + at + 4, 0); /* "not sealed" */
                else
                    tern__store32(accept + at + 4, 0x7777);
            }
            at += (4u + tern__load16(accept + at + 2) + 7) & ~7u;
        }
        loop_inject(&l, 0, accept, len);
        uint16_t code, detail;
        CHECK_EQ(l.n_up, 0);
        CHECK_EQ(l.n_lost, 1);
        CHECK_EQ(tern__engine_session_loss(l.session, &code, &detail), TERN__WHY_UNFIT);
        CHECK_EQ(code, TERN__REFUSE_SEAL);
        loop_run(&l, l.now + 200 * TERN_MS, 0);
        CHECK_EQ(l.side[1].engine->n_live, 0); /* the server was told, has asked, and got no answer */
        end();
        CHECK_OK();
    }
}

static void setup__without_memory_for_keys_is_refused(void) {
    tern__route to = {.len = 1, .bytes = {2}};
    loop_config config = config_of(false);
    loop_init(&l, &config);
    check.refuses_derive = true;
    CHECK_EQ(tern__engine_connect(l.side[0].engine, &l.side[0].link, &to, &l, l.now, &l.session), 0);
    loop_settle(&l);
    CHECK_EQ(l.n_lost, 1);
    CHECK_EQ(l.side[1].engine->n_live, 0);
    check.refuses_derive = false;
    expect_call(10);
    end();
}

static void config__that_makes_no_sense_is_refused(void) {
    tern__engine *e;
    tern__cipher bad = seal_check_cipher;
    loop_config config = config_of(false);
    loop_init(&l, &config);
    tern__engine_config c = l.side[0].engine->config;
    c.cipher = NULL;
    c.seal_required = true;
    CHECK_EQ(tern__engine_new(&c, &e), TERN_ERR_INVALID);
    c.cipher = &bad;
    bad.id = 0;
    CHECK_EQ(tern__engine_new(&c, &e), TERN_ERR_INVALID);
    bad.id = 1u << 31;
    CHECK_EQ(tern__engine_new(&c, &e), TERN_ERR_INVALID);
    bad.id = 1;
    bad.overhead_bytes = TERN__SEAL_MAX_OVERHEAD + 1;
    CHECK_EQ(tern__engine_new(&c, &e), TERN_ERR_INVALID);
    bad.overhead_bytes = 16;
    bad.key_bytes = TERN__SEAL_MAX_KEY + 1;
    CHECK_EQ(tern__engine_new(&c, &e), TERN_ERR_INVALID);
    end();
}

/* ---- Full links and no memory --------------------------------------------------------------------- */

/* A DISCONNECT that waits for room outlives its session, and opens at the other end. */
static void kept__packets_are_sealed_once(void) {
    start(true, 0);
    expect_call(10);
    l.side[1].capacity = 0;
    tern__engine_drain(l.side[1].engine, l.now + (tern_time)TERN_MS, l.now);
    for (unsigned n = 0; n < 10; n++) {
        l.now += TERN_MS;
        loop_tick(&l);
    }
    CHECK_EQ(l.side[1].engine->n_live, 0);
    CHECK_EQ(l.side[1].engine->n_waiting_control, 1);
    l.side[1].capacity = 100;
    uint64_t sealed = check.n_sealed;
    l.now += TERN_MS;
    loop_tick(&l);
    CHECK_EQ(l.side[1].n_queued, 1);
    CHECK_EQ(check.n_sealed, sealed);
    loop_settle(&l);
    CHECK_EQ(l.n_lost, 1);
    uint16_t code, detail;
    CHECK_EQ(tern__engine_session_loss(l.session, &code, &detail), TERN__WHY_DISCONNECTED);
    CHECK_EQ(n_dropped(0), 0);
    end();
}

/* No memory for a packet: where packets get lost, this one is; elsewhere its session ends, and both ends know. */
static void memory__that_is_out_loses_the_packet_or_the_session(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        start(reliable, 0);
        expect_call(10);
        loop_request(&l, 20, 0);
        l.side[0].link.ops->tx_flush(&l.side[0].link);
        tern__session *s = server();
        uint8_t head[ANY_BYTES];
        uint32_t len = copy_of(0, 0, head);
        tern__rx_packet pkt = {.n = 1, .head = head, .head_len = len, .link = s->link, .route = s->route};
        tern__pool_fail_after(1);
        tern__engine_rx_any(l.side[1].engine, &pkt, l.now);
        tern__pool_fail_after(0);
        CHECK_EQ(server() == NULL, reliable);
        CHECK_EQ(check.n_unopened, 0);
        loop_run(&l, l.now + 50 * TERN_MS, 0);
        CHECK_EQ(l.calls[1].status, reliable ? TERN_STATUS_UNAVAILABLE : TERN_STATUS_OK);
        CHECK_EQ(l.n_lost, reliable);
        end();
        CHECK_OK();
    }
}

/* Whatever gets lost, comes twice or late: calls end right, and keys change meanwhile. */
static void calls__work_over_a_bad_network(void) {
    for (unsigned drop = 0; drop <= 20; drop += 5) {
        start(false, 5);
        for (unsigned n = 0; n < 60; n++) {
            loop_request(&l, n * 67, 0);
            loop_run(&l, l.now + 20 * TERN_MS, drop);
        }
        loop_run(&l, l.now + 5 * TERN_SEC, 0);
        CHECK_EQ(l.n_done, 60);
        for (unsigned n = 0; n < 60; n++) CHECK(l.calls[n].status == TERN_STATUS_OK && l.calls[n].len == n * 67);
        CHECK(loop_stats(&l, 0).key_phases > 5);
        CHECK_EQ(check.n_unopened, 0);
        end();
        CHECK_OK();
    }
}

TAP_MAIN(TEST(packets__of_every_type_are_sealed), TEST(values__in_place_stay_as_they_are),
         TEST(spoilt__bytes_are_noticed), TEST(spoilt__packets_do_not_keep_a_session),
         TEST(repeated__packets_are_dropped), TEST(late__packets_are_taken_within_the_window),
         TEST(refuse__by_a_stranger_ends_no_sealed_session), TEST(refuse__ends_a_session_whose_peer_is_silent_then),
         TEST(refuse__of_a_server_that_was_started_anew), TEST(keys__of_a_server_that_was_started_anew_differ),
         TEST(keys__are_made_of_what_both_ends_know), TEST(setup__decides_whether_packets_are_sealed),
         TEST(setup__of_an_accept_that_does_not_fit_is_refused), TEST(setup__without_memory_for_keys_is_refused),
         TEST(config__that_makes_no_sense_is_refused), TEST(kept__packets_are_sealed_once),
         TEST(memory__that_is_out_loses_the_packet_or_the_session), TEST(calls__work_over_a_bad_network))
