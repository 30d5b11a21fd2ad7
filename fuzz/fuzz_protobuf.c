/* The protobuf decoder on any bytes: the first byte chooses the type and the mode, the rest is the message. What
 * decodes must encode, to its computed size and in pieces alike, and decode to the same encoding again. Cut into
 * pieces it must decode alike, and merged onto nothing too. */
#include "codec/format_protobuf.h"
#include "codec/protobuf_decode.h"
#include "compound.tern.h"
#include "everything.tern.h"
#include "fuzz.h"
#include "google/protobuf/compiler/plugin.tern.h"
#include "legacy.tern.h"
#include "old.tern.h"
#include "twins.h"

static const tern_type *const types[] = {&test_all_Everything_type,
                                         &test_all_Lists_type,
                                         &test_old_HoldsRequired_type,
                                         &test_all_Sparse_type,
                                         &google_protobuf_compiler_CodeGeneratorRequest_type,
                                         &test_compound_Holder_type,
                                         &test_compound_Maps_type,
                                         &test_legacy_Groups_type,
                                         &test_legacy_Closed_type,
                                         &test_legacy_Deep_type,
                                         &test_refs_Node_type};

static const tern_limits limits = {
    .size = sizeof(tern_limits), .max_bytes = 1 << 20, .max_elements = 1 << 18, .max_depth = 101};

/* Inputs that are cut to pieces; longer ones are left whole. */
enum { PIECES_MAX = 4096 };

static void *encode(const tern_type *type, const void *msg, tern_arena *arena, int64_t *size) {
    *size = tern_protobuf_size(type, msg);
    FUZZ_CHECK(*size >= 0);
    void *out = tern_arena_alloc(arena, (size_t)*size);
    if (out) FUZZ_CHECK(tern_protobuf_encode(type, msg, out, (size_t)*size) == *size);
    return out;
}

typedef struct expected {
    const uint8_t *data;
    size_t left;
} expected;

static int compare(void *ctx, const tern_bytes *pieces, size_t n) {
    expected *e = ctx;
    for (size_t i = 0; i < n; i++) {
        FUZZ_CHECK(pieces[i].len > 0 && pieces[i].len <= e->left);
        FUZZ_CHECK(memcmp(e->data, pieces[i].data, pieces[i].len) == 0);
        e->data += pieces[i].len;
        e->left -= pieces[i].len;
    }
    return 0;
}

/* By a plan: the values that were copied to the arena lie in the pool, and go in place. */
static void check_planned(const tern_type *type, const void *msg, const void *first, int64_t size) {
    const tern__format *format = &tern__format_protobuf;
    tern__format_plan plan;
    FUZZ_CHECK(format->plan(type, msg, 0, &plan) == 0);
    FUZZ_CHECK((int64_t)plan.head_bytes + plan.inplace_bytes == size);
    uint8_t *head = malloc(plan.head_bytes + 1u), *at = head;
    tern__format_value *values = malloc((plan.n_inplace + 1) * sizeof *values);
    FUZZ_CHECK(head && values);
    FUZZ_CHECK(format->write(type, msg, &plan, head, &(tern__format_sink){.values = values}) == 0);
    expected e = {first, (size_t)size};
    for (uint32_t i = 0; i < plan.n_inplace; i++) {
        FUZZ_CHECK(head + values[i].at >= at && values[i].at <= plan.head_bytes);
        tern_bytes pieces[2] = {{at, (size_t)(head + values[i].at - at)}, {values[i].data, values[i].len}};
        compare(&e, pieces + !pieces[0].len, 1 + (pieces[0].len != 0));
        at = head + values[i].at;
    }
    tern_bytes last = {at, (size_t)(head + plan.head_bytes - at)};
    if (last.len) compare(&e, &last, 1);
    FUZZ_CHECK(e.left == 0);
    free(values);
    free(head);
}

static void check_again(const tern_type *type, void *back, const void *first, int64_t size, tern_arena *arena) {
    int64_t again;
    void *second = encode(type, back, arena, &again);
    FUZZ_CHECK(again == size && (!second || memcmp(first, second, (size_t)size) == 0));
}

static void check_decoded(const tern_type *type, const void *msg, int mode, tern_arena *arena, void *back) {
    int64_t size;
    void *first = encode(type, msg, arena, &size);
    if (!first || size > 1 << 20) return;
    FUZZ_CHECK(tern_protobuf_decode(type, first, (size_t)size, arena, mode, &limits, back) == 0);
    check_again(type, back, first, size, arena);
    expected e = {first, (size_t)size};
    int64_t len = tern_protobuf_encode_sg(type, msg, 64, TERN_SG_ANY, arena, compare, &e);
    FUZZ_CHECK(len == TERN_ERR_NOMEM || (len == size && e.left == 0));
    check_planned(type, msg, first, size);
    memset(back, 0, type->size_bytes);
    FUZZ_CHECK(tern_protobuf_merge(type, first, (size_t)size, arena, mode, &limits, back) == 0);
    check_again(type, back, first, size, arena);
}

/* Some of the pieces are written to once the message is decoded: it is still one. */
static void check_lent(const tern_type *type, const tern_bytes *pieces, size_t n, tern_arena *arena, int err,
                       void *back) {
    static tern_bytes own[PIECES_MAX];
    static bool lent[PIECES_MAX];
    int64_t size;
    for (size_t i = 0; i < n; i++) {
        own[i] = pieces[i];
        lent[i] = i % 3 != 1;
    }
    FUZZ_CHECK((tern__protobuf_decode_lent(type, own, lent, n, arena, &limits, back) == 0) == (err == 0));
    if (err) return;
    for (size_t i = 0; i < n; i++)
        if (i % 3 != 1) memset((void *)(uintptr_t)pieces[i].data, 0xff, pieces[i].len);
    const void *again = encode(type, back, arena, &size);
    if (again)
        FUZZ_CHECK(tern_protobuf_decode(type, again, (size_t)size, arena, TERN_DECODE_ALIAS, &limits, back) == 0);
}

/* err and msg are what the whole decoded to. */
static void check_pieces(const tern_type *type, const uint8_t *data, size_t len, int mode, tern_arena *arena, int err,
                         const void *msg, void *back) {
    static tern_bytes pieces[PIECES_MAX];
    size_t n = 0, step = 1 + len % 37;
    int64_t size;
    if (len > PIECES_MAX) return;
    for (size_t at = 0; at < len; at += step) {
        size_t k = len - at < step ? len - at : step;
        pieces[n++] = tern_bytes_of(memcpy(malloc(k), data + at, k), k);
    }
    int pieces_err = tern_protobuf_decode_pieces(type, pieces, n, arena, mode, &limits, back);
    FUZZ_CHECK((pieces_err == 0) == (err == 0));
    if (err == 0) {
        void *first = encode(type, msg, arena, &size);
        if (first) check_again(type, back, first, size, arena);
    }
    check_lent(type, pieces, n, arena, err, back);
    for (size_t i = 0; i < n; i++) free((void *)(uintptr_t)pieces[i].data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    tern_arena arena;
    if (len == 0) return 0;
    const tern_type *type = types[(data[0] >> 1) % (sizeof types / sizeof *types)];
    int mode = data[0] & 1 ? TERN_DECODE_COPY : TERN_DECODE_ALIAS;
    tern_arena_init(&arena, 0, (size_t)1 << 30);
    void *msg = tern_arena_alloc(&arena, type->size_bytes), *back = tern_arena_alloc(&arena, type->size_bytes);
    FUZZ_CHECK(msg && back);
    int err = tern_protobuf_decode(type, data + 1, len - 1, &arena, mode, &limits, msg);
    if (has_twin(type)) {
        test_values_Node twin;
        int twin_err = tern_protobuf_decode(&test_values_Node_type, data + 1, len - 1, &arena, mode, &limits, &twin);
        check_twins(err, msg, twin_err, &twin, &arena);
    }
    check_pieces(type, data + 1, len - 1, mode, &arena, err, msg, back);
    if (err == 0) check_decoded(type, msg, mode, &arena, back);
    tern_arena_fini(&arena);
    return 0;
}
