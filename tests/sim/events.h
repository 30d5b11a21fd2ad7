/* The last events of a cluster (engine/trace.h), so that a report of a failure can say what came before it. */
#ifndef TERN_TESTS_EVENTS_H
#define TERN_TESTS_EVENTS_H

#include <stdio.h>

#include "engine/trace_text.h"

enum { EVENTS_KEPT = 200 };

/* A ring; zeros are an empty one. */
typedef struct events {
    struct {
        uint32_t node;
        tern__trace_event event;
    } kept[EVENTS_KEPT];
    uint64_t n; /* since the start */
} events;

void events_add(events *e, uint32_t node, const tern__trace_event *event);

/* The events that are kept, the oldest first, one a line behind "# ". Times are seconds since `start`. */
void events_print(const events *e, tern_time start, FILE *out);

#endif
