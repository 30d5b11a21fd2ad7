/* Congestion control algorithms (engine/cc.h): what a sequence of round trips makes of window and rate. */
#include "base/rng.h"
#include "engine/cc_dctcp.h"
#include "engine/cc_none.h"
#include "engine/cc_swift.h"
#include "engine/cc_timely.h"
#include "engine/packet.h"
#include "tap.h"

enum { PACKET = 1024 + TERN__PKT_MAX_HEADER_BYTES, CREDITS = 32 };

static const double LINE = 25e9 / 8;

/* One session's control with room for any state, which the tests do not look into. */
typedef struct session {
    tern__cc cc;
    const tern__cc_ops *ops;
    tern_time now;
    double state[32];
} session;

static tern__cc_path path_of(tern_dur min_rtt, tern_dur noise) {
    return (tern__cc_path){.min_rtt = min_rtt,
                           .noise = noise,
                           .line_rate = LINE,
                           .packet_bytes = PACKET,
                           .max_bytes = (double)CREDITS * PACKET};
}

static void begin(session *s, const tern__cc_ops *ops, tern_dur min_rtt) {
    *s = (session){.ops = ops, .now = 1000000};
    s->cc = (tern__cc){.path = path_of(min_rtt, 0), .state = s->state};
    CHECK(ops->state_bytes <= sizeof s->state);
    memset(s->state, 0xa5, sizeof s->state); /* whose contents the algorithm may not rely on */
    ops->init(&s->cc, s->now);
}

static double window(const session *s) { return s->cc.window_bytes / PACKET; }

static bool near(double a, double b) { return a > b * 0.9999 && a < b * 1.0001; }

static bool ack(session *s, tern_dur rtt) {
    tern__cc_ack a = {.now = s->now, .rtt = rtt, .bytes = PACKET, .in_flight_bytes = s->cc.window_bytes};
    return s->ops->on_ack(&s->cc, &a);
}

/* n acknowledgements of one packet each, `rtt` apart. Returns how many until the session is uncongested; n for
 * never. */
static uint32_t acks(session *s, tern_dur rtt, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        s->now += (tern_time)rtt;
        if (ack(s, rtt)) return i;
    }
    return n;
}

static bool is_calm(const tern__cc_ops *ops, const tern__cc_path *path, tern_dur rtt) {
    return ops->is_calm(path, &(tern__cc_ack){.rtt = rtt, .bytes = PACKET});
}

static void lose(session *s) {
    s->ops->on_loss(&s->cc, &(tern__cc_loss){.now = s->now, .in_flight_bytes = s->cc.window_bytes});
}

static void time_out(session *s, uint32_t n) { s->ops->on_timeout(&s->cc, &(tern__cc_timeout){.now = s->now, .n = n}); }

static void none__is_never_congested(void) {
    tern__cc_path path = path_of(6 * TERN_US, 0);
    session s;
    CHECK(is_calm(&tern__cc_none, &path, TERN_SEC));
    begin(&s, &tern__cc_none, 6 * TERN_US);
    CHECK(window(&s) == CREDITS && s.cc.rate == 0);
    CHECK_EQ(acks(&s, TERN_SEC, 3), 0);
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
    session s;
    begin(&s, &tern__cc_timely, 6 * TERN_US);
    CHECK(near(s.cc.rate, LINE));
    s.cc.rate = 1e9;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double expected = s.cc.rate * rows[i].factor + rows[i].plus;
        s.now += 1000000;
        CHECK(!ack(&s, rows[i].rtt));
        if (!near(s.cc.rate, expected)) printf("# row %zu: %f instead of %f\n", i, s.cc.rate, expected);
        CHECK(near(s.cc.rate, expected));
        CHECK(!ack(&s, -1)); /* no round trip: nothing is learnt */
        CHECK(near(s.cc.rate, expected));
    }
}

static void timely__hyperactive_after_five_falling_gradients(void) {
    session s;
    begin(&s, &tern__cc_timely, 6 * TERN_US);
    s.cc.rate = 1e9;
    for (tern_dur rtt = 500; rtt > 490; rtt--) acks(&s, rtt * TERN_US, 1);
    CHECK(near(s.cc.rate, 1e9 + 4 * 5e6 + 6 * 25e6));
}

static void timely__samples_close_together_count_less(void) {
    session s;
    begin(&s, &tern__cc_timely, 6 * TERN_US);
    s.cc.rate = 1e9;
    s.now += 500;
    ack(&s, 10 * TERN_US); /* 0.5 of 2 us */
    CHECK(near(s.cc.rate, 1e9 + 5e6 / 4));
}

static void timely__bounds(void) {
    session s;
    begin(&s, &tern__cc_timely, 6 * TERN_US);
    double before = s.cc.rate;
    for (int i = 0; i < 200; i++) {
        acks(&s, 100 * TERN_MS, 1);
        CHECK(s.cc.rate >= before / 2 && s.cc.rate >= 15e6);
        before = s.cc.rate;
    }
    CHECK(near(s.cc.rate, 15e6));
    CHECK(is_calm(s.ops, &s.cc.path, 50 * TERN_US) && !is_calm(s.ops, &s.cc.path, 50 * TERN_US + 1));
}

/* On a path faster than its constants expect, a rate that was cut comes back (as published, it never does). */
static void timely__recovers_on_a_path_below_two_microseconds(void) {
    session s;
    begin(&s, &tern__cc_timely, 300);
    for (int i = 0; i < 20; i++) acks(&s, 5 * TERN_MS, 1);
    CHECK(s.cc.rate < LINE / 20);
    tern_time cut_at = s.now;
    CHECK(acks(&s, 300, 100000) < 100000);
    printf("# at line rate again after %.1f us\n", (double)(s.now - cut_at) / 1e3);
}

/* ---- Swift ---------------------------------------------------------------------------------------- */

/* Long round trips far apart, each of which halves the window. */
static void halve(session *s, uint32_t n) { acks(s, TERN_MS, n); }

static void swift__target_grows_as_the_window_shrinks(void) {
    tern__cc_path path = path_of(6 * TERN_US, 0), noisy = path_of(6 * TERN_US, 200 * TERN_US);
    session s;
    CHECK(is_calm(&tern__cc_swift, &path, 12 * TERN_US));
    CHECK(!is_calm(&tern__cc_swift, &path, 13 * TERN_US));
    CHECK(is_calm(&tern__cc_swift, &noisy, 212 * TERN_US));
    CHECK(!is_calm(&tern__cc_swift, &noisy, 213 * TERN_US));
    /* 25 us: too long for a window of 32, short for one of 1. */
    begin(&s, &tern__cc_swift, 6 * TERN_US);
    acks(&s, 25 * TERN_US, 1);
    CHECK(window(&s) < 32 && window(&s) >= 16);
    begin(&s, &tern__cc_swift, 6 * TERN_US);
    halve(&s, 5);
    CHECK(window(&s) == 1);
    acks(&s, 25 * TERN_US, 1);
    CHECK(window(&s) == 2);
}

static void swift__one_cut_per_round_trip_and_never_more_than_half(void) {
    session s;
    begin(&s, &tern__cc_swift, 6 * TERN_US);
    for (int i = 0; i < 100; i++, s.now += 4000) ack(&s, 500 * TERN_US);
    CHECK(window(&s) == 16);
    s.now += 200000;
    ack(&s, 500 * TERN_US);
    CHECK(window(&s) == 8);
    ack(&s, -1); /* no round trip: nothing is learnt */
    CHECK(window(&s) == 8);
}

/* One packet more per round trip, until the session is uncongested. */
static void swift__recovers_in_one_round_trip_per_packet(void) {
    session s;
    begin(&s, &tern__cc_swift, 6 * TERN_US);
    halve(&s, 5);
    uint32_t n_round_trips = 0;
    for (double before = 1; n_round_trips < 100; n_round_trips++, before = window(&s))
        if (acks(&s, 6 * TERN_US, (uint32_t)window(&s)) < (uint32_t)before) break;
    CHECK(n_round_trips > 28 && n_round_trips < 40);
}

static void swift__below_one_packet_there_is_a_rate(void) {
    session s;
    begin(&s, &tern__cc_swift, 6 * TERN_US);
    acks(&s, 5 * TERN_MS, 20);
    CHECK(window(&s) == 0.0625);
    CHECK(s.cc.rate > 0 && s.cc.rate < 0.0625 * PACKET / 36e-6);
    acks(&s, 6 * TERN_US, 10);
    CHECK(window(&s) >= 1 && s.cc.rate == 0);
}

/* Where the round trip is short, loss is not taken for congestion; a silent network is. */
static void swift__loss_counts_with_a_queue_only(void) {
    session s;
    begin(&s, &tern__cc_swift, 6 * TERN_US);
    halve(&s, 1);
    s.now += (tern_time)TERN_MS;
    ack(&s, 6 * TERN_US);
    double before = window(&s);
    lose(&s);
    CHECK(window(&s) == before);
    acks(&s, 200 * TERN_US, 1);
    CHECK(window(&s) == before / 2);
    s.now += (tern_time)TERN_MS;
    lose(&s);
    CHECK(window(&s) == before / 4);
    s.now += (tern_time)TERN_MS;
    time_out(&s, 1);
    CHECK(window(&s) == before / 8);
    time_out(&s, 2);
    CHECK(window(&s) == 0.0625);
}

/* ---- DCTCP ---------------------------------------------------------------------------------------- */

/* RFC 8257 as it stands there, with sequence numbers, in packets; the window as in RFC 5681. */
typedef struct model {
    double cwnd, ssthresh, alpha;
    uint64_t una, nxt, window_end, acked, marked, recover;
} model;

static void model_send(model *m) {
    while ((double)(m->nxt - m->una) + 1 <= m->cwnd) m->nxt++;
}

static void model_ack(model *m, uint32_t n, uint32_t n_marked, bool app_limited) {
    m->una += n;
    m->acked += n;
    m->marked += n_marked;
    if (n_marked && m->una - n >= m->recover) {
        m->cwnd *= 1 - m->alpha / 2;
        m->ssthresh = m->cwnd;
        m->recover = m->nxt;
    }
    if (!n_marked && !app_limited) {
        m->cwnd += m->cwnd < m->ssthresh ? n : n / m->cwnd;
        if (m->cwnd > CREDITS) m->cwnd = CREDITS;
    }
    if (m->una >= m->window_end) {
        m->alpha = m->alpha * (1 - 1.0 / 16) + 1.0 / 16 * ((double)m->marked / (double)m->acked);
        m->acked = m->marked = 0;
        m->window_end = m->nxt;
    }
}

static void dctcp__as_the_rfc_has_it(void) {
    static const uint32_t one_in[] = {2, 5, 20, 100, 1000};
    uint64_t random = 1;
    for (size_t k = 0; k < TERN__COUNT(one_in); k++) {
        session s;
        model m = {.cwnd = CREDITS, .ssthresh = CREDITS, .alpha = 1};
        begin(&s, &tern__cc_dctcp, 6 * TERN_US);
        model_send(&m);
        double lowest = CREDITS, sum = 0;
        for (int i = 0; i < 20000; i++) {
            random = tern__mix64(random + 1);
            uint32_t n = 1 + (uint32_t)(random >> 8) % 3;
            if (n > m.nxt - m.una) n = (uint32_t)(m.nxt - m.una);
            uint32_t n_marked = (random >> 20) % one_in[k] == 0 && m.cwnd > 4 ? 1 + (uint32_t)(random >> 40) % n : 0;
            bool app_limited = (random >> 50) % 4 == 0;
            tern__cc_ack a = {.now = s.now += 1000,
                              .rtt = random >> 60 ? 10 * TERN_US : -1,
                              .bytes = (double)n * PACKET,
                              .marked_bytes = (double)n_marked * PACKET,
                              .in_flight_bytes = (double)(m.nxt - m.una) * PACKET,
                              .app_limited = app_limited};
            s.ops->on_ack(&s.cc, &a);
            model_ack(&m, n, n_marked, app_limited);
            if (!near(window(&s), m.cwnd)) printf("# ack %d: %f instead of %f\n", i, window(&s), m.cwnd);
            CHECK(near(window(&s), m.cwnd));
            model_send(&m);
            if (m.cwnd < lowest) lowest = m.cwnd;
            sum += m.cwnd;
        }
        printf("# an ack in %u marked: a window of %.1f, %.1f at least\n", one_in[k], sum / 20000, lowest);
        CHECK(lowest < CREDITS);
    }
}

/* A round trip's worth of acknowledgements, n_marked of them with marks. */
static bool dctcp_round(session *s, uint32_t n_marked, bool app_limited) {
    uint32_t n = window(s) > 1 ? (uint32_t)window(s) : 1;
    bool calmed = false;
    for (uint32_t i = 0; i < n; i++) {
        tern__cc_ack a = {.now = s->now += 1000,
                          .rtt = 10 * TERN_US,
                          .bytes = PACKET,
                          .marked_bytes = i < n_marked ? PACKET : 0,
                          .in_flight_bytes = (double)n * PACKET,
                          .app_limited = app_limited};
        calmed |= s->ops->on_ack(&s->cc, &a);
    }
    return calmed;
}

/* The first mark halves the window, as alpha is 1; later ones take less where few are marked. */
static void dctcp__cuts_by_the_share_of_marks(void) {
    session s;
    tern__cc_path path = path_of(6 * TERN_US, 0);
    CHECK(is_calm(&tern__cc_dctcp, &path, TERN_SEC));
    CHECK(!tern__cc_dctcp.is_calm(&path, &(tern__cc_ack){.bytes = PACKET, .marked_bytes = PACKET}));
    begin(&s, &tern__cc_dctcp, 6 * TERN_US);
    dctcp_round(&s, 1, true);
    CHECK(window(&s) == 16);
    for (int i = 0; i < 100; i++) dctcp_round(&s, 0, false);
    CHECK(window(&s) == 32);
    dctcp_round(&s, 1, true);
    CHECK(window(&s) > 31.5);
}

/* The state, and alpha with it, stays until alpha is small. */
static void dctcp__is_calm_after_many_round_trips_without_marks(void) {
    session s;
    begin(&s, &tern__cc_dctcp, 6 * TERN_US);
    dctcp_round(&s, 1, false);
    uint32_t n = 0;
    while (n < 1000 && !dctcp_round(&s, 0, false)) n++;
    CHECK(n > 40 && n < 80);
    CHECK(window(&s) == 32);
}

static void dctcp__a_window_that_is_not_used_does_not_grow(void) {
    session s;
    begin(&s, &tern__cc_dctcp, 6 * TERN_US);
    for (int i = 0; i < 3; i++) dctcp_round(&s, 32, true);
    double before = window(&s);
    CHECK(before < 8);
    for (int i = 0; i < 100; i++) CHECK(!dctcp_round(&s, 0, true));
    CHECK(window(&s) == before);
    dctcp_round(&s, 0, false);
    CHECK(window(&s) > before + 0.5 && window(&s) < before + 1.5);
}

static void dctcp__losses_and_timeouts(void) {
    session s;
    CHECK(tern__cc_dctcp.heeds_losses && tern__cc_dctcp.wants_marks);
    begin(&s, &tern__cc_dctcp, 6 * TERN_US);
    for (int i = 0; i < 5; i++) lose(&s); /* of one window of data */
    CHECK(window(&s) == 16);
    dctcp_round(&s, 0, true);
    dctcp_round(&s, 0, true);
    lose(&s);
    CHECK(window(&s) == 8);
    time_out(&s, 1);
    CHECK(window(&s) == 1);
    dctcp_round(&s, 0, false); /* slow start to half of what it was */
    CHECK(window(&s) == 2);
    dctcp_round(&s, 0, false);
    CHECK(window(&s) == 4);
    dctcp_round(&s, 0, false);
    CHECK(window(&s) < 5.1);
    time_out(&s, 2);
    CHECK(window(&s) == 0.0625);
}

static void dctcp__below_one_packet_there_is_a_rate(void) {
    session s;
    begin(&s, &tern__cc_dctcp, 6 * TERN_US);
    for (int i = 0; i < 30; i++) dctcp_round(&s, 32, false);
    CHECK(window(&s) == 0.0625);
    CHECK(s.cc.rate > 0 && s.cc.rate <= 0.0625 * PACKET / 6e-6);
    for (int i = 0; i < 10; i++) dctcp_round(&s, 0, false);
    CHECK(window(&s) >= 1 && s.cc.rate == 0);
}

TAP_MAIN(TEST(none__is_never_congested), TEST(timely__steps), TEST(timely__hyperactive_after_five_falling_gradients),
         TEST(timely__samples_close_together_count_less), TEST(timely__bounds),
         TEST(timely__recovers_on_a_path_below_two_microseconds), TEST(swift__target_grows_as_the_window_shrinks),
         TEST(swift__one_cut_per_round_trip_and_never_more_than_half),
         TEST(swift__recovers_in_one_round_trip_per_packet), TEST(swift__below_one_packet_there_is_a_rate),
         TEST(swift__loss_counts_with_a_queue_only), TEST(dctcp__as_the_rfc_has_it),
         TEST(dctcp__cuts_by_the_share_of_marks), TEST(dctcp__is_calm_after_many_round_trips_without_marks),
         TEST(dctcp__a_window_that_is_not_used_does_not_grow), TEST(dctcp__losses_and_timeouts),
         TEST(dctcp__below_one_packet_there_is_a_rate))
