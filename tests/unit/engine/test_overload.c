/* The controller of a server's load, alone: times and delays are numbers. */
#include "engine/overload.h"
#include "tap.h"

static tern__overload o;
static tern_time now;
static uint64_t n_begun;

static void begin(tern_dur target) {
    tern__overload_init(&o, target, 7);
    now = (tern_time)TERN_SEC;
    n_begun = 0;
    tern__overload_report(&o, false, 0, now);
}

/* Polls for a while, each of which brings one call that takes call_ns, and then finds nothing for idle_ns. Returns how
 * often the server became overloaded. */
static unsigned polls(tern_dur span, tern_dur call_ns, tern_dur idle_ns) {
    unsigned n_entered = 0;
    for (tern_time until = now + (tern_time)span; now < until;) {
        now += (tern_time)call_ns;
        n_begun++;
        n_entered += tern__overload_report(&o, false, n_begun, now);
        if (!idle_ns) continue;
        now += (tern_time)idle_ns;
        n_entered += tern__overload_report(&o, true, n_begun, now);
    }
    return n_entered;
}

static void count_sessions(uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        uint16_t round = 0;
        tern__overload_count(&o, &round);
        tern__overload_count(&o, &round); /* once in a round */
    }
}

/* The mean of many grants; -1: they differ by more than one. */
static double mean_grant(void) {
    enum { N = 4000 };
    uint64_t sum = 0;
    uint32_t least = UINT32_MAX, most = 0;
    for (int i = 0; i < N; i++) {
        uint32_t grant = tern__overload_grant(&o);
        sum += grant;
        least = grant < least ? grant : least;
        most = grant > most ? grant : most;
    }
    if (most - least > 1) return -1;
    return (double)sum / N;
}

static void report__idle_servers_are_not_overloaded(void) {
    begin(TERN_MS);
    CHECK_EQ(polls(TERN_SEC, 10 * TERN_US, 1 * TERN_US), 0);
    CHECK(!o.active);
    CHECK_EQ(tern__overload_grant(&o), 0);
    CHECK_EQ(tern__overload_pause_ms(&o, 0), 0);
}

static void report__two_full_intervals_are_an_overload(void) {
    begin(TERN_MS);
    CHECK_EQ(polls(3 * TERN_MS / 2, 10 * TERN_US, 0), 0);
    CHECK(!o.active);
    CHECK_EQ(polls(TERN_MS, 10 * TERN_US, 0), 1);
    CHECK(o.active);
    CHECK_EQ(polls(TERN_SEC, 10 * TERN_US, 0), 0);
    CHECK(o.active);
    begin(TERN_MS); /* a pause between two full ones */
    for (int i = 0; i < 100; i++) CHECK_EQ(polls(TERN_MS, 10 * TERN_US, 0) + polls(2 * TERN_MS, 10 * TERN_US, 9000), 0);
}

/* An interval of few calls goes on for a while: a server of long calls is full, too. */
static void report__long_calls(void) {
    begin(TERN_MS);
    CHECK_EQ(polls(TERN_SEC, 20 * TERN_MS, 0), 1);
    CHECK(mean_grant() == 1);
    CHECK(tern__overload_pause_ms(&o, 0) > 0);
}

static void grant__is_what_ends_in_time(void) {
    begin(TERN_MS);
    polls(3 * TERN_MS, 10 * TERN_US, 0);
    count_sessions(1);
    CHECK(mean_grant() > 99 && mean_grant() < 101);
    count_sessions(7); /* 8 in all, 12.5 each */
    CHECK(mean_grant() > 12.4 && mean_grant() < 12.6);
    CHECK_EQ(tern__overload_pause_ms(&o, 0), 0);
}

static void pause__of_a_crowd(void) {
    begin(TERN_MS);
    polls(3 * TERN_MS, 10 * TERN_US, 0);
    count_sessions(1000); /* a tenth of a call each: one within the target, and nine targets of pause */
    CHECK(mean_grant() == 1);
    uint64_t sum = 0;
    uint32_t least = UINT32_MAX, most = 0;
    for (int i = 0; i < 4000; i++) {
        uint32_t ms = tern__overload_pause_ms(&o, 0);
        sum += ms;
        least = ms < least ? ms : least;
        most = ms > most ? ms : most;
    }
    CHECK(sum > 34000 && sum < 38000);
    CHECK(least >= 4 && least <= 5 && most >= 13 && most <= 14);
    CHECK(tern__overload_pause_ms(&o, 100 * TERN_MS) >= 50); /* of a rejection */
}

/* What a full server grants is used up by those who want more; what some leave goes to the others. */
static void factor__follows_idle_time_and_waits(void) {
    begin(TERN_MS);
    polls(3 * TERN_MS, 10 * TERN_US, 0);
    uint32_t one = o.factor;
    CHECK_EQ(one, 1 << 16);
    polls(3 * TERN_MS, 10 * TERN_US, 10 * TERN_US);
    CHECK(o.factor > 2 * one);
    CHECK(o.active);
    polls(100 * TERN_MS, 10 * TERN_US, 0); /* full: back to one */
    CHECK(o.factor >= one && o.factor < one + one / 100);
    for (int i = 0; i < 10; i++) {
        tern__overload_waited(&o, 3 * TERN_MS);
        polls(TERN_MS, 10 * TERN_US, 0);
    }
    CHECK(o.factor < one / 2 && o.factor >= one / 16);
    for (int i = 0; i < 20; i++) {
        tern__overload_waited(&o, 3 * TERN_MS);
        tern__overload_waited(&o, 10 * TERN_US); /* no standing queue */
        polls(TERN_MS, 10 * TERN_US, 0);
    }
    CHECK(o.factor > one / 2);
    polls(100 * TERN_MS, 10 * TERN_US, 10 * TERN_US);
    CHECK(!o.active);
}

/* A server that stood still once, its calls with it, is not taken for a slow one. */
static void call__time_is_learnt_little_by_little(void) {
    begin(TERN_MS);
    polls(10 * TERN_MS, 10 * TERN_US, 0);
    polls(TERN_MS, TERN_SEC, 0);
    polls(2 * TERN_MS, 10 * TERN_US, 0);
    CHECK(o.call_ns < 20 * (uint64_t)TERN_US);
    polls(100 * TERN_MS, 40 * TERN_US, 0);
    CHECK(o.call_ns > 39 * (uint64_t)TERN_US && o.call_ns < 41 * (uint64_t)TERN_US);
}

static void rejects__what_has_waited_too_long(void) {
    begin(TERN_MS);
    tern__overload_waited(&o, TERN_SEC);
    CHECK(!tern__overload_rejects(&o, UINT64_MAX, now)); /* the server is not overloaded */
    polls(3 * TERN_MS, 10 * TERN_US, 0);
    CHECK(tern__overload_rejects(&o, UINT64_MAX, now));
    tern__overload_waited(&o, 4 * TERN_MS);
    CHECK(!tern__overload_rejects(&o, UINT64_MAX, now));
    CHECK(!tern__overload_rejects(&o, now + (tern_time)(4 * TERN_MS) + 1, now));
    CHECK(tern__overload_rejects(&o, now + (tern_time)(4 * TERN_MS), now));
    tern__overload_waited(&o, TERN_MS);
    CHECK(!tern__overload_rejects(&o, now, now));
}

static void workers__wait_counts(void) {
    begin(TERN_MS);
    CHECK(tern__overload_admits_wait(&o, 0, now, now)); /* whether it is late is somebody else's business */
    CHECK(tern__overload_admits_wait(&o, TERN_MS, UINT64_MAX, now));
    CHECK_EQ(o.refuse_for, 0);
    CHECK(!tern__overload_admits_wait(&o, 3 * TERN_MS, UINT64_MAX, now));
    CHECK_EQ(o.refuse_for, 2 * TERN_MS);
    CHECK(!tern__overload_admits_wait(&o, TERN_MS / 2, now + 1000, now));
    CHECK_EQ(o.n_turned_away, 2);
    unsigned n = 0; /* workers are full: the thread that hands over need not be */
    for (int i = 0; i < 20; i++) {
        tern__overload_admits_wait(&o, TERN_MS, UINT64_MAX, now);
        n += polls(TERN_MS, 10 * TERN_US, 30 * TERN_US);
    }
    CHECK_EQ(n, 1);
    CHECK(o.active);
}

TAP_MAIN(TEST(report__idle_servers_are_not_overloaded), TEST(report__two_full_intervals_are_an_overload),
         TEST(report__long_calls), TEST(grant__is_what_ends_in_time), TEST(pause__of_a_crowd),
         TEST(factor__follows_idle_time_and_waits), TEST(call__time_is_learnt_little_by_little),
         TEST(rejects__what_has_waited_too_long), TEST(workers__wait_counts))
