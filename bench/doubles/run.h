/* bench/stream: what the parts agree on. A run puts `n_sequences` sequences of n doubles into a writer over a medium.
 *
 * `medium` is a descriptor, or -1 for memory: a buffer of 64 KB that starts anew when it is full, so that nothing but the
 * writing is measured. */
#ifndef TERN_BENCH_STREAM_RUN_H
#define TERN_BENCH_STREAM_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { RUN_BUFFER_BYTES = 65536, RUN_MEMORY = -1 };

typedef bool run_fn(int medium, const double *values, size_t n, size_t n_sequences);

run_fn run_tern, run_tern_swapped; /* tern/stream.h */
run_fn run_raw, run_raw_swapped;   /* by hand, with a buffer of 64 KB */
run_fn run_unbuffered;             /* by hand, a write for each sequence */
run_fn run_xdr;                    /* xdrrec of libtirpc, which swaps on this machine */
run_fn run_protobuf;               /* protobuf C++, packed doubles, each sequence a message with its length */

/* All of data[0..n), to a descriptor or to nowhere. */
bool run_write(int medium, const void *data, size_t n);

/* The same bytes by one memcpy per sequence. */
bool run_memcpy(int medium, const double *values, size_t n, size_t n_sequences);

#ifdef __cplusplus
}
#endif
#endif
