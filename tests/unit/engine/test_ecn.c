/* Marks of the network: who asks for them, which packets report them to the sender, and what these say. */
#include "engine/pace.h"
#include "loop.h"
#include "setup_packet.h"

enum { P = 1024 };

static loop l;

static void start(bool ecn, bool ecn_server) {
    loop_init(&l, &(loop_config){.ecn = ecn, .ecn_server = ecn_server, .engine = {.cc = &tern__cc_dctcp}});
    loop_connect(&l);
}

/* The oldest packet that the server sent. */
static tern__pkt_header answer(void) {
    tern__pkt_header h = {.type = UINT8_MAX};
    loop_peek(&l, 1, 0, &h);
    return h;
}

/* It is of this type, and reports n marks in this field; 0: none. */
static void check_answer(uint8_t type, uint32_t n, uint32_t field) {
    tern__pkt_header h = answer();
    CHECK_EQ(h.type, type);
    CHECK_EQ((h.flags & TERN__PKT_ECE) != 0, n > 0);
    CHECK_EQ(field, n);
}

static void check_cr(uint32_t n) { check_answer(TERN__PKT_CR, n, answer().marks); }

static void check_resp(bool marked) { check_answer(TERN__PKT_RESP, marked, marked); }

static bool deliver_marked(int side, unsigned n) {
    l.marks = true;
    bool delivered = loop_deliver(&l, side, n);
    l.marks = false;
    return delivered;
}

static bool is_congested(void) { return tern__pace_control(&l.session->s) != NULL; }

/* Nobody gets reports who did not ask for them, from nobody who cannot tell. */
static void setup__both_ends_have_to_offer(void) {
    for (unsigned both = 0; both < 4; both++) {
        loop_init(&l, &(loop_config){.ecn = both & 1, .ecn_server = both & 2, .engine = {.cc = &tern__cc_dctcp}});
        CHECK_EQ(tern__engine_connect(l.side[0].engine, &l.side[0].link, &(tern__route){.len = 4, .bytes = {1}}, NULL,
                                      l.now, &l.session),
                 0);
        uint32_t len;
        const uint8_t *connect = loop_bytes(&l, 0, 0, &len);
        CHECK(connect != NULL);
        CHECK_EQ(setup_of(connect, len).number, l.session->s.number);
        CHECK_EQ(setup_of(connect, len).features, both & 1 ? TERN__SETUP_ECN : 0);
        loop_fini(&l);
        start(both & 1, both & 2);
        CHECK_OK();
        CHECK_EQ(l.session->s.ecn, both == 3);
        loop_request(&l, 4 * P, 0);
        CHECK(deliver_marked(0, 0));
        check_cr(both == 3);
        loop_settle(&l);
        CHECK_EQ(l.n_done, 1);
        CHECK_EQ(is_congested(), both == 3);
        loop_fini(&l);
    }
}

static void cr__reports_its_packet(void) {
    start(true, true);
    CHECK_OK();
    loop_request(&l, 10 * P, 0);
    CHECK(loop_deliver(&l, 0, 0));
    check_cr(0);
    CHECK(loop_drop(&l, 1, 0));
    CHECK(deliver_marked(0, 0));
    check_cr(1);
    CHECK(!is_congested());
    CHECK(loop_deliver(&l, 1, 0));
    CHECK(is_congested());
    CHECK(loop_deliver(&l, 0, 0));
    check_cr(0);
    loop_settle(&l);
    CHECK_EQ(l.n_done, 1);
    loop_fini(&l);
}

static void cr__reports_all_of_a_batch(void) {
    start(true, true);
    CHECK_OK();
    loop_request(&l, 10 * P, 0);
    l.marks = true;
    CHECK_EQ(loop_deliver_batch(&l, 0, 4), 4);
    CHECK_EQ(l.side[1].n_queued, 1);
    check_cr(4);
    CHECK_EQ(answer().pkt, 3);
    CHECK(loop_drop(&l, 1, 0));
    l.marks = false;
    CHECK_EQ(loop_deliver_batch(&l, 0, 3), 3);
    check_cr(0);
    loop_settle(&l);
    CHECK_EQ(l.n_done, 1);
    loop_fini(&l);
}

/* A response reports one mark; where there are more a CR goes before it. */
static void batch__with_marks_to_the_end_has_an_answer_of_its_own(void) {
    start(true, true);
    CHECK_OK();
    loop_request(&l, 4 * P, 0);
    l.marks = true;
    CHECK_EQ(loop_deliver_batch(&l, 0, 8), 4);
    l.marks = false;
    CHECK_EQ(l.side[1].n_queued, 2);
    check_cr(4);
    CHECK_EQ(answer().received, 4);
    CHECK(loop_deliver(&l, 1, 0));
    check_resp(false);
    loop_settle(&l);
    CHECK_EQ(l.n_done, 1);
    CHECK_EQ(loop_stats(&l, 0).retransmits, 0);
    loop_fini(&l);
}

/* Of a request of one packet, and of the last of several, also when the handler takes its time. */
static void resp__reports_what_it_acknowledges(void) {
    start(true, true);
    CHECK_OK();
    for (uint32_t pkts = 1; pkts < 4; pkts += 2) {
        for (unsigned defer = 0; defer < 2; defer++) {
            l.defer = defer;
            l.n_served = 0;
            loop_request(&l, pkts * P, 0);
            for (uint32_t i = 0; i + 1 < pkts; i++) {
                CHECK(loop_deliver(&l, 0, 0));
                CHECK(loop_deliver(&l, 1, 0));
            }
            CHECK(deliver_marked(0, 0));
            tern__body body = {.data = "ab", .len = 2};
            if (defer) CHECK_EQ(tern__engine_respond(l.request[0].request, TERN_STATUS_OK, &body, l.now), 0);
            check_resp(true);
            loop_settle(&l);
            CHECK(is_congested());
            tern__pace_forget(&l.session->s);
            loop_request(&l, pkts * P, 0); /* and the next one does not */
            for (uint32_t i = 0; i + 1 < pkts; i++) {
                CHECK(loop_deliver(&l, 0, 0));
                CHECK(loop_deliver(&l, 1, 0));
            }
            CHECK(loop_deliver(&l, 0, 0));
            if (defer) CHECK_EQ(tern__engine_respond(l.request[1].request, TERN_STATUS_OK, &body, l.now), 0);
            check_resp(false);
            loop_settle(&l);
            CHECK(!is_congested());
        }
    }
    CHECK_EQ(l.n_done, 8);
    loop_fini(&l);
}

/* The client asks for the packets of a response, and paces that: it heeds the marks on these packets, and of its
 * demands those that it is told about. */
static void response__marks_count_at_the_client(void) {
    for (int demand = 0; demand < 2; demand++) {
        start(true, true);
        CHECK_OK();
        uint8_t *data = tern_alloc(8 * P);
        tern__body body = {.data = memset(data, 1, 8 * P), .len = 8 * P};
        l.defer = true;
        loop_request(&l, 16, 0);
        loop_settle(&l);
        CHECK_EQ(tern__engine_respond(l.request[0].request, TERN_STATUS_OK, &body, l.now), 0);
        CHECK(loop_deliver(&l, 1, 0));
        CHECK(demand ? deliver_marked(0, 0) : loop_deliver(&l, 0, 0));
        check_resp(demand);
        CHECK(!is_congested());
        CHECK(demand ? loop_deliver(&l, 1, 0) : deliver_marked(1, 0));
        CHECK(is_congested());
        loop_settle(&l);
        CHECK_EQ(l.n_done, 1);
        tern_unref(data);
        loop_fini(&l);
    }
}

/* Calls much smaller than a packet take no part in any of it. */
static void light__calls_congest_nothing(void) {
    start(true, true);
    CHECK_OK();
    for (int i = 0; i < 20; i++) {
        loop_request(&l, 32, 0);
        CHECK(deliver_marked(0, 0));
        check_resp(true);
        CHECK(deliver_marked(1, 0));
    }
    CHECK_EQ(l.n_done, 20);
    CHECK(!is_congested());
    loop_fini(&l);
}

/* A peer may report what it likes: no more counts than what it acknowledges, and nothing where it was not asked to. */
static void report__that_is_too_large(void) {
    for (int ecn = 0; ecn < 2; ecn++) {
        start(ecn, true);
        CHECK_OK();
        loop_request(&l, 40 * P, 0);
        for (int i = 0; i < 8; i++) {
            uint32_t len;
            CHECK(loop_deliver(&l, 0, 0));
            uint8_t *p = loop_bytes(&l, 1, 0, &len);
            CHECK(p != NULL);
            p[1] |= TERN__PKT_ECE;
            p[2] = i ? UINT8_MAX : 0;
            CHECK(loop_deliver(&l, 1, 0));
        }
        CHECK_EQ(is_congested(), ecn);
        CHECK_EQ(loop_stats(&l, 0).marked, ecn ? 8 : 0);
        if (ecn) {
            const tern__cc *cc = tern__pace_control(&l.session->s);
            CHECK(cc->window_bytes >= cc->path.packet_bytes && cc->window_bytes < 32 * cc->path.packet_bytes);
        }
        loop_run(&l, l.now + TERN_SEC, 0);
        CHECK_EQ(l.n_done, 1);
        loop_fini(&l);
    }
}

/* Marks, losses, repetitions and batches at random: all calls end well. */
static void marks__at_random(void) {
    for (unsigned round = 0; round < 40; round++) {
        start(true, true);
        CHECK_OK();
        l.random += round * 977;
        unsigned n_calls = 0;
        tern_time end = l.now + 20 * TERN_SEC;
        while (l.n_done < 40 && l.now < end) {
            if (n_calls < 40 && n_calls - l.n_done < 8) {
                loop_request(&l, 1 + loop_random(&l, 20 * P), 0);
                n_calls++;
            }
            int side = (int)loop_random(&l, 2);
            unsigned trouble = loop_random(&l, 100), n = loop_random(&l, 12);
            l.marks = loop_random(&l, 3) == 0;
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
        for (unsigned i = 0; i < 40; i++) CHECK_EQ(l.calls[i].status, TERN_STATUS_OK);
        loop_fini(&l);
    }
}

TAP_MAIN(TEST(setup__both_ends_have_to_offer), TEST(cr__reports_its_packet), TEST(cr__reports_all_of_a_batch),
         TEST(batch__with_marks_to_the_end_has_an_answer_of_its_own), TEST(resp__reports_what_it_acknowledges),
         TEST(response__marks_count_at_the_client), TEST(light__calls_congest_nothing), TEST(report__that_is_too_large),
         TEST(marks__at_random))
