/* Responses that are kept because their clients may ask for them again (kept_responses.c). */
#ifndef TERN_ENGINE_KEPT_RESPONSES_H
#define TERN_ENGINE_KEPT_RESPONSES_H

#include "engine/account.h"
#include "engine/message.h"
#include "engine/peers.h"
#include "engine/progress.h"

/* The bytes of all buffers that a response has references on. */
uint64_t tern__out_retained_bytes(const tern__out *out);
/* The peer's, or all, responses are more than may be kept, that of `request` the newest: some are given up. */
void tern__kept_make_room(tern__engine *engine, tern__request *request);
/* The response is given up: to whoever asks from now on the call has run and its response is lost. */
void tern__kept_evict(tern__request *request);
/* The client has asked for the response: others are given up before this one. */
void tern__request_note_asked(tern__request *request);
void tern__request_release_response(tern__request *request);

/* A request has a response that its client may ask for again: it counts in the bytes of the buffers that it keeps from
 * others. Where there are too many, others of its peer are given up, or of peers that hold more, or this
 * one. */
static inline void tern__request_keep_response(tern__engine *e, tern__request *request) {
    const tern__out *out = request->out;
    request->kept_bytes = out->spare    ? tern__spare_bytes((tern__spare_kind)out->spare)
                          : out->n_segs ? tern__out_retained_bytes(out)
                                        : tern__buffer_bytes(sizeof *out + out->head_len);
    request->asked_at = e->now;
    e->kept_bytes += request->kept_bytes;
    tern__session *s = &request->session->s;
    tern__list_append(&s->cold->peer->kept, &request->node);
    bool fits = tern__charge_taken(s, request->kept_bytes);
    tern__timer_lower(s, e->now + (tern_time)TERN__UNFETCHED);
    if (!fits || e->kept_bytes > e->config.max_kept_bytes) tern__kept_make_room(e, request);
}

/* The response, if there is one, is kept no longer. */
static inline void tern__request_unkeep_response(tern__engine *e, tern__request *request) {
    if (!request->out) return;
    tern__list_remove(&request->node);
    e->kept_bytes -= request->kept_bytes;
    tern__uncharge(&request->session->s, request->kept_bytes);
    tern__out_release(e, request->out);
    request->out = NULL;
}

#endif
