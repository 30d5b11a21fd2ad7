/* The shortest way: raw messages of 16 to 32 bytes into a run of lines that is open (link.h). In line where they
 * start, without a call down to the link's memory, because calls and the registers they save would be a third of the
 * work. Whatever is not plain is for the functions of engine.h. What happens to a call or a request is in call.h and
 * request.h, as for all messages. Other layers use the functions at the end of this file, from tern__is_direct() on.
 * */
#ifndef TERN_ENGINE_SHORTEST_H
#define TERN_ENGINE_SHORTEST_H

#include "engine/call.h"
#include "engine/request.h"

/* Whether the session's run has a line for raw bytes; only open sessions have a run. */
static inline bool tern__run_takes(const tern__session *s, size_t len) {
    return len - TERN__RUN_PUT_LEAST < s->line_lengths && tern__run_is_open(s->run);
}

/* It does: a dozen stores. x: a request's method, or how long a response was held. */
static inline void tern__run_send_raw(const tern__session *s, uint32_t req, uint32_t x, tern_bytes raw) {
    tern__run_put(s->run, s->tx_usual | TERN_FORMAT_RAW << 16, req, x, raw.data, (uint32_t)raw.len);
}

/* Nothing waits before a new request. */
static inline bool tern__is_clear(const tern__csession *cs) {
    return !TERN__IS_OFF(SHORT_WAY) && cs->free_slots && cs->in_flight < cs->credits && !cs->unsent && !cs->n_backlog;
}

/* The four bytes of a request's state say all that matters: it runs, its response is wanted, and nothing is due to the
 * client before. */
static inline bool tern__is_usual(const tern__request *request) {
    return !TERN__IS_OFF(SHORT_WAY) && tern__load32(&request->state) == TERN__REQUEST_RUNNING;
}
_Static_assert(offsetof(tern__request, cr_pending) == offsetof(tern__request, state) + 3 &&
                   offsetof(tern__request, orphan) > offsetof(tern__request, state) &&
                   offsetof(tern__request, abandoned) > offsetof(tern__request, state),
               "as tern__is_usual() reads it");

/* A free slot of a reliable link, as all with lines are, holds no message: there is none to forget. A session without
 * slots has no call in flight, and has to take some first (tern__engine_request_now()). */
static inline bool tern__is_direct(const tern__csession *cs, tern_bytes raw) {
    return tern__run_takes(&cs->s, raw.len) && tern__is_clear(cs) && cs->slots;
}

static inline void tern__direct_request(tern__csession *cs, uint32_t method, tern_bytes raw, void *call,
                                        tern_time now) {
    uint32_t i = tern__call_slot(cs), req = tern__call_number(cs, i);
    tern__new_call start = {.call = call, .how = TERN__BEGIN_SENT, .method = method};
    tern__call_begin(cs, i, &start, true, now);
    cs->s.engine->stats.calls_issued++;
    tern__run_send_raw(&cs->s, req, method, raw); /* last, as to the compiler its bytes may be any of the above */
}

/* Status OK. */
static inline bool tern__direct_respond(tern__request *request, tern_bytes raw, tern_time now) {
    tern__ssession *ss = request->session;
    if (!tern__run_takes(&ss->s, raw.len) || !request->is_transient || !tern__is_usual(request)) return false;
    tern__run_send_raw(&ss->s, request->req, tern__held_ns(request, now), raw);
    tern__request_finish(request, true, true);
    return true;
}

/* Whether the sessions are so many that the nearest caches do not hold them. */
static inline bool tern__engine_is_crowded(const tern__engine *e) { return e->n_live > e->config.crowd_sessions; }

/* Have the hot lines of this session in the cache soon. */
static inline void tern__session_prefetch(const tern__session *s, bool reliable) {
    const uint8_t *lines = (const uint8_t *)s;
    __builtin_prefetch(lines, 1);
    __builtin_prefetch(lines + TERN__LINE_BYTES, 1);
    if (!reliable) __builtin_prefetch(lines + 2 * TERN__LINE_BYTES, 1);
    __builtin_prefetch(lines + 3 * TERN__LINE_BYTES, 1);
}

#endif
