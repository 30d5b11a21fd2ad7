/* The tree of intervals; see intervals.h. */
#include "graph/intervals.h"

#include "graph/grow.h"

void tern__intervals_clear(tern__intervals *t) {
    t->n = 0;
    t->root = t->last = 0;
    t->next_start = UINTPTR_MAX;
    tern__rng_seed(&t->rng, 1);
}

void tern__intervals_fini(tern__intervals *t) {
    tern_unref(t->list);
    *t = (tern__intervals){0};
}

/* The interval that the address lies in, else 0; *next_start is where the first interval behind it begins. */
static uint32_t search_tree(const tern__intervals *t, uintptr_t at, uintptr_t *next_start) {
    *next_start = UINTPTR_MAX;
    for (uint32_t i = t->root; i;) {
        const tern__interval *node = &t->list[i];
        if (at < node->start) {
            *next_start = node->start;
            i = node->left;
        } else if (at < node->end) {
            return i;
        } else {
            i = node->right;
        }
    }
    return 0;
}

/* Splits the tree at `from` into those before `at` and those behind it. */
static void split(tern__intervals *t, uint32_t from, uintptr_t at, uint32_t *before, uint32_t *behind) {
    while (from) {
        tern__interval *node = &t->list[from];
        if (node->start < at) {
            *before = from;
            before = &node->right;
            from = node->right;
        } else {
            *behind = from;
            behind = &node->left;
            from = node->left;
        }
    }
    *before = *behind = 0;
}

static void insert(tern__intervals *t, uint32_t number) {
    tern__interval *node = &t->list[number];
    uint32_t *at = &t->root;
    while (*at && t->list[*at].priority >= node->priority)
        at = node->start < t->list[*at].start ? &t->list[*at].left : &t->list[*at].right;
    split(t, *at, node->start, &node->left, &node->right);
    *at = number;
}

static int add_interval(tern__intervals *t, uintptr_t start, uint64_t bytes, uint32_t place) {
    if (t->n == 0) t->n = 1; /* number 0 is none */
    if (t->n >= UINT32_MAX || !tern__grow(&t->list, &t->cap, t->n + 1, sizeof *t->list)) return TERN_ERR_NOMEM;
    t->last = (uint32_t)t->n++;
    t->list[t->last] = (tern__interval){
        .start = start, .end = start + bytes, .place = place, .priority = (uint32_t)tern__rng_next(&t->rng)};
    insert(t, t->last);
    return 0;
}

/* Whether the interval that grew last goes on with this object. */
static bool goes_on(const tern__interval *last, uintptr_t start, uint32_t place) {
    return start == last->end && (uint64_t)last->place + (last->end - last->start) / 8 == place;
}

int tern__intervals_meet(tern__intervals *t, uintptr_t start, uint64_t bytes, uint32_t *place) {
    tern__interval *last = t->last ? &t->list[t->last] : NULL;
    if (last && goes_on(last, start, *place) && start != t->next_start) {
        last->end += bytes;
        t->n_hot++;
        return 0;
    }
    if (last && start > last->end && start < t->next_start) {
        t->n_warm++;
        return add_interval(t, start, bytes, *place);
    }
    uintptr_t next_start;
    uint32_t found = search_tree(t, start, &next_start);
    t->n_cold++;
    if (found) {
        const tern__interval *node = &t->list[found];
        *place = (uint32_t)(node->place + (start - node->start) / 8);
        return 1;
    }
    int err = add_interval(t, start, bytes, *place);
    if (!err) t->next_start = next_start;
    return err;
}
