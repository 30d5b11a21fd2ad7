/* The engine: its tables, its heaps, its spares, and what is said of its sessions in one place. */
#ifndef TERN_ENGINE_ENGINE_RECORD_H
#define TERN_ENGINE_ENGINE_RECORD_H

#include "base/factor.h"
#include "engine/client_record.h"
#include "engine/gate.h"
#include "engine/server_record.h"
#include "engine/wheel.h"

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
 * leave after all has used its number up. On reliable links only packets of sealed sessions have numbers. */
static inline uint32_t tern__next_number(tern__session *s) {
    if (!s->tx_flags && !s->sealed) return 0;
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

/* The short ways of a session, open where it is open, not sealed, and nobody traces. */
static inline void tern__session_set_ways(tern__session *s) {
    s->rx_usual = s->tx_usual = 0;
    s->run = &s->engine->no_run;
    if (s->state != TERN__STATE_OPEN || s->sealed || s->engine->config.trace) return;
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

#endif
