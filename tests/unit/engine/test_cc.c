/* Congestion control algorithms (engine/cc.h): what a sequence of round trips makes of window and rate. */
#include "engine/cc.h"
#include "tap.h"

static const double LINE = 25e9 / 8;

static tern__cc_path path_of(tern_dur min_rtt, tern_dur noise) {
    return (tern__cc_path){
        .min_rtt = min_rtt, .noise = noise, .line_rate = LINE, .packet_bytes = 1060, .max_window = 32};
}

static bool near(double a, double b) { return a > b * 0.9999 && a < b * 1.0001; }

/* n acknowledgements of one packet each, `rtt` apart. Returns how many until the session is uncongested; n for
 * never. */
static uint32_t acks(const tern__cc_ops *ops, tern__cc *cc, const tern__cc_path *path, tern_dur rtt, uint32_t n,
                     tern_time *now) {
    for (uint32_t i = 0; i < n; i++) {
        *now += (tern_time)rtt;
        tern__cc_ack ack = {.rtt = rtt, .n_pkts = 1, .now = *now};
        if (ops->ack(cc, path, &ack)) return i;
    }
    return n;
}

static void none__is_never_congested(void) {
    tern__cc_path path = path_of(6 * TERN_US, 0);
    CHECK(tern__cc_none.is_calm(&path, TERN_SEC));
    tern__cc cc;
    tern_time now = 1000;
    tern__cc_none.init(&cc, &path, now);
    CHECK(cc.window == 32 && cc.rate == 0);
    CHECK_EQ(acks(&tern__cc_none, &cc, &path, TERN_SEC, 3, &now), 0);
}

/* ---- Timely --------------------------------------------------------------------------------------- */

/* Each row is one sample, after the one before; from the formulas of the paper, by hand. */
static void timely__steps(void) {
    static const struct {
        tern_dur rtt;
        double factor, plus; /* rate = rate * factor + plus */
    } rows[] = {
        {60 * TERN_US, 1, 5e6},                        /* no gradient yet: one step */
        {64 * TERN_US, 1 - 0.26 * 0.46 * 2, 0},        /* 4 us more: g = 0.46 * 4 / 2 */
        {64 * TERN_US, 1 - 0.26 * 0.54 * 0.46 * 2, 0}, /* and it fades */
        {50 * TERN_US, 1, 5e6},                        /* less: a step */
        {49 * TERN_US, 1, 5e6},                        /* below T_low, whatever the gradient */
        {2 * TERN_MS, 1 - 0.26 * 0.5, 0},              /* above T_high: by how much */
        {1, 1, 5e6},                                   /* below the smallest: still a step */
    };
    tern__cc_path path = path_of(6 * TERN_US, 0);
    tern__cc cc;
    tern_time now = 1000000;
    tern__cc_timely.init(&cc, &path, now);
    CHECK(near(cc.rate, LINE));
    cc.rate = 1e9;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double expected = cc.rate * rows[i].factor + rows[i].plus;
        now += 1000000;
        tern__cc_ack ack = {.rtt = rows[i].rtt, .n_pkts = 1, .now = now};
        CHECK(!tern__cc_timely.ack(&cc, &path, &ack));
        if (!near(cc.rate, expected)) printf("# row %zu: %f instead of %f\n", i, cc.rate, expected);
        CHECK(near(cc.rate, expected));
    }
}

static void timely__hyperactive_after_five_falling_gradients(void) {
    tern__cc_path path = path_of(6 * TERN_US, 0);
    tern__cc cc;
    tern_time now = 1000000;
    tern__cc_timely.init(&cc, &path, now);
    cc.rate = 1e9;
    for (tern_dur rtt = 500; rtt > 490; rtt--) acks(&tern__cc_timely, &cc, &path, rtt * TERN_US, 1, &now);
    CHECK(near(cc.rate, 1e9 + 4 * 5e6 + 6 * 25e6));
}

static void timely__samples_close_together_count_less(void) {
    tern__cc_path path = path_of(6 * TERN_US, 0);
    tern__cc cc;
    tern__cc_timely.init(&cc, &path, 1000000);
    cc.rate = 1e9;
    tern__cc_ack ack = {.rtt = 10 * TERN_US, .n_pkts = 1, .now = 1000500};
    tern__cc_timely.ack(&cc, &path, &ack); /* 0.5 of 2 us */
    CHECK(near(cc.rate, 1e9 + 5e6 / 4));
}

static void timely__bounds(void) {
    tern__cc_path path = path_of(6 * TERN_US, 0);
    tern__cc cc;
    tern_time now = 1000000;
    tern__cc_timely.init(&cc, &path, now);
    double before = cc.rate;
    for (int i = 0; i < 200; i++) {
        acks(&tern__cc_timely, &cc, &path, 100 * TERN_MS, 1, &now);
        CHECK(cc.rate >= before / 2 && cc.rate >= 15e6);
        before = cc.rate;
    }
    CHECK(near(cc.rate, 15e6));
    CHECK(tern__cc_timely.is_calm(&path, 50 * TERN_US) && !tern__cc_timely.is_calm(&path, 50 * TERN_US + 1));
}

/* On a path faster than its constants expect, a rate that was cut comes back (as published, it never does). */
static void timely__recovers_on_a_path_below_two_microseconds(void) {
    tern__cc_path path = path_of(300, 0);
    tern__cc cc;
    tern_time now = 1000000;
    tern__cc_timely.init(&cc, &path, now);
    for (int i = 0; i < 20; i++) acks(&tern__cc_timely, &cc, &path, 5 * TERN_MS, 1, &now);
    CHECK(cc.rate < LINE / 20);
    tern_time cut_at = now;
    CHECK(acks(&tern__cc_timely, &cc, &path, 300, 100000, &now) < 100000);
    printf("# at line rate again after %.1f us\n", (double)(now - cut_at) / 1e3);
}

/* ---- Swift ---------------------------------------------------------------------------------------- */

static void swift__target_grows_as_the_window_shrinks(void) {
    tern__cc_path path = path_of(6 * TERN_US, 0), noisy = path_of(6 * TERN_US, 200 * TERN_US);
    CHECK(tern__cc_swift.is_calm(&path, 12 * TERN_US));
    CHECK(!tern__cc_swift.is_calm(&path, 13 * TERN_US));
    CHECK(tern__cc_swift.is_calm(&noisy, 212 * TERN_US));
    CHECK(!tern__cc_swift.is_calm(&noisy, 213 * TERN_US));
    /* 25 us: too long for a window of 32, short for one of 1. */
    tern__cc cc;
    tern_time now = 1000000;
    tern__cc_swift.init(&cc, &path, now);
    acks(&tern__cc_swift, &cc, &path, 25 * TERN_US, 1, &now);
    CHECK(cc.window < 32 && cc.window >= 16);
    cc.window = 1;
    acks(&tern__cc_swift, &cc, &path, 25 * TERN_US, 1, &now);
    CHECK(cc.window == 2);
}

static void swift__one_cut_per_round_trip_and_never_more_than_half(void) {
    tern__cc_path path = path_of(6 * TERN_US, 0);
    tern__cc cc;
    tern__cc_ack ack = {.rtt = 500 * TERN_US, .n_pkts = 1, .now = 1000000};
    tern__cc_swift.init(&cc, &path, ack.now);
    for (int i = 0; i < 100; i++, ack.now += 4000) tern__cc_swift.ack(&cc, &path, &ack);
    CHECK(cc.window == 16);
    ack.now += 200000;
    tern__cc_swift.ack(&cc, &path, &ack);
    CHECK(cc.window == 8);
}

/* One packet more per round trip, until the session is uncongested. */
static void swift__recovers_in_one_round_trip_per_packet(void) {
    tern__cc_path path = path_of(6 * TERN_US, 0);
    tern__cc cc;
    tern_time now = 1000000;
    tern__cc_swift.init(&cc, &path, now);
    cc.window = 1;
    uint32_t n_round_trips = 0;
    for (double before = 1; n_round_trips < 100; n_round_trips++, before = cc.window)
        if (acks(&tern__cc_swift, &cc, &path, 6 * TERN_US, (uint32_t)cc.window, &now) < (uint32_t)before) break;
    CHECK(n_round_trips > 28 && n_round_trips < 40);
}

static void swift__below_one_packet_there_is_a_rate(void) {
    tern__cc_path path = path_of(6 * TERN_US, 0);
    tern__cc cc;
    tern_time now = 1000000;
    tern__cc_swift.init(&cc, &path, now);
    acks(&tern__cc_swift, &cc, &path, 5 * TERN_MS, 20, &now);
    CHECK(cc.window == 0.0625);
    CHECK(cc.rate > 0 && cc.rate < 0.0625 * 1060 / 36e-6);
    acks(&tern__cc_swift, &cc, &path, 6 * TERN_US, 10, &now);
    CHECK(cc.window >= 1 && cc.rate == 0);
}

/* Where the round trip is short, loss is not taken for congestion; a silent network is. */
static void swift__loss_counts_with_a_queue_only(void) {
    tern__cc_path path = path_of(6 * TERN_US, 0);
    tern__cc cc;
    tern_time now = 1000000;
    tern__cc_swift.init(&cc, &path, now);
    cc.window = 16;
    acks(&tern__cc_swift, &cc, &path, 6 * TERN_US, 1, &now);
    double before = cc.window;
    tern__cc_swift.loss(&cc, &path, now);
    CHECK(cc.window == before);
    cc.last_rtt = 200 * TERN_US;
    tern__cc_swift.loss(&cc, &path, now);
    CHECK(cc.window == before / 2);
    tern__cc_swift.timeout(&cc, &path, 1, now + (tern_time)TERN_MS);
    CHECK(cc.window == before / 4);
    tern__cc_swift.timeout(&cc, &path, 2, now + (tern_time)TERN_MS);
    CHECK(cc.window == 0.0625);
}

TAP_MAIN(TEST(none__is_never_congested), TEST(timely__steps), TEST(timely__hyperactive_after_five_falling_gradients),
         TEST(timely__samples_close_together_count_less), TEST(timely__bounds),
         TEST(timely__recovers_on_a_path_below_two_microseconds), TEST(swift__target_grows_as_the_window_shrinks),
         TEST(swift__one_cut_per_round_trip_and_never_more_than_half),
         TEST(swift__recovers_in_one_round_trip_per_packet), TEST(swift__below_one_packet_there_is_a_rate),
         TEST(swift__loss_counts_with_a_queue_only))
