/* Sessions and calls, the client's side.
 *
 * A tern_session outlives the connections under it: when one is lost, the next call makes another. Calls that
 * cannot even be handed to the engine, because nobody listens, fail from the next poll like any other. */
#include "rpc/client.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/factor.h"
#include "engine/shortest.h"
#include "rpc/borrow.h"
#include "rpc/by_name.h"
#include "rpc/opts.h"
#include "rpc/ports.h"
#include "rpc/result.h"
#include "rpc/unsendable.h"

/* ---- Pending calls ------------------------------------------------------------------------------ */

enum { MAX_ENDED_SESSIONS = 4096 };

/* The last serial that an id has room for, beside the record's index. */
static const uint64_t MAX_SERIAL = UINT64_MAX >> TERN__HANDLE_INDEX_BITS;

/* Records are kept until the endpoint goes: a tern_call_ref may outlive its call. */
static __attribute__((noinline)) tern__pending *make_pending(tern_endpoint *ep) {
    tern__pending *p = tern__slab_take(&ep->kinds.pending);
    return p ? memset(p, 0, sizeof *p) : NULL;
}

static inline tern__pending *take_pending(tern_endpoint *ep) {
    tern__pending *p = ep->free_pending;
    if (!p) return make_pending(ep);
    ep->free_pending = p->next;
    return p;
}

/* Of a call that the program makes, not tern itself. */
static inline void set_borrows(tern_endpoint *ep, tern__pending *p, const tern_call_opts *opts) {
    p->borrows = ep->config.borrow;
    if (!opts || !opts->borrow) return;
    tern__borrow_needed(ep);
    p->borrows = true;
}

/* The call completes with this status at the next poll. */
static void end_later(tern_endpoint *ep, tern__pending *p, tern_status status) {
    p->serial = 0;
    p->status = (uint8_t)status;
    p->was_sent = false;
    p->retry_ms = 0;
    p->next = ep->ended;
    ep->ended = p;
}

void tern__client_complete_ended(tern_endpoint *ep) {
    tern__pending *p = ep->ended;
    ep->ended = NULL;
    while (p) {
        tern__pending *next = p->next;
        ep->telling_ended = true;
        ep->told_not_run = !p->was_sent;
        ep->told_retry = (tern_dur)p->retry_ms * TERN_MS;
        ep->told_loss = NULL;
        tern__client_finish_failed(ep, p, p->status);
        p = next;
    }
    ep->telling_ended = false;
}

/* ---- Connections -------------------------------------------------------------------------------- */

static bool is_down(const tern_session *s) { return !s->cs || tern__engine_session_state(s->cs) == TERN_SESSION_DOWN; }

/* Drop the connection, now or, under a callback, when the poll ends. Returns 0 or TERN_ERR_NOMEM. */
static int drop_connection(tern_session *s) {
    tern_endpoint *ep = s->ep;
    tern__by_name_end(s);
    if (!s->cs) return 0;
    if (ep->in_callback) {
        ep->session_closing = true;
        return tern__connection_leave(s, &ep->closed);
    }
    tern__csession *cs = s->cs;
    tern__route route = s->rest->route;
    s->cs = NULL; /* callbacks may connect anew meanwhile */
    tern__connection_close(ep, cs, s->port, &route);
    return 0;
}

/* Close the connections to drained servers that have no calls any more, or all of one session's. */
static void close_retired(tern_endpoint *ep, const tern_session *all_of) {
    for (tern__closed **at = &ep->retired, *r; (r = *at) != NULL;) {
        if (r->session != all_of && !tern__engine_session_is_idle(r->cs)) {
            at = &r->next;
            continue;
        }
        *at = r->next;
        tern__connection_close(ep, r->cs, r->port, &r->route);
        free(r);
        at = &ep->retired; /* callbacks that ran may have changed the list */
    }
}

static int connect_to(tern_session *s, const char *address) {
    int err = s->port->ops->connect(s->port, address, &s->rest->route);
    if (err) return err;
    err = tern__engine_connect(s->ep->engine, &s->port->link, &s->rest->route, s, tern__endpoint_now(s->ep), &s->cs);
    if (err)
        s->port->ops->disconnect(s->port, &s->rest->route);
    else
        tern__engine_session_keep(s->cs, s->rest->keepalive, s->ep->now);
    s->ep->tx_dirty = true;
    return err;
}

/* Connect, or connect anew. TERN_ERR_CLOSED: nobody listens there. */
static int establish(tern_session *s) {
    int err = drop_connection(s);
    if (err || s->cs) return err;
    s->ep->up->forget(s);
    const char *rest;
    err = tern__ports_find(s->ep, s->rest->address, &s->port, &rest);
    if (err) return err;
    char host[TERN__HOST_BYTES];
    uint16_t number;
    int named = s->port->takes_hosts ? tern__ip_addr_name(rest, host, &number) : 0;
    if (named < 0) return named;
    return named ? tern__by_name_begin(s, host, number) : connect_to(s, rest);
}

/* Calls that have been sent stay with the connection; those that have not go on over a new one, if that can be
 * begun. */
static void retire_connection(tern_session *s) {
    tern_endpoint *ep = s->ep;
    tern__csession *old = s->cs;
    if (s->port->ops->retire) s->port->ops->retire(s->port, &s->rest->route);
    if (tern__connection_retire(s)) return; /* then the old one goes on to refuse calls */
    bool waiting = tern__engine_session_has_backlog(old);
    if (waiting && !establish(s)) tern__engine_move_backlog(old, s->cs, tern__endpoint_now(ep));
}

static void log_loss(const tern_session *s, const tern__csession *cs) {
    char why[64], line[TERN__ADDRESS_BYTES + 128];
    uint16_t code, detail;
    tern__why reason = tern__engine_session_loss(cs, &code, &detail);
    tern__loss_format(reason, code, detail, why, sizeof why);
    snprintf(line, sizeof line, "session lost (%s): client-%08x to %s", why, tern__engine_session_number(cs),
             s->rest->address);
    tern__endpoint_log(s->ep, TERN_LOG_INFO, line);
}

void tern__client_on_session(void *user, tern__csession *cs, void *session_user, tern__session_event event) {
    tern_session *s = session_user;
    (void)user;
    /* A connection that the session has left, or one that it has not got. */
    if (!s || (s->cs != cs && !tern__by_name_on_session(s, cs, event))) return;
    tern_session_event told = TERN_EVENT_LOST;
    tern_status why = TERN_STATUS_OK;
    if (event == TERN__SESSION_UP) {
        uint64_t incarnation = tern__engine_session_incarnation(cs);
        told = s->rest->incarnation && s->rest->incarnation != incarnation ? TERN_EVENT_UP_NEW : TERN_EVENT_UP;
        s->rest->incarnation = incarnation;
    } else if (event == TERN__SESSION_DRAINING) {
        told = TERN_EVENT_DRAINING;
        retire_connection(s);
    } else {
        why = (tern_status)tern__engine_session_why(cs);
        tern__by_name_end(s);
        log_loss(s, cs);
    }
    if (s->rest->on_event) s->rest->on_event(s, told, why, s->rest->event_user);
}

/* Whether the session is the thread's, and has not been closed. */
static int check_open(const tern_session *s) {
    if (!tern__endpoint_is_mine(s->ep)) return tern__endpoint_not_mine(s->ep);
    return s->closing ? TERN_ERR_STALE : 0;
}

int tern_session_on_event(tern_session *session, tern_session_event_fn *fn, void *user) {
    int err = check_open(session);
    if (err) return err;
    session->rest->on_event = fn;
    session->rest->event_user = user;
    return 0;
}

int tern_session_set_keepalive(tern_session *session, tern_dur keepalive) {
    int err = check_open(session);
    if (err) return err;
    if (keepalive < 0) return TERN_ERR_INVALID;
    if (keepalive > TERN__LONGEST_SPAN) keepalive = TERN__LONGEST_SPAN;
    session->rest->keepalive = keepalive;
    if (session->cs) tern__engine_session_keep(session->cs, keepalive, tern__endpoint_now(session->ep));
    return 0;
}

int tern_session_get_incarnation(const tern_session *session, uint64_t *incarnation) {
    int err = check_open(session);
    if (err) return err;
    if (!session->rest->incarnation) return TERN_ERR_NOT_FOUND;
    *incarnation = session->rest->incarnation;
    return 0;
}

static bool nobody_listens(int err) { return err == TERN_ERR_CLOSED || err == TERN_ERR_NOT_FOUND; }

/* The status that calls end with when no connection can be begun for a reason that may pass; OK for other reasons. */
static tern_status status_of_connect(int err) {
    if (err == TERN_ERR_ACCESS) return TERN_STATUS_PERMISSION_DENIED;
    return nobody_listens(err) ? TERN_STATUS_UNAVAILABLE : TERN_STATUS_OK;
}

/* A program may still have the pointer to a session that has ended, and is told so: the record stays as it is until
 * many others have ended, too. */
static void keep_ended(tern_session *s) {
    tern_endpoint *ep = s->ep;
    *s = (tern_session){.ep = ep, .closing = true};
    if (!ep->ended_sessions) ep->last_ended = &ep->ended_sessions;
    *ep->last_ended = s;
    ep->last_ended = &s->next_ended;
    ep->n_ended_sessions++;
}

static tern_session *take_session(tern_endpoint *ep) {
    if (ep->n_ended_sessions <= MAX_ENDED_SESSIONS) return tern__slab_take(&ep->kinds.sessions);
    tern_session *s = ep->ended_sessions;
    ep->ended_sessions = s->next_ended;
    ep->n_ended_sessions--;
    return s;
}

static tern_session *new_session(tern_endpoint *ep, const char *address) {
    size_t bytes = strlen(address) + 1;
    tern__session_rest *rest = calloc(1, sizeof *rest + bytes);
    tern_session *s = rest ? take_session(ep) : NULL;
    if (!s) {
        free(rest);
        return NULL;
    }
    *s = (tern_session){.ep = ep, .rest = rest};
    rest->session = s;
    memcpy(rest->address, address, bytes);
    return s;
}

static void drop_session(tern_session *s) {
    free(s->rest);
    keep_ended(s);
}

int tern_connect(tern_endpoint *ep, const char *address, tern_session **out) {
    if (!tern__endpoint_is_mine(ep)) return tern__endpoint_not_mine(ep);
    if (ep->freeing) return TERN_ERR_CLOSED;
    size_t len = address ? strlen(address) : TERN__ADDRESS_BYTES;
    if (len >= TERN__ADDRESS_BYTES) {
        tern__ports_log_failure(ep, false, address, TERN_ERR_ADDRESS);
        return TERN_ERR_ADDRESS;
    }
    tern_session *s = new_session(ep, address);
    if (!s) return TERN_ERR_NOMEM;
    s->rest->keepalive = ep->config.keepalive;
    errno = 0;
    int err = establish(s);
    if (err && status_of_connect(err) == TERN_STATUS_OK) {
        tern__ports_log_failure(ep, false, address, err);
        drop_session(s);
        return err;
    }
    tern__list_append(&ep->sessions, &s->rest->node);
    *out = s;
    return 0;
}

static void free_session(tern_session *s) {
    for (uint32_t i = 0; i < TERN__N_EXPECTED; i++)
        if (s->ep->expected[i] == s) s->ep->expected[i] = NULL;
    tern__list_remove(&s->rest->node);
    tern__by_name_forget(s);
    s->ep->up->forget(s);
    drop_session(s);
}

int tern_session_close(tern_session *session) {
    if (!session) return 0;
    tern_endpoint *ep = session->ep;
    if (!tern__endpoint_is_mine(ep)) return tern__endpoint_not_mine(ep);
    if (session->closing) return TERN_ERR_STALE;
    session->closing = true;
    if (ep->in_callback) {
        ep->session_closing = true;
        return 0;
    }
    drop_connection(session);
    close_retired(ep, session);
    free_session(session);
    return 0;
}

void tern__client_close_deferred(tern_endpoint *ep) {
    while (ep->closed) {
        tern__closed *closed = ep->closed;
        ep->closed = closed->next;
        tern__connection_close(ep, closed->cs, closed->port, &closed->route);
        free(closed);
    }
    while (ep->session_closing) {
        ep->session_closing = false;
        for (tern__node *node = ep->sessions.next, *next; node != &ep->sessions; node = next) {
            tern_session *s = TERN__CONTAINER(node, tern__session_rest, node)->session;
            next = node->next;
            if (!s->closing || s->n_blocked) continue;
            drop_connection(s);
            close_retired(ep, s);
            free_session(s);
            /* Callbacks that ran may have changed the list: start over. */
            ep->session_closing = true;
            break;
        }
    }
    close_retired(ep, NULL);
    ep->session_closing |= ep->retired != NULL;
}

void tern__client_fini(tern_endpoint *ep) {
    while (ep->closed) {
        tern__closed *closed = ep->closed;
        ep->closed = closed->next;
        free(closed);
    }
    while (ep->retired) {
        tern__closed *retired = ep->retired;
        ep->retired = retired->next;
        free(retired);
    }
    while (!tern__list_empty(&ep->sessions))
        free_session(TERN__CONTAINER(ep->sessions.next, tern__session_rest, node)->session);
    tern__names_fini(ep);
    free(ep->named);
}

tern_session_state tern_session_get_state(const tern_session *session) {
    int err = check_open(session);
    if (err) return (tern_session_state)err;
    return session->cs && !session->ep->freeing ? tern__engine_session_state(session->cs) : TERN_SESSION_DOWN;
}

tern_endpoint *tern_session_endpoint(const tern_session *session) { return session->ep; }

/* ---- Calls -------------------------------------------------------------------------------------- */

/* When a call without a deadline starts. A reliable link has no use for the exact time, and on others what is started
 * between two polls leaves together: one look at the clock will do. */
static tern_time start_time(const tern_session *s) {
    tern_endpoint *ep = s->ep;
    if (TERN__IS_OFF(TIME))
        ep->clock_is_fresh = ep->burst_timed = false;
    else if (s->port->link.reliable || (ep->burst_timed && !ep->in_callback))
        return ep->now;
    ep->burst_timed = !ep->in_callback; /* the time of a callback's poll is no time for what comes after it */
    return tern__endpoint_now(ep);
}

static int add_named(tern_endpoint *ep, tern__pending *p) {
    if (ep->n_named + 1 == TERN__HANDLE_MAX_RECORDS) return TERN_ERR_LIMIT;
    if ((ep->n_named & (ep->n_named - 1)) == 0) { /* a power of two, or none: there is no room for more */
        uint32_t n = ep->n_named ? 2 * ep->n_named : 1;
        tern__pending **larger = realloc(ep->named, n * sizeof(tern__pending *));
        if (!larger) return TERN_ERR_NOMEM;
        ep->named = larger;
    }
    ep->named[ep->n_named++] = p;
    p->index = ep->n_named;
    return 0;
}

/* The record gets an index, if it has none. Returns 0, TERN_ERR_LIMIT or TERN_ERR_NOMEM. */
static int prepare_name(tern_endpoint *ep, tern__pending *p) {
    if (ep->last_serial == MAX_SERIAL) return TERN_ERR_LIMIT;
    return p->index ? 0 : add_named(ep, p);
}

static void name_call(tern_session *s, tern__pending *p, tern_call_ref *ref) {
    p->session = s;
    p->serial = ++s->ep->last_serial;
    *ref = (tern_call_ref){s->ep, p->serial << TERN__HANDLE_INDEX_BITS | p->index};
}

/* The record of a call that has not ended, or NULL. */
static tern__pending *named_call(const tern_endpoint *ep, uint64_t id) {
    uint32_t index = (uint32_t)id & (TERN__HANDLE_MAX_RECORDS - 1);
    uint64_t serial = id >> TERN__HANDLE_INDEX_BITS;
    tern__pending *p = index && index <= ep->n_named ? ep->named[index - 1] : NULL;
    return p && serial && p->serial == serial ? p : NULL;
}

/* A call that is being started. */
typedef struct attempt {
    tern_session *s;
    tern__pending *p;
    uint32_t method_id;
    const tern__body *body;
    tern_time deadline; /* 0: none */
    bool has_ended;     /* the call will complete without the engine */
} attempt;

static void end_attempt(attempt *a, tern_status status) {
    end_later(a->s->ep, a->p, status);
    a->has_ended = true;
}

static int try_start(attempt *a, tern_time now) {
    tern_session *s = a->s;
    int err = is_down(s) ? establish(s) : 0;
    tern_status status = status_of_connect(err);
    if (status != TERN_STATUS_OK) {
        end_attempt(a, status);
        return 0;
    }
    s->ep->tx_dirty = true;
    if (!err) err = tern__engine_request(s->cs, a->method_id, a->body, a->deadline, a->p, now);
    if (err != TERN__NOT_ADMITTED) return err;
    end_attempt(a, TERN_STATUS_RESOURCE_EXHAUSTED);
    a->p->retry_ms = (uint32_t)((tern__engine_retry_after(s->cs, now) + TERN_MS - 1) / TERN_MS);
    return 0;
}

/* The backlog is full: until it is not, or the call's time is over, or the session is closed. */
static int wait_for_room(attempt *a) {
    tern_session *s = a->s;
    tern_endpoint *ep = s->ep;
    tern_time busy_until = ep->now + (tern_time)ep->config.idle_spin;
    int err = TERN_ERR_FULL;
    s->n_blocked++;
    while (err == TERN_ERR_FULL) {
        int n = ep->up->poll(ep);
        tern_time now = tern__endpoint_now(ep);
        if (s->closing) {
            err = TERN_ERR_CLOSED;
        } else if (a->deadline && now >= a->deadline) {
            end_attempt(a, TERN_STATUS_DEADLINE_EXCEEDED);
            err = 0;
        } else {
            err = try_start(a, now);
            if (err == TERN_ERR_FULL) ep->up->idle(ep, n, &busy_until, a->deadline);
        }
    }
    s->n_blocked--;
    ep->session_closing |= s->closing; /* which the next poll sees to */
    return err;
}

static int start(tern_session *s, tern__pending *p, uint32_t method_id, const tern__body *body,
                 const tern_call_opts *opts);

/* The call's time was over before it began. */
static inline bool is_too_late(const tern_call_opts *opts) { return opts && opts->timeout < 0; }

/* With metadata before the body. */
static __attribute__((noinline)) int start_behind(tern_session *s, tern__pending *p, uint32_t method_id,
                                                  const tern__body *body, const tern_call_opts *opts) {
    tern_arena arena;
    tern__meta meta = {0};
    tern_call_opts rest = *opts;
    rest.n_metadata = 0;
    tern_arena_init_private(&arena, 0, 0);
    int err = tern__meta_add_all(&meta, &arena, s->ep->config.max_metadata_bytes, opts->metadata, opts->n_metadata);
    if (err) {
        tern__pending_give(s->ep, p);
    } else {
        tern__behind behind = tern__body_behind(body, meta.block, meta.n_bytes);
        err = start(s, p, method_id, &behind.body, &rest);
    }
    tern_arena_fini(&arena);
    return err;
}

/* Hand a filled-in record to the engine; on an error it goes back and its callback never runs. */
static int start(tern_session *s, tern__pending *p, uint32_t method_id, const tern__body *body,
                 const tern_call_opts *opts) {
    tern_endpoint *ep = s->ep;
    if (opts && opts->n_metadata) return start_behind(s, p, method_id, body, opts);
    bool timed = opts && opts->timeout > 0;
    if (opts && opts->ref) *opts->ref = (tern_call_ref){0};
    tern_time now = timed ? tern__endpoint_now(ep) : s->port ? start_time(s) : ep->now;
    attempt a = {s, p, method_id, body, timed ? now + (tern_time)opts->timeout : 0, false};
    int err = opts && opts->ref ? prepare_name(ep, p) : 0;
    if (!err) err = try_start(&a, now);
    if (err == TERN_ERR_FULL && opts && opts->block && !ep->in_callback) err = wait_for_room(&a);
    if (err) tern__pending_give(ep, p);
    if (err) tern__unsendable_log(ep, body, err);
    if (!err && !a.has_ended && opts && opts->ref) name_call(s, p, opts->ref);
    return err;
}

int tern_call_cancel(tern_endpoint *ep, tern_call_ref call) {
    if (!tern__endpoint_is_mine(ep)) return tern__endpoint_not_mine(ep);
    if (call.ep && call.ep != ep) return TERN_ERR_INVALID;
    tern__pending *p = named_call(ep, call.id);
    if (!p) return TERN_ERR_STALE;
    tern_session *s = p->session;
    tern_time now = tern__endpoint_now(ep);
    tern__cancelled found = s->cs ? tern__engine_cancel(s->cs, p, now) : TERN__CANCELLED_NOT;
    for (tern__closed *r = ep->retired; r && !found; r = r->next)
        if (r->session == s) found = tern__engine_cancel(r->cs, p, now);
    if (!found) return TERN_ERR_STALE;
    ep->tx_dirty = true;
    end_later(ep, p, TERN_STATUS_CANCELLED);
    p->was_sent = found == TERN__CANCELLED_SENT;
    return 0;
}

int tern__client_prepare(tern_session *s, tern_status *nobody) {
    int err = is_down(s) ? establish(s) : 0;
    *nobody = status_of_connect(err);
    return err;
}

int tern__client_check(const tern_session *s) {
    int err = check_open(s);
    return !err && s->ep->freeing ? TERN_ERR_CLOSED : err;
}

int tern__client_begin(tern_session *s, const tern__pending *how, uint32_t method_id, const tern__body *body,
                       const tern_call_opts *opts, tern__pending **record) {
    tern__pending *p = take_pending(s->ep);
    if (!p) return TERN_ERR_NOMEM;
    tern__pending_fill(p, how);
    *record = p;
    return start(s, p, method_id, body, opts);
}

int tern__client_refuse(tern_session *s, const tern__pending *how, tern_status status, const tern_call_opts *opts) {
    tern__pending *p = take_pending(s->ep);
    if (!p) return TERN_ERR_NOMEM;
    tern__pending_fill(p, how);
    if (opts && opts->ref) *opts->ref = (tern_call_ref){0};
    end_later(s->ep, p, status);
    return TERN__CALL_WAITS;
}

static int start_typed(tern_session *s, const void *request, const tern_call_opts *opts, tern__pending *how) {
    const tern_method *method = how->method;
    int err = tern__client_check(s);
    if (err) return err;
    if (!method || !request) return TERN_ERR_INVALID;
    tern_call_opts own;
    if (tern__opts_are_foreign(opts)) {
        err = tern__opts_of_call(s->ep, opts, &own);
        if (err) return err;
        opts = &own;
    }
    if (opts && (uint32_t)opts->format >= TERN__MAX_FORMATS) return TERN_ERR_INVALID; /* and has no flags, as BEHIND */
    if (is_too_late(opts)) {
        err = tern__client_refuse(s, how, TERN_STATUS_DEADLINE_EXCEEDED, opts);
        return err == TERN__CALL_WAITS ? 0 : err;
    }
    tern_format format = opts ? opts->format : TERN_FORMAT_RAW;
    if (is_down(s)) s->ep->up->forget(s); /* it may be another program that answers next */
    if (method->flags & TERN_METHOD_BORROW) tern__borrow_needed(s->ep);
    set_borrows(s->ep, how, opts);
    if (method != s->checked) {
        err = s->ep->up->admit(s, request, opts, how, &format);
        if (err == TERN__CALL_WAITS) return 0;
        if (err) tern__unsendable_log(s->ep, &(tern__body){.type = method->request, .data = request}, err);
        if (err) return err;
    }
    tern__pending *p = take_pending(s->ep);
    if (!p) return TERN_ERR_NOMEM;
    tern__pending_fill(p, how);
    tern__body body = {.type = method->request, .data = request, .format = format};
    return start(s, p, method->id, &body, opts);
}

int tern__call_start(tern_session *session, const tern_method *method, const void *request, const tern_call_opts *opts,
                     tern__done_thunk *thunk, tern__any_fn *done, void *user) {
    if (!done) return TERN_ERR_INVALID;
    tern__pending how = tern__pending_typed(method, thunk, done, user);
    return start_typed(session, request, opts, &how);
}

static void untyped_thunk(tern__any_fn *done, void *user, int status, const void *response) {
    ((tern_done_fn *)done)(user, status, response);
}

int tern_call_start(tern_session *session, const tern_method *method, const void *request, const tern_call_opts *opts,
                    tern_done_fn *done, void *user) {
    return tern__call_start(session, method, request, opts, untyped_thunk, (tern__any_fn *)done, user);
}

/* As tern__pending_raw(), but only what a raw call reads is written. */
static inline void fill_raw(tern__pending *p, tern_done_fn *done, void *user) {
    p->done = (tern__any_fn *)done;
    p->user = user;
    p->finish = TERN__FINISH_RAW;
}

static __attribute__((noinline)) int start_raw(tern_session *session, uint32_t method_id, tern_bytes request,
                                               const tern_call_opts *opts, tern_done_fn *done, void *user) {
    int err = tern__client_check(session);
    if (err) return err;
    if (!done || (!request.data && request.len > 0)) return TERN_ERR_INVALID;
    tern_call_opts own;
    if (tern__opts_are_foreign(opts)) {
        err = tern__opts_of_call(session->ep, opts, &own);
        if (err) return err;
        opts = &own;
    }
    tern__pending *p = take_pending(session->ep);
    if (!p) return TERN_ERR_NOMEM;
    fill_raw(p, done, user);
    set_borrows(session->ep, p, opts);
    if (is_too_late(opts)) {
        if (opts->ref) *opts->ref = (tern_call_ref){0};
        end_later(session->ep, p, TERN_STATUS_DEADLINE_EXCEEDED);
        return 0;
    }
    tern__body body = {.data = request.data, .len = request.len};
    return start(session, p, method_id, &body, opts);
}

/* Whether a call may go the short way. */
static inline bool is_usual(const tern_session *session, tern_bytes request, const tern_call_opts *opts,
                            tern_done_fn *done) {
    const tern_endpoint *ep = session->ep;
    if (!tern__endpoint_is_mine(ep) || opts || !ep->free_pending || !session->cs) return false;
    return __builtin_expect(done && request.data, true) && !session->closing && !ep->freeing;
}

/* The record of a raw call that may start; the record stays the first free one until the engine has taken the call. */
static inline tern__pending *raw_record(tern_endpoint *ep, tern_done_fn *done, void *user) {
    tern__pending *p = ep->free_pending;
    fill_raw(p, done, user);
    p->borrows = ep->config.borrow;
    return p;
}

static inline void note_started(tern_endpoint *ep, const tern__pending *p) {
    ep->free_pending = p->next;
    ep->tx_dirty = true;
}

/* A usual one for which the run has no open line. */
static __attribute__((noinline)) int start_longer_way(tern_session *session, uint32_t method_id, tern_bytes request,
                                                      tern_done_fn *done, void *user) {
    tern_endpoint *ep = session->ep;
    tern__pending *p = raw_record(ep, done, user);
    if (!tern__engine_request_now(session->cs, method_id, request, p, start_time(session)))
        return start_raw(session, method_id, request, NULL, done, user);
    note_started(ep, p);
    return 0;
}

/* The usual case here, all others elsewhere, so that this one need not save registers for them. Links with runs of
 * lines are reliable and need no exact time. */
int tern_call_start_raw(tern_session *session, uint32_t method_id, tern_bytes request, const tern_call_opts *opts,
                        tern_done_fn *done, void *user) {
    tern_endpoint *ep = session->ep;
    if (!is_usual(session, request, opts, done)) return start_raw(session, method_id, request, opts, done, user);
    if (!tern__is_direct(session->cs, request)) return start_longer_way(session, method_id, request, done, user);
    tern__csession *cs = session->cs;
    tern_time now = ep->now;
    tern__pending *p = raw_record(ep, done, user);
    note_started(ep, p);
    tern__direct_request(cs, method_id, request, p, now);
    return 0;
}

/* The public session says where the engine's session is. To wait for neither, each call fetches this public session
 * into the cache, and the engine's part of a session that was announced some calls ago. */
void tern_session_expect(tern_endpoint *ep, tern_session *session) {
    if (!tern__endpoint_is_mine(ep) || !tern__engine_is_crowded(ep->engine)) return;
    tern_session **place = &ep->expected[ep->n_expected++ % TERN__N_EXPECTED];
    const tern_session *before = *place;
    *place = session;
    __builtin_prefetch(session);
    if (before && before->cs) tern__session_prefetch(&before->cs->s, before->port->link.reliable);
}

typedef struct waiter {
    bool finished;
    int status;
    const void *response;
    const tern_endpoint *ep;
    const tern_result **result; /* or NULL */
} waiter;

static void wait_done(tern__any_fn *done, void *user, int status, const void *response) {
    (void)done;
    waiter *w = user;
    w->finished = true;
    w->status = status;
    w->response = response;
    if (w->result) *w->result = tern__result_keep(w->ep);
}

int tern__client_start_owned(tern_session *session, const tern_method *method, const void *request,
                             const tern_call_opts *opts, tern__done_thunk *thunk, void *user) {
    tern__pending how = tern__pending_owned(method, thunk, user);
    return start_typed(session, request, opts, &how);
}

int tern_call_wait(tern_session *session, const tern_method *method, const void *request, const tern_call_opts *opts,
                   const void **response) {
    tern_endpoint *ep = session->ep;
    const void *unwanted = NULL;
    if (!response) {
        int status = tern_call_wait(session, method, request, opts, &unwanted);
        tern_release(unwanted);
        return status;
    }
    *response = NULL;
    tern_call_opts own;
    int err = tern__opts_are_foreign(opts) ? tern__opts_of_call(ep, opts, &own) : 0;
    if (tern__opts_are_foreign(opts) && !err) opts = &own;
    waiter w = {.ep = ep, .result = opts && !err ? opts->result : NULL};
    if (w.result) *w.result = NULL;
    if (!tern__endpoint_is_mine(ep)) return ep->up->call_from_thread(session, method, request, opts, response);
    if (err) return err;
    if (ep->in_callback) return TERN_ERR_STATE;
    err = tern__client_start_owned(session, method, request, opts, wait_done, &w);
    if (err) return err;
    tern_time busy_until = ep->now + (tern_time)ep->config.idle_spin;
    /* Until the end even if a port breaks: the call refers to our stack, and its timers will end it. */
    while (!w.finished) {
        int n = ep->up->poll(ep);
        if (!w.finished) ep->up->idle(ep, n, &busy_until, 0);
    }
    *response = w.response;
    return w.status;
}
