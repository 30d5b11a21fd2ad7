/* Going away in good order. A server that drains refuses new sessions and tells each client by GOAWAY, until it has
 * heard the same back; the client sends no new requests on that session, waits for what it has sent, and disconnects.
 * Sessions that are left at the deadline are ended by the server. */
#include "engine/drain.h"

#include "engine/control.h"
#include "engine/session.h"
#include "engine/tracing.h"

void tern__engine_drain(tern__engine *e, tern_time deadline, tern_time now) {
    e->now = now;
    e->draining = true;
    e->drain_deadline = deadline;
    for (uint32_t i = 0; i < e->n_table; i++) {
        tern__session *s = e->sessions[i];
        if (s && s->role == TERN__SERVER) tern__timer_lower(s, now);
    }
}

bool tern__engine_is_drained(const tern__engine *e) { return e->draining && e->n_server_sessions == 0; }

/* The server's says what has begun so far; requests that are on their way may still begin. */
static bool send_goaway(tern__session *s) {
    uint8_t begun[TERN__BEGUN_BYTES];
    uint32_t len = 0;
    tern__pkt_header h = tern__session_header(s, TERN__PKT_GOAWAY);
    if (s->role == TERN__SERVER) len = tern__session_write_begun(s, begun);
    return tern__send_control(s, &h, begun, len);
}

/* Tell the client again when that is due. On a reliable link once is enough. */
tern_time tern__server_drain(tern__ssession *ss, tern_time now) {
    const tern__engine *e = ss->s.engine;
    if (ss->goaway == TERN__GOAWAY_DONE) return e->drain_deadline;
    if (ss->goaway == TERN__GOAWAY_NOT || ss->s.scold->goaway_at <= now) {
        bool sent = send_goaway(&ss->s);
        if (sent && ss->s.link->reliable) {
            ss->goaway = TERN__GOAWAY_DONE;
            return e->drain_deadline;
        }
        tern_dur gap = TERN__CONNECT_FIRST << ss->goaway;
        if (sent) ss->goaway = (uint8_t)(ss->goaway < TERN__GOAWAY_LAST ? ss->goaway + 1 : ss->goaway);
        ss->s.scold->goaway_at = now + (tern_time)(gap < TERN__CONNECT_REPEAT ? gap : TERN__CONNECT_REPEAT);
    }
    return tern__min_time(ss->s.scold->goaway_at, e->drain_deadline);
}

void tern__session_rx_goaway(tern__session *s) {
    tern__engine *e = s->engine;
    if (s->role == TERN__SERVER) {
        if (e->draining) ((tern__ssession *)s)->goaway = TERN__GOAWAY_DONE;
        return;
    }
    tern__csession *cs = (tern__csession *)s;
    if (!s->link->reliable) send_goaway(s);
    if (cs->draining) return;
    cs->draining = true;
    tern__session_set_ways(s);
    e->config.callbacks.on_session(e->config.user, cs, cs->s.ccold->user, TERN__SESSION_DRAINING);
}
