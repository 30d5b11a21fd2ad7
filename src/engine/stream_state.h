/* The states of one end of a streaming call: one for the call, one for each half, in the manner of RFC 9000, section 3.
 * Client and server share the states; docs/states.md shows which state each event leads to.
 *
 *     call     UNRELEASED --> WAITING --> OPENING --> OPEN --> LEAVING --> ENDED       at the client
 *                                         OPENING --> OPEN --> ENDING  --> ENDED       at the server
 *     send     SEND --> SIZE_KNOWN --> DATA_SENT --> DATA_RECVD
 *     receive  RECV --> SIZE_KNOWN --> DATA_RECVD, or REFUSED
 *
 * A half that is not over when the call ends is RESET. States only ever go forward: each enum lists them in order. */
#ifndef TERN_ENGINE_STREAM_STATE_H
#define TERN_ENGINE_STREAM_STATE_H

#include <stdint.h>

typedef enum tern__stream_call_phase {
    TERN__STREAM_CALL_UNRELEASED = 1, /* client: in the backlog until tern__stream_release() */
    TERN__STREAM_CALL_WAITING,        /* client: in the backlog, for a place */
    TERN__STREAM_CALL_OPENING,        /* client: has a place, and the packet that opens the call has not left. Server:
                                         packet 0 has not come, or the metadata block that begins the request is cut */
    TERN__STREAM_CALL_OPEN,           /* both ends may know of the call */
    TERN__STREAM_CALL_ENDING,  /* server: the user has ended the call, and what was written is still being sent */
    TERN__STREAM_CALL_LEAVING, /* client: the place is given back, and on_end is the next callback */
    TERN__STREAM_CALL_ENDED,   /* the engine is done with the stream */
    TERN__N_STREAM_CALL_PHASES,
} tern__stream_call_phase;

typedef enum tern__send_state {
    TERN__SEND_SEND = 1,   /* the user may write */
    TERN__SEND_SIZE_KNOWN, /* the user has ended this half, and its LAST packet has not left */
    TERN__SEND_DATA_SENT,  /* the LAST packet has left, and not everything is acknowledged */
    TERN__SEND_DATA_RECVD, /* the peer has everything: by acknowledgements, or because the link is reliable */
    TERN__SEND_RESET,      /* the call has ended before that */
    TERN__N_SEND_STATES,
} tern__send_state;

typedef enum tern__recv_state {
    TERN__RECV_RECV = 1,   /* packets come */
    TERN__RECV_SIZE_KNOWN, /* the LAST packet has come, and one before it is missing */
    TERN__RECV_DATA_RECVD, /* everything has come in order */
    TERN__RECV_REFUSED,    /* a packet could not be taken and will not come again, or is none that may come */
    TERN__RECV_RESET,      /* the call has ended before that */
    TERN__N_RECV_STATES,
} tern__recv_state;

typedef enum tern__stream_event {
    TERN__EV_RELEASED,      /* client: the user lets the stream leave */
    TERN__EV_HAS_PLACE,     /* client: the stream leaves the backlog */
    TERN__EV_OPENED,        /* client: the first packet has left. Server: the handler is told of the call */
    TERN__EV_FINISHED,      /* the user has ended the half that is sent */
    TERN__EV_CALL_FINISHED, /* server: the user has ended the call, and the engine sends the rest */
    TERN__EV_LAST_SENT,     /* the LAST packet has left */
    TERN__EV_ALL_RECEIVED,  /* the peer has every packet that has left */
    TERN__EV_LAST_CAME,     /* the LAST packet has come, perhaps early */
    TERN__EV_ALL_CAME,      /* every packet up to the LAST one has come */
    TERN__EV_NOT_TAKEN,     /* reliable link: there is neither grant nor memory for the packet that has come */
    TERN__EV_LEFT_PLACE,    /* client: the call ends */
    TERN__EV_DROPPED,       /* the engine gives back all that the stream holds */
    TERN__N_EVS,
} tern__stream_event;

typedef struct tern__stream_states {
    tern__stream_call_phase call;
    tern__send_state send;
    tern__recv_state recv;
} tern__stream_states;

/* Takes one event in. An event that means nothing in a state leaves that state as it was. */
void tern__stream_states_step(tern__stream_states *states, tern__stream_event event);

#endif
