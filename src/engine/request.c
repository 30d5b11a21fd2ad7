/* The memory of a request at the server, and its transitions that are no part of the short way (request.h). */
#include "engine/request.h"

#include "engine/account.h"
#include "engine/admission.h"
#include "engine/placement.h"
#include "engine/tracing.h"

static void set_state(tern__ssession *ss, tern__served *served, uint8_t state) {
    tern__engine *e = ss->s.engine;
    if (e->owed == served) e->owed = NULL;
    bool was = served->state == TERN__SERVED_RECEIVING || served->state == TERN__SERVED_RUNNING;
    bool is = state == TERN__SERVED_RECEIVING || state == TERN__SERVED_RUNNING;
    if (!served->orphan) ss->n_running = (uint8_t)(ss->n_running + is - was);
    if (served->admitted && state != TERN__SERVED_RUNNING) tern__admission_leave(served);
    tern__trace_request(served, state);
    served->state = state;
}

void tern__served_set_state(tern__served *served, uint8_t state) { set_state(served->session, served, state); }

static inline void release_request(tern__engine *e, tern__served *served) {
    if (served->charged_bytes) tern__placement_forget(served->session->s.link, served->held);
    tern_unref(served->held);
    served->held = NULL;
    tern__engine_uncharge(e, served->charged_bytes);
    served->charged_bytes = 0;
}

void tern__served_release_request(tern__served *served) { release_request(served->session->s.engine, served); }

void tern__served_forget(tern__served *served) {
    tern__engine *e = served->session->s.engine;
    if (served->held) release_request(e, served);
    tern__served_release_response(served);
    if (served->state == TERN__SERVED_RECEIVING) {
        set_state(served->session, served, TERN__SERVED_NONE);
        return;
    }
    tern__trace_request(served, TERN__SERVED_NONE); /* it has not counted as running */
    served->state = TERN__SERVED_NONE;
}

bool tern__server_make_served(tern__engine *e) {
    tern__served *served = tern_alloc(sizeof *served);
    if (!served) return false;
    *served = (tern__served){.user = e->spare_served};
    tern__list_init(&served->node);
    e->spare_served = served;
    return true;
}

const void *tern__served_copy(tern__served *served, const tern__arrived *msg) {
    if (!served->held && msg->len && (served->held = tern_alloc(msg->len)) != NULL)
        return memcpy((void *)(uintptr_t)served->held, msg->data, msg->len);
    return msg->data;
}

void tern__server_attach(tern__served *served) {
    tern__ssession *ss = served->session;
    tern__engine *e = ss->s.engine;
    for (uint32_t i = 0; i < TERN__N_READY; i++)
        if (e->ready[i] == served) e->ready[i] = NULL;
    served->ready = false;
    tern__server_enter(ss, served->slot, served);
}

void tern__server_trim_spares(tern__engine *e, uint32_t n_kept) {
    for (uint32_t i = 0; i < TERN__N_READY && !n_kept; i++) {
        tern_unref(e->ready[i]);
        e->ready[i] = NULL;
    }
    tern__served *served = e->spare_served, *last = NULL;
    for (; served && n_kept; n_kept--) {
        last = served;
        served = served->user;
    }
    if (last)
        last->user = NULL;
    else
        e->spare_served = NULL;
    while (served) {
        tern__served *next = served->user;
        tern_unref(served);
        served = next;
    }
}
