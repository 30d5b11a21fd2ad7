/* Requests and responses that their clients have forgotten (progress.h). */
#include "engine/progress.h"

static bool is_receiving(const tern__request *request) { return request->state == TERN__REQUEST_RECEIVING; }

static bool is_kept(const tern__request *request) { return request->state == TERN__REQUEST_RESPONDED && request->out; }

/* The time at which the client last made progress in any of its calls and streams: `now` while a handler runs, or is
 * to. */
static tern_time last_progress(const tern__ssession *ss, tern_time now) {
    tern_time last = ss->n_streams ? ss->s.scold->requests->places->moved_at : 0; /* they share the client's credits */
    for (uint32_t taken = ss->taken; taken; taken &= taken - 1) {
        const tern__request *request = tern__request_at(ss, (uint32_t)__builtin_ctz(taken));
        if (tern__request_is_under_way(request)) return now;
        if ((is_receiving(request) || is_kept(request)) && request->asked_at > last) last = request->asked_at;
    }
    return last;
}

tern_time tern__progress_check(tern__ssession *ss, tern_time now) {
    tern_time next = TERN__NEVER, last = last_progress(ss, now);
    for (uint32_t taken = ss->taken; taken; taken &= taken - 1) {
        tern__request *request = tern__request_at(ss, (uint32_t)__builtin_ctz(taken));
        if (!request || !(is_receiving(request) || is_kept(request))) continue;
        tern_time due = last + (tern_time)(is_receiving(request) ? TERN__STILL : TERN__UNFETCHED);
        if (due <= now)
            ss->s.engine->roles[TERN__SERVER]->give_up(request);
        else
            next = tern__min_time(next, due);
    }
    return next;
}
