/* Whether a server is overloaded, and how many calls of its clients it can end in time. Pure: times and delays are
 * arguments, and nothing here knows of sessions or packets.
 *
 * The server says how long calls may take for their way through queue and handler (the target), and reports each poll.
 * A server whose polls find work all the time is full: calls beyond those that it has only wait longer. While n calls
 * are under way and each takes it s of its time, the last one ends after n * s (Little's law, Oper. Res. 1961). So a
 * full server admits target / s calls at a time, in equal shares of all sessions that call (credits, as in Breakwater,
 * OSDI 2020, 4.1). Sessions of which there are more than that have one call at a time, and a pause after it.
 * Shares that are not used, or more callers than were counted, make the server idle, or make packets wait longer than
 * the target: both correct the number, by a factor. As in CoDel (RFC 8289) it is the shortest wait of an interval that
 * says whether there is a standing queue. */
#ifndef TERN_ENGINE_OVERLOAD_H
#define TERN_ENGINE_OVERLOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "tern/rpc.h"

typedef struct tern__overload {
    tern_dur target;        /* 0: nothing is measured, and nobody is refused */
    bool active;            /* the server has been full for two intervals, and not been idle since */
    bool was_full;          /* in the last interval */
    bool workers_are_full;  /* in the interval under way calls had to wait for a worker */
    tern_time begun;        /* of the interval under way */
    tern_time reported;     /* of the last report */
    tern_dur idle;          /* of the interval under way */
    tern_dur turn;          /* in such a span each session that calls is counted once at least */
    tern_dur waited;        /* packets at hand, for being received */
    tern_dur least_waited;  /* in the interval under way; INT64_MAX: no packet has come */
    tern_dur refuse_for;    /* for the rejection at hand: when to come again; 0: as it is for all */
    uint64_t n_run;         /* calls that had run, in all, when the interval began */
    uint64_t n_turned_away; /* of those that have run, in all: no worker took them */
    uint64_t call_ns;       /* of the server's time, for one call; 0: not known */
    uint32_t factor;        /* of the calls that are admitted, in 1/65536 */
    tern_time adapted;      /* when the factor changed */
    uint16_t round;         /* counts spans in which sessions are counted, from 1, and comes round */
    tern_time round_begun;
    uint32_t n_sessions, n_sessions_before; /* that have called in this round, and in the last one */
    uint64_t random;                        /* never 0 */
} tern__overload;

void tern__overload_init(tern__overload *o, tern_dur target, uint64_t seed);

/* A poll begins at `now`; idle: the last one found nothing to do, so that time has been spare since. n_begun: the
 * calls whose handlers have begun, in all. Returns whether the server has become overloaded with this. */
bool tern__overload_report(tern__overload *o, bool idle, uint64_t n_begun, tern_time now);

/* The packets that come next have waited so long since they arrived at this host, as far as anybody knows. */
void tern__overload_waited(tern__overload *o, tern_dur waited);

/* A session whose last round is *round calls: it counts, once in each round. */
static inline void tern__overload_count(tern__overload *o, uint16_t *round) {
    if (*round == o->round) return;
    *round = o->round;
    o->n_sessions++;
}

/* Whether a call that has come with these packets is to be rejected: it has waited much too long, or its client will
 * have given up before it ends. deadline: by what the request says, as if it had not waited. */
bool tern__overload_rejects(const tern__overload *o, tern_time deadline, tern_time now);

/* Whether a call that has begun may wait so long for a worker. If not, it counts as not run, and the next rejection
 * says when to come again. */
bool tern__overload_admits_wait(tern__overload *o, tern_dur wait, tern_time deadline, tern_time now);

/* For the next response: how many calls its session may have, at least 1; on average its share. */
uint32_t tern__overload_grant(tern__overload *o);

/* How many ms a session is to pause: by its share, at least for so long if it was rejected, and not all the same. */
uint32_t tern__overload_pause_ms(tern__overload *o, tern_dur least);

#endif
