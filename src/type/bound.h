/* Whether a walk over a message ends within its bounds, and how walks find out in time. */
#ifndef TERN_TYPE_BOUND_H
#define TERN_TYPE_BOUND_H

#include "type/walk.h"

/* 0 when a walk over the message ends within the bounds, where the entry of a map is no level of depth; else
 * TERN_ERR_LIMIT, or TERN_ERR_INVALID for a NULL in a list of pointers. *too_many, which may be NULL: whether elements
 * ran out. It looks at nothing but what leads to messages: the fastest of all walks. */
int tern__message_bound(const tern_type *type, const void *msg, bool *too_many);

/* The elements that a walk may meet. After the first WALK_MANY those of the whole message are counted in advance, once:
 * what the walk itself spends on each of them is not spent on 16 million of a message that has more. */
typedef struct walk_budget {
    size_t left; /* to be met before the next look */
    bool is_counted;
    const tern_type *type; /* of the whole message */
    const void *msg;
} walk_budget;

enum { WALK_MANY = 1 << 16 };

static inline void walk_budget_init(walk_budget *budget, const tern_type *type, const void *msg) {
    *budget = (walk_budget){.left = WALK_MANY, .type = type, .msg = msg};
}

/* n are more than `left`: counts the message, if that was not done yet. */
int tern__walk_spend_more(walk_budget *budget, size_t n);

/* Takes n elements: 0, or what tern__message_bound() says. */
static inline int walk_spend(walk_budget *budget, size_t n) {
    return __builtin_expect(walk_take(&budget->left, n), 1) ? 0 : tern__walk_spend_more(budget, n);
}

#endif
