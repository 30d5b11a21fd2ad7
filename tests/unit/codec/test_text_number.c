/* Numbers as text and back: exact both ways, in every locale. */
#include <float.h>
#include <locale.h>
#include <math.h>

#include "base/rng.h"
#include "codec/text_number.h"
#include "tap.h"

static tern_arena arena;

static bool same_double(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }
static bool same_float(float a, float b) { return memcmp(&a, &b, sizeof a) == 0; }

static void double__reads_back_to_every_bit(void) {
    const double special[] = {0.0,  -0.0,  0.1, 1.0 / 3, DBL_MAX, -DBL_MAX, DBL_MIN, 4.9406564584124654e-324,
                              1e22, 5e-324};
    char text[NUMBER_TEXT_BYTES];
    double back;
    tern__rng rng;
    tern__rng_seed(&rng, 1);
    for (int i = 0; i < 200000; i++) {
        uint64_t bits = tern__rng_next(&rng);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (i < (int)(sizeof special / sizeof *special)) value = special[i];
        if (!isfinite(value)) continue;
        tern_str view = {text, tern__number_print_double(value, text)};
        CHECK_EQ(view.len, strlen(text));
        CHECK(tern__number_valid(view));
        CHECK_EQ(tern__number_read_double(view, &arena, &back), 0);
        CHECK(same_double(value, back));
    }
}

static void float__reads_back_to_every_bit(void) {
    char text[NUMBER_TEXT_BYTES];
    float back;
    tern__rng rng;
    tern__rng_seed(&rng, 2);
    for (int i = 0; i < 200000; i++) {
        uint32_t bits = i < 1000 ? (uint32_t)i : (uint32_t)tern__rng_next(&rng); /* the smallest denormals, too */
        float value;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value)) continue;
        tern_str view = {text, tern__number_print_float(value, text)};
        CHECK(tern__number_valid(view));
        CHECK_EQ(tern__number_read_float(view, &arena, &back), 0);
        CHECK(same_float(value, back));
    }
}

static void print__takes_few_digits(void) {
    const struct {
        double value;
        const char *text;
    } cases[] = {{0.1, "0.1"}, {1, "1"}, {-2.5, "-2.5"}, {1e20, "1e+20"}, {0.3, "0.3"}, {1e-7, "1e-07"}, {-0.0, "-0"}};
    char text[NUMBER_TEXT_BYTES];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tern__number_print_double(cases[i].value, text);
        CHECK(strcmp(text, cases[i].text) == 0);
        tern__number_print_float((float)cases[i].value, text);
        CHECK(strcmp(text, cases[i].text) == 0);
    }
}

static void valid__is_the_grammar_of_json(void) {
    const char *good[] = {"0", "-0", "10", "1.5", "-1.5e3", "1E+2", "1e-2", "0.0", "123456789012345678901234567890"};
    const char *bad[] = {"",    "-",    "+1",  "01",  "-01", ".5",  "1.",    "1e",    "1e+",      "1 ",  " 1",
                         "0x1", "1e5.", "--1", "NaN", "inf", "1,5", "1.5.2", "1e1e1", "Infinity", "1\n", "1_000"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) CHECK(tern__number_valid(tern_str_of(good[i])));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) CHECK(!tern__number_valid(tern_str_of(bad[i])));
}

static void integer__keeps_64_bits(void) {
    const struct {
        const char *text;
        uint64_t magnitude;
        bool negative, ok;
    } cases[] = {
        {"0", 0, false, true},
        {"-0", 0, true, true},
        {"18446744073709551615", UINT64_MAX, false, true},
        {"18446744073709551616", 0, false, false},
        {"-9223372036854775808", (uint64_t)1 << 63, true, true},
        {"1e3", 1000, false, true},
        {"1.5e1", 15, false, true},
        {"1.5", 0, false, false},
        {"100.000", 100, false, true},
        {"1000e-3", 1, false, true},
        {"1001e-3", 0, false, false},
        {"1e-1", 0, false, false},
        {"0e999999999999999999999", 0, false, true},
        {"0.000e-99999999999999999999", 0, false, true},
        {"1e999999999999999999999", 0, false, false},
        {"1e-999999999999999999999", 0, false, false},
        {"1844674407370955161.5e1", UINT64_MAX, false, true},
        {"0.00000000000000000000000000000000000000000000000000000000000000000000000000007e77", 7, false, true},
        {"12000000000000000000000000000000000000e-37", 0, false, false},
        {"1e19", 10000000000000000000u, false, true},
        {"1e20", 0, false, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t magnitude;
        bool negative = false;
        CHECK_EQ(tern__number_read_integer(tern_str_of(cases[i].text), &magnitude, &negative), cases[i].ok);
        if (!cases[i].ok) continue;
        CHECK(magnitude == cases[i].magnitude);
        CHECK_EQ(negative, cases[i].negative);
    }
}

static void read__rounds_long_numbers_and_refuses_large_ones(void) {
    double number;
    float single;
    char text[2001];
    memset(text, '1', sizeof text);
    text[1] = '.'; /* longer than any buffer: 1.111... */
    CHECK_EQ(tern__number_read_double((tern_str){text, 2000}, &arena, &number), 0);
    CHECK(number == 10.0 / 9);
    CHECK_EQ(tern__number_read_double(tern_str_of("1.89769e+308"), &arena, &number), TERN_ERR_LIMIT);
    CHECK_EQ(tern__number_read_float(tern_str_of("-3.502823e+38"), &arena, &single), TERN_ERR_LIMIT);
    CHECK_EQ(tern__number_read_double(tern_str_of("1e-999"), &arena, &number), 0);
    CHECK(number == 0);
    arena.fail_countdown = 1;
    CHECK_EQ(tern__number_read_double((tern_str){text, 2000}, &arena, &number), TERN_ERR_NOMEM);
}

static void locale__makes_no_difference(void) {
    char text[NUMBER_TEXT_BYTES];
    double number = 0;
    const char *names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE", "ps_AF.UTF-8"};
    bool found = false;
    for (size_t i = 0; i < sizeof names / sizeof *names && !found; i++) found = setlocale(LC_NUMERIC, names[i]) != NULL;
    if (!found) SKIP("the machine has no locale with another decimal point");
    size_t len = tern__number_print_double(1234.5, text);
    int err = tern__number_read_double(tern_str_of("-2.25e2"), &arena, &number);
    setlocale(LC_NUMERIC, "C");
    CHECK_EQ(len, 6);
    CHECK(strcmp(text, "1234.5") == 0);
    CHECK_EQ(err, 0);
    CHECK(number == -225);
}

int main(int argc, char **argv) {
    static const tap_test tests[] = {
        TEST(double__reads_back_to_every_bit), TEST(float__reads_back_to_every_bit),
        TEST(print__takes_few_digits),         TEST(valid__is_the_grammar_of_json),
        TEST(integer__keeps_64_bits),          TEST(read__rounds_long_numbers_and_refuses_large_ones),
        TEST(locale__makes_no_difference)};
    tern_arena_init(&arena, 0, 0);
    int rc = tap_run(tests, sizeof tests / sizeof *tests, argc, argv);
    tern_arena_fini(&arena);
    return rc;
}
