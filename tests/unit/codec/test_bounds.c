/* Graphs that are no trees, or too large as such: whatever walks over a message ends, soon, and says so. */
#include <stdio.h>
#include <time.h>

#include "codec/format_hybrid.h"
#include "codec/format_protobuf.h"
#include "refs.tern.h"
#include "tap.h"
#include "tern/json.h"

/* A walk may take a second on a machine that has nothing else to do. Sanitizers make it several times slower. */
enum { MAX_SECONDS = 60 }; /* where nothing bounds a walk, it takes years */

static const tern_type *const type = &test_refs_Link_type;

static tern_arena arena;

static void set_up(void) { tern_arena_init(&arena, 1 << 16, 0); }
static void tear_down(void) { tern_arena_fini(&arena); }

/* ---- Everything that walks ------------------------------------------------------------------------ */

static int ignore_pieces(void *ctx, const tern_bytes *pieces, size_t n) {
    (void)ctx, (void)pieces, (void)n;
    return 0;
}

static int do_protobuf_size(const void *msg) { return (int)tern_protobuf_size(type, msg); }

static int encode_protobuf(const void *msg, size_t cap) {
    void *out = malloc(cap);
    int64_t len = out ? tern_protobuf_encode(type, msg, out, cap) : TERN_ERR_NOMEM;
    free(out);
    return (int)len;
}

static int do_protobuf_encode(const void *msg) { return encode_protobuf(msg, 1 << 20); }
static int do_protobuf_encode_large(const void *msg) { return encode_protobuf(msg, 64 << 20); }

static int do_protobuf_sg(const void *msg) {
    tern_arena own;
    tern_arena_init(&own, 0, 0);
    int64_t len = tern_protobuf_encode_sg(type, msg, 0, TERN_SG_ANY, &own, ignore_pieces, NULL);
    tern_arena_fini(&own);
    return (int)len;
}

static int plan_of(const tern__format *format, const void *msg) {
    tern__format_plan plan;
    return format->plan(type, msg, 512, &plan);
}

static int do_protobuf_plan(const void *msg) { return plan_of(&tern__format_protobuf, msg); }
static int do_hybrid_plan(const void *msg) { return plan_of(&tern__format_hybrid, msg); }

static int do_hybrid_encode(const void *msg) {
    char out[1000];
    return (int)tern_hybrid_encode(type, msg, out, sizeof out);
}

static int do_hybrid_emit(const void *msg) {
    tern_hybrid_emitted emitted;
    char out[1000];
    return tern_hybrid_emit(type, msg, SIZE_MAX, out, sizeof out, NULL, NULL, &emitted);
}

static int do_json(const void *msg) { return (int)tern_json_encode(type, msg, NULL, NULL, 0); }
static int do_text(const void *msg) { return (int)tern_text_encode(type, msg, NULL, NULL, 0); }

static int do_json_print(const void *msg) {
    tern_arena own;
    tern_str text;
    tern_arena_init(&own, 0, 0);
    int err = tern_json_print(type, msg, NULL, &own, &text);
    tern_arena_fini(&own);
    return err;
}

/* With memory it sorts maps. */
static int do_text_print(const void *msg) {
    tern_arena own;
    tern_str text;
    tern_arena_init(&own, 0, 0);
    int err = tern_text_print(type, msg, NULL, &own, &text);
    tern_arena_fini(&own);
    return err;
}

static int do_copy(const void *msg) {
    tern_arena own;
    test_refs_Link copy;
    tern_arena_init(&own, 0, 0);
    int err = tern_message_copy(type, msg, &own, &copy);
    tern_arena_fini(&own);
    return err;
}

static int do_explain(const void *msg) {
    char words[200];
    int err = tern_message_explain(type, msg, words, sizeof words);
    return words[0] ? err : -err; /* an error has words */
}

static const struct {
    const char *name;
    int (*walk)(const void *msg);
} walks[] = {
    {"protobuf size", do_protobuf_size},
    {"protobuf encode", do_protobuf_encode},
    {"protobuf encode, much room", do_protobuf_encode_large},
    {"protobuf sg", do_protobuf_sg},
    {"protobuf plan", do_protobuf_plan},
    {"hybrid plan", do_hybrid_plan},
    {"hybrid encode", do_hybrid_encode},
    {"hybrid emit", do_hybrid_emit},
    {"json", do_json},
    {"json print", do_json_print},
    {"text", do_text},
    {"text print", do_text_print},
    {"copy", do_copy},
    {"explain", do_explain},
};

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void check_walk(size_t i, const test_refs_Link *msg, int wanted) {
    double start = seconds();
    int err = walks[i].walk(msg);
    double took = seconds() - start;
    if (err != wanted) printf("# %s: %d\n", walks[i].name, err);
    if (took > 0.5) printf("# %s: %.2f s\n", walks[i].name, took);
    CHECK_EQ(err, wanted);
    CHECK(took < MAX_SECONDS);
}

/* Each walk over the message, or every `step`th, ends with this error, and soon. */
static void check_all(const test_refs_Link *msg, int wanted, size_t step) {
    for (size_t i = 0; i < TERN__COUNT(walks) && !tap_failed; i += step) check_walk(i, msg, wanted);
    double start = seconds();
    CHECK(!tern_message_equal(type, msg, msg));
    CHECK(seconds() - start < MAX_SECONDS);
}

/* ---- Diamonds ------------------------------------------------------------------------------------- */

typedef void link_fn(test_refs_Link *from, test_refs_Link *to);

static void link_singular(test_refs_Link *from, test_refs_Link *to) { from->left = from->right = to; }

static void link_list(test_refs_Link *from, test_refs_Link *to) {
    for (int i = 0; i < 2; i++) (void)test_refs_Link_put_links(from, to, &arena);
}

static void link_map(test_refs_Link *from, test_refs_Link *to) {
    (void)test_refs_Link_put_named(from, tern_str_of("a"), to, &arena);
    (void)test_refs_Link_put_named(from, tern_str_of("b"), to, &arena);
}

/* One struct that two lists borrow. */
static void link_structs(test_refs_Link *from, test_refs_Link *to) {
    from->plain = (test_refs_Link_list){to, 1, 0};
    from->right = to;
}

/* A chain of n diamonds, each node of which points twice to the next. */
static test_refs_Link *diamonds(link_fn *link, int n) {
    test_refs_Link *nodes = tern_arena_zalloc(&arena, ((size_t)n + 1) * sizeof *nodes);
    for (int i = 0; i < n; i++) link(&nodes[i], &nodes[i + 1]);
    return nodes;
}

static void diamonds__by_single_pointers(void) {
    set_up();
    check_all(diamonds(link_singular, 60), TERN_ERR_LIMIT, 4);
    tear_down();
}

static void diamonds__by_lists_of_pointers(void) {
    set_up();
    check_all(diamonds(link_list, 60), TERN_ERR_LIMIT, 1);
    tear_down();
}

static void diamonds__by_maps(void) {
    set_up();
    check_all(diamonds(link_map, 45), TERN_ERR_LIMIT, 4); /* in protobuf an entry is a level, too */
    tear_down();
}

static void diamonds__by_lists_of_structs(void) {
    set_up();
    check_all(diamonds(link_structs, 60), TERN_ERR_LIMIT, 4);
    tear_down();
}

/* The bound to the element: 23 diamonds are 2^24 - 2 of them. */
static void diamonds__up_to_the_bound(void) {
    static int (*const exact[])(const void *msg) = {do_protobuf_size, do_protobuf_encode_large, do_hybrid_plan,
                                                    do_explain};
    test_refs_Link leaf = {0};
    set_up();
    test_refs_Link *msg = diamonds(link_list, 23);
    for (int i = 0; i < 2; i++) CHECK_EQ(test_refs_Link_put_links(msg, &leaf, &arena), 0);
    for (size_t i = 0; i < TERN__COUNT(exact); i++) CHECK(exact[i](msg) >= 0);
    CHECK_EQ(test_refs_Link_put_links(msg, &leaf, &arena), 0);
    for (size_t i = 0; i < TERN__COUNT(exact); i++) CHECK_EQ(exact[i](msg), TERN_ERR_LIMIT);
    tear_down();
}

/* ---- Cycles --------------------------------------------------------------------------------------- */

static void put_left(test_refs_Link *from, test_refs_Link *to) { from->left = to; }
static void put_plain(test_refs_Link *from, test_refs_Link *to) { from->plain = (test_refs_Link_list){to, 1, 0}; }
static void put_link(test_refs_Link *from, test_refs_Link *to) { (void)test_refs_Link_put_links(from, to, &arena); }
static void put_named(test_refs_Link *from, test_refs_Link *to) {
    (void)test_refs_Link_put_named(from, tern_str_of("me"), to, &arena);
}

static link_fn *const edges[] = {put_left, put_plain, put_link, put_named, link_singular, link_list, link_map};

static void cycles__of_every_kind_of_edge(void) {
    set_up();
    for (size_t i = 0; i < TERN__COUNT(edges); i++)
        for (int n = 1; n <= 3; n++) {
            test_refs_Link nodes[3] = {0}, root = {.left = nodes};
            for (int k = 0; k < n; k++) edges[i](&nodes[k], &nodes[(k + 1) % n]);
            check_all(&root, TERN_ERR_LIMIT, 1);
        }
    tear_down();
}

/* ---- Nothing there -------------------------------------------------------------------------------- */

static void nulls__in_lists_of_pointers(void) {
    test_refs_Link root = {0}, leaf = {0}, *links[] = {&leaf, NULL, &leaf}, *none[] = {NULL};
    set_up();
    root.links.data = links;
    root.links.len = 3;
    check_all(&root, TERN_ERR_INVALID, 1);
    links[1] = &leaf;
    leaf.links.data = none;
    leaf.links.len = 1;
    check_all(&root, TERN_ERR_INVALID, 1);
    leaf.links.len = 0;
    CHECK_EQ(do_protobuf_size(&root), 6);
    CHECK(test_refs_Link_equal(&root, &root));
    tear_down();
}

/* As before: a map's value that is not there is an empty one. */
static void nulls__of_maps_are_empty(void) {
    test_refs_Link root = {0}, back;
    char out[100];
    set_up();
    CHECK_EQ(test_refs_Link_put_named(&root, tern_str_of("x"), NULL, &arena), 0);
    int64_t len = test_refs_Link_encode(&root, out, sizeof out);
    CHECK(len > 0);
    CHECK_EQ(test_refs_Link_decode(out, (size_t)len, &arena, TERN_DECODE_ALIAS, &back), 0);
    CHECK(back.named.data[0].value && test_refs_Link_equal(&root, &back));
    tear_down();
}

TAP_MAIN(TEST(diamonds__by_single_pointers), TEST(diamonds__by_lists_of_pointers), TEST(diamonds__by_maps),
         TEST(diamonds__by_lists_of_structs), TEST(diamonds__up_to_the_bound), TEST(cycles__of_every_kind_of_edge),
         TEST(nulls__in_lists_of_pointers), TEST(nulls__of_maps_are_empty))
