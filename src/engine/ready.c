/* Responses made ready outside the engine's thread (ready.h). */
#include "engine/ready.h"

#include "engine/message.h"
#include "engine/server.h"

void tern__request_terms(const tern__request *request, tern__terms *terms) {
    const tern__session *s = &request->session->s;
    *terms = (tern__terms){
        .limits = tern__plan_limits_of(s->engine, s->path),
        .link = s->link,
        .path = s->path,
        .payload_bytes = s->payload_bytes,
        .best = tern__session_format(s),
    };
}

int tern__ready_make(const tern__terms *terms, const tern__body *body, tern__ready *ready) {
    tern__plan plan;
    int err = tern__plan_within(&terms->limits, terms->path, body, terms->best, terms->payload_bytes, &plan);
    if (!err) err = tern__out_make(terms->link, &plan, &ready->out);
    if (err) return err;
    ready->copied_bytes = plan.copied_bytes;
    ready->n_inplace = plan.n_inplace;
    ready->inplace_bytes = plan.inplace_bytes;
    return 0;
}

int tern__ready_check(const tern__csession *cs, const tern__body *body) {
    tern__plan plan;
    const tern__session *s = &cs->s;
    return tern__plan_make(s->engine, s->path, body, tern__session_format(s), s->path->max_packet, &plan);
}

void tern__ready_drop(tern__ready *ready) {
    if (ready->out) tern__out_free(ready->out);
    ready->out = NULL;
}

int tern__engine_respond_ready(tern__request *request, int status, tern__ready *ready, tern_time now) {
    tern__engine *e = request->session->s.engine;
    tern__out *out = ready->out;
    ready->out = NULL;
    e->now = now;
    e->stats.tx_messages++;
    e->stats.copied_bytes += ready->copied_bytes;
    e->stats.inplace_values += ready->n_inplace;
    e->stats.inplace_bytes += ready->inplace_bytes;
    return tern__server_respond_out(request, status, out, now);
}
