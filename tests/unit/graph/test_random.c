/* Random graphs against a model: the program changes links at random, and after each safe point the heap's graph is the
 * model's, with no object more. */
#include <stdlib.h>

#include "base/base.h"
#include "base/rng.h"
#include "graph/mark.h"
#include "links.h"
#include "tap.h"

enum { N = 400, TEXTS = 32768, PEERS = 12, NAMED = 24, ROOTS = 6, NONE = -1 };

/* A link of the model; others are numbers. */
typedef struct model_link {
    bool exists;
    int next, other, friend, text, inside;
    int n_peers, peers[PEERS];
    int n_named, named[NAMED]; /* by key */
} model_link;

typedef struct world {
    tern_heap *heap;
    tern__rng rng;
    model_link links[N];
    link_msg *at[N]; /* where each is, until the next safe point */
    tern_root roots[ROOTS];
    int rooted[ROOTS];
    int n_texts; /* made so far, each of them an object */
} world;

static int pick(world *w, int n) { return (int)tern__rng_below(&w->rng, (uint64_t)n); }

/* ---- Changes ------------------------------------------------------------------------------------- */

static bool add_link(world *w, int i) {
    char text[64];
    int len = snprintf(text, sizeof text, "%*d", 1 + pick(w, 40), w->n_texts);
    link_msg *link = tern_heap_alloc(w->heap, &link_type);
    if (!link || tern_heap_str(w->heap, text, (size_t)len, &link->label) != 0) return false;
    link->id = (uint32_t)i;
    w->links[i] =
        (model_link){.exists = true, .next = NONE, .other = NONE, .friend = NONE, .text = w->n_texts++, .inside = NONE};
    for (int k = 0; k < NAMED; k++) w->links[i].named[k] = NONE;
    w->at[i] = link;
    return true;
}

static int pick_link(world *w) {
    for (int tries = 0; tries < 1000; tries++) {
        int i = pick(w, N);
        if (w->links[i].exists) return i;
    }
    return NONE;
}

/* A view anywhere into the text that another link has. */
static void share_text(world *w, int i, int from) {
    const tern_str *text = &w->at[from]->label;
    size_t skip = text->len > 1 ? (size_t)pick(w, (int)text->len) : 0;
    w->at[i]->label = (tern_str){text->data + skip, text->len - skip};
    w->links[i].text = w->links[from].text;
}

static bool set_inside(world *w, int i, int to) {
    link_msg *link = w->at[i];
    if (tern_heap_reserve(w->heap, &link_type, link, LINK_INSIDE, 1) != 0) return false;
    link->inside.len = 1;
    link->inside.data[0].next = w->at[to];
    w->links[i].inside = to;
    return true;
}

static bool set_friend(world *w, int i, int to) {
    link_msg *link = w->at[i];
    if (pick(w, 3) == 0) {
        link->one_case = 11; /* another member: the pointer's bytes are a number */
        link->number = 0xdeadbeef;
        w->links[i].friend = NONE;
    } else {
        link->one_case = LINK_FRIEND;
        link->friend = w->at[to];
        w->links[i].friend = to;
    }
    return true;
}

static bool change(world *w) {
    int i = pick_link(w), to = pick_link(w);
    if (i == NONE) return true;
    model_link *m = &w->links[i];
    link_msg *link = w->at[i];
    switch (pick(w, 9)) {
    case 0: link->next = w->at[to], m->next = to; return true;
    case 1: link->other = w->at[to], m->other = to; return true;
    case 2: link->next = NULL, m->next = NONE; return true;
    case 3: share_text(w, i, to); return true;
    case 4: return set_inside(w, i, to);
    case 5: return set_friend(w, i, to);
    case 6:
        link->peers = (list_link_ref){0}, m->n_peers = 0;
        link->named = (map_link){0};
        for (int k = 0; k < NAMED; k++) m->named[k] = NONE;
        m->n_named = 0;
        return true;
    case 7:
        if (m->n_peers == PEERS) return true;
        m->peers[m->n_peers++] = to;
        return link_add_peer(w->heap, link, w->at[to]);
    default: {
        int key = pick(w, NAMED);
        m->n_named += m->named[key] == NONE;
        m->named[key] = to;
        return link_name(w->heap, link, (uint32_t)key, w->at[to]);
    }
    }
}

static bool change_root(world *w) {
    int r = pick(w, ROOTS), i = pick_link(w);
    if (w->rooted[r] != NONE && pick(w, 2)) {
        w->rooted[r] = NONE;
        return tern_root_drop(w->heap, w->roots[r]) == 0;
    }
    if (i == NONE) return true;
    bool is_new = w->rooted[r] == NONE;
    w->rooted[r] = i;
    return is_new ? tern_root_new(w->heap, w->at[i], &w->roots[r]) == 0
                  : tern_root_set(w->heap, w->roots[r], w->at[i]) == 0;
}

/* ---- Comparison ---------------------------------------------------------------------------------- */

typedef struct reached {
    world *w;
    bool met[N], has_text[TEXTS];
    link_msg *now[N];
    uint64_t n_objects;
    bool is_same;
} reached;

static void reach(reached *r, int i, link_msg *link) {
    if (i == NONE) {
        r->is_same &= link == NULL;
        return;
    }
    if (r->met[i]) {
        r->is_same &= r->now[i] == link;
        return;
    }
    r->met[i] = true;
    r->now[i] = link;
    r->is_same &= link && link->id == (uint32_t)i && tern_heap_type_of(r->w->heap, link) == &link_type;
    if (!r->is_same) return;
    const model_link *m = &r->w->links[i];
    r->n_objects += 1 + (link->peers.cap > 0) + (link->inside.cap > 0) + (link->named.cap > 0) +
                    (link->named.index != NULL) + !r->has_text[m->text];
    r->has_text[m->text] = true;
    r->is_same &= link->label.data[link->label.len - 1] == '0' + m->text % 10;
    r->is_same &= link->peers.len == (size_t)m->n_peers && link->named.len == (size_t)m->n_named;
    if (!r->is_same) return;
    reach(r, m->next, link->next);
    reach(r, m->other, link->other);
    reach(r, m->friend, link->one_case == LINK_FRIEND ? link->friend : NULL);
    reach(r, m->inside, link->inside.len ? link->inside.data[0].next : NULL);
    for (int k = 0; k < m->n_peers; k++) reach(r, m->peers[k], link->peers.data[k]);
    for (int k = 0; k < NAMED; k++) {
        link_entry *entry = tern_map_find(&link_entry_type, &link->named, &(uint32_t){(uint32_t)k});
        r->is_same &= (entry != NULL) == (m->named[k] != NONE);
        if (entry && r->is_same) reach(r, m->named[k], entry->value);
    }
}

/* After a safe point: what the model reaches is there, and nothing else. */
static bool is_the_model(world *w) {
    reached r = {.w = w, .is_same = true};
    for (int i = 0; i < ROOTS; i++)
        if (w->rooted[i] != NONE) reach(&r, w->rooted[i], tern_root_get(w->heap, w->roots[i]));
    if (!r.is_same) printf("# another graph\n");
    if (r.n_objects != stats_of(w->heap).objects)
        printf("# %llu objects, not %llu\n", (unsigned long long)stats_of(w->heap).objects,
               (unsigned long long)r.n_objects);
    for (int i = 0; i < N; i++) {
        w->links[i].exists = r.met[i];
        w->at[i] = r.now[i];
    }
    return r.is_same && r.n_objects == stats_of(w->heap).objects;
}

static void live(uint64_t seed, bool move_always, bool compacts, size_t stack) {
    static world w;
    tern_heap_config config;
    w = (world){0};
    tern__rng_seed(&w.rng, seed);
    tern_heap_config_init(&config);
    config.max_bytes = 64 << 20;
    config.move_always = move_always;
    config.shared = seed % 2;
    CHECK_EQ(tern_heap_new(&config, &w.heap), 0);
    tern__mark_limit(w.heap, stack);
    for (int i = 0; i < ROOTS; i++) w.rooted[i] = NONE;
    for (int round = 0; round < 60; round++) {
        for (int i = 0; i < N; i++)
            if (!w.links[i].exists && pick(&w, 2)) CHECK(add_link(&w, i));
        for (int i = 0; i < 1500; i++) CHECK(change(&w));
        for (int i = 0; i < 4; i++) CHECK(change_root(&w));
        if (round % 8 == 0) CHECK_EQ(tern_heap_check(w.heap), 0);
        int err = compacts ? tern_heap_compact(w.heap) : tern_heap_collect(w.heap);
        if (err) printf("# seed %llu: %s\n", (unsigned long long)seed, tern_heap_problem(w.heap));
        CHECK_EQ(err, 0);
        CHECK(is_the_model(&w));
        CHECK_EQ(tern_heap_check(w.heap), 0);
    }
    CHECK_EQ(tern_heap_free(w.heap), 0);
}

static void random__collected(void) {
    for (uint64_t seed = 1; seed <= 8 && !tap_failed; seed++) live(seed, false, false, 0);
}
static void random__with_a_short_stack(void) {
    for (uint64_t seed = 11; seed <= 16 && !tap_failed; seed++) live(seed, false, false, seed % 4 + 1);
}
static void random__compacted(void) {
    for (uint64_t seed = 21; seed <= 28 && !tap_failed; seed++) live(seed, false, true, 0);
}
static void random__moved_always(void) {
    for (uint64_t seed = 31; seed <= 34 && !tap_failed; seed++) live(seed, true, false, 0);
}

TAP_MAIN(TEST(random__collected), TEST(random__with_a_short_stack), TEST(random__compacted), TEST(random__moved_always))
