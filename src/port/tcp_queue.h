/* Bytes on their way to a stream, as pieces for writev: bytes that we copied, which lie one behind another in chunks,
 * and values of others that are sent from where they lie. No system call.
 *
 * Each piece holds one reference on the pool buffer that it points into, a chunk or a value's; so whatever becomes of
 * the connection, dropping the pieces gives everything back. Copied bytes that follow each other are one piece: a
 * batch of small packets is one write of one piece.
 *
 * A packet is built between mark and end, and can be rolled back to the mark. */
#ifndef TERN_PORT_TCP_QUEUE_H
#define TERN_PORT_TCP_QUEUE_H

#include <sys/uio.h>

#include "base/base.h"

enum {
    TERN__TCP_CHUNK_BYTES = 64 << 10,
    TERN__TCP_MIN_PIECES = 512,
    TERN__TCP_MAX_PIECES = 4096,
    TERN__TCP_SPARE_CHUNKS = 4,
    TERN__TCP_SPARE_ARRAYS = 4,
};

/* Chunks, and arrays for TERN__TCP_MIN_PIECES pieces, that no queue uses at the moment. An idle connection holds no
 * chunk, and no array once it has been trimmed. */
typedef struct tern__tcp_spares {
    uint8_t *chunks[TERN__TCP_SPARE_CHUNKS];
    uint32_t n;
    uint32_t n_arrays;
    struct iovec *arrays[TERN__TCP_SPARE_ARRAYS];
} tern__tcp_spares;

typedef struct tern__tcp_queue {
    struct iovec *iovs;     /* [first, n) wait; the first may be what is left of a piece */
    uint32_t **counters;    /* of the pieces' buffers, as found by tern__ref_locate */
    uint32_t first, n, cap; /* in pieces */
    uint32_t bytes;         /* that wait */
    uint8_t *chunk;         /* where copies go, with a reference of ours; NULL: none */
    uint32_t *chunk_counter;
    uint32_t chunk_used;
} tern__tcp_queue;

typedef struct tern__tcp_mark {
    uint8_t *chunk;
    uint32_t n, bytes, last_len, chunk_used;
} tern__tcp_mark;

/* Prepare for a packet: head_bytes in one stretch, then less than a chunk in copies, and at most n_pieces pieces.
 * Afterwards nothing can run out until the packet has ended. False: no memory, or too many pieces wait. */
bool tern__tcp_queue_begin(tern__tcp_queue *q, tern__tcp_spares *spares, uint32_t head_bytes, uint32_t n_pieces,
                           tern__tcp_mark *mark);

/* n bytes, at most what head_bytes promised, for the caller to fill. */
static inline uint8_t *tern__tcp_queue_append(tern__tcp_queue *q, uint32_t n);

/* n bytes, copied. */
void tern__tcp_queue_copy(tern__tcp_queue *q, tern__tcp_spares *spares, const uint8_t *data, uint32_t n);

/* n bytes where they lie; takes over a reference that the caller has taken by `counter`. */
void tern__tcp_queue_refer(tern__tcp_queue *q, const void *data, uint32_t n, uint32_t *counter);

/* Forget what was appended since the mark. */
void tern__tcp_queue_rollback(tern__tcp_queue *q, const tern__tcp_mark *mark);

/* What the queue keeps from others: all memory of a buffer on which nobody else has a reference, and of other buffers
 * the bytes that wait. Takes time by the number of pieces. */
uint64_t tern__tcp_queue_held_bytes(const tern__tcp_queue *q);

/* The first n bytes have been written. Returns how many pieces were dropped. */
uint32_t tern__tcp_queue_written(tern__tcp_queue *q, tern__tcp_spares *spares, size_t n);

/* Drop all that waits, and the chunk. Returns how many pieces. */
uint32_t tern__tcp_queue_clear(tern__tcp_queue *q, tern__tcp_spares *spares);

/* Give back the memory for pieces, if none waits and no packet is being built. */
void tern__tcp_queue_trim(tern__tcp_queue *q, tern__tcp_spares *spares);

/* As tern__tcp_queue_clear(), and give back the memory for pieces. */
void tern__tcp_queue_fini(tern__tcp_queue *q, tern__tcp_spares *spares);

void tern__tcp_spares_fini(tern__tcp_spares *spares);

/* A piece of n bytes at the chunk's end. */
void tern__tcp_queue_piece(tern__tcp_queue *q, uint32_t n);

/* Whether the last piece ends where the next copy goes. */
static inline bool tern__tcp_queue_adjoins(const tern__tcp_queue *q) {
    if (q->n == q->first || q->counters[q->n - 1] != q->chunk_counter) return false;
    const struct iovec *last = &q->iovs[q->n - 1];
    return (const uint8_t *)last->iov_base + last->iov_len == q->chunk + q->chunk_used;
}

static inline uint8_t *tern__tcp_queue_append(tern__tcp_queue *q, uint32_t n) {
    uint8_t *p = q->chunk + q->chunk_used;
    if (tern__tcp_queue_adjoins(q))
        q->iovs[q->n - 1].iov_len += n;
    else
        tern__tcp_queue_piece(q, n);
    q->chunk_used += n;
    q->bytes += n;
    return p;
}

#endif
