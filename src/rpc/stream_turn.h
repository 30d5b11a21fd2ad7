/* Streams at a server that is behind with its handlers (engine/turns.h): they open, and are handed what has arrived,
 * when it is their client's turn. Until then what arrives waits, within the window of the stream.
 *
 * A stream also waits when its handlers take long with what arrived at once: a packet holds thousands of messages. */
#ifndef TERN_RPC_STREAM_TURN_H
#define TERN_RPC_STREAM_TURN_H

#include "rpc/stream_record.h"

/* Whether what comes of the stream now has to wait for its turn. */
static inline bool tern__stream_turn_is_due(const tern__stream_record *s) {
    return s->ep->is_behind && !s->waits && s->st && tern__stream_is_server(s);
}

/* The stream waits. Its engine's stream is there. */
void tern__stream_turn_wait(tern__stream_record *s);

/* It is the stream's turn, from now on and until the end. */
void tern__stream_turn_begin(tern__stream_record *s);
void tern__stream_turn_end(tern_endpoint *ep);

/* A delivery: what is handed over at once. */
typedef struct tern__delivery {
    uint32_t n;      /* callbacks that have run */
    tern_time begun; /* when the clock was first read; 0: not yet */
} tern__delivery;

/* One of the delivery's callbacks has run, and the stream has not ended. Where they have taken long enough, the stream
 * waits with the rest. */
void tern__stream_turn_note(tern__stream_record *s, tern__delivery *delivery);

#endif
