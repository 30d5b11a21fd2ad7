/* Keys in order: a skip list (Pugh), so that a scan goes on from any key, present or not, and costs a put a logarithm.
 * Keys compare by bytes, a prefix before what it begins. The list borrows keys and never looks into values. */
#ifndef KV_ORDER_H
#define KV_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "tern/type.h"

enum { ORDER_MAX_HEIGHT = 12 }; /* a quarter of the nodes of each height reach the next: good for 16 million */

typedef struct order_node {
    tern_str key; /* borrowed */
    void *value;
    uint32_t height;
    struct order_node *next[];
} order_node;

typedef struct order {
    order_node *first[ORDER_MAX_HEIGHT];
    uint64_t random;
} order;

/* seed: unpredictable where peers choose the keys. */
void order_init(order *o, uint64_t seed);

/* Frees the nodes, not what they refer to. */
void order_fini(order *o);

/* A node for a key that is not there yet, not linked in; NULL when memory is out. Free it with free() if it is not
 * linked. */
order_node *order_node_new(order *o, tern_str key, void *value);
uint64_t order_node_bytes(const order_node *node);
void order_link(order *o, order_node *node);

/* Unlinks the key's node, which is then the caller's to free(); NULL when there is none. */
order_node *order_unlink(order *o, tern_str key);

/* The first node at or after the key, or only after it; NULL past the last. Valid until its key is unlinked. */
order_node *order_seek(const order *o, tern_str key, bool after);

#endif
