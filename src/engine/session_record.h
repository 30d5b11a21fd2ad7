/* What both ends of a session have. Only here, and in the two headers that begin with it, is it laid out in lines of
 * the cache. */
#ifndef TERN_ENGINE_SESSION_RECORD_H
#define TERN_ENGINE_SESSION_RECORD_H

#include "engine/engine_config.h"
#include "engine/loss.h"
#include "engine/timer.h"

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
    bool hashed : 1;
    bool ecn : 1;                 /* both ends read marks, and report them */
    bool parked : 1;              /* unless cold->stalled is alone: it is in engine->parked */
    bool sealed : 1;              /* packets are sealed (sealed.h): the short ways are closed */
    uint8_t line_lengths;         /* raw messages of this many lengths, from 16 bytes on, go into a line of `run` */
    uint8_t unsent_control;       /* TERN__UNSENT_*: found the link full */
    uint8_t format;               /* of messages that leave the choice to us: the best one that the peer reads */
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
    uint32_t tx_number; /* the low half of the last packet's number, where packets have one: tern__next_number() */
} tern__session;

enum { TERN__HOT_BYTES = 4 * TERN__LINE_BYTES };
_Static_assert((int)offsetof(tern__session, engine) == (int)TERN__LINE_BYTES, "a line is full");
_Static_assert((int)offsetof(tern__session, route) == 2 * (int)TERN__LINE_BYTES, "a line is full");

typedef struct tern__peer tern__peer;
typedef struct tern__network tern__network;

/* The rest of it. */
typedef struct tern__cold {
    tern__timer timer;  /* in engine->timers */
    tern__node stalled; /* in engine->stalled, engine->parked or engine->soon, or alone */
    tern__session *session;
    uint64_t token;
    tern__peer *peer;              /* whom the session is with (peers.h) ... */
    uint32_t peer_next, peer_prev; /* ... and its neighbours among the peer's: index + 1, or 0 */
    union {
        uint32_t pong_req;    /* while OPEN: of the unsent PONG */
        uint16_t lost_detail; /* while DOWN: what the REFUSE named besides its code */
    };
    union {
        uint8_t connect_shift; /* CONNECTING: the pause before the CONNECT is repeated, tern__connect_gap() */
        uint8_t n_streams;     /* while OPEN: places of streaming calls, 0 or a power of two */
    };
    uint8_t lost_why;   /* not OPEN: tern__why of the last loss ... */
    uint16_t lost_code; /* ... and, if that was a REFUSE, its tern__refuse_code */
} tern__cold;

/* The number before the first request of slot i. */
static inline uint32_t tern__no_req(uint32_t i) { return i - TERN__N_SLOTS; }

/* pace.c: of a session that met congestion. */
typedef struct tern__pace tern__pace;

#endif
