/* Packets of long requests that arrive in batches: those in order are answered together, and nothing else changes. */
#include "loop.h"

enum { P = 1024 };

static loop l;

static void start(void) {
    loop_init(&l, &(loop_config){0});
    loop_connect(&l);
}

/* The oldest packet that the server sent is a CR that says this. */
static void check_cr(uint32_t pkt, uint32_t received) {
    tern__pkt_header h = {0};
    CHECK(loop_peek(&l, 1, 0, &h));
    CHECK_EQ(h.type, TERN__PKT_CR);
    CHECK_EQ(h.pkt, pkt);
    CHECK_EQ(h.received, received);
}

static void check_done(unsigned n) {
    CHECK_EQ(l.n_done, n);
    for (unsigned i = 0; i < n; i++) {
        CHECK_EQ(l.calls[i].status, TERN_STATUS_OK);
        CHECK(loop_is_pattern(l.calls[i].data, l.calls[i].len));
    }
    CHECK_EQ(loop_stats(&l, 0).retransmits, 0);
}

static void batch__in_order_has_one_answer(void) {
    start();
    CHECK_OK();
    loop_request(&l, 10 * P, 0);
    CHECK_EQ(loop_deliver_batch(&l, 0, 4), 4);
    CHECK_EQ(l.side[1].n_queued, 1);
    check_cr(3, 4);
    CHECK_EQ(loop_deliver_batch(&l, 0, 5), 5);
    CHECK_EQ(l.side[1].n_queued, 2);
    loop_settle(&l);
    check_done(1);
    loop_fini(&l);
}

/* Its last packet is answered by the response, and so are the others of the batch. */
static void batch__to_the_end_is_answered_by_the_response(void) {
    tern__pkt_header h;
    start();
    CHECK_OK();
    loop_request(&l, 4 * P, 0);
    CHECK_EQ(loop_deliver_batch(&l, 0, 8), 4);
    CHECK_EQ(l.side[1].n_queued, 1);
    CHECK(loop_peek(&l, 1, 0, &h));
    CHECK_EQ(h.type, TERN__PKT_RESP);
    loop_settle(&l);
    check_done(1);
    loop_fini(&l);
}

/* Unless it takes its time. */
static void batch__to_the_end_while_the_handler_runs(void) {
    start();
    CHECK_OK();
    l.defer = true;
    loop_request(&l, 4 * P, 0);
    CHECK_EQ(loop_deliver_batch(&l, 0, 8), 4);
    CHECK_EQ(l.n_served, 1);
    CHECK_EQ(l.side[1].n_queued, 1);
    check_cr(2, 4);
    loop_settle(&l);
    CHECK_EQ(tern__engine_respond(l.request[0].request, TERN_STATUS_OK,
                                  &(tern__body){.data = l.request[0].data, .len = l.request[0].len}, l.now),
             0);
    loop_settle(&l);
    CHECK_EQ(l.n_done, 1);
    loop_fini(&l);
}

/* Behind a gap each packet is answered by itself: only so the client learns what has overtaken what. */
static void batch__with_a_gap(void) {
    start();
    CHECK_OK();
    loop_request(&l, 10 * P, 0);
    CHECK(loop_drop(&l, 0, 2));
    CHECK_EQ(loop_deliver_batch(&l, 0, 6), 6);
    CHECK_EQ(l.side[1].n_queued, 4);
    for (uint32_t pkt = 3; pkt < 7; pkt++) {
        check_cr(pkt, 2);
        CHECK(loop_deliver(&l, 1, 0));
    }
    loop_settle(&l);
    CHECK_EQ(l.n_done, 1);
    CHECK_EQ(loop_stats(&l, 0).retransmits, 1);
    loop_fini(&l);
}

/* Two requests by turns: none is left without an answer. */
static void batch__of_two_requests(void) {
    start();
    CHECK_OK();
    loop_request(&l, 16 * P, 0);
    loop_request(&l, 16 * P, 0);
    while (loop_deliver_batch(&l, 0, 8) + loop_deliver_batch(&l, 1, 8)) continue;
    check_done(2);
    loop_fini(&l);
}

/* A batch whose end is of another kind: what is owed is paid all the same. */
static void batch__before_a_whole_request(void) {
    start();
    CHECK_OK();
    loop_request(&l, 3 * P, 0);
    CHECK(loop_drop(&l, 0, 2));
    loop_request(&l, P + TERN__PKT_MULTI_BYTES, 0); /* its packet is as long as the others */
    CHECK_EQ(loop_deliver_batch(&l, 0, 3), 3);
    CHECK_EQ(l.side[1].n_queued, 2);
    tern__pkt_header h;
    CHECK(loop_peek(&l, 1, 0, &h));
    CHECK_EQ(h.type, TERN__PKT_RESP);
    CHECK(loop_peek(&l, 1, 1, &h));
    CHECK_EQ(h.type, TERN__PKT_CR);
    CHECK_EQ(h.received, 2);
    loop_run(&l, l.now + TERN_SEC, 0);
    CHECK_EQ(l.n_done, 2);
    loop_fini(&l);
}

/* Anything in batches of any length, with losses, repetitions and calls that end early. */
static void batch__at_random(void) {
    for (unsigned round = 0; round < 60; round++) {
        start();
        CHECK_OK();
        l.random += round * 977;
        unsigned n_calls = 0;
        tern_time end = l.now + 20 * TERN_SEC;
        while (l.n_done < 40 && l.now < end) {
            if (n_calls < 40 && n_calls - l.n_done < 8) {
                loop_request(&l, 1 + loop_random(&l, 40 * P), loop_random(&l, 10) ? 0 : 3 * TERN_MS);
                n_calls++;
            }
            int side = (int)loop_random(&l, 2);
            unsigned trouble = loop_random(&l, 100), n = loop_random(&l, 12);
            if (trouble < 5)
                loop_drop(&l, side, n);
            else if (trouble < 10)
                loop_repeat(&l, side, n);
            else
                loop_deliver_batch(&l, side, 1 + n);
            l.now += l.side[0].first || l.side[1].first ? 2 * TERN_US : 200 * TERN_US;
            loop_tick(&l);
        }
        CHECK_EQ(l.n_done, 40);
        for (unsigned i = 0; i < 40; i++) {
            CHECK_EQ(l.calls[i].n_done, 1);
            if (l.calls[i].status == TERN_STATUS_OK) CHECK(loop_is_pattern(l.calls[i].data, l.calls[i].len));
        }
        loop_fini(&l);
    }
}

TAP_MAIN(TEST(batch__in_order_has_one_answer), TEST(batch__to_the_end_is_answered_by_the_response),
         TEST(batch__to_the_end_while_the_handler_runs), TEST(batch__with_a_gap), TEST(batch__of_two_requests),
         TEST(batch__before_a_whole_request), TEST(batch__at_random))
