/* Streaming calls: records, the client's and the server's end, and the functions that both have (stream.h).
 *
 * The engine's callbacks come from a poll; what the user's own functions bring about (a cancelled call, bytes that were
 * let go) is put on the endpoint's list of due streams and told at the next poll. */
#include "rpc/stream.h"

#include <stdlib.h>

#include "rpc/client.h"
#include "rpc/opts.h"
#include "rpc/schema.h"
#include "rpc/server.h"
#include "rpc/stream_in.h"
#include "rpc/stream_metadata.h"
#include "rpc/stream_turn.h"
#include "rpc/tables.h"

static const tern__stream_in_events in_events;

/* ---- Records ------------------------------------------------------------------------------------ */

static tern__stream_record *make_record(tern_endpoint *ep) {
    tern__stream_record *s = tern__slab_take(&ep->kinds.streams);
    if (!s) return NULL;
    if (tern__handles_add(&ep->stream_handles, &s->named) != 0) {
        tern__slab_give(s);
        return NULL;
    }
    s->next = ep->streams;
    ep->streams = s;
    return s;
}

static tern__stream_record *take_record(tern_endpoint *ep) {
    tern__stream_record *s = ep->free_streams;
    if (s)
        ep->free_streams = s->next_free;
    else
        s = make_record(ep);
    if (!s) return NULL;
    tern__stream_record *next = s->next;
    memset((uint8_t *)s + sizeof s->named, 0, sizeof *s - sizeof s->named);
    s->ep = ep;
    s->in_events = &in_events;
    s->next = next;
    tern__list_init(&s->due);
    tern__stream_in_init(s);
    return s;
}

/* The stream's handles are stale from now on. */
static void give_record(tern__stream_record *s) {
    tern__list_remove(&s->due);
    tern__stream_in_fini(s);
    tern__stream_metadata_fini(s);
    s->st = NULL;
    s->call = TERN__STREAM_FREE;
    if (!tern__named_advance(&s->named)) return;
    s->next_free = s->ep->free_streams;
    s->ep->free_streams = s;
}

/* The next poll looks at the stream. */
static void due_soon(tern__stream_record *s) {
    if (tern__list_empty(&s->due)) tern__list_append(&s->ep->due_streams, &s->due);
}

/* The engine's stream is gone; on_end is due. A call that was cancelled stays so. */
static void enter_end(tern__stream_record *s, tern__stream_call_state how, int status) {
    s->st = NULL;
    if (s->call != TERN__STREAM_CANCELLED) s->call = how;
    s->status = status;
}

/* Whoever waits for the end of this call gets what the endpoint's result says. */
static void tell_awaited(const tern__stream_record *s, int status) {
    tern_endpoint *ep = s->ep;
    if (ep->awaited_stream != s) return;
    ep->awaited_stream = NULL;
    ep->awaited_status = status;
    if (ep->awaited_result) *ep->awaited_result = tern__result_keep(ep);
}

/* on_end runs, and the record is free. */
static void end_now(tern__stream_record *s, int status) {
    tern_endpoint *ep = s->ep;
    bool unsent = s->unsent;
    tern__telling telling = {0};
    if (unsent) telling = tern__tell_unsent_begin(ep);
    void (*on_end)(tern_stream, int, void *) = s->events.on_end;
    uint64_t life = tern__stream_life(s);
    const tern_result *outer = ep->result;
    tern_result result;
    bool has_result = !tern__stream_is_server(s) && tern__stream_result(s, &status, &result);
    ep->result = has_result ? &result : NULL;
    tell_awaited(s, status);
    enter_end(s, TERN__STREAM_ENDED, status);
    tern__list_remove(&s->due);
    if (on_end) on_end(tern__stream_name(s), status, s->user);
    ep->result = outer;
    if (unsent) tern__tell_unsent_end(ep, telling);
    if (tern__stream_life(s) == life) give_record(s);
}

/* The call ends here and now, and the peer is told; on_end runs. In callbacks only. why: a constant text, or NULL. */
static void break_now(tern__stream_record *s, int status, const char *why) {
    if (s->st && tern__stream_is_server(s)) {
        tern__meta_error error = {.message = why};
        tern__stream_metadata_end(s->ep, s, s->st, status, &error, true, s->ep->now);
    } else if (s->st) {
        tern__stream_abort(s->st, status, s->ep->now);
    }
    s->st = NULL;
    s->why = why;
    s->status = status;
    s->ep->tx_dirty = true;
    end_now(s, status);
}

/* The same of a call of which nothing was sent. */
static void break_unsent(tern__stream_record *s, int status) {
    s->unsent = true;
    break_now(s, status, NULL);
}

/* The server ends the call. error: NULL for nothing but the trailing metadata. */
static int end_call(tern__stream_record *s, int status, const tern__meta_error *error, bool at_once) {
    int err = 0;
    if (s->st) err = tern__stream_metadata_end(s->ep, s, s->st, status, error, at_once, tern__stream_now(s));
    s->st = NULL;
    s->ep->tx_dirty = true;
    give_record(s);
    return err;
}

/* The handler has returned, and nobody will ever be told of what becomes of the stream. */
static void end_forgotten(tern__stream_record *s) {
    static const char text[] = "the handler returned without accepting or ending its stream";
    tern__endpoint_log(s->ep, TERN_LOG_ERROR,
                       "a handler returned without accepting or ending its stream: the call ends with INTERNAL");
    end_call(s, TERN_STATUS_INTERNAL, &(tern__meta_error){.message = text}, true);
}

/* The service's handler runs; request is NULL unless the service is single. */
static void run_handler(tern__stream_record *s, const void *request) {
    const tern__stream_service *service = s->service;
    uint64_t life = tern__stream_life(s);
    s->call = TERN__STREAM_ACCEPTING;
    if (service->thunk)
        service->thunk(service->handler, tern__stream_name(s), request, service->user);
    else
        ((tern_stream_handler_fn *)service->handler)(tern__stream_name(s), service->user);
    if (tern__stream_life(s) != life) return;
    s->call = TERN__STREAM_OPEN;
    if (!s->accepted) end_forgotten(s);
}

static const tern__stream_in_events in_events = {.on_request = run_handler, .on_bad = break_now, .on_over = end_now};

void tern__streams_run_due(tern_endpoint *ep) {
    tern__node due;
    tern__list_init(&due);
    while (!tern__list_empty(&ep->due_streams)) {
        tern__node *node = ep->due_streams.next;
        tern__list_remove(node);
        tern__list_append(&due, node);
    }
    while (!tern__list_empty(&due)) {
        tern__stream_record *s = TERN__CONTAINER(due.next, tern__stream_record, due);
        tern__list_remove(&s->due);
        tern__stream_in_release(s);
    }
}

void tern__streams_leave(tern_endpoint *ep) {
    for (tern__stream_record *s = ep->streams; s; s = s->next)
        if (tern__stream_is_over(s)) end_now(s, s->status);
}

void tern__streams_fini(tern_endpoint *ep) {
    for (tern__stream_record *s = ep->streams; s; s = s->next)
        if (s->call != TERN__STREAM_FREE) end_now(s, tern__stream_is_over(s) ? s->status : TERN_STATUS_UNAVAILABLE);
    while (ep->streams) {
        tern__stream_record *s = ep->streams;
        ep->streams = s->next;
        tern__slab_give(s);
    }
    for (uint32_t i = 0; i <= ep->stream_services.mask; i++) free(ep->stream_services.slots[i].user);
    tern__handlers_fini(&ep->stream_services);
}

/* ---- What the engine says ----------------------------------------------------------------------- */

static tern__stream_record *record_of(tern__stream *st) { return *tern__stream_user(st); }

static void refuse_stream(tern_endpoint *ep, tern__stream *st, int status, const char *text) {
    tern__meta_error error = {.message = text};
    tern__stream_metadata_end(ep, NULL, st, status, &error, true, ep->now);
}

static void on_open(void *user, tern__stream *st, uint32_t method) {
    tern_endpoint *ep = user;
    const tern__handler *entry = tern__handlers_find(&ep->stream_services, method);
    tern__stream_record *s = entry ? take_record(ep) : NULL;
    if (!s) {
        if (entry)
            tern__stream_finish(st, TERN_STATUS_RESOURCE_EXHAUSTED, ep->now);
        else
            refuse_stream(ep, st, TERN_STATUS_UNIMPLEMENTED, "the server serves no such method");
        return;
    }
    const char *text;
    int status = tern__stream_metadata_open(s, st, &text);
    if (status != TERN_STATUS_OK) {
        give_record(s);
        refuse_stream(ep, st, status, text);
        return;
    }
    *tern__stream_user(st) = s;
    s->st = st;
    s->service = entry->user;
    s->method = s->service->method;
    s->reliable = tern__stream_is_reliable(st);
    s->read = s->method ? TERN__READ_RECV : TERN__READ_DISCARD;
    s->call = TERN__STREAM_AWAITING;
    if (tern__stream_turn_is_due(s)) {
        s->read = TERN__READ_RECV;
        tern__stream_configure(st, &(tern__stream_opts){.window_bytes = TERN__STREAM_MIN_WINDOW, .manual = true});
        tern__stream_turn_wait(s);
    } else if (!s->service->single) {
        run_handler(s, NULL);
    }
}

static void on_data(void *user, tern__stream *st, const void *data, uint32_t len) {
    (void)user;
    tern__stream_record *s = record_of(st);
    if (tern__stream_turn_is_due(s)) tern__stream_turn_wait(s);
    tern__stream_in(s, data, len);
}

static void on_turn(void *user, tern__stream *st) {
    (void)user;
    tern__stream_record *s = record_of(st);
    tern_endpoint *ep = s->ep;
    uint64_t life = tern__stream_life(s);
    tern__stream_turn_begin(s);
    if (s->call == TERN__STREAM_AWAITING && !s->service->single) run_handler(s, NULL);
    if (tern__stream_life(s) == life) {
        if (s->st && !tern__list_empty(&s->pieces)) tern__stream_set_manual(s->st, true); /* until they are released */
        tern__stream_in_release(s);
    }
    tern__stream_turn_end(ep);
}

static void on_finished(void *user, tern__stream *st) {
    (void)user;
    tern__stream_record *s = record_of(st);
    s->read = TERN__READ_DATA_RECVD;
    if (tern__stream_turn_is_due(s)) tern__stream_turn_wait(s);
    tern__stream_in_release(s);
}

static void on_writable(void *user, tern__stream *st) {
    (void)user;
    tern__stream_record *s = record_of(st);
    if (s->events.on_writable) s->events.on_writable(tern__stream_name(s), s->user);
}

static void on_end(void *user, tern__stream *st, int status) {
    (void)user;
    tern__stream_record *s = record_of(st);
    if (!tern__stream_is_server(s)) {
        tern__stream_metadata_close(s, st);
        s->why = tern__result_loss(s->ep, status);
    }
    enter_end(s, TERN__STREAM_ENDED, status);
    if (s->ep->freeing)
        end_now(s, status);
    else
        tern__stream_in_release(s);
}

/* Inside any function of ours, callbacks included: on_end runs in the next poll. */
static void on_starved(void *user, tern__stream *st, int status) {
    (void)user;
    tern__stream_record *s = record_of(st);
    enter_end(s, TERN__STREAM_ENDED, status);
    due_soon(s);
}

const tern__stream_callbacks tern__stream_events = {.on_open = on_open,
                                                    .on_data = on_data,
                                                    .on_turn = on_turn,
                                                    .on_finished = on_finished,
                                                    .on_writable = on_writable,
                                                    .on_end = on_end,
                                                    .on_starved = on_starved};

/* ---- The client --------------------------------------------------------------------------------- */

static tern__stream_opts engine_opts(const tern__stream_record *s, const tern_stream_opts *opts) {
    tern__stream_opts result = {.window_bytes = opts->window_bytes, .buffer_bytes = opts->buffer_bytes};
    result.manual = s->manual || s->paused || (!s->method && !s->events.on_data);
    return result;
}

/* on_end says so from the next poll. */
static int end_call_later(tern__stream_record *s, tern__stream_call_state how, int status) {
    enter_end(s, how, status);
    due_soon(s);
    return 0;
}

/* Nothing of the call is sent. */
static int refuse_call(tern__stream_record *s, int status) {
    s->unsent = true;
    return end_call_later(s, TERN__STREAM_ENDED, status);
}

static void drop_call(tern__stream_record *s, int status) {
    tern__stream_abort(s->st, status, tern__stream_now(s));
    s->ep->tx_dirty = true;
    s->st = NULL;
}

/* The server's verdict on the types of a call that is held (tern__schema_told_fn). */
static void admit_held(tern_stream stream, tern_session *session, int status, tern_format format) {
    tern__stream_record *s;
    if (tern__stream_reach_live(stream, &s) != 0) return; /* it has ended meanwhile */
    if (status == TERN_STATUS_OK) {
        bool up = session->cs && !session->closing;
        int err = up ? tern__stream_release(s->st, session->cs, (uint8_t)format, s->ep->now) : TERN_ERR_CLOSED;
        s->ep->tx_dirty = true;
        status = !err                   ? TERN_STATUS_OK
                 : err == TERN_ERR_FULL ? TERN_STATUS_RESOURCE_EXHAUSTED
                                        : TERN_STATUS_UNAVAILABLE;
    }
    if (status != TERN_STATUS_OK) break_unsent(s, status);
}

/* As begin_call(), with the metadata block. */
static int begin_behind(tern_session *session, tern__stream_record *s, uint32_t method_id, const tern_stream_opts *opts,
                        tern_bytes block) {
    tern_endpoint *ep = s->ep;
    tern_dur timeout = opts->timeout > 0 ? opts->timeout : 0;
    tern__stream_opts engine = engine_opts(s, opts);
    engine.block = block;
    tern_status nobody;
    if (opts->timeout < 0) return refuse_call(s, TERN_STATUS_DEADLINE_EXCEEDED);
    int err = tern__client_prepare(session, &nobody);
    if (nobody != TERN_STATUS_OK) return refuse_call(s, nobody);
    if (err) return err;
    tern_format format = TERN_FORMAT_RAW;
    int verdict = s->method ? tern__schema_admit_stream(session, s->method, &format) : 0;
    engine.format = (uint8_t)format;
    engine.unreleased = verdict == TERN__CALL_WAITS;
    if (verdict && !engine.unreleased) return refuse_call(s, verdict);
    tern_time now = tern__endpoint_now(ep);
    if (timeout) engine.deadline = now + (tern_time)timeout;
    err = tern__stream_open(session->cs, method_id, &engine, s, now, &s->st);
    if (err) return err;
    s->call = TERN__STREAM_OPEN;
    s->reliable = tern__stream_is_reliable(s->st);
    ep->tx_dirty = true;
    if (session->rest->by_name && !engine.unreleased) s->by_name = session;
    if (engine.unreleased) err = tern__schema_ask(session, s->method, timeout, admit_held, tern__stream_name(s));
    if (err) drop_call(s, TERN_STATUS_CANCELLED);
    return err;
}

/* On an error the record is still the caller's. */
static int begin_call(tern_session *session, tern__stream_record *s, uint32_t method_id, const tern_stream_opts *opts) {
    if (!opts->n_metadata) return begin_behind(session, s, method_id, opts, (tern_bytes){0});
    tern_arena arena;
    tern__meta meta = {0};
    tern_arena_init_private(&arena, 0, 0);
    int err = tern__meta_add_all(&meta, &arena, s->ep->config.max_metadata_bytes, opts->metadata, opts->n_metadata);
    if (!err) err = begin_behind(session, s, method_id, opts, (tern_bytes){meta.block, meta.n_bytes});
    tern_arena_fini(&arena);
    return err;
}

/* Nothing is known of the server's types yet: none of these was to be in a format of its own. */
void tern__streams_move(const tern_session *session) {
    for (tern__stream_record *s = session->ep->streams; s; s = s->next) {
        if (!s->st || s->by_name != session) continue;
        s->by_name = NULL;
        if (tern__stream_release(s->st, session->cs, TERN_FORMAT_RAW, s->ep->now))
            break_unsent(s, TERN_STATUS_UNAVAILABLE);
    }
}

int tern_stream_start(tern_session *session, uint32_t method_id, const tern_stream_opts *opts,
                      const tern_stream_events *events, void *user, tern_stream *out) {
    int err = tern__client_check(session);
    if (err) return err;
    if (!events || !out) return TERN_ERR_INVALID;
    tern_stream_opts own;
    tern_stream_events own_events;
    err = tern__opts_of_stream(session->ep, opts, &own);
    if (!err) err = tern__events_of_stream(session->ep, events, &own_events);
    if (err) return err;
    tern__stream_record *s = take_record(session->ep);
    if (!s) return TERN_ERR_NOMEM;
    s->events = own_events;
    s->user = user;
    s->read = TERN__READ_RECV;
    s->manual = own.manual;
    err = begin_call(session, s, method_id, &own);
    if (err)
        give_record(s);
    else
        *out = tern__stream_name(s);
    return err;
}

/* A message of the side that the stream is at; the stream is live. */
static int put(tern__stream_record *s, const void *message) {
    s->ep->tx_dirty = true;
    tern__body body = {.type = tern__stream_is_server(s) ? s->method->response : s->method->request, .data = message};
    return tern__stream_write(s->st, &body, tern__stream_now(s));
}

static int finish(tern__stream_record *s) {
    if (tern__stream_is_server(s) || !tern__stream_is_writable(s->st)) return TERN_ERR_STATE;
    tern__stream_finish(s->st, TERN_STATUS_OK, tern__stream_now(s));
    s->ep->tx_dirty = true;
    return 0;
}

static void set_message_events(tern__stream_record *s, const tern__message_events *events, void *user) {
    s->thunk = events->on_message ? events->thunk : NULL;
    s->on_message = events->on_message;
    s->events = TERN_STREAM_EVENTS(.on_finished = events->on_finished, .on_writable = events->on_writable,
                                   .on_end = events->on_end);
    s->user = user;
}

int tern__stream_start(tern_session *session, const tern_method *method, const void *request,
                       const tern_stream_opts *opts, const tern__message_events *events, void *user, tern_stream *out) {
    int err = tern__client_check(session);
    if (err) return err;
    if (!method || !events || !out) return TERN_ERR_INVALID;
    err = tern__schema_tables(session->ep, method);
    if (err) return err;
    tern_stream_opts own;
    tern__message_events own_events;
    err = tern__opts_of_stream(session->ep, opts, &own);
    if (!err) err = tern__events_of_messages(session->ep, events, &own_events);
    if (err) return err;
    tern__stream_record *s = take_record(session->ep);
    if (!s) return TERN_ERR_NOMEM;
    set_message_events(s, &own_events, user);
    s->method = method;
    s->read = TERN__READ_RECV;
    err = begin_call(session, s, method->id, &own);
    if (!err && request && s->st) {
        err = put(s, request);
        if (!err) err = finish(s);
        if (err) drop_call(s, TERN_STATUS_CANCELLED);
    }
    if (err)
        give_record(s);
    else
        *out = tern__stream_name(s);
    return err;
}

int tern_stream_finish(tern_stream stream) {
    tern__stream_record *s;
    int err = tern__stream_reach_live(stream, &s);
    return err ? err : finish(s);
}

int tern_stream_cancel(tern_stream stream) {
    tern__stream_record *s;
    int err = tern__stream_reach_live(stream, &s);
    if (err == TERN_ERR_CLOSED && !tern__stream_is_server(s)) { /* whose end waits for a reader */
        tern__stream_in_fini(s);
        due_soon(s);
    }
    if (err) return err;
    if (tern__stream_is_server(s)) return TERN_ERR_STATE;
    drop_call(s, TERN_STATUS_CANCELLED);
    tern__stream_in_fini(s);
    return end_call_later(s, TERN__STREAM_CANCELLED, TERN_STATUS_CANCELLED);
}

int tern_stream_wait(tern_stream stream) { return tern_stream_wait_result(stream, NULL); }

int tern_stream_wait_result(tern_stream stream, const tern_result **result) {
    if (result) *result = NULL;
    tern__stream_record *s;
    int err = tern__stream_reach(stream, &s);
    if (err) return err;
    tern_endpoint *ep = s->ep;
    if (ep->in_callback || tern__stream_is_server(s)) return TERN_ERR_STATE;
    tern_time busy_until = ep->now + (tern_time)ep->config.idle_spin;
    ep->awaited_stream = s;
    ep->awaited_result = result;
    if (tern__stream_is_over(s)) due_soon(s);
    while (ep->awaited_stream) {
        int n = ep->up->poll(ep);
        if (ep->awaited_stream) ep->up->idle(ep, n, &busy_until, 0);
    }
    ep->awaited_result = NULL;
    return ep->awaited_status;
}

/* ---- The server --------------------------------------------------------------------------------- */

static void any_thunk(tern__any_fn *handler, tern_call call, const void *request, void *user) {
    (void)handler, (void)call, (void)request, (void)user;
}

static int serve_streams(tern_endpoint *ep, uint32_t id, const tern__stream_service *service) {
    if (!tern__endpoint_is_mine(ep)) return tern__endpoint_not_mine(ep);
    if (!service->handler) return TERN_ERR_INVALID;
    int err = service->method ? tern__tables_check(ep, service->method) : 0;
    if (err) return err;
    tern__stream_service *copy = malloc(sizeof *copy);
    if (!copy) return TERN_ERR_NOMEM;
    *copy = *service;
    err = tern__handlers_add(
        &ep->stream_services,
        &(tern__handler){.id = id, .thunk = any_thunk, .method = copy->method, .handler = copy->handler, .user = copy});
    if (err) free(copy);
    return err;
}

int tern_serve_stream(tern_endpoint *ep, uint32_t method_id, tern_stream_handler_fn *handler, void *user) {
    return serve_streams(ep, method_id, &(tern__stream_service){.handler = (tern__any_fn *)handler, .user = user});
}

int tern__serve_stream(tern_endpoint *ep, const tern_method *method, bool single, tern__stream_thunk *thunk,
                       tern__any_fn *handler, void *user) {
    return serve_streams(
        ep, method->id,
        &(tern__stream_service){.method = method, .thunk = thunk, .handler = handler, .user = user, .single = single});
}

/* As tern__stream_reach(), and the call may be accepted: its handler runs, and has not done so. */
static int reach_accepting(tern_stream name, tern__stream_record **out) {
    int err = tern__stream_reach(name, out);
    if (err) return err;
    const tern__stream_record *s = *out;
    return s->call == TERN__STREAM_ACCEPTING && !s->accepted ? 0 : TERN_ERR_STATE;
}

static void configure_accepted(tern__stream_record *s, const tern_stream_opts *opts) {
    s->accepted = true;
    if (s->read == TERN__READ_DISCARD) s->read = TERN__READ_RECV; /* or all may have come while the call waited */
    s->manual = opts->manual && !s->method;
    tern__stream_opts engine = engine_opts(s, opts);
    tern__stream_configure(s->st, &engine);
}

int tern_stream_accept(tern_stream stream, const tern_stream_opts *opts, const tern_stream_events *events, void *user) {
    tern__stream_record *s;
    int err = reach_accepting(stream, &s);
    if (err) return err;
    if (!events || s->method) return TERN_ERR_INVALID;
    tern_stream_opts own;
    tern_stream_events own_events;
    err = tern__opts_of_stream(s->ep, opts, &own);
    if (!err) err = tern__events_of_stream(s->ep, events, &own_events);
    if (err) return err;
    s->events = own_events;
    s->user = user;
    configure_accepted(s, &own);
    return 0;
}

/* Whether the stream's messages are those of this method, which generated code names. */
static bool is_of(const tern__stream_record *s, const tern_method *method) {
    return s->method && method && (s->method == method || s->method->id == method->id);
}

int tern__stream_accept(tern_stream stream, const tern_method *method, const tern_stream_opts *opts,
                        const tern__message_events *events, void *user) {
    tern__stream_record *s;
    int err = reach_accepting(stream, &s);
    if (err) return err;
    if (!events || !is_of(s, method)) return TERN_ERR_INVALID;
    tern_stream_opts own;
    tern__message_events own_events;
    err = tern__opts_of_stream(s->ep, opts, &own);
    if (!err) err = tern__events_of_messages(s->ep, events, &own_events);
    if (err) return err;
    set_message_events(s, &own_events, user);
    configure_accepted(s, &own);
    return 0;
}

/* As end_call(), of a stream that its user names. */
static int end_named(tern_stream stream, int status, const tern__meta_error *error, bool at_once) {
    tern__stream_record *s;
    int err = tern__stream_reach(stream, &s);
    if (err) return err;
    return tern__stream_is_server(s) ? end_call(s, status, error, at_once) : TERN_ERR_STATE;
}

static int error_of(tern_status status) { return status == TERN_STATUS_OK ? TERN_STATUS_UNKNOWN : (int)status; }

int tern_stream_end(tern_stream stream, tern_status status) { return end_named(stream, status, NULL, false); }

int tern_stream_end_with(tern_stream stream, tern_status status, const char *message, tern_bytes details,
                         const tern_pair *trailing, size_t n_trailing) {
    tern__meta_error error = {.message = message, .details = details, .trailing = trailing, .n_trailing = n_trailing};
    return end_named(stream, error_of(status), &error, false);
}

int tern_stream_fail(tern_stream stream, tern_status status) { return end_named(stream, error_of(status), NULL, true); }

int tern_stream_fail_with(tern_stream stream, tern_status status, const char *message, tern_bytes details,
                          const tern_pair *trailing, size_t n_trailing) {
    tern__meta_error error = {.message = message, .details = details, .trailing = trailing, .n_trailing = n_trailing};
    return end_named(stream, error_of(status), &error, true);
}

tern_dur tern_stream_time_left(tern_stream stream) {
    tern__stream_record *s;
    if (tern__stream_reach_live(stream, &s) != 0 || !tern__stream_is_server(s)) return INT64_MAX;
    tern_time deadline = tern__stream_deadline(s->st);
    return tern__time_left(deadline, tern__endpoint_now(s->ep));
}

/* ---- Both --------------------------------------------------------------------------------------- */

int tern_stream_write(tern_stream stream, tern_bytes bytes) {
    tern__stream_record *s;
    int err = tern__stream_reach_live(stream, &s);
    if (err) return err;
    if (s->method || (!bytes.data && bytes.len)) return TERN_ERR_INVALID;
    s->ep->tx_dirty = true;
    return tern__stream_write(s->st, &(tern__body){.data = bytes.data, .len = bytes.len}, tern__stream_now(s));
}

static int put_at(tern_stream stream, const tern_method *method, bool at_server, const void *message) {
    tern__stream_record *s;
    int err = tern__stream_reach_live(stream, &s);
    if (err) return err;
    if (!is_of(s, method) || !message) return TERN_ERR_INVALID;
    return tern__stream_is_server(s) == at_server ? put(s, message) : TERN_ERR_STATE;
}

int tern__stream_put_request(tern_stream stream, const tern_method *method, const void *request) {
    return put_at(stream, method, false, request);
}

int tern__stream_put_response(tern_stream stream, const tern_method *method, const void *response) {
    return put_at(stream, method, true, response);
}

int tern__stream_reply(tern_stream stream, const tern_method *method, const void *response) {
    tern__stream_record *s;
    int err = tern__stream_reach(stream, &s);
    if (err) return err;
    if (!is_of(s, method)) return TERN_ERR_INVALID;
    if (!tern__stream_is_server(s)) return TERN_ERR_STATE;
    if (s->st) err = response ? put(s, response) : TERN_ERR_INVALID;
    bool lack = err == TERN_ERR_LIMIT || err == TERN_ERR_NOMEM || err == TERN_ERR_FULL;
    int status = err ? lack ? TERN_STATUS_RESOURCE_EXHAUSTED : TERN_STATUS_INTERNAL : TERN_STATUS_OK;
    int end = end_call(s, status, NULL, err != 0);
    if (!err) err = end;
    return err;
}

int tern_stream_flush(tern_stream stream) {
    tern__stream_record *s;
    int err = tern__stream_reach_live(stream, &s);
    if (err) return err;
    s->ep->tx_dirty = true;
    tern__stream_flush(s->st, tern__stream_now(s));
    return 0;
}

int tern_stream_send(tern_stream stream, tern_bytes bytes) {
    tern__stream_record *s;
    int err = tern__stream_reach_live(stream, &s);
    if (err) return err;
    if (s->method || (!bytes.data && bytes.len)) return TERN_ERR_INVALID;
    s->ep->tx_dirty = true;
    return tern__stream_send(s->st, bytes, tern__stream_now(s));
}

/* Its buffer, or what its client may hold here. */
static bool is_full(const tern__stream *st) { return !tern__stream_has_room(st) || tern__stream_is_refused(st); }

int tern_stream_wait_writable(tern_stream stream) {
    tern__stream_record *s;
    int err = tern__stream_reach_live(stream, &s);
    if (err) return err;
    tern_endpoint *ep = s->ep;
    if (ep->in_callback) return TERN_ERR_STATE;
    tern_time busy_until = ep->now + (tern_time)ep->config.idle_spin;
    while (!err && is_full(s->st)) {
        int n = ep->up->poll(ep);
        err = tern__stream_reach_live(stream, &s);
        if (!err && is_full(s->st)) ep->up->idle(ep, n, &busy_until, 0);
    }
    return err;
}

int tern_stream_consume(tern_stream stream, size_t bytes) {
    tern__stream_record *s;
    int err = tern__stream_reach_live(stream, &s);
    if (err) return err;
    if (!s->manual) return TERN_ERR_STATE;
    tern__stream_consume(s->st, bytes < UINT32_MAX ? (uint32_t)bytes : UINT32_MAX, tern__stream_now(s));
    s->ep->tx_dirty = true;
    return 0;
}

int tern_stream_pause(tern_stream stream) {
    tern__stream_record *s;
    int err = tern__stream_reach(stream, &s);
    if (err) return err;
    s->paused = true;
    if (s->st) tern__stream_set_manual(s->st, true);
    return 0;
}

int tern_stream_resume(tern_stream stream) {
    tern__stream_record *s;
    int err = tern__stream_reach(stream, &s);
    if (err) return err;
    s->paused = false;
    due_soon(s);
    return 0;
}

int64_t tern_stream_read(tern_stream stream, void *to, size_t cap) {
    tern__stream_record *s;
    int err = tern__stream_reach(stream, &s);
    if (err) return err;
    if (s->method || s->events.on_data) return TERN_ERR_STATE;
    int64_t got = tern__stream_in_read(s, to, cap);
    bool is_due = s->read == TERN__READ_DATA_RECVD || tern__stream_is_over(s);
    if (tern__list_empty(&s->pieces) && is_due) due_soon(s);
    return got;
}

bool tern_stream_is_open(tern_stream stream) {
    return stream.ep && !stream.ep->inherited && tern__handles_find(&stream.ep->stream_handles, stream.id);
}
