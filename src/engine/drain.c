/* Going away in good order. A server that drains refuses new sessions and tells each client by GOAWAY, until it has
 * heard the same back; the client sends no new requests on that session, waits for what it has sent, and disconnects.
 * Sessions that are left at the deadline are ended by the server. */
#include "engine/call.h"
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

bool tern__engine_is_drained(const tern__engine *e) { return e->draining && e->n_served == 0; }

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

bool tern__engine_session_is_idle(const tern__csession *cs) {
    return cs->free_slots == UINT8_MAX && tern__list_empty(&cs->s.ccold->backlog);
}

/* Slots with requests of which nothing has left. */
static uint32_t unbegun_slots(const tern__csession *cs) {
    uint32_t mask = 0;
    for (uint32_t left = cs->unsent & (uint8_t)~cs->free_slots; left; left &= left - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(left);
        if (!tern__client_has_left(cs, i)) mask |= 1u << i;
    }
    return mask;
}

bool tern__engine_session_has_backlog(const tern__csession *cs) {
    return !tern__list_empty(&cs->s.ccold->backlog) || unbegun_slots(cs);
}

/* The request of slot i waits for a slot of another session. Where the slot's last response is still to be reported,
 * its new number, which never leaves, no longer does that. */
static void wait_elsewhere(tern__csession *from, uint32_t i, tern__csession *to, tern_time now) {
    tern__cslot *slot = &from->slots[i];
    tern__out *out = slot->out;
    out->call = slot->call;
    out->method = slot->method;
    out->deadline = slot->deadline;
    slot->out = NULL;
    tern__trace_call(from, i, TERN__CALL_QUEUED, 0);
    tern__client_report_now(from, i, now);
    tern__call_end(from, i, false, from->s.link->reliable);
    if (!from->s.link->reliable) tern__call_report(from, i, now);
    tern__list_append(&to->s.ccold->backlog, &out->node);
    to->n_backlog++;
    if (out->deadline) to->s.ccold->backlog_deadline = tern__min_time(to->s.ccold->backlog_deadline, out->deadline);
    if (out->deadline) tern__timer_lower(&to->s, out->deadline);
}

uint32_t tern__engine_move_backlog(tern__csession *from, tern__csession *to, tern_time now) {
    uint32_t n_moved = 0;
    tern__engine *e = from->s.engine;
    e->now = now;
    if (from->s.link != to->s.link) return 0;
    for (uint32_t left = unbegun_slots(from); left && to->n_backlog < e->config.max_backlog; left &= left - 1) {
        wait_elsewhere(from, (uint32_t)__builtin_ctz(left), to, now);
        n_moved++;
    }
    tern__client_rest(from);
    for (tern__node *node = from->s.ccold->backlog.next, *next; node != &from->s.ccold->backlog; node = next) {
        tern__out *out = TERN__CONTAINER(node, tern__out, node);
        next = node->next;
        if (out->stream || to->n_backlog >= e->config.max_backlog) continue;
        tern__client_dequeue(from, out);
        tern__list_append(&to->s.ccold->backlog, &out->node);
        to->n_backlog++;
        n_moved++;
        if (!out->deadline) continue;
        to->s.ccold->backlog_deadline = tern__min_time(to->s.ccold->backlog_deadline, out->deadline);
        tern__timer_lower(&to->s, out->deadline);
    }
    tern__client_pump(to, now);
    return n_moved;
}
