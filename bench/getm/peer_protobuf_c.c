/* protobuf-c: its structs point at the values as tern's do, so building copies nothing, and packing copies each
 * value once, into the packet. */
#include <stdlib.h>

#include "getm.pb-c.h"
#include "peer.h"

typedef struct state {
    Bench__GetM *checked;
    ProtobufCBinaryData vals[MAX_VALUES];
} state;

static void *open_state(void) { return calloc(1, sizeof(state)); }

static void close_state(void *arg) {
    state *s = arg;
    if (s->checked) bench__get_m__free_unpacked(s->checked, NULL);
    free(s);
}

static void emit(void *arg, uint32_t id, const value *values, size_t n, emitted *out) {
    state *s = arg;
    Bench__GetM m = BENCH__GET_M__INIT;
    m.id = id;
    m.n_vals = n;
    m.vals = s->vals;
    for (size_t i = 0; i < n; i++) {
        s->vals[i].len = values[i].len;
        s->vals[i].data = (uint8_t *)(uintptr_t)values[i].data;
    }
    out->pieces[0].iov_base = out->packet;
    out->pieces[0].iov_len = bench__get_m__pack(&m, out->packet);
    out->n_pieces = 1;
}

static bool check(void *arg, const uint8_t *data, size_t len, uint32_t *id, value *values, size_t *n) {
    state *s = arg;
    if (s->checked) bench__get_m__free_unpacked(s->checked, NULL);
    s->checked = bench__get_m__unpack(NULL, len, data);
    if (!s->checked) return false;
    *id = s->checked->id;
    *n = s->checked->n_vals;
    for (size_t i = 0; i < *n; i++) values[i] = (value){s->checked->vals[i].data, s->checked->vals[i].len};
    return true;
}

const peer peer_protobuf_c = {"protobuf-c", open_state, emit, check, close_state, true};
