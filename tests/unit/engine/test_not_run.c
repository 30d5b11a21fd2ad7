/* The end of a session or of a response: what the server has begun, what may be sent again, what is lost for good. */
#include "engine/server.h"
#include "loop.h"

static loop l;
static const tern__route to_server = {.len = 1, .bytes = {2}};

static void start(bool reliable) {
    loop_init(&l, &(loop_config){.reliable = reliable});
    loop_connect(&l);
}

static int open_session(void) {
    return tern__engine_connect(l.side[0].engine, &l.side[0].link, &to_server, &l, l.now, &l.session);
}

static tern__ssession *server_session(void) {
    const tern__engine *e = l.side[1].engine;
    for (uint32_t i = 0; i < e->n_table; i++)
        if (e->sessions[i]) return (tern__ssession *)e->sessions[i];
    return NULL;
}

/* The server's time is up: its last word says which requests it has begun, also of one of which it has a part. */
static void drain__tells_what_has_not_begun(void) {
    for (int forged = 0; forged < 2; forged++) {
        start(false);
        CHECK_OK();
        l.defer = true;
        for (int i = 0; i < 12; i++) loop_request(&l, i == 2 ? 3000 : 10, 0);
        for (int i = 0; i < 3; i++) CHECK(loop_deliver(&l, 0, 0)); /* two, and the first packet of the third */
        CHECK_EQ(l.n_served, 2);
        while (loop_drop(&l, 0, 0)) continue;
        while (loop_drop(&l, 1, 0)) continue;
        tern__engine_drain(l.side[1].engine, l.now, l.now);
        tern__engine_tick(l.side[1].engine, l.now);
        tern__pkt_header h;
        uint32_t len;
        CHECK(loop_peek(&l, 1, 0, &h));
        CHECK_EQ(h.type, TERN__PKT_DISCONNECT);
        uint8_t *p = loop_bytes(&l, 1, 0, &len);
        CHECK_EQ(len, 32 + 40);
        CHECK_EQ(tern__load32(p + 32), l.session->s.peer_number);
        if (forged) p[32] ^= 1; /* another session's: nothing is known then of what has left */
        loop_settle(&l);
        CHECK_EQ(l.n_done, 12);
        for (int i = 0; i < 12; i++) {
            CHECK_EQ(l.calls[i].status, TERN_STATUS_UNAVAILABLE);
            CHECK_EQ(l.calls[i].not_run, i >= (forged ? 8 : 2));
        }
        loop_fini(&l);
        CHECK_OK();
    }
}

/* Whatever ends a session: what waits in the backlog has not begun, what has left may have. */
static void lost__calls_that_have_not_left_have_not_run(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        start(reliable);
        CHECK_OK();
        for (int i = 0; i < 20; i++) loop_request(&l, 10, 0);
        tern__engine_route_lost(l.side[0].engine, &l.side[0].link, &to_server, l.now);
        CHECK_EQ(l.n_done, 20);
        for (int i = 0; i < 20; i++) CHECK_EQ(l.calls[i].not_run, i >= 8);
        CHECK(!tern__engine_has_not_run(l.side[0].engine));
        loop_fini(&l);
        CHECK_OK();
    }
}

/* A GOAWAY comes while the link is full: what has a slot and has not left goes on elsewhere with what waits for one. */
static void drain__moves_what_has_not_left(void) {
    enum { N = 12, N_LEFT = 3 };
    for (int reliable = 0; reliable < 2; reliable++) {
        start(reliable);
        CHECK_OK();
        l.side[0].capacity = N_LEFT;
        for (int i = 0; i < N; i++) CHECK_EQ(loop_request(&l, 10, i == 5 ? 60 * TERN_SEC : 0), i);
        tern__engine_drain(l.side[1].engine, l.now + TERN_SEC, l.now);
        tern__engine_tick(l.side[1].engine, l.now);
        tern__pkt_header h;
        uint32_t len;
        CHECK(loop_peek(&l, 1, 0, &h));
        CHECK_EQ(h.type, TERN__PKT_GOAWAY);
        loop_bytes(&l, 1, 0, &len);
        CHECK_EQ(len, (reliable ? 24 : 32) + 40);
        CHECK(loop_deliver(&l, 1, 0));
        tern__csession *old = l.session;
        CHECK(tern__engine_session_has_backlog(old));
        CHECK_EQ(open_session(), 0);
        CHECK_EQ(tern__engine_move_backlog(old, l.session, l.now), N - N_LEFT);
        CHECK(!tern__engine_session_has_backlog(old));
        CHECK_EQ(l.session->n_backlog, N - N_LEFT);
        CHECK_EQ(__builtin_popcount((uint8_t)~old->free_slots), N_LEFT);
        l.side[0].capacity = 4096;
        loop_run(&l, l.now + 100 * TERN_MS, 0);
        CHECK_EQ(loop_stats(&l, 1).calls_served, N_LEFT); /* the new session is refused here */
        for (int i = 0; i < N; i++) {
            CHECK_EQ(l.calls[i].n_done, 1);
            CHECK_EQ(l.calls[i].status, i < N_LEFT ? TERN_STATUS_OK : TERN_STATUS_UNAVAILABLE);
            CHECK_EQ(l.calls[i].not_run, i >= N_LEFT);
        }
        loop_fini(&l);
        CHECK_OK();
    }
}

/* The server keeps the response no longer, and the client does not have it: the call ends, and not by silence. */
static void rfr__for_a_response_that_is_gone(void) {
    start(false);
    CHECK_OK();
    l.defer = true;
    loop_request(&l, 10, 0);
    CHECK(loop_repeat(&l, 0, 0) && loop_deliver(&l, 0, 0)); /* the second brings a CR */
    loop_settle(&l);
    tern__body body = {.data = l.request[0].data, .len = l.request[0].len};
    CHECK_EQ(tern__engine_respond(l.request[0].request, TERN_STATUS_OK, &body, l.now), 0);
    while (loop_drop(&l, 1, 0)) continue;
    uint8_t ended[4 * TERN__N_SLOTS];
    for (uint32_t i = 0; i < TERN__N_SLOTS; i++) tern__store32(ended + 4 * i, i ? tern__no_req(i) : 0);
    tern__server_completed(server_session(), ended);
    loop_run(&l, l.now + TERN_SEC, 0);
    CHECK_EQ(l.n_done, 1);
    CHECK_EQ(l.calls[0].status, TERN_STATUS_DATA_LOSS);
    CHECK_EQ(tern__engine_session_state(l.session), TERN_SESSION_OPEN);
    loop_fini(&l);
}

TAP_MAIN(TEST(drain__tells_what_has_not_begun), TEST(lost__calls_that_have_not_left_have_not_run),
         TEST(drain__moves_what_has_not_left), TEST(rfr__for_a_response_that_is_gone))
