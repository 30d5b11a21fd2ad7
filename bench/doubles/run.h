/* bench/stream: what the parts agree on. A run puts `n_sequences` sequences of n doubles into a writer over a
 * medium. */
#ifndef TERN_BENCH_STREAM_RUN_H
#define TERN_BENCH_STREAM_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { RUN_BUFFER_BYTES = 65536, RUN_PAGE_BYTES = 4096 }; /* buffers begin on a page */

struct tern_stream;

typedef enum run_kind {
    RUN_MEMORY, /* a buffer of 64 KB that starts anew when it is full: nothing but the writing is measured */
    RUN_FD,
    RUN_CALL /* a streaming call */
} run_kind;

typedef struct run_medium {
    run_kind kind;
    int fd;
    const struct tern_stream *call; /* the caller keeps it */
} run_medium;

typedef bool run_fn(const run_medium *m, const double *values, size_t n, size_t n_sequences);

run_fn run_tern, run_tern_swapped; /* tern/stream.h */
run_fn run_raw, run_raw_swapped;   /* by hand, with a buffer of 64 KB */
run_fn run_unbuffered;             /* by hand, a write for each sequence */
run_fn run_xdr;                    /* xdrrec of libtirpc, which swaps on this machine */
run_fn run_protobuf;               /* protobuf C++, packed doubles, each sequence a message with its length */

/* 64 KB for one of the writers by hand: what tern's writer would get just now. Over a streaming call, another piece of
 * memory, which is copied as tern's buffer is: values in the pool would go in place. */
uint8_t *run_buffer(const run_medium *m);
void run_buffer_done(const run_medium *m, uint8_t *buffer);

/* All of data[0..n) to the medium. */
bool run_write(const run_medium *m, const void *data, size_t n);

/* The same bytes by one memcpy per sequence. */
bool run_memcpy(const run_medium *m, const double *values, size_t n, size_t n_sequences);

#ifdef __cplusplus
}
#endif
#endif
