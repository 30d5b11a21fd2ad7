/* The ordered keys against a sorted array, under random insertions, removals and seeks. */
#include "tap.h"

#include "order.h"

enum { N_KEYS = 500, N_STEPS = 40000 };

static char names[N_KEYS][8];
static bool present[N_KEYS];

static tern_str name_of(size_t i) { return (tern_str){names[i], strlen(names[i])}; }

static int compare_names(const void *a, const void *b) { return strcmp(a, b); }

/* Distinct names of one to six letters, sorted; many are prefixes of others. */
static void make_names(void) {
    uint64_t x = 88172645463325252u;
    for (size_t i = 0; i < N_KEYS; i++) {
        size_t k = i;
        snprintf(names[i], sizeof names[i], "%c%c", (char)('a' + k / 26 % 26), (char)('a' + k % 26));
        for (size_t n = 2; n < 6; n++) {
            x ^= x << 13, x ^= x >> 7, x ^= x << 17;
            names[i][n] = x & 3 ? (char)('a' + x % 3) : '\0';
            if (!names[i][n]) break;
        }
        present[i] = false;
    }
    qsort(names, N_KEYS, sizeof *names, compare_names);
}

static size_t expected(size_t i, bool after) {
    size_t k = after ? i + 1 : i;
    while (k < N_KEYS && !present[k]) k++;
    return k;
}

static void order__agrees_with_a_sorted_array(void) {
    order o;
    uint64_t x = 42;
    size_t n_present = 0;
    make_names();
    order_init(&o, 7);
    for (size_t step = 0; step < N_STEPS; step++) {
        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        size_t i = x % N_KEYS;
        if (x >> 40 & 1) {
            order_node *gone = order_unlink(&o, name_of(i));
            CHECK_EQ(gone != NULL, present[i]);
            n_present -= present[i];
            present[i] = false;
            free(gone);
        } else if (!present[i]) {
            order_node *node = order_node_new(&o, name_of(i), names[i]);
            CHECK(node != NULL);
            order_link(&o, node);
            present[i] = true;
            n_present++;
        }
        bool after = x >> 41 & 1;
        size_t want = expected(i, after);
        order_node *got = order_seek(&o, name_of(i), after);
        CHECK_EQ(got != NULL, want < N_KEYS);
        if (got) CHECK(got->value == names[want]);
    }
    size_t walked = 0;
    for (order_node *n = order_seek(&o, (tern_str){0}, false); n; n = n->next[0]) walked++;
    CHECK_EQ(walked, n_present);
    order_fini(&o);
}

static void order__keys_are_bytes(void) {
    static const tern_str keys[] = {{"", 0}, {"\0", 1}, {"\0a", 2}, {"a", 1}, {"a\0", 2}, {"\377", 1}};
    order o;
    order_init(&o, 1);
    for (size_t i = 6; i-- > 0;) order_link(&o, order_node_new(&o, keys[i], NULL));
    size_t i = 0;
    for (order_node *n = order_seek(&o, (tern_str){0}, false); n; n = n->next[0], i++)
        CHECK(n->key.data == keys[i].data);
    CHECK_EQ(i, 6);
    order_fini(&o);
}

/* Sorted insertion, which unbalances trees. */
static void order__sorted_insertion_stays_flat(void) {
    static char many[100000][8];
    order o;
    size_t steps = 0;
    order_init(&o, 99);
    for (size_t i = 0; i < 100000; i++) {
        snprintf(many[i], sizeof many[i], "%06zu", i);
        order_link(&o, order_node_new(&o, (tern_str){many[i], 6}, NULL));
    }
    order_node **level = o.first;
    for (uint32_t h = ORDER_MAX_HEIGHT; h-- > 0;)
        while (level[h] && memcmp(level[h]->key.data, "099999", 6) < 0) level = level[h]->next, steps++;
    CHECK(steps < 200);
    order_fini(&o);
}

TAP_MAIN(TEST(order__agrees_with_a_sorted_array), TEST(order__keys_are_bytes), TEST(order__sorted_insertion_stays_flat))
