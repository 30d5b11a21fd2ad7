/* Deep copies: equal to the source, independent of it, whole or an error whatever allocation fails. */
#include "base/base.h"
#include "shapes.h"
#include "tap.h"

static tern_arena from, to;

static void set_up(void) {
    tern_arena_init(&from, 0, 0);
    tern_arena_init(&to, 0, 0);
}

static void tear_down(void) {
    tern_arena_fini(&from);
    tern_arena_fini(&to);
}

static void copy__an_empty_message_is_zero(void) {
    shape empty = {0}, copy;
    set_up();
    memset(&copy, 0xff, sizeof copy);
    CHECK_EQ(tern_message_copy(&shape_type, &empty, &to, &copy), 0);
    CHECK_MEM(&copy, &empty, sizeof copy);
    CHECK_EQ(to.used_bytes, 0);
    tear_down();
}

/* Filling the source's memory afterwards shows that nothing points into it. */
static void copy__everything_and_nothing_shared(void) {
    shape copy;
    set_up();
    tern_arena reference;
    tern_arena_init(&reference, 0, 0);
    shape *src = shape_full(&from, 3), *same = shape_full(&reference, 3);
    CHECK(tern_message_equal(&shape_type, src, same));
    CHECK_EQ(tern_message_copy(&shape_type, src, &to, &copy), 0);
    CHECK(tern_message_equal(&shape_type, &copy, same));
    tern_arena_fini(&from);
    tern_arena_init(&from, 0, 0);
    for (int i = 0; i < 200; i++) memset(tern_arena_alloc(&from, 4000), 0xee, 4000);
    CHECK(tern_message_equal(&shape_type, &copy, same));
    CHECK(copy.name.data != same->name.data && tern_str_eq(copy.name, same->name));
    tern_arena_fini(&reference);
    tear_down();
}

static void copy__maps_have_an_index_and_grow(void) {
    shape copy;
    set_up();
    shape *src = shape_full(&from, 0);
    CHECK_EQ(tern_message_copy(&shape_type, src, &to, &copy), 0);
    CHECK(copy.counts.index && copy.counts.index != src->counts.index);
    CHECK(copy.named.index && copy.wide.index && !copy.flags.index);
    counts_entry *e = tern_map_insert(&counts_entry_type, &copy.counts, &(int32_t){-5}, &to);
    CHECK(e == &copy.counts.data[40] && src->counts.len == 40);
    CHECK(!tern_map_find(&counts_entry_type, &src->counts, &(int32_t){-5}));
    CHECK(tern_map_find(&counts_entry_type, &copy.counts, &(int32_t){39 * 7}) == &copy.counts.data[39]);
    tear_down();
}

static void copy__what_is_not_set_does_not_come_along(void) {
    shape copy, src = {.id = 5, .raw = {"stale", 5}};
    set_up();
    src.choice_case = 10; /* then the other members' bytes are another value's */
    src.text = tern_str_of("stale");
    src.big = 77;
    CHECK_EQ(tern_message_copy(&shape_type, &src, &to, &copy), 0);
    CHECK(copy.id == 0 && !copy.raw.data && !copy.raw.len && copy.choice_case == 10 && copy.big == 77);
    CHECK_EQ(copy.text.len, 0);
    src.choice_case = 0;
    CHECK_EQ(tern_message_copy(&shape_type, &src, &to, &copy), 0);
    CHECK(copy.choice_case == 0 && copy.big == 0);
    tear_down();
}

static void copy__set_to_nothing_stays_set(void) {
    shape copy, src = {.has = {1, 1}, .choice_case = 11};
    set_up();
    CHECK_EQ(tern_message_copy(&shape_type, &src, &to, &copy), 0);
    CHECK(copy.has.id && copy.has.raw && copy.choice_case == 11 && tern_message_equal(&shape_type, &src, &copy));
    tear_down();
}

static void copy__keeps_duplicates_that_were_put_by_hand(void) {
    counts_entry entries[] = {{1, 10}, {1, 11}, {2, 20}};
    shape copy, src = {.counts = {.data = entries, .len = 3}};
    set_up();
    CHECK_EQ(tern_message_copy(&shape_type, &src, &to, &copy), 0);
    CHECK_EQ(copy.counts.len, 3);
    CHECK_EQ(((counts_entry *)tern_map_find(&counts_entry_type, &copy.counts, &(int32_t){1}))->value, 11);
    tear_down();
}

/* A chain of nodes through `next`, its head included. */
static void chain(shape *nodes, size_t n) {
    memset(nodes, 0, n * sizeof *nodes);
    for (size_t i = 0; i + 1 < n; i++) nodes[i].next = &nodes[i + 1];
}

static void copy__up_to_100_around_one(void) {
    static shape nodes[102];
    shape copy;
    set_up();
    chain(nodes, 101);
    CHECK_EQ(tern_message_copy(&shape_type, nodes, &to, &copy), 0);
    CHECK(tern_message_equal(&shape_type, nodes, &copy));
    chain(nodes, 102);
    CHECK_EQ(tern_message_copy(&shape_type, nodes, &to, &copy), TERN_ERR_LIMIT);
    CHECK(!tern_message_equal(&shape_type, nodes, nodes));
    nodes[101].next = nodes; /* not even a tree */
    CHECK_EQ(tern_message_copy(&shape_type, nodes, &to, &copy), TERN_ERR_LIMIT);
    tear_down();
}

static void copy__depth_counts_lists_and_map_values_and_not_entries(void) {
    static shape nodes[102];
    static named_entry entries[102];
    shape copy;
    set_up();
    memset(nodes, 0, sizeof nodes);
    for (int i = 0; i < 101; i++) {
        entries[i] = (named_entry){{"k", 1}, &nodes[i + 1]};
        if (i % 2)
            nodes[i].named = (map_named){.data = &entries[i], .len = 1};
        else
            nodes[i].kids = (list_shape){.data = &nodes[i + 1], .len = 1};
    }
    CHECK_EQ(tern_message_copy(&shape_type, nodes, &to, &copy), TERN_ERR_LIMIT);
    CHECK_EQ(tern_message_copy(&shape_type, nodes + 1, &to, &copy), 0);
    CHECK(tern_message_equal(&shape_type, nodes + 1, &copy));
    tear_down();
}

static void copy__each_allocation_fails_once(void) {
    uint64_t n = 1;
    set_up();
    shape *src = shape_full(&from, 1), copy;
    for (;; n++) {
        tern_arena_reset(&to);
        to.fail_countdown = n;
        int err = tern_message_copy(&shape_type, src, &to, &copy);
        if (to.fail_countdown > 0) {
            CHECK_EQ(err, 0);
            break;
        }
        CHECK_EQ(err, TERN_ERR_NOMEM);
    }
    to.fail_countdown = 0;
    CHECK(tern_message_equal(&shape_type, src, &copy));
    printf("# %llu allocations\n", (unsigned long long)n - 1);
    CHECK(n > 200);
    tear_down();
}

static void copy__a_length_beyond_all_memory(void) {
    int64_t one = 1;
    shape copy, src = {.nums = {.data = &one, .len = SIZE_MAX / 8}};
    set_up();
    CHECK_EQ(tern_message_copy(&shape_type, &src, &to, &copy), TERN_ERR_NOMEM);
    src.nums.len = SIZE_MAX;
    CHECK_EQ(tern_message_copy(&shape_type, &src, &to, &copy), TERN_ERR_NOMEM);
    tear_down();
}

TAP_MAIN(TEST(copy__an_empty_message_is_zero), TEST(copy__everything_and_nothing_shared),
         TEST(copy__maps_have_an_index_and_grow), TEST(copy__what_is_not_set_does_not_come_along),
         TEST(copy__set_to_nothing_stays_set), TEST(copy__keeps_duplicates_that_were_put_by_hand),
         TEST(copy__up_to_100_around_one), TEST(copy__depth_counts_lists_and_map_values_and_not_entries),
         TEST(copy__each_allocation_fails_once), TEST(copy__a_length_beyond_all_memory))
