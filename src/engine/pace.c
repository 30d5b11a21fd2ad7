/* Congestion control of a session: what the algorithm (cc.h) says, applied to its packets.
 *
 * Of requests and their responses only the client paces: the server sends a packet for each of the client's, so a
 * demand for a response packet (RFR) counts as that packet. Of streams each end paces what it writes. What waits in the
 * wheel is the session, at most once, and never a packet: what is sent when its time comes is what the session then
 * still has to send. So nothing in the wheel refers to a message, and a message can be let go at any time (eRPC's
 * appendix C drops responses instead).
 *
 * Requests much smaller than a packet are light: they neither wait nor count. A session has eight slots, so all that
 * it can have of them in flight is about one packet, as much as the smallest window would let pass; and the usual small
 * call never looks at any of this (direct.c).
 *
 * What goes without an answer after its timeout is not in flight any more but lost, and is sent again by itself, with
 * longer and longer pauses. The rest of the session does not wait for it: a slot that is stuck in this way does not
 * count, and begins nothing new before it is answered. */
#include "engine/pace.h"

#include "engine/cc_none.h"
#include "engine/ecn.h"
#include "engine/sealed.h"
#include "engine/tracing.h"

#define LAG (4 * TERN_US) /* a packet sent late by this does not delay the following ones */

/* Followed by the algorithm's state. */
struct tern__pace {
    tern__cc cc;
    tern__wheel_entry entry;
    tern__session *s;
    tern_time next_tx;   /* of the next packet that counts, while there is a rate */
    tern_time used_at;   /* when a packet that counts was last sent for the first time */
    uint32_t copy_below; /* of the session, while it was uncongested */
    bool held_up;        /* a packet has had to wait for window or rate since the last acknowledgement */
};

/* Where the state begins: aligned for any type. */
enum { STATE_AT = (sizeof(struct tern__pace) + 15) / 16 * 16 };

static tern__pace **place_of(tern__session *s) {
    return s->role == TERN__CLIENT ? &((tern__csession *)s)->pace : &s->scold->pace;
}

const tern__cc *tern__pace_control(const tern__session *s) {
    const tern__pace *pace = s->role == TERN__CLIENT ? ((const tern__csession *)s)->pace : s->scold->pace;
    return pace ? &pace->cc : NULL;
}

static uint32_t packet_bytes(const tern__session *s, uint32_t payload_bytes) {
    return payload_bytes + TERN__PKT_MAX_HEADER_BYTES + tern__sealed_overhead(s);
}

static uint32_t full_packet(const tern__session *s) { return packet_bytes(s, s->payload_bytes); }

static tern__cc_path path_of(const tern__session *s) {
    bool client = s->role == TERN__CLIENT;
    uint32_t credits = client ? ((const tern__csession *)s)->credits : s->scold->credits;
    return (tern__cc_path){.min_rtt = s->rtt.min > 0 ? s->rtt.min : 1,
                           .noise = s->path->noise_ns,
                           .line_rate = (s->path->rate_bps ? (double)s->path->rate_bps : 100e9) / 8,
                           .packet_bytes = full_packet(s),
                           .max_bytes = (double)credits * full_packet(s)};
}

/* A congested client session has no short way for what is not light. */
static tern__pace *begin_control(tern__session *s, const tern__cc_path *path, tern_time now) {
    const tern__cc_ops *ops = s->engine->config.cc;
    tern__pace *pace = tern_alloc_private(STATE_AT + ops->state_bytes);
    if (!pace) return NULL;
    *pace = (tern__pace){.s = s, .next_tx = now, .used_at = now, .copy_below = s->copy_below};
    pace->cc = (tern__cc){.path = *path, .state = (uint8_t *)pace + STATE_AT};
    tern__list_init(&pace->entry.node);
    uint32_t light = s->payload_bytes / TERN__N_SLOTS;
    if (light < TERN__LIGHT_BYTES) light = TERN__LIGHT_BYTES;
    if (s->role == TERN__SERVER)
        tern__timer_lower(s, now + (tern_time)TERN__REPORT_DELAY);
    else if (s->copy_below > light)
        s->copy_below = light;
    ops->init(&pace->cc, now);
    s->engine->stats.congested++;
    *place_of(s) = pace;
    tern__trace_congestion(s, TERN__CONGESTION_BEGINS, pace->cc.window_bytes, pace->cc.rate);
    return pace;
}

void tern__pace_drop(tern__session *s) {
    tern__pace *pace = *place_of(s);
    if (!pace) return;
    tern__trace_congestion(s, TERN__CONGESTION_ENDS, 0, 0);
    if (s->engine->wheel) tern__wheel_remove(s->engine->wheel, &pace->entry);
    s->copy_below = pace->copy_below;
    *place_of(s) = NULL;
    tern_unref(pace);
}

void tern__pace_forget(tern__session *s) {
    tern__pace_drop(s);
    s->rtt.min = 0;
}

tern_time tern__pace_rest(tern__ssession *ss, tern_time now) {
    if (!ss->s.scold->pace || ss->s.scold->in_flight) return TERN__NEVER;
    tern_time forget_at = ss->s.scold->pace->used_at + (tern_time)TERN__REPORT_DELAY;
    if (forget_at > now) return forget_at;
    tern__pace_forget(&ss->s);
    return TERN__NEVER;
}

/* ---- Sending -------------------------------------------------------------------------------------- */

static bool is_light(const tern__csession *cs, const tern__cslot *slot) {
    return slot->phase == TERN__SLOT_REQ && !slot->win && slot->out && tern__is_light(&cs->s, slot->out->size);
}

/* It has something in flight that was not answered in time; a tail probe alone tells nothing. */
static bool is_stuck(const tern__cslot *slot) { return slot->n_out && slot->backoff > tern__has_tail(slot); }

/* The calls whose packets count, and how many of these are in flight; and those that are stuck. */
static uint64_t heavy_calls(const tern__csession *cs, uint64_t *stuck, uint32_t *in_flight) {
    uint64_t heavy = 0;
    *stuck = *in_flight = 0;
    for (uint64_t used = tern__calls_in_use(cs); used; used &= used - 1) {
        uint32_t i = (uint32_t)__builtin_ctzll(used);
        const tern__cslot *slot = tern__call_at(cs, i);
        if (is_light(cs, slot)) continue;
        heavy |= 1ull << i;
        if (is_stuck(slot))
            *stuck |= 1ull << i;
        else
            *in_flight += slot->n_out;
    }
    return heavy;
}

/* False: there is no memory for the wheel. */
static bool wait_in_wheel(tern__pace *pace, tern_time now) {
    tern__engine *e = pace->s->engine;
    if (!e->wheel) {
        e->wheel = tern_alloc_private(sizeof *e->wheel);
        if (!e->wheel) return false;
        tern__wheel_init(e->wheel, now);
        e->has_waiting = true;
    }
    if (!tern__list_empty(&pace->entry.node)) return true;
    tern__wheel_put(e->wheel, &pace->entry, pace->next_tx, now);
    e->stats.paced++;
    return true;
}

/* Whether one packet more may leave now. When it has to wait for a point in time, the session is in the wheel. */
static bool may_send(tern__pace *pace, uint32_t in_flight, tern_time now) {
    bool fits = in_flight == 0 || (in_flight + 1.0) * pace->cc.path.packet_bytes <= pace->cc.window_bytes;
    bool may = fits && (pace->cc.rate <= 0 || pace->next_tx <= now || !wait_in_wheel(pace, now));
    pace->held_up |= !may;
    return may;
}

uint64_t tern__pace_ready(tern__csession *cs, tern_time now) {
    uint32_t in_flight;
    uint64_t stuck, heavy = heavy_calls(cs, &stuck, &in_flight), unsent = tern__calls_unsent(cs);
    if (!(unsent & heavy & ~stuck) || !may_send(cs->pace, in_flight, now)) return unsent & ~heavy;
    return unsent & ~stuck;
}

uint32_t tern__pace_together(const tern__csession *cs, uint32_t i) {
    const tern__cslot *slot = &cs->slots[i];
    const tern__win *win = slot->win;
    if (slot->phase != TERN__SLOT_REQ || !win || win->next == 0 || cs->unsent != 1u << i || cs->pace) return 1;
    uint32_t n = win->total - win->next, room = win->width - (win->next - win->base);
    uint32_t credits = (uint32_t)(cs->credits - cs->in_flight);
    if (n > room) n = room;
    if (n > credits) n = credits;
    return n < TERN__TX_BATCH ? n : TERN__TX_BATCH;
}

static uint32_t streams_in_flight(const tern__ssession *ss) {
    uint32_t in_flight = 0;
    for (uint32_t left = tern__open_streams(ss); left; left &= left - 1) {
        const tern__stream *st = tern__stream_at(ss, (uint32_t)__builtin_ctz(left))->stream;
        if (!tern__stream_is_stuck(st)) in_flight += st->n_out;
    }
    return in_flight;
}

bool tern__pace_may_stream(tern__ssession *ss, const tern__stream *st, tern_time now) {
    if (!ss->s.scold->pace) return true;
    return !tern__stream_is_stuck(st) && may_send(ss->s.scold->pace, streams_in_flight(ss), now);
}

void tern__pace_charge(tern__session *s, uint32_t payload_bytes, tern_time now) {
    tern__pace *pace = *place_of(s);
    if (!pace) return;
    pace->used_at = now;
    if (pace->cc.rate <= 0) return;
    tern_time earliest = now > (tern_time)LAG ? now - (tern_time)LAG : 0;
    if (pace->next_tx < earliest) pace->next_tx = earliest;
    pace->next_tx += (tern_time)(packet_bytes(s, payload_bytes) * 1e9 / pace->cc.rate);
}

void tern__pace_sent(tern__csession *cs, uint32_t i, tern_time now) {
    const tern__cslot *slot = tern__call_at(cs, i);
    if (slot->phase != TERN__SLOT_STREAM && !is_light(cs, slot)) tern__pace_charge(&cs->s, cs->s.payload_bytes, now);
}

void tern__pace_run_wheel(tern__engine *e, tern_time now) {
    tern__wheel_entry *entry;
    while ((entry = tern__wheel_take(e->wheel, now)) != NULL) {
        tern__session *s = TERN__CONTAINER(entry, tern__pace, entry)->s;
        e->roles[s->role]->pump(s, now);
    }
}

/* ---- What the network says ------------------------------------------------------------------------ */

static uint32_t packets_in_flight(const tern__session *s) {
    uint64_t stuck;
    uint32_t in_flight;
    if (s->role == TERN__SERVER) return streams_in_flight((const tern__ssession *)s);
    heavy_calls((const tern__csession *)s, &stuck, &in_flight);
    return in_flight;
}

/* What was in flight before the acknowledgement, and whether that was less than might have been (the idea of RFC 7661:
 * what a window has not carried says nothing about whether the path could). */
static void note_use(tern__pace *pace, const tern__acked *acked, tern__cc_ack *ack) {
    uint32_t n = packets_in_flight(pace->s) + acked->n_pkts - acked->n_counted;
    ack->in_flight_bytes = n * pace->cc.path.packet_bytes;
    ack->app_limited = !pace->held_up && ack->in_flight_bytes + pace->cc.path.packet_bytes <= pace->cc.window_bytes;
    pace->held_up = false;
}

void tern__pace_ack(tern__session *s, const tern__acked *acked, tern_time now) {
    const tern__cc_ops *ops = s->engine->config.cc;
    uint32_t n_marked = tern__ecn_marked(s, acked->n_pkts);
    tern__pace *pace = *place_of(s);
    s->engine->stats.marked += n_marked;
    if (!pace && acked->rtt < 0 && !n_marked) return;
    tern__cc_path path = path_of(s);
    tern__cc_ack ack = {.now = now,
                        .rtt = acked->rtt,
                        .bytes = acked->n_pkts * path.packet_bytes,
                        .marked_bytes = n_marked * path.packet_bytes};
    if (!pace && !TERN__IS_OFF(BYPASS) && ops->is_calm(&path, &ack)) return;
    if (!pace && !(pace = begin_control(s, &path, now))) return;
    pace->cc.path = path;
    note_use(pace, acked, &ack);
    bool calmed = ops->on_ack(&pace->cc, &ack);
    tern__trace_congestion(s, TERN__CONGESTION_GOES_ON, pace->cc.window_bytes, pace->cc.rate);
    if (pace->cc.path_rtt) s->rtt.min = tern__rtt_ns(pace->cc.path_rtt);
    pace->cc.path_rtt = 0;
    if (calmed) tern__pace_drop(s);
}

/* The session's control, which begins if need be; NULL: no memory. */
static tern__pace *control_of(tern__session *s, tern_time now) {
    tern__cc_path path = path_of(s);
    tern__pace *pace = *place_of(s);
    if (!pace) pace = begin_control(s, &path, now);
    if (pace) pace->cc.path = path;
    return pace;
}

void tern__pace_loss(tern__session *s, tern_time now) {
    const tern__cc_ops *ops = s->engine->config.cc;
    if (!*place_of(s) && !ops->heeds_losses) return;
    tern__pace *pace = control_of(s, now);
    if (!pace) return;
    tern__cc_loss loss = {.now = now, .in_flight_bytes = packets_in_flight(s) * pace->cc.path.packet_bytes};
    ops->on_loss(&pace->cc, &loss);
    tern__trace_congestion(s, TERN__CONGESTION_GOES_ON, pace->cc.window_bytes, pace->cc.rate);
}

void tern__pace_timeout(tern__session *s, uint32_t n, tern_time now) {
    const tern__cc_ops *ops = s->engine->config.cc;
    tern__pace *pace = ops == &tern__cc_none ? NULL : control_of(s, now);
    if (!pace) return;
    ops->on_timeout(&pace->cc, &(tern__cc_timeout){.now = now, .n = n});
    tern__trace_congestion(s, TERN__CONGESTION_GOES_ON, pace->cc.window_bytes, pace->cc.rate);
}
