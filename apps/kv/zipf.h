/* Ranks 1..n with probability proportional to rank^-s, drawn in constant time and memory for any s >= 0
 * by rejection-inversion (Hoermann and Derflinger, "Rejection-inversion to generate variates from
 * monotone discrete distributions", 1996). The distribution is exact, unlike YCSB's approximation. */
#ifndef KV_ZIPF_H
#define KV_ZIPF_H

#include "draw.h"

typedef struct zipf {
    uint64_t n;
    double s;
    double area_first, area_last; /* of the hat, up to rank 1 and up to rank n */
    double squeeze;               /* within this of the rank, accept at once */
} zipf;

/* n >= 1; s >= 0, where 0 is uniform. */
void zipf_init(zipf *z, uint64_t n, double s);

/* A rank in 1..n; 1 is the most popular. */
uint64_t zipf_next(const zipf *z, tern__rng *rng);

#endif
