/* Words for what cannot be walked: which path, to where, and never more than there is room for. */
#include "base/base.h"
#include "refs.tern.h"
#include "tap.h"

static const tern_type *const type = &test_refs_Node_type;

static tern_arena arena;

static void set_up(void) { tern_arena_init(&arena, 1 << 16, 0); }
static void tear_down(void) { tern_arena_fini(&arena); }

static void check_words(const test_refs_Node *msg, int wanted, const char *words) {
    char out[300];
    int err = tern_message_explain(type, msg, out, sizeof out);
    if (strcmp(out, words) != 0) printf("# wanted: %s\n# got: %s\n", words, out);
    CHECK_EQ(err, wanted);
    CHECK(strcmp(out, words) == 0);
}

static void explain__nothing(void) {
    test_refs_Node root = {0}, kid = {0};
    test_refs_Leaf leaf = {.has = {.id = 1}};
    set_up();
    check_words(&root, 0, "");
    for (int i = 0; i < 3; i++) CHECK_EQ(test_refs_Node_put_kids(&root, &kid, &arena), 0);
    CHECK_EQ(test_refs_Node_put_leaves(&root, &leaf, &arena), 0);
    CHECK_EQ(test_refs_Node_put_numbered(&root, 1, &leaf, &arena), 0);
    CHECK_EQ(test_refs_Node_put_named(&root, tern_str_of("none"), NULL, &arena), 0);
    root.next = &kid;
    check_words(&root, 0, "");
    CHECK_EQ(tern_message_explain(type, &root, NULL, 0), 0);
    tear_down();
}

static void explain__cycles(void) {
    test_refs_Node a = {0}, b = {0}, c = {0};
    set_up();
    a.next = &a;
    check_words(&a, TERN_ERR_LIMIT, "next points back to the message itself: a cycle");
    a.next = &b;
    b.next = &c;
    c.next = &b;
    check_words(&a, TERN_ERR_LIMIT, "next.next.next points back to next: a cycle");
    test_refs_Node left = {0}, up = {0}, leaf = {0};
    c = (test_refs_Node){0};
    CHECK_EQ(test_refs_Node_put_kids(&c, &leaf, &arena), 0);
    CHECK_EQ(test_refs_Node_put_kids(&c, &left, &arena), 0);
    CHECK_EQ(test_refs_Node_put_named(&left, tern_str_of("tea"), &up, &arena), 0);
    test_refs_Node_set_inner(&up, &left);
    check_words(&c, TERN_ERR_LIMIT, "kids[1].named[\"tea\"].inner points back to kids[1]: a cycle");
    tear_down();
}

static void explain__cycles_through_structs(void) {
    test_refs_Node a = {0}, list[2] = {{0}, {0}};
    a.plain = (test_refs_Node_list){list, 2, 0};
    list[1].next = &a;
    check_words(&a, TERN_ERR_LIMIT, "plain[1].next points back to the message itself: a cycle");
    list[1].next = &list[0];
    list[0].next = &list[1];
    check_words(&a, TERN_ERR_LIMIT, "plain[0].next.next points back to plain[0]: a cycle");
}

/* A struct that lies where another begins is not the same message. */
static void explain__one_address_of_two_types(void) {
    struct {
        test_refs_Far far;
        test_refs_Node *pointer;
    } both = {0};
    both.pointer = (test_refs_Node *)(void *)&both.far;
    both.far.nodes.data = &both.pointer;
    both.far.nodes.len = 0;
    CHECK_EQ(tern_message_explain(&test_refs_Far_type, &both.far, NULL, 0), 0);
}

static void explain__keys(void) {
    test_refs_Node root = {0}, bad = {0};
    test_refs_Leaf leaf = {0};
    bad.next = &bad;
    set_up();
    CHECK_EQ(test_refs_Node_put_named(&root, tern_str_of("a\"\\\n\xc3\xa9"), &bad, &arena), 0);
    check_words(
        &root, TERN_ERR_LIMIT,
        "named[\"a\\x22\\x5c\\x0a\\xc3\\xa9\"].next points back to named[\"a\\x22\\x5c\\x0a\\xc3\\xa9\"]: a cycle");
    root.named.len = 0;
    const char *key = "a key of more than thirty-two bytes, of which the rest is left out";
    CHECK_EQ(test_refs_Node_put_named(&root, tern_str_of(key), &bad, &arena), 0);
    bad.next = NULL;
    CHECK_EQ(test_refs_Node_put_leaves(&bad, NULL, &arena), 0);
    check_words(&root, TERN_ERR_INVALID, "named[\"a key of more than thirty-two by...\"].leaves[0] is NULL");
    root.named.len = 0;
    CHECK_EQ(test_refs_Node_put_numbered(&root, -2147483647 - 1, &leaf, &arena), 0);
    check_words(&root, TERN_ERR_INVALID, "numbered[-2147483648].id is required and not set");
    root.numbered.len = 0;
    uint64_t wide = UINT64_MAX;
    test_refs_Node_WideEntry *entry = tern_map_insert(&test_refs_Node_WideEntry_type, &root.wide, &wide, &arena);
    CHECK(entry);
    entry->value = &bad;
    check_words(&root, TERN_ERR_INVALID, "wide[18446744073709551615].leaves[0] is NULL");
    root.wide.len = 0;
    test_refs_Node *flag = test_refs_Node_put_flags(&root, true, &arena);
    CHECK(flag);
    *flag = bad;
    check_words(&root, TERN_ERR_INVALID, "flags[true].leaves[0] is NULL");
    tear_down();
}

static void explain__what_is_missing(void) {
    test_refs_Node root = {0};
    test_refs_Leaf leaf = {.has = {.id = 1}}, none = {0};
    set_up();
    CHECK_EQ(test_refs_Node_put_leaves(&root, &leaf, &arena), 0);
    CHECK_EQ(test_refs_Node_put_leaves(&root, &none, &arena), 0);
    check_words(&root, TERN_ERR_INVALID, "leaves[1].id is required and not set");
    root.leaves.data[1] = NULL;
    check_words(&root, TERN_ERR_INVALID, "leaves[1] is NULL");
    tear_down();
}

static void explain__too_deep(void) {
    static test_refs_Node nodes[102];
    char words[60];
    for (int i = 0; i < 100; i++) nodes[i].next = &nodes[i + 1];
    CHECK_EQ(tern_message_explain(type, nodes, words, sizeof words), 0);
    nodes[100].next = &nodes[101];
    CHECK_EQ(tern_message_explain(type, nodes, words, sizeof words), TERN_ERR_LIMIT);
    CHECK(strcmp(words, "too many messages around next.next.next.next.next.next.next") > 0 || strlen(words) == 59);
    CHECK(strncmp(words, "too many messages around next.next.next.", 40) == 0);
    nodes[100].next = NULL;
}

static void explain__too_many(void) {
    static test_refs_Node nodes[61];
    for (int i = 0; i < 60; i++) {
        nodes[i].next = &nodes[i + 1];
        test_refs_Node_set_inner(&nodes[i], &nodes[i + 1]);
    }
    check_words(nodes, TERN_ERR_LIMIT, "more than 16777216 elements, counted as often as they are reached");
}

/* The words begin alike in rooms of every size, and stay in them. */
static void explain__in_every_room(void) {
    test_refs_Node a = {0}, b = {.next = &a};
    char whole[100];
    a.next = &b;
    CHECK_EQ(tern_message_explain(type, &a, whole, sizeof whole), TERN_ERR_LIMIT);
    size_t len = strlen(whole);
    for (size_t cap = 0; cap <= len + 1; cap++) {
        char out[100];
        memset(out, '#', sizeof out);
        CHECK_EQ(tern_message_explain(type, &a, out, cap), TERN_ERR_LIMIT);
        CHECK(out[cap] == '#');
        if (cap) CHECK(strlen(out) == cap - 1 && strncmp(out, whole, cap - 1) == 0);
    }
}

TAP_MAIN(TEST(explain__nothing), TEST(explain__cycles), TEST(explain__cycles_through_structs),
         TEST(explain__one_address_of_two_types), TEST(explain__keys), TEST(explain__what_is_missing),
         TEST(explain__too_deep), TEST(explain__too_many), TEST(explain__in_every_room))
