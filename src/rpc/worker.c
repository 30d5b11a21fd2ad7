/* Errands: calls that a worker runs (worker.h). The first half runs on the endpoint's thread, the second on workers.
 *
 * An errand counts as a visitor of its endpoint until its handler has returned, so the endpoint, the method's record
 * and what the handler's user pointer stands for are there for as long as any worker looks at them. */
#include "rpc/worker.h"

#include <sched.h>
#include <stdlib.h>
#include <time.h>

#include "rpc/client.h"
#include "rpc/futex.h"
#include "rpc/opts.h"
#include "rpc/result.h"
#include "rpc/tables.h"

static void run_errand(tern__job *job);
static int respond_ready(tern__away *away, int status, const tern__body *body);

enum { YIELDS = 64, NAP_NS = 50000, FORWARD_SPINS = 2000 };

/* ---- The endpoint's thread: there ----------------------------------------------------------------- */

/* NULL: no memory, or the payload cannot be kept. */
static tern__errand *make_errand(tern__call *call, const tern__worker_method *how) {
    static const uint8_t nothing[1];
    tern__errand *errand = tern_arena_alloc(&call->own, sizeof *errand);
    if (call->payload.len == 0)
        call->payload.data = nothing; /* where the packet's payload would be is perhaps no place */
    bool empty = call->payload.len == 0 && call->metadata.n_bytes == 0;
    bool holds = !empty && !call->loan;
    if (!errand || (holds && tern_ref(tern__call_memory(call)) != 0)) return NULL;
    *errand = (tern__errand){.job = {run_errand},
                             .away = {call, call->request, tern__request_deadline(call->request), respond_ready},
                             .how = how};
    tern__request_terms(call->request, &errand->terms);
    call->holds_payload = holds;
    call->at_end |= TERN__CALL_UNUSUAL;
    call->method = how->method;
    call->away = &errand->away;
    call->request = NULL;
    return errand;
}

/* Whether the call would wait for a worker too long. */
static bool would_wait(const tern__call *call, const tern_workers *pool) {
    const tern_endpoint *ep = call->ep;
    if (!ep->config.queue_target) return false;
    return !tern__engine_admits_wait(ep->engine, tern__workers_wait(pool), tern__request_deadline(call->request),
                                     ep->now);
}

/* The endpoint's handler for methods of a pool, which are raw for the endpoint: the worker decodes. */
static void hand_to_pool(tern__any_fn *handler, tern_call name, const void *request, void *user) {
    const tern__worker_method *how = user;
    tern_endpoint *ep = name.ep;
    tern__call *call = tern__call_find(ep, name.id);
    (void)handler;
    (void)request;
    tern__errand *errand = would_wait(call, how->pool) ? NULL : make_errand(call, how);
    if (errand) {
        tern__endpoint_visit(ep);
        if (tern__workers_submit(how->pool, &errand->job)) {
            ep->workers.n_handed++;
            return;
        }
        tern__endpoint_leave(ep);
        call->request = errand->away.request;
        call->away = NULL;
    }
    ep->workers.n_refused++;
    tern__call_refuse(call, TERN_STATUS_RESOURCE_EXHAUSTED, "too many calls wait for the server's workers");
}

const tern_method *tern__worker_method_of(const tern__handler *entry) {
    return entry->thunk == hand_to_pool ? ((const tern__worker_method *)entry->user)->method : entry->method;
}

/* `how` is copied. */
static int serve_by_pool(tern_endpoint *ep, uint32_t id, const tern__worker_method *how) {
    if (!tern__endpoint_is_mine(ep)) return tern__endpoint_not_mine(ep);
    if (!how->handler) return TERN_ERR_INVALID;
    int err = how->method ? tern__tables_check(ep, how->method) : 0;
    if (err) return err;
    tern__worker_method *kept = malloc(sizeof *kept);
    if (!kept) return TERN_ERR_NOMEM;
    *kept = *how;
    tern__handler entry = {.id = id, .thunk = hand_to_pool, .handler = how->handler, .user = kept};
    if (how->method) entry.flags = how->method->flags;
    err = tern__server_add(ep, &entry);
    if (err) {
        free(kept);
        return err;
    }
    kept->next = ep->workers.methods;
    ep->workers.methods = kept;
    tern__workers_use(kept->pool);
    if (ep->config.queue_target) tern__workers_time(kept->pool);
    return 0;
}

int tern__serve_on(tern_endpoint *ep, const tern_method *method, tern__handler_thunk *thunk, tern__any_fn *handler,
                   void *user, tern_workers *pool) {
    if (!pool) return tern__serve(ep, method, thunk, handler, user);
    return serve_by_pool(ep, method->id, &(tern__worker_method){NULL, pool, method, thunk, handler, user});
}

int tern_serve_on(tern_endpoint *ep, const tern_method *method, tern_handler_fn *handler, void *user,
                  tern_workers *pool) {
    return tern__serve_on(ep, method, tern__untyped_thunk, (tern__any_fn *)handler, user, pool);
}

int tern_serve_raw_on(tern_endpoint *ep, uint32_t method_id, tern_handler_fn *handler, void *user, tern_workers *pool) {
    if (!pool) return tern_serve_raw(ep, method_id, handler, user);
    tern__worker_method how = {NULL, pool, NULL, tern__untyped_thunk, (tern__any_fn *)handler, user};
    return serve_by_pool(ep, method_id, &how);
}

/* ---- The endpoint's thread: back ------------------------------------------------------------------ */

static void end_errand(tern_endpoint *ep, tern__errand *errand) {
    tern__call *call = errand->away.call;
    if (errand->unanswered)
        tern__endpoint_log(ep, TERN_LOG_ERROR,
                           "a handler on a worker returned without a reply: its call ends with INTERNAL");
    if (errand->away.request) {
        tern_time now = tern__endpoint_now(ep);
        if (errand->ready.out)
            tern__engine_respond_ready(errand->away.request, errand->status, &errand->ready, now);
        else
            tern__engine_respond(errand->away.request, errand->status, NULL, now);
        ep->tx_dirty = true;
    }
    tern__ready_drop(&errand->ready);
    tern__call_close(call);
}

static int collect_finished(tern_endpoint *ep) {
    int n = 0;
    for (tern__inbox_entry *entry = tern__inbox_take(&ep->workers.finished), *next; entry; entry = next, n++) {
        next = entry->next;
        end_errand(ep, TERN__CONTAINER(entry, tern__errand, entry));
    }
    return n;
}

static void finish_forward(tern__forward *forward, int status, const void *response) {
    forward->status = status;
    forward->response = response;
    atomic_store_explicit(&forward->finished, 1, memory_order_release);
    tern__futex_wake(&forward->finished);
}

static void on_forward_done(tern__any_fn *done, void *user, int status, const void *response) {
    tern__forward *forward = user;
    (void)done;
    if (forward->opts.result) *forward->opts.result = tern__result_keep(forward->session->ep);
    finish_forward(forward, status, response);
}

/* The opts are read here, where a refusal can be logged. */
static void start_forward(tern__forward *forward) {
    int err = forward->given ? tern__opts_of_call(forward->session->ep, forward->given, &forward->opts) : 0;
    if (!forward->opts.timeout) forward->opts.timeout = forward->timeout;
    if (!err)
        err = tern__client_start_owned(forward->session, forward->method, forward->request, &forward->opts,
                                       on_forward_done, forward);
    if (err) finish_forward(forward, err, NULL);
}

static int collect_forwarded(tern_endpoint *ep) {
    int n = 0;
    for (tern__inbox_entry *entry = tern__inbox_take(&ep->workers.forwarded), *next; entry; entry = next, n++) {
        next = entry->next;
        start_forward(TERN__CONTAINER(entry, tern__forward, entry));
    }
    return n;
}

int tern__workers_collect(tern_endpoint *ep) { return collect_finished(ep) + collect_forwarded(ep); }

void tern__workers_leave(tern_endpoint *ep) {
    for (int n = 0; atomic_load_explicit(&ep->n_visitors, memory_order_acquire) > 0; n++) {
        tern__workers_collect(ep);
        if (n < YIELDS)
            sched_yield();
        else
            nanosleep(&(struct timespec){.tv_nsec = NAP_NS}, NULL);
    }
    tern__workers_collect(ep);
    while (ep->workers.methods) {
        tern__worker_method *how = ep->workers.methods;
        ep->workers.methods = how->next;
        tern__workers_unuse(how->pool);
        free(how);
    }
}

/* ---- Workers -------------------------------------------------------------------------------------- */

/* The call is over for the worker; whether the errand is still there when this returns is the endpoint's business. */
static void return_errand(tern__errand *errand, int status) {
    tern_endpoint *ep = errand->away.call->ep;
    errand->status = status;
    tern__inbox_add(&ep->workers.finished, &errand->entry);
    tern__endpoint_alert(ep);
}

/* Whether the handler may still run. Returns a tern_status. */
static int status_before(const tern__errand *errand) {
    if (atomic_load_explicit(&errand->away.call->cancelled, memory_order_relaxed)) return TERN_STATUS_CANCELLED;
    return tern__away_time_left(&errand->away) < 0 ? TERN_STATUS_DEADLINE_EXCEEDED : TERN_STATUS_OK;
}

static void run_errand(tern__job *job) {
    tern__errand *errand = TERN__CONTAINER(job, tern__errand, job);
    tern__call *call = errand->away.call;
    tern_endpoint *ep = call->ep;
    const tern__worker_method *how = errand->how;
    const void *request = NULL;
    const char *why = NULL;
    int status = status_before(errand);
    if (status != TERN_STATUS_OK) {
        return_errand(errand, status | TERN__NOT_RUN);
        tern__endpoint_leave(ep);
        return;
    }
    tern__away_here = &errand->away;
    tern__away_name = tern__call_name(call);
    status = tern__call_read(call, &request, &why);
    if (status != TERN_STATUS_OK)
        tern__call_refuse(call, status, why);
    else
        how->thunk(how->handler, tern__away_name, request, how->user);
    if (tern__away_here) {
        errand->unanswered = true;
        tern__call_fail(call, TERN_STATUS_INTERNAL, "the handler returned without a reply");
    }
    tern__away_name = (tern_call){0};
    tern__endpoint_leave(ep);
}

static int respond_ready(tern__away *away, int status, const tern__body *body) {
    tern__errand *errand = TERN__CONTAINER(away, tern__errand, away);
    int err = 0;
    if (body) err = tern__ready_make(&errand->terms, body, &errand->ready);
    if (err && status == TERN_STATUS_OK)
        status = err == TERN_ERR_LIMIT || err == TERN_ERR_NOMEM ? TERN_STATUS_RESOURCE_EXHAUSTED : TERN_STATUS_INTERNAL;
    tern__away_here = NULL;
    return_errand(errand, status);
    return err;
}

/* ---- Blocking calls of handlers ------------------------------------------------------------------- */

static void await_forward(tern__forward *forward) {
    for (int n = 0; n < FORWARD_SPINS; n++) {
        if (atomic_load_explicit(&forward->finished, memory_order_acquire)) return;
        tern__cpu_relax();
    }
    while (!atomic_load_explicit(&forward->finished, memory_order_acquire)) tern__futex_wait(&forward->finished, 0);
}

int tern__worker_call(tern_session *session, const tern_method *method, const void *request, const tern_call_opts *opts,
                      const void **response) {
    const tern__away *away = tern__away_here;
    tern_endpoint *ep = session->ep;
    if (!away || away->call->ep != ep) return tern__endpoint_not_mine(ep);
    tern__forward forward = {
        .session = session, .method = method, .request = request, .given = opts, .opts = TERN_CALL_OPTS()};
    tern_dur left = tern__away_time_left(away);
    if (left < INT64_MAX) forward.timeout = left;
    tern__inbox_add(&ep->workers.forwarded, &forward.entry);
    tern__endpoint_alert(ep);
    await_forward(&forward);
    *response = forward.response;
    return forward.status;
}
