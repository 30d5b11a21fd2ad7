/* Requests of which nothing has been sent, and their way to another session: one whose server goes away hands them over
 * to the session that takes its place. */
#include "engine/backlog.h"

#include "engine/client.h"
#include "engine/tracing.h"

bool tern__engine_session_is_idle(const tern__csession *cs) {
    return tern__client_is_idle(cs) && tern__list_empty(&cs->s.ccold->backlog);
}

/* Slots with requests of which nothing has left. */
static uint32_t unsent_slots(const tern__csession *cs) {
    uint32_t mask = 0;
    for (uint32_t left = cs->unsent & (uint8_t)~cs->free_slots; left; left &= left - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(left);
        if (!tern__client_has_left(cs, i)) mask |= 1u << i;
    }
    return mask;
}

bool tern__engine_session_has_backlog(const tern__csession *cs) {
    return !tern__list_empty(&cs->s.ccold->backlog) || unsent_slots(cs);
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
    for (uint32_t left = unsent_slots(from); left && to->n_backlog < e->config.max_backlog; left &= left - 1) {
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
