/* Loss: each single packet lost in turn, many lost at random, everything lost. */
#include "loop.h"

static loop l;

static void check_echo(int n, uint32_t len) {
    CHECK_EQ(l.calls[n].n_done, 1);
    CHECK_EQ(l.calls[n].status, TERN_STATUS_OK);
    CHECK_EQ(l.calls[n].len, len);
    CHECK(loop_is_pattern(l.calls[n].data, len));
}

static void start(void) {
    loop_init(&l, &(loop_config){0});
    loop_connect(&l);
}

/* One call of `len` bytes, of whose conversation packet `lost` (counted over both sides) does not arrive.
 * Returns false when there is no such packet. */
static bool call_without(uint32_t len, unsigned lost) {
    unsigned n = 0;
    bool happened = false;
    loop_request(&l, len, 0);
    tern_time end = l.now + TERN_SEC;
    while (!l.n_done && l.now < end) {
        bool moved = false;
        for (int side = 0; side < 2; side++) {
            if (!l.side[side].first) continue;
            moved = true;
            if (n++ == lost) {
                happened = true;
                loop_drop(&l, side, 0);
            } else {
                loop_deliver(&l, side, 0);
            }
        }
        loop_tick(&l);
        if (moved) {
            l.now += TERN_US;
            continue;
        }
        tern_time due = tern__engine_next_due(l.side[0].engine);
        l.now = due > l.now ? due : l.now + 1;
        loop_tick(&l);
    }
    return happened;
}

/* Whatever single packet is lost, the handler runs once, and the call costs one timeout at most. */
static void loss__of_any_one_packet(void) {
    static const uint32_t lens[] = {10, 3000, 20000, 80000};
    for (unsigned i = 0; i < TERN__COUNT(lens); i++) {
        bool happened = true;
        for (unsigned lost = 0; happened; lost++) {
            start();
            CHECK_OK();
            tern_time t0 = l.now;
            happened = call_without(lens[i], lost);
            check_echo(0, lens[i]);
            CHECK_OK();
            CHECK_EQ(loop_stats(&l, 1).calls_served, 1);
            CHECK(l.now - t0 < 14 * TERN_MS); /* the first timeout, before any sample, is 10 ms */
            CHECK(loop_stats(&l, 0).retransmits + loop_stats(&l, 1).retransmits <= 4);
            loop_fini(&l);
            CHECK_OK();
        }
    }
}

/* In the middle of a long message a lost packet is noticed by what overtakes it, without waiting for a timer. */
static void loss__in_the_middle_is_noticed_at_once(void) {
    start();
    CHECK_OK();
    tern_time t0 = l.now;
    CHECK(call_without(80000, 20));
    check_echo(0, 80000);
    CHECK_OK();
    CHECK_EQ(loop_stats(&l, 0).retransmits, 1);
    CHECK(l.now - t0 < TERN_MS);
    loop_fini(&l);
}

static void loss__of_one_packet_in_three(void) {
    static const uint32_t lens[] = {10, 1024, 5000, 100, 60000, 0, 2049};
    start();
    CHECK_OK();
    for (int i = 0; i < 210; i++) CHECK_EQ(loop_request(&l, lens[i % 7], 0), i);
    tern_time end = l.now + 120 * (tern_time)TERN_SEC;
    while (l.n_done < 210 && l.now < end) loop_run(&l, l.now + 10 * TERN_MS, 30);
    for (int i = 0; i < 210; i++) {
        check_echo(i, lens[i % 7]);
        CHECK_OK();
    }
    CHECK_EQ(loop_stats(&l, 1).calls_served, 210);
    loop_fini(&l);
}

/* The server falls silent: every pending call fails once, one peer timeout later, give or take a probe. */
static void silence__ends_in_unavailable(void) {
    start();
    CHECK_OK();
    l.defer = true;
    for (int i = 0; i < 20; i++) loop_request(&l, i % 2 ? 10 : 9000, 0);
    loop_settle(&l);
    tern_time t0 = l.now;
    tern__engine *server = l.side[1].engine;
    l.side[1].engine = NULL;
    loop_run(&l, t0 + 990 * TERN_MS, 0);
    CHECK_EQ(l.n_done, 0);
    loop_run(&l, t0 + 1100 * TERN_MS, 0);
    CHECK_EQ(l.n_done, 20);
    for (int i = 0; i < 20; i++) CHECK_EQ(l.calls[i].status, TERN_STATUS_UNAVAILABLE);
    CHECK_EQ(l.n_lost, 1);
    CHECK_EQ(loop_stats(&l, 0).peers_lost, 1);
    l.side[1].engine = server;
    loop_fini(&l);
}

/* We were stopped for a minute ourselves: that alone does not make the peer dead. */
static void silence__of_our_own_making(void) {
    start();
    CHECK_OK();
    loop_request(&l, 10, 0);
    l.now += 60 * (tern_time)TERN_SEC;
    loop_tick(&l);
    CHECK_EQ(l.n_done, 0);
    loop_settle(&l);
    check_echo(0, 10);
    CHECK_OK();
    loop_fini(&l);
}

/* A handler that runs for a minute: probes keep the session alive, and they are few. */
static void handler__runs_for_a_minute(void) {
    start();
    CHECK_OK();
    l.defer = true;
    loop_request(&l, 10, 0);
    loop_run(&l, l.now + 60 * (tern_time)TERN_SEC, 0);
    CHECK_EQ(l.n_done, 0);
    CHECK_EQ(l.n_served, 1);
    uint64_t probes = loop_stats(&l, 0).retransmits;
    CHECK(probes > 60 * 4 && probes < 60 * 9);
    tern__body body = {.data = l.request[0].data, .len = l.request[0].len};
    tern__engine_respond(l.request[0].request, 0, &body, l.now);
    loop_settle(&l);
    check_echo(0, 10);
    CHECK_OK();
    loop_fini(&l);
}

/* The response that a client had no time to wait for comes late: it disturbs nothing. */
static void late__response_after_the_deadline(void) {
    start();
    CHECK_OK();
    loop_request(&l, 10, TERN_MS);
    loop_deliver(&l, 0, 0);
    l.now += TERN_MS;
    tern__engine_tick(l.side[0].engine, l.now);
    CHECK_EQ(l.calls[0].status, TERN_STATUS_DEADLINE_EXCEEDED);
    CHECK_EQ(loop_request(&l, 3000, 0), 1);
    loop_deliver(&l, 1, 0);
    CHECK_EQ(loop_stats(&l, 0).rx_dropped, 1);
    loop_settle(&l);
    check_echo(1, 3000);
    CHECK_OK();
    CHECK_EQ(l.calls[0].n_done, 1);
    loop_fini(&l);
}

/* ---- Late answers ------------------------------------------------------------------------------- */

/* Calls until the RTO is as short as it gets. */
static void settle_rto(void) {
    for (int i = 0; i < 40; i++) {
        loop_request(&l, 10, 0);
        loop_settle(&l);
        l.now += TERN_US; /* what comes at one time counts once */
    }
}

/* One call whose packets arrive only after `delay`. Returns the retransmissions that it cost. */
static uint64_t call_late(tern_dur delay) {
    uint64_t before = loop_stats(&l, 0).retransmits;
    int n = loop_request(&l, 10, 0);
    for (tern_time end = l.now + (tern_time)delay; l.now < end; l.now += 50 * TERN_US) loop_tick(&l);
    loop_settle(&l);
    check_echo(n, 10);
    return loop_stats(&l, 0).retransmits - before;
}

/* A path, or a peer, that is suddenly slow: what it costs teaches the RTO, though everything was sent several times. */
static void late__answers_teach_the_rto(void) {
    start();
    CHECK_OK();
    settle_rto();
    uint64_t n = call_late(5 * TERN_MS); /* at 1 ms and 3 ms */
    CHECK_EQ(n, 2);
    CHECK_EQ(loop_stats(&l, 0).spurious, n);
    for (int i = 0; i < 5; i++) CHECK_EQ(call_late(5 * TERN_MS), 0);
    settle_rto(); /* quick ones do not make it forget */
    CHECK_EQ(call_late(5 * TERN_MS), 0);
    CHECK_EQ(loop_stats(&l, 0).spurious, n);
    CHECK_EQ(loop_stats(&l, 1).calls_served, 40 + 1 + 5 + 40 + 1);
    loop_fini(&l);
}

/* Late requests whose slots are used again before the second answers come. */
static void late__answers_are_told_apart(void) {
    start();
    CHECK_OK();
    settle_rto();
    for (int i = 0; i < 8; i++) loop_request(&l, 10, 0);
    for (int i = 0; i < 30; i++, l.now += 50 * TERN_US) loop_tick(&l);
    CHECK_EQ(loop_stats(&l, 0).retransmits, 8);
    for (int i = 0; i < 16; i++) CHECK(loop_deliver(&l, 0, 0));
    for (int i = 0; i < 8; i++) CHECK(loop_deliver(&l, 1, 0)); /* the first answers */
    CHECK_EQ(l.n_done, 48);
    for (int i = 0; i < 8; i++) loop_request(&l, 10, 0);
    CHECK_EQ(loop_stats(&l, 0).spurious, 0);
    loop_settle(&l);
    CHECK_EQ(loop_stats(&l, 0).spurious, 8);
    CHECK_EQ(l.n_done, 56);
    CHECK_EQ(call_late(1500 * TERN_US), 0);
    loop_fini(&l);
}

/* What was lost is not late, and a packet that the network repeats was not sent again. */
static void late__is_not_lost_or_repeated(void) {
    start();
    CHECK_OK();
    settle_rto();
    for (int i = 0; i < 20; i++) {
        int n = loop_request(&l, 10, 0);
        if (i % 2) CHECK(loop_deliver(&l, 0, 0));
        CHECK(loop_drop(&l, i % 2, 0)); /* the request, or the response */
        for (int k = 0; k < 30; k++, l.now += 50 * TERN_US) loop_tick(&l);
        loop_settle(&l);
        check_echo(n, 10);
        n = loop_request(&l, 10, 0);
        CHECK(loop_repeat(&l, 0, 0));
        loop_settle(&l);
        check_echo(n, 10);
    }
    CHECK_EQ(loop_stats(&l, 0).retransmits, 20);
    CHECK_EQ(loop_stats(&l, 0).spurious, 0);
    CHECK_EQ(call_late(1500 * TERN_US), 1); /* the RTO has stayed at its least */
    loop_fini(&l);
}

/* Losses that follow are not waited for the longer for ever. */
static void late__floor_comes_down_with_losses(void) {
    start();
    CHECK_OK();
    settle_rto();
    call_late(20 * TERN_MS);
    settle_rto();
    tern_dur first = 0, last = 0;
    for (int i = 0; i < 40; i++) {
        int n = loop_request(&l, 10, 0);
        tern_time t0 = l.now;
        CHECK(loop_drop(&l, 0, 0));
        while (l.n_done == (unsigned)n) {
            l.now += 50 * TERN_US;
            loop_tick(&l);
            loop_settle(&l);
        }
        last = (tern_dur)(l.now - t0);
        if (i == 0) first = last;
        settle_rto();
    }
    CHECK(first > 15 * TERN_MS);
    CHECK(last < 2 * TERN_MS);
    loop_fini(&l);
}

TAP_MAIN(TEST(late__answers_teach_the_rto), TEST(late__answers_are_told_apart), TEST(late__is_not_lost_or_repeated),
         TEST(late__floor_comes_down_with_losses), TEST(loss__of_any_one_packet),
         TEST(loss__in_the_middle_is_noticed_at_once), TEST(loss__of_one_packet_in_three),
         TEST(silence__ends_in_unavailable), TEST(silence__of_our_own_making), TEST(handler__runs_for_a_minute),
         TEST(late__response_after_the_deadline))
