/* Serving calls: from a request that the engine has put together to the handler, and back.
 *
 * A tern_call is a record of the endpoint's that is open from the handler's start to the reply, and used again. The
 * engine's side of it (tern__served) may end earlier, when the client dies: the call then goes on with what it holds
 * itself, and its reply goes nowhere. */
#include "rpc/server.h"

#include <stdlib.h>

#include "engine/direct.h"
#include "rpc/decode.h"

_Thread_local tern__away *tern__away_here;

enum { MAX_WARM_CALLS = 64, MAX_WARM_BYTES = 64 << 10 };

/* ---- Methods ------------------------------------------------------------------------------------ */

static int add_handler(tern_endpoint *ep, const tern__handler *entry) {
    if (!tern__endpoint_is_mine(ep)) return TERN_ERR_THREAD;
    if (!entry->handler) return TERN_ERR_INVALID;
    return tern__handlers_add(&ep->handlers, entry);
}

int tern__serve(tern_endpoint *ep, const tern_method *method, tern__handler_thunk *thunk, tern__any_fn *handler,
                void *user) {
    return add_handler(ep, &(tern__handler){method->id, method, thunk, handler, user, NULL});
}

void tern__untyped_thunk(tern__any_fn *handler, tern_call *call, const void *request, void *user) {
    ((tern_handler_fn *)handler)(call, request, user);
}

int tern_serve(tern_endpoint *ep, const tern_method *method, tern_handler_fn *handler, void *user) {
    return tern__serve(ep, method, tern__untyped_thunk, (tern__any_fn *)handler, user);
}

int tern_serve_raw(tern_endpoint *ep, uint32_t method_id, tern_handler_fn *handler, void *user) {
    return add_handler(ep,
                       &(tern__handler){method_id, NULL, tern__untyped_thunk, (tern__any_fn *)handler, user, handler});
}

/* ---- Calls -------------------------------------------------------------------------------------- */

static __attribute__((noinline)) tern_call *make_call(tern_endpoint *ep) {
    tern_call *call = calloc(1, sizeof *call);
    if (!call) return NULL;
    call->ep = ep;
    tern_arena_init(&call->arena, 0, tern__decode_ceiling(&ep->config));
    call->next = ep->calls;
    ep->calls = call;
    return call;
}

static inline void open_call(tern_call *call, tern__served *served, const tern__arrived *msg,
                             const tern_method *method) {
    call->served = served;
    call->method = method;
    call->payload = tern_bytes_of(msg->data, msg->len);
    call->format = (tern_format)msg->format;
    call->open = true;
    *tern__served_user(served) = call;
}

static inline tern_call *take_call(tern_endpoint *ep) {
    tern_call *call = ep->free_calls;
    if (!call) return make_call(ep);
    ep->free_calls = call->next_free;
    ep->n_free_calls--;
    return call;
}

/* Idle calls keep a block each for the next request, up to MAX_WARM_CALLS of them. */
static void empty_arena(tern_call *call) {
    tern_endpoint *ep = call->ep;
    if (ep->n_free_calls < MAX_WARM_CALLS && call->arena.used_bytes <= MAX_WARM_BYTES) {
        tern_arena_reset(&call->arena);
        return;
    }
    tern_arena_fini(&call->arena);
    tern_arena_init(&call->arena, 0, tern__decode_ceiling(&ep->config));
}

/* Drop the state that few calls have: those that went to a worker, whose client waits no longer, or whose handler wants
 * to hear of that. */
static __attribute__((noinline)) void let_go_of_call(tern_call *call) {
    if (call->holds_payload) tern_unref(call->payload.data);
    call->holds_payload = call->marked = false;
    call->away = NULL;
    call->on_cancel = NULL;
    atomic_store_explicit(&call->cancelled, 0, memory_order_relaxed);
}

static inline void put_call(tern_call *call) {
    tern_endpoint *ep = call->ep;
    call->open = false;
    call->next_free = ep->free_calls;
    ep->free_calls = call;
    ep->n_free_calls++;
}

static inline void close_call(tern_call *call) {
    if (call->marked) let_go_of_call(call);
    if (call->arena.blocks) empty_arena(call);
    put_call(call);
}

void tern__call_close(tern_call *call) { close_call(call); }

static inline int read_request(tern_call *call, const tern__arrived *msg, const void **request) {
    if (msg->format > TERN_FORMAT_PROTOBUF) return TERN_STATUS_UNIMPLEMENTED;
    if (!call->method) {
        *request = &call->payload;
        return TERN_STATUS_OK;
    }
    if (msg->format == TERN_FORMAT_RAW) return TERN_STATUS_INVALID_ARGUMENT;
    void *value = NULL;
    int status = tern__decode(call->method->request, msg, 0, call->ep->config.max_message_bytes, &call->arena, &value);
    *request = value;
    return status == TERN_STATUS_INTERNAL ? TERN_STATUS_INVALID_ARGUMENT : status;
}

int tern__call_read(tern_call *call, const void **request) {
    tern__arrived msg = {
        .data = call->payload.data, .len = (uint32_t)call->payload.len, .format = (uint8_t)call->format};
    return read_request(call, &msg, request);
}

static __attribute__((noinline)) void serve(tern_endpoint *ep, tern__served *served, uint32_t method,
                                            const tern__arrived *msg) {
    const tern__handler *entry = tern__handlers_find(&ep->handlers, method);
    if (!entry) {
        if (!ep->up->serve_unknown(ep, served, method, msg))
            tern__engine_respond(served, TERN_STATUS_UNIMPLEMENTED, NULL, ep->now);
        return;
    }
    tern_call *call = take_call(ep);
    if (!call) {
        tern__engine_respond(served, TERN_STATUS_RESOURCE_EXHAUSTED, NULL, ep->now);
        return;
    }
    open_call(call, served, msg, entry->method);
    const void *request = NULL;
    int status = read_request(call, msg, &request);
    if (status != TERN_STATUS_OK)
        tern_fail(call, (tern_status)status);
    else
        entry->thunk(entry->handler, call, request, entry->user);
}

/* The usual raw case here, all others in serve(). */
void tern__server_on_request(void *user, tern__served *served, uint32_t method, const tern__arrived *msg) {
    tern_endpoint *ep = user;
    const tern__handler *entry = tern__handlers_at(&ep->handlers, method);
    tern_call *call = ep->free_calls;
    if (entry->id != method || !entry->raw || !call || msg->format > TERN_FORMAT_PROTOBUF) {
        serve(ep, served, method, msg);
        return;
    }
    ep->free_calls = call->next_free;
    ep->n_free_calls--;
    open_call(call, served, msg, NULL);
    entry->raw(call, &call->payload, entry->user);
}

/* The function may end the call. */
static void cancel(tern_call *call, tern_status why) {
    if (call->cancelled) return;
    atomic_store_explicit(&call->cancelled, (uint8_t)why, memory_order_relaxed);
    call->marked = true;
    if (call->on_cancel) call->on_cancel(call, why, call->cancel_user);
}

void tern__server_on_gone(void *user, tern__served *served) {
    (void)user;
    tern_call *call = *tern__served_user(served);
    if (!call) return;
    if (call->away) {
        cancel(call, TERN_STATUS_UNAVAILABLE);
        call->away->served = NULL;
        return;
    }
    call->served = NULL;
    call->holds_payload = tern_ref(call->payload.data) == 0;
    cancel(call, TERN_STATUS_UNAVAILABLE);
}

void tern__server_on_abandoned(void *user, tern__served *served, int why) {
    (void)user;
    tern_call *call = *tern__served_user(served);
    if (call) cancel(call, (tern_status)why);
}

int tern_call_on_cancel(tern_call *call, tern_cancel_fn *fn, void *user) {
    if (!tern__endpoint_is_mine(call->ep) || call->away) return TERN_ERR_THREAD;
    call->on_cancel = fn;
    call->cancel_user = user;
    call->marked = true;
    if (call->cancelled && fn) fn(call, (tern_status)call->cancelled, user);
    return 0;
}

void tern__server_fini(tern_endpoint *ep) {
    while (ep->calls) {
        tern_call *call = ep->calls;
        ep->calls = call->next;
        if (call->open) close_call(call);
        tern_arena_fini(&call->arena);
        free(call);
    }
}

tern_arena *tern_call_arena(tern_call *call) { return tern__call_is_mine(call) ? &call->arena : NULL; }
tern_endpoint *tern_call_endpoint(const tern_call *call) { return call->ep; }

bool tern_call_is_cancelled(const tern_call *call) {
    return atomic_load_explicit(&call->cancelled, memory_order_relaxed) != 0;
}

tern_dur tern_call_time_left(const tern_call *call) {
    if (!tern__call_is_mine(call)) return TERN_ERR_THREAD;
    if (call->away) return tern__away_time_left(call->away);
    tern_time deadline = call->served ? tern__served_deadline(call->served) : UINT64_MAX;
    if (deadline == UINT64_MAX) return INT64_MAX;
    return (tern_dur)(deadline - tern__endpoint_now(call->ep));
}

/* ---- Replies ------------------------------------------------------------------------------------ */

static int respond_elsewhere(const tern_call *call, int status, const tern__body *body) {
    tern__away *away = tern__away_here;
    return away && away->call == call ? away->respond(away, status, body) : TERN_ERR_THREAD;
}

static int respond(tern_call *call, int status, const tern__body *body) {
    tern_endpoint *ep = call->ep;
    if (!tern__endpoint_is_mine(ep)) return respond_elsewhere(call, status, body);
    int err = 0;
    if (call->served) {
        err = tern__engine_respond(call->served, status, body, ep->in_callback ? ep->now : tern__endpoint_now(ep));
        ep->tx_dirty = true;
    } else if (call->away) {
        return TERN_ERR_THREAD;
    }
    close_call(call);
    return err;
}

int tern_reply(tern_call *call, const void *response) {
    if (!call->method || !response) {
        int err = respond(call, TERN_STATUS_INTERNAL, NULL);
        return err ? err : TERN_ERR_INVALID;
    }
    tern__body body = {.type = call->method->response, .data = response, .format = call->format};
    return respond(call, TERN_STATUS_OK, &body);
}

static __attribute__((noinline)) int reply_raw(tern_call *call, tern_bytes response) {
    tern__body body = {.data = response.data, .len = response.len};
    return respond(call, TERN_STATUS_OK, &body);
}

/* From the handler or another callback, where the run has no open line for it. */
static __attribute__((noinline)) int reply_unlaned(tern_call *call, tern_bytes response) {
    tern_endpoint *ep = call->ep;
    if (!tern__engine_respond_now(call->served, response, ep->now)) return reply_raw(call, response);
    ep->tx_dirty = true;
    close_call(call);
    return 0;
}

/* The usual case here, all others elsewhere, so that this one need not save registers for them. */
int tern_reply_raw(tern_call *call, tern_bytes response) {
    tern_endpoint *ep = call->ep;
    if (!tern__endpoint_is_mine(ep) || !call->served || !ep->in_callback) return reply_raw(call, response);
    if (call->marked || call->arena.blocks || !tern__direct_respond(call->served, response, ep->now))
        return reply_unlaned(call, response);
    ep->tx_dirty = true;
    put_call(call);
    return 0;
}

int tern_fail(tern_call *call, tern_status status) {
    return respond(call, status == TERN_STATUS_OK ? TERN_STATUS_UNKNOWN : status, NULL);
}
