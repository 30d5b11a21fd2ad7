/* Streams as the endpoint keeps them.
 *
 * A stream is a record of the endpoint's from its start to its end, and then another stream's. A tern_stream names one
 * use of the record (handle.h). The engine's stream may end earlier: what has arrived is handed over first. */
#ifndef TERN_RPC_STREAM_RECORD_H
#define TERN_RPC_STREAM_RECORD_H

#include "engine/stream_client.h"
#include "rpc/endpoint.h"
#include "tern/call_stream.h"

/* The call, as its user has it. */
typedef enum tern__stream_call_state {
    TERN__STREAM_FREE,      /* the record is not in use, or its call has not begun */
    TERN__STREAM_AWAITING,  /* server: the one message that the handler takes has not come */
    TERN__STREAM_ACCEPTING, /* server: the handler runs */
    TERN__STREAM_OPEN,
    TERN__STREAM_ENDED,     /* on_end is due, behind what has arrived */
    TERN__STREAM_CANCELLED, /* by the user: on_end is due, and nothing is handed over any more */
} tern__stream_call_state;

/* The peer's half, as its user has it. */
typedef enum tern__stream_read_state {
    TERN__READ_DISCARD,    /* server: nobody has accepted the call, and what arrives is dropped */
    TERN__READ_RECV,       /* what arrives is handed over, or waits to be */
    TERN__READ_DATA_RECVD, /* everything has arrived, and on_finished is due */
    TERN__READ_DATA_READ,  /* on_finished has run */
} tern__stream_read_state;

/* The handler of a method's streaming calls. */
typedef struct tern__stream_service {
    const tern_method *method; /* NULL: raw */
    tern__stream_thunk *thunk; /* NULL: raw */
    tern__any_fn *handler;
    void *user;
    bool single; /* the client sends one message, which is the handler's */
} tern__stream_service;

typedef struct tern__stream_record tern__stream_record;

/* Callbacks of stream_in.c, which stream.c fills in. */
typedef struct tern__stream_in_events {
    void (*on_request)(tern__stream_record *s, const void *request); /* the one message of a service that is single */
    void (*on_bad)(tern__stream_record *s, int status,
                   const char *why);                     /* what arrived makes no sense, or memory is out */
    void (*on_over)(tern__stream_record *s, int status); /* the call has ended, and all that arrived is handed over */
} tern__stream_in_events;

struct tern__stream_record {
    tern__named named; /* what handles are compared with; first */
    tern_endpoint *ep;
    const tern__stream_in_events *in_events;
    tern__stream *st; /* while AWAITING, ACCEPTING or OPEN; else NULL */
    const tern_method *method;
    const tern__stream_service *service; /* NULL at the client */
    void *user;
    tern_stream_events events;
    tern__message_thunk *thunk; /* of messages; NULL: dropped */
    tern__any_fn *on_message;
    const tern_session *by_name; /* client: its call waits for the connection that this session's name stands for */
    tern__stream_call_state call;
    tern__stream_read_state read;
    int status;                       /* for on_end, when ENDED or CANCELLED */
    const char *why;                  /* client: what ended the call here, in words; NULL: what goes without saying */
    struct tern__stream_block *block; /* the peer's metadata block; NULL: none */
    struct tern__stream_trailing *trailing; /* server: metadata to come with the end; NULL: none */
    bool accepted;                          /* server: by its handler */
    bool answered;                          /* client: the server has ended the call, with `status` */
    bool unsent;                            /* client: ends before anything of it was sent */
    bool reliable;                          /* the link is: known after the call has ended, too */
    bool manual;                            /* the user consumes */
    bool paused;                            /* by the user */
    bool waits;                             /* server: for its client's turn (stream_turn.h) */

    tern__node due;                            /* in ep->due_streams, or alone */
    tern__node pieces;                         /* what has arrived and waits */
    uint32_t prepaid;                          /* bytes of the pieces that the engine takes for consumed already */
    uint8_t prefix[TERN__STREAM_PREFIX_BYTES]; /* of the message that is arriving */
    uint8_t n_prefix;
    uint8_t *message;      /* NULL: it has just begun */
    uint32_t message_got;  /* bytes of it */
    uint64_t message_kept; /* server: its memory, as the engine's stream keeps it */
    tern__debit debit;     /* client: the same */
    tern__stream_record *next, *next_free;
};

/* Tells this use of the record from all others. */
static inline uint64_t tern__stream_life(const tern__stream_record *s) { return tern__named_id(&s->named); }

/* The handle of a stream that has not ended. */
static inline tern_stream tern__stream_name(const tern__stream_record *s) {
    return (tern_stream){s->ep, tern__stream_life(s)};
}

/* The record of a stream that the calling thread may use. Returns 0; TERN_ERR_STALE when the stream has ended;
 * TERN_ERR_THREAD or _STATE when it is not this thread's. */
static inline int tern__stream_reach(tern_stream name, tern__stream_record **out) {
    tern__named *named = name.ep ? tern__handles_find(&name.ep->stream_handles, name.id) : NULL;
    if (!named) return TERN_ERR_STALE;
    if (!tern__endpoint_is_mine(name.ep)) return tern__endpoint_not_mine(name.ep);
    *out = (tern__stream_record *)named;
    return 0;
}

/* As tern__stream_reach(), and the call has not ended. */
static inline int tern__stream_reach_live(tern_stream name, tern__stream_record **out) {
    int err = tern__stream_reach(name, out);
    return err || (*out)->st ? err : TERN_ERR_CLOSED;
}

/* Nothing on reliable links is measured: the time of the last poll will do. */
static inline tern_time tern__stream_now(const tern__stream_record *s) {
    return s->reliable ? s->ep->now : tern__endpoint_now(s->ep);
}

static inline bool tern__stream_is_server(const tern__stream_record *s) { return s->service != NULL; }
static inline bool tern__stream_is_over(const tern__stream_record *s) { return s->call >= TERN__STREAM_ENDED; }

#endif
