/* The hybrid codec: what it writes and where, what it reads, and what it refuses. Encodings live in memory of
 * exactly their size, so that a sanitizer sees a read past the end. */
#include "base/base.h"
#include "hybrid_types.h"
#include "tap.h"

static tern_arena arena;

static void arena_begin(void) { tern_arena_init(&arena, 1 << 16, 0); }

/* ---- Round trips */

static const size_t thresholds[] = {0, 1, 16, 512, SIZE_MAX};

static void check_round_trip(const tern_type *type, const void *msg, size_t threshold) {
    flat f = flat_encode(type, msg, threshold);
    CHECK_EQ(f.rc, 0);
    CHECK_EQ(f.posted, f.plan.inplace_bytes);
    CHECK_EQ(f.n_posts, f.plan.n_inplace);
    tern_arena in;
    tern_arena_init(&in, 0, 0);
    void *back = malloc(type->size_bytes);
    memset(back, 0x55, type->size_bytes);
    CHECK_EQ(tern_hybrid_decode(type, f.data, f.len, &in, NULL, back), 0);
    CHECK(message_equal(type, msg, back));
    tern_arena_fini(&in);
    free(back);
    free(f.data);
}

static void round_trip__every_kind(void) {
    arena_begin();
    for (uint64_t seed = 1; seed <= 200; seed++) {
        uint64_t s = seed;
        every *m = tern_arena_zalloc(&arena, sizeof *m);
        message_fill(&every_type, m, &arena, &s, 1);
        for (size_t t = 0; t < TERN__COUNT(thresholds); t++) {
            check_round_trip(&every_type, m, thresholds[t]);
            CHECK_OK();
        }
        tern_arena_reset(&arena);
    }
    tern_arena_fini(&arena);
}

static void round_trip__extremes(void) {
    static const int32_t choices[] = {INT32_MIN, -1, INT32_MAX};
    static const int64_t i64s[] = {INT64_MIN, -1, INT64_MAX};
    every m = {.f64 = -0.0,
               .f32 = 1e-45f,
               .i64 = INT64_MIN,
               .u64 = UINT64_MAX,
               .i32 = INT32_MIN,
               .x32 = UINT32_MAX,
               .choice = -1,
               .s64 = -1,
               .far = INT64_MIN};
    union {
        const void *from;
        void *data;
    } borrow = {choices};
    m.choices = (tern_list_i32){borrow.data, 3, 0};
    borrow.from = i64s;
    m.i64s = (tern_list_i64){borrow.data, 3, 0};
    for (size_t t = 0; t < TERN__COUNT(thresholds); t++) check_round_trip(&every_type, &m, thresholds[t]);
}

static void round_trip__contiguous(void) {
    arena_begin();
    every m = {0};
    uint64_t seed = 5;
    message_fill(&every_type, &m, &arena, &seed, 1);
    flat f = flat_encode(&every_type, &m, SIZE_MAX);
    uint8_t *out = malloc(f.len);
    CHECK_EQ(tern_hybrid_encode(&every_type, &m, out, f.len), (int64_t)f.len);
    CHECK_MEM(out, f.data, f.len);
    CHECK_EQ(tern_hybrid_encode(&every_type, &m, out, f.len - 1), TERN_ERR_LIMIT);
    free(out);
    free(f.data);
    tern_arena_fini(&arena);
}

/* Each length that the copy treats in its own way, from and to memory of exactly that length. */
static void round_trip__every_short_length(void) {
    for (size_t len = 0; len <= 130; len++) {
        uint8_t *bytes = malloc(len);
        for (size_t i = 0; i < len; i++) bytes[i] = (uint8_t)(i + 1);
        tern_bytes val = {bytes, len};
        getm_response m = {.vals = {&val, 1, 0}};
        check_round_trip(&getm_response_type, &m, 512);
        free(bytes);
        CHECK_OK();
    }
}

static void round_trip__empty(void) {
    static const tern_type nothing = {.name = "test.Nothing", .size_bytes = 1};
    every m = {0};
    uint8_t empty = 0;
    flat f = flat_encode(&every_type, &m, 512);
    CHECK_EQ(f.len, 4 + 4 * 32);
    free(f.data);
    f = flat_encode(&nothing, &empty, 512);
    CHECK_EQ(f.len, 4);
    check_round_trip(&every_type, &m, 0);
    check_round_trip(&nothing, &empty, 0);
    free(f.data);
}

/* ---- Presence */

static void presence__explicit_zero_is_kept(void) {
    every m = {.has = {.i32 = 1, .text = 1}}, back;
    flat f = flat_encode(&every_type, &m, 0);
    CHECK_EQ(f.len, 4 + 4 * 32 + 4 + 8);
    CHECK_EQ(f.plan.n_inplace, 0);
    arena_begin();
    CHECK_EQ(tern_hybrid_decode(&every_type, f.data, f.len, &arena, NULL, &back), 0);
    CHECK(back.has.i32 && back.has.text && !back.has.flag && !back.has.f64 && !back.has.blob);
    CHECK_EQ(back.opt_text.len, 0);
    tern_arena_fini(&arena);
    free(f.data);
}

static void presence__unset_value_is_not_sent(void) {
    every m = {.opt_i32 = 7, .opt_text = tern_str_of("stale")}, back;
    flat f = flat_encode(&every_type, &m, 0);
    CHECK_EQ(f.len, 4 + 4 * 32);
    arena_begin();
    CHECK_EQ(tern_hybrid_decode(&every_type, f.data, f.len, &arena, NULL, &back), 0);
    CHECK(!back.has.i32 && back.opt_i32 == 0 && back.opt_text.len == 0);
    tern_arena_fini(&arena);
    free(f.data);
}

static void presence__empty_message_is_there(void) {
    tree empty = {0};
    tree m = {.next = &empty}, back;
    flat f = flat_encode(&tree_type, &m, 0);
    CHECK_EQ(f.len, 8 + 8 + 8);
    arena_begin();
    CHECK_EQ(tern_hybrid_decode(&tree_type, f.data, f.len, &arena, NULL, &back), 0);
    CHECK(back.next != NULL && back.next->next == NULL);
    tern_arena_fini(&arena);
    free(f.data);
}

/* ---- What goes in place */

static void inplace__pool_and_length_decide(void) {
    uint8_t *pool = tern_alloc(4096);
    static uint8_t heap[4096];
    CHECK(pool && tern_in_pool(pool) && !tern_in_pool(heap));
    memset(pool, 'p', 4096);
    tern_bytes vals[] = {{pool, 511}, {pool + 511, 512}, {heap, 4096}, {pool, 0}, {pool + 1024, 3000}};
    getm_response m = {.id = 1, .vals = {vals, 5, 0}};
    flat f = flat_encode(&getm_response_type, &m, 512);
    CHECK_EQ(f.rc, 0);
    CHECK_EQ(f.plan.n_inplace, 2);
    CHECK_EQ(f.plan.inplace_bytes, 512 + 3000);
    CHECK_EQ(f.plan.header_bytes, 20 + 5 * 8);
    CHECK_EQ(f.plan.head_bytes, 60 + 511 + 4096);
    CHECK_EQ(f.plan.threshold, 512);
    CHECK(f.posts[0] == pool + 511 && f.posts[1] == pool + 1024);
    CHECK_EQ(tern_refcount(pool), 1);
    free(f.data);

    f = flat_encode(&getm_response_type, &m, 0);
    CHECK_EQ(f.plan.n_inplace, 3);
    CHECK_EQ(f.plan.threshold, 1);
    free(f.data);
    f = flat_encode(&getm_response_type, &m, SIZE_MAX);
    CHECK_EQ(f.plan.n_inplace, 0);
    free(f.data);
    tern_unref(pool);
}

static void inplace__lists_of_numbers(void) {
    int64_t *numbers = tern_alloc(100 * sizeof *numbers);
    CHECK(numbers);
    for (int i = 0; i < 100; i++) numbers[i] = i - 50;
    every m = {.i64s = {numbers, 100, 0}}, back;
    flat f = flat_encode(&every_type, &m, 512);
    CHECK_EQ(f.plan.n_inplace, 1);
    CHECK_EQ(f.plan.inplace_bytes, 800);
    CHECK(f.posts[0] == numbers);
    arena_begin();
    CHECK_EQ(tern_hybrid_decode(&every_type, f.data, f.len, &arena, NULL, &back), 0);
    CHECK_EQ(back.i64s.len, 100);
    CHECK_EQ(back.i64s.data[99], 49);
    tern_arena_fini(&arena);
    free(f.data);
    tern_unref(numbers);
}

/* every_type without its messages, numbered without gaps. */
static tern_type dense_type(tern_field *fields) {
    tern_type type = every_type;
    uint32_t n = 0;
    for (uint32_t i = 0; i < every_type.n_fields && n < 32; i++) {
        if (every_type.fields[i].kind == TERN_MESSAGE) continue;
        fields[n] = every_type.fields[i];
        fields[n].number = n + 1;
        n++;
    }
    type.fields = fields;
    type.n_fields = type.n_dense = type.max_number = n;
    return type;
}

enum { MAX_POSTED = 1024 };

typedef struct posted {
    unsigned n;
    const void *data[MAX_POSTED];
    uint32_t lens[MAX_POSTED];
} posted;

static int record_post(void *ctx, const tern_bytes *values, size_t n) {
    posted *p = ctx;
    if (n == 0 || n > MAX_POSTED - p->n) return TERN_ERR_FULL;
    for (size_t i = 0; i < n; i++) {
        p->data[p->n] = values[i].data;
        p->lens[p->n++] = (uint32_t)values[i].len;
    }
    return 0;
}

/* Both passes in one write what two did: in just enough room, in more, and not in less. */
static void check_emit(const tern_type *type, const void *msg, size_t threshold, const tern_hybrid_plan *plan,
                       const uint8_t *head, const posted *posts) {
    const size_t rooms[] = {plan->head_bytes, plan->head_bytes + 300, plan->head_bytes - 1, 264};
    for (size_t i = 0; i < TERN__COUNT(rooms); i++) {
        posted again = {0};
        tern_hybrid_emitted out;
        uint8_t *room = malloc(rooms[i]);
        int rc = tern_hybrid_emit(type, msg, threshold, room, rooms[i], record_post, &again, &out);
        CHECK_EQ(rc, rooms[i] < plan->head_bytes ? TERN_ERR_LIMIT : 0);
        if (rc == 0) {
            CHECK_MEM(room, head, plan->head_bytes);
            CHECK_MEM(&again, posts, sizeof again);
            CHECK_EQ(out.head_bytes, plan->head_bytes);
            CHECK_EQ(out.inplace_bytes, plan->inplace_bytes);
            CHECK_EQ(out.n_inplace, plan->n_inplace);
        }
        free(room);
    }
}

static void write__both_ways_alike(void) {
    tern_field fields[32];
    tern_type type = dense_type(fields);
    uint64_t seed = 7;
    unsigned n_flat = 0, n_posted = 0;
    static uint8_t heads[2][1 << 16];
    for (unsigned i = 0; i < 800; i++) {
        every m, back;
        memset(&m, 0, sizeof m);
        arena_begin();
        message_fill(&type, &m, &arena, &seed, 0);
        tern_hybrid_plan plan;
        CHECK_EQ(tern_hybrid_measure(&type, &m, thresholds[i % TERN__COUNT(thresholds)], &plan), 0);
        n_flat += plan.flat != 0;
        posted posts[2] = {{0}, {0}};
        CHECK(plan.head_bytes <= sizeof heads[0] && plan.n_inplace <= MAX_POSTED);
        CHECK_OK();
        CHECK_EQ(tern_hybrid_write(&type, &m, &plan, heads[0], record_post, &posts[0]), 0);
        plan.flat = 0;
        CHECK_EQ(tern_hybrid_write(&type, &m, &plan, heads[1], record_post, &posts[1]), 0);
        CHECK_MEM(heads[0], heads[1], plan.head_bytes);
        CHECK_MEM(&posts[0], &posts[1], sizeof posts[0]);
        CHECK_EQ(posts[0].n, plan.n_inplace);
        n_posted += posts[0].n;
        check_emit(&type, &m, thresholds[i % TERN__COUNT(thresholds)], &plan, heads[0], &posts[0]);
        CHECK_OK();
        flat f = flat_encode(&type, &m, thresholds[i % TERN__COUNT(thresholds)]);
        CHECK_EQ(tern_hybrid_decode(&type, f.data, f.len, &arena, NULL, &back), 0);
        CHECK(message_equal(&type, &m, &back));
        tern_arena_fini(&arena);
        free(f.data);
    }
    CHECK(n_flat > 700);
    CHECK(n_posted > 100);
}

/* Takes only so many values, and refuses a run that has more. */
static int refuse(void *ctx, const tern_bytes *values, size_t n) {
    int *left = ctx;
    (void)values;
    *left -= (int)n;
    return *left > 0 ? 0 : TERN_ERR_FULL;
}

static void inplace__a_sink_that_fails_ends_the_encoding(void) {
    uint8_t *pool = tern_alloc(1024), head[256];
    CHECK(pool);
    tern_bytes vals[] = {{pool, 512}, {"small", 5}, {pool, 512}, {"small", 5}, {pool, 512}};
    getm_response m = {.id = 1, .vals = {vals, 5, 0}};
    tern_hybrid_plan plan;
    tern_hybrid_emitted out;
    CHECK_EQ(tern_hybrid_measure(&getm_response_type, &m, 512, &plan), 0);
    int values_left = 2;
    CHECK_EQ(tern_hybrid_write(&getm_response_type, &m, &plan, head, refuse, &values_left), TERN_ERR_FULL);
    CHECK_EQ(values_left, 0);
    values_left = 2;
    CHECK_EQ(tern_hybrid_emit(&getm_response_type, &m, 512, head, sizeof head, refuse, &values_left, &out),
             TERN_ERR_FULL);
    CHECK_EQ(values_left, 0);
    tern_unref(pool);
}

static int count_runs(void *ctx, const tern_bytes *values, size_t n) {
    uint32_t *runs = ctx;
    (void)values;
    runs[0]++;
    runs[1] += (uint32_t)n;
    return 0;
}

static void inplace__values_in_a_row_are_one_post(void) {
    uint8_t *pool = tern_alloc(1024), head[256];
    CHECK(pool);
    tern_bytes vals[] = {{pool, 600}, {pool, 601}, {pool, 602}, {"", 0}, {pool, 603}, {pool, 604}};
    getm_response m = {.id = 1, .vals = {vals, 3, 0}};
    uint32_t runs[2] = {0, 0}, holed[2] = {0, 0};
    tern_hybrid_emitted out;
    CHECK_EQ(tern_hybrid_emit(&getm_response_type, &m, 512, head, sizeof head, count_runs, runs, &out), 0);
    CHECK(runs[0] == 1 && runs[1] == 3);
    m.vals.len = 6;
    CHECK_EQ(tern_hybrid_emit(&getm_response_type, &m, 512, head, sizeof head, count_runs, holed, &out), 0);
    CHECK(holed[0] == 2 && holed[1] == 5);
    tern_unref(pool);
}

static void decode__points_into_the_input(void) {
    tern_bytes vals[] = {{"abc", 3}, {"defgh", 5}};
    getm_response m = {.id = 9, .vals = {vals, 2, 0}}, back;
    flat f = flat_encode(&getm_response_type, &m, 512);
    arena_begin();
    CHECK_EQ(tern_hybrid_decode(&getm_response_type, f.data, f.len, &arena, NULL, &back), 0);
    CHECK(back.vals.data[0].data == f.data + f.plan.header_bytes);
    CHECK(back.vals.data[1].data == f.data + f.plan.header_bytes + 3);
    tern_arena_fini(&arena);
    free(f.data);
}

/* Every placement of a list: read in place when aligned (cap 0: borrowed), copied when not. */
static void decode__number_lists_of_any_alignment(void) {
    int64_t numbers[] = {1, 2, 3};
    every m = {.i64s = {numbers, 3, 0}}, back;
    flat f = flat_encode(&every_type, &m, 512);
    uint64_t *room = malloc(f.len + 8);
    unsigned n_borrowed = 0;
    arena_begin();
    for (size_t shift = 0; shift < 8; shift++) {
        uint8_t *at = (uint8_t *)room + shift;
        memcpy(at, f.data, f.len);
        CHECK_EQ(tern_hybrid_decode(&every_type, at, f.len, &arena, NULL, &back), 0);
        CHECK_EQ((uintptr_t)back.i64s.data % 8, 0);
        CHECK_MEM(back.i64s.data, numbers, sizeof numbers);
        n_borrowed += back.i64s.cap == 0;
    }
    CHECK_EQ(n_borrowed, 1);
    tern_arena_fini(&arena);
    free(room);
    free(f.data);
}

/* ---- Schemas that grow */

typedef struct grown {
    int32_t id;
    tern_str name;
    tern_str added;
    tree *added_sub;
} grown;

#define NAME_FIELD(type, number)                                                                                       \
    TERN_FIELD(number, offsetof(type, name), 0, 0, TERN_STRING, TERN_FIELD_UTF8, sizeof(tern_str))
static const tern_type *const grown_subs[] = {&tree_type};
static const tern_field grown_fields[] = {
    TERN_FIELD(1, offsetof(grown, id), 0, 0, TERN_INT32, 0, 4),
    NAME_FIELD(grown, 2),
    TERN_FIELD(3, offsetof(grown, added), 0, 0, TERN_STRING, 0, sizeof(tern_str)),
    TERN_FIELD(40, offsetof(grown, added_sub), 0, 0, TERN_MESSAGE, 0, 8),
};
static const tern_type grown_type = {.name = "test.Grown",
                                     .fields = grown_fields,
                                     .subs = grown_subs,
                                     .n_fields = 4,
                                     .n_dense = 3,
                                     .size_bytes = sizeof(grown),
                                     .max_number = 40};
static const tern_type first_type = {.name = "test.Grown",
                                     .fields = grown_fields,
                                     .n_fields = 2,
                                     .n_dense = 2,
                                     .size_bytes = sizeof(grown),
                                     .max_number = 2};
/* Someone who knows id and field 40 only. */
static const tern_field gap_fields[] = {
    TERN_FIELD(1, offsetof(grown, id), 0, 0, TERN_INT32, 0, 4),
    TERN_FIELD(40, offsetof(grown, added_sub), 0, 0, TERN_MESSAGE, 0, 8),
};
static const tern_type gap_type = {.name = "test.Grown",
                                   .fields = gap_fields,
                                   .subs = grown_subs,
                                   .n_fields = 2,
                                   .n_dense = 1,
                                   .size_bytes = sizeof(grown),
                                   .max_number = 40};

static void evolution__old_reader_stops_at_what_it_knows(void) {
    tree sub = {.id = 4};
    grown m = {.id = 3, .name = tern_str_of("n"), .added = tern_str_of("new"), .added_sub = &sub}, back;
    flat f = flat_encode(&grown_type, &m, 512);
    arena_begin();
    CHECK_EQ(tern_hybrid_decode(&first_type, f.data, f.len, &arena, NULL, &back), 0);
    CHECK_EQ(back.id, 3);
    CHECK(tern_str_eq(back.name, m.name) && back.added.len == 0 && !back.added_sub);
    tern_arena_fini(&arena);
    free(f.data);
}

static void evolution__new_reader_sees_zeros(void) {
    grown m = {.id = 3, .name = tern_str_of("n")}, back;
    flat f = flat_encode(&first_type, &m, 512);
    arena_begin();
    CHECK_EQ(tern_hybrid_decode(&grown_type, f.data, f.len, &arena, NULL, &back), 0);
    CHECK(back.id == 3 && tern_str_eq(back.name, m.name) && back.added.len == 0 && !back.added_sub);
    tern_arena_fini(&arena);
    free(f.data);
}

static void evolution__unknown_number_before_a_known_one(void) {
    tree sub = {.id = 4};
    grown m = {.id = 3, .name = tern_str_of("n")}, back;
    arena_begin();
    flat f = flat_encode(&grown_type, &m, 512);
    CHECK_EQ(tern_hybrid_decode(&gap_type, f.data, f.len, &arena, NULL, &back), 0);
    CHECK_EQ(back.id, 3);
    free(f.data);
    m.added_sub = &sub;
    f = flat_encode(&grown_type, &m, 512);
    CHECK_EQ(tern_hybrid_decode(&gap_type, f.data, f.len, &arena, NULL, &back), TERN_ERR_MALFORMED);
    free(f.data);
    tern_arena_fini(&arena);
}

/* ---- Limits */

static void limits__cycle_ends(void) {
    tree m = {.id = 1};
    m.next = &m;
    tern_hybrid_plan plan;
    CHECK_EQ(tern_hybrid_measure(&tree_type, &m, 512, &plan), TERN_ERR_LIMIT);
}

static void limits__depth_of_encoder_and_decoder(void) {
    static tree chain[101];
    uint8_t out[101 * 20];
    memset(chain, 0, sizeof chain);
    for (int i = 0; i < 100; i++) chain[i].next = &chain[i + 1];
    CHECK_EQ(tern_hybrid_encode(&tree_type, &chain[0], out, sizeof out), TERN_ERR_LIMIT);
    int64_t len = tern_hybrid_encode(&tree_type, &chain[1], out, sizeof out);
    CHECK_EQ(len, 99 * 16 + 8);
    tree back;
    tern_limits limits;
    tern_limits_init(&limits);
    arena_begin();
    CHECK_EQ(tern_hybrid_decode(&tree_type, out, (size_t)len, &arena, &limits, &back), 0);
    limits.max_depth = 99;
    CHECK_EQ(tern_hybrid_decode(&tree_type, out, (size_t)len, &arena, &limits, &back), TERN_ERR_LIMIT);
    tern_arena_fini(&arena);
}

static void limits__bytes_and_elements(void) {
    tern_bytes vals[] = {{"abc", 3}, {"defgh", 5}};
    getm_response m = {.id = 9, .vals = {vals, 2, 0}}, back;
    flat f = flat_encode(&getm_response_type, &m, 512);
    tern_limits limits = TERN_LIMITS(.max_bytes = f.len, .max_elements = 2, .max_depth = 1);
    arena_begin();
    CHECK_EQ(tern_hybrid_decode(&getm_response_type, f.data, f.len, &arena, &limits, &back), 0);
    limits.max_elements = 1;
    CHECK_EQ(tern_hybrid_decode(&getm_response_type, f.data, f.len, &arena, &limits, &back), TERN_ERR_LIMIT);
    limits.max_elements = 2;
    limits.max_bytes--;
    CHECK_EQ(tern_hybrid_decode(&getm_response_type, f.data, f.len, &arena, &limits, &back), TERN_ERR_LIMIT);
    tern_arena_fini(&arena);
    free(f.data);
}

static void limits__two_gigabytes(void) {
    uint8_t byte = 0;
    tern_hybrid_plan plan;
    tern_bytes vals[] = {{&byte, (size_t)1 << 31}, {&byte, (size_t)1 << 30}, {&byte, ((size_t)1 << 30) - 36}};
    /* the two last and their header of 32 bytes make 2^31 - 4 */
    getm_response m = {.vals = {vals, 1, 0}};
    CHECK_EQ(tern_hybrid_measure(&getm_response_type, &m, 512, &plan), TERN_ERR_LIMIT);
    vals[0].len = SIZE_MAX;
    CHECK_EQ(tern_hybrid_measure(&getm_response_type, &m, 512, &plan), TERN_ERR_LIMIT);
    m.vals = (tern_list_bytes){vals + 1, 2, 0};
    CHECK_EQ(tern_hybrid_measure(&getm_response_type, &m, 512, &plan), 0);
    CHECK_EQ(plan.head_bytes, ((uint32_t)1 << 31) - 4);
    vals[2].len += 4;
    CHECK_EQ(tern_hybrid_measure(&getm_response_type, &m, 512, &plan), TERN_ERR_LIMIT);
    m.vals.len = (size_t)1 << 28;
    CHECK_EQ(tern_hybrid_measure(&getm_response_type, &m, 512, &plan), TERN_ERR_LIMIT);
}

static void limits__field_numbers(void) {
    static const tern_field fields[] = {TERN_FIELD(65537, 0, 0, 0, TERN_INT32, 0, 4)};
    static const tern_type type = {
        .name = "test.Far", .fields = fields, .n_fields = 1, .size_bytes = 4, .max_number = 65537};
    uint8_t m[4] = {1}, out[64] = {0};
    CHECK_EQ(tern_hybrid_encode(&type, m, out, sizeof out), TERN_ERR_UNSUPPORTED);
    arena_begin();
    CHECK_EQ(tern_hybrid_decode(&type, out, sizeof out, &arena, NULL, m), TERN_ERR_UNSUPPORTED);
    tern_arena_fini(&arena);
}

static void limits__every_failed_allocation_is_reported(void) {
    every m = {0}, back;
    uint64_t seed = 11, n = 0;
    arena_begin();
    message_fill(&every_type, &m, &arena, &seed, 1);
    flat f = flat_encode(&every_type, &m, SIZE_MAX);
    int rc;
    do {
        tern_arena in;
        tern_arena_init(&in, 0, 0);
        in.fail_countdown = ++n;
        rc = tern_hybrid_decode(&every_type, f.data, f.len, &in, NULL, &back);
        CHECK(rc == 0 || rc == TERN_ERR_NOMEM);
        tern_arena_fini(&in);
    } while (rc);
    CHECK(n > 5);
    tern_arena_fini(&arena);
    free(f.data);
}

/* ---- Bad input */

/* A valid Tree {id: 7, name: "abc", next: {}, kids: [{id: 1}, {id: 2}]}, to be broken in one place:
 *   0: words, 4: bitmap, 8: id, 12: name, 20: next, 28: kids, 36: object of next, 44: table, 60: kid, 72: kid,
 *   84: "abc" */
static const uint32_t valid_tree[22] = {1,  15, 7,  3,  84, 0, 36, 2, 44, 1, 0,
                                        12, 60, 12, 72, 1,  1, 1,  1, 1,  2, 0x636261};
enum { VALID_BYTES = 87 };

static const struct bad_input {
    const char *what;
    unsigned at;     /* byte of the word that is replaced */
    uint32_t value;  /* by this */
    unsigned length; /* of the input */
    int rc;
} bad_inputs[] = {
    {"nothing wrong", 0, 1, VALID_BYTES, 0},
    {"no bytes", 0, 1, 0, TERN_ERR_TRUNCATED},
    {"half a word", 0, 1, 3, TERN_ERR_TRUNCATED},
    {"no bitmap", 0, 1, 4, TERN_ERR_TRUNCATED},
    {"no entries", 0, 1, 8, TERN_ERR_TRUNCATED},
    {"half an entry", 0, 1, 18, TERN_ERR_TRUNCATED},
    {"last byte missing", 0, 1, VALID_BYTES - 1, TERN_ERR_TRUNCATED},
    {"bitmap past the end", 0, 100, VALID_BYTES, TERN_ERR_TRUNCATED},
    {"bitmap too large", 0, 2049, VALID_BYTES, TERN_ERR_MALFORMED},
    {"bitmap huge", 0, UINT32_MAX, VALID_BYTES, TERN_ERR_MALFORMED},
    {"bits above what is known", 4, 0xffffffff, VALID_BYTES, 0},
    {"string past the end", 12, 4, VALID_BYTES, TERN_ERR_TRUNCATED},
    {"string size wraps", 12, UINT32_MAX, VALID_BYTES, TERN_ERR_TRUNCATED},
    {"string offset past the end", 16, 88, VALID_BYTES, TERN_ERR_TRUNCATED},
    {"string offset wraps", 16, UINT32_MAX, VALID_BYTES, TERN_ERR_TRUNCATED},
    {"string anywhere else", 16, 0, VALID_BYTES, 0},
    {"not UTF-8", 84, 0x63ff61, VALID_BYTES, TERN_ERR_UTF8},
    {"message with a size", 20, 8, VALID_BYTES, TERN_ERR_MALFORMED},
    {"message is its own parent", 24, 0, VALID_BYTES, TERN_ERR_MALFORMED},
    {"message inside what was read", 24, 24, VALID_BYTES, TERN_ERR_MALFORMED},
    {"message over its own end", 24, 85, VALID_BYTES, TERN_ERR_TRUNCATED},
    {"message past the end", 24, VALID_BYTES, VALID_BYTES, TERN_ERR_TRUNCATED},
    {"message offset wraps", 24, UINT32_MAX - 3, VALID_BYTES, TERN_ERR_TRUNCATED},
    {"list past the end", 28, 6, VALID_BYTES, TERN_ERR_TRUNCATED},
    {"list count wraps", 28, 0x20000001, VALID_BYTES, TERN_ERR_TRUNCATED},
    {"list is empty", 28, 0, VALID_BYTES, 0},
    {"table inside what was read", 32, 40, VALID_BYTES, TERN_ERR_MALFORMED},
    {"table past the end", 32, 80, VALID_BYTES, TERN_ERR_TRUNCATED},
    {"element shorter than its bitmap", 44, 7, VALID_BYTES, TERN_ERR_TRUNCATED},
    {"element shorter than its entries", 44, 8, VALID_BYTES, TERN_ERR_TRUNCATED},
    {"element without a byte", 44, 0, VALID_BYTES, TERN_ERR_TRUNCATED},
    {"element past the end", 44, 28, VALID_BYTES, TERN_ERR_TRUNCATED},
    {"element twice", 56, 60, VALID_BYTES, TERN_ERR_MALFORMED},
    {"element inside its table", 48, 44, VALID_BYTES, TERN_ERR_MALFORMED},
    {"an element longer than what we know of it", 44, 16, VALID_BYTES, 0},
};

static void malformed__one_word_wrong(void) {
    tree expect_next = {0}, kids[] = {{.id = 1}, {.id = 2}};
    tree expect = {.id = 7, .name = tern_str_of("abc"), .next = &expect_next, .kids = {kids, 2, 2}};
    for (size_t i = 0; i < TERN__COUNT(bad_inputs); i++) {
        const struct bad_input *bad = &bad_inputs[i];
        uint8_t whole[sizeof valid_tree], *data = malloc(bad->length + 1);
        memcpy(whole, valid_tree, sizeof whole);
        tern__store32(whole + bad->at, bad->value);
        memcpy(data + 1, whole, bad->length);
        tree back;
        arena_begin();
        int rc = tern_hybrid_decode(&tree_type, data + 1, bad->length, &arena, NULL, &back);
        if (rc != bad->rc) printf("# %s\n", bad->what);
        CHECK_EQ(rc, bad->rc);
        if (i == 0) CHECK(message_equal(&tree_type, &expect, &back));
        tern_arena_fini(&arena);
        free(data);
    }
    uint8_t out[VALID_BYTES];
    CHECK_EQ(tern_hybrid_encode(&tree_type, &expect, out, sizeof out), VALID_BYTES);
    CHECK_MEM(out, valid_tree, VALID_BYTES);
}

static void malformed__bools_are_zero_or_one(void) {
    bool flags[] = {true, false, true};
    every m = {.flag = true, .flags = {flags, 3, 0}}, back;
    flat f = flat_encode(&every_type, &m, 512);
    arena_begin();
    CHECK_EQ(tern_hybrid_decode(&every_type, f.data, f.len, &arena, NULL, &back), 0);
    f.data[f.len - 1] = 2;
    CHECK_EQ(tern_hybrid_decode(&every_type, f.data, f.len, &arena, NULL, &back), TERN_ERR_MALFORMED);
    f.data[f.len - 1] = 1;
    f.data[4 + 4 * 32 + 1] = 1;
    CHECK_EQ(tern_hybrid_decode(&every_type, f.data, f.len, &arena, NULL, &back), TERN_ERR_MALFORMED);
    tern_arena_fini(&arena);
    free(f.data);
}

/* Many strings that are one long string: legal one by one, refused together, so that nobody is made to
 * check a megabyte a hundred thousand times. */
static void malformed__values_longer_than_the_input(void) {
    enum { N = 1000, TABLE = 20, BYTES = TABLE + 8 * N };
    uint8_t *data = calloc(1, BYTES);
    tern__store32(data, 1);
    tern__store32(data + 4, 2);
    tern__store32(data + 8, N);
    tern__store32(data + 12, TABLE);
    for (int i = 0; i < N; i++) tern__store32(data + TABLE + 8 * i, i < 7 ? 1000 : 0);
    getm_response back;
    arena_begin();
    CHECK_EQ(tern_hybrid_decode(&getm_response_type, data, BYTES, &arena, NULL, &back), 0);
    for (int i = 0; i < N; i++) tern__store32(data + TABLE + 8 * i, 1000);
    CHECK_EQ(tern_hybrid_decode(&getm_response_type, data, BYTES, &arena, NULL, &back), TERN_ERR_MALFORMED);
    tern_arena_fini(&arena);
    free(data);
}

static uint64_t walk(const tree *n) {
    uint64_t sum = (uint32_t)n->id;
    for (size_t i = 0; i < n->name.len; i++) sum += (uint8_t)n->name.data[i];
    if (n->next) sum += walk(n->next);
    for (size_t i = 0; i < n->kids.len; i++) sum += walk(&n->kids.data[i]);
    return sum;
}

/* Whatever decodes must be readable, and must encode and decode to itself. */
static void malformed__random_mutations(void) {
    uint64_t seed = 42, n_decoded = 0, n_refused = 0;
    tern_limits limits = TERN_LIMITS(.max_bytes = 1 << 20, .max_elements = 1000, .max_depth = 20);
    for (int round = 0; round < 20000; round++) {
        arena_begin();
        tree m = {0}, back, again;
        message_fill(&tree_type, &m, &arena, &seed, 2);
        flat f = flat_encode(&tree_type, &m, round % 3 ? 64 : SIZE_MAX);
        for (int k = 0; k <= round % 4; k++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            size_t at = (size_t)(seed >> 33) % (k % 2 ? f.len : f.plan.header_bytes);
            f.data[at] = seed >> 20 & 1 ? (uint8_t)(f.data[at] + 4) : (uint8_t)(seed >> 24);
        }
        if (tern_hybrid_decode(&tree_type, f.data, f.len, &arena, &limits, &back) == 0) {
            n_decoded++;
            CHECK(walk(&back) + 1 != 0);
            flat g = flat_encode(&tree_type, &back, 0);
            CHECK_EQ(g.rc, 0);
            CHECK_EQ(tern_hybrid_decode(&tree_type, g.data, g.len, &arena, NULL, &again), 0);
            CHECK(message_equal(&tree_type, &back, &again));
            free(g.data);
        } else {
            n_refused++;
        }
        free(f.data);
        tern_arena_fini(&arena);
    }
    CHECK(n_decoded > 100 && n_refused > 1000);
}

TAP_MAIN(TEST(round_trip__every_kind), TEST(round_trip__extremes), TEST(round_trip__contiguous),
         TEST(round_trip__every_short_length), TEST(round_trip__empty), TEST(presence__explicit_zero_is_kept),
         TEST(presence__unset_value_is_not_sent), TEST(presence__empty_message_is_there),
         TEST(inplace__pool_and_length_decide), TEST(inplace__lists_of_numbers),
         TEST(inplace__a_sink_that_fails_ends_the_encoding), TEST(inplace__values_in_a_row_are_one_post),
         TEST(write__both_ways_alike), TEST(decode__points_into_the_input), TEST(decode__number_lists_of_any_alignment),
         TEST(evolution__old_reader_stops_at_what_it_knows), TEST(evolution__new_reader_sees_zeros),
         TEST(evolution__unknown_number_before_a_known_one), TEST(limits__cycle_ends),
         TEST(limits__depth_of_encoder_and_decoder), TEST(limits__bytes_and_elements), TEST(limits__two_gigabytes),
         TEST(limits__field_numbers), TEST(limits__every_failed_allocation_is_reported),
         TEST(malformed__one_word_wrong), TEST(malformed__bools_are_zero_or_one),
         TEST(malformed__values_longer_than_the_input), TEST(malformed__random_mutations))
