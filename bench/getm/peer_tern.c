/* tern: the struct's values point at the application's; the head goes into the packet; values sent in place are
 * named as pieces, each with a reference of its own that is given back when its place in the transmit ring is
 * used again, as the shm port does. */
#include <stdlib.h>

#include "getm.tern.h"
#include "mem/pool.h"
#include "peer.h"
#include "tern/codec.h"

enum { THRESHOLD = 512 };

/* The references that a place in the transmit ring holds. */
typedef struct reference {
    uint32_t *counter;
    const void *data;
} reference;

typedef struct pending {
    uint32_t n;
    reference refs[MAX_VALUES];
} pending;

typedef struct state {
    tern_bytes vals[MAX_VALUES];
    pending ring[RING];
    tern_arena checked;
} state;

static void *open_state(void) {
    state *s = calloc(1, sizeof *s);
    if (s) tern_arena_init(&s->checked, 0, 0);
    return s;
}

static inline void release(pending *p) {
    for (const reference *ref = p->refs, *end = ref + p->n; ref < end; ref++) tern__ref_drop(ref->counter, ref->data);
    p->n = 0;
}

static void close_state(void *arg) {
    state *s = arg;
    for (uint32_t i = 0; i < RING; i++) release(&s->ring[i]);
    tern_arena_fini(&s->checked);
    free(s);
}

typedef struct sink {
    reference *refs;
    struct iovec *pieces;
    size_t n; /* of both */
} sink;

static int post(void *ctx, const void *data, uint32_t len) {
    sink *k = ctx;
    size_t i = k->n++;
    uint32_t *counter;
    if (!tern__ref_locate(data, len, &counter)) return TERN_ERR_INVALID;
    k->refs[i] = (reference){counter, data};
    k->pieces[i] = (struct iovec){(void *)(uintptr_t)data, len};
    return tern__ref_take(counter);
}

static void emit(void *arg, uint32_t id, const value *values, size_t n, emitted *out) {
    state *s = arg;
    pending *p = &s->ring[id % RING];
    sink k = {p->refs, out->pieces + 1, 0};
    release(p);
    bench_GetM m = {.id = id, .vals = {s->vals, n, 0}};
    for (size_t i = 0; i < n; i++) s->vals[i] = tern_bytes_of(values[i].data, values[i].len);
    tern_hybrid_plan plan;
    if (tern_hybrid_measure(&bench_GetM_type, &m, THRESHOLD, &plan) || plan.head_bytes > PACKET_BYTES) abort();
    if (tern_hybrid_write(&bench_GetM_type, &m, &plan, out->packet, post, &k)) abort();
    out->pieces[0] = (struct iovec){out->packet, plan.head_bytes};
    out->n_pieces = 1 + plan.n_inplace;
    p->n = plan.n_inplace;
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
