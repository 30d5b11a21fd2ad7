/* The timer heap against a plain search (engine/timer.c). */
#include "engine/engine_record.h"
#include "tap.h"

enum { N = 200 };

static tern__timer timers[N];
static tern__due dues[N];
static tern__heap heap;

static uint32_t next_random(void) {
    static uint64_t state = 7;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33);
}

static void check(void) {
    tern_time least = TERN__NEVER;
    uint32_t n = 0;
    for (int i = 0; i < N; i++) {
        if (timers[i].due == TERN__NEVER) continue;
        CHECK(dues[timers[i].pos].timer == &timers[i] && dues[timers[i].pos].at == timers[i].due);
        if (timers[i].due < least) least = timers[i].due;
        n++;
    }
    CHECK_EQ(heap.n, n);
    CHECK(n == 0 || dues[0].at == least);
}

static void heap_set__random(void) {
    heap = (tern__heap){.dues = dues};
    for (int i = 0; i < N; i++) timers[i].due = TERN__NEVER;
    for (int round = 0; round < 20000; round++) {
        tern__timer *timer = &timers[next_random() % N];
        bool off = next_random() % 4 == 0;
        tern__heap_set(&heap, timer, off ? TERN__NEVER : next_random() % 1000);
        check();
        CHECK_OK();
    }
}

static void timer_lower__only_earlier(void) {
    tern__engine engine = {.timers = {.dues = dues}};
    tern__cold cold = {.timer.due = TERN__NEVER};
    tern__session s = {.cold = &cold, .engine = &engine};
    tern__timer_lower(&s, 50);
    tern__timer_lower(&s, 80);
    CHECK_EQ(cold.timer.due, 50);
    tern__timer_lower(&s, 20);
    CHECK_EQ(cold.timer.due, 20);
}

TAP_MAIN(TEST(heap_set__random), TEST(timer_lower__only_earlier))
