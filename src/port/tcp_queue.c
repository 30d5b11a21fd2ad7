/* Bytes on their way to a stream (tcp_queue.h).
 *
 * Why copying cannot run out of memory in the middle of a packet: when it begins, its head fits the chunk in use and
 * one more chunk is spare, and what follows the head is shorter than a chunk. */
#include "port/tcp_queue.h"

#include <stdlib.h>

#include "base/rng.h"
#include "mem/pool.h"

enum { MOST_TALLIED = 1024 /* pieces: more wait only where many short values are sent in place */ };

/* The pieces of one buffer. */
typedef struct buffer_tally {
    const uint32_t *counter; /* NULL: none */
    uint16_t n, nth;         /* pieces, and the first of them */
    uint32_t bytes;
} buffer_tally;

static uint8_t *take_spare(tern__tcp_spares *spares) {
    return spares->n ? spares->chunks[--spares->n] : tern_alloc_private(TERN__TCP_CHUNK_BYTES);
}

/* A chunk that nobody else refers to. */
static void give_spare(tern__tcp_spares *spares, uint8_t *chunk) {
    if (spares->n < TERN__TCP_SPARE_CHUNKS)
        spares->chunks[spares->n++] = chunk;
    else
        tern_unref(chunk);
}

static struct iovec *take_array(tern__tcp_spares *spares, uint32_t cap) {
    if (cap == TERN__TCP_MIN_PIECES && spares->n_arrays) return spares->arrays[--spares->n_arrays];
    return malloc(cap * (sizeof(struct iovec) + sizeof(uint32_t *)));
}

static void give_array(tern__tcp_spares *spares, struct iovec *iovs, uint32_t cap) {
    if (cap == TERN__TCP_MIN_PIECES && spares->n_arrays < TERN__TCP_SPARE_ARRAYS)
        spares->arrays[spares->n_arrays++] = iovs;
    else
        free(iovs);
}

void tern__tcp_spares_fini(tern__tcp_spares *spares) {
    while (spares->n) tern_unref(spares->chunks[--spares->n]);
    while (spares->n_arrays) free(spares->arrays[--spares->n_arrays]);
}

/* Room for so many more pieces behind those that wait. */
static bool reserve_pieces(tern__tcp_queue *q, tern__tcp_spares *spares, uint32_t n_pieces) {
    if (q->n + n_pieces <= q->cap) return true;
    uint32_t waiting = q->n - q->first, need = waiting + n_pieces;
    if (need > TERN__TCP_MAX_PIECES) return false;
    if (need <= q->cap / 2) { /* moving is cheap enough then: it happens once in many pieces */
        memmove(q->iovs, q->iovs + q->first, waiting * sizeof *q->iovs);
        memmove(q->counters, q->counters + q->first, waiting * sizeof *q->counters);
    } else {
        uint32_t cap = q->cap ? q->cap : TERN__TCP_MIN_PIECES;
        while (cap < 2 * need) cap *= 2;
        struct iovec *iovs = take_array(spares, cap);
        if (!iovs) return false;
        uint32_t **counters = (uint32_t **)(void *)(iovs + cap);
        if (waiting) {
            memcpy(iovs, q->iovs + q->first, waiting * sizeof *iovs);
            memcpy(counters, q->counters + q->first, waiting * sizeof *counters);
        }
        if (q->cap) give_array(spares, q->iovs, q->cap);
        q->iovs = iovs;
        q->counters = counters;
        q->cap = cap;
    }
    q->first = 0;
    q->n = waiting;
    return true;
}

/* Go on in another chunk. The pieces that lie in the old one keep it. */
static bool next_chunk(tern__tcp_queue *q, tern__tcp_spares *spares) {
    uint8_t *chunk = take_spare(spares);
    if (!chunk) return false;
    if (q->chunk) tern_unref(q->chunk);
    q->chunk = chunk;
    q->chunk_counter = tern__ref_find(chunk, 1);
    q->chunk_used = 0;
    return true;
}

bool tern__tcp_queue_begin(tern__tcp_queue *q, tern__tcp_spares *spares, uint32_t head_bytes, uint32_t n_pieces,
                           tern__tcp_mark *mark) {
    if (!reserve_pieces(q, spares, n_pieces)) return false;
    bool fits = q->chunk && head_bytes <= TERN__TCP_CHUNK_BYTES - q->chunk_used;
    if (!fits && !next_chunk(q, spares)) return false;
    if (!spares->n) {
        uint8_t *spare = tern_alloc_private(TERN__TCP_CHUNK_BYTES);
        if (!spare) return false;
        give_spare(spares, spare);
    }
    *mark = (tern__tcp_mark){.chunk = q->chunk,
                             .n = q->n,
                             .bytes = q->bytes,
                             .last_len = q->n > q->first ? (uint32_t)q->iovs[q->n - 1].iov_len : 0,
                             .chunk_used = q->chunk_used};
    return true;
}

static void add_piece(tern__tcp_queue *q, const void *data, uint32_t n, uint32_t *counter) {
    q->iovs[q->n] = (struct iovec){(void *)(uintptr_t)data, n};
    q->counters[q->n++] = counter;
}

void tern__tcp_queue_piece(tern__tcp_queue *q, uint32_t n) {
    tern__ref_take(q->chunk_counter, q->chunk); /* succeeds: it is live, and has few references */
    add_piece(q, q->chunk + q->chunk_used, n, q->chunk_counter);
}

void tern__tcp_queue_copy(tern__tcp_queue *q, tern__tcp_spares *spares, const uint8_t *data, uint32_t n) {
    while (n) {
        uint32_t room = TERN__TCP_CHUNK_BYTES - q->chunk_used, part = room < n ? room : n;
        if (part) memcpy(tern__tcp_queue_append(q, part), data, part);
        data += part;
        n -= part;
        if (n) next_chunk(q, spares); /* see above: there is a spare one */
    }
}

void tern__tcp_queue_refer(tern__tcp_queue *q, const void *data, uint32_t n, uint32_t *counter) {
    add_piece(q, data, n, counter);
    q->bytes += n;
}

/* ---- What is held ------------------------------------------------------------------------------- */

static void tally_piece(const tern__tcp_queue *q, uint32_t nth, buffer_tally *tallies, uint32_t mask) {
    const uint32_t *counter = q->counters[q->first + nth];
    uint32_t i = (uint32_t)tern__mix64((uintptr_t)counter) & mask;
    while (tallies[i].counter && tallies[i].counter != counter) i = (i + 1) & mask;
    buffer_tally *tally = &tallies[i];
    if (!tally->counter) *tally = (buffer_tally){.counter = counter, .nth = (uint16_t)nth};
    tally->n++;
    tally->bytes += (uint32_t)q->iovs[q->first + nth].iov_len;
}

uint64_t tern__tcp_queue_held_bytes(const tern__tcp_queue *q) {
    buffer_tally tallies[2 * MOST_TALLIED];
    uint32_t n = q->n - q->first < MOST_TALLIED ? q->n - q->first : (uint32_t)MOST_TALLIED, room = 16;
    uint64_t held = q->bytes;
    while (room < 2 * n) room *= 2; /* so that tallies[] is never full */
    memset(tallies, 0, room * sizeof *tallies);
    for (uint32_t i = 0; i < n; i++) tally_piece(q, i, tallies, room - 1);
    for (uint32_t i = 0; i < room; i++) {
        const buffer_tally *tally = &tallies[i];
        size_t bytes = 0;
        if (!tally->counter || __atomic_load_n(tally->counter, __ATOMIC_RELAXED) != tally->n) continue;
        if (tern_recover(q->iovs[q->first + tally->nth].iov_base, &bytes) && bytes > tally->bytes)
            held += bytes - tally->bytes;
    }
    return held;
}

/* ---- Pieces away -------------------------------------------------------------------------------- */

static void drop_piece(tern__tcp_queue *q, uint32_t i) { tern__ref_drop(q->counters[i], q->iovs[i].iov_base); }

void tern__tcp_queue_rollback(tern__tcp_queue *q, const tern__tcp_mark *mark) {
    while (q->n > mark->n) drop_piece(q, --q->n);
    if (q->n > q->first) q->iovs[q->n - 1].iov_len = mark->last_len;
    q->chunk_used = q->chunk == mark->chunk ? mark->chunk_used : 0;
    q->bytes = mark->bytes;
}

/* Nothing waits: the queue has the only reference on the chunk. */
static void rest_queue(tern__tcp_queue *q, tern__tcp_spares *spares) {
    q->first = q->n = 0;
    if (!q->chunk) return;
    give_spare(spares, q->chunk);
    q->chunk = NULL;
    q->chunk_used = 0;
}

uint32_t tern__tcp_queue_written(tern__tcp_queue *q, tern__tcp_spares *spares, size_t n) {
    uint32_t n_dropped = 0;
    q->bytes -= (uint32_t)n;
    while (n) {
        struct iovec *piece = &q->iovs[q->first];
        if (n < piece->iov_len) {
            piece->iov_base = (uint8_t *)piece->iov_base + n;
            piece->iov_len -= n;
            break;
        }
        n -= piece->iov_len;
        drop_piece(q, q->first++);
        n_dropped++;
    }
    if (q->first == q->n) rest_queue(q, spares);
    return n_dropped;
}

void tern__tcp_queue_trim(tern__tcp_queue *q, tern__tcp_spares *spares) {
    if (!q->cap || q->first != q->n) return;
    give_array(spares, q->iovs, q->cap);
    q->iovs = NULL;
    q->counters = NULL;
    q->cap = 0;
}

uint32_t tern__tcp_queue_clear(tern__tcp_queue *q, tern__tcp_spares *spares) {
    uint32_t n_dropped = q->n - q->first;
    while (q->first < q->n) drop_piece(q, q->first++);
    q->bytes = 0;
    rest_queue(q, spares);
    return n_dropped;
}

void tern__tcp_queue_fini(tern__tcp_queue *q, tern__tcp_spares *spares) {
    tern__tcp_queue_clear(q, spares);
    if (q->cap) give_array(spares, q->iovs, q->cap);
    *q = (tern__tcp_queue){0};
}
