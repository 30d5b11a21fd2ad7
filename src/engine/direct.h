/* The shortest way: raw messages of 16 to 32 bytes into a lane (link.h). In line where they start, without a call down
 * to the link's memory, because calls and the registers they save would be a third of the work. Whatever is not plain
 * is for the functions of engine.h. Of this file and internal.h, only the four functions at the end are for other
 * layers. */
#ifndef TERN_ENGINE_DIRECT_H
#define TERN_ENGINE_DIRECT_H

#include "engine/internal.h"

static inline void tern__count_sent(tern__engine_stats *stats, uint32_t packet_bytes, uint32_t copied_bytes) {
    stats->tx_messages++;
    stats->copied_bytes += copied_bytes;
    stats->tx_packets++;
    stats->tx_bytes += packet_bytes;
}

/* Whether the session's lane takes raw bytes; only open sessions have one. */
static inline bool tern__lane_takes(const tern__session *s, size_t len) {
    return tern__lane_is_open(s->lane) && len - 16 <= 16 && len < s->copy_below;
}

/* It does: a dozen stores. */
static inline void tern__lane_send_raw(const tern__session *s, uint32_t req, uint32_t aux, tern_bytes raw) {
    uint32_t len = (uint32_t)raw.len;
    tern__lane_send(s->lane, s->tx_usual | TERN_FORMAT_RAW << 16, req, (uint64_t)aux << 32 | len, raw.data, len);
}

/* Nothing waits before a new request. */
static inline bool tern__is_clear(const tern__csession *cs) {
    return !TERN__IS_OFF(SHORT_WAY) && cs->free_slots && cs->in_flight < cs->credits && !cs->unsent && !cs->n_backlog;
}

/* The request `req` of slot i leaves. */
static inline tern__cslot *tern__begin_call(tern__csession *cs, uint32_t i, uint32_t req, void *call, tern_time now) {
    tern__cslot *slot = &cs->slots[i];
    uint32_t free_slots = cs->free_slots;
    if (free_slots == UINT8_MAX) tern__slots_of(cs)->busy_since = now;
    cs->free_slots = (uint8_t)(free_slots & (free_slots - 1));
    cs->in_flight++;
    slot->call = call;
    slot->last_tx = now;
    cs->s.reqs[i] = req;
    tern__slot_sent(slot, req);
    cs->s.engine->stats.calls_issued++;
    return slot;
}

/* The four bytes of a request's state say all that matters: it runs, its response is wanted, and nothing is due to the
 * client before. */
static inline bool tern__is_plain(const tern__served *served) {
    return !TERN__IS_OFF(SHORT_WAY) && tern__load32(&served->state) == TERN__SERVED_RUNNING;
}
_Static_assert(offsetof(tern__served, cr_pending) == offsetof(tern__served, state) + 3 &&
                   offsetof(tern__served, orphan) > offsetof(tern__served, state) &&
                   offsetof(tern__served, abandoned) > offsetof(tern__served, state),
               "as tern__is_plain() reads it");

static inline uint32_t tern__held_ns(const tern__served *served, tern_time now) {
    tern_time held = now - served->arrived;
    return held < UINT32_MAX ? (uint32_t)held : UINT32_MAX;
}

static inline uint32_t tern__note_held(tern__served *served, tern_time now) {
    return served->held_ns = tern__held_ns(served, now);
}

/* The response has left; what may have to be sent again is in out.
 *
 * The engine has records ready for requests that come the short way. Such a record is no slot's while the handler runs,
 * and when the handler responds the short way it stays ready: nothing had to be entered anywhere. Otherwise it becomes
 * the slot's (tern__server_attach). They take turns, because a call that used the record of the one before would wait
 * for what that wrote there: a tenth of a call's time. */
static inline void tern__end_request(tern__served *served, tern__out *out) {
    tern__ssession *ss = served->session;
    served->state = out ? TERN__SERVED_RESPONDED : TERN__SERVED_DONE;
    ss->n_running--;
    if (served->ready) return;
    served->out = out;
    served->status = TERN_STATUS_OK;
    served->cr_pending = false;
    /* Only now: the response may have aliased the request. */
    if (served->held) tern__served_release_request(served);
    if (!out) tern__server_give(ss, served);
}

/* A free slot of a reliable link, as all with lanes are, holds no message: there is none to forget. A session without
 * slots has no call in flight, and has to take some first (tern__engine_request_now()). */
static inline bool tern__is_direct(const tern__csession *cs, tern_bytes raw) {
    return tern__lane_takes(&cs->s, raw.len) && tern__is_clear(cs) && cs->slots;
}

static inline void tern__direct_request(tern__csession *cs, uint32_t method, tern_bytes raw, void *call,
                                        tern_time now) {
    uint32_t i = (uint32_t)__builtin_ctz(cs->free_slots), req = cs->s.reqs[i] + TERN__N_SLOTS;
    tern__lane_send_raw(&cs->s, req, method, raw);
    tern__begin_call(cs, i, req, call, now);
}

/* Status OK. */
static inline bool tern__direct_respond(tern__served *served, tern_bytes raw, tern_time now) {
    tern__ssession *ss = served->session;
    if (!served->ready || !tern__lane_takes(&ss->s, raw.len) || !tern__is_plain(served)) return false;
    tern__lane_send_raw(&ss->s, served->req, tern__held_ns(served, now), raw);
    served->state = TERN__SERVED_DONE;
    ss->n_running--;
    return true;
}

/* Whether the sessions are so many that the nearest caches do not hold them. */
static inline bool tern__engine_is_crowded(const tern__engine *e) { return e->n_live > TERN__CROWD; }

/* Have the hot lines of this session in the cache soon. */
static inline void tern__session_expect(const tern__session *s, bool reliable) {
    const uint8_t *lines = (const uint8_t *)s;
    __builtin_prefetch(lines, 1);
    __builtin_prefetch(lines + TERN__LINE_BYTES, 1);
    if (!reliable) __builtin_prefetch(lines + 2 * TERN__LINE_BYTES, 1);
    __builtin_prefetch(lines + 3 * TERN__LINE_BYTES, 1);
}

#endif
