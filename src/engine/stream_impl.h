/* The inside of a stream, shared by the files stream*.c, and what client.c, server.c and engine.c call.
 *
 * Offsets count bytes of one half from its start and are 64 bits wide; packets carry their lower 32.
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
#ifndef TERN_ENGINE_STREAM_IMPL_H
#define TERN_ENGINE_STREAM_IMPL_H

#include "engine/internal.h"
#include "engine/stream.h"
#include "engine/stream_state.h"

#define TERN__STREAM_NO_PKT UINT32_MAX /* an acknowledgement that answers no packet; of a client's: please answer */

/* On links that lose packets: packets in flight, and those that came before their turn. */
typedef struct tern__stream_loss {
    tern__win win;                  /* of packet numbers less `origin` */
    uint32_t origin;                /* so that they stay far from their end */
    uint32_t len[TERN__WIN_PKTS];   /* by packet mod 64 */
    uint64_t start[TERN__WIN_PKTS]; /* likewise: the offset of its first byte */
    struct {
        uint8_t *data; /* NULL: not here, unless marked in early_mask: it is empty then */
        uint32_t len;
    } early[TERN__WIN_PKTS];
    uint64_t early_mask; /* bit i: packet rx_pkt + i is here */
    uint32_t early_bytes;
} tern__stream_loss;

struct tern__stream {
    tern__session *session;
    tern__served *served;    /* server; NULL once the call has ended, and at the client */
    tern__out *waiting;      /* client, while UNRELEASED or WAITING: its place in the backlog */
    tern__stream_loss *loss; /* NULL on reliable links */
    void *user;
    uint32_t n_refs;
    tern__stream_states states;
    uint32_t slot;  /* client, from OPENING on */
    uint8_t traced; /* the tern__traced_stream that was traced last */
    bool plain;     /* what is written as messages is in protobuf */

    /* what is sent */
    tern__node queue;   /* of tern__out */
    tern__out *cursor;  /* where tx_sent lies, or before; NULL: the front */
    tern__out *open;    /* the last of the queue, if it takes more bytes ... */
    uint32_t open_room; /* ... so many */
    uint32_t buffer_bytes;
    uint64_t tx_front, tx_sent, tx_flushed, tx_end;
    uint64_t tx_limit; /* granted by the peer */
    uint32_t tx_pkt;   /* number of the next packet */
    uint8_t tx_status; /* server: of the LAST packet */
    bool want_write;   /* a write was refused: on_writable is due once there is room */

    /* what is received */
    uint64_t rx_bytes, rx_consumed; /* in order; done with by the reader */
    uint64_t rx_limit;              /* granted to the peer, and told */
    uint32_t rx_pkt;                /* number of the next packet in order */
    uint32_t rx_last;               /* number of the LAST packet, from SIZE_KNOWN on */
    uint32_t window_bytes;
    uint8_t rx_status;   /* of the LAST packet */
    uint8_t rx_nth;      /* of the last packet to arrive: how often it was sent before */
    uint8_t rx_n_marked; /* packets, marked on their way, that no answer has reported so far */
    bool grant_pending;  /* reliable: a grant found the link full */
    bool manual;         /* the user grants room, not the return of on_data */

    /* server, on links that lose packets; the client has these in its slot and session */
    tern_time last_tx;
    uint32_t n_out;
    uint8_t backoff;
};

/* The engine is done with the stream. */
static inline bool tern__stream_has_ended(const tern__stream *st) { return st->states.call == TERN__STREAM_CALL_ENDED; }

/* The user has not ended the call: callbacks are wanted. */
static inline bool tern__stream_has_user(const tern__stream *st) { return st->states.call <= TERN__STREAM_CALL_OPEN; }

/* The call has a slot, so that packets may leave. */
static inline bool tern__stream_has_slot(const tern__stream *st) {
    return st->states.call >= TERN__STREAM_CALL_OPENING && st->states.call <= TERN__STREAM_CALL_ENDING;
}

/* Client: the stream may take a slot. */
static inline bool tern__stream_is_released(const tern__stream *st) {
    return st->states.call != TERN__STREAM_CALL_UNRELEASED;
}

/* Takes an event in, and traces what changed. */
void tern__stream_step(tern__stream *st, tern__stream_event event);

/* Server: something in flight was not answered in time; a tail probe alone tells nothing. */
static inline bool tern__stream_is_stuck(const tern__stream *st) { return st->n_out && st->backoff > 1; }

/* The number of its call; 0 in the backlog. */
static inline uint32_t tern__stream_req(const tern__stream *st) {
    if (st->served) return st->served->req;
    return st->waiting || st->session->role == TERN__SERVER ? 0 : st->session->reqs[st->slot];
}

/* ---- stream.c: both ends -------------------------------------------------------------------------- */
tern__stream *tern__stream_new(tern__session *s, const tern__stream_opts *opts, tern__stream_call_phase call);
static inline void tern__stream_ref(tern__stream *st) { st->n_refs++; }
void tern__stream_unref(tern__stream *st);
/* Give back all that the stream holds, and the engine's reference: the call has ENDED then. */
void tern__stream_drop(tern__stream *st);
/* Whether a packet could leave if link and credits allow it, and of how many bytes at most. */
bool tern__stream_sendable(const tern__stream *st, uint32_t *len);
/* The next packet, of at most len bytes. False: the link is full. */
bool tern__stream_send_next(tern__stream *st, uint32_t len, tern_time now);
void tern__stream_resend(tern__stream *st, uint64_t mask, tern_time now);
/* Say how far the reader is: the answer to packet pkt, or NO_PKT. */
void tern__stream_acknowledge(tern__stream *st, uint32_t pkt);
/* The same if that grants enough. */
void tern__stream_grant(tern__stream *st);
/* A packet of the peer's half. False: the call has ended. */
bool tern__stream_rx_data(tern__stream *st, const tern__rx_packet *pkt, const tern__pkt_header *h,
                          uint32_t header_bytes, tern_time now);
/* An acknowledgement. *n_news: packets that are in flight no longer; *sample: a round-trip time or -1. False: it makes
 * no sense. */
bool tern__stream_rx_ack(tern__stream *st, const tern__pkt_header *h, tern_time now, uint32_t *n_news,
                         tern_dur *sample);
/* on_writable, if it is due. */
void tern__stream_tell_writable(tern__stream *st);
/* on_end, unless its user is done with it; the stream is gone. Nothing if it was so before. */
void tern__stream_end(tern__stream *st, int status);
/* Server: on_end, and the client is told; the stream stays until that has left. */
void tern__stream_give_up(tern__stream *st, int status, tern_time now);
/* The first three packets in flight that are not acknowledged, as bits from the window's base on: their answers show
 * what else got lost. */
uint64_t tern__stream_missing(const tern__stream *st);

/* ---- stream_client.c ------------------------------------------------------------------------------ */
void tern__stream_client_rx(tern__csession *cs, const tern__rx_packet *pkt, const tern__pkt_header *h,
                            uint32_t header_bytes, tern_time now);
/* The stream waited in the backlog as `out` and has now slot i. */
void tern__stream_client_start(tern__csession *cs, uint32_t i, tern__out *out);
/* One packet of slot i. False: the link is full. */
bool tern__stream_client_send(tern__csession *cs, uint32_t i, tern_time now);
/* No answer in time. */
void tern__stream_client_timeout(tern__stream *st, tern_time now);
/* What found the link full besides data; then cs->unsent has the slots with something to send. */
void tern__stream_client_pump(tern__csession *cs);
/* on_writable of those that have room again. */
void tern__stream_client_tell(tern__csession *cs);
/* Something was written or is to be ended, by the user. */
void tern__stream_client_kick(tern__stream *st, tern_time now);
void tern__stream_client_cancel(tern__stream *st, tern_time now);
/* Slot i is about to be free; the server is told, unless it has ended the call. Returns its stream, to be ended by
 * tern__stream_end(), with a reference: whoever is called before that may cancel it. */
tern__stream *tern__stream_client_leave(tern__csession *cs, uint32_t i, tern_time now);

/* ---- stream_server.c ------------------------------------------------------------------------------ */
void tern__stream_server_rx(tern__ssession *ss, const tern__rx_packet *pkt, const tern__pkt_header *h,
                            uint32_t header_bytes, tern_time now);
void tern__stream_server_pump(tern__ssession *ss, tern_time now);
void tern__stream_server_kick(tern__stream *st, tern_time now);
/* Retransmissions and deadlines that are due. Returns when the next one is. */
tern_time tern__stream_server_timer(tern__ssession *ss, tern_time now);
/* The call has ended without the server's doing; served is as before, but has no stream. */
void tern__stream_server_end(tern__served *served, int status);

#endif
