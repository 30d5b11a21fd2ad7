/* Whether client and server mean the same by a method (schema.h). Nothing here is on the way of a call but its
 * first. */
#include "rpc/schema.h"

#include <stdio.h>
#include <stdlib.h>

#include "engine/ready.h"
#include "rpc/metadata.h"
#include "rpc/tables.h"
#include "rpc/worker.h"

enum { REQUEST_BYTES = 20, DIFFERS = 1 };

/* The verdict on a method in a session. */
typedef struct tern__verdict {
    const tern_method *method;
    tern_schema_verdict verdict;
} tern__verdict;

struct tern__verdicts {
    uint32_t n, cap;
    tern__verdict of[];
};

/* What is worth knowing of a method's tables without computing it again. */
struct tern__fingerprints {
    struct tern__fingerprints *next;
    const tern_method *method;
    int err; /* of tern__tables_check(): the tables cannot be read, and have no fingerprints */
    uint64_t request, response;
};

/* A call that waits for the verdict: it travels as the `user` of the Compare call. */
typedef struct held {
    tern_endpoint *ep;
    tern_session *session;      /* gone, perhaps, when a call that was cancelled ends */
    uint64_t n_forgotten;       /* of the session, when Compare was sent; 0: answered before that was known */
    bool *ended;                /* not NULL while ask_for_call() runs: set when this record is freed */
    tern__pending how, *record; /* the record has the Compare call, and the caller's tern_call_ref names it */
    uint64_t serial;
    tern_time deadline; /* 0: none */
    tern_format format;
    tern_arena arena;
    void *request;   /* a copy, in the arena */
    tern__meta meta; /* of the request, in the arena */
} held;

/* ---- Fingerprints and verdicts -------------------------------------------------------------------- */

static const struct tern__fingerprints *fingerprints_of(tern_endpoint *ep, const tern_method *method) {
    struct tern__fingerprints *f = ep->fingerprints;
    while (f && f->method != method) f = f->next;
    if (f) return f;
    f = malloc(sizeof *f);
    if (!f) return NULL;
    *f = (struct tern__fingerprints){.next = ep->fingerprints, .method = method, .err = tern__tables_check(ep, method)};
    if (!f->err) {
        f->request = tern_type_fingerprint(method->request);
        f->response = tern_type_fingerprint(method->response);
    }
    ep->fingerprints = f;
    return f;
}

int tern__schema_tables(tern_endpoint *ep, const tern_method *method) {
    const struct tern__fingerprints *f = fingerprints_of(ep, method);
    return f ? f->err : TERN_ERR_NOMEM;
}

void tern__schema_fini(tern_endpoint *ep) {
    while (ep->fingerprints) {
        struct tern__fingerprints *f = ep->fingerprints;
        ep->fingerprints = f->next;
        free(f);
    }
}

void tern__schema_forget(tern_session *session) {
    free(session->rest->verdicts);
    session->rest->verdicts = NULL;
    session->rest->n_forgotten++;
    session->checked = NULL;
}

static const tern__verdict *find_verdict(const tern_session *session, const tern_method *method) {
    const struct tern__verdicts *v = session->rest->verdicts;
    for (uint32_t i = 0; v && i < v->n; i++)
        if (v->of[i].method == method) return &v->of[i];
    return NULL;
}

/* Several calls may have asked; the first answer stands. Without memory the next call asks again. */
static bool learn_verdict(tern_session *session, const tern_method *method, tern_schema_verdict verdict) {
    struct tern__verdicts *v = session->rest->verdicts;
    if (find_verdict(session, method)) return false;
    if (!v || v->n == v->cap) {
        uint32_t cap = v ? 2 * v->cap : 4;
        struct tern__verdicts *larger = realloc(v, sizeof *v + cap * sizeof v->of[0]);
        if (!larger) return false;
        if (!v) larger->n = 0;
        larger->cap = cap;
        session->rest->verdicts = v = larger;
    }
    v->of[v->n++] = (tern__verdict){method, verdict};
    return true;
}

/* ---- The server ----------------------------------------------------------------------------------- */

static void respond_compare(tern_endpoint *ep, tern__request *request, int status, const void *data, size_t len) {
    tern__body body = {.data = data, .len = len};
    tern__engine_respond(request, status, &body, ep->now);
    ep->n_checks_served++;
}

static void respond_outlines(tern_endpoint *ep, tern__request *request, const tern_method *method) {
    size_t n_request = tern_type_outline(method->request, NULL, 0);
    size_t n_response = tern_type_outline(method->response, NULL, 0);
    uint8_t *out = tern_alloc_private(5 + n_request + n_response);
    if (!out) {
        respond_compare(ep, request, TERN_STATUS_RESOURCE_EXHAUSTED, NULL, 0);
        return;
    }
    out[0] = DIFFERS;
    tern__store32(out + 1, (uint32_t)n_request);
    tern_type_outline(method->request, out + 5, n_request);
    tern_type_outline(method->response, out + 5 + n_request, n_response);
    respond_compare(ep, request, TERN_STATUS_OK, out, 5 + n_request + n_response);
    tern_unref(out);
}

/* NULL: not served, or without types. */
static const tern_method *served_method(const tern_endpoint *ep, uint32_t id) {
    const tern__handler *entry = tern__handlers_find(&ep->handlers, id);
    if (entry) return tern__worker_method_of(entry);
    entry = tern__handlers_find(&ep->stream_services, id);
    return entry ? entry->method : NULL;
}

bool tern__schema_serve(tern_endpoint *ep, tern__request *request, uint32_t id, const tern__arrived *msg) {
    if (id != TERN__SCHEMA_METHOD) return false;
    if (msg->len != REQUEST_BYTES || msg->format != TERN_FORMAT_RAW) {
        respond_compare(ep, request, TERN_STATUS_INVALID_ARGUMENT, NULL, 0);
        return true;
    }
    const uint8_t *p = msg->data;
    const tern_method *method = served_method(ep, tern__load32(p));
    const struct tern__fingerprints *ours = method ? fingerprints_of(ep, method) : NULL;
    if (!ours || (ours->request == tern__load64(p + 4) && ours->response == tern__load64(p + 12)))
        respond_compare(ep, request, TERN_STATUS_OK, NULL, 0);
    else
        respond_outlines(ep, request, method);
    return true;
}

/* ---- The client: the verdict ---------------------------------------------------------------------- */

static const char *wire_kind_name(uint8_t kind) {
    static const char *const names[] = {"nothing", "double",   "float",    "int64",  "uint64",  "int32", "fixed64",
                                        "fixed32", "bool",     "string",   "group",  "message", "bytes", "uint32",
                                        "enum",    "sfixed32", "sfixed64", "sint32", "sint64"};
    return kind < TERN__COUNT(names) ? names[kind] : "something";
}

static void log_conflict(const tern_session *session, const tern_method *method, tern_schema_verdict verdict,
                         const tern_type_conflict *c) {
    char line[512];
    bool fatal = verdict == TERN_SCHEMA_CONFLICT;
    snprintf(line, sizeof line, "schema: %s at %s: field %u of %s is %s%s here and %s%s there: %s%s", method->name,
             session->rest->address, c->number, c->type ? c->type->name : "?", c->our_list ? "repeated " : "",
             wire_kind_name(c->our_kind), c->their_list ? "repeated " : "", wire_kind_name(c->their_kind),
             fatal ? "calls end with FAILED_PRECONDITION" : "calls use ",
             fatal ? "" : tern__engine_universal_format(session->ep->engine)->name);
    tern__endpoint_log(session->ep, fatal ? TERN_LOG_ERROR : TERN_LOG_WARN, line);
}

/* The worse of two; an outline that is none is a conflict with a peer who does not keep to the protocol. */
static tern_schema_verdict judge_outline(const tern_type *type, const uint8_t *outline, size_t len,
                                         tern_schema_verdict so_far, tern_type_conflict *conflict) {
    tern_type_conflict c = {0};
    int verdict = tern_type_compare(type, outline, len, &c);
    if (verdict < 0) verdict = TERN_SCHEMA_CONFLICT;
    if ((tern_schema_verdict)verdict <= so_far) return so_far;
    *conflict = c;
    return (tern_schema_verdict)verdict;
}

static void judge_answer(tern_session *session, const tern_method *method, tern_bytes answer) {
    const uint8_t *p = answer.data;
    tern_type_conflict conflict = {.type = method->request};
    tern_schema_verdict verdict = TERN_SCHEMA_FITS;
    if (answer.len == 0) {
        learn_verdict(session, method, verdict);
        return;
    }
    size_t n_request = answer.len >= 5 ? tern__load32(p + 1) : 0;
    if (answer.len < 5 || p[0] != DIFFERS || n_request > answer.len - 5) {
        verdict = TERN_SCHEMA_CONFLICT;
    } else {
        verdict = judge_outline(method->request, p + 5, n_request, verdict, &conflict);
        verdict = judge_outline(method->response, p + 5 + n_request, answer.len - 5 - n_request, verdict, &conflict);
    }
    if (learn_verdict(session, method, verdict) && verdict != TERN_SCHEMA_FITS)
        log_conflict(session, method, verdict, &conflict);
}

/* The format of messages by a verdict that is no conflict: RAW for the best that both sides read. Without a verdict,
 * for want of memory or because the session has moved on, the universal one is understood at any rate. */
static tern_format format_by(const tern_endpoint *ep, const tern__verdict *v) {
    if (v && v->verdict != TERN_SCHEMA_PROTOBUF) return TERN_FORMAT_RAW;
    return (tern_format)tern__engine_universal_format(ep->engine)->number;
}

/* Whether a call may state this format whatever the peer's types are. */
static bool needs_no_verdict(const tern_endpoint *ep, tern_format stated) {
    const tern__format *format = tern__decoder_format(&ep->decoder, (uint32_t)stated);
    return format && !(format->flags & TERN__FORMAT_SAME_TYPES);
}

/* ---- The client: calls that wait ------------------------------------------------------------------ */

static void free_held(held *h) {
    if (h->ended) *h->ended = true;
    tern_arena_fini(&h->arena);
    free(h);
}

static void end_held(held *h, int status) {
    tern__pending how = h->how;
    tern_endpoint *ep = h->ep;
    free_held(h);
    tern__client_tell_unsent(ep, &how, status);
}

static int status_of_start(int err) {
    bool room = err == TERN_ERR_FULL || err == TERN_ERR_NOMEM || err == TERN_ERR_LIMIT;
    return room                      ? TERN_STATUS_RESOURCE_EXHAUSTED
           : err == TERN_ERR_INVALID ? TERN_STATUS_INTERNAL
                                     : TERN_STATUS_UNAVAILABLE;
}

/* The call itself, at last. The engine has just given back the record of the Compare call, which is the next to be
 * taken: the caller's reference goes on naming it. */
static void start_held(held *h) {
    tern_session *session = h->session;
    tern_endpoint *ep = session->ep;
    const tern__verdict *v = find_verdict(session, h->how.method);
    tern_call_opts opts = TERN_CALL_OPTS(.format = h->format);
    if (v && v->verdict == TERN_SCHEMA_CONFLICT) {
        end_held(h, TERN_STATUS_FAILED_PRECONDITION);
        return;
    }
    if (opts.format == TERN_FORMAT_RAW) opts.format = format_by(ep, v);
    if (h->deadline) {
        tern_time now = tern__endpoint_now(ep);
        if (now >= h->deadline) {
            end_held(h, TERN_STATUS_DEADLINE_EXCEEDED);
            return;
        }
        opts.timeout = (tern_dur)(h->deadline - now);
    }
    tern__body body = {.type = h->how.method->request, .data = h->request, .format = opts.format};
    tern__behind behind = tern__body_behind(&body, h->meta.block, h->meta.n_bytes);
    const tern__body *message = h->meta.n_bytes ? &behind.body : &body;
    tern__pending *record = NULL;
    int err = session->closing ? TERN_ERR_CLOSED
                               : tern__client_begin(session, &h->how, h->how.method->id, message, &opts, &record);
    if (err) {
        end_held(h, status_of_start(err));
        return;
    }
    ep->n_checks++; /* the Compare call stood for this one until now */
    if (h->serial && record == h->record) {
        record->session = session;
        record->serial = h->serial;
    }
    free_held(h);
}

/* Learn the verdict from the answer. Its sender still serves the session if nothing has been forgotten since the
 * question; n_forgotten 0: the answer came before that was known. Returns OK, or the status that the calls that wait
 * end with. */
static int take_answer(tern_session *session, uint64_t n_forgotten, const tern_method *method, int status,
                       const void *response) {
    if (status == TERN_STATUS_OK && (!n_forgotten || session->rest->n_forgotten == n_forgotten))
        judge_answer(session, method, *(const tern_bytes *)response);
    else if (status == TERN_STATUS_UNIMPLEMENTED) /* a peer that knows nothing of this is taken at its word */
        learn_verdict(session, method, TERN_SCHEMA_FITS);
    else
        return status;
    return TERN_STATUS_OK;
}

static void on_compared(void *user, int status, const void *response) {
    held *h = user;
    status = take_answer(h->session, h->n_forgotten, h->how.method, status, response);
    if (status == TERN_STATUS_OK)
        start_held(h);
    else
        end_held(h, status);
}

/* The question about a method. On success *record has the call. */
static int ask_compare(tern_session *session, const tern_method *method, const tern__pending *how,
                       const tern_call_opts *opts, tern__pending **record) {
    const struct tern__fingerprints *ours = fingerprints_of(session->ep, method);
    uint8_t question[REQUEST_BYTES];
    if (!ours) return TERN_ERR_NOMEM;
    tern__store32(question, method->id);
    tern__store64(question + 4, ours->request);
    tern__store64(question + 12, ours->response);
    tern__body body = {.data = question, .len = sizeof question};
    tern_call_opts bare = opts ? *opts : TERN_CALL_OPTS();
    bare.n_metadata = 0; /* that of the call itself */
    return tern__client_begin(session, how, TERN__SCHEMA_METHOD, &body, opts ? &bare : NULL, record);
}

static int fill_held(tern_session *session, const void *request, const tern_call_opts *opts, const tern__pending *how,
                     held *h) {
    tern_endpoint *ep = session->ep;
    const tern_type *type = how->method->request;
    *h = (held){.ep = ep, .session = session, .how = *how, .format = opts ? opts->format : TERN_FORMAT_RAW};
    tern_arena_init_private(&h->arena, 0, 0);
    if (opts && opts->timeout > 0) h->deadline = tern__endpoint_now(ep) + (tern_time)opts->timeout;
    if (opts && opts->n_metadata) {
        int err =
            tern__meta_add_all(&h->meta, &h->arena, ep->config.max_metadata_bytes, opts->metadata, opts->n_metadata);
        if (err) return err;
    }
    h->request = tern_arena_alloc(&h->arena, type->size_bytes);
    if (!h->request) return TERN_ERR_NOMEM;
    return tern_message_copy(type, request, &h->arena, h->request);
}

static int ask_for_call(tern_session *session, held *h, const tern_call_opts *opts) {
    tern__pending how = tern__pending_raw(on_compared, h);
    bool ended = false; /* a call that may block drives the endpoint, and has perhaps been answered when it returns */
    h->ended = &ended;
    int err = ask_compare(session, h->how.method, &how, opts, &h->record);
    if (ended) return 0;
    h->ended = NULL;
    h->n_forgotten = session->rest->n_forgotten;
    if (!err && opts && opts->ref) h->serial = opts->ref->id >> TERN__HANDLE_INDEX_BITS;
    return err;
}

static int wait_for_verdict(tern_session *session, const void *request, const tern_call_opts *opts,
                            const tern__pending *how) {
    tern__body body = {.type = how->method->request, .data = request, .format = opts ? opts->format : TERN_FORMAT_RAW};
    /* Errors of the call itself are returned at once. */
    int err = session->cs ? tern__ready_check(session->cs, &body) : 0;
    if (err) return err;
    held *h = aligned_alloc(_Alignof(held), sizeof *h);
    if (!h) return TERN_ERR_NOMEM;
    err = fill_held(session, request, opts, how, h);
    if (!err) err = ask_for_call(session, h, opts);
    if (err) {
        free_held(h);
        return err;
    }
    return TERN__CALL_WAITS;
}

int tern__schema_admit(tern_session *session, const void *request, const tern_call_opts *opts, const tern__pending *how,
                       tern_format *format) {
    const tern_method *method = how->method;
    bool is_asked = session->ep->config.check_schema && !needs_no_verdict(session->ep, *format);
    const tern__verdict *v = is_asked ? find_verdict(session, method) : NULL;
    if (!v) {
        int err = tern__schema_tables(session->ep, method);
        return err || !is_asked ? err : wait_for_verdict(session, request, opts, how);
    }
    switch (v->verdict) {
    case TERN_SCHEMA_FITS: session->checked = method; return 0;
    case TERN_SCHEMA_PROTOBUF:
        if (*format == TERN_FORMAT_RAW) *format = format_by(session->ep, v);
        return 0;
    default: return tern__client_refuse(session, how, TERN_STATUS_FAILED_PRECONDITION, opts);
    }
}

/* ---- The client: streams ---------------------------------------------------------------------------- */

/* A streaming call that waits for the verdict, the `user` of its Compare call. */
typedef struct held_stream {
    tern_session *session;
    uint64_t n_forgotten; /* of the session, when Compare was sent */
    const tern_method *method;
    tern__schema_told_fn *told;
    tern_stream stream; /* may have ended when the answer comes */
} held_stream;

static void on_stream_answer(void *user, int status, const void *response) {
    held_stream h = *(held_stream *)user;
    free(user);
    status = take_answer(h.session, h.n_forgotten, h.method, status, response);
    const tern__verdict *v = find_verdict(h.session, h.method);
    if (status == TERN_STATUS_OK && v && v->verdict == TERN_SCHEMA_CONFLICT) status = TERN_STATUS_FAILED_PRECONDITION;
    h.told(h.stream, h.session, status, format_by(h.session->ep, v));
}

int tern__schema_admit_stream(tern_session *session, const tern_method *method, tern_format *format) {
    *format = TERN_FORMAT_RAW;
    if (!session->ep->config.check_schema || session->checked == method) return 0;
    const tern__verdict *v = find_verdict(session, method);
    if (!v) return TERN__CALL_WAITS;
    if (v->verdict == TERN_SCHEMA_CONFLICT) return TERN_STATUS_FAILED_PRECONDITION;
    *format = format_by(session->ep, v);
    return 0;
}

int tern__schema_ask(tern_session *session, const tern_method *method, tern_dur timeout, tern__schema_told_fn *told,
                     tern_stream stream) {
    held_stream *h = malloc(sizeof *h);
    if (!h) return TERN_ERR_NOMEM;
    *h = (held_stream){session, session->rest->n_forgotten, method, told, stream};
    tern__pending how = tern__pending_raw(on_stream_answer, h), *record;
    tern_call_opts opts = TERN_CALL_OPTS(.timeout = timeout);
    int err = ask_compare(session, method, &how, &opts, &record);
    if (err)
        free(h);
    else
        session->ep->n_checks++;
    return err;
}
