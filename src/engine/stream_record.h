/* The inside of a stream, shared by the files stream*.c.
 *
 * Offsets count bytes of one half from its start, those of its metadata block included, and are 64 bits wide.
 *
 *     tx_front        tx_sent         tx_flushed      tx_end
 *        |  in flight    |  may leave     |  waits for    |
 *        |  (lossy only) |                |  more bytes   |
 *        +---------------+----------------+---------------+
 *
 * What the call and its two halves have come to is in `states` (stream_state.h); the flags beside it tell of the user's
 * wishes and of packets that are due, in whatever state.
 *
 * Invariant: the queue holds exactly the bytes from tx_front to tx_end. Whatever runs a callback holds a reference on
 * the stream and checks afterwards whether the call has ended. */
#ifndef TERN_ENGINE_STREAM_RECORD_H
#define TERN_ENGINE_STREAM_RECORD_H

#include "engine/engine_record.h"
#include "engine/stream_state.h"

#define TERN__STREAM_NO_PKT UINT32_MAX /* an acknowledgement that answers no packet; of a client's: please answer */

/* A packet that came before its turn. */
typedef struct tern__early {
    uint8_t *data; /* NULL: not here, unless marked in early_mask: it is empty then */
    uint32_t len;
    bool is_meta; /* of the metadata block */
} tern__early;

/* On links that lose packets: packets in flight, and those that came before their turn. */
typedef struct tern__stream_loss {
    tern__win win;                  /* of packet numbers less `origin` */
    uint32_t origin;                /* so that they stay far from their end */
    uint32_t len[TERN__WIN_PKTS];   /* by packet mod 64 */
    uint32_t start[TERN__WIN_PKTS]; /* likewise: the offset of its first byte, modulo 2^32 */
    tern__early *early;             /* by packet mod 64; NULL until one comes, from the pool and on the account */
    uint64_t early_mask;            /* bit i: packet rx_pkt + i is here */
    uint32_t early_bytes;
} tern__stream_loss;

/* The metadata block of the peer's half, in a pool buffer that is on the account: the first `got` bytes are here, and
 * there is room for the first `room`. */
typedef struct tern__stream_block {
    uint32_t bytes, got, room;
    tern__debit debit;
    uint8_t data[];
} tern__stream_block;

struct tern__stream {
    tern__session *session;
    tern__request *request;  /* server; NULL once the call has ended, and at the client */
    tern__out *waiting;      /* client, while UNRELEASED or WAITING: its place in the backlog */
    tern__stream_loss *loss; /* NULL on reliable links */
    void *user;
    uint32_t n_refs;
    tern__stream_states states;
    uint32_t index; /* client, from OPENING on: tern__call_at() */
    uint32_t req;   /* client, from OPENING on: its number */
    uint8_t traced; /* the tern__traced_stream that was traced last */
    uint8_t format; /* of messages that are written; RAW: the best one that the peer reads */

    /* what is sent */
    tern__node queue;      /* of tern__out */
    tern__out *cursor;     /* where tx_sent lies, or before; NULL: the front */
    tern__out *growing;    /* the last of the queue, if it takes more bytes ... */
    uint32_t growing_room; /* ... so many */
    uint32_t buffer_bytes;
    uint64_t tx_charged; /* server: bytes on the account for what waits in the queue */
    uint64_t tx_front;   /* bytes up to here need not be kept: acknowledged, or sent where nothing is lost */
    uint64_t tx_sent;    /* up to here bytes have left, up to here they may leave, up to here they were written */
    uint64_t tx_flushed, tx_end;
    uint64_t tx_limit;      /* granted by the peer */
    uint64_t tx_meta_at;    /* where the metadata block begins, ... */
    uint32_t tx_meta_bytes; /* ... and its length; 0: there is none (stream_meta.h) */
    uint32_t tx_pkt;        /* number of the next packet */
    uint8_t tx_status;      /* server: of the LAST packet */
    bool want_write;        /* a write was refused: on_writable is due once there is room */

    /* what is received */
    uint64_t rx_bytes, rx_consumed; /* that came in order; that the reader is done with */
    uint64_t rx_limit;              /* granted to the peer, and told */
    uint32_t rx_pkt;                /* number of the next packet in order */
    uint32_t rx_last;               /* number of the LAST packet, from SIZE_KNOWN on */
    uint32_t window_bytes;
    tern__stream_block *rx_meta; /* the peer's metadata block; NULL: there is none, or the user has taken it */
    uint8_t rx_status;           /* of the LAST packet */
    uint8_t rx_refusal;          /* the status with which the call ends, once REFUSED */
    uint8_t rx_nth;              /* of the last packet to arrive: how often it was sent before */
    uint8_t rx_n_marked;         /* packets, marked on their way, that no answer has reported so far */
    bool grant_pending;          /* reliable: a grant found the link full */
    bool manual;                 /* the user grants room, not the return of on_data */

    /* server, on links that lose packets; the client has these in its place and session */
    tern_time last_tx;
    tern_time progress_at; /* when something was acknowledged, or sent while nothing was in flight */
    uint32_t n_out;
    uint8_t backoff;
    uint8_t n_vain; /* timeouts since then */

    /* server: its turn, one of the engine's ticks (check_room) */
    uint32_t turn;       /* which one */
    uint64_t turn_bytes; /* written in it */

    /* server: waiting for the client (stream_wait.h) */
    tern__node unread;     /* among its peer's, from when it first has bytes on the account */
    tern_time waits_since; /* 0: it does not wait */
    uint64_t waits_with;   /* what the client had done by then */
    uint64_t kept;         /* bytes on the account for what has arrived and waits for the user ... */
    tern_time kept_since;  /* ... and from when on nothing of that has been taken */
};

/* The engine is done with the stream. */
static inline bool tern__stream_has_ended(const tern__stream *st) { return st->states.call == TERN__STREAM_CALL_ENDED; }

/* The user has not ended the call: callbacks are wanted. */
static inline bool tern__stream_has_user(const tern__stream *st) { return st->states.call <= TERN__STREAM_CALL_OPEN; }

/* The call has a place, so that packets may leave. */
static inline bool tern__stream_has_place(const tern__stream *st) {
    return st->states.call >= TERN__STREAM_CALL_OPENING && st->states.call <= TERN__STREAM_CALL_ENDING;
}

/* Server: on_open has not run, because the request's first packet or its metadata block is not whole. */
static inline bool tern__stream_is_unopened(const tern__stream *st) {
    return st->states.call == TERN__STREAM_CALL_OPENING && st->request;
}

/* Client: the stream may take a place. */
static inline bool tern__stream_is_released(const tern__stream *st) {
    return st->states.call != TERN__STREAM_CALL_UNRELEASED;
}

/* Client: a packet of the call has left. */
static inline bool tern__stream_has_left(const tern__stream *st) { return st->states.call > TERN__STREAM_CALL_OPENING; }

/* Server: something in flight was not answered in time; a tail probe alone tells nothing. */
static inline bool tern__stream_is_stuck(const tern__stream *st) { return st->n_out && st->backoff > 1; }

/* The number of its call; 0 in the backlog. */
static inline uint32_t tern__stream_req(const tern__stream *st) {
    if (st->request) return st->request->req;
    return st->req;
}

static inline void tern__stream_ref(tern__stream *st) { st->n_refs++; }

#endif
