/* Random graphs, comparisons, transfers; see graphs.h. */
#include "graphs.h"

#include <stdio.h>
#include <stdlib.h>

#include "graph/heap_record.h"

/* ---- Making -------------------------------------------------------------------------------------- */

typedef struct maker {
    place at;
    tern__rng *rng;
    bool is_tree;
    link_msg **links;
    uint32_t n, n_free; /* of a tree: those before n_free have a parent, or are the root */
} maker;

static uint32_t pick(maker *m, uint32_t n) { return (uint32_t)tern__rng_below(m->rng, n); }

static bool reserve(maker *m, link_msg *link, uint32_t number, size_t n) {
    const tern_field *field = tern_type_field(&link_type, number);
    if (m->at.heap) return tern_heap_reserve(m->at.heap, &link_type, link, number, n) == 0;
    return tern_list_reserve((uint8_t *)link + field->offset, n, field->elem_bytes, m->at.arena) == 0;
}

static bool make_str(maker *m, const char *text, size_t len, tern_str *out) {
    if (m->at.heap) return tern_heap_str(m->at.heap, text, len, out) == 0;
    char *copy = tern_arena_alloc(m->at.arena, len + 1);
    if (!copy) return false;
    memcpy(copy, text, len);
    *out = (tern_str){len ? copy : NULL, len};
    return true;
}

static link_msg *make_link(maker *m, uint32_t id) {
    char text[64];
    link_msg *link =
        m->at.heap ? tern_heap_alloc(m->at.heap, &link_type) : tern_arena_zalloc(m->at.arena, sizeof *link);
    if (!link) return NULL;
    int len = snprintf(text, sizeof text, "%*u \xc3\xa9", 1 + (int)pick(m, 30), id);
    if (!make_str(m, text, pick(m, 8) ? (size_t)len : 0, &link->label)) return NULL;
    link->id = id;
    link->on = pick(m, 2);
    return link;
}

/* A link that may be pointed to; of a tree one without a parent, or NULL. */
static link_msg *pick_link(maker *m) {
    if (!m->is_tree) return m->links[pick(m, m->n)];
    return m->n_free < m->n ? m->links[m->n_free++] : NULL;
}

/* A part of another's label. Views begin and end between characters. */
static void share_label(maker *m, link_msg *link) {
    const tern_str from = m->links[pick(m, m->n)]->label;
    if (m->is_tree || from.len < 4) return;
    size_t skip = pick(m, (uint32_t)from.len - 3);
    link->label = (tern_str){from.data + skip, from.len - skip};
    if (pick(m, 3) == 0) link->label.len = from.len - 3 - skip;
}

static bool set_peers(maker *m, link_msg *link) {
    uint32_t n = pick(m, 6);
    if (!reserve(m, link, LINK_PEERS, n)) return false;
    for (uint32_t i = 0; i < n; i++) {
        link_msg *peer = pick_link(m);
        if (peer) link->peers.data[link->peers.len++] = peer;
    }
    return true;
}

static bool set_inside(maker *m, link_msg *link) {
    uint32_t n = pick(m, 4);
    if (!reserve(m, link, LINK_INSIDE, n)) return false;
    for (uint32_t i = 0; i < n; i++) {
        link_msg *in = &link->inside.data[link->inside.len++];
        in->id = 1000 + i;
        in->next = pick_link(m);
        in->one_case = LINK_FRIEND;
        in->friend = pick_link(m);
    }
    return true;
}

static bool set_named(maker *m, link_msg *link) {
    for (uint32_t i = pick(m, 20); i > 0; i--) {
        uint32_t key = pick(m, 40);
        link_entry *entry = m->at.heap ? tern_heap_put(m->at.heap, &link_type, link, LINK_NAMED, &key)
                                       : tern_map_insert(&link_entry_type, &link->named, &key, m->at.arena);
        if (!entry) return false;
        if (!entry->value) entry->value = pick_link(m);
    }
    return true;
}

static bool set_one(maker *m, link_msg *link) {
    switch (pick(m, 4)) {
    case 0:
        link->one_case = LINK_FRIEND;
        link->friend = pick_link(m);
        return true;
    case 1: link->one_case = LINK_WORD; return make_str(m, "a word", 6, &link->word);
    case 2:
        link->one_case = 11;
        memset(&link->word, 0xee, sizeof link->word); /* the rest of the union is anything */
        link->number = 0xdeadbeef;
        return true;
    default: memset(&link->word, 0xdd, sizeof link->word); return true;
    }
}

static bool set_lists(maker *m, link_msg *link) {
    static const char text[] = "tag one, tag two";
    uint32_t n = pick(m, 50) ? pick(m, 5) : 3000;
    if (pick(m, 2)) return true;
    link->bits = (tern_list_bool){0}; /* they may be another's */
    link->tags = (tern_list_str){0};
    if (!reserve(m, link, LINK_TAGS, n) || !reserve(m, link, LINK_BITS, n) || !reserve(m, link, LINK_VALUES, n))
        return false;
    for (uint32_t i = 0; i < n; i++) {
        if (!make_str(m, text, pick(m, 16), &link->tags.data[link->tags.len++])) return false;
        link->bits.data[link->bits.len++] = i % 2;
        link->values.data[link->values.len++] = i / 3.0;
    }
    if (m->is_tree || pick(m, 4)) return true;
    link_msg *other = m->links[pick(m, m->n)];
    other->bits = link->bits;
    other->tags = link->tags;
    return true;
}

static bool set_bytes(maker *m, link_msg *link) {
    tern_str bytes;
    if (!make_str(m, "\xff\xfe bytes", 8, &bytes)) return false;
    link->extra = tern_bytes_of(bytes.data, bytes.len);
    link->has.extra = pick(m, 2) != 0;
    if (pick(m, 3) == 0) {
        if (!make_str(m, "\xa0\x06\x01", 3, &bytes)) return false;
        link->unknown = (tern_unknown){(const uint8_t *)bytes.data, 3, 0};
    }
    return true;
}

static bool set_all(maker *m, link_msg *link) {
    link->next = pick(m, 3) ? pick_link(m) : NULL;
    link->other = pick(m, 3) ? NULL : pick_link(m);
    if (pick(m, 4) == 0) share_label(m, link);
    return (pick(m, 2) || set_peers(m, link)) && (pick(m, 3) || set_inside(m, link)) &&
           (pick(m, 4) || set_named(m, link)) && set_one(m, link) && (pick(m, 4) || set_lists(m, link)) &&
           (pick(m, 4) || set_bytes(m, link));
}

link_msg *graphs_random(place at, tern__rng *rng, uint32_t n, bool is_tree) {
    maker m = {.at = at, .rng = rng, .is_tree = is_tree, .links = calloc(n, sizeof(link_msg *)), .n = n, .n_free = 1};
    bool ok = m.links != NULL;
    for (uint32_t i = 0; i < n && ok; i++) ok = (m.links[i] = make_link(&m, i)) != NULL;
    for (uint32_t i = 0; i < n && ok && (!is_tree || i < m.n_free); i++) ok = set_all(&m, m.links[i]);
    link_msg *root = ok ? m.links[0] : NULL;
    free(m.links);
    return root;
}

/* ---- Comparing ------------------------------------------------------------------------------------ */

typedef struct pair {
    const uint8_t *a, *b;
    const tern_type *type; /* of messages that are to be compared; NULL: storage */
} pair;

typedef struct comparison {
    const tern_heap *a_heap, *b_heap;
    bool is_tree;
    pair *a_table, *b_table; /* open-addressed: by a, by b */
    size_t cap, n;
    pair *pairs; /* still to be compared */
    size_t n_pairs, pairs_cap;
} comparison;

static bool differ(const char *what, const tern_type *type, const tern_field *field) {
    printf("# %s: %s.%s\n", what, type ? type->name : "", field ? type->field_names[field - type->fields] : "");
    return false;
}

static pair *find_pair(pair *table, size_t cap, const uint8_t *key, bool by_b) {
    for (size_t i = (size_t)tern__mix64((uintptr_t)key);; i++) {
        pair *p = &table[i & (cap - 1)];
        const uint8_t *at = by_b ? p->b : p->a;
        if (!at || at == key) return p;
    }
}

static void grow_tables(comparison *c) {
    size_t cap = c->cap ? c->cap * 2 : 1024;
    if (c->n < c->cap / 2) return;
    pair *a = calloc(cap, sizeof *a), *b = calloc(cap, sizeof *b);
    for (size_t i = 0; i < c->cap; i++) {
        if (c->a_table[i].a) *find_pair(a, cap, c->a_table[i].a, false) = c->a_table[i];
        if (c->b_table[i].b) *find_pair(b, cap, c->b_table[i].b, true) = c->b_table[i];
    }
    free(c->a_table);
    free(c->b_table);
    c->a_table = a, c->b_table = b, c->cap = cap;
}

/* The two are the same thing from now on, or were already. *is_new: they were not. */
static bool meet(comparison *c, const uint8_t *a, const uint8_t *b, bool *is_new) {
    grow_tables(c);
    pair *by_a = find_pair(c->a_table, c->cap, a, false), *by_b = find_pair(c->b_table, c->cap, b, true);
    *is_new = !by_b->b;
    if (c->is_tree) {
        if (!by_b->b) *by_b = (pair){a, b, NULL}, c->n++;
        return by_b->a == a;
    }
    if (!by_a->a && !by_b->b) {
        *by_a = *by_b = (pair){a, b, NULL};
        c->n++;
        return true;
    }
    return by_a->a && by_b->b && by_a->b == b && by_b->a == a;
}

static bool meet_messages(comparison *c, const tern_type *type, const void *a, const void *b) {
    bool is_new = false;
    if (!a || !b) return a == b;
    if (tern_heap_type_of(c->b_heap, b) != type || !meet(c, a, b, &is_new)) return false;
    if (!is_new) return true;
    if (c->n_pairs == c->pairs_cap)
        c->pairs = realloc(c->pairs, (c->pairs_cap = c->pairs_cap * 2 + 64) * sizeof *c->pairs);
    c->pairs[c->n_pairs++] = (pair){a, b, type};
    return true;
}

static const uint8_t *start_of(const tern_heap *heap, const void *at) {
    size_t unit = tern__heap_find(heap, at);
    return unit == SIZE_MAX ? NULL : tern__space_at(&heap->space, unit) + TERN__HEADER_BYTES;
}

/* Storage or bytes at the same distance within the same objects. */
static bool meet_storage(comparison *c, const void *a, const void *b) {
    bool is_new;
    if (!tern_heap_contains(c->b_heap, b)) return false;
    if (!c->a_heap || !tern_heap_contains(c->a_heap, a)) return true;
    const uint8_t *a_start = start_of(c->a_heap, a), *b_start = start_of(c->b_heap, b);
    return a_start && b_start && (const uint8_t *)a - a_start == (const uint8_t *)b - b_start &&
           meet(c, a_start, b_start, &is_new);
}

static bool same_bytes(comparison *c, const void *a, uint64_t a_len, const void *b, uint64_t b_len) {
    if (a_len != b_len) return false;
    if (a_len == 0) return b == NULL;
    return memcmp(a, b, a_len) == 0 && meet_storage(c, a, b);
}

static bool same_message(comparison *c, const tern_type *type, const uint8_t *a, const uint8_t *b);

static bool same_value(comparison *c, const tern_type *type, const tern_field *field, const uint8_t *a,
                       const uint8_t *b) {
    const tern_str *as = (const void *)a, *bs = (const void *)b;
    switch (field->kind) {
    case TERN_STRING:
    case TERN_BYTES: return same_bytes(c, as->data, as->len, bs->data, bs->len);
    case TERN_MESSAGE:
        return meet_messages(c, type->subs[field->sub], *(void *const *)(const void *)a,
                             *(void *const *)(const void *)b);
    default: return memcmp(a, b, field->elem_bytes) == 0;
    }
}

static bool same_list(comparison *c, const tern_type *type, const tern_field *field, const tern_list *a,
                      const tern_list *b) {
    if (a->len != b->len || (b->cap && b->cap < b->len)) return false;
    if (a->len == 0) return b->data == NULL && b->cap == 0;
    if (!meet_storage(c, a->data, b->data)) return false;
    if (field->flags & TERN_FIELD_MAP && ((const tern_map *)(const void *)b)->index) return false;
    for (size_t i = 0; i < a->len; i++) {
        const uint8_t *ae = (uint8_t *)a->data + i * field->elem_bytes,
                      *be = (uint8_t *)b->data + i * field->elem_bytes;
        bool by_value = field->kind == TERN_MESSAGE && !(field->flags & TERN_FIELD_POINTERS);
        if (!(by_value ? same_message(c, type->subs[field->sub], ae, be) : same_value(c, type, field, ae, be)))
            return false;
    }
    return true;
}

static bool is_zero(const uint8_t *at, size_t n) {
    while (n-- > 0)
        if (at[n]) return false;
    return true;
}

static bool same_field(comparison *c, const tern_type *type, const tern_field *field, const uint8_t *a,
                       const uint8_t *b) {
    const uint8_t *av = a + field->offset, *bv = b + field->offset;
    if (field->flags & TERN_FIELD_REPEATED) return same_list(c, type, field, (const void *)av, (const void *)bv);
    if (field->flags & TERN_FIELD_ONEOF) {
        uint32_t number = tern__load32(a + field->has * 4u);
        if (number != tern__load32(b + field->has * 4u)) return false;
        if (number == 0) return is_zero(bv, field->elem_bytes);
        if (number != field->number) return true;
    }
    if (field->flags & TERN_FIELD_HAS) {
        uint32_t at = type->has_offset + field->has / 32u * 4, bit = 1u << field->has % 32;
        if ((tern__load32(a + at) ^ tern__load32(b + at)) & bit) return false;
        if (!(tern__load32(a + at) & bit)) return is_zero(bv, field->elem_bytes);
    }
    return same_value(c, type, field, av, bv);
}

static bool same_message(comparison *c, const tern_type *type, const uint8_t *a, const uint8_t *b) {
    for (uint32_t i = 0; i < type->n_fields; i++)
        if (!same_field(c, type, &type->fields[i], a, b)) return differ("another field", type, &type->fields[i]);
    if (type->flags & TERN_TYPE_MAP_ENTRY) return true;
    const tern_unknown *au = (const void *)(a + type->unknown_offset), *bu = (const void *)(b + type->unknown_offset);
    return same_bytes(c, au->data, au->len, bu->data, bu->len) || differ("other unknown fields", type, NULL);
}

bool graphs_equal(const tern_type *type, const void *a, const void *b, const tern_heap *a_heap, const tern_heap *b_heap,
                  bool is_tree) {
    comparison c = {.a_heap = a_heap, .b_heap = b_heap, .is_tree = is_tree};
    bool ok = meet_messages(&c, type, a, b) || differ("another root", type, NULL);
    while (ok && c.n_pairs > 0) {
        pair p = c.pairs[--c.n_pairs];
        ok = same_message(&c, p.type, p.a, p.b);
    }
    free(c.a_table);
    free(c.b_table);
    free(c.pairs);
    return ok;
}

/* ---- Sending ------------------------------------------------------------------------------------- */

static void copy_fragment(const tern__fragment *f, copied_fragment *out) {
    *out = (copied_fragment){malloc(f->meta_bytes), malloc(f->data_bytes + 1), f->meta_bytes, 0};
    memcpy(out->meta, f->meta, f->meta_bytes);
    for (size_t i = 0; i < f->n_pieces; i++) {
        memcpy(out->data + out->data_bytes, f->pieces[i].data, f->pieces[i].bytes);
        out->data_bytes += f->pieces[i].bytes;
    }
    if (out->data_bytes != f->data_bytes) printf("# the pieces have %zu bytes\n", out->data_bytes);
}

int graphs_copy(tern__walker *walker, const tern_type *type, const void *root, const tern__walk_config *config,
                copied_graph *out) {
    tern__fragment f;
    *out = (copied_graph){0};
    int err = tern__walk_begin(walker, type, root, config);
    if (err) return err;
    while ((err = tern__walk_next(walker, &f)) == 1) {
        if ((out->n & (out->n - 1)) == 0) out->list = realloc(out->list, (out->n * 2 + 1) * sizeof *out->list);
        copy_fragment(&f, &out->list[out->n++]);
    }
    tern__walk_end(walker);
    return err;
}

void graphs_drop(copied_graph *graph) {
    for (size_t i = 0; i < graph->n; i++) {
        free(graph->list[i].meta);
        free(graph->list[i].data);
    }
    free(graph->list);
    *graph = (copied_graph){0};
}

/* Pieces lie in memory of their own, so that whoever reads behind one is seen. */
static int feed_part(tern__recovery *r, tern_heap *heap, bool is_meta, const uint8_t *from, size_t bytes,
                     const feeding *how, size_t *left) {
    int err = 0;
    while (bytes > 0 && !err) {
        size_t used, n = how->piece_bytes ? 1 + (size_t)tern__rng_below(how->rng, how->piece_bytes) : bytes;
        if (n > bytes) n = bytes;
        if (how->cut && n > *left) n = *left;
        if (n == 0) return 0;
        uint8_t *piece = malloc(n);
        memcpy(piece, from, n);
        err = is_meta ? tern__recovery_meta(r, piece, n, &used) : tern__recovery_data(r, piece, n, &used);
        free(piece);
        if (!err && used != n) err = TERN_ERR_MALFORMED;
        if (how->between) how->between(heap);
        from += n;
        bytes -= n;
        *left -= n;
    }
    return err;
}

int graphs_feed(tern__recovery *r, tern_heap *heap, const copied_graph *graph, const feeding *how) {
    size_t left = how->cut ? how->cut : SIZE_MAX;
    int err = 0;
    for (size_t i = 0; i < graph->n && !err && left; i++) {
        const copied_fragment *f = &graph->list[i];
        err = feed_part(r, heap, true, f->meta, f->meta_bytes, how, &left);
        if (!err) err = feed_part(r, heap, false, f->data, f->data_bytes, how, &left);
    }
    return err;
}
