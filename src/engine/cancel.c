/* Calls that their callers give up. The call is over here at once; the server is told by a CANCEL, so that its handler
 * need not go on for nobody. Where a CANCEL gets lost the client's next report says the same (client.c). */
#include "engine/cancel.h"

#include "engine/client.h"
#include "engine/control.h"
#include "engine/tracing.h"

/* On a reliable link that is full there will be a report instead. */
static void tell_server(tern__csession *cs, uint32_t i, tern_time now) {
    tern__pkt_header h = tern__session_header(&cs->s, TERN__PKT_CANCEL);
    h.req = cs->slots[i].req;
    h.code = TERN__CANCEL_CALLER;
    if (!tern__send_control(&cs->s, &h, NULL, 0)) tern__client_report_now(cs, i, now);
}

static tern__cancelled cancel_slot(tern__csession *cs, const void *call, tern_time now) {
    for (uint32_t busy = (uint8_t)~cs->free_slots; busy; busy &= busy - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(busy);
        if (cs->slots[i].call != call) continue;
        bool has_left = tern__client_has_left(cs, i);
        if (has_left)
            tell_server(cs, i, now);
        else /* it was to tell the end of the slot's last request, and never will */
            tern__client_report_now(cs, i, now);
        tern__client_abandon(cs, i, now);
        return has_left ? TERN__CANCELLED_SENT : TERN__CANCELLED_UNSENT;
    }
    return TERN__CANCELLED_NOT;
}

static bool cancel_waiting(tern__csession *cs, const void *call) {
    for (tern__node *node = cs->s.ccold->backlog.next; node != &cs->s.ccold->backlog; node = node->next) {
        tern__out *out = TERN__CONTAINER(node, tern__out, node);
        if (out->call != call || out->stream) continue;
        tern__trace_waiting(cs, TERN__CALL_QUEUED, TERN__CALL_FREE, TERN_STATUS_CANCELLED);
        tern__client_dequeue(cs, out);
        tern__out_release(cs->s.engine, out);
        cs->s.engine->stats.calls_completed++;
        return true;
    }
    return false;
}

tern__cancelled tern__engine_cancel(tern__csession *cs, const void *call, tern_time now) {
    cs->s.engine->now = now;
    tern__cancelled sent = cancel_slot(cs, call, now);
    return !sent && cancel_waiting(cs, call) ? TERN__CANCELLED_UNSENT : sent;
}
