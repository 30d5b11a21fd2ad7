/* A process of its own that takes streaming calls over shared memory and UDP: it drops what they bring, or works on
 * it. */
#ifndef TERN_BENCH_STREAM_CALLS_H
#define TERN_BENCH_STREAM_CALLS_H

#include <stdbool.h>

#include "run.h"

/* To be called before this process uses tern, once. False with a message on stderr. */
bool calls_start(void);

typedef enum calls_method { CALLS_DROP = 0x64726f70, CALLS_SUM = 0x73756d73 } calls_method;

/* A stream to it, over "shm" or "udp". False with a message on stderr. */
bool calls_open(const char *port, calls_method method, struct tern_stream *stream);

/* Returns when the other side has read everything. */
void calls_close(const struct tern_stream *call);

void calls_stop(void);

#endif
