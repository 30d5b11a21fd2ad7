#include "order.h"

#include <stdlib.h>

void order_init(order *o, uint64_t seed) { *o = (order){.random = seed | 1}; }

void order_fini(order *o) {
    for (order_node *n = o->first[0], *next; n; n = next) {
        next = n->next[0];
        free(n);
    }
    *o = (order){0};
}

static int compare(tern_str a, tern_str b) {
    size_t n = a.len < b.len ? a.len : b.len;
    int c = n ? memcmp(a.data, b.data, n) : 0;
    return c ? c : (a.len > b.len) - (a.len < b.len);
}

/* Each level with a quarter of a chance; xorshift64*. */
static uint32_t random_height(order *o) {
    o->random ^= o->random >> 12;
    o->random ^= o->random << 25;
    o->random ^= o->random >> 27;
    uint64_t bits = o->random * 0x2545F4914F6CDD1Du >> 32;
    uint32_t height = 1;
    for (; height < ORDER_MAX_HEIGHT && !(bits & 3); bits >>= 2) height++;
    return height;
}

order_node *order_node_new(order *o, tern_str key, void *value) {
    uint32_t height = random_height(o);
    order_node *n = calloc(1, sizeof *n + height * sizeof(order_node *));
    if (!n) return NULL;
    n->key = key;
    n->value = value;
    n->height = height;
    return n;
}

uint64_t order_node_bytes(const order_node *n) { return sizeof *n + n->height * sizeof(order_node *); }

/* On each level the link that leads to the first node at or after the key (after: past it). */
static void find(order *o, tern_str key, bool after, order_node **links[ORDER_MAX_HEIGHT]) {
    order_node **level = o->first;
    for (uint32_t h = ORDER_MAX_HEIGHT; h-- > 0;) {
        while (level[h] && compare(level[h]->key, key) < (int)after) level = level[h]->next;
        links[h] = &level[h];
    }
}

void order_link(order *o, order_node *node) {
    order_node **links[ORDER_MAX_HEIGHT];
    find(o, node->key, false, links);
    for (uint32_t h = 0; h < node->height; h++) {
        node->next[h] = *links[h];
        *links[h] = node;
    }
}

order_node *order_unlink(order *o, tern_str key) {
    order_node **links[ORDER_MAX_HEIGHT];
    find(o, key, false, links);
    order_node *node = *links[0];
    if (!node || compare(node->key, key)) return NULL;
    for (uint32_t h = 0; h < node->height; h++) *links[h] = node->next[h];
    return node;
}

order_node *order_seek(const order *o, tern_str key, bool after) {
    order_node *const *level = o->first;
    for (uint32_t h = ORDER_MAX_HEIGHT; h-- > 0;)
        while (level[h] && compare(level[h]->key, key) < (int)after) level = level[h]->next;
    return level[0];
}
