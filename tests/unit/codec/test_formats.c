/* Formats by their tables: what a plan promises is what is written, wherever the values lie; and lists of formats. */
#include "base/base.h"
#include "codec/format_hybrid.h"
#include "codec/format_protobuf.h"
#include "codec/formats.h"
#include "everything.tern.h"
#include "legacy.tern.h"
#include "random_message.h"
#include "tap.h"

static const tern__format *const formats[] = {&tern__format_hybrid, &tern__format_protobuf};

static tern_arena arena;

/* ---- A message by its plan ------------------------------------------------------------------------ */

enum { GUARD = 64, GUARD_BYTE = 0xa5 };

/* A message as its receiver gets it: the head, and what was handed to the sink. */
typedef struct written {
    uint8_t *bytes;
    size_t len;
    tern__format_plan plan;
    int err;
} written;

static int append_values(void *ctx, const tern_bytes *values, size_t n) {
    written *w = ctx;
    for (size_t i = 0; i < n; i++) {
        memcpy(w->bytes + w->len, values[i].data, values[i].len);
        w->len += values[i].len;
    }
    return 0;
}

static void merge_values(written *w, const uint8_t *head, const tern__format_value *values) {
    uint32_t at = 0;
    for (uint32_t i = 0; i <= w->plan.n_inplace; i++) {
        uint32_t next = i < w->plan.n_inplace ? values[i].at : w->plan.head_bytes;
        CHECK(next >= at && next <= w->plan.head_bytes);
        append_values(w, &(tern_bytes){head + at, next - at}, 1);
        at = next;
        if (i < w->plan.n_inplace) append_values(w, &(tern_bytes){values[i].data, values[i].len}, 1);
    }
}

static bool is_guard(const uint8_t *p) {
    for (int i = 0; i < GUARD; i++)
        if (p[i] != GUARD_BYTE) return false;
    return true;
}

/* Writes `msg` by the plan made for `planned`, usually the same; nothing but the head and the table of values may be
 * touched. The bytes are the caller's to free. */
static written write_as_planned(const tern__format *format, const tern_type *type, const void *planned, const void *msg,
                                size_t threshold) {
    written w = {.bytes = NULL};
    if ((w.err = format->plan(type, planned, threshold, &w.plan)) != 0) return w;
    size_t head_bytes = w.plan.head_bytes, table = w.plan.n_inplace * sizeof(tern__format_value);
    uint8_t *head = malloc(head_bytes + 2 * GUARD), *values = malloc(table + 2 * GUARD);
    memset(head, GUARD_BYTE, head_bytes + 2 * GUARD);
    memset(values, GUARD_BYTE, table + 2 * GUARD);
    w.bytes = malloc(head_bytes + w.plan.inplace_bytes + 1);
    tern__format_value *own = (tern__format_value *)(void *)(values + GUARD);
    bool behind = format->pieces_per_value == 1;
    written tail = {.bytes = w.bytes + head_bytes};
    tern__format_sink sink = {.post = append_values, .ctx = &tail, .values = behind ? NULL : own};
    w.err = format->write(type, msg, &w.plan, head + GUARD, &sink);
    if (!is_guard(head) || !is_guard(head + GUARD + head_bytes) || !is_guard(values) ||
        !is_guard(values + GUARD + table))
        w.err = TERN_ERR_FULL;
    if (!w.err && behind) {
        memcpy(w.bytes, head + GUARD, head_bytes);
        w.len = head_bytes + tail.len;
    } else if (!w.err) {
        merge_values(&w, head + GUARD, own);
    }
    free(head);
    free(values);
    return w;
}

/* By each threshold, the message is the one that is copied whole. Returns the values in place, at threshold 0. */
static uint32_t check_protobuf(const tern_type *type, const void *msg) {
    uint32_t n_inplace = 0;
    int64_t size = tern_protobuf_size(type, msg);
    uint8_t *whole = malloc((size_t)size + 1);
    if (tern_protobuf_encode(type, msg, whole, (size_t)size + 1) != size) size = -1;
    static const size_t thresholds[] = {0, 64, 100, 200, 512, SIZE_MAX};
    for (unsigned i = 0; i < TERN__COUNT(thresholds); i++) {
        written w = write_as_planned(&tern__format_protobuf, type, msg, msg, thresholds[i]);
        bool right = !w.err && (int64_t)w.len == size && !memcmp(w.bytes, whole, w.len);
        right = right && w.plan.copied_bytes <= w.plan.head_bytes;
        right = right && (thresholds[i] != SIZE_MAX || (w.plan.head_bytes == size && !w.plan.n_inplace));
        if (i == 0) n_inplace = w.plan.n_inplace;
        free(w.bytes);
        if (!right) tap_failed = true;
        if (!right) printf("# threshold %zu: error %d, %zu bytes of %" PRId64 "\n", thresholds[i], w.err, w.len, size);
    }
    free(whole);
    return n_inplace;
}

static void protobuf__random_messages_with_values_in_place(void) {
    tern__rng rng;
    uint64_t n_inplace = 0;
    tern__rng_seed(&rng, 11);
    for (int i = 0; i < 300; i++) {
        const tern_type *type = i % 3 ? &test_all_Everything_type : &test_all_Lists_type;
        tern_arena_init(&arena, 0, 0);
        void *msg = tern_arena_zalloc(&arena, type->size_bytes);
        random_message(type, msg, &arena, &rng, 4);
        n_inplace += check_protobuf(type, msg);
        tern_arena_fini(&arena);
        CHECK_OK();
    }
    CHECK(n_inplace > 200);
}

/* All lengths of what stands before, between and behind the values, so that the head begins in each of the ways that
 * the writer has for its last bytes. */
static void protobuf__heads_of_all_lengths(void) {
    tern_arena_init(&arena, 0, 0);
    uint8_t *pool = tern_arena_zalloc(&arena, 4096);
    for (unsigned i = 0; i < 4096; i++) pool[i] = (uint8_t)(i * 13);
    for (size_t pad = 0; pad < 300; pad++) {
        tern_bytes values[] = {
            {pool, pad % 47}, {pool + 1, 300}, {pool + 2, pad / 7}, {pool + 3, 1000}, {pool + 4, pad % 3}};
        for (size_t first = 0; first < 4; first++) {
            test_all_Lists m = {.f_bytes = {values + first, TERN__COUNT(values) - first, 0}};
            CHECK_EQ(check_protobuf(&test_all_Lists_type, &m), first < 2 ? 2 : 1);
            CHECK_OK();
        }
    }
    tern_arena_fini(&arena);
}

/* Lists of fixed width and unknown fields are values as strings are; varints and what lies outside the pool are not. */
static void protobuf__what_goes_in_place(void) {
    enum { N = 100, MARK = 3 };
    tern_arena_init(&arena, 0, 0);
    double *numbers = tern_arena_zalloc(&arena, N * sizeof *numbers);
    int32_t *varints = tern_arena_zalloc(&arena, N * sizeof *varints);
    uint8_t *unknown = tern_arena_zalloc(&arena, 604), *heap = calloc(1, 600);
    memcpy(unknown, "\xfa\x3e\xd8\x04", 4); /* field 1007: 600 bytes */
    test_all_Lists m = {.f_double = {numbers, N, 0}, .f_int32 = {varints, N, 0}};
    written w = write_as_planned(&tern__format_protobuf, &test_all_Lists_type, &m, &m, 512);
    CHECK_EQ(w.err, 0);
    CHECK_EQ(w.plan.n_inplace, 1);
    CHECK_EQ(w.plan.inplace_bytes, N * sizeof *numbers);
    CHECK_EQ(w.plan.copied_bytes, 0); /* numbers that are written anew are no copies */
    CHECK_EQ(w.plan.head_bytes, MARK + 2 + N);
    free(w.bytes);
    CHECK_EQ(check_protobuf(&test_all_Lists_type, &m), 1);

    tern_bytes values[] = {{heap, 600}};
    m = (test_all_Lists){.f_bytes = {values, 1, 0}, .unknown = {unknown, 604, 0}};
    w = write_as_planned(&tern__format_protobuf, &test_all_Lists_type, &m, &m, 512);
    CHECK_EQ(w.plan.n_inplace, 1);
    CHECK_EQ(w.plan.inplace_bytes, 604);
    CHECK_EQ(w.plan.copied_bytes, 600);
    free(w.bytes);
    CHECK_EQ(check_protobuf(&test_all_Lists_type, &m), 1);

    /* a message that consists of one value in place, and no byte is copied */
    m = (test_all_Lists){.unknown = {unknown, 604, 0}};
    w = write_as_planned(&tern__format_protobuf, &test_all_Lists_type, &m, &m, 512);
    CHECK_EQ(w.err, 0);
    CHECK_EQ(w.plan.head_bytes, 0);
    CHECK_EQ(w.len, 604);
    free(w.bytes);
    CHECK_EQ(check_protobuf(&test_all_Lists_type, &m), 1);
    free(heap);
    tern_arena_fini(&arena);
}

/* A message that another thread changes between the passes is an error, and nothing outside of head and table is
 * touched. */
static void protobuf__message_changed_after_the_plan(void) {
    tern_arena_init(&arena, 0, 0);
    uint8_t *pool = tern_arena_zalloc(&arena, 4096);
    static const size_t lens[] = {0, 1, 40, 47, 48, 63, 64, 65, 100, 600, 601, 4000};
    for (unsigned i = 0; i < TERN__COUNT(lens); i++) {
        for (unsigned k = 0; k < TERN__COUNT(lens); k++) {
            tern_bytes before[] = {{pool, 600}, {pool, lens[i]}, {pool, 30}};
            tern_bytes after[] = {{pool, 600}, {pool, lens[k]}, {pool, 30}};
            test_all_Lists planned = {.f_bytes = {before, 3, 0}}, m = {.f_bytes = {after, 3, 0}};
            written w = write_as_planned(&tern__format_protobuf, &test_all_Lists_type, &planned, &m, 64);
            free(w.bytes);
            CHECK(i == k ? w.err == 0 : w.err == TERN_ERR_INVALID || w.err == TERN_ERR_LIMIT);
            m = (test_all_Lists){.f_bytes = {after, 2, 0}};
            w = write_as_planned(&tern__format_protobuf, &test_all_Lists_type, &planned, &m, 64);
            free(w.bytes);
            CHECK(w.err == TERN_ERR_INVALID || w.err == TERN_ERR_LIMIT);
        }
    }
    tern_arena_fini(&arena);
}

static void plan__errors(void) {
    tern__format_plan plan;
    test_legacy_Closed incomplete = {0};
    for (unsigned i = 0; i < TERN__COUNT(formats); i++)
        CHECK_EQ(formats[i]->plan(&test_legacy_Closed_type, &incomplete, 512, &plan), TERN_ERR_INVALID);
    test_legacy_Free loop = {.next = &loop};
    for (unsigned i = 0; i < TERN__COUNT(formats); i++)
        CHECK_EQ(formats[i]->plan(&test_legacy_Free_type, &loop, 512, &plan), TERN_ERR_LIMIT);
}

/* ---- From pieces ----------------------------------------------------------------------------------- */

/* Cut anywhere, with empty pieces among them, a message is the same; and one that is too long is refused. */
static void decode__from_pieces(void) {
    tern__rng rng;
    unsigned n_long = 0;
    tern__rng_seed(&rng, 5);
    for (int i = 0; i < 200; i++) {
        const tern__format *format = formats[i % TERN__COUNT(formats)];
        test_all_Lists m = {0}, back;
        tern_arena_init(&arena, 0, 0);
        random_message(&test_all_Lists_type, &m, &arena, &rng, 3);
        written w = write_as_planned(format, &test_all_Lists_type, &m, &m, 64);
        CHECK_EQ(w.err, 0);
        tern_bytes pieces[64];
        size_t n = 0, at = 0;
        for (; n < 62 && at < w.len; n++) {
            size_t len = n == 61 ? w.len - at : tern__rng_below(&rng, 1 + w.len / 8);
            if (len > w.len - at) len = w.len - at;
            pieces[n] = tern_bytes_of(w.bytes + at, len);
            at += len;
        }
        pieces[n++] = (tern_bytes){NULL, 0};
        CHECK_EQ(format->decode(&test_all_Lists_type, pieces, n, &arena, NULL, &back), 0);
        CHECK(tern_message_equal(&test_all_Lists_type, &m, &back));
        tern_limits limits;
        tern_limits_init(&limits);
        limits.max_bytes = w.len ? w.len - 1 : 0;
        CHECK_EQ(format->decode(&test_all_Lists_type, pieces, n, &arena, &limits, &back), w.len ? TERN_ERR_LIMIT : 0);
        n_long += w.len > 500;
        free(w.bytes);
        tern_arena_fini(&arena);
    }
    CHECK(n_long > 20);
}

/* ---- Lists ----------------------------------------------------------------------------------------- */

static const tern__format third = {.name = "third", .number = 3}, fourth = {.name = "fourth", .number = 7},
                          raw = {.name = "raw", .number = TERN_FORMAT_RAW}, beyond = {.name = "beyond", .number = 8},
                          false_hybrid = {.name = "hybrid", .number = TERN_FORMAT_HYBRID};

static bool is_sound(const tern__format *a, const tern__format *b, const tern__format *c, const tern__format *d) {
    return tern__formats_are_sound((const tern__format *const[]){a, b, c, d, NULL});
}

static void formats__what_is_sound(void) {
    const tern__format *h = &tern__format_hybrid, *p = &tern__format_protobuf;
    CHECK(tern__formats_are_sound(tern__formats_default));
    CHECK(is_sound(&third, h, &fourth, p));
    CHECK(is_sound(p, h, NULL, NULL));
    CHECK(!is_sound(h, NULL, NULL, NULL)); /* every peer has protobuf */
    CHECK(!is_sound(p, &third, NULL, NULL));
    CHECK(!is_sound(NULL, NULL, NULL, NULL));
    CHECK(!is_sound(h, p, &third, &third));
    CHECK(!is_sound(h, p, &raw, NULL));
    CHECK(!is_sound(h, p, &beyond, NULL));
    CHECK(!is_sound(&false_hybrid, p, NULL, NULL));
    CHECK(!is_sound(h, p, &false_hybrid, NULL));
}

static void formats__the_first_that_both_have(void) {
    const tern__format *h = &tern__format_hybrid, *p = &tern__format_protobuf;
    const tern__format *const list[] = {&third, h, p, &fourth, NULL};
    CHECK_EQ(tern__formats_bits(list), 0x8f);
    CHECK_EQ(tern__formats_bits(tern__formats_default), 7);
    CHECK(tern__formats_best(list, 0x8f) == &third);
    CHECK(tern__formats_best(list, 0x87) == h);
    CHECK(tern__formats_best(list, 0x85) == p);
    CHECK(tern__formats_best(list, 0x81) == &fourth);
    CHECK(tern__formats_best(list, 1) == p); /* who names nothing understands that */
    CHECK(tern__formats_universal(list) == p);
    CHECK(tern__formats_find(list, 7) == &fourth);
    CHECK(!tern__formats_find(list, 0) && !tern__formats_find(list, 4));
}

TAP_MAIN(TEST(protobuf__random_messages_with_values_in_place), TEST(protobuf__heads_of_all_lengths),
         TEST(protobuf__what_goes_in_place), TEST(protobuf__message_changed_after_the_plan), TEST(plan__errors),
         TEST(decode__from_pieces), TEST(formats__what_is_sound), TEST(formats__the_first_that_both_have))
