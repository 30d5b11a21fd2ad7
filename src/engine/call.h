/* The transitions of a call at the client: it begins, its round trip is known, it ends. Each event has one function,
 * which the general way (client.c) and the short way (direct.c) both call. What a caller knows for sure is an argument
 * that is a constant there, and the compiler leaves the rest out. */
#ifndef TERN_ENGINE_CALL_H
#define TERN_ENGINE_CALL_H

#include "engine/message.h"
#include "engine/report.h"
#include "engine/response.h"
#include "engine/slots.h"
#include "engine/stream.h"

typedef enum tern__begin_how {
    TERN__BEGIN_SENT,   /* its request has left, whole, in one packet */
    TERN__BEGIN_UNSENT, /* all of its request is still to be sent */
} tern__begin_how;

/* How a call begins in its slot. */
typedef struct tern__new_call {
    void *call;
    tern__begin_how how;
    uint32_t method;
    tern_time deadline; /* 0: none */
    tern__out *out;     /* the request while it may have to be sent again; NULL: nothing is retained */
    tern__win *win;     /* of a request of several packets; NULL: it has one */
} tern__new_call;

/* The round trip of the slot's request of one packet, which is still there. */
void tern__client_answered(tern__csession *cs, const tern__cslot *slot, tern_dur rtt, tern_time now);
/* Whether a packet of the slot's request has left. */
bool tern__client_has_left(const tern__csession *cs, uint32_t i);

/* The slot that the next call takes, and the number of its request. A slot must be free. */
static inline uint32_t tern__call_slot(const tern__csession *cs) { return (uint32_t)__builtin_ctz(cs->free_slots); }
static inline uint32_t tern__call_number(const tern__csession *cs, uint32_t i) { return cs->s.reqs[i] + TERN__N_SLOTS; }

/* How long a new request goes without an answer before it is sent again. */
static inline tern_dur tern__call_first_pause(const tern__csession *cs) {
    tern_dur rto = (tern_dur)cs->s.rtt.rto, longest = tern__client_longest_pause(cs);
    return rto < longest ? rto : longest;
}

/* A call begins in slot i, which tern__call_slot() named. The session is awake (tern__client_wake()). */
static TERN__INLINE void tern__call_begin(tern__csession *cs, uint32_t i, const tern__new_call *start, bool reliable,
                                          tern_time now) {
    tern__cslot *slot = &cs->slots[i];
    uint32_t req = tern__call_number(cs, i);
    uint32_t free_slots = cs->free_slots;
    if (free_slots == UINT8_MAX) tern__slots_of(cs)->busy_since = now;
    cs->free_slots = (uint8_t)(free_slots & (free_slots - 1));
    if (cs->unreported) tern__client_cut_report(cs, i); /* the new number says that the last request has ended */
    slot->call = start->call;
    slot->last_tx = now;
    if (start->how != TERN__BEGIN_SENT || !reliable) slot->method = start->method; /* else nothing is sent again */
    if (start->out) slot->out = start->out;
    if (start->win) slot->win = start->win;
    cs->s.reqs[i] = req;
    if (start->how == TERN__BEGIN_SENT) {
        tern__slot_sent(slot, req);
        cs->in_flight++;
    } else {
        slot->req = req;
        cs->unsent |= (uint16_t)(1u << i);
    }
    if (start->deadline) {
        slot->deadline = start->deadline;
        tern__work_lower(cs, start->deadline);
    }
    if (!reliable) tern__work_lower(cs, now + (tern_time)tern__call_first_pause(cs));
}

/* The slot's request, of one packet that was sent once, is answered; its server held the answer back for held_ns.
 * Of the packets that bring a session answers at one time, the first tells for all how long the way took. */
static TERN__INLINE void tern__call_answered(tern__csession *cs, const tern__cslot *slot, uint32_t held_ns, bool first,
                                             tern_time now) {
    tern_time elapsed = now - slot->last_tx;
    if ((first || cs->pace) && elapsed >= held_ns) tern__client_answered(cs, slot, (tern_dur)(elapsed - held_ns), now);
}

static TERN__INLINE void tern__call_forget(tern__engine *e, tern__out *out) {
    if (out && !tern__spare_give(e, out)) tern__out_release(e, out);
}

/* Slot i gives back all that it holds, and is free. usual: its request left whole in one packet and was sent once, and
 * nothing of a response has come before (tern__slot_usual()); on a reliable link nothing of it was retained. */
static TERN__INLINE void tern__call_end(tern__csession *cs, uint32_t i, bool usual, bool reliable) {
    tern__engine *e = cs->s.engine;
    tern__cslot *slot = &cs->slots[i];
    uint8_t bit = (uint8_t)(1u << i);
    cs->in_flight = (uint16_t)(cs->in_flight - (usual ? 1 : slot->n_out));
    slot->n_out = 0;
    slot->deadline = 0;
    cs->free_slots |= bit;
    if (!usual || !reliable) {
        tern__call_forget(e, slot->out);
        slot->out = NULL;
    }
    if (usual) return;
    tern__slab_give(slot->win);
    tern__response_drop(cs, slot);
    slot->win = NULL;
    slot->phase = TERN__SLOT_REQ;
    slot->backoff = slot->resent = 0;
    cs->unsent &= (uint16_t)~bit;
    tern__slots_of(cs)->not_run &= (uint8_t)~bit;
}

/* The user is told that a call has ended: msg is the server's answer, or NULL. stream: that of a streaming call, with a
 * reference that goes; else NULL. usual: the answer is a response without metadata, and there is no more to say of the
 * ending. */
static TERN__INLINE void tern__call_tell(tern__engine *e, void *call, tern__stream *stream, int status,
                                         const tern__arrived *msg, bool usual, tern__ending ending) {
    const tern__engine_callbacks *callbacks = &e->config.callbacks;
    tern__ending outer = e->ending; /* of a call whose end is being told, and whose user ends this one */
    e->stats.calls_completed++;
    if (!usual) e->ending = ending;
    if (stream) {
        tern__stream_end(stream, status);
        tern__stream_unref(stream);
    } else if (!usual && msg && callbacks->on_answer && (status != TERN_STATUS_OK || !tern__arrived_is_plain(msg))) {
        callbacks->on_answer(e->config.user, call, status, msg);
    } else {
        callbacks->on_done(e->config.user, call, status, usual || status == TERN_STATUS_OK ? msg : NULL);
    }
    if (!usual) e->ending = outer;
}

/* The call in slot i ends with this status. The slot is free when the user is told, and may be taken again. */
static TERN__INLINE void tern__call_complete(tern__engine *e, tern__csession *cs, uint32_t i, int status,
                                             const tern__arrived *msg, bool usual, bool reliable, tern__ending ending,
                                             tern_time now) {
    void *call = cs->slots[i].call;
    tern__call_end(cs, i, usual, reliable);
    tern__client_rest(cs);
    if (!reliable) tern__call_report(cs, i, now);
    if (cs->n_backlog || cs->unsent) e->roles[TERN__CLIENT]->pump(&cs->s, now);
    tern__call_tell(e, call, NULL, status, msg, usual, ending);
}

static inline uint32_t tern__short_time(tern_time ns) { return ns < UINT32_MAX ? (uint32_t)ns : UINT32_MAX; }

/* A request of one packet has been answered: how long did that take? Of one that was sent again nobody knows before as
 * many answers more than one have come (tern__call_note_second_answer()). */
void tern__call_note_answer(tern__csession *cs, tern__cslot *slot, const tern__pkt_header *h, tern_time now);

/* One more answer to a request that was answered already. The server answers each transmission that reaches it. */
void tern__call_note_second_answer(tern__csession *cs, const tern__pkt_header *h);

#endif
