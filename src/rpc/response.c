/* Responses, from the engine to whoever made the call (response.h). */
#include "rpc/response.h"

#include <stdio.h>

#include "rpc/decode.h"
#include "rpc/result.h"

/* Stands before an owned response, in the first block of its own arena. */
typedef struct reply_header {
    tern_arena arena;
    const void *payload; /* one reference held; NULL: it is in the loan */
    tern_loan *loan;     /* likewise; or NULL */
} reply_header;

/* Keep the memory that the response was decoded from. */
static int hold_payload(const tern__arrived *msg, reply_header *header) {
    header->loan = tern__arrived_loan(msg);
    header->payload = NULL;
    if (header->loan) {
        tern__loan_ref(header->loan);
        return 0;
    }
    /* Behind metadata an empty body may begin where its buffer ends. */
    header->payload = tern__arrived_begin(msg);
    return tern_ref(header->payload);
}

static int build_owned(tern_endpoint *ep, const tern_type *type, const tern__arrived *msg, const void **response,
                       const char **why) {
    tern_arena arena;
    tern_arena_init_private(&arena, 0, tern__decode_ceiling(&ep->config));
    void *memory = NULL;
    int status = tern__decode(&ep->decoder, type, msg, sizeof(reply_header), &arena, &memory, why);
    reply_header *header = memory;
    if (status == TERN_STATUS_OK && hold_payload(msg, header) != 0) {
        *why = "there is no buffer to keep the response in";
        status = TERN_STATUS_INTERNAL;
    }
    if (status != TERN_STATUS_OK) {
        tern_arena_fini(&arena);
        return status;
    }
    header->arena = arena;
    *response = header + 1;
    return TERN_STATUS_OK;
}

void tern_release(const void *response) {
    if (!response) return;
    const reply_header *header = (const reply_header *)response - 1;
    tern_arena arena = header->arena;
    tern_unref(header->payload);
    tern__loan_unref(header->loan);
    tern_arena_fini(&arena);
}

tern_loan *tern_owned_loan(const void *response) {
    return response ? ((const reply_header *)response - 1)->loan : NULL;
}

tern_loan *tern_response_loan(const tern_endpoint *ep) { return tern__endpoint_is_mine(ep) ? ep->loan : NULL; }

/* The record is free before the callback runs, which may start a call. */
static inline void finish(tern_endpoint *ep, tern__pending *p, int status, const void *response) {
    tern__done_thunk *thunk = p->thunk;
    tern__any_fn *done = p->done;
    void *user = p->user;
    uint8_t how = p->finish;
    tern__pending_give(ep, p);
    tern__pending_tell(how, thunk, done, user, status, response);
}

/* why: a constant text; NULL: what is always said of this status. */
static void tell_failed(tern_endpoint *ep, const tern__pending *how, int status, const char *why) {
    tern_result result = tern__result_here(ep, status);
    if (why) result.message = (tern_str){why, strlen(why)};
    ep->result = &result;
    tern__pending_tell(how->finish, how->thunk, how->done, how->user, status, NULL);
    ep->result = NULL;
}

void tern__client_tell_failed(tern_endpoint *ep, const tern__pending *how, int status) {
    tell_failed(ep, how, status, NULL);
}

void tern__client_tell_unsent(tern_endpoint *ep, const tern__pending *how, int status) {
    tern__telling outer = tern__tell_unsent_begin(ep);
    tern__client_tell_failed(ep, how, status);
    tern__tell_unsent_end(ep, outer);
}

__attribute__((noinline)) void tern__client_finish_failed(tern_endpoint *ep, tern__pending *p, int status) {
    tern__pending how = *p;
    tern__pending_give(ep, p);
    tern__client_tell_failed(ep, &how, status);
}

/* The response came, and is none. */
static void finish_undecoded(tern_endpoint *ep, tern__pending *p, int status, const char *why) {
    tern__pending how = *p;
    char line[256];
    tern__pending_give(ep, p);
    snprintf(line, sizeof line, "%s: the response, a %s: %s", how.method->name, how.method->response->name, why);
    tern__endpoint_log(ep, TERN_LOG_WARN, line);
    tell_failed(ep, &how, status, why);
}

static __attribute__((noinline)) void finish_typed(tern_endpoint *ep, tern__pending *p, const tern__arrived *msg) {
    const void *response = NULL;
    const char *why = NULL;
    if (p->finish == TERN__FINISH_OWNED) {
        int status = build_owned(ep, p->method->response, msg, &response, &why);
        if (status == TERN_STATUS_OK)
            finish(ep, p, status, response);
        else
            finish_undecoded(ep, p, status, why);
        return;
    }
    void *value = NULL;
    int status = tern__decode(&ep->decoder, p->method->response, msg, 0, &ep->scratch, &value, &why);
    if (status == TERN_STATUS_OK)
        finish(ep, p, status, value);
    else
        finish_undecoded(ep, p, status, why);
    tern_arena_reset(&ep->scratch);
}

void tern__client_on_done(void *user, void *call, int status, const tern__arrived *msg) {
    tern_endpoint *ep = user;
    tern__pending *p = call;
    if (!msg) {
        tern__client_finish_failed(ep, p, status);
    } else if (p->finish != TERN__FINISH_RAW) {
        finish_typed(ep, p, msg);
    } else {
        finish(ep, p, TERN_STATUS_OK, &msg->bytes);
    }
}

/* A response with a loan; one of bytes alone may be in many pieces. */
static void finish_lent(tern_endpoint *ep, tern__pending *p, const tern__arrived *msg) {
    tern_loan *outer = ep->loan;
    ep->loan = tern__arrived_loan(msg);
    if (p->finish != TERN__FINISH_RAW) {
        finish_typed(ep, p, msg);
    } else {
        tern_bytes whole = {tern__loan_gather(ep->loan, false), ep->loan->len};
        if (!ep->loan->kept) ep->loan = NULL;
        if (whole.data)
            finish(ep, p, TERN_STATUS_OK, &whole);
        else
            tern__client_finish_failed(ep, p, TERN_STATUS_RESOURCE_EXHAUSTED);
    }
    ep->loan = outer;
}

void tern__client_on_answer(void *user, void *call, int status, const tern__arrived *msg) {
    tern_endpoint *ep = user;
    tern_result result;
    int err = tern__result_read(ep, status, msg, &result);
    if (err && status == TERN_STATUS_OK)
        status = result.status = err == TERN_ERR_LIMIT ? TERN_STATUS_RESOURCE_EXHAUSTED : TERN_STATUS_INTERNAL;
    if (msg->meta_bytes || status != TERN_STATUS_OK) ep->result = &result;
    if (status != TERN_STATUS_OK)
        finish(ep, call, status, NULL);
    else if (tern__arrived_is_lent(msg))
        finish_lent(ep, call, msg);
    else
        tern__client_on_done(ep, call, status, msg);
    ep->result = NULL;
}
