/* Collections: what is kept, what is freed, which pointers are refused. */
#include "base/base.h"
#include "graph/mark.h"
#include "links.h"
#include "tap.h"

static tern_heap *make(void) {
    tern_heap_config config;
    tern_heap *heap = NULL;
    tern_heap_config_init(&config);
    config.max_bytes = (size_t)1 << 30;
    return tern_heap_new(&config, &heap) == 0 ? heap : NULL;
}

static uint64_t objects_after_collecting(tern_heap *heap) {
    int err = tern_heap_collect(heap);
    if (err) printf("# collect: %d %s\n", err, tern_heap_problem(heap));
    return err ? UINT64_MAX : stats_of(heap).objects;
}

static void collect__frees_cycles_that_nothing_keeps(void) {
    tern_heap *heap = make();
    tern_root root;
    link_msg *a = link_new(heap, 1), *b = link_new(heap, 2), *c = link_new(heap, 3);
    a->next = b, b->next = a, c->next = a;
    CHECK_EQ(tern_root_new(heap, c, &root), 0);
    CHECK_EQ(objects_after_collecting(heap), 6);
    CHECK(a->next == b && b->id == 2 && tern_str_eq(b->label, tern_str_of("link number 2")));
    c->next = c;
    CHECK_EQ(objects_after_collecting(heap), 2);
    CHECK_EQ(tern_root_drop(heap, root), 0);
    CHECK_EQ(objects_after_collecting(heap), 0);
    CHECK_EQ(stats_of(heap).region_bytes, 0);
    CHECK_EQ(stats_of(heap).freed_objects, 6);
    CHECK_EQ(stats_of(heap).collections, 3);
    CHECK_EQ(tern_heap_free(heap), 0);
}

static void collect__follows_every_kind_of_field(void) {
    tern_heap *heap = make();
    tern_root root;
    tern_bytes raw;
    link_msg *a = link_new(heap, 0);
    CHECK_EQ(tern_root_new(heap, a, &root), 0);                          /* 2 objects */
    CHECK(link_add_peer(heap, a, link_new(heap, 1)));                    /* and 3 */
    CHECK(link_name(heap, a, 5, link_new(heap, 2)));                     /* and 3 */
    CHECK_EQ(tern_heap_reserve(heap, &link_type, a, LINK_INSIDE, 1), 0); /* and 1 */
    a->inside.len = 1;
    a->inside.data[0].other = link_new(heap, 3);                       /* and 2 */
    CHECK_EQ(tern_heap_reserve(heap, &link_type, a, LINK_TAGS, 2), 0); /* and 1 */
    CHECK_EQ(tern_heap_str(heap, "tag", 3, &a->tags.data[1]), 0);      /* and 1 */
    a->tags.len = 2;
    CHECK_EQ(tern_heap_reserve(heap, &link_type, a, LINK_VALUES, 9), 0); /* and 1 */
    CHECK_EQ(tern_heap_bytes(heap, "extra", 5, &a->extra), 0);           /* and 1 */
    a->has.extra = 1;
    a->friend = link_new(heap, 4); /* and 2 */
    a->one_case = LINK_FRIEND;
    CHECK_EQ(tern_heap_bytes(heap, "\xa0\x06\x01", 3, &raw), 0); /* and 1 */
    a->unknown = (tern_unknown){.data = raw.data, .len = 3};
    CHECK_EQ(objects_after_collecting(heap), 18);
    CHECK_EQ(tern_heap_check(heap), 0);
    CHECK_EQ(a->peers.data[0]->id, 1);
    CHECK_EQ(((link_entry *)tern_map_find(&link_entry_type, &a->named, &(uint32_t){5}))->value->id, 2);
    CHECK_EQ(a->inside.data[0].other->id, 3);
    CHECK_EQ(a->friend->id, 4);
    CHECK(memcmp(a->extra.data, "extra", 5) == 0 && memcmp(a->tags.data[1].data, "tag", 3) == 0);
    /* A member that is not set keeps nothing. */
    a->has.extra = 0;
    a->one_case = 11;
    CHECK_EQ(objects_after_collecting(heap), 15);
    CHECK_EQ(tern_heap_free(heap), 0);
}

static void collect__views_keep_the_whole_object(void) {
    tern_heap *heap = make();
    tern_root root;
    tern_bytes text;
    link_msg *a = tern_heap_alloc(heap, &link_type);
    CHECK_EQ(tern_root_new(heap, a, &root), 0);
    for (size_t len = 10; len < 3 << 20; len = len * 5 + 3) {
        CHECK_EQ(tern_heap_bytes(heap, NULL, len, &text), 0);
        memset((char *)(uintptr_t)text.data, 'x', len);
        for (size_t at = 0; at < len; at += len / 3 + 1) {
            a->label = (tern_str){(const char *)text.data + at, len - at < 4 ? len - at : 4};
            CHECK_EQ(objects_after_collecting(heap), 2);
            CHECK_EQ(tern_heap_check(heap), 0);
            CHECK(((const char *)text.data)[0] == 'x' && ((const char *)text.data)[len - 1] == 'x');
        }
        a->label = (tern_str){(const char *)text.data + len - 1, 2};
        CHECK_EQ(tern_heap_collect(heap), TERN_ERR_INVALID);
        CHECK(strstr(tern_heap_problem(heap), "root 0.label"));
        a->label = (tern_str){(const char *)text.data + 1, SIZE_MAX};
        CHECK_EQ(tern_heap_collect(heap), TERN_ERR_INVALID);
        a->label = (tern_str){(const char *)text.data - 4, 2};
        CHECK_EQ(tern_heap_collect(heap), TERN_ERR_INVALID);
    }
    a->label = (tern_str){0};
    CHECK_EQ(objects_after_collecting(heap), 1);
    CHECK_EQ(tern_heap_free(heap), 0);
}

static void collect__ignores_what_lies_outside(void) {
    static link_msg literal = {.id = 9};
    static link_msg *outside_peers[] = {&literal};
    tern_heap *heap = make();
    tern_root root;
    link_msg *a = link_new(heap, 1), *b = link_new(heap, 2);
    literal.next = b; /* keeps nothing */
    a->next = &literal;
    a->label = tern_str_of("a literal");
    a->peers = (list_link_ref){outside_peers, 1, 0};
    CHECK_EQ(tern_root_new(heap, a, &root), 0);
    CHECK_EQ(objects_after_collecting(heap), 1);
    CHECK_EQ(tern_heap_check(heap), 0);
    CHECK(a->next == &literal && tern_heap_compact(heap) == 0);
    a = tern_root_get(heap, root);
    CHECK(a->next == &literal && a->peers.data == outside_peers && a->label.len == 9);
    CHECK_EQ(tern_heap_free(heap), 0);
}

/* One wrong pointer after another; each is refused with its path, and nothing is freed. */
static void collect__refuses_wrong_pointers(void) {
    tern_heap *heap = make();
    tern_root root;
    link_msg *a = link_new(heap, 1), *b = link_new(heap, 2), *c = link_new(heap, 3);
    CHECK_EQ(tern_root_new(heap, a, &root), 0);
    CHECK(link_add_peer(heap, a, b) && link_add_peer(heap, a, b) && link_name(heap, b, 4, c));
    CHECK_EQ(tern_heap_reserve(heap, &link_type, c, LINK_INSIDE, 3), 0);
    c->inside.len = 3;
    const struct {
        void *pointer;
        const char *path;
    } wrong[] = {
        {&b->id + 2, "root 0.peers[0].named[0].value.next"}, /* inside a message */
        {(char *)b + 1, ".next"},                            /* not aligned */
        {&c->inside.data[1], ".next"},                       /* a struct in a list */
        {&c->inside.data[0], ".next"},                       /* the first: a list all the same */
        {(void *)(uintptr_t)b->label.data, ".next"},         /* bytes */
        {a->peers.data, ".next"},                            /* storage */
    };
    uint64_t before = stats_of(heap).objects;
    for (size_t i = 0; i < TERN__COUNT(wrong); i++) {
        c->next = wrong[i].pointer;
        CHECK_EQ(tern_heap_collect(heap), TERN_ERR_INVALID);
        CHECK(strstr(tern_heap_problem(heap), wrong[i].path));
        CHECK_EQ(tern_heap_check(heap), TERN_ERR_INVALID);
        CHECK(strstr(tern_heap_problem(heap), wrong[i].path));
        CHECK_EQ(tern_heap_compact(heap), TERN_ERR_INVALID);
        CHECK_EQ(stats_of(heap).objects, before);
    }
    c->next = NULL;
    c->inside.len = c->inside.cap + 1;
    CHECK_EQ(tern_heap_collect(heap), TERN_ERR_INVALID);
    CHECK(strstr(tern_heap_problem(heap), ".inside"));
    c->inside.len = 3;
    c->inside.data[2].next = (link_msg *)(void *)c->inside.data;
    CHECK_EQ(tern_heap_collect(heap), TERN_ERR_INVALID);
    CHECK(strstr(tern_heap_problem(heap), "root 0.peers[0].named[0].value.inside[2].next"));
    c->inside.data[2].next = NULL;
    CHECK_EQ(objects_after_collecting(heap), before);
    CHECK_EQ(tern_heap_free(heap), 0);
}

static void collect__refuses_pointers_to_freed_objects(void) {
    tern_heap *heap = make();
    tern_root root;
    link_msg *a = link_new(heap, 1), *b = link_new(heap, 2);
    CHECK_EQ(tern_root_new(heap, a, &root), 0);
    CHECK_EQ(objects_after_collecting(heap), 2);
    a->next = b;
    CHECK_EQ(tern_heap_collect(heap), TERN_ERR_INVALID);
    CHECK(strstr(tern_heap_problem(heap), "root 0.next of test.Link"));
    CHECK_EQ(tern_heap_free(heap), 0);
}

/* A list of a million: no recursion, and the bounded stack suffices. */
static void collect__long_lists(void) {
    enum { N = 1000000 };
    tern_heap *heap = make();
    tern_root root;
    link_msg *first = NULL;
    for (uint32_t i = 0; i < N; i++) {
        link_msg *link = tern_heap_alloc(heap, &link_type);
        CHECK(link);
        link->next = first;
        link->id = i;
        first = link;
    }
    CHECK_EQ(tern_root_new(heap, first, &root), 0);
    CHECK_EQ(objects_after_collecting(heap), N);
    CHECK_EQ(stats_of(heap).rescans, 0);
    first->next = NULL;
    CHECK_EQ(objects_after_collecting(heap), 1);
    CHECK_EQ(tern_heap_free(heap), 0);
}

/* A binary tree, each of whose nodes has a list of further links, with stacks of all sizes. */
static link_msg *grow_tree(tern_heap *heap, int depth) {
    link_msg *link = link_new(heap, (uint32_t)depth);
    if (depth == 0) return link;
    link->next = grow_tree(heap, depth - 1);
    link->other = grow_tree(heap, depth - 1);
    for (int i = 0; i < depth; i++) (void)link_add_peer(heap, link, link_new(heap, 0));
    return link;
}

static void collect__with_a_full_stack(void) {
    static const size_t places[] = {1, 2, 3, 7, 20};
    tern_heap *heap = make();
    tern_root root;
    CHECK_EQ(tern_root_new(heap, grow_tree(heap, 12), &root), 0);
    uint64_t kept = objects_after_collecting(heap);
    CHECK(kept > 20000);
    for (size_t i = 0; i < TERN__COUNT(places); i++) {
        uint64_t before = stats_of(heap).rescans;
        tern__mark_limit(heap, places[i]);
        (void)grow_tree(heap, 5);
        CHECK_EQ(objects_after_collecting(heap), kept);
        CHECK(places[i] > 7 || stats_of(heap).rescans > before);
        CHECK_EQ(tern_heap_check(heap), 0);
    }
    CHECK_EQ(tern_heap_free(heap), 0);
}

static void collect__huge_lists(void) {
    enum { N = 300000 };
    tern_heap *heap = make();
    tern_root root;
    link_msg *a = link_new(heap, 0);
    CHECK_EQ(tern_root_new(heap, a, &root), 0);
    CHECK_EQ(tern_heap_reserve(heap, &link_type, a, LINK_PEERS, N), 0);
    for (uint32_t i = 0; i < N; i++) a->peers.data[a->peers.len++] = i % 3 ? a : tern_heap_alloc(heap, &link_type);
    CHECK_EQ(objects_after_collecting(heap), 2 + 1 + N / 3);
    tern__mark_limit(heap, 1);
    CHECK_EQ(objects_after_collecting(heap), 2 + 1 + N / 3);
    a->peers = (list_link_ref){0};
    CHECK_EQ(objects_after_collecting(heap), 2);
    CHECK(stats_of(heap).committed_bytes <= 16 << 20);
    CHECK_EQ(tern_heap_free(heap), 0);
}

/* Programs that make and drop objects for ever, some of them long, need no more memory for that. */
static void collect__memory_is_used_again(void) {
    enum { KEPT = 1000 };
    static tern_root roots[KEPT];
    tern_heap *heap = make();
    uint64_t most = 0;
    for (uint32_t i = 0; i < KEPT; i++) CHECK_EQ(tern_root_new(heap, link_new(heap, i), &roots[i]), 0);
    for (uint32_t round = 0; round < 300; round++) {
        for (uint32_t i = 0; i < 3000; i++) {
            link_msg *link = link_new(heap, i);
            CHECK(link);
            CHECK_EQ(tern_heap_bytes(heap, NULL, i * i % 3000, &link->extra), 0);
            link->has.extra = 1;
            if (i % 10 == 0) CHECK_EQ(tern_root_set(heap, roots[(round * 7 + i) % KEPT], link), 0);
        }
        CHECK_EQ(tern_heap_collect(heap), 0);
        if (round == 20) most = stats_of(heap).committed_bytes;
    }
    CHECK(stats_of(heap).committed_bytes <= most + (2 << 20));
    CHECK_EQ(tern_heap_check(heap), 0);
    CHECK_EQ(tern_heap_free(heap), 0);
}

static void collect__pins_keep_objects(void) {
    tern_heap *heap = make();
    link_msg *a = link_new(heap, 1);
    a->next = link_new(heap, 2);
    CHECK_EQ(tern_heap_pin(heap, a, 1), 0);
    CHECK_EQ(objects_after_collecting(heap), 4);
    CHECK_EQ(tern_heap_unpin(heap, a, 1), 0);
    CHECK_EQ(objects_after_collecting(heap), 0);
    tern_bytes large;
    CHECK_EQ(tern_heap_bytes(heap, NULL, 5 << 20, &large), 0);
    const char *inside = (const char *)large.data + (3 << 20);
    CHECK_EQ(tern_heap_pin(heap, inside, 1 << 20), 0);
    CHECK_EQ(objects_after_collecting(heap), 1);
    CHECK(inside[0] == 0);
    CHECK_EQ(tern_heap_unpin(heap, inside, 1 << 20), 0);
    CHECK_EQ(objects_after_collecting(heap), 0);
    CHECK_EQ(tern_heap_free(heap), 0);
}

/* Pins of a range and of its parts are undone in any order. */
static void collect__pins_overlap(void) {
    tern_heap *heap = make();
    tern_bytes large;
    CHECK_EQ(tern_heap_bytes(heap, NULL, 5 << 20, &large), 0);
    link_msg *a = link_new(heap, 1);
    const char *low = (const char *)(const void *)a, *high = large.data;
    if (low > high) low = large.data, high = (const char *)(const void *)a;
    size_t span = (size_t)(high - low) + 1;
    CHECK_EQ(tern_heap_pin(heap, low, span), 0);
    CHECK_EQ(tern_heap_unpin(heap, low, 1), 0);
    CHECK_EQ(tern_heap_free(heap), TERN_ERR_AGAIN);
    CHECK_EQ(tern_heap_unpin(heap, low, 1), TERN_ERR_INVALID);
    CHECK_EQ(tern_heap_unpin(heap, high, 1), 0);
    CHECK_EQ(tern_heap_pin(heap, low, 1) + tern_heap_pin(heap, high, 1), 0);
    CHECK_EQ(tern_heap_unpin(heap, low, span), 0);
    CHECK_EQ(tern_heap_free(heap), 0);
}

TAP_MAIN(TEST(collect__pins_overlap), TEST(collect__frees_cycles_that_nothing_keeps),
         TEST(collect__follows_every_kind_of_field), TEST(collect__views_keep_the_whole_object),
         TEST(collect__ignores_what_lies_outside), TEST(collect__refuses_wrong_pointers),
         TEST(collect__refuses_pointers_to_freed_objects), TEST(collect__long_lists), TEST(collect__with_a_full_stack),
         TEST(collect__huge_lists), TEST(collect__memory_is_used_again), TEST(collect__pins_keep_objects))
