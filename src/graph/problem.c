/* The words for errors. */
#include "graph/problem.h"

#include <stdarg.h>

void tern__problem_say(tern_heap *heap, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(heap->problem, sizeof heap->problem, format, args);
    va_end(args);
}

void tern__problem_no_object(tern_heap *heap, const tern_type *type, int err) {
    if (err == TERN_ERR_VERSION)
        tern__problem_say(heap, "%s, or a type that it refers to, has a table that this library cannot read",
                          type->name);
    else if (err == TERN_ERR_LIMIT)
        tern__problem_say(heap, "an object would be too long, or there are too many types");
    else
        tern__problem_say(heap, "no memory, or the heap's limit of %zu bytes is reached: collect, or raise max_bytes",
                          heap->space.bytes);
}

int tern__problem_thread(tern_heap *heap) {
    return tern__heap_is_mine(heap) ? 0 : TERN_ERR_THREAD; /* no words: the owner may be reading them */
}
