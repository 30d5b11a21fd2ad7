/* A line on the terminal that says how far a long command has come; nothing when stderr is no terminal. */
#ifndef KV_PROGRESS_H
#define KV_PROGRESS_H

#include <stdint.h>

#include "tern/rpc.h"

typedef struct progress {
    const char *verb; /* "loaded"; NULL: silent */
    tern_time start, next;
} progress;

void progress_begin(progress *p, const char *verb);
void progress_show(progress *p, uint64_t n, const char *unit, uint64_t bytes);

/* Wipes the line. Returns the seconds since the beginning. */
double progress_end(progress *p);

/* CLOCK_MONOTONIC. */
tern_time progress_now(void);

#endif
