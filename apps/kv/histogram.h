/* Latencies in a fixed table: exact below 128, then 128 buckets to each power of two, so that a
 * percentile is at most 1/128 too high and never too low. Recording is a few instructions. */
#ifndef KV_HISTOGRAM_H
#define KV_HISTOGRAM_H

#include <stdint.h>

enum { HISTOGRAM_SUB_BITS = 7, HISTOGRAM_BUCKETS = (64 - HISTOGRAM_SUB_BITS + 1) << HISTOGRAM_SUB_BITS };

typedef struct histogram {
    uint64_t n;   /* values recorded */
    uint64_t max; /* exact; 0 when empty */
    double sum;
    uint64_t buckets[HISTOGRAM_BUCKETS];
} histogram;

void histogram_reset(histogram *h);
void histogram_record(histogram *h, uint64_t value);

/* The smallest bucket bound that at least `percent` % of the values do not exceed (nearest rank), capped at
 * max. 0 when empty. */
uint64_t histogram_percentile(const histogram *h, double percent);

#endif
