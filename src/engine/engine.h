/* The protocol engine: sessions, slots, credits, loss recovery. It does no I/O and reads no clock: it is
 * told what arrived and what time it is, and emits packets through links. The same code runs on real
 * ports and in the simulator.
 *
 * Rules for callers: one thread; `now` never decreases; callbacks run inside tern__engine_rx,
 * tern__engine_tick and tern__engine_session_close only (never inside tern__engine_request), and may call
 * tern__engine_request and tern__engine_respond, but none of those three. */
#ifndef TERN_ENGINE_ENGINE_H
#define TERN_ENGINE_ENGINE_H

#include "engine/cc.h"
#include "engine/link.h"
#include "engine/packet.h"
#include "engine/seal.h"
#include "engine/trace.h"
#include "tern/codec.h"
#include "tern/rpc.h"

typedef struct tern__engine tern__engine;
typedef struct tern__csession tern__csession; /* client's end of a session */
typedef struct tern__served tern__served;     /* one request being served: a server slot */

/* A message to send: a struct with its type, or bytes as they are. Borrowed for the call. */
typedef struct tern__body {
    const tern_type *type; /* NULL: raw bytes */
    const void *data;      /* the struct, or the bytes */
    size_t len;            /* raw: bytes */
    tern_format format;    /* with a type: HYBRID, PROTOBUF, or RAW (0) for the session's best; see TERN__BEHIND */
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

/* A message that arrived, contiguous, in a pool buffer. */
typedef struct tern__arrived {
    union {
        struct {
            const void *data;
            size_t len; /* below 2^32 */
        };
        tern_bytes bytes;
    };
    uint32_t format;     /* tern_format */
    uint32_t meta_bytes; /* of the metadata block, which ends where `data` begins; 0: there is none */
} tern__arrived;

/* Format and meta_bytes, read and written as one word: a message without metadata pays nothing for the field. */
static inline bool tern__arrived_is_usual(const tern__arrived *msg) {
    return tern__load64(&msg->format) <= TERN_FORMAT_PROTOBUF;
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
    /* A whole request is here. Ends with exactly one tern__engine_respond(served, ...), now or later;
     * `msg` is valid until then. If the client dies first, on_gone is called instead, and served must not be
     * used after it returns. */
    void (*on_request)(void *user, tern__served *served, uint32_t method, const tern__arrived *msg);

    /* The client of a request still being served is gone. */
    void (*on_gone)(void *user, tern__served *served);

    /* A call ended; exactly once per accepted tern__engine_request. msg is non-NULL only with status OK and
     * valid during the callback; its buffer may be kept with tern_ref(msg->data). */
    void (*on_done)(void *user, void *call, int status, const tern__arrived *msg);

    void (*on_session)(void *user, tern__csession *session, void *session_user, tern__session_event event);

    /* The client of a request being served no longer waits for the response: `why` is CANCELLED, or
     * DEADLINE_EXCEEDED. At most once per request; it still ends with a tern__engine_respond, here or later, and
     * what that brings is dropped. May be NULL. */
    void (*on_abandoned)(void *user, tern__served *served, int why);

    /* Instead of on_done, for an answer of the server that is an error or begins with a metadata block: msg is never
     * NULL, and of an error its body is empty. NULL: on_done is told of these, too. */
    void (*on_answer)(void *user, void *call, int status, const tern__arrived *msg);
} tern__engine_callbacks;

typedef struct tern__stream_callbacks tern__stream_callbacks; /* stream.h */

typedef struct tern__engine_config {
    tern__engine_callbacks callbacks;
    const tern__stream_callbacks *streams; /* NULL: no streaming calls, neither way */
    void *user;
    uint64_t (*random)(void *user); /* unpredictable on real ports, seeded in the simulator */
    uint32_t max_sessions;          /* client and server sessions together */
    uint32_t max_message_bytes;
    uint64_t max_rx_bytes; /* reassembly buffers, powers of two, all sessions together */
    uint64_t
        max_kept_bytes;   /* responses kept until their clients have them; 0: max_rx_bytes / 4 or max_message_bytes */
    uint32_t credits;     /* packets in flight per session that we offer and ask for; at most 64 */
    uint32_t max_backlog; /* requests waiting for a slot, per client session */
    uint32_t threshold;   /* 0: each link's own */
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
    uint64_t key_packets;       /* after so many packets a direction asks for its next key; 0: 2^20; 4 at least */
} tern__engine_config;

typedef struct tern__engine_stats {
    uint64_t tx_packets, tx_bytes, rx_packets, rx_bytes, rx_dropped, retransmits;
    uint64_t spurious; /* retransmits of requests that had only been late */
    uint64_t calls_issued, calls_completed, calls_served;
    uint64_t tx_messages, copied_bytes, inplace_values, inplace_bytes;
    uint64_t sessions_open, peers_lost;
    uint64_t rx_forged;      /* packets for a session of ours, but not from its route or without its tag */
    uint64_t retries;        /* CONNECTs answered by a cookie ... */
    uint64_t limited;        /* ... and by nothing, because there were too many */
    uint64_t congested;      /* times that a session became it */
    uint64_t paced;          /* times that a session waited in the wheel */
    uint64_t marked;         /* packets of full size that the network marked, by what their receivers reported */
    uint64_t tail_probes;    /* made sooner than the retransmission timeout */
    uint64_t delayed;        /* packets of requests whose credits returned with those of later ones of their run */
    uint64_t evicted;        /* responses given up because too many were kept (max_kept_bytes) */
    uint64_t sealed, opened; /* packets of sealed sessions, sent and received */
    uint64_t rx_unopened;    /* of rx_dropped: they named a sealed session, and did not open ... */
    uint64_t rx_replayed;    /* ... or their number had been there, or was too old */
    uint64_t key_phases;     /* times that a direction of ours moved to its next key */
} tern__engine_stats;

int tern__engine_new(const tern__engine_config *config, tern__engine **out);

/* Have another trace from now on, or (NULL) none. Not from inside a trace. */
void tern__engine_set_trace(tern__engine *engine, tern__trace_fn *trace, void *user);

/* Fails pending calls, calls on_gone for requests still served, sends a DISCONNECT per open session, and
 * frees everything. */
void tern__engine_free(tern__engine *engine, tern_time now);

/* Packets came in: n descriptors. Any bytes whatever are safe here. */
void tern__engine_rx(tern__engine *engine, const tern__rx_packet *pkts, uint32_t n, tern_time now);

/* Do what is due: retransmissions, probes, deadlines, dead peers, packets that found the link full.
 * Cheap when nothing is. Call it after each batch of packets, and at the time next_due says. */
void tern__engine_tick(tern__engine *engine, tern_time now);

/* When tick is needed next; UINT64_MAX when only a packet can change anything. */
tern_time tern__engine_next_due(const tern__engine *engine);

/* From now on sessions get numbers that name this place (0 to 63) among the endpoints that share an address: the
 * upper six bits. */
void tern__engine_set_shard(tern__engine *engine, uint32_t shard);

/* Everything that was reached over this route is lost: the peer died or hung up. */
void tern__engine_route_lost(tern__engine *engine, tern__link *link, const tern__route *route, tern_time now);

/* Open a client session; the CONNECT leaves at once and is repeated. Returns 0 or TERN_ERR_LIMIT, _NOMEM. */
int tern__engine_connect(tern__engine *engine, tern__link *link, const tern__route *route, void *session_user,
                         tern_time now, tern__csession **out);

/* Fails what is pending with UNAVAILABLE (callbacks run), tells the peer, frees the session. */
void tern__engine_session_close(tern__csession *session, tern_time now);

tern_session_state tern__engine_session_state(const tern__csession *session);

/* Which life of its server the session was last accepted by; 0: it has not been. */
uint64_t tern__engine_session_incarnation(const tern__csession *session);

/* While no call is in flight the server is asked after so long a silence whether it lives; 0: never. Overrides the
 * config's, until the session is freed. */
void tern__engine_session_keep(tern__csession *session, tern_dur keepalive, tern_time now);

/* After LOST: the status that pending calls ended with. */
int tern__engine_session_why(const tern__csession *session);

/* Why the session was lost last, for a log: on_session(LOST) is the time to ask. code, detail: of a REFUSE (codes.h).
 * */
tern__why tern__engine_session_loss(const tern__csession *session, uint16_t *code, uint16_t *detail);

/* Inside on_done (or a stream's on_end), with UNAVAILABLE: whether it is certain that the server has not begun this
 * call, so that it may be made again whatever it does. */
bool tern__engine_is_unstarted(const tern__engine *engine);

/* Whether no call is pending. */
bool tern__engine_session_is_idle(const tern__csession *session);

/* Whether there are calls of which nothing has been sent. */
bool tern__engine_session_has_backlog(const tern__csession *session);

/* Requests of which nothing has been sent wait on another session instead, of the same link, also those that have a
 * slot already; streaming ones and those for which there is no room stay. Returns how many moved. */
uint32_t tern__engine_move_backlog(tern__csession *from, tern__csession *to, tern_time now);

/* Accept no more sessions; have the clients of those that there are go away. What runs may finish until the
 * deadline, a point in time; then the sessions are ended. Client sessions are not concerned. */
void tern__engine_drain(tern__engine *engine, tern_time deadline, tern_time now);

/* Whether it has come to that: no client has a session here any more, and none will. */
bool tern__engine_is_drained(const tern__engine *engine);

/* Send a request. `call` comes back in on_done. deadline is a point in time, 0 for none. A session that is DOWN
 * starts to connect anew. Packets are committed to the link but not flushed. Returns 0, TERN_ERR_FULL (backlog), _LIMIT
 * (size), _NOMEM, _INVALID; _CLOSED from a callback of this session's close. */
int tern__engine_request(tern__csession *session, uint32_t method, const tern__body *body, tern_time deadline,
                         void *call, tern_time now);

/* The same for raw bytes without a deadline, if that can be done at once and the short way. False: nothing has
 * happened. */
bool tern__engine_request_now(tern__csession *session, uint32_t method, tern_bytes raw, void *call, tern_time now);

/* Give up a call that has not ended: it ends now, without on_done, and the server is told. Not flushed. False, and
 * nothing has happened, when no such call is pending on this session. */
bool tern__engine_cancel(tern__csession *session, const void *call, tern_time now);

/* Send the response of a request and end it. With status != OK the body is ignored, the metadata block before it
 * excepted, and may be NULL. Not flushed. Errors as tern_reply(): the request has ended in any case, and where the
 * block of an error could not be sent the status has gone without it. TERN_ERR_STATE from inside its on_gone. */
int tern__engine_respond(tern__served *served, int status, const tern__body *body, tern_time now);

/* The same for a body behind a metadata block. */
int tern__engine_respond_behind(tern__served *served, int status, const tern__behind *behind, tern_time now);

/* The same with status OK for raw bytes, if that can be done the short way. False: nothing has happened. */
bool tern__engine_respond_now(tern__served *served, tern_bytes raw, tern_time now);

/* The point in time by which the client wants the response; UINT64_MAX for none. */
tern_time tern__served_deadline(const tern__served *served);

/* A word that belongs to the engine's user; NULL at on_request. */
static inline void **tern__served_user(tern__served *served) { return (void **)served; } /* its first word */

/* Count a buffer for a message of `bytes` bytes that is being put together against max_rx_bytes, as the power of two
 * that it takes. False: not now. The engine's user does so for messages of its own. */
bool tern__engine_charge(tern__engine *engine, uint32_t bytes);
void tern__engine_uncharge(tern__engine *engine, uint32_t bytes);

void tern__engine_get_stats(const tern__engine *engine, tern__engine_stats *stats);
/* Add what a link of the engine's has counted (tern__link_sent): an engine's own stats have no tx_packets and tx_bytes,
 * and of messages only those that went into no run. */
void tern__engine_add_sent(tern__engine_stats *stats, const tern__link *link);

#endif
