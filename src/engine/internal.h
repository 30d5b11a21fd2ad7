/* What the engine's files share: sessions, slots, messages. Nothing here is seen outside src/engine.
 *
 * Invariants: a session is in the table from its creation to its end, under its current number; what a session
 * has to do at some time is in one of the timer heaps, its calls in flight in the one of work; a session that found its
 * link full is on the stalled list.
 * Everything that a callback could change is put in order before the callback runs. */
#ifndef TERN_ENGINE_INTERNAL_H
#define TERN_ENGINE_INTERNAL_H

#include "base/factor.h"
#include "engine/engine.h"
#include "engine/gate.h"
#include "engine/loss.h"
#include "engine/message.h"
#include "engine/wheel.h"

enum {
    TERN__N_SLOTS = 8,            /* requests in flight per session; part of the protocol */
    TERN__MAX_STREAMS = 7,        /* of them streaming calls */
    TERN__HOT_ANSWERS = 6,        /* of the slots taken most often */
    TERN__MAX_CREDITS = 64,       /* width of the windows (loss.h) */
    TERN__SHARD_BITS = 6,         /* of the generation, at its top, where endpoints share an address */
    TERN__INDEX_BITS = 20,        /* of a session number; the rest is the generation */
    TERN__MIN_PACKET_BYTES = 256, /* a peer that takes less is refused */
    TERN__N_READY = 16,           /* records that take turns for requests that are answered at once */
    TERN__MAX_ORPHANS = 64,       /* superseded requests still running, per server session */
    TERN__MAX_SPARE_SLOTS = 64,
    TERN__LINE_BYTES = 64,
    TERN__FEW = 32,          /* sessions, each of which may keep slots for a while */
    TERN__CROWD = 512,       /* sessions that the nearest caches no longer hold, by default */
    TERN__KEPT_SERVED = 64,  /* spare records, once calls get fewer */
    TERN__LIGHT_BYTES = 192, /* congestion never holds up a message shorter than this, or than an eighth packet */
    TERN__FLIGHT_BYTES = 512 << 10, /* of a message, on their way at a time; or a few packets */
};

#define TERN__NEVER UINT64_MAX
#define TERN__CONNECT_FIRST (10 * TERN_MS)   /* first repetition of a CONNECT; doubles */
#define TERN__CONNECT_REPEAT (100 * TERN_MS) /* up to this */
#define TERN__SERVER_IDLE (30 * TERN_SEC)    /* silence after which a server asks whether its client lives */
#define TERN__REPORT_DELAY TERN_SEC          /* until a client reports completed requests to the server */
#define TERN__STALL_RETRY (20 * TERN_US)     /* until a full link is tried again, at first */
#define TERN__STALL_LONGEST TERN_MS          /* and once it has been full for this long */
#define TERN__KEPT_GRACE (20 * TERN_MS)      /* a response asked for so recently does not give way to a newer one */
#define TERN__REFUSE_GAP (100 * TERN_US)     /* one REFUSE per this time in the long run */
#define TERN__REFUSE_BURST 128

enum { TERN__CLIENT, TERN__SERVER };
enum { TERN__GOAWAY_NOT, TERN__GOAWAY_LAST = 8, TERN__GOAWAY_DONE };
enum { TERN__STATE_CONNECTING, TERN__STATE_OPEN, TERN__STATE_DOWN, TERN__STATE_CLOSED };

/* When something needs attention; in its owner. */
typedef struct tern__timer {
    tern_time due; /* TERN__NEVER: not in its heap */
    uint32_t pos;  /* in the heap */
} tern__timer;

typedef struct tern__due { /* a place in a heap */
    tern_time at;          /* the timer's `due` */
    tern__timer *timer;
} tern__due;

/* Of the timers that are set, by time. Its owner sees to the room. */
typedef struct tern__heap {
    tern__due *dues;
    uint32_t n;
} tern__heap;

/* Packets of a session that found the link full and are sent when it has room. PING and PONG only on reliable links:
 * on others the peer, or the next timer, asks again. */
enum {
    TERN__UNSENT_SETUP = 1, /* the CONNECT or ACCEPT; nothing goes before it */
    TERN__UNSENT_PING = 2,
    TERN__UNSENT_PONG = 4,
};

/* What both ends of a session have. With thousands of sessions a call's price is the memory that it touches
 * (bench/rpc_sessions): not so much its cache lines, which can be asked for together, as its pages, since a processor
 * that asks for memory waits until it has the address, and knows those of some thousand pages by heart. So what small
 * calls need of a session is four lines in one place, packed among those of other sessions (reliable links do without
 * the third), and what it needs now and then is elsewhere: tern__cold. */
typedef struct tern__session {
    union {
        struct tern__cold *cold;
        struct tern__ccold *ccold; /* of a client's session */
        struct tern__scold *scold; /* of a server's */
    };
    const tern__path *path; /* as it was when the session connected or was accepted */
    uint32_t number;        /* ours; what the peer puts into its packets */
    uint32_t peer_number;   /* valid from OPEN on */
    uint32_t hash_next;     /* index + 1 of the next session in the bucket */
    bool hashed;
    uint8_t unsent_control;       /* TERN__UNSENT_*: found the link full */
    uint8_t formats;              /* of the peer: bit f for tern_format f */
    bool ecn;                     /* both ends read marks, and report them */
    uint32_t reqs[TERN__N_SLOTS]; /* each slot's last request number */
    tern__engine *engine;         /* the second line */
    tern__link *link;
    tern__tx_run *run; /* to the peer, while OPEN and if the link has one; else one that is closed for ever */
    uint64_t rx_usual; /* while OPEN, the first eight bytes, without the format, of what direct.c receives; else 0 */
    uint64_t tx_usual; /* the same of what it sends */
    tern_time last_rx; /* of a valid packet */
    uint32_t payload_bytes; /* of a full packet: what our messages are cut into */
    uint32_t copy_below;    /* raw messages shorter than this are copied into one packet */
    uint8_t large_objects;  /* objects that need not be tried the short way, after one was too large for it */
    uint8_t role, state;
    uint8_t tx_flags;   /* TERN__PKT_TAG on links that lose packets */
    uint32_t probes;    /* sent since last_rx */
    tern__route route;  /* the third */
    uint64_t rx_tag;    /* expected in packets from the peer */
    uint64_t tx_tag;    /* expected by the peer; while CONNECTING, its cookie, or 0 */
    tern__rtt rtt;      /* its last field begins the fourth, which ends with the client's or server's own fields */
    uint32_t tx_number; /* links that lose packets: the low half of the last packet's number (tern__next_number()) */
} tern__session;

enum { TERN__HOT_BYTES = 4 * TERN__LINE_BYTES };
_Static_assert((int)offsetof(tern__session, engine) == (int)TERN__LINE_BYTES, "a line is full");
_Static_assert((int)offsetof(tern__session, route) == 2 * (int)TERN__LINE_BYTES, "a line is full");

/* The rest of it. */
typedef struct tern__cold {
    tern__timer timer;  /* in engine->timers */
    tern__node stalled; /* in engine->stalled, or alone */
    tern__session *session;
    uint64_t token;
    union {
        uint32_t pong_req;    /* while OPEN: of the unsent PONG */
        uint16_t lost_detail; /* while DOWN: what the REFUSE named besides its code */
    };
    union {
        uint32_t tx_number_high; /* while OPEN: the other half of the session's tx_number */
        struct {
            uint8_t connect_shift; /* CONNECTING: the pause before the CONNECT is repeated, tern__connect_gap() */
            uint8_t lost_why;      /* not OPEN: tern__why of the last loss ... */
            uint16_t lost_code;    /* ... and, if that was a REFUSE, its tern__refuse_code */
        };
    };
} tern__cold;

/* A request on its way, at the client. */
enum {
    TERN__SLOT_REQ,    /* request packets are on their way */
    TERN__SLOT_WAIT,   /* the server has the whole request; its handler runs */
    TERN__SLOT_RESP,   /* response packet 0 is here, others are asked for */
    TERN__SLOT_STREAM, /* a streaming call; `call` is its stream */
};

/* What a free slot holds means nothing, except deadline 0, phase REQ, backoff 0, resent 0 and the NULLs. Slots are an
 * odd number of words long, which makes a slot's address one instruction. */
typedef struct tern__cslot {
    void *call;
    tern__out *out;     /* the request while it may have to be sent again */
    tern__win *win;     /* packets in flight of a message of several; else NULL */
    uint8_t *in;        /* the response being put together */
    tern_time deadline; /* 0: none */
    tern_time last_tx;  /* of the last transmission or progress: the retransmission timer starts here */
    uint32_t req;       /* this one and the next four: tern__sent_once() */
    uint8_t phase;
    uint8_t n_out; /* packets in flight, each holding a credit */
    uint8_t backoff;
    uint8_t resent; /* times that a request of one packet was sent again, at most 255: no RTT sample from it (Karn),
                       unless as many answers more than one come: then nothing was lost, and the first answered the
                       first transmission */
    union {
        uint32_t method;        /* while the request may have to be sent again */
        uint32_t in_meta_bytes; /* of the response, once its packet 0 is here, as are the next ones */
    };
    uint32_t in_size;
    uint8_t format : 3, in_status : 5;
    uint8_t n_late;    /* second answers to a resent request that may still come ... */
    uint16_t late_req; /* ... its number / TERN__N_SLOTS */
    uint32_t late_ns;  /* resent: from the first transmission to the last; n_late: from it to the answer */
} tern__cslot;

_Static_assert(sizeof(tern__cslot) == 72, "a slot's place is found by few instructions");

/* As one word, the number of a request that left whole in one packet, once, and what the slot says then: phase REQ,
 * n_out 1, backoff 0, resent 0. */
static inline uint64_t tern__sent_once(uint64_t req) {
    enum { N_OUT_1 = 1 << 8 };
    return req + ((uint64_t)N_OUT_1 << 32);
}

static inline void tern__slot_sent(tern__cslot *slot, uint32_t req) { tern__store64(&slot->req, tern__sent_once(req)); }

/* Whether a packet 0 that names the request `req` answers such a request. (So the slot is taken.) */
static inline bool tern__slot_usual(const tern__cslot *slot, uint32_t req) {
    return tern__load64(&slot->req) == tern__sent_once(req) && !slot->win;
}
_Static_assert(offsetof(tern__cslot, phase) == offsetof(tern__cslot, req) + 4 &&
                   offsetof(tern__cslot, n_out) == offsetof(tern__cslot, req) + 5 && TERN__SLOT_REQ == 0,
               "as tern__sent_once() has it");

/* What a session with calls in flight needs: sessions without any share these (tern__client_wake, _rest). */
typedef struct tern__slots {
    tern__cslot slot[TERN__N_SLOTS];
    tern_time busy_since;      /* when work became outstanding */
    tern_time look_at;         /* reliable links: when to ask a silent server again ... */
    uint64_t mark;             /* ... and of link->ops->has_moved() */
    tern__timer timer;         /* in engine->work */
    struct tern__csession *cs; /* whose calls these are; NULL: nobody's */
    struct tern__slots *next;  /* among the engine's spares */
} tern__slots;
/* pace.c: of a session that met congestion. */
typedef struct tern__pace tern__pace;

struct tern__csession {
    tern__session s;
    tern__cslot *slots;         /* of a tern__slots. NULL: no call is in flight; then free_slots is UINT8_MAX */
    uint8_t free_slots, unsent; /* masks; unsent: has packets never sent so far */
    uint8_t late;       /* slots, perhaps free, to whose requests second answers may come: they are not given back */
    uint8_t unreported; /* slots whose last response the server may still keep */
    uint8_t reporting;  /* of `unreported`, those that the last PING told the server about */
    uint8_t report_tries;
    bool report_set; /* the session's timer is not later than the next report can be */
    uint8_t streams; /* slots with streaming calls */
    uint16_t credits, in_flight;
    uint32_t n_backlog;
    tern_time report_at;
    tern__pace *pace;          /* NULL: uncongested */
    uint8_t next_slot;         /* where the next round of sending starts */
    uint8_t slot_mask;         /* slots that calls may take, the first ones: as many as both sides offer */
    bool connect_repeated : 1; /* no RTT sample from the ACCEPT */
    bool draining : 1;         /* the server goes away: no new requests */
    uint8_t why;               /* the session was lost: a tern_status */
    uint32_t n_reports;        /* echoed by the PONG */
    tern_dur keepalive;        /* 0: silence is welcome while no call is in flight */
};
_Static_assert((int)sizeof(tern__csession) == (int)TERN__HOT_BYTES, "what calls need is packed; the rest is cold");

typedef struct tern__ccold {
    tern__cold cold;
    void *user;                 /* the engine's user's own for this session */
    tern__node backlog;         /* of tern__out.node */
    tern_time backlog_deadline; /* not after the earliest in the backlog; TERN__NEVER for none */
    tern_time connect_deadline, connect_at, connect_sent;
    uint64_t incarnation; /* of the server; 0: none yet */
    tern_time ping_at;    /* when to look whether it is silent, if that is wanted */
} tern__ccold;

/* A request at the server: a slot, or an orphan once a newer request has taken its slot over. */
enum {
    TERN__SERVED_NONE,      /* no request yet */
    TERN__SERVED_RECEIVING, /* some of its packets are here */
    TERN__SERVED_RUNNING,   /* the handler has it */
    TERN__SERVED_RESPONDED, /* the response is kept as long as it may have to be sent again */
    TERN__SERVED_DONE,      /* the client has the response */
};

/* In a record that waits for its next request nothing counts but state DONE and what is then false or NULL. */
struct tern__served {
    void *user; /* first: see tern__served_user() */
    struct tern__ssession *session;
    tern__out *out;   /* the response */
    const void *held; /* gives the request's memory back: a reference of ours */
    tern_time arrived, deadline;
    uint32_t size, method;
    uint32_t cut; /* of a request of several packets: as each of them says; else 0 */
    uint32_t req;
    uint8_t state;
    bool orphan;    /* a newer request has its slot */
    bool abandoned; /* the client waits for it no longer, and the handler has been told */
    bool cr_pending;
    uint8_t format, status, slot;
    uint8_t last_nth; /* of last_pkt: how often it was sent before */
    bool ready;       /* one of engine->ready, and no slot's */
    uint8_t n_marked; /* packets of the request, marked on their way, that no answer has reported so far */
    uint32_t held_ns; /* time from the request's arrival to the response */
    uint32_t base;    /* request packets received without a gap */
    uint32_t n_pkts;  /* of the request */
    uint32_t resp_next, resp_asked; /* reliable links: packets sent and to be sent */
    uint64_t mask;                  /* request packets received from base on */
    uint32_t charged_bytes;         /* of the request: tern__engine_charge() */
    uint32_t meta_bytes;            /* of the request, once its packet 0 is here; says nothing in a ready record */
    uint32_t last_pkt;              /* echoed by the pending CR */
    struct tern__stream *stream;    /* of a streaming call that is RUNNING; else NULL */
    tern__node node;                /* in session->orphans, or in engine->kept */
    uint64_t kept_bytes;            /* of the response: part of engine->kept_bytes */
    tern_time asked_at;             /* when the client asked for it last, or the response was made */
};

/* On a link that loses packets: a small response that has left, as it is kept to be sent again. Its request needs no
 * record any more (tern__served), which leaves one cache line of it instead of five. */
typedef struct tern__answer {
    uint32_t held_ns;  /* time from the request's arrival to the response */
    uint8_t len, room; /* of data */
    uint8_t format;
    uint8_t data[] __attribute__((aligned(8)));
} tern__answer;

enum { TERN__MAX_ANSWER = 256 - sizeof(tern__answer) };

typedef struct tern__ssession {
    tern__session s;
    uint8_t n_running;                        /* slots, not orphans, in RECEIVING or RUNNING */
    uint8_t unsent;                           /* slots with packets that found the link full */
    uint8_t streams;                          /* slots with streaming calls */
    uint8_t next_stream;                      /* where the next round of sending starts */
    uint8_t rejects;                          /* slots whose rejection, of request rejected[i], found the link full */
    uint8_t goaway;                           /* how often it was sent, or that the client knows */
    uint8_t taken;                            /* slots that are not NULL */
    uint8_t answered;                         /* slots, which are NULL, whose last request an answer answers */
    tern__answer *answers[TERN__HOT_ANSWERS]; /* or room for the next one; or NULL: tern__answer_of() */
} tern__ssession;
_Static_assert((int)sizeof(tern__ssession) == (int)TERN__HOT_BYTES, "what calls need is packed; the rest is cold");

typedef struct tern__scold {
    tern__cold cold;
    tern__answer *answers[TERN__N_SLOTS - TERN__HOT_ANSWERS]; /* of the last slots */
    struct tern__requests *requests;
    tern__node orphans;
    uint32_t n_orphans;
    uint16_t credits, in_flight; /* lossy links: stream packets that may be, and are, unacknowledged */
    tern_time goaway_at;         /* when to send GOAWAY again */
    tern__pace *pace;            /* of streams; NULL: uncongested */
} tern__scold;

typedef struct tern__requests {
    tern__served *slots[TERN__N_SLOTS]; /* NULL: the last request is done or answered, or there was none */
    uint32_t rejected[TERN__N_SLOTS];
} tern__requests;

/* Pool buffers of another size than the sessions', so that these lie side by side. */
_Static_assert(sizeof(tern__ccold) <= 128 && sizeof(tern__scold) <= 128 && sizeof(tern__requests) <= 128,
               "what only running calls need is in tern__slots and tern__served");

struct tern__engine {
    tern__engine_config config;
    tern__session **sessions; /* by index; NULL: the place is free */
    struct {
        uint32_t generation;
        uint32_t next_free; /* index + 1 */
    } * places;             /* what else there is to say of each */
    tern__tx_run no_run;    /* of sessions without one: closed */
    uint64_t made_bytes;    /* in runs: neither headers nor copies of values */
    uint32_t n_table; /* places allocated, not 0; a power of two, also the number of buckets; at most what a session's
                         number has room for (TERN__INDEX_BITS) */
    uint32_t n_live;
    uint32_t free_head; /* index + 1 of the first free entry */
    uint32_t *buckets;  /* index + 1; sessions by peer number and route */
    uint64_t hash_seed;
    uint64_t incarnation; /* random, never 0: which life of ours a peer speaks to */
    tern__heap timers;    /* of sessions, with room for all */
    tern__heap work;      /* of lent slots, with room for work_room; those of spare slots are still in it */
    uint32_t n_slots, work_room;
    tern__node stalled;
    tern_time stall_at, stalled_since;
    tern__node late; /* packets of no session that found a reliable link full (control.c) */
    uint32_t n_late;
    tern__wheel *wheel; /* sessions that may send at some later time; NULL until one has to wait */
    tern__node limbo;   /* messages that the link may still read, until its next flush */
    tern__out *spares;  /* small ones, chained through `call` */
    uint32_t n_spares;
    tern__slots *spare_slots;
    uint32_t n_spare_slots;
    tern__served *spare_served;         /* chained through `user` */
    tern__served *ready[TERN__N_READY]; /* or NULL; see direct.h */
    tern_dur longest_pause[2];          /* tern__client_longest_pause() */
    bool rx_first;                      /* no other packet of the session came at this time before the one at hand */
    uint32_t n_behind;                  /* packets of a run that follow the one that is being handled */
    uint32_t rx_n_echoed; /* packets marked on their way, by what the packet being handled says of those it answers */
    bool rx_marked;       /* it was marked itself, and its sender wants to know */
    tern__served *owed;   /* RECEIVING; the credits of its last packets are returned with the next ones' */
    uint32_t turn;        /* ready[turn % TERN__N_READY] is the next */
    uint64_t rx_bytes;    /* charged against config.max_rx_bytes */
    tern__node kept;      /* requests whose responses are kept, by asked_at */
    uint64_t kept_bytes;
    uint64_t max_tx_bytes;
    tern_time refuse_at; /* token bucket of REFUSE packets */
    tern__gate gate;
    tern_time now; /* latest seen */
    bool freeing;
    bool unstarted; /* of the call whose end is being told: tern__engine_is_unstarted() */
    bool sharded;   /* session numbers name our place among the endpoints of an address */
    uint32_t shard;
    bool draining;
    uint32_t n_served; /* sessions of clients */
    tern_time drain_deadline;
    tern__engine_stats stats;
    tern__trace_packet traced; /* while there is a trace: the packet received last */
    uint32_t traced_session;   /* whose it is ... */
    uint8_t traced_role;       /* ... if that is not TERN__ROLE_NONE */
};

static inline tern_time tern__min_time(tern_time a, tern_time b) { return a < b ? a : b; }

/* Of the pool buffer that holds so many bytes. */
static inline uint64_t tern__buffer_bytes(size_t bytes) {
    return bytes ? 1ull << (64 - __builtin_clzll((bytes - 1) | (TERN_BUF_MIN_BYTES - 1))) : 0;
}

/* Whether this end can have been sent a message in packets of the length that the header says. A hostile length would
 * make the window of a message span more memory than the packets that are sent for it. */
static inline bool tern__is_cut_right(const tern__session *s, const tern__pkt_header *h) {
    return h->cut <= s->path->max_packet;
}

/* The least timeout: what the hosts alone may add to a round trip says nothing about packets. */
static inline tern_dur tern__rto_min(const tern__session *s) { return s->engine->config.rto_min + s->path->noise_ns; }

/* Pauses between retransmissions need not grow beyond this while other packets come from the peer: the path is not cut,
 * and what gets lost is lost at random. */
static inline tern_dur tern__patience(const tern__session *s) { return 8 * (tern_dur)s->rtt.rto; }

/* Takes the number of the next packet to the session's peer, of which a header has the low half. A packet that does not
 * leave after all has used its number up. On reliable links no packet has a number. */
static inline uint32_t tern__next_number(tern__session *s) {
    if (!s->tx_flags) return 0;
    if (__builtin_add_overflow(s->tx_number, 1, &s->tx_number)) s->cold->tx_number_high++;
    return s->tx_number;
}

/* A header for the next packet to the session's peer; the caller fills in the rest. */
static inline tern__pkt_header tern__session_header(tern__session *s, uint8_t type) {
    return (tern__pkt_header){.type = type,
                              .flags = s->tx_flags,
                              .session = s->peer_number,
                              .number = tern__next_number(s),
                              .tag = s->tx_tag};
}

/* Whether new requests of this session go the general way only. */
static inline bool tern__session_is_limited(const tern__session *s) {
    const tern__csession *cs = (const tern__csession *)s;
    return s->role == TERN__CLIENT && (cs->draining || cs->slot_mask != UINT8_MAX);
}

/* The short ways of a session, open where it is open and nobody traces. */
static inline void tern__session_set_ways(tern__session *s) {
    s->rx_usual = s->tx_usual = 0;
    s->run = &s->engine->no_run;
    if (s->state != TERN__STATE_OPEN || s->engine->config.trace) return;
    uint64_t usual = TERN__PKT_VERSION << 4 | (uint64_t)s->tx_flags << 8;
    uint8_t mine = s->role == TERN__CLIENT ? TERN__PKT_REQ : TERN__PKT_RESP;
    s->rx_usual = (uint64_t)s->number << 32 | usual | (mine ^ TERN__PKT_REQ ^ TERN__PKT_RESP);
    if (tern__session_is_limited(s)) return;
    s->tx_usual = (uint64_t)s->peer_number << 32 | usual | mine;
    if (s->engine->config.max_message_bytes < TERN__RUN_MAX_PACKET) return;
    tern__tx_run *run = s->link->ops->run ? s->link->ops->run(s->link, &s->route) : NULL;
    if (run) s->run = run;
}

/* trace.c: the session's state is about to change. */
void tern__trace_emit_session(const tern__session *s, uint8_t to, uint8_t why);

static inline void tern__session_set_state(tern__session *s, uint8_t state, tern__why why) {
    if (s->engine->config.trace) tern__trace_emit_session(s, state, (uint8_t)why);
    s->state = state;
    tern__session_set_ways(s);
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

/* ---- timer.c: the heaps of what is due ----------------------------------------------------------- */
void tern__heap_set(tern__heap *heap, tern__timer *timer, tern_time due);
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

/* ---- table.c, control.c, connect.c, refuse.c, session.c -------------------------------------------- */
void tern__session_stall(tern__session *s);
/* A packet that is all header and a few bytes. False: the link is full. */
bool tern__send_control(tern__session *s, const tern__pkt_header *h, const void *payload, uint32_t len);
/* The same, also without the session: on a reliable link that is full it is kept and sent later. */
void tern__send_surely(tern__engine *engine, tern__link *link, const tern__route *route, const tern__pkt_header *h,
                       const void *payload, uint32_t len);
/* Try again what is kept; forget what is kept for a route, or (NULL) for all. */
void tern__late_send(tern__engine *engine, tern_time now);
void tern__late_drop(tern__engine *engine, const tern__link *link, const tern__route *route);
/* A PING that tells nothing but that we live, and the answer to one whose header said `req`; what finds a reliable link
 * full leaves later. False: not sent yet. */
bool tern__session_send_ping(tern__session *s);
void tern__session_send_pong(tern__session *s, uint32_t req);
/* The pause before the CONNECT is repeated. */
static inline tern_dur tern__connect_gap(const tern__cold *cold) {
    tern_dur gap = TERN__CONNECT_FIRST << cold->connect_shift;
    return gap < TERN__CONNECT_REPEAT ? gap : TERN__CONNECT_REPEAT;
}
/* What is marked in unsent_control. False: the link is still full. */
bool tern__session_send_unsent(tern__session *s);
void tern__session_rx_setup(tern__engine *engine, const tern__rx_packet *pkt, const tern__pkt_header *h,
                            uint32_t header_bytes, tern_time now);
void tern__session_rx_ping(tern__session *s, const tern__rx_packet *pkt, const tern__pkt_header *h,
                           uint32_t header_bytes);
void tern__session_rx_disconnect(tern__session *s, const tern__rx_packet *pkt, uint32_t header_bytes);
/* A packet for a session that is not here. */
void tern__session_unknown(tern__engine *engine, const tern__rx_packet *pkt, const tern__pkt_header *h, tern_time now);
/* The peer is gone: fails everything, forgets a server session, puts a client session DOWN. */
void tern__session_lost(tern__session *s, tern__why why);
void tern__session_connect(tern__csession *cs, tern_time now);
void tern__session_send_setup(tern__session *s);

/* ---- keepalive.c ---------------------------------------------------------------------------------- */
/* Ask an idle session's server whether it lives, and set ping_at. False: it does not, and the session is lost. */
bool tern__client_keepalive(tern__csession *cs, tern_time now);
/* The same for a session with calls on a reliable link, if it is time. */
bool tern__client_watch(tern__csession *cs, tern_time now);
/* When to look at it again. */
tern_time tern__client_watch_due(const tern__csession *cs, tern_time now);

/* ---- ahead.c -------------------------------------------------------------------------------------- */
/* A packet of a message has come in order, and nothing behind it; the message is being put together here. */
void tern__ahead_note(tern__session *s, const tern__rx_packet *pkt, const tern__pkt_header *h, uint32_t header_bytes,
                      uint8_t *message, uint32_t size);
/* Nothing is received for this message any more, or not in order. */
void tern__ahead_withdraw(tern__link *link, const void *message);

/* ---- drain.c -------------------------------------------------------------------------------------- */
/* Tell the client to go away, as often as it takes. Returns when to do so next, or the deadline. */
tern_time tern__server_drain(tern__ssession *ss, tern_time now);
void tern__session_rx_goaway(tern__session *s);

/* ---- engine.c ------------------------------------------------------------------------------------- */
void tern__session_say_goodbye(tern__session *s); /* DISCONNECT, if the session is open */
/* A packet of any kind, already counted. */
void tern__engine_rx_any(tern__engine *engine, const tern__rx_packet *pkt, tern_time now);

/* ---- client.c ------------------------------------------------------------------------------------- */
void tern__client_rx_cr(tern__csession *cs, const tern__pkt_header *h, tern_time now);
void tern__client_rx_resp(tern__csession *cs, const tern__rx_packet *pkt, const tern__pkt_header *h,
                          uint32_t header_bytes, tern_time now);
/* As tern__engine_request() and tern__engine_respond(), for messages of any kind. */
int tern__client_request(tern__csession *cs, uint32_t method, const tern__body *body, tern_time deadline, void *call,
                         tern_time now);
int tern__server_respond(tern__served *served, int status, const tern__body *body, tern_time now);
/* The same for a response, or the metadata block of an error, that has been encoded; it is the engine's afterwards. */
int tern__server_respond_out(tern__served *served, int status, tern__out *out, tern_time now);
/* The number before the first request of slot i. */
static inline uint32_t tern__no_req(uint32_t i) { return i - TERN__N_SLOTS; }
/* Send what credits and link allow. */
void tern__client_pump(tern__csession *cs, tern_time now);
/* Do what is due and set the timer anew. */
void tern__client_timer(tern__csession *cs, tern_time now);
/* The round trip of a packet that was sent once. */
void tern__client_sample_rtt(tern__csession *cs, tern_dur sample);
/* Gives up the response that the slot puts together, if there is one. */
void tern__client_drop_response(tern__csession *cs, tern__cslot *slot);
/* The same, of the slot's request of one packet, which is still there. */
void tern__client_answered(tern__csession *cs, const tern__cslot *slot, tern_dur rtt, tern_time now);
/* The session's first report since the last one was answered is due after a while. */
void tern__client_schedule_report(tern__csession *cs, tern_time now);
/* The next report need not tell of the last request of slot i. */
static inline void tern__client_cut_report(tern__csession *cs, uint32_t i) {
    cs->unreported &= (uint8_t) ~(1u << i);
    cs->reporting &= (uint8_t) ~(1u << i);
}
/* Tell the server, once a second, of what has ended; forget what only calls need. */
void tern__client_report(tern__csession *cs, tern_time now);
/* The client's PING was answered. */
void tern__client_rx_pong(tern__csession *cs, const tern__pkt_header *h);
/* Have slots. False: no memory. */
static inline bool tern__client_wake(tern__csession *cs);
bool tern__client_take_slots(tern__csession *cs);
void tern__slots_free(tern__engine *engine, tern__slots *block);
/* Give the slots back if nothing is in flight. */
static inline void tern__client_give_slots(tern__csession *cs);
/* The same, but where sessions are few only some time later (tern__client_timer): another call may follow at once. */
static inline void tern__client_rest(tern__csession *cs);
void tern__client_free_spares(tern__engine *engine);
/* The timer of some slots is due. */
void tern__client_work(tern__engine *engine, tern__timer *timer, tern_time now);
/* On a reliable link: the server is told at once that the call of slot i, which is about to end, has. */
void tern__client_report_now(tern__csession *cs, uint32_t i, tern_time now);
/* End every pending call; the session must be neither OPEN nor CONNECTING by then. begun: of each slot the last request
 * that the server has begun, if that is known. */
void tern__client_fail_all(tern__csession *cs, int status, const uint32_t *begun);
/* Whether a packet of the slot's request has left. */
bool tern__client_has_left(const tern__csession *cs, uint32_t i);

/* The header of a packet of the slot's request; the caller says which one. */
tern__pkt_header tern__client_req_header(tern__csession *cs, const tern__cslot *slot, uint8_t format, tern_time now);
/* Put a request behind those that wait for a slot, and start those that need not wait. Returns 0, TERN_ERR_FULL. */
int tern__client_enqueue(tern__csession *cs, tern__out *out, tern_time now);
void tern__client_dequeue(tern__csession *cs, tern__out *out);
/* Send what is marked in cs->unsent, as far as credits and link allow. Runs no callback. */
void tern__client_send_unsent(tern__csession *cs, tern_time now);
/* Free slot i without a word to its user. */
void tern__client_abandon(tern__csession *cs, uint32_t i, tern_time now);
/* The call in slot i ends. */
void tern__client_complete(tern__csession *cs, uint32_t i, int status, const tern__arrived *msg, tern_time now);
/* The slot has packets in flight whose answers show what else got lost: it is probed once before its timeout. */
static inline bool tern__has_tail(const tern__cslot *slot) {
    return slot->win || (slot->phase == TERN__SLOT_STREAM && slot->n_out);
}

/* The longest pause between two probes: shorter once the server has been silent for a few, so that a living peer is not
 * given up on a lossy path. */
static inline tern_dur tern__client_longest_pause(const tern__csession *cs) {
    enum { N_QUICK_PROBES = 4 };
    return cs->s.engine->longest_pause[cs->s.probes >= N_QUICK_PROBES];
}

/* ---- ecn.c: marks of the network ------------------------------------------------------------------ */
/* A packet of the session is about to be handled; end: it has been. */
void tern__ecn_begin(tern__session *s, const tern__rx_packet *pkt, const tern__pkt_header *h);
static inline void tern__ecn_end(tern__engine *engine);
/* Of n packets that the packet being handled acknowledges, how many were marked. */
static inline uint32_t tern__ecn_marked(const tern__session *s, uint32_t n);
/* The packet being handled will be acknowledged: count it in *n_marked, if it was marked, until its echo leaves. */
static inline void tern__ecn_count(const tern__session *s, uint8_t *n_marked);
/* A packet that acknowledges those counted is about to leave: it says how many were marked, and they are forgotten. */
void tern__ecn_echo(uint8_t *n_marked, tern__pkt_header *h);

/* ---- pace.c: congestion control ------------------------------------------------------------------- */
/* Of the slots with packets never sent, those whose next packet may leave now. When others have to wait for a point in
 * time, the session is in the wheel. */
uint32_t tern__pace_ready(tern__csession *cs, tern_time now);
/* The session is congested, and slot i sent a packet, not of a stream, for the first time. */
void tern__pace_sent(tern__csession *cs, uint32_t i, tern_time now);
/* Server: whether a packet of this stream, never sent so far, may leave now; if not, likewise. */
bool tern__pace_may_stream(tern__ssession *ss, const struct tern__stream *st, tern_time now);
/* A packet of a stream was sent for the first time. */
void tern__pace_charge(tern__session *s, uint32_t bytes, tern_time now);
/* What an acknowledgement said. */
typedef struct tern__acked {
    tern_dur rtt;       /* of one of the packets, which was sent once; negative: not measured */
    uint32_t n_pkts;    /* acknowledged */
    uint32_t n_counted; /* of these, those that slots still count as in flight */
} tern__acked;
/* Packets were acknowledged by the packet that is being handled. */
void tern__pace_ack(tern__session *s, const tern__acked *acked, tern_time now);
/* Packets were overtaken by later ones. */
void tern__pace_loss(tern__session *s, tern_time now);
/* Nothing came for a retransmission timeout, n times in a row. */
void tern__pace_timeout(tern__session *s, uint32_t n, tern_time now);
/* The session's control; NULL: it is uncongested. */
const tern__cc *tern__pace_control(const tern__session *s);
/* Forget that the session was congested. */
void tern__pace_drop(tern__session *s);
/* The session is idle: forget this, and how short its path was, which may be another one when it is used again. */
void tern__pace_forget(tern__session *s);
/* Server: the same once nothing has been sent for a second. Returns when to look again. */
tern_time tern__pace_rest(tern__ssession *ss, tern_time now);
/* Sessions whose time has come send. */
void tern__pace_run_wheel(tern__engine *engine, tern_time now);
/* Whether a request of `size` bytes is small enough to go whatever the congestion: eight of them, all that a session
 * can have in flight, are about one full packet. */
static inline bool tern__is_light(const tern__session *s, uint32_t size) {
    if (TERN__IS_OFF(BYPASS)) return false;
    return size < TERN__LIGHT_BYTES || size < s->payload_bytes / TERN__N_SLOTS;
}

/* ---- answer.c: small responses that may have to be sent again ------------------------------------- */
/* Room for len bytes, at most TERN__MAX_ANSWER, as the answer of slot i. NULL: no memory. */
static inline tern__answer *tern__answer_room(tern__ssession *ss, uint32_t i, uint32_t len);
tern__answer *tern__answer_make(tern__ssession *ss, uint32_t i, uint32_t len);
/* Send the answer of slot i again. False: the link is full. */
bool tern__answer_send(tern__ssession *ss, uint32_t i);
/* Forget it, and give its memory back. */
void tern__answer_drop(tern__ssession *ss, uint32_t i);

/* ---- server.c ------------------------------------------------------------------------------------- */
void tern__server_rx_req(tern__ssession *ss, const tern__rx_packet *pkt, const tern__pkt_header *h,
                         uint32_t header_bytes, tern_time now);
/* Return the credits owed; there are some. */
void tern__server_pay(tern__engine *engine);
void tern__served_release_request(tern__served *served);
/* A request has a response that its client may ask for again: count it. Where there are too many, the oldest are given
 * up, or this one. */
void tern__served_keep_response(tern__served *served);
/* The client has asked for the response: others are given up before this one. */
void tern__served_note_asked(tern__served *served);
/* Packet 0 of the response leaves. On a reliable link that may end the request. */
void tern__server_send_first(tern__ssession *ss, tern__served *served);
void tern__served_release_response(tern__served *served);
/* Its client has gone on, and its handler does not run: the record is NONE, for the next request. */
void tern__served_forget(tern__served *served);
/* The factor analysis (IN_PLACE) copies each request before its handler reads it. Returns the copy, which is `held`, or
 * the original. */
const void *tern__served_copy(tern__served *served, const tern__arrived *msg);
/* A request that is DONE, its memory released, gives its record back. It is not freed inside a callback. */
static inline void tern__server_give(tern__ssession *ss, tern__served *served);
/* A record for the next request of slot i, or NULL. */
static inline tern__served *tern__server_take(tern__ssession *ss, uint32_t i);
bool tern__server_make_served(tern__engine *engine);
/* A ready record becomes its slot's: whatever is not answered at once and the short way needs that. */
void tern__server_attach(tern__served *served);
/* Free the spare records beyond a number. */
void tern__server_trim_spares(tern__engine *engine, uint32_t n_kept);
void tern__served_set_state(tern__served *served, uint8_t state);
/* The record for a request of this number, which is new to its slot. NULL: it was rejected. */
tern__served *tern__server_slot(tern__ssession *ss, uint32_t req);
/* End a request that has not run with this status. */
void tern__server_reject(tern__served *served, uint8_t status);
/* When the client gives up, by what this packet says. */
tern_time tern__server_stated_deadline(const tern__pkt_header *h, tern_time now);
void tern__server_rx_rfr(tern__ssession *ss, const tern__pkt_header *h);
/* The client has had the responses up to these request numbers. */
void tern__server_completed(tern__ssession *ss, const uint8_t *numbers);
/* The client no longer waits for this request. */
void tern__server_rx_cancel(tern__ssession *ss, const tern__pkt_header *h);
void tern__server_pump(tern__ssession *ss);
/* Probe a silent client, forget a dead one (the session is gone then), or set the timer anew. */
void tern__server_timer(tern__ssession *ss, tern_time now);
/* on_gone for what runs, then forget the session. */
void tern__server_drop(tern__ssession *ss, tern__why why);

/* A client whose requests are served is asked after so much silence whether it lives, and has as long again to
 * answer. */
static inline tern_dur tern__client_quiet(const tern__engine *e) { return e->config.peer_timeout / 2; }

/* ---- Inline bodies -------------------------------------------------------------------------------- */

static inline void tern__ecn_end(tern__engine *e) {
    e->rx_marked = false;
    e->rx_n_echoed = 0;
}

static inline uint32_t tern__ecn_marked(const tern__session *s, uint32_t n) {
    return s->engine->rx_n_echoed < n ? s->engine->rx_n_echoed : n;
}

static inline void tern__ecn_count(const tern__session *s, uint8_t *n_marked) {
    *n_marked = (uint8_t)(*n_marked + (s->engine->rx_marked && *n_marked < UINT8_MAX));
}

/* Small messages come and go with every call over a link that loses packets: their memory is used again at once, which
 * takes a tenth of the instructions of a small call. */
static inline tern__out *tern__spare_take(tern__engine *e) {
    tern__out *out = e->spares;
    if (!out) return tern__spare_make(e);
    e->spares = out->call;
    e->n_spares--;
    return out;
}

static inline bool tern__spare_give(tern__engine *e, tern__out *out) {
    if (!out->spare || out->posted || e->n_spares >= TERN__MAX_SPARES || TERN__IS_OFF(REUSE)) return false;
    out->call = e->spares;
    e->spares = out;
    e->n_spares++;
    return true;
}

/* With thousands of sessions few have a call in flight at one time, and those use the same few blocks, which the
 * caches hold (bench/rpc_sessions); an idle session's memory is a fraction (bench/sim_scale). */
static inline bool tern__client_wake(tern__csession *cs) { return cs->slots || tern__client_take_slots(cs); }

static inline void tern__client_give_slots(tern__csession *cs) {
    tern__engine *e = cs->s.engine;
    tern__slots *block = tern__slots_of(cs);
    if (cs->free_slots != UINT8_MAX || !block || cs->late) return;
    cs->slots = NULL;
    block->cs = NULL;
    if (e->n_spare_slots >= TERN__MAX_SPARE_SLOTS || TERN__IS_OFF(REUSE)) {
        tern__slots_free(e, block);
        return;
    }
    block->next = e->spare_slots;
    e->spare_slots = block;
    e->n_spare_slots++;
}

static inline void tern__client_rest(tern__csession *cs) {
    if (cs->s.engine->n_live > TERN__FEW || TERN__IS_OFF(REUSE)) tern__client_give_slots(cs);
}

/* Where the answer to slot i's last request is, or room for it, or NULL. */
static inline tern__answer **tern__answer_of(tern__ssession *ss, uint32_t i) {
    return i < TERN__HOT_ANSWERS ? &ss->answers[i] : &ss->s.scold->answers[i - TERN__HOT_ANSWERS];
}

static inline tern__answer *tern__answer_room(tern__ssession *ss, uint32_t i, uint32_t len) {
    tern__answer *answer = *tern__answer_of(ss, i);
    return answer && answer->room >= len ? answer : tern__answer_make(ss, i, len);
}

static inline tern__served *tern__served_at(const tern__ssession *ss, uint32_t i) {
    return ss->s.scold->requests->slots[i];
}

static inline void tern__server_enter(tern__ssession *ss, uint32_t i, tern__served *served) {
    served->slot = (uint8_t)i;
    ss->s.scold->requests->slots[i] = served;
    ss->taken |= (uint8_t)(1u << i);
}

static inline void tern__server_vacate(tern__ssession *ss, uint32_t i) {
    ss->s.scold->requests->slots[i] = NULL;
    ss->taken &= (uint8_t) ~(1u << i);
}

/* The same for the server's records. */
static inline tern__served *tern__server_take(tern__ssession *ss, uint32_t i) {
    tern__engine *e = ss->s.engine;
    if (!e->spare_served && !tern__server_make_served(e)) return NULL;
    tern__served *served = e->spare_served;
    e->spare_served = served->user;
    served->session = ss;
    tern__server_enter(ss, i, served);
    return served;
}

static inline void tern__server_give(tern__ssession *ss, tern__served *served) {
    tern__engine *e = ss->s.engine;
    tern__server_vacate(ss, served->slot);
    served->user = e->spare_served;
    e->spare_served = served;
}

#endif
