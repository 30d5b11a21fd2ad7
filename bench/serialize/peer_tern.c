/* tern: the struct's values point at the application's; the head goes into the packet; values sent in place are
 * named as pieces, each with a reference of its own that is given back when its place in the transmit ring is
 * used again, as a port does. */
#include <stdlib.h>

#include "getm.tern.h"
#include "peer.h"
#include "tern/codec.h"

enum { THRESHOLD = 512 };

typedef struct state {
    tern_bytes vals[MAX_VALUES];
    struct {
        uint32_t n;
        const void *refs[MAX_VALUES];
    } ring[RING];
    tern_arena checked;
} state;

static void *open_state(void) {
    state *s = calloc(1, sizeof *s);
    if (s) tern_arena_init(&s->checked, 0, 0);
    return s;
}

static void release(state *s, uint32_t place) {
    for (uint32_t i = 0; i < s->ring[place].n; i++) tern_unref(s->ring[place].refs[i]);
    s->ring[place].n = 0;
}

static void close_state(void *arg) {
    state *s = arg;
    for (uint32_t place = 0; place < RING; place++) release(s, place);
    tern_arena_fini(&s->checked);
    free(s);
}

typedef struct sink {
    state *state;
    uint32_t place;
    emitted *out;
} sink;

static int post(void *ctx, const void *data, uint32_t len) {
    sink *k = ctx;
    if (tern_ref(data)) return TERN_ERR_INVALID;
    k->state->ring[k->place].refs[k->state->ring[k->place].n++] = data;
    k->out->pieces[k->out->n_pieces++] = (struct iovec){(void *)(uintptr_t)data, len};
    return 0;
}

static void emit(void *arg, uint32_t id, const value *values, size_t n, emitted *out) {
    state *s = arg;
    sink k = {s, id % RING, out};
    release(s, k.place);
    bench_GetM m = {.id = id, .vals = {s->vals, n, 0}};
    for (size_t i = 0; i < n; i++) s->vals[i] = tern_bytes_of(values[i].data, values[i].len);
    tern_hybrid_plan plan;
    if (tern_hybrid_measure(&bench_GetM_type, &m, THRESHOLD, &plan) || plan.head_bytes > PACKET_BYTES) abort();
    out->pieces[0] = (struct iovec){out->packet, plan.head_bytes};
    out->n_pieces = 1;
    if (tern_hybrid_write(&bench_GetM_type, &m, &plan, out->packet, post, &k)) abort();
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
