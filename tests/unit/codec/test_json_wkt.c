/* The strings of the well-known types, both ways. */
#include "codec/json_wkt.h"
#include "tap.h"

typedef struct time_case {
    const char *text, *canonical; /* canonical NULL: text is refused */
    int64_t seconds;
    int32_t nanos;
} time_case;

static void check_time(const time_case *c, bool duration) {
    int64_t seconds = 0;
    int32_t nanos = 0;
    char room[64];
    text_writer w = {.data = room, .cap = sizeof room};
    tern_str text = tern_str_of(c->text);
    bool ok =
        duration ? tern__wkt_read_duration(text, &seconds, &nanos) : tern__wkt_read_timestamp(text, &seconds, &nanos);
    if (ok != (c->canonical != NULL)) printf("# %s\n", c->text);
    CHECK_EQ(ok, c->canonical != NULL);
    if (!ok) return;
    CHECK_EQ(seconds, c->seconds);
    CHECK_EQ(nanos, c->nanos);
    if (duration)
        tern__wkt_put_duration(&w, seconds, nanos);
    else
        tern__wkt_put_timestamp(&w, seconds, nanos);
    CHECK_EQ(tern__text_finish_room(&w), strlen(c->canonical));
    CHECK(strcmp(room, c->canonical) == 0);
}

static void timestamp__reads_and_prints(void) {
    static const time_case cases[] = {
        {"1970-01-01T00:00:00Z", "1970-01-01T00:00:00Z", 0, 0},
        {"0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z", -62135596800, 0},
        {"9999-12-31T23:59:59.999999999Z", "9999-12-31T23:59:59.999999999Z", 253402300799, 999999999},
        {"1970-01-01T08:00:01+08:00", "1970-01-01T00:00:01Z", 1, 0},
        {"1969-12-31T16:00:01-08:00", "1970-01-01T00:00:01Z", 1, 0},
        {"1969-12-31T23:59:59.5Z", "1969-12-31T23:59:59.500Z", -1, 500000000},
        {"2000-02-29T12:34:56.00001Z", "2000-02-29T12:34:56.000010Z", 951827696, 10000},
        {"2024-02-29T00:00:00.000000001Z", "2024-02-29T00:00:00.000000001Z", 1709164800, 1},
        {"1900-02-29T00:00:00Z", NULL, 0, 0},
        {"2023-02-29T00:00:00Z", NULL, 0, 0},
        {"2023-13-01T00:00:00Z", NULL, 0, 0},
        {"2023-00-01T00:00:00Z", NULL, 0, 0},
        {"2023-01-00T00:00:00Z", NULL, 0, 0},
        {"2023-01-01T24:00:00Z", NULL, 0, 0},
        {"2023-01-01T00:60:00Z", NULL, 0, 0},
        {"2023-01-01T00:00:60Z", NULL, 0, 0},
        {"0000-01-01T00:00:00Z", NULL, 0, 0},
        {"10000-01-01T00:00:00Z", NULL, 0, 0},
        {"0001-01-01T00:00:00", NULL, 0, 0},
        {"0001-01-01 00:00:00Z", NULL, 0, 0},
        {"0001-01-01t00:00:00Z", NULL, 0, 0},
        {"0001-01-01T00:00:00z", NULL, 0, 0},
        {"0001-01-01T00:00:00+00:01", NULL, 0, 0},
        {"9999-12-31T23:59:59-00:01", NULL, 0, 0},
        {"2023-01-01T00:00:00.Z", NULL, 0, 0},
        {"2023-01-01T00:00:00.1234567890Z", NULL, 0, 0},
        {"2023-01-01T00:00:00Z ", NULL, 0, 0},
        {"2023-01-01T00:00:00+24:00", NULL, 0, 0},
        {"", NULL, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check_time(&cases[i], false);
        CHECK_OK();
    }
}

static void timestamp__every_day_of_four_centuries_reads_back(void) {
    for (int64_t day = -150000; day < 150000; day++) {
        char room[32];
        int64_t seconds;
        int32_t nanos;
        text_writer w = {.data = room, .cap = sizeof room};
        tern__wkt_put_timestamp(&w, day * 86400, 0);
        CHECK_EQ(tern__text_finish_room(&w), 20);
        CHECK(tern__wkt_read_timestamp((tern_str){room, 20}, &seconds, &nanos));
        CHECK_EQ(seconds, day * 86400);
    }
}

static void duration__reads_and_prints(void) {
    static const time_case cases[] = {
        {"0s", "0s", 0, 0},
        {"1.5s", "1.500s", 1, 500000000},
        {"-0.5s", "-0.500s", 0, -500000000},
        {"-1.000001s", "-1.000001s", -1, -1000},
        {"315576000000.999999999s", "315576000000.999999999s", 315576000000, 999999999},
        {"-315576000000s", "-315576000000s", -315576000000, 0},
        {"315576000001s", NULL, 0, 0},
        {"-315576000001s", NULL, 0, 0},
        {"99999999999999999999999s", NULL, 0, 0},
        {"1", NULL, 0, 0},
        {"s", NULL, 0, 0},
        {"1.s", NULL, 0, 0},
        {".5s", NULL, 0, 0},
        {"+1s", NULL, 0, 0},
        {"1 s", NULL, 0, 0},
        {"1.0000000000s", NULL, 0, 0},
        {"--1s", NULL, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check_time(&cases[i], true);
        CHECK_OK();
    }
}

static void time__out_of_range_is_not_printed(void) {
    static const struct {
        int64_t seconds;
        int32_t nanos;
        bool duration;
    } cases[] = {{-62135596801, 0, false}, {253402300800, 0, false}, {0, -1, false},       {0, 1000000000, false},
                 {INT64_MIN, 0, true},     {315576000001, 0, true},  {1, -1, true},        {-1, 1, true},
                 {0, 1000000000, true},    {0, INT32_MIN, true},     {INT64_MAX, 0, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        text_writer w = {0};
        if (cases[i].duration)
            tern__wkt_put_duration(&w, cases[i].seconds, cases[i].nanos);
        else
            tern__wkt_put_timestamp(&w, cases[i].seconds, cases[i].nanos);
        CHECK_EQ(tern__text_finish_room(&w), TERN_ERR_INVALID);
    }
}

static void path__changes_case_both_ways(void) {
    static const char *const pairs[][2] = {{"foo", "foo"}, {"foo_bar", "fooBar"}, {"a.b_c", "a.bC"}, {"x1_y2", "x1Y2"}};
    static const char *const no_json[] = {"fooBar", "foo_3_bar", "foo__bar", "foo_", "_",
                                          "a,b",    "a\"b",      "a\\b",     "a\nb"};
    char room[32];
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        text_writer w = {.data = room, .cap = sizeof room};
        tern__wkt_put_path(&w, tern_str_of(pairs[i][0]));
        CHECK_EQ(tern__text_finish_room(&w), strlen(pairs[i][1]));
        CHECK(strcmp(room, pairs[i][1]) == 0);
        CHECK_EQ(tern__wkt_read_path(tern_str_of(pairs[i][1]), room), strlen(pairs[i][0]));
        CHECK_MEM(room, pairs[i][0], strlen(pairs[i][0]));
    }
    for (size_t i = 0; i < sizeof no_json / sizeof *no_json; i++) {
        text_writer w = {0};
        tern__wkt_put_path(&w, tern_str_of(no_json[i]));
        CHECK_EQ(tern__text_finish_room(&w), TERN_ERR_INVALID);
    }
    CHECK(tern__wkt_read_path(tern_str_of("foo_bar"), room) == SIZE_MAX);
}

TAP_MAIN(TEST(timestamp__reads_and_prints), TEST(timestamp__every_day_of_four_centuries_reads_back),
         TEST(duration__reads_and_prints), TEST(time__out_of_range_is_not_printed), TEST(path__changes_case_both_ways))
