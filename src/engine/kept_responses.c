/* Responses that are kept because their clients may ask for them again, and a bound on all of them together.
 *
 * Each counts in the bytes of the buffers that it keeps from others, on its peer's account (account.h). Beyond the
 * bound those who hold the most give up what nobody has asked for the longest; their clients get DATA_LOSS when they
 * ask (the call has run, its response is gone), and no handler runs again. */
#include "engine/kept_responses.h"

#include "engine/reclaim.h"
#include "mem/pool.h"

uint64_t tern__out_retained_bytes(const tern__out *out) {
    const void *own, *last = NULL;
    size_t bytes = 0;
    own = tern_recover(out, &bytes);
    uint64_t sum = bytes;
    for (uint32_t i = 0; i < out->n_segs; i++) {
        const void *buffer = tern_recover(out->segs[i].data, &bytes);
        if (!buffer || buffer == own) continue;
        if (buffer != last) sum += bytes;
        last = buffer;
    }
    return sum;
}

void tern__request_release_response(tern__request *request) {
    tern__request_unkeep_response(request->session->s.engine, request);
}

/* DATA_LOSS is what the client gets instead, from now on. */
static void give_up_response(tern__request *request) {
    tern__engine *e = request->session->s.engine;
    tern__request_release_response(request);
    e->stats.evicted++;
    request->status = TERN_STATUS_DATA_LOSS;
}

/* On a reliable link the client is told at once, on others when it asks. */
void tern__kept_evict(tern__request *request) {
    tern__ssession *ss = request->session;
    give_up_response(request);
    if (ss->s.link->reliable && ss->s.state == TERN__STATE_OPEN)
        ss->s.engine->roles[TERN__SERVER]->send_response(ss, request);
}

/* The client has asked for the response: others are given up before. */
void tern__request_note_asked(tern__request *request) {
    const tern__session *s = &request->session->s;
    request->asked_at = s->engine->now;
    tern__list_remove(&request->node);
    tern__list_append(&s->cold->peer->kept, &request->node);
}

static bool is_over(tern__session *s) {
    const tern__engine *e = s->engine;
    return e->kept_bytes > e->config.max_kept_bytes || !tern__charge_taken(s, 0);
}

/* Room is made by giving up responses: first those of heavier peers (reclaim.h), then the oldest response of this peer.
 * When the client is still fetching the oldest one, the new response is given up instead, so that the client gets to
 * the end of what it has begun to fetch. A response that is the only one is kept, however long it is. */
void tern__kept_make_room(tern__engine *e, tern__request *request) {
    tern__session *s = &request->session->s;
    tern__peer *peer = s->cold->peer;
    while (is_over(s)) {
        if (tern__reclaim_response(e, peer)) continue;
        if (e->kept_bytes == request->kept_bytes) return;
        tern__request *oldest = TERN__CONTAINER(peer->kept.next, tern__request, node);
        if (oldest == request || e->now - oldest->asked_at < TERN__KEPT_GRACE) {
            give_up_response(request);
            return;
        }
        tern__kept_evict(oldest);
    }
}
