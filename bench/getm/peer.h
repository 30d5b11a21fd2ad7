/* What bench/serialize asks of each library: build GetM {id, vals} from the application's values and emit it.
 *
 * To emit is to leave the encoding, as a list of pieces, in memory that stays untouched until RING more
 * messages have been emitted, as a transmit ring needs it. A library that can write into given memory writes into
 * the packet; one that owns its output has RING outputs of its own, and names their pieces, so that nobody
 * pays for a copy that the library does not need. */
#ifndef TERN_BENCH_SERIALIZE_PEER_H
#define TERN_BENCH_SERIALIZE_PEER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { RING = 32, MAX_VALUES = 64, PACKET_BYTES = 16384 };

typedef struct value {
    const void *data;
    size_t len;
} value;

typedef struct emitted {
    uint8_t *packet; /* PACKET_BYTES of the transmit ring, for this message */
    size_t n_pieces;
    struct iovec pieces[MAX_VALUES + 4];
} emitted;

/* Emit message number `id` (counting up by one each time); fills out->pieces. Ends the program when the library
 * fails. */
typedef void emit_fn(void *state, uint32_t id, const value *values, size_t n, emitted *out);

/* Decode what was emitted, made contiguous, and give back its id and values, which point into data or into the
 * library's memory until the next call. False when it does not decode. For checking. */
typedef bool check_fn(void *state, const uint8_t *data, size_t len, uint32_t *id, value *values, size_t *n);

typedef struct peer {
    const char *name;
    void *(*open)(void); /* NULL: no memory */
    emit_fn *emit;
    check_fn *check;
    void (*close)(void *state);
    bool is_library; /* competes for best; floors do not */
} peer;

/* Libraries are there when they were found at build time (BENCH_HAVE_*); the rest always. */
extern const peer floor_memcpy, floor_memcpy_twice, floor_iovec, peer_tern, peer_protobuf, peer_protobuf_arena,
    peer_protobuf_c, peer_flatbuffers, peer_capnp, peer_capnp_external;

#ifdef __cplusplus
}
#endif
#endif
