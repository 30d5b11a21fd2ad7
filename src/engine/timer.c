/* When each session needs attention: a binary heap of sessions by time. A session has one entry, for the
 * earliest of all its timers, and moves it lazily: it may wake too early, never too late. A call on a
 * session whose entry is early enough therefore costs one comparison here. An entry has its time with it: with thousands
 * of sessions each look at one would be a wait for memory. */
#include "engine/internal.h"

static void place(tern__engine *e, uint32_t pos, tern__due entry) {
    e->heap[pos] = entry;
    entry.session->heap_pos = (int32_t)pos;
}

static void sift_up(tern__engine *e, uint32_t pos, tern__session *s) {
    while (pos > 0) {
        uint32_t parent = (pos - 1) / 2;
        if (e->heap[parent].at <= s->due) break;
        place(e, pos, e->heap[parent]);
        pos = parent;
    }
    place(e, pos, (tern__due){s->due, s});
}

static void sift_down(tern__engine *e, uint32_t pos, tern__session *s) {
    for (;;) {
        uint32_t child = 2 * pos + 1;
        if (child >= e->n_heap) break;
        if (child + 1 < e->n_heap && e->heap[child + 1].at < e->heap[child].at) child++;
        if (e->heap[child].at >= s->due) break;
        place(e, pos, e->heap[child]);
        pos = child;
    }
    place(e, pos, (tern__due){s->due, s});
}

static void leave(tern__engine *e, tern__session *s) {
    uint32_t pos = (uint32_t)s->heap_pos;
    tern__session *last = e->heap[--e->n_heap].session;
    s->heap_pos = TERN__NO_HEAP;
    if (last == s) return;
    sift_down(e, pos, last);
    sift_up(e, (uint32_t)last->heap_pos, last);
}

void tern__timer_set(tern__session *s, tern_time due) {
    tern__engine *e = s->engine;
    tern_time before = s->due;
    s->due = due;
    if (due == TERN__NEVER) {
        if (s->heap_pos != TERN__NO_HEAP) leave(e, s);
    } else if (s->heap_pos == TERN__NO_HEAP) {
        sift_up(e, e->n_heap++, s);
    } else if (due < before) {
        sift_up(e, (uint32_t)s->heap_pos, s);
    } else {
        sift_down(e, (uint32_t)s->heap_pos, s);
    }
}
