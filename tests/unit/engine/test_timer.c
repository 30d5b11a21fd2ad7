/* The timer heap against a plain search (engine/timer.c). */
#include "engine/internal.h"
#include "tap.h"

enum { N = 200 };

static tern__engine engine;
static tern__session sessions[N];
static tern__due heap[N];

static uint32_t next_random(void) {
    static uint64_t state = 7;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33);
}

static void start(void) {
    memset(&engine, 0, sizeof engine);
    engine.heap = heap;
    for (int i = 0; i < N; i++)
        sessions[i] = (tern__session){.engine = &engine, .due = TERN__NEVER, .heap_pos = TERN__NO_HEAP};
}

static void check(void) {
    tern_time least = TERN__NEVER;
    uint32_t n = 0;
    for (int i = 0; i < N; i++) {
        CHECK_EQ(sessions[i].heap_pos == TERN__NO_HEAP, sessions[i].due == TERN__NEVER);
        if (sessions[i].due == TERN__NEVER) continue;
        CHECK(heap[sessions[i].heap_pos].session == &sessions[i] && heap[sessions[i].heap_pos].at == sessions[i].due);
        if (sessions[i].due < least) least = sessions[i].due;
        n++;
    }
    CHECK_EQ(engine.n_heap, n);
    CHECK(n == 0 || heap[0].at == least);
}

static void timer_set__random(void) {
    start();
    for (int round = 0; round < 20000; round++) {
        tern__session *s = &sessions[next_random() % N];
        uint32_t what = next_random() % 4;
        if (what == 0)
            tern__timer_set(s, TERN__NEVER);
        else if (what == 1)
            tern__timer_lower(s, next_random() % 1000);
        else
            tern__timer_set(s, next_random() % 1000);
        check();
        CHECK_OK();
    }
}

static void timer_lower__only_earlier(void) {
    start();
    tern__timer_lower(&sessions[0], 50);
    tern__timer_lower(&sessions[0], 80);
    CHECK_EQ(sessions[0].due, 50);
    tern__timer_lower(&sessions[0], 20);
    CHECK_EQ(sessions[0].due, 20);
}

TAP_MAIN(TEST(timer_set__random), TEST(timer_lower__only_earlier))
