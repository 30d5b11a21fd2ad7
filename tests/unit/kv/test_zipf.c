/* Drawn frequencies against the probabilities that define the distribution, and the arrival process
 * against what makes it Poisson. Seeds are fixed, so the bounds are facts, not chances. */
#include "../../../apps/kv/zipf.h"

#include "tap.h"

enum { DRAWS = 400000 };

/* Pearson's statistic over all ranks, as a multiple of its expectation (n - 1). */
static double chi_square_ratio(uint64_t n, double s) {
    static uint64_t counts[1001];
    zipf z;
    tern__rng r;
    tern__rng_seed(&r, 42);
    double total = 0, chi = 0;
    memset(counts, 0, sizeof counts);
    zipf_init(&z, n, s);
    for (int i = 0; i < DRAWS; i++) {
        uint64_t k = zipf_next(&z, &r);
        if (k < 1 || k > n) return INFINITY;
        counts[k]++;
    }
    for (uint64_t k = 1; k <= n; k++) total += pow((double)k, -s);
    for (uint64_t k = 1; k <= n; k++) {
        double expected = DRAWS * pow((double)k, -s) / total;
        chi += ((double)counts[k] - expected) * ((double)counts[k] - expected) / expected;
    }
    return chi / (double)(n - 1);
}

/* With 999 degrees of freedom the ratio's deviation is 0.045. */
static void next__matches_ycsb(void) { CHECK(fabs(chi_square_ratio(1000, 0.99) - 1) < 0.2); }
static void next__matches_twitter(void) { CHECK(fabs(chi_square_ratio(1000, 1.1004) - 1) < 0.2); }
static void next__exponent_one(void) { CHECK(fabs(chi_square_ratio(1000, 1) - 1) < 0.2); }
static void next__exponent_zero_is_uniform(void) { CHECK(fabs(chi_square_ratio(1000, 0) - 1) < 0.2); }
static void next__steep(void) { CHECK(chi_square_ratio(5, 3) < 4); }

static void next__one_rank(void) {
    zipf z;
    tern__rng r;
    tern__rng_seed(&r, 1);
    zipf_init(&z, 1, 0.99);
    for (int i = 0; i < 1000; i++) CHECK_EQ(zipf_next(&z, &r), 1);
}

static void next__many_ranks_stay_in_range(void) {
    zipf z;
    tern__rng r;
    tern__rng_seed(&r, 7);
    zipf_init(&z, UINT32_MAX, 0.99);
    for (int i = 0; i < 10000; i++) {
        uint64_t k = zipf_next(&z, &r);
        CHECK(k >= 1 && k <= UINT32_MAX);
    }
}

static void exponential__mean_and_deviation(void) {
    tern__rng r;
    tern__rng_seed(&r, 3);
    double sum = 0, squares = 0;
    for (int i = 0; i < DRAWS; i++) {
        double gap = draw_exponential(&r, 50);
        CHECK(gap >= 0);
        sum += gap;
        squares += gap * gap;
    }
    double mean = sum / DRAWS, deviation = sqrt(squares / DRAWS - mean * mean);
    CHECK(fabs(mean - 50) < 0.5);
    CHECK(fabs(deviation - 50) < 0.5);
}

static void below__is_uniform_and_in_range(void) {
    tern__rng r;
    tern__rng_seed(&r, 4);
    int counts[10] = {0};
    for (int i = 0; i < 100000; i++) counts[tern__rng_below(&r, 10)]++;
    for (int i = 0; i < 10; i++) CHECK(abs(counts[i] - 10000) < 400);
}

TAP_MAIN(TEST(next__matches_ycsb), TEST(next__matches_twitter), TEST(next__exponent_one),
         TEST(next__exponent_zero_is_uniform), TEST(next__steep), TEST(next__one_rank),
         TEST(next__many_ranks_stay_in_range), TEST(exponential__mean_and_deviation),
         TEST(below__is_uniform_and_in_range))
