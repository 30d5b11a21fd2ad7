/* The hybrid decoder on any bytes: the first byte chooses the type, the rest is the message. What decodes must
 * encode to its measured size, in two passes or in one, and decode to the same message and the same encoding again,
 * whether its values are copied or go in place. */
#include "../tests/unit/codec/hybrid_types.h"
#include "codec/hybrid_decode.h"
#include "compound.tern.h"
#include "everything.tern.h"
#include "fuzz.h"
#include "google/protobuf/compiler/plugin.tern.h"
#include "legacy.tern.h"
#include "old.tern.h"
#include "twins.h"

static const tern_type *const types[] = {&every_type,
                                         &tree_type,
                                         &test_all_Lists_type,
                                         &test_old_HoldsRequired_type,
                                         &test_all_Sparse_type,
                                         &google_protobuf_compiler_CodeGeneratorRequest_type,
                                         &test_compound_Holder_type,
                                         &test_compound_Choice_type,
                                         &test_compound_Maps_type,
                                         &test_legacy_Groups_type,
                                         &test_legacy_Closed_type,
                                         &test_legacy_Deep_type,
                                         &getm_response_type,
                                         &test_refs_Node_type};

static const tern_limits limits = {
    .size = sizeof(tern_limits), .max_bytes = 1 << 20, .max_elements = 1 << 16, .max_depth = 100};

enum { PIECES_MAX = 4096 };
enum { MAX_ENCODED = 16 << 20 }; /* some types take a bitmap of kilobytes for each element */

typedef struct encoded {
    uint8_t *data; /* NULL: too large to go on */
    size_t len, next;
} encoded;

static int append(void *ctx, const tern_bytes *values, size_t n) {
    encoded *e = ctx;
    FUZZ_CHECK(n > 0);
    for (size_t i = 0; i < n; i++) {
        FUZZ_CHECK(values[i].len > 0 && tern_in_pool(values[i].data) && values[i].len <= e->len - e->next);
        memcpy(e->data + e->next, values[i].data, values[i].len);
        e->next += values[i].len;
    }
    return 0;
}

static encoded encode(const tern_type *type, const void *msg, size_t threshold, tern_arena *arena) {
    encoded e = {0};
    tern_hybrid_plan plan;
    FUZZ_CHECK(tern_hybrid_measure(type, msg, threshold, &plan) == 0);
    FUZZ_CHECK(plan.object_bytes <= plan.header_bytes && plan.header_bytes <= plan.head_bytes);
    e.len = (size_t)plan.head_bytes + plan.inplace_bytes;
    e.next = plan.head_bytes;
    if (e.len > MAX_ENCODED) return e;
    e.data = tern_arena_alloc(arena, e.len);
    if (!e.data) return e;
    FUZZ_CHECK(tern_hybrid_write(type, msg, &plan, e.data, append, &e) == 0);
    FUZZ_CHECK(e.next == e.len);
    return e;
}

/* Both passes in one: the same bytes, in just enough room or in more, but not in less. */
static void check_emit(const tern_type *type, const void *msg, size_t threshold, const encoded *two,
                       tern_arena *arena) {
    tern_hybrid_plan plan;
    FUZZ_CHECK(tern_hybrid_measure(type, msg, threshold, &plan) == 0);
    const size_t rooms[] = {plan.head_bytes, plan.head_bytes + 300, plan.head_bytes - 1};
    for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++) {
        tern_hybrid_emitted out;
        /* The in-place values go where they will be behind a head of the right size. */
        encoded e = {.data = tern_arena_alloc(arena, two->len), .len = two->len, .next = plan.head_bytes};
        uint8_t *head = malloc(rooms[i]);
        if (!e.data || !head) {
            free(head);
            return;
        }
        int rc = tern_hybrid_emit(type, msg, threshold, head, rooms[i], append, &e, &out);
        FUZZ_CHECK(rc == (rooms[i] < plan.head_bytes ? TERN_ERR_LIMIT : 0));
        if (rc == 0) {
            memcpy(e.data, head, plan.head_bytes);
            FUZZ_CHECK(out.head_bytes == plan.head_bytes && out.n_inplace == plan.n_inplace);
            FUZZ_CHECK(out.inplace_bytes == plan.inplace_bytes && e.next == e.len);
            FUZZ_CHECK(memcmp(e.data, two->data, e.len) == 0);
        }
        free(head);
    }
}

static void check_again(const tern_type *type, const void *msg, size_t threshold, tern_arena *arena) {
    encoded first = encode(type, msg, SIZE_MAX, arena), other = encode(type, msg, threshold, arena);
    void *back = tern_arena_alloc(arena, type->size_bytes);
    if (!first.data || !other.data || !back) return;
    FUZZ_CHECK(other.len == first.len);
    check_emit(type, msg, threshold, &other, arena);
    int rc = tern_hybrid_decode(type, other.data, other.len, arena, NULL, back);
    if (rc == TERN_ERR_NOMEM) return;
    FUZZ_CHECK(rc == 0);
    FUZZ_CHECK(message_equal(type, msg, back));
    encoded second = encode(type, back, SIZE_MAX, arena);
    if (!second.data) return;
    FUZZ_CHECK(second.len == first.len && memcmp(first.data, second.data, first.len) == 0);
}

/* In pieces, of which some are written to afterwards: the same, and a message still. err and msg are of the whole. */
static void check_pieces(const tern_type *type, const uint8_t *data, size_t len, tern_arena *arena, int err,
                         const void *msg) {
    static tern_bytes pieces[PIECES_MAX];
    static bool lent[PIECES_MAX];
    size_t n = 0, step = 1 + len % 61;
    void *back = tern_arena_alloc(arena, type->size_bytes);
    if (len > PIECES_MAX || len == 0 || !back) return;
    for (size_t at = 0; at < len; at += step) {
        size_t k = len - at < step ? len - at : step;
        lent[n] = n % 3 != 1;
        pieces[n++] = tern_bytes_of(memcpy(malloc(k), data + at, k), k);
    }
    int rc = tern__hybrid_decode_pieces(type, pieces, NULL, n, arena, &limits, back);
    FUZZ_CHECK(rc == err || rc == TERN_ERR_NOMEM || err == TERN_ERR_NOMEM);
    if (rc == 0 && err == 0) FUZZ_CHECK(message_equal(type, msg, back));
    rc = tern__hybrid_decode_pieces(type, pieces, lent, n, arena, &limits, back);
    FUZZ_CHECK(rc == err || rc == TERN_ERR_NOMEM || err == TERN_ERR_NOMEM);
    for (size_t i = 0; i < n; i++)
        if (lent[i]) memset((void *)(uintptr_t)pieces[i].data, 0xff, pieces[i].len);
    encoded e = {0};
    if (rc == 0) e = encode(type, back, SIZE_MAX, arena);
    if (e.data) rc = tern_hybrid_decode(type, e.data, e.len, arena, NULL, back);
    if (e.data) FUZZ_CHECK(rc == 0 || rc == TERN_ERR_NOMEM);
    for (size_t i = 0; i < n; i++) free((void *)(uintptr_t)pieces[i].data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    tern_arena arena;
    if (len == 0) return 0;
    const tern_type *type = types[(data[0] >> 1) % (sizeof types / sizeof *types)];
    tern_arena_init(&arena, 0, (size_t)256 << 20);
    void *msg = tern_arena_alloc(&arena, type->size_bytes);
    FUZZ_CHECK(msg);
    int err = tern_hybrid_decode(type, data + 1, len - 1, &arena, &limits, msg);
    if (has_twin(type)) {
        test_values_Node twin;
        int twin_err = tern_hybrid_decode(&test_values_Node_type, data + 1, len - 1, &arena, &limits, &twin);
        check_twins(err, msg, twin_err, &twin, &arena);
    }
    check_pieces(type, data + 1, len - 1, &arena, err, msg);
    if (err == 0) check_again(type, msg, data[0] & 1 ? 16 : 0, &arena);
    tern_arena_fini(&arena);
    return 0;
}
