/* Calls over both kinds of link: sizes, order of completion, backlog, deadlines, limits, a full ring. */
#include "loop.h"

static loop l;

static void start_with(loop_config config) {
    loop_init(&l, &config);
    loop_connect(&l);
}

static void start(bool reliable) { start_with((loop_config){.reliable = reliable}); }

static void check_echo(int n, uint32_t len) {
    CHECK_EQ(l.calls[n].n_done, 1);
    CHECK_EQ(l.calls[n].status, TERN_STATUS_OK);
    CHECK_EQ(l.calls[n].len, len);
    CHECK(loop_is_pattern(l.calls[n].data, len));
}

static void deliver_one(void) {
    if (!loop_deliver(&l, 0, 0)) loop_deliver(&l, 1, 0);
}

/* Every size around a packet's edge, one after the other, without a packet more than needed. */
static void sizes(bool reliable) {
    static const uint32_t lens[] = {0, 1, 32, 512, 1023, 1024, 1025, 1040, 1041, 2047, 2048, 2049, 10240, 100000};
    start(reliable);
    CHECK_OK();
    uint64_t packets = loop_stats(&l, 0).tx_packets + loop_stats(&l, 1).tx_packets;
    for (unsigned i = 0; i < TERN__COUNT(lens); i++) {
        CHECK_EQ(loop_request(&l, lens[i], 0), i);
        loop_settle(&l);
        check_echo((int)i, lens[i]);
        CHECK_OK();
        uint64_t n =
            lens[i] <= 1040 ? 1 : (lens[i] + 1023) / 1024; /* a packet that is all has room for 16 bytes more */
        packets += 4 * n - 2;                              /* N requests, N - 1 CRs, N responses, N - 1 RFRs */
        CHECK_EQ(loop_stats(&l, 0).tx_packets + loop_stats(&l, 1).tx_packets, packets);
    }
    CHECK_EQ(loop_stats(&l, 0).retransmits, 0);
    CHECK_EQ(loop_stats(&l, 0).rx_dropped + loop_stats(&l, 1).rx_dropped, 0);
    CHECK_EQ(loop_stats(&l, 1).calls_served, TERN__COUNT(lens));
    loop_fini(&l);
}

static void request__sizes_on_a_reliable_link(void) { sizes(true); }
static void request__sizes_on_a_lossy_link(void) { sizes(false); }

/* Each side's largest packet counts: the smaller of the two is used in both directions. */
static void request__smaller_packets_at_the_server(void) {
    start_with((loop_config){.max_packet = 4000, .max_packet_server = 300});
    CHECK_OK();
    loop_request(&l, 3000, 0);
    loop_settle(&l);
    check_echo(0, 3000);
    CHECK_OK();
    loop_fini(&l);
}

/* The shortest packets that a session may have: what is kept to be sent again is no longer than they are. */
static void request__sizes_about_the_smallest_packet(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        start_with((loop_config){.reliable = reliable, .max_packet = 256});
        CHECK_OK();
        for (uint32_t len = 180; len < 300; len++) {
            loop_request(&l, len, 0);
            loop_settle(&l);
            check_echo((int)l.n_calls - 1, len);
            CHECK_OK();
        }
        loop_fini(&l);
    }
}

static void request__64_megabytes(void) {
    enum { BYTES = 64 << 20 };
    for (int reliable = 0; reliable < 2; reliable++) {
        start_with((loop_config){.reliable = reliable, .max_packet = 32768, .engine.credits = 8});
        CHECK_OK();
        loop_request(&l, BYTES, 0);
        loop_settle(&l);
        check_echo(0, BYTES);
        CHECK_OK();
        CHECK_EQ(loop_request(&l, BYTES + 1, 0), TERN_ERR_LIMIT);
        loop_fini(&l);
        CHECK_OK();
    }
}

static void request__waits_for_the_connection(void) {
    loop_init(&l, &(loop_config){0});
    tern__route to = {.len = 1, .bytes = {2}};
    CHECK_EQ(tern__engine_connect(l.side[0].engine, &l.side[0].link, &to, &l, l.now, &l.session), 0);
    for (int i = 0; i < 20; i++) CHECK_EQ(loop_request(&l, 100 * i, 0), i);
    CHECK_EQ(tern__engine_session_state(l.session), TERN_SESSION_CONNECTING);
    loop_settle(&l);
    for (int i = 0; i < 20; i++) {
        check_echo(i, 100 * i);
        CHECK_OK();
    }
    loop_fini(&l);
}

/* The responses come in the opposite order of the requests. */
static void respond__out_of_order(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        start(reliable);
        CHECK_OK();
        l.defer = true;
        for (int i = 0; i < 8; i++) CHECK_EQ(loop_request(&l, 10 + 500 * i, 0), i);
        loop_settle(&l);
        CHECK_EQ(l.n_served, 8);
        for (int i = 7; i >= 0; i--) {
            CHECK(loop_is_pattern(l.request[i].data, l.request[i].len));
            CHECK(*tern__request_user(l.request[i].request) == &l.request[i]);
            tern__body echo = {.data = l.request[i].data, .len = l.request[i].len};
            CHECK_EQ(tern__engine_respond(l.request[i].request, TERN_STATUS_OK, &echo, l.now), 0);
            loop_settle(&l);
            CHECK_EQ(l.n_done, 8 - i);
        }
        for (int i = 0; i < 8; i++) {
            check_echo(i, 10 + 500 * i);
            CHECK_OK();
        }
        loop_fini(&l);
        CHECK_OK();
    }
}

static void respond__error_status(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        start(reliable);
        CHECK_OK();
        l.reply_status = TERN_STATUS_NOT_FOUND;
        loop_request(&l, 100, 0);
        loop_request(&l, 5000, 0);
        loop_settle(&l);
        CHECK_EQ(l.n_done, 2);
        CHECK_EQ(l.calls[0].status, TERN_STATUS_NOT_FOUND);
        CHECK_EQ(l.calls[1].status, TERN_STATUS_NOT_FOUND);
        CHECK(!l.calls[0].data);
        loop_fini(&l);
        CHECK_OK();
    }
}

/* 8 in flight, max_backlog waiting, then no more; and all of them end well. */
static void request__backlog_is_bounded(void) {
    start_with((loop_config){.engine.max_backlog = 5});
    CHECK_OK();
    l.defer = true;
    for (int i = 0; i < 13; i++) CHECK_EQ(loop_request(&l, 20, 0), i);
    CHECK_EQ(loop_request(&l, 20, 0), TERN_ERR_FULL);
    loop_settle(&l);
    l.defer = false;
    for (unsigned i = 0; i < 8; i++) tern__engine_respond(l.request[i].request, TERN_STATUS_OK, NULL, l.now);
    loop_settle(&l);
    CHECK_EQ(l.n_done, 13);
    CHECK_EQ(loop_stats(&l, 0).calls_issued, 13);
    loop_fini(&l);
}

/* Two credits: never more than two packets of the client on the wire; small and large share them. */
static void request__credits_bound_what_is_in_flight(void) {
    start_with((loop_config){.engine.credits = 2});
    CHECK_OK();
    loop_request(&l, 20000, 0);
    for (int i = 1; i < 12; i++) loop_request(&l, 40, 0);
    for (int rounds = 0; l.n_done < 12 && rounds < 1000; rounds++) {
        CHECK(l.side[0].n_queued <= 2);
        loop_deliver(&l, 0, 0);
        loop_deliver(&l, 1, 0);
        loop_tick(&l);
    }
    CHECK_EQ(l.n_done, 12);
    check_echo(0, 20000);
    CHECK_OK();
    loop_fini(&l);
}

static void request__deadline_passes(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        start(reliable);
        CHECK_OK();
        l.defer = true;
        for (int i = 0; i < 12; i++) CHECK_EQ(loop_request(&l, 20, (1 + i % 3) * TERN_MS), i); /* 4 of them wait */
        loop_settle(&l);
        CHECK_EQ(l.n_served, 8);
        tern_time left = tern__request_deadline(l.request[1].request) - l.now;
        CHECK(left <= 2 * TERN_MS && left > 2 * TERN_MS - 2 * TERN_US);
        CHECK_EQ(tern__engine_next_due(l.side[0].engine), l.now + TERN_MS);
        l.now += TERN_MS - 1;
        loop_tick(&l);
        CHECK_EQ(l.n_done, 0);
        l.now += 1;
        loop_tick(&l);
        CHECK_EQ(l.n_done, 4);
        loop_settle(&l); /* those that waited have gone out on slots whose old handlers still run */
        CHECK_EQ(l.n_served, 8 + 3);
        l.now += 2 * TERN_MS;
        loop_settle(&l);
        CHECK_EQ(l.n_done, 12);
        for (int i = 0; i < 12; i++) CHECK_EQ(l.calls[i].status, TERN_STATUS_DEADLINE_EXCEEDED);
        for (unsigned i = 0; i < l.n_served; i++) tern__engine_respond(l.request[i].request, 0, NULL, l.now);
        l.defer = false;
        loop_request(&l, 32, 0); /* late responses do not disturb the slots */
        loop_settle(&l);
        check_echo(12, 32);
        CHECK_OK();
        CHECK_EQ(l.n_gone, 0);
        loop_fini(&l);
        CHECK_OK();
    }
}

/* A long request whose time is up halfway: the server lets go of its half, and of a long response, too. */
static void request__deadline_passes_halfway(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        start(reliable);
        CHECK_OK();
        loop_request(&l, 10, 0);
        loop_settle(&l);
        if (!reliable) loop_run(&l, l.now + 1100 * TERN_MS, 0);
        uint64_t live = loop_live_buffers() + 1; /* with the slots and the server's records, which wait for more */
        CHECK_EQ(loop_request(&l, 100000, TERN_MS), 1); /* half of it gets there */
        for (int i = 0; i < 50; i++) deliver_one();
        l.now += TERN_MS;
        loop_tick(&l);
        CHECK_EQ(l.calls[1].status, TERN_STATUS_DEADLINE_EXCEEDED);
        loop_settle(&l);
        if (!reliable) loop_run(&l, l.now + 1100 * TERN_MS, 0);
        CHECK_EQ(loop_live_buffers(), live);
        CHECK_EQ(loop_request(&l, 40000, TERN_MS), 2); /* half of the response gets here */
        while (loop_stats(&l, 1).calls_served < 2) deliver_one();
        for (int i = 0; i < 20; i++) deliver_one();
        l.now += TERN_MS;
        loop_tick(&l);
        CHECK_EQ(l.calls[2].status, TERN_STATUS_DEADLINE_EXCEEDED);
        loop_settle(&l);
        if (!reliable) loop_run(&l, l.now + 1100 * TERN_MS, 0);
        CHECK_EQ(loop_live_buffers(), live);
        loop_request(&l, 3000, 0);
        loop_settle(&l);
        check_echo(3, 3000);
        CHECK_OK();
        loop_fini(&l);
        CHECK_OK();
    }
}

/* The client has given up, and said so, before the handler is done: its response does not even leave. */
static void respond__to_nobody(void) {
    start(false);
    CHECK_OK();
    l.defer = true;
    loop_request(&l, 10, TERN_MS);
    loop_settle(&l);
    loop_run(&l, l.now + 1100 * TERN_MS, 0);
    CHECK_EQ(l.calls[0].status, TERN_STATUS_DEADLINE_EXCEEDED);
    uint64_t packets = loop_stats(&l, 1).tx_packets;
    tern__body echo = {.data = l.request[0].data, .len = l.request[0].len};
    CHECK_EQ(tern__engine_respond(l.request[0].request, TERN_STATUS_OK, &echo, l.now), 0);
    CHECK_EQ(loop_stats(&l, 1).tx_packets, packets);
    CHECK_EQ(loop_stats(&l, 1).tx_messages, 0);
    loop_fini(&l);
}

static void answer_the_others(loop *which) {
    for (unsigned i = 0; i < which->n_served; i++) {
        if (which->request[i].gone || which->request[i].answered) continue;
        which->request[i].answered = true;
        tern__engine_respond(which->request[i].request, TERN_STATUS_OK, NULL, which->now);
        return;
    }
}

/* While handlers are told, one by one, that their client is gone, they may end others of it. */
static void respond__from_on_gone(void) {
    start(false);
    CHECK_OK();
    l.defer = true;
    l.on_gone = answer_the_others;
    for (int i = 0; i < 8; i++) loop_request(&l, 3000, i < 4 ? TERN_MS : 0);
    loop_settle(&l);
    l.now += TERN_MS;
    loop_tick(&l);
    for (int i = 0; i < 4; i++) loop_request(&l, 10, 0); /* four of the eight become orphans */
    loop_settle(&l);
    CHECK_EQ(l.n_served, 12);
    loop_kill(&l, 1);
    CHECK_EQ(l.n_gone, 6);
    loop_fini(&l);
}

/* The server holds as much as it may, two buffers of 16 KB: further requests are refused one by one, nothing gets
 * stuck. */
static void request__reassembly_memory_is_bounded(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        start_with((loop_config){.reliable = reliable, .engine.max_rx_bytes = 2 * 16384 + 1000});
        CHECK_OK();
        l.defer = true;
        for (int i = 0; i < 4; i++) loop_request(&l, 10000, 0);
        loop_settle(&l);
        CHECK_EQ(l.n_served, 2);
        CHECK_EQ(l.n_done, 2);
        for (int i = 0; i < 4; i++)
            if (l.calls[i].n_done) CHECK_EQ(l.calls[i].status, TERN_STATUS_RESOURCE_EXHAUSTED);
        for (int i = 0; i < 2; i++) tern__engine_respond(l.request[i].request, 0, NULL, l.now);
        l.defer = false;
        loop_request(&l, 10000, 0);
        loop_settle(&l);
        check_echo(4, 10000);
        CHECK_OK();
        loop_fini(&l);
        CHECK_OK();
    }
}

/* A response beyond what the client accepts ends the call, not the session. */
static void respond__larger_than_the_client_accepts(void) {
    static uint8_t big[20000];
    start_with((loop_config){.engine.max_message_bytes = 9000});
    CHECK_OK();
    tern__body body = {.data = big, .len = sizeof big};
    l.reply = &body;
    loop_request(&l, 5, 0);
    loop_request(&l, 9001, 0);
    loop_settle(&l);
    CHECK_EQ(l.calls[0].status, TERN_STATUS_RESOURCE_EXHAUSTED);
    CHECK_EQ(l.calls[1].status, TERN_STATUS_RESOURCE_EXHAUSTED);
    CHECK_EQ(l.n_served, 0);
    l.reply = NULL;
    loop_request(&l, 9000, 0);
    loop_settle(&l);
    check_echo(2, 9000);
    CHECK_OK();
    loop_fini(&l);
}

/* Rings of a few packets: everything gets through, in its time, without a timer. */
static void request__full_ring(void) {
    for (uint32_t capacity = 1; capacity < 6; capacity++) {
        start_with((loop_config){.reliable = true, .capacity = capacity});
        CHECK_OK();
        for (int i = 0; i < 30; i++) CHECK_EQ(loop_request(&l, i % 3 ? 50 : 7000, 0), i);
        loop_settle(&l);
        for (int i = 0; i < 30; i++) {
            check_echo(i, i % 3 ? 50 : 7000);
            CHECK_OK();
        }
        CHECK_EQ(loop_stats(&l, 0).retransmits + loop_stats(&l, 1).retransmits, 0);
        loop_fini(&l);
        CHECK_OK();
    }
}

/* A link that stays full is tried less and less often; the calls that wait keep their deadlines. */
static void request__ring_stays_full(void) {
    start_with((loop_config){.reliable = true});
    CHECK_OK();
    l.side[0].capacity = 0;
    for (int i = 0; i < 20; i++) CHECK_EQ(loop_request(&l, 50, 100 * TERN_MS), i);
    unsigned n_ticks = 0;
    tern_time end = l.now + 200 * TERN_MS;
    for (; l.n_done < 20 && l.now < end; n_ticks++) {
        l.now = tern__engine_next_due(l.side[0].engine);
        tern__engine_tick(l.side[0].engine, l.now);
    }
    CHECK_EQ(l.n_done, 20);
    CHECK(n_ticks > 90 && n_ticks < 130);
    l.side[0].capacity = 100;
    loop_request(&l, 50, 0);
    loop_settle(&l);
    check_echo(20, 50);
    CHECK_OK();
    loop_fini(&l);
}

static void again(loop *which, loop_call *call) {
    (void)call;
    if (which->n_calls < 200) loop_request(which, 64, 0);
}

/* A continuation that issues the next request. */
static void request__from_a_continuation(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        start(reliable);
        CHECK_OK();
        l.on_done = again;
        loop_request(&l, 64, 0);
        loop_settle(&l);
        CHECK_EQ(l.n_done, 200);
        CHECK_EQ(loop_stats(&l, 1).calls_served, 200);
        loop_fini(&l);
        CHECK_OK();
    }
}

/* A call without a deadline on a reliable link needs no timer but the one that looks whether its server lives, and that
 * not for longer than the call; the server only looks once whether anything came. */
static void next_due__nothing_to_wait_for(void) {
    start(true);
    CHECK_OK();
    l.defer = true;
    loop_request(&l, 64, 0);
    loop_settle(&l);
    CHECK(tern__engine_next_due(l.side[0].engine) >= l.now + (tern_time)(100 * TERN_MS));
    l.now = tern__engine_next_due(l.side[1].engine);
    CHECK(l.now < UINT64_MAX);
    loop_tick(&l);
    CHECK(l.side[1].first == NULL);
    CHECK(tern__engine_next_due(l.side[1].engine) == UINT64_MAX);
    loop_fini(&l);
}

TAP_MAIN(TEST(request__sizes_on_a_reliable_link), TEST(request__sizes_on_a_lossy_link),
         TEST(request__smaller_packets_at_the_server), TEST(request__sizes_about_the_smallest_packet),
         TEST(request__64_megabytes), TEST(request__waits_for_the_connection), TEST(respond__out_of_order),
         TEST(respond__error_status), TEST(request__backlog_is_bounded), TEST(request__credits_bound_what_is_in_flight),
         TEST(request__deadline_passes), TEST(request__deadline_passes_halfway), TEST(respond__to_nobody),
         TEST(respond__from_on_gone), TEST(request__reassembly_memory_is_bounded),
         TEST(respond__larger_than_the_client_accepts), TEST(request__full_ring), TEST(request__ring_stays_full),
         TEST(request__from_a_continuation), TEST(next_due__nothing_to_wait_for))
