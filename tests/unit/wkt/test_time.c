/* Timestamps and durations: what is valid, what is carried, what does not fit. */
#include "tap.h"
#include "tern/wkt.h"

typedef google_protobuf_Timestamp stamp;
typedef google_protobuf_Duration span;

enum { NS = 1000000000 };

static void timestamp__valid_years(void) {
    static const struct {
        int64_t seconds;
        int32_t nanos;
        bool valid;
    } cases[] = {{0, 0, true},
                 {0, 999999999, true},
                 {0, 1000000000, false},
                 {0, -1, false},
                 {-62135596800, 0, true},
                 {-62135596801, 999999999, false},
                 {253402300799, 999999999, true},
                 {253402300800, 0, false},
                 {INT64_MIN, 0, false},
                 {INT64_MAX, 0, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        stamp t = {.seconds = cases[i].seconds, .nanos = cases[i].nanos};
        CHECK_EQ(tern_timestamp_is_valid(&t), cases[i].valid);
    }
}

static void timestamp__nanoseconds_both_ways(void) {
    static const int64_t cases[] = {0, 1, -1, NS, -NS, 1700000000123456789, -NS - 1, INT64_MAX, INT64_MIN};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        stamp t;
        int64_t back = 42;
        tern_timestamp_from_ns(cases[i], &t);
        CHECK(tern_timestamp_is_valid(&t));
        CHECK_EQ(tern_timestamp_to_ns(&t, &back), 0);
        CHECK(back == cases[i]);
    }
}

static void timestamp__what_nanoseconds_do_not_hold(void) {
    int64_t ns = 42;
    stamp late = {.seconds = 9223372036, .nanos = 854775808}, early = {.seconds = -9223372037, .nanos = 145224191};
    stamp wrong = {.nanos = NS};
    CHECK_EQ(tern_timestamp_to_ns(&late, &ns), TERN_ERR_LIMIT);
    CHECK_EQ(tern_timestamp_to_ns(&early, &ns), TERN_ERR_LIMIT);
    CHECK_EQ(tern_timestamp_to_ns(&wrong, &ns), TERN_ERR_INVALID);
    CHECK_EQ(ns, 42);
    late.nanos--;
    early.nanos++;
    CHECK_EQ(tern_timestamp_to_ns(&late, &ns), 0);
    CHECK(ns == INT64_MAX);
    CHECK_EQ(tern_timestamp_to_ns(&early, &ns), 0);
    CHECK(ns == INT64_MIN);
}

static void timestamp__normalize_carries(void) {
    stamp t = {.seconds = 10, .nanos = -1};
    CHECK_EQ(tern_timestamp_normalize(&t), 0);
    CHECK_EQ(t.seconds, 9);
    CHECK_EQ(t.nanos, 999999999);
    t = (stamp){.seconds = 10, .nanos = INT32_MAX};
    CHECK_EQ(tern_timestamp_normalize(&t), 0);
    CHECK_EQ(t.seconds, 12);
    CHECK_EQ(t.nanos, 147483647);
    t = (stamp){.seconds = INT64_MIN, .nanos = INT32_MIN};
    CHECK_EQ(tern_timestamp_normalize(&t), TERN_ERR_INVALID);
    CHECK(t.seconds == INT64_MIN);
    CHECK(t.nanos == INT32_MIN);
}

static void timestamp__timespec_both_ways(void) {
    stamp t;
    struct timespec time = {.tv_sec = -5, .tv_nsec = 1500000000}, back;
    CHECK_EQ(tern_timestamp_from_timespec(time, &t), 0);
    CHECK_EQ(t.seconds, -4);
    CHECK_EQ(t.nanos, 500000000);
    CHECK_EQ(tern_timestamp_to_timespec(&t, &back), 0);
    CHECK_EQ(back.tv_sec, -4);
    CHECK_EQ(back.tv_nsec, 500000000);
    time.tv_sec = 253402300799;
    CHECK_EQ(tern_timestamp_from_timespec(time, &t), TERN_ERR_INVALID);
    CHECK_EQ(t.seconds, -4);
    t.nanos = -1;
    CHECK_EQ(tern_timestamp_to_timespec(&t, &back), TERN_ERR_INVALID);
}

static void duration__one_sign(void) {
    static const struct {
        int64_t seconds;
        int32_t nanos;
        bool valid;
    } cases[] = {{0, 0, true},
                 {0, -999999999, true},
                 {-1, -1, true},
                 {1, 1, true},
                 {1, -1, false},
                 {-1, 1, false},
                 {0, 1000000000, false},
                 {0, INT32_MIN, false},
                 {315576000000, 999999999, true},
                 {-315576000000, -999999999, true},
                 {315576000001, 0, false},
                 {-315576000001, 0, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        span d = {.seconds = cases[i].seconds, .nanos = cases[i].nanos};
        CHECK_EQ(tern_duration_is_valid(&d), cases[i].valid);
    }
}

static void duration__normalize_carries(void) {
    static const struct {
        int64_t seconds;
        int32_t nanos;
        int64_t want_seconds;
        int32_t want_nanos;
    } cases[] = {{1, -1, 0, 999999999},
                 {-1, 1, 0, -999999999},
                 {0, -1500000000, -1, -500000000},
                 {0, 1500000000, 1, 500000000},
                 {-2, 1500000000, 0, -500000000},
                 {2, -2000000000, 0, 0},
                 {-1, 0, -1, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        span d = {.seconds = cases[i].seconds, .nanos = cases[i].nanos};
        CHECK_EQ(tern_duration_normalize(&d), 0);
        CHECK_EQ(d.seconds, cases[i].want_seconds);
        CHECK_EQ(d.nanos, cases[i].want_nanos);
    }
    span wrong = {.seconds = INT64_MAX, .nanos = INT32_MAX};
    CHECK_EQ(tern_duration_normalize(&wrong), TERN_ERR_INVALID);
    CHECK_EQ(wrong.nanos, INT32_MAX);
}

static void duration__nanoseconds_both_ways(void) {
    static const int64_t cases[] = {0, 1, -1, NS, -NS, 1234567890123, -NS - 1, INT64_MAX, INT64_MIN};
    span d;
    int64_t back;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tern_duration_from_ns(cases[i], &d);
        CHECK(tern_duration_is_valid(&d));
        CHECK_EQ(tern_duration_to_ns(&d, &back), 0);
        CHECK(back == cases[i]);
    }
    d = (span){.seconds = TERN_DURATION_MAX_SECONDS};
    CHECK_EQ(tern_duration_to_ns(&d, &back), TERN_ERR_LIMIT);
    d.nanos = -1;
    CHECK_EQ(tern_duration_to_ns(&d, &back), TERN_ERR_INVALID);
}

static void duration__timespec_both_ways(void) {
    span d = {.nanos = -250000000};
    struct timespec time;
    CHECK_EQ(tern_duration_to_timespec(&d, &time), 0);
    CHECK_EQ(time.tv_sec, -1);
    CHECK_EQ(time.tv_nsec, 750000000);
    d = (span){0};
    CHECK_EQ(tern_duration_from_timespec(time, &d), 0);
    CHECK_EQ(d.seconds, 0);
    CHECK_EQ(d.nanos, -250000000);
    time.tv_sec = 315576000001;
    CHECK_EQ(tern_duration_from_timespec(time, &d), TERN_ERR_INVALID);
    d.nanos = NS;
    CHECK_EQ(tern_duration_to_timespec(&d, &time), TERN_ERR_INVALID);
}

TAP_MAIN(TEST(timestamp__valid_years), TEST(timestamp__nanoseconds_both_ways),
         TEST(timestamp__what_nanoseconds_do_not_hold), TEST(timestamp__normalize_carries),
         TEST(timestamp__timespec_both_ways), TEST(duration__one_sign), TEST(duration__normalize_carries),
         TEST(duration__nanoseconds_both_ways), TEST(duration__timespec_both_ways))
