/* Lists of pointers beside lists of structs: two types of one schema, which say the same in every format. */
#include "codec/hybrid_decode.h"
#include "codec/protobuf_decode.h"
#include "random_message.h"
#include "refs.tern.h"
#include "tap.h"
#include "tern/json.h"
#include "values.tern.h"

static const tern_type *const refs = &test_refs_Node_type, *const values = &test_values_Node_type;

static tern_arena arena;

static void set_up(void) { tern_arena_init(&arena, 1 << 16, 0); }
static void tear_down(void) { tern_arena_fini(&arena); }

/* ---- The same bytes ------------------------------------------------------------------------------- */

typedef enum format { PROTOBUF, GATHERED, HYBRID, JSON, TEXT, N_FORMATS } format;

static int append(void *ctx, const tern_bytes *pieces, size_t n) {
    tern_list *out = ctx;
    for (size_t i = 0; i < n; i++) {
        if (tern_list_reserve(out, out->len + pieces[i].len, 1, &arena)) return TERN_ERR_NOMEM;
        memcpy((uint8_t *)out->data + out->len, pieces[i].data, pieces[i].len);
        out->len += pieces[i].len;
    }
    return 0;
}

/* {NULL, 0} after an error, which is printed. */
static tern_bytes encoded(format how, const tern_type *type, const void *msg) {
    tern_hybrid_plan plan;
    tern_list out = {0};
    tern_str text = {"", 0};
    int64_t size = tern_protobuf_size(type, msg);
    int err = size < 0 ? (int)size : 0;
    switch (how) {
    case PROTOBUF:
        out = (tern_list){tern_arena_alloc(&arena, (size_t)size), (size_t)size, 0};
        err = tern_protobuf_encode(type, msg, out.data, out.len) == size ? 0 : -1;
        break;
    case GATHERED:
        err = tern_protobuf_encode_sg(type, msg, 0, TERN_SG_ANY, &arena, append, &out) == size ? 0 : -1;
        break;
    case HYBRID:
        err = tern_hybrid_measure(type, msg, SIZE_MAX, &plan);
        out = (tern_list){tern_arena_alloc(&arena, plan.head_bytes), plan.head_bytes, 0};
        if (!err) err = tern_hybrid_encode(type, msg, out.data, out.len) == plan.head_bytes ? 0 : -1;
        break;
    case JSON: err = tern_json_print(type, msg, NULL, &arena, &text); break;
    default: err = tern_text_print(type, msg, NULL, &arena, &text); break;
    }
    if (err) printf("# format %d: %d\n", (int)how, err);
    if (err) return (tern_bytes){0};
    return how < JSON ? tern_bytes_of(out.data ? out.data : "", out.len) : tern_bytes_of(text.data, text.len);
}

static int decoded(format how, const tern_type *type, tern_bytes bytes, const tern_limits *limits, tern_arena *to,
                   void *msg) {
    tern_json_options options;
    tern_json_options_init(&options);
    options.limits = limits;
    switch (how) {
    case HYBRID: return tern_hybrid_decode(type, bytes.data, bytes.len, to, limits, msg);
    case JSON: return tern_json_decode(type, bytes.data, bytes.len, &options, to, msg);
    default: return tern_protobuf_decode(type, bytes.data, bytes.len, to, TERN_DECODE_ALIAS, limits, msg);
    }
}

static bool can_be_decoded(format how) { return how != TEXT; }

static void twins__have_one_fingerprint(void) {
    uint8_t outline[256];
    size_t len = tern_type_outline(refs, outline, sizeof outline);
    CHECK_EQ(tern_type_fingerprint(refs), tern_type_fingerprint(values));
    CHECK(len <= sizeof outline);
    CHECK_EQ(tern_type_compare(values, outline, len, NULL), TERN_SCHEMA_FITS);
    CHECK_EQ(tern_type_check(refs), 0);
    CHECK_EQ(tern_type_check(&test_refs_Far_type), 0);
}

/* The twin of a message, by its encoding: then both are as decoders make them. */
static void check_twins(const test_values_Node *made) {
    static test_values_Node value;
    static test_refs_Node ref;
    tern_bytes bytes = encoded(PROTOBUF, values, made);
    CHECK(bytes.data);
    CHECK_EQ(decoded(PROTOBUF, values, bytes, NULL, &arena, &value), 0);
    CHECK_EQ(decoded(PROTOBUF, refs, bytes, NULL, &arena, &ref), 0);
    for (format how = 0; how < N_FORMATS; how++) {
        tern_bytes a = encoded(how, values, &value), b = encoded(how, refs, &ref);
        CHECK(a.data && b.data);
        CHECK_EQ(a.len, b.len);
        CHECK_MEM(a.data, b.data, a.len);
        if (!can_be_decoded(how)) continue;
        test_refs_Node back;
        test_values_Node value_back;
        CHECK_EQ(decoded(how, refs, a, NULL, &arena, &back), 0);
        CHECK_EQ(decoded(how, values, a, NULL, &arena, &value_back), 0);
        tern_bytes again = encoded(how, refs, &back);
        CHECK_EQ(again.len, a.len);
        CHECK_MEM(again.data, a.data, a.len);
        again = encoded(how, values, &value_back);
        CHECK_EQ(again.len, a.len);
        CHECK_MEM(again.data, a.data, a.len);
        if (how != PROTOBUF) continue; /* others lack unknown fields */
        CHECK(test_refs_Node_equal(&ref, &back));
        CHECK(test_values_Node_equal(&value, &value_back));
    }
    test_refs_Node copy;
    CHECK_EQ(test_refs_Node_copy(&ref, &arena, &copy), 0);
    CHECK(test_refs_Node_equal(&ref, &copy));
    CHECK(ref.kids.len == 0 || (copy.kids.data != ref.kids.data && copy.kids.data[0] != ref.kids.data[0]));
}

static void twins__random_messages_have_the_same_bytes(void) {
    tern__rng rng;
    tern__rng_seed(&rng, 7);
    size_t n_lists = 0;
    set_up();
    for (int i = 0; i < 500 && !tap_failed; i++) {
        test_values_Node *msg = tern_arena_zalloc(&arena, sizeof *msg);
        random_message(values, msg, &arena, &rng, 4);
        n_lists += msg->kids.len > 0;
        check_twins(msg);
        tern_arena_reset(&arena);
    }
    printf("# %zu of 500 with kids\n", n_lists);
    CHECK(n_lists > 50);
    tear_down();
}

/* The way round: made with pointers, read with structs. */
static void twins__random_graphs_read_as_structs(void) {
    tern__rng rng;
    tern__rng_seed(&rng, 8);
    set_up();
    for (int i = 0; i < 200 && !tap_failed; i++) {
        test_refs_Node *msg = tern_arena_zalloc(&arena, sizeof *msg);
        random_message(refs, msg, &arena, &rng, 3);
        for (format how = 0; how <= HYBRID; how++) {
            test_values_Node back, again;
            tern_bytes bytes = encoded(how, refs, msg);
            CHECK(bytes.data);
            CHECK_EQ(decoded(how, values, bytes, NULL, &arena, &back), 0);
            tern_bytes second = encoded(how, values, &back);
            CHECK_EQ(decoded(how, values, second, NULL, &arena, &again), 0);
            CHECK(test_values_Node_equal(&back, &again));
        }
        tern_arena_reset(&arena);
    }
    tear_down();
}

/* ---- What generated code does --------------------------------------------------------------------- */

static void lists__messages_are_shared_and_stay_where_they_are(void) {
    test_refs_Node root = {0}, shared = {0}, back;
    test_values_Node twin;
    set_up();
    test_refs_Node_set_id(&shared, 7);
    test_refs_Node *first = test_refs_Node_add_kids(&root, &arena);
    CHECK(first);
    for (int i = 0; i < 100; i++) CHECK_EQ(test_refs_Node_put_kids(&root, &shared, &arena), 0);
    CHECK(root.kids.len == 101 && root.kids.data[0] == first && root.kids.data[100] == &shared);
    CHECK_EQ(test_refs_Node_put_kids(first, &shared, &arena), 0);
    CHECK_EQ(test_refs_Node_put_named(&root, tern_str_of("x"), &shared, &arena), 0);
    CHECK(test_refs_Node_get_named(&root, tern_str_of("x")) == &shared);
    tern_bytes bytes = encoded(PROTOBUF, refs, &root);
    CHECK_EQ(decoded(PROTOBUF, refs, bytes, NULL, &arena, &back), 0);
    CHECK(test_refs_Node_equal(&root, &back));
    CHECK(back.kids.data[1] != back.kids.data[2] && back.kids.data[0]->kids.data[0]->id == 7);
    CHECK_EQ(decoded(PROTOBUF, values, bytes, NULL, &arena, &twin), 0);
    CHECK(twin.kids.len == 101 && twin.kids.data[100].id == 7 && twin.named.data[0].value->id == 7);
    CHECK(test_refs_Node_remove_named(&root, tern_str_of("x")));
    tear_down();
}

static void lists__reserved_pointers_are_null(void) {
    test_refs_Node root = {0};
    set_up();
    CHECK_EQ(test_refs_Node_reserve_kids(&root, 5, &arena), 0);
    for (int i = 0; i < 5; i++) CHECK(root.kids.data[i] == NULL);
    CHECK(root.kids.len == 0 && root.kids.cap >= 5);
    tear_down();
}

/* Elements that a program has put there stay; those that are merged come behind. */
static void lists__merging_appends(void) {
    test_refs_Node root = {0}, more = {0}, mine = {0};
    set_up();
    CHECK_EQ(test_refs_Node_put_kids(&root, &mine, &arena), 0);
    for (int i = 0; i < 3; i++) CHECK(test_refs_Node_add_kids(&more, &arena));
    tern_bytes bytes = encoded(PROTOBUF, refs, &more);
    CHECK_EQ(tern_protobuf_merge(refs, bytes.data, bytes.len, &arena, TERN_DECODE_ALIAS, NULL, &root), 0);
    CHECK(root.kids.len == 4 && root.kids.data[0] == &mine && root.kids.data[3] != root.kids.data[2]);
    tear_down();
}

/* Where a type has required fields, they are looked for in what was there before, too. */
static void lists__merging_into_what_is_no_tree(void) {
    test_refs_Node root = {0}, *kids[2] = {&root, NULL};
    root.kids.data = kids;
    root.kids.len = 1;
    set_up();
    CHECK_EQ(tern_protobuf_merge(refs, "\x08\x01", 2, &arena, TERN_DECODE_ALIAS, NULL, &root), TERN_ERR_LIMIT);
    kids[0] = NULL;
    CHECK_EQ(tern_protobuf_merge(refs, "\x08\x01", 2, &arena, TERN_DECODE_ALIAS, NULL, &root), TERN_ERR_INVALID);
    root.kids.len = 0;
    CHECK_EQ(tern_protobuf_merge(refs, "\x08\x01", 2, &arena, TERN_DECODE_ALIAS, NULL, &root), 0);
    test_refs_Leaf leaf = {0}, *leaves[] = {&leaf};
    root.leaves.data = leaves;
    root.leaves.len = 1;
    CHECK_EQ(tern_protobuf_merge(refs, "\x08\x01", 2, &arena, TERN_DECODE_ALIAS, NULL, &root), TERN_ERR_MALFORMED);
    tear_down();
}

static void lists__structs_from_hybrid_lie_in_one_block(void) {
    test_refs_Node root = {0}, back;
    set_up();
    for (int i = 0; i < 5; i++) CHECK(test_refs_Node_add_kids(&root, &arena));
    CHECK_EQ(decoded(HYBRID, refs, encoded(HYBRID, refs, &root), NULL, &arena, &back), 0);
    CHECK_EQ(back.kids.len, 5);
    for (int i = 0; i < 5; i++) CHECK(back.kids.data[i] == back.kids.data[0] + i);
    tear_down();
}

/* Tags of three bytes have no short way. */
static void lists__of_a_great_number(void) {
    test_refs_Far far = {0}, back;
    test_values_Far twin;
    set_up();
    for (int i = 0; i < 3; i++) CHECK(test_refs_Far_add_nodes(&far, &arena));
    for (format how = 0; how < N_FORMATS; how++) {
        tern_bytes bytes = encoded(how, &test_refs_Far_type, &far);
        if (!can_be_decoded(how)) continue;
        CHECK_EQ(decoded(how, &test_refs_Far_type, bytes, NULL, &arena, &back), 0);
        CHECK(test_refs_Far_equal(&far, &back));
        CHECK_EQ(decoded(how, &test_values_Far_type, bytes, NULL, &arena, &twin), 0);
        CHECK_EQ(twin.nodes.len, 3);
    }
    tear_down();
}

/* ---- Limits, pieces, memory ----------------------------------------------------------------------- */

/* As it is decoded, without unknown fields: of its closed enums no number is unlisted. */
static test_refs_Node *sample(void) {
    tern__rng rng;
    tern__rng_seed(&rng, 99);
    test_refs_Node made = {0}, *msg = tern_arena_zalloc(&arena, sizeof *msg);
    random_message(refs, &made, &arena, &rng, 3);
    tern_bytes bytes = encoded(PROTOBUF, refs, &made);
    tern_protobuf_decode(refs, bytes.data, bytes.len, &arena, TERN_DECODE_DROP_UNKNOWN, NULL, msg);
    test_refs_Node *kid = test_refs_Node_add_kids(test_refs_Node_add_kids(msg, &arena), &arena);
    test_refs_Node_set_name(kid, tern_str_of("of whom no short string can be made, since it is too long for that"));
    return msg;
}

/* A message by itself is an element, wherever it lies: both twins reach a limit at once. */
static void limits__are_the_same(void) {
    set_up();
    const test_refs_Node *msg = sample();
    for (format how = 0; how < TEXT; how++) {
        tern_bytes bytes = encoded(how, refs, msg);
        int err = TERN_ERR_LIMIT;
        size_t n = 0;
        for (; err == TERN_ERR_LIMIT && n < 100000; n++) {
            test_refs_Node ref;
            test_values_Node value;
            tern_arena to;
            tern_limits limits = TERN_LIMITS(.max_bytes = 1 << 20, .max_depth = 100, .max_elements = n);
            tern_arena_init(&to, 0, 0);
            err = decoded(how, refs, bytes, &limits, &to, &ref);
            int value_err = decoded(how, values, bytes, &limits, &to, &value);
            tern_arena_fini(&to);
            CHECK_EQ(err, value_err);
        }
        printf("# format %d: %zu elements\n", (int)how, n - 1);
        CHECK_EQ(err, 0);
        CHECK(n > 20);
    }
    tear_down();
}

static void limits__of_depth(void) {
    set_up();
    test_refs_Node *msg = sample();
    test_refs_Node *at = msg;
    for (int i = 0; i < 20; i++) at = test_refs_Node_add_kids(at, &arena);
    for (format how = 0; how < TEXT; how++) {
        tern_bytes bytes = encoded(how, refs, msg);
        int err = TERN_ERR_LIMIT;
        for (uint32_t depth = 0; err == TERN_ERR_LIMIT; depth++) {
            test_refs_Node ref;
            test_values_Node value;
            tern_limits limits = TERN_LIMITS(.max_bytes = 1 << 20, .max_depth = depth, .max_elements = 1 << 20);
            err = decoded(how, refs, bytes, &limits, &arena, &ref);
            CHECK_EQ(err, decoded(how, values, bytes, &limits, &arena, &value));
            CHECK(depth > 20 || err == TERN_ERR_LIMIT);
        }
        CHECK_EQ(err, 0);
    }
    tear_down();
}

/* In pieces of every length, all of them ours or some of others' who change them afterwards. */
static void pieces__decode_alike(void) {
    enum { MAX_PIECES = 1 << 16 };
    static tern_bytes pieces[MAX_PIECES], own[MAX_PIECES];
    static bool lent[MAX_PIECES];
    set_up();
    const test_refs_Node *msg = sample();
    tern_bytes hybrid = encoded(HYBRID, refs, msg), protobuf = encoded(PROTOBUF, refs, msg);
    for (size_t step = 1; step < 200; step += step < 8 ? 1 : 13) {
        tern_arena to;
        tern_arena_init(&to, 0, 0);
        for (int k = 0; k < 2; k++) {
            tern_bytes whole = k ? protobuf : hybrid;
            test_refs_Node back;
            size_t n = 0;
            CHECK(whole.len / step < MAX_PIECES);
            for (size_t at = 0; at < whole.len; at += step, n++) {
                size_t len = whole.len - at < step ? whole.len - at : step;
                own[n] = pieces[n] = tern_bytes_of((const uint8_t *)whole.data + at, len);
                lent[n] = n % 2;
            }
            CHECK_EQ(k ? tern_protobuf_decode_pieces(refs, pieces, n, &to, TERN_DECODE_ALIAS, NULL, &back)
                       : tern_hybrid_decode_pieces(refs, pieces, n, &to, NULL, &back),
                     0);
            CHECK(test_refs_Node_equal(msg, &back));
            CHECK_EQ(k ? tern__protobuf_decode_lent(refs, own, lent, n, &to, NULL, &back)
                       : tern__hybrid_decode_pieces(refs, pieces, lent, n, &to, NULL, &back),
                     0);
            CHECK(test_refs_Node_equal(msg, &back));
        }
        tern_arena_fini(&to);
    }
    tear_down();
}

static int decode_it(format how, tern_bytes bytes, tern_arena *to) {
    test_refs_Node back;
    return how == N_FORMATS ? test_refs_Node_copy(bytes.data, to, &back) : decoded(how, refs, bytes, NULL, to, &back);
}

static void memory__each_allocation_fails_once(void) {
    set_up();
    const test_refs_Node *msg = sample();
    for (format how = 0; how <= N_FORMATS; how++) {
        if (how == TEXT) continue;
        tern_bytes bytes = how == N_FORMATS ? tern_bytes_of(msg, sizeof *msg) : encoded(how, refs, msg);
        uint64_t n = 1;
        for (;; n++) {
            tern_arena to;
            tern_arena_init(&to, 0, 0);
            to.fail_countdown = n;
            int err = decode_it(how, bytes, &to);
            bool failed = to.fail_countdown == 0;
            tern_arena_fini(&to);
            CHECK_EQ(err, failed ? TERN_ERR_NOMEM : 0);
            if (!failed) break;
        }
        CHECK(n > 10);
    }
    tear_down();
}

/* What fails leaves the list as it was. */
static void memory__adding_fails_without_a_trace(void) {
    test_refs_Node root = {0}, other = {0};
    set_up();
    size_t n_failed = 0;
    for (int i = 0; i < 50; i++) {
        size_t len = root.kids.len;
        test_refs_Node **data = root.kids.data;
        for (uint64_t nth = 1; nth <= 2; nth++) {
            arena.fail_countdown = nth;
            void *added = test_refs_Node_add_kids(&root, &arena);
            bool failed = arena.fail_countdown == 0;
            arena.fail_countdown = 0;
            CHECK_EQ(added == NULL, failed);
            n_failed += failed;
            if (failed) CHECK(root.kids.len == len && root.kids.data == data);
            if (failed) continue;
            len = root.kids.len;
            data = root.kids.data;
        }
        CHECK_EQ(test_refs_Node_put_kids(&root, &other, &arena), 0);
        CHECK(root.kids.data[root.kids.len - 1] == &other);
    }
    CHECK(n_failed > 50);
    tear_down();
}

TAP_MAIN(TEST(twins__have_one_fingerprint), TEST(twins__random_messages_have_the_same_bytes),
         TEST(twins__random_graphs_read_as_structs), TEST(lists__messages_are_shared_and_stay_where_they_are),
         TEST(lists__reserved_pointers_are_null), TEST(lists__merging_appends),
         TEST(lists__merging_into_what_is_no_tree), TEST(lists__structs_from_hybrid_lie_in_one_block),
         TEST(lists__of_a_great_number), TEST(limits__are_the_same), TEST(limits__of_depth), TEST(pieces__decode_alike),
         TEST(memory__each_allocation_fails_once), TEST(memory__adding_fails_without_a_trace))
