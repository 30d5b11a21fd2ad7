/* Calls given up by their callers, and deadlines that pass at the server. */
#include "engine/engine_record.h"
#include "loop.h"
#include "mem/pool.h"

static loop l;

static void start(bool reliable) {
    loop_init(&l, &(loop_config){.reliable = reliable, .capacity = 64});
    loop_connect(&l);
    l.defer = true;
}

static bool cancel(int call) { return tern__engine_cancel(l.session, &l.calls[call], l.now); }

static void answer(unsigned i) {
    tern__body body = {.data = l.request[i].data, .len = l.request[i].len};
    l.request[i].answered = true;
    CHECK_EQ(tern__engine_respond(l.request[i].request, TERN_STATUS_OK, &body, l.now), 0);
}

/* The slot works, and each handler answers for itself. */
static void check_works(void) {
    l.defer = false;
    int call = loop_request(&l, 3000, 0);
    loop_settle(&l);
    CHECK_EQ(l.calls[call].n_done, 1);
    CHECK_EQ(l.calls[call].status, TERN_STATUS_OK);
}

static void cancel__reaches_the_handler_at_once(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        start(reliable);
        int call = loop_request(&l, 10, 0);
        loop_settle(&l);
        CHECK_EQ(l.n_served, 1);
        CHECK(cancel(call));
        CHECK(!cancel(call));
        loop_settle(&l);
        CHECK_EQ(l.request[0].why, TERN_STATUS_CANCELLED);
        CHECK_EQ(loop_stats(&l, 0).calls_completed, 1);
        uint64_t packets = loop_stats(&l, 1).tx_packets;
        answer(0); /* which nobody gets */
        loop_settle(&l);
        CHECK_EQ(loop_stats(&l, 1).tx_packets, packets);
        CHECK_EQ(l.n_done, 0);
        check_works();
        CHECK_EQ(l.n_abandoned, 1);
        loop_fini(&l);
        CHECK_OK();
    }
}

/* What the CANCEL says is what the handler hears; a code that is not known is like none. */
static void cancel__says_why(void) {
    static const struct {
        uint32_t code;
        int why;
    } rows[] = {{TERN__CANCEL_NONE, TERN_STATUS_CANCELLED},
                {TERN__CANCEL_CALLER, TERN_STATUS_CANCELLED},
                {TERN__CANCEL_DEADLINE, TERN_STATUS_DEADLINE_EXCEEDED},
                {TERN__N_CANCEL_CODES, TERN_STATUS_CANCELLED},
                {0xffff, TERN_STATUS_CANCELLED}};
    for (unsigned i = 0; i < TERN__COUNT(rows); i++) {
        start(false);
        int call = loop_request(&l, 10, 0);
        loop_settle(&l);
        CHECK(cancel(call));
        tern__pkt_header h;
        CHECK(loop_peek(&l, 0, 0, &h));
        CHECK_EQ(h.code, TERN__CANCEL_CALLER);
        h.code = rows[i].code;
        uint32_t len;
        tern__pkt_write(&h, loop_bytes(&l, 0, 0, &len));
        loop_settle(&l);
        CHECK_EQ(l.request[0].why, rows[i].why);
        answer(0);
        loop_fini(&l);
        CHECK_OK();
    }
}

/* Repeated, delayed and reordered CANCELs change nothing more. */
static void cancel__packets_are_idempotent(void) {
    start(false);
    int call = loop_request(&l, 10, 0);
    loop_settle(&l);
    CHECK(cancel(call));
    for (int i = 0; i < 3; i++) loop_repeat(&l, 0, 0);
    CHECK_EQ(l.n_abandoned, 1);
    l.defer = false;
    int next = loop_request(&l, 20, 0); /* on the same slot */
    CHECK(loop_deliver(&l, 0, 1));      /* its request overtakes the CANCEL, */
    CHECK(loop_deliver(&l, 0, 0));
    loop_settle(&l);
    CHECK_EQ(l.calls[next].status, TERN_STATUS_OK);
    CHECK_EQ(l.n_abandoned, 1);
    answer(0);
    loop_fini(&l);
}

static void cancel__that_overtakes_its_request_keeps_it_from_running(void) {
    start(false);
    l.defer = false;
    loop_request(&l, 10, 0); /* so that the slot has been in use */
    loop_settle(&l);
    l.defer = true;
    int call = loop_request(&l, 10, 0);
    CHECK(cancel(call));
    CHECK(loop_deliver(&l, 0, 1));
    loop_settle(&l);
    CHECK_EQ(l.n_served, 0);
    check_works();
    loop_fini(&l);
}

/* Its CANCEL got lost: the report of a second later says it, too. */
static void cancel__lost_is_made_good_by_the_report(void) {
    start(false);
    int call = loop_request(&l, 10, 0);
    loop_settle(&l);
    CHECK(cancel(call));
    CHECK(loop_drop(&l, 0, 0));
    loop_run(&l, l.now + 900 * TERN_MS, 0);
    CHECK_EQ(l.n_abandoned, 0);
    loop_run(&l, l.now + 200 * TERN_MS, 0);
    CHECK_EQ(l.request[0].why, TERN_STATUS_CANCELLED);
    answer(0);
    check_works();
    loop_fini(&l);
}

/* The network holds a request back until the report that it has ended is here: it does not run any more. */
static void cancel__report_that_overtakes_its_request_keeps_it_from_running(void) {
    for (int used = 0; used < 2; used++) {
        start(false);
        l.defer = false;
        if (used) loop_request(&l, 10, 0);
        loop_settle(&l);
        loop_run(&l, l.now + 2 * TERN_SEC, 0);
        l.defer = true;
        int call = loop_request(&l, 10, TERN_MS);
        l.now += TERN_MS;
        loop_tick(&l);
        CHECK_EQ(l.calls[call].status, TERN_STATUS_DEADLINE_EXCEEDED);
        l.now += TERN_SEC;
        loop_tick(&l);
        CHECK(loop_deliver(&l, 0, 1));
        CHECK(loop_deliver(&l, 1, 0));
        loop_settle(&l);
        CHECK_EQ(l.n_served, 0);
        check_works();
        loop_fini(&l);
        CHECK_OK();
    }
}

/* On a reliable link nothing gets lost: when the link is full, the server hears of it once there is room. */
static void cancel__on_a_full_link_is_told_later(void) {
    start(true);
    int call = loop_request(&l, 10, 0), large = loop_request(&l, 200000, 0);
    while (loop_deliver(&l, 0, 0)) continue;
    CHECK_EQ(l.n_served, 1);
    while (loop_drop(&l, 1, 0)) continue; /* no credits come back */
    l.side[0].capacity = 0;
    CHECK(cancel(call));
    CHECK(cancel(large));
    CHECK_EQ(l.side[0].n_queued, 0);
    loop_tick(&l);
    l.side[0].capacity = 64;
    l.now += TERN_SEC;
    loop_settle(&l);
    CHECK_EQ(l.request[0].why, TERN_STATUS_CANCELLED);
    answer(0);
    loop_fini(&l);
}

/* Those of 64 KB to 1 MB. */
static uint64_t large_buffers(void) {
    uint64_t n = 0;
    for (unsigned cls = 10; cls <= 14; cls++) n += tern__pool_live(cls);
    return n;
}

/* A slot's next request tells the end of its last one. When it is cancelled before any of it has left, that has to be
 * told in another way. */
static void cancel__of_the_request_that_was_to_tell_of_another(void) {
    start(true);
    uint64_t large_before = large_buffers();
    int large = loop_request(&l, 200000, 0);
    while (loop_deliver(&l, 0, 0)) continue;
    while (loop_drop(&l, 1, 0)) continue; /* no credits come back */
    CHECK(large_buffers() > large_before);
    l.side[0].capacity = 0;
    CHECK(cancel(large)); /* the CANCEL finds the link full */
    int next = loop_request(&l, 10, 0);
    CHECK(cancel(next));
    l.side[0].capacity = 64;
    l.now += 2 * TERN_SEC;
    loop_settle(&l);
    CHECK_EQ(large_buffers(), large_before); /* half of 200,000 bytes is not there any more */
    CHECK_EQ(loop_stats(&l, 1).rx_dropped, 0);
    check_works();
    loop_fini(&l);
}

static void cancel__of_what_was_never_sent_sends_nothing(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        start(reliable);
        for (int i = 0; i < 8; i++) loop_request(&l, 10, 0);
        loop_settle(&l);
        int waiting = loop_request(&l, 10, 0), last = loop_request(&l, 10, TERN_SEC);
        uint64_t packets = loop_stats(&l, 0).tx_packets;
        CHECK(cancel(waiting));
        CHECK(cancel(last));
        CHECK_EQ(loop_stats(&l, 0).tx_packets, packets);
        CHECK_EQ(l.n_done, 0);
        for (unsigned i = 0; i < 8; i++) answer(i);
        loop_settle(&l);
        CHECK_EQ(l.n_done, 8);
        CHECK_EQ(l.n_served, 8);
        loop_fini(&l);
        CHECK_OK();
    }
}

static void pass_time(void) {
    loop_settle(&l);
    l.now += 2 * TERN_SEC;
    loop_settle(&l);
}

/* A large request, a large response: half of it is there, and goes. The first round leaves what is kept for the
 * next. */
static void cancel__halfway_gives_the_memory_back(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        uint64_t live = UINT64_MAX;
        start(reliable);
        for (unsigned round = 0; round < 3; round++) {
            int call = loop_request(&l, 60000, 0);
            for (int i = 0; i < 10; i++) loop_deliver(&l, 0, 0);
            CHECK(cancel(call));
            pass_time();
            CHECK_EQ(l.n_served, round);
            call = loop_request(&l, 60000, 0);
            loop_settle(&l);
            answer(round);
            for (int i = 0; i < 5; i++) CHECK(loop_deliver(&l, 1, 0) && loop_deliver(&l, 0, 0));
            CHECK(cancel(call));
            pass_time();
            CHECK(loop_live_buffers() <= live);
            live = loop_live_buffers();
        }
        CHECK_EQ(l.n_done, 0);
        check_works();
        loop_fini(&l);
        CHECK_OK();
    }
}

/* A handler that ends as soon as it is told leaves no orphan. */
static void cancel__handlers_may_end_inside(void) {
    for (int lost = 0; lost < 2; lost++) {
        start(false);
        l.quits = true;
        for (int round = 0; round < 200; round++) {
            int call = loop_request(&l, 10, 0);
            loop_settle(&l);
            CHECK(cancel(call));
            if (lost) loop_drop(&l, 0, 0); /* the next request tells instead */
        }
        loop_settle(&l);
        l.now += 2 * TERN_SEC;
        loop_settle(&l);
        CHECK_EQ(l.n_abandoned, 200);
        check_works();
        loop_fini(&l);
        CHECK_OK();
    }
}

/* The server's clock tells it, without a packet; also on a reliable link. */
static void deadline__reaches_the_handler(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        start(reliable);
        int call = loop_request(&l, 10, 50 * TERN_MS);
        while (loop_deliver(&l, 0, 0) || loop_deliver(&l, 1, 0)) continue;
        loop_tick(&l);
        loop_kill(&l, 0); /* nobody tells it */
        CHECK_EQ(l.calls[call].status, TERN_STATUS_UNAVAILABLE);
        while (loop_drop(&l, 0, 0)) continue;
        CHECK_EQ(l.n_served, 1);
        l.now += 50 * TERN_MS - 1;
        CHECK(tern__engine_next_due(l.side[1].engine) <= l.now + 1);
        loop_tick(&l);
        CHECK_EQ(l.n_abandoned, 0);
        l.now++;
        loop_tick(&l);
        CHECK_EQ(l.request[0].why, TERN_STATUS_DEADLINE_EXCEEDED);
        answer(0);
        CHECK_EQ(l.side[1].n_queued, 0);
        loop_fini(&l);
        CHECK_OK();
    }
}

/* A client that is gone is another matter (on_gone), and not told twice. */
static void gone__after_cancel(void) {
    start(false);
    int call = loop_request(&l, 10, 0);
    loop_settle(&l);
    CHECK(cancel(call));
    loop_settle(&l);
    tern__engine_session_close(l.session, l.now);
    loop_settle(&l);
    CHECK_EQ(l.n_abandoned, 1);
    CHECK_EQ(l.n_gone, 1);
    loop_fini(&l);
}

TAP_MAIN(TEST(cancel__reaches_the_handler_at_once), TEST(cancel__says_why), TEST(cancel__packets_are_idempotent),
         TEST(cancel__that_overtakes_its_request_keeps_it_from_running), TEST(cancel__lost_is_made_good_by_the_report),
         TEST(cancel__report_that_overtakes_its_request_keeps_it_from_running),
         TEST(cancel__on_a_full_link_is_told_later), TEST(cancel__of_the_request_that_was_to_tell_of_another),
         TEST(cancel__of_what_was_never_sent_sends_nothing), TEST(cancel__halfway_gives_the_memory_back),
         TEST(cancel__handlers_may_end_inside), TEST(deadline__reaches_the_handler), TEST(gone__after_cancel))
