/* A session at its server: requests, and what is kept of their responses. */
#ifndef TERN_ENGINE_SERVER_RECORD_H
#define TERN_ENGINE_SERVER_RECORD_H

#include "engine/message_record.h"
#include "engine/session_record.h"

enum { TERN__STATUS_NOT_RUN = 0x80 /* added to request->status: the handler has not begun, and will not */ };

/* A request at the server: a slot, or an orphan once a newer request has taken its slot over. */
enum {
    TERN__REQUEST_NONE,      /* no request yet */
    TERN__REQUEST_RECEIVING, /* some of its packets are here */
    TERN__REQUEST_WAITING,   /* all of them are, and its peer's turn is to come (turns.h) */
    TERN__REQUEST_RUNNING,   /* the handler has it */
    TERN__REQUEST_RESPONDED, /* the response is kept as long as it may have to be sent again */
    TERN__REQUEST_DONE,      /* the client has the response */
};

/* In a record that waits for its next request nothing counts but state DONE and what is then false or NULL. */
struct tern__request {
    void *user; /* first: see tern__request_user() */
    struct tern__ssession *session;
    tern__out *out;              /* the response */
    const void *buffer;          /* gives the request's memory back: a reference of ours; or a loan's (`lent`) */
    tern_time arrived, deadline; /* arrived: while RECEIVING its first packet, else its last */
    uint32_t size;
    uint32_t cut; /* of a request of several packets: as each of them says; else 0 */
    uint32_t method;
    uint32_t base; /* request packets received without a gap */
    uint8_t state;
    bool orphan;    /* a newer request has its slot */
    bool abandoned; /* the client waits for it no longer, and the handler has been told */
    bool cr_pending;
    uint8_t format, status; /* status: perhaps with TERN__STATUS_NOT_RUN */
    uint8_t slot;           /* of a streaming call its place */
    uint8_t last_nth;       /* of last_pkt: how often it was sent before */
    bool is_transient;      /* one of engine->transient, and no slot's */
    uint8_t n_marked;       /* packets of the request, marked on their way, that no answer has reported so far */
    bool admitted;          /* it counts as a running call (admission.h) */
    bool lent;              /* `buffer` is a tern_loan, in which the request is put together */
    uint32_t held_ns;       /* time from the request's arrival to the response */
    uint32_t req;           /* apart from what begins a request with it: gcc would gather the two, at a higher price */
    uint32_t n_pkts;        /* of the request */
    uint32_t resp_next, resp_asked; /* reliable links: packets sent and to be sent */
    uint64_t mask;                  /* request packets received from base on */
    uint32_t charged_bytes;         /* of the request: tern__charge() */
    uint32_t meta_bytes;            /* of the request, once its packet 0 is here; says nothing in a ready record */
    uint32_t last_pkt;              /* echoed by the pending CR */
    struct tern__stream *stream;    /* of a streaming call that is RUNNING; else NULL */
    tern__node node;                /* in session->orphans, or the peer's `receiving`, `kept` or `turn` */
    uint64_t kept_bytes;            /* of the response: part of engine->kept_bytes */
    tern_time asked_at; /* when the client asked for more of the response last, or it was made; of the request: when
                           more of it came */
};

/* The request is here, and the server's answer is what the client waits for. */
static inline bool tern__request_is_under_way(const tern__request *request) {
    return request->state == TERN__REQUEST_WAITING || request->state == TERN__REQUEST_RUNNING;
}

/* On a link that loses packets: a small response that has left, as it is kept to be sent again. Its request needs no
 * record any more (tern__request), which leaves one cache line of it instead of five. */
typedef struct tern__cached_reply {
    uint32_t held_ns;  /* time from the request's arrival to the response */
    uint8_t len, room; /* of data */
    uint8_t format;
    uint8_t data[] __attribute__((aligned(8)));
} tern__cached_reply;

enum { TERN__MAX_CACHED_REPLY = 256 - sizeof(tern__cached_reply) };

typedef struct tern__ssession {
    tern__session s;
    uint8_t n_running;   /* slots, not orphans, in RECEIVING, WAITING or RUNNING */
    uint8_t unsent;      /* slots with packets that found the link full */
    uint8_t n_streams;   /* open */
    uint8_t next_stream; /* the place where the next round of sending starts */
    uint8_t rejects;     /* slots whose rejection, of request rejected[i], found the link full */
    uint8_t goaway;      /* how often it was sent, or that the client knows */
    uint8_t taken;       /* slots that are not NULL */
    uint8_t has_reply;   /* slots, which are NULL, whose last request a cached reply answers */
    tern__cached_reply
        *cached_replies[TERN__HOT_CACHED_REPLIES]; /* or room for the next one; or NULL: tern__cached_reply_of() */
} tern__ssession;
_Static_assert((int)sizeof(tern__ssession) == (int)TERN__HOT_BYTES, "what calls need is packed; the rest is cold");

typedef struct tern__scold {
    tern__cold cold;
    tern__cached_reply *cached_replies[TERN__N_SLOTS - TERN__HOT_CACHED_REPLIES]; /* of the last slots */
    struct tern__request_slots *requests;
    tern__node orphans;
    uint32_t n_orphans;
    uint16_t credits, in_flight; /* lossy links: stream packets that may be, and are, unacknowledged */
    tern_time goaway_at;         /* when to send GOAWAY again */
    tern__pace *pace;            /* of streams; NULL: uncongested */
    uint32_t n_admitted;         /* requests that count as running calls (admission.h) */
    uint16_t overload_round;     /* in which the session called last while the server was overloaded (overload.h) */
    uint16_t heard_turn;         /* in which it was last told what it may do then (admission.h) */
} tern__scold;

typedef struct tern__request_slots {
    tern__request *slots[TERN__N_SLOTS]; /* NULL: the last request is done or answered, or there was none */
    uint32_t rejected[TERN__N_SLOTS];
    struct tern__stream_places *places; /* NULL: no streaming call has come */
} tern__request_slots;

/* The streaming calls of a session, from its first one until it ends. Their records have their place as `slot`. */
typedef struct tern__stream_places {
    tern__request *streams[TERN__MAX_STREAMS]; /* valid where `open` says so */
    uint32_t reqs[TERN__MAX_STREAMS];          /* each place's last number */
    uint32_t open;                             /* masks of places */
    uint32_t rejected;                         /* the last call is not served, or was given up */
    uint32_t unsent;                           /* of these, those whose client has not been told: the link was full */
    uint8_t status[TERN__MAX_STREAMS];         /* of rejected ones */
    tern_time moved_at;                        /* when the client has gone on with any of them last (progress.h) */
} tern__stream_places;

/* Places with streams. */
static inline uint32_t tern__open_streams(const tern__ssession *ss) {
    return ss->n_streams ? ss->s.scold->requests->places->open : 0;
}

static inline tern__request *tern__stream_at(const tern__ssession *ss, uint32_t place) {
    return ss->s.scold->requests->places->streams[place];
}

/* Where the cached reply to the last request of slot i is, or room for one, or NULL. */
static inline tern__cached_reply **tern__cached_reply_of(tern__ssession *ss, uint32_t i) {
    return i < TERN__HOT_CACHED_REPLIES ? &ss->cached_replies[i]
                                        : &ss->s.scold->cached_replies[i - TERN__HOT_CACHED_REPLIES];
}

static inline tern__request *tern__request_at(const tern__ssession *ss, uint32_t i) {
    return ss->s.scold->requests->slots[i];
}

static inline void tern__server_enter(tern__ssession *ss, uint32_t i, tern__request *request) {
    request->slot = (uint8_t)i;
    ss->s.scold->requests->slots[i] = request;
    ss->taken |= (uint8_t)(1u << i);
}

static inline void tern__server_vacate(tern__ssession *ss, uint32_t i) {
    ss->s.scold->requests->slots[i] = NULL;
    ss->taken &= (uint8_t) ~(1u << i);
}

#endif
