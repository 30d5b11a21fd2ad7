/* tern: the struct's values point at the application's; the head goes into the packet; values sent in place are
 * named as pieces, each with a reference of its own that is given back when its place in the transmit ring is
 * used again, as the shm port does. */
#include <stdlib.h>

#include "getm.tern.h"
#include "mem/pool.h"
#include "peer.h"
#include "tern/codec.h"

enum { THRESHOLD = 512 };

typedef struct state {
    tern_bytes vals[MAX_VALUES];
    uint32_t *refs[RING][MAX_VALUES]; /* that a place in the transmit ring holds, by their counts */
    uint32_t n_refs[RING];
    tern_arena checked;
} state;

static void *open_state(void) {
    state *s = calloc(1, sizeof *s);
    if (s) tern_arena_init(&s->checked, 0, 0);
    return s;
}

static __attribute__((noinline)) void release_slowly(uint32_t *const *ref, uint32_t *const *end) {
    for (; ref < end; ref++) tern__ref_drop_counter(*ref);
}

static inline void release(uint32_t *const *ref, size_t n) {
    uint32_t *const *const end = ref + n;
    if (tern__sole_thread())
        while (ref < end && tern__ref_drop_quick(*ref)) ref++;
    if (ref < end) release_slowly(ref, end);
}

static void close_state(void *arg) {
    state *s = arg;
    for (uint32_t i = 0; i < RING; i++) release_slowly(s->refs[i], s->refs[i] + s->n_refs[i]);
    tern_arena_fini(&s->checked);
    free(s);
}

typedef struct sink {
    uint32_t **ref; /* where the next goes */
    struct iovec *piece;
} sink;

static __attribute__((noinline)) int post_slowly(sink *k, const tern_bytes *v, const tern_bytes *end) {
    for (; v < end; v++) {
        uint32_t *counter = tern__ref_find(v->data, v->len);
        if (!counter || tern__ref_take(counter, v->data)) return TERN_ERR_INVALID;
        *k->ref++ = counter;
        *k->piece++ = (struct iovec){(void *)(uintptr_t)v->data, v->len};
    }
    return 0;
}

static int post(void *ctx, const tern_bytes *v, size_t n) {
    const tern_bytes *const end = v + n;
    sink *k = ctx;
    uint32_t **ref = k->ref;
    struct iovec *piece = k->piece;
    if (tern__sole_thread()) {
        for (; v < end; v++, ref++, piece++) {
            const void *data = v->data;
            size_t len = v->len;
            if (!tern__ref_take_quick(data, len, ref)) break;
            *piece = (struct iovec){(void *)(uintptr_t)data, len};
        }
    }
    k->ref = ref;
    k->piece = piece;
    return v < end ? post_slowly(k, v, end) : 0;
}

static void emit(void *arg, uint32_t id, const value *values, size_t n, emitted *out) {
    state *s = arg;
    uint32_t place = id % RING;
    sink k = {s->refs[place], out->pieces + 1};
    release(k.ref, s->n_refs[place]);
    bench_GetM m = {.id = id, .vals = {s->vals, n, 0}};
    for (size_t i = 0; i < n; i++) s->vals[i] = tern_bytes_of(values[i].data, values[i].len);
    tern_hybrid_emitted sent;
    if (tern_hybrid_emit(&bench_GetM_type, &m, THRESHOLD, out->packet, PACKET_BYTES, post, &k, &sent)) abort();
    out->pieces[0] = (struct iovec){out->packet, sent.head_bytes};
    out->n_pieces = 1 + sent.n_inplace;
    s->n_refs[place] = sent.n_inplace;
}

static bool check(void *arg, const uint8_t *data, size_t len, uint32_t *id, value *values, size_t *n) {
    state *s = arg;
    bench_GetM m;
    tern_arena_reset(&s->checked);
    if (tern_hybrid_decode(&bench_GetM_type, data, len, &s->checked, NULL, &m)) return false;
    *id = m.id;
    *n = m.vals.len;
    for (size_t i = 0; i < m.vals.len; i++) values[i] = (value){m.vals.data[i].data, m.vals.data[i].len};
    return true;
}

const peer peer_tern = {"tern", open_state, emit, check, close_state, false};
