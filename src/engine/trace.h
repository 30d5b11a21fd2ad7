/* What the engine tells about its work: one event per packet, transition and conclusion, handed to one callback.
 *
 * Golden traces, the reports of failed simulations and qlog files are all made from these events. The callback is
 * tern__engine_config.trace, or is set later by tern__engine_set_trace(). While it is set no message takes a short way
 * (direct.c), because the short ways contain no events; while it is not set the short ways are as they are without this
 * file, and the general way pays one predicted branch per event (tracing.h). */
#ifndef TERN_ENGINE_TRACE_H
#define TERN_ENGINE_TRACE_H

#include "engine/codes.h"
#include "engine/link.h"
#include "engine/packet.h"
#include "tern/rpc.h"

typedef enum tern__trace_kind {
    TERN__TRACE_SENT,       /* packet: it went into the link */
    TERN__TRACE_BLOCKED,    /* packet: the link is full and did not take it; the session tries again, or the timer */
    TERN__TRACE_RECEIVED,   /* packet: its header can be read; nothing else has been checked */
    TERN__TRACE_DROPPED,    /* packet: received and not used, or not readable; `reason` says why */
    TERN__TRACE_SESSION,    /* session */
    TERN__TRACE_CALL,       /* call: at the client */
    TERN__TRACE_REQUEST,    /* call: at the server */
    TERN__TRACE_STREAM,     /* call: a streaming call, at either side */
    TERN__TRACE_LOST,       /* loss: later packets have overtaken these */
    TERN__TRACE_RETRANSMIT, /* loss: the packet sent last was sent again */
    TERN__TRACE_TIMEOUT,    /* loss: no answer before the retransmission timeout */
    TERN__TRACE_TAIL_PROBE, /* loss: no answer for two round trips; one probe before the timeout */
    TERN__TRACE_RTT,        /* rtt: a sample was taken */
    TERN__TRACE_CONGESTION, /* congestion */
    TERN__N_TRACE_KINDS
} tern__trace_kind;

/* X(NAME, name, meaning): why a packet was dropped. */
#define TERN__DROP_LIST(X)                                                                                             \
    X(MALFORMED, "malformed", "no header of ours, or lengths that contradict each other")                              \
    X(UNKNOWN_SESSION, "unknown_session", "it names a session that is not here")                                       \
    X(OTHER_ENDPOINT, "other_endpoint", "it names a session of another endpoint at this address")                      \
    X(FORGED, "forged", "it names a session of ours, but lacks its tag or comes from elsewhere")                       \
    X(NOT_OPEN, "not_open", "its session is not open, or no longer")                                                   \
    X(WRONG_SIDE, "wrong_side", "the peer's side never sends this type")                                               \
    X(UNASKED, "unasked", "it answers nothing that was asked")                                                         \
    X(NO_SUCH_CALL, "no_such_call", "its call has ended, or never began")                                              \
    X(DUPLICATE, "duplicate", "it has been here")                                                                      \
    X(OUT_OF_WINDOW, "out_of_window", "its packet number is beyond what may come, or was never sent")                  \
    X(INCONSISTENT, "inconsistent", "it contradicts earlier packets of its message")                                   \
    X(NO_ROOM, "no_room", "memory, or what the peer was granted, is used up")                                          \
    X(LIMITED, "limited", "too many peers want to connect")                                                            \
    X(UNFIT, "unfit", "a setup that we cannot take; it is refused")                                                    \
    X(OTHER_VERSION, "other_version", "it is of a version of the protocol that we do not know")                        \
    X(EXTENSION, "extension", "it is an extension that we do not know, and may leave aside")                           \
    X(UNOPENED, "unopened", "it does not open: its sealed session's peer did not send it so")                          \
    X(REPLAYED, "replayed", "its number has been here, in a sealed session, or is too old")

typedef enum tern__drop_reason {
#define TERN__X(name, text, meaning) TERN__DROP_##name,
    TERN__DROP_LIST(TERN__X)
#undef TERN__X
        TERN__N_DROP_REASONS
} tern__drop_reason;

/* X(NAME, name, meaning): why a session's state changed. */
#define TERN__WHY_LIST(X)                                                                                              \
    X(ASKED, "asked", "this program closed the session")                                                               \
    X(ACCEPTED, "accepted", "the two sides agreed")                                                                    \
    X(REFUSED, "refused", "the peer said no, or does not know the session (any more)")                                 \
    X(UNANSWERED, "unanswered", "no answer within connect_timeout")                                                    \
    X(SILENT, "silent", "the peer has said nothing for a whole peer_timeout")                                          \
    X(DISCONNECTED, "disconnected", "the peer ended the session")                                                      \
    X(ROUTE_LOST, "route_lost", "the peer cannot be reached or has died")                                              \
    X(DRAINED, "drained", "the time of the drain was up")                                                              \
    X(UNFIT, "unfit", "the server's setup is one that we cannot take")                                                 \
    X(NO_MEMORY, "no_memory", "there was no memory for a packet of a link that loses none")

typedef enum tern__why {
#define TERN__X(name, text, meaning) TERN__WHY_##name,
    TERN__WHY_LIST(TERN__X)
#undef TERN__X
        TERN__N_WHYS
} tern__why;

/* docs/states.md says what each state means. QUEUED: in the backlog; STREAM: the call is a streaming one. */
typedef enum tern__call_state {
    TERN__CALL_FREE,
    TERN__CALL_QUEUED,
    TERN__CALL_SENDING,
    TERN__CALL_SENT,
    TERN__CALL_WAIT,
    TERN__CALL_RESP,
    TERN__CALL_STREAM,
    TERN__N_CALL_STATES
} tern__call_state;

/* A streaming call at either side. HALF: the client has finished its half; ENDING: so has the server. */
typedef enum tern__traced_stream {
    TERN__TRACED_STREAM_NONE,
    TERN__TRACED_STREAM_OPEN,
    TERN__TRACED_STREAM_HALF,
    TERN__TRACED_STREAM_ENDING,
    TERN__TRACED_STREAM_DONE,
    TERN__N_TRACED_STREAMS
} tern__traced_stream;

enum { TERN__ROLE_CLIENT, TERN__ROLE_SERVER, TERN__ROLE_NONE /* of packets that belong to no session of ours */ };
enum { TERN__CONGESTION_BEGINS, TERN__CONGESTION_GOES_ON, TERN__CONGESTION_ENDS };

typedef struct tern__trace_packet {
    tern__pkt_header header; /* zero when it cannot be read */
    uint32_t payload_bytes;  /* behind the header */
    uint8_t reason;          /* DROPPED: a tern__drop_reason */
    tern__route route;       /* of the peer */
} tern__trace_packet;

typedef struct tern__trace_loss {
    uint32_t req;
    uint32_t pkt;    /* LOST, RETRANSMIT: the packet, or the first of several */
    uint32_t n_pkts; /* LOST */
    uint32_t n;      /* TIMEOUT: how many in a row */
} tern__trace_loss;

/* Contains no pointers: it may be copied and kept. */
typedef struct tern__trace_event {
    tern_time at;
    uint32_t session; /* our number; means nothing with ROLE_NONE */
    uint8_t kind;     /* tern__trace_kind: says which part of the union is set */
    uint8_t role;     /* TERN__ROLE_*: ours in this session */
    union {
        tern__trace_packet packet;
        struct {
            uint8_t from, to; /* TERN__STATE_* (limits.h), 0 to 3 */
            uint8_t why;      /* tern__why */
            uint16_t code;    /* of a session that was refused or is unfit: a tern__refuse_code ... */
            uint16_t detail;  /* ... and what it speaks of: the type of a setup's record; with VERSION the peer's
                                 versions, bit v for version v */
        } session_change;
        struct {
            uint32_t req;
            uint8_t from,
                to;         /* CALL: tern__call_state; REQUEST: TERN__REQUEST_*, 0 to 4; STREAM: tern__traced_stream */
            uint8_t status; /* of a call that ends: a tern_status */
        } call;
        tern__trace_loss loss;
        struct {
            uint32_t sample_ns, srtt_ns, var_ns, min_ns, rto_ns;
        } rtt;
        struct {
            double window_pkts; /* packets in flight at most */
            uint64_t window_bytes;
            uint64_t rate_bps; /* bits per second; 0: only the window counts */
            uint8_t phase;     /* TERN__CONGESTION_* */
        } congestion;
    };
} tern__trace_event;

/* May not call back into the engine; `event` is valid during the call. Also runs inside functions whose callbacks
 * otherwise do not (engine.h). */
typedef void tern__trace_fn(void *user, const tern__trace_event *event);

#endif
