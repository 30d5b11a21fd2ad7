/* Serving calls: from a request that the engine has put together to the handler, and back.
 *
 * A call is a record of the endpoint's from the handler's start to the reply, and then another call's. A tern_call
 * names one use of the record (handle.h). The engine's side of the call (tern__request) may end earlier, when the
 * client dies: the call then goes on with what it holds itself, and its reply goes nowhere. */
#include "rpc/server.h"

#include <stdio.h>
#include <stdlib.h>

#include "engine/shortest.h"
#include "engine/trace_text.h"
#include "rpc/borrow.h"
#include "rpc/decode.h"
#include "rpc/tables.h"
#include "rpc/unsendable.h"

_Thread_local tern__away *tern__away_here;
_Thread_local tern_call tern__away_name;

enum { MAX_WARM_CALLS = 64, MAX_WARM_BYTES = 64 << 10 };

/* ---- Methods ------------------------------------------------------------------------------------ */

static int add_handler(tern_endpoint *ep, const tern__handler *entry) {
    if (!tern__endpoint_is_mine(ep)) return tern__endpoint_not_mine(ep);
    if (!entry->handler) return TERN_ERR_INVALID;
    int err = entry->method ? tern__tables_check(ep, entry->method) : 0;
    return err ? err : tern__server_add(ep, entry);
}

/* Of a method that is not served here: 0. */
static uint32_t wishes_of(void *user, uint32_t method) {
    const tern_endpoint *ep = user;
    const tern__handler *entry = tern__handlers_find(&ep->handlers, method);
    if (!entry) return 0;
    return entry->flags | (ep->config.borrow ? (uint32_t)TERN_METHOD_BORROW : 0);
}

void tern__server_heed_flags(tern_endpoint *ep) { tern__engine_set_wishes(ep->engine, wishes_of); }

int tern__server_add(tern_endpoint *ep, const tern__handler *entry) {
    if (entry->flags) tern__server_heed_flags(ep);
    if (entry->flags & TERN_METHOD_BORROW) tern__borrow_needed(ep);
    return tern__handlers_add(&ep->handlers, entry);
}

int tern__serve(tern_endpoint *ep, const tern_method *method, tern__handler_thunk *thunk, tern__any_fn *handler,
                void *user) {
    return add_handler(ep, &(tern__handler){method->id, method, thunk, handler, user, NULL, method->flags});
}

void tern__untyped_thunk(tern__any_fn *handler, tern_call call, const void *request, void *user) {
    ((tern_handler_fn *)handler)(call, request, user);
}

int tern_serve(tern_endpoint *ep, const tern_method *method, tern_handler_fn *handler, void *user) {
    return tern__serve(ep, method, tern__untyped_thunk, (tern__any_fn *)handler, user);
}

int tern_serve_raw(tern_endpoint *ep, uint32_t method_id, tern_handler_fn *handler, void *user) {
    return add_handler(ep, &(tern__handler){.id = method_id,
                                            .thunk = tern__untyped_thunk,
                                            .handler = (tern__any_fn *)handler,
                                            .user = user,
                                            .raw = handler});
}

/* ---- Calls -------------------------------------------------------------------------------------- */

/* As reach(), on a thread that is not the endpoint's. The table alone may be looked at here, and the record if the call
 * is this thread's: another may end at any moment. */
static __attribute__((noinline)) int reach_elsewhere(tern_call name, tern__call **out) {
    const tern__away *away = tern__away_here;
    bool is_here = tern__away_name.ep == name.ep && tern__away_name.id == name.id;
    if (!name.ep || (is_here && !away) || !tern__call_find(name.ep, name.id)) return TERN_ERR_STALE;
    if (!is_here) return tern__endpoint_not_mine(name.ep);
    *out = away->call;
    return 0;
}

/* The record of a call that the calling thread may go on with. Returns 0; TERN_ERR_STALE when the call has ended;
 * TERN_ERR_THREAD or _STATE when it is not this thread's. */
static inline int reach(tern_call name, tern__call **out) {
    if (!name.ep || !tern__endpoint_is_mine(name.ep)) return reach_elsewhere(name, out);
    tern__call *call = tern__call_find(name.ep, name.id);
    if (!call) return TERN_ERR_STALE;
    *out = call;
    return call->away ? TERN_ERR_THREAD : 0;
}

static __attribute__((noinline)) tern__call *make_call(tern_endpoint *ep) {
    tern__call *call = tern__slab_take(&ep->kinds.calls);
    if (!call) return NULL;
    memset(call, 0, sizeof *call);
    if (tern__handles_add(&ep->call_handles, &call->named) != 0) {
        tern__slab_give(call);
        return NULL;
    }
    call->ep = ep;
    call->next = ep->calls;
    tern_arena_init(&call->arena, 0, tern__decode_ceiling(&ep->config));
    tern_arena_init_private(&call->own, 0, tern__decode_ceiling(&ep->config));
    ep->calls = call;
    return call;
}

static inline void open_call(tern__call *call, tern__request *request, const tern__arrived *msg,
                             const tern_method *method) {
    call->request = request;
    call->method = method;
    call->payload = tern_bytes_of(msg->data, msg->len);
    *tern__request_user(request) = call;
}

static inline tern__call *take_call(tern_endpoint *ep) {
    tern__call *call = ep->free_calls;
    if (!call) return make_call(ep);
    ep->free_calls = call->next_free;
    ep->n_free_calls--;
    return call;
}

/* Idle calls keep a block of each arena for the next request, up to MAX_WARM_CALLS of them. */
static void empty_arenas(tern__call *call) {
    tern_endpoint *ep = call->ep;
    if (ep->n_free_calls < MAX_WARM_CALLS && call->arena.used_bytes + call->own.used_bytes <= MAX_WARM_BYTES) {
        if (call->arena.blocks) tern_arena_reset(&call->arena);
        if (call->own.blocks) tern_arena_reset(&call->own);
        return;
    }
    tern_arena_fini(&call->arena);
    tern_arena_fini(&call->own);
    tern_arena_init(&call->arena, 0, tern__decode_ceiling(&ep->config));
    tern_arena_init_private(&call->own, 0, tern__decode_ceiling(&ep->config));
}

/* Drop the state that few calls have: those that went to a worker, that have metadata of either kind, whose client
 * waits no longer, or whose handler wants to hear of that. */
static __attribute__((noinline)) void let_go_of_call(tern__call *call) {
    if (call->holds_payload) tern_unref(tern__call_memory(call));
    call->at_end = TERN__CALL_HAS_MEMORY;
    call->holds_payload = false;
    call->metadata = (tern_metadata){0};
    call->trailing = NULL;
    tern__loan_unref(call->loan);
    call->loan = NULL;
    call->away = NULL;
    call->on_cancel = NULL;
    if (!call->ep->freeing) tern__engine_settle(call->ep->engine, call->legacy);
    call->legacy = (tern__legacy){0};
    atomic_store_explicit(&call->cancelled, 0, memory_order_relaxed);
}

static inline void put_call(tern_endpoint *ep, tern__call *call) {
    if (!tern__named_advance(&call->named)) return;
    call->next_free = ep->free_calls;
    ep->free_calls = call;
    ep->n_free_calls++;
}

static inline void close_call(tern__call *call) {
    if (call->at_end) {
        if (call->at_end & TERN__CALL_UNUSUAL) let_go_of_call(call);
        empty_arenas(call);
        call->at_end = 0;
    }
    put_call(call->ep, call);
}

void tern__call_close(tern__call *call) { close_call(call); }

/* The request's bytes are needed side by side. */
static int gather_request(tern__call *call, const void **request, const char **why) {
    call->payload.data = tern__loan_gather(call->loan, false);
    *request = &call->payload;
    *why = "there is no memory for the request";
    return call->payload.data ? TERN_STATUS_OK : TERN_STATUS_RESOURCE_EXHAUSTED;
}

static inline int read_request(tern__call *call, const tern__arrived *msg, const void **request, const char **why) {
    if (!call->method) {
        if (call->loan) return gather_request(call, request, why);
        *request = &call->payload;
        return TERN_STATUS_OK;
    }
    if (call->format == TERN_FORMAT_RAW) {
        *why = "the request is of bytes, and the method takes messages";
        return TERN_STATUS_INVALID_ARGUMENT;
    }
    void *value = NULL;
    call->at_end |= TERN__CALL_HAS_MEMORY;
    int status = tern__decode(&call->ep->decoder, call->method->request, msg, 0, &call->own, &value, why);
    *request = value;
    return status == TERN_STATUS_INTERNAL ? TERN_STATUS_INVALID_ARGUMENT : status;
}

int tern__call_read(tern__call *call, const void **request, const char **why) {
    tern__lent lent = {
        .msg = {.data = call->payload.data, .len = (uint32_t)call->payload.len, .format = (uint8_t)call->format},
        .loan = call->loan};
    if (call->loan) lent.msg.format |= TERN__LENT;
    return read_request(call, &lent.msg, request, why);
}

/* An error for a request that has no call: no method, no metadata. */
static void refuse(tern_endpoint *ep, tern__request *request, int status, const char *message) {
    tern_arena arena;
    tern__meta meta = {0};
    tern_arena_init_private(&arena, 0, 0);
    tern_bytes text = {message, strlen(message)};
    if (tern__meta_add_kind(&meta, &arena, TERN__META_MESSAGE_ROOM, TERN__META_MESSAGE, text) == 0) {
        tern__behind behind = tern__body_behind(NULL, meta.block, meta.n_bytes);
        tern__engine_respond_behind(request, status | TERN__NOT_RUN, &behind, ep->now);
    } else {
        tern__engine_respond(request, status | TERN__NOT_RUN, NULL, ep->now);
    }
    tern_arena_fini(&arena);
}

/* What came before the request. False: it breaks the rules, and the call has been ended. */
static bool take_metadata(tern__call *call, const tern__arrived *msg) {
    tern_metadata metadata = {tern__arrived_begin(msg), msg->meta_bytes};
    int err = tern__meta_check(metadata, call->ep->config.max_metadata_bytes);
    call->metadata = metadata;
    call->at_end |= TERN__CALL_UNUSUAL;
    if (err == TERN_ERR_LIMIT)
        tern__call_refuse(call, TERN_STATUS_RESOURCE_EXHAUSTED, "the request's metadata is beyond the server's limit");
    else if (err)
        tern__call_refuse(call, TERN_STATUS_INVALID_ARGUMENT, "the request's metadata is malformed");
    return !err;
}

static void take_loan(tern__call *call, const tern__arrived *msg) {
    call->loan = tern__arrived_loan(msg);
    tern__loan_ref(call->loan);
    call->format = (tern_format)(msg->format & ~(uint32_t)TERN__LENT);
    call->at_end |= TERN__CALL_UNUSUAL;
}

/* What a decoder makes of a message counts once it is done: until then it takes no more than is idle. */
static void bound_decoded(tern__call *call, const tern__arrived *msg) {
    enum { SHORT = 8 << 10, LEAST = 1 << 20 }; /* short messages make less than that in any case */
    if (msg->len <= SHORT) return;
    uint64_t room = tern__engine_room(call->ep->engine) + LEAST;
    call->own.max_bytes = tern__decode_ceiling(&call->ep->config);
    if (room < call->own.max_bytes) call->own.max_bytes = room;
}

/* A decoder may make much of little, which its peer is to be allowed. */
static __attribute__((noinline)) int hold_decoded(tern__call *call, const tern__arrived *msg, const char **why) {
    if (!call->request) return TERN_STATUS_OK;
    if (tern__request_hold(call->request, msg->data, call->own.used_bytes)) return TERN_STATUS_OK;
    *why = "the message takes more memory, once it is decoded, than its sender may hold here now";
    return TERN_STATUS_RESOURCE_EXHAUSTED;
}

static __attribute__((noinline, cold)) void refuse_unread(tern__call *call, int status, const char *why) {
    if (status == TERN_STATUS_RESOURCE_EXHAUSTED) call->ep->n_too_much++;
    tern__call_refuse(call, status, why);
}

static __attribute__((noinline)) void serve(tern_endpoint *ep, tern__request *request, uint32_t method,
                                            const tern__arrived *msg) {
    const tern__handler *entry = tern__handlers_find(&ep->handlers, method);
    if (!entry) {
        if (!ep->up->serve_unknown(ep, request, method, msg))
            refuse(ep, request, TERN_STATUS_UNIMPLEMENTED, "the server serves no such method");
        return;
    }
    tern__call *call = take_call(ep);
    if (!call) {
        tern__engine_respond(request, TERN_STATUS_RESOURCE_EXHAUSTED | TERN__NOT_RUN, NULL, ep->now);
        return;
    }
    open_call(call, request, msg, entry->method);
    call->format = (tern_format)msg->format;
    if (tern__arrived_is_lent(msg)) take_loan(call, msg);
    if (msg->meta_bytes && !take_metadata(call, msg)) return;
    const void *message = NULL;
    const char *why = NULL;
    /* Methods without both are read by the worker that serves them. */
    int status = TERN_STATUS_OK;
    bound_decoded(call, msg);
    if (entry->method || entry->raw || !call->loan) status = read_request(call, msg, &message, &why);
    if (call->own.used_bytes > MAX_WARM_BYTES && status == TERN_STATUS_OK) status = hold_decoded(call, msg, &why);
    if (status != TERN_STATUS_OK)
        refuse_unread(call, status, why);
    else
        entry->thunk(entry->handler, tern__call_name(call), message, entry->user);
}

/* The usual raw case here, all others in serve(). */
void tern__server_on_request(void *user, tern__request *request, uint32_t method, const tern__arrived *msg) {
    tern_endpoint *ep = user;
    const tern__handler *entry = tern__handlers_at(&ep->handlers, method);
    tern__call *call = ep->free_calls;
    if (entry->id != method || !entry->raw || !call || !tern__arrived_is_usual(msg)) {
        serve(ep, request, method, msg);
        return;
    }
    ep->free_calls = call->next_free;
    ep->n_free_calls--;
    open_call(call, request, msg, NULL);
    entry->raw((tern_call){ep, tern__named_id(&call->named)}, &call->payload, entry->user);
}

/* The function may end the call. */
static void cancel(tern__call *call, tern_status why) {
    if (call->cancelled) return;
    atomic_store_explicit(&call->cancelled, (uint8_t)why, memory_order_relaxed);
    if (!call->away) call->at_end |= TERN__CALL_UNUSUAL; /* a call that is away is marked, and is another thread's */
    if (call->on_cancel) call->on_cancel(tern__call_name(call), why, call->cancel_user);
}

void tern__server_on_gone(void *user, tern__request *request) {
    (void)user;
    tern__call *call = *tern__request_user(request);
    if (!call) return;
    if (!call->ep->freeing) call->legacy = tern__request_hand_over(request);
    if (call->away) {
        cancel(call, TERN_STATUS_UNAVAILABLE);
        call->away->request = NULL;
        return;
    }
    call->request = NULL;
    call->holds_payload = !call->loan && tern_ref(tern__call_memory(call)) == 0;
    call->at_end |= TERN__CALL_UNUSUAL;
    cancel(call, TERN_STATUS_UNAVAILABLE);
}

void tern__server_on_abandoned(void *user, tern__request *request, int why) {
    (void)user;
    tern__call *call = *tern__request_user(request);
    if (call) cancel(call, (tern_status)why);
}

int tern_call_on_cancel(tern_call name, tern_cancel_fn *fn, void *user) {
    tern__call *call;
    int err = reach(name, &call);
    if (!err && call->away) err = TERN_ERR_THREAD;
    if (err) return err;
    call->on_cancel = fn;
    call->cancel_user = user;
    call->at_end |= TERN__CALL_UNUSUAL;
    if (call->cancelled && fn) fn(name, (tern_status)call->cancelled, user);
    return 0;
}

/* A session begins only for a client that has shown its address to be its own, and the line is for the most verbose
 * log: strangers cannot fill others. */
void tern__server_on_client(void *user, const tern__client_news *news) {
    const tern_endpoint *ep = user;
    const tern__port *port = (const tern__port *)(const void *)news->link;
    char peer[96], line[192];
    if (!port->ops->name_peer) return;
    port->ops->name_peer(news->route, peer, sizeof peer);
    if (news->has_ended)
        snprintf(line, sizeof line, "%s: client %s is gone: server-%08x (%s)", port->name, peer, news->number,
                 tern__why_name(news->why));
    else
        snprintf(line, sizeof line, "%s: client %s is up: server-%08x", port->name, peer, news->number);
    tern__endpoint_log(ep, TERN_LOG_DEBUG, line);
}

void tern__server_fini(tern_endpoint *ep) {
    while (ep->calls) {
        tern__call *call = ep->calls;
        ep->calls = call->next;
        if (call->at_end & TERN__CALL_UNUSUAL) let_go_of_call(call);
        tern_arena_fini(&call->arena);
        tern_arena_fini(&call->own);
        tern__slab_give(call);
    }
}

tern_arena *tern_call_arena(tern_call name) {
    tern__call *call;
    if (reach(name, &call) != 0) return NULL;
    call->at_end |= TERN__CALL_HAS_MEMORY;
    return &call->arena;
}

/* What was gathered is borrowed no longer. */
tern_loan *tern_call_loan(tern_call name) {
    tern__call *call;
    return !reach(name, &call) && call->loan && call->loan->kept ? call->loan : NULL;
}

/* On any thread; NULL of what is the parent's in a child of fork(). */
static const tern__call *find_open(tern_call name) {
    return name.ep && !name.ep->inherited ? tern__call_find(name.ep, name.id) : NULL;
}

bool tern_call_is_open(tern_call name) { return find_open(name) != NULL; }

/* On another thread the call may end meanwhile, and the record be another's. */
bool tern_call_is_cancelled(tern_call name) {
    const tern__call *call = find_open(name);
    if (!call || atomic_load_explicit(&call->cancelled, memory_order_acquire) != 0) return true;
    return tern__named_id(&call->named) != name.id;
}

tern_dur tern_call_time_left(tern_call name) {
    tern__call *call;
    int err = reach(name, &call);
    if (err) return err;
    if (call->away) return tern__away_time_left(call->away);
    tern_time deadline = call->request ? tern__request_deadline(call->request) : UINT64_MAX;
    return tern__time_left(deadline, tern__endpoint_now(call->ep));
}

/* ---- Replies ------------------------------------------------------------------------------------ */

/* behind: of the body, which then begins a tern__behind. */
static inline __attribute__((always_inline)) int end_call(tern__call *call, int status, const tern__body *body,
                                                          bool behind) {
    tern_endpoint *ep = call->ep;
    int err = 0;
    if (call->request) {
        tern_time now = ep->in_callback ? ep->now : tern__endpoint_now(ep);
        if (behind)
            err = tern__engine_respond_behind(call->request, status, (const tern__behind *)body, now);
        else
            err = tern__engine_respond(call->request, status, body, now);
        if (__builtin_expect(err != 0, 0)) tern__unsendable_log(ep, body, err);
        ep->tx_dirty = true;
    } else if (call->away) {
        return call->away->respond(call->away, status, body);
    }
    close_call(call);
    return err;
}

static int respond(tern__call *call, int status, const tern__body *body) { return end_call(call, status, body, false); }

/* With trailing metadata. */
static __attribute__((noinline)) int respond_behind(tern__call *call, int status, const tern__body *body,
                                                    const tern__meta *meta) {
    tern__behind behind = tern__body_behind(body, meta->block, meta->n_bytes);
    return end_call(call, status, &behind.body, true);
}

/* status: with TERN__NOT_RUN, or without. */
static int fail_with(tern__call *call, int status, tern__meta_error error) {
    tern__meta meta;
    call->at_end |= TERN__CALL_HAS_MEMORY;
    if (call->trailing) error.before = &call->trailing->meta;
    int err = tern__meta_make_error(&meta, &call->own, call->ep->config.max_metadata_bytes, &error);
    int sent = meta.n_bytes ? respond_behind(call, status, NULL, &meta) : respond(call, status, NULL);
    return err ? err : sent;
}

/* status: no success. */
static __attribute__((noinline)) int fail(tern__call *call, tern_status status) {
    if (call->trailing) return fail_with(call, status, (tern__meta_error){0});
    return respond(call, status, NULL);
}

/* The call is raw, has trailing metadata, or there is no response. */
static __attribute__((noinline)) int reply_unusual(tern__call *call, const void *response) {
    const tern__trailing *trailing = call->trailing;
    if (!response || !trailing || !trailing->method) {
        fail(call, TERN_STATUS_INTERNAL);
        return TERN_ERR_INVALID;
    }
    tern__body body = {.type = trailing->method->response, .data = response, .format = call->format};
    return respond_behind(call, TERN_STATUS_OK, &body, &trailing->meta);
}

int tern_reply(tern_call name, const void *response) {
    tern__call *call;
    int err = reach(name, &call);
    if (err) return err;
    if (!call->method || !response) return reply_unusual(call, response);
    tern__body body = {.type = call->method->response, .data = response, .format = call->format};
    return respond(call, TERN_STATUS_OK, &body);
}

static __attribute__((noinline)) int reply_raw(tern_call name, tern_bytes response) {
    tern__call *call;
    int err = reach(name, &call);
    if (err) return err;
    tern__body body = {.data = response.data, .len = response.len};
    if (call->trailing) return respond_behind(call, TERN_STATUS_OK, &body, &call->trailing->meta);
    return respond(call, TERN_STATUS_OK, &body);
}

/* From the handler or another callback, where the run has no open line for it. */
static __attribute__((noinline)) int reply_longer_way(tern__call *call, tern_bytes response) {
    tern_endpoint *ep = call->ep;
    if (!tern__engine_respond_now(call->request, response, ep->now)) return reply_raw(tern__call_name(call), response);
    ep->tx_dirty = true;
    close_call(call);
    return 0;
}

/* The usual case here, all others elsewhere, so that this one need not save registers for them. */
int tern_reply_raw(tern_call name, tern_bytes response) {
    tern_endpoint *ep = name.ep;
    if (!ep || !tern__endpoint_is_mine(ep)) return reply_raw(name, response);
    tern__call *call = tern__call_in_place(ep, name.id);
    if (tern__named_id(&call->named) != name.id || !ep->in_callback || call->at_end) return reply_raw(name, response);
    if (!tern__direct_respond(call->request, response, ep->now)) return reply_longer_way(call, response);
    ep->tx_dirty = true;
    put_call(ep, call);
    return 0;
}

int tern_fail(tern_call name, tern_status status) {
    tern__call *call;
    int err = reach(name, &call);
    return err ? err : fail(call, status == TERN_STATUS_OK ? TERN_STATUS_UNKNOWN : status);
}

/* ---- Errors with more than a status, and trailing metadata ---------------------------------------- */

tern_metadata tern_call_metadata(tern_call name) {
    tern__call *call;
    return reach(name, &call) ? (tern_metadata){0} : call->metadata;
}

static tern__trailing *trailing_of(tern__call *call) {
    if (call->trailing) return call->trailing;
    tern__trailing *trailing = tern_arena_alloc(&call->own, sizeof *trailing);
    if (!trailing) return NULL;
    *trailing = (tern__trailing){.method = call->method};
    call->method = NULL;
    call->trailing = trailing;
    call->at_end |= TERN__CALL_UNUSUAL;
    return trailing;
}

int tern_call_add_trailing(tern_call name, const char *key, tern_bytes value) {
    tern__call *call;
    int err = reach(name, &call);
    if (err) return err;
    tern__trailing *trailing = trailing_of(call);
    if (!trailing) return TERN_ERR_NOMEM;
    return tern__meta_add(&trailing->meta, &call->own, call->ep->config.max_metadata_bytes, &(tern_pair){key, value});
}

int tern_fail_with(tern_call name, tern_status status, const char *message, tern_bytes details,
                   const tern_pair *trailing, size_t n_trailing) {
    tern__call *call;
    int err = reach(name, &call);
    if (err) return err;
    if (status == TERN_STATUS_OK) status = TERN_STATUS_UNKNOWN;
    tern__meta_error error = {.message = message, .details = details, .trailing = trailing, .n_trailing = n_trailing};
    return fail_with(call, (int)status, error);
}

void tern__call_fail(tern__call *call, tern_status status, const char *message) {
    fail_with(call, (int)status, (tern__meta_error){.message = message});
}

void tern__call_refuse(tern__call *call, int status, const char *message) {
    fail_with(call, status | TERN__NOT_RUN, (tern__meta_error){.message = message});
}
