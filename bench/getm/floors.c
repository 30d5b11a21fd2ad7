/* What no library can beat: the bytes copied once into the packet (the lower bound of everything that makes one
 * contiguous packet), copied twice (building a message that owns its values, then writing it), and a header with a
 * list of pieces for which nothing is counted and nothing promised. */
#include <stdlib.h>
#include <string.h>

#include "peer.h"

typedef struct state {
    uint8_t copy[PACKET_BYTES];
} state;

static void *open_state(void) { return calloc(1, sizeof(state)); }

static size_t gather(uint8_t *to, const value *values, size_t n) {
    size_t at = 0;
    for (size_t i = 0; i < n; i++) {
        memcpy(to + at, values[i].data, values[i].len);
        at += values[i].len;
    }
    return at;
}

static void emit_memcpy(void *state_, uint32_t id, const value *values, size_t n, emitted *out) {
    (void)state_;
    memcpy(out->packet, &id, sizeof id);
    size_t len = sizeof id + gather(out->packet + sizeof id, values, n);
    out->pieces[0] = (struct iovec){out->packet, len};
    out->n_pieces = 1;
}

static void emit_memcpy_twice(void *state_, uint32_t id, const value *values, size_t n, emitted *out) {
    state *s = state_;
    memcpy(s->copy, &id, sizeof id);
    size_t len = sizeof id + gather(s->copy + sizeof id, values, n);
    memcpy(out->packet, s->copy, len);
    out->pieces[0] = (struct iovec){out->packet, len};
    out->n_pieces = 1;
}

static void emit_iovec(void *state_, uint32_t id, const value *values, size_t n, emitted *out) {
    (void)state_;
    uint32_t *header = (uint32_t *)(void *)out->packet;
    *header++ = id;
    *header++ = (uint32_t)n;
    for (size_t i = 0; i < n; i++) {
        *header++ = (uint32_t)values[i].len;
        out->pieces[i + 1] = (struct iovec){(void *)(uintptr_t)values[i].data, values[i].len};
    }
    out->pieces[0] = (struct iovec){out->packet, (size_t)((uint8_t *)header - out->packet)};
    out->n_pieces = n + 1;
}

const peer floor_memcpy = {"memcpy", open_state, emit_memcpy, NULL, free, false};
const peer floor_memcpy_twice = {"memcpy-twice", open_state, emit_memcpy_twice, NULL, free, false};
const peer floor_iovec = {"iovec", open_state, emit_iovec, NULL, free, false};
