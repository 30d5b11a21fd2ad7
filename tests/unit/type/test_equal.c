/* Equality: one change of any kind is seen, order counts in lists and not in maps, and the work stays linear. */
#include <math.h>

#include "base/base.h"
#include "base/rng.h"
#include "mem/pool.h"
#include "shapes.h"
#include "tap.h"

static tern_arena arena;

static void set_up(void) { tern_arena_init(&arena, 0, 0); }
static void tear_down(void) { tern_arena_fini(&arena); }

static bool same(const shape *a, const shape *b) {
    bool equal = tern_message_equal(&shape_type, a, b);
    if (equal != tern_message_equal(&shape_type, b, a)) {
        printf("# not symmetric\n");
        tap_failed = true;
    }
    return equal;
}

static void change_id(shape *n) { n->id++; }
static void change_has(shape *n) { n->has.raw = 0; }
static void change_on(shape *n) { n->on = !n->on; }
static void change_name(shape *n) { n->name.len--; }
static void change_raw(shape *n) { n->raw = tern_bytes_of("raW", 3); }
static void change_next(shape *n) { n->next = NULL; }
static void change_next_deep(shape *n) { n->next->nums.data[19]++; }
static void change_kids(shape *n) { n->kids.len--; }
static void change_kid(shape *n) { n->kids.data[1].on = false; }
static void change_nums(shape *n) { n->nums.data[7] = 0; }
static void change_tags(shape *n) { n->tags.data[2].data = "tag X"; }
static void change_tag_order(shape *n) {
    tern_str first = n->tags.data[0];
    n->tags.data[0] = n->tags.data[1];
    n->tags.data[1] = first;
}
static void change_case(shape *n) { n->choice_case = 10; }
static void change_no_case(shape *n) { n->choice_case = 0; }
static void change_group(shape *n) { n->extra->id = -1; }
static void change_ratio(shape *n) { n->ratio = -n->ratio; }
static void change_counts(shape *n) { n->counts.data[39].value++; }
static void change_counts_len(shape *n) { n->counts.len--; }
static void change_named(shape *n) { n->named.data[11].value->id = 1, n->named.data[11].value->has.id = 1; }
static void change_flags(shape *n) { n->flags.data[0].value.len = 0; }
static void change_wide_key(shape *n) { n->wide.data[3].key++, n->wide.index = NULL; }
static void change_unknown(shape *n) { n->unknown.len = 0; }
static void change_unknown_byte(shape *n) { n->unknown.data = (const uint8_t *)"\xa0\x06\x02"; }

static void equal__sees_every_change(void) {
    static void (*const changes[])(shape *) = {
        change_id,      change_has,      change_on,        change_name,      change_raw,         change_next,
        change_kids,    change_kid,      change_nums,      change_tags,      change_case,        change_no_case,
        change_group,   change_ratio,    change_counts,    change_named,     change_flags,       change_counts_len,
        change_unknown, change_wide_key, change_tag_order, change_next_deep, change_unknown_byte};
    for (size_t i = 0; i < TERN__COUNT(changes); i++) {
        set_up();
        shape *a = shape_full(&arena, 1), *b = shape_full(&arena, 1);
        CHECK(same(a, b) && same(a, a));
        changes[i](b);
        if (same(a, b)) printf("# change %zu\n", i);
        CHECK(!same(a, b));
        tear_down();
    }
}

static void equal__ignores_what_is_not_set(void) {
    shape a = {.id = 1, .raw = {"x", 1}}, b = {.id = 2};
    a.big = 5;
    CHECK(same(&a, &b));
    a.choice_case = b.choice_case = 10;
    CHECK(!same(&a, &b));
    b.big = 5;
    CHECK(same(&a, &b));
    a.has.id = b.has.id = 1;
    CHECK(!same(&a, &b));
    b.id = 1;
    CHECK(same(&a, &b));
    b.has.raw = 1; /* set, to nothing */
    a.raw.len = 0;
    CHECK(!same(&a, &b));
}

static void equal__numbers_by_their_bits(void) {
    shape a = {.ratio = NAN}, b = {.ratio = NAN};
    CHECK(same(&a, &b));
    a.ratio = 0.0;
    b.ratio = -0.0;
    CHECK(!same(&a, &b));
}

static void equal__an_empty_child_is_not_an_absent_one(void) {
    shape empty = {0}, a = {.next = &empty}, b = {0};
    CHECK(!same(&a, &b));
    b.next = &(shape){0};
    CHECK(same(&a, &b));
}

static void equal__in_a_map_an_absent_value_is_empty(void) {
    shape empty = {0};
    named_entry absent = {{"k", 1}, NULL}, there = {{"k", 1}, &empty};
    shape a = {.named = {.data = &absent, .len = 1}}, b = {.named = {.data = &there, .len = 1}};
    CHECK(same(&a, &b) && same(&a, &a));
    void (*const fills[])(shape *) = {change_on, change_no_case};
    fills[0](&empty);
    CHECK(!same(&a, &b));
    empty = (shape){.choice_case = 12};
    CHECK(!same(&a, &b));
    empty = (shape){.unknown = {.data = (const uint8_t *)"", .len = 1}};
    CHECK(!same(&a, &b));
    empty = (shape){.named = a.named};
    CHECK(!same(&a, &b));
    empty = (shape){.ratio = -0.0};
    CHECK(!same(&a, &b));
    empty = (shape){.id = 7}; /* not set */
    CHECK(same(&a, &b));
}

/* ---- Maps ---------------------------------------------------------------------------------------- */

/* n entries {i, i}, from the first or from the last on. */
static map_counts counting(int32_t n, bool backwards, bool indexed) {
    map_counts map = {0};
    for (int32_t i = 0; i < n; i++) {
        int32_t key = backwards ? n - 1 - i : i;
        ((counts_entry *)tern_map_insert(&counts_entry_type, &map, &key, &arena))->value = key;
    }
    if (!indexed) map.index = NULL;
    return map;
}

static void equal__maps_in_any_order(void) {
    static const int32_t sizes[] = {0, 1, 2, 8, 9, 1000};
    for (size_t i = 0; i < TERN__COUNT(sizes); i++)
        for (int indexes = 0; indexes < 4; indexes++) {
            set_up();
            shape a = {.counts = counting(sizes[i], false, indexes & 1)};
            shape b = {.counts = counting(sizes[i], true, indexes & 2)};
            CHECK(same(&a, &b));
            if (sizes[i]) {
                b.counts.data[sizes[i] / 2].value ^= 1;
                CHECK(!same(&a, &b));
                b.counts.len--;
                CHECK(!same(&a, &b));
            }
            tear_down();
        }
}

static void equal__of_equal_keys_the_last_one(void) {
    counts_entry twice[] = {{1, 7}, {2, 20}, {1, 10}, {2, 20}}, once[] = {{2, 20}, {1, 10}};
    counts_entry others[] = {{1, 8}, {2, 0}, {1, 10}, {2, 20}}, more[] = {{2, 20}, {1, 10}, {3, 0}};
    shape a = {.counts = {.data = twice, .len = 4}}, b = {.counts = {.data = once, .len = 2}};
    shape c = {.counts = {.data = others, .len = 4}}, d = {.counts = {.data = more, .len = 3}};
    CHECK(same(&a, &b) && same(&a, &c) && same(&b, &c) && !same(&a, &d) && !same(&b, &d));
    more[2].key = 1; /* now its 0 counts */
    CHECK(!same(&b, &d));
    once[1].value = 0;
    CHECK(same(&b, &d));
}

/* Without an index on either side, in opposite order; quadratic, this would take minutes. */
static void equal__large_maps_take_linear_time(void) {
    set_up();
    shape a = {.counts = counting(300000, false, false)}, b = {.counts = counting(300000, true, false)};
    CHECK(same(&a, &b));
    a.counts.data[0].value = 1;
    CHECK(!same(&a, &b));
    CHECK(!a.counts.index && !b.counts.index);
    tear_down();
}

static void equal__without_memory_it_only_takes_longer(void) {
    set_up();
    shape a = {.counts = counting(500, false, false)}, b = {.counts = counting(500, true, false)};
    for (uint64_t n = 1; n < 8; n++) {
        tern__pool_fail_after(n);
        bool equal = tern_message_equal(&shape_type, &a, &b);
        tern__pool_fail_after(0);
        CHECK(equal);
    }
    tear_down();
}

/* 49 levels of maps whose order differs at each: comparing a value twice anywhere would double the work below. */
static void equal__nested_maps_are_compared_once(void) {
    enum { LEVELS = 49 };
    static named_entry entries[2][LEVELS][2];
    static shape nodes[2][LEVELS + 1], leaf;
    for (size_t side = 0; side < 2; side++)
        for (size_t i = 0; i < LEVELS; i++) {
            named_entry *e = entries[side][i];
            e[side] = (named_entry){{"a", 1}, &leaf};
            e[!side] = (named_entry){{"b", 1}, &nodes[side][i + 1]};
            nodes[side][i].named = (map_named){.data = e, .len = 2};
        }
    CHECK(same(nodes[0], nodes[1]));
    nodes[0][LEVELS].on = true;
    CHECK(!same(nodes[0], nodes[1]));
    for (size_t i = 0; i < LEVELS; i++) memcpy(entries[1][i], entries[0][i], sizeof entries[0][i]);
    for (size_t i = 0; i < LEVELS; i++) entries[1][i][1].value = &nodes[1][i + 1];
    CHECK(!same(nodes[0], nodes[1]));
}

TAP_MAIN(TEST(equal__sees_every_change), TEST(equal__ignores_what_is_not_set), TEST(equal__numbers_by_their_bits),
         TEST(equal__an_empty_child_is_not_an_absent_one), TEST(equal__in_a_map_an_absent_value_is_empty),
         TEST(equal__maps_in_any_order), TEST(equal__of_equal_keys_the_last_one),
         TEST(equal__large_maps_take_linear_time), TEST(equal__without_memory_it_only_takes_longer),
         TEST(equal__nested_maps_are_compared_once))
