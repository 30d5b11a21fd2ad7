/* The engine: its tables, its heaps, its spares, and what is said of its sessions in one place. */
#ifndef TERN_ENGINE_ENGINE_RECORD_H
#define TERN_ENGINE_ENGINE_RECORD_H

#include "base/factor.h"
#include "engine/address_validation.h"
#include "engine/client_record.h"
#include "engine/overload.h"
#include "engine/server_record.h"
#include "engine/wheel.h"
#include "mem/slab.h"

/* Of functions that take constants, by which the compiler leaves a part of them out. */
#define TERN__INLINE inline __attribute__((always_inline))

/* These and TERN__HOT_BYTES are all that an idle session has. */
_Static_assert(sizeof(tern__ccold) <= 144 && sizeof(tern__scold) <= 144 && sizeof(tern__request_slots) <= 128,
               "what only running calls need is in tern__slots and tern__request");

struct tern__loss; /* session.h: why a session is over */

/* What lower files ask of a session's end. client.c and server.c fill in one each; session.c, connect.c, pace.c,
 * call.h, kept_responses.c, reclaim.c, progress.c and engine.c call. */
typedef struct tern__role_ops {
    /* All that is pending ends. A server's session is gone afterwards. */
    void (*end)(tern__session *s, const struct tern__loss *loss);
    /* Send what found the link full, and what credits and link allow. */
    void (*pump)(tern__session *s, tern_time now);
    /* Do what is due, and set the timer anew. The session may be gone afterwards. */
    void (*timer)(tern__session *s, tern_time now);
    /* Server only: packet 0 of a request's response leaves. On a reliable link that may end the request. */
    void (*send_response)(tern__ssession *ss, tern__request *request);
    /* Server only: a request that is not here yet, or a response that is kept, is held no longer. Its client is told,
     * or will be when it asks. */
    void (*give_up)(tern__request *request);
} tern__role_ops;

/* What a client asks of its streaming calls. stream_client.c fills it in; client.c and stream.c call. */
typedef struct tern__client_stream_ops {
    /* The stream that waits in the backlog as `out` takes a place, of which one is free. False: no memory now. */
    bool (*start)(tern__csession *cs, tern__out *out, tern_time now);
    /* The server takes no streams: those in the backlog end. */
    void (*refuse)(tern__csession *cs);
    /* One packet of call i. False: the link is full. */
    bool (*send)(tern__csession *cs, uint32_t i, tern_time now);
    /* No answer in time. */
    void (*timeout)(tern__stream *st, tern_time now);
    /* What found the link full besides data; then the masks say who has something to send. */
    void (*pump)(tern__csession *cs);
    /* on_writable of those that have room again. */
    void (*tell)(tern__csession *cs);
    /* Something was written or is to be ended, by the user. */
    void (*kick)(tern__stream *st, tern_time now);
    /* The user aborts the call. */
    void (*cancel)(tern__stream *st, tern_time now);
    /* The place of call i is about to be free; the server is told, unless it has ended the call. Returns its stream, to
     * be ended by tern__stream_end(), with a reference: whoever is called before that may cancel it. */
    tern__stream *(*leave)(tern__csession *cs, uint32_t i, tern_time now);
} tern__client_stream_ops;

/* What a server asks of its streaming calls. stream_server.c fills it in; server.c and stream.c call. */
typedef struct tern__server_stream_ops {
    void (*pump)(tern__ssession *ss, tern_time now);
    void (*kick)(tern__stream *st, tern_time now);
    /* Retransmissions and deadlines that are due. Returns when the next one is. */
    tern_time (*timer)(tern__ssession *ss, tern_time now);
    /* The call has ended without the server's doing; the request is as before, but has no stream. */
    void (*end)(tern__request *request, int status);
    /* It is the turn of a stream that waits. */
    void (*take_turn)(tern__request *request, tern_time now);
    /* The call is given up for others, with what it has to send. */
    void (*starve)(tern__stream *st);
    /* The client has ended its streams up to these numbers, one for each place. */
    void (*completed)(tern__ssession *ss, const uint8_t *numbers);
    void (*free_places)(tern__ssession *ss);
} tern__server_stream_ops;
/* Of a call whose end is being told: what its user may ask for. */
typedef struct tern__ending {
    bool not_run;         /* its handler has not begun, and will not: tern__engine_has_not_run() */
    tern_dur retry_after; /* not_run: when to try again, as the server said; 0: it did not */
} tern__ending;

/* The spares of a kind that no message has now. */
typedef struct tern__spares {
    tern__out *first; /* chained through `call` */
    uint32_t room;    /* how many more are kept; beyond that a spare is freed */
} tern__spares;

/* The records that an engine has many of, by kind. */
typedef struct tern__kinds {
    tern__slab sessions;
    tern__slab colds[2]; /* by role */
    tern__slab request_slots;
    tern__slab slots;
    tern__slab wins;
    tern__slab requests;
    tern__slab streams, stream_losses;
    tern__slab places, stream_places;
    tern__slab peers, networks;
} tern__kinds;

struct tern__engine {
    tern__engine_config config;
    tern__session **sessions; /* by index; NULL: the place is free */
    struct {
        uint32_t generation;
        uint32_t next_free; /* index + 1 */
    } * entries;            /* what else there is to say of each */
    tern__tx_run no_run;    /* of sessions without one: closed */
    uint64_t made_bytes;    /* in runs: neither headers nor copies of values */
    uint32_t n_table; /* places allocated, not 0; a power of two, also the number of buckets; at most what a session's
                         number has room for (TERN__INDEX_BITS) */
    uint32_t n_live;
    uint32_t free_head; /* index + 1 of the first free entry */
    uint32_t *buckets;  /* index + 1; sessions by peer number and route */
    tern__peer **peers; /* as many buckets; chained */
    tern__network **networks;
    uint64_t hash_seed;
    uint64_t incarnation; /* random, never 0: which life of ours a peer speaks to */
    tern__heap timers;    /* of sessions, with room for all */
    tern__heap work;      /* of lent slots, with room for work_room; those of spare slots are still in it */
    uint32_t n_slots, work_room;
    tern__node stalled; /* sessions that found their link full */
    tern_time stall_at; /* when these, and the control packets that wait, are tried again */
    tern_time stalled_since;
    tern__node parked; /* of those sessions, who were refused for long by a link that says when there is room */
    tern_time park_at; /* when they are tried all the same: it may be for another reason that the link refused them */
    tern__node soon;   /* sessions that are asked to send in the next tick, by the node of `stalled` */
    tern_time soon_at;
    tern__node waiting_control; /* packets of no session that found a reliable link full (control.c) */
    uint32_t n_waiting_control;
    tern__wheel *wheel;        /* sessions that may send at some later time; NULL until one has to wait */
    tern__node deferred_frees; /* messages that the link may still read, until its next flush */
    bool has_waiting;          /* false while there is no wheel and those five lists are empty (tern__engine_tick()) */
    tern__spares spares[TERN__SPARE_KINDS];
    tern__slots *spare_slots;
    uint32_t n_spare_slots;
    tern__request *spare_requests;               /* chained through `user` */
    tern__request *transient[TERN__N_TRANSIENT]; /* or NULL; see request.h */
    tern_dur longest_pause[2];                   /* tern__client_longest_pause() */
    bool rx_first;        /* no other packet of the session came at this time before the one at hand */
    uint32_t n_behind;    /* packets of a run that follow the one that is being handled */
    uint32_t rx_n_echoed; /* packets marked on their way, by what the packet being handled says of those it answers */
    bool rx_marked;       /* it was marked itself, and its sender wants to know */
    tern__request *delayed_ack; /* RECEIVING; the credits of its last packets are returned with the next ones' */
    uint32_t turn;              /* transient[turn % TERN__N_TRANSIENT] is the next */
    uint32_t n_prompt;          /* calls in turn that ended in their handlers, though their methods' bits were set in */
    uint64_t deferring;         /* by method mod 64: handlers have left calls unanswered (tern__request_settle) */
    uint64_t deferring_then;    /* what that becomes when turns are over */
    bool takes_turns;           /* requests wait for their peers' turn (turns.h) ... */
    uint32_t n_waiting;         /* ... and so many do */
    uint32_t nth_turns;         /* how often takes_turns has become true, modulo 2^32 */
    tern__node turns;           /* of their networks */
    tern__node debtors;         /* networks that have left, or had, with debts, by tern__network.weight ... */
    uint32_t n_debtors;         /* ... at most TERN__MAX_DEBTORS */
    uint64_t held;              /* bytes, for all peers (account.h) */
    uint64_t kept_bytes;        /* of those, responses */
    uint32_t n_holders;         /* networks for which something is held */
    uint64_t weights_used;      /* bit i: there are some in weights[i] */
    tern__node weights[64];     /* networks that hold 2^i to 2^(i+1) - 1 bytes */
    uint64_t max_tx_bytes;
    tern_time refuse_at; /* token bucket of REFUSE packets */
    tern__validation validation;
    tern_time now; /* latest seen */
    uint32_t n_ticks;
    uint64_t tick_bytes; /* written to streams since the last tick */
    bool freeing;
    tern__ending ending;
    const tern__csession *losing; /* whose calls are ending because the session is lost or closed; else NULL */
    uint32_t n_admitted, n_admitted_sessions; /* running calls, and the sessions that have some (admission.h) */
    tern__overload overload;                  /* with a queue_target */
    uint32_t n_counted;   /* overloaded: sessions in places before this one have been looked at in this turn */
    uint16_t turn_of_all; /* overloaded: in each turn all sessions that call are told what they may do */
    tern_time turn_began;
    bool checks_waits; /* what comes has waited for longer than the target: no short way */
    bool sharded;      /* session numbers name our place among the endpoints of an address */
    uint32_t shard;
    bool draining;
    uint32_t n_server_sessions; /* of clients */
    tern_time drain_deadline;
    tern__engine_stats stats;
    tern__trace_packet traced;      /* while there is a trace: the packet received last */
    uint32_t traced_session;        /* whose it is ... */
    uint8_t traced_role;            /* ... if that is not TERN__ROLE_NONE */
    const tern__role_ops *roles[2]; /* by session->role; engine.c sets these three tables */
    const tern__client_stream_ops *client_streams;
    const tern__server_stream_ops *server_streams;
    tern__client_fn *on_client;                      /* NULL: nobody watches */
    const tern__format *formats[TERN__MAX_FORMATS];  /* those of the configuration, by number; or NULL */
    uint32_t (*wishes)(void *user, uint32_t method); /* of methods, as to their requests; NULL: none has any */
    bool (*borrows)(void *user, const void *call);   /* whether a call borrows its response; NULL: none does */
    tern__kinds kinds;
};

static inline tern_time tern__min_time(tern_time a, tern_time b) { return a < b ? a : b; }

/* Puts a node into a list that the engine's ticks look at: stalled, parked, soon, waiting_control or deferred_frees. */
static inline void tern__wait_in(tern__engine *e, tern__node *list, tern__node *node) {
    e->has_waiting = true;
    tern__list_append(list, node);
}

/* Of the pool buffer that holds so many bytes. */
static inline uint64_t tern__buffer_bytes(size_t bytes) {
    return bytes ? 1ull << (64 - __builtin_clzll((bytes - 1) | (TERN_BUF_MIN_BYTES - 1))) : 0;
}

/* The bytes of a packet's payload. */
static inline uint64_t tern__payload_bytes(const tern__rx_packet *pkt, uint32_t header_bytes) {
    return (uint64_t)pkt->head_len - header_bytes + pkt->spans_len;
}

/* The format of a body that leaves the choice to the session. */
static inline const tern__format *tern__session_format(const tern__session *s) { return s->engine->formats[s->format]; }

/* A format that we speak; NULL for any other number, and for that of raw bytes. */
static inline const tern__format *tern__format_of(const tern__engine *e, uint32_t number) {
    return number < TERN__MAX_FORMATS ? e->formats[number] : NULL;
}

/* Whether a message of this format can be read: raw bytes, or a format that we speak. */
static inline bool tern__is_known_format(const tern__engine *e, uint32_t number) {
    return number == TERN_FORMAT_RAW || tern__format_of(e, number);
}

/* Whether this end can have been sent a message in packets of the length that the header says. A hostile length would
 * make the window of a message span more memory than the packets that are sent for it. */
static inline bool tern__is_cut_right(const tern__session *s, const tern__pkt_header *h) {
    return h->cut <= s->path->max_packet || h->cut <= s->path->max_inplace;
}

/* The longest pause between two probes: shorter once the server has been silent for a few, so that a living peer is not
 * given up on a lossy path. */
static inline tern_dur tern__client_longest_pause(const tern__csession *cs) {
    enum { N_QUICK_PROBES = 4 };
    return cs->s.engine->longest_pause[cs->s.probes >= N_QUICK_PROBES];
}

/* A client whose requests are served is asked after so much silence whether it lives, and has as long again to
 * answer. */
static inline tern_dur tern__client_quiet(const tern__engine *e) { return e->config.peer_timeout / 2; }

/* The least timeout: what the hosts alone may add to a round trip says nothing about packets. */
static inline tern_dur tern__rto_min(const tern__session *s) { return s->engine->config.rto_min + s->path->noise_ns; }

/* Pauses between retransmissions need not grow beyond this while other packets come from the peer: the path is not cut,
 * and what gets lost is lost at random. */
static inline tern_dur tern__patience(const tern__session *s) { return 8 * (tern_dur)s->rtt.rto; }

/* Takes the number of the next packet to the session's peer, of which a header has the low half; those who seal know
 * the other half. A packet that does not leave after all has used its number up. On reliable links only packets of
 * sealed sessions have numbers. */
static inline uint32_t tern__next_number(tern__session *s) {
    if (!s->tx_flags && !s->sealed) return 0;
    return ++s->tx_number;
}

/* A header for the next packet to the session's peer; the caller fills in the rest. Where packets are many, the caller
 * has it made in place: to copy what was just written field by field takes long, as the wide loads of a copy wait for
 * all of the narrow stores. */
static inline void tern__session_set_header(tern__session *s, uint8_t type, tern__pkt_header *h) {
    memset(h, 0, sizeof *h);
    h->type = type;
    h->flags = s->tx_flags;
    h->session = s->peer_number;
    h->number = tern__next_number(s);
    h->tag = s->tx_tag;
}

static inline tern__pkt_header tern__session_header(tern__session *s, uint8_t type) {
    tern__pkt_header h;
    tern__session_set_header(s, type, &h);
    return h;
}

/* Whether new requests of this session go the general way only. */
static inline bool tern__session_is_limited(const tern__session *s) {
    const tern__csession *cs = (const tern__csession *)s;
    return s->role == TERN__CLIENT && (cs->draining || cs->slot_mask != UINT8_MAX);
}

/* Server: whether the session has yet to be told what it may do, as the server is overloaded. */
static inline bool tern__session_is_to_hear(const tern__session *s) {
    return s->engine->overload.active && s->scold->heard_turn != s->engine->turn_of_all;
}

/* Whether nothing of the session goes the short ways, since all that it sends or receives is counted. */
static inline bool tern__session_is_counted(const tern__session *s) {
    if (s->role == TERN__SERVER) return tern__session_is_to_hear(s) || s->engine->config.max_running_calls;
    return ((const tern__csession *)s)->bounded;
}

/* What the session's run has a line for, by the shortest way (direct.h). */
static inline uint8_t tern__line_lengths(const tern__session *s) {
    enum { LEAST = TERN__RUN_PUT_LEAST, MOST = TERN__RUN_PUT_MOST };
    if (s->run->kind != TERN__RUN_LINES || s->copy_below <= LEAST) return 0;
    return (uint8_t)((s->copy_below <= MOST ? s->copy_below : MOST + 1) - LEAST);
}

/* The short ways of a session, open where it is open, not sealed, and nobody traces. */
static inline void tern__session_set_ways(tern__session *s) {
    s->rx_usual = s->tx_usual = 0;
    s->line_lengths = 0;
    s->run = &s->engine->no_run;
    if (s->state != TERN__STATE_OPEN || s->sealed || s->engine->config.trace || tern__session_is_counted(s)) return;
    uint64_t usual = TERN__PKT_VERSION << 4 | (uint64_t)s->tx_flags << 8;
    uint8_t mine = s->role == TERN__CLIENT ? TERN__PKT_REQ : TERN__PKT_RESP;
    s->rx_usual = (uint64_t)s->number << 32 | usual | (mine ^ TERN__PKT_REQ ^ TERN__PKT_RESP);
    if (tern__session_is_limited(s)) return;
    s->tx_usual = (uint64_t)s->peer_number << 32 | usual | mine;
    if (s->engine->config.max_message_bytes < TERN__RUN_MAX_PACKET) return;
    tern__tx_run *run = s->link->ops->run ? s->link->ops->run(s->link, &s->route) : NULL;
    if (!run) return;
    s->run = run;
    s->line_lengths = tern__line_lengths(s);
}

/* The session of a number that a packet brought, or NULL. */
static inline tern__session *tern__session_find(const tern__engine *e, uint32_t number) {
    tern__session *s = e->sessions[number & (e->n_table - 1)];
    return s && s->number == number ? s : NULL;
}

/* A valid packet of the peer's came. */
static inline void tern__session_heard(tern__session *s, tern_time now) {
    s->last_rx = now;
    s->probes = 0;
}

static inline void tern__timer_set(tern__session *s, tern_time due) {
    tern__heap_set(&s->engine->timers, &s->cold->timer, due);
}
/* Only if that is earlier than what is set: the usual case costs one comparison. */
static inline void tern__timer_lower(tern__session *s, tern_time due) {
    if (due < s->cold->timer.due) tern__timer_set(s, due);
}
/* The same for the calls of a session, which has slots. */
static inline tern__slots *tern__slots_of(const tern__csession *cs) { return (tern__slots *)cs->slots; }
static inline void tern__work_set(tern__csession *cs, tern_time due) {
    tern__heap_set(&cs->s.engine->work, &tern__slots_of(cs)->timer, due);
}
static inline void tern__work_lower(tern__csession *cs, tern_time due) {
    if (due < tern__slots_of(cs)->timer.due) tern__work_set(cs, due);
}

#endif
