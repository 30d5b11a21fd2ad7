/* Bucket of v >= 128 with top bit t: the 7 bits below the top one, in the t-th group. */
#include "histogram.h"

#include <math.h>
#include <string.h>

enum { SUB = 1 << HISTOGRAM_SUB_BITS };

void histogram_reset(histogram *h) { memset(h, 0, sizeof *h); }

static unsigned bucket_of(uint64_t value) {
    if (value < SUB) return (unsigned)value;
    unsigned shift = 63 - (unsigned)__builtin_clzll(value) - HISTOGRAM_SUB_BITS;
    return (shift << HISTOGRAM_SUB_BITS) + (unsigned)(value >> shift);
}

/* The greatest value that falls into the bucket. */
static uint64_t bucket_bound(unsigned bucket) {
    if (bucket < 2 * SUB) return bucket;
    unsigned shift = (bucket >> HISTOGRAM_SUB_BITS) - 1;
    return ((uint64_t)(bucket % SUB + SUB + 1) << shift) - 1;
}

void histogram_record(histogram *h, uint64_t value) {
    h->n++;
    h->sum += (double)value;
    if (value > h->max) h->max = value;
    h->buckets[bucket_of(value)]++;
}

uint64_t histogram_percentile(const histogram *h, double percent) {
    if (h->n == 0) return 0;
    double exact = ceil(percent / 100 * (double)h->n);
    uint64_t rank = exact < 1 ? 1 : exact > (double)h->n ? h->n : (uint64_t)exact, seen = 0;
    for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++) {
        seen += h->buckets[i];
        if (seen < rank) continue;
        uint64_t bound = bucket_bound(i);
        return bound < h->max ? bound : h->max;
    }
    return h->max;
}
