/* Sessions: connecting, refusing, dying, ending. */
#include "engine/engine_record.h"
#include "loop.h"
#include "setup_packet.h"

static loop l;
static const tern__route to_server = {.len = 1, .bytes = {2}};

static void start(bool reliable) {
    loop_init(&l, &(loop_config){.reliable = reliable});
    loop_connect(&l);
}

static int open_session(void) {
    return tern__engine_connect(l.side[0].engine, &l.side[0].link, &to_server, &l, l.now, &l.session);
}

enum { CONNECT_BYTES = TERN__CONNECT_BYTES };

static void write_connect(uint8_t *p, uint64_t token, uint32_t number, uint64_t cookie) {
    tern__setup setup = setup_usual(token, number, cookie);
    setup_connect(&setup, p);
}

/* The cookie of the nth packet that the client sent. */
static uint64_t cookie_in(unsigned n) {
    uint32_t len;
    const uint8_t *bytes = loop_bytes(&l, 0, n, &len);
    return setup_of(bytes, len).cookie;
}

/* The cookie in the last packet that the server sent; 0 if that is no RETRY. */
static uint64_t take_cookie(void) {
    tern__pkt_header h;
    uint32_t len;
    unsigned last = l.side[1].n_queued - 1;
    if (!loop_peek(&l, 1, last, &h) || h.type != TERN__PKT_RETRY) return 0;
    uint64_t cookie = tern__load64(loop_bytes(&l, 1, last, &len) + 24 + 8);
    loop_drop(&l, 1, last);
    return cookie;
}

/* What a CONNECT without a cookie gets: a smaller packet, and no memory. With it, one session. */
static void connect__takes_a_cookie(void) {
    loop_init(&l, &(loop_config){0});
    uint64_t live = loop_live_buffers();
    uint8_t p[CONNECT_BYTES];
    write_connect(p, 5, 7, 0);
    loop_inject(&l, 1, p, sizeof p);
    uint32_t len;
    CHECK(loop_bytes(&l, 1, 0, &len) != NULL && len <= sizeof p);
    CHECK_EQ(loop_live_buffers(), live);
    uint64_t cookie = take_cookie();
    CHECK(cookie != 0);
    CHECK_EQ(loop_stats(&l, 1).retries, 1);
    static const struct {
        uint64_t token;
        uint32_t number;
    } others[] = {{6, 7}, {5, 8}};
    for (unsigned i = 0; i < TERN__COUNT(others); i++) { /* it is good for nobody else */
        write_connect(p, others[i].token, others[i].number, cookie);
        loop_inject(&l, 1, p, sizeof p);
        CHECK(take_cookie() != cookie);
    }
    write_connect(p, 5, 7, cookie ^ 1);
    loop_inject(&l, 1, p, sizeof p);
    CHECK_EQ(loop_stats(&l, 1).sessions_open, 0);
    write_connect(p, 5, 7, cookie);
    for (int i = 0; i < 2; i++) loop_inject(&l, 1, p, sizeof p);
    CHECK_EQ(loop_stats(&l, 1).sessions_open, 1);
    CHECK_EQ(loop_stats(&l, 1).retries, 4);
    loop_fini(&l);
}

static void connect__cookies_grow_old(void) {
    uint8_t p[CONNECT_BYTES];
    for (int late = 0; late < 2; late++) {
        loop_init(&l, &(loop_config){0});
        l.now = (tern_time)1 << 33;
        write_connect(p, 5, 7, 0);
        loop_inject(&l, 1, p, sizeof p);
        write_connect(p, 5, 7, take_cookie());
        l.now += ((tern_time)1 << 34) - !late; /* to the end of the next epoch */
        loop_inject(&l, 1, p, sizeof p);
        CHECK_EQ(loop_stats(&l, 1).sessions_open, !late);
        loop_fini(&l);
        CHECK_OK();
    }
}

/* A server whose cookies never suit does not make the client send without end. */
static void connect__retries_are_followed_once(void) {
    loop_init(&l, &(loop_config){0});
    CHECK_EQ(open_session(), 0);
    uint32_t len;
    const uint8_t *connect = loop_bytes(&l, 0, 0, &len);
    uint8_t p[24 + 16];
    tern__pkt_header h = {.type = TERN__PKT_RETRY, .session = tern__load32(connect + 24 + 16)};
    tern__pkt_write(&h, p);
    memcpy(p + 24, connect + 24, 8);
    for (uint64_t cookie = 1; cookie < 20; cookie++) {
        tern__store64(p + 32, cookie);
        loop_inject(&l, 0, p, sizeof p);
    }
    CHECK_EQ(l.side[0].n_queued, 2);
    CHECK_EQ(cookie_in(1), 1);
    p[24] ^= 1; /* another token: not for us */
    tern__store64(p + 32, 99);
    loop_inject(&l, 0, p, sizeof p);
    l.now += 10 * TERN_MS;
    loop_tick(&l);
    CHECK_EQ(l.side[0].n_queued, 3);
    CHECK_EQ(cookie_in(2), 19);
    loop_run(&l, l.now + 50 * TERN_MS, 0);
    CHECK_EQ(l.n_up, 1);
    loop_fini(&l);
}

static void connect__repeated_packets_make_one_session(void) {
    loop_init(&l, &(loop_config){0});
    CHECK_EQ(open_session(), 0);
    for (int stage = 0; stage < 2; stage++) { /* without a cookie, and with it */
        for (int i = 0; i < 5; i++) loop_repeat(&l, 0, 0);
        while (loop_deliver(&l, 0, 0)) continue;
        CHECK_EQ(loop_stats(&l, 1).sessions_open, stage);
        for (int i = 0; stage == 0 && loop_deliver(&l, 1, 0); i++) CHECK_EQ(l.side[0].n_queued, 1);
    }
    for (int i = 0; i < 5; i++) loop_repeat(&l, 1, 0);
    loop_settle(&l);
    CHECK_EQ(l.n_up, 1);
    CHECK_EQ(loop_stats(&l, 0).sessions_open, 1);
    loop_request(&l, 10, 0);
    loop_settle(&l);
    CHECK_EQ(l.calls[0].status, TERN_STATUS_OK);
    loop_fini(&l);
}

/* CONNECT leaves at 0, then after 10, 20, 40, 80, 100, 100 ... ms; at the timeout calls fail, and a later call
 * tries anew. */
static void connect__nobody_answers(void) {
    static const tern_dur at_ms[] = {10, 30, 70, 150, 250, 350, 450, 550, 650, 750, 850, 950};
    loop_init(&l, &(loop_config){.engine.connect_timeout = TERN_SEC});
    tern_time t0 = l.now;
    CHECK_EQ(open_session(), 0);
    CHECK_EQ(loop_request(&l, 10, 0), 0);
    CHECK(loop_drop(&l, 0, 0));
    for (unsigned i = 0; i < TERN__COUNT(at_ms); i++) {
        l.now = tern__engine_next_due(l.side[0].engine);
        CHECK_EQ(l.now - t0, at_ms[i] * TERN_MS);
        loop_tick(&l);
        CHECK(loop_drop(&l, 0, 0));
        CHECK(!loop_drop(&l, 0, 0));
    }
    l.now = t0 + TERN_SEC - 1;
    loop_tick(&l);
    CHECK_EQ(l.n_done, 0);
    l.now++;
    loop_tick(&l);
    CHECK_EQ(l.calls[0].status, TERN_STATUS_UNAVAILABLE);
    CHECK_EQ(l.n_lost, 1);
    CHECK_EQ(tern__engine_session_state(l.session), TERN_SESSION_DOWN);
    CHECK(tern__engine_next_due(l.side[0].engine) == UINT64_MAX);
    CHECK_EQ(loop_request(&l, 11, 0), 1);
    CHECK_EQ(tern__engine_session_state(l.session), TERN_SESSION_CONNECTING);
    loop_settle(&l);
    CHECK_EQ(l.calls[1].status, TERN_STATUS_OK);
    loop_fini(&l);
}

static void connect__table_full(void) {
    loop_init(&l, &(loop_config){.engine.max_sessions = 3});
    tern__csession *s[4];
    for (int i = 0; i < 3; i++)
        CHECK_EQ(tern__engine_connect(l.side[0].engine, &l.side[0].link, &to_server, &l, l.now, &s[i]), 0);
    CHECK_EQ(tern__engine_connect(l.side[0].engine, &l.side[0].link, &to_server, &l, l.now, &s[3]), TERN_ERR_LIMIT);
    loop_settle(&l);
    CHECK_EQ(l.n_up, 3);
    tern__engine_session_close(s[1], l.now);
    CHECK_EQ(tern__engine_connect(l.side[0].engine, &l.side[0].link, &to_server, &l, l.now, &s[1]), 0);
    loop_settle(&l);
    CHECK_EQ(l.n_up, 4);
    CHECK_EQ(loop_stats(&l, 1).sessions_open, 3);
    loop_fini(&l);
}

/* The server has no room: the client learns at once. */
static void connect__refused(void) {
    loop_init(&l, &(loop_config){0});
    l.config.engine.max_sessions = 1;
    loop_kill(&l, 1);
    loop_start(&l, 1);
    CHECK_EQ(open_session(), 0);
    tern__csession *first = l.session;
    CHECK_EQ(loop_request(&l, 10, 0), 0); /* which confirms it */
    loop_settle(&l);
    CHECK_EQ(open_session(), 0);
    CHECK_EQ(loop_request(&l, 10, 0), 1);
    loop_settle(&l);
    CHECK_EQ(l.n_lost, 1);
    CHECK_EQ(l.calls[1].status, TERN_STATUS_RESOURCE_EXHAUSTED);
    tern__engine_session_close(first, l.now);
    CHECK_EQ(loop_request(&l, 10, 0), 2);
    loop_settle(&l);
    CHECK_EQ(l.calls[2].status, TERN_STATUS_OK);
    loop_fini(&l);
}

/* Whoever refuses a CONNECT may say why, if that is a status. */
static void connect__refused_for_a_reason(void) {
    static const uint8_t said[] = {TERN_STATUS_PERMISSION_DENIED, TERN_STATUS_OK, 200};
    static const int seen[] = {TERN_STATUS_PERMISSION_DENIED, TERN_STATUS_UNAVAILABLE, TERN_STATUS_UNAVAILABLE};
    for (unsigned i = 0; i < TERN__COUNT(said); i++) {
        loop_init(&l, &(loop_config){0});
        CHECK_EQ(open_session(), 0);
        CHECK_EQ(loop_request(&l, 10, 0), 0);
        uint32_t len;
        const uint8_t *connect = loop_bytes(&l, 0, 0, &len);
        CHECK(connect != NULL && len == CONNECT_BYTES);
        CHECK_OK();
        uint8_t p[24 + TERN__REFUSE_BYTES];
        tern__pkt_header h = {.type = TERN__PKT_REFUSE, .status = said[i], .refused = TERN__PKT_CONNECT};
        h.session = tern__load32(connect + 24 + 16);
        tern__pkt_write(&h, p);
        memcpy(p + 24, connect + 24, 8); /* the token */
        loop_inject(&l, 0, p, sizeof p);
        CHECK_EQ(l.n_lost, 1);
        CHECK_EQ(l.calls[0].status, seen[i]);
        loop_fini(&l);
    }
}

/* The code, the detail and the status of the REFUSE that the server sent last, which is taken away. */
static void check_refused(uint16_t code, uint16_t detail, int status) {
    tern__pkt_header h = {0};
    unsigned last = l.side[1].n_queued - 1;
    CHECK(loop_peek(&l, 1, last, &h));
    CHECK_EQ(h.type, TERN__PKT_REFUSE);
    CHECK_EQ(h.refused, TERN__PKT_CONNECT);
    CHECK_EQ(h.code, code | (uint32_t)detail << 16);
    CHECK_EQ(h.status, status);
    loop_drop(&l, 1, last);
}

/* A CONNECT with this setup, once without a cookie and, if that brings one, once with it. */
static void knock(tern__setup setup) {
    uint8_t p[CONNECT_BYTES];
    setup_connect(&setup, p);
    loop_inject(&l, 1, p, sizeof p);
    setup.cookie = take_cookie();
    if (!setup.cookie) return;
    setup_connect(&setup, p);
    loop_inject(&l, 1, p, sizeof p);
}

static void refuse__says_why(void) {
    loop_init(&l, &(loop_config){.engine.max_sessions = 9});
    tern__setup setup = setup_usual(1, 7, 0);
    setup.max_packet = 255;
    knock(setup);
    check_refused(TERN__REFUSE_UNFIT, TERN__SETUP_MAX_PACKET, TERN_STATUS_FAILED_PRECONDITION);
    for (uint64_t token = 1; token <= 8; token++) knock(setup_usual(token, 7, 0));
    while (loop_drop(&l, 1, 0)) continue;
    knock(setup_usual(9, 7, 0));
    check_refused(TERN__REFUSE_NAMESAKES, 0, TERN_STATUS_RESOURCE_EXHAUSTED);
    knock(setup_usual(1, 8, 0));
    while (loop_drop(&l, 1, 0)) continue;
    knock(setup_usual(1, 9, 0));
    check_refused(TERN__REFUSE_TABLE_FULL, 0, TERN_STATUS_RESOURCE_EXHAUSTED);
    tern__engine_drain(l.side[1].engine, l.now + TERN_SEC, l.now);
    knock(setup_usual(2, 9, 0));
    check_refused(TERN__REFUSE_DRAINING, 0, TERN_STATUS_UNAVAILABLE);
    loop_fini(&l);
}

/* The first record of the nth packet of `side` that has such a type; NULL: there is none. */
static uint8_t *record_in(int side, unsigned n, uint16_t mask, uint16_t type, uint32_t *left) {
    uint32_t len;
    tern__pkt_header h;
    uint8_t *bytes = loop_bytes(&l, side, n, &len);
    uint32_t header_bytes = bytes ? tern__pkt_read(&h, bytes, len, len) : 0;
    if (!header_bytes) return NULL;
    for (uint32_t at = header_bytes + TERN__SETUP_FIXED_BYTES; at + 8 <= len;
         at += (4 + tern__load16(bytes + at + 2) + 7) & ~7u) {
        *left = len - at;
        if ((tern__load16(bytes + at) & mask) == type) return bytes + at;
    }
    return NULL;
}

/* The client hears of a record that the server does not understand, or the server of one that the client does not; its
 * calls end with a status of their own, and the reason can be told. */
static void critical__records_are_refused_by_either_side(void) {
    for (int side = 0; side < 2; side++) {
        for (int reliable = 0; reliable < 2; reliable++) {
            loop_init(&l, &(loop_config){.reliable = reliable});
            CHECK_EQ(open_session(), 0);
            loop_request(&l, 10, 0);
            uint32_t left;
            for (int i = 0; side == 1 && l.side[1].n_queued == 0; i++) loop_deliver(&l, 0, 0);
            if (side == 1 && !reliable) { /* the RETRY */
                loop_deliver(&l, 1, 0);
                loop_deliver(&l, 0, 0);
            }
            uint8_t *grease = record_in(side, 0, TERN__SETUP_GREASE_MASK, TERN__SETUP_GREASE, &left);
            CHECK(grease != NULL);
            CHECK_OK();
            uint16_t type = tern__load16(grease) | TERN__SETUP_CRITICAL, code, detail;
            tern__store16(grease, type);
            loop_settle(&l);
            CHECK_EQ(l.n_lost, 1);
            CHECK_EQ(l.calls[0].status, TERN_STATUS_UNIMPLEMENTED);
            CHECK_EQ(tern__engine_session_loss(l.session, &code, &detail), side ? TERN__WHY_UNFIT : TERN__WHY_REFUSED);
            CHECK_EQ(code, TERN__REFUSE_CRITICAL_RECORD);
            CHECK_EQ(detail, type);
            char text[64], expected[64];
            tern__loss_format(TERN__WHY_REFUSED, code, detail, text, sizeof text);
            snprintf(expected, sizeof expected, "refused: critical_record 0x%04x", type);
            CHECK(strcmp(text, expected) == 0);
            CHECK_EQ(loop_stats(&l, 1).sessions_open, 0); /* nor does the server keep it */
            loop_fini(&l);
            CHECK_OK();
        }
    }
}

/* A datagram of two packets, which a kernel has coalesced without telling their sizes: nobody is refused for it, and
 * the setup comes again. */
static void setup__with_another_packet_behind_it_is_dropped(void) {
    for (int side = 0; side < 2; side++) {
        uint8_t both[4 * CONNECT_BYTES];
        uint32_t len;
        loop_init(&l, &(loop_config){0});
        CHECK_EQ(open_session(), 0);
        if (side == 1) {
            loop_deliver(&l, 0, 0);
            loop_deliver(&l, 1, 0); /* the RETRY */
            loop_deliver(&l, 0, 0);
        }
        const uint8_t *setup = loop_bytes(&l, side, 0, &len);
        CHECK(setup != NULL && len <= CONNECT_BYTES);
        CHECK_OK();
        memcpy(both, setup, len);
        memcpy(both + len, setup, len);
        CHECK(loop_drop(&l, side, 0));
        loop_inject(&l, 1 - side, both, 2 * len);
        CHECK_EQ(l.side[1 - side].n_queued, 0);
        CHECK_EQ(l.n_up + l.n_lost, 0);
        loop_run(&l, l.now + 50 * (tern_time)TERN_MS, 0);
        CHECK_EQ(l.n_up, 1);
        CHECK_EQ(l.n_lost, 0);
        loop_fini(&l);
        CHECK_OK();
    }
}

/* Records that contradict their lengths, and setups that contradict theirs, in a CONNECT and in an ACCEPT: a REFUSE or
 * nothing, whatever the place. */
static void setup__spoilt_anywhere_does_no_harm(void) {
    for (uint32_t at = 24; at < CONNECT_BYTES; at++) {
        for (unsigned bit = 0; bit < 8; bit++) {
            loop_init(&l, &(loop_config){.engine.connect_timeout = 100 * TERN_MS});
            CHECK_EQ(open_session(), 0);
            uint32_t len;
            loop_bytes(&l, 0, 0, &len)[at] ^= (uint8_t)(1u << bit);
            loop_run(&l, l.now + 200 * (tern_time)TERN_MS, 0);
            CHECK(l.n_up + l.n_lost == 1);
            loop_fini(&l);
            CHECK_OK();
        }
    }
}

/* CONNECT after CONNECT under one number, each with another token: a few get a session. */
static void connect__many_namesakes(void) {
    loop_init(&l, &(loop_config){0});
    uint8_t p[CONNECT_BYTES];
    for (uint64_t token = 1; token <= 50; token++) {
        write_connect(p, token, 7, 0);
        loop_inject(&l, 1, p, sizeof p);
        write_connect(p, token, 7, take_cookie());
        loop_inject(&l, 1, p, sizeof p);
        loop_inject(&l, 1, p, sizeof p);
    }
    CHECK_EQ(loop_stats(&l, 1).sessions_open, 8);
    while (loop_drop(&l, 1, 0)) continue;
    loop_run(&l, l.now + 32 * (tern_time)TERN_SEC, 0); /* nobody speaks for them: they go */
    CHECK_EQ(loop_stats(&l, 1).sessions_open, 0);
    loop_fini(&l);
}

static void many_sessions__grow_the_table(void) {
    enum { N = 1000 };
    static tern__csession *s[N];
    loop_init(&l, &(loop_config){0});
    for (int i = 0; i < N; i++) {
        CHECK_EQ(tern__engine_connect(l.side[0].engine, &l.side[0].link, &to_server, &l, l.now, &s[i]), 0);
        loop_settle(&l);
    }
    CHECK_EQ(l.n_up, N);
    for (int i = 0; i < N; i++) {
        l.session = s[i];
        CHECK_EQ(loop_request(&l, 20, 0), i);
        loop_settle(&l);
        CHECK(l.session->slots == NULL); /* for the next one */
    }
    CHECK_EQ(l.n_done, N);
    CHECK_EQ(l.side[0].engine->n_slots, 1);
    for (int i = 0; i < N; i += 2) tern__engine_session_close(s[i], l.now);
    loop_settle(&l);
    CHECK_EQ(loop_stats(&l, 1).sessions_open, N / 2);
    loop_fini(&l);
}

static tern__ssession *server_session(void) {
    const tern__engine *e = l.side[1].engine;
    for (uint32_t i = 0; i < e->n_table; i++)
        if (e->sessions[i]) return (tern__ssession *)e->sessions[i];
    return NULL;
}

/* Only calls in flight have slots, and sessions that had some lately. On a link that loses packets the server keeps its
 * record, with the response, until it hears that the client has that. */
static void idle(bool reliable) {
    CHECK(sizeof(struct tern__csession) <= 512);
    CHECK(sizeof(tern__ssession) <= 512);
    start(reliable);
    CHECK_OK();
    CHECK(l.session->slots == NULL);
    for (uint32_t k = 0; k < 20; k++) {
        loop_request(&l, 10, 0);
        CHECK(l.session->slots != NULL);
        loop_settle(&l);
        CHECK_EQ(l.n_done, k + 1);
        CHECK_EQ(l.session->s.reqs[0], 8 * k);
        CHECK_EQ(server_session()->s.reqs[0], 8 * k);
        CHECK(tern__request_at(server_session(), 0) == NULL);
        CHECK_EQ(server_session()->has_reply, reliable ? 0 : 1);
    }
    loop_run(&l, l.now + 3 * TERN_SEC, 0);
    CHECK(l.session->slots == NULL);
    CHECK_EQ(l.side[0].engine->n_slots, 1);
    CHECK_EQ(l.side[0].engine->n_spare_slots, 1);
    CHECK(tern__request_at(server_session(), 0) == NULL && *tern__cached_reply_of(server_session(), 0) == NULL);
    loop_fini(&l);
}

static void session__idle_takes_little(void) {
    idle(false);
    idle(true);
}

/* A peer never gets more credits than the link holds of its packets; either end's link counts, as packets go both
 * ways. */
static void connect__credits_fit_what_links_hold(void) {
    static const uint32_t holds[][3] = {{0, 0, 32}, {5, 0, 5}, {0, 7, 7}, {9, 3, 3}, {100, 100, 32}};
    for (unsigned i = 0; i < TERN__COUNT(holds); i++) {
        loop_init(&l, &(loop_config){0});
        for (int side = 0; side < 2; side++) l.side[side].path.rx_packets = holds[i][side];
        loop_connect(&l);
        CHECK_EQ(l.session->credits, holds[i][2]);
        CHECK_EQ(server_session()->s.scold->credits, holds[i][2]);
        loop_fini(&l);
    }
}

/* A link with a flow control of its own asks for more credits than there are packets; the smaller number counts. */
static void connect__link_brings_its_credits(void) {
    static const uint32_t credits[][3] = {{512, 512, 512}, {0, 512, 32}, {512, 0, 32}, {0, 0, 32}};
    for (unsigned i = 0; i < TERN__COUNT(credits); i++) {
        loop_init(&l, &(loop_config){.reliable = true});
        for (int side = 0; side < 2; side++) l.side[side].link.credits = credits[i][side];
        loop_connect(&l);
        CHECK_EQ(l.session->credits, credits[i][2]);
        CHECK_EQ(server_session()->s.scold->credits, credits[i][2]);
        loop_fini(&l);
    }
}

/* The packet of a request whose record is gone is old, all the same. */
static void served__done_is_not_forgotten(void) {
    start(true);
    CHECK_OK();
    loop_request(&l, 10, 0);
    loop_repeat(&l, 0, 0);
    loop_settle(&l);
    CHECK_EQ(l.n_done, 1);
    CHECK_EQ(loop_stats(&l, 1).calls_served, 1);
    CHECK_EQ(loop_stats(&l, 1).rx_dropped, 1);
    loop_fini(&l);
}

/* A restarted server says that it does not know the session: calls fail at once, the next one reconnects. */
static void restart__is_noticed_by_the_first_packet(void) {
    start(false);
    CHECK_OK();
    l.defer = true;
    for (int i = 0; i < 10; i++) loop_request(&l, 10, 0);
    loop_deliver(&l, 0, 0);
    CHECK_EQ(l.n_served, 1);
    loop_kill(&l, 1);
    CHECK_EQ(l.n_gone, 1);
    loop_start(&l, 1);
    l.defer = false;
    loop_settle(&l);
    CHECK_EQ(l.n_done, 10);
    for (int i = 0; i < 10; i++) CHECK_EQ(l.calls[i].status, TERN_STATUS_UNAVAILABLE);
    CHECK_EQ(l.n_lost, 1);
    CHECK_EQ(l.n_served, 1);
    CHECK_EQ(loop_stats(&l, 0).peers_lost, 1);
    loop_request(&l, 10, 0);
    loop_settle(&l);
    CHECK_EQ(l.calls[10].status, TERN_STATUS_OK);
    CHECK_EQ(l.n_up, 2);
    loop_fini(&l);
}

static void refuse__must_know_the_tag(void) {
    start(false);
    CHECK_OK();
    uint8_t p[24 + TERN__REFUSE_BYTES] = {0};
    tern__pkt_header h = {.type = TERN__PKT_REFUSE, .refused = TERN__PKT_REQ}, req;
    loop_request(&l, 10, 0);
    CHECK(loop_peek(&l, 0, 0, &req));
    const struct {
        uint32_t session;
        uint64_t tag;
    } wrong[] = {{req.session, req.tag ^ 1}, {req.session + 1, req.tag}};
    for (unsigned i = 0; i < TERN__COUNT(wrong); i++) {
        h.req = wrong[i].session;
        tern__pkt_write(&h, p);
        tern__store64(p + 24, wrong[i].tag);
        loop_inject(&l, 0, p, sizeof p);
        CHECK_EQ(tern__engine_session_state(l.session), TERN_SESSION_OPEN);
    }
    h.req = req.session;
    tern__pkt_write(&h, p);
    tern__store64(p + 24, req.tag);
    loop_inject(&l, 0, p, sizeof p);
    CHECK_EQ(tern__engine_session_state(l.session), TERN_SESSION_DOWN);
    loop_fini(&l);
}

/* Stray packets get a REFUSE each, but not more than some thousands per second. */
static void refuse__is_rationed(void) {
    loop_init(&l, &(loop_config){0});
    uint8_t p[36];
    tern__pkt_header h = {.type = TERN__PKT_REQ, .session = 99, .flags = TERN__PKT_TAG, .tag = 5};
    tern__pkt_write(&h, p);
    l.now = 10 * TERN_SEC;
    for (int i = 0; i < 1000; i++) loop_inject(&l, 1, p, 32);
    CHECK(l.side[1].n_queued >= 128 && l.side[1].n_queued <= 130);
    l.now += 10 * TERN_MS;
    for (int i = 0; i < 1000; i++) loop_inject(&l, 1, p, 32);
    CHECK(l.side[1].n_queued >= 228 && l.side[1].n_queued <= 231);
    CHECK_EQ(loop_stats(&l, 1).rx_dropped, 2000);
    loop_fini(&l);
}

/* Never in answer to a REFUSE: two strangers would refuse each other for ever. */
static void refuse__is_not_refused(void) {
    loop_init(&l, &(loop_config){0});
    static const uint8_t types[] = {TERN__PKT_REFUSE, TERN__PKT_DISCONNECT, TERN__PKT_DISCONNECTED};
    uint8_t p[36] = {0};
    for (unsigned i = 0; i < TERN__COUNT(types); i++) {
        tern__pkt_header h = {.type = types[i], .session = 99};
        tern__pkt_write(&h, p);
        loop_inject(&l, 1, p, sizeof p);
    }
    CHECK_EQ(l.side[1].n_queued, 0);
    loop_fini(&l);
}

static void close__fails_what_is_pending_and_tells_the_server(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        start(reliable);
        CHECK_OK();
        l.defer = true;
        for (int i = 0; i < 12; i++) loop_request(&l, 3000 * (i % 2), 0);
        loop_settle(&l);
        CHECK_EQ(l.n_served, 8);
        tern__engine_session_close(l.session, l.now);
        CHECK_EQ(l.n_done, 12);
        for (int i = 0; i < 12; i++) CHECK_EQ(l.calls[i].status, TERN_STATUS_UNAVAILABLE);
        loop_settle(&l);
        CHECK_EQ(l.n_gone, 8);
        CHECK_EQ(loop_stats(&l, 1).sessions_open, 0);
        CHECK_EQ(loop_stats(&l, 0).sessions_open, 0);
        loop_fini(&l);
        CHECK_OK();
    }
}

/* The DISCONNECT got lost: the server asks after its silent client, and learns that it is gone. */
static void close__lost_goodbye(void) {
    start(false);
    CHECK_OK();
    loop_request(&l, 10, 0);
    loop_settle(&l);
    tern__engine_session_close(l.session, l.now);
    while (loop_drop(&l, 0, 0)) continue;
    loop_run(&l, l.now + 29 * (tern_time)TERN_SEC, 0);
    CHECK_EQ(loop_stats(&l, 1).sessions_open, 1);
    loop_run(&l, l.now + 2 * (tern_time)TERN_SEC, 0);
    CHECK_EQ(loop_stats(&l, 1).sessions_open, 0);
    loop_fini(&l);
}

/* The client's machine is gone: a handler that runs is told within two peer timeouts. */
static void server__notices_a_dead_client(void) {
    start(false);
    CHECK_OK();
    l.defer = true;
    loop_request(&l, 10, 0);
    loop_settle(&l);
    loop_kill(&l, 0);
    CHECK_EQ(l.n_gone, 0);
    loop_run(&l, l.now + 2 * (tern_time)TERN_SEC, 0);
    CHECK_EQ(l.n_gone, 1);
    CHECK_EQ(loop_stats(&l, 1).peers_lost, 1);
    loop_fini(&l);
}

/* An idle client that lives keeps its session for ever, at a ping per half minute. */
static void server__keeps_an_idle_client(void) {
    start(false);
    CHECK_OK();
    uint64_t packets = loop_stats(&l, 1).tx_packets;
    loop_run(&l, l.now + 600 * (tern_time)TERN_SEC, 0);
    CHECK_EQ(loop_stats(&l, 1).sessions_open, 1);
    packets = loop_stats(&l, 1).tx_packets - packets;
    CHECK(packets >= 19 && packets <= 21);
    loop_fini(&l);
}

static void route_lost__ends_both_sides(void) {
    start(true);
    CHECK_OK();
    l.defer = true;
    for (int i = 0; i < 10; i++) loop_request(&l, 10, 0);
    loop_settle(&l);
    tern__route to_client = {.len = 1, .bytes = {1}};
    tern__engine_route_lost(l.side[0].engine, &l.side[0].link, &to_client, l.now); /* another route */
    CHECK_EQ(l.n_done, 0);
    tern__engine_route_lost(l.side[0].engine, &l.side[0].link, &to_server, l.now);
    CHECK_EQ(l.n_done, 10);
    CHECK_EQ(l.n_lost, 1);
    tern__engine_route_lost(l.side[1].engine, &l.side[1].link, &to_client, l.now);
    CHECK_EQ(l.n_gone, 8);
    CHECK_EQ(loop_stats(&l, 1).peers_lost, 1);
    loop_fini(&l);
}

/* A server that offers another number of slots than ours: as many calls run at a time as both offer, the others wait,
 * and all of them end. */
static void slots__as_many_as_both_offer(void) {
    static const uint32_t offers[] = {1, 2, 3, 4, 7, 8, 64, UINT32_MAX};
    enum { N = 20 };
    for (unsigned i = 0; i < 2 * TERN__COUNT(offers); i++) {
        uint32_t offer = offers[i / 2], usable = offer < 8 ? offer : 8, left;
        loop_init(&l, &(loop_config){.reliable = i & 1});
        l.defer = true;
        CHECK_EQ(open_session(), 0);
        loop_deliver(&l, 0, 0);
        for (int k = 0; k < 2 && !(i & 1); k++) loop_deliver(&l, !k, 0); /* the RETRY, and what it brings */
        uint8_t *record = record_in(1, 0, 0xffff, TERN__SETUP_SLOTS, &left);
        CHECK(record != NULL);
        CHECK_OK();
        tern__store32(record + 4, offer);
        for (uint32_t k = 0; k < N; k++) loop_request(&l, k % 5 == 4 ? 5000 : 10 + k, 0);
        loop_settle(&l);
        CHECK_EQ(l.n_served, usable);
        CHECK_EQ(l.session->n_backlog, N - usable);
        CHECK_EQ(l.session->s.tx_usual != 0, usable == 8);
        for (uint32_t k = 0; k < N; k++) { /* the next one begins when one has ended */
            CHECK_EQ(l.n_served, k + usable < N ? k + usable : N);
            tern__body body = {.data = l.request[k].data, .len = l.request[k].len};
            CHECK_EQ(tern__engine_respond(l.request[k].request, TERN_STATUS_OK, &body, l.now), 0);
            loop_settle(&l);
            CHECK_EQ(l.n_done, k + 1);
            CHECK_OK();
        }
        for (uint32_t k = 0; k < N; k++) CHECK_EQ(l.calls[k].status, TERN_STATUS_OK);
        for (uint32_t k = 0; k < 8; k++) CHECK_EQ(l.session->s.reqs[k] == tern__no_req(k), k >= usable);
        loop_request(&l, 20, 0);
        loop_settle(&l);
        CHECK_EQ(l.n_served, N + 1);
        loop_fini(&l);
        CHECK_OK();
    }
}

/* A client that offers more or fewer slots than ours has a session all the same. */
static void slots__whatever_the_client_offers(void) {
    static const uint32_t offers[] = {1, 2, 4, 8, 64};
    for (unsigned i = 0; i < TERN__COUNT(offers); i++) {
        loop_init(&l, &(loop_config){0});
        tern__setup setup = setup_usual(1, 7, 0);
        setup.n_slots = offers[i];
        knock(setup);
        CHECK_EQ(loop_stats(&l, 1).sessions_open, 1);
        uint32_t len;
        const uint8_t *accept = loop_bytes(&l, 1, 0, &len);
        CHECK(accept != NULL && setup_of(accept, len).n_slots == 8);
        loop_fini(&l);
        CHECK_OK();
    }
}

static void ask_again(loop *which, loop_call *call) {
    if (call->status == TERN_STATUS_UNAVAILABLE && which->n_calls < 40) loop_request(which, 10, 0);
}

/* A continuation that tries again while its session is being given up. */
static void lost__continuations_may_call_again(void) {
    start(false);
    CHECK_OK();
    l.on_done = ask_again;
    l.defer = true;
    for (int i = 0; i < 20; i++) loop_request(&l, 10, 0);
    loop_settle(&l);
    loop_kill(&l, 1);
    loop_start(&l, 1);
    l.defer = false;
    loop_run(&l, l.now + TERN_SEC, 0);
    CHECK_EQ(l.n_done, 40);
    for (int i = 20; i < 40; i++) CHECK_EQ(l.calls[i].status, TERN_STATUS_OK);
    l.on_done = NULL;
    loop_fini(&l);
}

TAP_MAIN(TEST(connect__repeated_packets_make_one_session), TEST(connect__nobody_answers), TEST(connect__table_full),
         TEST(connect__refused), TEST(connect__refused_for_a_reason), TEST(connect__many_namesakes),
         TEST(refuse__says_why), TEST(slots__as_many_as_both_offer), TEST(slots__whatever_the_client_offers),

         TEST(critical__records_are_refused_by_either_side), TEST(setup__with_another_packet_behind_it_is_dropped),
         TEST(setup__spoilt_anywhere_does_no_harm), TEST(connect__takes_a_cookie), TEST(connect__cookies_grow_old),
         TEST(connect__retries_are_followed_once), TEST(many_sessions__grow_the_table),
         TEST(session__idle_takes_little), TEST(served__done_is_not_forgotten), TEST(connect__link_brings_its_credits),
         TEST(connect__credits_fit_what_links_hold), TEST(restart__is_noticed_by_the_first_packet),
         TEST(refuse__must_know_the_tag), TEST(refuse__is_rationed), TEST(refuse__is_not_refused),
         TEST(close__fails_what_is_pending_and_tells_the_server), TEST(close__lost_goodbye),
         TEST(server__notices_a_dead_client), TEST(server__keeps_an_idle_client), TEST(route_lost__ends_both_sides),
         TEST(lost__continuations_may_call_again))
