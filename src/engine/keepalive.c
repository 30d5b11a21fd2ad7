/* Asking whether the server lives, by PING, eight times in one peer_timeout; a session whose server does not answer in
 * that time is lost.
 *
 * Idle sessions are asked after `keepalive` of silence, if that is wanted. Sessions with calls in flight on reliable
 * links, where nothing is sent again, are asked after a quarter of peer_timeout: the kernel tells of a peer that has
 * died, but not, or much later, of one that is cut off or stands still. (On links that lose packets retransmissions
 * ask; client.c.) A call sets no timer for this: that of the slots is set when they are lent, if it is not, and sees
 * every eighth of peer_timeout who has them then.
 *
 * Times on reliable links may be as old as the user's last poll. Silence therefore counts from when it was first seen,
 * not from what these times say. */
#include "engine/keepalive.h"

#include "engine/control.h"
#include "engine/places.h"
#include "engine/session.h"

enum {
    PINGS_PER_TIMEOUT = 8,
    QUIET_PER_TIMEOUT = 4,
    MIN_PINGS = 3, /* a client that was suspended itself has not asked often enough */
};

bool tern__client_keepalive(tern__csession *cs, tern_time now) {
    tern__session *s = &cs->s;
    tern_dur patience = s->engine->config.peer_timeout;
    tern_time quiet_at = s->last_rx + (tern_time)cs->keepalive;
    bool idle = tern__client_is_idle(cs);
    if (!idle || quiet_at > now) {
        cs->s.ccold->ping_at = idle ? quiet_at : now + (tern_time)cs->keepalive;
        return true;
    }
    if (s->probes >= MIN_PINGS && now - quiet_at >= (tern_time)patience) {
        tern__session_lose_for(s, TERN__WHY_SILENT);
        return false;
    }
    if (cs->s.ccold->ping_at > now) return true;
    if (tern__session_send_ping(s)) s->probes++; /* a full link tells nothing about the peer */
    cs->s.ccold->ping_at = now + (tern_time)(patience / PINGS_PER_TIMEOUT);
    return true;
}

void tern__engine_session_keep(tern__csession *cs, tern_dur keepalive, tern_time now) {
    cs->keepalive = keepalive;
    cs->s.ccold->ping_at = now;
    if (keepalive && cs->s.state == TERN__STATE_OPEN) tern__timer_lower(&cs->s, now + (tern_time)keepalive);
}

/* ---- Sessions with calls, on reliable links ------------------------------------------------------- */

/* Whether anything at all has moved between us and the peer since we last asked: then it is not dead, but our packets
 * wait behind others. */
static bool has_moved(const tern__csession *cs) {
    const tern__session *s = &cs->s;
    bool (*moved)(tern__link *, const tern__route *, uint64_t *) = s->link->ops->has_moved;
    return moved && moved(s->link, &s->route, &tern__slots_of(cs)->mark);
}

bool tern__client_watch(tern__csession *cs, tern_time now) {
    tern__session *s = &cs->s;
    if (tern__client_is_idle(cs)) return true;
    tern__slots *slots = tern__slots_of(cs);
    tern_dur patience = s->engine->config.peer_timeout, quiet = patience / QUIET_PER_TIMEOUT;
    tern_time since = tern__client_silent_since(cs);
    if (now < since + (tern_time)quiet || now < slots->look_at) return true;
    slots->look_at = now + (tern_time)(patience / PINGS_PER_TIMEOUT);
    bool moved = has_moved(cs), first = s->probes == 0;
    if (first || moved) tern__client_set_busy_since(cs, now - (tern_time)quiet);
    if (moved && !first) s->probes = 0;
    if (s->probes >= MIN_PINGS && now - since >= (tern_time)patience) {
        tern__session_say_goodbye(s);
        tern__session_lose_for(s, TERN__WHY_SILENT);
        return false;
    }
    tern__session_send_ping(s);
    s->probes++; /* also where the link is full: who takes nothing for so long does not live */
    return true;
}

/* An instant that the timer must meet exactly, if it is still to come. */
static tern_time not_past(tern_time due, tern_time at, tern_time now) { return at > now && at < due ? at : due; }

/* On a link that loses packets retransmissions ask, and only the end is to be met. On a reliable one looks begin
 * exactly a quarter of peer_timeout after the last sign of life, so that the last of them comes when peer_timeout is
 * over. */
tern_time tern__client_watch_due(const tern__csession *cs, tern_time now) {
    bool reliable = cs->s.link->reliable;
    tern_dur patience = cs->s.engine->config.peer_timeout;
    tern_time due = reliable ? now + (tern_time)(patience / PINGS_PER_TIMEOUT) : TERN__NEVER;
    if (tern__client_is_idle(cs) || (!reliable && !cs->s.probes)) return due;
    tern_time since = tern__client_silent_since(cs);
    if (!reliable) return not_past(due, since + (tern_time)patience, now);
    due = not_past(due, since + (tern_time)(patience / QUIET_PER_TIMEOUT), now);
    return not_past(due, tern__slots_of(cs)->look_at, now);
}
