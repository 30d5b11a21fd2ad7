/* The type tables of bench/hyper by name. */
#ifndef BENCH_HYPER_TYPES_H
#define BENCH_HYPER_TYPES_H

#include "tern/type.h"

/* NULL when there is none of that name ("bench0.M1"). */
const tern_type *hyper_type(const char *name);

#endif
