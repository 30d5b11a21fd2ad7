/* The memory of a request at the server, and its transitions that are no part of the short way (request.h). */
#include "engine/request.h"

#include "engine/account.h"
#include "engine/admission.h"
#include "engine/placement.h"
#include "engine/tracing.h"

static void set_state(tern__ssession *ss, tern__request *request, uint8_t state) {
    tern__engine *e = ss->s.engine;
    if (e->delayed_ack == request) e->delayed_ack = NULL;
    enum { COUNTED = 1u << TERN__REQUEST_RECEIVING | 1u << TERN__REQUEST_RUNNING };
    if (!request->orphan)
        ss->n_running = (uint8_t)(ss->n_running + (COUNTED >> state & 1) - (COUNTED >> request->state & 1));
    if (request->admitted && state != TERN__REQUEST_RUNNING) tern__admission_leave(request);
    tern__trace_request(request, state);
    request->state = state;
}

void tern__request_set_state(tern__request *request, uint8_t state) { set_state(request->session, request, state); }

static inline void release_request(tern__engine *e, tern__request *request) {
    if (request->charged_bytes) tern__placement_forget(request->session->s.link, request->buffer);
    tern_unref(request->buffer);
    request->buffer = NULL;
    tern__engine_uncharge(e, request->charged_bytes);
    request->charged_bytes = 0;
}

void tern__request_release(tern__request *request) { release_request(request->session->s.engine, request); }

void tern__request_forget(tern__request *request) {
    tern__engine *e = request->session->s.engine;
    if (request->buffer) release_request(e, request);
    tern__request_release_response(request);
    if (request->state == TERN__REQUEST_RECEIVING) {
        set_state(request->session, request, TERN__REQUEST_NONE);
        return;
    }
    tern__trace_request(request, TERN__REQUEST_NONE); /* it has not counted as running */
    request->state = TERN__REQUEST_NONE;
}

bool tern__server_make_request(tern__engine *e) {
    tern__request *request = tern_alloc_private(sizeof *request);
    if (!request) return false;
    *request = (tern__request){.user = e->spare_requests};
    tern__list_init(&request->node);
    e->spare_requests = request;
    return true;
}

const void *tern__request_copy(tern__request *request, const tern__arrived *msg) {
    if (!request->buffer && msg->len && (request->buffer = tern_alloc_private(msg->len)) != NULL)
        return memcpy((void *)(uintptr_t)request->buffer, msg->data, msg->len);
    return msg->data;
}

void tern__server_attach(tern__request *request) {
    tern__ssession *ss = request->session;
    tern__engine *e = ss->s.engine;
    for (uint32_t i = 0; i < TERN__N_TRANSIENT; i++)
        if (e->transient[i] == request) e->transient[i] = NULL;
    request->is_transient = false;
    tern__server_enter(ss, request->slot, request);
}

void tern__server_trim_spares(tern__engine *e, uint32_t n_kept) {
    for (uint32_t i = 0; i < TERN__N_TRANSIENT && !n_kept; i++) {
        tern_unref(e->transient[i]);
        e->transient[i] = NULL;
    }
    tern__request *request = e->spare_requests, *last = NULL;
    for (; request && n_kept; n_kept--) {
        last = request;
        request = request->user;
    }
    if (last)
        last->user = NULL;
    else
        e->spare_requests = NULL;
    while (request) {
        tern__request *next = request->user;
        tern_unref(request);
        request = next;
    }
}
