/* What is wrong, in words, for tern_heap_problem(). */
#ifndef TERN_GRAPH_PROBLEM_H
#define TERN_GRAPH_PROBLEM_H

#include "graph/heap_record.h"

/* Nothing is wrong so far; or the words for it. */
static inline void tern__problem_clear(tern_heap *heap) { heap->problem[0] = 0; }
__attribute__((format(printf, 2, 3))) void tern__problem_say(tern_heap *heap, const char *format, ...);

/* The words for why there is no object, for errors of tern__types_learn() and tern__room_take(). */
void tern__problem_no_object(tern_heap *heap, const tern_type *type, int err);

/* 0, or TERN_ERR_THREAD. */
int tern__problem_thread(tern_heap *heap);

#endif
