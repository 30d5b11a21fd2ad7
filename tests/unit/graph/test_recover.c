/* Recoveries: whatever comes, the heap stays in order, nothing of a graph that is not whole is seen, and errors say
 * what was wrong. */
#include <stdlib.h>

#include "graph/fragment.h"
#include "graph/heap_record.h"
#include "graph/layout.h"
#include "graphs.h"
#include "tap.h"

static tern_heap *from, *to;
static tern__walker *walker;
static tern__recovery *recovery;

static tern_heap *new_heap(size_t max_bytes) {
    tern_heap *heap = NULL;
    tern_heap_config config;
    tern_heap_config_init(&config);
    config.max_bytes = max_bytes;
    return tern_heap_new(&config, &heap) == 0 ? heap : NULL;
}

static void begin(void) {
    from = new_heap(256 << 20);
    to = new_heap(256 << 20);
    CHECK(from && to);
    CHECK_EQ(tern__walker_new(from, &walker), 0);
    CHECK_EQ(tern__recovery_new(to, NULL, &recovery), 0);
}

static void end(void) {
    tern__walker_free(walker);
    tern__recovery_free(recovery);
    CHECK_EQ(tern_heap_free(from), 0);
    CHECK_EQ(tern_heap_free(to), 0);
}

/* A new connection: types are announced once more. */
static void again(void) {
    tern__walker_free(walker);
    tern__recovery_free(recovery);
    CHECK_EQ(tern__walker_new(from, &walker), 0);
    CHECK_EQ(tern__recovery_new(to, NULL, &recovery), 0);
}

/* What has come is given up, and nothing of it is left. */
static bool give_up(uint64_t objects) {
    tern__recovery_cancel(recovery);
    bool ok = tern_heap_check(to) == 0 && tern_heap_collect(to) == 0 && stats_of(to).objects == objects &&
              stats_of(to).pins == 0;
    if (!ok) printf("# %llu objects: %s\n", (unsigned long long)stats_of(to).objects, tern_heap_problem(to));
    return ok;
}

/* A graph with one of everything. */
static link_msg *sample(void) {
    link_msg *first = link_new(from, 1), *second = link_new(from, 2);
    for (uint32_t i = 0; i < 10; i++) link_name(from, first, i, i % 2 ? second : NULL);
    link_add_peer(from, first, second);
    link_add_peer(from, first, first);
    tern_heap_reserve(from, &link_type, first, LINK_INSIDE, 2);
    first->inside.len = 2;
    first->inside.data[1].label = (tern_str){first->label.data + 5, 4};
    tern_heap_reserve(from, &link_type, first, LINK_TAGS, 3);
    first->tags.len = 3;
    tern_heap_str(from, "h\xc3\xa9", 3, &first->tags.data[0]);
    tern_heap_reserve(from, &link_type, first, LINK_BITS, 3);
    first->bits.len = 3;
    first->bits.data[1] = true;
    tern_heap_reserve(from, &link_type, first, LINK_VALUES, 2);
    first->values.len = 2;
    first->one_case = LINK_FRIEND;
    first->friend = second;
    second->one_case = LINK_WORD;
    tern_heap_str(from, "word", 4, &second->word);
    tern_str unknown;
    tern_heap_str(from, "\xa0\x06\x01", 3, &unknown);
    second->unknown = (tern_unknown){(const uint8_t *)unknown.data, 3, 0};
    second->extra = (tern_bytes){unknown.data + 1, 2};
    second->has.extra = 1;
    second->next = first;
    return first;
}

/* ---- Anything may come --------------------------------------------------------------------------- */

static void recover__cut_anywhere(void) {
    copied_graph graph;
    begin();
    const tern__walk_config config = {.fragment_bytes = 600};
    CHECK_EQ(graphs_copy(walker, &link_type, sample(), &config, &graph), 0);
    size_t all = 0;
    for (size_t i = 0; i < graph.n; i++) all += graph.list[i].meta_bytes + graph.list[i].data_bytes;
    CHECK(graph.n > 1 && all > 1000);
    for (size_t cut = 1; cut < all; cut++) {
        again();
        CHECK_EQ(tern__recovery_begin(recovery, &link_type, NULL), 0);
        CHECK_EQ(graphs_feed(recovery, to, &graph, &(feeding){.cut = cut}), 0);
        CHECK(tern__recovery_wanted(recovery) != TERN__WANTS_FINISH);
        tern_root root;
        CHECK_EQ(tern__recovery_finish(recovery, &root), TERN_ERR_AGAIN);
        CHECK(give_up(0));
    }
    graphs_drop(&graph);
    end();
}

static uint8_t *any_byte(copied_graph *graph, tern__rng *rng, bool *is_meta, size_t *left) {
    copied_fragment *f = &graph->list[tern__rng_below(rng, graph->n)];
    *is_meta = f->data_bytes == 0 || tern__rng_below(rng, 3) == 0;
    size_t bytes = *is_meta ? f->meta_bytes : f->data_bytes, at = (size_t)tern__rng_below(rng, bytes);
    if (tern__rng_below(rng, 2)) at &= ~(size_t)7;
    *left = bytes - at;
    return (*is_meta ? f->meta : f->data) + at;
}

static void change(copied_graph *graph, tern__rng *rng) {
    static const uint64_t values[] = {0, 1, 2, 3, 8, 16, 255, 65536, UINT32_MAX, UINT64_MAX, (uint64_t)1 << 63};
    bool is_meta;
    size_t left;
    uint8_t *at = any_byte(graph, rng, &is_meta, &left);
    switch (tern__rng_below(rng, 4)) {
    case 0: *at ^= (uint8_t)(1u << tern__rng_below(rng, 8)); break;
    case 1: *at = (uint8_t)tern__rng_next(rng); break;
    case 2:
        if (left >= 8) tern__store64(at, values[tern__rng_below(rng, TERN__COUNT(values))]);
        break;
    default:
        if (left >= 4) tern__store32(at, tern__load32(at) + (uint32_t)tern__rng_below(rng, 5) - 2);
        break;
    }
}

static copied_graph copy_of(const copied_graph *graph) {
    copied_graph copy = {.list = malloc(graph->n * sizeof *copy.list), .n = graph->n};
    for (size_t i = 0; i < graph->n; i++) {
        copy.list[i] = graph->list[i];
        copy.list[i].meta = malloc(graph->list[i].meta_bytes);
        copy.list[i].data = malloc(graph->list[i].data_bytes + 1);
        memcpy(copy.list[i].meta, graph->list[i].meta, graph->list[i].meta_bytes);
        memcpy(copy.list[i].data, graph->list[i].data, graph->list[i].data_bytes);
    }
    return copy;
}

/* Whatever is accepted is in order; whatever is refused is gone, with words for it. */
static bool try_changed(const copied_graph *graph, tern__rng *rng, int *n_accepted) {
    tern_root root;
    const uint64_t objects = stats_of(to).objects;
    const feeding how = {.rng = rng, .piece_bytes = tern__rng_below(rng, 2) ? 200 : 0};
    int err = tern__recovery_begin(recovery, &link_type, NULL);
    if (!err) err = graphs_feed(recovery, to, graph, &how);
    if (err || tern__recovery_wanted(recovery) != TERN__WANTS_FINISH) {
        if (err != TERN_ERR_MALFORMED && err && !tern__recovery_problem(recovery)[0]) return false;
        return give_up(objects);
    }
    ++*n_accepted;
    bool ok = tern__recovery_finish(recovery, &root) == 0 && tern_heap_check(to) == 0 && tern_heap_collect(to) == 0 &&
              tern_heap_compact(to) == 0 && tern_heap_check(to) == 0 && tern_root_drop(to, root) == 0 &&
              tern_heap_collect(to) == 0 && stats_of(to).objects == objects;
    if (!ok) printf("# %s\n", tern_heap_problem(to));
    return ok;
}

static void mutations(const link_msg *first, const tern__walk_config *config, uint64_t seed, int rounds) {
    copied_graph graph;
    tern__rng rng;
    int n_accepted = 0;
    tern__rng_seed(&rng, seed);
    CHECK_EQ(graphs_copy(walker, &link_type, first, config, &graph), 0);
    for (int i = 0; i < rounds; i++) {
        copied_graph changed = copy_of(&graph);
        for (uint64_t n = 1 + tern__rng_below(&rng, 3); n > 0; n--) change(&changed, &rng);
        again();
        bool ok = try_changed(&changed, &rng, &n_accepted);
        if (!ok) printf("# seed %d, round %d: %s\n", (int)seed, i, tern__recovery_problem(recovery));
        CHECK(ok);
        graphs_drop(&changed);
    }
    printf("# %d of %d accepted\n", n_accepted, rounds);
    CHECK(n_accepted > 0 && n_accepted < rounds);
    graphs_drop(&graph);
}

static void recover__changed_anywhere(void) {
    begin();
    mutations(sample(), NULL, 1, 12000);
    CHECK_OK();
    mutations(sample(), &(tern__walk_config){.fragment_bytes = 500, .inplace_bytes = 0}, 2, 12000);
    end();
}

static void recover__random_graphs_changed(void) {
    tern__rng rng;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        begin();
        tern__rng_seed(&rng, seed);
        link_msg *first = graphs_random((place){from, NULL}, &rng, 40, false);
        CHECK(first);
        mutations(first, &(tern__walk_config){.fragment_bytes = seed % 2 ? 2000 : 0}, seed, 300);
        CHECK_OK();
        end();
    }
}

/* ---- Certain things ------------------------------------------------------------------------------ */

/* Sends with the sender's word for it that all is well; what the receiver says of it. */
static int receive(const link_msg *first, const char *words) {
    copied_graph graph;
    tern_root root;
    again();
    int err = graphs_copy(walker, &link_type, first, NULL, &graph);
    if (err) printf("# the sender says: %s\n", tern__walker_problem(walker));
    if (!err) err = tern__recovery_begin(recovery, &link_type, NULL);
    if (!err) err = graphs_feed(recovery, to, &graph, &(feeding){0});
    if (!err) err = tern__recovery_finish(recovery, &root);
    if (words && !strstr(tern__recovery_problem(recovery), words)) {
        printf("# %s\n", tern__recovery_problem(recovery));
        err = 1;
    }
    if (!err && tern_heap_check(to)) err = 2;
    tern__recovery_cancel(recovery);
    graphs_drop(&graph);
    return err;
}

static void recover__values_that_c_must_not_see(void) {
    begin();
    link_msg *first = sample();
    CHECK_EQ(receive(first, NULL), 0);
    *(uint8_t *)&first->on = 2;
    CHECK_EQ(receive(first, "test.Link.on"), TERN_ERR_INVALID);
    first->on = true;
    *(uint8_t *)&first->inside.data[1].on = 7;
    CHECK_EQ(receive(first, "test.Link.on, element 1"), TERN_ERR_INVALID);
    first->inside.data[1].on = false;
    *(uint8_t *)&first->bits.data[2] = 3;
    CHECK_EQ(receive(first, "test.Link.bits"), TERN_ERR_INVALID);
    first->bits.data[2] = false;
    first->one_case = 3;
    CHECK_EQ(receive(first, "has a value that its type does not have"), TERN_ERR_INVALID);
    first->one_case = 0;
    ((char *)(uintptr_t)first->tags.data[0].data)[2] = 'x';
    CHECK_EQ(receive(first, "not valid UTF-8"), TERN_ERR_UTF8);
    ((char *)(uintptr_t)first->tags.data[0].data)[2] = (char)0xa9;
    first->tags.data[1] = (tern_str){first->tags.data[0].data, 2}; /* ends within a character */
    CHECK_EQ(receive(first, "not valid UTF-8"), TERN_ERR_UTF8);
    first->tags.data[1] = (tern_str){first->tags.data[0].data + 2, 1};
    CHECK_EQ(receive(first, "not valid UTF-8"), TERN_ERR_UTF8);
    first->tags.data[1] = (tern_str){first->tags.data[0].data, 1};
    CHECK_EQ(receive(first, NULL), 0);
    first->peers.data[1] = NULL;
    CHECK_EQ(receive(first, "test.Link.peers"), TERN_ERR_INVALID);
    end();
}

/* Text within bytes that are none is looked at by itself, and all that together within bounds. */
static void recover__texts_in_bytes(void) {
    tern_bytes bytes;
    begin();
    link_msg *first = link_new(from, 0);
    CHECK_EQ(tern_heap_bytes(from, NULL, 400000, &bytes), 0);
    uint8_t *all = (uint8_t *)(uintptr_t)bytes.data;
    memset(all, 'x', bytes.len);
    all[0] = 0xff;
    first->extra = bytes;
    first->has.extra = 1;
    first->label = (tern_str){(const char *)all + 1, 20};
    CHECK_EQ(receive(first, NULL), 0);
    const uint32_t n = 20000;
    CHECK_EQ(tern_heap_reserve(from, &link_type, first, LINK_TAGS, n), 0);
    first->tags.len = n;
    for (uint32_t i = 0; i < n; i++) first->tags.data[i] = (tern_str){(const char *)all + 1, bytes.len - 1};
    CHECK_EQ(receive(first, "shares its content"), TERN_ERR_LIMIT); /* 8 GB of text to look at */
    all[0] = 'x';
    CHECK_EQ(receive(first, NULL), 0); /* all of it is text: once */
    end();
}

static void recover__room_and_padding_are_made_anew(void) {
    tern_root root;
    copied_graph graph;
    begin();
    link_msg *first = sample();
    memset((uint8_t *)first + 5, 0xaa, 3);
    ((uint8_t *)&first->has)[3] = 0xdd;
    first->unknown = (tern_unknown){NULL, 0, 77};
    first->bits.cap = 0; /* borrowed */
    CHECK_EQ(graphs_copy(walker, &link_type, first, &(tern__walk_config){.inplace_bytes = 0}, &graph), 0);
    CHECK_EQ(tern__recovery_begin(recovery, &link_type, NULL), 0);
    CHECK_EQ(graphs_feed(recovery, to, &graph, &(feeding){0}), 0);
    CHECK_EQ(tern__recovery_finish(recovery, &root), 0);
    const link_msg *got = tern_root_get(to, root);
    CHECK_EQ(tern__load32((const uint8_t *)got + 4), 0);
    CHECK_EQ(tern__load32(&got->has), 0);
    CHECK(got->unknown.cap == 0 && got->unknown.data == NULL && got->named.index == NULL);
    CHECK_EQ(got->bits.cap, 0);
    CHECK_EQ(got->tags.cap, tern__header_count(*tern__header_of((const uint8_t *)got->tags.data)));
    CHECK_EQ(got->extra.len, 0);
    CHECK_EQ(tern_heap_index(to, &link_type, tern_root_get(to, root), LINK_NAMED), 0);
    CHECK(tern_map_find(&link_entry_type, &got->named, &(uint32_t){7}));
    graphs_drop(&graph);
    end();
}

static void recover__types(void) {
    static tern_type other;
    static tern_field fields[15];
    copied_graph graph;
    begin();
    CHECK_EQ(graphs_copy(walker, &link_type, sample(), NULL, &graph), 0);
    other = link_type; /* another layout by the same name */
    memcpy(fields, link_type.fields, sizeof fields);
    fields[0].kind = TERN_INT32;
    other.fields = fields;
    CHECK_EQ(tern__recovery_begin(recovery, &other, NULL), 0);
    CHECK_EQ(graphs_feed(recovery, to, &graph, &(feeding){0}), TERN_ERR_VERSION);
    CHECK(strstr(tern__recovery_problem(recovery), "type test.Link has another layout"));
    tern__recovery_free(recovery);
    CHECK_EQ(tern_heap_free(to), 0);
    to = new_heap(64 << 20);
    CHECK_EQ(tern__recovery_new(to, NULL, &recovery), 0);
    other.name = "test.Other";
    memcpy(fields, link_type.fields, sizeof fields);
    CHECK_EQ(tern__recovery_begin(recovery, &other, NULL), 0);
    int err = graphs_feed(recovery, to, &graph, &(feeding){0}); /* it refers to test.Link, which is thus known */
    CHECK_EQ(err, TERN_ERR_INVALID);
    CHECK(strstr(tern__recovery_problem(recovery), "another type"));
    tern__recovery_cancel(recovery);
    CHECK_EQ(tern__recovery_begin(recovery, &link_entry_type, NULL), TERN_ERR_INVALID);
    graphs_drop(&graph);
    end();
}

/* What the receiver says of a graph whose last back pointer was put in place of another, and maybe a second entry. */
static int with_back(const copied_graph *graph, uint32_t unit, uint32_t inside, const char *words) {
    copied_graph changed = copy_of(graph);
    copied_fragment *f = &changed.list[0];
    tern__fragment_head head;
    memcpy(&head, f->meta, sizeof head);
    f->meta = realloc(f->meta, f->meta_bytes + 8);
    uint8_t *last = f->meta + f->meta_bytes - 8;
    tern__store32(last + 4, unit);
    if (inside) {
        tern__store32(last + 8, tern__load32(last));
        tern__store32(last + 12, inside);
        head.n_backs++;
        head.meta_bytes += 8;
        f->meta_bytes += 8;
        memcpy(f->meta, &head, sizeof head);
    }
    again();
    tern__recovery_begin(recovery, &link_type, NULL);
    int err = graphs_feed(recovery, to, &changed, &(feeding){0});
    if (!strstr(tern__recovery_problem(recovery), words)) printf("# %s\n", tern__recovery_problem(recovery)), err = 1;
    if (!give_up(0)) err = 2;
    graphs_drop(&changed);
    return err;
}

static void recover__back_pointers_that_lead_astray(void) {
    copied_graph graph;
    begin();
    link_msg *first = link_new(from, 1), *second = link_new(from, 2);
    first->next = second;
    second->next = first; /* the last reference: the only one that leads back */
    const uint32_t link_units = (sizeof *first + 8) / 8;
    CHECK_EQ(graphs_copy(walker, &link_type, first, NULL, &graph), 0);
    CHECK_EQ(with_back(&graph, 1, 0, ""), 0);
    CHECK_EQ(with_back(&graph, 0, 0, "no object has come before"), TERN_ERR_INVALID);
    CHECK_EQ(with_back(&graph, 2, 0, "no object has come before"), TERN_ERR_INVALID);
    CHECK_EQ(with_back(&graph, 1000000, 0, "no object has come before"), TERN_ERR_INVALID);
    CHECK_EQ(with_back(&graph, link_units + 1, 0, "another type"), TERN_ERR_INVALID); /* a string */
    CHECK_EQ(with_back(&graph, 1, 8, "leads to no message"), TERN_ERR_INVALID);
    graphs_drop(&graph);
    second->next = NULL;
    second->label = (tern_str){first->label.data + 2, 4}; /* a view, by two entries */
    CHECK_EQ(graphs_copy(walker, &link_type, first, NULL, &graph), 0);
    CHECK_EQ(with_back(&graph, (uint32_t)first->label.len, 0, "more elements"), TERN_ERR_INVALID);
    CHECK_EQ(with_back(&graph, 3, 9, "more back pointers than references"), TERN_ERR_MALFORMED);
    tern__store32(graph.list[0].data + link_units * 8, 100000); /* the label's header: longer than the fragment */
    CHECK_EQ(with_back(&graph, 3, 0, "ends behind its fragment"), TERN_ERR_MALFORMED);
    graphs_drop(&graph);
    end();
}

/* A type that the heap has not met is looked for in the registry. */
static void recover__types_of_a_registry(void) {
    static const tern_type *const known[] = {&link_type, &link_entry_type};
    static const tern_registry registry = {known, 2};
    static tern_type other;
    copied_graph graph;
    begin();
    CHECK_EQ(graphs_copy(walker, &link_type, sample(), NULL, &graph), 0);
    other = link_type;
    other.name = "test.Other";
    other.n_fields = other.n_dense = other.max_number = 2; /* it refers to nothing */
    CHECK_EQ(tern__recovery_begin(recovery, &other, NULL), 0);
    CHECK_EQ(graphs_feed(recovery, to, &graph, &(feeding){0}), TERN_ERR_NOT_FOUND);
    CHECK(strstr(tern__recovery_problem(recovery), "type test.Link is not known here"));
    tern__recovery_free(recovery);
    CHECK_EQ(tern__recovery_new(to, &registry, &recovery), 0);
    CHECK_EQ(tern__recovery_begin(recovery, &other, NULL), 0);
    CHECK_EQ(graphs_feed(recovery, to, &graph, &(feeding){0}), TERN_ERR_INVALID);
    CHECK(strstr(tern__recovery_problem(recovery), "the root"));
    CHECK(give_up(0));
    graphs_drop(&graph);
    end();
}

/* The second graph of a connection announces nothing. */
static void recover__types_are_announced_once(void) {
    copied_graph graph;
    tern_root root;
    begin();
    for (int i = 0; i < 3; i++) {
        const link_msg *first = sample();
        CHECK_EQ(graphs_copy(walker, &link_type, first, NULL, &graph), 0);
        tern__fragment_head head;
        memcpy(&head, graph.list[0].meta, sizeof head);
        CHECK_EQ(head.types_bytes > 0, i == 0);
        CHECK_EQ(tern__recovery_begin(recovery, &link_type, NULL), 0);
        CHECK_EQ(graphs_feed(recovery, to, &graph, &(feeding){0}), 0);
        CHECK_EQ(tern__recovery_finish(recovery, &root), 0);
        CHECK(graphs_equal(&link_type, first, tern_root_get(to, root), from, to, false));
        graphs_drop(&graph);
    }
    CHECK_EQ(tern__recovery_begin(recovery, &link_type, NULL), 0);
    CHECK_EQ(tern__recovery_begin(recovery, &link_type, NULL), TERN_ERR_AGAIN);
    tern__recovery_cancel(recovery);
    end();
}

/* ---- Memory -------------------------------------------------------------------------------------- */

/* Whoever says that much will come gets no memory for it. */
static void recover__promises_cost_nothing(void) {
    copied_graph graph;
    size_t used;
    begin();
    tern_heap_free(from);
    from = NULL;
    tern__walker_free(walker);
    from = new_heap(256 << 20);
    CHECK_EQ(tern__walker_new(from, &walker), 0);
    tern__recovery_free(recovery);
    CHECK_EQ(tern_heap_free(to), 0);
    to = new_heap((size_t)16 << 30);
    CHECK_EQ(tern__recovery_new(to, NULL, &recovery), 0);
    link_msg *first = link_new(from, 0);
    first->label = (tern_str){0};
    CHECK_EQ(tern_heap_reserve(from, &link_type, first, LINK_VALUES, 4), 0);
    first->values.len = 4;
    CHECK_EQ(graphs_copy(walker, &link_type, first, NULL, &graph), 0);
    tern__fragment_head head;
    memcpy(&head, graph.list[0].meta, sizeof head);
    head.data_bytes = (uint64_t)3 << 30;
    memcpy(graph.list[0].meta, &head, sizeof head);
    uint8_t *values = graph.list[0].data + 8 + sizeof *first;
    tern__store32(values, 400000000); /* elements: 3 GB */
    uint64_t before = stats_of(to).committed_bytes;
    tern_mem_stats mem, mem_before;
    tern_mem_get_stats(&mem_before);
    CHECK_EQ(tern__recovery_begin(recovery, &link_type, NULL), 0);
    CHECK_EQ(tern__recovery_meta(recovery, graph.list[0].meta, graph.list[0].meta_bytes, &used), 0);
    CHECK_EQ(tern__recovery_data(recovery, graph.list[0].data, graph.list[0].data_bytes, &used), 0);
    CHECK(stats_of(to).committed_bytes - before <= 2 << 20);
    tern_mem_get_stats(&mem);
    CHECK(mem.committed_bytes - mem_before.committed_bytes <= 4 << 20);
    CHECK(give_up(0));
    graphs_drop(&graph);
    end();
}

static void obstruct(tern_heap *heap) {
    tern_bytes bytes;
    if (tern_heap_bytes(heap, NULL, 600000, &bytes) != 0) printf("# no room\n");
}

/* Objects of many regions, whose room grows as they come: where it is, or elsewhere when something is in the way. */
static void recover__long_objects(void) {
    copied_graph graph;
    tern_root root;
    tern__rng rng;
    begin();
    tern__rng_seed(&rng, 3);
    link_msg *first = link_new(from, 0);
    CHECK_EQ(tern_heap_reserve(from, &link_type, first, LINK_VALUES, 2500000), 0);
    first->values.len = 2400001;
    for (size_t i = 0; i < first->values.len; i++) first->values.data[i] = (double)i;
    CHECK_EQ(tern_heap_reserve(from, &link_type, first, LINK_INSIDE, 5000), 0);
    first->inside.len = 5000;
    for (uint32_t i = 0; i < 5000; i++) first->inside.data[i].next = i % 3 ? first : link_new(from, i);
    for (int obstructed = 0; obstructed < 2; obstructed++) {
        const feeding how = {.rng = &rng, .piece_bytes = 1 << 20, .between = obstructed ? obstruct : NULL};
        again();
        CHECK_EQ(graphs_copy(walker, &link_type, first, &(tern__walk_config){.inplace_bytes = 4096}, &graph), 0);
        CHECK_EQ(tern__recovery_begin(recovery, &link_type, NULL), 0);
        CHECK_EQ(graphs_feed(recovery, to, &graph, &how), 0);
        CHECK_EQ(tern__recovery_finish(recovery, &root), 0);
        CHECK_EQ(tern_heap_check(to), 0);
        CHECK(graphs_equal(&link_type, first, tern_root_get(to, root), from, to, false));
        tern__recovery_stats stats;
        tern__recovery_get_stats(recovery, &stats);
        uint64_t once = stats.bytes - 8 * stats.objects;
        CHECK(obstructed ? stats.copied_bytes > once && stats.copied_bytes < 3 * once : stats.copied_bytes == once);
        CHECK_EQ(tern_heap_compact(to), 0);
        CHECK(graphs_equal(&link_type, first, tern_root_get(to, root), from, to, false));
        CHECK_EQ(tern_root_drop(to, root), 0);
        CHECK_EQ(tern_heap_collect(to), 0);
        CHECK_EQ(stats_of(to).objects, 0);
        graphs_drop(&graph);
    }
    end();
}

static void collect(tern_heap *heap) {
    if (tern_heap_collect(heap) != 0) printf("# %s\n", tern_heap_problem(heap));
}

/* Objects that fill regions to the last byte, so that the next one begins where the region before ends. */
static void recover__regions_side_by_side(void) {
    enum { N = 70000, STRING_BYTES = 56 };
    static char text[STRING_BYTES];
    copied_graph graph;
    tern_root root;
    tern__rng rng;
    begin();
    tern__rng_seed(&rng, 6);
    link_msg *first = link_new(from, 0);
    CHECK_EQ(tern_heap_str(from, "forty-eight bytes of text, as the link is as long", 48, &first->label), 0);
    CHECK_EQ((sizeof *first + 8 + 48 + 8) % 64, 0);
    CHECK_EQ(tern_heap_reserve(from, &link_type, first, LINK_TAGS, N), 0);
    for (uint32_t i = 0; i < N; i++) {
        snprintf(text, sizeof text, "%055u", i);
        CHECK_EQ(tern_heap_str(from, text, sizeof text, &first->tags.data[first->tags.len++]), 0);
    }
    const feeding how = {.rng = &rng, .piece_bytes = 400000, .between = collect};
    CHECK_EQ(graphs_copy(walker, &link_type, first, NULL, &graph), 0);
    CHECK_EQ(tern__recovery_begin(recovery, &link_type, NULL), 0);
    CHECK_EQ(graphs_feed(recovery, to, &graph, &how), 0);
    CHECK_EQ(tern__recovery_finish(recovery, &root), 0);
    CHECK_EQ(tern_heap_check(to), 0);
    CHECK(graphs_equal(&link_type, first, tern_root_get(to, root), from, to, false));
    graphs_drop(&graph);
    end();
}

static void recover__limits(void) {
    copied_graph graph;
    begin();
    CHECK_EQ(graphs_copy(walker, &link_type, sample(), NULL, &graph), 0);
    const tern__recovery_config limits[] = {
        {.max_bytes = 1000}, {.max_objects = 3}, {.max_meta_bytes = 64}, {.max_stack_bytes = 8}};
    for (size_t i = 0; i < TERN__COUNT(limits); i++) {
        CHECK_EQ(tern__recovery_begin(recovery, &link_type, &limits[i]), 0);
        CHECK_EQ(graphs_feed(recovery, to, &graph, &(feeding){0}), TERN_ERR_LIMIT);
        CHECK(give_up(0));
        again();
    }
    graphs_drop(&graph);
    end();
}

/* Two graphs come into one heap by turns, with safe points in between, and the program goes on. */
static void recover__two_at_once(void) {
    copied_graph graphs[2];
    tern__recovery *both[2];
    tern__rng rng;
    size_t at[2] = {0};
    begin();
    tern__rng_seed(&rng, 9);
    const tern__walk_config config = {.fragment_bytes = 200};
    link_msg *first[2];
    tern_root roots[2];
    for (int i = 0; i < 2; i++) {
        first[i] = graphs_random((place){from, NULL}, &rng, 300, false);
        again();
        CHECK_EQ(graphs_copy(walker, &link_type, first[i], &config, &graphs[i]), 0);
        CHECK_EQ(tern__recovery_new(to, NULL, &both[i]), 0);
        CHECK_EQ(tern__recovery_begin(both[i], &link_type, NULL), 0);
    }
    for (int n = 0; at[0] < graphs[0].n || at[1] < graphs[1].n; n++) {
        int i = at[0] >= graphs[0].n || (at[1] < graphs[1].n && tern__rng_below(&rng, 2));
        const copied_graph one = {&graphs[i].list[at[i]++], 1};
        CHECK_EQ(graphs_feed(both[i], to, &one, &(feeding){0}), 0);
        CHECK(link_new(to, 5));
        if (n % 7 == 0) CHECK_EQ(n % 2 ? tern_heap_compact(to) : tern_heap_collect(to), 0);
        if (n % 11 == 0) CHECK_EQ(tern_heap_check(to), 0);
    }
    for (int i = 0; i < 2; i++) CHECK_EQ(tern__recovery_finish(both[i], &roots[i]), 0);
    CHECK_EQ(tern_heap_check(to), 0);
    CHECK_EQ(tern_heap_compact(to), 0);
    for (int i = 0; i < 2; i++) {
        CHECK(graphs_equal(&link_type, first[i], tern_root_get(to, roots[i]), from, to, false));
        graphs_drop(&graphs[i]);
        tern__recovery_free(both[i]);
    }
    end();
}

static void recover__a_heap_is_not_saved_meanwhile(void) {
    copied_graph graph;
    begin();
    CHECK_EQ(graphs_copy(walker, &link_type, sample(), NULL, &graph), 0);
    CHECK_EQ(tern__recovery_begin(recovery, &link_type, NULL), 0);
    CHECK_EQ(graphs_feed(recovery, to, &graph, &(feeding){.cut = 500}), 0);
    CHECK_EQ(tern_heap_save(to, "/tmp/tern-not-saved"), TERN_ERR_AGAIN);
    CHECK_EQ(tern_heap_free(to), TERN_ERR_AGAIN);
    CHECK(give_up(0));
    graphs_drop(&graph);
    end();
}

TAP_MAIN(TEST(recover__cut_anywhere), TEST(recover__changed_anywhere), TEST(recover__random_graphs_changed),
         TEST(recover__values_that_c_must_not_see), TEST(recover__texts_in_bytes),
         TEST(recover__room_and_padding_are_made_anew), TEST(recover__types), TEST(recover__types_of_a_registry),
         TEST(recover__back_pointers_that_lead_astray), TEST(recover__types_are_announced_once),
         TEST(recover__promises_cost_nothing), TEST(recover__long_objects), TEST(recover__regions_side_by_side),
         TEST(recover__limits), TEST(recover__two_at_once), TEST(recover__a_heap_is_not_saved_meanwhile))
