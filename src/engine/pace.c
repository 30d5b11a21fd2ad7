/* Congestion control of a client session: what the algorithm (cc.h) says, applied to its packets.
 *
 * Only the client paces: the server sends a packet for each of the client's, so a demand for a response packet (RFR)
 * counts as that packet. What waits in the wheel is the session, at most once, and never a packet: what is sent when
 * its time comes is what the session then still has to send. So nothing in the wheel refers to a message, and a
 * message can be let go at any time (eRPC's appendix C drops responses instead).
 *
 * Requests much smaller than a packet are light: they neither wait nor count. A session has eight slots, so all that
 * it can have of them in flight is about one packet, as much as the smallest window would let pass; and the usual small
 * call never looks at any of this (direct.c). */
#include "engine/internal.h"

#define LAG (4 * TERN_US) /* a packet sent late by this does not delay the following ones */

struct tern__pace {
    tern__cc cc;
    tern__wheel_entry entry;
    tern__csession *cs;
    tern_time next_tx;   /* of the next packet that counts, while there is a rate */
    uint32_t copy_below; /* of the session, while it was uncongested */
};

static tern__cc_path path_of(const tern__csession *cs) {
    const tern__link *link = cs->s.link;
    return (tern__cc_path){.min_rtt = cs->s.rtt.min > 0 ? cs->s.rtt.min : 1,
                           .noise = link->noise_ns,
                           .line_rate = (link->rate_bps ? (double)link->rate_bps : 100e9) / 8,
                           .packet_bytes = cs->s.payload_bytes + TERN__PKT_MAX_HEADER_BYTES,
                           .max_window = cs->credits};
}

/* A congested session has no short way for what is not light. */
static tern__pace *begin(tern__csession *cs, const tern__cc_path *path, tern_time now) {
    tern__pace *pace = tern_alloc(sizeof *pace);
    if (!pace) return NULL;
    *pace = (tern__pace){.cs = cs, .next_tx = now, .copy_below = cs->s.copy_below};
    tern__list_init(&pace->entry.node);
    uint32_t light = cs->s.payload_bytes / TERN__N_SLOTS;
    if (light < TERN__LIGHT_BYTES) light = TERN__LIGHT_BYTES;
    if (cs->s.copy_below > light) cs->s.copy_below = light;
    cs->s.engine->config.cc->init(&pace->cc, path, now);
    cs->s.engine->stats.congested++;
    cs->pace = pace;
    return pace;
}

void tern__pace_drop(tern__csession *cs) {
    tern__pace *pace = cs->pace;
    if (!pace) return;
    if (cs->s.engine->wheel) tern__wheel_remove(cs->s.engine->wheel, &pace->entry);
    cs->s.copy_below = pace->copy_below;
    cs->pace = NULL;
    tern_unref(pace);
}

void tern__pace_forget(tern__csession *cs) {
    tern__pace_drop(cs);
    cs->s.rtt.min = 0;
}

/* ---- Sending -------------------------------------------------------------------------------------- */

static bool is_light(const tern__csession *cs, const tern__cslot *slot) {
    return slot->phase == TERN__SLOT_REQ && !slot->win && slot->out && tern__is_light(&cs->s, slot->out->size);
}

/* The slots in use whose packets count, and how many of these are in flight. */
static uint32_t heavy_slots(const tern__csession *cs, uint32_t *in_flight) {
    uint32_t heavy = 0;
    *in_flight = 0;
    for (uint32_t used = (uint8_t)~cs->free_slots; used; used &= used - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(used);
        if (is_light(cs, &cs->slots[i])) continue;
        heavy |= 1u << i;
        *in_flight += cs->slots[i].n_out;
    }
    return heavy;
}

/* False: there is no memory for the wheel. */
static bool wait_in_wheel(tern__csession *cs, tern_time now) {
    tern__engine *e = cs->s.engine;
    tern__pace *pace = cs->pace;
    if (!e->wheel) {
        e->wheel = tern_alloc(sizeof *e->wheel);
        if (!e->wheel) return false;
        tern__wheel_init(e->wheel, now);
    }
    if (!tern__list_empty(&pace->entry.node)) return true;
    tern__wheel_put(e->wheel, &pace->entry, pace->next_tx, now);
    e->stats.paced++;
    return true;
}

uint32_t tern__pace_ready(tern__csession *cs, tern_time now) {
    const tern__pace *pace = cs->pace;
    uint32_t in_flight, heavy = heavy_slots(cs, &in_flight), light = cs->unsent & ~heavy;
    double window = pace->cc.window < 1 ? 1 : pace->cc.window;
    if (!(cs->unsent & heavy) || in_flight + 1 > window) return light;
    if (pace->cc.rate > 0 && pace->next_tx > now && wait_in_wheel(cs, now)) return light;
    return cs->unsent;
}

void tern__pace_sent(tern__csession *cs, uint32_t i, tern_time now) {
    tern__pace *pace = cs->pace;
    if (pace->cc.rate <= 0 || is_light(cs, &cs->slots[i])) return;
    tern_time earliest = now > (tern_time)LAG ? now - (tern_time)LAG : 0;
    double packet_bytes = cs->s.payload_bytes + TERN__PKT_MAX_HEADER_BYTES;
    if (pace->next_tx < earliest) pace->next_tx = earliest;
    pace->next_tx += (tern_time)(packet_bytes * 1e9 / pace->cc.rate);
}

void tern__pace_run_wheel(tern__engine *e, tern_time now) {
    tern__wheel_entry *entry;
    while ((entry = tern__wheel_take(e->wheel, now)) != NULL)
        tern__client_pump(TERN__CONTAINER(entry, tern__pace, entry)->cs, now);
}

/* ---- What the network says ------------------------------------------------------------------------ */

void tern__pace_ack(tern__csession *cs, tern_dur rtt, uint32_t n, tern_time now) {
    const tern__cc_ops *ops = cs->s.engine->config.cc;
    tern__cc_path path = path_of(cs);
    bool calm = !TERN__IS_OFF(BYPASS) && ops->is_calm(&path, rtt);
    if (!cs->pace && (calm || !begin(cs, &path, now))) return;
    tern__cc_ack ack = {.rtt = rtt, .n_pkts = n, .now = now};
    if (ops->ack(&cs->pace->cc, &path, &ack)) tern__pace_drop(cs);
}

void tern__pace_loss(tern__csession *cs, tern_time now) {
    tern__cc_path path = path_of(cs);
    if (cs->pace) cs->s.engine->config.cc->loss(&cs->pace->cc, &path, now);
}

void tern__pace_timeout(tern__csession *cs, uint32_t n, tern_time now) {
    const tern__cc_ops *ops = cs->s.engine->config.cc;
    tern__cc_path path = path_of(cs);
    if (ops == &tern__cc_none) return;
    if (cs->pace || begin(cs, &path, now)) ops->timeout(&cs->pace->cc, &path, n, now);
}
