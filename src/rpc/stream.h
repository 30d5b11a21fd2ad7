/* Streams as the endpoint keeps them (stream.c), and what arrives on them (stream_in.c).
 *
 * A tern_stream is a record of the endpoint's, in use from its start to its end and then used again; `life` tells one
 * use from the next. Its engine's stream may end earlier: what has arrived is handed over first. */
#ifndef TERN_RPC_STREAM_H
#define TERN_RPC_STREAM_H

#include "engine/stream.h"
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

/* What a method's streaming calls are served by. */
typedef struct tern__stream_service {
    const tern_method *method; /* NULL: raw */
    tern__stream_thunk *thunk; /* NULL: raw */
    tern__any_fn *handler;
    void *user;
    bool single; /* the client sends one message, which is the handler's */
} tern__stream_service;

struct tern_stream {
    tern_endpoint *ep;
    tern__stream *st; /* while AWAITING, ACCEPTING or OPEN; else NULL */
    const tern_method *method;
    const tern__stream_service *service; /* NULL at the client */
    void *user;
    tern_stream_events events;
    tern__message_thunk *thunk; /* of messages; NULL: dropped */
    tern__any_fn *on_message;
    uint32_t life;
    const tern_session *by_name; /* client: its call waits for the connection that this session's name stands for */
    tern__stream_call_state call;
    tern__stream_read_state read;
    int status;    /* for on_end, when ENDED or CANCELLED */
    bool reliable; /* the link is: known after the call has ended, too */
    bool manual;   /* the user consumes */
    bool paused;   /* by the user */

    tern__node due;                            /* in ep->due_streams, or alone */
    tern__node pieces;                         /* what has arrived and waits */
    uint32_t prepaid;                          /* bytes of the pieces that the engine takes for consumed already */
    uint8_t prefix[TERN__STREAM_PREFIX_BYTES]; /* of the message that is arriving */
    uint8_t n_prefix;
    uint8_t *message;     /* NULL: it has just begun */
    uint32_t message_got; /* bytes of it */
    tern_stream *next, *next_free;
};

static inline bool tern__stream_is_server(const tern_stream *s) { return s->service != NULL; }
static inline bool tern__stream_is_over(const tern_stream *s) { return s->call >= TERN__STREAM_ENDED; }

/* What is to be done about a stream at the next poll. */
void tern__stream_due(tern_stream *s);

/* It ends here and now, and the peer is told; on_end runs. In callbacks only. */
void tern__stream_break(tern_stream *s, int status);

/* on_end, and the record is free. */
void tern__stream_over(tern_stream *s, int status);

/* The server's verdict on the types of an unreleased stream, if it is still the one that had this `life`: it ends
 * with this status, or (OK) begins, with its messages in protobuf if `plain`. In callbacks only. */
void tern__stream_admit(tern_stream *s, uint32_t life, tern_session *session, int status, bool plain);

/* The service's handler runs; request is NULL unless it is single. */
void tern__stream_handle(tern_stream *s, const void *request);

/* stream_in.c */
void tern__stream_in_init(tern_stream *s);
void tern__stream_in_fini(tern_stream *s);
/* Bytes have arrived. */
void tern__stream_in(tern_stream *s, const void *data, uint32_t len);
/* Hand over what waits, as far as that is wanted; then on_finished and on_end if they are due. */
void tern__stream_in_release(tern_stream *s);
int64_t tern__stream_in_read(tern_stream *s, void *to, size_t cap);
/* The peer's half stops inside a message. */
bool tern__stream_in_is_cut(const tern_stream *s);

extern const struct tern__stream_callbacks tern__stream_events;
void tern__streams_run_due(tern_endpoint *ep);
/* The session has got the connection that its name stands for: streams that waited go over it. */
void tern__streams_move(const tern_session *s);
/* The endpoint goes: those whose calls have ended already are told now, whatever they have not read; the others when
 * the engine ends theirs. */
void tern__streams_leave(tern_endpoint *ep);
void tern__streams_fini(tern_endpoint *ep);

#endif
