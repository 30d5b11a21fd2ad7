/* Real-valued draws for workloads, over the seeded generator that simulators use. */
#ifndef KV_DRAW_H
#define KV_DRAW_H

#include <math.h>

#include "base/rng.h"

/* Uniform in (0, 1]: never 0, so that its logarithm is finite. */
static inline double draw_unit(tern__rng *rng) { return ((double)(tern__rng_next(rng) >> 11) + 1) * 0x1p-53; }

/* Exponential with this mean: the gaps of a Poisson process. */
static inline double draw_exponential(tern__rng *rng, double mean) { return -mean * log(draw_unit(rng)); }

#endif
