/* The timing wheel (engine/wheel.h). */
#include "base/rng.h"
#include "engine/wheel.h"
#include "tap.h"

enum { N = 500 };

static tern__wheel wheel;

typedef struct item {
    tern__wheel_entry entry;
    tern_time due;
    uint32_t order;
} item;

static item items[N];

static item *item_at(uint32_t i, tern_time due, tern_time now) {
    items[i] = (item){.due = due, .order = i};
    tern__list_init(&items[i].entry.node);
    tern__wheel_put(&wheel, &items[i].entry, due, now);
    return &items[i];
}

static item *take(tern_time now) {
    tern__wheel_entry *entry = tern__wheel_take(&wheel, now);
    return entry ? TERN__CONTAINER(entry, item, entry) : NULL;
}

static void take__at_the_first_boundary_that_is_not_before(void) {
    static const struct {
        tern_time now, due, out;
    } rows[] = {{0, 0, 0},          {0, 1, 512},       {0, 512, 512},   {0, 513, 1024}, {1000, 1000, 1024},
                {1000, 1024, 1024}, {5000, 100, 4608}, {512, 512, 512}, {700, 0, 512},  {100, 99999, 100352}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        tern__wheel_init(&wheel, rows[i].now);
        CHECK(tern__wheel_next(&wheel) == UINT64_MAX);
        item_at(0, rows[i].due, rows[i].now);
        CHECK_EQ(tern__wheel_next(&wheel), rows[i].out);
        if (rows[i].out > rows[i].now) CHECK(!take(rows[i].out - 1));
        CHECK(take(rows[i].out > rows[i].now ? rows[i].out : rows[i].now) == &items[0]);
        CHECK(tern__wheel_empty(&wheel));
        CHECK(!take(UINT64_MAX / 2));
    }
}

/* Many times round the wheel: never early, never later than a slot after it was due and somebody looked. */
static void take__in_order_and_in_time(void) {
    tern__rng rng;
    tern__rng_seed(&rng, 7);
    tern_time now = 123456789, last = 0;
    uint32_t n_in = 0, n_out = 0, free_items = N, free_list[N];
    for (uint32_t i = 0; i < N; i++) free_list[i] = i;
    tern__wheel_init(&wheel, now);
    while (n_out < 200000) {
        while (free_items && tern__rng_below(&rng, 3)) {
            uint32_t span = tern__rng_below(&rng, 4) ? 20000 : 2000000;
            item_at(free_list[--free_items], now + tern__rng_below(&rng, span), now);
            n_in++;
        }
        tern_time next = tern__wheel_next(&wheel);
        if (next != UINT64_MAX && next > now) now = next + (tern__rng_below(&rng, 2) ? 0 : tern__rng_below(&rng, 3000));
        last = 0;
        for (item *it; (it = take(now)) != NULL; n_out++) {
            CHECK(it->due <= now);
            CHECK(it->due / TERN__WHEEL_SLOT_NS + 1 >= last);
            last = it->due / TERN__WHEEL_SLOT_NS;
            free_list[free_items++] = it->order;
        }
        CHECK(tern__wheel_next(&wheel) > now);
    }
    CHECK_EQ(n_in - n_out, N - free_items);
}

static void take__first_in_first_out_within_a_slot(void) {
    tern__wheel_init(&wheel, 0);
    for (uint32_t i = 0; i < 10; i++) item_at(i, 600 + i, 0);
    CHECK(!take(1023));
    for (uint32_t i = 0; i < 10; i++) CHECK(take(1024) == &items[i]);
    CHECK(!take(1024));
}

/* What is further away comes out at the horizon, to be put in again. */
static void put__beyond_the_horizon(void) {
    tern_time horizon = (TERN__WHEEL_SLOTS - 1) * (tern_time)TERN__WHEEL_SLOT_NS;
    tern__wheel_init(&wheel, 0);
    item_at(0, 10 * (tern_time)TERN_SEC, 0);
    CHECK_EQ(tern__wheel_next(&wheel), horizon);
    CHECK(!take(horizon - 1));
    CHECK(take(horizon) == &items[0]);
    item_at(0, 10 * (tern_time)TERN_SEC, horizon);
    item_at(1, horizon + 1000, horizon);
    CHECK(take(2 * horizon) == &items[1]);
    CHECK(take(2 * horizon) == &items[0]);
}

/* Idle for long: the wheel does not turn, and what is put in next counts from now. */
static void put__after_a_long_time(void) {
    tern__wheel_init(&wheel, 0);
    tern_time now = 3600 * (tern_time)TERN_SEC;
    item_at(0, now + 5000, now);
    CHECK_EQ(tern__wheel_next(&wheel), (now + 5000 + 511) / 512 * 512);
    CHECK(!take(now + 4000));
    CHECK(take(now + 6000) == &items[0]);
}

static void remove__from_anywhere(void) {
    tern__wheel_init(&wheel, 0);
    for (uint32_t i = 0; i < 100; i++) item_at(i, i * 300, 0);
    for (uint32_t i = 0; i < 100; i += 2) tern__wheel_remove(&wheel, &items[i].entry);
    tern__wheel_remove(&wheel, &items[0].entry); /* twice is harmless */
    for (uint32_t i = 1; i < 100; i += 2) CHECK(take(100000) == &items[i]);
    CHECK(tern__wheel_empty(&wheel));
    item_at(0, 500, 100000);
    tern__wheel_remove(&wheel, &items[0].entry);
    CHECK(tern__wheel_next(&wheel) == UINT64_MAX);
}

TAP_MAIN(TEST(take__at_the_first_boundary_that_is_not_before), TEST(take__in_order_and_in_time),
         TEST(take__first_in_first_out_within_a_slot), TEST(put__beyond_the_horizon), TEST(put__after_a_long_time),
         TEST(remove__from_anywhere))
