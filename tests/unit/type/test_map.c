/* Maps: against a naive model with random operations, with every kind of key, and after changes by hand. */
#include "base/base.h"
#include "base/rng.h"
#include "shapes.h"
#include "tap.h"

static tern_arena arena;

static void set_up(void) { tern_arena_init(&arena, 0, 0); }
static void tear_down(void) { tern_arena_fini(&arena); }

static counts_entry *put(map_counts *map, int32_t key, int32_t value) {
    counts_entry *e = tern_map_insert(&counts_entry_type, map, &key, &arena);
    if (e) e->value = value;
    return e;
}

static counts_entry *get(const map_counts *map, int32_t key) { return tern_map_find(&counts_entry_type, map, &key); }
static bool drop(map_counts *map, int32_t key) { return tern_map_remove(&counts_entry_type, map, &key); }

static void insert__makes_an_index_beyond_eight_entries(void) {
    map_counts map = {0};
    set_up();
    for (int32_t i = 0; i < 8; i++) CHECK(put(&map, i, i * 10));
    CHECK(map.index == NULL);
    CHECK(put(&map, 8, 80));
    CHECK(map.index != NULL);
    for (int32_t i = 9; i < 1000; i++) CHECK(put(&map, i, i * 10));
    CHECK_EQ(map.len, 1000);
    for (int32_t i = 0; i < 1000; i++) {
        CHECK(get(&map, i) == &map.data[i]);
        CHECK_EQ(get(&map, i)->value, i * 10);
        CHECK(put(&map, i, -i) == &map.data[i]);
    }
    CHECK_EQ(map.len, 1000);
    CHECK(!get(&map, -1) && !get(&map, 1000));
    tear_down();
}

static void insert__zeroes_the_value_and_keeps_others(void) {
    map_flags map = {0};
    set_up();
    CHECK(!tern_map_find(&flags_entry_type, &map, &(bool){true}));
    flags_entry *e = tern_map_insert(&flags_entry_type, &map, &(bool){true}, &arena);
    CHECK(e && e->key && !e->value.data && !e->value.len);
    e->value = tern_bytes_of("x", 1);
    e = tern_map_insert(&flags_entry_type, &map, &(bool){false}, &arena);
    CHECK(e && !e->key && !e->value.len);
    e = tern_map_insert(&flags_entry_type, &map, &(bool){true}, &arena);
    CHECK(e == map.data && e->value.len == 1);
    CHECK_EQ(map.len, 2);
    tear_down();
}

static void find__string_keys_of_all_lengths(void) {
    static const char letters[] = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
    map_named map = {0};
    set_up();
    for (size_t len = 0; len < sizeof letters; len++)
        CHECK(tern_map_insert(&named_entry_type, &map, &(tern_str){letters, len}, &arena));
    CHECK_EQ(map.len, sizeof letters);
    for (size_t len = 0; len < sizeof letters; len++) {
        char copy[sizeof letters];
        memcpy(copy, letters, len);
        CHECK(tern_map_find(&named_entry_type, &map, &(tern_str){copy, len}) == &map.data[len]);
        if (len == 0) continue;
        copy[len / 2] = 'b';
        CHECK(!tern_map_find(&named_entry_type, &map, &(tern_str){copy, len}));
    }
    CHECK(tern_map_find(&named_entry_type, &map, &(tern_str){NULL, 0}) == map.data);
    tear_down();
}

static void find__wide_keys_that_share_their_low_bits(void) {
    map_wide map = {0};
    set_up();
    for (uint64_t i = 0; i < 5000; i++) CHECK(tern_map_insert(&wide_entry_type, &map, &(uint64_t){i << 32}, &arena));
    for (uint64_t i = 0; i < 5000; i++)
        CHECK(tern_map_find(&wide_entry_type, &map, &(uint64_t){i << 32}) == &map.data[i]);
    CHECK(!tern_map_find(&wide_entry_type, &map, &(uint64_t){1}));
    tear_down();
}

static void by_hand__appended_entries_count_at_once(void) {
    map_counts map = {0};
    set_up();
    for (int32_t i = 0; i < 20; i++) CHECK(put(&map, i, i));
    CHECK_EQ(tern_list_reserve(&map, 400, sizeof(counts_entry), &arena), 0);
    for (int32_t i = 20; i < 100; i++) map.data[map.len++] = (counts_entry){i, i};
    map.data[map.len++] = (counts_entry){5, 500}; /* again: the last one counts */
    map.data[map.len++] = (counts_entry){50, 501};
    CHECK(get(&map, 5) == &map.data[100] && get(&map, 50) == &map.data[101]);
    CHECK(get(&map, 7) == &map.data[7] && get(&map, 99) == &map.data[99] && !get(&map, 100));
    CHECK(put(&map, 5, 502) == &map.data[100]);
    CHECK(put(&map, 100, 100) == &map.data[102]); /* and now the index covers them */
    CHECK(get(&map, 5) == &map.data[100] && get(&map, 50) == &map.data[101]);
    CHECK(get(&map, 7) == &map.data[7] && get(&map, 99) == &map.data[99]);
    tear_down();
}

static void by_hand__without_index_lookups_are_linear(void) {
    counts_entry entries[] = {{1, 10}, {2, 20}, {1, 11}};
    map_counts map = {.data = entries, .len = 3};
    set_up();
    CHECK(get(&map, 1) == &entries[2] && get(&map, 2) == &entries[1] && !get(&map, 3));
    CHECK(put(&map, 3, 30)); /* the list was borrowed: it has moved to the arena */
    CHECK(map.data != entries);
    CHECK_EQ(map.len, 4);
    CHECK(get(&map, 1) == &map.data[2]);
    for (int32_t i = 10; i < 50; i++) CHECK(put(&map, i, i));
    map.index = NULL;
    map.data[0].key = 99;
    CHECK(get(&map, 99) == map.data && get(&map, 49));
    CHECK(put(&map, 98, 0) && map.index && get(&map, 99) == map.data);
    tear_down();
}

/* Whoever forgets to drop the index may miss keys, but never reads what is not there. */
static void by_hand__truncated_or_moved_under_the_index(void) {
    map_counts map = {0};
    set_up();
    for (int32_t i = 0; i < 100; i++) CHECK(put(&map, i, i));
    map.len = 10;
    CHECK(get(&map, 9) == &map.data[9] && !get(&map, 10) && !get(&map, 99));
    CHECK(put(&map, 99, 1) == &map.data[10]);
    CHECK(get(&map, 99) == &map.data[10] && get(&map, 9) == &map.data[9] && !get(&map, 50));
    map_counts other = map;
    counts_entry entries[2] = {{7, 70}, {8, 80}};
    other.data = entries;
    other.len = 2;
    other.cap = 0;
    CHECK(get(&other, 7) == &entries[0] && !get(&other, 9));
    CHECK(put(&other, 9, 90) == &other.data[2] && other.index == NULL);
    CHECK(get(&map, 99) == &map.data[10]);
    map.len = 0;
    CHECK(!get(&map, 99) && !drop(&map, 99));
    CHECK(put(&map, 99, 0) == map.data);
    tear_down();
}

/* A struct that was copied and then grown on its own leaves the first one's index alone. */
static void by_hand__a_shallow_copy_grows_apart(void) {
    map_counts map = {0};
    set_up();
    for (int32_t i = 0; i < 12; i++) CHECK(put(&map, i, i));
    map_counts copy = map;
    copy.cap = 0;
    for (int32_t i = 12; i < 200; i++) CHECK(put(&copy, i, i));
    for (int32_t i = 0; i < 12; i++) CHECK(drop(&copy, i));
    for (int32_t i = 0; i < 200; i++) {
        CHECK(i < 12 ? get(&map, i) == &map.data[i] : !get(&map, i));
        CHECK(i < 12 ? !get(&copy, i) : get(&copy, i) == &copy.data[i - 12]);
    }
    tear_down();
}

static void remove__keeps_order_and_takes_all_of_a_key(void) {
    map_counts map = {0};
    set_up();
    for (int32_t i = 0; i < 20; i++) CHECK(put(&map, i, i));
    CHECK_EQ(tern_list_reserve(&map, 24, sizeof(counts_entry), &arena), 0);
    map.data[map.len++] = (counts_entry){3, 33};
    map.data[map.len++] = (counts_entry){21, 21};
    CHECK(tern_map_remove(&counts_entry_type, &map, &map.data[20].key)); /* a key that moves meanwhile */
    CHECK(!get(&map, 3) && !drop(&map, 3));
    CHECK_EQ(map.len, 20);
    for (int32_t i = 0; i < 19; i++) CHECK_EQ(map.data[i].key, i < 3 ? i : i + 1);
    CHECK(get(&map, 21) == &map.data[19] && get(&map, 19) == &map.data[18]);
    while (map.len) CHECK(drop(&map, map.data[map.len / 2].key));
    CHECK(put(&map, 1, 1) == map.data && get(&map, 1) && !get(&map, 2));
    tear_down();
}

static void insert__each_allocation_fails_once(void) {
    uint64_t n = 1;
    for (;; n++) {
        map_counts map = {0};
        int32_t i = 0;
        set_up();
        arena.fail_countdown = n;
        for (; i < 3000; i++) {
            map_counts before = map;
            if (put(&map, i, i)) continue;
            CHECK_EQ(map.len, before.len);
            for (int32_t k = 0; k < i; k++) CHECK(get(&map, k) && get(&map, k)->value == k);
            CHECK(!get(&map, i));
            CHECK(put(&map, i, i)); /* and then it works */
        }
        bool failed = arena.fail_countdown == 0;
        for (int32_t k = 0; k < i; k++) CHECK(get(&map, k) == &map.data[k]);
        tear_down();
        if (!failed) break;
    }
    CHECK(n > 15);
    printf("# %llu allocations\n", (unsigned long long)n - 1);
}

/* Linear probing with a hash of low quality would take hours here. */
static void insert__many_keys_in_patterns(void) {
    static const uint64_t steps[] = {1, 16, 4096, (uint64_t)1 << 32, 0x9e3779b97f4a7c15u};
    for (size_t s = 0; s < TERN__COUNT(steps); s++) {
        map_wide map = {0};
        set_up();
        for (uint64_t i = 0; i < 50000; i++)
            CHECK(tern_map_insert(&wide_entry_type, &map, &(uint64_t){i * steps[s]}, &arena));
        CHECK_EQ(map.len, 50000);
        for (uint64_t i = 0; i < 50000; i++)
            CHECK(tern_map_find(&wide_entry_type, &map, &(uint64_t){i * steps[s]}) == &map.data[i]);
        tear_down();
    }
}

/* ---- Against a model ----------------------------------------------------------------------------- */

enum { N_KEYS = 60 };
struct model {
    int32_t keys[4096], values[4096];
    size_t len;
};

static size_t model_find(const struct model *m, int32_t key) {
    size_t i = m->len;
    while (i > 0 && m->keys[i - 1] != key) i--;
    return i; /* one past it; 0: none */
}

static void model_push(struct model *m, int32_t key, int32_t value) {
    m->keys[m->len] = key;
    m->values[m->len++] = value;
}

static void model_remove(struct model *m, int32_t key) {
    size_t kept = 0;
    for (size_t i = 0; i < m->len; i++) {
        if (m->keys[i] == key) continue;
        m->keys[kept] = m->keys[i];
        m->values[kept++] = m->values[i];
    }
    m->len = kept;
}

/* One random operation on both. */
static void step(tern__rng *rng, struct model *m, map_counts *map) {
    int32_t key = (int32_t)tern__rng_below(rng, N_KEYS), value = (int32_t)tern__rng_below(rng, 1000);
    size_t at = model_find(m, key);
    switch (tern__rng_below(rng, 16)) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
        CHECK(put(map, key, value) == &map->data[at ? at - 1 : m->len]);
        if (at)
            m->values[at - 1] = value;
        else
            model_push(m, key, value);
        break;
    case 5:
    case 6:
        CHECK_EQ(drop(map, key), at > 0);
        model_remove(m, key);
        break;
    case 7:
        CHECK_EQ(tern_list_reserve(map, map->len + 1, sizeof *map->data, &arena), 0);
        map->data[map->len++] = (counts_entry){key, value};
        model_push(m, key, value);
        break;
    case 8:
        if (tern__rng_chance(rng, 0.2)) map->index = NULL;
        break;
    default: CHECK(get(map, key) == (at ? &map->data[at - 1] : NULL)); break;
    }
}

static void random__like_a_naive_map(void) {
    static struct model m;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        tern__rng rng;
        map_counts map = {0};
        set_up();
        tern__rng_seed(&rng, seed);
        m.len = 0;
        for (int i = 0; i < 2000; i++) {
            step(&rng, &m, &map);
            CHECK_OK();
            CHECK_EQ(map.len, m.len);
        }
        for (size_t i = 0; i < m.len; i++) CHECK(map.data[i].key == m.keys[i] && map.data[i].value == m.values[i]);
        for (int32_t key = -1; key <= N_KEYS; key++) {
            size_t at = model_find(&m, key);
            CHECK(get(&map, key) == (at ? &map.data[at - 1] : NULL));
        }
        tear_down();
    }
}

TAP_MAIN(TEST(insert__makes_an_index_beyond_eight_entries), TEST(insert__zeroes_the_value_and_keeps_others),
         TEST(find__string_keys_of_all_lengths), TEST(find__wide_keys_that_share_their_low_bits),
         TEST(by_hand__appended_entries_count_at_once), TEST(by_hand__without_index_lookups_are_linear),
         TEST(by_hand__truncated_or_moved_under_the_index), TEST(by_hand__a_shallow_copy_grows_apart),
         TEST(remove__keeps_order_and_takes_all_of_a_key), TEST(insert__each_allocation_fails_once),
         TEST(insert__many_keys_in_patterns), TEST(random__like_a_naive_map))
