/* Keeping, on the simulated network (sim_keep.h). */
#include "port/sim_keep.h"

#include <stdlib.h>

typedef struct keeper {
    tern__kept kept;
    tern__node node; /* in sim->keepers, until it has expired */
    tern__sim *sim;
    tern_time due; /* when it expires */
    bool expired;
    uint32_t n, room;
    struct piece *pieces; /* a reference on each */
} keeper;

enum { FIRST_ROOM = 4, REFUSED = 8 /* one of so many is not kept */ };

/* Give all pieces back, which their sender must not have changed. */
static void give_back(keeper *k) {
    for (; k->n; k->n--) {
        tern__sim_piece_check(k->sim, &k->pieces[k->n - 1]);
        tern_unref(k->pieces[k->n - 1].data);
    }
    tern__list_remove(&k->node);
}

static void let_go(tern__kept *kept) {
    keeper *k = TERN__CONTAINER(kept, keeper, kept);
    give_back(k);
    free(k->pieces);
    free(k);
}

static bool is_intact(const tern__kept *kept) {
    const keeper *k = (const keeper *)(const void *)kept;
    return !k->expired && k->sim->now < k->due;
}
_Static_assert(offsetof(keeper, kept) == 0, "a keeper is found by it");

static keeper *make_keeper(tern__sim *sim) {
    keeper *k = calloc(1, sizeof *k);
    if (!k) return NULL;
    k->kept = (tern__kept){.let_go = let_go, .is_intact = is_intact};
    k->sim = sim;
    k->due = sim->config.keep_time ? sim->now + (tern_time)sim->config.keep_time : UINT64_MAX;
    tern__list_init(&k->node);
    tern__list_append(&sim->keepers, &k->node);
    return k;
}

static bool add_piece(keeper *k, const struct piece *piece) {
    if (k->n == k->room) {
        uint32_t room = k->room ? 2 * k->room : FIRST_ROOM;
        struct piece *pieces = realloc(k->pieces, room * sizeof *pieces);
        if (!pieces) return false;
        k->pieces = pieces;
        k->room = room;
    }
    if (tern_ref(piece->data)) return false;
    k->pieces[k->n++] = *piece;
    return true;
}

bool tern__sim_keep(tern__sim *sim, const struct piece *piece, tern__kept **kept) {
    if (!sim->config.keeps || piece->copy || !tern_in_pool(piece->data)) return false;
    if (tern__rng_below(&sim->keep_rng, REFUSED) == 0) return false;
    keeper *k = *kept ? TERN__CONTAINER(*kept, keeper, kept) : make_keeper(sim);
    if (!k) return false;
    if (k->expired || !add_piece(k, piece)) {
        if (!*kept) let_go(&k->kept);
        return false;
    }
    sim->stats.kept++;
    *kept = &k->kept;
    return true;
}

void tern__sim_kept_expire(tern__sim *sim) {
    tern__node *next;
    for (tern__node *node = sim->keepers.next; node != &sim->keepers; node = next) {
        keeper *k = TERN__CONTAINER(node, keeper, node);
        next = node->next;
        if (sim->now < k->due) continue;
        k->expired = true;
        sim->stats.kept_expired++;
        give_back(k);
    }
}
