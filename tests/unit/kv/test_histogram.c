/* The histogram against the truth: a sorted copy of everything recorded. */
#include "../../../apps/kv/draw.h"
#include "../../../apps/kv/histogram.h"

#include "tap.h"

static int by_value(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

enum { N = 50000 };
static uint64_t values[N];
static histogram hist;

static void compare_with_sorted(void) {
    static const double percents[] = {0, 1, 25, 50, 90, 99, 99.9, 99.99, 100};
    histogram_reset(&hist);
    for (size_t i = 0; i < N; i++) histogram_record(&hist, values[i]);
    qsort(values, N, sizeof *values, by_value);
    for (size_t i = 0; i < sizeof percents / sizeof *percents; i++) {
        double rank = ceil(percents[i] / 100 * N);
        uint64_t exact = values[rank < 1 ? 0 : (size_t)rank - 1];
        uint64_t got = histogram_percentile(&hist, percents[i]);
        CHECK(got >= exact);
        CHECK(got - exact <= exact / 128);
    }
    CHECK_EQ(histogram_percentile(&hist, 100), values[N - 1]);
    CHECK_EQ(hist.max, values[N - 1]);
    CHECK_EQ(hist.n, N);
}

static void percentile__exponential_latencies(void) {
    tern__rng r;
    tern__rng_seed(&r, 1);
    for (size_t i = 0; i < N; i++) values[i] = (uint64_t)draw_exponential(&r, 20000);
    compare_with_sorted();
}

static void percentile__all_magnitudes(void) {
    tern__rng r;
    tern__rng_seed(&r, 2);
    for (size_t i = 0; i < N; i++) values[i] = tern__rng_next(&r) >> tern__rng_below(&r, 64);
    compare_with_sorted();
}

static void percentile__small_values_are_exact(void) {
    histogram_reset(&hist);
    for (uint64_t v = 0; v < 256; v++) histogram_record(&hist, v);
    for (int i = 1; i <= 256; i++) CHECK_EQ(histogram_percentile(&hist, i * 100.0 / 256), i - 1);
}

static void percentile__bucket_edges(void) {
    for (int shift = 0; shift < 64; shift++) {
        for (int delta = -1; delta <= 1; delta++) {
            uint64_t v = (1ull << shift) + (uint64_t)delta;
            histogram_reset(&hist);
            histogram_record(&hist, v);
            histogram_record(&hist, UINT64_MAX);
            uint64_t got = histogram_percentile(&hist, 50);
            CHECK(got >= v);
            CHECK(got - v <= v / 128);
        }
    }
}

static void percentile__empty_is_zero(void) {
    histogram_reset(&hist);
    CHECK_EQ(histogram_percentile(&hist, 99), 0);
}

TAP_MAIN(TEST(percentile__exponential_latencies), TEST(percentile__all_magnitudes),
         TEST(percentile__small_values_are_exact), TEST(percentile__bucket_edges), TEST(percentile__empty_is_zero))
