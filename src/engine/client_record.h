/* A session at its client: calls in flight, and what calls need of it. */
#ifndef TERN_ENGINE_CLIENT_RECORD_H
#define TERN_ENGINE_CLIENT_RECORD_H

#include "engine/message_record.h"
#include "engine/session_record.h"

/* A request on its way, at the client. */
enum {
    TERN__SLOT_REQ,    /* request packets are on their way */
    TERN__SLOT_WAIT,   /* the server has the whole request; its handler runs */
    TERN__SLOT_RESP,   /* response packet 0 is here, others are asked for */
    TERN__SLOT_STREAM, /* a streaming call, in a place of its own (tern__places); `call` is its stream */
};

/* What a free slot holds means nothing, except deadline 0, phase REQ, backoff 0, resent 0 and the NULLs. Slots are an
 * odd number of words long, which makes a slot's address one instruction. */
typedef struct tern__cslot {
    void *call;
    tern__out *out;     /* the request while it may have to be sent again */
    tern__win *win;     /* packets in flight of a message of several; else NULL */
    uint8_t *in;        /* the response being put together: a buffer, or a loan (response.h) */
    tern_time deadline; /* 0: none */
    tern_time last_tx;  /* of the last transmission or progress: the retransmission timer starts here */
    uint32_t req;       /* this one and the next four: tern__sent_once() */
    uint8_t phase;
    uint8_t n_out; /* packets in flight, each holding a credit */
    uint8_t backoff;
    uint8_t resent; /* times that a request of one packet was sent again, at most 255. Such a request gives no RTT
                       sample (Karn). If resent + 1 answers come, nothing was lost, and the first answer belongs to the
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

/* The slot has packets in flight whose answers show what else got lost: it is probed once before its timeout. */
static inline bool tern__has_tail(const tern__cslot *slot) {
    return slot->win || (slot->phase == TERN__SLOT_STREAM && slot->n_out);
}

/* What a session with calls in flight needs: sessions without any share these (tern__client_wake, _rest). */
typedef struct tern__slots {
    tern__cslot slot[TERN__N_SLOTS];
    tern_time busy_since;      /* when work became outstanding */
    tern_time look_at;         /* reliable links: when to ask a silent server again ... */
    uint64_t mark;             /* ... and of link->ops->has_moved() */
    tern__timer timer;         /* in engine->work */
    struct tern__csession *cs; /* whose calls these are; NULL: nobody's */
    struct tern__slots *next;  /* among the engine's spares */
    tern_time left_at; /* with a queue_target: when a call left the session's backlog; 0: the backlog has been empty */
    uint64_t gap_ns;   /* on average, between calls that leave the backlog; 0: not known */
    uint32_t charged[TERN__N_SLOTS]; /* of slot->in: tern__charge() */
    uint8_t lent;                    /* a mask: slot->in is a tern_loan */
    uint8_t not_run; /* a mask: the error that is arriving says that the handler has not begun, and will not */
} tern__slots;

/* The streaming calls of a session, from its first one until it ends. */
typedef struct tern__places {
    tern__cslot place[TERN__MAX_STREAMS];
    uint32_t reqs[TERN__MAX_STREAMS]; /* each place's last number */
    uint32_t taken;                   /* masks of places */
    uint32_t unsent;                  /* has packets that may leave */
    uint32_t unreported, reporting;   /* as those of the session, of streams that have ended */
    uint32_t report_tries;
    tern_time report_at;
    tern_time busy_since; /* when the oldest of the streams in an unbroken row began */
} tern__places;

enum { TERN__STREAMS = 1 << TERN__N_SLOTS }; /* a bit beside those of the slots: some place */

struct tern__csession {
    tern__session s;
    tern__cslot *slots; /* of a tern__slots. NULL: no call is in flight; then free_slots is UINT8_MAX */
    uint8_t free_slots; /* a mask, as are unsent, keeps_slots, unreported and reporting */
    uint8_t next_slot;  /* where the next round of sending starts: an index, see tern__call_at() */
    uint16_t unsent;    /* slots with packets never sent so far; and TERN__STREAMS if a stream has some */
    /* Why the slots are not given back although they may be free: those to whose requests second answers may come, and
     * TERN__STREAMS if there are streams. */
    uint16_t keeps_slots;
    uint8_t unreported; /* slots whose last response the server may still keep */
    uint8_t reporting;  /* of `unreported`, those that the last PING told the server about */
    uint16_t credits, in_flight;
    uint32_t n_backlog;
    tern_time report_at;
    tern__pace *pace; /* NULL: uncongested */
    uint8_t report_tries;
    uint8_t slot_mask;         /* slots that calls may take, the first ones: as many as both sides offer */
    uint8_t why;               /* the session was lost: a tern_status */
    bool report_set : 1;       /* the session's timer is not later than the next report can be */
    bool streams_wait : 1;     /* streams may be in the backlog */
    bool has_places : 1;       /* for streams; only while OPEN */
    bool connect_repeated : 1; /* no RTT sample from the ACCEPT */
    bool draining : 1;         /* the server goes away: no new requests */
    bool bounded : 1;          /* the server says how many calls it admits, or when to ask again (admission.h) */
    bool probes_admission : 1; /* bounded: the server has named a time, and has not answered since that passed ... */
    bool has_probed : 1;       /* ... although a call asks: from retry_at on another may */
    uint32_t n_reports;        /* echoed by the PONG */
    tern_dur keepalive;        /* 0: silence is welcome while no call is in flight */
};
_Static_assert((int)sizeof(tern__csession) == (int)TERN__HOT_BYTES, "what calls need is packed; the rest is cold");

typedef struct tern__ccold {
    tern__cold cold;
    void *user;                 /* the engine's user's own for this session */
    tern__node backlog;         /* of tern__out.node */
    tern_time backlog_deadline; /* not after the earliest in the backlog; TERN__NEVER for none */
    union {
        struct { /* while CONNECTING */
            tern_time connect_deadline, connect_at;
        };
        struct {                 /* while OPEN and bounded */
            tern_time retry_at;  /* the server admits no call before */
            uint32_t granted_us; /* when the server granted so many, or a call more was made last; modulo 2^32 */
            uint16_t granted;    /* calls at once, those in the backlog too, 0: any number; and TERN__ADMISSION_HOLDS */
            uint16_t retry_ms;   /* what the server named last: so long a call that asks has no company */
        };
    };
    union {
        tern_time connect_sent; /* while CONNECTING */
        tern__places *places;   /* while has_places */
    };
    uint64_t incarnation; /* of the server; 0: none yet */
    tern_time ping_at;    /* when to look whether it is silent, if that is wanted */
} tern__ccold;

/* ---- Calls in slots and in places ----------------------------------------------------------------- */

/* The calls of a session have indices: those in slots the first ones, streaming calls the next ones by their places. In
 * masks of calls bit i stands for index i. */
enum { TERN__N_CALLS = TERN__N_SLOTS + TERN__MAX_STREAMS };
_Static_assert((int)TERN__N_CALLS <= 64 && !(TERN__MAX_STREAMS & (TERN__MAX_STREAMS - 1)), "a mask has a bit for each");

static inline tern__places *tern__places_of(const tern__csession *cs) {
    return cs->has_places ? cs->s.ccold->places : NULL;
}

/* The call of an index that is in use. */
static inline tern__cslot *tern__call_at(const tern__csession *cs, uint32_t i) {
    return i < TERN__N_SLOTS ? &cs->slots[i] : &cs->s.ccold->places->place[i - TERN__N_SLOTS];
}

static inline uint64_t tern__calls_in_use(const tern__csession *cs) {
    const tern__places *places = tern__places_of(cs);
    return (uint8_t)~cs->free_slots | (places ? (uint64_t)places->taken << TERN__N_SLOTS : 0);
}

static inline uint64_t tern__calls_unsent(const tern__csession *cs) {
    const tern__places *places = tern__places_of(cs);
    return (uint8_t)cs->unsent | (places ? (uint64_t)places->unsent << TERN__N_SLOTS : 0);
}

static inline bool tern__client_is_idle(const tern__csession *cs) {
    return cs->free_slots == UINT8_MAX && !(cs->keeps_slots & TERN__STREAMS);
}

#endif
