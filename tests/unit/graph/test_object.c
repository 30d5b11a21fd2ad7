/* Fields of type tern.Object: pointers to messages of any type, in heaps and outside them, in every walk and format. */
#include <pthread.h>
#include <unistd.h>

#include "base/base.h"
#include "objects.tern.h"
#include "tap.h"
#include "tern/json.h"
#include "tern/object.tern.h"

typedef test_objects_Holder holder;

static const tern_type *const known[] = {&test_objects_Holder_type, &test_objects_Holder_NamedEntry_type,
                                         &test_objects_Circle_type, &test_objects_Square_type, &tern_Object_type};
static const tern_registry registry = {known, TERN__COUNT(known)};

static tern_heap *heap;
static tern_root root;
static tern_arena arena;

static tern_str S(const char *text) { return tern_str_of(text); }

static bool set_up(bool moves) {
    tern_heap_config config;
    tern_heap_config_init(&config);
    config.move_always = moves;
    config.max_bytes = 64 << 20;
    tern_arena_init(&arena, 0, 0);
    return tern_heap_new(&config, &heap) == 0;
}

static bool tear_down(void) {
    tern_arena_fini(&arena);
    return tern_heap_free(heap) == 0;
}

/* A holder of a circle and a square, each in several places. */
static holder *make_shapes(void) {
    holder *top = test_objects_Holder_new(heap);
    test_objects_Circle *circle = test_objects_Circle_new(heap);
    test_objects_Square *square = test_objects_Square_new(heap);
    tern_str key;
    if (!top || !circle || !square || test_objects_Circle_heap_set_name(circle, S("round"), heap) != 0) return NULL;
    circle->radius = 2.5, square->side = 7, top->id = 1;
    top->one = circle;
    test_objects_Holder_set_picked(top, square);
    if (test_objects_Holder_heap_put_many(top, circle, heap) != 0) return NULL;
    if (test_objects_Holder_heap_put_many(top, square, heap) != 0) return NULL;
    if (tern_heap_str(heap, "key", 3, &key) != 0) return NULL;
    return test_objects_Holder_heap_put_named(top, key, circle, heap) == 0 ? top : NULL;
}

static bool has_shapes(const holder *top) {
    const test_objects_Circle *circle = top->one;
    const test_objects_Square *square = top->picked;
    if (tern_object_type(circle) != &test_objects_Circle_type || tern_object_type(square) != &test_objects_Square_type)
        return false;
    if (!tern_str_eq(circle->name, S("round")) || circle->radius != 2.5 || square->side != 7) return false;
    return top->many.len == 2 && top->many.data[0] == circle && top->many.data[1] == square &&
           test_objects_Holder_get_named(top, S("key")) == circle;
}

/* ---- In heaps ------------------------------------------------------------------------------------ */

static void object__is_kept_and_moved(void) {
    for (int moves = 0; moves < 2; moves++) {
        CHECK(set_up(moves));
        holder *top = make_shapes();
        CHECK(top && tern_root_new(heap, top, &root) == 0);
        top->next = top;
        CHECK(make_shapes() != NULL); /* these go */
        for (int i = 0; i < 3; i++) {
            CHECK_EQ(i == 1 ? tern_heap_compact(heap) : tern_heap_collect(heap), 0);
            CHECK_EQ(tern_heap_check(heap), 0);
            holder *now = tern_root_get(heap, root);
            CHECK(!moves || now != top);
            CHECK(has_shapes(now));
            top = now;
        }
        tern_heap_stats stats;
        tern_heap_get_stats(heap, &stats);
        CHECK_EQ(stats.objects, 3 + 3 + 2 + 0 - 1); /* messages; name, key, list; map's storage */
        CHECK(tear_down());
    }
}

static void object__is_saved(void) {
    char path[64];
    snprintf(path, sizeof path, "/tmp/tern-heap-object-%d", (int)getpid());
    CHECK(set_up(false));
    holder *top = make_shapes();
    CHECK(top && tern_root_new(heap, top, &root) == 0);
    CHECK_EQ(tern_heap_save(heap, path), 0);
    for (int trusted = 0; trusted < 2; trusted++) {
        tern_heap *mapped;
        char problem[200] = "";
        tern_heap_map_opts opts = {.size = sizeof opts, .types = &registry, .trusted = trusted};
        int err = tern_heap_map(path, &opts, &mapped, problem, sizeof problem);
        if (err) printf("# %s\n", problem);
        CHECK_EQ(err, 0);
        CHECK_EQ(tern_heap_check(mapped), 0);
        CHECK(has_shapes(tern_root_get(mapped, root)));
        CHECK_EQ(tern_heap_free(mapped), 0);
    }
    tern_Object outside = {0}; /* a file is closed */
    top->one = &outside;
    CHECK_EQ(tern_heap_collect(heap), 0);
    CHECK_EQ(tern_heap_save(heap, path), TERN_ERR_INVALID);
    CHECK(strstr(tern_heap_problem(heap), "root 0.one") != NULL);
    unlink(path);
    CHECK(tear_down());
}

/* To no start of a message: storage, strings, the middle of one, what was freed. */
static void object__wrong_pointers_are_found(void) {
    CHECK(set_up(false));
    holder *top = make_shapes();
    CHECK(top && tern_root_new(heap, top, &root) == 0);
    const test_objects_Circle *circle = top->one;
    void *freed = test_objects_Square_new(heap);
    void *const wrong[] = {(void *)(uintptr_t)circle->name.data,
                           top->many.data,
                           top->named.data,
                           (uint8_t *)top->one + 8,
                           (uint8_t *)top->one + 1,
                           freed};
    CHECK_EQ(tern_heap_collect(heap), 0);
    for (size_t i = 0; i < TERN__COUNT(wrong); i++) {
        uint8_t out[200];
        char words[200];
        top->many.data[1] = wrong[i];
        CHECK_EQ(tern_heap_collect(heap), TERN_ERR_INVALID);
        CHECK(strstr(tern_heap_problem(heap), "root 0.many[1]") != NULL);
        CHECK_EQ(tern_heap_check(heap), TERN_ERR_INVALID);
        CHECK(tern_object_type(wrong[i]) == NULL);
        CHECK_EQ(test_objects_Holder_size(top), TERN_ERR_INVALID);
        CHECK_EQ(test_objects_Holder_encode(top, out, sizeof out), TERN_ERR_INVALID);
        CHECK_EQ(tern_message_explain(&test_objects_Holder_type, top, words, sizeof words), TERN_ERR_INVALID);
        CHECK(strncmp(words, "many[1] leads into a heap, but to no message", 44) == 0);
        tern_str text;
        CHECK_EQ(tern_json_print(&test_objects_Holder_type, top, NULL, &arena, &text), TERN_ERR_INVALID);
        CHECK_EQ(tern_text_print(&test_objects_Holder_type, top, NULL, &arena, &text), TERN_ERR_INVALID);
        CHECK(!test_objects_Holder_equal(top, top));
    }
    CHECK(tear_down());
}

static void object__is_drawn(void) {
    char *text = NULL;
    size_t len = 0;
    CHECK(set_up(false));
    holder *top = make_shapes();
    CHECK(top && tern_root_new(heap, top, &root) == 0);
    FILE *out = open_memstream(&text, &len);
    CHECK(out && tern_heap_dot(heap, 100, out) == 0);
    fclose(out);
    CHECK(strstr(text, "test.objects.Circle") && strstr(text, "test.objects.Square") && strstr(text, "picked"));
    free(text);
    CHECK(tear_down());
}

/* ---- In every format ------------------------------------------------------------------------------ */

/* The message that says the same to those who do not know of objects. */
static bool encode_content(const void *object, test_objects_Any *any) {
    const tern_type *type = tern_object_type(object);
    char url[100];
    int len = snprintf(url, sizeof url, "type.googleapis.com/%s", type->name);
    int64_t size = tern_protobuf_size(type, object);
    char *copy = tern_arena_alloc(&arena, (size_t)len);
    void *bytes = tern_arena_alloc(&arena, (size_t)size + 1);
    any->type_url = (tern_str){memcpy(copy, url, (size_t)len), (size_t)len};
    any->value = tern_bytes_of(bytes, (size_t)size);
    return tern_protobuf_encode(type, object, bytes, (size_t)size) == size;
}

static bool plain_of(const holder *h, test_objects_Plain *p) {
    p->id = h->id;
    p->one = tern_arena_zalloc(&arena, sizeof *p->one);
    bool ok = encode_content(h->one, p->one);
    for (size_t i = 0; i < h->many.len; i++)
        ok = ok && encode_content(h->many.data[i], test_objects_Plain_add_many(p, &arena));
    for (size_t i = 0; i < h->named.len; i++)
        ok =
            ok && encode_content(h->named.data[i].value, test_objects_Plain_put_named(p, h->named.data[i].key, &arena));
    if (test_objects_Holder_has_picked(h))
        ok = ok && encode_content(h->picked, test_objects_Plain_make_picked(p, &arena));
    if (h->next) ok = ok && plain_of(h->next, test_objects_Plain_make_next(p, &arena));
    return ok;
}

static int append(void *ctx, const tern_bytes *pieces, size_t n) {
    tern_list *out = ctx;
    for (size_t i = 0; i < n; i++) {
        if (tern_list_reserve(out, out->len + pieces[i].len, 1, &arena)) return TERN_ERR_NOMEM;
        memcpy((uint8_t *)out->data + out->len, pieces[i].data, pieces[i].len);
        out->len += pieces[i].len;
    }
    return 0;
}

/* In pieces, of which some lie in the heap. */
static void format__protobuf_in_pieces(void) {
    static uint8_t expected[4096];
    char name[500];
    tern_list out = {0};
    CHECK(set_up(false));
    holder *top = make_shapes();
    CHECK(top != NULL);
    memset(name, 'n', sizeof name);
    CHECK_EQ(test_objects_Circle_heap_set_name(top->one, (tern_str){name, sizeof name}, heap), 0);
    int64_t size = test_objects_Holder_encode(top, expected, sizeof expected);
    CHECK(size > 1500);
    CHECK_EQ(tern_protobuf_encode_sg(&test_objects_Holder_type, top, 0, TERN_SG_ANY, &arena, append, &out), size);
    CHECK_EQ(out.len, size);
    CHECK_MEM(out.data, expected, (size_t)size);
    for (uint64_t n = 1; n < 5; n++) { /* the nth allocation fails */
        tern_list rest = {0};
        tern_arena to;
        tern_arena_init(&to, 0, 0);
        to.fail_countdown = n;
        int64_t len = tern_protobuf_encode_sg(&test_objects_Holder_type, top, 0, TERN_SG_ANY, &to, append, &rest);
        bool failed = to.fail_countdown == 0;
        tern_arena_fini(&to);
        CHECK_EQ(len, failed ? TERN_ERR_NOMEM : size);
    }
    CHECK(tear_down());
}

static void format__protobuf_as_any(void) {
    static uint8_t bytes[4096], expected[4096];
    CHECK(set_up(false));
    holder *top = make_shapes();
    CHECK(top != NULL);
    top->next = make_shapes();
    CHECK(top->next != NULL);
    ((test_objects_Square *)top->next->picked)->side = 0; /* an empty message */
    test_objects_Plain plain = {0};
    CHECK(plain_of(top, &plain));
    int64_t size = test_objects_Plain_encode(&plain, expected, sizeof expected);
    CHECK(size > 0);
    CHECK_EQ(test_objects_Holder_size(top), size);
    for (size_t cap = 0; cap < (size_t)size; cap++)
        CHECK_EQ(test_objects_Holder_encode(top, bytes, cap), TERN_ERR_LIMIT);
    CHECK_EQ(test_objects_Holder_encode(top, bytes, sizeof bytes), size);
    CHECK_MEM(bytes, expected, (size_t)size);
    CHECK_EQ(test_objects_Holder_encode(top, bytes, (size_t)size), size);
    CHECK_MEM(bytes, expected, (size_t)size);
    /* Back: objects outside heaps are encoded ones, and are written as they are. */
    holder back;
    CHECK_EQ(test_objects_Holder_decode(bytes, (size_t)size, &arena, TERN_DECODE_ALIAS, &back), 0);
    const tern_Object *one = back.one;
    CHECK(tern_object_type(one) == NULL && tern_str_eq(one->type_url, plain.one->type_url));
    CHECK(tern_bytes_eq(one->value, plain.one->value));
    CHECK_EQ(test_objects_Holder_encode(&back, bytes, sizeof bytes), size);
    CHECK_MEM(bytes, expected, (size_t)size);
    holder copy;
    CHECK_EQ(test_objects_Holder_copy(&back, &arena, &copy), 0);
    CHECK(test_objects_Holder_equal(&back, &copy) && copy.one != back.one);
    CHECK(test_objects_Holder_equal(top, top) && !test_objects_Holder_equal(top, &back));
    CHECK(!test_objects_Holder_equal(top, top->next));
    CHECK_EQ(test_objects_Holder_copy(top, &arena, &copy), TERN_ERR_INVALID);
    CHECK(tear_down());
}

/* The hybrid encoder leaves messages with objects to protobuf; without any set it takes them. What others write, who
 * know of no objects, is read. */
static void format__hybrid_leaves_objects_to_protobuf(void) {
    tern_hybrid_plan plan;
    CHECK(set_up(false));
    holder *top = make_shapes(), none = {.id = 3};
    CHECK(top != NULL);
    CHECK_EQ(tern_hybrid_measure(&test_objects_Holder_type, top, SIZE_MAX, &plan), TERN_ERR_UNSUPPORTED);
    CHECK_EQ(tern_hybrid_measure(&test_objects_Holder_type, &none, SIZE_MAX, &plan), 0);
    static uint8_t bytes[4096], expected[4096];
    test_objects_Plain plain = {0};
    holder back;
    CHECK(plain_of(top, &plain));
    int64_t len = tern_hybrid_encode(&test_objects_Plain_type, &plain, bytes, sizeof bytes);
    CHECK(len > 0);
    CHECK_EQ(tern_hybrid_decode(&test_objects_Holder_type, bytes, (size_t)len, &arena, NULL, &back), 0);
    len = test_objects_Plain_encode(&plain, expected, sizeof expected);
    CHECK_EQ(test_objects_Holder_encode(&back, bytes, sizeof bytes), len);
    CHECK_MEM(bytes, expected, (size_t)len);
    CHECK_EQ(tern_type_fingerprint(&test_objects_Holder_type), tern_type_fingerprint(&test_objects_Plain_type));
    CHECK(tear_down());
}

static void format__json_and_text(void) {
    tern_str text, again;
    CHECK(set_up(false));
    holder *top = make_shapes();
    CHECK(top != NULL);
    CHECK_EQ(tern_json_print(&test_objects_Holder_type, top, NULL, &arena, &text), 0);
    static const char circle[] =
        "{\"@type\":\"type.googleapis.com/test.objects.Circle\",\"name\":\"round\",\"radius\":2.5}",
                      square[] = "{\"@type\":\"type.googleapis.com/test.objects.Square\",\"side\":7}";
    char wanted[1000];
    snprintf(wanted, sizeof wanted, "{\"id\":1,\"one\":%s,\"many\":[%s,%s],\"named\":{\"key\":%s},\"picked\":%s}",
             circle, circle, square, circle, square);
    if (!tern_str_eq(text, S(wanted))) printf("# %.*s\n", (int)text.len, text.data);
    CHECK(tern_str_eq(text, S(wanted)));
    tern_json_options options;
    tern_json_options_init(&options);
    options.registry = &registry;
    holder back;
    CHECK_EQ(tern_json_decode(&test_objects_Holder_type, text.data, text.len, &options, &arena, &back), 0);
    CHECK(tern_object_type(back.one) == NULL);
    CHECK_EQ(tern_json_print(&test_objects_Holder_type, &back, &options, &arena, &again), 0);
    CHECK(tern_str_eq(text, again));
    CHECK_EQ(tern_text_print(&test_objects_Holder_type, top, NULL, &arena, &text), 0);
    static const char lines[] =
        "one {\n  [type.googleapis.com/test.objects.Circle] {\n    name: \"round\"\n    radius: 2.5\n  }\n}\n";
    CHECK(text.len > sizeof lines && memmem(text.data, text.len, lines, sizeof lines - 1) != NULL);
    tern_text_options text_options;
    tern_text_options_init(&text_options);
    text_options.registry = &registry;
    CHECK_EQ(tern_text_print(&test_objects_Holder_type, &back, &text_options, &arena, &again), 0);
    CHECK(tern_str_eq(text, again));
    CHECK(tear_down());
}

/* An object that leads back, and one whose tree is too large, end with the limit, and within a moment. */
static void format__cycles_and_diamonds(void) {
    uint8_t out[100];
    char words[200];
    tern_str text;
    CHECK(set_up(false));
    holder *top = test_objects_Holder_new(heap), *below = test_objects_Holder_new(heap);
    CHECK(top && below);
    top->one = below;
    test_objects_Holder_set_picked(below, top);
    for (int i = 0; i < 2; i++) {
        CHECK_EQ(test_objects_Holder_size(top), TERN_ERR_LIMIT);
        CHECK_EQ(test_objects_Holder_encode(top, out, sizeof out), TERN_ERR_LIMIT);
        CHECK_EQ(tern_json_print(&test_objects_Holder_type, top, NULL, &arena, &text), TERN_ERR_LIMIT);
        CHECK_EQ(tern_text_print(&test_objects_Holder_type, top, NULL, &arena, &text), TERN_ERR_LIMIT);
        CHECK_EQ(tern_message_explain(&test_objects_Holder_type, top, words, sizeof words), TERN_ERR_LIMIT);
        if (i == 0) CHECK(strcmp(words, "one.picked points back to the message itself: a cycle") == 0);
        test_objects_Holder_clear_pick(below);
        for (int k = 0; k < 40 && i == 0; k++) { /* a chain of diamonds: 2^40 of them as a tree */
            holder *more = test_objects_Holder_new(heap);
            CHECK(more && test_objects_Holder_heap_put_many(below, more, heap) == 0);
            CHECK_EQ(test_objects_Holder_heap_put_many(below, more, heap), 0);
            below = more;
        }
    }
    CHECK(tear_down());
}

/* A chain of objects is written as long as others read it, whoever looks. */
static void format__depth(void) {
    static uint8_t out[1 << 16];
    tern_limits limits;
    CHECK(set_up(false));
    holder *top = NULL;
    int n_fine = 0;
    for (int n = 1; n < 70; n++) {
        holder *above = test_objects_Holder_new(heap), back;
        CHECK(above != NULL);
        above->id = 1, above->one = top;
        top = above;
        int64_t size = test_objects_Holder_size(top), len = test_objects_Holder_encode(top, out, sizeof out);
        CHECK_EQ(size, len);
        CHECK(len > 0 || len == TERN_ERR_LIMIT);
        CHECK(len > 0 || n_fine >= 50);
        if (len < 0) continue;
        n_fine = n;
        tern_limits_init(&limits);
        CHECK_EQ(tern_protobuf_decode(&test_objects_Holder_type, out, (size_t)len, &arena, TERN_DECODE_ALIAS, &limits,
                                      &back),
                 0);
    }
    printf("# %d in a chain\n", n_fine);
    CHECK(n_fine < 69);
    CHECK(tear_down());
}

static void *look(void *object) {
    holder other = {.one = object};
    bool refused = tern_object_type(object) == NULL && test_objects_Holder_size(&other) == TERN_ERR_INVALID;
    return refused ? object : NULL;
}

/* Whose heap it is not cannot know what lies there: the owner may be changing it. Whoever adopts it can. */
static void object__of_another_thread(void) {
    pthread_t thread;
    void *refused;
    CHECK(set_up(false));
    test_objects_Square *square = test_objects_Square_new(heap);
    CHECK(square && tern_object_type(square) == &test_objects_Square_type);
    CHECK_EQ(pthread_create(&thread, NULL, look, square), 0);
    pthread_join(thread, &refused);
    CHECK(refused == square);
    CHECK(tear_down());
    CHECK(tern_object_type(square) == NULL); /* when the heap is gone its addresses are nobody's */
}

static void object__of_several_heaps(void) {
    tern_heap *heaps[3];
    holder top = {0};
    uint8_t a[200], b[200];
    CHECK(set_up(false));
    for (int i = 0; i < 3; i++) CHECK_EQ(tern_heap_new(NULL, &heaps[i]), 0);
    int64_t len = 0;
    for (int i = 0; i < 3; i++) {
        test_objects_Square *square = test_objects_Square_new(heaps[i]);
        CHECK(square != NULL);
        square->side = 5;
        top.one = square;
        len = test_objects_Holder_encode(&top, i ? b : a, sizeof a);
        CHECK(len > 0 && (i == 0 || memcmp(a, b, (size_t)len) == 0));
    }
    static const int order[] = {1, 0, 2};
    for (int i = 0; i < 3; i++) {
        CHECK_EQ(tern_heap_free(heaps[order[i]]), 0);
        void *mine = test_objects_Square_new(heap);
        CHECK(tern_object_type(mine) == &test_objects_Square_type);
    }
    CHECK(tear_down());
}

/* Nothing is merged into an object of a heap, whose struct is another one. */
static void merge__not_into_objects(void) {
    CHECK(set_up(false));
    holder *top = make_shapes(), plain = {0};
    static const char one[] = "\x12\x03\x0a\x01x", picked[] = "\x2a\x03\x0a\x01x", many[] = "\x1a\x03\x0a\x01x";
    CHECK(top != NULL);
    CHECK_EQ(tern_protobuf_merge(&test_objects_Holder_type, one, 5, &arena, TERN_DECODE_COPY, NULL, top),
             TERN_ERR_INVALID);
    CHECK_EQ(tern_protobuf_merge(&test_objects_Holder_type, picked, 5, &arena, TERN_DECODE_COPY, NULL, top),
             TERN_ERR_INVALID);
    CHECK(has_shapes(top));
    CHECK_EQ(tern_protobuf_merge(&test_objects_Holder_type, many, 5, &arena, TERN_DECODE_COPY, NULL, top), 0);
    CHECK(top->many.len == 3 && !tern_object_type(top->many.data[2]));
    for (int i = 0; i < 2; i++)
        CHECK_EQ(tern_protobuf_merge(&test_objects_Holder_type, one, 5, &arena, TERN_DECODE_COPY, NULL, &plain), 0);
    CHECK(tern_str_eq(((tern_Object *)plain.one)->type_url, S("x")));
    CHECK(tear_down());
}

/* An encoded object may lie in a heap, too. */
static void format__encoded_objects_in_heaps(void) {
    uint8_t a[100], b[100];
    CHECK(set_up(false));
    holder *top = test_objects_Holder_new(heap), plain = {0};
    tern_Object *encoded = tern_heap_alloc(heap, &tern_Object_type), outside = {.type_url = S("type.googleapis.com/x")};
    CHECK(top && encoded && tern_root_new(heap, top, &root) == 0);
    CHECK_EQ(tern_heap_str(heap, outside.type_url.data, outside.type_url.len, &encoded->type_url), 0);
    top->one = encoded, plain.one = &outside;
    CHECK_EQ(tern_heap_collect(heap), 0);
    CHECK(tern_object_type(top->one) == &tern_Object_type);
    int64_t len = test_objects_Holder_encode(top, a, sizeof a);
    CHECK_EQ(test_objects_Holder_encode(&plain, b, sizeof b), len);
    CHECK(len == 25 && memcmp(a, b, 25) == 0);
    CHECK(test_objects_Holder_equal(top, &plain));
    CHECK(tear_down());
}

TAP_MAIN(TEST(object__is_kept_and_moved), TEST(object__is_saved), TEST(object__wrong_pointers_are_found),
         TEST(object__is_drawn), TEST(object__of_another_thread), TEST(object__of_several_heaps),
         TEST(format__protobuf_as_any), TEST(format__protobuf_in_pieces),
         TEST(format__hybrid_leaves_objects_to_protobuf), TEST(format__json_and_text),
         TEST(format__cycles_and_diamonds), TEST(format__depth), TEST(merge__not_into_objects),
         TEST(format__encoded_objects_in_heaps))
