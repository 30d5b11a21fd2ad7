/* When something needs attention: binary heaps of timers by time. A timer has one entry, for the earliest of all that
 * its owner waits for, and moves it lazily: it may wake too early, never too late.
 *
 * There are two heaps. A session's timer is about what it has to do without calls: connecting, reporting, looking
 * whether its peer lives. What its calls in flight wait for is the timer of its slots, which are lent (slots.c): so a
 * call moves one among as many timers as there are sessions with calls, and after that, because slots go from session
 * to session with their timers as they stand, hardly any. With thousands of sessions a call would otherwise pay for a
 * way to the top of the heap and back, past memory that no cache holds. */
#include "engine/timer.h"

static void set_entry(tern__heap *heap, uint32_t pos, tern__due entry) {
    heap->dues[pos] = entry;
    entry.timer->pos = pos;
}

static void sift_up(tern__heap *heap, uint32_t pos, tern__due entry) {
    while (pos > 0) {
        uint32_t parent = (pos - 1) / 2;
        if (heap->dues[parent].at <= entry.at) break;
        set_entry(heap, pos, heap->dues[parent]);
        pos = parent;
    }
    set_entry(heap, pos, entry);
}

static void sift_down(tern__heap *heap, uint32_t pos, tern__due entry) {
    for (;;) {
        uint32_t child = 2 * pos + 1;
        if (child >= heap->n) break;
        if (child + 1 < heap->n && heap->dues[child + 1].at < heap->dues[child].at) child++;
        if (heap->dues[child].at >= entry.at) break;
        set_entry(heap, pos, heap->dues[child]);
        pos = child;
    }
    set_entry(heap, pos, entry);
}

static void leave_heap(tern__heap *heap, const tern__timer *timer) {
    tern__due last = heap->dues[--heap->n];
    if (last.timer == timer) return;
    sift_down(heap, timer->pos, last);
    sift_up(heap, last.timer->pos, last);
}

void tern__heap_set(tern__heap *heap, tern__timer *timer, tern_time due) {
    tern_time before = timer->due;
    tern__due entry = {due, timer};
    timer->due = due;
    if (due == before) return;
    if (due == TERN__NEVER)
        leave_heap(heap, timer);
    else if (before == TERN__NEVER)
        sift_up(heap, heap->n++, entry);
    else if (due < before)
        sift_up(heap, timer->pos, entry);
    else
        sift_down(heap, timer->pos, entry);
}
