/* When a stream has to wait (stream_turn.h). */
#include "rpc/stream_turn.h"

#include "engine/stream_server.h"

enum { CALLBACKS_PER_LOOK = 8 }; /* at the clock, outside turns */
#define TURN TERN_MS
#define LONGEST (3 * TERN_MS) /* outside turns, of callbacks for what arrived at once */

void tern__stream_turn_wait(tern__stream_record *s) {
    s->waits = true;
    s->ep->is_behind = true; /* the next poll runs what waits */
    tern__stream_put_off(s->st);
}

void tern__stream_turn_begin(tern__stream_record *s) {
    s->waits = false;
    tern__endpoint_read_clock(s->ep);
    s->ep->turn_until = s->ep->now + (tern_time)TURN;
}

void tern__stream_turn_end(tern_endpoint *ep) { ep->turn_until = 0; }

/* Outside turns only the time of several callbacks counts: one is no more than one call. */
static bool has_taken_long(tern_endpoint *ep, tern__delivery *delivery) {
    bool looks = ep->turn_until || delivery->n % CALLBACKS_PER_LOOK == 0;
    if (!looks) return false;
    tern__endpoint_read_clock(ep);
    if (!delivery->begun) delivery->begun = ep->now;
    return ep->turn_until ? ep->now >= ep->turn_until : ep->now - delivery->begun >= (tern_time)LONGEST;
}

void tern__stream_turn_note(tern__stream_record *s, tern__delivery *delivery) {
    if (!s->st || !tern__stream_is_server(s)) return;
    if (!delivery->n++) s->ep->look_at_served--; /* all of a delivery counts as a call */
    if (!s->waits && has_taken_long(s->ep, delivery)) tern__stream_turn_wait(s);
}
