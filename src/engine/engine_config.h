/* What the engine and its user tell each other: messages, callbacks, configuration, counters. Every file of the engine
 * may use this one. */
#ifndef TERN_ENGINE_ENGINE_CONFIG_H
#define TERN_ENGINE_ENGINE_CONFIG_H

#include "codec/formats.h"
#include "engine/cc.h"
#include "engine/link.h"
#include "engine/packet.h"
#include "engine/seal.h"
#include "engine/trace.h"
#include "tern/codec.h"
#include "tern/rpc.h"

typedef struct tern__engine tern__engine;
typedef struct tern__csession tern__csession; /* client's end of a session */
typedef struct tern__request tern__request;   /* one request at its server */

/* A message to send: a struct with its type, or bytes as they are. Borrowed for the call. */
typedef struct tern__body {
    const tern_type *type; /* NULL: raw bytes */
    const void *data;      /* the struct, or the bytes */
    size_t len;            /* raw: bytes */
    tern_format format;    /* with a type: a format's number, or RAW (0) for the session's best; see TERN__BEHIND */
} tern__body;

/* A body behind a metadata block, of which the engine knows nothing but the length. Where a pointer to a body is asked
 * for, &behind.body is one: the flag BEHIND in the format tells. Such a message takes the general way. */
typedef struct tern__behind {
    tern__body body;
    const void *block;
    uint32_t block_bytes; /* a multiple of TERN__META_ALIGN, not 0 */
} tern__behind;

enum { TERN__BEHIND = 0x100 };

static inline tern__behind tern__body_behind(const tern__body *body, const void *block, uint32_t block_bytes) {
    tern__behind behind = {.block = block, .block_bytes = block_bytes};
    if (body) behind.body = *body;
    behind.body.format = (tern_format)(behind.body.format | TERN__BEHIND);
    return behind;
}

/* Added to the status of an error: the handler has not begun, and the client is told that. */
enum { TERN__NOT_RUN = 0x100 };

/* Instead of an error: the server admits no more calls of this session now. */
enum { TERN__NOT_ADMITTED = 1 };

/* A message that arrived, contiguous, in a pool buffer. */
typedef struct tern__arrived {
    union {
        struct {
            const void *data;
            size_t len; /* below 2^32 */
        };
        tern_bytes bytes;
    };
    uint32_t format;     /* tern_format; with TERN__LENT: of a tern__lent (loan.h) */
    uint32_t meta_bytes; /* of the metadata block, which ends where `data` begins; 0: there is none */
} tern__arrived;

/* Format and meta_bytes, read and written as one word: a message without metadata pays nothing for the field. Usual is
 * a message without metadata in a common format. */
static inline bool tern__arrived_is_usual(const tern__arrived *msg) {
    return tern__load64(&msg->format) <= TERN__LAST_COMMON_FORMAT;
}
/* A message without metadata, whose bytes lie at `data`: not in a loan (loan.h). */
static inline bool tern__arrived_is_plain(const tern__arrived *msg) {
    return tern__load64(&msg->format) < TERN__MAX_FORMATS;
}
static inline void tern__arrived_set_format(tern__arrived *msg, uint64_t format) {
    tern__store64(&msg->format, format);
}
_Static_assert(offsetof(tern__arrived, meta_bytes) == offsetof(tern__arrived, format) + 4, "one word");

/* The first byte of the message in its buffer. */
static inline const void *tern__arrived_begin(const tern__arrived *msg) {
    return (const uint8_t *)msg->data - msg->meta_bytes;
}

typedef enum tern__session_event {
    TERN__SESSION_UP,       /* the peer accepted */
    TERN__SESSION_DRAINING, /* the server goes away: requests end with TERN_ERR_CLOSED until the session is closed */
    TERN__SESSION_LOST,     /* refused, silent or gone; pending calls have been failed already */
} tern__session_event;

typedef struct tern__engine_callbacks {
    /* A whole request is here. Ends with exactly one tern__engine_respond(request, ...), now or later;
     * `msg` is valid until then. If the client dies first, on_gone is called instead, and request must not be
     * used after it returns. */
    void (*on_request)(void *user, tern__request *request, uint32_t method, const tern__arrived *msg);

    /* The client of a request that still runs is gone. */
    void (*on_gone)(void *user, tern__request *request);

    /* A call ended; exactly once per accepted tern__engine_request. msg is non-NULL only with status OK and
     * valid during the callback; its buffer may be kept with tern_ref(msg->data). */
    void (*on_done)(void *user, void *call, int status, const tern__arrived *msg);

    void (*on_session)(void *user, tern__csession *session, void *session_user, tern__session_event event);

    /* The client of a request that runs no longer waits for the response: `why` is CANCELLED, or
     * DEADLINE_EXCEEDED. At most once per request; it still ends with a tern__engine_respond, here or later, and
     * what that brings is dropped. May be NULL. */
    void (*on_abandoned)(void *user, tern__request *request, int why);

    /* Instead of on_done, for an answer of the server that is an error, begins with a metadata block, or is in a loan
     * (loan.h): msg is never NULL, and of an error its body is empty. NULL: on_done is told of these, too. */
    void (*on_answer)(void *user, void *call, int status, const tern__arrived *msg);
} tern__engine_callbacks;

/* What a server's engine says of a client's session to whoever watches (tern__engine_watch_clients()). */
typedef struct tern__client_news {
    uint32_t number; /* of the session, as in a trace */
    const tern__link *link;
    const tern__route *route;
    bool has_ended;
    tern__why why; /* it has ended */
} tern__client_news;
typedef void tern__client_fn(void *user, const tern__client_news *news);

typedef struct tern__stream tern__stream;                     /* one end of a streaming call */
typedef struct tern__stream_callbacks tern__stream_callbacks; /* stream.h */

typedef struct tern__engine_config {
    tern__engine_callbacks callbacks;
    const tern__stream_callbacks *streams; /* NULL: no streaming calls, neither way */
    void *user;
    uint64_t (*random)(void *user); /* unpredictable on real ports, seeded in the simulator */
    uint32_t max_sessions;          /* client and server sessions together */
    uint32_t max_message_bytes;
    uint64_t max_rx_bytes;      /* what all peers together may make us hold (account.h) */
    uint64_t max_kept_bytes;    /* of that, responses kept until their clients have them; 0: max_rx_bytes / 4 or
                                max_message_bytes */
    uint32_t credits;           /* packets in flight per session that we offer and ask for; at most 64 */
    uint32_t max_backlog;       /* requests waiting for a slot, per client session */
    uint32_t max_streams;       /* streaming calls in flight per session: 32 at most; 0: as many */
    uint32_t threshold;         /* 0: each link's own */
    uint32_t max_running_calls; /* requests that run at a time, of all clients; more are rejected. 0: any number */
    uint32_t max_meta_bytes;    /* of a metadata block that a stream brings; 0: 64 KB */
    tern_dur retry_after;       /* what a client that is rejected is told to wait at least; 0: 10 ms */
    tern_dur queue_target;   /* how long calls may wait, here as a client's and as a server's (overload.h); 0: for any
                                   time */
    uint32_t crowd_sessions; /* with more sessions the engine prefetches those of the packets ahead; 0: 512 */
    tern_dur connect_timeout, peer_timeout;
    tern_dur keepalive;         /* idle client sessions are asked after so long whether their server lives; 0: never */
    tern_dur rto_min, rto_max;  /* 0: defaults (1 ms, 500 ms) */
    const tern__cc_ops *cc;     /* of sessions on links that lose packets; NULL: the default */
    tern__trace_fn *trace;      /* told of every event (trace.h); NULL: nobody is */
    void *trace_user;           /* handed to trace */
    const tern__cipher *cipher; /* seals sessions with peers that have the same (seal.h); NULL: none is sealed */
    void *cipher_user;          /* handed to the cipher's functions */
    bool seal_required;         /* no session that is not sealed; INVALID without a cipher */
    /* What messages may be encoded in, the most wanted first (codec/formats.h); NULL: tern__formats_default. The setup
     * names all of them to the peer, and each side writes in the first one of its own that the other reads. The list
     * and its formats must outlive the engine and its links. A list that is not sound makes tern__engine_new() return
     * TERN_ERR_INVALID. */
    const tern__format *const *formats;
    uint64_t key_packets; /* after so many packets a direction asks for its next key; 0: 2^20; 4 at least */
} tern__engine_config;

typedef struct tern__engine_stats {
    uint64_t tx_packets, tx_bytes, rx_packets, rx_bytes, rx_dropped, retransmits;
    uint64_t spurious; /* retransmits of requests that had only been late */
    uint64_t calls_issued, calls_completed, calls_served;
    uint64_t tx_messages, copied_bytes, inplace_values, inplace_bytes;
    uint64_t sessions_open, peers_lost;
    uint64_t rx_forged;        /* packets for a session of ours, but not from its route or without its tag */
    uint64_t retries;          /* CONNECTs answered by a cookie ... */
    uint64_t limited;          /* ... and by nothing, because there were too many */
    uint64_t congested;        /* times that a session became it */
    uint64_t paced;            /* times that a session waited in the wheel */
    uint64_t marked;           /* packets of full size that the network marked, by what their receivers reported */
    uint64_t tail_probes;      /* made sooner than the retransmission timeout */
    uint64_t delayed;          /* packets of requests whose credits returned with those of later ones of their run */
    uint64_t evicted;          /* responses given up because too many were kept (max_kept_bytes) */
    uint64_t evicted_requests; /* half-received ones given up, for others or because nothing came; ones without room */
    uint64_t held_bytes;       /* now: what peers make us hold (account.h) */
    uint64_t sealed, opened;   /* packets of sealed sessions, sent and received */
    uint64_t rx_unopened;      /* of rx_dropped: they named a sealed session, and did not open ... */
    uint64_t rx_replayed;      /* ... or their number had been there, or was too old */
    uint64_t overloads;        /* times that the server became overloaded (queue_target) ... */
    uint64_t overload_rejects; /* ... and calls that it rejected then */
    uint64_t put_off;          /* requests that waited for their peers' turn (turns.h) */
    uint64_t key_phases;       /* times that a direction of ours moved to its next key */
} tern__engine_stats;
/* A word that belongs to the engine's user; NULL at on_request. */
static inline void **tern__request_user(tern__request *request) { return (void **)request; } /* its first word */

#endif
