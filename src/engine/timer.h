/* The heaps of what is due (timer.c). */
#ifndef TERN_ENGINE_TIMER_H
#define TERN_ENGINE_TIMER_H

#include "engine/limits.h"

/* When something needs attention; in its owner. */
typedef struct tern__timer {
    tern_time due; /* TERN__NEVER: not in its heap */
    uint32_t pos;  /* in the heap */
} tern__timer;

typedef struct tern__due { /* a place in a heap */
    tern_time at;          /* the timer's `due` */
    tern__timer *timer;
} tern__due;

/* Of the timers that are set, by time. Its owner sees to the room. */
typedef struct tern__heap {
    tern__due *dues;
    uint32_t n;
} tern__heap;

void tern__heap_set(tern__heap *heap, tern__timer *timer, tern_time due);

#endif
