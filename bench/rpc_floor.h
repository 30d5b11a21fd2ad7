/* The raw floors under tern's RPCs: what the machine does when nobody asks for more than 32 bytes there and 32
 * bytes back. Two processes, each spinning on its own processor.
 *
 *   ring   one 64-byte line each way through shared memory: a flag and the payload in one slot of a ring, so
 *          that a message costs one cache line transfer and nothing else
 *   udp    connected non-blocking sockets on loopback: a send and a receive each way. With many messages in
 *          flight, UDP_SEGMENT sends and UDP_GRO receives, as many messages per call as there are
 *   tcp    a connection on loopback with TCP_NODELAY, non-blocking: a send and a receive each way
 *
 * No floor checks anything that its own correctness does not need: no loss, no flow control, no bounds. */
#ifndef TERN_BENCH_RPC_FLOOR_H
#define TERN_BENCH_RPC_FLOOR_H

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
    FLOOR_PAYLOAD = 32,
    FLOOR_PACKET = 64, /* tern's UDP packet around it */
    FLOOR_SLOTS = 64,  /* more than are ever in flight */
    FLOOR_BATCH_BYTES = 64 * FLOOR_PACKET,
};

typedef struct floor_slot {
    alignas(64) _Atomic uint32_t seq; /* position + 1 of the message in it */
    uint8_t payload[FLOOR_PAYLOAD];
} floor_slot;

/* Lies in memory that both processes map. */
typedef struct floor_rings {
    floor_slot request[FLOOR_SLOTS], response[FLOOR_SLOTS];
    alignas(64) _Atomic uint32_t relax; /* spin with a pause: better between threads of one core */
} floor_rings;

/* One process's end. Positions go on from one use to the next. */
typedef struct floor_end {
    floor_slot *tx, *rx;
    uint32_t tx_pos, rx_pos;
    bool relax;
} floor_end;

/* Two ends of two UDP paths, a plain one and one that coalesces, and of a TCP connection. */
typedef struct floor_sockets {
    int plain[2], batch[2], stream[2]; /* [0] the server's, [1] the client's */
} floor_sockets;

/* Both before the fork. False, with errno, when there are no such sockets. */
bool floor_sockets_open(floor_sockets *sockets);

floor_end floor_client_end(floor_rings *rings);
floor_end floor_server_end(floor_rings *rings);

/* Serve until *stop. */
void floor_ring_serve(floor_end *end, const atomic_uint *stop);
void floor_udp_serve(int fd, const atomic_uint *stop);
void floor_tcp_serve(int fd, const atomic_uint *stop);
void floor_batch_serve(int fd, unsigned message_bytes, const atomic_uint *stop);

/* One message there and back. */
static inline void floor_ring_ping(floor_end *end, const uint8_t *payload, uint8_t *out);
void floor_udp_ping(int fd, const uint8_t *payload, uint8_t *out);
void floor_tcp_ping(int fd, const uint8_t *payload, uint8_t *out);

/* `window` (at most FLOOR_SLOTS) in flight for `ns`; issued in multiples of `batch`, of which a UDP send takes at
 * most per_send messages, of message_bytes each (at most FLOOR_PACKET). Return echoes per second. */
double floor_ring_rate(floor_end *end, unsigned window, unsigned batch, uint64_t ns);
double floor_batch_rate(int fd, unsigned message_bytes, unsigned window, unsigned batch, unsigned per_send,
                        uint64_t ns);

/* ---- Inline bodies */

static inline void floor_relax(bool relax) {
#if defined(__x86_64__)
    if (relax) __builtin_ia32_pause();
#elif defined(__aarch64__)
    if (relax) __asm__ volatile("yield");
#else
    (void)relax;
#endif
}

static inline void floor_put(floor_end *end, const uint8_t *payload) {
    floor_slot *slot = &end->tx[end->tx_pos % FLOOR_SLOTS];
    memcpy(slot->payload, payload, FLOOR_PAYLOAD);
    atomic_store_explicit(&slot->seq, ++end->tx_pos, memory_order_release);
}

static inline bool floor_take(floor_end *end, uint8_t *out) {
    floor_slot *slot = &end->rx[end->rx_pos % FLOOR_SLOTS];
    if (atomic_load_explicit(&slot->seq, memory_order_acquire) != end->rx_pos + 1) return false;
    memcpy(out, slot->payload, FLOOR_PAYLOAD);
    end->rx_pos++;
    return true;
}

static inline void floor_ring_ping(floor_end *end, const uint8_t *payload, uint8_t *out) {
    floor_put(end, payload);
    while (!floor_take(end, out)) floor_relax(end->relax);
}

#endif
