#include "talk.h"

body_spec talk_spec(size_t bytes) { return (body_spec){.key = bytes * 2 + 1, .bytes = bytes}; }

static talk *talk_of(void *user) { return ((cluster_node *)user)->cluster->config.user; }

static int answer(talk *t, tern__request *served, uint32_t bytes) {
    body_spec spec = talk_spec(bytes);
    body b;
    if (!body_make(&b, &spec))
        return tern__engine_respond(served, TERN_STATUS_RESOURCE_EXHAUSTED, NULL, cluster_now(&t->c));
    int err = tern__engine_respond(served, TERN_STATUS_OK, &b.body, cluster_now(&t->c));
    body_drop(&b, true);
    return err;
}

static void on_request(void *user, tern__request *served, uint32_t method, const tern__arrived *msg) {
    talk *t = talk_of(user);
    body_spec spec = talk_spec(msg->len);
    const char *wrong = body_check(&spec, msg);
    if (wrong) cluster_fail(&t->c, "request of %zu bytes: %s", msg->len, wrong);
    t->n_served++;
    if (!t->hold) {
        answer(t, served, method);
    } else if (t->n_held < TALK_MAX_HELD) {
        t->held_bytes[t->n_held] = method;
        t->held[t->n_held] = served;
        *tern__request_user(served) = &t->held[t->n_held++];
    }
}

static void on_gone(void *user, tern__request *served) {
    talk_of(user)->n_gone++;
    tern__request **held = *tern__request_user(served);
    if (held) *held = NULL;
}

static void on_abandoned(void *user, tern__request *served, int why) {
    talk *t = talk_of(user);
    (void)served;
    if (why == TERN_STATUS_CANCELLED)
        t->n_cancelled++;
    else
        t->n_expired++;
}

static void on_done(void *user, void *call_ptr, int status, const tern__arrived *msg) {
    talk *t = talk_of(user);
    struct talk_call *call = call_ptr;
    if (call->done) cluster_fail(&t->c, "a call ended twice");
    call->done = true;
    if (t->n_done == 0) t->first_done = cluster_now(&t->c);
    t->last_done = cluster_now(&t->c);
    t->done_order[t->n_done++] = (uint32_t)(call - t->calls);
    if (status >= 0 && status < 17) t->n_status[status]++;
    if (status != TERN_STATUS_OK) return;
    body_spec spec = talk_spec(call->bytes_back);
    const char *wrong = msg ? body_check(&spec, msg) : "it has none";
    if (wrong) cluster_fail(&t->c, "response of %u bytes: %s", call->bytes_back, wrong);
}

static void on_session(void *user, tern__csession *session, void *session_user, tern__session_event event) {
    (void)session;
    (void)session_user;
    if (event == TERN__SESSION_UP)
        talk_of(user)->n_up++;
    else if (event == TERN__SESSION_LOST)
        talk_of(user)->n_lost++;
}

int talk_init(talk *t, uint64_t seed, cluster_config *config) {
    memset(t, 0, sizeof *t);
    config->engine.callbacks = (tern__engine_callbacks){.on_request = on_request,
                                                        .on_gone = on_gone,
                                                        .on_done = on_done,
                                                        .on_session = on_session,
                                                        .on_abandoned = on_abandoned};
    config->user = t;
    return cluster_init(&t->c, seed, config);
}

const char *talk_fini(talk *t) {
    cluster_fini(&t->c);
    if (t->n_done != t->n_calls) cluster_fail(&t->c, "%u calls, %u ends", t->n_calls, t->n_done);
    return t->c.error[0] ? t->c.error : NULL;
}

int talk_call(talk *t, uint32_t node, tern__csession *session, size_t bytes, uint32_t bytes_back, tern_dur timeout) {
    tern_time now = cluster_now(&t->c);
    struct talk_call *call = &t->calls[t->n_calls];
    body_spec spec = talk_spec(bytes);
    body b;
    if (t->n_calls == TALK_MAX_CALLS || !body_make(&b, &spec)) return TERN_ERR_NOMEM;
    *call = (struct talk_call){.bytes_back = bytes_back};
    t->n_calls++;
    int err = tern__engine_request(session, bytes_back, &b.body, timeout ? now + (tern_time)timeout : 0, call, now);
    if (err) t->n_calls--;
    body_drop(&b, true);
    cluster_flush(&t->c, node);
    return err;
}

bool talk_cancel(talk *t, uint32_t node, tern__csession *session, uint32_t i) {
    bool was_pending = tern__engine_cancel(session, &t->calls[i], cluster_now(&t->c));
    if (was_pending && t->calls[i].done) cluster_fail(&t->c, "a call was cancelled after its end");
    t->calls[i].done |= was_pending;
    t->n_done += was_pending;
    cluster_flush(&t->c, node);
    return was_pending;
}

int talk_answer(talk *t, uint32_t node, uint32_t i) {
    tern__request *served = t->held[i];
    if (!served) return TERN_ERR_STALE;
    t->held[i] = NULL;
    int err = answer(t, served, t->held_bytes[i]);
    cluster_flush(&t->c, node);
    return err;
}

void talk_finish(talk *t, tern_dur bound) {
    tern_time end = cluster_now(&t->c) + (tern_time)bound;
    while (!t->c.error[0] && t->n_done < t->n_calls && cluster_step(&t->c, end)) continue;
    if (t->n_done < t->n_calls)
        cluster_fail(&t->c, "%u of %u calls did not end in time", t->n_calls - t->n_done, t->n_calls);
}
