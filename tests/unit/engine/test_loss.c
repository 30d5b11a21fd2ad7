/* The round-trip estimate and the window (engine/loss.h). */
#include "engine/loss.h"
#include "tap.h"

static void rtt_sample__first_and_following(void) {
    tern__rtt rtt;
    tern__rtt_init(&rtt, 10 * TERN_MS);
    CHECK_EQ(rtt.rto, 10 * TERN_MS);
    tern__rtt_sample(&rtt, 100 * TERN_US, 1, TERN_SEC);
    CHECK_EQ(rtt.srtt, 100 * TERN_US);
    CHECK_EQ(rtt.rto, 300 * TERN_US);
    for (int i = 0; i < 200; i++) tern__rtt_sample(&rtt, 100 * TERN_US, 1, TERN_SEC);
    CHECK_EQ(rtt.srtt, 100 * TERN_US);
    CHECK(rtt.rto < 101 * TERN_US);
    tern__rtt_sample(&rtt, 900 * TERN_US, 1, TERN_SEC);
    CHECK_EQ(rtt.srtt, 200 * TERN_US);
    CHECK(rtt.rto > 900 * TERN_US);
}

static void rtt_sample__bounds(void) {
    tern__rtt rtt;
    tern__rtt_init(&rtt, 10 * TERN_MS);
    tern__rtt_sample(&rtt, 5, TERN_MS, TERN_SEC);
    CHECK_EQ(rtt.rto, TERN_MS);
    tern__rtt_sample(&rtt, 100 * TERN_SEC, TERN_MS, TERN_SEC);
    CHECK_EQ(rtt.rto, TERN_SEC);
    tern__rtt_sample(&rtt, -1, TERN_MS, TERN_SEC); /* no sample */
    CHECK_EQ(rtt.rto, TERN_SEC);
}

static tern__win win_of(uint32_t n_sent, uint32_t total) {
    tern__win win;
    tern__win_init(&win, 0, total);
    for (uint32_t i = 0; i < n_sent; i++) tern__win_sent(&win, i, 1000 + i);
    return win;
}

static void win_ack__in_order(void) {
    tern__win win = win_of(10, 20);
    tern_dur sample;
    for (uint32_t i = 0; i < 10; i++) {
        CHECK_EQ(tern__win_ack(&win, i, 0, i + 1, 2000, &sample), 1);
        CHECK_EQ(sample, 1000 - i);
        CHECK_EQ(win.base, i + 1);
    }
    CHECK_EQ(tern__win_ack(&win, 3, 0, 4, 2000, &sample), 0);
    CHECK_EQ(tern__win_missing(&win), 0);
    CHECK_EQ(tern__win_overtaken(&win), 0);
}

static void win_ack__cumulative(void) {
    tern__win win = win_of(10, 20);
    tern_dur sample;
    CHECK_EQ(tern__win_ack(&win, 8, 0, 5, 2000, &sample), 6);
    CHECK_EQ(win.base, 5);
    CHECK_EQ(tern__win_missing(&win), 0x17); /* 5, 6, 7 and 9 */
    CHECK_EQ(tern__win_ack(&win, 8, 0, 8, 2000, &sample), 3);
    CHECK_EQ(win.base, 9);
}

/* A window that is full from end to end. */
static void win_ack__all_64(void) {
    tern__win win = win_of(64, 1000);
    tern_dur sample;
    CHECK(!tern__win_more(&win));
    CHECK(tern__win_missing(&win) == UINT64_MAX);
    for (uint32_t i = 63; i > 0; i--) CHECK_EQ(tern__win_ack(&win, i, 0, 0, 2000, &sample), 1);
    CHECK_EQ(win.base, 0);
    CHECK_EQ(tern__win_missing(&win), 1);
    CHECK_EQ(tern__win_ack(&win, 0, 0, 0, 2000, &sample), 1);
    CHECK_EQ(win.base, 64);
    CHECK(tern__win_more(&win));
    win = win_of(64, 64);
    CHECK_EQ(tern__win_ack(&win, 63, 0, 64, 2000, &sample), 64);
    CHECK_EQ(win.base, 64);
}

static void win_overtaken__by_three_later_ones(void) {
    tern__win win = win_of(10, 20);
    tern_dur sample;
    tern__win_ack(&win, 1, 0, 0, 2000, &sample);
    tern__win_ack(&win, 2, 0, 0, 2000, &sample);
    CHECK_EQ(tern__win_overtaken(&win), 0);
    tern__win_ack(&win, 3, 0, 0, 2000, &sample);
    CHECK_EQ(tern__win_overtaken(&win), 1);
    tern__win_sent(&win, 0, 3000); /* again: the eleventh transmission */
    CHECK_EQ(tern__win_overtaken(&win), 0);
    for (uint32_t i = 4; i < 10; i++) tern__win_ack(&win, i, 0, 0, 2000, &sample);
    CHECK_EQ(tern__win_overtaken(&win), 0); /* all of them were sent before */
    for (uint32_t i = 10; i < 13; i++) {
        tern__win_sent(&win, i, 3000);
        tern__win_ack(&win, i, 0, 0, 4000, &sample);
    }
    CHECK_EQ(tern__win_overtaken(&win), 1); /* lost for the second time */
}

/* A packet was late, not lost: the answer to its first transmission comes after the second one left. What was sent in
 * between is not overtaken by that; it is by the answer to the second transmission. */
static void win_overtaken__not_by_a_late_answer(void) {
    for (uint8_t nth = 0; nth < 2; nth++) {
        tern__win win = win_of(10, 20);
        tern_dur sample;
        for (uint32_t i = 2; i < 5; i++) tern__win_ack(&win, i, 0, 0, 2000, &sample);
        CHECK_EQ(tern__win_overtaken(&win), 3);
        tern__win_ack(&win, 0, 0, 0, 2000, &sample);
        CHECK_EQ(tern__win_overtaken(&win), 1); /* packet 1 */
        CHECK_EQ(tern__win_nth(&win, 1), 1);
        tern__win_sent(&win, 1, 2000);
        tern__win_ack(&win, 1, nth, 0, 3000, &sample);
        CHECK_EQ(win.base, 5);
        CHECK_EQ(tern__win_overtaken(&win), nth ? 7 : 0); /* packets 5 to 7, which three transmissions followed */
    }
}

/* Only the answer to the last transmission of a packet measures a round trip (Karn). */
static void win_ack__no_sample_from_an_earlier_transmission(void) {
    for (uint8_t nth = 0; nth < 3; nth++) {
        tern__win win = win_of(3, 20);
        tern_dur sample;
        tern__win_sent(&win, 0, 4000);
        tern__win_sent(&win, 0, 5000);
        CHECK_EQ(tern__win_ack(&win, 0, nth, 1, 6000, &sample), 1);
        CHECK_EQ(sample, nth == 2 ? 1000 : -1);
    }
}

static void win_nth__saturates_and_starts_anew(void) {
    tern__win win = win_of(1, 100);
    tern_dur sample;
    for (int i = 0; i < 300; i++) tern__win_sent(&win, 0, 2000);
    CHECK_EQ(tern__win_nth(&win, 0), UINT8_MAX);
    CHECK_EQ(tern__win_ack(&win, 0, UINT8_MAX, 1, 2500, &sample), 1);
    CHECK_EQ(sample, 500);
    for (uint32_t i = 1; i <= 64; i++) {
        CHECK_EQ(tern__win_nth(&win, i), 0);
        tern__win_sent(&win, i, 3000); /* packet 64 takes the place of packet 0 */
    }
    CHECK_EQ(tern__win_nth(&win, 64), 1);
}

static void rtt_probe__two_round_trips_within_the_rto(void) {
    tern__rtt rtt;
    tern__rtt_init(&rtt, 10 * TERN_MS);
    CHECK_EQ(tern__rtt_probe(&rtt, 0), 10 * TERN_MS);
    for (int i = 0; i < 200; i++) tern__rtt_sample(&rtt, 100 * TERN_US, TERN_MS, TERN_SEC);
    CHECK_EQ(tern__rtt_probe(&rtt, 0), 200 * TERN_US);
    CHECK_EQ(tern__rtt_probe(&rtt, 50 * TERN_US), 250 * TERN_US);
    CHECK_EQ(tern__rtt_probe(&rtt, TERN_SEC), TERN_MS);
    tern__rtt_sample(&rtt, 200 * TERN_US, TERN_MS, TERN_SEC);
    CHECK(tern__rtt_probe(&rtt, 0) > rtt.srtt + 3 * rtt.var);
    CHECK_EQ(rtt.min, 100 * TERN_US);
}

TAP_MAIN(TEST(rtt_sample__first_and_following), TEST(rtt_sample__bounds), TEST(win_ack__in_order),
         TEST(win_ack__cumulative), TEST(win_ack__all_64), TEST(win_overtaken__by_three_later_ones),
         TEST(win_overtaken__not_by_a_late_answer), TEST(win_ack__no_sample_from_an_earlier_transmission),
         TEST(win_nth__saturates_and_starts_anew), TEST(rtt_probe__two_round_trips_within_the_rto))
