/* What a server says of the calls that it admits, and what its clients make of it. */
#include "engine/admission.h"
#include "engine/engine_record.h"
#include "loop.h"

static loop l;
static const tern__route to_server = {.len = 1, .bytes = {2}};

static void start(bool reliable, uint32_t bound) {
    loop_init(
        &l, &(loop_config){.reliable = reliable, .engine = {.max_running_calls = bound, .retry_after = 10 * TERN_MS}});
    loop_connect(&l);
    l.defer = true;
}

static const tern__ccold *cold(void) { return l.session->s.ccold; }
static uint32_t n_sent(void) { return l.side[0].n_queued; }

static void answer(unsigned i) {
    tern__body body = {.data = l.request[i].data, .len = l.request[i].len};
    CHECK_EQ(tern__engine_respond(l.request[i].request, TERN_STATUS_OK, &body, l.now), 0);
    loop_settle(&l);
}

/* The number of the request, of one packet, that call n is of: calls take the first free slot. */
static void respond_by_hand(uint32_t req, uint8_t status, uint32_t admission) {
    uint8_t p[TERN__PKT_MAX_HEADER_BYTES];
    tern__session *s = &l.session->s;
    tern__pkt_header h = {.type = TERN__PKT_RESP,
                          .flags = s->tx_flags,
                          .status = status,
                          .session = s->number,
                          .req = req,
                          .tag = s->rx_tag,
                          .admission = admission};
    tern__pkt_write(&h, p);
    loop_inject(&l, 0, p, tern__pkt_header_bytes(&h));
}

static void bound__rejects_before_the_handler(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        for (uint32_t len = 10; len < 4000; len += 3000) {
            start(reliable, 3);
            CHECK_OK();
            for (int i = 0; i < 4; i++) loop_request(&l, len, 0);
            loop_settle(&l);
            CHECK_EQ(l.n_served, 3);
            CHECK_EQ(l.n_done, 1);
            CHECK_EQ(l.side[1].engine->n_admitted, 3);
            CHECK_EQ(l.side[1].engine->n_admitted_sessions, 1);
            for (int i = 0; i < 4; i++) {
                if (!l.calls[i].n_done) continue;
                CHECK_EQ(l.calls[i].status, TERN_STATUS_RESOURCE_EXHAUSTED);
                CHECK(l.calls[i].not_run);
            }
            tern_dur left = tern__engine_retry_after(l.session, l.now);
            CHECK(left >= 10 * TERN_MS && left <= 20 * TERN_MS);
            for (unsigned i = 0; i < 3; i++) answer(i);
            CHECK_EQ(l.n_done, 4);
            CHECK_EQ(l.side[1].engine->n_admitted, 0);
            CHECK_EQ(l.side[1].engine->n_admitted_sessions, 0);
            loop_fini(&l);
            CHECK_OK();
        }
    }
}

/* A request that was rejected does not run when it comes once more. */
static void bound__holds_for_a_request_that_comes_again(void) {
    start(false, 1);
    CHECK_OK();
    loop_request(&l, 10, 0);
    loop_settle(&l);
    loop_request(&l, 10, 0);
    CHECK(loop_repeat(&l, 0, 0) && loop_repeat(&l, 0, 0));
    while (loop_drop(&l, 1, 0)) continue; /* the rejections, too */
    answer(0);
    CHECK_EQ(l.n_served, 1);
    loop_run(&l, l.now + TERN_SEC, 0);
    CHECK_EQ(l.n_served, 1);
    CHECK_EQ(l.n_done, 2);
    CHECK(l.calls[1].not_run);
    loop_fini(&l);
}

/* Until the time has passed nothing is sent, and then one call asks for all. */
static void retry__refuses_and_then_probes(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        start(reliable, 1);
        CHECK_OK();
        for (int i = 0; i < 2; i++) loop_request(&l, 10, 0);
        loop_settle(&l);
        CHECK_EQ(l.n_done, 1);
        answer(0); /* was sent before the server named a time, and takes nothing of it back */
        uint32_t before = n_sent();
        CHECK_EQ(loop_request(&l, 10, 0), TERN__NOT_ADMITTED);
        CHECK_EQ(n_sent(), before);
        l.now = cold()->retry_at - 1;
        CHECK_EQ(loop_request(&l, 10, 0), TERN__NOT_ADMITTED);
        CHECK_EQ(tern__engine_retry_after(l.session, l.now), 1);
        l.now++;
        CHECK_EQ(tern__engine_retry_after(l.session, l.now), 0);
        int probe = loop_request(&l, 10, 0);
        CHECK_EQ(probe, 2);
        CHECK_EQ(loop_request(&l, 10, 0), TERN__NOT_ADMITTED);
        loop_settle(&l);
        CHECK_EQ(l.n_served, 2);
        answer(1);
        CHECK_EQ(l.calls[probe].status, TERN_STATUS_OK);
        CHECK(!l.session->probes_admission);
        loop_fini(&l);
        CHECK_OK();
    }
}

/* A probe whose answer never comes ends like any call, and the next call probes. */
static void retry__probe_with_a_deadline(void) {
    start(false, 1);
    CHECK_OK();
    for (int i = 0; i < 2; i++) loop_request(&l, 10, 0);
    loop_settle(&l);
    l.now = cold()->retry_at;
    CHECK_EQ(loop_request(&l, 10, 0), TERN__NOT_ADMITTED); /* the grant is used up, and a second has not passed */
    l.now += TERN_SEC;
    int probe = loop_request(&l, 10, 20 * TERN_MS);
    CHECK_EQ(probe, 2);
    while (loop_drop(&l, 0, 0)) continue;
    l.now += 20 * TERN_MS;
    loop_tick(&l);
    CHECK_EQ(l.calls[probe].status, TERN_STATUS_DEADLINE_EXCEEDED);
    CHECK(!l.calls[probe].not_run);
    answer(0);
    CHECK(loop_request(&l, 10, 0) >= 0);
    loop_settle(&l);
    answer(l.n_served - 1);
    loop_fini(&l);
}

/* Calls that wait for a slot wait for the time, too, and none gets lost. */
static void retry__keeps_the_backlog_waiting(void) {
    enum { N = 30 };
    for (int reliable = 0; reliable < 2; reliable++) {
        start(reliable, 0);
        CHECK_OK();
        for (int i = 0; i < N; i++) loop_request(&l, 10, 0);
        uint32_t first = l.session->s.reqs[0];
        while (loop_drop(&l, 0, 0)) continue;
        respond_by_hand(first, TERN_STATUS_RESOURCE_EXHAUSTED,
                        TERN__ADMISSION_NOT_RUN | 50u << TERN__ADMISSION_RETRY_AT);
        CHECK_EQ(l.n_done, 1);
        CHECK_EQ(n_sent(), 0);
        CHECK_EQ(l.session->n_backlog, N - 8);
        for (uint32_t i = 1; i < 8; i++) respond_by_hand(l.session->s.reqs[i], TERN_STATUS_OK, 0);
        CHECK_EQ(l.n_done, 8);
        CHECK_EQ(n_sent(), 0);
        CHECK(tern__engine_next_due(l.side[0].engine) <= cold()->retry_at);
        l.defer = false;
        l.now = cold()->retry_at;
        loop_tick(&l);
        CHECK_EQ(n_sent(), 1); /* the one that asks */
        loop_settle(&l);
        CHECK_EQ(l.n_done, N);
        for (int i = 0; i < N; i++) CHECK_EQ(l.calls[i].n_done, 1);
        CHECK(!l.session->bounded);
        loop_fini(&l);
        CHECK_OK();
    }
}

static void grant__bounds_calls_at_a_time(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        start(reliable, 0);
        CHECK_OK();
        loop_request(&l, 10, 0);
        respond_by_hand(l.session->s.reqs[0], TERN_STATUS_OK, 2);
        CHECK_EQ(l.n_done, 1);
        CHECK(l.session->bounded);
        CHECK_EQ(l.session->s.tx_usual | l.session->s.rx_usual, 0);
        loop_settle(&l);
        CHECK_EQ(loop_request(&l, 10, 0), 1);
        CHECK_EQ(loop_request(&l, 10, 0), 2);
        CHECK_EQ(loop_request(&l, 10, 0), TERN__NOT_ADMITTED);
        CHECK_EQ(tern__engine_retry_after(l.session, l.now), 0);
        loop_settle(&l);
        answer(l.n_served - 1); /* the server itself says nothing: the bound is no more */
        CHECK(!l.session->bounded);
        CHECK(l.session->s.tx_usual && l.session->s.rx_usual);
        CHECK_EQ(loop_request(&l, 10, 0), 3);
        loop_fini(&l);
        CHECK_OK();
    }
}

/* Whatever a server says, the client waits for half a minute at most, and may then call. */
/* More calls than there are slots: the backlog counts, too. */
static void grant__bounds_the_backlog(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        start(reliable, 0);
        CHECK_OK();
        loop_request(&l, 10, 0);
        respond_by_hand(l.session->s.reqs[0], TERN_STATUS_OK, 20);
        CHECK_EQ(l.n_done, 1);
        for (int i = 0; i < 20; i++) CHECK(loop_request(&l, 10, 0) >= 0);
        CHECK_EQ(l.session->n_backlog, 20 - TERN__N_SLOTS);
        CHECK_EQ(loop_request(&l, 10, 0), TERN__NOT_ADMITTED);
        respond_by_hand(l.session->s.reqs[0], TERN_STATUS_OK, 20);
        CHECK(loop_request(&l, 10, 0) >= 0);
        CHECK_EQ(loop_request(&l, 10, 0), TERN__NOT_ADMITTED);
        respond_by_hand(l.session->s.reqs[1], TERN_STATUS_OK, 0); /* any number */
        for (int i = 0; i < 20; i++) CHECK(loop_request(&l, 10, 0) >= 0);
        loop_fini(&l);
    }
}

static void retry__of_a_liar(void) {
    start(true, 0);
    CHECK_OK();
    loop_request(&l, 10, 0);
    respond_by_hand(l.session->s.reqs[0], TERN_STATUS_RESOURCE_EXHAUSTED, UINT32_MAX);
    CHECK_EQ(tern__engine_retry_after(l.session, l.now), 30 * TERN_SEC);
    CHECK(l.calls[0].not_run);
    CHECK_EQ(loop_request(&l, 10, 0), TERN__NOT_ADMITTED);
    l.now += 30 * TERN_SEC;
    CHECK_EQ(loop_request(&l, 10, 0), 1);
    respond_by_hand(l.session->s.reqs[0], TERN_STATUS_OK, UINT32_MAX); /* a response has begun, whatever is said */
    CHECK_EQ(l.calls[1].status, TERN_STATUS_OK);
    CHECK(!l.calls[1].not_run);
    loop_fini(&l);
}

/* A new connection is to a server that has said nothing. */
static void bounds__end_with_the_connection(void) {
    start(true, 0);
    CHECK_OK();
    loop_request(&l, 10, 0);
    respond_by_hand(l.session->s.reqs[0], TERN_STATUS_RESOURCE_EXHAUSTED, UINT32_MAX);
    tern__engine_route_lost(l.side[0].engine, &l.side[0].link, &to_server, l.now);
    CHECK(!l.session->bounded);
    CHECK_EQ(loop_request(&l, 10, 0), 1);
    loop_fini(&l);
}

/* Near the bound each of two sessions is granted half of it. */
static void grants__are_shared_out(void) {
    start(true, 8);
    CHECK_OK();
    tern__csession *first = l.session, *second;
    for (int i = 0; i < 3; i++) loop_request(&l, 10, 0);
    loop_settle(&l);
    CHECK_EQ(tern__engine_connect(l.side[0].engine, &l.side[0].link, &to_server, &l, l.now, &second), 0);
    loop_settle(&l);
    l.session = second;
    for (int i = 0; i < 3; i++) loop_request(&l, 10, 0);
    loop_settle(&l);
    CHECK_EQ(l.side[1].engine->n_admitted_sessions, 2);
    answer(0);
    answer(3);
    CHECK_EQ(first->s.ccold->granted, 4);
    CHECK_EQ(second->s.ccold->granted, 4);
    l.session = first;
    for (int i = 0; i < 2; i++) CHECK(loop_request(&l, 10, 0) >= 0);
    CHECK_EQ(loop_request(&l, 10, 0), TERN__NOT_ADMITTED);
    loop_fini(&l);
}

/* A client that goes away gives the places of its calls back. */
static void bound__forgets_calls_whose_client_is_gone(void) {
    start(true, 2);
    CHECK_OK();
    for (int i = 0; i < 2; i++) loop_request(&l, 10, 0);
    loop_settle(&l);
    CHECK_EQ(l.side[1].engine->n_admitted, 2);
    tern__engine_session_close(l.session, l.now);
    loop_settle(&l);
    CHECK_EQ(l.n_gone, 2);
    CHECK_EQ(l.side[1].engine->n_admitted, 0);
    CHECK_EQ(l.side[1].engine->n_admitted_sessions, 0);
    loop_fini(&l);
}

/* Requests that newer ones have put aside still run, and count. */
static void bound__counts_orphans(void) {
    start(false, 2);
    CHECK_OK();
    loop_request(&l, 10, TERN_MS);
    loop_settle(&l);
    l.now += 2 * TERN_MS;
    loop_tick(&l);
    CHECK_EQ(l.calls[0].status, TERN_STATUS_DEADLINE_EXCEEDED);
    while (loop_drop(&l, 0, 0)) continue;
    loop_request(&l, 10, 0);
    loop_settle(&l);
    CHECK_EQ(l.n_served, 2);
    CHECK_EQ(l.side[1].engine->n_admitted, 2);
    answer(0);
    CHECK_EQ(l.side[1].engine->n_admitted, 1);
    answer(1);
    CHECK_EQ(l.side[1].engine->n_admitted, 0);
    loop_fini(&l);
}

/* Each failure that says for certain that the handler has not begun, and those that do not. */
static void not_run__by_the_way_a_call_ends(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        start(reliable, 0);
        CHECK_OK();
        /* The deadline passes: of a call that was sent, and of one that waits for a slot. */
        for (int i = 0; i < 9; i++) loop_request(&l, 10, TERN_MS);
        l.now += 2 * TERN_MS;
        loop_tick(&l);
        CHECK_EQ(l.n_done, 9);
        CHECK(!l.calls[0].not_run && l.calls[8].not_run);
        /* ... and of one that has a slot, but found the link full. */
        while (loop_drop(&l, 0, 0)) continue;
        l.side[0].capacity = 0;
        int stuck = loop_request(&l, 10, TERN_MS);
        l.now += 2 * TERN_MS;
        loop_tick(&l);
        CHECK_EQ(l.calls[stuck].status, TERN_STATUS_DEADLINE_EXCEEDED);
        CHECK(l.calls[stuck].not_run);
        /* The caller gives up. */
        stuck = loop_request(&l, 10, 0);
        CHECK_EQ(tern__engine_cancel(l.session, &l.calls[stuck], l.now), TERN__CANCELLED_UNSENT);
        l.side[0].capacity = 4096;
        int sent = loop_request(&l, 10, 0);
        CHECK_EQ(tern__engine_cancel(l.session, &l.calls[sent], l.now), TERN__CANCELLED_SENT);
        CHECK_EQ(tern__engine_cancel(l.session, &l.calls[sent], l.now), TERN__CANCELLED_NOT);
        loop_fini(&l);
        CHECK_OK();
    }
}

/* An error of a handler, and one of the engine's user that stands for none. */
static void not_run__as_the_server_says(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        for (int not_run = 0; not_run < 2; not_run++) {
            start(reliable, 0);
            CHECK_OK();
            int call = loop_request(&l, 10, 0);
            loop_settle(&l);
            int status = TERN_STATUS_UNIMPLEMENTED | (not_run ? TERN__NOT_RUN : 0);
            CHECK_EQ(tern__engine_respond(l.request[0].request, status, NULL, l.now), 0);
            CHECK(reliable || loop_drop(&l, 1, 0)); /* the client asks again */
            loop_run(&l, l.now + 100 * TERN_MS, 0);
            CHECK_EQ(l.calls[call].status, TERN_STATUS_UNIMPLEMENTED);
            CHECK_EQ(l.calls[call].not_run, not_run);
            loop_fini(&l);
            CHECK_OK();
        }
    }
}

/* Packet `pkt` of an error of two packets, which is a metadata block alone, and answers the request `req`. */
static void half_error_by_hand(uint32_t req, uint32_t pkt) {
    enum { CUT = 16, ALL = 24 };
    uint8_t p[TERN__PKT_MAX_HEADER_BYTES + CUT] = {0};
    tern__session *s = &l.session->s;
    tern__pkt_header h = {.type = TERN__PKT_RESP,
                          .flags = (uint8_t)(s->tx_flags | TERN__PKT_MULTI | (pkt ? 0 : TERN__PKT_META)),
                          .status = TERN_STATUS_UNIMPLEMENTED,
                          .session = s->number,
                          .req = req,
                          .tag = s->rx_tag,
                          .admission = TERN__ADMISSION_NOT_RUN,
                          .pkt = pkt,
                          .size = ALL,
                          .cut = CUT,
                          .meta_bytes = pkt ? 0 : ALL};
    tern__pkt_write(&h, p);
    loop_inject(&l, 0, p, tern__pkt_header_bytes(&h) + (pkt ? ALL - CUT : CUT));
}

/* What a server says of one call, whose error comes in pieces, is true of that call alone. */
static void not_run__of_an_error_in_pieces(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        start(reliable, 0);
        CHECK_OK();
        const uint32_t *reqs = l.session->s.reqs;
        loop_request(&l, 10, 0);
        loop_request(&l, 10, 0);
        uint32_t first = reqs[0], second = reqs[1];
        half_error_by_hand(first, 0);
        CHECK_EQ(l.n_done, 0);
        respond_by_hand(second, TERN_STATUS_UNIMPLEMENTED, 0);
        CHECK_EQ(l.n_done, 1);
        CHECK(!l.calls[1].not_run);
        half_error_by_hand(first, 1);
        CHECK_EQ(l.calls[0].status, TERN_STATUS_UNIMPLEMENTED);
        CHECK(l.calls[0].not_run);
        /* The caller gives one up of which that was said; the next one in the slot has run. */
        int given_up = loop_request(&l, 10, 0);
        half_error_by_hand(reqs[0], 0);
        CHECK_EQ(tern__engine_cancel(l.session, &l.calls[given_up], l.now), TERN__CANCELLED_SENT);
        int next = loop_request(&l, 10, 0);
        respond_by_hand(reqs[0], TERN_STATUS_UNIMPLEMENTED, 0);
        CHECK_EQ(l.calls[next].status, TERN_STATUS_UNIMPLEMENTED);
        CHECK(!l.calls[next].not_run);
        loop_fini(&l);
        CHECK_OK();
    }
}

/* There is no memory for a request. */
static void not_run__without_memory(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        loop_init(&l,
                  &(loop_config){.reliable = reliable, .engine = {.max_message_bytes = 4096, .max_rx_bytes = 4096}});
        loop_connect(&l);
        CHECK_OK();
        int too_long = loop_request(&l, 5000, 0);
        loop_settle(&l);
        CHECK_EQ(l.calls[too_long].status, TERN_STATUS_RESOURCE_EXHAUSTED);
        CHECK(l.calls[too_long].not_run);
        CHECK_EQ(loop_stats(&l, 1).calls_served, 0);
        loop_fini(&l);
        CHECK_OK();
    }
}

TAP_MAIN(TEST(bound__rejects_before_the_handler), TEST(bound__holds_for_a_request_that_comes_again),
         TEST(retry__refuses_and_then_probes), TEST(retry__probe_with_a_deadline),
         TEST(retry__keeps_the_backlog_waiting), TEST(grant__bounds_calls_at_a_time), TEST(grant__bounds_the_backlog),
         TEST(retry__of_a_liar), TEST(bounds__end_with_the_connection), TEST(grants__are_shared_out),
         TEST(bound__forgets_calls_whose_client_is_gone), TEST(bound__counts_orphans),
         TEST(not_run__by_the_way_a_call_ends), TEST(not_run__as_the_server_says), TEST(not_run__of_an_error_in_pieces),
         TEST(not_run__without_memory))
