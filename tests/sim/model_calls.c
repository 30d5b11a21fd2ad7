/* What the clients and servers of a model do, and what must hold whenever an engine calls back. */
#include <stdlib.h>

#include "dump_format.h"
#include "engine/progress.h"
#include "engine/shortest.h"
#include "model_state.h"
#include "tern/mem.h"

enum { MAX_TRIES = 12 };

/* The longest that a packet may be on its way from an event to the one who learns of it by that packet. */
static tern_dur slack(const model *m) {
    const tern__sim_path *path = &m->c.config.sim.path;
    return 2 * path->delay + path->reorder_delay + m->c.config.poll_jitter + MODEL_SHORT_STOP + 2 * TERN_MS;
}

/* A server may have let a silent client go when its pings, or their answers, all got lost: the next call finds out. */
static bool may_be_forgotten(const model *m, const session_state *s) {
    if (m->is_healed || m->c.config.sim.reliable || !s->handle) return false;
    return cluster_now(&m->c) - s->handle->s.last_rx >= (tern_time)TERN__SERVER_IDLE;
}

bool model_may_fail(const model *m, const session_state *s, tern_time since) {
    if (m->is_over || m->is_starved || m->is_crowded || s->trouble_at == UINT64_MAX) return true;
    if (may_be_forgotten(m, s)) return true;
    return s->trouble_at && s->trouble_at + (tern_time)slack(m) >= since;
}

/* ---- The client --------------------------------------------------------------------------------- */

/* The call was refused: it is tried again later, if it was for a reason that passes. */
static void call_refused(model *m, uint32_t i, int err) {
    call_state *call = &m->calls[i];
    bool bounded = err == TERN__NOT_ADMITTED && m->is_bounded;
    m->totals->refused++;
    m->totals->held_back += bounded;
    bool passes = bounded || err == TERN_ERR_FULL || (err == TERN_ERR_NOMEM && m->is_starved) ||
                  (err == TERN_ERR_LIMIT && m->is_crowded) ||
                  (err == TERN_ERR_CLOSED && m->sessions[call->session].is_leaving);
    if (!passes)
        cluster_fail(&m->c, "call %u: refused with %s", i, tern_strerror(err));
    else if ((call->insists && bounded) || ++call->n_tries < MAX_TRIES)
        model_event_add(m, cluster_now(&m->c) + (tern_time)(2 * TERN_MS) + below(m, (uint64_t)TERN_MS), EV_CALL, i, 0);
}

/* As an endpoint does it: raw messages without a deadline take the shortest way that is open. */
static int request(model *m, tern__csession *cs, uint32_t i, const tern__body *b, tern_time now) {
    call_state *call = &m->calls[i];
    tern_bytes raw = {b->data, b->len};
    if (b->type || call->deadline || b->format & TERN__BEHIND)
        return tern__engine_request(cs, i + 1, b, call->deadline, call, now);
    if (tern__is_direct(cs, raw)) {
        tern__direct_request(cs, i + 1, raw, call, now);
        m->totals->directs++;
        return 0;
    }
    return tern__engine_request_now(cs, i + 1, raw, call, now) ? 0 : tern__engine_request(cs, i + 1, b, 0, call, now);
}

static int respond(model *m, tern__request *served, const tern__body *b, tern_time now) {
    tern_bytes raw = {b->data, b->len};
    if (b->format & TERN__BEHIND)
        return tern__engine_respond_behind(served, TERN_STATUS_OK, (const tern__behind *)b, now);
    if (!b->type && tern__direct_respond(served, raw, now)) {
        m->totals->directs++;
        return 0;
    }
    if (!b->type && tern__engine_respond_now(served, raw, now)) return 0;
    return tern__engine_respond(served, TERN_STATUS_OK, b, now);
}

static int call_send(model *m, uint32_t i) {
    call_state *call = &m->calls[i];
    session_state *s = &m->sessions[call->session];
    tern_time now = cluster_now(&m->c);
    int err = s->handle ? 0 : cluster_connect(&m->c, s->client, s->server, s, &s->handle);
    body b;
    if (err) return err;
    if (!body_make(&b, &call->request)) return TERN_ERR_NOMEM;
    call->deadline = call->timeout ? now + (tern_time)call->timeout : 0;
    call->is_made = true;
    err = request(m, s->handle, i, &b.body, now);
    body_drop(&b, true);
    SAY(m, "call %u %u->%u %zu B %s: %d", i, s->client, s->server, call->request.bytes,
        call->request.typed ? "typed" : "raw", err);
    return err;
}

void model_call_start(model *m, uint32_t i, bool in_callback) {
    call_state *call = &m->calls[i];
    session_state *s = &m->sessions[call->session];
    if (!m->c.nodes[s->client].port || call->accepted) return;
    if (!s->handle && in_callback) return;
    int err = call_send(m, i);
    if (err == 0) {
        call->accepted = true;
        call->accepted_at = cluster_now(&m->c);
        m->n_open++;
        m->totals->calls++;
    } else {
        call_refused(m, i, err);
    }
    if (!in_callback) cluster_flush(&m->c, s->client);
}

void model_burst_start(model *m, uint32_t first, uint32_t n) {
    uint32_t client = m->sessions[m->calls[first].session].client;
    if (!m->sessions[m->calls[first].session].handle) model_call_start(m, first, false);
    for (uint32_t i = first; i < first + n; i++) model_call_start(m, i, true);
    cluster_flush(&m->c, client);
}

/* ---- Borrowing ------------------------------------------------------------------------------------ */

static uint32_t wishes(void *user, uint32_t method) {
    const cluster_node *node = user;
    const model *m = node->cluster->config.user;
    return method - 1 < m->n_calls && m->calls[method - 1].borrows[0] ? TERN_METHOD_BORROW : 0;
}

static bool borrows(void *user, const void *call) {
    (void)user;
    return ((const call_state *)call)->borrows[1];
}

/* What arrived, unless it has expired: then it may be anything, and nobody looks. */
static const char *check_arrived(model *m, const body_spec *spec, const tern__arrived *msg, const tern_loan *loan) {
    bool intact = !loan || !loan->kept || loan->kept->is_intact(loan->kept);
    m->totals->outlived += !intact;
    return intact ? body_check_pieces(spec, msg, loan) : body_check_block(spec, msg);
}

void model_let_go(model *m, uint32_t i, uint32_t which) {
    call_state *call = &m->calls[i];
    held_message *held = &call->held[which];
    if (!held->loan) return;
    const char *wrong = check_arrived(m, which ? &call->response : &call->request, &held->msg, held->loan);
    if (wrong) cluster_fail(&m->c, "call %u: a %s that was borrowed: %s", i, which ? "response" : "request", wrong);
    tern__loan_unref(held->loan);
    held->loan = NULL;
}

/* Perhaps for longer than the call. */
static void borrow(model *m, uint32_t i, uint32_t which, const tern__arrived *msg) {
    call_state *call = &m->calls[i];
    tern_loan *loan = tern__arrived_loan(msg);
    if (!loan) return;
    m->totals->lent++;
    if (!call->borrows[which]) cluster_fail(&m->c, "call %u: a loan that nobody asked for", i);
    if (!call->hold_time[which] || call->held[which].loan) return;
    tern__loan_ref(loan);
    call->held[which] = (held_message){loan, *msg};
    model_event_add(m, cluster_now(&m->c) + (tern_time)call->hold_time[which], EV_LET_GO, i, which);
}

void model_set_borrowing(cluster_config *config) {
    config->wishes = wishes;
    config->borrows = borrows;
}

static void check_ok(model *m, uint32_t i, const tern__arrived *msg) {
    call_state *call = &m->calls[i];
    m->totals->ok++;
    if (!msg)
        cluster_fail(&m->c, "call %u: OK without a message", i);
    else if (call->n_runs != 1 || !call->replied || call->app_status)
        cluster_fail(&m->c, "call %u: OK, but its handler ran %u times and replied %d", i, call->n_runs, call->replied);
    else {
        const char *wrong = check_arrived(m, &call->response, msg, tern__arrived_loan(msg));
        if (wrong) cluster_fail(&m->c, "call %u: response: %s", i, wrong);
        m->totals->dumped += msg->format == FORMAT_DUMP;
        borrow(m, i, 1, msg);
        if (call->keep && msg->len && !tern__arrived_is_lent(msg) && tern_ref(msg->data) == 0) call->kept = *msg;
    }
}

static void check_failed(model *m, uint32_t i, int status, const tern__arrived *msg) {
    call_state *call = &m->calls[i];
    session_state *s = &m->sessions[call->session];
    bool allowed = false;
    if (msg) cluster_fail(&m->c, "call %u: a message with status %d", i, status);
    if (status == TERN_STATUS_DEADLINE_EXCEEDED) {
        m->totals->deadlines++;
        allowed = call->deadline && cluster_now(&m->c) >= call->deadline;
    } else if (status == TERN_STATUS_UNAVAILABLE) {
        m->totals->unavailable++;
        allowed = model_may_fail(m, s, s->up_at);
    } else if (status == TERN_STATUS_DATA_LOSS && call->n_runs == 1) { /* its response was given up */
        m->totals->forgotten++;
        allowed = m->is_tight || cluster_now(&m->c) - call->replied_at >= TERN__UNFETCHED;
    } else if (status == TERN_STATUS_RESOURCE_EXHAUSTED) {
        m->totals->exhausted++;
        bool was_still = !call->n_runs && cluster_now(&m->c) - call->accepted_at >= TERN__STILL;
        allowed = m->is_tight || m->is_starved || m->is_crowded || (m->is_bounded && call->has_not_run) || was_still;
    } else {
        m->totals->app_errors++;
        allowed = status == call->app_status && call->replied && call->n_runs == 1;
    }
    if (!allowed) cluster_fail(&m->c, "call %u: ended with %s for no reason", i, tern_status_name(status));
}

/* What the client is told must be so; on_request() sees to it that it stays so. */
static void check_has_not_run(model *m, uint32_t i, int status) {
    call_state *call = &m->calls[i];
    call->has_not_run = tern__engine_has_not_run(client_of(m, call)->engine);
    if (!call->has_not_run) return;
    m->totals->has_not_run++;
    if (status == TERN_STATUS_OK || call->n_runs)
        cluster_fail(&m->c, "call %u: said not to have run, but ended with %s and ran %u times", i,
                     tern_status_name(status), call->n_runs);
}

/* Whether the server was at its bound and the call is made once more, as if it had not been made. */
static bool is_made_again(model *m, uint32_t i, int status) {
    call_state *call = &m->calls[i];
    tern_dur retry = tern__engine_told_retry(client_of(m, call)->engine);
    if (status != TERN_STATUS_RESOURCE_EXHAUSTED || !m->is_bounded || !call->has_not_run) return false;
    m->totals->rejected++;
    if (!call->insists || retry == 0 || m->is_over) return false;
    SAY(m, "call %u: again in %.3f ms", i, (double)retry / 1e6);
    call->accepted = call->has_not_run = false;
    call->n_done = 0;
    model_event_add(m, cluster_now(&m->c) + (tern_time)retry, EV_CALL, i, 0);
    return true;
}

/* A call ends at its deadline at the latest, unless its client is suspended then. */
static void check_in_time(model *m, uint32_t i) {
    const call_state *call = &m->calls[i];
    tern_time now = cluster_now(&m->c), woke_at = client_of(m, call)->stopped_until;
    if (!call->deadline) return;
    tern_time latest = (call->deadline > woke_at ? call->deadline : woke_at) + (tern_time)(5 * TERN_MS);
    if (now > latest)
        cluster_fail(&m->c, "call %u: ended %.3f ms after its deadline", i, (double)(now - call->deadline) / 1e6);
}

/* What waited for the call goes on: the next one of its client, and the handler that made it. */
static void go_on(model *m, uint32_t i) {
    call_state *call = &m->calls[i];
    if (call->outer >= 0 && m->calls[call->outer].waits) {
        m->calls[call->outer].waits = false;
        if (m->calls[call->outer].served) model_reply(m, (uint32_t)call->outer);
    }
    if (call->next >= 0 && client_of(m, &m->calls[call->next]) == client_of(m, call))
        model_call_start(m, (uint32_t)call->next, true);
}

/* What comes with the status of an error: the handler's metadata block, or nothing. */
static void check_error(model *m, uint32_t i, int status, const tern__arrived *msg) {
    const call_state *call = &m->calls[i];
    bool is_empty = !msg->len && !msg->meta_bytes;
    const char *wrong = body_check_block(&call->response, msg);
    if (msg->len || (wrong && status == call->app_status && !(is_empty && m->is_starved)))
        cluster_fail(&m->c, "call %u: %s: %s", i, tern_status_name(status), wrong ? wrong : "a body");
    if (status != call->app_status && !is_empty)
        cluster_fail(&m->c, "call %u: %s with a block that nobody sent", i, tern_status_name(status));
    m->totals->error_blocks += msg->meta_bytes > 0;
}

static void end_call(void *user, void *call_ptr, int status, const tern__arrived *msg) {
    cluster_node *node = user;
    model *m = node->cluster->config.user;
    call_state *call = call_ptr;
    uint32_t i = (uint32_t)(call - m->calls);
    SAY(m, "done %u: %s", i, tern_status_name(status));
    if (!call->accepted || call->n_done++ > 0) {
        cluster_fail(&m->c, "call %u: ended %u times", i, call->n_done);
        return;
    }
    if (client_of(m, call) != node) cluster_fail(&m->c, "call %u: ended at node %u", i, node->number);
    m->n_open--;
    call->status = status;
    check_has_not_run(m, i, status);
    if (is_made_again(m, i, status)) return;
    if (status == TERN_STATUS_OK)
        check_ok(m, i, msg);
    else
        check_failed(m, i, status, msg);
    check_in_time(m, i);
    go_on(m, i);
}

static void on_done(void *user, void *call_ptr, int status, const tern__arrived *msg) {
    const cluster_node *node = user;
    bool is_answer = msg && (status != TERN_STATUS_OK || msg->meta_bytes);
    if (is_answer) cluster_fail(node->cluster, "an answer with more than a body came to on_done");
    end_call(user, call_ptr, status, msg);
}

static void on_answer(void *user, void *call_ptr, int status, const tern__arrived *msg) {
    cluster_node *node = user;
    model *m = node->cluster->config.user;
    m->totals->answers++;
    if (status != TERN_STATUS_OK) check_error(m, (uint32_t)((call_state *)call_ptr - m->calls), status, msg);
    end_call(user, call_ptr, status, status == TERN_STATUS_OK ? msg : NULL);
}

/* The client gives the call up; one that is over, or was never made, cannot be. */
void model_call_cancel(model *m, uint32_t i) {
    call_state *call = &m->calls[i];
    session_state *s = &m->sessions[call->session];
    if (!s->handle) return;
    bool pending = call->accepted && !call->n_done;
    SAY(m, "cancel %u%s", i, pending ? "" : ", which is not pending");
    tern__cancelled found = tern__engine_cancel(s->handle, call, cluster_now(&m->c));
    if ((found != TERN__CANCELLED_NOT) != pending)
        cluster_fail(&m->c, "call %u: cancelled, but it is %s", i, pending ? "pending" : "not pending");
    if (pending) {
        m->totals->cancelled++;
        m->n_open--;
        call->n_done++;
        call->status = TERN_STATUS_CANCELLED;
        call->has_not_run = found == TERN__CANCELLED_UNSENT;
        if (call->has_not_run && call->n_runs) cluster_fail(&m->c, "call %u: cancelled unsent, but it ran", i);
        go_on(m, i);
    }
    cluster_flush(&m->c, s->client);
}

static void on_session(void *user, tern__csession *session, void *session_user, tern__session_event ev) {
    cluster_node *node = user;
    model *m = node->cluster->config.user;
    session_state *s = session_user;
    SAY(m, "session %u->%u %s", s->client, s->server,
        ev == TERN__SESSION_UP     ? "up"
        : ev == TERN__SESSION_LOST ? "lost"
                                   : "draining");
    if (s->handle && s->handle != session) cluster_fail(&m->c, "an event for a session that is closed");
    tern_session_state state = tern__engine_session_state(session);
    if (ev == TERN__SESSION_UP) {
        if (state != TERN_SESSION_OPEN) cluster_fail(&m->c, "UP, but in state %d", (int)state);
        if (s->is_up) cluster_fail(&m->c, "a session came up twice");
        s->is_up = true;
        s->up_at = cluster_now(&m->c);
        return;
    }
    if (ev == TERN__SESSION_DRAINING) {
        if (!s->trouble_at || s->is_leaving) cluster_fail(&m->c, "told to leave a server that stays");
        s->is_leaving = true;
        model_event_add(m, cluster_now(&m->c) + 1, EV_LEAVE, (uint32_t)(s - m->sessions), 0);
        return;
    }
    if (state == TERN_SESSION_OPEN) cluster_fail(&m->c, "a session was lost, but is open");
    s->is_up = s->is_leaving = false;
    if (!model_may_fail(m, s, s->up_at))
        cluster_fail(&m->c, "session %u->%u was lost for no reason", s->client, s->server);
}

/* ---- The server --------------------------------------------------------------------------------- */

void model_reply(model *m, uint32_t i) {
    call_state *call = &m->calls[i];
    tern__request *served = call->served;
    tern_time now = cluster_now(&m->c);
    const char *wrong = check_arrived(m, &call->request, &call->request_msg, call->request_loan);
    if (wrong) cluster_fail(&m->c, "call %u: request before the reply: %s", i, wrong);
    SAY(m, "reply %u: %zu B%s", i, call->response.bytes, call->echo ? " echo" : "");
    call->served = NULL;
    call->replied = true;
    call->replied_at = now;
    int err;
    body b;
    if (call->app_status && call->response.meta_bytes && body_make(&b, &call->response)) {
        err = tern__engine_respond_behind(served, call->app_status, &b.behind, now);
        body_drop(&b, true);
    } else if (call->app_status) {
        err = tern__engine_respond(served, call->app_status, NULL, now);
    } else if (call->echo) {
        tern__body same = {.data = call->request_msg.data, .len = call->request_msg.len};
        tern__behind behind =
            tern__body_behind(&same, tern__arrived_begin(&call->request_msg), call->request_msg.meta_bytes);
        err = respond(m, served, behind.block_bytes ? &behind.body : &same, now);
    } else if (body_make(&b, &call->response)) {
        err = respond(m, served, &b.body, now);
        body_drop(&b, true);
    } else {
        err = tern__engine_respond(served, TERN_STATUS_RESOURCE_EXHAUSTED, NULL, now);
    }
    if (err && !(err == TERN_ERR_NOMEM && m->is_starved))
        cluster_fail(&m->c, "call %u: respond returned %s", i, tern_strerror(err));
}

static void check_deadline(model *m, uint32_t i, tern__request *served) {
    call_state *call = &m->calls[i];
    tern_time seen = tern__request_deadline(served);
    if (!call->deadline) {
        if (seen != UINT64_MAX) cluster_fail(&m->c, "call %u: a deadline from nowhere", i);
        return;
    }
    /* The time left travels; what the packet took is not known, so the server's point is the later one. */
    tern_dur late = MODEL_VERY_LATE + MODEL_SHORT_STOP + MODEL_LONG_STOP + TERN_SEC;
    if (seen + 2000 < call->deadline || seen > call->deadline + (tern_time)late)
        cluster_fail(&m->c, "call %u: the server sees its deadline %lld ns off", i, (long long)(seen - call->deadline));
}

/* The handler: it replies now, or later, or when a call of its own has ended. */
static void handle(model *m, uint32_t i) {
    call_state *call = &m->calls[i];
    if (call->inner >= 0 && !m->calls[call->inner].accepted) {
        call->waits = true;
        m->totals->nested++;
        model_call_start(m, (uint32_t)call->inner, true);
        if (m->calls[call->inner].accepted) return;
        call->waits = false;
    }
    if (call->reply_delay == 0)
        model_reply(m, i);
    else
        model_event_add(m, cluster_now(&m->c) + (tern_time)call->reply_delay, EV_REPLY, i, 0);
}

static void on_request(void *user, tern__request *served, uint32_t method, const tern__arrived *msg) {
    cluster_node *node = user;
    model *m = node->cluster->config.user;
    uint32_t i = method - 1;
    if (i >= m->n_calls || server_of(m, &m->calls[i]) != node->number) {
        cluster_fail(&m->c, "a request for method %u at node %u", method, node->number);
        return;
    }
    call_state *call = &m->calls[i];
    SAY(m, "serve %u", i);
    if (call->has_not_run) cluster_fail(&m->c, "call %u: runs after it was said that it has not", i);
    if (!call->is_made) cluster_fail(&m->c, "call %u: served before it was made", i);
    if (call->n_runs++ > 0) {
        cluster_fail(&m->c, "call %u: its handler ran %u times", i, call->n_runs);
        return;
    }
    const char *wrong = check_arrived(m, &call->request, msg, tern__arrived_loan(msg));
    if (wrong) cluster_fail(&m->c, "call %u: request: %s", i, wrong);
    m->totals->dumped += msg->format == FORMAT_DUMP;
    check_deadline(m, i, served);
    if (*tern__request_user(served)) cluster_fail(&m->c, "call %u: its user word is not NULL", i);
    *tern__request_user(served) = call;
    call->served = served;
    call->served_at = cluster_now(&m->c);
    call->request_msg = *msg;
    call->request_loan = tern__arrived_loan(msg);
    borrow(m, i, 0, msg);
    handle(m, i);
}

static void on_gone(void *user, tern__request *served) {
    cluster_node *node = user;
    model *m = node->cluster->config.user;
    call_state *call = *tern__request_user(served);
    if (!call) return; /* one that should not have been served, and is reported already */
    uint32_t i = (uint32_t)(call - m->calls);
    SAY(m, "gone %u", i);
    m->totals->gone++;
    if (call->served != served) cluster_fail(&m->c, "call %u: gone, but not being served", i);
    if (!model_may_fail(m, &m->sessions[call->session], call->served_at))
        cluster_fail(&m->c, "call %u: its client is gone for no reason", i);
    call->served = NULL;
}

/* Only of a call that has ended at its client, or would have if that were not suspended. */
static void on_abandoned(void *user, tern__request *served, int why) {
    cluster_node *node = user;
    model *m = node->cluster->config.user;
    call_state *call = *tern__request_user(served);
    uint32_t i = (uint32_t)(call - m->calls);
    SAY(m, "abandoned %u: %s", i, tern_status_name(why));
    if (call->served != served) cluster_fail(&m->c, "call %u: abandoned, but not being served", i);
    bool overdue = call->deadline && cluster_now(&m->c) >= call->deadline;
    if (!call->n_done && !overdue) cluster_fail(&m->c, "call %u: abandoned, but its client waits for it", i);
}

const tern__engine_callbacks model_callbacks = {on_request, on_gone, on_done, on_session, on_abandoned, on_answer};
